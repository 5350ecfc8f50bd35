#include "rules/roquefort/internal.h"

#include <string.h>

/* What a move makes visible: how the tiles lie after it, and sets of places (1 << place). */
struct sight {
    uint8_t tile[RQ_TILES];
    uint64_t may, must; /* whose faces may and must be told */
};

static uint64_t places(uint64_t squares)
{
    uint64_t set = 0;

    for (; squares; squares &= squares - 1) {
        uint8_t place = rq_place[bits_lowest(squares)];

        if (place != RQ_NO_SQUARE)
            set |= rq_bit(place);
    }
    return set;
}

/* The places of a set where nobody has told yet what lies there. */
static uint64_t unknown(const struct rq_state *s, const uint8_t tile[static RQ_TILES],
                        uint64_t set)
{
    uint64_t found = 0;

    for (; set; set &= set - 1) {
        unsigned place = bits_lowest(set);

        if (s->face[tile[place]] == RQ_UNKNOWN)
            found |= rq_bit(place);
    }
    return found;
}

static struct sight sight_of(const struct rq_state *s, const struct rq_move *m)
{
    struct sight sight = {.may = 0};

    memcpy(sight.tile, s->tile, sizeof sight.tile);
    if (m->verb == RQ_UNCOVER)
        sight.may = sight.must = places(rq_room_squares(s->room, m->to)); /* CR-4 */
    if (m->verb != RQ_SHIFT || m->to >= RQ_SLOTS)
        return sight;
    rq_slide(sight.tile, m->to);
    sight.may = places(s->open) | rq_bit(RQ_SPARE);
    sight.must = unknown(s, sight.tile, sight.may); /* CR-8 */
    return sight;
}

static uint64_t told(const struct rq_report *report)
{
    uint64_t set = 0;

    for (unsigned place = 0; place < RQ_TILES; place++)
        if (report->face[place] != RQ_UNKNOWN)
            set |= rq_bit(place);
    return set;
}

bool rq_move_of(const struct rq_state *s, const struct event *event, struct rq_move *ret_move)
{
    bool bare = event->size == sizeof *ret_move;
    bool tells = s->custody == CUSTODY_TABLE && event->size == sizeof(struct rq_report);

    if (!bare && !tells)
        return false;
    memcpy(ret_move, event->data, sizeof *ret_move);
    return bare || ret_move->verb == RQ_UNCOVER || ret_move->verb == RQ_SHIFT;
}

void rq_report_of(const struct event *event, const struct rq_move *move,
                  struct rq_report *ret_report)
{
    ret_report->move = *move;
    memset(ret_report->face, RQ_UNKNOWN, sizeof ret_report->face);
    if (event->size == sizeof *ret_report)
        memcpy(ret_report, event->data, sizeof *ret_report);
}

/* CR-1: a tile keeps its face, and the box has so many of each. */
static ruling_t judge_faces(const struct rq_state *s, const struct sight *sight,
                            const struct rq_report *report)
{
    uint8_t face[RQ_TILES];

    memcpy(face, s->face, sizeof face);
    for (uint64_t left = told(report); left; left &= left - 1) {
        unsigned place = bits_lowest(left);
        uint8_t *known = &face[sight->tile[place]];

        if (*known != RQ_UNKNOWN && *known != report->face[place])
            return RQ_OTHER_FACE;
        *known = report->face[place];
    }
    return rq_in_box(face) ? ALLOWED : RQ_TOO_MANY_ALIKE;
}

ruling_t rq_judge_report(const struct rq_state *s, const struct rq_report *report)
{
    struct sight sight = sight_of(s, &report->move);
    uint64_t untold = sight.must & ~told(report);
    bool shift = report->move.verb == RQ_SHIFT;

    if (told(report) & ~sight.may)
        return shift ? RQ_SHOWN_COVERED : RQ_SHOWN_OUTSIDE;
    if (untold == rq_bit(RQ_SPARE))
        return RQ_UNTOLD_OUT;
    if (untold)
        return shift ? RQ_UNTOLD_SHIFT : RQ_UNTOLD_ROOM;
    return judge_faces(s, &sight, report);
}

void rq_learn(struct rq_state *s, const struct rq_report *report)
{
    struct sight sight = sight_of(s, &report->move);

    for (uint64_t left = told(report); left; left &= left - 1) {
        unsigned place = bits_lowest(left);

        s->face[sight.tile[place]] = report->face[place];
    }
}

void rq_fill(const struct rq_state *s, const uint8_t face[static RQ_TILES], struct event *event)
{
    struct rq_report report;
    struct rq_move move;

    if (s->custody != CUSTODY_TABLE || !rq_move_of(s, event, &move))
        return;
    rq_report_of(event, &move, &report);
    struct sight sight = sight_of(s, &report.move);
    uint64_t left = sight.must & ~told(&report);
    if (!left)
        return;
    for (; left; left &= left - 1) {
        unsigned place = bits_lowest(left);
        uint8_t tile = sight.tile[place];

        report.face[place] = face[tile] != RQ_UNKNOWN ? face[tile] : s->face[tile];
    }
    event->size = sizeof report;
    memcpy(event->data, &report, sizeof report);
}
