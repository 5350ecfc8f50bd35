/* Options from JSON and back, for every option of every variant. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/game.h"
#include "api/options.h"
#include "rules/rulesets.h"

static char *written(const struct codec *codec, const struct options *options)
{
    struct out out = {0};
    size_t size;

    options_write(&out, NULL, codec, options);
    char *text = out_take(&out, &size);
    assert_non_null(text);
    return text;
}

static bool read_in(uint8_t custody, const char *ruleset, const char *variant, const char *text,
                    int64_t players, struct options *options, const struct codec **codec,
                    struct fault *fault)
{
    json_t *json = text ? json_loads(text, 0, NULL) : NULL;
    assert_true(json || !text);
    *fault = (struct fault){0};
    const struct choice choice = {.ruleset = ruleset,
                                  .variant = variant,
                                  .custody = custody_word(custody),
                                  .options = json,
                                  .players = players};
    bool good = options_read(&choice, codec, options, fault);
    json_decref(json);
    return good;
}

static bool read(const char *ruleset, const char *variant, const char *text, int64_t players,
                 struct options *options, const struct codec **codec, struct fault *fault)
{
    return read_in(CUSTODY_REFEREE, ruleset, variant, text, players, options, codec, fault);
}

/* What is written is sorted, and reads back as it was. */
static void back_and_forth(uint8_t custody, const struct ruleset *rules, const char *variant,
                           const char *text)
{
    const struct codec *codec;
    struct options one, other;
    struct fault fault;

    if (!read_in(custody, rules->id, variant, text, 0, &one, &codec, &fault))
        fail_msg("%s %s: %s", variant, text ? text : "", fault.detail);
    assert_ptr_equal(codec->rules, rules);
    char *first = written(codec, &one);
    json_t *json = json_loads(first, JSON_REJECT_DUPLICATES, NULL);
    char *sorted = json_dumps(json, JSON_COMPACT | JSON_SORT_KEYS);
    assert_string_equal(first, sorted);
    assert_true(read_in(custody, rules->id, variant, first, 0, &other, &codec, &fault));
    char *second = written(codec, &other);
    assert_string_equal(first, second);
    free(first);
    free(second);
    free(sorted);
    json_decref(json);
}

static void each_value(uint8_t custody, const struct ruleset *rules, const char *variant,
                       const struct option *option)
{
    char text[128];

    for (int value = option->min; value <= option->max && value < option->min + 20; value++) {
        if (option->kind == OPTION_INT)
            (void)snprintf(text, sizeof text, "{\"%s\":%d}", option->name, value);
        else if (option->kind == OPTION_SWITCH)
            (void)snprintf(text, sizeof text, "{\"%s\":%s}", option->name,
                           value ? "true" : "false");
        else if (option->kind == OPTION_WORD && value <= 2)
            (void)snprintf(text, sizeof text, "{\"%s\":\"%s\"}", option->name,
                           option->words[value]);
        else
            break;
        back_and_forth(custody, rules, variant, text);
    }
}

static void all_of(const struct ruleset *rules, size_t row, uint8_t custody)
{
    const char *variant = rules->variants[row].id;

    back_and_forth(custody, rules, variant, NULL);
    for (size_t i = 0; i < rules->option_count; i++) {
        const struct option *option = &rules->options[i];
        bool known = !option->custodies || option->custodies >> custody & 1;
        if (option->variants >> row & 1 && known)
            each_value(custody, rules, variant, option);
    }
}

static void test_all(void **state)
{
    (void)state;
    for (size_t i = 0; i < ruleset_count; i++)
        for (size_t j = 0; j < rulesets[i]->variant_count; j++)
            for (uint8_t custody = 0; custody < CUSTODIES; custody++)
                if (rulesets[i]->custodies >> custody & 1)
                    all_of(rulesets[i], j, custody);
    back_and_forth(CUSTODY_REFEREE, rulesets[1], NULL, "{\"rooms\":\"B\"}");
}

static void test_refused(void **state)
{
    static const struct {
        const char *ruleset, *variant, *text;
        int players;
        const char *pointer;
    } rows[] = {
        {"chess", NULL, NULL, 0, "/ruleset"},
        {"", NULL, NULL, 0, "/ruleset"},
        {"engarde", "classic", NULL, 0, "/variant"},
        {"engarde", "", NULL, 0, "/variant"},
        {"engarde", NULL, NULL, 3, "/players"},
        {"roquefort", NULL, NULL, 5, "/players"},
        {"roquefort", NULL, NULL, 1, "/players"},
        {"engarde", NULL, "{\"level\":\"basic\"}", 0, "/options/level"},
        {"engarde", "knizia", "{\"after_parry\":\"defender\"}", 0, "/options/after_parry"},
        {"engarde", NULL, "{\"hits_to_lose\":0}", 0, "/options/hits_to_lose"},
        {"engarde", NULL, "{\"hits_to_lose\":10}", 0, "/options/hits_to_lose"},
        {"engarde", NULL, "{\"hits_to_lose\":4294967301}", 0, "/options/hits_to_lose"},
        {"engarde", NULL, "{\"hits_to_lose\":true}", 0, "/options/hits_to_lose"},
        {"engarde", NULL, "{\"first\":1}", 0, "/options/first"},
        {"engarde", NULL, "{\"first\":\"Left\"}", 0, "/options/first"},
        {"engarde", NULL, "{\"hand\":4}", 0, "/options/hand"},
        {"roquefort", NULL, "{\"first\":\"blue\"}", 2, "/options/first"},
        {"roquefort", NULL, "{\"rooms\":\"C\"}", 0, "/options/rooms"},
        {"roquefort", NULL, "{\"rooms\":[]}", 0, "/options/rooms"},
        {"stratego", NULL, "{\"more_square\":1}", 0, "/options/more_square"},
        {"stratego", "classic", "{\"more_square\":1}", 0, "/options/more_square"},
        {"stratego", "classic", "{\"ply_limit\":32768}", 0, "/options/ply_limit"},
    };
    const struct codec *codec;
    struct options options;
    struct fault fault;

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (read(rows[i].ruleset, rows[i].variant, rows[i].text, rows[i].players, &options,
                 &codec, &fault))
            fail_msg("taken: row %zu", i);
        assert_string_equal(fault.pointer, rows[i].pointer);
    }
}

static void test_described(void **state)
{
    (void)state;
    for (size_t i = 0; i < ruleset_count; i++)
        for (int language = 0; language < 2; language++) {
            struct out out = {0};
            size_t size;
            options_describe(&out, NULL, rulesets[i], language);
            char *text = out_take(&out, &size);
            json_t *list = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
            assert_int_equal(json_array_size(list),
                             rulesets[i]->option_count + 1); /* answer_s */
            json_decref(list);
            free(text);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_described),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
