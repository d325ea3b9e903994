"""Prometheus, from Debian's package, scrapes two services, one of which cannot deliver; its alert fires."""
import json
import pathlib
import re
import shutil
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request

import pytest
from samples import orders_document
from services import OrdersService, Program, free_port

EXAMPLE = pathlib.Path(__file__).resolve().parents[2] / "Examples" / "Monitoring"
PATIENCE = 90
# Nothing listens there.
NOWHERE = "http://127.0.0.1:9"


def wait_for(what, look):
    """The first result of `look` that is true."""
    end = time.monotonic() + PATIENCE
    while not (found := look()):
        assert time.monotonic() < end, f"never came: {what}"
        time.sleep(0.2)
    return found


def promtool(*words, text=None):
    done = subprocess.run(
        ["promtool", *map(str, words)], input=text, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.returncode, done.stdout


class Prometheus:
    """A server that scrapes services every second, and whose alerts need not last."""

    def __init__(self, directory, services):
        (directory / "token").write_text(OrdersService.token)
        rules = re.sub(r"for: \d+m", "for: 1s", (EXAMPLE / "alerts.yml").read_text())
        assert "for: 1s" in rules
        (directory / "alerts.yml").write_text(rules)
        config = (EXAMPLE / "prometheus.yml").read_text().replace("15s", "1s").replace("console-token", "token")
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
            with urllib.request.urlopen(f"{self.url}{path}?{urllib.parse.urlencode(query)}", timeout=10) as answer:
                return json.load(answer)["data"]
        except urllib.error.URLError:
            return None  # It has not begun to listen, or to answer.

    def query(self, text):
        """The values of a query by instance."""
        data = self.get("/api/v1/query", query=text)
        return {each["metric"]["instance"]: float(each["value"][1]) for each in (data or {"result": []})["result"]}

    def firing(self, name):
        """The instances for which an alert fires."""
        alerts = (self.get("/api/v1/alerts") or {"alerts": []})["alerts"]
        return {alert["labels"]["instance"] for alert in alerts
                if alert["labels"]["alertname"] == name and alert["state"] == "firing"}


@pytest.fixture(scope="module")
def services(tmp_path_factory):
    """One service that delivers, and one whose collector does not answer."""
    documents = [orders_document, lambda number, collector: orders_document(number, NOWHERE)]
    services = []
    try:
        for index, document in enumerate(documents):
            services.append(OrdersService(tmp_path_factory.mktemp(f"orders-{index}"), document))
            services[-1].visitor.get("shipping")
        yield services
    finally:
        for service in services:
            service.end()


@pytest.fixture
def prometheus(services, tmp_path):
    server = Prometheus(tmp_path, services)
    yield server
    server.program.end()


def scrape(service, accept):
    request = urllib.request.Request(
        f"{service.url}metrics", headers={"Authorization": f"Bearer {service.token}", "Accept": accept})
    with urllib.request.urlopen(request, timeout=10) as answer:
        return answer.headers["Content-Type"], answer.read().decode()


def test_metrics_keep_to_the_conventions(services):
    for service in services:
        type, text = scrape(service, "text/plain")
        assert type == "text/plain; version=0.0.4; charset=utf-8"
        # It lints too: what it finds, it prints.
        assert promtool("check", "metrics", text=text) == (0, "")
        assert service.token not in text


def test_both_formats_have_the_same_series(services):
    def series(text):
        return {line.rsplit(" ", 1)[0] for line in text.splitlines() if not line.startswith("#")}

    type, text = scrape(services[0], "application/openmetrics-text")
    assert type == "application/openmetrics-text; version=1.0.0; charset=utf-8"
    assert text.endswith("\n# EOF\n")
    assert series(text) == series(scrape(services[0], "*/*")[1])


def test_rules_are_valid_and_fire_when_they_should(tmp_path):
    status, said = promtool("check", "rules", EXAMPLE / "alerts.yml")
    assert status == 0, said
    shutil.copy(EXAMPLE / "prometheus.yml", tmp_path)
    shutil.copy(EXAMPLE / "alerts.yml", tmp_path)
    (tmp_path / "console-token").write_text("token")
    status, said = promtool("check", "config", tmp_path / "prometheus.yml")
    assert status == 0, said
    status, said = promtool("test", "rules", pathlib.Path(__file__).with_name("alerts_test.yml"))
    assert status == 0, said


def test_an_alert_fires_for_the_service_that_cannot_deliver(services, prometheus):
    well, failing = (f"127.0.0.1:{service.client.port}" for service in services)
    wait_for("both are scraped", lambda: prometheus.query("up") == {well: 1, failing: 1})
    wait_for("the alert", lambda: prometheus.firing("TrackerFailing") == {failing})
    wait_for("what was sent", lambda: prometheus.query(
        'trackerconfig_events_total{outcome="sent"}').get(well, 0) > 0)
    assert prometheus.query("trackerconfig_tracker_failing") == {well: 0, failing: 1}
    assert prometheus.query('trackerconfig_events_total{outcome="sent"}')[failing] == 0
    assert prometheus.query("trackerconfig_events_waiting")[failing] > 0
    assert prometheus.query("trackerconfig_document_version") == {well: 2, failing: 2}
    assert prometheus.query("trackerconfig_document_stale") == {well: 0, failing: 0}
    assert prometheus.query('trackerconfig_propagation_seconds_bucket{le="60.0"}') == {well: 0, failing: 0}
    assert prometheus.query('trackerconfig_process_info{service="orders"}') == {well: 1, failing: 1}
    durations = wait_for("durations", lambda: prometheus.query(
        "histogram_quantile(0.99, trackerconfig_request_duration_seconds_bucket)"))
    assert 0 < durations[well] <= 60
    assert prometheus.firing("NoDocument") == prometheus.firing("DifferentVersionsInFleet") == set()


def test_health_passes_unless_the_probe_is_strict(services):
    well, failing = services
    wait_for("the failure", lambda: failing.client.ask("GET", "health")[1]["lines"][0]["level"] == "problem")
    assert failing.client.ask("GET", "health")[0] == 200
    status, health = failing.client.ask("GET", "health?strict")
    assert (status, health["status"]) == (503, "fail")
    assert well.client.ask("GET", "health?strict")[0] == 200


def test_flags_are_evaluated_remotely(services):
    client = services[0].client
    status, flag = client.ask("POST", "ofrep/v1/evaluate/flags/shipping.price", {"context": {"targetingKey": "u-1"}})
    assert (status, flag["value"], flag["reason"]) == (200, 4.9, "STATIC")
    status, flags = client.ask("POST", "ofrep/v1/evaluate/flags", {"context": {"targetingKey": "u-2"}})
    assert status == 200
    days = {flag["key"]: flag for flag in flags["flags"]}["shipping.days"]
    # As GET /shipping has it for this user.
    assert (days["value"], days["variant"], days["reason"]) == (1, "fast", "SPLIT")
    assert client.ask("POST", "ofrep/v1/evaluate/flags/none", {})[1]["errorCode"] == "FLAG_NOT_FOUND"


def test_the_dashboard_asks_only_for_metrics_that_there_are(services):
    described = set(re.findall(r"^# TYPE (\w+)", "".join(scrape(each, "text/plain")[1] for each in services), re.M))
    # Those that a service has only with a rollout, and with a stream.
    described |= {"trackerconfig_rollout_ratio", "trackerconfig_rollout_included", "trackerconfig_rollout_failure_ratio"}
    described |= {"trackerconfig_stream_connected", "trackerconfig_signals_total"}
    for name in ("grafana-dashboard.json", "alerts.yml"):
        text = (EXAMPLE / name).read_text()
        json.loads(text) if name.endswith(".json") else None
        asked = {re.sub(r"_bucket$", "", metric) for metric in re.findall(r"\btrackerconfig_[a-z_]+", text)}
        # Without samples a metric is not described, and these visitors are in no experiment.
        asked -= {"trackerconfig_document_last_change_timestamp_seconds", "trackerconfig_feature_evaluations_total"}
        assert asked <= described, asked - described
