"""validate, diff and explain as scripts use them, and held against what a running service does."""
import json
import os
import pathlib
import plistlib
import re
import shutil
import subprocess

import pytest
from driver import PATIENCE, SCHEMA
from test_schema import closed_part, corpus, validator


@pytest.fixture
def tool(operator, tmp_path):
    """Runs a command on documents, which are given as JSON texts or values; answers status, output and errors."""

    def run(command, *words, stdin=None):
        arguments = []
        for number, word in enumerate(words):
            if isinstance(word, dict):
                path = tmp_path / f"document-{number}.json"
                path.write_text(json.dumps(word))
                word = path
            arguments.append(str(word))
        ended = subprocess.run([operator, command, *arguments], input=stdin, capture_output=True, text=True, timeout=PATIENCE)
        return ended.returncode, ended.stdout, ended.stderr

    return run


def read(answer):
    status, output, errors = answer
    assert errors == "", errors
    return status, json.loads(output)


def document(version, bundles, **more):
    return {"$schema": SCHEMA, "configurationVersion": version, "configurationBundle": bundles, **more}


def bundle(namespace, endpoint="https://collector.example", **sections):
    return {"namespace": namespace, "networkConfiguration": {"endpoint": endpoint},
            **{f"{name}Configuration": fields for name, fields in sections.items()}}


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


def test_validate_lists_errors_like_a_compiler(tool, tmp_path):
    path = tmp_path / "faulty.json"
    path.write_text(FAULTY)
    status, output, errors = tool("validate", path)
    lines = output.splitlines()
    assert (status, errors) == (1, "")
    assert lines[0] == (
        f"{path}:6:63: error: configurationBundle[0].networkConfiguration.endpoint: expected a string, found a number")
    assert lines[1].startswith(f"{path}:7:60: error: configurationBundle[1].trackerConfiguration.appId: expected ")
    assert lines[1].endswith("[schema]")
    assert lines[2].startswith(f"{path}:9:45: error: experiments[0].variants: ")
    assert lines[-1] == f"{path}: not valid: 3 errors"
    assert "\x1b" not in output


def test_validate_as_json(tool):
    status, report = read(tool("validate", "-", "--json", stdin=FAULTY))
    assert status == 1
    assert list(report) == ["file", "version", "errors", "warnings"]
    assert report["file"] == "<stdin>" and report["version"] == 1
    assert [(e["line"], e["column"], e["by"]) for e in report["errors"]] == [
        (6, 63, "decoder"), (7, 60, "schema"), (9, 45, "schema")]
    assert all(list(e) == ["place", "line", "column", "reason", "by"] for e in report["errors"])


def test_validate_repeats_nothing_that_the_decoder_said(tool):
    wrong = [document(1, [{"namespace": "a", "networkConfiguration": {}}]), document(-1, []), document(1, {}),
             {**document(1, []), "$schema": "x"}, document(1, [{}]), document(1, [bundle("")]), document(1, [7]),
             document(1, [], experiments=[{"id": "e", "variants": [{"name": "a", "weight": 0}]}]),
             document(1, [], experiments=[{"id": "e", "variants": []}]), document(1, [], rollout={}),
             document(1, [bundle("a", emitter={"customRetryForStatusCodes": {"503": 1}})])]
    for value in wrong:
        status, report = read(tool("validate", value, "--json"))
        assert status == 1 and [e["by"] for e in report["errors"]] == ["decoder"], report


def test_validate_finds_what_a_json_schema_implementation_finds(tool):
    def places(error):
        place = "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in error.absolute_path)
        return {place.lstrip(".")}

    check, faulty = validator(), 0
    for name, value in corpus():
        complaints = set().union(*map(places, check.iter_errors(value)))
        status, report = read(tool("validate", "-", "--json", stdin=json.dumps(value)))
        # What fails closed is a warning, as for a service.
        expected = {place for place in complaints if closed_part(place) is None}
        said = {closed_part(finding["place"]) for finding in report["warnings"] + report["errors"]}
        closed = {closed_part(place) for place in complaints} - {None}
        expected |= {e["place"] for e in report["errors"] if e["by"] == "decoder" and e["place"] in complaints}
        assert closed <= said or report["errors"], (name, closed, said)
        found = {error["place"] for error in report["errors"]}
        # Of alternatives, the place within the value that the decoder names is more exact.
        vague = {place for error in check.iter_errors(value) if error.validator in ("anyOf", "required") for place in places(error)}
        # A required key that is null is missing in its object.
        nulls = {place for error in check.iter_errors(value) if error.instance is None for place in places(error)}
        expected = {place.rpartition(".")[0] if place in nulls - found and place.rpartition(".")[0] in found else place for place in expected}
        missing = {place for place in expected - found
                   if place not in vague or not any(other.startswith((f"{place}.", f"{place}[")) for other in found)}
        assert not missing, (name, expected, found)
        assert {e["place"] for e in report["errors"] if e["by"] == "schema"} <= expected, (name, expected, found)
        # A JSON Schema cannot tell an integer that is too large from a number that is not, or what this SDK is able to do.
        beyond = ("is too large for JSON readers", "which this version of the SDK does not have")
        fits = not any(words in error["reason"] for error in report["errors"] for words in beyond)
        assert status == (1 if expected or not fits else 0), name
        faulty += bool(expected)
    assert faulty > 100


def test_validate_tells_warnings_and_ends_with_zero(tool):
    good = document(1, [bundle("a", emitter={"emitRange": 0}, tracker={"logLevel": "loud", "new": 1})])
    status, report = read(tool("validate", good, "--json"))
    assert status == 0 and report["errors"] == []
    assert sorted(w["place"].split(".")[-1] for w in report["warnings"]) == ["emitRange", "logLevel", "new"]
    assert tool("validate", good)[1].splitlines()[-1].endswith(".json: valid, version 1: 1 tracker; 3 warnings")
    status, text, _ = tool("validate", good, "--strict")
    assert status == 1 and text.endswith(".json: valid, version 1: 1 tracker; 3 warnings, refused by --strict\n")


