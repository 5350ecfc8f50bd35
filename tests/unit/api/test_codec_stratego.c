/* codec_stratego.c: the cases of the stateless judge, recorded games, forms and faults. */
#include "api/codec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "api/cleanup.h"
#include "rules/match.h"
#include "rules/rulesets.h"
#include "rules/stratego/stratego.h"

static json_t *parse(const char *text)
{
    struct fault fault;
    json_t *value = json_gate(text, strlen(text), &fault);

    if (!value)
        fail_msg("%s: %s", text, fault.detail);
    return value;
}

static json_t *taken(struct out *out)
{
    autofree char *text = out_take(out, NULL);

    assert_non_null(text);
    return parse(text);
}

static struct options presets(const char *variant)
{
    struct options options;
    int row = ruleset_variant(&st_ruleset, variant);

    assert_true(row >= 0);
    ruleset_presets(&st_ruleset, (uint8_t)row, &options);
    return options;
}

static struct options options_of(const json_t *request)
{
    const char *variant = json_string_value(json_object_get(request, "variant"));
    struct options options = presets(variant ? variant : "marsal-a-spion");
    const char *name;
    json_t *value;

    json_object_foreach(json_object_get(request, "options"), name, value)
    {
        int row = ruleset_option(&st_ruleset, name);

        assert_true(row >= 0);
        options.value[row] =
            json_is_boolean(value) ? json_is_true(value) : (int16_t)json_integer_value(value);
    }
    return options;
}

/* What the stateless judge does, in little. */

static json_t *refused(ruling_t ruling, bool problem)
{
    const struct refusal *refusal = st_ruleset.name(ruling);
    json_t *answer = json_pack("{s:s?, s:s}", "ruling", refusal->ruling, "code", refusal->code);

    if (problem)
        json_object_set_new(answer, "status", json_integer(422));
    else
        json_object_set_new(answer, "verdict", json_string("illegal"));
    return answer;
}

static json_t *invalid(const struct fault *fault)
{
    return json_pack("{s:i, s:s, s:s}", "status", 422, "code", "invalid_body", "pointer",
                     fault->pointer);
}

static void write_effects(struct out *out, const struct effects *effects)
{
    for (size_t i = 0; i < effects->count; i++) {
        out_object(out, NULL);
        out_text(out, "type", st_codec.effect_type(&effects->list[i]));
        st_codec.write_effect_full(out, &effects->list[i]);
        out_object_end(out);
    }
}

static void write_result(struct out *out, const struct st_state *s)
{
    if (s->outcome.reason == REASON_NONE) {
        out_null(out, "result");
        return;
    }
    out_object(out, "result");
    out_text(out, "winner",
             s->outcome.winner == NO_SEAT ? NULL : st_ruleset.seats[s->outcome.winner]);
    out_text(out, "reason", reason_word(s->outcome.reason));
    out_text(out, "ruling", st_ruleset.rulings[s->outcome.ruling].id);
    out_object_end(out);
}

static void write_rest(struct out *out, const struct st_state *s)
{
    struct awaiting awaiting = st_ruleset.awaits(s);

    st_codec.write_state(out, "state", s);
    out_text(out, "status", st_codec.status(s));
    out_array(out, "to_act");
    for (uint8_t seat = 0; seat < ST_SEATS; seat++)
        if (awaiting.seats >> seat & 1)
            out_text(out, NULL, st_ruleset.seats[seat]);
    out_array_end(out);
    write_result(out, s);
    out_object_end(out);
}

static json_t *judge_setup(const json_t *setup, const struct options *options)
{
    const char *name = json_string_value(json_object_get(setup, "seat"));
    uint8_t seat = strcmp(name, "blue") == 0;
    struct event event = {0};
    struct fault fault = {0};
    struct st_state s;

    if (!st_codec.read_setup(json_object_get(setup, "pieces"), "/setup/pieces", options, seat,
                             &event, &fault))
        return invalid(&fault);
    st_ruleset.begin(&s, options);
    ruling_t ruling = match_judge(&st_ruleset, &s, &event);
    return ruling ? refused(ruling, false) : json_pack("{s:s}", "verdict", "legal");
}

static json_t *list_moves(const struct st_state *s)
{
    static struct event moves[400];
    size_t count = st_ruleset.legal(s, s->turn, moves, 400);
    struct out out = {0};

    out_object(&out, NULL);
    out_array(&out, "moves");
    for (size_t i = 0; i < count; i++)
        st_codec.write_move(&out, NULL, &moves[i]);
    out_array_end(&out);
    out_object_end(&out);
    return taken(&out);
}

