#include "daemon/survey.h"

#include "api/base64.h"
#include "api/check.h"

#include <errno.h>
#include <inttypes.h>
#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    BATCH_SIZE = 256 * 1024, /* bytes of records that are handed over at once */
    HEAP_STEP = 8 * 1024 * 1024,
    BATCHES = 4, /* of each worker: more would only fill memory */
    WORKERS_MAX = 64,
    GAMES_AT_ONCE = 1000,
    TRIES = 3, /* a game that is played meanwhile is looked at again */
};

/* A game of the list. */
struct entry {
    int64_t number;
    struct listing listing;
    struct checked checked;
    bool gone; /* removed while we looked */
};

/* A record in a batch; its bytes follow. */
struct item {
    struct entry *entry;
    uint32_t first, count;
    size_t claims_size, sealed_size;
};

struct batch {
    struct batch *next;
    size_t used;
    _Alignas(max_align_t) uint8_t bytes[BATCH_SIZE];
};

struct list {
    struct batch *first, **last;
};

struct worker {
    struct survey *survey;
    pthread_t thread;
    unsigned number;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    struct list full, empty;
    struct batch *filling; /* the reader's own */
    bool ends;             /* nothing more will be handed over */
};

struct survey {
    const struct store *store;
    struct snapshot_key key;
    struct entry *entries; /* by number, rising */
    size_t count;
    struct worker workers[WORKERS_MAX];
    unsigned worker_count;
    int64_t foreign; /* records of no game of the list, though older than its last */
    _Atomic int error;
};

static void list_init(struct list *list)
{
    *list = (struct list){.last = &list->first};
}

static void list_put(struct list *list, struct batch *batch)
{
    batch->next = NULL;
    *list->last = batch;
    list->last = &batch->next;
}

static struct batch *list_get(struct list *list)
{
    struct batch *batch = list->first;

    if (batch && !(list->first = batch->next))
        list->last = &list->first;
    return batch;
}

/* The list of games */

static int add_entry(void *arg, const struct listing *game, int64_t number)
{
    struct survey *survey = arg;

    if ((survey->count & (survey->count - 1)) == 0) {
        size_t room = survey->count ? 2 * survey->count : 1;
        struct entry *grown = realloc(survey->entries, room * sizeof *grown);
        if (!grown)
            return -ENOMEM;
        survey->entries = grown;
    }
    survey->entries[survey->count++] = (struct entry){.number = number, .listing = *game};
    return 0;
}

static int list_games(struct survey *survey)
{
    size_t before;

    do {
        struct list_query query = {.status = -1, .limit = GAMES_AT_ONCE};
        before = survey->count;
        query.after = before ? survey->entries[before - 1].number : 0;
        int error = survey->store->games(survey->store->context, &query, add_entry, survey);
        if (error)
            return error;
    } while (survey->count != before);
    return 0;
}

static int by_number(const void *key, const void *entry)
{
    int64_t number = *(const int64_t *)key, other = ((const struct entry *)entry)->number;

    return (number > other) - (number < other);
}

/* Numbers are without gaps but where a game was taken out. */
static struct entry *find_entry(const struct survey *survey, int64_t number)
{
    uint64_t guess = survey->count ? (uint64_t)(number - survey->entries[0].number) : 0;

    if (guess < survey->count && survey->entries[guess].number == number)
        return &survey->entries[guess];
    return bsearch(&number, survey->entries, survey->count, sizeof *survey->entries, by_number);
}

/* Reading */

static void hand_over(struct worker *worker)
{
    pthread_mutex_lock(&worker->mutex);
    list_put(&worker->full, worker->filling);
    pthread_cond_signal(&worker->changed);
    while (!(worker->filling = list_get(&worker->empty)))
        pthread_cond_wait(&worker->changed, &worker->mutex);
    worker->filling->used = 0;
    pthread_mutex_unlock(&worker->mutex);
}

static uint8_t *put(uint8_t *at, const void *bytes, size_t size)
{
    if (size)
        memcpy(at, bytes, size);
    return at + size;
}

static size_t item_size(const struct item *item)
{
    size_t unit = sizeof(max_align_t),
           size = sizeof *item + item->claims_size + item->sealed_size;

    return (size + unit - 1) / unit * unit;
}

/* A record that is larger than a batch is looked at on the spot; none of ours is. */
static int read_record(void *arg, int64_t number, const struct record *record)
{
    struct survey *survey = arg;
    struct entry *entry = find_entry(survey, number);
    const struct item item = {entry, record->first, record->count, record->claims_size,
                              record->sealed_size};

    if (!entry) { /* unless its game was made after the list */
        survey->foreign += !survey->count || number < survey->entries[survey->count - 1].number;
        return 0;
    }
    struct worker *worker = &survey->workers[(uint64_t)number % survey->worker_count];
    if (worker->filling->used + item_size(&item) > BATCH_SIZE)
        hand_over(worker);
    if (item_size(&item) > BATCH_SIZE)
        return -EFBIG;
    uint8_t *at = worker->filling->bytes + worker->filling->used;
    at = put(at, &item, sizeof item);
    at = put(at, record->claims, record->claims_size);
    put(at, record->sealed, record->sealed_size);
    worker->filling->used += item_size(&item);
    return survey->error;
}

