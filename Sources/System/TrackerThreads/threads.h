// What Swift's module of Glibc lacks: functions that Glibc declares only under _GNU_SOURCE, the header of
// `statfs`, and members of `timespec` that a release build can name.
#ifndef TRACKER_THREADS_H
#define TRACKER_THREADS_H

#include <pthread.h>
#include <sys/vfs.h>

int pthread_setname_np(pthread_t thread, const char *name);
void *memmem(const void *haystack, size_t haystack_size, const void *needle, size_t needle_size);

static inline int cthreads_wait_until(pthread_cond_t *condition, pthread_mutex_t *mutex, unsigned long long nanoseconds) {
    struct timespec time = { (time_t)(nanoseconds / 1000000000), (long)(nanoseconds % 1000000000) };
    return pthread_cond_timedwait(condition, mutex, &time);
}

#endif
