/* Chance for tests: the same seed gives the same numbers on every machine (SplitMix64).
 *
 * A struct seeded is plain data and belongs to whoever declared it. A test that fails prints
 * its seed, so that it can be run again.
 */
#ifndef TESTS_SUPPORT_SEEDED_H
#define TESTS_SUPPORT_SEEDED_H

#include <stddef.h>
#include <stdint.h>

struct seeded {
    uint64_t state; /* the seed, before the first number */
};

static inline uint64_t seeded_next(struct seeded *seeded)
{
    uint64_t z = seeded->state += 0x9e3779b97f4a7c15u;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* A number below `n`, which must not be 0. The bias of n << 2^32 does not matter to tests. */
static inline uint32_t seeded_below(struct seeded *seeded, uint32_t n)
{
    return (uint32_t)((seeded_next(seeded) >> 32) * n >> 32);
}

/* Shuffles `count` bytes. */
static inline void seeded_shuffle(struct seeded *seeded, uint8_t *bytes, size_t count)
{
    for (size_t i = count; i > 1; i--) {
        size_t j = seeded_below(seeded, (uint32_t)i);
        uint8_t kept = bytes[i - 1];

        bytes[i - 1] = bytes[j];
        bytes[j] = kept;
    }
}

/* A permutation of 0..count-1, as a deal wants it; `count` up to 256. */
static inline void seeded_permutation(struct seeded *seeded, uint8_t *ret_bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        ret_bytes[i] = (uint8_t)i;
    seeded_shuffle(seeded, ret_bytes, count);
}

#endif
