/* stratego/combats.c: the board is at a table, and only combats are told. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/rules/stratego_board.h"

enum { FIRST_RED = 1 };

/* A whole army: the set, in the order of its bytes, from slot 0 on. */
static struct event army(uint8_t variant, uint8_t seat)
{
    static const uint8_t sets[ST_VARIANTS][ST_RANKS] = {
        [ST_MARSAL_A_SPION] = {1, 1, 8, 6, 5, 4, 3, 2, 1, 1, 8},
        [ST_PLAIN] = {1, 1, 8, 5, 4, 4, 4, 3, 2, 1, 1, 6},
        [ST_ISF] = {1, 1, 8, 5, 4, 4, 4, 3, 2, 1, 1, 6},
        [ST_BARRAGE] = {1, 1, 2, 1, 0, 0, 0, 0, 0, 1, 1, 1},
        [ST_DUEL] = {1, 1, 2, 2, 0, 0, 0, 0, 0, 1, 1, 2},
        [ST_ULTIMATE] = {1, 1, 4, 2, 2, 2, 2, 1, 1, 1, 1, 2},
    };
    struct st_setup setup = {.variant = variant};
    struct event event = {.kind = EVENT_SETUP, .seat = seat, .size = sizeof setup};
    size_t slot = 0;

    memset(setup.rank, ST_NONE, sizeof setup.rank);
    for (uint8_t rank = 0; rank < ST_RANKS; rank++)
        for (uint8_t n = 0; n < sets[variant][rank]; n++)
            setup.rank[slot++] = rank;
    memcpy(event.data, &setup, sizeof setup);
    return event;
}

static struct options told(uint8_t variant)
{
    struct options options = board_options(variant);

    options.value[ST_OPTION_FIRST] = FIRST_RED;
    options.value[ST_OPTION_TOLD] = 1;
    return options;
}

static struct st_state table_of(const struct options *options)
{
    struct effects effects;
    struct st_state s;

    st_ruleset.begin(&s, options);
    for (uint8_t seat = 0; seat < ST_SEATS; seat++) {
        struct event event = army(options->variant, seat);
        assert_int_equal(match_judge(&st_ruleset, &s, &event), ALLOWED);
        match_play(&st_ruleset, &s, &event, &effects);
        assert_int_equal(effects.count, 0);
    }
    assert_int_equal(st_ruleset.check(&s), ALLOWED);
    return s;
}

static struct st_state table(uint8_t variant)
{
    struct options options = told(variant);

    return table_of(&options);
}

/* The n-th piece of that rank still in the game, as a cell. */
static uint8_t one(const struct st_state *s, uint8_t seat, uint8_t rank, int n)
{
    for (uint8_t slot = 0; slot < ST_SLOTS; slot++)
        if (s->rank[seat * ST_SLOTS + slot] == rank &&
            s->place[seat * ST_SLOTS + slot] != ST_NOWHERE && n-- == 0)
            return st_home(seat, slot);
    fail_msg("no piece of rank %u is left", rank);
    return ST_NOWHERE;
}

static struct event naming(uint8_t kind, uint8_t seat, uint8_t cell)
{
    return (struct event){.kind = kind, .seat = seat, .size = 2, .data = {cell}};
}

static struct effect act(struct st_state *s, uint8_t kind, uint8_t seat, uint8_t cell)
{
    struct event event = naming(kind, seat, cell);
    struct effects effects;

    assert_int_equal(match_judge(&st_ruleset, s, &event), ALLOWED);
    match_play(&st_ruleset, s, &event, &effects);
    assert_int_equal(effects.count, 1);
    assert_int_equal(st_ruleset.check(s), ALLOWED);
    return effects.list[0];
}

static struct st_action action_of(const struct effect *effect)
{
    struct st_action action;

    memcpy(&action, effect->data, sizeof action);
    return action;
}

/* One combat by rank; what came of it. */
static struct st_action fight(struct st_state *s, uint8_t seat, uint8_t attacker,
                              uint8_t defender)
{
    struct effect effect = act(s, EVENT_MOVE, seat, one(s, seat, attacker, 0));

    assert_int_equal(effect.type, ST_CHALLENGE);
    assert_int_equal(effect.seat, seat);
    effect = act(s, EVENT_OPEN, !seat, one(s, !seat, defender, 0));
    assert_int_equal(effect.type, ST_COMBAT);
    assert_int_equal(effect.seat, seat);
    return action_of(&effect);
}

