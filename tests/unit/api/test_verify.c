/* The verifier on what nobody honest would send. Whole games: tests/api/life.c. */
#include "api/verify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "api/token.h"

static struct token_key key;

static char *sign(const char *typ, const char *claims)
{
    char *token = token_sign(&key, typ, claims, strlen(claims));

    assert_non_null(token);
    return token;
}

/* A transcript of that one event, verified; the answer is the caller's to give back. */
static json_t *verify(const char *claims)
{
    char *token = sign("result", claims);
    json_t *transcript =
        json_pack("{s:s, s:s, s:[s], s:[{s:i, s:s}], s:{}, s:{}, s:[], s:n}", "format",
                  "refereed-transcript/1", "id", "AAAAAAAAAAAAAAAAAAAAAA", "keys", key.paserk,
                  "events", "seq", 1, "token", token, "seeds", "secrets", "openings", "result");
    struct out out = {0};
    size_t size;

    assert_non_null(transcript);
    assert_false(verify_transcript(transcript, NULL, &out));
    char *text = out_take(&out, &size);
    json_t *answer = json_loadb(text, size, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(answer);
    assert_true(json_is_false(json_object_get(answer, "ok")));
    free(text);
    free(token);
    json_decref(transcript);
    return answer;
}

static const char *failed(const json_t *answer)
{
    const json_t *checks = json_object_get(answer, "checks");
    const json_t *last = json_array_get(checks, json_array_size(checks) - 1);

    assert_true(json_is_false(json_object_get(last, "ok")));
    return json_string_value(json_object_get(last, "name"));
}

/* Claims of more than 16 KiB are not even looked into, however well they are signed. */
static void test_large_claims(void **state)
{
    size_t size = 17 * 1024;
    char *claims = malloc(size + 32);

    (void)state;
    assert_non_null(claims);
    int lead = snprintf(claims, size, "{\"typ\":\"result\",\"x\":\"");
    memset(claims + lead, 'x', size - (size_t)lead);
    strcpy(claims + size, "\"}");
    json_t *answer = verify(claims);
    assert_string_equal(failed(answer), "signatures");
    json_decref(answer);
    free(claims);
}

/* Well signed, wrong inside: refused at one check or another, without a crash. */
static void test_odd_claims(void **state)
{
    static const char *const zero =
        "0000000000000000000000000000000000000000000000000000000000000000";
    static const char *const odd[] = {
        "{}",
        "{\"type\":null}",
        "{\"type\":\"created\"}",
        "{\"result\":{}}",
        "{\"type\":\"ended\",\"result\":{\"reason\":\"aborted\"}}",
        "{\"type\":\"ended\",\"referee_seed\":1,\"result\":{\"reason\":\"aborted\"}}",
        "{\"type\":\"moved\",\"referee_seed\":\"\",\"result\":{\"reason\":\"r\"},\"seat\":7}",
        "{\"type\":\"ended\",\"result\":{\"reason\":\"resigned\",\"winner\":\"left\"}}",
    };

    (void)state;
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        char claims[512];
        (void)snprintf(claims, sizeof claims,
                       "{\"gid\":\"AAAAAAAAAAAAAAAAAAAAAA\",\"prev\":\"%s\",\"seq\":1,"
                       "\"typ\":\"result\"%s%s",
                       zero, odd[i][1] == '}' ? "" : ",", odd[i] + 1);
        json_t *answer = verify(claims);
        assert_non_null(failed(answer));
        json_decref(answer);
    }
}

static void test_tokens(void **state)
{
    static const char *const bad[] = {"", ".", "v4.public.", "v4.public.AAAA", "v4.local.AAAA"};
    struct out out = {0};
    char *token = sign("ruling", "{\"typ\":\"ruling\"}");

    (void)state;
    assert_true(verify_text(token, strlen(token), key.paserk, &out));
    out_done(&out);
    assert_false(verify_text(token, strlen(token), NULL, &out));
    out_done(&out);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_false(verify_text(bad[i], strlen(bad[i]), key.paserk, &out));
        out_done(&out);
    }
    free(token);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_large_claims),
        cmocka_unit_test(test_odd_claims),
        cmocka_unit_test(test_tokens),
    };
    const uint8_t seed[32] = {7};

    token_key_from_seed(&key, seed);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
