"""Two minutes of a service's bad days: four namespaces, a collector that fails by a script, SIGKILL and restarts.

A second service has the same state directory and a namespace of its own. Now and then the disk is full for a moment, or one event
is damaged between two processes; the disk is a small tmpfs if this user may mount one. At the end every event that was
committed, and not damaged on purpose, must have arrived, or be a dead letter that the collector refused twice with 413 while it
took others. What was sent twice, and these letters, are printed and bounded.

    soak.py [--seconds 120] [--kills N] [--seed N]
"""
import argparse
import atexit
import collections
import fcntl
import json
import pathlib
import random
import struct
import subprocess
import tempfile
import time

from documents import bundle
from driver import TOOL, Driver, Micro, document, run

NAMESPACES = ["checkout", "search", "payments", "../../etc"]
RANGE = 50
FAULTS = [
    {"status": "503", "count": 3}, {"status": "drop", "count": 2}, {"status": "429", "count": 2},
    {"status": "500", "count": 1, "delay": 0.3}, {"status": "ok", "count": 5, "delay": 0.1}, {"status": "302", "count": 1},
    {"status": "413", "count": 2},
]


def publish(micro, version):
    micro.publish(version, [bundle(
        micro.url, namespace, {"method": "get" if number == 2 else "post"},
        tracker={"appId": f"v{version}", "sessionContext": number == 0},
        emitter={"emitRange": RANGE, "threadPoolSize": 1 + number % 2}) for number, namespace in enumerate(NAMESPACES)])


class Disk:
    """A small disk of its own, or a directory where this user may not mount."""

    def __init__(self, path):
        self.path = path
        path.mkdir()
        self.is_mounted = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=64m", "none", path], capture_output=True).returncode == 0

    def fill(self):
        if self.is_mounted:
            with open(self.path / "filler", "wb", buffering=0) as file:
                try:
                    while True:
                        file.write(bytes(1 << 16))
                except OSError:
                    pass

    def empty(self):
        (self.path / "filler").unlink(missing_ok=True)

    def close(self):
        if self.is_mounted:
            subprocess.run(["umount", "--lazy", self.path])


class Neighbour:
    """Another service's process on the same directory, with a namespace of its own."""

    def __init__(self, micro, arguments):
        (micro.directory / "neighbour.json").write_text(json.dumps(document(1, [bundle(micro.url, "neighbour")])))
        self.arguments = ["--config", micro.config.replace("trackers", "neighbour"), *arguments]
        self.committed, self.number, self.driver, self.pending = set(), 0, None, set()

    def live(self, chance):
        """Lives on, dies, or comes back."""
        if self.driver is None:
            self.driver, self.pending = Driver(*self.arguments), set()
            self.driver.fetched()
        elif chance.random() < 0.5:
            self.driver.kill()
            collect(self.driver, self.pending, self.committed)
            self.driver = None
            return
        collect(self.driver, self.pending, self.committed)
        for _ in range(5):
            event = {"category": "neighbour", "action": str(self.number)}
            self.pending.add(self.driver.send("track", event=event, committed=True))
            self.number += 1

    def end(self):
        if self.driver is not None:
            self.driver.kill()
            collect(self.driver, self.pending, self.committed)
        last = Driver(*self.arguments)
        last.fetched()
        last.flush()
        last.quit()


def waiting(path):
    """The events that wait in a file of the log: where each payload is, and the payload."""
    data = path.read_bytes()
    size, count = struct.unpack_from("<QQ", data, 8)
    for segment in range(count):
        start = 4096 + segment * size
        generation, _, end = struct.unpack_from("<QQL", data, start)
        offset = 64
        while offset < end:
            mark, _, body = struct.unpack_from("<8xQQ4xL", data, start + offset)
            done = ((generation << 24) + offset) * 0x9E3779B97F4A7C15 % 2**64 | 0xFF000000000000FF
            place = start + offset + 32
            if mark != done:
                yield place, data[place:place + body]
            offset += (32 + body + 7) // 8 * 8


def damage(state, chance):
    """Changes one byte of one event of a process that is dead.

    Returns the event's id; None if there is no such event."""
    for lock in state.glob("log-*.lock"):
        with lock.open("r+b") as held:
            try:
                fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                # A living process has it.
                continue
            found = [(path, *event) for path in state.glob(lock.stem + ".0*") for event in waiting(path)]
            if not found:
                continue
            path, place, payload = chance.choice(found)
            with path.open("r+b") as file:
                index = chance.randrange(len(payload))
                file.seek(place + index)
                file.write(bytes([payload[index] ^ 1 << chance.randrange(8)]))
            return json.loads(payload)["eid"]
    return None


