"""validate, diff and explain as scripts use them: what they print, their statuses, and what a running service says beside them."""
import json
import os
import pathlib
import plistlib
import pty
import re
import subprocess

import pytest
from documents import DocumentFile, applied, bundle, start
from driver import BINARY, PATIENCE, SCHEMA, TOOL, document, run
from test_schema import closed_part, judged, place


@pytest.fixture
def tool(tmp_path):
    """Runs a command on documents, which are given as values; answers status, output and errors."""

    def run_on(command, *words, stdin=""):
        arguments = []
        for number, word in enumerate(words):
            if isinstance(word, dict):
                path = tmp_path / f"document-{number}.json"
                path.write_text(json.dumps(word))
                word = path
            arguments.append(word)
        return run(TOOL, command, *arguments, stdin=stdin)

    return run_on


def read(answer):
    status, output, errors = answer
    assert errors == "", errors
    return status, json.loads(output)


def reports(tmp_path, texts):
    """What validate says of many documents, as JSON: one report each."""
    paths = []
    for number, text in enumerate(texts):
        paths.append(tmp_path / f"{number}.json")
        paths[-1].write_text(text if isinstance(text, str) else json.dumps(text))
    found = []
    # Some at a time, because a run of the tool has a limit.
    for first in range(0, len(paths), 50):
        some = paths[first:first + 50]
        status, output, errors = run(TOOL, "validate", "--json", *some)
        said = [json.loads(line) for line in output.splitlines()]
        assert errors == "" and [report["file"] for report in said] == list(map(str, some))
        assert status == (1 if any(report["errors"] for report in said) else 0)
        found += said
    return found


def tracker(namespace, **sections):
    return bundle("https://collector.example", namespace, **sections)


FAULTY = """{
  "$schema": "%s",
  "configurationVersion": 1,
  "unknown": 1,
  "configurationBundle": [
    { "namespace": "a", "networkConfiguration": { "endpoint": 7 } },
    { "namespace": "b", "trackerConfiguration": { "appId": true } }
  ],
  "experiments": [ { "id": "e", "variants": [ { "name": "a", "weight": 0 } ] } ]
}
""" % SCHEMA


@pytest.fixture
def faulty(tmp_path):
    path = tmp_path / "faulty.json"
    path.write_text(FAULTY)
    return path


def test_validate_lists_errors_like_a_compiler_for_github_and_as_json(tool, faulty):
    status, output, errors = tool("validate", faulty)
    lines = output.splitlines()
    assert (status, errors) == (1, "")
    assert lines[0] == (
        f"{faulty}:6:63: error: configurationBundle[0].networkConfiguration.endpoint: expected a string, found a number")
    assert lines[1].startswith(f"{faulty}:7:60: error: configurationBundle[1].trackerConfiguration.appId: expected ")
    assert lines[2].startswith(f"{faulty}:9:45: error: experiments[0].variants: ")
    assert lines[-1] == f"{faulty}: not valid: 3 errors"
    assert "\x1b" not in output
    status, output, _ = tool("validate", faulty, "--format", "github")
    assert status == 1 and output.splitlines()[0] == (
        f"::error file={faulty},line=6,col=63,title=tracker-config::configurationBundle[0].networkConfiguration.endpoint: "
        "expected a string, found a number")
    status, report = read(tool("validate", "-", "--json", stdin=FAULTY))
    assert status == 1
    assert list(report) == ["file", "version", "errors", "warnings"]
    assert report["file"] == "<stdin>" and report["version"] == 1
    assert [(e["line"], e["column"]) for e in report["errors"]] == [(6, 63), (7, 60), (9, 45)]
    assert all(list(e) == ["place", "line", "column", "reason"] for e in report["errors"])


def test_validate_says_an_error_once(tmp_path):
    wrong = [document(1, [{"namespace": "a", "networkConfiguration": {}}]), document(-1, []),
             document(1, configurationBundle={}), {**document(1), "$schema": "x"}, document(1, [{}]), document(1, [tracker("")]),
             document(1, [7]), document(1, experiments=[{"id": "e", "variants": [{"name": "a", "weight": 0}]}]),
             document(1, experiments=[{"id": "e", "variants": []}]), document(1, rollout={}),
             document(1, [tracker("a", emitter={"customRetryForStatusCodes": {"503": 1}})])]
    for report in reports(tmp_path, wrong):
        assert len(report["errors"]) == 1, report


def test_validate_of_what_is_no_document_names_the_line(tmp_path):
    for report in reports(tmp_path, ["", "{", "[]", "\ufeff{}", '{"a":1,"a":2}', "null"]):
        assert report["version"] is None and report["errors"][0]["line"] == 1, report


