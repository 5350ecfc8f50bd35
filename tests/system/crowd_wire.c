#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "tests/system/crowd.h"

_Noreturn void give_up(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    (void)vfprintf(stderr, format, arguments);
    va_end(arguments);
    (void)fputc('\n', stderr);
    exit(1);
}

int64_t now_us(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000LL + now.tv_nsec / 1000;
}

void rest_ms(int ms)
{
    const struct timespec wait = {ms / 1000, ms % 1000 * 1000000L};

    nanosleep(&wait, NULL);
}

void raise_files(void)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        (void)setrlimit(RLIMIT_NOFILE, &limit);
    }
}

long memory_of(const struct place *place)
{
    char path[64], line[128];
    long kib = 0;

    (void)snprintf(path, sizeof path, "/proc/%d/status", place->pid);
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, "VmRSS:", 6) == 0)
            kib = strtol(line + 6, NULL, 10);
    if (file)
        fclose(file);
    if (!kib)
        give_up("the daemon is gone");
    return kib;
}

long files_of(const struct place *place)
{
    char path[64];
    long count = 0;

    (void)snprintf(path, sizeof path, "/proc/%d/fd", place->pid);
    DIR *folder = opendir(path);
    while (folder && readdir(folder))
        count++;
    if (folder)
        closedir(folder);
    return count;
}

long size_of(const char *name)
{
    const char *folder = getenv("STATE");
    char path[512];
    struct stat about;

    (void)snprintf(path, sizeof path, "%s/%s", folder ? folder : ".", name);
    return stat(path, &about) == 0 ? (long)(about.st_size / 1024) : 0;
}

static int compare(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return x < y ? -1 : x > y;
}

int64_t part_of(int64_t *values, size_t count, double part)
{
    if (count == 0)
        return 0;
    qsort(values, count, sizeof *values, compare);
    size_t at = (size_t)((double)count * part);
    return values[at < count ? at : count - 1];
}

int dial(const struct place *place, int receive)
{
    const struct sockaddr_in to = {.sin_family = AF_INET,
                                   .sin_port = htons(place->port),
                                   .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const int yes = 1;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    if (fd < 0)
        give_up("no socket: %s", strerror(errno));
    if (receive)
        setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &receive, sizeof receive);
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    if (connect(fd, (const struct sockaddr *)&to, sizeof to) < 0)
        give_up("no connection: %s", strerror(errno));
    return fd;
}

void say(int fd, const char *text, size_t size)
{
    if (send(fd, text, size, MSG_NOSIGNAL) != (ssize_t)size)
        give_up("nobody takes the request: %s", strerror(errno));
}

/* Is the answer whole? */
static bool whole(struct reply *reply)
{
    const char *end = strstr(reply->text, "\r\n\r\n");
    const char *length = end ? strcasestr(reply->text, "\r\nContent-Length:") : NULL;

    if (!end)
        return false;
    if (!length || length > end)
        give_up("an answer without a length: %s", reply->text);
    reply->body = reply->text + (end + 4 - reply->text);
    size_t wanted = (size_t)(end + 4 - reply->text) + strtoul(length + 17, NULL, 10);
    return reply->size >= wanted;
}

bool hear(int fd, int seconds, struct reply *ret_reply)
{
    const struct timeval limit = {seconds, 0};

    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    ret_reply->size = 0;
    ret_reply->text[0] = '\0';
    while (!whole(ret_reply)) {
        ssize_t got = recv(fd, ret_reply->text + ret_reply->size,
                           sizeof ret_reply->text - 1 - ret_reply->size, 0);
        if (got <= 0) {
            (void)snprintf(ret_reply->text + ret_reply->size,
                           sizeof ret_reply->text - ret_reply->size, " (%s)",
                           got == 0 ? "closed" : strerror(errno));
            return false;
        }
        ret_reply->size += (size_t)got;
        ret_reply->text[ret_reply->size] = '\0';
    }
    ret_reply->status = (int)strtol(ret_reply->text + 9, NULL, 10);
    return true;
}

void ask(int fd, const char *path, const char *body, const char *credential, int status,
         struct reply *ret_reply)
{
    char text[4096];
    int size = snprintf(
        text, sizeof text, "%s %s HTTP/1.1\r\nHost: x\r\n%s%s%s%sContent-Length: %zu\r\n\r\n%s",
        body ? "POST" : "GET", path, credential ? "Authorization: Bearer " : "",
        credential ? credential : "", credential ? "\r\n" : "",
        body ? "Content-Type: application/json\r\nPrefer: return=minimal\r\n" : "",
        body ? strlen(body) : 0, body ? body : "");

    say(fd, text, (size_t)size);
    if (!hear(fd, 30, ret_reply))
        give_up("%s: no answer: %s", path, ret_reply->text);
    if (ret_reply->status != status)
        give_up("%s: %s", path, ret_reply->text);
}
