"""Documents in files, and what drivers say of their features and experiments."""
import json

from driver import PATIENCE, SCHEMA


class DocumentFile:
    """A document in a file of its own, which a service reads by a file: URL."""

    def __init__(self, directory, name="trackers.json"):
        directory.mkdir(parents=True, exist_ok=True)
        self.path = directory / name
        self.url = f"file://{self.path}"

    def publish(self, version, bundles=(), **parts):
        document = {"$schema": SCHEMA, "configurationVersion": version, "configurationBundle": list(bundles), **parts}
        self.path.write_text(json.dumps(document))


def feature(enabled=None, **variables):
    """A feature of a document."""
    says = {} if enabled is None else {"enabled": enabled}
    return {**says, "variables": {name: {"value": value} for name, value in variables.items()}}


def experiment(*weights, id="e", names="abc", values=None, **fields):
    """An experiment of a document: variants by the letters of `names` with `weights`; `values` by the variant's name."""
    variants = [{"name": name, "weight": weight, **({"values": values[name]} if name in (values or {}) else {})}
                for name, weight in zip(names, weights)]
    return {"id": id, "variants": variants, **fields}


def user(id, **more):
    """The context of a user."""
    return {"units": {"userId": id}, **more}


def start(drive, file, *options, **more):
    """Starts a service that reads a document file, and waits for its first fetch."""
    driver = drive("--config", file.url, *options, **more)
    driver.fetched()
    return driver


def applied(driver, version):
    """Refreshes and expects that version."""
    assert driver.do("refresh") == {"outcome": "applied", "version": version}


def value(driver, feature, variable, default, **context):
    """A variable's value and source."""
    answer = driver.do("value", feature=feature, variable=variable, default=default, **context)
    assert set(answer) == {"value", "source"}, answer
    return answer["value"], answer["source"]


def changes(driver):
    """What has changed, as the lines say it until now."""
    driver.do("meta")
    lines = [line for line in driver.lines if line["type"] == "change"]
    assert all(set(line) == {"type", "feature", "old", "new"} for line in lines), lines
    return [(line["feature"], line["old"], line["new"]) for line in lines]


def state(enabled=None, **variables):
    """A feature as a change line has it."""
    return {"enabled": enabled, "variables": variables}


def given(driver, units, experiment="e", default="-", **context):
    """What an experiment gives to each user: (variant, reason)."""
    for unit in units:
        driver.send("variant", experiment=experiment, default=default, context=user(unit, **context))
    answers = [driver.answers.get(timeout=PATIENCE) for _ in units]
    assert all(answer["ok"] for answer in answers), answers
    return [(answer["value"]["variant"], answer["value"]["reason"]) for answer in answers]
