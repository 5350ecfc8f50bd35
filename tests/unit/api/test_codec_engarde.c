/* codec_engarde.c and codec_engarde_read.c: forms there and back, faults, views, openings. */
#include "api/codec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "api/cleanup.h"
#include "rules/engarde/engarde.h"
#include "rules/match.h"
#include "rules/rulesets.h"
#include "tests/support/seeded.h"

static const char exchange_state[] =
    "{\"fields\":{\"left\":10,\"right\":13},\"hits\":{\"left\":0,\"right\":4},"
    "\"hands\":{\"left\":[1,2,5],\"right\":[1,3,3,4,4]},\"deck\":[5,4,2,1,1,2],"
    "\"turn\":\"right\",\"exchange\":{\"card\":3,\"played\":{\"left\":2,\"right\":0},"
    "\"last_attacker\":\"left\"},\"round\":3,\"starter\":\"left\"}";

static json_t *parse(const char *text)
{
    struct fault fault;
    json_t *value = json_gate(text, strlen(text), &fault);

    if (!value)
        fail_msg("%s: %s", text, fault.detail);
    return value;
}

static struct options presets(const char *variant)
{
    struct options options;
    int row = ruleset_variant(&eg_ruleset, variant);

    assert_true(row >= 0);
    ruleset_presets(&eg_ruleset, (uint8_t)row, &options);
    return options;
}

/* Forms */

static struct eg_state read_back(const char *text, struct options options)
{
    json_auto_t *json = parse(text);
    struct eg_state state;
    struct fault fault;

    if (!eg_codec.read_state(json, NULL, &options, &state, &fault))
        fail_msg("%s: %s", fault.pointer, fault.detail);
    return state;
}

static char *state_text(const struct eg_state *state)
{
    struct out out = {0};

    eg_codec.write_state(&out, NULL, state);
    return out_take(&out, NULL);
}

static void states_go_there_and_back(void **unused)
{
    struct eg_state state = read_back(exchange_state, presets("do-strehu"));
    autofree char *text = state_text(&state);

    (void)unused;
    assert_string_equal(text, exchange_state);
    assert_int_equal(eg_ruleset.check(&state), ALLOWED);
    assert_int_equal(eg_codec.turn(&state), EG_RIGHT);
    assert_string_equal(eg_codec.status(&state), "playing");
}

/* Every state of random games comes back as what a player can know of it, and judges alike. */
static void played_states_go_there_and_back(void **unused)
{
    struct seeded chance = {7};
    struct eg_state state;
    struct effects effects;
    struct event list[64];

    (void)unused;
    for (int game = 0; game < 60; game++) {
        struct options options = presets(game % 2 ? "knizia" : "do-strehu");
        options.value[EG_OPTION_FIRST] = 1;
        options.value[EG_OPTION_LEVEL] = (int16_t)(game / 2 % 3);
        eg_ruleset.begin(&state, &options);
        for (int ply = 0; ply < 100 && !state.outcome.reason; ply++) {
            struct event event = {.kind = EVENT_DEAL, .seat = NO_SEAT, .size = EG_CARDS};
            if (eg_ruleset.awaits(&state).what == AWAIT_DEAL) {
                seeded_permutation(&chance, event.data, EG_CARDS);
            } else {
                autofree char *text = state_text(&state);
                struct eg_state again = read_back(text, options);
                autofree char *same = state_text(&again);
                assert_string_equal(text, same);
                assert_int_equal(eg_ruleset.check(&again), ALLOWED);
                size_t n = eg_ruleset.legal(&state, state.turn, list, 64);
                assert_int_equal(eg_ruleset.legal(&again, state.turn, list, 64), n);
                event = list[seeded_below(&chance, (uint32_t)n)];
            }
            match_play(&eg_ruleset, &state, &event, &effects);
        }
    }
}

