#include "rules/stratego/internal.h"

#include <string.h>

static int fallen(const struct st_state *s)
{
    int count = 0;

    for (size_t piece = 0; piece < ST_PIECES; piece++)
        count += s->rank[piece] != ST_NONE && s->place[piece] == ST_NOWHERE;
    return count;
}

/* Only combats are told: each that was has cost a piece, and the attack that waits is by a
 * piece that moves. */
static bool named_rightly(const struct st_state *s)
{
    if (s->blind || s->claim || s->revealed || s->fought || s->to != ST_NOWHERE ||
        s->recorded > fallen(s))
        return false;
    if (!st_attacked(s))
        return true;
    if (s->turn == NO_SEAT || !st_on_board(s->from))
        return false;
    uint8_t piece = s->board[s->from];
    return piece < ST_PIECES && st_side(piece) == s->turn && st_is_rank(s, s->rank[piece]) &&
           st_movable(s, piece);
}

/* Players' custody: is what waits for the other side something that can wait? */
static bool waits_rightly(const struct st_state *s)
{
    if (s->blind > 1 || s->claim > 1 || s->revealed >> ST_SEATS || s->combats > 1)
        return false;
    if (s->combats)
        return named_rightly(s);
    if (s->from == ST_NOWHERE && s->to == ST_NOWHERE && !s->claim)
        return s->blind || !(s->revealed || s->fought);
    if (!s->blind || s->turn == NO_SEAT)
        return false;
    if (s->claim)
        return s->from == ST_NOWHERE && s->to == ST_NOWHERE;
    if (!st_on_board(s->from) || !st_on_board(s->to))
        return false;
    uint8_t piece = s->board[s->from];
    return piece < ST_PIECES && st_side(piece) == s->turn && st_is_rank(s, s->rank[piece]) &&
           st_movable(s, piece) && st_enemy(s->board[s->to], s->turn);
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
    if (!waits_rightly(s))
        return false;
    return s->recorded <= ST_PLIES && s->at < ST_PLIES && s->chase[0] <= ST_PLIES &&
           s->chase[1] <= ST_PLIES;
}

/* Do pieces and board say the same? */
static bool agrees(const struct st_state *s)
{
    for (uint8_t piece = 0; piece < ST_PIECES; piece++) {
        uint8_t rank = s->rank[piece], cell = s->place[piece];

        if (rank != ST_NONE && !st_is_rank(s, rank) && !(s->blind && rank == ST_HIDDEN))
            return false;
        if (cell == ST_NOWHERE && rank == ST_HIDDEN) /* all that has fallen was opened */
            return false;
        if (cell == ST_NOWHERE)
            continue;
        if (rank == ST_NONE || !st_on_board(cell) || s->board[cell] != piece)
            return false;
        if (s->combats && cell != st_home(st_side(piece), st_slot_of(piece)))
            return false;
    }
    for (uint8_t cell = 0; cell < ST_CELLS; cell++) {
        uint8_t piece = s->board[cell];

        bool wall = !st_on_board(cell) || st_lake(s->variant, cell);

        if (wall && piece != ST_WALL)
            return false;
        if (!wall && (piece < ST_PIECES ? s->place[piece] != cell : piece != ST_EMPTY))
            return false;
    }
    return true;
}

static ruling_t check_side(const struct st_state *s, uint8_t side)
{
    uint8_t held[ST_RANKS] = {0};
    int flags = 0, hidden = 0;

    for (size_t slot = 0; slot < ST_SLOTS; slot++) {
        size_t piece = (size_t)side * ST_SLOTS + slot;

        if (s->rank[piece] == ST_NONE)
            continue;
        if (s->rank[piece] == ST_HIDDEN) {
            hidden++;
            continue;
        }
        held[s->rank[piece]]++;
        flags += s->rank[piece] == ST_FLAG && s->place[piece] != ST_NOWHERE;
    }
    bool taken = s->outcome.reason == REASON_FLAG && s->outcome.winner != side;
    int due = (s->ready >> side & 1) && !taken;
    if (hidden ? flags > due : flags != due) /* ST-12 SC-5 */
        return st_refuse(s, ST_FLAGS);
    for (size_t rank = 0; rank < ST_RANKS; rank++)
        if (held[rank] > st_counts[s->variant][rank]) /* ST-1 SC-1 */
            return st_refuse(s, ST_TOO_MANY);
    return ALLOWED;
}

static ruling_t check_sides(const struct st_state *s)
{
    ruling_t ruling = ALLOWED;

    for (uint8_t side = 0; side < ST_SEATS && !ruling; side++)
        ruling = check_side(s, side);
    return ruling;
}

ruling_t st_check(const void *state)
{
    const struct st_state *s = state;
    bool over = s->outcome.reason != REASON_NONE;

    if (!in_range(s))
        return ST_FLAWED;
    if (s->flaw)
        return s->flaw;
    if (!agrees(s))
        return ST_FLAWED;
    if (over && s->blind) /* whoever cheated may have had any ranks */
        return ALLOWED;
    ruling_t ruling = check_sides(s);
    if (ruling)
        return ruling;
    if (!over && ((s->ply_limit && s->plies > s->ply_limit) ||
                  (s->quiet_limit && s->quiet > s->quiet_limit)))
        return ST_BEYOND; /* SC-8 */
    return ALLOWED;
}
