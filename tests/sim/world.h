/* A world of games for the simulation: one referee, its disk, its clock and its clients, all
 * under one seed and in one thread.
 *
 * world.c lets things happen, players.c says what clients do, laws.c what must hold after each
 * of it, truth.c what lies on the disk. The first law that is broken ends the world: `fault`
 * says which, the seed leads back to it.
 */
#ifndef TESTS_SIM_WORLD_H
#define TESTS_SIM_WORLD_H

#include <jansson.h>
#include <sodium.h>

#include "api/api.h"
#include "api/codec.h"
#include "tests/sim/disk.h"
#include "tests/support/army.h"
#include "tests/support/box.h"

enum {
    GAMES_MAX = 8,
    FLIGHTS_MAX = 48,
    SECRETS_MAX = 128,
    KEYS_MAX = 1024,
    BOARD = 128, /* squares, by file and row */
    VIEWERS = SEATS_MAX + 1,
};

enum what {
    ASK_CREATE,
    ASK_SEAT,
    ASK_SEED,
    ASK_SETUP,
    ASK_MOVE,
    ASK_OPENING, /* defend, open */
    ASK_AUDIT,
    ASK_RESIGN,
    ASK_DRAW,
    ASK_ABORT,
    ASK_NAME,
    ASK_CHANGES, /* those before change a game */
    ASK_VIEW = ASK_CHANGES,
    ASK_MOVES,
    ASK_EVENTS,
    ASK_LIST, /* all games */
    ASK_OTHER,
};

/* What a client sends. */
struct sent {
    uint8_t what;                        /* enum what */
    char path[128], bearer[64], key[48]; /* who, what and under which key: match comes after */
    char match[24];
    char *body; /* owned; NULL: none */
    bool minimal, stale, stream;
};

/* A client: a seat of a game, its host, or somebody who looks on. */
struct player {
    struct game *game;
    uint8_t seat; /* NO_SEAT: the host or a spectator */
    bool host, busy;
    char invite[48], credential[48];
    struct sent owed; /* a change of which nobody knows how it went */
    bool is_owed;
    bool fresh;   /* what follows was seen since the last change of its own */
    bool to_act;  /* in its turn */
    bool offered; /* somebody else has offered a draw */
    bool stuck;   /* it has no move that it could make */
    uint32_t seq;
    char status[16];
    char *move; /* chosen, to be sent next; owned */
    bool committed, refused;
    uint32_t failures;
    struct stream stream;
    bool streaming;
};

/* What must not be told to anybody else. */
struct secret {
    char text[65];
    int owner;       /* seat; -1: nobody's */
    bool until_told; /* it may be told once an event on disk has told it, or the game is over */
};

struct game {
    struct world *world;
    struct table table; /* id and credentials, as tests/support/army.h wants them */
    uint8_t gid[16];
    bool made;            /* somebody was told that it is */
    bool started;         /* of its maker's request there is something on disk */
    int64_t key_until_ms; /* whoever sends that request again then makes another game */
    const struct codec *codec;
    uint8_t variant, players, custody;
    bool spectators, clocked;
    bool combats; /* Stratego: the referee is told combats only */
    json_t *creation;
    struct player seats[SEATS_MAX], host, watcher;
    int moves_left; /* then somebody gives up */
    /* What lies on the disk. */
    uint32_t seq;
    uint8_t link[32];
    uint64_t name;  /* of the last record */
    json_t *events; /* claims, by seq - 1 */
    uint8_t status;
    unsigned moves;
    bool ended;
    uint32_t looked; /* at that seq it was held against its log */
    /* What players know who keep their own faces. */
    struct army army[2];
    struct box box;
    bool raised, boxed;
    bool fought[BOARD];
    struct secret secrets[SECRETS_MAX];
    size_t secret_count;
};

