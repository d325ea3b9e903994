"""What an operator must see at once: failing collectors, a rollback, a canary for others, a silent service."""
import contextlib
import http.client
import socket
import threading

from samples import REMOTE, bundle, orders_document
from selenium.webdriver.common.keys import Keys
from services import PATIENCE, FailingCollector, free_port

LONG = "a-namespace-that-has-no-blank-" * 4


def dead(number, **more):
    """The example's document with a collector that refuses connections."""
    return {**orders_document(number, f"http://127.0.0.1:{free_port()}"), **more}


def dead_port(orders):
    [tracker] = orders.client.get("status")["trackers"]
    return tracker["collector"].rsplit(":", 1)[1].rstrip("/")


def apply(orders, document):
    orders.publish(**document)
    orders.client.refresh(document["version"])


def test_failing_collectors_are_told_on_every_view(orders, open_page):
    page = open_page(orders.url)
    page.wait_text("[data-topic=tracker]", "(1 tracker)")
    apply(orders, dead(3))
    for _ in range(3):
        orders.visitor.get("shipping")
    for view in ["overview", "features", "users", "changes", "live", "trackers"]:
        page.show(view)
        page.wait_text("[data-line=problem][data-topic=tracker][data-namespace=orders]", "orders: failing since version 3 changed its endpoint: ")
    page.until(lambda: page.browser.title.startswith("▲ 1 problem – Version 3"), "the title")
    page.wait_attribute("[data-tab=trackers]", "data-level", "problem")
    page.until(lambda: "path" in page.attribute("link[rel=icon]", "href"), "the icon of a problem")
    page.wait_text("[data-role=announcement]", "orders: failing since version 3 changed its endpoint: ")
    port = dead_port(orders)
    page.wait_text("[data-tracker=orders] [data-role=collector]", f"127.0.0.1:{port}")
    # The line leads to the tracker, whose row is open, and the URL says so.
    page.show("overview")
    page.click("[data-line=problem] a")
    page.wait_shown("[data-tracker=orders] [data-setting='network.endpoint']")
    page.until(lambda: page.script("return location.hash") == "#trackers/orders?open=orders", "the fragment")


def test_a_rollback_says_what_was_reverted_and_why(orders, open_page):
    page = open_page(orders.url)
    page.wait_text("[data-role=lines]", "Version 2 in use")
    with contextlib.closing(FailingCollector(400)) as collector:
        # Far longer than it takes until twenty requests have failed.
        document = {**orders_document(1000, collector.url), "rollout": {"percent": 100, "bakeSeconds": 100}}
        document["bundles"][0]["emitterConfiguration"] = {"bufferOption": "Single"}
        apply(orders, document)
        page.wait_text("[data-topic=rollout]", "baking on this instance")
        warning = "[data-line=warning][data-topic=document]"

        def is_reverted():
            orders.visitor.get("shipping")
            return any("1000" in text for text in page.texts(warning))
        page.until(is_reverted, "the rollback")
    page.wait_text("[data-role=lines]", "Version 2 in use")
    # Nothing is to be done.
    page.until(lambda: page.attribute("[data-tab=overview]", "data-level") == "warning", "a warning")
    page.show("changes")
    page.wait_text("[data-outcome=reverted]", "1000")


def test_a_canary_for_other_instances_is_no_trouble(start, open_page):
    service = start(document={**REMOTE, "rollout": {"percent": 0}})
    page = open_page(service.url)
    page.wait_text("[data-line=normal][data-topic=document]", "Default version 1 in use")
    page.wait_text("[data-line=news][data-topic=rollout]", "Version 2 is held back: it is rolled out to 0 %")
    assert page.all("[data-line=problem], [data-line=warning], [data-trouble], [data-level]") == []
    assert "▲" not in page.browser.title


def drain(stream):
    """Reads a stream until it or its connection ends."""
    with contextlib.suppress(OSError, http.client.HTTPException):
        while stream.read1():
            pass


def test_a_page_without_a_stream_says_why(service, open_page):
    sockets, readers = [], []
    for _ in range(32):
        connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=PATIENCE)
        connection.request("GET", f"{service.client.path}stream")
        # The answer takes the socket over.
        sockets.append(connection.sock)
        stream = connection.getresponse()
        assert stream.status == 200
        # A stream that is not read is closed once its buffers are full, which makes a place for the page.
        readers.append(threading.Thread(target=drain, args=[stream]))
        readers[-1].start()
    page = open_page(service.url)
    page.wait_connection("polling")
    page.wait_text("[data-role=connection-detail]", "The service gives this page no stream: too many pages are open.")
    for each in sockets:
        each.shutdown(socket.SHUT_RDWR)
    for reader in readers:
        reader.join()