/* Each legal move is written so that it reads back as itself. */
static void moves_go_there_and_back(void **unused)
{
    static const struct eg_move moves[] = {{EG_ADVANCE, 3, 1, 0},
                                           {EG_RETREAT, 5, 1, 0},
                                           {EG_ATTACK, 2, 4, 0},
                                           {EG_PARRY, 0, 2, 0},
                                           {EG_ADVANCE_ATTACK, 2, 3, 4}};
    static const char *const texts[] = {
        "{\"type\":\"advance\",\"card\":3}", "{\"type\":\"retreat\",\"card\":5}",
        "{\"type\":\"attack\",\"card\":2,\"count\":4}", "{\"type\":\"parry\",\"count\":2}",
        "{\"type\":\"advance_attack\",\"move\":4,\"card\":2,\"count\":3}"};

    (void)unused;
    for (size_t i = 0; i < EG_YIELD; i++) {
        struct event event = {.seat = 1}, again = {.seat = 1};
        struct out out = {0};
        struct fault fault;
        memcpy(event.data, &moves[i], sizeof moves[i]);
        eg_codec.write_move(&out, NULL, &event);
        autofree char *text = out_take(&out, NULL);
        assert_string_equal(text, texts[i]);
        json_auto_t *json = parse(text);
        assert_true(eg_codec.read_move(json, "/move", NULL, &again, &fault));
        assert_int_equal(again.kind, EVENT_MOVE);
        assert_int_equal(again.seat, 1);
        assert_int_equal(again.size, sizeof moves[i]);
        assert_memory_equal(again.data, event.data, sizeof event.data);
    }
}

static void faulty_moves_say_where(void **unused)
{
    static const char *const bad[][2] = {
        {"[]", "/move"},
        {"{}", "/move"},
        {"{\"type\":7}", "/move/type"},
        {"{\"type\":\"yield\"}", "/move/type"},
        {"{\"type\":\"advance\"}", "/move"},
        {"{\"type\":\"advance\",\"card\":\"3\"}", "/move/card"},
        {"{\"type\":\"advance\",\"card\":null}", "/move/card"},
        {"{\"type\":\"advance\",\"card\":3,\"count\":1}", "/move/count"},
        {"{\"type\":\"attack\",\"card\":3}", "/move"},
        {"{\"type\":\"attack\",\"card\":3,\"count\":[1]}", "/move/count"},
        {"{\"type\":\"parry\",\"card\":3,\"count\":1}", "/move/card"},
        {"{\"type\":\"advance_attack\",\"card\":3,\"count\":1}", "/move"},
    };

    (void)unused;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        json_auto_t *json = parse(bad[i][0]);
        struct fault fault = {0};
        struct event event = {0};
        if (eg_codec.read_move(json, "/move", NULL, &event, &fault))
            fail_msg("%s was taken", bad[i][0]);
        assert_string_equal(fault.pointer, bad[i][1]);
        assert_true(fault.detail[0]);
    }
}

/* Puts `value` at a path of the good state ("hands/left"); NULL takes the member away. */
static json_t *spoilt(const char *path, const char *value)
{
    json_t *state = parse(exchange_state), *at = state;
    char name[40];
    const char *slash;

    while ((slash = strchr(path, '/'))) {
        (void)snprintf(name, sizeof name, "%.*s", (int)(slash - path), path);
        at = json_object_get(at, name);
        path = slash + 1;
    }
    if (value)
        json_object_set_new(at, path, json_loads(value, JSON_DECODE_ANY, NULL));
    else
        json_object_del(at, path);
    return state;
}

static void faulty_states_say_where(void **unused)
{
    static const char *const bad[][3] = {
        {"fields", NULL, "/state"},
        {"fields", "3", "/state/fields"},
        {"fields/left", NULL, "/state/fields"},
        {"fields/left", "\"1\"", "/state/fields/left"},
        {"fields/middle", "1", "/state/fields/middle"},
        {"hits", NULL, "/state"},
        {"hits/right", "true", "/state/hits/right"},
        {"hands", "[]", "/state/hands"},
        {"hands/left", "5", "/state/hands/left"},
        {"hands/left", "[1,null]", "/state/hands/left/1"},
        {"hands/right", NULL, "/state/hands"},
        {"deck", "{}", "/state/deck"},
        {"deck", "[1,2,\"x\"]", "/state/deck/2"},
        {"turn", "\"top\"", "/state/turn"},
        {"turn", "null", "/state/turn"},
        {"exchange", NULL, "/state"},
        {"exchange", "[]", "/state/exchange"},
        {"exchange/played", "[2,0]", "/state/exchange/played"},
        {"exchange/last_attacker", "\"\"", "/state/exchange/last_attacker"},
        {"exchange/advanced", "1", "/state/exchange/advanced"},
        {"exchange/count", "1", "/state/exchange/count"},
        {"round", "\"1\"", "/state/round"},
        {"starter", NULL, "/state"},
        {"starter", "\"lot\"", "/state/starter"},
        {"seat", "\"left\"", "/state/seat"},
    };
    struct options options = presets("do-strehu");
    struct eg_state state;

    (void)unused;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        json_auto_t *json = spoilt(bad[i][0], bad[i][1]);
        struct fault fault = {0};
        if (eg_codec.read_state(json, NULL, &options, &state, &fault))
            fail_msg("%s was taken", bad[i][0]);
        assert_string_equal(fault.pointer, bad[i][2]);
    }
    json_auto_t *good = parse(exchange_state), *history = json_array();
    struct fault fault = {0};
    assert_false(eg_codec.read_state(good, history, &options, &state, &fault));
    assert_string_equal(fault.pointer, "/history");
}

