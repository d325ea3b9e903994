"""What all users need of a page: labels, order, contrast, room on a phone."""
import pytest
from samples import REMOTE, bundle, variable

VIEWS = ["overview", "trackers", "features", "users", "changes", "live"]

UNLABELLED = """
const seen = [...document.querySelectorAll("input, select, textarea, button, a, svg, [role=img]")]
  .filter(each => each.checkVisibility({ visibilityProperty: true }));
const name = each => each.getAttribute("aria-label")
  || each.getAttribute("aria-labelledby") && document.getElementById(each.getAttribute("aria-labelledby"))?.textContent
  || [...each.labels ?? []].map(label => label.textContent).join("")
  || (each.matches("button, a") && each.textContent);
return seen.filter(each => !name(each)?.trim()).map(each => each.outerHTML.slice(0, 200));
"""

STRUCTURE = """
const count = hook => document.querySelectorAll(hook).length;
const ids = [...document.querySelectorAll("[id]")].map(each => each.id);
const referred = [...document.querySelectorAll("[aria-labelledby], [aria-describedby], label[for]")]
  .flatMap(each => ["aria-labelledby", "aria-describedby", "for"].map(name => each.getAttribute(name)))
  .filter(Boolean);
const levels = [...document.querySelectorAll("h1, h2, h3, h4")].filter(each => each.checkVisibility())
  .map(each => Number(each.tagName[1]));
return {
  h1: count("h1"), header: count("body > header"), nav: count("nav[aria-label]"), main: count("main"),
  lang: document.documentElement.lang, twice: ids.filter((id, index) => ids.indexOf(id) !== index),
  nowhere: referred.filter(id => !document.getElementById(id)),
  skipped: levels.filter((level, index) => index > 0 && level > levels[index - 1] + 1),
  current: count("nav [aria-current=page]"),
};
"""

SPOKEN = """
return ["connection", "notice", "shown", "assignments"].filter(role =>
  [...document.querySelectorAll(`[data-role=${role}]`)].some(each =>
    !(each.getAttribute("role") === "status" || each.getAttribute("aria-live") === "polite")));
"""

# Colours of all text that is shown, on what is really below it (https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio).
PALE = """
const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
const rgba = colour => {
  canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
  return canvas.getImageData(0, 0, 1, 1).data;
};
const luminance = colour => {
  const [r, g, b] = [...colour].map(each => each / 255).map(each => each <= .04045 ? each / 12.92 : ((each + .055) / 1.055) ** 2.4);
  return .2126 * r + .7152 * g + .0722 * b;
};
const below = element => {
  for (let each = element; each; each = each.parentElement) {
    const colour = rgba(getComputedStyle(each).backgroundColor);
    if (colour[3] === 255) return colour;
  }
  return rgba("white");
};
const found = new Map();
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const element = walker.currentNode.parentElement;
  if (!walker.currentNode.data.trim() || element.closest("script, style, noscript, template, .skip")) continue;
  if (!element.checkVisibility({ visibilityProperty: true })) continue;
  const [a, b] = [luminance(rgba(getComputedStyle(element).color)), luminance(below(element))];
  const ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
  if (ratio < 4.5) found.set(element.outerHTML.slice(0, 120), ratio.toFixed(2));
}
return [Object.fromEntries(found), getComputedStyle(document.body).backgroundColor];
"""


@pytest.fixture
def busy(start):
    """A service that has something to show in each view."""
    service = start()
    service.client.put("features/checkout/variables/rate", 0.75)
    service.client.put("experiments/checkout_01/variant", "fast")
    service.spoil("{}")
    service.client.ask("POST", "refresh")
    service.publish(**{**REMOTE, "version": 3, "meta": {"owner": "growth"}})
    service.client.ask("POST", "refresh")
    service.spoil("{}")
    service.client.ask("POST", "refresh")
    return service


def opened(page, view):
    page.show_values() if view == "features" else page.show(view)
    if view == "trackers" and not page.all("[data-setting]"):
        page.click("[data-tracker=shop] [data-role=open]")
    page.wait_shown({"overview": "[data-exception]", "trackers": "[data-setting]", "users": "[data-unit]",
                     "features": page.row("checkout", "rate"), "changes": "[data-role=difference] li",
                     "live": "[data-role=events-state]"}[view])
    if view == "features" and not page.all("[data-role=editor]"):
        page.edit("checkout", "rate")
        page.type(f"{page.row('checkout', 'rate')} [data-role=input]", "no")
        page.click(f"{page.row('checkout', 'rate')} [data-role=save]")
        page.wait_shown("[data-role=editor] [data-role=error]")
    if view == "users":
        page.click("[data-role=assignment-form] [type=submit]")
        page.wait_shown("[data-assignment]")


def test_everything_has_a_name_and_its_place(busy, open_page):
    page = open_page(busy.url)
    page.wait_connection("live")
    for view in VIEWS:
        page.show(view)
        page.until(lambda: page.script("return document.activeElement.id") == f"{view}-title", "the focus at the title")
        opened(page, view)
        assert page.script(UNLABELLED) == [], view
        assert page.script(STRUCTURE) == {
            "h1": 1, "header": 1, "nav": 1, "main": 1, "lang": "en", "twice": [], "nowhere": [], "skipped": [],
            "current": 1}, view
        assert page.script(SPOKEN) == [], view
    page.show_values()
    assert page.attribute("[data-role=editor] [data-role=error]", "role") == "alert"
    assert page.spoken(f"{page.row('checkout', 'useNewFlow')} [data-role=edit]", "accessible_name") == (
        "Change checkout.useNewFlow")


@pytest.mark.parametrize("scheme, ground", [("light", "rgb(245, 246, 248)"), ("dark", "rgb(19, 22, 26)")])
def test_every_text_can_be_read_and_axe_finds_nothing(busy, open_page, scheme, ground):
    page = open_page(busy.url)
    page.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [
        {"name": "prefers-color-scheme", "value": scheme}, {"name": "prefers-reduced-motion", "value": "reduce"}]})
    page.wait_connection("live")
    for view in VIEWS:
        opened(page, view)
        page.until(lambda: page.script(PALE) == [{}, ground], lambda: f"enough contrast in {view}: {page.script(PALE)}")
        assert page.axe() == [], view


def test_a_phone_needs_no_sideways_scroll(start, open_page):
    name = "a.namespace-that-is-" + "very" * 25 + ".long"
    service = start(document={
        **REMOTE, "bundles": [*REMOTE["bundles"], bundle(name)],
        "features": {**REMOTE["features"], name: {"variables": {
            name: variable("x" * 300, title="word" * 60, description="word" * 60), "text": variable("y" * 200)}}},
        "meta": {name: "z" * 400}})
    page = open_page(service.url)
    page.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
        "width": 360, "height": 740, "deviceScaleFactor": 1, "mobile": False})
    page.wait_connection("live")
    for view in VIEWS:
        page.show_values() if view == "features" else page.show(view)
        if view == "features":
            page.edit(name, name)
        if view == "trackers":
            page.wait_shown("[data-tracker='ops']")
        # What is far below has no width before it is rendered.
        page.script("scrollTo(0, document.body.scrollHeight)")
        page.until(lambda: page.script("return document.documentElement.scrollWidth") <= 360, f"narrow: {view}")
    page.show_values()
    page.click("[data-role=editor] [data-role=cancel]")
