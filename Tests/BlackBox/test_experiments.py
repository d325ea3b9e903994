"""Experiments, as a script outside sees them."""
import sqlite3
import time
from collections import Counter

import pytest
from documents import DocumentFile, applied, experiment, given, start, user, value
from driver import PATIENCE

UNITS = [f"u{number}" for number in range(200)]
NEWCOMERS = [f"new {number}" for number in range(100)]


def fnv1a32(text):
    """FNV-1a of 32 bits over UTF-16 code units, each XORed whole."""
    value = 0x811C9DC5
    encoded = text.encode("utf-16-le")
    for low, high in zip(encoded[::2], encoded[1::2]):
        value = ((value ^ (low | high << 8)) * 0x01000193) & 0xFFFFFFFF
    return value


def fraction(unit, seed, version=2):
    if version == 1:
        return fnv1a32(unit + seed) % 1000 / 1000
    return fnv1a32(str(fnv1a32(seed + unit))) % 10000 / 10000


def drawn(unit, *weights, seed="e", names="abc", coverage=1, version=2):
    """The variant that the hash gives; None where none covers the unit."""
    n, start = fraction(unit, seed, version), 0.0
    for name, weight in zip(names, weights):
        share = weight / sum(weights)
        if start <= n < start + coverage * share:
            return name
        start += share
    return None


def by_hash(units, *weights, reason="assigned", **more):
    return [(drawn(unit, *weights, **more), reason) for unit in units]


def sticky(answers):
    """The same variants, from the store."""
    return [(variant, "sticky") for variant, _ in answers]


def stored(home, experiment="e"):
    """The assignments on disk."""
    rows = {}
    for file in (home / "state").glob("assignments-*.sqlite"):
        try:
            connection = sqlite3.connect(f"file:{file}?mode=ro", uri=True)
            rows.update(connection.execute("SELECT id, variant FROM assignments WHERE experiment = ?", (experiment,)))
            connection.close()
        except sqlite3.OperationalError:
            pass  # It is being made.
    return rows


def wait_for_stored(home, units, experiment="e"):
    """Waits until assignments are on disk; they are written a moment after their answer."""
    deadline = time.monotonic() + PATIENCE
    while not set(units) <= set(stored(home, experiment)):
        assert time.monotonic() < deadline, len(stored(home, experiment))
        time.sleep(0.02)


def left_assignments(drive, file, home):
    """Ends a service that gave sticky variants and publishes other weights: the variants, and the file that has them."""
    file.publish(1, experiments=[experiment(1, 1, sticky=True)])
    driver = start(drive, file)
    before = given(driver, UNITS)
    driver.quit()
    file.publish(2, experiments=[experiment(0, 1, sticky=True)])
    path, = (home / "state").glob("assignments-*.sqlite")
    return before, path


@pytest.fixture(params=["refreshed", "restarted"])
def publish(request, drive, file):
    """Publishes experiments, and gives the process that has them: the same one, or a new one that starts with them."""
    current = []

    def next(version, *experiments):
        file.publish(version, experiments=experiments)
        if request.param == "restarted" and current:
            current.pop().quit()
        if current:
            applied(current[0], version)
        else:
            current.append(start(drive, file))
            assert current[0].updates()[-1] == ("fetched", version)
        return current[0]

    yield next
    current[0].quit()


def test_the_hash_here_is_the_published_one():
    # GrowthBook's own cases.
    for seed, unit, version, expected in (
            ("", "a", 1, 0.22), ("", "b", 1, 0.077), ("b", "a", 1, 0.946), ("ef", "d", 1, 0.652), ("asdf", "8952klfjas09ujk", 1, 0.549),
            ("", "123", 1, 0.011), ("", '___)((*":&', 1, 0.563), ("seed", "a", 2, 0.0505), ("seed", "b", 2, 0.2696),
            ("foo", "ab", 2, 0.2575), ("foo", "def", 2, 0.2019), ("89123klj", "8952klfjas09ujkasdf", 2, 0.124),
            ("90850943850283058242805", "123", 2, 0.7516), ("()**(%$##$%#$#", '___)((*":&', 2, 0.0128)):
        assert fraction(unit, seed, version) == expected, (seed, unit, version)


