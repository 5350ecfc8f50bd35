#include "daemon/notify.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

int notify_send(const char *state)
{
    const char *path = getenv("NOTIFY_SOCKET");
    struct sockaddr_un address = {.sun_family = AF_UNIX};

    if (!path || !*path)
        return 0;
    size_t size = strlen(path);
    if (size >= sizeof address.sun_path || (path[0] != '/' && path[0] != '@'))
        return -EINVAL;
    memcpy(address.sun_path, path, size);
    if (path[0] == '@')
        address.sun_path[0] = '\0';
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return -errno;
    socklen_t room = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + size);
    const struct sockaddr *to = (const struct sockaddr *)&address;
    int error = sendto(fd, state, strlen(state), MSG_NOSIGNAL, to, room) < 0 ? -errno : 0;
    close(fd);
    return error;
}

int64_t notify_watchdog_ms(void)
{
    const char *usec = getenv("WATCHDOG_USEC"), *pid = getenv("WATCHDOG_PID");

    if (!usec || (pid && strtol(pid, NULL, 10) != getpid()))
        return 0;
    long long us = strtoll(usec, NULL, 10);
    return us > 2000 ? us / 2000 : 0;
}