static void waits(const struct st_state *s, uint8_t what, uint8_t seats)
{
    struct awaiting awaiting = st_ruleset.awaits(s);

    assert_int_equal(awaiting.what, what);
    assert_int_equal(awaiting.seats, seats);
}

static void either_may_attack(void **state)
{
    struct event moves[ST_SLOTS];

    (void)state;
    for (uint8_t variant = 0; variant < ST_VARIANTS; variant++) {
        struct st_state s = table(variant);
        assert_int_equal(s.turn, RED); /* ST-2 SC-3: who begins is still settled */
        waits(&s, AWAIT_MOVE, 3);
        for (uint8_t seat = 0; seat < ST_SEATS; seat++) {
            size_t count = st_ruleset.legal(&s, seat, moves, ST_SLOTS), movable = 0;
            for (size_t slot = 0; slot < ST_SLOTS; slot++) {
                uint8_t rank = s.rank[seat * ST_SLOTS + slot];
                movable += rank != ST_NONE && rank != FLAG &&
                           rank != (variant == ST_MARSAL_A_SPION ? MINE : C_BOMB);
            }
            assert_int_equal(count, movable);
            for (size_t i = 0; i < count; i++) {
                assert_int_equal(moves[i].kind, EVENT_MOVE);
                assert_int_equal(moves[i].data[1], ST_NOWHERE);
                assert_int_equal(match_judge(&st_ruleset, &s, &moves[i]), ALLOWED);
            }
            assert_int_equal(st_ruleset.legal(&s, seat, moves, 2), 2);
            struct st_state after = s;
            act(&after, EVENT_MOVE, seat, moves[0].data[0]);
            waits(&after, AWAIT_OPEN, (uint8_t)(1 << !seat));
            assert_int_equal(st_ruleset.legal(&after, seat, moves, ST_SLOTS), 0);
            assert_int_equal(st_ruleset.legal(&after, !seat, moves, ST_SLOTS), 0);
            st_ruleset.legal(&s, seat, moves, ST_SLOTS);
        }
        assert_int_equal(st_ruleset.legal(&s, 2, moves, ST_SLOTS), 0);
        assert_int_equal(st_ruleset.legal(&s, NO_SEAT, moves, ST_SLOTS), 0);
    }
}

static ruling_t judge(const struct st_state *s, uint8_t kind, uint8_t seat, uint8_t cell)
{
    struct event event = naming(kind, seat, cell);
    ruling_t ruling = match_judge(&st_ruleset, s, &event);

    assert_true(ruling == st_ruleset.judge(s, &event) || ruling == REFUSE_WRONG_TIME);
    return ruling;
}

static void attacks_that_are_refused(void **state)
{
    struct st_state s = table(ST_MARSAL_A_SPION), lakes = table(ST_BARRAGE);

    (void)state;
    assert_int_equal(judge(&s, EVENT_MOVE, RED, one(&s, BLUE, SCOUT, 0)), ST_NO_PIECE);
    assert_int_equal(judge(&s, EVENT_MOVE, BLUE, one(&s, RED, SCOUT, 0)), ST_NO_PIECE);
    assert_int_equal(judge(&s, EVENT_MOVE, RED, cell_of("e5")), ST_NO_PIECE);
    assert_int_equal(judge(&lakes, EVENT_MOVE, RED, cell_of("c5")), ST_NO_PIECE);
    assert_int_equal(judge(&s, EVENT_MOVE, RED, one(&s, RED, FLAG, 0)), ST_IMMOBILE);
    assert_int_equal(judge(&s, EVENT_MOVE, RED, one(&s, RED, MINE, 3)), ST_IMMOBILE);
    assert_int_equal(judge(&lakes, EVENT_MOVE, BLUE, one(&lakes, BLUE, C_BOMB, 0)),
                     ST_IMMOBILE);
    for (unsigned cell = 0; cell < 256; cell++)
        if (!st_on_board((uint8_t)cell)) {
            assert_int_equal(judge(&s, EVENT_MOVE, RED, (uint8_t)cell), ST_OFF_BOARD);
            assert_int_equal(judge(&lakes, EVENT_MOVE, RED, (uint8_t)cell),
                             ST_OFF_BOARD_CLASSIC);
        }
    for (unsigned seat = ST_SEATS; seat < 256; seat++)
        assert_int_equal(judge(&s, EVENT_MOVE, (uint8_t)seat, one(&s, RED, SCOUT, 0)),
                         REFUSE_NOT_YOUR_TURN);
    /* Nothing is answered before there is an attack, and nothing is opened. */
    assert_int_equal(judge(&s, EVENT_OPEN, BLUE, one(&s, BLUE, SCOUT, 0)), REFUSE_WRONG_TIME);

    fight(&s, RED, SCOUT, GENERAL); /* what has fallen fights no more */
    assert_int_equal(judge(&s, EVENT_MOVE, RED, st_home(RED, 2)), ST_NO_PIECE);
}

