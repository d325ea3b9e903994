"""Events of many users: the subject of one event, by argument, by cookie and by what is bound to the request."""
import pytest
from documents import bundle
from documents import start as begin
from driver import TOOL, run

COOKIE = "9c65e7f3-8e8e-470d-b243-910b5b300da0.1700000000.3.1700000500..6b7a0d1f-8e2e-4f0c-9f0b-0a4b3a3c2d1e"
USER = {
    "userId": "u-1", "domainUserId": "d-1", "networkUserId": "00000000-0000-4000-8000-000000000001",
    "domainSessionId": "6b7a0d1f-8e2e-4f0c-9f0b-0a4b3a3c2d1e", "domainSessionIndex": 4, "ipAddress": "203.0.113.7",
    "useragent": "agent/2", "timezone": "Asia/Jerusalem", "language": "he-IL", "screenResolution": "1920x1080",
    "viewport": "800x600", "colorDepth": 24, "url": "https://shop.example/?utm_source=mail",
    "referrer": "https://mail.example/", "pageTitle": "Cart"}
WIRE = {
    "uid": "u-1", "duid": "d-1", "tnuid": "00000000-0000-4000-8000-000000000001",
    "sid": "6b7a0d1f-8e2e-4f0c-9f0b-0a4b3a3c2d1e", "vid": "4", "ip": "203.0.113.7", "ua": "agent/2",
    "tz": "Asia/Jerusalem", "lang": "he-IL", "res": "1920x1080", "vp": "800x600", "cd": "24",
    "url": "https://shop.example/?utm_source=mail", "refr": "https://mail.example/", "page": "Cart"}
EVENTS = [
    {"category": "cart", "action": "add"}, {"screen": "Home"},
    {"timing": {"category": "db", "variable": "query", "timing": 12.25}},
    {"schema": "iglu:com.snowplowanalytics.snowplow/link_click/jsonschema/1-0-1", "data": {"targetUrl": "https://a.b"}},
    {"url": "https://shop.example/page"},
]


def start(micro, drive, **tracker):
    micro.publish(1, [bundle(micro.url, tracker={"sessionContext": True, **tracker},
                             subject={"userId": "process", "language": "en"})])
    return begin(drive, micro.config)


def sent(micro, driver, ids):
    driver.flush()
    driver.quit()
    assert micro.ids() == sorted(ids)
    by_id = {row["event"]["eid"]: row for row in micro.good()}
    return [by_id[number] for number in ids]


def schemas(row):
    return [c["schema"].split("/")[1] for c in (row.get("decoded") or {}).get("contexts") or []]


@pytest.mark.parametrize("way, committed", [("subject", True), ("bound", False)])
def test_every_event_takes_every_field(micro, drive, way, committed):
    driver = start(micro, drive)
    ids = [driver.do("track", event=event, committed=committed, **{way: USER}) for event in EVENTS]
    for event, row in zip(EVENTS, sent(micro, driver, ids)):
        expected = {**WIRE, **({"url": event["url"]} if "url" in event else {})}
        assert {name: row["event"].get(name) for name in expected} == expected
        assert "client_session" not in schemas(row)


def test_precedence(micro, drive):
    driver = start(micro, drive)
    event = EVENTS[0]
    ids = [
        driver.do("track", event=event),
        driver.do("track", event=event, bound={"userId": "u-1", "ipAddress": "10.0.0.1"}),
        driver.do("track", event=event, bound={"userId": "u-1", "ipAddress": "10.0.0.1"}, subject={"userId": "u-2"}),
        driver.do("track", event=event, bound={"userId": "u-1", "ipAddress": "10.0.0.1"}, subject={"ipAddress": None}),
        driver.do("track", event=event, subject={"userId": None, "language": None}),
        driver.do("track", event=event, idCookie=COOKIE, subject={"domainSessionIndex": 9}),
        driver.do("track", event=event, idCookie="no cookie"),
        driver.do("track", event=event, subject={**USER, "userAnonymisation": True}),
    ]
    rows = sent(micro, driver, ids)
    assert [row["event"].get("uid") for row in rows] == [
        "process", "u-1", "u-2", "u-1", None, "process", "process", None]
    assert [row["event"].get("ip") for row in rows] == [None, "10.0.0.1", "10.0.0.1", None, None, None, None, None]
    assert [row["event"].get("lang") for row in rows] == ["en"] * 4 + [None] + ["en"] * 2 + ["he-IL"]
    assert [rows[5]["event"].get(name) for name in ("duid", "sid", "vid")] == [
        "9c65e7f3-8e8e-470d-b243-910b5b300da0", "6b7a0d1f-8e2e-4f0c-9f0b-0a4b3a3c2d1e", "9"]
    assert ["client_session" in schemas(row) for row in rows] == [
        True, False, False, False, False, False, True, False]
    assert "duid" not in rows[7]["event"] and rows[7]["event"]["sid"] == WIRE["sid"]


def test_wrong_words(micro, drive):
    driver = start(micro, drive)
    for subject, reason in [
        ({"who": "u"}, "there is no 'subject.who'"), ({"userId": 1}, "'subject.userId': expected a string, found a number"),
        ("u-1", "'subject' is not an object"), ({"colorDepth": "x"}, "'subject.colorDepth': expected an integer, found a string"),
    ]:
        answer = driver.ask("track", event=EVENTS[0], subject=subject)
        assert (answer["ok"], answer["error"]) == (False, reason)
    driver.quit()


def test_session_of_the_process_is_warned_of(micro, drive):
    driver = start(micro, drive)
    status, said, _ = run(TOOL, "validate", micro.directory / "trackers.json")
    assert status == 0 and (
        "warning: configurationBundle[0].trackerConfiguration.sessionContext: one session for the whole process" in said)
    assert [text for text in driver.warnings() if "one session for the whole process" in text] == [
        "a: tracker.sessionContext: one session for the whole process; events about a user of their own do not carry it"]
    driver.quit()


def test_settings_of_a_session_and_a_location(micro, drive):
    driver = start(micro, drive, geoLocationContext=True)
    location = {
        "latitude": 1.5, "longitude": 2.5, "latitudeLongitudeAccuracy": 3.5, "altitude": 4.5, "altitudeAccuracy": 5.5,
        "bearing": 6.5, "speed": 7.5, "timestamp": 8}
    assert driver.do("set", field="subject.location", value=location) == location
    assert driver.do("set", field="subject.domainSessionId", value="s-1") == "s-1"
    assert driver.do("set", field="subject.domainSessionIndex", value=-3) == 0
    [row] = sent(micro, driver, [driver.do("track", event=EVENTS[0])])
    assert (row["event"]["sid"], row["event"]["vid"]) == ("s-1", "0")
    [found] = [c["data"] for c in row["decoded"]["contexts"] if "geolocation" in c["schema"]]
    assert found == location
