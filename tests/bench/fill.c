/* Fills a store with games under way, quickly: fill STATE RULESET[/VARIANT] GAMES MOVES SEED
 *
 * The games are played by chance through api/ and the daemon's own writer and store, without
 * HTTP: a move in each of them, then the next, so that their records lie as mixed on the disk
 * as those of people who play at once. A move that would end a game is not made. A line a game
 * goes to standard output: its id and the credentials of its seats. MOVES - makes games that
 * are over by resignation after 10 moves.
 */
#include <sched.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/action.h"
#include "api/base64.h"
#include "api/commit.h"
#include "api/deed.h"
#include "daemon/keys.h"
#include "daemon/ports.h"
#include "rules/rulesets.h"
#include "tests/support/table.h"

enum { QUEUE_MAX = 4096, OVER_AFTER = 10 };

struct game {
    uint8_t gid[16];
    uint8_t secret[SEATS_MAX][32];
    bool stuck; /* no move but one that ends it */
};

struct fill {
    struct store store;
    struct writer *writer;
    struct ports_home home;
    struct api *api;
    const struct ruleset *rules;
    struct options options;
    struct seeded seeded;
    uint64_t ticket;
    uint64_t events;
    struct game *games;
    size_t count;
};

static void die(const char *what)
{
    fprintf(stderr, "fill: %s\n", what);
    exit(1);
}

static void open_fill(struct fill *fill, const char *state)
{
    char error[STORE_ERROR_SIZE];
    struct api_config config = {.games_in_memory = 4 * fill->count + 1000};
    struct keys keys;

    if (store_sqlite_open(state, STORE_SERVE, &fill->store, error) ||
        keys_load(state, &keys, error))
        die(error);
    fill->writer = writer_new(&fill->store, &(struct writer_events){0});
    fill->home = (struct ports_home){&fill->store, fill->writer, NULL, NULL};
    struct ports ports = ports_make(&fill->home);
    token_key_from_seed(&config.signing, keys.seed);
    memcpy(config.store_key, keys.store, sizeof config.store_key);
    fill->api = fill->writer ? api_new(&config, &ports) : NULL;
    fill->games = calloc(fill->count, sizeof *fill->games);
    if (!fill->api || !fill->games)
        die("no memory");
}

/* The writer must not fall behind without end. */
static void wait_for(struct fill *fill, uint64_t behind)
{
    while (fill->ticket > behind && !writer_settled(fill->writer, fill->ticket - behind))
        sched_yield();
}

/* One action of a game: begun, carried out by the caller, committed or given up. */
struct deed {
    struct call call;
    struct response response;
    struct action action;
};

static void begin(struct fill *fill, struct deed *deed, const struct game *game)
{
    *deed = (struct deed){.call = {.api = fill->api, .seat = NO_SEAT}};
    deed->call.response = &deed->response;
    if (games_take(&fill->api->games, game->gid, &deed->call.live))
        die("a game is gone");
    deed->call.fold = deed->call.live->fold;
    if (action_begin(&deed->action, &deed->call, deed->call.fold))
        die("no memory");
}

static void commit(struct fill *fill, struct deed *deed)
{
    fill->events += deed->action.count;
    if (action_commit(&deed->action))
        die("the store takes no more");
    fill->ticket = deed->response.ticket;
    action_done(&deed->action);
    if (deed->call.live)
        games_give(&fill->api->games, deed->call.live);
    wait_for(fill, QUEUE_MAX);
}

static void give_up(struct fill *fill, struct deed *deed)
{
    action_done(&deed->action);
    games_give(&fill->api->games, deed->call.live);
}

static void make(struct fill *fill, struct game *game)
{
    struct deed deed = {.call = {.api = fill->api, .seat = NO_SEAT}};
    struct created created;

    memset(&created, 0, sizeof created);
    created.options = fill->options;
    while (rulesets[created.ruleset] != fill->rules)
        created.ruleset++;
    created.spectators = true;
    created.created_ms = fill->api->ports.now_ms(fill->api->ports.context);
    randombytes_buf(game->gid, sizeof game->gid);
    randombytes_buf(created.host, sizeof created.host);
    randombytes_buf(created.referee_seed, sizeof created.referee_seed);
    randombytes_buf(created.invites, created.options.players * sizeof *created.invites);
    deed.call.response = &deed.response;
    struct fold *fold = fold_new(codec_of(fill->rules), created.options.players, game->gid);
    if (!fold || action_begin(&deed.action, &deed.call, fold))
        die("no memory");
    deed_create(&deed.action, &created, NULL);
    commit(fill, &deed);
}