/* ST-2: while the lot is still to fall nobody attacks. */
static void nobody_attacks_before_the_lot(void **state)
{
    struct options options = told(ST_MARSAL_A_SPION);
    struct event moves[ST_SLOTS], event;
    struct st_state s;

    (void)state;
    options.value[ST_OPTION_FIRST] = 0;
    s = table_of(&options);
    waits(&s, AWAIT_LOT, 3);
    event = naming(EVENT_MOVE, RED, one(&s, RED, SCOUT, 0));
    assert_int_equal(st_ruleset.judge(&s, &event), REFUSE_WRONG_TIME);
    event.kind = EVENT_OPEN;
    assert_int_equal(st_ruleset.judge(&s, &event), REFUSE_WRONG_TIME);
    assert_int_equal(st_ruleset.legal(&s, RED, moves, ST_SLOTS), 0);
    s.turn = BLUE;
    waits(&s, AWAIT_MOVE, 3);
}

static void answers_that_are_refused(void **state)
{
    struct st_state s = table(ST_MARSAL_A_SPION), before;

    (void)state;
    uint8_t scout = one(&s, RED, SCOUT, 1);
    act(&s, EVENT_MOVE, RED, scout);
    before = s;
    assert_int_equal(judge(&s, EVENT_MOVE, RED, scout), REFUSE_WRONG_TIME);
    assert_int_equal(judge(&s, EVENT_MOVE, BLUE, one(&s, BLUE, SCOUT, 0)), REFUSE_WRONG_TIME);
    assert_int_equal(judge(&s, EVENT_OPEN, RED, scout), REFUSE_NOT_YOUR_TURN);
    assert_int_equal(judge(&s, EVENT_OPEN, BLUE, scout), ST_NO_PIECE);
    assert_int_equal(judge(&s, EVENT_OPEN, BLUE, cell_of("e6")), ST_NO_PIECE);
    assert_int_equal(judge(&s, EVENT_OPEN, BLUE, ST_NOWHERE), ST_OFF_BOARD);
    /* Whatever is left may be attacked. */
    assert_int_equal(judge(&s, EVENT_OPEN, BLUE, one(&s, BLUE, FLAG, 0)), ALLOWED);
    assert_int_equal(judge(&s, EVENT_OPEN, BLUE, one(&s, BLUE, MINE, 7)), ALLOWED);
    assert_memory_equal(&s, &before, sizeof s);
}

