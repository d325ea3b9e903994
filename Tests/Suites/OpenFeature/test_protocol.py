"""Every kind of answer, held against the protocol's OpenAPI description."""

import http.client
import json
import urllib.parse

import pytest
from conftest import SUITE
from driver import PATIENCE

if not SUITE.exists():
    pytest.skip("OpenFeature's suite is not beside the package, in ../shared/suites/openfeature", allow_module_level=True)

import yaml  # noqa: E402
from openapi_core import OpenAPI  # noqa: E402
from openapi_core.testing import MockRequest, MockResponse  # noqa: E402
from openapi_schema_validator import OAS31Validator  # noqa: E402

FLAGS = "/ofrep/v1/evaluate/flags"
ANYONE = {"targetingKey": "u-1"}
DOCUMENT = {
    "$schema": "http://iglucentral.com/schemas/com.snowplowanalytics.mobile/remote_config/jsonschema/1-0-1",
    "configurationVersion": 1, "configurationBundle": [],
    "features": {
        "on": {"enabled": True, "metadata": {"owner": "growth", "since": 2, "share": 0.5, "public": True}},
        "text": {"variables": {"value": {"value": "hi"}}}, "int": {"variables": {"value": {"value": 3}}},
        "float": {"variables": {"value": {"value": 0.5}}}, "object": {"variables": {"value": {"value": {"a": [1]}}}},
        "list": {"variables": {"value": {"value": [1]}}},
        "secret": {"variables": {"value": {"value": "cipher", "encrypted": True}}},
        "off": {"disabled": True, "enabled": True, "variables": {"value": {"value": 3}}, "metadata": {"why": "broken"}},
        "open": {"metadata": {"owner": "growth"}},
        "gated": {"enabled": True, "rules": [{"id": "gate", "prerequisites": [{"feature": "off", "gate": True}]}]},
        "matched": {"enabled": False, "rules": [{"id": "pro", "condition": {"plan": "pro"}, "enabled": True}]},
        "split": {"enabled": False, "rules": [{"id": "half", "coverage": 0.5, "enabled": True}]},
        "sticky": {"variables": {"value": {"value": "a"}}},
    },
    "experiments": [{"id": "e", "sticky": True, "variants": [{"name": "b", "values": {"sticky": {"value": "b"}}}]}],
}


@pytest.fixture(scope="module")
def description():
    """The description, with two mistakes of it mended: every value but an integer matches two of the types that an answer may
    have one of, as the type without `value` takes any, and an integer matches three."""
    description = yaml.safe_load((SUITE / "ofrep-openapi.yaml").read_text())
    schemas = description["components"]["schemas"]
    types = next(part for part in schemas["evaluationSuccess"]["allOf"] if "oneOf" in part)
    types["anyOf"] = types.pop("oneOf")
    schemas["codeDefaultFlag"]["not"] = {"required": ["value"]}
    return description


@pytest.fixture(scope="module")
def protocol(description):
    return OpenAPI.from_dict(description)


@pytest.fixture(scope="module")
def console(serve):
    return serve(DOCUMENT, "--allow-changes")


def send(console, method, path, body=None, **headers):
    """The status, the headers and the body of an answer."""
    connection = http.client.HTTPConnection(urllib.parse.urlsplit(console.url).netloc, timeout=PATIENCE)
    if body is not None and not isinstance(body, bytes):
        body = json.dumps(body)
    connection.request(method, path, body, {"Content-Type": "application/json", **headers})
    answer = connection.getresponse()
    return answer.status, answer.headers, answer.read()


def check(protocol, console, path, answer, body, **headers):
    status, received, content = answer
    request = MockRequest(
        console.url, "post", path.partition("?")[0], data=json.dumps(body).encode(), content_type="application/json",
        headers=headers)
    response = MockResponse(content, status, dict(received), received.get("Content-Type", ""))
    protocol.validate_response(request, response)


@pytest.mark.parametrize(("key", "context", "status", "expected"), [
    ("on", ANYONE, 200, {"value": True, "reason": "STATIC", "variant": "default",
                         "metadata": {"owner": "growth", "since": 2, "share": 0.5, "public": True}}),
    ("text", ANYONE, 200, {"value": "hi", "reason": "STATIC", "variant": "default"}),
    ("text.value", ANYONE, 200, {"value": "hi", "reason": "STATIC", "variant": "default"}),
    ("int", ANYONE, 200, {"value": 3, "reason": "STATIC", "variant": "default"}),
    ("float", ANYONE, 200, {"value": 0.5, "reason": "STATIC", "variant": "default"}),
    ("object", ANYONE, 200, {"value": {"a": [1]}, "reason": "STATIC", "variant": "default"}),
    ("off", ANYONE, 200, {"reason": "DISABLED", "variant": "default", "metadata": {"why": "broken"}}),
    ("open", ANYONE, 200, {"reason": "UNKNOWN", "variant": "default", "metadata": {"owner": "growth"}}),
    ("gated", ANYONE, 200, {"value": False, "reason": "DISABLED", "variant": "gate"}),
    ("matched", {**ANYONE, "plan": "pro"}, 200, {"value": True, "reason": "TARGETING_MATCH", "variant": "pro"}),
    ("matched", ANYONE, 200, {"value": False, "reason": "UNKNOWN", "variant": "default"}),
    ("split", {"targetingKey": "u-3"}, 200, {"value": True, "reason": "SPLIT", "variant": "half"}),
    # The second time it is what is stored.
    ("sticky?exposure=true", ANYONE, 200, {"value": "b", "reason": "SPLIT", "variant": "b"}),
    ("sticky", ANYONE, 200, {"value": "b", "reason": "SPLIT", "variant": "b"}),
    ("missing", ANYONE, 404, {"errorCode": "FLAG_NOT_FOUND"}), ("a/b", ANYONE, 404, {"errorCode": "FLAG_NOT_FOUND"}),
    ("list", ANYONE, 400, {"errorCode": "GENERAL"}), ("secret", ANYONE, 400, {"errorCode": "GENERAL"}),
    ("split", {}, 400, {"errorCode": "TARGETING_KEY_MISSING"}), ("on", [], 400, {"errorCode": "INVALID_CONTEXT"}),
    ("split", {"targetingKey": "u" * 2000}, 400, {"errorCode": "INVALID_CONTEXT"}),
])
def test_an_answer_about_one_flag_is_valid(protocol, console, key, context, status, expected):
    path = f"{FLAGS}/{key}"
    answer = send(console, "POST", path, {"context": context})
    assert answer[0] == status, answer
    found = json.loads(answer[2])
    assert found.pop("key") == key.partition("?")[0]
    if status != 200:
        assert found.pop("errorDetails")
    assert found == expected
    # A key with a slash is for the description a path that it does not have.
    check(protocol, console, path.replace("a/b", "a%2Fb"), answer, {"context": context})


