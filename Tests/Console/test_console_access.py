"""Who may look and change, and what foreign names and texts cannot do to a page."""
import pytest
from samples import EXPERIMENT, bundle, features, variable
from selenium.webdriver.common.keys import Keys

SCRIPT = "<script>alert(1)</script>"
IMAGE = "\"><img src=x onerror=alert(1)>"
BIDI = "abc\u202egnp.exe"
HOSTILE = [SCRIPT, IMAGE, BIDI, "__proto__", "'-alert(1)-'", "</style><script>alert(1)</script>"]


def test_a_wrong_token_is_refused_and_the_right_one_opens(start, open_page):
    service = start("--token", "secret")
    page = open_page(service.url)
    page.wait_connection("locked")
    page.wait_shown("[data-role=token-form]")
    # There was no attempt that could have failed.
    page.wait_gone("[data-role=token-form] [data-role=error]")
    assert not page.is_shown("[data-view=overview]")
    # Nothing that does nothing yet.
    for hook in ["[data-tab=trackers]", "[data-role=refresh]", "[data-role=download]"]:
        assert not page.is_shown(hook), hook
    page.use_token("guess")
    page.wait_text("[data-role=token-form] [data-role=error]", "the token is wrong")
    page.use_token("secret")
    page.wait_text("[data-role=lines]", "Version 2 in use")
    page.wait_connection("live")
    assert "secret" not in page.browser.current_url
    # The tab keeps it.
    page.browser.refresh()
    page.wait_text("[data-role=lines]", "Version 2 in use")


def test_a_token_that_is_forgotten_is_asked_for_again(start, open_page):
    page = open_page(start("--token", "secret").url)
    page.use_token("secret")
    page.wait_text("[data-role=lines]", "Version 2 in use")
    page.choose_of_menu("forget-token")
    page.wait_shown("[data-role=token-form]")
    page.wait_gone("[data-role=token-form] [data-role=error]")
    assert page.script("return [{ ...sessionStorage }, { ...localStorage }, document.cookie]") == [{}, {"console.author": "kim"}, ""]
    assert "Version 2" not in page.script("return document.body.textContent")


def test_read_only_shows_all_and_offers_no_change(start, open_page):
    service = start(allows_changes=False)
    page = open_page(service.url)
    page.wait_text("[data-role=read-only]", "read-only")
    assert not page.read("[data-role=refresh]", "!element.disabled")
    page.wait_text("[data-role=refresh-reason]", "Read-only")
    for view, part in [("features", page.row("checkout", "rate")), ("features", "[data-experiment=checkout_01]")]:
        page.show_values() if view == "features" else page.show(view)
        page.wait_shown(part)
        page.wait_gone("[data-changing]")
        for role in ("edit", "toggle", "reset", "force"):
            page.wait_gone(f"[data-view={view}] [data-role={role}]")
    for method, path, body in [
        ("PUT", "features/checkout/variables/rate", 1), ("DELETE", "overrides", None), ("POST", "refresh", None),
    ]:
        assert service.client.ask(method, path, body)[0] == 403
    assert service.client.value("checkout", "rate") == (0.25, "remote, version 2")
    # To ask who gets what changes nothing.
    page.show("users")
    page.type("[data-unit=userId]", "u-1", Keys.ENTER)
    page.wait_shown("[data-assignment=checkout_01]")


@pytest.fixture
def hostile(start):
    named = {name: {"enabled": True, "variables": {name: variable(name, title=name, description=name, group=name)}}
             for name in HOSTILE}
    experiments = [{"id": name, "unit": name, "variants": [
        {"name": name, "weight": 1, "values": {name: {name: name}}}, {"name": "other", "weight": 1}]}
        for name in HOSTILE]
    return start(document=dict(
        version=2, bundles=[bundle(name, trackerConfiguration={"appId": name}) for name in HOSTILE],
        features={**features(3, ["US"]), **named}, experiments=[EXPERIMENT, *experiments],
        meta={name: name for name in HOSTILE}))


def test_hostile_names_are_shown_as_text_and_run_nothing(hostile, open_page):
    page = open_page(hostile.url)
    shown = [name.replace(BIDI, "abc\\u202egnp.exe") for name in HOSTILE]
    for view, part in [("overview", "[data-role=facts]"), ("trackers", "[data-tracker]"), ("features", "tbody"),
                       ("features", "[data-experiment]")]:
        page.show_values() if view == "features" else page.show(view)
        for name in shown:
            page.until(lambda: any(name in text for text in page.texts(f"[data-view={view}] {part}")),
                       f"showing {name} in {view}")
        assert BIDI not in page.script("return document.body.textContent")
    page.show_values()
    row = page.edit(IMAGE, IMAGE)
    page.type(f"{row} [data-role=input]", SCRIPT, Keys.ENTER)
    page.wait_text("[data-role=notice]", f"{IMAGE}.{IMAGE} is now \"{SCRIPT}\".")
    assert hostile.client.value(IMAGE, IMAGE) == (SCRIPT, "override")
    page.click(f"{row} [data-role=reset]")
    page.wait_text("[data-role=notice]", f"The override of {IMAGE}.{IMAGE} is removed.")
    page.show("overview")
    hostile.publish(3, [bundle("ops")], meta={SCRIPT: [IMAGE]})
    page.click("[data-role=refresh]")
    page.wait_text("[data-role=lines]", "Version 3 in use")
    page.show("changes")
    page.until(lambda: any(IMAGE in text for text in page.texts("[data-role=difference] li")), "the end")
    assert page.script("return document.querySelectorAll('img, script:not([nonce]), iframe, object').length") == 0
    assert page.script("return document.scripts.length") == 1
    # That no alert came and the policy was kept: an alert would fail each call above, and the log is checked at the end.


def test_a_hostile_answer_to_a_mistake_is_text_too(service, open_page):
    page = open_page(service.url)
    page.wait_text("[data-role=lines]", "Version 2 in use")
    service.spoil(f'{{"configurationVersion": 3, "configurationBundle": [{{"namespace": "{SCRIPT}", "x": 1, '
                  f'"networkConfiguration": {{"endpoint": "{SCRIPT}"}}}}]}}')
    page.click("[data-role=refresh]")
    page.wait_text("[data-role=notice]", "The refresh failed: ")
    assert page.script("return document.scripts.length") == 1


def test_an_injected_script_does_not_run_because_each_page_has_a_nonce_of_its_own(service, open_page):
    page = open_page(service.url)
    page.wait_text("[data-role=lines]", "Version 2 in use")
    page.script("window.violated = 0; addEventListener('securitypolicyviolation', () => window.violated += 1)")
    for count, injection in enumerate([
            "const it = document.createElement('script'); it.textContent = 'window.ran = 1'; document.body.append(it)",
            "document.body.insertAdjacentHTML('beforeend', '<img src=\"data:,\" onerror=\"window.ran = 1\">')",
            "const it = document.createElement('script'); it.src = 'data:text/javascript,window.ran = 1'; document.body.append(it)"], 1):
        page.script(injection)
        page.until(lambda: page.script("return window.violated") >= count, f"a violation of the policy by {injection}")
        assert page.script("return window.ran") is None, injection
        page.until(lambda: any("Content Security Policy" in message for message in page.log()), "a message about the policy")
    nonces = set()
    for _ in range(2):
        page = open_page(service.url)
        page.wait_connection("live")
        nonces.add(page.script("return document.scripts[0].nonce"))
    assert len(nonces) == 2
