// What Swift's module of Glibc lacks: a function that Glibc declares only under _GNU_SOURCE, the headers of `eventfd` and
// `statfs`, and members of `timespec` that a release build can name.
#ifndef TRACKER_THREADS_H
#define TRACKER_THREADS_H

#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/vfs.h>

int pthread_setname_np(pthread_t thread, const char *name);

static inline int cthreads_wait_until(pthread_cond_t *condition, pthread_mutex_t *mutex, unsigned long long nanoseconds) {
    struct timespec time = { (time_t)(nanoseconds / 1000000000), (long)(nanoseconds % 1000000000) };
    return pthread_cond_timedwait(condition, mutex, &time);
}

#endif
