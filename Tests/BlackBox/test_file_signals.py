"""A document in a file is applied when it changes, before the next poll and without a command."""
import json
import subprocess

import pytest
from documents import NOWHERE, bundle
from driver import document, replace, wait_until

# Lowers a limit of inotify for a process and its children alone.
LIMITED = ["unshare", "-Ur", "sh", "-c", 'echo "$2" > "/proc/sys/user/$1" && shift 2 && exec "$@"', "sh"]


def can_limit():
    return subprocess.run([*LIMITED, "max_inotify_watches", "1", "true"], stderr=subprocess.DEVNULL).returncode == 0


def text(version):
    return json.dumps(document(version, [bundle(NOWHERE)]))


def test_each_change_is_applied_without_a_poll(drive, tmp_path):
    path = tmp_path / "trackers.json"
    path.write_text(text(1))
    # Polls do not come to it.
    driver = drive("--config", f"file://{path}", "--poll", 3600)
    driver.wait_for_version(1)
    replace(path, text(2))
    driver.wait_for_version(2)
    path.write_text(text(3))
    driver.wait_for_version(3)
    path.unlink()
    path.write_text(text(4))
    driver.wait_for_version(4)
    driver.quit()


@pytest.mark.skipif(not can_limit(), reason="this machine allows no namespace of users")
@pytest.mark.parametrize("limit, words", [
    ("max_inotify_watches", "the limit fs.inotify.max_user_watches is reached"),
    ("max_inotify_instances", "fs.inotify.max_user_instances, is reached"),
])
def test_without_inotify_polls_bring_each_version_and_one_line_says_so(drive, tmp_path, limit, words):
    path = tmp_path / "trackers.json"
    path.write_text(text(1))
    driver = drive("--config", f"file://{path}", "--poll", 0.1, prefix=[*LIMITED, limit, "0"])
    driver.wait_for_version(1)
    for version in (2, 3):
        replace(path, text(version))
        driver.wait_for_version(version)
    driver.wait_for_log(words)
    # The setup asks again after a second, which is ten polls, and does not repeat itself.
    count = len(driver.lines)
    wait_until("there are 30 more polls", lambda: len(driver.lines) >= count + 30)
    driver.quit()
    assert sum(words in line for line in driver.log) == 1, driver.log
