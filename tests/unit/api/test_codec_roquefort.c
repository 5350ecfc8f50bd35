/* The castle's codec, and the official cases played through it as the stateless judge does. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/codec.h"
#include "rules/match.h"
#include "rules/roquefort/roquefort.h"
#include "rules/rulesets.h"

static const char cases_path[] = "tests/vectors/cases/roquefort.json";

static json_t *cases;

static int load_cases(void **state)
{
    (void)state;
    cases = json_load_file(cases_path, JSON_REJECT_DUPLICATES, NULL);
    return cases ? 0 : -1;
}

static int free_cases(void **state)
{
    (void)state;
    json_decref(cases);
    return 0;
}

static json_t *taken(struct out *out)
{
    size_t size;
    char *text = out_take(out, &size);
    json_t *value = text ? json_loadb(text, size, JSON_REJECT_DUPLICATES, NULL) : NULL;

    free(text);
    assert_non_null(value);
    return value;
}

/* {"key":…} with what one writer writes under it. */
static json_t *state_json(const struct rq_state *s)
{
    struct out out = {0};

    rq_codec.write_state(&out, NULL, s);
    return taken(&out);
}

static json_t *board_json(const struct rq_view *view)
{
    struct out out = {0};

    rq_codec.write_board(&out, NULL, view);
    return taken(&out);
}

static json_t *effect_json(const struct effect *effect, bool full)
{
    struct out out = {0};

    out_object(&out, NULL);
    (full ? rq_codec.write_effect_full : rq_codec.write_effect)(&out, effect);
    out_object_end(&out);
    return taken(&out);
}

/* A small copy of the stateless judge. */

static void refuse(json_t *answer, ruling_t ruling)
{
    const struct refusal *refusal = rq_ruleset.name(ruling);

    json_object_set_new(answer, "verdict", json_string("illegal"));
    json_object_set_new(answer, "code", json_string(refusal->code));
    json_object_set_new(answer, "ruling", json_string(refusal->ruling));
}

static json_t *moves_json(const struct rq_state *s, uint8_t seat)
{
    struct event events[RQ_LEGAL_MAX];
    size_t count = rq_ruleset.legal(s, seat, events, RQ_LEGAL_MAX);
    struct out out = {0};

    out_array(&out, NULL);
    for (size_t i = 0; i < count; i++)
        rq_codec.write_move(&out, NULL, &events[i]);
    out_array_end(&out);
    return taken(&out);
}

static json_t *result_json(const struct rq_state *s)
{
    const struct outcome *outcome = &s->outcome;

    if (outcome->reason == REASON_NONE)
        return json_null();
    return json_pack("{s:s, s:s?, s:s?}", "reason", reason_word(outcome->reason), "winner",
                     outcome->winner < SEATS_MAX ? rq_seats[outcome->winner] : NULL, "ruling",
                     rq_ruleset.rulings[outcome->ruling].id);
}

static void tell_state(json_t *answer, const struct rq_state *s)
{
    struct awaiting awaiting = rq_ruleset.awaits(s);
    json_t *to_act = json_array();

    for (uint8_t seat = 0; seat < SEATS_MAX; seat++)
        if (awaiting.seats >> seat & 1)
            json_array_append_new(to_act, json_string(rq_seats[seat]));
    json_object_set_new(answer, "verdict", json_string("legal"));
    json_object_set_new(answer, "status", json_string(rq_codec.status(s)));
    json_object_set_new(answer, "to_act", to_act);
    json_object_set_new(answer, "result", result_json(s));
    json_object_set_new(answer, "state", state_json(s));
}

static void options_of(const json_t *request, struct options *ret_options)
{
    const char *variant = json_string_value(json_object_get(request, "variant"));
    int row = variant ? ruleset_variant(&rq_ruleset, variant) : 0;
    const char *key;
    json_t *value;

    assert_true(row >= 0);
    ruleset_presets(&rq_ruleset, (uint8_t)row, ret_options);
    json_object_foreach(json_object_get(request, "options"), key, value)
    {
        int option = ruleset_option(&rq_ruleset, key);
        struct fault fault;

        assert_true(option >= 0);
        if (option == RQ_ROOMS)
            assert_true(rq_codec.read_plate(value, "", RQ_ROOMS, ret_options, &fault));
        else
            ret_options->value[option] = (int16_t)json_integer_value(value);
    }
}

