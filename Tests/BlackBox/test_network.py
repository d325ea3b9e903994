"""Certificates, name servers, proxies and connections, as a service meets them on a real system."""
import http.server
import json
import os
import resource
import socket
import ssl
import subprocess
import threading

import pytest
from documents import NOWHERE, bundle, start
from driver import PATIENCE, document

UNSHARE = ["unshare", "--mount"] if os.geteuid() == 0 else ["unshare", "--map-root-user", "--mount"]


def can_mount():
    try:
        words = [*UNSHARE, "mount", "--bind", "/etc", "/etc"]
        return subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0
    except OSError:
        return False


needs_mounts = pytest.mark.skipif(not can_mount(), reason="no mount namespace may be made here")


def mounted(source, target):
    """The prefix of a command that sees `source` in the place of `target`."""
    return [*UNSHARE, "sh", "-c", 'mount --bind "$0" "$1" && shift && exec "$@"', str(source), str(target)]


def text(version, *endpoints):
    bundles = [bundle(endpoint, f"n{number}", {"method": "get"}) for number, endpoint in enumerate(endpoints)]
    return json.dumps(document(version, bundles))


class Server:
    """A web server of one document, which keeps the targets that it was asked for."""

    def __init__(self, document="", context=None):
        class Handler(http.server.BaseHTTPRequestHandler):
            wbufsize = -1

            def do_GET(handler):
                self.targets.append(handler.path)
                body = self.document.encode()
                handler.send_response(200)
                handler.send_header("Content-Length", str(len(body)))
                handler.end_headers()
                handler.wfile.write(body)

            def log_message(self, *words):
                pass

        class Listener(http.server.ThreadingHTTPServer):
            def handle_error(self, request, address):
                pass  # A client that refuses the certificate.

        self.document, self.targets = document, []
        self.server = Listener(("127.0.0.1", 0), Handler)
        if context:
            self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        self.port = self.server.server_port
        self.address = f"127.0.0.1:{self.port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def serve():
    servers = []

    def start(*words, **more):
        servers.append(Server(*words, **more))
        return servers[-1]

    yield start
    for server in servers:
        server.close()


class Authority:
    """A certificate authority, and the context of a server whose certificate it signed."""

    def __init__(self, directory):
        directory.mkdir()
        self.certificate = directory / "ca.pem"

        def openssl(*words):
            subprocess.run(["openssl", *map(str, words)], check=True, cwd=directory, capture_output=True)

        key = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes")
        openssl("req", "-x509", *key, "-days", 2, "-subj", f"/CN={directory.name}", "-keyout", "ca.key", "-out", "ca.pem")
        (directory / "names").write_text("subjectAltName=DNS:localhost,IP:127.0.0.1\n")
        openssl("req", *key, "-subj", "/CN=localhost", "-keyout", "server.key", "-out", "server.csr")
        openssl("x509", "-req", "-in", "server.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", 2,
                "-extfile", "names", "-out", "server.pem")
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(directory / "server.pem", directory / "server.key")


@pytest.fixture
def authorities(tmp_path):
    return Authority(tmp_path / "first-ca"), Authority(tmp_path / "second-ca")


@pytest.fixture
def system_certificates(tmp_path):
    """Makes a directory that can stand in the place of the system's certificates."""
    def make(*certificates):
        directory = tmp_path / "certs"
        directory.mkdir()
        for number, certificate in enumerate(certificates):
            (directory / f"{number}.pem").write_bytes(certificate.read_bytes())
        if certificates:
            subprocess.run(["openssl", "rehash", directory], check=True)
            (directory / "ca-certificates.crt").write_bytes(b"".join(c.read_bytes() for c in certificates))
        return directory

    return make


@needs_mounts
def test_a_certificate_file_is_trusted_instead_of_the_systems(serve, drive, authorities, system_certificates):
    system, private = authorities
    prefix = mounted(system_certificates(system.certificate), "/etc/ssl/certs")
    document = text(1, "https://127.0.0.1:9")
    by_system, by_private = serve(document, context=system.context), serve(document, context=private.context)

    def outcome(server, *options):
        driver = drive("--config", f"https://{server.address}/c.json", *options, prefix=prefix,
                       home=private.certificate.parent / f"home-{server.port}-{len(options)}")
        outcome = driver.fetched()
        driver.quit(timeout=0)
        return outcome["outcome"], outcome.get("reason", "")

    pin = ("--ca-file", private.certificate)
    assert outcome(by_system) == ("applied", "")
    assert outcome(by_private, *pin) == ("applied", "")
    name, reason = outcome(by_system, *pin)
    assert name == "failed" and "SSL certificate problem" in reason and str(private.certificate) in reason
    name, reason = outcome(by_private)
    assert name == "failed" and reason.endswith("(trusted: the system's CA certificates)"), reason


@needs_mounts
def test_a_system_without_certificates_says_so_and_what_to_do(serve, drive, authorities, system_certificates):
    server = serve(text(1, "https://127.0.0.1:9"), context=authorities[0].context)
    driver = drive("--config", f"https://{server.address}/c.json",
                   prefix=mounted(system_certificates(), "/etc/ssl/certs"))
    outcome = driver.fetched()
    assert outcome["outcome"] == "failed" and "install them (package 'ca-certificates')" in outcome["reason"], outcome


