#include "api/base64.h"

size_t base64_size(size_t size)
{
    return size / 3 * 4 + (size % 3 ? size % 3 + 1 : 0);
}

void base64_encode(const uint8_t *bytes, size_t size, char *ret_text)
{
    static const char alphabet[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    uint32_t held = 0;
    int count = 0;

    for (size_t i = 0; i < size; i++) {
        held = held << 8 | bytes[i];
        count += 8;
        while (count >= 6) {
            count -= 6;
            *ret_text++ = alphabet[held >> count & 63];
        }
    }
    if (count)
        *ret_text++ = alphabet[held << (6 - count) & 63];
    *ret_text = '\0';
}

/* The six bits of a character; -1: not of the alphabet. */
static int bits_of(char c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    return c == '-' ? 62 : c == '_' ? 63 : -1;
}

/* Not libsodium's: 1.0.18 reads some bytes above 0x7f as if they were in the alphabet, and
 * takes as long for a credential as two of its hashes. What is decoded here comes from whoever
 * knows it, so that it need not take the same time for all. */
bool base64_decode(const char *text, size_t text_size, uint8_t *ret_bytes, size_t exact_size)
{
    uint32_t held = 0;
    size_t size = 0;
    int count = 0;

    if (text_size != base64_size(exact_size))
        return false;
    for (size_t i = 0; i < text_size; i++) {
        int bits = bits_of(text[i]);
        if (bits < 0)
            return false;
        held = held << 6 | (uint32_t)bits;
        count += 6;
        if (count >= 8) {
            count -= 8;
            ret_bytes[size++] = (uint8_t)(held >> count);
        }
    }
    return (held & ((1U << count) - 1)) == 0; /* no stray bits in the last character */
}
