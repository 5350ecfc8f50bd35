/* Fuzzes the readers of tokens and key names; what verifies must be what was signed. */
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "api/token.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void tamper(const struct token_key *key, const uint8_t *data, size_t size)
{
    static const char claims[] = "{\"seq\":1,\"typ\":\"event\"}";
    char *token = token_sign(key, "event", claims, sizeof claims - 1), *message;
    size_t length, place;

    if (!token || size < 3)
        abort();
    length = strlen(token);
    place = (size_t)(data[0] << 8 | data[1]) % length;
    if (data[2] == 0 || (char)data[2] == token[place]) {
        free(token);
        return;
    }
    token[place] = (char)data[2];
    message = token_verify_raw(key->public_key, token, "refereed/v1/event", &length);
    if (message)
        abort();
    free(token);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint8_t seed[32] = {1};
    static struct token_key key;
    uint8_t public_key[32];
    char footer[128];
    char *text, *message;
    size_t length;

    if (!*key.pid) {
        if (sodium_init() < 0)
            abort();
        token_key_from_seed(&key, seed);
    }
    text = malloc(size + 1);
    if (!text)
        abort();
    memcpy(text, data, size);
    text[size] = 0;
    message = token_peek(text, &length);
    free(message);
    message = token_verify_raw(key.public_key, text, "refereed/v1/event", &length);
    free(message);
    token_footer(text, footer, sizeof footer);
    token_paserk_read(text, public_key);
    free(text);
    if (size >= 3)
        tamper(&key, data, size);
    return 0;
}
