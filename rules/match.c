#include "rules/match.h"

#include <assert.h>
#include <string.h>

static const uint8_t kind_awaited[EVENT_KINDS] = {
    [EVENT_LOT] = AWAIT_LOT,   [EVENT_DEAL] = AWAIT_DEAL, [EVENT_SETUP] = AWAIT_SETUP,
    [EVENT_MOVE] = AWAIT_MOVE, [EVENT_OPEN] = AWAIT_OPEN,
};

static bool among(uint8_t seats, uint8_t seat)
{
    return seat < SEATS_MAX && (seats >> seat & 1);
}

static ruling_t judge_awaited(const struct ruleset *rules, const void *state,
                              const struct event *event)
{
    struct awaiting awaiting = rules->awaits(state);

    bool claim = event->kind == EVENT_OPEN && awaiting.what == AWAIT_MOVE; /* ST-13 ST-14 */

    if (kind_awaited[event->kind] != awaiting.what && !claim)
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

/* Resignation, time and agreement: alike in all games, unless seats drop out of one. */
static bool ends(const struct event *event)
{
    return event->kind == EVENT_RESIGN || event->kind == EVENT_TIMEOUT ||
           event->kind == EVENT_AGREE;
}

static ruling_t judge_result(const struct ruleset *rules, const struct event *event)
{
    bool nobody = event->data[1] == NO_SEAT;
    bool known = event->data[0] > REASON_NONE && event->data[0] < REASONS;

    return known && (nobody || event->data[1] < rules->seats_max) ? ALLOWED : REFUSE_WRONG_TIME;
}

ruling_t match_judge(const struct ruleset *rules, const void *state, const struct event *event)
{
    /* A state begins with its outcome. */
    bool over = ((const struct outcome *)state)->reason != REASON_NONE;

    if (event->kind >= EVENT_KINDS || event->size > EVENT_DATA_MAX)
        return REFUSE_WRONG_TIME;
    if (event->kind == EVENT_RESULT)
        return judge_result(rules, event);
    if (event->kind == EVENT_REVEAL)
        return over ? rules->judge(state, event) : REFUSE_WRONG_TIME;
    if (over)
        return REFUSE_GAME_OVER;
    return ends(event) ? judge_ending(rules, state, event) : judge_awaited(rules, state, event);
}

static struct outcome outcome_of(const struct event *event)
{
    struct outcome outcome = {.winner = NO_SEAT};

    if (event->kind == EVENT_RESULT) {
        outcome.reason = event->data[0];
        outcome.winner = event->data[1];
        return outcome;
    }
    outcome.reason = event->kind == EVENT_AGREE    ? REASON_AGREED
                     : event->kind == EVENT_RESIGN ? REASON_RESIGNED
                                                   : REASON_TIME;
    if (event->kind != EVENT_AGREE)
        outcome.winner = !event->seat;
    return outcome;
}

void match_play(const struct ruleset *rules, void *state, const struct event *event,
                struct effects *ret_effects)
{
    assert(match_judge(rules, state, event) == ALLOWED);
    ret_effects->count = 0;
    bool common = event->kind == EVENT_AGREE || event->kind == EVENT_RESULT ||
                  (ends(event) && !rules->drops_out);
    if (!common) {
        rules->play(state, event, ret_effects);
        return;
    }
    struct outcome outcome = outcome_of(event);
    memcpy(state, &outcome, sizeof outcome);
}

struct effect *effects_add(struct effects *effects, uint8_t type, uint8_t seat)
{
    assert(effects->count < EFFECTS_MAX);
    struct effect *effect = &effects->list[effects->count++];
    *effect = (struct effect){.type = type, .seat = seat};
    return effect;
}