/* Plays one move; NULL if it was legal, else the answer. */
static json_t *play_one(struct st_state *s, const json_t *move, const char *pointer,
                        struct effects *effects)
{
    struct event event = {.seat = st_codec.turn(s)};
    struct fault fault = {0};

    if (!st_codec.read_move(move, pointer, s, &event, &fault))
        return invalid(&fault);
    ruling_t ruling = match_judge(&st_ruleset, s, &event);
    if (ruling)
        return refused(ruling, false);
    match_play(&st_ruleset, s, &event, effects);
    return NULL;
}

static json_t *play_all(struct st_state *s, const json_t *request)
{
    json_t *list = json_object_get(request, "moves"), *move, *answer = NULL;
    json_t *single = json_object_get(request, "move");
    struct out out = {0};
    struct effects effects;
    size_t i, size = list ? json_array_size(list) : 1;

    out_object(&out, NULL);
    out_array(&out, "effects");
    for (i = 0; i < size && !answer; i++) {
        move = list ? json_array_get(list, i) : single;
        answer = play_one(s, move, list ? "/moves/0" : "/move", &effects);
        if (!answer)
            write_effects(&out, &effects);
    }
    out_array_end(&out);
    if (answer) {
        out_done(&out);
        if (list)
            json_object_set_new(answer, "played", json_integer((json_int_t)i - 1));
        return answer;
    }
    out_text(&out, "verdict", "legal");
    out_number(&out, "played", (int64_t)size);
    write_rest(&out, s);
    return taken(&out);
}

static json_t *adjudicate(const json_t *request)
{
    struct options options = options_of(request);
    const json_t *setup = json_object_get(request, "setup");
    struct fault fault = {0};
    struct st_state s;

    if (setup)
        return judge_setup(setup, &options);
    if (!st_codec.read_state(json_object_get(request, "state"),
                             json_object_get(request, "history"), &options, &s, &fault))
        return invalid(&fault);
    ruling_t ruling = st_ruleset.check(&s);
    if (ruling)
        return refused(ruling, true);
    if (!json_object_get(request, "move") && !json_object_get(request, "moves"))
        return list_moves(&s);
    return play_all(&s, request);
}

/* `pieces` exactly, `moves` in any order, all other objects by the members expected. */
static bool holds(const json_t *answer, const json_t *expected);

static bool holds_members(const json_t *answer, const json_t *expected)
{
    json_t *object = (json_t *)(uintptr_t)expected, *value;
    const char *key;

    json_object_foreach(object, key, value)
    {
        const json_t *found = json_object_get(answer, key);

        if (!found ||
            !(strcmp(key, "pieces") == 0 ? json_equal(found, value) : holds(found, value)))
            return false;
    }
    return true;
}

static bool holds(const json_t *answer, const json_t *expected)
{
    if (json_is_object(expected) && json_is_object(answer))
        return holds_members(answer, expected);
    if (!json_is_array(expected) || !json_is_array(answer))
        return json_equal(answer, expected);
    if (json_array_size(answer) != json_array_size(expected))
        return false;
    for (size_t i = 0; i < json_array_size(expected); i++) {
        bool found = false;

        for (size_t j = 0; j < json_array_size(answer) && !found; j++)
            found = holds(json_array_get(answer, j), json_array_get(expected, i));
        if (!found)
            return false;
    }
    return true;
}

static json_t *load(const char *path)
{
    json_error_t error;
    json_t *list = json_load_file(path, 0, &error);

    if (!list)
        fail_msg("%s: %s", path, error.text);
    return list;
}

static void cases_pass(void **state)
{
    json_auto_t *cases = load("tests/vectors/cases/stratego.json");
    json_t *one;
    size_t i;
    int bad = 0;

    (void)state;
    assert_true(json_array_size(cases) >= 34);
    json_array_foreach(cases, i, one)
    {
        json_auto_t *answer = adjudicate(json_object_get(one, "request"));

        if (holds(answer, json_object_get(one, "expect")))
            continue;
        autofree char *text = json_dumps(answer, JSON_COMPACT);
        print_error("%s: %s\n", json_string_value(json_object_get(one, "name")), text);
        bad++;
    }
    assert_int_equal(bad, 0);
}

/* Recorded games */

static struct event squares(const char *text, size_t size, uint8_t seat)
{
    size_t cut = 1;
    struct event event = {.seat = seat};
    struct fault fault;

    while (text[cut] < 'a')
        cut++;
    json_auto_t *move =
        json_pack("{s:s#, s:s#}", "from", text, cut, "to", text + cut, size - cut);
    assert_true(st_codec.read_move(move, "/move", NULL, &event, &fault));
    return event;
}

