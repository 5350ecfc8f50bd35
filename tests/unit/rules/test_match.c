/* match.c on nim: turn, kind, the endings common to all, and nothing said after the end. */
#include "rules/match.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "tests/support/nim.h"

static const struct ruleset *const nim = &nim_ruleset;

static struct event event(uint8_t kind, uint8_t seat, uint8_t datum)
{
    return (struct event){.kind = kind, .seat = seat, .size = 1, .data = {datum}};
}

static void assert_verdict(const struct nim *state, struct event event, ruling_t verdict)
{
    assert_int_equal(match_judge(nim, state, &event), verdict);
}

static void awaits_the_kind(void **unused)
{
    struct nim state;

    (void)unused;
    nim_begin(&state, NULL);
    for (uint8_t kind = 0; kind < EVENT_RESIGN; kind++)
        assert_verdict(&state, event(kind, 0, 1),
                       kind == EVENT_DEAL ? ALLOWED : REFUSE_WRONG_TIME);
    state = nim_at(5);
    for (uint8_t kind = 0; kind < EVENT_RESIGN; kind++)
        assert_verdict(&state, event(kind, 0, 1),
                       kind == EVENT_MOVE ? ALLOWED : REFUSE_WRONG_TIME);
}

static void total_for_any_kind_seat_and_size(void **unused)
{
    const struct nim state = nim_at(5);
    struct event moved = event(EVENT_MOVE, 0, 1);

    (void)unused;
    for (unsigned kind = EVENT_KINDS; kind <= UINT8_MAX; kind++)
        assert_verdict(&state, event((uint8_t)kind, 0, 1), REFUSE_WRONG_TIME);
    for (unsigned seat = 1; seat <= UINT8_MAX; seat++)
        assert_verdict(&state, event(EVENT_MOVE, (uint8_t)seat, 1), REFUSE_NOT_YOUR_TURN);
    for (unsigned size = EVENT_DATA_MAX + 1; size <= UINT8_MAX; size++) {
        moved.size = (uint8_t)size;
        assert_verdict(&state, moved, REFUSE_WRONG_TIME);
    }
}

static void lots_fall_among_the_awaited(void **unused)
{
    const struct nim state = {.dealt = 1};

    (void)unused;
    for (unsigned seat = 0; seat <= UINT8_MAX; seat++)
        assert_verdict(&state, event(EVENT_LOT, NO_SEAT, (uint8_t)seat),
                       seat < 2 ? ALLOWED : REFUSE_WRONG_TIME);
}

static void the_game_itself_refuses(void **unused)
{
    const struct nim state = nim_at(2);

    (void)unused;
    assert_verdict(&state, event(EVENT_MOVE, 0, 2), ALLOWED);
    assert_verdict(&state, event(EVENT_MOVE, 0, 3), NIM_TOO_MANY);
    assert_verdict(&state, event(EVENT_MOVE, 0, 0), NIM_TOO_MANY);
}

static void play_empties_the_effects(void **unused)
{
    struct nim state = nim_at(5);
    struct effects effects = {.count = EFFECTS_MAX};
    const struct event take = event(EVENT_MOVE, 0, 2);

    (void)unused;
    match_play(nim, &state, &take, &effects);
    assert_int_equal(effects.count, 1);
    assert_int_equal(effects.list[0].data[0], 2);
    assert_int_equal(effects.list[0].data[1], 0);
    assert_int_equal(state.heap, 3);
}

static void endings_common_to_all(void **unused)
{
    static const struct {
        uint8_t kind, seat, reason, winner;
    } endings[] = {
        {EVENT_RESIGN, 0, REASON_RESIGNED, 1},
        {EVENT_RESIGN, 1, REASON_RESIGNED, 0},
        {EVENT_TIMEOUT, 0, REASON_TIME, 1},
        {EVENT_TIMEOUT, 1, REASON_TIME, 0},
        {EVENT_AGREE, NO_SEAT, REASON_AGREED, NO_SEAT},
    };

    (void)unused;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        for (uint8_t dealt = 0; dealt <= 1; dealt++) {
            struct nim state = nim_at(5);
            struct effects effects;
            const struct event end = event(endings[i].kind, endings[i].seat, 0);

            state.dealt = dealt; /* these end a game at any time, before the deal too */
            assert_verdict(&state, end, ALLOWED);
            match_play(nim, &state, &end, &effects);
            assert_int_equal(effects.count, 0);
            assert_int_equal(state.outcome.reason, endings[i].reason);
            assert_int_equal(state.outcome.winner, endings[i].winner);
            assert_int_equal(state.outcome.ruling, 0);
            assert_int_equal(state.heap, 5);
        }
}

static void strangers_end_nothing(void **unused)
{
    const struct nim state = nim_at(5);

    (void)unused;
    for (unsigned seat = 2; seat <= UINT8_MAX; seat++) {
        assert_verdict(&state, event(EVENT_RESIGN, (uint8_t)seat, 0), REFUSE_NOT_YOUR_TURN);
        assert_verdict(&state, event(EVENT_TIMEOUT, (uint8_t)seat, 0), REFUSE_NOT_YOUR_TURN);
    }
}

