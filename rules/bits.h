/* Sets as words of 64 bits, for the loops of the games. */
#ifndef RULES_BITS_H
#define RULES_BITS_H

#include <stdint.h>

/* The lowest of a set that is not empty: six bits of a de Bruijn sequence, each of which is met
 * once. Compilers know this one. */
static inline unsigned bits_lowest(uint64_t set)
{
    static const uint8_t place[64] = {
        0,  1,  2,  53, 3,  7,  54, 27, 4,  38, 41, 8,  34, 55, 48, 28, 62, 5,  39, 46, 44, 42,
        22, 9,  24, 35, 59, 56, 49, 18, 29, 11, 63, 52, 6,  26, 37, 40, 33, 47, 61, 45, 43, 21,
        23, 58, 17, 10, 51, 25, 36, 32, 60, 20, 57, 16, 50, 31, 19, 15, 30, 14, 13, 12,
    };

    return place[(set & (~set + 1)) * UINT64_C(0x022fdd63cc95386d) >> 58];
}

#endif
