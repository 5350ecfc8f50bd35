/* One game as the fleet plays it: who sits there, and all that was asked and answered.
 *
 * A struct table belongs to one thread. Deeds are kept in the order in which they were asked;
 * when the game is over fleet_replay.c goes through them again with the rules alone.
 */
#ifndef TESTS_SYSTEM_FLEET_TABLE_H
#define TESTS_SYSTEM_FLEET_TABLE_H

#include <jansson.h>

#include "api/codec.h"
#include "tests/support/seeded.h"
#include "tests/system/fleet_wire.h"

enum deed_kind {
    DEED_CREATE,
    DEED_SEAT,
    DEED_INVITE,
    DEED_SEED,
    DEED_SETUP,
    DEED_MOVE,
    DEED_RESIGN,
    DEED_DRAW,
    DEED_ABORT,
    DEED_LIST,   /* GET moves */
    DEED_VIEW,   /* GET the game */
    DEED_EVENTS, /* GET events */
    DEED_KINDS,
};

struct deed {
    uint8_t kind, seat; /* NO_SEAT: a spectator, or the host */
    uint32_t seq;       /* of the game when it was asked */
    unsigned status; /* as answered; 0: no answer came, and it was carried out all the same */
    bool stale;      /* If-Match named another seq */
    bool broken;     /* the body was no JSON */
    bool minimal;    /* only the seq was wanted */
    uint32_t after;  /* DEED_EVENTS */
    json_t *sent;    /* the body's own part: the move, the pieces, the action */
    json_t *answer;  /* NULL if status is 0 */
};

/* An accepted change that was sent with an Idempotency-Key, to be sent again. */
struct kept_ask {
    char *path, *body, *answer;
    char credential[64], key[48];
    unsigned status;
};

struct plan {
    const char *ruleset, *variant; /* NULL: any */
    bool survives;                 /* the daemon is killed now and then */
    bool keeps;                    /* spectators are always let in, nothing is aborted */
    int moves;                     /* a game is given up after that many */
};

struct table {
    const struct plan *plan;
    struct wire *wire;
    struct seeded chance;
    uint64_t seed;
    const struct codec *codec;
    struct options options;
    bool spectators;
    uint8_t gid[16];
    char id[24], host[64], invite[SEATS_MAX][64], seat[SEATS_MAX][64], name[SEATS_MAX][24];
    bool taken[SEATS_MAX], committed[SEATS_MAX], revealed[SEATS_MAX];
    uint8_t seeds[SEATS_MAX][32];
    struct event setup[2];
    uint8_t secret[2][32];
    struct deed *deeds;
    size_t deed_count;
    uint32_t seq; /* of the newest event that was answered */
    char status[16];
    uint8_t to_act, out;
    json_t *listed;       /* the legal moves that were listed last */
    unsigned moves, lost; /* accepted moves; connections that broke */
    struct kept_ask kept;
    struct hose *hose;
    uint8_t hose_seat;
    struct out streamed;
    uint32_t streamed_to;
    bool blind; /* a change was answered without the view that came of it */
    bool failed;
};

void table_init(struct table *table, const struct plan *plan, struct wire *wire, uint64_t seed);
void table_done(struct table *table);

/* Prints the disagreement with the seed and what both sides say; always false. */
bool disagree(struct table *table, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A number below n; true once in n. */
uint32_t roll(struct table *table, uint32_t n);
bool rarely(struct table *table, uint32_t n);

/* Credential of a seat, NULL for NO_SEAT. */
const char *credential_of(const struct table *table, uint8_t seat);

/* Asks, through broken connections if the plan survives them: then *ret_status is 0 for a
 * change without key whose fate is not known. False: a disagreement. */
bool table_ask(struct table *table, const struct ask *ask, struct told *ret_told);

/* Asks what a deed says, keeps it, and follows the answer; `deed->sent` is taken over.
 * `path` is below the game's. False: a disagreement. */
bool table_do(struct table *table, struct deed deed, const char *path, json_t *body,
              const char *credential, const struct deed **ret_deed);

/* fleet_play.c: a whole game, up to its end. */
bool table_play(struct table *table);

/* fleet_moves.c: the body of a random move that may be illegal, and the choice of a legal one.
 */
json_t *random_move(struct table *table);
json_t *choose_move(struct table *table, const json_t *moves);
json_t *random_options(struct table *table, uint8_t variant, uint8_t players);

/* fleet_stream.c: a stream is opened, followed, and compared with the log at the end. */
bool stream_open(struct table *table);
bool stream_follow(struct table *table, bool to_end);
bool stream_compare(struct table *table, const json_t *log);

/* fleet_replay.c: the whole game again, by the rules. */
bool table_replay(struct table *table);

#endif
