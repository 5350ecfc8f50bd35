/* bench_rules [--check] [--tsv] [SECONDS [VARIANT]]: random plies a second of the rules alone.
 *
 * A ply is what the referee does for a move, through match.h as api/ does it: the list of all
 * legal moves, one of them drawn by lot, judged, and played (match_play() asserts the verdict,
 * which is a second judging, as it is in the daemon), and then the chance that the state waits
 * for, if any. Set-ups, lots and deals count as time, not as plies. Games differ by their seed;
 * one that does not end is left after PLIES_MAX. Time is that of the processor, on one core.
 *
 * --check: exit 1 if any variant falls short of its game's target. --tsv: rows for the table of
 * tests/bench/run.sh. SECONDS is how long each variant runs, 1 if not given; at 0 it plays the
 * first GAMES games, so that an instruction counter sees the same each time.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "rules/rulesets.h"
#include "tests/support/table.h"

enum { GAMES = 64, PLIES_MAX = 2000 };

/* Plies a second that every variant of a game is to reach, and those to reach for. */
static const struct goal {
    const char *game;
    double target, stretch;
} goals[] = {
    {"engarde", 5e6, 10e6},
    {"roquefort", 1e6, 3e6},
    {"stratego", 1.5e6, 3e6},
};

struct tally {
    double seconds;
    unsigned long long plies, games, moves;
};

static double now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static _Noreturn void fail(const char *game, const char *what)
{
    fprintf(stderr, "bench_rules: %s: %s\n", game, what);
    exit(2);
}

static void play_game(const struct ruleset *rules, const struct options *options,
                      struct tally *tally)
{
    static _Alignas(max_align_t) uint8_t state[PERFT_STATE_MAX];
    static struct event moves[PERFT_MOVES];
    struct seeded seeded = {tally->games};
    struct effects effects;

    if (!table_open(rules, options, tally->games++, state))
        fail(rules->id, "does not begin");
    for (unsigned plies = 0; plies < PLIES_MAX; plies++) {
        size_t count = perft_moves(rules, state, moves, PERFT_MOVES);

        if (count == 0)
            break;
        const struct event *move = &moves[seeded_below(&seeded, (uint32_t)count)];
        if (match_judge(rules, state, move) != ALLOWED)
            fail(rules->id, "a listed move is refused");
        match_play(rules, state, move, &effects);
        if (!perft_chance(rules, state, (uint32_t)seeded_next(&seeded)))
            fail(rules->id, "no deal is allowed");
        tally->moves += count;
        tally->plies++;
    }
}

static struct tally measure(const struct ruleset *rules, uint8_t variant, double seconds)
{
    struct tally tally = {0};
    struct options options;
    double start = now();

    ruleset_presets(rules, variant, &options);
    do {
        for (int i = 0; i < GAMES; i++)
            play_game(rules, &options, &tally);
        tally.seconds = now() - start;
    } while (tally.seconds < seconds);
    return tally;
}

static void print(const struct ruleset *rules, uint8_t variant, const struct goal *goal,
                  const struct tally *tally, bool tsv)
{
    const char *name = rules->variants[variant].id;
    double value = (double)tally->plies / tally->seconds;

    if (tsv)
        printf("rules %s/%s\t%.0f\tplies/s\t>= %.0f\t%.0f\n", rules->id, name, value,
               goal->target, goal->stretch);
    else
        printf("%-10s %-18s %10.0f plies/s %6.1f plies a game %6.1f moves a ply%s\n", rules->id,
               name, value, (double)tally->plies / (double)tally->games,
               (double)tally->moves / (double)tally->plies,
               value < goal->target ? "  short of its target" : "");
    fflush(stdout);
}

static const struct goal *goal_of(const struct ruleset *rules)
{
    for (size_t i = 0; i < sizeof goals / sizeof *goals; i++)
        if (!strcmp(goals[i].game, rules->id))
            return &goals[i];
    fail(rules->id, "has no target");
}

static bool taken(const char *argument, const char *option)
{
    return argument && !strcmp(argument, option);
}

int main(int argc, char **argv)
{
    bool check = false, tsv = false, short_of = false;
    int at = 1;

    for (; at < argc && argv[at][0] == '-'; at++) {
        check |= taken(argv[at], "--check");
        tsv |= taken(argv[at], "--tsv");
    }
    double seconds = at < argc ? atof(argv[at]) : 1;
    const char *only = at + 1 < argc ? argv[at + 1] : NULL;
    for (size_t i = 0; i < sizeof goals / sizeof *goals; i++)
        for (uint8_t v = 0; v < rulesets[i]->variant_count; v++) {
            if (only && strcmp(rulesets[i]->variants[v].id, only) != 0)
                continue;
            const struct goal *goal = goal_of(rulesets[i]);
            struct tally tally = measure(rulesets[i], v, seconds);
            print(rulesets[i], v, goal, &tally, tsv);
            short_of |= (double)tally.plies < goal->target * tally.seconds;
        }
    return check && short_of;
}
