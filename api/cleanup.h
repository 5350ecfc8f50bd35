/* Freed by scope: the one extension of the house, and only here. */
#ifndef API_CLEANUP_H
#define API_CLEANUP_H

#include <stdlib.h>

#include "api/out.h"

static inline void cleanup_free(void *pointer)
{
    free(*(void **)pointer);
}

#define autofree __attribute__((cleanup(cleanup_free)))
#define autoout  __attribute__((cleanup(out_done)))

#endif
