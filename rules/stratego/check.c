#include "rules/stratego/internal.h"

#include <string.h>

static ruling_t refuse(const struct st_state *s, ruling_t first)
{
    return (ruling_t)(first + (st_rules_of(s)->lakes ? 1 : 0));
}

/* Are the plain numbers in their ranges? Nothing below may be asked before. */
static bool in_range(const struct st_state *s)
{
    if (s->variant >= ST_VARIANTS || s->family != (s->variant ? ST_CLASSIC : ST_HOUSE))
        return false;
    if (s->ready >> ST_SEATS || (s->turn >= ST_SEATS && s->turn != NO_SEAT))
        return false;
    if (s->turn != NO_SEAT && s->ready != (1 << ST_SEATS) - 1)
        return false;
    if (s->outcome.reason >= REASONS || s->outcome.ruling >= ST_RULINGS)
        return false;
    return s->recorded <= ST_PLIES && s->at < ST_PLIES && s->chase[0] <= ST_PLIES &&
           s->chase[1] <= ST_PLIES;
}

/* Do pieces and board say the same? */
static bool agrees(const struct st_state *s)
{
    for (uint8_t piece = 0; piece < ST_PIECES; piece++) {
        uint8_t rank = s->rank[piece], cell = s->place[piece];

        if (rank != ST_NONE && rank >= st_rules_of(s)->ranks)
            return false;
        if (cell == ST_NOWHERE)
            continue;
        if (rank == ST_NONE || !st_on_board(cell) || s->board[cell] != piece)
            return false;
    }
    for (uint8_t cell = 0; cell < ST_CELLS; cell++) {
        uint8_t piece = s->board[cell];

        if (piece < ST_PIECES ? s->place[piece] != cell : piece != ST_EMPTY && piece != ST_WALL)
            return false;
        if (!st_on_board(cell) && piece != ST_WALL)
            return false;
    }
    return true;
}

static ruling_t check_side(const struct st_state *s, uint8_t side)
{
    uint8_t held[ST_RANKS] = {0};
    int flags = 0;

    for (size_t slot = 0; slot < ST_SLOTS; slot++) {
        size_t piece = (size_t)side * ST_SLOTS + slot;

        if (s->rank[piece] == ST_NONE)
            continue;
        held[s->rank[piece]]++;
        flags += s->rank[piece] == ST_FLAG && s->place[piece] != ST_NOWHERE;
    }
    bool taken = s->outcome.reason == REASON_FLAG && s->outcome.winner != side;
    if (flags != ((s->ready >> side & 1) && !taken)) /* ST-12 SC-5 */
        return refuse(s, ST_FLAGS);
    for (size_t rank = 0; rank < ST_RANKS; rank++)
        if (held[rank] > st_counts[s->variant][rank]) /* ST-1 SC-1 */
            return refuse(s, ST_TOO_MANY);
    return ALLOWED;
}

ruling_t st_check(const void *state)
{
    const struct st_state *s = state;
    ruling_t ruling;

    if (!in_range(s))
        return ST_FLAWED;
    if (s->flaw)
        return s->flaw;
    if (!agrees(s))
        return ST_FLAWED;
    for (uint8_t side = 0; side < ST_SEATS; side++)
        if ((ruling = check_side(s, side)))
            return ruling;
    bool over = s->outcome.reason != REASON_NONE;
    if (!over && ((s->ply_limit && s->plies > s->ply_limit) ||
                  (s->quiet_limit && s->quiet > s->quiet_limit)))
        return ST_BEYOND; /* SC-8 */
    return ALLOWED;
}
