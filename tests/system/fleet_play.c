#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/base64.h"
#include "api/commit.h"
#include "api/hex.h"
#include "api/options.h"
#include "rules/rulesets.h"
#include "tests/support/table.h"
#include "tests/system/fleet_table.h"

static bool is(const struct table *table, const char *status)
{
    return strcmp(table->status, status) == 0;
}

static bool over(const struct table *table)
{
    return is(table, "over") || is(table, "aborted");
}

static uint8_t any_seat(struct table *table)
{
    return (uint8_t)roll(table, table->options.players);
}

static const char *seat_word(const struct table *table, uint8_t seat)
{
    return table->codec->rules->seats[seat];
}

/* One that is to act, or any. */
static uint8_t acting_seat(struct table *table)
{
    uint8_t seat = any_seat(table);

    while (table->to_act && !(table->to_act >> seat & 1))
        seat = any_seat(table);
    return seat;
}

/* A change that must be refused with that status, and is not kept. */
static bool refused(struct table *table, const char *path, json_t *body, const char *credential,
                    unsigned status)
{
    char whole[192], *text = body ? json_dumps(body, JSON_COMPACT) : NULL;
    const struct ask ask = {
        .method = "POST", .path = whole, .body = text, .credential = credential};
    struct told told;

    (void)snprintf(whole, sizeof whole, "/v1/games/%s%s", table->id, path);
    bool asked = table_ask(table, &ask, &told);
    bool good = asked && (told.status == status || told.status == 0);
    if (asked && !good)
        disagree(table, "%s %s: answered %u, expected %u: %s", path, text ? text : "",
                 told.status, status, told.body);
    if (asked)
        told_done(&told);
    free(text);
    json_decref(body);
    return good;
}

/* Making it */

static void pick_game(struct table *table, json_t *body)
{
    const struct plan *plan = table->plan;
    const struct ruleset *rules = plan->ruleset
                                      ? ruleset_find(plan->ruleset)
                                      : rulesets[roll(table, (uint32_t)ruleset_count)];
    uint8_t variant = plan->variant ? (uint8_t)ruleset_variant(rules, plan->variant)
                                    : (uint8_t)roll(table, (uint32_t)rules->variant_count);
    uint8_t more = (uint8_t)(rules->seats_max - rules->seats_min + 1);
    uint8_t players = (uint8_t)(rules->seats_min + roll(table, more));
    struct fault fault;

    json_object_set_new(body, "ruleset", json_string(rules->id));
    if (variant || rarely(table, 2))
        json_object_set_new(body, "variant", json_string(rules->variants[variant].id));
    if (players > rules->seats_min || rarely(table, 2))
        json_object_set_new(body, "players", json_integer(players));
    table->codec = codec_of(rules);
    json_t *options = random_options(table, variant, players);
    if (json_object_size(options) || rarely(table, 2))
        json_object_set(body, "options", options);
    const struct choice choice = {.ruleset = rules->id,
                                  .variant = rules->variants[variant].id,
                                  .options = options,
                                  .players = players};
    if (!options_read(&choice, &table->codec, &table->options, &fault))
        disagree(table, "the fleet's own options are wrong: %s %s", fault.pointer,
                 fault.detail);
    json_decref(options);
}

static void name_seats(struct table *table, json_t *body)
{
    json_t *seats = json_object();

    for (uint8_t i = 0; i < table->options.players; i++) {
        if (!rarely(table, 3))
            continue;
        (void)snprintf(table->name[i], sizeof table->name[i], "Žofie %u", roll(table, 100));
        json_object_set_new(seats, seat_word(table, i),
                            json_pack("{s:s}", "name", table->name[i]));
    }
    if (json_object_size(seats) || rarely(table, 4))
        json_object_set(body, "seats", seats);
    json_decref(seats);
}

static bool read_created(struct table *table, const json_t *answer)
{
    const json_t *seats = json_object_get(answer, "seats");
    const char *id = json_string_value(json_object_get(answer, "id"));
    const char *host = json_string_value(json_object_get(answer, "host"));

    if (!id || !host || !base64_decode(id, strlen(id), table->gid, sizeof table->gid))
        return disagree(table, "a game was made without id or host");
    (void)snprintf(table->id, sizeof table->id, "%s", id);
    (void)snprintf(table->host, sizeof table->host, "%s", host);
    for (uint8_t i = 0; i < table->options.players; i++) {
        const json_t *seat = json_object_get(seats, seat_word(table, i));
        const char *invite = json_string_value(json_object_get(seat, "invite"));
        if (!invite)
            return disagree(table, "no invite for %s", seat_word(table, i));
        (void)snprintf(table->invite[i], sizeof table->invite[i], "%s", invite);
    }
    return true;
}

