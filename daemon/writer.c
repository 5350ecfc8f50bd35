#include "daemon/writer.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/clock.h"
#include "daemon/spares.h"

enum {
    GROUP_MAX = 1024,
    FAILURES_MAX = 64,
    LOST_MAX = 4 * GROUP_MAX,
    ENTRY_USUAL = 1024, /* bytes that a change of today's size points to */
    SPARES_MAX = 256,
    HOLD_US = 500,
};

/* A change with all that it points to, in one piece of memory. */
struct entry {
    struct entry *next;
    struct change change;
    struct record record;
    struct listing listing;
    struct kept kept;
    struct snapshot snapshot;
    uint8_t gid[16];
    bool usual; /* one of the spares: at most ENTRY_USUAL bytes */
    _Alignas(uint64_t) uint8_t bytes[];
};

struct queue {
    struct entry *head, **tail;
};

/* Tickets first..last were given up. */
struct failure {
    uint64_t first, last;
    int error;
};

struct writer {
    const struct store *store;
    struct writer_events events;
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t work;
    pthread_mutex_t spares_mutex;
    struct spares spares;  /* of entries: one thread takes them, another gives them back */
    bool idle, stopping;   /* idle: the thread waits for work and must be signalled */
    atomic_bool gathering; /* it waits until nobody works */
    atomic_int working;
    int64_t hold_us;
    size_t last_count;         /* changes in the last group */
    int distrust;              /* not 0: give up what is queued with this error */
    struct queue queue, group; /* group: what is being committed */
    uint64_t last_ticket;
    _Atomic uint64_t settled, epoch;
    struct waiter *waiters;
    struct failure failures[FAILURES_MAX]; /* a ring */
    size_t failure_count;
    uint64_t lost[LOST_MAX]; /* a ring: tickets, rising */
    uint64_t lost_count;     /* ever */
    struct writer_counts counts;
};

const struct scale commit_scale = {
    .count = 15,
    .unit = 1e-6,
    .bound = {50, 100, 250, 500, 1000, 2500, 5000, 10000, 25000, 50000, 100000, 250000, 500000,
              1000000, 2500000},
};

const struct scale group_scale = {
    .count = 11,
    .unit = 1,
    .bound = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, GROUP_MAX},
};

static uint8_t *put(uint8_t **at, const void *bytes, size_t size)
{
    uint8_t *place = *at;

    if (size > 0)
        memcpy(place, bytes, size);
    *at += size;
    return place;
}

static size_t room_for(const struct change *c)
{
    size_t size = c->credential_count * sizeof(uint64_t);

    if (c->record)
        size += c->record->claims_size + c->record->sealed_size;
    if (c->kept)
        size += c->kept->sealed_size;
    if (c->snapshot)
        size += c->snapshot->sealed_size;
    return size;
}

static struct entry *entry_take(struct writer *w, size_t room)
{
    bool usual = room <= ENTRY_USUAL;

    if (usual)
        pthread_mutex_lock(&w->spares_mutex);
    struct entry *e = usual ? spares_take(&w->spares) : malloc(sizeof *e + room);
    if (usual)
        pthread_mutex_unlock(&w->spares_mutex);
    if (e)
        *e = (struct entry){.usual = usual};
    return e;
}

static void entries_give(struct writer *w, struct entry *e)
{
    pthread_mutex_lock(&w->spares_mutex);
    while (e) {
        struct entry *next = e->next;
        if (e->usual)
            spares_give(&w->spares, e);
        else
            free(e);
        e = next;
    }
    pthread_mutex_unlock(&w->spares_mutex);
}

static struct entry *entry_new(struct writer *w, const struct change *c)
{
    struct entry *e = entry_take(w, room_for(c));

    if (!e)
        return NULL;
    uint8_t *at = e->bytes;
    e->change = *c;
    /* first, as only the start of `bytes` is aligned */
    e->change.credentials =
        (const uint64_t *)(void *)put(&at, c->credentials, c->credential_count * 8);
    if (c->gid)
        e->change.gid = memcpy(e->gid, c->gid, sizeof e->gid);
    if (c->record) {
        e->record = *c->record;
        e->record.claims = (char *)put(&at, c->record->claims, c->record->claims_size);
        e->record.sealed = put(&at, c->record->sealed, c->record->sealed_size);
        e->change.record = &e->record;
    }
    if (c->listing) {
        e->listing = *c->listing;
        e->change.listing = &e->listing;
    }
    if (c->kept) {
        e->kept = *c->kept;
        e->kept.sealed = put(&at, c->kept->sealed, c->kept->sealed_size);
        e->change.kept = &e->kept;
    }
    if (c->snapshot) {
        e->snapshot = *c->snapshot;
        e->snapshot.sealed = put(&at, c->snapshot->sealed, c->snapshot->sealed_size);
        e->change.snapshot = &e->snapshot;
    }
    return e;
}

