/* How many requests each address may make: buckets that fill up again with time.
 *
 * The table has a fixed size; who has been quiet for longest is forgotten first. A struct rate
 * is shared by all threads.
 */
#ifndef DAEMON_RATE_H
#define DAEMON_RATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rate;

/* `per_second` tokens come back each second, up to `burst`. NULL without memory. */
struct rate *rate_new(long per_second, long burst);
void rate_free(struct rate *rate);

/* A key for bytes that tell who somebody is; never 0. */
uint64_t rate_key(const void *bytes, size_t size);

/* May one more request be answered? One with a credential that has proved itself counts for
 * that alone; every other counts for its address. Address 0 (not known) is not limited. */
bool rate_allow(struct rate *rate, const char *credential, uint64_t address, int64_t now_ms);

/* This credential is a real one. */
void rate_prove(struct rate *rate, const char *credential, int64_t now_ms);

#endif
