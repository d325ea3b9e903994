"""Processes that share a cache, are killed while they write, and find odd things in their directories."""
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import time

import pytest
from driver import BINARY, PATIENCE, SCHEMA, can_trace, Driver
from source import Source

# Whatever does not follow the connection is of no interest here: no server listens on port 9.
COLLECTOR = "http://127.0.0.1:9"


def namespaces_of(version):
    return ["a", f"v{version % 4}"]


def text(version):
    bundles = [{"namespace": name, "networkConfiguration": {"endpoint": COLLECTOR}} for name in namespaces_of(version)]
    return json.dumps({"$schema": SCHEMA, "configurationVersion": version, "configurationBundle": bundles})


@pytest.fixture
def serve():
    sources = []

    def start(next_version):
        sources.append(Source(lambda: text(next_version())))
        return sources[-1]

    yield start
    for source in sources:
        source.close()


def run(url, cache, state, *options):
    return Driver("--config", url, "--cache-dir", cache, "--state-dir", state, *options)


def applied(driver):
    return [version for _, version in driver.updates()]


def cache_warnings(driver):
    return [w for line in driver.lines if line["type"] == "update" for w in line["warnings"] if w.startswith("cache")]


def start_offline(url, cache, state):
    """The version and the namespaces that a process starts with while nothing answers."""
    driver = run(url, cache, state, "--timeout", "5")
    assert driver.fetched()["outcome"] in ("failed", "held")
    update = next((line for line in driver.lines if line["type"] == "update"), None)
    namespaces = driver.do("namespaces")["namespaces"]
    driver.quit(timeout=0)
    return update, namespaces


@pytest.mark.parametrize("kills", [False, True])
def test_processes_that_share_a_cache_never_read_half_and_never_lower_it(serve, tmp_path, kills):
    seed = random.randrange(1 << 32)
    print("seed", seed)
    chance = random.Random(seed)
    newest = [5]

    def next_version():
        newest[0] += 1
        return chance.randint(max(1, newest[0] - 30), newest[0])

    source = serve(next_version)
    cache = tmp_path / "cache"
    # Each has a state directory of its own, so that no version is held for killing its processes.
    states = iter(range(10_000))
    drivers, floors = [], []

    def start():
        # A process that starts now has to start at least with what any has told to have applied.
        floors.append(max((version for driver in drivers for version in applied(driver)), default=0))
        drivers.append(run(source.url, cache, tmp_path / f"state-{next(states)}", "--poll", "0.1"))
        return drivers[-1]

    living = [start() for _ in range(4)]
    end = time.monotonic() + (8 if kills else 4)
    while time.monotonic() < end:
        for index, driver in enumerate(living):
            if kills and chance.random() < 0.2:
                driver.kill()
                living[index] = start()
            else:
                driver.send("refresh")
        time.sleep(0.03)
    for driver in living:
        driver.kill()
    source.close()
    versions = [applied(driver) for driver in drivers]
    print(len(drivers), "processes applied", sum(map(len, versions)), "documents")
    for driver, seen, floor in zip(drivers, versions, floors):
        assert not seen or seen[0] >= floor, (seen, floor)
        assert seen == sorted(set(seen)), seen
        assert cache_warnings(driver) == []
    highest = max(version for seen in versions for version in seen)
    update, namespaces = start_offline(source.url, cache, tmp_path / "state-last")
    assert update["state"] == "cached" and update["warnings"] == []
    # What was killed between its store and its line has reported nothing.
    assert highest <= update["version"] <= newest[0]
    assert namespaces == namespaces_of(update["version"])
    names = sorted(name.name.split(".", 1)[1] for name in cache.iterdir())
    assert set(names) <= {"cache", "cache.lock", "cache.previous", "cache.tmp", "cache.previous.tmp"}, names


# strace (https://strace.io) lets a process end at the n-th of a system call on a path.
CALLS = ["openat", "write", "fsync", "rename,renameat,renameat2", "unlink,unlinkat", "ftruncate,fallocate", "mmap",
         "flock", "link,linkat"]


@pytest.mark.skipif(not can_trace(), reason="no strace, or no process may be traced here")
def test_killed_at_any_write_it_starts_again_with_one_document_or_the_other(serve, tmp_path):
    version = [1]
    source = serve(lambda: version[0])
    template = tmp_path / "template"
    first = run(source.url, template / "cache", template / "state")
    assert first.fetched()["version"] == 1
    # Killed, so that the next one has something to write down of it.
    first.kill()
    key = next((template / "cache").glob("*.cache")).name.removesuffix(".cache")
    cache = [f"cache/{key}.cache{end}" for end in ("", ".previous", ".lock", ".tmp")] + ["cache"]
    state = [f"state/configuration-{key}.{end}" for end in ("json", "json.lock", "json.tmp", "watch-0", "watch-1")]
    fresh = [f"state/instance-id{end}" for end in ("", ".lock", ".tmp")] + state[3:4]
    version[0] = 2
    kills, names, began = 0, set(), time.monotonic()
    for paths, is_fresh in ((cache, False), (state, False), (fresh, True)):
        for calls in CALLS:
            for number in range(1, 40):
                place = tmp_path / "place"
                shutil.rmtree(place, ignore_errors=True)
                if is_fresh:
                    place.mkdir()
                else:
                    shutil.copytree(template, place)
                if not killed_at(calls, number, [place / path for path in paths], source.url, place):
                    break
                kills += 1
                check_after_a_kill(source.url, place, is_fresh, (calls, number))
                names |= {str(path.relative_to(place)) for path in place.rglob("*")}
            else:
                pytest.fail(f"{calls} has no end")
    print(f"{kills} kills in {time.monotonic() - began:.0f} s")
    assert kills >= 25
    # One half-written file at most, under one name, until the next write of its kind.
    known = {"cache", "state", *cache[:-1], *state, *fresh, "state/events-0.lock", "state/events-0.sqlite",
             "state/events-0.sqlite-wal", "state/events-0.sqlite-shm", "state/events-0.sqlite-journal"}
    assert names <= known, names - known


