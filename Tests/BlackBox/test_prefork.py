"""Several processes on one state directory, as a prefork server has them."""
import time
from driver import PATIENCE


def bundle(micro):
    return {"namespace": "a", "networkConfiguration": {"endpoint": micro.url}}


def test_a_living_process_takes_over_what_a_killed_one_left_and_nothing_is_sent_twice(micro, drive):
    micro.publish(1, [bundle(micro)])
    drivers = [drive("--config", micro.config) for _ in range(3)]
    ids = []
    for number, driver in enumerate(drivers):
        driver.fetched()
        driver.do("pause")
        ids += [driver.do("track", event={"category": "prefork", "action": str(number)}, committed=True)
                for _ in range(20)]
    living, idle, dying = drivers
    dying.kill()
    living.do("resume")
    # It looks for what dead processes left every 30 seconds, by a clock that a test outside cannot move.
    for _ in range(PATIENCE):
        if len(micro.good()) >= 40:
            break
        time.sleep(1)
    idle.do("resume")
    assert idle.do("flush", timeout=PATIENCE)["stored"] == 0
    for driver in (living, idle):
        driver.quit()
    received = [row["event"]["eid"] for row in micro.good()]
    assert micro.bad() == []
    assert sorted(received) == sorted(ids)
