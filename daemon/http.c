#include "daemon/http.h"

#include "api/base64.h"
#include "api/limits.h"
#include "daemon/clock.h"
#include "daemon/framing.h"
#include "daemon/peers.h"
#include "daemon/rate.h"
#include "daemon/request_id.h"
#include "daemon/spares.h"
#include "daemon/streams.h"
#include "daemon/tally.h"
#include "daemon/tls.h"
#include "daemon/wipe.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <microhttpd.h>
#include <poll.h>
#include <pthread.h>
#include <sodium.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
    POOL_SIZE = 4768, /* of a connection, for its header and that of the answer: most of what
                       * one costs that sleeps */
    FIELD_COST = 64,  /* of these, for each field beside its text */
    HEAD_ROOM = 528,  /* of these, for the header of the answer */
    STREAM_BLOCK = 128,
    HEARTBEAT_MS = 15000,
    TICK_MS = 250,
    LOSSES_MAX = 3,  /* a request whose change was lost is asked so often again */
    URI_USUAL = 96,  /* bytes, with its NUL */
    SPARES_MAX = 64, /* of each kind and worker */
};

struct http {
    struct http_settings settings;
    struct http_parts parts;
    struct peers peers;
    struct streams *streams; /* NULL with TLS, where streams stay with libmicrohttpd */
    struct rate *addresses, *seats, *creations; /* NULL: no limit */
    struct worker *workers;
    pthread_mutex_t renewing;
    struct tls *tls; /* with `renewing`: for new connections; NULL: no TLS */
    pthread_t timer;
    pthread_mutex_t mutex; /* with `ticked`: lets the timer be stopped at once */
    pthread_cond_t ticked;
    bool timer_stops;
    bool raw; /* libmicrohttpd leaves the header where it came, as later ones may not */
    _Atomic bool stopping;
    _Atomic long active; /* requests under way */
    _Atomic long asleep; /* of these, suspended for the disk's sake */
    _Atomic int large;   /* of these, with a body beyond BODY_MAX */
    _Atomic long polls;  /* of these, long polls that wait */
    _Atomic long lives;  /* streams that libmicrohttpd sends */
};

/* A thread that answers. */
struct worker {
    struct worker *next;
    struct http *http;
    struct MHD_Daemon *daemon;
    pthread_t thread;
    struct spares calls, responses; /* this thread's alone, as are: */
    struct tally *tally;
    struct request_ids ids;
    bool figures; /* answers GET /metrics and nothing else */
    int epoll, wakeup;
    _Atomic bool woken; /* `wakeup` has been told, and not been heard yet */
    _Atomic bool stops;
};

enum stage { STAGE_LINE, STAGE_BODY, STAGE_DISK, STAGE_POLL, STAGE_SENT };

/* One request, from its first line to the last byte of its answer. */
struct call {
    struct waiter waiter; /* first: the writer gives it back */
    struct watch watch;
    struct http *http;
    struct worker *worker;
    struct MHD_Connection *connection;
    struct peer *peer;
    struct request request;
    struct response *response;
    const char *forwarded; /* X-Forwarded-For */
    const char *given_id;  /* X-Request-Id */
    const char *line_uri;  /* libmicrohttpd's own */
    char *body;
    size_t body_size, body_room, body_max;
    int64_t began_us, took_us; /* until the answer was ready */
    unsigned status;
    const char *route;
    char id[REQUEST_ID_SIZE];
    uint8_t stage; /* enum stage */
    uint8_t losses;
    bool watched, large, too_large, close;
    bool old;   /* HTTP/1.0 */
    bool usual; /* one of the worker's spares: the uri has at most URI_USUAL bytes */
    char uri[]; /* as sent; the path is cut from it */
};

/* A stream that is being sent; it outlives its call's response, not its call. */
struct live {
    struct watch watch; /* first: the table gives it back */
    struct http *http;
    struct worker *worker;
    struct MHD_Connection *connection;
    struct peer *peer;
    struct stream stream;
    struct out out;
    size_t sent; /* of `out` */
    bool ended;
};

static void *copy_of_constant(const char *text)
{
    return (void *)(uintptr_t)text; /* libmicrohttpd takes void *, but only reads it */
}

/* ---- wiping: bodies and credentials are gone once they are read or sent ---- */

/* What libmicrohttpd holds of a request, and does not need any more. */
static void wipe(const char *bytes, size_t size)
{
    sodium_memzero(copy_of_constant(bytes), size);
}

/* ---- waking ---- */

static void wake_worker(struct worker *worker)
{
    const uint64_t one = 1;

    if (atomic_exchange(&worker->woken, true))
        return; /* it will look anyway: many are resumed by one write */
    ssize_t done = write(worker->wakeup, &one, sizeof one);
    (void)done; /* a counter that is full wakes as well */
}

static void resume(struct worker *worker, struct MHD_Connection *connection)
{
    MHD_resume_connection(connection);
    wake_worker(worker);
}

/* ---- responses ---- */

