#include "api/base64.h"
#include "api/hex.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct {
    const char *text;
    size_t size;
    uint8_t bytes[8];
} pairs[] = {
    {"", 0, {0}},           {"AA", 1, {0}},
    {"_w", 1, {0xff}},      {"-_8", 2, {0xfb, 0xff}},
    {"AAEC", 3, {0, 1, 2}}, {"Zm9vYmFy", 6, "foobar"},
};

static void test_pairs(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        char text[16];
        uint8_t bytes[8];

        base64_encode(pairs[i].bytes, pairs[i].size, text);
        assert_string_equal(text, pairs[i].text);
        assert_int_equal(strlen(text), base64_size(pairs[i].size));
        assert_true(base64_decode(text, strlen(text), bytes, pairs[i].size));
        assert_memory_equal(bytes, pairs[i].bytes, pairs[i].size);
        assert_false(base64_decode(text, strlen(text), bytes, pairs[i].size + 1));
        if (pairs[i].size)
            assert_false(base64_decode(text, strlen(text), bytes, pairs[i].size - 1));
    }
}

/* All texts of two bytes: exactly those are taken that encoding gives. */
static void test_one_form(void **state)
{
    size_t taken = 0;

    (void)state;
    for (unsigned i = 0; i < 1 << 16; i++) {
        const char text[2] = {(char)(i & 0xff), (char)(i >> 8)};
        uint8_t byte;
        char again[3];

        if (!base64_decode(text, 2, &byte, 1))
            continue;
        base64_encode(&byte, 1, again);
        assert_memory_equal(text, again, 2);
        taken++;
    }
    assert_int_equal(taken, 256);
}

static void test_refused(void **state)
{
    static const char *const texts[] = {
        "AAE=",
        "AAE+",
        "AAE/",
        "AAE ",
        " AAE",
        "AA\nE",
        "AAE.",
        "AAEC=",
        "AAE",
        "AAECA",
        "\xc3\xa9\xc3\xa9",
    };
    uint8_t bytes[3];

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_false(base64_decode(texts[i], strlen(texts[i]), bytes, 3));
    assert_false(base64_decode("AA\0C", 4, bytes, 3));
}

static void test_stays_inside(void **state)
{
    (void)state;
    for (size_t size = 0; size < 70; size++) {
        uint8_t *bytes = malloc(size + 1), *again = malloc(size + 1);
        char *text = malloc(base64_size(size) + 1);

        memset(bytes, (int)(size * 37 & 0xff), size + 1);
        again[size] = 0x77;
        base64_encode(bytes, size, text);
        assert_true(base64_decode(text, base64_size(size), again, size));
        assert_memory_equal(bytes, again, size);
        assert_int_equal(again[size], 0x77);
        free(bytes);
        free(again);
        free(text);
    }
}

static void test_hex(void **state)
{
    static const char *const refused[] = {"0",    "00f",   "00fF",  "00fg",   "00f ",
                                          "0x0f", "00f\n", "00ff0", "00ff00", "00:f"};
    const uint8_t wanted[] = {0, 0xff};
    uint8_t bytes[2] = {7, 7};
    char text[5];

    (void)state;
    hex_encode(wanted, sizeof wanted, text);
    assert_string_equal(text, "00ff");
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        assert_false(hex_decode(refused[i], strlen(refused[i]), bytes, sizeof bytes));
        assert_int_equal(bytes[0], 7);
    }
    assert_false(hex_decode("00\0f", 4, bytes, sizeof bytes));
    assert_true(hex_decode(text, 4, bytes, sizeof bytes));
    assert_memory_equal(bytes, wanted, sizeof wanted);
    assert_true(hex_decode("", 0, bytes, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pairs),   cmocka_unit_test(test_one_form),
        cmocka_unit_test(test_refused), cmocka_unit_test(test_stays_inside),
        cmocka_unit_test(test_hex),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
