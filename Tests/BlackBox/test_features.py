"""Features, as a script outside sees them: the answers and the lines of `run`, and the file of overrides."""
import json

import jsonschema
from documents import applied, experiment, feature, start, user, value
from driver import ROOT
from test_experiments import fraction


def changes(driver):
    """What has changed, as the lines say it until now."""
    driver.do("meta")
    lines = [line for line in driver.lines if line["type"] == "change"]
    assert all(set(line) == {"type", "feature", "old", "new"} for line in lines), lines
    return [(line["feature"], line["old"], line["new"]) for line in lines]


def state(enabled=None, **variables):
    """A feature as a change line has it."""
    return {"enabled": enabled, "variables": variables}


def ruled(*rules, enabled=False, **variables):
    """A feature with rules."""
    return {**feature(enabled, **variables), "rules": list(rules)}


VARIABLES = {"int": 3, "whole": 3.0, "number": "45", "yes": "true", "text": "x", "ints": [1, 2], "object": {"a": {"b": [None]}},
             "huge": 9007199254740993}
# Variable, the caller's default, and what is read: the default if the variable is of another type.
READS = [
    ("int", 0, 3), ("int", 0.5, 3.0), ("int", "-", "-"), ("int", False, False), ("int", None, 3), ("whole", 0, 3),
    ("number", 0, 45), ("number", "-", "45"), ("yes", False, True), ("text", "-", "x"), ("text", ["-"], ["-"]),
    ("ints", [0.5], [1.0, 2.0]), ("ints", ["-"], ["-"]), ("object", {}, {"a": {"b": [None]}}), ("object", [], []),
    ("huge", 0, 9007199254740993), ("missing", [None], [None]), ("missing", 2.0, 2.0),
]


def test_values_are_read_by_the_type_of_the_default(drive, file):
    file.publish(1, features={"f": feature(**VARIABLES)})
    driver = start(drive, file.url)
    for variable, default, expected in READS:
        found, source = value(driver, "f", variable, default)
        # As text, because to Python 3 equals 3.0 and 1 equals true.
        assert json.dumps(found) == json.dumps(expected), (variable, default)
        assert source == ("fallback" if expected == default else "remote"), (variable, default)
    driver.quit()


def test_details_have_a_source_a_reason_and_what_decided(drive, file):
    file.publish(
        1, features={
            "f": ruled({"id": "all", "values": {"all": 1}}, {"id": "some", "coverage": 0.5, "values": {"some": 1}}, enabled=True,
                       all=0, some=0, plain=0, split=0),
            "gated": ruled({"id": "gate", "prerequisites": {"feature": "off", "gate": True}}, enabled=True), "off": feature(False)},
        experiments=[experiment(1, 0, values={"a": {"f": {"split": 1}}})])
    driver = start(drive, file.url)
    unit_in, unit_out = (next(unit for unit in map(str, range(99)) if (fraction(unit, "f") <= 0.5) is is_in) for is_in in (True, False))

    def detail(name="f", **words):
        found = driver.do("detail", feature=name, **words)
        return [found[name] for name in ("value", "source", "reason", "variant", "rule")] + [found["error"] is None]

    for variable, default, unit, expected in (
            ("plain", 9, unit_in, [0, "remote", "STATIC", None, None, True]),
            ("all", 9, unit_in, [1, "remote", "TARGETING_MATCH", None, "all", True]),
            ("some", 9, unit_in, [1, "remote", "SPLIT", None, "some", True]),
            ("some", 9, unit_out, [0, "remote", "DEFAULT", None, None, True]),
            ("split", 9, unit_in, [1, "experiment", "SPLIT", "a", None, True]),
            ("missing", 9, unit_in, [9, "fallback", "DEFAULT", None, None, False]),
            ("plain", "-", unit_in, ["-", "fallback", "ERROR", None, None, False])):
        assert detail(variable=variable, default=default, context=user(unit)) == expected, variable
    assert detail(variable="split", default=9) == [0, "remote", "STATIC", None, None, True]
    assert detail() == [True, "remote", "STATIC", None, None, True]
    assert detail("gated") == [False, "remote", "DISABLED", None, "gate", True]
    assert driver.do("detail", feature="g", default=False)["reason"] == "DEFAULT"
    driver.quit()


