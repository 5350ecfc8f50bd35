/* The api over a store that misbehaves, threads, streams that end, and what a thief would have.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "api/hex.h"
#include "tests/support/client.h"
#include "tests/support/slow.h"

/* Ports that lead to the memory, with faults on the way. */
struct faulty {
    struct ports inner;
    bool records, known, kept, games, damaged, pending;
};

static int faulty_append(void *context, const struct change *change, uint64_t *ret_ticket)
{
    struct faulty *faulty = context;

    return faulty->inner.append(faulty->inner.context, change, ret_ticket);
}

static uint64_t faulty_epoch(void *context)
{
    struct faulty *faulty = context;

    return faulty->inner.epoch(faulty->inner.context);
}

static bool faulty_settled(void *context, uint64_t ticket)
{
    struct faulty *faulty = context;

    return !faulty->pending && faulty->inner.settled(faulty->inner.context, ticket);
}

struct damaging {
    int (*row)(void *arg, const struct record *record);
    void *arg;
};

/* One bit of the last byte. */
static int damage(void *arg, const struct record *record)
{
    struct damaging *damaging = arg;
    struct record copy = *record;
    uint8_t *sealed = malloc(record->sealed_size);

    assert_non_null(sealed);
    memcpy(sealed, record->sealed, record->sealed_size);
    sealed[record->sealed_size - 1] ^= 1;
    copy.sealed = sealed;
    int stop = damaging->row(damaging->arg, &copy);
    free(sealed);
    return stop;
}

static int faulty_records(void *context, const uint8_t gid[static 16], uint32_t after,
                          int (*row)(void *arg, const struct record *record), void *arg)
{
    struct faulty *faulty = context;
    struct damaging damaging = {row, arg};

    if (faulty->records)
        return -EIO;
    if (faulty->damaged)
        return faulty->inner.records(faulty->inner.context, gid, after, damage, &damaging);
    return faulty->inner.records(faulty->inner.context, gid, after, row, arg);
}

static int faulty_snapshot(void *context, const uint8_t gid[static 16],
                           void (*take)(void *arg, const struct snapshot *snapshot), void *arg)
{
    struct faulty *faulty = context;

    return faulty->records ? -EIO
                           : faulty->inner.snapshot(faulty->inner.context, gid, take, arg);
}

static int faulty_games(void *context, const struct list_query *query,
                        int (*row)(void *arg, const struct listing *game, int64_t number),
                        void *arg)
{
    struct faulty *faulty = context;

    return faulty->games ? -EIO : faulty->inner.games(faulty->inner.context, query, row, arg);
}

static int faulty_known(void *context, uint64_t id, uint8_t ret_gid[static 16])
{
    struct faulty *faulty = context;

    return faulty->known ? -EIO
                         : faulty->inner.credential_known(faulty->inner.context, id, ret_gid);
}

static int faulty_kept(void *context, const uint8_t key[static 32], int64_t now_ms,
                       void (*take)(void *arg, const struct kept *kept), void *arg)
{
    struct faulty *faulty = context;

    return faulty->kept ? -EIO
                        : faulty->inner.kept(faulty->inner.context, key, now_ms, take, arg);
}

static int64_t faulty_now(void *context)
{
    struct faulty *faulty = context;

    return faulty->inner.now_ms(faulty->inner.context);
}

static void faulty_entropy(void *context, void *ret_bytes, size_t size)
{
    struct faulty *faulty = context;

    faulty->inner.entropy(faulty->inner.context, ret_bytes, size);
}

struct bench {
    struct client client;
    struct faulty faulty;
    struct table table;
    char path[96];
};

static struct ports faulty_ports(struct faulty *faulty)
{
    return (struct ports){.context = faulty,
                          .append = faulty_append,
                          .epoch = faulty_epoch,
                          .settled = faulty_settled,
                          .records = faulty_records,
                          .snapshot = faulty_snapshot,
                          .games = faulty_games,
                          .credential_known = faulty_known,
                          .kept = faulty_kept,
                          .now_ms = faulty_now,
                          .entropy = faulty_entropy};
}

static void put_ports(struct bench *bench, const struct ports *ports)
{
    api_free(bench->client.api);
    bench->client.api = api_new(&bench->client.config, ports);
    assert_non_null(bench->client.api);
}

