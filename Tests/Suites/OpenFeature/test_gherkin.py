"""OpenFeature's own scenarios, run by its Python SDK and the SDK's OFREP provider from PyPI against a console."""

import asyncio
import inspect
import json
import re

import pytest
from conftest import COUNTS, ROOT, SUITE
from driver import PATIENCE
from flags import document

if not SUITE.exists():
    pytest.skip("OpenFeature's suite is not beside the package, in ../shared/suites/openfeature", allow_module_level=True)

from openfeature import api  # noqa: E402
from openfeature.contrib.provider.ofrep import OFREPProvider  # noqa: E402
from openfeature.evaluation_context import EvaluationContext  # noqa: E402
from openfeature.flag_evaluation import FlagEvaluationOptions  # noqa: E402
from openfeature.hook import Hook  # noqa: E402
from pytest_bdd import given, parsers, scenarios, then, when  # noqa: E402

NO_DEFAULT = "the protocol's schema has no reason DEFAULT for an answer; it is UNKNOWN"
# The scenarios that differ, by their name, what must be among their parameters, and the step that must differ, with the reason.
DIFFERING = [
    ("Resolves zero value with targeting using default", "", 'the reason should be "DEFAULT"', NO_DEFAULT),
    ("Empty evaluation context", "", 'the reason should be "DEFAULT"', NO_DEFAULT),
    ("Null context values", "", 'the reason should be "DEFAULT"', NO_DEFAULT),
    ("CACHED reason", "", 'the reason should be "CACHED"', "the provider has no cache"),
    ("Type mismatch error", "-Integer-", 'the resolved details value should be "1"',
     "the provider takes a boolean for an integer: isinstance(True, int)"),
    ("Evaluation context immutability", "", "the evaluation details should be immutable",
     "the SDK's details are a mutable dataclass"),
]
SDK_ALONE = "of the SDK alone: no provider answers, or another one than that of the protocol"
# All of a feature whose scenarios are not run.
UNMAPPED_FEATURE = "Context merging precedence"
# The scenarios that are not run, by their name and what must be among their parameters.
UNMAPPED = [
    ("Provider not ready error", "", SDK_ALONE), ("Provider in fatal state error", "", SDK_ALONE),
    *[("Provider status accessibility", status, SDK_ALONE) for status in ("not ready", "error", "fatal", "stale")],
]


scenarios(*(str(SUITE / f"{name}.feature") for name in ("evaluation", "evaluation_v2", "metadata", "hooks", "contextMerging")))


class Scenario:
    """What the steps of one scenario have said so far."""

    def __init__(self, console):
        self.context = {}
        self.hook = None
        self.options = None
        api.set_provider(OFREPProvider(console.url, timeout=PATIENCE))
        self.client = api.get_client()

    def flag(self, kind, key, default):
        self.kind, self.key, self.default = kind.lower(), key, read(default, kind)

    def evaluate(self, method="details", context=None, **options):
        function = getattr(self.client, f"get_{self.kind}_{method}")
        context = self.context if context is None else context
        self.result = function(self.key, self.default, EvaluationContext(attributes=context), **options)
        return self.result


def read(text, kind):
    """A value as the suite writes it."""
    if text is None or text == "null":
        return None
    kind = kind.lower()
    if kind == "boolean":
        return {"true": True, "false": False}[text.lower()]
    if kind == "object":
        return json.loads(text.replace('\\"', '"'))
    return {"string": str, "integer": int, "float": float}[kind](text)


@pytest.fixture(scope="module")
def console(serve):
    return serve(document(json.loads((SUITE / "test-flags.json").read_text())))


@pytest.fixture
def scenario(console):
    return Scenario(console)


@given("a stable provider")
@given(parsers.parse("a {status} provider"))
def provider(scenario):
    pass


# evaluation_v2.feature, metadata.feature, hooks.feature

@given(parsers.re(r'an? (?P<kind>\w+)-flag with key "(?P<key>.*)" and a fallback value "(?P<default>.*)"'))
def flag(scenario, kind, key, default):
    scenario.flag(kind, key, default)


