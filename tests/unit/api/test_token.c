/* PASETO's and PASERK's own vectors, the vector of docs/protocol.md, and every way to be wrong.
 */
#include "api/base64.h"
#include "api/hex.h"
#include "api/token.h"

#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define PASETO "tests/vectors/paseto/"

static const uint8_t seed[32] = "a fixed seed for signing tests";

static json_t *load(const char *path)
{
    json_t *file = json_load_file(path, 0, NULL);

    assert_non_null(file);
    return file;
}

static const char *text(const json_t *object, const char *name)
{
    return json_string_value(json_object_get(object, name));
}

static bool fails(const json_t *vector)
{
    return json_is_true(json_object_get(vector, "expect-fail"));
}

static void bytes(const json_t *object, const char *name, uint8_t *ret_bytes, size_t size)
{
    const char *hex = text(object, name);

    assert_non_null(hex);
    assert_true(hex_decode(hex, strlen(hex), ret_bytes, size));
}

/* Verifying gives the payload, signing gives the token, character by character. */
static void check_public(const json_t *vector)
{
    uint8_t public_key[32], secret[64];
    char footer[128];
    size_t size;

    bytes(vector, "public-key", public_key, sizeof public_key);
    bytes(vector, "secret-key", secret, sizeof secret);
    const char *token = text(vector, "token"), *assertion = text(vector, "implicit-assertion");
    char *message = token_verify_raw(public_key, token, assertion, &size);
    assert_non_null(message);
    assert_string_equal(message, text(vector, "payload"));
    assert_int_equal(size, strlen(message));
    char *again = token_sign_raw(secret, message, size, text(vector, "footer"), assertion);
    assert_non_null(again);
    assert_string_equal(again, token);
    bool footed = token_footer(token, footer, sizeof footer);
    assert_int_equal(footed, *text(vector, "footer") != 0);
    if (footed)
        assert_string_equal(footer, text(vector, "footer"));
    free(message);
    free(again);
}

/* Vectors that fail, and all v4.local ones, are refused under whatever key they bring. */
static void check_refused(const json_t *vector)
{
    static const char *const members[] = {"public-key", "key"};
    size_t size, tried = 0;

    for (size_t i = 0; i < 2; i++) {
        uint8_t key[32];

        if (!text(vector, members[i]))
            continue;
        bytes(vector, members[i], key, sizeof key);
        assert_null(token_verify_raw(key, text(vector, "token"),
                                     text(vector, "implicit-assertion"), &size));
        tried++;
    }
    assert_true(tried > 0);
}

static void test_v4(void **state)
{
    json_t *file = load(PASETO "v4.json"), *vector;
    size_t i, good = 0, refused = 0;

    (void)state;
    json_array_foreach(json_object_get(file, "tests"), i, vector)
    {
        if (!fails(vector) && text(vector, "public-key")) {
            check_public(vector);
            good++;
            continue;
        }
        check_refused(vector);
        refused++;
    }
    print_message("v4.json: %zu public vectors hold, %zu others are refused\n", good, refused);
    assert_int_equal(good, 3);
    assert_int_equal(good + refused, json_array_size(json_object_get(file, "tests")));
    json_decref(file);
}

static void check_paserk(const json_t *vector, bool id)
{
    const char *hex = text(vector, "key"), *wanted = text(vector, "paserk");
    char paserk[PASERK_SIZE], pid[PASERK_SIZE];
    uint8_t key[32], again[32];
    bool sized = hex_decode(hex, strlen(hex), key, sizeof key);

    assert_int_equal(sized, !fails(vector));
    if (!sized)
        return;
    token_paserk(key, paserk, pid);
    assert_string_equal(id ? pid : paserk, wanted);
    assert_true(token_paserk_read(paserk, again));
    assert_memory_equal(key, again, sizeof key);
    assert_false(token_paserk_read(pid, again));
}

static void test_paserk(void **state)
{
    static const char *const files[] = {PASETO "k4.public.json", PASETO "k4.pid.json"};
    size_t seen = 0;

    (void)state;
    for (size_t f = 0; f < 2; f++) {
        json_t *file = load(files[f]), *vector;
        size_t i;

        json_array_foreach(json_object_get(file, "tests"), i, vector)
        {
            check_paserk(vector, f == 1);
            seen++;
        }
        json_decref(file);
    }
    assert_int_equal(seen, 9);
}