def test_validate_says_how_much_a_document_has(tool):
    def said(*words):
        status, text, errors = tool("validate", *words)
        assert (status, errors) == (0, "")
        return text.splitlines()[-1].partition(".json: ")[2]

    one = {"id": "e", "variants": [{"name": "a"}]}
    whole = document(2, [bundle("a"), {"namespace": "b"}], features={"f": {"enabled": True}, "g": {}}, experiments=[one])
    assert said(whole) == "valid, version 2: 1 tracker, 1 removed tracker, 2 features, 1 experiment"
    assert said(whole, "--default") == "valid, version 2: 2 trackers, 2 features, 1 experiment"
    assert said(document(3, [], versionEpoch=1)) == "valid, version 3 of epoch 1: no trackers, features or experiments"
    assert tool("validate", document(1, []), document(1, [bundle("a")]))[1].endswith("\n2 files, all valid\n")


def test_validate_tells_warnings_before_the_error_too(tool):
    wrong = document(1, [bundle("a", tracker={"new": 1}), bundle("a")])
    status, report = read(tool("validate", wrong, "--json"))
    assert status == 1 and len(report["errors"]) == 1 and len(report["warnings"]) == 1


def test_validate_of_a_default(tool):
    default = document(1, [{"namespace": "a", "networkConfiguration": {"method": "get"}}])
    assert tool("validate", default)[0] == 1
    assert tool("validate", default, "--default")[0] == 0


@pytest.mark.parametrize("text", ["", "{", "[]", "\ufeff{}", '{"a":1,"a":2}', "null"])
def test_validate_of_what_is_no_document(tool, text):
    status, report = read(tool("validate", "-", "--json", stdin=text))
    assert status == 1 and report["version"] is None and report["errors"][0]["line"] == 1


@pytest.mark.parametrize("words", [
    ("validate",), ("validate", "--loud", "a"), ("diff", "/dev/null"), ("diff", "a", "b", "c"), ("diff", "--default"),
    ("explain",), ("explain", "/dev/null", "--default-version", "x"),
    ("validate", "a", "--json", "--format", "sarif"), ("validat", "a"), ("--jsn",), ("console",)])
def test_wrong_words_end_with_64_a_sentence_and_the_usage(tool, words):
    status, output, errors = tool(*words)
    assert (status, output) == (64, "")
    reason, usage = errors.splitlines()
    assert reason.startswith("tracker-config: ")
    command = words[0] if words[0] in ("validate", "diff", "explain", "console") else "COMMAND"
    assert usage.startswith(f"usage: tracker-config {command} ")


@pytest.mark.parametrize("words", [
    ("explain", "{}", "--namespace", "zz"), ("explain", "{}", "--field", "subject.nothing"), ("explain", "{}", "--feature", "zz"),
    ("explain", "{}", "--context", "{"), ("explain", "{}", "--context", "[]"), ("explain", "{}", "--context", '{"units":1}')])
def test_names_that_a_document_lacks_end_with_64_without_the_usage(tool, words):
    status, output, errors = tool(*(document(1, []) if word == "{}" and place == 1 else word for place, word in enumerate(words)))
    assert (status, output) == (64, "") and errors.startswith("tracker-config: ") and errors.count("\n") == 1


@pytest.mark.parametrize("command", ["validate", "diff", "explain"])
def test_help(tool, command):
    status, output, errors = tool(command, "--help")
    assert (status, errors) == (0, "") and output.startswith(f"tracker-config {command} ")


def test_explain(tool):
    default = document(0, [
        {"namespace": "a", "subjectConfiguration": {"userId": "d", "language": "en"}}, {"namespace": "bare"},
        bundle("only", "https://default.example")])
    new = document(3, [bundle("a", subject={"userId": "r"}, tracker={"deepLinkContext": True}), {"namespace": "gone"}])
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

    status, text, _ = tool("explain", new, "--default", default)
    assert "built-in values are left out" in text and 'no tracker "gone"' in text and 'no tracker "bare"' in text
    assert "emitter.emitRange" not in text
    assert "emitter.emitRange" in tool("explain", new, "--all")[1]

    status, report = read(tool("explain", new, "--namespace", "a", "--field", "emitter.emitRange", "--json"))
    assert report["trackers"] == {"a": {"emitter.emitRange": {"value": 500, "source": "builtin", "overridden": []}}}
    assert tool("explain", new, "--namespace", "gone")[1].endswith('\nno tracker "gone": the document removes it\n')
    assert tool("explain", new, "--namespace", "missing")[0] == 64


@pytest.mark.parametrize("version, used", [(2, True), (3, False), (4, False)])
def test_explain_says_where_the_default_has_no_lower_version(tool, version, used):
    status, report = read(tool("explain", document(3, [bundle("a")]), "--default-version", version, "--json"))
    assert status == 0 and list(report["trackers"]) == ["a"]
    assert any("would not use" in w["reason"] for w in report["warnings"]) != used


@pytest.mark.parametrize("command", ["explain", "diff"])
def test_documents_with_errors_end_with_1(tool, command, tmp_path):
    good, faulty = document(1, []), tmp_path / "faulty.json"
    faulty.write_text(FAULTY)
    words = [faulty] if command == "explain" else [good, faulty]
    status, output, errors = tool(command, *words)
    assert (status, output) == (1, "") and "faulty.json:6:63: error: " in errors
    status, output, errors = tool(command, *words, "--json")
    assert (status, output) == (1, "") and len(json.loads(errors)["errors"]) == 3
    words = [good] if command == "explain" else [good, good]
    assert tool(command, *words, "--default", faulty)[0] == 1


