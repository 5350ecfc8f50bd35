#include "rules/stratego/internal.h"

#include <string.h>

/* Squares as bits: bit file+1 of row 1..10, with an empty rim, so that neighbours are shifts.
 */
struct squares {
    uint16_t row[12];
};

struct front {
    struct squares open;            /* no walls: neither mines nor flags */
    struct squares flag[ST_SEATS];  /* each side's flag */
    struct squares mine[ST_SEATS];  /* each side's mines that still stand */
    struct squares reach[ST_SEATS]; /* where the side's pieces may come */
    struct squares dig[ST_SEATS];   /* where its miners may come */
};

static void add(struct squares *squares, uint8_t cell)
{
    squares->row[cell / ST_WIDTH] |= (uint16_t)(2u << cell % ST_WIDTH);
}

static void sort_piece(const struct st_state *s, uint8_t piece, struct front *front)
{
    uint8_t side = st_side(piece), cell = s->place[piece];

    if (s->rank[piece] == ST_FLAG) {
        add(&front->flag[side], cell);
        return;
    }
    if (!st_movable(s, piece)) {
        add(&front->mine[side], cell);
        return;
    }
    add(&front->reach[side], cell);
    if (s->rank[piece] == ST_MINER)
        add(&front->dig[side], cell);
}

static void survey(const struct st_state *s, struct front *ret_front)
{
    memset(ret_front, 0, sizeof *ret_front);
    for (size_t row = 1; row <= 10; row++)
        ret_front->open.row[row] = 0x3ff << 1;
    for (uint8_t piece = 0; piece < ST_PIECES; piece++)
        if (s->place[piece] != ST_NOWHERE)
            sort_piece(s, piece, ret_front);
    for (size_t row = 1; row <= 10; row++)
        ret_front->open.row[row] &=
            (uint16_t) ~(ret_front->flag[0].row[row] | ret_front->flag[1].row[row] |
                         ret_front->mine[0].row[row] | ret_front->mine[1].row[row]);
}

/* Spreads over open squares in eight directions until nothing is added. */
static void spread(struct squares *reach, const struct squares *open)
{
    bool grown = true;

    while (grown) {
        grown = false;
        for (size_t i = 1; i <= 10; i++) {
            uint16_t near = reach->row[i - 1] | reach->row[i] | reach->row[i + 1];
            uint16_t all = (uint16_t)((near | near << 1 | near >> 1) & open->row[i]);

            grown |= (all & ~reach->row[i]) != 0;
            reach->row[i] |= all;
        }
    }
}

/* Those of `targets` that lie orthogonally beside `reach`, row by row. */
static uint16_t touched(const struct squares *reach, const struct squares *targets, size_t i)
{
    uint16_t here = reach->row[i];

    return (uint16_t)((here << 1 | here >> 1 | reach->row[i - 1] | reach->row[i + 1]) &
                      targets->row[i]);
}

/* Removes the mines of `side` that enemy miners stand beside; false if there are none. */
static bool clear_mines(struct front *front, uint8_t side)
{
    bool cleared = false;

    for (size_t i = 1; i <= 10; i++) {
        uint16_t mines = touched(&front->dig[!side], &front->mine[side], i);

        front->mine[side].row[i] &= (uint16_t)~mines;
        front->open.row[i] |= mines;
        cleared |= mines != 0;
    }
    return cleared;
}

static bool captures(const struct front *front, uint8_t side)
{
    for (size_t i = 1; i <= 10; i++)
        if (touched(&front->reach[side], &front->flag[!side], i))
            return true;
    return false;
}

/* Can the pieces of a side come beside the other's flag, the mines standing as they do? */
static bool arrives(struct front *front, uint8_t side)
{
    spread(&front->reach[side], &front->open);
    return captures(front, side);
}

/* ST-13: the fixpoint. Most combats leave a way, so that miners are asked last. */
bool st_dead(const struct st_state *s)
{
    struct front front;
    bool cleared = true;

    survey(s, &front);
    while (cleared) {
        if (arrives(&front, 0) || arrives(&front, 1))
            return false;
        spread(&front.dig[0], &front.open);
        spread(&front.dig[1], &front.open);
        cleared = clear_mines(&front, 0);
        cleared |= clear_mines(&front, 1);
    }
    return true;
}
