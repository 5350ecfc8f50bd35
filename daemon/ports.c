#include "daemon/ports.h"

#include "daemon/clock.h"
#include "daemon/entropy.h"

#include <errno.h>

static int append(void *context, const struct change *change, uint64_t *ret_ticket)
{
    struct ports_home *home = context;

    return writer_append(home->writer, change, ret_ticket);
}

static uint64_t epoch(void *context)
{
    struct ports_home *home = context;

    return writer_epoch(home->writer);
}

static bool settled(void *context, uint64_t ticket)
{
    struct ports_home *home = context;

    return writer_settled(home->writer, ticket);
}

static int records(void *context, const uint8_t gid[static 16], uint32_t after,
                   int (*row)(void *arg, const struct record *record), void *arg)
{
    const struct store *store = ((struct ports_home *)context)->store;

    return store->records(store->context, gid, after, row, arg);
}

static int snapshot(void *context, const uint8_t gid[static 16],
                    void (*take)(void *arg, const struct snapshot *snapshot), void *arg)
{
    const struct store *store = ((struct ports_home *)context)->store;

    return store->snapshot(store->context, gid, take, arg);
}

static int games(void *context, const struct list_query *query,
                 int (*row)(void *arg, const struct listing *game, int64_t number), void *arg)
{
    const struct store *store = ((struct ports_home *)context)->store;

    return store->games(store->context, query, row, arg);
}

/* The queue is asked first: what leaves it in between is in the store by then. */
static int credential_known(void *context, uint64_t id, uint8_t ret_gid[static 16])
{
    struct ports_home *home = context;

    if (writer_credential(home->writer, id, ret_gid))
        return 1;
    return home->store->credential_known(home->store->context, id, ret_gid);
}

static int kept(void *context, const uint8_t key[static 32], int64_t now_ms,
                void (*take)(void *arg, const struct kept *kept), void *arg)
{
    struct ports_home *home = context;
    int error = writer_kept(home->writer, key, take, arg);

    return error != -ENOENT ? error
                            : home->store->kept(home->store->context, key, now_ms, take, arg);
}

static int64_t away_s(void *context, int64_t from_s, int64_t to_s)
{
    const struct uptime *uptime = ((struct ports_home *)context)->uptime;

    return uptime ? uptime_away_s(uptime, from_s, to_s) : 0;
}

static void metrics(void *context, bool all, struct out *out)
{
    metrics_write(((struct ports_home *)context)->metrics, all, out);
}

struct ports ports_make(struct ports_home *home)
{
    return (struct ports){
        .context = home,
        .append = append,
        .epoch = epoch,
        .settled = settled,
        .records = records,
        .snapshot = snapshot,
        .games = games,
        .credential_known = credential_known,
        .kept = kept,
        .shared = home->store->listen != NULL,
        .now_ms = clock_now_ms,
        .entropy = entropy_fill,
        /* others may have been there while this one was not */
        .away_s = home->store->listen ? NULL : away_s,
        .metrics = home->metrics ? metrics : NULL,
    };
}