def test_diff_of_the_whole_document(tool):
    def experiment(**more):
        return {"id": "e", "variants": [{"name": "a", "weight": 1}, {"name": "b", "weight": 1}], **more}

    old = document(1, [bundle("a"), bundle("b")], meta={"o": 1}, experiments=[experiment()], rollout={"percent": 5},
                   features={"f": {"enabled": True, "variables": {"k": {"value": "hush1", "encrypted": True}}}})
    new = document(2, [bundle("a", tracker={"appId": "x"})], meta={"o": 2}, rollout={"percent": 50},
                   experiments=[experiment(seed="t", sticky=True)],
                   features={"f": {"variables": {"k": {"value": "hush2", "encrypted": True}}}, "g": {}})
    status, report = read(tool("diff", old, new, "--json"))
    assert status == 0
    assert list(report) == ["oldVersion", "newVersion", "oldVersionEpoch", "newVersionEpoch", "versionJump", "oldInUse",
                            "outcome", "otherContent", "percent", "trackers", "meta", "segments", "features",
                            "returnedFeatures", "experiments", "rollout"]
    assert (report["outcome"], report["trackers"]["kept"]) == ("applied", ["b"])
    assert report["trackers"]["changed"][0]["settings"]["tracker.appId"]["new"] == {
        "value": "x", "source": "remote", "version": 2}
    assert report["meta"] == {"added": {}, "removed": {}, "changed": {"o": {"old": 1, "new": 2}}}
    assert report["features"]["added"] == ["g"]
    assert report["features"]["changed"][0]["enabled"] == {"old": True, "new": None}
    moves = report["experiments"]["changed"][0]["moves"]
    assert moves == {"share": 0.5, "method": "independent", "keepsAssigned": False, "stickiness": "begun",
                     "audienceDiffers": False}
    assert report["rollout"]["changed"] == {"percent": {"old": 5, "new": 50}}
    text = tool("diff", old, new)[1]
    assert "hush" not in text + json.dumps(report) and "the secret differs" in text and "\x1b" not in text
    assert "50 % of the units" in text and "applied by 50 % of the fleet" in text


def test_diff_judges_versions_as_a_service_does(tool):
    one, other, two = document(1, [bundle("a")]), document(1, [bundle("b")]), document(2, [bundle("a")])
    cases = [((one, two), "applied", False), ((two, one), "stale", False), ((one, one), "unchanged", False),
             ((one, other), "unchanged", True), ((one, two, "--default-version", 2), "unchanged", False)]
    for words, outcome, other_content in cases:
        status, report = read(tool("diff", *words, "--json"))
        assert status == 0 and (report["outcome"], report["otherContent"]) == (outcome, other_content)
        assert tool("diff", *words)[0] == 0
    first = {name: tool("diff", *words)[1].splitlines()[0] for name, words in (
        ("applied", (one, two)), ("stale", (two, one)), ("same", (one, one)), ("changed", (one, other)))}
    assert first == {
        "applied": "version 1 → 2: applied", "same": "not applied: version 1 is in use already",
        "stale": "not applied: version 2 is in use, and 1 is lower. With a higher version:",
        "changed": "not applied: the content changed but configurationVersion is still 1. With a higher version:"}


def test_colours_are_for_terminals_without_no_color(operator, tmp_path):
    import pty
    paths = []
    for version in (1, 2):
        paths.append(tmp_path / f"{version}.json")
        paths[-1].write_text(json.dumps(document(version, [bundle(f"n{version}")])))

    def output(**environment):
        reader, writer = pty.openpty()
        plain = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
        subprocess.run([operator, "diff", *paths], stdout=writer, env={**plain, **environment}, timeout=PATIENCE, check=True)
        os.close(writer)
        with os.fdopen(reader, "rb") as terminal:
            return terminal.read1(65536)

    assert b"\x1b[" in output(TERM="xterm")
    assert b"\x1b[" not in output(NO_COLOR="1", TERM="xterm")
    assert b"\x1b[" not in output(TERM="dumb")


def explained(driver):
    namespaces = driver.do("namespaces")["namespaces"]
    return {name: driver.do("explain", namespace=name) for name in namespaces}


def driven(side):
    """A value of the tool as the driver gives it: the built-in appId is the name of the executable."""
    is_name = side == {"value": "tracker-config", "source": "builtin"}
    return {**side, "value": "demo-tracker"} if is_name else side


