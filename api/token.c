#include "api/token.h"

#include "api/base64.h"

#include <assert.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEADER     "v4.public."
#define KEY_HEADER "k4.public."
#define PID_HEADER "k4.pid."

enum {
    HEADER_SIZE = sizeof HEADER - 1,
    KEY_HEADER_SIZE = sizeof KEY_HEADER - 1,
    PID_HEADER_SIZE = sizeof PID_HEADER - 1,
    KEY_SIZE = 32,
    PID_SIZE = 33,
    SIGNATURE_SIZE = crypto_sign_BYTES,
    FOOTER_ROOM = PASERK_SIZE + 16,
    ASSERTION_ROOM = 48,
};

struct bytes {
    const void *at;
    size_t size;
};

/* The parts of a token, still in base64url; `footer.at` is NULL where there is none. */
struct parts {
    struct bytes payload, footer;
};

static struct bytes text(const char *string)
{
    return (struct bytes){string, string ? strlen(string) : 0};
}

/* False also for an empty footer behind a dot: it would be a second form of the same token. */
static bool split(const char *token, struct parts *ret_parts)
{
    const char *payload = token + HEADER_SIZE;

    if (strncmp(token, HEADER, HEADER_SIZE))
        return false;
    const char *dot = strchr(payload, '.');
    ret_parts->payload = dot ? (struct bytes){payload, (size_t)(dot - payload)} : text(payload);
    ret_parts->footer = text(dot ? dot + 1 : NULL);
    return !dot || ret_parts->footer.size > 0;
}

/* The bytes of a base64url text with a NUL behind them, the caller's to free; NULL if it is not
 * in canonical form. */
static uint8_t *decode(struct bytes encoded, size_t *ret_size)
{
    size_t size = encoded.size / 4 * 3 + (encoded.size % 4 ? encoded.size % 4 - 1 : 0);
    uint8_t *decoded = malloc(size + 1);

    if (!decoded)
        return NULL;
    if (!base64_decode(encoded.size ? encoded.at : "", encoded.size, decoded, size)) {
        free(decoded);
        return NULL;
    }
    decoded[size] = 0;
    *ret_size = size;
    return decoded;
}

static uint8_t *put_size(uint8_t *at, size_t size)
{
    for (int i = 0; i < 8; i++)
        *at++ = (uint8_t)((uint64_t)size >> 8 * i);
    return at;
}

/* PASETO's pre-authentication encoding of header, message, footer and assertion: what is
 * signed. The caller's to free; NULL without memory. */
static uint8_t *encode_signed(struct bytes message, struct bytes footer, struct bytes assertion,
                              size_t *ret_size)
{
    const struct bytes pieces[] = {text(HEADER), message, footer, assertion};
    const size_t count = sizeof pieces / sizeof *pieces;
    size_t size = 8;

    for (size_t i = 0; i < count; i++)
        size += 8 + pieces[i].size;
    uint8_t *encoded = malloc(size);
    if (!encoded)
        return NULL;
    uint8_t *at = put_size(encoded, count);
    for (size_t i = 0; i < count; i++) {
        at = put_size(at, pieces[i].size);
        if (pieces[i].size)
            memcpy(at, pieces[i].at, pieces[i].size);
        at += pieces[i].size;
    }
    *ret_size = size;
    return encoded;
}

/* The token of a message followed by its signature. */
static char *assemble(const uint8_t *payload, size_t size, struct bytes footer)
{
    size_t payload_room = base64_size(size);
    char *token = malloc(HEADER_SIZE + payload_room + 1 + base64_size(footer.size) + 1);

    if (!token)
        return NULL;
    memcpy(token, HEADER, HEADER_SIZE);
    base64_encode(payload, size, token + HEADER_SIZE);
    if (footer.size) {
        token[HEADER_SIZE + payload_room] = '.';
        base64_encode(footer.at, footer.size, token + HEADER_SIZE + payload_room + 1);
    }
    return token;
}

char *token_sign_raw(const uint8_t secret[static 64], const void *message, size_t size,
                     const char *footer, const char *assertion)
{
    size_t signed_size;
    uint8_t *payload = malloc(size + SIGNATURE_SIZE);
    uint8_t *to_sign = encode_signed((struct bytes){message, size}, text(footer),
                                     text(assertion), &signed_size);
    char *token = NULL;

    if (payload && to_sign) {
        if (size)
            memcpy(payload, message, size);
        crypto_sign_detached(payload + size, NULL, to_sign, signed_size, secret);
        token = assemble(payload, size + SIGNATURE_SIZE, text(footer));
    }
    free(payload);
    free(to_sign);
    return token;
}

