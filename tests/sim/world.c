#include "tests/sim/world.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/call.h"
#include "api/json_read.h"
#include "tests/sim/scarce.h"

enum {
    STEPS_A_GAME = 700,
    ENDING_ROUNDS = 1200, /* in which every game can be brought to its end */
    HOUR_MS = 3600 * 1000,
};

void world_break(struct world *world, const char *format, ...)
{
    va_list arguments;

    if (broken(world))
        return;
    va_start(arguments, format);
    (void)vsnprintf(world->fault, sizeof world->fault, format, arguments);
    va_end(arguments);
}

static struct player *player_at(struct game *game, uint32_t i)
{
    return i < game->players    ? &game->seats[i]
           : i == game->players ? &game->host
                                : &game->watcher;
}

/* Asking */

static void tell(struct world *world, const void *bytes, size_t size)
{
    crypto_generichash_update(&world->told, bytes, size);
    world->tallies.bytes += size;
}

const char *response_body(const struct response *response, size_t *ret_size)
{
    const char *body = response->fixed ? response->fixed : response->body;

    *ret_size = body ? response->size : 0;
    return body ? body : "";
}

/* Fills `room` with the path and cuts the query off. */
static void fill(const struct sent *sent, char room[static 128], struct request *ret_request)
{
    bool reads = sent->what >= ASK_CHANGES;

    memcpy(room, sent->path, sizeof sent->path);
    *ret_request = (struct request){
        .method = reads ? "GET" : "POST",
        .path = room,
        .authorization = sent->bearer[0] ? sent->bearer : NULL,
        .content_type = sent->body ? "application/json" : NULL,
        .idempotency_key = sent->key[0] ? sent->key : NULL,
        .if_match = sent->match[0] ? sent->match : NULL,
        .prefer = sent->minimal ? "return=minimal" : NULL,
        .accept = sent->stream ? "application/x-ndjson" : NULL,
        .body = sent->body,
        .body_size = sent->body ? strlen(sent->body) : 0,
    };
    for (char *at = strchr(room, '?'); at && ret_request->query_count < QUERY_MAX;) {
        struct pair *pair = &ret_request->query[ret_request->query_count++];
        *at++ = '\0';
        pair->name = at;
        at = strchr(at, '=');
        *at++ = '\0';
        pair->value = at;
        at = strchr(at, '&');
    }
}

void world_ask_now(struct world *world, struct api *api, const struct sent *sent,
                   struct response *ret_response)
{
    struct request request;
    char room[128];

    fill(sent, room, &request);
    if (api == world->witness)
        memory_distrust(world->memory);
    api_handle(api, &request, ret_response);
}

/* Asks the referee, who may run out of memory over it. */
static void handle(struct world *world, struct flight *flight, bool timed_out)
{
    struct request request;
    char room[128];
    uint64_t taken = disk_taken(world->disk);
    const struct sent *sent = &flight->sent;

    fill(sent, room, &request);
    request.timed_out = timed_out;
    (void)disk_felt(world->disk);
    if (world->scarce)
        scarce_set(below(world, one_in(world, 2) ? 12 : 150), one_in(world, 2) ? 1 : 10000);
    api_handle(world->api, &request, &flight->response);
    bool scarce = world->scarce && scarce_met();
    scarce_set(0, 0);
    world->scarce = false;
    world->tallies.requests++;
    world->tallies.scarce += scarce;
    flight->felt = disk_felt(world->disk) || scarce || flight->felt;
    taken = disk_taken(world->disk) - taken;
    flight->taken = taken > 0;
    unsigned status = flight->response.status;
    LAW(world, taken <= 1 && (!taken || (status < 300 && sent->what < ASK_CHANGES)),
        "%s is answered %u, and %llu changes were made", sent->path, status,
        (unsigned long long)taken);
    world->tallies.changes += taken;
    world->tallies.refused += status >= 400 && status < 500;
    if (scarce && status >= 400 && status < 500) {
        struct response again;
        api_handle(world->api, &request, &again);
        LAW(world, again.status == status || again.status >= 500,
            "%s is answered %u without memory, else %u: %s: %.200s", sent->path, status,
            again.status, sent->body ? sent->body : "",
            flight->response.body ? flight->response.body : "");
        response_done(&again);
    }
    if (sent->what == ASK_CREATE && flight->taken)
        memcpy(flight->player->game->gid, flight->response.gid, 16);
}