def test_validate_agrees_with_a_json_schema_implementation(tmp_path):
    faulty = 0
    for (name, _, faults), report in zip(judged(), reports(tmp_path, [document for _, document, _ in judged()])):
        # What fails closed is a warning, as for a service.
        expected = [place(error) for error in faults if closed_part(place(error)) is None]
        closed = {closed_part(place(error)) for error in faults} - {None}
        said = {closed_part(finding["place"]) for finding in report["warnings"] + report["errors"]}
        assert closed <= said or report["errors"], (name, closed, said)
        # A JSON Schema cannot tell an integer that is too large from a number that is not, or what this SDK is able to do.
        # A coverage in percent is an error, because it was meant otherwise.
        beyond = ("is too large for JSON readers", "which this version of the SDK does not have", "coverage is a share")
        fits = not any(words in error["reason"] for error in report["errors"] for words in beyond)
        assert bool(report["errors"]) == bool(expected or not fits), (name, expected, report["errors"])
        faulty += bool(expected)
    assert faulty > 100


def test_validate_tells_warnings_also_before_an_error_and_ends_with_zero_unless_it_is_strict(tool):
    good = document(1, [tracker("a", emitter={"emitRange": 0}, tracker={"logLevel": "loud", "appid": 1})])
    status, report = read(tool("validate", good, "--json"))
    assert status == 0 and report["errors"] == []
    assert sorted(w["place"].split(".")[-1] for w in report["warnings"]) == ["appid", "emitRange", "logLevel"]
    output = tool("validate", good)[1]
    assert "appid: an unknown key, ignored; did you mean 'appId'?" in output
    assert output.splitlines()[-1].endswith(".json: valid, version 1: 1 tracker; 3 warnings")
    status, text, _ = tool("validate", good, "--strict")
    assert status == 1 and text.endswith(".json: valid, version 1: 1 tracker; 3 warnings, refused by --strict\n")
    status, report = read(tool("validate", document(1, [tracker("a", tracker={"new": 1}), tracker("a")]), "--json"))
    assert status == 1 and len(report["errors"]) == 1 and len(report["warnings"]) == 1


def test_validate_says_how_much_documents_have(tool, faulty):
    def said(*words):
        status, text, errors = tool("validate", *words)
        assert (status, errors) == (0, "")
        return text.splitlines()[-1].partition(".json: ")[2]

    one = {"id": "e", "variants": [{"name": "a"}]}
    whole = document(2, [tracker("a"), {"namespace": "b"}], features={"f": {"enabled": True}, "g": {}}, experiments=[one])
    assert said(whole) == "valid, version 2: 1 tracker, 1 removed tracker, 2 features, 1 experiment"
    assert said(whole, "--default") == "valid, version 2: 2 trackers, 2 features, 1 experiment"
    assert said(document(3)) == "valid, version 3: no trackers, features or experiments"
    assert tool("validate", document(1), document(1, [tracker("a")]))[1].endswith("\n2 files, all valid\n")
    # A default may lack endpoints.
    default = document(1, [{"namespace": "a", "networkConfiguration": {"method": "get"}}])
    assert tool("validate", default)[0] == 1
    assert tool("validate", "--default", default)[0] == 0
    # It goes on after a file with errors, and after one that is missing.
    status, output, errors = tool("validate", "--", faulty, document(1))
    assert (status, errors) == (1, "")
    assert output.splitlines()[-2].endswith(": valid, version 1: no trackers, features or experiments")
    assert output.splitlines()[-1] == "2 files, 1 not valid: 3 errors"
    status, output, errors = tool("validate", "/nowhere/a", document(1), "--json")
    assert status == 66 and errors == "tracker-config: /nowhere/a: No such file or directory\n"
    missing, good = [json.loads(line) for line in output.splitlines()]
    assert (missing["file"], missing["errors"][0]["reason"]) == ("/nowhere/a", "/nowhere/a: No such file or directory")
    assert good["version"] == 1


def test_validate_has_the_bound_of_a_service(tool, tmp_path):
    path = tmp_path / "large.json"
    path.write_text(json.dumps(document(1, meta={"x": "y" * (1 << 20)})))
    size = path.stat().st_size
    status, report = read(tool("validate", path, "--json"))
    assert status == 1 and report["version"] == 1
    assert [error["reason"] for error in report["errors"]] == [
        f"{size} bytes, and a service fetches no document larger than 1048576 bytes"]
    for words, status in ((["--max-bytes", size], 0), (["--default"], 0), (["--max-bytes", size - 1], 1), (["--max-bytes", "0"], 64)):
        assert tool("validate", path, *words)[0] == status, words


