"""The alert rules: each fires when it should, is tested, and leads to its section of the runbook."""
import pathlib
import re
import shutil

import pytest
from prometheus import EXAMPLE, promtool

TESTS = pathlib.Path(__file__).with_name("alerts_test.yml")
RUNBOOK = pathlib.Path(__file__).resolve().parents[2] / "Sources/TrackerConfig/TrackerConfig.docc/Runbook.md"
# The text of each rule, by its name.
RULES = dict(re.findall(r"^      - alert: (\w+)\n(.*?)(?=^      - alert: |\Z)", (EXAMPLE / "alerts.yml").read_text(), re.M | re.S))


def test_rules_are_valid_and_fire_when_they_should(tmp_path):
    status, said = promtool("check", "rules", EXAMPLE / "alerts.yml")
    assert status == 0, said
    shutil.copy(EXAMPLE / "prometheus.yml", tmp_path)
    shutil.copy(EXAMPLE / "alerts.yml", tmp_path)
    (tmp_path / "console-token").write_text("token")
    status, said = promtool("check", "config", tmp_path / "prometheus.yml")
    assert status == 0, said
    status, said = promtool("test", "rules", TESTS)
    assert status == 0, said


def test_no_rule_is_missed():
    assert len(RULES) == (EXAMPLE / "alerts.yml").read_text().count("alert:") > 20


@pytest.mark.parametrize("name", RULES)
def test_each_alert_is_tested_when_it_fires_and_when_it_does_not(name):
    text = TESTS.read_text()
    assert re.search(rf"eval_time: \w+, alertname: {name}, exp_alerts: \[\]", text), "when it must not fire"
    fires = rf"alertname: {name}\n +exp_alerts:\n +- exp_labels: .*\n +exp_annotations:\n +summary: .*\n +description: .*\n +runbook_url: "
    assert re.search(fires, text), "when it must fire, with all of its annotations"


@pytest.mark.parametrize("name", RULES)
def test_each_alert_is_one_for_a_job_and_leads_to_its_section(name):
    rule = RULES[name]
    assert re.search(r"severity: (page|ticket)$", rule, re.M)
    by = re.search(r"by \((job|job, namespace|job, namespace, reason)\)", rule)
    # The bounds of a histogram go into its quantile.
    assert by or "by (job, le)" in rule
    assert "$labels.instance" not in rule
    [anchor] = re.findall(r"^          runbook_url: https://docs\.example\.com/documentation/trackerconfig/runbook#(\S+)$", rule, re.M)
    assert anchor == name
    # docc's anchor of a heading of one word is the word.
    section = re.search(rf"^#### {anchor}\n\n(.*?)(?=^#)", RUNBOOK.read_text(), re.M | re.S)
    assert section, f"Runbook.md has no section {anchor}"
    assert re.findall(r"^- \*\*(.*?):\*\*", section[1], re.M) == ["Meaning", "Look at", "Do"]


def test_the_runbook_has_no_section_of_an_alert_that_is_gone():
    alerts = re.search(r"^### Alerts\n(.*?)(?=^### )", RUNBOOK.read_text(), re.M | re.S)[1]
    assert re.findall(r"^#### (\w+)$", alerts, re.M) == list(RULES)
