#!/usr/bin/env python3
"""Follows the tutorials of the documentation, and compares what the programs print with what the tutorials show.

Goes through the steps of each tutorial in their order, in a directory and a home directory of its own. What a step shows decides what is
done; the directive's `name` says which it is:

- `Terminal`: runs the lines that begin with `$ ` and compares the lines after each with its output, except for numbers of seconds;
- `Server`: starts the line that begins with `$ ` and goes on; later steps show all that it has printed, in any order, since the
  trackers of a service send at the same time;
- `Package.swift`: is left to .ci/samples.py;
- another Swift file: from here on, `swift run NAME` is this program;
- any other file: is written below the directory, by its name.

The programs are those in .build/debug, which `swift build` and the build of .build/samples make. The tutorials use port 8080 of this
machine.

    tutorials.py [--update]    --update writes what the programs print into the files of the tutorials
"""

import os
import pathlib
import re
import signal
import shutil
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAMS = ROOT / ".build" / "debug"
CODE = re.compile(r'@Code\(name: "([^"]+)", file: "([^"]+)"')
TOOL = re.compile(r"swift run --package-path \.\./tracker-config (\S+)")
SERVICE = re.compile(r"swift run ([\w-]+)")


class Server:
    """A program in the background, whose output is read as it comes."""

    def __init__(self, command: str, folder: pathlib.Path, environment: dict[str, str]):
        self.lines: list[str] = []
        self.process = subprocess.Popen(
            command, shell=True, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, start_new_session=True)
        threading.Thread(target=self.read, daemon=True).start()

    def read(self) -> None:
        for line in self.process.stdout:
            self.lines.append(line.rstrip("\n"))

    def wait(self, count: int, seconds: float = 10) -> None:
        """Waits until as many lines were printed, and then for lines too many."""
        end = time.monotonic() + seconds
        while len(self.lines) < count and time.monotonic() < end and self.process.poll() is None:
            time.sleep(0.02)
        time.sleep(0.2)

    def stop(self) -> None:
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGTERM)
        self.process.wait(10)


def comparable(lines: list[str], is_ordered: bool) -> list[str]:
    """The lines without spans of time, which differ with the machine's load."""
    lines = [re.sub(r"\b\d+ s\b", "N s", line) for line in lines]
    return lines if is_ordered else sorted(lines)


class Walk:
    """One tutorial as a reader follows it."""

    def __init__(self, tutorial: pathlib.Path, work: pathlib.Path):
        self.tutorial = tutorial
        self.folder = work / "package"
        self.binaries = work / "binaries"
        self.folder.mkdir()
        self.binaries.mkdir()
        unset = {"XDG_CACHE_HOME", "XDG_STATE_HOME", "STATE_DIRECTORY", "CACHE_DIRECTORY", "NO_COLOR"}
        self.environment = {key: value for key, value in os.environ.items() if key not in unset} | {"HOME": str(work)}
        self.program: pathlib.Path | None = None
        self.server: Server | None = None
        self.transcripts = 0
        self.wrong = 0

    def follow(self, is_updating: bool) -> None:
        try:
            for number, line in enumerate(self.tutorial.read_text().split("\n"), 1):
                if match := CODE.search(line):
                    place = f"{self.tutorial.relative_to(ROOT)}:{number}"
                    self.step(place, match[1], self.tutorial.parent / "Resources" / match[2], is_updating)
        finally:
            if self.server:
                self.server.stop()

    def step(self, place: str, name: str, file: pathlib.Path, is_updating: bool) -> None:
        if name in ("Terminal", "Server"):
            shown = file.read_text().removesuffix("\n").split("\n")
            seen = self.terminal(shown) if name == "Terminal" else self.serving(shown)
            self.transcripts += 1
            if is_updating:
                file.write_text("\n".join(seen) + "\n")
            elif comparable(seen, name == "Terminal") != comparable(shown, name == "Terminal"):
                self.wrong += 1
                print(f"{place}: error: {file.name} shows another output than this:")
                print("\n".join(f"    {line}" for line in seen))
        elif name == "Package.swift":
            return
        elif name.endswith(".swift"):
            self.program = PROGRAMS / ("Main_" + re.sub(r"\W+", "_", file.stem))
        else:
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, path)

    def command(self, text: str) -> str:
        """The command with the programs that are built in place of `swift run`."""
        def service(match: re.Match) -> str:
            # Under its own name, which is a setting's default and the name of a directory.
            path = self.binaries / match[1]
            path.unlink(missing_ok=True)
            shutil.copy(self.program, path)
            return str(path)

        return SERVICE.sub(service, TOOL.sub(lambda match: str(PROGRAMS / match[1]), text))

    def terminal(self, shown: list[str]) -> list[str]:
        seen = []
        for line in shown:
            if not line.startswith("$ "):
                continue
            result = subprocess.run(
                self.command(line[2:]), shell=True, cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60)
            seen += [line, *result.stdout.splitlines()]
        return seen

    def serving(self, shown: list[str]) -> list[str]:
        if self.server is None:
            self.server = Server(self.command(shown[0][2:]), self.folder, self.environment)
        self.server.wait(max(1, len(shown) - 1))
        return [shown[0], *self.server.lines]


def main() -> int:
    words = sys.argv[1:]
    if words not in ([], ["--update"]):
        print(__doc__.strip())
        return 0 if words in (["--help"], ["-h"]) else 64
    wrong = transcripts = 0
    for tutorial in sorted(ROOT.glob("Sources/*/*.docc/**/*.tutorial")):
        with tempfile.TemporaryDirectory() as work:
            walk = Walk(tutorial, pathlib.Path(work))
            walk.follow(bool(words))
        wrong += walk.wrong
        transcripts += walk.transcripts
    print(f"{transcripts} outputs of tutorials, {wrong} errors")
    return 1 if wrong or not transcripts else 0


if __name__ == "__main__":
    sys.exit(main())
