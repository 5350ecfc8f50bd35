#include "tests/unit/rules/test_roquefort.h"

#include <stdlib.h>

static int across(int from, int to)
{
    return abs(to % RQ_SIDE - from % RQ_SIDE);
}

static int along(int from, int to)
{
    return abs(to / RQ_SIDE - from / RQ_SIDE);
}

/* Mice on all the squares strictly between two squares of one line. */
static struct rq_state lined_up(uint8_t variant, int from, int to)
{
    struct rq_state s = castle(variant, 2);
    int length = across(from, to) + along(from, to);

    put_mouse(&s, 0, (unsigned)from);
    for (int i = 1; i < length; i++)
        s.mice[1] |= rq_bit((unsigned)(from + (to - from) / length * i));
    return s;
}

/* CR-5: from every square to every square, nothing in the way. */
static void all_steps(void **state)
{
    (void)state;
    for (uint8_t from = 0; from < RQ_SQUARES; from++)
        for (uint8_t to = 0; to < RQ_SQUARES; to++) {
            struct rq_state s = castle(RQ_CHATEAU, 2);
            ruling_t want = from == to                               ? RQ_OCCUPIED
                            : across(from, to) && along(from, to)    ? RQ_DIAGONAL
                            : across(from, to) + along(from, to) > 1 ? RQ_TOO_FAR
                            : is_tower(to)                           ? RQ_TOWER
                                                                     : ALLOWED;

            put_mouse(&s, 0, from);
            assert_int_equal(verdict(&s, RQ_STEP, from, to), want);
        }
}

/* CR-6, CB-2: from every square to every square, over a full line and over a gap. */
static void all_jumps(void **state)
{
    (void)state;
    for (uint8_t variant = RQ_CHATEAU; variant <= RQ_APPENZELL; variant++)
        for (uint8_t from = 0; from < RQ_SQUARES; from++)
            for (uint8_t to = 0; to < RQ_SQUARES; to++) {
                bool straight = !across(from, to) || !along(from, to);
                int length = across(from, to) + along(from, to);
                struct rq_state s = lined_up(variant, from, straight ? to : from);
                bool dear = variant == RQ_APPENZELL && straight && length > RQ_ACTIONS;
                ruling_t want = dear                                  ? RQ_TOO_MANY_ACTIONS
                                : from == to                          ? RQ_OCCUPIED
                                : !straight                           ? RQ_DIAGONAL
                                : length == 1                         ? RQ_NOTHING_TO_JUMP
                                : length > 2 && variant == RQ_CHATEAU ? RQ_TOO_FAR
                                : is_tower(to)                        ? RQ_TOWER
                                                                      : ALLOWED;

                assert_int_equal(verdict(&s, RQ_JUMP, from, to), want);
                for (int i = 0; want == ALLOWED && i < RQ_SQUARES; i++) {
                    struct rq_state gap = s;

                    gap.mice[1] &= ~rq_bit((unsigned)i);
                    if (gap.mice[1] != s.mice[1])
                        assert_int_equal(verdict(&gap, RQ_JUMP, from, to), RQ_NOTHING_TO_JUMP);
                }
            }
}

/* What each number of actions left still pays for. */
static void costs(void **state)
{
    (void)state;
    for (uint8_t left = 0; left <= RQ_ACTIONS; left++) {
        struct rq_state s = lined_up(RQ_APPENZELL, at("a2"), at("a6"));

        s.actions_left = left;
        assert_int_equal(verdict(&s, RQ_JUMP, at("a2"), at("a6")),
                         left < 4 ? RQ_TOO_MANY_ACTIONS : ALLOWED);
        assert_int_equal(verdict(&s, RQ_STEP, at("a2"), at("b2")),
                         left < 1 ? RQ_TOO_MANY_ACTIONS : ALLOWED);
        assert_int_equal(verdict(&s, RQ_SHIFT, 0, 0), left < 1 ? RQ_TOO_MANY_ACTIONS : ALLOWED);
        assert_int_equal(verdict(&s, RQ_ENTER, 0, 0), left < 1 ? RQ_TOO_MANY_ACTIONS : ALLOWED);
        assert_int_equal(verdict(&s, RQ_END_TURN, 0, 0), ALLOWED);
        s = lined_up(RQ_APPENZELL, at("a2"), at("a5"));
        s.actions_left = left;
        assert_int_equal(verdict(&s, RQ_JUMP, at("a2"), at("a5")),
                         left < 3 ? RQ_TOO_MANY_ACTIONS : ALLOWED);
        s = lined_up(RQ_CHATEAU, at("a2"), at("a4"));
        s.actions_left = left;
        assert_int_equal(verdict(&s, RQ_JUMP, at("a2"), at("a4")),
                         left < 2 ? RQ_TOO_MANY_ACTIONS : ALLOWED);
    }
}

