#!/usr/bin/env python3
"""A collector for `check`, on the ports 80 and 443 of loopback, which also serves the directory's `trackers.json`.

collector.py DIRECTORY: the directory has `collector.pem`, the certificate and its key. Each event that comes in becomes a line of
`events` there: the scheme, the app ID and the event's type.
"""

import gzip
import http.server
import json
import pathlib
import ssl
import sys
import threading

DIRECTORY = pathlib.Path(sys.argv[1])


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        found = self.path == "/trackers.json"
        self.answer(200 if found else 404, (DIRECTORY / "trackers.json").read_bytes() if found else b"")

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.headers["Content-Encoding"] == "gzip":
            body = gzip.decompress(body)
        with open(DIRECTORY / "events", "a", encoding="utf-8") as file:
            for event in json.loads(body)["data"]:
                print(self.server.scheme, event["aid"], event["e"], file=file)
        self.answer(200, b"ok")

    def answer(self, status, body):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    def handle_error(self, request, client_address):
        # One line: a client that does not trust the certificate is part of the trial.
        print("the collector:", sys.exc_info()[1], file=sys.stderr)


def server(scheme, port):
    server = Server(("127.0.0.1", port), Handler)
    server.scheme = scheme
    return server


plain, secure = server("http", 80), server("https", 443)
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(DIRECTORY / "collector.pem")
# The handshake belongs to the thread of its connection.
secure.socket = context.wrap_socket(secure.socket, server_side=True, do_handshake_on_connect=False)
threading.Thread(target=plain.serve_forever, daemon=True).start()
(DIRECTORY / "listening").touch()
secure.serve_forever()
