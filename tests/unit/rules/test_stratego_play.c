/* stratego/play.c and combat.def: every combat of both families, knowledge, and how games end.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/rules/stratego_board.h"

/* Strength by byte in marsal-a-spion; the bytes are not in this order: the scout (2) beats the
 * miner (3). */
static const int strength[ST_RANKS] = {0, 1, 3, 2, 4, 5, 6, 7, 8, 9, 0};

/* ST-7 ST-8 ST-9 ST-10 */
static int house_outcome(uint8_t a, uint8_t d)
{
    if (d == FLAG)
        return ST_DEFENDER_LOST;
    if (d == MINE)
        return a == MINER ? ST_DEFENDER_LOST : ST_ATTACKER_LOST;
    if (a == MARSHAL && d == SPY)
        return ST_ATTACKER_LOST;
    if (a == SPY && d == MARSHAL)
        return ST_DEFENDER_LOST;
    if (a == d)
        return ST_BOTH_LOST;
    return strength[a] > strength[d] ? ST_DEFENDER_LOST : ST_ATTACKER_LOST;
}

/* SC-4 */
static int classic_outcome(uint8_t a, uint8_t d)
{
    if (d == C_BOMB)
        return a == MINER ? ST_DEFENDER_LOST : ST_ATTACKER_LOST;
    if (a == SPY && d == C_MARSHAL)
        return ST_DEFENDER_LOST;
    if (a == d)
        return ST_BOTH_LOST;
    return a > d ? ST_DEFENDER_LOST : ST_ATTACKER_LOST;
}

static struct st_state duel(uint8_t variant, uint8_t seat, uint8_t a, uint8_t d)
{
    struct st_state s;
    struct options options = board_options(variant);

    st_ruleset.begin(&s, &options);
    if (d != FLAG)
        st_put(&s, !seat, cell_of("i10"), FLAG);
    st_put(&s, seat, cell_of("b1"), FLAG);
    put(&s, seat, "e4", a);
    put(&s, !seat, "e5", d);
    put(&s, RED, "a3", CORPORAL);
    put(&s, BLUE, "h8", CORPORAL);
    st_resume(&s, seat);
    return s;
}

static void check_combat(uint8_t variant, uint8_t seat, uint8_t a, uint8_t d)
{
    struct st_state s = duel(variant, seat, a, d);
    uint8_t attacker = s.board[cell_of("e4")], defender = s.board[cell_of("e5")];
    int expected = variant ? classic_outcome(a, d) : house_outcome(a, d);
    struct event event = move_cells(&s, cell_of("e4"), cell_of("e5"));
    struct effects effects;
    struct st_action action;

    assert_int_equal(match_judge(&st_ruleset, &s, &event), ALLOWED);
    match_play(&st_ruleset, &s, &event, &effects);
    assert_int_equal(effects.count, 1);
    assert_int_equal(effects.list[0].type, ST_COMBAT);
    memcpy(&action, effects.list[0].data, sizeof action);
    assert_int_equal(action.outcome, expected);
    assert_int_equal(action.rank[0], a);
    assert_int_equal(action.rank[1], d);
    assert_int_equal(s.board[cell_of("e4")], ST_EMPTY);
    assert_int_equal(s.board[cell_of("e5")], expected == ST_DEFENDER_LOST   ? attacker
                                             : expected == ST_ATTACKER_LOST ? defender
                                                                            : ST_EMPTY);
    assert_int_equal(s.place[attacker] == ST_NOWHERE, expected != ST_DEFENDER_LOST);
    assert_int_equal(s.place[defender] == ST_NOWHERE, expected != ST_ATTACKER_LOST);
    assert_int_equal(s.outcome.reason, d == FLAG ? REASON_FLAG : REASON_NONE);
    if (d == FLAG) {
        assert_int_equal(s.outcome.winner, seat);
        assert_int_equal(s.outcome.ruling, variant ? ST_RULING_SC5 : ST_RULING_ST12);
    }
    assert_int_equal(st_ruleset.check(&s), ALLOWED);
}

static void every_combat_both_ways(void **state)
{
    (void)state;
    for (uint8_t seat = 0; seat < ST_SEATS; seat++) {
        for (uint8_t a = 1; a < MINE; a++)
            for (uint8_t d = 0; d <= MINE; d++)
                check_combat(ST_MARSAL_A_SPION, seat, a, d);
        for (uint8_t a = 1; a < C_BOMB; a++)
            for (uint8_t d = 0; d <= C_BOMB; d++)
                check_combat(ST_PLAIN, seat, a, d);
    }
}

