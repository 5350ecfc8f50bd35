/* Players' custody from set-up to audit: honest games, of which none is flagged, and one game
 * for each way to cheat, found at its seq. Each record passes the verifier.
 *
 * GAMES=N plays more honest games than usual.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "api/codec.h"
#include "api/hex.h"
#include "tests/support/army.h"

enum { GAMES_USUALLY = 60, NOW_S = 1798761600, MOVES_AT_MOST = 300 };

static const char *const variants[] = {"marsal-a-spion", "classic", "isf",
                                       "barrage",        "duel",    "ultimate"};

struct game {
    struct client client;
    struct table table;
    struct army army[2];
    struct seeded seeded;
};

static void open_game(struct game *game, const char *log, const char *variant, uint64_t seed)
{
    char creation[200];

    game->seeded = (struct seeded){seed};
    client_open(&game->client, log, seed);
    memory_set_clock(game->client.memory, INT64_C(1000) * NOW_S);
    (void)snprintf(creation, sizeof creation,
                   "{\"ruleset\":\"stratego\",\"variant\":\"%s\",\"custody\":\"players\","
                   "\"options\":{\"first\":\"red\",\"answer_s\":600}}",
                   variant);
    table_make(&game->client, creation, (unsigned)(seed & 3), &game->table);
    for (uint8_t i = 0; i < 2; i++)
        army_raise(&game->army[i], &game->client, &game->table, variant, i, &game->seeded);
}

static void commit(struct game *game)
{
    for (int i = 0; i < 2; i++) {
        struct answer answer = army_commit(&game->army[i], 200);
        answer_done(&answer);
    }
}

static struct answer get(struct game *game, const char *part, int seat, unsigned status)
{
    char path[96];

    (void)snprintf(path, sizeof path, "/v1/games/%s%s", game->table.id, part);
    return client_do(&game->client, "GET", path, seat < 0 ? NULL : game->table.seat[seat], NULL,
                     status);
}

/* What the record says of the end, after the verifier has passed it. */
static json_t *ending(struct game *game)
{
    struct answer transcript = get(game, "/transcript", -1, 200), events;
    char *body = malloc(transcript.size + 64);

    assert_non_null(body);
    (void)snprintf(body, transcript.size + 64, "{\"transcript\":%s}", transcript.text);
    struct answer verdict = client_do(&game->client, "POST", "/v1/verify", NULL, body, 200);
    if (!json_is_true(json_object_get(verdict.json, "ok")))
        fail_msg("%s\n%s", verdict.text, transcript.text);
    answer_done(&verdict);
    answer_done(&transcript);
    free(body);
    events = get(game, "/events?after=0", -1, 200);
    json_t *list = json_object_get(events.json, "events"), *last = NULL;
    for (json_int_t after = 0;;) {
        size_t count = json_array_size(list);
        if (!count)
            break;
        json_decref(last);
        last = json_incref(json_array_get(list, count - 1));
        after = json_integer_value(json_object_get(last, "seq"));
        answer_done(&events);
        char part[48];
        (void)snprintf(part, sizeof part, "/events?after=%lld", (long long)after);
        events = get(game, part, -1, 200);
        list = json_object_get(events.json, "events");
    }
    answer_done(&events);
    assert_string_equal(json_string_value(json_object_get(last, "type")), "ended");
    return last;
}

/* The audit of both; `end` gets the event `ended`. */
static json_t *audit(struct game *game)
{
    for (int i = 0; i < 2; i++) {
        struct answer answer = army_audit(&game->army[i], game->army[i].secret, 200);
        answer_done(&answer);
    }
    return ending(game);
}

static void close_game(struct game *game)
{
    client_close(&game->client);
}

static const char *said(const json_t *ended, const char *pointer)
{
    return json_string_value(json_at((json_t *)(uintptr_t)ended, pointer));
}

static int to_act(struct game *game, char ret_status[static 16])
{
    struct answer view = get(game, "", -1, 200);
    const char *who = answer_text(&view, "/to_act/0");

    (void)snprintf(ret_status, 16, "%s", answer_text(&view, "/status"));
    int seat = !who ? -1 : strcmp(who, "blue") == 0;
    answer_done(&view);
    return seat;
}

