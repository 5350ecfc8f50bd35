/* Rates: a burst, then as many as come back; a proved credential has its own. */
#include "daemon/rate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static int allowed(struct rate *rate, const char *credential, uint64_t address, int64_t now_ms)
{
    int count = 0;

    while (count < 1000 && rate_allow(rate, credential, address, now_ms))
        count++;
    return count;
}

static void burst_then_rate(void **state)
{
    struct rate *rate = rate_new(50, 100);

    (void)state;
    assert_int_equal(allowed(rate, NULL, 7, 1000), 100);
    assert_int_equal(allowed(rate, NULL, 9, 1000), 100); /* another address */
    assert_int_equal(allowed(rate, NULL, 7, 1020), 1);
    assert_int_equal(allowed(rate, NULL, 7, 2020), 50);
    assert_int_equal(allowed(rate, NULL, 7, 900000), 100);
    assert_int_equal(allowed(rate, NULL, 0, 1000), 1000); /* not known: no limit */
    rate_free(rate);
}

static void credentials_must_be_proved(void **state)
{
    struct rate *rate = rate_new(50, 100);

    (void)state;
    assert_int_equal(allowed(rate, "Bearer made-up", 7, 1000), 100);
    assert_int_equal(allowed(rate, "Bearer another", 7, 1000), 0);
    rate_prove(rate, "Bearer real", 1000);
    assert_int_equal(allowed(rate, "Bearer real", 7, 1000), 100);
    rate_free(rate);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(burst_then_rate),
        cmocka_unit_test(credentials_must_be_proved),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