/* Flags and mines attack nobody, whatever they stand beside: ST-3. */
static void the_rest_of_the_grid_is_refused(void **state)
{
    static const uint8_t still[] = {FLAG, MINE, C_BOMB};

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        uint8_t variant = still[i] == C_BOMB ? ST_PLAIN : ST_MARSAL_A_SPION;
        struct options options = board_options(variant);
        struct st_state s;

        st_ruleset.begin(&s, &options);
        put(&s, RED, "e4", still[i]);
        put(&s, BLUE, "e5", SPY);
        st_resume(&s, RED);
        assert_int_equal(judged(&s, "e4", "e5"), ST_IMMOBILE);
    }
}

/* ST-11, option captives, SC-4: who has seen whom after the combat a on d. */
static void check_seen(uint8_t variant, int16_t shown, uint8_t a, uint8_t d, bool defender_sees)
{
    struct st_state s = duel(variant, RED, a, d);
    uint8_t attacker = s.board[cell_of("e4")], defender = s.board[cell_of("e5")];

    s.shown = (uint8_t)shown;
    assert_int_equal(played(&s, "e4", "e5"), ALLOWED);
    assert_int_equal(s.seen[BLUE], UINT64_C(1) << (defender - ST_SLOTS));
    assert_int_equal(s.seen[RED], defender_sees ? UINT64_C(1) << attacker : 0);
}

static void who_sees_whom(void **state)
{
    (void)state;
    check_seen(ST_MARSAL_A_SPION, 0, CAPTAIN, GUNNER, false);
    check_seen(ST_MARSAL_A_SPION, 0, GUNNER, CAPTAIN, false);
    check_seen(ST_MARSAL_A_SPION, 0, GUNNER, MINE, false);
    check_seen(ST_MARSAL_A_SPION, 0, GUNNER, GUNNER, false);
    check_seen(ST_MARSAL_A_SPION, 1, CAPTAIN, GUNNER, false);
    check_seen(ST_MARSAL_A_SPION, 1, GUNNER, CAPTAIN, true);
    check_seen(ST_MARSAL_A_SPION, 1, GUNNER, MINE, true);
    check_seen(ST_MARSAL_A_SPION, 1, GUNNER, GUNNER, true);
    check_seen(ST_PLAIN, 0, C_CAPTAIN, SCOUT, true);
    check_seen(ST_PLAIN, 0, SCOUT, C_BOMB, true);
}

static void ended(const struct st_state *s, uint8_t reason, uint8_t winner, uint8_t ruling)
{
    assert_int_equal(s->outcome.reason, reason);
    assert_int_equal(s->outcome.winner, winner);
    assert_int_equal(s->outcome.ruling, ruling);
    assert_int_equal(st_ruleset.awaits(s).what,
                     reason == REASON_NONE ? AWAIT_MOVE : AWAIT_NOTHING);
}

/* ST-13 is not judged before a first combat, ST-14 after every ply. */
static void draws_of_the_house(void **state)
{
    struct st_state s = board(ST_MARSAL_A_SPION, RED);

    (void)state;
    put(&s, RED, "e4", SPY);
    put(&s, BLUE, "i9", MINE), put(&s, BLUE, "h10", MINE), put(&s, BLUE, "j10", MINE);
    put(&s, RED, "a1", MINE), put(&s, RED, "c1", MINE), put(&s, RED, "b2", MINE);
    put(&s, BLUE, "e6", SPY);
    assert_int_equal(played(&s, "e4", "e5"), ALLOWED);
    ended(&s, REASON_NONE, NO_SEAT, ST_RULING_NONE);
    put(&s, RED, "a4", GUNNER), put(&s, BLUE, "a7", GUNNER);
    assert_int_equal(played(&s, "e6", "e5"), ALLOWED);
    ended(&s, REASON_DEAD, NO_SEAT, ST_RULING_ST13);

    s = board(ST_MARSAL_A_SPION, RED);
    put(&s, RED, "e4", SPY);
    assert_int_equal(played(&s, "e4", "e5"), ALLOWED);
    ended(&s, REASON_NO_MOVE, NO_SEAT, ST_RULING_ST14);
}

