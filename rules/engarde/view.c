#include <string.h>

#include "rules/engarde/internal.h"

/* A hand is its owner's; both are open when the deck ended the round or the game is over. At a
 * table even one's own is known only once it is shown. */
static bool sees(const struct eg_state *s, uint8_t viewer, uint8_t seat)
{
    if (s->table)
        return s->shows[seat];
    /* EG-9 */
    return viewer == seat || s->outcome.reason != REASON_NONE || eg_opens_hands(s->ended);
}

void eg_observe(const void *state, uint8_t viewer, void *ret_view)
{
    const struct eg_state *s = state;
    struct eg_view view = {
        .deck = s->round ? (uint8_t)(EG_CARDS - s->drawn) : 0,
        .exchange = s->exchange,
        .round = s->round,
        .starter = s->starter,
    };

    for (uint8_t seat = 0; seat < EG_SEATS; seat++) {
        view.field[seat] = s->field[seat];
        view.hits[seat] = s->hits[seat];
        view.size[seat] = s->hand[seat][0];
        view.seen[seat] = sees(s, viewer, seat);
        if (view.seen[seat])
            memcpy(view.hand[seat], s->hand[seat], sizeof view.hand[seat]);
    }
    for (size_t i = 0; i < EG_CARDS; i++)
        if (s->place[i] == EG_PLAYED)
            view.played[s->value[i]]++;
    memcpy(ret_view, &view, sizeof view);
}
