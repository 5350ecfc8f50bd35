/* HTTP: libmicrohttpd on one side, struct request and struct response on the other.
 *
 * A struct http owns its listening sockets and all connections. It borrows what is in struct
 * http_parts, which must outlive it.
 */
#ifndef DAEMON_HTTP_H
#define DAEMON_HTTP_H

#include "api/api.h"
#include "daemon/log.h"
#include "daemon/metrics.h"
#include "daemon/tls.h"
#include "daemon/watch.h"
#include "daemon/writer.h"

#include <stdbool.h>
#include <stdint.h>

struct http;

struct http_parts {
    struct api *api;
    struct writer *writer;
    struct watchers *watchers;
    struct log *log;
    struct metrics *metrics;
};

struct http_settings {
    unsigned threads, connections;  /* of each listening socket */
    long header_s, body_s, send_s;  /* limits for slow clients */
    long rate, burst;               /* requests a second of an address; rate 0: no limits */
    long seat_rate, seat_burst;     /* those with a credential that has changed a game */
    long create_rate, create_burst; /* games a minute of an address; create_rate 0: no limit */
    bool trust_proxy;               /* the address is X-Forwarded-For's last */
    struct tls *tls;                /* to begin with, borrowed; NULL: no TLS */
};

/* NULL without memory or threads. */
struct http *http_new(const struct http_settings *settings, const struct http_parts *parts);

/* Answers on a listening socket, which is taken over. 0 or -errno. */
int http_listen(struct http *http, int fd);

/* The same for GET /metrics alone, with all figures, never over TLS. */
int http_listen_metrics(struct http *http, int fd);

/* Connections that come from now on get this pair, borrowed; those that are open keep theirs.
 * Only where there was one to begin with. */
void http_renew(struct http *http, struct tls *tls);

/* How much goes on now. */
struct http_state {
    size_t connections, active, asleep, polls, streams;
};

void http_state(const struct http *http, struct http_state *ret_state);

/* Takes no more connections, answers what is under way for at most `grace_ms`, then closes all.
 * False: something was still waiting for the disk; then nothing is freed. */
bool http_stop(struct http *http, int64_t grace_ms);

/* After http_stop() was true. */
void http_free(struct http *http);

#endif