def test_an_integer_beyond_a_double_is_an_error_with_its_place(tool):
    status, report = read(tool("validate", document(1, meta={"id": 10**400}), "--json"))
    assert status == 1
    assert report["errors"][0]["place"] == "meta.id"
    assert report["errors"][0]["reason"].endswith("is too large for JSON readers; write it as a string")


def ruled(*rules, **variables):
    return {"f": {"enabled": False, "variables": {name: {"value": value} for name, value in variables.items()},
                  "rules": list(rules)}}


def test_validate_warns_of_what_fails_closed_and_refuses_what_a_service_would(tool):
    bad = document(1, features=ruled({"id": "r", "if": 1, "enabled": "yes", "hashVersion": 3}, {"id": "r", "values": {"w": 1}}, v=1),
                   experiments=[{"id": "e", "country": "US", "variants": [{"name": "a", "on": True}]}])
    status, report = read(tool("validate", bad, "--json"))
    assert (status, report["errors"]) == (0, [])
    places = [warning["place"] for warning in report["warnings"]]
    assert len(places) == len(set(places))
    for member in ("rules[0].if", "rules[0].enabled", "rules[0].hashVersion", "rules[1].id", "rules[1].values.w"):
        assert f"features.f.{member}" in places
    assert {"experiments[0].country", "experiments[0].variants[0].on"} <= set(places)
    for wrong, word in ((document(1, requires=["telepathy"]), "telepathy"),
                        (document(1, features=ruled({"id": "r", "coverage": 50})), "0.5 is half")):
        status, text, _ = tool("validate", wrong)
        assert status == 1 and word in text and text.endswith(": not valid: 1 error\n")


def test_diff_of_the_whole_document(tool):
    def experiment(**more):
        return {"id": "e", "variants": [{"name": "a", "weight": 1}, {"name": "b", "weight": 1}], **more}

    old = document(1, [tracker("a"), tracker("b")], meta={"o": 1}, experiments=[experiment()], rollout={"percent": 5},
                   features={"f": {"enabled": True, "variables": {"k": {"value": "hush1", "encrypted": True}}}})
    new = document(2, [tracker("a", tracker={"appId": "x"})], meta={"o": 2}, rollout={"percent": 50},
                   experiments=[experiment(seed="t", sticky=True)],
                   features={"f": {"variables": {"k": {"value": "hush2", "encrypted": True}}}, "g": {}})
    status, report = read(tool("diff", old, new, "--json"))
    assert status == 0
    assert list(report) == ["oldVersion", "newVersion", "outcome", "differs", "lines", "warnings"]
    assert (report["oldVersion"], report["newVersion"], report["outcome"], report["differs"]) == (1, 2, "applied", True)
    assert report["lines"][2] == {"indent": 1, "mark": "~", "text": '"a"'}
    text = tool("diff", old, new)[1]
    assert "hush" not in text + json.dumps(report) and "\x1b" not in text
    assert text.splitlines() == [
        "version 1 → 2: applied by 50 % of the fleet (the canary)",
        "trackers", '  ~ "a"', '    ~ tracker.appId: the executable\'s name (built in) → "x" (remote)',
        '  = "b" is no longer in the document: its tracker stays as it was until the process ends',
        "meta", "  ~ o: 1 → 2",
        "features", '  + "g"', '  ~ "f"', "    - enabled: true", '    ~ variable "k": the secret differs',
        "experiments", '  ~ "e"', '    ~ seed: "e" → "t"', "    ~ sticky: false → true",
        "    about 50 % of units get another variant (10,000 tried)",
        "    sticky from now on: a unit keeps the first variant that it is given",
        "rollout", "  ~ percent: 5 → 50"]
    assert [line["text"] for line in report["lines"]] == [re.sub(r"^ *([-+~=!] )?", "", line) for line in text.splitlines()]


def test_diff_counts_the_warnings_of_the_new_document(tool):
    bad = document(2, [tracker("a", tracker={"appid": 1})])
    status, text, _ = tool("diff", document(1, [tracker("a")]), bad)
    last = text.splitlines()[-1]
    assert status == 0 and last.startswith("! NEW has 1 warning, which tracker-config validate /") and last.endswith(".json shows")
    assert [warning["reason"] for warning in read(tool("diff", document(1, [tracker("a")]), bad, "--json"))[1]["warnings"]] == [
        "an unknown key, ignored; did you mean 'appId'?"]


