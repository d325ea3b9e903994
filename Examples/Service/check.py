#!/usr/bin/env python3
"""Runs the service against a file server and collector and checks what its README promises.

check.py SERVICE DEMO_TRACKER: the two programs. Ends with 1 and a sentence where something is not so.
"""

import base64
import collections
import http.client
import json
import os
import queue
import random
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

# The longest that it waits for what must come, in seconds: far longer than a busy machine needs.
PATIENCE = 120
STAFF = "dana:check"
LOGIN = {"Authorization": "Basic " + base64.b64encode(STAFF.encode()).decode()}
DOCUMENT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "Sources/orders/Resources/default.json")


class Program:
    """A child process whose lines can be waited for."""

    def __init__(self, *words, **environment):
        self.lines = []
        self.unread = queue.Queue()
        self.process = subprocess.Popen(
            words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            env={**os.environ, **environment})
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            self.lines.append(line.rstrip())
            self.unread.put(self.lines[-1])

    def wait_for(self, pattern):
        end = time.monotonic() + PATIENCE
        while True:
            try:
                line = self.unread.get(timeout=max(0, end - time.monotonic()))
            except queue.Empty:
                raise AssertionError(f"no line has {pattern!r} in {PATIENCE} s") from None
            if found := re.search(pattern, line):
                return found

    def end(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()


class Client:
    """Requests to one port; each answer is a status, headers and a body."""

    def __init__(self, port):
        self.port = port

    def ask(self, method, path, body=None, **headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            headers = {name.replace("_", "-"): value for name, value in headers.items()}
            text = None if body is None else json.dumps(body)
            if body is not None:
                headers["Content-Type"] = "application/json"
            connection.request(method, path, text, headers)
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()
        finally:
            connection.close()

    def json(self, *words, **headers):
        status, _, body = self.ask(*words, **headers)
        return status, json.loads(body)


def expect(what, found, expected):
    assert found == expected, f"{what}: expected {expected!r}, found {found!r}"


def free_port():
    """A port that is free: below those that the system gives to other programs, one of which could have it next."""
    with open("/proc/sys/net/ipv4/ip_local_port_range", encoding="ascii") as file:
        first = int(file.read().split()[0])
    while True:
        port = random.randrange(first // 2, first)
        with socket.socket() as listener:
            try:
                listener.bind(("127.0.0.1", port))
                return port
            except OSError:
                continue


def wait_until_read(connection):
    """Waits until the peer, on this machine, has read what was sent."""
    own, peer = (f":{address[1]:04X}" for address in (connection.getsockname(), connection.getpeername()))
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        with open("/proc/net/tcp", encoding="ascii") as file:
            rows = [line.split() for line in file]
        # The columns: the number, the local and the remote address, the state, and the bytes to send and to read.
        if any(row[1].endswith(peer) and row[2].endswith(own) and row[4].endswith(":00000000") for row in rows):
            return
        time.sleep(0.01)
    raise AssertionError(f"the service reads nothing in {PATIENCE} s")


def publish(path, version, collector, price):
    with open(DOCUMENT, encoding="utf-8") as file:
        document = json.load(file)
    document["configurationVersion"] = version
    document["configurationBundle"][0]["networkConfiguration"]["endpoint"] = collector
    document["features"]["shipping"]["variables"]["price"]["value"] = price
    with open(path + ".new", "w", encoding="utf-8") as file:
        json.dump(document, file)
    os.replace(path + ".new", path)


def check_service(client, served):
    """The routes, each of whose requests is an event; `served` gets what those say."""

    def ask(route, status, method, path, body=None, **headers):
        found, answer = client.json(method, path, body, **headers)
        expect(f"{method} {path}", found, status)
        served.append((method, route, status))
        return answer

    expect("price", ask("/shipping", 200, "GET", "/shipping")["price"], 4.9)
    variants = {}
    for number in range(20):
        offer = ask("/shipping", 200, "GET", "/shipping", X_User_Id=f"u-{number}")
        variants[offer["variant"]] = offer["days"]
    expect("days by variant", variants, {"control": 3, "fast": 1})
    order = ask("/orders", 201, "POST", "/orders", {"item": "book", "total": 12.5})
    expect("shipping of an order", (order["id"], order["shipping"]), (1, 4.9))
    expect("the order", ask("/orders/{id}", 200, "GET", "/orders/1"), order)
    expect("the order for another customer", client.ask("GET", "/orders/1", X_User_Id="u-1")[0], 404)
    served.append(("GET", "/orders/{id}", 404))
    for plan, express in [("pro", True), ("free", False)]:
        offer = ask("/shipping", 200, "GET", "/shipping", X_User_Id=f"u-{plan}", X_Plan=plan)
        expect(f"express for {plan}", offer["isExpress"], express)
    for number in range(2):
        order = ask("/orders", 201, "POST", "/orders", {"item": f"lamp-{number}", "total": 80}, X_User_Id="u-pro", X_Plan="pro")
    lines = client.ask("GET", "/orders", X_User_Id="u-pro")[2].splitlines()
    served.append(("GET", "/orders", 200))
    expect("the export", [json.loads(line)["item"] for line in lines], ["lamp-0", "lamp-1"])
    for method, path, route, status in [
        ("GET", "/orders/7", "/orders/{id}", 404), ("GET", "/orders/x", "/orders/{id}", 400),
        ("POST", "/orders", "/orders", 400), ("GET", "/nowhere", "NotFound", 404),
    ]:
        expect(f"{method} {path}", client.ask(method, path)[0], status)
        served.append((method, route, status))


def check_console(client, document, collector):
    """The page, its terms, and a new version of the document by its refresh."""
    status, headers, page = client.ask("GET", "/console/", **LOGIN)
    expect("the page", (status, headers.get_content_type(), b"<script nonce=" in page), (200, "text/html", True))
    status, headers, body = client.ask("HEAD", "/console/", **LOGIN)
    expect("HEAD", (status, int(headers["Content-Length"]) > 10_000, body), (200, True, b""))
    expect("no slash", client.ask("GET", "/console", **LOGIN)[1]["Location"], "console/")
    expect("a probe", client.ask("GET", "/health")[0], 200)
    expect("no login", client.ask("GET", "/console/")[0], 401)
    wrong = {"Authorization": "Basic " + base64.b64encode(b"dana:wrong").decode()}
    expect("a wrong login", client.ask("GET", "/console/status", **wrong)[0], 401)
    expect("a stream without a login", client.ask("GET", "/console/stream")[0], 401)
    expect("the login", client.json("GET", "/console/status", **LOGIN)[0], 200)
    address = f"127.0.0.1:{client.port}"
    expect("the page itself", client.ask("GET", "/console/status", Origin=f"http://{address}", **LOGIN)[0], 200)
    expect("another page", client.ask("GET", "/console/status", Origin="http://example.com", **LOGIN)[0], 403)
    expect("a large body", client.ask("POST", "/console/assignments", "x" * 70_000, **LOGIN)[0], 413)

    publish(document, 3, collector, 2.5)
    expect("refresh without a login", client.ask("POST", "/console/refresh")[0], 401)
    status, answer = client.json("POST", "/console/refresh", **LOGIN)
    # The stream of the file server may have been quicker.
    expect("refresh", (status, answer["outcome"]["kind"] in ("applied", "notModified")), (200, True))
    expect("the new price", client.json("GET", "/shipping")[1]["price"], 2.5)
    path = "/console/features/shipping/variables/price"
    expect("an override", client.json("PUT", path, {"value": 1, "by": "another"}, **LOGIN)[0], 200)
    overrides = client.json("GET", "/console/status", **LOGIN)[1]["overrides"]
    expect("its author", [override["by"] for override in overrides], ["dana"])
    expect("the override", client.json("GET", "/shipping")[1]["price"], 1)
    expect("the end of an override", client.json("DELETE", path, **LOGIN)[0], 200)
    expect("the price again", client.json("GET", "/shipping")[1]["price"], 2.5)
    return [("GET", "/shipping", 200)] * 3


def check_shutdown(client, service):
    """SIGTERM with two pages open, one of which reads nothing more, and with a request under way."""
    head = f"GET /console/stream HTTP/1.1\r\nHost: a\r\nAuthorization: {LOGIN['Authorization']}\r\n\r\n".encode()
    pages = [socket.create_connection(("127.0.0.1", client.port), timeout=PATIENCE) for _ in range(2)]
    for page in pages:
        page.sendall(head)
        page.recv(100)
    reader = pages[0].makefile("rb")
    while not reader.readline().startswith(b"event: live"):
        pass
    body = b'{"item": "lamp", "total": 80}'
    late = socket.create_connection(("127.0.0.1", client.port), timeout=PATIENCE)
    late.sendall(head.replace(b"/console/stream", b"/console"))
    assert late.recv(4096).startswith(b"HTTP/1.1 308 ")  # The connection is one that the server has taken.
    late.sendall(b"POST /orders HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\n" % len(body) + body[:5])
    wait_until_read(late)

    start = time.monotonic()
    service.process.send_signal(signal.SIGTERM)
    # It ends while the request below keeps the service.
    rest = reader.read()
    assert rest.endswith(b"\r\n0\r\n\r\n"), f"the page's stream is cut off: {rest[-40:]}"
    expect("exit during a request", service.process.poll(), None)
    try:
        socket.create_connection(("127.0.0.1", client.port), timeout=PATIENCE).close()
        raise AssertionError("a server that shuts down takes connections")
    except ConnectionRefusedError:
        pass
    late.sendall(body[5:])
    answer = late.makefile("rb").read()
    assert answer.startswith(b"HTTP/1.1 201 "), f"the request under way: {answer[:200]}"
    expect("exit status", service.process.wait(PATIENCE), 0)
    seconds = time.monotonic() - start
    rest = pages[1].makefile("rb").read()
    assert rest.endswith(b"\r\n0\r\n\r\n"), f"the stream of the page that reads nothing is cut off: {rest[-40:]}"
    for connection in pages + [late]:
        connection.close()
    return [("POST", "/orders", 201)], seconds


def check_events(server, served, report):
    """Every request is an event at the collector, once, and so is each exposure."""
    pattern = r'/request_served/1-0-0 {"method":"(\w+)","route":"([^"]+)","status":(\d+),'
    found, exposures = collections.Counter(), 0
    for line in server.lines:
        if match := re.search(pattern, line):
            found[match[1], match[2], int(match[3])] += 1
        exposures += "exposure  fast_shipping" in line
    served = collections.Counter(served)
    expect("requests without an event", served - found, collections.Counter())
    expect("events without a request", found - served, collections.Counter())
    expect("exposures", exposures, 22)
    # The users of the requests, on their own events and on no others.
    users = collections.Counter(re.search(r"  user (\S+)$", line)[1] for line in server.lines if "  user " in line)
    expected = collections.Counter({f"u-{number}": 2 for number in range(20)}) + collections.Counter({"u-1": 1, "u-free": 2, "u-pro": 8})
    expect("events by user", users, expected)
    for number in range(20):
        expect(f"exposure of u-{number}", sum(
            1 for line in server.lines if re.search(rf"exposure .* u-{number}, .*  user u-{number}$", line)), 1)
    more = sum("/order_placed/" in line or "orders / export" in line for line in server.lines)
    expect("orders and exports", more, 5)
    expect("the report", report, {"sent": found.total() + exposures + more, "stored": 0, "dropped": 0})


def check_port_in_use(service, client, environment):
    """A service that cannot listen ends at once and says why."""
    second = Program(service, **{**environment, "STATE_DIRECTORY": environment["STATE_DIRECTORY"] + "-2"})
    try:
        second.wait_for("the trackers are shut down")
        second.wait_for("critical.*already in use")
        assert second.process.wait(PATIENCE) != 0, "a port in use is no error"
    finally:
        second.end()
    expect("the first one", client.ask("GET", "/console/", **LOGIN)[0], 200)


def check_silent_server(service, directory, environment):
    """Where the file server never answers, the service serves by its default document and ends, and waits for no answer."""
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        client = Client(free_port())
        lonely = Program(service, **{
            **environment, "PORT": str(client.port), "STATE_DIRECTORY": os.path.join(directory, "lonely"),
            "CACHE_DIRECTORY": os.path.join(directory, "lonely-cache"),
            "CONFIG_URL": f"http://127.0.0.1:{silent.getsockname()[1]}/orders.json"})
        try:
            lonely.wait_for("Server started and listening")
            expect("the default's price", client.json("GET", "/shipping")[1]["price"], 4.9)
            lonely.process.send_signal(signal.SIGINT)
            expect("exit status after SIGINT", lonely.process.wait(PATIENCE), 0)
            # Had it waited for the fetch, that would have failed.
            expect("lines about a fetch that has failed", [line for line in lonely.lines if "no document within" in line], [])
        finally:
            lonely.end()
    return [("GET", "/shipping", 200)]


def main(service_path, server_path):
    start = time.monotonic()
    programs = []
    with tempfile.TemporaryDirectory() as directory:
        files = os.path.join(directory, "files")
        document, default = os.path.join(files, "orders.json"), os.path.join(directory, "default.json")
        os.mkdir(files)
        try:
            server = Program(server_path, "serve", files)
            programs.append(server)
            collector = server.wait_for(r"listening on (\S+)")[1]
            publish(default, 1, collector, 4.9)
            publish(document, 2, collector, 4.9)
            client = Client(free_port())
            environment = dict(
                PORT=str(client.port), CONFIG_URL=f"{collector}/orders.json",
                STREAM_URL=f"{collector}/orders.json?stream", DEFAULT_DOCUMENT=default, STAFF=STAFF, STATE_DIRECTORY=os.path.join(directory, "state"),
                CACHE_DIRECTORY=os.path.join(directory, "cache"))
            service = Program(service_path, **environment)
            programs.append(service)
            service.wait_for("Server started and listening")
            server.wait_for(r"file +GET /orders.json 200")

            served = []
            check_service(client, served)
            served += check_console(client, document, collector)
            check_port_in_use(service_path, client, environment)
            more, seconds = check_shutdown(client, service)
            served += more
            line = service.wait_for("the trackers are shut down").string
            report = {name: int(value) for name, value in re.findall(r"(sent|stored|dropped)=(\d+)", line)}
            alone = check_silent_server(service_path, directory, environment)
            report["sent"] += len(alone)
            served += alone
            server.process.terminate()
            server.process.wait(PATIENCE)
            check_events(server, served, report)
        except BaseException:
            for program in programs:
                print("\n".join(program.lines), file=sys.stderr)
            raise
        finally:
            for program in programs:
                program.end()
    print(f"{len(served)} requests, each of them an event; SIGTERM took {seconds:.1f} s")
    print(f"the service does what its README says ({time.monotonic() - start:.1f} s)")


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except AssertionError as error:
        sys.exit(f"wrong: {error}")
