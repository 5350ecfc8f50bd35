/* Lower-case hex: every binary value in JSON that is not an id, a credential or a token. */
#ifndef API_HEX_H
#define API_HEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Writes 2 * size digits and a NUL. */
void hex_encode(const uint8_t *bytes, size_t size, char *ret_text);

/* True if `text` is exactly `exact_size` bytes in lower-case digits; else nothing is written.
 */
bool hex_decode(const char *text, size_t text_size, uint8_t *ret_bytes, size_t exact_size);

#endif