def test_diff_says_first_whether_a_service_would_apply_it_and_its_status_says_so_if_asked(tool):
    one, other, two = document(1, [tracker("a")]), document(1, [tracker("b")]), document(2, [tracker("a")])
    for words, first, differs in (
            ((one, two), "version 1 → 2: applied", 1), ((one, one), "no difference", 0),
            ((two, one), "not applied: version 2 is in use, and 1 is lower. With a higher version:", 1),
            ((one, other), "not applied: the content changed but configurationVersion is still 1. With a higher version:", 1)):
        status, text, _ = tool("diff", *words)
        assert (status, text.splitlines()[0]) == (0, first)
        assert tool("diff", *words, "--exit-code")[0] == differs, first


def test_diff_and_explain_say_what_a_running_service_does(tool, drive, file, tmp_path):
    default = DocumentFile(tmp_path, "default.json")
    default.publish(0, [
        {"namespace": "a", "subjectConfiguration": {"userId": "d", "language": "en"}, "emitterConfiguration": {"emitRange": 7}},
        tracker("default only")])
    old = [tracker("a", subject={"userId": "r"}, emitter={"emitRange": 9, "bufferOption": "Single"}), tracker("removed")]
    new = [{"namespace": "removed"}, tracker("added"),
           tracker("a", subject={"language": "en"}, tracker={"sessionContext": True, "appId": "n"})]

    def explained():
        return {name: driver.do("explain", namespace=name) for name in driver.do("namespaces")["namespaces"]}

    file.publish(1, old)
    driver = start(drive, file.url, "--default", default.path)
    before = explained()
    file.publish(2, new)
    applied(driver, 2)
    after = explained()
    driver.quit(timeout=0)

    def driven(side):
        """A value of the tool as the driver gives it: the built-in appId is the name of the executable."""
        is_name = side == {"value": "tracker-config", "source": "builtin"}
        return {**side, "value": "demo-tracker"} if is_name else side

    def words(field, side, other):
        """A value of the driver as the difference writes it, with its layer if the layers differ."""
        layer = {"builtin": "built in"}.get(side["source"], side["source"])
        shown = "unset" if side["value"] is None else json.dumps(side["value"], separators=(",", ":"))
        if field == "tracker.appId" and side["source"] == "builtin":
            shown = "the executable's name"
        return shown + (f" ({layer})" if side["source"] != other["source"] else "")

    status, report = read(tool("diff", document(1, old), document(2, new), "--default", default.path, "--json"))
    assert report["outcome"] == "applied"
    lines = [(line["indent"], line["mark"], line["text"]) for line in report["lines"]]
    names = {mark: {json.loads(text.partition(" at ")[0]) for depth, own, text in lines if (depth, own) == (1, mark)} for mark in "+-~"}
    assert names["+"] == after.keys() - before.keys() == {"added"}
    assert names["-"] == before.keys() - after.keys() == {"removed"}
    assert names["~"] == {"a"}
    expected = {f"{field}: {words(field, was, after['a'][field])} → {words(field, after['a'][field], was)}" for field, was in before["a"].items()
                if (was["value"], was["source"]) != (after["a"][field]["value"], after["a"][field]["source"])}
    assert {text for depth, mark, text in lines if (depth, mark) == (2, "~")} == expected
    status, report = read(tool("explain", document(2, new), "--default", default.path, "--json"))
    assert report["trackers"].keys() == after.keys()
    for namespace, fields in report["trackers"].items():
        for field, answer in fields.items():
            answer.pop("overridden")
            assert driven(answer) == after[namespace][field], (namespace, field)


def test_a_disabled_feature_in_validate_diff_and_explain(tool):
    on = ruled({"id": "staff", "condition": {"plan": "pro"}, "values": {"v": 9}}, v=1)
    off = {"f": {**on["f"], "disabled": True, "metadata": {"why": "broken", "ticket": 4711}}}
    default = document(0, features={"f": {"enabled": True, "variables": {"w": {"value": 2}}}})
    status, report = read(tool("validate", document(1, requires=["disabled"], features=off), "--json"))
    assert [(warning["place"], warning["reason"]) for warning in report["warnings"]] == [
        ("features.f.disabled", "the feature is disabled, so its rules are without effect")]
    text = tool("diff", document(1, features=on), document(2, features=off))[1]
    assert "    + disabled: true" in text.splitlines()
    assert '    + metadata why: "broken"' in text.splitlines() and "all users get" in text
    text = tool("explain", document(1, features=off), "--default", default, "--feature", "f")[1]
    for line in ("enabled = unset", '"v" = unset', '"w" = unset'):
        assert f"  {line}  (disabled)" in text.splitlines(), text
    assert '  metadata {"ticket":4711,"why":"broken"}' in text.splitlines(), text


