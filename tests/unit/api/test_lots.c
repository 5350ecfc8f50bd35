#include "api/hex.h"
#include "api/lots.h"

#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { DECK = 25, SHUFFLES = 1000000, DRAWS = 600000 };

static const uint8_t fixed_key[32] = "a fixed seed for the statistics";

static json_t *vectors;

static void start(const json_t *vector, struct lots *lots)
{
    const char *text = json_string_value(json_object_get(vector, "key"));
    uint8_t key[32];

    assert_non_null(text);
    assert_true(hex_decode(text, strlen(text), key, sizeof key));
    lots_init(lots, key);
}

static void test_stream_vectors(void **state)
{
    const json_t *vector;
    size_t i, seen = 0;

    (void)state;
    json_array_foreach(json_object_get(vectors, "hashes"), i, vector)
    {
        const json_t *args = json_object_get(vector, "args");
        const char *kind = json_string_value(json_object_get(vector, "kind"));
        const char *hash = json_string_value(json_object_get(vector, "hash"));
        struct lots lots;
        uint8_t block[64];

        if (strcmp(kind, "deals"))
            continue;
        assert_true(hex_decode(hash, strlen(hash), block, sizeof block));
        start(args, &lots);
        lots.block = (uint64_t)json_integer_value(json_object_get(args, "block"));
        lots_below(&lots, 1);
        for (int w = 0; w < 16; w++)
            for (int b = 0; b < 4; b++)
                assert_int_equal(lots.words[w] >> 8 * b & 0xff, block[4 * w + b]);
        seen++;
    }
    assert_true(seen >= 3);
}

static void test_shuffle_vectors(void **state)
{
    const json_t *vector, *order;
    size_t i, o;

    (void)state;
    json_array_foreach(json_object_get(vectors, "shuffles"), i, vector)
    {
        uint8_t n = (uint8_t)json_integer_value(json_object_get(vector, "n"));
        struct lots lots;

        start(vector, &lots);
        /* The second order goes on in the stream where the first one stopped. */
        json_array_foreach(json_object_get(vector, "orders"), o, order)
        {
            uint8_t got[255];

            lots_shuffle(&lots, n, got);
            assert_int_equal(json_array_size(order), n);
            for (size_t k = 0; k < n; k++)
                assert_int_equal(got[k], json_integer_value(json_array_get(order, k)));
        }
    }
}

static void test_deck_vector(void **state)
{
    const json_t *vector = json_array_get(json_object_get(vectors, "shuffles"), 0);
    const char *deck = json_string_value(json_object_get(vector, "deck"));
    struct lots lots;
    uint8_t order[DECK];

    (void)state;
    start(vector, &lots);
    lots_shuffle(&lots, DECK, order);
    for (int i = 0; i < DECK; i++)
        assert_int_equal(order[i] / 5 + 1, deck[i] - '0');
}

static void test_lot_vectors(void **state)
{
    const json_t *vector, *drawn;
    size_t i, d;

    (void)state;
    json_array_foreach(json_object_get(vectors, "lots"), i, vector)
    {
        uint32_t n = (uint32_t)json_integer_value(json_object_get(vector, "n"));
        struct lots lots;

        start(vector, &lots);
        json_array_foreach(json_object_get(vector, "drawn"), d, drawn)
            assert_int_equal(lots_below(&lots, n), json_integer_value(drawn));
    }
}

/* A stream whose words are known: which are rejected, and which is taken next. */
static void test_rejection(void **state)
{
    static const struct {
        uint32_t n, first_rejected;
    } rows[] = {
        {3, 0xffffffff},  /* 2^32 mod 3 = 1 */
        {7, 0xfffffffc},  /* 4 */
        {25, 0xffffffeb}, /* 21 */
        {0x80000001, 0x80000001},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint32_t last = rows[i].first_rejected - 1;
        struct lots lots;

        lots_init(&lots, fixed_key);
        lots.used = 0;
        memcpy(lots.words, (uint32_t[16]){last, last + 1, 0xffffffff, 5}, sizeof lots.words);
        assert_int_equal(lots_below(&lots, rows[i].n), last % rows[i].n);
        assert_int_equal(lots.used, 1);
        assert_int_equal(lots_below(&lots, rows[i].n), 5 % rows[i].n);
        assert_int_equal(lots.used, 4);
    }
}

