"""Every event is good for a collector that checks it against the Iglu schemas."""
import pytest
from documents import bundle, event, start

NASTY = "quotes \" back\\slash / tab\t line\n nul\x00 unit\x1f del\x7f ü € 😀 & + = % ; # \u2028"
LINK = "iglu:com.snowplowanalytics.snowplow/link_click/jsonschema/1-0-1"
PRODUCT = "iglu:com.snowplowanalytics.snowplow.ecommerce/product/jsonschema/1-0-0"

EVENTS = [
    {"category": "cart", "action": "add"},
    {"category": NASTY, "action": NASTY, "label": NASTY, "property": NASTY, "value": -12.5},
    {"category": "cart", "action": "add", "value": 1e300},
    {"url": "https://shop.example.com/?q=a b&c=%20#x", "title": NASTY, "referrer": "https://example.com"},
    {"screen": "Home"},
    {"screen": NASTY, "type": "feed"},
    {"timing": {"category": "db", "variable": "query", "timing": 12.25, "label": "orders"}},
    {"schema": LINK, "data": {"targetUrl": "https://example.com/?a=\"b\"", "elementClasses": ["a", NASTY]}},
]
PRODUCT_ENTITY = {"schema": PRODUCT, "data": {"id": "sku-1", "category": "tea", "price": 9.5, "currency": "EUR"}}


@pytest.mark.parametrize("method, base64, anonymous", [
    ("get", True, True), ("get", False, False), ("post", True, False), ("post", False, True)])
def test_every_event_is_good(micro, drive, method, base64, anonymous):
    micro.publish(1, [bundle(
        micro.url, NASTY, {"method": method},
        tracker={"appId": NASTY, "base64encoding": base64, "sessionContext": True, "platformContext": True,
                 "userAnonymisation": anonymous},
        subject={"userId": NASTY, "networkUserId": "00000000-0000-4000-8000-000000000000", "domainUserId": "d",
                 "useragent": "agent/1", "ipAddress": "192.0.2.1", "timezone": "Europe/Berlin", "language": "de-DE"},
        emitter={"serverAnonymisation": anonymous})])
    driver = start(drive, micro.config)
    ids = [driver.do("track", event=event) for event in EVENTS]
    ids += [driver.do("track", event=event, entities=[PRODUCT_ENTITY] * 2, trueTimestamp=-5) for event in EVENTS]
    counters = driver.flush()
    driver.quit()

    assert micro.ids() == sorted(ids)
    good = micro.good()
    assert counters["tracked"] == counters["sent"] == len(ids)
    assert {row["method"] for row in good} == {method.upper()}
    by_id = {row["event"]["eid"]: row for row in good}
    for tracked, number in zip(EVENTS * 2, ids):
        sent = by_id[number]["event"]
        if "category" in tracked:
            assert (sent["se_ca"], sent["se_ac"]) == (tracked["category"], tracked["action"])
        if "schema" in tracked:
            assert by_id[number]["decoded"]["event"]["data"] == tracked["data"]
    for row in good:
        assert ("uid" in row["event"]) != anonymous
        assert ("sp-anonymous" in row["headers"]) == anonymous
        session = next(c["data"] for c in row["decoded"]["contexts"] if "client_session" in c["schema"])
        assert (session["userId"] == "00000000-0000-0000-0000-000000000000") == anonymous
    assert sum("ttm" in row["event"] for row in good) == len(EVENTS)


def test_a_burst_arrives_once_each_through_a_faulty_collector(micro, drive):
    micro.publish(1, [bundle(micro.url, emitter={"emitRange": 20, "threadPoolSize": 3})])
    for status in ("503", "drop", "500", "429"):
        micro.fault(status=status, count=2, path="/com.")
    driver = start(drive, micro.config)
    for number in range(200):
        driver.send("track", event=event(number))
    ids = driver.values(200)
    counters = driver.flush()
    driver.quit()
    assert micro.ids() == sorted(ids)
    assert counters["retried"] > 0 and counters["dropped"] == 0
