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
        cmocka_unit_test(counts_all_lines),  cmocka_unit_test(leaves_the_state_alone),
        cmocka_unit_test(answers_chance),    cmocka_unit_test(gives_up_on_deals_that_cannot_be),
        cmocka_unit_test(finds_wrong_lists), cmocka_unit_test(finds_states_that_cannot_be),
    };

    return cmocka_run_group_tests_name("perft", tests, NULL, NULL);
}
