"""The documents that the pages show."""
import json

import driver

COLLECTOR = "http://127.0.0.1:9"


def variable(value, **words):
    return {"value": value, **words}


def bundle(namespace, endpoint=COLLECTOR, **more):
    return {"namespace": namespace, "networkConfiguration": {"endpoint": endpoint}, **more}


def features(retries, countries):
    return {
        "checkout": {
            "enabled": retries > 2,
            "variables": {
                "retryLimit": variable(
                    retries, title="Retries", description="How often a payment is tried again.", group="Payment"),
                "countries": variable(countries, group="Payment"),
                "useNewFlow": variable(False, title="The new flow"),
                "rate": variable(0.25),
                "greeting": variable("Hi"),
                "limits": variable({"perDay": 10}),
            },
        },
        "search": {"enabled": False, "variables": {"pageSize": variable(20, title="Results on a page")}},
    }


EXPERIMENT = {
    "id": "checkout_01", "unit": "userId",
    "variants": [
        {"name": "control", "weight": 50},
        {"name": "fast", "weight": 50, "values": {"checkout": {"retryLimit": 9}}},
    ],
}
DEFAULT = dict(version=1, bundles=[bundle("shop")], features=features(2, ["US"]), experiments=[EXPERIMENT])
REMOTE = dict(
    version=2, bundles=[bundle("shop", trackerConfiguration={"appId": "shop"}), bundle("ops")],
    features=features(3, ["US", "IL"]), experiments=[EXPERIMENT])


def version(number, retries=3):
    """The remote document with another version and number of retries."""
    return {**REMOTE, "version": number, "features": features(retries, ["US", "IL"])}


def orders_document(number, collector):
    """The example's own document, as that of a file server."""
    path = driver.ROOT / "Examples/Service/Sources/orders/Resources/default.json"
    document = json.loads(path.read_text())
    [shop] = document["configurationBundle"]
    shop["networkConfiguration"]["endpoint"] = collector
    shop["trackerConfiguration"]["sessionContext"] = True
    parts = {name: document[name] for name in ("features", "experiments")}
    return dict(version=number, bundles=[shop], **parts)


def large_features(count, number):
    """Features of three variables each, whose numbers differ from version to version."""
    return {f"feature-{index:04d}": {
        "enabled": index % 3 == 0,
        "variables": {
            "limit": variable(index + number, title=f"Limit {index}", description="The most in a minute, per customer."),
            "isFast": variable(index % 2 == 0),
            "texts": variable({"en": "Pay now", "de": "Jetzt zahlen", "n": index}),
        }} for index in range(count)}
