"""What keeps a wrong document from breaking a fleet, as a script outside sees it."""
import signal

from documents import NOWHERE, applied, bundle, start
from driver import PATIENCE


def publish(file, version, **more):
    file.publish(version, [bundle(NOWHERE, f"v{version}")], **more)


def test_a_version_whose_processes_are_killed_is_held_back_and_a_higher_one_is_applied(drive, file):
    publish(file, 1)
    start(drive, file.url).quit()
    publish(file, 2)
    for _ in range(3):
        start(drive, file.url).kill()
    driver = drive("--config", file.url)
    outcome = driver.fetched()
    assert (outcome["outcome"], outcome["version"]) == ("held", 2)
    assert outcome["reason"].startswith("3 processes in a row ended within 30")
    assert driver.updates() == [("cached", 1)]
    assert "version 2: held" in driver.warnings()[0]
    # Nothing has changed, and it is held all the same.
    assert driver.do("refresh")["outcome"] == "held"
    publish(file, 3)
    applied(driver, 3)
    driver.quit()


def test_processes_that_end_in_order_never_count(drive, file):
    publish(file, 1)
    start(drive, file.url).quit()
    for version, end in enumerate(["quit", "input", signal.SIGTERM, signal.SIGINT], 2):
        publish(file, version)
        for _ in range(3):
            driver = start(drive, file.url)
            assert driver.updates()[-1][1] == version
            if end == "quit":
                driver.quit()
            elif end == "input":
                driver.process.stdin.close()
            else:
                driver.process.send_signal(end)
            assert driver.process.wait(timeout=PATIENCE) == 0
        driver = start(drive, file.url)
        assert driver.updates() == [("cached", version)], end
        driver.quit()


def test_all_processes_of_an_instance_agree_whether_they_are_in_a_canary(drive, file):
    publish(file, 1)
    drivers = [start(drive, file.url) for _ in range(3)]
    seen = set()
    for version, percent in ((2, 50), (3, 0), (4, 100)):
        publish(file, version, rollout={"percent": percent, "bakeSeconds": 0})
        outcomes = {driver.do("refresh")["outcome"] for driver in drivers}
        assert len(outcomes) == 1, (percent, outcomes)
        seen |= outcomes
        if percent != 50:
            assert outcomes == {"applied" if percent else "held"}
    assert seen == {"applied", "held"}
    for driver in drivers:
        driver.quit()
