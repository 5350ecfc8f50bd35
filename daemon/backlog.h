/* What the indexes of a store do not know yet.
 *
 * To put each row into an index as it is written costs a page of the log for every move, for
 * the games of one commit lie far apart. Rows, games and credentials are therefore kept here
 * first, in memory, and go into the indexes some ten thousand at a time, sorted, a few with
 * each commit. What was not indexed by the end of a run is read again at the start of the next.
 *
 * One thread writes: it adds while it works on a commit, and then settles or undoes all that it
 * added and took since. Any thread may look something up, and may find what is not committed
 * yet: the store then has no such row.
 */
#ifndef DAEMON_BACKLOG_H
#define DAEMON_BACKLOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct backlog;

enum backlog_kind {
    BACKLOG_RECORDS,     /* key: the game's number; order: first seq; value: the row */
    BACKLOG_GAMES,       /* key: the id; value: the game's number */
    BACKLOG_CREDENTIALS, /* key: its id; value: the game's number */
    BACKLOG_KINDS,
};

struct backlog_key {
    uint64_t high, low; /* small keys have the high half alone */
};

struct backlog_entry {
    struct backlog_key key;
    int64_t value, row; /* value 0: forgotten; row: in the table where it can be read again */
    uint32_t order, next;
};

/* NULL without memory. */
struct backlog *backlog_new(void);
void backlog_free(struct backlog *backlog);

/* 0 or -ENOMEM. `row` rises with each entry of a kind. */
int backlog_add(struct backlog *backlog, enum backlog_kind kind, struct backlog_key key,
                uint32_t order, int64_t value, int64_t row);

/* Has the entries of a key looked up no more; what is taken of them later has the value 0, and
 * is not to be indexed. Not to be undone: for what a commit that is on disk has removed. */
void backlog_forget(struct backlog *backlog, enum backlog_kind kind, struct backlog_key key);

/* Copies the entries of a key, by their order; returns how many there are, at most `max` being
 * copied. The oldest are left out when there is no room. */
size_t backlog_find(struct backlog *backlog, enum backlog_kind kind, struct backlog_key key,
                    struct backlog_entry *ret_entries, size_t max);

/* The next entries that are to be indexed, sorted by key and order, at most `max`; NULL: none.
 * They count as indexed when the commit is settled. */
const struct backlog_entry *const *backlog_take(struct backlog *backlog, enum backlog_kind kind,
                                                size_t max, size_t *ret_count);

/* Has everything been taken that was to be indexed? Then `ret_row` is the last row of that kind
 * below which all are: to be kept in the store with the same commit; 0: nothing new. */
bool backlog_taken(const struct backlog *backlog, int64_t ret_row[static BACKLOG_KINDS]);

void backlog_settle(struct backlog *backlog);
void backlog_undo(struct backlog *backlog);

#endif
