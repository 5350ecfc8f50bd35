#include "daemon/backlog.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { FULL = 16384, HEADS = 32768 };

static const uint32_t none = UINT32_MAX; /* the end of a chain */

/* Entries of one kind in the order of their coming, found by chains, the newest first. */
struct shelf {
    struct backlog_entry *entries;
    uint32_t count, settled, room;
    uint32_t heads[HEADS];
    const struct backlog_entry **sorted; /* once it is to be indexed */
    uint32_t taken, indexed;             /* of `sorted` */
};

/* What comes in goes to `open`; what is being indexed stays as it is. */
struct backlog {
    pthread_mutex_t mutex;
    struct shelf *open[BACKLOG_KINDS], *closed[BACKLOG_KINDS];
    bool indexing;
};

static uint32_t place_of(struct backlog_key key)
{
    uint64_t mixed = (key.high ^ key.low) * UINT64_C(0x9e3779b97f4a7c15);

    return (uint32_t)(mixed >> 40) % HEADS;
}

static void empty(struct shelf *shelf)
{
    free(shelf->sorted);
    shelf->sorted = NULL;
    shelf->count = shelf->settled = shelf->taken = shelf->indexed = 0;
    memset(shelf->heads, 0xff, sizeof shelf->heads);
}

static void shelf_free(struct shelf *shelf)
{
    if (!shelf)
        return;
    free(shelf->entries);
    free(shelf->sorted);
    free(shelf);
}

struct backlog *backlog_new(void)
{
    struct backlog *r = calloc(1, sizeof *r);
    bool good = r;

    for (int kind = 0; good && kind < BACKLOG_KINDS; kind++) {
        r->open[kind] = calloc(1, sizeof(struct shelf));
        r->closed[kind] = calloc(1, sizeof(struct shelf));
        good = r->open[kind] && r->closed[kind];
        if (good) {
            empty(r->open[kind]);
            empty(r->closed[kind]);
        }
    }
    if (r)
        pthread_mutex_init(&r->mutex, NULL);
    if (good)
        return r;
    backlog_free(r);
    return NULL;
}

void backlog_free(struct backlog *backlog)
{
    if (!backlog)
        return;
    for (int kind = 0; kind < BACKLOG_KINDS; kind++) {
        shelf_free(backlog->open[kind]);
        shelf_free(backlog->closed[kind]);
    }
    pthread_mutex_destroy(&backlog->mutex);
    free(backlog);
}

static bool grow(struct shelf *shelf)
{
    uint32_t room = shelf->room ? 2 * shelf->room : 1024;
    struct backlog_entry *entries = realloc(shelf->entries, room * sizeof *entries);

    if (!entries)
        return false;
    shelf->entries = entries;
    shelf->room = room;
    return true;
}

int backlog_add(struct backlog *backlog, enum backlog_kind kind, struct backlog_key key,
                uint32_t order, int64_t value, int64_t row)
{
    struct shelf *shelf = backlog->open[kind];
    uint32_t place = place_of(key);
    int error = 0;

    pthread_mutex_lock(&backlog->mutex);
    if (shelf->count < shelf->room || grow(shelf)) {
        shelf->entries[shelf->count] =
            (struct backlog_entry){key, value, row, order, shelf->heads[place]};
        shelf->heads[place] = shelf->count++;
    } else {
        error = -ENOMEM;
    }
    pthread_mutex_unlock(&backlog->mutex);
    return error;
}

static bool same(struct backlog_key a, struct backlog_key b)
{
    return a.high == b.high && a.low == b.low;
}

/* Puts the shelf's entries of a key before those that are there, which are newer. */
static size_t collect(const struct shelf *shelf, struct backlog_key key, size_t count,
                      struct backlog_entry *ret_entries, size_t max)
{
    for (uint32_t i = shelf->heads[place_of(key)]; i != none; i = shelf->entries[i].next) {
        if (!same(shelf->entries[i].key, key) || !shelf->entries[i].value)
            continue;
        if (count < max)
            ret_entries[max - 1 - count] = shelf->entries[i];
        count++;
    }
    return count;
}

size_t backlog_find(struct backlog *backlog, enum backlog_kind kind, struct backlog_key key,
                    struct backlog_entry *ret_entries, size_t max)
{
    pthread_mutex_lock(&backlog->mutex);
    size_t count = collect(backlog->open[kind], key, 0, ret_entries, max);
    count = collect(backlog->closed[kind], key, count, ret_entries, max);
    pthread_mutex_unlock(&backlog->mutex);
    if (count < max) /* they were filled in from the end */
        memmove(ret_entries, ret_entries + max - count, count * sizeof *ret_entries);
    return count;
}

