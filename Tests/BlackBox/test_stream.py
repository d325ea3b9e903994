"""Changes that arrive by a stream of server-sent events, and streams that are bad."""
import http.server
import json
import queue
import threading

import pytest
from driver import PATIENCE, document


def text(version):
    return json.dumps(document(version)).encode()


class Stream:
    """A server of a document and of its stream, both as the test says."""

    def __init__(self):
        self.document = text(1)
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
                self.send_header("Content-Length", str(len(body) if changed else 0))
                self.end_headers()
                if changed:
                    self.wfile.write(body)

            def stream(self):
                self.close_connection = True
                answer = outer.answers.pop(0) if outer.answers else None
                status, headers = answer or (200, {"Content-Type": "text/event-stream"})
                lines = queue.Queue()
                if not answer:
                    # Before the client can know of the stream.
                    outer.subscribers.append(lines)
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Connection", "close")
                self.end_headers()
                outer.opened.put(status)
                if answer:
                    return
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

    def publish(self, version):
        self.document = text(version)

    def fetches(self):
        return [path for path, _ in self.requests].count("/document")

    def close(self):
        self.cut()
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def stream():
    stream = Stream()
    yield stream
    stream.close()


def begin(drive, stream, version, *options):
    """Starts a service, and waits until its stream is open and the fetch is over that each connection begins with."""
    stream.publish(version)
    driver = drive("--config", f"{stream.url}/document", "--log-level", "verbose", *options)
    assert stream.opened.get(timeout=PATIENCE) == 200
    for _ in range(2):
        driver.fetched()
    assert driver.updates() == [("fetched", version)] and stream.fetches() == 2
    return driver


def test_versions_of_hints_are_applied_without_a_poll_and_lower_ones_lead_to_no_fetch(drive, stream):
    driver = begin(drive, stream, 1, "--stream", f"{stream.url}/events")
    events = ['data: {"version":%d}\n\n', "event: changed\ndata: {}\n\n",
              'event: changed\nid: 7\ndata: {"version":%d,"unknown":[]}\n\n']
    for version, event in enumerate(events, 2):
        stream.publish(version)
        stream.send(event % version if "%" in event else event)
        driver.wait_for_version(version)
        driver.fetched()
    fetches = stream.fetches()
    stream.send(f"event: document\ndata: {text(8).decode()}\n\n")
    stream.send('data: {"version":4}\n\ndata: {"version":3}\n\n')
    # What cannot be read is a hint too, and logged once.
    stream.publish(9)
    stream.send('data: {"version":"two"}\n\n' * 3)
    driver.wait_for_version(9)
    assert stream.fetches() == fetches + 1
    driver.quit(timeout=0)
    lines = [line for line in driver.log if "version: expected" in line and line.startswith("warning")]
    assert len(lines) == 1, driver.log
    # The driver has no headers of its own; its validators are of the document, and of no stream.
    for path, headers in stream.requests:
        if path == "/events":
            assert headers["Accept"] == "text/event-stream"
            assert "If-None-Match" not in headers


def test_what_is_missed_between_connections_is_fetched(drive, stream):
    driver = begin(drive, stream, 1, "--stream", f"{stream.url}/events", "--poll", 20)
    stream.publish(2)
    stream.send('data: {"version":2}\n\n')
    driver.wait_for_version(2)
    stream.publish(3)
    stream.cut()
    assert stream.opened.get(timeout=PATIENCE) == 200
    driver.wait_for_version(3)
    driver.quit(timeout=0)


@pytest.mark.parametrize("answer, words", [
    ((401, {}), "401"), ((204, {}), "204"), ((503, {"Retry-After": "1"}), "503"), ((200, {"Content-Type": "text/html"}), "text/html"),
    ((302, {"Location": "ftp://example.com/"}), "redirect")])
def test_a_stream_that_is_none_is_one_warning_and_polling_goes_on(drive, stream, answer, words):
    stream.answers = [answer] * 1000
    driver = drive("--config", f"{stream.url}/document", "--stream", f"{stream.url}/events", "--poll", 0.1)
    for version in (1, 2, 3):
        stream.publish(version)
        driver.wait_for_version(version)
    driver.wait_for_log("polling goes on")
    driver.quit(timeout=0)
    lines = [line for line in driver.log if "polling goes on" in line]
    assert len(lines) == 1 and words in lines[0], driver.log
