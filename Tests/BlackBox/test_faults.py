"""Processes that share a cache, are killed while they write, and find odd things in their directories."""
import concurrent.futures
import json
import os
import random
import shutil
import signal
import time

import pytest
from documents import NOWHERE, bundle
from driver import BINARY, PATIENCE, can_trace, document, run, wait_until
from source import Source


def namespaces_of(version):
    return ["a", f"v{version % 4}"]


def text(version):
    # Whatever does not follow the connection is of no interest here.
    return json.dumps(document(version, [bundle(NOWHERE, name) for name in namespaces_of(version)]))


@pytest.fixture
def serve():
    sources = []

    def start(next_version):
        sources.append(Source(lambda: text(next_version())))
        return sources[-1]

    yield start
    for source in sources:
        source.close()


@pytest.fixture
def live(drive):
    return lambda url, home, *options, **more: drive("--config", url, *options, home=home, **more)


def applied(driver):
    return [version for _, version in driver.updates()]


# A process waits 2 s for the others; on a disk that is busy, their syncs may take longer. It says so, and goes on.
BUSY = "cache: the document was applied but not cached: cannot lock"


def cached(driver):
    return [
        line["version"] for line in driver.lines
        if line["type"] == "update" and not any(warning.startswith(BUSY) for warning in line["warnings"])]


def test_killed_processes_that_share_a_cache_never_read_half_and_never_lower_it(serve, live, tmp_path):
    seed = random.randrange(1 << 32)
    print("seed", seed)
    chance = random.Random(seed)
    newest = [5]

    def next_version():
        newest[0] += 1
        return chance.randint(max(1, newest[0] - 30), newest[0])

    source = serve(next_version)
    drivers, floors = [], []

    def start():
        # A process that starts now has to start at least with what any has told to have applied and cached.
        floors.append(max((version for driver in drivers for version in cached(driver)), default=0))
        # Each has a state directory of its own, so that no version is held for killing its processes.
        drivers.append(live(source.url, tmp_path, "--poll", "0.1", state=f"state-{len(drivers)}"))
        return drivers[-1]

    living = [start() for _ in range(4)]
    for _ in range(24):
        number = chance.randrange(len(living))
        wait_until("the process has applied a document", lambda: applied(living[number]))
        for driver in living:
            driver.send("refresh")
        # At any moment of what they do then.
        time.sleep(chance.uniform(0, 0.03))
        living[number].kill()
        living[number] = start()
    for driver in living:
        driver.kill()
    source.close()
    versions = [applied(driver) for driver in drivers]
    print(len(drivers), "processes applied", sum(map(len, versions)), "documents")
    for driver, seen, floor in zip(drivers, versions, floors):
        assert not seen or seen[0] >= floor, (seen, floor)
        assert seen == sorted(set(seen)), seen
        assert not [warning for warning in driver.warnings() if warning.startswith("cache") and not warning.startswith(BUSY)]
    highest = max(version for driver in drivers for version in cached(driver))
    # Nothing answers any more.
    last = live(source.url, tmp_path, state="state-last")
    assert last.fetched()["outcome"] in ("failed", "held")
    update = next(line for line in last.lines if line["type"] == "update")
    assert update["state"] == "cached" and update["warnings"] == []
    # What was killed between its store and its line has reported nothing.
    assert highest <= update["version"] <= newest[0]
    assert last.do("namespaces")["namespaces"] == namespaces_of(update["version"])
    last.quit(timeout=0)
    names = sorted(name.name.split(".", 1)[1] for name in (tmp_path / "cache").iterdir())
    assert set(names) <= {"cache", "cache.lock", "cache.previous", "cache.tmp", "cache.previous.tmp"}, names


# strace (https://strace.io) lets a process end at the n-th of a system call on a path. These are the calls that change a file.
CALLS = ["openat", "write", "fsync", "rename,renameat,renameat2", "unlink,unlinkat", "ftruncate,fallocate", "link,linkat"]


@pytest.mark.skipif(not can_trace(), reason="no strace, or no process may be traced here")
def test_killed_at_any_write_it_starts_again_with_one_document_or_the_other(serve, live, tmp_path):
    version = [1]
    source = serve(lambda: version[0])
    template = tmp_path / "template"
    first = live(source.url, template)
    assert first.fetched()["version"] == 1
    # Killed, so that the next one has something to write down of it.
    first.kill()
    key = next((template / "cache").glob("*.cache")).name.removesuffix(".cache")
    cache = [f"cache/{key}.cache{end}" for end in ("", ".previous", ".lock", ".tmp")] + ["cache"]
    record = "versions.json"
    state = [f"state/configuration-{key}.{end}" for end in (record, f"{record}.lock", f"{record}.tmp", "watch-0", "watch-1")]
    fresh = [f"state/instance-id{end}" for end in ("", ".lock", ".tmp")] + state[3:4]
    version[0] = 2

    def kill_at_each(what):
        """How often it was killed, and which files there were then."""
        lane, paths, is_fresh, calls = what
        names = set()
        for number in range(1, 40):
            place = tmp_path / f"place-{lane}"
            shutil.rmtree(place, ignore_errors=True)
            if is_fresh:
                place.mkdir()
            else:
                shutil.copytree(template, place)
            if not killed_at(calls, number, [place / path for path in paths], source.url, place):
                return number - 1, names
            check_after_a_kill(live(source.url, place), place, is_fresh, (calls, number))
            names |= {str(path.relative_to(place)) for path in place.rglob("*")}
        pytest.fail(f"{calls} has no end")

    sets = [(paths, is_fresh, calls) for paths, is_fresh in ((cache, False), (state, False), (fresh, True)) for calls in CALLS]
    # Beside each other, because most of the time each waits for a process to start.
    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        found = list(pool.map(kill_at_each, [(lane, *each) for lane, each in enumerate(sets)]))
    kills, names = sum(count for count, _ in found), set().union(*(names for _, names in found))
    print(f"{kills} kills")
    assert kills >= 15
    # One half-written file at most, under one name, until the next write of its kind.
    # What a killed process has of the log is taken over by one that lives long enough.
    names = {name for name in names if not name.startswith("state/log-")}
    known = {"cache", "state", *cache[:-1], *state, *fresh}
    assert names <= known, names - known