/* Views and openings */

static struct eg_state dealt(struct effects *effects)
{
    struct options options = presets("do-strehu");
    struct event event = {.kind = EVENT_DEAL, .seat = NO_SEAT, .size = EG_CARDS, .tries = 1};
    struct eg_state state;

    options.value[EG_OPTION_FIRST] = 1;
    eg_ruleset.begin(&state, &options);
    for (uint8_t i = 0; i < EG_CARDS; i++)
        event.data[i] = (uint8_t)(24 - i);
    match_play(&eg_ruleset, &state, &event, effects);
    return state;
}

static void assert_board(const struct eg_state *state, uint8_t seat, const char *expected)
{
    struct eg_view view;
    struct out out = {0};

    eg_ruleset.observe(state, seat, &view);
    eg_codec.write_board(&out, NULL, &view);
    autofree char *text = out_take(&out, NULL);
    assert_string_equal(text, expected);
}

static void boards_show_what_may_be_seen(void **unused)
{
    struct effects effects;
    struct eg_state state = dealt(&effects);

    (void)unused;
    assert_board(&state, EG_LEFT,
                 "{\"fields\":{\"left\":1,\"right\":23},\"hits\":{\"left\":0,\"right\":0},"
                 "\"hands\":{\"left\":[5,5,5,5,5],\"right\":5},\"deck\":15,\"played\":[],"
                 "\"exchange\":null,\"round\":1,\"starter\":\"left\"}");
    assert_board(&state, NO_SEAT,
                 "{\"fields\":{\"left\":1,\"right\":23},\"hits\":{\"left\":0,\"right\":0},"
                 "\"hands\":{\"left\":5,\"right\":5},\"deck\":15,\"played\":[],"
                 "\"exchange\":null,\"round\":1,\"starter\":\"left\"}");
    state = read_back(exchange_state, presets("do-strehu"));
    assert_board(&state, EG_RIGHT,
                 "{\"fields\":{\"left\":10,\"right\":13},\"hits\":{\"left\":0,\"right\":4},"
                 "\"hands\":{\"left\":3,\"right\":[1,3,3,4,4]},\"deck\":6,"
                 "\"played\":[1,2,2,3,3,3,4,4,5,5,5],"
                 "\"exchange\":{\"card\":3,\"played\":{\"left\":2,\"right\":0},"
                 "\"last_attacker\":\"left\"},\"round\":3,\"starter\":\"left\"}");
}