def test_diff_says_what_a_running_service_does(tool, micro, drive, tmp_path):
    default = document(0, [
        {"namespace": "a", "subjectConfiguration": {"userId": "d", "language": "en"}, "emitterConfiguration": {"emitRange": 7}},
        bundle("default only", micro.url), bundle("both", micro.url, tracker={"appId": "d"})])
    old = [bundle("a", micro.url, subject={"userId": "r"}, emitter={"emitRange": 9, "bufferOption": "Single"}),
           bundle("same", micro.url, session={"foregroundTimeout": 60}), bundle("kept", micro.url, tracker={"appId": "k"}),
           bundle("removed", micro.url)]
    new = [bundle("same", micro.url, session={"foregroundTimeout": 60}), {"namespace": "removed"},
           bundle("a", micro.url + "/x", subject={"language": "en"}, emitter={"bufferOption": "SmallGroup"},
                  tracker={"sessionContext": True, "appId": "n"}),
           bundle("added", micro.url), bundle("both", micro.url, tracker={"base64encoding": True})]
    path = tmp_path / "default.json"
    path.write_text(json.dumps(default))

    micro.publish(1, old)
    driver = drive("--config", micro.config, "--default", path)
    assert driver.fetched()["outcome"] == "applied"
    before = explained(driver)
    micro.publish(2, new)
    assert driver.do("refresh")["outcome"] == "applied"
    after = explained(driver)
    driver.quit()

    status, report = read(tool("diff", document(1, old), document(2, new), "--default", path, "--json"))
    trackers = report["trackers"]
    assert report["outcome"] == "applied"
    assert {t["namespace"] for t in trackers["added"]} == after.keys() - before.keys() == {"added"}
    assert set(trackers["removed"]) == before.keys() - after.keys() == {"removed"}
    assert trackers["kept"] == ["kept"] and after["kept"] == before["kept"]
    said = {t["namespace"]: t["settings"] for t in trackers["changed"]}
    assert said.keys() == {"a", "both"} and set(trackers["untouched"]) == {"same", "default only"}
    compared = 0
    for namespace in before.keys() & after.keys():
        for field, was in before[namespace].items():
            now = after[namespace][field]
            differs = (was["value"], was["source"]) != (now["value"], now["source"])
            change = said.get(namespace, {}).get(field)
            assert differs == (change is not None), (namespace, field, was, now, change)
            if change:
                assert (driven(change["old"]), driven(change["new"])) == (was, now)
                assert change["effective"] == (was["value"] != now["value"])
            compared += 1
    assert compared > 200

    status, report = read(tool("explain", document(2, new), "--default", path, "--json"))
    for namespace, fields in report["trackers"].items():
        for field, answer in fields.items():
            answer.pop("overridden")
            assert driven(answer) == after[namespace][field], (namespace, field)
    assert report["trackers"].keys() == after.keys() - {"kept"}


def test_validate_has_the_bound_of_a_service(tool, tmp_path):
    path = tmp_path / "large.json"
    path.write_text(json.dumps(document(1, [], meta={"x": "y" * (1 << 20)})))
    status, report = read(tool("validate", path, "--json"))
    assert status == 1 and report["version"] == 1
    assert [error["reason"] for error in report["errors"]] == [
        f"{path.stat().st_size} bytes, and a service fetches no document larger than 1048576 bytes"]
    for words in (["--max-bytes", path.stat().st_size], ["--default"]):
        assert tool("validate", path, *words)[0] == 0, words
    assert tool("validate", path, "--max-bytes", path.stat().st_size - 1)[0] == 1
    assert tool("validate", path, "--max-bytes", "0")[0] == 64


def test_an_epoch_is_checked_and_told(tool):
    for epoch, status in ((0, 0), (2147483646, 0), (2147483647, 1), (-1, 1), (2147483648, 1), (1.5, 1), ("1", 1), (None, 0)):
        assert tool("validate", document(1, [], versionEpoch=epoch))[0] == status, epoch
    high = document(2147483647, [])
    status, report = read(tool("diff", document(42, []), high, "--json"))
    assert status == 0 and report["outcome"] == "applied" and report["versionJump"]
    assert "warning: configurationVersion grows by more than 1,000,000" in tool("diff", document(42, []), high)[1]
    assert read(tool("diff", high, document(43, []), "--json"))[1]["outcome"] == "stale"
    status, report = read(tool("diff", high, document(43, [], versionEpoch=1), "--json"))
    assert (report["outcome"], report["oldVersionEpoch"], report["newVersionEpoch"]) == ("applied", 0, 1)
    assert not report["versionJump"]
    assert "versionEpoch 0 → 1" in tool("diff", high, document(43, [], versionEpoch=1))[1]


def test_an_integer_beyond_64_bits_stays_exact_and_one_beyond_a_double_is_an_error_with_its_place(tool):
    large = document(1, [], meta={"id": 2**64 - 1})
    status, report = read(tool("validate", large, "--json"))
    assert status == 0 and report["errors"] == [] and report["warnings"] == []
    status, report = read(tool("diff", large, document(2, [], meta={"id": 2**64 - 2}), "--json"))
    assert report["meta"]["changed"] == {"id": {"old": 2**64 - 1, "new": 2**64 - 2}}
    status, report = read(tool("validate", document(1, [], meta={"id": 10**400}), "--json"))
    assert status == 1
    assert report["errors"][0]["place"] == "meta"
    assert report["errors"][0]["reason"].endswith("is too large for JSON readers; write it as a string")
    assert tool("validate", document(1, [], unknown={"id": 10**400}))[0] == 0


def ruled(*rules, **variables):
    return {"f": {"enabled": False, "variables": {name: {"value": value} for name, value in variables.items()},
                  "rules": list(rules)}}


def test_validate_warns_of_what_fails_closed_and_agrees_with_a_service(tool):
    bad = document(1, [], features=ruled({"id": "r", "if": 1, "enabled": "yes", "hashVersion": 3}, {"id": "r", "values": {"w": 1}}, v=1),
                   experiments=[{"id": "e", "country": "US", "variants": [{"name": "a", "on": True}]}])
    status, report = read(tool("validate", bad, "--json"))
    assert (status, report["errors"]) == (0, [])
    places = [warning["place"] for warning in report["warnings"]]
    assert len(places) == len(set(places))
    for place in ("rules[0].if", "rules[0].enabled", "rules[0].hashVersion", "rules[1].id", "rules[1].values.w"):
        assert f"features.f.{place}" in places
    assert {"experiments[0].country", "experiments[0].variants[0].on"} <= set(places)
    status, text, _ = tool("validate", document(1, [], requires=["telepathy"]))
    assert status == 1 and "telepathy" in text and text.endswith(": not valid: 1 error\n")
    status, text, _ = tool("validate", document(1, [], features=ruled({"id": "r", "coverage": 50})))
    assert status == 1 and "0.5 is half" in text and text.endswith(": not valid: 1 error\n")


