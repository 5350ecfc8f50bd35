/* What the files of this folder share, and nobody else: sets of squares, and judging a move. */
#ifndef RULES_ROQUEFORT_INTERNAL_H
#define RULES_ROQUEFORT_INTERNAL_H

#include "rules/bits.h"
#include "rules/roquefort/roquefort.h"

#define RQ_TOWERS   (UINT64_C(1) | UINT64_C(1) << 6 | UINT64_C(1) << 42 | UINT64_C(1) << 48)
#define RQ_BOARD    (UINT64_C(0x1ffffffffffff))
#define RQ_COLUMN_A (UINT64_C(0x40810204081))
#define RQ_COLUMN_G (RQ_COLUMN_A << 6)
#define RQ_FLOORED  (UINT64_C(0xabfaafeabfaa)) /* squares over a floor tile */

/* Where the mice are, taken from a state once for many questions. */
struct rq_scene {
    uint64_t mice; /* of all */
    uint64_t own;  /* of the seat on turn */
    uint64_t near; /* `own` and what touches it, also at a corner */
};

static inline bool rq_has(uint64_t squares, unsigned square)
{
    return square < RQ_SQUARES && (squares >> square & 1);
}

/* Eight bytes as a word, the first lowest; compilers make one load of it. */
static inline uint64_t rq_eight(const uint8_t *bytes)
{
    return (uint64_t)bytes[0] | (uint64_t)bytes[1] << 8 | (uint64_t)bytes[2] << 16 |
           (uint64_t)bytes[3] << 24 | (uint64_t)bytes[4] << 32 | (uint64_t)bytes[5] << 40 |
           (uint64_t)bytes[6] << 48 | (uint64_t)bytes[7] << 56;
}

static inline bool rq_is_out(const struct rq_state *s, unsigned seat)
{
    return s->out >> seat & 1;
}

/* A seat that plays and has not gone out. */
static inline bool rq_is_in(const struct rq_state *s, unsigned seat)
{
    return seat < s->players && !rq_is_out(s, seat);
}

/* CR-2: it is set-up as long as the seat on turn has entered no mouse. */
static inline bool rq_is_setup(const struct rq_state *s)
{
    return s->reserve[s->turn] == RQ_MICE;
}

/* The face under a square; blank where the floor is solid: neither ever does anything. */
static inline uint8_t rq_face_at(const struct rq_state *s, unsigned square)
{
    return rq_place[square] == RQ_NO_SQUARE ? RQ_BLANK : s->face[s->tile[rq_place[square]]];
}

/* Has the referee been told of every tile? */
static inline bool rq_all_known(const struct rq_state *s)
{
    uint64_t faces = s->face[RQ_TILES - 2] | s->face[RQ_TILES - 1];

    for (unsigned i = 0; i + 8 <= RQ_TILES; i += 8)
        faces |= rq_eight(s->face + i);
    return !(faces & UINT64_C(0x8080808080808080)); /* RQ_UNKNOWN alone is above 127 */
}

uint64_t rq_all_mice(const struct rq_state *s);
struct rq_scene rq_scene(const struct rq_state *s);

/* The squares passed in a straight line from one square to another, ends left out; *ret_length
 * is its length, 0 if the line is not straight. */
uint64_t rq_between(uint8_t from, uint8_t to, uint8_t *ret_length);

/* Actions that a move costs in play. */
uint8_t rq_cost(const struct rq_state *s, const struct rq_move *m);

ruling_t rq_judge_move(const struct rq_state *s, const struct rq_scene *scene,
                       const struct rq_move *m);

/* Cheeses that `seat` has two mice on and no chip of, as in `cheeses`. */
uint8_t rq_cheeses_due(const struct rq_state *s, unsigned seat);

/* Tiles that lie open to all eyes now: 1 << id. */
uint64_t rq_visible_tiles(const struct rq_state *s);

/* The next seat after `seat` in turn order that is in; `seat` itself if it is the only one. */
uint8_t rq_next(const struct rq_state *s, unsigned seat);

struct awaiting rq_awaits(const void *state);
ruling_t rq_judge(const void *state, const struct event *event);
void rq_play(void *state, const struct event *event, struct effects *ret_effects);
size_t rq_legal(const void *state, uint8_t seat, struct event *out, size_t max);
void rq_observe(const void *state, uint8_t seat, void *ret_view);
ruling_t rq_check(const void *state);

/* deal.c: the tiles by a permutation, or as the players have laid them (CR-1). */
ruling_t rq_judge_deal(const struct rq_state *s, const struct event *event);
void rq_deal(struct rq_state *s, const struct event *event);

/* shift.c: one line of tiles moves on (CR-8). */
ruling_t rq_judge_shift(const struct rq_state *s, const struct rq_scene *scene, uint8_t slot);
void rq_shift(struct rq_state *s, uint8_t slot, struct effects *effects);

/* The same for where the tiles lie alone: `tile` is that of a state. */
void rq_slide(uint8_t tile[static RQ_TILES], uint8_t slot);

/* report.c: the move alone of an event; false if it is none. */
bool rq_move_of(const struct rq_state *s, const struct event *event, struct rq_move *ret_move);

/* report.c: what players at a table tell of the tiles (CR-4, CR-8); `move` is rq_move_of()'s.
 */
void rq_report_of(const struct event *event, const struct rq_move *move,
                  struct rq_report *ret_report);
/* The move itself must be allowed. */
ruling_t rq_judge_report(const struct rq_state *s, const struct rq_report *report);
/* Puts down what is told, before the move is played. */
void rq_learn(struct rq_state *s, const struct rq_report *report);

/* check.c: are there no more tiles of a kind than in the box (CR-1)? */
bool rq_in_box(const uint8_t face[static RQ_TILES]);

/* end.c: what follows from any action (CR-9, 10, 12, 13, CB-1), in the order of the rulings.
 * Only a shift moves the floor under mice; anything else concerns the seat on turn alone. */
void rq_consequences(struct rq_state *s, bool shifted, struct effects *effects);
/* Puts a seat out: its mice come off and go back to the reserve. */
void rq_put_out(struct rq_state *s, unsigned seat, struct effects *effects);
/* CR-11, and the turn goes on to the next. */
void rq_end_turn(struct rq_state *s, struct effects *effects);

void rq_effect_put(struct effect *effect, uint64_t squares);

#endif
