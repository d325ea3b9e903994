#!/usr/bin/env python3
"""Takes the README's picture of the console anew: the demonstration's shop with a canary that fails, and an override.

Needs Chromium and `swift build --product demo-tracker`.
"""
import argparse
import pathlib
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
PICTURE = ROOT / "Documentation/console.png"
sys.path += [str(ROOT / "Tests/Console"), str(ROOT / "Tests/BlackBox")]

from page import Page, start_browser  # noqa: E402
from services import DemoShop  # noqa: E402

OVERRIDE = {"value": 12, "by": "dana", "note": "INC-412"}


def take(seconds):
    with tempfile.TemporaryDirectory() as directory:
        shop = DemoShop(pathlib.Path(directory) / "shop")
        browser = start_browser()
        try:
            page = Page(browser, shop.url)
            page.emulate(1280, 860)
            page.wait_connection("live")
            status, answer = shop.client.ask("PUT", "features/checkout/variables/retryLimit", OVERRIDE)
            assert status == 200, answer
            time.sleep(seconds)
            page.wait_text("[data-line=problem]", "failing since version")
            page.wait_ticks(5)
            return browser.get_screenshot_as_png()
        finally:
            browser.quit()
            shop.end()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=int, default=1200, help="of events before the canary (1200)")
    PICTURE.write_bytes(take(parser.parse_args().seconds))
    print(f"written: {PICTURE.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