/* Checking */

static void check_batch(struct worker *worker, const struct batch *batch)
{
    struct item item;

    for (size_t at = 0; at < batch->used; at += item_size(&item)) {
        memcpy(&item, batch->bytes + at, sizeof item);
        const uint8_t *bytes = batch->bytes + at + sizeof item;
        const struct record record = {.first = item.first,
                                      .count = item.count,
                                      .claims = (const char *)bytes,
                                      .claims_size = item.claims_size,
                                      .sealed = bytes + item.claims_size,
                                      .sealed_size = item.sealed_size};
        check_record(&item.entry->checked, &worker->survey->key, item.entry->listing.gid,
                     &record);
    }
}

struct reading {
    struct survey *survey;
    struct entry *entry;
    struct checked *checked;
    uint32_t last; /* stop after this event; 0: go on to the end */
};

static int check_one(void *arg, const struct record *record)
{
    struct reading *reading = arg;

    check_record(reading->checked, &reading->survey->key, reading->entry->listing.gid, record);
    return reading->checked->fault || (reading->last && reading->checked->seq >= reading->last);
}

static int read_on(struct reading *reading)
{
    const struct store *store = reading->survey->store;
    int error = store->records(store->context, reading->entry->listing.gid,
                               reading->checked->seq, check_one, reading);

    return error < 0 ? error : 0;
}

static int take_listing(void *arg, const struct listing *game, int64_t number)
{
    struct entry *entry = arg;

    if (number == entry->number)
        entry->listing = *game;
    return 1;
}

/* The list is older than the records: the game may have gone on. */
static int end_listing(struct survey *survey, struct entry *entry)
{
    const struct store *store = survey->store;
    struct checked *checked = &entry->checked;
    const char *fault = check_listing(checked, &entry->listing);

    for (int i = 0; i < TRIES && fault; i++) {
        struct list_query query = {.status = -1, .after = entry->number - 1, .limit = 1};
        struct reading reading = {survey, entry, checked, 0};
        int error = store->games(store->context, &query, take_listing, entry);
        if (error >= 0)
            error = read_on(&reading);
        if (error < 0)
            return error;
        if (checked->fault)
            return 0;
        fault = check_listing(checked, &entry->listing);
    }
    checked->fault = fault;
    return 0;
}

struct held {
    struct snapshot snapshot;
    uint8_t *bytes;
};

static void hold(void *arg, const struct snapshot *snapshot)
{
    struct held *held = arg;

    held->snapshot = *snapshot;
    held->bytes = malloc(snapshot->sealed_size + 1);
    if (held->bytes && snapshot->sealed_size)
        memcpy(held->bytes, snapshot->sealed, snapshot->sealed_size);
    held->snapshot.sealed = held->bytes;
}

/* Plays the game up to the snapshot's event by itself. */
static int compare_elsewhere(struct survey *survey, struct entry *entry,
                             const struct snapshot *snapshot)
{
    struct checked again = {0};
    struct reading reading = {survey, entry, &again, snapshot->seq};
    int error = read_on(&reading);

    if (!error && again.fold && again.snapshot_seq != snapshot->seq)
        check_remember(&again);
    if (!error &&
        check_snapshot(&again, &survey->key, entry->listing.gid, snapshot) != SNAPSHOT_GOOD)
        entry->checked.fault = "has a snapshot that its log does not give";
    check_done(&again);
    return error;
}

static int end_snapshot(struct survey *survey, struct entry *entry)
{
    const struct store *store = survey->store;
    struct held held = {0};
    int error = store->snapshot(store->context, entry->listing.gid, hold, &held);

    if (error == -ENOENT)
        return 0;
    if (!error && !held.bytes)
        error = -ENOMEM;
    if (!error)
        switch (
            check_snapshot(&entry->checked, &survey->key, entry->listing.gid, &held.snapshot)) {
        case SNAPSHOT_BAD:
            entry->checked.fault = "has a snapshot that its log does not give";
            break;
        case SNAPSHOT_ELSEWHERE:
            error = compare_elsewhere(survey, entry, &held.snapshot);
            break;
        case SNAPSHOT_GOOD:
        case SNAPSHOT_FOREIGN:
            break;
        }
    free(held.bytes);
    return error;
}

static int take_if_there(void *arg, const struct listing *game, int64_t number)
{
    struct entry *entry = arg;

    entry->gone = number != entry->number || memcmp(game->gid, entry->listing.gid, 16) != 0;
    return 1;
}

/* A game may have left the store while its records were read. */
static int look_again(struct survey *survey, struct entry *entry)
{
    const struct store *store = survey->store;
    struct list_query query = {.status = -1, .after = entry->number - 1, .limit = 1};

    entry->gone = true;
    int error = store->games(store->context, &query, take_if_there, entry);
    return error < 0 ? error : 0;
}