static bool play_one(struct rq_state *s, const json_t *move, json_t *answer)
{
    struct event event = {.seat = s->turn};
    struct effects effects;
    struct fault fault;

    if (!rq_codec.read_move(move, "/move", s, &event, &fault))
        fail_msg("%s %s", fault.pointer, fault.detail);
    ruling_t ruling = match_judge(&rq_ruleset, s, &event);
    if (ruling != ALLOWED) {
        refuse(answer, ruling);
        return false;
    }
    match_play(&rq_ruleset, s, &event, &effects);
    return true;
}

static void play_all(struct rq_state *s, const json_t *request, json_t *answer)
{
    json_t *one = json_object_get(request, "move"), *many = json_object_get(request, "moves");
    size_t played = 0;
    bool legal = true;

    if (one)
        legal = play_one(s, one, answer);
    while (legal && played < json_array_size(many)) {
        legal = play_one(s, json_array_get(many, played), answer);
        played += legal;
    }
    if (many)
        json_object_set_new(answer, "played", json_integer((json_int_t)played));
    if (!one && !many)
        json_object_set_new(answer, "moves", moves_json(s, s->turn));
    if (legal)
        tell_state(answer, s);
}

static json_t *adjudicate(const json_t *request)
{
    json_t *answer = json_object();
    struct options options;
    struct rq_state s;
    struct fault fault;

    options_of(request, &options);
    if (!rq_codec.read_state(json_object_get(request, "state"), NULL, &options, &s, &fault))
        fail_msg("%s %s", fault.pointer, fault.detail);
    ruling_t ruling = rq_ruleset.check(&s);
    if (ruling == ALLOWED) {
        play_all(&s, request, answer);
        return answer;
    }
    json_object_set_new(answer, "status", json_integer(422));
    json_object_set_new(answer, "code", json_string(rq_ruleset.name(ruling)->code));
    return answer;
}

/* Comparing: `want` is a part of `got`; some lists have no order. */

static bool is_part(const json_t *want, const json_t *got, const char *name);

/* An `uncover` may name any square of its room; the cases use layouts A and B. */
static uint8_t room_at(const char *square, char layout)
{
    return rq_layouts[layout == 'B'][(square[1] - '1') * RQ_SIDE + square[0] - 'a'];
}

static char layout_now = 'A';

static bool same_room(const json_t *a, const json_t *b)
{
    return room_at(json_string_value(a), layout_now) ==
           room_at(json_string_value(b), layout_now);
}

static bool is_part_of_object(const json_t *want, const json_t *got)
{
    const json_t *type = json_object_get(want, "type");
    bool uncover = type && strcmp(json_string_value(type), "uncover") == 0;
    const char *key;
    json_t *value;

    json_object_foreach((json_t *)(uintptr_t)want, key, value)
    {
        const json_t *other = json_object_get(got, key);

        if (!other)
            return false;
        if (uncover && strcmp(key, "square") == 0) {
            if (!same_room(value, other))
                return false;
        } else if (!is_part(value, other, key)) {
            return false;
        }
    }
    return true;
}

static bool is_unordered(const char *name)
{
    return strcmp(name, "moves") == 0 || strcmp(name, "mice") == 0 ||
           strcmp(name, "cheeses") == 0 || strcmp(name, "uncovered") == 0;
}

static bool is_among(const json_t *want, const json_t *list, const char *name)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *item = json_array_get(list, i);

        if (strcmp(name, "uncovered") == 0 ? same_room(want, item) : is_part(want, item, ""))
            return true;
    }
    return false;
}

static bool is_part(const json_t *want, const json_t *got, const char *name)
{
    if (json_is_object(want))
        return json_is_object(got) && is_part_of_object(want, got);
    if (!json_is_array(want))
        return json_equal(want, got);
    if (!json_is_array(got) || json_array_size(want) != json_array_size(got))
        return false;
    for (size_t i = 0; i < json_array_size(want); i++) {
        const json_t *item = json_array_get(want, i);

        if (is_unordered(name) ? !is_among(item, got, name)
                               : !is_part(item, json_array_get(got, i), ""))
            return false;
    }
    return true;
}

