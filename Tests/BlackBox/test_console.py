"""The console's commands, by HTTP and without a browser."""

import json
import pathlib
import re
import signal
import subprocess
import urllib.error
import urllib.request

import pytest
from documents import DocumentFile, feature
from driver import PATIENCE, program


class Page:
    """A command with a console, until it is closed."""

    def __init__(self, *words):
        self.process = subprocess.Popen(
            [program(words[0]), *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.said = ""
        for line in self.process.stdout:
            self.said += line
            if found := re.search(r"(http://127\.0\.0\.1:\d+)/[ ,]", line):
                if "console" in line or "open " in line:
                    self.url = found[1]
                    return
        raise AssertionError(self.said)

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
        """Waits for the end of the first fetch."""
        while not (overview := self.get("overview", **headers))["fetches"]:
            pass
        return overview

    def read_until(self, word):
        """Reads what it says up to the line that has a word."""
        for line in self.process.stdout:
            self.said += line
            if word in line:
                return
        raise AssertionError(self.said)

    def end(self):
        """Ends it as a supervisor does, and gives what it said."""
        self.process.send_signal(signal.SIGTERM)
        self.said += self.process.communicate(timeout=PATIENCE)[0]
        return self.process.returncode


@pytest.fixture
def page(tmp_path):
    pages = []
    directories = ["--cache-dir", tmp_path / "cache", "--state-dir", tmp_path / "state"]

    def start(*words, directories=directories):
        pages.append(Page(*words, *directories))
        return pages[-1]

    yield start
    for page in pages:
        if page.process.poll() is None:
            page.process.kill()
            page.process.wait()


@pytest.fixture
def file(tmp_path):
    """A document with a tracker and a variable, published anew at each call."""
    def publish(version, limit):
        bundle = {"namespace": "checkout", "networkConfiguration": {"endpoint": "http://127.0.0.1:9"}}
        document = DocumentFile(tmp_path)
        document.publish(version, [bundle], features={"checkout": feature(limit=limit)})
        return document.url

    return publish


def test_console_shows_what_a_document_gives_and_changes_nothing(page, file):
    console = page("console", "--config", file(2, limit=3))
    overview = console.fetched()
    assert (overview["document"]["version"], overview["allowsChanges"]) == (2, False)
    assert console.get("trackers")["trackers"][0]["namespace"] == "checkout"
    assert console.ask("PUT", "features/checkout/variables/limit", {"value": 9})[0] == 403
    assert console.get("features")["features"][0]["variables"][0]["value"] == 3
    assert b"</html>" in console.ask("GET", "")[1]
    assert console.end() == 0
    assert "shut down: 0 events sent, 0 stored, 0 dropped" in console.said


def test_console_changes_and_refreshes_where_it_may(page, file):
    console = page("console", "--config", file(2, limit=3), "--allow-changes", "--token", "t0ken")
    token = {"Authorization": "Bearer t0ken"}
    assert console.ask("GET", "overview")[0] == 401
    console.fetched(**token)
    assert console.ask("PUT", "features/checkout/variables/limit", {"value": 9, "by": "dana"}, **token)[0] == 200
    file(3, limit=4)
    status, body = console.ask("POST", "refresh", **token)
    assert json.loads(body)["outcome"]["kind"] == "applied"
    variable = console.get("features", **token)["features"][0]["variables"][0]
    assert (variable["value"], variable["source"], variable["overridden"][0]["value"]) == (9, "override", 4)
    assert console.get("difference", **token)["oldVersion"] == 2
    assert console.end() == 0


def test_an_open_stream_does_not_hold_up_the_end(page, file):
    console = page("console", "--config", file(2, limit=3))
    stream = urllib.request.urlopen(f"{console.url}/stream", timeout=PATIENCE)
    assert stream.readline() == b"event: live\n"
    assert console.end() == 0
    stream.close()


@pytest.mark.parametrize("words", [
    ["console"], ["console", "--config", "file:///x", "--host", "0.0.0.0"], ["demo", "--console", "--host", "0.0.0.0"],
    ["console", "--config", "file:///x", "--token", ""], ["console", "--config", "file:///x", "--port", "70000"],
    ["console", "--config", "file:///x", "--token", "t", "--token-file", "/dev/null"],
])
def test_words_that_cannot_be_used_are_refused(words):
    done = subprocess.run([program(words[0]), *words], capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 64
    assert done.stderr.startswith(f"{pathlib.Path(program(words[0])).name}: ")


def test_an_address_that_is_none_is_an_error(operator, file):
    done = subprocess.run(
        [operator, "console", "--config", file(2, limit=3), "--host", "300.0.0.1", "--token", "t"],
        capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 64
    assert "--host takes an IP address or localhost, not '300.0.0.1'" in done.stderr


def test_a_port_that_is_taken_ends_with_69_before_a_setup_starts(page, file):
    url = file(2, limit=3)
    port = page("console", "--config", url).url.rsplit(":", 1)[1]
    done = subprocess.run(
        [program("console"), "console", "--config", url, "--port", port], capture_output=True, text=True, timeout=PATIENCE)
    assert (done.returncode, done.stdout) == (69, "")
    assert done.stderr == f"tracker-config: cannot bind to 127.0.0.1:{port}: Address already in use\n"


def test_the_token_comes_from_a_file_or_the_environment_and_not_from_the_list_of_processes(page, file, tmp_path, monkeypatch):
    path = tmp_path / "token"
    path.write_text("t0ken\n")
    url = file(2, limit=3)
    given = page("console", "--config", url, "--token-file", path)
    assert given.ask("GET", "overview")[0] == 401
    given.fetched(Authorization="Bearer t0ken")
    monkeypatch.setenv("CONSOLE_TOKEN", "other")
    named = page("console", "--config", url)
    assert named.ask("GET", "overview")[0] == 401
    named.fetched(Authorization="Bearer other")
    shown = page("console", "--config", url, "--token", "third")
    shown.fetched(Authorization="Bearer third")
    assert "--token shows in the list of processes" in shown.said and "--token shows" not in given.said + named.said


def test_a_path_is_taken_as_a_file_and_localhost_as_loopback(page, file, tmp_path):
    file(2, limit=3)
    console = page("console", "--config", DocumentFile(tmp_path).path, "--host", "localhost")
    assert console.fetched()["document"]["version"] == 2


@pytest.mark.parametrize("word, hint", [
    ("good.jsn", ""), ("./nope", ""), ("new/nope.json", ""), ("config.example.com", ""),
    ("{user}.json", "; a path with {user} needs a file URL: file://%s/{user}.json"),
    ("localhost:8080/a.json", "; did you mean 'http://localhost:8080/a.json'?"),
    ("config.example.com/trackers.json", "; did you mean 'https://config.example.com/trackers.json'?")])
def test_a_word_that_is_no_url_and_no_file_is_refused_with_what_was_meant(operator, tmp_path, word, hint):
    done = subprocess.run(
        [operator, "console", "--config", word], capture_output=True, text=True, timeout=PATIENCE, cwd=tmp_path)
    hint = hint % tmp_path if "%s" in hint else hint
    assert (done.returncode, done.stdout, done.stderr) == (66, "", f"tracker-config: no such file: {word}{hint}\n")


def test_a_console_has_directories_of_its_own_and_says_which(page, file, tmp_path, monkeypatch):
    for name in ("HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / "home"))
    console = page("console", "--config", file(2, limit=3), directories=[])
    assert "cache and state are in " in console.said
    # A page sees the end of a fetch a moment before the line is said, and a console that ends says it no more.
    if "fetched: " not in console.said:
        console.read_until("fetched: ")
    assert console.end() == 0
    assert not (tmp_path / "home").exists()
    assert console.said.count("fetched: ") == 1 and "version 2 was applied" in console.said


def test_a_console_names_only_the_directories_that_are_temporary(page, file, tmp_path):
    console = page("console", "--config", file(2, limit=3), "--state-dir", tmp_path / "state", directories=[])
    assert "the cache is in " in console.said and "until the command ends; --cache-dir keeps it elsewhere\n" in console.said
    assert console.end() == 0
    console = page("console", "--config", file(2, limit=3), "--cache-dir", tmp_path / "cache", directories=[])
    assert "the state is in " in console.said and "until the command ends; --state-dir keeps it elsewhere\n" in console.said
    assert console.end() == 0


def test_the_demonstration_goes_on_behind_its_console(page):
    console = page("demo", "--console", directories=[])
    assert "A shop goes on behind its console" in console.said
    overview = console.get("overview")
    assert (overview["title"], overview["document"]["version"], overview["allowsChanges"]) == ("Shop", 1, True)
    assert {tracker["namespace"] for tracker in console.get("trackers")["trackers"]} == {"checkout", "search"}
    names = set()
    cursor = ""
    while not {"search / query / tea", "com.example.shop/payment/1-0-0"} <= names:
        live = console.get(f"live?after={cursor}")
        cursor = live["cursor"]
        names |= {event["name"] for event in live["events"]}
    assert console.end() == 0
    assert " 0 stored, 0 dropped" in console.said
