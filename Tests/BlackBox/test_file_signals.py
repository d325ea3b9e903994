"""A document in a file is applied when it changes, before the next poll and without a command."""
import os
import subprocess
import time

import pytest
from driver import PATIENCE
from test_refresh import text, wait_for

# Lowers a limit of inotify for a process and its children alone.
LIMITED = ["unshare", "-Ur", "sh", "-c", 'echo "$2" > "/proc/sys/user/$1" && shift 2 && exec "$@"', "sh"]


def can_limit():
    return subprocess.run([*LIMITED, "max_inotify_watches", "1", "true"], stderr=subprocess.DEVNULL).returncode == 0


def replace(path, content):
    new = path.with_name("new")
    new.write_text(content)
    os.rename(new, path)


def test_each_change_is_applied_without_a_poll(micro, drive, tmp_path):
    path = tmp_path / "trackers.json"
    path.write_text(text(micro, 1, "b"))
    # Polls do not come to it.
    driver = drive("--config", f"file://{path}", "--poll", 3600)
    wait_for(driver, 1)
    replace(path, text(micro, 2, "b"))
    wait_for(driver, 2)
    path.write_text(text(micro, 3, "b"))
    wait_for(driver, 3)
    path.unlink()
    time.sleep(0.1)
    path.write_text(text(micro, 4, "b"))
    wait_for(driver, 4)
    driver.quit()


@pytest.mark.skipif(not can_limit(), reason="this machine allows no namespace of users")
@pytest.mark.parametrize("limit, words", [
    ("max_inotify_watches", "the limit fs.inotify.max_user_watches is reached"),
    ("max_inotify_instances", "fs.inotify.max_user_instances, is reached"),
])
def test_without_inotify_polls_bring_each_version_and_one_line_says_so(micro, drive, tmp_path, limit, words):
    path = tmp_path / "trackers.json"
    path.write_text(text(micro, 1, "b"))
    driver = drive("--config", f"file://{path}", "--poll", 0.1, prefix=[*LIMITED, limit, "0"])
    wait_for(driver, 1)
    for version in (2, 3):
        replace(path, text(micro, version, "b"))
        wait_for(driver, version)
    end = time.monotonic() + PATIENCE
    while not any(words in line for line in driver.log):
        assert time.monotonic() < end, driver.log
        time.sleep(0.01)
    # The setup asks again a second later, and does not repeat itself.
    time.sleep(3)
    driver.quit()
    assert sum(words in line for line in driver.log) == 1, driver.log
