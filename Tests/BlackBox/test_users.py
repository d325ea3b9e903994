"""Users who have a document each, as a script outside sees them."""
import json

from driver import SCHEMA


def publish(micro, user, version, *namespaces, **more):
    """Writes a user's document; the empty user's is for all."""
    bundles = [{"namespace": name, "networkConfiguration": {"endpoint": micro.url}} for name in namespaces]
    document = {"$schema": SCHEMA, "configurationVersion": version, "configurationBundle": bundles, **more}
    (micro.directory / f"{user}.json").write_text(json.dumps(document))


def url(micro):
    return micro.url + "/files/{user}.json"


def active(state, version, *namespaces):
    return {"state": state, "version": version, "namespaces": list(namespaces), "warnings": []}


def test_users_are_switched_without_a_network_and_come_back_to_what_they_had(micro, drive):
    publish(micro, "ann", 3, "both", "a", meta={"owner": "ann"})
    publish(micro, "bob", 1, "both", "b")
    driver = drive("--config", url(micro), "--user", "ann")
    assert driver.fetched() == {"type": "outcome", "outcome": "applied", "version": 3}
    driver.do("set", namespace="both", field="subject.userId", value="runtime")
    assert driver.do("user", user="bob") == active(None, None)
    assert driver.do("namespaces") == {"namespaces": [], "default": None}
    assert driver.do("meta") == {}
    assert driver.do("refresh") == {"outcome": "applied", "version": 1}
    driver.do("set", namespace="both", field="subject.userId", value="runtime")
    assert driver.do("user", user="ann") == active("cached", 3, "both", "a")
    assert driver.lines[-2] == {"type": "update", **active("cached", 3, "both", "a")}
    assert driver.do("namespaces")["namespaces"] == ["a", "both"]
    assert driver.do("explain", namespace="both", field="subject.userId") == {"value": "runtime", "source": "runtime"}
    assert driver.do("meta") == {"owner": "ann"}
    # The user who is current: nothing to do, nothing to tell.
    assert driver.do("user", user="ann") == active("cached", 3, "both", "a")
    assert driver.updates() == [("fetched", 3), ("fetched", 1), ("cached", 3)]
    assert driver.do("refresh") == {"outcome": "notModified"}
    driver.quit()
    micro.close()
    again = drive("--config", url(micro), "--user", "bob")
    assert again.fetched()["outcome"] == "failed"
    assert again.updates() == [("cached", 1)]
    again.quit(timeout=0.1)


def test_a_user_without_a_document_falls_back_to_the_one_for_all_and_then_to_the_default(micro, drive, tmp_path):
    publish(micro, "default", 1, "d")
    (tmp_path / "default.json").write_text((micro.directory / "default.json").read_text())
    publish(micro, "", 9, "shared")
    options = ("--config", url(micro), "--default", tmp_path / "default.json", "--default-version", 1)
    driver = drive(*options)
    assert driver.fetched()["version"] == 9
    assert driver.do("user", user="bob") == active("cached", 9, "shared")
    assert driver.do("refresh")["outcome"] == "failed"
    # The user's own versions have nothing to do with the shared document's.
    publish(micro, "bob", 2, "own")
    assert driver.do("refresh") == {"outcome": "applied", "version": 2}
    assert driver.do("namespaces")["namespaces"] == ["d", "own"]
    assert driver.do("user", user=None) == active("cached", 9, "shared")
    publish(micro, "", 10)
    driver.do("refresh")
    assert driver.do("user", user="cid") == active("cached", 10)
    driver.quit()


def test_hostile_users_stay_in_their_directory(micro, drive, tmp_path):
    users = tmp_path / "users"
    users.mkdir()
    text = json.dumps({"$schema": SCHEMA, "configurationVersion": 1, "configurationBundle": [
        {"namespace": "outside", "networkConfiguration": {"endpoint": micro.url}}]})
    (tmp_path / "secret.json").write_text(text)
    (users / "..%2Fsecret.json").write_text(text.replace("outside", "own"))
    driver = drive("--config", f"file://{users}/{{user}}.json", "--user", "../secret")
    assert driver.fetched()["outcome"] == "applied"
    assert driver.do("namespaces")["namespaces"] == ["own"]
    for user in ("..", ".", "x" * 4000):
        answer = driver.ask("user", user=user)
        assert not answer["ok"] and answer["error"], answer
    assert not driver.ask("user")["ok"]
    assert not driver.ask("user", user=7)["ok"]
    assert driver.do("namespaces")["namespaces"] == ["own"]
    driver.quit()


def test_polling_fetches_the_new_users_document(micro, drive):
    publish(micro, "ann", 1, "a")
    publish(micro, "bob", 2, "b")
    driver = drive("--config", url(micro), "--user", "ann", "--poll", "0.2")
    driver.fetched()
    driver.do("user", user="bob")
    while driver.fetched().get("version") != 2:
        pass
    assert driver.updates() == [("fetched", 1), ("fetched", 2)]
    driver.quit()