def test_diff_of_rules_and_experiments_says_how_many_units_get_something_else(tool):
    def features(coverage, **members):
        return {"features": ruled({"id": "ramp", "coverage": coverage, "enabled": True, **members}, v=1)}

    def experiment(**members):
        one = {"id": "e", "variants": [{"name": "a", "weight": 3}, {"name": "b", "weight": 1}]}
        return {"experiments": [{**one, **members}]}

    both = {"experiments": [{"id": "e", "variants": [{"name": "a", "values": {"f": {"v": 2}}}]}]}
    first, second = {"id": "a", "values": {"v": 2}}, {"id": "b", "values": {"v": 3}}
    for old, new, words in (
            (features(0.2), features(0.5), ["about 30 % of users get enabled = true"]),
            (features(0.2, condition={"plan": "pro"}), features(0.5, condition={"plan": "pro"}),
             ["about 30 % of the users that a condition matches get enabled = true, and no others", '~ rule "ramp"',
              "~ coverage: 0.2 → 0.5"]),
            (features(0.2), features(0.2, seed="other"), ["of users get another value", "~ seed"]),
            (features(0.2) | both, features(0.5) | both, ["about 30 % of users get enabled = true"]),
            ({"features": ruled(first, second, v=1)}, {"features": ruled(second, first, v=1)},
             ['order of the rules: "b", "a"', "all users get v = 3"]),
            ({"features": ruled(first, v=1)}, {"features": ruled(second, v=1)}, ['+ rule "b"', '- rule "a"']),
            ({"segments": {"beta": ["a"]}}, {"segments": {"beta": ["b", "c"], "late": []}},
             ['~ "beta"', "2 added, 1 removed, now 2 members", '+ "late"']),
            (experiment(), experiment(enabled=False), ["all units get another variant", "disabled: no unit gets a variant", "+ enabled: false"]),
            (experiment(), experiment(namespace=["n", 0, 0.5]), ["condition, prerequisites, filters, countries, languages or times differ"]),
            (experiment(), experiment(nonsense=1), ["unusable: no unit gets a variant"])):
        text = tool("diff", document(1, **old), document(2, **new))[1]
        # The units are a sample.
        text = re.sub(r"about (29|31) %", "about 30 %", text)
        assert all(word in text for word in words), (words, text)


def test_explain(tool):
    default = document(0, [
        {"namespace": "a", "subjectConfiguration": {"userId": "d", "language": "en"}}, {"namespace": "bare"}, tracker("only")])
    new = document(3, [tracker("a", subject={"userId": "r"}, tracker={"deepLinkContext": True}), {"namespace": "gone"}])
    status, report = read(tool("explain", new, "--default", default, "--json"))
    assert status == 0
    assert list(report) == ["version", "trackers", "removed", "withoutEndpoint", "warnings"]
    assert (report["version"], report["removed"], report["withoutEndpoint"]) == (3, ["gone"], ["bare"])
    assert list(report["trackers"]) == ["a", "only"]
    assert report["trackers"]["a"]["subject.userId"] == {
        "value": "r", "source": "remote", "version": 3, "overridden": [{"value": "d", "source": "default"}]}
    assert report["trackers"]["a"]["subject.language"] == {"value": "en", "source": "default", "overridden": []}
    assert report["trackers"]["only"]["network.endpoint"]["source"] == "default"
    assert "deepLinkContext" in report["warnings"][0]["place"]

    text = tool("explain", new, "--default", default)[1]
    assert "built-in values are left out" in text and 'no tracker "gone"' in text and 'no tracker "bare"' in text
    assert "emitter.emitRange" not in text
    assert "emitter.emitRange" in tool("explain", new, "--all")[1]
    report = read(tool("explain", new, "--namespace", "a", "--field", "emitter.emitRange", "--json"))[1]
    assert report["trackers"] == {"a": {"emitter.emitRange": {"value": 500, "source": "builtin", "overridden": []}}}
    assert tool("explain", new, "--namespace", "gone")[1].endswith('\nno tracker "gone": the document removes it\n')
    for version, is_used in ((2, True), (3, False)):
        report = read(tool("explain", new, "--default-version", version, "--json"))[1]
        assert any("would not use" in w["reason"] for w in report["warnings"]) != is_used


