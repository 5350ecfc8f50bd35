#include <string.h>

#include "rules/engarde/internal.h"

static bool holds(const struct eg_state *s, int value, int count)
{
    return value >= 1 && value <= EG_VALUES && count >= 1 && s->hand[s->turn][value] >= count;
}

static ruling_t judge_step(const struct eg_state *s, const struct eg_move *m)
{
    int ahead = eg_distance(s) - 1, behind = eg_travelled(s, s->turn);
    bool advance = m->verb == EG_ADVANCE;

    if (m->card <= (advance ? ahead : behind))
        return EG_ALLOWED;
    return advance ? EG_BLOCKED : EG_OFF_STRIP;
}

static ruling_t judge_attack(const struct eg_state *s, const struct eg_move *m)
{
    /* EG-4 */
    if (m->card != eg_distance(s))
        return EG_OUT_OF_REACH;
    /* EK-2 */
    if (s->variant == EG_KNIZIA && s->level == EG_BASIC && m->count != 1)
        return EG_EK_ONE_CARD;
    return EG_ALLOWED;
}

static ruling_t judge_parry(const struct eg_state *s, const struct eg_move *m)
{
    /* EG-5; whoever must level a counterattack answers in the same way. */
    if (m->count < eg_lacking(s))
        return EG_TOO_FEW;
    /* EG-6, EK-2 */
    if (m->count > eg_lacking(s) && !s->counterattack)
        return s->variant == EG_KNIZIA ? EG_EK_TOO_MANY : EG_TOO_MANY;
    return EG_ALLOWED;
}

static ruling_t judge_advance_attack(const struct eg_state *s, const struct eg_move *m)
{
    /* EK-4 */
    if (s->variant != EG_KNIZIA)
        return EG_ONE_THING;
    if (s->level != EG_ADVANCED)
        return EG_EK_ONE_THING;
    if (m->step >= eg_distance(s))
        return EG_BLOCKED;
    return m->card == eg_distance(s) - m->step ? EG_ALLOWED : EG_OUT_OF_REACH;
}

typedef ruling_t judge_verb(const struct eg_state *s, const struct eg_move *m);

static judge_verb *const judges[EG_VERBS] = {
    [EG_ADVANCE] = judge_step,
    [EG_RETREAT] = judge_step,
    [EG_ATTACK] = judge_attack,
    [EG_PARRY] = judge_parry,
    [EG_ADVANCE_ATTACK] = judge_advance_attack,
    [EG_YIELD] = eg_judge_claim,
    [EG_STUCK] = eg_judge_claim,
};

/* Each move has one form only. */
static bool well_formed(const struct eg_state *s, const struct eg_move *m)
{
    if (m->verb >= (s->table ? EG_SHOW : EG_YIELD))
        return false;
    if (m->verb >= EG_YIELD)
        return !m->card && !m->count && !m->step;
    if (m->verb <= EG_RETREAT && m->count != 1)
        return false;
    if (m->verb == EG_PARRY && m->card)
        return false;
    return m->verb == EG_ADVANCE_ATTACK || !m->step;
}

/* The answers to an attack: a parry, or to an advance with attack also a retreat (EK-5); at a
 * table also that there is none. */
static bool answers(const struct eg_state *s, const struct eg_move *m)
{
    return m->verb == EG_PARRY || m->verb == EG_YIELD ||
           (m->verb == EG_RETREAT && s->exchange.advanced);
}

static bool holds_all(const struct eg_state *s, const struct eg_move *m)
{
    if (m->verb == EG_ADVANCE_ATTACK && m->step == m->card)
        return holds(s, m->card, m->count + 1) && m->count;
    if (m->verb == EG_ADVANCE_ATTACK)
        return holds(s, m->card, m->count) && holds(s, m->step, 1);
    if (m->verb != EG_PARRY)
        return holds(s, m->card, m->count);
    /* A parry of none is too few, and not a card that he lacks. */
    return !s->exchange.card || !m->count || holds(s, s->exchange.card, m->count);
}

