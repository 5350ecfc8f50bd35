/* The files of the web table: each as what it is, under its policy, and nothing beside them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "api/embedded.h"
#include "tests/support/client.h"

static struct client client;

static int open_client(void **state)
{
    (void)state;
    client_open(&client, "web", 1);
    return 0;
}

static int close_client(void **state)
{
    (void)state;
    client_close(&client);
    return 0;
}

static struct answer get(const char *method, const char *path, const char *if_none_match,
                         unsigned status)
{
    struct answer answer;

    client_ask(&client,
               &(struct ask){.method = method, .path = path, .if_none_match = if_none_match},
               &answer);
    if (answer.response.status != status)
        fail_msg("%s %s: %u instead of %u", method, path, answer.response.status, status);
    return answer;
}

static const struct embedded_file *file_of(const char *name)
{
    for (size_t i = 0; i < embedded_web_count; i++)
        if (strcmp(embedded_web[i].path, name) == 0)
            return &embedded_web[i];
    fail_msg("no %s", name);
    return NULL;
}

/* What goes with every file, also with 304: a browser takes the policy from there. */
static void check_headers(const struct answer *answer, const struct embedded_file *file)
{
    const char *policy = answer_header(answer, "Content-Security-Policy");

    assert_non_null(policy);
    assert_non_null(strstr(policy, "default-src 'none'; script-src 'self';"));
    assert_non_null(strstr(policy, "frame-ancestors 'none'"));
    assert_non_null(strstr(policy, "require-trusted-types-for 'script'"));
    assert_null(strstr(policy, "unsafe"));
    assert_null(strstr(policy, "http"));
    assert_string_equal(answer_header(answer, "ETag"), file->etag);
    assert_string_equal(answer_header(answer, "Cache-Control"), "no-cache");
    assert_string_equal(answer_header(answer, "X-Content-Type-Options"), "nosniff");
    assert_string_equal(answer_header(answer, "Referrer-Policy"), "no-referrer");
    assert_string_equal(answer_header(answer, "Cross-Origin-Opener-Policy"), "same-origin");
}

static void check_file(const char *path, const struct embedded_file *file)
{
    char tags[128];

    for (int head = 0; head < 2; head++) {
        struct answer answer = get(head ? "HEAD" : "GET", path, NULL, 200);
        check_headers(&answer, file);
        assert_string_equal(answer.response.content_type, file->type);
        assert_int_equal(answer.size, file->size);
        assert_memory_equal(answer.text, file->data, file->size);
        answer_done(&answer);
    }
    static const char *const known[] = {"%s", "W/%s", "\"x\", %s", "%s, \"y\"", "*"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const char *at = strstr(known[i], "%s");
        size_t before = at ? (size_t)(at - known[i]) : strlen(known[i]);
        (void)snprintf(tags, sizeof tags, "%.*s%s%s", (int)before, known[i],
                       at ? file->etag : "", at ? at + 2 : "");
        struct answer answer = get(i % 2 ? "HEAD" : "GET", path, tags, 304);
        check_headers(&answer, file);
        answer_done(&answer);
    }
    /* Another one's, and its own without the quotes or with less in them. */
    static const char other[] = "\"0123456789abcdef01234567\"";
    (void)snprintf(tags, sizeof tags, "%.10s\"", file->etag);
    const char *const unknown[] = {other, tags, "", "\"\"", "\"*\"", file->etag + 1};
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        struct answer answer = get("GET", path, unknown[i], 200);
        answer_done(&answer);
    }
}

static void test_files(void **state)
{
    char path[160];

    (void)state;
    assert_true(embedded_web_count > 15);
    for (size_t i = 0; i < embedded_web_count; i++) {
        (void)snprintf(path, sizeof path, "/web/%s", embedded_web[i].path);
        check_file(path, &embedded_web[i]);
    }
}

static void test_pages(void **state)
{
    (void)state;
    check_file("/", file_of("index.html"));
    check_file("/rules/engarde", file_of("rules.html"));
    check_file("/rules/roquefort", file_of("rules.html"));
    check_file("/rules/stratego", file_of("rules.html"));
}

static void test_types(void **state)
{
    static const char *const types[][2] = {
        {"index.html", "text/html; charset=utf-8"},
        {"app.js", "text/javascript; charset=utf-8"},
        {"style.css", "text/css; charset=utf-8"},
        {"icon.svg", "image/svg+xml"},
        {"lib/LICENSES.txt", "text/plain; charset=utf-8"},
        {"table.webmanifest", "application/manifest+json"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        assert_string_equal(file_of(types[i][0])->type, types[i][1]);
}

static void test_nothing_else(void **state)
{
    static const char *const paths[] = {
        "/web/",
        "/web",
        "/web//app.js",
        "/web/none.js",
        "/web/lib",
        "/web/lib/",
        "/web/lib/none.js",
        "/web/none/app.js",
        "/web/..",
        "/web/.",
        "/web/../web/app.js",
        "/web/../keys/signing.key",
        "/web/lib/..",
        "/web/lib/../app.js",
        "/web/./app.js",
        "/web/%2e%2e",
        "/web/..%2fapp.js",
        "/web/lib%2flit-html.js",
        "/web/app.js/",
        "/web/app.js ",
        "/web/APP.JS",
        "/web/app.j",
        "/web/package.json", /* for node alone */
        "/index.html",
        "/app.js",
        "/rules",
        "/rules/",
        "/rules/chess",
        "/rules/index.html",
        "/web/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.js",
        "/web/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa1",
        "/web/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa1",
        "/web/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/app.js",
        "/web/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    };

    (void)state;
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        struct answer answer = get("GET", paths[i], "*", 404);
        assert_null(answer_header(&answer, "Content-Security-Policy"));
        assert_null(answer_header(&answer, "ETag"));
        answer_done(&answer);
    }
}

static void test_methods(void **state)
{
    static const char *const paths[] = {"/", "/web/app.js", "/web/lib/lit-html.js",
                                        "/rules/engarde"};
    static const char *const methods[] = {"POST", "PUT", "DELETE"};

    (void)state;
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        for (size_t j = 0; j < sizeof methods / sizeof *methods; j++) {
            struct answer answer = get(methods[j], paths[i], NULL, 405);
            assert_string_equal(answer_header(&answer, "Allow"), "GET, HEAD, OPTIONS");
            answer_done(&answer);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_files),   cmocka_unit_test(test_pages),
        cmocka_unit_test(test_types),   cmocka_unit_test(test_nothing_else),
        cmocka_unit_test(test_methods),
    };

    return cmocka_run_group_tests(tests, open_client, close_client);
}
