#include "daemon/recent.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { FULL = 16384, HEADS = 32768, NONE = UINT32_MAX };

/* Entries of one kind in the order of their coming, found by chains, the newest first. */
struct shelf {
    struct recent_entry *entries;
    uint32_t count, settled, room;
    uint32_t heads[HEADS];
    const struct recent_entry **sorted; /* once it is to be indexed */
    uint32_t taken, indexed;            /* of `sorted` */
};

/* What comes in goes to `open`; what is being indexed stays as it is. */
struct recent {
    pthread_mutex_t mutex;
    struct shelf *open[RECENT_KINDS], *closed[RECENT_KINDS];
    bool indexing;
};

static uint32_t place_of(struct recent_key key)
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

struct recent *recent_new(void)
{
    struct recent *r = calloc(1, sizeof *r);
    bool good = r;

    for (int kind = 0; good && kind < RECENT_KINDS; kind++) {
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
    recent_free(r);
    return NULL;
}

void recent_free(struct recent *recent)
{
    if (!recent)
        return;
    for (int kind = 0; kind < RECENT_KINDS; kind++) {
        shelf_free(recent->open[kind]);
        shelf_free(recent->closed[kind]);
    }
    pthread_mutex_destroy(&recent->mutex);
    free(recent);
}

static bool grow(struct shelf *shelf)
{
    uint32_t room = shelf->room ? 2 * shelf->room : 1024;
    struct recent_entry *entries = realloc(shelf->entries, room * sizeof *entries);

    if (!entries)
        return false;
    shelf->entries = entries;
    shelf->room = room;
    return true;
}

int recent_add(struct recent *recent, enum recent_kind kind, struct recent_key key,
               uint32_t order, int64_t value, int64_t row)
{
    struct shelf *shelf = recent->open[kind];
    uint32_t place = place_of(key);
    int error = 0;

    pthread_mutex_lock(&recent->mutex);
    if (shelf->count < shelf->room || grow(shelf)) {
        shelf->entries[shelf->count] =
            (struct recent_entry){key, value, row, order, shelf->heads[place]};
        shelf->heads[place] = shelf->count++;
    } else {
        error = -ENOMEM;
    }
    pthread_mutex_unlock(&recent->mutex);
    return error;
}

static bool same(struct recent_key a, struct recent_key b)
{
    return a.high == b.high && a.low == b.low;
}

/* Puts the shelf's entries of a key before those that are there, which are newer. */
static size_t collect(const struct shelf *shelf, struct recent_key key, size_t count,
                      struct recent_entry *ret_entries, size_t max)
{
    for (uint32_t i = shelf->heads[place_of(key)]; i != NONE; i = shelf->entries[i].next) {
        if (!same(shelf->entries[i].key, key))
            continue;
        if (count < max)
            ret_entries[max - 1 - count] = shelf->entries[i];
        count++;
    }
    return count;
}

size_t recent_find(struct recent *recent, enum recent_kind kind, struct recent_key key,
                   struct recent_entry *ret_entries, size_t max)
{
    pthread_mutex_lock(&recent->mutex);
    size_t count = collect(recent->open[kind], key, 0, ret_entries, max);
    count = collect(recent->closed[kind], key, count, ret_entries, max);
    pthread_mutex_unlock(&recent->mutex);
    if (count < max) /* they were filled in from the end */
        memmove(ret_entries, ret_entries + max - count, count * sizeof *ret_entries);
    return count;
}

/* By key as the store sorts it (signed, or bytewise), then by order. */
static int compare(const void *left, const void *right)
{
    const struct recent_entry *a = *(const struct recent_entry *const *)left;
    const struct recent_entry *b = *(const struct recent_entry *const *)right;

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
static void begin_indexing(struct recent *r)
{
    bool good = true;

    for (int kind = 0; kind < RECENT_KINDS; kind++)
        good = good && sort(r->open[kind]);
    pthread_mutex_lock(&r->mutex);
    for (int kind = 0; kind < RECENT_KINDS && good; kind++) {
        struct shelf *shelf = r->closed[kind];
        r->closed[kind] = r->open[kind];
        r->open[kind] = shelf;
    }
    r->indexing = good;
    pthread_mutex_unlock(&r->mutex);
    for (int kind = 0; kind < RECENT_KINDS && !good; kind++) {
        free(r->open[kind]->sorted);
        r->open[kind]->sorted = NULL;
    }
}

const struct recent_entry *const *recent_take(struct recent *recent, enum recent_kind kind,
                                              size_t max, size_t *ret_count)
{
    struct shelf *shelf = recent->closed[kind];
    const struct recent_entry **from = shelf->sorted + shelf->taken;
    size_t left = recent->indexing ? shelf->count - shelf->taken : 0;

    *ret_count = left < max ? left : max;
    shelf->taken += (uint32_t)*ret_count;
    return *ret_count ? from : NULL;
}

bool recent_taken(const struct recent *recent, int64_t ret_row[static RECENT_KINDS])
{
    if (!recent->indexing)
        return false;
    for (int kind = 0; kind < RECENT_KINDS; kind++) {
        const struct shelf *shelf = recent->closed[kind];
        if (shelf->taken < shelf->count)
            return false;
        ret_row[kind] = shelf->count ? shelf->entries[shelf->count - 1].row : 0;
    }
    return true;
}

void recent_settle(struct recent *recent)
{
    bool done = recent->indexing, full = false;

    pthread_mutex_lock(&recent->mutex);
    for (int kind = 0; kind < RECENT_KINDS; kind++) {
        struct shelf *closed = recent->closed[kind], *open = recent->open[kind];
        closed->indexed = closed->taken;
        open->settled = open->count;
        done = done && closed->indexed == closed->count;
        full = full || open->count >= FULL;
    }
    for (int kind = 0; kind < RECENT_KINDS && done; kind++)
        empty(recent->closed[kind]);
    recent->indexing = recent->indexing && !done;
    pthread_mutex_unlock(&recent->mutex);
    if (full && !recent->indexing)
        begin_indexing(recent);
}

void recent_undo(struct recent *recent)
{
    pthread_mutex_lock(&recent->mutex);
    for (int kind = 0; kind < RECENT_KINDS; kind++) {
        struct shelf *open = recent->open[kind];
        recent->closed[kind]->taken = recent->closed[kind]->indexed;
        while (open->count > open->settled) {
            const struct recent_entry *last = &open->entries[--open->count];
            open->heads[place_of(last->key)] = last->next;
        }
    }
    pthread_mutex_unlock(&recent->mutex);
}