static void put_faulty_ports(struct bench *bench)
{
    const struct ports ports = faulty_ports(&bench->faulty);

    put_ports(bench, &ports);
}

static void open_bench(struct bench *bench, const char *creation)
{
    *bench = (struct bench){0};
    client_open(&bench->client, NULL, 5);
    bench->faulty.inner = memory_ports(bench->client.memory);
    put_faulty_ports(bench);
    table_make(&bench->client, creation, 0, &bench->table);
    (void)snprintf(bench->path, sizeof bench->path, "/v1/games/%s", bench->table.id);
}

static const char *below(struct bench *bench, const char *part)
{
    static char path[128];

    (void)snprintf(path, sizeof path, "%s%s", bench->path, part);
    return path;
}

static void expect(struct bench *bench, const struct ask *ask, unsigned status)
{
    struct answer answer;

    client_ask(&bench->client, ask, &answer);
    if (answer.response.status != status)
        fail_msg("%s %s: %u instead of %u: %s", ask->method, ask->path, answer.response.status,
                 status, answer.text);
    answer_done(&answer);
}

/* Ready is who can write, and whose clock has not gone back before what was written. */
static void test_ready(void **state)
{
    const struct ask ready = {.method = "GET", .path = "/readyz"};
    const int64_t now_ms = INT64_C(1798761600000);
    struct answer answer;
    struct bench bench;

    (void)state;
    open_bench(&bench, "{\"ruleset\":\"engarde\"}");
    client_ask(&bench.client, &ready, &answer);
    assert_int_equal(answer.response.status, 200);
    uint64_t first = answer.response.ticket;
    assert_true(first > 0 && answer.response.probe);
    answer_done(&answer);
    client_ask(&bench.client, &ready, &answer);
    assert_int_equal(answer.response.ticket, first); /* not written again so soon */
    api_failed(bench.client.api, &(struct request){0}, -ENOSPC, &answer.response);
    assert_int_equal(answer.response.status, 503);
    assert_non_null(strstr(answer.response.body, "the disk is full"));
    answer_done(&answer);
    client_ask(&bench.client, &ready, &answer);
    api_failed(bench.client.api, &(struct request){0}, -EIO, &answer.response);
    assert_int_equal(answer.response.status, 503);
    assert_non_null(strstr(answer.response.body, "cannot be written.\""));
    answer_done(&answer);
    memory_set_clock(bench.client.memory, now_ms - 1000);
    expect(&bench, &ready, 200);
    memory_set_clock(bench.client.memory, now_ms - 3000);
    expect(&bench, &ready, 503);
    memory_set_clock(bench.client.memory, now_ms + 5000);
    client_ask(&bench.client, &ready, &answer);
    assert_int_equal(answer.response.ticket, first + 2); /* when it went back, and now */
    answer_done(&answer);
    memory_fail(bench.client.memory, -ENOSPC);
    memory_set_clock(bench.client.memory, now_ms + 10000);
    expect(&bench, &ready, 503);
    bench.client.config.written_ms = now_ms + 20000; /* as the store's files say */
    memory_fail(bench.client.memory, 0);
    put_faulty_ports(&bench);
    expect(&bench, &ready, 503);
    client_close(&bench.client);
}

static void test_store_unreadable(void **state)
{
    const char *body = "{\"action\":\"offer\"}";
    struct bench bench;

    (void)state;
    open_bench(&bench, "{\"ruleset\":\"engarde\"}");
    bench.faulty.known = true;
    expect(&bench, &(struct ask){.method = "GET", .path = "/readyz"}, 503);
    expect(&bench,
           &(struct ask){.method = "GET",
                         .path = bench.path,
                         .bearer = "rfs_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"},
           503);
    bench.faulty.games = true;
    expect(&bench, &(struct ask){.method = "GET", .path = "/v1/games"}, 503);
    bench.faulty.kept = true;
    expect(&bench,
           &(struct ask){.method = "POST",
                         .path = below(&bench, "/draw"),
                         .bearer = bench.table.seat[0],
                         .body = body,
                         .idempotency_key = "0123456789abcdef"},
           503);
    bench.faulty.records = true;
    expect(&bench, &(struct ask){.method = "GET", .path = below(&bench, "/events")}, 503);
    expect(&bench, &(struct ask){.method = "GET", .path = below(&bench, "/head")}, 503);
    put_faulty_ports(&bench);
    expect(&bench, &(struct ask){.method = "GET", .path = bench.path}, 503);
    bench.faulty.records = false;
    expect(&bench, &(struct ask){.method = "GET", .path = bench.path}, 200);
    client_close(&bench.client);
}