def test_explain_shows_rules_in_order_and_what_a_context_gets(tool):
    one = {"id": "e", "variants": [{"name": "a", "values": {"f": {"w": 2}}}]}
    given = document(3, [tracker("a")], experiments=[one], features={
        **ruled({"id": "bad", "if": 1, "enabled": True}, {"id": "staff", "values": {"v": 9}},
                {"id": "ramp", "coverage": 0.2, "unit": "deviceId", "enabled": True}, v=1, w=1), "g": {"enabled": True}})
    lines = tool("explain", given)[1].splitlines()
    begin = lines.index('feature "f"')
    assert lines[begin + 1:] == [
        '  rule 1 "bad": no context, because the rule is unusable → enabled', '  rule 2 "staff": all contexts → v = 9',
        '  rule 3 "ramp": 20 % of deviceId → enabled',
        # Then what a read without a context gets, of features without rules too.
        "  enabled = false  (no rule that sets it matched; version 3)", '  "v" = 9  (rule "staff"; version 3)',
        '  "w" = 1  (for all contexts; version 3)', 'feature "g"', "  enabled = true  (for all contexts; version 3)"]
    context = json.dumps({"units": {"userId": "u-1"}})
    text = tool("explain", given, "--feature", "f", "--context", context)[1]
    assert 'tracker' not in text
    for line in ('  "v" = 9  (rule "staff"; version 3)', '  "w" = 2  (by the hash; experiment e, variant a',
                 "  enabled = false  (no rule that sets it matched; version 3)"):
        assert line in text
    [f, g] = read(tool("explain", given, "--context", context, "--json"))[1]["features"]
    assert [rule["id"] for rule in f["rules"]] == ["bad", "staff", "ramp"] and f["rules"][0]["usable"] is False
    assert f["variables"]["v"] == {"value": 9, "source": "remote, version 3", "reason": "TARGETING_MATCH", "rule": "staff"}
    assert g["enabled"]["value"] is True


def test_explain_of_a_feature_has_each_step(tool):
    one = {"id": "e", "variants": [{"name": "control", "weight": 1}, {"name": "b", "weight": 0, "values": {"f": {"w": 2}}}]}
    given = document(3, [tracker("a")], experiments=[one], features={
        **ruled({"id": "pro", "condition": {"plan": "pro"}, "enabled": True}, {"id": "ramp", "coverage": 0.2, "enabled": True},
                {"id": "late", "start": "2090-01-01T00:00:00Z", "enabled": True}, v=1, w=1)})
    words = ("explain", given, "--feature", "f", "--context")
    status, text, _ = tool(*words, json.dumps({"units": {"userId": "u-1"}, "attributes": {"plan": "free"}}))
    lines = text.splitlines()
    assert status == 0
    for line in ("      rule pro: no, plan: 'free' is not 'pro'", "      rule late: no, begins at 2090-01-01T00:00:00Z",
                 "      rule ramp: no, userId 'u-1' is at 0.2169, covered 0 to 0.2", "  enabled = false  (no rule that sets it matched; version 3)",
                 "    remote, version 3: gives false"):
        assert line in lines, text
    assert any(line.startswith("      experiment e: leaves the value as it is, variant 'control', by the hash, ") for line in lines), text
    text = tool(*words, "{}")[1]
    assert "rule pro: no, plan: missing" in text and "rule ramp: no, userId: missing" in text
    text = tool(*words, json.dumps({"units": {"userId": "u-1"}, "attributes": {"plan": "pro"}}))[1]
    assert "rule pro: gives true, plan matches" in text and '  enabled = true  (rule "pro"; version 3)' in text
    # Without a name the steps of all features would be too much.
    assert "rule pro: no" not in tool("explain", given)[1]
    # Overrides of a request show what a tester would get.
    tester = json.dumps({"units": {"userId": "u-1"}, "overrides": {"variants": {"e": "b"}, "enabled": {"f": True}}})
    report = read(tool(*words, tester, "--json"))[1]
    [f] = report["features"]
    assert (f["enabled"]["value"], f["enabled"]["source"]) == (True, "request")
    assert (f["variables"]["w"]["value"], f["variables"]["w"]["variants"]) == (2, {"e": "b"})
    steps = f["variables"]["w"]["steps"]
    assert [step["text"] for step in steps if step.get("experiment") == "e"] == ["variant 'b', forced by the request"]