/* CR-5: what lies on the landing square, open or covered, by step and by jump. */
static void landings(void **state)
{
    static const struct {
        uint8_t face;
        ruling_t open;
    } rows[] = {{RQ_BLANK, ALLOWED},
                {1, ALLOWED},
                {7, ALLOWED},
                {RQ_TRAPDOOR, RQ_TRAPDOOR_THERE},
                {RQ_UNKNOWN, RQ_UNKNOWN_FACE}};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int jump = 0; jump < 2; jump++) {
            uint8_t from = at("a2"), to = at(jump ? "c2" : "b2");
            uint8_t verb = jump ? RQ_JUMP : RQ_STEP;
            struct rq_state s = lined_up(RQ_CHATEAU, from, to);

            *face_at(&s, to) = rows[i].face;
            assert_int_equal(verdict(&s, verb, from, to), rows[i].open);
            s.open &= ~rq_bit(to);
            assert_int_equal(verdict(&s, verb, from, to), RQ_UNDER_ROOF);
            s.open |= rq_bit(to);
            s.mice[1] |= rq_bit(to);
            assert_int_equal(verdict(&s, verb, from, to), RQ_OCCUPIED);
        }
}

/* CR-7, CR-2, CR-14: every square as a tower; in the set-up nothing but entering. */
static void entering(void **state)
{
    struct rq_state s = castle(RQ_CHATEAU, 2);

    (void)state;
    for (unsigned setup = 0; setup < 2; setup++) {
        for (unsigned to = 0; to < 256; to++)
            assert_int_equal(verdict(&s, RQ_ENTER, 0, (uint8_t)to),
                             setup && to == 6 ? RQ_TOWER_TAKEN
                             : is_tower(to)   ? ALLOWED
                                              : RQ_NO_SUCH_TOWER);
        put_mouse(&s, 0, 6);
    }
    s.reserve[0] = 0;
    assert_int_equal(verdict(&s, RQ_ENTER, 0, 0), RQ_NO_RESERVE);
    s.reserve[0] = RQ_MICE;
    for (uint8_t verb = RQ_UNCOVER; verb < RQ_VERBS; verb++)
        assert_int_equal(verdict(&s, verb, 0, 0), RQ_MUST_ENTER);
}

static void foreign_events(void **state)
{
    struct rq_state s = castle(RQ_CHATEAU, 3);

    (void)state;
    put_mouse(&s, 0, 0);
    struct event event = move_of(&s, RQ_END_TURN, 0, 0);
    event.seat = 1;
    assert_int_equal(rq_ruleset.judge(&s, &event), REFUSE_NOT_YOUR_TURN);
    event = move_of(&s, RQ_VERBS, 0, 0);
    assert_int_equal(rq_ruleset.judge(&s, &event), RQ_NO_SUCH_MOVE);
    event.size = 2;
    assert_int_equal(rq_ruleset.judge(&s, &event), RQ_NO_SUCH_MOVE);
    for (uint8_t kind = EVENT_LOT; kind <= EVENT_SETUP; kind++) {
        event.kind = kind;
        assert_int_equal(rq_ruleset.judge(&s, &event), REFUSE_WRONG_TIME);
    }
    for (unsigned seat = 0; seat < 256; seat++) {
        event = (struct event){.kind = EVENT_RESIGN, .seat = (uint8_t)seat};
        assert_int_equal(match_judge(&rq_ruleset, &s, &event),
                         seat < 3 ? ALLOWED : REFUSE_WRONG_TIME);
    }
    s.outcome.reason = REASON_CHEESES;
    assert_int_equal(rq_ruleset.judge(&s, &event), REFUSE_GAME_OVER);
    assert_int_equal(rq_ruleset.awaits(&s).what, AWAIT_NOTHING);
}