/* A log that does not open, by one bit or by another key, is never played. */
static void test_damaged(void **state)
{
    struct bench bench;

    (void)state;
    open_bench(&bench, "{\"ruleset\":\"roquefort\"}");
    bench.faulty.damaged = true;
    put_faulty_ports(&bench);
    expect(&bench, &(struct ask){.method = "GET", .path = bench.path}, 500);
    bench.faulty.damaged = false;
    bench.client.config.store_key[0] ^= 1;
    put_faulty_ports(&bench);
    expect(&bench, &(struct ask){.method = "GET", .path = bench.path}, 500);
    client_close(&bench.client);
}

/* Nothing is told before it is on disk. */
static void test_pending(void **state)
{
    struct bench bench;
    struct answer answer;

    (void)state;
    open_bench(&bench, "{\"ruleset\":\"engarde\",\"options\":{\"first\":\"left\"}}");
    bench.faulty.pending = true;
    answer = client_do(&bench.client, "POST", below(&bench, "/resign"), bench.table.seat[0],
                       NULL, 200);
    uint64_t ticket = answer.response.ticket;
    assert_true(ticket > 0);
    answer_done(&answer);
    answer = client_do(&bench.client, "GET", bench.path, NULL, NULL, 200);
    assert_int_equal(answer.response.ticket, ticket);
    answer_done(&answer);
    answer = client_do(&bench.client, "GET", below(&bench, "/head"), NULL, NULL, 200);
    assert_int_equal(answer.response.kind, RESPONSE_WAIT);
    answer_done(&answer);
    client_close(&bench.client);
}

/* A long poll that comes while the game's end is on its way to disk waits for it: an empty
 * answer would say that there is nothing to come. */
static void test_poll_at_the_end(void **state)
{
    struct bench bench;
    struct answer answer;
    char path[128];

    (void)state;
    open_bench(&bench, "{\"ruleset\":\"engarde\",\"options\":{\"first\":\"left\"}}");
    struct slow *slow = slow_new(bench.client.memory);
    struct ports ports = slow_ports(slow);
    api_free(bench.client.api);
    bench.client.api = api_new(&bench.client.config, &ports);
    answer = client_do(&bench.client, "GET", bench.path, NULL, NULL, 200);
    unsigned long seq = strtoul(answer_header(&answer, "ETag") + 1, NULL, 10);
    answer_done(&answer);
    (void)snprintf(path, sizeof path, "%s/events?after=%lu&wait=30", bench.path, seq);
    answer = client_do(&bench.client, "POST", below(&bench, "/resign"), bench.table.seat[0],
                       NULL, 200);
    answer_done(&answer);
    answer = client_do(&bench.client, "GET", path, NULL, NULL, 200);
    assert_int_equal(answer.response.kind, RESPONSE_WAIT);
    answer_done(&answer);
    slow_write(slow);
    answer = client_do(&bench.client, "GET", path, NULL, NULL, 200);
    assert_int_equal(answer.response.kind, RESPONSE_WHOLE);
    assert_non_null(strstr(answer.text, "\"ended\""));
    answer_done(&answer);
    api_free(bench.client.api);
    bench.client.api = NULL;
    slow_free(slow);
    put_faulty_ports(&bench);
    client_close(&bench.client);
}

