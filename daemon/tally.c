#include "daemon/tally.h"

#include <stdlib.h>
#include <string.h>

const struct scale request_scale = {
    .count = 15,
    .unit = 1e-6,
    .bound = {50, 100, 250, 500, 1000, 2500, 5000, 10000, 25000, 50000, 100000, 250000, 500000,
              1000000, 2500000},
};

/* The most frequent first, for it is looked for from the start. */
const uint16_t tally_status[] = {
    200, 201, 204, 304, 400, 401, 403, 404, 405, 409, 412, 413,
    414, 415, 422, 429, 431, 500, 501, 503, 505, 507, 0,
};
const size_t tally_status_count = sizeof tally_status / sizeof *tally_status;

_Static_assert(sizeof tally_status / sizeof *tally_status <= STATUSES_ROOM, "no room");

void histogram_add(struct histogram *histogram, const struct scale *scale, int64_t value)
{
    size_t i = 0;

    while (i < scale->count && value > scale->bound[i])
        i++;
    counter_add(&histogram->bucket[i], 1);
    counter_add(&histogram->sum, value > 0 ? (uint64_t)value : 0);
}

static size_t status_row(unsigned status)
{
    size_t row = 0;

    while (row + 1 < tally_status_count && tally_status[row] != status)
        row++;
    return row;
}

/* Each id stands in one ruleset alone. Refusals are few, so it is searched for. */
static void count_refusal(struct tally *tally, const char *ruling)
{
    for (size_t i = 0; i < ruleset_count; i++) {
        const struct ruleset *rules = rulesets[i];
        for (size_t row = 1; row < rules->ruling_count && row < RULINGS_ROOM; row++) {
            if (strcmp(rules->rulings[row].id, ruling) != 0)
                continue;
            counter_add(&tally->refusals[i][row], 1);
            return;
        }
    }
}

void tally_answer(struct tally *tally, const struct response *response, enum request_kind kind,
                  int64_t us)
{
    size_t route = response->row < ROUTES_ROOM ? response->row : 0;

    counter_add(&tally->requests[route][status_row(response->status)], 1);
    histogram_add(&tally->seconds[kind], &request_scale, us);
    if (!response->problem)
        return;
    counter_add(&tally->problems[response->problem], 1);
    if (response->ruling)
        count_refusal(tally, response->ruling);
}

void tallies_init(struct tallies *tallies)
{
    pthread_mutex_init(&tallies->mutex, NULL);
    tallies->first = NULL;
}

void tallies_free(struct tallies *tallies)
{
    while (tallies->first) {
        struct tally *tally = tallies->first;
        tallies->first = tally->next;
        free(tally);
    }
    pthread_mutex_destroy(&tallies->mutex);
}

struct tally *tally_new(struct tallies *tallies)
{
    struct tally *tally = calloc(1, sizeof *tally);

    if (!tally)
        return NULL;
    pthread_mutex_lock(&tallies->mutex);
    tally->next = tallies->first;
    tallies->first = tally;
    pthread_mutex_unlock(&tallies->mutex);
    return tally;
}

uint64_t tallies_sum(struct tallies *tallies, size_t offset)
{
    uint64_t sum = 0;

    pthread_mutex_lock(&tallies->mutex);
    for (const struct tally *one = tallies->first; one; one = one->next)
        sum += counter_read((const counter_t *)(const void *)((const char *)one + offset));
    pthread_mutex_unlock(&tallies->mutex);
    return sum;
}

void tallies_seconds(struct tallies *tallies, enum request_kind kind,
                     struct histogram *ret_histogram)
{
    memset(ret_histogram, 0, sizeof *ret_histogram);
    pthread_mutex_lock(&tallies->mutex);
    for (const struct tally *one = tallies->first; one; one = one->next) {
        for (size_t i = 0; i <= request_scale.count; i++)
            counter_add(&ret_histogram->bucket[i], counter_read(&one->seconds[kind].bucket[i]));
        counter_add(&ret_histogram->sum, counter_read(&one->seconds[kind].sum));
    }
    pthread_mutex_unlock(&tallies->mutex);
}
