"""Features, as a script outside sees them."""
import json

import jsonschema
from documents import DocumentFile, applied, changes, experiment, feature, start, state, user, value
from driver import PATIENCE, ROOT


def test_whether_a_feature_is_on_is_said_by_the_highest_with_an_opinion(drive, file):
    file.publish(1, features={"on": feature(True), "off": feature(False), "silent": feature(limit=3)})
    driver = start(drive, file)
    for name, expected in (("on", True), ("off", False), ("silent", False), ("unknown", False)):
        assert driver.do("enabled", feature=name) is expected
        assert driver.do("enabled", feature=name, context=user("u", country="US", attributes={"a": [1]})) is expected
        driver.do("override", feature=name, value=not expected)
        assert driver.do("enabled", feature=name) is not expected
        # A variable says nothing of whether its feature is on.
        driver.do("override", feature=name, variable="enabled", value=expected)
        assert driver.do("enabled", feature=name) is not expected
        driver.do("deleteOverride", feature=name)
        assert driver.do("enabled", feature=name) is expected
    driver.quit()


def test_the_first_that_has_a_variable_gives_its_value(drive, file, tmp_path):
    default = DocumentFile(tmp_path, "default.json")
    default.publish(1, features={"f": feature(v="default", low="default"), "own": feature(True, v=1)})
    variant = experiment(0, 1, values={"b": {"f": {"v": "experiment", "only": "experiment"}}})
    file.publish(2, features={"f": feature(v="remote")}, experiments=[variant])
    driver = start(drive, file, "--default", default.path, "--default-version", 1)

    def reads(**context):
        return value(driver, "f", "v", "caller", **context)

    driver.do("override", feature="f", variable="v", value="override")
    assert reads() == reads(context=user("u")) == ("override", "override")
    driver.do("deleteOverride", feature="f", variable="v")
    assert reads(context=user("u")) == ("experiment", "experiment")
    # A variable that only a variant has.
    assert value(driver, "f", "only", "caller", context=user("u")) == ("experiment", "experiment")
    assert value(driver, "f", "only", "caller") == ("caller", "fallback")
    for context in ({}, {"context": {}}, {"context": {"units": {"deviceId": "d"}}}, {"context": None}):
        assert reads(**context) == ("remote", "remote")
    assert value(driver, "f", "low", "caller", context=user("u")) == ("default", "default")
    assert driver.do("enabled", feature="own") is True
    file.publish(3, features={"f": feature(other=1)}, experiments=[])
    applied(driver, 3)
    assert reads(context=user("u")) == ("default", "default")
    assert value(driver, "f", "nothing", "caller") == value(driver, "zz", "v", "caller") == ("caller", "fallback")
    driver.quit()


def test_a_default_document_has_its_say_until_and_beside_a_remote_one(drive, file, tmp_path):
    default = DocumentFile(tmp_path, "default.json")
    default.publish(1, features={"f": feature(True, v=1, w=1)}, experiments=[experiment(0, 1), experiment(1, 0, id="d")])
    driver = start(drive, file, "--default", default.path)
    assert driver.updates() == [("default", None)]
    driver.do("watch", feature="f")
    assert value(driver, "f", "v", 0) == (1, "default")
    assert driver.do("variant", experiment="e", default="-", context=user("u"))["variant"] == "b"
    file.publish(1, features={"f": feature(v=2)}, experiments=[experiment(1, 0)])
    applied(driver, 1)
    assert (value(driver, "f", "v", 0), value(driver, "f", "w", 0)) == ((2, "remote"), (1, "default"))
    assert driver.do("enabled", feature="f") is True
    # Experiments are not merged: one that the document does not have is over.
    assert driver.do("variant", experiment="e", default="-", context=user("u"))["variant"] == "a"
    assert driver.do("variant", experiment="d", default="-", context=user("u"))["reason"] == "unknown"
    assert changes(driver) == [("f", None, state(True, v=1, w=1)), ("f", state(True, v=1, w=1), state(True, v=2, w=1))]
    driver.quit()


