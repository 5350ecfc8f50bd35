#include "tests/unit/rules/test_roquefort.h"

/* Layout A, all roofs on but that of `open`. */
static struct rq_state roofed(uint8_t players, uint8_t open)
{
    struct rq_state s = castle(RQ_CHATEAU, players);

    s.open = rq_room_squares(s.room, open);
    return s;
}

static struct effects drop(struct rq_state *s, uint8_t kind, uint8_t seat)
{
    struct event event = {.kind = kind, .seat = seat};
    struct effects effects;

    assert_int_equal(match_judge(&rq_ruleset, s, &event), ALLOWED);
    match_play(&rq_ruleset, s, &event, &effects);
    return effects;
}

/* CR-2: every number of players, every starter. */
static void the_setup(void **state)
{
    static const uint8_t towers[SEATS_MAX] = {0, 6, 42, 48};

    (void)state;
    for (uint8_t players = 2; players <= SEATS_MAX; players++)
        for (uint8_t first = 0; first < players; first++) {
            struct rq_state s = roofed(players, RQ_NO_SQUARE);

            s.first = s.turn = first;
            for (uint8_t i = 0; i < players; i++) {
                assert_int_equal(s.turn, (first + i) % players);
                struct effects effects = play(&s, RQ_ENTER, 0, towers[i]);
                assert_int_equal(effects.count, 1);
                assert_int_equal(s.actions_left, RQ_ACTIONS);
            }
            assert_int_equal(s.turn, first);
            assert_int_equal(verdict(&s, RQ_END_TURN, 0, 0), ALLOWED);
        }
}

/* CR-3, CR-11: the fourth action ends the turn; rooms without a mouse get their roofs. */
static void the_fourth_action(void **state)
{
    struct rq_state s = roofed(2, at("b1"));

    (void)state;
    put_mouse(&s, 0, at("b1"));
    put_mouse(&s, 1, 48);
    s.open |= rq_room_squares(s.room, at("d1"));
    play(&s, RQ_STEP, at("b1"), at("c1"));
    play(&s, RQ_STEP, at("c1"), at("d1"));
    play(&s, RQ_STEP, at("d1"), at("d2"));
    assert_int_equal(s.turn, 0);
    struct effects effects = play(&s, RQ_STEP, at("d2"), at("d1"));
    assert_int_equal(effects.count, 2);
    assert_int_equal(effects.list[1].type, RQ_COVERED);
    assert_int_equal(effects.list[1].seat, 0);
    assert_true(rq_effect_squares(&effects.list[1]) == rq_room_squares(s.room, at("b1")));
    assert_true(s.open == rq_room_squares(s.room, at("d1")));
    assert_int_equal(s.turn, 1);
    assert_int_equal(s.actions_left, RQ_ACTIONS);
}

/* CR-3: uncovering last leaves the turn open, with nothing to do but to end it. */
static void uncovering_last(void **state)
{
    struct rq_state s = roofed(2, RQ_NO_SQUARE);
    struct event moves[RQ_LEGAL_MAX];

    (void)state;
    put_mouse(&s, 0, 0);
    put_mouse(&s, 1, 48);
    s.actions_left = 1;
    struct effects effects = play(&s, RQ_UNCOVER, 0, at("b1"));
    assert_int_equal(effects.count, 1);
    assert_int_equal(s.turn, 0);
    assert_int_equal(s.actions_left, 0);
    assert_int_equal(rq_ruleset.legal(&s, 0, moves, RQ_LEGAL_MAX), 1);
    assert_int_equal(verdict(&s, RQ_STEP, 0, at("b1")), RQ_TOO_MANY_ACTIONS);
    play(&s, RQ_END_TURN, 0, 0);
    assert_int_equal(s.turn, 1);
    assert_true(s.open == 0);
}

/* CR-8: each turn has its own shift. */
static void one_shift_a_turn(void **state)
{
    struct rq_state s = roofed(2, RQ_NO_SQUARE);

    (void)state;
    put_mouse(&s, 0, 0);
    put_mouse(&s, 1, 48);
    play(&s, RQ_SHIFT, 0, 0);
    assert_int_equal(verdict(&s, RQ_SHIFT, 0, 3), RQ_ALREADY_SHIFTED);
    play(&s, RQ_END_TURN, 0, 0);
    assert_int_equal(verdict(&s, RQ_SHIFT, 0, 3), ALLOWED);
}