def test_two_processes_on_two_copies_of_the_file_give_ten_thousand_units_the_same_variants(drive, tmp_path):
    units = [f"user-{number}" for number in range(8_000)] + [f"משתמש-{number}" for number in range(1_000)]
    units += [f"😀 {number * 7919}" for number in range(1_000)]
    experiments = [
        experiment(70, 30, id="checkout_01", values={"b": {"checkout": {"retryLimit": 5}}}),
        experiment(1, 1, 2, id="kept", seed="ß other 🌍", coverage=0.8, sticky=True), experiment(3, 1, id="old", hashVersion=1)]
    expected = {
        "checkout_01": [drawn(unit, 70, 30, seed="checkout_01") for unit in units],
        "kept": [drawn(unit, 1, 1, 2, seed="ß other 🌍", coverage=0.8) for unit in units],
        "old": [drawn(unit, 3, 1, seed="old", version=1) for unit in units]}
    answers = []
    for name in ("one", "two"):
        file = DocumentFile(tmp_path / name)
        file.publish(7, experiments=experiments)
        driver = start(drive, file, home=tmp_path / name)
        answers.append({id: given(driver, units, id, default="none") for id in expected})
        # What decides a variable is the same variant.
        for unit, variant in list(zip(units, expected["checkout_01"]))[::500]:
            read = value(driver, "checkout", "retryLimit", 3, context=user(unit))
            assert read == ((5, "experiment") if variant == "b" else (3, "fallback"))
        driver.quit()
    assert answers[0] == answers[1]
    for id, variants in expected.items():
        wanted = [(variant, "assigned") if variant else ("none", "notCovered") for variant in variants]
        assert answers[0][id] == wanted, id
    shares = {id: {name: count / len(units) for name, count in Counter(variant for variant, _ in given).items()}
              for id, given in answers[0].items()}
    print(shares)
    for id, wanted in {"checkout_01": {"a": 0.7, "b": 0.3}, "kept": {"a": 0.2, "b": 0.2, "c": 0.4, "none": 0.2},
                       "old": {"a": 0.75, "b": 0.25}}.items():
        assert set(shares[id]) == set(wanted)
        assert all(abs(shares[id][name] - share) < 0.015 for name, share in wanted.items()), (id, shares[id])
    covered = {unit: variant for unit, variant in zip(units, expected["kept"]) if variant}
    assert stored(tmp_path / "one", "kept") == stored(tmp_path / "two", "kept") == covered


def test_an_assignment_says_variant_values_and_reason(drive, file):
    file.publish(1, experiments=[experiment(0, 1, values={"a": {"f": {"x": 0}}, "b": {"f": {"x": 1, "y": [2]}, "g": {"z": None}}})])
    driver = start(drive, file)
    # A null is as if it were absent.
    assert driver.do("variant", experiment="e", default="-", context=user("u")) == {
        "variant": "b", "reason": "assigned", "values": {"f": {"x": 1, "y": [2]}, "g": {}}}
    # Without a context there is no unit to give a variant.
    assert driver.do("variant", experiment="e", default="-") == {"variant": "-", "reason": "noUnit", "values": {}}
    driver.quit()


def test_weights_of_zero_and_one_give_everybody_the_second(drive, file):
    file.publish(1, experiments=[experiment(0, 1), experiment(0, 0.001, 0, id="middle")])
    driver = start(drive, file)
    for id in ("e", "middle"):
        assert set(given(driver, UNITS, id)) == {("b", "assigned")}
    driver.quit()


def test_an_unknown_experiment_gives_the_default_verbatim(drive, file):
    file.publish(1, experiments=[experiment(1)])
    driver = start(drive, file)
    for default in ("control", "", " ", "no variant of any", "ü 😀\n\u0000\"\\", "x" * 10_000, "a"):
        assert driver.do("variant", experiment="nothing", default=default, context=user("u")) == {
            "variant": default, "reason": "unknown", "values": {}}
    assert driver.do("variant", experiment="", default="-", context=user("u"))["reason"] == "unknown"
    driver.quit()