def test_contexts_and_names_that_cannot_be_used_end_with_64_and_a_hint(tool):
    for words, hint in (
            (["--context", '{"userId":"u-1"}'], '--context: put userId under "units": {"units":{"userId":"u-1"}}'),
            (["--context", '{"plan":"pro"}'], '--context: put plan under "attributes": {"attributes":{"plan":"pro"}}'),
            (["--context", '{"unit":{}}'], "--context: unknown key 'unit'; did you mean 'units'?"),
            *((["--context", context], "--context") for context in (
                "u-1", "{", "[]", '{"units":1}', '{"units":{"userId":1}}', '{"overrides":{"flags":{}}}')),
            (["--namespace", "zz"], ""), (["--feature", "zz"], ""),
            (["--field", "subject.userIdd"], "unknown field 'subject.userIdd'; did you mean 'subject.userId'?")):
        status, output, errors = tool("explain", document(1), *words)
        assert (status, output) == (64, "") and errors.startswith(f"tracker-config: {hint}") and errors.count("\n") == 1, (words, errors)


def test_documents_with_errors_end_with_1(tool, faulty):
    for command, *words in (("explain", faulty), ("diff", document(1), faulty)):
        status, output, errors = tool(command, *words)
        assert (status, output) == (1, "") and "faulty.json:6:63: error: " in errors
        status, output, errors = tool(command, *words, "--json")
        assert (status, output) == (1, "") and len(json.loads(errors)["errors"]) == 3
    assert tool("explain", document(1), "--default", faulty)[0] == tool("diff", document(1), document(1), "--default", faulty)[0] == 1


def test_slips_end_with_64_a_suggestion_and_the_usage():
    for words, sentence, usage in (
            (["validat"], "unknown command 'validat'; did you mean 'validate'?", "COMMAND [options]"),
            (["fly"], "unknown command 'fly'; tracker-config --help lists them", "COMMAND [options]"),
            (["validate", "--jsn", "a"], "unknown option '--jsn'; did you mean '--json'?", "validate FILE... [options]"),
            (["validate", "--json=1", "a"], "--json takes no value", "validate FILE... [options]"),
            (["diff", "a"], "diff needs NEW", "diff OLD NEW [options]"),
            (["import", "a", "--from", "gbook"],
             "--from takes one of msactiveconfig, justtweak, rolloutmanager, growthbook, not 'gbook'; did you mean 'growthbook'?",
             "import FILE --from FORMAT [options]")):
        assert run(TOOL, *words) == (64, "", f"tracker-config: {sentence}\nusage: tracker-config {usage}\n")
    for words in (["validate"], ["diff", "a", "b", "c"], ["diff", "--default"], ["explain"], ["explain", "a", "--default-version", "x"],
                  ["validate", "a", "--json", "--format", "github"], ["console"], ["status"], ["help", "validat"]):
        status, output, errors = run(TOOL, *words)
        assert (status, output) == (64, "") and errors.startswith("tracker-config: "), words
        assert errors.splitlines()[1].startswith(f"usage: tracker-config {words[0]} "), errors
    for words in (["--versoin"], ["completions"], ["man"], ["generate"]):
        assert run(TOOL, *words)[:2] == (64, ""), words


