#include "tests/support/client.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "api/base64.h"
#include "api/call.h"
#include "api/codec.h"
#include "api/commit.h"
#include "api/hex.h"
#include "rules/rulesets.h"
#include "tests/support/table.h"
#include "tests/support/twice.h"

enum { COMPARED = 11 }; /* each of so many changes */

static FILE *open_log(const char *name)
{
    const char *build = getenv("B");
    char path[512];

    (void)snprintf(path, sizeof path, "%s/exchanges", build ? build : "build");
    (void)mkdir(path, 0777);
    (void)snprintf(path, sizeof path, "%s/exchanges/%s.ndjson", build ? build : "build", name);
    return fopen(path, "w");
}

void client_open(struct client *client, const char *log, uint64_t seed)
{
    *client = (struct client){.memory = memory_new(seed)};
    memory_config(&client->config, client->operator_text);
    client->log = log ? open_log(log) : NULL;
    client_reload(client);
}

void client_reload(struct client *client)
{
    struct ports ports = memory_ports(client->memory);

    api_free(client->api);
    client->api = api_new(&client->config, &ports);
    assert_non_null(client->api);
}

void client_close(struct client *client)
{
    api_free(client->api);
    memory_free(client->memory);
    if (client->log)
        fclose(client->log);
    token_key_wipe(&client->config.signing);
}

/* Cuts "path?a=b&c" into the request; `room` keeps the pieces. */
static void cut_query(const char *path, char *room, struct request *request)
{
    strcpy(room, path);
    request->path = room;
    char *at = strchr(room, '?');
    while (at && request->query_count < QUERY_MAX) {
        *at++ = '\0';
        struct pair *pair = &request->query[request->query_count++];
        pair->name = at;
        at = strchr(pair->name, '&');
        size_t size = strcspn(pair->name, "=&");
        pair->value = pair->name[size] == '=' ? pair->name + size + 1 : "";
        if (pair->name[size] == '=')
            room[pair->name + size - room] = '\0';
    }
}

const char *answer_header(const struct answer *answer, const char *name)
{
    for (size_t i = 0; i < answer->response.header_count; i++)
        if (strcmp(answer->response.headers[i].name, name) == 0)
            return response_value(&answer->response, i);
    return NULL;
}

/* What a client would have read: a body, or as much of a stream as there is now. */
static void read_answer(struct client *client, struct answer *answer)
{
    struct response *response = &answer->response;
    struct out out = {0};

    if (response->kind == RESPONSE_STREAM) {
        enum stream_state state;
        do
            state = api_stream(client->api, &response->stream, &out);
        while (state == STREAM_MORE);
        answer->ended = state == STREAM_ENDED;
        answer->text = out_take(&out, &answer->size);
        return;
    }
    const char *body = response->fixed ? response->fixed : response->body;
    answer->size = body ? response->size : 0;
    answer->text = calloc(1, answer->size + 1);
    if (body && answer->text)
        memcpy(answer->text, body, answer->size);
}

/* What holds of every answer whatever was asked. */
static void check_answer(const struct ask *ask, struct answer *answer)
{
    const char *type = answer->response.content_type;
    json_error_t error;

    assert_non_null(answer_header(answer, "Vary"));
    if (answer->response.kind != RESPONSE_WHOLE || answer->response.status == 204)
        return;
    if (answer->response.status == 304) {
        assert_null(type);
        assert_int_equal(answer->size, 0);
        return;
    }
    assert_non_null(type);
    if (strncmp(type, "text/plain", 10) == 0) {
        answer->json = json_string(answer->text);
        return;
    }
    if (!strstr(type, "json")) /* a file of the web table */
        return;
    answer->json = json_loadb(answer->text, answer->size, JSON_REJECT_DUPLICATES, &error);
    if (!answer->json)
        fail_msg("%s %s: %s in: %s", ask->method, ask->path, error.text, answer->text);
    if (strcmp(type, "application/manifest+json") != 0)
        assert_string_equal(type, answer->response.status < 400 ? "application/json"
                                                                : "application/problem+json");
    if (json_object_get(answer->json, "pad"))
        assert_int_equal(answer->size % 512, 0);
    if (answer->response.status >= 500)
        assert_null(answer_header(answer, "ETag")); /* it would be of what did not come */
}

static void set(json_t *object, const char *key, const char *value)
{
    if (value)
        json_object_set_new(object, key, json_string(value));
}

static void write_line(FILE *log, const json_t *line)
{
    json_dumpf(line, log, JSON_COMPACT | JSON_ENSURE_ASCII);
    fputc('\n', log);
}

/* Streams are written down an event a line, as NDJSON has them. */
static void log_stream(FILE *log, json_t *line, const struct answer *answer)
{
    char *copy = strdup(answer->text ? answer->text : ""), *save = NULL;

    for (char *at = strtok_r(copy, "\n", &save); at; at = strtok_r(NULL, "\n", &save)) {
        if (strncmp(at, "id: ", 4) == 0 || *at == ':')
            continue;
        json_t *event = json_loads(strncmp(at, "data: ", 6) ? at : at + 6, 0, NULL);
        assert_non_null(event);
        json_object_set_new(line, "body", event);
        write_line(log, line);
    }
    free(copy);
}