VARIABLES = {"int": 3, "whole": 3.0, "broken": 10.3, "number": "45", "decimal": "4.5", "yes": "true", "bool": True, "text": "x",
             "ints": [1, 2], "mixed": [1, "x"], "texts": ["a", "b"], "numbers": ["1", 2.0], "bools": [True, False], "none": [],
             "object": {"a": {"b": [None]}}, "huge": 9007199254740993, "zero": 0, "holes": [None]}

# Variable, the caller's default, and what is read; of another type where there is nothing to read.
MISMATCH = object()
READS = [
    ("int", 0, 3), ("int", 0.5, 3.0), ("int", "-", MISMATCH), ("int", False, MISMATCH), ("int", [0], MISMATCH), ("int", None, 3),
    ("whole", 0, 3), ("whole", 0.5, 3.0), ("broken", 0, MISMATCH), ("broken", 0.5, 10.3),
    ("number", 0, 45), ("number", 0.5, 45.0), ("number", "-", "45"), ("number", True, MISMATCH),
    ("decimal", 0, MISMATCH), ("decimal", 0.5, 4.5), ("yes", False, True), ("yes", 0, MISMATCH), ("yes", "-", "true"),
    ("bool", False, True), ("bool", 0, MISMATCH), ("bool", 0.5, MISMATCH), ("bool", "-", MISMATCH),
    ("text", "-", "x"), ("text", 0, MISMATCH), ("text", False, MISMATCH), ("text", ["-"], MISMATCH),
    ("ints", [0], [1, 2]), ("ints", [0.5], [1.0, 2.0]), ("ints", ["-"], MISMATCH), ("ints", [False], MISMATCH),
    ("ints", [], [1, 2]), ("ints", 0, MISMATCH), ("ints", {}, MISMATCH), ("ints", None, [1, 2]),
    ("mixed", ["-"], MISMATCH), ("mixed", [0], MISMATCH), ("mixed", [], [1, "x"]), ("mixed", ["-", 0], [1, "x"]),
    ("texts", ["-"], ["a", "b"]), ("texts", ["1"], ["a", "b"]), ("texts", ["true"], ["a", "b"]), ("texts", [0], MISMATCH),
    ("numbers", [0], [1, 2]), ("numbers", [0.5, 1], [1.0, 2.0]), ("bools", [True], [True, False]), ("bools", [0], MISMATCH),
    ("none", ["-"], []), ("none", [0], []), ("none", {}, MISMATCH),
    ("object", {}, {"a": {"b": [None]}}), ("object", {"z": 1}, {"a": {"b": [None]}}), ("object", [], MISMATCH),
    ("object", None, {"a": {"b": [None]}}), ("huge", 0, 9007199254740993), ("huge", 0.5, MISMATCH),
    ("zero", False, MISMATCH), ("zero", 1, 0), ("holes", ["-"], MISMATCH), ("holes", [], [None]),
]


def test_the_type_of_the_default_is_the_type_asked_for(drive, file):
    file.publish(1, features={"f": feature(**VARIABLES)})
    driver = start(drive, file)
    for variable, default, expected in READS:
        found = value(driver, "f", variable, default)
        wanted = (default, "fallback") if expected is MISMATCH else (expected, "remote")
        # As text, because to Python 3 equals 3.0 and 1 equals true.
        assert json.dumps(found) == json.dumps(wanted), (variable, default)
    for default in (3, 1.5, 2.0, "x", "45", True, [1], [1.5], [1.5, 2.0], ["x"], ["1", "2"], ["true"], [1, "x"], [None], [[1]], [],
                    {"a": 1}, {}, None):
        assert json.dumps(value(driver, "f", "missing", default)) == json.dumps((default, "fallback"))
    driver.quit()