def collect(driver, pending, committed):
    """Takes the answers that have come; of what was to be committed, an id says that it is."""
    while not driver.answers.empty():
        answer = driver.answers.get()
        if answer["id"] in pending and answer["ok"] and answer["value"]:
            committed.add(answer["value"])


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--seconds", type=float, default=120)
    options.add_argument("--kills", type=int, default=0, help="end after so many kills, whatever the time")
    options.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    options = options.parse_args()
    print(f"seed {options.seed}", flush=True)
    chance = random.Random(options.seed)
    committed, damaged, kills, tracked, refusals, version = set(), set(), 0, 0, 0, 1
    with tempfile.TemporaryDirectory() as directory:
        root = pathlib.Path(directory)
        (root / "files").mkdir()
        micro = Micro(root / "files")
        publish(micro, version)
        disk = Disk(root / "disk")
        atexit.register(disk.close)
        state = disk.path / "state"
        shared = ["--state-dir", state, "--dead-letters", 1 << 20]
        arguments = ["--config", micro.config, "--cache-dir", root / "cache", *shared]
        neighbour = Neighbour(micro, ["--cache-dir", root / "neighbour", *shared])
        faults = collections.Counter()
        end = time.monotonic() + options.seconds
        # On a slow machine it goes on until there is something to judge.
        while kills < options.kills if options.kills else time.monotonic() < end or kills < 4 or len(committed) < 501:
            driver = Driver(*arguments)
            driver.fetched()
            neighbour.live(chance)
            pending = set()
            life = time.monotonic() + (chance.uniform(0.2, 2) if options.kills else chance.uniform(2, 8))
            while time.monotonic() < (life if options.kills or time.monotonic() > end else min(life, end)):
                for _ in range(chance.randint(1, 12)):
                    event = {"category": "soak", "action": str(tracked), "property": "x" * chance.randint(0, 500)}
                    is_committed = chance.random() < 0.7
                    number = driver.send(
                        "track", namespace=chance.choice(NAMESPACES), event=event, committed=is_committed)
                    if is_committed:
                        pending.add(number)
                    tracked += 1
                if chance.random() < 0.05:
                    fault = chance.choice(FAULTS)
                    refusals += fault["count"] if fault["status"] == "413" else 0
                    micro.fault(**fault, path=chance.choice(["/com.", "/i"]))
                if chance.random() < 0.02:
                    version += 1
                    publish(micro, version)
                    driver.send("refresh")
                if chance.random() < 0.02:
                    disk.fill()
                    faults["full disk"] += 1
                    driver.send("track", namespace=NAMESPACES[0], event={"category": "soak", "action": "full"})
                    time.sleep(chance.uniform(0, 0.05))
                    disk.empty()
                collect(driver, pending, committed)
                time.sleep(chance.uniform(0, 0.1))
            collect(driver, pending, committed)
            driver.kill()
            # What was answered before the kill and not read yet was taken too.
            collect(driver, pending, committed)
            kills += 1
            if chance.random() < 0.2 and (victim := damage(state, chance)):
                damaged.add(victim)
                faults["damaged event"] += 1
        last = Driver(*arguments)
        last.fetched()
        for namespace in NAMESPACES:
            last.flush(namespace=namespace)
        print("quit:", last.quit())
        neighbour.end()
        # What a living process had no time to take over yet is on the disk.
        left = {json.loads(payload)["eid"] for path in state.glob("log-*.0*") for _, payload in waiting(path)}
        status, letters, errors = run(TOOL, "events", "export", "--reason", "oversized", "--state-dir", state)
        assert status == 0, errors
        refused = {json.loads(letter)["eid"] for letter in letters.splitlines()}
        disk.close()
        atexit.unregister(disk.close)
        committed |= neighbour.committed
        received = collections.Counter(row["event"]["eid"] for row in micro.good())
        bad = micro.bad()
        micro.close()
    twice = sum(count - 1 for count in received.values())
    # At each kill every namespace may have threadPoolSize requests on their way: one event by GET, RANGE by POST.
    bound = kills * (RANGE + 2 * RANGE + 1 + 2 * RANGE)
    lost = committed - set(received) - damaged - refused
    print(f"{len(left)} left in the directory, {len(lost & left)} of them committed")
    print(", ".join(f"{count} x {fault}" for fault, count in sorted(faults.items())) or "no faults of the disk")
    print(f"{kills} kills, {tracked} tracked, {len(committed)} committed, {len(received)} received, "
          f"{twice} sent twice (bound {bound}), {len(refused)} refused twice, {len(lost)} lost, {len(bad)} bad")
    assert not bad, bad[:3]
    assert kills > 3 and len(committed) > 500
    assert twice <= bound
    assert 2 * len(refused) <= refusals
    return lost


if __name__ == "__main__":
    import sys
    LOST = main()
    sys.exit(f"lost: {sorted(LOST)[:10]}" if LOST else 0)
