"""Two minutes of a service's bad days: four namespaces, a collector that fails by a script, SIGKILL and restarts.

At the end every event that was committed must have arrived, and what was sent twice is printed and bounded.

    soak.py [--seconds 120] [--seed N]
"""
import argparse
import collections
import pathlib
import random
import tempfile
import time

from driver import Driver, Micro

NAMESPACES = ["checkout", "search", "payments", "../../etc"]
RANGE = 50
FAULTS = [
    {"status": "503", "count": 3}, {"status": "drop", "count": 2}, {"status": "429", "count": 2},
    {"status": "500", "count": 1, "delay": 0.3}, {"status": "ok", "count": 5, "delay": 0.1}, {"status": "302", "count": 1},
]


def publish(micro, version):
    micro.publish(version, [{
        "namespace": namespace,
        "networkConfiguration": {"endpoint": micro.url, "method": "get" if number == 2 else "post"},
        "trackerConfiguration": {"appId": f"v{version}", "sessionContext": number == 0},
        "emitterConfiguration": {"emitRange": RANGE, "threadPoolSize": 1 + number % 2},
    } for number, namespace in enumerate(NAMESPACES)])


def collect(driver, pending, committed):
    """Takes the answers that have come; of what was to be committed, an id says that it is."""
    while not driver.answers.empty():
        answer = driver.answers.get()
        if answer["id"] in pending and answer["ok"] and answer["value"]:
            committed.add(answer["value"])


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--seconds", type=float, default=120)
    options.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    options = options.parse_args()
    print(f"seed {options.seed}", flush=True)
    chance = random.Random(options.seed)
    committed, kills, tracked, version = set(), 0, 0, 1
    with tempfile.TemporaryDirectory() as directory:
        root = pathlib.Path(directory)
        (root / "files").mkdir()
        micro = Micro(root / "files")
        publish(micro, version)
        arguments = ["--config", micro.config, "--cache-dir", root / "cache", "--state-dir", root / "state"]
        end = time.monotonic() + options.seconds
        while time.monotonic() < end:
            driver = Driver(*arguments)
            driver.fetched()
            pending = set()
            life = time.monotonic() + chance.uniform(2, 8)
            while time.monotonic() < min(life, end):
                for _ in range(chance.randint(1, 12)):
                    event = {"category": "soak", "action": str(tracked), "property": "x" * chance.randint(0, 500)}
                    is_committed = chance.random() < 0.7
                    number = driver.send(
                        "track", namespace=chance.choice(NAMESPACES), event=event, committed=is_committed)
                    if is_committed:
                        pending.add(number)
                    tracked += 1
                if chance.random() < 0.05:
                    micro.fault(**chance.choice(FAULTS), path=chance.choice(["/com.", "/i"]))
                if chance.random() < 0.02:
                    version += 1
                    publish(micro, version)
                    driver.send("refresh")
                collect(driver, pending, committed)
                time.sleep(chance.uniform(0, 0.1))
            collect(driver, pending, committed)
            driver.kill()
            # What was answered before the kill and not read yet was taken too.
            collect(driver, pending, committed)
            kills += 1
        last = Driver(*arguments)
        last.fetched()
        for namespace in NAMESPACES:
            assert last.do("flush", namespace=namespace, timeout=120)["stored"] == 0
        print("quit:", last.quit())
        received = collections.Counter(row["event"]["eid"] for row in micro.good())
        bad = micro.bad()
        micro.close()
    twice = sum(count - 1 for count in received.values())
    # At each kill every namespace may have threadPoolSize requests on their way: one event by GET, RANGE by POST.
    bound = kills * (RANGE + 2 * RANGE + 1 + 2 * RANGE)
    lost = committed - set(received)
    print(f"{kills} kills, {tracked} tracked, {len(committed)} committed, {len(received)} received, "
          f"{twice} sent twice (bound {bound}), {len(lost)} lost, {len(bad)} bad")
    assert not bad, bad[:3]
    assert kills > 3 and len(committed) > 500
    assert twice <= bound
    return lost


if __name__ == "__main__":
    import sys
    LOST = main()
    sys.exit(f"lost: {sorted(LOST)[:10]}" if LOST else 0)
