#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/spares.h"

/* What is given back comes out again, the last one first, and only so many wait. */
static void test_again(void **state)
{
    struct spares spares;
    void *blocks[5];

    (void)state;
    spares_init(&spares, 64, 3);
    for (size_t i = 0; i < 5; i++) {
        blocks[i] = spares_take(&spares);
        assert_non_null(blocks[i]);
        memset(blocks[i], (int)i, 64);
    }
    assert_int_equal(spares.count, 0);
    for (size_t i = 0; i < 5; i++)
        spares_give(&spares, blocks[i]);
    assert_int_equal(spares.count, 3);
    for (size_t i = 0; i < 3; i++)
        assert_ptr_equal(spares_take(&spares), blocks[2 - i]);
    for (size_t i = 0; i < 3; i++)
        spares_give(&spares, blocks[i]);
    spares_give(&spares, NULL);
    assert_int_equal(spares.count, 3);
    spares_done(&spares);
    assert_int_equal(spares.count, 0);
}

/* Blocks that are out at once are different ones. */
static void test_apart(void **state)
{
    struct spares spares;

    (void)state;
    spares_init(&spares, sizeof(void *), 8);
    void *a = spares_take(&spares), *b = spares_take(&spares);
    assert_ptr_not_equal(a, b);
    spares_give(&spares, a);
    void *c = spares_take(&spares), *d = spares_take(&spares);
    assert_ptr_equal(c, a);
    assert_ptr_not_equal(d, b);
    assert_ptr_not_equal(d, c);
    spares_give(&spares, b);
    spares_give(&spares, c);
    spares_give(&spares, d);
    spares_done(&spares);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_again),
        cmocka_unit_test(test_apart),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
