#include "rules/stratego/internal.h"

#include "rules/bits.h"

#include <string.h>

/* Listing moves is what a referee does most. So it goes by words and sets here, eight squares
 * or slots at once, and without branches where no processor can foresee which way they go. */

#define ONES UINT64_C(0x0101010101010101) /* one in each byte */
#define HIGH (ONES << 7)

/* More moves than one side can have, even if all its pieces run: a square that is not its own
 * is entered straight from four sides at most, and its own pieces step diagonally to four. */
enum { MOVES_MAX = 4 * ST_FILES * ST_FILES };

/* The moves of the side to move: from, and to in the higher byte. A number is written in one
 * piece, where compilers build a struct of two bytes byte by byte. */
struct list {
    size_t count;
    uint16_t move[MOVES_MAX + 1]; /* one more: see offer() */
};

/* Eight bytes as a word, the first lowest, and back; compilers make one load or store of it. */
static inline uint64_t eight(const uint8_t *bytes)
{
    return (uint64_t)bytes[0] | (uint64_t)bytes[1] << 8 | (uint64_t)bytes[2] << 16 |
           (uint64_t)bytes[3] << 24 | (uint64_t)bytes[4] << 32 | (uint64_t)bytes[5] << 40 |
           (uint64_t)bytes[6] << 48 | (uint64_t)bytes[7] << 56;
}

static inline void put_eight(uint8_t *bytes, uint64_t word)
{
    bytes[0] = (uint8_t)word;
    bytes[1] = (uint8_t)(word >> 8);
    bytes[2] = (uint8_t)(word >> 16);
    bytes[3] = (uint8_t)(word >> 24);
    bytes[4] = (uint8_t)(word >> 32);
    bytes[5] = (uint8_t)(word >> 40);
    bytes[6] = (uint8_t)(word >> 48);
    bytes[7] = (uint8_t)(word >> 56);
}

/* The highest bit of each byte that is another one; the other bits mean nothing. */
static inline uint64_t is_not(uint64_t bytes, uint8_t byte)
{
    uint64_t word = bytes ^ byte * ONES;

    return ((word & ~HIGH) + ~HIGH) | word;
}

/* Those highest bits side by side. */
static inline uint64_t to_bits(uint64_t word)
{
    return (word >> 7 & ONES) * UINT64_C(0x0102040810204080) >> 56;
}

/* Pieces that stand on the board and may move, by slot: those that step and those that run. */
struct movers {
    uint64_t step, run;
};

static struct movers movers_of(uint64_t ranks, uint64_t places, uint8_t bomb)
{
    uint64_t moves = is_not(ranks, ST_FLAG) & is_not(ranks, bomb) & is_not(places, ST_NOWHERE);
    uint64_t steps = is_not(ranks, ST_SCOUT) & is_not(ranks, ST_HIDDEN);

    return (struct movers){.step = to_bits(moves & steps), .run = to_bits(moves & ~steps)};
}

static struct movers movers(const struct st_state *s, uint8_t seat)
{
    const uint8_t *rank = s->rank + seat * ST_SLOTS, *place = s->place + seat * ST_SLOTS;
    uint8_t bomb = (uint8_t)(st_rules_of(s)->ranks - 1);
    struct movers all = {0, 0};

    for (size_t i = 0; i < ST_SLOTS; i += 8) {
        struct movers some = movers_of(eight(rank + i), eight(place + i), bomb);

        all.step |= some.step << i;
        all.run |= some.run << i;
    }
    return all;
}

/* Where a side moves: by cell, the board and whether a piece of the side may go there (1). */
struct ground {
    const uint8_t *board;
    uint8_t enters[ST_CELLS + 4];
};

/* The cells that are empty or an enemy's. Pieces are below 80, those of the second side from 40
 * on; of the two bytes above, ST_EMPTY is odd. */
static inline uint64_t entered(uint64_t cells, uint8_t seat)
{
    uint64_t second = (cells & ~HIGH) + (0x80 - ST_SLOTS) * ONES;
    uint64_t enemies = seat ? ~second : second;

    return (((enemies & ~cells) | (cells & cells << 7)) & HIGH) >> 7;
}

static void survey(const struct st_state *s, struct ground *ret_ground)
{
    ret_ground->board = s->board;
    put_eight(ret_ground->enters, 0); /* here, and behind the last word, there is only rim */
    put_eight(ret_ground->enters + ST_CELLS - ST_CELLS % 8, 0);
    for (size_t cell = 8; cell + 8 <= ST_CELLS; cell += 8)
        put_eight(ret_ground->enters + cell, entered(eight(s->board + cell), s->turn));
}

/* Puts a move where `end` is; returns the end behind it if it is allowed. One that is not is
 * written over by the next. */
static inline uint16_t *offer(uint16_t *end, unsigned from, int step, unsigned allowed)
{
    *end = (uint16_t)(from * 0x101 + (unsigned)step * 0x100);
    return end + allowed;
}

/* ST-3 ST-4 SC-2: one square straight on, if it is empty or an enemy's. */
static inline uint16_t *straight(const struct ground *g, unsigned from, int step, uint16_t *end)
{
    return offer(end, from, step, (g->enters + from)[step]);
}

/* ST-5 SC-2: one direction, to the first square that is not empty. */
static inline uint16_t *run(const struct ground *g, unsigned from, int step, uint16_t *end)
{
    const uint8_t *cell = g->board + from;
    int by = step;

    for (; cell[by] == ST_EMPTY; by += step)
        end = offer(end, from, by, true);
    return offer(end, from, by, (g->enters + from)[by]);
}

