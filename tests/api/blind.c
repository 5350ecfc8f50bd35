/* Two games that differ only in what a viewer may not see say the same bytes to that viewer.
 *
 * Twin games run on two stores. What must differ (ids, credentials, commitments, links, nonces,
 * signatures) is masked letter by letter, so that lengths count too. They may part only when
 * the rules show something: then the walk ends. Whether they had to is told from the public
 * events and from the viewer's own cards, not from the bytes that are compared.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/client.h"

enum { STEPS_AT_MOST = 40 };

struct twins {
    struct client client[2];
    struct table table[2];
    int viewer; /* a seat, or -1: a spectator */
};

static bool is_word(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           c == '_' || c == '-' || c == '.';
}

static bool is_hex(const char *text, size_t size)
{
    return size == 64 && strspn(text, "0123456789abcdef") >= 64;
}

/* Ids, hashes and tokens become rows of x. */
static void mask(char *text, const char *id)
{
    while (*text) {
        size_t size = 0;
        while (is_word(text[size]))
            size++;
        if (is_hex(text, size) || strncmp(text, "v4.public.", 10) == 0 ||
            (size == strlen(id) && memcmp(text, id, size) == 0))
            memset(text, 'x', size);
        text += size ? size : 1;
    }
}

static char *seen(struct twins *twins, int which, const char *part)
{
    struct table *table = &twins->table[which];
    char path[128];

    (void)snprintf(path, sizeof path, "/v1/games/%s%s", table->id, part);
    struct answer answer =
        client_do(&twins->client[which], "GET", path,
                  twins->viewer < 0 ? NULL : table->seat[twins->viewer], NULL, 200);
    char *text = strdup(answer.text);
    answer_done(&answer);
    mask(text, table->id);
    return text;
}

static void compare(struct twins *twins)
{
    static const char *const parts[] = {"", "/events", "/events?tokens=1", "/head", "/moves"};
    size_t count = sizeof parts / sizeof *parts - (twins->viewer < 0);

    for (size_t i = 0; i < count; i++) {
        char *one = seen(twins, 0, parts[i]), *other = seen(twins, 1, parts[i]);
        assert_string_equal(one, other);
        free(one);
        free(other);
    }
}

/* Events that show what was hidden before, and by which members. */
static const struct showing {
    const char *type, *members[3];
} showings[] = {
    {"hit", {"hits", "hands", "ruling"}},
    {"round_void", {"hands", "ruling"}},
    {"round_started", {"round"}},
    {"combat", {"outcome"}},
    {"uncovered", {"squares"}},
    {"covered", {"squares"}},
    {"out", {"squares"}},
    {"cheese_taken", {"cheese"}},
    {"fell", {"square"}},
};

static void note(char *text, size_t room, const char *what, const json_t *value)
{
    char *dumped = value ? json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT) : NULL;
    size_t used = strlen(text);

    (void)snprintf(text + used, room - used, "%s=%s;", what, dumped ? dumped : "");
    free(dumped);
}

/* What one event shows by the rules: the members above, and the faces opened to the viewer. */
static void note_event(const json_t *event, char *text, size_t room)
{
    const char *type = json_string_value(json_object_get(event, "type"));
    json_t *opening;
    size_t i;

    for (i = 0; i < sizeof showings / sizeof *showings; i++) {
        if (strcmp(showings[i].type, type) != 0)
            continue;
        note(text, room, type, json_object_get(event, "seat"));
        for (size_t j = 0; j < 3 && showings[i].members[j]; j++)
            note(text, room, showings[i].members[j],
                 json_object_get(event, showings[i].members[j]));
    }
    json_array_foreach(json_object_get(event, "openings"), i, opening)
    {
        note(text, room, "component", json_object_get(opening, "component"));
        note(text, room, "face", json_object_get(opening, "face"));
    }
}

