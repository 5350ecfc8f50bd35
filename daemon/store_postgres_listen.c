/* What other daemons have written is told by the database: one connection that only listens,
 * and comes back by itself. While it is gone something may be missed, so nothing in memory is
 * to be trusted then. */
#include "daemon/store_postgres.h"

#include "api/base64.h"
#include "daemon/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BACK_OFF_MS = 100, BACK_OFF_MAX_MS = 2000 };

static PGconn *open_ear(struct postgres *pg)
{
    char error[STORE_ERROR_SIZE];
    PGconn *conn = postgres_connect(pg, error);
    PGresult *result = conn ? PQexec(conn, "LISTEN refereed") : NULL;
    bool good = PQresultStatus(result) == PGRES_COMMAND_OK;

    PQclear(result);
    if (good)
        return conn;
    PQfinish(conn);
    return NULL;
}

static bool is_own(struct postgres *pg, const char *text, size_t size)
{
    pthread_mutex_lock(&pg->sender_mutex);
    bool own = strlen(pg->sender) == size && memcmp(pg->sender, text, size) == 0;
    pthread_mutex_unlock(&pg->sender_mutex);
    return own;
}

/* "SENDER GID:SEQ ..."; what does not look like it was sent by somebody else. */
static void take_notice(struct postgres *pg, const char *text)
{
    size_t size = strcspn(text, " ");
    uint8_t gid[16];
    char *end;

    if (is_own(pg, text, size))
        return;
    for (text += size; *text == ' '; text = end) {
        text++;
        size = strcspn(text, ": ");
        if (text[size] != ':' || !base64_decode(text, size, gid, sizeof gid))
            return;
        unsigned long seq = strtoul(text + size + 1, &end, 10);
        pg->events.changed(pg->events.context, gid, (uint32_t)seq);
    }
}

static void take_notices(struct postgres *pg)
{
    PGnotify *notice;

    while ((notice = PQnotifies(pg->ear))) {
        take_notice(pg, notice->extra);
        PQfreemem(notice);
    }
}

/* Waits for something to read, at most so long (-1: for ever); false: it is time to end. */
static bool wait_for(struct postgres *pg, int ms)
{
    struct pollfd fds[2] = {{.fd = pg->wake_fd[0], .events = POLLIN},
                            {.fd = pg->ear ? PQsocket(pg->ear) : -1, .events = POLLIN}};

    while (poll(fds, 2, ms) < 0 && errno == EINTR)
        ;
    return fds[0].revents == 0;
}

static void *run(void *context)
{
    struct postgres *pg = context;
    int back_off_ms = BACK_OFF_MS;

    while (wait_for(pg, pg->ear ? -1 : back_off_ms)) {
        if (!pg->ear && (pg->ear = open_ear(pg))) {
            back_off_ms = BACK_OFF_MS;
            pg->down_until_ms = 0;
            pg->events.missed(pg->events.context, true);
        } else if (!pg->ear) {
            pg->events.missed(pg->events.context, false);
            back_off_ms = back_off_ms * 2 < BACK_OFF_MAX_MS ? back_off_ms * 2 : BACK_OFF_MAX_MS;
        } else if (PQconsumeInput(pg->ear)) {
            take_notices(pg);
        } else {
            PQfinish(pg->ear);
            pg->ear = NULL;
            pg->events.missed(pg->events.context, false);
        }
    }
    return NULL;
}

int postgres_listen(void *context, const struct store_events *events)
{
    struct postgres *pg = context;

    pg->events = *events;
    pg->ear = open_ear(pg);
    if (!pg->ear)
        return -EIO;
    if (pipe2(pg->wake_fd, O_CLOEXEC) < 0)
        return -errno;
    if (pthread_create(&pg->listener, NULL, run, pg) != 0)
        return -EAGAIN;
    pg->listens = true;
    return 0;
}

void postgres_deafen(void *context)
{
    struct postgres *pg = context;

    if (pg->listens) {
        ssize_t written = write(pg->wake_fd[1], "", 1);
        if (written == 1)
            pthread_join(pg->listener, NULL);
    }
    pg->listens = false;
    for (int i = 0; i < 2; i++) {
        if (pg->wake_fd[i] >= 0)
            close(pg->wake_fd[i]);
        pg->wake_fd[i] = -1;
    }
    PQfinish(pg->ear);
    pg->ear = NULL;
}