static void queue_clear(struct queue *queue)
{
    queue->head = NULL;
    queue->tail = &queue->head;
}

int writer_append(struct writer *writer, const struct change *change, uint64_t *ret_ticket)
{
    struct entry *e = entry_new(writer, change);

    if (!e)
        return -ENOMEM;
    pthread_mutex_lock(&writer->mutex);
    bool refused = change->epoch != writer->epoch || writer->stopping;
    if (!refused) {
        *writer->queue.tail = e;
        writer->queue.tail = &e->next;
        *ret_ticket = e->kept.ticket = ++writer->last_ticket;
    }
    bool wake = !refused && writer->idle;
    writer->idle = writer->idle && !wake;
    pthread_mutex_unlock(&writer->mutex);
    if (wake)
        pthread_cond_signal(&writer->work);
    if (refused)
        entries_give(writer, e);
    return refused ? -ECANCELED : 0;
}

uint64_t writer_epoch(struct writer *writer)
{
    return writer->epoch;
}

bool writer_settled(struct writer *writer, uint64_t ticket)
{
    return ticket <= writer->settled;
}

/* Of a ticket as old as one that the ring has forgotten nobody knows: asking again does no
 * harm. */
static bool is_lost(const struct writer *w, uint64_t ticket)
{
    uint64_t known = w->lost_count < LOST_MAX ? w->lost_count : LOST_MAX;

    for (uint64_t i = 1; i <= known; i++) {
        uint64_t lost = w->lost[(w->lost_count - i) % LOST_MAX];
        if (lost <= ticket)
            return lost == ticket;
    }
    return known == LOST_MAX;
}

/* How a settled ticket ended. What is older than the ring of failures is taken for written. */
static int outcome(const struct writer *w, uint64_t ticket)
{
    if (is_lost(w, ticket))
        return -ESTALE;
    for (size_t i = 0; i < w->failure_count && i < FAILURES_MAX; i++)
        if (ticket >= w->failures[i].first && ticket <= w->failures[i].last)
            return w->failures[i].error;
    return 0;
}

bool writer_wait(struct writer *writer, struct waiter *waiter)
{
    pthread_mutex_lock(&writer->mutex);
    bool known = waiter->ticket <= writer->last_ticket;
    bool waits = known && waiter->ticket > writer->settled;
    if (waits) {
        waiter->next = writer->waiters;
        writer->waiters = waiter;
    } else {
        /* one that was never given out would be waited for without end */
        waiter->error = known ? outcome(writer, waiter->ticket) : -EINVAL;
    }
    pthread_mutex_unlock(&writer->mutex);
    return waits;
}

static const struct kept *find_kept(const struct entry *e, const uint8_t *key)
{
    for (; e; e = e->next)
        if (e->change.kept && memcmp(e->kept.key, key, sizeof e->kept.key) == 0)
            return &e->kept;
    return NULL;
}

int writer_kept(struct writer *writer, const uint8_t key[static 32],
                void (*take)(void *arg, const struct kept *kept), void *arg)
{
    pthread_mutex_lock(&writer->mutex);
    const struct kept *kept = find_kept(writer->group.head, key);
    if (!kept)
        kept = find_kept(writer->queue.head, key);
    if (kept)
        take(arg, kept);
    pthread_mutex_unlock(&writer->mutex);
    return kept ? 0 : -ENOENT;
}

static const struct entry *find_credential(const struct entry *e, uint64_t id)
{
    for (; e; e = e->next)
        for (size_t i = 0; i < e->change.credential_count && !e->change.remove; i++)
            if (e->change.credentials[i] == id)
                return e;
    return NULL;
}

bool writer_credential(struct writer *writer, uint64_t id, uint8_t ret_gid[static 16])
{
    pthread_mutex_lock(&writer->mutex);
    const struct entry *found = find_credential(writer->group.head, id);
    if (!found)
        found = find_credential(writer->queue.head, id);
    if (found)
        memcpy(ret_gid, found->gid, sizeof found->gid);
    pthread_mutex_unlock(&writer->mutex);
    return found != NULL;
}

/* Moves at most GROUP_MAX entries from the queue to the group; with the mutex held. */
static size_t take_group(struct writer *w, const struct change **changes)
{
    struct entry *last = NULL;
    size_t count = 0;

    for (struct entry *e = w->queue.head; e && count < GROUP_MAX; e = e->next) {
        changes[count++] = &e->change;
        last = e;
    }
    w->group.head = w->queue.head;
    w->queue.head = last->next;
    last->next = NULL;
    if (!w->queue.head)
        w->queue.tail = &w->queue.head;
    return count;
}

