"""Databases of unsent events that are damaged: what SQLite's own `.recover` finds is sent, and nothing more."""
import gzip
import os
import random
import shutil
import sqlite3
import subprocess
import time

import pytest

from driver import SHARED, Driver

PAGE = 16384
EVIDENCE = SHARED / "evidence" / "cyclic-events.sqlite.gz"


def bundle(micro):
    return {"namespace": "a", "networkConfiguration": {"endpoint": micro.url}}


def driver(micro, home):
    return Driver("--config", micro.config, "--cache-dir", home / "cache", "--state-dir", home / "state")


@pytest.fixture
def left(micro, tmp_path):
    """A state directory with 300 events that a service left, some of them in the log only; and their ids."""
    micro.publish(1, [bundle(micro)])
    home = tmp_path / "left"
    service = driver(micro, home)
    service.fetched()
    service.do("pause")
    ids = [service.do("track", event={"category": "recovery", "action": str(number), "label": "x" * (number * 7 % 900)},
                      committed=number % 100 == 99) for number in range(300)]
    service.kill()
    return home, ids


def recovered(database, scratch):
    """The ids of the events that SQLite finds; each row is of a sound page or of one that was damaged."""
    scratch.mkdir()
    for path in database.parent.glob(database.name + "*"):
        shutil.copy(path, scratch / path.name.replace(database.name, "db"))
    script = f"sqlite3 {scratch}/db .recover | sqlite3 {scratch}/found"
    subprocess.run(["sh", "-c", script], stderr=subprocess.DEVNULL, timeout=60)
    ids = {}
    with sqlite3.connect(scratch / "found") as found:
        for query in ("SELECT id, time, anonymous, payload, checksum FROM events",
                      "SELECT id, c1, c2, c3, c4 FROM lost_and_found WHERE nfield = 5"):
            try:
                rows = list(found.execute(query))
            except sqlite3.Error:
                continue
            for number, at, anonymous, payload, checksum in rows:
                if isinstance(payload, bytes) and checksum == seal(number, at, anonymous, payload):
                    ids[number] = payload
    return ids


def seal(number, at, anonymous, payload):
    """The checksum of a row, as the SDK writes it."""
    mask, factor = (1 << 64) - 1, 0x9E3779B97F4A7C15

    def mix(lane, word):
        product = (lane ^ word) * factor & mask
        return product ^ product >> 32

    lanes = [number & mask, at & mask, factor if anonymous else 1, len(payload)]
    offset = 0
    while offset + 32 <= len(payload):
        for lane in range(4):
            lanes[lane] = mix(lanes[lane], int.from_bytes(payload[offset + 8 * lane:offset + 8 * lane + 8], "little"))
        offset += 32
    while offset + 8 <= len(payload):
        lanes[0] = mix(lanes[0], int.from_bytes(payload[offset:offset + 8], "little"))
        offset += 8
    for byte in payload[offset:]:
        lanes[0] = mix(lanes[0], byte)
    value = factor
    for lane in lanes:
        value = mix(value, lane)
    return value - (1 << 64) if value >> 63 else value


def damage(path, dice):
    """Damages a database in one of the ways of a disk or of a careless hand."""
    data = bytearray(path.read_bytes())
    pages = len(data) // PAGE
    kind = dice.choice(["bytes", "pages", "swapped", "truncated", "header", "children"])
    if kind == "bytes":
        for _ in range(dice.randint(1, 20)):
            start = dice.randrange(len(data))
            noise = dice.randbytes(dice.randint(1, 40))[:len(data) - start]
            data[start:start + len(noise)] = noise
    elif kind == "pages":
        for _ in range(dice.randint(1, 3)):
            start = dice.randrange(pages) * PAGE
            data[start:start + PAGE] = dice.randbytes(PAGE)
    elif kind == "swapped":
        one, other = (dice.randrange(pages) * PAGE for _ in range(2))
        data[one:one + PAGE], data[other:other + PAGE] = data[other:other + PAGE], data[one:one + PAGE]
    elif kind == "truncated":
        del data[dice.randrange(len(data) // 2, len(data)):]
    elif kind == "header":
        data[dice.randrange(100)] ^= dice.randint(1, 255)
    else:
        for start in range(0, len(data), PAGE):
            if data[start] == 5:
                data[start + 8:start + 12] = dice.randint(1, pages).to_bytes(4, "big")
    path.write_bytes(data)
    return kind


@pytest.mark.skipif(shutil.which("sqlite3") is None, reason="SQLite's command is not installed")
@pytest.mark.parametrize("seed", range(12))
def test_what_sqlite_recovers_of_a_damaged_store_is_sent_once_and_nothing_more(micro, left, tmp_path, seed):
    home, ids = left
    dice = random.Random(seed)
    database = home / "state" / "events-0.sqlite"
    if seed % 2:
        # A database without a log, as after an orderly end.
        with sqlite3.connect(database) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.close()
    # Without the staging file the database is all that there is.
    (home / "state" / "events-0.staging").unlink()
    kind = damage(database, dice)
    expected = {payload for payload in recovered(database, tmp_path / "scratch").values()}
    service = driver(micro, home)
    service.fetched()
    # The salvage may come after the first flush.
    end = time.monotonic() + 20
    while True:
        service.do("flush", timeout=10)
        sent = [row["event"]["eid"] for row in micro.good()]
        missing = [payload for payload in expected if not any(eid.encode() in payload for eid in sent)]
        if not missing or time.monotonic() > end:
            break
    service.quit()
    assert micro.bad() == []
    assert missing == [], (kind, len(missing))
    assert len(sent) == len(set(sent)), kind
    assert set(sent) <= set(ids), kind


@pytest.mark.skipif(not EVIDENCE.exists(), reason="the database is not here")
def test_a_salvage_of_pages_that_form_a_circle_ends_and_writes_no_more_than_they_have(micro, tmp_path):
    micro.publish(1, [bundle(micro)])
    state = tmp_path / "home" / "state"
    state.mkdir(parents=True)
    damaged = state / "events-0.sqlite.damaged-1-2"
    damaged.write_bytes(gzip.decompress(EVIDENCE.read_bytes()))
    size = damaged.stat().st_size
    service = Driver("--config", micro.config, "--cache-dir", tmp_path / "cache", "--state-dir", state,
                     # A file of more than 128 MiB ends in an error and not in a full disk.
                     prefix=("sh", "-c", 'ulimit -f 262144; exec "$@"', "sh"))
    service.fetched()
    end = time.monotonic() + 20
    while damaged.exists() and time.monotonic() < end:
        time.sleep(0.2)
    assert not damaged.exists()
    total = sum(os.stat(state / name).st_size for name in os.listdir(state))
    assert total < 4 * size + (16 << 20)
    service.quit()
