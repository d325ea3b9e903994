"""A web server of one document."""
import http.server
import threading


class Source:
    """A server whose document is another at each request."""

    def __init__(self, next_text):
        class Handler(http.server.BaseHTTPRequestHandler):
            # Head and body in one piece: the second would wait for the acknowledgement of the first.
            wbufsize = -1

            def do_GET(self):
                body = next_text().encode()
                self.send_response(200)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                try:
                    self.wfile.write(body)
                except OSError:
                    pass  # The client was killed.

            def log_message(self, *words):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/trackers.json"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()
