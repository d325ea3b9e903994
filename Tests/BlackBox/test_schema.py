"""The document's schema and the SDK agree on what a good document is, judged by a JSON Schema implementation."""
import functools
import json
import re

import jsonschema
from driver import ROOT, SCHEMA, replace, wait_until

DOCUMENT = ROOT / "Schemas" / "io.tracker-config" / "document" / "jsonschema" / "1-2-0"


def validator():
    schema = json.loads(DOCUMENT.read_text())
    schema.pop("$schema")
    return jsonschema.Draft4Validator(schema)


def value(rule):
    """A good value of a property's rule."""
    if "properties" in rule:
        return {name: value(part) for name, part in rule["properties"].items()}
    if "enum" in rule:
        return rule["enum"][0]
    kind = rule["type"] if isinstance(rule["type"], str) else rule["type"][0]
    return {"string": "get", "boolean": True, "integer": 5000, "number": 0.5, "object": {"503": False}}[kind]


def sections():
    bundle = json.loads(DOCUMENT.read_text())["properties"]["configurationBundle"]["items"]["properties"]
    return {name: rule["properties"] for name, rule in bundle.items() if name != "namespace"}


def full():
    """A document with every field."""
    bundle = {"namespace": "a"}
    for name, fields in sections().items():
        bundle[name] = {key: value(rule) for key, rule in fields.items() if key != "base64Encoding"}
    bundle["networkConfiguration"]["endpoint"] = "http://127.0.0.1:9"
    bundle["trackerConfiguration"]["sampling"]["by"] = "user"
    return {"$schema": SCHEMA, "configurationVersion": 3, "configurationBundle": [bundle], "meta": {"a": [1, None]},
            **extensions()}


def extensions():
    """The document's own extensions, with every field."""
    variable = {"value": 3, "title": "t", "description": "d", "group": "g", "encrypted": False, "generatedName": "n"}
    variant = {"name": "a", "weight": 70, "values": {"f": {"v": 5}}, "enabled": {"f": True}, "passthrough": False}
    targeting = {"condition": {"plan": "pro"}, "namespace": ["n", 0, 0.5],
                 "prerequisites": [{"feature": "f", "condition": {"enabled": True}, "gate": False}],
                 "filters": [{"unit": "userId", "seed": "s", "hashVersion": 2, "ranges": [[0, 0.5]]}]}
    schedule = {"start": "2020-01-01T00:00:00+01:00", "end": "2099-01-01T00:00:00.5Z"}
    targeting |= schedule
    experiment = {"id": "x", "unit": "userId", "seed": "s", "hashVersion": 2, "coverage": 1, "sticky": True,
                  "countries": ["US"], "languages": ["en"], **targeting, "enabled": True, "ranges": [[0, 0.5], [0.5, 1]],
                  "fallbackUnit": "deviceId", "bucketVersion": 2, "minBucketVersion": 1,
                  "force": "a", "variants": [variant, {"name": "b", "weight": 30}]}
    rule = {"id": "r", **targeting, "unit": "userId", "seed": "s", "hashVersion": 2, "coverage": 0.5, "range": [0, 0.5],
            "enabled": True, "values": {"v": 1}, "experiment": "x"}
    feature = {"enabled": True, "variables": {"v": variable}, "rules": [rule], "disabled": False,
               "metadata": {"owner": "growth", "since": 2, "public": True}}
    return {"requires": ["rules", "schedules", "disabled"], "segments": {"s": ["u", 1, True]},
            "features": {"f": feature}, "experiments": [experiment],
            "rollout": {"percent": 100, "seed": "s", "bakeSeconds": 600, "maxFailureRate": 0.2}}


def places(value, path=()):
    """The path of every value within a value."""
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in children:
        yield (*path, key)
        yield from places(child, (*path, key))


def changed(path, change):
    """A document with every field, in which `change` was done to what holds the path's last key, and to that key."""
    document = full()
    holder = document
    for key in path[:-1]:
        holder = holder[key]
    change(holder, path[-1])
    return document


