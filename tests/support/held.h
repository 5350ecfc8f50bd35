/* A change and all that it points to, kept for later, for tests: what a queue of a store holds.
 *
 * A struct held belongs to whoever declared it and may not move: its change points into it. It
 * owns what held_put() copied, until held_drop().
 */
#ifndef TESTS_SUPPORT_HELD_H
#define TESTS_SUPPORT_HELD_H

#include "api/ports.h"

enum { HELD_CREDENTIALS = 16 };

struct held {
    struct change change;
    struct record record;
    struct listing listing;
    struct kept kept;
    struct snapshot snapshot;
    uint64_t credentials[HELD_CREDENTIALS];
    uint8_t gid[16];
};

void held_put(struct held *held, const struct change *change);
void held_drop(struct held *held);

#endif