/* Headers are whole or are not there; a response may be copied. */
static void test_headers(void **state)
{
    struct response response;
    char text[200];

    (void)state;
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    response_init(&response);
    assert_true(response_header(&response, "Constant", "no-store"));
    assert_true(response_header(&response, "A", "%s", text));
    assert_true(response_header(&response, "B", "%d.%s", 17, text));
    assert_false(response_header(&response, "C", "%s", text)); /* no room */
    assert_true(response_header(&response, "D", "%s", "short"));
    const struct response copy = response;
    memset(&response, 0, sizeof response);
    assert_int_equal(copy.header_count, 4);
    assert_string_equal(response_value(&copy, 0), "no-store");
    assert_string_equal(response_value(&copy, 1), text);
    assert_memory_equal(response_value(&copy, 2), "17.xxx", 6);
    assert_string_equal(response_value(&copy, 3), "short");
    response = copy;
    while (response.header_count < HEADERS_MAX)
        assert_true(response_header(&response, "E", "e"));
    assert_false(response_header(&response, "F", "f"));
    response_bare(&response);
    assert_int_equal(response.header_count, 0);
    assert_true(response_header(&response, "G", "%s", text)); /* there is room again */
    assert_string_equal(response_value(&response, 0), text);
}

static void test_failed(void **state)
{
    const struct request request = {.accept_language = "cs"};
    struct bench bench;
    struct answer answer;

    (void)state;
    open_bench(&bench, "{\"ruleset\":\"engarde\"}");
    answer = client_do(&bench.client, "POST", below(&bench, "/resign"), bench.table.seat[0],
                       NULL, 200);
    api_failed(bench.client.api, &request, -ENOSPC, &answer.response);
    assert_int_equal(answer.response.status, 507);
    assert_null(answer_header(&answer, "ETag"));
    assert_non_null(strstr(answer.response.body, "storage_full"));
    api_failed(bench.client.api, &request, -ECANCELED, &answer.response);
    assert_int_equal(answer.response.status, 503);
    assert_non_null(answer_header(&answer, "Retry-After"));
    answer_done(&answer);
    client_close(&bench.client);
}

/* Revoking a credential closes its streams, and nothing more goes out on them. */
static void test_stream_revoked(void **state)
{
    struct bench bench;
    struct answer stream, answer;
    struct out out = {0};

    (void)state;
    open_bench(&bench, "{\"ruleset\":\"engarde\"}");
    client_ask(&bench.client,
               &(struct ask){.method = "GET",
                             .path = below(&bench, "/events"),
                             .bearer = bench.table.seat[0],
                             .accept = "text/event-stream"},
               &stream);
    assert_int_equal(stream.response.kind, RESPONSE_STREAM);
    assert_false(stream.ended);
    assert_int_equal(api_stream(bench.client.api, &stream.response.stream, &out),
                     STREAM_GOES_ON);
    assert_int_equal(out.size, 0);
    answer = client_do(&bench.client, "POST", below(&bench, "/seats/left/invite"),
                       bench.client.operator_text, NULL, 201);
    assert_int_equal(api_stream(bench.client.api, &stream.response.stream, &out), STREAM_ENDED);
    assert_int_equal(out.size, 0);
    out_done(&out);
    answer_done(&answer);
    answer_done(&stream);
    client_close(&bench.client);
}

static bool holds(const void *bytes, size_t size, const void *part, size_t part_size)
{
    return memmem(bytes, size, part, part_size) != NULL;
}

/* The store alone gives away no face, no seed, no secret and no credential. */
static void test_thief(void **state)
{
    struct seeded seeded = {1};
    struct bench bench;
    struct answer answer;
    uint8_t secret[32];
    size_t size;

    (void)state;
    open_bench(&bench, "{\"ruleset\":\"stratego\"}");
    table_set_up(&bench.client, &bench.table, "marsal-a-spion", 0, &seeded);
    table_set_up(&bench.client, &bench.table, "marsal-a-spion", 1, &seeded);
    answer = client_do(&bench.client, "GET", below(&bench, "/setup"), bench.table.seat[0], NULL,
                       200);
    const char *text = answer_text(&answer, "/secret");
    assert_true(hex_decode(text, 64, secret, sizeof secret));
    char *dump = memory_dump(bench.client.memory, &size);
    assert_true(holds(dump, size, "\"setup_done\"", 12));
    assert_false(holds(dump, size, secret, sizeof secret));
    assert_false(holds(dump, size, text, 64));
    assert_false(holds(dump, size, "rfs_", 4));
    assert_false(holds(dump, size, "marshal", 7));
    for (int seat = 0; seat < 2; seat++)
        assert_false(holds(dump, size, bench.table.seat[seat] + 4, 43));
    free(dump);
    answer_done(&answer);
    client_close(&bench.client);
}

