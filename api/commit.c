#include "api/commit.h"

#include <sodium.h>

enum { TAG_SIZE = 16 };

/* A preimage is hashed as it is laid out: tag, game, then the rest in the order of the table in
 * docs/protocol.md. */
static void begin(crypto_generichash_state *state, const char tag[static TAG_SIZE + 1])
{
    crypto_generichash_init(state, NULL, 0, HASH_SIZE);
    crypto_generichash_update(state, (const uint8_t *)tag, TAG_SIZE);
}

static void add(crypto_generichash_state *state, const void *bytes, size_t size)
{
    crypto_generichash_update(state, bytes, size);
}

static void finish(crypto_generichash_state *state, uint8_t ret_hash[static HASH_SIZE])
{
    crypto_generichash_final(state, ret_hash, HASH_SIZE);
    sodium_memzero(state, sizeof *state);
}

void commit_nonce(const uint8_t secret[static 32], const uint8_t gid[static 16],
                  uint8_t context, uint8_t index, uint8_t ret_nonce[static 32])
{
    const uint8_t place[] = {context, index};
    crypto_generichash_state state;

    begin(&state, "refereed/nonce/1");
    add(&state, secret, SECRET_SIZE);
    add(&state, gid, GID_SIZE);
    add(&state, place, sizeof place);
    finish(&state, ret_nonce);
}

void commit_piece(const uint8_t gid[static 16], uint8_t seat, uint8_t slot, uint8_t rank,
                  const uint8_t nonce[static 32], uint8_t ret_hash[static 32])
{
    const uint8_t piece[] = {seat, slot, rank, 0};
    crypto_generichash_state state;

    begin(&state, "refereed/piece/1");
    add(&state, gid, GID_SIZE);
    add(&state, piece, sizeof piece);
    add(&state, nonce, HASH_SIZE);
    finish(&state, ret_hash);
}

void commit_setup(const uint8_t gid[static 16], uint8_t seat, const uint8_t *commitments,
                  uint8_t count, uint8_t ret_hash[static 32])
{
    const uint8_t head[] = {seat, count};
    crypto_generichash_state state;

    begin(&state, "refereed/setup/1");
    add(&state, gid, GID_SIZE);
    add(&state, head, sizeof head);
    add(&state, commitments, (size_t)count * HASH_SIZE);
    finish(&state, ret_hash);
}

void commit_card(const uint8_t gid[static 16], uint8_t round, uint8_t position, uint8_t value,
                 const uint8_t nonce[static 32], uint8_t ret_hash[static 32])
{
    const uint8_t card[] = {round, position, value, 0};
    crypto_generichash_state state;

    begin(&state, "refereed/cards/1");
    add(&state, gid, GID_SIZE);
    add(&state, card, sizeof card);
    add(&state, nonce, HASH_SIZE);
    finish(&state, ret_hash);
}

void commit_tile(const uint8_t gid[static 16], uint8_t tile, uint8_t symbol,
                 const uint8_t nonce[static 32], uint8_t ret_hash[static 32])
{
    const uint8_t floor[] = {0, tile, symbol, 0};
    crypto_generichash_state state;

    begin(&state, "refereed/tiles/1");
    add(&state, gid, GID_SIZE);
    add(&state, floor, sizeof floor);
    add(&state, nonce, HASH_SIZE);
    finish(&state, ret_hash);
}

void commit_referee_seed(const uint8_t gid[static 16], uint8_t round,
                         const uint8_t seed[static 32], uint8_t ret_hash[static 32])
{
    crypto_generichash_state state;

    begin(&state, "refereed/sseed/1");
    add(&state, gid, GID_SIZE);
    add(&state, &round, 1);
    add(&state, seed, SECRET_SIZE);
    finish(&state, ret_hash);
}

void commit_player_seed(const uint8_t gid[static 16], uint8_t round, uint8_t seat,
                        const uint8_t seed[static 32], uint8_t ret_hash[static 32])
{
    const uint8_t whose[] = {round, seat};
    crypto_generichash_state state;

    begin(&state, "refereed/pseed/1");
    add(&state, gid, GID_SIZE);
    add(&state, whose, sizeof whose);
    add(&state, seed, SECRET_SIZE);
    finish(&state, ret_hash);
}

void commit_mix(const uint8_t gid[static 16], uint8_t round, const uint8_t referee[static 32],
                const uint8_t *players, uint8_t seats, uint8_t ret_key[static 32])
{
    const uint8_t head[] = {round, seats};
    crypto_generichash_state state;

    begin(&state, "refereed/mixed/1");
    add(&state, gid, GID_SIZE);
    add(&state, head, sizeof head);
    add(&state, referee, SECRET_SIZE);
    add(&state, players, (size_t)seats * SECRET_SIZE);
    finish(&state, ret_key);
}

void commit_link(const char *claims, size_t size, uint8_t ret_link[static 32])
{
    crypto_generichash_state state;

    begin(&state, "refereed/event/1");
    add(&state, claims, size);
    finish(&state, ret_link);
}

void commit_credential(const uint8_t secret[static 32], uint8_t ret_hash[static 32])
{
    crypto_generichash_state state;

    begin(&state, "refereed/authn/1");
    add(&state, secret, SECRET_SIZE);
    finish(&state, ret_hash);
}

uint64_t commit_id(const uint8_t hash[static 32])
{
    uint64_t id = 0;

    for (int i = 0; i < 8; i++)
        id |= (uint64_t)hash[i] << (8 * i);
    return id;
}
