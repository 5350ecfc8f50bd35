#include "daemon/spares.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void spares_init(struct spares *spares, size_t size, size_t most)
{
    assert(size >= sizeof(void *));
    *spares = (struct spares){.size = size, .most = most};
}

void spares_done(struct spares *spares)
{
    while (spares->count > 0)
        free(spares_take(spares));
}

void *spares_take(struct spares *spares)
{
    void *block = spares->first;

    if (!block)
        return malloc(spares->size);
    memcpy(&spares->first, block, sizeof spares->first);
    spares->count--;
    return block;
}

void spares_give(struct spares *spares, void *block)
{
    if (!block)
        return;
    if (spares->count == spares->most) {
        free(block);
        return;
    }
    memcpy(block, &spares->first, sizeof spares->first);
    spares->first = block;
    spares->count++;
}
