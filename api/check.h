/* Checks what a store holds of a game: its chain, and that all of it could be played.
 *
 * A struct checked is zeroed before the first record of its game and freed by check_done().
 * Records come in their order; after the first fault the others of the game are not looked at.
 * Several threads may check, each its own games.
 */
#ifndef API_CHECK_H
#define API_CHECK_H

#include "api/game.h"
#include "api/ports.h"
#include "api/snapshot.h"

struct checked {
    struct fold *fold; /* NULL before the first record, and once the game is over */
    uint8_t link[32];
    uint32_t seq;      /* of the last event */
    const char *fault; /* what is wrong with event seq + 1, or with the game; NULL: nothing */
    int64_t created_ms, due_s, ended_s;
    uint8_t status, ruleset;
    bool open;
    uint32_t snapshot_seq; /* after which a snapshot was due last; 0: none was */
    uint8_t snapshot_hash[32];
};

/* The chain (the member `prev` of each event, its seq, its game), that the notes open and can
 * be played, and that there are as many events as the record says. */
void check_record(struct checked *checked, const struct snapshot_key *key,
                  const uint8_t gid[static 16], const struct record *record);

/* Does the list say of the game what its log does? NULL, or what is wrong. */
const char *check_listing(const struct checked *checked, const struct listing *listing);

enum check_snapshot {
    SNAPSHOT_GOOD,
    SNAPSHOT_FOREIGN, /* of another layout: nobody uses it */
    SNAPSHOT_BAD,
    SNAPSHOT_ELSEWHERE, /* of another event than `checked` has a hash for */
};

/* Is it the game as it was after its event? */
enum check_snapshot check_snapshot(const struct checked *checked,
                                   const struct snapshot_key *key, const uint8_t gid[static 16],
                                   const struct snapshot *snapshot);

/* Remembers how the game stands now, as if a snapshot were due. */
void check_remember(struct checked *checked);

void check_done(struct checked *checked);

#endif
