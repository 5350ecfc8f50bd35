#include "rules/stratego/internal.h"

#include <assert.h>
#include <string.h>

/* Only combats are told: the board is at a table. A piece is named by where it was set up, and
 * stays there until it leaves the game; where it stands at the table, whose turn it is and what
 * hangs on either the players see to. docs/rules/stratego.md */

/* Every combat costs a piece, and the flags stand to the last. */
static_assert(ST_PLIES >= ST_PIECES - 1, "all combats of a game are kept");

void st_note_combat(struct st_state *s, struct st_move m)
{
    s->ply[s->recorded++] = (uint16_t)(m.from | m.to << 7 | 1 << 14);
}

bool st_combat_at(const struct st_state *s, size_t n, uint8_t *ret_from, uint8_t *ret_to)
{
    if (!s->combats || n > s->recorded || (n == s->recorded && !st_attacked(s)))
        return false;
    *ret_from = n < s->recorded ? s->ply[n] & 0x7f : s->from;
    *ret_to = n < s->recorded ? s->ply[n] >> 7 & 0x7f : ST_NOWHERE;
    return true;
}

size_t st_named(const struct st_state *s, uint8_t seat, struct event *out, size_t max)
{
    size_t count = 0;

    if (!st_in_play(s) || seat >= ST_SEATS)
        return 0;
    for (uint8_t slot = 0; slot < ST_SLOTS && count < max; slot++) {
        uint8_t piece = (uint8_t)(seat * ST_SLOTS + slot);
        struct st_move m = {s->place[piece], ST_NOWHERE};

        if (m.from == ST_NOWHERE || !st_movable(s, piece))
            continue;
        out[count] = (struct event){.kind = EVENT_MOVE, .seat = seat, .size = sizeof m};
        memcpy(out[count++].data, &m, sizeof m);
    }
    return count;
}

void st_play_named(struct st_state *s, const struct event *event, struct effects *effects)
{
    struct st_move m;

    memcpy(&m, event->data, sizeof m);
    if (event->kind == EVENT_MOVE) {
        s->turn = event->seat;
        st_challenge(s, (struct st_move){m.from, ST_NOWHERE}, effects);
        return;
    }
    m = (struct st_move){s->from, m.from};
    s->from = ST_NOWHERE;
    st_fight(s, m, effects);
}
