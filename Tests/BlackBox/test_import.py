"""import as scripts use it: the document on standard output, the report on standard error."""
import json
import plistlib

import pytest
from driver import TOOL, document, run

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


def convert(*words, stdin=""):
    return run(TOOL, "import", *words, stdin=stdin if isinstance(stdin, str) else json.dumps(stdin))


@pytest.mark.parametrize("form", OLD)
def test_an_old_file_becomes_a_document_without_faults(form):
    status, output, errors = convert("-", "--from", form, "--version", 7, stdin=OLD[form])
    assert (status, json.loads(output)) == (0, document(7, **NEW[form]))
    # For people.
    assert output == json.dumps(json.loads(output), indent=2, ensure_ascii=False) + "\n"
    assert errors.startswith("<stdin>:1:") and f": warning: {PLACES[form]}: not carried over" in errors
    assert errors.count("\n") == 1 + (form == "rolloutmanager" and f"<stdin>:1:1: warning: {NAMES}\n" in errors)

    status, verdict, _ = run(TOOL, "validate", "-", "--json", stdin=output)
    report = json.loads(verdict)
    assert (status, report["version"], report["errors"], report["warnings"]) == (0, 7, [], [])


def test_the_report_is_json_where_asked_for(tmp_path):
    path = tmp_path / "old.json"
    path.write_text(json.dumps(OLD["justtweak"]))
    status, output, errors = convert(path, "--from", "justtweak", "--json")
    assert status == 0 and json.loads(output)["configurationVersion"] == 1
    report = json.loads(errors)
    assert list(report) == ["file", "format", "errors", "warnings"]
    assert (report["file"], report["format"], report["errors"]) == (str(path), "justtweak", [])
    [warning] = report["warnings"]
    assert (warning["place"], warning["line"]) == (PLACES["justtweak"], 1)


@pytest.mark.parametrize("kind", [plistlib.FMT_XML, plistlib.FMT_BINARY])
def test_a_property_list_gives_what_json_gives(kind, tmp_path):
    path = tmp_path / "old.plist"
    path.write_bytes(plistlib.dumps(OLD["rolloutmanager"], fmt=kind))
    status, output, errors = convert(path, "--from", "rolloutmanager")
    assert (status, output) == convert("-", "--from", "rolloutmanager", stdin=OLD["rolloutmanager"])[:2]
    assert status == 0
    assert errors == f"{path}: warning: e.Settings.owner: not carried over\n{path}: warning: {NAMES}\n"


def test_another_format_ends_with_1_and_prints_no_document():
    for form, old, sentence in (
            ("msactiveconfig", "{}", ":1:1: error: required key 'config_sections' is missing"),
            ("justtweak", '{"a":\n 7}', ":1:1: error: no variable has a Value, so this is not a file of JustTweak"),
            ("rolloutmanager", '{"a":{"b":', ":1:11: error: a.b: expected a value, but the text ends here"),
            ("rolloutmanager", "<html>", ": error: not a property list"),
            ("justtweak", "<plist><dict/></plist>", ":1:1: error: this is XML or HTML, not JSON")):
        status, output, errors = convert("-", "--from", form, stdin=old)
        assert (status, output) == (1, "") and errors.startswith("<stdin>" + sentence), errors
    status, output, errors = convert("-", "--from", "msactiveconfig", "--json", stdin="{}")
    assert (status, output) == (1, "") and len(json.loads(errors)["errors"]) == 1


def test_wrong_words_end_with_64():
    for words, sentence in (
            ([], "needs FILE"), (["-"], "--from FORMAT is required"), (["-", "--from", "yaml"], "not 'yaml'"),
            (["-", "--from"], "needs a value"), (["-", "-", "--from", "justtweak"], "not expected"),
            (["-", "--from", "justtweak", "--version", "-1"], "--version takes"),
            (["-", "--from", "justtweak", "--version", "9007199254740992"], "--version takes"), (["-", "--to", "x"], "unknown option")):
        status, output, errors = convert(*words)
        assert (status, output) == (64, "") and sentence in errors, (words, errors)


def test_help_tells_the_formats():
    status, output, _ = convert("--help")
    assert status == 0 and all(form in output for form in OLD)
    assert "  import FILE" in run(TOOL, "--help")[1]
