"""What keeps a wrong document from breaking a fleet, as a script outside sees it."""
import signal
import time

import pytest
from driver import PATIENCE, Micro


def bundle(micro, namespace="a", **more):
    return {"namespace": namespace, "networkConfiguration": {"endpoint": micro.url},
            "emitterConfiguration": {"bufferOption": "Single"}, **more}


@pytest.fixture
def other(tmp_path):
    """A second collector."""
    files = tmp_path / "other"
    files.mkdir()
    micro = Micro(files)
    yield micro
    micro.close()


def start(micro, drive):
    driver = drive("--config", micro.config)
    driver.fetched()
    return driver


def wait_for_update(driver, state):
    for _ in range(600):
        update = next((line for line in driver.lines if line["type"] == "update" and line["state"] == state), None)
        if update:
            return update
        time.sleep(0.05)
    raise AssertionError(driver.lines)


def test_a_version_whose_processes_are_killed_is_held_until_a_higher_one_comes(micro, drive):
    micro.publish(1, [bundle(micro, "good")])
    start(micro, drive).quit()
    micro.publish(2, [bundle(micro, "bad")])
    for _ in range(3):
        start(micro, drive).kill()
    driver = drive("--config", micro.config)
    outcome = driver.fetched()
    assert (outcome["outcome"], outcome["version"]) == ("held", 2)
    assert outcome["reason"].startswith("3 processes in a row vanished within 30")
    assert driver.updates() == [("cached", 1)]
    assert "version 2: held" in driver.lines[0]["warnings"][0]
    # 304, and held all the same.
    assert driver.do("refresh")["outcome"] == "held"
    micro.publish(3, [bundle(micro, "better")])
    assert driver.do("refresh") == {"outcome": "applied", "version": 3}
    driver.quit()


@pytest.mark.parametrize("end", ["quit", "input", signal.SIGTERM, signal.SIGINT])
def test_processes_that_end_in_order_never_count(micro, drive, end):
    micro.publish(1, [bundle(micro, "good")])
    start(micro, drive).quit()
    micro.publish(2, [bundle(micro, "bad")])
    for _ in range(4):
        driver = start(micro, drive)
        if end == "quit":
            driver.quit()
        elif end == "input":
            driver.process.stdin.close()
        else:
            driver.process.send_signal(end)
        assert driver.process.wait(timeout=PATIENCE) == 0
    driver = start(micro, drive)
    assert driver.updates() == [("cached", 2)]
    driver.quit()


def test_a_canary_that_fares_worse_goes_back_and_remembers_it(micro, other, drive):
    micro.publish(1, [bundle(micro)])
    driver = start(micro, drive)
    for number in range(25):
        driver.do("track", event={"category": "a", "action": str(number)})
        driver.do("flush", timeout=10)
    rollout = {"percent": 100, "bakeSeconds": 60, "maxFailureRate": 0.2}
    other.fault(status=400, count=1000)
    micro.publish(2, [bundle(other)], rollout=rollout)
    assert driver.do("refresh")["outcome"] == "applied"
    for number in range(25):
        driver.do("track", event={"category": "a", "action": str(number)})
        driver.do("flush", timeout=10)
    update = wait_for_update(driver, "reverted")
    assert (update["version"], update["namespaces"]) == (1, ["a"])
    assert "requests (0 % before)" in update["warnings"][0]
    assert driver.do("explain", field="network.endpoint") == {"value": micro.url, "source": "remote", "version": 1}
    assert driver.do("refresh")["outcome"] == "held"
    driver.quit()
    second = start(micro, drive)
    assert second.updates() == [("cached", 1)]
    micro.publish(3, [bundle(other)])
    outcome = second.do("refresh")
    assert outcome["outcome"] == "held" and "its content, as version 2, was reverted" in outcome["reason"]
    micro.publish(4, [bundle(other, "a", trackerConfiguration={"appId": "mended"})])
    assert second.do("refresh")["outcome"] == "applied"
    second.quit()


def test_a_collector_that_is_down_for_everyone_reverts_nobody(micro, other, drive):
    micro.publish(1, [bundle(other)])
    other.fault(status=400, count=1000)
    driver = start(micro, drive)
    for version in (1, 2):
        if version == 2:
            micro.publish(2, [bundle(other, trackerConfiguration={"appId": "x"})],
                          rollout={"percent": 100, "bakeSeconds": 1})
            assert driver.do("refresh")["outcome"] == "applied"
        for number in range(30):
            driver.do("track", event={"category": "a", "action": str(number)})
            driver.do("flush", timeout=10)
    # The bake time is one of the service's clock, which a test outside cannot move.
    deadline = time.monotonic() + PATIENCE
    while driver.do("setupStatus")["rollout"]["state"] == "baking":
        assert time.monotonic() < deadline
        time.sleep(0.05)
    assert driver.do("setupStatus")["rollout"]["state"] == "passed"
    assert driver.updates() == [("fetched", 1), ("fetched", 2)]
    driver.quit()


def test_all_processes_of_an_instance_agree_whether_they_are_in_a_canary(micro, drive):
    micro.publish(1, [bundle(micro)])
    drivers = [start(micro, drive) for _ in range(3)]
    seen = set()
    for version, percent in ((2, 50), (3, 0), (4, 100)):
        micro.publish(version, [bundle(micro, trackerConfiguration={"appId": str(version)})],
                      rollout={"percent": percent, "bakeSeconds": 0})
        outcomes = {driver.do("refresh")["outcome"] for driver in drivers}
        assert len(outcomes) == 1, (percent, outcomes)
        seen |= outcomes
        if percent != 50:
            assert outcomes == {"applied" if percent else "held"}
    assert seen == {"applied", "held"}
    for driver in drivers:
        driver.quit()
