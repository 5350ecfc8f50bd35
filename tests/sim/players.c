/* What clients do: each asks for one thing at a time, asks again when it does not know how that
 * went, and now and then does what it should not. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/base64.h"
#include "api/commit.h"
#include "api/game.h"
#include "api/hex.h"
#include "api/out.h"
#include "rules/rulesets.h"
#include "tests/sim/world.h"
#include "tests/support/table.h"

void sent_done(struct sent *sent)
{
    free(sent->body);
    sent->body = NULL;
}

void sent_copy(const struct sent *sent, struct sent *ret_copy)
{
    *ret_copy = *sent;
    ret_copy->body = sent->body ? strdup(sent->body) : NULL;
}

static bool is(const struct player *player, const char *status)
{
    return strcmp(player->status, status) == 0;
}

static const char *seat_word(const struct game *game, uint8_t seat)
{
    return game->codec->rules->seats[seat];
}

static struct sent begin(const struct player *player, enum what what, const char *part)
{
    struct sent sent = {.what = (uint8_t)what};

    (void)snprintf(sent.path, sizeof sent.path, "/v1/games/%s%s", player->game->table.id, part);
    if (player->credential[0])
        (void)snprintf(sent.bearer, sizeof sent.bearer, "Bearer %s", player->credential);
    return sent;
}

/* Takes over `body`. */
static void put_body(struct sent *sent, json_t *body)
{
    sent->body = json_dumps(body, JSON_COMPACT);
    json_decref(body);
}

/* Keys are few, so that players meet under the same one; where a secret hangs on it a key is
 * long and new. */
static void put_key(struct player *player, struct sent *sent, bool always)
{
    struct world *world = player->game->world;

    if (always || sent->what == ASK_SETUP)
        (void)snprintf(sent->key, sizeof sent->key, "sim-%016llx%016llx",
                       (unsigned long long)seeded_next(&world->chance),
                       (unsigned long long)seeded_next(&world->chance));
    else if (below(world, 3))
        (void)snprintf(sent->key, sizeof sent->key, "short-key-%u.%u.%u", player->seq,
                       sent->what, world->day);
}

static void ask(struct player *player, struct sent *sent)
{
    struct world *world = player->game->world;

    if (sent->what < ASK_CHANGES && sent->what != ASK_CREATE && player->seq &&
        one_in(world, 2)) {
        sent->stale = one_in(world, 12);
        (void)snprintf(sent->match, sizeof sent->match, "\"%u\"", player->seq + sent->stale);
    }
    sent->minimal = one_in(world, 3);
    player->fresh = player->fresh && sent->what >= ASK_CHANGES;
    world_ask(world, player, sent);
}

/* Making games and taking seats */

static json_t *fencing(struct world *world, uint8_t variant)
{
    static const char *const firsts[] = {"lot", "left", "right"};
    static const char *const levels[] = {"advanced", "standard", "basic"};
    json_t *options = json_pack("{s:s, s:i}", "first", firsts[below(world, 3)], "hits_to_lose",
                                (int)(1 + below(world, 3)));

    if (variant && one_in(world, 2))
        json_object_set_new(options, "level", json_string(levels[below(world, 3)]));
    return options;
}

static json_t *castle(struct world *world, uint8_t custody)
{
    json_t *options = json_pack("{s:s, s:s}", "memory", one_in(world, 2) ? "open" : "strict",
                                "rooms", one_in(world, 2) ? "A" : "B");

    if (custody == CUSTODY_TABLE)
        json_object_set_new(options, "spare", json_string("blank"));
    return options;
}

static uint8_t any_custody(struct world *world, const struct ruleset *rules)
{
    for (;;) {
        uint8_t custody = (uint8_t)below(world, 3);
        if (rules->custodies >> custody & 1)
            return custody;
    }
}

static json_t *any_clock(struct world *world)
{
    if (one_in(world, 2))
        return json_pack("{s:i}", "per_move_s", (int)(600 + below(world, 100000)));
    return json_pack("{s:i, s:i}", "initial_s", (int)(600 + below(world, 100000)),
                     "increment_s", (int)below(world, 30));
}

