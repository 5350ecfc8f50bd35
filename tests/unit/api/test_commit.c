/* Every preimage against tests/vectors/protocol.json. */
#include "api/commit.h"
#include "api/hex.h"

#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { LIST_MAX = 64 };

static json_t *vectors;
static uint8_t gid[GID_SIZE];

static uint8_t number(const json_t *args, const char *name)
{
    const json_t *value = json_object_get(args, name);

    assert_true(json_is_integer(value));
    return (uint8_t)json_integer_value(value);
}

static void bytes_of(const json_t *value, uint8_t *ret_bytes, size_t size)
{
    const char *text = json_string_value(value);

    assert_non_null(text);
    assert_true(hex_decode(text, strlen(text), ret_bytes, size));
}

static const uint8_t *bytes(const json_t *args, const char *name, uint8_t room[static 32])
{
    bytes_of(json_object_get(args, name), room, 32);
    return room;
}

static uint8_t list(const json_t *args, const char *name, uint8_t *ret_bytes)
{
    const json_t *items = json_object_get(args, name), *item;
    size_t i;

    assert_true(json_is_array(items) && json_array_size(items) <= LIST_MAX);
    json_array_foreach(items, i, item) bytes_of(item, ret_bytes + 32 * i, 32);
    return (uint8_t)json_array_size(items);
}

static void nonce(const json_t *a, uint8_t *hash)
{
    uint8_t secret[32];

    commit_nonce(bytes(a, "secret", secret), gid, number(a, "context"), number(a, "index"),
                 hash);
}

static void piece(const json_t *a, uint8_t *hash)
{
    uint8_t n[32];

    commit_piece(gid, number(a, "seat"), number(a, "slot"), number(a, "rank"),
                 bytes(a, "nonce", n), hash);
}

static void setup(const json_t *a, uint8_t *hash)
{
    uint8_t commitments[LIST_MAX * 32];
    uint8_t count = list(a, "commitments", commitments);

    commit_setup(gid, number(a, "seat"), commitments, count, hash);
}

static void referee_seed(const json_t *a, uint8_t *hash)
{
    uint8_t seed[32];

    commit_referee_seed(gid, number(a, "round"), bytes(a, "seed", seed), hash);
}

static void player_seed(const json_t *a, uint8_t *hash)
{
    uint8_t seed[32];

    commit_player_seed(gid, number(a, "round"), number(a, "seat"), bytes(a, "seed", seed),
                       hash);
}

static void mixed(const json_t *a, uint8_t *hash)
{
    uint8_t referee[32], players[LIST_MAX * 32];
    uint8_t seats = list(a, "players", players);

    commit_mix(gid, number(a, "round"), bytes(a, "referee", referee), players, seats, hash);
}

static void card(const json_t *a, uint8_t *hash)
{
    uint8_t n[32];

    commit_card(gid, number(a, "round"), number(a, "position"), number(a, "value"),
                bytes(a, "nonce", n), hash);
}

static void tile(const json_t *a, uint8_t *hash)
{
    uint8_t n[32];

    commit_tile(gid, number(a, "tile"), number(a, "symbol"), bytes(a, "nonce", n), hash);
}

static void chain_link(const json_t *a, uint8_t *hash)
{
    const json_t *claims = json_object_get(a, "claims");

    commit_link(json_string_value(claims), json_string_length(claims), hash);
}

static void credential(const json_t *a, uint8_t *hash)
{
    uint8_t secret[32];

    commit_credential(bytes(a, "secret", secret), hash);
}

static const struct {
    const char *kind;
    void (*make)(const json_t *args, uint8_t *hash);
} kinds[] = {
    {"nonce", nonce},       {"piece", piece},      {"setup", setup}, {"sseed", referee_seed},
    {"pseed", player_seed}, {"mixed", mixed},      {"cards", card},  {"tiles", tile},
    {"event", chain_link},  {"authn", credential},
};

enum { KINDS = sizeof kinds / sizeof *kinds };

static void test_vectors(void **state)
{
    const json_t *vector;
    bool seen[KINDS] = {false};
    size_t i;

    (void)state;
    json_array_foreach(json_object_get(vectors, "hashes"), i, vector)
    {
        const char *kind = json_string_value(json_object_get(vector, "kind"));

        for (size_t k = 0; k < KINDS; k++) {
            uint8_t hash[HASH_SIZE], wanted[HASH_SIZE];

            if (strcmp(kinds[k].kind, kind))
                continue;
            kinds[k].make(json_object_get(vector, "args"), hash);
            assert_memory_equal(hash, bytes(vector, "hash", wanted), sizeof hash);
            seen[k] = true;
        }
    }
    for (size_t k = 0; k < KINDS; k++)
        assert_true(seen[k]);
}

/* The whole set-up from its secret, as a player or a verifier makes it. */
static void test_setup_from_secret(void **state)
{
    uint8_t secret[32], commitments[40 * 32], hash[32];
    char text[65];

    (void)state;
    for (uint8_t i = 0; i < 32; i++)
        secret[i] = (uint8_t)(0x20 + i);
    for (uint8_t slot = 0; slot < 40; slot++) {
        uint8_t n[32];

        commit_nonce(secret, gid, 0, slot, n);
        commit_piece(gid, 0, slot, slot % 11, n, commitments + 32 * slot);
    }
    commit_setup(gid, 0, commitments, 40, hash);
    hex_encode(hash, sizeof hash, text);
    assert_string_equal(text,
                        "2c6b940f5f3cd3204dd64bfbb33205cf8109f747ac4f390f4f994cbd4622ed65");
}

/* The name of a hash in a set: its first eight bytes, the lowest first. */
static void test_id(void **state)
{
    const uint8_t hash[32] = {0x10, 0x32, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef, 0xff};

    (void)state;
    assert_int_equal(commit_id(hash), UINT64_C(0xefcdab8967453210));
}

static int open_vectors(void **state)
{
    (void)state;
    vectors = json_load_file("tests/vectors/protocol.json", 0, NULL);
    assert_non_null(vectors);
    bytes_of(json_object_get(vectors, "gid"), gid, sizeof gid);
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
        cmocka_unit_test(test_vectors),
        cmocka_unit_test(test_setup_from_secret),
        cmocka_unit_test(test_id),
    };
    return cmocka_run_group_tests(tests, open_vectors, close_vectors);
}