def test_colours_are_for_terminals_without_no_color(monkeypatch, tmp_path):
    paths = []
    for version in (1, 2):
        paths.append(tmp_path / f"{version}.json")
        paths[-1].write_text(json.dumps(document(version, [tracker(f"n{version}")])))
    monkeypatch.delenv("NO_COLOR", raising=False)

    def output(*options, **environment):
        reader, writer = pty.openpty()
        subprocess.run([TOOL, "diff", *paths, *options], stdout=writer, env={**os.environ, **environment}, timeout=PATIENCE, check=True)
        os.close(writer)
        with os.fdopen(reader, "rb") as terminal:
            return terminal.read1(65536)

    assert b"\x1b[" in output(TERM="xterm")
    assert b"\x1b[" in output("--color", "auto", NO_COLOR="", TERM="xterm")
    assert b"\x1b[" not in output(NO_COLOR="1", TERM="xterm")
    assert b"\x1b[" not in output(TERM="dumb")
    # The option goes before the environment.
    assert b"\x1b[" not in output("--color=never", TERM="xterm")
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[" in run(TOOL, "diff", *paths, "--color=always")[1]


def test_inputs_that_cannot_be_read_end_with_66_and_the_systems_words(tmp_path):
    for command in (["validate"], ["explain"], ["import", "--from", "justtweak"]):
        for path, reason in (("/nowhere/a.json", "No such file or directory"), (tmp_path, "Is a directory")):
            assert run(TOOL, *command, path) == (66, "", f"tracker-config: {path}: {reason}\n")
        assert run(TOOL, *command, "") == (66, "", "tracker-config: '': No such file or directory\n")
    assert run(TOOL, "diff", "/nowhere/a", "/nowhere/b")[0] == 66
    assert run(TOOL, "events", "list", "--state-dir", "/nowhere")[0] == 66
    assert run(TOOL, "console", tmp_path)[0] == 66
    assert run(TOOL, "validate", "/dev/zero") == (66, "", "tracker-config: /dev/zero: larger than 67108864 bytes\n")


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads every file")
def test_a_file_without_permission_ends_with_66(tmp_path):
    path = tmp_path / "closed.json"
    path.write_text("{}")
    path.chmod(0)
    assert run(TOOL, "validate", path) == (66, "", f"tracker-config: {path}: Permission denied\n")


def test_output_that_cannot_be_written_ends_with_74_and_a_reader_that_has_gone_is_no_error(tmp_path):
    path, old = tmp_path / "good.json", tmp_path / "old.json"
    path.write_text(json.dumps(document(1, [tracker("a")])))
    old.write_text("{}")
    for words in (["validate", path], ["explain", path], ["import", "--from", "justtweak", old], ["--help"]):
        with open("/dev/full", "wb") as full:
            ended = subprocess.run([TOOL, *words], stdout=full, stderr=subprocess.PIPE, text=True, timeout=PATIENCE)
        assert (ended.returncode, ended.stderr) == (74, "tracker-config: standard output: No space left on device\n"), words
    reader, writer = os.pipe()
    os.close(reader)
    ended = subprocess.run([TOOL, "validate", path], stdout=writer, stderr=subprocess.PIPE, text=True, timeout=PATIENCE)
    os.close(writer)
    assert (ended.returncode, ended.stderr) == (0, "")


def test_the_examples_of_help_do_what_they_say(tmp_path):
    """Runs every example that ends by itself in a shell, as it stands in the help."""
    def written(name, value):
        (tmp_path / name).write_text(json.dumps(value))

    feature = {"checkout": {"enabled": False, "variables": {"retryLimit": {"value": 3}}}}
    written("published.json", document(1, [tracker("a")], features=feature))
    written("trackers.json", document(2, [tracker("a"), tracker("b")], features=feature))
    written("default.json", document(0, [tracker("a")], features=feature))
    written("payload.json", {"features": {"f": {"defaultValue": True}}})
    written("LocalTweaks.json", {"a": {"x": {"Value": 1}}})
    (tmp_path / "Experiments.plist").write_bytes(plistlib.dumps({"e": {"Variants": {"a": 1, "b": 1}}}))
    for words in (["init", "-q"], ["add", "."], ["-c", "user.name=a", "-c", "user.email=a@b.example", "commit", "-qm", "a"]):
        subprocess.run(["git", *words], cwd=tmp_path, check=True, timeout=PATIENCE)
    environment = {**os.environ, "PATH": f"{os.path.dirname(TOOL)}:{os.environ['PATH']}"}
    # Those that need a service's directory, or that Ctrl-C stops, are parsed by the tests of the command table.
    ran = {}
    for command in ("validate", "diff", "explain", "import"):
        text = run(TOOL, command, "--help")[1].partition("\nExamples\n")[2].partition("\n\n")[0]
        for example in text.split("  # ")[1:]:
            line = example.partition("\n")[2]
            # One that globs all files would find those that are no documents.
            line = line.replace("*.json", "published.json trackers.json")
            done = subprocess.run(["bash", "-c", line], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=PATIENCE)
            ran[line.strip()] = done.returncode
            assert done.returncode == ("--exit-code" in line), (line, done.stdout, done.stderr)
    assert len(ran) >= 11, ran


def test_version_and_help():
    for path in (TOOL, BINARY):
        status, output, errors = run(path, "--version")
        assert (status, errors) == (0, "") and output.split()[0] == os.path.basename(path) and output.count(".") == 2
    for command in ("validate", "diff", "explain"):
        status, output, errors = run(TOOL, command, "--help")
        assert (status, errors) == (0, "") and output.startswith(f"tracker-config {command} ")
    assert run(TOOL, "help", "validate") == run(TOOL, "validate", "--help") == run(TOOL, "validate", "--nonsense", "--help")
    assert run(TOOL) == run(TOOL, "help") == run(TOOL, "--help")
    assert run(TOOL, "help", "help")[0] == 0
    assert run(BINARY, "help", "run")[1].startswith("demo-tracker run --config URL ")


def test_the_tool_of_the_plugin_refuses_a_file_that_is_too_large(tmp_path):
    path = tmp_path / "Settings.features.json"
    path.touch()
    os.truncate(path, (64 << 20) + 1)
    assert run(pathlib.Path(TOOL).with_name("tracker-accessors"), path, tmp_path, "Settings") == (
        1, "", f"{path}: error: larger than 67108864 bytes\n")
