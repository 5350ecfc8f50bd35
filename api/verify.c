#include "api/verify.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/base64.h"
#include "api/cleanup.h"
#include "api/commit.h"
#include "api/json.h"
#include "api/json_read.h"
#include "api/limits.h"
#include "api/replay.h"
#include "api/token.h"

enum { FOOTER_MAX = 128 };

struct verifying {
    struct out *out;
    bool ok;
    const char *pinned;
    uint8_t keys[TRANSCRIPT_KEYS_MAX][32];
    char pids[TRANSCRIPT_KEYS_MAX][PASERK_SIZE];
    size_t key_count;
    bool used[TRANSCRIPT_KEYS_MAX]; /* has signed one of the tokens */
    int signer;                     /* of the first token; -1: none yet */
};

static void check(struct verifying *v, const char *name, bool ok, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static void check(struct verifying *v, const char *name, bool ok, const char *format, ...)
{
    char detail[256];
    va_list arguments;

    va_start(arguments, format);
    (void)vsnprintf(detail, sizeof detail, format, arguments);
    va_end(arguments);
    out_object(v->out, NULL);
    out_text(v->out, "name", name);
    out_bool(v->out, "ok", ok);
    out_text(v->out, "detail", detail);
    out_object_end(v->out);
    v->ok = v->ok && ok;
}

static void add_key(struct verifying *v, const uint8_t key[static 32])
{
    char paserk[PASERK_SIZE];

    if (v->key_count == TRANSCRIPT_KEYS_MAX)
        return;
    memcpy(v->keys[v->key_count], key, 32);
    token_paserk(key, paserk, v->pids[v->key_count++]);
}

/* The key that a token's footer names: {"kid":"k4.pid...."}; -1: none of ours. */
static int key_of(const struct verifying *v, const char *token)
{
    char footer[FOOTER_MAX], want[FOOTER_MAX];

    if (!token_footer(token, footer, sizeof footer))
        return -1;
    for (size_t i = 0; i < v->key_count; i++) {
        (void)snprintf(want, sizeof want, "{\"kid\":\"%s\"}", v->pids[i]);
        if (strcmp(footer, want) == 0)
            return (int)i;
    }
    return -1;
}

/* The claims of a token whose signature holds, the caller's to free. */
static char *open_token(struct verifying *v, const char *token, size_t *ret_size)
{
    char assertion[64];
    size_t size;
    int key = key_of(v, token);
    autofree char *peeked = token_peek(token, &size);
    json_auto_t *claims = peeked ? json_read(peeked, size, NULL) : NULL;
    const char *typ = json_string_value(json_object_get(claims, "typ"));

    if (key < 0 || !typ || strlen(typ) > 16)
        return NULL;
    v->used[key] = true;
    if (v->signer < 0)
        v->signer = key;
    (void)snprintf(assertion, sizeof assertion, "refereed/v1/%s", typ);
    return token_verify_raw(v->keys[key], token, assertion, ret_size);
}

static void begin(struct verifying *v, struct out *out, const char *pinned)
{
    *v = (struct verifying){.out = out, .ok = true, .pinned = pinned, .signer = -1};
    out_object(out, NULL);
    out_array(out, "checks");
}

/* The signer must be the pinned one, by either of its names. */
static bool end(struct verifying *v)
{
    char paserk[PASERK_SIZE] = "", pid[PASERK_SIZE] = "";

    if (v->signer >= 0)
        token_paserk(v->keys[v->signer], paserk, pid);
    bool same = v->pinned && v->signer >= 0 &&
                (strcmp(v->pinned, paserk) == 0 || strcmp(v->pinned, pid) == 0);
    if (v->pinned)
        check(v, "pinned key", same, "%s",
              same ? "The signer is the key that was asked for."
                   : "The signer is not the key that was asked for.");
    out_array_end(v->out);
    out_text(v->out, "key", v->signer < 0 ? NULL : pid);
    out_bool(v->out, "ok", v->ok);
    out_bool(v->out, "pinned", same);
    out_object_end(v->out);
    return v->ok && !v->out->failed;
}

bool verify_token(const char *token, const char *pinned, const uint8_t (*keys)[32],
                  size_t key_count, struct out *out)
{
    struct verifying v;
    uint8_t key[32];
    size_t size;

    begin(&v, out, pinned);
    if (pinned && token_paserk_read(pinned, key))
        add_key(&v, key);
    for (size_t i = 0; i < key_count; i++)
        add_key(&v, keys[i]);
    check(&v, "key", key_of(&v, token) >= 0, "%s",
          key_of(&v, token) >= 0 ? "The footer names a known key."
                                 : "The footer names no key that is known here.");
    autofree char *claims = open_token(&v, token, &size);
    check(&v, "signature", claims, "%s",
          claims ? "The signature holds." : "The signature does not hold.");
    return end(&v);
}

static bool read_keys(struct verifying *v, const json_t *keys)
{
    const json_t *value;
    uint8_t key[32];
    size_t i;
    bool good = json_is_array(keys) && json_array_size(keys) <= TRANSCRIPT_KEYS_MAX;

    if (good)
        json_array_foreach(keys, i, value)
        {
            good = good && json_is_string(value) &&
                   token_paserk_read(json_string_value(value), key);
            if (good)
                add_key(v, key);
        }
    good = good && v->key_count > 0;
    check(v, "keys", good, good ? "%zu named." : "%zu are k4.public keys, others are not.",
          v->key_count);
    return good;
}

/* Opens all tokens; the record's lines are the caller's to free by record_lines_done(). */
static bool read_events(struct verifying *v, const json_t *events, struct lines *lines)
{
    const json_t *event;
    size_t i;

    if (!json_is_array(events) || !json_array_size(events) ||
        json_array_size(events) > TRANSCRIPT_EVENTS_MAX || !lines_init(lines, events)) {
        check(v, "signatures", false, "There are no events to check.");
        return false;
    }
    json_array_foreach(events, i, event)
    {
        const char *token = json_string_value(json_object_get(event, "token"));
        char *claims = token ? open_token(v, token, &lines->size[i]) : NULL;
        if (claims && lines->size[i] > CLAIMS_MAX) {
            free(claims);
            claims = NULL;
        }
        if (!claims || !lines_add(lines, i, claims)) {
            check(v, "signatures", false, "The token of event %zu does not hold.", i + 1);
            return false;
        }
        if (json_object_size(event) != 2 ||
            json_integer_value(json_object_get(event, "seq")) != (json_int_t)i + 1) {
            check(v, "signatures", false, "Event %zu is not marked by its seq.", i + 1);
            return false;
        }
    }
    for (i = 0; i < v->key_count; i++)
        if (!v->used[i]) {
            check(v, "signatures", false, "Key %zu of the list has signed nothing.", i + 1);
            return false;
        }
    check(v, "signatures", true, "All %zu tokens hold.", lines->count);
    return true;
}

static bool text_is(const json_t *object, const char *name, const char *want)
{
    const char *text = json_string_value(json_object_get(object, name));

    return text && strcmp(text, want) == 0;
}

/* gid, seq and prev of every event; typ game first, result last, nowhere else. */
static bool check_chain(struct verifying *v, const struct lines *lines, const char *id)
{
    uint8_t link[32] = {0};
    char prev[65];

    for (size_t i = 0; i < lines->count; i++) {
        const json_t *claims = lines->claims[i];
        bool first = i == 0, last = i + 1 == lines->count;
        for (size_t j = 0; j < 32; j++)
            (void)snprintf(prev + 2 * j, 3, "%02x", link[j]);
        bool good = text_is(claims, "gid", id) && text_is(claims, "prev", prev) &&
                    json_integer_value(json_object_get(claims, "seq")) == (json_int_t)i + 1 &&
                    text_is(claims, "typ", "game") == first &&
                    text_is(claims, "typ", "result") == last;
        if (!good) {
            check(v, "chain", false, "Event %zu does not follow the one before.", i + 1);
            return false;
        }
        commit_link(lines->text[i], lines->size[i], link);
    }
    check(v, "chain", true, "%zu events, one after the other, the last is the result.",
          lines->count);
    return true;
}

static void check_record(struct verifying *v, const json_t *transcript)
{
    struct lines lines = {0};
    struct replay replay = {.lines = &lines, .transcript = transcript};
    const char *id = json_string_value(json_object_get(transcript, "id"));

    if (id && read_keys(v, json_object_get(transcript, "keys")) &&
        read_events(v, json_object_get(transcript, "events"), &lines) &&
        check_chain(v, &lines, id)) {
        replay_run(&replay);
        for (size_t i = 0; i < replay.check_count; i++)
            check(v, replay.checks[i].name, replay.checks[i].ok, "%s", replay.checks[i].detail);
    } else if (v->ok) {
        check(v, "format", false, "There is no id.");
    }
    replay_done(&replay);
    lines_done(&lines);
}

bool verify_transcript(const json_t *transcript, const char *pinned, struct out *out)
{
    struct verifying v;
    static const char *const members[] = {"format", "id",      "keys",     "events",
                                          "seeds",  "secrets", "openings", "result"};
    size_t known = sizeof members / sizeof *members;
    bool format = text_is(transcript, "format", "refereed-transcript/1") &&
                  json_object_size(transcript) == known;

    for (size_t i = 0; i < known; i++)
        format = format && json_object_get(transcript, members[i]);

    begin(&v, out, pinned);
    check(&v, "format", format, "%s",
          format ? "refereed-transcript/1" : "This is not a refereed-transcript/1.");
    if (format)
        check_record(&v, transcript);
    return end(&v);
}

bool verify_text(const char *text, size_t size, const char *pinned, struct out *out)
{
    json_auto_t *value = json_read(text, size, NULL);

    if (json_is_object(value))
        return verify_transcript(value, pinned, out);
    autofree char *token = strndup(text, size);
    if (!token) {
        out->failed = true;
        return false;
    }
    token[strcspn(token, " \r\n")] = '\0';
    return verify_token(token, pinned, NULL, 0, out);
}
