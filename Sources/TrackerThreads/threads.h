// What Swift's module of Glibc lacks: a function that Glibc declares only under _GNU_SOURCE, and the headers of `eventfd` and
// `statfs`.
#ifndef TRACKER_THREADS_H
#define TRACKER_THREADS_H

#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/vfs.h>

int pthread_setname_np(pthread_t thread, const char *name);

#endif
