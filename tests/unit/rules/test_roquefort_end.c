#include "tests/unit/rules/test_roquefort.h"

enum { E2 = 9, W2 = 6 };

/* Slot E2 pushes the tile of f2 under e2, that of d2 under c2, and so on. */
static struct rq_state before_shift(uint8_t variant, uint8_t players)
{
    struct rq_state s = castle(variant, players);

    *face_at(&s, at("f2")) = RQ_TRAPDOOR;
    return s;
}

static void drown(struct rq_state *s, unsigned seat, uint8_t mice)
{
    s->cellar[seat] = (uint8_t)(s->cellar[seat] + mice);
    s->reserve[seat] = (uint8_t)(s->reserve[seat] - mice);
}

static unsigned effects_of(const struct effects *effects, uint8_t type, uint8_t seat)
{
    unsigned n = 0;

    for (size_t i = 0; i < effects->count; i++)
        n += effects->list[i].type == type && effects->list[i].seat == seat;
    return n;
}

/* CR-10: all pairs of squares and all faces, by a step onto the second. */
static void cheese_by_step(void **state)
{
    (void)state;
    for (unsigned other = 0; other < RQ_SQUARES; other++)
        for (uint8_t face = 0; face <= RQ_KINDS; face++)
            for (uint8_t had = 0; had < 2; had++) {
                struct rq_state s = castle(RQ_CHATEAU, 2);
                uint8_t to = at("d4"), from = at("d3");

                if (other == to || other == from)
                    continue;
                put_mouse(&s, 0, from);
                put_mouse(&s, 0, other);
                *face_at(&s, to) = face;
                if (rq_place[other] != RQ_NO_SQUARE)
                    *face_at(&s, other) = face;
                s.cheeses[0] = (uint8_t)(had && face ? 1 << (face - 1) : 0);
                struct effects effects = play(&s, RQ_STEP, from, to);
                bool due = face && !had && rq_place[other] != RQ_NO_SQUARE;
                assert_int_equal(effects_of(&effects, RQ_CHEESE_TAKEN, 0), due);
                assert_int_equal(s.cheeses[0], face && (due || had) ? 1 << (face - 1) : 0);
            }
}

/* CR-10: on another's turn, and two by one shift. */
static void cheese_by_shift(void **state)
{
    struct rq_state s = castle(RQ_CHATEAU, 2);

    (void)state;
    put_mouse(&s, 0, 0);
    put_mouse(&s, 1, at("a4"));
    put_mouse(&s, 1, at("a2"));
    put_mouse(&s, 1, at("g4"));
    put_mouse(&s, 1, at("g2"));
    *face_at(&s, at("a4")) = s.face[RQ_SPARE] = 3;
    *face_at(&s, at("g4")) = *face_at(&s, at("f2")) = 4;
    struct effects effects = play(&s, RQ_SHIFT, 0, W2);
    assert_int_equal(effects_of(&effects, RQ_CHEESE_TAKEN, 1), 2);
    assert_int_equal(s.cheeses[1], 1 << 2 | 1 << 3);
    assert_int_equal(s.turn, 0);
}

/* CR-12: at each number of cheeses to win, with each number held. */
static void cheeses_to_win(void **state)
{
    (void)state;
    for (uint8_t to_win = 4; to_win <= 6; to_win++)
        for (unsigned held = 0; held < to_win; held++) {
            struct rq_state s = castle(RQ_CHATEAU, 2);

            s.to_win = to_win;
            put_mouse(&s, 0, at("b1"));
            put_mouse(&s, 0, at("c3"));
            *face_at(&s, at("b1")) = *face_at(&s, at("b3")) = 7;
            s.cheeses[0] = (uint8_t)((1U << held) - 1);
            play(&s, RQ_STEP, at("c3"), at("b3"));
            assert_int_equal(s.outcome.reason,
                             held + 1 == to_win ? REASON_CHEESES : REASON_NONE);
            if (s.outcome.reason)
                assert_true(s.outcome.winner == 0 && s.outcome.ruling == RQ_CR12);
        }
}

/* CR-12: several by one shift: the one on turn, else the next of them in turn order. */
static void several_have_the_cheeses(void **state)
{
    static const char *const stands[SEATS_MAX][2] = {
        {"a4", "a2"}, {"b4", "b2"}, {"c4", "c2"}, {"d4", "d2"}};

    (void)state;
    for (unsigned who = 1; who < 1U << SEATS_MAX; who++)
        for (uint8_t turn = 0; turn < SEATS_MAX; turn++) {
            struct rq_state s = castle(RQ_CHATEAU, SEATS_MAX);
            uint8_t winner = turn;

            s.turn = turn;
            for (unsigned seat = 0; seat < SEATS_MAX; seat++) {
                put_mouse(&s, seat, at(stands[seat][0]));
                put_mouse(&s, seat, at(stands[seat][1]));
                *face_at(&s, at(stands[seat][0])) = (uint8_t)(seat + 1);
                /* What is pushed onto the square by W2 now lies one square before it. */
                s.face[seat ? s.tile[rq_place[at(stands[seat][1]) - 1]] : RQ_SPARE] =
                    (uint8_t)(seat + 1);
                s.cheeses[seat] = (uint8_t)(who >> seat & 1 ? 0x70 : 0x30);
            }
            while (!(who >> winner & 1))
                winner = (uint8_t)((winner + 1) % SEATS_MAX);
            play(&s, RQ_SHIFT, 0, W2);
            assert_int_equal(s.outcome.reason, REASON_CHEESES);
            assert_int_equal(s.outcome.winner, winner);
        }
}