/* SC-5 */
static void classic_without_moves(void **state)
{
    struct st_state s = board(ST_PLAIN, RED);

    (void)state;
    put(&s, RED, "e4", SCOUT);
    assert_int_equal(played(&s, "e4", "f4"), ALLOWED);
    ended(&s, REASON_NO_MOVE, RED, ST_RULING_SC5);

    s = board(ST_PLAIN, RED);
    put(&s, RED, "e4", SCOUT), put(&s, BLUE, "e5", SCOUT);
    assert_int_equal(played(&s, "e4", "e5"), ALLOWED);
    ended(&s, REASON_NO_MOVE, NO_SEAT, ST_RULING_SC5);

    s = board(ST_PLAIN, RED); /* blocked, not gone */
    put(&s, RED, "e4", SCOUT);
    put(&s, BLUE, "j10", C_MAJOR), put(&s, BLUE, "j9", C_BOMB);
    assert_int_equal(played(&s, "e4", "e5"), ALLOWED);
    ended(&s, REASON_NO_MOVE, RED, ST_RULING_SC5);
}

/* SC-5: a move that SC-6 bars is not a legal one. */
static struct event forty_of(uint8_t seat, bool shut_in)
{
    static const uint8_t counts[ST_RANKS] = {1, 1, 8, 5, 4, 4, 4, 3, 2, 1, 1, 6};
    struct event event = {.kind = EVENT_SETUP, .seat = seat, .size = sizeof(struct st_setup)};
    size_t slot = 0;

    memset(event.data, C_BOMB, ST_SLOTS);
    for (uint8_t rank = 0; rank < C_BOMB; rank++)
        for (uint8_t i = 0; i < counts[rank]; i++) {
            size_t file = slot % 10;

            /* Bombs on the squares of the front row that are before no lake. */
            if (shut_in && slot >= 30 && file / 2 % 2 == 0)
                slot += 2;
            event.data[slot++] = rank;
        }
    return event;
}

/* SC-5: who begins shut in behind lakes and bombs has lost at once; the other may be shut in as
 * long as it is not his turn. Of pieces
 * that the referee does not know it says nothing. */
static void shut_in_from_the_beginning(void **state)
{
    struct options options = board_options(ST_PLAIN);
    struct effects effects;

    (void)state;
    for (uint8_t shut_in = 0; shut_in < 4; shut_in++)
        for (uint8_t seat = 0; seat < ST_SEATS; seat++) {
            struct st_state s;

            st_ruleset.begin(&s, &options);
            for (uint8_t i = 0; i < ST_SEATS; i++) {
                uint8_t whose = i ^ seat; /* in both orders */
                struct event event = forty_of(whose, shut_in >> whose & 1);

                assert_int_equal(s.outcome.reason, REASON_NONE);
                assert_int_equal(match_judge(&st_ruleset, &s, &event), ALLOWED);
                match_play(&st_ruleset, &s, &event, &effects);
            }
            bool lost = shut_in & 1;
            assert_int_equal(s.outcome.reason, lost ? REASON_NO_MOVE : REASON_NONE);
            assert_int_equal(s.outcome.winner, lost ? BLUE : NO_SEAT);
            assert_int_equal(s.outcome.ruling, lost ? ST_RULING_SC5 : ST_RULING_NONE);
        }
    options.custody = CUSTODY_PLAYERS;
    struct st_state blind;
    st_ruleset.begin(&blind, &options);
    for (uint8_t seat = 0; seat < ST_SEATS; seat++) {
        struct event event = forty_of(seat, false);

        memset(event.data, ST_HIDDEN, ST_SLOTS);
        match_play(&st_ruleset, &blind, &event, &effects);
    }
    assert_int_equal(blind.outcome.reason, REASON_NONE);
}

static void barred_moves_are_no_moves(void **state)
{
    struct options options = board_options(ST_ISF);
    struct st_state s;

    (void)state;
    options.value[ST_OPTION_TWO_SQUARE] = 1;
    s = board_with(&options, RED);
    put(&s, RED, "a4", C_MAJOR), put(&s, RED, "a6", C_BOMB), put(&s, RED, "b5", C_BOMB);
    put(&s, RED, "b4", C_BOMB), put(&s, RED, "a3", C_BOMB);
    put(&s, BLUE, "j8", C_MAJOR);
    assert_int_equal(played(&s, "a4", "a5"), ALLOWED);
    assert_int_equal(played(&s, "j8", "j7"), ALLOWED);
    ended(&s, REASON_NO_MOVE, BLUE, ST_RULING_SC5);
}

