#!/usr/bin/env python3
"""Draws the queries of grafana-dashboard.json as an SVG, from a Prometheus that has scraped some service.

    ./draw.py http://127.0.0.1:9090 600 > dashboard.svg

The number is how many seconds to show, until now. It is a drawing of the same queries and not Grafana's.
"""
import json
import pathlib
import sys
import time
import urllib.parse
import urllib.request
from xml.sax.saxutils import escape

COLUMN, ROW, GAP = 50, 32, 6
COLORS = ["#3b82d0", "#d9822b", "#2f9e57", "#c94f7c", "#8a63d2", "#8c8c3a"]
STYLE = """
svg { --page: #f4f5f7; --panel: #fff; --line: #c8ccd2; --text: #1f2329; --faint: #5c6470; font: 11px system-ui, sans-serif }
@media (prefers-color-scheme: dark) {
  svg { --page: #111317; --panel: #1b1e24; --line: #41464f; --text: #e3e6ea; --faint: #a2a9b4 }
}
.page { fill: var(--page) } .panel { fill: var(--panel); stroke: var(--line) } text { fill: var(--text) }
.faint { fill: var(--faint) } .title { font-weight: 600 } .value { font-size: 26px; font-weight: 600 }
.grid { stroke: var(--line) } polyline { fill: none; stroke-width: 1.6 }
"""


def ask(server, path, **query):
    with urllib.request.urlopen(f"{server}/api/v1/{path}?{urllib.parse.urlencode(query)}", timeout=30) as answer:
        return json.load(answer)["data"]["result"]


def number(value, unit):
    """A value as a person reads it."""
    if unit == "percentunit":
        return f"{100 * value:.3g} %"
    if unit == "s":
        for size, name in ((86400, "d"), (3600, "h"), (60, "min")):
            if value >= size:
                return f"{value / size:.3g} {name}"
        return f"{value:.3g} s" if value >= 1 or value == 0 else f"{value * 1000:.3g} ms"
    for size, name in ((1e6, "M"), (1e3, "k")):
        if value >= size:
            return f"{value / size:.3g} {name}"
    return f"{value:.3g}" + ("/s" if unit in ("ops", "reqps") else "")


def name(target, labels):
    """The legend of a series, as Grafana fills it in."""
    text = target["legendFormat"]
    for label, value in labels.items():
        text = text.replace("{{" + label + "}}", value)
    return text


def lines(panel, server, start, end, width, height):
    """The lines of a panel, its scale and its legend."""
    found = [(name(target, series["metric"]), [(float(at), float(value)) for at, value in series["values"]])
             for target in panel["targets"]
             for series in ask(server, "query_range", query=fill(target), start=start, end=end, step=(end - start) / 120)]
    found = [(label, [point for point in points if abs(point[1]) < float("inf")]) for label, points in found][:len(COLORS)]
    top = max((value for _, points in found for _, value in points), default=0) or 1
    left, high = 52, height - 62
    for part in (0, 0.5, 1):
        y = 28 + high * (1 - part)
        yield f'<line class="grid" x1="{left}" x2="{width - 10}" y1="{y:.0f}" y2="{y:.0f}"/>'
        text = number(top * part, unit(panel, panel["targets"][0]))
        yield f'<text class="faint" x="{left - 6}" y="{y + 4:.0f}" text-anchor="end">{text}</text>'
    if not found:
        yield f'<text class="faint" x="{width / 2}" y="{28 + high / 2 - 6}" text-anchor="middle">no data</text>'
    x = left
    for color, (label, points) in zip(COLORS, found):
        path = " ".join(f"{left + (at - start) / (end - start) * (width - left - 10):.1f},{28 + high * (1 - value / top):.1f}"
                        for at, value in points)
        yield f'<polyline stroke="{color}" points="{path}"/>'
        if x < width - 60:
            yield f'<rect x="{x}" y="{height - 21}" width="10" height="3" fill="{color}"/>'
            yield f'<text x="{x + 14}" y="{height - 15}">{escape(label)}</text>'
        x += 34 + 6 * len(label)


def unit(panel, target):
    """The unit of a query's values: that of its series, or that of the panel."""
    settings = panel["fieldConfig"]
    own = [each["properties"][0]["value"] for each in settings["overrides"]
           if each["matcher"]["options"] == target["legendFormat"]]
    return (own or [settings["defaults"]["unit"]])[0]


def stat(panel, server, width, height):
    """The value of a panel with one number for each query."""
    texts = []
    for target in panel["targets"]:
        found = ask(server, "query", query=fill(target))
        texts.append(number(float(found[0]["value"][1]), unit(panel, target)) if found else "–")
    yield f'<text class="value" x="{width / 2}" y="{height / 2 + 22}" text-anchor="middle">{escape(" · ".join(texts))}</text>'


def table(panel, server, width):
    """The labels of a panel's series."""
    columns = ["instance", "service", "version", "state", "sdk_version"]
    rows = [columns] + [[series["metric"].get(column, "") for column in columns]
                        for series in ask(server, "query", query=fill(panel["targets"][0]))][:7]
    for index, row in enumerate(rows):
        for column, text in enumerate(row):
            x = 12 + column * (width - 20) / len(columns)
            kind = "cell" if index else "faint"
            yield f'<text class="{kind}" x="{x:.0f}" y="{44 + 20 * index}">{escape(text)}</text>'


def fill(target):
    """The query, with Grafana's variables replaced."""
    text = target["expr"]
    for variable, value in (("$job", ".+"), ("$instance", ".+"), ("$__rate_interval", "30s")):
        text = text.replace(variable, value)
    return text


def draw(server, seconds):
    """The whole drawing."""
    dashboard = json.loads(pathlib.Path(__file__).with_name("grafana-dashboard.json").read_text())
    end = time.time()
    bottom = max(panel["gridPos"]["y"] + panel["gridPos"]["h"] for panel in dashboard["panels"])
    size = (24 * COLUMN + GAP, bottom * ROW + GAP)
    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size[0]} {size[1]}" role="img">'
    yield f"<title>{escape(dashboard['title'])}</title><style>{STYLE}</style>"
    yield f'<rect class="page" width="{size[0]}" height="{size[1]}"/>'
    for panel in dashboard["panels"]:
        place = panel["gridPos"]
        width, height = place["w"] * COLUMN - GAP, place["h"] * ROW - GAP
        yield f'<g transform="translate({place["x"] * COLUMN + GAP} {place["y"] * ROW + GAP})">'
        yield f'<rect class="panel" width="{width}" height="{height}" rx="3"/>'
        yield f'<text class="title" x="10" y="18">{escape(panel["title"])}</text>'
        if panel["type"] == "stat":
            yield from stat(panel, server, width, height)
        elif panel["type"] == "table":
            yield from table(panel, server, width)
        else:
            yield from lines(panel, server, end - seconds, end, width, height)
        yield "</g>"
    yield "</svg>"


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    print("\n".join(draw(sys.argv[1].rstrip("/"), float(sys.argv[2]))))
