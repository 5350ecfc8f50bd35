#include "daemon/uptime.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    SPANS_MAX = 256
}; /* the oldest one leaves: by then hardly a clock runs from before it */

struct span {
    int64_t from_s, to_s;
};

struct uptime {
    pthread_mutex_t mutex;
    int fd;
    int64_t last_s;     /* sign of life */
    int64_t was_away_s; /* before this process */
    size_t count;
    struct span spans[SPANS_MAX]; /* in order, and apart from each other */
};

static void add(struct uptime *uptime, int64_t from_s, int64_t to_s)
{
    const struct span *last = uptime->count ? &uptime->spans[uptime->count - 1] : NULL;

    if (last && from_s < last->to_s)
        from_s = last->to_s;
    if (from_s >= to_s)
        return;
    if (uptime->count == SPANS_MAX)
        memmove(uptime->spans, uptime->spans + 1, --uptime->count * sizeof *uptime->spans);
    uptime->spans[uptime->count++] = (struct span){from_s, to_s};
}

/* Lines that are none are left out: they were cut short, and are written anew without them. */
static void read_spans(struct uptime *uptime, FILE *file)
{
    long long from_s, to_s;
    char line[64];

    while (fgets(line, sizeof line, file))
        if (sscanf(line, "%lld %lld", &from_s, &to_s) == 2 && strchr(line, '\n'))
            add(uptime, from_s, to_s);
}

static int write_spans(struct uptime *uptime)
{
    char text[SPANS_MAX * 44], *at = text;

    for (size_t i = 0; i < uptime->count; i++)
        at += sprintf(at, "%lld %lld\n", (long long)uptime->spans[i].from_s,
                      (long long)uptime->spans[i].to_s);
    size_t size = (size_t)(at - text);
    if (pwrite(uptime->fd, text, size, 0) != (ssize_t)size)
        return errno ? -errno : -EIO;
    return ftruncate(uptime->fd, (off_t)size) < 0 ? -errno : 0;
}

static int open_file(struct uptime *uptime, const char *folder, int64_t now_s)
{
    char path[4096];
    struct stat status;

    if ((size_t)snprintf(path, sizeof path, "%s/downtimes", folder) >= sizeof path)
        return -ENAMETOOLONG;
    FILE *file = fopen(path, "re");
    if (file && fstat(fileno(file), &status) == 0) {
        read_spans(uptime, file);
        uptime->last_s = status.st_mtim.tv_sec;
    }
    if (file)
        fclose(file);
    uptime->fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (uptime->fd < 0)
        return -errno;
    if (uptime->last_s && now_s > uptime->last_s) {
        uptime->was_away_s = now_s - uptime->last_s;
        add(uptime, uptime->last_s, now_s);
    }
    uptime->last_s = now_s;
    return write_spans(uptime);
}

struct uptime *uptime_open(const char *folder, int64_t now_s, int *ret_error)
{
    struct uptime *uptime = calloc(1, sizeof *uptime);
    int error = uptime ? 0 : -ENOMEM;

    if (uptime) {
        uptime->fd = -1;
        pthread_mutex_init(&uptime->mutex, NULL);
        error = open_file(uptime, folder, now_s);
    }
    *ret_error = error;
    if (!error)
        return uptime;
    uptime_close(uptime);
    return NULL;
}

void uptime_close(struct uptime *uptime)
{
    if (!uptime)
        return;
    if (uptime->fd >= 0) {
        futimens(uptime->fd, NULL);
        close(uptime->fd);
    }
    pthread_mutex_destroy(&uptime->mutex);
    free(uptime);
}

int64_t uptime_mark(struct uptime *uptime, int64_t now_s)
{
    int64_t gap_s = 0;

    pthread_mutex_lock(&uptime->mutex);
    if (now_s > uptime->last_s + UPTIME_GAP_S) {
        gap_s = now_s - uptime->last_s;
        add(uptime, uptime->last_s, now_s);
        (void)write_spans(uptime); /* a full disk: it counts until the next start */
    }
    if (now_s != uptime->last_s)
        futimens(uptime->fd, NULL);
    uptime->last_s = now_s; /* also where the time of day was set back */
    pthread_mutex_unlock(&uptime->mutex);
    return gap_s;
}

int64_t uptime_away_s(const struct uptime *uptime, int64_t from_s, int64_t to_s)
{
    pthread_mutex_t *mutex = (pthread_mutex_t *)(uintptr_t)&uptime->mutex;
    int64_t away_s = 0;

    pthread_mutex_lock(mutex);
    for (size_t i = 0; i < uptime->count; i++) {
        int64_t from = uptime->spans[i].from_s > from_s ? uptime->spans[i].from_s : from_s;
        int64_t to = uptime->spans[i].to_s < to_s ? uptime->spans[i].to_s : to_s;
        away_s += from < to ? to - from : 0;
    }
    /* Who asks first after a standstill must not be charged for it: the mark comes later. */
    if (to_s > uptime->last_s + UPTIME_GAP_S)
        away_s += to_s - (from_s > uptime->last_s ? from_s : uptime->last_s);
    pthread_mutex_unlock(mutex);
    return away_s;
}

int64_t uptime_was_away_s(const struct uptime *uptime)
{
    return uptime->was_away_s;
}
