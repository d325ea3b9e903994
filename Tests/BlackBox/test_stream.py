"""Changes that arrive by a stream of server-sent events, and streams that are bad."""
import json
import queue
import threading
import time
import http.server

import pytest
from driver import PATIENCE, SCHEMA


def document(version, **more):
    return json.dumps({"$schema": SCHEMA, "configurationVersion": version, "configurationBundle": [], **more}).encode()


class Stream:
    """A server of a document and of its stream, both as the test says."""

    def __init__(self):
        self.document, self.link = document(1), None
        self.requests, self.opened = [], queue.Queue()
        # What the next streams answer: a status with headers, or None for events.
        self.answers = []
        self.subscribers = []
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                outer.requests.append((self.path, dict(self.headers)))
                if self.path == "/events":
                    self.stream()
                else:
                    self.answer(outer.document)

            def answer(self, body):
                tag = f'"{hash(body)}"'
                changed = self.headers.get("If-None-Match") != tag
                self.send_response(200 if changed else 304)
                self.send_header("ETag", tag)
                if outer.link:
                    self.send_header("Link", outer.link)
                self.send_header("Content-Length", str(len(body) if changed else 0))
                self.end_headers()
                if changed:
                    self.wfile.write(body)

            def stream(self):
                self.close_connection = True
                answer = outer.answers.pop(0) if outer.answers else None
                status, headers = answer or (200, {"Content-Type": "text/event-stream"})
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Connection", "close")
                self.end_headers()
                outer.opened.put(status)
                if status != 200 or answer:
                    return
                lines = queue.Queue()
                outer.subscribers.append(lines)
                self.wfile.write(b": hello\n\n")
                self.wfile.flush()
                try:
                    while (line := lines.get()) is not None:
                        self.wfile.write(line)
                        self.wfile.flush()
                except OSError:
                    pass  # The driver has ended.

            def log_message(self, *words):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def send(self, text):
        for lines in self.subscribers:
            lines.put(text.encode())

    def cut(self):
        for lines in self.subscribers:
            lines.put(None)
        self.subscribers.clear()

    def publish(self, version, **more):
        self.document = document(version, **more)

    def paths(self):
        return [path for path, _ in self.requests]

    def close(self):
        self.cut()
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def stream():
    stream = Stream()
    yield stream
    stream.close()


def updated(driver, version):
    """Waits until a version is applied."""
    end = time.monotonic() + PATIENCE
    while version not in [found for _, found in driver.updates()]:
        assert time.monotonic() < end, driver.lines
        time.sleep(0.005)


def begin(drive, stream, *options):
    driver = drive("--config", f"{stream.url}/document", "--log-level", "verbose", *options)
    assert stream.opened.get(timeout=PATIENCE) == 200
    updated(driver, 1)
    # The fetch that each connection begins with.
    while stream.paths().count("/document") < 2:
        time.sleep(0.005)
    return driver


@pytest.mark.parametrize("event", [
    'data: {"version":2}\n\n', "event: changed\ndata: {}\n\n", "event: changed\ndata:\n\n", "data: now\n\n",
    'event: changed\nid: 7\ndata: {"version":2,"unknown":[]}\n\n'])
def test_a_signalled_version_is_applied_without_a_poll(drive, stream, event):
    driver = begin(drive, stream, "--stream", f"{stream.url}/events")
    stream.publish(2)
    stream.send(event)
    updated(driver, 2)
    driver.quit(timeout=0)


def test_a_document_may_come_with_its_signal(drive, stream):
    driver = begin(drive, stream, "--stream", f"{stream.url}/events")
    fetches = stream.paths().count("/document")
    stream.send(f"event: document\ndata: {document(5).decode()}\n\n")
    updated(driver, 5)
    assert stream.paths().count("/document") == fetches
    driver.quit(timeout=0)


def test_the_server_may_name_the_stream_to_those_that_poll(drive, stream):
    stream.link = '</other>; rel="next", </events>; rel="monitor"'
    driver = begin(drive, stream, "--poll", 3600)
    stream.publish(2)
    stream.send('data: {"version":2}\n\n')
    updated(driver, 2)
    driver.quit(timeout=0)


def test_what_is_missed_between_two_connections_is_fetched_by_the_second(drive, stream):
    driver = begin(drive, stream, "--stream", f"{stream.url}/events")
    stream.cut()
    stream.publish(2)
    assert stream.opened.get(timeout=PATIENCE) == 200
    updated(driver, 2)
    driver.quit(timeout=0)


def test_lower_and_known_versions_lead_to_no_fetch(drive, stream):
    stream.publish(5)
    driver = drive("--config", f"{stream.url}/document", "--stream", f"{stream.url}/events", "--log-level", "verbose")
    updated(driver, 5)
    stream.opened.get(timeout=PATIENCE)
    while stream.paths().count("/document") < 2:
        time.sleep(0.005)
    for version in (5, 4, 4, 1):
        stream.send(f'data: {{"version":{version}}}\n\n')
        # Of signals that come at one time, the first may be lost.
        time.sleep(0.2)
    stream.publish(6)
    stream.send('data: {"version":6}\n\n')
    updated(driver, 6)
    assert stream.paths().count("/document") == 3
    driver.quit(timeout=0)
    assert sum("a signal of version 4 is ignored: version 5 is in use" in line for line in driver.log) == 1


@pytest.mark.parametrize("answer, words", [
    ((401, {}), "401"), ((204, {}), "204"), ((503, {"Retry-After": "1"}), "503"),
    ((200, {"Content-Type": "text/html"}), "text/html"), ((302, {"Location": "ftp://example.com/"}), "redirect")])
def test_a_stream_that_is_none_is_one_warning_and_polling_goes_on(drive, stream, answer, words):
    stream.answers = [answer] * 1000
    driver = drive("--config", f"{stream.url}/document", "--stream", f"{stream.url}/events", "--poll", 0.3)
    updated(driver, 1)
    stream.publish(2)
    updated(driver, 2)
    stream.publish(3)
    updated(driver, 3)
    driver.quit(timeout=0)
    lines = [line for line in driver.log if "polling goes on" in line]
    assert len(lines) == 1 and words in lines[0], driver.log


def test_unreadable_signals_are_one_warning_and_still_say_that_something_changed(drive, stream):
    driver = begin(drive, stream, "--stream", f"{stream.url}/events")
    stream.publish(2)
    stream.send('data: {"version":"two"}\n\n' * 3)
    updated(driver, 2)
    driver.quit(timeout=0)
    lines = [line for line in driver.log if "version: expected" in line and line.startswith("warning")]
    assert len(lines) == 1, driver.log


def test_headers_are_not_sent_to_the_stream_of_another_server(drive, stream):
    # The driver has no headers of its own; its validators are of the document, and of no stream.
    begin(drive, stream, "--stream", f"{stream.url}/events").quit(timeout=0)
    for path, headers in stream.requests:
        if path == "/events":
            assert headers["Accept"] == "text/event-stream"
            assert "If-None-Match" not in headers
