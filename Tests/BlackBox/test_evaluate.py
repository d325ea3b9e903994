"""GrowthBook's cases, which `Tests/evaluate` answers by lines, beside the expected results."""
import collections
import json
import pathlib

import pytest
from driver import BINARY, ROOT, SHARED, run

EVALUATE = pathlib.Path(BINARY).with_name("evaluate")

CASES = SHARED / "growthbook" / "cases.json"

# The column with the expected result.
EXPECTED = {
    "evalCondition": 3, "hash": 3, "getBucketRange": 2, "chooseVariation": 3, "inNamespace": 3, "getEqualWeights": 1,
}


def evaluate(*lines):
    text = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines)
    status, output, errors = run(EVALUATE, stdin=text)
    assert (status, errors) == (0, "")
    return [json.loads(line) for line in output.splitlines()]


@pytest.fixture(scope="module")
def cases():
    if not CASES.exists():
        pytest.skip("GrowthBook's cases are not here")
    return json.loads(CASES.read_text())


@pytest.mark.parametrize("category", EXPECTED)
def test_results_are_those_of_growthbook_and_the_expected_column_is_not_read(cases, category):
    lines = [{"category": category, "case": [
        {"expected": "nothing"} if place == EXPECTED[category] else column for place, column in enumerate(case)]}
        for case in cases[category]]
    answers = evaluate(*lines)
    assert len(answers) == len(lines) > 0
    for case, answer in zip(cases[category], answers):
        assert flat(answer["result"]) == pytest.approx(flat(case[EXPECTED[category]]), abs=1e-8), case


# What a case expects, and why it is not supported.
FEATURES = {
    "feature": (
        lambda case: case[3],
        lambda case: "contextual bandits are not supported" if "contextualBandits" in case[1] else None),
    "run": (
        lambda case: {"value": case[3], "inExperiment": case[4], "hashUsed": case[5]},
        lambda case: "overrides in query strings are not supported" if f"{case[2]['key']}=" in case[1].get("url", "") else None),
    "stickyBucket": (lambda case: {"experimentResult": case[4], "documents": case[5]}, lambda case: None),
}


@pytest.mark.parametrize("category", FEATURES)
def test_features_and_experiments_are_those_of_growthbook(cases, category):
    expected, unsupported = FEATURES[category]
    answers = evaluate(*({"category": category, "case": case} for case in cases[category]))
    assert len(answers) == len(cases[category]) > 0
    for case, answer in zip(cases[category], answers):
        reason = unsupported(case)
        assert answer == ({"error": reason} if reason else {"result": expected(case)}), case[0]


def test_the_documentation_has_the_counts(cases):
    """The tests above let each case hold but those with a reason, and of these categories no case is taken."""
    judged = [reason(case) for category, (_, reason) in FEATURES.items() for case in cases[category]]
    left_out = collections.Counter(filter(None, judged))
    browsers = "redirects and query strings, which are for browsers"
    left_out[browsers] = left_out.pop("overrides in query strings are not supported")
    left_out[browsers] += len(cases["getQueryStringOverride"]) + len(cases["urlRedirect"])
    bandits = left_out.pop("contextual bandits are not supported") + len(cases["contextualBandit"])
    left_out["contextual bandits"] = bandits
    left_out["decryption, which is the service's closure"] = len(cases["decrypt"])
    held = judged.count(None) + sum(len(cases[category]) for category in EXPECTED)
    counts = json.loads((ROOT / "Tests/Suites/Counts/growthbook-evaluate.json").read_text())
    assert (counts["held"], counts["differing"], counts["leftOut"]) == (held, 0, left_out)
    assert counts["unmapped"] == sum(left_out.values())


def flat(value):
    """The numbers of nested lists, or the value itself: pytest compares no nested ones."""
    if not isinstance(value, list):
        return value
    return [number for element in value for number in (flat(element) if isinstance(element, list) else [element])]


def test_each_line_has_an_answer():
    answers = evaluate(
        {"category": "hash", "case": ["seed", "b", 2, 0]}, "no JSON", {"category": "other", "case": []}, {"case": []},
        {"category": "hash", "case": 1}, {"category": "hash", "case": [1, "b", 2]},
        {"category": "evalCondition", "case": ["n", {}, {}]}, {"category": "getEqualWeights", "case": [10**9]},
        {"category": "getBucketRange", "case": ["n", [2, None, None]]},
        {"category": "chooseVariation", "case": ["n", 0.5, [[0.7, 0.2], [0, 1]]]})
    assert answers == [
        {"result": 0.2696}, {"error": "this is not JSON, it begins with 'no' (byte 0)"}, {"error": "there is no category 'other'"},
        {"error": "'category' is not a text"}, {"error": "'case' is not a list"},
        {"error": "expected a text in column 1"}, {"result": True}, {"error": "expected an integer up to 10,000 in column 1"},
        {"result": [[0, 0.5], [0.5, 1]]}, {"result": 1}]
