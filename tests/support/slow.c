#include "tests/support/slow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/held.h"

enum { WAITING_MAX = 64, LOSSES_MAX = 4096 };

struct slow {
    struct ports under;
    uint64_t epoch, ticket, settled;
    int refuse;
    struct held waiting[WAITING_MAX];
    size_t count;
    struct {
        uint64_t first, last;
    } losses[LOSSES_MAX];
    size_t loss_count;
};

static int append(void *context, const struct change *change, uint64_t *ret_ticket)
{
    struct slow *slow = context;

    if (change->epoch != slow->epoch)
        return -ECANCELED;
    if (slow->refuse) {
        slow_lose(slow);
        return slow->refuse;
    }
    if (slow->count == WAITING_MAX)
        abort();
    held_put(&slow->waiting[slow->count++], change);
    *ret_ticket = ++slow->ticket;
    return 0;
}

void slow_write(struct slow *slow)
{
    uint64_t ticket;

    for (size_t i = 0; i < slow->count; i++) {
        struct held *waiting = &slow->waiting[i];
        waiting->change.epoch = slow->under.epoch(slow->under.context);
        if (slow->under.append(slow->under.context, &waiting->change, &ticket) != 0)
            abort();
        held_drop(waiting);
    }
    slow->count = 0;
    slow->settled = slow->ticket;
}

void slow_lose(struct slow *slow)
{
    for (size_t i = 0; i < slow->count; i++)
        held_drop(&slow->waiting[i]);
    if (slow->count) {
        if (slow->loss_count == LOSSES_MAX)
            abort();
        slow->losses[slow->loss_count].first = slow->ticket - slow->count + 1;
        slow->losses[slow->loss_count++].last = slow->ticket;
    }
    slow->count = 0;
    slow->settled = slow->ticket;
    slow->epoch++;
}

void slow_refuse(struct slow *slow, int error)
{
    slow->refuse = error;
}

bool slow_has(const struct slow *slow, uint64_t ticket)
{
    for (size_t i = 0; i < slow->loss_count; i++)
        if (ticket >= slow->losses[i].first && ticket <= slow->losses[i].last)
            return false;
    return ticket <= slow->settled;
}

static uint64_t epoch(void *context)
{
    return ((struct slow *)context)->epoch;
}

static bool settled(void *context, uint64_t ticket)
{
    return ticket <= ((struct slow *)context)->settled;
}

static int records(void *context, const uint8_t gid[static 16], uint32_t after,
                   int (*row)(void *arg, const struct record *record), void *arg)
{
    struct slow *slow = context;

    return slow->under.records(slow->under.context, gid, after, row, arg);
}

static int snapshot(void *context, const uint8_t gid[static 16],
                    void (*take)(void *arg, const struct snapshot *snapshot), void *arg)
{
    struct slow *slow = context;

    return slow->under.snapshot(slow->under.context, gid, take, arg);
}

static int games(void *context, const struct list_query *query,
                 int (*row)(void *arg, const struct listing *game, int64_t number), void *arg)
{
    struct slow *slow = context;

    return slow->under.games(slow->under.context, query, row, arg);
}

static int credential_known(void *context, uint64_t id, uint8_t ret_gid[static 16])
{
    struct slow *slow = context;

    return slow->under.credential_known(slow->under.context, id, ret_gid);
}

static int kept(void *context, const uint8_t key[static 32], int64_t now_ms,
                void (*take)(void *arg, const struct kept *kept), void *arg)
{
    struct slow *slow = context;

    for (size_t i = 0; i < slow->count; i++) {
        const struct held *waiting = &slow->waiting[i];
        if (!waiting->change.kept || memcmp(waiting->kept.key, key, 32) != 0)
            continue;
        struct kept found = waiting->kept;
        found.ticket = slow->ticket - slow->count + 1 + i;
        take(arg, &found);
        return 0;
    }
    return slow->under.kept(slow->under.context, key, now_ms, take, arg);
}

static int64_t now_ms(void *context)
{
    struct slow *slow = context;

    return slow->under.now_ms(slow->under.context);
}

static void entropy(void *context, void *ret_bytes, size_t size)
{
    struct slow *slow = context;

    slow->under.entropy(slow->under.context, ret_bytes, size);
}

struct slow *slow_new(struct memory *memory)
{
    struct slow *slow = calloc(1, sizeof *slow);

    if (!slow)
        abort();
    slow->under = memory_ports(memory);
    return slow;
}

void slow_free(struct slow *slow)
{
    slow_lose(slow);
    free(slow);
}

struct ports slow_ports(struct slow *slow)
{
    return (struct ports){
        slow, append, epoch,  settled, records, snapshot, games, credential_known,
        kept, false,  now_ms, entropy, NULL,    NULL};
}
