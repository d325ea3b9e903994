"""The document's schema and the SDK agree on what a good document is, judged by a JSON Schema implementation."""
import copy
import json
import re
import time

import jsonschema
import pytest
from driver import PATIENCE, ROOT, SCHEMA

DOCUMENT = ROOT / "Schemas" / "io.tracker-config" / "document" / "jsonschema" / "1-1-0"


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
                  "fallbackUnit": "deviceId", "bucketVersion": 2, "minBucketVersion": 1, "blockedVariants": ["b"],
                  "force": "a", "stickyLifetime": 60, "variants": [variant, {"name": "b", "weight": 30}]}
    rule = {"id": "r", **targeting, "unit": "userId", "seed": "s", "hashVersion": 2, "coverage": 0.5, "range": [0, 0.5],
            "enabled": True, "values": {"v": 1}, "experiment": "x"}
    feature = {"enabled": True, **schedule, "variables": {"v": variable}, "rules": [rule], "disabled": False,
               "metadata": {"owner": "growth", "since": 2, "public": True}}
    return {"requires": ["rules", "schedules", "disabled"], "segments": {"s": ["u", 1, True]},
            "features": {"f": feature}, "experiments": [experiment],
            "rollout": {"percent": 100, "seed": "s", "bakeSeconds": 600, "maxFailureRate": 0.2, **schedule}}


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
    """The key of a rule, an experiment or a variant that a place is in, if that fails closed, a bound of a feature, or metadata, which is left out."""
    rules = (r"features\.f\.metadata", r"features\.f\.rules\[\d+\](?:\.\w+)?",
             r"experiments\[\d+\]\.variants\[\d+\]\.(?!name|weight|values)\w+", r"experiments\[\d+\]\.(?!id|variants)\w+",
             r"features\.f\.(?:start|end)(?!\w)")
    return next((match[0] for match in (re.match(rule, place) for rule in rules) if match), None)