def killed_at(calls, number, paths, url, place):
    """Runs until version 2 is there; whether it was killed at that call before."""
    words = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", f"trace={calls}", "-e",
             f"inject={calls}:signal=SIGKILL:when={number}"]
    for path in paths:
        words += ["-P", str(path)]
    done = subprocess.run(
        words + [BINARY, "run", "--config", url, "--cache-dir", str(place / "cache"), "--state-dir",
                 str(place / "state")],
        input='{"do":"refresh"}\n{"do":"quit","timeout":0}\n', capture_output=True, text=True, timeout=PATIENCE)
    if done.returncode == 0:
        assert '"version":2' in done.stdout, done
        return False
    # strace ends as its process did.
    assert done.returncode in (-signal.SIGKILL, 128 + signal.SIGKILL), done
    return True


def check_after_a_kill(url, place, is_fresh, what):
    driver = run(url, place / "cache", place / "state")
    outcome = driver.fetched()
    lines = [line for line in driver.lines if line["type"] == "update"]
    assert all(not any("damaged" in w or "set aside" in w for w in line["warnings"]) for line in lines), (what, lines)
    if is_fresh:
        assert outcome["outcome"] in ("applied", "unchanged"), (what, outcome)
    else:
        # It starts with one of the two, whole, and has the second in the end.
        assert lines[0]["state"] == "cached" and lines[0]["version"] in (1, 2), (what, lines)
        assert lines[0]["namespaces"] == namespaces_of(lines[0]["version"]), (what, lines)
        assert outcome["outcome"] == ("applied" if lines[0]["version"] == 1 else "unchanged"), (what, outcome)
    driver.quit(timeout=0)
    left = [path.name for path in place.rglob("*.tmp")]
    assert len(left) <= 1, (what, left)


@pytest.mark.parametrize("oddity", ["pipe", "directory", "full directory", "endless device", "full device", "loop"])
def test_whatever_stands_in_a_files_place_it_starts_and_fetches(serve, tmp_path, oddity):
    version = [1]
    source = serve(lambda: version[0])
    template = tmp_path / "template"
    for number in (1, 2):
        version[0] = number
        driver = run(source.url, template / "cache", template / "state")
        assert driver.fetched()["outcome"] == "applied"
        driver.kill()
    version[0] = 3
    names = sorted(path.relative_to(template) for path in template.rglob("*") if path.is_file())
    assert len(names) >= 8, names
    for name in names:
        place = tmp_path / "place"
        shutil.rmtree(place, ignore_errors=True)
        shutil.copytree(template, place)
        path = place / name
        path.unlink()
        if oddity == "pipe":
            os.mkfifo(path)
        elif "directory" in oddity:
            (path / "x" if oddity.startswith("full") else path).mkdir(parents=True)
        else:
            path.symlink_to({"endless device": "/dev/zero", "full device": "/dev/full", "loop": path}[oddity])
        driver = run(source.url, place / "cache", place / "state")
        assert driver.fetched() == {"type": "outcome", "outcome": "applied", "version": 3}, (name, driver.log)
        driver.quit(timeout=0)


def test_a_damaged_cache_of_every_length_is_no_crash(serve, tmp_path):
    source = serve(lambda: 1)
    driver = run(source.url, tmp_path / "cache", tmp_path / "state")
    driver.fetched()
    driver.quit(timeout=0)
    source.close()
    current = next((tmp_path / "cache").glob("*.cache"))
    whole = current.read_bytes()
    for length in (0, 1, 40, len(whole) // 2, len(whole) - 1):
        current.write_bytes(whole[:length])
        update, namespaces = start_offline(source.url, tmp_path / "cache", tmp_path / "state")
        assert update is None and namespaces == []
    current.write_bytes(whole)
    update, namespaces = start_offline(source.url, tmp_path / "cache", tmp_path / "state")
    assert update["version"] == 1 and namespaces == namespaces_of(1)


def test_watch_files_that_are_emptied_end_no_process(serve, tmp_path):
    version = [1]
    source = serve(lambda: version[0])
    driver = run(source.url, tmp_path / "cache", tmp_path / "state")
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
    driver = run(source.url, tmp_path / "cache", tmp_path / "state")
    assert driver.fetched()["outcome"] == "unchanged"
    driver.quit(timeout=0)
