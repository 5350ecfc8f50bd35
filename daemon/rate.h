/* How often one and the same may do something: buckets that fill up again with time.
 *
 * The table has a fixed size; who has been quiet for longest is forgotten first, and starts
 * with a full bucket when he comes again. A struct rate is shared by all threads.
 */
#ifndef DAEMON_RATE_H
#define DAEMON_RATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rate;

/* `count` tokens come back each `period_ms`, up to `burst`. NULL without memory. */
struct rate *rate_new(long count, int64_t period_ms, long burst);
void rate_free(struct rate *rate);

/* A key for bytes that tell who somebody is; never 0. */
uint64_t rate_key(const void *bytes, size_t size);

/* Takes a token of `key`; 0, or how many ms it is until there is one. Key 0 (not known who it
 * is) is not limited. */
int64_t rate_take(struct rate *rate, uint64_t key, int64_t now_ms);

/* The same for whoever was admitted; false: he was not, or was forgotten. */
bool rate_take_admitted(struct rate *rate, uint64_t key, int64_t now_ms, int64_t *ret_wait_ms);
void rate_admit(struct rate *rate, uint64_t key, int64_t now_ms);

#endif
