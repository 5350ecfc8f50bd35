#include "api/hex.h"

#include <sodium.h>

static bool lower_case(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

void hex_encode(const uint8_t *bytes, size_t size, char *ret_text)
{
    sodium_bin2hex(ret_text, 2 * size + 1, bytes, size);
}

bool hex_decode(const char *text, size_t text_size, uint8_t *ret_bytes, size_t exact_size)
{
    if (text_size % 2 || text_size / 2 != exact_size)
        return false;
    for (size_t i = 0; i < text_size; i++)
        if (!lower_case(text[i]))
            return false;
    return sodium_hex2bin(ret_bytes, exact_size, text, text_size, NULL, NULL, NULL) == 0;
}
