"""Serves documents with `tracker-config console`, as a user would, and counts what of OpenFeature's suite holds."""

import json
import pathlib
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
SUITE = ROOT.parent / "shared" / "suites" / "openfeature"
sys.path.append(str(ROOT / "Tests/BlackBox"))

from driver import TOOL, Program  # noqa: E402


class Console(Program):
    """A console with a document, until it is ended."""

    def __init__(self, path, document, *options, **environment):
        path.write_text(json.dumps(document))
        super().__init__(TOOL, "console", path, *options, **environment)
        try:
            self.url = self.wait_for(r"the console is at (http://[^/\s]+)")[1]
            self.wait_for("fetched: ")
        except BaseException:
            self.end()
            raise


@pytest.fixture(scope="module")
def serve(tmp_path_factory):
    """Starts consoles, and ends them."""
    consoles = []

    def start(document, *options, **environment):
        path = tmp_path_factory.mktemp("console") / "document.json"
        consoles.append(Console(path, document, *options, **environment))
        return consoles[-1]

    yield start
    for console in consoles:
        console.end()


def pytest_bdd_before_scenario(request, feature, scenario):
    """Leaves scenarios out."""
    module = request.module
    for name, part, reason in module.UNMAPPED:
        if feature.name == module.UNMAPPED_FEATURE or name == scenario.name and part in request.node.name:
            pytest.skip(reason)


def pytest_bdd_before_step_call(request, scenario, step):
    """Marks the steps that differ: one that holds, or an earlier one that does not, is a failure."""
    for name, part, differing, reason in request.module.DIFFERING:
        if (name, differing) == (scenario.name, step.name) and part in request.node.name:
            request.applymarker(pytest.mark.xfail(reason=reason, strict=True))


# The scenarios that hold, and of the others how many differ or are left out for which reason.
COUNTS = {"held": 0, "differences": {}, "leftOut": {}}


def pytest_runtest_logreport(report):
    if report.when != "call" or "test_gherkin" not in report.nodeid or "test_the_counts" in report.nodeid:
        return
    if hasattr(report, "wasxfail"):
        count("differences", report.wasxfail.removeprefix("reason: "))
    elif report.skipped:
        count("leftOut", report.longrepr[2].removeprefix("Skipped: "))
    elif report.passed:
        COUNTS["held"] += 1


def count(kind, reason):
    COUNTS[kind][reason] = COUNTS[kind].get(reason, 0) + 1


def pytest_terminal_summary(terminalreporter):
    """Prints the counts of the scenarios, and each one that differs."""
    if not COUNTS["held"]:
        return
    terminalreporter.section("OpenFeature's scenarios")
    for report in terminalreporter.stats.get("xfailed", []):
        terminalreporter.line(f"differs: {report.nodeid.split('::')[1]}: {report.wasxfail.removeprefix('reason: ')}")
    for reason, number in COUNTS["leftOut"].items():
        terminalreporter.line(f"unmapped: {number}: {reason}")
    differing, unmapped = (sum(COUNTS[kind].values()) for kind in ("differences", "leftOut"))
    terminalreporter.line(f"{COUNTS['held']} held, {differing} differing, {unmapped} unmapped")