/* Gives up the group and all that is queued; with the mutex held. Returns the entries. */
static struct entry *give_up(struct writer *w, int error)
{
    struct entry *queued = w->queue.head;
    struct failure *last = &w->failures[(w->failure_count + FAILURES_MAX - 1) % FAILURES_MAX];

    if (w->failure_count > 0 && last->last == w->settled && last->error == error) {
        last->last = w->last_ticket; /* one range for as long as the trouble lasts */
    } else {
        w->failures[w->failure_count++ % FAILURES_MAX] =
            (struct failure){w->settled + 1, w->last_ticket, error};
        if (w->failure_count == 2 * FAILURES_MAX)
            w->failure_count = FAILURES_MAX;
    }
    queue_clear(&w->queue);
    w->settled = w->last_ticket;
    w->epoch++;
    return queued;
}

/* Takes out the waiters whose tickets are settled; with the mutex held. */
static struct waiter *take_waiters(struct writer *w, int error)
{
    struct waiter *ready = NULL, **at = &w->waiters;

    while (*at) {
        struct waiter *one = *at;
        if (one->ticket > w->settled) {
            at = &one->next;
            continue;
        }
        *at = one->next;
        one->error = error ? error : outcome(w, one->ticket);
        one->next = ready;
        ready = one;
    }
    return ready;
}

static void wake_all(struct waiter *ready)
{
    while (ready) {
        struct waiter *next = ready->next; /* after wake() it is no longer ours */
        ready->wake(ready);
        ready = next;
    }
}

static void tell(const struct writer *w, const struct entry *e, int error, const bool *lost)
{
    if (error && w->events.failed)
        w->events.failed(w->events.context, error);
    for (size_t i = 0; e && !error; e = e->next, i++) {
        if (e->change.record && !lost[i] && w->events.committed)
            w->events.committed(w->events.context, e->gid);
        if (e->change.remove && w->events.removed)
            w->events.removed(w->events.context, e->gid);
    }
}

static void tell_lost(const struct writer *w, const struct entry *e, const bool *lost)
{
    for (size_t i = 0; e && w->events.lost; e = e->next, i++)
        if (lost[i])
            w->events.lost(w->events.context, e->gid, e->kept.ticket);
}

/* The group is on disk, but for what is lost; with the mutex held. */
static void settle(struct writer *w, const bool *lost)
{
    size_t i = 0;

    for (const struct entry *e = w->group.head; e; e = e->next, i++)
        if (lost[i])
            w->lost[w->lost_count++ % LOST_MAX] = e->kept.ticket;
    w->settled += i;
}

static void count_news(struct writer_counts *counts, const struct change *change)
{
    const struct news *news = &change->news;
    uint8_t ended = news->ended == NEWS_ABORTED ? REASONS : news->ended;

    if (change->snapshot)
        counter_add(&counts->snapshots, 1);
    if (news->ruleset >= ruleset_count || ended > REASONS)
        return;
    if (news->moves)
        counter_add(&counts->moves[news->ruleset], news->moves);
    if (news->made)
        counter_add(&counts->made[news->ruleset], 1);
    if (ended != REASON_NONE)
        counter_add(&counts->ended[news->ruleset][ended], 1);
}

/* Before anybody is told, so that who has his answer finds it counted. */
static void count_group(struct writer *w, size_t count, int error, const bool *lost, int64_t us)
{
    struct writer_counts *counts = &w->counts;
    size_t i = 0;

    histogram_add(&counts->seconds, &commit_scale, us);
    histogram_add(&counts->sizes, &group_scale, (int64_t)count);
    if (error)
        counter_add(&counts->failures, 1);
    for (const struct entry *e = w->group.head; e && !error; e = e->next, i++) {
        if (lost[i])
            counter_add(&counts->lost, 1);
        else
            count_news(counts, &e->change);
    }
}

void writer_working(struct writer *writer, bool working)
{
    if (working) {
        writer->working++;
        return;
    }
    if (--writer->working > 0 || !writer->gathering)
        return;
    pthread_mutex_lock(&writer->mutex); /* so that it is not between its look and its wait */
    pthread_mutex_unlock(&writer->mutex);
    pthread_cond_signal(&writer->work);
}

void writer_hold(struct writer *writer, int64_t us)
{
    pthread_mutex_lock(&writer->mutex);
    writer->hold_us = us;
    pthread_mutex_unlock(&writer->mutex);
}

