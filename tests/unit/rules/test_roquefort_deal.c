#include "tests/unit/rules/test_roquefort.h"

#include "tests/support/seeded.h"

static struct rq_state before_deal(uint8_t players)
{
    struct options options = castle_options(RQ_CHATEAU, players);
    struct rq_state s;

    rq_ruleset.begin(&s, &options);
    return s;
}

static struct event deal(struct seeded *seeded)
{
    struct event event = {.kind = EVENT_DEAL, .seat = NO_SEAT, .size = RQ_TILES, .tries = 1};

    seeded_permutation(seeded, event.data, RQ_TILES);
    return event;
}

/* Written down anew, square by square: do equals touch? */
static bool touching(const struct rq_state *s)
{
    for (int a = 0; a < RQ_SQUARES; a++)
        for (int b = 0; b < a; b++) {
            int columns = a % RQ_SIDE - b % RQ_SIDE, rows = a / RQ_SIDE - b / RQ_SIDE;

            if (columns < -1 || columns > 1 || rows > 1 || rq_place[a] == RQ_NO_SQUARE ||
                rq_place[b] == RQ_NO_SQUARE)
                continue;
            if (s->face[rq_place[a]] && s->face[rq_place[a]] == s->face[rq_place[b]])
                return true;
        }
    return false;
}

/* CR-1: the first blank in shuffled order is the spare, the others follow in order. */
static void tiles_are_laid_in_order(void **state)
{
    struct seeded seeded = {7};

    (void)state;
    for (int i = 0; i < 500; i++) {
        struct rq_state s = before_deal(2);
        struct event event = deal(&seeded);
        struct effects effects;
        unsigned place = 0, blanks = 0;

        event.tries = 1000;
        assert_int_equal(match_judge(&rq_ruleset, &s, &event), ALLOWED);
        match_play(&rq_ruleset, &s, &event, &effects);
        assert_int_equal(effects.count, 0);
        assert_int_equal(s.face[RQ_SPARE], RQ_BLANK);
        for (unsigned k = 0; k < RQ_TILES; k++) {
            uint8_t n = event.data[k];
            uint8_t face = n < 21 ? (uint8_t)(1 + n / 3) : n < 31 ? RQ_BLANK : RQ_TRAPDOOR;

            if (face != RQ_BLANK || blanks++ > 0)
                assert_int_equal(s.face[place++], face);
        }
        assert_int_equal(rq_ruleset.check(&s), ALLOWED);
        assert_true(s.open == 0 && s.actions_left == RQ_ACTIONS && s.turn == 0);
    }
}

/* CR-1: refused below the thousandth try exactly where equals touch. */
static void equals_do_not_touch(void **state)
{
    struct seeded seeded = {11};
    unsigned allowed = 0;

    (void)state;
    for (int i = 0; i < 20000; i++) {
        struct rq_state s = before_deal(2), laid = s;
        struct event event = deal(&seeded);
        struct effects effects;

        event.tries = 999;
        ruling_t ruling = match_judge(&rq_ruleset, &s, &event);
        event.tries = 1000;
        match_play(&rq_ruleset, &laid, &event, &effects);
        assert_int_equal(ruling, touching(&laid) ? RQ_EQUALS_TOUCH : ALLOWED);
        allowed += ruling == ALLOWED;
    }
    assert_true(allowed > 0);
}

static void only_a_whole_shuffle(void **state)
{
    struct seeded seeded = {3};
    struct rq_state s = before_deal(2);
    struct event event = deal(&seeded), bad;

    (void)state;
    event.tries = 1000;
    for (unsigned i = 0; i < RQ_TILES; i++) {
        bad = event;
        bad.data[i] = RQ_TILES;
        assert_int_equal(match_judge(&rq_ruleset, &s, &bad), RQ_BAD_SHUFFLE);
        bad.data[i] = event.data[(i + 1) % RQ_TILES];
        assert_int_equal(match_judge(&rq_ruleset, &s, &bad), RQ_BAD_SHUFFLE);
    }
    bad = event;
    bad.size = RQ_TILES - 1;
    assert_int_equal(match_judge(&rq_ruleset, &s, &bad), RQ_BAD_SHUFFLE);
}

/* CR-1: each seat may be drawn, and is awaited first. */
static void the_lot(void **state)
{
    (void)state;
    for (uint8_t players = 2; players <= SEATS_MAX; players++)
        for (uint8_t first = 0; first <= SEATS_MAX; first++) {
            struct options options = castle_options(RQ_CHATEAU, players);
            struct event event = {.kind = EVENT_LOT, .seat = NO_SEAT, .size = 1};
            struct effects effects;
            struct rq_state s;

            options.value[RQ_FIRST] = 0;
            rq_ruleset.begin(&s, &options);
            assert_int_equal(rq_ruleset.awaits(&s).what, AWAIT_LOT);
            assert_int_equal(rq_ruleset.awaits(&s).seats, (1 << players) - 1);
            assert_int_equal(rq_ruleset.check(&s), ALLOWED);
            event.data[0] = first;
            ruling_t ruling = match_judge(&rq_ruleset, &s, &event);
            assert_int_equal(ruling, first < players ? ALLOWED : REFUSE_WRONG_TIME);
            assert_int_equal(rq_ruleset.judge(&s, &event), ruling);
            if (ruling != ALLOWED)
                continue;
            match_play(&rq_ruleset, &s, &event, &effects);
            assert_int_equal(rq_ruleset.awaits(&s).what, AWAIT_DEAL);
            assert_int_equal(rq_ruleset.awaits(&s).cards, RQ_TILES);
            assert_int_equal(s.turn, first);
            assert_int_equal(rq_ruleset.check(&s), ALLOWED);
            options.value[RQ_FIRST] = (int16_t)(first + 1);
            struct rq_state fixed;
            rq_ruleset.begin(&fixed, &options);
            assert_memory_equal(&s, &fixed, sizeof s);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tiles_are_laid_in_order),
        cmocka_unit_test(equals_do_not_touch),
        cmocka_unit_test(only_a_whole_shuffle),
        cmocka_unit_test(the_lot),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
