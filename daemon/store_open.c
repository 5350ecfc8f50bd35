#include "daemon/store_open.h"

#include "daemon/keys.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* The state folder is the keys' only: SQLite, which would make it, is not used. */
static int open_shared(const struct config *config, struct store *ret_store, char *ret_error)
{
    struct keys keys;

    if (mkdir(config->state, 0700) < 0 && errno != EEXIST) {
        int error = -errno;
        snprintf(ret_error, STORE_ERROR_SIZE, "%.150s: %.80s", config->state, strerror(-error));
        return error;
    }
    int error = keys_load(config->state, &keys, ret_error);
    if (error)
        return error;
    error = store_postgres_open(config->store, STORE_SERVE, keys.store, ret_store, ret_error);
    keys_wipe(&keys);
    return error;
}

int store_open(const struct config *config, enum store_use use, struct store *ret_store,
               char ret_error[static STORE_ERROR_SIZE])
{
    if (!store_is_postgres(config->store))
        return store_sqlite_open(config->state, use, ret_store, ret_error);
    if (use == STORE_SERVE)
        return open_shared(config, ret_store, ret_error);
    return store_postgres_open(config->store, use, NULL, ret_store, ret_error);
}
