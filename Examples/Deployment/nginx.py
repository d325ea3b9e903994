"""nginx with the configuration beside this file, on a port of loopback, for `check-push` and `subscribers.py`."""

import os
import pathlib
import random
import re
import shutil
import socket
import subprocess
import time

# The longest to wait for a start or an end, in seconds: far longer than a busy machine needs.
PATIENCE = 120
CONFIGURATION = pathlib.Path(__file__).with_name("nginx.conf")
MODULE = pathlib.Path("/usr/lib/nginx/modules/ngx_nchan_module.so")


def missing():
    """What this machine lacks, as a sentence; None if nothing."""
    if not shutil.which("nginx", path=os.environ["PATH"] + ":/usr/sbin"):
        return "nginx is missing: apt-get install nginx libnginx-mod-nchan"
    if not MODULE.exists():
        return "nchan is missing: apt-get install libnginx-mod-nchan"
    return None


def free_port():
    """A port that is free: below those that the system gives to other programs, one of which could have it next."""
    first = int(pathlib.Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])
    while True:
        port = random.randrange(first // 2, first)
        with socket.socket() as listener:
            try:
                listener.bind(("127.0.0.1", port))
                return port
            except OSError:
                continue


class Nginx:
    """A server below a directory: documents in `site`, users of the publisher location in `publishers`.

    Everything but paths, the user and the address is as the configuration says. Without a certificate it does not speak TLS.
    """

    def __init__(self, directory, certificate=None, **replaced):
        self.directory, self.port = pathlib.Path(directory), free_port()
        self.site = self.directory / "site"
        self.site.mkdir()
        (self.directory / "publishers").touch()
        scheme = "https" if certificate else "http"
        self.url = f"{scheme}://127.0.0.1:{self.port}"
        text = CONFIGURATION.read_text()
        changes = {
            # Else the workers could not read a directory that only its owner may.
            r"^user .*": "user root;" if os.geteuid() == 0 else "",
            r"^pid .*": f"pid {self.directory}/pid;",
            r"^error_log .*": f"error_log {self.directory}/log;",
            r"listen 443 ssl": f"listen 127.0.0.1:{self.port}" + (" ssl" if certificate else ""),
            r"^ *ssl_certificate .*": f"ssl_certificate {certificate}/cert.pem;" if certificate else "",
            r"^ *ssl_certificate_key .*": f"ssl_certificate_key {certificate}/key.pem;" if certificate else "",
            r"root /srv/config;": f"root {self.site};",
            r"/etc/nginx/publishers": f"{self.directory}/publishers",
            **replaced,
        }
        for pattern, replacement in changes.items():
            text, count = re.subn(pattern, lambda _, new=replacement: new, text, flags=re.MULTILINE)
            assert count, f"nginx.conf has nothing like {pattern}"
        (self.directory / "nginx.conf").write_text(text)
        self.process = None

    def start(self):
        command = [shutil.which("nginx", path=os.environ["PATH"] + ":/usr/sbin"), "-c", str(self.directory / "nginx.conf"),
                   "-g", "daemon off;"]
        # What it says of its limits goes into the log too.
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        end = time.monotonic() + PATIENCE
        while self.process.poll() is None and time.monotonic() < end:
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE).close()
                return self
            except OSError:
                time.sleep(0.05)
        raise AssertionError(f"nginx does not start: {(self.directory / 'log').read_text()}")

    def workers(self):
        """The process ids of the workers."""
        children = pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text()
        return [int(word) for word in children.split()]

    def memory(self):
        """The memory of all workers in bytes, each shared page counted for its share."""
        total = 0
        for worker in self.workers():
            rollup = pathlib.Path(f"/proc/{worker}/smaps_rollup").read_text()
            total += int(re.search(r"^Pss: +(\d+) kB", rollup, re.MULTILINE)[1]) * 1024
        return total

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.terminate()
            self.process.wait(PATIENCE)