static void test_paserk_refused(void **state)
{
    static const char *const names[] = {
        "",
        "k4.public.",
        "k4.public",
        "k4.secret.cHFyc3R1dnd4eXp7fH1-f4CBgoOEhYaHiImKi4yNjo8",
        "k3.public.cHFyc3R1dnd4eXp7fH1-f4CBgoOEhYaHiImKi4yNjo8",
        "k4.public.cHFyc3R1dnd4eXp7fH1-f4CBgoOEhYaHiImKi4yNjo",
        "k4.public.cHFyc3R1dnd4eXp7fH1-f4CBgoOEhYaHiImKi4yNjo9",
        "k4.public.cHFyc3R1dnd4eXp7fH1-f4CBgoOEhYaHiImKi4yNjo8=",
        "k4.public.cHFyc3R1dnd4eXp7fH1-f4CBgoOEhYaHiImKi4yNjo8A",
        "k4.public.cHFyc3R1dnd4eXp7fH1+f4CBgoOEhYaHiImKi4yNjo8",
        "K4.public.cHFyc3R1dnd4eXp7fH1-f4CBgoOEhYaHiImKi4yNjo8",
    };
    uint8_t key[32] = {9};

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_false(token_paserk_read(names[i], key));
    assert_int_equal(key[0], 9);
}

static void test_protocol_vector(void **state)
{
    json_t *file = load("tests/vectors/protocol.json");
    const json_t *vector = json_object_get(file, "token");
    const char *claims = text(vector, "claims");
    uint8_t own[32];
    struct token_key key;
    char footer[128];

    (void)state;
    bytes(vector, "seed", own, sizeof own);
    token_key_from_seed(&key, own);
    assert_string_equal(key.paserk, text(vector, "paserk"));
    assert_string_equal(key.pid, text(vector, "pid"));
    char *token = token_sign(&key, text(vector, "typ"), claims, strlen(claims));
    assert_non_null(token);
    assert_string_equal(token, text(vector, "token"));
    assert_true(token_footer(token, footer, sizeof footer));
    assert_string_equal(footer, text(vector, "footer"));
    free(token);
    json_decref(file);
}

static char *sample(struct token_key *ret_key)
{
    static const char claims[] = "{\"iat\":\"2026-01-02T03:04:05Z\",\"typ\":\"ruling\"}";

    token_key_from_seed(ret_key, seed);
    char *token = token_sign(ret_key, "ruling", claims, sizeof claims - 1);
    assert_non_null(token);
    return token;
}

static bool accepted(const struct token_key *key, const char *token, const char *assertion)
{
    size_t size;
    char *message = token_verify_raw(key->public_key, token, assertion, &size);

    free(message);
    return message;
}

/* Every byte in every value it can take, the NUL that cuts the token short included. */
static void test_changed_byte(void **state)
{
    struct token_key key;
    char *token = sample(&key);
    size_t length = strlen(token), tried = 0;

    (void)state;
    assert_true(accepted(&key, token, "refereed/v1/ruling"));
    for (size_t i = 0; i < length; i++) {
        const char right = token[i];

        for (int c = 0; c < 256; c++) {
            token[i] = (char)c;
            if (token[i] == right)
                continue;
            if (accepted(&key, token, "refereed/v1/ruling"))
                fail_msg("byte %zu changed to %d is accepted", i, c);
            tried++;
        }
        token[i] = right;
    }
    print_message("%zu changed tokens refused\n", tried);
    assert_int_equal(tried, 255 * length);
    assert_true(accepted(&key, token, "refereed/v1/ruling"));
    free(token);
}

/* One character dropped, doubled or put in between, and every way to end the token longer. */
static void test_changed_length(void **state)
{
    static const char *const tails[] = {".", "=", "A", "AA", "AAAA", ".e30", " ", "\n", ".."};
    struct token_key key;
    char *token = sample(&key);
    size_t length = strlen(token);
    char *other = malloc(length + 8);

    (void)state;
    for (size_t i = 0; i < length; i++) {
        memcpy(other, token, i);
        memcpy(other + i, token + i + 1, length - i);
        assert_false(accepted(&key, other, "refereed/v1/ruling"));
        memcpy(other, token, i + 1);
        memcpy(other + i + 1, token + i, length - i + 1);
        assert_false(accepted(&key, other, "refereed/v1/ruling"));
    }
    for (size_t i = 0; i < sizeof tails / sizeof *tails; i++) {
        snprintf(other, length + 8, "%s%s", token, tails[i]);
        assert_false(accepted(&key, other, "refereed/v1/ruling"));
    }
    free(other);
    free(token);
}

