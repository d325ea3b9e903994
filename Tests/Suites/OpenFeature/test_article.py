"""Runs the example of the article Flags-For-Other-Languages with its document, and compares what it prints with what it shows."""

import contextlib
import io
import json
import re

import pytest
from conftest import ROOT

pytest.importorskip("openfeature.contrib.provider.ofrep", reason="openfeature-provider-ofrep is not installed")

ARTICLE = ROOT / "Sources/TrackerConfig/TrackerConfig.docc/Flags-For-Other-Languages.md"


def test_the_python_example_prints_what_the_article_shows(serve):
    text = ARTICLE.read_text()
    document = json.loads(re.search(r"^```json\n(.*?)^```", text, re.M | re.S)[1])
    code, shown = re.search(r"^```python\n(.*?)^```\n\n```\n(.*?)^```", text, re.M | re.S).groups()
    console = serve(document, "--allow-changes", CONSOLE_TOKEN=re.search(r"Bearer (\w+)", code)[1])
    address = "http://127.0.0.1:8080"
    assert address in code
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code.replace(address, console.url), str(ARTICLE), "exec"), {})
    assert printed.getvalue() == shown
