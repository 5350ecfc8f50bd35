/* stratego/blind.c: claims, and too many pieces of a rank. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/rules/test_stratego_blind.h"

/* Claims */

static void settled(const struct effect *effect, uint8_t seat, bool holds)
{
    struct st_action action = action_of(effect), told = {.variant = action.variant};

    told.holds = holds;
    assert_int_equal(effect->type, ST_CLAIMED);
    assert_int_equal(effect->seat, seat);
    assert_memory_equal(&action, &told, sizeof action); /* and nothing else */
}

static void put_to(const struct st_state *s, const struct effect *effect, uint8_t seat)
{
    struct st_action action = action_of(effect), told = {.variant = action.variant};

    assert_int_equal(effect->type, ST_CHALLENGE);
    assert_int_equal(effect->seat, seat);
    assert_memory_equal(&action, &told, sizeof action);
    waits_for(s, !seat);
    assert_true(s->claim);
}

/* Both flags behind mines, and an attacker and a defender on e4 and e5. */
static struct st_state walled(uint8_t attacker, uint8_t defender)
{
    struct st_state s = blind(ST_MARSAL_A_SPION, RED);

    hide(&s, BLUE, "i9", MINE), hide(&s, BLUE, "h10", MINE), hide(&s, BLUE, "j10", MINE);
    hide(&s, RED, "a1", MINE), hide(&s, RED, "c1", MINE), hide(&s, RED, "b2", MINE);
    hide(&s, RED, "e4", attacker), hide(&s, BLUE, "e5", defender);
    hide(&s, RED, "a4", GUNNER), hide(&s, BLUE, "a7", GUNNER);
    return s;
}

/* ST-13 */
static void a_dead_game_is_claimed(void **state)
{
    struct st_state s = walled(SPY, SPY);

    (void)state;
    struct effect effect = open_all(&s, RED); /* before any combat there is nothing to judge */
    settled(&effect, RED, false);
    goes_on(&s, RED);
    attack(&s, "e4", "e5");
    uint64_t seen = s.seen[BLUE];
    effect = open_all(&s, BLUE);
    put_to(&s, &effect, BLUE);
    effect = open_all(&s, RED);
    settled(&effect, BLUE, true);
    ended(&s, REASON_DEAD, NO_SEAT, ST_RULING_ST13);
    assert_int_equal(s.seen[RED], 0);
    assert_int_equal(s.seen[BLUE], seen);
}

/* One failed claim a combat puts the other side to it. */
static void a_game_alive_is_not(void **state)
{
    struct st_state s = walled(MINER, SPY);
    struct st_view before, after;

    (void)state;
    hide(&s, RED, "g4", SPY), hide(&s, BLUE, "g5", GUNNER);
    attack(&s, "e4", "e5");
    st_ruleset.observe(&s, RED, &before);
    struct effect effect = open_all(&s, BLUE);
    put_to(&s, &effect, BLUE);
    effect = open_all(&s, RED);
    settled(&effect, BLUE, false);
    goes_on(&s, BLUE);
    st_ruleset.observe(&s, RED, &after);
    for (size_t cell = 0; cell < ST_CELLS; cell++) /* nobody has seen anything */
        if (after.side[cell] != RED)
            assert_int_equal(before.rank[cell], after.rank[cell]);
    effect = open_all(&s, BLUE); /* nothing has happened since */
    settled(&effect, BLUE, false);
    goes_on(&s, BLUE);
    attack(&s, "g5", "g4");
    effect = open_all(&s, RED);
    put_to(&s, &effect, RED);
    effect = open_all(&s, BLUE);
    settled(&effect, RED, false);
    goes_on(&s, RED);
}

/* ST-14 needs the claimer's own pieces only. */
static void a_side_that_cannot_move_claims(void **state)
{
    struct st_state s = blind(ST_MARSAL_A_SPION, RED);

    (void)state;
    hide(&s, RED, "e4", SPY), hide(&s, RED, "j1", GUNNER), hide(&s, BLUE, "j10", MINE);
    go(&s, "e4", "e5");
    goes_on(&s, BLUE);
    struct effect effect = open_all(&s, BLUE);
    settled(&effect, BLUE, true);
    ended(&s, REASON_NO_MOVE, NO_SEAT, ST_RULING_ST14);
    assert_int_equal(s.rank[piece_on(&s, "e5")], ST_HIDDEN);
}

