"""Runs `demo-tracker run` and the collector of ../shared/tools as a script of a user's would."""
import json
import os
import pathlib
import queue
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared"
MICRO = SHARED / "tools" / "micro.py"
BINARY = os.environ.get("DEMO_TRACKER", str(ROOT / ".build" / "debug" / "demo-tracker"))
# The operator's executable, which lies beside the other one.
TOOL = str(pathlib.Path(BINARY).with_name("tracker-config"))

# The longest that a test waits for what must come, in seconds: far longer than a busy machine needs.
PATIENCE = 120


def wait_until(what, look, pause=0.005, seconds=PATIENCE):
    """Waits until `look` gives something true, and returns that.

    `what` completes "waited in vain until": a text, or a function that gives one, which can say what there is instead."""
    end = time.monotonic() + seconds
    while not (found := look()):
        assert time.monotonic() < end, f"waited {seconds} s in vain until {what() if callable(what) else what}"
        time.sleep(pause)
    return found


def run(program, *words, stdin="", **more):
    """Runs a program to its end: its status, its output and its errors."""
    ended = subprocess.run(
        list(map(str, [program, *words])), input=stdin, capture_output=True, text=True, timeout=PATIENCE, **more)
    return ended.returncode, ended.stdout, ended.stderr


def program(command):
    """The executable that has a command."""
    return BINARY if command in ("demo", "run", "serve") else TOOL


def can_trace():
    """Whether strace (https://strace.io) is there, and may trace processes here."""
    if shutil.which("strace") is None:
        return False
    return subprocess.run(["strace", "-o", "/dev/null", "true"], stderr=subprocess.DEVNULL).returncode == 0


SCHEMA = "http://iglucentral.com/schemas/com.snowplowanalytics.mobile/remote_config/jsonschema/1-0-1"


def document(version, bundles=(), **parts):
    """A document."""
    return {"$schema": SCHEMA, "configurationVersion": version, "configurationBundle": list(bundles), **parts}


def replace(path, text):
    """Replaces a file, as a file server has it: never half of it, and never one that looks like the one before."""
    new = path.with_name(f"{path.name}.new")
    new.write_text(text)
    os.replace(new, path)


class Program:
    """A child process whose lines, those of its errors among them, can be waited for."""

    def __init__(self, *words, **environment):
        self.lines = []
        self.process = subprocess.Popen(
            list(map(str, words)), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            env={**os.environ, **environment})
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self):
        for line in self.process.stdout:
            self.lines.append(line.rstrip())

    def wait_for(self, pattern):
        """The first line so far, or to come, that has a pattern."""
        def first():
            has_ended = not self.reader.is_alive()
            found = next(filter(None, (re.search(pattern, line) for line in self.lines[:])), None)
            assert found or not has_ended, f"it has ended, and no line has {pattern!r}: {self.lines}"
            return found
        return wait_until(lambda: f"a line has {pattern!r}: {self.lines}", first)

    def terminate(self):
        """Ends it as a supervisor does; its status."""
        self.process.send_signal(signal.SIGTERM)
        status = self.process.wait(timeout=PATIENCE)
        self.reader.join()
        return status

    def end(self):
        """Kills it, and fails if a fault has ended it before."""
        status = self.process.poll()
        if status is None:
            self.process.kill()
        self.process.wait()
        self.reader.join()
        self.process.stdout.close()
        assert status in (None, -signal.SIGKILL) or status >= 0, "\n".join([f"it was ended by signal {-status}:", *self.lines])


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

    def count(self):
        """The number of events, good or bad."""
        return self.get("/micro/all")["total"]

    def ids(self):
        """The ids of the good events, in ascending order, after a look that there is no bad one."""
        assert self.bad() == []
        return sorted(row["event"]["eid"] for row in self.good())

    def publish(self, version, bundles, **more):
        replace(self.directory / "trackers.json", json.dumps(document(version, bundles, **more)))

    @property
    def config(self):
        return self.url + "/files/trackers.json"

    def close(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()


class Driver:
    """One `demo-tracker run`; `prefix` is a command that starts it, `program` another name of the executable."""

    def __init__(self, *options, prefix=(), env=None, program=BINARY):
        self.process = subprocess.Popen(
            [*map(str, [*prefix, program]), "run", *map(str, options)], env={**os.environ, **(env or {})},
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.lines = []
        self.log = []
        self.answers = queue.Queue()
        self.fetches = queue.Queue()
        self.readers = [threading.Thread(target=read, daemon=True) for read in (self.read_lines, self.read_log)]
        for reader in self.readers:
            reader.start()
        self.last_id = 0

    def read_lines(self):
        for text in self.process.stdout:
            if not text.endswith("\n"):
                return  # A kill has cut it.
            line = json.loads(text)
            self.lines.append(line)
            if line["type"] == "answer":
                self.answers.put(line)
            if line["type"] == "outcome":
                self.fetches.put(line)

    def read_log(self):
        self.log.extend(self.process.stderr)

    def next(self, lines, kind):
        """The next line of a queue."""
        def first():
            has_ended = not self.readers[0].is_alive()
            try:
                return lines.get(timeout=0.5)
            except queue.Empty:
                assert not has_ended, f"it has ended without {kind}: {self.lines[-3:]}, {self.log[-9:]}"
        # A command may have a time limit of its own.
        return wait_until(
            lambda: f"there is {kind}: {self.lines[-3:]}, {self.log[-9:]}", first, pause=0, seconds=2 * PATIENCE)

    def send(self, do, **words):
        """Sends a command without waiting for its answer."""
        self.last_id += 1
        self.process.stdin.write(json.dumps({"id": self.last_id, "do": do, **words}) + "\n")
        self.process.stdin.flush()
        return self.last_id

    def answer(self):
        """The next answer."""
        return self.next(self.answers, "an answer")

    def values(self, count):
        """The values of the next answers, all of commands that succeed."""
        answers = [self.answer() for _ in range(count)]
        assert all(answer["ok"] for answer in answers), answers
        return [answer["value"] for answer in answers]

    def ask(self, do, **words):
        """The whole answer to a command."""
        number = self.send(do, **words)
        answer = self.answer()
        assert answer["id"] == number, (answer, number)
        return answer

    def do(self, do, **words):
        """The value of a command that succeeds."""
        answer = self.ask(do, **words)
        assert answer["ok"], answer
        return answer["value"]

    def flush(self, **words):
        """The counters when all events are sent. That may take minutes: the collector answers 22 requests by GET a second."""
        sent = -1
        while (counters := self.do("flush", timeout=PATIENCE, **words))["stored"]:
            assert counters["sent"] > sent, (counters, self.log)
            sent = counters["sent"]
        return counters

    def fetched(self):
        """The outcome of the next fetch."""
        return self.next(self.fetches, "the outcome of a fetch")

    def updates(self):
        return [(line["state"], line["version"]) for line in self.lines if line["type"] == "update"]

    def wait_for_version(self, version):
        """Waits until a version is applied."""
        wait_until(lambda: f"version {version} is applied: {self.lines[-3:]}, {self.log[-9:]}",
                   lambda: version in [found for _, found in self.updates()])

    def wait_for_log(self, words):
        """Waits until a line of the log has some words."""
        wait_until(lambda: f"the log has {words!r}: {self.log}", lambda: any(words in line for line in self.log[:]))

    def warnings(self):
        """The warnings of all updates."""
        return [warning for line in self.lines if line["type"] == "update" for warning in line["warnings"]]

    def quit(self, timeout=PATIENCE):
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
