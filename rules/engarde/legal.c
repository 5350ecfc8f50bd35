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

static void add_steps(struct list *list, uint8_t verb)
{
    const uint8_t *hand = list->state->hand[list->state->turn];

    for (uint8_t card = 1; card <= EG_VALUES; card++)
        if (hand[card])
            add(list, (struct eg_move){.verb = verb, .card = card, .count = 1});
}

/* EG-4, EK-4: the card of an attack is given by the distance. */
static void add_attacks(struct list *list, uint8_t verb, uint8_t step)
{
    int distance = eg_distance(list->state) - step;

    if (distance < 1 || distance > EG_VALUES)
        return;
    for (uint8_t count = 1; count <= list->state->hand[list->state->turn][distance]; count++)
        add(list, (struct eg_move){verb, (uint8_t)distance, count, step});
}

size_t eg_legal(const void *state, uint8_t seat, struct event *out, size_t max)
{
    struct list list = {.state = state, .out = out, .max = max};

    if (!eg_in_play(state) || seat != list.state->turn)
        return 0;
    add_steps(&list, EG_RETREAT);
    if (list.state->exchange.card) {
        for (uint8_t count = 1; count <= EG_EACH; count++)
            add(&list, (struct eg_move){.verb = EG_PARRY, .count = count});
        return list.count;
    }
    add_steps(&list, EG_ADVANCE);
    add_attacks(&list, EG_ATTACK, 0);
    if (list.state->variant == EG_KNIZIA && list.state->level == EG_ADVANCED)
        for (uint8_t step = 1; step <= EG_VALUES; step++)
            if (list.state->hand[seat][step])
                add_attacks(&list, EG_ADVANCE_ATTACK, step);
    return list.count;
}
