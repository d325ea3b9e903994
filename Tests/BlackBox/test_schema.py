"""The document's schema and the SDK agree on what a good document is, judged by a JSON Schema implementation."""
import copy
import json

import jsonschema
import pytest
from driver import ROOT, SCHEMA

DOCUMENT = ROOT / "Schemas" / "io.tracker-config" / "document" / "jsonschema" / "1-0-0"


def validator():
    schema = json.loads(DOCUMENT.read_text())
    schema.pop("$schema")
    return jsonschema.Draft4Validator(schema)


def value(rule):
    """A good value of a property's rule."""
    kind = rule["type"] if isinstance(rule["type"], str) else rule["type"][0]
    return {"string": "get", "boolean": True, "integer": 5000, "object": {"503": False}}[kind]


def sections():
    bundle = json.loads(DOCUMENT.read_text())["properties"]["configurationBundle"]["items"]["properties"]
    return {name: rule["properties"] for name, rule in bundle.items() if name != "namespace"}


def full():
    """A document with every field."""
    bundle = {"namespace": "a"}
    for name, fields in sections().items():
        bundle[name] = {key: value(rule) for key, rule in fields.items() if key != "base64Encoding"}
    bundle["networkConfiguration"]["endpoint"] = "http://127.0.0.1:9"
    return {"$schema": SCHEMA, "configurationVersion": 3, "configurationBundle": [bundle], "meta": {"a": [1, None]},
            **extensions()}


def extensions():
    """The document's own extensions, with every field."""
    variable = {"value": 3, "title": "t", "description": "d", "group": "g", "encrypted": False, "generatedName": "n"}
    variant = {"name": "a", "weight": 70, "values": {"f": {"v": 5}}}
    experiment = {"id": "x", "unit": "userId", "seed": "s", "hashVersion": 2, "coverage": 1, "sticky": True,
                  "countries": ["US"], "languages": ["en"], "variants": [variant, {"name": "b", "weight": 30}]}
    return {"features": {"f": {"enabled": True, "variables": {"v": variable}}}, "experiments": [experiment],
            "rollout": {"percent": 10, "seed": "s", "bakeSeconds": 600, "maxFailureRate": 0.2}}


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


def extensions_corpus():
    values = (None, 1, "x", [], {}, True, 1.5, -1, 0, -0.5, 101, 10 ** 30, -10 ** 30, 1e300, "", [None], {"k": None})
    for path in places(extensions()):
        name = ".".join(map(str, path))
        yield f"without {name}", changed(path, lambda holder, key: holder.pop(key))
        for wrong in values:
            yield f"{name}={wrong!r}", changed(path, lambda holder, key: holder.__setitem__(key, wrong))
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
    for version in (-1, 0, 2147483647, 2147483648, 10 ** 30):
        yield f"version {version}", {**full(), "configurationVersion": version}
    yield from extensions_corpus()


def test_schema_and_decoder_agree(micro, drive):
    driver = drive("--config", micro.config, "--log-level", "off")
    driver.fetched()
    check = validator()
    differences, counts = [], {True: 0, False: 0}
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
        if fits and says != (outcome != "rejected"):
            differences.append((name, "schema: good" if says else "schema: bad", outcome))
    driver.quit()
    print(counts)
    assert differences == []
    assert min(counts.values()) > 40
