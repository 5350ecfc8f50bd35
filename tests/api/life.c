/* Whole games by chance in every variant: signed claims, links, openings, transcripts,
 * restarts.
 *
 * What the interface says of a game is checked against docs/protocol.md by its own bytes: the
 * tokens' claims are in their one form, each event carries the link of the one before, what is
 * opened fits what was committed to, and the transcript passes the verifier.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "api/base64.h"
#include "api/commit.h"
#include "api/hex.h"
#include "tests/support/client.h"

enum { MOVES_AT_MOST = 400 };

static const struct game {
    const char *creation, *variant; /* the variant of a game that is set up */
    unsigned seeds;                 /* seats that give a seed */
} games[] = {
    {"{\"ruleset\":\"engarde\"}", NULL, 0},
    {"{\"ruleset\":\"engarde\",\"options\":{\"first\":\"right\",\"after_parry\":\"defender\","
     "\"counterattack\":\"none\",\"hits_to_lose\":2}}",
     NULL, 3},
    {"{\"ruleset\":\"engarde\",\"variant\":\"knizia\"}", NULL, 1},
    {"{\"ruleset\":\"engarde\",\"variant\":\"knizia\",\"options\":{\"level\":\"basic\"}}", NULL,
     2},
    {"{\"ruleset\":\"engarde\",\"variant\":\"knizia\",\"options\":{\"level\":\"standard\"}}",
     NULL, 3},
    {"{\"ruleset\":\"roquefort\"}", NULL, 3},
    {"{\"ruleset\":\"roquefort\",\"players\":3,\"options\":{\"rooms\":\"B\"}}", NULL, 5},
    {"{\"ruleset\":\"roquefort\",\"players\":4,\"options\":{\"memory\":\"open\"}}", NULL, 0},
    {"{\"ruleset\":\"roquefort\",\"variant\":\"burg-appenzell\",\"players\":4}", NULL, 15},
    {"{\"ruleset\":\"stratego\"}", "marsal-a-spion", 3},
    {"{\"ruleset\":\"stratego\",\"options\":{\"captives\":\"shown\"}}", "marsal-a-spion", 0},
    {"{\"ruleset\":\"stratego\",\"variant\":\"classic\"}", "classic", 0},
    {"{\"ruleset\":\"stratego\",\"variant\":\"isf\",\"options\":{\"quiet_limit\":60}}", "isf",
     1},
    {"{\"ruleset\":\"stratego\",\"variant\":\"barrage\"}", "barrage", 2},
    {"{\"ruleset\":\"stratego\",\"variant\":\"duel\",\"options\":{\"ply_limit\":90}}", "duel",
     3},
    {"{\"ruleset\":\"stratego\",\"variant\":\"ultimate\"}", "ultimate", 0},
};

/* The claims of a token whose signature holds and which are in their one form. */
static json_t *claims_of(struct client *client, const char *token, char **ret_text)
{
    size_t size;
    char assertion[64];
    char *text = token_peek(token, &size);
    json_t *claims = text ? json_loadb(text, size, JSON_REJECT_DUPLICATES, NULL) : NULL;

    assert_non_null(claims);
    (void)snprintf(assertion, sizeof assertion, "refereed/v1/%s",
                   json_string_value(json_object_get(claims, "typ")));
    char *signed_text =
        token_verify_raw(client->config.signing.public_key, token, assertion, &size);
    assert_non_null(signed_text);
    assert_string_equal(signed_text, text);
    char *sorted = json_dumps(claims, JSON_SORT_KEYS | JSON_COMPACT);
    assert_string_equal(sorted, text);
    free(sorted);
    free(signed_text);
    *ret_text = text;
    return claims;
}

struct chain {
    struct client *client;
    const struct table *table;
    uint8_t link[32], gid[16];
    json_int_t seq;
    json_t *rounds;     /* commitments of cards by round */
    json_t *components; /* commitments of tiles, or of pieces by side */
    size_t opened;
};

static const char *text_at(json_t *value, const char *pointer)
{
    return json_string_value(json_at(value, pointer));
}

static uint8_t face_byte(const json_t *face, const char *const *words)
{
    uint8_t byte = 0;

    if (json_is_integer(face))
        return (uint8_t)json_integer_value(face);
    while (words[byte] && strcmp(words[byte], json_string_value(face)) != 0)
        byte++;
    assert_non_null(words[byte]);
    return byte;
}

