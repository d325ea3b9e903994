"""Rules on the page: what they are for, what they decide, and what one context gets."""
import pytest
from samples import bundle, variable

RULES = [
    {"id": "staff", "condition": {"email": "a@example.com"}, "enabled": True, "values": {"limit": 9, "key": "SECRET-rule"}},
    {"id": "broken", "if": {"plan": "pro"}, "enabled": True},
    {"id": "ramp", "coverage": 0.25, "enabled": True},
    {"id": "all", "values": {"limit": 5}},
]
EXPERIMENTS = [
    {"id": "off", "enabled": False, "condition": {"plan": "pro"}, "namespace": ["n", 0, 0.5], "sticky": True, "bucketVersion": 2,
     "variants": [{"name": "a"}, {"name": "b", "enabled": {"search": True}}]},
    {"id": "bad", "if": 1, "unit": "deviceId", "variants": [{"name": "a"}]},
]


def document(version, rules=RULES, experiments=EXPERIMENTS, **more):
    features = {
        "checkout": {"enabled": False, "rules": rules, "variables": {
            "limit": variable(3, title="Limit"), "key": variable("SECRET-plain", encrypted=True), "plain": variable(1)}},
        "search": {"enabled": False},
    }
    return dict(version=version, bundles=[bundle("shop")], features=features, experiments=experiments, **more)


@pytest.fixture
def service(start):
    return start(document=document(2), default=None)


def test_a_features_rules_are_shown_in_order_with_the_unusable_ones_marked(service, open_page):
    page = open_page(service.url, "#features?open=*")
    row = page.row("checkout")
    page.wait_text(f"{row} [data-rule=staff]", 'if {"email":"a@example.com"} → enabled, limit = 9, key = …')
    page.wait_text(f"{row} [data-rule=ramp]", "25 % of userId → enabled")
    page.wait_text(f"{row} [data-rule=all]", "all contexts → limit = 5")
    page.wait_shown(f"{row} [data-rule=broken] [data-mark=unusable]")
    assert page.attributes(f"{row} [data-rule]", "data-rule") == ["staff", "broken", "ramp", "all"]
    assert len(page.all(f"{row} [data-mark=unusable]")) == 1
    # A variable that rules decide says so.
    page.wait_text(f"{page.row('checkout', 'limit')} [data-role=experiments]", "Rules staff, all")
    page.wait_text(f"{row} [data-role=experiments]", "Rules staff, ramp")
    assert page.text(f"{page.row('checkout', 'plain')} [data-role=experiments]") == ""
    assert page.all(f"{page.row('search')} [data-rule]") == []
    assert "SECRET" not in page.script("return document.body.textContent")


def test_tells_what_a_context_gets_of_features_and_why(service, open_page):
    page = open_page(service.url, "#users")
    for user in ["u-1", "u-2", "u-3", "u-4", "u-5"]:
        asked = {"units": {"userId": user}}
        answers = {each["name"]: each for each in service.client.ask("POST", "assignments", asked)[1]["features"]}
        enabled = answers["checkout"]["enabled"]
        assert enabled["rule"] in ("ramp", None) and enabled["value"] is (enabled["rule"] == "ramp")
        page.type("[data-unit=userId]", user)
        page.click("[data-role=assignment-form] [type=submit]")
        page.wait_text("[data-role=asked]", f'userId "{user}"')
        page.wait_text("[data-answer=checkout] [data-label=Value]", "on" if enabled["value"] else "off")
        page.wait_text("[data-answer=checkout] [data-label=Why]", "rule ramp" if enabled["value"] else "no rule matches")
        page.wait_text("[data-answer='checkout.limit'][data-rule=all] [data-label=Value]", "5")
    page.wait_text("[data-answer='checkout.plain'][data-reason=STATIC] [data-label=Value]", "1")
    page.wait_text("[data-answer='checkout.key'] [data-label=Value]", "encrypted")
    page.type("[data-role=attributes]", '{"plan"')
    page.click("[data-role=assignment-form] [type=submit]")
    page.wait_text("[data-role=assignment-form] [data-role=error]", "the attributes are not JSON")
    for wrong in ({"attributes": [1]}, {"atributes": {}}, {"units": {"userId": 1}}):
        assert service.client.ask("POST", "assignments", wrong)[0] == 422
    assert service.client.get("features")["counters"]["exposuresTracked"] == 0


