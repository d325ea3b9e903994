"""The moments of failure: what the page says then, in which order, and that it can be read."""
import contextlib
import signal

import pytest
from samples import bundle, version
from services import DemoShop, FailingCollector, free_port

SIZES = {"desktop": (1440, 900), "phone": (390, 844)}


@pytest.fixture
def shop(tmp_path):
    shop = DemoShop(tmp_path / "shop")
    yield shop
    shop.end()


@pytest.fixture
def failing():
    """Starts collectors that answer with a status."""
    with contextlib.ExitStack() as collectors:
        def start(status):
            collector = FailingCollector(status)
            collectors.callback(collector.close)
            return collector.url
        yield start


def refused():
    return f"http://127.0.0.1:{free_port()}"


def expect_no_barrier(page):
    """In both schemes, on a desktop and on a phone: axe finds nothing, and the page is not too wide."""
    for scheme in ["light", "dark"]:
        for width, height in SIZES.values():
            page.emulate(width, height, scheme)
            assert page.axe() == [], (scheme, width)
            assert page.script("return document.documentElement.scrollWidth") <= width


def standings(page):
    return page.reads("[data-tracker]", "[element.dataset.tracker, element.dataset.mark]")


def test_all_collectors_fail_and_lost_events_come_before_delayed_ones(shop, failing, open_page):
    page = open_page(shop.url, "#trackers")
    page.emulate(1440, 900)
    page.wait_text("[data-view=trackers] [data-role=total]", "none dropped in the last hour")
    # The 400 loses events, the others delay them.
    endpoints = {"search": refused(), "checkout": failing(503), "payments": failing(400)}
    shop.publish(1000, endpoints)
    page.until(lambda: standings(page)[0] == ["payments", "losing"] and {mark for _, mark in standings(page)} == {"losing", "failing"},
               lambda: f"payments first: {standings(page)}")
    reason = "[data-tracker=payments] [data-role=reason]"
    page.wait_text(reason, f"{endpoints['payments'].removeprefix('http://')} answered 400")
    assert ", 0 failures" not in page.text("[data-view=trackers]")
    page.wait_text("[data-tracker=payments] [data-role=status]", "losing events")
    page.wait_text("[data-tracker=checkout] [data-role=collector]", endpoints["checkout"].removeprefix("http://"))
    page.until(lambda: page.text("[data-view=trackers] [data-role=total]").split()[0] != "0", "events that wait")
    page.wait_text("[data-view=trackers] [data-role=total]", "dropped in the last hour")
    # Names and collectors are one line each at 1280 px too, and a reason is not cut.
    page.emulate(1280, 800)
    for hook in ["[data-tracker] [data-role=open]", "[data-tracker] [data-role=collector]"]:
        def heights():
            return page.shown(hook, "element.firstChild && (range => { range.selectNodeContents(element); "
                              "return range.getBoundingClientRect().height; })(document.createRange())")
        page.until(lambda: len(heights()) == 3 and max(heights()) < 24, lambda: f"one line each of {hook}: {heights()}")
    assert page.reads("[data-role=reason] span", "element.scrollWidth <= element.closest('td').clientWidth") == [True] * 3
    assert min(page.shown("[data-tracker] [data-role=open]", "element.closest('th').clientWidth")) > 100
    expect_no_barrier(page)
    # What began with a version leads to what it changed.
    page.emulate(1440, 900)
    page.click("[data-tracker=checkout] [data-role=reason] a")
    page.wait_text("[data-view=changes] [data-role=to]", "Version 1000, in use")
    page.until(lambda: any(endpoints["checkout"] in text for text in page.texts("[data-role=difference] li")), "the collector")
    page.show("overview")
    page.wait_text("[data-view=overview] [data-role=total]", "waiting")
    page.until(lambda: page.text("[data-role=problems]").startswith("▲ "), "the problems in the bar")
    expect_no_barrier(page)


