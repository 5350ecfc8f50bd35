#include "daemon/listen.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum { BACKLOG = 1024, HOST_ROOM = 128 };

static int fault(char *ret_error, int error, const char *address, const char *why)
{
    snprintf(ret_error, LISTEN_ERROR_SIZE, "%.140s: %.100s", address, why);
    return error;
}

static int bind_and_listen(int fd, const struct sockaddr *address, socklen_t size)
{
    if (bind(fd, address, size) < 0 || listen(fd, BACKLOG) < 0)
        return -errno;
    return 0;
}

/* A socket file that nobody listens on is left over from a daemon that was killed. */
static void remove_stale(const struct sockaddr_un *address)
{
    struct stat info;
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

    if (fd < 0)
        return;
    if (stat(address->sun_path, &info) == 0 && S_ISSOCK(info.st_mode) &&
        connect(fd, (const struct sockaddr *)address, sizeof *address) < 0 &&
        errno == ECONNREFUSED)
        unlink(address->sun_path);
    close(fd);
}

static int open_unix(const char *path, int *ret_fd)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};

    if (*path == '\0' || strlen(path) >= sizeof address.sun_path)
        return -ENAMETOOLONG;
    memcpy(address.sun_path, path, strlen(path));
    remove_stale(&address);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0)
        return -errno;
    int error = bind_and_listen(fd, (const struct sockaddr *)&address, sizeof address);
    if (!error)
        error = chmod(path, 0660) < 0 ? -errno : 0;
    if (error)
        close(fd);
    else
        *ret_fd = fd;
    return error;
}

/* Cuts HOST:PORT or [ADDRESS]:PORT; false if it is neither. */
static int split(const char *address, char host[static HOST_ROOM], const char **ret_port)
{
    const char *colon = strrchr(address, ':'), *begin = address, *end = colon;

    if (!colon || colon == address)
        return 0;
    if (*begin == '[' && colon[-1] == ']') {
        begin++;
        end--;
    } else if (strchr(address, ':') != colon) {
        return 0; /* a bare IPv6 address */
    }
    size_t size = (size_t)(end - begin);
    if (size == 0 || size >= HOST_ROOM ||
        strspn(colon + 1, "0123456789") != strlen(colon + 1) || colon[1] == '\0' ||
        strlen(colon + 1) > 5 || strtol(colon + 1, NULL, 10) > 65535)
        return 0;
    memcpy(host, begin, size);
    host[size] = '\0';
    *ret_port = colon + 1;
    return 1;
}

static int open_address(const struct addrinfo *info, int *ret_fd)
{
    int on = 1, fd = socket(info->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

    if (fd < 0)
        return -errno;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (info->ai_family == AF_INET6)
        setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on);
    int error = bind_and_listen(fd, info->ai_addr, info->ai_addrlen);
    if (error)
        close(fd);
    else
        *ret_fd = fd;
    return error;
}

static unsigned port_of(int fd)
{
    struct sockaddr_storage at = {0};
    socklen_t size = sizeof at;

    getsockname(fd, (struct sockaddr *)&at, &size);
    if (at.ss_family == AF_INET6)
        return ntohs(((const struct sockaddr_in6 *)(const void *)&at)->sin6_port);
    return ntohs(((const struct sockaddr_in *)(const void *)&at)->sin_port);
}

int listen_open(const char *address, const char *scheme, int *ret_fd,
                char ret_text[static LISTEN_TEXT_SIZE],
                char ret_error[static LISTEN_ERROR_SIZE])
{
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE}, *found;
    char host[HOST_ROOM];
    const char *port;
    int error;

    if (strncmp(address, "unix:", 5) == 0) {
        error = open_unix(address + 5, ret_fd);
        snprintf(ret_text, LISTEN_TEXT_SIZE, "%s", address);
        return error ? fault(ret_error, error, address, strerror(-error)) : 0;
    }
    if (!split(address, host, &port))
        return fault(ret_error, -EINVAL, address, "is not HOST:PORT, [::1]:PORT or unix:PATH");
    int code = getaddrinfo(host, port, &hints, &found);
    if (code != 0)
        return fault(ret_error, -EINVAL, address, gai_strerror(code));
    error = open_address(found, ret_fd);
    freeaddrinfo(found);
    if (error)
        return fault(ret_error, error, address, strerror(-error));
    snprintf(ret_text, LISTEN_TEXT_SIZE, strchr(host, ':') ? "%s://[%s]:%u" : "%s://%s:%u",
             scheme, host, port_of(*ret_fd));
    return 0;
}

int listen_check(const char *address, char ret_error[static LISTEN_ERROR_SIZE])
{
    char host[HOST_ROOM];
    const char *port;

    if (strncmp(address, "unix:", 5) == 0)
        return address[5] == '\0' ||
                       strlen(address + 5) >= sizeof((struct sockaddr_un *)NULL)->sun_path
                   ? fault(ret_error, -EINVAL, address, "the path is empty or too long")
                   : 0;
    if (!split(address, host, &port))
        return fault(ret_error, -EINVAL, address, "is not HOST:PORT, [::1]:PORT or unix:PATH");
    return 0;
}

/* The place of "metrics" in LISTEN_FDNAMES, "first:second:..."; -1: it is not there. */
static int find_metrics(const char *names)
{
    int at = 0;

    for (; names && *names; at++) {
        size_t size = strcspn(names, ":");
        if (size == 7 && strncmp(names, "metrics", 7) == 0)
            return at;
        names += size + (names[size] == ':');
    }
    return -1;
}

int listen_inherited(int *ret_metrics)
{
    int metrics = find_metrics(getenv("LISTEN_FDNAMES"));
    const char *pid = getenv("LISTEN_PID"), *count = getenv("LISTEN_FDS");
    long sockets = 0;

    if (pid && count && strtol(pid, NULL, 10) == getpid())
        sockets = strtol(count, NULL, 10);
    *ret_metrics = -1;
    unsetenv("LISTEN_PID");
    unsetenv("LISTEN_FDS");
    unsetenv("LISTEN_FDNAMES");
    if (sockets < 0 || sockets > 16)
        return 0;
    for (int fd = 3; fd < 3 + sockets; fd++) {
        fcntl(fd, F_SETFD, FD_CLOEXEC);
        fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
    }
    if (metrics >= 0 && metrics < sockets)
        *ret_metrics = 3 + metrics;
    return (int)sockets;
}