static void official_cases(void **state)
{
    size_t index;
    json_t *one;

    (void)state;
    assert_true(json_array_size(cases) >= 54);
    json_array_foreach(cases, index, one)
    {
        const json_t *request = json_object_get(one, "request");
        const json_t *rooms = json_object_get(json_object_get(request, "state"), "rooms");
        json_t *answer = adjudicate(request);

        layout_now = json_string_value(rooms)[0];
        if (!is_part(json_object_get(one, "expect"), answer, "")) {
            char *text = json_dumps(answer, JSON_COMPACT);
            fail_msg("%s: got %s", json_string_value(json_object_get(one, "name")), text);
        }
        json_decref(answer);
    }
}

/* What read_state takes and write_state gives are the same, for every case that can be. */
static void states_come_back(void **state)
{
    size_t index;
    json_t *one;

    (void)state;
    json_array_foreach(cases, index, one)
    {
        const json_t *request = json_object_get(one, "request");
        struct options options;
        struct rq_state s, again;
        struct fault fault;

        options_of(request, &options);
        assert_true(
            rq_codec.read_state(json_object_get(request, "state"), NULL, &options, &s, &fault));
        if (rq_ruleset.check(&s) != ALLOWED)
            continue;
        json_t *written = state_json(&s);
        layout_now = s.layout == RQ_LAYOUT_B ? 'B' : 'A';
        assert_true(is_part(json_object_get(request, "state"), written, ""));
        assert_true(rq_codec.read_state(written, NULL, &options, &again, &fault));
        assert_memory_equal(&s, &again, sizeof s);
        assert_int_equal(rq_codec.turn(&s), s.turn);
        json_decref(written);
    }
}

/* The state of the first case, for tests to spoil. */
static json_t *good_state(void)
{
    const json_t *request = json_object_get(json_array_get(cases, 0), "request");

    return json_deep_copy(json_object_get(request, "state"));
}

/* Sets the member at a path like "players/red/mice" to a JSON text; "" takes it away. */
static void put(json_t *root, const char *path, const char *text)
{
    char name[32];
    const char *slash;

    while ((slash = strchr(path, '/'))) {
        (void)snprintf(name, sizeof name, "%.*s", (int)(slash - path), path);
        root = json_object_get(root, name);
        path = slash + 1;
    }
    if (*text)
        json_object_set_new(root, path, json_loads(text, JSON_DECODE_ANY, NULL));
    else
        json_object_del(root, path);
}

static bool read(const json_t *state, struct rq_state *s, struct fault *fault)
{
    struct options options;

    ruleset_presets(&rq_ruleset, 0, &options);
    return rq_codec.read_state(state, NULL, &options, s, fault);
}

static void faulty_states(void **state)
{
    static const struct {
        const char *path, *text, *pointer;
    } rows[] = {
        {"rooms", "\"C\"", "/state/rooms"},
        {"rooms", "[[\"b1\"]]", "/state/rooms"},
        {"rooms", "[[\"a1\"]]", "/state/rooms/0/0"},
        {"rooms", "[[\"b1\",\"b1\"]]", "/state/rooms/0/1"},
        {"rooms", "[[]]", "/state/rooms/0"},
        {"rooms", "[[1]]", "/state/rooms/0/0"},
        {"order", "", "/state"},
        {"order", "[\"yellow\",\"black\"]", "/state/order/1"},
        {"order", "[1,2]", "/state/order/0"},
        {"turn", "\"black\"", "/state/turn"},
        {"turn", "null", "/state/turn"},
        {"actions_left", "-1", "/state/actions_left"},
        {"actions_left", "\"4\"", "/state/actions_left"},
        {"shifted", "0", "/state/shifted"},
        {"tiles/b1", "\"stilton\"", "/state/tiles/b1"},
        {"tiles/b1", "", "/state/tiles"},
        {"tiles/c1", "\"blank\"", "/state/tiles/c1"},
        {"spare", "7", "/state/spare"},
        {"spare", "", "/state"},
        {"uncovered", "[1]", "/state/uncovered/0"},
        {"players/red", "", "/state/players"},
        {"players/blue", "{}", "/state/players/blue"},
        {"players/red/mice", "[1]", "/state/players/red/mice/0"},
        {"players/red/cheeses", "[\"blank\"]", "/state/players/red/cheeses/0"},
        {"players/red/cheeses", "[\"trapdoor\"]", "/state/players/red/cheeses/0"},
        {"players/red/reserve", "256", "/state/players/red/reserve"},
        {"players/red/out", "1", "/state/players/red/out"},
        {"players/red/name", "\"Ann\"", "/state/players/red/name"},
        {"extra", "1", "/state/extra"},
    };
    struct rq_state s;
    struct fault fault;

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        json_t *spoiled = good_state();

        put(spoiled, rows[i].path, rows[i].text);
        if (read(spoiled, &s, &fault))
            fail_msg("%s %s was read", rows[i].path, rows[i].text);
        assert_string_equal(fault.pointer, rows[i].pointer);
        assert_true(*fault.detail);
        json_decref(spoiled);
    }
}