static void choose_game(struct game *game)
{
    struct world *world = game->world;
    const struct ruleset *rules = rulesets[below(world, (uint32_t)ruleset_count)];
    uint8_t more = (uint8_t)(rules->seats_max - rules->seats_min + 1);
    json_t *options = NULL, *creation;

    game->codec = codec_of(rules);
    game->variant = (uint8_t)below(world, (uint32_t)rules->variant_count);
    game->players = (uint8_t)(rules->seats_min + below(world, more));
    game->custody = any_custody(world, rules);
    game->spectators = !one_in(world, 5);
    game->clocked = one_in(world, 4);
    if (game->codec == &eg_codec)
        options = fencing(world, game->variant);
    else if (game->codec == &rq_codec)
        options = castle(world, game->custody);
    else
        options = json_object();
    creation =
        json_pack("{s:s, s:s, s:s, s:b, s:o}", "ruleset", rules->id, "variant",
                  rules->variants[game->variant].id, "custody", custody_word(game->custody),
                  "spectators", game->spectators, "options", options);
    if (game->players > rules->seats_min)
        json_object_set_new(creation, "players", json_integer(game->players));
    if (game->clocked)
        json_object_set_new(creation, "clock", any_clock(world));
    game->creation = creation;
    game->moves_left = (int)(one_in(world, 12) ? below(world, 200) : below(world, 24));
    game->combats = game->codec == &st_codec && game->custody == CUSTODY_REFEREE &&
                    !game->clocked && game->moves_left % 3 == 0;
    if (game->combats)
        json_object_set_new(options, "told", json_string("combats"));
}

static void create(struct player *host)
{
    struct game *game = host->game;
    struct sent sent = {.what = ASK_CREATE};

    strcpy(sent.path, "/v1/games");
    sent.body = json_dumps(game->creation, JSON_COMPACT);
    put_key(host, &sent, true);
    ask(host, &sent);
}

static void seed_of(const struct player *player, uint8_t ret_seed[static 32])
{
    memset(ret_seed, player->seat + 1, 32);
    memcpy(ret_seed, player->game->gid, 16);
}

static void take_seat(struct player *player)
{
    struct game *game = player->game;
    struct sent sent;
    uint8_t seed[32], hash[32];
    char part[32], hex[65];
    json_t *body = json_object();

    (void)snprintf(part, sizeof part, "/seats/%s", seat_word(game, player->seat));
    sent = begin(player, ASK_SEAT, part);
    (void)snprintf(sent.bearer, sizeof sent.bearer, "Bearer %s", player->invite);
    if (one_in(game->world, 2)) {
        seed_of(player, seed);
        hex_encode(seed, 32, hex);
        truth_secret(game, hex, player->seat, true);
        commit_player_seed(game->gid, 0, player->seat, seed, hash);
        hex_encode(hash, 32, hex);
        json_object_set_new(body, "seed_commit", json_string(hex));
    }
    put_body(&sent, body);
    put_key(player, &sent, true);
    ask(player, &sent);
}

/* Seeds and set-ups */

static void tell_seed(struct player *player)
{
    struct sent sent = begin(player, ASK_SEED, "/seeds");
    uint8_t seed[32];
    char hex[65];

    seed_of(player, seed);
    hex_encode(seed, 32, hex);
    put_body(&sent, json_pack("{s:s}", "seed", hex));
    put_key(player, &sent, false);
    ask(player, &sent);
}

static void raise_armies(struct game *game)
{
    char hex[65];

    for (uint8_t seat = 0; seat < 2; seat++) {
        struct army *army = &game->army[seat];
        army_raise(army, NULL, &game->table, game->codec->rules->variants[game->variant].id,
                   seat, &game->world->chance);
        hex_encode(army->secret, 32, hex);
        truth_secret(game, hex, seat, true);
        for (int slot = 0; slot < SLOTS_MAX; slot++) {
            hex_encode(army->nonce[slot], 32, hex);
            truth_secret(game, hex, seat, false);
        }
    }
    game->raised = true;
}

static json_t *commitments_of(const struct army *army)
{
    json_t *list = json_array();
    uint8_t hash[32];
    char hex[65];

    for (int slot = 0; slot < SLOTS_MAX; slot++) {
        commit_piece(army->gid, army->seat, (uint8_t)slot, army->face[slot], army->nonce[slot],
                     hash);
        hex_encode(hash, 32, hex);
        json_array_append_new(list, army->face[slot] == FACE_UNKNOWN ? json_null()
                                                                     : json_string(hex));
    }
    return json_pack("{s:o}", "commitments", list);
}

static void set_up(struct player *player)
{
    struct game *game = player->game;
    struct sent sent = begin(player, ASK_SETUP, "/setup");

    if (game->custody == CUSTODY_PLAYERS) {
        if (!game->raised)
            raise_armies(game);
        put_body(&sent, commitments_of(&game->army[player->seat]));
    } else {
        struct event event = table_setup(game->variant, player->seat, &game->world->chance);
        struct out out = {0};
        size_t size;
        out_object(&out, NULL);
        st_codec.write_setup(&out, "pieces", &event);
        out_object_end(&out);
        sent.body = out_take(&out, &size);
    }
    put_key(player, &sent, true);
    ask(player, &sent);
}

