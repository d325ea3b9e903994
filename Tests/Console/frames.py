#!/usr/bin/env python3
"""Measures how long the console's page keeps a browser from drawing, while a large service is live.

The example service with 1,000 features of 3 variables and 50 namespaces, at 200 events a second; each view is scrolled up and
down for some seconds. Prints, for each view and pass, the longest time between two frames and the long tasks, in milliseconds.
"""
import argparse
import http.client
import math
import pathlib
import statistics
import sys
import tempfile
import threading
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "BlackBox"))

from page import Page, start_browser  # noqa: E402
from samples import bundle, large_features, orders_document  # noqa: E402
from services import OrdersService  # noqa: E402

VIEWS = ["overview", "trackers", "features"]
PROBE = """
window.frames_ = [];
window.tasks_ = [];
new PerformanceObserver(list => {
  for (const task of list.getEntries()) tasks_.push(Math.round(task.duration));
}).observe({ type: "longtask" });
let last = performance.now();
requestAnimationFrame(function frame(now) {
  frames_.push(now - last);
  last = now;
  requestAnimationFrame(frame);
});
"""
# Down and up again, at the pace of a user who looks for something: some screens a second.
SCROLL = """
const [seconds, done] = arguments;
const [view, start] = [document.scrollingElement, performance.now()];
const pace = Math.min(2 * (view.scrollHeight - innerHeight) / seconds, 8000) / 1000;
frames_.length = tasks_.length = 0;
requestAnimationFrame(function step() {
  const spent = performance.now() - start;
  if (spent > seconds * 1000) {
    done({ worst: Math.round(Math.max(...frames_)), frames: frames_.length, tasks: tasks_, height: view.scrollHeight });
    return;
  }
  view.scrollTop = pace * Math.min(spent, seconds * 1000 - spent);
  requestAnimationFrame(step);
});
"""


def large_document(number, collector):
    document = orders_document(number, collector)
    names = [f"namespace-{index:02d}" for index in range(49)]
    document["bundles"] += [bundle(name, collector, trackerConfiguration={"appId": f"app-{number}"}) for name in names]
    document["features"].update(large_features(1000, number))
    return document


class Visitors:
    """Requests at a steady pace, each of them an event."""

    def __init__(self, port, rate):
        self.port, self.rate = port, rate
        self.count = 0
        self.has_ended = threading.Event()
        self.thread = threading.Thread(target=self.visit, daemon=True)
        self.thread.start()

    def visit(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        start = time.monotonic()
        while not self.has_ended.is_set():
            connection.request("GET", "/shipping")
            connection.getresponse().read()
            self.count += 1
            time.sleep(max(0, start + self.count / self.rate - time.monotonic()))
        connection.close()

    def end(self):
        self.has_ended.set()
        self.thread.join()


def settle(page):
    """Waits until a second has passed without a long task."""
    end = time.monotonic() + 30
    while time.monotonic() < end:
        page.script("tasks_.length = 0")
        time.sleep(1)
        if page.script("return tasks_.length") == 0:
            return


def measure(browser, service, view, seconds):
    page = Page(browser, service.url, f"#{view}")
    page.wait_connection("live")
    last = {"overview": "[data-role=facts] dd", "trackers": "[data-tracker=orders]",
            "features": "[data-feature=feature-0099][data-switch]"}[view]
    page.wait_shown(last)
    settle(page)
    return browser.execute_async_script(SCROLL, seconds)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--passes", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=5, help="of scrolling, for each pass and view (5)")
    parser.add_argument("--rate", type=int, default=200, help="events a second (200)")
    parser.add_argument("--bound", type=float, default=math.inf,
                        help="milliseconds above which the median of a view's worst frames ends it with 1 (none)")
    options = parser.parse_args()
    is_slow = False
    with tempfile.TemporaryDirectory() as directory:
        service = OrdersService(pathlib.Path(directory), large_document)
        browser = start_browser()
        visitors = Visitors(service.visitor.port, options.rate)
        try:
            browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": PROBE})
            start = time.monotonic()
            for view in VIEWS:
                found = [measure(browser, service, view, options.seconds) for _ in range(options.passes)]
                for each in found:
                    print(f"{view:9} worst frame {each['worst']:4} ms of {each['frames']}, {each['height']} px high, "
                          f"long tasks {each['tasks']}", flush=True)
                median = statistics.median(each["worst"] for each in found)
                is_slow |= median > options.bound
                print(f"{view:9} median of the worst frames {median} ms", flush=True)
            print(f"{visitors.count / (time.monotonic() - start):.0f} events a second")
        finally:
            visitors.end()
            browser.quit()
            service.end()
    sys.exit(f"a view draws too seldom: the bound is {options.bound:.0f} ms" if is_slow else 0)


if __name__ == "__main__":
    main()