/* One opening: its commitment, made anew, is the one that was published. */
static void check_opening(struct chain *chain, json_t *opening)
{
    static const char *const tiles[] = {"blank",     "emmental",  "gouda",   "edam",
                                        "roquefort", "camembert", "cheddar", "brie",
                                        "trapdoor",  NULL};
    const char *name = text_at(opening, "/component"), *nonce_text = text_at(opening, "/nonce");
    const json_t *face = json_object_get(opening, "face");
    uint8_t nonce[32], hash[32];
    unsigned round, index;
    char at[64], hex[65];

    assert_true(hex_decode(nonce_text, strlen(nonce_text), nonce, sizeof nonce));
    if (sscanf(name, "card/%u/%u", &round, &index) == 2) {
        commit_card(chain->gid, (uint8_t)round, (uint8_t)index, face_byte(face, NULL), nonce,
                    hash);
        (void)snprintf(at, sizeof at, "/%u/%u", round, index);
        hex_encode(hash, sizeof hash, hex);
        assert_string_equal(text_at(chain->rounds, at), hex);
    } else if (sscanf(name, "tile/%u", &index) == 1) {
        commit_tile(chain->gid, (uint8_t)index, face_byte(face, tiles), nonce, hash);
        (void)snprintf(at, sizeof at, "/%u", index);
        hex_encode(hash, sizeof hash, hex);
        assert_string_equal(text_at(chain->components, at), hex);
    } else {
        return; /* pieces: the transcript's verifier knows the ranks of each variant */
    }
    chain->opened++;
}

static void remember(struct chain *chain, json_t *event)
{
    json_t *commitments = json_object_get(event, "commitments");
    json_t *round = json_object_get(event, "round");
    char key[24];

    if (!commitments)
        return;
    if (!round) {
        json_decref(chain->components);
        chain->components = json_incref(commitments);
        return;
    }
    (void)snprintf(key, sizeof key, "%d", (int)json_integer_value(round));
    json_object_set(chain->rounds, key, commitments);
}

static void check_receipt(struct chain *chain, json_t *event, const char *seat)
{
    const char *receipt = text_at(event, "/receipt");
    char *text;

    assert_true((receipt != NULL) == (seat != NULL));
    if (!seat)
        return;
    json_t *claims = claims_of(chain->client, receipt, &text);
    json_t *openings = json_object_get(event, "openings");
    assert_string_equal(text_at(claims, "/typ"), "receipt");
    assert_string_equal(text_at(claims, "/prev"), text_at(event, "/prev"));
    assert_true(json_equal(json_object_get(claims, "seq"), json_object_get(event, "seq")));
    if (openings)
        assert_true(json_equal(openings, json_object_get(claims, "openings")));
    else
        assert_int_equal(json_array_size(json_object_get(claims, "openings")), 0);
    json_decref(claims);
    free(text);
}

static void check_event(struct chain *chain, json_t *event, const char *seat)
{
    char hex[65], *text;
    json_t *claims = claims_of(chain->client, text_at(event, "/token"), &text), *opening;
    size_t i;

    hex_encode(chain->link, sizeof chain->link, hex);
    assert_int_equal(json_integer_value(json_object_get(event, "seq")), ++chain->seq);
    assert_true(json_equal(json_object_get(claims, "seq"), json_object_get(event, "seq")));
    assert_string_equal(text_at(claims, "/prev"), hex);
    assert_string_equal(text_at(claims, "/gid"), chain->table->id);
    assert_string_equal(text_at(claims, "/iat"), text_at(event, "/at"));
    commit_link(text, strlen(text), chain->link);
    remember(chain, event);
    json_array_foreach(json_object_get(event, "openings"), i, opening)
        check_opening(chain, opening);
    check_receipt(chain, event, seat);
    json_decref(claims);
    free(text);
}

/* All receipts of one seq have one length, whatever they open and to whom. */
static void check_lengths(json_t *mine, json_t *others)
{
    json_t *event;
    size_t i;

    json_array_foreach(mine, i, event)
    {
        size_t length = strlen(text_at(event, "/receipt"));
        size_t other = strlen(text_at(json_array_get(others, i), "/receipt"));
        size_t more = length > other ? length - other : other - length;
        assert_true(more <= 4); /* seats' names differ by a letter or two */
    }
}

