"""A damaged database of unsent events: its salvage ends, and fills no disk."""
import gzip
import os
import time

import pytest

from driver import SHARED, Driver

EVIDENCE = SHARED / "evidence" / "cyclic-events.sqlite.gz"


def bundle(micro):
    return {"namespace": "a", "networkConfiguration": {"endpoint": micro.url}}


@pytest.mark.skipif(not EVIDENCE.exists(), reason="the database is not here")
@pytest.mark.parametrize("name", ["events-0.sqlite.damaged-1-2", "events-0.sqlite"])
def test_a_salvage_of_pages_that_form_a_circle_ends_and_writes_no_more_than_they_have(micro, tmp_path, name):
    micro.publish(1, [bundle(micro)])
    state = tmp_path / "home" / "state"
    state.mkdir(parents=True)
    damaged = state / name
    damaged.write_bytes(gzip.decompress(EVIDENCE.read_bytes()))
    size = damaged.stat().st_size
    service = Driver("--config", micro.config, "--cache-dir", tmp_path / "cache", "--state-dir", state,
                     # A file of more than 128 MiB ends in an error and not in a full disk.
                     prefix=("sh", "-c", 'ulimit -f 262144; exec "$@"', "sh"))
    service.fetched()
    end = time.monotonic() + 20
    while any(".damaged-" in file.name for file in state.iterdir()) and time.monotonic() < end:
        time.sleep(0.2)
    assert not any(".damaged-" in file.name for file in state.iterdir())
    # What cannot be read is kept.
    assert any(".unreadable-" in file.name for file in state.iterdir())
    total = sum(os.stat(state / name).st_size for name in os.listdir(state))
    assert total < 4 * size + (16 << 20)
    service.quit()
