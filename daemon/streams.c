#include "daemon/streams.h"

#include "daemon/clock.h"

#include <assert.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
    HEARTBEAT_MS = 15000,
    TICK_MS = 250,
    AT_ONCE = 256,
    SEND_BUFFER = 32 * 1024, /* the kernel's own grows to megabytes for a reader who is slow */
    CHUNK_HEAD = 8,          /* six digits and the end of the line */
    CHUNK_MAX = 1 << 24,     /* far beyond EVENTS_STREAMED of the largest events */
    SCRATCH_KEPT = 64 * 1024,
};

/* One reader. It is in the list of all, and among the ready while `ready`. */
struct reader {
    struct watch watch; /* first: the table gives it back */
    struct reader *prev, *next, *ready_prev, *ready_next;
    struct streams *home;
    char *rest; /* what the socket has not taken yet; NULL: nothing */
    size_t rest_size, rest_sent;
    int64_t stuck_ms; /* since when there is a rest, by the steady clock */
    int64_t due_ms;   /* of the next heartbeat, by the time of day */
    struct stream stream;
    int fd;
    bool ready, chunked, more, ended;
};

struct streams {
    struct streams_settings settings;
    struct api *api;
    struct watchers *watchers;
    pthread_t thread;
    int epoll, wakeup;
    pthread_mutex_t mutex; /* of the lists, `count` and `stopping` */
    struct reader *all, *ready, *ready_last;
    size_t count;
    bool stopping;
    struct out scratch; /* of the thread */
};

/* ---- lists; all with the mutex held ---- */

static void ready_add(struct streams *s, struct reader *r)
{
    if (r->ready)
        return;
    r->ready = true;
    r->ready_next = NULL;
    r->ready_prev = s->ready_last;
    if (s->ready_last)
        s->ready_last->ready_next = r;
    else
        s->ready = r;
    s->ready_last = r;
}

static void ready_remove(struct streams *s, struct reader *r)
{
    if (!r->ready)
        return;
    r->ready = false;
    if (r->ready_prev)
        r->ready_prev->ready_next = r->ready_next;
    else
        s->ready = r->ready_next;
    if (r->ready_next)
        r->ready_next->ready_prev = r->ready_prev;
    else
        s->ready_last = r->ready_prev;
}

static void all_add(struct streams *s, struct reader *r)
{
    r->next = s->all;
    if (r->next)
        r->next->prev = r;
    s->all = r;
    s->count++;
}

static void all_remove(struct streams *s, struct reader *r)
{
    if (r->prev)
        r->prev->next = r->next;
    else
        s->all = r->next;
    if (r->next)
        r->next->prev = r->prev;
    s->count--;
}

/* ---- sleeping and waking ---- */

static void wake_thread(struct streams *s)
{
    const uint64_t one = 1;

    ssize_t done = write(s->wakeup, &one, sizeof one);
    (void)done; /* a counter that is full wakes as well */
}

static void make_ready(struct reader *r)
{
    struct streams *s = r->home;

    pthread_mutex_lock(&s->mutex);
    bool first = !s->ready;
    ready_add(s, r);
    pthread_mutex_unlock(&s->mutex);
    if (first)
        wake_thread(s);
}

static void on_sleep(struct watch *watch)
{
    (void)watch; /* a reader who sleeps is one that is not ready */
}

static void on_wake(struct watch *watch)
{
    make_ready((struct reader *)(void *)watch);
}

/* ---- sending ---- */

