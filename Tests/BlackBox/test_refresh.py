"""Fetches without a command: by time, by a signal, from a file; and a thousand of them."""
import json
import os
import signal
import time

from driver import PATIENCE, SCHEMA
from source import Source


def bundle(micro, *names):
    return [{"namespace": name, "networkConfiguration": {"endpoint": micro.url}} for name in names]


def text(micro, version, other, **more):
    return json.dumps({"$schema": SCHEMA, "configurationVersion": version,
                       "configurationBundle": bundle(micro, "a", other), **more})


def wait_for(driver, version):
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if driver.updates() and driver.updates()[-1][1] == version:
            return
        time.sleep(0.01)
    raise AssertionError(f"no version {version}: {driver.lines[-3:]}")


def wait_for_outcome(driver, outcome):
    """Waits for a fetch that begins after now."""
    end, seen = time.monotonic() + PATIENCE, len(driver.lines)
    while time.monotonic() < end:
        new = [line for line in driver.lines[seen:] if line["type"] == "outcome"]
        if any(line["outcome"] == outcome for line in new[1:]):
            return
        time.sleep(0.01)
    raise AssertionError(f"no outcome {outcome}: {driver.lines[-3:]}")


def test_polling_brings_each_version_and_outlives_every_failure(micro, drive):
    micro.publish(1, bundle(micro, "a"))
    driver = drive("--config", micro.config, "--poll", 0.1)
    wait_for(driver, 1)
    micro.publish(2, bundle(micro, "a"))
    wait_for(driver, 2)
    (micro.directory / "trackers.json").write_text("{")
    wait_for_outcome(driver, "rejected")
    for version, status in ((3, 404), (4, 500)):
        micro.fault(status=status, count=3, path="/files")
        wait_for_outcome(driver, "failed")
        micro.publish(version, bundle(micro, "a"))
        wait_for(driver, version)
    driver.quit()


def test_a_hangup_fetches_and_many_do_not_pile_up(micro, drive):
    micro.publish(1, bundle(micro, "a"))
    driver = drive("--config", micro.config)
    driver.fetched()
    micro.publish(2, bundle(micro, "a"))
    driver.process.send_signal(signal.SIGHUP)
    assert driver.fetched() == {"type": "outcome", "outcome": "applied", "version": 2}
    # Fetches take half a second each; a refresh meanwhile joins the one on its way.
    micro.fault(status="ok", delay=0.5, count=1000, path="/files")
    began = time.monotonic()
    for _ in range(300):
        driver.process.send_signal(signal.SIGHUP)
        time.sleep(0.002)
    took = time.monotonic() - began
    time.sleep(2)
    count = driver.fetches.qsize()
    assert 1 <= count <= took / 0.5 + 2, count
    assert driver.process.poll() is None
    micro.fault(status="ok", delay=0, count=0, path="/files")
    driver.quit()


def test_a_config_map_and_a_plain_file_are_followed(micro, drive, tmp_path):
    root = tmp_path / "map"
    root.mkdir()

    def publish(version):
        (root / f"..2026_{version}").mkdir()
        (root / f"..2026_{version}" / "trackers.json").write_text(text(micro, version, f"v{version}"))
        (root / "..data_tmp").symlink_to(f"..2026_{version}")
        os.rename(root / "..data_tmp", root / "..data")

    publish(1)
    file = root / "trackers.json"
    file.symlink_to("..data/trackers.json")
    driver = drive("--config", f"file://{file}", "--poll", 0.1)
    wait_for(driver, 1)
    for version in (2, 3):
        publish(version)
        wait_for(driver, version)
    # From here on a plain file: renamed over, half written in place, deleted and back.
    (root / "new").write_text(text(micro, 4, "v4"))
    os.rename(root / "new", file)
    wait_for(driver, 4)
    file.write_text(text(micro, 5, "v5")[:50])
    wait_for_outcome(driver, "rejected")
    assert driver.do("namespaces")["namespaces"] == ["a", "v1", "v2", "v3", "v4"]
    file.write_text(text(micro, 5, "v5"))
    wait_for(driver, 5)
    file.unlink()
    wait_for_outcome(driver, "failed")
    file.write_text(text(micro, 6, "v6"))
    wait_for(driver, 6)
    driver.quit()


def resident(driver):
    """The resident size in bytes."""
    with open(f"/proc/{driver.process.pid}/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_memory_is_flat_over_a_thousand_refreshes(micro, drive):
    current = [1]
    more = {"meta": {"text": "x" * 10_000}}
    source = Source(lambda: text(micro, current[0], "b", **more))

    def refresh(versions):
        for version in versions:
            current[0] = version
            assert driver.do("refresh") == {"outcome": "applied", "version": version}
            driver.do("track", event={"category": "refresh", "action": str(version)})

    driver = drive("--config", source.url)
    driver.fetched()
    refresh(range(2, 202))
    early = resident(driver)
    refresh(range(202, 1002))
    late = resident(driver)
    print(f"{early >> 10} KiB after 200 refreshes, {late >> 10} KiB after 1,000")
    # 800 documents of 10 KB that stay somewhere would be 8 MB.
    assert late - early < 4 << 20, (early, late)
    driver.quit(timeout=10)
    source.close()
    assert len(micro.good()) == 1000 and micro.bad() == []
