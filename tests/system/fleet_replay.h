/* A played game once more, by the rules alone, against what the interface told.
 *
 * The state is made by match_play() from what the players sent and from lots and deals that are
 * derived here, by the published formulas, from the seeds that `ended` opened.
 */
#ifndef TESTS_SYSTEM_FLEET_REPLAY_H
#define TESTS_SYSTEM_FLEET_REPLAY_H

#include <stdalign.h>

#include "api/game.h"
#include "tests/system/fleet_table.h"

enum { STATE_MAX = 4096, FACES_MAX = 64 };

/* The openings that an event brought, and to whom. */
struct shown {
    uint32_t seq;
    struct openings openings;
};

struct replay {
    struct table *table;
    const struct codec *codec;
    alignas(max_align_t) uint8_t state[STATE_MAX];
    uint8_t status, offers, out, starter, round, players;
    uint16_t tries;
    bool started, started_ever; /* so far; by the end of the log */
    bool taken[SEATS_MAX], committed[SEATS_MAX], revealed[SEATS_MAX];
    char name[SEATS_MAX][48];
    uint8_t seed[SEATS_MAX][32];
    uint8_t referee_seed[32];
    json_t *log;  /* all events as the host was told them */
    uint32_t seq; /* of the last one that was expected */

    /* What lies where: made by fleet_chance.c. */
    uint8_t faces[2][FACES_MAX];                /* by side or [0], by index; 0xff: none */
    uint8_t commitments[256][2][FACES_MAX][32]; /* by round, by side */
    /* Who saw what: fleet_seen.c. */
    uint8_t drawn, owner[FACES_MAX]; /* cards */
    uint8_t home[12][12];            /* pieces: side * 40 + slot by row and file, or 0xff */
    struct shown *shown;
    size_t shown_count;
};

/* fleet_chance.c: the lot or deal that follows from the seeds; what was committed to by it. */
struct event chance_lot(const struct replay *replay, uint8_t seats);
struct event chance_deal(const struct replay *replay, uint8_t cards);
void chance_lay(struct replay *replay, const struct event *deal);
void chance_setup(struct replay *replay, uint8_t side, const uint8_t *ranks);
/* Makes the commitments to faces[side] as they lie; a list of them in hex. */
json_t *chance_commit(struct replay *replay, uint8_t side);
json_t *chance_setups(struct replay *replay);
void chance_nonce(const struct replay *replay, const struct opening *opening,
                  uint8_t ret_nonce[static 32]);
json_t *hex_json(const uint8_t *bytes, size_t size);

/* fleet_seen.c: notes what an event (of the number replay->seq) lets whom see; then judges the
 * openings that a viewer was told with it, as things are in the state now. */
void seen_start(struct replay *replay);
bool seen_note(struct replay *replay, const json_t *event, const struct effect *effect);
bool seen_check(struct replay *replay, const json_t *event, uint8_t viewer);

/* fleet_chain.c: gets the whole log with tokens as `viewer` may see it; NULL: a disagreement.
 */
json_t *chain_fetch(struct table *table, uint8_t viewer);
/* Signatures, claims, links, receipts of a log. */
bool chain_check(struct table *table, const json_t *log, uint8_t viewer);

/* fleet_replay.c: an event without details; the next event of the log must be that one (taken
 * over); an event of the rules is played; what follows by itself follows. */
json_t *replay_event(const struct replay *replay, const char *type, uint8_t seat);
bool replay_expect(struct replay *replay, json_t *known);
bool replay_play(struct replay *replay, const struct event *event);
bool replay_proceed(struct replay *replay);
uint8_t replay_to_act(const struct replay *replay);
bool replay_check_view(struct replay *replay, const json_t *told, uint8_t viewer);

/* Says what differs, as text; always false. */
bool differ(struct replay *replay, const char *what, const json_t *told, const json_t *known);

#endif