static void set_up(const json_t *game, const struct options *options, struct st_state *s)
{
    struct effects effects;
    struct fault fault;

    st_ruleset.begin(s, options);
    for (uint8_t seat = 0; seat < ST_SEATS; seat++) {
        struct event event = {0};
        json_t *pieces =
            json_object_get(json_object_get(game, "setup"), st_ruleset.seats[seat]);

        assert_true(st_codec.read_setup(pieces, "", options, seat, &event, &fault));
        assert_int_equal(match_judge(&st_ruleset, s, &event), ALLOWED);
        match_play(&st_ruleset, s, &event, &effects);
    }
}

static struct options recorded_options(const json_t *game, bool more_square)
{
    struct options options = presets(json_string_value(json_object_get(game, "variant")));

    options.value[ST_OPTION_TWO_SQUARE] = 3;
    options.value[ST_OPTION_MORE_SQUARE] = more_square;
    return options;
}

/* The refusal of the last move; all others must be legal. */
static ruling_t replay(const json_t *game, bool more_square)
{
    struct options options = recorded_options(game, more_square);
    const json_t *moves = json_object_get(game, "moves");
    size_t count = json_array_size(moves);
    struct effects effects;
    struct st_state s;

    set_up(game, &options, &s);
    for (size_t i = 0; i < count; i++) {
        const json_t *move = json_array_get(moves, i);
        struct event event = squares(json_string_value(move), json_string_length(move), s.turn);
        ruling_t ruling = match_judge(&st_ruleset, &s, &event);

        if (i == count - 1)
            return ruling;
        if (ruling)
            fail_msg("%s: ply %zu: %s", json_string_value(json_object_get(game, "source")), i,
                     st_ruleset.name(ruling)->code);
        match_play(&st_ruleset, &s, &event, &effects);
    }
    return ALLOWED;
}

/* SC-6 SC-7 */
static void recorded_games_end_by_the_chase_rule(void **state)
{
    json_auto_t *games = load("tests/vectors/isf-games/games.json");
    json_t *game;
    size_t i;

    (void)state;
    assert_int_equal(json_array_size(games), 36);
    json_array_foreach(games, i, game)
    {
        assert_int_equal(replay(game, true), ST_MORE_SQUARE);
        assert_int_equal(replay(game, false), ALLOWED);
    }
}

/* Forms and faults */

static const char plain_state[] =
    "{\"pieces\":{\"b1\":[\"red\",\"flag\"],\"a4\":[\"red\",\"scout\"],"
    "\"a7\":[\"blue\",\"miner\"],\"i10\":[\"blue\",\"flag\"]},\"turn\":\"red\"}";

static void states_go_there_and_back(void **state)
{
    struct options options = presets("marsal-a-spion");
    json_auto_t *sent = parse(plain_state);
    struct fault fault;
    struct out out = {0};
    struct st_state s;

    (void)state;
    assert_true(st_codec.read_state(sent, NULL, &options, &s, &fault));
    st_codec.write_state(&out, NULL, &s);
    autofree char *text = out_take(&out, NULL);
    assert_string_equal(text, plain_state);
}

/* {"variant","options","state","history","move"} faults at "pointer". */
static const struct {
    const char *request, *pointer;
} faults[] = {
    {"{\"state\":{\"turn\":\"red\"}}", "/state"},
    {"{\"state\":{\"pieces\":{}}}", "/state"},
    {"{\"state\":{\"pieces\":{},\"turn\":\"green\"}}", "/state/turn"},
    {"{\"state\":{\"pieces\":{},\"turn\":\"red\",\"x\":1}}", "/state/x"},
    {"{\"state\":{\"pieces\":{},\"turn\":\"red\",\"plies\":-1}}", "/state/plies"},
    {"{\"state\":{\"pieces\":{\"hello\":[\"red\",\"spy\"]},\"turn\":\"red\"}}",
     "/state/pieces/hello"},
    {"{\"state\":{\"pieces\":{\"a4\":[\"red\",\"bomb\"]},\"turn\":\"red\"}}",
     "/state/pieces/a4"},
    {"{\"state\":{\"pieces\":{\"a4\":[\"red\"]},\"turn\":\"red\"}}", "/state/pieces/a4"},
    {"{\"state\":{\"pieces\":{\"a4\":[\"red\",\"spy\",1]},\"turn\":\"red\"}}",
     "/state/pieces/a4"},
    {"{\"state\":{\"pieces\":{\"a4\":{\"0\":\"red\"}},\"turn\":\"red\"}}", "/state/pieces/a4"},
    {"{\"state\":{\"pieces\":{},\"turn\":\"red\"},\"history\":[{\"from\":\"a4\"}]}",
     "/history/0"},
    {"{\"state\":{\"pieces\":{},\"turn\":\"red\"},"
     "\"history\":[{\"from\":\"a4\",\"to\":\"a5\",\"attack\":1}]}",
     "/history/0/attack"},
    {"{\"state\":{\"pieces\":{},\"turn\":\"red\"},\"history\":{}}", "/history"},
    {"{\"setup\":{\"seat\":\"red\",\"pieces\":{\"a1\":\"bomb\"}}}", "/setup/pieces/a1"},
    {"{\"setup\":{\"seat\":\"red\",\"pieces\":{\"a1\":1}}}", "/setup/pieces/a1"},
    {"{\"setup\":{\"seat\":\"red\",\"pieces\":{\"A1\":\"flag\"}}}", "/setup/pieces/A1"},
    {"{\"setup\":{\"seat\":\"red\",\"pieces\":[]}}", "/setup/pieces"},
};