def test_a_disabled_feature_in_validate_diff_and_explain(tool):
    on = ruled({"id": "staff", "condition": {"plan": "pro"}, "values": {"v": 9}}, v=1)
    off = {"f": {**on["f"], "disabled": True, "metadata": {"why": "broken", "ticket": 4711}}}
    default = document(0, [], features={"f": {"enabled": True, "variables": {"w": {"value": 2}}}})
    status, report = read(tool("validate", document(1, [], requires=["disabled"], features=off), "--json"))
    assert (status, report["errors"]) == (0, [])
    [warning] = report["warnings"]
    assert (warning["place"], warning["reason"]) == (
        "features.f.disabled", "the feature is disabled, so its rules are without effect")
    status, text, _ = tool("diff", document(1, [], features=on), document(2, [], features=off))
    assert status == 0 and "    disabled: false → true" in text
    assert '    metadata + why: "broken"' in text and "100 % of all users get" in text
    [change] = read(tool("diff", document(1, [], features=off), document(2, [], features=on), "--json"))[1]["features"]["changed"]
    assert change["disabled"] == {"old": True, "new": False}
    assert change["metadata"]["removed"] == {"why": "broken", "ticket": 4711}
    text = tool("explain", document(1, [], features=off), "--default", default, "--feature", "f")[1]
    for line in ("enabled = unset", '"v" = unset', '"w" = unset'):
        assert f"  {line}  (disabled)" in text.splitlines(), text
    assert '  metadata {"ticket":4711,"why":"broken"}' in text.splitlines(), text


def test_metadata_that_cannot_be_used_is_a_warning(tool):
    given = document(1, [], features={
        "f": {"metadata": {"a": [1], "b": {}, "c": "kept"}}, "g": {"metadata": 1}, "variables": {"variables": {"metadata": {"value": 1}}}})
    status, report = read(tool("validate", given, "--json"))
    assert (status, report["errors"]) == (0, [])
    assert [warning["place"] for warning in report["warnings"]] == ["features.f.metadata.a", "features.f.metadata.b", "features.g.metadata"]
    wrong = document(1, [], features={"f": {"variables": {"metadata": {"value": 1, "title": 2}}}})
    status, report = read(tool("validate", wrong, "--json"))
    assert status == 1 and report["errors"][0]["place"] == "features.f.variables.metadata.title"


def test_diff_of_rules_says_how_many_units_get_something_else(tool):
    def features(coverage, *more, **members):
        return ruled(*more, {"id": "ramp", "coverage": coverage, "enabled": True, **members}, v=1)

    def said(old, new, **more):
        return tool("diff", document(1, [], features=old, **more), document(2, [], features=new, **more))[1]

    assert "30 % of all users get `true` (counted over all buckets)" in said(features(0.2), features(0.5))
    text = said(features(0.2, condition={"plan": "pro"}), features(0.5, condition={"plan": "pro"}))
    assert "30 % of the users that a condition matches get `true`, and no others (counted over all buckets)" in text
    assert '~ rule "ramp"' in text and "~ coverage: 0.2 → 0.5" in text
    text = said(features(0.2), features(0.2, seed="other"))
    assert "taken as independent" in text and "~ seed" in text
    experiment = {"id": "e", "variants": [{"name": "a", "values": {"f": {"v": 2}}}]}
    text = said(features(0.2), features(0.5), experiments=[experiment])
    assert "cannot count affected units: an experiment also sets this feature" in text and "0 %" not in text
    first, second = {"id": "a", "values": {"v": 2}}, {"id": "b", "values": {"v": 3}}
    text = said(ruled(first, second, v=1), ruled(second, first, v=1))
    assert '~ order of the rules: "b", "a"' in text and "100 % of all users get `v = 3` (counted over all buckets)" in text
    text = said(ruled(first, v=1), ruled(second, v=1), segments={"beta": [1]})
    assert '+ rule "b"' in text and '- rule "a"' in text and "segments" not in text
    old, new = document(1, [], segments={"beta": ["a"]}), document(2, [], segments={"beta": ["b", "c"], "late": []})
    text = tool("diff", old, new)[1]
    assert '~ "beta": 2 added, 1 removed, now 2 members' in text and '+ "late"' in text


def test_diff_of_an_experiment_that_is_disabled_or_blocked(tool):
    def said(**members):
        one = {"id": "e", "variants": [{"name": "a", "weight": 3}, {"name": "b", "weight": 1}]}
        return tool("diff", document(1, [], experiments=[one]), document(2, [], experiments=[{**one, **members}]))[1]

    text = said(enabled=False)
    assert "100 % of the units" in text and "disabled: no unit gets a variant" in text and "+ enabled: false" in text
    text = said(blockedVariants=["b"])
    assert "25 % of the units" in text and '+ blockedVariants: ["b"]' in text
    assert "condition, prerequisites, filters or schedule differ" in said(namespace=["n", 0, 0.5])
    assert "unusable: no unit gets a variant" in said(nonsense=1)


