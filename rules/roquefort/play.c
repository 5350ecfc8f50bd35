#include "rules/roquefort/internal.h"

#include <assert.h>
#include <string.h>

static void enter(struct rq_state *s, const struct rq_move *m, struct effects *effects)
{
    struct effect *effect = effects_add(effects, RQ_MOVED, s->turn);

    effect->data[0] = RQ_NO_SQUARE;
    effect->data[1] = m->to;
    s->mice[s->turn] |= rq_bit(m->to);
    s->reserve[s->turn]--;
}

static void move(struct rq_state *s, const struct rq_move *m, struct effects *effects)
{
    struct effect *effect = effects_add(effects, RQ_MOVED, s->turn);

    effect->data[0] = m->from;
    effect->data[1] = m->to;
    s->mice[s->turn] ^= rq_bit(m->from) | rq_bit(m->to);
}

static void uncover(struct rq_state *s, const struct rq_move *m, struct effects *effects)
{
    uint64_t squares = rq_room_squares(s->room, m->to);

    rq_effect_put(effects_add(effects, RQ_UNCOVERED, s->turn), squares);
    s->open |= squares;
    s->seen |= rq_visible_tiles(s);
}

static void shift(struct rq_state *s, const struct rq_move *m, struct effects *effects)
{
    rq_shift(s, m->to, effects);
}

static void play_move(struct rq_state *s, const struct rq_move *m, struct effects *effects)
{
    static void (*const plays[RQ_END_TURN])(struct rq_state *, const struct rq_move *,
                                            struct effects *) = {
        [RQ_ENTER] = enter, [RQ_UNCOVER] = uncover, [RQ_STEP] = move,
        [RQ_JUMP] = move,   [RQ_SHIFT] = shift,
    };
    bool setup = rq_is_setup(s);

    if (m->verb == RQ_END_TURN) {
        rq_end_turn(s, effects);
        return;
    }
    s->actions_left = (uint8_t)(s->actions_left - rq_cost(s, m));
    plays[m->verb](s, m, effects);
    rq_consequences(s, m->verb == RQ_SHIFT, effects);
    if (s->outcome.reason != REASON_NONE)
        return;
    if (setup)
        s->turn = rq_next(s, s->turn); /* CR-2 */
    else if (rq_is_out(s, s->turn))
        rq_end_turn(s, effects); /* CR-13 */
    else if (!s->actions_left && m->verb != RQ_UNCOVER)
        rq_end_turn(s, effects); /* CR-3 */
}

/* A seat gives up or has run out of time: in a game of two the other wins, in a larger one the
 * seat goes out as by CR-13, and the last one left wins. */
static void drop(struct rq_state *s, const struct event *event, struct effects *effects)
{
    uint8_t other = rq_next(s, event->seat);
    bool turn = s->stage == RQ_PLAY && event->seat == s->turn, setup = turn && rq_is_setup(s);

    if (s->players == 2) {
        s->outcome.reason = event->kind == EVENT_RESIGN ? REASON_RESIGNED : REASON_TIME;
        s->outcome.winner = other;
        return;
    }
    bool last = rq_next(s, other) == event->seat;
    rq_put_out(s, event->seat, effects);
    if (last) {
        s->outcome = (struct outcome){REASON_LAST_LEFT, other, RQ_CR13};
        return;
    }
    if (s->stage == RQ_DEAL && event->seat == s->turn)
        s->turn = other;
    if (setup)
        s->turn = other;
    else if (turn)
        rq_end_turn(s, effects);
}

/* Tells nothing: the deal is announced by who shuffles, and the castle is under its roofs. */
static void deal(struct rq_state *s, const struct event *event)
{
    rq_deal(s, event);
    s->stage = RQ_PLAY;
    s->actions_left = RQ_ACTIONS;
}

static void learn(struct rq_state *s, const struct event *event, const struct rq_move *move)
{
    struct rq_report report;

    rq_report_of(event, move, &report);
    rq_learn(s, &report);
}

void rq_play(void *state, const struct event *event, struct effects *ret_effects)
{
    struct rq_state *s = state;
    struct rq_move move;

    memset(s->lit, RQ_NO_SQUARE, sizeof s->lit);
    if (event->kind == EVENT_RESIGN || event->kind == EVENT_TIMEOUT) {
        drop(s, event, ret_effects);
        return;
    }
    if (event->kind == EVENT_LOT) {
        s->first = s->turn = event->data[0];
        s->stage = RQ_DEAL;
        return;
    }
    if (event->kind == EVENT_DEAL) {
        deal(s, event);
        return;
    }
    bool whole = rq_move_of(s, event, &move);
    assert(whole);
    if (s->custody == CUSTODY_TABLE)
        learn(s, event, &move);
    play_move(s, &move, ret_effects);
}
