/* PASETO v4.public tokens with PASERK key ids, on libsodium alone.
 *
 * https://github.com/paseto-standard/paseto-spec v4, and PASERK's k4.public and k4.pid. The
 * footer is {"kid":"k4.pid..."}; the implicit assertion is refereed/v1/<typ>
 * (docs/protocol.md).
 */
#ifndef API_TOKEN_H
#define API_TOKEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PASERK_SIZE = 64 };

/* A signing key with its names; wiped by token_key_wipe(). */
struct token_key {
    uint8_t secret[64]; /* as libsodium has it: seed, then public key */
    uint8_t public_key[32];
    char paserk[PASERK_SIZE]; /* "k4.public...." */
    char pid[PASERK_SIZE];    /* "k4.pid...." */
};

void token_key_from_seed(struct token_key *ret_key, const uint8_t seed[static 32]);
void token_key_wipe(struct token_key *key);

/* PASERK names of a public key. */
void token_paserk(const uint8_t public_key[static 32], char ret_paserk[static PASERK_SIZE],
                  char ret_pid[static PASERK_SIZE]);
/* The public key of a k4.public; false if it is not one. */
bool token_paserk_read(const char *paserk, uint8_t ret_public_key[static 32]);

/* Signs claims of that typ; the token is the caller's to free, NULL without memory. */
char *token_sign(const struct token_key *key, const char *typ, const char *claims, size_t size);

/* Signs with any footer and assertion, as the official vectors need it. */
char *token_sign_raw(const uint8_t secret[static 64], const void *message, size_t size,
                     const char *footer, const char *assertion);
/* The message of a token whose signature holds under `public_key`, NUL-terminated and the
 * caller's to free; NULL if anything is wrong (form, header, base64url, signature). */
char *token_verify_raw(const uint8_t public_key[static 32], const char *token,
                       const char *assertion, size_t *ret_size);
/* The footer of a token, unverified, into a buffer; false if there is none that fits. */
bool token_footer(const char *token, char *ret_footer, size_t room);
/* The message of a token without looking at the signature: to find its typ and key; the
 * caller's to free, NULL if it is no v4.public token. */
char *token_peek(const char *token, size_t *ret_size);

#endif