def test_a_secret_without_a_closure_is_never_shown(drive, file):
    file.publish(1, features={"f": {"variables": {"key": {"value": "s3cr3t", "encrypted": True}, "v": {"value": 1}}}})
    driver = start(drive, file, "--log-level", "verbose")
    driver.do("watch", feature="f")
    for default in ("-", None, {}):
        assert value(driver, "f", "key", default) == (default, "fallback")
    assert changes(driver) == [("f", None, state(v=1))]
    driver.quit()
    assert "s3cr3t" not in json.dumps(driver.lines) + "".join(driver.log)


def test_watch_tells_what_is_there_and_then_real_changes_only(drive, file):
    file.publish(1, features={"f": feature(True, v=1), "other": feature(v=1)})
    driver = start(drive, file)
    assert driver.do("watch", feature="f") == {}
    assert driver.do("watch", feature="late") == {}
    expected = [("f", None, state(True, v=1))]
    assert changes(driver) == expected
    kinds = [line["type"] for line in driver.lines]
    assert kinds[-4:] == ["answer", "change", "answer", "answer"]

    def publish(version, features, *news):
        before = len(driver.lines)
        file.publish(version, features=features)
        applied(driver, version)
        # They are told of before the refresh is answered.
        assert sum(line["type"] == "change" for line in driver.lines[before:]) == len(news)
        expected.extend(news)
        assert changes(driver) == expected

    publish(2, {"f": feature(True, v=1), "other": feature(v=2)})
    publish(3, {"f": {"variables": {"v": {"value": 1, "title": "for people"}}, "enabled": True}, "new": feature(True)})
    publish(4, {"f": feature(False, v=1)}, ("f", state(True, v=1), state(False, v=1)))
    publish(5, {"f": feature(v=1)}, ("f", state(False, v=1), state(v=1)))
    publish(6, {"f": feature(v=1, w=[])}, ("f", state(v=1), state(v=1, w=[])))
    publish(7, {"f": feature()}, ("f", state(v=1, w=[]), state()))
    publish(8, {"late": feature(True)}, ("f", state(), None), ("late", None, state(True)))
    publish(9, {"late": feature(True)})
    publish(10, {}, ("late", state(True), None))
    publish(11, {"f": feature(v=2)}, ("f", None, state(v=2)))
    # The same document again, and one that is rejected.
    assert driver.do("refresh")["outcome"] in ("notModified", "unchanged")
    file.publish(12, features={"f": feature("yes")})
    assert driver.do("refresh")["outcome"] == "rejected"
    assert changes(driver) == expected
    driver.quit()


def test_an_override_is_told_of_before_its_answer(drive, file):
    file.publish(1, features={"f": feature(True, v=1)})
    driver = start(drive, file)
    driver.do("watch", feature="f")
    driver.do("watch", feature="made up")
    expected = changes(driver)

    def tells(news, do, **words):
        before = len(driver.lines)
        driver.do(do, **words)
        lines = driver.lines[before:]
        assert [line["type"] for line in lines] == ["change"] * len(news) + ["answer"]
        expected.extend(news)
        assert changes(driver) == expected

    tells([("f", state(True, v=1), state(True, v=2))], "override", feature="f", variable="v", value=2)
    tells([], "override", feature="f", variable="v", value=2)
    tells([("f", state(True, v=2), state(False, v=2))], "override", feature="f", value=False)
    tells([], "override", feature="other", variable="v", value=2)
    tells([("f", state(False, v=2), state(True, v=2))], "deleteOverride", feature="f")
    tells([("f", state(True, v=2), state(True, v=1))], "deleteOverride", feature="f", variable="v")
    tells([], "deleteOverride", feature="f", variable="v")
    # An override that says what is there already changes nothing.
    tells([], "override", feature="f", variable="v", value=1)
    tells([], "deleteOverride", feature="f", variable="v")
    tells([("made up", None, state(v={"a": [1]}))], "override", feature="made up", variable="v", value={"a": [1]})
    # A null is no value: it takes the override away.
    tells([("made up", state(v={"a": [1]}), None)], "override", feature="made up", variable="v", value=None)
    assert value(driver, "made up", "v", 7) == (7, "fallback")
    driver.quit()