static void faults_say_where(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        json_auto_t *request = parse(faults[i].request);
        json_auto_t *answer = adjudicate(request);
        json_t *pointer = json_object_get(answer, "pointer");

        if (!pointer)
            fail_msg("%s: no fault", faults[i].request);
        assert_string_equal(json_string_value(pointer), faults[i].pointer);
    }
}

/* A move on the plain state, and the code or the pointer that it gets. */
static const char *const moves[][2] = {
    {"{\"from\":\"a4\",\"to\":\"k4\"}", "off_board"},
    {"{\"from\":\"a4\",\"to\":\"a11\"}", "off_board"},
    {"{\"from\":\"a4\",\"to\":\"a0\"}", "off_board"},
    {"{\"from\":\"z99\",\"to\":\"a5\"}", "off_board"},
    {"{\"from\":\"a4\",\"to\":\"a8\"}", "blocked"},
    {"{\"from\":\"a4\",\"to\":\"a4\"}", "own_piece"},
    {"{\"from\":\"a4\",\"to\":\"a04\"}", "/move/to"},
    {"{\"from\":\"\",\"to\":\"a5\"}", "/move/from"},
    {"{\"from\":\"a4\",\"to\":\"a\"}", "/move/to"},
    {"{\"from\":\"a4\",\"to\":\"a5x\"}", "/move/to"},
    {"{\"from\":\"a4\",\"to\":5}", "/move/to"},
    {"{\"from\":\"a4\"}", "/move"},
    {"{\"from\":\"a4\",\"to\":\"a5\",\"by\":1}", "/move/by"},
    {"[]", "/move"},
};

static void moves_that_are_none(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++) {
        json_auto_t *request =
            json_pack("{s:o, s:o}", "state", parse(plain_state), "move", parse(moves[i][0]));
        json_auto_t *answer = adjudicate(request);
        bool form = moves[i][1][0] == '/';
        json_t *got = json_object_get(answer, form ? "pointer" : "code");

        if (!got || strcmp(json_string_value(got), moves[i][1]) != 0)
            fail_msg("%s: %s", moves[i][0], got ? json_string_value(got) : "legal");
    }
}

/* Stray squares, lakes and false histories are impossible states, not faults. */
static void impossible_states(void **state)
{
    static const char *const requests[] = {
        "{\"state\":{\"pieces\":{\"k4\":[\"red\",\"spy\"]},\"turn\":\"red\"}}",
        "{\"state\":{\"pieces\":{},\"turn\":\"red\"}}",
        "{\"variant\":\"isf\",\"state\":{\"pieces\":{\"b1\":[\"red\",\"flag\"],"
        "\"b10\":[\"blue\",\"flag\"]},\"turn\":\"red\"},"
        "\"history\":[{\"from\":\"a4\",\"to\":\"a5\"}]}",
        "{\"variant\":\"classic\",\"options\":{\"ply_limit\":5},\"state\":{\"pieces\":"
        "{\"b1\":[\"red\",\"flag\"],\"b10\":[\"blue\",\"flag\"]},\"turn\":\"red\","
        "\"plies\":6}}",
    };

    (void)state;
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++) {
        json_auto_t *request = parse(requests[i]);
        json_auto_t *answer = adjudicate(request);

        assert_string_equal(json_string_value(json_object_get(answer, "code")),
                            "impossible_state");
    }
}

