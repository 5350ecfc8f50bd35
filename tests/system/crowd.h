/* Many connections to a daemon at once: watchers, idle ones, slow ones, and those who play on.
 *
 * A place is where the daemon listens and what process it is. Functions that cannot go on say
 * why and end the program: a crowd that is not whole measures nothing.
 */
#ifndef TESTS_SYSTEM_CROWD_H
#define TESTS_SYSTEM_CROWD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct place {
    uint16_t port;
    int pid;
};

/* One game without an end: two pieces go to and fro. */
struct match {
    char id[23];
    char host[48], seat[2][48];
    uint32_t ply, seq; /* moves made; seq of the last event */
};

struct reply {
    int status;
    size_t size;
    char *body; /* in `text` */
    char text[32768];
};

struct watcher {
    int fd;
    struct match *match;
    uint32_t seen;     /* seq of the last event that it was told */
    uint32_t number;   /* being read */
    uint8_t seq, next; /* characters of `"seq":` and `"next":` that have come */
    uint8_t reads;     /* 1: the number after seq, 2: that after next */
    bool gone;
};

enum watching { WATCH_SSE, WATCH_POLL };

struct crowd {
    const struct place *place;
    enum watching kind;
    int epoll;
    size_t count, gone;
    struct watcher *all;
    uint64_t events; /* told to all together */
    /* called for each event that a watcher is told */
    void (*told)(void *context, size_t watcher, uint32_t seq, int64_t now_us);
    void *context;
};

_Noreturn void give_up(const char *format, ...) __attribute__((format(printf, 1, 2)));
int64_t now_us(void);
void rest_ms(int ms);
void raise_files(void);

/* KiB of memory, and descriptors, of the daemon. */
long memory_of(const struct place *place);
long files_of(const struct place *place);

/* KiB of a file in the daemon's state folder, which $STATE names. */
long size_of(const char *name);

/* Sorts and gives the value below which `part` of them lie. */
int64_t part_of(int64_t *values, size_t count, double part);

/* `receive`: bytes of the receive buffer; 0: as it comes. */
int dial(const struct place *place, int receive);
void say(int fd, const char *text, size_t size);
/* Reads one whole answer with a Content-Length; false: it did not come within `seconds`. */
bool hear(int fd, int seconds, struct reply *ret_reply);
/* Asks with a body (NULL: GET) and a credential (NULL: none); another status ends it all. */
void ask(int fd, const char *path, const char *body, const char *credential, int status,
         struct reply *ret_reply);

void match_make(int fd, struct match *ret_match);
void match_move(int fd, struct match *match);

/* Opens watchers of `matches` in turn and waits until all are being told. */
void crowd_open(struct crowd *crowd, size_t count, struct match *matches, size_t match_count);
/* Takes in what comes, for so long; 0: what is there. */
void crowd_listen(struct crowd *crowd, int ms);
/* Takes in what comes until each was told its match's last event; false: not within `ms`. */
bool crowd_catch_up(struct crowd *crowd, int ms);
void crowd_close(struct crowd *crowd);

/* The scenes: `argument` is the count given on the command line. */
void scene_memory(const struct place *place, enum watching kind, size_t count);
void scene_spread(const struct place *place, enum watching kind, size_t count);
void scene_idle(const struct place *place, size_t count);
void scene_stall(const struct place *place, size_t count);
void scene_slow(const struct place *place, size_t seconds);
void scene_soak(const struct place *place, size_t moves);

#endif
