/* What is counted: buckets, sums over threads, refusals by their ruling. */
#include "daemon/tally.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const struct scale scale = {.count = 3, .unit = 0.5, .bound = {1, 10, 100}};

static void a_bound_belongs_to_its_bucket(void **state)
{
    const int64_t values[] = {-5, 0, 1, 2, 10, 11, 100, 101, INT64_MAX / 2};
    const uint64_t wanted[] = {3, 2, 2, 2};
    struct histogram histogram = {0};

    (void)state;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        histogram_add(&histogram, &scale, values[i]);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(counter_read(&histogram.bucket[i]), wanted[i]);
    assert_true(counter_read(&histogram.sum) ==
                225 + INT64_MAX / 2); /* never less than before */
}

static void scales_rise(void **state)
{
    (void)state;
    for (size_t i = 1; i < request_scale.count; i++)
        assert_true(request_scale.bound[i] > request_scale.bound[i - 1]);
    assert_true(request_scale.count <= BUCKETS_MAX);
    for (size_t i = 0; i < ruleset_count; i++)
        assert_true(rulesets[i]->ruling_count <= RULINGS_ROOM);
    const char *method, *pattern;
    assert_false(api_route(0, &method, &pattern));
    assert_true(api_route(1, &method, &pattern));
    assert_string_equal(pattern, "/v1");
    assert_false(api_route(ROUTES_ROOM, &method, &pattern)); /* there is room for all */
}

/* The row of a ruling in its ruleset. */
static size_t row_of(size_t ruleset, const char *id)
{
    size_t row = 1;

    while (strcmp(rulesets[ruleset]->rulings[row].id, id) != 0)
        row++;
    return row;
}

static uint64_t sum_of(struct tallies *tallies, const struct tally *one,
                       const counter_t *counter)
{
    return tallies_sum(tallies, (uintptr_t)counter - (uintptr_t)one);
}

static void threads_are_added_up(void **state)
{
    const struct response good = {.status = 200, .row = 3},
                          refused = {.status = 422,
                                     .row = 3,
                                     .problem = PROBLEM_ILLEGAL_MOVE,
                                     .ruling = "ST-4"},
                          odd = {.status = 299, .problem = PROBLEM_NONE, .ruling = "EG-2"};
    struct tallies tallies;
    struct histogram seconds;

    (void)state;
    tallies_init(&tallies);
    struct tally *a = tally_new(&tallies), *b = tally_new(&tallies);
    assert_true(a && b);
    tally_answer(a, &good, KIND_READ, 40);
    tally_answer(b, &good, KIND_READ, 60);
    tally_answer(b, &refused, KIND_CHANGE, 60);
    tally_answer(a, &odd, KIND_READ, 1);
    assert_int_equal(sum_of(&tallies, a, &a->requests[3][0]), 2);
    assert_int_equal(sum_of(&tallies, a, &a->requests[0][tally_status_count - 1]), 1);
    assert_int_equal(sum_of(&tallies, a, &a->problems[PROBLEM_ILLEGAL_MOVE]), 1);
    size_t ruleset = 0;
    while (strcmp(rulesets[ruleset]->id, "stratego") != 0)
        ruleset++;
    assert_int_equal(sum_of(&tallies, a, &a->refusals[ruleset][row_of(ruleset, "ST-4")]), 1);
    assert_int_equal(sum_of(&tallies, a, &a->refusals[0][row_of(0, "EG-2")]), 0);
    tallies_seconds(&tallies, KIND_READ, &seconds);
    assert_int_equal(counter_read(&seconds.bucket[0]), 2);
    assert_int_equal(counter_read(&seconds.bucket[1]), 1);
    assert_int_equal(counter_read(&seconds.sum), 101);
    tallies_free(&tallies);
}

/* What no row of the table would be told as 0. */
static void each_status_of_a_problem_is_known(void **state)
{
    static const uint16_t statuses[] = {
#define PROBLEM(name, code, status, en, cs) status,
#include "api/problems.def"
#undef PROBLEM
    };

    (void)state;
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++) {
        size_t row = 0;
        while (row < tally_status_count && tally_status[row] != statuses[i])
            row++;
        assert_true(row < tally_status_count);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bound_belongs_to_its_bucket),
        cmocka_unit_test(scales_rise),
        cmocka_unit_test(threads_are_added_up),
        cmocka_unit_test(each_status_of_a_problem_is_known),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
