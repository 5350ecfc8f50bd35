#include "daemon/keeper.h"

#include "api/base64.h"
#include "daemon/archive.h"
#include "daemon/clock.h"
#include "daemon/log.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum {
    PAUSE_MS = 5,      /* at least, between two games */
    LOOK_MS = 1000,    /* when no game is old enough */
    AGAIN_MS = 60000,  /* after something that failed */
    FAILURES_TOLD = 3, /* of one pass */
};

struct keeper {
    struct api *api;
    const char *folder;
    struct log *log;
    struct keeping keeping;
    uint64_t removed, failed; /* in this pass */
    pthread_t thread;
    pthread_mutex_t mutex; /* with `stopped`: lets it be stopped at once */
    pthread_cond_t stopped;
    bool stops;
};

static int put_away(void *context, const uint8_t gid[static 16], const struct out *transcript)
{
    const struct keeper *keeper = context;

    return archive_put(keeper->folder, gid, transcript);
}

static void tell_failure(struct keeper *k)
{
    char id[24];

    if (k->failed++ >= FAILURES_TOLD || k->keeping.error == -ECANCELED)
        return; /* a commit that failed is told by who made it */
    base64_encode(k->keeping.gid, 4, id);
    log_line(k->log, LEVEL_ERROR, "game %s... is kept on: %s", id,
             k->keeping.error == -EEXIST   ? "another transcript stands in the archive"
             : k->keeping.error == -EILSEQ ? "its record is broken; see refereed check"
                                           : strerror(-k->keeping.error));
}

/* The pass is over: what it did, and how long it is until the next. */
static int64_t end_pass(struct keeper *k)
{
    bool good = k->failed == 0;

    if (k->removed)
        log_line(k->log, LEVEL_INFO, "%" PRIu64 " games that were over have left the store",
                 k->removed);
    if (!good)
        log_line(k->log, LEVEL_WARNING, "%" PRIu64 " games that are over could not leave",
                 k->failed);
    k->removed = k->failed = 0;
    return good ? LOOK_MS : AGAIN_MS;
}

/* One step; returns how long to wait for the next. */
static int64_t step(struct keeper *k)
{
    static const uint8_t nobody[16];
    int64_t began_ms = clock_steady_ms();
    enum keep what = api_keep(k->api, &k->keeping);

    if (what == KEEP_NOTHING)
        return end_pass(k);
    if (what == KEEP_FAILED)
        tell_failure(k);
    if (what == KEEP_FAILED && memcmp(k->keeping.gid, nobody, sizeof nobody) == 0)
        return end_pass(k); /* the store does not answer */
    k->removed += what == KEEP_REMOVED;
    int64_t took_ms = clock_steady_ms() - began_ms;
    return took_ms > PAUSE_MS ? took_ms : PAUSE_MS;
}

static void *look(void *context)
{
    struct keeper *k = context;
    struct timespec wait;
    int64_t wait_ms = LOOK_MS;

    pthread_mutex_lock(&k->mutex);
    while (!k->stops) {
        clock_steady_after(wait_ms * 1000, &wait);
        if (pthread_cond_timedwait(&k->stopped, &k->mutex, &wait) != ETIMEDOUT || k->stops)
            continue;
        pthread_mutex_unlock(&k->mutex);
        wait_ms = step(k);
        pthread_mutex_lock(&k->mutex);
    }
    pthread_mutex_unlock(&k->mutex);
    return NULL;
}

struct keeper *keeper_new(struct api *api, int64_t age_ms, const char *archive, struct log *log)
{
    struct keeper *k = calloc(1, sizeof *k);

    if (!k)
        return NULL;
    k->api = api;
    k->folder = archive;
    k->log = log;
    k->keeping =
        (struct keeping){.age_ms = age_ms, .archive = archive ? put_away : NULL, .context = k};
    pthread_mutex_init(&k->mutex, NULL);
    clock_steady_cond(&k->stopped);
    if (pthread_create(&k->thread, NULL, look, k) == 0)
        return k;
    pthread_cond_destroy(&k->stopped);
    pthread_mutex_destroy(&k->mutex);
    free(k);
    return NULL;
}

void keeper_free(struct keeper *keeper)
{
    if (!keeper)
        return;
    pthread_mutex_lock(&keeper->mutex);
    keeper->stops = true;
    pthread_cond_signal(&keeper->stopped);
    pthread_mutex_unlock(&keeper->mutex);
    pthread_join(keeper->thread, NULL);
    pthread_cond_destroy(&keeper->stopped);
    pthread_mutex_destroy(&keeper->mutex);
    free(keeper);
}