/* CR-13: out with the third mouse; the fourth is taken off; the others play on. */
static void the_third_mouse(void **state)
{
    (void)state;
    for (uint8_t turn = 0; turn < 3; turn++)
        for (uint8_t cellar = 0; cellar < 3; cellar++) {
            struct rq_state s = before_shift(RQ_CHATEAU, 3);

            s.turn = turn;
            for (unsigned seat = 0; seat < 3; seat++)
                put_mouse(&s, seat, (unsigned[]){0, 6, 42}[seat]);
            put_mouse(&s, 1, at("e2"));
            drown(&s, 1, cellar < 2 ? cellar : 2);
            struct effects effects = play(&s, RQ_SHIFT, 0, E2);
            bool out = cellar == 2;
            assert_int_equal(effects_of(&effects, RQ_FELL, 1), 1);
            assert_int_equal(effects_of(&effects, RQ_OUT, 1), out);
            assert_int_equal(s.out, out ? 2 : 0);
            assert_int_equal(s.reserve[1], out ? 1 : 2 - cellar);
            assert_true(s.mice[1] == (out ? 0 : rq_bit(6)));
            /* Whoever goes out on his own turn ends it. */
            assert_int_equal(s.turn, out && turn == 1 ? 2 : turn);
            assert_int_equal(s.outcome.reason, REASON_NONE);
        }
}

static void the_last_left(void **state)
{
    (void)state;
    for (uint8_t turn = 0; turn < 2; turn++)
        for (uint8_t variant = RQ_CHATEAU; variant <= RQ_APPENZELL; variant++) {
            struct rq_state s = before_shift(variant, 2);

            s.turn = turn;
            put_mouse(&s, 0, 0);
            put_mouse(&s, 1, at("e2"));
            drown(&s, 1, 2);
            s.cheeses[1] = 7;
            play(&s, RQ_SHIFT, 0, E2);
            assert_int_equal(s.outcome.reason,
                             variant == RQ_CHATEAU ? REASON_LAST_LEFT : REASON_THIRD_FALL);
            assert_int_equal(s.outcome.ruling, variant == RQ_CHATEAU ? RQ_CR13 : RQ_CB1);
            assert_int_equal(s.outcome.winner, 0);
            assert_int_equal(s.turn, turn);
        }
}

/* CR-13 before CR-12: red's fall leaves yellow alone, and he still takes his fourth cheese. */
static void last_left_before_cheeses(void **state)
{
    struct rq_state s = before_shift(RQ_CHATEAU, 2);

    (void)state;
    put_mouse(&s, 1, at("e2"));
    drown(&s, 1, 2);
    put_mouse(&s, 0, at("a2"));
    put_mouse(&s, 0, at("a4"));
    *face_at(&s, at("b2")) = *face_at(&s, at("a4")) = 7;
    s.cheeses[0] = 7;
    play(&s, RQ_SHIFT, 0, E2);
    assert_int_equal(s.cheeses[0], 7 | 1 << 6);
    assert_int_equal(s.outcome.reason, REASON_LAST_LEFT);
}

/* CR-13: all out by one shift, with each pair of cheese counts; who went out before does not
 * count. CB-1 leaves it so. */
static void all_out(void **state)
{
    (void)state;
    for (uint8_t variant = RQ_CHATEAU; variant <= RQ_APPENZELL; variant++)
        for (unsigned yellow = 0; yellow < 4; yellow++)
            for (unsigned red = 0; red < 4; red++) {
                struct rq_state s = before_shift(variant, 3);
                uint8_t winner = yellow > red ? 0 : red > yellow ? 1 : NO_SEAT;

                *face_at(&s, at("d2")) = RQ_TRAPDOOR;
                put_mouse(&s, 0, at("e2"));
                put_mouse(&s, 1, at("c2"));
                drown(&s, 0, 2);
                drown(&s, 1, 2);
                s.out = 4;
                s.cheeses[2] = 7;
                s.cheeses[0] = (uint8_t)((1U << yellow) - 1);
                s.cheeses[1] = (uint8_t)((1U << red) - 1);
                play(&s, RQ_SHIFT, 0, E2);
                assert_int_equal(s.outcome.reason, REASON_ALL_OUT);
                assert_int_equal(s.outcome.ruling, RQ_CR13);
                assert_int_equal(s.outcome.winner, winner);
                assert_int_equal(rq_ruleset.awaits(&s).what, AWAIT_NOTHING);
            }
}

/* CB-1: of the others, not of him who fell. */
static void third_fall(void **state)
{
    (void)state;
    for (unsigned red = 0; red < 4; red++)
        for (unsigned blue = 0; blue < 4; blue++) {
            struct rq_state s = before_shift(RQ_APPENZELL, 3);

            put_mouse(&s, 0, at("e2"));
            put_mouse(&s, 1, 0);
            put_mouse(&s, 2, 6);
            drown(&s, 0, 2);
            s.cheeses[0] = 7;
            s.cheeses[1] = (uint8_t)((1U << red) - 1);
            s.cheeses[2] = (uint8_t)((1U << blue) - 1);
            play(&s, RQ_SHIFT, 0, E2);
            assert_int_equal(s.outcome.reason, REASON_THIRD_FALL);
            assert_int_equal(s.outcome.ruling, RQ_CB1);
            assert_int_equal(s.outcome.winner, red > blue ? 1 : blue > red ? 2 : NO_SEAT);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cheese_by_step),
        cmocka_unit_test(cheese_by_shift),
        cmocka_unit_test(cheeses_to_win),
        cmocka_unit_test(several_have_the_cheeses),
        cmocka_unit_test(the_third_mouse),
        cmocka_unit_test(the_last_left),
        cmocka_unit_test(last_left_before_cheeses),
        cmocka_unit_test(all_out),
        cmocka_unit_test(third_fall),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