def test_after_a_recovery_the_last_failing_response_is_still_told(shop, failing, open_page):
    page = open_page(shop.url, "#trackers")
    good = {name: shop.collector for name in ["checkout", "search"]}
    shop.publish(1000, {**good, "payments": failing(400)})
    page.wait_text("[data-tracker=payments][data-mark=losing] [data-role=reason]", " answered 400")
    shop.publish(1001, {**good, "payments": shop.collector})
    page.wait_text("[data-tracker=payments][data-mark=dropping] [data-role=status]", "lost events")
    page.wait_text("[data-tracker=payments] [data-role=reason]", " answered 400)")
    assert "200" not in page.text("[data-tracker=payments] [data-role=reason]")
    expect_no_barrier(page)


def test_a_canary_on_a_canary_is_reverted_to_what_was_proven(shop, open_page):
    page = open_page(shop.url)
    good = {name: shop.collector for name in ["checkout", "search", "payments"]}
    shop.publish(900, good)
    shop.client.wait_for_version(900)
    shop.publish(1000, good, rollout={"percent": 100, "bakeSeconds": 600})
    page.wait_text("[data-line=news][data-topic=rollout]", "Version 1000, canary 100 %: baking on this instance, ")
    dead = refused()
    shop.publish(2000, dict.fromkeys(good, dead), rollout={"percent": 100, "bakeSeconds": 40})
    # While it bakes: how many requests of each tracker fail, and when the verdict falls.
    page.wait_text("[data-line=warning][data-topic=rollout]", " requests failed")
    page.wait_text("[data-line=warning][data-topic=rollout]", "; reverts within ")
    expect_no_barrier(page)
    line = "[data-line=warning][data-topic=document]"
    page.wait_text(line, "ersion 2000 was reverted")
    page.wait_text(line, "version 900 is back")
    page.wait_text("[data-role=lines]", "Version 900 in use")
    page.wait_shown("[data-role=hour] [data-track=reverted] [data-kind=reverted]")
    expect_no_barrier(page)
    page.emulate(1440, 900)
    page.click(f"{line} [data-version='2000']")
    page.wait_text("[data-outcome=reverted][data-trouble]", "2000")
    page.until(lambda: any(dead in text for text in page.texts("[data-role=difference] li")), "the collector of version 2000")
    choices = "[data-view=changes] [data-role=to] option"
    page.until(lambda: "Version 2000, reverted" in page.texts(choices), lambda: f"the reverted version: {page.texts(choices)}")
    assert "Version 2000, in use before" not in page.texts(choices)
    expect_no_barrier(page)


def test_an_override_is_told_after_its_removal(service, open_page):
    page = open_page(service.url)
    details = {"value": 12, "by": "dana", "note": "INC-412"}
    assert service.client.ask("PUT", "features/checkout/variables/retryLimit", details)[0] == 200
    page.wait_shown("[data-exception=override]")
    assert service.client.ask("DELETE", "features/checkout/variables/retryLimit?by=dana")[0] == 200
    page.wait_gone("[data-exception=override]")
    page.wait_shown("[data-role=hour] [data-track=overrides] [data-kind=overrideSet]")
    expect_no_barrier(page)
    page.show("changes")
    page.wait_text("[data-outcome=overrideSet]", "dana set checkout.retryLimit 3 → 12: INC-412")
    page.wait_text("[data-outcome=overrideRemoved]", "dana removed the override of checkout.retryLimit")
    expect_no_barrier(page)


def test_a_service_that_hangs_is_told_wherever_the_page_is_scrolled_to(service, open_page):
    page = open_page(service.url, "#changes")
    page.emulate(1440, 300)
    page.wait_connection("live")
    page.wait_text("[data-role=connection]", "Connected")
    page.wait_shown("[data-role=history] li")
    page.script("scrollTo(0, document.body.scrollHeight)")
    bright = page.read("main", "getComputedStyle(element).color")
    service.program.process.send_signal(signal.SIGSTOP)
    try:
        page.wait_connection("silent")
        page.wait_text("[data-role=connection]", "No answer since ")
        page.until(lambda: page.browser.title.startswith("(no answer) "), "the title")
        seen = "{ const { top, bottom } = element.getBoundingClientRect(); return top >= 0 && bottom <= innerHeight; }"
        assert page.read("[data-role=connection]", f"(() => {seen})()")
        assert page.script("return scrollY") > 0
        page.wait_text("[data-role=stale]", "Out of date: what is below was true at ")
        page.until(lambda: page.read("main", "getComputedStyle(element).color") != bright, "a pale text")
        # How old things are is not known any more, so that it stands still.
        ages = page.texts("[data-role=history] time")
        page.wait_ticks(3)
        assert page.texts("[data-role=history] time") == ages
        expect_no_barrier(page)
    finally:
        service.program.process.send_signal(signal.SIGCONT)
    page.wait_connection("live")
    page.until(lambda: page.texts("[data-role=history] time") != ages, "ages that go on")
    page.wait_gone("[data-role=stale]")


