"""The command palette and the keyboard shortcuts."""
import pytest
from samples import REMOTE, large_features
from selenium.webdriver.common.keys import Keys

LIST = "[data-role=palette-list]"


@pytest.fixture
def page(start, open_page):
    document = {**REMOTE, "features": {**REMOTE["features"], **large_features(300, 2)}}
    page = open_page(start(document=document).url)
    page.wait_connection("live")
    return page


def test_finds_features_experiments_trackers_views_and_actions(page):
    def found(text, command, kind):
        page.type("[data-role=palette-input]", text)
        page.wait_shown(f"{LIST} [data-command='{command}'][data-kind={kind}]")

    page.press(Keys.CONTROL, "k", Keys.NULL)
    page.wait_shown("[data-role=palette]")
    found("diff", "Difference", "view")
    found("ops", "ops", "tracker")
    found("out_01", "checkout_01", "experiment")
    found("refresh", "Refresh the document", "action")
    # Also a feature that no view has read.
    found("0298", "feature-0298", "feature")
    page.press(Keys.ENTER)
    page.wait_gone("[data-role=palette]")
    page.wait_shown(page.row("feature-0298", "limit"))


def test_arrows_choose_and_escape_closes(page):
    page.press("/")
    page.wait_shown("[data-role=palette]")
    page.press("difference")
    page.wait_shown(f"{LIST} [data-command=Difference][aria-selected=true]")
    page.press(Keys.BACKSPACE * 10)
    page.wait_shown(f"{LIST} [data-command=Overview][aria-selected=true]")
    page.press(Keys.ARROW_DOWN)
    page.wait_shown(f"{LIST} [data-command=Trackers][aria-selected=true]")
    page.until(
        lambda: page.attribute("#" + page.attribute("[data-role=palette-input]", "aria-activedescendant"),
                               "data-command") == "Trackers", "Trackers as what the field names")
    page.press(Keys.ENTER)
    page.wait_shown("[data-view=trackers]")
    page.press("/")
    page.wait_shown("[data-role=palette]")
    page.press(Keys.ESCAPE)
    page.wait_gone("[data-role=palette]")
    assert page.is_shown("[data-view=trackers]")


def test_shortcuts_lead_to_each_view_and_are_listed(page):
    for key, view in [("t", "trackers"), ("f", "features"), ("e", "experiments"), ("d", "difference"), ("o", "overview")]:
        page.press("g", key)
        page.wait_shown(f"[data-view={view}]")
    page.press("?")
    page.wait_text("[data-role=shortcut-list]", "g f")
    page.press(Keys.ESCAPE)
    page.wait_gone("[data-role=shortcuts]")
    page.press("r")
    page.wait_text("[data-role=notice]", "Refreshed at")


def test_what_is_typed_into_a_field_is_no_shortcut(page):
    page.press("g", "f")
    page.wait_shown(page.row("checkout"))
    page.type("[data-view=features] [data-role=filter]", "gt/?")
    assert page.value("[data-view=features] [data-role=filter]") == "gt/?"
    assert page.is_shown("[data-view=features]") and not page.is_shown("[data-role=palette]")


def test_removing_all_overrides_from_the_palette_is_confirmed_too(start, open_page):
    service = start()
    service.client.put("features/checkout/variables/rate", 0.75)
    page = open_page(service.url)
    page.wait_connection("live")
    page.press("/")
    page.type("[data-role=palette-input]", "remove all", Keys.ENTER)
    page.wait_shown("[data-role=confirm]")
    assert service.client.value("checkout", "rate") == (0.75, "override")
    page.click("[data-role=do]")
    page.wait_text("[data-role=notice]", "All overrides are removed.")
    assert service.client.value("checkout", "rate") == (0.25, "remote, version 2")
