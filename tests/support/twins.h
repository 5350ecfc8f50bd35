/* Twin games: one played by chance, by the rules alone, and another with the same public
 * course, which differs only in what one viewer may not see.
 *
 * A struct plan is plain data and belongs to whoever declared it. What is public, and what a
 * viewer may see besides, is said here from the rulings and not asked of those who write it
 * down: a leak of theirs must not pass for public.
 */
#ifndef TESTS_SUPPORT_TWINS_H
#define TESTS_SUPPORT_TWINS_H

#include "rules/ruleset.h"
#include "tests/support/seeded.h"

enum { PLAN_EVENTS = 128 };

/* The events of a game that is not over, all faces known: set-ups, lots, deals and moves. */
struct plan {
    const struct ruleset *rules;
    struct options options; /* of the referee's custody */
    size_t count;
    struct event events[PLAN_EVENTS];
};

/* Whoever looks on. */
struct onlooker {
    uint8_t seat; /* NO_SEAT: a spectator */
    bool late;    /* he comes when all is played: in the castle roofs are on again by then */
};

/* Plays at most `moves` by chance, and stops before the move that would end the game. */
void plan_make(struct plan *plan, const struct ruleset *rules, const struct options *options,
               size_t moves, struct seeded *seeded);

/* The same course with other hidden faces, by swaps that the onlooker cannot tell; returns how
 * many were made, 0 if none was found. */
size_t plan_twin(const struct plan *plan, struct onlooker onlooker, struct seeded *seeded,
                 struct plan *ret_twin);

#endif
