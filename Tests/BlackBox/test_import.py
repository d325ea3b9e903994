"""import as scripts use it: the document on standard output, the report on standard error."""
import json
import plistlib
import subprocess

import pytest
from driver import PATIENCE, SCHEMA

OLD = {
    "msactiveconfig": {"meta": {"format_version_string": "1.0"}, "config_sections": {"a": {"settings": {"x": {"value": 3, "type": "int"}}}}},
    "justtweak": {"a": {"x": {"Value": 1, "Title": "X", "GeneratedPropertyName": "ex", "Min": 0}}},
    "rolloutmanager": {"e": {"Settings": {"supported_countries": "US, IL", "owner": "o"}, "Variants": {"b": 1, "a": 0.5}}},
}

NEW = {
    "msactiveconfig": {"meta": {"format_version_string": "1.0"}, "features": {"a": {"variables": {"x": {"value": 3}}}}},
    "justtweak": {"features": {"a": {"enabled": True, "variables": {"x": {"value": 1, "title": "X", "generatedName": "ex"}}}}},
    "rolloutmanager": {"experiments": [
        {"id": "e", "seed": "e", "hashVersion": 2, "countries": ["US", "IL"],
         "variants": [{"name": "a", "weight": 0.5}, {"name": "b", "weight": 1}]}]},
}

# What is told of the names of variants.
NAMES = "RolloutManager names this variant 'e_a', with the id of its experiment; its name is 'a' here"

PLACES = {
    "msactiveconfig": "config_sections.a.settings.x.type",
    "justtweak": "a.x.Min",
    "rolloutmanager": "e.Settings.owner",
}


@pytest.fixture
def run(operator):
    """Runs a command on standard input; answers status, output and errors."""

    def run(*words, stdin=b""):
        stdin = stdin if isinstance(stdin, bytes) else json.dumps(stdin).encode()
        ended = subprocess.run([operator, *map(str, words)], input=stdin, capture_output=True, timeout=PATIENCE)
        return ended.returncode, ended.stdout.decode(), ended.stderr.decode()

    return run


@pytest.mark.parametrize("form", OLD)
def test_an_old_file_becomes_a_document_without_faults(run, form):
    status, output, errors = run("import", "-", "--from", form, "--version", 7, stdin=OLD[form])
    assert status == 0
    assert json.loads(output) == {"$schema": SCHEMA, "configurationVersion": 7, "configurationBundle": [], **NEW[form]}
    assert errors.startswith("<stdin>:1:") and f": warning: {PLACES[form]}: not carried over" in errors
    assert errors.count("\n") == 1 + (form == "rolloutmanager" and f"<stdin>:1:1: warning: {NAMES}\n" in errors)

    status, verdict, _ = run("validate", "-", "--json", stdin=output.encode())
    report = json.loads(verdict)
    assert (status, report["errors"], report["version"]) == (0, [], 7)
    assert report["warnings"] == []


@pytest.mark.parametrize("form", OLD)
def test_the_report_is_json_where_asked_for(run, form, tmp_path):
    path = tmp_path / "old.json"
    path.write_text(json.dumps(OLD[form]))
    status, output, errors = run("import", path, "--from", form, "--json")
    assert status == 0 and json.loads(output)["configurationVersion"] == 1
    report = json.loads(errors)
    assert list(report) == ["file", "format", "errors", "warnings"]
    assert (report["file"], report["format"], report["errors"]) == (str(path), form, [])
    warnings = [w for w in report["warnings"] if w["reason"] != NAMES]
    assert len(report["warnings"]) == 1 + (form == "rolloutmanager")
    assert [w["place"] for w in warnings] == [PLACES[form]] and warnings[0]["line"] == 1


def test_a_document_that_cannot_be_written_is_an_error(operator):
    old = json.dumps(OLD["justtweak"]).encode()
    with open("/dev/full", "wb") as full:
        ended = subprocess.run([operator, "import", "-", "--from", "justtweak", "--json"], input=old, stdout=full,
                               stderr=subprocess.PIPE, timeout=PATIENCE)
    assert ended.returncode == 74
    assert ended.stderr.decode().endswith("tracker-config: standard output: No space left on device\n")


@pytest.mark.parametrize("kind", [plistlib.FMT_XML, plistlib.FMT_BINARY])
def test_a_property_list_gives_what_json_gives(run, kind, tmp_path):
    path = tmp_path / "old.plist"
    path.write_bytes(plistlib.dumps(OLD["rolloutmanager"], fmt=kind))
    status, output, errors = run("import", path, "--from", "rolloutmanager")
    assert (status, output) == run("import", "-", "--from", "rolloutmanager", stdin=OLD["rolloutmanager"])[:2]
    assert status == 0
    assert errors == f"{path}: warning: e.Settings.owner: not carried over\n{path}: warning: {NAMES}\n"


@pytest.mark.parametrize("form, old, sentence", [
    ("msactiveconfig", b"{}", ":1:1: error: required key 'config_sections' is missing"),
    ("justtweak", b'{"a":\n 7}', ":2:2: error: a: expected an object, found a number"),
    ("rolloutmanager", b'{"a":{"b":', ":1:11: error: a.b: expected a value, but the text ends here"),
    ("rolloutmanager", b"<html>", ": error: not a property list"),
    ("justtweak", b"<plist><dict/></plist>", ":1:1: error: this is XML or HTML, not JSON"),
])
def test_another_format_ends_with_1_and_prints_no_document(run, form, old, sentence):
    status, output, errors = run("import", "-", "--from", form, stdin=old)
    assert (status, output) == (1, "") and errors.startswith("<stdin>" + sentence)
    status, output, errors = run("import", "-", "--from", form, "--json", stdin=old)
    assert (status, output) == (1, "") and len(json.loads(errors)["errors"]) == 1


@pytest.mark.parametrize("words, sentence", [
    ([], "needs FILE"), (["-"], "--from FORMAT is required"), (["-", "--from", "yaml"], "not 'yaml'"), (["-", "--from"], "needs a value"),
    (["-", "-", "--from", "justtweak"], "not expected"), (["-", "--from", "justtweak", "--version", "-1"], "--version takes"),
    (["-", "--from", "justtweak", "--version", "2147483648"], "--version takes"),
    (["-", "--to", "x"], "unknown option"),
])
def test_wrong_words_end_with_64(run, words, sentence):
    status, output, errors = run("import", *words)
    assert (status, output) == (64, "") and sentence in errors


def test_help_tells_the_formats(run):
    status, output, _ = run("import", "--help")
    assert status == 0 and all(form in output for form in OLD)
    assert "  import FILE" in run("--help")[1]
