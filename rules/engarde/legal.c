#include <string.h>

#include "rules/engarde/internal.h"

struct list {
    const struct eg_state *state;
    struct event *out;
    size_t count, max;
};

static void add(struct list *list, struct eg_move move)
{
    if (list->count == list->max || eg_judge_move(list->state, &move) != EG_ALLOWED)
        return;
    struct event *event = &list->out[list->count++];
    *event = (struct event){.kind = EVENT_MOVE, .seat = list->state->turn, .size = sizeof move};
    memcpy(event->data, &move, sizeof move);
}

/* Cards of `value` with the seat on turn; at a table, the most that it can hold. */
static int held(const struct eg_state *s, uint8_t value)
{
    return s->table ? eg_left(s, value) : s->hand[s->turn][value];
}

static void add_steps(struct list *list, uint8_t verb)
{
    for (uint8_t card = 1; card <= EG_VALUES; card++)
        if (held(list->state, card))
            add(list, (struct eg_move){.verb = verb, .card = card, .count = 1});
}

/* EG-4, EK-4: the card of an attack is given by the distance. */
static void add_attacks(struct list *list, uint8_t verb, uint8_t step)
{
    int distance = eg_distance(list->state) - step;

    if (distance < 1 || distance > EG_VALUES)
        return;
    int most = held(list->state, (uint8_t)distance);
    for (uint8_t count = 1; count <= most; count++)
        add(list, (struct eg_move){verb, (uint8_t)distance, count, step});
}

/* Every hand that `seat` may show, in the order of sorted lists: 11111 first. */
static void add_shows(struct list *list, uint8_t seat)
{
    enum { BASE = EG_EACH + 1, CODES = BASE * BASE * BASE * BASE };
    uint8_t size = list->state->hand[seat][0];
    struct event event = {.kind = EVENT_MOVE, .seat = seat, .size = sizeof(struct eg_show)};

    for (int code = CODES - 1; code >= 0 && list->count < list->max; code--) {
        struct eg_show show = {.verb = EG_SHOW, .cards = {size}};
        int rest = size, digits = code;
        for (int value = EG_VALUES - 1; value >= 1; value--, digits /= BASE) {
            show.cards[value] = (uint8_t)(digits % BASE);
            rest -= show.cards[value];
        }
        if (rest < 0)
            continue;
        show.cards[EG_VALUES] = (uint8_t)rest;
        if (eg_judge_show(list->state, seat, &show) != EG_ALLOWED)
            continue;
        memcpy(event.data, &show, sizeof show);
        list->out[list->count++] = event;
    }
}

size_t eg_legal(const void *state, uint8_t seat, struct event *out, size_t max)
{
    struct list list = {.state = state, .out = out, .max = max};

    if (eg_showing(state)) {
        if (seat < EG_SEATS && list.state->shows[seat] < EG_SHOWS_MAX)
            add_shows(&list, seat);
        return list.count;
    }
    if (!eg_in_play(state) || seat != list.state->turn)
        return 0;
    add_steps(&list, EG_RETREAT);
    if (list.state->exchange.card) {
        for (uint8_t count = 1; count <= EG_EACH; count++)
            add(&list, (struct eg_move){.verb = EG_PARRY, .count = count});
        add(&list, (struct eg_move){.verb = EG_YIELD});
        return list.count;
    }
    add_steps(&list, EG_ADVANCE);
    add_attacks(&list, EG_ATTACK, 0);
    if (list.state->variant == EG_KNIZIA && list.state->level == EG_ADVANCED)
        for (uint8_t step = 1; step <= EG_VALUES; step++)
            if (held(list.state, step))
                add_attacks(&list, EG_ADVANCE_ATTACK, step);
    add(&list, (struct eg_move){.verb = EG_STUCK});
    return list.count;
}