def test_filters_say_who_takes_part(drive, file):
    file.publish(1, experiments=[
        experiment(1, id="countries", countries=["US", " IL "]), experiment(1, id="languages", languages=["en", "pt-BR"]),
        experiment(1, id="both", countries=["us"], languages=["EN"]), experiment(1, id="nowhere", countries=[]),
        experiment(1, id="speechless", languages=[]), experiment(1, id="all", countries=None, languages=None)])
    driver = start(drive, file)
    cases = [
        ("countries", {"country": "US"}, True), ("countries", {"country": "il"}, True), ("countries", {"country": " us\t"}, True),
        ("countries", {"country": "FR"}, False), ("countries", {"country": "U"}, False), ("countries", {}, False),
        ("countries", {"country": ""}, False), ("countries", {"country": "US", "language": "fr"}, True),
        ("languages", {"language": "en"}, True), ("languages", {"language": "en-UK"}, True), ("languages", {"language": "EN-us"}, True),
        ("languages", {"language": " en "}, True), ("languages", {"language": "eng"}, False), ("languages", {"language": "fr"}, False),
        ("languages", {"language": "pt-br"}, True), ("languages", {"language": "pt"}, False), ("languages", {}, False),
        ("both", {"country": "US", "language": "en-UK"}, True), ("both", {"country": "US"}, False),
        ("both", {"country": "US", "language": "he"}, False), ("both", {"country": "IL", "language": "en"}, False),
        ("nowhere", {"country": "US", "language": "en"}, False), ("nowhere", {}, False),
        ("speechless", {"country": "US", "language": "en"}, False), ("all", {}, True), ("all", {"country": "XX"}, True)]
    for id, who, takes_part in cases:
        expected = ("a", "assigned") if takes_part else ("default", "filtered")
        assert given(driver, ["u"], id, default="default", **who) == [expected], (id, who)
    # Who is filtered out is not asked for an id.
    assert driver.do("variant", experiment="nowhere", default="-")["reason"] == "filtered"
    driver.quit()


def test_who_has_no_id_of_the_unit_and_who_is_not_covered_gets_the_default(drive, file):
    file.publish(1, experiments=[
        experiment(1, 1, coverage=0.3), experiment(1, 1, id="none", coverage=0), experiment(1, 1, id="device", unit="deviceId"),
        experiment(1, 1, id="sticky", coverage=0.3, sticky=True)])
    driver = start(drive, file)
    answers = given(driver, UNITS)
    assert answers == [(drawn(unit, 1, 1, coverage=0.3) or "-", "assigned" if drawn(unit, 1, 1, coverage=0.3) else "notCovered")
                       for unit in UNITS]
    assert 30 < sum(reason == "assigned" for _, reason in answers) < 90
    assert set(given(driver, UNITS, "none")) == {("-", "notCovered")}
    for context, expected in (
            ({"units": {"userId": "u"}}, ("-", "noUnit")), ({"units": {"deviceId": ""}}, ("-", "noUnit")),
            ({"units": {"deviceId": None}}, ("-", "noUnit")), ({"units": {}}, ("-", "noUnit")), ({}, ("-", "noUnit")),
            ({"units": {"userId": "u", "deviceId": "d"}}, (drawn("d", 1, 1, seed="device"), "assigned"))):
        answer = driver.do("variant", experiment="device", default="-", context=context)
        assert (answer["variant"], answer["reason"]) == expected, context
    # A unit that is not covered is not stored, and can be covered later.
    outside = [unit for unit in UNITS if not drawn(unit, 1, 1, seed="sticky", coverage=0.3)]
    assert set(given(driver, outside, "sticky")) == {("-", "notCovered")}
    file.publish(2, experiments=[experiment(1, 1, id="sticky", sticky=True)])
    applied(driver, 2)
    assert given(driver, outside, "sticky") == by_hash(outside, 1, 1, seed="sticky")
    driver.quit()


def test_of_two_experiments_that_override_one_variable_the_earlier_wins_with_a_warning(drive, file):
    first = experiment(0, 1, id="first", values={"b": {"f": {"v": "first"}}}, countries=["US"])
    second = experiment(0, 1, id="second", values={"b": {"f": {"v": "second", "w": "second"}}})
    file.publish(1, experiments=[first, second], features={"f": {"variables": {"v": {"value": "-"}, "w": {"value": "-"}}}})
    driver = start(drive, file)
    update = next(line for line in driver.lines if line["type"] == "update")
    assert len(update["warnings"]) == 1 and "first" in update["warnings"][0], update
    assert value(driver, "f", "v", "-", context=user("u", country="US")) == ("first", "experiment")
    # Where the earlier gives nothing, the later has its say.
    assert value(driver, "f", "v", "-", context=user("u", country="FR")) == ("second", "experiment")
    assert value(driver, "f", "w", "-", context=user("u", country="US")) == ("second", "experiment")
    driver.quit()


# The rows of the table of changes.