/* ST-7 ST-8 ST-10 SC-4: nobody walks, for nobody knows where to. */
static void the_fallen_leave_and_nobody_walks(void **state)
{
    struct st_state s = table(ST_MARSAL_A_SPION);
    uint8_t from, to;

    (void)state;
    uint8_t captain = one(&s, RED, CAPTAIN, 0), gunner = one(&s, BLUE, GUNNER, 0);
    struct st_action action = fight(&s, RED, CAPTAIN, GUNNER);
    assert_int_equal(action.outcome, ST_DEFENDER_LOST);
    assert_int_equal(action.bare, 1);
    assert_true(s.board[captain] < ST_SLOTS);
    assert_int_equal(s.board[gunner], ST_EMPTY);
    assert_int_equal(s.place[s.board[captain]], captain);
    assert_int_equal(s.moved[RED] | s.moved[BLUE], 0);
    waits(&s, AWAIT_MOVE, 3);

    action = fight(&s, RED, GENERAL, MINE); /* the same side again: the other has moved since */
    assert_int_equal(action.outcome, ST_ATTACKER_LOST);
    action = fight(&s, BLUE, SPY, MARSHAL);
    assert_int_equal(action.outcome, ST_DEFENDER_LOST);
    action = fight(&s, BLUE, SCOUT, SCOUT);
    assert_int_equal(action.outcome, ST_BOTH_LOST);
    assert_int_equal(s.recorded, 4);

    assert_true(st_combat_at(&s, 0, &from, &to));
    assert_int_equal(from, captain);
    assert_int_equal(to, gunner);
    assert_true(st_combat_at(&s, 3, &from, &to));
    assert_false(st_combat_at(&s, 4, &from, &to));
    act(&s, EVENT_MOVE, BLUE, one(&s, BLUE, MINER, 0));
    assert_true(st_combat_at(&s, 4, &from, &to));
    assert_int_equal(from, one(&s, BLUE, MINER, 0));
    assert_int_equal(to, ST_NOWHERE);
    assert_false(st_combat_at(&s, 5, &from, &to));
    struct st_state plain = board(ST_PLAIN, RED);
    assert_false(st_combat_at(&plain, 0, &from, &to));
}

static void views_show_no_place_of_the_other_side(void **state)
{
    struct st_state s = table(ST_MARSAL_A_SPION);
    struct st_view view;

    (void)state;
    fight(&s, RED, CAPTAIN, GUNNER), fight(&s, BLUE, MINER, MINE);
    uint8_t scout = one(&s, RED, SCOUT, 0);
    act(&s, EVENT_MOVE, RED, scout);
    for (unsigned viewer = 0; viewer <= ST_SEATS; viewer++) {
        uint8_t seat = viewer < ST_SEATS ? (uint8_t)viewer : NO_SEAT;
        st_ruleset.observe(&s, seat, &view);
        assert_true(view.combats);
        assert_int_equal(view.turn, RED);
        assert_int_equal(view.from, seat == RED ? scout : ST_NOWHERE);
        assert_int_equal(view.to, ST_NOWHERE);
        assert_int_equal(view.lost[RED], 1);
        assert_int_equal(view.lost[BLUE], 1);
        assert_int_equal(view.known[BLUE][GUNNER], seat != NO_SEAT); /* ST-11 */
        assert_int_equal(view.known[RED][MINE], seat != NO_SEAT);
        size_t shown = 0;
        for (unsigned cell = 0; cell < ST_CELLS; cell++) {
            assert_false(view.moved[cell]);
            assert_true(view.side[cell] == NO_SEAT || view.side[cell] == seat);
            shown += view.side[cell] != NO_SEAT;
        }
        assert_int_equal(shown, seat == NO_SEAT ? 0 : 39);
    }
    act(&s, EVENT_OPEN, BLUE, one(&s, BLUE, SPY, 0));
    st_ruleset.observe(&s, RED, &view);
    assert_int_equal(view.turn, NO_SEAT);
    assert_int_equal(view.from, ST_NOWHERE);

    fight(&s, RED, SCOUT, FLAG); /* and at the end everything */
    st_ruleset.observe(&s, NO_SEAT, &view);
    size_t shown[ST_SEATS] = {0, 0};
    for (unsigned cell = 0; cell < ST_CELLS; cell++)
        if (view.side[cell] != NO_SEAT) {
            shown[view.side[cell]]++;
            assert_int_not_equal(view.rank[cell], ST_NONE);
        }
    assert_int_equal(shown[RED], 39);
    assert_int_equal(shown[BLUE], 37); /* gunner, spy and flag are gone */
}