/* What the events after that seq show; false if the game is over and all is open. */
static bool shown(struct twins *twins, int which, json_int_t after, char *ret_text, size_t room)
{
    struct table *table = &twins->table[which];
    json_t *event;
    bool goes_on = true;
    char path[128];
    size_t i;

    (void)snprintf(path, sizeof path, "/v1/games/%s/events?after=%d", table->id, (int)after);
    struct answer answer =
        client_do(&twins->client[which], "GET", path,
                  twins->viewer < 0 ? NULL : table->seat[twins->viewer], NULL, 200);
    json_array_foreach(json_object_get(answer.json, "events"), i, event)
    {
        const char *type = json_string_value(json_object_get(event, "type"));
        goes_on = goes_on && strcmp(type, "ended") != 0;
        note_event(event, ret_text, room);
    }
    answer_done(&answer);
    return goes_on;
}

/* Must what the viewer sees still be the same? */
static bool must_agree(struct twins *twins, json_int_t after)
{
    static char texts[2][16384];
    bool goes_on = true;

    for (int i = 0; i < 2; i++) {
        texts[i][0] = '\0';
        goes_on = shown(twins, i, after, texts[i], sizeof texts[i]) && goes_on;
    }
    return goes_on && strcmp(texts[0], texts[1]) == 0;
}

static json_int_t seq_of(struct twins *twins)
{
    char path[96];

    (void)snprintf(path, sizeof path, "/v1/games/%s", twins->table[0].id);
    struct answer answer =
        client_do(&twins->client[0], "GET", path, twins->client[0].operator_text, NULL, 200);
    json_int_t seq = json_integer_value(json_object_get(answer.json, "seq"));
    answer_done(&answer);
    return seq;
}

static json_t *moves_of(struct twins *twins, int which, size_t seat)
{
    struct table *table = &twins->table[which];
    char path[96];

    (void)snprintf(path, sizeof path, "/v1/games/%s/moves", table->id);
    struct answer answer =
        client_do(&twins->client[which], "GET", path, table->seat[seat], NULL, 200);
    json_t *moves = json_incref(json_object_get(answer.json, "moves"));
    answer_done(&answer);
    return moves;
}

static bool among(const json_t *moves, const json_t *move)
{
    for (size_t i = 0; i < json_array_size(moves); i++)
        if (json_equal(json_array_get(moves, i), move))
            return true;
    return false;
}

/* A move that is legal in both, by chance; NULL: none. The caller's to release. */
static json_t *common_move(struct twins *twins, size_t seat, struct seeded *seeded)
{
    json_t *one = moves_of(twins, 0, seat), *other = moves_of(twins, 1, seat), *chosen = NULL;
    uint32_t seen_so_far = 0;

    for (size_t i = 0; i < json_array_size(one); i++) {
        json_t *move = json_array_get(one, i);
        if (among(other, move) && seeded_below(seeded, ++seen_so_far) == 0) {
            json_decref(chosen);
            chosen = json_incref(move);
        }
    }
    json_decref(one);
    json_decref(other);
    return chosen;
}

/* One move in both; false if there is none that fits both. */
static bool move_both(struct twins *twins, struct seeded *seeded)
{
    json_t *move = NULL;
    size_t seat = 0;

    for (; !move && seat < twins->table[0].seats; seat++)
        move = common_move(twins, seat, seeded);
    if (!move)
        return false;
    json_t *body = json_pack("{s:o}", "move", move);
    char *text = json_dumps(body, JSON_COMPACT);
    for (int i = 0; i < 2; i++) {
        char path[96];
        (void)snprintf(path, sizeof path, "/v1/games/%s/moves", twins->table[i].id);
        struct answer answer = client_do(&twins->client[i], "POST", path,
                                         twins->table[i].seat[seat - 1], text, 200);
        answer_done(&answer);
    }
    free(text);
    json_decref(body);
    return true;
}