def test_overrides_in_a_file_survive_refreshes_restarts_and_kills(drive, file, tmp_path):
    overrides = tmp_path / "kept" / "overrides.json"
    file.publish(1, features={"f": feature(True, v=1, w=1)})

    def holds(driver):
        return value(driver, "f", "v", 0), driver.do("enabled", feature="f"), value(driver, "made up", "v", [""])

    held = ((9, "override"), False, (["a", "b"], "override"))
    driver = start(drive, file, "--overrides", overrides)
    driver.do("override", feature="f", variable="v", value=9)
    driver.do("override", feature="f", value=False)
    driver.do("override", feature="made up", variable="v", value=["a", "b"])
    assert holds(driver) == held
    file.publish(2, features={"f": feature(True, v=2, w=2)})
    applied(driver, 2)
    assert holds(driver) == held and value(driver, "f", "w", 0) == (2, "remote")
    # An override is kept when it is answered, whatever happens to the process.
    driver.kill()
    second = start(drive, file, "--overrides", overrides)
    assert holds(second) == held
    second.do("deleteOverride", feature="f")
    # A null takes an override away, from the file too.
    second.do("override", feature="gone", variable="v", value=1)
    second.do("override", feature="gone", variable="v", value=None)
    second.kill()
    third = start(drive, file, "--overrides", overrides)
    assert holds(third) == ((9, "override"), True, (["a", "b"], "override"))
    assert third.lines[0]["warnings"] == []
    file.publish(3)
    applied(third, 3)
    assert holds(third) == ((9, "override"), False, (["a", "b"], "override"))
    third.quit()
    # Without the file they end with the process.
    fourth = start(drive, file)
    assert value(fourth, "f", "v", 0) == (0, "fallback")
    fourth.do("override", feature="f", variable="v", value=8)
    fourth.quit()
    fifth = start(drive, file)
    assert value(fifth, "f", "v", 0) == (0, "fallback")
    fifth.quit()


def test_the_file_of_overrides_has_details_and_is_as_its_schema_says(drive, file, tmp_path):
    overrides = tmp_path / "overrides.json"
    expired, later = "2001-01-01T00:00:00Z", "2999-01-01T00:00:00Z"
    overrides.write_text(json.dumps({
        "features": {"f": {"enabled": False, "variables": {"v": {"value": 7}, "w": {"value": 8}}}}, "variants": {"e": "b"},
        "details": [{"feature": "f", "variable": "v", "by": "dana", "note": "INC-412", "expiry": expired},
                    {"feature": "f", "variable": "w", "by": "dana", "expiry": later}, {"experiment": "e", "expiry": expired}]}))
    file.publish(1, features={"f": feature(True, v=1, w=1, x=1)}, experiments=[experiment(1, 0)])
    driver = start(drive, file, "--overrides", overrides)
    # What expired before the process started was never in effect in it.
    assert value(driver, "f", "v", 0) == (1, "remote") and value(driver, "f", "w", 0) == (8, "override")
    driver.do("override", feature="f", variable="x", value=9)
    driver.quit()
    found = json.loads(overrides.read_text())
    assert found["features"] == {"f": {"enabled": False, "variables": {"w": {"value": 8}, "x": {"value": 9}}}}
    assert "variants" not in found
    [kept, made] = found["details"]
    assert kept == {"feature": "f", "variable": "w", "by": "dana", "expiry": later}
    assert set(made) == {"feature", "variable", "time"}
    schema = json.loads((ROOT / "Schemas" / "io.tracker-config" / "overrides" / "jsonschema" / "1-0-0").read_text())
    schema.pop("$schema")
    jsonschema.Draft4Validator(schema).validate(found)


