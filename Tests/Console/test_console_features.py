"""The list of features: how it is searched, chosen, sorted and opened, who overrides what, and what is undone."""
import datetime

from samples import REMOTE, large_features, version
from selenium.webdriver.common.keys import Keys

SHOWN = "[data-view=features] [data-role=shown]"


def rows(page):
    return page.attributes("[data-view=features] tbody[data-switch]", "data-feature")


def test_a_feature_is_one_block_even_if_its_variables_have_groups(page):
    assert len(page.all("[data-view=features] tbody[data-feature=checkout]")) == 1
    block = page.row("checkout")
    variables = page.attributes(f"{block} [data-variable]", "data-variable")
    assert variables == ["countries", "greeting", "limits", "rate", "retryLimit", "useNewFlow"]
    page.wait_text(f"{page.row('checkout', 'retryLimit')} [data-role=type]", "integer, Payment")


def test_details_are_opened_on_demand_and_survive_a_reload(service, open_page):
    page = open_page(service.url, "#features")
    page.wait_shown(page.row("checkout"))
    assert page.all("[data-view=features] [data-variable]") == []
    page.click(f"{page.row('search')} [data-role=open]")
    page.wait_shown(page.row("search", "pageSize"))
    page.wait_attribute(f"{page.row('search')} [data-role=open]", "aria-expanded", "true")
    page.browser.refresh()
    page.wait_shown(page.row("search", "pageSize"))
    assert page.all("[data-variable=retryLimit]") == []
    page.click(f"{page.row('search')} [data-role=open]")
    page.wait_gone(page.row("search", "pageSize"))
    page.until(lambda: "search" not in page.script("return location.hash"), "a fragment without it")


def test_the_filter_is_in_the_url_and_survives_a_reload(service, open_page):
    page = open_page(service.url, "#features/rate")
    page.wait_text(SHOWN, "1 of 2 features")
    # It leads to the value that matches.
    page.wait_shown(page.row("checkout", "rate"))
    page.until(lambda: rows(page) == ["checkout"] and page.all("[data-variable=greeting]") == [], "this value alone")
    page.type("[data-view=features] [data-role=filter]", "pageSize")
    page.until(lambda: rows(page) == ["search"], "the other one")
    page.browser.refresh()
    page.until(lambda: rows(page) == ["search"], "the same after a reload")
    assert page.value("[data-view=features] [data-role=filter]") == "pageSize"


def test_few_features_need_no_filter(service, open_page):
    page = open_page(service.url, "#features")
    page.wait_shown(page.row("search"))
    assert not page.is_shown("[data-view=features] [data-role=filter]")


def test_rules_and_experiments_change_no_value_that_is_overridden(page, service):
    row = page.row("checkout", "retryLimit")
    page.wait_text(f"{row} [data-role=experiments]", "Experiment checkout_01 can change this.")
    service.client.put("features/checkout/variables/retryLimit", 12)
    page.wait_text(f"{row} [data-role=source]", "override")
    page.wait_gone(f"{row} [data-role=experiments]")


def test_a_switch_and_an_edit_are_undone_by_the_notice(page, service):
    row = page.row("checkout", "useNewFlow")
    page.click(f"{row} [data-role=toggle]")
    page.wait_text("[data-role=notice]", "checkout.useNewFlow is now true, for 4 hours.")
    assert service.client.value("checkout", "useNewFlow") == (True, "override")
    page.click("[data-role=undo]")
    page.wait_text(f"{row} [data-role=value]", "false")
    assert service.client.value("checkout", "useNewFlow") == (False, "remote, version 2")
    # What comes back is the override that was there.
    service.client.put("features/checkout/variables/rate", 0.5)
    page.wait_text(f"{page.row('checkout', 'rate')} [data-role=value]", "0.5")
    row = page.edit("checkout", "rate")
    page.wait_text(f"{row} [data-role=caution]", "An override is in effect")
    page.type(f"{row} [data-role=input]", "0.75", Keys.ENTER)
    page.wait_text(f"{row} [data-role=value]", "0.75")
    page.click("[data-role=undo]")
    page.wait_text(f"{row} [data-role=value]", "0.5")
    assert service.client.value("checkout", "rate") == (0.5, "override")


def test_a_double_click_leaves_what_an_undo_restores(page, service):
    def click_twice(hook):
        page.act(hook, "element.click(); element.click()")

    row = page.row("checkout", "useNewFlow")
    click_twice(f"{row} [data-role=toggle]")
    page.wait_text("[data-role=notice]", "checkout.useNewFlow is now true, for 4 hours.")
    page.until(lambda: page.attribute(f"{row} [data-role=toggle]", "aria-disabled") is None, "changeable")
    page.click("[data-role=undo]")
    page.wait_text("[data-role=notice]", "It is undone.")
    assert service.client.value("checkout", "useNewFlow") == (False, "remote, version 2")
    service.client.put("features/checkout/variables/rate", 0.75)
    row = page.row("checkout", "rate")
    page.wait_shown(f"{row} [data-role=reset]")
    click_twice(f"{row} [data-role=reset]")
    page.wait_text("[data-role=notice]", "The override of checkout.rate is removed.")
    page.click("[data-role=undo]")
    page.wait_text("[data-role=notice]", "It is undone.")
    assert service.client.value("checkout", "rate") == (0.75, "override")


