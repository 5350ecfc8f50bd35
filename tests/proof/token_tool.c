/* Signs and verifies tokens by api/token.h, for the cross-checks of tests/proof.
 *
 * token_tool key SEEDHEX                     public key in hex, k4.public and k4.pid, a line
 * each token_tool sign SEEDHEX TYP                claims from standard input, the token on a
 * line token_tool verify K4PUBLIC TYP TOKEN       the claims, or exit 1
 */
#include "api/hex.h"
#include "api/token.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CLAIMS_MAX = 65536 };

static int show_key(const struct token_key *key)
{
    char text[65];

    hex_encode(key->public_key, sizeof key->public_key, text);
    printf("%s\n%s\n%s\n", text, key->paserk, key->pid);
    return 0;
}

static int sign(const struct token_key *key, const char *typ)
{
    char *claims = malloc(CLAIMS_MAX);
    size_t size = claims ? fread(claims, 1, CLAIMS_MAX, stdin) : 0;
    char *token = claims ? token_sign(key, typ, claims, size) : NULL;

    if (token)
        puts(token);
    free(token);
    free(claims);
    return token ? 0 : 1;
}

static int verify(const char *paserk, const char *typ, const char *token)
{
    uint8_t public_key[32];
    char assertion[64];
    size_t size;

    if (!token_paserk_read(paserk, public_key))
        return 1;
    snprintf(assertion, sizeof assertion, "refereed/v1/%s", typ);
    char *claims = token_verify_raw(public_key, token, assertion, &size);
    if (!claims)
        return 1;
    fwrite(claims, 1, size, stdout);
    free(claims);
    return 0;
}

int main(int argc, char **argv)
{
    struct token_key key;
    uint8_t seed[32];

    if (sodium_init() < 0 || argc < 3)
        return 2;
    if (!strcmp(argv[1], "verify"))
        return argc == 5 ? verify(argv[2], argv[3], argv[4]) : 2;
    if (!hex_decode(argv[2], strlen(argv[2]), seed, sizeof seed))
        return 2;
    token_key_from_seed(&key, seed);
    if (!strcmp(argv[1], "key"))
        return show_key(&key);
    return !strcmp(argv[1], "sign") && argc == 4 ? sign(&key, argv[3]) : 2;
}