CONTEXTS = [
    # Condition, a context that it holds for, and one that it does not hold for.
    ({"country": {"$in": ["US", "CA"]}}, {"country": "CA"}, {"country": "DE"}),
    ({"language": "en"}, {"language": "en"}, {"language": "fr"}),
    ({"userId": {"$inGroup": "beta"}}, {"units": {"userId": "u7"}}, {"units": {"userId": "u8"}}),
    ({"address.city": "Rome"}, {"attributes": {"address": {"city": "Rome"}}}, {"attributes": {"address": {}}}),
    ({"$not": {"plan": {"$exists": True}}}, {}, {"attributes": {"plan": "pro"}}),
]


def test_conditions_decide_by_the_attributes_units_country_and_language_of_a_command(drive, file):
    features = {f"f{index}": ruled({"id": "r", "condition": condition, "enabled": True})
                for index, (condition, _, _) in enumerate(CONTEXTS)}
    file.publish(1, features=features, segments={"beta": ["u7"]})
    driver = start(drive, file.url)
    for index, (condition, good, bad) in enumerate(CONTEXTS):
        assert driver.do("enabled", feature=f"f{index}", context=good) is True, condition
        assert driver.do("enabled", feature=f"f{index}", context=bad) is False, condition
    driver.quit()


def test_a_detail_has_its_trace_and_a_context_overrides_of_its_own(drive, file):
    file.publish(1, features={
        "f": ruled({"id": "pro", "condition": {"plan": "pro"}, "enabled": True}, {"id": "ramp", "coverage": 0, "values": {"v": 2}}, v=1),
        "plain": feature(False, v=1)})
    driver = start(drive, file.url)
    asked = {"context": user("u-1", attributes={"plan": "free"})}
    found = driver.do("detail", feature="f", default=False, trace=True, **asked)
    trace = found["trace"]
    assert (trace["value"], trace["source"], trace["reason"]) == (found["value"], "remote, version 1", "DEFAULT")
    [rule] = [step for step in trace["steps"] if step.get("rule") == "pro"]
    assert (rule["verdict"], rule["text"]) == ("doesNotMatch", "plan: 'free' is not 'pro'")
    assert "trace" not in driver.do("detail", feature="f", default=False, **asked)

    overrides = {"enabled": {"plain": True}, "values": {"plain": {"v": 7}}}
    tester = {"context": user("u-1", overrides=overrides)}
    assert driver.do("enabled", feature="plain", **tester) is True
    assert driver.do("enabled", feature="plain", context=user("u-1")) is False
    assert value(driver, "plain", "v", 0, **tester) == (7, "request")
    driver.do("override", feature="plain", variable="v", value=5)
    found = driver.do("detail", feature="plain", variable="v", default=0, trace=True, **tester)
    assert [(step["source"], step["verdict"]) for step in found["trace"]["steps"]] == [
        ("request", "gives"), ("override", "overridden"), ("remote, version 1", "overridden"), ("default", "noValue"),
        ("fallback", "overridden")]
    refused = driver.ask("enabled", feature="plain", context={"overrides": {"enabled": {"plain": 1}}})
    assert not refused["ok"] and "enabled.plain: expected a boolean, found an integer" in refused["error"], refused
    driver.quit()


def test_a_secret_is_never_shown(drive, file):
    secret = {"variables": {"key": {"value": "s3cr3t", "encrypted": True}, "v": {"value": 1}}}
    file.publish(1, features={"f": {**secret, "rules": [{"id": "r", "values": {"key": "s3cr3t-2"}}]}})
    driver = start(drive, file.url, "--log-level", "verbose")
    driver.do("watch", feature="f")
    for default in ("-", None, {}):
        assert value(driver, "f", "key", default) == (default, "fallback")
    assert changes(driver) == [("f", None, state(v=1))]
    driver.quit()
    assert "s3cr3t" not in json.dumps(driver.lines) + "".join(driver.log)


