/* Each bound of api/limits.h from both sides: as much as it allows, and one more. What only a
 * real connection can reach is in tests/unit/daemon/test_http.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "api/limits.h"
#include "api/sheet.h"
#include "tests/support/client.h"

static struct client client;
static char text[64 * 1024], long_text[4 * 1024 * 1024];

static int open_client(void **state)
{
    (void)state;
    client_open(&client, "limits", 1);
    return 0;
}

static int close_client(void **state)
{
    (void)state;
    client_close(&client);
    return 0;
}

/* `count` times `c`. */
static const char *many(char c, size_t count)
{
    static char room[1024];

    assert_true(count < sizeof room);
    memset(room, c, count);
    room[count] = '\0';
    return room;
}

static void create(unsigned status, const char *format, const char *value)
{
    char body[2048];
    struct answer answer;

    (void)snprintf(body, sizeof body, format, value);
    answer = client_do(&client, "POST", "/v1/games", NULL, body, status);
    answer_done(&answer);
}

static void test_nesting(void **state)
{
    (void)state;
    for (size_t over = 0; over < 2; over++) {
        size_t depth = JSON_DEPTH_MAX - 1 + over, size;
        size = (size_t)snprintf(text, sizeof text, "{\"options\":%s", many('[', depth));
        (void)snprintf(text + size, sizeof text - size, "%s}", many(']', depth));
        struct answer answer =
            client_do(&client, "POST", "/v1/games", NULL, text, over ? 400 : 422);
        answer_done(&answer);
    }
}

static void test_names(void **state)
{
    (void)state;
    create(201, "{\"ruleset\":\"engarde\",\"seats\":{\"left\":{\"name\":\"%s\"}}}",
           many('n', NAME_MAX_BYTES));
    create(422, "{\"ruleset\":\"engarde\",\"seats\":{\"left\":{\"name\":\"%s\"}}}",
           many('n', NAME_MAX_BYTES + 1));
    (void)snprintf(text, sizeof text, "%s\xc3\xa9", many('n', NAME_MAX_BYTES - 2)); /* bytes */
    create(201, "{\"ruleset\":\"engarde\",\"seats\":{\"left\":{\"name\":\"%s\"}}}", text);
    (void)snprintf(text, sizeof text, "%s\xc3\xa9", many('n', NAME_MAX_BYTES - 1));
    create(422, "{\"ruleset\":\"engarde\",\"seats\":{\"left\":{\"name\":\"%s\"}}}", text);
}

static void test_verdicts(void **state)
{
    struct table table;
    char path[64];

    (void)state;
    table_make(&client, "{\"ruleset\":\"engarde\"}", 0, &table);
    (void)snprintf(path, sizeof path, "/v1/games/%s/override", table.id);
    for (int over = 1; over >= 0; over--) {
        (void)snprintf(text, sizeof text,
                       "{\"result\":{\"winner\":\"left\",\"reason\":\"time\"},\"note\":\"%s\"}",
                       many('n', VERDICT_MAX_BYTES + (size_t)over));
        struct answer answer =
            client_do(&client, "POST", path, client.operator_text, text, over ? 422 : 200);
        answer_done(&answer);
    }
}

static void with_key(const char *path, const char *bearer, const char *key, unsigned status)
{
    struct answer answer;

    client_ask(&client,
               &(struct ask){.method = "POST",
                             .path = path,
                             .bearer = bearer,
                             .body = "{\"ruleset\":\"engarde\"}",
                             .idempotency_key = key},
               &answer);
    if (answer.response.status != status)
        fail_msg("a key of %zu: %u: %s", strlen(key), answer.response.status, answer.text);
    answer_done(&answer);
}

static void test_keys(void **state)
{
    struct table table;
    char path[64];

    (void)state;
    with_key("/v1/games", NULL, many('k', IDEMPOTENCY_SECRET_MIN - 1), 400);
    with_key("/v1/games", NULL, many('k', IDEMPOTENCY_SECRET_MIN), 201);
    with_key("/v1/games", NULL, many('k', IDEMPOTENCY_MAX), 201);
    with_key("/v1/games", NULL, many('k', IDEMPOTENCY_MAX + 1), 400);
    table_make(&client, "{\"ruleset\":\"engarde\"}", 0, &table);
    (void)snprintf(path, sizeof path, "/v1/games/%s/draw", table.id);
    with_key(path, table.seat[0], many('k', IDEMPOTENCY_MIN - 1), 400);
    with_key(path, table.seat[0], many('k', IDEMPOTENCY_MIN), 422); /* the body is no draw's */
}