def test_an_undo_restores_what_it_can_and_names_the_rest(start, open_page):
    service = start(default=None)
    # In the order in which they are restored.
    service.client.put("features/checkout/variables/rate", 0.75)
    service.client.put("features/checkout/variables/retryLimit", 12)
    page = open_page(service.url, "#features?open=*")
    page.wait_text("[data-role=remove-overrides]", "(2 overrides)")
    page.click("[data-role=remove-overrides]")
    page.click("[data-role=do]")
    page.wait_text("[data-role=notice]", "All overrides are removed.")
    gone = version(3)
    del gone["features"]["checkout"]["variables"]["rate"]
    service.publish(**gone)
    assert service.client.ask("POST", "refresh")[1]["outcome"]["kind"] == "applied"
    page.click("[data-role=undo]")
    page.wait_text("[data-role=notice]", "Not all is undone: there is no variable 'checkout.rate'")
    page.wait_text(f"{page.row('checkout', 'retryLimit')} [data-role=value]", "12")
    assert service.client.value("checkout", "retryLimit") == (12, "override")


def test_removing_all_overrides_is_confirmed_and_can_be_undone(page, service):
    service.client.put("features/checkout/variables/rate", 0.75)
    service.client.put("features/checkout/enabled", False)
    service.client.put("experiments/checkout_01/variant", "fast")
    page.wait_text("[data-role=remove-overrides]", "Remove all overrides (2 overrides and 1 forced variant)")
    page.click("[data-role=remove-overrides]")
    page.click("[data-role=keep]")
    assert service.client.value("checkout", "rate") == (0.75, "override")
    page.click("[data-role=remove-overrides]")
    page.click("[data-role=do]")
    page.wait_gone("[data-role=remove-overrides]")
    assert service.client.value("checkout", "rate") == (0.25, "remote, version 2")
    assert service.client.get("features")["experiments"][0]["forced"] is None
    page.click("[data-role=undo]")
    page.wait_text("[data-role=remove-overrides]", "(2 overrides and 1 forced variant)")
    assert service.client.value("checkout", "rate") == (0.75, "override")
    assert service.client.is_on("checkout") is False
    assert service.client.get("features")["experiments"][0]["forced"] == "fast"


def test_an_override_says_who_set_it_why_and_until_when(page, service):
    row = page.edit("checkout", "retryLimit")
    page.type(f"{row} [data-role=input]", "12")
    page.type(f"{row} [data-role=by]", "dana")
    page.type(f"{row} [data-role=note]", "INC-412")
    page.act(f"{row} [data-role=expiry]", "element.value = '3600'")
    page.click(f"{row} [data-role=save]")
    page.wait_text(f"{row} [data-role=override]", "by dana, “INC-412”, until ")
    [checkout, _] = service.client.get("features")["features"]
    [found] = [each for each in checkout["variables"] if each["name"] == "retryLimit"]
    override = found["override"]
    assert (override["by"], override["note"]) == ("dana", "INC-412")
    time, expiry = (datetime.datetime.fromisoformat(override[name]) for name in ("time", "expiry"))
    assert abs((expiry - time).total_seconds() - 3600) < 600
    # The browser knows the name from now on, for switches too.
    page.click(f"{page.row('search')} [data-role=toggle]")
    page.wait_text(f"{page.row('search')} [data-role=override]", "by dana")
    page.script("localStorage.clear()")


def test_a_feature_that_was_evaluated_is_not_stale(orders, open_page):
    orders.visitor.get("shipping", X_User_Id="u-1")
    page = open_page(orders.url, "#features?open=*")
    page.wait_shown(page.row("shipping"))
    page.until(lambda: "ago" in page.text(f"{page.row('shipping')} [data-role=evaluated]")
               or "just now" in page.text(f"{page.row('shipping')} [data-role=evaluated]"), "a time")
    assert page.all(f"{page.row('shipping')} [data-mark=stale]") == []


def test_a_feature_of_a_young_process_is_not_evaluated_yet_and_not_stale(service, open_page):
    page = open_page(service.url, "#features")
    page.wait_text(f"{page.row('checkout')} [data-role=evaluated]", "not evaluated yet")
    assert page.all("[data-mark=stale]") == []


def test_of_a_thousand_features_the_first_are_shown_and_all_are_searched(start, open_page):
    large = {**REMOTE, "features": large_features(1001, 2)}
    page = open_page(start(document=large, default=None).url, "#features")
    page.wait_text(SHOWN, "1,000 features")
    page.wait_text("[data-role=cut]", "The first 200 are shown; filter to see others.")
    page.wait_text("[data-role=cut]", "The service sends the first 1,000 of 1,001 features.")
    page.until(lambda: len(rows(page)) == 200, "two hundred rows")
    # What is in no row that was seen.
    page.type("[data-view=features] [data-role=filter]", "Limit 987")
    page.wait_text(SHOWN, "1 of 1,000 features")
    page.wait_text(f"{page.row('feature-0987', 'limit')} [data-role=value]", "989")


def test_an_edit_of_what_the_search_leaves_out_stays(page, service):
    page.script("location.hash = '#features/e?open=*'")
    page.wait_shown("[data-view=features] [data-role=filter]")
    row = page.edit("checkout", "rate")
    page.type(f"{row} [data-role=input]", "0.5")
    page.type("[data-view=features] [data-role=filter]", "pageSize")
    page.wait_text(f"{row} [data-role=meanwhile]", "The list does not have it any more.")
    assert page.value(f"{row} [data-role=input]") == "0.5"
    page.click(f"{row} [data-role=cancel]")
    page.wait_gone(row)