def test_a_file_of_overrides_that_cannot_be_used_is_a_warning_and_ends_nothing(drive, file, tmp_path):
    overrides = tmp_path / "overrides.json"
    overrides.write_text('{"features":{"f":{"enabled":"yes"}}}')
    file.publish(1, features={"f": feature(True, v=1)})
    driver = start(drive, file, "--overrides", overrides)
    update = next(line for line in driver.lines if line["type"] == "update")
    assert any(w.startswith("overrides: ") and "features.f.enabled: expected a boolean" in w for w in update["warnings"]), update
    assert driver.do("enabled", feature="f") is True
    driver.do("override", feature="f", variable="v", value=2)
    driver.quit()
    again = start(drive, file, "--overrides", overrides)
    assert value(again, "f", "v", 0) == (2, "override")
    again.quit()
    # A path that is a directory: in effect, and said to be lost.
    (tmp_path / "directory").mkdir()
    third = start(drive, file, "--overrides", tmp_path / "directory")
    answer = third.ask("override", feature="f", variable="v", value=3)
    assert not answer["ok"] and "ends with the process" in answer["error"], answer
    assert value(third, "f", "v", 0) == (3, "override")
    third.quit()


def test_bad_commands_are_answered_and_change_nothing(drive, file):
    file.publish(1, features={"f": feature(True, v=1)}, experiments=[experiment(1, 1)])
    driver = start(drive, file)
    whole = {"enabled": {"feature": "f"}, "value": {"feature": "f", "variable": "v", "default": 0},
             "override": {"feature": "f", "variable": "v", "value": 5}, "deleteOverride": {"feature": "f", "variable": "v"},
             "variant": {"experiment": "e", "default": "-"}, "watch": {"feature": "f"}}
    optional = {("override", "variable"), ("deleteOverride", "variable")}
    free = {("value", "default"), ("override", "value")}
    bad = [(do, {key: word for key, word in words.items() if key != left})
           for do, words in whole.items() for left in words if (do, left) not in optional]
    bad += [(do, {**words, key: wrong}) for do, words in whole.items() for key in words if (do, key) not in free
            for wrong in (1, True, [], {})]
    bad += [("override", {"feature": "f", "value": wrong}) for wrong in (1, "true", None, [])]
    contexts = ("u", 1, [], {"units": "u"}, {"units": {"userId": 1}}, {"units": []}, {"country": 1}, {"language": ["en"]},
                {"attributes": "a"}, {"unit": {"userId": "u"}})
    bad += [(do, {**whole[do], "context": context}) for do in ("enabled", "value", "variant") for context in contexts]
    for do, words in bad:
        answer = driver.ask(do, **words)
        assert not answer["ok"] and answer["error"], (do, words, answer)
    assert value(driver, "f", "v", 0) == (1, "remote") and driver.do("enabled", feature="f") is True
    assert changes(driver) == []
    driver.quit()


REJECTED = [
    ({"features": []}, "features: expected an object, found "),
    ({"features": {"f": feature(True), "g": feature(1)}}, "features.g.enabled: expected a boolean, found "),
    ({"features": {"f": 1}}, "features.f: expected an object, found "),
    ({"features": {"f": {"variables": {"v": 3}}}}, "features.f.variables.v: expected an object, found "),
    ({"features": {"f": {"variables": {"v": {"title": "t"}}}}}, "features.f.variables.v: required key 'value' is missing"),
    ({"features": {"f": {"variables": {"v": {"value": 3, "encrypted": True}}}}},
     "features.f.variables.v.value: expected a string, found "),
    ({"experiments": {}}, "experiments: expected a list, found "),
    ({"experiments": [experiment(1, id="x"), experiment(1, id="y"), experiment(0, 0, id="z")]},
     "experiments[2].variants: all weights are zero"),
    ({"experiments": [experiment(1, -1)]}, "experiments[0].variants[1].weight: "),
    ({"experiments": [experiment(1), experiment(1)]}, "experiments[1].id: "),
    ({"experiments": [experiment(1, 1, names="aa")]}, "experiments[0].variants[1].name: "),
    ({"experiments": [{"id": "e", "variants": []}]}, "experiments[0].variants: "),
    ({"experiments": [{"id": "e"}]}, "experiments[0]: required key 'variants' is missing"),
    ({"experiments": [{"variants": [{"name": "a"}]}]}, "experiments[0]: required key 'id' is missing"),
    ({"experiments": [experiment(1, coverage=50)]}, "experiments[0].coverage: 50 is above 1; coverage is a share, so 0.5 is half"),
]