/* A set-up comes back as it was sent, in the order of its names. */
static void setups_go_there_and_back(void **state)
{
    static const char text[] = "{\"a10\":\"flag\",\"a7\":\"scout\",\"b9\":\"bomb\"}";
    struct options options = presets("barrage");
    json_auto_t *pieces = parse(text);
    struct event event = {0};
    struct fault fault;
    struct out out = {0};

    (void)state;
    assert_true(st_codec.read_setup(pieces, "", &options, 1, &event, &fault));
    st_codec.write_setup(&out, NULL, &event);
    autofree char *back = out_take(&out, NULL);
    assert_string_equal(back, text);
}

/* What is public of an effect, and the openings that go with it: ST-11 SC-4 */

static void attack(const char *variant, int16_t shown, struct effects *effects,
                   struct openings *openings)
{
    struct options options = presets(variant);
    json_auto_t *sent =
        parse("{\"pieces\":{\"b1\":[\"red\",\"flag\"],\"a4\":[\"red\",\"scout\"],"
              "\"a7\":[\"blue\",\"captain\"],\"i10\":[\"blue\",\"flag\"],"
              "\"j4\":[\"red\",\"spy\"]},\"turn\":\"red\"}");
    json_auto_t *move = parse("{\"from\":\"a4\",\"to\":\"a7\"}");
    struct fault fault;
    struct st_state s;

    options.value[ST_OPTION_CAPTIVES] = shown;
    assert_true(st_codec.read_state(sent, NULL, &options, &s, &fault));
    assert_null(play_one(&s, move, "/move", effects));
    st_codec.openings(&s, &effects->list[0], openings);
}

static void openings_of_a_combat(void **state)
{
    struct effects effects;
    struct openings openings;
    struct options options = presets("marsal-a-spion");
    struct out out = {0};
    char name[24];

    (void)state;
    attack("marsal-a-spion", 0, &effects, &openings);
    assert_int_equal(openings.count, 1);
    assert_int_equal(openings.list[0].seats, 1 << 0);
    assert_int_equal(openings.list[0].context, 1);
    assert_string_equal(st_codec.face_name(&options, openings.list[0].face), "captain");
    attack("marsal-a-spion", 1, &effects, &openings);
    assert_int_equal(openings.count, 2);
    attack("classic", 0, &effects, &openings);
    assert_int_equal(openings.count, 2);
    assert_int_equal(openings.list[1].seats, 1 << 1);
    assert_int_equal(openings.list[1].context, 0);
    out_object(&out, NULL);
    st_codec.write_effect(&out, &effects.list[0]);
    out_object_end(&out);
    autofree char *text = out_take(&out, NULL);
    assert_string_equal(text, "{\"from\":\"a4\",\"outcome\":\"attacker_lost\",\"to\":\"a7\"}");
    st_codec.component_name(&(struct opening){.context = 1, .index = 39}, name);
    assert_string_equal(name, "blue/a7");
}

static void boards_by_viewer(void **state)
{
    static const char *const expected[] = {
        "{\"pieces\":{\"b1\":[\"red\",\"flag\"],\"a4\":[\"red\",\"scout\"],"
        "\"a7\":[\"blue\",null],\"i10\":[\"blue\",null]},\"moved\":[],"
        "\"lost\":{\"own\":{},\"enemy\":{\"count\":0,\"known\":{}}},\"turn\":\"red\"}",
        "{\"pieces\":{\"b1\":[\"red\",null],\"a4\":[\"red\",null],"
        "\"a7\":[\"blue\",\"miner\"],\"i10\":[\"blue\",\"flag\"]},\"moved\":[],"
        "\"lost\":{\"own\":{},\"enemy\":{\"count\":0,\"known\":{}}},\"turn\":\"red\"}",
        "{\"pieces\":{\"b1\":[\"red\",null],\"a4\":[\"red\",null],"
        "\"a7\":[\"blue\",null],\"i10\":[\"blue\",null]},\"moved\":[],"
        "\"lost\":{\"red\":{\"count\":0,\"known\":{}},\"blue\":{\"count\":0,\"known\":{}}},"
        "\"turn\":\"red\"}",
    };
    static const uint8_t viewers[] = {0, 1, NO_SEAT};
    struct options options = presets("marsal-a-spion");
    json_auto_t *sent = parse(plain_state);
    struct fault fault;
    struct st_state s;

    (void)state;
    assert_true(st_codec.read_state(sent, NULL, &options, &s, &fault));
    for (size_t i = 0; i < 3; i++) {
        struct st_view view;
        struct out out = {0};

        st_ruleset.observe(&s, viewers[i], &view);
        st_codec.write_board(&out, NULL, &view);
        autofree char *text = out_take(&out, NULL);
        assert_string_equal(text, expected[i]);
    }
}

/* Players' custody */

/* Red's flag on b1, scout on a4 and marshal on d4, blue's pieces on b10 and a7, by slots from 0
 * on as st_put() gives them. */
