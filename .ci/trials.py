#!/usr/bin/env python3
"""Runs built test suites several times, and says for each run how long it took, what it cost, and what failed.

Exits with 1 if a run fails; no run is repeated. With TRACKER_CONFIG_LONG_SEARCHES, a number, tests that try random inputs try 50 times as
many, from the seed that the number is.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
PYTEST = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
SUITES = {
    "swift": ["swift", "test"],
    "integrations": ["swift", "test", "--package-path", "Integrations", "--scratch-path", ".build", "--disable-build-manifest-caching"],
    # Several at a time, because most wait for a process or a browser.
    "black-box": [*PYTEST, "-n", "8", "Tests/BlackBox"], "console": [*PYTEST, "-n", "3", "Tests/Console"],
    "monitoring": [*PYTEST, "Tests/Monitoring"],
}
# The user time in seconds of all processes, and the memory in MB of the largest one, on two cores; each times the tolerance. On a machine
# whose `loop` takes more than a second, the user time counts in loops.
KEPT = {"swift": (120, 560)}
TOLERANCE = 1.25
# What failed, in the outputs of Swift Testing and of pytest, and their closing lines.
FAILED = re.compile(r"^(✘|FAILED|ERROR|E  )|Fatal error")
CLOSING = re.compile(r"Test run with .* (passed|failed)|^\d+ (passed|failed)")


def loop() -> float:
    """Returns the user time in seconds of a fixed loop. Machines, and hours of one machine, differ by a factor of three."""
    start = os.times().user
    for _ in range(50_000_000):
        pass
    return os.times().user - start


def run(suite: str, flags: list[str], busy: bool, kept: tuple[int, int] | None) -> bool:
    """Runs a suite once, and prints what came of it; returns whether all is well."""
    rivals = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(4 if busy else 0)]
    try:
        with tempfile.TemporaryFile("w+", errors="replace") as log:
            slowness, start = loop(), time.monotonic()
            process = subprocess.Popen(SUITES[suite] + flags, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT)
            _, status, usage = os.wait4(process.pid, 0)
            wall, user, memory = time.monotonic() - start, usage.ru_utime, usage.ru_maxrss / 1024
            slowness = max(1, slowness, loop())
            log.seek(0)
            lines = log.read().splitlines()
    finally:
        for rival in rivals:
            rival.kill()
            rival.wait()
    code = os.waitstatus_to_exitcode(status)
    print(*(f"    {line[:2000]}" for line in lines if CLOSING.search(line) or code and FAILED.search(line)), sep="\n")
    print(
        f"{suite} {'beside four busy loops' if busy else 'idle'}: {f'FAILED with {code}' if code else 'passed'}, {wall:.0f} s, "
        f"user time {user:.0f} s (a loop {slowness:.1f} s), largest process {memory:.0f} MB", flush=True)
    excess = [
        f"{suite}: the {name} of {value:.0f} is above {TOLERANCE} times the kept {most}"
        for name, value, most in zip(["user time", "memory"], [user / slowness, memory], kept or ()) if value > TOLERANCE * most]
    print(*excess, sep="\n", end="\n" if excess else "")
    return code == 0 and not excess


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--idle", type=int, default=1, help="runs with nothing beside")
    parser.add_argument("--busy", type=int, default=0, help="runs beside four busy loops")
    parser.add_argument("--kept", action="store_true", help="fail above the kept figures, in idle runs")
    parser.add_argument("--flags", default="", help="options of `swift test`, those with which it was built")
    parser.add_argument("suites", nargs="*", default=["swift"], choices=list(SUITES), metavar="SUITE", help=", ".join(SUITES))
    options = parser.parse_args()
    print(f"TRACKER_CONFIG_LONG_SEARCHES={os.environ.get('TRACKER_CONFIG_LONG_SEARCHES', '')}")
    results = [
        run(suite, options.flags.split() if SUITES[suite][0] == "swift" else [], number >= options.idle,
            KEPT.get(suite) if options.kept and number < options.idle else None)
        for suite in options.suites for number in range(options.idle + options.busy)]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