static void with_two_the_other_wins(void **state)
{
    (void)state;
    for (uint8_t kind = EVENT_RESIGN; kind <= EVENT_TIMEOUT; kind++)
        for (uint8_t seat = 0; seat < 2; seat++)
            for (uint8_t stage = RQ_LOT; stage <= RQ_PLAY; stage++) {
                struct rq_state s = roofed(2, RQ_NO_SQUARE);

                s.stage = stage;
                put_mouse(&s, 0, 0);
                put_mouse(&s, 1, 6);
                drop(&s, kind, seat);
                assert_int_equal(s.outcome.reason,
                                 kind == EVENT_RESIGN ? REASON_RESIGNED : REASON_TIME);
                assert_int_equal(s.outcome.winner, !seat);
                assert_int_equal(s.outcome.ruling, 0);
                assert_true(s.mice[seat]);
            }
}

/* Each seat of three drops out on each turn, in play and in the set-up. */
static void with_three_the_others_play_on(void **state)
{
    (void)state;
    for (uint8_t setup = 0; setup < 2; setup++)
        for (uint8_t turn = 0; turn < 3; turn++)
            for (uint8_t seat = 0; seat < 3; seat++) {
                struct rq_state s = roofed(3, at("b1"));

                s.turn = turn;
                for (unsigned i = 0; i < 3; i++)
                    if (!setup || i < turn)
                        put_mouse(&s, i, (unsigned[]){at("b1"), 6, 42}[i]);
                s.actions_left = 2;
                struct effects effects = drop(&s, EVENT_RESIGN, seat);
                bool ends = seat == turn && !setup;
                assert_int_equal(s.out, 1 << seat);
                assert_int_equal(effects.list[0].type, RQ_OUT);
                assert_int_equal(effects.count, ends ? 2 : 1);
                assert_int_equal(s.turn, seat == turn ? (seat + 1) % 3 : turn);
                assert_true(!s.mice[seat] && s.reserve[seat] == RQ_MICE);
                assert_int_equal(s.outcome.reason, REASON_NONE);
                if (!setup)
                    assert_true((s.open == 0) == (seat == 0 && turn == 0));
                struct event again = {.kind = EVENT_RESIGN, .seat = seat};
                assert_int_equal(match_judge(&rq_ruleset, &s, &again), REFUSE_WRONG_TIME);
                drop(&s, EVENT_TIMEOUT, (uint8_t)((seat + 1) % 3));
                assert_int_equal(s.outcome.reason, REASON_LAST_LEFT);
                assert_int_equal(s.outcome.winner, (seat + 2) % 3);
            }
}

/* Before the tiles lie: who has gone is not drawn, and does not begin. */
static void gone_before_the_start(void **state)
{
    struct options options = castle_options(RQ_CHATEAU, 3);
    struct rq_state s;

    (void)state;
    rq_ruleset.begin(&s, &options);
    drop(&s, EVENT_RESIGN, 0);
    assert_int_equal(s.turn, 1);
    options.value[RQ_FIRST] = 0;
    rq_ruleset.begin(&s, &options);
    drop(&s, EVENT_RESIGN, 1);
    assert_int_equal(rq_ruleset.awaits(&s).seats, 1 << 0 | 1 << 2);
    assert_int_equal(s.turn, NO_SEAT);
}

/* CR-13: a seat that gives up before the deal; whoever is to begin begins. */
static void others_gone_before_the_deal(void **state)
{
    struct options options = castle_options(RQ_CHATEAU, 3);
    struct rq_state s;

    (void)state;
    rq_ruleset.begin(&s, &options);
    drop(&s, EVENT_RESIGN, 2);
    assert_int_equal(s.turn, 0);
    assert_int_equal(rq_ruleset.awaits(&s).what, AWAIT_DEAL);
}