static bool create(struct table *table)
{
    json_t *body = json_object();
    const struct deed *deed;

    pick_game(table, body);
    name_seats(table, body);
    table->spectators = table->plan->keeps || !rarely(table, 5);
    if (!table->spectators || rarely(table, 3))
        json_object_set_new(body, "spectators", json_boolean(table->spectators));
    if (rarely(table, 3))
        json_object_set_new(body, "custody", json_string("referee"));
    if (rarely(table, 3))
        json_object_set_new(body, "clock", json_null());
    if (table->failed)
        return false;
    if (!table_do(
            table,
            (struct deed){.kind = DEED_CREATE, .seat = NO_SEAT, .sent = json_incref(body)}, "",
            body, NULL, &deed))
        return false;
    if (deed->status != 201)
        return disagree(table, "making a game: %u", deed->status);
    (void)snprintf(table->status, sizeof table->status, "waiting");
    return read_created(table, deed->answer);
}

/* Seats */

static bool reissue(struct table *table, uint8_t seat)
{
    const struct deed *deed;
    char path[64], old[64];

    (void)snprintf(path, sizeof path, "/seats/%s/invite", seat_word(table, seat));
    (void)snprintf(old, sizeof old, "%s", table->invite[seat]);
    if (!table_do(table, (struct deed){.kind = DEED_INVITE, .seat = seat}, path, NULL,
                  table->host, &deed))
        return false;
    const char *invite = json_string_value(json_object_get(deed->answer, "invite"));
    if (!invite)
        return disagree(table, "a new invite was answered %u", deed->status);
    (void)snprintf(table->invite[seat], sizeof table->invite[seat], "%s", invite);
    (void)snprintf(path, sizeof path, "/seats/%s", seat_word(table, seat));
    return refused(table, path, NULL, old, 401);
}

static json_t *seat_body(struct table *table, uint8_t seat)
{
    json_t *body = json_object();
    uint8_t commitment[32];
    char hex[65];

    if (rarely(table, 2)) {
        (void)snprintf(table->name[seat], sizeof table->name[seat], "%s \"%u\"",
                       seat_word(table, seat), roll(table, 100));
        json_object_set_new(body, "name", json_string(table->name[seat]));
    }
    table->committed[seat] = !rarely(table, 3);
    if (!table->committed[seat])
        return body;
    for (int i = 0; i < 32; i++)
        table->seeds[seat][i] = (uint8_t)roll(table, 256);
    commit_player_seed(table->gid, 0, seat, table->seeds[seat], commitment);
    hex_encode(commitment, 32, hex);
    json_object_set_new(body, "seed_commit", json_string(hex));
    return body;
}

static bool take_seat(struct table *table, uint8_t seat)
{
    const struct deed *deed;
    char path[64];

    (void)snprintf(path, sizeof path, "/seats/%s", seat_word(table, seat));
    if (rarely(table, 6) && !reissue(table, seat))
        return false;
    if (rarely(table, 6) && !refused(table, path, NULL, table->host, 403))
        return false;
    if (rarely(table, 6) && !refused(table, path, NULL, NULL, 401))
        return false;
    json_t *body = seat_body(table, seat);
    if (!table_do(table,
                  (struct deed){.kind = DEED_SEAT, .seat = seat, .sent = json_incref(body)},
                  path, body, table->invite[seat], &deed))
        return false;
    const char *credential = json_string_value(json_object_get(deed->answer, "credential"));
    if (deed->status != 201 || !credential)
        return disagree(table, "taking %s: %u", seat_word(table, seat), deed->status);
    (void)snprintf(table->seat[seat], sizeof table->seat[seat], "%s", credential);
    table->taken[seat] = true;
    return !rarely(table, 4) || refused(table, path, NULL, table->invite[seat], 401);
}

static bool take_seats(struct table *table)
{
    uint8_t order[SEATS_MAX];

    seeded_permutation(&table->chance, order, table->options.players);
    for (uint8_t i = 0; i < table->options.players; i++)
        if (!take_seat(table, order[i]))
            return false;
    return true;
}

/* Seeds and set-ups */

static bool tell_seed(struct table *table, uint8_t seat)
{
    const struct deed *deed;
    char hex[65];

    hex_encode(table->seeds[seat], 32, hex);
    json_t *body = json_pack("{s:s}", "seed", hex);
    hex[0] = hex[0] == '0' ? '1' : '0';
    if (rarely(table, 4) &&
        !refused(table, "/seeds", json_pack("{s:s}", "seed", hex), table->seat[seat], 422))
        return false;
    if (!table_do(table, (struct deed){.kind = DEED_SEED, .seat = seat}, "/seeds", body,
                  table->seat[seat], &deed))
        return false;
    table->revealed[seat] = deed->status == 200;
    return true;
}