static void answer_challenge(struct game *game, struct answer *challenge)
{
    json_t *at = json_at(challenge->json, "/view/board/challenge");
    const char *to = json_string_value(json_object_get(at, "to"));
    char status[16], square[4] = "";

    if (to)
        (void)snprintf(square, sizeof square, "%s", to);
    answer_done(challenge);
    struct army *defender = &game->army[to_act(game, status)];
    *challenge = square[0] ? army_defend(defender, army_on(defender, square), 200)
                           : army_claim(defender, 200);
}

/* An honest move by chance, or an honest claim where there is none; false when play is over. */
static bool play(struct game *game, int *claims)
{
    char status[16];
    int seat = to_act(game, status);

    if (strcmp(status, "playing") != 0)
        return false;
    struct army *army = &game->army[seat];
    struct answer list = get(game, "/moves", seat, 200);
    json_t *moves = json_object_get(list.json, "moves");
    json_t *honest = json_array(), *move;
    size_t i;
    json_array_foreach(moves, i, move) if (army_may(army, move))
        json_array_append(honest, move);
    struct answer answer;
    if (json_array_size(honest)) {
        size_t which = seeded_below(&game->seeded, (uint32_t)json_array_size(honest));
        move = json_array_get(honest, which);
        const char *from = json_string_value(json_object_get(move, "from"));
        const char *to = json_string_value(json_object_get(move, "to"));
        bool opens = army_opens(army, &game->army[!seat], move);
        answer = army_move(army, from, to, opens ? army_on(army, from) : -1, 200);
    } else {
        answer = army_claim(army, 200);
        (*claims)++;
    }
    if (strcmp(answer_text(&answer, "/status"), "challenge") == 0)
        answer_challenge(game, &answer);
    army_follow(game->army, &answer);
    answer_done(&answer);
    json_decref(honest);
    answer_done(&list);
    return true;
}

static void test_honest_games(void **state)
{
    const char *more = getenv("GAMES");
    int games = more ? atoi(more) : GAMES_USUALLY, moves = 0, claims = 0, ended = 0;

    (void)state;
    for (int i = 0; i < games; i++) {
        struct game game;
        int at_most = more ? 40 : MOVES_AT_MOST, played = 0;
        char log[32];
        (void)snprintf(log, sizeof log, "players-honest-%u", (unsigned)i % 1000);
        open_game(&game, i < 6 ? log : NULL, variants[i % 6], (uint64_t)i + 200);
        commit(&game);
        while (played < at_most && play(&game, &claims))
            played++;
        char status[16];
        (void)to_act(&game, status);
        if (strcmp(status, "playing") == 0) {
            struct answer answer = army_post(&game.army[i & 1], "resign", "{}", 200);
            assert_string_equal(answer_text(&answer, "/view/audit"), "pending");
            answer_done(&answer);
        } else {
            ended++;
        }
        if (i % 5 == 0)
            client_reload(&game.client);
        json_t *end = audit(&game);
        if (strcmp(said(end, "/audit"), "clean") != 0)
            fail_msg("game %d: %s", i, json_dumps(end, 0));
        assert_null(json_object_get(end, "cheats"));
        json_decref(end);
        close_game(&game);
        moves += played;
    }
    print_message("%d games, %d moves, %d to their end, %d claims\n", games, moves, ended,
                  claims);
    assert_true(ended > 0 && (more || claims > 0));
}

/* The one cheat that is found, and who wins by it. */
static void found(struct game *game, const char *code, const char *seat, json_int_t seq)
{
    json_t *end = audit(game);

    assert_string_equal(said(end, "/audit"), "cheat");
    assert_int_equal(json_array_size(json_object_get(end, "cheats")), 1);
    assert_string_equal(said(end, "/cheats/0/code"), code);
    assert_string_equal(said(end, "/cheats/0/seat"), seat);
    assert_int_equal(json_integer_value(json_at(end, "/cheats/0/seq")), seq);
    assert_string_equal(said(end, "/result/reason"), "cheat");
    assert_string_equal(said(end, "/result/winner"), strcmp(seat, "red") == 0 ? "blue" : "red");
    json_decref(end);
}

