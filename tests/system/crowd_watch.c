#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/system/crowd.h"

enum { AT_ONCE = 256 };

/* Watches on from the last event that it knows. */
static void watch(const struct crowd *crowd, const struct watcher *watcher)
{
    static const char *const forms[] = {
        [WATCH_SSE] = "GET /v1/games/%s/events?after=%u HTTP/1.1\r\nHost: x\r\n"
                      "Accept: text/event-stream\r\n\r\n",
        [WATCH_POLL] = "GET /v1/games/%s/events?after=%u&wait=60 HTTP/1.1\r\nHost: x\r\n"
                       "Accept: application/json\r\n\r\n"};
    char text[256];
    const char *form = forms[crowd->kind];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    int size = snprintf(text, sizeof text, form, watcher->match->id, watcher->seen);
#pragma GCC diagnostic pop
    say(watcher->fd, text, (size_t)size);
}

static void number_read(struct crowd *crowd, struct watcher *watcher)
{
    if (watcher->reads == 1) {
        watcher->seen = watcher->number;
        crowd->events++;
        if (crowd->told)
            crowd->told(crowd->context, (size_t)(watcher - crowd->all), watcher->number,
                        now_us());
    } else {
        watch(crowd, watcher);
    }
    watcher->reads = 0;
}

static uint8_t step(uint8_t at, char c, const char *word)
{
    if (c == word[at])
        return (uint8_t)(at + 1);
    return c == word[0] ? 1 : 0;
}

/* Looks for the numbers behind "seq": and, of a long poll, "next": through whatever cuts. */
static void take_byte(struct crowd *crowd, struct watcher *watcher, char c)
{
    if (watcher->reads && c >= '0' && c <= '9') {
        watcher->number = watcher->number * 10 + (uint32_t)(c - '0');
        return;
    }
    if (watcher->reads)
        number_read(crowd, watcher);
    watcher->seq = step(watcher->seq, c, "\"seq\":");
    watcher->next = step(watcher->next, c, "\"next\":");
    if (watcher->seq == 6 || (watcher->next == 7 && crowd->kind == WATCH_POLL)) {
        watcher->reads = watcher->seq == 6 ? 1 : 2;
        watcher->number = 0;
    }
    if (watcher->seq == 6)
        watcher->seq = 0;
    if (watcher->next == 7)
        watcher->next = 0;
}

static void take_all(struct crowd *crowd, struct watcher *watcher)
{
    char text[8192];
    ssize_t got;

    while ((got = recv(watcher->fd, text, sizeof text, MSG_DONTWAIT)) > 0)
        for (ssize_t i = 0; i < got; i++)
            take_byte(crowd, watcher, text[i]);
    if ((got == 0 || (errno != EAGAIN && errno != EWOULDBLOCK)) && !watcher->gone) {
        watcher->gone = true;
        crowd->gone++;
        epoll_ctl(crowd->epoll, EPOLL_CTL_DEL, watcher->fd, NULL);
    }
}

static void listen_once(struct crowd *crowd, int ms)
{
    struct epoll_event events[AT_ONCE];
    int count = epoll_wait(crowd->epoll, events, AT_ONCE, ms);

    for (int i = 0; i < count; i++)
        take_all(crowd, &crowd->all[events[i].data.u64]);
}

void crowd_listen(struct crowd *crowd, int ms)
{
    int64_t end_us = now_us() + ms * 1000LL, left = ms;

    do {
        listen_once(crowd, (int)left);
        left = (end_us - now_us()) / 1000;
    } while (left > 0);
}

static bool caught_up(const struct crowd *crowd)
{
    for (size_t i = 0; i < crowd->count; i++)
        if (!crowd->all[i].gone && crowd->all[i].seen < crowd->all[i].match->seq)
            return false;
    return true;
}

bool crowd_catch_up(struct crowd *crowd, int ms)
{
    int64_t end_us = now_us() + ms * 1000LL;

    while (!caught_up(crowd) && now_us() < end_us)
        listen_once(crowd, 20);
    return caught_up(crowd) && crowd->gone == 0;
}

void crowd_open(struct crowd *crowd, size_t count, struct match *matches, size_t match_count)
{
    crowd->count = count;
    crowd->epoll = epoll_create1(EPOLL_CLOEXEC);
    crowd->all = calloc(count, sizeof *crowd->all);
    if (crowd->epoll < 0 || !crowd->all)
        give_up("no memory");
    for (size_t i = 0; i < count; i++) {
        struct watcher *one = &crowd->all[i];
        struct epoll_event event = {.events = EPOLLIN, .data.u64 = i};
        one->match = &matches[i % match_count];
        one->seen = one->match->seq - 1; /* the last event comes at once and shows it watches */
        one->fd = dial(crowd->place, 0);
        watch(crowd, one);
        if (epoll_ctl(crowd->epoll, EPOLL_CTL_ADD, one->fd, &event) < 0)
            give_up("no epoll");
        if (i % AT_ONCE == 0)
            listen_once(crowd, 0);
    }
    if (!crowd_catch_up(crowd, 30000))
        give_up("not all %zu watchers were let in: %zu were sent away", count, crowd->gone);
}

void crowd_close(struct crowd *crowd)
{
    for (size_t i = 0; i < crowd->count; i++)
        close(crowd->all[i].fd);
    close(crowd->epoll);
    free(crowd->all);
}
