/* HTTP through a real socket: what is malformed is refused and the connection closed, slow
 * clients are cut off, polls and streams wake, the stop answers what is under way. */
#include "daemon/http.h"

#include "api/limits.h"
#include "daemon/clock.h"
#include "daemon/entropy.h"
#include "daemon/listen.h"
#include "daemon/ports.h"

#include <errno.h>
#include <netinet/in.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <cmocka.h>

struct house {
    char folder[64];
    struct store store;
    struct watchers *watchers;
    struct writer *writer;
    struct ports_home home;
    struct api *api;
    struct http *http;
    struct metrics metrics;
    struct log log;
    uint16_t port;
};

static char error_text[256];
static char answer[300000];

static void build(struct house *h)
{
    const struct writer_events events = {.context = h->watchers = watchers_new(),
                                         .committed = watchers_changed};
    const struct http_settings settings = {
        .threads = 2, .connections = 1000, .header_s = 1, .body_s = 1, .send_s = 1};
    struct api_config config = {.open_creation = true, .games_in_memory = 100};
    const uint8_t seed[32] = {1};
    char text[LISTEN_TEXT_SIZE];
    int fd = -1;

    strcpy(h->folder, "/tmp/refereed-http-XXXXXX");
    assert_non_null(mkdtemp(h->folder));
    assert_int_equal(store_sqlite_open(h->folder, STORE_SERVE, &h->store, error_text), 0);
    h->writer = writer_new(&h->store, &events);
    metrics_init(&h->metrics);
    h->metrics.store = &h->store;
    h->metrics.writer = h->writer;
    h->home = (struct ports_home){&h->store, h->writer, NULL, &h->metrics};
    const struct ports ports = ports_make(&h->home);
    token_key_from_seed(&config.signing, seed);
    h->metrics.api = h->api = api_new(&config, &ports);
    h->log = (struct log){.fd = STDERR_FILENO, .level = LEVEL_ERROR};
    const struct http_parts parts = {h->api, h->writer, h->watchers, &h->log, &h->metrics};
    h->metrics.http = h->http = http_new(&settings, &parts);
    assert_int_equal(listen_open("127.0.0.1:0", "http", &fd, text, error_text), 0);
    assert_int_equal(http_listen(h->http, fd), 0);
    h->port = (uint16_t)strtol(strrchr(text, ':') + 1, NULL, 10);
}

static void tear_down(struct house *h)
{
    char command[128];

    assert_true(http_stop(h->http, 5000));
    http_free(h->http);
    writer_free(h->writer);
    api_free(h->api);
    watchers_free(h->watchers);
    metrics_done(&h->metrics);
    h->store.close(h->store.context);
    snprintf(command, sizeof command, "rm -rf '%s'", h->folder);
    assert_int_equal(system(command), 0);
}

