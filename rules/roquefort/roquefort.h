/* Chateau Roquefort: mice in a castle of sliding floor tiles. The rulings:
 * docs/rules/roquefort.md.
 *
 * A state is plain data: no pointers, copied with `=`, owned by whoever declared it. Squares
 * are numbered a1 b1 .. g7 from 0 to 48; a set of squares is a word with one bit a square.
 */
#ifndef RULES_ROQUEFORT_ROQUEFORT_H
#define RULES_ROQUEFORT_ROQUEFORT_H

#include "rules/ruleset.h"

enum {
    RQ_SIDE = 7,
    RQ_SQUARES = 49,
    RQ_CASTLE = 45, /* squares under roofs: all but the towers */
    RQ_ROOMS_MAX = 45,
    RQ_FLOORS = 33, /* squares over a floor tile */
    RQ_TILES = 34,
    RQ_SPARE = 33, /* place of the spare in `tile` */
    RQ_SLOTS = 12,
    RQ_MICE = 4,
    RQ_ACTIONS = 4,
    RQ_DROWNED = 3, /* mice in the cellar that put a player out */
    RQ_KINDS = 7,
    RQ_NO_SQUARE = 0xff, /* a square off the board, a place that is no floor, a tower's room */
    RQ_LEGAL_MAX = 128,
    RQ_DEAL_TRIES = 1000, /* CR-1: then equals may touch */
};

/* The face of a tile; also the protocol's symbol byte. Cheeses are 1..RQ_KINDS. */
enum { RQ_BLANK = 0, RQ_TRAPDOOR = 8, RQ_FACES = 9, RQ_UNKNOWN = 0xff };

enum rq_variant { RQ_CHATEAU, RQ_APPENZELL };
enum rq_option {
    RQ_CHEESES_TO_WIN,
    RQ_FIRST,
    RQ_ROOMS,
    RQ_MEMORY,
    RQ_FIRST_SPARE, /* table custody */
    RQ_OPTIONS,
};
enum rq_memory { RQ_STRICT, RQ_OPEN };
enum rq_layout { RQ_LAYOUT_A, RQ_LAYOUT_B, RQ_LAYOUT_OWN };
enum rq_stage { RQ_LOT, RQ_DEAL, RQ_PLAY };

enum rq_ruling {
#define RULING(name, id, english, czech, variants) name,
#include "rules/roquefort/rulings.def"
#undef RULING
    RQ_RULINGS,
};

/* Why an event or a state is refused. The first rows are those of all games. */
enum rq_refusal {
#define REFUSAL(name, ruling, code, english, czech) RQ_##name,
#include "rules/roquefort/refusals.def"
#undef REFUSAL
    RQ_REFUSALS,
};

enum rq_verb { RQ_ENTER, RQ_UNCOVER, RQ_STEP, RQ_JUMP, RQ_SHIFT, RQ_END_TURN, RQ_VERBS };

/* The data of an EVENT_MOVE. Members that a verb does not need are not looked at. */
struct rq_move {
    uint8_t verb; /* enum rq_verb */
    uint8_t from; /* step, jump */
    uint8_t
        to; /* a square; enter: the tower; uncover: any square of the room; shift: the slot */
};

/* Table custody: an uncover or a shift with the faces that the players tell of; the data of an
 * EVENT_MOVE likewise. A move that tells none is a bare struct rq_move. */
struct rq_report {
    struct rq_move move;
    uint8_t face[RQ_TILES]; /* by place, as the tiles lie after the move; RQ_SPARE: of the one
                             * that falls out; RQ_UNKNOWN: not told */
};

_Static_assert(sizeof(struct rq_report) <= EVENT_DATA_MAX, "a report does not fit an event");

enum rq_effect {
    RQ_MOVED,        /* data: from (RQ_NO_SQUARE: out of the reserve), to */
    RQ_UNCOVERED,    /* data: the squares of the room */
    RQ_COVERED,      /* the turn of `seat` has ended; data: the squares that got roofs */
    RQ_SHIFTED,      /* data: slot, tile pushed in, tile out, places newly seen, face out */
    RQ_FELL,         /* data: the square */
    RQ_OUT,          /* data: the squares whose mice were taken off */
    RQ_CHEESE_TAKEN, /* data: the cheese, 1..RQ_KINDS */
    RQ_EFFECTS,
};

