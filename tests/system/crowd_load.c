#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/system/crowd.h"

enum {
    STALL_ROUNDS = 20,
    STALL_SECONDS = 15,
    STOPPED_MAX = 400,
    SLOW_MOVES = 3000,
    SOAK_PLAYERS = 32,
    SOAK_GROWTH_KIB = 1024,
    STORE_CACHE_KIB = 32000,
    LOG_MAX_KIB = 65536,
};

static const char look[] = "GET /v1 HTTP/1.1\r\nHost: x\r\n\r\n";

static void hear_all(const int *fds, size_t count, const char *when)
{
    static struct reply reply;

    for (size_t i = 0; i < count; i++)
        if (!hear(fds[i], STALL_SECONDS, &reply) || reply.status / 100 != 2)
            give_up("connection %zu of %zu, %s: %s", i, count, when, reply.text);
}

/* The daemon finds exactly 1, 2, 3 .. requests when it looks: some number may be the one at
 * which a loop takes what it has for only a part, and waits for more. */
static void ask_while_stopped(const struct place *place, const int *fds, size_t count)
{
    for (size_t asked = 1; asked <= count && asked <= STOPPED_MAX; asked++) {
        kill(place->pid, SIGSTOP);
        for (size_t i = 0; i < asked; i++)
            say(fds[i], look, sizeof look - 1);
        kill(place->pid, SIGCONT);
        hear_all(fds, asked, "asked while the daemon was stopped");
    }
}

/* A third only looks; a third makes a game, and so sleeps for the disk's sake; a third does so
 * too, but that it polls now and then for what does not come. */
static void ask_at_once(const int *fds, size_t count, const struct match *match)
{
    static const char make[] = "POST /v1/games HTTP/1.1\r\nHost: x\r\nContent-Type: "
                               "application/json\r\nContent-Length: 21\r\n\r\n"
                               "{\"ruleset\":\"engarde\"}";
    char poll_text[160];

    (void)snprintf(poll_text, sizeof poll_text,
                   "GET /v1/games/%s/events?after=%u&wait=1 HTTP/1.1\r\nHost: x\r\n\r\n",
                   match->id, match->seq);
    for (int round = 0; round < STALL_ROUNDS; round++) {
        bool polls = round % 5 == 4;
        for (size_t i = 0; i < count; i++) {
            const char *text = i % 3 == 0 ? look : i % 3 == 1 && polls ? poll_text : make;
            say(fds[i], text, strlen(text));
        }
        hear_all(fds, count, "all at once");
    }
}

/* All ask at once, again and again; each must be answered. */
void scene_stall(const struct place *place, size_t count)
{
    static struct match match;
    int *fds = calloc(count, sizeof *fds);

    if (!fds)
        give_up("no memory");
    for (size_t i = 0; i < count; i++) {
        fds[i] = dial(place, 0);
        say(fds[i], look, sizeof look - 1); /* or it would be closed for saying nothing */
    }
    hear_all(fds, count, "at first");
    match_make(fds[0], &match);
    ask_while_stopped(place, fds, count);
    ask_at_once(fds, count, &match);
    printf("stall_%zu_answered\t%zu\n", count, count * STALL_ROUNDS);
    for (size_t i = 0; i < count; i++)
        close(fds[i]);
    free(fds);
}

/* The crowd reads on meanwhile; NULL: there is none yet. */
static int64_t moves_p50(int fd, struct match *match, size_t count, struct crowd *crowd)
{
    int64_t *took_us = calloc(count, sizeof *took_us);

    for (size_t i = 0; took_us && i < count; i++) {
        int64_t began_us = now_us();
        match_move(fd, match);
        took_us[i] = now_us() - began_us;
        if (crowd)
            crowd_listen(crowd, 0);
    }
    int64_t middle = part_of(took_us, count, 0.5);
    free(took_us);
    return middle;
}

/* A reader who stops reading while a fast game goes on is closed within `seconds` and one more
 * after his buffers are full; the others are told everything, and the mover does not wait. */
void scene_slow(const struct place *place, size_t seconds)
{
    static struct match match;
    struct crowd crowd = {.place = place, .kind = WATCH_SSE};
    char text[256];
    int fd = dial(place, 0);

    match_make(fd, &match);
    int64_t alone_us = moves_p50(fd, &match, SLOW_MOVES / 4, NULL);
    crowd_open(&crowd, 5, &match, 1);
    long files = files_of(place);
    int slow = dial(place, 4096);
    int size = snprintf(text, sizeof text,
                        "GET /v1/games/%s/events?after=%u&tokens=1 HTTP/1.1\r\nHost: x\r\n"
                        "Accept: text/event-stream\r\n\r\n",
                        match.id, match.seq);
    say(slow, text, (size_t)size);
    rest_ms(300);
    if (files_of(place) != files + 1)
        give_up("the slow reader was not let in");
    long before = memory_of(place);
    int64_t with_us = moves_p50(fd, &match, SLOW_MOVES, &crowd);
    int64_t full_us = now_us(), limit_us = ((int64_t)seconds + 1) * 1000000;
    while (files_of(place) > files && now_us() - full_us < limit_us) {
        match_move(fd, &match);
        crowd_listen(&crowd, 10);
    }
    if (files_of(place) > files)
        give_up("the slow reader is still there");
    if (!crowd_catch_up(&crowd, 5000))
        give_up("others were not told everything");
    if (crowd.events < 5 * SLOW_MOVES)
        give_up("others were told of %lu events", (unsigned long)crowd.events);
    if (with_us > 3 * alone_us + 5000)
        give_up("the mover was slowed from %ld to %ld us", (long)alone_us, (long)with_us);
    const char *slack = getenv("SLACK_KIB");
    if (memory_of(place) - before > 8192 + (slack ? strtol(slack, NULL, 10) : 0))
        give_up("the slow reader cost %ld KiB", memory_of(place) - before);
    printf("slow_closed_ms\t%ld\n", (long)((now_us() - full_us) / 1000));
    printf("slow_mover_us\t%ld\nslow_mover_alone_us\t%ld\n", (long)with_us, (long)alone_us);
    close(slow);
    crowd_close(&crowd);
    close(fd);
}

