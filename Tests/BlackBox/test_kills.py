"""What `track` returned for survives SIGKILL, whatever the process was doing; only requests in flight are repeated.

Each life is one process on a state directory that the lives before it left. It has a default document of its own, whose
endpoint names the life, so that the collector knows which process sent a request."""
import collections
import concurrent.futures
import contextlib
import http.server
import json
import os
import pathlib
import random
import re
import resource
import shutil
import subprocess
import tempfile
import threading
import time

import pytest
from documents import DocumentFile, bundle
from driver import BINARY, PATIENCE, can_trace, wait_until

# As many lanes as keep the machine busy while one of them waits.
LANES = 3
# So few events a request that most kills find one in flight.
RANGE = 10


class Collector:
    """A collector that notes the events' ids of each request, by the life that sent it, and answers a little later."""

    def __init__(self):
        self.requests, self.lock = collections.defaultdict(list), threading.Lock()
        collector = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            wbufsize = -1

            def handle(self):
                with contextlib.suppress(ConnectionError):
                    super().handle()

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                with contextlib.suppress(ValueError):
                    # A request that a kill cut off is no request.
                    ids = [event["eid"] for event in json.loads(body)["data"]]
                    with collector.lock:
                        collector.requests[self.path.split("/")[1]].append(ids)
                # The events are the collector's now, and the process does not know it yet.
                time.sleep(0.002)
                self.send_response(200)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *words):
                pass

        class Server(http.server.ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 128

        self.server = Server(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def counts(self):
        """How often each event came."""
        with self.lock:
            return collections.Counter(id for life in self.requests.values() for ids in life for id in ids)

    def repeated(self):
        """The events that came more than once, and those of them that were answered for before they came again.

        A life sends one request at a time, so one that another follows was answered, and its events removed."""
        requests = collections.defaultdict(list)
        with self.lock:
            for name, life in self.requests.items():
                for place, ids in enumerate(life, 1):
                    for id in ids:
                        requests[id].append((int(name.split("-")[1]), place == len(life)))
        twice = {id for id, found in requests.items() if len(found) > 1}
        return twice, {id for id in twice if not all(is_last for _, is_last in sorted(requests[id])[:-1])}

    def close(self):
        self.server.shutdown()
        self.server.server_close()


class Life:
    """One `demo-tracker run`, whose lines are read one by one in order that it can be killed right after one."""

    def __init__(self, lane, number, prepare=None, under=()):
        self.lane, self.name = lane, f"{lane.name}-{number}"
        self.default = DocumentFile(lane.directory, f"{number}.default.json")
        self.default.publish(1, self.bundles())
        # A version of its own, because one that several processes die of is held.
        self.document, self.version = DocumentFile(lane.directory, f"{number}.json"), number
        self.log = lane.directory / f"{number}.log"
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(
                [*under, BINARY, "run", "--config", self.document.url, "--default", self.default.path,
                 "--state-dir", lane.state, "--cache-dir", lane.directory / f"cache-{number}"],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, preexec_fn=prepare)
        # One that hangs ends, and its log says of what.
        self.watchdog = threading.Timer(2 * PATIENCE, self.process.kill)
        self.watchdog.daemon = True
        self.watchdog.start()
        self.tracked, self.kinds = set(), []

    def bundles(self, others=0, **emitter):
        """A tracker whose requests name this life, and others."""
        url = self.lane.collector.url
        own = bundle(f"{url}/{self.name}", emitter={"emitRange": RANGE, "threadPoolSize": 1, **emitter})
        return [own] + [bundle(url, f"n{number}") for number in range(others)]

    def send(self, *commands):
        lines = [json.dumps({"id": 0, **command}) for command in commands]
        self.process.stdin.write("".join(line + "\n" for line in lines).encode())
        self.process.stdin.flush()

    def track(self, count, category="kill"):
        size = self.lane.chance.randrange(300)
        event = {"category": category, "action": self.name, "label": "x" * size}
        self.send(*[{"do": "track", "event": {**event, "value": number}} for number in range(count)])

    def read(self, kind):
        """Reads lines up to one of a kind."""
        for text in self.process.stdout:
            line = json.loads(text)
            self.note(line)
            if line["type"] == kind:
                return line
        raise AssertionError((f"{self.name} ended: {self.process.wait()}", self.log.read_text()))

    def note(self, line):
        self.kinds.append(line["type"])
        if line["type"] == "answer" and isinstance(line.get("value"), str):
            self.tracked.add(line["value"])

    def answers(self, count):
        for _ in range(count):
            answer = self.read("answer")
            assert answer["ok"], answer

    def is_committed(self):
        """Whether an event is on the disk when it is tracked."""
        self.send({"do": "track", "event": {"category": "kill", "action": self.name}, "committed": True})
        return self.read("answer")["ok"]

    def kill(self):
        """Kills it at once. What it had answered before, and was not read, had returned too."""
        self.process.kill()
        self.lane.kills += 1
        for text in self.process.stdout:
            with contextlib.suppress(ValueError):
                self.note(json.loads(text))
        # A fault would have ended it by another signal.
        assert self.process.wait() == -9, (self.name, self.log.read_text())
        self.close()

    def quit(self):
        """Sends all there is, and ends."""
        self.send({"do": "flush", "timeout": PATIENCE}, {"do": "quit", "timeout": PATIENCE})
        self.read("answer")
        report = self.read("answer")["value"]
        assert self.process.wait(timeout=PATIENCE) == 0
        self.close()
        assert report["stored"] == report["dropped"] == 0, (report, self.log.read_text())

    def close(self):
        self.watchdog.cancel()
        self.lane.tracked |= self.tracked
        self.process.stdout.close()
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()

    def complaints(self):
        """What the log says at the levels that an operator should look at."""
        lines = self.log.read_text().splitlines()
        return [line for line in lines if re.match("(error|warning)", line) and "cannot fetch " not in line]


class Lane:
    """A state directory and the processes that live on it, one after the other."""

    def __init__(self, directory, collector, name="0", seed=0):
        self.directory, self.collector, self.name = directory, collector, name
        self.state = directory / "state"
        self.chance = random.Random(f"{seed} {name}")
        self.tracked, self.kills, self.number = set(), 0, 0
        directory.mkdir(exist_ok=True)

    def start(self, **more):
        self.number += 1
        return Life(self, self.number, **more)

    def live(self, **more):
        """Starts a process and waits until it has trackers."""
        life = self.start(**more)
        life.read("update")
        return life

    def finish(self):
        """Lets a last process deliver what the others left, also in other slots."""
        last = self.live()
        wait_until(lambda: f"all of {self.tracked - self.collector.counts().keys()} came: {last.log.read_text()}",
                   lambda: self.tracked <= self.collector.counts().keys(), pause=0.02)
        last.quit()

    @property
    def slots(self):
        """How many slots have files of events."""
        return len({path.name.split(".")[0] for path in self.state.glob("log-*.0*")})


class SmallDisk:
    """A file system in memory that is soon full."""

    def __init__(self, path):
        self.path = path

    def fill(self):
        with open(self.path / "filler", "wb", buffering=0) as file:
            for size in (1 << 16, 1):
                with contextlib.suppress(OSError):
                    while True:
                        file.write(bytes(size))

    def empty(self):
        (self.path / "filler").unlink(missing_ok=True)


@contextlib.contextmanager
def mounted(path, *words):
    path.mkdir(parents=True)
    done = subprocess.run(["mount", *words, path], capture_output=True, text=True)
    if done.returncode != 0:
        pytest.skip(f"no file system can be mounted here: {done.stderr.strip()}")
    try:
        yield SmallDisk(path)
    finally:
        subprocess.run(["umount", "--lazy", path])


def small_disk(path, size, options="rw"):
    return mounted(path, "-t", "tmpfs", "-o", f"size={size},{options}", "none")


def disk_of(kind, directory):
    """A small file system of a kind, in a file."""
    if kind == "tmpfs":
        return small_disk(directory / "disk", "64m")
    if shutil.which(f"mkfs.{kind}") is None:
        pytest.skip(f"there is no mkfs.{kind}")
    image = directory / "image"
    with image.open("wb") as file:
        # The least that XFS takes.
        file.truncate(300 << 20)
    subprocess.run([f"mkfs.{kind}", "-q", image], check=True, capture_output=True)
    return mounted(directory / "disk", "-o", "loop", image)


@pytest.fixture
def collector():
    collector = Collector()
    yield collector
    collector.close()


@pytest.fixture
def lanes(tmp_path, collector):
    # In memory if that can be: a kill leaves there what it leaves on a disk, and a sync of a busy disk takes a second.
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else tmp_path) as directory:
        yield runner(pathlib.Path(directory), collector)


def runner(directory, collector):
    """Runs `body` on several lanes at once, then compares what `track` returned for with what the collector got."""

    def run(body):
        seed = random.randrange(1 << 32)
        print("seed", seed)
        all_lanes = [Lane(directory / f"lane-{index}", collector, str(index), seed) for index in range(LANES)]
        with concurrent.futures.ThreadPoolExecutor(LANES) as pool:
            list(pool.map(body, all_lanes))
        got = collector.counts()
        tracked = set().union(*(lane.tracked for lane in all_lanes))
        twice, unexcused = collector.repeated()
        kills = sum(lane.kills for lane in all_lanes)
        print(f"{kills} kills, {len(tracked)} tracked, {len(got)} received, {len(twice)} twice")
        assert kills > 0 and tracked
        assert not tracked - got.keys(), f"{len(tracked - got.keys())} of {len(tracked)} events were lost"
        assert not unexcused, f"{len(unexcused)} events came twice that were not in flight"
        return kills

    return run


def kill_after_answer(life, count):
    """Lets it track, and kills it right after the answer to one of the events was read."""
    life.track(count)
    life.answers(life.lane.chance.randint(1, count))
    life.kill()


def kill_until(met, least, kill, *words):
    """Kills some times, and goes on until a kill on one of the lanes has `met` what it is to meet."""
    for number in range(1, 31):
        if kill(*words):
            met.append(True)
        if met and number >= least:
            return


def test_a_kill_right_after_the_answer_to_track_loses_nothing(lanes):
    def body(lane):
        for _ in range(12):
            kill_after_answer(lane.live(), 40)
        lane.finish()

    assert lanes(body) == 12 * LANES


def test_a_kill_in_a_burst_of_large_events_loses_nothing(lanes):
    """Many times what a new staging file has room for, faster than the disk and the collector take it."""
    event = {"schema": "iglu:com.example/burst/jsonschema/1-0-0", "data": {"text": "x" * 300_000}}

    def body(lane):
        for _ in range(2):
            life = lane.live()
            life.send(*[{"do": "track", "event": event} for _ in range(60)])
            life.answers(lane.chance.randint(40, 60))
            life.kill()
        lane.finish()

    assert lanes(body) == 2 * LANES


def test_a_kill_while_a_document_is_applied_loses_nothing(lanes):
    def kill(lane):
        life = lane.live()
        life.document.publish(life.version, life.bundles(others=60, emitRange=RANGE - 1))
        life.track(20)
        life.send({"do": "refresh"})
        life.answers(20)
        time.sleep(lane.chance.uniform(0, lane.chance.choice([0, 0.02, 0.2])))
        life.track(20)
        life.kill()
        # The second update is the document's.
        return life.kinds.count("update") == 1

    met = []

    def body(lane):
        kill_until(met, 3, kill, lane)
        lane.finish()

    lanes(body)
    assert met, "no kill came before the document was in effect"


def test_a_kill_while_the_disk_is_full_loses_nothing(lanes):
    def body(lane):
        with small_disk(lane.directory / "disk", "64m") as disk:
            lane.state = disk.path / "state"
            for _ in range(3):
                life = lane.live()
                disk.fill()
                # What is sent needs no room to be marked.
                kill_after_answer(life, 40)
                disk.empty()
            lane.finish()

    lanes(body)


def test_a_kill_while_a_slot_is_adopted_loses_nothing(lanes):
    def kill(lane):
        # Neither sends, so that there is something to adopt.
        pair = [lane.start(), lane.start()]
        for life in pair:
            life.read("update")
            life.send({"do": "pause"})
            life.read("answer")
        assert lane.slots >= 2
        for life in pair:
            kill_after_answer(life, 60)
        adopter = lane.live()
        time.sleep(lane.chance.uniform(0, lane.chance.choice([0, 0.02, 0.15])))
        adopter.kill()
        return lane.slots > 1

    met = []

    def body(lane):
        kill_until(met, 2, kill, lane)
        lane.finish()

    lanes(body)
    assert met, "no kill came before all was adopted"


def test_a_kill_while_what_a_kill_left_is_read_loses_nothing(lanes):
    def body(lane):
        for _ in range(2):
            start = time.monotonic()
            life = lane.live()
            duration = time.monotonic() - start
            kill_after_answer(life, 40)
            for _ in range(4):
                life = lane.start()
                # At any moment of a start, as long as starts take here.
                time.sleep(lane.chance.uniform(0, 1.2 * duration))
                life.kill()
        lane.finish()

    assert lanes(body) == 10 * LANES


@pytest.fixture
def lane(tmp_path, collector):
    return Lane(tmp_path / "lane", collector)


def deliver(life):
    """Lets it track, waits until the collector has all, and ends it.

    Returns what its log said at the levels that an operator should look at."""
    for _ in range(3):
        life.track(20)
        life.answers(20)

    def has_come():
        assert life.process.poll() is None, life.log.read_text()
        return life.tracked <= life.lane.collector.counts().keys()

    wait_until(lambda: f"all events came: {life.log.read_text()}", has_come, pause=0.01)
    life.quit()
    return life.complaints()


def survive_kills(lane):
    """Lets processes die on a directory; nothing is lost, and the log has nothing to complain of."""
    for _ in range(2):
        life = lane.live()
        kill_after_answer(life, 40)
        assert life.complaints() == []
    lane.finish()
    assert lane.tracked <= lane.collector.counts().keys()
    assert lane.collector.repeated()[1] == set()


MEMORY_ONLY = "events are kept in memory only, where a kill would lose them: "


def test_a_state_directory_that_is_missing_is_made(lane, tmp_path):
    lane.state = tmp_path / "not" / "there" / "yet"
    survive_kills(lane)
    assert lane.state.stat().st_mode & 0o777 == 0o700


def test_a_file_in_place_of_the_state_directory_costs_no_event(lane):
    lane.state.write_text("mine")
    assert any(MEMORY_ONLY in line for line in deliver(lane.live()))
    assert lane.state.read_text() == "mine"


@pytest.mark.parametrize("name", ["", "below"])
def test_a_state_directory_that_cannot_be_written_costs_no_event(lane, tmp_path, name):
    with small_disk(tmp_path / "disk", "16m", "ro") as disk:
        lane.state = disk.path / name
        said = deliver(lane.live())
    assert any(MEMORY_ONLY in line and "Read-only file system" in line for line in said), said


@pytest.mark.parametrize("size", [4 << 20, 64 << 10])
def test_a_limit_on_the_size_of_files_ends_no_process(lane, size):
    life = lane.live(prepare=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size)))
    sentence = f"{MEMORY_ONLY}cannot write {lane.state}/log-0.00000001: File too large"
    assert any(sentence in line for line in deliver(life))


