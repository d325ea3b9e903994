"""A wall clock that is set again and again, as by a time server that disagrees with another one."""
import shutil
import subprocess

import pytest
from documents import bundle, event
from driver import wait_until

# What the process sees of the wall clock, and what waits for a time of it: every two milliseconds it is set.
SHIM = r"""
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static long long start;

static long long nanoseconds(clockid_t clock) {
  struct timespec time;
  syscall(SYS_clock_gettime, clock, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

__attribute__((constructor)) static void begin(void) { start = nanoseconds(CLOCK_MONOTONIC); }

static long long wall(void) {
  long long steps = (nanoseconds(CLOCK_MONOTONIC) - start) / 2000000;
  return nanoseconds(CLOCK_REALTIME) + steps * STEP * 1000000000LL;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  long long now = clock == CLOCK_REALTIME ? wall() : nanoseconds(clock);
  time->tv_sec = now / 1000000000;
  time->tv_nsec = now % 1000000000;
  return 0;
}

int gettimeofday(struct timeval *time, void *zone) {
  long long now = wall();
  time->tv_sec = now / 1000000000;
  time->tv_usec = now % 1000000000 / 1000;
  return 0;
}

time_t time(time_t *result) {
  time_t now = wall() / 1000000000;
  if (result) *result = now;
  return now;
}

static int is_over(const struct timespec *deadline) {
  return wall() >= deadline->tv_sec * 1000000000LL + deadline->tv_nsec;
}

int sem_timedwait(sem_t *semaphore, const struct timespec *deadline) {
  while (sem_trywait(semaphore) != 0) {
    if (errno == EAGAIN && is_over(deadline)) errno = ETIMEDOUT;
    if (errno == ETIMEDOUT) return -1;
    usleep(100);
  }
  return 0;
}

int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *deadline) {
  // glibc's mark of a condition with the monotonic clock.
  if (condition->__data.__wrefs & 2) return pthread_cond_clockwait(condition, mutex, CLOCK_MONOTONIC, deadline);
  if (is_over(deadline)) return ETIMEDOUT;
  long long end = nanoseconds(CLOCK_MONOTONIC) + 100000;
  struct timespec soon = {end / 1000000000, end % 1000000000};
  int result = pthread_cond_clockwait(condition, mutex, CLOCK_MONOTONIC, &soon);
  // A wait may end for no reason.
  return result == ETIMEDOUT ? 0 : result;
}

int timerfd_create(int clock, int flags) {
  // A timer of the wall clock could not be shown what its clock says here.
  if (clock == CLOCK_REALTIME) abort();
  return syscall(SYS_timerfd_create, clock, flags);
}
"""


@pytest.fixture(params=[-10, 10], ids=["back", "forward"])
def stepping(tmp_path, request):
    """The environment of a process whose wall clock is set by so many seconds every two milliseconds."""
    compiler = next((name for name in ("cc", "clang", "gcc") if shutil.which(name)), None)
    if compiler is None:
        pytest.skip("there is no C compiler here")
    source, library = tmp_path / "clock.c", tmp_path / "clock.so"
    source.write_text(SHIM)
    subprocess.run([compiler, f"-DSTEP={request.param}LL", "-O1", "-fPIC", "-shared", "-o", library, source, "-lpthread"],
                   check=True)
    return {"LD_PRELOAD": str(library)}


def test_no_step_of_the_wall_clock_delays_events_polls_or_the_end(micro, drive, stepping):
    micro.publish(1, [bundle(micro.url)])
    driver = drive("--config", micro.config, "--poll", 0.1, env=stepping)
    driver.wait_for_version(1)
    for number in range(1, 6):
        # Nothing but the event wakes the thread that stores it.
        driver.do("track", event=event(number))
        wait_until(lambda: f"{number} events came: {micro.count()}, {driver.log[-3:]}", lambda: micro.count() >= number)
    micro.publish(2, [bundle(micro.url)])
    driver.wait_for_version(2)
    # What is sent at an earlier time of day than it was tracked is the only fault.
    assert {error for row in micro.bad() for error in row["errors"]} <= {"stm: earlier than dtm"}
    assert driver.quit()["sent"] == 5