static void impossible_states(void **state)
{
    static const struct {
        const char *path, *text;
        uint16_t refusal;
    } rows[] = {
        {"order", "[\"yellow\",\"blue\"]", RQ_BAD_ORDER},
        {"order", "[\"yellow\"]", RQ_BAD_ORDER},
        {"order", "[\"yellow\",\"yellow\"]", RQ_BAD_ORDER},
        {"order", "[\"yellow\",\"red\",\"blue\",\"green\",\"yellow\"]", RQ_BAD_ORDER},
        {"turn", "\"green\"", RQ_BAD_TURN},
        {"actions_left", "5", RQ_BAD_ACTIONS},
        {"uncovered", "[\"a1\"]", RQ_BAD_ROOM},
        {"uncovered", "[\"h8\"]", RQ_BAD_ROOM},
        {"spare", "\"brie\"", RQ_BAD_TILES},
        {"spare", "\"trapdoor\"", RQ_BAD_TILES},
        {"tiles/g2", "\"blank\"", RQ_BAD_TILES},
        {"players/red/mice", "[\"z3\"]", RQ_BAD_SQUARE},
        {"players/red/mice", "[\"a1\",\"a1\"]", RQ_BAD_SHARED},
        {"players/red/mice", "[\"b1\"]", RQ_BAD_COUNT},
        {"players/red/reserve", "3", RQ_BAD_COUNT},
        {"players/red/cellar", "3", RQ_BAD_CELLAR},
        {"players/yellow/out", "true", ALLOWED}, /* over: red is the last left */
        {"players/red/cheeses", "[\"edam\",\"edam\"]", RQ_BAD_TWICE},
    };
    struct rq_state s;
    struct fault fault;

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        json_t *spoiled = good_state();

        put(spoiled, rows[i].path, rows[i].text);
        if (!read(spoiled, &s, &fault))
            fail_msg("%s %s: %s %s", rows[i].path, rows[i].text, fault.pointer, fault.detail);
        if (rq_ruleset.check(&s) != rows[i].refusal)
            fail_msg("%s %s: %s", rows[i].path, rows[i].text,
                     rq_ruleset.name(rq_ruleset.check(&s))->text[0]);
        json_decref(spoiled);
    }
}

static void history_is_a_fault(void **state)
{
    json_t *good = good_state();
    struct options options;
    struct rq_state s;
    struct fault fault;

    (void)state;
    ruleset_presets(&rq_ruleset, 0, &options);
    assert_false(rq_codec.read_state(good, good, &options, &s, &fault));
    assert_string_equal(fault.pointer, "/history");
    json_decref(good);
}

