"""The console's commands, by HTTP and without a browser."""
import json
import pathlib
import re
import urllib.error
import urllib.request

import pytest
from documents import NOWHERE, DocumentFile, bundle, feature
from driver import PATIENCE, TOOL, Program, program, run, wait_until


class Page(Program):
    """A command with a console, until it is closed."""

    def __init__(self, *words):
        super().__init__(program(words[0]), *words)
        try:
            self.url = self.wait_for(r"(?:console is at|open) (http://127\.0\.0\.1:\d+)/")[1]
        except BaseException:
            self.end()
            raise

    @property
    def said(self):
        return "\n".join(self.lines)

    def ask(self, method, path, body=None, **headers):
        data = None if body is None else json.dumps(body).encode()
        if data is not None:
            headers.setdefault("Content-Type", "application/json")
        request = urllib.request.Request(f"{self.url}/{path}", data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as error:
            return error.code, error.read()

    def get(self, path, **headers):
        status, body = self.ask("GET", path, **headers)
        assert status == 200, body
        return json.loads(body)

    def fetched(self, **headers):
        """Waits for the end of the first fetch, and that it is said; the status then."""
        self.wait_for("fetched: ")
        return self.get("status", **headers)


@pytest.fixture
def page(tmp_path):
    pages = []
    directories = ["--cache-dir", tmp_path / "cache", "--state-dir", tmp_path / "state"]

    def start(*words, directories=directories):
        pages.append(Page(*words, *directories))
        return pages[-1]

    yield start
    for page in pages:
        page.end()


@pytest.fixture
def publish(tmp_path):
    """Publishes a document with a tracker and a variable; its URL."""
    file = DocumentFile(tmp_path)

    def publish(version, limit):
        file.publish(version, [bundle(NOWHERE, "checkout")], features={"checkout": feature(limit=limit)})
        return file.url

    return publish


def test_console_shows_what_a_document_gives_and_changes_nothing(page, publish):
    console = page("console", publish(2, limit=3))
    status = console.fetched()
    assert (status["document"]["version"], status["trackers"][0]["namespace"]) == (2, "checkout")
    assert console.get("live")["allowsChanges"] is False
    assert console.ask("PUT", "features/checkout/variables/limit", {"value": 9})[0] == 403
    assert console.get("features")["features"][0]["variables"][0]["value"] == 3
    assert b"</html>" in console.ask("GET", "")[1]
    # An open stream does not delay the end.
    with urllib.request.urlopen(f"{console.url}/stream", timeout=PATIENCE) as stream:
        assert stream.readline() == b"event: live\n"
        assert console.terminate() == 0
    assert "shut down: 0 events sent, 0 stored, 0 dropped" in console.said


def test_console_changes_and_refreshes_where_it_may(page, publish, monkeypatch):
    monkeypatch.setenv("CONSOLE_TOKEN", "t0ken")
    console = page("console", publish(2, limit=3), "--allow-changes")
    token = {"Authorization": "Bearer t0ken"}
    assert console.ask("GET", "status")[0] == 401
    console.fetched(**token)
    assert console.ask("PUT", "features/checkout/variables/limit", {"value": 9, "by": "dana"}, **token)[0] == 200
    publish(3, limit=4)
    status, body = console.ask("POST", "refresh", **token)
    assert json.loads(body)["outcome"]["kind"] == "applied"
    variable = console.get("features", **token)["features"][0]["variables"][0]
    assert (variable["value"], variable["source"], variable["overridden"][0]["value"]) == (9, "override", 4)
    assert console.get("difference", **token)["oldVersion"] == 2
    assert console.terminate() == 0


def test_words_that_cannot_be_used_are_refused(publish):
    for words in (["console"], ["console", "file:///x", "--host", "0.0.0.0"], ["demo", "--console", "--host", "0.0.0.0"],
                  ["console", "file:///x", "--port", "70000"], ["console", "file:///x", "--token", "t"],
                  ["console", "file:///x", "--token-file", "/dev/null"]):
        status, _, errors = run(program(words[0]), *words)
        assert status == 64 and errors.startswith(f"{pathlib.Path(program(words[0])).name}: "), (words, errors)
    status, _, errors = run(TOOL, "console", publish(2, limit=3), "--host", "300.0.0.1")
    assert status == 64 and "--host takes an IP address or localhost, not '300.0.0.1'" in errors


def test_a_port_that_is_taken_ends_with_69_before_a_setup_starts(page, publish):
    url = publish(2, limit=3)
    port = page("console", url).url.rsplit(":", 1)[1]
    assert run(TOOL, "console", url, "--port", port) == (
        69, "", f"tracker-config: cannot bind to 127.0.0.1:{port}: Address already in use\n")


def test_the_token_comes_from_a_file_or_the_environment(page, publish, tmp_path, monkeypatch):
    path = tmp_path / "token"
    path.write_text("t0ken\n")
    url = publish(2, limit=3)
    given = page("console", url, "--token-file", path)
    assert given.ask("GET", "status")[0] == 401
    given.fetched(Authorization="Bearer t0ken")
    monkeypatch.setenv("CONSOLE_TOKEN", "other")
    named = page("console", url)
    assert named.ask("GET", "status")[0] == 401
    named.fetched(Authorization="Bearer other")
    # The same token reads the status of a running service.
    status, text, errors = run(TOOL, "status", named.url)
    assert (status, errors) == (0, "") and "normal: " in text
    status, text, _ = run(TOOL, "status", named.url, "--json")
    assert json.loads(text)["document"]["version"] == 2
    assert run(TOOL, "status", named.url, "--token-file", path)[0] == 69
    assert run(TOOL, "status", "http://127.0.0.1:9/console")[0] == 69 and run(TOOL, "status", "file:///x")[0] == 64
    monkeypatch.setenv("CONSOLE_TOKEN", " ")
    assert run(TOOL, "console", url)[0] == 64


def test_a_path_is_taken_as_a_file_and_localhost_as_loopback(page, publish, tmp_path):
    publish(2, limit=3)
    console = page("console", tmp_path / "trackers.json", "--host", "localhost")
    assert console.fetched()["document"]["version"] == 2


@pytest.mark.parametrize("word, hint", [
    ("new/nope.json", ""), ("{user}.json", "; a path with {user} needs a file URL: file://%s/{user}.json"),
    ("localhost:8080/a.json", "; did you mean 'http://localhost:8080/a.json'?"),
    ("config.example.com/trackers.json", "; did you mean 'https://config.example.com/trackers.json'?")])
def test_a_word_that_is_no_url_and_no_file_is_refused_with_what_was_meant(tmp_path, word, hint):
    hint = hint % tmp_path if "%s" in hint else hint
    assert run(TOOL, "console", word, cwd=tmp_path) == (66, "", f"tracker-config: no such file: {word}{hint}\n")


def test_a_console_has_directories_of_its_own_and_names_those_that_are_temporary(page, publish, tmp_path, monkeypatch):
    for name in ("HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / "home"))
    url = publish(2, limit=3)
    for options, named in (([], "cache and state are in "),
                           (["--state-dir", tmp_path / "state"], "the cache is in .* until the command ends; --cache-dir keeps it elsewhere"),
                           (["--cache-dir", tmp_path / "cache"], "the state is in .* until the command ends; --state-dir keeps it elsewhere")):
        console = page("console", url, *options, directories=[])
        console.fetched()
        assert console.terminate() == 0
        assert re.search(named, console.said)
        assert console.said.count("fetched: ") == 1 and "version 2 was applied" in console.said
    assert not (tmp_path / "home").exists()


def test_the_demonstration_goes_on_behind_its_console(page):
    console = page("demo", "--console", directories=[])
    assert "A shop goes on behind its console" in console.said
    live, status = console.get("live"), console.get("status")
    # Another version comes every 20 s, which may have passed on a slow machine.
    assert (live["title"], status["document"]["version"] > 0, live["allowsChanges"]) == ("Shop", True, True)
    assert {tracker["namespace"] for tracker in status["trackers"]} == {"checkout", "search", "payments"}
    # Nothing is wrong at first; then it shows a canary that fails and is reverted.
    assert {line["level"] for line in status["lines"]} <= {"normal", "news"}
    names, cursor = set(), ""

    def are_seen():
        nonlocal cursor
        live = console.get(f"live?after={cursor}")
        cursor = live["cursor"]
        names.update(event["name"] for event in live["events"])
        return {"search / query / tea", "com.example.shop/payment/1-0-0"} <= names

    wait_until(lambda: f"a search and a payment are tracked: {names}", are_seen, pause=0.1)
    wait_until("a canary is reverted", pause=0.1, look=lambda: any(
        line["text"].startswith("Version 2 was reverted after ") for line in console.get("status")["lines"]))
    assert console.terminate() == 0
    # What is not sent within the 2 s of its shutdown is stored.
    assert re.search(r"shutdown:\s+\d+\s+events\s+sent,\s+\d+\s+stored,\s+0\s+dropped", console.said)