/* CR-5, CR-6: however near a number lies to the board's, there is no such square. */
static void off_the_board(void **state)
{
    (void)state;
    for (uint8_t variant = RQ_CHATEAU; variant <= RQ_APPENZELL; variant++)
        for (uint8_t from = 0; from < RQ_SQUARES; from++)
            for (unsigned to = RQ_SQUARES; to < 256; to++) {
                struct rq_state s = castle(variant, 2);

                put_mouse(&s, 0, from);
                assert_int_equal(verdict(&s, RQ_STEP, from, (uint8_t)to), RQ_TOO_FAR);
                assert_int_equal(verdict(&s, RQ_JUMP, from, (uint8_t)to), RQ_TOO_FAR);
                assert_int_equal(verdict(&s, RQ_STEP, (uint8_t)to, from), RQ_NO_MOUSE);
                assert_int_equal(verdict(&s, RQ_JUMP, (uint8_t)to, from), RQ_NO_MOUSE);
            }
}

/* Any bytes at all are judged. */
static void any_bytes(void **state)
{
    struct rq_state s = castle(RQ_APPENZELL, 4);

    (void)state;
    put_mouse(&s, 0, at("d4"));
    for (unsigned verb = 0; verb < 256; verb++)
        for (unsigned from = 0; from < 256; from++)
            for (unsigned to = 0; to < 256; to++) {
                ruling_t ruling = verdict(&s, (uint8_t)verb, (uint8_t)from, (uint8_t)to);

                if (ruling >= RQ_REFUSALS || (verb >= RQ_VERBS && ruling != RQ_NO_SUCH_MOVE))
                    fail_msg("%u %u %u: %u", verb, from, to, ruling);
            }
}

static bool is_listed(const struct rq_state *s, uint8_t verb, uint8_t from, uint8_t to)
{
    static struct event list[RQ_LEGAL_MAX];
    const struct rq_move wanted = {verb, from, to};
    size_t count = rq_ruleset.legal(s, s->turn, list, RQ_LEGAL_MAX);

    for (size_t i = 0; i < count; i++)
        if (!memcmp(list[i].data, &wanted, sizeof wanted))
            return true;
    return false;
}

/* A posted castle of which not all is told: nobody goes where he does not know what lies there,
 * and nothing unknown is pushed under a mouse. */
static void faces_not_told(void **state)
{
    enum { E2 = 9 }; /* pushes from the east along the second row */
    struct rq_state s = castle(RQ_CHATEAU, 2);

    (void)state;
    put_mouse(&s, 0, at("d3"));
    put_mouse(&s, 1, at("e2"));
    assert_int_equal(verdict(&s, RQ_STEP, at("d3"), at("d4")), ALLOWED);
    assert_true(is_listed(&s, RQ_STEP, at("d3"), at("d4")));
    assert_true(is_listed(&s, RQ_SHIFT, 0, E2));
    *face_at(&s, at("d4")) = RQ_UNKNOWN;
    assert_int_equal(verdict(&s, RQ_STEP, at("d3"), at("d4")), RQ_UNKNOWN_FACE);
    assert_false(is_listed(&s, RQ_STEP, at("d3"), at("d4")));
    assert_true(is_listed(&s, RQ_STEP, at("d3"), at("c3")));
    assert_true(is_listed(&s, RQ_SHIFT, 0, E2));
    *face_at(&s, at("f2")) = RQ_UNKNOWN;
    assert_int_equal(verdict(&s, RQ_SHIFT, 0, E2), RQ_UNKNOWN_SHIFT);
    assert_false(is_listed(&s, RQ_SHIFT, 0, E2));
}

/* Whoever is not on turn has no moves, nor has anybody before the deal and after the end. */
static void no_moves(void **state)
{
    struct rq_state s = castle(RQ_CHATEAU, 2), other;
    struct event event;

    (void)state;
    put_mouse(&s, 0, at("d3"));
    assert_int_equal(rq_ruleset.legal(&s, 0, &event, 1), 1);
    assert_int_equal(rq_ruleset.legal(&s, 0, &event, 0), 0);
    for (unsigned seat = 1; seat < 256; seat++)
        assert_int_equal(rq_ruleset.legal(&s, (uint8_t)seat, &event, 1), 0);
    other = s, other.stage = RQ_DEAL;
    assert_int_equal(rq_ruleset.legal(&other, 0, &event, 1), 0);
    other = s, other.outcome.reason = REASON_AGREED;
    assert_int_equal(rq_ruleset.legal(&other, 0, &event, 1), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_steps),     cmocka_unit_test(all_jumps),
        cmocka_unit_test(costs),         cmocka_unit_test(landings),
        cmocka_unit_test(entering),      cmocka_unit_test(foreign_events),
        cmocka_unit_test(any_bytes),     cmocka_unit_test(faces_not_told),
        cmocka_unit_test(off_the_board), cmocka_unit_test(no_moves),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
