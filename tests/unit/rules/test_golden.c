/* The games against tests/golden: counts of lines, and signatures of random games.
 *
 * A row of a golden file is one of
 *   perft RULESET VARIANT PLAYERS SEED DEPTH = LINES ENDED MOVES
 *   random RULESET VARIANT PLAYERS SEED GAMES = PLIES SIGNATURE
 * What stands before `=` is done, what stands behind it compared. GOLDEN=print prints all rows
 * as they are now. A change here is a change of the rules: it must have a ruling behind it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "rules/rulesets.h"
#include "tests/support/table.h"

enum { DEPTH_MAX = 8, PLIES_MAX = 4000, LINE = 160 };

struct row {
    char what[16], ruleset[16], variant[24];
    unsigned players, seed, size; /* size: depth or number of games */
};

static struct perft_level levels[DEPTH_MAX + 1];
static uint8_t state[PERFT_STATE_MAX];

static const struct ruleset *start(const struct row *row, uint64_t seed)
{
    const struct ruleset *rules = ruleset_find(row->ruleset);
    struct options options;

    assert_non_null(rules);
    assert_true(ruleset_variant(rules, row->variant) >= 0);
    ruleset_presets(rules, (uint8_t)ruleset_variant(rules, row->variant), &options);
    options.players = (uint8_t)row->players;
    assert_true(rules->state_size <= sizeof state);
    assert_true(table_open(rules, &options, seed, state));
    return rules;
}

static void count_lines(const struct row *row, char text[static LINE])
{
    const struct ruleset *rules = start(row, row->seed);
    struct perft_counts counts;

    assert_in_range(row->size, 0, DEPTH_MAX);
    counts = perft(rules, state, row->size, levels);
    if (counts.wrong)
        fail_msg("%s %s seed %u: %llu faults", row->ruleset, row->variant, row->seed,
                 (unsigned long long)counts.wrong);
    snprintf(text, LINE, "%llu %llu %llu", (unsigned long long)counts.lines,
             (unsigned long long)counts.ended, (unsigned long long)counts.moves);
}

static uint64_t mix(uint64_t hash, const void *bytes, size_t size)
{
    const uint8_t *byte = bytes;

    for (size_t i = 0; i < size; i++)
        hash = (hash ^ byte[i]) * 0x100000001b3u;
    return hash;
}

/* In whatever order a game lists its moves, the same one is drawn. */
static int by_data(const void *a, const void *b)
{
    const struct event *one = a, *other = b;

    return memcmp(one->data, other->data, sizeof one->data);
}

/* One random game. Who is to act, how many moves there are and how it ends are mixed into
 * *hash: what the rules say, and nothing of how it is laid out in memory. Returns its plies. */
static unsigned play_game(const struct ruleset *rules, uint64_t seed, uint64_t *hash)
{
    struct seeded seeded = {~seed};
    struct event *moves = levels->moves;
    struct outcome outcome;
    struct effects effects;
    unsigned plies = 0;

    while (plies < PLIES_MAX && rules->result(state).reason == REASON_NONE) {
        size_t count = perft_moves(rules, state, moves, PERFT_MOVES);

        assert_in_range(count, 1, PERFT_MOVES - 1);
        qsort(moves, count, sizeof *moves, by_data);
        const struct event *move = &moves[seeded_below(&seeded, (uint32_t)count)];
        if (match_judge(rules, state, move) != ALLOWED || rules->check(state) != ALLOWED)
            fail_msg("%s seed %llu ply %u", rules->id, (unsigned long long)seed, plies);
        match_play(rules, state, move, &effects);
        *hash =
            mix(*hash, (const uint8_t[]){(uint8_t)count, (uint8_t)(count >> 8), move->seat}, 3);
        assert_true(perft_chance(rules, state, (uint32_t)seeded_next(&seeded)));
        plies++;
    }
    outcome = rules->result(state);
    *hash = mix(*hash, (const uint8_t[]){outcome.reason, outcome.winner}, 2);
    return plies;
}

static void sign_games(const struct row *row, char text[static LINE])
{
    uint64_t hash = 0xcbf29ce484222325u;
    unsigned long long plies = 0;

    for (unsigned i = 0; i < row->size; i++)
        plies += play_game(start(row, row->seed + i), row->seed + i, &hash);
    snprintf(text, LINE, "%llu %016llx", plies, (unsigned long long)hash);
}

static bool check_row(const char *line)
{
    bool print = getenv("GOLDEN") && !strcmp(getenv("GOLDEN"), "print");
    const char *behind = strchr(line, '=');
    char now[LINE];
    struct row row;

    if (sscanf(line, "%15s %15s %23s %u %u %u", row.what, row.ruleset, row.variant,
               &row.players, &row.seed, &row.size) != 6 ||
        !behind)
        fail_msg("not a row: %s", line);
    if (!strcmp(row.what, "perft"))
        count_lines(&row, now);
    else
        sign_games(&row, now);
    if (print)
        printf("%.*s %s\n", (int)(behind - line) + 1, line, now);
    if (print || !strcmp(behind + 2, now))
        return true;
    print_error("%.*s %s is what comes now, not\n%s\n", (int)(behind - line) + 1, line, now,
                line);
    return false;
}

static void check_file(void **path)
{
    FILE *file = fopen(*path, "r");
    unsigned rows = 0, wrong = 0;
    char line[LINE];

    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = 0;
        if (!*line || *line == '#')
            continue;
        rows++;
        wrong += !check_row(line);
    }
    fclose(file);
    assert_true(rows > 0);
    assert_int_equal(wrong, 0);
}

int main(void)
{
    static char engarde[] = "tests/golden/engarde.txt";
    static char roquefort[] = "tests/golden/roquefort.txt";
    static char stratego[] = "tests/golden/stratego.txt";
    const struct CMUnitTest tests[] = {
        {"engarde", check_file, NULL, NULL, engarde},
        {"roquefort", check_file, NULL, NULL, roquefort},
        {"stratego", check_file, NULL, NULL, stratego},
    };

    return cmocka_run_group_tests_name("golden", tests, NULL, NULL);
}