# No quota binds root, so strace (https://strace.io) gives the system calls' answer.
@pytest.mark.skipif(not can_trace(), reason="no strace, or no process may be traced here")
@pytest.mark.parametrize("call", ["fallocate", "pwrite64"])
def test_a_quota_is_named_and_costs_no_event(lane, call):
    words = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", f"trace={call}", "-e", f"inject={call}:error=EDQUOT"]
    for _ in range(2):
        said = deliver(lane.live(under=words))
        assert any(MEMORY_ONLY in line and "Disk quota exceeded" in line for line in said), said
        # Where one file has no room there is none for others, so the second process makes no other.
        assert [path.name for path in lane.state.glob("log-*.lock")] == ["log-0.lock"]


def test_a_symbolic_link_in_place_of_a_file_is_not_followed(lane, tmp_path):
    lane.state.mkdir(0o700)
    target = tmp_path / "target"
    target.write_text("mine")
    (lane.state / "log-0.00000001").symlink_to(target)
    sentence = "log-0.00000001 could not be taken over: cannot open"
    assert any(sentence in line for line in deliver(lane.live()))
    assert target.read_text() == "mine"


def test_a_file_system_in_memory_keeps_what_a_kill_leaves(lane, tmp_path):
    with small_disk(tmp_path / "disk", "32m") as disk:
        lane.state = disk.path / "state"
        survive_kills(lane)


