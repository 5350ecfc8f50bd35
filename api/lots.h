/* Shared randomness to unbiased lots and permutations (docs/protocol.md, "Shuffle of n").
 *
 * A struct lots is a cursor in the stream of one mixed key; a new shuffle from the same cursor
 * goes on with the next unread word.
 */
#ifndef API_LOTS_H
#define API_LOTS_H

#include <stdint.h>

struct lots {
    uint8_t key[32];
    uint64_t block; /* number of the block after the one held */
    uint8_t used;   /* words read of the held block; 16: none left */
    uint32_t words[16];
};

void lots_init(struct lots *ret_lots, const uint8_t key[static 32]);

/* A number in 0..n-1, every one as likely; n >= 1. */
uint32_t lots_below(struct lots *lots, uint32_t n);

/* A permutation of 0..n-1 by Fisher-Yates from the top. */
void lots_shuffle(struct lots *lots, uint8_t n, uint8_t *ret_order);

#endif
