/* Plays random games through the interface and replays each by the rules.
 *
 *   fleet [--address HOST:PORT|FILE] [--games N] [--connections K] [--seed S] [--ruleset ID]
 *         [--variant ID] [--moves N] [--survive] [--until FILE] [--tell]
 *
 * Without an address the games are played in this process, by api_handle(). `--survive`: the
 * daemon may be killed; what it had answered must still be so. `--until FILE`: no new game is
 * begun once that file is there. `--tell`: how often what was refused. Exit 1 at the first
 * disagreement.
 */
#include <limits.h>
#include <pthread.h>
#include <sodium.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rules/rulesets.h"
#include "tests/system/fleet_table.h"

enum { CONNECTIONS_MAX = 256 };

struct fleet {
    struct plan plan;
    const char *address, *until;
    int games, connections, seed;
    atomic_int begun;
    atomic_ullong played, moves, refusals, lost;
    atomic_bool failed;
    bool tells;
    pthread_mutex_t lock;
    json_t *tally; /* under the lock: refusals and results by their words */
};

static bool goes_on(struct fleet *fleet, uint64_t *ret_seed)
{
    if (fleet->failed || (fleet->until && access(fleet->until, F_OK) == 0))
        return false;
    int before = fleet->begun++;
    *ret_seed = (uint64_t)(fleet->seed + before);
    return before < fleet->games;
}

static void tally(struct fleet *fleet, const json_t *object, const char *word)
{
    const char *ruling = json_string_value(json_object_get(object, "ruling"));
    const char *code = json_string_value(json_object_get(object, word));
    char text[96];

    if (!code)
        return;
    (void)snprintf(text, sizeof text, "%s %s", ruling ? ruling : "-", code);
    pthread_mutex_lock(&fleet->lock);
    json_int_t before = json_integer_value(json_object_get(fleet->tally, text));
    json_object_set_new(fleet->tally, text, json_integer(before + 1));
    pthread_mutex_unlock(&fleet->lock);
}

static void count(struct fleet *fleet, const struct table *table)
{
    fleet->played++;
    fleet->moves += table->moves;
    fleet->lost += table->lost;
    for (size_t i = 0; i < table->deed_count; i++)
        fleet->refusals += table->deeds[i].status >= 400;
    for (size_t i = 0; fleet->tells && i < table->deed_count; i++) {
        const json_t *answer = table->deeds[i].answer;
        const json_t *view = json_object_get(answer, "view");
        tally(fleet, answer, "reason");
        tally(fleet, json_object_get(view, "result"), "reason");
    }
}

static void *play(void *arg)
{
    struct fleet *fleet = arg;
    struct wire *wire = NULL;
    struct table table;
    uint64_t seed;

    while (goes_on(fleet, &seed)) {
        if (!wire)
            wire = wire_new(fleet->address, seed);
        wire_empty(wire);
        table_init(&table, &fleet->plan, wire, seed);
        if (!table_play(&table) || !table_replay(&table)) {
            disagree(&table, "no answer could be got");
            fleet->failed = true;
        }
        count(fleet, &table);
        table_done(&table);
    }
    if (wire)
        wire_free(wire);
    return NULL;
}

static void sail(struct fleet *fleet)
{
    pthread_t threads[CONNECTIONS_MAX];

    for (int i = 0; i < fleet->connections; i++)
        if (pthread_create(&threads[i], NULL, play, fleet))
            abort();
    for (int i = 0; i < fleet->connections; i++)
        pthread_join(threads[i], NULL);
}

static int number(const char *text, int max)
{
    long value = strtol(text, NULL, 10);

    return value < 1 ? 1 : value > max ? max : (int)value;
}

/* A switch, or a setting and its value; how many words that took, 0: none that is known. */
static int take_word(struct fleet *fleet, const char *word, const char *value)
{
    const struct {
        const char *name;
        bool *on;
        const char **text;
        int *number;
    } settings[] = {
        {"--address", NULL, &fleet->address, NULL},
        {"--until", NULL, &fleet->until, NULL},
        {"--ruleset", NULL, &fleet->plan.ruleset, NULL},
        {"--variant", NULL, &fleet->plan.variant, NULL},
        {"--games", NULL, NULL, &fleet->games},
        {"--connections", NULL, NULL, &fleet->connections},
        {"--moves", NULL, NULL, &fleet->plan.moves},
        {"--seed", NULL, NULL, &fleet->seed},
        {"--survive", &fleet->plan.survives, NULL, NULL},
        {"--tell", &fleet->tells, NULL, NULL},
    };

    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        if (strcmp(settings[i].name, word) != 0 || (!settings[i].on && !value))
            continue;
        if (settings[i].on)
            *settings[i].on = true;
        if (settings[i].text)
            *settings[i].text = value;
        if (settings[i].number)
            *settings[i].number = number(value, INT_MAX);
        return settings[i].on ? 1 : 2;
    }
    return 0;
}

static bool read_words(struct fleet *fleet, int argc, char **argv)
{
    int taken = 1;

    for (int i = 1; i < argc && taken; i += taken)
        taken = take_word(fleet, argv[i], argv[i + 1]);
    if (fleet->connections > CONNECTIONS_MAX)
        fleet->connections = CONNECTIONS_MAX;
    const struct ruleset *rules =
        fleet->plan.ruleset ? ruleset_find(fleet->plan.ruleset) : NULL;
    if (fleet->plan.ruleset && !rules)
        return false;
    return taken && (!fleet->plan.variant ||
                     (rules && ruleset_variant(rules, fleet->plan.variant) >= 0));
}

/* How often what was refused, and how games ended. */
static void tell(const struct fleet *fleet)
{
    const char *word;
    json_t *times;

    json_object_foreach(fleet->tally, word, times)
        printf("%8lld %s\n", (long long)json_integer_value(times), word);
}

int main(int argc, char **argv)
{
    static struct fleet fleet = {.games = 100,
                                 .connections = 2,
                                 .seed = 1,
                                 .plan.moves = 200,
                                 .lock = PTHREAD_MUTEX_INITIALIZER};

    if (!read_words(&fleet, argc, argv) || sodium_init() < 0)
        return fprintf(stderr, "fleet: a wrong option; see the top of fleet.c\n"), 2;
    fleet.tally = json_object();
    sail(&fleet);
    tell(&fleet);
    json_decref(fleet.tally);
    if (fleet.lost)
        printf("%llu connections broke\n", (unsigned long long)fleet.lost);
    printf("%llu games, %llu moves, %llu refusals, %d disagreements\n",
           (unsigned long long)fleet.played, (unsigned long long)fleet.moves,
           (unsigned long long)fleet.refusals, fleet.failed ? 1 : 0);
    return fleet.failed ? 1 : 0;
}
