/* Brings any game to where it can be moved in, by a seed: set-ups of the whole set, lots,
 * deals.
 *
 * Random games, perft and the bench start from here. States belong to the caller.
 */
#ifndef TESTS_SUPPORT_TABLE_H
#define TESTS_SUPPORT_TABLE_H

#include "rules/match.h"
#include "rules/perft.h"
#include "rules/stratego/stratego.h"
#include <string.h>

#include "tests/support/seeded.h"

/* The whole set of a variant of stratego, shuffled over the 40 slots. */
static inline struct event table_setup(uint8_t variant, uint8_t seat, struct seeded *seeded)
{
    static const uint8_t counts[ST_VARIANTS][ST_RANKS] = {
#define VARIANT(name, id, english, czech, family, ...) __VA_ARGS__,
#include "rules/stratego/variants.def"
#undef VARIANT
    };
    struct event event = {.kind = EVENT_SETUP, .seat = seat, .size = sizeof(struct st_setup)};
    struct st_setup setup = {.variant = variant};
    size_t count = 0;

    memset(setup.rank, ST_NONE, sizeof setup.rank);
    for (uint8_t rank = 0; rank < ST_RANKS; rank++)
        for (uint8_t i = 0; i < counts[variant][rank]; i++)
            setup.rank[count++] = rank;
    seeded_shuffle(seeded, setup.rank, sizeof setup.rank);
    memcpy(event.data, &setup, sizeof setup);
    return event;
}

/* Begins and plays on until a move is awaited; false if the game refused something. */
static inline bool table_open(const struct ruleset *rules, const struct options *options,
                              uint64_t seed, void *ret_state)
{
    struct seeded seeded = {seed};
    struct effects effects;

    rules->begin(ret_state, options);
    for (;;) {
        struct awaiting awaiting = rules->awaits(ret_state);

        if (awaiting.what == AWAIT_MOVE)
            return true;
        if (awaiting.what == AWAIT_SETUP) {
            uint8_t seat = awaiting.seats & 1 ? 0 : 1;
            struct event event = table_setup(options->variant, seat, &seeded);

            if (match_judge(rules, ret_state, &event) != ALLOWED)
                return false;
            match_play(rules, ret_state, &event, &effects);
        } else if (awaiting.what == AWAIT_NOTHING ||
                   !perft_chance(rules, ret_state, (uint32_t)seeded_next(&seeded))) {
            return false;
        }
    }
}

#endif