static void resign(struct game *game, int seat)
{
    struct answer answer = army_post(&game->army[seat], "resign", "{}", 200);

    answer_done(&answer);
}

/* The seq of the newest event of that type and seat. */
static json_int_t seq_of(struct game *game, const char *type, const char *seat)
{
    struct answer events = get(game, "/events", -1, 200);
    json_int_t seq = 0;
    json_t *event;
    size_t i;

    json_array_foreach(json_object_get(events.json, "events"), i, event)
    {
        const char *who = json_string_value(json_object_get(event, "seat"));
        if (strcmp(json_string_value(json_object_get(event, "type")), type) == 0 && who &&
            strcmp(who, seat) == 0)
            seq = json_integer_value(json_object_get(event, "seq"));
    }
    answer_done(&events);
    assert_true(seq > 0);
    return seq;
}

/* A nonce that is not the secret's: the piece can be opened in play, not at the end. */
static void test_opening_mismatch(void **state)
{
    struct game game;

    (void)state;
    open_game(&game, "players-1", "classic", 3);
    memset(game.army[0].nonce[17], 0x5a, 32);
    commit(&game);
    json_int_t seq = seq_of(&game, "setup_done", "red");
    resign(&game, 1);
    found(&game, "opening_mismatch", "red", seq);
    close_game(&game);
}

static void test_wrong_count(void **state)
{
    struct game game;

    (void)state;
    open_game(&game, NULL, "marsal-a-spion", 4);
    struct army *blue = &game.army[1];
    blue->face[army_find(blue, "mine", 0)] = blue->face[army_find(blue, "marshal", 0)];
    commit(&game);
    json_int_t seq = seq_of(&game, "setup_done", "blue");
    resign(&game, 0);
    found(&game, "wrong_count", "blue", seq);
    close_game(&game);
}

/* The front row becomes scouts only: the ninth that runs is one too many. */
static void test_too_many_at_once(void **state)
{
    struct game game;
    char from[4], to[4];

    (void)state;
    open_game(&game, "players-2", "marsal-a-spion", 5);
    struct army *red = &game.army[0];
    uint8_t scout = red->face[army_find(red, "scout", 0)];
    for (int slot = 30; slot < SLOTS_MAX; slot++)
        red->face[slot] = scout;
    /* blue walks to and fro with a piece that can: its front row's first one is a captain */
    struct army *blue = &game.army[1];
    army_swap(blue, 39, army_find(blue, "captain", 0));
    commit(&game);
    for (int i = 0; i < 9; i++) {
        (void)snprintf(from, sizeof from, "%c4", 'b' + i);
        (void)snprintf(to, sizeof to, "%c6", 'b' + i);
        struct answer answer = army_move(red, from, to, army_on(red, from), 200);
        army_follow(game.army, &answer);
        assert_string_equal(answer_text(&answer, "/status"), i < 8 ? "playing" : "audit");
        answer_done(&answer);
        if (i == 8)
            break;
        answer =
            i & 1 ? army_move(blue, "a6", "a7", -1, 200) : army_move(blue, "a7", "a6", -1, 200);
        army_follow(game.army, &answer);
        answer_done(&answer);
    }
    found(&game, "wrong_count", "red", seq_of(&game, "moved", "red"));
    close_game(&game);
}

