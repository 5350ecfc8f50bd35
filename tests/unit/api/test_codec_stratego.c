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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cases_pass),
        cmocka_unit_test(recorded_games_end_by_the_chase_rule),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
