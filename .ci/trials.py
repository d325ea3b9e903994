#!/usr/bin/env python3
"""Runs built test suites several times, and says for each run how long it took, what it cost, and what failed.

    trials.py [--idle N] [--busy N] [--kept] [--flags=FLAGS] [SUITE…]

SUITE is swift (the default), integrations, black-box, console or monitoring.

--idle N         N runs with nothing beside; 1 by default
--busy N         and N runs beside four busy loops
--kept           fails if the largest process has more memory, or all together more user time, than 1.25 times what is kept here
--flags=FLAGS    options of `swift test`, those with which it was built

With TRACKER_CONFIG_LONG_SEARCHES, a number, tests that try random inputs try 50 times as many, from the seed that the number is.

Exits with 1 if a run fails; no run is repeated.
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
    "integrations": [
        "swift", "test", "--package-path", "Integrations", "--scratch-path", ".build", "--disable-build-manifest-caching"],
    # Several at a time, because most wait for a process or a browser.
    "black-box": [*PYTEST, "-n", "8", "Tests/BlackBox"],
    "console": [*PYTEST, "-n", "3", "Tests/Console"],
    "monitoring": [*PYTEST, "Tests/Monitoring"],
}
# The user time in seconds of all processes, and the memory in MB of the largest one, on two cores.
KEPT = {"swift": (120, 560)}
TOLERANCE = 1.25
# What failed, in the outputs of Swift Testing and of pytest, and their closing lines.
FAILED = re.compile(r"^(✘|FAILED|ERROR|E  )|Fatal error")
CLOSING = re.compile(r"Test run with .* (passed|failed)|^\d+ (passed|failed)")


def run(command: list[str], log: pathlib.Path) -> tuple[int, float, float, float]:
    """Runs a suite once.

    Returns its exit code, the wall time and the user time in seconds, and the memory of its largest process in MB.
    """
    start = time.monotonic()
    with log.open("w") as output:
        process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(process.pid, 0)
    return os.waitstatus_to_exitcode(status), time.monotonic() - start, usage.ru_utime, usage.ru_maxrss / 1024


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--idle", type=int, default=1)
    parser.add_argument("--busy", type=int, default=0)
    parser.add_argument("--kept", action="store_true")
    parser.add_argument("--flags", default="")
    parser.add_argument("suites", nargs="*", default=["swift"], choices=list(SUITES), metavar="SUITE")
    options = parser.parse_args()
    if seed := os.environ.get("TRACKER_CONFIG_LONG_SEARCHES"):
        print(f"TRACKER_CONFIG_LONG_SEARCHES={seed}")
    isWell = True
    with tempfile.TemporaryDirectory() as directory:
        log = pathlib.Path(directory) / "log"
        for suite in options.suites:
            command = SUITES[suite] + (options.flags.split() if SUITES[suite][0] == "swift" else [])
            for number in range(options.idle + options.busy):
                isBusy = number >= options.idle
                loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(4 if isBusy else 0)]
                try:
                    status, wall, user, memory = run(command, log)
                finally:
                    for loop in loops:
                        loop.kill()
                        loop.wait()
                lines = log.read_text(errors="replace").splitlines()
                for line in lines:
                    if CLOSING.search(line) or status != 0 and FAILED.search(line):
                        print("   ", line[:2000])
                result = "passed" if status == 0 else f"FAILED with {status}"
                print(
                    f"{suite} {'beside four busy loops' if isBusy else 'idle'}, run {number + 1}: {result}, {wall:.0f} s, "
                    f"user time {user:.0f} s, largest process {memory:.0f} MB", flush=True)
                isWell = isWell and status == 0
                if options.kept and suite in KEPT and not isBusy:
                    for name, value, kept in zip(["user time", "memory"], [user, memory], KEPT[suite]):
                        if value > TOLERANCE * kept:
                            print(f"{suite}: the {name} of {value:.0f} is above {TOLERANCE} times the kept {kept}")
                            isWell = False
    return 0 if isWell else 1


if __name__ == "__main__":
    sys.exit(main())
