/* The writer: form, escapes, order of members, failures. */
#include "api/out.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

static void assert_written(struct out *out, const char *want)
{
    char *text = out_take(out, NULL);

    assert_string_equal(text, want);
    free(text);
}

static void test_form(void **state)
{
    struct out out = {0};
    const uint8_t bytes[] = {0x00, 0xab, 0xff};

    (void)state;
    out_object(&out, NULL);
    out_number(&out, "n", INT64_MIN);
    out_bool(&out, "t", true);
    out_bool(&out, "f", false);
    out_text(&out, "nothing", NULL);
    out_hex(&out, "hex", bytes, sizeof bytes);
    out_array(&out, "list");
    out_number(&out, NULL, 1);
    out_object(&out, NULL);
    out_object_end(&out);
    out_array_end(&out);
    out_raw(&out, "raw", "[1]", 3);
    out_object_end(&out);
    assert_written(&out, "{\"n\":-9223372036854775808,\"t\":true,\"f\":false,\"nothing\":null,"
                         "\"hex\":\"00abff\",\"list\":[1,{}],\"raw\":[1]}");
}

/* Every byte string comes out as JSON that a strict parser takes, and good UTF-8 as it is. */
static void test_every_two_bytes(void **state)
{
    (void)state;
    for (unsigned pair = 0; pair < 65536; pair++) {
        char value[] = {'a', (char)(pair >> 8), (char)(pair & 255), 'z'};
        struct out out = {0};
        size_t size;

        out_array(&out, NULL);
        out_text_n(&out, NULL, value, sizeof value);
        out_array_end(&out);
        char *text = out_take(&out, &size);
        json_t *read = json_loadb(text, size, JSON_ALLOW_NUL, NULL);
        assert_non_null(read);
        json_t *plain = json_stringn(value, sizeof value);
        if (plain)
            assert_true(json_equal(json_array_get(read, 0), plain));
        json_decref(plain);
        json_decref(read);
        free(text);
    }
}

/* Cut inside a character, surrogates, too long forms: replaced, never passed on. */
static void test_bad_utf8(void **state)
{
    static const char *const bad[] = {"\xe2\x82",         "\xed\xa0\x80",     "\xe0\x80\x80",
                                      "\xf0\x80\x80\x80", "\xf4\x90\x80\x80", "\xc0\xaf"};

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct out out = {0};
        out_text(&out, NULL, bad[i]);
        char *text = out_take(&out, NULL);
        for (const char *at = text; *at; at++)
            assert_true((unsigned char)*at < 0x80);
        assert_non_null(strstr(text, "\\ufffd"));
        free(text);
    }
    struct out out = {0};
    out_text(&out, NULL, "p\xc5\x99 \xe2\x82\xac \xf0\x9f\x98\x80");
    assert_written(&out, "\"p\xc5\x99 \xe2\x82\xac \xf0\x9f\x98\x80\"");
}

static void test_sort(void **state)
{
    struct out out = {0};

    (void)state;
    out_bytes(&out, "[", 1);
    size_t start = out.size;
    out_object(&out, NULL);
    out_text(&out, "b", "}\",{[");
    out_number(&out, "ab", 2);
    out_object(&out, "a");
    out_number(&out, "z", 1);
    out_number(&out, "y", 2);
    out_object_end(&out);
    out_object_end(&out);
    out_sort(&out, start);
    out_array_end(&out);
    assert_written(&out, "[{\"a\":{\"z\":1,\"y\":2},\"ab\":2,\"b\":\"}\\\",{[\"}]");
}

static void test_members(void **state)
{
    static const char object[] = "{\"a\":[1,{\"x\":2}],\"b\":\"q\\\"\",\"c\":3}";
    struct out_member member;
    size_t at = 0;

    (void)state;
    assert_true(out_member_next(object, sizeof object - 1, &at, &member));
    assert_memory_equal(member.value, "[1,{\"x\":2}]", member.value_size);
    assert_true(out_member_next(object, sizeof object - 1, &at, &member));
    assert_memory_equal(member.value, "\"q\\\"\"", member.value_size);
    assert_true(out_member_next(object, sizeof object - 1, &at, &member));
    assert_memory_equal(member.key, "c", member.key_size);
    assert_false(out_member_next(object, sizeof object - 1, &at, &member));
    at = 0;
    assert_false(out_member_next("{}", 2, &at, &member));
}

static void test_failed_stays_failed(void **state)
{
    struct out out = {.failed = true};

    (void)state;
    out_object(&out, NULL);
    out_text(&out, "a", "b");
    out_object_end(&out);
    out_sort(&out, 0);
    assert_null(out_take(&out, NULL));
    assert_int_equal(out.size, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_form),     cmocka_unit_test(test_every_two_bytes),
        cmocka_unit_test(test_bad_utf8), cmocka_unit_test(test_sort),
        cmocka_unit_test(test_members),  cmocka_unit_test(test_failed_stays_failed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