static bool tell_seeds(struct table *table)
{
    uint8_t order[SEATS_MAX];

    seeded_permutation(&table->chance, order, table->options.players);
    for (uint8_t i = 0; i < table->options.players && is(table, "seeding"); i++)
        while (table->committed[order[i]] && !table->revealed[order[i]])
            if (!tell_seed(table, order[i]))
                return false;
    return true;
}

static json_t *pieces_of(const struct table *table, const struct event *event)
{
    struct out out = {0};

    table->codec->write_setup(&out, NULL, event);
    json_t *pieces = json_loadb(out.text, out.size, 0, NULL);
    out_done(&out);
    return pieces;
}

/* Takes a piece away, or puts one where it may not stand. */
static void spoil(struct table *table, json_t *pieces, uint8_t seat)
{
    static const char *const strange[] = {"e5", "a10", "a1"};
    const char *square = json_object_iter_key(json_object_iter(pieces));
    json_t *piece = json_incref(json_object_get(pieces, square));

    json_object_del(pieces, square);
    if (rarely(table, 2))
        json_object_set(pieces, strange[rarely(table, 2) ? 0 : seat ? 2 : 1], piece);
    json_decref(piece);
}

static bool set_up(struct table *table, uint8_t seat)
{
    struct event event = table_setup(table->options.variant, seat, &table->chance);
    json_t *pieces = pieces_of(table, &event);
    const struct deed *deed;

    if (rarely(table, 4))
        spoil(table, pieces, seat);
    if (!table_do(table, (struct deed){.kind = DEED_SETUP, .seat = seat, .sent = pieces},
                  "/setup", json_pack("{s:O}", "pieces", pieces), table->seat[seat], &deed))
        return false;
    if (deed->status == 422)
        return true;
    const char *secret = json_string_value(json_object_get(deed->answer, "secret"));
    if (deed->status != 200 || !secret || !hex_decode(secret, 64, table->secret[seat], 32))
        return disagree(table, "a set-up was answered %u", deed->status);
    table->setup[seat] = event;
    return !rarely(table, 4) ||
           refused(table, "/setup", json_pack("{s:{}}", "pieces"), table->seat[seat], 409);
}

/* Moves and what else is done in play */

static bool get_list(struct table *table, uint8_t seat, const struct deed **ret_deed)
{
    return table_do(table, (struct deed){.kind = DEED_LIST, .seat = seat}, "/moves", NULL,
                    table->seat[seat], ret_deed);
}

/* A seat that is taken, or a spectator. */
static uint8_t any_viewer(struct table *table)
{
    uint8_t seat = any_seat(table);

    return table->taken[seat] && !rarely(table, 3) ? seat : NO_SEAT;
}

static bool get_view(struct table *table)
{
    uint8_t viewer = any_viewer(table);
    const struct deed *deed;

    return table_do(table, (struct deed){.kind = DEED_VIEW, .seat = viewer}, "", NULL,
                    viewer == NO_SEAT ? table->host : table->seat[viewer], &deed);
}

static bool get_events(struct table *table)
{
    uint8_t viewer = any_viewer(table);
    uint32_t after = table->seq - 1 - roll(table, table->seq < 12 ? table->seq : 12);
    const struct deed *deed;
    char path[64];

    (void)snprintf(path, sizeof path, "/events?after=%u%s", after,
                   rarely(table, 3) ? "&wait=1" : "");
    return table_do(table, (struct deed){.kind = DEED_EVENTS, .seat = viewer, .after = after},
                    path, NULL, viewer == NO_SEAT ? table->host : table->seat[viewer], &deed);
}

static bool post_move(struct table *table, uint8_t seat, json_t *move)
{
    struct deed deed = {.kind = DEED_MOVE, .seat = seat, .sent = move};
    json_t *body = json_pack("{s:O}", "move", move);
    const struct deed *done;

    deed.stale = rarely(table, 40);
    deed.broken = rarely(table, 60);
    if (!table_do(table, deed, "/moves", body, table->seat[seat], &done))
        return false;
    table->moves += done->kind == DEED_MOVE && done->status < 300;
    return true;
}