def test_explain_shows_rules_in_order_and_what_a_context_gets(tool):
    one = {"id": "e", "variants": [{"name": "a", "values": {"f": {"w": 2}}}]}
    given = document(3, [bundle("a")], experiments=[one], features={
        **ruled({"id": "bad", "if": 1, "enabled": True}, {"id": "staff", "values": {"v": 9}},
                {"id": "ramp", "coverage": 0.2, "unit": "deviceId", "enabled": True}, v=1, w=1), "g": {"enabled": True}})
    status, text, _ = tool("explain", given)
    lines = text.splitlines()
    start = lines.index('feature "f"')
    assert status == 0 and lines[start + 1:start + 4] == [
        '  rule 1 "bad": no context, because the rule is unusable → enabled', '  rule 2 "staff": all contexts → v = 9',
        '  rule 3 "ramp": 20 % of deviceId → enabled']
    # Then what a read without a context gets, of features without rules too.
    assert lines[start + 4:start + 7] == [
        "  enabled = false  (no rule that matched sets it; version 3)", '  "v" = 9  (rule "staff"; version 3)',
        '  "w" = 1  (for all contexts; version 3)']
    assert lines[start + 7:] == ['feature "g"', "  enabled = true  (for all contexts; version 3)"]
    context = json.dumps({"units": {"userId": "u-1"}})
    text = tool("explain", given, "--feature", "f", "--context", context)[1]
    assert 'tracker' not in text
    assert '  "v" = 9  (rule "staff"; version 3)' in text
    assert '  "w" = 2  (by the hash; experiment e, variant a' in text
    assert "  enabled = false  (no rule that matched sets it; version 3)" in text
    status, report = read(tool("explain", given, "--context", context, "--json"))
    [f, g] = report["features"]
    assert [rule["id"] for rule in f["rules"]] == ["bad", "staff", "ramp"] and f["rules"][0]["usable"] is False
    assert f["variables"]["v"] == {"value": 9, "source": "remote, version 3", "reason": "TARGETING_MATCH", "rule": "staff"}
    assert g["enabled"]["value"] is True
    for context, meant in (
            ({"userId": "u-1"}, 'put userId under "units": {"units":{"userId":"u-1"}}'),
            ({"plan": "pro"}, 'put plan under "attributes": {"attributes":{"plan":"pro"}}'),
            ({"unit": {}}, "unknown key 'unit'; did you mean 'units'?")):
        errors = tool("explain", given, "--context", json.dumps(context))[2]
        assert errors == f"tracker-config: --context: {meant}\n"
    for words in (("--context", "u-1"), ("--context", '{"unit":1}'), ("--context", '{"units":{"userId":1}}'), ("--feature", "zz")):
        assert tool("explain", given, *words)[0] == 64, words


def test_explain_traces_each_rule_and_experiment(tool):
    one = {"id": "e", "variants": [{"name": "control"}, {"name": "b", "weight": 0, "values": {"f": {"w": 2}}}]}
    one["variants"][0]["weight"] = 1
    code = {"id": "code", "unit": "deviceId", "variants": [{"name": "only"}]}
    given = document(3, [bundle("a")], experiments=[one, code], features={
        **ruled({"id": "pro", "condition": {"plan": "pro"}, "enabled": True}, {"id": "ramp", "coverage": 0.2, "enabled": True},
                {"id": "late", "start": "2090-01-01T00:00:00Z", "enabled": True}, v=1, w=1)})
    words = ("explain", given, "--feature", "f", "--trace", "--context")
    status, text, _ = tool(*words, json.dumps({"units": {"userId": "u-1"}, "attributes": {"plan": "free"}}))
    lines = text.splitlines()
    assert status == 0 and "    ✗ plan: 'free' is not 'pro'" in lines and "    ✗ begins at 2090-01-01T00:00:00Z" in lines
    assert "    ✗ userId 'u-1' is at 0.2169, covered 0 to 0.2" in lines
    assert '  "w" = 1  (no rule matched; version 3, experiment "e", variant "control")' in lines
    assert "  enabled = false  (no rule matched; version 3)" in lines
    assert lines[-2].startswith("""experiment "e": variant 'control', by the hash, userId 'u-1' is at 0.""")
    assert lines[-1] == 'experiment "code": no: deviceId: missing'
    status, text, _ = tool(*words, "{}")
    assert "    ✗ plan: missing" in text and "    ✗ userId: missing" in text
    status, text, _ = tool(*words, json.dumps({"units": {"userId": "u-1"}, "attributes": {"plan": "pro"}}))
    assert "    ✓ plan matches" in text and '  enabled = true  (rule "pro"; version 3)' in text
    for context, fault in (
            ('{"userId":"u-1"}', 'put userId under "units": {"units":{"userId":"u-1"}}'),
            ('{"plan":"pro"}', 'put plan under "attributes": {"attributes":{"plan":"pro"}}'),
            ('{"unit":{}}', "unknown key 'unit'; did you mean 'units'?")):
        status, _, errors = tool(*words, context)
        assert status == 64 and f"--context: {fault}" in errors, errors
    # Overrides of a request show what a tester would get.
    tester = json.dumps({"units": {"userId": "u-1"}, "overrides": {"variants": {"e": "b"}, "enabled": {"f": True}}})
    status, report = read(tool(*words, tester, "--json"))
    [f] = report["features"]
    assert (f["enabled"]["value"], f["enabled"]["source"]) == (True, "request")
    assert (f["variables"]["w"]["value"], f["variables"]["w"]["variants"]) == (2, {"e": "b"})
    source = [step for step in f["variables"]["w"]["steps"] if step["name"] == "remote, version 3"][0]
    assert [step["text"] for step in source["steps"] if step["name"] == "e"] == ["variant 'b', forced by the request"]
    assert [step["name"] for step in report["experiments"]] == ["e", "code"]
    assert tool(*words, '{"overrides":{"flags":{}}}')[0] == 64


def run(operator, *words, **more):
    ended = subprocess.run([operator, *map(str, words)], capture_output=True, text=True, timeout=PATIENCE, **more)
    return ended.returncode, ended.stdout, ended.stderr