static void take_stream(struct player *player, struct response *response)
{
    player->stream = response->stream;
    player->streaming = true;
}

static void send(struct world *world, struct player *player, struct sent *sent, bool ghost)
{
    struct flight *flight = &world->flights[world->flight_count];

    if (world->flight_count == FLIGHTS_MAX) {
        sent_done(sent);
        return;
    }
    *flight = (struct flight){.player = player, .sent = *sent, .ghost = ghost};
    *sent = (struct sent){0};
    tell(world, flight->sent.path, strlen(flight->sent.path));
    if (flight->sent.body)
        tell(world, flight->sent.body, strlen(flight->sent.body));
    flight->seen = player->game->seq;
    world->flight_count++;
    player->busy = player->busy || !ghost;
    handle(world, flight, false);
}

void world_ask(struct world *world, struct player *player, struct sent *sent)
{
    struct sent copy = {0};
    bool twice = sent->key[0] && !world->calm && one_in(world, 12);

    if (world->flight_count + 2 > FLIGHTS_MAX) {
        sent_done(sent);
        return;
    }
    if (twice)
        sent_copy(sent, &copy);
    send(world, player, sent, false);
    if (twice)
        send(world, player, &copy, true);
}

/* Answering */

static void tell_answer(struct world *world, const struct response *response)
{
    size_t size;
    const char *body = response_body(response, &size);

    tell(world, &response->status, sizeof response->status);
    for (size_t i = 0; i < response->header_count; i++) {
        const char *value = response_value(response, i);
        tell(world, response->headers[i].name, strlen(response->headers[i].name));
        tell(world, value, strlen(value));
    }
    tell(world, body, size);
}

static void flight_done(struct flight *flight)
{
    sent_done(&flight->sent);
    response_done(&flight->response);
}

static void answer(struct world *world, struct flight *flight, int error)
{
    struct player *player = flight->player;
    struct response *response = &flight->response;
    struct request request;
    char room[128];
    size_t size;

    if (error) {
        fill(&flight->sent, room, &request);
        api_failed(world->api, &request, error, response);
        flight->felt = true;
    }
    if (response->kind == RESPONSE_STREAM)
        take_stream(player, response);
    const char *body = response_body(response, &size);
    json_t *json = size ? json_read(body, size, NULL) : NULL;
    tell_answer(world, response);
    laws_answer(world, flight, response->status, json);
    world->tallies.failed += response->status >= 500;
    if (!flight->ghost) {
        player->busy = false;
        if (response->status >= 500)
            player_unsure(player, &flight->sent);
        else if (!broken(world))
            player_hear(player, &flight->sent, response->status, json);
    }
    json_decref(json);
}

/* What waits for news is asked again when there are some, or when it has waited for too long.
 */
static bool poll_again(struct world *world, struct flight *flight)
{
    bool news = flight->player->game->seq != flight->seen;

    if (!news && !one_in(world, 10))
        return false;
    response_done(&flight->response);
    flight->seen = flight->player->game->seq;
    handle(world, flight, !news);
    return flight->response.kind != RESPONSE_WAIT;
}

static void deliver(struct world *world)
{
    for (size_t i = 0; i < world->flight_count && !broken(world); i++) {
        struct flight *flight = &world->flights[i], done;
        int error;
        if (flight->response.kind == RESPONSE_WAIT && !poll_again(world, flight))
            continue;
        if (!disk_settled(world->disk, flight->response.ticket, &error))
            continue;
        done = *flight;
        *flight = world->flights[--world->flight_count];
        i--;
        answer(world, &done, error);
        flight_done(&done);
    }
}

/* The next lines of a stream. */
static void pump(struct world *world, struct player *player)
{
    struct out out = {0};
    uint32_t after = player->stream.after;
    enum stream_state state = api_stream(world->api, &player->stream, &out);

    tell(world, out.text, out.size);
    if (out.size)
        laws_bytes(world, player, out.text, out.size);
    for (size_t at = 0; at < out.size && !broken(world);) {
        const char *line = out.text + at;
        size_t size = (size_t)((const char *)memchr(line, '\n', out.size - at) - line);
        json_t *events = json_pack("[o]", json_read(line, size, NULL));
        LAW(world, events, "a stream is no JSON: %.*s", (int)size, line);
        LAW(world,
            json_integer_value(json_object_get(json_array_get(events, 0), "seq")) ==
                (json_int_t)++after,
            "%s: a stream leaves an event out: %.*s", player->game->table.id, (int)size, line);
        laws_events(world, player, events);
        json_decref(events);
        at += size + 1;
    }
    out_done(&out);
    player->streaming = state != STREAM_ENDED;
}

