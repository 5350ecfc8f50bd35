#include "rules/roquefort/internal.h"

#include <string.h>

/* The moves found so far, and what they are judged by. */
struct list {
    const struct rq_state *state;
    struct rq_scene scene;
    struct event *out;
    size_t count, max;
};

static void add(struct list *list, struct rq_move m)
{
    if (list->count == list->max || rq_judge_move(list->state, &list->scene, &m) != ALLOWED)
        return;
    struct event *event = &list->out[list->count++];
    *event = (struct event){.kind = EVENT_MOVE, .seat = list->state->turn, .size = sizeof m};
    memcpy(event->data, &m, sizeof m);
}

static void add_enters(struct list *list)
{
    for (uint64_t left = RQ_TOWERS; left; left &= left - 1)
        add(list, (struct rq_move){.verb = RQ_ENTER, .to = (uint8_t)rq_lowest(left)});
}

/* Each room once, by its first square. */
static void add_uncovers(struct list *list)
{
    uint64_t left = RQ_BOARD & ~RQ_TOWERS & ~list->state->open & list->scene.near;

    while (left) {
        uint64_t room = rq_room_squares(list->state->room, (uint8_t)rq_lowest(left));

        add(list, (struct rq_move){.verb = RQ_UNCOVER, .to = (uint8_t)rq_lowest(room)});
        left &= ~room;
    }
}

/* Steps (reach 1) or jumps (reach 2 and more) in the four directions. */
static void add_lines(struct list *list, uint8_t verb, int reach)
{
    static const int8_t directions[4] = {RQ_SIDE, -RQ_SIDE, 1, -1};

    for (uint64_t left = list->scene.own; left; left &= left - 1) {
        int from = (int)rq_lowest(left);

        for (unsigned i = 0; i < 4; i++) {
            int to = from + reach * directions[i];

            if (to >= 0 && to < RQ_SQUARES) /* past an edge of a row: judged to be no line */
                add(list, (struct rq_move){verb, (uint8_t)from, (uint8_t)to});
        }
    }
}

size_t rq_legal(const void *state, uint8_t seat, struct event *out, size_t max)
{
    const struct rq_state *s = state;

    if (s->outcome.reason != REASON_NONE || s->stage != RQ_PLAY || seat != s->turn)
        return 0;
    struct list list = {.state = s, .scene = rq_scene(s), .out = out, .max = max};
    add_enters(&list);
    if (rq_is_setup(s))
        return list.count;
    add_uncovers(&list);
    add_lines(&list, RQ_STEP, 1);
    for (int reach = 2; reach <= (s->variant == RQ_APPENZELL ? RQ_ACTIONS : 2); reach++)
        add_lines(&list, RQ_JUMP, reach);
    for (uint8_t slot = 0; slot < RQ_SLOTS; slot++)
        add(&list, (struct rq_move){.verb = RQ_SHIFT, .to = slot});
    add(&list, (struct rq_move){.verb = RQ_END_TURN});
    return list.count;
}
