"""Features and experiments that the user changes on the page, and what the service then reads."""
from samples import version
from selenium.webdriver.common.keys import Keys


def test_searches_features_by_name_title_and_description(page):
    page.script("location.hash = '#features/e?open=*'")

    def search(text, shown, *rows):
        page.type("[data-view=features] [data-role=filter]", text)
        page.wait_text("[data-view=features] [data-role=shown]", shown)
        page.until(
            lambda: set(page.shown("[data-view=features] [data-variable]", "element.dataset.variable")) == set(rows),
            f"only {rows}")

    search("GREET", "1 of 2 features", "greeting")
    search("results on a page", "1 of 2 features", "pageSize")
    search("tried again", "1 of 2 features", "retryLimit")
    search("nowhere", "Nothing matches.")
    search("c", "2 features", "retryLimit", "countries", "useNewFlow", "rate", "greeting", "limits", "pageSize")


def test_a_switch_that_is_flipped_is_what_the_service_reads(page, service):
    assert service.client.value("checkout", "useNewFlow") == (False, "remote, version 2")
    row = page.row("checkout", "useNewFlow")
    assert page.spoken(f"{row} [data-role=toggle]", "aria_role") == "switch"
    page.click(f"{row} [data-role=toggle]")
    page.wait_text(f"{row} [data-role=value]", "true")
    page.wait_attribute(f"{row} [data-role=toggle]", "aria-checked", "true")
    page.wait_text(f"{row} [data-role=source]", "override")
    page.wait_text(f"{row} [data-role=overridden]", "over false (remote, version 2)")
    assert service.client.value("checkout", "useNewFlow") == (True, "override")
    row = page.row("checkout")
    page.click(f"{row} [data-role=toggle]")
    page.wait_text(f"{row} [data-role=value]", "off")
    assert service.client.is_on("checkout") is False


def test_a_running_service_answers_by_the_value_that_the_user_of_its_login_has_set_on_the_page(orders, open_page):
    assert orders.visitor.get("shipping")["price"] == 4.9
    page = open_page(orders.url, "#features?open=*")
    row = page.edit("shipping", "price")
    # The login has the name, though this browser keeps another one.
    assert page.all(f"{row} [data-role=by]") == []
    page.type(f"{row} [data-role=input]", "1.25", Keys.ENTER)
    page.wait_text("[data-role=notice]", "shipping.price is now 1.25.")
    assert orders.visitor.get("shipping")["price"] == 1.25
    assert [override["by"] for override in orders.client.get("status")["overrides"]] == ["dana"]
    page.click(f"{row} [data-role=reset]")
    page.wait_text(f"{row} [data-role=value]", "4.9")
    assert orders.visitor.get("shipping")["price"] == 4.9


def test_edits_a_value_and_says_what_is_wrong_with_it(page, service):
    for variable, wrong, words, right, value in [
        ("retryLimit", "4.5", "4.5 is not a whole number.", "12", 12),
        ("rate", "much", "much is not a number", "0.5", 0.5),
        ("greeting", None, None, 'Say "hi" & <b>go</b>', 'Say "hi" & <b>go</b>'),
        ("limits", '{"perDay": }', "This is not JSON", '{"perDay": 20}', {"perDay": 20}),
        ("countries", '{"a": 1}', "This is an object; the variable takes an array.", '["US"]', ["US"]),
    ]:
        row = page.edit("checkout", variable)
        if wrong:
            page.type(f"{row} [data-role=input]", wrong)
            page.click(f"{row} [data-role=save]")
            page.wait_text(f"{row} [data-role=error]", words)
            page.wait_attribute(f"{row} [data-role=input]", "aria-invalid", "true")
            assert service.client.value("checkout", variable)[1] == "remote, version 2"
        page.type(f"{row} [data-role=input]", right)
        page.click(f"{row} [data-role=save]")
        page.wait_gone(f"{row} [data-role=editor]")
        page.wait_gone(f"{row} [data-role=error]")
        page.wait_text(f"{row} [data-role=source]", "override")
        assert service.client.value("checkout", variable) == (value, "override")


def test_what_the_service_refuses_is_told_at_the_editor(page, service):
    for variable, value, words in [
        ("retryLimit", "99999999999999999999", "checkout.retryLimit: expected an integer, found a number beyond 64 bits"),
        ("greeting", "x" * 70_000, "The body is larger than the service takes."),
    ]:
        before = service.client.value("checkout", variable)
        row = page.edit("checkout", variable)
        page.act(f"{row} [data-role=input]", "element.value = words[0]", value)
        page.click(f"{row} [data-role=save]")
        page.wait_text(f"{row} [data-role=error]", f"Not saved: {words}")
        assert service.client.value("checkout", variable) == before
        page.click(f"{row} [data-role=cancel]")
        page.wait_gone(f"{row} [data-role=editor]")


def test_a_reset_brings_the_value_below_back(page, service):
    service.client.put("features/checkout/variables/rate", 0.75)
    row = page.row("checkout", "rate")
    page.wait_text(f"{row} [data-role=reset]", "Reset to 0.25 (remote, version 2)")
    page.click(f"{row} [data-role=reset]")
    page.wait_text(f"{row} [data-role=value]", "0.25")
    page.wait_gone(f"{row} [data-role=reset]")
    assert service.client.value("checkout", "rate") == (0.25, "remote, version 2")


