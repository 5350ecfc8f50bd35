/* What must hold of every route alike, walked from the table of routes itself. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "api/limits.h"
#include "api/route.h"
#include "tests/support/client.h"

static struct client client;
static struct table table;

static int open_client(void **state)
{
    (void)state;
    client_open(&client, "framing", 1);
    table_make(&client, "{\"ruleset\":\"engarde\"}", 0, &table);
    return 0;
}

static int close_client(void **state)
{
    (void)state;
    client_close(&client);
    return 0;
}

/* The route's path with an id and a seat in it. */
static void path_of(const struct route *route, const char *id, char *ret_path, size_t size)
{
    const char *at = route->pattern;
    size_t used = 0;

    while (*at && used + 32 < size) {
        if (*at != '{') {
            ret_path[used++] = *at++;
            continue;
        }
        bool seat = strncmp(at, "{seat}", 6) == 0;
        bool ruleset = strncmp(route->pattern, "/v1/rulesets", 12) == 0;
        used += (size_t)snprintf(ret_path + used, size - used, "%s",
                                 seat      ? "left"
                                 : ruleset ? "engarde"
                                           : id);
        at = strchr(at, '}') + 1;
    }
    ret_path[used] = '\0';
}

static void expect(const struct ask *ask, unsigned status)
{
    struct answer answer;

    client_ask(&client, ask, &answer);
    if (answer.response.status != status)
        fail_msg("%s %s: %u instead of %u: %s", ask->method, ask->path, answer.response.status,
                 status, answer.text);
    answer_done(&answer);
}

static void test_credential_in_address(void **state)
{
    char path[160], with[256];

    (void)state;
    for (size_t i = 0; i < route_count; i++) {
        path_of(&routes[i], table.id, path, sizeof path);
        (void)snprintf(with, sizeof with, "%s?a=1&token=%s", path, table.host);
        expect(&(struct ask){.method = routes[i].method, .path = with}, 400);
        (void)snprintf(with, sizeof with, "%s?%s", path, table.host);
        expect(&(struct ask){.method = routes[i].method, .path = with}, 400);
    }
}

static void test_malformed_credential(void **state)
{
    static const char *const bad[] = {"rfs_x", "Bearer", "Bearer rfs_x", "Basic YTpi",
                                      "Bearer v4.public.x"};
    char path[160];

    (void)state;
    for (size_t i = 0; i < route_count; i++)
        for (size_t j = 0; j < sizeof bad / sizeof *bad; j++) {
            path_of(&routes[i], table.id, path, sizeof path);
            expect(&(struct ask){.method = routes[i].method,
                                 .path = path,
                                 .authorization = bad[j]},
                   401);
        }
}

/* A game that is not there, and one that is another's: 404 and 403 on each of its routes. */
static void test_games(void **state)
{
    struct table other;
    char path[160];

    (void)state;
    table_make(&client, "{\"ruleset\":\"engarde\",\"spectators\":false}", 0, &other);
    for (size_t i = 0; i < route_count; i++) {
        if (!strstr(routes[i].pattern, "/v1/games/{id}"))
            continue;
        path_of(&routes[i], "AAAAAAAAAAAAAAAAAAAAAA", path, sizeof path);
        expect(&(struct ask){.method = routes[i].method, .path = path}, 404);
        path_of(&routes[i], "AAAAAAAAAAAAAAAAAAAAAB", path, sizeof path); /* stray low bits */
        expect(&(struct ask){.method = routes[i].method, .path = path}, 404);
        path_of(&routes[i], other.id, path, sizeof path);
        expect(&(struct ask){.method = routes[i].method, .path = path, .bearer = table.seat[0]},
               403);
        expect(&(struct ask){.method = routes[i].method,
                             .path = path,
                             .bearer = "rfs_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"},
               401);
        if (routes[i].who != WHO_VIEWER)
            expect(&(struct ask){.method = routes[i].method, .path = path}, 401);
    }
}

static void test_bodies(void **state)
{
    size_t size = TRANSCRIPT_MAX + 1;
    char path[160], *big = malloc(size + 1);

    (void)state;
    assert_non_null(big);
    memset(big, ' ', size);
    big[size] = '\0';
    for (size_t i = 0; i < route_count; i++) {
        if (strcmp(routes[i].method, "POST") != 0)
            continue;
        size_t max = routes[i].flags & ROUTE_LARGE ? TRANSCRIPT_MAX : BODY_MAX;
        path_of(&routes[i], table.id, path, sizeof path);
        expect(&(struct ask){.method = "POST", .path = path, .body = big, .body_size = max + 1},
               413);
        expect(&(struct ask){.method = "POST",
                             .path = path,
                             .body = "{}",
                             .content_type = "application/x-www-form-urlencoded"},
               415);
    }
    free(big);
}

/* Every method that a path does not have: 405, and Allow names those that it has. */
static void test_methods(void **state)
{
    static const char *const methods[] = {"PUT", "PATCH", "DELETE", "TRACE", "get", "X"};
    char path[160];

    (void)state;
    for (size_t i = 0; i < route_count; i++)
        for (size_t j = 0; j < sizeof methods / sizeof *methods; j++) {
            struct answer answer;
            path_of(&routes[i], table.id, path, sizeof path);
            client_ask(&client, &(struct ask){.method = methods[j], .path = path}, &answer);
            assert_int_equal(answer.response.status, 405);
            assert_non_null(strstr(answer_header(&answer, "Allow"), routes[i].method));
            answer_done(&answer);
            (void)strcat(path, "/");
            expect(&(struct ask){.method = routes[i].method, .path = path}, 404);
        }
}

static void test_preflight(void **state)
{
    struct answer answer;

    (void)state;
    client_ask(&client, &(struct ask){.method = "OPTIONS", .path = "/v1/games"}, &answer);
    assert_int_equal(answer.response.status, 204);
    assert_non_null(answer_header(&answer, "Allow"));
    assert_null(answer_header(&answer, "Access-Control-Allow-Origin"));
    answer_done(&answer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_credential_in_address),
        cmocka_unit_test(test_malformed_credential),
        cmocka_unit_test(test_games),
        cmocka_unit_test(test_bodies),
        cmocka_unit_test(test_methods),
        cmocka_unit_test(test_preflight),
    };

    return cmocka_run_group_tests(tests, open_client, close_client);
}
