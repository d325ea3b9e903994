import pathlib
import sys

import pytest

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "BlackBox"))

from page import Page, start_browser  # noqa: E402
from samples import DEFAULT, REMOTE, orders_document  # noqa: E402
from services import ConsoleProcess, OrdersService, Proxy  # noqa: E402


@pytest.fixture(scope="session")
def browser():
    browser = start_browser()
    yield browser
    browser.quit()


@pytest.fixture
def open_page(browser):
    """Opens pages. Whatever a test is of, no page may have a mistake or break its own policy."""
    pages = []

    def open_one(url, fragment=""):
        pages.append(Page(browser, url, fragment))
        return pages[-1]

    yield open_one
    log = pages[-1].log() if pages else []
    browser.get("about:blank")
    for command in ["Emulation.clearDeviceMetricsOverride", "Emulation.setEmulatedMedia"]:
        browser.execute_cdp_cmd(command, {})
    assert log == []


@pytest.fixture
def start(tmp_path):
    """Starts consoles, by default one that allows changes, of the samples."""
    services = []

    def start_one(*options, document=REMOTE, default=DEFAULT, allows_changes=True, **more):
        if allows_changes:
            options += ("--allow-changes",)
        directory = tmp_path / f"console-{len(services)}"
        services.append(ConsoleProcess(directory, document, *options, default=default, **more))
        return services[-1]

    yield start_one
    for service in services:
        service.end()


@pytest.fixture
def service(start):
    return start()


@pytest.fixture
def page(service, open_page):
    """The features of a service with their values."""
    page = open_page(service.url, "#features?open=*")
    page.wait_shown(page.row("checkout", "retryLimit"))
    page.wait_connection("live")
    return page


@pytest.fixture
def orders(tmp_path):
    service = OrdersService(tmp_path, orders_document)
    yield service
    service.end()


@pytest.fixture
def between():
    """Puts a proxy before a service."""
    proxies = []

    def put(service, mode):
        proxies.append(Proxy(service.port, mode))
        return proxies[-1]

    yield put
    for proxy in proxies:
        proxy.close()