static void test_moved_immobile(void **state)
{
    struct game game;

    (void)state;
    open_game(&game, NULL, "barrage", 6);
    struct army *red = &game.army[0];
    int flag = army_find(red, "flag", 0);
    red->face[35] = red->face[flag]; /* f4: nothing stands before it */
    if (flag != 35)
        red->face[flag] = FACE_UNKNOWN, memset(red->at[flag], 0, 4);
    memcpy(red->at[35], "f4", 3);
    int count = 0;
    for (int slot = 0; slot < SLOTS_MAX; slot++)
        count += red->face[slot] != FACE_UNKNOWN;
    for (int slot = 0; count < 8; slot++) /* what stood on f4 goes to a free square */
        if (red->face[slot] == FACE_UNKNOWN) {
            static const char *const set[] = {"marshal", "general", "miner", "spy", "bomb"};
            for (size_t i = 0; i < 5; i++)
                if (army_find(red, set[i], 0) < 0)
                    red->face[slot] = st_codec.blind->face(&red->options, set[i]);
            if (red->face[slot] == FACE_UNKNOWN)
                red->face[slot] = st_codec.blind->face(&red->options, "scout");
            count++;
        }
    commit(&game);
    struct answer answer = army_move(red, "f4", "f5", -1, 200);
    answer_done(&answer);
    json_int_t seq = seq_of(&game, "moved", "red");
    resign(&game, 1);
    found(&game, "moved_immobile", "red", seq);
    close_game(&game);
}

/* Both at once: nobody wins. */
static void test_both_cheat(void **state)
{
    struct game game;

    (void)state;
    open_game(&game, NULL, "duel", 7);
    for (int i = 0; i < 2; i++) {
        struct army *army = &game.army[i];
        army->face[army_find(army, "spy", 0)] = army->face[army_find(army, "marshal", 0)];
    }
    commit(&game);
    resign(&game, 0);
    json_t *end = audit(&game);
    assert_int_equal(json_array_size(json_object_get(end, "cheats")), 2);
    assert_string_equal(said(end, "/result/reason"), "void");
    assert_true(json_is_null(json_at(end, "/result/winner")));
    json_decref(end);
    close_game(&game);
}

static void wait_until(struct game *game, int64_t now_s)
{
    memory_set_clock(game->client.memory, 1000 * now_s);
    api_tick(game->client.api);
}

/* No audit, no win; and a term is not over before it is over. */
static void test_no_audit(void **state)
{
    struct game game;

    (void)state;
    open_game(&game, "players-3", "ultimate", 8);
    commit(&game);
    resign(&game, 0);
    struct answer answer = army_audit(&game.army[0], game.army[0].secret, 200);
    assert_string_equal(answer_text(&answer, "/status"), "audit");
    answer_done(&answer);
    answer = army_audit(&game.army[0], game.army[0].secret, 409);
    answer_done(&answer);
    wait_until(&game, NOW_S + 599);
    answer = get(&game, "", 1, 200);
    assert_string_equal(answer_text(&answer, "/status"), "audit");
    assert_string_equal(answer_text(&answer, "/to_act/0"), "blue");
    assert_string_equal(answer_text(&answer, "/result/winner"), "blue");
    answer_done(&answer);
    wait_until(&game, NOW_S + 600);
    json_t *end = ending(&game);
    assert_string_equal(said(end, "/cheats/0/code"), "no_audit");
    assert_string_equal(said(end, "/cheats/0/seat"), "blue");
    assert_int_equal(json_integer_value(json_at(end, "/cheats/0/seq")),
                     seq_of(&game, "timed_out", "blue"));
    assert_string_equal(said(end, "/result/reason"), "no_audit");
    assert_string_equal(said(end, "/result/winner"), "red");
    json_decref(end);
    close_game(&game);
}

static void test_nobody_audits(void **state)
{
    struct game game;

    (void)state;
    open_game(&game, NULL, "classic", 9);
    commit(&game);
    resign(&game, 0);
    wait_until(&game, NOW_S + 600);
    json_t *end = ending(&game);
    assert_int_equal(json_array_size(json_object_get(end, "cheats")), 2);
    assert_string_equal(said(end, "/result/reason"), "void");
    json_decref(end);
    close_game(&game);
}