def test_an_edit_under_way_survives_what_arrives_and_says_so(start, open_page):
    service = start(default=None)
    page = open_page(service.url, "#features?open=*")
    row = page.edit("checkout", "retryLimit")
    page.type(f"{row} [data-role=input]", "42")
    service.publish(**version(3, retries=8))
    assert service.client.ask("POST", "refresh")[1]["outcome"]["kind"] == "applied"
    page.wait_text(f"{row} [data-role=meanwhile]", "Changed meanwhile: it is now 8 (remote, version 3).")
    page.wait_text(f"{row} [data-role=value]", "8")
    assert page.value(f"{row} [data-role=input]") == "42"
    # Also when the variable goes, and when it comes again.
    gone = version(4)
    del gone["features"]["checkout"]["variables"]["retryLimit"]
    service.publish(**gone)
    service.client.ask("POST", "refresh")
    page.wait_text(f"{row} [data-role=meanwhile]", "It is gone from the configuration meanwhile.")
    assert page.value(f"{row} [data-role=input]") == "42"
    service.publish(**version(5, retries=6))
    service.client.ask("POST", "refresh")
    page.wait_text(f"{row} [data-role=meanwhile]", "it is now 6 (remote, version 5)")
    page.wait_text(f"{row} [data-role=save]", "Save all the same")
    page.click(f"{row} [data-role=save]")
    page.wait_text(f"{row} [data-role=value]", "42")
    assert service.client.value("checkout", "retryLimit") == (42, "override")


def test_a_variant_is_forced_and_let_go(page, service):
    card = "[data-experiment=checkout_01]"
    page.wait_shown(f"{card} [data-variant=fast]")
    page.click(f"{card} [data-force=fast]")
    page.wait_text("[data-role=confirm-text]", "All units of this service get the variant fast of checkout_01")
    page.click("[data-role=keep]")
    assert service.client.get("features")["experiments"][0]["forced"] is None
    page.click(f"{card} [data-force=fast]")
    page.type("[data-role=confirm] [data-role=by]", "dana")
    page.type("[data-role=confirm] [data-role=note]", "INC-412")
    page.click("[data-role=do]")
    page.wait_text(f"{card} [data-role=override]", "by dana, “INC-412”")
    page.wait_text(f"{card} [data-mark=forced]", "forced: fast")
    asked = {"units": {"userId": "u-1"}}
    [given] = service.client.ask("POST", "assignments", asked)[1]["assignments"]
    assert (given["variant"], given["reason"]) == ("fast", "forced")
    page.show("overview")
    page.wait_text("[data-exception=override][data-subject=checkout_01] [data-label=Value]", "fast")
    page.show("features")
    page.click(f"{card} [data-role=stop-forcing]")
    page.wait_gone(f"{card} [data-mark=forced]")
    [given] = service.client.ask("POST", "assignments", asked)[1]["assignments"]
    assert given["reason"] == "assigned"


def test_tells_what_a_typed_unit_is_given(page, service):
    page.show("users")
    for user in ["u-1", "u-2", "u-3"]:
        [given] = service.client.ask("POST", "assignments", {"units": {"userId": user}})[1]["assignments"]
        page.type("[data-unit=userId]", user, Keys.ENTER)
        page.wait_text("[data-role=asked]", f'userId "{user}"')
        page.wait_text("[data-assignment=checkout_01][data-reason=assigned] [data-label=Variant]", given["variant"])
        page.wait_text("[data-assignment=checkout_01] [data-label=Why]", f"userId '{user}' is at ")
    page.type("[data-unit=userId]", "", Keys.ENTER)
    page.wait_text("[data-assignment=checkout_01][data-reason=noUnit] [data-label=Why]", "userId")
    service.client.put("experiments/checkout_01/variant", "fast")
    page.wait_text("[data-role=assignments] [data-role=warning]", "Features or experiments have changed since")
    assert service.client.get("features")["counters"]["exposuresTracked"] == 0


def test_a_switch_is_reached_and_flipped_by_the_keyboard_alone(page, service):
    def has_focus(hook):
        return page.script("return document.activeElement.matches(arguments[0])", hook)

    row = page.row("checkout")
    for _ in range(80):
        page.press(Keys.TAB)
        if has_focus(f"{row} [data-role=toggle]"):
            break
    assert has_focus(f"{row} [data-role=toggle]")
    page.press(Keys.SPACE)
    page.wait_text(f"{row} [data-role=value]", "off")
    assert has_focus(f"{row} [data-role=toggle]")
    assert service.client.is_on("checkout") is False
    # Escape leaves an editor in which nothing was typed.
    page.press(Keys.TAB)
    assert has_focus(f"{row} [data-role=edit]")
    page.press(Keys.ENTER)
    page.until(lambda: has_focus(f"{row} [data-role=input]"), "the focus in the editor")
    page.press(Keys.ESCAPE)
    page.wait_gone(f"{row} [data-role=editor]")
    page.until(lambda: has_focus(f"{row} [data-role=edit]"), "the focus back")
