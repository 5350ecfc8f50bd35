#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/system/crowd.h"

enum { MATCHES = 50, IDLE_ASKED = 2000, SPREAD_MOVES = 40, SPREAD_PAUSE_MS = 100 };

static const char *const names[] = {[WATCH_SSE] = "sse", [WATCH_POLL] = "poll"};

/* Readers of streams who have left are noticed at once, not when there is something to send. */
static void await_leaving(const struct place *place, long files)
{
    int64_t began_us = now_us();

    for (long left; (left = files_of(place)) > files; rest_ms(50))
        if (now_us() - began_us > 60000000)
            give_up("%ld descriptors are not given back", left - files);
    printf("sse_left_ms\t%ld\n", (long)((now_us() - began_us) / 1000));
}

/* What a watcher costs that has been told something and waits again. */
void scene_memory(const struct place *place, enum watching kind, size_t count)
{
    static struct match matches[MATCHES];
    struct crowd crowd = {.place = place, .kind = kind};
    int fd = dial(place, 0);

    for (int i = 0; i < MATCHES; i++)
        match_make(fd, &matches[i]);
    long before = memory_of(place);
    crowd_open(&crowd, count, matches, MATCHES);
    crowd_listen(&crowd, 500);
    long opened = memory_of(place);
    for (int i = 0; i < MATCHES; i++)
        match_move(fd, &matches[i]);
    if (!crowd_catch_up(&crowd, 30000))
        give_up("%zu watchers: not all were told, %zu were sent away", count, crowd.gone);
    crowd_listen(&crowd, 500);
    long after = memory_of(place);
    printf("%s_opened_bytes\t%ld\n", names[kind], (opened - before) * 1024 / (long)count);
    printf("%s_bytes\t%ld\n", names[kind], (after - before) * 1024 / (long)count);
    long files = files_of(place);
    crowd_close(&crowd);
    if (kind == WATCH_SSE)
        await_leaving(place, files - (long)count);
    close(fd);
}

struct spread {
    struct crowd crowd;
    struct match match;
    uint32_t first;                        /* seq of the first move */
    _Atomic int64_t said_us[SPREAD_MOVES]; /* when the mover had his answer */
    int64_t *told_us;                      /* by move and watcher */
    _Atomic bool done;
};

static void on_told(void *context, size_t watcher, uint32_t seq, int64_t us)
{
    struct spread *spread = context;

    if (seq >= spread->first && seq < spread->first + SPREAD_MOVES)
        spread->told_us[(seq - spread->first) * spread->crowd.count + watcher] = us;
}

static void *listen_on(void *context)
{
    struct spread *spread = context;

    while (!spread->done)
        crowd_listen(&spread->crowd, 10);
    return NULL;
}

static void print_spread(struct spread *spread, size_t count)
{
    size_t all = count * SPREAD_MOVES;

    for (size_t i = 0; i < all; i++) {
        if (!spread->told_us[i])
            give_up("watcher %zu was not told of move %zu", i % count, i / count);
        int64_t late = spread->told_us[i] - spread->said_us[i / count];
        spread->told_us[i] = late > 0 ? late : 0;
    }
    const char *name = names[spread->crowd.kind];
    printf("%s_spread_p50_us\t%ld\n", name, (long)part_of(spread->told_us, all, 0.5));
    printf("%s_spread_p99_us\t%ld\n", name, (long)part_of(spread->told_us, all, 0.99));
}

/* How long after the mover's answer do all who watch one game know of the move? */
void scene_spread(const struct place *place, enum watching kind, size_t count)
{
    static struct spread spread;
    pthread_t thread;
    int fd = dial(place, 0);

    match_make(fd, &spread.match);
    spread.crowd =
        (struct crowd){.place = place, .kind = kind, .told = on_told, .context = &spread};
    spread.told_us = calloc(count * SPREAD_MOVES, sizeof *spread.told_us);
    spread.first = spread.match.seq + 1;
    crowd_open(&spread.crowd, count, &spread.match, 1);
    crowd_listen(&spread.crowd, 300);
    if (!spread.told_us || pthread_create(&thread, NULL, listen_on, &spread))
        give_up("no thread");
    int64_t *moved_us = calloc(SPREAD_MOVES, sizeof *moved_us);
    for (int i = 0; i < SPREAD_MOVES; i++) {
        int64_t began_us = now_us();
        match_move(fd, &spread.match);
        spread.said_us[i] = now_us();
        if (moved_us)
            moved_us[i] = spread.said_us[i] - began_us;
        rest_ms(SPREAD_PAUSE_MS);
    }
    rest_ms(1000);
    spread.done = true;
    pthread_join(thread, NULL);
    print_spread(&spread, count);
    printf("%s_move_p50_us\t%ld\n", names[kind], (long)part_of(moved_us, SPREAD_MOVES, 0.5));
    free(moved_us);
    free(spread.told_us);
    crowd_close(&spread.crowd);
    close(fd);
}

/* Connections that have asked once and say no more, and somebody among them who goes on. */
void scene_idle(const struct place *place, size_t count)
{
    static struct reply reply;
    static int64_t took_us[IDLE_ASKED];
    static struct match match;
    int *fds = calloc(count, sizeof *fds), fd = dial(place, 0);
    char path[64];

    match_make(fd, &match);
    long before = memory_of(place);
    for (size_t i = 0; fds && i < count; i++) {
        fds[i] = dial(place, 0);
        ask(fds[i], "/healthz", NULL, NULL, 200, &reply);
    }
    (void)snprintf(path, sizeof path, "/v1/games/%s", match.id);
    for (int i = 0; i < IDLE_ASKED; i++) {
        int64_t began_us = now_us();
        if (i % 2)
            match_move(fd, &match);
        else
            ask(fd, path, NULL, match.seat[0], 200, &reply);
        took_us[i] = now_us() - began_us;
    }
    printf("idle_p50_us\t%ld\n", (long)part_of(took_us, IDLE_ASKED, 0.5));
    printf("idle_p99_us\t%ld\n", (long)part_of(took_us, IDLE_ASKED, 0.99));
    printf("idle_bytes\t%ld\n", (memory_of(place) - before) * 1024 / (long)count);
    printf("idle_memory_kib\t%ld\n", memory_of(place));
    for (size_t i = 0; fds && i < count; i++)
        close(fds[i]);
    free(fds);
    close(fd);
}