struct worker {
    pthread_t thread;
    struct client *client;
    const struct table *table;
    int number, good;
    char text[2048];
};

/* The memory store is not made for threads: one lock round the ports is enough here. */
static pthread_mutex_t store_lock = PTHREAD_MUTEX_INITIALIZER;

static int locked_append(void *context, const struct change *change, uint64_t *ret_ticket)
{
    pthread_mutex_lock(&store_lock);
    int error = faulty_append(context, change, ret_ticket);
    pthread_mutex_unlock(&store_lock);
    return error;
}

static int locked_kept(void *context, const uint8_t key[static 32], int64_t now_ms,
                       void (*take)(void *arg, const struct kept *kept), void *arg)
{
    pthread_mutex_lock(&store_lock);
    int error = faulty_kept(context, key, now_ms, take, arg);
    pthread_mutex_unlock(&store_lock);
    return error;
}

static void locked_entropy(void *context, void *ret_bytes, size_t size)
{
    pthread_mutex_lock(&store_lock);
    faulty_entropy(context, ret_bytes, size);
    pthread_mutex_unlock(&store_lock);
}

static void put_locked_ports(struct bench *bench)
{
    struct ports ports = faulty_ports(&bench->faulty);

    ports.append = locked_append;
    ports.kept = locked_kept;
    ports.entropy = locked_entropy;
    put_ports(bench, &ports);
}

static void ask_raw(struct worker *worker, const char *method, const char *path,
                    const char *authorization, const char *body, const char *key)
{
    const struct request request = {.method = method,
                                    .path = path,
                                    .authorization = authorization,
                                    .content_type = "application/json",
                                    .body = body,
                                    .body_size = strlen(body),
                                    .idempotency_key = key};
    struct response response;

    api_handle(worker->client->api, &request, &response);
    if (response.status < 300)
        worker->good++;
    (void)snprintf(worker->text, sizeof worker->text, "%.*s", (int)response.size,
                   response.body ? response.body : "");
    response_done(&response);
}

static void *make_game(void *arg)
{
    ask_raw(arg, "POST", "/v1/games", NULL, "{\"ruleset\":\"engarde\"}",
            "0123456789012345678901234567890123456789");
    return NULL;
}

/* Offers a draw again and again: only the first of all can be taken. */
static void *offer_draw(void *arg)
{
    struct worker *worker = arg;
    char path[96], bearer[64];

    (void)snprintf(path, sizeof path, "/v1/games/%s/draw", worker->table->id);
    (void)snprintf(bearer, sizeof bearer, "Bearer %s", worker->table->seat[0]);
    for (int i = 0; i < 50; i++)
        ask_raw(worker, "POST", path, bearer, "{\"action\":\"offer\"}", NULL);
    return NULL;
}

static int run_workers(struct bench *bench, struct worker *workers, size_t count,
                       void *(*work)(void *))
{
    int good = 0;

    for (size_t i = 0; i < count; i++) {
        workers[i] = (struct worker){.client = &bench->client, .table = &bench->table};
        assert_int_equal(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
    }
    for (size_t i = 0; i < count; i++) {
        pthread_join(workers[i].thread, NULL);
        good += workers[i].good;
    }
    return good;
}

static void test_threads(void **state)
{
    struct worker workers[4];
    struct bench bench;

    (void)state;
    open_bench(&bench, "{\"ruleset\":\"engarde\"}");
    put_locked_ports(&bench);
    assert_int_equal(run_workers(&bench, workers, 4, make_game), 4);
    for (int i = 1; i < 4; i++)
        assert_string_equal(workers[0].text, workers[i].text);
    assert_int_equal(run_workers(&bench, workers, 4, offer_draw), 1);
    client_close(&bench.client);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ready),           cmocka_unit_test(test_store_unreadable),
        cmocka_unit_test(test_damaged),         cmocka_unit_test(test_pending),
        cmocka_unit_test(test_headers),         cmocka_unit_test(test_failed),
        cmocka_unit_test(test_poll_at_the_end), cmocka_unit_test(test_stream_revoked),
        cmocka_unit_test(test_thief),           cmocka_unit_test(test_threads),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
