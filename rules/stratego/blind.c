#include "rules/stratego/internal.h"

#include <string.h>

/* Players' custody: the referee sees where pieces stand, and what they are only when they are
 * opened to it. docs/rules/stratego.md */

static int apart(int a, int b)
{
    return a < b ? b - a : a - b;
}

bool st_long(struct st_move m)
{
    return apart(m.from % ST_WIDTH, m.to % ST_WIDTH) > 1 ||
           apart(m.from / ST_WIDTH, m.to / ST_WIDTH) > 1;
}

uint8_t st_opened(const struct event *move)
{
    return move->size > ST_OPENED ? move->data[ST_OPENED] : ST_NONE;
}

/* What is known stays as it is: an opening proves nothing here, api/ has checked it. */
void st_learn(struct st_state *s, uint8_t piece, uint8_t rank)
{
    if (s->rank[piece] == ST_HIDDEN && st_is_rank(s, rank))
        s->rank[piece] = rank;
}

/* Has `seat` opened more pieces of a rank than the set has? */
bool st_exceeds(const struct st_state *s, uint8_t seat)
{
    uint8_t count[ST_RANKS] = {0};

    for (size_t slot = 0; slot < ST_SLOTS; slot++) {
        uint8_t rank = s->rank[(size_t)seat * ST_SLOTS + slot];

        if (rank < ST_RANKS && ++count[rank] > st_counts[s->variant][rank])
            return true;
    }
    return false;
}

/* Is as much opened as `m`, allowed but for that, asks for? */
ruling_t st_judge_opened(const struct st_state *s, struct st_move m, uint8_t opened)
{
    if (s->board[m.to] == ST_EMPTY && !st_long(m))
        return opened == ST_NONE ? ALLOWED : st_refuse(s, ST_NEEDLESS);
    if (st_is_rank(s, opened))
        return ALLOWED;
    if (st_rules_of(s)->lakes)
        return ST_UNOPENED_CLASSIC;
    return st_long(m) ? ST_UNOPENED_SCOUT : ST_UNOPENED;
}

static uint64_t standing(const struct st_state *s, uint8_t seat)
{
    uint64_t slots = 0;

    for (size_t slot = 0; slot < ST_SLOTS; slot++)
        if (s->place[(size_t)seat * ST_SLOTS + slot] != ST_NOWHERE)
            slots |= UINT64_C(1) << slot;
    return slots;
}

uint64_t st_asked(const struct st_state *s, uint8_t seat)
{
    if (seat >= ST_SEATS)
        return 0;
    if (s->from == ST_NOWHERE)
        return standing(s, seat);
    return seat == s->turn ? 0 : UINT64_C(1) << st_slot_of(s->board[s->to]);
}

static bool opens(const struct st_state *s, const struct event *event, uint64_t slots)
{
    if (event->size != ST_SLOTS)
        return false;
    for (size_t slot = 0; slot < ST_SLOTS; slot++) {
        uint8_t rank = event->data[slot];

        if (slots >> slot & 1 ? !st_is_rank(s, rank) : rank != ST_NONE)
            return false;
    }
    return true;
}

ruling_t st_judge_open(const struct st_state *s, const struct event *event)
{
    struct awaiting awaiting = st_awaits(s);

    if (!s->blind || (awaiting.what != AWAIT_OPEN && awaiting.what != AWAIT_MOVE))
        return REFUSE_WRONG_TIME;
    if (event->seat >= ST_SEATS || !(awaiting.seats >> event->seat & 1))
        return REFUSE_NOT_YOUR_TURN;
    if (opens(s, event, st_asked(s, event->seat)))
        return ALLOWED;
    return st_refuse(s, s->from == ST_NOWHERE ? ST_INCOMPLETE : ST_UNDEFENDED);
}

