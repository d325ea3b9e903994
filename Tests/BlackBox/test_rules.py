"""Rules of features, as a script outside sees them."""
from documents import DocumentFile, applied, experiment, feature, start, user, value
from test_experiments import fraction
from driver import PATIENCE

UNITS = [f"u{number}" for number in range(600)]


def ruled(*rules, enabled=False, **variables):
    """A feature with rules."""
    return {**feature(enabled, **variables), "rules": list(rules)}


def rule(id, **members):
    return {"id": id, **members}


def enabled(driver, name="f", **context):
    return driver.do("enabled", feature=name, **context)


def detail(driver, variable=None, name="f", default=None, **context):
    """A detail's value, reason and rule."""
    words = {} if variable is None else {"variable": variable}
    answer = driver.do("detail", feature=name, default=default, **words, **context)
    return answer["value"], answer["reason"], answer["rule"]


def enabled_units(driver, units=UNITS, name="f"):
    for unit in units:
        driver.send("enabled", feature=name, context=user(unit))
    answers = [driver.answers.get(timeout=PATIENCE) for _ in units]
    assert all(answer["ok"] for answer in answers), answers
    return {unit for unit, answer in zip(units, answers) if answer["value"]}


def warnings(driver, version):
    """The warnings of the update to a version."""
    driver.do("meta")
    [found] = [line["warnings"] for line in driver.lines if line["type"] == "update" and line["version"] == version]
    return found


def with_attributes(**attributes):
    return {"context": {"attributes": attributes}}


def test_the_first_rule_that_matches_and_says_something_decides_each_variable(drive, file):
    half = rule("half", range=[0, 0.5], values={"v": "half"})
    all_units = rule("all", enabled=True, values={"v": "all", "w": "all"})
    last = rule("last", enabled=False, values={"v": "last", "x": "last"})
    file.publish(1, features={"f": ruled(half, all_units, last, v="plain", w="plain", x="plain", y="plain")})
    driver = start(drive, file)
    for unit in UNITS[:50]:
        context = {"context": user(unit)}
        first = ("half", "SPLIT", "half") if fraction(unit, "f") < 0.5 else ("all", "TARGETING_MATCH", "all")
        assert detail(driver, "v", default="-", **context) == first
        assert detail(driver, "w", default="-", **context) == ("all", "TARGETING_MATCH", "all")
        assert detail(driver, "x", default="-", **context) == ("last", "TARGETING_MATCH", "last")
        assert detail(driver, "y", default="-", **context) == ("plain", "STATIC", None)
        assert detail(driver, **context) == (True, "TARGETING_MATCH", "all")
    # Without a context no unit belongs to a share, and a rule for all matches.
    for context in ({}, {"context": None}, {"context": {}}, {"context": {"units": {"deviceId": "d"}}}):
        assert detail(driver, "v", default="-", **context) == ("all", "TARGETING_MATCH", "all")
        assert enabled(driver, **context) is True
    driver.quit()


def test_a_coverage_has_its_share_and_only_grows(drive, file):
    shares = [0, 0.05, 0.2, 0.5, 0.9, 1]
    driver, before = None, set()
    for version, coverage in enumerate(shares, 1):
        file.publish(version, features={"f": ruled(rule("ramp", coverage=coverage, enabled=True))})
        if driver is None:
            driver = start(drive, file)
        else:
            applied(driver, version)
        now = enabled_units(driver)
        # As in GrowthBook the bound belongs to it.
        assert now == {unit for unit in UNITS if coverage and fraction(unit, "f") <= coverage}
        assert before <= now and abs(len(now) / len(UNITS) - coverage) < 0.07
        before = now
    # All contexts, also those without the unit.
    assert enabled(driver) is True
    driver.quit()


