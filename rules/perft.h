/* Counts the lines of play to a depth: the proof that legal, judge and play agree.
 *
 * The caller lends one struct perft_level a ply and one more; nothing else is kept. Chance does
 * not count as a ply: lots and deals are answered by fixed permutations, made here from the
 * depth, so that a count is the same on every machine.
 */
#ifndef RULES_PERFT_H
#define RULES_PERFT_H

#include "rules/ruleset.h"

enum { PERFT_STATE_MAX = 4096, PERFT_MOVES = 512, PERFT_TRIES = 10000 };

struct perft_level {
    _Alignas(16) uint8_t state[PERFT_STATE_MAX];
    size_t count, next;
    struct event moves[PERFT_MOVES];
};

struct perft_counts {
    uint64_t lines; /* lines of exactly `depth` plies */
    uint64_t ended; /* lines in which the game ended at or before that */
    uint64_t moves; /* moves played on the way */
    uint64_t
        wrong; /* listed moves that judge() refuses, repeated ones, states check() refuses */
};

/* Plays the lots and deals that `state` waits for, until it waits for something else; false if
 * no permutation in PERFT_TRIES is allowed. `salt` picks the permutations. */
bool perft_chance(const struct ruleset *rules, void *state, uint32_t salt);

/* The moves of all seats that are to act, at most `max`; returns how many. */
size_t perft_moves(const struct ruleset *rules, const void *state, struct event *out,
                   size_t max);

/* Counts from `state`, which is left as it is; set-ups must have been played. `levels` holds
 * depth + 1. */
struct perft_counts perft(const struct ruleset *rules, const void *state, size_t depth,
                          struct perft_level *levels);

#endif
