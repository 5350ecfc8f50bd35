#include "rules/engarde/internal.h"

/* Cards of `value` that are neither in a hand nor in the deck. */
static int played(const struct eg_state *s, int value)
{
    int count = 0;

    for (size_t i = 0; i < EG_CARDS; i++)
        count += s->place[i] == EG_PLAYED && s->value[i] == value;
    return count;
}

static ruling_t check_strip(const struct eg_state *s)
{
    for (size_t seat = 0; seat < EG_SEATS; seat++)
        if (s->field[seat] < 1 || s->field[seat] > EG_FIELDS)
            return EG_IMPOSSIBLE_FIELD;
    if (eg_distance(s) <= 0)
        return EG_IMPOSSIBLE_ORDER;
    for (size_t seat = 0; seat < EG_SEATS; seat++)
        if (s->hits[seat] >= s->hits_to_lose)
            return EG_IMPOSSIBLE_HITS;
    return s->round ? EG_ALLOWED : EG_IMPOSSIBLE_ROUND;
}

/* EK-3, EK-4: can the attack on the table have been laid by a hand that lacked `lacked` cards
 * of an earlier parry? As many of the attack that was parried lie beside them. */
static bool can_have_attacked(const struct eg_state *s, int lacked)
{
    const struct eg_exchange *x = &s->exchange;
    int laid = x->played[x->last_attacker];

    if (!x->advanced)
        return played(s, x->card) >= laid + 2 * lacked;
    if (laid + lacked >= EG_HAND)
        return false;
    /* A card that brought him forward is among those played. */
    for (int step = 1; step <= EG_VALUES && step <= eg_travelled(s, x->last_attacker); step++) {
        int before = x->card + step; /* the distance then */
        if (played(s, step) <= (step == x->card ? laid : 0))
            continue;
        if (!lacked || (before <= EG_VALUES && played(s, before) >= 2 * lacked))
            return true;
    }
    return false;
}

/* EG-4, EG-6: the answerer has less on the table than whoever attacked last. */
static ruling_t check_exchange(const struct eg_state *s)
{
    const struct eg_exchange *x = &s->exchange;

    if (x->card != eg_distance(s) || x->card > EG_VALUES)
        return EG_IMPOSSIBLE_DISTANCE;
    if (x->last_attacker != eg_other(s->turn) || eg_lacking(s) <= 0)
        return EG_IMPOSSIBLE_EXCHANGE;
    if (x->played[EG_LEFT] + x->played[EG_RIGHT] > played(s, x->card))
        return EG_IMPOSSIBLE_COUNT;
    if (!s->counterattack && x->played[s->turn])
        return s->variant == EG_KNIZIA ? EG_EK_IMPOSSIBLE_EXCHANGE : EG_IMPOSSIBLE_EXCHANGE;
    if (s->variant == EG_KNIZIA && s->level == EG_BASIC)
        return EG_EK_IMPOSSIBLE_BASIC;
    if (x->advanced &&
        (s->variant != EG_KNIZIA || s->level != EG_ADVANCED || !can_have_attacked(s, 0)))
        return EG_IMPOSSIBLE_ADVANCED;
    return EG_ALLOWED;
}

static ruling_t check_hands(const struct eg_state *s)
{
    /* EG-9 */
    if (s->drawn == EG_CARDS)
        return EG_IMPOSSIBLE_DECK;
    for (size_t seat = 0; seat < EG_SEATS; seat++)
        if (s->hand[seat][0] + s->exchange.played[seat] != EG_HAND)
            return EG_IMPOSSIBLE_HAND;
    return EG_ALLOWED;
}

/* EK-3: after a parry the player on turn lacks what he parried with, and as many cards of the
 * attack lie beside them. */
static bool short_by_parry(const struct eg_state *s)
{
    int lacks = EG_HAND - s->hand[s->turn][0];
    int distance = eg_distance(s);

    if (lacks <= 0)
        return lacks == 0;
    return s->level != EG_BASIC && distance <= EG_VALUES && played(s, distance) >= 2 * lacks;
}

static ruling_t check_hands_knizia(const struct eg_state *s)
{
    const uint8_t *other = s->hand[eg_other(s->turn)];

    /* EK-7: an attack on the table is still answered. */
    if (s->drawn == EG_CARDS && !s->exchange.card)
        return EG_EK_IMPOSSIBLE_DECK;
    if (!s->exchange.card)
        return other[0] == EG_HAND && short_by_parry(s) ? EG_ALLOWED : EG_EK_IMPOSSIBLE_HAND;
    /* EK-3: the attacker has filled up, as far as the deck went. */
    if (s->hand[s->turn][0] != EG_HAND || other[0] > EG_HAND)
        return EG_EK_IMPOSSIBLE_HAND;
    if (s->drawn < EG_CARDS)
        return other[0] == EG_HAND ? EG_ALLOWED : EG_EK_IMPOSSIBLE_HAND;
    /* He drew the last card himself, so the hand that he began with was this one without it and
     * with what he played, or more. */
    int lacked = EG_HAND + 1 - other[0] - s->exchange.played[eg_other(s->turn)] -
                 (s->exchange.advanced ? 1 : 0);
    return !other[0] || !can_have_attacked(s, lacked > 0 ? lacked : 0) ? EG_EK_IMPOSSIBLE_HAND
                                                                       : EG_ALLOWED;
}

/* EG-5, EG-11, EK-6: whoever cannot act has been hit already. */
static ruling_t check_turn(const struct eg_state *s)
{
    bool knizia = s->variant == EG_KNIZIA;

    if (eg_can_act(s))
        return EG_ALLOWED;
    if (s->exchange.card)
        return knizia ? EG_EK_IMPOSSIBLE_ANSWER : EG_IMPOSSIBLE_ANSWER;
    return knizia ? EG_EK_IMPOSSIBLE_STUCK : EG_IMPOSSIBLE_STUCK;
}

ruling_t eg_check(const void *state)
{
    const struct eg_state *s = state;

    /* EG-1 */
    if (s->misfit)
        return s->misfit;
    ruling_t refusal = check_strip(s);
    if (!refusal && s->exchange.card)
        refusal = check_exchange(s);
    if (!refusal)
        refusal = s->variant == EG_KNIZIA ? check_hands_knizia(s) : check_hands(s);
    return refusal ? refusal : check_turn(s);
}