ruling_t st_judge_reveal(const struct st_state *s, const struct event *event)
{
    if (!s->blind || s->outcome.reason == REASON_NONE || event->seat >= ST_SEATS ||
        s->revealed >> event->seat & 1 || event->size != ST_SLOTS)
        return REFUSE_WRONG_TIME;
    for (size_t slot = 0; slot < ST_SLOTS; slot++) {
        bool piece = s->rank[(size_t)event->seat * ST_SLOTS + slot] != ST_NONE;
        uint8_t rank = event->data[slot];

        if (rank == ST_NONE || (piece && (rank == ST_HIDDEN || st_is_rank(s, rank))))
            continue;
        return REFUSE_WRONG_TIME;
    }
    return ALLOWED;
}

void st_challenge(struct st_state *s, struct st_move m, struct effects *effects)
{
    struct st_action action = {
        .from = m.from, .to = m.to, .variant = s->variant, .bare = s->combats};

    s->from = m.from;
    s->to = m.to;
    st_tell(effects, ST_CHALLENGE, s->turn, &action);
}

static void defend(struct st_state *s, struct effects *effects)
{
    struct st_move m = {s->from, s->to};

    s->from = s->to = ST_NOWHERE;
    s->fought++;
    st_fight(s, m, effects);
}

/* A claim is of the side to move, and it stays so if the claim fails. */
static void settle_claim(struct st_state *s, bool holds, struct effects *effects)
{
    struct st_action action = {.holds = holds, .variant = s->variant};

    s->claim = 0;
    if (!holds)
        s->fought = 0;
    st_tell(effects, ST_CLAIMED, s->turn, &action);
}

/* The other side has to open too before it is known. */
static void put_claim(struct st_state *s, struct effects *effects)
{
    s->claim = 1;
    st_challenge(s, (struct st_move){ST_NOWHERE, ST_NOWHERE}, effects);
}

static void claim_house(struct st_state *s, struct effects *effects)
{
    if (!st_can_move(s)) { /* ST-14 */
        settle_claim(s, true, effects);
        st_finish(s, REASON_NO_MOVE, NO_SEAT, ST_RULING_ST14);
    } else if (s->fought) { /* ST-13: judged after a combat, and nothing else brings it about */
        put_claim(s, effects);
    } else {
        settle_claim(s, false, effects);
    }
}

/* SC-5 */
static void claim_classic(struct st_state *s, struct effects *effects)
{
    if (st_can_move(s)) {
        settle_claim(s, false, effects);
    } else if (st_has_movable(s, s->turn)) {
        settle_claim(s, true, effects);
        st_finish(s, REASON_NO_MOVE, !s->turn, ST_RULING_SC5);
    } else {
        put_claim(s, effects);
    }
}

/* Both sides have opened all that they have left. */
static void answer(struct st_state *s, struct effects *effects)
{
    bool house = st_rules_of(s)->dead_draw;
    bool holds = house ? st_dead(s) : true;
    uint8_t winner = !house && st_has_movable(s, !s->turn) ? !s->turn : NO_SEAT;

    settle_claim(s, holds, effects);
    if (holds && house) /* ST-13 */
        st_finish(s, REASON_DEAD, winner, ST_RULING_ST13);
    else if (holds) /* SC-5 */
        st_finish(s, REASON_NO_MOVE, winner, ST_RULING_SC5);
}

void st_play_open(struct st_state *s, const struct event *event, struct effects *effects)
{
    for (uint8_t slot = 0; slot < ST_SLOTS; slot++)
        st_learn(s, (uint8_t)(event->seat * ST_SLOTS + slot), event->data[slot]);
    if (s->from != ST_NOWHERE)
        defend(s, effects);
    else if (st_exceeds(s, event->seat)) /* st_play() sees to the rest */
        settle_claim(s, false, effects);
    else if (s->claim)
        answer(s, effects);
    else if (st_rules_of(s)->dead_draw)
        claim_house(s, effects);
    else
        claim_classic(s, effects);
}

void st_play_reveal(struct st_state *s, const struct event *event)
{
    for (uint8_t slot = 0; slot < ST_SLOTS; slot++)
        st_learn(s, (uint8_t)(event->seat * ST_SLOTS + slot), event->data[slot]);
    s->revealed |= (uint8_t)(1 << event->seat);
}
