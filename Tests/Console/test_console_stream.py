"""The stream of the document's source: what the page and the endpoints say of it."""
from samples import REMOTE


def test_an_open_stream_is_shown_and_brings_a_version_without_a_refresh(service, open_page):
    page = open_page(service.url)
    page.wait_text("[data-line=normal][data-topic=fetch]", "Changes are streamed, since ")
    page.wait_text("[data-role=stream]", "open since ")
    page.wait_text("[data-role=last-signal]", "ago")
    assert page.all("[data-role=stream-failure], [data-role=propagation]") == []
    assert page.all("[data-line=warning], [data-line=problem]") == []
    published = page.browser.execute_script("return new Date().toISOString()")
    service.publish(**{**REMOTE, "version": 3, "meta": {"publishedAt": published}})
    page.wait_text("[data-role=lines]", "Version 3 in use")
    page.wait_text("[data-role=signals]", "changed")
    page.wait_text("[data-role=propagation]", "after publication on average (1 document)")
    status = service.client.get("status")
    assert status["streaming"]["signals"]["changed"] >= 1
    assert sum(status["propagation"]["counts"]) == 1
    assert "Changes are streamed" in [line["text"] for line in service.client.get("health")["lines"]]
