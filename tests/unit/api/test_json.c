/* The gate for bodies, and fields by declaration. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "api/json.h"

static bool lets_in(const char *text)
{
    struct fault fault;
    json_t *value = json_gate(text, strlen(text), &fault);

    assert_true(!value == !!fault.detail[0]);
    assert_true(value || fault.syntax);
    json_decref(value);
    return value != NULL;
}

static void test_gate(void **state)
{
    static const char *const good[] = {
        "{}",
        "[]",
        " {\"a\":[1,-1,true,null,\"\\u010d\"]} \n",
        "{\"a\":9007199254740992,\"b\":-9007199254740992}",
        "[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]",
        "{\"a\":\"[[[[[[[[[[[[[[[[[[[[\"}",
        "{\"a\":\"\\\"[[[[[[[[[[[[[[[[[[[[\"}",
    };
    static const char *const bad[] = {
        "",
        " ",
        "{",
        "{}x",
        "{\"a\":1,\"a\":1}",
        "{\"a\":{\"b\":1,\"b\":2}}",
        "[1.0]",
        "[1e2]",
        "[-0.5]",
        "[9007199254740993]",
        "[-9007199254740993]",
        "[99999999999999999999]",
        "[01]",
        "['a']",
        "[\"\\ud800\"]",
        "[\"\x80\"]",
        "[\"\\u0000\"]",
        "[NaN]",
        "[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]",
        "{\"a\":[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]}",
        "\xef\xbb\xbf{}",
    };

    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        if (!lets_in(good[i]))
            fail_msg("refused: %s", good[i]);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (lets_in(bad[i]))
            fail_msg("let in: %s", bad[i]);
}

struct values {
    const char *text;
    int64_t number;
    bool truth, truth_given;
    json_t *object, *array, *any;
    uint8_t bytes[2];
};

static bool read(const char *text, struct values *values, struct fault *fault)
{
    const struct field fields[] = {
        {.name = "text", .kind = FIELD_TEXT, .value = &values->text, .max = 4},
        {.name = "number",
         .kind = FIELD_INT,
         .required = true,
         .value = &values->number,
         .min = -1,
         .max = 3},
        {.name = "truth",
         .kind = FIELD_BOOL,
         .value = &values->truth,
         .present = &values->truth_given},
        {.name = "object", .kind = FIELD_OBJECT, .value = &values->object, .nullable = true},
        {.name = "array", .kind = FIELD_ARRAY, .value = &values->array, .max = 2},
        {.name = "any", .kind = FIELD_ANY, .value = &values->any},
        {.name = "bytes", .kind = FIELD_HEX, .value = values->bytes, .max = 2},
    };
    json_t *body = json_loads(text, JSON_DECODE_ANY, NULL);

    assert_non_null(body);
    *values = (struct values){0};
    bool good = json_fields(body, "/at", fields, sizeof fields / sizeof *fields, fault);
    json_decref(body);
    return good;
}

static void test_fields(void **state)
{
    struct values values;
    struct fault fault;

    (void)state;
    assert_true(read("{\"number\":3,\"truth\":false,\"object\":null,\"bytes\":\"0aff\"}",
                     &values, &fault));
    assert_int_equal(values.number, 3);
    assert_true(values.truth_given && !values.truth);
    assert_null(values.object);
    assert_int_equal(values.bytes[0], 0x0a);
    assert_int_equal(values.bytes[1], 0xff);
    assert_true(read("{\"number\":-1,\"text\":\"\xc4\x9b\xc4\x9b\"}", &values, &fault));
}

static void test_faults(void **state)
{
    static const char *const rows[][2] = {
        {"{}", "/at"},
        {"[]", "/at"},
        {"7", "/at"},
        {"{\"number\":4}", "/at/number"},
        {"{\"number\":-2}", "/at/number"},
        {"{\"number\":\"1\"}", "/at/number"},
        {"{\"number\":true}", "/at/number"},
        {"{\"number\":null}", "/at/number"},
        {"{\"number\":1,\"text\":\"12345\"}", "/at/text"},
        {"{\"number\":1,\"text\":\"\xc4\x9b\xc4\x9bx\"}", "/at/text"},
        {"{\"number\":1,\"text\":1}", "/at/text"},
        {"{\"number\":1,\"truth\":1}", "/at/truth"},
        {"{\"number\":1,\"truth\":null}", "/at/truth"},
        {"{\"number\":1,\"object\":[]}", "/at/object"},
        {"{\"number\":1,\"array\":{}}", "/at/array"},
        {"{\"number\":1,\"array\":[1,2,3]}", "/at/array"},
        {"{\"number\":1,\"bytes\":\"0AFF\"}", "/at/bytes"},
        {"{\"number\":1,\"bytes\":\"0aff0\"}", "/at/bytes"},
        {"{\"number\":1,\"bytes\":\"0afg\"}", "/at/bytes"},
        {"{\"number\":1,\"bytes\":7}", "/at/bytes"},
        {"{\"number\":1,\"other\":1}", "/at/other"},
        {"{\"number\":1,\"~a/b\":1}", "/at/~0a~1b"},
        {"{\"number\":1,\"\":1}", "/at/"},
    };
    struct values values;
    struct fault fault;

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (read(rows[i][0], &values, &fault))
            fail_msg("taken: %s", rows[i][0]);
        assert_string_equal(fault.pointer, rows[i][1]);
        assert_true(fault.detail[0] && !fault.syntax);
    }
}

/* A name longer than a pointer is cut, and nothing is written past it. */
static void test_long_name(void **state)
{
    char body[300] = "{\"", *at = body + 2;
    struct values values;
    struct fault fault;

    (void)state;
    memset(at, '/', 200);
    strcpy(at + 200, "\":1}");
    assert_false(read(body, &values, &fault));
    assert_true(strlen(fault.pointer) < sizeof fault.pointer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gate),
        cmocka_unit_test(test_fields),
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_long_name),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
