#include "daemon/log.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

static const char *const level_names[] = {"error", "warning", "info", "debug"};
static const char *const format_names[] = {"text", "json", "journal"};
static const char priorities[] = "3467"; /* as sd-daemon(3) numbers them */

static int find(const char *const *names, int count, const char *name)
{
    for (int i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    return -1;
}

int log_level_find(const char *name)
{
    return find(level_names, 4, name);
}

int log_format_find(const char *name)
{
    return find(format_names, 3, name);
}

bool log_is_journal(int fd)
{
    const char *stream = getenv("JOURNAL_STREAM");
    char own[64];
    struct stat status;

    if (!stream || fstat(fd, &status) != 0)
        return false;
    snprintf(own, sizeof own, "%ju:%ju", (uintmax_t)status.st_dev, (uintmax_t)status.st_ino);
    return strcmp(stream, own) == 0;
}

bool log_to_journal(struct log *log, const char *socket_path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    size_t size = strlen(socket_path);

    if (size >= sizeof address.sun_path)
        return false;
    memcpy(address.sun_path, socket_path, size + 1);
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return false;
    if (connect(fd, (const struct sockaddr *)&address, sizeof address) != 0) {
        close(fd);
        return false;
    }
    log->fd = fd;
    log->format = FORMAT_FIELDS;
    return true;
}

static void emit(int fd, const char *line, size_t size)
{
    ssize_t done = write(fd, line, size);

    (void)done; /* nobody is left to be told */
}

/* A line as stdout and stderr of a service have it: sd-daemon(3). */
static void emit_priority(int fd, enum log_level level, const char *text)
{
    char line[520];
    int n = snprintf(line, sizeof line, "<%c>%s\n", priorities[level], text);

    emit(fd, line, (size_t)n);
}

/* An entry: a datagram of lines FIELD=value, none of whose values has a line break. `more` are
 * lines, too. */
static void emit_entry(struct log *log, enum log_level level, const char *text,
                       const char *more)
{
    char entry[1024];
    int n =
        snprintf(entry, sizeof entry, "PRIORITY=%c\nSYSLOG_IDENTIFIER=refereed\n%sMESSAGE=%s\n",
                 priorities[level], more, text);

    if (send(log->fd, entry, (size_t)n, MSG_NOSIGNAL) != n)
        emit_priority(STDERR_FILENO, level, text);
}

/* A line for people; `more` are the fields that an entry of the journal has beside it. */
static void emit_text(struct log *log, enum log_level level, const char *text, const char *more)
{
    char line[530];

    if (log->format == FORMAT_FIELDS) {
        emit_entry(log, level, text, more);
    } else if (log->format == FORMAT_JOURNAL) {
        emit_priority(log->fd, level, text);
    } else {
        int n = snprintf(line, sizeof line, "refereed: %s: %s\n", level_names[level], text);
        emit(log->fd, line, (size_t)n);
    }
}

static void make_plain(char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text < 0x20 || *text == 0x7f)
            *text = '?';
}

/* JSON text of `in`, which holds no control bytes. */
static void escape(const char *in, char *out, size_t room)
{
    size_t n = 0;

    for (; *in && n + 3 < room; in++) {
        if (*in == '"' || *in == '\\')
            out[n++] = '\\';
        out[n++] = *in;
    }
    out[n] = '\0';
}

void log_line(struct log *log, enum log_level level, const char *format, ...)
{
    char text[500], escaped[1000], line[1100];
    va_list list;
    int n;

    if (level > log->level)
        return;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    make_plain(text);
    if (log->format != FORMAT_JSON) {
        emit_text(log, level, text, "");
        return;
    }
    escape(text, escaped, sizeof escaped);
    n = snprintf(line, sizeof line, "{\"level\":\"%s\",\"message\":\"%s\"}\n",
                 level_names[level], escaped);
    emit(log->fd, line, (size_t)n);
}

static void short_gid(const uint8_t *gid, char out[static 9])
{
    out[0] = '\0';
    if (gid)
        snprintf(out, 9, "%02x%02x%02x%02x", gid[0], gid[1], gid[2], gid[3]);
}

/* A method is the client's own word, so only letters of it are shown. */
static void plain_method(const char *method, char out[static 12])
{
    size_t n = 0;

    for (; method && n < 11 && method[n] >= 'A' && method[n] <= 'Z'; n++)
        out[n] = method[n];
    out[n] = '\0';
    if (n == 0)
        memcpy(out, "-", 2);
}

static void request_as_json(struct log *log, enum log_level level, const struct log_request *r,
                            const char *gid)
{
    char line[300];
    int n = snprintf(line, sizeof line,
                     "{\"level\":\"%s\",\"method\":\"%s\",\"route\":\"%s\",\"status\":%u,"
                     "\"us\":%" PRId64 ",\"game\":\"%s\",\"id\":\"%s\"}\n",
                     level_names[level], r->method, r->route, r->status, r->us, gid, r->id);

    emit(log->fd, line, (size_t)n);
}

void log_request(struct log *log, const struct log_request *request)
{
    enum log_level level = request->status >= 500 ? LEVEL_WARNING : LEVEL_INFO;
    struct log_request r = *request;
    char text[300], fields[400], method[12], gid[9];

    if (level > log->level)
        return;
    r.route = r.route ? r.route : "-";
    r.id = r.id ? r.id : "-";
    short_gid(r.gid, gid);
    plain_method(r.method, method);
    r.method = method;
    if (log->format == FORMAT_JSON) {
        request_as_json(log, level, &r, gid);
        return;
    }
    snprintf(text, sizeof text, "%s %s %u %" PRId64 "us%s%s id=%s", method, r.route, r.status,
             r.us, *gid ? " " : "", gid, r.id);
    fields[0] = '\0';
    if (log->format == FORMAT_FIELDS)
        snprintf(fields, sizeof fields,
                 "REFEREED_METHOD=%s\nREFEREED_ROUTE=%s\nREFEREED_STATUS=%u\n"
                 "REFEREED_US=%" PRId64 "\nREFEREED_REQUEST=%s\n%s%s%s",
                 method, r.route, r.status, r.us, r.id, *gid ? "REFEREED_GAME=" : "", gid,
                 *gid ? "\n" : "");
    emit_text(log, level, text, fields);
}
