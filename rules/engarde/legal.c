#include <string.h>

#include "rules/engarde/internal.h"

/* More moves than there can be: steps either way, attacks, and attacks behind each step. */
enum { MOVES_MAX = 2 * EG_VALUES + EG_EACH + EG_VALUES * EG_EACH };

/* The moves found so far, each a number (verb, card, count, step from the lowest byte on). They
 * are right by the way they are made, but for what a table must ask of the cards that may be in
 * a hand; judge.c, which is asked about any move, says the same of each. */
struct list {
    const struct eg_state *state;
    uint8_t held[EG_VALUES + 1]; /* by value, by the seat on turn; at a table, at most */
    size_t count;
    uint32_t move[MOVES_MAX + 1]; /* one more: see offer() */
};

/* One that is not allowed is written over by the next: which of the two it will be, no
 * processor can foresee. */
static inline void offer(struct list *list, struct eg_move m, bool allowed)
{
    list->move[list->count] = (uint32_t)m.verb | (uint32_t)m.card << 8 |
                              (uint32_t)m.count << 16 | (uint32_t)m.step << 24;
    list->count += allowed;
}

/* EG-2: steps of at most `reach` fields. */
static void add_steps(struct list *list, uint8_t verb, int reach)
{
    for (uint8_t card = 1; card <= EG_VALUES; card++)
        offer(list, (struct eg_move){.verb = verb, .card = card, .count = 1},
              (card <= reach) & (list->held[card] != 0));
}

/* EG-4: the card of an attack is given by the distance, which is one; EK-2: or one card alone.
 */
static void add_attacks(struct list *list, int most)
{
    uint8_t card = (uint8_t)eg_distance(list->state);

    for (uint8_t count = 1; count <= EG_HAND; count++)
        offer(list, (struct eg_move){EG_ATTACK, card, count, 0},
              (count <= most) & (count <= list->held[card]));
}

/* EK-4: the step leaves a distance that a card has. */
static void add_advance_attacks(struct list *list)
{
    int distance = eg_distance(list->state);

    for (uint8_t step = 1; distance <= 2 * EG_VALUES && step <= EG_VALUES; step++) {
        int card = distance - step;
        bool fits = (unsigned)(card - 1) < EG_VALUES;
        int most = list->held[fits ? card : 0] - (step == card);

        most *= fits & (list->held[step] != 0);
        for (uint8_t count = 1; count < EG_HAND; count++)
            offer(list, (struct eg_move){EG_ADVANCE_ATTACK, (uint8_t)card, count, step},
                  count <= most);
    }
}

/* EG-5, EG-6, EK-2 */
static void add_parries(struct list *list)
{
    const struct eg_state *s = list->state;
    int least = eg_lacking(s), most = list->held[s->exchange.card];

    if (!s->counterattack && most > least)
        most = least;
    for (int count = least; count <= most; count++)
        offer(list, (struct eg_move){.verb = EG_PARRY, .count = (uint8_t)count}, true);
}

static void add_advances(struct list *list)
{
    const struct eg_state *s = list->state;
    bool knizia = s->variant == EG_KNIZIA;

    add_steps(list, EG_ADVANCE, eg_distance(s) - 1);
    if (eg_distance(s) <= EG_VALUES)
        add_attacks(list, knizia && s->level == EG_BASIC ? 1 : EG_HAND);
    if (knizia && s->level == EG_ADVANCED)
        add_advance_attacks(list);
}

static void add_moves(struct list *list)
{
    const struct eg_state *s = list->state;
    bool answers = s->exchange.card;

    if (!answers || s->exchange.advanced) /* EK-5 */
        add_steps(list, EG_RETREAT, eg_travelled(s, s->turn));
    if (answers)
        add_parries(list);
    else
        add_advances(list);
    offer(list, (struct eg_move){.verb = answers ? EG_YIELD : EG_STUCK}, s->table);
}

static void list_moves(const struct eg_state *s, struct list *ret_list)
{
    ret_list->state = s;
    ret_list->count = 0;
    memcpy(ret_list->held, s->hand[s->turn], sizeof ret_list->held);
    for (uint8_t value = 1; s->table && value <= EG_VALUES; value++)
        ret_list->held[value] = (uint8_t)eg_left(s, value);
    add_moves(ret_list);
}

static struct eg_move move_of(uint32_t number)
{
    return (struct eg_move){(uint8_t)number, (uint8_t)(number >> 8), (uint8_t)(number >> 16),
                            (uint8_t)(number >> 24)};
}

/* Leaves out what the cards that lie open contradict. */
static void keep_possible(struct list *list)
{
    size_t count = list->count;

    list->count = 0;
    for (size_t i = 0; i < count; i++) {
        struct eg_move m = move_of(list->move[i]);

        offer(list, m, eg_judge_move(list->state, &m) == EG_ALLOWED);
    }
}

/* Every hand that `seat` may show, in the order of sorted lists: 11111 first. */
static size_t list_shows(const struct eg_state *s, uint8_t seat, struct event *out, size_t max)
{
    enum { BASE = EG_EACH + 1, CODES = BASE * BASE * BASE * BASE };
    struct event event = {.kind = EVENT_MOVE, .seat = seat, .size = sizeof(struct eg_show)};
    size_t count = 0;

    if (seat >= EG_SEATS || s->shows[seat] >= EG_SHOWS_MAX)
        return 0;
    uint8_t size = s->hand[seat][0];
    for (int code = CODES - 1; code >= 0 && count < max; code--) {
        struct eg_show show = {.verb = EG_SHOW, .cards = {size}};
        int rest = size, digits = code;
        for (int value = EG_VALUES - 1; value >= 1; value--, digits /= BASE) {
            show.cards[value] = (uint8_t)(digits % BASE);
            rest -= show.cards[value];
        }
        if (rest < 0)
            continue;
        show.cards[EG_VALUES] = (uint8_t)rest;
        if (eg_judge_show(s, seat, &show) != EG_ALLOWED)
            continue;
        memcpy(event.data, &show, sizeof show);
        out[count++] = event;
    }
    return count;
}

static const struct event blanks[EG_SEATS] = {
    {.kind = EVENT_MOVE, .seat = EG_LEFT, .size = sizeof(struct eg_move)},
    {.kind = EVENT_MOVE, .seat = EG_RIGHT, .size = sizeof(struct eg_move)},
};

size_t eg_legal(const void *state, uint8_t seat, struct event *out, size_t max)
{
    const struct eg_state *s = state;
    struct list list;

    if (eg_showing(s))
        return list_shows(s, seat, out, max);
    if (!eg_in_play(s) || seat != s->turn || !max)
        return 0;
    list_moves(s, &list);
    if (s->table)
        keep_possible(&list);
    if (list.count > max)
        list.count = max;
    for (size_t i = 0; i < list.count; i++) {
        struct eg_move m = move_of(list.move[i]);

        out[i] = blanks[seat];
        memcpy(out[i].data, &m, sizeof m);
    }
    return list.count;
}