/* A term in each status; silence in a challenge loses, and the audit comes all the same. */
static void test_terms(void **state)
{
    struct game game;

    (void)state;
    open_game(&game, "players-4", "classic", 10);
    struct answer answer = army_commit(&game.army[1], 200);
    answer_done(&answer);
    wait_until(&game, NOW_S + 600);
    json_t *end = ending(&game);
    assert_string_equal(said(end, "/result/reason"), "time");
    assert_string_equal(said(end, "/result/winner"), "blue");
    json_decref(end);
    close_game(&game);

    open_game(&game, NULL, "classic", 11);
    wait_until(&game, NOW_S + 600);
    end = ending(&game);
    assert_string_equal(said(end, "/result/reason"), "void");
    json_decref(end);
    close_game(&game);

    open_game(&game, "players-5", "marsal-a-spion", 12);
    struct army *red = &game.army[0], *blue = &game.army[1];
    army_swap(red, 34, army_find(red, "scout", 0)); /* e4 runs up to e7 */
    commit(&game);
    wait_until(&game, NOW_S + 10000); /* in play no term runs */
    answer = army_move(red, "e4", "e7", army_on(red, "e4"), 200);
    assert_string_equal(answer_text(&answer, "/status"), "challenge");
    assert_string_equal(answer_text(&answer, "/view/answer_by"), "2027-01-01T02:56:40Z");
    answer_done(&answer);
    wait_until(&game, NOW_S + 10599);
    answer = army_defend(blue, army_on(blue, "e8"), 422); /* another piece than that on e7 */
    answer_done(&answer);
    wait_until(&game, NOW_S + 10600);
    answer = army_defend(blue, army_on(blue, "e7"), 409);
    answer_done(&answer);
    answer = get(&game, "", -1, 200);
    assert_string_equal(answer_text(&answer, "/status"), "audit");
    assert_string_equal(answer_text(&answer, "/result/winner"), "red");
    answer_done(&answer);
    end = audit(&game);
    assert_string_equal(said(end, "/audit"), "clean");
    assert_string_equal(said(end, "/result/reason"), "time");
    assert_string_equal(said(end, "/result/winner"), "red");
    json_decref(end);
    close_game(&game);
}

static void refused(struct answer answer, const char *code)
{
    assert_string_equal(answer_text(&answer, "/code"), code);
    answer_done(&answer);
}

/* What does not fit is refused and leaves no trace: not in the game, not in the store. */
static void test_bad_openings(void **state)
{
    struct game game;
    char body[400], opening[160];
    size_t before, after;

    (void)state;
    open_game(&game, "players-6", "marsal-a-spion", 13);
    struct army *red = &game.army[0], *blue = &game.army[1], lie;
    army_swap(red, 34, army_find(red, "scout", 0));
    army_swap(red, 33, army_find(red, "general", 0));
    refused(army_post(red, "moves", "{\"move\":{\"from\":\"a4\",\"to\":\"a5\"}}", 409),
            "wrong_status");
    refused(army_post(red, "setup", "{\"commitments\":[]}", 422), "invalid_body");
    refused(army_post(red, "setup", "{\"pieces\":{}}", 422), "invalid_body");
    commit(&game);
    refused(army_commit(red, 409), "wrong_status");
    free(memory_dump(game.client.memory, &before));

    refused(army_move(red, "e4", "e6", -1, 422), "illegal_move");                 /* unopened */
    refused(army_move(red, "d4", "d5", army_on(red, "d4"), 422), "illegal_move"); /* needless */
    refused(army_move(red, "d4", "d6", army_on(red, "d4"), 422), "illegal_move"); /* no scout */
    refused(army_move(red, "e4", "e6", army_on(red, "d4"), 422), "illegal_move"); /* its rank */
    lie = *red;
    lie.face[33] = red->face[34]; /* the general passes himself off as a scout */
    refused(army_move(&lie, "d4", "d6", army_on(red, "d4"), 422), "bad_opening");
    lie = *red;
    lie.nonce[34][0] ^= 1;
    refused(army_move(&lie, "e4", "e6", army_on(red, "e4"), 422), "bad_opening");
    int other = army_find(red, "scout", 0) == 34 ? army_find(red, "scout", 1)
                                                 : army_find(red, "scout", 0);
    refused(army_move(red, "e4", "e6", other, 422), "bad_opening"); /* another scout's */
    refused(army_defend(blue, 0, 409), "wrong_status");
    refused(army_claim(blue, 409), "not_your_turn");
    army_opening(red, 34, opening);
    (void)snprintf(body, sizeof body, "{\"opens\":[%s]}", opening);
    refused(army_post(red, "open", body, 422), "bad_opening"); /* not all that is left */
    (void)snprintf(body, sizeof body, "{\"opens\":[%s,%s]}", opening, opening);
    refused(army_post(red, "open", body, 422), "bad_opening");
    refused(army_post(red, "audit", "{}", 409), "wrong_status");
    free(memory_dump(game.client.memory, &after));
    assert_int_equal(before, after);

    struct answer answer = army_move(red, "e4", "e7", army_on(red, "e4"), 200);
    answer_done(&answer);
    free(memory_dump(game.client.memory, &before));
    refused(army_move(red, "d4", "d5", -1, 409), "wrong_status");
    refused(army_defend(red, 39, 409), "not_your_turn");
    lie = *blue;
    int slot = army_on(blue, "e7");
    lie.face[slot] = lie.face[slot] ? 0 : 1;
    refused(army_defend(&lie, slot, 422), "bad_opening");
    refused(army_claim(blue, 409), "wrong_status"); /* an attack, not a claim */
    free(memory_dump(game.client.memory, &after));
    assert_int_equal(before, after);
    answer = army_defend(blue, slot, 200);
    army_follow(game.army, &answer);
    assert_string_equal(answer_text(&answer, "/events/0/type"), "combat");
    answer_done(&answer);
    resign(&game, 0);
    uint8_t wrong[32] = {1};
    refused(army_audit(red, wrong, 422), "bad_opening");
    json_t *end = audit(&game);
    assert_string_equal(said(end, "/audit"), "clean");
    json_decref(end);
    close_game(&game);
}

