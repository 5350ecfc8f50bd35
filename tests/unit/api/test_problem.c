/* Problem details, in the better liked of two languages. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <jansson.h>
#include <string.h>

#include "api/problem.h"

static void test_language(void **state)
{
    static const struct {
        const char *header;
        int language;
    } rows[] = {
        {NULL, 0},
        {"", 0},
        {"cs", 1},
        {"cs-CZ", 1},
        {"cs-CZ, cs;q=0.9, en;q=0.8", 1},
        {"en, cs", 0}, /* liked alike: English */
        {"en;q=0.3,cs;q=0.4", 1},
        {"cs;q=0.3,en;q=0.4", 0},
        {"de, cs;q=0.1", 1},
        {"de", 0},
        {"cs;q=0", 0},
        {"cs ; q=0.5, en;q=0.6", 0},
        {"*", 0},
        {",,,", 0},
        {";", 0},
        {"c", 0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (language_of(rows[i].header) != rows[i].language)
            fail_msg("%s", rows[i].header ? rows[i].header : "NULL");
}

static json_t *answered(enum problem problem, int language, const struct problem_extra *extra,
                        struct response *response)
{
    *response = (struct response){.status = 200, .ticket = 7, .kind = RESPONSE_WAIT};
    problem_answer(problem, language, extra, response);
    assert_int_equal(response->kind, RESPONSE_WHOLE);
    assert_int_equal(response->ticket, 0);
    assert_string_equal(response->content_type, "application/problem+json");
    json_t *body = json_loadb(response->body, response->size, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(body);
    response_done(response);
    return body;
}

static const char *text(const json_t *body, const char *key)
{
    return json_string_value(json_object_get(body, key));
}

/* Every row of the table: its type is its code, its titles differ by language. */
static void test_rows(void **state)
{
    (void)state;
    for (int i = 1; i < PROBLEMS; i++) {
        struct response response;
        json_t *english = answered((enum problem)i, 0, NULL, &response);
        json_t *czech = answered((enum problem)i, 1, NULL, &response);
        char type[64] = "/problems/";
        strcat(type, text(english, "code"));
        assert_string_equal(text(english, "type"), type);
        assert_string_not_equal(text(english, "title"), text(czech, "title"));
        assert_string_equal(text(english, "detail"), text(english, "title"));
        assert_int_equal(json_integer_value(json_object_get(english, "status")),
                         response.status);
        assert_in_range(response.status, 400, 599);
        assert_int_equal(json_object_size(english), 5);
        json_decref(english);
        json_decref(czech);
    }
}

static void test_extra(void **state)
{
    const struct problem_extra extra = {.detail = "why \"not\"",
                                        .pointer = "/a~1b",
                                        .ruling = "EG-2",
                                        .reason = "off_strip",
                                        .seq = 17};
    struct response response;
    json_t *body = answered(PROBLEM_ILLEGAL_MOVE, 0, &extra, &response);

    (void)state;
    assert_string_equal(text(body, "detail"), "why \"not\"");
    assert_string_equal(text(body, "pointer"), "/a~1b");
    assert_string_equal(text(body, "ruling"), "EG-2");
    assert_string_equal(text(body, "reason"), "off_strip");
    assert_int_equal(json_integer_value(json_object_get(body, "seq")), 17);
    json_decref(body);
}

static const char *value(const struct response *response, const char *name)
{
    for (size_t i = 0; i < response->header_count; i++)
        if (strcmp(response->headers[i].name, name) == 0)
            return response_value(response, i);
    return "none";
}

static void test_headers(void **state)
{
    const struct problem_extra later = {.seq = -1, .wait_s = 7};
    struct response response;

    (void)state;
    json_decref(answered(PROBLEM_UNAUTHORIZED, 0, NULL, &response));
    assert_string_equal(value(&response, "WWW-Authenticate"), "Bearer realm=\"refereed\"");
    json_decref(answered(PROBLEM_UNAVAILABLE, 0, NULL, &response));
    assert_string_equal(value(&response, "Retry-After"), "1");
    json_decref(answered(PROBLEM_RATE_LIMITED, 0, NULL, &response));
    assert_string_equal(value(&response, "Retry-After"), "1");
    json_decref(answered(PROBLEM_RATE_LIMITED, 0, &later, &response));
    assert_string_equal(value(&response, "Retry-After"), "7");
    json_decref(answered(PROBLEM_STORAGE_FULL, 0, NULL, &response));
    assert_string_equal(value(&response, "Retry-After"), "60");
    json_decref(answered(PROBLEM_FORBIDDEN, 0, &later, &response));
    assert_int_equal(response.header_count, 1);
    assert_string_equal(value(&response, "Content-Language"), "en");
}

static void test_errno(void **state)
{
    (void)state;
    assert_int_equal(problem_of_errno(-ENOSPC), PROBLEM_STORAGE_FULL);
    assert_int_equal(problem_of_errno(-EDQUOT), PROBLEM_STORAGE_FULL);
    assert_int_equal(problem_of_errno(-EIO), PROBLEM_UNAVAILABLE);
    assert_int_equal(problem_of_errno(-ECANCELED), PROBLEM_UNAVAILABLE);
}

static void test_find(void **state)
{
    (void)state;
    assert_int_equal(problem_find("rate_limited"), PROBLEM_RATE_LIMITED);
    assert_int_equal(problem_find("uri_too_long"), PROBLEM_URI_TOO_LONG);
    assert_int_equal(problem_find("no such code"), PROBLEM_BAD_REQUEST);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_language), cmocka_unit_test(test_rows),
        cmocka_unit_test(test_extra),    cmocka_unit_test(test_headers),
        cmocka_unit_test(test_errno),    cmocka_unit_test(test_find),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