/* Plays on for as long as nothing is shown; returns how many moves were compared. */
static int walk(struct twins *twins, struct seeded *seeded)
{
    int steps = 0;

    for (; steps < STEPS_AT_MOST; steps++) {
        json_int_t before = seq_of(twins);
        if (!move_both(twins, seeded) || !must_agree(twins, before))
            break;
        compare(twins);
    }
    return steps;
}

static void open_twins(struct twins *twins, const char *creation, uint64_t one, uint64_t other,
                       int viewer)
{
    *twins = (struct twins){.viewer = viewer};
    client_open(&twins->client[0], NULL, one);
    client_open(&twins->client[1], NULL, other);
    for (int i = 0; i < 2; i++)
        table_make(&twins->client[i], creation, 0, &twins->table[i]);
}

static void close_twins(struct twins *twins)
{
    client_close(&twins->client[0]);
    client_close(&twins->client[1]);
}

/* The first hand of the viewer, as text. */
static void first_hand(const char *creation, uint64_t seed, int viewer, char ret[static 2048])
{
    struct twins twins = {.viewer = viewer};
    char faces[4096] = "";

    client_open(&twins.client[0], NULL, seed);
    table_make(&twins.client[0], creation, 0, &twins.table[0]);
    (void)shown(&twins, 0, 0, faces, sizeof faces);
    (void)snprintf(ret, 2048, "%.2047s", faces);
    client_close(&twins.client[0]);
}

/* Decks are dealt until two of them give the viewer the same five cards. */
static void test_engarde_hands(void **state)
{
    static const char creation[] = "{\"ruleset\":\"engarde\",\"options\":{\"first\":\"left\"}}";
    enum { DEALS = 500 };
    static char hands[DEALS][2048];
    int pairs = 0, steps = 0;

    (void)state;
    for (int viewer = 0; viewer < 2; viewer++) {
        for (int i = 0; i < DEALS; i++) {
            first_hand(creation, (uint64_t)i + 1, viewer, hands[i]);
            for (int j = 0; j < i; j++) {
                struct seeded seeded = {(uint64_t)(i * DEALS + j)};
                struct twins twins;
                if (strcmp(hands[i], hands[j]) != 0)
                    continue;
                open_twins(&twins, creation, (uint64_t)i + 1, (uint64_t)j + 1, viewer);
                compare(&twins);
                steps += walk(&twins, &seeded);
                close_twins(&twins);
                pairs++;
            }
        }
    }
    print_message("%d pairs of games, %d moves\n", pairs, steps);
    assert_true(pairs > 10 && steps > 10);
}

/* A spectator sees no card at all: any two decks will do. */
static void test_engarde_spectator(void **state)
{
    static const char *const creations[] = {
        "{\"ruleset\":\"engarde\",\"options\":{\"first\":\"left\"}}",
        "{\"ruleset\":\"engarde\",\"variant\":\"knizia\",\"options\":{\"first\":\"right\"}}"};
    int steps = 0;

    (void)state;
    for (uint64_t i = 0; i < 40; i++) {
        struct seeded seeded = {i};
        struct twins twins;
        open_twins(&twins, creations[i % 2], 2 * i + 1, 2 * i + 2, -1);
        compare(&twins);
        steps += walk(&twins, &seeded);
        close_twins(&twins);
    }
    print_message("%d moves\n", steps);
    assert_true(steps > 100);
}

/* The same set-up in the other twin; ranks change places if it is not the viewer's own. */
static void copy_setup(struct twins *twins, int seat, bool shuffled, struct seeded *seeded)
{
    struct table *table = twins->table;
    uint8_t order[40];
    char path[96];
    const char *square;
    json_t *rank;
    size_t i = 0;

    (void)snprintf(path, sizeof path, "/v1/games/%s/setup", table[0].id);
    struct answer own =
        client_do(&twins->client[0], "GET", path, table[0].seat[seat], NULL, 200);
    json_t *pieces = json_object_get(own.json, "pieces"), *ranks = json_array();
    seeded_permutation(seeded, order, json_object_size(pieces));
    json_object_foreach(pieces, square, rank) json_array_append(ranks, rank);
    json_object_foreach(pieces, square, rank)
    {
        if (shuffled)
            json_object_set(pieces, square, json_array_get(ranks, order[i]));
        i++;
    }
    json_t *body = json_pack("{s:O}", "pieces", pieces);
    char *text = json_dumps(body, JSON_COMPACT);
    (void)snprintf(path, sizeof path, "/v1/games/%s/setup", table[1].id);
    struct answer set =
        client_do(&twins->client[1], "POST", path, table[1].seat[seat], text, 200);
    answer_done(&set);
    answer_done(&own);
    free(text);
    json_decref(body);
    json_decref(ranks);
}

