#!/usr/bin/env python3
"""Measures how long nginx and nchan take to bring a new document to many subscribers.

Starts nginx with the configuration of this directory, opens a stream for each subscriber, publishes a document and sends a hint. Each
subscriber then fetches the document on a new connection with its old ETag, as an instance does. Prints how long after the hint
the subscribers have the new document, how many never got it, and nginx's memory for each stream. Ends with 1 if one has missed it, or
has it after more than the seconds of --within.

    subscribers.py [--subscribers 5000] [--bytes 10240] [--rounds 3] [--within 10] [--tls]

With --tls the streams are encrypted, and only the hint is waited for: Python's handshakes would be what is measured.
"""

import argparse
import gzip
import json
import os
import pathlib
import resource
import selectors
import socket
import ssl
import subprocess
import sys
import tempfile
import time
import urllib.request

import nginx

PATIENCE = 10


def document(version, size):
    """A document of about as many bytes."""
    head = {"configurationVersion": version, "configurationBundle": [], "features": {}}
    # Varied, or it would compress to nothing.
    filler = "".join(f"{(number * 2654435761) % 4294967296:08x} " for number in range(size // 9))
    return json.dumps(head | {"meta": {"filler": filler[: max(0, size - 100)]}}).encode()


def connection(number):
    """A socket with one of many addresses of loopback, since the ports of one are soon used up."""
    made = socket.socket()
    # The port is chosen when the connection is made. Linux's IP_BIND_ADDRESS_NO_PORT, which Python 3.11 does not have.
    made.setsockopt(socket.IPPROTO_IP, 24, 1)
    made.bind((f"127.0.1.{1 + number % 200}", 0))
    return made


class Subscriber:
    """One stream, and the fetch that follows an event."""

    __slots__ = ("number", "stream", "fetch", "text", "body", "hinted", "fetched")

    def __init__(self, number, stream):
        self.number, self.stream, self.fetch, self.text, self.body = number, stream, None, b"", b""
        self.hinted = self.fetched = None


class Crowd:
    def __init__(self, server, count, context):
        self.server, self.context = server, context
        self.selector = selectors.EpollSelector()
        self.subscribers = []
        self.request = b""
        head = (f"GET /stream/trackers.json HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n").encode()
        for number in range(count):
            stream = connection(number)
            stream.connect(("127.0.0.1", server.port))
            if context:
                stream = context.wrap_socket(stream)
            stream.sendall(head)
            # The stream is open when its first comment is there.
            text = b""
            while b"\n\n" not in text.partition(b"\r\n\r\n")[2]:
                piece = stream.recv(4096)
                assert piece, f"a stream is refused: {text[:200]}"
                text += piece
            stream.setblocking(False)
            subscriber = Subscriber(number, stream)
            self.subscribers.append(subscriber)
            self.selector.register(stream, selectors.EVENT_READ, (self.read_stream, subscriber))

    def read_stream(self, subscriber):
        try:
            piece = subscriber.stream.recv(4096)
        except (BlockingIOError, ssl.SSLWantReadError):
            return
        assert piece, "a stream was closed"
        subscriber.text += piece
        if self.marker not in subscriber.text or subscriber.hinted is not None:
            return
        subscriber.hinted, subscriber.text = time.monotonic(), b""
        if self.context:
            subscriber.fetched = subscriber.hinted
            self.missing -= 1
            return
        fetch = connection(subscriber.number)
        fetch.setblocking(False)
        fetch.connect_ex(("127.0.0.1", self.server.port))
        subscriber.fetch = fetch
        self.selector.register(fetch, selectors.EVENT_WRITE, (self.send_request, subscriber))

    def send_request(self, subscriber):
        subscriber.fetch.send(self.request)
        subscriber.body = b""
        self.selector.modify(subscriber.fetch, selectors.EVENT_READ, (self.read_answer, subscriber))

    def read_answer(self, subscriber):
        piece = subscriber.fetch.recv(65536)
        subscriber.body += piece
        if piece:
            return
        self.selector.unregister(subscriber.fetch)
        subscriber.fetch.close()
        head, _, body = subscriber.body.partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 200 "), head[:300]
        if body == self.expected:
            subscriber.fetched = time.monotonic()
            self.missing -= 1

    def publish(self, version, content, tag, within):
        """Sends a hint of a document that is there; the sorted seconds of those who have it, of so many at most."""
        for subscriber in self.subscribers:
            subscriber.hinted = subscriber.fetched = None
        self.marker, self.missing = f'"version": {version}'.encode(), len(self.subscribers)
        self.expected = gzip.compress(content, 9, mtime=0)
        (self.server.site / "trackers.json").write_bytes(content)
        (self.server.site / "trackers.json.gz").write_bytes(self.expected)
        self.request = (
            "GET /trackers.json HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAccept-Encoding: gzip\r\n"
            f"If-None-Match: {tag}\r\n\r\n").encode()
        start = time.monotonic()
        hint(self.server, self.context, json.dumps({"version": version, "spread": 0}).encode())
        end = start + within
        while self.missing and time.monotonic() < end:
            for key, _ in self.selector.select(1):
                handler, subscriber = key.data
                handler(subscriber)
        return [
            sorted(each - start for subscriber in self.subscribers if (each := getattr(subscriber, name)) is not None)
            for name in ("hinted", "fetched")]


def hint(server, context, body):
    request = urllib.request.Request(
        f"{server.url}/hint/trackers.json", body, {"Accept": "application/json", "Content-Type": "application/json"})
    with urllib.request.urlopen(request, context=context) as answer:
        return json.load(answer)


def quantiles(seconds):
    def at(share):
        return f"{seconds[min(len(seconds) - 1, int(len(seconds) * share))] * 1000:.0f} ms"
    return f"p50 {at(0.5)}, p99 {at(0.99)}, max {at(1)}" if seconds else "none"


def main(words):
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("--subscribers", type=int, default=5000)
    parser.add_argument("--bytes", type=int, default=10240)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--within", type=float, default=PATIENCE)
    parser.add_argument("--tls", action="store_true")
    given = parser.parse_args(words)
    if lack := nginx.missing():
        print(f"skipped: {lack}")
        return 0
    # Two connections for each subscriber.
    wanted = 2 * given.subscribers + 100
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    if hard != resource.RLIM_INFINITY and hard < wanted:
        print(f"skipped: {given.subscribers} subscribers need {wanted} descriptors; the limit of this process is {hard}")
        return 0
    resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    missed = 0
    with tempfile.TemporaryDirectory() as directory:
        context = certificate = None
        if given.tls:
            certificate = directory
            subprocess.run(
                ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
                 "-subj", "/CN=localhost", "-keyout", f"{directory}/key.pem", "-out", f"{directory}/cert.pem"],
                check=True, stderr=subprocess.DEVNULL)
            context = ssl.create_default_context(cafile=f"{directory}/cert.pem")
            context.check_hostname = False
        server = nginx.Nginx(directory, certificate).start()
        try:
            before = server.memory()
            start = time.monotonic()
            crowd = Crowd(server, given.subscribers, context)
            used = (server.memory() - before) / given.subscribers
            print(f"{given.subscribers} subscribers in {time.monotonic() - start:.1f} s; "
                  f"nginx uses {used / 1024:.1f} KB for each, {(server.memory()) / 1e6:.0f} MB in all")
            tag = '"none"'
            for version in range(2, 2 + given.rounds):
                content = document(version, given.bytes)
                hinted, fetched = crowd.publish(version, content, tag, given.within)
                missed += given.subscribers - sum(seconds <= given.within for seconds in fetched)
                print(f"{len(content)} bytes, {len(crowd.expected)} compressed: hinted {quantiles(hinted)}; "
                      + ("" if given.tls else f"fetched {quantiles(fetched)}; ")
                      + f"{given.subscribers - len(fetched)} missed")
                tag = f'"{version}"'
        finally:
            server.stop()
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