/* Moves */

static void post_move(struct player *player)
{
    struct game *game = player->game;
    struct sent sent = begin(player, ASK_MOVE, "/moves");
    json_t *move = json_loads(player->move, 0, NULL), *open = NULL;

    free(player->move);
    player->move = NULL;
    if (game->custody == CUSTODY_PLAYERS) {
        const struct army *army = &game->army[player->seat];
        const char *from = json_string_value(json_object_get(move, "from"));
        int slot = from ? army_on(army, from) : -1;
        char text[160];
        if (slot >= 0 && army_opens(army, &game->army[!player->seat], move)) {
            army_opening(army, slot, text);
            open = json_loads(text, 0, NULL);
        }
    }
    json_t *body = json_pack("{s:o}", "move", move);
    if (open)
        json_object_set_new(body, "open", open);
    put_body(&sent, body);
    put_key(player, &sent, false);
    ask(player, &sent);
}

static void resign(struct player *player)
{
    struct sent sent = begin(player, ASK_RESIGN, "/resign");

    put_key(player, &sent, false);
    ask(player, &sent);
}

static void draw(struct player *player, const char *word)
{
    struct sent sent = begin(player, ASK_DRAW, "/draw");

    put_body(&sent, json_pack("{s:s}", "action", word));
    put_key(player, &sent, false);
    ask(player, &sent);
}

static void get(struct player *player, enum what what, const char *part)
{
    struct sent sent = begin(player, what, part);

    ask(player, &sent);
}

/* The piece that was attacked last, by what lies on the disk. */
static int attacked_slot(const struct game *game, uint8_t seat)
{
    size_t count = json_array_size(game->events);
    const json_t *last = count ? json_array_get(game->events, count - 1) : NULL;
    const char *to = json_string_value(json_object_get(last, "to"));

    return to ? army_on(&game->army[seat], to) : -1;
}

static json_t *all_openings(const struct army *army)
{
    json_t *list = json_array();
    char text[160];

    for (int slot = 0; slot < SLOTS_MAX; slot++) {
        if (!army->at[slot][0])
            continue;
        army_opening(army, slot, text);
        json_array_append_new(list, json_loads(text, 0, NULL));
    }
    return json_pack("{s:o}", "opens", list);
}

/* Any square of his rows: in the smaller sets, and late, it is often refused. */
static void name_attacked(struct player *player)
{
    struct sent sent = begin(player, ASK_OPENING, "/defend");
    uint8_t slot = (uint8_t)below(player->game->world, SLOTS_MAX);
    struct opening piece = {.context = player->seat, .index = slot};
    char name[24];

    st_codec.component_name(&piece, name);
    put_body(&sent, json_pack("{s:s}", "piece", strchr(name, '/') + 1));
    put_key(player, &sent, false);
    ask(player, &sent);
}

static void defend(struct player *player)
{
    struct game *game = player->game;

    if (game->combats) {
        name_attacked(player);
        return;
    }
    const struct army *army = &game->army[player->seat];
    int slot = attacked_slot(game, player->seat);
    struct sent sent = begin(player, ASK_OPENING, slot < 0 ? "/open" : "/defend");
    char text[160];

    if (slot < 0) {
        put_body(&sent, all_openings(army));
    } else {
        army_opening(army, slot, text);
        put_body(&sent, json_pack("{s:o}", "open", json_loads(text, 0, NULL)));
    }
    put_key(player, &sent, false);
    ask(player, &sent);
}

static void audit(struct player *player)
{
    struct sent sent = begin(player, ASK_AUDIT, "/audit");
    char hex[65];

    hex_encode(player->game->army[player->seat].secret, 32, hex);
    put_body(&sent, json_pack("{s:s}", "secret", hex));
    put_key(player, &sent, false);
    ask(player, &sent);
}

/* Looks at the list of legal moves and settles on one. */
static void choose_move(struct player *player, json_t *moves)
{
    struct game *game = player->game;
    size_t count = json_array_size(moves);
    json_t *move = NULL;

    for (int i = 0; i < 40 && count && !move; i++) {
        move = json_array_get(moves, below(game->world, (uint32_t)count));
        if (game->custody == CUSTODY_PLAYERS) {
            const char *from = json_string_value(json_object_get(move, "from"));
            const struct army *army = &game->army[player->seat];
            if (army_on(army, from) < 0 || !army_may(army, move))
                move = NULL;
        }
    }
    player->stuck = !move;
    if (!move)
        return;
    if (game->boxed)
        box_report(&game->box, move, false);
    player->move = json_dumps(move, JSON_COMPACT);
}

