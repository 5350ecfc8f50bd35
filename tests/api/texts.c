/* What the interface says of rulings and refusals is what the tables say, in both languages:
 * there is no second text anywhere. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "rules/rulesets.h"
#include "tests/support/client.h"

static const char *const languages[] = {"en", "cs"};

static struct answer ask(struct client *client, const char *method, const char *path,
                         const char *body, int language)
{
    struct answer answer;

    client_ask(client,
               &(struct ask){.method = method,
                             .path = path,
                             .body = body,
                             .accept_language = languages[language]},
               &answer);
    assert_non_null(answer.json);
    return answer;
}

static void assert_rulings(json_t *told, const struct ruleset *rules, int language)
{
    assert_int_equal(json_array_size(told), rules->ruling_count - 1);
    for (size_t i = 1; i < rules->ruling_count; i++) {
        json_t *one = json_array_get(told, i - 1);
        assert_string_equal(json_string_value(json_object_get(one, "id")),
                            rules->rulings[i].id);
        assert_string_equal(json_string_value(json_object_get(one, "text")),
                            rules->rulings[i].text[language]);
    }
}

static void rulings_are_those_of_the_table(void **state)
{
    for (size_t i = 0; i < ruleset_count; i++)
        for (int language = 0; language < 2; language++) {
            char path[64];
            (void)snprintf(path, sizeof path, "/v1/rulesets/%s", rulesets[i]->id);
            struct answer answer = ask(*state, "GET", path, NULL, language);
            assert_string_equal(answer_header(&answer, "Content-Language"),
                                languages[language]);
            assert_rulings(json_at(answer.json, "/rulings"), rulesets[i], language);
            answer_done(&answer);
        }
}

/* Is it a text of the table that goes with this ruling and this code? */
static bool in_table(const struct ruleset *rules, const json_t *refused, int language)
{
    const char *ruling = json_string_value(json_object_get(refused, "ruling"));
    const char *detail = json_string_value(json_object_get(refused, "detail"));

    for (ruling_t i = 0; i < rules->refusal_count; i++) {
        const struct refusal *refusal = rules->name(i);
        bool rests = ruling && strcmp(refusal->ruling ? refusal->ruling : rules->turn_ruling,
                                      ruling) == 0;
        if (rests && strcmp(refusal->text[language], detail) == 0)
            return true;
    }
    return false;
}

/* Every case of tests/vectors that is refused: its sentence in both languages, and no other. */
static void refusals_are_those_of_the_table(void **state)
{
    static const char *const files[] = {"engarde", "engarde-more", "roquefort", "stratego",
                                        "rulings"};
    size_t refused = 0;

    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char path[64];
        (void)snprintf(path, sizeof path, "tests/vectors/cases/%s.json", files[i]);
        json_auto_t *cases = json_load_file(path, 0, NULL);
        size_t index;
        json_t *one;
        json_array_foreach(cases, index, one)
        {
            json_t *request = json_object_get(one, "request");
            const char *id = json_string_value(json_object_get(request, "ruleset"));
            char *body = json_dumps(request, JSON_COMPACT);
            for (int language = 0; language < 2; language++) {
                struct answer answer = ask(*state, "POST", "/v1/adjudicate", body, language);
                bool over = answer_text(&answer, "/code") &&
                            strcmp(answer_text(&answer, "/code"), "game_over") == 0;
                if (answer_text(&answer, "/ruling") && answer_text(&answer, "/detail") &&
                    !over) {
                    if (!in_table(ruleset_find(id), answer.json, language))
                        fail_msg("%s: %s", answer_text(&answer, "/ruling"),
                                 answer_text(&answer, "/detail"));
                    refused++;
                }
                answer_done(&answer);
            }
            free(body);
        }
    }
    assert_true(refused > 100);
}

static int open_client(void **state)
{
    static struct client client;

    client_open(&client, "texts", 6);
    *state = &client;
    return 0;
}

static int close_client(void **state)
{
    client_close(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rulings_are_those_of_the_table),
        cmocka_unit_test(refusals_are_those_of_the_table),
    };

    return cmocka_run_group_tests(tests, open_client, close_client);
}