def test_inputs_that_cannot_be_read_end_with_66_and_the_systems_words(operator, tmp_path):
    for command in (["validate"], ["explain"], ["import", "--from", "justtweak"]):
        for path, reason in (("/nowhere/a.json", "No such file or directory"), (tmp_path, "Is a directory")):
            assert run(operator, *command, path) == (66, "", f"tracker-config: {path}: {reason}\n")
        assert run(operator, *command, "") == (66, "", "tracker-config: '': No such file or directory\n")
    assert run(operator, "diff", "/nowhere/a", "/nowhere/b")[0] == 66
    assert run(operator, "events", "list", "--state-dir", "/nowhere")[0] == 66
    assert run(operator, "console", "--config", tmp_path)[0] == 66


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads every file")
def test_a_file_without_permission_ends_with_66(operator, tmp_path):
    path = tmp_path / "closed.json"
    path.write_text("{}")
    path.chmod(0)
    assert run(operator, "validate", path) == (66, "", f"tracker-config: {path}: Permission denied\n")


def test_an_endless_file_is_read_up_to_a_bound(operator):
    status, output, errors = run(operator, "validate", "/dev/zero")
    assert (status, output, errors) == (66, "", "tracker-config: /dev/zero: larger than 67108864 bytes\n")


@pytest.mark.parametrize("words", [["validate"], ["explain"], ["import", "--from", "justtweak"], ["--help"], ["man"]])
def test_output_that_cannot_be_written_ends_with_74(operator, tmp_path, words):
    path = tmp_path / "good.json"
    path.write_text("{}" if words[0] == "import" else json.dumps(document(1, [bundle("a")])))
    operands = [] if words[0] in ("--help", "man") else [str(path)]
    with open("/dev/full", "wb") as full:
        ended = subprocess.run([operator, *words, *operands], stdout=full, stderr=subprocess.PIPE, text=True, timeout=PATIENCE)
    assert ended.returncode == 74
    assert ended.stderr == "tracker-config: standard output: No space left on device\n"


def test_a_reader_that_has_gone_is_no_error(operator, tmp_path):
    reader, writer = os.pipe()
    os.close(reader)
    path = tmp_path / "good.json"
    path.write_text(json.dumps(document(1, [bundle("a")])))
    ended = subprocess.run([operator, "validate", path], stdout=writer, stderr=subprocess.PIPE, text=True, timeout=PATIENCE)
    os.close(writer)
    assert (ended.returncode, ended.stderr) == (0, "")


def test_validate_takes_many_files_and_goes_on_after_one_that_is_missing(tool, tmp_path):
    good, faulty = tmp_path / "good.json", tmp_path / "faulty.json"
    good.write_text(json.dumps(document(1, [])))
    faulty.write_text(FAULTY)
    status, output, errors = tool("validate", good, faulty)
    assert (status, errors) == (1, "")
    assert output.splitlines()[0] == f"{good}: valid, version 1: no trackers, features or experiments"
    assert output.splitlines()[-1] == "2 files, 1 not valid: 3 errors"
    status, output, errors = tool("validate", "/nowhere/a", good, "--json")
    assert status == 66 and errors == "tracker-config: /nowhere/a: No such file or directory\n"
    assert json.loads(output)["file"] == str(good)
    assert tool("validate", "--", good)[0] == 0


def test_validate_for_github_and_as_sarif(tool, tmp_path):
    path = tmp_path / "faulty.json"
    path.write_text(FAULTY)
    status, output, _ = tool("validate", path, "--format", "github")
    assert status == 1 and output.splitlines()[0] == (
        f"::error file={path},line=6,col=63,title=tracker-config::configurationBundle[0].networkConfiguration.endpoint: "
        "expected a string, found a number")
    status, log = read(tool("validate", path, path, "--format=sarif"))
    assert status == 1 and log["version"] == "2.1.0"
    [part] = log["runs"]
    assert part["tool"]["driver"]["name"] == "tracker-config" and len(part["results"]) == 6
    assert {result["ruleId"] for result in part["results"]} <= {rule["id"] for rule in part["tool"]["driver"]["rules"]}
    place = part["results"][0]["locations"][0]["physicalLocation"]
    assert place == {"artifactLocation": {"uri": path.as_uri()}, "region": {"startLine": 6, "startColumn": 63}}
    status, output, errors = tool("validate", "/nowhere/a", "--format", "sarif")
    assert status == 66 and json.loads(output)["runs"][0]["invocations"][0]["executionSuccessful"] is False


def test_validate_names_the_key_that_was_meant(tool):
    _, output, _ = tool("validate", document(1, [bundle("a", tracker={"appid": "x"})]))
    assert "appid: an unknown key, ignored; did you mean 'appId'?" in output


def test_validate_says_where_a_text_ends(tool):
    status, output, _ = tool("validate", "-", stdin='{"a": 1')
    assert status == 1 and output.startswith("<stdin>:1:8: error: the object that begins at 1:1 is not closed")


def test_diff_with_exit_code(tool):
    one, two = document(1, [bundle("a")]), document(2, [bundle("a")])
    assert tool("diff", one, two)[0] == 0
    assert tool("diff", one, two, "--exit-code")[0] == 1
    assert tool("diff", one, one, "--exit-code")[0] == 0
    assert tool("diff", one, document(1, [bundle("b")]), "--exit-code")[0] == 1


@pytest.mark.parametrize("words, sentence, usage", [
    (["validat"], "unknown command 'validat'; did you mean 'validate'?", "COMMAND [options]"),
    (["val"], "unknown command 'val'; did you mean 'validate'?", "COMMAND [options]"),
    (["fly"], "unknown command 'fly'; tracker-config --help lists them", "COMMAND [options]"),
    (["validate", "--jsn", "a"], "unknown option '--jsn'; did you mean '--json'?", "validate FILE... [options]"),
    (["validate", "--json=1", "a"], "--json takes no value", "validate FILE... [options]"),
    (["diff", "a"], "diff needs NEW", "diff OLD NEW [options]"),
    (["import", "a", "--from", "gbook"],
     "--from takes one of msactiveconfig, justtweak, rolloutmanager, growthbook, not 'gbook'; did you mean 'growthbook'?",
     "import FILE --from FORMAT [options]"),
    (["explain", "a", "--field", "subject.userIdd"], "unknown field 'subject.userIdd'; did you mean 'subject.userId'?", None),
])
def test_slips_get_a_suggestion_and_the_usage(operator, words, sentence, usage):
    second = f"usage: tracker-config {usage}\n" if usage else ""
    assert run(operator, *words) == (64, "", f"tracker-config: {sentence}\n{second}")