def test_weights_changed_sticky_units_keep_theirs_and_new_ones_follow(publish):
    before = given(publish(1, experiment(1, 1, sticky=True)), UNITS)
    assert before == by_hash(UNITS, 1, 1)
    driver = publish(2, experiment(0, 1, sticky=True))
    assert given(driver, UNITS) == sticky(before)
    assert set(given(driver, NEWCOMERS)) == {("b", "assigned")}
    driver = publish(3, experiment(1, 0, sticky=True))
    assert given(driver, UNITS + NEWCOMERS) == sticky(before) + [("b", "sticky")] * len(NEWCOMERS)


def test_weights_changed_not_sticky_all_are_bucketed_again(publish):
    for version, weights in enumerate([(1, 1), (9, 1), (1, 9), (0, 1)], 1):
        driver = publish(version, experiment(*weights))
        assert given(driver, UNITS) == given(driver, UNITS) == by_hash(UNITS, *weights)


def test_sticky_then_not_the_hash_decides_again(publish):
    before = given(publish(1, experiment(1, 1, sticky=True)), UNITS)
    assert given(publish(2, experiment(0, 1, sticky=True)), UNITS) == sticky(before)
    assert given(publish(3, experiment(0, 1)), UNITS) == by_hash(UNITS, 0, 1)
    # What was stored is of the past when it is sticky once more.
    assert given(publish(4, experiment(9, 1, sticky=True)), UNITS) == by_hash(UNITS, 9, 1)


def test_not_sticky_then_sticky_what_units_have_is_kept(publish):
    before = given(publish(1, experiment(1, 1)), UNITS)
    assert given(publish(2, experiment(1, 1, sticky=True)), UNITS) == before
    assert given(publish(3, experiment(0, 1, sticky=True)), UNITS) == sticky(before)


def test_sticky_variant_removed_its_units_are_drawn_again_and_keep_that(publish):
    before = given(publish(1, experiment(1, 1, 1, sticky=True)), UNITS)
    assert {variant for variant, _ in before} == {"a", "b", "c"}
    # By a hash of its own: the usual one would send all of them to b, whose range is next.
    again = [old if old[0] != "a" else (drawn(unit, 1, 1, names="bc", seed="1:ea"), "assigned")
             for unit, old in zip(UNITS, before)]
    after = given(publish(2, experiment(1, 1, names="bc", sticky=True)), UNITS)
    moved = Counter(new for (old, _), (new, _) in zip(before, after) if old == "a")
    assert set(moved) == {"b", "c"} and max(moved.values()) < 2 * min(moved.values())
    assert after == [(variant, "assigned" if old == "a" else "sticky") for (variant, _), (old, _) in zip(again, before)]
    assert given(publish(3, experiment(1, 0, 0, sticky=True)), UNITS) == sticky(after)


def test_experiment_deleted_everybody_gets_the_default(publish):
    before = given(publish(1, experiment(1, 1, sticky=True), experiment(1, 1, id="other", sticky=True)), UNITS)
    other = given(publish(2, experiment(0, 1, id="other", sticky=True)), UNITS, "other")
    assert set(given(publish(3, experiment(0, 1, id="other", sticky=True)), UNITS)) == {("-", "unknown")}
    driver = publish(4, experiment(0, 1, sticky=True), experiment(1, 0, id="other", sticky=True))
    # It begins anew, and the others are not touched.
    assert given(driver, UNITS) == by_hash(UNITS, 0, 1) != before
    assert given(driver, UNITS, "other") == sticky(other)


def test_filtered_out_units_get_the_default_and_what_was_stored_is_kept(publish):
    before = given(publish(1, experiment(1, 1, sticky=True)), UNITS, country="FR")
    driver = publish(2, experiment(0, 1, sticky=True, countries=["US"]))
    assert set(given(driver, UNITS, country="FR")) == {("-", "filtered")}
    assert given(driver, UNITS[:100], country="US") == sticky(before)[:100]
    assert given(publish(3, experiment(0, 1, sticky=True)), UNITS, country="FR") == sticky(before)


# Where sticky assignments are kept.


