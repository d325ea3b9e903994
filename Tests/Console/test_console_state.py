"""What runs, where it is from, and what is not from the document; new versions as they come."""
from samples import REMOTE, bundle, version


def test_says_which_version_runs_whence_and_what_is_overridden(service, open_page):
    page = open_page(service.url)
    page.wait_text("[data-line=normal][data-topic=document]", "Version 2 in use, since ")
    page.wait_text("[data-role=title]", "tracker-config")
    page.until(lambda: page.browser.title == "Version 2 – tracker-config", "the title")
    page.wait_text("[data-role=identity]", f"pid {service.program.process.pid} · up ")
    page.wait_text("[data-role=facts]", service.file.url)
    page.wait_text("[data-role=next-poll]", "none: polling is off")
    page.wait_gone("[data-role=exceptions]")
    page.wait_connection("live")
    service.client.put("features/checkout/variables/rate", 0.75)
    page.wait_text("[data-role=exceptions-title]", "Overrides and exceptions (1)")
    page.wait_text("[data-exception=override][data-subject=checkout][data-name=rate] [data-label=Value]", "0.75")
    page.wait_text("[data-exception=override] [data-label=Document]", "0.25")


def test_a_tracker_that_the_document_no_longer_has_is_an_exception(service, open_page):
    page = open_page(service.url)
    page.wait_text("[data-role=lines]", "Version 2 in use")
    service.publish(3, [bundle("shop")])
    page.click("[data-role=refresh]")
    page.wait_text("[data-exception=kept][data-subject=ops]", "no longer in the document")
    page.show("trackers")
    page.wait_text("[data-tracker=ops][data-mark=kept] [data-role=status]", "ending: not in the document")


def test_an_empty_configuration_says_so_in_every_view(start, open_page):
    page = open_page(start(document=dict(version=1), default=None).url)
    page.wait_text("[data-role=lines]", "Version 1 in use")
    for view, sentence in [
        ("trackers", "There is no tracker"), ("features", "There is no feature"),
        ("users", "There is no feature and no experiment"), ("changes", "The service has no other document"),
    ]:
        page.show(view)
        page.wait_text(f"[data-view={view}] [data-role=empty]", sentence)


def test_a_service_without_a_document_runs_on_its_default_and_says_why(start, open_page):
    page = open_page(start(document=None).url)
    page.wait_text("[data-line=normal][data-topic=document]", "Default version 1 in use")
    page.wait_text("[data-line=warning][data-topic=fetch]", "Cannot fetch ")
    page.wait_attribute("[data-tab=overview]", "data-level", "warning")


def test_a_refresh_brings_a_new_version_without_a_reload(service, open_page):
    page = open_page(service.url)
    page.wait_text("[data-role=lines]", "Version 2 in use")
    page.mark()
    service.publish(**version(3, retries=4))
    page.click("[data-role=refresh]")
    page.wait_text("[data-role=notice]", "version 3 was applied")
    page.wait_text("[data-role=lines]", "Version 3 in use")
    page.show_values()
    page.wait_text(f"{page.row('checkout', 'retryLimit')} [data-role=value]", "4")
    assert not page.was_reloaded()
    assert service.client.value("checkout", "retryLimit") == (4, "remote, version 3")


def test_which_version_is_in_use_is_shown_however_much_else_is_to_be_told(start, open_page):
    service = start(document={**REMOTE, "bundles": [bundle(f"shop-{index}") for index in range(9)]})
    page = open_page(service.url)
    page.wait_text("[data-role=lines]", "Version 2 in use")
    service.publish(3, [bundle("ops")])
    page.click("[data-role=refresh]")
    page.wait_text("[data-role=lines]", "shop-4: no longer in the document")
    page.wait_text("[data-role=lines]", "Version 3 in use")
    # No button that is as high as the only line that it hides.
    page.wait_gone("[data-role=all-lines]")
    page.wait_text("[data-role=lines]", "No events tracked since the start (2 trackers)")


