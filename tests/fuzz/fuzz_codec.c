/* Fuzzes the codecs: {"state":…,"move":…} of any game, read, checked, judged, played, written.
 *
 * The first byte picks game and variant, the rest is the JSON.
 */
#include <stdlib.h>

#include "api/codec.h"
#include "rules/match.h"
#include "rules/perft.h"
#include "rules/rulesets.h"
#include "tests/fuzz/fuzz.h"

static void write_all(const struct codec *codec, const void *state)
{
    static uint8_t view[16384];
    struct out out = {0};

    out_object(&out, NULL);
    codec->write_state(&out, "state", state);
    out_text(&out, "status", codec->status(state));
    for (uint8_t seat = 0; seat <= codec->rules->seats_max; seat++) {
        codec->rules->observe(state, seat < codec->rules->seats_max ? seat : NO_SEAT, view);
        out_array(&out, (const char *[]){"a", "b", "c", "d", "e"}[seat]);
        codec->write_board(&out, NULL, view);
        out_array_end(&out);
    }
    out_object_end(&out);
    must_be_json(&out);
}

static void play(const struct codec *codec, void *state, const json_t *move)
{
    struct event event = {.kind = EVENT_MOVE, .seat = codec->turn(state)};
    struct fault fault = {0};
    struct effects effects;
    struct out out = {0};

    if (!move || !codec->read_move(move, "/move", state, &event, &fault))
        return;
    event.kind = EVENT_MOVE;
    if (match_judge(codec->rules, state, &event) != ALLOWED)
        return;
    match_play(codec->rules, state, &event, &effects);
    out_object(&out, NULL);
    codec->write_move(&out, "move", &event);
    out_array(&out, "effects");
    for (size_t i = 0; i < effects.count; i++) {
        out_object(&out, NULL);
        out_text(&out, "type", codec->effect_type(&effects.list[i]));
        codec->write_effect(&out, &effects.list[i]);
        out_object_end(&out);
    }
    out_array_end(&out);
    out_object_end(&out);
    must_be_json(&out);
    write_all(codec, state);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static uint8_t state[PERFT_STATE_MAX];
    const struct ruleset *rules = rulesets[size ? data[0] % ruleset_count : 0];
    const struct codec *codec = codec_of(rules);
    struct fault fault = {0};
    struct options options;
    json_t *json = size > 1 ? json_gate((const char *)data + 1, size - 1, &fault) : NULL;

    if (!json)
        return 0;
    ruleset_presets(rules, (uint8_t)(data[0] / ruleset_count % rules->variant_count), &options);
    if (codec->read_state(json_object_get(json, "state"), json_object_get(json, "history"),
                          &options, state, &fault)) {
        if (rules->check(state) == ALLOWED) {
            write_all(codec, state);
            play(codec, state, json_object_get(json, "move"));
        }
    } else if (!*fault.detail) {
        abort();
    }
    json_decref(json);
    return 0;
}
