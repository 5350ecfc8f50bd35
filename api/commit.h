/* Commitments, nonces, seeds and chain links, byte by byte as docs/protocol.md lays them down.
 *
 * Everything is BLAKE2b-256 without key over a 16-byte tag and a fixed layout. Nothing here can
 * fail or allocates. Sizes are in the prototypes.
 */
#ifndef API_COMMIT_H
#define API_COMMIT_H

#include <stddef.h>
#include <stdint.h>

enum { HASH_SIZE = 32, GID_SIZE = 16, SECRET_SIZE = 32 };

void commit_nonce(const uint8_t secret[static 32], const uint8_t gid[static 16],
                  uint8_t context, uint8_t index, uint8_t ret_nonce[static 32]);
void commit_piece(const uint8_t gid[static 16], uint8_t seat, uint8_t slot, uint8_t rank,
                  const uint8_t nonce[static 32], uint8_t ret_hash[static 32]);
/* `count` piece commitments of 32 bytes each, in slot order; count is one byte of the preimage.
 */
void commit_setup(const uint8_t gid[static 16], uint8_t seat, const uint8_t *commitments,
                  uint8_t count, uint8_t ret_hash[static 32]);
void commit_card(const uint8_t gid[static 16], uint8_t round, uint8_t position, uint8_t value,
                 const uint8_t nonce[static 32], uint8_t ret_hash[static 32]);
void commit_tile(const uint8_t gid[static 16], uint8_t tile, uint8_t symbol,
                 const uint8_t nonce[static 32], uint8_t ret_hash[static 32]);
void commit_referee_seed(const uint8_t gid[static 16], uint8_t round,
                         const uint8_t seed[static 32], uint8_t ret_hash[static 32]);
void commit_player_seed(const uint8_t gid[static 16], uint8_t round, uint8_t seat,
                        const uint8_t seed[static 32], uint8_t ret_hash[static 32]);
/* The mixed key of a round: `seats` player seeds of 32 bytes each, in seat order (zero for a
 * seat that gave none). */
void commit_mix(const uint8_t gid[static 16], uint8_t round, const uint8_t referee[static 32],
                const uint8_t *players, uint8_t seats, uint8_t ret_key[static 32]);
/* The link to an event: what the next one carries as `prev`. */
void commit_link(const char *claims, size_t size, uint8_t ret_link[static 32]);
/* What is stored of a credential. */
void commit_credential(const uint8_t secret[static 32], uint8_t ret_hash[static 32]);

/* The first eight bytes of a hash, little endian: by them a store knows credentials and links.
 */
uint64_t commit_id(const uint8_t hash[static 32]);

#endif