static ruling_t judge_held(const struct eg_state *s, const struct eg_move *m)
{
    if (s->table)
        return eg_judge_cards(s, m);
    return holds_all(s, m) ? EG_ALLOWED : EG_NOT_HELD;
}

ruling_t eg_judge_move(const struct eg_state *s, const struct eg_move *m)
{
    if (!well_formed(s, m))
        return EG_NO_SUCH_MOVE;
    /* EG-9, EK-7 */
    if (eg_showing(s))
        return s->variant == EG_KNIZIA ? EG_EK_MUST_SHOW : EG_MUST_SHOW;
    /* EG-2: before all else, one plays what one holds. */
    ruling_t refusal = judge_held(s, m);
    if (refusal)
        return refusal;
    if (s->exchange.card && !answers(s, m))
        return EG_MUST_PARRY;
    if (!s->exchange.card && (m->verb == EG_PARRY || m->verb == EG_YIELD))
        return EG_NOTHING_TO_PARRY;
    return judges[m->verb](s, m);
}

static bool holds_up_to(const struct eg_state *s, int reach)
{
    if (reach >= EG_VALUES)
        return s->hand[s->turn][0];
    for (int value = 1; value <= reach; value++)
        if (s->hand[s->turn][value])
            return true;
    return false;
}

bool eg_can_act(const struct eg_state *s)
{
    int behind = eg_travelled(s, s->turn), ahead = eg_distance(s);

    /* EG-11, EK-6: one retreats up to the own end, advances short of the opponent, and attacks
     * at just his distance. */
    if (!s->exchange.card)
        return holds_up_to(s, behind > ahead ? behind : ahead);
    /* EG-5; EK-5 */
    return s->hand[s->turn][s->exchange.card] >= eg_lacking(s) ||
           (s->exchange.advanced && holds_up_to(s, behind));
}

static ruling_t judge_deal(const struct eg_state *s, const struct event *event)
{
    uint32_t met = 0;

    /* The players have dealt, and what is theirs to know. */
    if (s->table)
        return event->size ? EG_BAD_DEAL : EG_ALLOWED;
    if (event->size != EG_CARDS)
        return EG_BAD_DEAL;
    for (size_t i = 0; i < EG_CARDS; i++) {
        if (event->data[i] >= EG_CARDS || (met >> event->data[i] & 1))
            return EG_BAD_DEAL;
        met |= UINT32_C(1) << event->data[i];
    }
    return EG_ALLOWED;
}

/* Lot and deal; a move is for another time. */
static ruling_t judge_chance(const struct eg_state *s, const struct event *event)
{
    uint8_t what = eg_awaits(s).what;

    if (what == AWAIT_NOTHING)
        return EG_REFUSE_GAME_OVER;
    if (event->kind == EVENT_DEAL && what == AWAIT_DEAL)
        return judge_deal(s, event);
    if (event->kind == EVENT_LOT && what == AWAIT_LOT && event->data[0] < EG_SEATS)
        return EG_ALLOWED;
    return EG_REFUSE_WRONG_TIME;
}

static bool may_act(const struct eg_state *s, uint8_t seat)
{
    if (eg_showing(s))
        return seat < EG_SEATS && s->shows[seat] < EG_SHOWS_MAX;
    return seat == s->turn;
}

ruling_t eg_judge(const void *state, const struct event *event)
{
    const struct eg_state *s = state;
    struct eg_show show;
    struct eg_move move;

    if (!eg_in_play(s))
        return judge_chance(s, event);
    if (event->kind != EVENT_MOVE)
        return EG_REFUSE_WRONG_TIME;
    if (!may_act(s, event->seat))
        return EG_REFUSE_NOT_YOUR_TURN;
    if (s->table && eg_read_show(event, &show))
        return eg_judge_show(s, event->seat, &show);
    if (event->size != sizeof move)
        return EG_NO_SUCH_MOVE;
    memcpy(&move, event->data, sizeof move);
    return eg_judge_move(s, &move);
}
