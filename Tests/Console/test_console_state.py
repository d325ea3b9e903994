"""What runs, where it is from, what differs from the default and why; new versions as they come."""
from samples import REMOTE, bundle, version


def difference(kind, subject, name):
    return f"[data-difference={kind}][data-subject={subject}][data-name='{name}']"


def test_says_which_version_runs_whence_and_what_differs_from_the_default(service, open_page):
    page = open_page(service.url)
    page.wait_text("[data-line=normal][data-topic=document]", "Version 2 in use, since ")
    page.wait_text("[data-role=title]", "tracker-config")
    page.until(lambda: page.browser.title == "Version 2 – tracker-config", "the title")
    page.wait_text("[data-role=identity]", f"pid {service.program.process.pid} · up ")
    page.wait_text("[data-role=facts]", service.file.url)
    page.wait_text("[data-outcome=applied]", "version 2 was applied")
    page.wait_text("[data-role=differences-title]", "From version 2: 2 trackers, 2 features (7 values), 1 experiment")
    page.wait_text("[data-role=no-exceptions]", "Nothing: all values are those of the document")
    assert page.all("[data-difference]") == []
    page.show_differences()
    row = difference("variable", "checkout", "retryLimit")
    page.wait_text(f"{row} [data-label=Value]", "3")
    page.wait_text(f"{row} [data-label=Source]", "document")
    page.wait_text(f"{row} [data-label=Default]", "2")
    page.wait_text(f"{difference('variable', 'checkout', 'countries')} [data-label=Value]", '["US","IL"]')
    page.wait_text("[data-difference=feature][data-subject=checkout] [data-label=Value]", "on")
    page.wait_text("[data-difference=tracker][data-subject=ops]", "(the whole tracker)")
    page.wait_text(f"{difference('tracker', 'shop', 'tracker.appId')} [data-label=Value]", '"shop"')
    assert page.all(difference("variable", "checkout", "rate")) == []
    page.wait_connection("live")
    # What the user changed is shown beside what the document did.
    service.client.put("features/checkout/variables/rate", 0.75)
    page.wait_text(f"{difference('variable', 'checkout', 'rate')} [data-label=Source]", "override")
    page.wait_text("[data-view=overview] [data-role=shown]", "6 values differ from the default.")
    page.wait_text("[data-exception=override][data-subject=checkout][data-name=rate] [data-label=Value]", "0.75")
    page.wait_text("[data-exception=override] [data-label='Without it']", "0.25")
    # The filter asks the service, also for what is not listed.
    page.type("[data-view=overview] [data-role=filter]", "retry")
    page.wait_text("[data-view=overview] [data-role=shown]", "1 of 6 values that differ from the default.")
    page.type("[data-view=overview] [data-role=filter]", "nowhere")
    page.wait_text("[data-view=overview] [data-role=shown]", "Nothing matches among 6 values that differ.")


def test_a_tracker_that_the_document_removes_is_told_as_removed(start, open_page):
    page = open_page(start(document={**REMOTE, "bundles": [{"namespace": "shop"}, bundle("ops")]}).url)
    page.show_differences()
    page.wait_text("[data-difference=tracker][data-subject=shop]", "removed")
    page.wait_text("[data-difference=tracker][data-subject=ops]", "added")


def test_an_empty_configuration_says_so_in_every_view(start, open_page):
    page = open_page(start(document=dict(version=1), default=None).url)
    page.wait_text("[data-role=lines]", "Version 1 in use")
    for view, sentence in [
        ("trackers", "There is no tracker"), ("features", "There is no feature"),
        ("experiments", "There is no experiment"), ("difference", "The service has no other document"),
    ]:
        page.show(view)
        page.wait_text(f"[data-view={view}] [data-role=empty]", sentence)


def test_a_service_without_a_document_runs_on_its_default_and_says_why(start, open_page):
    page = open_page(start(document=None).url)
    page.wait_text("[data-line=normal][data-topic=document]", "Default version 1 in use")
    page.wait_text("[data-line=warning][data-topic=fetch]", "Cannot fetch ")
    page.wait_attribute("[data-tab=overview]", "data-level", "warning")
    page.click("[data-role=differences] summary")
    page.wait_text("[data-view=overview] [data-role=shown]", "Nothing differs: all is as the default says.")


