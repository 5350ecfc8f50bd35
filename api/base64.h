/* base64url without padding: ids, credentials, keys and tokens.
 *
 * One text for each value: padding, other alphabets, line breaks and stray low bits in the last
 * character are refused, so no two texts decode to the same bytes.
 */
#ifndef API_BASE64_H
#define API_BASE64_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Characters that `size` bytes take, without the NUL. */
size_t base64_size(size_t size);

/* Writes base64_size(size) characters and a NUL. */
void base64_encode(const uint8_t *bytes, size_t size, char *ret_text);

/* True if `text` is the one form of exactly `exact_size` bytes. After false the bytes mean
 * nothing. */
bool base64_decode(const char *text, size_t text_size, uint8_t *ret_bytes, size_t exact_size);

#endif
