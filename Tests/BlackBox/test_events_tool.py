"""`tracker-config events` on the files of running and ended services, as an operator uses it."""
import json
import os

import pytest
from documents import applied, bundle, event, start
from driver import BINARY, TOOL, run, wait_until


@pytest.fixture
def events(tmp_path):
    return lambda *words: run(TOOL, "events", *words, "--state-dir", tmp_path / "state")


@pytest.fixture
def rejected(micro, drive):
    """Starts a service whose collector rejects three events, and then no more."""

    def begin():
        micro.publish(1, [bundle(micro.url, "shop")])
        micro.fault(status=403, count=100, path="/com.")
        driver = start(drive, micro.config, "--dead-letters", 1_000_000)
        ids = [driver.do("track", event=event(f"ä {number}")) for number in range(3)]
        assert driver.flush()["dropped"] == 3
        return driver, ids

    return begin


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


@pytest.mark.parametrize("runs", [True, False])
def test_a_service_sends_again_what_the_command_asks_for(events, rejected, micro, drive, runs):
    driver, ids = rejected()
    if not runs:
        driver.quit()
    assert events("resend") == (0, "to be sent again: 3 events\n", "")
    assert all(line.endswith("bytes, to be sent again") for line in events("list")[1].splitlines()[:3])
    micro.get("/micro/reset")
    if not runs:
        driver = start(drive, micro.config)
    # It looks for them at its start, every 30 s, and for each namespace that is new.
    micro.publish(2, [bundle(micro.url, "shop"), bundle(micro.url, "new")])
    applied(driver, 2)
    wait_until(lambda: f"all three are sent: {driver.log}", lambda: micro.count() >= 3)
    driver.quit()
    assert micro.ids() == sorted(ids)
    assert events("list")[1] == "total: 0 events, 0 bytes\n"


def test_a_directory_that_no_service_has_used_is_said_with_status_66(events, tmp_path):
    assert run(TOOL, "events", "list", "--state-dir", "") == (66, "", "tracker-config: cannot open '': No such file or directory\n")
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


def test_an_empty_state_directory_is_said_with_status_64(tmp_path):
    status, output, errors = run(BINARY, "run", "--config", "http://127.0.0.1:9/c.json", "--cache-dir", tmp_path, "--state-dir", "")
    assert (status, output) == (64, "")
    assert errors.startswith("demo-tracker: options.stateDirectory: expected a directory, found an empty string")
