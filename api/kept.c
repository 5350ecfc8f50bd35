#include "api/kept.h"

#include <errno.h>
#include <sodium.h>
#include <string.h>

#include "api/cleanup.h"
#include "api/record.h"
#include "api/route.h"

enum {
    NONCE_SIZE = 24,
    SEAL_SIZE = crypto_aead_xchacha20poly1305_ietf_ABYTES,
    KEEP_HEADERS = 4
};

/* The answer as bytes: status, content type's length aside, headers, body. */
static const char *const kept_headers[KEEP_HEADERS] = {"Location", "ETag", "Cache-Control",
                                                       "Preference-Applied"};

static void hash_key(const struct call *call, uint8_t ret_key[static 32])
{
    static const char tag[16] = "refereed/idemp/1";
    const struct request *request = call->request;
    crypto_generichash_state state;

    crypto_generichash_init(&state, NULL, 0, 32);
    crypto_generichash_update(&state, (const uint8_t *)tag, sizeof tag);
    crypto_generichash_update(&state, call->credential, sizeof call->credential);
    crypto_generichash_update(&state, (const uint8_t *)request->method,
                              strlen(request->method) + 1);
    crypto_generichash_update(&state, (const uint8_t *)request->path,
                              strlen(request->path) + 1);
    crypto_generichash_update(&state, (const uint8_t *)request->idempotency_key,
                              strlen(request->idempotency_key));
    crypto_generichash_final(&state, ret_key, 32);
}

static bool printable(const char *text)
{
    for (; *text; text++)
        if (*text < 0x21 || *text > 0x7e)
            return false;
    return true;
}

struct taking {
    struct call *call;
    enum problem problem;
};

/* status (2), header count (1), then name index, length, value; then the body. */
static bool unpack(struct call *call, const uint8_t *bytes, size_t size)
{
    struct response *response = call->response;
    size_t at = 3;

    response->status = (unsigned)(bytes[0] | bytes[1] << 8);
    response->content_type = "application/json";
    for (int i = 0; i < bytes[2]; i++) {
        uint8_t name = bytes[at], length = bytes[at + 1];
        response_header(response, kept_headers[name], "%.*s", (int)length,
                        (const char *)bytes + at + 2);
        at += 2 + (size_t)length;
    }
    response->size = size - at;
    response->body = malloc(response->size + 1);
    if (!response->body)
        return false;
    memcpy(response->body, bytes + at, response->size);
    return true;
}

static void take(void *arg, const struct kept *kept)
{
    struct taking *taking = arg;
    struct call *call = taking->call;
    unsigned long long size;
    autofree uint8_t *bytes = malloc(kept->sealed_size);

    taking->problem = PROBLEM_UNAVAILABLE;
    call->response->ticket = kept->ticket;
    if (memcmp(kept->body, call->kept_body, 32) != 0) {
        taking->problem = PROBLEM_IDEMPOTENCY_CONFLICT;
        return;
    }
    if (!bytes || kept->sealed_size < NONCE_SIZE + SEAL_SIZE + 3 ||
        crypto_aead_xchacha20poly1305_ietf_decrypt(
            bytes, &size, NULL, kept->sealed + NONCE_SIZE, kept->sealed_size - NONCE_SIZE,
            kept->key, 32, kept->sealed, call->api->config.store_key) != 0)
        return;
    if (unpack(call, bytes, (size_t)size))
        taking->problem = PROBLEM_NONE;
    sodium_memzero(bytes, (size_t)size);
}

static enum problem check_form(struct call *call, bool secret)
{
    const char *key = call->request->idempotency_key;
    size_t size = strlen(key);
    int min = secret ? IDEMPOTENCY_SECRET_MIN : IDEMPOTENCY_MIN;

    if (size >= (size_t)min && size <= IDEMPOTENCY_MAX && printable(key))
        return PROBLEM_NONE;
    return call_refuse(call, PROBLEM_BAD_REQUEST,
                       "An Idempotency-Key here has %d to %d printable characters.", min,
                       IDEMPOTENCY_MAX);
}

enum problem kept_find(struct call *call, bool secret, bool *ret_answered)
{
    const struct request *request = call->request;
    struct ports *ports = &call->api->ports;
    struct taking taking = {.call = call};

    *ret_answered = false;
    if (!request->idempotency_key)
        return PROBLEM_NONE;
    enum problem problem = check_form(call, secret);
    if (problem)
        return problem;
    hash_key(call, call->kept_key);
    crypto_generichash(call->kept_body, 32, (const uint8_t *)request->body,
                       request->body ? request->body_size : 0, NULL, 0);
    int error = ports->kept(ports->context, call->kept_key, ports->now_ms(ports->context), take,
                            &taking);
    call->has_kept = error == -ENOENT;
    if (error)
        return error == -ENOENT ? PROBLEM_NONE : problem_of_errno(error);
    *ret_answered = taking.problem == PROBLEM_NONE;
    return taking.problem;
}

static void pack(const struct response *response, struct out *out)
{
    uint8_t head[3] = {(uint8_t)(response->status & 255), (uint8_t)(response->status >> 8), 0};
    size_t at = out->size;

    out_bytes(out, (const char *)head, sizeof head);
    for (size_t i = 0; i < response->header_count; i++)
        for (uint8_t name = 0; name < KEEP_HEADERS; name++) {
            const struct header *header = &response->headers[i];
            if (strcmp(header->name, kept_headers[name]) != 0)
                continue;
            const char *value = response_value(response, i);
            uint8_t lead[2] = {name, (uint8_t)strlen(value)};
            out_bytes(out, (const char *)lead, sizeof lead);
            out_bytes(out, value, lead[1]);
            head[2]++;
        }
    if (!out->failed)
        out->text[at + 2] = (char)head[2];
    out_bytes(out, response->body, response->size);
}

void kept_make(struct call *call, struct out *sealed, struct kept *ret_kept)
{
    struct ports *ports = &call->api->ports;
    autoout struct out plain = {0};
    uint8_t nonce[NONCE_SIZE];

    pack(call->response, &plain);
    size_t size = plain.size + SEAL_SIZE;
    autofree uint8_t *closed = malloc(size);
    if (plain.failed || !closed) {
        sealed->failed = true;
        return;
    }
    seal_nonce(call->api->config.store_key, call->kept_key, sizeof call->kept_key, plain.text,
               plain.size, nonce);
    crypto_aead_xchacha20poly1305_ietf_encrypt(closed, NULL, (const uint8_t *)plain.text,
                                               plain.size, call->kept_key, 32, NULL, nonce,
                                               call->api->config.store_key);
    out_bytes(sealed, (const char *)nonce, sizeof nonce);
    out_bytes(sealed, (const char *)closed, size);
    sodium_memzero(plain.text, plain.size);
    *ret_kept = (struct kept){.expires_ms = ports->now_ms(ports->context) +
                                            (int64_t)IDEMPOTENCY_HOURS * 3600 * 1000,
                              .sealed = (const uint8_t *)sealed->text,
                              .sealed_size = sealed->size};
    memcpy(ret_kept->key, call->kept_key, 32);
    memcpy(ret_kept->body, call->kept_body, 32);
}
