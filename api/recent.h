/* The newest records of games that are watched: read and unsealed once, told to all who watch.
 *
 * A fixed number of places, a game's by its id; a place holds one record with its opened notes,
 * which are wiped when another takes it. Only committed records belong here; those never
 * change, so nothing has to be taken back.
 */
#ifndef API_RECENT_H
#define API_RECENT_H

#include <pthread.h>

#include "api/ports.h"

enum { RECENT_PLACES = 256, RECENT_SIZE_MAX = 64 * 1024 };

struct recent_place {
    pthread_mutex_t lock;
    uint8_t gid[16];
    uint32_t first, count; /* count 0: empty */
    char *bytes;           /* claims, then notes */
    size_t claims_size, notes_size;
};

struct recent {
    struct recent_place *places;
};

/* 0 or -ENOMEM. */
int recent_init(struct recent *recent);
void recent_done(struct recent *recent);

/* Keeps a copy of a committed record and its notes in place of what was there; larger ones than
 * RECENT_SIZE_MAX are not kept. */
void recent_keep(struct recent *recent, const uint8_t gid[static 16],
                 const struct record *record, const uint8_t *notes, size_t size);

/* If the record with event `seq` of the game is there: calls `row` with it (without its sealed
 * notes) and its notes, and is true. What `row` is given is gone when it returns. */
bool recent_tell(struct recent *recent, const uint8_t gid[static 16], uint32_t seq,
                 void (*row)(void *arg, const struct record *record, const uint8_t *notes,
                             size_t size),
                 void *arg);

#endif