static void deals_and_draws_are_opened_to_one(void **unused)
{
    struct effects effects;
    struct eg_state state = dealt(&effects);
    struct eg_move move = {EG_ADVANCE, 5, 1, 0};
    struct event event = {.kind = EVENT_MOVE, .seat = EG_LEFT, .size = sizeof move};
    struct openings openings;
    uint8_t faces[64];
    char name[24];

    (void)unused;
    eg_codec.openings(&state, &effects.list[0], &openings);
    assert_int_equal(openings.count, 10);
    for (uint8_t i = 0; i < 10; i++) {
        const struct opening *o = &openings.list[i];
        assert_int_equal(o->seats, i < 5 ? 1 << EG_LEFT : 1 << EG_RIGHT);
        assert_int_equal(o->component, COMPONENT_CARD);
        assert_int_equal(o->context, 1);
        assert_int_equal(o->index, i);
        assert_int_equal(o->face, i < 5 ? 5 : 4);
    }
    memcpy(event.data, &move, sizeof move);
    match_play(&eg_ruleset, &state, &event, &effects);
    eg_codec.openings(&state, &effects.list[0], &openings);
    assert_int_equal(openings.count, 0);
    eg_codec.openings(&state, &effects.list[1], &openings);
    assert_int_equal(openings.count, 1);
    assert_int_equal(openings.list[0].seats, 1 << EG_LEFT);
    assert_int_equal(openings.list[0].index, 10);
    assert_int_equal(openings.list[0].face, 3);
    eg_codec.component_name(&openings.list[0], name);
    assert_string_equal(name, "card/1/10");
    assert_null(eg_codec.face_name(NULL, 3));
    assert_int_equal(eg_codec.faces(&state, 1, faces), EG_CARDS);
    assert_memory_equal(faces, state.value, EG_CARDS);
    assert_int_equal(eg_codec.faces(&state, 2, faces), 0);
    assert_int_equal(eg_codec.faces(&state, 0, faces), 0);
}

/* EG-9: the end by the deck opens what is in both hands, to all; a hit opens nothing. */
static void ends_open_hands(void **unused)
{
    struct effects effects;
    struct eg_state state = dealt(&effects);
    struct openings openings;

    (void)unused;
    for (uint8_t ruling = 1; ruling < EG_RULINGS; ruling++) {
        struct effect hit = {.type = EG_HIT, .seat = EG_LEFT};
        hit.data[EG_DATA_RULING] = ruling;
        eg_codec.openings(&state, &hit, &openings);
        assert_int_equal(openings.count, eg_opens_hands(ruling) ? 10 : 0);
        for (size_t i = 0; i < openings.count; i++) {
            assert_int_equal(openings.list[i].seats, OPEN_TO_ALL);
            assert_int_equal(openings.list[i].index, i);
        }
    }
}

static void effects_are_told(void **unused)
{
    static const struct {
        struct effect effect;
        const char *type, *text;
    } told[] = {
        {{EG_MOVED, 0, {1, 4}}, "moved", "{\"from\":1,\"to\":4}"},
        {{EG_ATTACKED, 0, {3, 2}}, "attacked", "{\"card\":3,\"count\":2}"},
        {{EG_PARRIED, 1, {3, 2}}, "parried", "{\"card\":3,\"count\":2}"},
        {{EG_DREW, 1, {2, 17}}, "drawn_cards", "{\"count\":2}"},
        {{EG_HIT, 1, {3, EG_5}}, "hit", "{\"hits\":3,\"ruling\":\"EG-5\"}"},
        {{EG_HIT, 1, {3, EG_9, 1, 0, 0, 0, 2, 0, 1, 0, 0, 0}},
         "hit",
         "{\"hands\":{\"left\":[1,5,5],\"right\":[2]},\"hits\":3,\"ruling\":\"EG-9\"}"},
        {{EG_ROUND_VOID, NO_SEAT, {0, EG_10, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0}},
         "round_void",
         "{\"hands\":{\"left\":[1],\"right\":[2]},\"ruling\":\"EG-10\"}"},
        {{EG_ROUND_STARTED, NO_SEAT, {2, EG_RIGHT}},
         "round_started",
         "{\"round\":2,\"starter\":\"right\"}"},
    };

    (void)unused;
    for (size_t i = 0; i < sizeof told / sizeof *told; i++) {
        struct out out = {0};
        assert_string_equal(eg_codec.effect_type(&told[i].effect), told[i].type);
        out_object(&out, NULL);
        eg_codec.write_effect(&out, &told[i].effect);
        out_object_end(&out);
        autofree char *text = out_take(&out, NULL);
        assert_string_equal(text, told[i].text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(states_go_there_and_back),
        cmocka_unit_test(played_states_go_there_and_back),
        cmocka_unit_test(moves_go_there_and_back),
        cmocka_unit_test(faulty_moves_say_where),
        cmocka_unit_test(faulty_states_say_where),
        cmocka_unit_test(boards_show_what_may_be_seen),
        cmocka_unit_test(deals_and_draws_are_opened_to_one),
        cmocka_unit_test(ends_open_hands),
        cmocka_unit_test(effects_are_told),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
