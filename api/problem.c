#include "api/problem.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct row {
    const char *code;
    unsigned status;
    const char *title[2];
};

static const struct row rows[PROBLEMS] = {
#define PROBLEM(name, code, status, en, cs) [PROBLEM_##name] = {code, status, {en, cs}},
#include "api/problems.def"
#undef PROBLEM
};

/* Thousandths of the q value in "cs;q=0.8, en"; 1000 without one. */
static int quality(const char *at)
{
    while (*at == ' ')
        at++;
    if (*at != ';')
        return 1000;
    at++;
    while (*at == ' ')
        at++;
    if (strncmp(at, "q=", 2) != 0)
        return 1000;
    double value = strtod(at + 2, NULL);
    return value > 0 && value <= 1 ? (int)(value * 1000) : 0;
}

int language_of(const char *accept_language)
{
    int best[2] = {0, 0};

    for (const char *at = accept_language; at && *at; at = strchr(at, ',')) {
        while (*at == ',' || *at == ' ')
            at++;
        size_t size = strcspn(at, ";, ");
        int language = strncasecmp(at, "cs", 2) == 0   ? 1
                       : strncasecmp(at, "en", 2) == 0 ? 0
                                                       : -1;
        if (size >= 2 && language >= 0 && quality(at + size) > best[language])
            best[language] = quality(at + size);
    }
    return best[1] > best[0];
}

static void write_problem(struct out *out, const struct row *row, int language,
                          const struct problem_extra *extra)
{
    out_object(out, NULL);
    char type[64] = "/problems/";
    strncat(type, row->code, sizeof type - 11);
    out_text(out, "type", type);
    out_text(out, "title", row->title[language]);
    out_number(out, "status", row->status);
    out_text(out, "detail", extra->detail ? extra->detail : row->title[language]);
    out_text(out, "code", row->code);
    if (extra->ruling)
        out_text(out, "ruling", extra->ruling);
    if (extra->reason)
        out_text(out, "reason", extra->reason);
    if (extra->pointer)
        out_text(out, "pointer", extra->pointer);
    if (extra->seq >= 0)
        out_number(out, "seq", extra->seq);
    out_object_end(out);
    out_bytes(out, "\n", 1);
}

/* No memory for the words: this much can always be said. */
static void without_words(struct response *response)
{
    static const char text[] =
        "{\"type\":\"/problems/unavailable\",\"title\":\"Not available just now\","
        "\"status\":503,\"detail\":\"There was no memory for it.\",\"code\":\"unavailable\"}\n";

    response->problem = PROBLEM_UNAVAILABLE;
    response->status = 503;
    response->fixed = text;
    response->size = sizeof text - 1;
    response_bare(response); /* they were of another answer */
    response_header(response, "Content-Language", "en");
    response_header(response, "Retry-After", "1");
}

void problem_answer(enum problem problem, int language, const struct problem_extra *extra,
                    struct response *ret_response)
{
    static const struct problem_extra nothing = {.seq = -1};
    const struct row *row = &rows[problem];
    struct out out = {0};

    if (!extra)
        extra = &nothing;
    response_done(ret_response);
    ret_response->fixed = NULL;
    ret_response->kind = RESPONSE_WHOLE;
    ret_response->ticket = 0;
    ret_response->problem = (uint8_t)problem;
    ret_response->status = row->status;
    ret_response->content_type = "application/problem+json";
    write_problem(&out, row, language, extra);
    ret_response->body = out_take(&out, &ret_response->size);
    if (!ret_response->body) {
        without_words(ret_response);
        return;
    }
    response_header(ret_response, "Content-Language", language ? "cs" : "en");
    if (row->status == 401)
        response_header(ret_response, "WWW-Authenticate", "Bearer realm=\"refereed\"");
    if (row->status == 429 || row->status == 503 || row->status == 507) {
        int64_t usual_s = row->status == 507 ? 60 : 1;
        response_header(ret_response, "Retry-After", "%lld",
                        (long long)(extra->wait_s ? extra->wait_s : usual_s));
    }
}

enum problem problem_of_errno(int error)
{
    return error == -ENOSPC || error == -EDQUOT || error == -EFBIG ? PROBLEM_STORAGE_FULL
                                                                   : PROBLEM_UNAVAILABLE;
}

const char *problem_code(enum problem problem)
{
    return rows[problem].code;
}

enum problem problem_find(const char *code)
{
    for (int i = 1; i < PROBLEMS; i++)
        if (strcmp(rows[i].code, code) == 0)
            return (enum problem)i;
    return PROBLEM_BAD_REQUEST;
}
