/* codec_engarde.c and codec_engarde_read.c in table custody: the forms that exist only there,
 * and that nothing is written or opened which the referee does not know. */
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

static struct effects effects;

static json_t *parse(const char *text)
{
    struct fault fault;
    json_t *value = json_gate(text, strlen(text), &fault);

    if (!value)
        fail_msg("%s: %s", text, fault.detail);
    return value;
}

static void begin(struct eg_state *ret_state, const char *variant, uint8_t custody)
{
    struct options options;
    int row = ruleset_variant(&eg_ruleset, variant);

    assert_true(row >= 0);
    ruleset_presets(&eg_ruleset, (uint8_t)row, &options);
    options.custody = custody;
    options.value[EG_OPTION_FIRST] = 1;
    eg_ruleset.begin(ret_state, &options);
}

static void deal(struct eg_state *state)
{
    struct event event = {.kind = EVENT_DEAL, .seat = NO_SEAT, .tries = 1};

    match_play(&eg_ruleset, state, &event, &effects);
}

/* Reads a move for `seat` in `state`; the fault if it has none of the forms. */
static bool read(const struct eg_state *state, uint8_t seat, const char *text,
                 struct event *ret_event, struct fault *ret_fault)
{
    json_auto_t *json = parse(text);

    *ret_event = (struct event){.seat = seat};
    *ret_fault = (struct fault){0};
    return eg_codec.read_move(json, "/move", state, ret_event, ret_fault);
}

static void play(struct eg_state *state, uint8_t seat, const char *text)
{
    struct event event;
    struct fault fault;

    if (!read(state, seat, text, &event, &fault))
        fail_msg("%s: %s", text, fault.detail);
    ruling_t refusal = match_judge(&eg_ruleset, state, &event);
    if (refusal)
        fail_msg("%s: %s", text, eg_ruleset.name(refusal)->text[0]);
    match_play(&eg_ruleset, state, &event, &effects);
}

static void assert_refused(const struct eg_state *state, uint8_t seat, const char *text,
                           const char *code)
{
    struct event event;
    struct fault fault;

    if (!read(state, seat, text, &event, &fault))
        fail_msg("%s: %s", text, fault.detail);
    assert_string_equal(eg_ruleset.name(match_judge(&eg_ruleset, state, &event))->code, code);
}

static void moves_go_there_and_back(void **unused)
{
    static const char *const texts[] = {
        "{\"type\":\"yield\"}",
        "{\"type\":\"stuck\"}",
        "{\"type\":\"show\",\"cards\":[1,1,3,4,5]}",
        "{\"type\":\"show\",\"cards\":[]}",
        "{\"type\":\"advance\",\"card\":3}",
        "{\"type\":\"parry\",\"count\":2}",
        "{\"type\":\"advance_attack\",\"move\":4,\"card\":2,\"count\":3}",
    };
    struct eg_state state;

    (void)unused;
    begin(&state, "do-strehu", CUSTODY_TABLE);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct event event;
        struct fault fault;
        struct out out = {0};
        assert_true(read(&state, 1, texts[i], &event, &fault));
        assert_int_equal(event.kind, EVENT_MOVE);
        assert_int_equal(event.seat, 1);
        eg_codec.write_move(&out, NULL, &event);
        autofree char *text = out_take(&out, NULL);
        assert_string_equal(text, texts[i]);
    }
}

/* One move, one event: the order in which cards are named does not matter. */
static void cards_come_in_any_order(void **unused)
{
    struct eg_state state;
    struct event sorted, event;
    struct fault fault;

    (void)unused;
    begin(&state, "do-strehu", CUSTODY_TABLE);
    assert_true(read(&state, 0, "{\"type\":\"show\",\"cards\":[1,1,3,4,5]}", &sorted, &fault));
    assert_true(read(&state, 0, "{\"type\":\"show\",\"cards\":[5,1,4,1,3]}", &event, &fault));
    assert_memory_equal(&sorted, &event, sizeof event);
    assert_int_equal(event.size, sizeof(struct eg_show));
    /* A card of no value counts among all of them alone. */
    assert_true(read(&state, 0, "{\"type\":\"show\",\"cards\":[4,9,0]}", &event, &fault));
    assert_memory_equal(event.data, ((uint8_t[]){EG_SHOW, 3, 0, 0, 0, 1, 0}), 7);
}

static void faulty_moves_say_where(void **unused)
{
    static const char *const bad[][2] = {
        {"{\"type\":\"fold\"}", "/move/type"},
        {"{\"type\":\"yield\",\"count\":1}", "/move/count"},
        {"{\"type\":\"stuck\",\"card\":1}", "/move/card"},
        {"{\"type\":\"show\"}", "/move"},
        {"{\"type\":\"show\",\"cards\":3}", "/move/cards"},
        {"{\"type\":\"show\",\"cards\":null}", "/move/cards"},
        {"{\"type\":\"show\",\"cards\":[1,2,\"3\"]}", "/move/cards/2"},
        {"{\"type\":\"show\",\"cards\":[1],\"count\":1}", "/move/count"},
        {"{\"type\":\"advance\",\"card\":3,\"cards\":[3]}", "/move/cards"},
    };
    struct eg_state state;
    struct event event;
    struct fault fault;

    (void)unused;
    begin(&state, "do-strehu", CUSTODY_TABLE);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        if (read(&state, 0, bad[i][0], &event, &fault))
            fail_msg("%s was taken", bad[i][0]);
        assert_string_equal(fault.pointer, bad[i][1]);
    }
    assert_false(read(&state, 0, bad[0][0], &event, &fault));
    assert_string_equal(fault.detail, "This must be advance, retreat, attack, parry, "
                                      "advance_attack, yield, stuck or show.");
}

