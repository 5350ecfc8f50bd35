/* A game small enough to know all of it: nim, for tests of what drives games.
 *
 * A deal of 3 settles the heap (5 + its first number), a lot who begins; each then takes one to
 * three; who takes the last has won. The state is plain data like that of the real games.
 */
#ifndef TESTS_SUPPORT_NIM_H
#define TESTS_SUPPORT_NIM_H

#include <string.h>

#include "rules/ruleset.h"

enum { NIM_TOO_MANY = REFUSALS_COMMON, NIM_BAD_DEAL, NIM_IMPOSSIBLE, NIM_REFUSALS };

struct nim {
    struct outcome outcome;
    uint8_t dealt, begun, heap, turn;
};

static inline void nim_begin(void *ret_state, const struct options *options)
{
    (void)options;
    memset(ret_state, 0, sizeof(struct nim));
}

static inline struct outcome nim_result(const void *state)
{
    return ((const struct nim *)state)->outcome;
}

static inline struct awaiting nim_awaits(const void *state)
{
    const struct nim *s = state;

    if (s->outcome.reason != REASON_NONE)
        return (struct awaiting){0};
    if (!s->dealt)
        return (struct awaiting){.what = AWAIT_DEAL, .cards = 3};
    if (!s->begun)
        return (struct awaiting){.what = AWAIT_LOT, .seats = 3};
    return (struct awaiting){.what = AWAIT_MOVE, .seats = (uint8_t)(1 << s->turn)};
}

static inline ruling_t nim_judge(const void *state, const struct event *event)
{
    const struct nim *s = state;

    if (event->kind == EVENT_DEAL)
        return event->data[0] < 3 ? ALLOWED : NIM_BAD_DEAL;
    if (event->kind == EVENT_LOT)
        return ALLOWED;
    return event->data[0] >= 1 && event->data[0] <= 3 && event->data[0] <= s->heap
               ? ALLOWED
               : NIM_TOO_MANY;
}

static inline void nim_play(void *state, const struct event *event, struct effects *ret_effects)
{
    struct nim *s = state;

    effects_add(ret_effects, event->kind, event->seat)->data[0] = event->data[0];
    if (event->kind == EVENT_DEAL) {
        s->dealt = 1;
        s->heap = (uint8_t)(5 + event->data[0]);
        return;
    }
    if (event->kind == EVENT_LOT) {
        s->begun = 1;
        s->turn = event->data[0];
        return;
    }
    s->heap = (uint8_t)(s->heap - event->data[0]);
    if (s->heap == 0)
        s->outcome = (struct outcome){.reason = REASON_HITS, .winner = s->turn};
    s->turn = !s->turn;
}

static inline size_t nim_legal(const void *state, uint8_t seat, struct event *out, size_t max)
{
    const struct nim *s = state;
    size_t count = 0;

    for (uint8_t n = 1; n <= 3 && n <= s->heap && count < max; n++)
        out[count++] = (struct event){.kind = EVENT_MOVE, .seat = seat, .size = 1, .data = {n}};
    return count;
}

static inline void nim_observe(const void *state, uint8_t seat, void *ret_view)
{
    (void)seat;
    memcpy(ret_view, state, sizeof(struct nim));
}

static inline ruling_t nim_check(const void *state)
{
    return ((const struct nim *)state)->heap <= 7 ? ALLOWED : NIM_IMPOSSIBLE;
}

static const struct ruleset nim_ruleset = {
    .id = "nim",
    .seats_min = 2,
    .seats_max = 2,
    .state_size = sizeof(struct nim),
    .view_size = sizeof(struct nim),
    .begin = nim_begin,
    .awaits = nim_awaits,
    .judge = nim_judge,
    .play = nim_play,
    .legal = nim_legal,
    .observe = nim_observe,
    .check = nim_check,
    .result = nim_result,
};

/* Nim with `heap` left and seat 0 to move. */
static inline struct nim nim_at(uint8_t heap)
{
    return (struct nim){.dealt = 1, .begun = 1, .heap = heap};
}

#endif
