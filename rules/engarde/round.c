#include <assert.h>
#include <string.h>

#include "rules/bits.h"
#include "rules/engarde/internal.h"

static void take(struct eg_state *s, uint8_t seat, uint8_t position)
{
    s->place[position] = (uint8_t)(EG_IN_LEFT_HAND + seat);
    if (!s->table)
        s->hand[seat][s->value[position]]++;
    s->hand[seat][0]++;
}

void eg_deal(struct eg_state *s, const uint8_t *order, struct effects *effects)
{
    /* EG-12, EK-1: after the first round the two begin in turn. */
    if (s->round)
        s->starter = eg_other(s->starter);
    s->round++;
    s->turn = s->starter;
    s->ended = EG_NO_RULING;
    s->hit = NO_SEAT;
    s->exchange = (struct eg_exchange){0};
    memset(s->hand, 0, sizeof s->hand);
    memset(s->shows, 0, sizeof s->shows);
    /* EG-1 */
    s->field[EG_LEFT] = 1;
    s->field[EG_RIGHT] = EG_FIELDS;
    for (size_t i = 0; i < EG_CARDS; i++) {
        s->value[i] = s->table ? 0 : (uint8_t)(order[i] / EG_EACH + 1);
        s->place[i] = EG_IN_DECK;
    }
    for (s->drawn = 0; s->drawn < EG_SEATS * EG_HAND; s->drawn++)
        take(s, s->drawn < EG_HAND ? EG_LEFT : EG_RIGHT, s->drawn);
    struct effect *started = effects_add(effects, EG_ROUND_STARTED, NO_SEAT);
    started->data[0] = s->round;
    started->data[1] = s->starter;
}

bool eg_fill(struct eg_state *s, uint8_t seat, struct effects *effects)
{
    uint8_t first = s->drawn;

    while (s->hand[seat][0] < EG_HAND && s->drawn < EG_CARDS)
        take(s, seat, s->drawn++);
    if (s->drawn > first) {
        struct effect *drew = effects_add(effects, EG_DREW, seat);
        drew->data[0] = (uint8_t)(s->drawn - first);
        drew->data[1] = first;
    }
    return s->drawn == EG_CARDS;
}

/* Eight bytes as a word, the first lowest; compilers make one load of it. */
static uint64_t eight(const uint8_t *bytes)
{
    return (uint64_t)bytes[0] | (uint64_t)bytes[1] << 8 | (uint64_t)bytes[2] << 16 |
           (uint64_t)bytes[3] << 24 | (uint64_t)bytes[4] << 32 | (uint64_t)bytes[5] << 40 |
           (uint64_t)bytes[6] << 48 | (uint64_t)bytes[7] << 56;
}

/* The positions of the cards of `face` in a hand, as a set. Values and places are below 128.
 * The last position is not among them: who draws that card plays none any more (EG-9, EK-7). */
static uint64_t cards_of(const struct eg_state *s, uint8_t seat, uint8_t face)
{
    const uint64_t ones = UINT64_C(0x0101010101010101), low = 0x7f * ones;
    uint64_t place = (EG_IN_LEFT_HAND + seat) * ones, value = face * ones, found = 0;

    for (size_t i = 0; i + 8 < EG_CARDS && i < s->drawn; i += 8) {
        uint64_t other = (eight(s->place + i) ^ place) | (eight(s->value + i) ^ value);
        uint64_t same = ~(other + low) >> 7 & ones;

        found |= (same * UINT64_C(0x0102040810204080) >> 56) << i;
    }
    return found;
}

void eg_discard(struct eg_state *s, uint8_t seat, uint8_t value, uint8_t count)
{
    /* At a table all cards of a hand are alike, until they are played. */
    uint8_t face = s->table ? 0 : value;

    assert(s->hand[seat][face] >= count && s->place[EG_CARDS - 1] != EG_IN_LEFT_HAND + seat);
    if (!s->table)
        s->hand[seat][value] = (uint8_t)(s->hand[seat][value] - count);
    s->hand[seat][0] = (uint8_t)(s->hand[seat][0] - count);
    for (uint64_t left = cards_of(s, seat, face); count; count--, left &= left - 1) {
        unsigned i = bits_lowest(left);

        s->place[i] = EG_PLAYED;
        s->value[i] = value;
    }
}

static void tell(const struct eg_state *s, struct effects *effects)
{
    bool lost = s->hit != NO_SEAT;
    struct effect *effect = effects_add(effects, lost ? EG_HIT : EG_ROUND_VOID, s->hit);

    effect->data[EG_DATA_HITS] = lost ? s->hits[s->hit] : 0;
    effect->data[EG_DATA_RULING] = s->ended;
    if (!eg_opens_hands(s->ended))
        return;
    /* EG-9: both hands are laid open. */
    for (size_t seat = 0; seat < EG_SEATS; seat++)
        memcpy(&effect->data[EG_DATA_HANDS + seat * EG_VALUES], &s->hand[seat][1], EG_VALUES);
}

void eg_end_round(struct eg_state *s, uint8_t hit, uint8_t ruling, struct effects *effects)
{
    s->ended = ruling;
    s->hit = hit;
    if (hit != NO_SEAT)
        s->hits[hit]++;
    tell(s, effects);
    /* EG-8, EK-1 */
    if (hit != NO_SEAT && s->hits[hit] >= s->hits_to_lose)
        s->outcome = (struct outcome){REASON_HITS, eg_other(hit), EG_8};
    else if (s->round == EG_ROUNDS_MAX)
        s->outcome = (struct outcome){REASON_LIMIT, NO_SEAT, EG_NO_RULING};
}

/* Who has less to show, or NO_SEAT. */
static uint8_t lesser(int left, int right)
{
    if (left == right)
        return NO_SEAT;
    return left < right ? EG_LEFT : EG_RIGHT;
}

static void score(struct eg_state *s, struct effects *effects)
{
    bool knizia = s->variant == EG_KNIZIA;
    int distance = eg_distance(s);
    uint8_t hit = NO_SEAT;

    /* EG-9; EK-7: at the basic level the way alone counts. */
    if (distance <= EG_VALUES && !(knizia && s->level == EG_BASIC))
        hit = lesser(s->hand[EG_LEFT][distance], s->hand[EG_RIGHT][distance]);
    if (hit != NO_SEAT) {
        eg_end_round(s, hit, knizia ? EK_7 : EG_9, effects);
        return;
    }
    /* EG-10 */
    hit = lesser(eg_travelled(s, EG_LEFT), eg_travelled(s, EG_RIGHT));
    eg_end_round(s, hit, knizia ? EK_7 : EG_10, effects);
}

void eg_end_deck(struct eg_state *s, struct effects *effects)
{
    bool basic = s->variant == EG_KNIZIA && s->level == EG_BASIC;

    /* EG-9, EK-7: where cards count, a table lays them open first. */
    if (!s->table || basic)
        score(s, effects);
}

void eg_show_hand(struct eg_state *s, uint8_t seat, const struct eg_show *show,
                  struct effects *effects)
{
    struct effect *shown = effects_add(effects, EG_SHOWN, seat);

    memcpy(shown->data, &show->cards[1], EG_VALUES);
    memcpy(s->hand[seat], show->cards, sizeof s->hand[seat]);
    s->shows[seat]++;
    if (s->shows[eg_other(seat)])
        score(s, effects);
}