def test_only_a_fetched_document_without_the_experiment_ends_its_assignments(drive, file, tmp_path):
    file.publish(1, experiments=[experiment(1, 1, sticky=True)])
    driver = start(drive, file)
    before = given(driver, UNITS)
    # A document that is rejected, or none at all.
    file.publish(2, experiments=[experiment(0, 0)])
    assert driver.do("refresh")["outcome"] == "rejected"
    assert given(driver, UNITS) == sticky(before)
    driver.quit()
    file.path.unlink()
    (tmp_path / "cache").rename(tmp_path / "lost")
    default = DocumentFile(tmp_path, "default.json")
    default.publish(1, experiments=[experiment(1, id="of the default", sticky=True)])
    second = start(drive, file, "--default", default.path)
    assert second.updates() == [("default", None)]
    assert set(given(second, UNITS)) == {("-", "unknown")}
    file.publish(3, experiments=[experiment(0, 1, sticky=True)])
    applied(second, 3)
    assert given(second, UNITS) == sticky(before)
    second.quit()


def test_processes_that_share_a_state_directory_see_each_others_assignments(drive, file, tmp_path):
    file.publish(1, experiments=[experiment(1, 1, sticky=True)])
    one, two = start(drive, file), start(drive, file)
    before = given(one, UNITS)
    # Some were asked of the other one before.
    assert [variant for variant, _ in given(two, UNITS[:50])] == [variant for variant, _ in before[:50]]
    wait_for_stored(tmp_path, UNITS)
    file.publish(2, experiments=[experiment(0, 1, sticky=True)])
    for driver in (one, two):
        applied(driver, 2)
    assert given(two, UNITS) == given(one, UNITS) == sticky(before)
    assert set(given(two, NEWCOMERS)) == {("b", "assigned")}
    wait_for_stored(tmp_path, NEWCOMERS)
    file.publish(3, experiments=[experiment(1, 0, sticky=True)])
    for driver in (one, two):
        applied(driver, 3)
    assert set(given(one, NEWCOMERS)) == {("b", "sticky")}
    # One that starts later knows all of it.
    three = start(drive, file)
    assert given(three, UNITS) == sticky(before)
    for driver in (one, two, three):
        driver.quit()


def test_assignments_that_are_on_disk_survive_a_kill_and_the_end_waits_for_the_others(drive, file, tmp_path):
    file.publish(1, experiments=[experiment(1, 1, sticky=True)])
    driver = start(drive, file)
    before = given(driver, UNITS)
    wait_for_stored(tmp_path, UNITS)
    driver.kill()
    assert stored(tmp_path) == {unit: variant for unit, (variant, _) in zip(UNITS, before)}
    file.publish(2, experiments=[experiment(0, 1, sticky=True)])
    second = start(drive, file)
    assert given(second, UNITS) == sticky(before)
    assert set(given(second, NEWCOMERS)) == {("b", "assigned")}
    # At once, with nothing waited for.
    second.quit()
    assert set(NEWCOMERS) <= set(stored(tmp_path))
    file.publish(3, experiments=[experiment(1, 0, sticky=True)])
    third = start(drive, file)
    assert given(third, UNITS) == sticky(before)
    assert set(given(third, NEWCOMERS)) == {("b", "sticky")}
    third.quit()


def test_a_state_directory_that_cannot_be_used_is_a_warning_and_nothing_is_sticky(drive, file, tmp_path):
    home = tmp_path / "home"
    home.mkdir()
    # In the place of the directory, as it keeps out even a process that may write everywhere.
    (home / "state").write_text("")
    file.publish(1, experiments=[experiment(1, 1, sticky=True)])
    driver = start(drive, file, home=home)
    update = next(line for line in driver.lines if line["type"] == "update")
    assert any(warning.startswith("experiments: ") and "behave as if they were not sticky" in warning
               for warning in update["warnings"]), update
    assert given(driver, UNITS) == given(driver, UNITS) == by_hash(UNITS, 1, 1)
    file.publish(2, experiments=[experiment(0, 1, sticky=True)])
    applied(driver, 2)
    assert given(driver, UNITS) == by_hash(UNITS, 0, 1)
    # Where it can be used again, the next document makes them sticky.
    (home / "state").unlink()
    file.publish(3, experiments=[experiment(1, 1, sticky=True)])
    applied(driver, 3)
    before = given(driver, UNITS)
    file.publish(4, experiments=[experiment(0, 1, sticky=True)])
    applied(driver, 4)
    assert given(driver, UNITS) == sticky(before)
    driver.quit()


