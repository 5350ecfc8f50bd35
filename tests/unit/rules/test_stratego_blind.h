/* Boards in players' custody for the tests of rules/stratego: what the pieces are is written
 * down beside the state, and opened from there. */
#ifndef TESTS_UNIT_RULES_TEST_STRATEGO_BLIND_H
#define TESTS_UNIT_RULES_TEST_STRATEGO_BLIND_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/rules/stratego_board.h"

/* What the pieces are, for their players alone. */
static uint8_t truth[ST_PIECES];

static inline void hide(struct st_state *s, uint8_t side, const char *square, uint8_t rank)
{
    st_put(s, side, cell_of(square), ST_HIDDEN);
    truth[s->board[cell_of(square)]] = rank;
}

static inline struct options blind_options(uint8_t variant)
{
    struct options options = board_options(variant);

    options.custody = CUSTODY_PLAYERS;
    return options;
}

static inline struct st_state blind_with(const struct options *options, uint8_t turn)
{
    struct st_state s;

    memset(truth, ST_NONE, sizeof truth);
    st_ruleset.begin(&s, options);
    hide(&s, RED, "b1", FLAG);
    hide(&s, BLUE, "i10", FLAG);
    st_resume(&s, turn);
    return s;
}

static inline struct st_state blind(uint8_t variant, uint8_t turn)
{
    struct options options = blind_options(variant);

    return blind_with(&options, turn);
}

static inline uint8_t piece_on(const struct st_state *s, const char *square)
{
    return s->board[cell_of(square)];
}

static inline struct event move_of(const struct st_state *s, const char *from, const char *to,
                                   uint8_t opened)
{
    struct event event = move_cells(s, cell_of(from), cell_of(to));

    event.size = 3;
    event.data[2] = opened;
    return event;
}

static inline ruling_t judged_as(const struct st_state *s, const char *from, const char *to,
                                 uint8_t opened)
{
    struct event event = move_of(s, from, to, opened);

    return match_judge(&st_ruleset, s, &event);
}

/* Plays what must be allowed, and gives its only effect. */
static inline struct effect play(struct st_state *s, const struct event *event)
{
    struct effects effects;

    assert_int_equal(match_judge(&st_ruleset, s, event), ALLOWED);
    match_play(&st_ruleset, s, event, &effects);
    assert_int_equal(effects.count, 1);
    assert_int_equal(st_ruleset.check(s), ALLOWED);
    return effects.list[0];
}

static inline struct effect play_as(struct st_state *s, const char *from, const char *to,
                                    uint8_t opened)
{
    struct event event = move_of(s, from, to, opened);

    return play(s, &event);
}

/* By an honest player. */
static inline struct effect go(struct st_state *s, const char *from, const char *to)
{
    struct event bare = move_of(s, from, to, ST_NONE);
    bool opens = match_judge(&st_ruleset, s, &bare) != ALLOWED;

    return play_as(s, from, to, opens ? truth[piece_on(s, from)] : ST_NONE);
}

static inline struct event opening(uint8_t seat)
{
    struct event event = {.kind = EVENT_OPEN, .seat = seat, .size = ST_SLOTS};

    memset(event.data, ST_NONE, ST_SLOTS);
    return event;
}

/* What `seat` has to open now, in truth. */
static inline struct event answer(const struct st_state *s, uint8_t seat)
{
    struct event event = opening(seat);

    for (uint8_t slot = 0; slot < ST_SLOTS; slot++)
        if (st_asked(s, seat) >> slot & 1)
            event.data[slot] = truth[seat * ST_SLOTS + slot];
    return event;
}

static inline struct effect open_all(struct st_state *s, uint8_t seat)
{
    struct event event = answer(s, seat);

    return play(s, &event);
}

static inline struct st_action action_of(const struct effect *effect)
{
    struct st_action action;

    memcpy(&action, effect->data, sizeof action);
    return action;
}

static inline void attack(struct st_state *s, const char *from, const char *to)
{
    uint8_t seat = s->turn;
    struct effect effect = go(s, from, to);

    assert_int_equal(effect.type, ST_CHALLENGE);
    effect = open_all(s, !seat);
    assert_int_equal(effect.type, ST_COMBAT);
}

static inline void ended(const struct st_state *s, uint8_t reason, uint8_t winner,
                         uint8_t ruling)
{
    assert_int_equal(s->outcome.reason, reason);
    assert_int_equal(s->outcome.winner, winner);
    assert_int_equal(s->outcome.ruling, ruling);
    assert_int_equal(st_ruleset.awaits(s).what == AWAIT_NOTHING, reason != REASON_NONE);
}

static inline void goes_on(const struct st_state *s, uint8_t turn)
{
    ended(s, REASON_NONE, NO_SEAT, ST_RULING_NONE);
    assert_int_equal(st_ruleset.awaits(s).what, AWAIT_MOVE);
    assert_int_equal(st_ruleset.awaits(s).seats, 1 << turn);
}

static inline void waits_for(const struct st_state *s, uint8_t seat)
{
    assert_int_equal(st_ruleset.awaits(s).what, AWAIT_OPEN);
    assert_int_equal(st_ruleset.awaits(s).seats, 1 << seat);
    assert_int_equal(s->turn, !seat);
}

#endif