# What makes a rule or an experiment unusable beside a wrong type.
FAIL_CLOSED = {
    "hashVersion": [3, 0, 2.0, "2"], "coverage": [1.01, 50, "0.5"], "range": [[0], [0, 2], [0.5, 0.1], [0, 1, 1]],
    "namespace": [["n", 0], ["n", 0, 2], ["n", 0, 1, 1], [1, 0, 1]], "filters": [[{}], [{"seed": "s", "ranges": [[0, 2]]}], [1]],
    "prerequisites": [{"feature": "f"}, {"feature": "other"}, [{"feature": "f", "x": 1}], [{}]], "condition": [{}],
    "start": ["2020-01-01", "2020-01-01T00:00:00", "soon", 0], "end": ["2099-01-01T00:00:00+0100", "", ["x"]],
}


def closed_part(place):
    """The key of a rule, an experiment or a variant that a place is in, if that fails closed, or metadata, which is left out."""
    rules = (r"features\.f\.metadata", r"features\.f\.rules\[\d+\](?:\.\w+)?",
             r"experiments\[\d+\]\.variants\[\d+\]\.(?!name|weight|values)\w+", r"experiments\[\d+\]\.(?!id|variants)\w+")
    return next((match[0] for match in (re.match(rule, place) for rule in rules) if match), None)


def warned_parts(driver, version):
    """The parts about which the update to a version has a warning; its line may follow the answer."""
    def update():
        return next((line for line in driver.lines[::-1] if line["type"] == "update" and line["version"] == version), None)
    found = wait_until(lambda: f"version {version} is told of: {driver.lines[-3:]}", update)
    return {closed_part(warning) for warning in found["warnings"]}


def place(error):
    """The place of a fault that the schema has found."""
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in error.absolute_path).lstrip(".")


KINDS = [1, "x", [], {}, True]
NUMBERS = [1.5, -1, 0, -0.5, 101, 10 ** 30, -10 ** 30, 1e300]
# What is nested in them is like its neighbours.
NESTED = {"segments", "requires", "rules", "condition", "prerequisites", "filters", "namespace", "ranges"}


def wrong_values(path, value, number):
    """Null and a value of another type, another one for each neighbour; of what has bounds, values near or beyond them."""
    others = [kind for kind in KINDS if type(kind) is not type(value)]
    yield from (None, others[number % len(others)])
    has_bounds = path[0] in extensions() and not NESTED & set(path)
    if type(value) in (int, float):
        yield from (NUMBERS[number % len(NUMBERS)], NUMBERS[(number + 3) % len(NUMBERS)]) if has_bounds else (1.5,)
    if type(value) is str and has_bounds:
        yield ""


def replaced(path, wrong):
    return changed(path, lambda holder, key: holder.__setitem__(key, wrong))


