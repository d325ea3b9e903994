"""Fetches without a command: by time and by a signal; and hundreds of them."""
import json
import os
import signal
import threading

from documents import NOWHERE, applied, bundle, start
from driver import PATIENCE, document, wait_until
from source import Source


def wait_for_outcome(driver, outcome):
    """Waits for a fetch that begins after now."""
    seen = len(driver.lines)
    wait_until(lambda: f"a fetch has the outcome {outcome}: {driver.lines[-3:]}",
               lambda: outcome in [line["outcome"] for line in driver.lines[seen:] if line["type"] == "outcome"][1:])


def test_polling_brings_each_version_and_outlives_every_failure(micro, drive):
    micro.publish(1, [bundle(NOWHERE)])
    driver = drive("--config", micro.config, "--poll", 0.1)
    driver.wait_for_version(1)
    micro.publish(2, [bundle(NOWHERE)])
    driver.wait_for_version(2)
    (micro.directory / "trackers.json").write_text("{")
    wait_for_outcome(driver, "rejected")
    for version, status in ((3, 404), (4, 500)):
        micro.fault(status=status, count=3, path="/files")
        wait_for_outcome(driver, "failed")
        micro.publish(version, [bundle(NOWHERE)])
        driver.wait_for_version(version)
    driver.quit()


def resident(driver):
    """The resident size in bytes."""
    with open(f"/proc/{driver.process.pid}/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_memory_is_flat_over_hundreds_of_refreshes(drive, file):
    def publish(version):
        file.publish(version, [bundle(NOWHERE), bundle(NOWHERE, f"n{version % 2}")], meta={"text": f"{version} " + "x" * 40_000})

    publish(1)
    driver = start(drive, file.url)
    sizes = {}
    for version in range(2, 301):
        publish(version)
        applied(driver, version)
        sizes[version] = resident(driver)
    print(f"{sizes[100] >> 10} KiB after 100 refreshes, {sizes[300] >> 10} KiB after 300")
    # 200 documents of 40 KB that stay somewhere would be 8 MB.
    assert sizes[300] - sizes[100] < 4 << 20, sizes
    driver.quit(timeout=0)