/* In the referee's custody these types do not exist, as before. */
static void only_at_a_table(void **unused)
{
    static const char *const texts[] = {"{\"type\":\"yield\"}", "{\"type\":\"stuck\"}",
                                        "{\"type\":\"show\",\"cards\":[1,1,3,4,5]}",
                                        "{\"type\":\"fold\"}"};
    struct eg_state state;
    struct event event;
    struct fault fault;

    (void)unused;
    begin(&state, "do-strehu", CUSTODY_REFEREE);
    for (size_t i = 0; i < 2 * sizeof texts / sizeof *texts; i++) {
        assert_false(read(i % 2 ? &state : NULL, 0, texts[i / 2], &event, &fault));
        assert_string_equal(fault.pointer, "/move/type");
        assert_string_equal(fault.detail,
                            "This must be advance, retreat, attack, parry or advance_attack.");
    }
}

static char *board_of(const struct eg_state *state, uint8_t viewer)
{
    struct eg_view view;
    struct out out = {0};

    eg_ruleset.observe(state, viewer, &view);
    eg_codec.write_board(&out, NULL, &view);
    return out_take(&out, NULL);
}

static void assert_boards(const struct eg_state *state, const char *expected)
{
    for (int viewer = 0; viewer < 3; viewer++) {
        autofree char *text = board_of(state, viewer == 2 ? NO_SEAT : (uint8_t)viewer);
        assert_string_equal(text, expected);
    }
}

static void assert_told(size_t i, const char *type, const char *expected)
{
    struct out out = {0};

    assert_true(i < effects.count);
    assert_string_equal(eg_codec.effect_type(&effects.list[i]), type);
    out_object(&out, NULL);
    eg_codec.write_effect(&out, &effects.list[i]);
    out_object_end(&out);
    autofree char *text = out_take(&out, NULL);
    assert_string_equal(text, expected);
}

/* The two by turns, all ones, twos and threes, until the last card is drawn. */
static void walk_to_the_end(struct eg_state *state)
{
    static const int way[] = {2, 3, 1, -3, -1, 3, 1, 2, 3, 2, 3, 2, 2, -1, -1};

    deal(state);
    for (size_t i = 0; i < sizeof way / sizeof *way; i++) {
        char text[40];
        (void)snprintf(text, sizeof text, "{\"type\":\"%s\",\"card\":%d}",
                       way[i] < 0 ? "retreat" : "advance", abs(way[i]));
        play(state, (uint8_t)(i % 2), text);
    }
}

/* A round at a table from the deal to the hands shown, as it is told. */
static void a_round_is_told(void **unused)
{
    struct eg_state state;

    (void)unused;
    begin(&state, "do-strehu", CUSTODY_TABLE);
    walk_to_the_end(&state);
    assert_int_equal(effects.count, 2);
    assert_told(1, "drawn_cards", "{\"count\":1}");
    assert_int_equal(eg_ruleset.awaits(&state).seats, 3);
    assert_string_equal(eg_codec.status(&state), "playing");
    assert_boards(&state,
                  "{\"fields\":{\"left\":11,\"right\":15},\"hits\":{\"left\":0,\"right\":0},"
                  "\"hands\":{\"left\":5,\"right\":5},\"deck\":0,"
                  "\"played\":[1,1,1,1,1,2,2,2,2,2,3,3,3,3,3],\"exchange\":null,"
                  "\"round\":1,\"starter\":\"left\"}");
    assert_refused(&state, 1, "{\"type\":\"retreat\",\"card\":4}", "must_show");
    assert_refused(&state, 1, "{\"type\":\"show\",\"cards\":[4,4,4,5]}", "wrong_hand");
    assert_refused(&state, 1, "{\"type\":\"show\",\"cards\":[4,4,4,5,0]}", "wrong_hand");
    assert_refused(&state, 1, "{\"type\":\"show\",\"cards\":[4,4,4,5,-7]}", "wrong_hand");
    assert_refused(&state, 1, "{\"type\":\"show\",\"cards\":[4,4,4,5,5,6]}", "wrong_hand");
    assert_refused(&state, 1, "{\"type\":\"show\",\"cards\":[4,4,4,5,1]}", "contradiction");
    play(&state, EG_RIGHT, "{\"type\":\"show\",\"cards\":[4,5,4,5,4]}");
    assert_int_equal(effects.count, 1);
    assert_told(0, "shown", "{\"cards\":[4,4,4,5,5]}");
    assert_boards(&state,
                  "{\"fields\":{\"left\":11,\"right\":15},\"hits\":{\"left\":0,\"right\":0},"
                  "\"hands\":{\"left\":5,\"right\":[4,4,4,5,5]},\"deck\":0,"
                  "\"played\":[1,1,1,1,1,2,2,2,2,2,3,3,3,3,3],\"exchange\":null,"
                  "\"round\":1,\"starter\":\"left\"}");
    assert_refused(&state, 0, "{\"type\":\"show\",\"cards\":[4,4,4,5,5]}", "contradiction");
    play(&state, EG_LEFT, "{\"type\":\"show\",\"cards\":[5,5,5,4,4]}");
    assert_int_equal(effects.count, 2);
    assert_told(0, "shown", "{\"cards\":[4,4,5,5,5]}");
    assert_told(1, "hit",
                "{\"hands\":{\"left\":[4,4,5,5,5],\"right\":[4,4,4,5,5]},\"hits\":1,"
                "\"ruling\":\"EG-9\"}");
    assert_int_equal(effects.list[1].seat, EG_LEFT);
}

