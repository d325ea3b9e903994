"""Starts what the pages are of: `tracker-config console`, the example service, and what stands between them and a browser."""
import base64
import http.client
import http.server
import json
import os
import pathlib
import random
import socket
import threading
import urllib.parse

import driver
from documents import DocumentFile, bundle
from driver import PATIENCE, Program, replace, wait_until

ORDERS = os.environ.get("ORDERS", str(driver.ROOT / "Examples/Service/.build/debug/orders"))


def free_port():
    """A port that is free. Not one of those that the system gives to other programs that ask for any."""
    first = int(pathlib.Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])
    while True:
        port = random.randrange(min(10_000, first // 2), first)
        with socket.socket() as listener:
            try:
                listener.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port


class Client:
    """Asks a service beside the browser."""

    def __init__(self, url, token=None):
        parts = urllib.parse.urlsplit(url)
        self.port, self.path = parts.port, parts.path
        self.headers = {"Authorization": f"Bearer {token}"} if token else {}
        if parts.username:
            login = base64.b64encode(f"{parts.username}:{parts.password}".encode()).decode()
            self.headers = {"Authorization": f"Basic {login}"}

    def ask(self, method, path, body=None, **headers):
        """The status and the JSON of an answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            headers = {name.replace("_", "-"): value for name, value in headers.items()}
            text = None if body is None else json.dumps(body)
            if body is not None:
                headers["Content-Type"] = "application/json"
            connection.request(method, self.path + path, text, {**self.headers, **headers})
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read() or b"null")
        finally:
            connection.close()

    def get(self, path, **headers):
        status, answer = self.ask("GET", path, **headers)
        assert status == 200, answer
        return answer

    def put(self, path, value):
        status, answer = self.ask("PUT", path, {"value": value, "by": "tests"})
        assert status == 200, answer

    def value(self, feature, variable):
        """What the service reads now, and whence."""
        [found] = [each for each in self.get("features")["features"] if each["name"] == feature]
        [found] = [each for each in found["variables"] if each["name"] == variable]
        return found["value"], found["source"]

    def wait_for_version(self, version):
        """Waits until a version is in use, whichever fetch has brought it: a poll, a hint or a refresh."""
        def active():
            return self.get("status")["document"].get("version")
        wait_until(lambda: f"version {version} is in use, and not {active()}", lambda: active() == version, pause=0.05)

    def refresh(self, version):
        """Has a version fetched that was published, and waits until it is in use."""
        assert self.ask("POST", "refresh")[0] == 200
        self.wait_for_version(version)

    def is_on(self, feature):
        [found] = [each for each in self.get("features")["features"] if each["name"] == feature]
        return found["enabled"]["value"]


class ConsoleProcess:
    """One `tracker-config console` with a document of its own."""

    def __init__(self, directory, document, *options, default=None, port=0):
        self.file = DocumentFile(directory)
        token, options = None, list(options)
        if "--token" in options:
            place = options.index("--token")
            token = options[place + 1]
            (directory / "token").write_text(token)
            options[place:place + 2] = ["--token-file", directory / "token"]
        self.words = [driver.TOOL, "console", self.file.url, "--cache-dir", directory / "cache",
                      "--state-dir", directory / "state", *options]
        if default is not None:
            file = DocumentFile(directory, "default.json")
            file.publish(**default)
            self.words += ["--default", file.path, "--default-version", default["version"]]
        if document is not None:
            self.file.publish(**document)
        self.start(port)
        self.client = Client(self.url, token)

    def start(self, port=0):
        self.program = Program(*self.words, "--port", port)
        try:
            self.url = self.program.wait_for(r"the console is at (\S+),")[1]
            self.program.wait_for("fetched: ")
        except BaseException:
            self.end()
            raise
        self.port = urllib.parse.urlsplit(self.url).port

    def publish(self, version, bundles=(), **parts):
        self.file.publish(version, bundles, **parts)

    def spoil(self, text):
        replace(self.file.path, text)

    def end(self):
        self.program.end()


class OrdersService:
    """The example service, whose GET /shipping says what it reads, with a collector and file server; dana of its staff is logged in."""

    def __init__(self, directory, documents):
        if not os.path.exists(ORDERS):
            raise AssertionError("build the example first: swift build --package-path Examples/Service")
        files = directory / "files"
        files.mkdir()
        self.file = DocumentFile(files, "orders.json")
        self.server = Program(driver.BINARY, "serve", files)
        try:
            self.collector = self.server.wait_for(r"listening on (\S+)")[1]
            default = DocumentFile(directory, "default.json")
            default.publish(**documents(1, self.collector))
            self.publish(**documents(2, self.collector))
            port = free_port()
            self.program = Program(
                ORDERS, PORT=str(port), CONFIG_URL=f"{self.collector}/orders.json",
                STREAM_URL=f"{self.collector}/orders.json?stream", DEFAULT_DOCUMENT=str(default.path),
                STAFF="dana:secret", STATE_DIRECTORY=str(directory / "state"),
                CACHE_DIRECTORY=str(directory / "cache"))
            self.url = f"http://dana:secret@127.0.0.1:{port}/console/"
            self.client = Client(self.url)
            self.visitor = Client(f"http://127.0.0.1:{port}/")
            self.program.wait_for("Server started and listening")
            self.server.wait_for(r"file +GET /orders.json 200")
        except BaseException:
            self.end()
            raise

    def publish(self, version, bundles=(), **parts):
        self.file.publish(version, bundles, **parts)

    def end(self):
        for program in [getattr(self, "program", None), self.server]:
            if program:
                program.end()


class Proxy:
    """Stands between a browser and a service; what it does with the stream is `mode`: pass, refuse or hold."""

    def __init__(self, port, mode):
        proxy = self
        self.mode = mode
        self.is_closed = threading.Event()

        class Handler(http.server.BaseHTTPRequestHandler):
            wbufsize = -1

            def forward(self):
                if self.path.endswith("/stream") and proxy.mode == "refuse":
                    return self.send_error(502)
                if self.path.endswith("/stream") and proxy.mode == "hold":
                    return proxy.is_closed.wait()
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
                connection.request(self.command, self.path, body, dict(self.headers))
                answer = connection.getresponse()
                content = answer.read()
                self.send_response_only(answer.status)
                for name, value in answer.getheaders():
                    if name.lower() not in ("transfer-encoding", "connection", "content-length"):
                        self.send_header(name, value)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)
                connection.close()

            do_GET = do_PUT = do_POST = do_DELETE = forward

            def log_message(self, *words):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}/"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.is_closed.set()
        self.server.shutdown()
        self.server.server_close()


class DemoShop:
    """The shop of `demo-tracker demo --console`, with three trackers that track all the time, and a document of the test's own."""

    def __init__(self, directory):
        directory.mkdir(exist_ok=True)
        self.program = Program(driver.BINARY, "demo", "--console", "--port", free_port(), TMPDIR=str(directory))
        try:
            self.url = self.program.wait_for(r"open (http://\S+)")[1]
            [self.file] = directory.glob("**/shop-files/shop.json")
            self.client = Client(self.url)
            self.collector = self.client.get("trackers?namespace=checkout")["tracker"]["endpoint"]
        except BaseException:
            self.program.end()
            raise
        self.text, self.has_ended = None, threading.Event()
        self.keeper = threading.Thread(target=self.keep, daemon=True)
        self.keeper.start()

    def keep(self):
        """Puts the test's document back. The shop publishes too, every 20 s."""
        while not self.has_ended.wait(0.02):
            if self.text is not None and self.file.read_text() != self.text:
                replace(self.file, self.text)

    def publish(self, version, endpoints, **parts):
        """Publishes a document with a collector for each namespace, and has it fetched."""
        document = json.loads(self.file.read_text())
        # Some versions of the shop are canaries.
        document.pop("rollout", None)
        bundles = [bundle(endpoint, name) for name, endpoint in endpoints.items()]
        # Above the versions that the shop itself publishes.
        document.update(configurationVersion=version, configurationBundle=bundles, **parts)
        self.text = json.dumps(document)

        def is_fetched():
            kind = self.client.ask("POST", "refresh")[1]["outcome"]["kind"]
            return self.file.read_text() == self.text and kind in ("applied", "notModified", "unchanged", "held")
        wait_until(f"the shop has fetched version {version}", is_fetched)

    def end(self):
        self.has_ended.set()
        self.keeper.join()
        self.program.end()


class FailingCollector:
    """A collector that answers each request with a status."""

    def __init__(self, status):
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                self.rfile.read(int(self.headers.get("Content-Length") or 0))
                self.send_response_only(status)
                self.send_header("Content-Length", "0")
                self.end_headers()

            do_GET = do_POST

            def log_message(self, *words):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()
