/* Lines to stderr: what happened, never what is secret.
 *
 * One struct log is made at the start and shared by all threads; a line is one write. There is
 * no function that takes a body, a credential or a path: a request is told by its route's
 * template.
 */
#ifndef DAEMON_LOG_H
#define DAEMON_LOG_H

#include <stdint.h>

enum log_level { LEVEL_ERROR, LEVEL_WARNING, LEVEL_INFO, LEVEL_DEBUG };
enum log_format { FORMAT_TEXT, FORMAT_JSON, FORMAT_JOURNAL };

struct log {
    int fd;
    uint8_t format;        /* enum log_format */
    _Atomic uint8_t level; /* enum log_level; lines above it are left out */
};

/* What may be said of a request. */
struct log_request {
    const char *method; /* NULL: not known */
    const char *route;  /* the template; NULL: none matched */
    const uint8_t *gid; /* its first 4 bytes are shown; NULL: none */
    const char *id;     /* of the request: at most 64 characters of [A-Za-z0-9._-] */
    unsigned status;
    int64_t us;
};

/* Writes one line, cut at 500 bytes; control bytes become '?'. */
void log_line(struct log *log, enum log_level level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* One line a request: level info, from status 500 on warning. */
void log_request(struct log *log, const struct log_request *request);

/* The level or format of that name ("info", "json"), or -1. */
int log_level_find(const char *name);
int log_format_find(const char *name);

#endif