/* A seat that is to act, and what it may play. */
static bool list_moves(struct table *table, uint8_t *ret_seat)
{
    const struct deed *deed;

    *ret_seat = acting_seat(table);
    if (!get_list(table, *ret_seat, &deed))
        return false;
    json_decref(table->listed);
    table->listed = json_deep_copy(json_object_get(deed->answer, "moves"));
    return json_array_size(table->listed) ||
           disagree(table, "%s is to act and has no move", seat_word(table, *ret_seat));
}

static bool play_legal(struct table *table)
{
    uint8_t seat;

    return list_moves(table, &seat) &&
           post_move(table, seat, choose_move(table, table->listed));
}

static bool play_any(struct table *table)
{
    uint8_t seat;

    return list_moves(table, &seat) && post_move(table, seat, random_move(table));
}

static bool draw(struct table *table, uint8_t seat, const char *action)
{
    const struct deed *deed;

    return table_do(table,
                    (struct deed){.kind = DEED_DRAW, .seat = seat, .sent = json_string(action)},
                    "/draw", json_pack("{s:s}", "action", action), table->seat[seat], &deed);
}

static bool resign(struct table *table, uint8_t seat)
{
    const struct deed *deed;

    return table_do(table, (struct deed){.kind = DEED_RESIGN, .seat = seat}, "/resign",
                    rarely(table, 2) ? json_object() : NULL, table->seat[seat], &deed);
}

static bool abort_game(struct table *table)
{
    const struct deed *deed;

    return table_do(table, (struct deed){.kind = DEED_ABORT, .seat = NO_SEAT}, "/abort", NULL,
                    table->host, &deed);
}

/* The same key: the same answer; with another body: none. */
static bool ask_again(struct table *table)
{
    const struct kept_ask *kept = &table->kept;
    bool other = kept->body && *kept->body && rarely(table, 3);
    struct told told;

    if (!kept->path)
        return true;
    const struct ask ask = {.method = "POST",
                            .path = kept->path,
                            .body = other         ? "{\"other\":1}"
                                    : *kept->body ? kept->body
                                                  : NULL,
                            .credential = *kept->credential ? kept->credential : NULL,
                            .key = kept->key};
    if (!table_ask(table, &ask, &told))
        return false;
    bool good = other ? told.status == 422 && strstr(told.body, "idempotency_conflict")
                      : told.status == kept->status && strcmp(told.body, kept->answer) == 0;
    if (!good)
        disagree(table, "%s again under its key: %u\n%s\nbefore: %u\n%s", kept->path,
                 told.status, told.body, kept->status, kept->answer);
    told_done(&told);
    return good;
}

static bool give_up(struct table *table)
{
    static const char *const words[] = {"offer", "accept"};

    if (rarely(table, 2))
        return resign(table, acting_seat(table));
    for (uint8_t i = 0; i < table->options.players && !over(table); i++)
        if (!draw(table, i, words[i > 0]))
            return false;
    return true;
}

static bool step(struct table *table)
{
    static const char *const words[] = {"offer", "accept", "decline"};
    uint32_t what = roll(table, 100);

    if ((int)table->moves >= table->plan->moves)
        return give_up(table);
    if (what < 60)
        return play_legal(table);
    if (what < 76)
        return play_any(table);
    if (what < 79)
        return post_move(table, any_seat(table), random_move(table));
    if (what < 82)
        return draw(table, any_seat(table), words[roll(table, 3)]);
    if (what < 83)
        return !rarely(table, 3) || resign(table, any_seat(table));
    if (what < 87)
        return get_view(table);
    if (what < 90)
        return get_events(table);
    if (what < 93)
        return ask_again(table);
    if (what < 94)
        return stream_follow(table, false);
    if (what < 95)
        wire_restart(table->wire);
    return true;
}

static bool act(struct table *table)
{
    if (table->blind)
        return get_view(table);
    if (is(table, "seeding"))
        return tell_seeds(table);
    if (is(table, "setup"))
        return rarely(table, 60) ? resign(table, any_seat(table))
                                 : set_up(table, acting_seat(table));
    return step(table);
}

bool table_play(struct table *table)
{
    bool aborts = !table->plan->keeps && rarely(table, 40);
    const struct deed *deed;

    if (!create(table) || (aborts && rarely(table, 2) && !abort_game(table)))
        return false;
    if (!over(table) && (!take_seats(table) || !stream_open(table)))
        return false;
    if (aborts && !over(table) && !abort_game(table))
        return false;
    if (!ask_again(table) || !get_view(table))
        return false;
    while (!over(table))
        if (!act(table))
            return false;
    if (!get_view(table) || !ask_again(table))
        return false;
    return !table->taken[0] ||
           (get_list(table, 0, &deed) && post_move(table, 0, random_move(table)));
}
