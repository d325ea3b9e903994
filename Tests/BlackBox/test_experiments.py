"""Experiments of several processes, and of processes that are killed."""
import sqlite3

from documents import DocumentFile, applied, experiment, given, start, user
from driver import wait_until

UNITS = [f"u{number}" for number in range(50)]
NEWCOMERS = [f"new {number}" for number in range(20)]


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


def drawn(unit, *weights, seed="e", coverage=1, version=2):
    """The variant that the hash gives; None where none covers the unit."""
    n, start = fraction(unit, seed, version), 0.0
    for name, weight in zip("abc", weights):
        share = weight / sum(weights)
        if start <= n < start + coverage * share:
            return name
        start += share
    return None


def sticky(answers):
    """The same variants, from the store."""
    return [(variant, "sticky") for variant, _ in answers]


def stored(home, experiment="e"):
    """The assignments on disk."""
    rows = {}
    for file in (home / "state").glob("assignments.sqlite"):
        try:
            connection = sqlite3.connect(f"file:{file}?mode=ro", uri=True)
            rows.update(connection.execute("SELECT id, variant FROM assignments WHERE experiment = ?", (experiment,)))
            connection.close()
        except sqlite3.OperationalError:
            pass  # It is being made.
    return rows


def wait_for_stored(home, units):
    """Waits until assignments are on disk; they are written a moment after their answer."""
    wait_until(lambda: f"{len(units)} assignments are stored: {len(stored(home))}", lambda: set(units) <= set(stored(home)))


def test_the_hash_here_is_the_published_one():
    # GrowthBook's own cases.
    for seed, unit, version, expected in (
            ("", "a", 1, 0.22), ("b", "a", 1, 0.946), ("", '___)((*":&', 1, 0.563), ("seed", "a", 2, 0.0505),
            ("foo", "def", 2, 0.2019), ("()**(%$##$%#$#", '___)((*":&', 2, 0.0128)):
        assert fraction(unit, seed, version) == expected, (seed, unit, version)


def test_two_processes_on_two_copies_of_the_file_give_a_thousand_units_the_variants_of_the_hash(drive, tmp_path):
    units = [f"user-{number}" for number in range(800)] + [f"משתמש-{number}" for number in range(100)]
    units += [f"😀 {number * 7919}" for number in range(100)]
    experiments = [
        experiment(70, 30, id="checkout_01"), experiment(3, 1, id="old", hashVersion=1),
        experiment(1, 1, 2, id="kept", seed="ß other 🌍", coverage=0.8, sticky=True)]
    expected = {
        "checkout_01": [drawn(unit, 70, 30, seed="checkout_01") for unit in units],
        "kept": [drawn(unit, 1, 1, 2, seed="ß other 🌍", coverage=0.8) for unit in units],
        "old": [drawn(unit, 3, 1, seed="old", version=1) for unit in units]}
    for name in ("one", "two"):
        file = DocumentFile(tmp_path / name)
        file.publish(7, experiments=experiments)
        driver = start(drive, file.url, home=tmp_path / name)
        for id, variants in expected.items():
            wanted = [(variant, "assigned") if variant else ("none", "notCovered") for variant in variants]
            assert given(driver, units, id, default="none") == wanted, id
        driver.quit()
    covered = {unit: variant for unit, variant in zip(units, expected["kept"]) if variant}
    assert stored(tmp_path / "one", "kept") == stored(tmp_path / "two", "kept") == covered


def test_an_assignment_says_variant_values_and_reason(drive, file):
    file.publish(1, experiments=[experiment(0, 1, values={"a": {"f": {"x": 0}}, "b": {"f": {"x": 1, "y": [2]}, "g": {"z": None}}})])
    driver = start(drive, file.url)
    # A null is as if it were absent.
    assert driver.do("variant", experiment="e", default="-", context=user("u")) == {
        "variant": "b", "reason": "assigned", "values": {"f": {"x": 1, "y": [2]}, "g": {}}}
    # Without a context there is no unit to give a variant.
    assert driver.do("variant", experiment="e", default="-") == {"variant": "-", "reason": "noUnit", "values": {}}
    for default in ("", "ü 😀\n\u0000\"\\", "x" * 10_000):
        assert driver.do("variant", experiment="nothing", default=default, context=user("u")) == {
            "variant": default, "reason": "unknown", "values": {}}
    driver.quit()


def test_processes_that_share_a_state_directory_see_each_others_assignments(drive, file, tmp_path):
    file.publish(1, experiments=[experiment(1, 1, sticky=True)])
    one, two = start(drive, file.url), start(drive, file.url)
    before = given(one, UNITS)
    # Some were asked of the other one before.
    assert [variant for variant, _ in given(two, UNITS[:20])] == [variant for variant, _ in before[:20]]
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
    three = start(drive, file.url)
    assert given(three, UNITS) == sticky(before)
    for driver in (one, two, three):
        driver.quit()


def test_assignments_that_are_on_disk_survive_a_kill_and_the_end_waits_for_the_others(drive, file, tmp_path):
    file.publish(1, experiments=[experiment(1, 1, sticky=True)])
    driver = start(drive, file.url)
    before = given(driver, UNITS)
    wait_for_stored(tmp_path, UNITS)
    driver.kill()
    assert stored(tmp_path) == {unit: variant for unit, (variant, _) in zip(UNITS, before)}
    file.publish(2, experiments=[experiment(0, 1, sticky=True)])
    second = start(drive, file.url)
    assert given(second, UNITS) == sticky(before)
    assert set(given(second, NEWCOMERS)) == {("b", "assigned")}
    # At once, with nothing waited for.
    second.quit()
    assert set(NEWCOMERS) <= set(stored(tmp_path))
    file.publish(3, experiments=[experiment(1, 0, sticky=True)])
    third = start(drive, file.url)
    assert given(third, UNITS) == sticky(before)
    assert set(given(third, NEWCOMERS)) == {("b", "sticky")}
    # One unit is forgotten, and drawn anew.
    assert third.do("forget", unit={"userId": NEWCOMERS[0]}) == 1
    assert given(third, NEWCOMERS[:2]) == [("a", "assigned"), ("b", "sticky")]
    third.quit()