def test_seed_hash_and_unit_are_the_rules_own(drive, file):
    features = {
        "seeded": ruled(rule("r", coverage=0.5, seed="other", enabled=True)),
        "old": ruled(rule("r", coverage=0.5, hashVersion=1, enabled=True)),
        "device": ruled(rule("r", coverage=0.5, unit="deviceId", enabled=True)),
    }
    file.publish(1, features=features)
    driver = start(drive, file)
    assert enabled_units(driver, name="seeded") == {unit for unit in UNITS if fraction(unit, "other") <= 0.5}
    assert enabled_units(driver, name="old") == {unit for unit in UNITS if fraction(unit, "old", 1) <= 0.5}
    assert enabled_units(driver, name="device") == set()
    by_device = {unit for unit in UNITS[:100] if enabled(driver, "device", context={"units": {"deviceId": unit}})}
    assert by_device == {unit for unit in UNITS[:100] if fraction(unit, "device") <= 0.5}
    driver.quit()


def test_filters_and_namespaces_exclude_each_other(drive, file):
    def one(*namespace):
        return ruled(rule("r", namespace=list(namespace), enabled=True))

    narrow = rule("r", filters=[{"seed": "s", "ranges": [[0, 0.1], [0.5, 0.6]]}, {"seed": "t", "ranges": [[0, 0.5]]}], enabled=True)
    file.publish(1, features={"a": one("n", 0, 0.4), "b": one("n", 0.4, 1), "c": one("other", 0, 0.4), "f": ruled(narrow)})
    driver = start(drive, file)
    first, second, third = (enabled_units(driver, name=name) for name in "abc")
    assert first == {unit for unit in UNITS if fraction(unit, "__n", 1) < 0.4}
    assert first | second == set(UNITS) and not first & second
    assert first & third and first - third
    assert enabled_units(driver) == {
        unit for unit in UNITS
        if (fraction(unit, "s") < 0.1 or 0.5 <= fraction(unit, "s") < 0.6) and fraction(unit, "t") < 0.5}
    driver.quit()


# Members that make a rule unusable, and the key that the warning names.
UNUSABLE = [
    ({"if": {"plan": "pro"}}, "if"), ({"conditon": {}}, "conditon"), ({"enabled": "yes"}, "enabled"), ({"values": [1]}, "values"),
    ({"id": 7}, "id"), ({"coverage": "0.5"}, "coverage"), ({"range": [0.5, 0.1]}, "range"), ({"range": [0]}, "range"),
    ({"hashVersion": 3, "coverage": 0.9}, "hashVersion"), ({"unit": 1}, "unit"), ({"seed": []}, "seed"),
    ({"condition": "pro"}, "condition"), ({"experiment": "missing"}, "experiment"), ({"filters": [{}]}, "filters"),
    ({"namespace": ["n", 0]}, "namespace"), ({"prerequisites": [{"feature": "missing"}]}, "prerequisites"),
    ({"prerequisites": [{"feature": "g", "unless": True}]}, "prerequisites"),
]


def test_a_rule_that_cannot_be_used_matches_nothing_and_the_next_one_counts(drive, file):
    driver = None
    for version, (members, key) in enumerate(UNUSABLE, 1):
        bad = {"id": "bad", "enabled": True, "values": {"v": "bad"}, **members}
        features = {"g": feature(True), "f": ruled(bad, rule("good", values={"v": "good"}), v="plain")}
        file.publish(version, features=features)
        if driver is None:
            driver = start(drive, file)
        else:
            applied(driver, version)
        for context in ({}, {"context": user("u1", country="US", attributes={"plan": "pro"})}):
            assert enabled(driver, **context) is False, members
            assert value(driver, "f", "v", "-", **context) == ("good", "remote"), members
        said = [warning for warning in warnings(driver, version) if warning.startswith(f"features.f.rules[0].{key}")]
        assert said and "the rule matches no context" in said[0], members
    file.publish(version + 1, features={"f": {**feature(False), "rules": [1, rule("good", enabled=True)]}})
    applied(driver, version + 1)
    assert enabled(driver) is True
    driver.quit()


def test_keys_of_features_and_variables_that_are_unknown_stay_ignored(drive, file):
    file.publish(1, features={"f": {**ruled(rule("r", enabled=True), v=1), "owner": "growth"}})
    driver = start(drive, file)
    assert enabled(driver) is True
    driver.quit()


