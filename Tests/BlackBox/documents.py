"""Documents in files, and what drivers say of their features and experiments."""
import json

from driver import document, replace

# Nothing listens there.
NOWHERE = "http://127.0.0.1:9"


class DocumentFile:
    """A document in a file of its own, which a service reads by a file: URL."""

    def __init__(self, directory, name="trackers.json"):
        directory.mkdir(parents=True, exist_ok=True)
        self.path = directory / name
        self.url = f"file://{self.path}"

    def publish(self, version, bundles=(), **parts):
        replace(self.path, json.dumps(document(version, bundles, **parts)))


def bundle(endpoint, namespace="a", network=None, **sections):
    """The bundle of a tracker; `emitter={}` gives it an emitterConfiguration, and so on."""
    return {"namespace": namespace, "networkConfiguration": {"endpoint": endpoint, **(network or {})},
            **{f"{name}Configuration": fields for name, fields in sections.items()}}


def event(action, **fields):
    """A structured event, as `track` takes it."""
    return {"category": "test", "action": str(action), **fields}


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


def start(drive, url, *options, **more):
    """Starts a service that reads the document of a URL, and waits for its first fetch."""
    driver = drive("--config", url, *options, **more)
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


def given(driver, units, experiment="e", default="-", **context):
    """What an experiment gives to each user: (variant, reason)."""
    for unit in units:
        driver.send("variant", experiment=experiment, default=default, context=user(unit, **context))
    return [(value["variant"], value["reason"]) for value in driver.values(len(units))]
