/* perft on nim, whose counts are known: lines(n, d) = sum of lines(n - k, d - 1), k = 1..3. */
#include "rules/perft.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "tests/support/nim.h"

static struct perft_level levels[12];

static uint64_t lines(int heap, int depth)
{
    uint64_t sum = 0;

    if (depth == 0)
        return 1;
    for (int k = 1; k <= 3 && k <= heap; k++)
        sum += lines(heap - k, depth - 1);
    return sum;
}

/* Lines that end at ply `depth` or before. */
static uint64_t ended(int heap, int depth)
{
    uint64_t sum = 0;

    if (heap == 0)
        return 1;
    for (int k = 1; depth && k <= 3 && k <= heap; k++)
        sum += ended(heap - k, depth - 1);
    return sum;
}

static void counts_all_lines(void **unused)
{
    (void)unused;
    for (uint8_t heap = 1; heap <= 7; heap++)
        for (int depth = 0; depth <= 9; depth++) {
            const struct nim state = nim_at(heap);
            struct perft_counts counts = perft(&nim_ruleset, &state, (size_t)depth, levels);

            assert_int_equal(counts.lines, lines(heap, depth));
            assert_int_equal(counts.ended, ended(heap, depth));
            assert_int_equal(counts.wrong, 0);
        }
}

static void leaves_the_state_alone(void **unused)
{
    const struct nim state = nim_at(6), same = nim_at(6);

    (void)unused;
    perft(&nim_ruleset, &state, 4, levels);
    assert_memory_equal(&state, &same, sizeof state);
}

static void answers_chance(void **unused)
{
    struct nim state, again;

    (void)unused;
    for (uint32_t salt = 0; salt < 100; salt++) {
        nim_begin(&state, NULL);
        nim_begin(&again, NULL);
        assert_true(perft_chance(&nim_ruleset, &state, salt));
        assert_true(perft_chance(&nim_ruleset, &again, salt));
        assert_memory_equal(&state, &again, sizeof state);
        assert_true(state.dealt && state.begun);
    }
    nim_begin(&state, NULL);
    assert_int_equal(perft(&nim_ruleset, &state, 3, levels).wrong, 0);
}

static ruling_t never_deals(const void *state, const struct event *event)
{
    return event->kind == EVENT_DEAL ? NIM_BAD_DEAL : nim_judge(state, event);
}

static void gives_up_on_deals_that_cannot_be(void **unused)
{
    struct ruleset stubborn = nim_ruleset;
    struct nim state;

    (void)unused;
    stubborn.judge = never_deals;
    nim_begin(&state, NULL);
    assert_false(perft_chance(&stubborn, &state, 1));
    assert_int_equal(perft(&stubborn, &state, 2, levels).wrong, 1);
}

static uint8_t lots_among; /* a set of seats */

static struct awaiting strange_lot(const void *state)
{
    struct awaiting awaiting = nim_awaits(state);

    if (awaiting.what == AWAIT_LOT)
        awaiting.seats = lots_among;
    return awaiting;
}

static void gives_up_on_lots_that_cannot_be(void **unused)
{
    struct ruleset planted = nim_ruleset;
    struct nim state;

    (void)unused;
    planted.awaits = strange_lot;
    for (unsigned among = 0; among < 256; among++) {
        lots_among = (uint8_t)among;
        nim_begin(&state, NULL);
        assert_int_equal(perft_chance(&planted, &state, among), among % 16 != 0);
        if (among % 16)
            assert_true(among >> state.turn & 1);
    }
}

static size_t lists_too_many(const void *state, uint8_t seat, struct event *out, size_t max)
{
    size_t count = nim_legal(state, seat, out, max);

    out[count] = (struct event){.kind = EVENT_MOVE, .seat = seat, .size = 1, .data = {9}};
    return count + 1;
}

static size_t lists_twice(const void *state, uint8_t seat, struct event *out, size_t max)
{
    size_t count = nim_legal(state, seat, out, max);

    return count + nim_legal(state, seat, out + count, max - count);
}

/* Everything that can be told apart is another move. */
static size_t lists_alike(const void *state, uint8_t seat, struct event *out, size_t max)
{
    const struct event one = {.kind = EVENT_MOVE, .seat = seat, .size = 2, .data = {1, 1}};

    (void)state, (void)max;
    for (size_t i = 0; i < 5; i++)
        out[i] = one;
    out[1].kind = EVENT_SETUP;
    out[2].seat = !seat;
    out[3].size = 1;
    out[4].data[1] = 2;
    return 5;
}

