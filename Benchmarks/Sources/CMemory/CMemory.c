#include "CMemory.h"
#include <malloc.h>

void give_back_free_memory(void) {
    malloc_trim(0);
}
