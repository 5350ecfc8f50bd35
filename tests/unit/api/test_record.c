/* What is sealed: no two things under one nonce, and nothing opens in another's place. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "api/record.h"

static const uint8_t store_key[32] = {7}, gid[16] = {1}, other_gid[16] = {2};
static const uint8_t wrong_key[32] = {9};
static const char claims[] = "{\"a\":1}\n{\"b\":2}";

/* The claims' record from `first`, its notes sealed; out_done(sealed) frees. */
static struct record seal(const uint8_t *key, const uint8_t *game, uint32_t first,
                          const char *text, struct out *sealed)
{
    struct out notes = {0};
    uint8_t link[32];
    struct record record = {
        .first = first, .count = 2, .claims = claims, .claims_size = sizeof claims - 1};

    record_link(&record, link);
    out_bytes(&notes, text, strlen(text));
    *sealed = (struct out){0};
    record_seal(key, &(struct seal){game, first, link}, &notes, sealed);
    assert_false(sealed->failed);
    record.sealed = (const uint8_t *)sealed->text;
    record.sealed_size = sealed->size;
    out_done(&notes);
    return record;
}

/* All that goes in tells: the key, the game, the place, each byte. */
static void test_nonces(void **state)
{
    static const uint8_t other_key[32] = {8};
    struct out out[6];
    struct record records[] = {
        seal(store_key, gid, 1, "notes", &out[0]),
        seal(store_key, gid, 1, "notez", &out[1]),
        seal(store_key, gid, 2, "notes", &out[2]),
        seal(store_key, gid, 1, "note", &out[3]),
        seal(store_key, other_gid, 1, "notes", &out[4]),
        seal(other_key, gid, 1, "notes", &out[5]),
    };

    (void)state;
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < i; j++)
            assert_memory_not_equal(records[i].sealed, records[j].sealed, SEAL_NONCE_SIZE);
    for (int i = 0; i < 6; i++)
        out_done(&out[i]);
}

/* What stands before the border of the two and after it is not the same. */
static void test_border(void **state)
{
    uint8_t one[SEAL_NONCE_SIZE], other[SEAL_NONCE_SIZE];

    (void)state;
    seal_nonce(store_key, "abcd", 4, "efgh", 4, one);
    seal_nonce(store_key, "abc", 3, "defgh", 5, other);
    assert_memory_not_equal(one, other, sizeof one);
}

static void test_opens_in_its_place_alone(void **state)
{
    struct out out;
    struct record record = seal(store_key, gid, 3, "notes", &out), moved = record,
                  told = record;
    uint8_t *notes;
    size_t size;

    (void)state;
    assert_int_equal(record_open(store_key, gid, &record, &notes, &size), 0);
    assert_int_equal(size, 5);
    assert_memory_equal(notes, "notes", 5);
    free(notes);
    moved.first = 4;
    told.claims = "{\"a\":1}\n{\"b\":3}";
    assert_int_equal(record_open(store_key, other_gid, &record, &notes, &size), -EILSEQ);
    assert_int_equal(record_open(wrong_key, gid, &record, &notes, &size), -EILSEQ);
    assert_int_equal(record_open(store_key, gid, &moved, &notes, &size), -EILSEQ);
    assert_int_equal(record_open(store_key, gid, &told, &notes, &size), -EILSEQ);
    out_done(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nonces),
        cmocka_unit_test(test_border),
        cmocka_unit_test(test_opens_in_its_place_alone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
