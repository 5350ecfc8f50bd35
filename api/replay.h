/* Makes a game's record again from what was opened at its end, and compares.
 *
 * The lines own their claims. A replay owns the game that it makes; replay_done() wipes it.
 */
#ifndef API_REPLAY_H
#define API_REPLAY_H

#include <jansson.h>

#include "api/game.h"

enum { REPLAY_CHECKS_MAX = 6 };

/* The claims of each event: text as signed, and parsed. */
struct lines {
    size_t count;
    char **text;
    size_t *size;
    json_t **claims;
};

bool lines_init(struct lines *lines, const json_t *events);
/* Takes over `text`, of lines->size[i] bytes; false if it is not JSON. */
bool lines_add(struct lines *lines, size_t i, char *text);
void lines_done(struct lines *lines);

struct replay_check {
    const char *name;
    bool ok;
    char detail[200];
};

struct replay {
    const struct lines *lines;
    const json_t *transcript;
    struct fold *fold;
    bool unopened; /* the game was over before it began */
    uint8_t laid;  /* then: the sides that had set up */
    size_t at;     /* the line that is made next */
    struct created created;
    struct clock_terms terms;
    bool clocked; /* it has `terms` */
    uint8_t secrets[2][32];
    uint8_t faces[2][64]; /* what is opened of each side, or all tiles in the first */
    uint8_t nonces[2][SLOTS_MAX][32];
    struct replay_check checks[REPLAY_CHECKS_MAX];
    size_t check_count;
    char why[200]; /* what stopped it */
};

/* Fills replay->checks. */
void replay_run(struct replay *replay);
void replay_done(struct replay *replay);

/* All openings of the deal or the sides that lie in `fold` now, as members of an array: cards
 * of the round, or every tile or piece. */
void openings_write(struct out *out, const struct fold *fold);

/* The members `seeds` and `secrets` of a transcript: what a game that is over opens. */
void secrets_write(struct out *out, const struct fold *fold);

#endif
