/* Fuzzes the whole interface in process: a script of requests on one store in memory.
 *
 * Requests are parted by a line "%%". The first line is METHOD and path, then come lines
 * "X:value" for the headers below, an empty line, and the body. `$0` to `$9` stand for the ids
 * and credentials that earlier answers gave, in order.
 */
#include <jansson.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "tests/support/memory.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { WORDS = 10, WORD = 64, TEXT_MAX = 16384, REQUESTS_MAX = 24 };

struct words {
    size_t count;
    char list[WORDS][WORD];
};

/* Copies a request with its words put in; NUL-terminated and cut off at TEXT_MAX. */
static void expand(const char *text, size_t size, const struct words *words,
                   char ret_text[static TEXT_MAX])
{
    size_t made = 0;

    for (size_t i = 0; i < size && made + WORD < TEXT_MAX; i++) {
        size_t word = i + 1 < size ? (size_t)(text[i + 1] - '0') : WORDS;

        if (text[i] == '$' && word < words->count) {
            made += (size_t)snprintf(ret_text + made, WORD, "%s", words->list[word]);
            i++;
        } else {
            ret_text[made++] = text[i] ? text[i] : ' ';
        }
    }
    ret_text[made] = 0;
}

static void learn(struct words *words, const char *body, const char *before, const char *chars)
{
    for (const char *at = strstr(body, before); at && words->count < WORDS;
         at = strstr(at, before)) {
        at += before[0] == '"' ? strlen(before) : 0;
        size_t length = strspn(at, chars);

        if (length && length < WORD)
            snprintf(words->list[words->count++], WORD, "%.*s", (int)length, at);
        at += length ? length : 1;
    }
}

/* Cuts the path's query into pairs, as it stands. */
static void cut_query(struct request *request, char *path)
{
    char *rest = strchr(path, '?');

    request->path = path;
    while (rest && request->query_count < QUERY_MAX) {
        struct pair *pair = &request->query[request->query_count++];
        char *value;

        *rest++ = 0;
        pair->name = rest;
        rest = strchr(rest, '&');
        if (rest)
            *rest = 0;
        value = strchr(pair->name, '=');
        if (value)
            *value++ = 0;
        pair->value = value ? value : "";
    }
}

static void set_header(struct request *request, char *line)
{
    const char **const headers[128] = {
        ['A'] = &request->authorization, ['C'] = &request->content_type,
        ['E'] = &request->accept,        ['L'] = &request->accept_language,
        ['M'] = &request->if_match,      ['I'] = &request->idempotency_key,
        ['P'] = &request->prefer,        ['V'] = &request->last_event_id,
        ['H'] = &request->host,          ['O'] = &request->origin,
    };

    if (line[0] > 0 && line[1] == ':' && headers[(int)line[0]])
        *headers[(int)line[0]] = line + 2;
    if (line[0] == 'T')
        request->timed_out = true;
}

/* False if there is not even a method and a path: the daemon does not pass such on. */
static bool parse(char *text, struct request *ret_request)
{
    char *body = strstr(text, "\n\n"), *line = strchr(text, '\n'), *path = strchr(text, ' ');

    memset(ret_request, 0, sizeof *ret_request);
    if (body) {
        *body = 0;
        ret_request->body = body + 2;
        ret_request->body_size = strlen(body + 2);
        ret_request->content_type = "application/json";
    }
    if (!path || path == text || path[1] != '/' || (line && line < path))
        return false;
    *path++ = 0;
    ret_request->method = text;
    while (line && line < (body ? body : line + 1)) {
        char *next = strchr(line + 1, '\n');

        *line = 0;
        if (next)
            *next = 0;
        set_header(ret_request, line + 1);
        if (next)
            *next = '\n';
        line = next;
    }
    for (char *end = path; (end = strchr(end, '\n'));)
        *end = 0;
    cut_query(ret_request, path);
    return true;
}

static void judge(const struct response *response, struct words *words)
{
    const char *body = response->body ? response->body : response->fixed;
    json_t *json;
    char *text;

    if (response->status < 200 || response->status > 599)
        abort();
    if (!body || !response->content_type || !strstr(response->content_type, "json") ||
        strstr(response->content_type, "ndjson"))
        return;
    json = json_loadb(body, response->size, JSON_REJECT_DUPLICATES, NULL);
    if (!json)
        abort();
    if (response->status >= 400 && !json_object_get(json, "code"))
        abort();
    json_decref(json);
    text = strndup(body, response->size);
    if (response->status == 201)
        learn(words, text, "\"id\":\"",
              "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
              "0123456789-_");
    learn(words, text, "rfs_",
          "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_");
    free(text);
}

static void ask(struct api *api, const char *data, size_t size, struct words *words)
{
    static char text[TEXT_MAX];
    struct response response;
    struct request request;

    expand(data, size, words, text);
    if (!parse(text, &request))
        return;
    memset(&response, 0, sizeof response);
    api_handle(api, &request, &response);
    judge(&response, words);
    if (response.kind == RESPONSE_STREAM) {
        struct out out = {0};

        api_stream(api, &response.stream, &out);
        out_done(&out);
    }
    response_done(&response);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint8_t seed[32] = {7};
    static struct api_config config;
    struct memory *memory = memory_new(1);
    struct ports ports = memory_ports(memory);
    struct words words = {0};
    const char *at = (const char *)data, *end = at + size;
    struct api *api;

    if (!config.open_creation) {
        if (sodium_init() < 0)
            abort();
        token_key_from_seed(&config.signing, seed);
        config.open_creation = true;
        config.games_in_memory = 4;
    }
    api = api_new(&config, &ports);
    for (int i = 0; i < REQUESTS_MAX && at < end; i++) {
        const char *next = memmem(at, (size_t)(end - at), "\n%%\n", 4);

        ask(api, at, (size_t)((next ? next : end) - at), &words);
        at = next ? next + 4 : end;
    }
    api_free(api);
    memory_free(memory);
    return 0;
}
