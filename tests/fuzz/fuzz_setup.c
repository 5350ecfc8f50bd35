/* Fuzzes what a game begins with: choices at its creation, and set-ups of Stratego.
 *
 * The first byte picks variant and seat, the rest is the JSON: {"pieces":…,"choice":…}.
 */
#include <stdlib.h>

#include "api/codec.h"
#include "rules/match.h"
#include "rules/perft.h"
#include "rules/rulesets.h"
#include "rules/stratego/stratego.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static json_t *read_back(struct out *out)
{
    size_t size;
    char *text = out_take(out, &size);
    json_t *json = text ? json_loadb(text, size, JSON_REJECT_DUPLICATES, NULL) : NULL;

    if (!json)
        abort();
    free(text);
    return json;
}

/* A set-up that is allowed is told as it was given, and whoever looks sees it or nothing. */
static void set_up(const json_t *pieces, const struct options *options, uint8_t seat)
{
    static uint8_t state[PERFT_STATE_MAX];
    const struct ruleset *rules = st_codec.rules;
    struct event event = {.kind = EVENT_SETUP, .seat = seat}, told = event;
    struct fault fault = {0};
    struct effects effects;
    struct out out = {0};

    if (!st_codec.read_setup(pieces, "/pieces", options, seat, &event, &fault)) {
        if (!*fault.detail)
            abort();
        return;
    }
    rules->begin(state, options);
    if (match_judge(rules, state, &event) != ALLOWED)
        return;
    match_play(rules, state, &event, &effects);
    st_codec.setup_of(state, seat, &told);
    out_object(&out, NULL);
    st_codec.write_setup(&out, "pieces", &told);
    out_object_end(&out);
    json_t *again = read_back(&out);
    if (!json_equal(json_object_get(again, "pieces"), pieces))
        abort();
    json_decref(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct ruleset *rules = st_codec.rules;
    struct fault fault = {0};
    struct options options;
    json_t *json = size > 1 ? json_gate((const char *)data + 1, size - 1, &fault) : NULL;

    if (!json)
        return 0;
    ruleset_presets(rules, (uint8_t)(data[0] / 2 % rules->variant_count), &options);
    set_up(json_object_get(json, "pieces"), &options, data[0] & 1);
    struct out out = {0};
    fault = (struct fault){0};
    if (rq_codec.read_plate && json_object_get(json, "plate")) {
        const struct ruleset *castle = rq_codec.rules;
        ruleset_presets(castle, (uint8_t)(data[0] / 2 % castle->variant_count), &options);
        for (size_t row = 0; row < castle->option_count; row++)
            if (castle->options[row].kind == OPTION_PLATE &&
                rq_codec.read_plate(json_object_get(json, "plate"), "/plate", row, &options,
                                    &fault)) {
                out_object(&out, NULL);
                rq_codec.write_plate(&out, "plate", row, &options);
                out_object_end(&out);
                json_decref(read_back(&out));
            }
    }
    json_decref(json);
    return 0;
}
