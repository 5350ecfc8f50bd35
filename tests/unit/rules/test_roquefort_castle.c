#include "tests/unit/rules/test_roquefort.h"

#include "rules/roquefort/internal.h"

#include <stdlib.h>

static unsigned count(uint64_t set)
{
    unsigned n = 0;

    for (; set; set &= set - 1)
        n++;
    return n;
}

static void places_follow_the_squares(void **state)
{
    unsigned next = 0;

    (void)state;
    for (unsigned i = 0; i < RQ_SQUARES; i++) {
        bool floor = (i % RQ_SIDE) % 2 == 1 || (i / RQ_SIDE) % 2 == 1;

        assert_int_equal(rq_place[i], floor ? next : RQ_NO_SQUARE);
        assert_int_equal(RQ_FLOORED >> i & 1, floor);
        next += floor;
    }
    assert_int_equal(next, RQ_FLOORS);
}

/* The layouts as the documents draw them, row 7 first. */
static const char *const drawn[2] = {
    "*AAABB*CDEEFFGCDHHFFGIDHHJKGILLLJKMINNOPPM*QQORR*",
    "*AABBB*CDDEEEFCDDGGHFCIJGGHFKIJLLMNKOOPPMN*QQQRR*",
};

static void layouts_are_as_drawn(void **state)
{
    (void)state;
    for (unsigned layout = 0; layout < 2; layout++) {
        assert_int_equal(rq_check_plate(rq_layouts[layout]), ALLOWED);
        for (unsigned i = 0; i < RQ_SQUARES; i++) {
            char letter = drawn[layout][(6 - i / RQ_SIDE) * RQ_SIDE + i % RQ_SIDE];

            assert_int_equal(rq_layouts[layout][i],
                             letter == '*' ? RQ_NO_SQUARE : letter - 'A');
        }
    }
}

static void layouts_have_the_known_rooms(void **state)
{
    (void)state;
    for (unsigned layout = 0; layout < 2; layout++) {
        unsigned of_size[RQ_SQUARES] = {0}, all = 0;

        for (uint8_t i = 0; i < RQ_SQUARES; i++) {
            uint64_t room = rq_room_squares(rq_layouts[layout], i);

            if (room && !(room & (rq_bit(i) - 1)))
                of_size[count(room)]++, all++;
        }
        assert_int_equal(all, 18);
        assert_int_equal(of_size[2], 11);
        assert_int_equal(of_size[3], 5);
        assert_int_equal(of_size[4], 2);
    }
}

static void three_roofs_touch_every_tower(void **state)
{
    static const uint8_t touching[4][3] = {{1, 7, 8}, {5, 12, 13}, {35, 36, 43}, {40, 41, 47}};

    (void)state;
    for (unsigned layout = 0; layout < 2; layout++)
        for (unsigned i = 0; i < 4; i++) {
            const uint8_t *room = rq_layouts[layout], *t = touching[i];

            assert_true(room[t[0]] != room[t[1]] && room[t[1]] != room[t[2]] &&
                        room[t[0]] != room[t[2]]);
        }
}

/* Every line: seven floor squares in a row, from the edge that its name says. */
static void lines_run_across(void **state)
{
    static const char *const starts[RQ_SLOTS] = {"b7", "d7", "f7", "b1", "d1", "f1",
                                                 "a2", "a4", "a6", "g2", "g4", "g6"};
    static const char *const ends[RQ_SLOTS] = {"b1", "d1", "f1", "b7", "d7", "f7",
                                               "g2", "g4", "g6", "a2", "a4", "a6"};

    (void)state;
    for (uint8_t slot = 0; slot < RQ_SLOTS; slot++) {
        assert_int_equal(rq_line(slot, 0), at(starts[slot]));
        assert_int_equal(rq_line(slot, 6), at(ends[slot]));
        for (uint8_t i = 0; i < RQ_SIDE; i++)
            assert_int_not_equal(rq_place[rq_line(slot, i)], RQ_NO_SQUARE);
        for (uint8_t i = 1; i < RQ_SIDE; i++)
            assert_int_equal(abs(rq_line(slot, i) - rq_line(slot, (uint8_t)(i - 1))),
                             slot < 6 ? RQ_SIDE : 1);
    }
}

static void no_room_off_the_castle(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 256; i++)
        if (i >= RQ_SQUARES || is_tower(i))
            assert_true(rq_room_squares(rq_layouts[0], (uint8_t)i) == 0);
}

static void plates_that_cannot_be(void **state)
{
    uint8_t plate[RQ_SQUARES];

    (void)state;
    /* Every square once made a part of every room: allowed only if that room still hangs
     * together, which a square far from it never does. */
    memcpy(plate, rq_layouts[0], sizeof plate);
    plate[at("b1")] = plate[at("f7")];
    assert_int_equal(rq_check_plate(plate), RQ_BAD_PLATE);
    memcpy(plate, rq_layouts[0], sizeof plate);
    plate[at("a1")] = 0;
    assert_int_equal(rq_check_plate(plate), RQ_BAD_PLATE);
    memcpy(plate, rq_layouts[0], sizeof plate);
    plate[at("b1")] = RQ_NO_SQUARE;
    assert_int_equal(rq_check_plate(plate), RQ_BAD_PLATE);
    plate[at("b1")] = RQ_ROOMS_MAX;
    assert_int_equal(rq_check_plate(plate), RQ_BAD_PLATE);
    /* g4 and a5 follow each other by number, not on the board. */
    memcpy(plate, rq_layouts[0], sizeof plate);
    plate[at("g4")] = plate[at("a5")] = 30;
    assert_int_equal(rq_check_plate(plate), RQ_BAD_PLATE);
    for (unsigned i = 0; i < RQ_SQUARES; i++)
        plate[i] = is_tower(i) ? RQ_NO_SQUARE : 0;
    assert_int_equal(rq_check_plate(plate), ALLOWED);
}

/* CR-4: a mouse on each square, each room of each layout: touching is judged square by square.
 */
static void rooms_that_touch(void **state)
{
    (void)state;
    for (unsigned layout = 0; layout < 2; layout++)
        for (uint8_t mouse = 0; mouse < RQ_SQUARES; mouse++)
            for (uint8_t to = 0; to < RQ_SQUARES; to++) {
                struct rq_state s = castle(RQ_CHATEAU, 2);
                uint64_t room = rq_room_squares(rq_layouts[layout], to);
                bool touches = false;

                memcpy(s.room, rq_layouts[layout], sizeof s.room);
                s.open = rq_room_squares(s.room, mouse);
                put_mouse(&s, 0, mouse);
                for (int i = 0; i < RQ_SQUARES; i++)
                    touches |= room & rq_bit((unsigned)i) &&
                               abs(i % RQ_SIDE - mouse % RQ_SIDE) <= 1 &&
                               abs(i / RQ_SIDE - mouse / RQ_SIDE) <= 1;
                assert_int_equal(verdict(&s, RQ_UNCOVER, 0, to), !room      ? RQ_NO_SUCH_ROOM
                                                                 : !touches ? RQ_NOT_ADJACENT
                                                                 : room & s.open
                                                                     ? RQ_ALREADY_UNCOVERED
                                                                     : ALLOWED);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_follow_the_squares),
        cmocka_unit_test(layouts_are_as_drawn),
        cmocka_unit_test(layouts_have_the_known_rooms),
        cmocka_unit_test(three_roofs_touch_every_tower),
        cmocka_unit_test(lines_run_across),
        cmocka_unit_test(no_room_off_the_castle),
        cmocka_unit_test(plates_that_cannot_be),
        cmocka_unit_test(rooms_that_touch),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