@given(parsers.re(r'a context containing a key "(?P<name>.*)", with type "(?P<kind>.*)" and with value "(?P<value>.*)"'))
def attribute(scenario, name, kind, value):
    scenario.context[name] = read(value, kind)


@given(parsers.parse('a context containing a key "{name}" with null value'))
def null_attribute(scenario, name):
    scenario.context[name] = None


@when("the flag was evaluated with details")
def evaluated(scenario):
    scenario.evaluate()


@then(parsers.re(r'the resolved details value should be "(?P<value>.*)"'))
def resolved(scenario, value):
    value = read(value, scenario.kind)
    assert scenario.result.value == value and type(scenario.result.value) is type(value), scenario.result


@then(parsers.parse('the reason should be "{reason}"'))
def reason(scenario, reason):
    assert scenario.result.reason == reason, scenario.result


@then(parsers.parse('the error-code should be "{code}"'))
def error_code(scenario, code):
    assert scenario.result.error_code == code, scenario.result


@then(parsers.parse('the flag key should be "{key}"'))
def flag_key(scenario, key):
    assert scenario.result.flag_key == key


@then(parsers.parse('the variant should be "{variant}"'))
def variant(scenario, variant):
    assert scenario.result.variant == variant, scenario.result


@then("the resolved metadata should contain")
def metadata(scenario, datatable):
    for name, kind, value in datatable[1:]:
        assert scenario.result.flag_metadata[name] == read(value, kind), scenario.result


@then("the resolved metadata is empty")
def no_metadata(scenario):
    assert scenario.result.flag_metadata == {} and scenario.result.error_code is None, scenario.result


@then(parsers.parse('the provider status should be "{status}"'))
def status(scenario, status):
    assert scenario.client.get_provider_status().value == status


class SeenHook(Hook):
    """Keeps what hooks are called with."""

    def __init__(self):
        self.calls, self.details = [], {}

    def before(self, hook_context, hints):
        self.calls.append("before")

    def after(self, hook_context, details, hints):
        self.calls.append("after")
        self.details["after"] = details

    def error(self, hook_context, exception, hints):
        self.calls.append("error")

    def finally_after(self, hook_context, details, hints):
        self.calls.append("finally")
        self.details["finally"] = details


@given("a client with added hook")
def hooked(scenario):
    scenario.hook = SeenHook()
    scenario.client.add_hooks([scenario.hook])


@given("evaluation options containing specific hooks")
def options(scenario):
    scenario.hook = SeenHook()
    scenario.options = FlagEvaluationOptions(hooks=[scenario.hook])


@when("the flag was evaluated with details using the evaluation options")
def evaluated_with_options(scenario):
    scenario.evaluate(flag_evaluation_options=scenario.options)


@then("the specified hooks should execute during evaluation")
@then("the hook order should be maintained")
def hook_order(scenario):
    assert scenario.hook.calls == ["before", "after", "finally"]


@then(parsers.parse('the "{name}" hook should have been executed'))
def hook_called(scenario, name):
    assert name in scenario.hook.calls


@then(parsers.parse('the "{names}" hooks should be called with evaluation details'))
def hook_details(scenario, names, datatable):
    for name in names.split(", "):
        for kind, member, value in datatable[1:]:
            assert getattr(scenario.hook.details[name], member) == read(value, kind), scenario.hook.details


@given("an evaluation context with modifiable data")
def modifiable(scenario):
    scenario.context = {"roles": ["admin"], "email": "a@b.example"}
    scenario.copy = json.loads(json.dumps(scenario.context))


@then("the original evaluation context should remain unmodified")
def unmodified(scenario):
    assert scenario.context == scenario.copy


@then("the evaluation details should be immutable")
def immutable(scenario):
    with pytest.raises(AttributeError):
        scenario.result.value = None


@when("the flag was evaluated with details asynchronously")
def evaluated_later(scenario):
    scenario.awaitable = scenario.evaluate("details_async")


