#include "tests/unit/rules/test_roquefort.h"

/* CR-8: each slot moves its line and nothing else; numbers tell where every tile went. */
static void all_slots(void **state)
{
    (void)state;
    for (uint8_t slot = 0; slot < RQ_SLOTS; slot++) {
        struct rq_state s = castle(RQ_CHATEAU, 2), before = s;

        put_mouse(&s, 0, 0);
        s.face[s.tile[rq_place[rq_line(slot, 6)]]] = 5;
        struct effects effects = play(&s, RQ_SHIFT, 0, slot);
        uint64_t line = 0;
        for (uint8_t i = 0; i < RQ_SIDE; i++) {
            line |= rq_bit(rq_line(slot, i));
            assert_int_equal(s.tile[rq_place[rq_line(slot, i)]],
                             i ? before.tile[rq_place[rq_line(slot, (uint8_t)(i - 1))]]
                               : before.tile[RQ_SPARE]);
        }
        for (unsigned i = 0; i < RQ_SQUARES; i++)
            if (rq_place[i] != RQ_NO_SQUARE && !(line & rq_bit(i)))
                assert_int_equal(s.tile[rq_place[i]], before.tile[rq_place[i]]);
        assert_int_equal(s.tile[RQ_SPARE], before.tile[rq_place[rq_line(slot, 6)]]);
        assert_int_equal(effects.list[0].data[0], slot);
        assert_int_equal(effects.list[0].data[1], before.tile[RQ_SPARE]);
        assert_int_equal(effects.list[0].data[2], s.tile[RQ_SPARE]);
        assert_int_equal(effects.list[0].data[4], s.face[s.tile[RQ_SPARE]]);
        assert_int_equal(verdict(&s, RQ_SHIFT, 0, slot), RQ_ALREADY_SHIFTED);
        assert_true(s.shifted && s.actions_left == 3);
    }
}

/* CR-9: a mouse of either seat on every square, a trapdoor on every tile, every slot: it falls
 * if and only if the trapdoor comes to lie under it. */
static void all_falls(void **state)
{
    (void)state;
    for (uint8_t slot = 0; slot < RQ_SLOTS; slot++)
        for (uint8_t tile = 0; tile < RQ_TILES; tile++)
            for (uint8_t mouse = 0; mouse < RQ_SQUARES; mouse++) {
                struct rq_state s = castle(RQ_CHATEAU, 2);
                uint8_t seat = mouse % 2;

                if (rq_place[mouse] == tile)
                    continue;
                put_mouse(&s, 0, 0);
                if (mouse)
                    put_mouse(&s, seat, mouse);
                s.face[tile] = RQ_TRAPDOOR;
                play(&s, RQ_SHIFT, 0, slot);
                bool falls = rq_place[mouse] != RQ_NO_SQUARE && s.tile[rq_place[mouse]] == tile;
                assert_int_equal(s.cellar[seat], falls);
                if (mouse)
                    assert_int_equal(s.mice[seat] >> mouse & 1, !falls);
            }
}

/* A roof anywhere does not hold a mouse: there is none under it. What comes into sight is told.
 */
static void newly_seen(void **state)
{
    (void)state;
    for (unsigned open = 0; open < 1U << RQ_SIDE; open++) {
        struct rq_state s = castle(RQ_CHATEAU, 2);

        put_mouse(&s, 0, 0);
        for (uint8_t i = 0; i < RQ_SIDE; i++)
            if (!(open >> i & 1))
                s.open &= ~rq_bit(rq_line(6, i));
        struct effects effects = play(&s, RQ_SHIFT, 0, 6);
        for (unsigned i = 0; i <= RQ_SIDE; i++) {
            bool before = i == 0 || (open >> (i - 1) & 1);
            bool after = i == RQ_SIDE || (open >> i & 1);

            assert_int_equal(effects.list[0].data[3] >> i & 1, after && !before);
            if (i < RQ_SIDE)
                assert_int_equal(s.lit[i], after && !before
                                               ? s.tile[rq_place[rq_line(6, (uint8_t)i)]]
                                               : RQ_NO_SQUARE);
        }
    }
}

static void unknown_faces(void **state)
{
    (void)state;
    for (uint8_t slot = 0; slot < RQ_SLOTS; slot++)
        for (uint8_t i = 0; i < RQ_SIDE; i++) {
            struct rq_state s = castle(RQ_CHATEAU, 2);

            put_mouse(&s, 0, 0);
            put_mouse(&s, 1, rq_line(slot, i));
            s.face[i ? s.tile[rq_place[rq_line(slot, (uint8_t)(i - 1))]] : RQ_SPARE] =
                RQ_UNKNOWN;
            assert_int_equal(verdict(&s, RQ_SHIFT, 0, slot), RQ_UNKNOWN_SHIFT);
            s.mice[1] = 0;
            assert_int_equal(verdict(&s, RQ_SHIFT, 0, slot), ALLOWED);
        }
}

static void no_such_slot(void **state)
{
    struct rq_state s = castle(RQ_CHATEAU, 2);

    (void)state;
    put_mouse(&s, 0, 0);
    for (unsigned slot = RQ_SLOTS; slot < 256; slot++)
        assert_int_equal(verdict(&s, RQ_SHIFT, 0, (uint8_t)slot), RQ_NO_SUCH_SLOT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_slots),    cmocka_unit_test(all_falls),
        cmocka_unit_test(newly_seen),   cmocka_unit_test(unknown_faces),
        cmocka_unit_test(no_such_slot),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
