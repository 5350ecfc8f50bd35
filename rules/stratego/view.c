#include "rules/stratego/internal.h"

#include <assert.h>
#include <string.h>

/* May `viewer` know the rank of `piece`? ST-11 SC-4; in players' custody the end opens only the
 * faces that a seat has given up. */
static bool knows(const struct st_state *s, uint8_t viewer, uint8_t piece)
{
    uint8_t side = st_side(piece);

    if (viewer == side)
        return true;
    if (s->outcome.reason != REASON_NONE && (!s->blind || s->revealed >> side & 1))
        return true;
    return viewer < ST_SEATS && s->seen[side] >> st_slot_of(piece) & 1;
}

static void show(const struct st_state *s, uint8_t piece, bool known, struct st_view *view)
{
    uint8_t side = st_side(piece), cell = s->place[piece];

    if (cell == ST_NOWHERE) {
        view->lost[side]++;
        if (!known)
            return;
        assert(s->rank[piece] < ST_RANKS); /* all that has fallen was opened */
        view->known[side][s->rank[piece]]++;
        return;
    }
    if (s->combats && view->viewer != side && s->outcome.reason == REASON_NONE)
        return; /* at the table it stands somewhere else */
    view->side[cell] = side;
    view->moved[cell] = s->moved[side] >> st_slot_of(piece) & 1;
    if (known && s->rank[piece] < ST_RANKS)
        view->rank[cell] = s->rank[piece];
}

void st_observe(const void *state, uint8_t seat, void *ret_view)
{
    const struct st_state *s = state;
    struct st_view *view = ret_view;
    bool over = s->outcome.reason != REASON_NONE;
    bool started = over || s->ready == (1 << ST_SEATS) - 1;

    memset(view, 0, sizeof *view);
    memset(view->side, NO_SEAT, sizeof view->side);
    memset(view->rank, ST_NONE, sizeof view->rank);
    view->variant = s->variant;
    view->viewer = seat;
    view->turn = over || (s->combats && !st_attacked(s)) ? NO_SEAT : s->turn;
    view->combats = s->combats;
    view->limits = (uint8_t)((s->ply_limit != 0) | (s->quiet_limit != 0) << 1);
    view->plies = s->plies;
    view->quiet = s->quiet;
    if (!over) {
        view->from = s->combats && seat != s->turn ? ST_NOWHERE : s->from;
        view->to = s->to;
        view->claim = s->claim;
    }
    for (uint8_t piece = 0; piece < ST_PIECES; piece++)
        if (s->rank[piece] != ST_NONE && (started || st_side(piece) == seat)) /* ST-1 */
            show(s, piece, knows(s, seat, piece), view);
}
