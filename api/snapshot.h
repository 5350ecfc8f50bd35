/* Snapshots: how a game stood after an event, sealed, so that not all of it is played again.
 *
 * An image is the fold as it lies in memory, without pointers. It is worth something only to a
 * program that lays folds out in the same way, so it carries a stamp of the layout. What does
 * not fit is left aside: the log alone says how a game stands.
 */
#ifndef API_SNAPSHOT_H
#define API_SNAPSHOT_H

#include "api/game.h"
#include "api/ports.h"

enum { SNAPSHOT_EVERY = 32, SNAPSHOT_STAMP_SIZE = 16, SNAPSHOT_NONCE_SIZE = 24 };

/* Under what snapshots are sealed: both are the caller's. */
struct snapshot_key {
    const uint8_t *store_key; /* 32 bytes */
    uint8_t stamp[SNAPSHOT_STAMP_SIZE];
};

/* The stamp of this program: a hash of the sizes and places of all members, and of what the
 * rules make of their states. */
void snapshot_stamp(uint8_t ret_stamp[static SNAPSHOT_STAMP_SIZE]);

/* Is one to be written with a record whose first event is `first`? Each time that a multiple
 * of SNAPSHOT_EVERY is passed, and at the end. */
bool snapshot_due(uint32_t first, const struct fold *fold);

/* The bytes that are sealed: equal for equal games. */
void snapshot_image(const struct fold *fold, struct out *out);

/* Closes the game's image; appends to `out`. */
void snapshot_seal(const struct snapshot_key *key, const struct fold *fold, struct out *out);

/* Was it made by a program with this layout? */
bool snapshot_ours(const struct snapshot_key *key, const struct snapshot *snapshot);

/* The game as it was then, on the heap; NULL: it does not open, is another game's or another
 * layout's, or there is no memory. Its link is still to be held against the log. */
struct fold *snapshot_open(const struct snapshot_key *key, const uint8_t gid[static 16],
                           const struct snapshot *snapshot);

#endif
