#include "rules/roquefort/internal.h"

enum { B = RQ_BLANK, T = RQ_TRAPDOOR };

const uint8_t rq_tile_faces[RQ_TILES] = {
    1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 5, 6, 6,
    6, 7, 7, 7, B, B, B, B, B, B, B, B, B, B, T, T, T,
};

static bool is_permutation(const struct event *event)
{
    uint64_t met = 0;

    if (event->size != RQ_TILES)
        return false;
    for (unsigned i = 0; i < RQ_TILES; i++) {
        if (event->data[i] >= RQ_TILES)
            return false;
        met |= rq_bit(event->data[i]);
    }
    return met == (UINT64_C(1) << RQ_TILES) - 1;
}

void rq_lay(const uint8_t order[static RQ_TILES], uint8_t ret_face[static RQ_TILES])
{
    unsigned spare = 0;

    while (rq_tile_faces[order[spare]] != RQ_BLANK)
        spare++;
    ret_face[RQ_SPARE] = RQ_BLANK;
    for (unsigned place = 0; place < RQ_SPARE; place++)
        ret_face[place] = rq_tile_faces[order[place + (place >= spare)]];
}

static bool equals_touch(const uint8_t face[static RQ_TILES])
{
    /* East, and the three squares of the row above. */
    static const struct {
        int8_t column, row;
    } steps[] = {{1, 0}, {-1, 1}, {0, 1}, {1, 1}};

    for (unsigned i = 0; i < RQ_SQUARES; i++) {
        if (rq_place[i] == RQ_NO_SQUARE || face[rq_place[i]] == RQ_BLANK)
            continue;
        for (size_t k = 0; k < sizeof steps / sizeof *steps; k++) {
            int column = (int)i % RQ_SIDE + steps[k].column;
            int row = (int)i / RQ_SIDE + steps[k].row;

            if (column < 0 || column >= RQ_SIDE || row >= RQ_SIDE)
                continue;
            uint8_t place = rq_place[row * RQ_SIDE + column];
            if (place != RQ_NO_SQUARE && face[place] == face[rq_place[i]])
                return true;
        }
    }
    return false;
}

ruling_t rq_judge_deal(const struct rq_state *s, const struct event *event)
{
    uint8_t face[RQ_TILES];

    if (s->custody == CUSTODY_TABLE)
        return event->size == 0 && event->tries == 1 ? ALLOWED : RQ_BAD_SHUFFLE;
    if (!is_permutation(event))
        return RQ_BAD_SHUFFLE;
    rq_lay(event->data, face);
    if (event->tries < RQ_DEAL_TRIES && equals_touch(face))
        return RQ_EQUALS_TOUCH; /* CR-1 */
    return ALLOWED;
}

void rq_deal(struct rq_state *s, const struct event *event)
{
    if (s->custody != CUSTODY_TABLE)
        rq_lay(event->data, s->face);
    s->seen = rq_visible_tiles(s);
}