def warned_parts(driver, version):
    """The parts about which the update to a version has a warning; its line may follow the answer."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        for line in driver.lines[::-1]:
            if line["type"] == "update" and line["version"] == version:
                return {closed_part(warning) for warning in line["warnings"]}
        time.sleep(0.01)
    raise AssertionError(f"no update to version {version}")


def complained_parts(check, document):
    """The parts in which the schema finds a fault; None of one that is elsewhere."""
    def place(path):
        return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).lstrip(".")
    return {closed_part(place(error.absolute_path)) for error in check.iter_errors(document)}


def extensions_corpus():
    values = (None, 1, "x", [], {}, True, 1.5, -1, 0, -0.5, 101, 10 ** 30, -10 ** 30, 1e300, "", [None], {"k": None})
    parts = {"segments", "requires", "rules", "condition", "prerequisites", "filters", "namespace", "ranges"}
    for path in places(extensions()):
        name = ".".join(map(str, path))
        yield f"without {name}", changed(path, lambda holder, key: holder.pop(key))
        # Each of those costs a fetch; what is nested in them is like its neighbours.
        for wrong in values[:8] if parts & set(path) else values:
            yield f"{name}={wrong!r}", changed(path, lambda holder, key: holder.__setitem__(key, wrong))
    for place in (("features", "f", "rules", 0), ("experiments", 0), ("experiments", 0, "variants", 0)):
        for wrong in (1, None, [], {}):
            yield f"{place} with an unknown key {wrong!r}", changed((*place, "if"), lambda holder, key: holder.__setitem__(key, wrong))
    for holder in (("features", "f", "rules", 0), ("experiments", 0), ("features", "f")):
        for key, values in FAIL_CLOSED.items():
            if holder == ("features", "f") and key not in ("start", "end"):
                continue
            for wrong in values:
                name = f"{holder} {key}={wrong!r}"
                yield name, changed((*holder, key), lambda holder, key: holder.__setitem__(key, wrong))
    variable = ("features", "f", "variables", "v")
    for value in ("x", 1, True, [], {}, None):
        for encrypted in (True, False, None):
            new = {"value": value, "encrypted": encrypted}
            yield f"variable {new}", changed(variable, lambda holder, key: holder.__setitem__(key, new))
    absent = object()
    for first in (absent, None, 0, 0.0, 1, 1e-9, -1):
        for second in (absent, None, 0, 2):
            variants = [{"name": name, **({} if weight is absent else {"weight": weight})}
                        for name, weight in (("a", first), ("b", second))]
            yield f"variants {variants}", changed(
                ("experiments", 0, "variants"), lambda holder, key: holder.__setitem__(key, variants))


def corpus():
    yield "full", full()
    for wrong in (None, 1, "x", [], {}, True, 1.5):
        for key in ("$schema", "configurationVersion", "configurationBundle", "meta"):
            yield f"{key}={wrong!r}", {**full(), key: wrong}
        yield f"bundle={wrong!r}", {**full(), "configurationBundle": [wrong]}
        for section, fields in {"namespace": {}, **sections()}.items():
            document = full()
            document["configurationBundle"][0][section] = wrong
            yield f"{section}={wrong!r}", document
            for field in fields:
                document = full()
                document["configurationBundle"][0][section].pop("base64encoding", None)
                document["configurationBundle"][0][section][field] = wrong
                yield f"{section}.{field}={wrong!r}", document
    for sampling in ({"rate": 1.5}, {"rate": -1}, {"rate": 10 ** 30}, {"rate": "1"}, {"rate": None}, {"by": "user"},
                     {"rate": 0.5, "by": "device"}, {"rate": 0.5, "by": None}, {"rate": 0.5, "by": 1}, {"rate": 0.5, "x": 1}):
        document = full()
        document["configurationBundle"][0]["trackerConfiguration"]["sampling"] = sampling
        yield f"sampling={sampling!r}", document
    for key in ("$schema", "configurationVersion", "configurationBundle"):
        document = full()
        del document[key]
        yield f"without {key}", document
    for place, name in ((0, "namespace"), (0, "networkConfiguration")):
        document = full()
        del document["configurationBundle"][place][name]
        yield f"without {name}", document
    for schema in ("iglu:com.snowplowanalytics.mobile/remote_config/jsonschema/1-1-0", SCHEMA.replace("1-0-1", "2-0-0"),
                   SCHEMA.replace("1-0-1", "1-0"), SCHEMA + "#", "", SCHEMA.replace("mobile", "web")):
        yield f"schema {schema}", {**full(), "$schema": schema}
    yield from extensions_corpus()
    # After the highest version no other is applied.
    for version in (-1, 0, 2147483647, 2147483648, 10 ** 30):
        yield f"version {version}", {**full(), "configurationVersion": version}


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


def test_schema_and_decoder_agree(micro, drive):
    driver = drive("--config", micro.config, "--log-level", "off")
    driver.fetched()
    check = validator()
    differences, counts, closed = [], {True: 0, False: 0}, 0
    for number, (name, document) in enumerate(corpus()):
        document = copy.deepcopy(document)
        # Each good document must be newer than the one before it to be applied; those about the version stay as they are.
        if document.get("configurationVersion") == 3:
            document["configurationVersion"] = number + 10
        (micro.directory / "trackers.json").write_text(json.dumps(document))
        answer = driver.do("refresh")
        outcome = answer["outcome"]
        assert outcome in ("applied", "rejected", "stale", "unchanged", "held"), (name, outcome)
        says = check.is_valid(document)
        counts[says] += 1
        # A JSON Schema cannot tell an integer that is too large from a number that is not.
        fits = "is too large for JSON readers" not in json.dumps(answer)
        if not says and outcome == "applied":
            # What fails closed is a fault for the schema and a warning for the SDK, both about the same key.
            closed += 1
            says = complained_parts(check, document) <= warned_parts(driver, document["configurationVersion"])
        if fits and says != (outcome != "rejected"):
            differences.append((name, "schema: good" if says else "schema: bad", outcome))
    driver.quit()
    print(counts, closed)
    assert differences == []
    assert min(counts.values()) > 40 and closed > 40