/* ST-14: a mine that a cheat has moved is opened as a mine, and cannot be moved again. */
static void a_mine_that_was_moved_is_none_to_move(void **state)
{
    struct st_state s = blind(ST_MARSAL_A_SPION, RED);

    (void)state;
    hide(&s, RED, "e4", MINE), hide(&s, BLUE, "a7", GUNNER);
    go(&s, "e4", "e5");
    go(&s, "a7", "a6");
    struct effect effect = open_all(&s, RED);
    settled(&effect, RED, true);
    ended(&s, REASON_NO_MOVE, NO_SEAT, ST_RULING_ST14);
}

/* ST-13 SC-5: all pieces left and no others, of the claimer and then of the other side. */
static void check_incomplete(struct st_state *s, uint8_t seat, ruling_t refused)
{
    struct event good = answer(s, seat), event = good;

    assert_int_equal(match_judge(&st_ruleset, s, &good), ALLOWED);
    for (size_t slot = 0; slot < ST_SLOTS; slot++) {
        event = good;
        event.data[slot] = good.data[slot] == ST_NONE ? SPY : ST_NONE;
        assert_int_equal(match_judge(&st_ruleset, s, &event), refused);
        event.data[slot] = ST_HIDDEN;
        assert_int_equal(match_judge(&st_ruleset, s, &event), refused);
    }
    event = good;
    event.size = 0;
    assert_int_equal(match_judge(&st_ruleset, s, &event), refused);
    event = good;
    event.seat = !seat;
    assert_int_equal(match_judge(&st_ruleset, s, &event), REFUSE_NOT_YOUR_TURN);
    assert_string_equal(st_ruleset.name(refused)->code, "incomplete_claim");
}

static void incomplete_claims(void **state)
{
    struct st_state s = walled(SPY, SPY);

    (void)state;
    attack(&s, "e4", "e5"); /* two have left, whose slots are not to be opened */
    check_incomplete(&s, BLUE, ST_INCOMPLETE);
    open_all(&s, BLUE);
    check_incomplete(&s, RED, ST_INCOMPLETE);
    s = blind(ST_PLAIN, RED);
    hide(&s, RED, "a4", C_BOMB);
    check_incomplete(&s, RED, ST_INCOMPLETE_CLASSIC);
    open_all(&s, RED);
    check_incomplete(&s, BLUE, ST_INCOMPLETE_CLASSIC);
}

/* SC-5 */
static void claims_of_the_classic_game(void **state)
{
    struct options options = blind_options(ST_ISF);
    struct st_state s = blind(ST_PLAIN, RED);
    struct effect effect;

    (void)state;
    hide(&s, RED, "e4", SCOUT);
    effect = open_all(&s, RED); /* can move */
    settled(&effect, RED, false);
    goes_on(&s, RED);

    s = blind(ST_PLAIN, BLUE); /* blocked, not gone: nothing of red's is asked */
    hide(&s, BLUE, "j10", C_MAJOR), hide(&s, BLUE, "j9", C_BOMB);
    effect = open_all(&s, BLUE);
    settled(&effect, BLUE, true);
    ended(&s, REASON_NO_MOVE, RED, ST_RULING_SC5);

    s = blind(ST_PLAIN, RED);
    hide(&s, RED, "e4", C_BOMB), hide(&s, BLUE, "e7", SPY);
    effect = open_all(&s, RED);
    put_to(&s, &effect, RED);
    effect = open_all(&s, BLUE);
    settled(&effect, RED, true);
    ended(&s, REASON_NO_MOVE, BLUE, ST_RULING_SC5);

    s = blind(ST_PLAIN, RED);
    hide(&s, RED, "e4", C_BOMB), hide(&s, BLUE, "e7", C_BOMB);
    open_all(&s, RED);
    effect = open_all(&s, BLUE);
    settled(&effect, RED, true);
    ended(&s, REASON_NO_MOVE, NO_SEAT, ST_RULING_SC5);

    options.value[ST_OPTION_TWO_SQUARE] = 1; /* SC-6: what is barred is no legal move */
    s = blind_with(&options, RED);
    hide(&s, RED, "a4", C_MAJOR), hide(&s, RED, "a6", C_BOMB), hide(&s, RED, "b5", C_BOMB);
    hide(&s, RED, "b4", C_BOMB), hide(&s, RED, "a3", C_BOMB), hide(&s, BLUE, "j8", C_MAJOR);
    go(&s, "a4", "a5");
    go(&s, "j8", "j7");
    goes_on(&s, RED);
    effect = open_all(&s, RED);
    settled(&effect, RED, true);
    ended(&s, REASON_NO_MOVE, BLUE, ST_RULING_SC5);
}

