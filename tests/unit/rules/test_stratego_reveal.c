/* stratego/blind.c: faces after the end. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/rules/test_stratego_blind.h"

static struct event reveal_of(uint8_t seat)
{
    struct event event = {.kind = EVENT_REVEAL, .seat = seat, .size = ST_SLOTS};

    memcpy(event.data, truth + seat * ST_SLOTS, ST_SLOTS);
    return event;
}

static struct st_state resigned(void)
{
    struct st_state s = blind(ST_MARSAL_A_SPION, RED);
    struct event resign = {.kind = EVENT_RESIGN, .seat = RED};
    struct effects effects;

    hide(&s, RED, "e4", CAPTAIN), put(&s, RED, "a4", SPY);
    hide(&s, BLUE, "e7", MINER);
    truth[piece_on(&s, "a4")] = SPY;
    match_play(&st_ruleset, &s, &resign, &effects);
    return s;
}

static void wrong_reveals(void **state)
{
    struct st_state s = resigned(), going = s, known = s;
    struct event event = reveal_of(RED);

    (void)state;
    going.outcome.reason = REASON_NONE;
    known.blind = 0;
    assert_int_equal(match_judge(&st_ruleset, &s, &event), ALLOWED);
    assert_int_equal(st_ruleset.judge(&going, &event), REFUSE_WRONG_TIME);
    assert_int_equal(match_judge(&st_ruleset, &known, &event), REFUSE_WRONG_TIME);
    event.size = ST_SLOTS + 1;
    assert_int_equal(match_judge(&st_ruleset, &s, &event), REFUSE_WRONG_TIME);
    event = reveal_of(RED);
    event.seat = 2;
    assert_int_equal(match_judge(&st_ruleset, &s, &event), REFUSE_WRONG_TIME);
    for (unsigned byte = 0; byte < 256; byte++) {
        bool rank = byte <= MINE || byte == ST_HIDDEN || byte == FACE_UNKNOWN;

        event = reveal_of(RED);
        event.data[0] = (uint8_t)byte;
        assert_int_equal(match_judge(&st_ruleset, &s, &event),
                         rank ? ALLOWED : REFUSE_WRONG_TIME);
        event = reveal_of(RED);
        event.data[ST_SLOTS - 1] = (uint8_t)byte; /* nothing was set up there */
        assert_int_equal(match_judge(&st_ruleset, &s, &event),
                         byte == ST_NONE ? ALLOWED : REFUSE_WRONG_TIME);
    }
    event.kind = EVENT_OPEN;
    assert_int_equal(st_ruleset.judge(&s, &event), REFUSE_GAME_OVER);
}

static void play_reveal(struct st_state *s, const struct event *event)
{
    struct effects effects;

    match_play(&st_ruleset, s, event, &effects);
    assert_int_equal(effects.count, 0);
    assert_int_equal(st_ruleset.check(s), ALLOWED);
    assert_int_equal(match_judge(&st_ruleset, s, event), REFUSE_WRONG_TIME); /* once */
}

static void faces_open_by_seat(void **state)
{
    struct st_state s = resigned();
    struct event event = reveal_of(RED);
    struct st_view view;

    (void)state;
    event.data[piece_on(&s, "a4")] = MARSHAL; /* what is known stays */
    event.data[piece_on(&s, "b1")] = ST_HIDDEN;
    st_ruleset.observe(&s, NO_SEAT, &view);
    assert_int_equal(view.rank[cell_of("e4")], ST_NONE);
    assert_int_equal(view.rank[cell_of("a4")], ST_NONE);
    play_reveal(&s, &event);
    st_ruleset.observe(&s, BLUE, &view);
    assert_int_equal(view.rank[cell_of("e4")], CAPTAIN);
    assert_int_equal(view.rank[cell_of("a4")], SPY);
    assert_int_equal(view.rank[cell_of("b1")], ST_NONE); /* opened by nothing */
    st_ruleset.observe(&s, RED, &view);
    assert_int_equal(view.rank[cell_of("e7")], ST_NONE);
    event = reveal_of(BLUE);
    play_reveal(&s, &event);
    st_ruleset.observe(&s, RED, &view);
    assert_int_equal(view.rank[cell_of("e7")], MINER);
    ended(&s, REASON_RESIGNED, BLUE, ST_RULING_NONE);
}

/* Whoever lied about his set has ended the game with too many of a rank. */
static void a_reveal_may_exceed(void **state)
{
    struct st_state s = resigned();
    struct event event = reveal_of(RED);

    (void)state;
    event.data[piece_on(&s, "b1")] = CAPTAIN;
    event.data[piece_on(&s, "e4")] = FLAG;
    play_reveal(&s, &event);
    s = resigned();
    event.data[piece_on(&s, "b1")] = SPY;
    play_reveal(&s, &event);
    ended(&s, REASON_RESIGNED, BLUE, ST_RULING_NONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_reveals),
        cmocka_unit_test(faces_open_by_seat),
        cmocka_unit_test(a_reveal_may_exceed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
