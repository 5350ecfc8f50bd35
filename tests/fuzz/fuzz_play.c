/* Fuzzes the rules: any bytes as events. judge() is total, what it allows can be played, every
 * state stays possible, and the list of moves is exactly what it allows.
 */
#include <stdlib.h>
#include <string.h>

#include "rules/rulesets.h"
#include "tests/support/table.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct bytes {
    const uint8_t *data;
    size_t size;
};

static uint8_t take(struct bytes *in)
{
    if (!in->size)
        return 0;
    in->size--;
    return *in->data++;
}

/* Options within their bounds: what api/ guarantees. */
static struct options choose(const struct ruleset *rules, struct bytes *in)
{
    struct options options;

    ruleset_presets(rules, take(in) % (uint8_t)rules->variant_count, &options);
    options.players =
        (uint8_t)(rules->seats_min + take(in) % (rules->seats_max - rules->seats_min + 1));
    for (size_t i = 0; i < rules->option_count; i++) {
        const struct option *option = &rules->options[i];
        int range = option->max - option->min + 1;
        uint8_t lot = take(in);

        if (lot % 2 && option->kind != OPTION_PLATE &&
            (option->variants >> options.variant & 1))
            options.value[i] = (int16_t)(option->min + lot / 2 % range);
    }
    return options;
}

static struct event any_event(struct bytes *in)
{
    struct event event = {.kind = take(in) % (EVENT_KINDS + 1), .seat = take(in), .tries = 1};

    event.size = take(in);
    for (size_t i = 0; i < EVENT_DATA_MAX && i < event.size; i++)
        event.data[i] = take(in);
    return event;
}

/* Does what `event` does to `state` stand in the list? A move may be written in several ways.
 */
static bool listed(const struct ruleset *rules, const uint8_t *state, const struct event *event,
                   const struct event *moves, size_t count)
{
    static uint8_t by_event[PERFT_STATE_MAX], by_move[PERFT_STATE_MAX];
    struct effects effects;

    memcpy(by_event, state, rules->state_size);
    match_play(rules, by_event, event, &effects);
    for (size_t i = 0; i < count; i++) {
        memcpy(by_move, state, rules->state_size);
        match_play(rules, by_move, &moves[i], &effects);
        if (!memcmp(by_event, by_move, rules->state_size))
            return true;
    }
    return false;
}

/* A whole move of the seat on turn, every byte of it from the input. */
static struct event any_move(const struct event *like, struct bytes *in)
{
    struct event event = *like;

    for (size_t i = 0; i < event.size; i++)
        event.data[i] = take(in);
    return event;
}

static void look(const struct ruleset *rules, const uint8_t *state)
{
    static uint8_t view[16384];

    if (rules->awaits(state).what == AWAIT_MOVE && rules->check(state) != ALLOWED)
        abort();
    for (uint8_t seat = 0; seat <= rules->seats_max; seat++)
        rules->observe(state, seat < rules->seats_max ? seat : NO_SEAT, view);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static uint8_t state[PERFT_STATE_MAX];
    static struct event moves[PERFT_MOVES];
    struct bytes in = {data, size};
    const struct ruleset *rules = rulesets[take(&in) % ruleset_count];
    struct options options = choose(rules, &in);
    struct effects effects;

    if (!table_open(rules, &options, take(&in), state))
        abort();
    while (in.size) {
        size_t count = perft_moves(rules, state, moves, PERFT_MOVES);
        uint8_t lot = take(&in);
        struct event event;

        if (lot % 4 == 0)
            event = any_event(&in);
        else if (lot % 4 == 1 && count)
            event = any_move(moves, &in);
        else if (count)
            event = moves[take(&in) % count];
        else
            event = any_event(&in);
        if (lot % 4 >= 2 && count && match_judge(rules, state, &event) != ALLOWED)
            abort();
        if (match_judge(rules, state, &event) != ALLOWED)
            continue;
        if (event.kind == EVENT_MOVE && !listed(rules, state, &event, moves, count))
            abort();
        match_play(rules, state, &event, &effects);
        if (!perft_chance(rules, state, lot))
            abort();
        look(rules, state);
    }
    return 0;
}
