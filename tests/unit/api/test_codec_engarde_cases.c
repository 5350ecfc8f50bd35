/* codec_engarde.c on the cases of the stateless judge: read, check, judge, play, compare. */
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
    int row = ruleset_variant(&eg_ruleset, variant);

    assert_true(row >= 0);
    ruleset_presets(&eg_ruleset, (uint8_t)row, &options);
    return options;
}

static void set_option(struct options *options, const char *name, const json_t *value)
{
    int row = ruleset_option(&eg_ruleset, name);

    assert_true(row >= 0);
    if (json_is_integer(value)) {
        options->value[row] = (int16_t)json_integer_value(value);
        return;
    }
    const char *const *words = eg_ruleset.options[row].words;
    int16_t i = 0;
    while (words[i] && strcmp(words[i], json_string_value(value)) != 0)
        i++;
    assert_non_null(words[i]);
    options->value[row] = i;
}

/* What the stateless judge does, in little. */

static json_t *refused(const struct refusal *refusal, bool problem)
{
    json_t *answer = json_pack("{s:s?, s:s}", "ruling", refusal->ruling, "code", refusal->code);

    if (problem)
        json_object_set_new(answer, "status", json_integer(422));
    else
        json_object_set_new(answer, "verdict", json_string("illegal"));
    return answer;
}

static void write_result(struct out *out, struct outcome outcome)
{
    if (outcome.reason == REASON_NONE) {
        out_null(out, "result");
        return;
    }
    out_object(out, "result");
    out_text(out, "winner",
             outcome.winner == NO_SEAT ? NULL : eg_ruleset.seats[outcome.winner]);
    out_text(out, "reason", reason_word(outcome.reason));
    out_text(out, "ruling", eg_ruleset.rulings[outcome.ruling].id);
    out_object_end(out);
}

static void write_effects(struct out *out, const struct effects *effects)
{
    out_array(out, "effects");
    for (size_t i = 0; i < effects->count; i++) {
        const struct effect *effect = &effects->list[i];
        out_object(out, NULL);
        out_text(out, "type", eg_codec.effect_type(effect));
        if (effect->seat != NO_SEAT)
            out_text(out, "seat", eg_ruleset.seats[effect->seat]);
        eg_codec.write_effect_full(out, effect);
        out_object_end(out);
    }
    out_array_end(out);
}

static json_t *played(struct eg_state *state, const struct event *event)
{
    struct effects effects;
    struct out out = {0};

    match_play(&eg_ruleset, state, event, &effects);
    out_object(&out, NULL);
    out_text(&out, "verdict", "legal");
    write_effects(&out, &effects);
    eg_codec.write_state(&out, "state", state);
    out_text(&out, "status", eg_codec.status(state));
    eg_codec.write_verdict(&out, state);
    out_array(&out, "to_act");
    struct awaiting awaiting = eg_ruleset.awaits(state);
    for (size_t seat = 0; awaiting.what == AWAIT_MOVE && seat < EG_SEATS; seat++)
        if (awaiting.seats >> seat & 1)
            out_text(&out, NULL, eg_ruleset.seats[seat]);
    out_array_end(&out);
    write_result(&out, state->outcome);
    out_object_end(&out);
    return taken(&out);
}

static json_t *listed(const struct eg_state *state)
{
    struct event list[64];
    struct out out = {0};
    size_t count = eg_ruleset.legal(state, eg_codec.turn(state), list, 64);

    out_object(&out, NULL);
    out_array(&out, "moves");
    for (size_t i = 0; i < count; i++)
        eg_codec.write_move(&out, NULL, &list[i]);
    out_array_end(&out);
    out_object_end(&out);
    return taken(&out);
}

static json_t *adjudicate(json_t *request)
{
    const char *variant = json_string_value(json_object_get(request, "variant"));
    struct options options = presets(variant ? variant : "do-strehu");
    const json_t *move = json_object_get(request, "move");
    struct event event = {0};
    struct eg_state state;
    struct fault fault;
    const char *name;
    json_t *value;

    json_object_foreach(json_object_get(request, "options"), name, value)
        set_option(&options, name, value);
    if (!eg_codec.read_state(json_object_get(request, "state"), NULL, &options, &state, &fault))
        return json_pack("{s:s, s:s}", "fault", fault.pointer, "detail", fault.detail);
    ruling_t refusal = eg_ruleset.check(&state);
    if (refusal)
        return refused(eg_ruleset.name(refusal), true);
    if (!move)
        return listed(&state);
    if (!eg_codec.read_move(move, "/move", &state, &event, &fault))
        return json_pack("{s:s, s:s}", "fault", fault.pointer, "detail", fault.detail);
    event.seat = eg_codec.turn(&state);
    refusal = match_judge(&eg_ruleset, &state, &event);
    return refusal ? refused(eg_ruleset.name(refusal), false) : played(&state, &event);
}

/* Comparing */

static bool contains(const json_t *answer, const json_t *expect, const char *key);

/* Hands and moves are compared without order. */
static bool same_list(const json_t *answer, const json_t *expect, bool ordered)
{
    bool used[64] = {false};
    size_t n = json_array_size(expect), j;

    if (json_array_size(answer) != n || n > 64)
        return false;
    for (size_t i = 0; i < n; i++) {
        for (j = ordered ? i : 0; j < (ordered ? i + 1 : n); j++)
            if (!used[j] && contains(json_array_get(answer, j), json_array_get(expect, i), ""))
                break;
        if (j == (ordered ? i + 1 : n))
            return false;
        used[j] = true;
    }
    return true;
}

static bool contains(const json_t *answer, const json_t *expect, const char *key)
{
    json_t *object = (json_t *)(uintptr_t)expect;

    if (json_is_array(expect))
        return same_list(answer, expect,
                         strcmp(key, "deck") == 0 || strcmp(key, "effects") == 0);
    if (!json_is_object(expect))
        return json_equal(answer, expect);
    for (void *i = json_object_iter(object); i; i = json_object_iter_next(object, i)) {
        const char *name = json_object_iter_key(i);
        const json_t *got = json_object_get(answer, name);
        if (!got || !contains(got, json_object_iter_value(i), name))
            return false;
    }
    return true;
}

/* Plays all cases of a file; returns how many there were. */
static size_t run_cases(const char *path)
{
    json_auto_t *cases = json_load_file(path, 0, NULL);
    size_t i, bad = 0;
    json_t *one;

    if (!cases)
        fail_msg("%s cannot be read", path);
    json_array_foreach(cases, i, one)
    {
        json_auto_t *answer = adjudicate(json_object_get(one, "request"));
        if (contains(answer, json_object_get(one, "expect"), ""))
            continue;
        autofree char *text = json_dumps(answer, JSON_COMPACT);
        print_error("%s\n  %s\n", json_string_value(json_object_get(one, "name")), text);
        bad++;
    }
    assert_int_equal(bad, 0);
    return i;
}

static void passes_the_cases(void **unused)
{
    (void)unused;
    assert_true(run_cases("tests/vectors/cases/engarde.json") >= 25);
}

static void passes_more_cases(void **unused)
{
    (void)unused;
    assert_true(run_cases("tests/vectors/cases/engarde-more.json") >= 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(passes_the_cases),
        cmocka_unit_test(passes_more_cases),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