static void nothing_after_the_end(void **unused)
{
    struct nim state = nim_at(1);
    struct effects effects;
    const struct event take = event(EVENT_MOVE, 0, 1);

    (void)unused;
    match_play(nim, &state, &take, &effects);
    assert_int_equal(state.outcome.reason, REASON_HITS);
    for (uint8_t kind = 0; kind < EVENT_REVEAL; kind++)
        for (uint8_t seat = 0; seat < SEATS_MAX; seat++)
            assert_verdict(&state, event(kind, seat, 1), REFUSE_GAME_OVER);
}

/* What an audit or an arbiter finds stands over what the game had come to. */
static void a_result_stands_over_all(void **unused)
{
    const struct event found = {
        .kind = EVENT_RESULT, .seat = NO_SEAT, .size = 2, .data = {REASON_CHEAT, 1}};
    struct event wrong = found;
    struct nim state = nim_at(1);
    struct effects effects;
    const struct event take = event(EVENT_MOVE, 0, 1);

    (void)unused;
    assert_verdict(&state, found, ALLOWED);
    match_play(nim, &state, &take, &effects);
    assert_verdict(&state, found, ALLOWED);
    for (unsigned reason = 0; reason <= UINT8_MAX; reason++) {
        wrong.data[0] = (uint8_t)reason;
        assert_verdict(&state, wrong, reason && reason < REASONS ? ALLOWED : REFUSE_WRONG_TIME);
    }
    wrong = found;
    for (unsigned winner = 0; winner <= UINT8_MAX; winner++) {
        wrong.data[1] = (uint8_t)winner;
        assert_verdict(&state, wrong,
                       winner < nim->seats_max || winner == NO_SEAT ? ALLOWED
                                                                    : REFUSE_WRONG_TIME);
    }
    match_play(nim, &state, &found, &effects);
    assert_int_equal(effects.count, 0);
    assert_int_equal(state.outcome.reason, REASON_CHEAT);
    assert_int_equal(state.outcome.winner, 1);
    assert_int_equal(state.outcome.ruling, 0);
}

/* Faces are told of a game that is over, never of one that goes on. */
static void nothing_is_revealed_in_play(void **unused)
{
    const struct nim state = nim_at(5);

    (void)unused;
    for (uint8_t seat = 0; seat < SEATS_MAX; seat++)
        assert_verdict(&state, event(EVENT_REVEAL, seat, 1), REFUSE_WRONG_TIME);
}

/* A ruleset that drops seats out judges and plays resignation and time itself. */
static void drops_out_is_asked(void **unused)
{
    struct ruleset own = nim_ruleset;
    struct nim state = nim_at(5);
    struct effects effects;
    const struct event resign = event(EVENT_RESIGN, 0, 1);
    const struct event refused = event(EVENT_TIMEOUT, 0, 9);
    const struct event agree = event(EVENT_AGREE, NO_SEAT, 9);

    (void)unused;
    own.drops_out = true;
    assert_int_equal(match_judge(&own, &state, &refused), NIM_TOO_MANY);
    assert_int_equal(match_judge(&own, &state, &resign), ALLOWED);
    match_play(&own, &state, &resign, &effects);
    assert_int_equal(state.outcome.reason, REASON_NONE);
    assert_int_equal(state.heap, 4);
    assert_int_equal(match_judge(&own, &state, &agree), ALLOWED);
    match_play(&own, &state, &agree, &effects);
    assert_int_equal(state.outcome.reason, REASON_AGREED);
}

static void effects_are_zeroed(void **unused)
{
    struct effects effects;
    const struct effect zero = {.type = 7, .seat = 3};

    (void)unused;
    memset(&effects, 0xa5, sizeof effects);
    effects.count = 0;
    for (size_t i = 0; i < EFFECTS_MAX; i++) {
        struct effect *effect = effects_add(&effects, 7, 3);

        assert_ptr_equal(effect, &effects.list[i]);
        assert_memory_equal(effect, &zero, sizeof zero);
    }
    assert_int_equal(effects.count, EFFECTS_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(awaits_the_kind),
        cmocka_unit_test(total_for_any_kind_seat_and_size),
        cmocka_unit_test(lots_fall_among_the_awaited),
        cmocka_unit_test(the_game_itself_refuses),
        cmocka_unit_test(play_empties_the_effects),
        cmocka_unit_test(endings_common_to_all),
        cmocka_unit_test(strangers_end_nothing),
        cmocka_unit_test(nothing_after_the_end),
        cmocka_unit_test(a_result_stands_over_all),
        cmocka_unit_test(nothing_is_revealed_in_play),
        cmocka_unit_test(drops_out_is_asked),
        cmocka_unit_test(effects_are_zeroed),
    };

    return cmocka_run_group_tests_name("match", tests, NULL, NULL);
}