char *token_sign(const struct token_key *key, const char *typ, const char *claims, size_t size)
{
    char footer[FOOTER_ROOM], assertion[ASSERTION_ROOM];
    int length = snprintf(assertion, sizeof assertion, "refereed/v1/%s", typ);

    assert(length > 0 && (size_t)length < sizeof assertion);
    snprintf(footer, sizeof footer, "{\"kid\":\"%s\"}", key->pid);
    return token_sign_raw(key->secret, claims, size, footer, assertion);
}

static bool holds(const uint8_t *public_key, const uint8_t *payload, size_t size,
                  struct bytes footer, struct bytes assertion)
{
    size_t signed_size;
    uint8_t *to_sign =
        encode_signed((struct bytes){payload, size}, footer, assertion, &signed_size);
    bool good = to_sign && crypto_sign_verify_detached(payload + size, to_sign, signed_size,
                                                       public_key) == 0;

    free(to_sign);
    return good;
}

char *token_verify_raw(const uint8_t public_key[static 32], const char *token,
                       const char *assertion, size_t *ret_size)
{
    struct parts parts;
    size_t size, footer_size;

    if (!split(token, &parts))
        return NULL;
    uint8_t *payload = decode(parts.payload, &size);
    uint8_t *footer = decode(parts.footer, &footer_size);
    bool good = payload && footer && size >= SIGNATURE_SIZE &&
                holds(public_key, payload, size - SIGNATURE_SIZE,
                      (struct bytes){footer, footer_size}, text(assertion));
    free(footer);
    if (!good) {
        free(payload);
        return NULL;
    }
    *ret_size = size - SIGNATURE_SIZE;
    payload[*ret_size] = 0;
    return (char *)payload;
}

bool token_footer(const char *token, char *ret_footer, size_t room)
{
    struct parts parts;
    size_t size;

    if (!split(token, &parts) || !parts.footer.at)
        return false;
    uint8_t *footer = decode(parts.footer, &size);
    bool good = footer && size < room && !memchr(footer, 0, size);
    if (good)
        memcpy(ret_footer, footer, size + 1);
    free(footer);
    return good;
}

char *token_peek(const char *token, size_t *ret_size)
{
    struct parts parts;
    size_t size;

    if (!split(token, &parts))
        return NULL;
    uint8_t *payload = decode(parts.payload, &size);
    if (!payload)
        return NULL;
    if (size < SIGNATURE_SIZE) {
        free(payload);
        return NULL;
    }
    *ret_size = size - SIGNATURE_SIZE;
    payload[*ret_size] = 0;
    return (char *)payload;
}

void token_paserk(const uint8_t public_key[static 32], char ret_paserk[static PASERK_SIZE],
                  char ret_pid[static PASERK_SIZE])
{
    crypto_generichash_state state;
    uint8_t id[PID_SIZE];

    memcpy(ret_paserk, KEY_HEADER, KEY_HEADER_SIZE);
    base64_encode(public_key, KEY_SIZE, ret_paserk + KEY_HEADER_SIZE);
    crypto_generichash_init(&state, NULL, 0, sizeof id);
    crypto_generichash_update(&state, (const uint8_t *)PID_HEADER, PID_HEADER_SIZE);
    crypto_generichash_update(&state, (const uint8_t *)ret_paserk, strlen(ret_paserk));
    crypto_generichash_final(&state, id, sizeof id);
    memcpy(ret_pid, PID_HEADER, PID_HEADER_SIZE);
    base64_encode(id, sizeof id, ret_pid + PID_HEADER_SIZE);
}

bool token_paserk_read(const char *paserk, uint8_t ret_public_key[static 32])
{
    uint8_t key[KEY_SIZE];

    if (strncmp(paserk, KEY_HEADER, KEY_HEADER_SIZE))
        return false;
    paserk += KEY_HEADER_SIZE;
    if (!base64_decode(paserk, strlen(paserk), key, sizeof key))
        return false;
    memcpy(ret_public_key, key, sizeof key);
    return true;
}

void token_key_from_seed(struct token_key *ret_key, const uint8_t seed[static 32])
{
    crypto_sign_seed_keypair(ret_key->public_key, ret_key->secret, seed);
    token_paserk(ret_key->public_key, ret_key->paserk, ret_key->pid);
}

void token_key_wipe(struct token_key *key)
{
    sodium_memzero(key, sizeof *key);
}
