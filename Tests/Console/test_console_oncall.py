"""What an operator must see at once: failing collectors, a rollback, a canary for others, a silent service."""
import contextlib
import http.client
import re
import socket
import threading

from samples import REMOTE, bundle, orders_document
from selenium.webdriver.common.keys import Keys
from services import PATIENCE, FailingCollector, free_port

LONG = "a-namespace-that-has-no-blank-" * 4


def dead(number, **more):
    """The example's document with a collector that refuses connections."""
    return {**orders_document(number, f"http://127.0.0.1:{free_port()}"), **more}


def apply(orders, document):
    orders.publish(**document)
    orders.client.refresh(document["version"])


def test_failing_collectors_are_told_on_every_view(orders, open_page):
    page = open_page(orders.url)
    page.use_token(orders.token)
    page.wait_text("[data-topic=tracker]", "(1 tracker)")
    apply(orders, dead(3))
    for _ in range(3):
        orders.visitor.get("shipping")
    for view in ["overview", "features", "experiments", "difference", "trackers"]:
        page.show(view)
        page.wait_text("[data-line=problem][data-topic=tracker][data-namespace=orders]", "orders: failing since version 3 changed its endpoint: ")
    page.until(lambda: page.browser.title.startswith("▲ 1 problem – Version 3"), "the title")
    page.wait_attribute("[data-tab=trackers]", "data-level", "problem")
    page.until(lambda: "path" in page.attribute("link[rel=icon]", "href"), "the icon of a problem")
    page.wait_text("[data-role=announcement]", "orders: failing since version 3 changed its endpoint: ")
    page.wait_text("[data-chip=failing]", "Failing 1")
    # The line leads to the tracker, whose row is open, and the URL says so.
    page.show("overview")
    page.click("[data-line=problem] a")
    page.wait_shown("[data-tracker=orders] [data-setting='network.endpoint']")
    page.until(lambda: page.script("return location.hash") == "#trackers/orders?open=orders", "the fragment")


def test_a_rollback_says_what_was_reverted_and_why(orders, open_page):
    page = open_page(orders.url)
    page.use_token(orders.token)
    page.wait_text("[data-role=lines]", "Version 2 in use")
    with contextlib.closing(FailingCollector(400)) as collector:
        # Far longer than it takes until twenty requests have failed.
        document = {**orders_document(1000, collector.url), "rollout": {"percent": 100, "bakeSeconds": 100}}
        document["bundles"][0]["emitterConfiguration"] = {"bufferOption": "Single"}
        apply(orders, document)
        page.wait_text("[data-role=rollout-state]", "baking until")
        problem = "[data-line=problem][data-topic=document]"

        def is_reverted():
            orders.visitor.get("shipping")
            return any("1000" in text for text in page.texts(problem))
        page.until(is_reverted, "the rollback")
    page.wait_text("[data-role=lines]", "Version 2 in use")
    page.wait_text("[data-outcome=reverted][data-trouble]", "1000")
    page.until(lambda: page.browser.title.startswith("▲ ") and "Version 2" in page.browser.title, "the title")


def test_a_canary_for_other_instances_is_no_trouble(start, open_page):
    service = start(document={**REMOTE, "rollout": {"percent": 0}})
    page = open_page(service.url)
    page.wait_text("[data-line=normal][data-topic=document]", "Default version 1 in use")
    page.wait_text("[data-line=news][data-topic=rollout]", "ersion 2")
    page.wait_text("[data-role=rollout-share]", "is not included")
    page.wait_text("[data-role=rollout-state]", "held back")
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
    page.click("[data-role=differences] summary")
    page.wait_shown("[data-difference]")
    page.until(lambda: page.script("return document.documentElement.scrollWidth") <= 390, "a narrow overview")
    page.show("trackers")
    page.click(f"[data-tracker={LONG}] [data-role=open]")
    page.wait_shown(f"[data-tracker={LONG}] [data-setting]")
    page.until(lambda: page.script("return document.documentElement.scrollWidth") <= 390, "narrow trackers")