/* Too many of a rank */

static void an_attack_too_many(void **state)
{
    struct st_state s = blind(ST_MARSAL_A_SPION, RED);

    (void)state;
    hide(&s, RED, "e4", MARSHAL), hide(&s, RED, "a4", MARSHAL), hide(&s, BLUE, "e5", SPY);
    hide(&s, BLUE, "a5", GUNNER), hide(&s, BLUE, "j7", GUNNER);
    attack(&s, "e4", "e5"); /* the first marshal falls to the spy, and counts */
    go(&s, "j7", "j6");
    struct effect effect = go(&s, "a4", "a5");
    assert_int_equal(effect.type, ST_CHALLENGE);
    ended(&s, REASON_CHEAT, BLUE, ST_RULING_NONE);
    struct st_view view;
    st_ruleset.observe(&s, BLUE, &view);
    assert_int_equal(view.from, ST_NOWHERE);
    assert_int_equal(view.turn, NO_SEAT);
}

static void a_run_too_many(void **state)
{
    struct st_state s = blind(ST_BARRAGE, BLUE);

    (void)state;
    for (char file = 'a'; file < 'd'; file++)
        hide(&s, BLUE, (char[]){file, '7', 0}, SCOUT);
    hide(&s, RED, "j4", SPY);
    go(&s, "a7", "a5");
    go(&s, "j4", "j3");
    go(&s, "b7", "b5");
    go(&s, "j3", "j4");
    goes_on(&s, BLUE);
    struct effect effect = play_as(&s, "c7", "e7", SCOUT);
    assert_int_equal(effect.type, ST_MOVED);
    ended(&s, REASON_CHEAT, RED, ST_RULING_NONE);
}

/* Overrides even the capture of a flag. */
static void a_defence_too_many(void **state)
{
    struct st_state s = blind(ST_PLAIN, RED);

    (void)state;
    hide(&s, RED, "e4", SCOUT), put(&s, BLUE, "j7", FLAG);
    hide(&s, BLUE, "e5", FLAG);
    go(&s, "e4", "e5");
    struct effect effect = open_all(&s, BLUE);
    assert_int_equal(effect.type, ST_COMBAT);
    ended(&s, REASON_CHEAT, RED, ST_RULING_NONE);
    s = blind(ST_BARRAGE, RED); /* a rank that the set has none of */
    hide(&s, RED, "e4", C_SERGEANT), hide(&s, BLUE, "e5", SPY);
    go(&s, "e4", "e5");
    ended(&s, REASON_CHEAT, BLUE, ST_RULING_NONE);
}

static void a_claim_too_many(void **state)
{
    struct st_state s = blind(ST_MARSAL_A_SPION, RED);
    struct effect effect;

    (void)state;
    hide(&s, RED, "a4", FLAG); /* no move: but for the second flag this would be ST-14 */
    effect = open_all(&s, RED);
    settled(&effect, RED, false);
    ended(&s, REASON_CHEAT, BLUE, ST_RULING_NONE);

    s = walled(SPY, SPY);
    hide(&s, RED, "j1", FLAG);
    attack(&s, "e4", "e5");
    open_all(&s, BLUE);
    effect = open_all(&s, RED); /* dead, but the answer is a lie */
    settled(&effect, BLUE, false);
    ended(&s, REASON_CHEAT, BLUE, ST_RULING_NONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_dead_game_is_claimed),
        cmocka_unit_test(a_game_alive_is_not),
        cmocka_unit_test(a_side_that_cannot_move_claims),
        cmocka_unit_test(a_mine_that_was_moved_is_none_to_move),
        cmocka_unit_test(incomplete_claims),
        cmocka_unit_test(claims_of_the_classic_game),
        cmocka_unit_test(an_attack_too_many),
        cmocka_unit_test(a_run_too_many),
        cmocka_unit_test(a_defence_too_many),
        cmocka_unit_test(a_claim_too_many),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