static void log_exchange(const struct client *client, const struct ask *ask,
                         const struct answer *answer)
{
    const struct response *response = &answer->response;

    if (!client->log || response->kind == RESPONSE_WAIT)
        return;
    const char *type = response->content_type ? response->content_type : "";
    json_t *line = json_pack("{s:s, s:s, s:s, s:i}", "route", response->route, "path",
                             ask->path, "method", ask->method, "status", (int)response->status);
    if (response->content_type) /* without its charset, as the document has it */
        json_object_set_new(line, "content_type", json_stringn(type, strcspn(type, ";")));
    json_t *headers = json_object();
    for (size_t i = 0; i < response->header_count; i++)
        set(headers, response->headers[i].name, response_value(response, i));
    json_object_set_new(line, "headers", headers);
    if (ask->body && response->status < 400)
        json_object_set_new(line, "request", json_loads(ask->body, 0, NULL));
    if (response->kind == RESPONSE_STREAM) {
        log_stream(client->log, line, answer);
    } else {
        if (answer->json || !response->content_type)
            json_object_set(line, "body", answer->json);
        else /* text; what of it stands there is no matter to the document */
            json_object_set_new(line, "body", json_string(""));
        write_line(client->log, line);
    }
    json_decref(line);
}

void client_compare(struct client *client, const char *id)
{
    struct ports ports = memory_ports(client->memory);
    struct games *games = &client->api->games;
    struct live *live;
    uint8_t gid[16];

    /* a test may have put a slower store between */
    if (client->api->ports.context != client->memory ||
        !base64_decode(id, strlen(id), gid, sizeof gid) || games_take(games, gid, &live))
        return;
    const char *fault = twice_differs(&ports, &games->key, gid, live->fold);
    uint32_t seq = live->fold->seq;
    games_give(games, live);
    if (fault)
        fail_msg("after event %u: %s", seq, fault);
}

/* Every few changes the game is read back twice and held against what is in memory. */
static void compare_now_and_then(struct client *client, const struct ask *ask, unsigned status)
{
    static const char games[] = "/v1/games/";
    char id[24] = "";

    if (strcmp(ask->method, "POST") != 0 || status >= 300 ||
        strncmp(ask->path, games, sizeof games - 1) != 0 || client->changes++ % COMPARED)
        return;
    strncat(id, ask->path + sizeof games - 1, strcspn(ask->path + sizeof games - 1, "/"));
    client_compare(client, id);
}

void client_ask(struct client *client, const struct ask *ask, struct answer *ret_answer)
{
    char room[512], bearer[128];
    struct request request = {.method = ask->method,
                              .host = ask->host,
                              .origin = ask->origin,
                              .authorization = ask->authorization,
                              .content_type = ask->content_type,
                              .accept = ask->accept,
                              .accept_language = ask->accept_language,
                              .if_match = ask->if_match,
                              .if_none_match = ask->if_none_match,
                              .idempotency_key = ask->idempotency_key,
                              .prefer = ask->prefer,
                              .last_event_id = ask->last_event_id,
                              .body = ask->body,
                              .timed_out = ask->timed_out,
                              .lost = ask->lost};

    cut_query(ask->path, room, &request);
    if (ask->body)
        request.body_size = ask->body_size ? ask->body_size : strlen(ask->body);
    if (ask->body && !ask->content_type)
        request.content_type = "application/json";
    if (ask->bearer) {
        (void)snprintf(bearer, sizeof bearer, "Bearer %s", ask->bearer);
        request.authorization = bearer;
    }
    *ret_answer = (struct answer){0};
    api_handle(client->api, &request, &ret_answer->response);
    read_answer(client, ret_answer);
    check_answer(ask, ret_answer);
    log_exchange(client, ask, ret_answer);
    compare_now_and_then(client, ask, ret_answer->response.status);
}

void answer_done(struct answer *answer)
{
    response_done(&answer->response);
    json_decref(answer->json);
    free(answer->text);
}

struct answer client_do(struct client *client, const char *method, const char *path,
                        const char *bearer, const char *body, unsigned status)
{
    struct ask ask = {.method = method, .path = path, .bearer = bearer, .body = body};
    struct answer answer;

    client_ask(client, &ask, &answer);
    if (answer.response.status != status)
        fail_msg("%s %s: %u instead of %u\nasked: %s\nsaid: %s", method, path,
                 answer.response.status, status, body ? body : "", answer.text);
    return answer;
}

json_t *json_at(json_t *value, const char *pointer)
{
    char part[64];

    while (value && *pointer == '/') {
        size_t size = strcspn(++pointer, "/");
        (void)snprintf(part, sizeof part, "%.*s", (int)size, pointer);
        value = json_is_array(value) ? json_array_get(value, strtoul(part, NULL, 10))
                                     : json_object_get(value, part);
        pointer += size;
    }
    return value;
}

