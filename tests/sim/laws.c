/* What must hold after everything that happens. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/call.h"
#include "api/hex.h"
#include "api/verify.h"
#include "tests/sim/world.h"
#include "tests/support/twice.h"

static const char *text(const json_t *object, const char *key)
{
    const char *value = json_string_value(json_object_get(object, key));

    return value ? value : "";
}

static const char *name_of(const struct player *player)
{
    return player->seat == NO_SEAT ? "somebody without a seat"
                                   : player->game->codec->rules->seats[player->seat];
}

/* Secrets */

static bool is_hex(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

static bool is_base64(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           c == '-' || c == '_';
}

static void check_hex(struct world *world, const struct player *player, const char *hex)
{
    const struct game *game = player->game;

    for (size_t i = 0; i < game->secret_count; i++)
        LAW(world,
            game->secrets[i].owner == (player->seat == NO_SEAT ? -2 : player->seat) ||
                memcmp(game->secrets[i].text, hex, 64) != 0,
            "%s: %s is told a secret: %.64s", game->table.id, name_of(player), hex);
}

void laws_bytes(struct world *world, const struct player *player, const char *bytes,
                size_t size)
{
    for (size_t i = 0, run = 0; i < size; i++) {
        run = is_hex(bytes[i]) ? run + 1 : 0;
        if (run == 64 && (i + 1 == size || !is_hex(bytes[i + 1])))
            check_hex(world, player, bytes + i - 63);
        if (bytes[i] != 'r' || (i && is_base64(bytes[i - 1])) || i + 47 > size ||
            memcmp(bytes + i, "rfs_", 4) != 0)
            continue;
        size_t more = 4;
        while (more < 47 && is_base64(bytes[i + more]))
            more++;
        LAW(world, more < 47, "%s: %s is told a credential: %.47s", player->game->table.id,
            name_of(player), bytes + i);
    }
}

/* What is told of an event is what lies on the disk; `at` is told for `iat`, and of what only
 * tokens need nothing. */
static bool same_event(const json_t *told, const json_t *claims)
{
    json_t *walk = (json_t *)(uintptr_t)told, *value;
    size_t members = 0;
    const char *key;

    json_object_foreach(walk, key, value)
    {
        if (strcmp(key, "openings") == 0 || strcmp(key, "token") == 0 ||
            strcmp(key, "receipt") == 0)
            continue;
        members++;
        if (!json_equal(value, json_object_get(claims, strcmp(key, "at") == 0 ? "iat" : key)))
            return false;
    }
    return members + 2 == json_object_size(claims); /* gid and typ */
}

/* Nobody is told the face of a piece that has not fought him, nor of a card that is not his. */
static void check_openings(struct world *world, const struct player *player,
                           const json_t *event)
{
    const struct game *game = player->game;
    const json_t *openings = json_object_get(event, "openings");
    const char *type = text(event, "type");
    bool own = player->seat != NO_SEAT && strcmp(text(event, "seat"), name_of(player)) == 0;

    if (game->ended || !openings)
        return;
    if (game->codec == &st_codec)
        LAW(world, player->seat != NO_SEAT && strcmp(type, "combat") == 0,
            "%s: %s is told what piece it was", game->table.id, name_of(player));
    if (game->codec == &eg_codec && strcmp(type, "drawn_cards") == 0)
        LAW(world, own, "%s: %s is told what another drew", game->table.id, name_of(player));
}

void laws_events(struct world *world, const struct player *player, const json_t *events)
{
    const struct game *game = player->game;

    for (size_t i = 0; i < json_array_size(events) && !broken(world); i++) {
        const json_t *event = json_array_get(events, i);
        json_int_t seq = json_integer_value(json_object_get(event, "seq"));
        LAW(world, seq >= 1 && seq <= (json_int_t)game->seq,
            "%s: event %lld is told and not on disk", game->table.id, (long long)seq);
        if (broken(world))
            return;
        const json_t *claims = json_array_get(game->events, (size_t)seq - 1);
        LAW(world, same_event(event, claims), "%s: event %lld is told otherwise than it is",
            game->table.id, (long long)seq);
        check_openings(world, player, event);
    }
}

/* Views */

static unsigned square_of(const char *square)
{
    return (unsigned)((square[0] - 'a') * 12 + atoi(square + 1)) % BOARD;
}

static void check_pieces(struct world *world, const struct player *player, json_t *pieces)
{
    const struct game *game = player->game;
    const char *square;
    json_t *piece;

    json_object_foreach(pieces, square, piece)
    {
        const char *side = json_string_value(json_array_get(piece, 0));
        bool own = player->seat != NO_SEAT && side && strcmp(side, name_of(player)) == 0;
        LAW(world,
            own || json_is_null(json_array_get(piece, 1)) || game->fought[square_of(square)],
            "%s: %s sees a piece on %s that never fought", game->table.id, name_of(player),
            square);
    }
}

static void check_hands(struct world *world, const struct player *player, json_t *hands)
{
    const struct game *game = player->game;
    const char *seat;
    json_t *hand;

    json_object_foreach(hands, seat, hand)
    {
        bool own = player->seat != NO_SEAT && strcmp(seat, name_of(player)) == 0;
        LAW(world, own || json_is_integer(hand), "%s: %s sees another's hand", game->table.id,
            name_of(player));
    }
}

static void check_view(struct world *world, const struct player *player, const json_t *view)
{
    const struct game *game = player->game;
    json_t *board = json_object_get(view, "board");
    const char *you = text(view, "you");

    LAW(world, strcmp(you, player->seat == NO_SEAT ? "" : name_of(player)) == 0,
        "%s: %s gets a view of another", game->table.id, name_of(player));
    if (json_integer_value(json_object_get(view, "seq")) != (json_int_t)game->seq ||
        game->ended || game->custody == CUSTODY_TABLE)
        return;
    check_pieces(world, player, json_object_get(board, "pieces"));
    check_hands(world, player, json_object_get(board, "hands"));
}

/* Answers */

/* The first answer of a key is the answer to it for ever. */
static void check_key(struct world *world, const struct flight *flight, unsigned status)
{
    const struct sent *sent = &flight->sent;
    crypto_generichash_state hash;
    struct first first;
    size_t size;
    const char *body = response_body(&flight->response, &size);

    if (!sent->key[0] || status >= 500)
        return;
    crypto_generichash_init(&hash, NULL, 0, 32);
    crypto_generichash_update(&hash, (const uint8_t *)sent, offsetof(struct sent, match));
    if (sent->body)
        crypto_generichash_update(&hash, (const uint8_t *)sent->body, strlen(sent->body));
    crypto_generichash_final(&hash, first.key, 32);
    crypto_generichash_init(&hash, NULL, 0, 32);
    crypto_generichash_update(&hash, (const uint8_t *)&status, sizeof status);
    crypto_generichash_update(&hash, (const uint8_t *)body, size);
    crypto_generichash_final(&hash, first.answer, 32);
    for (size_t i = 0; i < world->first_count; i++) {
        if (memcmp(world->firsts[i].key, first.key, 32) != 0)
            continue;
        LAW(world, memcmp(world->firsts[i].answer, first.answer, 32) == 0,
            "%s under key %s gets another answer than before: %u", sent->path, sent->key,
            status);
        return;
    }
    if (status < 300 && world->first_count < KEYS_MAX)
        world->firsts[world->first_count++] = first;
}

static bool has_header(const struct response *response, const char *name)
{
    for (size_t i = 0; i < response->header_count; i++)
        if (strcmp(response->headers[i].name, name) == 0)
            return true;
    return false;
}

/* A failure is said as what it is, and only if there was one. */
static void check_failure(struct world *world, const struct flight *flight, unsigned status,
                          const json_t *json)
{
    const struct sent *sent = &flight->sent;
    const char *code = text(json, "code");

    LAW(world,
        (status == 503 && strcmp(code, "unavailable") == 0) ||
            (status == 507 && strcmp(code, "storage_full") == 0),
        "%s is answered %u %s: %s", sent->path, status, code, text(json, "detail"));
    LAW(world, has_header(&flight->response, "Retry-After"), "a %u without Retry-After",
        status);
    LAW(world, flight->felt, "%s is answered %u, and nothing has failed", sent->path, status);
}

/* Made of the very game that If-Match names. */
static void check_match(struct world *world, const struct flight *flight, const json_t *json)
{
    const struct sent *sent = &flight->sent;
    const json_t *first = json_array_get(json_object_get(json, "events"), 0);

    if (sent->match[0] && first && flight->taken)
        LAW(world,
            json_integer_value(json_object_get(first, "seq")) == atoi(sent->match + 1) + 1,
            "%s was done at another seq than If-Match %s", sent->path, sent->match);
}

void laws_answer(struct world *world, const struct flight *flight, unsigned status,
                 json_t *json)
{
    const struct player *player = flight->player;
    const struct game *game = player->game;
    const struct sent *sent = &flight->sent;
    size_t size;
    const char *body = response_body(&flight->response, &size);
    const json_t *seq = json_object_get(json, "seq");

    LAW(world, !size || json || status == 204, "%s: no JSON: %.100s", sent->path,
        body ? body : "");
    if (status >= 500)
        check_failure(world, flight, status, json);
    check_key(world, flight, status);
    if (sent->what == ASK_LIST)
        return;
    if (sent->what != ASK_CREATE && sent->what != ASK_SEAT)
        laws_bytes(world, player, body, size);
    if (status < 300 && sent->what < ASK_CHANGES)
        LAW(world, sent->what == ASK_CREATE || game->seq, "%s: a change is answered and lost",
            game->table.id);
    LAW(world, !json_is_integer(seq) || json_integer_value(seq) <= (json_int_t)game->seq,
        "%s: %s is answered %u with seq %lld, and on disk is %u", game->table.id, sent->path,
        status, (long long)json_integer_value(seq), game->seq);
    if (status >= 300 || broken(world))
        return;
    if (sent->what != ASK_OTHER || !json_object_get(json, "format")) /* no transcript */
        laws_events(world, player, json_object_get(json, "events"));
    check_match(world, flight, json);
    if (sent->what == ASK_VIEW)
        check_view(world, player, json);
    else if (json_object_get(json, "view"))
        check_view(world, player, json_object_get(json, "view"));
}

/* Games */

/* The referee's seed is a secret like others. */
static void note_seed(struct game *game, const struct fold *fold)
{
    char hex[65];

    hex_encode(fold->referee_seed, 32, hex);
    if (!game->ended)
        truth_secret(game, hex, -1, true);
}

void laws_game(struct world *world, struct game *game)
{
    struct ports ports = memory_ports(world->memory);
    struct games *games = &world->api->games;
    struct live *live;

    if (!game->seq || disk_pending(world->disk, game->gid) || world->blind)
        return;
    int error = games_take(games, game->gid, &live);
    LAW(world, !error, "%s cannot be read: %d", game->table.id, error);
    if (error)
        return;
    LAW(world,
        live->fold->seq == game->seq && memcmp(live->fold->link, game->link, 32) == 0 &&
            live->fold->status == game->status,
        "%s is at seq %u in memory, at %u on disk", game->table.id, live->fold->seq, game->seq);
    const char *fault =
        broken(world) ? NULL : twice_differs(&ports, &games->key, game->gid, live->fold);
    LAW(world, !fault, "%s at seq %u: %s", game->table.id, game->seq, fault);
    note_seed(game, live->fold);
    games_give(games, live);
    world->tallies.compared++;
}

static void compare_answers(struct world *world, const struct player *player,
                            const struct sent *sent)
{
    struct response one, other;
    size_t one_size, other_size;

    world_ask_now(world, world->api, sent, &one);
    world_ask_now(world, world->witness, sent, &other);
    const char *a = response_body(&one, &one_size), *b = response_body(&other, &other_size);
    LAW(world,
        one.status == other.status && one_size == other_size && memcmp(a, b, one_size) == 0,
        "%s of %s is other than of a game just read:\n%.200s\n%.200s", sent->path,
        name_of(player), a, b);
    if (one.status < 300)
        laws_bytes(world, player, a, one_size);
    response_done(&one);
    response_done(&other);
}

static void compare_viewer(struct world *world, const struct player *player)
{
    struct sent sent = {.what = ASK_VIEW};

    if (player->credential[0])
        (void)snprintf(sent.bearer, sizeof sent.bearer, "Bearer %s", player->credential);
    (void)snprintf(sent.path, sizeof sent.path, "/v1/games/%s", player->game->table.id);
    compare_answers(world, player, &sent);
    (void)snprintf(sent.path, sizeof sent.path, "/v1/games/%s/events?after=0&tokens=%u",
                   player->game->table.id, below(world, 2));
    compare_answers(world, player, &sent);
}

void laws_views(struct world *world, struct game *game)
{
    if (!game->made || !game->seq || disk_pending(world->disk, game->gid) || world->blind ||
        broken(world))
        return;
    for (uint8_t seat = 0; seat < game->players; seat++)
        compare_viewer(world, &game->seats[seat]);
    compare_viewer(world, &game->watcher);
    compare_viewer(world, &game->host);
}

void laws_end(struct world *world, struct game *game)
{
    struct sent sent = {.what = ASK_OTHER};
    struct response response;
    json_t *transcript, *view;
    size_t size;
    const char *body;

    if (!game->made)
        return;
    (void)snprintf(sent.bearer, sizeof sent.bearer, "Bearer %s", game->host.credential);
    (void)snprintf(sent.path, sizeof sent.path, "/v1/games/%s", game->table.id);
    world_ask_now(world, world->witness, &sent, &response);
    body = response_body(&response, &size);
    view = json_loadb(body, size, 0, NULL);
    response_done(&response);
    strcat(sent.path, "/transcript");
    world_ask_now(world, world->api, &sent, &response);
    body = response_body(&response, &size);
    LAW(world, response.status == 200, "%s is over and has no transcript: %.200s",
        game->table.id, body);
    transcript = json_loadb(body, size, 0, NULL);
    response_done(&response);
    if (!broken(world)) {
        struct out out = {0};
        LAW(world, verify_transcript(transcript, NULL, &out), "%s does not verify: %.300s",
            game->table.id, out.text);
        LAW(world,
            json_equal(json_object_get(transcript, "result"), json_object_get(view, "result")),
            "%s: the transcript has another result than the view", game->table.id);
        out_done(&out);
        world->tallies.verified++;
    }
    json_decref(transcript);
    json_decref(view);
}
