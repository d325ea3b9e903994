"""A service's life with its file, as a script outside sees it."""
import json
import os
import signal
import subprocess

import pytest
from documents import NOWHERE, DocumentFile, applied, bundle, event, experiment, feature, start, user, value
from driver import BINARY, PATIENCE, document, program, run


def test_the_file_configures_and_the_service_keeps_what_it_changed(micro, drive, tmp_path):
    default = DocumentFile(tmp_path, "default.json")
    default.publish(1, [bundle(micro.url)])
    micro.publish(2, [bundle(micro.url, subject={"language": "de", "userId": "remote"})], meta={"owner": "growth"})
    driver = drive("--config", micro.config, "--default", default.path, "--default-version", 1)
    assert driver.fetched() == {"type": "outcome", "outcome": "applied", "version": 2}
    assert driver.updates() == [("default", 1), ("fetched", 2)]
    assert driver.do("meta") == {"owner": "growth"}
    assert driver.do("set", field="subject.userId", value="runtime") == "runtime"
    assert driver.do("set", field="subject.language", value=None) is None
    driver.do("pause")
    micro.publish(3, [bundle(micro.url, subject={"language": "fr", "userId": "x"}), bundle(micro.url, "b")])
    applied(driver, 3)
    assert driver.do("explain", field="subject.userId") == {"value": "runtime", "source": "runtime"}
    assert driver.do("explain", field="subject.language") == {"value": None, "source": "runtime"}
    assert driver.do("reset", field="subject.language") == "fr"
    assert driver.do("explain", field="subject.language") == {"value": "fr", "source": "remote", "version": 3}
    assert driver.do("explain")["emitter.emitRange"] == {"value": 500, "source": "builtin"}
    assert driver.do("namespaces") == {"namespaces": ["a", "b"], "default": "a"}
    assert driver.do("refresh") == {"outcome": "notModified"}
    # The new document has not resumed the emitter.
    driver.do("track", event=event("paused"))
    assert driver.do("status")["paused"] is True and micro.count() == 0
    driver.do("resume")
    assert driver.flush()["sent"] == 1
    driver.do("pause", what="tracker")
    assert driver.do("track", event=event("dropped")) is None
    micro.publish(4, [{"namespace": "a"}, bundle(micro.url, "b")])
    applied(driver, 4)
    assert driver.do("namespaces") == {"namespaces": ["b"], "default": None}
    assert not driver.ask("track", event=event("late"))["ok"]
    driver.quit()


def test_the_lines_come_in_their_order(drive, file):
    file.publish(1, [bundle(NOWHERE)])
    driver = start(drive, file.url)
    for version in range(2, 7):
        file.publish(version, [bundle(NOWHERE)])
        applied(driver, version)
    kinds = [line["type"] for line in driver.lines]
    assert kinds == ["update", "outcome"] + ["update", "outcome", "answer"] * 5
    driver.quit()


def test_a_wrong_document_changes_nothing(micro, drive):
    parts = {"features": {"f": feature(v=1)}, "experiments": [experiment(0, 1)], "meta": {"owner": "growth"}}
    micro.publish(1, [bundle(micro.url)], **parts)
    driver = start(drive, micro.config)
    for wrong, reason in (
            ({"configurationBundle": [bundle(micro.url, "new"), bundle(42)]},
             "configurationBundle[1].networkConfiguration.endpoint: expected a string, found a number (line 1, column "),
            ({"features": {"f": feature(v=2), "g": feature(1)}}, "features.g.enabled: expected a boolean, found "),
            ({"experiments": [experiment(1, coverage=50)]},
             "experiments[0].coverage: 50 is above 1; coverage is a share, so 0.5 is half")):
        # All else in it is good and new, and none of it is applied.
        text = {**document(2, [bundle(micro.url, "new")], features={"f": feature(v=2)}, meta={}), **wrong}
        (micro.directory / "trackers.json").write_text(json.dumps(text))
        outcome = driver.do("refresh")
        assert (outcome["outcome"], outcome["version"]) == ("rejected", 2) and outcome["reason"].startswith(reason), outcome
    for text in ("", "{", "[]", "\ufeff{}", '{"$schema":1}'):
        (micro.directory / "trackers.json").write_text(text)
        assert driver.do("refresh")["outcome"] == "rejected"
    (micro.directory / "trackers.json").write_bytes(b" " * (1 << 20) + b"{}")
    assert driver.do("refresh")["outcome"] == "failed"
    assert driver.do("namespaces")["namespaces"] == ["a"] and driver.do("meta") == {"owner": "growth"}
    assert value(driver, "f", "v", 0) == (1, "remote")
    assert driver.do("variant", experiment="e", default="-", context=user("u"))["variant"] == "b"
    assert driver.updates() == [("fetched", 1)]
    driver.quit()


