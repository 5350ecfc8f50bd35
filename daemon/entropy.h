/* Chance, from the kernel by way of libsodium. The only file that asks for it. */
#ifndef DAEMON_ENTROPY_H
#define DAEMON_ENTROPY_H

#include <stddef.h>

/* Makes libsodium ready; 0 or -ENOSYS. Call once, before threads. */
int entropy_init(void);

/* Fills `size` bytes; `context` is not used: this is a port function. */
void entropy_fill(void *context, void *ret_bytes, size_t size);

#endif