def test_a_refresh_brings_a_new_version_without_a_reload(service, open_page):
    page = open_page(service.url)
    page.wait_text("[data-role=lines]", "Version 2 in use")
    page.mark()
    service.publish(**version(3, retries=4))
    page.click("[data-role=refresh]")
    page.wait_text("[data-role=notice]", "version 3 was applied")
    page.wait_text("[data-role=lines]", "Version 3 in use")
    page.show_differences()
    page.wait_text(f"{difference('variable', 'checkout', 'retryLimit')} [data-label=Value]", "4")
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
    page.wait_text("[data-role=all-lines]", "Show 1 more line")
    page.click("[data-role=all-lines]")
    page.wait_text("[data-role=lines]", "No events tracked since the start (2 trackers)")


def test_a_refresh_that_is_rejected_says_why_and_changes_nothing(service, open_page):
    page = open_page(service.url)
    page.wait_text("[data-role=lines]", "Version 2 in use")
    service.spoil('{"configurationVersion": "three"}')
    for _ in range(2):
        assert service.client.ask("POST", "refresh")[1]["outcome"]["isTrouble"] is True
    page.click("[data-role=refresh]")
    page.wait_text("[data-role=refresh-outcome] [data-role=error]", "The refresh failed: ")
    page.wait_text("[data-outcome=rejected][data-trouble]", "(3 times since ")
    page.wait_text("[data-line=problem][data-topic=document]", "rejected")
    page.until(lambda: page.browser.title.startswith("▲ 1 problem – Version 2"), "the title")
    page.wait_attribute("[data-tab=overview]", "data-level", "problem")
    page.wait_text("[data-role=announcement]", "rejected")
    page.wait_text("[data-role=lines]", "Version 2 in use")
    # Later fetches that bring nothing do not hide it.
    service.publish(**version(2))
    for _ in range(3):
        assert service.client.ask("POST", "refresh")[1]["outcome"]["isTrouble"] is False
    page.wait_gone("[data-line=problem]")
    page.wait_gone("[data-role=refresh-outcome] [data-role=error]")
    page.wait_text("[data-outcome=rejected]", "(3 times since ")
    page.wait_text("[data-outcome=applied]", "version 2 was applied")


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


def test_the_difference_shows_what_the_second_version_changed(service, open_page):
    page = open_page(service.url, "#difference")
    page.wait_text("[data-role=versions]", "From version 1, the default, in use before, to version 2")
    new = version(3, retries=4)
    new["features"]["checkout"]["variables"]["rate"]["title"] = "Rate"
    new["features"]["checkout"]["variables"]["bonus"] = {"value": "no"}
    del new["features"]["search"]
    control, fast = new["experiments"][0]["variants"]
    experiment = {**new["experiments"][0], "variants": [{**control, "weight": 25}, {**fast, "weight": 75}]}
    new["bundles"] = [bundle("shop", "http://127.0.0.1:10", trackerConfiguration={"appId": "shop"}), bundle("late")]
    service.publish(**{**new, "experiments": [experiment], "meta": {"owner": "growth"}})
    page.click("[data-role=refresh]")
    page.wait_text("[data-role=versions]", "From version 2, in use before, to version 3, in use now.")

    def expect(group, member, *sides):
        for label, side in zip(("Before", "Now"), sides):
            page.wait_text(f"[data-changed='{group}'] [data-member='{member}'] [data-label={label}]", side)

    expect("Feature checkout", "retryLimit", "3", "4")
    expect("Feature checkout", "bonus", "–", '"no"')
    page.wait_text("[data-changed='Feature checkout'] [data-member=rate]", "other title")
    expect("Features", "search", "–", "returns to the default: off")
    expect("Trackers", "late", "–", "added")
    expect("Tracker shop", "network.endpoint", "http://127.0.0.1:9", "http://127.0.0.1:10")
    expect("Meta", "owner", "–", '"growth"')
    page.wait_text("[data-changed='Experiment checkout_01'] [data-role=remark]", "25% of the units fall on another variant")


def test_a_fragment_leads_to_a_view_with_its_filter(service, open_page):
    page = open_page(service.url, "#features/retry")
    page.wait_shown("[data-view=features]")
    page.wait_text("[data-view=features] [data-role=shown]", "1 of 2 features")
    assert page.value("[data-view=features] [data-role=filter]") == "retry"
    page.wait_shown(page.row("checkout", "retryLimit"))
    page.wait_gone(page.row("checkout", "rate"))
    page.wait_attribute("[data-tab=features]", "aria-current", "page")
    # From the overview a difference leads there too.
    page.show("overview")
    page.show_differences()
    page.click("[data-role=differences] a[href='#features/checkout']")
    page.wait_text("[data-view=features] [data-role=shown]", "1 of 2 features")
