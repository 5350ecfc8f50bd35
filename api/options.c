#include "api/options.h"

#include <stdio.h>
#include <string.h>

#include "api/game.h"
#include "rules/rulesets.h"

/* How long a seat may take to answer where no clock runs, in seconds. */
enum { ANSWER_MIN_S = 1, ANSWER_MAX_S = 366 * 86400, ANSWER_PRESET_S = 86400 };

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

static bool knows(const struct option *option, const struct options *options)
{
    return option->variants >> options->variant & 1 &&
           (!option->custodies || option->custodies >> options->custody & 1);
}

static bool set_answer(const json_t *value, struct options *options, struct fault *fault)
{
    json_int_t seconds = json_integer_value(value);

    if (!json_is_integer(value) || seconds < ANSWER_MIN_S || seconds > ANSWER_MAX_S)
        return fault_set(fault, "/options/answer_s",
                         "The option answer_s is an integer from %d to %d, in seconds.",
                         ANSWER_MIN_S, ANSWER_MAX_S);
    options->answer_s = (int32_t)seconds;
    return true;
}

static bool set_named(const struct choice *choice, const struct codec *codec, const char *name,
                      json_t *value, struct options *options, struct fault *fault)
{
    const struct ruleset *rules = codec->rules;
    int row = ruleset_option(rules, name);
    struct pointer at = pointer_below("/options", name);

    if (strcmp(name, "answer_s") == 0)
        return set_answer(value, options, fault);
    if (row < 0 || !(rules->options[row].variants >> options->variant & 1))
        return fault_set(fault, at.text, "The variant %s has no such option.",
                         rules->variants[options->variant].id);
    if (!knows(&rules->options[row], options))
        return fault_set(fault, at.text, "In custody %s there is no such option.",
                         custody_word(options->custody));
    if (choice->stateless && rules->options[row].apart)
        return fault_set(fault, at.text, "Games alone have the option %s.", name);
    return set_one(codec, (size_t)row, value, at.text, options, fault);
}

static bool set_all(const struct choice *choice, const struct codec *codec,
                    struct options *options, struct fault *fault)
{
    const char *name;
    json_t *value;

    json_object_foreach(choice->options, name, value)
    {
        if (!set_named(choice, codec, name, value, options, fault))
            return false;
    }
    return true;
}

static int custody_find(const char *word)
{
    for (uint8_t i = 0; i < CUSTODIES; i++)
        if (strcmp(custody_word(i), word) == 0)
            return i;
    return -1;
}

static bool set_custody(const struct ruleset *rules, const char *word, struct options *options,
                        struct fault *fault)
{
    int custody = word ? custody_find(word) : CUSTODY_REFEREE;

    if (custody < 0)
        return fault_set(fault, "/custody", "Custody is referee, players or table.");
    if (!(rules->custodies >> custody & 1))
        return fault_set(fault, "/custody", "%s cannot be played in custody %s.", rules->id,
                         word);
    options->custody = (uint8_t)custody;
    return true;
}

static bool set_players(const struct ruleset *rules, int64_t players, struct options *options,
                        struct fault *fault)
{
    if (players && rules->seats_min == rules->seats_max && players != rules->seats_min)
        return fault_set(fault, "/players", "%s is for %d players.", rules->id,
                         rules->seats_min);
    if (players && (players < rules->seats_min || players > rules->seats_max))
        return fault_set(fault, "/players", "%s is for %d to %d players.", rules->id,
                         rules->seats_min, rules->seats_max);
    if (players)
        options->players = (uint8_t)players;
    return true;
}

bool options_read(const struct choice *choice, const struct codec **ret_codec,
                  struct options *ret_options, struct fault *ret_fault)
{
    const struct ruleset *rules = ruleset_find(choice->ruleset);

    if (!rules)
        return fault_set(ret_fault, "/ruleset", "There is no such game; see /v1/rulesets.");
    int row = choice->variant ? ruleset_variant(rules, choice->variant) : 0;
    if (row < 0)
        return fault_set(ret_fault, "/variant", "%s has no such variant; see /v1/rulesets/%s.",
                         rules->id, rules->id);
    ruleset_presets(rules, (uint8_t)row, ret_options);
    ret_options->answer_s = ANSWER_PRESET_S;
    *ret_codec = codec_of(rules);
    return set_custody(rules, choice->custody, ret_options, ret_fault) &&
           set_players(rules, choice->players, ret_options, ret_fault) &&
           set_all(choice, *ret_codec, ret_options, ret_fault) &&
           seats_fit(*ret_codec, ret_options, ret_fault) &&
           (!(*ret_codec)->fit || (*ret_codec)->fit(ret_options, choice->clocked, ret_fault));
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
    out_number(out, "answer_s", options->answer_s);
    for (size_t i = 0; i < codec->rules->option_count; i++) {
        const struct option *option = &codec->rules->options[i];
        if (!knows(option, options) ||
            (option->apart && options->value[i] == option->preset[options->variant]))
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

static void write_custodies(struct out *out, uint8_t set)
{
    out_array(out, "custody");
    for (uint8_t i = 0; i < CUSTODIES; i++)
        if (set >> i & 1)
            out_text(out, NULL, custody_word(i));
    out_array_end(out);
}

/* The one option that all games have. */
static void describe_answer(struct out *out, const struct ruleset *rules, int language)
{
    static const char *const text[] = {
        "Seconds that a seat has to give its seed, set-up, opening or audit where no clock "
        "runs",
        "Kolik sekund má hráč na semínko, rozestavení, odkrytí nebo audit, když neběží hodiny",
    };

    out_object(out, NULL);
    out_text(out, "name", "answer_s");
    out_text(out, "text", text[language]);
    out_text(out, "type", "integer");
    out_number(out, "min", ANSWER_MIN_S);
    out_number(out, "max", ANSWER_MAX_S);
    out_object(out, "default");
    for (uint8_t i = 0; i < rules->variant_count; i++)
        out_number(out, rules->variants[i].id, ANSWER_PRESET_S);
    out_object_end(out);
    out_object_end(out);
}

void options_describe(struct out *out, const char *key, const struct ruleset *rules,
                      int language)
{
    out_array(out, key);
    describe_answer(out, rules, language);
    for (size_t i = 0; i < rules->option_count; i++) {
        const struct option *option = &rules->options[i];
        out_object(out, NULL);
        out_text(out, "name", option->name);
        out_text(out, "text", option->text[language]);
        describe_type(out, option);
        describe_presets(out, rules, option);
        if (option->custodies)
            write_custodies(out, option->custodies);
        out_object_end(out);
    }
    out_array_end(out);
}