/* An empty response; NULL without memory. */
static struct response *response_take(struct worker *worker)
{
    struct response *r = spares_take(&worker->responses);

    if (r)
        response_init(r);
    return r;
}

static void response_give(struct worker *worker, struct response *r)
{
    if (r)
        response_done(r);
    spares_give(&worker->responses, r);
}

/* ---- sending ---- */

/* The answer is there: what the log will say of it, and what is counted. */
static void answered(struct call *call, const struct response *r)
{
    enum request_kind kind = call->watched ? KIND_POLL
                             : r->ticket && strcmp(call->request.method, "POST") == 0
                                 ? KIND_CHANGE
                                 : KIND_READ;

    call->status = r->status;
    call->route = r->route;
    call->took_us = clock_steady_us() - call->began_us;
    tally_answer(call->worker->tally, r, kind, call->took_us);
}

/* False without memory. */
static bool add_headers(const struct call *call, struct MHD_Response *made)
{
    const struct response *r = call->response;
    bool close = call->close || call->http->stopping;

    for (size_t i = 0; i < r->header_count; i++)
        if (MHD_add_response_header(made, r->headers[i].name, response_value(r, i)) != MHD_YES)
            return false;
    return (!r->content_type ||
            MHD_add_response_header(made, "Content-Type", r->content_type) == MHD_YES) &&
           MHD_add_response_header(made, "X-Request-Id", call->id) == MHD_YES &&
           (!close || MHD_add_response_header(made, "Connection", "close") == MHD_YES);
}

/* Better no answer than one without its headers: who has a key can ask again. */
static enum MHD_Result queue(struct call *call, struct MHD_Response *made)
{
    struct response *r = call->response;

    if (!made)
        return MHD_NO;
    if (!add_headers(call, made)) {
        MHD_destroy_response(made);
        return MHD_NO;
    }
    answered(call, r);
    call->stage = STAGE_SENT;
    peer_phase(call->peer, PHASE_SEND);
    enum MHD_Result result = MHD_queue_response(call->connection, r->status, made);
    MHD_destroy_response(made);
    response_give(call->worker, r);
    call->response = NULL;
    return result;
}

static enum MHD_Result send_whole(struct call *call)
{
    struct response *r = call->response;
    struct MHD_Response *made;

    if (r->body) {
        made =
            MHD_create_response_from_buffer_with_free_callback(r->size, r->body, wipe_and_free);
        if (made)
            r->body = NULL; /* taken over */
    } else {
        made = MHD_create_response_from_buffer(r->fixed ? r->size : 0,
                                               copy_of_constant(r->fixed ? r->fixed : ""),
                                               MHD_RESPMEM_PERSISTENT);
    }
    return queue(call, made);
}

static enum MHD_Result send_problem(struct call *call, const char *slug, const char *detail)
{
    if (!call->response)
        call->response = response_take(call->worker);
    if (!call->response)
        return MHD_NO;
    api_problem(call->http->parts.api, &call->request, slug, detail, call->response);
    return send_whole(call);
}

/* The connection's pool is so full that libmicrohttpd has no room for the header of an answer,
 * and would close without a word. Under TLS it does. */
static enum MHD_Result send_bare(struct call *call)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(call->connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    struct response r = {0};
    char head[320];

    api_problem(call->http->parts.api, &call->request, "headers_too_large", NULL, &r);
    int size = snprintf(head, sizeof head,
                        "HTTP/1.1 %u Request Header Fields Too Large\r\nConnection: close\r\n"
                        "Content-Type: %s\r\nContent-Length: %zu\r\nX-Request-Id: %s\r\n\r\n",
                        r.status, r.content_type, r.size, call->id);
    if (info && r.body && !call->http->tls) {
        ssize_t done = send(info->connect_fd, head, (size_t)size, MSG_NOSIGNAL | MSG_MORE);
        if (done == size)
            done = send(info->connect_fd, r.body, r.size, MSG_NOSIGNAL);
        shutdown(info->connect_fd, SHUT_WR);
    }
    answered(call, &r);
    response_done(&r);
    return MHD_NO;
}

/* ---- streams ---- */

static void live_sleep(struct watch *watch)
{
    struct live *live = (struct live *)(void *)watch;

    peer_phase(live->peer, PHASE_WORK);
    MHD_suspend_connection(live->connection);
}

static void live_wake(struct watch *watch)
{
    struct live *live = (struct live *)(void *)watch;

    resume(live->worker, live->connection);
}

static ssize_t live_give(struct live *live, char *buffer, size_t max)
{
    size_t left = live->out.size - live->sent, size = left < max ? left : max;

    memcpy(buffer, live->out.text + live->sent, size);
    live->sent += size;
    if (live->sent == live->out.size) {
        out_done(&live->out);
        live->out = (struct out){0};
        live->sent = 0;
    }
    peer_phase(live->peer, PHASE_SEND);
    return (ssize_t)size;
}