def test_a_document_that_requires_more_is_held_back_and_the_old_one_stays(drive, file):
    file.publish(1, requires=["rules"], features={"f": ruled(rule("r", enabled=True))})
    driver = start(drive, file)
    file.publish(2, requires=["rules", "telepathy"], features={"f": feature(False)})
    answer = driver.do("refresh")
    assert (answer["outcome"], answer["version"]) == ("held", 2)
    assert "telepathy" in answer["reason"]
    assert enabled(driver) is True
    for wrong in ("rules", [1], {"rules": True}):
        file.publish(3, requires=wrong)
        assert driver.do("refresh")["outcome"] == "rejected"
    file.publish(4, requires=[], features={"f": feature(False)})
    applied(driver, 4)
    assert enabled(driver) is False
    driver.quit()


def test_a_percentage_as_coverage_rejects_the_document(drive, file):
    file.publish(1, features={"f": ruled(rule("r", coverage=0.5, enabled=True))})
    driver = start(drive, file)
    before = enabled_units(driver, UNITS[:50])
    variants = [{"name": "a"}]
    for parts in ({"features": {"f": ruled(rule("r", coverage=50, enabled=True))}},
                  {"features": {"f": ruled(rule("r", whatever=1, coverage=1.001, enabled=True))}},
                  {"experiments": [{"id": "e", "coverage": 50, "variants": variants}]}):
        file.publish(2, **parts)
        answer = driver.do("refresh")
        assert answer["outcome"] == "rejected" and "0.5 is half" in answer["reason"], answer
        assert enabled_units(driver, UNITS[:50]) == before
    driver.quit()


def test_a_value_of_another_type_falls_through_and_is_logged_once(drive, file):
    file.publish(1, features={"f": ruled(
        rule("wrong", values={"v": "five"}), rule("right", coverage=0.5, values={"v": 5}), v=3)})
    driver = start(drive, file)
    for unit in UNITS[:30]:
        expected = (5, "right") if fraction(unit, "f") <= 0.5 else (3, None)
        answer = driver.do("detail", feature="f", variable="v", default=0, context=user(unit))
        assert (answer["value"], answer["rule"]) == expected
        assert (answer["reason"], answer["source"]) == ("ERROR", "remote")
        assert answer["error"]
    assert driver.do("value", feature="f", variable="v", default="-", context=user("u"))["value"] == "five"
    assert any("the variable is an integer" in warning for warning in warnings(driver, 1))
    driver.quit()
    assert len([line for line in driver.log if "f.v: expected an integer" in line]) == 1, driver.log


def test_a_detail_says_why_in_openfeatures_words(drive, file):
    file.publish(1, features={
        "f": ruled(rule("all", values={"all": 1}), rule("some", coverage=0.5, values={"some": 1}), enabled=True,
                   all=0, some=0, plain=0, split=0),
        "gated": ruled(rule("gate", prerequisites={"feature": "off", "gate": True}), enabled=True, v=1),
        "off": feature(False),
    }, experiments=[experiment(1, 0, id="e", values={"a": {"f": {"split": 1}}})])
    driver = start(drive, file)
    unit_in = next(unit for unit in UNITS if fraction(unit, "f") <= 0.5)
    unit_out = next(unit for unit in UNITS if fraction(unit, "f") > 0.5)

    def reads(variable, unit, name="f"):
        return detail(driver, variable, name, 9, context=user(unit))

    assert reads("plain", unit_in) == (0, "STATIC", None)
    assert reads("all", unit_in) == (1, "TARGETING_MATCH", "all")
    assert reads("some", unit_in) == (1, "SPLIT", "some")
    assert reads("some", unit_out) == (0, "DEFAULT", None)
    assert reads("split", unit_in) == (1, "SPLIT", None)
    assert detail(driver, "split", default=9) == (0, "STATIC", None)
    assert reads("missing", unit_in) == (9, "DEFAULT", None)
    assert detail(driver, "plain", default="-", context=user(unit_in)) == ("-", "ERROR", None)
    assert detail(driver, name="gated") == (False, "DISABLED", "gate")
    assert detail(driver, "v", "gated", 9) == (9, "DEFAULT", None)
    assert detail(driver, name="unknown", default=True) == (True, "DEFAULT", None)
    answer = driver.do("detail", feature="f", variable="split", default=9, context=user(unit_in))
    assert (answer["source"], answer["variant"], answer["error"]) == ("experiment", "a", None)
    driver.quit()