static size_t lists_to_the_brim(const void *state, uint8_t seat, struct event *out, size_t max)
{
    struct event one = {.kind = EVENT_MOVE, .seat = seat, .size = 3};

    (void)state;
    for (size_t i = 0; i < max; i++) {
        one.data[0] = (uint8_t)(1 + i % 3);
        one.data[1] = (uint8_t)(i % 256);
        one.data[2] = (uint8_t)(i / 256);
        out[i] = one;
    }
    return max;
}

static uint8_t to_act, asked; /* sets of seats */

static struct awaiting some_act(const void *state)
{
    (void)state;
    return (struct awaiting){.what = AWAIT_MOVE, .seats = to_act};
}

static size_t lists_one(const void *state, uint8_t seat, struct event *out, size_t max)
{
    (void)state;
    assert_false(asked >> seat & 1);
    asked = (uint8_t)(asked | 1 << seat);
    if (max)
        out[0] = (struct event){.kind = EVENT_MOVE, .seat = seat, .size = 1, .data = {1}};
    return max ? 1 : 0;
}

/* Each seat that is to act is asked once, and what they list keeps to the room for all. */
static void all_that_are_to_act(void **unused)
{
    struct ruleset planted = nim_ruleset;
    const struct nim state = nim_at(5);
    struct event list[SEATS_MAX];

    (void)unused;
    planted.awaits = some_act;
    planted.legal = lists_one;
    for (to_act = 0; to_act < 2 << SEATS_MAX; to_act++) /* there is no fifth seat */
        for (size_t max = 0; max <= SEATS_MAX; max++) {
            size_t seats = 0;

            for (unsigned left = to_act % 16; left; left &= left - 1)
                seats++;
            asked = 0;
            memset(list, 0xff, sizeof list);
            size_t count = perft_moves(&planted, &state, list, max);
            assert_int_equal(asked, to_act % 16);
            assert_int_equal(count, seats < max ? seats : max);
            for (size_t i = 0; i < SEATS_MAX; i++)
                assert_int_equal(list[i].kind, i < count ? EVENT_MOVE : 0xff);
        }
}

static size_t lists_none(const void *state, uint8_t seat, struct event *out, size_t max)
{
    (void)state, (void)seat, (void)out, (void)max;
    return 0;
}

/* What perft is for: a list that judge() does not share is found. */
static void finds_wrong_lists(void **unused)
{
    struct ruleset planted = nim_ruleset;
    const struct nim state = nim_at(5);

    (void)unused;
    planted.legal = lists_too_many;
    assert_int_equal(perft(&planted, &state, 0, levels).wrong, 1);
    assert_int_equal(perft(&planted, &state, 1, levels).wrong, 4);
    assert_int_equal(perft(&planted, &state, 1, levels).lines, 3);
    planted.legal = lists_twice;
    assert_int_equal(perft(&planted, &state, 0, levels).wrong, 3);
    planted.legal = lists_alike; /* two of the five are not allowed, and none is there twice */
    assert_int_equal(perft(&planted, &state, 0, levels).wrong, 2);
    planted.legal = lists_to_the_brim; /* cut off, as it seems */
    assert_int_equal(perft(&planted, &state, 0, levels).wrong, 1);
    planted.legal = lists_none;
    assert_int_equal(perft(&planted, &state, 1, levels).wrong, 1);
}

static void finds_states_that_cannot_be(void **unused)
{
    const struct nim state = nim_at(8);

    (void)unused;
    assert_int_equal(perft(&nim_ruleset, &state, 1, levels).wrong, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_all_lines),
        cmocka_unit_test(leaves_the_state_alone),
        cmocka_unit_test(answers_chance),
        cmocka_unit_test(gives_up_on_deals_that_cannot_be),
        cmocka_unit_test(gives_up_on_lots_that_cannot_be),
        cmocka_unit_test(all_that_are_to_act),
        cmocka_unit_test(finds_wrong_lists),
        cmocka_unit_test(finds_states_that_cannot_be),
    };

    return cmocka_run_group_tests_name("perft", tests, NULL, NULL);
}