/* Fills live->out with what there is to send; false: nothing, and the connection sleeps. */
static bool live_fill(struct live *live)
{
    for (;;) {
        unsigned flags = watch_take(live->http->parts.watchers, &live->watch);
        live->ended =
            api_stream(live->http->parts.api, &live->stream, &live->out) == STREAM_ENDED ||
            (flags & WATCH_STOPPING) != 0 || live->out.failed;
        if (!live->ended && live->out.size == 0 && (flags & WATCH_DUE) != 0)
            out_bytes(&live->out, live->stream.sse ? ":\n\n" : "\n", live->stream.sse ? 3 : 1);
        if (live->ended || live->out.size > 0)
            return true;
        int64_t due_ms = live->watch.due_ms;
        if (due_ms == 0)
            due_ms = clock_now_ms(NULL) + HEARTBEAT_MS;
        if (watch_sleep(live->http->parts.watchers, &live->watch, due_ms))
            return false;
    }
}

static ssize_t live_read(void *context, uint64_t position, char *buffer, size_t max)
{
    struct live *live = context;

    (void)position;
    if (live->out.size == 0 && !live->ended && !live_fill(live))
        return 0;
    if (live->out.size > 0 && !live->out.failed)
        return live_give(live, buffer, max);
    return MHD_CONTENT_READER_END_OF_STREAM;
}

static void live_free(void *context)
{
    struct live *live = context;

    live->http->lives--;
    watch_remove(live->http->parts.watchers, &live->watch);
    out_done(&live->out);
    free(live);
}

/* Takes the connection from libmicrohttpd, which closes what it has of it without a word: that
 * is what MHD_USE_TURBO is for. False: it stays. */
static bool hand_over(struct call *call)
{
    struct response *r = call->response;
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(call->connection, MHD_CONNECTION_INFO_CONNECTION_FD);

    if (!call->http->streams || !info || strcmp(call->request.method, "GET") != 0)
        return false;
    int fd = fcntl(info->connect_fd, F_DUPFD_CLOEXEC, 0);
    if (fd < 0)
        return false;
    size_t headers = r->header_count;
    response_header(r, "X-Request-Id", "%s", call->id);
    if (streams_take(call->http->streams, fd, r, !call->old)) {
        answered(call, r);
        return true;
    }
    r->header_count = headers; /* queue() gives it */
    close(fd);
    return false;
}

static enum MHD_Result send_stream(struct call *call)
{
    if (hand_over(call))
        return MHD_NO;
    struct live *live = calloc(1, sizeof *live);
    if (!live)
        return send_problem(call, "unavailable", NULL);
    live->http = call->http;
    live->worker = call->worker;
    live->connection = call->connection;
    live->peer = call->peer;
    live->stream = call->response->stream;
    live->watch.sleep = live_sleep;
    live->watch.wake = live_wake;
    memcpy(live->watch.gid, call->response->gid, sizeof live->watch.gid);
    watch_add(call->http->parts.watchers, &live->watch);
    call->http->lives++;
    struct MHD_Response *made = MHD_create_response_from_callback(
        MHD_SIZE_UNKNOWN, STREAM_BLOCK, live_read, live, live_free);
    if (!made)
        live_free(live);
    return queue(call, made);
}

/* ---- limits ---- */

static uint64_t address_of(const struct call *call)
{
    const char *last;

    if (!call->http->settings.trust_proxy || !call->forwarded)
        return call->peer->address;
    last = strrchr(call->forwarded, ',');
    last = last ? last + 1 : call->forwarded;
    last += strspn(last, " ");
    return rate_key(last, strlen(last));
}

/* The credential without its scheme, whose letters may be of either case; NULL: none. */
static const char *presented(const struct call *call)
{
    const char *text = call->request.authorization;
    const char *space = text ? strchr(text, ' ') : NULL;

    return space ? space + 1 : text;
}

/* How long this request comes too early; 0: it does not. Whoever has shown that he plays has a
 * budget of his own, so that he is not kept from his move by others at the same address. What
 * costs most, making games, is counted by the address whoever does it. */
static int64_t early_ms(const struct call *call)
{
    const struct http *http = call->http;
    const char *credential = presented(call);
    int64_t now_ms = clock_steady_ms(), wait_ms = 0;

    if (!http->addresses)
        return 0;
    if (!credential ||
        !rate_take_admitted(http->seats, rate_key(credential, strlen(credential)), now_ms,
                            &wait_ms))
        wait_ms = rate_take(http->addresses, address_of(call), now_ms);
    if (wait_ms == 0 && http->creations && api_makes_game(&call->request))
        wait_ms = rate_take(http->creations, address_of(call), now_ms);
    return wait_ms;
}

/* Only a change of a game shows that a credential is one: all else may be asked without. */
static void note_credential(const struct call *call)
{
    const struct response *r = call->response;
    const char *credential = presented(call);

    /* A ticket: something new went to the store, and no kept answer was told again. */
    if (call->http->addresses && credential && r && r->status < 400 && r->ticket && r->route &&
        strstr(r->route, "{id}") && strcmp(call->request.method, "POST") == 0)
        rate_admit(call->http->seats, rate_key(credential, strlen(credential)),
                   clock_steady_ms());
}