def test_a_restart_without_a_network_uses_the_cache_of_its_user(micro, drive):
    for name, version in (("ann", 7), ("bob", 1)):
        (micro.directory / f"{name}.json").write_text(json.dumps(document(version, [bundle(micro.url, name)])))
    url = f"{micro.url}/files/{{user}}.json"
    for name in ("ann", "bob"):
        start(drive, url, "--user", name).quit()
    micro.close()
    for name, version in (("ann", 7), ("bob", 1)):
        driver = drive("--config", url, "--user", name)
        assert driver.fetched()["outcome"] == "failed"
        assert driver.updates() == [("cached", version)]
        assert driver.do("namespaces")["namespaces"] == [name]
        driver.quit(timeout=0)


def test_the_end_of_the_input_and_a_termination_end_in_order(micro, drive):
    micro.publish(1, [bundle(micro.url)])
    for end in ("input", "signal"):
        driver = start(drive, micro.config)
        driver.do("track", event=event(end))
        if end == "input":
            driver.process.stdin.close()
        else:
            driver.process.send_signal(signal.SIGTERM)
        assert driver.process.wait(timeout=PATIENCE) == 0
    assert sorted(row["event"]["se_ac"] for row in micro.good()) == ["input", "signal"]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_termination_at_the_very_start_ends_in_order(file, number):
    file.publish(1, [bundle(NOWHERE)])
    for _ in range(4):
        process = subprocess.Popen(
            [BINARY, "run", "--config", file.url], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        process.stdout.readline()
        process.send_signal(number)
        last = process.communicate(timeout=PATIENCE)[0].splitlines()[-1]
        assert (process.returncode, json.loads(last)["ok"]) == (0, True)


@pytest.mark.parametrize("words", [
    ["demo"], ["run", "--log-level", "verbose", "--config"], ["console", "--log-level", "verbose"], ["serve"]],
    ids=lambda words: words[0])
def test_whoever_stops_reading_ends_no_command(file, words):
    file.publish(1, [bundle(NOWHERE)])
    operand = {"demo": [], "serve": [file.path.parent]}.get(words[0], [file.url])
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


def test_lines_that_are_no_commands_get_an_answer_and_change_nothing(drive, file):
    file.publish(1, [bundle(NOWHERE)], features={"f": feature(True, v=1)}, experiments=[experiment(1, 1)])
    driver = start(drive, file.url)
    for line in ("nonsense", "[]", '{"id":"x"}', '{"id":[1],"do":"fly"}', '{"do":"track","event":{}}',
                 '{"do":"track","event":{"category":1,"action":"b"}}', '{"do":"set","field":"subject.nothing","value":1}',
                 '{"do":"set","field":"subject.userId","value":1}', '{"do":"set","field":"subject.userId"}',
                 '{"do":"set","field":"network.endpoint","value":null}', '{"do":"status","namespace":"zz"}',
                 '{"do":"pause","what":"everything"}', '{"do":"flush","timeout":-1}', '{"do":"variant"}',
                 '{"do":"forget"}', '{"do":"forget","unit":{}}',
                 '{"do":"forget","unit":{"userId":7}}', '{"do":"watch"}', '{"do":"watch","feature":[]}'):
        driver.process.stdin.write(line + "\n")
        driver.process.stdin.flush()
        answer = driver.answer()
        assert not answer["ok"] and answer["error"], (line, answer)
    whole = {"enabled": {"feature": "f"}, "value": {"feature": "f", "variable": "v", "default": 0},
             "variant": {"experiment": "e", "default": "-"}}
    bad = [(do, {key: word for key, word in words.items() if key != left}) for do, words in whole.items() for left in words]
    bad += [("override", {"value": 5}), ("override", {"feature": "f", "variable": 1, "value": 5}),
            ("override", {"feature": "f", "value": "true"}), ("deleteOverride", {"feature": True})]
    bad += [(do, {**words, "context": context}) for do, words in whole.items() for context in (
        "u", 1, [], {"units": "u"}, {"units": {"userId": 1}}, {"country": 1}, {"language": ["en"]}, {"attributes": "a"},
        {"unit": {"userId": "u"}})]
    for do, words in bad:
        answer = driver.ask(do, **words)
        assert not answer["ok"] and answer["error"], (do, words, answer)
    assert value(driver, "f", "v", 0) == (1, "remote") and driver.do("enabled", feature="f") is True
    driver.quit()


def test_wrong_words_end_with_64_and_a_sentence(file):
    url = file.url
    for words in (["run"], ["fly"], ["run", "--config"], ["run", "--config", "http://x y"], ["run", "--nothing"],
                  ["run", "--config", "a", "--config", "b"], ["run", "--config", "a", "--poll", "0"],
                  ["run", "--config", "http://a/{user}", "--user", ".."], ["run", "--config", "a", "--timeout", "never"],
                  ["run", "--config", url, "--state-dir", ""], ["run", "--config", url, "--cache-dir", ""],
                  ["serve"], ["demo", "x"], ["validate", "x"], ["demo", "--port", "1"], ["demo", "--token", "t"]):
        status, output, errors = run(BINARY, *words)
        assert (status, output) == (64, "") and errors.startswith("demo-tracker: "), (words, status, errors)


def test_inputs_that_are_missing_end_with_66(file):
    for words in (["serve", "/nowhere"], ["run", "--config", "nowhere"], ["run", "--config", file.url, "--default", "/nowhere"]):
        assert run(BINARY, *words)[:2] == (66, ""), words


def test_run_leaves_the_directories_of_services_alone_and_removes_its_own(file, tmp_path):
    file.publish(1, [bundle(NOWHERE)])
    (tmp_path / "tmp").mkdir()
    environment = {**os.environ, "HOME": str(tmp_path / "home"), "XDG_STATE_HOME": str(tmp_path / "state"),
                   "XDG_CACHE_HOME": str(tmp_path / "cache"), "TMPDIR": str(tmp_path / "tmp")}
    status, _, errors = run(BINARY, "run", "--config", file.url, stdin='{"id":1,"do":"refresh"}\n', env=environment)
    assert status == 0
    assert f"cache and state are in {tmp_path}/tmp/demo-tracker." in errors
    assert sorted(path.name for path in tmp_path.iterdir()) == ["files", "tmp"]
    assert list((tmp_path / "tmp").iterdir()) == []


def test_an_unusable_directory_is_a_warning(micro, drive, tmp_path):
    micro.publish(1, [bundle(micro.url)])
    (tmp_path / "file").write_text("")
    driver = start(drive, micro.config, home=tmp_path / "file")
    driver.do("track", event=event("memory"))
    assert driver.quit() == {"sent": 1, "stored": 0, "dropped": 0}
    for sentence in ("event store: events are kept in memory only", "cache: the document was applied but not cached"):
        assert any(warning.startswith(sentence) for warning in driver.warnings()), driver.warnings()
    assert len(micro.ids()) == 1
