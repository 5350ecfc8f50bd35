/* Names of requests: a client's own if it is harmless, else one that tells nothing. */
#include "daemon/request_id.h"

#include "daemon/entropy.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void takes_what_is_plain(void **state)
{
    char longest[REQUEST_ID_MAX + 2], id[REQUEST_ID_SIZE];
    const char *const good[] = {"a", "A-Z.0_9", "7f6c1c1e-0000-4000-8000-000000000000",
                                longest};
    struct request_ids ids;

    (void)state;
    memset(longest, 'x', sizeof longest);
    longest[REQUEST_ID_MAX] = '\0';
    request_ids_init(&ids);
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        request_id(&ids, good[i], id);
        assert_string_equal(id, good[i]);
    }
}

static void replaces_the_rest(void **state)
{
    char too_long[REQUEST_ID_MAX + 2], id[REQUEST_ID_SIZE], before[REQUEST_ID_SIZE] = "";
    const char *const bad[] = {
        NULL,   "",     " ",        "a b",    "a\"b",           "a,b", "rfs_AAAA", "x-rfs_A",
        "\x7f", "a\tb", "\xc3\xa1", too_long, "Bearer rfs_AAAA"};
    struct request_ids ids;

    (void)state;
    memset(too_long, 'x', sizeof too_long);
    too_long[REQUEST_ID_MAX + 1] = '\0';
    request_ids_init(&ids);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        request_id(&ids, bad[i], id);
        assert_int_equal(strlen(id), 16);
        assert_int_equal(strspn(id, "0123456789abcdef"), 16);
        assert_string_not_equal(id, before);
        strcpy(before, id);
    }
}

/* Two in a row do not tell that they are: their first halves differ. */
static void tells_no_count(void **state)
{
    char one[REQUEST_ID_SIZE], two[REQUEST_ID_SIZE];
    struct request_ids ids, others;
    int same = 0;

    (void)state;
    request_ids_init(&ids);
    request_ids_init(&others);
    for (int i = 0; i < 100; i++) {
        request_id(&ids, NULL, one);
        request_id(&ids, NULL, two);
        same += memcmp(one, two, 8) == 0;
        request_id(&others, NULL, two);
        request_id(&others, NULL, two);
        assert_string_not_equal(one, two);
    }
    assert_int_equal(same, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_what_is_plain),
        cmocka_unit_test(replaces_the_rest),
        cmocka_unit_test(tells_no_count),
    };

    if (entropy_init())
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
