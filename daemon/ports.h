/* What api/ asks for, put together from the writer, the store, the clock and entropy. */
#ifndef DAEMON_PORTS_H
#define DAEMON_PORTS_H

#include "api/ports.h"
#include "daemon/metrics.h"
#include "daemon/store.h"
#include "daemon/uptime.h"
#include "daemon/writer.h"

/* The context of the ports; must stay where it is for as long as they are used. */
struct ports_home {
    const struct store *store;
    struct writer *writer;
    const struct uptime *uptime; /* NULL: it was always there */
    struct metrics *metrics;     /* NULL: none */
};

struct ports ports_make(struct ports_home *home);

#endif
