#include "rules/stratego/internal.h"

#include <string.h>

/* The row for a step, a scout's run or the variants with lakes; they stand in this order. */
static ruling_t refuse(const struct st_state *s, ruling_t first, bool scout)
{
    return (ruling_t)(first + (st_rules_of(s)->lakes ? 2 : scout ? 1 : 0));
}

/* ST-5 SC-2: the squares between, `m` lying along one row or file. */
static ruling_t judge_run(const struct st_state *s, struct st_move m)
{
    int8_t step = m.from % ST_WIDTH == m.to % ST_WIDTH ? ST_WIDTH : 1;

    if (m.to < m.from)
        step = (int8_t)-step;
    for (uint8_t cell = st_step(m.from, step); cell != m.to; cell = st_step(cell, step)) {
        if (s->board[cell] == ST_WALL)
            return ST_LAKE; /* SC-1 */
        if (s->board[cell] != ST_EMPTY)
            return st_rules_of(s)->lakes ? ST_BLOCKED_CLASSIC : ST_BLOCKED_SCOUT;
    }
    return ALLOWED;
}

/* Both ends are squares, and the target is neither a lake nor the mover's own. */
static ruling_t judge_path(const struct st_state *s, struct st_move m, bool scout)
{
    int files = m.to % ST_WIDTH - m.from % ST_WIDTH;
    int rows = m.to / ST_WIDTH - m.from / ST_WIDTH;
    bool straight = files == 0 || rows == 0;
    bool near = files >= -1 && files <= 1 && rows >= -1 && rows <= 1;

    if (near && straight)
        return ALLOWED;
    if (near && s->board[m.to] != ST_EMPTY) /* ST-4 SC-2 */
        return st_rules_of(s)->lakes ? ST_DIAGONAL_CLASSIC : ST_DIAGONAL;
    if (near && st_rules_of(s)->diagonal)
        return ALLOWED;
    if (scout && straight)
        return judge_run(s, m);
    return refuse(s, ST_TOO_FAR, scout);
}

/* What is hidden moves as it is opened, else as a scout, which goes furthest. */
static uint8_t rank_by(const struct st_state *s, uint8_t piece, uint8_t opened)
{
    if (s->rank[piece] != ST_HIDDEN)
        return s->rank[piece];
    return st_is_rank(s, opened) ? opened : ST_SCOUT;
}

ruling_t st_judge_geometry(const struct st_state *s, uint8_t seat, struct st_move m,
                           uint8_t opened)
{
    if (!st_on_board(m.from))
        return refuse(s, ST_OFF_BOARD, false);
    uint8_t piece = s->board[m.from];
    if (piece >= ST_PIECES || st_side(piece) != seat)
        return ST_NO_PIECE;
    uint8_t rank = rank_by(s, piece, opened);
    if (!st_mobile(s, rank)) /* ST-3 */
        return ST_IMMOBILE;
    bool scout = rank == ST_SCOUT;
    if (!st_on_board(m.to))
        return refuse(s, ST_OFF_BOARD, scout);
    uint8_t target = s->board[m.to];
    if (target < ST_PIECES && st_side(target) == seat)
        return refuse(s, ST_OWN_PIECE, scout);
    if (target == ST_WALL)
        return ST_LAKE; /* SC-1 */
    return judge_path(s, m, scout);
}

static ruling_t judge_move(const struct st_state *s, const struct event *event)
{
    struct st_move m;

    if (event->seat != s->turn)
        return REFUSE_NOT_YOUR_TURN;
    memcpy(&m, event->data, sizeof m);
    ruling_t ruling = st_judge_geometry(s, s->turn, m, st_opened(event));
    if (!ruling)
        ruling = st_barred(s, m);
    return ruling || !s->blind ? ruling : st_judge_opened(s, m, st_opened(event));
}

/* Only combats are told: the attacking piece, or the attacked one. */
static ruling_t judge_named(const struct st_state *s, const struct event *event)
{
    struct st_move m;

    if (event->seat >= ST_SEATS || !(st_awaits(s).seats >> event->seat & 1))
        return REFUSE_NOT_YOUR_TURN;
    memcpy(&m, event->data, sizeof m);
    if (!st_on_board(m.from))
        return refuse(s, ST_OFF_BOARD, false);
    uint8_t piece = s->board[m.from];
    if (piece >= ST_PIECES || st_side(piece) != event->seat)
        return ST_NO_PIECE;
    return st_attacked(s) || st_movable(s, piece) ? ALLOWED : ST_IMMOBILE; /* ST-3 */
}

ruling_t st_judge(const void *state, const struct event *event)
{
    const struct st_state *s = state;

    if (s->combats && event->kind == (st_attacked(s) ? EVENT_OPEN : EVENT_MOVE) && st_fights(s))
        return judge_named(s, event);
    if (event->kind == EVENT_MOVE && st_in_play(s))
        return judge_move(s, event);
    if (event->kind == EVENT_REVEAL)
        return st_judge_reveal(s, event);
    struct awaiting awaiting = st_awaits(s);
    if (awaiting.what == AWAIT_NOTHING)
        return REFUSE_GAME_OVER;
    if (event->kind == EVENT_LOT && awaiting.what == AWAIT_LOT)
        return event->data[0] < ST_SEATS ? ALLOWED : REFUSE_WRONG_TIME;
    if (event->kind == EVENT_OPEN)
        return st_judge_open(s, event);
    if (event->kind != EVENT_SETUP || awaiting.what != AWAIT_SETUP)
        return REFUSE_WRONG_TIME;
    if (event->seat >= ST_SEATS || !(awaiting.seats >> event->seat & 1))
        return REFUSE_NOT_YOUR_TURN;
    return st_judge_setup(s, event);
}
