#include "rules/roquefort/internal.h"

static unsigned count(uint64_t set)
{
    unsigned n = 0;

    for (; set; set &= set - 1)
        n++;
    return n;
}

static bool is_formed(const struct rq_state *s)
{
    uint64_t tiles = 0, outside = s->open & ~(RQ_BOARD & ~RQ_TOWERS);

    if (s->variant > RQ_APPENZELL || s->stage > RQ_PLAY || s->players < 2 ||
        s->players > SEATS_MAX || s->memory > RQ_OPEN || s->layout > RQ_LAYOUT_OWN ||
        s->to_win < 1 || s->to_win > RQ_KINDS || s->shifted > 1 || s->out >> s->players)
        return false;
    if (s->custody != CUSTODY_REFEREE && s->custody != CUSTODY_TABLE)
        return false;
    for (unsigned i = 0; i < RQ_SIDE; i++)
        if (s->lit[i] >= RQ_TILES && s->lit[i] != RQ_NO_SQUARE)
            return false;
    if (s->outcome.reason >= REASONS ||
        (s->outcome.winner != NO_SEAT && s->outcome.winner >= s->players))
        return false;
    if (s->stage != RQ_LOT && s->first >= s->players)
        return false;
    for (unsigned seat = 0; seat < SEATS_MAX; seat++) {
        outside |= s->mice[seat] & ~RQ_BOARD;
        if (s->cheeses[seat] >> RQ_KINDS || (seat >= s->players && s->mice[seat]))
            return false;
    }
    for (unsigned i = 0; i < RQ_TILES; i++) {
        if (s->tile[i] >= RQ_TILES || (s->face[i] >= RQ_FACES && s->face[i] != RQ_UNKNOWN))
            return false;
        tiles |= rq_bit(s->tile[i]);
    }
    return !outside && tiles == (UINT64_C(1) << RQ_TILES) - 1;
}

/* CR-1: three of each cheese and three trapdoors, ten blanks. */
bool rq_in_box(const uint8_t face[static RQ_TILES])
{
    unsigned left[RQ_FACES] = {10, 3, 3, 3, 3, 3, 3, 3, 3};

    for (unsigned i = 0; i < RQ_TILES; i++)
        if (face[i] != RQ_UNKNOWN && (face[i] >= RQ_FACES || !left[face[i]]--))
            return false;
    return true;
}

static ruling_t check_player(const struct rq_state *s, unsigned seat)
{
    if (rq_is_out(s, seat) && s->mice[seat])
        return RQ_BAD_OUT;
    if (!rq_is_out(s, seat) && s->cellar[seat] >= RQ_DROWNED)
        return RQ_BAD_CELLAR;
    if (count(s->mice[seat]) + s->reserve[seat] + s->cellar[seat] != RQ_MICE)
        return RQ_BAD_COUNT;
    for (unsigned other = 0; other < seat; other++)
        if (s->mice[seat] & s->mice[other])
            return RQ_BAD_SHARED;
    for (uint64_t left = s->mice[seat]; left; left &= left - 1) {
        unsigned square = bits_lowest(left);

        if (!rq_has(s->open | RQ_TOWERS, square))
            return RQ_BAD_COVERED;
        if (rq_face_at(s, square) == RQ_UNKNOWN)
            return RQ_BAD_UNKNOWN;
        if (rq_face_at(s, square) == RQ_TRAPDOOR)
            return RQ_BAD_TRAPDOOR;
    }
    return rq_cheeses_due(s, seat) ? RQ_BAD_DUE : ALLOWED;
}

static ruling_t check_turn(const struct rq_state *s)
{
    if (s->outcome.reason != REASON_NONE || s->stage != RQ_PLAY)
        return ALLOWED;
    if (!rq_is_in(s, s->turn))
        return RQ_BAD_TURN;
    /* CR-2: a tower for each that has yet to enter */
    unsigned waiting = 0;
    for (unsigned seat = 0; seat < s->players; seat++)
        waiting += rq_is_in(s, seat) && s->reserve[seat] == RQ_MICE;
    return waiting > count(RQ_TOWERS & ~rq_all_mice(s)) ? RQ_BAD_TOWERS : ALLOWED;
}

ruling_t rq_check(const void *state)
{
    const struct rq_state *s = state;

    if (s->flaw)
        return s->flaw < RQ_REFUSALS ? s->flaw : RQ_BAD_FORM;
    if (!is_formed(s))
        return RQ_BAD_FORM;
    if (rq_check_plate(s->room) != ALLOWED)
        return RQ_BAD_PLATE;
    for (uint64_t left = s->open; left; left &= left - 1)
        if (rq_room_squares(s->room, (uint8_t)bits_lowest(left)) & ~s->open)
            return RQ_BAD_ROOF;
    if (s->actions_left > RQ_ACTIONS)
        return RQ_BAD_ACTIONS;
    if (!rq_in_box(s->face))
        return RQ_BAD_TILES;
    for (unsigned seat = 0; seat < s->players; seat++) {
        ruling_t ruling = check_player(s, seat);

        if (ruling != ALLOWED)
            return ruling;
    }
    return check_turn(s);
}