static json_t *all_events(struct client *client, const char *id, const char *bearer)
{
    json_t *all = json_array();
    json_int_t after = 0;

    for (;;) {
        char path[128];
        (void)snprintf(path, sizeof path, "/v1/games/%s/events?tokens=1&after=%d", id,
                       (int)after);
        struct answer answer = client_do(client, "GET", path, bearer, NULL, 200);
        json_t *events = json_object_get(answer.json, "events");
        bool more = json_array_size(events) > 0;
        assert_true(json_array_size(events) <= 500);
        json_array_extend(all, events);
        after = json_integer_value(json_object_get(answer.json, "next"));
        answer_done(&answer);
        if (!more)
            return all;
    }
}

static void check_chain(struct client *client, const struct table *table, int seat,
                        const char *name)
{
    struct chain chain = {.client = client, .table = table, .rounds = json_object()};
    json_t *events = all_events(client, table->id, seat < 0 ? NULL : table->seat[seat]), *event;
    size_t i;

    assert_true(base64_decode(table->id, strlen(table->id), chain.gid, 16));
    json_array_foreach(events, i, event) check_event(&chain, event, name);
    assert_true(seat < 0 || chain.opened || json_is_object(chain.components));
    if (seat > 0) {
        json_t *others = all_events(client, table->id, table->seat[0]);
        check_lengths(events, others);
        json_decref(others);
    }
    json_decref(chain.rounds);
    json_decref(chain.components);
    json_decref(events);
}

/* The verifier plays the transcript again; one digit that is changed anywhere is found. */
static void check_transcript(struct client *client, const struct table *table)
{
    char path[96];

    (void)snprintf(path, sizeof path, "/v1/games/%s/transcript", table->id);
    struct answer answer = client_do(client, "GET", path, NULL, NULL, 200);
    json_t *body = json_pack("{s:O}", "transcript", answer.json);
    char *text = json_dumps(body, JSON_COMPACT);
    struct answer verified = client_do(client, "POST", "/v1/verify", NULL, text, 200);
    if (!json_is_true(json_object_get(verified.json, "ok")))
        fail_msg("%s", verified.text);
    answer_done(&verified);
    free(text);
    json_t *secret = json_at(body, "/transcript/seeds/referee");
    if (json_is_string(secret)) {
        char changed[65];
        memcpy(changed, json_string_value(secret), sizeof changed);
        changed[0] = changed[0] == '0' ? '1' : '0';
        json_string_set(secret, changed);
        text = json_dumps(body, JSON_COMPACT);
        verified = client_do(client, "POST", "/v1/verify", NULL, text, 200);
        assert_true(json_is_false(json_object_get(verified.json, "ok")));
        answer_done(&verified);
        free(text);
    }
    json_decref(body);
    answer_done(&answer);
}

/* What everybody sees, in one piece. */
static char *all_seen(struct client *client, const struct table *table)
{
    static const char *const parts[] = {"", "/events?tokens=1", "/head"};
    struct out out = {0};
    char path[96];
    size_t size;

    for (size_t i = 0; i <= table->seats; i++)
        for (size_t j = 0; j < sizeof parts / sizeof *parts; j++) {
            (void)snprintf(path, sizeof path, "/v1/games/%s%s", table->id, parts[j]);
            struct answer answer = client_do(
                client, "GET", path, i < table->seats ? table->seat[i] : NULL, NULL, 200);
            out_bytes(&out, answer.text, answer.size);
            answer_done(&answer);
        }
    return out_take(&out, &size);
}

static void check_restart(struct client *client, const struct table *table)
{
    FILE *log = client->log;

    client->log = NULL; /* the end of the game has it all once more */
    char *before = all_seen(client, table);
    client_reload(client);
    char *after = all_seen(client, table);
    client->log = log;
    assert_string_equal(before, after);
    free(before);
    free(after);
}

/* The face of a tile on the castle's board; NULL: covered. */
static const char *board_face(json_t *board, int tile)
{
    json_t *id;
    const char *square;

    json_object_foreach(json_object_get(board, "ids"), square, id)
    {
        if (json_integer_value(id) == tile)
            return json_string_value(json_object_get(json_object_get(board, "tiles"), square));
    }
    return json_string_value(json_object_get(board, "spare"));
}

