#include "rules/roquefort/internal.h"

enum { X = RQ_NO_SQUARE };

const uint8_t rq_place[RQ_SQUARES] = {
    X,  0,  X,  1,  X,  2,  X,  /* row 1 */
    3,  4,  5,  6,  7,  8,  9,  /* row 2 */
    X,  10, X,  11, X,  12, X,  /* row 3 */
    13, 14, 15, 16, 17, 18, 19, /* row 4 */
    X,  20, X,  21, X,  22, X,  /* row 5 */
    23, 24, 25, 26, 27, 28, 29, /* row 6 */
    X,  30, X,  31, X,  32, X,  /* row 7 */
};

/* Reconstructions: no one has put the printed plates on record. Row 1 comes first. */
enum { A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q, R };

const uint8_t rq_layouts[2][RQ_SQUARES] = {
    {
        X, Q, Q, O, R, R, X, /* row 1 */
        I, N, N, O, P, P, M, /* row 2 */
        I, L, L, L, J, K, M, /* row 3 */
        I, D, H, H, J, K, G, /* row 4 */
        C, D, H, H, F, F, G, /* row 5 */
        C, D, E, E, F, F, G, /* row 6 */
        X, A, A, A, B, B, X, /* row 7 */
    },
    {
        X, Q, Q, Q, R, R, X, /* row 1 */
        K, O, O, P, P, M, N, /* row 2 */
        K, I, J, L, L, M, N, /* row 3 */
        C, I, J, G, G, H, F, /* row 4 */
        C, D, D, G, G, H, F, /* row 5 */
        C, D, D, E, E, E, F, /* row 6 */
        X, A, A, B, B, B, X, /* row 7 */
    },
};

uint8_t rq_line(uint8_t slot, uint8_t step)
{
    /* Nb Nd Nf Sb Sd Sf W2 W4 W6 E2 E4 E6 */
    static const struct {
        uint8_t start;
        int8_t delta;
    } lines[RQ_SLOTS] = {
        {43, -7}, {45, -7}, {47, -7}, {1, 7},   {3, 7},   {5, 7},
        {7, 1},   {21, 1},  {35, 1},  {13, -1}, {27, -1}, {41, -1},
    };

    return (uint8_t)(lines[slot].start + step * lines[slot].delta);
}

/* A bit for each of the eight bytes that is zero, the first lowest. */
static uint64_t zero_bytes(uint64_t word)
{
    const uint64_t low = UINT64_C(0x7f7f7f7f7f7f7f7f);
    uint64_t zero = ~(((word & low) + low) | word | low) >> 7;

    return zero * UINT64_C(0x0102040810204080) >> 56;
}

uint64_t rq_room_squares(const uint8_t room[static RQ_SQUARES], uint8_t square)
{
    uint64_t squares = 0;

    if (square >= RQ_SQUARES || room[square] == RQ_NO_SQUARE)
        return 0;
    uint64_t wanted = room[square] * UINT64_C(0x0101010101010101);
    /* The last square is a tower, which belongs to no room. */
    for (unsigned i = 0; i + 8 <= RQ_SQUARES; i += 8)
        squares |= zero_bytes(rq_eight(room + i) ^ wanted) << i;
    return squares;
}

static uint64_t beside(uint64_t squares)
{
    return (squares & ~RQ_COLUMN_G) << 1 | (squares & ~RQ_COLUMN_A) >> 1;
}

/* The squares of `room` that hang together with `square`. */
static uint64_t connected(uint64_t room, unsigned square)
{
    uint64_t reached = 0, next = rq_bit(square);

    while (next != reached) {
        reached = next;
        next |= (beside(reached) | reached << RQ_SIDE | reached >> RQ_SIDE) & room;
    }
    return reached;
}

ruling_t rq_check_plate(const uint8_t room[static RQ_SQUARES])
{
    for (uint8_t i = 0; i < RQ_SQUARES; i++) {
        bool tower = rq_has(RQ_TOWERS, i);

        if (tower != (room[i] == RQ_NO_SQUARE) || (!tower && room[i] >= RQ_ROOMS_MAX))
            return RQ_BAD_PLATE;
        if (tower)
            continue;
        uint64_t squares = rq_room_squares(room, i);
        if (connected(squares, i) != squares)
            return RQ_BAD_PLATE;
    }
    return ALLOWED;
}

uint64_t rq_all_mice(const struct rq_state *s)
{
    return s->mice[0] | s->mice[1] | s->mice[2] | s->mice[3];
}

struct rq_scene rq_scene(const struct rq_state *s)
{
    uint64_t own = s->mice[s->turn], row = own | beside(own);

    return (struct rq_scene){
        .mice = rq_all_mice(s),
        .own = own,
        .near = (row | row << RQ_SIDE | row >> RQ_SIDE) & RQ_BOARD,
    };
}

uint64_t rq_visible_tiles(const struct rq_state *s)
{
    uint64_t tiles = rq_bit(s->tile[RQ_SPARE]);

    for (uint64_t left = s->open & RQ_FLOORED; left; left &= left - 1)
        tiles |= rq_bit(s->tile[rq_place[bits_lowest(left)]]);
    return tiles;
}

uint64_t rq_effect_squares(const struct effect *effect)
{
    uint64_t squares = 0;

    for (unsigned i = 0; i < RQ_SIDE; i++)
        squares |= (uint64_t)effect->data[i] << 8 * i;
    return squares;
}

void rq_effect_put(struct effect *effect, uint64_t squares)
{
    for (unsigned i = 0; i < RQ_SIDE; i++)
        effect->data[i] = (uint8_t)(squares >> 8 * i);
}
