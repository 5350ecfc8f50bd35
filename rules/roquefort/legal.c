#include "rules/roquefort/internal.h"

#include <string.h>

/* The moves found so far, each a number (verb, from, to from the lowest byte on), and what they
 * are found by. They are right by the way they are made; judge.c, which is asked about any
 * move, says the same of each. */
struct list {
    const struct rq_state *state;
    struct rq_scene scene;
    size_t count;
    uint32_t move[RQ_LEGAL_MAX + 1]; /* one more: see offer() */
};

/* One that is not allowed is written over by the next: which of the two it will be, no
 * processor can foresee. */
static inline void offer(struct list *list, unsigned verb, unsigned from, unsigned to,
                         bool allowed)
{
    list->move[list->count] = verb | from << 8 | to << 16;
    list->count += allowed;
}

static void add_enters(struct list *list)
{
    const struct rq_state *s = list->state;

    if (!s->reserve[s->turn]) /* CR-7 */
        return;
    for (uint64_t left = RQ_TOWERS & ~list->scene.mice; left; left &= left - 1)
        offer(list, RQ_ENTER, 0, bits_lowest(left), true);
}

/* CR-4: each room once, by its first square. Rooms are below 64, and a tower's is none. */
static void add_uncovers(struct list *list)
{
    uint64_t left = RQ_BOARD & ~RQ_TOWERS & ~list->state->open & list->scene.near;
    const uint8_t *room = list->state->room;
    uint64_t listed = 0;
    uint8_t first[64];

    for (unsigned square = RQ_SQUARES; left && square-- > 0;)
        first[room[square] % 64] = (uint8_t)square;
    for (; left; left &= left - 1) {
        unsigned number = room[bits_lowest(left)];

        offer(list, RQ_UNCOVER, 0, first[number], !(listed >> number & 1));
        listed |= UINT64_C(1) << number;
    }
}

/* One square up, down, right and left, but not over an edge. */
enum { DIRECTIONS = 4 };
static const int8_t directions[DIRECTIONS] = {RQ_SIDE, -RQ_SIDE, 1, -1};

static void step_all(uint64_t squares[static DIRECTIONS])
{
    squares[0] = squares[0] << RQ_SIDE & RQ_BOARD;
    squares[1] = squares[1] >> RQ_SIDE;
    squares[2] = (squares[2] & ~RQ_COLUMN_G) << 1 & RQ_BOARD;
    squares[3] = (squares[3] & ~RQ_COLUMN_A) >> 1;
}

/* CR-5: those of the squares where a step or jump may end. What lies under a roof is never
 * asked. */
static uint64_t landings(const struct list *list, uint64_t squares)
{
    uint64_t landing = squares & list->state->open & ~RQ_TOWERS & ~list->scene.mice;

    for (uint64_t left = landing; left; left &= left - 1) {
        unsigned square = bits_lowest(left);
        uint8_t face = rq_face_at(list->state, square);

        landing &= ~((uint64_t)(face == RQ_TRAPDOOR || face == RQ_UNKNOWN) << square);
    }
    return landing;
}

/* Steps (reach 1) or jumps (reach 2 and more) of each mouse: `end` holds, by direction, the
 * squares that they can come to. */
static void add_lines(struct list *list, unsigned verb, int reach,
                      const uint64_t end[static DIRECTIONS])
{
    uint64_t landing = landings(list, end[0] | end[1] | end[2] | end[3]);

    for (uint64_t left = landing ? list->scene.own : 0; left; left &= left - 1) {
        unsigned from = bits_lowest(left);

        for (unsigned i = 0; i < DIRECTIONS; i++) {
            unsigned to = from + (unsigned)(reach * directions[i]);

            /* Only `from` itself can have come to `to`, even if that has gone once round. */
            offer(list, verb, from, to, (end[i] & landing) >> to % 64 & 1);
        }
    }
}

/* CR-5, CR-6, CB-2: a jump passes over mice, of any seat, and costs what rq_cost() says. */
static void add_travels(struct list *list)
{
    const struct rq_state *s = list->state;
    int reach = s->variant == RQ_APPENZELL ? s->actions_left : 2;
    uint64_t own = list->scene.own, end[DIRECTIONS] = {own, own, own, own};

    step_all(end);
    add_lines(list, RQ_STEP, 1, end);
    for (int i = 2; i <= reach && s->actions_left >= 2; i++) {
        for (unsigned k = 0; k < DIRECTIONS; k++)
            end[k] &= list->scene.mice;
        step_all(end);
        add_lines(list, RQ_JUMP, i, end);
    }
}

/* CR-8 */
static void add_shifts(struct list *list)
{
    bool known = rq_all_known(list->state);

    if (list->state->shifted)
        return;
    for (uint8_t slot = 0; slot < RQ_SLOTS; slot++)
        offer(list, RQ_SHIFT, 0, slot,
              known || rq_judge_shift(list->state, &list->scene, slot) == ALLOWED);
}

static void list_moves(struct list *list)
{
    const struct rq_state *s = list->state;
    bool setup = rq_is_setup(s);

    if (setup || s->actions_left)
        add_enters(list);
    if (setup) /* CR-2 */
        return;
    if (s->actions_left) { /* CR-3 */
        add_uncovers(list);
        add_travels(list);
        add_shifts(list);
    }
    offer(list, RQ_END_TURN, 0, 0, true); /* CR-14 */
}

static const struct event blanks[SEATS_MAX] = {
    {.kind = EVENT_MOVE, .seat = 0, .size = sizeof(struct rq_move)},
    {.kind = EVENT_MOVE, .seat = 1, .size = sizeof(struct rq_move)},
    {.kind = EVENT_MOVE, .seat = 2, .size = sizeof(struct rq_move)},
    {.kind = EVENT_MOVE, .seat = 3, .size = sizeof(struct rq_move)},
};

size_t rq_legal(const void *state, uint8_t seat, struct event *out, size_t max)
{
    const struct rq_state *s = state;
    struct list list;

    if (s->outcome.reason != REASON_NONE || s->stage != RQ_PLAY || seat != s->turn || !max)
        return 0;
    list.state = s;
    list.scene = rq_scene(s);
    list.count = 0;
    list_moves(&list);
    if (list.count > max)
        list.count = max;
    for (size_t i = 0; i < list.count; i++) {
        uint32_t move = list.move[i];
        struct rq_move m = {(uint8_t)move, (uint8_t)(move >> 8), (uint8_t)(move >> 16)};

        out[i] = blanks[seat];
        memcpy(out[i].data, &m, sizeof m);
    }
    return list.count;
}
