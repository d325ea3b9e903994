"""Several processes on one state directory, as a prefork server has them."""
from documents import applied, bundle, event
from driver import wait_until


def test_a_living_process_takes_over_what_a_killed_one_left_and_nothing_is_sent_twice(micro, drive):
    micro.publish(1, [bundle(micro.url)])
    drivers = [drive("--config", micro.config) for _ in range(3)]
    ids = []
    for number, driver in enumerate(drivers):
        driver.fetched()
        driver.do("pause")
        ids += [driver.do("track", event=event(number), committed=True) for _ in range(20)]
    living, idle, dying = drivers
    dying.kill()
    living.do("resume")
    # It looks for what dead processes left every 30 s, and for each namespace that is new.
    micro.publish(2, [bundle(micro.url), bundle(micro.url, "new")])
    applied(living, 2)
    wait_until(lambda: f"the events of two processes came: {micro.count()}", lambda: micro.count() >= 40)
    idle.do("resume")
    idle.flush()
    for driver in (living, idle):
        driver.quit()
    assert micro.ids() == sorted(ids)
