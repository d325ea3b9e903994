"""The difference between any two documents that the service keeps."""
import json

import pytest
from samples import version


@pytest.fixture
def service(start):
    service = start()
    service.publish(**version(3, retries=5))
    assert service.client.ask("POST", "refresh")[1]["outcome"]["kind"] == "applied"
    return service


def choose(page, role, id):
    page.until(lambda: page.all(f"[data-role={role}] option[value={id}]"), f"a choice of {id}")
    page.act(f"[data-view=difference] [data-role={role}]",
             "element.value = words[0]; element.dispatchEvent(new Event('change'))", id)


def test_compares_the_documents_that_are_chosen_and_keeps_them_in_the_url(service, open_page):
    page = open_page(service.url, "#difference")
    retries = "[data-changed='Feature checkout'] [data-member=retryLimit]"
    page.wait_text("[data-role=versions]", "From version 2, in use before, to version 3, in use now.")
    page.wait_text(f"{retries} [data-label=Before]", "3")
    choose(page, "from", "default")
    page.wait_text("[data-role=versions]", "From the default, version 1 to version 3, in use now.")
    page.wait_text(f"{retries} [data-label=Before]", "2")
    page.browser.refresh()
    page.wait_text(f"{retries} [data-label=Before]", "2")
    # Backwards too.
    choose(page, "from", "current")
    choose(page, "to", "previous")
    page.wait_text(f"{retries} [data-label=Before]", "5")
    page.wait_text(f"{retries} [data-label=Now]", "3")


def test_after_a_restart_the_stored_document_before_can_be_compared(service, open_page):
    service.end()
    service.start()
    page = open_page(service.url, "#difference")
    page.wait_text("[data-changed='Feature checkout'] [data-member=retryLimit] [data-label=Before]", "3")
    page.wait_text("[data-role=versions]", "From version 2 to version 3, in use now.")


def test_is_copied_as_json(service, open_page):
    page = open_page(service.url, "#difference")
    page.browser.execute_cdp_cmd("Browser.grantPermissions", {
        "origin": service.url.split("/console")[0], "permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]})
    page.wait_shown("[data-changed='Feature checkout']")
    page.script("navigator.clipboard.writeText = async text => { window.copied = text; }")
    page.click("[data-role=copy-difference]")
    page.wait_text("[data-role=notice]", "The difference is copied as JSON.")
    copied = json.loads(page.script("return window.copied"))
    assert (copied["oldVersion"], copied["newVersion"]) == (2, 3)
    assert "retryLimit" in copied["features"]["changed"][0]["variables"]["changed"]


def test_a_document_that_is_not_kept_is_named(service, open_page):
    page = open_page(service.url, "#difference?from=stored-1&to=current")
    page.wait_text("[data-view=difference] [data-role=empty]", "does not have this document any more: version 1.")


def test_what_is_new_beside_the_values_of_a_feature_is_shown(service, open_page):
    document = version(4, retries=5)
    document["features"]["checkout"] |= {"disabled": True, "metadata": {"owner": "growth"}}
    service.publish(**document)
    assert service.client.ask("POST", "refresh")[1]["outcome"]["kind"] == "applied"
    page = open_page(service.url, "#difference")
    group = "[data-changed='Feature checkout']"
    page.wait_text(f"{group} [data-member=disabled] [data-label=Before]", "false")
    page.wait_text(f"{group} [data-member='metadata owner'] [data-label=Now]", "growth")
