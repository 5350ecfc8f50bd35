/* The games in memory: found by id, locked, read back from the store when they are not there.
 *
 * A table of shelves; a shelf's lock is held for as long as one of its games is taken, so that
 * one game is changed by one thread at a time and no lock is shared by all. When a shelf is
 * full a game that was not asked for lately leaves; games that are over leave sooner, as others
 * come. After a failed commit every game is read back anew.
 */
#ifndef API_GAMES_H
#define API_GAMES_H

#include <pthread.h>
#include <stdatomic.h>

#include "api/game.h"
#include "api/ports.h"
#include "api/record.h"
#include "api/snapshot.h"

enum { REREADS_MAX = 8 }; /* of a game in which others are at work, for one request */

/* Good until its shelf is unlocked. */
struct live {
    struct fold *fold; /* NULL: an empty place */
    uint64_t epoch;    /* of the store when it was read or made */
    uint64_t ticket;   /* of its last change; 0: all on disk */
    uint64_t began;    /* ticket of its first change since it was read; 0: none */
    uint64_t name;     /* of its last record */
    uint32_t tag;      /* of its id: spares a look at the fold */
    bool used;         /* since the hand passed by */
};

/* A hash table with open places that grows with use. */
struct shelf {
    pthread_mutex_t lock;
    struct live *places;
    uint32_t size, count;
    uint32_t hand; /* the next place to be looked at for who may leave */
};

struct games {
    struct shelf *shelves;
    size_t shelf_count, shelf_max;
    _Atomic size_t count; /* of games in memory */
    const struct ports *ports;
    struct snapshot_key key;
};

/* 0 or -ENOMEM. `ports` and `store_key` must outlive it; `max` is how many games are kept, or a
 * few more. */
int games_init(struct games *games, const struct ports *ports, const uint8_t *store_key,
               size_t max);
void games_done(struct games *games);

/* Finds a game and locks it; games_give() unlocks. -ENOENT: no such game; -EILSEQ: its log is
 * broken; others from the store. */
int games_take(struct games *games, const uint8_t gid[static 16], struct live **ret_live);
void games_give(struct games *games, struct live *live);

/* Is its last change still on its way to disk? It could yet be lost. */
bool games_pending(const struct games *games, const struct live *live);

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

/* Reads a game from the store: its snapshot, if that fits the log, and what came after, else
 * all of it; and the name of its last record. Errors as games_take(). */
int games_load(const struct ports *ports, const struct snapshot_key *key,
               const uint8_t gid[static 16], struct fold **ret_fold, uint64_t *ret_name);

#endif
