#include "rules/match.h"

#include <assert.h>
#include <string.h>

static const uint8_t kind_awaited[EVENT_KINDS] = {
    [EVENT_LOT] = AWAIT_LOT,
    [EVENT_DEAL] = AWAIT_DEAL,
    [EVENT_SETUP] = AWAIT_SETUP,
    [EVENT_MOVE] = AWAIT_MOVE,
};

static bool among(uint8_t seats, uint8_t seat)
{
    return seat < SEATS_MAX && (seats >> seat & 1);
}

static ruling_t judge_awaited(const struct ruleset *rules, const void *state,
                              const struct event *event)
{
    struct awaiting awaiting = rules->awaits(state);

    if (kind_awaited[event->kind] != awaiting.what)
        return REFUSE_WRONG_TIME;
    if (event->kind == EVENT_LOT)
        return among(awaiting.seats, event->data[0]) ? ALLOWED : REFUSE_WRONG_TIME;
    if (event->kind != EVENT_DEAL && !among(awaiting.seats, event->seat))
        return REFUSE_NOT_YOUR_TURN;
    return rules->judge(state, event);
}

static ruling_t judge_ending(const struct ruleset *rules, const void *state,
                             const struct event *event)
{
    if (event->kind == EVENT_AGREE)
        return ALLOWED;
    if (rules->drops_out)
        return rules->judge(state, event);
    return event->seat < rules->seats_max ? ALLOWED : REFUSE_NOT_YOUR_TURN;
}

ruling_t match_judge(const struct ruleset *rules, const void *state, const struct event *event)
{
    if (event->kind >= EVENT_KINDS || event->size > EVENT_DATA_MAX)
        return REFUSE_WRONG_TIME;
    if (rules->result(state).reason != REASON_NONE)
        return REFUSE_GAME_OVER;
    if (event->kind < EVENT_RESIGN)
        return judge_awaited(rules, state, event);
    return judge_ending(rules, state, event);
}

void match_play(const struct ruleset *rules, void *state, const struct event *event,
                struct effects *ret_effects)
{
    struct outcome outcome = {.winner = NO_SEAT};

    assert(match_judge(rules, state, event) == ALLOWED);
    ret_effects->count = 0;
    if (event->kind < EVENT_RESIGN || (event->kind != EVENT_AGREE && rules->drops_out)) {
        rules->play(state, event, ret_effects);
        return;
    }
    outcome.reason = event->kind == EVENT_AGREE    ? REASON_AGREED
                     : event->kind == EVENT_RESIGN ? REASON_RESIGNED
                                                   : REASON_TIME;
    if (event->kind != EVENT_AGREE)
        outcome.winner = !event->seat;
    memcpy(state, &outcome, sizeof outcome);
}

struct effect *effects_add(struct effects *effects, uint8_t type, uint8_t seat)
{
    assert(effects->count < EFFECTS_MAX);
    struct effect *effect = &effects->list[effects->count++];
    *effect = (struct effect){.type = type, .seat = seat};
    return effect;
}
