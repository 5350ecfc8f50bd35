/* Shared by the files of this folder only. */
#ifndef RULES_STRATEGO_INTERNAL_H
#define RULES_STRATEGO_INTERNAL_H

#include "rules/stratego/stratego.h"

/* What the variants of one family have in common. */
struct st_rules {
    uint8_t ranks;   /* the last one is the mine or the bomb */
    bool diagonal;   /* steps, not attacks, may be diagonal (ST-3) */
    bool lakes;      /* SC-1 */
    bool shows_both; /* SC-4: both players see both ranks; else ST-11 */
    bool dead_draw;  /* ST-13 and ST-14; else SC-5 */
    uint8_t ruling_flag;
};

extern const struct st_rules st_families[ST_FAMILIES];
/* By family, attacker and defender: '+' the attacker wins, '-' he is lost, '=' both are. */
extern const char *const st_combat[ST_FAMILIES][ST_RANKS];
extern const uint8_t st_counts[ST_VARIANTS][ST_RANKS];

/* The four orthogonal neighbours as differences of cells. */
extern const int8_t st_steps[4];

static inline const struct st_rules *st_rules_of(const struct st_state *s)
{
    return &st_families[s->family];
}

/* Of two rows that stand together: that of marsal-a-spion, or that of the variants with lakes.
 */
static inline ruling_t st_refuse(const struct st_state *s, ruling_t first)
{
    return (ruling_t)(first + (st_rules_of(s)->lakes ? 1 : 0));
}

static inline uint8_t st_side(uint8_t piece)
{
    return piece >= ST_SLOTS;
}

static inline uint8_t st_slot_of(uint8_t piece)
{
    return piece >= ST_SLOTS ? (uint8_t)(piece - ST_SLOTS) : piece;
}

static inline uint8_t st_step(uint8_t cell, int8_t step)
{
    return (uint8_t)(cell + step);
}

/* Is it a piece of the other side? One comparison: this is asked more often than all else. */
static inline bool st_enemy(uint8_t piece, uint8_t seat)
{
    return (uint8_t)(piece - (seat ? 0 : ST_SLOTS)) < ST_SLOTS;
}

/* Has the variant's family this rank? ST_HIDDEN and ST_NONE are none. */
static inline bool st_is_rank(const struct st_state *s, uint8_t rank)
{
    return rank < st_rules_of(s)->ranks;
}

/* ST-3; what is hidden may be movable. */
static inline bool st_mobile(const struct st_state *s, uint8_t rank)
{
    return rank != ST_FLAG && rank + 1 != st_rules_of(s)->ranks;
}

static inline bool st_movable(const struct st_state *s, uint8_t piece)
{
    return st_mobile(s, s->rank[piece]);
}

/* Does the state wait for a move? */
static inline bool st_in_play(const struct st_state *s)
{
    return s->outcome.reason == REASON_NONE && s->turn != NO_SEAT && !s->claim &&
           s->from == ST_NOWHERE;
}

/* Where the last ply of the side to move ended; ST_NOWHERE: there is none. */
static inline uint8_t st_last(const struct st_state *s)
{
    return s->recorded < 2 ? ST_NOWHERE : s->ply[(s->at + ST_PLIES - 2) % ST_PLIES] >> 7 & 0x7f;
}

/* Does an attack wait for its defender? */
static inline bool st_attacked(const struct st_state *s)
{
    return s->from != ST_NOWHERE;
}

/* Where only combats are told: has play begun, and not ended? */
static inline bool st_fights(const struct st_state *s)
{
    return s->outcome.reason == REASON_NONE && s->turn != NO_SEAT;
}

/* stratego.c */
struct awaiting st_awaits(const void *state);

/* judge.c: may the piece of `seat`, opened as `opened` if it is hidden, go so, history apart?
 * And with it. */
ruling_t st_judge_geometry(const struct st_state *s, uint8_t seat, struct st_move m,
                           uint8_t opened);
ruling_t st_judge(const void *state, const struct event *event);

/* setup.c */
ruling_t st_judge_setup(const struct st_state *s, const struct event *event);
void st_play_setup(struct st_state *s, const struct event *event);

/* history.c: the moves that st_barred() may bar: of one piece, by SC-6, and to cells that
 * pieces have left during the chase, by SC-7. */
struct st_suspects {
    uint8_t from;
    uint64_t to[3]; /* by cell */
};

struct st_suspects st_suspects(const struct st_state *s);

static inline bool st_is_suspect(const struct st_suspects *suspects, struct st_move m)
{
    return m.from == suspects->from || (suspects->to[m.to / 64] >> m.to % 64 & 1);
}

/* history.c: does SC-6 or SC-7 bar `m`, which geometry allows, of the side to move? */
ruling_t st_barred(const struct st_state *s, struct st_move m);
/* Remembers a ply of s->turn that stands on the board already. */
void st_record(struct st_state *s, struct st_ply ply);

/* legal.c */
size_t st_legal(const void *state, uint8_t seat, struct event *out, size_t max);
bool st_can_move(const struct st_state *s); /* the side to move */
bool st_has_movable(const struct st_state *s, uint8_t seat);

/* dead.c: ST-13 */
bool st_dead(const struct st_state *s);

/* blind.c: players' custody. */
uint8_t st_opened(const struct event *move);
void st_learn(struct st_state *s, uint8_t piece, uint8_t rank);
bool st_exceeds(const struct st_state *s, uint8_t seat);
ruling_t st_judge_opened(const struct st_state *s, struct st_move m, uint8_t opened);
ruling_t st_judge_open(const struct st_state *s, const struct event *event);
ruling_t st_judge_reveal(const struct st_state *s, const struct event *event);
void st_challenge(struct st_state *s, struct st_move m, struct effects *effects);
void st_play_open(struct st_state *s, const struct event *event, struct effects *effects);
void st_play_reveal(struct st_state *s, const struct event *event);

/* combats.c: only combats are told. */
size_t st_named(const struct st_state *s, uint8_t seat, struct event *out, size_t max);
void st_note_combat(struct st_state *s, struct st_move m);
void st_play_named(struct st_state *s, const struct event *event, struct effects *effects);

/* play.c */
void st_finish(struct st_state *s, uint8_t reason, uint8_t winner, uint8_t ruling);
void st_tell(struct effects *effects, uint8_t type, uint8_t seat,
             const struct st_action *action);
/* The attack `m` of the side to move, both ranks being known. */
void st_fight(struct st_state *s, struct st_move m, struct effects *effects);
void st_play(void *state, const struct event *event, struct effects *ret_effects);
void st_observe(const void *state, uint8_t seat, void *ret_view);
ruling_t st_check(const void *state);

#endif
