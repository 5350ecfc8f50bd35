#include "daemon/rate.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { SETS = 4096, WAYS = 4 };

struct bucket {
    uint64_t key; /* 0: free */
    int64_t at_ms;
    int64_t tokens; /* thousandths */
    bool proven;
};

struct rate {
    pthread_mutex_t mutex;
    int64_t per_second, burst; /* thousandths are per_second a millisecond */
    struct bucket buckets[SETS][WAYS];
};

struct rate *rate_new(long per_second, long burst)
{
    struct rate *rate = calloc(1, sizeof *rate);

    if (!rate)
        return NULL;
    pthread_mutex_init(&rate->mutex, NULL);
    rate->per_second = per_second;
    rate->burst = (int64_t)burst * 1000;
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
    *oldest = (struct bucket){.key = key, .at_ms = now_ms, .tokens = rate->burst};
    return oldest;
}

static bool take(struct rate *rate, uint64_t key, int64_t now_ms)
{
    struct bucket *b = find_or_make(rate, key, now_ms);

    b->tokens += (now_ms - b->at_ms) * rate->per_second;
    b->at_ms = now_ms;
    if (b->tokens > rate->burst)
        b->tokens = rate->burst;
    if (b->tokens < 1000)
        return false;
    b->tokens -= 1000;
    return true;
}

uint64_t rate_key(const void *bytes, size_t size)
{
    const uint8_t *at = bytes;
    uint64_t hash = 0xcbf29ce484222325;

    for (size_t i = 0; i < size; i++)
        hash = (hash ^ at[i]) * 0x100000001b3;
    return hash | 1;
}

bool rate_allow(struct rate *rate, const char *credential, uint64_t address, int64_t now_ms)
{
    uint64_t key = credential ? rate_key(credential, strlen(credential)) : 0;

    pthread_mutex_lock(&rate->mutex);
    const struct bucket *own = key ? find(rate, key) : NULL;
    if (!own || !own->proven)
        key = address;
    bool good = key == 0 || take(rate, key, now_ms);
    pthread_mutex_unlock(&rate->mutex);
    return good;
}

void rate_prove(struct rate *rate, const char *credential, int64_t now_ms)
{
    uint64_t key = rate_key(credential, strlen(credential));

    pthread_mutex_lock(&rate->mutex);
    find_or_make(rate, key, now_ms)->proven = true;
    pthread_mutex_unlock(&rate->mutex);
}
