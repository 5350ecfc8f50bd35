/* Lines to stderr: what happened, never what is secret.
 *
 * One struct log is made at the start and shared by all threads; a line is one write. There is
 * no function that takes a body, a credential or a path: a request is told by its route's
 * template. Under systemd a line is an entry of the journal with fields of its own
 * (systemd.journal-fields(7); ours are in docs/operations.md, "Logs").
 */
#ifndef DAEMON_LOG_H
#define DAEMON_LOG_H

#include <stdbool.h>
#include <stdint.h>

enum log_level { LEVEL_ERROR, LEVEL_WARNING, LEVEL_INFO, LEVEL_DEBUG };
enum log_format { FORMAT_TEXT, FORMAT_JSON, FORMAT_JOURNAL, FORMAT_FIELDS };

struct log {
    int fd;                /* FORMAT_FIELDS: a socket of the journal; else for lines */
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

/* Is the file that descriptor's the stream to the journal that $JOURNAL_STREAM tells of? */
bool log_is_journal(int fd);

/* The journal's socket takes the log's lines from now on, as entries with fields; what it does
 * not take goes to stderr with a priority before it. False if there is no such socket: nothing
 * is changed. */
bool log_to_journal(struct log *log, const char *socket);

/* The level or format of that name ("info", "json"), or -1. */
int log_level_find(const char *name);
int log_format_find(const char *name);

#endif
