#include "rules/engarde/internal.h"

/* EG-1: 25 cards, five of each value. */
static ruling_t judge_cards(const struct eg_cards *cards)
{
    int count[EG_VALUES + 1] = {0};

    if (cards->strange)
        return EG_IMPOSSIBLE_CARD;
    for (size_t i = 0; i < cards->deck_size; i++)
        count[cards->deck[i]]++;
    for (size_t value = 1; value <= EG_VALUES; value++)
        if (count[value] + cards->hand[EG_LEFT][value] + cards->hand[EG_RIGHT][value] > EG_EACH)
            return EG_IMPOSSIBLE_COUNT;
    return EG_ALLOWED;
}

/* Puts cards of one value at `position` and after it; returns the next free one. */
static uint8_t put(struct eg_state *s, uint8_t position, int place, uint8_t value, int count)
{
    for (; count > 0; count--, position++) {
        s->value[position] = value;
        s->place[position] = (uint8_t)place;
    }
    return position;
}

void eg_lay(struct eg_state *s, const struct eg_cards *cards)
{
    int missing[EG_VALUES + 1] = {0, EG_EACH, EG_EACH, EG_EACH, EG_EACH, EG_EACH};
    uint8_t at = 0;

    s->misfit = (uint8_t)judge_cards(cards);
    if (s->misfit)
        return;
    for (uint8_t seat = 0; seat < EG_SEATS; seat++)
        for (uint8_t value = 1; value <= EG_VALUES; value++) {
            uint8_t count = cards->hand[seat][value];
            at = put(s, at, EG_IN_LEFT_HAND + seat, value, count);
            s->hand[seat][value] = count;
            s->hand[seat][0] = (uint8_t)(s->hand[seat][0] + count);
            missing[value] -= count;
        }
    for (size_t i = 0; i < cards->deck_size; i++)
        missing[cards->deck[i]]--;
    for (uint8_t value = 1; value <= EG_VALUES; value++)
        at = put(s, at, EG_PLAYED, value, missing[value]);
    s->drawn = at;
    for (size_t i = 0; i < cards->deck_size; i++)
        at = put(s, at, EG_IN_DECK, cards->deck[i], 1);
}