/* Faults */

static bool start_api(struct world *world)
{
    world->ports = disk_ports(world->disk);
    world->api = api_new(&world->config, &world->ports);
    return world->api;
}

/* Everything in memory is gone; what was on its way to the disk may have arrived. */
static void crash(struct world *world)
{
    world->tallies.crashes++;
    api_free(world->api);
    disk_crash(world->disk);
    while (world->flight_count) {
        struct flight *flight = &world->flights[--world->flight_count];
        if (!flight->ghost) {
            flight->player->busy = false;
            player_unsure(flight->player, &flight->sent);
        }
        flight_done(flight);
    }
    for (size_t i = 0; i < world->game_count; i++)
        for (uint32_t k = 0; k < world->games[i].players + 2U; k++)
            player_at(&world->games[i], k)->streaming = false;
    if (!start_api(world))
        abort();
}

/* So late that no key is known any more. */
static void next_day(struct world *world)
{
    world->day++;
    world->first_count = 0;
    world->landed_key_count = 0;
    for (size_t i = 0; i < world->game_count; i++)
        for (uint32_t k = 0; k < world->games[i].players + 2U; k++) {
            struct player *player = player_at(&world->games[i], k);
            if (player->is_owed && player->owed.what != ASK_CREATE)
                sent_done(&player->owed);
            player->is_owed = player->is_owed && player->owed.what == ASK_CREATE;
        }
}

static void move_clock(struct world *world, int64_t ms)
{
    world->now_ms += ms;
    memory_set_clock(world->memory, world->now_ms);
}

static void jump(struct world *world)
{
    if (one_in(world, 12) && !world->flight_count) {
        next_day(world);
        move_clock(world, 30 * (int64_t)HOUR_MS);
        return;
    }
    int64_t far = below(world, 2 * HOUR_MS);
    move_clock(world, one_in(world, 2) ? far : -far);
}

static void go_wrong(struct world *world)
{
    static const int errors[] = {-EIO, -ENOSPC, -ENOMEM, -EAGAIN};
    int error = errors[below(world, 3)];

    world->tallies.faults++;
    switch (below(world, 6)) {
    case 0:
        disk_fail(world->disk, error, false);
        break;
    case 1:
        disk_fail(world->disk, error, true);
        break;
    case 2:
        crash(world);
        break;
    case 3:
        world->refusing = true;
        disk_refuse(world->disk, error);
        break;
    case 4:
        world->blind = true;
        disk_blind(world->disk, -EIO);
        break;
    default:
        jump(world);
    }
}

static void get_well(struct world *world)
{
    world->refusing = world->blind = false;
    disk_refuse(world->disk, 0);
    disk_blind(world->disk, 0);
}

static void be_calm(struct world *world)
{
    world->calm = true;
    world->scarce = false;
    get_well(world);
}

/* Steps */

static void look_at_games(struct world *world)
{
    for (size_t i = 0; i < world->game_count && !broken(world); i++) {
        struct game *game = &world->games[i];
        if (game->seq == game->looked)
            continue;
        if (disk_pending(world->disk, game->gid) || world->blind)
            continue;
        game->looked = game->seq;
        laws_game(world, game);
        if (one_in(world, 16))
            laws_views(world, game);
    }
}

static bool all_over(const struct world *world)
{
    for (size_t i = 0; i < world->game_count; i++)
        if (!world->games[i].ended)
            return false;
    return true;
}

/* Any game, but those that are over seldom; and mostly one who plays. */
static struct player *any_player(struct world *world)
{
    struct game *game;
    bool any = one_in(world, 30);

    do
        game = &world->games[below(world, (uint32_t)world->game_count)];
    while (game->ended && !any && !all_over(world));
    if (!game->made)
        return &game->host;
    return player_at(game, below(world, game->players + (one_in(world, 8) ? 2U : 0U)));
}

