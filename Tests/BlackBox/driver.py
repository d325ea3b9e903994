"""Runs `demo-tracker run` and the collector of ../shared/tools as a script of a user's would."""
import json
import os
import pathlib
import queue
import shutil
import subprocess
import sys
import threading
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared"
MICRO = SHARED / "tools" / "micro.py"
BINARY = os.environ.get("DEMO_TRACKER", str(ROOT / ".build" / "debug" / "demo-tracker"))
# The operator's executable, which lies beside the other one.
TOOL = str(pathlib.Path(BINARY).with_name("tracker-config"))

# The longest that a test waits for what must come, in seconds: enough for a machine with much else to do.
PATIENCE = 120


def program(command):
    """The executable that has a command."""
    return BINARY if command in ("demo", "run", "serve", "evaluate") else TOOL


def can_trace():
    """Whether strace (https://strace.io) is there, and may trace processes here."""
    if shutil.which("strace") is None:
        return False
    return subprocess.run(["strace", "-o", "/dev/null", "true"], stderr=subprocess.DEVNULL).returncode == 0


SCHEMA = "http://iglucentral.com/schemas/com.snowplowanalytics.mobile/remote_config/jsonschema/1-0-1"


class Micro:
    """The validating collector, which serves the files of a directory too, and knows the schemas of `registries` besides."""

    def __init__(self, directory, *registries):
        more = [word for registry in registries for word in ("--iglu", str(registry))]
        self.process = subprocess.Popen(
            [sys.executable, str(MICRO), "--files", str(directory), *more], stdout=subprocess.PIPE,
            # It complains of every connection that a killed process leaves.
            stderr=subprocess.DEVNULL, text=True)
        self.url = self.process.stdout.readline().split()[-1]
        self.directory = pathlib.Path(directory)

    def get(self, path):
        with urllib.request.urlopen(self.url + path, timeout=PATIENCE) as answer:
            return json.load(answer)

    def fault(self, **rules):
        self.get("/micro/fault?" + "&".join(f"{k}={v}" for k, v in rules.items()))

    def good(self):
        return self.get("/micro/good")

    def bad(self):
        return self.get("/micro/bad")

    def publish(self, version, bundles, **more):
        document = {"$schema": SCHEMA, "configurationVersion": version, "configurationBundle": bundles, **more}
        (self.directory / "trackers.json").write_text(json.dumps(document))

    @property
    def config(self):
        return self.url + "/files/trackers.json"

    def close(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()


class Driver:
    """One `demo-tracker run`; `prefix` is a command that starts it."""

    def __init__(self, *options, prefix=(), env=None):
        self.process = subprocess.Popen(
            [*prefix, BINARY, "run", *map(str, options)], env={**os.environ, **(env or {})}, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True)
        self.lines = []
        self.log = []
        self.answers = queue.Queue()
        self.fetches = queue.Queue()
        self.readers = [threading.Thread(target=self.read_lines), threading.Thread(target=self.read_log)]
        for reader in self.readers:
            reader.start()
        self.last_id = 0

    def read_lines(self):
        for text in self.process.stdout:
            line = json.loads(text)
            self.lines.append(line)
            if line["type"] == "answer":
                self.answers.put(line)
            if line["type"] == "outcome":
                self.fetches.put(line)

    def read_log(self):
        self.log.extend(self.process.stderr)

    def send(self, do, **words):
        """Sends a command without waiting for its answer."""
        self.last_id += 1
        self.process.stdin.write(json.dumps({"id": self.last_id, "do": do, **words}) + "\n")
        self.process.stdin.flush()
        return self.last_id

    def ask(self, do, **words):
        """The whole answer to a command."""
        number = self.send(do, **words)
        # A command may have a time limit of its own.
        answer = self.answers.get(timeout=2 * PATIENCE)
        assert answer["id"] == number, (answer, number)
        return answer

    def do(self, do, **words):
        """The value of a command that succeeds."""
        answer = self.ask(do, **words)
        assert answer["ok"], answer
        return answer["value"]

    def fetched(self):
        """The outcome of the next fetch."""
        return self.fetches.get(timeout=PATIENCE)

    def updates(self):
        return [(line["state"], line["version"]) for line in self.lines if line["type"] == "update"]

    def quit(self, timeout=5):
        value = self.do("quit", timeout=timeout)
        assert self.process.wait(timeout=PATIENCE) == 0
        self.close()
        return value

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.close()

    def close(self):
        for reader in self.readers:
            reader.join()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            stream.close()