/* SC-8: the ply beyond is still played, and the draw comes before a loss by SC-5. */
/* SC-8: a view says which of the limits there are, were they as small as one. */
static void limits_are_seen(void **state)
{
    (void)state;
    for (int16_t plies = 0; plies <= 2; plies++)
        for (int16_t quiet = 0; quiet <= 2; quiet++) {
            struct options options = board_options(ST_PLAIN);
            struct st_view view;

            options.value[ST_OPTION_PLY_LIMIT] = plies;
            options.value[ST_OPTION_QUIET_LIMIT] = quiet;
            struct st_state s = board_with(&options, RED);
            st_ruleset.observe(&s, RED, &view);
            assert_int_equal(view.variant, ST_PLAIN);
            assert_int_equal(view.limits, (plies ? 1 : 0) + (quiet ? 2 : 0));
        }
}

static void limits(void **state)
{
    struct options options = board_options(ST_PLAIN);
    struct st_state s;

    (void)state;
    options.value[ST_OPTION_PLY_LIMIT] = 2;
    s = board_with(&options, RED);
    put(&s, RED, "e4", SCOUT), put(&s, BLUE, "f7", SCOUT), put(&s, BLUE, "b2", SCOUT);
    struct st_state flag = s;
    assert_int_equal(played(&s, "e4", "e5"), ALLOWED);
    assert_int_equal(played(&s, "f7", "f6"), ALLOWED);
    ended(&s, REASON_NONE, NO_SEAT, ST_RULING_NONE);
    assert_int_equal(played(&s, "e5", "e6"), ALLOWED);
    ended(&s, REASON_LIMIT, NO_SEAT, ST_RULING_SC8);

    flag.plies = 2, flag.turn = BLUE;
    assert_int_equal(played(&flag, "b2", "b1"), ALLOWED);
    ended(&flag, REASON_FLAG, BLUE, ST_RULING_SC5);

    options.value[ST_OPTION_PLY_LIMIT] = 0;
    options.value[ST_OPTION_QUIET_LIMIT] = 1;
    s = board_with(&options, RED);
    put(&s, RED, "e4", SCOUT), put(&s, RED, "a4", C_MAJOR);
    put(&s, BLUE, "f7", SCOUT), put(&s, BLUE, "a5", SCOUT);
    assert_int_equal(played(&s, "e4", "e5"), ALLOWED);
    assert_int_equal(played(&s, "a5", "a4"), ALLOWED); /* a combat: quiet begins anew */
    assert_int_equal(played(&s, "e5", "e6"), ALLOWED);
    ended(&s, REASON_NONE, NO_SEAT, ST_RULING_NONE);
    struct st_view view;
    st_ruleset.observe(&s, BLUE, &view);
    assert_int_equal(view.plies, 3);
    assert_int_equal(view.quiet, 1);
    assert_int_equal(played(&s, "f7", "f6"), ALLOWED);
    ended(&s, REASON_LIMIT, NO_SEAT, ST_RULING_SC8);
}

/* ST-2 SC-3 ST-15: who begins, and the ends that all games share. */
static void lot_and_resignation(void **state)
{
    struct st_state s = board(ST_MARSAL_A_SPION, NO_SEAT);
    struct event lot = {.kind = EVENT_LOT, .seat = NO_SEAT, .size = 1, .data = {BLUE}};
    struct event resign = {.kind = EVENT_RESIGN, .seat = RED};
    struct effects effects;

    (void)state;
    put(&s, RED, "e4", SCOUT), put(&s, BLUE, "f7", SCOUT); /* ST-14: each can move */
    assert_int_equal(s.first, NO_SEAT);
    assert_int_equal(board(ST_PLAIN, RED).first, RED);
    assert_int_equal(st_ruleset.awaits(&s).what, AWAIT_LOT);
    assert_int_equal(match_judge(&st_ruleset, &s, &lot), ALLOWED);
    match_play(&st_ruleset, &s, &lot, &effects);
    assert_int_equal(s.turn, BLUE);
    assert_int_equal(match_judge(&st_ruleset, &s, &resign), ALLOWED);
    match_play(&st_ruleset, &s, &resign, &effects);
    ended(&s, REASON_RESIGNED, BLUE, ST_RULING_NONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_combat_both_ways),
        cmocka_unit_test(the_rest_of_the_grid_is_refused),
        cmocka_unit_test(who_sees_whom),
        cmocka_unit_test(draws_of_the_house),
        cmocka_unit_test(classic_without_moves),
        cmocka_unit_test(shut_in_from_the_beginning),
        cmocka_unit_test(barred_moves_are_no_moves),
        cmocka_unit_test(limits_are_seen),
        cmocka_unit_test(limits),
        cmocka_unit_test(lot_and_resignation),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