def test_a_disk_without_room_for_a_file_costs_no_event(lane, tmp_path):
    with small_disk(tmp_path / "disk", "4m") as disk:
        lane.state = disk.path / "state"
        said = deliver(lane.live())
    assert any(MEMORY_ONLY in line and "No space left on device" in line for line in said), said


@pytest.mark.parametrize("kind", ["ext4", "xfs", "btrfs", "tmpfs"])
def test_a_full_disk_of_each_kind_ends_no_process_and_loses_and_repeats_nothing(lane, tmp_path, kind):
    with disk_of(kind, tmp_path) as disk:
        lane.state = disk.path / "state"
        for _ in range(2):
            life = lane.live()
            life.track(500)
            life.answers(500)
            # What was written is on the disk, so that a file system that copies on write would need new blocks for the rest.
            os.sync()
            disk.fill()
            for _ in range(8):
                life.track(500)
                life.answers(500)
            if kind == "btrfs":
                # It copies on write, so that events wait in memory while it is full, and go to the disk when they have room.
                disk.empty()
                # It counts the room as free after that.
                os.sync()
                wait_until("events are on the disk again", life.is_committed, pause=0.1)
            # What is sent, and what waits, has its room.
            kill_after_answer(life, 40)
            disk.empty()
        lane.finish()
    assert lane.tracked <= lane.collector.counts().keys()
    assert lane.collector.repeated()[1] == set()
