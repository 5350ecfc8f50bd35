#include "tests/unit/rules/test_roquefort.h"

/* A castle that can be: real tiles, yellow on a1, red on g7, all roofs on. */
static struct rq_state sound(void)
{
    struct rq_state s = castle(RQ_CHATEAU, 2);

    for (uint8_t i = 0; i < RQ_TILES; i++)
        s.face[i] = i < 21 ? (uint8_t)(1 + i / 3) : i < 24 ? RQ_TRAPDOOR : RQ_BLANK;
    s.open = 0;
    put_mouse(&s, 0, 0);
    put_mouse(&s, 1, 48);
    return s;
}

static void open_room(struct rq_state *s, uint8_t square)
{
    s->open |= rq_room_squares(s->room, square);
}

static void sound_states(void **state)
{
    struct rq_state s = sound();

    (void)state;
    assert_int_equal(rq_ruleset.check(&s), ALLOWED);
    for (uint8_t i = 0; i < RQ_TILES; i++)
        s.face[i] = RQ_UNKNOWN;
    assert_int_equal(rq_ruleset.check(&s), ALLOWED);
    for (s.to_win = 1; s.to_win <= RQ_KINDS; s.to_win++)
        assert_int_equal(rq_ruleset.check(&s), ALLOWED);
}

/* A mouse on every square of a castle with and without its roofs. */
static void where_a_mouse_can_be(void **state)
{
    (void)state;
    for (unsigned covered = 0; covered < 2; covered++)
        for (uint8_t i = 0; i < RQ_SQUARES; i++) {
            struct rq_state s = sound();
            ruling_t want = ALLOWED;

            if (i == 48)
                continue;
            if (!covered)
                open_room(&s, i);
            s.mice[0] = rq_bit(i);
            if (covered && !is_tower(i))
                want = RQ_BAD_COVERED;
            else if (rq_place[i] != RQ_NO_SQUARE && *face_at(&s, i) == RQ_TRAPDOOR)
                want = RQ_BAD_TRAPDOOR;
            assert_int_equal(rq_ruleset.check(&s), want);
            if (rq_place[i] == RQ_NO_SQUARE || covered)
                continue;
            *face_at(&s, i) = RQ_UNKNOWN;
            assert_int_equal(rq_ruleset.check(&s), RQ_BAD_UNKNOWN);
        }
}

static void every_kind_once_too_often(void **state)
{
    (void)state;
    for (uint8_t face = 0; face < RQ_FACES; face++)
        for (uint8_t tile = 0; tile < RQ_TILES; tile++) {
            struct rq_state s = sound();
            bool same = s.face[tile] == face;

            s.face[tile] = face;
            assert_int_equal(rq_ruleset.check(&s), same ? ALLOWED : RQ_BAD_TILES);
        }
}

#define SPOIL(change, refusal)                                                                 \
    do {                                                                                       \
        struct rq_state s = sound();                                                           \
        change;                                                                                \
        assert_int_equal(rq_ruleset.check(&s), refusal);                                       \
        assert_string_equal(rq_ruleset.name(refusal)->code, "impossible_state");               \
    } while (0)