def test_the_last_hour_keeps_what_was_applied_among_much_else(start, open_page):
    service = start()
    for number in range(3, 23):
        service.publish(number, [bundle("shop", number)])
        service.client.ask("POST", "refresh")
    page = open_page(service.url)
    page.wait_shown("[data-track=rejected]")
    assert page.attribute("[data-track=applied]", "aria-label").endswith(" applied 2")
    assert len(page.all("[data-track=rejected] [data-kind=rejected]")) == 20
    page.wait_text("[data-role=hour-legend]", "retried")
    assert "No event in the last hour, from " in page.attribute("[data-role=hour] svg", "aria-label")
    page.emulate(390, 844)
    for hook in ["[data-role=hour] .axis span", "[data-role=hour] .scale span"]:
        assert max(page.shown(hook, "element.getBoundingClientRect().height")) < 24
    expect_no_barrier(page)


def test_on_a_phone_the_first_status_line_comes_before_buttons_and_tabs(service, open_page):
    page = open_page(service.url)
    page.emulate(390, 844)
    page.wait_shown("[data-line]")
    top = "element.getBoundingClientRect().top"
    first = page.read("[data-line]", top)
    for hook in ["[data-role=refresh]", "[data-tab=overview]"]:
        assert page.read(hook, top) > first, hook
    assert first < 150
    # The tabs are in one row, on the first screen.
    assert len(set(page.reads("[data-tab]", top))) == 1 and page.read("[data-tab=overview]", top) < 400


def test_the_notice_does_not_cover_the_first_column(start, open_page):
    features = {f"feature-{index:02d}": {"enabled": True} for index in range(40)}
    page = open_page(start(document={**version(2), "features": features}).url, "#features")
    for width, feature in [(1024, "feature-20"), (1440, "feature-22")]:
        page.emulate(width, 700)
        page.click(f"{page.row(feature)} [data-role=toggle]")
        page.wait_text("[data-role=notice]", f"{feature} is now off, for 4 hours.")
        left = page.read(".notice", "element.getBoundingClientRect().left")
        assert left >= max(page.shown("[data-view=features] [data-role=title]", "element.getBoundingClientRect().right")), width


def test_a_change_asks_for_a_name_that_this_browser_does_not_know(service, open_page):
    page = open_page(service.url, "#features?open=*")
    page.script("localStorage.removeItem('console.author')")
    row = page.row("checkout", "useNewFlow")
    page.click(f"{row} [data-role=toggle]")
    page.wait_text("[data-role=confirm]", "Your name")
    page.click("[data-role=do]")
    page.wait_text("[data-role=confirm-error]", "enter your name")
    assert service.client.value("checkout", "useNewFlow") == (False, "remote, version 2")
    page.type("[data-role=confirm] [data-role=by]", "dana")
    assert page.axe() == []
    page.click("[data-role=do]")
    page.wait_text(f"{row} [data-role=override]", "by dana")
    # The next change does not ask.
    page.click(f"{row} [data-role=reset]")
    page.wait_text(f"{row} [data-role=value]", "false")
    # An editor offers four hours.
    row = page.edit("checkout", "rate")
    assert page.value(f"{row} [data-role=expiry]") == "14400"
    page.click(f"{row} [data-role=cancel]")


def test_a_version_that_is_held_back_because_of_its_processes_is_released(service, open_page):
    for _ in range(3):
        service.end()
        service.start()
    page = open_page(service.url)
    page.wait_text("[data-line=problem]", "Version 2 is held back: 3 processes in a row ended within 30 s")
    page.click("[data-line=problem] [data-role=release]")
    page.wait_text("[data-role=lines]", "Version 2 in use")
    page.wait_gone("[data-role=release]")
