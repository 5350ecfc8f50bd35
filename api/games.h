/* The games in memory: found by id, locked, read back from the store when they are not there.
 *
 * A table of stripes; a stripe's lock is held for as long as one of its games is taken, so that
 * one game is changed by one thread at a time and no lock is shared by all. Ended and idle
 * games leave when a stripe is full. After a failed commit every game is read back anew.
 */
#ifndef API_GAMES_H
#define API_GAMES_H

#include <pthread.h>

#include "api/game.h"
#include "api/ports.h"

enum {
    GAME_STRIPES = 32768,
    REREADS_MAX = 8, /* of a game in which others are at work, for one request */
};

struct live {
    struct live *next; /* in its stripe, the one used last first */
    struct fold *fold;
    uint64_t epoch;  /* of the store when it was read or made */
    uint64_t ticket; /* of its last change; 0: all on disk */
    uint64_t began;  /* ticket of its first change since it was read; 0: none */
    uint64_t name;   /* of its last record */
};

struct stripe {
    pthread_mutex_t lock;
    struct live *first;
    size_t count;
};

struct games {
    struct stripe *stripes;
    size_t stripe_max;
    const struct ports *ports;
    const uint8_t *store_key;
};

/* 0 or -ENOMEM. `ports` and `store_key` must outlive it. */
int games_init(struct games *games, const struct ports *ports, const uint8_t *store_key,
               size_t max);
void games_done(struct games *games);

/* Finds a game and locks it; games_give() unlocks. -ENOENT: no such game; -EILSEQ: its log is
 * broken; others from the store. */
int games_take(struct games *games, const uint8_t gid[static 16], struct live **ret_live);
void games_give(struct games *games, struct live *live);

/* Gives it back and leaves it out: the next one to take it reads it from the store. */
void games_drop(struct games *games, struct live *live);

/* Has the store gone on without this game, which is locked? False while it has changes on their
 * way: if others were faster these are lost, and that is told. */
bool games_behind(struct games *games, const struct live *live);

/* Another writer has brought a game to `seq`, or a change of ours is lost: leaves out what is
 * in memory if it is older, or was made of that change. */
void games_changed(struct games *games, const uint8_t gid[static 16], uint32_t seq);
void games_lost(struct games *games, const uint8_t gid[static 16], uint64_t ticket);

/* Locks the place of a game that is about to be made, adds it (taking over `fold`), or gives
 * up. */
void games_lock(struct games *games, const uint8_t gid[static 16]);
int games_add(struct games *games, struct fold *fold, uint64_t epoch, uint64_t ticket,
              uint64_t name);
void games_unlock(struct games *games, const uint8_t gid[static 16]);

/* A record's name among several writers, from the link to its last event. By chance of its
 * seal, too: of two who write the same event each has notes of his own, with secrets in them.
 */
uint64_t record_name(const uint8_t link[static 32], const uint8_t *sealed, size_t sealed_size);

/* Opens what record_seal() closed: the notes, the caller's to free; -EILSEQ if they were
 * tampered with, -ENOMEM. */
int record_open(const uint8_t store_key[static 32], const uint8_t gid[static 16],
                const struct record *record, uint8_t **ret_notes, size_t *ret_size);
/* Closes notes under the store key with a nonce of 24 bytes; appends to `out`. */
void record_seal(const uint8_t store_key[static 32], const uint8_t gid[static 16],
                 uint32_t first, const uint8_t nonce[static 24], const struct out *notes,
                 struct out *out);

#endif
