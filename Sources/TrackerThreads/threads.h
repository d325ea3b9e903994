// What Swift's module of Glibc lacks: Glibc declares this function only under _GNU_SOURCE.
#ifndef TRACKER_THREADS_H
#define TRACKER_THREADS_H

#include <pthread.h>

int pthread_setname_np(pthread_t thread, const char *name);

#endif
