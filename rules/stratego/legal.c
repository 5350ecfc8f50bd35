#include "rules/stratego/internal.h"

#include <string.h>

/* Where moves are put; stops at `max`. */
struct sink {
    struct event *out;
    size_t count, max;
    bool history; /* SC-6 or SC-7 is on */
};

static bool full(const struct sink *sink)
{
    return sink->count == sink->max;
}

static void offer(const struct st_state *s, struct st_move m, struct sink *sink)
{
    if (full(sink) || (sink->history && st_barred(s, m)))
        return;
    struct event *event = &sink->out[sink->count++];
    *event = (struct event){.kind = EVENT_MOVE, .seat = s->turn, .size = sizeof m};
    memcpy(event->data, &m, sizeof m);
    if (!s->blind)
        return;
    event->size = ST_BLIND_MOVE;
    event->data[ST_OPENED] = ST_NONE;
}

/* ST-5 SC-2: one direction, to the first square that is not empty. */
static void run(const struct st_state *s, struct st_move m, int8_t step, struct sink *sink)
{
    for (m.to = st_step(m.from, step); s->board[m.to] == ST_EMPTY; m.to = st_step(m.to, step))
        offer(s, m, sink);
    if (st_enemy(s->board[m.to], s->turn))
        offer(s, m, sink);
}

/* ST-3 ST-4 SC-2 */
static void step_to(const struct st_state *s, struct st_move m, struct sink *sink)
{
    uint8_t target = s->board[m.to];

    if (target == ST_EMPTY || st_enemy(target, s->turn))
        offer(s, m, sink);
}

static void moves_of(const struct st_state *s, uint8_t from, struct sink *sink)
{
    uint8_t rank = s->rank[s->board[from]];
    bool scout = rank == ST_SCOUT || rank == ST_HIDDEN;

    for (size_t i = 0; i < 4; i++) {
        if (scout)
            run(s, (struct st_move){from, from}, st_steps[i], sink);
        else
            step_to(s, (struct st_move){from, st_step(from, st_steps[i])}, sink);
    }
    if (!st_rules_of(s)->diagonal)
        return;
    for (size_t i = 4; i < 8; i++) { /* ST-3 */
        uint8_t to = st_step(from, st_steps[i]);

        if (st_on_board(to) && s->board[to] == ST_EMPTY) /* a1 has none before it */
            offer(s, (struct st_move){from, to}, sink);
    }
}

static void moves(const struct st_state *s, struct sink *sink)
{
    uint8_t first = (uint8_t)(s->turn * ST_SLOTS);

    for (uint8_t piece = first; piece < first + ST_SLOTS && !full(sink); piece++)
        if (s->place[piece] != ST_NOWHERE && st_movable(s, piece))
            moves_of(s, s->place[piece], sink);
}

static bool bars(const struct st_state *s)
{
    return s->two_square || s->more_square;
}

size_t st_legal(const void *state, uint8_t seat, struct event *out, size_t max)
{
    const struct st_state *s = state;
    struct sink sink = {.out = out, .max = max, .history = bars(s)};

    if (st_ruleset.awaits(s).what != AWAIT_MOVE || seat != s->turn)
        return 0;
    moves(s, &sink);
    return sink.count;
}

bool st_can_move(const struct st_state *s)
{
    struct event event;
    struct sink sink = {.out = &event, .max = 1, .history = bars(s)};

    moves(s, &sink);
    return sink.count > 0;
}

bool st_has_movable(const struct st_state *s, uint8_t seat)
{
    uint8_t first = (uint8_t)(seat * ST_SLOTS);

    for (uint8_t piece = first; piece < first + ST_SLOTS; piece++)
        if (s->place[piece] != ST_NOWHERE && st_movable(s, piece))
            return true;
    return false;
}