def test_a_document_with_one_wrong_feature_or_experiment_is_rejected_whole(drive, micro):
    file = DocumentFile(micro.directory)
    bundle = {"namespace": "a", "networkConfiguration": {"endpoint": micro.url}}
    file.publish(1, [bundle], features={"f": feature(True, v=1)}, experiments=[experiment(0, 1)], meta={"owner": "growth"})
    driver = start(drive, file)
    driver.do("watch", feature="f")
    before = changes(driver)
    for wrong, place in REJECTED:
        # All else in it is good and new, and none of it is applied.
        parts = {"features": {"f": feature(False, v=2)}, "experiments": [experiment(1, 0)], "meta": {}, **wrong}
        file.publish(2, [bundle, {**bundle, "namespace": "b"}], **parts)
        outcome = driver.do("refresh")
        assert (outcome["outcome"], outcome["version"]) == ("rejected", 2), (wrong, outcome)
        assert outcome["reason"].startswith(place), (place, outcome)
        assert "(line 1, column " in outcome["reason"], outcome
    assert changes(driver) == before and driver.updates() == [("fetched", 1)]
    assert (value(driver, "f", "v", 0), driver.do("enabled", feature="f")) == ((1, "remote"), True)
    assert driver.do("variant", experiment="e", default="-", context=user("u"))["variant"] == "b"
    assert driver.do("namespaces")["namespaces"] == ["a"] and driver.do("meta") == {"owner": "growth"}
    assert driver.do("track", event={"category": "a", "action": "b"})
    file.publish(3, [bundle])
    applied(driver, 3)
    assert value(driver, "f", "v", 0) == (0, "fallback")
    driver.quit()


def publish_users(tmp_path):
    """Documents of two users and the shared one, and the URL of all."""
    for number, name in enumerate(("ann", "bob", ""), 1):
        weights = (1, 0) if name == "ann" else (0, 1)
        variants = {"a": {"f": {"tested": "ann"}}, "b": {"f": {"tested": "bob"}}}
        DocumentFile(tmp_path / "users", f"{name}.json").publish(
            number, features={"f": feature(name == "ann", owner=name, **({f"of {name}": 1} if name else {}))},
            experiments=[experiment(*weights, values=variants)] if name else [])
    return f"file://{tmp_path}/users/{{user}}.json"


def seen(driver):
    return {"owner": value(driver, "f", "owner", "none")[0], "enabled": driver.do("enabled", feature="f"),
            "tested": value(driver, "f", "tested", "-", context=user("u"))[0],
            "variant": driver.do("variant", experiment="e", default="-", context=user("u"))["variant"]}


ANN = {"owner": "ann", "enabled": True, "tested": "ann", "variant": "a"}
BOB = {"owner": "bob", "enabled": False, "tested": "bob", "variant": "b"}
NONE = {"owner": "none", "enabled": False, "tested": "-", "variant": "-"}
SHARED = {**NONE, "owner": ""}


