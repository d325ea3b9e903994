"""Writes the flags of OpenFeature's suite, `test-flags.json`, as a document.

A boolean flag is whether a feature is enabled, another one its variable `value`. The variant is the id of a rule: one for all contexts
if the flag has no targeting. The expressions of the suite, of which there are two forms, become conditions.
"""

import re

# Not in test-flags.json, but in evaluation.feature.
CONTEXT_AWARE = {
    "variables": {"value": {"value": "EXTERNAL"}},
    "rules": [{
        "id": "internal", "condition": {"fn": "Sulisław", "ln": "Świętopełk", "age": 29, "customer": "false"},
        "values": {"value": "INTERNAL"}}],
}


def document(flags):
    return {
        "$schema": "http://iglucentral.com/schemas/com.snowplowanalytics.mobile/remote_config/jsonschema/1-0-1",
        "configurationVersion": 1, "configurationBundle": [], "requires": ["disabled"],
        "features": {"context-aware": CONTEXT_AWARE} | {name: feature(flag) for name, flag in flags.items()},
    }


def feature(flag):
    variants = flag["variants"]
    is_switch = all(isinstance(value, bool) for value in variants.values())

    def gives(variant):
        return {"enabled": variants[variant]} if is_switch else {"values": {"value": variants[variant]}}

    feature = {"metadata": flag.get("flagMetadata"), "disabled": flag.get("disabled", False), "rules": []}
    default = flag.get("defaultVariant")
    if targeting := flag.get("contextEvaluator"):
        expression, variant = re.fullmatch(r"(.+) \? '(.+)' : ''", targeting).groups()
        feature["rules"].append({"id": variant, "condition": condition(expression), **gives(variant)})
        if default is not None:
            value = variants[default]
            feature |= {"enabled": value} if is_switch else {"variables": {"value": {"value": value}}}
    elif default is not None:
        feature["rules"].append({"id": default, **gives(default)})
    return feature


def condition(expression):
    """The condition of an expression: clauses that must all hold."""
    clauses = {}
    for clause in expression.split(" && "):
        if negated := re.fullmatch(r"!(\w+)", clause):
            clauses[negated[1]] = False
        elif equal := re.fullmatch(r"(\w+) == '(.*)'", clause):
            clauses[equal[1]] = equal[2]
        else:
            name, least = re.fullmatch(r"(\w+) > (\d+)", clause).groups()
            clauses[name] = {"$gt": int(least), "$exists": True}
    return clauses