static void forget(struct shelf *shelf, struct backlog_key key)
{
    for (uint32_t i = shelf->heads[place_of(key)]; i != none; i = shelf->entries[i].next)
        if (same(shelf->entries[i].key, key))
            shelf->entries[i].value = 0;
}

void backlog_forget(struct backlog *backlog, enum backlog_kind kind, struct backlog_key key)
{
    pthread_mutex_lock(&backlog->mutex);
    forget(backlog->open[kind], key);
    forget(backlog->closed[kind], key);
    pthread_mutex_unlock(&backlog->mutex);
}

/* By key as the store sorts it (signed, or bytewise), then by order. */
static int compare(const void *left, const void *right)
{
    const struct backlog_entry *a = *(const struct backlog_entry *const *)left;
    const struct backlog_entry *b = *(const struct backlog_entry *const *)right;

    if (a->key.high != b->key.high)
        return a->key.high < b->key.high ? -1 : 1;
    if (a->key.low != b->key.low)
        return a->key.low < b->key.low ? -1 : 1;
    return a->order < b->order ? -1 : a->order > b->order;
}

static bool sort(struct shelf *shelf)
{
    shelf->sorted = malloc((shelf->count + 1) * sizeof *shelf->sorted);
    if (!shelf->sorted)
        return false;
    for (uint32_t i = 0; i < shelf->count; i++)
        shelf->sorted[i] = &shelf->entries[i];
    qsort(shelf->sorted, shelf->count, sizeof *shelf->sorted, compare);
    return true;
}

/* All that is there is to be indexed now. Without memory that has time. */
static void begin_indexing(struct backlog *r)
{
    bool good = true;

    for (int kind = 0; kind < BACKLOG_KINDS; kind++)
        good = good && sort(r->open[kind]);
    pthread_mutex_lock(&r->mutex);
    for (int kind = 0; kind < BACKLOG_KINDS && good; kind++) {
        struct shelf *shelf = r->closed[kind];
        r->closed[kind] = r->open[kind];
        r->open[kind] = shelf;
    }
    r->indexing = good;
    pthread_mutex_unlock(&r->mutex);
    for (int kind = 0; kind < BACKLOG_KINDS && !good; kind++) {
        free(r->open[kind]->sorted);
        r->open[kind]->sorted = NULL;
    }
}

const struct backlog_entry *const *backlog_take(struct backlog *backlog, enum backlog_kind kind,
                                                size_t max, size_t *ret_count)
{
    struct shelf *shelf = backlog->closed[kind];
    const struct backlog_entry **from = shelf->sorted + shelf->taken;
    size_t left = backlog->indexing ? shelf->count - shelf->taken : 0;

    *ret_count = left < max ? left : max;
    shelf->taken += (uint32_t)*ret_count;
    return *ret_count ? from : NULL;
}

bool backlog_taken(const struct backlog *backlog, int64_t ret_row[static BACKLOG_KINDS])
{
    if (!backlog->indexing)
        return false;
    for (int kind = 0; kind < BACKLOG_KINDS; kind++) {
        const struct shelf *shelf = backlog->closed[kind];
        if (shelf->taken < shelf->count)
            return false;
        ret_row[kind] = shelf->count ? shelf->entries[shelf->count - 1].row : 0;
    }
    return true;
}

void backlog_settle(struct backlog *backlog)
{
    bool done = backlog->indexing, full = false;

    pthread_mutex_lock(&backlog->mutex);
    for (int kind = 0; kind < BACKLOG_KINDS; kind++) {
        struct shelf *closed = backlog->closed[kind], *open = backlog->open[kind];
        closed->indexed = closed->taken;
        open->settled = open->count;
        done = done && closed->indexed == closed->count;
        full = full || open->count >= FULL;
    }
    for (int kind = 0; kind < BACKLOG_KINDS && done; kind++)
        empty(backlog->closed[kind]);
    backlog->indexing = backlog->indexing && !done;
    pthread_mutex_unlock(&backlog->mutex);
    if (full && !backlog->indexing)
        begin_indexing(backlog);
}

void backlog_undo(struct backlog *backlog)
{
    pthread_mutex_lock(&backlog->mutex);
    for (int kind = 0; kind < BACKLOG_KINDS; kind++) {
        struct shelf *open = backlog->open[kind];
        backlog->closed[kind]->taken = backlog->closed[kind]->indexed;
        while (open->count > open->settled) {
            const struct backlog_entry *last = &open->entries[--open->count];
            open->heads[place_of(last->key)] = last->next;
        }
    }
    pthread_mutex_unlock(&backlog->mutex);
}
