#include "api/lots.h"

#include <assert.h>
#include <sodium.h>
#include <string.h>

enum { TAG_SIZE = 16, KEY_SIZE = 32, WORDS = 16, BLOCK_SIZE = 4 * WORDS };

static uint32_t word_at(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
           (uint32_t)bytes[3] << 24;
}

static void next_block(struct lots *lots)
{
    uint8_t preimage[TAG_SIZE + KEY_SIZE + 8];
    uint8_t block[BLOCK_SIZE];

    memcpy(preimage, "refereed/deals/1", TAG_SIZE);
    memcpy(preimage + TAG_SIZE, lots->key, KEY_SIZE);
    for (int i = 0; i < 8; i++)
        preimage[TAG_SIZE + KEY_SIZE + i] = (uint8_t)(lots->block >> 8 * i);
    crypto_generichash(block, sizeof block, preimage, sizeof preimage, NULL, 0);
    for (int i = 0; i < WORDS; i++)
        lots->words[i] = word_at(block + 4 * i);
    lots->block++;
    lots->used = 0;
    sodium_memzero(preimage, sizeof preimage);
    sodium_memzero(block, sizeof block);
}

static uint32_t next_word(struct lots *lots)
{
    if (lots->used >= WORDS)
        next_block(lots);
    return lots->words[lots->used++];
}

void lots_init(struct lots *ret_lots, const uint8_t key[static 32])
{
    *ret_lots = (struct lots){.used = WORDS};
    memcpy(ret_lots->key, key, KEY_SIZE);
}

uint32_t lots_below(struct lots *lots, uint32_t n)
{
    const uint64_t all = (uint64_t)1 << 32;
    uint32_t word;

    assert(n >= 1);
    /* The last, incomplete run of n words would favour the small numbers: draw again. */
    do
        word = next_word(lots);
    while (word >= all - all % n);
    return word % n;
}

void lots_shuffle(struct lots *lots, uint8_t n, uint8_t *ret_order)
{
    for (int i = 0; i < n; i++)
        ret_order[i] = (uint8_t)i;
    for (int i = n - 1; i > 0; i--) {
        uint32_t j = lots_below(lots, (uint32_t)i + 1);
        uint8_t moved = ret_order[i];

        ret_order[i] = ret_order[j];
        ret_order[j] = moved;
    }
}