static bool open_rates(struct http *http)
{
    const struct http_settings *s = &http->settings;

    if (s->rate == 0)
        return true;
    http->addresses = rate_new(s->rate, 1000, s->burst);
    http->seats = rate_new(s->seat_rate, 1000, s->seat_burst);
    if (s->create_rate > 0)
        http->creations = rate_new(s->create_rate, 60000, s->create_burst);
    return http->addresses && http->seats && (s->create_rate == 0 || http->creations);
}

static void close_rates(struct http *http)
{
    rate_free(http->addresses);
    rate_free(http->seats);
    rate_free(http->creations);
}

static enum MHD_Result send_early(struct call *call, int64_t wait_ms)
{
    call->response = response_take(call->worker);
    if (!call->response)
        return MHD_NO;
    api_early(call->http->parts.api, &call->request, wait_ms, call->response);
    return send_whole(call);
}

/* ---- asking ---- */

static void disk_wake(struct waiter *waiter)
{
    struct call *call = (struct call *)(void *)waiter;

    call->http->asleep--;
    resume(call->worker, call->connection);
}

/* Nobody who sleeps needs a response. What it says of the sleep must have been read. */
static void drop_response(struct call *call)
{
    response_give(call->worker, call->response);
    call->response = NULL;
}

static enum MHD_Result ask(struct call *call);

/* What the answer rested on is on disk, or not. If another daemon was faster (-ESTALE), or
 * memory was found to be old before anything was written (-EAGAIN), it never was: the request
 * is asked again, of the game as it is now. */
static enum MHD_Result after_disk(struct call *call)
{
    bool again = call->waiter.error == -ESTALE || call->waiter.error == -EAGAIN;

    if (again && call->losses++ < LOSSES_MAX) {
        call->request.lost = call->request.lost || call->waiter.error == -ESTALE;
        drop_response(call);
        return ask(call);
    }
    if (call->waiter.error)
        api_failed(call->http->parts.api, &call->request, call->waiter.error, call->response);
    return send_whole(call);
}

/* Sends once the ticket is settled: write, then speak. */
static enum MHD_Result wait_for_disk(struct call *call)
{
    struct writer *writer = call->http->parts.writer;

    call->waiter.ticket = call->response->ticket;
    call->waiter.wake = disk_wake;
    call->stage = STAGE_DISK;
    if (call->waiter.ticket == 0)
        return send_whole(call);
    if (writer_settled(writer, call->waiter.ticket)) {
        (void)writer_wait(writer, &call->waiter); /* only tells how it ended */
        return after_disk(call);
    }
    call->http->asleep++;
    MHD_suspend_connection(call->connection); /* before anybody can wake it */
    if (!writer_wait(writer, &call->waiter))
        disk_wake(&call->waiter);
    return MHD_YES;
}

static void poll_sleep(struct watch *watch)
{
    struct call *call = (struct call *)(void *)((char *)watch - offsetof(struct call, watch));

    MHD_suspend_connection(call->connection);
}

static void poll_wake(struct watch *watch)
{
    struct call *call = (struct call *)(void *)((char *)watch - offsetof(struct call, watch));

    resume(call->worker, call->connection);
}

static void begin_watch(struct call *call)
{
    call->watch.sleep = poll_sleep;
    call->watch.wake = poll_wake;
    memcpy(call->watch.gid, call->response->gid, sizeof call->watch.gid);
    watch_add(call->http->parts.watchers, &call->watch);
    call->watched = true;
    call->http->polls++;
}

/* Asks until there is an answer or the game is to be waited for. */
static enum MHD_Result ask(struct call *call)
{
    struct watchers *watchers = call->http->parts.watchers;

    for (;;) {
        if (call->watched &&
            (watch_take(watchers, &call->watch) & (WATCH_DUE | WATCH_STOPPING)) != 0)
            call->request.timed_out = true;
        if (!call->response && !(call->response = response_take(call->worker)))
            return MHD_NO;
        api_handle(call->http->parts.api, &call->request, call->response);
        note_credential(call);
        if (call->response->kind == RESPONSE_STREAM)
            return send_stream(call);
        if (call->response->kind == RESPONSE_WHOLE)
            return wait_for_disk(call);
        if (call->request.timed_out)
            return send_problem(call, "unavailable", NULL);
        call->stage = STAGE_POLL;
        bool looked = call->watched;
        int64_t until_ms = call->response->wait_until_ms;
        if (!looked)
            begin_watch(call); /* and look once more: it may have changed meanwhile */
        drop_response(call);
        if (looked && watch_sleep(watchers, &call->watch, until_ms))
            return MHD_YES;
    }
}

/* ---- receiving ---- */