def test_prerequisites_of_other_features_turn_rules_or_whole_features_off(drive, file):
    def publish(version, base):
        file.publish(version, features={
            "base": feature(base), "chain": ruled(rule("r", prerequisites={"feature": "f"}, enabled=True)),
            "f": ruled(rule("r", prerequisites=[{"feature": "base"}], enabled=True, values={"v": 2}), v=1),
            "gated": ruled(rule("gate", prerequisites=[{"feature": "base", "gate": True}]), rule("r", values={"v": 2}),
                           enabled=True, v=1),
        })

    publish(1, True)
    driver = start(drive, file)
    for name in ("base", "f", "chain", "gated"):
        assert enabled(driver, name) is True
    assert value(driver, "f", "v", 0) == value(driver, "gated", "v", 0) == (2, "remote")
    publish(2, False)
    applied(driver, 2)
    for name in ("base", "f", "chain", "gated"):
        assert enabled(driver, name) is False
    assert value(driver, "f", "v", 0) == (1, "remote")
    assert value(driver, "gated", "v", 0) == (0, "fallback")
    # What decides is what is in effect, overrides included.
    driver.do("override", feature="base", value=True)
    assert enabled(driver, "chain") is enabled(driver, "gated") is True
    driver.quit()


def test_a_prerequisite_is_evaluated_for_the_same_context(drive, file):
    file.publish(1, features={
        "base": ruled(rule("ramp", coverage=0.3, enabled=True)),
        "f": ruled(rule("r", prerequisites={"feature": "base"}, enabled=True))})
    driver = start(drive, file)
    assert enabled_units(driver) == {unit for unit in UNITS if fraction(unit, "base") <= 0.3}
    driver.quit()


def test_features_that_wait_for_each_other_are_off_and_end(drive, file):
    def on_if(name):
        return ruled(rule("r", prerequisites={"feature": name}, enabled=True))

    cycle = {f"c{index}": on_if(f"c{(index + 1) % 5}") for index in range(5)}
    chain = {f"l{index}": on_if(f"l{index + 1}") for index in range(30)}
    file.publish(1, features={"self": on_if("self"), **cycle, **chain, "l30": feature(True)})
    driver = start(drive, file)
    assert enabled(driver, "self") is enabled(driver, "c0") is enabled(driver, "c3") is False
    # A chain of more than ten counts as unmet.
    assert enabled(driver, "l25") is True
    assert enabled(driver, "l0") is False
    driver.quit()


def test_overrides_win_over_rules_and_rules_over_plain_values_and_the_default(drive, file, tmp_path):
    default = DocumentFile(tmp_path, "default.json")
    default.publish(1, features={"f": ruled(rule("low", enabled=True, values={"v": "low", "w": "low"}), v="d", w="d")})
    file.publish(2, features={"f": ruled(rule("r", enabled=True, values={"v": "rule"}), v="plain")})
    driver = start(drive, file, "--default", default.path, "--default-version", 1)
    assert value(driver, "f", "v", "-") == ("rule", "remote")
    assert value(driver, "f", "w", "-") == ("low", "default")
    driver.do("override", feature="f", variable="v", value="mine")
    driver.do("override", feature="f", value=False)
    assert value(driver, "f", "v", "-", context=user("u")) == ("mine", "override")
    assert detail(driver, context=user("u")) == (False, "STATIC", None)
    driver.do("deleteOverride", feature="f", variable="v")
    driver.do("deleteOverride", feature="f")
    assert value(driver, "f", "v", "-") == ("rule", "remote")
    assert enabled(driver) is True
    driver.quit()