static void moves_in_and_out(void **state)
{
    static const char *const texts[] = {
        "{\"type\":\"enter\",\"tower\":\"g7\"}",
        "{\"type\":\"uncover\",\"square\":\"c4\"}",
        "{\"type\":\"step\",\"from\":\"a2\",\"to\":\"b2\"}",
        "{\"type\":\"jump\",\"from\":\"a2\",\"to\":\"a4\"}",
        "{\"type\":\"shift\",\"slot\":\"E6\"}",
        "{\"type\":\"end_turn\"}",
    };
    struct fault fault;

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        json_t *move = json_loads(texts[i], 0, NULL);
        struct event event = {0};
        struct out out = {0};

        assert_true(rq_codec.read_move(move, "/move", NULL, &event, &fault));
        assert_int_equal(event.data[0], i);
        rq_codec.write_move(&out, NULL, &event);
        json_t *again = taken(&out);
        assert_true(json_equal(move, again));
        json_decref(again);
        json_decref(move);
    }
}

static void faulty_moves(void **state)
{
    static const char *const rows[][2] = {
        {"[]", "/move"},
        {"{}", "/move"},
        {"{\"type\":1}", "/move/type"},
        {"{\"type\":\"fly\"}", "/move/type"},
        {"{\"type\":\"enter\"}", "/move"},
        {"{\"type\":\"enter\",\"tower\":1}", "/move/tower"},
        {"{\"type\":\"enter\",\"square\":\"a1\"}", "/move/square"},
        {"{\"type\":\"step\",\"from\":\"a1\"}", "/move"},
        {"{\"type\":\"end_turn\",\"to\":\"a1\"}", "/move/to"},
        {"{\"type\":\"uncover\",\"square\":\"b2\",\"shows\":{}}", "/move/shows"},
        {"{\"type\":\"shift\",\"slot\":\"W2\",\"out\":\"edam\"}", "/move/out"},
    };
    struct fault fault;

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        json_t *move = json_loads(rows[i][0], 0, NULL);
        struct event event;

        if (rq_codec.read_move(move, "/move", NULL, &event, &fault))
            fail_msg("%s was read", rows[i][0]);
        assert_string_equal(fault.pointer, rows[i][1]);
        json_decref(move);
    }
}

/* Well formed, and refused by its ruling. */
static void moves_off_the_board(void **state)
{
    static const struct {
        const char *move, *code;
    } rows[] = {
        {"{\"type\":\"enter\",\"tower\":\"b1\"}", "no_such_tower"},
        {"{\"type\":\"enter\",\"tower\":\"h9\"}", "no_such_tower"},
        {"{\"type\":\"enter\",\"tower\":\"a1\"}", "tower_taken"},
        {"{\"type\":\"uncover\",\"square\":\"g7\"}", "no_such_room"},
        {"{\"type\":\"uncover\",\"square\":\"\"}", "no_such_room"},
        {"{\"type\":\"uncover\",\"square\":\"d4\"}", "not_adjacent"},
        {"{\"type\":\"step\",\"from\":\"a0\",\"to\":\"a1\"}", "no_mouse"},
        {"{\"type\":\"step\",\"from\":\"a1\",\"to\":\"a0\"}", "too_far"},
        {"{\"type\":\"step\",\"from\":\"a1\",\"to\":\"a1\"}", "occupied"},
        {"{\"type\":\"step\",\"from\":\"a1\",\"to\":\"b2\"}", "diagonal"},
        {"{\"type\":\"step\",\"from\":\"a1\",\"to\":\"c1\"}", "too_far"},
        {"{\"type\":\"step\",\"from\":\"a1\",\"to\":\"b1\"}", "covered"},
        {"{\"type\":\"jump\",\"from\":\"a1\",\"to\":\"c1\"}", "nothing_to_jump"},
        {"{\"type\":\"shift\",\"slot\":\"W3\"}", "no_such_slot"},
    };
    struct rq_state s;
    struct fault fault;

    (void)state;
    json_t *good = good_state();
    put(good, "players/yellow/mice", "[\"a1\"]");
    put(good, "players/yellow/reserve", "3");
    assert_true(read(good, &s, &fault));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        json_t *move = json_loads(rows[i].move, 0, NULL), *answer = json_object();
        struct rq_state copy = s;

        assert_false(play_one(&copy, move, answer));
        assert_string_equal(json_string_value(json_object_get(answer, "code")), rows[i].code);
        json_decref(answer);
        json_decref(move);
    }
    json_decref(good);
}

