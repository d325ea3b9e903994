"""A service's life with its file, as a script outside sees it."""
import json
import os
import signal
import subprocess

import pytest
from driver import PATIENCE, program


def bundle(micro, namespace="a", **more):
    return {"namespace": namespace, "networkConfiguration": {"endpoint": micro.url}, **more}


def test_the_file_configures_and_the_service_keeps_what_it_changed(micro, drive, tmp_path):
    default = tmp_path / "default.json"
    micro.publish(1, [bundle(micro)])
    default.write_text((micro.directory / "trackers.json").read_text())
    micro.publish(2, [bundle(micro, subjectConfiguration={"language": "de", "userId": "remote"})],
                  meta={"owner": "growth"})
    driver = drive("--config", micro.config, "--default", default, "--default-version", 1)
    assert driver.fetched() == {"type": "outcome", "outcome": "applied", "version": 2}
    assert driver.updates() == [("default", 1), ("fetched", 2)]
    assert driver.do("meta") == {"owner": "growth"}
    assert driver.do("set", field="subject.userId", value="runtime") == "runtime"
    assert driver.do("set", field="subject.language", value=None) is None
    micro.publish(3, [bundle(micro, subjectConfiguration={"language": "fr", "userId": "x"}), bundle(micro, "b")])
    assert driver.do("refresh") == {"outcome": "applied", "version": 3}
    assert driver.do("explain", field="subject.userId") == {"value": "runtime", "source": "runtime"}
    assert driver.do("explain", field="subject.language") == {"value": None, "source": "runtime"}
    assert driver.do("reset", field="subject.language") == "fr"
    assert driver.do("explain", field="subject.language") == {"value": "fr", "source": "remote", "version": 3}
    assert driver.do("explain")["emitter.emitRange"] == {"value": 500, "source": "builtin"}
    assert driver.do("namespaces") == {"namespaces": ["a", "b"], "default": "a"}
    assert driver.do("refresh") == {"outcome": "notModified"}
    micro.publish(4, [{"namespace": "a"}, bundle(micro, "b")])
    assert driver.do("refresh")["outcome"] == "applied"
    assert driver.do("namespaces") == {"namespaces": ["b"], "default": None}
    assert not driver.ask("track", event={"category": "a", "action": "b"})["ok"]
    driver.quit()


def test_the_lines_come_in_their_order(micro, drive):
    micro.publish(1, [bundle(micro)])
    driver = drive("--config", micro.config)
    driver.fetched()
    for version in range(2, 30):
        micro.publish(version, [bundle(micro)])
        driver.do("refresh")
    kinds = [line["type"] for line in driver.lines]
    assert kinds == ["update", "outcome"] + ["update", "outcome", "answer"] * 28
    driver.quit()


def test_a_wrong_document_changes_nothing(micro, drive):
    micro.publish(1, [bundle(micro)])
    driver = drive("--config", micro.config)
    driver.fetched()
    micro.publish(2, [bundle(micro, "new"), {"namespace": "a", "networkConfiguration": {"endpoint": 42}}])
    outcome = driver.do("refresh")
    assert outcome["outcome"] == "rejected" and outcome["version"] == 2
    assert outcome["reason"].startswith(
        "configurationBundle[1].networkConfiguration.endpoint: expected a string, found a number (line 1, column ")
    assert driver.do("namespaces")["namespaces"] == ["a"]
    for text in ("", "{", "[]", "\ufeff{}", '{"$schema":1}'):
        (micro.directory / "trackers.json").write_text(text)
        assert driver.do("refresh")["outcome"] == "rejected"
    (micro.directory / "trackers.json").write_bytes(b" " * (1 << 20) + b"{}")
    assert driver.do("refresh")["outcome"] == "failed"
    driver.quit()
    assert drive("--config", micro.config).updates() in ([], [("cached", 1)])


def test_a_restart_without_a_network_uses_the_cache(micro, drive):
    micro.publish(7, [bundle(micro)])
    first = drive("--config", micro.config)
    first.fetched()
    first.quit()
    micro.close()
    second = drive("--config", micro.config)
    assert second.fetched()["outcome"] == "failed"
    assert second.updates() == [("cached", 7)]
    assert second.do("namespaces")["namespaces"] == ["a"]
    second.quit(timeout=0.1)


