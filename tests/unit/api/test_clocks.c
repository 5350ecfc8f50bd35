#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "api/clocks.h"
#include "rules/rulesets.h"

static const int64_t t0 = INT64_C(1798761600);

/* A castle of three in play, with these seconds left; the clocks of `running` run since t0. */
static struct fold *game(const int32_t left_s[3], uint8_t running)
{
    static const uint8_t gid[16] = {1};
    struct fold *fold = fold_new(codec_of(ruleset_find("roquefort")), 3, gid);

    assert_non_null(fold);
    fold->options.players = 3;
    fold->status = STATUS_PLAYING;
    fold->clock = calloc(1, sizeof *fold->clock);
    assert_non_null(fold->clock);
    fold->clock->terms.initial_s = 60;
    memcpy(fold->clock->left_s, left_s, 3 * sizeof *left_s);
    fold->clock->running = running;
    fold->clock->since_s = running ? t0 : 0;
    return fold;
}

static void test_due(void **state)
{
    static const int32_t left_s[3] = {50, 20, 30};
    struct fold *fold = game(left_s, 5);

    (void)state;
    assert_true(clocks_due_s(fold) == t0 + 30);
    fold->clock->running = 7;
    assert_true(clocks_due_s(fold) == t0 + 20);
    fold->clock->running = 1;
    assert_true(clocks_due_s(fold) == t0 + 50);
    fold->clock->running = 0;
    assert_true(clocks_due_s(fold) == 0);
    fold_free(fold);
}

static void test_late(void **state)
{
    static const int32_t left_s[3] = {50, 20, 20};
    struct fold *fold = game(left_s, 3);

    (void)state;
    assert_int_equal(clocks_late(fold, t0 - 5), 0); /* the time of day was set back */
    assert_int_equal(clocks_late(fold, t0 + 19), 0);
    assert_int_equal(clocks_late(fold, t0 + 20), 2);
    assert_int_equal(clocks_late(fold, t0 + 50), 3);
    fold->clock->running = 4;
    assert_int_equal(clocks_late(fold, t0 + 50), 4);
    fold_free(fold);
}

/* In play and in a challenge; seeds, set-ups and audits have a term of their own. */
static void test_run(void **state)
{
    static const int32_t left_s[3] = {50, 20, 20};
    struct fold *fold = game(left_s, 0);

    (void)state;
    for (uint8_t status = 0; status < STATUSES; status++) {
        fold->status = status;
        assert_int_equal(clocks_run(fold),
                         status == STATUS_PLAYING || status == STATUS_CHALLENGE);
    }
    free(fold->clock);
    fold->clock = NULL;
    fold->status = STATUS_PLAYING;
    assert_false(clocks_run(fold));
    assert_true(clocks_due_s(fold) == 0);
    assert_int_equal(clocks_late(fold, t0), 0);
    fold_free(fold);
}

/* Milliseconds for those who look; never below zero, and none of whoever does not run. */
static void test_write(void **state)
{
    static const int32_t left_s[3] = {50, 20, 0};
    struct fold *fold = game(left_s, 3);
    struct out out = {0};

    (void)state;
    clocks_write(&out, NULL, fold, t0 * 1000 + 20001);
    size_t size;
    char *text = out_take(&out, &size);
    assert_string_equal(text,
                        "{\"increment_s\":0,\"initial_s\":60,\"left_ms\":{\"yellow\":29999,"
                        "\"red\":0,\"blue\":0},\"running\":[\"yellow\",\"red\"]}");
    free(text);
    fold_free(fold);
}

static void test_read(void **state)
{
    static const struct {
        const char *text;
        bool good;
    } cases[] = {
        {"{\"per_move_s\":1}", true},
        {"{\"per_move_s\":31622400}", true},
        {"{\"per_move_s\":31622401}", false},
        {"{\"initial_s\":1}", true},
        {"{\"initial_s\":1,\"increment_s\":0}", true},
        {"{\"increment_s\":1}", false},
        {"{\"per_move_s\":1,\"increment_s\":0}", false},
        {"{\"per_move_s\":1,\"initial_s\":1}", false},
        {"{}", false},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct clock_terms terms = {9, 9, 9};
        struct fault fault = {0};
        json_t *object = json_loads(cases[i].text, 0, NULL);
        bool good = clocks_read(object, &terms, &fault);
        if (good != cases[i].good)
            fail_msg("%s: %s", cases[i].text, fault.detail);
        if (!good)
            assert_true(strncmp(fault.pointer, "/clock", 6) == 0 && terms.initial_s == 9);
        json_decref(object);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_due),   cmocka_unit_test(test_late), cmocka_unit_test(test_run),
        cmocka_unit_test(test_write), cmocka_unit_test(test_read),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