static struct st_state blind_board(bool known)
{
    struct options options = presets("classic");
    struct st_state s;

    options.custody = CUSTODY_PLAYERS;
    st_ruleset.begin(&s, &options);
    st_put(&s, 0, st_home(0, 1), known ? ST_FLAG : ST_HIDDEN);
    st_put(&s, 0, st_home(0, 30), known ? ST_SCOUT : ST_HIDDEN);
    st_put(&s, 0, st_home(0, 33), known ? 10 : ST_HIDDEN);
    st_put(&s, 1, st_home(1, 8), ST_HIDDEN);
    st_put(&s, 1, st_home(1, 39), ST_HIDDEN);
    st_resume(&s, 0);
    return s;
}

static struct event blind_move(const struct st_state *s, const char *from, const char *to)
{
    json_auto_t *move = json_pack("{s:s, s:s}", "from", from, "to", to);
    struct event event = {.seat = s->turn};
    struct fault fault;

    assert_true(st_codec.read_move(move, "/move", s, &event, &fault));
    return event;
}

static void told(const struct effect *effect, const char *type, const char *expected)
{
    struct openings openings;
    struct st_state s = blind_board(false);
    struct out out = {0}, full = {0};

    assert_string_equal(st_codec.effect_type(effect), type);
    out_object(&out, NULL);
    st_codec.write_effect(&out, effect);
    out_object_end(&out);
    autofree char *text = out_take(&out, NULL);
    assert_string_equal(text, expected);
    st_codec.openings(&s, effect, &openings);
    assert_int_equal(openings.count, strcmp(type, "combat") ? 0 : 2);
    if (strcmp(type, "combat") == 0)
        return;
    out_object(&full, NULL);
    st_codec.write_effect_full(&full, effect);
    out_object_end(&full);
    autofree char *all = out_take(&full, NULL);
    assert_string_equal(all, expected);
}

static void shows(const struct st_state *s, uint8_t viewer, const char *expected)
{
    struct st_view view;
    struct out out = {0};

    st_ruleset.observe(s, viewer, &view);
    st_codec.write_board(&out, NULL, &view);
    autofree char *text = out_take(&out, NULL);
    assert_string_equal(text, expected);
}

static void blind_setups(void **state)
{
    struct options options = presets("barrage");
    struct event event;
    struct st_state s;

    (void)state;
    options.custody = CUSTODY_PLAYERS;
    st_ruleset.begin(&s, &options);
    st_codec.blind->setup(&options, 1, 0xff0, &event);
    assert_int_equal(event.seat, 1);
    assert_int_equal(match_judge(&st_ruleset, &s, &event), ALLOWED);
    st_codec.blind->setup(&options, 1, 0x7f0, &event);
    assert_int_equal(match_judge(&st_ruleset, &s, &event), ST_WRONG_COUNT_CLASSIC);
    st_codec.blind->setup(&options, 1, UINT64_C(1) << 40 | 0xff0, &event);
    assert_int_equal(match_judge(&st_ruleset, &s, &event), ST_WRONG_SQUARE_CLASSIC);
    assert_int_equal(st_codec.blind->face(&options, "scout"), 2);
    assert_int_equal(st_codec.blind->face(&options, "bomb"), 11);
    assert_int_equal(st_codec.blind->face(&options, "mine"), FACE_UNKNOWN);
    assert_int_equal(st_codec.blind->face(&options, NULL), FACE_UNKNOWN);
    assert_null(st_codec.face_name(&options, ST_HIDDEN));
    assert_null(st_codec.face_name(&options, FACE_UNKNOWN));
}

/* Read for the state that it is meant for, a move has room for an opening or has not. */
static void moves_by_custody(void **state)
{
    struct st_state s = blind_board(false), known = s;
    struct event event = blind_move(&s, "a4", "a5");

    (void)state;
    assert_int_equal(event.size, 3);
    assert_int_equal(event.data[2], ST_NONE);
    known.blind = 0;
    event = blind_move(&known, "a4", "a5");
    assert_int_equal(event.size, 2);
    assert_int_equal(event.data[2], 0);
}

