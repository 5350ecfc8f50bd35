/* stratego/blind.c: attacks that wait for their defender, and the ends that can be seen. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/rules/test_stratego_blind.h"

static void an_attack_waits_for_its_defender(void **state)
{
    struct st_state s = blind(ST_MARSAL_A_SPION, RED), before;
    struct event event, moves[8];
    struct st_action action;

    (void)state;
    hide(&s, RED, "e4", CAPTAIN), hide(&s, RED, "a4", SPY);
    hide(&s, BLUE, "e5", GUNNER), hide(&s, BLUE, "j7", SPY);
    before = s;
    struct effect effect = go(&s, "e4", "e5");
    action = action_of(&effect);
    assert_int_equal(effect.type, ST_CHALLENGE);
    assert_int_equal(effect.seat, RED);
    assert_int_equal(action.from, cell_of("e4"));
    assert_int_equal(action.to, cell_of("e5"));
    assert_int_equal(action.rank[0] | action.rank[1] | action.attacker | action.defender, 0);
    waits_for(&s, BLUE);
    assert_memory_equal(s.board, before.board, sizeof s.board);
    assert_int_equal(s.rank[piece_on(&s, "e4")], CAPTAIN);
    assert_int_equal(s.rank[piece_on(&s, "e5")], ST_HIDDEN);
    assert_int_equal(s.moved[RED], UINT64_C(1) << piece_on(&s, "e4"));
    assert_int_equal(s.seen[RED] | s.seen[BLUE] | s.plies | s.recorded, 0);
    assert_int_equal(st_ruleset.legal(&s, RED, moves, 8), 0);
    assert_int_equal(st_ruleset.legal(&s, BLUE, moves, 8), 0);
    assert_int_equal(judged_as(&s, "a4", "a5", ST_NONE), REFUSE_WRONG_TIME);
    event = answer(&s, BLUE);
    event.seat = RED;
    assert_int_equal(match_judge(&st_ruleset, &s, &event), REFUSE_NOT_YOUR_TURN);
    assert_int_equal(st_ruleset.judge(&s, &event), REFUSE_NOT_YOUR_TURN);
    assert_int_equal(st_asked(&s, RED), 0);
    for (unsigned seat = ST_SEATS; seat < 256; seat++)
        assert_int_equal(st_asked(&s, (uint8_t)seat), 0);

    s.quiet = 3;
    effect = open_all(&s, BLUE);
    action = action_of(&effect);
    assert_int_equal(effect.type, ST_COMBAT);
    assert_int_equal(effect.seat, RED);
    assert_int_equal(action.outcome, ST_DEFENDER_LOST);
    assert_int_equal(action.rank[0], CAPTAIN);
    assert_int_equal(action.rank[1], GUNNER);
    assert_int_equal(action.both, 0);
    assert_int_equal(s.seen[RED], 0);
    assert_int_equal(s.seen[BLUE], UINT64_C(1) << (action.defender - ST_SLOTS));
    assert_int_equal(piece_on(&s, "e4"), ST_EMPTY);
    assert_int_equal(piece_on(&s, "e5"), action.attacker);
    assert_int_equal(s.plies, 1);
    assert_int_equal(s.quiet, 0);
    assert_int_equal(s.recorded, 1);
    goes_on(&s, BLUE);
}

/* ST-7 SC-4: the attacked piece, by a rank that there is, and no other piece. */
static void check_defences(uint8_t variant, uint8_t ranks, ruling_t refused)
{
    struct st_state s = blind(variant, BLUE);

    hide(&s, RED, "e4", GUNNER), hide(&s, RED, "a4", SPY), hide(&s, BLUE, "e5", SCOUT);
    go(&s, "e5", "e4");
    waits_for(&s, RED);
    uint8_t slot = piece_on(&s, "e4"), other = piece_on(&s, "a4");
    struct event event = opening(RED), good = answer(&s, RED);
    assert_int_equal(match_judge(&st_ruleset, &s, &event), refused);
    for (unsigned byte = 0; byte < 256; byte++) {
        event.data[slot] = (uint8_t)byte;
        assert_int_equal(match_judge(&st_ruleset, &s, &event),
                         byte < ranks ? ALLOWED : refused);
    }
    event = good;
    event.data[other] = SPY;
    assert_int_equal(match_judge(&st_ruleset, &s, &event), refused);
    event = good;
    event.data[ST_SLOTS - 1] = ST_HIDDEN;
    assert_int_equal(match_judge(&st_ruleset, &s, &event), refused);
    event = good;
    event.size = ST_SLOTS - 1;
    assert_int_equal(match_judge(&st_ruleset, &s, &event), refused);
    event = opening(RED);
    event.data[other] = SPY;
    assert_int_equal(match_judge(&st_ruleset, &s, &event), refused);
    assert_string_equal(st_ruleset.name(refused)->code, "unopened");
}

