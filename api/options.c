#include "api/options.h"

#include <stdio.h>
#include <string.h>

#include "rules/rulesets.h"

static bool set_int(const struct option *option, const json_t *value, const char *at,
                    int16_t *ret_value, struct fault *fault)
{
    json_int_t number = json_integer_value(value);

    if (!json_is_integer(value) || number < option->min || number > option->max)
        return fault_set(fault, at, "The option %s is an integer from %d to %d.", option->name,
                         option->min, option->max);
    *ret_value = (int16_t)number;
    return true;
}

static bool set_word(const struct option *option, const json_t *value, const char *at,
                     int16_t *ret_value, struct fault *fault)
{
    char words[96] = "";
    size_t used = 0;

    for (int16_t i = 0; option->words[i]; i++) {
        if (json_is_string(value) && strcmp(json_string_value(value), option->words[i]) == 0) {
            *ret_value = i;
            return true;
        }
        used += (size_t)snprintf(words + used, sizeof words - used, "%s%s", i ? ", " : "",
                                 option->words[i]);
        if (used >= sizeof words)
            used = sizeof words - 1;
    }
    return fault_set(fault, at, "The option %s is one of: %s.", option->name, words);
}

static bool set_one(const struct codec *codec, size_t row, json_t *value, const char *at,
                    struct options *options, struct fault *fault)
{
    const struct option *option = &codec->rules->options[row];

    switch ((enum option_kind)option->kind) {
    case OPTION_INT:
        return set_int(option, value, at, &options->value[row], fault);
    case OPTION_WORD:
        return set_word(option, value, at, &options->value[row], fault);
    case OPTION_SWITCH:
        if (!json_is_boolean(value))
            return fault_set(fault, at, "The option %s is true or false.", option->name);
        options->value[row] = json_is_true(value);
        return true;
    case OPTION_PLATE:
        return codec->read_plate(value, at, row, options, fault);
    }
    return false;
}

/* A word that names a seat which this game does not have (`first` with fewer players). */
static bool seats_fit(const struct codec *codec, const struct options *options,
                      struct fault *fault)
{
    int first = ruleset_option(codec->rules, "first");

    if (first < 0 || options->value[first] <= options->players)
        return true;
    return fault_set(fault, "/options/first", "There is no such seat among %d players.",
                     options->players);
}

static bool set_all(const struct codec *codec, json_t *values, struct options *options,
                    struct fault *fault)
{
    const char *name;
    json_t *value;

    json_object_foreach(values, name, value)
    {
        int row = ruleset_option(codec->rules, name);
        struct pointer at = pointer_below("/options", name);
        if (row < 0 || !(codec->rules->options[row].variants >> options->variant & 1))
            return fault_set(fault, at.text, "The variant %s has no such option.",
                             codec->rules->variants[options->variant].id);
        if (!set_one(codec, (size_t)row, value, at.text, options, fault))
            return false;
    }
    return true;
}

bool options_read(const char *ruleset, const char *variant, json_t *options, int64_t players,
                  const struct codec **ret_codec, struct options *ret_options,
                  struct fault *ret_fault)
{
    const struct ruleset *rules = ruleset_find(ruleset);

    if (!rules)
        return fault_set(ret_fault, "/ruleset",
                         "The games are engarde, roquefort and stratego.");
    int row = variant ? ruleset_variant(rules, variant) : 0;
    if (row < 0)
        return fault_set(ret_fault, "/variant", "%s has no such variant; see /v1/rulesets/%s.",
                         rules->id, rules->id);
    ruleset_presets(rules, (uint8_t)row, ret_options);
    if (players && rules->seats_min == rules->seats_max && players != rules->seats_min)
        return fault_set(ret_fault, "/players", "%s is for %d players.", rules->id,
                         rules->seats_min);
    if (players && (players < rules->seats_min || players > rules->seats_max))
        return fault_set(ret_fault, "/players", "%s is for %d to %d players.", rules->id,
                         rules->seats_min, rules->seats_max);
    if (players)
        ret_options->players = (uint8_t)players;
    *ret_codec = codec_of(rules);
    return set_all(*ret_codec, options, ret_options, ret_fault) &&
           seats_fit(*ret_codec, ret_options, ret_fault);
}

static void write_value(struct out *out, const char *key, const struct option *option,
                        int16_t value)
{
    if (option->kind == OPTION_SWITCH)
        out_bool(out, key, value);
    else if (option->kind == OPTION_WORD)
        out_text(out, key, option->words[value]);
    else
        out_number(out, key, value);
}

void options_write(struct out *out, const char *key, const struct codec *codec,
                   const struct options *options)
{
    out_object(out, key);
    size_t start = out->size - 1;
    for (size_t i = 0; i < codec->rules->option_count; i++) {
        const struct option *option = &codec->rules->options[i];
        if (!(option->variants >> options->variant & 1))
            continue;
        if (option->kind == OPTION_PLATE)
            codec->write_plate(out, option->name, i, options);
        else
            write_value(out, option->name, option, options->value[i]);
    }
    out_object_end(out);
    out_sort(out, start);
}

static void describe_type(struct out *out, const struct option *option)
{
    static const char *const types[] = {
        [OPTION_INT] = "integer",
        [OPTION_WORD] = "word",
        [OPTION_SWITCH] = "boolean",
        [OPTION_PLATE] = "plate",
    };

    out_text(out, "type", types[option->kind]);
    if (option->kind == OPTION_INT) {
        out_number(out, "min", option->min);
        out_number(out, "max", option->max);
    }
    if (!option->words)
        return;
    out_array(out, "values");
    for (int i = 0; option->words[i]; i++)
        out_text(out, NULL, option->words[i]);
    out_array_end(out);
}

static void describe_presets(struct out *out, const struct ruleset *rules,
                             const struct option *option)
{
    struct options presets;

    out_object(out, "default");
    for (uint8_t i = 0; i < rules->variant_count; i++) {
        if (!(option->variants >> i & 1))
            continue;
        ruleset_presets(rules, i, &presets);
        if (option->kind == OPTION_PLATE)
            codec_of(rules)->write_plate(out, rules->variants[i].id,
                                         (size_t)(option - rules->options), &presets);
        else
            write_value(out, rules->variants[i].id, option, option->preset[i]);
    }
    out_object_end(out);
}

void options_describe(struct out *out, const char *key, const struct ruleset *rules,
                      int language)
{
    out_array(out, key);
    for (size_t i = 0; i < rules->option_count; i++) {
        const struct option *option = &rules->options[i];
        out_object(out, NULL);
        out_text(out, "name", option->name);
        out_text(out, "text", option->text[language]);
        describe_type(out, option);
        describe_presets(out, rules, option);
        out_object_end(out);
    }
    out_array_end(out);
}