def test_long_names_do_not_widen_a_narrow_page(start, open_page):
    feature = {"enabled": True, "variables": {"v" * 100: {"value": "x" * 400}}}
    document = dict(
        version=2, bundles=[bundle(LONG), bundle("shop", trackerConfiguration={"appid": "shop"})],
        features={"f" * 100: feature})
    service = start(document=document)
    service.client.put(f"features/{'f' * 100}/variables/{'v' * 100}", "y" * 400)
    page = open_page(service.url)
    page.browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride", dict(width=390, height=844, deviceScaleFactor=1, mobile=True))
    page.wait_shown("[data-exception=override]")
    page.wait_text("[data-warning]", "(line ")
    page.until(lambda: page.script("return document.documentElement.scrollWidth") <= 390, "a narrow overview")
    page.show("trackers")
    page.click(f"[data-tracker={LONG}] [data-role=open]")
    page.wait_shown(f"[data-tracker={LONG}] [data-setting]")
    page.until(lambda: page.script("return document.documentElement.scrollWidth") <= 390, "narrow trackers")


def test_many_trackers_are_filtered_which_the_url_keeps(start, open_page):
    names = [f"tracker-{index:02d}" for index in range(50)]
    service = start(document=dict(version=2, bundles=[bundle(name) for name in names]), default=None)
    page = open_page(service.url, "#trackers")

    def shown():
        return page.attributes("[data-tracker]", "data-tracker")

    page.until(lambda: shown() == names, "fifty rows")
    page.type("[data-view=trackers] [data-role=filter]", "-4", Keys.TAB)
    page.until(lambda: shown() == names[40:], "ten rows")
    page.browser.refresh()
    page.until(lambda: shown() == names[40:], "the same rows after a reload")
    page.wait_text("[data-view=trackers] [data-role=shown]", "10 of 50 trackers")
    page.type("[data-view=trackers] [data-role=filter]", "nowhere")
    page.wait_text("[data-view=trackers] [data-role=shown]", "Nothing matches.")


def test_a_reset_override_comes_back_as_it_was(service, open_page):
    details = {"value": 12, "by": "dana", "note": "INC-412"}
    status, answer = service.client.ask("PUT", "features/checkout/variables/retryLimit", details)
    assert status == 200, answer
    page = open_page(service.url)
    row = "[data-exception=override][data-subject=checkout][data-name=retryLimit]"
    page.wait_text(f"{row} [data-label=Source]", "by dana, “INC-412”")
    page.wait_text(f"{row} [data-label=Document]", "3")
    page.click(f"{row} [data-role=reset-override]")
    page.wait_text("[data-role=notice]", "The override of checkout.retryLimit is removed.")
    assert service.client.value("checkout", "retryLimit") == (3, "remote, version 2")
    page.click("[data-role=undo]")
    page.wait_text(f"{row} [data-label=Source]", "by dana, “INC-412”")
    assert service.client.value("checkout", "retryLimit") == (12, "override")


def test_a_reset_is_logged_with_the_name_that_the_browser_knows(start, open_page):
    service = start("--log-level", "info")
    service.client.put("features/checkout/variables/rate", 0.75)
    page = open_page(service.url)
    page.wait_shown("[data-exception=override]")
    page.script("localStorage.setItem('console.author', 'dana')")
    page.click("[data-exception=override] [data-role=reset-override]")
    service.program.wait_for(r"dana removed the override of checkout\.rate, 0\.75 → 0\.25")
    page.script("localStorage.clear()")


def test_few_trackers_need_no_filter_and_a_full_collector_column_is_read(start, open_page):
    host = "collector-us.prod1.example.com"
    page = open_page(start(document=dict(version=2, bundles=[bundle("checkout", f"https://{host}")])).url, "#trackers")
    page.emulate(1280, 800)
    page.wait_text("[data-tracker=checkout] [data-role=collector]", host)
    assert not page.is_shown("[data-view=trackers] [data-role=filter]")
    text = "{ const { width, height } = element.getBoundingClientRect(); return [width, height]; }"
    width, height = page.read("[data-role=collector]", f"(() => {text})()")
    assert width > 250 and height < 40


def test_a_paused_tracker_is_not_shown_as_failing(service, open_page):
    page = open_page(service.url, "#trackers")
    page.wait_shown("[data-tracker=shop]")
    shop = service.client.get("live")["trackers"]["shop"]
    failing = {**shop, "isFailing": True, "failingSince": 1, "failuresInARow": 2, "waiting": 3}
    paused = {**failing, "isFailing": False, "isPaused": True}
    keys = page.script("return arguments[0].map(tracker => standingOf(tracker).key)", [failing, paused])
    assert keys == ["failing", "paused"]


def test_times_are_in_utc_until_the_user_wants_their_own_zone(service, open_page):
    page = open_page(service.url)
    page.wait_text("[data-line=normal][data-topic=document]", " UTC (")
    page.choose_of_menu("zone")
    page.until(lambda: " UTC" not in page.text("[data-line=normal][data-topic=document]"), "another zone")
    page.choose_of_menu("zone")
    page.wait_text("[data-line=normal][data-topic=document]", " UTC (")
    page.script("localStorage.clear()")
