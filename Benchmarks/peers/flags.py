"""Reads flags with GrowthBook's or OpenFeature's Python SDK, and prints the nanoseconds of a read as JSON.

    flags.py GrowthBook|OpenFeature READS

The same reads as the `features` benchmark: a Bool without a rule, a Bool whose only rule looks for a plan in the request's context,
and the assignment of one of 1,000 units to one of two variants. Feature keys are found among 1,000.
"""

import json
import sys
import time

UNITS = 1000
FEATURES = 1000


def growthbook():
    from growthbook import Experiment, GrowthBook

    features = {f"feature_{number}": {"defaultValue": True} for number in range(FEATURES)}
    features["with_a_rule"] = {"defaultValue": False, "rules": [{"condition": {"plan": "pro"}, "force": True}]}
    # As its documentation recommends, each request has an instance; here it exists before the reads.
    request = GrowthBook(attributes={"id": "u-1", "plan": "pro", "country": "US"}, features=features)
    units = [GrowthBook(attributes={"id": f"user-{number}", "country": "DE"}, features={}) for number in range(UNITS)]
    experiment = Experiment(key="experiment_2", variations=["control", "fast"])
    return {
        "bool": lambda number: request.get_feature_value("feature_7", False),
        "rule": lambda number: request.get_feature_value("with_a_rule", False),
        "assignment": lambda number: units[number % UNITS].run(experiment).inExperiment,
    }


def openfeature():
    from openfeature import api
    from openfeature.evaluation_context import EvaluationContext
    from openfeature.flag_evaluation import FlagResolutionDetails, Reason
    from openfeature.provider.in_memory_provider import InMemoryFlag, InMemoryProvider

    values = {"on": True, "off": False}

    def rule(flag, context):
        variant = "on" if context.attributes.get("plan") == "pro" else "off"
        return FlagResolutionDetails(value=flag.variants[variant], variant=variant, reason=Reason.TARGETING_MATCH)

    flags = {f"feature_{number}": InMemoryFlag("on", values) for number in range(FEATURES)}
    flags["with_a_rule"] = InMemoryFlag("off", values, context_evaluator=rule)
    api.set_provider(InMemoryProvider(flags))
    client = api.get_client()
    context = EvaluationContext(targeting_key="u-1", attributes={"plan": "pro", "country": "US"})
    return {
        "bool": lambda number: client.get_boolean_value("feature_7", False),
        "rule": lambda number: client.get_boolean_value("with_a_rule", False, context),
    }


def main():
    reads = int(sys.argv[2])
    times = {}
    for name, read in {"GrowthBook": growthbook, "OpenFeature": openfeature}[sys.argv[1]]().items():
        # The first round warms up, and shows that each read has the right result.
        if not all(read(number) is True for number in range(reads)):
            sys.exit(f"{sys.argv[1]}: '{name}' has a wrong result")
        start = time.perf_counter_ns()
        for number in range(reads):
            read(number)
        times[name] = (time.perf_counter_ns() - start) / reads
    print(json.dumps(times))


main()
