#include "daemon/log.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
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

static void emit(struct log *log, const char *line, size_t size)
{
    ssize_t done = write(log->fd, line, size);

    (void)done; /* nobody is left to be told */
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
    if (log->format == FORMAT_JSON) {
        escape(text, escaped, sizeof escaped);
        n = snprintf(line, sizeof line, "{\"level\":\"%s\",\"message\":\"%s\"}\n",
                     level_names[level], escaped);
    } else if (log->format == FORMAT_JOURNAL) {
        n = snprintf(line, sizeof line, "<%c>%s\n", priorities[level], text);
    } else {
        n = snprintf(line, sizeof line, "refereed: %s: %s\n", level_names[level], text);
    }
    emit(log, line, (size_t)n);
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

void log_request(struct log *log, const struct log_request *request)
{
    enum log_level level = request->status >= 500 ? LEVEL_WARNING : LEVEL_INFO;
    const char *route = request->route ? request->route : "-";
    const char *id = request->id ? request->id : "-";
    char line[300], method[12], gid[9];
    int n;

    if (level > log->level)
        return;
    short_gid(request->gid, gid);
    plain_method(request->method, method);
    if (log->format == FORMAT_JSON)
        n = snprintf(line, sizeof line,
                     "{\"level\":\"%s\",\"method\":\"%s\",\"route\":\"%s\",\"status\":%u,"
                     "\"us\":%" PRId64 ",\"game\":\"%s\",\"id\":\"%s\"}\n",
                     level_names[level], method, route, request->status, request->us, gid, id);
    else if (log->format == FORMAT_JOURNAL)
        n = snprintf(line, sizeof line, "<%c>%s %s %u %" PRId64 "us%s%s id=%s\n",
                     priorities[level], method, route, request->status, request->us,
                     *gid ? " " : "", gid, id);
    else
        n = snprintf(line, sizeof line, "refereed: %s: %s %s %u %" PRId64 "us%s%s id=%s\n",
                     level_names[level], method, route, request->status, request->us,
                     *gid ? " " : "", gid, id);
    emit(log, line, (size_t)n);
}
