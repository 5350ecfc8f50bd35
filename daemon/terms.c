#include "daemon/terms.h"

#include <pthread.h>
#include <stdlib.h>

#include "daemon/clock.h"
#include "daemon/log.h"
#include "daemon/uptime.h"

enum { LOOK_MS = 500 };

struct terms {
    struct api *api;
    struct uptime *uptime;
    struct log *log;
    pthread_t thread;
    pthread_mutex_t mutex; /* with `stopped`: lets it be stopped at once */
    pthread_cond_t stopped;
    bool stops;
};

static void mark(struct terms *terms)
{
    int64_t gap_s = uptime_mark(terms->uptime, clock_now_ms(NULL) / 1000);

    if (gap_s > 0)
        log_line(terms->log, LEVEL_WARNING,
                 "stood still for %lld s, or the time of day was set: not charged to anybody",
                 (long long)gap_s);
}

static void *look(void *context)
{
    struct terms *terms = context;
    struct timespec wait;

    pthread_mutex_lock(&terms->mutex);
    while (!terms->stops) {
        clock_steady_after(LOOK_MS * 1000, &wait);
        pthread_cond_timedwait(&terms->stopped, &terms->mutex, &wait);
        if (terms->stops)
            break;
        pthread_mutex_unlock(&terms->mutex);
        mark(terms);
        api_tick(terms->api);
        pthread_mutex_lock(&terms->mutex);
    }
    pthread_mutex_unlock(&terms->mutex);
    return NULL;
}

struct terms *terms_new(struct api *api, struct uptime *uptime, struct log *log)
{
    struct terms *terms = calloc(1, sizeof *terms);

    if (!terms)
        return NULL;
    terms->api = api;
    terms->uptime = uptime;
    terms->log = log;
    pthread_mutex_init(&terms->mutex, NULL);
    clock_steady_cond(&terms->stopped);
    if (pthread_create(&terms->thread, NULL, look, terms) == 0)
        return terms;
    pthread_cond_destroy(&terms->stopped);
    pthread_mutex_destroy(&terms->mutex);
    free(terms);
    return NULL;
}

void terms_free(struct terms *terms)
{
    if (!terms)
        return;
    pthread_mutex_lock(&terms->mutex);
    terms->stops = true;
    pthread_cond_signal(&terms->stopped);
    pthread_mutex_unlock(&terms->mutex);
    pthread_join(terms->thread, NULL);
    pthread_cond_destroy(&terms->stopped);
    pthread_mutex_destroy(&terms->mutex);
    free(terms);
}