/* Closes and frees; `cut`: what the kernel still holds for the reader is thrown away. */
static void leave(struct reader *r, bool cut)
{
    const struct linger at_once = {.l_onoff = 1, .l_linger = 0};
    struct streams *s = r->home;

    watch_remove(s->watchers, &r->watch); /* from here on nobody makes it ready */
    pthread_mutex_lock(&s->mutex);
    ready_remove(s, r);
    all_remove(s, r);
    pthread_mutex_unlock(&s->mutex);
    if (cut)
        setsockopt(r->fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    else
        shutdown(r->fd, SHUT_WR);
    epoll_ctl(s->epoll, EPOLL_CTL_DEL, r->fd,
              NULL); /* libmicrohttpd may not have closed it yet */
    close(r->fd);
    free(r->rest);
    free(r);
}

static void rest_done(struct reader *r)
{
    free(r->rest);
    r->rest = NULL;
    r->rest_size = r->rest_sent = 0;
    r->stuck_ms = 0;
}

/* -errno: the reader is gone. */
static int send_some(const struct reader *r, const char *bytes, size_t size, size_t *ret_sent)
{
    ssize_t sent = send(r->fd, bytes, size, MSG_NOSIGNAL | MSG_DONTWAIT);

    *ret_sent = sent > 0 ? (size_t)sent : 0;
    return sent < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR ? -errno : 0;
}

/* Sends what was left over; true once nothing is. */
static int send_rest(struct reader *r, bool *ret_all)
{
    size_t sent = 0;
    int error =
        r->rest ? send_some(r, r->rest + r->rest_sent, r->rest_size - r->rest_sent, &sent) : 0;

    r->rest_sent += sent;
    *ret_all = r->rest_sent == r->rest_size;
    if (*ret_all)
        rest_done(r);
    return error;
}

/* Sends; keeps a copy of what the socket does not take. */
static int send_fresh(struct reader *r, const char *bytes, size_t size)
{
    size_t sent = 0;
    int error = send_some(r, bytes, size, &sent);

    if (error || sent == size)
        return error;
    r->rest = malloc(size - sent);
    if (!r->rest)
        return -ENOMEM;
    memcpy(r->rest, bytes + sent, size - sent);
    r->rest_size = size - sent;
    r->stuck_ms = clock_steady_ms();
    return 0;
}

/* Puts the length before what stands behind the place for it, and what ends a chunk after. */
static void close_chunk(struct out *out, bool last)
{
    char digits[24];

    if (out->failed || out->size < CHUNK_HEAD)
        return;
    assert(out->size < CHUNK_MAX);
    (void)snprintf(digits, sizeof digits, "%06zx\r\n", out->size - CHUNK_HEAD);
    memcpy(out->text, digits, CHUNK_HEAD);
    if (out->size == CHUNK_HEAD)
        out->size = 0;
    else
        out_bytes(out, "\r\n", 2);
    if (last)
        out_bytes(out, "0\r\n\r\n", 5);
}

/* Asks what there is to send and sends it. */
static int send_news(struct reader *r)
{
    struct streams *s = r->home;
    struct out *out = &s->scratch;
    unsigned flags = watch_take(s->watchers, &r->watch);

    out->size = 0;
    if (r->chunked)
        out_bytes(out, "000000\r\n", CHUNK_HEAD);
    size_t empty = out->size;
    enum stream_state state = api_stream(s->api, &r->stream, out);
    r->ended = state == STREAM_ENDED || (flags & WATCH_STOPPING) != 0;
    r->more = state == STREAM_MORE;
    if (!r->ended && out->size == empty && (flags & WATCH_DUE) != 0)
        out_bytes(out, r->stream.sse ? ":\n\n" : "\n", r->stream.sse ? 3 : 1);
    if (r->due_ms == 0 || (flags & WATCH_DUE) != 0)
        r->due_ms = clock_now_ms(NULL) + HEARTBEAT_MS;
    if (r->chunked)
        close_chunk(out, r->ended);
    int error = out->failed ? -ENOMEM : out->size ? send_fresh(r, out->text, out->size) : 0;
    if (out->failed || out->room > SCRATCH_KEPT)
        out_done(out);
    return error;
}

/* Sends for as long as there is something and the socket takes it, but no more than one batch
 * before the others have their turn. */
static void serve(struct reader *r)
{
    bool all;
    int error = send_rest(r, &all);

    if (!error && all && !r->ended) {
        error = send_news(r);
        all = r->rest == NULL;
    }
    if (error || (all && r->ended)) {
        leave(r, error != 0);
        return;
    }
    if (!all)
        return; /* goes on when the socket takes more */
    if (r->more || !watch_sleep(r->home->watchers, &r->watch, r->due_ms))
        make_ready(r);
}

/* ---- the thread ---- */

static struct reader *ready_take(struct streams *s)
{
    pthread_mutex_lock(&s->mutex);
    struct reader *r = s->ready;
    if (r)
        ready_remove(s, r);
    pthread_mutex_unlock(&s->mutex);
    return r;
}

/* Those who were ready when it was called; who becomes ready anew waits for the next turn. */
static void serve_ready(struct streams *s)
{
    pthread_mutex_lock(&s->mutex);
    size_t turns = s->count;
    pthread_mutex_unlock(&s->mutex);
    for (struct reader *r; turns > 0 && (r = ready_take(s)); turns--)
        serve(r);
}

static void on_event(struct reader *r, uint32_t events)
{
    if (events & (EPOLLERR | EPOLLHUP | EPOLLRDHUP))
        leave(r, true); /* whoever has closed his side has left */
    else if (r->rest)
        serve(r);
}

/* Cuts off who has not taken what he was sent; at the stop, everybody who has not. */
static void reap(struct streams *s, bool stopping)
{
    int64_t now_ms = clock_steady_ms();
    struct reader *next;

    pthread_mutex_lock(&s->mutex);
    struct reader *r = s->all;
    pthread_mutex_unlock(&s->mutex);
    for (; r; r = next) { /* only this thread takes out, and others add before the first */
        next = r->next;
        if (r->rest && (stopping || now_ms - r->stuck_ms > s->settings.send_ms))
            leave(r, true);
    }
}

/* One round; false: stopped, and everybody has left. */
static bool look(struct streams *s, int ms)
{
    struct epoll_event events[AT_ONCE];
    int count = epoll_wait(s->epoll, events, AT_ONCE, ms);
    uint64_t ignored;

    for (int i = 0; i < count; i++) {
        if (events[i].data.ptr)
            on_event(events[i].data.ptr, events[i].events);
        else if (read(s->wakeup, &ignored, sizeof ignored) < 0)
            continue; /* it was read before */
    }
    serve_ready(s);
    pthread_mutex_lock(&s->mutex);
    bool goes_on = !s->stopping || s->count > 0;
    pthread_mutex_unlock(&s->mutex);
    return goes_on;
}

static void *run(void *context)
{
    struct streams *s = context;
    int64_t reaped_ms = clock_steady_ms();
    bool goes_on = true;

    while (goes_on) {
        pthread_mutex_lock(&s->mutex);
        bool busy = s->ready != NULL, stopping = s->stopping;
        pthread_mutex_unlock(&s->mutex);
        goes_on = look(s, busy ? 0 : TICK_MS);
        int64_t now_ms = clock_steady_ms();
        if (stopping || now_ms - reaped_ms >= TICK_MS) {
            reap(s, stopping);
            reaped_ms = now_ms;
        }
    }
    return NULL;
}

/* ---- coming ---- */

static void write_date(struct out *out)
{
    time_t now = (time_t)(clock_now_ms(NULL) / 1000);
    struct tm parts;
    char text[64];

    gmtime_r(&now, &parts);
    out_bytes(out, text,
              strftime(text, sizeof text, "Date: %a, %d %b %Y %H:%M:%S GMT\r\n", &parts));
}

static void write_header(struct out *out, const char *name, const char *value)
{
    out_bytes(out, name, strlen(name));
    out_bytes(out, ": ", 2);
    out_bytes(out, value, strlen(value));
    out_bytes(out, "\r\n", 2);
}

static void write_head(struct out *out, const struct response *response, bool chunked)
{
    const char *line = chunked ? "HTTP/1.1 200 OK\r\n" : "HTTP/1.0 200 OK\r\n";

    out_bytes(out, line, strlen(line));
    write_date(out);
    write_header(out, "Content-Type", response->content_type);
    for (size_t i = 0; i < response->header_count; i++)
        write_header(out, response->headers[i].name, response_value(response, i));
    write_header(out, "Connection", "close");
    if (chunked)
        write_header(out, "Transfer-Encoding", "chunked");
    out_bytes(out, "\r\n", 2);
}

static struct reader *reader_new(struct streams *s, int fd, const struct response *response,
                                 bool chunked)
{
    struct reader *r = calloc(1, sizeof *r);
    struct out head = {0};

    write_head(&head, response, chunked);
    if (r)
        r->rest = out_take(&head, &r->rest_size);
    if (!r || !r->rest) {
        out_done(&head);
        free(r);
        return NULL;
    }
    r->home = s;
    r->fd = fd;
    r->chunked = chunked;
    r->stream = response->stream;
    r->stuck_ms = clock_steady_ms();
    r->watch.sleep = on_sleep;
    r->watch.wake = on_wake;
    memcpy(r->watch.gid, response->gid, sizeof r->watch.gid);
    return r;
}

static void set_up_socket(int fd)
{
    const int yes = 1, no = 0, size = SEND_BUFFER;

    setsockopt(fd, IPPROTO_TCP, TCP_CORK, &no, sizeof no);
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
}

/* Lists it and has its socket watched; with the mutex held. */
static bool admit(struct streams *s, struct reader *r)
{
    struct epoll_event event = {.events = EPOLLOUT | EPOLLRDHUP | EPOLLET, .data.ptr = r};

    if (s->stopping || s->count >= s->settings.max)
        return false;
    all_add(s, r); /* before the first event of its socket */
    ready_add(s, r);
    if (epoll_ctl(s->epoll, EPOLL_CTL_ADD, r->fd, &event) == 0)
        return true;
    ready_remove(s, r);
    all_remove(s, r);
    return false;
}

bool streams_take(struct streams *streams, int fd, const struct response *response,
                  bool chunked)
{
    struct reader *r = reader_new(streams, fd, response, chunked);

    if (!r)
        return false;
    set_up_socket(fd);
    watch_add(streams->watchers, &r->watch); /* awake: nobody makes it ready before it sleeps */
    pthread_mutex_lock(&streams->mutex);
    bool taken = admit(streams, r);
    pthread_mutex_unlock(&streams->mutex);
    if (taken) {
        wake_thread(streams);
        return true;
    }
    watch_remove(streams->watchers, &r->watch);
    free(r->rest);
    free(r);
    return false;
}

static bool open_files(struct streams *s)
{
    struct epoll_event event = {.events = EPOLLIN};

    s->epoll = epoll_create1(EPOLL_CLOEXEC);
    s->wakeup = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    return s->epoll >= 0 && s->wakeup >= 0 &&
           epoll_ctl(s->epoll, EPOLL_CTL_ADD, s->wakeup, &event) == 0;
}

static void close_files(struct streams *s)
{
    if (s->epoll >= 0)
        close(s->epoll);
    if (s->wakeup >= 0)
        close(s->wakeup);
    pthread_mutex_destroy(&s->mutex);
    out_done(&s->scratch);
    free(s);
}

struct streams *streams_new(const struct streams_settings *settings, struct api *api,
                            struct watchers *watchers)
{
    struct streams *s = calloc(1, sizeof *s);

    if (!s)
        return NULL;
    s->settings = *settings;
    s->api = api;
    s->watchers = watchers;
    pthread_mutex_init(&s->mutex, NULL);
    if (open_files(s) && pthread_create(&s->thread, NULL, run, s) == 0)
        return s;
    close_files(s);
    return NULL;
}

size_t streams_count(struct streams *streams)
{
    pthread_mutex_lock(&streams->mutex);
    size_t count = streams->count;
    pthread_mutex_unlock(&streams->mutex);
    return count;
}

void streams_free(struct streams *streams)
{
    if (!streams)
        return;
    pthread_mutex_lock(&streams->mutex);
    streams->stopping = true;
    pthread_mutex_unlock(&streams->mutex);
    wake_thread(streams);
    pthread_join(streams->thread, NULL);
    close_files(streams);
}
