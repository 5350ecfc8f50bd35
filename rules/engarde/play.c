#include <string.h>

#include "rules/engarde/internal.h"

/* EG-11, EK-6 */
static void be_stuck(struct eg_state *s, struct effects *effects)
{
    eg_end_round(s, s->turn, s->variant == EG_KNIZIA ? EK_6 : EG_11, effects);
}

/* The turn begins: whoever has nothing to play is hit at once. */
static void give_turn(struct eg_state *s, uint8_t seat, struct effects *effects)
{
    s->turn = seat;
    /* EG-11, EK-6; at a table he says so himself. */
    if (!s->table && !eg_can_act(s))
        be_stuck(s, effects);
}

/* EG-5, EG-6, EK-6: there is no answer. */
static void yield(struct eg_state *s, struct effects *effects)
{
    /* EG-6: whoever has cards in the exchange already was to level a counterattack. */
    uint8_t ruling = s->exchange.played[s->turn] ? EG_6 : EG_5;

    eg_end_round(s, s->turn, s->variant == EG_KNIZIA ? EK_6 : ruling, effects);
}

/* The other must answer; if he cannot, he is hit and nothing is asked. */
static void demand_answer(struct eg_state *s, struct effects *effects)
{
    bool basic = s->variant == EG_KNIZIA && s->level == EG_BASIC;

    s->turn = eg_other(s->turn);
    /* EG-5, EG-6, EK-6, at a table once he says so; EK-2: at the basic level nothing answers.
     */
    if (basic || (!s->table && !eg_can_act(s)))
        yield(s, effects);
}

static void end_exchange(struct eg_state *s)
{
    s->exchange = (struct eg_exchange){0};
}

static void step(struct eg_state *s, bool advance, uint8_t card, struct effects *effects)
{
    struct effect *moved = effects_add(effects, EG_MOVED, s->turn);
    bool up = (s->turn == EG_LEFT) == advance;

    eg_discard(s, s->turn, card, 1);
    moved->data[0] = s->field[s->turn];
    s->field[s->turn] = (uint8_t)(s->field[s->turn] + (up ? card : -card));
    moved->data[1] = s->field[s->turn];
}

static void play_step(struct eg_state *s, const struct eg_move *m, struct effects *effects)
{
    /* EG-2, EG-3; EK-5: a retreat before an attack is a whole turn like any other. */
    step(s, m->verb == EG_ADVANCE, m->card, effects);
    end_exchange(s);
    if (eg_fill(s, s->turn, effects))
        eg_end_deck(s, effects);
    else
        give_turn(s, eg_other(s->turn), effects);
}

static void play_attack(struct eg_state *s, const struct eg_move *m, struct effects *effects)
{
    struct effect *attacked = effects_add(effects, EG_ATTACKED, s->turn);

    attacked->data[0] = m->card;
    attacked->data[1] = m->count;
    eg_discard(s, s->turn, m->card, m->count);
    s->exchange = (struct eg_exchange){.card = m->card, .last_attacker = s->turn};
    s->exchange.played[s->turn] = m->count;
    s->exchange.advanced = m->verb == EG_ADVANCE_ATTACK;
    if (s->variant != EG_KNIZIA) {
        demand_answer(s, effects);
        return;
    }
    /* EK-3; EK-7: even if this was the last card, the attack is answered. */
    (void)eg_fill(s, s->turn, effects);
    demand_answer(s, effects);
}

static void play_advance_attack(struct eg_state *s, const struct eg_move *m,
                                struct effects *effects)
{
    /* EK-4 */
    step(s, true, m->step, effects);
    play_attack(s, m, effects);
}

/* EK-3, EK-7: the defender takes his turn with the cards that he has left. */
static void parried_knizia(struct eg_state *s, struct effects *effects)
{
    end_exchange(s);
    if (s->drawn == EG_CARDS)
        eg_end_deck(s, effects);
    else
        give_turn(s, s->turn, effects);
}

/* EG-7; EG-9: whoever draws the last card ends the round there. */
static void parried(struct eg_state *s, struct effects *effects)
{
    uint8_t attacker = s->exchange.last_attacker;

    end_exchange(s);
    if (eg_fill(s, attacker, effects) || eg_fill(s, eg_other(attacker), effects))
        eg_end_deck(s, effects);
    else
        give_turn(s, s->defender_next ? eg_other(attacker) : attacker, effects);
}

static void play_parry(struct eg_state *s, const struct eg_move *m, struct effects *effects)
{
    struct effect *effect = effects_add(effects, EG_PARRIED, s->turn);
    bool level = m->count == eg_lacking(s);

    effect->data[0] = s->exchange.card;
    effect->data[1] = m->count;
    eg_discard(s, s->turn, s->exchange.card, m->count);
    s->exchange.played[s->turn] = (uint8_t)(s->exchange.played[s->turn] + m->count);
    if (level && s->variant == EG_KNIZIA) {
        parried_knizia(s, effects);
        return;
    }
    if (level) {
        parried(s, effects);
        return;
    }
    /* EG-6 */
    s->exchange.last_attacker = s->turn;
    demand_answer(s, effects);
}

static void play_yield(struct eg_state *s, const struct eg_move *m, struct effects *effects)
{
    (void)m;
    yield(s, effects);
}

static void play_stuck(struct eg_state *s, const struct eg_move *m, struct effects *effects)
{
    (void)m;
    be_stuck(s, effects);
}

typedef void play_verb(struct eg_state *s, const struct eg_move *m, struct effects *effects);

static play_verb *const plays[EG_VERBS] = {
    [EG_ADVANCE] = play_step,
    [EG_RETREAT] = play_step,
    [EG_ATTACK] = play_attack,
    [EG_PARRY] = play_parry,
    [EG_ADVANCE_ATTACK] = play_advance_attack,
    [EG_YIELD] = play_yield,
    [EG_STUCK] = play_stuck,
};

void eg_play(void *state, const struct event *event, struct effects *ret_effects)
{
    struct eg_state *s = state;
    struct eg_show show;
    struct eg_move move;

    if (event->kind == EVENT_LOT) {
        /* EG-12 */
        s->starter = event->data[0];
        return;
    }
    if (event->kind == EVENT_DEAL) {
        eg_deal(s, event->data, ret_effects);
        return;
    }
    if (s->table && eg_read_show(event, &show)) {
        eg_show_hand(s, event->seat, &show, ret_effects);
        return;
    }
    memcpy(&move, event->data, sizeof move);
    plays[move.verb](s, &move, ret_effects);
}