static void defences(void **state)
{
    (void)state;
    check_defences(ST_MARSAL_A_SPION, 11, ST_UNDEFENDED);
    check_defences(ST_PLAIN, 12, ST_UNDEFENDED_CLASSIC);
}

/* SC-4; ST-11 with captives shown. */
static void who_sees_whom(void **state)
{
    struct st_state s = blind(ST_PLAIN, RED);

    (void)state;
    hide(&s, RED, "e4", SCOUT), hide(&s, BLUE, "e7", C_BOMB), hide(&s, BLUE, "j7", SPY);
    uint8_t scout = piece_on(&s, "e4");
    attack(&s, "e4", "e7");
    assert_int_equal(s.seen[RED], UINT64_C(1) << scout);
    s = blind(ST_MARSAL_A_SPION, RED);
    s.shown = 1;
    hide(&s, RED, "e4", GUNNER), hide(&s, BLUE, "e5", CAPTAIN), hide(&s, BLUE, "j7", SPY);
    attack(&s, "e4", "e5");
    assert_int_equal(s.seen[RED], UINT64_C(1) << 1);
}

/* ST-12 SC-5 SC-8: what can be seen is judged; ST-13 ST-14 and SC-5 without a move are not. */
static void ends_that_can_be_seen(void **state)
{
    struct options options = blind_options(ST_PLAIN);
    struct st_state s = blind(ST_MARSAL_A_SPION, RED);

    (void)state;
    hide(&s, RED, "i9", SPY);
    attack(&s, "i9", "i10");
    ended(&s, REASON_FLAG, RED, ST_RULING_ST12);
    s = blind(ST_PLAIN, BLUE);
    hide(&s, BLUE, "b2", SCOUT);
    attack(&s, "b2", "b1");
    ended(&s, REASON_FLAG, BLUE, ST_RULING_SC5);

    options.value[ST_OPTION_QUIET_LIMIT] = 1;
    s = blind_with(&options, RED);
    hide(&s, RED, "e4", SCOUT), hide(&s, BLUE, "e7", SCOUT);
    go(&s, "e4", "f4");
    goes_on(&s, BLUE);
    go(&s, "e7", "f7");
    ended(&s, REASON_LIMIT, NO_SEAT, ST_RULING_SC8);
    options.value[ST_OPTION_QUIET_LIMIT] = 0;
    options.value[ST_OPTION_PLY_LIMIT] = 1;
    s = blind_with(&options, RED);
    hide(&s, RED, "e4", C_MAJOR), hide(&s, BLUE, "e5", C_CAPTAIN), hide(&s, BLUE, "j7", SPY);
    s.plies = 1;
    go(&s, "e4", "e5"); /* the ply is played when the combat is */
    waits_for(&s, BLUE);
    open_all(&s, BLUE);
    ended(&s, REASON_LIMIT, NO_SEAT, ST_RULING_SC8);

    s = blind(ST_MARSAL_A_SPION, RED); /* dead, and blue without a move */
    hide(&s, RED, "e4", SPY), hide(&s, BLUE, "e5", SPY);
    attack(&s, "e4", "e5");
    goes_on(&s, BLUE);
    s = blind(ST_PLAIN, RED);
    hide(&s, RED, "e4", SPY), hide(&s, BLUE, "e5", SPY);
    attack(&s, "e4", "e5");
    goes_on(&s, BLUE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_attack_waits_for_its_defender),
        cmocka_unit_test(defences),
        cmocka_unit_test(who_sees_whom),
        cmocka_unit_test(ends_that_can_be_seen),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