static void step(struct world *world, uint32_t wrong)
{
    struct player *player = any_player(world);
    struct game *game = player->game;
    uint32_t what = below(world, 100);

    move_clock(world, below(world, 2000));
    if ((world->refusing || world->blind) && one_in(world, 12))
        get_well(world);
    if (wrong && one_in(world, wrong))
        go_wrong(world);
    if (wrong && one_in(world, wrong))
        world->scarce = true;
    if (what < 75)
        player_act(player);
    else if (what < 97)
        disk_write(world->disk, one_in(world, 2));
    else if (what < 98)
        api_tick(world->api);
    else if (game->watcher.streaming)
        pump(world, &game->watcher);
    if (!broken(world))
        deliver(world);
    look_at_games(world);
}

/* Nobody could finish it: a seat was lost. The operator can. */
static void call_off(struct world *world, struct game *game)
{
    struct sent sent = {.what = ASK_ABORT};
    struct response response;
    int error;

    if (!game->made || game->ended)
        return;
    (void)snprintf(sent.path, sizeof sent.path, "/v1/games/%s/abort", game->table.id);
    (void)snprintf(sent.bearer, sizeof sent.bearer, "Bearer %s", world->operator_text);
    world_ask_now(world, world->api, &sent, &response);
    disk_write(world->disk, true);
    LAW(world,
        response.status == 200 && disk_settled(world->disk, response.ticket, &error) && !error,
        "%s cannot be called off: %u", game->table.id, response.status);
    response_done(&response);
}

/* No more faults: everything that was begun can be brought to an end. */
static void finish(struct world *world)
{
    be_calm(world);
    disk_write(world->disk, true);
    for (size_t i = 0; i < world->game_count; i++)
        world->games[i].moves_left = 0;
    for (int i = 0; i < ENDING_ROUNDS && !all_over(world) && !broken(world); i++)
        step(world, 0);
    disk_write(world->disk, true);
    if (!broken(world))
        deliver(world);
    for (size_t i = 0; i < world->game_count && !broken(world); i++)
        call_off(world, &world->games[i]);
    for (size_t i = 0; i < world->game_count && !broken(world); i++) {
        laws_game(world, &world->games[i]);
        laws_views(world, &world->games[i]);
        laws_end(world, &world->games[i]);
        world->tallies.games += world->games[i].made;
        world->tallies.over += world->games[i].status == STATUS_OVER;
    }
}

static void open_world(struct world *world, uint64_t seed, enum plant plant)
{
    memset(world, 0, sizeof *world);
    world->seed = seed;
    world->chance = (struct seeded){seed * UINT64_C(0xd1342543de82ef95)};
    crypto_generichash_init(&world->told, NULL, 0, 32);
    world->memory = memory_new(seed);
    world->now_ms = INT64_C(1798761600000);
    world->disk = disk_new(world->memory, &world->chance, truth_landed, world);
    disk_plant(world->disk, plant);
    memory_config(&world->config, world->operator_text);
    if (one_in(world, 3))
        world->config.games_in_memory = 1;
    const struct ports ports = memory_ports(world->memory);
    world->witness = api_new(&world->config, &ports);
    if (!start_api(world) || !world->witness)
        abort();
    world->game_count = 1 + below(world, GAMES_MAX);
    for (size_t i = 0; i < world->game_count; i++) {
        world->games[i].world = world;
        players_init(&world->games[i]);
    }
}

static void close_world(struct world *world)
{
    while (world->flight_count)
        flight_done(&world->flights[--world->flight_count]);
    for (size_t i = 0; i < world->game_count; i++)
        players_done(&world->games[i]);
    api_free(world->api);
    api_free(world->witness);
    disk_free(world->disk);
    memory_free(world->memory);
    free(world->landed_keys);
}

bool world_play(struct world *world, uint64_t seed, enum plant plant, uint8_t ret_hash[32])
{
    static const uint32_t rates[] = {0, 25, 80, 300};

    open_world(world, seed, plant);
    uint32_t wrong = rates[below(world, 4)];
    if (plant && !wrong)
        wrong = 40;
    int steps = STEPS_A_GAME * (int)world->game_count;
    for (int i = 0; i < steps && !all_over(world) && !broken(world); i++)
        step(world, wrong);
    if (!broken(world))
        finish(world);
    crypto_generichash_final(&world->told, ret_hash, 32);
    close_world(world);
    return !broken(world);
}
