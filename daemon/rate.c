#include "daemon/rate.h"

#include "api/limits.h"

#include <pthread.h>
#include <stdlib.h>

enum { WAYS = 4, SETS = RATE_KEYS_MAX / WAYS };

struct bucket {
    uint64_t key; /* 0: free */
    int64_t at_ms;
    int64_t level; /* each token is period_ms of it, and each ms fills in `count` */
};

struct rate {
    pthread_mutex_t mutex;
    int64_t count, period_ms, full;
    struct bucket buckets[SETS][WAYS];
};

struct rate *rate_new(long count, int64_t period_ms, long burst)
{
    struct rate *rate = calloc(1, sizeof *rate);

    if (!rate)
        return NULL;
    pthread_mutex_init(&rate->mutex, NULL);
    rate->count = count;
    rate->period_ms = period_ms;
    rate->full = burst * period_ms;
    return rate;
}

void rate_free(struct rate *rate)
{
    if (!rate)
        return;
    pthread_mutex_destroy(&rate->mutex);
    free(rate);
}

/* The bucket of a key, or NULL. */
static struct bucket *find(struct rate *rate, uint64_t key)
{
    struct bucket *set = rate->buckets[key % SETS];

    for (int i = 0; i < WAYS; i++)
        if (set[i].key == key)
            return &set[i];
    return NULL;
}

static struct bucket *find_or_make(struct rate *rate, uint64_t key, int64_t now_ms)
{
    struct bucket *set = rate->buckets[key % SETS], *oldest = set;
    struct bucket *found = find(rate, key);

    if (found)
        return found;
    for (int i = 1; i < WAYS; i++)
        if (set[i].at_ms < oldest->at_ms)
            oldest = &set[i];
    *oldest = (struct bucket){.key = key, .at_ms = now_ms, .level = rate->full};
    return oldest;
}

/* 0, or how long it is until there is a token. */
static int64_t take(const struct rate *rate, struct bucket *b, int64_t now_ms)
{
    b->level += (now_ms - b->at_ms) * rate->count;
    b->at_ms = now_ms;
    if (b->level > rate->full)
        b->level = rate->full;
    if (b->level < rate->period_ms)
        return (rate->period_ms - b->level + rate->count - 1) / rate->count;
    b->level -= rate->period_ms;
    return 0;
}

uint64_t rate_key(const void *bytes, size_t size)
{
    const uint8_t *at = bytes;
    uint64_t hash = 0xcbf29ce484222325;

    for (size_t i = 0; i < size; i++)
        hash = (hash ^ at[i]) * 0x100000001b3;
    return hash | 1;
}

int64_t rate_take(struct rate *rate, uint64_t key, int64_t now_ms)
{
    if (key == 0)
        return 0;
    pthread_mutex_lock(&rate->mutex);
    int64_t wait_ms = take(rate, find_or_make(rate, key, now_ms), now_ms);
    pthread_mutex_unlock(&rate->mutex);
    return wait_ms;
}

bool rate_take_admitted(struct rate *rate, uint64_t key, int64_t now_ms, int64_t *ret_wait_ms)
{
    pthread_mutex_lock(&rate->mutex);
    struct bucket *own = find(rate, key);
    if (own)
        *ret_wait_ms = take(rate, own, now_ms);
    pthread_mutex_unlock(&rate->mutex);
    return own;
}

void rate_admit(struct rate *rate, uint64_t key, int64_t now_ms)
{
    pthread_mutex_lock(&rate->mutex);
    (void)find_or_make(rate, key, now_ms);
    pthread_mutex_unlock(&rate->mutex);
}
