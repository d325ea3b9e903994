"""`tracker-config events` on the files of running and ended services, as an operator uses it."""
import json
import os
import subprocess
import time

import pytest
from driver import PATIENCE


@pytest.fixture
def events(operator, tmp_path):
    def run(*words):
        words = [operator, "events", *words, "--state-dir", str(tmp_path / "state")]
        ended = subprocess.run(words, capture_output=True, text=True, timeout=PATIENCE)
        return ended.returncode, ended.stdout, ended.stderr

    return run


@pytest.fixture
def rejected(micro, drive):
    """Starts a service whose collector rejects three events."""

    def start():
        micro.publish(1, [{"namespace": "shop", "networkConfiguration": {"endpoint": micro.url}}])
        micro.fault(status=403, count=100, path="/com.")
        driver = drive("--config", micro.config, "--dead-letters", 1_000_000)
        driver.fetched()
        ids = [driver.do("track", event={"category": "cart", "action": f"ä {number}"}) for number in range(3)]
        assert driver.do("flush", timeout=PATIENCE)["dropped"] == 3
        return driver, ids

    return start


def test_list_and_export_show_the_events_of_a_running_service(events, rejected):
    driver, ids = rejected()
    status, output, errors = events("list")
    *lines, rejections, total = output.splitlines()
    assert (status, errors) == (0, "")
    assert [line.split("  ")[1:4] for line in lines] == [["rejected", "shop", event] for event in ids]
    sizes = sum(int(line.split()[-2]) for line in lines)
    assert (rejections, total) == (f"rejected: 3 events, {sizes} bytes", f"total: 3 events, {sizes} bytes")

    status, output, errors = events("export", "--reason", "rejected")
    assert [(line["eid"], line["se_ac"]) for line in map(json.loads, output.splitlines())] == [
        (event, f"ä {number}") for number, event in enumerate(ids)]

    status, output, errors = events("list", "--json", "--namespace", "shop")
    answer = json.loads(output)
    assert [event["id"] for event in answer["events"]] == ids
    assert answer["totals"] == {"rejected": {"events": 3, "bytes": sizes}}
    assert events("list", "--namespace", "none") == (0, "total: 0 events, 0 bytes\n", "")
    driver.quit()
    assert events("list")[1].splitlines()[-1] == total


def test_events_of_an_ended_service_are_sent_once_by_the_next(events, rejected, micro, drive):
    driver, ids = rejected()
    driver.quit()
    assert events("resend") == (0, "to be sent again: 3 events\n", "")
    assert all(line.endswith("bytes, to be sent again") for line in events("list")[1].splitlines()[:3])
    micro.get("/micro/reset")
    driver = drive("--config", micro.config)
    driver.fetched()
    sent_by(driver, 3)
    driver.quit()
    assert sorted(event["event"]["eid"] for event in micro.good()) == sorted(ids)
    assert events("list")[1] == "total: 0 events, 0 bytes\n"


def sent_by(driver, count):
    """Waits until a service has sent so many events; it looks for those that are to be sent again within a minute."""
    for _ in range(PATIENCE):
        if driver.do("flush", timeout=1)["sent"] == count:
            return
        time.sleep(1)
    raise AssertionError("they were not sent")


def test_events_of_a_running_service_are_sent_by_the_command(events, rejected, micro):
    driver, ids = rejected()
    status, output, errors = events("resend", "--to", micro.url)
    assert (status, output, errors) == (1, "0 events sent\n", "tracker-config: 3 events stay: the collector answered 403\n")
    micro.get("/micro/reset")
    assert events("resend", "--to", micro.url) == (0, "3 events sent\n", "")
    assert sorted(event["event"]["eid"] for event in micro.good()) == sorted(ids)
    assert events("list")[1] == "total: 0 events, 0 bytes\n"
    driver.quit()


def test_a_running_service_is_asked_to_resend(events, rejected, micro):
    driver, ids = rejected()
    micro.get("/micro/reset")
    assert events("resend") == (0, "to be sent again: 3 events\n", "")
    sent_by(driver, 3)
    assert sorted(event["event"]["eid"] for event in micro.good()) == sorted(ids)
    driver.quit()


def test_a_missing_directory_is_said_with_status_66(operator):
    ended = subprocess.run([operator, "events", "list", "--state-dir", ""], capture_output=True, text=True, timeout=PATIENCE)
    assert (ended.returncode, ended.stdout) == (66, "")
    assert ended.stderr == "tracker-config: cannot open '': No such file or directory\n"


def test_a_directory_that_no_service_has_used_is_said_with_status_66(events, tmp_path):
    (tmp_path / "state").mkdir()
    for action in ("list", "export", "resend"):
        status, output, errors = events(action)
        assert (status, output) == (66, "")
        assert "state is not the state directory of a service: " in errors


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a directory away")
def test_the_directory_of_another_user_is_left_alone(events, tmp_path):
    (tmp_path / "state").mkdir()
    os.chown(tmp_path / "state", 1, 1)
    status, output, errors = events("resend")
    assert (status, output) == (66, "")
    assert errors.endswith("state belongs to another user; run the command as that user\n")
    assert not list((tmp_path / "state").iterdir())


def test_an_empty_state_directory_is_said_with_status_64(binary, tmp_path):
    words = [binary, "run", "--config", "http://127.0.0.1:9/c.json", "--cache-dir", str(tmp_path), "--state-dir", ""]
    ended = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE)
    assert (ended.returncode, ended.stdout) == (64, "")
    assert ended.stderr.startswith("demo-tracker: options.stateDirectory: expected a directory, found an empty string")
