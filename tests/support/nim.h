/* A game small enough to know all of it: nim, for tests of what drives games.
 *
 * A deal of 3 settles the heap (5 + its first number), a lot who begins; each then takes one to
 * three; who takes the last has won. What else was dealt stays hidden to the end. The state is
 * plain data like that of the real games. tests/api/fourth.c plays it by way of the interface,
 * docs/new-game.md says what a game needs besides.
 */
#ifndef TESTS_SUPPORT_NIM_H
#define TESTS_SUPPORT_NIM_H

#include <string.h>

#include "rules/ruleset.h"

enum { NIM_TOO_MANY = REFUSALS_COMMON, NIM_BAD_DEAL, NIM_IMPOSSIBLE, NIM_REFUSALS };
enum { NIM_1 = 1, NIM_2, NIM_3, NIM_RULINGS };
enum { NIM_DEALT = 3 };

struct nim {
    struct outcome outcome;
    uint8_t dealt, begun, heap, turn;
    uint8_t order[NIM_DEALT];
};

/* Both players and all others know the same. */
struct nim_view {
    uint8_t heap, turn; /* turn NO_SEAT: nobody's */
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

    if (event->kind == EVENT_DEAL) {
        s->dealt = 1;
        memcpy(s->order, event->data, NIM_DEALT);
        s->heap = (uint8_t)(5 + event->data[0]);
        return;
    }
    if (event->kind == EVENT_LOT) {
        s->begun = 1;
        s->turn = event->data[0];
        return;
    }
    effects_add(ret_effects, event->kind, event->seat)->data[0] = event->data[0];
    s->heap = (uint8_t)(s->heap - event->data[0]);
    if (s->heap == 0)
        s->outcome = (struct outcome){REASON_HITS, s->turn, NIM_3};
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
    const struct nim *s = state;

    (void)seat;
    *(struct nim_view *)ret_view =
        (struct nim_view){s->heap, s->begun && !s->outcome.reason ? s->turn : NO_SEAT};
}

static inline ruling_t nim_check(const void *state)
{
    return ((const struct nim *)state)->heap <= 7 ? ALLOWED : NIM_IMPOSSIBLE;
}

static const char *const nim_seats[] = {"first", "second"};
static const struct variant nim_variants[] = {{"three", {"One to three", "Jedna až tři"}}};
static const struct ruling nim_rulings[NIM_RULINGS] = {
    [NIM_1] = {"NM-1", {"The heap has five to seven.", "Hromádka má pět až sedm."}, 1},
    [NIM_2] = {"NM-2", {"Each takes one to three.", "Bere se jedna až tři."}, 1},
    [NIM_3] = {"NM-3", {"Who takes the last wins.", "Kdo bere poslední, vyhrává."}, 1},
};
static const struct refusal nim_refusals[NIM_REFUSALS] = {
#define REFUSAL(name, ruling, code, english, czech) [name] = {ruling, code, {english, czech}},
#include "rules/refusals.def"
#undef REFUSAL
    [NIM_TOO_MANY] = {"NM-2", "too_many", {"Take one to three.", "Vezměte jednu až tři."}},
    [NIM_BAD_DEAL] = {"NM-1", "bad_deal", {"No such deal.", "Tak se nerozdává."}},
    [NIM_IMPOSSIBLE] = {"NM-1", "impossible_state", {"More than seven.", "Víc než sedm."}},
};

static inline const struct refusal *nim_name(ruling_t ruling)
{
    return &nim_refusals[ruling];
}

static const struct ruleset nim_ruleset = {
    .id = "nim",
    .title = {"Nim", "Nim"},
    .seats = nim_seats,
    .seats_min = 2,
    .seats_max = 2,
    .custodies = 1 << CUSTODY_REFEREE,
    .turn_ruling = "NM-2",
    .variants = nim_variants,
    .variant_count = 1,
    .rulings = nim_rulings,
    .ruling_count = NIM_RULINGS,
    .refusals = nim_refusals,
    .refusal_count = NIM_REFUSALS,
    .state_size = sizeof(struct nim),
    .view_size = sizeof(struct nim_view),
    .begin = nim_begin,
    .awaits = nim_awaits,
    .judge = nim_judge,
    .play = nim_play,
    .legal = nim_legal,
    .observe = nim_observe,
    .check = nim_check,
    .result = nim_result,
    .name = nim_name,
};

/* Nim with `heap` left and seat 0 to move. */
static inline struct nim nim_at(uint8_t heap)
{
    return (struct nim){.dealt = 1, .begun = 1, .heap = heap};
}

#endif