def test_a_rule_ranks_before_experiments_and_may_name_one(drive, file):
    one = experiment(1, 1, id="e", values={"a": {"f": {"v": "a"}, "g": {"v": "a"}}, "b": {"f": {"v": "b"}, "g": {"v": "b"}}})
    file.publish(1, features={
        "f": ruled(rule("r", values={"v": "rule"}), v="plain"),
        "g": ruled(rule("first", coverage=0.2, values={"v": "first"}), rule("test", experiment="e"), v="plain"),
    }, experiments=[one])
    driver = start(drive, file)
    for unit in UNITS[:60]:
        assert detail(driver, "v", default="-", context=user(unit)) == ("rule", "TARGETING_MATCH", "r")
        variant = "a" if fraction(unit, "e") < 0.5 else "b"
        expected = ("first", "SPLIT", "first") if fraction(unit, "g") <= 0.2 else (variant, "SPLIT", "test")
        assert detail(driver, "v", "g", "-", context=user(unit)) == expected
    assert value(driver, "g", "v", "-") == ("plain", "remote")
    driver.quit()


def test_rules_go_and_come_with_the_document(drive, file):
    with_rules = {"f": ruled(rule("r", enabled=True, values={"v": 2, "only": 2}), v=1)}
    without = {"f": feature(False, v=1)}
    file.publish(1, features=with_rules)
    driver = start(drive, file)
    for version, features in enumerate([without, with_rules, without], 2):
        expected = features is not with_rules
        assert enabled(driver) is expected
        assert value(driver, "f", "v", 0)[0] == (2 if expected else 1)
        assert value(driver, "f", "only", 0) == ((2, "remote") if expected else (0, "fallback"))
        file.publish(version, features=features)
        applied(driver, version)
    assert value(driver, "f", "v", 0) == (1, "remote")
    driver.quit()


def test_a_secret_of_a_rule_is_never_shown(drive, file):
    secret = {"enabled": True, "variables": {"key": {"value": "s3cr3t", "encrypted": True}}}
    file.publish(1, features={"f": {**secret, "rules": [rule("r", values={"key": "s3cr3t-2"})]}})
    driver = start(drive, file, "--log-level", "verbose")
    assert value(driver, "f", "key", "-") == ("-", "fallback")
    driver.quit()
    assert "s3cr3t" not in "".join(driver.log) + str([line for line in driver.lines if line["type"] != "answer"])


# Conditions.

CONTEXTS = [
    # Condition, a context that it holds for, and one that it does not hold for.
    ({"plan": "pro"}, {"attributes": {"plan": "pro"}}, {"attributes": {"plan": "free"}}),
    ({"country": {"$in": ["US", "CA"]}}, {"country": "CA"}, {"country": "DE"}),
    ({"language": "en"}, {"language": "en"}, {"language": "fr"}),
    ({"userId": {"$ne": "u1"}}, {"units": {"userId": "u2"}}, {"units": {"userId": "u1"}}),
    ({"email": {"$regex": "@example\\.com$"}}, {"attributes": {"email": "a@example.com"}}, {"attributes": {"email": "a@example.org"}}),
    ({"address.city": "Rome"}, {"attributes": {"address": {"city": "Rome"}}}, {"attributes": {"address": {}}}),
    ({"$or": [{"a": 1}, {"b": {"$gte": 2}}]}, {"attributes": {"b": 2}}, {"attributes": {"a": 2, "b": 1}}),
    ({"tags": {"$all": ["x", "y"]}}, {"attributes": {"tags": ["y", "z", "x"]}}, {"attributes": {"tags": ["x"]}}),
    ({"version": {"$vgte": "1.10.0"}}, {"attributes": {"version": "1.11.0"}}, {"attributes": {"version": "1.9.3"}}),
    ({"userId": {"$inGroup": "beta"}}, {"units": {"userId": "u7"}}, {"units": {"userId": "u8"}}),
    ({"account": {"$notInGroup": "beta"}}, {"attributes": {"account": 8}}, {"attributes": {"account": 7}}),
    ({"$not": {"plan": {"$exists": True}}}, {}, {"attributes": {"plan": "pro"}}),
]


