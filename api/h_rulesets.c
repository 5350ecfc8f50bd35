/* What the referee is and knows: name, rulesets, keys, the interface itself. */
#include <string.h>

#include "api/embedded.h"
#include "api/options.h"
#include "api/route.h"
#include "rules/rulesets.h"

static enum problem answer(struct call *call, struct out *out)
{
    response_header(call->response, "Cache-Control", "no-cache");
    return call_answer(call, 200, out, false);
}

enum problem h_root(struct call *call)
{
    static const char *const links[][2] = {
        {"rulesets", "/v1/rulesets"},     {"games", "/v1/games"},
        {"adjudicate", "/v1/adjudicate"}, {"keys", "/v1/keys"},
        {"openapi", "/openapi.json"},
    };
    struct out out = {0};

    out_object(&out, NULL);
    out_text(&out, "name", "refereed");
    out_text(&out, "version", REFEREED_VERSION);
    out_text(&out, "key", call->api->config.signing.pid);
    out_object(&out, "links");
    for (size_t i = 0; i < sizeof links / sizeof *links; i++)
        out_text(&out, links[i][0], links[i][1]);
    out_object_end(&out);
    out_object_end(&out);
    return answer(call, &out);
}

static void write_variants(struct out *out, const struct ruleset *rules, int language)
{
    out_array(out, "variants");
    for (size_t i = 0; i < rules->variant_count; i++) {
        out_object(out, NULL);
        out_text(out, "id", rules->variants[i].id);
        out_text(out, "title", rules->variants[i].title[language]);
        out_object_end(out);
    }
    out_array_end(out);
}

static void write_rulings(struct out *out, const struct ruleset *rules, int language)
{
    out_array(out, "rulings");
    for (size_t i = 1; i < rules->ruling_count; i++) {
        const struct ruling *ruling = &rules->rulings[i];
        out_object(out, NULL);
        out_text(out, "id", ruling->id);
        out_text(out, "text", ruling->text[language]);
        out_array(out, "variants");
        for (size_t j = 0; j < rules->variant_count; j++)
            if (ruling->variants >> j & 1)
                out_text(out, NULL, rules->variants[j].id);
        out_array_end(out);
        out_object_end(out);
    }
    out_array_end(out);
}

static void write_ruleset(struct out *out, const struct ruleset *rules, int language,
                          bool whole)
{
    out_object(out, NULL);
    out_text(out, "id", rules->id);
    out_text(out, "title", rules->title[language]);
    out_array(out, "seats");
    for (size_t i = 0; i < rules->seats_max; i++)
        out_text(out, NULL, rules->seats[i]);
    out_array_end(out);
    out_number(out, "players_min", rules->seats_min);
    out_number(out, "players_max", rules->seats_max);
    write_variants(out, rules, language);
    if (whole) {
        options_describe(out, "options", rules, language);
        write_rulings(out, rules, language);
    }
    out_object_end(out);
}

enum problem h_rulesets(struct call *call)
{
    struct out out = {0};

    out_object(&out, NULL);
    out_array(&out, "rulesets");
    for (size_t i = 0; i < ruleset_count; i++)
        write_ruleset(&out, rulesets[i], call->language, false);
    out_array_end(&out);
    out_object_end(&out);
    return answer(call, &out);
}

enum problem h_ruleset(struct call *call)
{
    const struct ruleset *rules = ruleset_find(call->params[0]);
    struct out out = {0};

    if (!rules)
        return call_refuse(call, PROBLEM_NOT_FOUND, "There is no such game; see /v1/rulesets.");
    write_ruleset(&out, rules, call->language, true);
    response_header(call->response, "Content-Language", call->language ? "cs" : "en");
    return answer(call, &out);
}

static void write_key(struct out *out, const uint8_t public_key[static 32])
{
    char paserk[PASERK_SIZE], pid[PASERK_SIZE];

    token_paserk(public_key, paserk, pid);
    out_object(out, NULL);
    out_text(out, "public", paserk);
    out_text(out, "id", pid);
    out_object_end(out);
}

enum problem h_keys(struct call *call)
{
    const struct api_config *config = &call->api->config;
    struct out out = {0};

    out_object(&out, NULL);
    out_array(&out, "keys");
    write_key(&out, config->signing.public_key);
    for (size_t i = 0; i < config->old_key_count; i++)
        write_key(&out, config->old_public_keys[i]);
    out_array_end(&out);
    out_object_end(&out);
    return answer(call, &out);
}

enum problem h_openapi(struct call *call)
{
    call->response->content_type = "application/json";
    call->response->fixed = embedded_openapi;
    call->response->size = embedded_openapi_size;
    response_header(call->response, "Cache-Control", "no-cache");
    return PROBLEM_NONE;
}
