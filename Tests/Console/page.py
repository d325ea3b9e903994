"""The console's page in a browser, by the hooks that its header comment lists."""
import json

from selenium import webdriver
from selenium.common.exceptions import (
    ElementNotInteractableException, NoSuchElementException, StaleElementReferenceException, TimeoutException)
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from services import PATIENCE

NOT_YET = (NoSuchElementException, StaleElementReferenceException, ElementNotInteractableException)


def start_browser():
    options = webdriver.ChromeOptions()
    for word in ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-background-networking",
                 "--no-first-run", "--window-size=1280,900"]:
        options.add_argument(word)
    options.binary_location = "/usr/bin/chromium"
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    browser = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
    browser.set_script_timeout(2 * PATIENCE)
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

    # Finding. Nothing is read at once: what the page shows comes in slices, and later.

    def find(self, hook):
        return self.browser.find_element("css selector", hook)

    def all(self, hook):
        return self.browser.find_elements("css selector", hook)

    def until(self, condition, what):
        """What the condition gives, as soon as that is true; `what`, a text or what gives one, is said where it never is."""
        def is_so(_):
            return condition()
        try:
            return WebDriverWait(self.browser, PATIENCE, 0.1, ignored_exceptions=NOT_YET).until(is_so)
        except TimeoutException:
            if callable(what):
                what = what()
            shown = self.browser.execute_script("return document.body.innerText")
            raise AssertionError(f"never {what}; the page shows:\n{shown[:3000]}") from None

    def text(self, hook):
        """The text also of what is not rendered, because it is far below."""
        return self.find(hook).get_property("textContent")

    def wait_text(self, hook, expected):
        """Waits until a shown element has a text in it."""
        return self.until(
            lambda: expected in self.text(hook) and self.is_shown(hook) and self.text(hook),
            lambda: f"{hook} with {expected!r}, but {[each.get_property('textContent') for each in self.all(hook)]}")

    def wait_gone(self, hook):
        self.until(lambda: not any(self.displayed(each) for each in self.all(hook)), f"without {hook}")

    def displayed(self, element):
        # As WebDriver has it, with what is far below taken for shown.
        return self.browser.execute_script("return arguments[0].checkVisibility({ visibilityProperty: true })", element)

    def is_shown(self, hook):
        return self.displayed(self.find(hook))

    def wait_shown(self, hook):
        self.until(lambda: self.is_shown(hook), f"shown: {hook}")
        return self.find(hook)

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
        element = self.wait_shown(hook)
        self.browser.execute_script("arguments[0].scrollIntoView({ block: 'center' })", element)
        element.send_keys(Keys.CONTROL, "a", Keys.NULL, text or Keys.BACKSPACE, *keys)

    def show(self, view):
        self.click(f"[data-tab={view}]")
        self.wait_shown(f"[data-view={view}]")

    def show_values(self):
        """Shows the features, each with its values."""
        self.show("features")
        self.script("location.hash = '#features?open=*'")

    def show_differences(self):
        """Opens what differs from the default, which is folded at first."""
        self.script("arguments[0].open = true", self.wait_shown("[data-role=differences]"))
        self.wait_shown("[data-difference]")

    def script(self, text, *words):
        return self.browser.execute_script(text, *words)

    # The page's own parts.

    def wait_connection(self, *states):
        self.until(lambda: self.find("html").get_attribute("data-connection") in states, f"one of {states}")

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

    def log(self):
        """What the browser said since the last call, apart from requests that were answered with an error or not at all."""
        return [line["message"] for line in self.browser.get_log("browser") if line["source"] != "network"]