static void plates(void **state)
{
    struct options options = {0}, again = {0};
    struct fault fault;
    struct out out = {0};
    json_t *singles = json_array();

    (void)state;
    for (unsigned i = 0; i < RQ_SQUARES; i++)
        if (rq_layouts[0][i] != RQ_NO_SQUARE)
            json_array_append_new(
                singles,
                json_pack("[s#]", (char[]){(char)('a' + i % 7), (char)('1' + i / 7)}, 2));
    assert_true(rq_codec.read_plate(singles, "/o", RQ_ROOMS, &options, &fault));
    assert_true(options.plate_given);
    rq_codec.write_plate(&out, NULL, RQ_ROOMS, &options);
    json_t *written = taken(&out);
    assert_true(json_equal(singles, written));
    json_array_append(written, json_array_get(written, 0));
    assert_false(rq_codec.read_plate(written, "/o", RQ_ROOMS, &again, &fault));
    json_array_remove(written, 45);
    json_array_remove(written, 44);
    assert_false(rq_codec.read_plate(written, "/o", RQ_ROOMS, &again, &fault));
    assert_string_equal(fault.pointer, "/o");
    /* One square more than hangs together: b1 and f7 as one room. */
    json_array_append_new(json_array_get(written, 0), json_string("f7"));
    assert_false(rq_codec.read_plate(written, "/o", RQ_ROOMS, &again, &fault));
    json_decref(written);
    written = json_string("B");
    assert_true(rq_codec.read_plate(written, "/o", RQ_ROOMS, &options, &fault));
    assert_false(options.plate_given);
    json_decref(written);
    json_decref(singles);
}

/* Plays a move given as JSON and gives its effects. */
static struct effects play_text(struct rq_state *s, const char *text)
{
    json_t *move = json_loads(text, 0, NULL);
    struct event event = {.seat = s->turn};
    struct effects effects;
    struct fault fault;

    assert_true(rq_codec.read_move(move, "/move", s, &event, &fault));
    assert_int_equal(match_judge(&rq_ruleset, s, &event), ALLOWED);
    match_play(&rq_ruleset, s, &event, &effects);
    json_decref(move);
    return effects;
}

static void assert_effect(const struct effect *effect, const char *type, const char *open,
                          const char *full)
{
    json_t *told = effect_json(effect, false), *all = effect_json(effect, true);
    json_t *want = json_loads(open, 0, NULL), *want_full = json_loads(full, 0, NULL);

    assert_string_equal(rq_codec.effect_type(effect), type);
    assert_true(json_equal(told, want));
    assert_true(json_equal(all, want_full));
    json_decref(told);
    json_decref(all);
    json_decref(want);
    json_decref(want_full);
}

