/* bench_rules [SECONDS]: random plies a second of each game on one core, through match.h as the
 * daemon plays: all moves listed, one drawn by lot, judged and played. Set-ups and deals count
 * as time, not as plies.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "rules/rulesets.h"
#include "tests/support/table.h"

struct tally {
    double seconds;
    unsigned long long plies, games, moves;
};

static double now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void play_game(const struct ruleset *rules, const struct options *options,
                      struct tally *tally)
{
    static uint8_t state[PERFT_STATE_MAX];
    static struct event moves[PERFT_MOVES];
    struct seeded seeded = {tally->games};
    struct effects effects;

    if (!table_open(rules, options, tally->games++, state)) {
        fprintf(stderr, "bench_rules: %s does not begin\n", rules->id);
        exit(1);
    }
    for (unsigned plies = 0; plies < 2000; plies++) {
        size_t count = perft_moves(rules, state, moves, PERFT_MOVES);

        if (count == 0)
            break;
        match_play(rules, state, &moves[seeded_below(&seeded, (uint32_t)count)], &effects);
        perft_chance(rules, state, (uint32_t)seeded_next(&seeded));
        tally->moves += count;
        tally->plies++;
    }
}

static void measure(const struct ruleset *rules, uint8_t variant, double seconds)
{
    struct tally tally = {0};
    struct options options;
    double start = now();

    ruleset_presets(rules, variant, &options);
    while (tally.seconds < seconds) {
        for (int i = 0; i < 8; i++)
            play_game(rules, &options, &tally);
        tally.seconds = now() - start;
    }
    printf("%-10s %-16s %10.0f plies/s %6.1f plies a game %6.1f moves a ply\n", rules->id,
           rules->variants[variant].id, (double)tally.plies / tally.seconds,
           (double)tally.plies / (double)tally.games,
           (double)tally.moves / (double)tally.plies);
}

int main(int argc, char **argv)
{
    double seconds = argc > 1 ? atof(argv[1]) : 2;

    for (size_t i = 0; i < RULESETS; i++)
        for (uint8_t v = 0; v < rulesets[i]->variant_count; v++)
            measure(rulesets[i], v, seconds);
    return 0;
}
