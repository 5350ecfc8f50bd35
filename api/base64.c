#include "api/base64.h"

#include <sodium.h>

size_t base64_size(size_t size)
{
    return size / 3 * 4 + (size % 3 ? size % 3 + 1 : 0);
}

void base64_encode(const uint8_t *bytes, size_t size, char *ret_text)
{
    sodium_bin2base64(ret_text, base64_size(size) + 1, bytes, size,
                      sodium_base64_VARIANT_URLSAFE_NO_PADDING);
}

static bool in_alphabet(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
           c == '-' || c == '_';
}

bool base64_decode(const char *text, size_t text_size, uint8_t *ret_bytes, size_t exact_size)
{
    if (text_size != base64_size(exact_size))
        return false;
    /* libsodium 1.0.18 reads some bytes above 0x7f as if they were in the alphabet. */
    for (size_t i = 0; i < text_size; i++)
        if (!in_alphabet(text[i]))
            return false;
    /* It takes the whole text or fails, and a text of this size is one of `exact_size` bytes.
     */
    return sodium_base642bin(ret_bytes, exact_size, text, text_size, NULL, NULL, NULL,
                             sodium_base64_VARIANT_URLSAFE_NO_PADDING) == 0;
}