def test_a_certificate_file_that_cannot_be_read_is_warned_of_and_named(serve, drive, tmp_path):
    server = serve(text(1, "https://127.0.0.1:9"))
    driver = start(drive, f"http://{server.address}/c.json", "--ca-file", tmp_path / "none.pem")
    assert driver.warnings() == [f"remote.certificateFile: cannot open {tmp_path}/none.pem: No such file or directory"]


@pytest.fixture
def dead_name_server(tmp_path):
    """The prefix of a command whose name server never answers, for longer than a test waits for anything."""
    address = "127.0.0.77"
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as server:
        try:
            server.bind((address, 53))
        except OSError:
            pytest.skip("port 53 may not be used here")
        file = tmp_path / "resolv.conf"
        file.write_text(f"nameserver {address}\noptions timeout:30 attempts:5\n")
        yield mounted(file, os.path.realpath("/etc/resolv.conf"))


@needs_mounts
def test_with_a_dead_name_server_timeouts_hold_and_other_collectors_go_on(micro, drive, tmp_path, dead_name_server):
    default = tmp_path / "default.json"
    default.write_text(text(0, micro.url, "http://collector.example"))
    driver = drive("--config", "http://config.example/c.json", "--timeout", "1", "--poll", "0.1", "--default", default,
                   prefix=dead_name_server)
    outcome = driver.fetched()
    assert outcome["reason"] == "cannot fetch http://config.example/c.json: no document within 1.0 seconds", outcome
    # Its collector's name is being resolved for as long as the test lasts.
    driver.do("track", namespace="n1", event={"category": "a", "action": "b"})
    for number in range(3):
        driver.do("track", namespace="n0", event={"category": "a", "action": str(number)})
        driver.flush(namespace="n0")
    assert driver.do("refresh")["outcome"] == "failed"
    driver.quit(timeout=0.5)
    assert len(micro.good()) == 3


@pytest.mark.parametrize("most", [8, 9])
def test_descriptors_that_are_missing_at_the_start_delay_nothing_once_they_are_there(micro, drive, most):
    micro.publish(1, [bundle(micro.url)])
    # A network thread that nothing wakes looks around once a minute, and both fetches would have failed by then.
    driver = drive("--config", micro.config, "--timeout", 45, prefix=["sh", "-c", f'ulimit -Sn {most}; exec "$@"', "sh"])
    driver.do("meta")
    _, hard = resource.prlimit(driver.process.pid, resource.RLIMIT_NOFILE)
    resource.prlimit(driver.process.pid, resource.RLIMIT_NOFILE, (hard, hard))
    # The first may join a fetch that began without a descriptor.
    driver.do("refresh")
    assert driver.do("refresh")["outcome"] in ("applied", "notModified")
    driver.quit(timeout=1)


def test_a_proxy_of_the_environment_is_used_and_no_proxy_is_honoured(serve, drive, tmp_path):
    proxy, direct = serve(text(1, NOWHERE)), serve(text(2, NOWHERE))
    env = {"http_proxy": f"http://{proxy.address}", "no_proxy": "127.0.0.1,.direct.example"}
    for url, version in (("http://config.example/c.json", 1), (f"http://{direct.address}/c.json", 2)):
        driver = drive("--config", url, env=env, home=tmp_path / str(version))
        assert driver.fetched() == {"type": "outcome", "outcome": "applied", "version": version}
        driver.quit(timeout=0)
    assert proxy.targets == ["http://config.example/c.json"]
    assert direct.targets == ["/c.json"]


@pytest.mark.parametrize("variable", ["http_proxy", "all_proxy"])
def test_collectors_are_reached_through_the_proxy_of_the_environment(serve, drive, tmp_path, variable):
    proxy, direct = serve(), serve()
    server = serve(text(1, "http://collector.example", f"http://{direct.address}"))
    env = {variable: f"http://{proxy.address}", "no_proxy": "127.0.0.1"}
    driver = start(drive, f"http://{server.address}/c.json", env=env)
    for namespace in ("n0", "n1"):
        driver.do("track", namespace=namespace, event={"category": "c", "action": namespace})
        assert driver.flush(namespace=namespace)["sent"] == 1
    driver.quit()
    assert [target.split("?")[0] for target in proxy.targets] == ["http://collector.example/i"]
    assert [target.split("?")[0] for target in direct.targets] == ["/i"]


def test_an_https_request_asks_the_proxy_for_a_tunnel(drive):
    with socket.create_server(("127.0.0.1", 0)) as proxy:
        proxy.settimeout(PATIENCE)
        env = {"https_proxy": f"http://127.0.0.1:{proxy.getsockname()[1]}"}
        driver = drive("--config", "https://config.example/c.json", env=env)
        connection, _ = proxy.accept()
        with connection:
            head = connection.recv(65536).decode()
            connection.sendall(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
        assert head.startswith("CONNECT config.example:443 HTTP/1.1\r\n"), head
        assert "403" in driver.fetched()["reason"]
