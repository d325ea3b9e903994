"""What happens while the page is open: events, counters, a service that goes and comes, a proxy that holds things back."""
from selenium.webdriver.common.keys import Keys
from services import free_port


def requests(page):
    """The ids of the shown events that are requests."""
    events = page.reads("[data-event]", "[element.dataset.event, element.textContent]")
    return [id for id, text in events if "request_served" in text]


def test_events_and_their_entities_appear_as_they_are_tracked(orders, open_page):
    page = open_page(orders.url, "#live")
    page.wait_connection("live")
    page.wait_text("[data-role=events-state]", "No event yet.")
    page.mark()
    orders.visitor.get("shipping", X_User_Id="u-1")
    names = "[data-event] [data-role=event-name]"
    for name in ["com.example.orders/request_served/1-0-0", "exposure/1-0-1"]:
        page.until(lambda: any(name in text for text in page.texts(names)), f"event {name}")
    page.wait_text("[data-outcome-of-event=sent] [data-role=event-outcome]", "sent")
    # What the user reads stays where it is.
    served = requests(page)[0]
    page.click(f"[data-event='{served}'] summary")
    page.wait_text(f"[data-event='{served}'] [data-role=event-data]", '"route": "/shipping"')
    page.wait_text("[data-role=events-state]", "Paused while you read")
    orders.visitor.get("shipping")
    page.wait_text("[data-role=events-state]", "waiting: 1 newer event.")
    assert len(page.all("[data-event]")) == 2
    page.click(f"[data-event='{served}'] summary")
    page.until(lambda: len(page.all("[data-event]")) == 3, "the third event")
    # The tracker's session is no session of u-1, but a request that names no user is within it.
    assert not page.all(f"[data-event='{served}'] [data-role=event-entity]")
    nameless = next(each for each in requests(page) if each != served)
    page.click(f"[data-event='{nameless}'] summary")
    page.wait_text(f"[data-event='{nameless}'] [data-role=event-entity]", '"sessionIndex": 1')
    page.click(f"[data-event='{nameless}'] summary")
    page.type("[data-role=event-filter]", "exposure")
    page.until(lambda: len(page.shown("[data-event]")) == 1, "one event")
    assert not page.was_reloaded()


def test_a_collector_that_fails_and_exposures_are_told_while_the_page_is_open(orders, open_page):
    page = open_page(orders.url, "#features")
    page.wait_shown("[data-experiment]")
    # What is 0 is not shown.
    assert page.all("[data-view=features] [data-counter]") == []
    orders.visitor.get("shipping", X_User_Id="u-1")
    page.wait_text("[data-counter=exposuresTracked]", "1")
    page.show("trackers")
    page.wait_text("[data-tracker=orders] [data-role=status]", "delivering")
    orders.server.end()
    orders.visitor.get("shipping")
    page.wait_text("[data-tracker=orders] [data-counter=waiting]", "1")
    page.wait_text("[data-tracker=orders][data-mark=failing] [data-role=reason]", "since ")
    page.show("live")
    page.wait_text("[data-outcome-of-event=waiting] [data-role=event-outcome]", "waiting, the collector fails")


def test_a_service_that_dies_is_told_as_disconnected_and_one_that_comes_again_is_live(start, open_page):
    # No other program is given its port meanwhile.
    service = start(port=free_port())
    page = open_page(service.url)
    page.wait_connection("live")
    page.wait_text("[data-role=lines]", "Version 2 in use")
    page.mark()
    service.end()
    page.wait_connection("disconnected")
    page.wait_text("[data-role=connection]", "Disconnected since")
    page.wait_text("[data-role=stale]", "Out of date: what is below was true at")
    page.wait_text("[data-role=connection-detail]", "No service answers here. Next try")
    page.until(lambda: page.browser.title == "(disconnected) Version 2 – tracker-config", "the title")
    service.publish(5, features={})
    service.start(service.port)
    page.wait_connection("live")
    page.wait_gone("[data-role=stale]")
    page.wait_text("[data-role=lines]", "Version 5 in use")
    assert not page.was_reloaded()


def test_a_change_that_cannot_reach_the_service_is_told_and_the_edit_stays(service, open_page):
    page = open_page(service.url, "#features?open=*")
    row = page.edit("checkout", "rate")
    service.end()
    page.type(f"{row} [data-role=input]", "0.5", Keys.ENTER)
    page.wait_text(f"{row} [data-role=error]", "Not saved: No service answers here.")
    assert page.value(f"{row} [data-role=input]") == "0.5"
    page.click(f"{row} [data-role=cancel]")


def follows_by_polling(service, proxy, open_page):
    page = open_page(proxy.url, "#features?open=*")
    page.wait_connection("polling")
    page.wait_text("[data-role=connection]", "Polling every 2 seconds")
    service.client.put("features/checkout/variables/rate", 0.75)
    row = page.row("checkout", "rate")
    page.wait_text(f"{row} [data-role=value]", "0.75")
    page.click(f"{row} [data-role=reset]")
    page.wait_text(f"{row} [data-role=value]", "0.25")
    assert service.client.value("checkout", "rate") == (0.25, "remote, version 2")


def test_a_stream_that_a_proxy_refuses_gives_way_to_polling(service, between, open_page):
    follows_by_polling(service, between(service, "refuse"), open_page)


def test_a_stream_that_a_proxy_holds_back_gives_way_to_polling(service, between, open_page):
    follows_by_polling(service, between(service, "hold"), open_page)