def killed_at(calls, number, paths, url, place):
    """Runs until version 2 is there; whether it was killed at that call before."""
    words = ["-f", "-qq", "-o", "/dev/null", "-e", f"trace={calls}", "-e", f"inject={calls}:signal=SIGKILL:when={number}"]
    for path in paths:
        words += ["-P", path]
    status, output, errors = run(
        "strace", *words, BINARY, "run", "--config", url, "--cache-dir", place / "cache", "--state-dir", place / "state",
        stdin='{"do":"refresh"}\n{"do":"quit","timeout":0}\n')
    if status == 0:
        assert '"version":2' in output, (output, errors)
        return False
    # strace ends as its process did.
    assert status in (-signal.SIGKILL, 128 + signal.SIGKILL), (status, output, errors)
    return True


def check_after_a_kill(driver, place, is_fresh, what):
    outcome = driver.fetched()
    assert not [warning for warning in driver.warnings() if "damaged" in warning or "set aside" in warning], what
    if is_fresh:
        assert outcome["outcome"] in ("applied", "unchanged"), (what, outcome)
    else:
        # It starts with one of the two, whole, and has the second in the end.
        update = next(line for line in driver.lines if line["type"] == "update")
        assert update["state"] == "cached" and update["version"] in (1, 2), (what, update)
        assert update["namespaces"] == namespaces_of(update["version"]), (what, update)
        assert outcome["outcome"] == ("applied" if update["version"] == 1 else "unchanged"), (what, outcome)
    driver.quit(timeout=0)
    left = [path.name for path in place.rglob("*.tmp")]
    assert len(left) <= 1, (what, left)


def stand_in(path, oddity):
    """Puts something odd in the place of a file."""
    path.unlink()
    if oddity == "pipe":
        os.mkfifo(path)
    elif "directory" in oddity:
        (path / "x" if oddity.startswith("full") else path).mkdir(parents=True)
    else:
        path.symlink_to({"endless device": "/dev/zero", "full device": "/dev/full", "loop": path}[oddity])


def test_whatever_stands_in_a_files_place_it_starts_and_fetches(serve, live, tmp_path):
    version = [1]
    source = serve(lambda: version[0])
    template = tmp_path / "template"
    for number in (1, 2):
        version[0] = number
        driver = live(source.url, template)
        assert driver.fetched()["outcome"] == "applied"
        driver.kill()
    version[0] = 3
    names = sorted(path.relative_to(template) for path in template.rglob("*") if path.is_file())
    assert len(names) >= 8, names
    # What could hang or break off, for each file; what is left, for all files at once.
    cases = [(oddity, [name]) for oddity in ("pipe", "full directory") for name in names]
    cases += [(oddity, names) for oddity in ("directory", "endless device", "full device", "loop")]

    def check(case):
        number, (oddity, replaced) = case
        place = tmp_path / f"place-{number}"
        shutil.copytree(template, place)
        for name in replaced:
            stand_in(place / name, oddity)
        driver = live(source.url, place)
        assert driver.fetched() == {"type": "outcome", "outcome": "applied", "version": 3}, (oddity, replaced, driver.log)
        driver.quit(timeout=0)

    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        list(pool.map(check, enumerate(cases)))


def test_watch_files_that_are_emptied_end_no_process(serve, live, tmp_path):
    version = [1]
    source = serve(lambda: version[0])
    driver = live(source.url, tmp_path)
    assert driver.fetched()["outcome"] == "applied"
    files = list((tmp_path / "state").glob("configuration-*.watch-*"))
    assert files
    for path in files:
        os.truncate(path, 0)
    version[0] = 2
    assert driver.do("refresh")["outcome"] == "applied"
    for path in files:
        os.truncate(path, 0)
    driver.process.terminate()
    assert driver.process.wait(timeout=PATIENCE) == 0
    driver.close()
    driver = live(source.url, tmp_path)
    assert driver.fetched()["outcome"] == "unchanged"
    driver.quit(timeout=0)