/* An answer is given again until its hours are over, and not a second longer. */
static void test_hours(void **state)
{
    const int64_t start = 1800000000000, hours = (int64_t)IDEMPOTENCY_HOURS * 3600 * 1000;
    const struct ask ask = {.method = "POST",
                            .path = "/v1/games",
                            .body = "{\"ruleset\":\"engarde\"}",
                            .idempotency_key = "0123456789abcdef0123456789abcdef-hours"};
    struct answer first, again;

    (void)state;
    memory_set_clock(client.memory, start);
    client_ask(&client, &ask, &first);
    memory_set_clock(client.memory, start + hours - 1000);
    client_ask(&client, &ask, &again);
    assert_string_equal(first.text, again.text);
    answer_done(&again);
    memory_set_clock(client.memory, start + hours + 1000);
    client_ask(&client, &ask, &again);
    assert_int_equal(again.response.status, 201);
    assert_string_not_equal(first.text, again.text);
    answer_done(&again);
    answer_done(&first);
}

static void get(const char *format, long long value, unsigned status)
{
    char path[160];

    (void)snprintf(path, sizeof path, format, value);
    struct answer answer = client_do(&client, "GET", path, NULL, NULL, status);
    answer_done(&answer);
}

static void test_pages(void **state)
{
    (void)state;
    get("/v1/games?limit=%lld", LIST_MAX, 200);
    get("/v1/games?limit=%lld", LIST_MAX + 1, 400);
    get("/v1/games?after=%lld", LIST_AFTER_MAX, 200);
    get("/v1/games?after=%lld", LIST_AFTER_MAX + 1LL, 400);
}

static size_t count_of(const char *haystack, const char *needle)
{
    size_t count = 0;

    for (const char *at = haystack; (at = strstr(at, needle)); at += strlen(needle))
        count++;
    return count;
}

/* More games than a page holds: LIST_MAX of them, and the rest behind `after`. */
static void test_whole_page(void **state)
{
    (void)state;
    for (int i = 0; i < LIST_MAX + 1; i++)
        create(201, "%s", "{\"ruleset\":\"engarde\"}");
    struct answer answer = client_do(&client, "GET", "/v1/games", NULL, NULL, 200);
    assert_int_equal(count_of(answer.text, "\"id\":"), LIST_MAX);
    answer_done(&answer);
}

/* A game with one event more than an answer may hold. */
static void test_events(void **state)
{
    static struct table table;
    struct seeded seeded = {5};
    char path[80];
    int made = 0;

    (void)state;
    while (made < EVENTS_PER_ANSWER) { /* some games are over earlier */
        table_make(&client, "{\"ruleset\":\"stratego\",\"variant\":\"classic\"}", 0, &table);
        for (int seat = 0; seat < 2; seat++)
            table_set_up(&client, &table, "classic", seat, &seeded);
        for (made = 0; made < EVENTS_PER_ANSWER && table_move(&client, &table, &seeded);)
            made++;
    }
    (void)snprintf(path, sizeof path, "/v1/games/%s/events", table.id);
    struct answer answer = client_do(&client, "GET", path, NULL, NULL, 200);
    assert_int_equal(count_of(answer.text, "\"prev\":"), EVENTS_PER_ANSWER);
    answer_done(&answer);
    (void)snprintf(path, sizeof path, "/v1/games/%s/events?wait=%%lld", table.id);
    get(path, WAIT_MAX_S, 200);
    get(path, WAIT_MAX_S + 1, 400);

    /* A stream hands out less at a time: what a reader who is slow keeps here. */
    struct request request = {.method = "GET", .path = path, .accept = "text/event-stream"};
    struct response response;
    struct out out = {0};
    (void)snprintf(path, sizeof path, "/v1/games/%s/events", table.id);
    response_init(&response);
    api_handle(client.api, &request, &response);
    assert_int_equal(response.kind, RESPONSE_STREAM);
    assert_int_equal(api_stream(client.api, &response.stream, &out), STREAM_MORE);
    size_t size;
    char *said = out_take(&out, &size);
    assert_int_equal(count_of(said, "\ndata:"), EVENTS_STREAMED);
    free(said);
    response_done(&response);
}