@then("the evaluation should complete without blocking")
def completes(scenario):
    assert inspect.isawaitable(scenario.awaitable)
    scenario.result = asyncio.run(scenario.awaitable)


# evaluation.feature

@when(parsers.re(
    r'an? (?P<kind>\w+) flag with key "(?P<key>.*)" is evaluated with (?P<details>details and )?(a )?(?P<null>null )?'
    r'default value ?"?(?P<default>[^"]*)"?'))
def evaluated_at_once(scenario, kind, key, details, null, default):
    scenario.flag(kind, key, "{}" if null else default)
    scenario.evaluate("details" if details else "value")


@then(parsers.re(r'the resolved (?P<kind>boolean|string|integer|float) value should be "?(?P<value>[^"]*)"?'))
def value(scenario, kind, value):
    assert scenario.result == read(value, kind)


FIELDS = re.escape('be contain fields "showImages", "title", and "imagesPerPage", with values "true", "Check out these pics!" and 100, respectively')


@then(parsers.re(rf"the resolved object (?P<details>details )?value should {FIELDS}"))
def object_value(scenario, details):
    value = scenario.result.value if details else scenario.result
    assert value == {"showImages": True, "title": "Check out these pics!", "imagesPerPage": 100}


@then(parsers.re(
    r'the resolved (?P<kind>\w+) details value should be "?(?P<value>[^",]*)"?, the variant should be "(?P<variant>.*)", '
    r'and the reason should be "(?P<reason>.*)"'))
def whole_details(scenario, kind, value, variant, reason):
    result = scenario.result
    assert (result.value, result.variant, result.reason) == (read(value, kind), variant, reason)


@then(parsers.parse('the variant should be "{variant}", and the reason should be "{reason}"'))
def variant_and_reason(scenario, variant, reason):
    assert (scenario.result.variant, scenario.result.reason) == (variant, reason)


@when(parsers.parse('context contains keys "fn", "ln", "age", "customer" with values "{fn}", "{ln}", {age:d}, "{customer}"'))
def person(scenario, fn, ln, age, customer):
    scenario.context = {"fn": fn, "ln": ln, "age": age, "customer": customer}


@when(parsers.parse('a flag with key "{key}" is evaluated with default value "{default}"'))
def evaluated_in_context(scenario, key, default):
    scenario.flag("string", key, default)
    scenario.evaluate("value")


@then(parsers.parse('the resolved string response should be "{value}"'))
def response(scenario, value):
    assert scenario.result == value


@then(parsers.parse('the resolved flag value is "{value}" when the context is empty'))
def response_without_context(scenario, value):
    assert scenario.evaluate("value", {}) == value


@when(parsers.parse('a non-existent string flag with key "{key}" is evaluated with details and a fallback value "{default}"'))
def evaluated_missing(scenario, key, default):
    scenario.flag("string", key, default)
    scenario.evaluate()


@when(parsers.parse('a string flag with key "{key}" is evaluated as an integer, with details and a fallback value {default}'))
def evaluated_wrong(scenario, key, default):
    scenario.flag("integer", key, default)
    scenario.evaluate()


@then(parsers.re(r"the default (string|integer) value should be returned"))
def default_value(scenario):
    assert scenario.result.value == scenario.default


@then(parsers.re(r'the reason should indicate an error and the error code should indicate a .* with "(?P<code>.*)"'))
def error(scenario, code):
    assert (scenario.result.reason, scenario.result.error_code) == ("ERROR", code)


def test_the_counts_are_those_of_the_documentation(request):
    """The last test: all scenarios have run."""
    if request.config.getoption("keyword"):
        pytest.skip("not all scenarios were run")
    known = json.loads((ROOT / "Tests/Suites/Counts/openfeature.json").read_text())
    differing, unmapped = (sum(COUNTS[kind].values()) for kind in ("differences", "leftOut"))
    assert {"suite": known["suite"], "differing": differing, "unmapped": unmapped, **COUNTS} == known
