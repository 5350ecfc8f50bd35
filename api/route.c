#include "api/route.h"

#include <string.h>

#define CHANGE     ROUTE_CHANGE
#define SECRET     ROUTE_SECRET
#define TURN       ROUTE_TURN
#define LARGE      ROUTE_LARGE
#define NEW        ROUTE_NEW
#define ON(status) (1U << STATUS_##status)
#define ROUTE(method, pattern, handler, who, flags, statuses)                                  \
    {method, pattern, handler, WHO_##who, flags, statuses, sizeof(pattern) - 1},

const struct route routes[] = {
#include "api/routes.def"
};

const size_t route_count = sizeof routes / sizeof *routes;

/* Does `path` have the form of `pattern`? What stands for {..} goes into `params`. */
static bool match(const char *pattern, const char *path, char params[2][40])
{
    size_t param = 0;

    while (*pattern && *path) {
        if (*pattern != '{') {
            if (*pattern++ != *path++)
                return false;
            continue;
        }
        size_t size = strcspn(path, "/");
        if (size == 0 || size >= sizeof params[0])
            return false;
        memcpy(params[param], path, size);
        params[param++][size] = '\0';
        pattern = strchr(pattern, '}') + 1;
        path += size;
    }
    return *pattern == *path;
}

/* Most patterns end otherwise than the path does: that is seen at one glance. */
static bool may_match(const struct route *route, const char *path, size_t size)
{
    char last = route->pattern[route->pattern_size - 1];

    return size > 0 && (last == '}' || last == path[size - 1]);
}

static bool same_method(const char *have, const char *want)
{
    return strcmp(have, want) == 0 || (strcmp(want, "HEAD") == 0 && strcmp(have, "GET") == 0);
}

/* The path has this form under another method than was asked for. */
static void allow(const struct request *request, size_t size, char ret_methods[static 64])
{
    char params[2][40];

    ret_methods[0] = '\0';
    for (size_t i = 0; i < route_count; i++) {
        if (!may_match(&routes[i], request->path, size) ||
            !match(routes[i].pattern, request->path, params))
            continue;
        if (ret_methods[0])
            strcat(ret_methods, ", ");
        strcat(ret_methods,
               strcmp(routes[i].method, "GET") == 0 ? "GET, HEAD" : routes[i].method);
    }
}

const struct route *route_find(struct call *call)
{
    const struct request *request = call->request;
    size_t size = strlen(request->path);
    char methods[64];

    for (size_t i = 0; i < route_count; i++)
        if (may_match(&routes[i], request->path, size) &&
            same_method(routes[i].method, request->method) &&
            match(routes[i].pattern, request->path, call->params))
            return &routes[i];
    allow(request, size, methods);
    if (methods[0])
        response_header(call->response, "Allow", "%s, OPTIONS", methods);
    return NULL;
}

/* Before there is a struct call. */
static bool is_flagged(const struct request *request, uint8_t flag)
{
    char params[2][40];

    for (size_t i = 0; i < route_count; i++)
        if (routes[i].flags & flag && same_method(routes[i].method, request->method) &&
            match(routes[i].pattern, request->path, params))
            return true;
    return false;
}

size_t api_body_max(const struct request *request)
{
    return is_flagged(request, ROUTE_LARGE) ? TRANSCRIPT_MAX : BODY_MAX;
}

bool api_makes_game(const struct request *request)
{
    return is_flagged(request, ROUTE_NEW);
}