def test_features_and_experiments_switch_with_the_user(drive, tmp_path):
    url = publish_users(tmp_path)
    driver = drive("--config", url, "--user", "ann")
    driver.fetched()
    driver.do("watch", feature="f")
    driver.do("override", feature="f", variable="mine", value=1)
    assert seen(driver) == ANN
    # Nothing is known of bob yet, and nothing of ann's is shown to him.
    driver.do("user", user="bob")
    assert seen(driver) == NONE
    driver.do("refresh")
    assert seen(driver) == BOB
    driver.do("user", user="ann")
    assert seen(driver) == ANN
    driver.do("user", user=None)
    driver.do("refresh")
    assert seen(driver) == SHARED
    # Someone new gets the document for all.
    driver.do("user", user="cid")
    assert seen(driver) == SHARED
    driver.do("user", user="bob")
    assert seen(driver) == BOB
    # Overrides are this process's, for all its users.
    ann, bob, shared = (state(*words, mine=1, **rest) for words, rest in (
        ((True,), {"owner": "ann", "of ann": 1}), ((False,), {"owner": "bob", "of bob": 1}), ((False,), {"owner": ""})))
    news = [new for _, _, new in changes(driver)]
    assert news[1:] == [ann, state(mine=1), bob, ann, state(mine=1), shared, bob]
    assert all(old == before for (_, old, _), before in zip(changes(driver)[1:], news))
    driver.quit()
    again = drive("--config", url, "--user", "bob")
    assert seen(again) == BOB
    again.quit()


def test_no_read_ever_shows_a_value_of_the_former_user(drive, tmp_path):
    url = publish_users(tmp_path)
    driver = drive("--config", url, "--user", "ann", "--poll", "0.05")
    driver.fetched()
    for name in ("bob", "ann"):
        driver.do("user", user=name)
        driver.do("refresh")
    names = ["bob", "ann"] * 150
    for name in names:
        driver.send("user", user=name)
        driver.send("value", feature="f", variable="owner", default="none")
        driver.send("value", feature="f", variable="tested", default="-", context=user("u"))
        driver.send("variant", experiment="e", default="-", context=user("u"))
    for name in names:
        answers = [driver.answers.get(timeout=PATIENCE) for _ in range(4)]
        assert all(answer["ok"] for answer in answers), answers
        _, owner, tested, variant = (answer["value"] for answer in answers)
        assert (owner["value"], tested["value"], variant["variant"]) == (name, name, "a" if name == "ann" else "b")
    driver.quit()


def test_a_document_that_comes_after_the_switch_is_not_shown(drive, micro):
    files = DocumentFile(micro.directory, "ann.json")
    files.publish(1, features={"f": feature(True, owner="ann")})
    micro.fault(status="ok", delay=0.5, count=1, path="/files/ann.json")
    driver = drive("--config", micro.url + "/files/{user}.json", "--user", "ann")
    driver.do("watch", feature="f")
    driver.do("user", user="bob")
    assert driver.fetched()["outcome"] == "held"
    assert value(driver, "f", "owner", "none") == ("none", "fallback")
    assert changes(driver) == []
    # It was kept for whom it was asked for.
    driver.do("user", user="ann")
    assert value(driver, "f", "owner", "none") == ("ann", "remote")
    assert changes(driver) == [("f", None, state(True, owner="ann"))]
    driver.quit()


def test_details_of_a_reading(micro, drive):
    micro.publish(
        1, [], features={"f": {"enabled": True, "variables": {"limit": {"value": 3}, "days": {"value": 3}}}},
        experiments=[{"id": "x", "variants": [{"name": "b", "weight": 1, "values": {"f": {"days": 1}}}]}])
    driver = drive("--config", micro.config)
    assert driver.fetched()["outcome"] == "applied"
    user = {"units": {"userId": "u"}}

    def detail(**words):
        found = driver.do("detail", feature="f", **words)
        return [found[name] for name in ("value", "source", "reason", "variant", "rule")] + [found["error"] is None]

    assert detail(variable="limit", default=1, context=user) == [3, "remote", "STATIC", None, None, True]
    assert detail(variable="days", default=1) == [3, "remote", "STATIC", None, None, True]
    assert detail(variable="days", default=9, context=user) == [1, "experiment", "SPLIT", "b", None, True]
    assert detail(variable="none", default=9) == [9, "fallback", "DEFAULT", None, None, False]
    assert detail(variable="limit", default="text") == ["text", "fallback", "ERROR", None, None, False]
    assert detail() == [True, "remote", "STATIC", None, None, True]
    assert driver.do("detail", feature="g", default=False)["reason"] == "DEFAULT"
    driver.quit()
