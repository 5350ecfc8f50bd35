/* Rates: a burst, then as many as come back, and how long it is until then. */
#include "daemon/rate.h"

#include "api/limits.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { SECOND = 1000, MINUTE = 60000 };

static int taken(struct rate *rate, uint64_t key, int64_t now_ms)
{
    int count = 0;

    while (count < 1000 && rate_take(rate, key, now_ms) == 0)
        count++;
    return count;
}

static void burst_then_rate(void **state)
{
    struct rate *rate = rate_new(50, SECOND, 100);

    (void)state;
    assert_int_equal(taken(rate, 7, 1000), 100);
    assert_int_equal(taken(rate, 9, 1000), 100); /* another address */
    assert_int_equal(taken(rate, 7, 1020), 1);
    assert_int_equal(taken(rate, 7, 2020), 50);
    assert_int_equal(taken(rate, 7, 900000), 100);
    assert_int_equal(taken(rate, 0, 1000), 1000); /* not known: no limit */
    rate_free(rate);
}

/* What it says is true: a millisecond earlier there is none, then there is one. */
static void tells_when(void **state)
{
    static const struct {
        long count;
        int64_t period_ms, wait_ms;
    } cases[] = {{50, SECOND, 20}, {3, SECOND, 334}, {60, MINUTE, 1000}, {7, MINUTE, 8572}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct rate *rate = rate_new(cases[i].count, cases[i].period_ms, 2);
        assert_int_equal(taken(rate, 7, 5000), 2);
        assert_int_equal(rate_take(rate, 7, 5000), cases[i].wait_ms);
        assert_int_equal(rate_take(rate, 7, 5000 + cases[i].wait_ms - 1), 1);
        assert_int_equal(rate_take(rate, 7, 5000 + cases[i].wait_ms), 0);
        assert_true(rate_take(rate, 7, 5000 + cases[i].wait_ms) > 0);
        rate_free(rate);
    }
}

static void only_the_admitted(void **state)
{
    struct rate *rate = rate_new(50, SECOND, 3);
    int64_t wait_ms = -1;

    (void)state;
    assert_false(rate_take_admitted(rate, 7, 1000, &wait_ms));
    assert_int_equal(wait_ms, -1);
    rate_admit(rate, 7, 1000);
    for (int i = 0; i < 3; i++) {
        assert_true(rate_take_admitted(rate, 7, 1000, &wait_ms));
        assert_int_equal(wait_ms, 0);
    }
    rate_admit(rate, 7, 1000); /* again: no new bucket */
    assert_true(rate_take_admitted(rate, 7, 1000, &wait_ms));
    assert_int_equal(wait_ms, 20);
    assert_false(rate_take_admitted(rate, 8, 1000, &wait_ms));
    rate_free(rate);
}

/* One more than the table holds: the quiet one is forgotten, and no other. */
static void forgets_the_quiet(void **state)
{
    struct rate *rate = rate_new(1, MINUTE, 1);
    int remembered = 0;

    (void)state;
    for (uint64_t key = 1; key <= RATE_KEYS_MAX + 1; key++)
        assert_int_equal(rate_take(rate, key, 1000 + (int64_t)key), 0);
    for (uint64_t key = RATE_KEYS_MAX + 1; key > 1; key--)
        remembered += rate_take(rate, key, 20000) > 0;
    assert_int_equal(remembered, RATE_KEYS_MAX);
    assert_int_equal(rate_take(rate, 1, 20000), 0);
    rate_free(rate);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(burst_then_rate),
        cmocka_unit_test(tells_when),
        cmocka_unit_test(only_the_admitted),
        cmocka_unit_test(forgets_the_quiet),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
