"""Debian's Prometheus and its tool."""
import json
import pathlib
import re
import subprocess
import urllib.error
import urllib.parse
import urllib.request

from driver import PATIENCE, Program, wait_until
from services import free_port

EXAMPLE = pathlib.Path(__file__).resolve().parents[2] / "Examples" / "Monitoring"


def wait_for(what, look):
    """The first result of `look` that is true; Prometheus has something new each second."""
    return wait_until(what, look, pause=0.1)


def promtool(*words, text=None):
    done = subprocess.run(
        ["promtool", *map(str, words)], input=text, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.returncode, done.stdout


class Prometheus:
    """A server that scrapes services every second, and whose alerts need not last."""

    def __init__(self, directory, services):
        # The route outside of the console needs none.
        (directory / "token").write_text("none")
        rules = re.sub(r"for: \d+m", "for: 1s", (EXAMPLE / "alerts.yml").read_text())
        assert "for: 1s" in rules
        (directory / "alerts.yml").write_text(rules)
        config = (EXAMPLE / "prometheus.yml").read_text().replace("15s", "1s").replace("console-token", "token").replace("/console/metrics", "/metrics")
        targets = json.dumps([f"127.0.0.1:{service.client.port}" for service in services])
        config, count = re.subn(r"targets: \[.*\]", f"targets: {targets}", config)
        assert count == 1
        (directory / "prometheus.yml").write_text(config)
        port = free_port()
        self.url = f"http://127.0.0.1:{port}"
        self.program = Program(
            "prometheus", f"--config.file={directory / 'prometheus.yml'}", f"--storage.tsdb.path={directory / 'data'}",
            f"--web.listen-address=127.0.0.1:{port}", "--log.level=warn")

    def get(self, path, **query):
        assert self.program.process.poll() is None, self.program.lines
        try:
            with urllib.request.urlopen(f"{self.url}{path}?{urllib.parse.urlencode(query)}", timeout=PATIENCE) as answer:
                return json.load(answer)["data"]
        except urllib.error.URLError:
            return None  # It has not begun to listen, or to answer.

    def query(self, text):
        """The values of a query by instance."""
        data = self.get("/api/v1/query", query=text)
        return {each["metric"]["instance"]: float(each["value"][1]) for each in (data or {"result": []})["result"]}

    def firing(self, name):
        """The alerts of a name that fire: the namespace, if the alert is of one, and the summary."""
        alerts = (self.get("/api/v1/alerts") or {"alerts": []})["alerts"]
        return {(alert["labels"].get("namespace"), alert["annotations"]["summary"]) for alert in alerts
                if alert["labels"]["alertname"] == name and alert["state"] == "firing"}
