"""The state of a setup as a program reads it."""
import json
from datetime import datetime

from documents import start
from driver import SCHEMA


def test_the_status_tells_what_runs_and_what_was_rejected(drive, file):
    file.publish(3, features={"f": {"enabled": True}}, oddity=1)
    driver = start(drive, file)
    status = driver.do("setupStatus")
    assert status["document"]["version"] == 3
    assert status["document"]["state"] == "fetched"
    assert [warning["place"] for warning in status["document"]["warnings"]] == ["oddity"]
    assert status["isHealthy"] is True
    assert status["process"]["processID"] == driver.process.pid
    datetime.fromisoformat(status["time"].replace("Z", "+00:00"))
    driver.do("override", feature="f", value=False)
    for _ in range(60):
        file.path.write_text(json.dumps({"$schema": SCHEMA, "configurationVersion": 4, "configurationBundle": 1}))
        assert driver.do("refresh")["outcome"] == "rejected"
    status = driver.do("setupStatus")
    assert [change["kind"] for change in status["changes"]][:1] == ["rejected"]
    assert status["changes"][0]["count"] == 60
    assert status["lastApplied"]["version"] == 3
    assert any(line["level"] == "problem" and "4" in line["text"] for line in status["lines"])
    assert [override["feature"] for override in status["overrides"]] == ["f"]
    driver.quit()