static void who_sees_what_is_as_ever(void **state)
{
    struct options options = told(ST_MARSAL_A_SPION);
    struct st_state s = table_of(&options);

    (void)state;
    assert_int_equal(fight(&s, RED, GUNNER, CAPTAIN).both, 0); /* ST-11 */
    options.value[ST_OPTION_CAPTIVES] = 1;
    s = table_of(&options);
    assert_int_equal(fight(&s, RED, GUNNER, CAPTAIN).both, 1);
    assert_int_equal(fight(&s, RED, CAPTAIN, GUNNER).both, 0);
    s = table(ST_ISF);
    assert_int_equal(fight(&s, RED, C_CAPTAIN, C_SERGEANT).both, 1); /* SC-4 */
    assert_int_equal(s.seen[RED] != 0, 1);
    assert_int_equal(s.seen[BLUE] != 0, 1);
}

static void the_flag_ends_it(void **state)
{
    (void)state;
    for (uint8_t variant = 0; variant < ST_VARIANTS; variant++) {
        struct st_state s = table(variant);
        struct event moves[ST_SLOTS];
        fight(&s, BLUE, SPY, FLAG);
        assert_int_equal(s.outcome.reason, REASON_FLAG);
        assert_int_equal(s.outcome.winner, BLUE);
        assert_int_equal(s.outcome.ruling,
                         variant == ST_MARSAL_A_SPION ? ST_RULING_ST12 : ST_RULING_SC5);
        assert_int_equal(st_ruleset.check(&s), ALLOWED);
        assert_int_equal(judge(&s, EVENT_MOVE, RED, one(&s, RED, SPY, 0)) != ALLOWED, 1);
        assert_int_equal(st_ruleset.legal(&s, RED, moves, ST_SLOTS), 0);
    }
}

/* Leaves only what does not move, and `spared` of it that does. */
static void strip(struct st_state *s, uint8_t seat, uint8_t spared)
{
    for (size_t slot = 0; slot < ST_SLOTS; slot++) {
        size_t piece = seat * (size_t)ST_SLOTS + slot;
        uint8_t rank = s->rank[piece];
        bool stays = rank == FLAG || rank == (s->variant == ST_MARSAL_A_SPION ? MINE : C_BOMB);

        if (stays || rank == ST_NONE || rank == spared)
            continue;
        s->board[s->place[piece]] = ST_EMPTY;
        s->place[piece] = ST_NOWHERE;
    }
    assert_int_equal(st_ruleset.check(s), ALLOWED);
}

/* What can be known without a board: that nothing is left that moves. The turn after a combat
 * is the attacked side's. */
static void nothing_left_that_moves(void **state)
{
    struct st_state s = table(ST_MARSAL_A_SPION);

    (void)state;
    strip(&s, BLUE, GENERAL);
    fight(&s, RED, MARSHAL, GENERAL);
    assert_int_equal(s.outcome.reason, REASON_NO_MOVE);
    assert_int_equal(s.outcome.winner, NO_SEAT);
    assert_int_equal(s.outcome.ruling, ST_RULING_ST14);

    s = table(ST_MARSAL_A_SPION); /* it is blue's turn, and blue can move */
    strip(&s, RED, SPY);
    fight(&s, RED, SPY, GENERAL);
    assert_int_equal(s.outcome.reason, REASON_NONE);
    waits(&s, AWAIT_MOVE, 3);

    s = table(ST_MARSAL_A_SPION);
    strip(&s, RED, SPY), strip(&s, BLUE, SPY);
    fight(&s, RED, SPY, SPY);
    assert_int_equal(s.outcome.reason, REASON_DEAD);
    assert_int_equal(s.outcome.ruling, ST_RULING_ST13);

    for (uint8_t variant = 1; variant < ST_VARIANTS; variant++) {
        s = table(variant);
        strip(&s, BLUE, C_GENERAL);
        fight(&s, RED, C_MARSHAL, C_GENERAL);
        assert_int_equal(s.outcome.reason, REASON_NO_MOVE);
        assert_int_equal(s.outcome.winner, RED);
        assert_int_equal(s.outcome.ruling, ST_RULING_SC5);
        s = table(variant);
        strip(&s, RED, SPY), strip(&s, BLUE, SPY);
        fight(&s, RED, SPY, SPY);
        assert_int_equal(s.outcome.reason, REASON_NO_MOVE);
        assert_int_equal(s.outcome.winner, NO_SEAT);
        assert_int_equal(s.outcome.ruling, ST_RULING_SC5);
        s = table(variant);
        strip(&s, RED, SPY);
        fight(&s, RED, SPY, C_GENERAL);
        assert_int_equal(s.outcome.reason, REASON_NONE);
    }
}

