#include "rules/roquefort/internal.h"

#include <string.h>

/* Built up from what lies open; nothing of a covered face goes in. */
static void show_faces(const struct rq_state *s, struct rq_view *view)
{
    uint64_t told = rq_visible_tiles(s);

    if (s->memory == RQ_OPEN)
        told |= s->seen;
    for (unsigned i = 0; i < RQ_TILES; i++)
        if (view->over || told >> s->tile[i] & 1)
            view->face[i] = s->face[s->tile[i]];
}

void rq_observe(const void *state, uint8_t seat, void *ret_view)
{
    const struct rq_state *s = state;
    struct rq_view *view = ret_view;

    (void)seat; /* all see the same castle */
    memset(view, 0, sizeof *view);
    view->over = s->outcome.reason != REASON_NONE;
    view->players = s->players;
    view->first = s->first;
    view->turn = s->turn;
    view->actions_left = s->actions_left;
    view->shifted = s->shifted;
    view->out = s->out;
    view->layout = s->layout;
    view->open = s->open;
    memcpy(view->mice, s->mice, sizeof view->mice);
    memcpy(view->reserve, s->reserve, sizeof view->reserve);
    memcpy(view->cellar, s->cellar, sizeof view->cellar);
    memcpy(view->cheeses, s->cheeses, sizeof view->cheeses);
    memcpy(view->room, s->room, sizeof view->room);
    memcpy(view->tile, s->tile, sizeof view->tile);
    memset(view->face, RQ_UNKNOWN, sizeof view->face);
    show_faces(s, view);
}
