/* The one thread that writes: all changes that have gathered go to disk in one transaction.
 *
 * writer_append() only queues. A ticket is settled when its change is on disk, or given up.
 * After a commit that failed everything queued by then is given up too, the epoch rises, and
 * changes made in an older epoch are refused. A change that the store left out because another
 * daemon was first (it is lost) ends alone, with -ESTALE.
 */
#ifndef DAEMON_WRITER_H
#define DAEMON_WRITER_H

#include "api/ports.h"
#include "daemon/store.h"
#include "daemon/tally.h"

struct writer;

/* Somebody who waits for a ticket. The struct is the caller's and must stay until `wake`, which
 * is called once, by the writer's thread, with 0, the -errno of the commit or -ESTALE. */
struct waiter {
    struct waiter *next;
    uint64_t ticket;
    int error;
    void (*wake)(struct waiter *waiter);
};

/* What the writer tells, from its thread; each may be NULL. */
struct writer_events {
    void *context;
    void (*committed)(void *context, const uint8_t gid[static 16]); /* a record is on disk */
    void (*failed)(void *context, int error);                       /* a group was given up */
    /* A change is lost: what was made of it in memory is wrong. Told before its ticket settles,
     * so that nobody who finds the ticket settled can still see it. */
    void (*lost)(void *context, const uint8_t gid[static 16], uint64_t ticket);
    void (*removed)(void *context, const uint8_t gid[static 16]); /* a game is gone */
};

/* Starts the thread; NULL without memory or threads. `store` must outlive the writer. */
struct writer *writer_new(const struct store *store, const struct writer_events *events);

/* Commits what is queued, ends the thread and frees everything. NULL is fine. */
void writer_free(struct writer *writer);

/* What is on disk, and how that went; the writer's thread counts. */
struct writer_counts {
    counter_t moves[RULESETS_MAX], made[RULESETS_MAX];
    counter_t ended[RULESETS_MAX][REASONS + 1]; /* REASONS: aborted */
    counter_t snapshots, lost, failures;
    struct histogram seconds, sizes; /* of commits, failed ones too; changes in each */
};

extern const struct scale commit_scale, group_scale;

const struct writer_counts *writer_counts(const struct writer *writer);

/* How many changes wait or are being written. */
uint64_t writer_depth(struct writer *writer);

/* Told by each thread that handles requests when it begins to, and when it has handled all that
 * there was. While one does, the group after one of several changes is held back for more: a
 * flush costs as much for few as for many. */
void writer_working(struct writer *writer, bool working);

/* The longest that a group is held back; half a millisecond unless told. */
void writer_hold(struct writer *writer, int64_t us);

/* As in api/ports.h. */
int writer_append(struct writer *writer, const struct change *change, uint64_t *ret_ticket);
uint64_t writer_epoch(struct writer *writer);
bool writer_settled(struct writer *writer, uint64_t ticket);

/* What is in memory may be older than the store: as soon as no commit is under way everything
 * queued is given up with `error`, and the epoch rises. */
void writer_distrust(struct writer *writer, int error);

/* Has `waiter` woken when its ticket settles. False if it has been settled already: then
 * waiter->error tells how, and it will not be woken. */
bool writer_wait(struct writer *writer, struct waiter *waiter);

/* Calls `take` with the queued answer of that key; 0, or -ENOENT if none is queued. */
int writer_kept(struct writer *writer, const uint8_t key[static 32],
                void (*take)(void *arg, const struct kept *kept), void *arg);

/* Is a change queued that brings this credential? Then `ret_gid` is its game. */
bool writer_credential(struct writer *writer, uint64_t id, uint8_t ret_gid[static 16]);

#endif