struct flight {
    struct player *player;
    struct sent sent;
    struct response response;
    bool ghost;    /* a copy of a request, for which nobody waits */
    bool felt;     /* something failed while it was asked */
    bool taken;    /* the store took a change of it */
    uint32_t seen; /* a long poll: where the game stood */
};

/* An Idempotency-Key under which something lies on the disk. */
struct landed_key {
    uint8_t key[32];
    int64_t until_ms; /* then it is a new one */
};

/* The first answer that a key gave. */
struct first {
    uint8_t key[32], answer[32];
};

struct tallies {
    uint64_t games, over, requests, changes, failed, crashes, faults, landed, retries, compared,
        verified, scarce, refused, bytes;
};

struct world {
    uint64_t seed;
    struct seeded chance;
    struct memory *memory;
    struct disk *disk;
    struct api *api, *witness; /* the witness reads everything anew from what is on disk */
    struct ports ports;
    struct api_config config;
    char operator_text[48];
    int64_t now_ms;
    struct game games[GAMES_MAX];
    size_t game_count;
    struct flight flights[FLIGHTS_MAX];
    size_t flight_count;
    struct first firsts[KEYS_MAX];
    size_t first_count;
    struct landed_key *landed_keys;
    size_t landed_key_count;
    bool calm; /* no more faults */
    bool refusing, blind;
    bool scarce;  /* the next request meets a lack of memory */
    unsigned day; /* rises when so much time has passed that kept answers are gone */
    crypto_generichash_state told;
    struct tallies tallies;
    char fault[512];
};

/* Plays one world to its end. `ret_hash` is over all that was sent, both ways. False: a law was
 * broken, and world->fault says which; the world is freed all the same. */
bool world_play(struct world *world, uint64_t seed, enum plant plant, uint8_t ret_hash[32]);

/* Something must hold; the first that does not is kept. */
#define LAW(world, holds, ...) ((holds) ? (void)0 : world_break(world, __VA_ARGS__))
void world_break(struct world *world, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static inline bool broken(const struct world *world)
{
    return world->fault[0] != '\0';
}

static inline uint32_t below(struct world *world, uint32_t n)
{
    return seeded_below(&world->chance, n);
}

static inline bool one_in(struct world *world, uint32_t n)
{
    return below(world, n) == 0;
}

/* world.c */
/* Asks for the player; the answer comes when what it rests on is on disk. Takes over `sent`. */
void world_ask(struct world *world, struct player *player, struct sent *sent);
/* Asks one of the two referees at once and without a player. */
void world_ask_now(struct world *world, struct api *api, const struct sent *sent,
                   struct response *ret_response);
const char *response_body(const struct response *response, size_t *ret_size);

/* players.c */
void player_act(struct player *player);
/* The answer to what the player has asked; `json` may be NULL. */
void player_hear(struct player *player, const struct sent *sent, unsigned status, json_t *json);
/* Nobody knows how it went. */
void player_unsure(struct player *player, struct sent *sent);
void players_init(struct game *game);
void players_done(struct game *game);
void sent_done(struct sent *sent);
void sent_copy(const struct sent *sent, struct sent *ret_copy);

/* truth.c */
/* Something has come to lie on the disk. */
bool truth_landed(void *context, const struct change *change);
struct game *game_find(struct world *world, const uint8_t gid[16]);
void truth_secret(struct game *game, const char *hex, int owner, bool until_told);

/* laws.c */
/* What holds of every answer that leaves. */
void laws_answer(struct world *world, const struct flight *flight, unsigned status,
                 json_t *json);
/* What holds of the bytes that a viewer is sent. */
void laws_bytes(struct world *world, const struct player *player, const char *bytes,
                size_t size);
void laws_events(struct world *world, const struct player *player, const json_t *events);
/* The game in memory is what its log gives, by whatever way it is read. */
void laws_game(struct world *world, struct game *game);
/* All viewers see what they would see of a game that was just read. */
void laws_views(struct world *world, struct game *game);
/* A game that is over proves itself. */
void laws_end(struct world *world, struct game *game);

#endif