/* ST-3 */
static inline uint16_t *diagonal(const struct ground *g, unsigned from, int step, uint16_t *end)
{
    return offer(end, from, step, (g->board + from)[step] == ST_EMPTY);
}

static inline uint16_t *diagonals(const struct ground *g, unsigned from, uint16_t *end)
{
    end = diagonal(g, from, ST_WIDTH + 1, end);
    end = diagonal(g, from, ST_WIDTH - 1, end);
    end = diagonal(g, from, -ST_WIDTH + 1, end);
    return from == ST_WIDTH ? end : diagonal(g, from, -ST_WIDTH - 1, end); /* a1: no cell */
}

static inline uint16_t *steps(const struct ground *g, unsigned from, uint16_t *end)
{
    end = straight(g, from, ST_WIDTH, end);
    end = straight(g, from, -ST_WIDTH, end);
    end = straight(g, from, 1, end);
    return straight(g, from, -1, end);
}

static inline uint16_t *runs(const struct ground *g, unsigned from, uint16_t *end)
{
    end = run(g, from, ST_WIDTH, end);
    end = run(g, from, -ST_WIDTH, end);
    end = run(g, from, 1, end);
    return run(g, from, -1, end);
}

/* Takes out what SC-6 and SC-7 bar; returns the new end. */
static uint16_t *unbarred(const struct st_state *s, uint16_t *move, const uint16_t *end)
{
    struct st_suspects suspects = st_suspects(s);
    uint16_t *kept = move;

    for (; move < end; move++) {
        struct st_move m = {.from = (uint8_t)*move, .to = (uint8_t)(*move >> 8)};

        *kept = *move;
        kept += !st_is_suspect(&suspects, m) || !st_barred(s, m);
    }
    return kept;
}

/* First the moves of the pieces that step, then those of the others, so that no branch has to
 * tell them apart. */
static void list_moves(const struct st_state *s, struct list *ret_list)
{
    const uint8_t *place = s->place + s->turn * ST_SLOTS;
    bool diagonal = st_rules_of(s)->diagonal;
    struct movers left = movers(s, s->turn);
    uint16_t *end = ret_list->move;
    struct ground ground;

    survey(s, &ground);
    for (; left.step; left.step &= left.step - 1) {
        unsigned from = place[bits_lowest(left.step)];

        end = steps(&ground, from, end);
        if (diagonal)
            end = diagonals(&ground, from, end);
    }
    for (; left.run; left.run &= left.run - 1) {
        unsigned from = place[bits_lowest(left.run)];

        end = runs(&ground, from, end);
        if (diagonal)
            end = diagonals(&ground, from, end);
    }
    if (s->two_square || s->more_square)
        end = unbarred(s, ret_list->move, end);
    ret_list->count = (size_t)(end - ret_list->move);
}

/* A move of each side, in the referee's custody and in the players': there is room for a rank,
 * which is not opened yet. */
static const struct event blanks[2][ST_SEATS] = {
    {{.kind = EVENT_MOVE, .seat = 0, .size = sizeof(struct st_move)},
     {.kind = EVENT_MOVE, .seat = 1, .size = sizeof(struct st_move)}},
    {{.kind = EVENT_MOVE, .seat = 0, .size = ST_BLIND_MOVE, .data = {[ST_OPENED] = ST_NONE}},
     {.kind = EVENT_MOVE, .seat = 1, .size = ST_BLIND_MOVE, .data = {[ST_OPENED] = ST_NONE}}},
};

size_t st_legal(const void *state, uint8_t seat, struct event *out, size_t max)
{
    const struct st_state *s = state;
    struct list list;

    if (s->combats)
        return st_named(s, seat, out, max);
    if (!st_in_play(s) || seat != s->turn || !max)
        return 0;
    const struct event *blank = &blanks[s->blind != 0][seat];
    list_moves(s, &list);
    if (list.count > max)
        list.count = max;
    for (size_t i = 0; i < list.count; i++) {
        struct st_move m = {.from = (uint8_t)list.move[i], .to = (uint8_t)(list.move[i] >> 8)};

        out[i] = *blank;
        memcpy(out[i].data, &m, sizeof m);
    }
    return list.count;
}

/* Can the piece on `from`, if there is one of the side to move, step straight on? That it moved
 * before says nothing: in players' custody it may be opened as a mine since. */
static bool steps_on(const struct st_state *s, uint8_t from)
{
    uint8_t piece = s->board[from];

    if (piece >= ST_PIECES || st_side(piece) != s->turn || !st_movable(s, piece))
        return false;
    for (size_t i = 0; i < 4; i++) {
        struct st_move m = {from, st_step(from, st_steps[i])};
        uint8_t target = s->board[m.to];

        if ((target == ST_EMPTY || st_enemy(target, s->turn)) && !st_barred(s, m))
            return true;
    }
    return false;
}

bool st_can_move(const struct st_state *s)
{
    struct list list;

    /* Most often the piece that moved last can, if only back. */
    if (steps_on(s, st_last(s)))
        return true;
    list_moves(s, &list);
    return list.count > 0;
}

bool st_has_movable(const struct st_state *s, uint8_t seat)
{
    struct movers all = movers(s, seat);

    return all.step || all.run;
}
