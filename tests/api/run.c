/* Runs the files of tests/api/scenarios: requests and the answers that are expected of them.
 *
 * Each file is played four times on a store in memory: as it stands; with the api stopped and
 * started again between all steps, when every answer must have the same bytes; with every
 * request to a game also sent in ways that must be refused and change nothing; and with a store
 * that fails. tests/api/README.md says what a step may hold.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "api/base64.h"
#include "api/commit.h"
#include "api/hex.h"
#include "tests/support/client.h"

static const char folder[] = "tests/api/scenarios";

enum mode { PLAIN, RELOADED, REFUSED, FAILING, MODES };

struct run {
    struct client client;
    enum mode mode;
    json_t *saved;  /* variables */
    json_t *kept;   /* bodies by label */
    json_t *bodies; /* every body in order, to compare runs by */
    const char *file;
    size_t step;
};

static const char *text_of(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

/* ${name} becomes the variable's text; the caller frees. */
static char *filled(const struct run *run, const char *text)
{
    struct out out = {0};
    char name[64];
    size_t size;

    while (*text) {
        const char *stop = strncmp(text, "${", 2) == 0 ? strchr(text, '}') : NULL;
        if (!stop) {
            out_bytes(&out, text++, 1);
            continue;
        }
        (void)snprintf(name, sizeof name, "%.*s", (int)(stop - text - 2), text + 2);
        const char *value = text_of(run->saved, name);
        if (!value)
            fail_msg("%s step %zu: no variable %s", run->file, run->step, name);
        out_bytes(&out, value, strlen(value));
        text = stop + 1;
    }
    return out_take(&out, &size);
}

/* The body of a step as text: JSON, raw text, or one of a length that is given. */
static char *body_of(const struct run *run, const json_t *step)
{
    const json_t *body = json_object_get(step, "body");
    json_int_t size = json_integer_value(json_object_get(step, "size"));
    char *plain = NULL;

    if (size) {
        plain = malloc((size_t)size + 1);
        assert_non_null(plain);
        memset(plain, ' ', (size_t)size);
        plain[size] = '\0';
        return plain;
    }
    if (text_of(step, "raw"))
        return filled(run, text_of(step, "raw"));
    if (!body)
        return NULL;
    plain = json_dumps(body, JSON_COMPACT);
    char *text = filled(run, plain);
    free(plain);
    return text;
}

struct sent {
    char *method, *path, *bearer, *body;
    struct ask ask;
};

static void read_headers(const struct run *run, const json_t *step, struct ask *ask)
{
    const json_t *with = json_object_get(step, "with");

    (void)run;
    ask->content_type = text_of(with, "Content-Type");
    ask->accept = text_of(with, "Accept");
    ask->accept_language = text_of(with, "Accept-Language");
    ask->if_match = text_of(with, "If-Match");
    ask->idempotency_key = text_of(with, "Idempotency-Key");
    ask->prefer = text_of(with, "Prefer");
    ask->last_event_id = text_of(with, "Last-Event-ID");
    ask->origin = text_of(with, "Origin");
    ask->host = text_of(with, "Host");
    ask->authorization = text_of(with, "Authorization");
}

static struct sent sent_of(const struct run *run, const json_t *step)
{
    struct sent sent = {.method = strdup(text_of(step, "do"))};
    const char *as = text_of(step, "as");

    char *space = strchr(sent.method, ' ');
    assert_non_null(space);
    *space = '\0';
    sent.path = filled(run, space + 1);
    sent.body = body_of(run, step);
    if (as) {
        char name[64];
        (void)snprintf(name, sizeof name, "${%s}", as);
        sent.bearer = filled(run, name);
    }
    sent.ask = (struct ask){.method = sent.method,
                            .path = sent.path,
                            .bearer = sent.bearer,
                            .body = sent.body,
                            .timed_out = json_is_true(json_object_get(step, "timed_out"))};
    read_headers(run, step, &sent.ask);
    return sent;
}

static void sent_done(struct sent *sent)
{
    free(sent->method);
    free(sent->path);
    free(sent->bearer);
    free(sent->body);
}

/* What was asked, what was said, where: for a failure. */
static void complain(const struct run *run, const struct sent *sent,
                     const struct answer *answer, const char *what)
{
    fail_msg("%s, step %zu, mode %d: %s\n%s %s\n%s\nsaid %u: %s", run->file, run->step,
             (int)run->mode, what, sent->method, sent->path, sent->body ? sent->body : "",
             answer->response.status, answer->text ? answer->text : "");
}

static void check_kind(const struct run *run, const json_t *step, const struct sent *sent,
                       const struct answer *answer)
{
    bool waits = json_is_true(json_object_get(step, "waits"));
    const json_t *ended = json_object_get(step, "ended");

    if (waits != (answer->response.kind == RESPONSE_WAIT))
        complain(run, sent, answer, "to wait or not to wait");
    if ((ended != NULL) != (answer->response.kind == RESPONSE_STREAM))
        complain(run, sent, answer, "a stream or not");
    if (ended && json_is_true(ended) != answer->ended)
        complain(run, sent, answer, "the stream's end");
}

static void check_text(const struct run *run, const json_t *step, const struct sent *sent,
                       const struct answer *answer)
{
    json_t *list = json_object_get(step, "contains"), *item;
    size_t i;

    json_array_foreach(list, i, item)
    {
        if (!strstr(answer->text, json_string_value(item)))
            complain(run, sent, answer, json_string_value(item));
    }
    list = json_object_get(step, "lacks");
    json_array_foreach(list, i, item)
    {
        if (strstr(answer->text, json_string_value(item)))
            complain(run, sent, answer, json_string_value(item));
    }
}

static void check_headers(const struct run *run, const json_t *step, const struct sent *sent,
                          const struct answer *answer)
{
    json_t *headers = json_object_get(step, "headers"), *value;
    const char *name;

    json_object_foreach(headers, name, value)
    {
        const char *have = answer_header(answer, name);
        char *want = json_is_string(value) ? filled(run, json_string_value(value)) : NULL;
        if ((want == NULL) != (have == NULL) || (want && strcmp(want, have) != 0))
            complain(run, sent, answer, name);
        free(want);
    }
}

static void check_body(const struct run *run, const json_t *step, const struct sent *sent,
                       const struct answer *answer)
{
    const json_t *expect = json_object_get(step, "expect");

    if (!expect)
        return;
    char *plain = json_dumps(expect, JSON_COMPACT), *text = filled(run, plain);
    json_t *wanted = json_loads(text, 0, NULL);
    if (!json_within(wanted, answer->json))
        complain(run, sent, answer, text);
    json_decref(wanted);
    free(text);
    free(plain);
}

/* Bodies under a label come again byte for byte. */
static void check_kept(const struct run *run, const json_t *step, const struct sent *sent,
                       const struct answer *answer)
{
    const char *same = text_of(step, "same"), *keep = text_of(step, "keep");

    if (same && strcmp(text_of(run->kept, same), answer->text) != 0)
        complain(run, sent, answer, "not the same answer");
    if (keep)
        json_object_set_new(run->kept, keep, json_string(answer->text));
}

static void save(const struct run *run, const json_t *step, const struct sent *sent,
                 const struct answer *answer)
{
    json_t *all = json_object_get(step, "save"), *pointer;
    const char *name;

    json_object_foreach(all, name, pointer)
    {
        json_t *value = json_at(answer->json, json_string_value(pointer));
        if (!json_is_string(value))
            complain(run, sent, answer, "nothing there to save");
        json_object_set(run->saved, name, value);
    }
}

/* The bytes of the view as the operator sees it: what must not change. */
static char *state_now(struct run *run)
{
    const char *id = text_of(run->saved, "id");
    char path[64];

    if (!id)
        return strdup("");
    (void)snprintf(path, sizeof path, "/v1/games/%s", id);
    struct answer answer =
        client_do(&run->client, "GET", path, run->client.operator_text, NULL, 200);
    char *text = strdup(answer.text);
    answer_done(&answer);
    return text;
}

static void probe(struct run *run, const struct ask *ask, unsigned status)
{
    struct answer answer;

    client_ask(&run->client, ask, &answer);
    if (answer.response.status != status)
        fail_msg("%s, step %zu: %s %s as a probe said %u instead of %u: %s", run->file,
                 run->step, ask->method, ask->path, answer.response.status, status,
                 answer.text);
    answer_done(&answer);
}

/* Ways to send a good request that must be refused. */
static void refuse(struct run *run, const struct ask *good)
{
    static const char unknown[] = "rfs_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
    char path[256];
    struct ask ask = *good;
    char *big = calloc(1, 64 * 1024 + 2);

    memset(big, ' ', 64 * 1024 + 1);
    ask.body = big;
    probe(run, &ask, 413);
    free(big);
    ask = *good;
    ask.body = good->body ? good->body : "{}";
    ask.content_type = "text/plain";
    probe(run, &ask, 415);
    ask = *good;
    ask.body = "{\"zzz\":1}";
    probe(run, &ask, 422);
    ask.body = "{\"zzz\":1,";
    probe(run, &ask, 400);
    if (strcmp(good->path, "/v1/games") == 0)
        return;
    ask = *good;
    ask.if_match = "\"4000000000\"";
    probe(run, &ask, 412);
    ask.if_match = "4000000000";
    probe(run, &ask, 400);
    ask = *good;
    ask.bearer = NULL;
    probe(run, &ask, 401);
    ask.bearer = unknown;
    probe(run, &ask, 401);
    ask.bearer = text_of(run->saved, "stranger");
    probe(run, &ask, 403);
    ask = *good;
    (void)snprintf(path, sizeof path, "/v1/games/AAAAAAAAAAAAAAAAAAAAAA%s",
                   good->path + strlen("/v1/games/") + 22);
    ask.path = path;
    probe(run, &ask, 404);
}

static void fail_store(struct run *run, const struct ask *good)
{
    memory_fail(run->client.memory, -ENOSPC);
    probe(run, good, 507);
    memory_fail(run->client.memory, -EIO);
    probe(run, good, 503);
    memory_fail(run->client.memory, 0);
}

/* In the last two modes a change is first tried in vain. */
static void try_in_vain(struct run *run, const json_t *step, const struct ask *ask)
{
    json_int_t status = json_integer_value(json_object_get(step, "status"));

    if (run->mode < REFUSED || strcmp(ask->method, "POST") != 0 || status >= 300 ||
        strncmp(ask->path, "/v1/games", 9) != 0 ||
        json_is_true(json_object_get(step, "replayed")))
        return;
    char *before = state_now(run);
    if (run->mode == REFUSED)
        refuse(run, ask);
    else
        fail_store(run, ask);
    char *after = state_now(run);
    assert_string_equal(before, after);
    free(before);
    free(after);
}

static void do_request(struct run *run, const json_t *step)
{
    struct sent sent = sent_of(run, step);
    unsigned status = (unsigned)json_integer_value(json_object_get(step, "status"));
    struct answer answer;

    try_in_vain(run, step, &sent.ask);
    client_ask(&run->client, &sent.ask, &answer);
    if (answer.response.kind != RESPONSE_WAIT && answer.response.status != status)
        complain(run, &sent, &answer, "the wrong status");
    check_kind(run, step, &sent, &answer);
    check_headers(run, step, &sent, &answer);
    check_text(run, step, &sent, &answer);
    check_body(run, step, &sent, &answer);
    check_kept(run, step, &sent, &answer);
    save(run, step, &sent, &answer);
    json_array_append_new(run->bodies, json_string(answer.text ? answer.text : ""));
    answer_done(&answer);
    sent_done(&sent);
}

/* {"commit":"name","seat":0,"seed":"<hex>"} */
static void do_commit(struct run *run, const json_t *step)
{
    const char *id = text_of(run->saved, "id"), *text = text_of(step, "seed");
    uint8_t gid[16], seed[32], commitment[32];
    char hex[65];

    assert_true(base64_decode(id, strlen(id), gid, sizeof gid));
    assert_true(hex_decode(text, strlen(text), seed, sizeof seed));
    commit_player_seed(gid, 0, (uint8_t)json_integer_value(json_object_get(step, "seat")), seed,
                       commitment);
    hex_encode(commitment, sizeof commitment, hex);
    json_object_set_new(run->saved, text_of(step, "commit"), json_string(hex));
}

/* {"play":["seat's variable",...],"moves":N}: moves by chance, to the end without N. */
static void do_play(struct run *run, const json_t *step)
{
    json_t *seats = json_object_get(step, "play"), *moves = json_object_get(step, "moves");
    json_int_t left = moves ? json_integer_value(moves) : 100000;
    struct table table = {.seats = json_array_size(seats)};
    struct seeded seeded = {1};
    json_t *seat;
    size_t i;

    strcpy(table.id, text_of(run->saved, "id"));
    json_array_foreach(seats, i, seat)
        strcpy(table.seat[i], text_of(run->saved, json_string_value(seat)));
    while (left-- > 0 && table_move(&run->client, &table, &seeded)) {
        if (run->mode == RELOADED)
            client_reload(&run->client);
    }
}

static void do_away(struct run *run, const json_t *away)
{
    memory_set_away(run->client.memory, json_integer_value(json_array_get(away, 0)),
                    json_integer_value(json_array_get(away, 1)));
}

static void do_step(struct run *run, const json_t *step)
{
    if (json_object_get(step, "do"))
        do_request(run, step);
    else if (json_object_get(step, "commit"))
        do_commit(run, step);
    else if (json_object_get(step, "play"))
        do_play(run, step);
    else if (json_object_get(step, "restart"))
        client_reload(&run->client);
    else if (json_object_get(step, "tick"))
        api_tick(run->client.api);
    else if (json_object_get(step, "away"))
        do_away(run, json_object_get(step, "away"));
    else if (json_object_get(step, "clock"))
        memory_set_clock(run->client.memory,
                         json_integer_value(json_object_get(step, "clock")));
    else
        fail_msg("%s: step %zu is none", run->file, run->step);
}

/* A seat of another game: known, but not for this. */
static void make_stranger(struct run *run)
{
    struct table table;

    table_make(&run->client, "{\"ruleset\":\"engarde\",\"spectators\":false}", 0, &table);
    json_object_set_new(run->saved, "stranger", json_string(table.seat[0]));
    json_object_set_new(run->saved, "other_id", json_string(table.id));
}

static void configure(struct run *run, const json_t *scenario)
{
    static const char *const origins[] = {"https://table.example", NULL};
    static const char *const hosts[] = {"referee.example", NULL};
    const json_t *config = json_object_get(scenario, "config");

    run->client.config.open_creation = !json_is_true(json_object_get(config, "closed"));
    if (json_is_true(json_object_get(config, "origins")))
        run->client.config.origins = origins;
    if (json_is_true(json_object_get(config, "hosts")))
        run->client.config.hosts = hosts;
    run->client.config.metrics_elsewhere = json_is_true(json_object_get(config, "metrics"));
    client_reload(&run->client);
}

static json_t *play_scenario(const char *file, const json_t *scenario, enum mode mode,
                             const char *log)
{
    struct run run = {.mode = mode, .file = file};
    json_t *step;

    run.saved = json_object();
    run.kept = json_object();
    run.bodies = json_array();
    client_open(&run.client, log, 1);
    json_object_set_new(run.saved, "operator", json_string(run.client.operator_text));
    make_stranger(&run);
    configure(&run, scenario);
    json_array_foreach(json_object_get(scenario, "steps"), run.step, step)
    {
        if (mode == RELOADED)
            client_reload(&run.client);
        do_step(&run, step);
    }
    client_close(&run.client);
    json_decref(run.saved);
    json_decref(run.kept);
    return run.bodies;
}

static void test_scenario(void **state)
{
    const char *file = *state;
    char path[256], log[256];
    json_error_t error;

    (void)snprintf(path, sizeof path, "%s/%s", folder, file);
    json_t *scenario = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
    if (!scenario)
        fail_msg("%s:%d: %s", path, error.line, error.text);
    json_t *plain = NULL;
    for (enum mode mode = PLAIN; mode < MODES; mode++) {
        (void)snprintf(log, sizeof log, "%.*s-%d", (int)strcspn(file, "."), file, (int)mode);
        json_t *bodies = play_scenario(file, scenario, mode, log);
        if (mode == PLAIN)
            plain = json_incref(bodies);
        if (mode == RELOADED)
            assert_true(json_equal(plain, bodies));
        json_decref(bodies);
    }
    json_decref(plain);
    json_decref(scenario);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct CMUnitTest *)a)->name, ((const struct CMUnitTest *)b)->name);
}

int main(void)
{
    static struct CMUnitTest tests[100];
    DIR *dir = opendir(folder);
    size_t count = 0;

    if (!dir)
        return 1;
    for (struct dirent *entry = readdir(dir); entry && count < 100; entry = readdir(dir)) {
        if (!strstr(entry->d_name, ".json"))
            continue;
        char *name = strdup(entry->d_name);
        tests[count++] = (struct CMUnitTest){name, test_scenario, NULL, NULL, name};
    }
    closedir(dir);
    qsort(tests, count, sizeof *tests, by_name);
    return _cmocka_run_group_tests("scenarios", tests, count, NULL, NULL);
}
