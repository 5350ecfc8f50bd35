/* Streams of events on sockets of their own: a few hundred bytes for each who watches.
 *
 * libmicrohttpd keeps several KiB for a connection, and looks at all that sleep whenever one of
 * them wakes: a crowd that watches would cost those who play. So a stream is taken from it, and
 * one thread of ours sends to all. A reader who does not take what he is sent is cut off.
 */
#ifndef DAEMON_STREAMS_H
#define DAEMON_STREAMS_H

#include "api/api.h"
#include "daemon/watch.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct streams;

struct streams_settings {
    size_t max;      /* streams at once */
    int64_t send_ms; /* how long sent bytes may wait for their reader */
};

/* Starts the thread; NULL without memory, descriptors or threads. `api` and `watchers` must
 * outlive it. */
struct streams *streams_new(const struct streams_settings *settings, struct api *api,
                            struct watchers *watchers);

/* Answers with the head of `response`, which is a RESPONSE_STREAM, and goes on with its stream.
 * Takes `fd` over, a socket that does not block; false: too many, or no memory, and `fd` stays
 * the caller's. `chunked`: the client knows HTTP/1.1. */
bool streams_take(struct streams *streams, int fd, const struct response *response,
                  bool chunked);

/* How many there are now. */
size_t streams_count(struct streams *streams);

/* Ends all streams, after watchers_stop(), and the thread; frees everything. NULL is fine. */
void streams_free(struct streams *streams);

#endif