struct rq_state {
    struct outcome outcome;
    uint8_t variant, stage;
    uint8_t
        flaw; /* a refusal: what the reader of a posted state could not put down; 0 in play */
    uint8_t players;
    uint8_t first; /* the seat that begins; NO_SEAT before the lot */
    uint64_t open; /* squares of uncovered rooms */
    uint64_t mice[SEATS_MAX];
    uint64_t seen; /* tiles (1 << id) whose face has ever been seen */
    uint8_t turn;
    uint8_t actions_left;
    uint8_t shifted;
    uint8_t out; /* set of seats */
    uint8_t to_win, memory, layout;
    uint8_t reserve[SEATS_MAX], cellar[SEATS_MAX];
    uint8_t cheeses[SEATS_MAX]; /* bit k: the cheese k + 1 */
    uint8_t room[RQ_SQUARES];   /* RQ_NO_SQUARE: a tower */
    uint8_t tile[RQ_TILES]; /* the tile on each floor square, in order; RQ_SPARE: the spare */
    uint8_t face[RQ_TILES]; /* by tile; RQ_UNKNOWN: the referee has not been told */
    uint8_t custody;        /* enum custody, but not the players' */
    uint8_t lit[RQ_SIDE];   /* tiles that a shift, the last event, has brought into sight, were
                             * they covered again or not; RQ_NO_SQUARE: none */
};

/* No padding: states are compared by their bytes. */
_Static_assert(sizeof(struct rq_state) == 200, "padding in struct rq_state");

/* What anybody may know: there are no secrets between seats, only roofs. */
struct rq_view {
    bool over;
    uint8_t players, first, turn, actions_left, shifted, out, layout;
    uint64_t open;
    uint64_t mice[SEATS_MAX];
    uint8_t reserve[SEATS_MAX], cellar[SEATS_MAX], cheeses[SEATS_MAX];
    uint8_t room[RQ_SQUARES];
    uint8_t tile[RQ_TILES];
    uint8_t face[RQ_TILES]; /* by place, not by tile; RQ_UNKNOWN: not to be seen */
};

extern const struct ruleset rq_ruleset;
extern const char *const rq_seats[SEATS_MAX + 1];
extern const char *const rq_faces[RQ_FACES + 1];

/* The place of each square in `tile`, or RQ_NO_SQUARE where there is no floor tile. */
extern const uint8_t rq_place[RQ_SQUARES];

/* The face of each tile in unshuffled order: cheeses by threes, blanks, trapdoors. */
extern const uint8_t rq_tile_faces[RQ_TILES];

/* Room letters of the layouts A and B, from 0, a1 first. */
extern const uint8_t rq_layouts[2][RQ_SQUARES];

/* The faces by place of tiles that lie in that order, the spare last: it is the first blank. */
void rq_lay(const uint8_t order[static RQ_TILES], uint8_t ret_face[static RQ_TILES]);

/* The square at `step` 0..6 of the line that begins at slot `slot` < RQ_SLOTS. */
uint8_t rq_line(uint8_t slot, uint8_t step);

/* All squares of the room that holds `square`; none for a tower or off the board. */
uint64_t rq_room_squares(const uint8_t room[static RQ_SQUARES], uint8_t square);

/* The first refusal of a plate (45 squares in rooms that hang together), or ALLOWED. */
ruling_t rq_check_plate(const uint8_t room[static RQ_SQUARES]);

/* Marks what lies open as seen and judges the end of a posted state, which does not say it. */
void rq_settle(struct rq_state *s);

/* Table custody: completes an uncover or a shift by the faces that must be told with it and are
 * not, from `face` by tile or else from what the referee knows. Leaves all other events alone.
 */
void rq_fill(const struct rq_state *s, const uint8_t face[static RQ_TILES],
             struct event *event);

/* The set of squares in an effect's data, and the bit of one. */
uint64_t rq_effect_squares(const struct effect *effect);

static inline uint64_t rq_bit(unsigned square)
{
    return UINT64_C(1) << square;
}

#endif
