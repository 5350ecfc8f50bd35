#include "rules/roquefort/internal.h"

static unsigned count(uint64_t set)
{
    unsigned n = 0;

    for (; set; set &= set - 1)
        n++;
    return n;
}

uint8_t rq_next(const struct rq_state *s, unsigned seat)
{
    unsigned next = seat;

    for (unsigned i = 1; i < s->players; i++) {
        next = seat + i < s->players ? seat + i : seat + i - s->players;
        if (!rq_is_out(s, next))
            return (uint8_t)next;
    }
    return (uint8_t)seat;
}

/* CR-11: the open squares of rooms without a mouse. */
static uint64_t deserted(const struct rq_state *s)
{
    uint64_t held = 0, covered = 0; /* held: rooms, by number */

    for (uint64_t left = rq_all_mice(s) & ~RQ_TOWERS; left; left &= left - 1)
        held |= UINT64_C(1) << s->room[bits_lowest(left)];
    for (uint64_t left = s->open; left; left &= left - 1) {
        unsigned square = bits_lowest(left);

        covered |= (~held >> s->room[square] & 1) << square;
    }
    return covered;
}

void rq_end_turn(struct rq_state *s, struct effects *effects)
{
    uint64_t covered = deserted(s);

    rq_effect_put(effects_add(effects, RQ_COVERED, s->turn), covered);
    s->open &= ~covered;
    s->turn = rq_next(s, s->turn);
    s->actions_left = RQ_ACTIONS;
    s->shifted = false;
}

void rq_put_out(struct rq_state *s, unsigned seat, struct effects *effects)
{
    rq_effect_put(effects_add(effects, RQ_OUT, (uint8_t)seat), s->mice[seat]);
    s->reserve[seat] = (uint8_t)(s->reserve[seat] + count(s->mice[seat]));
    s->mice[seat] = 0;
    s->out = (uint8_t)(s->out | 1 << seat);
}

static void fall(struct rq_state *s, unsigned seat, struct effects *effects)
{
    for (uint64_t left = s->mice[seat]; left; left &= left - 1) {
        unsigned square = bits_lowest(left);

        if (rq_face_at(s, square) != RQ_TRAPDOOR)
            continue;
        effects_add(effects, RQ_FELL, (uint8_t)seat)->data[0] = (uint8_t)square; /* CR-9 */
        s->mice[seat] &= ~rq_bit(square);
        s->cellar[seat]++;
    }
}

uint8_t rq_cheeses_due(const struct rq_state *s, unsigned seat)
{
    unsigned once = 0, twice = 0;

    for (uint64_t left = s->mice[seat]; left; left &= left - 1) {
        unsigned cheese =
            rq_face_at(s, bits_lowest(left)) - 1U; /* of all else none is so low */

        if (cheese >= RQ_KINDS)
            continue;
        twice |= once & 1U << cheese;
        once |= 1U << cheese;
    }
    return (uint8_t)(twice & ~(unsigned)s->cheeses[seat]);
}

static void take_cheese(struct rq_state *s, unsigned seat, struct effects *effects)
{
    uint8_t due = rq_cheeses_due(s, seat);

    for (uint8_t kind = 1; kind <= RQ_KINDS; kind++)
        if (due >> (kind - 1) & 1)
            effects_add(effects, RQ_CHEESE_TAKEN, (uint8_t)seat)->data[0] = kind; /* CR-10 */
    s->cheeses[seat] |= due;
}

/* The seat of the set with the most cheeses; NO_SEAT if it is not one alone. */
static uint8_t most_cheeses(const struct rq_state *s, uint8_t seats)
{
    uint8_t best = NO_SEAT;
    unsigned most = 0;

    for (uint8_t seat = 0; seat < s->players; seat++) {
        unsigned cheeses = count(s->cheeses[seat]);

        if (!(seats >> seat & 1) || (most && cheeses + 1 < most))
            continue;
        best = cheeses + 1 == most ? NO_SEAT : seat;
        most = cheeses + 1;
    }
    return best;
}

static void end(struct rq_state *s, enum reason reason, uint8_t winner, enum rq_ruling ruling)
{
    s->outcome = (struct outcome){
        .reason = (uint8_t)reason, .winner = winner, .ruling = (uint8_t)ruling};
}

/* CR-12: the seat that has the cheeses to win, looking round from the one on turn. */
static uint8_t first_winner(const struct rq_state *s)
{
    for (unsigned i = 0; i < s->players; i++) {
        unsigned seat = s->turn + i < s->players ? s->turn + i : s->turn + i - s->players;

        if (rq_is_in(s, seat) && count(s->cheeses[seat]) >= s->to_win)
            return (uint8_t)seat;
    }
    return NO_SEAT;
}

/* Ends the game if it has ended, `gone` being the seats that went out by the shift. */
static void judge_end(struct rq_state *s, uint8_t gone)
{
    uint8_t in = (uint8_t)(((1U << s->players) - 1) & ~(unsigned)s->out);
    uint8_t winner = first_winner(s);

    if (!in)
        end(s, REASON_ALL_OUT, most_cheeses(s, gone), RQ_CR13);
    else if (gone && s->variant == RQ_APPENZELL) /* CB-1 */
        end(s, REASON_THIRD_FALL, most_cheeses(s, in), RQ_CB1);
    else if (count(in) == 1)
        end(s, REASON_LAST_LEFT, (uint8_t)bits_lowest(in), RQ_CR13);
    else if (winner != NO_SEAT)
        end(s, REASON_CHEESES, winner, RQ_CR12);
}

/* CR-9, CR-13; returns the seats that have gone out. */
static uint8_t fall_all(struct rq_state *s, struct effects *effects)
{
    uint8_t gone = 0;

    for (unsigned seat = 0; seat < s->players; seat++)
        fall(s, seat, effects);
    for (unsigned seat = 0; seat < s->players; seat++)
        if (s->cellar[seat] >= RQ_DROWNED && !rq_is_out(s, seat)) {
            rq_put_out(s, seat, effects);
            gone = (uint8_t)(gone | 1 << seat);
        }
    return gone;
}

void rq_consequences(struct rq_state *s, bool shifted, struct effects *effects)
{
    uint8_t gone = shifted ? fall_all(s, effects) : 0;

    for (unsigned seat = 0; seat < s->players; seat++)
        if (shifted || seat == s->turn)
            take_cheese(s, seat, effects);
    judge_end(s, gone);
}

void rq_settle(struct rq_state *s)
{
    uint8_t gone = 0;

    for (unsigned seat = 0; seat < s->players; seat++)
        if (s->cellar[seat] >= RQ_DROWNED && rq_is_out(s, seat))
            gone = (uint8_t)(gone | 1 << seat);
    s->seen = rq_visible_tiles(s);
    judge_end(s, gone);
}
