/* What is counted: by the thread that answers, without locks.
 *
 * A counter has one thread that adds to it; any other may read it meanwhile. A struct tally
 * belongs to the struct tallies that made it, and stays until tallies_free(): what a thread has
 * counted does not go with it.
 */
#ifndef DAEMON_TALLY_H
#define DAEMON_TALLY_H

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "api/api.h"
#include "api/problem.h"
#include "rules/rulesets.h"

typedef _Atomic uint64_t counter_t;

/* Of the one thread that adds: no other writes, so nothing need be locked. */
static inline void counter_add(counter_t *counter, uint64_t more)
{
    uint64_t had = atomic_load_explicit(counter, memory_order_relaxed);

    atomic_store_explicit(counter, had + more, memory_order_relaxed);
}

static inline uint64_t counter_read(const counter_t *counter)
{
    return atomic_load_explicit(counter, memory_order_relaxed);
}

enum { BUCKETS_MAX = 16 };

/* How values spread. The bounds belong to whoever observes; the last bucket has none. */
struct scale {
    size_t count;
    double unit; /* what a value of 1 is when it is told: 1e-6 for microseconds */
    int64_t bound[BUCKETS_MAX];
};

struct histogram {
    counter_t bucket[BUCKETS_MAX + 1];
    counter_t sum;
};

/* One value more: in the first bucket whose bound is not below it. */
void histogram_add(struct histogram *histogram, const struct scale *scale, int64_t value);

/* What a request was, for how long it took. */
enum request_kind {
    KIND_READ,   /* nothing changed */
    KIND_CHANGE, /* its change had to reach the disk first */
    KIND_POLL,   /* waited for the game to change */
    REQUEST_KINDS,
};

extern const struct scale request_scale; /* microseconds */

enum { ROUTES_ROOM = 64, STATUSES_ROOM = 32, RULINGS_ROOM = 64 };

/* The statuses that are told apart; 0: any other. */
extern const uint16_t tally_status[];
extern const size_t tally_status_count;

struct tally {
    struct tally *next;
    counter_t requests[ROUTES_ROOM][STATUSES_ROOM]; /* by response.row, row of tally_status */
    counter_t problems[PROBLEMS];
    counter_t refusals[RULESETS_MAX][RULINGS_ROOM]; /* by row of the ruleset's rulings */
    struct histogram seconds[REQUEST_KINDS];
};

/* One answer more, that took so long. */
void tally_answer(struct tally *tally, const struct response *response, enum request_kind kind,
                  int64_t us);

struct tallies {
    pthread_mutex_t mutex; /* of the list; nobody holds it while he counts */
    struct tally *first;
};

void tallies_init(struct tallies *tallies);
void tallies_free(struct tallies *tallies);

/* A tally for one thread; NULL without memory. */
struct tally *tally_new(struct tallies *tallies);

/* The sum of a counter of all tallies, which lies `offset` bytes into each. */
uint64_t tallies_sum(struct tallies *tallies, size_t offset);

/* The sum of the histograms of that kind. */
void tallies_seconds(struct tallies *tallies, enum request_kind kind,
                     struct histogram *ret_histogram);

#endif
