#include "rules/perft.h"

#include "rules/match.h"

#include <assert.h>
#include <string.h>

static uint32_t next(uint32_t *chance)
{
    *chance = *chance * 1664525u + 1013904223u;
    return *chance >> 8;
}

static void shuffle(uint8_t *bytes, size_t count, uint32_t *chance)
{
    for (size_t i = 0; i < count; i++)
        bytes[i] = (uint8_t)i;
    for (size_t i = count; i > 1; i--) {
        size_t j = next(chance) % (uint32_t)i;
        uint8_t kept = bytes[i - 1];

        bytes[i - 1] = bytes[j];
        bytes[j] = kept;
    }
}

static bool deal(const struct ruleset *rules, void *state, uint8_t cards, uint32_t *chance)
{
    struct event event = {.kind = EVENT_DEAL, .seat = NO_SEAT, .size = cards};
    struct effects effects;

    for (uint16_t tries = 1; tries <= PERFT_TRIES; tries++) {
        event.tries = tries;
        shuffle(event.data, cards, chance);
        if (match_judge(rules, state, &event) != ALLOWED)
            continue;
        match_play(rules, state, &event, &effects);
        return true;
    }
    return false;
}

/* Among `seats`, of which there must be one below SEATS_MAX. */
static void lot(const struct ruleset *rules, void *state, uint8_t seats, uint32_t *chance)
{
    struct event event = {.kind = EVENT_LOT, .seat = NO_SEAT, .size = 1};
    struct effects effects;

    do
        event.data[0] = (uint8_t)(next(chance) % SEATS_MAX);
    while (!(seats >> event.data[0] & 1));
    match_play(rules, state, &event, &effects);
}

bool perft_chance(const struct ruleset *rules, void *state, uint32_t salt)
{
    uint32_t chance = salt * 2654435761u + 1;

    for (;;) {
        struct awaiting awaiting = rules->awaits(state);

        if (awaiting.what == AWAIT_DEAL) {
            if (!deal(rules, state, awaiting.cards, &chance))
                return false;
        } else if (awaiting.what == AWAIT_LOT) {
            if (!(awaiting.seats % (1 << SEATS_MAX)))
                return false;
            lot(rules, state, awaiting.seats, &chance);
        } else {
            return true;
        }
    }
}

size_t perft_moves(const struct ruleset *rules, const void *state, struct event *out,
                   size_t max)
{
    /* By set of seats, the lowest: one round of the loop as a rule, whoever is on turn. */
    static const uint8_t lowest[1 << SEATS_MAX] = {0, 0, 1, 0, 2, 0, 1, 0,
                                                   3, 0, 1, 0, 2, 0, 1, 0};
    struct awaiting awaiting = rules->awaits(state);
    size_t count = 0;

    if (awaiting.what != AWAIT_MOVE)
        return 0;
    for (unsigned left = awaiting.seats % (1 << SEATS_MAX); left; left &= left - 1)
        count += rules->legal(state, lowest[left], out + count, max - count);
    return count;
}

static bool same(const struct event *a, const struct event *b)
{
    return a->kind == b->kind && a->seat == b->seat && a->size == b->size &&
           !memcmp(a->data, b->data, a->size);
}

static bool repeated(const struct perft_level *level, size_t i)
{
    for (size_t j = 0; j < i; j++)
        if (same(&level->moves[i], &level->moves[j]))
            return true;
    return false;
}

/* Lists the moves of the level's state, looks at each, and counts the faults. */
static uint64_t enter(const struct ruleset *rules, struct perft_level *level)
{
    uint64_t wrong = rules->check(level->state) != ALLOWED;

    level->next = 0;
    level->count = perft_moves(rules, level->state, level->moves, PERFT_MOVES);
    /* Nothing to do in a game that goes on, or a list that was cut off. */
    if (rules->awaits(level->state).what == AWAIT_MOVE)
        wrong += level->count == 0 || level->count == PERFT_MOVES;
    for (size_t i = 0; i < level->count; i++)
        wrong +=
            match_judge(rules, level->state, &level->moves[i]) != ALLOWED || repeated(level, i);
    return wrong;
}

/* Makes the next level's state by the next move; false if chance could not be answered. */
static bool descend(const struct ruleset *rules, struct perft_level *level, size_t depth_left)
{
    struct effects effects;

    memcpy(level[1].state, level->state, rules->state_size);
    match_play(rules, level[1].state, &level->moves[level->next++], &effects);
    return perft_chance(rules, level[1].state, (uint32_t)depth_left);
}

struct perft_counts perft(const struct ruleset *rules, const void *state, size_t depth,
                          struct perft_level *levels)
{
    struct perft_counts counts = {0};
    struct perft_level *level = levels;

    assert(rules->state_size <= PERFT_STATE_MAX);
    memcpy(level->state, state, rules->state_size);
    counts.wrong += !perft_chance(rules, level->state, (uint32_t)depth + 1);
    counts.wrong += enter(rules, level);
    for (;;) {
        size_t done = (size_t)(level - levels);
        bool over = rules->result(level->state).reason != REASON_NONE;

        if (level->next == 0 && over)
            counts.ended++;
        if (level->next == 0 && done == depth)
            counts.lines++;
        if (over || done == depth || level->next == level->count) {
            if (level == levels)
                return counts;
            level--;
            continue;
        }
        /* A refused move is counted already and cannot be played. */
        if (match_judge(rules, level->state, &level->moves[level->next]) != ALLOWED) {
            level->next++;
            continue;
        }
        counts.moves++;
        counts.wrong += !descend(rules, level, depth - done);
        counts.wrong += enter(rules, ++level);
    }
}
