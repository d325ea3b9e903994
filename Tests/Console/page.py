"""The console's page in a browser, by the hooks that its header comment lists."""
import json
import pathlib

import axe_core_python
from selenium import webdriver
from selenium.common.exceptions import ElementNotInteractableException, NoSuchElementException, StaleElementReferenceException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.keys import Keys

from driver import PATIENCE, wait_until

NOT_YET = (NoSuchElementException, StaleElementReferenceException, ElementNotInteractableException)
# A notice, with its button to undo, goes after 12 s, in which a busy machine may not come to the next step of a test.
LONG_NOTICES = """
(() => {
  const later = setTimeout;
  window.setTimeout = (run, time, ...words) => later(run, time === 12_000 ? 120_000 : time, ...words);
})();
"""
# Whether an element is shown, also if it is far below.
VISIBLE = "element.checkVisibility({ visibilityProperty: true })"


def start_browser():
    options = webdriver.ChromeOptions()
    for word in ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-background-networking",
                 "--no-first-run", "--window-size=1280,900"]:
        options.add_argument(word)
    options.binary_location = "/usr/bin/chromium"
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    browser = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
    browser.set_script_timeout(2 * PATIENCE)
    browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": LONG_NOTICES})
    return browser


def quoted(text):
    """A string of CSS."""
    return json.dumps(text, ensure_ascii=False).replace("\\\\", "\\")