static void test_other_key_or_kind(void **state)
{
    static const char *const assertions[] = {NULL,
                                             "",
                                             "refereed/v1/event",
                                             "refereed/v1/rulin",
                                             "refereed/v1/ruling ",
                                             "refereed/v2/ruling"};
    struct token_key key, other;
    uint8_t other_seed[32];
    char *token = sample(&key);

    (void)state;
    for (size_t i = 0; i < sizeof assertions / sizeof *assertions; i++)
        assert_false(accepted(&key, token, assertions[i]));
    memcpy(other_seed, seed, sizeof seed);
    other_seed[31] ^= 1;
    token_key_from_seed(&other, other_seed);
    assert_false(accepted(&other, token, "refereed/v1/ruling"));
    memset(other.public_key, 0, sizeof other.public_key); /* a point of small order */
    assert_false(accepted(&other, token, "refereed/v1/ruling"));
    free(token);
}

/* No footer has one form: the dot of an empty one is refused. */
static void test_footers(void **state)
{
    struct token_key key;
    char longer[512], footer[8] = "kept";

    (void)state;
    token_key_from_seed(&key, seed);
    char *bare = token_sign_raw(key.secret, "{}", 2, NULL, NULL);
    char *empty = token_sign_raw(key.secret, "{}", 2, "", "");
    char *footed = token_sign_raw(key.secret, "{}", 2, "1234567", "");
    assert_string_equal(bare, empty);
    assert_true(accepted(&key, bare, NULL));
    assert_false(token_footer(bare, footer, sizeof footer));
    snprintf(longer, sizeof longer, "%s.", bare);
    assert_false(accepted(&key, longer, NULL));
    assert_false(token_footer(footed, footer, 7));
    assert_string_equal(footer, "kept");
    assert_true(token_footer(footed, footer, 8));
    assert_string_equal(footer, "1234567");
    assert_false(token_footer("v4.public.AAAA.AA", footer, sizeof footer)); /* holds a NUL */
    assert_false(token_footer("v4.public.AAAA.AB", footer, sizeof footer));
    assert_false(token_footer("v4.local.AAAA.AA", footer, sizeof footer));
    assert_false(token_footer("", footer, sizeof footer));
    assert_string_equal(footer, "1234567");
    free(bare);
    free(empty);
    free(footed);
}

static void test_peek(void **state)
{
    static const char *const tokens[] = {
        "", "v4.public", "v4.public.", "v4.public.AAAA", "v4.local.AAAA", "v4.public.!"};
    struct token_key key;
    char *token = sample(&key);
    size_t size;

    (void)state;
    for (size_t i = 0; i < sizeof tokens / sizeof *tokens; i++) {
        assert_null(token_peek(tokens[i], &size));
        assert_false(accepted(&key, tokens[i], NULL));
    }
    char *claims = token_peek(token, &size);
    assert_non_null(claims);
    assert_string_equal(claims, "{\"iat\":\"2026-01-02T03:04:05Z\",\"typ\":\"ruling\"}");
    assert_int_equal(size, strlen(claims));
    /* Right after a good one: nothing of it is taken for a part of this. */
    assert_null(token_peek("v4.local.AAAA", &size));
    free(claims);
    free(token);
}

/* Messages of all small sizes, NULs in them, come back whole. */
static void test_any_message(void **state)
{
    struct token_key key;
    uint8_t message[200];

    (void)state;
    token_key_from_seed(&key, seed);
    for (size_t size = 0; size < sizeof message; size++) {
        size_t got;

        message[size] = (uint8_t)(size % 5);
        char *token = token_sign_raw(key.secret, message, size, "f", "a");
        char *again = token_verify_raw(key.public_key, token, "a", &got);
        assert_non_null(again);
        assert_int_equal(got, size);
        assert_memory_equal(again, message, size);
        assert_int_equal(again[size], 0);
        free(again);
        free(token);
    }
}

/* Lengths that take more than a byte to write, and none at all, signed by another program
 * (OpenSSL's Ed25519 over the pre-authentication encoding made by hand). */
