import pytest
from documents import DocumentFile
from driver import MICRO, Driver, Micro


def pytest_collection_modifyitems(items):
    if not MICRO.exists():
        for item in items:
            item.add_marker(pytest.mark.skip(reason="the shared collector is not here"))


@pytest.fixture
def micro(tmp_path):
    files = tmp_path / "files"
    files.mkdir()
    micro = Micro(files)
    yield micro
    micro.close()


@pytest.fixture
def drive(tmp_path):
    """Starts drivers on one pair of directories, or on others below `home`, and ends those that a test leaves."""
    drivers = []

    def start(*options, home=tmp_path, cache="cache", state="state", **more):
        driver = Driver("--cache-dir", home / cache, "--state-dir", home / state, *options, **more)
        drivers.append(driver)
        return driver

    yield start
    for driver in drivers:
        if driver.process.poll() is None:
            driver.kill()


@pytest.fixture
def file(tmp_path):
    """A document in a file."""
    return DocumentFile(tmp_path / "files")