/* What is read is what the rules take. */
static void claims_are_played(void **unused)
{
    struct eg_state state;

    (void)unused;
    begin(&state, "do-strehu", CUSTODY_TABLE);
    deal(&state);
    assert_refused(&state, 0, "{\"type\":\"show\",\"cards\":[1,1,1,1,1]}", "nothing_to_show");
    assert_refused(&state, 0, "{\"type\":\"yield\"}", "nothing_to_parry");
    assert_refused(&state, 0, "{\"type\":\"stuck\"}", "contradiction");
    state.field[EG_LEFT] = 3;
    state.field[EG_RIGHT] = 5;
    struct eg_state attacked = state;
    play(&state, EG_LEFT, "{\"type\":\"stuck\"}");
    assert_told(0, "hit", "{\"hits\":1,\"ruling\":\"EG-11\"}");
    play(&attacked, EG_LEFT, "{\"type\":\"attack\",\"card\":2,\"count\":1}");
    assert_refused(&attacked, 1, "{\"type\":\"stuck\"}", "must_parry");
    play(&attacked, EG_RIGHT, "{\"type\":\"yield\"}");
    assert_told(0, "hit", "{\"hits\":1,\"ruling\":\"EG-5\"}");
    assert_int_equal(effects.list[0].seat, EG_RIGHT);
}

/* EK-7: at the basic level nobody lays open a hand, so none is told. */
static void no_hands_where_none_count(void **unused)
{
    struct eg_state state;

    (void)unused;
    begin(&state, "knizia", CUSTODY_TABLE);
    state.level = EG_BASIC;
    walk_to_the_end(&state);
    assert_int_equal(effects.count, 3);
    assert_told(2, "hit", "{\"hits\":1,\"ruling\":\"EK-7\"}");
    assert_string_equal(eg_codec.status(&state), "round_over");
}

/* Nobody committed to these cards: there are no faces and no openings, at any time, and the
 * state can be written. */
static void nothing_is_opened(void **unused)
{
    struct seeded chance = {11};
    struct event list[160];
    struct openings openings;
    uint8_t faces[64];

    (void)unused;
    for (int game = 0; game < 20; game++) {
        struct eg_state state;
        begin(&state, game % 2 ? "knizia" : "do-strehu", CUSTODY_TABLE);
        for (int i = 0; i < 80 && !state.outcome.reason; i++) {
            struct awaiting awaiting = eg_ruleset.awaits(&state);
            uint8_t seat = awaiting.seats & 1 ? EG_LEFT : EG_RIGHT;
            if (awaiting.seats == 3)
                seat = state.shows[EG_LEFT] ? EG_RIGHT : EG_LEFT;
            size_t n = eg_ruleset.legal(&state, seat, list, 160);
            if (awaiting.what == AWAIT_DEAL)
                deal(&state);
            else
                match_play(&eg_ruleset, &state, &list[seeded_below(&chance, (uint32_t)n)],
                           &effects);
            for (size_t k = 0; k < effects.count; k++) {
                eg_codec.openings(&state, &effects.list[k], &openings);
                assert_int_equal(openings.count, 0);
            }
            assert_int_equal(eg_codec.faces(&state, state.round, faces), 0);
            struct out out = {0};
            eg_codec.write_state(&out, NULL, &state);
            autofree char *text = out_take(&out, NULL);
            json_auto_t *json = parse(text);
            assert_true(json_is_integer(json_object_get(json, "deck")));
            for (size_t k = 0; k < EG_SEATS; k++)
                assert_int_equal(json_is_array(json_object_get(json_object_get(json, "hands"),
                                                               eg_ruleset.seats[k])),
                                 state.shows[k] > 0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moves_go_there_and_back),   cmocka_unit_test(cards_come_in_any_order),
        cmocka_unit_test(faulty_moves_say_where),    cmocka_unit_test(only_at_a_table),
        cmocka_unit_test(a_round_is_told),           cmocka_unit_test(claims_are_played),
        cmocka_unit_test(no_hands_where_none_count), cmocka_unit_test(nothing_is_opened),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