/* Waits for others who are about to join; who is alone is not kept. With the mutex held but
 * while it waits. */
static void gather(struct writer *w)
{
    struct timespec until;
    int error = 0;

    if (w->last_count < 2)
        return;
    clock_steady_after(w->hold_us, &until);
    w->gathering = true; /* before it looks at who works */
    while (!error && w->working > 0 && !w->stopping && !w->distrust)
        error = pthread_cond_timedwait(&w->work, &w->mutex, &until);
    w->gathering = false;
}

/* Commits one group, with the mutex held but for the commit itself. */
static void write_group(struct writer *w, const struct change **changes)
{
    struct entry *queued = NULL;
    bool lost[GROUP_MAX];
    size_t count = w->last_count = take_group(w, changes);

    pthread_mutex_unlock(&w->mutex);
    int64_t began_us = clock_steady_us();
    int error = w->store->commit(w->store->context, changes, count, lost);
    count_group(w, count, error, lost, clock_steady_us() - began_us);
    if (!error)
        tell_lost(w, w->group.head, lost);
    pthread_mutex_lock(&w->mutex);
    if (error)
        queued = give_up(w, error);
    else
        settle(w, lost);
    struct entry *group = w->group.head;
    struct waiter *ready = take_waiters(w, error);
    w->group.head = NULL;
    pthread_mutex_unlock(&w->mutex);
    wake_all(ready);
    tell(w, group, error, lost);
    entries_give(w, group);
    entries_give(w, queued);
    pthread_mutex_lock(&w->mutex);
}

/* With the mutex held, and no group under way. */
static void give_up_queue(struct writer *w)
{
    int error = w->distrust;
    struct entry *queued = give_up(w, error);
    struct waiter *ready = take_waiters(w, error);

    w->distrust = 0;
    pthread_mutex_unlock(&w->mutex);
    wake_all(ready);
    entries_give(w, queued);
    pthread_mutex_lock(&w->mutex);
}

void writer_distrust(struct writer *writer, int error)
{
    pthread_mutex_lock(&writer->mutex);
    writer->distrust = error;
    pthread_mutex_unlock(&writer->mutex);
    pthread_cond_signal(&writer->work);
}

static void *run(void *context)
{
    struct writer *w = context;
    const struct change *changes[GROUP_MAX];

    pthread_mutex_lock(&w->mutex);
    while (w->queue.head || !w->stopping) {
        if (w->distrust)
            give_up_queue(w);
        if (w->queue.head)
            gather(w);
        if (w->queue.head && !w->distrust) {
            write_group(w, changes);
            continue;
        }
        w->idle = !w->distrust && !w->stopping;
        if (w->idle)
            pthread_cond_wait(&w->work, &w->mutex);
        w->idle = false;
    }
    pthread_mutex_unlock(&w->mutex);
    return NULL;
}

const struct writer_counts *writer_counts(const struct writer *writer)
{
    return &writer->counts;
}

uint64_t writer_depth(struct writer *writer)
{
    pthread_mutex_lock(&writer->mutex);
    uint64_t depth = writer->last_ticket - writer->settled;
    pthread_mutex_unlock(&writer->mutex);
    return depth;
}

struct writer *writer_new(const struct store *store, const struct writer_events *events)
{
    struct writer *w = calloc(1, sizeof *w);

    if (!w)
        return NULL;
    w->store = store;
    w->events = *events;
    w->epoch = 1;
    w->hold_us = HOLD_US;
    queue_clear(&w->queue);
    pthread_mutex_init(&w->mutex, NULL);
    clock_steady_cond(&w->work);
    pthread_mutex_init(&w->spares_mutex, NULL);
    spares_init(&w->spares, sizeof(struct entry) + ENTRY_USUAL, SPARES_MAX);
    if (pthread_create(&w->thread, NULL, run, w) == 0)
        return w;
    pthread_cond_destroy(&w->work);
    pthread_mutex_destroy(&w->mutex);
    pthread_mutex_destroy(&w->spares_mutex);
    free(w);
    return NULL;
}

void writer_free(struct writer *writer)
{
    if (!writer)
        return;
    pthread_mutex_lock(&writer->mutex);
    writer->stopping = true;
    pthread_mutex_unlock(&writer->mutex);
    pthread_cond_signal(&writer->work);
    pthread_join(writer->thread, NULL);
    pthread_cond_destroy(&writer->work);
    pthread_mutex_destroy(&writer->mutex);
    pthread_mutex_destroy(&writer->spares_mutex);
    spares_done(&writer->spares);
    free(writer);
}
