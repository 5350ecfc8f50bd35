/* The tables of the games: whole, in order, in two languages, and what they refer to exists. */
#include "rules/rulesets.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define EACH(rules) (size_t r_ = 0; r_ < ruleset_count && ((rules) = rulesets[r_]); r_++)

static void assert_two_languages(const char *const text[2])
{
    assert_non_null(text[0]);
    assert_non_null(text[1]);
    assert_true(*text[0] && *text[1]);
}

static bool is_ruling(const struct ruleset *rules, const char *id)
{
    for (size_t i = 1; i < rules->ruling_count; i++)
        if (!strcmp(rules->rulings[i].id, id))
            return true;
    return false;
}

static void found_by_id(void **unused)
{
    static const char *const ids[] = {"engarde", "roquefort", "stratego"};

    (void)unused;
    assert_int_equal(ruleset_count, sizeof ids / sizeof *ids);
    for (size_t i = 0; i < ruleset_count; i++) {
        assert_string_equal(rulesets[i]->id, ids[i]);
        assert_ptr_equal(ruleset_find(ids[i]), rulesets[i]);
        assert_int_equal(ruleset_number(rulesets[i]), i);
    }
    const struct ruleset copy = *rulesets[0];
    assert_int_equal(ruleset_number(&copy), ruleset_count);
    assert_null(ruleset_find(""));
    assert_null(ruleset_find("engard"));
    assert_null(ruleset_find("engardes"));
    assert_null(ruleset_find("Stratego"));
}

static void variants_and_options_by_name(void **unused)
{
    const struct ruleset *rules;

    (void)unused;
    for
        EACH(rules)
        {
            assert_in_range(rules->variant_count, 1, VARIANTS_MAX);
            /* the last value is to hold the number of the rules: docs/adr/0018 */
            assert_in_range(rules->option_count, 0, OPTIONS_MAX - 1);
            for (size_t i = 0; i < rules->variant_count; i++) {
                assert_int_equal(ruleset_variant(rules, rules->variants[i].id), (int)i);
                assert_two_languages(rules->variants[i].title);
            }
            for (size_t i = 0; i < rules->option_count; i++)
                assert_int_equal(ruleset_option(rules, rules->options[i].name), (int)i);
            assert_int_equal(ruleset_variant(rules, "nonsense"), -1);
            assert_int_equal(ruleset_option(rules, ""), -1);
        }
}

static void options_are_sound(void **unused)
{
    const struct ruleset *rules;

    (void)unused;
    for
        EACH(rules)
    for (size_t i = 0; i < rules->option_count; i++) {
        const struct option *option = &rules->options[i];
        size_t words = 0;

        assert_two_languages(option->text);
        assert_in_range(option->kind, OPTION_INT, OPTION_PLATE);
        assert_true(option->min <= option->max);
        assert_int_not_equal(option->variants, 0);
        assert_int_equal(option->variants >> rules->variant_count, 0);
        while (option->kind == OPTION_WORD && option->words[words])
            words++;
        if (option->kind == OPTION_WORD)
            assert_int_equal(option->max, words - 1);
        for (size_t v = 0; v < rules->variant_count; v++)
            if (option->kind != OPTION_PLATE && (option->variants >> v & 1))
                assert_true(option->preset[v] >= option->min &&
                            option->preset[v] <= option->max);
    }
}

/* The numbers that docs/rules allow; a switch is 0 or 1. */
static void options_have_their_ranges(void **unused)
{
    static const struct {
        const char *game, *option;
        int16_t min, max;
    } rows[] = {
        {"engarde", "hits_to_lose", 1, 9},       {"engarde", "hand", 5, 5},
        {"roquefort", "cheeses_to_win", 4, 6},   {"stratego", "two_square", 0, 5},
        {"stratego", "ply_limit", 0, INT16_MAX}, {"stratego", "quiet_limit", 0, INT16_MAX},
    };
    const struct ruleset *rules;
    size_t met = 0;

    (void)unused;
    for
        EACH(rules)
    for (size_t i = 0; i < rules->option_count; i++) {
        const struct option *option = &rules->options[i];

        if (option->kind == OPTION_SWITCH)
            assert_true(option->min == 0 && option->max == 1);
        for (size_t k = 0; option->kind == OPTION_INT && k < sizeof rows / sizeof *rows; k++)
            if (!strcmp(rows[k].game, rules->id) && !strcmp(rows[k].option, option->name)) {
                assert_int_equal(option->min, rows[k].min);
                assert_int_equal(option->max, rows[k].max);
                met++;
            }
        met -= option->kind == OPTION_INT; /* each is in the table */
    }
    assert_int_equal(met, 0);
}

