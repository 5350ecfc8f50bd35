#include "daemon/request_id.h"

#include "api/hex.h"
#include "daemon/entropy.h"

#include <sodium.h>
#include <stdbool.h>
#include <string.h>

_Static_assert(sizeof((struct request_ids *)0)->key == crypto_shorthash_KEYBYTES, "key");

void request_ids_init(struct request_ids *ids)
{
    entropy_fill(NULL, ids->key, sizeof ids->key);
    ids->count = 0;
}

static bool plain(const char *text)
{
    static const char allowed[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                  "0123456789._-";
    size_t size = strlen(text);

    return size > 0 && size <= REQUEST_ID_MAX && strspn(text, allowed) == size &&
           !strstr(text, "rfs_");
}

void request_id(struct request_ids *ids, const char *given, char ret_id[static REQUEST_ID_SIZE])
{
    uint8_t number[sizeof ids->count], hash[crypto_shorthash_BYTES];

    if (given && plain(given)) {
        strcpy(ret_id, given);
        return;
    }
    ids->count++;
    memcpy(number, &ids->count, sizeof number);
    crypto_shorthash(hash, number, sizeof number, ids->key);
    hex_encode(hash, sizeof hash, ret_id);
}
