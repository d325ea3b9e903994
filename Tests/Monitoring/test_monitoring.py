"""Prometheus, from Debian's package, scrapes two services, one of which cannot deliver; its alert fires."""
import json
import re
import subprocess
import urllib.request
import xml.etree.ElementTree

import pytest
from driver import PATIENCE
from prometheus import EXAMPLE, Prometheus, promtool, wait_for
from samples import orders_document
from services import OrdersService

# Nothing listens there.
NOWHERE = "http://127.0.0.1:9"


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


@pytest.fixture(scope="module")
def prometheus(services, tmp_path_factory):
    server = Prometheus(tmp_path_factory.mktemp("prometheus"), services)
    yield server
    server.program.end()


def scrape(service):
    with urllib.request.urlopen(f"http://127.0.0.1:{service.client.port}/metrics", timeout=PATIENCE) as answer:
        return answer.headers["Content-Type"], answer.read().decode()


def test_metrics_keep_to_the_conventions(services):
    for service in services:
        type, text = scrape(service)
        assert type == "text/plain; version=0.0.4; charset=utf-8"
        # It lints too: what it finds, it prints.
        assert promtool("check", "metrics", text=text) == (0, "")


def test_an_alert_fires_for_the_service_that_cannot_deliver(services, prometheus):
    well, failing = (f"127.0.0.1:{service.client.port}" for service in services)

    def wait_for_query(text, is_so):
        wait_for(lambda: f"{text} is as expected: {prometheus.query(text)}", lambda: is_so(prometheus.query(text)))

    wait_for_query("up", lambda found: found == {well: 1, failing: 1})
    # Of two instances one fails.
    expected = {("orders", "orders: orders does not deliver its events (instances: 1)")}
    wait_for("the alert fires", lambda: prometheus.firing("TrackerFailing") == expected)
    for text, expected in (
            ("trackerconfig_tracker_failing", {well: 0, failing: 1}),
            ("trackerconfig_event_store_capacity_bytes", {well: 512 << 20, failing: 512 << 20}),
            ("trackerconfig_event_store_capacity_events", {well: 100_000, failing: 100_000}),
            ("trackerconfig_document_version", {well: 2, failing: 2}), ("trackerconfig_document_stale", {well: 0, failing: 0}),
            ('trackerconfig_process_info{service="orders"}', {well: 1, failing: 1})):
        wait_for_query(text, lambda found: found == expected)
    for text, instance in (
            ("trackerconfig_events_sent_total", well), ('trackerconfig_requests_total{code="200"}', well),
            ('histogram_quantile(0.99, trackerconfig_request_duration_seconds_bucket{outcome="success"})', well),
            ("trackerconfig_event_store_used_bytes", failing), ("trackerconfig_events_waiting", failing),
            ('trackerconfig_request_duration_seconds_count{outcome="failure"}', failing)):
        wait_for_query(text, lambda found: found.get(instance, 0) > 0)
    assert prometheus.query("trackerconfig_events_sent_total")[failing] == 0
    assert set(prometheus.query('trackerconfig_requests_total{code="failed"}')) == {failing}
    assert prometheus.firing("NoDocument") == prometheus.firing("DifferentVersionsInFleet") == set()


def test_health_passes_unless_the_probe_is_strict(services):
    well, failing = services
    wait_for("the failure is told", lambda: failing.client.ask("GET", "health")[1]["lines"][0]["level"] == "problem")
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
    described = set(re.findall(r"^# TYPE (\w+)", "".join(scrape(each)[1] for each in services), re.M))
    # Those that a service has only with a rollout, and with a stream.
    described |= {"trackerconfig_rollout_ratio", "trackerconfig_rollout_included", "trackerconfig_rollout_failure_ratio"}
    described |= {"trackerconfig_stream_connected", "trackerconfig_stream_reconnects_total"}
    for name in ("grafana-dashboard.json", "alerts.yml"):
        text = (EXAMPLE / name).read_text()
        json.loads(text) if name.endswith(".json") else None
        asked = {re.sub(r"_bucket$", "", metric) for metric in re.findall(r"\btrackerconfig_[a-z_]+", text)}
        # Without samples a metric is not described, and these visitors are in no experiment.
        asked -= {"trackerconfig_document_last_change_timestamp_seconds", "trackerconfig_feature_evaluations_total"}
        assert asked <= described, asked - described


# What these two services do not have: lost events, a source that does not answer, a reverted version, and code that evaluates a
# feature with rules.
NEVER = {"Events dropped", "Outage of the source", "Document reverted", "Evaluations"}


def dashboard_queries():
    """The title and the expression of each query of the dashboard, with Grafana's variables replaced."""
    dashboard = json.loads((EXAMPLE / "grafana-dashboard.json").read_text())
    found = [(panel["title"], target["expr"]) for panel in dashboard["panels"] for target in panel["targets"]]
    found += [(each["name"], each["expr"]) for each in dashboard["annotations"]["list"]]
    for variable in dashboard["templating"]["list"]:
        if variable["type"] == "query":
            found.append((variable["label"], re.fullmatch(r"label_values\((.*), \w+\)", variable["definition"])[1]))
    for title, text in found:
        for name, value in (("$job", ".+"), ("$instance", ".+"), ("$__rate_interval", "30s")):
            text = text.replace(name, value)
        assert "$" not in text, text
        yield title, text


def test_each_query_of_the_dashboard_has_data(services, prometheus):
    well, failing = services
    # Before the document changes.
    wait_for("both are scraped", lambda: len(prometheus.query("trackerconfig_healthy")) == 2)
    # A canary that is under way.
    well.publish(**orders_document(3, well.collector), rollout={"percent": 100, "bakeSeconds": 600})
    assert well.client.ask("POST", "refresh")[0] == 200
    asked = list(dashboard_queries())
    assert len(asked) > 30
    empty = dict.fromkeys(asked)

    def look():
        for service in services:
            service.visitor.get("shipping")
        for title, text in list(empty):
            # A query that is no valid one is answered with 400, which get() takes for no answer.
            if (prometheus.get("/api/v1/query", query=text) or {"result": []})["result"]:
                del empty[title, text]
        return {title for title, _ in empty} <= NEVER

    wait_for(lambda: f"there are data of {[query for query in empty if query[0] not in NEVER]}", look)
    for title, text in empty:
        assert prometheus.get("/api/v1/query", query=text) is not None, f"{title} is no query: {text}"


def test_the_dashboard_can_be_drawn(services, prometheus):
    wait_for("both are scraped", lambda: len(prometheus.query("trackerconfig_healthy")) == 2)
    done = subprocess.run(
        [EXAMPLE / "draw.py", prometheus.url, "60"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert done.returncode == 0, done.stdout
    texts = {text.text for text in xml.etree.ElementTree.fromstring(done.stdout).iter("{http://www.w3.org/2000/svg}text")}
    panels = json.loads((EXAMPLE / "grafana-dashboard.json").read_text())["panels"]
    assert {panel["title"] for panel in panels} <= texts
    # The instances are in the table.
    assert {f"127.0.0.1:{service.client.port}" for service in services} <= texts
