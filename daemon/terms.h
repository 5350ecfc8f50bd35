/* Looks about twice a second for terms that have run out, in a thread of its own. */
#ifndef DAEMON_TERMS_H
#define DAEMON_TERMS_H

#include "api/api.h"

struct terms;

/* NULL without memory or threads. `api` must outlive it. */
struct terms *terms_new(struct api *api);
/* Waits for the look that may be under way; NULL is nothing. */
void terms_free(struct terms *terms);

#endif