def test_each_rule_has_a_line_with_its_reason_and_a_link_shows_the_same(service, open_page):
    change = {"value": 12, "by": "dana"}
    assert service.client.ask("PUT", "features/checkout/variables/limit", change)[0] == 200
    page = open_page(service.url, "#users")
    page.type("[data-unit=userId]", "u-1")
    page.type("[data-role=attributes]", '{"email":"b@example.com"}')
    page.click("[data-role=assignment-form] [type=submit]")
    for _ in range(2):
        page.click("[data-answer=checkout] [data-role=why] summary")
        for rule, reason in [("staff", "a@example.com"), ("broken", ""), ("ramp", "userId 'u-1' is at ")]:
            page.wait_text("[data-answer=checkout] [data-role=trace]", f"rule {rule}: no, ")
            page.wait_text("[data-answer=checkout] [data-role=trace]", reason)
        page.wait_text("[data-answer='checkout.limit'][data-reason]", "override")
        page.wait_text("[data-answer='checkout.limit'] [data-role=without-override]", "without the override: 5 (rule all, remote, version 2)")
        assert page.axe() == []
        assert "SECRET" not in page.script("return location.hash + document.body.textContent")
        fragment = page.script("return location.hash")
        page = open_page(service.url, fragment)
    page.until(lambda: page.value("[data-unit=userId]") == "u-1", "the unit of the link")
    assert service.client.get("features")["counters"]["exposuresTracked"] == 0


def test_attributes_reach_conditions(service, open_page):
    page = open_page(service.url, "#users")
    page.type("[data-role=attributes]", '{"email":"a@example.com"}')
    page.click("[data-role=assignment-form] [type=submit]")
    page.wait_text("[data-role=asked]", "a@example.com")
    page.wait_text("[data-answer='checkout.limit'][data-rule=staff] [data-label=Value]", "9")
    page.wait_text("[data-answer=checkout][data-reason=TARGETING_MATCH] [data-label=Value]", "on")


def test_an_answer_says_why_in_each_step(service, open_page):
    page = open_page(service.url, "#users")
    page.type("[data-unit=userId]", "u-1")
    page.type("[data-role=attributes]", '{"email":"b@example.com"}')
    page.click("[data-role=assignment-form] [type=submit]")
    row = "[data-answer=checkout]"
    page.wait_text(f"{row} [data-role=why]", "Each step")
    page.click(f"{row} [data-role=why] summary")
    page.wait_text(f"{row} [data-role=trace]", "rule staff: no, email: 'b@example.com' is not 'a@example.com'")
    page.wait_text(f"{row} [data-role=trace]", "rule ramp: no, userId 'u-1' is at ")
    page.wait_text("[data-assignment=off] [data-label=Why]", "the experiment is disabled")
    page.click("[data-answer='checkout.key'] [data-role=why] summary")
    page.wait_text("[data-answer='checkout.key'] [data-role=trace]", "a secret")
    assert "SECRET" not in page.script("return document.body.textContent")
    assert service.client.get("features")["counters"]["exposuresTracked"] == 0


def test_an_answer_is_marked_as_old_when_rules_change(service, open_page):
    page = open_page(service.url, "#users")
    page.type("[data-unit=userId]", "u-1")
    page.click("[data-role=assignment-form] [type=submit]")
    page.wait_text("[data-answer='checkout.limit'] [data-label=Value]", "5")
    service.publish(**document(3, [{"id": "all", "values": {"limit": 6}}]))
    service.client.ask("POST", "refresh")
    page.wait_text("[data-role=assignments] [data-role=warning]", "Features or experiments have changed since")
    page.click("[data-role=assignment-form] [type=submit]")
    page.wait_text("[data-answer='checkout.limit'] [data-label=Value]", "6")


def test_an_experiment_says_that_it_is_disabled_targeted_or_unusable(service, open_page):
    page = open_page(service.url, "#features")
    off = "[data-experiment=off]"
    page.wait_shown(f"{off} [data-mark=disabled]")
    page.wait_text(f"{off} [data-role=summary]", 'Assigned by userId, sticky. For all units. Only if {"plan":"pro"}, 0 % to 50 % of the units')
    page.wait_text(f"{off} [data-variant=b]", "search is on")
    page.wait_shown("[data-experiment=bad] [data-mark=unusable]")
    assert page.all(f"{off} [data-mark=unusable]") == page.all("[data-experiment=bad] [data-mark=disabled]") == []
    page.show("users")
    page.wait_shown("[data-unit=deviceId]")
    assert page.attributes("[data-unit]", "data-unit") == ["userId", "deviceId"]


def test_features_can_be_asked_for_without_any_experiment(start, open_page):
    page = open_page(start(document=document(2, experiments=[]), default=None).url, "#users")
    page.type("[data-unit=userId]", "u-1")
    page.click("[data-role=assignment-form] [type=submit]")
    page.wait_text("[data-answer='checkout.limit'][data-rule=all] [data-label=Value]", "5")


def test_the_difference_shows_rules_and_segments_without_secrets(service, open_page):
    page = open_page(service.url, "#changes")
    changed = [RULES[3], {**RULES[2], "coverage": 0.75}, {"id": "late", "range": [0.9, 1], "enabled": True}]
    service.publish(**document(3, changed, [], segments={"beta": ["u-1"]}))
    page.click("[data-role=refresh]")
    page.wait_text("[data-view=changes] [data-role=to]", "Version 3, in use")
    for text in ["ramp", "0.75", "late", "staff", "beta", "off"]:
        page.until(lambda: any(text in line for line in page.texts("[data-role=difference] li")), f"a line with {text}")
    assert "SECRET" not in page.script("return document.body.textContent")