def test_changes_are_lines_before_the_answer_of_what_made_them(drive, file):
    file.publish(1, features={"f": feature(True, v=1), "other": feature(v=1)})
    driver = start(drive, file.url)
    assert driver.do("watch", feature="f") == driver.do("watch", feature="late") == {}
    expected = [("f", None, state(True, v=1))]
    assert changes(driver) == expected

    def tells(news, kinds, do, **words):
        before = len(driver.lines)
        driver.do(do, **words)
        assert [line["type"] for line in driver.lines[before:]] == kinds
        expected.extend(news)
        assert changes(driver) == expected

    def publish(version, features, *news):
        file.publish(version, features=features)
        tells(news, ["update", *["change"] * len(news), "outcome", "answer"], "refresh")

    publish(2, {"f": feature(True, v=1), "other": feature(v=2)})
    publish(3, {"f": feature(v=1, w=[])}, ("f", state(True, v=1), state(v=1, w=[])))
    publish(4, {"late": feature(True)}, ("f", state(v=1, w=[]), None), ("late", None, state(True)))

    def override(news, do, **words):
        tells(news, ["change"] * len(news) + ["answer"], do, feature="late", **words)

    override([("late", state(True), state(True, v=2))], "override", variable="v", value=2)
    override([], "override", variable="v", value=2)
    override([("late", state(True, v=2), state(False, v=2))], "override", value=False)
    override([("late", state(False, v=2), state(True, v=2))], "deleteOverride")
    # A null is no value: it takes the override away.
    override([("late", state(True, v=2), state(True))], "override", variable="v", value=None)
    driver.quit()


def test_overrides_in_a_file_survive_refreshes_restarts_and_kills(drive, file, tmp_path):
    overrides = tmp_path / "kept" / "overrides.json"
    file.publish(1, features={"f": feature(True, v=1, w=1)})

    def holds(driver):
        return value(driver, "f", "v", 0), driver.do("enabled", feature="f"), value(driver, "made up", "v", [""])

    held = ((9, "override"), False, (["a", "b"], "override"))
    driver = start(drive, file.url, "--overrides", overrides)
    driver.do("override", feature="f", variable="v", value=9)
    driver.do("override", feature="f", value=False)
    driver.do("override", feature="made up", variable="v", value=["a", "b"])
    file.publish(2, features={"f": feature(True, v=2, w=2)})
    applied(driver, 2)
    assert holds(driver) == held and value(driver, "f", "w", 0) == (2, "remote")
    # An override is kept when it is answered, whatever happens to the process.
    driver.kill()
    second = start(drive, file.url, "--overrides", overrides)
    assert holds(second) == held
    second.do("deleteOverride", feature="f")
    second.kill()
    third = start(drive, file.url, "--overrides", overrides)
    assert holds(third) == ((9, "override"), True, (["a", "b"], "override"))
    assert third.warnings() == []
    third.quit()
    # Without the file they end with the process.
    fourth = start(drive, file.url)
    assert value(fourth, "f", "v", 0) == (2, "remote")
    fourth.quit()


def test_the_file_of_overrides_is_as_its_schema_says(drive, file, tmp_path):
    overrides = tmp_path / "overrides.json"
    expired, later = "2001-01-01T00:00:00Z", "2999-01-01T00:00:00Z"
    kept = {"feature": "f", "variable": "w", "value": 8, "by": "dana", "expiry": later}
    overrides.write_text(json.dumps({"overrides": [
        {"feature": "f", "variable": "v", "value": 7, "by": "dana", "note": "INC-412", "expiry": expired}, kept,
        {"experiment": "e", "value": "b", "expiry": expired}, {"feature": "f", "value": False}]}))
    file.publish(1, features={"f": feature(True, v=1, w=1, x=1)}, experiments=[experiment(1, 0)])
    driver = start(drive, file.url, "--overrides", overrides)
    # What expired before the process started was never in effect in it.
    assert value(driver, "f", "v", 0) == (1, "remote") and value(driver, "f", "w", 0) == (8, "override")
    driver.do("override", feature="f", variable="x", value=9)
    driver.quit()
    found = json.loads(overrides.read_text())
    [enabled, *others, made] = found["overrides"]
    assert enabled == {"feature": "f", "value": False} and others == [kept]
    assert made.pop("time") and made == {"feature": "f", "variable": "x", "value": 9}
    schema = json.loads((ROOT / "Schemas" / "io.tracker-config" / "overrides" / "jsonschema" / "2-0-0").read_text())
    schema.pop("$schema")
    jsonschema.Draft4Validator(schema).validate(found)
