"""The event store as operators meet it: services that share directories, lines of the log, and disks that come and go."""
import contextlib
import pathlib
import shutil

import pytest
from documents import NOWHERE, applied, bundle, event, start
from driver import BINARY, Driver


def test_services_below_one_standard_directory_do_not_touch_each_others_events(micro, tmp_path, monkeypatch):
    """Both call their tracker `main`; each is an executable of its own name."""
    micro.publish(1, [bundle(micro.url, "main")])
    home = tmp_path / "home"
    home.mkdir()
    for name in ("HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(home) if name == "HOME" else "")
    monkeypatch.delenv("STATE_DIRECTORY", raising=False)

    def start(service):
        if not (tmp_path / service).exists():
            (tmp_path / service).symlink_to(BINARY)
        driver = Driver("--config", micro.config, "--standard-dirs", program=tmp_path / service)
        driver.fetched()
        return driver

    orders = start("orders")
    orders.do("pause")
    orders.do("track", event=event("orders"), committed=True)
    orders.kill()
    search = start("search")
    search.flush()
    search.quit()
    assert micro.count() == 0
    assert sorted(path.name for path in (home / ".local/state/tracker-config").iterdir()) == ["orders", "search"]
    orders = start("orders")
    orders.flush()
    orders.quit()
    assert [row["event"]["se_ac"] for row in micro.good()] == ["orders"]


def test_loss_is_said_at_the_default_level_and_a_namespace_cannot_forge_a_line(micro, drive):
    for namespace, shown in (("a", "a"), ("a\nerror FAKE\x1b[31m", None)):
        micro.publish(1 if shown else 2, [bundle(micro.url, namespace)])
        process = start(drive, micro.config)
        micro.fault(status="403", count=4, path="/com.")
        process.do("pause")
        for number in range(10):
            # Committed, so that one request has them all; then two alone, and all once more.
            process.do("track", event=event(number), committed=True)
        process.do("resume")
        assert process.flush()["dropped"] == 10
        assert process.quit() == {"sent": 0, "stored": 0, "dropped": 10}
        [loss] = [line for line in process.log if line.startswith("error ")]
        server = micro.url.removeprefix("http://")
        assert loss.endswith(f"10 events were dropped (rejected): {server} answered 403\n") and "\x1b" not in loss
        assert shown is None or loss.startswith(f"error [{shown}] ")
        assert not any(line.startswith("error FAKE") for line in process.log)


def test_a_state_directory_that_is_removed_while_a_process_runs(micro, drive, tmp_path):
    micro.publish(1, [bundle(micro.url)])
    process = start(drive, micro.config)
    process.do("pause")
    ids = [process.do("track", event=event(number), committed=True) for number in range(3)]
    shutil.rmtree(tmp_path / "state")
    ids += [process.do("track", event=event(number), committed=True) for number in range(3)]
    process.kill()
    again = start(drive, micro.config)
    again.flush()
    again.quit()
    assert micro.ids() == sorted(ids)


def test_a_service_without_trackers_has_no_store_and_no_thread_for_events(drive, file, tmp_path):
    def threads(running):
        names = set()
        for path in pathlib.Path(f"/proc/{running.process.pid}/task").glob("*/comm"):
            # A thread may have ended meanwhile.
            with contextlib.suppress(OSError):
                names.add(path.read_text().strip())
        return names

    file.publish(1)
    running = start(drive, file.url)
    assert not {"tracker-store", "tracker-http"} & threads(running)
    assert not list((tmp_path / "state").glob("log-*"))
    file.publish(2, [bundle(NOWHERE)])
    applied(running, 2)
    running.do("track", event=event("first"))
    assert {"tracker-store"} <= threads(running)
    assert list((tmp_path / "state").glob("log-*"))
    running.quit(timeout=0)


@pytest.mark.parametrize("is_temporary", [True, False])
def test_events_that_are_unsent_are_dropped_with_a_temporary_directory_alone(file, tmp_path, is_temporary):
    file.publish(1, [bundle(NOWHERE)])
    process = Driver("--config", file.url, *([] if is_temporary else ["--state-dir", tmp_path / "state"]))
    process.fetched()
    process.do("track", event=event("unsent"), committed=True)
    report = process.quit(timeout=0)
    warnings = [line for line in process.log if "discarded" in line]
    if is_temporary:
        assert report == {"sent": 0, "stored": 0, "dropped": 1}
        assert warnings == ["warning: 1 unsent event was discarded with the temporary directory\n"]
    else:
        assert (report, warnings) == ({"sent": 0, "stored": 1, "dropped": 0}, [])
