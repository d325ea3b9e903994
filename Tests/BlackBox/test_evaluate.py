"""evaluate as an author of another SDK uses it: GrowthBook's cases by lines, and results beside the expected ones."""
import collections
import json
import random
import re
import subprocess

import pytest
from driver import PATIENCE, ROOT, SHARED, program

CASES = SHARED / "growthbook" / "cases.json"

# The column with the expected result.
EXPECTED = {
    "evalCondition": 3, "hash": 3, "getBucketRange": 2, "chooseVariation": 3, "inNamespace": 3, "getEqualWeights": 1,
}


def evaluate(*lines):
    text = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines)
    ended = subprocess.run([program("evaluate"), "evaluate"], input=text, capture_output=True, text=True, timeout=PATIENCE)
    assert ended.returncode == 0 and ended.stderr == ""
    return [json.loads(line) for line in ended.stdout.splitlines()]


@pytest.mark.skipif(not CASES.exists(), reason="GrowthBook's cases are not here")
@pytest.mark.parametrize("category", EXPECTED)
def test_results_are_those_of_growthbook(category):
    cases = json.loads(CASES.read_text())[category]
    answers = evaluate(*({"category": category, "case": case} for case in cases))
    assert len(answers) == len(cases) > 0
    for case, answer in zip(cases, answers):
        expected = case[EXPECTED[category]]
        assert flat(answer["result"]) == pytest.approx(flat(expected), abs=1e-8), case


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


@pytest.mark.skipif(not CASES.exists(), reason="GrowthBook's cases are not here")
@pytest.mark.parametrize("category", FEATURES)
def test_features_and_experiments_are_those_of_growthbook(category):
    expected, unsupported = FEATURES[category]
    cases = json.loads(CASES.read_text())[category]
    answers = evaluate(*({"category": category, "case": case} for case in cases))
    assert len(answers) == len(cases) > 0
    for case, answer in zip(cases, answers):
        reason = unsupported(case)
        assert answer == ({"error": reason} if reason else {"result": expected(case)}), case[0]


@pytest.mark.skipif(not CASES.exists(), reason="GrowthBook's cases are not here")
def test_the_documentation_has_the_counts():
    """The tests above let each case hold but those with a reason, and of these categories no case is taken."""
    cases = json.loads(CASES.read_text())
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


@pytest.mark.skipif(not CASES.exists(), reason="GrowthBook's cases are not here")
@pytest.mark.parametrize("category", EXPECTED)
def test_the_expected_column_is_not_read(category):
    cases = json.loads(CASES.read_text())[category]
    lines = [{"category": category, "case": case} for case in cases]
    before = evaluate(*lines)
    for line in lines:
        line["case"][EXPECTED[category]] = {"expected": "nothing"}
    assert evaluate(*lines) == before


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


def test_help_and_unknown_words():
    help = subprocess.run([program("evaluate"), "evaluate", "--help"], capture_output=True, text=True, timeout=PATIENCE)
    assert help.returncode == 0 and "evalCondition" in help.stdout
    wrong = subprocess.run([program("evaluate"), "evaluate", "x"], capture_output=True, text=True, timeout=PATIENCE)
    assert wrong.returncode == 64 and wrong.stderr == "demo-tracker: 'x' is not expected here\nusage: demo-tracker evaluate\n"


class Patterns:
    """Patterns that mean the same to JavaScript and Python, and texts."""
    ATOMS = ["a", "b", "B", "_", "1", "é", "-", "😀", ".", r"\d", r"\D", r"\w", r"\W", r"\s", r"\S", "[ab]", "[^a]", "[a-c1]",
             r"[^\d_]", r"[\w-]", r"\x61", r"\u00e9", r"\."]
    QUANTIFIERS = ["", "", "", "*", "+", "?", "*?", "+?", "??", "{2}", "{1,}", "{0,2}", "{1,2}?"]

    def __init__(self, seed):
        self.random = random.Random(seed)

    def pattern(self, depth):
        return "|".join(
            "".join(self.term(depth) for _ in range(self.random.randrange(4))) for _ in range(self.random.randint(1, 2)))

    def term(self, depth):
        if self.random.randrange(6) == 0:
            return self.random.choice(["^", "$", r"\b", r"\B"])
        if depth > 0 and self.random.randrange(3) == 0:
            # Python's engine backtracks, so loops stand in no more than one other.
            group = self.random.choice(["(", "(?:"]) + self.pattern(depth - 1) + ")"
            return group + self.random.choice(self.QUANTIFIERS if depth == 1 else ["", "?", "??"])
        return self.random.choice(self.ATOMS) + self.random.choice(self.QUANTIFIERS)

    def text(self):
        return "".join(self.random.choice("abcB_1- .😀") for _ in range(self.random.randint(1, 8)))


@pytest.mark.parametrize("operator, flags", [("$regex", re.ASCII), ("$regexi", re.ASCII | re.IGNORECASE)])
def test_patterns_are_found_as_another_engine_finds_them(operator, flags):
    source = Patterns(operator)
    cases, expected = [], []
    for _ in range(600):
        pattern = source.pattern(2)
        for _ in range(5):
            text = source.text()
            cases.append({"category": "evalCondition", "case": [pattern, {"a": {operator: pattern}}, {"a": text}]})
            expected.append(re.search(pattern, text, flags) is not None)
    answers = [answer.get("result") for answer in evaluate(*cases)]
    differences = [case["case"][1:] for case, answer, other in zip(cases, answers, expected) if answer is not other]
    assert differences == []
    # Neither all nor none is found.
    assert 0.2 < sum(expected) / len(expected) < 0.98