const char *answer_text(const struct answer *answer, const char *pointer)
{
    return json_string_value(json_at(answer->json, pointer));
}

bool json_within(const json_t *expected, const json_t *actual)
{
    json_t *walk = (json_t *)(uintptr_t)expected, *value;
    const char *key;
    size_t i;

    if (json_is_object(expected)) {
        json_object_foreach(walk, key, value)
        {
            if (!json_within(value, json_object_get(actual, key)))
                return false;
        }
        return json_is_object(actual);
    }
    if (!json_is_array(expected))
        return json_equal(expected, actual);
    if (!json_is_array(actual) || json_array_size(expected) != json_array_size(actual))
        return false;
    json_array_foreach(walk, i, value)
    {
        if (!json_within(value, json_array_get(actual, i)))
            return false;
    }
    return true;
}

/* Tables */

static void copy_text(char *room, size_t size, const char *text)
{
    assert_non_null(text);
    assert_true(strlen(text) < size);
    memcpy(room, text, strlen(text) + 1);
}

static void take(struct client *client, struct table *table, int seat, const char *name,
                 const char *invite, bool seeds)
{
    uint8_t gid[16], seed[32], commitment[32];
    char path[96], body[128] = "{}", hex[65];

    assert_true(base64_decode(table->id, strlen(table->id), gid, sizeof gid));
    memset(seed, seat + 1, sizeof seed);
    commit_player_seed(gid, 0, (uint8_t)seat, seed, commitment);
    hex_encode(commitment, sizeof commitment, hex);
    if (seeds)
        (void)snprintf(body, sizeof body, "{\"seed_commit\":\"%s\"}", hex);
    (void)snprintf(path, sizeof path, "/v1/games/%s/seats/%s", table->id, name);
    struct answer answer = client_do(client, "POST", path, invite, body, 201);
    copy_text(table->seat[seat], sizeof table->seat[seat], answer_text(&answer, "/credential"));
    answer_done(&answer);
}

void table_make(struct client *client, const char *creation, unsigned seeds,
                struct table *ret_table)
{
    struct answer made = client_do(client, "POST", "/v1/games", NULL, creation, 201);
    char path[96], body[96];
    const char *name;
    json_t *seat;

    *ret_table = (struct table){0};
    copy_text(ret_table->id, sizeof ret_table->id, answer_text(&made, "/id"));
    copy_text(ret_table->host, sizeof ret_table->host, answer_text(&made, "/host"));
    json_object_foreach(json_object_get(made.json, "seats"), name, seat)
    {
        int number = (int)ret_table->seats++;
        take(client, ret_table, number, name,
             json_string_value(json_object_get(seat, "invite")), seeds >> number & 1);
    }
    answer_done(&made);
    (void)snprintf(path, sizeof path, "/v1/games/%s/seeds", ret_table->id);
    for (size_t i = 0; i < ret_table->seats; i++) {
        if (!(seeds >> i & 1))
            continue;
        char hex[65];
        uint8_t seed[32];
        memset(seed, (int)i + 1, sizeof seed);
        hex_encode(seed, sizeof seed, hex);
        (void)snprintf(body, sizeof body, "{\"seed\":\"%s\"}", hex);
        made = client_do(client, "POST", path, ret_table->seat[i], body, 200);
        answer_done(&made);
    }
}

bool table_move(struct client *client, const struct table *table, struct seeded *seeded)
{
    char path[96];

    (void)snprintf(path, sizeof path, "/v1/games/%s/moves", table->id);
    for (size_t i = 0; i < table->seats; i++) {
        struct answer list = client_do(client, "GET", path, table->seat[i], NULL, 200);
        json_t *moves = json_object_get(list.json, "moves");
        size_t count = json_array_size(moves);
        char *move =
            count ? json_dumps(json_array_get(moves, seeded_below(seeded, (uint32_t)count)),
                               JSON_COMPACT)
                  : NULL;
        answer_done(&list);
        if (!move)
            continue;
        char body[256];
        (void)snprintf(body, sizeof body, "{\"move\":%s}", move);
        free(move);
        struct answer done = client_do(client, "POST", path, table->seat[i], body, 200);
        answer_done(&done);
        return true;
    }
    return false;
}

void table_set_up(struct client *client, const struct table *table, const char *variant,
                  int seat, struct seeded *seeded)
{
    int row = ruleset_variant(st_codec.rules, variant);
    struct out out = {0};
    char path[96];
    size_t size;

    assert_true(row >= 0);
    struct event event = table_setup((uint8_t)row, (uint8_t)seat, seeded);
    out_object(&out, NULL);
    st_codec.write_setup(&out, "pieces", &event);
    out_object_end(&out);
    char *text = out_take(&out, &size);
    (void)snprintf(path, sizeof path, "/v1/games/%s/setup", table->id);
    struct answer answer = client_do(client, "POST", path, table->seat[seat], text, 200);
    answer_done(&answer);
    free(text);
}
