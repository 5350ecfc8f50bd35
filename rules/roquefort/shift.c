#include "rules/roquefort/internal.h"

/* The tile that comes to lie on the square `step` of the line. */
static uint8_t coming(const struct rq_state *s, uint8_t slot, uint8_t step)
{
    return step ? s->tile[rq_place[rq_line(slot, (uint8_t)(step - 1))]] : s->tile[RQ_SPARE];
}

ruling_t rq_judge_shift(const struct rq_state *s, const struct rq_scene *scene, uint8_t slot)
{
    if (s->shifted)
        return RQ_ALREADY_SHIFTED; /* CR-8 */
    if (slot >= RQ_SLOTS)
        return RQ_NO_SUCH_SLOT;
    if (s->custody == CUSTODY_TABLE)
        return ALLOWED; /* the players tell what comes under a mouse */
    for (uint8_t i = 0; i < RQ_SIDE; i++)
        if (rq_has(scene->mice, rq_line(slot, i)) && s->face[coming(s, slot, i)] == RQ_UNKNOWN)
            return RQ_UNKNOWN_SHIFT;
    return ALLOWED;
}

/* Places of the line where a tile comes into sight that did not lie open before; bit 7: the one
 * that falls out. */
static uint8_t newly_seen(const struct rq_state *s, uint8_t slot)
{
    uint8_t places = 0;
    bool before = true; /* the spare is seen by all */

    for (uint8_t i = 0; i < RQ_SIDE; i++) {
        bool open = rq_has(s->open, rq_line(slot, i));

        if (open && !before)
            places = (uint8_t)(places | 1 << i);
        before = open;
    }
    return (uint8_t)(before ? places : places | 1 << RQ_SIDE);
}

void rq_slide(uint8_t tile[static RQ_TILES], uint8_t slot)
{
    uint8_t out = tile[rq_place[rq_line(slot, RQ_SIDE - 1)]];

    for (uint8_t i = RQ_SIDE - 1; i > 0; i--)
        tile[rq_place[rq_line(slot, i)]] = tile[rq_place[rq_line(slot, (uint8_t)(i - 1))]];
    tile[rq_place[rq_line(slot, 0)]] = tile[RQ_SPARE];
    tile[RQ_SPARE] = out;
}

void rq_shift(struct rq_state *s, uint8_t slot, struct effects *effects)
{
    struct effect *effect = effects_add(effects, RQ_SHIFTED, s->turn);
    uint8_t in = s->tile[RQ_SPARE], out = s->tile[rq_place[rq_line(slot, RQ_SIDE - 1)]];

    effect->data[0] = slot;
    effect->data[1] = in;
    effect->data[2] = out;
    effect->data[3] = newly_seen(s, slot);
    effect->data[4] = s->face[out];
    rq_slide(s->tile, slot);
    for (uint8_t i = 0; i < RQ_SIDE; i++)
        if (effect->data[3] >> i & 1)
            s->lit[i] = s->tile[rq_place[rq_line(slot, i)]];
    s->shifted = true;
    s->seen |= rq_visible_tiles(s);
}
