"""The difference between any two documents that the service keeps."""
import pytest
from samples import bundle, version


@pytest.fixture
def service(start):
    service = start()
    service.publish(**version(3, retries=5))
    assert service.client.ask("POST", "refresh")[1]["outcome"]["kind"] == "applied"
    return service


def lines(page):
    return page.reads("[data-role=difference] li", "[element.dataset.mark ?? null, element.lastChild.textContent]")


def wait_line(page, *line):
    page.until(lambda: list(line) in lines(page), lambda: f"{line} among {lines(page)}")


def choose(page, choices):
    """Makes choices, all of them before any is answered."""
    for role, id in choices.items():
        page.until(lambda: page.all(f"[data-role={role}] option[value={id}]"), f"a choice of {id}")
    page.act("[data-view=changes]", """
        for (const [role, id] of Object.entries(words[0])) {
          const select = element.querySelector(`[data-role=${role}]`);
          select.value = id;
          select.dispatchEvent(new Event("change"));
        }""", choices)


def chosen(page, role):
    return page.read(f"[data-view=changes] [data-role={role}]", "element.selectedOptions[0]?.textContent")


def test_compares_the_documents_that_are_chosen_and_keeps_them_in_the_url(service, open_page):
    page = open_page(service.url, "#changes")
    wait_line(page, "~", 'variable "retryLimit": 3 → 5')
    assert (chosen(page, "from"), chosen(page, "to")) == ("Version 2, in use before", "Version 3, in use")
    choose(page, {"from": "default"})
    wait_line(page, "~", 'variable "retryLimit": 2 → 5')
    page.browser.refresh()
    wait_line(page, "~", 'variable "retryLimit": 2 → 5')
    assert chosen(page, "from") == "Version 1, the default"
    # Backwards too.
    choose(page, {"from": "current", "to": "previous"})
    wait_line(page, "~", 'variable "retryLimit": 5 → 3')


def test_after_a_restart_the_stored_document_before_can_be_compared(service, open_page):
    service.end()
    service.start()
    page = open_page(service.url, "#changes")
    wait_line(page, "~", 'variable "retryLimit": 3 → 5')
    assert chosen(page, "from") == "Version 2, stored"


def test_each_line_is_that_of_the_service_with_its_depth_and_mark(service, open_page):
    new = version(4, retries=5)
    del new["features"]["search"]
    new["features"]["checkout"]["variables"]["bonus"] = {"value": "no"}
    new["bundles"] = [bundle("shop", "http://127.0.0.1:10"), bundle("late")]
    service.publish(**new, meta={"author": "<b>dana</b>"})
    assert service.client.ask("POST", "refresh")[1]["outcome"]["kind"] == "applied"
    page = open_page(service.url, "#changes")
    sent = service.client.get("difference")["lines"]
    page.until(lambda: len(lines(page)) == len(sent) > 5, "all lines")
    assert lines(page) == [[line.get("mark"), line["text"]] for line in sent]
    depths = page.reads("[data-role=difference] li", "element.style.paddingInlineStart")
    assert depths == [f"{2 * line['indent']}ch" for line in sent]
    assert any("<b>dana</b>" in text for _, text in lines(page)) and page.all("b") == []


def test_a_document_that_is_not_kept_is_said_to_be_missing(service, open_page):
    page = open_page(service.url, "#changes?from=stored-1&to=current")
    page.wait_text("[data-view=changes] [data-role=empty]", "does not have both of these documents any more")


def test_a_version_says_who_published_it(service, open_page):
    service.publish(**version(4), meta={"author": "dana", "ticket": "OPS-7"})
    assert service.client.ask("POST", "refresh")[1]["outcome"]["kind"] == "applied"
    page = open_page(service.url, "#changes")
    page.wait_text("[data-outcome=applied]", "version 4 was applied to shop and ops by dana, OPS-7")
    page.show("overview")
    page.wait_text("[data-role=facts]", '"OPS-7"')
