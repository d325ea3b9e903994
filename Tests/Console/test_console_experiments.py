"""Experiments: shares that can be read at any width, and what one context gets."""
import pytest
from samples import REMOTE
from selenium.webdriver.common.keys import Keys

NAMES = ["control", "free_shipping_banner", "free_shipping_modal"]


def experiment(id, names, **more):
    return {"id": id, "unit": "userId", "variants": [{"name": name, "weight": 1} for name in names], **more}


@pytest.fixture
def service(start):
    many = experiment("twelve", [f"a_variant_with_a_long_name_{index:02d}" for index in range(12)])
    values = {"checkout": {"retryLimit": 9}}
    fast = {"id": "speed", "unit": "userId", "condition": {"plan": "pro"},
            "variants": [{"name": "fast", "weight": 1, "values": values, "enabled": {"search": True}}]}
    tiny = experiment("tiny", ["a", "b"], coverage=0.001)
    return start(document={**REMOTE, "experiments": [experiment("shipping", NAMES), many, tiny, fast]}, default=None)


def test_long_names_and_many_variants_do_not_widen_the_page_and_small_shares_are_told(service, open_page):
    page = open_page(service.url, "#features")
    for width in [390, 1440]:
        page.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": 800, "deviceScaleFactor": 1, "mobile": False})
        page.wait_shown("[data-experiment=shipping] [data-variant=free_shipping_modal]")
        page.script("scrollTo(0, document.body.scrollHeight)")
        page.wait_shown("[data-experiment=speed] [data-variant=fast]")
        page.until(lambda: page.script("return document.documentElement.scrollWidth") <= width, f"within {width}")
    for name in NAMES:
        page.wait_text(f"[data-experiment=shipping] [data-variant={name}] [data-label='Of all units']", "33.3%")
    page.wait_text("[data-experiment=tiny] [data-role=summary]", "For 0.1% of the units.")
    page.wait_text("[data-experiment=tiny] [data-variant=a] [data-label='Of all units']", "0.05%")


def test_what_a_context_gets_shows_the_values_of_its_variant(service, open_page):
    page = open_page(service.url, "#users")
    page.type("[data-role=attributes]", '{"plan":"pro"}')
    page.type("[data-unit=userId]", "u-1", Keys.ENTER)
    page.wait_text("[data-assignment=speed] [data-label=Variant]", "fast")
    page.wait_text("[data-answer='checkout.retryLimit'] [data-label=Value]", "9")
    page.type("[data-role=attributes]", '{"plan":"free"}', Keys.ENTER)
    page.wait_text("[data-role=asked]", "free")
    page.wait_text("[data-answer='checkout.retryLimit'] [data-label=Value]", "3")
