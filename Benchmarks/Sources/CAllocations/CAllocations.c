#include "CAllocations.h"
#include <errno.h>
#include <stdatomic.h>

// glibc's own functions, which stay reachable when a program brings its own malloc.
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

static _Thread_local allocation_counts own;
static atomic_long all_allocations, all_frees;
static atomic_size_t all_bytes;

static void count(size_t size) {
    own.allocations += 1;
    own.bytes += size;
    atomic_fetch_add_explicit(&all_allocations, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&all_bytes, size, memory_order_relaxed);
}

void *malloc(size_t size) {
    count(size);
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    count(number * size);
    return __libc_calloc(number, size);
}

void *realloc(void *memory, size_t size) {
    count(size);
    if (memory) {
        own.frees += 1;
        atomic_fetch_add_explicit(&all_frees, 1, memory_order_relaxed);
    }
    return __libc_realloc(memory, size);
}

void *memalign(size_t alignment, size_t size) {
    count(size);
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    return memalign(alignment, size);
}

int posix_memalign(void **place, size_t alignment, size_t size) {
    *place = memalign(alignment, size);
    return *place ? 0 : ENOMEM;
}

void free(void *memory) {
    if (memory) {
        own.frees += 1;
        atomic_fetch_add_explicit(&all_frees, 1, memory_order_relaxed);
    }
    __libc_free(memory);
}

allocation_counts allocations_of_thread(void) {
    return own;
}

allocation_counts allocations_of_process(void) {
    return (allocation_counts){atomic_load(&all_allocations), atomic_load(&all_frees), atomic_load(&all_bytes)};
}