static void presets_make_a_state_that_can_be(void **unused)
{
    const struct ruleset *rules;
    static uint8_t state[16384];

    (void)unused;
    for
        EACH(rules)
    for (uint8_t v = 0; v < rules->variant_count; v++) {
        struct options options;

        assert_in_range(rules->state_size, sizeof(struct outcome), sizeof state);
        ruleset_presets(rules, v, &options);
        assert_int_equal(options.variant, v);
        assert_int_equal(options.players, rules->seats_min);
        assert_false(options.plate_given);
        for (size_t i = rules->option_count; i < OPTIONS_MAX; i++)
            assert_int_equal(options.value[i], 0);
        rules->begin(state, &options);
        assert_int_equal(rules->result(state).reason, REASON_NONE);
        assert_int_equal(rules->result(state).winner, NO_SEAT);
        assert_int_not_equal(rules->awaits(state).what, AWAIT_NOTHING);
    }
}

static void rulings_are_sound(void **unused)
{
    const struct ruleset *rules;

    (void)unused;
    for
        EACH(rules)
        {
            assert_true(rules->ruling_count > 1);
            assert_null(rules->rulings[0].id);
            for (size_t i = 1; i < rules->ruling_count; i++) {
                assert_non_null(strchr(rules->rulings[i].id, '-'));
                assert_two_languages(rules->rulings[i].text);
                assert_int_not_equal(rules->rulings[i].variants, 0);
                for (size_t j = 1; j < i; j++)
                    assert_string_not_equal(rules->rulings[i].id, rules->rulings[j].id);
            }
            assert_true(is_ruling(rules, rules->turn_ruling));
        }
}

static void refusals_rest_on_rulings(void **unused)
{
    static const char *const common[REFUSALS_COMMON] = {"legal", "game_over", "not_your_turn",
                                                        "wrong_status"};
    const struct ruleset *rules;

    (void)unused;
    for
        EACH(rules)
        {
            assert_true(rules->refusal_count > REFUSALS_COMMON);
            for (size_t i = 0; i < REFUSALS_COMMON; i++)
                assert_string_equal(rules->refusals[i].code, common[i]);
            for (size_t i = 0; i < rules->refusal_count; i++) {
                assert_two_languages(rules->refusals[i].text);
                assert_true(!rules->refusals[i].ruling ||
                            is_ruling(rules, rules->refusals[i].ruling));
            }
            for (unsigned i = 0; i <= UINT16_MAX; i++)
                assert_non_null(rules->name((ruling_t)i));
        }
}

static void seats_have_names(void **unused)
{
    const struct ruleset *rules;

    (void)unused;
    for
        EACH(rules)
        {
            assert_in_range(rules->seats_min, 2, rules->seats_max);
            assert_in_range(rules->seats_max, rules->seats_min, SEATS_MAX);
            for (uint8_t i = 0; i < rules->seats_max; i++) {
                assert_true(rules->seats[i] && *rules->seats[i]);
                assert_int_equal(ruleset_seat(rules, rules->seats[i]), i);
                assert_ptr_equal(ruleset_whose(rules, i), rules->seats[i]);
            }
            assert_int_equal(ruleset_seat(rules, "nobody"), NO_SEAT);
            assert_int_equal(ruleset_seat(rules, ""), NO_SEAT);
            assert_null(ruleset_whose(rules, NO_SEAT));
            assert_two_languages(rules->title);
            assert_true(rules->view_size > 0);
        }
}

static void reasons_have_words(void **unused)
{
    (void)unused;
    assert_string_equal(reason_word(REASON_NONE), "");
    for (uint8_t i = REASON_NONE + 1; i < REASONS; i++)
        assert_true(*reason_word(i));
    for (unsigned i = REASONS; i <= UINT8_MAX; i++)
        assert_string_equal(reason_word((uint8_t)i), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(found_by_id),
        cmocka_unit_test(variants_and_options_by_name),
        cmocka_unit_test(options_have_their_ranges),
        cmocka_unit_test(options_are_sound),
        cmocka_unit_test(presets_make_a_state_that_can_be),
        cmocka_unit_test(rulings_are_sound),
        cmocka_unit_test(refusals_rest_on_rulings),
        cmocka_unit_test(seats_have_names),
        cmocka_unit_test(reasons_have_words),
    };

    return cmocka_run_group_tests_name("rulesets", tests, NULL, NULL);
}
