/* Stratego and Maršál a špión: two secret armies, one flag each. Rulings:
 * docs/rules/stratego.md.
 *
 * A state is plain data: no pointers and no padding, copied with `=`, owned by whoever declared
 * it. A piece is a number, side * ST_SLOTS + slot, the slot being where it was set up; what it
 * is, where it is and who has seen it hang on that number from set-up to the end.
 */
#ifndef RULES_STRATEGO_STRATEGO_H
#define RULES_STRATEGO_STRATEGO_H

#include "rules/ruleset.h"

/* The board is kept with a rim: cell = (rank - 1 + 1) * ST_WIDTH + file, files 0..9; column 10
 * and the rows above and below are wall, as lakes are, so that a run always ends. */
enum {
    ST_SEATS = 2,
    ST_SLOTS = 40,
    ST_PIECES = ST_SEATS * ST_SLOTS,
    ST_RANKS = 12,
    ST_FILES = 10,
    ST_WIDTH = 11,
    ST_CELLS = 12 * ST_WIDTH,
    ST_NOWHERE = 0, /* the cell of a piece that is not on the board, and of no square at all */
    ST_EMPTY = 0xff,
    ST_WALL = 0xfe,
    ST_NONE = 0xff,   /* no rank: an empty slot, or one that the viewer does not know */
    ST_HIDDEN = 0xfe, /* players' custody: a piece whose rank the referee has not seen */
    ST_PLIES = 128,   /* how far back SC-7 looks at most */
};

enum st_family { ST_HOUSE, ST_CLASSIC, ST_FAMILIES };

/* Ranks that mean something to the rules; the others differ by combat.def alone. */
enum { ST_FLAG = 0, ST_SCOUT = 2, ST_MINER = 3 };

enum st_variant {
#define VARIANT(name, ...) name,
#include "rules/stratego/variants.def"
#undef VARIANT
    ST_VARIANTS,
};

extern const uint8_t st_family_of[ST_VARIANTS];

/* Rows of `rulings`. */
enum {
    ST_RULING_NONE,
#define RULING(name, ...) ST_RULING_##name,
#include "rules/stratego/rulings.def"
#undef RULING
    ST_RULINGS,
};

/* Rows of `refusals`. */
enum {
#define REFUSAL(name, ...) ST_##name,
#include "rules/stratego/refusals.def"
#undef REFUSAL
    ST_REFUSALS,
};

/* Rows of `options`. */
enum {
    ST_OPTION_FIRST,
    ST_OPTION_CAPTIVES,
    ST_OPTION_TWO_SQUARE,
    ST_OPTION_MORE_SQUARE,
    ST_OPTION_PLY_LIMIT,
    ST_OPTION_QUIET_LIMIT,
    ST_OPTION_TOLD,
    ST_OPTIONS,
};

/* EVENT_MOVE: data holds this. Cells; anything that is no square of the board is off it. Where
 * only combats are told `from` names the attacking piece, or in EVENT_OPEN the attacked one,
 * and `to` nothing. */
struct st_move {
    uint8_t from, to;
};

/* Players' custody: behind it stands the rank that the mover opens, ST_NONE if he opens none;
 * EVENT_OPEN and EVENT_REVEAL hold a rank for each slot, ST_NONE where nothing is opened. */
enum { ST_OPENED = sizeof(struct st_move), ST_BLIND_MOVE };

/* EVENT_SETUP: data holds this. */
struct st_setup {
    uint8_t rank[ST_SLOTS]; /* ST_NONE: nothing on that square */
    uint8_t astray;         /* 1: a piece was put on a square that is not the seat's own */
    uint8_t variant;        /* for who writes it down; the rules do not ask */
};

/* A ply as SC-6 and SC-7 remember it. */
struct st_ply {
    uint8_t from, to;
    bool attack;
};

enum st_effect { ST_MOVED, ST_COMBAT, ST_CHALLENGE, ST_CLAIMED };

enum st_outcome { ST_ATTACKER_LOST, ST_DEFENDER_LOST, ST_BOTH_LOST };

/* The data of all effects. Only from, to, outcome, holds and bare are for everybody. */
struct st_action {
    uint8_t from, to;           /* ST_CHALLENGE: ST_NOWHERE both if it is a claim */
    uint8_t outcome;            /* enum st_outcome */
    uint8_t attacker, defender; /* pieces */
    uint8_t rank[ST_SEATS];     /* of attacker and defender, in this order */
    uint8_t variant;
    uint8_t both;  /* 1: the defender's seat may see the attacker's rank too */
    uint8_t holds; /* ST_CLAIMED: 1: what was claimed is so */
    uint8_t bare;  /* 1: only combats are told, and from and to are for nobody */
};