LINES = """
const [bad, isDone] = arguments;
const line = (level, topic, text, version) => ({ level, topic, text, version });
const lines = [...Array(bad)].map((_, index) => line("problem", "code", `problem ${index}`));
clearInterval(window.showing);
window.showing = setInterval(() => {
  latest.lines = [...lines, line("normal", "fetch", "Changes are streamed"), line("normal", "document", "Version 2 in use"),
                  line("normal", "tracker", "Delivering 350 events/min")];
  showLines();
}, 10);
"""


def test_what_is_delivered_is_shown_however_much_else_is_to_be_told(service, open_page):
    page = open_page(service.url)
    page.wait_text("[data-role=lines]", "Version 2 in use")
    page.script(LINES, 9)
    page.wait_text("[data-role=all-lines]", "Show 4 more lines")
    assert page.texts("[data-line=normal]")[-1].strip().endswith("Delivering 350 events/min")
    page.script(LINES, 6)
    # Of nine lines eight would be shown.
    page.until(lambda: len(page.all("[data-line]")) == 9 and not page.is_shown("[data-role=all-lines]"), "all nine lines")


def test_a_line_whose_topic_or_version_has_a_problem_has_no_green_sign(service, open_page):
    page = open_page(service.url)
    page.wait_text("[data-role=lines]", "Version 2 in use")
    doubts = page.script("""
        const normal = { level: "normal", topic: "tracker", version: 3 };
        const others = [{ level: "problem", topic: "tracker" }, { level: "warning", topic: "rollout", version: 3 },
                        { level: "warning", topic: "code" }, { level: "news", topic: "tracker" }];
        return others.map(other => isDoubtful(normal, [other, normal]));
        """)
    assert doubts == [True, True, False, False]


def test_a_refresh_that_is_rejected_says_why_and_changes_nothing(service, open_page):
    page = open_page(service.url)
    page.wait_text("[data-role=lines]", "Version 2 in use")
    service.spoil('{"configurationVersion": "three"}')
    for _ in range(2):
        assert service.client.ask("POST", "refresh")[1]["outcome"]["isTrouble"] is True
    page.click("[data-role=refresh]")
    page.wait_text("[data-role=notice]", "The refresh failed: ")
    page.wait_text("[data-line=problem][data-topic=document]", "rejected")
    page.wait_text("[data-line=problem][data-topic=document]", "; version 2 stays in use")
    # How often it was fetched says nothing.
    assert "times" not in page.text("[data-role=lines]")
    page.until(lambda: page.browser.title.startswith("▲ 1 problem – Version 2"), "the title")
    page.wait_attribute("[data-tab=overview]", "data-level", "problem")
    page.wait_text("[data-role=announcement]", "rejected")
    page.wait_text("[data-role=lines]", "Version 2 in use")
    # Later fetches that bring nothing do not hide it.
    service.publish(**version(2))
    for _ in range(3):
        assert service.client.ask("POST", "refresh")[1]["outcome"]["isTrouble"] is False
    page.wait_gone("[data-line=problem]")
    page.show("changes")
    page.wait_text("[data-outcome=rejected][data-trouble]", "(since ")
    page.wait_text("[data-outcome=applied]", "version 2 was applied")
    assert page.all("[data-outcome=notModified], [data-outcome=unchanged]") == []


def test_what_the_services_own_poll_brings_appears_on_an_untouched_page(start, open_page):
    service = start("--poll", "1")
    page = open_page(service.url, "#features?open=*")
    value = f"{page.row('checkout', 'retryLimit')} [data-role=value]"
    page.wait_text(value, "3")
    page.wait_connection("live")
    page.mark()
    service.publish(**version(7, retries=5))
    page.wait_text(value, "5")
    page.wait_text(f"{page.row('checkout', 'retryLimit')} [data-role=source]", "remote, version 7")
    page.wait_text("[data-role=lines]", "Version 7 in use")
    assert not page.was_reloaded()


def test_a_fragment_leads_to_a_view_with_its_filter(service, open_page):
    page = open_page(service.url, "#features/retry")
    page.wait_shown("[data-view=features]")
    page.wait_text("[data-view=features] [data-role=shown]", "1 of 2 features")
    assert page.value("[data-view=features] [data-role=filter]") == "retry"
    page.wait_shown(page.row("checkout", "retryLimit"))
    page.wait_gone(page.row("checkout", "rate"))
    page.wait_attribute("[data-tab=features]", "aria-current", "page")