/* The header fields that are passed on, and where to. */
static const struct {
    const char *name;
    size_t size, place;
} fields[] = {
#define FIELD(name, member)                                                                    \
    {                                                                                          \
        name, sizeof(name) - 1, offsetof(struct call, member)                                  \
    }
    FIELD("Host", request.host),
    FIELD("Authorization", request.authorization),
    FIELD("Content-Type", request.content_type),
    FIELD("Accept", request.accept),
    FIELD("Prefer", request.prefer),
    FIELD("If-Match", request.if_match),
    FIELD("If-None-Match", request.if_none_match),
    FIELD("Idempotency-Key", request.idempotency_key),
    FIELD("Origin", request.origin),
    FIELD("Accept-Language", request.accept_language),
    FIELD("Last-Event-ID", request.last_event_id),
    FIELD("Access-Control-Request-Method", request.request_method),
    FIELD("X-Forwarded-For", forwarded),
    FIELD("X-Request-Id", given_id),
#undef FIELD
};

/* Where a header field goes; NULL: it is not one that is passed on. */
static const char **place_of(struct call *call, const char *name, size_t size)
{
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (fields[i].size == size && strcasecmp(fields[i].name, name) == 0)
            return (const char **)(void *)((char *)call + fields[i].place);
    return NULL;
}

struct intake {
    struct call *call;
    struct framing framing;
    size_t fields;
};

static enum MHD_Result take_field(void *context, enum MHD_ValueKind kind, const char *name,
                                  size_t name_size, const char *value, size_t value_size)
{
    struct intake *intake = context;
    const char **place = place_of(intake->call, name, name_size);

    (void)kind;
    intake->fields++;
    value = value ? value : "";
    framing_field(&intake->framing, name, name_size, value, value_size);
    if (place && *place && place != &intake->call->forwarded &&
        place != &intake->call->given_id && place != &intake->call->request.accept &&
        place != &intake->call->request.prefer)
        framing_fault(&intake->framing, "bad_request", "a header is given twice");
    if (place)
        *place = value;
    return MHD_YES;
}

static bool split_query(struct call *call)
{
    char *query = strchr(call->uri, '?');

    if (!query)
        return true;
    *query++ = '\0';
    return framing_query(query, call->request.query, &call->request.query_count);
}

/* Makes room for `size` bytes. Large bodies are few at once: their memory is not bounded by the
 * number of connections. */
static bool grow_body(struct call *call, size_t size)
{
    size_t room = call->body_room;

    if (size <= room)
        return true;
    if (size > BODY_MAX && !call->large) {
        call->large = true;
        if (++call->http->large > BODIES_LARGE_MAX)
            return false;
    }
    room = size > 2 * room ? size : 2 * room;
    char *body = malloc(room + 1);
    if (!body)
        return false;
    if (call->body)
        memcpy(body, call->body,
               call->body_size < call->body_room ? call->body_size : call->body_room);
    wipe_and_free(call->body);
    call->body = body;
    call->body_room = room;
    return true;
}

/* Of the header as it came, from the method to its empty line. */
static size_t header_size(const struct call *call)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(call->connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);

    return info ? info->header_size : 0;
}

/* All of the header is there: refuses what is malformed, makes room for the body. */
static enum MHD_Result take_header(struct call *call, const char *method, const char *version)
{
    struct intake intake = {.call = call};
    struct framing *f = &intake.framing;
    size_t line_size = strlen(call->uri);

    call->request.method = method;
    call->request.path = call->uri;
    call->stage = STAGE_BODY;
    call->old = strcmp(version, "HTTP/1.0") == 0;
    framing_line(f, method, call->uri, version);
    if (call->http->raw)
        framing_layout(f, method, call->line_uri, line_size, version);
    if (!split_query(call))
        framing_fault(f, "bad_request", "the query cannot be decoded or is too long");
    MHD_get_connection_values_n(call->connection, MHD_HEADER_KIND, take_field, &intake);
    if (call->http->raw)
        framing_laid(f, method + header_size(call));
    request_id(&call->worker->ids, call->given_id, call->id);
    call->body_max = api_body_max(&call->request);
    framing_end(f, method, version, call->body_max);
    call->close = f->slug != NULL;
    if (line_size + f->size + intake.fields * FIELD_COST > POOL_SIZE - HEAD_ROOM)
        return send_bare(call);
    if (f->slug)
        return send_problem(call, f->slug, f->detail);
    peer_phase(call->peer, f->lengths + f->codings > 0 ? PHASE_BODY : PHASE_WORK);
    return f->length == 0 ||
                   grow_body(call, f->length > BODY_MAX ? BODY_MAX : (size_t)f->length)
               ? MHD_YES
               : MHD_NO;
}

/* An answer cannot be sent while chunks are coming in, so what is too large is read away. */
static enum MHD_Result take_body(struct call *call, const char *data, size_t *size)
{
    size_t total = call->body_size + *size;

    call->too_large = call->too_large || total > call->body_max;
    if (call->too_large ? total > call->body_max + DRAIN_MAX : !grow_body(call, total))
        return MHD_NO;
    if (!call->too_large)
        memcpy(call->body + call->body_size, data, *size);
    call->body_size = total;
    wipe(data, *size);
    *size = 0;
    return MHD_YES;
}

