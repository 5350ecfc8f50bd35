#include "daemon/wipe.h"

#include <malloc.h>
#include <sodium.h>
#include <stdlib.h>

void wipe_and_free(void *memory)
{
    if (memory)
        sodium_memzero(memory, malloc_usable_size(memory));
    free(memory);
}