/* What lies under a roof again is told by no event any more; with memory "open" all is. */
static void check_told(struct client *client, const struct table *table)
{
    char path[96];
    json_t *event, *opening;
    size_t i, j;
    int tile;

    (void)snprintf(path, sizeof path, "/v1/games/%s", table->id);
    struct answer view = client_do(client, "GET", path, NULL, NULL, 200);
    json_t *events = all_events(client, table->id, NULL);
    json_array_foreach(events, i, event)
    {
        json_array_foreach(json_object_get(event, "openings"), j, opening)
        {
            if (sscanf(text_at(opening, "/component"), "tile/%d", &tile) != 1)
                continue;
            const char *face = board_face(json_object_get(view.json, "board"), tile);
            assert_non_null(face);
            assert_string_equal(face, text_at(opening, "/face"));
        }
    }
    json_decref(events);
    answer_done(&view);
}

static void end_by_hand(struct client *client, const struct table *table)
{
    char path[96];

    (void)snprintf(path, sizeof path, "/v1/games/%s/abort", table->id);
    struct answer answer = client_do(client, "POST", path, client->operator_text, NULL, 200);
    answer_done(&answer);
}

static void test_game(void **state)
{
    const struct game *game = *state;
    struct seeded seeded = {(uint64_t)(game - games) + 1};
    struct client client;
    struct table table;
    char log[32];
    int moves = 0;

    (void)snprintf(log, sizeof log, "life-%d", (int)(game - games));
    client_open(&client, log, seeded.state);
    table_make(&client, game->creation, game->seeds, &table);
    check_restart(&client, &table);
    for (int seat = 0; game->variant && seat < 2; seat++)
        table_set_up(&client, &table, game->variant, seat, &seeded);
    while (moves < MOVES_AT_MOST && table_move(&client, &table, &seeded)) {
        if (moves++ % 100 == 0)
            check_restart(&client, &table);
        if (moves % 50 == 0 && strstr(game->creation, "roquefort"))
            check_told(&client, &table);
    }
    if (moves == MOVES_AT_MOST)
        end_by_hand(&client, &table);
    check_restart(&client, &table);
    for (int seat = -1; seat < (int)table.seats; seat++)
        check_chain(&client, &table, seat, seat < 0 ? NULL : "a seat");
    check_transcript(&client, &table);
    print_message("%d moves\n", moves);
    client_close(&client);
}

static struct answer post(struct client *client, const struct table *table, const char *what,
                          const char *bearer, const char *body, unsigned status)
{
    char path[96];

    (void)snprintf(path, sizeof path, "/v1/games/%s/%s", table->id, what);
    return client_do(client, "POST", path, bearer, body, status);
}

static void verifies(struct client *client, const struct table *table)
{
    char path[96];

    (void)snprintf(path, sizeof path, "/v1/games/%s/transcript", table->id);
    struct answer transcript = client_do(client, "GET", path, NULL, NULL, 200);
    char *body = malloc(transcript.size + 64);
    assert_non_null(body);
    (void)snprintf(body, transcript.size + 64, "{\"transcript\":%s}", transcript.text);
    struct answer verdict = client_do(client, "POST", "/v1/verify", NULL, body, 200);
    if (!json_is_true(json_object_get(verdict.json, "ok")))
        fail_msg("%s\n%s", verdict.text, transcript.text);
    answer_done(&verdict);
    answer_done(&transcript);
    free(body);
}

