#!/usr/bin/env python3
"""Takes the README's picture of the console anew: the demonstration's shop with a canary, an override and some minutes of events.

Needs Chromium and `swift build --product demo-tracker`. The picture names the page that it is of; `.ci/page.py --check` compares.
"""
import argparse
import importlib.util
import pathlib
import re
import sys
import tempfile
import urllib.request
import zlib

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path += [str(ROOT / "Tests/Console"), str(ROOT / "Tests/BlackBox")]

from page import Page, start_browser  # noqa: E402
from services import DemoShop  # noqa: E402

NAMESPACES = ["checkout", "search", "payments"]
OVERRIDE = {"value": 12, "by": "dana", "note": "INC-412"}


def page_module():
    """`.ci/page.py`, which knows the page and how a picture names it."""
    spec = importlib.util.spec_from_file_location("console_page", ROOT / ".ci/page.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def with_text(png, keyword, text):
    """A picture with a text, right after its header (https://www.w3.org/TR/png/#11tEXt)."""
    content = b"tEXt" + keyword.encode() + b"\0" + text.encode()
    chunk = (len(content) - 4).to_bytes(4, "big") + content + zlib.crc32(content).to_bytes(4, "big")
    end_of_header = 8 + 4 + 4 + 13 + 4
    return png[:end_of_header] + chunk + png[end_of_header:]


def expect_page(url, html):
    """The demonstration must have been built with the page's present sources."""
    with urllib.request.urlopen(url) as answer:
        served = re.sub(r'(?<=nonce=")[^"]*', "", answer.read().decode())
    if served != html:
        sys.exit("demo-tracker has another page: swift build --product demo-tracker")


def take(html, seconds):
    with tempfile.TemporaryDirectory() as directory:
        shop = DemoShop(pathlib.Path(directory) / "shop")
        browser = start_browser()
        try:
            expect_page(shop.url, html)
            endpoints = dict.fromkeys(NAMESPACES, shop.collector)
            shop.publish(41, endpoints)
            page = Page(browser, shop.url)
            page.emulate(1280, 860)
            page.wait_connection("live")
            status, answer = shop.client.ask("PUT", "features/checkout/variables/retryLimit", OVERRIDE)
            assert status == 200, answer
            page.wait_ticks(seconds)
            shop.publish(42, endpoints, rollout={"percent": 100, "bakeSeconds": 600})
            page.wait_text("[data-role=rollout-state]", "baking")
            page.wait_shown("[data-exception=override]")
            page.wait_ticks(15)
            return browser.get_screenshot_as_png()
        finally:
            browser.quit()
            shop.end()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=int, default=90, help="of events before the canary (90)")
    page = page_module()
    html = page.html()
    png = take(html.replace(page.NONCE, ""), parser.parse_args().seconds)
    page.PICTURE.write_bytes(with_text(png, page.KEYWORD, page.digest(html)))
    print(f"written: {page.PICTURE.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