/* A change that the store refuses, one that comes too late, and one that is taken. */
static struct answer tried(struct game *game, const char *what, int seat, const char *body)
{
    static const struct {
        int error;
        unsigned status;
    } failures[] = {{-EIO, 503}, {-ENOSPC, 507}};
    char path[96];

    (void)snprintf(path, sizeof path, "/v1/games/%s/%s", game->table.id, what);
    struct ask ask = {.method = "POST",
                      .path = path,
                      .bearer = game->table.seat[seat],
                      .body = body,
                      .if_match = "\"1\""};
    struct answer answer;
    client_ask(&game->client, &ask, &answer);
    assert_int_equal(answer.response.status, 412);
    answer_done(&answer);
    ask.if_match = NULL;
    for (int i = 0; i < 2; i++) {
        memory_fail(game->client.memory, failures[i].error);
        client_ask(&game->client, &ask, &answer);
        assert_int_equal(answer.response.status, failures[i].status);
        answer_done(&answer);
        memory_fail(game->client.memory, 0);
    }
    client_ask(&game->client, &ask, &answer);
    assert_int_equal(answer.response.status, 200);
    return answer;
}

static void test_failing_store(void **state)
{
    struct game game;
    char body[SLOTS_MAX * 164], opening[160], hex[65];

    (void)state;
    open_game(&game, "players-store", "marsal-a-spion", 16);
    struct army *red = &game.army[0], *blue = &game.army[1];
    army_swap(red, 34, army_find(red, "scout", 0));
    commit(&game);
    size_t used = (size_t)snprintf(body, sizeof body, "{\"opens\":[");
    for (int slot = 0; slot < SLOTS_MAX; slot++) {
        army_opening(red, slot, opening);
        used +=
            (size_t)snprintf(body + used, sizeof body - used, "%s%s", slot ? "," : "", opening);
    }
    (void)snprintf(body + used, sizeof body - used, "]}");
    struct answer answer = tried(&game, "open", 0, body);
    assert_string_equal(answer_text(&answer, "/events/0/type"), "claimed");
    assert_true(json_is_false(json_at(answer.json, "/events/0/holds")));
    answer_done(&answer);
    refused(army_claim(red, 409),
            "wrong_status"); /* one a move, or the log grows without end */
    answer = army_move(red, "e4", "e7", army_on(red, "e4"), 200);
    answer_done(&answer);
    army_opening(blue, army_on(blue, "e7"), opening);
    (void)snprintf(body, sizeof body, "{\"open\":%s}", opening);
    answer = tried(&game, "defend", 1, body);
    answer_done(&answer);
    resign(&game, 0);
    refused(army_post(red, "open", "{\"opens\":[]}", 409), "wrong_status");
    hex_encode(red->secret, 32, hex);
    (void)snprintf(body, sizeof body, "{\"secret\":\"%s\"}", hex);
    answer = tried(&game, "audit", 0, body);
    answer_done(&answer);
    answer = army_audit(blue, blue->secret, 200);
    answer_done(&answer);
    json_t *end = ending(&game);
    assert_string_equal(said(end, "/audit"), "clean");
    json_decref(end);
    close_game(&game);
}

