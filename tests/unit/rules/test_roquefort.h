/* A castle for tests: all roofs off, blank tiles, mice where they are put.
 *
 * Plain functions that make a struct rq_state by value; nothing is kept.
 */
#ifndef TESTS_UNIT_RULES_TEST_ROQUEFORT_H
#define TESTS_UNIT_RULES_TEST_ROQUEFORT_H

#include "rules/roquefort/roquefort.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "rules/match.h"

/* The square of a name like "b2". */
static inline uint8_t at(const char *name)
{
    return (uint8_t)((name[1] - '1') * RQ_SIDE + name[0] - 'a');
}

static inline bool is_tower(unsigned square)
{
    return square == 0 || square == 6 || square == 42 || square == 48;
}

static inline struct options castle_options(uint8_t variant, uint8_t players)
{
    struct options options = {.variant = variant, .players = players};

    options.value[RQ_CHEESES_TO_WIN] = 4;
    options.value[RQ_FIRST] = 1;
    return options;
}

/* In play, yellow on turn; every face is blank, which no real castle is. */
static inline struct rq_state castle(uint8_t variant, uint8_t players)
{
    struct options options = castle_options(variant, players);
    struct rq_state s;

    rq_ruleset.begin(&s, &options);
    s.stage = RQ_PLAY;
    s.actions_left = RQ_ACTIONS;
    memset(s.face, RQ_BLANK, sizeof s.face);
    for (unsigned i = 0; i < RQ_SQUARES; i++)
        if (!is_tower(i))
            s.open |= rq_bit(i);
    return s;
}

static inline void put_mouse(struct rq_state *s, unsigned seat, unsigned square)
{
    s->mice[seat] |= rq_bit(square);
    s->reserve[seat]--;
}

static inline uint8_t *face_at(struct rq_state *s, unsigned square)
{
    return &s->face[s->tile[rq_place[square]]];
}

static inline struct event move_of(const struct rq_state *s, uint8_t verb, uint8_t from,
                                   uint8_t to)
{
    struct rq_move m = {verb, from, to};
    struct event event = {.kind = EVENT_MOVE, .seat = s->turn, .size = sizeof m};

    memcpy(event.data, &m, sizeof m);
    return event;
}

static inline ruling_t verdict(const struct rq_state *s, uint8_t verb, uint8_t from, uint8_t to)
{
    struct event event = move_of(s, verb, from, to);

    return match_judge(&rq_ruleset, s, &event);
}

static inline struct effects play(struct rq_state *s, uint8_t verb, uint8_t from, uint8_t to)
{
    struct event event = move_of(s, verb, from, to);
    struct effects effects;

    assert_int_equal(match_judge(&rq_ruleset, s, &event), ALLOWED);
    match_play(&rq_ruleset, s, &event, &effects);
    return effects;
}

#endif