static void play(struct player *player)
{
    struct game *game = player->game;

    if (player->move)
        post_move(player);
    else if ((int)game->moves >= game->moves_left || player->stuck || player->failures > 3)
        resign(player);
    else
        get(player, ASK_MOVES, "/moves");
}

static void act_in_turn(struct player *player)
{
    if (is(player, "seeding"))
        tell_seed(player);
    else if (is(player, "setup"))
        set_up(player);
    else if (is(player, "playing"))
        play(player);
    else if (is(player, "challenge"))
        defend(player);
    else if (is(player, "audit"))
        audit(player);
}

/* Nobody waits for him: he looks about, or meddles. */
static void act_out_of_turn(struct player *player)
{
    struct world *world = player->game->world;

    player->fresh = below(world, 6);
    if (!is(player, "playing"))
        return;
    if (one_in(world, 30))
        draw(player, player->offered ? "accept" : "offer");
    else if (one_in(world, 40)) {
        free(player->move);
        player->move = strdup("{}");
        post_move(player);
    } else if (one_in(world, 300))
        resign(player);
}

static void look_about(struct player *player)
{
    static const char *const parts[] = {"/head", "/events?after=0&tokens=1", "/setup",
                                        "/transcript"};
    struct world *world = player->game->world;
    char part[48];

    if (player->seat == NO_SEAT && !player->streaming && one_in(world, 4)) {
        struct sent sent = begin(player, ASK_OTHER, "/events?after=0");
        sent.stream = true;
        ask(player, &sent);
        return;
    }
    if (one_in(world, 3)) {
        get(player, ASK_OTHER, parts[below(world, 4)]);
        return;
    }
    (void)snprintf(part, sizeof part, "/events?after=%u&wait=%u",
                   player->seq > 3 ? player->seq - below(world, 4) : 0, below(world, 2) * 30);
    get(player, ASK_EVENTS, part);
}

/* What was not answered: the same once more, or he lets it be and looks what has become of it.
 */
static void ask_again(struct player *player)
{
    struct world *world = player->game->world;
    struct sent sent = player->owed;
    bool must = sent.what == ASK_CREATE || sent.what == ASK_SEAT;

    player->owed = (struct sent){0};
    player->is_owed = false;
    player->fresh = false;
    if (!sent.key[0] || (!must && one_in(world, 4))) {
        sent_done(&sent);
        return;
    }
    world->tallies.retries++;
    world_ask(world, player, &sent);
}

/* Whoever has set the table happens to be the operator too. */
static void rename_seat(struct player *player)
{
    struct game *game = player->game;
    struct world *world = game->world;
    uint32_t number = below(world, 1000);
    char part[32], name[8];

    (void)snprintf(part, sizeof part, "/seats/%s/name",
                   seat_word(game, (uint8_t)below(world, game->players)));
    (void)snprintf(name, sizeof name, "%u", number);
    struct sent sent = begin(player, ASK_NAME, part);
    (void)snprintf(sent.bearer, sizeof sent.bearer, "Bearer %s", world->operator_text);
    put_body(&sent, json_pack("{s:s}", "name", number % 10 ? name : ""));
    put_key(player, &sent, false);
    ask(player, &sent);
}

static void act_as_host(struct player *player)
{
    struct game *game = player->game;

    if (!game->made) {
        create(player);
        return;
    }
    if (one_in(game->world, 120)) {
        struct sent sent = begin(player, ASK_ABORT, "/abort");
        put_key(player, &sent, false);
        ask(player, &sent);
        return;
    }
    if (one_in(game->world, 20)) {
        rename_seat(player);
        return;
    }
    if (one_in(game->world, 4)) {
        struct sent list = begin(player, ASK_LIST, "");
        strcpy(list.path, "/v1/games");
        list.bearer[0] = '\0';
        ask(player, &list);
        return;
    }
    get(player, ASK_VIEW, "");
}

void player_act(struct player *player)
{
    struct game *game = player->game;

    if (player->busy)
        return;
    if (player->is_owed) {
        ask_again(player);
        return;
    }
    if (player->host)
        act_as_host(player);
    else if (!game->made)
        return;
    else if (player->seat == NO_SEAT)
        one_in(game->world, 2) ? get(player, ASK_VIEW, "") : look_about(player);
    else if (!player->credential[0])
        player->refused ? (void)0 : take_seat(player);
    else if (one_in(game->world, 40))
        look_about(player);
    else if (!player->fresh)
        get(player, ASK_VIEW, "");
    else if (player->to_act)
        act_in_turn(player);
    else
        act_out_of_turn(player);
}

