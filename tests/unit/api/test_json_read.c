/* json_read() takes what jansson takes, says no where it says no, and gives the same values:
 * texts by hand, and many that chance has spoilt. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "api/json_read.h"
#include "tests/support/seeded.h"

enum { TRIES = 300000, LONG = 512 };

static const char *const texts[] = {
    "{}",
    " [ ] ",
    "{\"a\":1,\"b\":[true,false,null],\"c\":{\"d\":\"e\"}}",
    "[0,-0,-1,9007199254740993,9223372036854775807,-9223372036854775808]",
    "[9223372036854775808]",
    "[-9223372036854775809]",
    "[123456789012345678901234567890]",
    "[1.5,1e5,1E+5,-0.25e-2]",
    "[01]",
    "[1.]",
    "[.5]",
    "[1e]",
    "[-]",
    "[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0041\\u00e9\\u20ac\\ud83d\\ude00\"]",
    "[\"\\u0000\"]",
    "[\"\\ud800\"]",
    "[\"\\udc00\\ud800\"]",
    "[\"\\ud800\\u0041\"]",
    "[\"\\x41\"]",
    "[\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\"]",
    "[\"\xc0\x80\"]",
    "[\"\xe0\x80\x80\"]",
    "[\"\xed\xa0\x80\"]",
    "[\"\xf4\x90\x80\x80\"]",
    "[\"\xff\"]",
    "[\"a\nb\"]",
    "[\"a\x7f\"]",
    "{\"a\":1,\"a\":2}",
    "{\"a\":1,\"\\u0061\":2}",
    "{\"\":{\"\":[]}}",
    "{\"a\" : 1 , \"b\"\t:\r\n2}",
    "[1,]",
    "{\"a\":1,}",
    "{a:1}",
    "[1 2]",
    "[1]x",
    "[1]]",
    "[tru]",
    "[nulll]",
    "{\"a\"}",
    "{\"a\":}",
    "[\"",
    "[\"\\",
    "[\"\\u12",
    "[",
    "{\"move\":{\"from\":\"a4\",\"to\":\"a5\"},\"open\":{\"slot\":30,\"face\":\"scout\"}}",
};

/* A real number has no value of its own here. */
static json_t *without_reals(json_t *value)
{
    const char *key;
    json_t *child;
    void *next;
    size_t i;

    if (json_is_real(value))
        json_real_set(value, 0.5);
    json_array_foreach(value, i, child) without_reals(child);
    json_object_foreach_safe(value, next, key, child) without_reals(child);
    return value;
}

static void compare(const char *text, size_t size)
{
    struct json_fault fault = {0};
    json_t *ours = json_read(text, size, &fault);
    json_t *theirs =
        without_reals(json_loadb(text, size, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, NULL));

    /* theirs goes on behind a number that is too large for a real */
    if (!ours != !theirs && !(ours && memchr(text, 'e', size)) &&
        !(ours && memchr(text, 'E', size)))
        fail_msg("%s: %.*s", ours ? "taken" : fault.what, (int)size, text);
    if (ours && theirs && !json_equal(ours, theirs))
        fail_msg("read otherwise: %.*s", (int)size, text);
    assert_true(ours || (fault.what && fault.line >= 1 && fault.column >= 1));
    json_decref(ours);
    json_decref(theirs);
}

static void test_as_jansson(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        compare(texts[i], strlen(texts[i]));
}

/* One byte more, less or other, a few times; and a piece of another text. */
static size_t spoil(struct seeded *seeded, char *text, size_t size)
{
    static const char bytes[] = "\"\\{}[],:0123456789-+.eEu truefalsn\x01\x80\xc3\xa9";

    for (uint32_t left = 1 + seeded_below(seeded, 3); left && size; left--) {
        size_t at = seeded_below(seeded, (uint32_t)size);
        char byte = bytes[seeded_below(seeded, sizeof bytes - 1)];
        uint32_t how = seeded_below(seeded, 3);
        if (how == 0) {
            text[at] = byte;
        } else if (how == 1) {
            memmove(text + at, text + at + 1, size - at - 1);
            size--;
        } else if (size < LONG) {
            memmove(text + at + 1, text + at, size - at);
            text[at] = byte;
            size++;
        }
    }
    return size;
}

static void test_spoilt(void **state)
{
    struct seeded seeded = {11};
    char text[LONG + 1];

    (void)state;
    for (int i = 0; i < TRIES; i++) {
        const char *from = texts[seeded_below(&seeded, sizeof texts / sizeof *texts)];
        size_t size = strlen(from);
        memcpy(text, from, size);
        size = spoil(&seeded, text, size);
        /* on the heap, so that a look behind the end is seen */
        char *exact = malloc(size + !size);
        assert_non_null(exact);
        memcpy(exact, text, size);
        compare(exact, size);
        free(exact);
    }
}

static void test_long_and_deep(void **state)
{
    char text[2 * JSON_READ_DEPTH + 8];
    static char word[100000];
    struct json_fault fault;

    (void)state;
    memset(word, 'x', sizeof word);
    word[0] = '[';
    word[1] = word[sizeof word - 2] = '"';
    word[sizeof word - 1] = ']';
    compare(word, sizeof word);
    memset(text, '[', JSON_READ_DEPTH + 1);
    memset(text + JSON_READ_DEPTH + 1, ']', JSON_READ_DEPTH + 1);
    assert_null(json_read(text, 2 * JSON_READ_DEPTH + 2, &fault));
    assert_string_equal(fault.what, "too deep");
    compare(text + 1, 2 * JSON_READ_DEPTH);
}

static size_t calls, failing;

static void *scarce_malloc(size_t size)
{
    return ++calls == failing ? NULL : malloc(size);
}

/* Whichever allocation fails: no value, and the fault is no fault of the text. */
static void test_without_memory(void **state)
{
    static const char text[] = "{\"a long enough name for a member\":[\"and a text\",1,{}]}";
    struct json_fault fault;
    json_t *value;

    (void)state;
    json_set_alloc_funcs(scarce_malloc, free);
    for (failing = 1;; failing++) {
        calls = 0;
        value = json_read(text, sizeof text - 1, &fault);
        if (value)
            break;
        assert_null(fault.what);
    }
    json_set_alloc_funcs(malloc, free);
    assert_true(failing > 8);
    json_decref(value);
}

static void test_where(void **state)
{
    struct json_fault fault;

    (void)state;
    assert_null(json_read("{\n  \"a\": x}", 11, &fault));
    assert_int_equal(fault.line, 2);
    assert_int_equal(fault.column, 8);
    assert_string_equal(fault.what, "no value");
    assert_null(json_read("[1\0]", 4, &fault)); /* jansson overlooks the zero */
    assert_int_equal(fault.column, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_as_jansson),     cmocka_unit_test(test_spoilt),
        cmocka_unit_test(test_long_and_deep),  cmocka_unit_test(test_where),
        cmocka_unit_test(test_without_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