struct mark {
    long memory, files, store; /* KiB, descriptors, KiB */
};

struct soak {
    const struct place *place;
    size_t moves, each; /* in all, and of a player */
    _Atomic size_t made;
    int64_t *took_us; /* by move; a player's lie together */
    struct mark first, last;
    long log; /* KiB of the write-ahead log at its longest */
};

struct player {
    struct soak *soak;
    size_t number;
    pthread_t thread;
};

static void *play(void *context)
{
    struct player *player = context;
    struct soak *soak = player->soak;
    struct match match;
    int fd = dial(soak->place, 0);

    match_make(fd, &match);
    for (size_t i = 0; i < soak->each; i++) {
        int64_t began_us = now_us();
        match_move(fd, &match);
        soak->took_us[player->number * soak->each + i] = now_us() - began_us;
        soak->made++;
    }
    close(fd);
    return NULL;
}

/* p99 of a quarter of each player's moves, from his move `from` on. */
static long quarter_p99(const struct soak *soak, size_t from)
{
    size_t part = soak->each / 4, count = 0;
    int64_t *values = calloc(part * SOAK_PLAYERS, sizeof *values);

    for (size_t p = 0; values && p < SOAK_PLAYERS; p++)
        for (size_t i = 0; i < part; i++)
            values[count++] = soak->took_us[p * soak->each + from + i];
    long p99 = (long)part_of(values, count, 0.99);
    free(values);
    return p99;
}

static struct mark mark_at(struct soak *soak, size_t moves)
{
    while (soak->made < moves) {
        long log = size_of("games.db-wal");
        soak->log = log > soak->log ? log : soak->log;
        rest_ms(5);
    }
    return (struct mark){memory_of(soak->place), files_of(soak->place), size_of("games.db")};
}

/* The store keeps pages in memory: as many as there are, up to its limit. */
static long may_grow(const struct soak *soak)
{
    const char *slack = getenv("SLACK_KIB");
    long pages = soak->last.store - soak->first.store;

    return (pages < STORE_CACHE_KIB ? pages : STORE_CACHE_KIB) / 8 * 9 + SOAK_GROWTH_KIB +
           (slack ? strtol(slack, NULL, 10) : 0);
}

static void judge(const struct soak *soak, long first_us, long last_us)
{
    if (soak->last.memory > soak->first.memory + may_grow(soak))
        give_up("memory grew from %ld to %ld KiB, the store by %ld", soak->first.memory,
                soak->last.memory, soak->last.store - soak->first.store);
    if (soak->last.files > soak->first.files + 4)
        give_up("descriptors grew from %ld to %ld", soak->first.files, soak->last.files);
    if (soak->log > LOG_MAX_KIB)
        give_up("the write-ahead log grew to %ld KiB", soak->log);
    if (last_us > 4 * first_us + 50000)
        give_up("p99 of a move grew from %ld to %ld us", first_us, last_us);
}

/* Neither memory nor descriptors nor the log nor the time of a move may grow with the moves. */
void scene_soak(const struct place *place, size_t moves)
{
    static struct player players[SOAK_PLAYERS];
    struct soak soak = {.place = place, .each = moves / SOAK_PLAYERS};
    int64_t began_us = now_us();

    soak.moves = soak.each * SOAK_PLAYERS;
    soak.took_us = calloc(soak.moves, sizeof *soak.took_us);
    for (size_t i = 0; soak.took_us && i < SOAK_PLAYERS; i++) {
        players[i] = (struct player){.soak = &soak, .number = i};
        if (pthread_create(&players[i].thread, NULL, play, &players[i]))
            give_up("no thread");
    }
    soak.first = mark_at(&soak, soak.moves / 4);
    soak.last = mark_at(&soak, soak.moves - SOAK_PLAYERS);
    for (size_t i = 0; i < SOAK_PLAYERS; i++)
        pthread_join(players[i].thread, NULL);
    long first_us = quarter_p99(&soak, 0), last_us = quarter_p99(&soak, soak.each / 4 * 3);
    printf("soak_moves\t%zu\nsoak_seconds\t%ld\n", soak.moves,
           (long)((now_us() - began_us) / 1000000));
    printf("soak_first_p99_us\t%ld\nsoak_last_p99_us\t%ld\n", first_us, last_us);
    printf("soak_first_kib\t%ld\nsoak_last_kib\t%ld\n", soak.first.memory, soak.last.memory);
    printf("soak_first_files\t%ld\nsoak_last_files\t%ld\n", soak.first.files, soak.last.files);
    printf("soak_store_kib\t%ld\nsoak_log_kib\t%ld\n", soak.last.store, soak.log);
    free(soak.took_us);
    judge(&soak, first_us, last_us);
}