/* Hearing */

static void copy_text(char *room, size_t size, const char *text)
{
    (void)snprintf(room, size, "%s", text ? text : "");
}

static void hear_created(struct game *game, const json_t *json)
{
    copy_text(game->table.id, sizeof game->table.id,
              json_string_value(json_object_get(json, "id")));
    copy_text(game->table.host, sizeof game->table.host,
              json_string_value(json_object_get(json, "host")));
    strcpy(game->host.credential, game->table.host);
    for (uint8_t i = 0; i < game->players; i++) {
        const json_t *seat =
            json_object_get(json_object_get(json, "seats"), seat_word(game, i));
        copy_text(game->seats[i].invite, sizeof game->seats[i].invite,
                  json_string_value(json_object_get(seat, "invite")));
    }
    game->table.seats = game->players;
    game->made = true;
    if (game->codec != &rq_codec || game->custody != CUSTODY_TABLE)
        return;
    json_t *options = json_object_get(game->creation, "options");
    box_lay(&game->box, "blank", json_object_get(options, "rooms"),
            strcmp(json_string_value(json_object_get(options, "memory")), "strict") == 0,
            &game->world->chance);
    game->boxed = true;
}

static bool names(const json_t *list, const char *word)
{
    for (size_t i = 0; i < json_array_size(list); i++)
        if (strcmp(json_string_value(json_array_get(list, i)), word) == 0)
            return true;
    return false;
}

static void hear_view(struct player *player, const json_t *view)
{
    const struct game *game = player->game;

    copy_text(player->status, sizeof player->status,
              json_string_value(json_object_get(view, "status")));
    player->seq = (uint32_t)json_integer_value(json_object_get(view, "seq"));
    player->offered = json_array_size(json_object_get(view, "draw_offered")) > 0;
    player->to_act = player->seat != NO_SEAT &&
                     names(json_object_get(view, "to_act"), seat_word(game, player->seat));
    player->fresh = true;
}

void player_hear(struct player *player, const struct sent *sent, unsigned status, json_t *json)
{
    const json_t *view = json_object_get(json, "view");

    if (sent->what < ASK_CHANGES)
        player->failures = status < 300 ? 0 : player->failures + 1;
    if (status >= 300) {
        player->fresh = false;
        player->refused = player->refused || sent->what == ASK_SEAT;
        return;
    }
    if (sent->what == ASK_CREATE)
        hear_created(player->game, json);
    if (sent->what == ASK_SEAT) {
        copy_text(player->credential, sizeof player->credential,
                  json_string_value(json_object_get(json, "credential")));
        copy_text(player->game->table.seat[player->seat], 48, player->credential);
    }
    if (sent->what == ASK_SETUP && json_object_get(json, "secret"))
        truth_secret(player->game, json_string_value(json_object_get(json, "secret")),
                     player->seat, true);
    if (sent->what == ASK_VIEW)
        hear_view(player, json);
    else if (view)
        hear_view(player, view);
    if (sent->what == ASK_MOVES && !player->move) {
        player->seq = (uint32_t)json_integer_value(json_object_get(json, "seq"));
        choose_move(player, json_object_get(json, "moves"));
    }
}

void player_unsure(struct player *player, struct sent *sent)
{
    player->fresh = false;
    if (sent->what >= ASK_CHANGES || player->is_owed) {
        sent_done(sent);
        return;
    }
    player->owed = *sent;
    player->is_owed = true;
    *sent = (struct sent){0};
}

void players_init(struct game *game)
{
    game->events = json_array();
    game->host = (struct player){.game = game, .seat = NO_SEAT, .host = true};
    game->watcher = (struct player){.game = game, .seat = NO_SEAT};
    for (uint8_t i = 0; i < SEATS_MAX; i++)
        game->seats[i] = (struct player){.game = game, .seat = i};
    choose_game(game);
}

static void player_done(struct player *player)
{
    free(player->move);
    sent_done(&player->owed);
}

void players_done(struct game *game)
{
    for (uint8_t i = 0; i < SEATS_MAX; i++)
        player_done(&game->seats[i]);
    player_done(&game->host);
    player_done(&game->watcher);
    json_decref(game->creation);
    json_decref(game->events);
    if (game->boxed)
        box_done(&game->box);
}