def test_a_damaged_file_of_assignments_is_set_aside_with_a_warning(drive, file, tmp_path):
    before, path = left_assignments(drive, file, tmp_path)
    for journal in path.parent.glob(path.name + "-*"):
        journal.unlink()
    path.write_bytes(b"no database at all" * 1000)
    second = start(drive, file)
    update = next(line for line in second.lines if line["type"] == "update")
    assert any("damaged" in warning for warning in update["warnings"]), update
    assert given(second, UNITS) == by_hash(UNITS, 0, 1) != before
    second.quit()
    assert set(stored(tmp_path)) == set(UNITS)


def test_users_with_documents_of_their_own_keep_their_assignments(drive, tmp_path):
    for name, weights in (("ann", (1, 0)), ("bob", ())):
        DocumentFile(tmp_path / "users", f"{name}.json").publish(1, experiments=[experiment(*weights, sticky=True)] if weights else [])
    driver = drive("--config", f"file://{tmp_path}/users/{{user}}.json", "--user", "ann")
    driver.fetched()
    assert set(given(driver, UNITS)) == {("a", "assigned")}
    driver.do("user", user="bob")
    assert driver.do("refresh")["outcome"] == "applied"
    # Bob's document does not have it, which says nothing of ann's.
    assert set(given(driver, UNITS)) == {("-", "unknown")}
    DocumentFile(tmp_path / "users", "ann.json").publish(2, experiments=[experiment(0, 1, sticky=True)])
    driver.do("user", user="ann")
    assert driver.do("refresh")["outcome"] == "applied"
    assert set(given(driver, UNITS)) == {("a", "sticky")}
    driver.quit()


# Forgetting a unit.


def test_a_forgotten_unit_is_drawn_anew_and_the_answer_says_how_many_assignments_were_removed(drive, file, tmp_path):
    file.publish(1, experiments=[experiment(0, 1, sticky=True), experiment(0, 1, id="other", sticky=True)])
    driver = start(drive, file)
    for id in ("e", "other"):
        assert set(given(driver, UNITS[:10], id)) == {("b", "assigned")}
    wait_for_stored(tmp_path, UNITS[:10], "other")
    file.publish(2, experiments=[experiment(1, 0, sticky=True), experiment(1, 0, id="other", sticky=True)])
    applied(driver, 2)
    assert driver.do("forget", unit={"userId": UNITS[0]}) == 2
    assert driver.do("forget", unit={"userId": UNITS[0]}) == 0
    assert driver.do("forget", unit={"deviceId": UNITS[1]}) == 0
    assert UNITS[0] not in stored(tmp_path) and UNITS[0] not in stored(tmp_path, "other")
    assert given(driver, UNITS[:10]) == [("a", "assigned")] + [("b", "sticky")] * 9
    # At once, while it may not be on the disk yet.
    assert driver.do("forget", unit={"userId": UNITS[0]}) == 1
    driver.quit()
    assert UNITS[0] not in stored(tmp_path)
    second = start(drive, file)
    assert given(second, UNITS[:3]) == [("a", "assigned"), ("b", "sticky"), ("b", "sticky")]
    assert second.do("forget", unit={"userId": UNITS[1], "deviceId": "d"}) == 2
    second.quit()


def test_forget_wants_units_with_ids_of_text(drive, file):
    file.publish(1, experiments=[experiment(1, 1, sticky=True)])
    driver = start(drive, file)
    for unit in (None, {}, "u", {"userId": 7}, {"userId": None}):
        answer = driver.ask("forget", unit=unit)
        assert not answer["ok"] and "unit" in answer["error"], (unit, answer)
    driver.quit()


def test_a_file_of_the_first_schema_keeps_its_assignments_and_gets_times(drive, file, tmp_path):
    before, path = left_assignments(drive, file, tmp_path)
    connection = sqlite3.connect(path, isolation_level=None)
    assert connection.execute("PRAGMA user_version").fetchone() == (2,)
    # As an earlier version of the SDK has made it.
    connection.execute("ALTER TABLE assignments DROP COLUMN time")
    connection.execute("PRAGMA user_version = 1")
    connection.close()
    started = time.time() * 1000
    second = start(drive, file)
    assert given(second, UNITS) == sticky(before)
    assert set(given(second, NEWCOMERS)) == {("b", "assigned")}
    second.quit()
    connection = sqlite3.connect(path)
    rows = connection.execute("SELECT time FROM assignments").fetchall()
    connection.close()
    assert len(rows) == len(UNITS) + len(NEWCOMERS)
    assert all(started - 1000 <= row[0] <= time.time() * 1000 for row in rows)