struct st_state {
    struct outcome outcome;
    uint8_t variant;
    uint8_t family; /* enum st_family */
    uint8_t turn;   /* NO_SEAT until somebody begins */
    uint8_t ready;  /* set of seats whose set-up is in */
    uint8_t flaw;   /* a refusal that a reader found and the state cannot show; 0: none */
    uint64_t moved[ST_SEATS]; /* set of slots of the side's pieces that have moved */
    uint64_t
        seen[ST_SEATS];    /* set of slots of the side's pieces whose rank the other has seen */
    uint32_t plies, quiet; /* SC-8: plies in all, and since the last combat */
    uint16_t ply_limit, quiet_limit;
    uint8_t first;            /* who begins by option; NO_SEAT: the lot */
    uint8_t shown;            /* captives are shown to the captor */
    uint8_t two_square;       /* SC-6: crossings in a row that are allowed; 0: any number */
    uint8_t more_square;      /* SC-7 holds */
    uint8_t chase[ST_SEATS];  /* SC-7: the counters C, held at ST_PLIES */
    uint8_t recorded, at;     /* plies held in `ply`, and where the next one goes */
    uint8_t blind;            /* players' custody; claim, revealed and fought are of no use
                               * without, from and to without it or `combats` */
    uint8_t claim;            /* the claim of the side to move waits for the other side */
    uint8_t from, to;         /* the attack that waits for its defender; ST_NOWHERE: none */
    uint8_t revealed;         /* set of seats whose faces are in, after the end */
    uint8_t combats;          /* only combats are told: pieces stay where they were set up */
    uint16_t fought;          /* combats since the last claim that failed, ST-13 */
    uint8_t rank[ST_PIECES];  /* ST_NONE: there is no such piece */
    uint8_t place[ST_PIECES]; /* cell; ST_NOWHERE: not on the board */
    uint8_t board[ST_CELLS];  /* piece, ST_EMPTY or ST_WALL */
    uint16_t ply[ST_PLIES];   /* a ring: from, to << 7, attack << 14; `combats`: all combats */
};

/* What a viewer may know; built up from nothing. Cells that hold nothing have side NO_SEAT. */
struct st_view {
    uint8_t variant;
    uint8_t viewer; /* NO_SEAT: a spectator */
    uint8_t turn;   /* NO_SEAT: nobody's */
    uint8_t limits; /* bit 0: plies are counted, bit 1: quiet ones */
    uint32_t plies, quiet;
    uint8_t side[ST_CELLS];
    uint8_t rank[ST_CELLS]; /* ST_NONE: not known */
    bool moved[ST_CELLS];
    uint8_t lost[ST_SEATS];            /* pieces of each side that have left the game */
    uint8_t known[ST_SEATS][ST_RANKS]; /* those of them whose rank the viewer knows */
    uint8_t from, to; /* the attack that waits for its defender; ST_NOWHERE: none */
    bool claim;       /* the claim of `turn` waits for the other side */
    bool combats;     /* only they are told: `turn` attacks, and `from` is for its seat alone */
};

extern const struct ruleset st_ruleset;

/* The rank's id ("scout"), or NULL if the variant's family has no such rank; and back, ST_NONE.
 */
const char *st_rank_name(uint8_t variant, uint8_t rank);

/* Is this cell a square of the board (lakes are)? */
static inline bool st_on_board(uint8_t cell)
{
    return cell >= ST_WIDTH && cell < ST_CELLS - ST_WIDTH && cell % ST_WIDTH < ST_FILES;
}

/* The cell of a side's slot, and back; ST_NONE: not on that side's own rows. */
uint8_t st_home(uint8_t side, uint8_t slot);
uint8_t st_slot(uint8_t side, uint8_t cell);

/* Does a move go further than one square? */
bool st_long(struct st_move m);

/* Players' custody: the set of slots that `seat` opens, all and no others, if it opens now: the
 * attacked piece, or for a claim and its answer every piece left. */
uint64_t st_asked(const struct st_state *s, uint8_t seat);

/* Players' custody: what the account shows that an honest seat cannot have done, by seq, then
 * by code; returns how many. A seat without a secret is not its business. */
size_t st_audit(const struct options *options, const struct account *account,
                struct cheat ret_cheats[static CHEATS_MAX]);

/* For readers of a state: after begin(), puts pieces on the board one by one, each side's slots
 * rising from 0; what cannot be put becomes the state's flaw. Then says who is to move. */
void st_put(struct st_state *s, uint8_t side, uint8_t cell, uint8_t rank);
void st_resume(struct st_state *s, uint8_t turn);

/* Takes over the plies, oldest first, that led to `s`; of more than ST_PLIES the last ones. If
 * they cannot have led there, that becomes the state's flaw. */
void st_recall(struct st_state *s, const struct st_ply *plies, size_t count);

/* Where only combats are told: the pair of the n-th, from 0, by the cells of the set-up;
 * `ret_to` ST_NOWHERE: the attack was not answered. False: there were no more. */
bool st_combat_at(const struct st_state *s, size_t n, uint8_t *ret_from, uint8_t *ret_to);

/* Is this square of the board a lake of the variant (SC-1)? */
bool st_lake(uint8_t variant, uint8_t cell);

/* Ends a state that was read if whoever is to move cannot (ST-14, SC-5); does not if it has a
 * flaw or has gone beyond a limit. After st_recall(). */
void st_settle(struct st_state *s);

#endif
