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
#ifndef DAEMON_RECENT_H
#define DAEMON_RECENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct recent;

enum recent_kind {
    RECENT_RECORDS,     /* key: the game's number; order: first seq; value: the row */
    RECENT_GAMES,       /* key: the id; value: the game's number */
    RECENT_CREDENTIALS, /* key: its id; value: the game's number */
    RECENT_KINDS,
};

struct recent_key {
    uint64_t high, low; /* small keys have the high half alone */
};

struct recent_entry {
    struct recent_key key;
    int64_t value, row; /* row: in the table where it can be read again */
    uint32_t order, next;
};

/* NULL without memory. */
struct recent *recent_new(void);
void recent_free(struct recent *recent);

/* 0 or -ENOMEM. `row` rises with each entry of a kind. */
int recent_add(struct recent *recent, enum recent_kind kind, struct recent_key key,
               uint32_t order, int64_t value, int64_t row);

/* Copies the entries of a key, by their order; returns how many there are, at most `max` being
 * copied. The oldest are left out when there is no room. */
size_t recent_find(struct recent *recent, enum recent_kind kind, struct recent_key key,
                   struct recent_entry *ret_entries, size_t max);

/* The next entries that are to be indexed, sorted by key and order, at most `max`; NULL: none.
 * They count as indexed when the commit is settled. */
const struct recent_entry *const *recent_take(struct recent *recent, enum recent_kind kind,
                                              size_t max, size_t *ret_count);

/* Has everything been taken that was to be indexed? Then `ret_row` is the last row of that kind
 * below which all are: to be kept in the store with the same commit; 0: nothing new. */
bool recent_taken(const struct recent *recent, int64_t ret_row[static RECENT_KINDS]);

void recent_settle(struct recent *recent);
void recent_undo(struct recent *recent);

#endif