def test_killed_while_it_tracks_it_delivers_what_was_committed(micro, drive):
    micro.publish(1, [bundle(micro, emitterConfiguration={"emitRange": 20})])
    # Slow answers keep a backlog, so that the kill finds requests on their way and rows on disk.
    micro.fault(status="ok", delay=0.02, count=1000, path="/com.")
    committed = []
    for _ in range(4):
        driver = drive("--config", micro.config)
        driver.fetched()
        for number in range(60):
            driver.send("track", event={"category": "kill", "action": str(number)}, committed=True)
        for _ in range(40):
            answer = driver.answers.get(timeout=PATIENCE)
            assert answer["ok"], answer
            committed.append(answer["value"])
        driver.kill()
        # What was answered before the kill and not read yet was committed too.
        while not driver.answers.empty():
            committed.append(driver.answers.get()["value"])
    last = drive("--config", micro.config)
    last.fetched()
    assert last.do("flush", timeout=PATIENCE)["stored"] == 0
    last.quit()
    received = [row["event"]["eid"] for row in micro.good()]
    assert micro.bad() == []
    assert set(committed) <= set(received)
    twice = len(received) - len(set(received))
    print(f"{len(committed)} committed, {len(received)} received, {twice} sent twice")
    # One request of at most 20 events can be on its way at each of the four kills.
    assert twice <= 4 * 20


def test_paused_emitter_stores_and_a_refresh_does_not_resume(micro, drive):
    micro.publish(1, [bundle(micro)])
    driver = drive("--config", micro.config)
    driver.fetched()
    driver.do("pause")
    driver.do("track", event={"category": "a", "action": "b"})
    micro.publish(2, [bundle(micro, trackerConfiguration={"appId": "other"})])
    assert driver.do("refresh")["outcome"] == "applied"
    status = driver.do("flush", timeout=5)
    assert (status["stored"], status["sent"], status["paused"]) == (1, 0, True)
    driver.do("resume")
    assert driver.do("flush", timeout=PATIENCE)["sent"] == 1
    driver.do("pause", what="tracker")
    assert driver.do("track", event={"category": "a", "action": "b"}) is None
    driver.quit()


def test_the_end_of_the_input_and_a_termination_end_in_order(micro, drive):
    micro.publish(1, [bundle(micro)])
    for end in ("input", "signal"):
        driver = drive("--config", micro.config)
        driver.fetched()
        driver.do("track", event={"category": "end", "action": end})
        if end == "input":
            driver.process.stdin.close()
        else:
            driver.process.send_signal(signal.SIGTERM)
        assert driver.process.wait(timeout=PATIENCE) == 0
    assert sorted(row["event"]["se_ac"] for row in micro.good()) == ["input", "signal"]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_termination_at_the_very_start_ends_in_order(micro, binary, number):
    micro.publish(1, [bundle(micro)])
    for _ in range(10):
        process = subprocess.Popen(
            [binary, "run", "--config", micro.config], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True)
        process.stdout.readline()
        process.send_signal(number)
        last = process.communicate(timeout=PATIENCE)[0].splitlines()[-1]
        assert (process.returncode, json.loads(last)["ok"]) == (0, True)


@pytest.mark.parametrize("words", [
    ["demo"], ["run", "--log-level", "verbose", "--config"], ["console", "--log-level", "verbose", "--config"], ["serve"]],
    ids=lambda words: words[0])
def test_whoever_stops_reading_ends_no_command(micro, words):
    micro.publish(1, [bundle(micro)])
    operand = {"demo": [], "serve": [str(micro.directory)]}.get(words[0], [micro.config])
    reader, log = os.pipe()
    os.close(reader)
    process = subprocess.Popen(
        [program(words[0]), *words, *operand], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True)
    os.close(log)
    assert process.stdout.readline()
    process.stdout.close()
    if words[0] != "demo":
        process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=PATIENCE) == 0
    process.stdin.close()


