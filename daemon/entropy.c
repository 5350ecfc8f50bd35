#include "daemon/entropy.h"

#include <errno.h>
#include <sodium.h>

int entropy_init(void)
{
    return sodium_init() < 0 ? -ENOSYS : 0;
}

void entropy_fill(void *context, void *ret_bytes, size_t size)
{
    (void)context;
    randombytes_buf(ret_bytes, size);
}