static void test_clocks(void **state)
{
    char number[32];

    (void)state;
    for (int over = 0; over < 2; over++) {
        (void)snprintf(number, sizeof number, "%d", CLOCK_MAX_S + over);
        create(over ? 422 : 201, "{\"ruleset\":\"engarde\",\"clock\":{\"per_move_s\":%s}}",
               number);
        create(over ? 422 : 201,
               "{\"ruleset\":\"engarde\",\"clock\":{\"initial_s\":1,\"increment_s\":%s}}",
               number);
        create(over ? 422 : 201,
               "{\"ruleset\":\"engarde\",\"clock\":{\"initial_s\":%s,\"increment_s\":0}}",
               number);
    }
}

/* Nobody has as many moves as there is room for: a list is never cut. */
static void test_moves(void **state)
{
    static const char ask[] =
        "{\"ruleset\":\"stratego\",\"variant\":\"classic\",\"state\":{\"pieces\":{"
        "\"a1\":[\"red\",\"flag\"],\"e4\":[\"red\",\"scout\"],\"j10\":[\"blue\",\"flag\"]},"
        "\"turn\":\"red\"}}";

    (void)state;
    struct answer answer = client_do(&client, "POST", "/v1/adjudicate", NULL, ask, 200);
    size_t count = count_of(answer.text, "\"from\":");
    assert_int_equal(count, 18);
    assert_true(count < MOVES_MAX);
    answer_done(&answer);
}

static void test_moves_judged(void **state)
{
    (void)state;
    for (size_t over = 0; over < 2; over++) {
        size_t size =
            (size_t)sprintf(long_text, "{\"ruleset\":\"engarde\",\"state\":{},\"moves\":[0");
        for (size_t i = 1; i < MOVES_JUDGED_MAX + over; i++)
            size += (size_t)sprintf(long_text + size, ",0");
        (void)sprintf(long_text + size, "]}");
        struct answer answer =
            client_do(&client, "POST", "/v1/adjudicate", NULL, long_text, 422);
        bool said = answer_text(&answer, "/pointer") &&
                    strcmp(answer_text(&answer, "/pointer"), "/moves") == 0;
        if (said != (over == 1))
            fail_msg("%s", answer.text);
        answer_done(&answer);
    }
}

/* Asked with this body, is the number of the bound what is complained of? */
static void bounded(const char *body, unsigned long bound, bool over)
{
    char number[24];
    struct answer answer = client_do(&client, "POST", "/v1/adjudicate", NULL, body, 422);
    const char *detail = answer_text(&answer, "/detail");

    (void)snprintf(number, sizeof number, "%lu", bound);
    if ((detail && strstr(detail, number)) != over)
        fail_msg("%lu: %s", bound, answer.text);
    answer_done(&answer);
}

static void test_notation(void **state)
{
    (void)state;
    for (size_t over = 0; over < 2; over++) {
        (void)snprintf(text, sizeof text,
                       "{\"ruleset\":\"engarde\",\"position\":\"10/13 0/0 12335/33344 1245 l - "
                       "1l\",\"notation\":\"%s\"}",
                       many('x', MOVE_TEXT_MAX + over));
        bounded(text, MOVE_TEXT_MAX, over == 1);
        (void)snprintf(text, sizeof text, "{\"ruleset\":\"engarde\",\"position\":\"%s\"}",
                       many('x', POSITION_TEXT_MAX + over));
        bounded(text, POSITION_TEXT_MAX, over == 1);
    }
}

/* What is said of such a record; "" if it can be read. */
static const char *reading(const char *record, size_t size)
{
    static struct sheet_fault fault;
    struct sheet sheet;

    fault.what[0] = '\0';
    (void)sheet_read(record, size, &sheet, &fault);
    sheet_done(&sheet);
    return fault.what;
}

/* A record of so many bytes (which are a comment), and of so many entries. */
static void test_records(void **state)
{
    static const char head[] = "game engarde\noption first left\n", entry[] = "time left\n";
    static char record[SHEET_MAX + 2];

    (void)state;
    memset(record, '#', sizeof record);
    memcpy(record, head, strlen(head));
    record[SHEET_MAX - 1] = '\n';
    assert_string_equal(reading(record, SHEET_MAX), "");
    assert_non_null(strstr(reading(record, SHEET_MAX + 1), "1048576"));
    size_t size = strlen(head);
    for (size_t i = 0; i < SHEET_ENTRIES_MAX; i++, size += strlen(entry))
        memcpy(record + size, entry, sizeof entry);
    assert_string_equal(reading(record, size), "");
    memcpy(record + size, entry, sizeof entry);
    assert_non_null(strstr(reading(record, size + strlen(entry)), "32768"));
}

