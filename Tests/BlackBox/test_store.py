"""The event store as operators meet it: services that share directories, damage, and disks that come and go."""
import glob
import os
import shutil
import sqlite3
import subprocess
import time

import pytest

from driver import BINARY, PATIENCE, Driver

EVENT = {"category": "store", "action": "0"}


def bundle(micro, namespace="a", **network):
    return {"namespace": namespace, "networkConfiguration": {"endpoint": micro.url, **network}}


def driver(tmp_path, url, *options):
    return Driver("--config", url, "--cache-dir", tmp_path / f"cache-{abs(hash(url))}", "--state-dir", tmp_path / "state", *options)


def leave(driver, count, namespace=None, **fields):
    """Lets a process commit events and die without sending them."""
    words = {"namespace": namespace} if namespace else {}
    driver.fetched()
    driver.do("pause", **words)
    ids = [driver.do("track", event={"category": "store", "action": str(number), **fields}, committed=True, **words)
           for number in range(count)]
    driver.kill()
    return ids


def received(micro):
    assert micro.bad() == []
    return [row["event"]["eid"] for row in micro.good()]


def test_a_process_of_another_namespace_neither_takes_nor_holds_what_a_dead_one_left(micro, tmp_path):
    for name in "ab":
        micro.publish(1, [bundle(micro, name)])
        (micro.directory / f"{name}.json").write_text((micro.directory / "trackers.json").read_text())
    url = {name: micro.config.replace("trackers", name) for name in "ab"}
    ids = leave(driver(tmp_path, url["a"]), 10)
    # It starts with its cached document and knows that the slot is not its own.
    first = driver(tmp_path, url["b"])
    first.fetched()
    first.quit()
    other = driver(tmp_path, url["b"])
    other.fetched()
    back = driver(tmp_path, url["a"])
    back.fetched()
    assert back.do("flush", timeout=PATIENCE)["stored"] == 0
    assert sorted(received(micro)) == sorted(ids)
    for process in (other, back):
        process.quit()


