/* Table custody: what can be true, for all that lies open. A hand may be any of the cards that
 * have not been played in this round. */
#include <string.h>

#include "rules/engarde/internal.h"

int eg_left(const struct eg_state *s, uint8_t value)
{
    int left = EG_EACH;

    for (size_t i = 0; i < EG_CARDS; i++)
        left -= s->place[i] == EG_PLAYED && s->value[i] == value;
    return left;
}

static bool is_value(uint8_t value)
{
    return value >= 1 && value <= EG_VALUES;
}

/* The ruling by which cards of a value are played. */
static ruling_t contradicts(const struct eg_move *m)
{
    if (m->verb == EG_PARRY)
        return EG_PARRY_CONTRADICTS;
    return m->verb <= EG_RETREAT ? EG_STEP_CONTRADICTS : EG_ATTACK_CONTRADICTS;
}

ruling_t eg_judge_cards(const struct eg_state *s, const struct eg_move *m)
{
    uint8_t value = m->verb == EG_PARRY ? s->exchange.card : m->card;
    int step = m->verb == EG_ADVANCE_ATTACK;

    if (m->verb >= EG_YIELD)
        return EG_ALLOWED;
    /* A parry of none is too few, and one of nothing is answered as such. */
    if (m->verb == EG_PARRY && (!value || !m->count))
        return EG_ALLOWED;
    if (!is_value(value) || !m->count || (step && !is_value(m->step)) ||
        m->count + step > s->hand[s->turn][0])
        return EG_NOT_HELD;
    if (m->count + (step && m->step == value) > eg_left(s, value))
        return contradicts(m);
    return step && !eg_left(s, m->step) ? EG_STEP_CONTRADICTS : EG_ALLOWED;
}

/* How many cards are left, at most, that are of no use to the seat on turn: see eg_can_act().
 */
static int useless(const struct eg_state *s)
{
    int behind = eg_travelled(s, s->turn), ahead = eg_distance(s), count = 0;
    int reach = behind > ahead ? behind : ahead;

    /* EG-5, EK-5: an attack is answered by cards of its value, or by a retreat. */
    if (s->exchange.card)
        reach = s->exchange.advanced ? behind : 0;
    for (uint8_t value = 1; value <= EG_VALUES; value++) {
        int left = eg_left(s, value);
        if (value <= reach)
            continue;
        if (value == s->exchange.card && left >= eg_lacking(s))
            left = eg_lacking(s) - 1;
        count += left;
    }
    return count;
}

ruling_t eg_judge_claim(const struct eg_state *s, const struct eg_move *m)
{
    (void)m;
    if (useless(s) >= s->hand[s->turn][0])
        return EG_ALLOWED;
    /* EG-5, EG-6: there a claim is never impossible. Both hands and the exchange make ten
     * cards, at most five of them of its value; the rest and the deck are more than any hand.
     */
    return s->variant == EG_KNIZIA ? EG_EK_CLAIM_CONTRADICTS : EG_STUCK_CONTRADICTS;
}

bool eg_read_show(const struct event *event, struct eg_show *ret_show)
{
    if (event->size != sizeof *ret_show || event->data[0] != EG_SHOW)
        return false;
    memcpy(ret_show, event->data, sizeof *ret_show);
    return true;
}

ruling_t eg_judge_show(const struct eg_state *s, uint8_t seat, const struct eg_show *show)
{
    bool knizia = s->variant == EG_KNIZIA;
    int count = 0;

    /* EG-9, EK-7 */
    if (!eg_showing(s))
        return knizia ? EG_EK_NOTHING_TO_SHOW : EG_NOTHING_TO_SHOW;
    for (size_t value = 1; value <= EG_VALUES; value++)
        count += show->cards[value];
    if (count != show->cards[0] || count != s->hand[seat][0])
        return knizia ? EG_EK_WRONG_HAND : EG_WRONG_HAND;
    /* The other's cards count only once they are shown: until then they are all 0. */
    for (uint8_t value = 1; value <= EG_VALUES; value++)
        if (show->cards[value] > eg_left(s, value) - s->hand[eg_other(seat)][value])
            return knizia ? EG_EK_SHOW_CONTRADICTS : EG_SHOW_CONTRADICTS;
    return EG_ALLOWED;
}
