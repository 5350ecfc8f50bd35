/* Paths to routes, with 404 apart from 405. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "api/route.h"

static const struct route *find(const char *method, const char *path, struct call *call,
                                struct response *response)
{
    static struct request request;

    request = (struct request){.method = method, .path = path};
    *response = (struct response){0};
    *call = (struct call){.request = &request, .response = response};
    return route_find(call);
}

static void test_found(void **state)
{
    static const struct {
        const char *method, *path, *pattern, *first, *second;
    } rows[] = {
        {"GET", "/v1", "/v1", "", ""},
        {"HEAD", "/v1", "/v1", "", ""},
        {"GET", "/v1/games", "/v1/games", "", ""},
        {"POST", "/v1/games", "/v1/games", "", ""},
        {"GET", "/v1/games/x", "/v1/games/{id}", "x", ""},
        {"HEAD", "/v1/games/x/events", "/v1/games/{id}/events", "x", ""},
        {"POST", "/v1/games/x/seats/left", "/v1/games/{id}/seats/{seat}", "x", "left"},
        {"POST", "/v1/games/x/seats/left/invite", "/v1/games/{id}/seats/{seat}/invite", "x",
         "left"},
        {"POST", "/v1/games/x/seats/left/name", "/v1/games/{id}/seats/{seat}/name", "x",
         "left"},
        {"GET", "/v1/rulesets/engarde", "/v1/rulesets/{id}", "engarde", ""},
    };
    struct response response;
    struct call call;

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct route *route = find(rows[i].method, rows[i].path, &call, &response);
        assert_non_null(route);
        assert_string_equal(route->pattern, rows[i].pattern);
        assert_string_equal(call.params[0], rows[i].first);
        assert_string_equal(call.params[1], rows[i].second);
        assert_int_equal(response.header_count, 0);
    }
}

static void test_not_found(void **state)
{
    static const char *const paths[] = {
        "", "/", "//v1", "/v1/", "/v2", "/V1", "/v1/game", "/v1/games/", "/v1/games//events",
        "/v1/games/x/", "/v1/games/x/nothing", "/v1/games/x/events/", "/v1/games/x/seats/",
        "/v1/games/x/seats/a/b", "/v1/games/%2e%2e", "/v1/rulesets/",
        /* one character more than a parameter may have */
        "/v1/rulesets/1234567890123456789012345678901234567890"};
    struct response response;
    struct call call;

    (void)state;
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        const struct route *route = find("GET", paths[i], &call, &response);
        if (route && strcmp(route->pattern, "/") == 0)
            continue; /* the table in the browser */
        if (route && strchr(paths[i], '%'))
            continue; /* an id like any other: nothing is decoded */
        if (route)
            fail_msg("%s is %s", paths[i], route->pattern);
        assert_int_equal(response.header_count, 0);
    }
}

static void test_allow(void **state)
{
    static const char *const rows[][3] = {
        {"PUT", "/v1", "GET, HEAD, OPTIONS"},
        {"POST", "/v1", "GET, HEAD, OPTIONS"},
        {"DELETE", "/v1/games", "GET, HEAD, POST, OPTIONS"},
        {"GET", "/v1/adjudicate", "POST, OPTIONS"},
        {"HEAD", "/v1/adjudicate", "POST, OPTIONS"},
        {"PUT", "/v1/games/x/setup", "GET, HEAD, POST, OPTIONS"},
        {"get", "/v1", "GET, HEAD, OPTIONS"},
    };
    struct response response;
    struct call call;

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_null(find(rows[i][0], rows[i][1], &call, &response));
        assert_int_equal(response.header_count, 1);
        assert_string_equal(response.headers[0].name, "Allow");
        assert_string_equal(response_value(&response, 0), rows[i][2]);
    }
}

/* What the table says must fit together: seats and games have an id, secrets are changes. */
static void test_table(void **state)
{
    (void)state;
    for (size_t i = 0; i < route_count; i++) {
        const struct route *route = &routes[i];
        assert_non_null(route->handle);
        assert_true((route->who == WHO_ANYONE) == !strstr(route->pattern, "/games/{id}"));
        assert_true((route->who == WHO_INVITE) ==
                    (strstr(route->pattern, "/{seat}") && !strstr(route->pattern, "/{seat}/")));
        assert_true(!(route->flags & (ROUTE_SECRET | ROUTE_TURN)) ||
                    route->flags & ROUTE_CHANGE);
        assert_true(!(route->flags & ROUTE_CHANGE) || strcmp(route->method, "POST") == 0);
        assert_true(!route->statuses || route->flags & ROUTE_CHANGE);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_found),
        cmocka_unit_test(test_not_found),
        cmocka_unit_test(test_allow),
        cmocka_unit_test(test_table),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