def test_services_below_one_standard_directory_do_not_touch_each_others_events(micro, tmp_path):
    """Both call their tracker `main`; each is an executable of its own name."""
    micro.publish(1, [bundle(micro, "main")])
    home = tmp_path / "home"
    home.mkdir()
    for service in ("orders", "search"):
        os.symlink(BINARY, tmp_path / service)

    def run(service):
        environment = {**os.environ, "HOME": str(home), "XDG_STATE_HOME": "", "XDG_CACHE_HOME": ""}
        environment.pop("STATE_DIRECTORY", None)
        return subprocess.Popen(
            [tmp_path / service, "run", "--config", micro.config, "--standard-dirs"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, env=environment)

    def talk(process, *lines, kills=False):
        for line in lines:
            process.stdin.write(line + "\n")
        process.stdin.flush()
        answers = []
        while len(answers) < len(lines):
            line = process.stdout.readline()
            if '"answer"' in line:
                answers.append(line)
        process.kill() if kills else process.communicate(timeout=PATIENCE)
        process.wait()
        return answers

    talk(run("orders"), '{"id":1,"do":"refresh"}', '{"id":2,"do":"pause"}',
         '{"id":3,"do":"track","event":{"category":"c","action":"orders"},"committed":true}', kills=True)
    talk(run("search"), '{"id":1,"do":"refresh"}', '{"id":2,"do":"flush","timeout":5}')
    assert micro.good() == []
    assert sorted(path.name for path in (home / ".local/state/tracker-config").iterdir()) == ["orders", "search"]
    talk(run("orders"), '{"id":1,"do":"refresh"}', '{"id":2,"do":"flush","timeout":20}')
    assert [row["event"]["se_ac"] for row in micro.good()] == ["orders"]


@pytest.mark.parametrize("method", ["get", "post"])
def test_one_flipped_bit_in_a_row_costs_that_row_and_ends_no_process(micro, tmp_path, method):
    micro.publish(1, [bundle(micro, method=method)])
    ids = leave(driver(tmp_path, micro.config), 50, label="tab\there")
    file = tmp_path / "state" / "events-0.sqlite"
    # The journal has checksums of its own, so the damage comes after the rows are in the database.
    database = sqlite3.connect(file)
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()
    data = bytearray(file.read_bytes())
    place = data.find(b'"se_ac":"25"')
    assert place > 0
    data[place + 10] ^= 0x20
    file.write_bytes(data)
    for _ in range(2):
        process = driver(tmp_path, micro.config)
        process.fetched()
        assert process.do("flush", timeout=PATIENCE)["stored"] == 0
        process.quit()
    got = received(micro)
    assert len(got) == len(set(got)) == 49 and set(got) <= set(ids)


def test_loss_is_said_at_the_default_level_and_nothing_normal_is_an_error(micro, tmp_path):
    micro.publish(1, [bundle(micro)])
    process = driver(tmp_path, micro.config)
    process.fetched()
    micro.fault(status="403", count=1, path="/com.")
    for _ in range(10):
        process.do("track", event=EVENT)
    process.do("flush", timeout=10)
    assert process.do("status")["dropped"] == 10
    process.quit()
    losses = [line for line in process.log if line.startswith("error ")]
    assert losses == ["error [a] 10 events were dropped (rejected): the collector answered 403\n"]


def test_a_namespace_cannot_forge_a_line_of_the_log(micro, tmp_path):
    micro.publish(1, [bundle(micro, "a\nerror FAKE\x1b[31m")])
    process = driver(tmp_path, micro.config)
    process.fetched()
    micro.fault(status="403", count=1, path="/com.")
    process.do("track", event=EVENT)
    process.do("flush", timeout=10)
    process.quit()
    assert any("(rejected)" in line for line in process.log)
    assert not any(line.startswith("error FAKE") or "\x1b" in line for line in process.log)


def test_a_state_directory_that_is_removed_while_a_process_runs(micro, tmp_path):
    micro.publish(1, [bundle(micro)])
    process = driver(tmp_path, micro.config)
    process.fetched()
    process.do("pause")
    ids = [process.do("track", event=EVENT, committed=True) for _ in range(3)]
    shutil.rmtree(tmp_path / "state")
    ids += [process.do("track", event=EVENT, committed=True) for _ in range(3)]
    process.kill()
    again = driver(tmp_path, micro.config)
    again.fetched()
    assert again.do("flush", timeout=PATIENCE)["stored"] == 0
    again.quit()
    assert sorted(received(micro)) == sorted(ids)


def test_a_new_endpoint_delivers_at_once_what_the_broken_one_held_back(micro, tmp_path):
    micro.publish(1, [{"namespace": "a", "networkConfiguration": {"endpoint": "http://127.0.0.1:9"}}])
    process = driver(tmp_path, micro.config)
    process.fetched()
    process.do("track", event=EVENT)
    # Some failures, so that the next wait is long.
    process.do("flush", timeout=8)
    micro.publish(2, [bundle(micro)])
    assert process.do("refresh")["outcome"] == "applied"
    start = time.monotonic()
    while not micro.good():
        assert time.monotonic() - start < 5
        time.sleep(0.02)
    process.quit()


def test_a_body_that_is_too_large_is_split_and_sent(micro, tmp_path):
    micro.publish(1, [bundle(micro)])
    process = driver(tmp_path, micro.config)
    process.fetched()
    process.do("pause")
    micro.fault(status="413", count=3, path="/com.")
    for number in range(16):
        process.do("track", event={"category": "store", "action": str(number)})
    process.do("resume")
    assert process.do("flush", timeout=PATIENCE)["stored"] == 0
    process.quit()
    assert len(set(received(micro))) == 16


def test_a_service_without_trackers_has_no_store_and_no_thread_for_events(micro, tmp_path):
    def threads(running):
        paths = glob.glob(f"/proc/{running.process.pid}/task/*/comm")
        return {open(path).read().strip() for path in paths}

    micro.publish(1, [])
    running = driver(tmp_path, micro.config)
    assert running.fetched()["outcome"] == "applied"
    assert not {"tracker-store", "tracker-http"} & threads(running)
    assert not list((tmp_path / "state").glob("events-*"))
    micro.publish(2, [bundle(micro)])
    assert running.do("refresh")["outcome"] == "applied"
    running.do("track", event={"category": "c", "action": "a"})
    assert {"tracker-store"} <= threads(running)
    assert list((tmp_path / "state").glob("events-*"))
    running.quit()


@pytest.mark.parametrize("isTemporary", [True, False])
def test_events_that_are_unsent_are_dropped_with_a_temporary_directory_alone(file, tmp_path, isTemporary):
    file.publish(1, [{"namespace": "a", "networkConfiguration": {"endpoint": "http://127.0.0.1:9"}}])
    process = Driver("--config", file.url, *([] if isTemporary else ["--state-dir", tmp_path / "state"]))
    process.fetched()
    process.do("track", event=EVENT, committed=True)
    report = process.quit(timeout=0)
    warnings = [line for line in process.log if "discarded" in line]
    if isTemporary:
        assert report == {"sent": 0, "stored": 0, "dropped": 1}
        assert warnings == ["warning: 1 unsent event was discarded with the temporary directory\n"]
    else:
        assert (report, warnings) == ({"sent": 0, "stored": 1, "dropped": 0}, [])
