/* Tells systemd how we are (sd_notify(3)), without its library. Does nothing outside of it. */
#ifndef DAEMON_NOTIFY_H
#define DAEMON_NOTIFY_H

#include <stdint.h>

/* Sends one state, as "READY=1". 0, also where nobody listens; else -errno. */
int notify_send(const char *state);

/* How often WATCHDOG=1 is to be sent, in milliseconds: half of what systemd waits. 0: never. */
int64_t notify_watchdog_ms(void);

#endif