/* Who sees what of a combat: the attacker the defender's piece, by his receipt's opening. */
static void test_openings(void **state)
{
    static const char *const kinds[] = {"marsal-a-spion", "classic"};
    struct game game;

    (void)state;
    for (int kind = 0; kind < 2; kind++) {
        open_game(&game, "players-7", kinds[kind], 14);
        struct army *red = &game.army[0], *blue = &game.army[1];
        army_swap(red, 34, army_find(red, "scout", 0));
        commit(&game);
        struct answer answer = army_move(red, "e4", "e7", army_on(red, "e4"), 200);
        assert_null(json_at(answer.json, "/events/0/openings"));
        answer_done(&answer);
        answer = army_defend(blue, army_on(blue, "e7"), 200);
        json_int_t seq = json_integer_value(json_at(answer.json, "/events/0/seq"));
        assert_true((json_at(answer.json, "/events/0/openings/0/component") != NULL) == kind);
        if (kind)
            assert_string_equal(answer_text(&answer, "/events/0/openings/0/component"),
                                "red/e4");
        answer_done(&answer);
        char part[48];
        (void)snprintf(part, sizeof part, "/events?after=%lld", (long long)seq - 1);
        answer = get(&game, part, 0, 200);
        assert_string_equal(answer_text(&answer, "/events/0/openings/0/component"), "blue/e7");
        assert_null(json_at(answer.json, "/events/0/openings/1"));
        answer_done(&answer);
        answer = get(&game, part, -1, 200);
        assert_null(json_at(answer.json, "/events/0/openings"));
        answer_done(&answer);
        close_game(&game);
    }
}

/* Called off: what the referee saw is opened, the rest nobody but the players could. */
static void test_aborted(void **state)
{
    struct game game;
    char path[96];

    (void)state;
    for (int moved = 0; moved < 2; moved++) {
        open_game(&game, "players-8", "marsal-a-spion", 15);
        struct army *red = &game.army[0];
        army_swap(red, 34, army_find(red, "scout", 0));
        commit(&game);
        if (moved) {
            struct answer answer = army_move(red, "e4", "e7", army_on(red, "e4"), 200);
            answer_done(&answer);
        }
        (void)snprintf(path, sizeof path, "/v1/games/%s/abort", game.table.id);
        struct answer answer =
            client_do(&game.client, "POST", path, game.client.operator_text, "{}", 200);
        answer_done(&answer);
        json_t *end = ending(&game);
        assert_string_equal(said(end, "/audit"), "pending");
        assert_string_equal(said(end, "/result/reason"), "aborted");
        json_decref(end);
        answer = get(&game, "/transcript", -1, 200);
        assert_int_equal(json_array_size(json_object_get(answer.json, "openings")), moved);
        answer_done(&answer);
        close_game(&game);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_honest_games),   cmocka_unit_test(test_opening_mismatch),
        cmocka_unit_test(test_wrong_count),    cmocka_unit_test(test_too_many_at_once),
        cmocka_unit_test(test_moved_immobile), cmocka_unit_test(test_both_cheat),
        cmocka_unit_test(test_no_audit),       cmocka_unit_test(test_nobody_audits),
        cmocka_unit_test(test_terms),          cmocka_unit_test(test_bad_openings),
        cmocka_unit_test(test_openings),       cmocka_unit_test(test_aborted),
        cmocka_unit_test(test_failing_store),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