def corpus():
    """Documents that are good or bad, each with a name."""
    yield "full", full()
    bundle = ("configurationBundle", 0)
    fields = [path for path in places(full()) if path[0] in extensions() or path[:2] == bundle and len(path) <= 4 or len(path) == 1]
    for number, path in enumerate(fields):
        name = ".".join(map(str, path))
        value = full()
        for key in path:
            value = value[key]
        # Of a tracker, no other field is required.
        if path[:2] != bundle or path[2:] in [("namespace",), ("networkConfiguration",)]:
            yield f"without {name}", changed(path, lambda holder, key: holder.pop(key))
        for wrong in wrong_values(path, value, number):
            yield f"{name}={wrong!r}", replaced(path, wrong)
    for wrong in (True, "x"):
        # The other spelling of base64encoding.
        document = full()
        del document["configurationBundle"][0]["trackerConfiguration"]["base64encoding"]
        document["configurationBundle"][0]["trackerConfiguration"]["base64Encoding"] = wrong
        yield f"base64Encoding={wrong!r}", document
    tracker = (*bundle, "trackerConfiguration", "sampling")
    for sampling in ({"rate": 1.5}, {"rate": None}, {"by": "user"}, {"rate": 0.5, "by": "device"}, {"rate": 0.5, "by": None},
                     {"rate": 0.5, "x": 1}):
        yield f"sampling={sampling!r}", replaced(tracker, sampling)
    for schema in ("iglu:com.snowplowanalytics.mobile/remote_config/jsonschema/1-1-0", SCHEMA.replace("1-0-1", "2-0-0"),
                   SCHEMA.replace("1-0-1", "1-0"), SCHEMA + "#", "", SCHEMA.replace("mobile", "web")):
        yield f"schema {schema}", {**full(), "$schema": schema}
    for holder in (("features", "f", "rules", 0), ("experiments", 0), ("experiments", 0, "variants", 0)):
        for wrong in (1, None):
            yield f"{holder} with an unknown key {wrong!r}", replaced((*holder, "if"), wrong)
    for holder in (("features", "f", "rules", 0), ("experiments", 0)):
        for key, values in FAIL_CLOSED.items():
            for wrong in values:
                yield f"{holder} {key}={wrong!r}", replaced((*holder, key), wrong)
    for wrong in ("x", 1, True, [], {}, None):
        for encrypted in (True, False, None):
            new = {"value": wrong, "encrypted": encrypted}
            yield f"variable {new}", replaced(("features", "f", "variables", "v"), new)
    absent = object()
    for first in (absent, None, 0, 0.0, 1, 1e-9, -1):
        for second in (absent, None, 0, 2):
            variants = [{"name": name, **({} if weight is absent else {"weight": weight})}
                        for name, weight in (("a", first), ("b", second))]
            yield f"variants {variants}", replaced(("experiments", 0, "variants"), variants)
    # After the highest version no other is applied.
    for version in (-1, 0, 9007199254740991, 9007199254740992, 10 ** 30):
        yield f"version {version}", {**full(), "configurationVersion": version}


@functools.cache
def judged():
    """The corpus, each document with the faults that the schema finds."""
    check = validator()
    return [(name, document, list(check.iter_errors(document))) for name, document in corpus()]


def test_services_of_the_release_before_rules_can_read_documents_with_rules():
    """That release ignores unknown keys, so nothing that it knows may have become something else."""
    schema = json.loads((ROOT / "Tests" / "BlackBox" / "releases" / "document-before-rules.json").read_text())
    schema.pop("$schema")
    before = jsonschema.Draft4Validator(schema)
    document = full()
    assert list(before.iter_errors(document)) == []
    # It judges the parts that it shares with this release.
    for name in ("features", "experiments", "rollout"):
        broken = {**document, name: 7}
        assert list(before.iter_errors(broken)), name


def test_schema_and_decoder_agree(drive, file):
    driver = drive("--config", file.url, "--log-level", "off")
    driver.fetched()
    differences, counts, closed = [], {True: 0, False: 0}, 0
    for number, (name, document, errors) in enumerate(judged()):
        # Each good document must be newer than the one before it to be applied; those about the version stay as they are.
        if document.get("configurationVersion") == 3:
            document = {**document, "configurationVersion": number + 10}
        replace(file.path, json.dumps(document))
        answer = driver.do("refresh")
        outcome = answer["outcome"]
        assert outcome in ("applied", "rejected", "stale", "unchanged", "held"), (name, outcome)
        says = not errors
        counts[says] += 1
        # A JSON Schema cannot tell an integer that is too large from a number that is not.
        fits = "is too large for JSON readers" not in json.dumps(answer)
        if not says and outcome == "applied":
            # What fails closed is a fault for the schema and a warning for the SDK, both about the same key.
            closed += 1
            says = {closed_part(place(error)) for error in errors} <= warned_parts(driver, document["configurationVersion"])
        if fits and says != (outcome != "rejected"):
            differences.append((name, "schema: good" if says else "schema: bad", outcome))
    driver.quit()
    print(counts, closed)
    assert differences == []
    assert min(counts.values()) > 40 and closed > 40
