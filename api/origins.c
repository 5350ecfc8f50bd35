#include "api/origins.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

bool listed(const char *const *list, const char *text)
{
    for (; list && *list; list++)
        if (strcmp(*list, "*") == 0 || strcasecmp(*list, text) == 0)
            return true;
    return false;
}

static void list_free(char **list)
{
    for (char **one = list; one && *one; one++)
        free(*one);
    free(list);
}

static char **list_copy(const char *const *list)
{
    size_t count = 0;

    while (list[count])
        count++;
    char **copy = calloc(count + 1, sizeof *copy);
    for (size_t i = 0; copy && i < count; i++)
        if (!(copy[i] = strdup(list[i]))) {
            list_free(copy);
            return NULL;
        }
    return copy;
}

void origins_init(struct origins *origins)
{
    pthread_rwlock_init(&origins->lock, NULL);
    origins->list = NULL;
}

void origins_done(struct origins *origins)
{
    list_free(origins->list);
    pthread_rwlock_destroy(&origins->lock);
}

int origins_set(struct origins *origins, const char *const *list)
{
    char **fresh = list ? list_copy(list) : NULL;

    if (list && !fresh)
        return -ENOMEM;
    pthread_rwlock_wrlock(&origins->lock);
    char **old = origins->list;
    origins->list = fresh;
    pthread_rwlock_unlock(&origins->lock);
    list_free(old);
    return 0;
}

bool origins_allow(struct origins *origins, const char *origin)
{
    pthread_rwlock_rdlock(&origins->lock);
    bool allowed = listed((const char *const *)origins->list, origin);
    pthread_rwlock_unlock(&origins->lock);
    return allowed;
}
