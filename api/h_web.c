/* The web table: the files of api/web/, which are part of the program. */
#include "api/route.h"

#include <string.h>

#include "api/embedded.h"
#include "rules/rulesets.h"

/* Nothing from elsewhere, nothing inline, nobody's frame. What makes markup is lit-html alone.
 */
static const char policy[] =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types lit-html";

/* W/ may stand before it, and others beside it (RFC 9110, section 13.1.2). */
static bool has_it(const char *if_none_match, const char *etag)
{
    return if_none_match &&
           (strcmp(if_none_match, "*") == 0 || strstr(if_none_match, etag) != NULL);
}

static enum problem serve(struct call *call, const char *path)
{
    struct response *response = call->response;
    const struct embedded_file *file = NULL;

    for (size_t i = 0; i < embedded_web_count && !file; i++)
        if (strcmp(embedded_web[i].path, path) == 0)
            file = &embedded_web[i];
    if (!file)
        return PROBLEM_NOT_FOUND;
    response_header(response, "ETag", "%s", file->etag);
    response_header(response, "Cache-Control", "no-cache");
    response_header(response, "Content-Security-Policy", policy);
    response_header(response, "X-Content-Type-Options", "nosniff");
    response_header(response, "Referrer-Policy", "no-referrer");
    response_header(response, "Cross-Origin-Opener-Policy", "same-origin");
    if (has_it(call->request->if_none_match, file->etag)) {
        response->status = 304;
        return PROBLEM_NONE;
    }
    response->content_type = file->type;
    response->fixed = file->data;
    response->size = file->size;
    return PROBLEM_NONE;
}

enum problem h_table(struct call *call)
{
    return serve(call, "index.html");
}

/* /rules/engarde: one page for all games; it asks for the rulings itself. */
enum problem h_rules_page(struct call *call)
{
    return ruleset_find(call->params[0]) ? serve(call, "rules.html") : PROBLEM_NOT_FOUND;
}

enum problem h_web(struct call *call)
{
    char path[2 * sizeof call->params[0]];

    strcpy(path, call->params[0]);
    if (call->params[1][0]) {
        strcat(path, "/");
        strcat(path, call->params[1]);
    }
    return serve(call, path);
}
