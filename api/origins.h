/* The web origins whose pages may call (CORS): a list that can be changed while it is asked.
 */
#ifndef API_ORIGINS_H
#define API_ORIGINS_H

#include <pthread.h>
#include <stdbool.h>

/* Is it, or "*", in a list with NULL at its end? Letters may be of either case. NULL holds
 * nothing. */
bool listed(const char *const *list, const char *text);

struct origins {
    pthread_rwlock_t lock;
    char **list; /* NULL at the end; NULL: none */
};

void origins_init(struct origins *origins);
void origins_done(struct origins *origins);

/* Takes a copy of a list with NULL at its end, or none (NULL). 0, or -ENOMEM: all is as before.
 */
int origins_set(struct origins *origins, const char *const *list);

bool origins_allow(struct origins *origins, const char *origin);

#endif