static enum MHD_Result send_figures(struct call *call)
{
    call->response = response_take(call->worker);
    if (!call->response)
        return MHD_NO;
    api_metrics(call->http->parts.api, &call->request, call->response);
    return send_whole(call);
}

/* All of the request is there. */
static enum MHD_Result take_whole(struct call *call)
{
    peer_phase(call->peer, PHASE_WORK);
    call->close = call->too_large;
    if (call->too_large)
        return send_problem(call, "too_large", NULL);
    if (call->worker->figures)
        return send_figures(call);
    int64_t wait_ms = early_ms(call);
    if (wait_ms > 0)
        return send_early(call, wait_ms);
    if (call->body) {
        call->body[call->body_size] = '\0';
        call->request.body = call->body;
        call->request.body_size = call->body_size;
    }
    return ask(call);
}

static enum MHD_Result on_request(void *context, struct MHD_Connection *connection,
                                  const char *url, const char *method, const char *version,
                                  const char *data, size_t *size, void **state)
{
    struct call *call = *state;

    (void)context;
    (void)connection;
    (void)url;
    if (!call || !call->peer)
        return MHD_NO; /* there was no memory for it */
    if (call->stage == STAGE_LINE)
        return take_header(call, method, version);
    if (*size > 0)
        return take_body(call, data, size);
    if (call->stage == STAGE_BODY)
        return take_whole(call);
    if (call->stage == STAGE_DISK)
        return after_disk(call);
    return call->stage == STAGE_POLL ? ask(call) : MHD_NO;
}

static void *on_line(void *context, const char *uri, struct MHD_Connection *connection)
{
    struct worker *worker = context;
    struct http *http = worker->http;
    size_t size = strlen(uri) + 1;
    bool usual = size <= URI_USUAL;
    struct call *call = usual ? spares_take(&worker->calls) : malloc(sizeof *call + size);

    if (!call)
        return NULL;
    memset(call, 0, sizeof *call);
    call->usual = usual;
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    call->http = http;
    call->worker = worker;
    call->connection = connection;
    call->peer = info ? info->socket_context : NULL;
    call->line_uri = uri;
    call->began_us = clock_steady_us();
    memcpy(call->uri, uri, size);
    http->active++;
    return call;
}

/* The first bytes of the game's id, for the log: it is public, unlike all else in a request. */
static bool game_of(const struct call *call, uint8_t ret_gid[static 16])
{
    static const char before[] = "/v1/games/";
    const char *id = call->uri + sizeof before - 1;

    return call->route && strstr(call->route, "{id}") &&
           strncmp(call->uri, before, sizeof before - 1) == 0 && strcspn(id, "/") == 22 &&
           base64_decode(id, 22, ret_gid, 16);
}

static void log_call(const struct call *call)
{
    struct log *log = call->http->parts.log;
    uint8_t gid[16];

    if (log->level < LEVEL_INFO && call->status < 500)
        return;
    log_request(log, &(struct log_request){
                         .method = call->request.method,
                         .route = call->route,
                         .gid = game_of(call, gid) ? gid : NULL,
                         .status = call->status,
                         .us = call->took_us,
                         .id = call->id,
                     });
}

static void on_done(void *context, struct MHD_Connection *connection, void **state,
                    enum MHD_RequestTerminationCode how)
{
    struct http *http = context;
    struct call *call = *state;

    (void)connection;
    (void)how;
    *state = NULL;
    if (!call)
        return;
    if (call->status)
        log_call(call);
    if (call->watched) {
        http->polls--;
        watch_remove(http->parts.watchers, &call->watch);
    }
    if (call->large)
        http->large--;
    if (call->peer)
        peer_phase(call->peer, PHASE_IDLE);
    response_give(call->worker, call->response);
    wipe_and_free(call->body);
    if (call->request.authorization)
        wipe(call->request.authorization, strlen(call->request.authorization));
    if (call->usual)
        spares_give(&call->worker->calls, call);
    else
        free(call);
    http->active--;
}

/* ---- connections ---- */

static uint64_t address_key(const struct sockaddr *address)
{
    const struct sockaddr_in *four = (const struct sockaddr_in *)(const void *)address;
    const struct sockaddr_in6 *six = (const struct sockaddr_in6 *)(const void *)address;

    if (address && address->sa_family == AF_INET)
        return rate_key(&four->sin_addr, sizeof four->sin_addr);
    if (address && address->sa_family == AF_INET6)
        return rate_key(&six->sin6_addr, 8); /* whoever has a /64 has all of it */
    return 0;
}

/* The latest certificate, for as long as the connection is open. */
static void greet(struct http *http, struct MHD_Connection *connection, struct peer *peer)
{
    const union MHD_ConnectionInfo *session =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_GNUTLS_SESSION);

    if (!session || !session->tls_session)
        return;
    pthread_mutex_lock(&http->renewing);
    peer->tls = tls_ref(http->tls);
    pthread_mutex_unlock(&http->renewing);
    tls_use(peer->tls, session->tls_session);
}