/* Who begins by the option: nobody whose seat is not there, but the lot. */
static void first_of_fewer(void **state)
{
    (void)state;
    for (uint8_t players = 2; players <= SEATS_MAX; players++)
        for (int16_t first = 0; first <= SEATS_MAX; first++) {
            struct options options = castle_options(RQ_CHATEAU, players);
            struct rq_state s;

            options.value[RQ_FIRST] = first;
            rq_ruleset.begin(&s, &options);
            bool there = first >= 1 && first <= players;
            assert_int_equal(s.turn, there ? first - 1 : NO_SEAT);
            assert_int_equal(s.first, s.turn);
            assert_int_equal(rq_ruleset.awaits(&s).what, there ? AWAIT_DEAL : AWAIT_LOT);
        }
}

/* The turn goes round those who are in, if it is but one. */
static void the_turn_goes_round(void **state)
{
    (void)state;
    for (uint8_t players = 2; players <= SEATS_MAX; players++)
        for (uint8_t out = 0; out < 1 << players; out++)
            for (uint8_t turn = 0; turn < players; turn++) {
                struct rq_state s = castle(RQ_CHATEAU, players);
                uint8_t next = turn;

                if (out >> turn & 1)
                    continue;
                put_mouse(&s, turn, 0);
                s.turn = turn;
                s.out = out;
                do
                    next = (uint8_t)((next + 1) % players);
                while (out >> next & 1);
                play(&s, RQ_END_TURN, 0, 0);
                assert_int_equal(s.turn, next);
            }
}

/* A posted state does not say that it is over: it is found out. */
static void settling(void **state)
{
    struct rq_state s = castle(RQ_CHATEAU, 2);

    (void)state;
    rq_settle(&s);
    assert_int_equal(s.outcome.reason, REASON_NONE);
    s.cheeses[1] = 15;
    rq_settle(&s);
    assert_int_equal(s.outcome.reason, REASON_CHEESES);
    assert_int_equal(s.outcome.winner, 1);
    s = castle(RQ_APPENZELL, 3);
    s.out = 2;
    s.reserve[1] = 1;
    s.cellar[1] = 3;
    s.cheeses[2] = 1;
    rq_settle(&s);
    assert_int_equal(s.outcome.reason, REASON_THIRD_FALL);
    assert_int_equal(s.outcome.winner, 2);
    s = castle(RQ_APPENZELL, 3); /* CB-1: who is out without three in the cellar gave up */
    s.out = 2;
    rq_settle(&s);
    assert_int_equal(s.outcome.reason, REASON_NONE);
    s.cellar[0] = 3; /* and who is in cannot have them, as check() will say */
    rq_settle(&s);
    assert_int_equal(s.outcome.reason, REASON_NONE);
    s = castle(RQ_CHATEAU, 2); /* CR-13: of those who drowned, not of who gave up */
    s.out = 3;
    s.cellar[1] = 3;
    s.cheeses[0] = 7;
    rq_settle(&s);
    assert_int_equal(s.outcome.reason, REASON_ALL_OUT);
    assert_int_equal(s.outcome.winner, 1);
}

/* What lies open in a posted state has been seen, and nothing else. */
static void settling_shows_what_is_open(void **state)
{
    struct rq_state s = castle(RQ_CHATEAU, 2);

    (void)state;
    s.open = rq_bit(at("b2"));
    rq_settle(&s);
    assert_true(s.seen == (rq_bit(s.tile[rq_place[at("b2")]]) | rq_bit(s.tile[RQ_SPARE])));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_setup),
        cmocka_unit_test(the_fourth_action),
        cmocka_unit_test(uncovering_last),
        cmocka_unit_test(one_shift_a_turn),
        cmocka_unit_test(with_two_the_other_wins),
        cmocka_unit_test(with_three_the_others_play_on),
        cmocka_unit_test(gone_before_the_start),
        cmocka_unit_test(others_gone_before_the_deal),
        cmocka_unit_test(first_of_fewer),
        cmocka_unit_test(the_turn_goes_round),
        cmocka_unit_test(settling),
        cmocka_unit_test(settling_shows_what_is_open),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
