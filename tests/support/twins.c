#include "tests/support/twins.h"

#include <string.h>

#include "rules/engarde/engarde.h"
#include "rules/match.h"
#include "rules/perft.h"
#include "rules/roquefort/roquefort.h"
#include "rules/stratego/stratego.h"
#include "tests/support/table.h"

enum { DEALS_AT_MOST = 10000, SWAPS = 48, MOVES_LISTED = 512, SEEN_MAX = 16384 };

struct space {
    _Alignas(max_align_t) uint8_t state[PERFT_STATE_MAX];
};

/* What an onlooker has seen by the rules. */
struct seen {
    size_t size;
    uint8_t bytes[SEEN_MAX];
};

static void see(struct seen *seen, const void *bytes, size_t size)
{
    if (seen->size + size > SEEN_MAX)
        return;
    memcpy(seen->bytes + seen->size, bytes, size);
    seen->size += size;
}

static void see_byte(struct seen *seen, uint8_t byte)
{
    see(seen, &byte, 1);
}

/* EG-9: a hand that is laid open is opened card by card, by where each lay in the deck. */
static void see_hands(const struct eg_state *s, struct seen *seen)
{
    for (uint8_t i = 0; i < EG_CARDS; i++)
        if (s->place[i] == EG_IN_LEFT_HAND || s->place[i] == EG_IN_RIGHT_HAND) {
            see_byte(seen, i);
            see_byte(seen, s->value[i]);
        }
}

/* EG-1: a hand is its holder's; a card is open once it is played, and both hands by EG-9. */
static void see_engarde(const struct eg_state *s, const struct effect *effect, uint8_t seat,
                        struct seen *seen)
{
    bool ends = effect->type == EG_HIT || effect->type == EG_ROUND_VOID;

    see(seen, effect->data, effect->type == EG_DREW ? 1 : 2);
    if (ends && eg_opens_hands(effect->data[EG_DATA_RULING]))
        see_hands(s, seen);
    if (effect->type == EG_DREW && effect->seat == seat)
        see(seen, s->value + effect->data[1], effect->data[0]);
    if (effect->type == EG_ROUND_STARTED && seat != NO_SEAT)
        see(seen, s->value + seat * EG_HAND, EG_HAND);
}

/* ST-11, SC-4: where and how it ended is for all; ranks for those who fought, as far as shown.
 */
static void see_stratego(const struct effect *effect, uint8_t seat, struct seen *seen)
{
    struct st_action action;

    memcpy(&action, effect->data, sizeof action);
    see_byte(seen, action.from);
    see_byte(seen, action.to);
    if (effect->type != ST_COMBAT)
        return;
    see_byte(seen, action.outcome);
    if (seat == effect->seat)
        see_byte(seen, action.rank[1]);
    else if (seat != NO_SEAT && action.both)
        see_byte(seen, action.rank[0]);
}

/* Which tile goes where is for all; what is on it is seen by looking at it. */
static void see_roquefort(const struct effect *effect, struct seen *seen)
{
    see(seen, effect->data, effect->type == RQ_SHIFTED ? 4 : EFFECT_DATA_MAX);
}

/* All faces that have ever been seen. */
static void see_tiles(const struct rq_state *s, struct seen *seen)
{
    for (unsigned tile = 0; tile < RQ_TILES; tile++)
        see_byte(seen, s->seen >> tile & 1 ? s->face[tile] : RQ_UNKNOWN);
}

/* What can be seen now: the squares without a roof, the spare, and what the last shift lit. */
static void see_castle(const struct rq_state *s, struct seen *seen)
{
    for (unsigned square = 0; square < RQ_SQUARES; square++)
        if (s->open & rq_bit(square) && rq_place[square] != RQ_NO_SQUARE)
            see_byte(seen, s->face[s->tile[rq_place[square]]]);
    see_byte(seen, s->face[s->tile[RQ_SPARE]]);
    for (size_t i = 0; i < RQ_SIDE; i++)
        if (s->lit[i] != RQ_NO_SQUARE)
            see_byte(seen, s->face[s->lit[i]]);
}

static void see_event(const struct ruleset *rules, const void *state, const struct event *event,
                      const struct effects *effects, struct onlooker onlooker,
                      struct seen *seen)
{
    struct awaiting awaiting = rules->awaits(state);

    see_byte(seen, awaiting.what);
    see_byte(seen, awaiting.seats);
    if (event->kind == EVENT_SETUP && event->seat == onlooker.seat)
        see(seen, event->data, ST_SLOTS);
    for (size_t i = 0; i < effects->count; i++) {
        const struct effect *effect = &effects->list[i];
        see_byte(seen, effect->type);
        see_byte(seen, effect->seat);
        if (rules == &eg_ruleset)
            see_engarde(state, effect, onlooker.seat, seen);
        else if (rules == &st_ruleset)
            see_stratego(effect, onlooker.seat, seen);
        else
            see_roquefort(effect, seen);
    }
    if (rules == &rq_ruleset && !onlooker.late)
        see_tiles(state, seen);
}

/* Plays the plan before an onlooker; false if it is not possible, or as soon as he sees
 * anything else than in `like` (NULL: whatever he sees). */
static bool show(const struct plan *plan, struct onlooker onlooker, const struct seen *like,
                 struct seen *ret_seen)
{
    struct effects effects;
    struct space space;