def test_lines_that_are_no_commands_get_an_answer(micro, drive):
    micro.publish(1, [bundle(micro)])
    driver = drive("--config", micro.config)
    driver.fetched()
    for line in ("nonsense", "[]", '{"id":"x"}', '{"id":[1],"do":"fly"}', '{"do":"track","event":{}}',
                 '{"do":"track","event":{"category":1,"action":"b"}}', '{"do":"set","field":"subject.nothing","value":1}',
                 '{"do":"set","field":"subject.userId","value":1}', '{"do":"set","field":"subject.userId"}',
                 '{"do":"set","field":"network.endpoint","value":null}', '{"do":"status","namespace":"zz"}',
                 '{"do":"pause","what":"everything"}', '{"do":"flush","timeout":-1}', '{"do":"variant"}'):
        driver.process.stdin.write(line + "\n")
        driver.process.stdin.flush()
        answer = driver.answers.get(timeout=PATIENCE)
        assert not answer["ok"] and answer["error"], (line, answer)
    driver.quit()


def test_wrong_words_end_with_64_and_a_sentence(binary, micro):
    for words in (["run"], ["fly"], ["run", "--config"], ["run", "--config", "http://x y"], ["run", "--nothing"],
                  ["run", "--config", "a", "--config", "b"], ["run", "--config", "a", "--poll", "0"], ["run", "--config", "http://a/{user}", "--user", ".."],
                  ["run", "--config", "a", "--timeout", "never"], ["run", "--config", micro.config, "--state-dir", ""],
                  ["run", "--config", micro.config, "--cache-dir", ""],
                  ["serve"], ["demo", "x"], ["validate", "x"], ["demo", "--port", "1"], ["demo", "--token", "t"]):
        done = subprocess.run([binary, *words], capture_output=True, text=True, timeout=PATIENCE, stdin=subprocess.DEVNULL)
        assert done.returncode == 64, (words, done)
        assert done.stderr.startswith("demo-tracker: ") and done.stdout == "", (words, done)


def test_inputs_that_are_missing_end_with_66(binary, micro):
    for words in (["serve", "/nowhere"], ["run", "--config", "nowhere"], ["run", "--config", micro.config, "--default", "/nowhere"]):
        done = subprocess.run([binary, *words], capture_output=True, text=True, timeout=PATIENCE, stdin=subprocess.DEVNULL)
        assert (done.returncode, done.stdout) == (66, ""), (words, done)


def test_run_leaves_the_directories_of_services_alone_and_removes_its_own(micro, binary, tmp_path):
    micro.publish(1, [bundle(micro)])
    (tmp_path / "tmp").mkdir()
    environment = {**os.environ, "HOME": str(tmp_path / "home"), "XDG_STATE_HOME": str(tmp_path / "state"),
                   "XDG_CACHE_HOME": str(tmp_path / "cache"), "TMPDIR": str(tmp_path / "tmp")}
    done = subprocess.run([binary, "run", "--config", micro.config], input='{"id":1,"do":"refresh"}\n', capture_output=True,
                          text=True, timeout=PATIENCE, env=environment)
    assert done.returncode == 0
    assert f"cache and state are in {tmp_path}/tmp/demo-tracker." in done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["files", "tmp"]
    assert list((tmp_path / "tmp").iterdir()) == []


def test_an_unusable_directory_is_a_warning(micro, tmp_path, binary):
    micro.publish(1, [bundle(micro)])
    (tmp_path / "file").write_text("")
    done = subprocess.run(
        [binary, "run", "--config", micro.config, "--cache-dir", str(tmp_path / "file" / "c"),
         "--state-dir", str(tmp_path / "file" / "s")],
        input='{"id":1,"do":"refresh"}\n{"id":2,"do":"track","event":{"category":"a","action":"b"}}\n',
        capture_output=True, text=True, timeout=PATIENCE)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    update = next(line for line in lines if line["type"] == "update")
    assert any(w.startswith("event store: events are kept in memory only") for w in update["warnings"])
    assert any(w.startswith("cache: the document was applied but not cached") for w in update["warnings"])
    assert lines[-1]["value"] == {"sent": 1, "stored": 0, "dropped": 0}
    assert micro.bad() == [] and len(micro.good()) == 1