def test_conditions_decide_by_attributes_units_country_and_language(drive, file):
    features = {f"f{index}": ruled(rule("r", condition=condition, enabled=True)) for index, (condition, _, _) in enumerate(CONTEXTS)}
    file.publish(1, features=features, segments={"beta": ["u7", 7]})
    driver = start(drive, file)
    for index, (condition, good, bad) in enumerate(CONTEXTS):
        assert enabled(driver, f"f{index}", context=good) is True, condition
        assert enabled(driver, f"f{index}", context=bad) is False, condition
    assert detail(driver, name="f0", context=CONTEXTS[0][1]) == (True, "TARGETING_MATCH", "r")
    assert detail(driver, name="f0", context=CONTEXTS[0][2]) == (False, "DEFAULT", None)
    driver.quit()


def test_condition_and_coverage_have_to_hold_both(drive, file):
    file.publish(1, features={"f": ruled(rule("r", condition={"plan": "pro"}, coverage=0.5, enabled=True))})
    driver = start(drive, file)
    for unit in UNITS[:60]:
        expected = fraction(unit, "f") <= 0.5
        assert enabled(driver, context=user(unit, attributes={"plan": "pro"})) is expected
        assert enabled(driver, context=user(unit, attributes={"plan": "free"})) is False
    assert enabled(driver, **with_attributes(plan="pro")) is False
    driver.quit()


def test_a_condition_that_cannot_be_used_matches_nothing_whatever_is_around_it(drive, file):
    bad = [{"plan": {"$equals": "pro"}}, {"$not": {"plan": {"$equals": "x"}}}, {"email": {"$regex": "("}}, {"$xor": []},
           {"userId": {"$inGroup": "missing"}}, {"userId": {"$notInGroup": "missing"}}, {"$or": [{}, {"a": {"$nope": 1}}]}]
    file.publish(1, features={f"f{index}": ruled(rule("r", condition=condition, enabled=True)) for index, condition in enumerate(bad)},
                 segments={"beta": ["u1"]})
    driver = start(drive, file)
    context = user("u1", attributes={"plan": "pro", "email": "("})
    for index, condition in enumerate(bad):
        assert enabled(driver, f"f{index}", context=context) is enabled(driver, f"f{index}") is False, condition
    places = [warning for warning in warnings(driver, 1) if "the rule matches no context" in warning]
    assert len(places) == len(bad)
    driver.quit()


def test_a_prerequisite_may_ask_for_a_variable(drive, file):
    file.publish(1, features={
        "base": ruled(rule("r", coverage=0.5, values={"limit": 5}), enabled=True, limit=1),
        "f": ruled(rule("r", prerequisites={"feature": "base", "condition": {"limit": {"$gte": 3}, "enabled": True}}, enabled=True))})
    driver = start(drive, file)
    assert enabled_units(driver) == {unit for unit in UNITS if fraction(unit, "base") <= 0.5}
    driver.do("override", feature="base", variable="limit", value=0)
    assert enabled_units(driver) == set()
    driver.quit()


# Experiments.

def test_an_experiment_may_be_targeted_disabled_and_part_of_a_namespace(drive, file):
    def publish(version, **members):
        file.publish(version, features={"f": feature(v="plain")}, experiments=[
            experiment(0, 1, id="e", values={"b": {"f": {"v": "b"}}}, **members)])

    publish(1, condition={"plan": "pro"})
    driver = start(drive, file)
    pro, free = (user("u1", attributes={"plan": plan}) for plan in ("pro", "free"))
    assert value(driver, "f", "v", "-", context=pro) == ("b", "experiment")
    assert value(driver, "f", "v", "-", context=free) == ("plain", "remote")
    publish(2, enabled=False)
    applied(driver, 2)
    assert value(driver, "f", "v", "-", context=pro) == ("plain", "remote")
    publish(3, namespace=["n", 0, 0.5])
    applied(driver, 3)
    for unit in UNITS[:60]:
        expected = ("b", "experiment") if fraction(unit, "__n", 1) < 0.5 else ("plain", "remote")
        assert value(driver, "f", "v", "-", context=user(unit)) == expected
    for version, members in enumerate([{"if": 1}, {"hashVersion": 3}, {"namespace": ["n"]}, {"enabled": "yes"}], 4):
        publish(version, **members)
        applied(driver, version)
        assert value(driver, "f", "v", "-", context=pro) == ("plain", "remote"), members
    driver.quit()