static void sit(struct fill *fill, struct game *game, uint8_t seat)
{
    static const char *const names[SEATS_MAX] = {"Ann", "Bob", "Cilka", "Dan"};
    struct seat_note note;
    struct deed deed;

    memset(&note, 0, sizeof note);
    note.seat = seat;
    note.named = true;
    strcpy(note.name, names[seat]);
    randombytes_buf(game->secret[seat], sizeof game->secret[seat]);
    commit_credential(game->secret[seat], note.hash);
    begin(fill, &deed, game);
    deed.action.credentials[deed.action.credential_count++] = commit_id(note.hash);
    deed_seat(&deed.action, &note);
    action_proceed(&deed.action);
    commit(fill, &deed);
}

static void set_up(struct fill *fill, struct game *game, uint8_t seat)
{
    struct event event = table_setup(fill->options.variant, seat, &fill->seeded);
    uint8_t note[33] = {seat};
    struct deed deed;

    randombytes_buf(note + 1, sizeof note - 1);
    begin(fill, &deed, game);
    deed_setup(&deed.action, &event, note);
    action_proceed(&deed.action);
    commit(fill, &deed);
}

static void begin_game(struct fill *fill, struct game *game)
{
    make(fill, game);
    for (uint8_t seat = 0; seat < fill->options.players; seat++)
        sit(fill, game, seat);
    for (uint8_t seat = 0; codec_of(fill->rules)->read_setup && seat < 2; seat++)
        set_up(fill, game, seat);
}

/* A move by chance that does not end the game. */
static void move(struct fill *fill, struct game *game)
{
    static struct event moves[MOVES_MAX];
    struct deed deed;

    for (int tries = 0; tries < 4 && !game->stuck; tries++) {
        begin(fill, &deed, game);
        unsigned act = fold_to_act(deed.call.fold);
        uint8_t seat = 0;
        while (seat + 1 < SEATS_MAX && !(act >> seat & 1))
            seat++;
        size_t count = fill->rules->legal(deed.call.fold->state, seat, moves, MOVES_MAX);
        if (!act || !count)
            break;
        struct event *event = &moves[seeded_below(&fill->seeded, (uint32_t)count)];
        event->kind = EVENT_MOVE;
        event->seat = seat;
        action_play(&deed.action, event);
        action_proceed(&deed.action);
        if (!deed.action.broken && deed.action.fold->status == STATUS_PLAYING) {
            commit(fill, &deed);
            return;
        }
        give_up(fill, &deed);
    }
    game->stuck = true;
}

static void resign(struct fill *fill, struct game *game)
{
    struct deed deed;

    begin(fill, &deed, game);
    deed_resign(&deed.action, 0);
    action_proceed(&deed.action);
    commit(fill, &deed);
}

static void print_games(const struct fill *fill)
{
    char text[48];

    for (size_t i = 0; i < fill->count; i++) {
        base64_encode(fill->games[i].gid, 16, text);
        printf("%s", text);
        for (uint8_t seat = 0; seat < fill->options.players; seat++) {
            base64_encode(fill->games[i].secret[seat], 32, text);
            printf(" rfs_%s", text);
        }
        printf("\n");
    }
}

/* The ruleset and its variant, the first if none is named. */
static bool choose(struct fill *fill, char *text)
{
    char *slash = strchr(text, '/');

    if (slash)
        *slash = '\0';
    fill->rules = ruleset_find(text);
    int variant = fill->rules && slash ? ruleset_variant(fill->rules, slash + 1) : 0;
    if (!fill->rules || variant < 0)
        return false;
    ruleset_presets(fill->rules, (uint8_t)variant, &fill->options);
    return true;
}

int main(int argc, char **argv)
{
    static struct fill fill;

    if (argc != 6 || !choose(&fill, argv[2]) || sodium_init() < 0)
        die("STATE RULESET[/VARIANT] GAMES MOVES SEED");
    bool over = strcmp(argv[4], "-") == 0;
    long moves = over ? OVER_AFTER : atol(argv[4]);
    fill.count = strtoul(argv[3], NULL, 10);
    fill.seeded = (struct seeded){strtoull(argv[5], NULL, 10)};
    open_fill(&fill, argv[1]);
    for (size_t i = 0; i < fill.count; i++)
        begin_game(&fill, &fill.games[i]);
    for (long round = 0; round < moves; round++)
        for (size_t i = 0; i < fill.count; i++)
            move(&fill, &fill.games[i]);
    for (size_t i = 0; i < fill.count && over; i++)
        resign(&fill, &fill.games[i]);
    wait_for(&fill, 0);
    print_games(&fill);
    fprintf(stderr, "%llu events\n", (unsigned long long)fill.events);
    api_free(fill.api);
    writer_free(fill.writer);
    fill.store.close(fill.store.context);
    free(fill.games);
    return 0;
}