/* What is said of a transcript with these lists, and else empty; answer_done() frees it. */
static struct answer verify(const char *keys, const char *events)
{
    (void)snprintf(long_text, sizeof long_text,
                   "{\"transcript\":{\"format\":\"refereed-transcript/1\",\"id\":"
                   "\"AAAAAAAAAAAAAAAAAAAAAA\",\"keys\":[%s],\"events\":[%s],\"seeds\":{},"
                   "\"secrets\":{},\"openings\":[],\"result\":{}}}",
                   keys, events);
    return client_do(&client, "POST", "/v1/verify", NULL, long_text, 200);
}

/* Is the check of that name good? */
static bool verified(const char *keys, const char *events, const char *name)
{
    struct answer answer = verify(keys, events);
    bool ok = false;
    size_t i;
    const json_t *check;

    json_array_foreach(json_object_get(answer.json, "checks"), i, check)
    {
        if (strcmp(json_string_value(json_object_get(check, "name")), name) == 0)
            ok = json_is_true(json_object_get(check, "ok"));
    }
    answer_done(&answer);
    return ok;
}

static void test_transcript_keys(void **state)
{
    char keys[(TRANSCRIPT_KEYS_MAX + 1) * (PASERK_SIZE + 4)];

    (void)state;
    for (int over = 0; over < 2; over++) {
        size_t size = 0;
        for (int i = 0; i < TRANSCRIPT_KEYS_MAX + over; i++) {
            uint8_t seed[32] = {(uint8_t)i, 1};
            struct token_key key;
            token_key_from_seed(&key, seed);
            size += (size_t)sprintf(keys + size, "%s\"%s\"", i ? "," : "", key.paserk);
        }
        assert_int_equal(verified(keys, "", "keys"), !over);
    }
}

static void test_claims(void **state)
{
    const struct token_key *key = &client.config.signing;
    char keys[PASERK_SIZE + 4];

    (void)state;
    (void)snprintf(keys, sizeof keys, "\"%s\"", key->paserk);
    for (size_t over = 0; over < 2; over++) {
        size_t size = (size_t)sprintf(text, "{\"typ\":\"event\",\"pad\":\"");
        memset(text + size, 'x', CLAIMS_MAX + over - size - 2);
        (void)sprintf(text + CLAIMS_MAX + over - 2, "\"}");
        assert_int_equal(strlen(text), CLAIMS_MAX + over);
        char *token = token_sign(key, "event", text, strlen(text));
        static char event[2 * CLAIMS_MAX];
        (void)snprintf(event, sizeof event, "{\"seq\":1,\"token\":\"%s\"}", token);
        free(token);
        assert_int_equal(verified(keys, event, "signatures"), !over);
    }
}

/* So many events fit into TRANSCRIPT_MAX only if they are no events; they are not looked at. */
static void test_transcript_events(void **state)
{
    static char events[2 * (TRANSCRIPT_EVENTS_MAX + 2)];
    char keys[PASERK_SIZE + 4];

    (void)state;
    (void)snprintf(keys, sizeof keys, "\"%s\"", client.config.signing.paserk);
    for (int over = 0; over < 2; over++) {
        size_t size = 0;
        for (int i = 0; i < TRANSCRIPT_EVENTS_MAX + over; i++) {
            if (i)
                events[size++] = ',';
            events[size++] = '0';
        }
        events[size] = '\0';
        struct answer answer = verify(keys, events);
        bool refused = strstr(answer.text, "There are no events to check.");
        assert_int_equal(refused, over);
        answer_done(&answer);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nesting),      cmocka_unit_test(test_names),
        cmocka_unit_test(test_verdicts),     cmocka_unit_test(test_keys),
        cmocka_unit_test(test_hours),        cmocka_unit_test(test_pages),
        cmocka_unit_test(test_whole_page),   cmocka_unit_test(test_events),
        cmocka_unit_test(test_clocks),       cmocka_unit_test(test_moves),
        cmocka_unit_test(test_moves_judged), cmocka_unit_test(test_notation),
        cmocka_unit_test(test_records),      cmocka_unit_test(test_transcript_keys),
        cmocka_unit_test(test_claims),       cmocka_unit_test(test_transcript_events),
    };

    return cmocka_run_group_tests(tests, open_client, close_client);
}
