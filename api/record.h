/* Records of a log: sealed under the store key, opened, and carried out on a game. */
#ifndef API_RECORD_H
#define API_RECORD_H

#include "api/game.h"
#include "api/ports.h"

enum { SEAL_NONCE_SIZE = 24 };

/* To which events of which game notes belong: they open with no others. */
struct seal {
    const uint8_t *gid;
    uint32_t first;      /* seq of the record's first event */
    const uint8_t *link; /* to its last, so that a change of any of its claims is found */
};

/* The nonce to seal `plain` with (`ad_size` below 256): a keyed hash of all that goes in, so
 * that no two things ever share one, be the machine cloned or its entropy poor; and no system
 * call is needed for it. */
void seal_nonce(const uint8_t store_key[static 32], const void *ad, size_t ad_size,
                const void *plain, size_t size, uint8_t ret_nonce[static SEAL_NONCE_SIZE]);

/* Closes notes under the store key; appends to `out`. */
void record_seal(const uint8_t store_key[static 32], const struct seal *seal,
                 const struct out *notes, struct out *out);

/* Opens what record_seal() closed: the notes, the caller's to free; -EILSEQ if they or the
 * claims were tampered with, -ENOMEM. */
int record_open(const uint8_t store_key[static 32], const uint8_t gid[static 16],
                const struct record *record, uint8_t **ret_notes, size_t *ret_size);

/* Carries out a record on the game; the first one makes it (*fold NULL before). -EILSEQ if it
 * does not follow or cannot be, -ENOMEM: the game, if there is one, is good for nothing then,
 * and still the caller's to free. */
int record_fold(const uint8_t store_key[static 32], const uint8_t gid[static 16],
                const struct record *record, struct fold **fold);

/* A record's name among several writers, from the link to its last event. By its seal, too: of
 * two who write the same event each has notes of his own, with secrets in them. */
uint64_t record_name(const uint8_t link[static 32], const uint8_t *sealed, size_t sealed_size);

/* The link to the record's last event, from its claims. */
void record_link(const struct record *record, uint8_t ret_link[static 32]);

#endif
