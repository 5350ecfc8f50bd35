#include "rules/stratego/internal.h"

#include <string.h>

uint8_t st_home(uint8_t side, uint8_t slot)
{
    uint8_t row = slot / ST_FILES, file = slot % ST_FILES;

    if (side)
        row = (uint8_t)(9 - row), file = (uint8_t)(9 - file);
    return (uint8_t)((row + 1) * ST_WIDTH + file);
}

uint8_t st_slot(uint8_t side, uint8_t cell)
{
    if (!st_on_board(cell))
        return ST_NONE;
    uint8_t row = (uint8_t)(cell / ST_WIDTH - 1), file = cell % ST_WIDTH;
    if (side)
        row = (uint8_t)(9 - row), file = (uint8_t)(9 - file);
    uint8_t slot = (uint8_t)(row * ST_FILES + file);
    return slot < ST_SLOTS ? slot : ST_NONE;
}

/* ST-1 SC-1, as far as it can be seen: as many pieces as the set has, all of them hidden. */
static bool hidden_set(const struct st_state *s, const struct st_setup *setup)
{
    int missing = 0;

    for (size_t rank = 0; rank < ST_RANKS; rank++)
        missing += st_counts[s->variant][rank];
    for (size_t i = 0; i < ST_SLOTS; i++) {
        if (setup->rank[i] != ST_NONE && setup->rank[i] != ST_HIDDEN)
            return false;
        missing -= setup->rank[i] == ST_HIDDEN;
    }
    return missing == 0;
}

ruling_t st_judge_setup(const struct st_state *s, const struct event *event)
{
    uint8_t count[ST_RANKS] = {0};
    struct st_setup setup;

    memcpy(&setup, event->data, sizeof setup);
    if (setup.astray) /* ST-1 SC-1: the place before the number */
        return st_rules_of(s)->lakes ? ST_WRONG_SQUARE_CLASSIC : ST_WRONG_SQUARE;
    ruling_t wrong = st_rules_of(s)->lakes ? ST_WRONG_COUNT_CLASSIC : ST_WRONG_COUNT;
    if (s->blind)
        return hidden_set(s, &setup) ? ALLOWED : wrong;
    for (size_t i = 0; i < ST_SLOTS; i++) {
        if (setup.rank[i] == ST_NONE)
            continue;
        if (setup.rank[i] >= ST_RANKS)
            return wrong;
        count[setup.rank[i]]++;
    }
    return memcmp(count, st_counts[s->variant], sizeof count) == 0 ? ALLOWED : wrong;
}

static void place(struct st_state *s, uint8_t piece, uint8_t cell, uint8_t rank)
{
    s->rank[piece] = rank;
    s->place[piece] = cell;
    s->board[cell] = piece;
}

void st_play_setup(struct st_state *s, const struct event *event)
{
    struct st_setup setup;

    memcpy(&setup, event->data, sizeof setup);
    for (uint8_t slot = 0; slot < ST_SLOTS; slot++)
        if (setup.rank[slot] != ST_NONE)
            place(s, (uint8_t)(event->seat * ST_SLOTS + slot), st_home(event->seat, slot),
                  setup.rank[slot]);
    s->ready |= (uint8_t)(1 << event->seat);
    if (s->ready == (1 << ST_SEATS) - 1)
        s->turn = s->first; /* SC-3; NO_SEAT: the lot is next, ST-2 */
}

void st_put(struct st_state *s, uint8_t side, uint8_t cell, uint8_t rank)
{
    uint8_t piece = (uint8_t)(side * ST_SLOTS);
    uint8_t last = (uint8_t)(piece + ST_SLOTS - 1);

    while (piece < last && s->rank[piece] != ST_NONE)
        piece++;
    if (!st_on_board(cell))
        s->flaw = ST_STRAY;
    else if (s->board[cell] == ST_WALL)
        s->flaw = ST_IN_LAKE;
    else if (s->board[cell] != ST_EMPTY)
        s->flaw = ST_FLAWED;
    else if (s->rank[piece] != ST_NONE)
        s->flaw = st_rules_of(s)->lakes ? ST_TOO_MANY_CLASSIC : ST_TOO_MANY;
    else
        place(s, piece, cell, rank);
}

void st_resume(struct st_state *s, uint8_t turn)
{
    s->ready = (1 << ST_SEATS) - 1;
    s->turn = turn;
}