/* Pieces may be permuted at will until one of them fights. */
static void stratego(const char *creation, const char *variant, int viewer, uint64_t seed,
                     int *steps)
{
    struct seeded seeded = {seed};
    struct twins twins;

    open_twins(&twins, creation, seed, seed + 1000, viewer);
    for (int seat = 0; seat < 2; seat++) {
        table_set_up(&twins.client[0], &twins.table[0], variant, seat, &seeded);
        copy_setup(&twins, seat, seat != viewer, &seeded);
    }
    compare(&twins);
    *steps += walk(&twins, &seeded);
    close_twins(&twins);
}

static void test_stratego(void **state)
{
    int steps = 0;

    (void)state;
    for (uint64_t i = 0; i < 24; i++) {
        int viewer = (int)(i % 3) - 1;
        stratego("{\"ruleset\":\"stratego\",\"options\":{\"first\":\"red\"}}", "marsal-a-spion",
                 viewer, i + 1, &steps);
        stratego("{\"ruleset\":\"stratego\",\"variant\":\"classic\"}", "classic", viewer, i + 1,
                 &steps);
        stratego("{\"ruleset\":\"stratego\",\"variant\":\"barrage\"}", "barrage", viewer, i + 1,
                 &steps);
    }
    print_message("%d moves\n", steps);
    assert_true(steps > 100);
}

static json_int_t tries_of(uint64_t seed, const char *creation)
{
    struct client client;
    struct table table;
    char path[96];
    json_int_t tries = 0;
    json_t *event;
    size_t i;

    client_open(&client, NULL, seed);
    table_make(&client, creation, 0, &table);
    (void)snprintf(path, sizeof path, "/v1/games/%s/events", table.id);
    struct answer answer = client_do(&client, "GET", path, NULL, NULL, 200);
    json_array_foreach(json_object_get(answer.json, "events"), i, event) tries +=
        json_integer_value(json_object_get(event, "tries"));
    answer_done(&answer);
    client_close(&client);
    return tries;
}

/* Nobody sees under a roof. How often the castle was laid is public: pairs agree in it. */
static void test_roquefort(void **state)
{
    static const char creation[] =
        "{\"ruleset\":\"roquefort\",\"players\":3,\"options\":{\"first\":\"red\"}}";
    enum { CASTLES = 80 };
    json_int_t tries[CASTLES];
    int pairs = 0, steps = 0;

    (void)state;
    for (int i = 0; i < CASTLES; i++) {
        tries[i] = tries_of((uint64_t)i + 1, creation);
        for (int j = 0; j < i; j++) {
            struct seeded seeded = {(uint64_t)(i * CASTLES + j)};
            struct twins twins;
            if (tries[i] != tries[j])
                continue;
            open_twins(&twins, creation, (uint64_t)i + 1, (uint64_t)j + 1, (i + j) % 4 - 1);
            compare(&twins);
            steps += walk(&twins, &seeded);
            close_twins(&twins);
            pairs++;
        }
    }
    print_message("%d pairs of castles, %d moves\n", pairs, steps);
    assert_true(pairs > 5 && steps > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_engarde_hands),
        cmocka_unit_test(test_engarde_spectator),
        cmocka_unit_test(test_stratego),
        cmocka_unit_test(test_roquefort),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
