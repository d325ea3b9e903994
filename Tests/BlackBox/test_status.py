"""The state of a setup as a program reads it."""
from datetime import datetime

from documents import start


def test_the_status_tells_what_runs_and_what_was_rejected(drive, file):
    file.publish(3, features={"f": {"enabled": True}}, oddity=1)
    driver = start(drive, file.url)
    status = driver.do("setupStatus")
    assert status["document"]["version"] == 3
    assert status["document"]["state"] == "fetched"
    assert [warning["place"] for warning in status["document"]["warnings"]] == ["oddity"]
    assert status["isHealthy"] is True
    assert status["process"]["processID"] == driver.process.pid
    datetime.fromisoformat(status["time"].replace("Z", "+00:00"))
    driver.do("override", feature="f", value=False)
    file.publish(4, configurationBundle=1)
    for _ in range(3):
        assert driver.do("refresh")["outcome"] == "rejected"
    status = driver.do("setupStatus")
    assert status["changes"][0]["kind"] == "rejected"
    assert status["changes"][0]["count"] == 3
    assert [change["version"] for change in status["changes"] if change["kind"] == "applied"][0] == 3
    assert any(line["level"] == "problem" and "4" in line["text"] for line in status["lines"])
    assert [override["feature"] for override in status["overrides"]] == ["f"]
    driver.quit()
