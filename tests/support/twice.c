#include "tests/support/twice.h"

#include <errno.h>
#include <string.h>

#include "api/cleanup.h"

struct counting {
    struct twice *twice;
    int (*row)(void *arg, const struct record *record);
    void *arg;
};

static int count(void *arg, const struct record *record)
{
    struct counting *counting = arg;

    counting->twice->read++;
    return counting->row(counting->arg, record);
}

static int records(void *context, const uint8_t gid[static 16], uint32_t after,
                   int (*row)(void *arg, const struct record *record), void *arg)
{
    struct twice *twice = context;
    struct counting counting = {twice, row, arg};

    return twice->ports->records(twice->ports->context, gid, after, count, &counting);
}

static int snapshot(void *context, const uint8_t gid[static 16],
                    void (*take)(void *arg, const struct snapshot *snapshot), void *arg)
{
    struct twice *twice = context;

    if (!twice->changed)
        return twice->ports->snapshot(twice->ports->context, gid, take, arg);
    if (!twice->snapshot.sealed)
        return -ENOENT;
    take(arg, &twice->snapshot);
    return 0;
}

int twice_load(struct twice *twice, const struct snapshot_key *key,
               const uint8_t gid[static 16], struct fold **ret_fold)
{
    struct ports ports = *twice->ports;

    ports.context = twice;
    ports.records = records;
    ports.snapshot = snapshot;
    twice->read = 0;
    uint64_t name;

    return games_load(&ports, key, gid, ret_fold, &name);
}

bool twice_same(const struct fold *one, const struct fold *other)
{
    autoout struct out a = {0}, b = {0};

    snapshot_image(one, &a);
    snapshot_image(other, &b);
    return !a.failed && !b.failed && a.size == b.size && memcmp(a.text, b.text, a.size) == 0 &&
           one->codec == other->codec;
}

const char *twice_differs(const struct ports *ports, const struct snapshot_key *key,
                          const uint8_t gid[static 16], const struct fold *live)
{
    struct twice whole = {.ports = ports, .changed = true}, cut = {.ports = ports};
    struct fold *from_start = NULL, *from_snapshot = NULL;
    const char *fault = NULL;

    if (twice_load(&whole, key, gid, &from_start) || twice_load(&cut, key, gid, &from_snapshot))
        fault = "the game cannot be read";
    else if (!twice_same(from_start, from_snapshot))
        fault = "its snapshot gives another game than its log";
    else if (live && !twice_same(from_start, live))
        fault = "the game in memory is another than its log gives";
    else if (cut.read > SNAPSHOT_EVERY + 1)
        fault = "too much was read in spite of the snapshot";
    fold_free(from_start);
    fold_free(from_snapshot);
    return fault;
}
