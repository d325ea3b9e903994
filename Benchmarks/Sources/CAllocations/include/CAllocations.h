// Counts what malloc and its kin do in an executable that links this.
#pragma once
#include <stddef.h>

typedef struct {
    long allocations;
    long frees;
    size_t bytes;
} allocation_counts;

// Since the process began, of the calling thread alone.
allocation_counts allocations_of_thread(void);
// Since the process began, of all threads together.
allocation_counts allocations_of_process(void);
