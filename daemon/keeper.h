/* Takes games out of the store that are over for long enough, in a thread of its own.
 *
 * One game at a time, and never busy for more than half of the time: moves pass in between.
 */
#ifndef DAEMON_KEEPER_H
#define DAEMON_KEEPER_H

#include "api/api.h"

struct keeper;
struct log;

/* `age_ms` above 0; `archive`: the folder of transcripts, NULL: none. NULL without memory or
 * threads. All that is given must outlive it. */
struct keeper *keeper_new(struct api *api, int64_t age_ms, const char *archive,
                          struct log *log);
/* Waits for the game that may be at hand; NULL is nothing. */
void keeper_free(struct keeper *keeper);

#endif
