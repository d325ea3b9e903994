"""The project's own schemas, as a collector that checks every event has them."""
import json

import jsonschema
import pytest
from documents import bundle, start
from driver import ROOT, Micro, document

SCHEMAS = ROOT / "Schemas"
FILES = sorted(path for path in SCHEMAS.glob("*/*/jsonschema/*-*-*"))
VENDOR = "io.tracker-config"
SELF_DESCRIBING = "http://iglucentral.com/schemas/com.snowplowanalytics.self-desc/schema/jsonschema/1-0-0#"

EXPOSURE = {"experiment": "checkout_01", "variant": "fast", "unit": "userId", "unitId": "u-1", "version": 7, "sticky": True}
ASSIGNMENT = {"experiment": "checkout_01", "variant": "fast"}
OVERRIDE = {"feature": "f", "value": False}
LONG = "x" * 2048

# By the schema's name: data that are good, and data that are not.
DATA = {
    "exposure": (
        [EXPOSURE, {key: EXPOSURE[key] for key in ("experiment", "variant", "unit", "sticky")}, {**EXPOSURE, "version": 0},
         {**EXPOSURE, "version": 9007199254740991, "experiment": LONG, "variant": "", "unit": LONG, "unitId": LONG, "sticky": False}],
        [{}, *({k: v for k, v in EXPOSURE.items() if k != left} for left in ("experiment", "variant", "unit", "sticky")),
         *({**EXPOSURE, key: wrong} for key, wrong in (
             ("sticky", "yes"), ("sticky", None), ("version", -1), ("version", 9007199254740992), ("version", 1.5), ("version", None),
             ("unitId", ""), ("unitId", 7), ("unitId", LONG + "x"), ("experiment", None), ("experiment", LONG + "x"), ("variant", 1),
             ("unit", {}), ("more", 1)))]),
    "assignments": (
        [{"assignments": []}, {"version": 7, "assignments": [ASSIGNMENT]},
         {"version": 0, "assignments": [ASSIGNMENT, {"experiment": "", "variant": LONG}]}],
        [{}, {"version": 7}, {"assignments": {}}, {"assignments": None}, {"assignments": [ASSIGNMENT, 1]},
         {"assignments": [{"experiment": "e"}]}, {"assignments": [{"variant": "v"}]}, {"assignments": [{**ASSIGNMENT, "more": 1}]},
         {"assignments": [{**ASSIGNMENT, "variant": LONG + "x"}]}, {"assignments": [], "version": "7"},
         {"assignments": [], "version": -1}, {"assignments": [], "more": 1}]),
    "document": (
        [document(1), document(1, features={"f": {"enabled": True}},
                               experiments=[{"id": "e", "variants": [{"name": "a", "weight": 1}]}])],
        [{}, document(-1), document(1, experiments=[{"id": "e", "variants": []}])]),
    "overrides": (
        [{"overrides": []}, {"overrides": [
            OVERRIDE, {"feature": "f", "variable": "v", "value": [1], "time": "2026-01-02T03:04:05Z", "by": "dana", "note": "INC-412",
                       "expiry": "2026-01-03T03:04:05Z"},
            {"feature": "f", "variable": "secret", "value": "x", "secret": True}, {"experiment": "e", "value": "fast"}]}],
        [{}, {"overrides": {}}, {"overrides": ["f"]}, *({"overrides": [wrong]} for wrong in (
            {"feature": "f"}, {"feature": "f", "value": "yes"}, {"feature": "f", "variable": "v", "value": None},
            {"experiment": "e", "value": 1}, {"variable": "v", "value": 1}, {"feature": "f", "experiment": "e", "value": True},
            {**OVERRIDE, "by": 7}, {**OVERRIDE, "note": {}}, {**OVERRIDE, "time": 1}))]),
}


VERSIONS = {path.parts[-3]: path.name for path in FILES}


def uri(name):
    return f"iglu:{VENDOR}/{name}/jsonschema/{VERSIONS.get(name, '1-0-0')}"


@pytest.fixture
def micro(tmp_path):
    files = tmp_path / "files"
    files.mkdir()
    micro = Micro(files, SCHEMAS)
    yield micro
    micro.close()


@pytest.fixture
def driver(micro, drive):
    micro.publish(1, [bundle(micro.url)])
    driver = start(drive, micro.config)
    yield driver
    driver.quit()


def test_every_schema_is_one_and_names_itself_as_its_place_does():
    assert FILES
    for path in FILES:
        vendor, name, _, version = path.relative_to(SCHEMAS).parts
        schema = json.loads(path.read_text())
        assert schema["self"] == {"vendor": vendor, "name": name, "format": "jsonschema", "version": version}
        assert schema.pop("$schema") == SELF_DESCRIBING
        jsonschema.Draft4Validator.check_schema(schema)
    # A schema that is new needs data here.
    assert {(path.parts[-4], path.parts[-3], path.name) for path in FILES} == {(VENDOR, name, VERSIONS[name]) for name in DATA}


def test_the_collector_tells_good_data_of_every_schema_from_bad_as_an_event_and_as_an_entity(driver, micro):
    good, bad = {}, {}

    def track(data, name, expected):
        own = {"schema": uri(name), "data": data}
        expected[driver.do("track", event=own)] = expected[
            driver.do("track", event={"category": "cart", "action": "add"}, entities=[own])] = (name, data)

    for name, (right, wrong) in DATA.items():
        for data, expected in [(data, good) for data in right] + [(data, bad) for data in wrong]:
            track(data, name, expected)
    # What the registry does not have is bad too, so that a good one was really checked.
    track(EXPOSURE, "exposures", bad)
    driver.flush()

    def ids(rows):
        return {row["event"]["eid"] for row in rows}

    found = ids(micro.good())
    assert None not in good and None not in bad
    assert [good[id] for id in set(good) - found] == [] and [bad[id] for id in set(bad) & found] == []
    assert ids(micro.bad()) == set(bad)


def test_an_exposure_arrives_as_it_was_tracked_with_the_assignments_beside_it(driver, micro):
    entity = {"schema": uri("assignments"), "data": {"version": 7, "assignments": [ASSIGNMENT]}}
    driver.do("track", event={"schema": uri("exposure"), "data": EXPOSURE}, entities=[entity])
    assert driver.flush()["sent"] == 1
    assert micro.bad() == []
    row, = micro.good()
    assert row["event"]["e"] == "ue"
    assert row["decoded"]["event"] == {"schema": uri("exposure"), "data": EXPOSURE}
    assert entity in row["decoded"]["contexts"]
