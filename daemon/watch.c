#include "daemon/watch.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { BUCKETS_MIN = 256 };

struct watchers {
    pthread_mutex_t mutex;
    struct watch **buckets;
    size_t size; /* a power of two */
    _Atomic size_t count;
    bool stopping;
};

static size_t bucket_of(const struct watchers *w, const uint8_t *gid)
{
    uint64_t hash; /* ids are random, so their first bytes are a hash */

    memcpy(&hash, gid, sizeof hash);
    return (size_t)hash & (w->size - 1);
}

struct watchers *watchers_new(void)
{
    struct watchers *w = calloc(1, sizeof *w);

    if (!w)
        return NULL;
    w->size = BUCKETS_MIN;
    w->buckets = calloc(w->size, sizeof(struct watch *));
    if (!w->buckets) {
        free(w);
        return NULL;
    }
    pthread_mutex_init(&w->mutex, NULL);
    return w;
}

void watchers_free(struct watchers *watchers)
{
    if (!watchers)
        return;
    pthread_mutex_destroy(&watchers->mutex);
    free(watchers->buckets);
    free(watchers);
}

static void link_in(struct watchers *w, struct watch *watch)
{
    struct watch **bucket = &w->buckets[bucket_of(w, watch->gid)];

    watch->prev = NULL;
    watch->next = *bucket;
    if (watch->next)
        watch->next->prev = watch;
    *bucket = watch;
}

/* Doubles the table; without memory it stays as it is, only slower. */
static void grow(struct watchers *w)
{
    struct watch **old = w->buckets, **fresh = calloc(w->size * 2, sizeof(struct watch *));
    size_t old_size = w->size;

    if (!fresh)
        return;
    w->buckets = fresh;
    w->size *= 2;
    for (size_t i = 0; i < old_size; i++)
        while (old[i]) {
            struct watch *one = old[i];
            old[i] = one->next;
            link_in(w, one);
        }
    free(old);
}

void watch_add(struct watchers *watchers, struct watch *watch)
{
    pthread_mutex_lock(&watchers->mutex);
    watch->flags = 0;
    watch->asleep = false;
    watch->due_ms = 0;
    if (watchers->count >= watchers->size)
        grow(watchers);
    link_in(watchers, watch);
    watchers->count++;
    pthread_mutex_unlock(&watchers->mutex);
}

void watch_remove(struct watchers *watchers, struct watch *watch)
{
    pthread_mutex_lock(&watchers->mutex);
    if (watch->prev)
        watch->prev->next = watch->next;
    else
        watchers->buckets[bucket_of(watchers, watch->gid)] = watch->next;
    if (watch->next)
        watch->next->prev = watch->prev;
    watchers->count--;
    pthread_mutex_unlock(&watchers->mutex);
}

unsigned watch_take(struct watchers *watchers, struct watch *watch)
{
    pthread_mutex_lock(&watchers->mutex);
    unsigned flags = watch->flags | (watchers->stopping ? WATCH_STOPPING : 0U);
    watch->flags = 0;
    pthread_mutex_unlock(&watchers->mutex);
    return flags;
}

bool watch_sleep(struct watchers *watchers, struct watch *watch, int64_t due_ms)
{
    pthread_mutex_lock(&watchers->mutex);
    bool sleeps = watch->flags == 0 && !watchers->stopping;
    watch->due_ms = due_ms;
    watch->asleep = sleeps;
    if (sleeps)
        watch->sleep(watch);
    pthread_mutex_unlock(&watchers->mutex);
    return sleeps;
}

static void rouse(struct watch *watch, uint8_t flag)
{
    watch->flags |= flag;
    if (!watch->asleep)
        return;
    watch->asleep = false;
    watch->wake(watch);
}

void watchers_changed(void *context, const uint8_t gid[static 16])
{
    struct watchers *w = context;

    if (w->count == 0)
        return;
    pthread_mutex_lock(&w->mutex);
    for (struct watch *one = w->buckets[bucket_of(w, gid)]; one; one = one->next)
        if (memcmp(one->gid, gid, sizeof one->gid) == 0)
            rouse(one, WATCH_CHANGED);
    pthread_mutex_unlock(&w->mutex);
}

void watchers_changed_all(struct watchers *watchers)
{
    pthread_mutex_lock(&watchers->mutex);
    for (size_t i = 0; i < watchers->size; i++)
        for (struct watch *one = watchers->buckets[i]; one; one = one->next)
            rouse(one, WATCH_CHANGED);
    pthread_mutex_unlock(&watchers->mutex);
}

void watchers_tick(struct watchers *watchers, int64_t now_ms)
{
    if (watchers->count == 0)
        return;
    pthread_mutex_lock(&watchers->mutex);
    for (size_t i = 0; i < watchers->size; i++)
        for (struct watch *one = watchers->buckets[i]; one; one = one->next)
            if (one->due_ms != 0 && one->due_ms <= now_ms) {
                one->due_ms = 0;
                rouse(one, WATCH_DUE);
            }
    pthread_mutex_unlock(&watchers->mutex);
}

void watchers_stop(struct watchers *watchers)
{
    pthread_mutex_lock(&watchers->mutex);
    watchers->stopping = true;
    for (size_t i = 0; i < watchers->size; i++)
        for (struct watch *one = watchers->buckets[i]; one; one = one->next)
            rouse(one, 0);
    pthread_mutex_unlock(&watchers->mutex);
}