static int connect_to(const struct house *h, int timeout_ms)
{
    const struct timeval limit = {timeout_ms / 1000, timeout_ms % 1000 * 1000};
    const struct sockaddr_in to = {.sin_family = AF_INET,
                                   .sin_port = htons(h->port),
                                   .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    assert_int_equal(connect(fd, (const struct sockaddr *)&to, sizeof to), 0);
    return fd;
}

static void say(int fd, const char *bytes, size_t size)
{
    ssize_t done = send(fd, bytes, size, MSG_NOSIGNAL);

    (void)done; /* it may have been closed before all was said */
}

/* Reads into `answer` until the end or the timeout; true: the other side has closed. */
static bool hear(int fd)
{
    size_t size = 0;
    ssize_t got;

    do {
        got = recv(fd, answer + size, sizeof answer - 1 - size, 0);
        size += got > 0 ? (size_t)got : 0;
    } while (got > 0);
    answer[size] = '\0';
    return got == 0 || (errno != EAGAIN && errno != EWOULDBLOCK);
}

/* Reads until `text` was said; false: it was not before the timeout. */
static bool hear_of(int fd, const char *text)
{
    size_t size = 0;

    answer[0] = '\0';
    while (!strstr(answer, text)) {
        ssize_t got = recv(fd, answer + size, sizeof answer - 1 - size, 0);
        if (got <= 0)
            return false;
        size += (size_t)got;
        answer[size] = '\0';
    }
    return true;
}

static int status(void)
{
    return strncmp(answer, "HTTP/1.", 7) == 0 ? (int)strtol(answer + 9, NULL, 10) : 0;
}

#define LINE       "GET /v1 HTTP/1.1\r\n"
#define POST       "POST /v1/games HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
#define SAID(text) text, sizeof text - 1

/* `own`: the answer is ours, a problem in JSON, and not the library's page. */
static const struct {
    const char *bytes;
    size_t size;
    int status;
    bool own;
} malformed[] = {
    {SAID(POST "Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}"), 400, true},
    {SAID(POST "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}"), 400, true},
    {SAID(POST "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"), 400, true},
    {SAID(POST "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
     400, true},
    {SAID(POST "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n"), 501, true},
    {SAID(POST "Transfer-Encoding: identity\r\n\r\n"), 501, true},
    {SAID("POST /v1/games HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"), 400, true},
    {SAID(POST "Content-Length: -2\r\n\r\n{}"), 400, false},
    {SAID(POST "Content-Length: 2, 2\r\n\r\n{}"), 400, false},
    {SAID(POST "Content-Length: 65537\r\n\r\n"), 413, true},
    {SAID(LINE "Host: x\r\nContent-Length: 2\r\n\r\n{}"), 400, true},
    {SAID(LINE "Host: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"), 400, true},
    {SAID("FOO /v1 HTTP/1.1\r\nHost: x\r\n\r\n"), 501, true},
    {SAID("get /v1 HTTP/1.1\r\nHost: x\r\n\r\n"), 501, true},
    {SAID("CONNECT x:80 HTTP/1.1\r\nHost: x\r\n\r\n"), 400, true},
    {SAID("OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n"), 400, true},
    {SAID("GET http://x/v1 HTTP/1.1\r\nHost: x\r\n\r\n"), 400, true},
    {SAID("GET /v1%00 HTTP/1.1\r\nHost: x\r\n\r\n"), 400, true},
    {SAID("GET /v1\0 HTTP/1.1\r\nHost: x\r\n\r\n"), 400, true},
    {SAID("GET /v1\x01 HTTP/1.1\r\nHost: x\r\n\r\n"), 400, true},
    {SAID("GET /v1/games?a=%zz HTTP/1.1\r\nHost: x\r\n\r\n"), 400, true},
    {SAID(
         "GET /v1/games?1&2&3&4&5&6&7&8&9&10&11&12&13&14&15&16&17 HTTP/1.1\r\nHost: x\r\n\r\n"),
     400, true},
    {SAID("GET /v1 HTTP/1.9\r\nHost: x\r\n\r\n"), 505, true},
    {SAID("GET /v1 HTTP/2.0\r\nHost: x\r\n\r\n"), 505, false},
    {SAID(LINE "\r\n"), 400, true},
    {SAID(LINE "Host: x\r\nHost: x\r\n\r\n"), 400, true},
    {SAID(LINE "Host: x\r\nA b: x\r\n\r\n"), 400, true},
    {SAID(LINE "Host: x\r\nAb : x\r\n\r\n"), 400, true},
    {SAID(LINE "Host: x\r\nA\xc3: x\r\n\r\n"), 400, true},
    {SAID(LINE "Host: x\r\nA: x\x01y\r\n\r\n"), 400, true},
    {SAID(LINE "Host: x\r\nA: x\rB: y\r\n\r\n"), 400, true},
    {SAID(LINE "Host: x\r\nno colon\r\n\r\n"), 400, false},
    {SAID(LINE "Host: x\r\nAuthorization: Bearer a\r\nAuthorization: Bearer b\r\n\r\n"), 400,
     true},
};

static void refuses_what_is_malformed(void **state)
{
    const struct house *h = *state;

    for (size_t i = 0; i < sizeof malformed / sizeof malformed[0]; i++) {
        int fd = connect_to(h, 3000);
        say(fd, malformed[i].bytes, malformed[i].size);
        bool closed = hear(fd);
        close(fd);
        if (status() != malformed[i].status || !closed ||
            (malformed[i].own && !strstr(answer, "application/problem+json")))
            fail_msg("%s\n->%s%s", malformed[i].bytes, answer, closed ? "" : " (left open)");
    }
}

/* `size` bytes of a header or an address, and around them what makes a request of it. */
static void say_long(const struct house *h, const char *before, size_t size, const char *after)
{
    static char filler[100000];
    int fd = connect_to(h, 3000);

    memset(filler, 'a', sizeof filler);
    say(fd, before, strlen(before));
    say(fd, filler, size);
    say(fd, after, strlen(after));
    hear(fd);
    close(fd);
}

/* Address and header are within their limits, but together leave no room for an answer: that is
 * said too, whatever the room that is left. */
static void refuses_both_together(const struct house *h)
{
    char before[2100], address[2001];

    memset(address, 'a', sizeof address - 1);
    address[sizeof address - 1] = '\0';
    snprintf(before, sizeof before, "GET /%s HTTP/1.1\r\nHost: x\r\nA: ", address);
    for (size_t size = 1400; size < 4000; size += 20) {
        say_long(h, before, size, "\r\nConnection: close\r\n\r\n");
        if (status() != (size < 2000 ? 404 : 431) && (size < 2000 || size > 2200 || !status()))
            fail_msg("%zu bytes: %s", size, answer);
    }
}

static void refuses_what_is_too_large(void **state)
{
    const struct house *h = *state;

    say_long(h, "GET /", URI_MAX - 1, " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    assert_int_equal(status(), 404);
    say_long(h, "GET /", URI_MAX, " HTTP/1.1\r\nHost: x\r\n\r\n");
    assert_int_equal(status(), 414);
    say_long(h, "GET /", 60000, " HTTP/1.1\r\nHost: x\r\n\r\n");
    assert_int_equal(status(), 414);
    /* a field counts its name, its value, ": " and the end of its line */
    for (size_t over = 0; over < 2; over++) {
        say_long(h, "GET /v1 HTTP/1.0\r\nHost: x\r\nA: ", FIELDS_SIZE_MAX - 9 - 5 + over,
                 "\r\n\r\n");
        assert_int_equal(status(), over ? 431 : 200);
    }
    say_long(h, LINE "Host: x\r\nA: ", 60000, "\r\n\r\n");
    assert_int_equal(status(), 431);
    refuses_both_together(h);
    say_long(h, POST "Content-Length: 65536\r\n\r\n", BODY_MAX,
             ""); /* not JSON, but of a fair size */
    assert_int_equal(status(), 400);
    say_long(h, POST "Transfer-Encoding: chunked\r\n\r\n10001\r\n", BODY_MAX + 1,
             "\r\n0\r\n\r\n");
    assert_int_equal(status(), 413);
}

/* As many parameters as there may be, and one more. */
static void refuses_too_many_parameters(void **state)
{
    for (int over = 0; over < 2; over++) {
        char text[200] = "GET /v1/rulesets?a";
        for (int i = 1; i < QUERY_MAX + over; i++)
            strcat(text, "&a");
        strcat(text, " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
        int fd = connect_to(*state, 3000);
        say(fd, text, strlen(text));
        hear(fd);
        close(fd);
        assert_int_equal(status(), over ? 400 : 200);
    }
}

/* Chunks without an end: as much is read away as lets the refusal be heard, then it closes. */
static void drains_no_more_than_it_must(void **state)
{
    static char chunk[65536 + 9] = "10000\r\n";
    const char head[] = POST "Transfer-Encoding: chunked\r\n\r\n";
    int fd = connect_to(*state, 3000);
    size_t sent = 0;

    memset(chunk + 7, 'a', 65536);
    memcpy(chunk + 7 + 65536, "\r\n", 2);
    say(fd, head, sizeof head - 1);
    while (sent < 8 * DRAIN_MAX && send(fd, chunk, sizeof chunk, MSG_NOSIGNAL) > 0)
        sent += 65536;
    bool closed = hear(fd);
    close(fd);
    assert_true(closed);
    assert_in_range(sent, DRAIN_MAX, 6 * DRAIN_MAX); /* some lies in the sockets' buffers */
}

/* Transcripts on their way: so many at once, and the next is closed; small bodies go on. */
static void bounds_large_bodies(void **state)
{
    static const char head[] = "POST /v1/verify HTTP/1.1\r\nHost: x\r\nContent-Type: "
                               "application/json\r\nContent-Length: 1000000\r\n\r\n";
    static char some[BODY_MAX + 1000];
    int fds[BODIES_LARGE_MAX], closed = 0;

    memset(some, ' ', sizeof some);
    for (int i = 0; i < BODIES_LARGE_MAX; i++) {
        fds[i] = connect_to(*state, 300);
        say(fds[i], head, sizeof head - 1);
        say(fds[i], some, sizeof some);
    }
    clock_pause(300);
    int fd = connect_to(*state, 900);
    say(fd, head, sizeof head - 1);
    say(fd, some, sizeof some);
    assert_true(hear(fd));
    close(fd);
    for (int i = 0; i < BODIES_LARGE_MAX; i++)
        closed += recv(fds[i], some, 1, MSG_DONTWAIT) == 0;
    assert_int_equal(closed, 0); /* the others are still waited for */
    say_long(*state, LINE "Host: x\r\nA: ", 1, "\r\nConnection: close\r\n\r\n");
    assert_int_equal(status(), 200);
    for (int i = 0; i < BODIES_LARGE_MAX; i++)
        close(fds[i]);
}

static void goes_on_after_a_good_one(void **state)
{
    const struct house *h = *state;
    int fd = connect_to(h, 500);
    const char twice[] = LINE "Host: x\r\n\r\nGET /healthz HTTP/1.1\r\nHost: x\r\n\r\n";

    say(fd, twice, sizeof twice - 1);
    assert_false(hear(fd));
    close(fd);
    assert_int_equal(status(), 200);
    assert_non_null(strstr(answer, "\"status\":\"ok\""));
}

/* A client that sends a byte now and then is cut off all the same. */
static int64_t trickle(const struct house *h, const char *start, const char *drops)
{
    int fd = connect_to(h, 100);
    int64_t began = clock_steady_ms();
    bool closed = false;

    say(fd, start, strlen(start));
    for (size_t i = 0; !closed && drops[i] && clock_steady_ms() - began < 5000; i++) {
        say(fd, &drops[i], 1);
        closed = hear(fd);
    }
    close(fd);
    return clock_steady_ms() - began;
}

static void cuts_off_slow_clients(void **state)
{
    static const char drops[] = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
    const char *const starts[] = {
        "G",
        LINE "Host: x\r\nA: ",
        LINE "Host: x\r\n\r\nGET /v1 HTTP/1.1\r\nHost: x\r\nA: ", /* the second of two */
        POST "Content-Length: 1000\r\n\r\n{",
    };

    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++) {
        int64_t ms = trickle(*state, starts[i], drops);
        if (ms < 900 || ms > 2600)
            fail_msg("%s: after %d ms", starts[i], (int)ms);
    }
}

/* Makes a game; its id and the host's credential. */
static void make_game(const struct house *h, char id[static 23], char host[static 48])
{
    int fd = connect_to(h, 3000);
    const char body[] = POST "Content-Length: 21\r\n\r\n{\"ruleset\":\"engarde\"}";

    say(fd, body, sizeof body - 1);
    if (!hear_of(fd, "\"tokens\""))
        fail_msg("%s", answer);
    close(fd);
    assert_int_equal(status(), 201);
    memcpy(id, strstr(answer, "{\"id\":\"") + 7, 22);
    id[22] = '\0';
    memcpy(host, strstr(answer, "\"host\":\"") + 8, 47);
    host[47] = '\0';
}

static void abort_game(const struct house *h, const char *id, const char *host)
{
    char text[400];
    int fd = connect_to(h, 3000);

    snprintf(text, sizeof text,
             "POST /v1/games/%s/abort HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
             "Authorization: Bearer %s\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}",
             id, host);
    say(fd, text, strlen(text));
    hear(fd);
    close(fd);
    assert_int_equal(status(), 200);
}

static int ask_events(const struct house *h, const char *id, const char *query,
                      const char *accept)
{
    char text[300];
    int fd = connect_to(h, 4000);

    snprintf(text, sizeof text,
             "GET /v1/games/%s/events?%s HTTP/1.1\r\nHost: x\r\nAccept: %s\r\n\r\n", id, query,
             accept);
    say(fd, text, strlen(text));
    return fd;
}

static void polls_and_streams_wake(void **state)
{
    const struct house *h = *state;
    char id[23], host[48];

    make_game(h, id, host);
    int poll = ask_events(h, id, "after=1&wait=30", "application/json");
    int sse = ask_events(h, id, "after=0", "text/event-stream");
    int lines = ask_events(h, id, "after=1", "application/x-ndjson");
    assert_true(hear_of(sse, "\"created\""));
    assert_true(hear_of(lines, "\r\n\r\n")); /* the headers come at once */
    int64_t began = clock_steady_ms();
    abort_game(h, id, host);
    if (!hear_of(poll, "\"ended\""))
        fail_msg("the poll: %s", answer);
    assert_true(hear_of(sse, "\r\n0\r\n\r\n")); /* the end of a game ends its streams */
    assert_non_null(strstr(answer, "\"ended\""));
    assert_true(hear_of(lines, "\r\n0\r\n\r\n"));
    assert_true(clock_steady_ms() - began < 2000);
    close(poll);
    close(sse);
    close(lines);
}

/* HTTP/1.0 knows no chunks: the stream ends with its connection. HEAD gets the header alone. */
static void other_clients_stream_too(void **state)
{
    const struct house *h = *state;
    char id[23], host[48], text[300];

    make_game(h, id, host);
    for (int head = 0; head < 2; head++) {
        int fd = connect_to(h, 4000);
        snprintf(text, sizeof text,
                 "%s /v1/games/%s/events HTTP/1.%d\r\nHost: x\r\nConnection: close\r\n"
                 "Accept: text/event-stream\r\n\r\n",
                 head ? "HEAD" : "GET", id, head);
        say(fd, text, strlen(text));
        if (!head) {
            assert_true(hear_of(fd, "\r\n\r\nid: 1\ndata: {\"seq\":1,"));
            assert_null(strcasestr(answer, "chunked"));
            abort_game(h, id, host);
        }
        assert_true(hear(fd));
        close(fd);
        if (!head) {
            assert_non_null(strstr(answer, "\"ended\""));
            assert_string_equal(answer + strlen(answer) - 3, "}\n\n");
            make_game(h, id, host);
        } else {
            assert_int_equal(status(), 200);
            assert_null(strstr(answer, "data:"));
        }
    }
}

static void a_poll_ends_in_time(void **state)
{
    const struct house *h = *state;
    char id[23], host[48];

    make_game(h, id, host);
    int64_t began = clock_steady_ms();
    int poll = ask_events(h, id, "after=1&wait=1", "application/json");
    assert_true(hear_of(poll, "\"events\":[]"));
    int64_t ms = clock_steady_ms() - began;
    assert_true(ms >= 900 && ms < 2500);
    close(poll);
}

static void the_stop_answers_what_waits(void **state)
{
    struct house *h = *state;
    char id[23], host[48];

    make_game(h, id, host);
    int poll = ask_events(h, id, "after=1&wait=30", "application/json");
    int sse = ask_events(h, id, "after=0", "text/event-stream");
    assert_true(hear_of(sse, "\"created\""));
    clock_pause(200);
    int64_t began = clock_steady_ms();
    tear_down(h);
    assert_true(clock_steady_ms() - began < 3000);
    assert_true(hear(poll));
    assert_int_equal(status(), 200);
    assert_non_null(strstr(answer, "\"events\":[]"));
    assert_true(hear(sse));
    close(poll);
    close(sse);
}

int main(void)
{
    static struct house house;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(refuses_what_is_malformed, &house),
        cmocka_unit_test_prestate(refuses_what_is_too_large, &house),
        cmocka_unit_test_prestate(refuses_too_many_parameters, &house),
        cmocka_unit_test_prestate(drains_no_more_than_it_must, &house),
        cmocka_unit_test_prestate(bounds_large_bodies, &house),
        cmocka_unit_test_prestate(goes_on_after_a_good_one, &house),
        cmocka_unit_test_prestate(cuts_off_slow_clients, &house),
        cmocka_unit_test_prestate(polls_and_streams_wake, &house),
        cmocka_unit_test_prestate(other_clients_stream_too, &house),
        cmocka_unit_test_prestate(a_poll_ends_in_time, &house),
        cmocka_unit_test_prestate(the_stop_answers_what_waits,
                                  &house), /* last: it takes it down */
    };

    signal(SIGPIPE, SIG_IGN);
    if (entropy_init())
        return 1;
    build(&house);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