static void impossible(void **state)
{
    (void)state;
    SPOIL(s.flaw = RQ_BAD_ORDER, RQ_BAD_ORDER);
    SPOIL(s.flaw = 0xff, RQ_BAD_FORM);
    SPOIL(s.flaw = RQ_REFUSALS, RQ_BAD_FORM);
    SPOIL(s.variant = 2, RQ_BAD_FORM);
    SPOIL(s.stage = 3, RQ_BAD_FORM);
    SPOIL(s.players = 1, RQ_BAD_FORM);
    SPOIL((s.players = 1, s.mice[1] = 0), RQ_BAD_FORM);
    SPOIL(s.players = 5, RQ_BAD_FORM);
    SPOIL(s.memory = 2, RQ_BAD_FORM);
    SPOIL(s.custody = CUSTODY_PLAYERS, RQ_BAD_FORM);
    SPOIL(s.custody = CUSTODIES, RQ_BAD_FORM);
    for (uint8_t i = 0; i < RQ_SIDE; i++)
        SPOIL(s.lit[i] = RQ_TILES, RQ_BAD_FORM);
    SPOIL(s.layout = 3, RQ_BAD_FORM);
    SPOIL(s.to_win = 0, RQ_BAD_FORM);
    SPOIL(s.to_win = 8, RQ_BAD_FORM);
    SPOIL(s.shifted = 2, RQ_BAD_FORM);
    SPOIL(s.out = 4, RQ_BAD_FORM);
    SPOIL(s.first = 2, RQ_BAD_FORM);
    SPOIL(s.outcome.reason = REASONS, RQ_BAD_FORM);
    SPOIL(s.outcome.winner = 2, RQ_BAD_FORM);
    SPOIL(s.open = rq_bit(0), RQ_BAD_FORM);
    SPOIL(s.open = rq_bit(49), RQ_BAD_FORM);
    SPOIL(s.mice[0] = rq_bit(49), RQ_BAD_FORM);
    SPOIL(s.mice[2] = rq_bit(6), RQ_BAD_FORM);
    SPOIL(s.cheeses[0] = 0x80, RQ_BAD_FORM);
    SPOIL(s.tile[0] = 1, RQ_BAD_FORM);
    SPOIL(s.tile[0] = RQ_TILES, RQ_BAD_FORM);
    SPOIL(s.face[0] = RQ_FACES, RQ_BAD_FORM);
    SPOIL(s.room[1] = 17, RQ_BAD_PLATE);
    SPOIL(s.open = rq_bit(1), RQ_BAD_ROOF);
    SPOIL(s.actions_left = 5, RQ_BAD_ACTIONS);
    SPOIL((s.out = 1, s.turn = 1), RQ_BAD_OUT);
    SPOIL((s.cellar[0] = 3, s.reserve[0] = 0), RQ_BAD_CELLAR);
    SPOIL(s.reserve[1] = 4, RQ_BAD_COUNT);
    SPOIL(s.cellar[1] = 1, RQ_BAD_COUNT);
    SPOIL(s.mice[1] = 1, RQ_BAD_SHARED);
    SPOIL((s.turn = 0, s.out = 1, s.mice[0] = 0, s.reserve[0] = 4), RQ_BAD_TURN);
    SPOIL(s.turn = 2, RQ_BAD_TURN);
    SPOIL((s.reserve[0] = 4, s.mice[0] = 0, s.reserve[1] = 0,
           s.mice[1] = rq_bit(0) | rq_bit(6) | rq_bit(42) | rq_bit(48)),
          RQ_BAD_TOWERS);
}

/* CR-10: any two floor squares with the same cheese, had or not. */
static void cheese_that_is_due(void **state)
{
    (void)state;
    for (uint8_t a = 0; a < RQ_SQUARES; a++)
        for (uint8_t b = 0; b < a; b++) {
            struct rq_state s = sound();

            if (rq_place[a] == RQ_NO_SQUARE || rq_place[b] == RQ_NO_SQUARE)
                continue;
            open_room(&s, a);
            open_room(&s, b);
            s.mice[1] = rq_bit(a) | rq_bit(b);
            s.reserve[1] = 2;
            uint8_t face = *face_at(&s, a);
            if (face == RQ_TRAPDOOR || *face_at(&s, b) == RQ_TRAPDOOR)
                continue;
            bool pair = face != RQ_BLANK && face == *face_at(&s, b);
            assert_int_equal(rq_ruleset.check(&s), pair ? RQ_BAD_DUE : ALLOWED);
            unsigned cheese = face ? 1U << (face - 1) : 0;
            s.cheeses[1] = (uint8_t)cheese;
            assert_int_equal(rq_ruleset.check(&s), ALLOWED);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sound_states),
        cmocka_unit_test(where_a_mouse_can_be),
        cmocka_unit_test(every_kind_once_too_often),
        cmocka_unit_test(impossible),
        cmocka_unit_test(cheese_that_is_due),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
