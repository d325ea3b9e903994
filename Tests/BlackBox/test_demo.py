"""`demo-tracker`, the demonstration, as a newcomer runs it: its results, its lines, its end, and what it leaves."""
import fcntl
import os
import pty
import re
import signal
import struct
import subprocess
import termios

import pytest
from driver import BINARY, PATIENCE, can_trace, run, wait_until

# The title and the result of each chapter. Times differ from run to run.
CHAPTERS = [
    ("Configured from the cache, then fetched", r"version 1 at the start, from the cache; version 2 after \d+ ms"),
    ("A change at run time survives a new document", r"after version 3 the user id is still u-1, also in 2 of 2 events"),
    ("A namespace without a network configuration is removed",
     r"search is removed: 1 late event dropped, and 1 event of checkout sent"),
    ("A document with a mistake is rejected as a whole",
     r"version 5 was rejected; with 4 in use, north has 2 of 2 events"),
    ("A canary fails and is reverted", r"version 6 was reverted after \d+\.\d s, and 0 of 6 events were lost"),
    ("A process is killed with SIGKILL, and no event is lost",
     r"1 SIGKILL, 20 events tracked, 20 delivered, 0 lost"),
    ("A feature by a rule, and an experiment", r"express for 1 of 5 users, fast for [1-4]; north has 5 exposures"),
    ("A published change arrives without a poll",
     r"version 9 was applied after \d+ ms; the next poll is due in [56]\d min"),
]
SUMMARY = ["9 documents: 7 applied, 1 rejected, 1 reverted · 1 SIGKILL", "37 events, 36 delivered, 1 dropped"]


@pytest.fixture
def start(tmp_path):
    """Starts the demonstration in a process group and with a temporary directory of its own."""
    groups = []

    def start(*words, under=(), stdout=subprocess.PIPE, **environment):
        process = subprocess.Popen(
            [*under, BINARY, *words], stdin=subprocess.DEVNULL, stdout=stdout, stderr=subprocess.PIPE, text=True,
            env={**os.environ, "TMPDIR": str(tmp_path), **environment}, start_new_session=True)
        groups.append(process.pid)
        return process

    yield start
    for group in groups:
        if is_alive(group):
            os.killpg(group, signal.SIGKILL)


def is_alive(group):
    """Whether a process of a group is there."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def finish(process):
    """Waits for the end: the status, the lines, and what is wrong."""
    out, err = process.communicate(timeout=PATIENCE)
    return process.returncode, out.splitlines(), err


def chapters(lines):
    """The lines of each chapter, without those before the first, and without the summary."""
    starts = [place for place, line in enumerate(lines) if re.match(r"\d\. ", line)]
    end = next((place for place, line in enumerate(lines) if line.startswith(SUMMARY[0])), len(lines))
    return [lines[start:stop] for start, stop in zip(starts, starts[1:] + [end])]


def test_each_chapter_shows_its_result_and_the_last_lines_count_all_and_name_what_comes_next(start, tmp_path):
    status, lines, err = finish(start())
    assert (status, err) == (0, "")
    assert max(map(len, lines)) <= 80
    found = chapters(lines)
    assert len(found) == len(CHAPTERS)
    for number, (chapter, (title, result)) in enumerate(zip(found, CHAPTERS), 1):
        assert chapter[0] == f"{number}. {title}"
        assert len(chapter) <= 24
        results = [line for line in chapter if "Result:" in line]
        assert len(results) == 1 and re.fullmatch(f"   Result: {result}", results[0]), results
    assert lines[-4:-2] == SUMMARY
    assert list(tmp_path.iterdir()) == []
    assert lines[-1] == "documentation: README.md lists the articles; Documentation/build makes a site"
    words = re.match(r"next: (?:swift run )?demo-tracker (demo --console)  ", lines[-2])[1].split()
    status, help, _ = run(BINARY, *words, "--help")
    assert status == 0 and "--console" in help


def test_verbose_shows_the_log_on_standard_error_and_no_proxy_of_the_environment_is_asked(start):
    proxy = "http://127.0.0.1:9"
    status, lines, err = finish(start("demo", "--verbose", http_proxy=proxy, all_proxy=proxy))
    assert status == 0
    assert [line for line in lines if "Result:" in line][-1].startswith("   Result: version 9 was applied")
    applied = re.findall(r"^info version (\d) was applied to ", err, re.MULTILINE)
    assert applied == list("12346789")
    assert "error version 5 was rejected: " in err and "warning version 6 was reverted after " in err


@pytest.mark.parametrize("columns, width", [(60, 60), (200, 100)])
def test_lines_fit_the_terminal(start, columns, width):
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    process = start(stdout=slave, TERM="xterm", NO_COLOR="1")
    os.close(slave)
    text = b""
    # Three chapters have enough lines. A terminal ends with an error.
    while b"\n4. " not in text and (piece := read(master)):
        text += piece
    process.terminate()
    while read(master):
        pass
    os.close(master)
    process.communicate(timeout=PATIENCE)
    # The last line may be cut.
    lines = text.rpartition(b"\n")[0].decode().splitlines()
    assert width - 10 <= max(map(len, lines)) <= width
    assert b"\x1b" not in text


def read(descriptor):
    try:
        return os.read(descriptor, 65536)
    except OSError:
        return b""


def until(process, word):
    """Reads up to the line that begins with a word."""
    for line in process.stdout:
        if line.startswith(word):
            return
    raise AssertionError(process.communicate())


def test_an_interrupt_leaves_nothing(start, tmp_path):
    # In chapters with servers alone, a service, a canary, a second process, and a stream.
    interrupts = [(1, signal.SIGINT), (2, signal.SIGTERM), (5, signal.SIGINT), (6, signal.SIGTERM), (8, signal.SIGINT)]
    for chapter, number in interrupts:
        process = start()
        until(process, f"{chapter}. ")
        process.send_signal(number)
        process.communicate(timeout=PATIENCE)
        assert process.returncode == -number, chapter
        assert list(tmp_path.iterdir()) == [], chapter
        wait_until(f"no process is left of chapter {chapter}", lambda: not is_alive(process.pid))


def test_a_reader_that_has_gone_leaves_nothing(start, tmp_path):
    process = start()
    until(process, "1. ")
    process.stdout.close()
    assert process.wait(timeout=PATIENCE) == 0
    assert list(tmp_path.iterdir()) == []
    wait_until("no process is left", lambda: not is_alive(process.pid))


def test_a_kill_leaves_no_process(start):
    process = start()
    until(process, "6. ")
    process.kill()
    process.communicate(timeout=PATIENCE)
    # The second process sees the end of its input.
    wait_until("the second process has ended", lambda: not is_alive(process.pid))


# No quota binds root, so strace (https://strace.io) gives the system calls' answer: events stay in memory, and a kill loses them.
@pytest.mark.skipif(not can_trace(), reason="no strace, or no process may be traced here")
def test_a_result_that_is_not_as_claimed_ends_it_with_status_1(start, tmp_path):
    words = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=pwrite64", "-e", "inject=pwrite64:error=EDQUOT"]
    status, lines, err = finish(start(under=words))
    assert status == 1
    # Those of a request that was on its way when the process was killed may arrive.
    claim = re.escape("demo-tracker: chapter 6 does not show what it claims: delivered events: expected 20, found ")
    assert re.fullmatch(claim + r"1?\d\n", err), err
    assert [line.split(":")[0].strip() for line in lines if "Result:" in line] == ["Result"] * 5
    assert not any(line.startswith(SUMMARY[0]) for line in lines)
    assert list(tmp_path.iterdir()) == []