static void what_a_move_needs(void **state)
{
    static const struct {
        const char *from, *to;
        bool known, needs, far;
    } cases[] = {
        {"a4", "a5", false, false, false}, {"a4", "a6", false, true, true},
        {"a4", "a7", false, true, true},   {"d4", "d5", false, false, false}, /* a lake */
        {"a4", "a8", false, false, true},                                     /* blocked */
        {"a4", "a7", true, true, true},    {"d4", "e4", true, false, false},
        {"d4", "f4", true, false, true},  /* too far */
        {"b1", "b2", true, false, false}, /* a flag */
        {"e9", "e1", false, false, true}, /* nobody there */
    };
    uint8_t faces[64];

    (void)state;
    memset(faces, FACE_UNKNOWN, sizeof faces);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct st_state s = blind_board(cases[i].known);
        struct event event = blind_move(&s, cases[i].from, cases[i].to), filled = event;
        bool far;
        uint8_t slot = st_codec.blind->mover(&s, &event, &far);
        uint64_t needs = cases[i].needs ? UINT64_C(1) << slot : 0;

        assert_int_equal(far, cases[i].far);
        assert_int_equal(st_codec.blind->needs(&s, &event), needs);
        assert_int_equal(slot == ST_NONE, cases[i].from[0] == 'e');
        st_codec.fill(&s, faces, &filled);
        assert_memory_equal(&filled, &event, sizeof event);
        faces[1] = ST_SCOUT;
        st_codec.fill(&s, faces, &filled);
        assert_int_equal(filled.data[2], needs ? ST_SCOUT : ST_NONE);
        assert_int_equal(st_codec.blind->needs(&s, &filled), needs); /* given or not */
        faces[1] = FACE_UNKNOWN;
        if (needs)
            assert_int_equal(match_judge(&st_ruleset, &s, &filled), ALLOWED);
        s.blind = 0;
        filled = blind_move(&s, cases[i].from, cases[i].to);
        st_codec.fill(&s, faces, &filled);
        assert_int_equal(filled.size, 2);
    }
}

/* ST-4 ST-5, and squares that no reader makes. */
static void what_a_move_of_the_house_needs(void **state)
{
    struct options options = presets("marsal-a-spion");
    struct event event = {.kind = EVENT_MOVE, .size = 3, .data = {255, 255, ST_NONE}};
    struct st_state s;
    bool far;

    (void)state;
    options.custody = CUSTODY_PLAYERS;
    st_ruleset.begin(&s, &options);
    st_put(&s, 0, st_home(0, 30), ST_HIDDEN);
    st_put(&s, 1, st_home(0, 31), ST_HIDDEN);
    st_resume(&s, 0);
    assert_int_equal(st_codec.blind->mover(&s, &event, &far), ST_NONE);
    assert_int_equal(st_codec.blind->needs(&s, &event), 0);
    event = blind_move(&s, "a4", "b4");
    assert_int_equal(st_codec.blind->needs(&s, &event), 1);
    event = blind_move(&s, "a4", "a6");
    assert_int_equal(st_codec.blind->needs(&s, &event), 1);
    event = blind_move(&s, "a4", "b5");
    assert_int_equal(st_codec.blind->needs(&s, &event), 0);
    event.seat = 1; /* not its turn */
    event.data[1] = event.data[0] + 1;
    assert_int_equal(st_codec.blind->needs(&s, &event), 0);
}

static void play_blind(struct st_state *s, const struct event *event, struct effect *ret_effect)
{
    struct effects effects;

    assert_int_equal(match_judge(&st_ruleset, s, event), ALLOWED);
    match_play(&st_ruleset, s, event, &effects);
    assert_int_equal(effects.count, 1);
    *ret_effect = effects.list[0];
}

static void a_challenge_and_its_answer(void **state)
{
    struct st_state s = blind_board(false);
    struct event event = blind_move(&s, "a4", "a7"), defence = {.kind = EVENT_OPEN, .seat = 1};
    struct effect effect;

    (void)state;
    st_codec.blind->open(&event, 1, ST_SCOUT);
    play_blind(&s, &event, &effect);
    told(&effect, "challenge", "{\"from\":\"a4\",\"to\":\"a7\"}");
    shows(&s, 0,
          "{\"pieces\":{\"b1\":[\"red\",null],\"a4\":[\"red\",\"scout\"],\"d4\":[\"red\",null],"
          "\"a7\":[\"blue\",null],\"b10\":[\"blue\",null]},\"moved\":[\"a4\"],"
          "\"lost\":{\"own\":{},\"enemy\":{\"count\":0,\"known\":{}}},\"turn\":\"red\","
          "\"challenge\":{\"from\":\"a4\",\"to\":\"a7\"}}");
    assert_false(st_codec.blind->claimed(&s));
    assert_int_equal(st_codec.blind->needs(&s, &defence), UINT64_C(1) << 1);
    assert_int_equal(match_judge(&st_ruleset, &s, &defence), ST_UNDEFENDED_CLASSIC);
    event = (struct event){.kind = EVENT_OPEN, .seat = 0};
    assert_int_equal(st_codec.blind->needs(&s, &event), 0);
    event.seat = 7;
    assert_int_equal(st_codec.blind->needs(&s, &event), 0);
    st_codec.blind->open(&defence, 1, 5);
    st_codec.blind->open(&defence, 200, 5); /* no slot: nothing */
    play_blind(&s, &defence, &effect);
    told(&effect, "combat", "{\"from\":\"a4\",\"outcome\":\"attacker_lost\",\"to\":\"a7\"}");
}