    ret_seen->size = 0;
    plan->rules->begin(space.state, &plan->options);
    for (size_t i = 0; i < plan->count; i++) {
        if (match_judge(plan->rules, space.state, &plan->events[i]) != ALLOWED)
            return false;
        match_play(plan->rules, space.state, &plan->events[i], &effects);
        size_t before = ret_seen->size;
        see_event(plan->rules, space.state, &plan->events[i], &effects, onlooker, ret_seen);
        if (like && (ret_seen->size > like->size ||
                     memcmp(ret_seen->bytes + before, like->bytes + before,
                            ret_seen->size - before) != 0))
            return false;
    }
    if (plan->rules == &rq_ruleset)
        see_castle((const void *)space.state, ret_seen);
    return !like || (ret_seen->size == like->size &&
                     memcmp(ret_seen->bytes, like->bytes, like->size) == 0);
}

static bool add_deal(struct plan *plan, const void *state, uint8_t cards, struct seeded *seeded)
{
    struct event *event = &plan->events[plan->count];

    for (int i = 0; i < DEALS_AT_MOST; i++) {
        *event = (struct event){.kind = EVENT_DEAL, .seat = NO_SEAT, .size = cards, .tries = 1};
        seeded_permutation(seeded, event->data, cards);
        if (match_judge(plan->rules, state, event) == ALLOWED)
            return true;
    }
    return false;
}

static uint8_t one_of(uint8_t seats, struct seeded *seeded)
{
    for (;;) {
        uint8_t seat = (uint8_t)seeded_below(seeded, SEATS_MAX);
        if (seats >> seat & 1)
            return seat;
    }
}

/* The next event, not yet counted; false if there is none. */
static bool add_event(struct plan *plan, const void *state, struct seeded *seeded)
{
    static struct event moves[MOVES_LISTED];
    struct awaiting awaiting = plan->rules->awaits(state);
    struct event *event = &plan->events[plan->count];

    if (awaiting.what == AWAIT_DEAL)
        return add_deal(plan, state, awaiting.cards, seeded);
    if (awaiting.what == AWAIT_LOT) {
        *event = (struct event){.kind = EVENT_LOT, .seat = NO_SEAT, .size = 1};
        event->data[0] = one_of(awaiting.seats, seeded);
        return true;
    }
    if (awaiting.what == AWAIT_SETUP) {
        *event = table_setup(plan->options.variant, one_of(awaiting.seats & 3, seeded), seeded);
        return true;
    }
    size_t count = perft_moves(plan->rules, state, moves, MOVES_LISTED);
    if (!count)
        return false;
    *event = moves[seeded_below(seeded, (uint32_t)count)];
    return true;
}

void plan_make(struct plan *plan, const struct ruleset *rules, const struct options *options,
               size_t moves, struct seeded *seeded)
{
    struct effects effects;
    struct space space;
    size_t whole = 0; /* up to here it waits for a move */

    *plan = (struct plan){.rules = rules, .options = *options};
    rules->begin(space.state, options);
    while (plan->count < PLAN_EVENTS) {
        bool moving = rules->awaits(space.state).what == AWAIT_MOVE;
        if (moving)
            whole = plan->count;
        if ((moving && !moves) || !add_event(plan, space.state, seeded))
            break;
        moves -= moving;
        match_play(rules, space.state, &plan->events[plan->count], &effects);
        if (rules->result(space.state).reason != REASON_NONE)
            break;
        plan->count++;
    }
    plan->count = whole;
}

/* Kinds that are alike make no difference. */
static uint8_t kind_of(const struct plan *plan, uint8_t byte)
{
    if (plan->rules == &eg_ruleset)
        return byte / EG_EACH;
    if (plan->rules == &rq_ruleset) /* cheeses by threes, ten blanks, three trapdoors */
        return byte < 21 ? byte / 3 : byte < 31 ? 7 : 8;
    return byte;
}

/* Swaps two faces of one deal or set-up; false if they are alike. */
static bool swap(struct plan *plan, struct seeded *seeded)
{
    struct event *event;

    do
        event = &plan->events[seeded_below(seeded, (uint32_t)plan->count)];
    while (event->kind != EVENT_DEAL && event->kind != EVENT_SETUP);
    uint8_t size = event->kind == EVENT_SETUP ? ST_SLOTS : event->size;
    uint8_t *one = &event->data[seeded_below(seeded, size)];
    uint8_t *other = &event->data[seeded_below(seeded, size)], kept = *one;
    if (kind_of(plan, *one) == kind_of(plan, *other))
        return false;
    if (event->kind == EVENT_SETUP && (*one == ST_NONE || *other == ST_NONE))
        return false; /* where something stands is for all to see */
    *one = *other;
    *other = kept;
    return true;
}

size_t plan_twin(const struct plan *plan, struct onlooker onlooker, struct seeded *seeded,
                 struct plan *ret_twin)
{
    static struct seen first, second;
    struct plan tried;
    size_t made = 0;

    *ret_twin = *plan;
    if (!plan->count || !show(plan, onlooker, NULL, &first))
        return 0;
    for (int i = 0; i < SWAPS; i++) {
        tried = *ret_twin;
        if (!swap(&tried, seeded) || !show(&tried, onlooker, &first, &second))
            continue;
        *ret_twin = tried;
        made++;
    }
    return made;
}
