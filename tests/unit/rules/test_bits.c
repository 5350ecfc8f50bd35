/* bits.h: each bit alone, and with all above it or some of them. */
#include "rules/bits.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void lowest(void **unused)
{
    (void)unused;
    for (unsigned bit = 0; bit < 64; bit++) {
        assert_int_equal(bits_lowest(UINT64_C(1) << bit), bit);
        assert_int_equal(bits_lowest(UINT64_MAX << bit), bit);
        assert_int_equal(bits_lowest(UINT64_C(0x5555555555555555) << bit), bit);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(lowest)};

    return cmocka_run_group_tests_name("bits", tests, NULL, NULL);
}
