#include <hiredis/hiredis.h>
#include <pthread.h>

// Swift's module of glibc leaves it out.
int pthread_setname_np(pthread_t thread, const char *name);