def test_a_body_that_cannot_be_read_is_a_fault_of_the_protocol(protocol, console):
    for path in (FLAGS, f"{FLAGS}/on"):
        for body in (b"{", b"[]", b""):
            answer = send(console, "POST", path, body)
            assert (answer[0], json.loads(answer[2])["errorCode"]) == (400, "PARSE_ERROR")
            check(protocol, console, path, answer, {})


def test_all_flags_at_once_are_valid_and_get_304_until_one_changes(protocol, console):
    body = {"context": ANYONE}
    answer = send(console, "POST", FLAGS, body)
    check(protocol, console, FLAGS, answer, body)
    flags = {flag["key"]: flag for flag in json.loads(answer[2])["flags"]}
    assert flags["list"]["errorCode"] == "GENERAL" and "value" not in flags["off"] and "secret" not in flags
    for key, flag in flags.items():
        assert json.loads(send(console, "POST", f"{FLAGS}/{key}", body)[2]) == flag
    tag = answer[1]["ETag"]
    same = send(console, "POST", FLAGS, body, **{"If-None-Match": tag})
    assert (same[0], same[2]) == (304, b"")
    check(protocol, console, FLAGS, same, body, **{"If-None-Match": tag})
    assert send(console, "PUT", "/features/on/enabled", {"value": False, "by": "tests"})[0] == 200
    assert send(console, "POST", FLAGS, body, **{"If-None-Match": tag})[0] == 200
    assert send(console, "DELETE", "/features/on/enabled?by=tests")[0] == 200
    refused = send(console, "POST", f"{FLAGS}?exposure=true", body)
    assert refused[0] == 400 and "one flag at a time" in json.loads(refused[2])["errorDetails"]
    check(protocol, console, FLAGS, refused, body)


def test_a_client_may_use_each_scheme_and_is_refused_without_a_token(protocol, serve):
    console = serve(DOCUMENT, CONSOLE_TOKEN="secret")
    body = {"context": ANYONE}
    for headers, status in (
        ({}, 401), ({"X-API-Key": "wrong"}, 401), ({"Authorization": "Bearer wrong"}, 401), ({"X-API-Key": "secret"}, 200),
        ({"Authorization": "Bearer secret"}, 200),
    ):
        for path in (FLAGS, f"{FLAGS}/on"):
            answer = send(console, "POST", path, body, **headers)
            assert answer[0] == status
            check(protocol, console, path, answer, body, **headers)


def test_what_the_description_has_no_answer_for_is_refused_with_a_sentence(console):
    big = json.dumps({"context": {"x": "x" * (1 << 17)}}).encode()
    for answer, status in (
        (send(console, "POST", f"{FLAGS}/on", big), 413), (send(console, "GET", f"{FLAGS}/on"), 405),
        (send(console, "POST", f"{FLAGS}/on", b"{}", **{"Content-Type": "text/plain"}), 415),
    ):
        assert answer[0] == status
        if status != 413:
            assert json.loads(answer[2])["error"]


def read_event(response):
    """The next event of a stream. A comment, which comes after 15 s without an event, is none."""
    for _ in range(PATIENCE // 15):
        lines = [line.decode().rstrip("\n") for line in iter(response.readline, b"\n")]
        if lines != [":"]:
            return dict(line.split(": ", 1) for line in lines)
    raise AssertionError(f"no event came in {PATIENCE} s")


def test_a_client_that_follows_the_stream_is_told_to_ask_again(description, console):
    stream, = json.loads(send(console, "POST", FLAGS, {"context": ANYONE})[2])["eventStreams"]
    connection = http.client.HTTPConnection(urllib.parse.urlsplit(console.url).netloc, timeout=PATIENCE)
    connection.request("GET", stream["endpoint"]["requestUri"])
    response = connection.getresponse()
    assert (response.status, response.headers["Content-Type"]) == (200, "text/event-stream")
    first = read_event(response)
    assert send(console, "PUT", "/features/on/enabled", {"value": False, "by": "tests"})[0] == 200
    second = read_event(response)
    assert send(console, "DELETE", "/features/on/enabled?by=tests")[0] == 200
    assert first["id"] != second["id"]
    schema = OAS31Validator({**description, "$ref": "#/components/schemas/sseEventData"})
    for event in (first, second):
        schema.validate(json.loads(event["data"]))
        assert json.loads(event["data"]) == {"type": "refetchEvaluation"}
    connection.close()
