/* Opens the store that the settings name. */
#ifndef DAEMON_STORE_OPEN_H
#define DAEMON_STORE_OPEN_H

#include "daemon/config.h"
#include "daemon/store.h"

/* SQLite in the state folder, or the database of config->store, whose key must be the one of
 * the state folder if it is to be served. 0 or -errno with one line in `ret_error`. */
int store_open(const struct config *config, enum store_use use, struct store *ret_store,
               char ret_error[static STORE_ERROR_SIZE]);

#endif
