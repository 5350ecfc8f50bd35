/* Fuzzes the verifier: transcripts whose tokens are signed and chained here, so that what is
 * changed inside of them gets as far as the rules.
 *
 * The input is a transcript in which each event is its claims, an object; `gid`, `prev` and the
 * tokens are put in. What is no such thing is read as the text of a token or transcript.
 */
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/base64.h"
#include "api/commit.h"
#include "api/json.h"
#include "api/token.h"
#include "api/verify.h"
#include "tests/fuzz/fuzz.h"

static struct token_key key;

/* {"seq","token"} of one event, whose link follows from `link`. */
static json_t *sign(json_t *claims, const char *id, uint8_t link[static 32], size_t seq)
{
    char hex[65];
    const char *typ = json_string_value(json_object_get(claims, "typ"));

    sodium_bin2hex(hex, sizeof hex, link, 32);
    json_object_set_new(claims, "gid", json_string(id));
    json_object_set_new(claims, "prev", json_string(hex));
    char *text = json_dumps(claims, JSON_COMPACT);
    if (!text)
        return NULL;
    char *token = typ && strlen(typ) <= 16 ? token_sign(&key, typ, text, strlen(text)) : NULL;
    commit_link(text, strlen(text), link);
    json_t *event =
        token ? json_pack("{s:I,s:s}", "seq", (json_int_t)seq, "token", token) : NULL;
    free(text);
    free(token);
    return event;
}

static void chain(json_t *transcript)
{
    const char *id = json_string_value(json_object_get(transcript, "id"));
    json_t *claims, *events = json_array();
    uint8_t gid[16], link[32];
    size_t i;

    if (!id || !base64_decode(id, strlen(id), gid, sizeof gid))
        memset(gid, 0, sizeof gid);
    memset(link, 0, sizeof link);
    json_array_foreach(json_object_get(transcript, "events"), i, claims)
    {
        json_t *event = json_is_object(claims) && id ? sign(claims, id, link, i + 1) : NULL;
        json_array_append_new(events, event ? event : json_null());
    }
    json_object_set_new(transcript, "events", events);
    json_object_set_new(transcript, "keys", json_pack("[s]", key.paserk));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint8_t seed[32] = {1};
    struct fault fault = {0};
    struct out out = {0};

    if (!*key.pid) {
        if (sodium_init() < 0)
            abort();
        token_key_from_seed(&key, seed);
    }
    (void)verify_text((const char *)data, size, key.paserk, &out);
    must_be_json(&out);
    json_t *transcript = json_gate((const char *)data, size, &fault);
    if (!transcript)
        return 0;
    if (json_is_object(transcript)) {
        chain(transcript);
        out = (struct out){0};
        (void)verify_transcript(transcript, key.paserk, &out);
        must_be_json(&out);
    }
    json_decref(transcript);
    return 0;
}
