/* Blocks of one size that are handed out and taken back again and again.
 *
 * The allocator keeps a few blocks of each size for a thread and no more; where many requests
 * sleep at once, or one thread frees what another took, each block goes the long way. A struct
 * spares belongs to whoever declared it and has no lock: one thread at a time.
 */
#ifndef DAEMON_SPARES_H
#define DAEMON_SPARES_H

#include <stddef.h>

struct spares {
    void *first;  /* each block begins with a pointer to the next */
    size_t size;  /* of a block, in bytes */
    size_t count; /* of those that wait */
    size_t most;  /* how many may wait: what is beyond is freed */
};

/* Empty. `size` is at least that of a pointer. */
void spares_init(struct spares *spares, size_t size, size_t most);

/* Frees the blocks that wait; those that are out may still be given back to free(). */
void spares_done(struct spares *spares);

/* A block, its bytes unknown; NULL without memory. */
void *spares_take(struct spares *spares);

/* Takes a block back; NULL is nothing. */
void spares_give(struct spares *spares, void *block);

#endif