static void on_connection(void *context, struct MHD_Connection *connection, void **state,
                          enum MHD_ConnectionNotificationCode what)
{
    struct http *http = context;
    struct peer *peer = *state;

    if (what == MHD_CONNECTION_NOTIFY_CLOSED) {
        if (peer) {
            tls_unref(peer->tls); /* its session is gone */
            peer_free(&http->peers, peer);
        }
        *state = NULL;
        return;
    }
    const union MHD_ConnectionInfo *fd =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    const union MHD_ConnectionInfo *from =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    *state = peer =
        peer_new(&http->peers, fd->connect_fd, address_key(from ? from->client_addr : NULL));
    if (peer)
        greet(http, connection, peer);
}

/* Everything is decoded once, by us, after it was looked at. */
static size_t leave_encoded(void *context, struct MHD_Connection *connection, char *text)
{
    (void)context;
    (void)connection;
    return strlen(text);
}

static void *run_timer(void *context)
{
    struct http *http = context;
    struct timespec wait;

    pthread_mutex_lock(&http->mutex);
    while (!http->timer_stops) {
        clock_steady_after(TICK_MS * 1000, &wait);
        pthread_cond_timedwait(&http->ticked, &http->mutex, &wait);
        peers_reap(&http->peers, clock_steady_ms());
        watchers_tick(http->parts.watchers, clock_now_ms(NULL));
    }
    pthread_mutex_unlock(&http->mutex);
    return NULL;
}

static bool start_timer(struct http *http)
{
    pthread_mutex_init(&http->mutex, NULL);
    clock_steady_cond(&http->ticked);
    return pthread_create(&http->timer, NULL, run_timer, http) == 0;
}

static void close_parts(struct http *http)
{
    close_rates(http);
    tls_unref(http->tls);
    pthread_mutex_destroy(&http->renewing);
}

struct http *http_new(const struct http_settings *settings, const struct http_parts *parts)
{
    struct http *http = calloc(1, sizeof *http);

    if (!http)
        return NULL;
    http->settings = *settings;
    http->parts = *parts;
    http->raw = strncmp(MHD_get_version(), "0.9.", 4) == 0;
    peers_init(&http->peers);
    http->peers.header_ms = settings->header_s * 1000;
    http->peers.body_ms = settings->body_s * 1000;
    http->peers.send_ms = settings->send_s * 1000;
    http->tls = tls_ref(settings->tls);
    pthread_mutex_init(&http->renewing, NULL);
    bool rates = open_rates(http);
    if (!settings->tls)
        http->streams = streams_new(
            &(struct streams_settings){settings->connections, settings->send_s * 1000},
            parts->api, parts->watchers);
    if (rates && (settings->tls || http->streams) && start_timer(http))
        return http;
    streams_free(http->streams);
    close_parts(http);
    free(http);
    return NULL;
}

/* Waits until there is something to do. libmicrohttpd must not wait by itself: when it gets as
 * many events as it takes at once (128) it waits for more before it handles them, and if all
 * who could send some wait for their answers that is for ever. */
static void await_events(struct worker *worker)
{
    struct pollfd files[2] = {{.fd = worker->epoll, .events = POLLIN},
                              {.fd = worker->wakeup, .events = POLLIN}};
    MHD_UNSIGNED_LONG_LONG ms;
    uint64_t ignored;

    if (MHD_get_timeout(worker->daemon, &ms) == MHD_NO || ms > HEARTBEAT_MS)
        ms = HEARTBEAT_MS;
    if (ms > 0)
        writer_working(worker->http->parts.writer, false);
    poll(files, 2, (int)ms);
    if (ms > 0)
        writer_working(worker->http->parts.writer, true);
    if ((files[1].revents & POLLIN) != 0 && read(worker->wakeup, &ignored, sizeof ignored) > 0)
        worker->woken = false; /* before it looks at who is resumed */
}

static void *run_worker(void *context)
{
    struct worker *worker = context;
    bool listens = true;

    writer_working(worker->http->parts.writer, true);
    while (!worker->stops) {
        if (listens && worker->http->stopping) {
            close(MHD_quiesce_daemon(worker->daemon));
            listens = false;
        }
        await_events(worker);
        MHD_run(worker->daemon);
    }
    writer_working(worker->http->parts.writer, false);
    return NULL;
}

/* A daemon of libmicrohttpd for each thread, all on the same listening socket. `fd` is taken
 * over. */
static struct MHD_Daemon *start_daemon(struct worker *worker, int fd)
{
    struct http *http = worker->http;
    const struct http_settings *s = &http->settings;
    struct MHD_OptionItem options[4];
    size_t n = 0;
    bool tls = s->tls && !worker->figures;
    unsigned flags = MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME |
                     (tls ? MHD_USE_TLS : MHD_USE_TURBO); /* see hand_over() */
    intptr_t limit = (s->connections + s->threads - 1) / s->threads;

