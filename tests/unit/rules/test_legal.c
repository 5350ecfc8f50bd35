/* legal() of all games, variants and custodies without players' secrets: what `max` promises,
 * and that a listed event says nothing but its move. */
#include "rules/rulesets.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "tests/support/table.h"

enum { GAMES = 12, PLIES = 160 };

static uint8_t state[PERFT_STATE_MAX];
static struct event moves[PERFT_MOVES], some[PERFT_MOVES];

/* Of a list cut off at `max` the beginning is left; what is behind it is not touched. */
static void cut_off(const struct ruleset *rules, uint8_t seat, size_t count, size_t max)
{
    size_t kept = count < max ? count : max;
    struct event untouched;

    memset(&untouched, 0xa5, sizeof untouched);
    memset(some, 0xa5, sizeof some);
    assert_int_equal(rules->legal(state, seat, some, max), kept);
    assert_memory_equal(some, moves, kept * sizeof *some);
    assert_memory_equal(&some[kept], &untouched, sizeof untouched);
}

static void only_a_move(const struct event *event, uint8_t seat)
{
    assert_int_equal(event->kind, EVENT_MOVE);
    assert_int_equal(event->seat, seat);
    assert_int_equal(event->tries, 0);
    for (size_t i = event->size; i < EVENT_DATA_MAX; i++)
        assert_int_equal(event->data[i], 0);
}

/* Plays one of `count` moves; at a table some want faces told, and the next is taken. */
static void play_one(const struct ruleset *rules, size_t count, struct seeded *seeded)
{
    size_t at = seeded_below(seeded, (uint32_t)count);
    struct effects effects;

    for (size_t i = 0; i < count; i++, at = (at + 1) % count) {
        if (match_judge(rules, state, &moves[at]) != ALLOWED)
            continue;
        match_play(rules, state, &moves[at], &effects);
        return;
    }
    fail_msg("%s: nothing to play", rules->id);
}

static bool look(const struct ruleset *rules, struct seeded *seeded)
{
    struct awaiting awaiting = rules->awaits(state);

    for (uint8_t seat = 0; seat < SEATS_MAX; seat++) {
        if (awaiting.what != AWAIT_MOVE || !(awaiting.seats >> seat & 1))
            continue;
        size_t count = rules->legal(state, seat, moves, PERFT_MOVES - 1);

        assert_in_range(count, 1, PERFT_MOVES - 2);
        for (size_t i = 0; i < count; i++)
            only_a_move(&moves[i], seat);
        for (size_t max = 0; max < 4; max++)
            cut_off(rules, seat, count, max);
        cut_off(rules, seat, count, count - 1);
        cut_off(rules, seat, count, count);
        cut_off(rules, seat, count, count + 1);
        play_one(rules, count, seeded);
        return perft_chance(rules, state, (uint32_t)seeded_next(seeded));
    }
    return false;
}

static void look_at_games(const struct ruleset *rules, const struct options *options)
{
    for (uint64_t seed = 0; seed < GAMES; seed++) {
        struct seeded seeded = {seed};

        assert_true(table_open(rules, options, seed, state));
        for (unsigned plies = 0; plies < PLIES && look(rules, &seeded); plies++)
            continue;
    }
}

static void lists_keep_to_their_room(void **unused)
{
    struct options options;

    (void)unused;
    for (size_t i = 0; i < ruleset_count; i++)
        for (uint8_t v = 0; v < rulesets[i]->variant_count; v++) {
            ruleset_presets(rulesets[i], v, &options);
            look_at_games(rulesets[i], &options);
            if (!(rulesets[i]->custodies >> CUSTODY_TABLE & 1))
                continue;
            options.custody = CUSTODY_TABLE;
            look_at_games(rulesets[i], &options);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(lists_keep_to_their_room)};

    return cmocka_run_group_tests_name("legal", tests, NULL, NULL);
}
