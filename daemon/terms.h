/* Looks about twice a second for terms that have run out, in a thread of its own. */
#ifndef DAEMON_TERMS_H
#define DAEMON_TERMS_H

#include "api/api.h"

struct log;
struct terms;
struct uptime;

/* Gives signs of life to `uptime` as it looks, and logs where they were missing. NULL without
 * memory or threads. All three must outlive it. */
struct terms *terms_new(struct api *api, struct uptime *uptime, struct log *log);
/* Waits for the look that may be under way; NULL is nothing. */
void terms_free(struct terms *terms);

#endif