/* SC-5: red's six bombs shut it in behind the lakes, and the game is over as it begins. */
static void test_shut_in(void **state)
{
    static const char *const ranks[] = {
        "flag",     "spy",        "scout",      "scout",      "scout",      "scout",
        "scout",    "scout",      "scout",      "scout",      "miner",      "miner",
        "miner",    "miner",      "miner",      "sergeant",   "sergeant",   "sergeant",
        "sergeant", "lieutenant", "lieutenant", "lieutenant", "lieutenant", "captain",
        "captain",  "captain",    "captain",    "major",      "major",      "major",
        "colonel",  "colonel",    "general",    "marshal"};
    static const char creation[] = "{\"ruleset\":\"stratego\",\"variant\":\"classic\"}";
    char body[1400];
    size_t used = (size_t)snprintf(body, sizeof body, "{\"pieces\":{"), next = 0;
    struct seeded seeded = {1};
    struct client client;
    struct table table;

    (void)state;
    for (int square = 0; square < 40; square++) {
        char file = (char)('a' + square % 10);
        bool bomb = square >= 30 && strchr("abefij", file);
        used += (size_t)snprintf(body + used, sizeof body - used, "%s\"%c%d\":\"%s\"",
                                 square ? "," : "", file, square / 10 + 1,
                                 bomb ? "bomb" : ranks[next]);
        next += !bomb;
    }
    (void)snprintf(body + used, sizeof body - used, "}}");
    client_open(&client, "shut-in", 1);
    table_make(&client, creation, 0, &table);
    table_set_up(&client, &table, "classic", 1, &seeded);
    struct answer answer = post(&client, &table, "setup", table.seat[0], body, 200);
    assert_string_equal(answer_text(&answer, "/status"), "over");
    assert_string_equal(answer_text(&answer, "/events/1/type"), "started");
    assert_string_equal(answer_text(&answer, "/events/2/type"), "ended");
    assert_string_equal(answer_text(&answer, "/view/result/reason"), "no_move");
    assert_string_equal(answer_text(&answer, "/view/result/ruling"), "SC-5");
    assert_string_equal(answer_text(&answer, "/view/result/winner"), "blue");
    answer_done(&answer);
    verifies(&client, &table);
    client_close(&client);
}

/* A draw that waits for one seat alone is agreed when that seat leaves. */
static void test_last_to_agree_leaves(void **state)
{
    static const char creation[] = "{\"ruleset\":\"roquefort\",\"players\":3}";
    struct client client;
    struct table table;

    (void)state;
    client_open(&client, "leaves", 2);
    table_make(&client, creation, 0, &table);
    struct answer answer =
        post(&client, &table, "draw", table.seat[0], "{\"action\":\"offer\"}", 200);
    answer_done(&answer);
    answer = post(&client, &table, "draw", table.seat[1], "{\"action\":\"accept\"}", 200);
    assert_string_equal(answer_text(&answer, "/status"), "playing");
    answer_done(&answer);
    answer = post(&client, &table, "resign", table.seat[2], "{}", 200);
    assert_string_equal(answer_text(&answer, "/view/result/reason"), "agreed");
    answer_done(&answer);
    verifies(&client, &table);
    client_close(&client);
}

/* Who has seen another's seed cannot choose his own any more. */
static void test_seed_too_late(void **state)
{
    static const char creation[] = "{\"ruleset\":\"stratego\"}";
    char body[128];
    struct client client;
    struct table table;

    (void)state;
    client_open(&client, "too-late", 3);
    table_make(&client, creation, 1, &table);
    struct answer answer =
        post(&client, &table, "seats/blue/invite", client.operator_text, "{}", 201);
    char *invite = strdup(answer_text(&answer, "/invite"));
    answer_done(&answer);
    (void)snprintf(body, sizeof body, "{\"seed_commit\":\"%064d\"}", 0);
    answer = post(&client, &table, "seats/blue", invite, body, 422);
    assert_string_equal(answer_text(&answer, "/pointer"), "/seed_commit");
    answer_done(&answer);
    answer = post(&client, &table, "seats/blue", invite, "{}", 201);
    answer_done(&answer);
    free(invite);
    client_close(&client);
}

int main(void)
{
    static const struct CMUnitTest others[] = {
        cmocka_unit_test(test_shut_in),
        cmocka_unit_test(test_last_to_agree_leaves),
        cmocka_unit_test(test_seed_too_late),
    };
    enum { COUNT = sizeof games / sizeof *games, OTHERS = sizeof others / sizeof *others };
    static struct CMUnitTest tests[COUNT + OTHERS];

    for (size_t i = 0; i < COUNT; i++)
        tests[i] = (struct CMUnitTest){games[i].creation, test_game, NULL, NULL,
                                       (void *)(uintptr_t)&games[i]};
    memcpy(tests + COUNT, others, sizeof others);
    return _cmocka_run_group_tests("lives", tests, COUNT + OTHERS, NULL, NULL);
}