static void a_claim_and_its_answer(void **state)
{
    struct st_state s = blind_board(false);
    struct event event = {.kind = EVENT_OPEN, .seat = 0};
    struct effect effect;

    (void)state;
    assert_int_equal(st_codec.blind->needs(&s, &event), 7);
    st_codec.blind->open(&event, 0, ST_FLAG);
    st_codec.blind->open(&event, 1, 11);
    assert_int_equal(match_judge(&st_ruleset, &s, &event), ST_INCOMPLETE_CLASSIC);
    st_codec.blind->open(&event, 2, 11);
    play_blind(&s, &event, &effect);
    told(&effect, "challenge", "{\"claim\":true}");
    assert_true(st_codec.blind->claimed(&s));
    shows(&s, NO_SEAT,
          "{\"pieces\":{\"b1\":[\"red\",null],\"a4\":[\"red\",null],\"d4\":[\"red\",null],"
          "\"a7\":[\"blue\",null],\"b10\":[\"blue\",null]},\"moved\":[],"
          "\"lost\":{\"red\":{\"count\":0,\"known\":{}},\"blue\":{\"count\":0,\"known\":{}}},"
          "\"turn\":\"red\",\"challenge\":{\"claim\":true,\"seat\":\"red\"}}");
    event = (struct event){.kind = EVENT_OPEN, .seat = 1};
    assert_int_equal(st_codec.blind->needs(&s, &event), 3);
    st_codec.blind->open(&event, 0, ST_FLAG);
    st_codec.blind->open(&event, 1, 5);
    play_blind(&s, &event, &effect);
    told(&effect, "claimed", "{\"holds\":true}");
    assert_int_equal(s.outcome.winner, 1);
}

static void hidden_faces_are_unknown(void **state)
{
    struct st_state s = blind_board(false);
    uint8_t faces[64], known[SLOTS_MAX];
    struct event event;
    struct out out = {0};

    (void)state;
    s.rank[0] = ST_SCOUT;
    assert_int_equal(st_codec.faces(&s, 0, faces), ST_SLOTS);
    for (size_t slot = 0; slot < ST_SLOTS; slot++)
        assert_int_equal(faces[slot], slot ? FACE_UNKNOWN : ST_SCOUT);
    st_codec.write_state(&out, NULL, &s);
    autofree char *text = out_take(&out, NULL);
    assert_string_equal(text, "{\"pieces\":{\"b1\":[\"red\",\"scout\"],\"a4\":[\"red\",null],"
                              "\"d4\":[\"red\",null],\"a7\":[\"blue\",null],"
                              "\"b10\":[\"blue\",null]},\"turn\":\"red\"}");
    st_codec.setup_of(&s, 1, &event);
    st_codec.write_setup(&out, NULL, &event);
    autofree char *setup = out_take(&out, NULL);
    assert_non_null(setup);

    memset(known, FACE_UNKNOWN, sizeof known);
    known[1] = 9;
    st_codec.blind->reveal(0, known, &event);
    assert_int_equal(match_judge(&st_ruleset, &s, &event), REFUSE_WRONG_TIME);
    s.outcome.reason = REASON_RESIGNED;
    assert_int_equal(match_judge(&st_ruleset, &s, &event), ALLOWED);
    assert_true(st_codec.blind->audit == st_audit);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cases_pass),
        cmocka_unit_test(recorded_games_end_by_the_chase_rule),
        cmocka_unit_test(states_go_there_and_back),
        cmocka_unit_test(faults_say_where),
        cmocka_unit_test(moves_that_are_none),
        cmocka_unit_test(impossible_states),
        cmocka_unit_test(setups_go_there_and_back),
        cmocka_unit_test(openings_of_a_combat),
        cmocka_unit_test(boards_by_viewer),
        cmocka_unit_test(blind_setups),
        cmocka_unit_test(moves_by_custody),
        cmocka_unit_test(what_a_move_needs),
        cmocka_unit_test(what_a_move_of_the_house_needs),
        cmocka_unit_test(a_challenge_and_its_answer),
        cmocka_unit_test(a_claim_and_its_answer),
        cmocka_unit_test(hidden_faces_are_unknown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