def test_trackers_are_filtered_sorted_and_kept_in_the_url(start, open_page):
    names = [f"tracker-{index:02d}" for index in range(50)]
    service = start(document=dict(version=2, bundles=[bundle(name) for name in names]), default=None)
    page = open_page(service.url, "#trackers?sort=-namespace")

    def shown():
        return page.attributes("[data-tracker]", "data-tracker")

    page.until(lambda: shown() == names[::-1], "fifty rows from the last to the first")
    page.click("[data-sort=namespace]")
    page.until(lambda: shown() == names, "fifty rows from the first to the last")
    page.type("[data-view=trackers] [data-role=filter]", "-4", Keys.TAB)
    page.until(lambda: shown() == names[40:], "ten rows")
    page.browser.refresh()
    page.until(lambda: shown() == names[40:], "the same rows after a reload")
    page.click("[data-chip=failing]")
    page.wait_text("[data-view=trackers] [data-role=shown]", "Nothing matches.")
    page.until(lambda: re.fullmatch(r"#trackers/-4\?.*only=failing.*", page.script("return location.hash")), "the fragment")


def test_a_reset_override_comes_back_as_it_was(service, open_page):
    details = {"value": 12, "by": "dana", "note": "INC-412"}
    status, answer = service.client.ask("PUT", "features/checkout/variables/retryLimit", details)
    assert status == 200, answer
    page = open_page(service.url)
    row = "[data-exception=override][data-subject=checkout][data-name=retryLimit]"
    page.wait_text(f"{row} [data-label=Source]", "by dana “INC-412”")
    page.wait_text(f"{row} [data-label='Without it']", "3")
    page.click(f"{row} [data-role=reset-override]")
    page.wait_text("[data-role=notice]", "The override of checkout.retryLimit is removed.")
    assert service.client.value("checkout", "retryLimit") == (3, "remote, version 2")
    page.click("[data-role=undo]")
    page.wait_text(f"{row} [data-label=Source]", "by dana “INC-412”")
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


def test_a_paused_tracker_is_not_shown_as_failing(service, open_page):
    page = open_page(service.url, "#trackers")
    page.wait_shown("[data-tracker=shop]")
    [shop] = [each for each in service.client.get("trackers")["trackers"] if each["namespace"] == "shop"]
    failing = {**shop, "isFailing": True, "failingSince": 1, "failuresInARow": 2, "waiting": 3}
    paused = {**failing, "isFailing": False, "isPaused": True}
    keys = page.script("return arguments[0].map(tracker => standingOf(tracker).key)", [failing, paused])
    assert keys == ["failing", "paused"]
    chips = page.script("return arguments[0].map(tracker => isOfChip(tracker, 'failing'))", [failing, paused])
    assert chips == [True, False]


def test_times_are_in_utc_until_the_user_wants_their_own_zone(service, open_page):
    page = open_page(service.url)
    page.wait_text("[data-line=normal][data-topic=document]", " UTC (")
    page.click("[data-role=zone]")
    page.until(lambda: " UTC" not in page.text("[data-line=normal][data-topic=document]"), "another zone")
    page.click("[data-role=zone]")
    page.wait_text("[data-line=normal][data-topic=document]", " UTC (")
    page.script("localStorage.clear()")


def test_the_overview_of_a_large_service_shows_a_hundred_differences_at_a_time(start, open_page):
    features = {f"feature-{index:04d}": {"enabled": True, "variables": {
        name: {"value": index} for name in ["a", "b", "c"]}} for index in range(1000)}
    names = [f"tracker-{index:02d}" for index in range(50)]
    service = start(document=dict(version=2, bundles=[bundle(name) for name in names], features=features), default=None)
    page = open_page(service.url)
    page.wait_text("[data-role=differences-title]", "From version 2: 50 trackers, 1,000 features (3,000 values)")
    page.click("[data-role=differences] summary")
    page.wait_text("[data-view=overview] [data-role=shown]", "shown are 1 to 100.")
    page.type("[data-view=overview] [data-role=filter]", "feature-0999")
    page.wait_text("[data-view=overview] [data-role=shown]", "4 of 4,")
    page.wait_shown("[data-difference=variable][data-subject=feature-0999][data-name=c]")