class Page:
    def __init__(self, browser, url, fragment=""):
        self.browser = browser
        # The same document with another fragment would not be loaded anew.
        browser.get("about:blank")
        browser.get_log("browser")
        browser.get(url + fragment)
        # Whose name changes carry; a change asks for it where the browser knows none.
        self.script("localStorage.setItem('console.author', 'kim')")

    # Finding. Nothing is read at once: what the page shows comes in slices, and later.

    def find(self, hook):
        return self.browser.find_element("css selector", hook)

    def all(self, hook):
        return self.browser.find_elements("css selector", hook)

    def until(self, condition, what):
        """What the condition gives, as soon as that is true; `what`, a text or what gives one, is said where it never is."""
        def look():
            try:
                return condition()
            except NOT_YET:
                return None

        def told():
            shown = self.browser.execute_script("return document.body.innerText")
            return f"the page has {what() if callable(what) else what}; it shows:\n{shown[:3000]}"
        return wait_until(told, look, pause=0.03)

    # The page may draw an element anew at any time, so that each of these finds and reads in one step.

    def reads(self, hook, expression):
        """What an expression of JavaScript gives for each `element` of the hook."""
        script = f"return [...document.querySelectorAll(arguments[0])].map(element => {expression})"
        return self.browser.execute_script(script, hook)

    def read(self, hook, expression):
        """What an expression of JavaScript gives for the first `element` of the hook."""
        values = self.reads(hook, expression)
        if not values:
            raise NoSuchElementException(hook)
        return values[0]

    def attribute(self, hook, name):
        return self.read(hook, f"element.getAttribute({json.dumps(name)})")

    def attributes(self, hook, name):
        return self.reads(hook, f"element.getAttribute({json.dumps(name)})")

    def value(self, hook):
        """What is in a field."""
        return self.read(hook, "element.value")

    def text(self, hook):
        """The text also of what is not rendered, because it is far below."""
        return self.read(hook, "element.textContent")

    def texts(self, hook):
        return self.reads(hook, "element.textContent")

    def spoken(self, hook, what):
        """What WebDriver says of an element: `accessible_name` or `aria_role`."""
        return self.until(lambda: getattr(self.find(hook), what), f"{what} of {hook}")

    def wait_text(self, hook, expected):
        """Waits until a shown element has a text in it."""
        def look():
            text, is_shown = self.read(hook, f"[element.textContent, {VISIBLE}]")
            return expected in text and is_shown and text
        return self.until(look, lambda: f"{hook} with {expected!r}, and not {self.texts(hook)}")

    def wait_attribute(self, hook, name, expected):
        self.until(lambda: self.attribute(hook, name) == expected, f"{hook} with {name}={expected!r}")

    def wait_gone(self, hook):
        self.until(lambda: not self.shown(hook), f"without {hook}")

    def shown(self, hook, expression="true"):
        """What an expression gives for each element that is shown: as WebDriver has it, with what is far below."""
        values = self.reads(hook, f"[{VISIBLE}, {expression}]")
        return [value for is_shown, value in values if is_shown]

    def is_shown(self, hook):
        return self.read(hook, VISIBLE)

    def wait_shown(self, hook):
        self.until(lambda: self.is_shown(hook), f"shown: {hook}")

    # Doing.

    def click(self, hook):
        def is_clicked():
            element = self.find(hook)
            if not element.is_enabled():
                return False
            self.browser.execute_script("arguments[0].scrollIntoView({ block: 'center' })", element)
            element.click()
            return True
        self.until(is_clicked, f"to be clicked: {hook}")

    def type(self, hook, text, *keys):
        self.wait_shown(hook)

        def is_typed():
            element = self.find(hook)
            self.browser.execute_script("arguments[0].scrollIntoView({ block: 'center' })", element)
            element.send_keys(Keys.CONTROL, "a", Keys.NULL, text or Keys.BACKSPACE, *keys)
            return True
        self.until(is_typed, f"to be typed into: {hook}")

    def press(self, *keys):
        """Sends keys to what has the focus."""
        def is_pressed():
            self.browser.switch_to.active_element.send_keys(*keys)
            return True
        self.until(is_pressed, "ready for a key")

    def act(self, hook, statements, *words):
        """Runs statements of JavaScript with the first `element` of the hook and `words`."""
        script = "const [hook, ...words] = arguments; const element = document.querySelector(hook); " \
            f"if (element) {{ {statements}; }} return element !== null"
        self.until(lambda: self.browser.execute_script(script, hook, *words), f"there: {hook}")

    def show(self, view):
        self.click(f"[data-tab={view}]")
        self.wait_shown(f"[data-view={view}]")

    def show_values(self):
        """Shows the features, each with its values."""
        self.show("features")
        self.script("location.hash = '#features?open=*'")

    def choose_of_menu(self, role):
        """Does what a button of the menu does."""
        self.act(".menu", "element.open = true")
        self.click(f".menu [data-role={role}]")

    def script(self, text, *words):
        return self.browser.execute_script(text, *words)

    # The page's own parts.

    def wait_connection(self, *states):
        self.until(lambda: self.attribute("html", "data-connection") in states, f"one of {states}")

    def row(self, feature, variable=None):
        own = "[data-switch]" if variable is None else f"[data-variable={quoted(variable)}]"
        return f"[data-view=features] [data-feature={quoted(feature)}]{own}"

    def use_token(self, token):
        self.wait_shown("[data-view=token]")
        self.type("[data-role=token]", token, Keys.ENTER)

    def edit(self, feature, variable=None):
        """Opens an editor; the hook of its row."""
        row = self.row(feature, variable)
        self.click(f"{row} [data-role=edit]")
        self.wait_shown(f"{row} [data-role=input]")
        return row

    def mark(self):
        """What a reload would lose."""
        self.script("window.isSamePage = true")

    def was_reloaded(self):
        return not self.script("return window.isSamePage === true")

    def emulate(self, width, height, scheme="light", colours="none"):
        """A window's size, and what the user prefers."""
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})
        preferred = {"prefers-color-scheme": scheme, "prefers-reduced-motion": "reduce", "forced-colors": colours}
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "features": [{"name": name, "value": value} for name, value in preferred.items()]})

    def axe(self):
        """What axe-core finds, whose script the page's policy would not load, but which the driver may run."""
        if not self.script("return typeof axe === 'object'"):
            self.script((pathlib.Path(axe_core_python.__file__).parent / "axe.min.js").read_text())
        found = self.browser.execute_async_script(
            "axe.run(document, {resultTypes: ['violations']}).then(arguments[arguments.length - 1])")
        assert found["passes"]
        return [(rule["id"], [node["target"] for node in rule["nodes"]][:3]) for rule in found["violations"]]

    def wait_ticks(self, count):
        """Waits until the page has redrawn its ages some times."""
        script = "const [count, done] = arguments; let left = count; " \
            "const timer = setInterval(() => { left -= 1; if (left < 0) { clearInterval(timer); done(); } }, 1000);"
        self.browser.execute_async_script(script, count)

    def log(self):
        """What the browser said since the last call, apart from requests that were answered with an error or not at all."""
        return [line["message"] for line in self.browser.get_log("browser") if line["source"] != "network"]
