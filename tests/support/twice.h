/* A game read twice, for tests: by its snapshot, and from the start of its log.
 *
 * Both must be the same to the byte. Tests of the api ask it of their games now and then by
 * way of tests/support/client.c.
 */
#ifndef TESTS_SUPPORT_TWICE_H
#define TESTS_SUPPORT_TWICE_H

#include "api/games.h"

/* What a store says of a game, with another snapshot (`sealed` NULL: none); counts the records
 * that were read. `ports` are the store's own. */
struct twice {
    const struct ports *ports;
    bool changed; /* tells `snapshot` instead of what is kept */
    struct snapshot snapshot;
    size_t read;
};

/* The game as a store with that snapshot gives it; 0 or -errno of games_load(). */
int twice_load(struct twice *twice, const struct snapshot_key *key,
               const uint8_t gid[static 16], struct fold **ret_fold);

/* Are two folds the same to the byte, with all that they own? */
bool twice_same(const struct fold *one, const struct fold *other);

/* Reads the game by its snapshot, if there is one, and from the start. NULL, or what differs.
 * `live` is the game as it is in memory; NULL: not compared. */
const char *twice_differs(const struct ports *ports, const struct snapshot_key *key,
                          const uint8_t gid[static 16], const struct fold *live);

#endif
