/* What the files of this folder share; no other folder includes it. */
#ifndef RULES_ENGARDE_INTERNAL_H
#define RULES_ENGARDE_INTERNAL_H

#include "rules/engarde/engarde.h"

static inline uint8_t eg_other(uint8_t seat)
{
    return !seat;
}

/* Does the state wait for a move? */
static inline bool eg_in_play(const struct eg_state *state)
{
    return state->outcome.reason == REASON_NONE && state->round && !state->ended;
}

static inline int eg_distance(const struct eg_state *state)
{
    return state->field[EG_RIGHT] - state->field[EG_LEFT];
}

/* The fields between a figure and its own end. */
static inline int eg_travelled(const struct eg_state *state, uint8_t seat)
{
    int way = state->field[seat] - (seat == EG_LEFT ? 1 : EG_FIELDS);

    return way < 0 ? -way : way; /* no branch on whose turn it is */
}

/* Cards that whoever must answer still lacks to level the attack. */
static inline int eg_lacking(const struct eg_state *state)
{
    return state->exchange.played[eg_other(state->turn)] - state->exchange.played[state->turn];
}

/* EG-9, EK-7, table custody: the deck is empty, and both are to show their hands. */
static inline bool eg_showing(const struct eg_state *state)
{
    return state->table && state->drawn == EG_CARDS && !state->exchange.card &&
           eg_in_play(state);
}

/* engarde.c */
struct awaiting eg_awaits(const void *state);

/* judge.c: the refusal of a move by the seat on turn; total for every value of `move`. */
ruling_t eg_judge_move(const struct eg_state *state, const struct eg_move *move);
ruling_t eg_judge(const void *state, const struct event *event);

/* judge.c: has the seat on turn anything to play, or an answer to the attack? */
bool eg_can_act(const struct eg_state *state);

/* table.c, table custody: what an EVENT_MOVE shows, and is it a hand at all? */
bool eg_read_show(const struct event *event, struct eg_show *ret_show);

/* table.c: cards of `value` that have not been played in this round. */
int eg_left(const struct eg_state *state, uint8_t value);

/* table.c: can the seat on turn hold the cards of this move, for all that is public? */
ruling_t eg_judge_cards(const struct eg_state *state, const struct eg_move *move);

/* table.c: can it hold nothing to play, or to answer with, as EG_STUCK and EG_YIELD claim? */
ruling_t eg_judge_claim(const struct eg_state *state, const struct eg_move *move);

/* table.c: can this be the hand of `seat`? */
ruling_t eg_judge_show(const struct eg_state *state, uint8_t seat, const struct eg_show *show);

/* play.c */
void eg_play(void *state, const struct event *event, struct effects *ret_effects);

/* round.c: begins the next round with a permutation of 25. */
void eg_deal(struct eg_state *state, const uint8_t *order, struct effects *effects);

/* round.c: fills up a hand to five; true if it drew the last card, or there was none. */
bool eg_fill(struct eg_state *state, uint8_t seat, struct effects *effects);

/* round.c: takes `count` cards of `value` out of a hand that holds them. */
void eg_discard(struct eg_state *state, uint8_t seat, uint8_t value, uint8_t count);

/* round.c: ends the round by a ruling; `hit` NO_SEAT: it is void. */
void eg_end_round(struct eg_state *state, uint8_t hit, uint8_t ruling, struct effects *effects);

/* round.c: ends the round because the deck is empty; at a table hands are shown first. */
void eg_end_deck(struct eg_state *state, struct effects *effects);

/* round.c, table custody: lays a hand open; the second one ends the round. */
void eg_show_hand(struct eg_state *state, uint8_t seat, const struct eg_show *show,
                  struct effects *effects);

/* legal.c, view.c, check.c */
size_t eg_legal(const void *state, uint8_t seat, struct event *out, size_t max);
void eg_observe(const void *state, uint8_t seat, void *ret_view);
ruling_t eg_check(const void *state);

#endif