static void effects_openings_and_board(void **state)
{
    json_t *good = good_state();
    struct openings openings;
    struct rq_state s;
    struct rq_view view;
    struct fault fault;
    char name[24];

    (void)state;
    put(good, "players/yellow/mice", "[\"a1\"]");
    put(good, "players/yellow/reserve", "3");
    assert_true(read(good, &s, &fault));
    json_decref(good);

    /* Room b1 c1: one floor tile, cheddar. */
    struct effects effects = play_text(&s, "{\"type\":\"uncover\",\"square\":\"c1\"}");
    assert_int_equal(effects.count, 1);
    assert_effect(&effects.list[0], "uncovered", "{\"squares\":[\"b1\",\"c1\"]}",
                  "{\"squares\":[\"b1\",\"c1\"]}");
    rq_codec.openings(&s, &effects.list[0], &openings);
    assert_int_equal(openings.count, 1);
    assert_int_equal(openings.list[0].seats, OPEN_TO_ALL);
    assert_int_equal(openings.list[0].index, 0);
    rq_codec.component_name(&openings.list[0], name);
    assert_string_equal(name, "tile/0");
    assert_string_equal(rq_codec.face_name(NULL, openings.list[0].face), "cheddar");

    /* b2 of the same line comes to lie on b1, and b1's tile, seen, falls out. */
    effects = play_text(&s, "{\"type\":\"shift\",\"slot\":\"Nb\"}");
    assert_int_equal(effects.count, 1);
    assert_effect(&effects.list[0], "shifted", "{\"in\":33,\"out\":0,\"slot\":\"Nb\"}",
                  "{\"slot\":\"Nb\",\"spare\":\"cheddar\"}");
    rq_codec.openings(&s, &effects.list[0], &openings);
    assert_int_equal(openings.count, 1);
    assert_int_equal(openings.list[0].index, 4);
    assert_true(rq_codec.told(&s, &openings.list[0]));

    rq_ruleset.observe(&s, NO_SEAT, &view);
    json_t *board = board_json(&view), *tiles = json_object_get(board, "tiles");
    assert_string_equal(json_string_value(json_object_get(tiles, "b1")), "gouda");
    assert_true(json_is_null(json_object_get(tiles, "b2")));
    assert_int_equal(json_integer_value(json_object_get(json_object_get(board, "ids"), "b1")),
                     4);
    assert_int_equal(json_integer_value(json_object_get(board, "spare_id")), 0);
    assert_string_equal(json_string_value(json_object_get(board, "spare")), "cheddar");
    json_decref(board);

    effects = play_text(&s, "{\"type\":\"step\",\"from\":\"a1\",\"to\":\"b1\"}");
    assert_effect(&effects.list[0], "moved", "{\"from\":\"a1\",\"to\":\"b1\"}",
                  "{\"from\":\"a1\",\"to\":\"b1\"}");
    effects = play_text(&s, "{\"type\":\"enter\",\"tower\":\"a1\"}");
    assert_int_equal(effects.count, 2);
    assert_effect(&effects.list[0], "moved", "{\"to\":\"a1\"}", "{\"to\":\"a1\"}");
    assert_effect(&effects.list[1], "covered", "{\"squares\":[]}", "{\"squares\":[]}");
}

/* With a strict memory a face is told as long as its tile lies open, with an open one for ever.
 */
static void telling_what_was_seen(void **state)
{
    (void)state;
    for (uint8_t memory = RQ_STRICT; memory <= RQ_OPEN; memory++) {
        json_t *good = good_state();
        struct opening opening = {OPEN_TO_ALL, COMPONENT_TILE, 0, 0, 6};
        struct rq_state s;
        struct fault fault;

        put(good, "players/yellow/mice", "[\"a1\"]");
        put(good, "players/yellow/reserve", "3");
        put(good, "players/red/mice", "[\"g7\"]");
        put(good, "players/red/reserve", "3");
        assert_true(read(good, &s, &fault));
        s.memory = memory;
        assert_false(rq_codec.told(&s, &opening));
        play_text(&s, "{\"type\":\"uncover\",\"square\":\"b1\"}");
        assert_true(rq_codec.told(&s, &opening));
        play_text(&s, "{\"type\":\"end_turn\"}");
        assert_int_equal(rq_codec.told(&s, &opening), memory == RQ_OPEN);
        opening.index = RQ_TILES;
        assert_false(rq_codec.told(&s, &opening));
        json_decref(good);
    }
}

static void faces_of_all_tiles(void **state)
{
    json_t *good = good_state();
    uint8_t faces[64];
    struct rq_state s;
    struct fault fault;

    (void)state;
    assert_true(read(good, &s, &fault));
    assert_int_equal(rq_codec.faces(&s, 0, faces), RQ_TILES);
    assert_string_equal(rq_codec.face_name(NULL, faces[0]), "cheddar");
    assert_string_equal(rq_codec.face_name(NULL, faces[RQ_SPARE]), "blank");
    assert_null(rq_codec.face_name(NULL, RQ_UNKNOWN));
    json_decref(good);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(official_cases),
        cmocka_unit_test(states_come_back),
        cmocka_unit_test(faulty_states),
        cmocka_unit_test(impossible_states),
        cmocka_unit_test(history_is_a_fault),
        cmocka_unit_test(moves_in_and_out),
        cmocka_unit_test(faulty_moves),
        cmocka_unit_test(moves_off_the_board),
        cmocka_unit_test(plates),
        cmocka_unit_test(effects_openings_and_board),
        cmocka_unit_test(telling_what_was_seen),
        cmocka_unit_test(faces_of_all_tiles),
    };

    return cmocka_run_group_tests(tests, load_cases, free_cases);
}