def test_a_variant_may_enable_a_feature(drive, file):
    variants = [{"name": "a", "weight": 1}, {"name": "b", "weight": 1, "enabled": {"f": True}}]
    file.publish(1, features={"f": feature(False)}, experiments=[{"id": "e", "variants": variants}])
    driver = start(drive, file)
    assert enabled_units(driver) == {unit for unit in UNITS if fraction(unit, "e") >= 0.5}
    answer = driver.do("detail", feature="f", default=None, context=user(next(iter(enabled_units(driver)))))
    assert (answer["value"], answer["source"], answer["variant"]) == (True, "experiment", "b")
    driver.quit()


def test_a_detail_has_its_trace_and_a_context_overrides_of_its_own(drive, file):
    file.publish(1, features={
        "f": ruled(rule("pro", condition={"plan": "pro"}, enabled=True), rule("ramp", coverage=0.1, values={"v": 2}), v=1),
        "plain": feature(False, v=1)})
    driver = start(drive, file)
    unit = next(unit for unit in UNITS if fraction(unit, "f") > 0.1)
    asked = {"context": {**user(unit), "attributes": {"plan": "free"}}}
    found = driver.do("detail", feature="f", default=False, trace=True, **asked)
    trace = found["trace"]
    assert (trace["value"], trace["source"], trace["reason"]) == (found["value"], "remote, version 1", "DEFAULT")
    [remote] = [step for step in trace["steps"] if step["name"] == "remote, version 1"]
    [clause] = [step for step in remote["steps"] if step["name"] == "pro"][0]["steps"]
    assert (clause["name"], clause["operation"], clause["operand"], clause["value"]) == ("plan", "$eq", "pro", "free")
    found = driver.do("detail", feature="f", variable="v", default="text", trace=True, **asked)
    assert (found["reason"], found["trace"]["reason"], found["trace"]["error"]) == ("ERROR", "ERROR", found["error"])
    [remote] = [step for step in found["trace"]["steps"] if step["name"] == "remote, version 1"]
    assert remote["verdict"] == "unreadable"
    [unit_step] = [step for step in remote["steps"] if step["name"] == "ramp"][0]["steps"]
    assert unit_step["value"] == fraction(unit, "f") and unit_step["operand"] == [0, 0.1]
    assert "trace" not in driver.do("detail", feature="f", default=False, **asked)

    overrides = {"enabled": {"plain": True}, "values": {"plain": {"v": 7}}}
    tester = {"context": {**user(unit), "overrides": overrides}}
    assert driver.do("enabled", feature="plain", **tester) is True
    assert driver.do("enabled", feature="plain", context=user(unit)) is False
    assert value(driver, "plain", "v", 0, **tester) == (7, "request")
    assert value(driver, "plain", "v", 0, context=user(unit)) == (1, "remote")
    driver.do("override", feature="plain", variable="v", value=5)
    found = driver.do("detail", feature="plain", variable="v", default=0, trace=True, **tester)
    assert [(step["name"], step["verdict"]) for step in found["trace"]["steps"]] == [
        ("request", "gives"), ("override", "overridden"), ("remote, version 1", "overridden"), ("default", "noValue"),
        ("fallback", "overridden")]
    refused = driver.ask("enabled", feature="plain", context={"overrides": {"enabled": {"plain": 1}}})
    assert not refused["ok"] and "enabled.plain: expected a boolean, found an integer" in refused["error"], refused
    driver.quit()