def test_help_names_the_command_that_was_meant(operator):
    status, output, errors = run(operator, "help", "validat")
    assert (status, output) == (64, "") and errors.splitlines()[0].endswith(", not 'validat'; did you mean 'validate'?")
    assert errors.endswith("\nusage: tracker-config help [COMMAND] [options]\n")


@pytest.mark.parametrize("columns, width", [("60", 80), ("90", 90), ("300", 100), ("", 80)])
def test_help_is_as_wide_as_the_terminal_within_bounds(operator, columns, width):
    longest = max(map(len, run(operator, "console", "--help", env={**os.environ, "COLUMNS": columns})[1].splitlines()))
    assert width - 12 < longest <= width


def test_the_examples_of_help_do_what_they_say(operator, tmp_path):
    """Runs every example that ends by itself in a shell, as it stands in the help."""
    def written(name, value):
        (tmp_path / name).write_text(json.dumps(value))

    feature = {"checkout": {"enabled": False, "variables": {"retryLimit": {"value": 3}}}}
    written("published.json", document(1, [bundle("a")], features=feature))
    written("trackers.json", document(2, [bundle("a"), bundle("b")], features=feature))
    written("default.json", document(0, [bundle("a")], features=feature))
    written("payload.json", {"features": {"f": {"defaultValue": True}}})
    written("LocalTweaks.json", {"a": {"x": {"Value": 1}}})
    (tmp_path / "Experiments.plist").write_bytes(plistlib.dumps({"e": {"Variants": {"a": 1, "b": 1}}}))
    for words in (["init", "-q"], ["add", "."], ["-c", "user.name=a", "-c", "user.email=a@b.example", "commit", "-qm", "a"]):
        subprocess.run(["git", *words], cwd=tmp_path, check=True, timeout=PATIENCE)
    environment = {**os.environ, "PATH": f"{os.path.dirname(operator)}:{os.environ['PATH']}"}
    # Those that need a service's directory, or that Ctrl-C stops, are parsed by the tests of the command table.
    ran = {}
    for command in ("validate", "diff", "explain", "import", "generate"):
        text = run(operator, command, "--help")[1].partition("\nExamples\n")[2].partition("\n\n")[0]
        for example in text.split("  # ")[1:]:
            line = example.partition("\n")[2]
            # One that globs all files would find those that are no documents.
            line = line.replace("*.json", "published.json trackers.json")
            done = subprocess.run(["bash", "-c", line], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=PATIENCE)
            ran[line.strip()] = done.returncode
            assert done.returncode == ("--exit-code" in line), (line, done.stdout, done.stderr)
    assert len(ran) >= 12, ran
    assert (tmp_path / "Sources/shop/Settings.swift").exists()


def test_version_and_help(operator, binary):
    for program in (operator, binary):
        status, output, errors = run(program, "--version")
        assert (status, errors) == (0, "") and output.split()[0] == os.path.basename(program) and output.count(".") == 2
    assert run(operator, "help", "validate") == run(operator, "validate", "--help")
    assert run(operator, "help", "nothing")[0] == 64
    assert run(binary, "help", "run")[1].startswith("demo-tracker run --config URL ")


@pytest.mark.parametrize("which", ["operator", "binary"])
def test_completions_are_scripts_that_bash_can_use(request, which):
    path = request.getfixturevalue(which)
    name = os.path.basename(path)
    script = run(path, "completions", "bash")[1]

    def complete(*words):
        lines = f"{script}\nCOMP_WORDS=({' '.join(words)})\nCOMP_CWORD={len(words) - 1}\n_{name.replace('-', '_')}\n"
        ended = subprocess.run(["bash"], input=lines + 'printf "%s\\n" "${COMPREPLY[@]}"', capture_output=True, text=True,
                               timeout=PATIENCE)
        assert ended.stderr == ""
        return ended.stdout.split()

    command = "validate" if which == "operator" else "run"
    assert complete(name, command[:3]) == [command]
    assert "--help" in complete(name, command, "--")
    if which == "operator":
        assert complete(name, "validate", "--format", "g") == ["github"]
        assert complete(name, "validate", "--format", "=", "s") == ["sarif"]
        assert complete(name, "events", "re") == ["resend"]


@pytest.mark.skipif(shutil.which("groff") is None, reason="groff is not here")
def test_the_manual_page_is_read_without_complaints(operator):
    page = run(operator, "man")[1]
    ended = subprocess.run(["groff", "-man", "-Tascii", "-P-c"], input=page, capture_output=True, text=True, timeout=PATIENCE)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "--state-dir" in ended.stdout
    headings = [line for line in ended.stdout.splitlines() if line and not line[0].isspace()]
    for name in ("EXAMPLES", "FILES", "EXIT STATUS", "ENVIRONMENT", "SEE ALSO"):
        assert any(re.sub(".\b", "", line) == name for line in headings), (name, headings)


def test_the_tool_of_the_plugin_refuses_a_file_that_is_too_large(operator, tmp_path):
    tool = pathlib.Path(operator).with_name("tracker-accessors")
    path = tmp_path / "Settings.features.json"
    path.touch()
    os.truncate(path, (64 << 20) + 1)
    ended = subprocess.run([tool, path, tmp_path, "Settings"], capture_output=True, text=True, timeout=PATIENCE)
    assert (ended.returncode, ended.stderr) == (1, f"{path}: error: larger than 67108864 bytes\n")