    options[n++] = (struct MHD_OptionItem){MHD_OPTION_LISTEN_SOCKET, fd, NULL};
    options[n++] = (struct MHD_OptionItem){MHD_OPTION_CONNECTION_LIMIT, limit, NULL};
    options[n++] = (struct MHD_OptionItem){MHD_OPTION_CONNECTION_MEMORY_LIMIT, POOL_SIZE, NULL};
    options[n++] = (struct MHD_OptionItem){MHD_OPTION_END, 0, NULL};
    return MHD_start_daemon(flags, 0, NULL, NULL, on_request, http, MHD_OPTION_NOTIFY_COMPLETED,
                            on_done, http, MHD_OPTION_NOTIFY_CONNECTION, on_connection, http,
                            MHD_OPTION_URI_LOG_CALLBACK, on_line, worker,
                            MHD_OPTION_UNESCAPE_CALLBACK, leave_encoded, NULL, MHD_OPTION_ARRAY,
                            options, tls ? MHD_OPTION_HTTPS_CERT_CALLBACK : MHD_OPTION_END,
                            tls_none, MHD_OPTION_END); /* see greet() */
}

static void worker_free(struct worker *worker)
{
    if (worker->daemon)
        MHD_stop_daemon(worker->daemon);
    if (worker->wakeup >= 0)
        close(worker->wakeup);
    spares_done(&worker->calls);
    spares_done(&worker->responses);
    free(worker);
}

static int start_worker(struct http *http, int fd, bool figures)
{
    struct worker *worker = calloc(1, sizeof *worker);

    if (!worker)
        return -ENOMEM;
    worker->http = http;
    worker->figures = figures;
    request_ids_init(&worker->ids);
    worker->tally = tally_new(&http->parts.metrics->tallies);
    spares_init(&worker->calls, sizeof(struct call) + URI_USUAL, SPARES_MAX);
    spares_init(&worker->responses, sizeof(struct response), SPARES_MAX);
    worker->wakeup = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    errno = worker->tally ? EINVAL : ENOMEM;
    worker->daemon = worker->wakeup >= 0 && worker->tally ? start_daemon(worker, fd) : NULL;
    int error = worker->daemon ? 0 : -errno;
    if (!error) {
        worker->epoll = MHD_get_daemon_info(worker->daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd;
        error = -pthread_create(&worker->thread, NULL, run_worker, worker);
    }
    if (error) {
        worker_free(worker);
        return error;
    }
    worker->next = http->workers;
    http->workers = worker;
    return 0;
}

int http_listen(struct http *http, int fd)
{
    int error = 0;

    /* all workers hear of a connection, and one of them gets it */
    if (fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK) < 0)
        return -errno;
    for (unsigned i = 1; i < http->settings.threads && !error; i++) {
        int twin = fcntl(fd, F_DUPFD_CLOEXEC, 0);
        error = twin < 0 ? -errno : start_worker(http, twin, false);
    }
    return error ? error : start_worker(http, fd, false);
}

int http_listen_metrics(struct http *http, int fd)
{
    if (fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK) < 0)
        return -errno;
    return start_worker(http, fd, true);
}

void http_renew(struct http *http, struct tls *tls)
{
    pthread_mutex_lock(&http->renewing);
    struct tls *old = http->tls;
    http->tls = tls_ref(tls);
    pthread_mutex_unlock(&http->renewing);
    tls_unref(old);
}

void http_state(const struct http *http, struct http_state *ret_state)
{
    *ret_state = (struct http_state){.connections = http->peers.count,
                                     .active = (size_t)http->active,
                                     .asleep = (size_t)http->asleep,
                                     .polls = (size_t)http->polls,
                                     .streams = (size_t)http->lives};
    if (http->streams && !http->stopping) /* whoever asks is waited for by http_stop() */
        ret_state->streams += streams_count(http->streams);
}

static void stop_workers(struct http *http)
{
    for (struct worker *one = http->workers; one; one = one->next) {
        one->stops = true;
        wake_worker(one);
    }
    while (http->workers) {
        struct worker *worker = http->workers;
        http->workers = worker->next;
        pthread_join(worker->thread, NULL);
        worker_free(worker);
    }
}

bool http_stop(struct http *http, int64_t grace_ms)
{
    int64_t end_ms = clock_steady_ms() + grace_ms;

    http->stopping = true;
    for (struct worker *one = http->workers; one; one = one->next)
        wake_worker(one);
    watchers_stop(http->parts.watchers);
    while (http->active > 0 && clock_steady_ms() < end_ms)
        clock_pause(5);
    streams_free(http->streams);
    http->streams = NULL;
    if (http->asleep > 0)
        return false;
    stop_workers(http);
    pthread_mutex_lock(&http->mutex);
    http->timer_stops = true;
    pthread_mutex_unlock(&http->mutex);
    pthread_cond_signal(&http->ticked);
    pthread_join(http->timer, NULL);
    return true;
}

void http_free(struct http *http)
{
    if (!http)
        return;
    close_parts(http);
    pthread_mutex_destroy(&http->mutex);
    pthread_cond_destroy(&http->ticked);
    free(http);
}