static void impossible(const struct st_state *s)
{
    assert_int_equal(st_ruleset.check(s), ST_FLAWED);
}

static void states_that_cannot_be(void **state)
{
    struct st_state good = table(ST_MARSAL_A_SPION), s;

    (void)state;
    fight(&good, RED, CAPTAIN, GUNNER);
    s = good, s.blind = 1, impossible(&s);
    s = good, s.claim = 1, impossible(&s);
    s = good, s.revealed = 1, impossible(&s);
    s = good, s.fought = 1, impossible(&s);
    s = good, s.to = one(&s, BLUE, SCOUT, 0), impossible(&s);
    s = good, s.recorded = 2, impossible(&s); /* more combats than have cost a piece */
    s = good, s.recorded = ST_PLIES, impossible(&s);
    s = good, s.from = one(&s, RED, MINE, 0), s.turn = RED, impossible(&s);
    s = good, s.from = one(&s, RED, SCOUT, 0), s.turn = BLUE, impossible(&s);
    s = good, s.from = one(&s, RED, SCOUT, 0), s.turn = NO_SEAT, impossible(&s);
    s = good, s.from = cell_of("e5"), s.turn = RED, impossible(&s);
    s = good, s.from = 255, s.turn = RED, impossible(&s);
    s = good, s.from = one(&s, RED, SCOUT, 0), s.turn = RED;
    assert_int_equal(st_ruleset.check(&s), ALLOWED);
    s.rank[s.board[s.from]] = ST_HIDDEN, impossible(&s);
    s.rank[s.board[s.from]] = 11, impossible(&s); /* no rank of this variant */
    uint8_t piece = 2; /* of red's scouts the first, somewhere else */
    s = good, s.board[s.place[piece]] = ST_EMPTY, s.place[piece] = cell_of("e5"),
    s.board[cell_of("e5")] = piece, impossible(&s);
    for (unsigned byte = 2; byte < 256; byte++)
        s = good, s.combats = (uint8_t)byte, impossible(&s);
    struct st_state plain = board(ST_PLAIN, RED);
    put(&plain, RED, "e4", SCOUT);
    s = plain, s.from = cell_of("e4"), impossible(&s); /* elsewhere no attack waits */
}

/* Resignation and time end an attack that waits like anything else (ST-15). */
static void an_attack_may_stay_unanswered(void **state)
{
    struct st_state s = table(ST_PLAIN);
    struct event event = {.kind = EVENT_RESIGN, .seat = BLUE};
    struct effects effects;
    struct st_view view;
    uint8_t from, to;

    (void)state;
    uint8_t spy = one(&s, RED, SPY, 0);
    act(&s, EVENT_MOVE, RED, spy);
    assert_int_equal(match_judge(&st_ruleset, &s, &event), ALLOWED);
    match_play(&st_ruleset, &s, &event, &effects);
    assert_int_equal(s.outcome.winner, RED);
    assert_true(st_combat_at(&s, 0, &from, &to));
    assert_int_equal(from, spy);
    assert_int_equal(to, ST_NOWHERE);
    st_ruleset.observe(&s, RED, &view);
    assert_int_equal(view.turn, NO_SEAT);
    assert_int_equal(view.from, ST_NOWHERE);
    assert_int_equal(st_ruleset.check(&s), ALLOWED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(either_may_attack),
        cmocka_unit_test(attacks_that_are_refused),
        cmocka_unit_test(nobody_attacks_before_the_lot),
        cmocka_unit_test(answers_that_are_refused),
        cmocka_unit_test(the_fallen_leave_and_nobody_walks),
        cmocka_unit_test(views_show_no_place_of_the_other_side),
        cmocka_unit_test(who_sees_what_is_as_ever),
        cmocka_unit_test(the_flag_ends_it),
        cmocka_unit_test(nothing_left_that_moves),
        cmocka_unit_test(states_that_cannot_be),
        cmocka_unit_test(an_attack_may_stay_unanswered),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
