/* Custody `table`: whole games with real cards and with the real castle. The test holds the
 * cards and the tiles, moves and reports by the truth and sometimes otherwise; the stateless
 * judge, who is told everything, must see in each move what the referee sees, who is not.
 *
 * GAMES=N plays more games than usual.
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
#include "api/lots.h"
#include "tests/support/box.h"
#include "tests/support/cards.h"
#include "tests/support/client.h"

enum { LOGGED = 6, CASTLE_MOVES = 240, RELOAD_EVERY = 60, NOW_S = 1798761600 };

struct game {
    struct client client;
    struct table table;
    struct seeded seeded;
    unsigned seeds;
    uint64_t seed;
    json_t *creation;
    json_t *view; /* the spectator's, after the last move */
    union {
        struct {
            struct cards cards;
            json_t *due; /* how the round must end, once the players have said so */
        };
        struct box box;
    };
};

/* How often a refusal was given or a claim was true, by "ruling what". */
static json_t *met;

static const char *text(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

static bool is(const json_t *object, const char *key, const char *word)
{
    const char *value = text(object, key);

    return value && strcmp(value, word) == 0;
}

static json_int_t number(const json_t *object, const char *key)
{
    return json_integer_value(json_object_get(object, key));
}

static uint32_t below(struct game *game, size_t n)
{
    return seeded_below(&game->seeded, (uint32_t)n);
}

#define CLAIM(game, what)                                                                      \
    do {                                                                                       \
        if (!(what))                                                                           \
            fail_msg("game %llu, seq %lld, line %d: %s", (unsigned long long)(game)->seed,     \
                     (long long)number((game)->view, "seq"), __LINE__, #what);                 \
    } while (0)

/* Asking */

static struct answer ask(struct game *game, const char *method, const char *part, int seat,
                         const char *body, unsigned status)
{
    char path[96];

    (void)snprintf(path, sizeof path, "/v1/games/%s%s", game->table.id, part);
    return client_do(&game->client, method, path, seat < 0 ? NULL : game->table.seat[seat],
                     body, status);
}

/* What a viewer gets; -1 is a spectator. The caller frees. */
static json_t *get(struct game *game, const char *part, int seat)
{
    struct answer answer = ask(game, "GET", part, seat, NULL, 200);
    json_t *json = json_incref(answer.json);

    answer_done(&answer);
    return json;
}

static void look(struct game *game)
{
    json_decref(game->view);
    game->view = get(game, "", -1);
}

static json_t *board(const struct game *game)
{
    return json_object_get(game->view, "board");
}

static int seat_number(const struct game *game, const char *name)
{
    json_t *seats = json_object_get(game->view, "seats"), *seat;
    const char *key;
    int i = 0;

    json_object_foreach(seats, key, seat)
    {
        if (strcmp(key, name) == 0)
            return i;
        i++;
    }
    fail_msg("no seat %s", name);
    return -1;
}

/* One of those who are to act, by chance; -1: nobody. */
static int to_act(struct game *game)
{
    json_t *list = json_object_get(game->view, "to_act");
    size_t count = json_array_size(list);

    if (!count || !is(game->view, "status", "playing"))
        return -1;
    return seat_number(game, json_string_value(json_array_get(list, below(game, count))));
}

static struct answer post_move(struct game *game, int seat, json_t *move, unsigned status)
{
    json_t *body = json_pack("{s:O}", "move", move);
    char *dump = json_dumps(body, JSON_COMPACT);
    struct answer answer = ask(game, "POST", "/moves", seat, dump, status);

    free(dump);
    json_decref(body);
    return answer;
}

static void note_met(const char *ruling, const char *what)
{
    char key[64];

    (void)snprintf(key, sizeof key, "%s %s", ruling, what);
    json_object_set_new(met, key, json_integer(1 + number(met, key)));
}

/* A move that must be refused by that ruling for that reason, and change nothing. Takes over
 * `move`. */
static void lie(struct game *game, int seat, json_t *move, const char *ruling,
                const char *reason)
{
    struct answer answer = post_move(game, seat, move, 422), after;
    char *was = json_dumps(game->view, 0), *now;

    CLAIM(game, is(answer.json, "code", "illegal_move"));
    if (!is(answer.json, "ruling", ruling) || !is(answer.json, "reason", reason))
        fail_msg("game %llu: %s %s instead of %s %s: %s", (unsigned long long)game->seed,
                 text(answer.json, "ruling"), text(answer.json, "reason"), ruling, reason,
                 json_dumps(move, 0));
    answer_done(&answer);
    after = ask(game, "GET", "", -1, NULL, 200);
    now = json_dumps(after.json, 0);
    assert_string_equal(was, now);
    answer_done(&after);
    free(was);
    free(now);
    note_met(ruling, reason);
    json_decref(move);
}

/* All events as a viewer may see them now. */
static json_t *all_events(struct game *game, int seat, const char *more)
{
    json_t *all = json_array();
    char part[64];

    for (json_int_t after = 0;;) {
        (void)snprintf(part, sizeof part, "/events?after=%lld%s", (long long)after, more);
        json_t *page = get(game, part, seat), *list = json_object_get(page, "events");
        size_t count = json_array_size(list);
        json_array_extend(all, list);
        after = number(page, "next");
        json_decref(page);
        if (!count)
            return all;
    }
}

/* Everything that any viewer gets, as one text. */
static char *all_texts(struct game *game)
{
    json_t *all = json_array();

    for (int seat = -1; seat < (int)game->table.seats; seat++) {
        json_array_append_new(all, get(game, "", seat));
        json_array_append_new(all, all_events(game, seat, seat ? "" : "&tokens=1"));
        if (seat >= 0)
            json_array_append_new(all, get(game, "/moves", seat));
    }
    char *dump = json_dumps(all, 0);
    json_decref(all);
    return dump;
}

static void restart(struct game *game)
{
    char *before = all_texts(game), *after;

    client_reload(&game->client);
    after = all_texts(game);
    assert_string_equal(before, after);
    free(before);
    free(after);
}

/* The stateless judge's word on a move in the state that only the test knows whole. */
static json_t *adjudicate(struct game *game, json_t *state, json_t *move)
{
    json_t *options = json_deep_copy(json_object_get(game->creation, "options"));
    json_object_del(options, "spare");
    json_t *body = json_pack("{s:O, s:O, s:o, s:o, s:O}", "ruleset",
                             json_object_get(game->creation, "ruleset"), "variant",
                             json_object_get(game->creation, "variant"), "options", options,
                             "state", state, "move", move);
    char *dump = json_dumps(body, JSON_COMPACT);
    struct answer answer = client_do(&game->client, "POST", "/v1/adjudicate", NULL, dump, 200);
    if (!is(answer.json, "verdict", "legal"))
        fail_msg("game %llu: %s: %s", (unsigned long long)game->seed, answer.text, dump);
    json_t *verdict = json_incref(answer.json);

    answer_done(&answer);
    free(dump);
    json_decref(body);
    return verdict;
}

/* Opening and closing */

static void open_game(struct game *game, const char *log, json_t *creation, uint64_t seed)
{
    char *dump = json_dumps(creation, JSON_COMPACT);

    memset(game, 0, sizeof *game);
    game->seed = seed;
    game->seeded = (struct seeded){seed};
    game->seeds = (unsigned)(seed % 4);
    game->creation = creation;
    client_open(&game->client, log, seed);
    table_make(&game->client, dump, game->seeds, &game->table);
    free(dump);
    look(game);
}

static void close_game(struct game *game)
{
    json_decref(game->view);
    json_decref(game->creation);
    client_close(&game->client);
}

/* Is one of these members anywhere in it? */
static bool has_member(const json_t *value, const char *const *names)
{
    json_t *walk = (json_t *)(uintptr_t)value, *item;
    const char *key;
    size_t i;

    if (json_is_array(value))
        json_array_foreach(walk, i, item)
        {
            if (has_member(item, names))
                return true;
        }
    json_object_foreach(walk, key, item)
    {
        for (i = 0; names[i]; i++)
            if (strcmp(names[i], key) == 0)
                return true;
        if (has_member(item, names))
            return true;
    }
    return false;
}

static const json_t *event_typed(const json_t *events, const char *type)
{
    json_t *walk = (json_t *)(uintptr_t)events, *event;
    size_t i;

    json_array_foreach(walk, i, event)
    {
        if (is(event, "type", type))
            return event;
    }
    return NULL;
}

/* The lot falls from the seeds, as docs/protocol.md has it, unless an option settles it. */
static void check_lot(struct game *game, const json_t *events)
{
    const json_t *started = event_typed(events, "started"),
                 *ended = event_typed(events, "ended");
    const char *first = text(json_object_get(game->creation, "options"), "first");
    const char *hex = text(ended, "referee_seed");
    uint8_t gid[16], referee[32], players[4][32] = {{0}}, key[32], seed_commitment[32];
    char committed[65];
    struct lots lots;
    int count = (int)game->table.seats, want;

    CLAIM(game, started && ended && hex);
    assert_true(base64_decode(game->table.id, strlen(game->table.id), gid, sizeof gid));
    assert_true(hex_decode(hex, 64, referee, sizeof referee));
    commit_referee_seed(gid, 0, referee, seed_commitment);
    hex_encode(seed_commitment, sizeof seed_commitment, committed);
    CLAIM(game, is(event_typed(events, "created"), "seed_commitment", committed));
    for (int seat = 0; seat < count; seat++)
        if (game->seeds >> seat & 1)
            memset(players[seat], seat + 1, 32);
    commit_mix(gid, 0, referee, players[0], (uint8_t)count, key);
    lots_init(&lots, key);
    want = (int)lots_below(&lots, (uint32_t)count);
    if (first && strcmp(first, "lot") != 0)
        want = seat_number(game, first);
    assert_int_equal(seat_number(game, text(started, "starter")), want);
}

/* What holds of every record: nobody has committed to anything, and nothing was dealt. */
static void check_events(struct game *game)
{
    static const char *const never[] = {"commitments", "setups",  "nonce", "deck",
                                        "tries",       "secrets", NULL};

    for (int seat = -1; seat < (int)game->table.seats; seat++) {
        json_t *events = all_events(game, seat, seat < 0 ? "" : "&tokens=1"), *event;
        size_t i;
        CLAIM(game, !has_member(events, never));
        if (seat < 0 && event_typed(events, "started"))
            check_lot(game, events);
        json_array_foreach(events, i, event)
        {
            const char *receipt = text(event, "receipt");
            size_t size;
            if (!receipt)
                continue;
            char *peeked = token_peek(receipt, &size);
            json_t *claims = json_loadb(peeked, size, 0, NULL);
            json_t *mine = json_object_get(claims, "openings");
            json_t *told = json_object_get(event, "openings");
            CLAIM(game, claims && !has_member(claims, never));
            CLAIM(game, told ? json_equal(told, mine) : !json_array_size(mine));
            json_decref(claims);
            free(peeked);
        }
        json_decref(events);
    }
}

static bool verifies(struct game *game, json_t *transcript)
{
    json_t *body = json_pack("{s:O}", "transcript", transcript);
    char *dump = json_dumps(body, JSON_COMPACT);
    struct answer verdict = client_do(&game->client, "POST", "/v1/verify", NULL, dump, 200);
    bool ok = json_is_true(json_object_get(verdict.json, "ok"));

    if (!ok && getenv("VERBOSE"))
        print_message("%s\n", verdict.text);
    answer_done(&verdict);
    free(dump);
    json_decref(body);
    return ok;
}

/* The transcript, which the verifier has passed. */
static json_t *proven(struct game *game)
{
    json_t *transcript = get(game, "/transcript", -1);

    look(game);
    CLAIM(game, verifies(game, transcript));
    CLAIM(game, json_equal(json_object_get(transcript, "result"),
                           json_object_get(game->view, "result")));
    assert_int_equal(json_object_size(json_object_get(transcript, "secrets")), 0);
    return transcript;
}

/* En garde */

static json_t *exchange_of(const struct game *game)
{
    json_t *exchange = json_object_get(board(game), "exchange");

    return json_is_null(exchange) ? NULL : exchange;
}

static json_int_t field(const struct game *game, int seat)
{
    return number(json_object_get(board(game), "fields"), seat ? "right" : "left");
}

static bool knizia(const struct game *game)
{
    return is(game->creation, "variant", "knizia");
}

static bool basic(const struct game *game)
{
    return knizia(game) && is(json_object_get(game->creation, "options"), "level", "basic");
}

/* Do views tell the numbers of cards, and of hands nothing but what was shown? */
static void check_duel_views(struct game *game)
{
    static const char *const names[] = {"left", "right"};
    struct cards *cards = &game->cards;
    bool between = json_is_null(json_object_get(game->view, "result"));

    for (int viewer = -1; viewer < 2; viewer++) {
        json_t *view = get(game, "", viewer), *seen = json_object_get(view, "board");
        json_t *played = cards_list(cards->played);
        CLAIM(game, json_equal(json_object_get(seen, "played"), played));
        CLAIM(game, number(seen, "deck") == CARDS_ALL - cards->drawn);
        for (int seat = 0; seat < 2; seat++) {
            json_t *hand = json_object_get(json_object_get(seen, "hands"), names[seat]);
            json_t *shown = cards_list(cards->as[seat]);
            CLAIM(game, cards->shown[seat]
                            ? json_equal(hand, shown)
                            : json_is_integer(hand) &&
                                  json_integer_value(hand) == cards->hand[seat][0]);
            json_decref(shown);
        }
        CLAIM(game,
              json_array_size(json_object_get(view, "to_act")) ==
                  (size_t)(!between                                                       ? 0
                           : game->due && cards->drawn == CARDS_ALL && !exchange_of(game) ? 2
                                                                                          : 1));
        json_decref(played);
        json_decref(view);
    }
}

/* The state as the players know it together. */
static json_t *duel_state(struct game *game, int turn)
{
    json_t *state = json_deep_copy(board(game)), *hands = json_object();

    json_object_del(state, "played");
    json_object_set_new(hands, "left", cards_list(game->cards.hand[0]));
    json_object_set_new(hands, "right", cards_list(game->cards.hand[1]));
    json_object_set_new(state, "hands", hands);
    json_object_set_new(state, "deck", cards_deck(&game->cards));
    json_object_set_new(state, "turn", json_string(turn ? "right" : "left"));
    return state;
}

static bool ends_round(const json_t *event)
{
    return is(event, "type", "hit") || is(event, "type", "round_void");
}

/* The table's events are the judge's effects, but that the end of a round waits for the word of
 * a player: then it is due. */
static void compare_duel(struct game *game, json_t *effects, json_t *events)
{
    json_t *effect;
    size_t i;

    json_array_foreach(effects, i, effect)
    {
        if (ends_round(effect) && basic(game))
            json_object_del(effect, "hands"); /* nobody is asked to show */
        if (json_within(effect, json_array_get(events, i)))
            continue;
        CLAIM(game, ends_round(effect) && i + 1 == json_array_size(effects));
        CLAIM(game, i == json_array_size(events));
        game->due = json_incref(effect);
    }
    CLAIM(game, json_array_size(events) == i - (game->due != NULL) ||
                    is(json_array_get(events, i), "type", "round_started") ||
                    is(json_array_get(events, i), "type", "ended"));
}

static json_t *show_of(const uint8_t counts[static CARDS_VALUES + 1])
{
    return json_pack("{s:s, s:o}", "type", "show", "cards", cards_list(counts));
}

static bool listed(const json_t *moves, const json_t *move)
{
    for (size_t i = 0; i < json_array_size(moves); i++)
        if (json_equal(json_array_get(moves, i), move))
            return true;
    return false;
}

/* Posts what the players say and follows it; `due` must come true where the round ends. */
static void say(struct game *game, int seat, json_t *move)
{
    struct answer answer = post_move(game, seat, move, 200);
    json_t *events = json_object_get(answer.json, "events"), *event;
    bool ends = false;
    size_t i;

    json_array_foreach(events, i, event)
    {
        if (!ends_round(event))
            continue;
        CLAIM(game, game->due && json_within(game->due, event));
        ends = true;
    }
    if (ends) {
        json_decref(game->due);
        game->due = NULL;
    }
    cards_follow(&game->cards, events, &game->seeded);
    answer_done(&answer);
    look(game);
    json_decref(move);
}

/* Slips at the table while hands are shown. */
static void lie_showing(struct game *game, int seat)
{
    struct cards *cards = &game->cards;
    const char *ruling = knizia(game) ? "EK-7" : "EG-9";
    uint8_t hand[CARDS_VALUES + 1];

    lie(game, seat, json_pack("{s:s, s:i}", "type", "retreat", "card", 1), ruling, "must_show");
    lie(game, seat, json_pack("{s:s}", "type", "stuck"), ruling, "must_show");
    lie(game, seat, json_pack("{s:s, s:[i]}", "type", "show", "cards", 6), ruling,
        "wrong_hand");
    memcpy(hand, cards->hand[seat], sizeof hand);
    hand[1]++;
    lie(game, seat, show_of(hand), ruling, "wrong_hand");
    for (int value = 1; value <= CARDS_VALUES; value++) {
        int most =
            cards_left(cards, value) - (cards->shown[!seat] ? cards->as[!seat][value] : 0);
        int size = cards->hand[seat][0];
        memset(hand, 0, sizeof hand);
        hand[value] = (uint8_t)(most + 1);
        hand[value % CARDS_VALUES + 1] = (uint8_t)(size - hand[value]);
        if (most < size)
            lie(game, seat, show_of(hand), ruling, "contradiction");
    }
}

/* A hand that could be, but is not: one card is another. False: there is none such. */
static bool mistype(const struct cards *cards, int seat, uint8_t ret_hand[CARDS_VALUES + 1])
{
    for (int from = 1; from <= CARDS_VALUES; from++)
        for (int to = 1; to <= CARDS_VALUES; to++) {
            memcpy(ret_hand, cards->hand[seat], CARDS_VALUES + 1);
            if (from == to || !ret_hand[from] || ret_hand[to] + 1 > cards_left(cards, to))
                continue;
            ret_hand[from]--;
            ret_hand[to]++;
            return true;
        }
    return false;
}

/* Both show; sometimes the first hand is mistyped, the second contradicts it, and it is shown
 * again before the round is scored. */
static void show_hands(struct game *game, int seat)
{
    struct cards *cards = &game->cards;
    const char *ruling = knizia(game) ? "EK-7" : "EG-9";
    json_t *list = get(game, "/moves", seat), *truth = show_of(cards->hand[seat]);
    uint8_t hand[CARDS_VALUES + 1];

    CLAIM(game, game->due);
    CLAIM(game, listed(json_object_get(list, "moves"), truth));
    json_decref(list);
    lie_showing(game, seat);
    if (below(game, 2) && mistype(cards, seat, hand)) {
        say(game, seat, show_of(hand));
        check_duel_views(game);
        if (below(game, 2))
            restart(game);
        lie(game, !seat, show_of(cards->hand[!seat]), ruling, "contradiction");
        CLAIM(game, game->due);
        note_met(ruling, "mistyped");
    }
    say(game, seat, truth);
    CLAIM(game, game->due);
    check_duel_views(game);
    lie_showing(game, !seat);
    say(game, !seat, show_of(cards->hand[!seat]));
    CLAIM(game, !game->due);
}

/* How many cards, at most, are left that this seat could not use. */
static int useless(const struct game *game, int seat)
{
    json_t *exchange = exchange_of(game), *played = json_object_get(exchange, "played");
    int behind = (int)(seat ? 23 - field(game, 1) : field(game, 0) - 1), count = 0;
    int reach = (int)(field(game, 1) - field(game, 0));
    int lacks = (int)(number(played, seat ? "left" : "right") -
                      number(played, seat ? "right" : "left"));

    if (behind > reach || exchange)
        reach = behind;
    for (int value = reach + 1; value <= CARDS_VALUES; value++) {
        int left = cards_left(&game->cards, value);
        count +=
            exchange && value == number(exchange, "card") && left >= lacks ? lacks - 1 : left;
    }
    return count;
}

static void lie_claiming(struct game *game, int seat)
{
    json_t *exchange = exchange_of(game);
    bool impossible = useless(game, seat) < game->cards.hand[seat][0];

    lie(game, seat, json_pack("{s:s, s:[i]}", "type", "show", "cards", 1),
        knizia(game) ? "EK-7" : "EG-9", "nothing_to_show");
    if (!exchange)
        lie(game, seat, json_pack("{s:s}", "type", "yield"), "EG-5", "nothing_to_parry");
    if (!exchange && impossible)
        lie(game, seat, json_pack("{s:s}", "type", "stuck"), knizia(game) ? "EK-6" : "EG-11",
            "contradiction");
    if (exchange)
        lie(game, seat, json_pack("{s:s}", "type", "stuck"), "EG-5", "must_parry");
    if (json_is_true(json_object_get(exchange, "advanced")) && impossible)
        lie(game, seat, json_pack("{s:s}", "type", "yield"), "EK-6", "contradiction");
}

static void lie_playing(struct game *game, int seat)
{
    struct cards *cards = &game->cards;
    int size = cards->hand[seat][0], card = (int)number(exchange_of(game), "card");

    if (!size)
        return;
    for (int value = 1; value <= CARDS_VALUES; value++) {
        int left = cards_left(cards, value);
        if (!left)
            lie(game, seat, json_pack("{s:s, s:i}", "type", "advance", "card", value), "EG-2",
                "contradiction");
        if (left < size)
            lie(game, seat,
                json_pack("{s:s, s:i, s:i}", "type", "attack", "card", value, "count",
                          left + 1),
                "EG-4", "contradiction");
        lie(game, seat,
            json_pack("{s:s, s:i, s:i}", "type", "attack", "card", value, "count", size + 1),
            "EG-2", "not_held");
        if (value == card && left < size)
            lie(game, seat, json_pack("{s:s, s:i}", "type", "parry", "count", left + 1), "EG-5",
                "contradiction");
    }
}

/* A move by chance that is true to the hand; where there is none the seat says so. */
static void duel_move(struct game *game, int seat)
{
    json_t *list = get(game, "/moves", seat), *moves = json_object_get(list, "moves"), *move;
    json_t *honest = json_array(), *exchange = exchange_of(game), *verdict;
    size_t i;

    json_array_foreach(moves, i, move)
    {
        if (cards_may(&game->cards, seat, move, exchange))
            json_array_append(honest, move);
    }
    CLAIM(game, !game->due == (json_array_size(honest) > 0));
    if (!json_array_size(honest)) {
        move = json_pack("{s:s}", "type", exchange ? "yield" : "stuck");
        CLAIM(game, game->due && listed(moves, move));
        note_met(text(game->due, "ruling"), text(move, "type"));
        say(game, seat, move);
        CLAIM(game, !game->due);
    } else {
        move = json_array_get(honest, below(game, json_array_size(honest)));
        verdict = adjudicate(game, duel_state(game, seat), move);
        struct answer answer = post_move(game, seat, move, 200);
        json_t *events = json_object_get(answer.json, "events");
        compare_duel(game, json_object_get(verdict, "effects"), events);
        cards_follow(&game->cards, events, &game->seeded);
        answer_done(&answer);
        json_decref(verdict);
        look(game);
    }
    json_decref(honest);
    json_decref(list);
}

static json_t *duel_creation(uint64_t seed)
{
    static const char *const firsts[] = {"lot", "left", "right"};
    static const char *const levels[] = {"advanced", "standard", "basic"};
    bool old = seed % 2;
    json_t *options = json_object();

    json_object_set_new(options, "first", json_string(firsts[seed / 3 % 3]));
    json_object_set_new(options, "hits_to_lose", json_integer((json_int_t)(1 + seed / 2 % 5)));
    if (old) {
        json_object_set_new(options, "level", json_string(levels[seed / 2 % 3]));
    } else {
        json_object_set_new(options, "after_parry",
                            json_string(seed / 2 % 2 ? "defender" : "last_attacker"));
        json_object_set_new(options, "counterattack",
                            json_string(seed / 4 % 2 ? "none" : "level"));
    }
    return json_pack("{s:s, s:s, s:s, s:o}", "ruleset", "engarde", "variant",
                     old ? "knizia" : "do-strehu", "custody", "table", "options", options);
}

/* The deal of the first round, whose events came before anyone asked. */
static void open_duel(struct game *game, const char *log, uint64_t seed)
{
    open_game(game, log, duel_creation(seed), seed);
    json_t *events = all_events(game, -1, "");
    cards_follow(&game->cards, events, &game->seeded);
    json_decref(events);
}

static bool showing(const struct game *game)
{
    return json_array_size(json_object_get(game->view, "to_act")) == 2;
}

/* One step of the match; false when it is over. */
static bool fence(struct game *game, int step)
{
    int seat = to_act(game);

    if (seat < 0)
        return false;
    check_duel_views(game);
    if (step % RELOAD_EVERY == RELOAD_EVERY - 1)
        restart(game);
    if (showing(game)) {
        show_hands(game, seat);
        return true;
    }
    if (below(game, 4) == 0) {
        lie_claiming(game, seat);
        lie_playing(game, seat);
    }
    duel_move(game, seat);
    return true;
}

static void check_duel_record(struct game *game)
{
    check_events(game);
    json_t *transcript = proven(game);
    json_t *openings = json_object_get(transcript, "openings");

    assert_int_equal(json_array_size(openings), 0);
    json_array_append_new(openings,
                          json_pack("{s:s, s:i}", "component", "card/1/0", "face", 3));
    CLAIM(game, !verifies(game, transcript));
    json_decref(transcript);
}

static int games(int usually)
{
    const char *more = getenv("GAMES");

    return more ? atoi(more) : usually;
}

static const char *log_name(char room[static 40], const char *kind, int i)
{
    (void)snprintf(room, 40, "table-%s-%u", kind, (unsigned)i % 1000);
    return i < LOGGED ? room : NULL;
}

static void test_duels(void **state)
{
    int count = games(36), steps = 0;
    char room[40];

    (void)state;
    for (int i = 0; i < count; i++) {
        struct game game;
        int step = 0;
        open_duel(&game, log_name(room, "duel", i), (uint64_t)i);
        while (fence(&game, step))
            step++;
        assert_string_equal(text(json_object_get(game.view, "result"), "reason"), "hits");
        check_duel_views(&game);
        check_duel_record(&game);
        close_game(&game);
        steps += step;
    }
    print_message("%d matches, %d steps\n", count, steps);
}

/* The castle */

static const char *const castle_variants[] = {"chateau-roquefort", "burg-appenzell"};

static bool known(uint64_t set, json_int_t tile)
{
    return set >> tile & 1;
}

/* Does a board tell exactly the faces that may be told, and each as it is? Where a game was
 * called off, views stay as they were: the transcript opens the rest. */
static void check_board(struct game *game, json_t *seen)
{
    const struct box *box = &game->box;
    bool over = is(game->view, "status", "over");
    uint64_t told = over ? box->told : box_known(box);
    json_t *tiles = json_object_get(seen, "tiles"), *ids = json_object_get(seen, "ids");

    assert_int_equal(json_object_size(tiles), BOX_TILES - 1);
    for (int at = 0; at < BOX_SQUARES; at++) {
        if (!box_floor(at))
            continue;
        const char *square = box_square(at);
        CLAIM(game, number(ids, square) == box->tile[at]);
        CLAIM(game, known(told, box->tile[at]) ? is(tiles, square, box_face(box, box->tile[at]))
                                               : json_is_null(json_object_get(tiles, square)));
    }
    CLAIM(game, number(seen, "spare_id") == box->spare);
    CLAIM(game, is(seen, "spare", box_face(box, box->spare)));
}

/* {"component":"tile/3","face":"gouda"} of each tile of a set, in the order of their ids. */
static json_t *openings_of(const struct box *box, uint64_t set)
{
    json_t *list = json_array();
    char name[24];

    for (int tile = 0; tile < BOX_TILES; tile++) {
        if (!known(set, tile))
            continue;
        (void)snprintf(name, sizeof name, "tile/%d", tile);
        json_array_append_new(
            list, json_pack("{s:s, s:s}", "component", name, "face", box_face(box, tile)));
    }
    return list;
}

/* The same entries in any order; neither may be there at all. */
static bool same_entries(const json_t *one, const json_t *other)
{
    if (json_array_size(one) != json_array_size(other))
        return false;
    for (size_t i = 0; i < json_array_size(one); i++)
        if (!listed(other, json_array_get(one, i)))
            return false;
    return true;
}

/* Events tell what each of them brought to light, and only what may still be told. */
static void check_openings(struct game *game, json_t *events)
{
    const struct box *box = &game->box;
    bool over = is(game->view, "status", "over");
    uint64_t told = over ? box->told : box_known(box) | box->lit;
    json_t *event;
    char seq[24];
    size_t i;

    json_array_foreach(events, i, event)
    {
        (void)snprintf(seq, sizeof seq, "%lld", (long long)number(event, "seq"));
        uint64_t lit = (uint64_t)number(box->openings, seq);
        json_t *want = openings_of(box, lit & told);
        if (!same_entries(want, json_object_get(event, "openings")))
            fail_msg("game %llu: %s instead of %s", (unsigned long long)game->seed,
                     json_dumps(event, 0), json_dumps(want, 0));
        json_decref(want);
    }
}

static void check_castle(struct game *game)
{
    for (int seat = -1; seat < (int)game->table.seats; seat++) {
        json_t *view = get(game, "", seat), *events = all_events(game, seat, "");
        check_board(game, json_object_get(view, "board"));
        check_openings(game, events);
        json_decref(events);
        json_decref(view);
    }
}

static json_t *castle_state(struct game *game)
{
    const struct box *box = &game->box;
    json_t *state = json_deep_copy(board(game)), *tiles = json_object_get(state, "tiles");

    json_object_del(state, "ids");
    json_object_del(state, "spare_id");
    for (int at = 0; at < BOX_SQUARES; at++)
        if (box_floor(at))
            json_object_set_new(tiles, box_square(at),
                                json_string(box_face(box, box->tile[at])));
    return state;
}

/* Effects and the state after them, but for the faces: those are held against the box. */
static void compare_castle(struct game *game, json_t *verdict, json_t *events)
{
    static const char *const members[] = {"order",   "turn",      "actions_left",
                                          "shifted", "uncovered", "players"};
    json_t *effects = json_object_get(verdict, "effects"), *effect;
    bool over = is(verdict, "status", "over");
    size_t i;

    json_array_foreach(effects, i, effect)
    {
        json_object_del(effect, "spare"); /* the table's event tells its number */
        CLAIM(game, json_within(effect, json_array_get(events, i)));
    }
    assert_int_equal(json_array_size(events), i + over);
    for (i = 0; i < sizeof members / sizeof *members; i++)
        CLAIM(game, json_equal(json_object_get(board(game), members[i]),
                               json_object_get(json_object_get(verdict, "state"), members[i])));
    CLAIM(game, json_equal(json_object_get(verdict, "result"),
                           json_object_get(game->view, "result")));
}

static json_t *without(const json_t *move, const char *part, const char *square)
{
    json_t *copy = json_deep_copy(move);

    if (square)
        json_object_del(json_object_get(copy, part), square);
    else
        json_object_del(copy, part);
    return copy;
}

static json_t *with(const json_t *move, const char *square, const char *face)
{
    json_t *copy = json_deep_copy(move);

    if (!json_object_get(copy, "shows"))
        json_object_set_new(copy, "shows", json_object());
    if (square)
        json_object_set_new(json_object_get(copy, "shows"), square, json_string(face));
    else
        json_object_set_new(copy, "out", json_string(face));
    return copy;
}

/* Something that must be told is left out. */
static void lie_missing(struct game *game, int seat, json_t *move)
{
    const char *ruling = is(move, "type", "shift") ? "CR-8" : "CR-4", *square;
    json_t *shows = json_object_get(move, "shows"), *face;

    if (json_object_get(move, "out"))
        lie(game, seat, without(move, "out", NULL), ruling, "unknown_face");
    if (shows && json_object_size(shows))
        lie(game, seat, without(move, "shows", NULL), ruling, "unknown_face");
    json_object_foreach(shows, square, face)
        lie(game, seat, without(move, "shows", square), ruling, "unknown_face");
}

/* A square is named that nobody sees. */
static void lie_unseen(struct game *game, int seat, json_t *move)
{
    const struct box *box = &game->box;
    bool shift = is(move, "type", "shift");

    for (int at = 0; at < BOX_SQUARES; at++) {
        bool seen =
            shift ? box->open[at] : box->room[at] == box->room[box_find(text(move, "square"))];
        if (!box_floor(at) || seen)
            continue;
        lie(game, seat, with(move, box_square(at), box_face(box, box->tile[at])),
            shift ? "CR-8" : "CR-4", shift ? "covered" : "not_in_room");
        return;
    }
}

/* Is this what nobody could find out: not told before, and the box may have one more? `told` is
 * what else is told by then. */
static bool could_be(const struct box *box, uint64_t told, int tile, int face)
{
    int count = 0;

    for (int i = 0; i < BOX_TILES; i++)
        count += i != tile && known(told, i) && box->face[i] == face;
    return !known(box->told, tile) && count < (face ? 3 : 10);
}

/* Another face where it can be seen to be wrong. `move` tells all that may be told. */
static void lie_otherwise(struct game *game, int seat, json_t *move, const struct box *after)
{
    const struct box *box = &game->box;
    json_t *shows = json_object_get(move, "shows"), *face;
    const char *square;
    uint64_t told = box->told;

    json_object_foreach(shows, square, face) told |= UINT64_C(1)
                                                     << after->tile[box_find(square)];
    if (json_object_get(move, "out"))
        told |= UINT64_C(1) << after->spare;
    json_object_foreach(shows, square, face)
    {
        int tile = after->tile[box_find(square)], other = (int)below(game, BOX_FACES);
        if (other != box->face[tile] && !could_be(box, told, tile, other))
            lie(game, seat, with(move, square, box_face_name(other)), "CR-1", "contradiction");
    }
    int other = (int)below(game, BOX_FACES);
    if (json_object_get(move, "out") && other != box->face[after->spare] &&
        !could_be(box, told, after->spare, other))
        lie(game, seat, with(move, NULL, box_face_name(other)), "CR-1", "contradiction");
}

static void lie_reporting(struct game *game, int seat, const json_t *listed_move)
{
    json_t *least = json_deep_copy(listed_move), *all = json_deep_copy(listed_move);
    struct box after = game->box;

    box_report(&game->box, least, false);
    box_report(&game->box, all, true);
    if (text(listed_move, "slot"))
        box_slide(&after, text(listed_move, "slot"));
    lie_missing(game, seat, least);
    lie_unseen(game, seat, all);
    lie_otherwise(game, seat, all, &after);
    json_decref(all);
    json_decref(least);
}

/* A move by chance, but a turn is rarely given away. */
static json_t *choose(struct game *game, const json_t *moves)
{
    json_t *move;

    do
        move = json_array_get(moves, below(game, json_array_size(moves)));
    while (is(move, "type", "end_turn") && json_array_size(moves) > 1 && below(game, 8));
    return json_deep_copy(move);
}

static void follow_castle(struct game *game, const struct answer *answer)
{
    json_t *events = json_object_get(answer->json, "events");

    box_follow(&game->box, events);
    look(game);
    check_openings(game, events);
}

static void castle_move(struct game *game, int seat)
{
    json_t *list = get(game, "/moves", seat);
    json_t *move = choose(game, json_object_get(list, "moves"));
    json_t *verdict = adjudicate(game, castle_state(game), move);

    if (is(move, "type", "uncover") || is(move, "type", "shift")) {
        if (below(game, 8) == 0)
            lie_reporting(game, seat, move);
        box_report(&game->box, move, below(game, 3) == 0);
    }
    struct answer answer = post_move(game, seat, move, 200);
    follow_castle(game, &answer);
    compare_castle(game, verdict, json_object_get(answer.json, "events"));
    check_board(game, json_at(answer.json, "/view/board"));
    answer_done(&answer);
    json_decref(verdict);
    json_decref(move);
    json_decref(list);
}

static json_t *own_rooms(void)
{
    /* 45 rooms of a square each, but a large one of the whole row 4. */
    json_t *rooms = json_array(), *row = json_array();

    for (int at = 0; at < BOX_SQUARES; at++) {
        bool tower = (at % 7 == 0 || at % 7 == 6) && (at / 7 == 0 || at / 7 == 6);
        if (at / 7 == 3)
            json_array_append_new(row, json_string(box_square(at)));
        else if (!tower)
            json_array_append_new(rooms, json_pack("[s]", box_square(at)));
    }
    json_array_append_new(rooms, row);
    return rooms;
}

static json_t *castle_creation(uint64_t seed)
{
    static const char *const spares[] = {NULL, "trapdoor", "gouda", "blank"};
    static const char *const firsts[] = {"lot", "lot", "yellow", "red"};
    const char *spare = spares[seed / 2 % 4];
    uint64_t layout = seed / 3 % 5;
    json_t *options = json_object();

    json_object_set_new(options, "first", json_string(firsts[seed / 5 % 4]));
    json_object_set_new(options, "memory", json_string(seed / 2 % 2 ? "open" : "strict"));
    json_object_set_new(options, "rooms",
                        layout == 4 ? own_rooms() : json_string(layout % 2 ? "B" : "A"));
    if (spare)
        json_object_set_new(options, "spare", json_string(spare));
    return json_pack("{s:s, s:s, s:s, s:i, s:o}", "ruleset", "roquefort", "variant",
                     castle_variants[seed % 2], "custody", "table", "players",
                     (int)(2 + seed % 3), "options", options);
}

static void open_castle(struct game *game, const char *log, uint64_t seed)
{
    open_game(game, log, castle_creation(seed), seed);
    json_t *options = json_object_get(game->creation, "options");
    const char *spare = text(options, "spare");

    box_lay(&game->box, spare ? spare : "blank", json_object_get(options, "rooms"),
            is(options, "memory", "strict"), &game->seeded);
    check_castle(game);
}

/* The openings are the tiles that were ever reported. Another face, one less and one more are
 * refused. */
static void check_castle_record(struct game *game)
{
    check_castle(game);
    check_events(game);
    json_t *transcript = proven(game), *forged;
    json_t *want = openings_of(&game->box, game->box.told), *entry;
    size_t count = json_array_size(want), which = below(game, count);

    CLAIM(game, json_equal(json_object_get(transcript, "openings"), want));
    forged = json_deep_copy(transcript);
    entry = json_array_get(json_object_get(forged, "openings"), which);
    json_object_set_new(entry, "face",
                        json_string(is(entry, "face", "brie") ? "blank" : "brie"));
    CLAIM(game, !verifies(game, forged));
    json_decref(forged);
    forged = json_deep_copy(transcript);
    json_array_remove(json_object_get(forged, "openings"), which);
    CLAIM(game, !verifies(game, forged));
    json_decref(forged);
    for (int tile = 0; tile < BOX_TILES; tile++) {
        if (known(game->box.told, tile))
            continue;
        forged = json_deep_copy(transcript);
        json_object_set_new(forged, "openings",
                            openings_of(&game->box, game->box.told | UINT64_C(1) << tile));
        CLAIM(game, !verifies(game, forged));
        json_decref(forged);
        break;
    }
    json_decref(want);
    json_decref(transcript);
}

/* Some hundred moves; then all give up but one. */
static int play_castle(struct game *game)
{
    int step = 0, seat;

    for (; step < CASTLE_MOVES && (seat = to_act(game)) >= 0; step++) {
        castle_move(game, seat);
        if (step % RELOAD_EVERY != RELOAD_EVERY - 1)
            continue;
        check_castle(game);
        restart(game);
    }
    while ((seat = to_act(game)) >= 0) {
        struct answer answer = ask(game, "POST", "/resign", seat, "{}", 200);
        follow_castle(game, &answer);
        answer_done(&answer);
    }
    return step;
}

static void test_castles(void **state)
{
    int count = games(30), steps = 0, ended = 0;
    char room[40];

    (void)state;
    for (int i = 0; i < count; i++) {
        struct game game;
        open_castle(&game, log_name(room, "castle", i), (uint64_t)i);
        int step = play_castle(&game);
        ended += step < CASTLE_MOVES;
        steps += step;
        check_castle_record(&game);
        box_done(&game.box);
        close_game(&game);
    }
    print_message("%d games, %d moves, %d to their end\n", count, steps, ended);
}

/* Endings that are nobody's move */

enum ending { RESIGNED, AGREED, CALLED_OFF, ENDINGS };

static void play_some(struct game *game, int moves)
{
    bool castle = is(game->creation, "ruleset", "roquefort");
    int seat;

    for (int step = 0; step < moves && (seat = to_act(game)) >= 0; step++) {
        if (castle)
            castle_move(game, seat);
        else
            (void)fence(game, step);
    }
}

static void acted(struct game *game, struct answer answer)
{
    json_t *events = json_object_get(answer.json, "events");

    if (is(game->creation, "ruleset", "roquefort") && game->box.openings)
        box_follow(&game->box, events);
    answer_done(&answer);
    look(game);
}

static void draw(struct game *game)
{
    acted(game, ask(game, "POST", "/draw", 1, "{\"action\":\"offer\"}", 200));
    for (int seat = 0; seat < (int)game->table.seats; seat++)
        if (seat != 1)
            acted(game, ask(game, "POST", "/draw", seat, "{\"action\":\"accept\"}", 200));
}

static void call_off(struct game *game)
{
    char path[96];

    (void)snprintf(path, sizeof path, "/v1/games/%s/abort", game->table.id);
    acted(game, client_do(&game->client, "POST", path, game->client.operator_text, "{}", 200));
}

static void resign_all(struct game *game)
{
    int seat;

    while ((seat = to_act(game)) >= 0)
        acted(game, ask(game, "POST", "/resign", seat, "{}", 200));
}

/* Nothing is opened of a game that ends before it begins. */
static void check_unopened(struct game *game, const char *reason)
{
    json_t *transcript = proven(game), *events = all_events(game, -1, "");
    const json_t *ended = event_typed(events, "ended");

    check_events(game);
    CLAIM(game, is(json_object_get(game->view, "result"), "reason", reason));
    CLAIM(game, ended && !json_object_get(ended, "faces"));
    CLAIM(game, !json_object_get(ended, "referee_seed") && !event_typed(events, "started"));
    assert_int_equal(json_array_size(json_object_get(transcript, "openings")), 0);
    json_decref(events);
    json_decref(transcript);
}

static void test_endings(void **state)
{
    static const char *const reasons[ENDINGS] = {"resigned", "agreed", "aborted"};

    (void)state;
    for (int i = 0; i < 24; i++) {
        enum ending ending = (enum ending)(i / 2 % ENDINGS);
        struct game game;
        char room[40];
        bool castle = i % 2;
        (void)snprintf(room, sizeof room, "table-%s-%d", reasons[ending], i);
        if (castle)
            open_castle(&game, room, (uint64_t)i);
        else
            open_duel(&game, room, (uint64_t)i);
        play_some(&game, (castle ? 15 : 4) * (i / 6));
        assert_true(to_act(&game) >= 0);
        if (ending == RESIGNED)
            resign_all(&game);
        else if (ending == AGREED)
            draw(&game);
        else
            call_off(&game);
        restart(&game);
        const char *reason = text(json_object_get(game.view, "result"), "reason");
        bool more = castle && game.table.seats > 2 && ending == RESIGNED;
        assert_string_equal(reason, more ? "last_left" : reasons[ending]);
        if (castle)
            check_castle_record(&game), box_done(&game.box);
        else
            check_duel_record(&game), json_decref(game.due);
        close_game(&game);
    }
}

/* All seats are taken, the first one owes its seed. */
static void open_seeding(struct game *game, const char *log, json_t *creation)
{
    uint8_t gid[16], seed[32] = {7}, commitment[32];
    char *dump = json_dumps(creation, JSON_COMPACT), part[40], body[96] = "{}", hex[65];
    const char *name;
    json_t *seat;
    int taken = 0;

    memset(game, 0, sizeof *game);
    game->creation = creation;
    client_open(&game->client, log, 5);
    memory_set_clock(game->client.memory, INT64_C(1000) * NOW_S);
    struct answer made = client_do(&game->client, "POST", "/v1/games", NULL, dump, 201);
    (void)snprintf(game->table.id, sizeof game->table.id, "%s", answer_text(&made, "/id"));
    assert_true(base64_decode(game->table.id, strlen(game->table.id), gid, sizeof gid));
    commit_player_seed(gid, 0, 0, seed, commitment);
    hex_encode(commitment, sizeof commitment, hex);
    (void)snprintf(body, sizeof body, "{\"seed_commit\":\"%s\"}", hex);
    json_object_foreach(json_object_get(made.json, "seats"), name, seat)
    {
        char *room = game->table.seat[taken];
        (void)snprintf(room, sizeof *game->table.seat, "%s", text(seat, "invite"));
        (void)snprintf(part, sizeof part, "/seats/%s", name);
        struct answer answer = ask(game, "POST", part, taken, taken ? "{}" : body, 201);
        (void)snprintf(room, sizeof *game->table.seat, "%s",
                       answer_text(&answer, "/credential"));
        answer_done(&answer);
        taken++;
    }
    game->table.seats = (size_t)taken;
    answer_done(&made);
    free(dump);
    look(game);
    CLAIM(game, is(game->view, "status", "seeding"));
}

static void test_unbegun(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        struct game game;
        char room[40];
        bool late = i / 2;
        json_t *creation = i % 2 ? castle_creation(0) : duel_creation(0);
        (void)snprintf(room, sizeof room, "table-unbegun-%d", i);
        open_seeding(&game, room, creation);
        if (late) {
            memory_set_clock(game.client.memory, INT64_C(1000) * (NOW_S + 86400));
            api_tick(game.client.api);
        } else {
            call_off(&game);
        }
        look(&game);
        check_unopened(&game, late ? "time" : "aborted");
        close_game(&game);
    }
}

/* Every way to be refused has come up, and every claim has been true. */
static void test_met(void **state)
{
    static const char *const all[] = {
        "EG-2 contradiction", "EG-2 not_held",        "EG-4 contradiction",
        "EG-5 contradiction", "EG-5 must_parry",      "EG-5 nothing_to_parry",
        "EG-5 yield",         "EG-6 yield",           "EG-9 contradiction",
        "EG-9 must_show",     "EG-9 nothing_to_show", "EG-9 wrong_hand",
        "EG-9 mistyped",      "EK-7 mistyped",        "EG-11 contradiction",
        "EG-11 stuck",        "EK-6 contradiction",   "EK-6 stuck",
        "EK-6 yield",         "EK-7 contradiction",   "EK-7 must_show",
        "EK-7 wrong_hand",    "EK-7 nothing_to_show", "CR-1 contradiction",
        "CR-4 not_in_room",   "CR-4 unknown_face",    "CR-8 covered",
        "CR-8 unknown_face",
    };

    (void)state;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!json_object_get(met, all[i]) && !getenv("GAMES"))
            fail_msg("%s has not come up", all[i]);
    assert_true(json_object_size(met) <= sizeof all / sizeof *all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_duels),   cmocka_unit_test(test_castles),
        cmocka_unit_test(test_endings), cmocka_unit_test(test_unbegun),
        cmocka_unit_test(test_met),
    };

    met = json_object();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    json_decref(met);
    return failed;
}
