/* GET /metrics: what the daemon counts, in the text format of Prometheus (version 0.0.4).
 *
 * A struct metrics is made at the start and borrows what it asks; all members that are pointers
 * are set before the first request and must outlive the last. No label is a client's word, and
 * none is a game's: the rows are those of the tables of routes, problems, games and rulings.
 */
#ifndef DAEMON_METRICS_H
#define DAEMON_METRICS_H

#include "api/out.h"
#include "daemon/tally.h"

#include <stdbool.h>

struct api;
struct http;
struct store;
struct writer;

struct metrics {
    struct tallies tallies;
    const struct store *store;
    const struct api *api;
    struct writer *writer;
    const struct http *http;
    const char *store_kind; /* "sqlite" */
    int64_t started_ms;
    counter_t pings; /* of the watchdog; the main thread's */
};

/* Nothing counted, nobody to ask. */
void metrics_init(struct metrics *metrics);
void metrics_done(struct metrics *metrics);

/* Appends all of it, or what is for everybody. */
void metrics_write(struct metrics *metrics, bool all, struct out *out);

/* One histogram, as all are written: buckets, sum, count. `labels` ("kind=\"read\"" or "") go
 * before `le`. */
void metrics_histogram(struct out *out, const char *name, const char *labels,
                       const struct scale *scale, const struct histogram *histogram);

#endif