/* A rejected word at the end of a block is made good from the next block. */
static void test_rejection_across_blocks(void **state)
{
    struct lots lots, fresh;

    (void)state;
    lots_init(&fresh, fixed_key);
    lots_init(&lots, fixed_key);
    lots.words[15] = 0xffffffff;
    lots.used = 15;
    assert_int_equal(lots_below(&lots, 3), lots_below(&fresh, 3));
    assert_int_equal(lots.used, fresh.used);
    assert_int_equal(lots.block, 1);
}

static void test_powers_of_two_reject_nothing(void **state)
{
    (void)state;
    for (uint32_t n = 1; n; n <<= 1) {
        struct lots lots;

        lots_init(&lots, fixed_key);
        lots.used = 0;
        lots.words[0] = 0xffffffff;
        assert_int_equal(lots_below(&lots, n), n - 1);
        assert_int_equal(lots.used, 1);
    }
}

static double chi_square(const uint32_t *counts, size_t cells, double expected)
{
    double sum = 0;

    for (size_t i = 0; i < cells; i++) {
        double off = (double)counts[i] - expected;

        sum += off * off / expected;
    }
    return sum;
}

/* Position against value over a million decks: 24 * 24 degrees of freedom once the fixed row
 * and column sums are taken out, so mean 576 (the statistic is scaled by 24 / 25) and
 * deviation 34. The seed is fixed: what passes, passes always; the bounds lie five deviations
 * out. */
static void test_shuffles_are_even(void **state)
{
    static uint32_t counts[DECK * DECK];
    struct lots lots;
    uint8_t order[DECK];

    (void)state;
    lots_init(&lots, fixed_key);
    for (int i = 0; i < SHUFFLES; i++) {
        lots_shuffle(&lots, DECK, order);
        for (int p = 0; p < DECK; p++)
            counts[p * DECK + order[p]]++;
    }
    double chi = chi_square(counts, DECK * DECK, (double)SHUFFLES / DECK) * (DECK - 1) / DECK;
    print_message("chi-square of %d shuffles of %d: %.1f (mean 576)\n", SHUFFLES, DECK, chi);
    assert_true(chi > 576 - 5 * 34 && chi < 576 + 5 * 34);
}

/* All 24 orders of four, which sees what single positions cannot. */
static void test_orders_are_even(void **state)
{
    uint32_t counts[256] = {0}, orders[24];
    size_t found = 0;
    struct lots lots;

    (void)state;
    lots_init(&lots, fixed_key);
    for (int i = 0; i < 240000; i++) {
        uint8_t o[4];

        lots_shuffle(&lots, 4, o);
        counts[o[0] << 6 | o[1] << 4 | o[2] << 2 | o[3]]++;
    }
    for (size_t i = 0; i < 256; i++)
        if (counts[i] && found < 24)
            orders[found++] = counts[i];
    assert_int_equal(found, 24);
    double chi = chi_square(orders, 24, 10000);
    print_message("chi-square of the 24 orders of four: %.1f (mean 23)\n", chi);
    assert_true(chi > 3 && chi < 23 + 5 * 6.8);
}

static void test_lots_are_even(void **state)
{
    (void)state;
    for (uint32_t n = 2; n <= 6; n++) {
        uint32_t counts[6] = {0};
        struct lots lots;

        lots_init(&lots, fixed_key);
        for (int i = 0; i < DRAWS; i++)
            counts[lots_below(&lots, n)]++;
        double chi = chi_square(counts, n, (double)DRAWS / n);
        print_message("chi-square of lots among %u: %.2f (mean %u)\n", n, chi, n - 1);
        assert_true(chi < 25);
    }
}

static int open_vectors(void **state)
{
    (void)state;
    vectors = json_load_file("tests/vectors/protocol.json", 0, NULL);
    assert_non_null(vectors);
    return 0;
}

static int close_vectors(void **state)
{
    (void)state;
    json_decref(vectors);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stream_vectors),
        cmocka_unit_test(test_shuffle_vectors),
        cmocka_unit_test(test_deck_vector),
        cmocka_unit_test(test_lot_vectors),
        cmocka_unit_test(test_rejection),
        cmocka_unit_test(test_rejection_across_blocks),
        cmocka_unit_test(test_powers_of_two_reject_nothing),
        cmocka_unit_test(test_shuffles_are_even),
        cmocka_unit_test(test_orders_are_even),
        cmocka_unit_test(test_lots_are_even),
    };
    return cmocka_run_group_tests(tests, open_vectors, close_vectors);
}