static void end_games(struct worker *worker)
{
    struct survey *survey = worker->survey;

    for (size_t i = 0; i < survey->count && !survey->error; i++) {
        struct entry *entry = &survey->entries[i];
        if ((uint64_t)entry->number % survey->worker_count != worker->number)
            continue;
        int error = 0;
        if (!entry->checked.fault && !entry->checked.seq)
            entry->checked.fault = "is missing";
        if (!entry->checked.fault)
            error = end_listing(survey, entry);
        if (!error && !entry->checked.fault)
            error = end_snapshot(survey, entry);
        if (error == -ENOENT || (!error && entry->checked.fault))
            error = look_again(survey, entry);
        check_done(&entry->checked);
        if (error)
            survey->error = error;
    }
}

static void *work(void *context)
{
    struct worker *worker = context;
    struct batch *batch;

    pthread_mutex_lock(&worker->mutex);
    for (;;) {
        while (!(batch = list_get(&worker->full)) && !worker->ends)
            pthread_cond_wait(&worker->changed, &worker->mutex);
        if (!batch)
            break;
        pthread_mutex_unlock(&worker->mutex);
        check_batch(worker, batch);
        pthread_mutex_lock(&worker->mutex);
        list_put(&worker->empty, batch);
        pthread_cond_signal(&worker->changed);
    }
    pthread_mutex_unlock(&worker->mutex);
    end_games(worker);
    return NULL;
}

static void end_worker(struct worker *worker)
{
    pthread_mutex_lock(&worker->mutex);
    if (worker->filling)
        list_put(&worker->full, worker->filling);
    worker->filling = NULL;
    worker->ends = true;
    pthread_cond_signal(&worker->changed);
    pthread_mutex_unlock(&worker->mutex);
    pthread_join(worker->thread, NULL);
    for (struct batch *batch; (batch = list_get(&worker->empty));)
        free(batch);
    pthread_cond_destroy(&worker->changed);
    pthread_mutex_destroy(&worker->mutex);
}

static int start_worker(struct survey *survey, unsigned number)
{
    struct worker *worker = &survey->workers[number];

    *worker = (struct worker){.survey = survey, .number = number};
    list_init(&worker->full);
    list_init(&worker->empty);
    for (int i = 0; i < BATCHES; i++) {
        struct batch *batch = malloc(sizeof *batch);
        if (!batch)
            break;
        batch->used = 0;
        list_put(&worker->empty, batch);
    }
    worker->filling = list_get(&worker->empty);
    pthread_mutex_init(&worker->mutex, NULL);
    pthread_cond_init(&worker->changed, NULL);
    if (worker->empty.first && pthread_create(&worker->thread, NULL, work, worker) == 0)
        return 0;
    free(worker->filling);
    for (struct batch *batch; (batch = list_get(&worker->empty));)
        free(batch);
    return -ENOMEM;
}

static void tell(const struct survey *survey, struct survey_counts *counts)
{
    char id[32];

    for (size_t i = 0; i < survey->count; i++) {
        const struct entry *entry = &survey->entries[i];
        if (entry->gone)
            continue;
        counts->games++;
        counts->events += entry->checked.seq;
        if (!entry->checked.fault)
            continue;
        base64_encode(entry->listing.gid, sizeof entry->listing.gid, id);
        fprintf(stderr, "refereed: game %s, event %" PRIu32 ": %s\n", id,
                entry->checked.seq + 1, entry->checked.fault);
        counts->faults++;
    }
    if (survey->foreign)
        fprintf(stderr, "refereed: %" PRId64 " records belong to no game of the list\n",
                survey->foreign);
    counts->faults += survey->foreign > 0;
}

int survey_run(const struct store *store, const uint8_t store_key[static 32], unsigned threads,
               struct survey_counts *ret_counts)
{
    struct survey *survey = calloc(1, sizeof *survey);
    unsigned started = 0;

    if (!survey)
        return -ENOMEM;
    mallopt(M_TOP_PAD, HEAP_STEP); /* else each thread's heap grows by a page at a time */
    survey->store = store;
    survey->key.store_key = store_key;
    snapshot_stamp(survey->key.stamp);
    survey->worker_count = threads < 1 ? 1 : threads < WORKERS_MAX ? threads : WORKERS_MAX;
    int error = list_games(survey);
    while (!error && started < survey->worker_count)
        if (!(error = start_worker(survey, started)))
            started++;
    if (!error)
        error = store->scan(store->context, read_record, survey);
    if (error)
        survey->error = error;
    for (unsigned i = 0; i < started; i++)
        end_worker(&survey->workers[i]);
    if (!error)
        error = survey->error;
    *ret_counts = (struct survey_counts){0};
    tell(survey, ret_counts);
    free(survey->entries);
    free(survey);
    return error;
}