static void test_lengths(void **state)
{
    static const char *const signatures[] = {
        "df4d637210a200be79bdcb9ae0ad2319cd1fdf307def40184759442df4ec8615"
        "ffa26f36e091bf0e82b63a8017b4e2e558cffc43fe406e7afc51074315474404",
        "f884285d8da8fe6a57e5b4b37e06341902964a846ebddf96944c851fc45b88b0"
        "6665135da4f295b03170ee77c22e1bfa35a2203aade3eac2f87ff1671d99a800"};
    static uint8_t message[70000], decoded[70000 + 64];
    char footer[301] = "", assertion[601] = "", hex[129];
    struct token_key key;
    size_t got;

    (void)state;
    token_key_from_seed(&key, seed);
    for (int i = 0; i < 2; i++) {
        size_t size = i ? 0 : sizeof message;
        memset(message, 'x', sizeof message);
        memset(footer, i ? 0 : 'f', sizeof footer - 1);
        memset(assertion, i ? 0 : 'a', sizeof assertion - 1);
        char *token = token_sign_raw(key.secret, message, size, footer, assertion);
        assert_non_null(token);
        const char *payload = token + strlen("v4.public.");
        assert_true(base64_decode(payload, strcspn(payload, "."), decoded, size + 64));
        hex_encode(decoded + size, 64, hex);
        assert_string_equal(hex, signatures[i]);
        char *again = token_verify_raw(key.public_key, token, assertion, &got);
        assert_non_null(again);
        assert_int_equal(got, size);
        free(again);
        again = token_peek(token, &got);
        assert_non_null(again);
        assert_int_equal(got, size);
        free(again);
        free(token);
    }
}

/* The n-th allocation from now on fails; 0: none. */
static unsigned failing;
static long held; /* what has been allocated here and not freed */

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);
void __real_free(void *memory);
void __wrap_free(void *memory);

void *__wrap_malloc(size_t size)
{
    void *memory = failing && --failing == 0 ? NULL : __real_malloc(size);

    held += memory != NULL;
    return memory;
}

void __wrap_free(void *memory)
{
    held -= memory != NULL;
    __real_free(memory);
}

/* Without memory there is no token, no message and no footer, and nothing else happens. */
static void test_no_memory(void **state)
{
    struct token_key key;
    char footer[64] = "kept";
    size_t size;

    (void)state;
    token_key_from_seed(&key, seed);
    held = 0;
    char *token = token_sign_raw(key.secret, "{}", 2, "f", "a");
    for (unsigned n = 1; n <= 3; n++) { /* payload, what is signed, token */
        failing = n;
        assert_null(token_sign_raw(key.secret, "{}", 2, "f", "a"));
        assert_int_equal(failing, 0);
        failing = n;
        assert_null(token_sign(&key, "event", "{}", 2));
        assert_int_equal(failing, 0);
    }
    for (unsigned n = 1; n <= 3; n++) { /* payload, footer, what was signed */
        failing = n;
        assert_null(token_verify_raw(key.public_key, token, "a", &size));
        assert_int_equal(failing, 0);
    }
    failing = 1;
    assert_false(token_footer(token, footer, sizeof footer));
    assert_string_equal(footer, "kept");
    failing = 1;
    assert_null(token_peek(token, &size));
    assert_int_equal(failing, 0);
    free(token);
    assert_int_equal(held, 0);
}

/* Whatever comes of it, nothing is left behind. */
static void test_nothing_is_kept(void **state)
{
    static const char *const wrong[] = {"v4.public.AAAA.AA", "v4.public.AB.AA",
                                        "v4.public.AAAA.AB", "v4.public.AA", "v4.public."};
    struct token_key key;
    char footer[64];
    size_t size;

    (void)state;
    token_key_from_seed(&key, seed);
    held = 0;
    char *token = token_sign_raw(key.secret, "{}", 2, "f", "a");
    assert_int_equal(held, 1);
    free(token_verify_raw(key.public_key, token, "a", &size));
    assert_null(token_verify_raw(key.public_key, token, "b", &size));
    free(token_peek(token, &size));
    assert_true(token_footer(token, footer, sizeof footer));
    assert_false(token_footer(token, footer, 1));
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_null(token_verify_raw(key.public_key, wrong[i], "a", &size));
        assert_null(token_peek(wrong[i], &size));
        (void)token_footer(wrong[i], footer, sizeof footer);
    }
    free(token);
    assert_int_equal(held, 0);
}

static void test_wipe(void **state)
{
    const struct token_key nothing = {{0}, {0}, {0}, {0}};
    struct token_key key;

    (void)state;
    token_key_from_seed(&key, seed);
    token_key_wipe(&key);
    assert_memory_equal(&key, &nothing, sizeof key);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_v4),
        cmocka_unit_test(test_paserk),
        cmocka_unit_test(test_paserk_refused),
        cmocka_unit_test(test_protocol_vector),
        cmocka_unit_test(test_changed_byte),
        cmocka_unit_test(test_changed_length),
        cmocka_unit_test(test_other_key_or_kind),
        cmocka_unit_test(test_footers),
        cmocka_unit_test(test_peek),
        cmocka_unit_test(test_any_message),
        cmocka_unit_test(test_lengths),
        cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_nothing_is_kept),
        cmocka_unit_test(test_wipe),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
