"""A damaged database of unsent events: its salvage ends, and fills no disk."""
import gzip

import pytest
from documents import NOWHERE, bundle, start
from driver import SHARED, wait_until

EVIDENCE = SHARED / "evidence" / "cyclic-events.sqlite.gz"


@pytest.mark.skipif(not EVIDENCE.exists(), reason="the database is not here")
@pytest.mark.parametrize("name", ["events-0.sqlite.damaged-1-2", "events-0.sqlite"])
def test_a_salvage_of_pages_that_form_a_circle_ends_and_writes_no_more_than_they_have(drive, file, tmp_path, name):
    file.publish(1, [bundle(NOWHERE)])
    state = tmp_path / "state"
    state.mkdir()
    damaged = state / name
    damaged.write_bytes(gzip.decompress(EVIDENCE.read_bytes()))
    size = damaged.stat().st_size
    # A file of more than 128 MiB ends in an error and not in a full disk.
    service = start(drive, file.url, prefix=("sh", "-c", 'ulimit -f 262144; exec "$@"', "sh"))

    def names(part):
        return [path.name for path in state.iterdir() if part in path.name]

    # What cannot be read is kept.
    wait_until(lambda: f"it is salvaged: {names('')}", lambda: names(".unreadable-") and not names(".damaged-"))
    service.quit(timeout=0)
    assert sum(path.stat().st_size for path in state.iterdir()) < 4 * size + (16 << 20)
