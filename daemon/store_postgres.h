/* What the files of the PostgreSQL store share: connections, statements, results.
 *
 * Included by daemon/store_postgres*.c alone. A struct link is one connection that comes back
 * by itself; it belongs to one thread at a time. Numbers travel in binary form, eight bytes
 * each.
 */
#ifndef DAEMON_STORE_POSTGRES_H
#define DAEMON_STORE_POSTGRES_H

#include "daemon/store.h"

#include <postgresql/libpq-fe.h>
#include <pthread.h>
#include <stdatomic.h>

enum { READERS = 4, ARGUMENTS_MAX = 10, RETRY_MS = 200 };

struct statement {
    const char *name, *sql;
};

/* A connection and the statements that it prepares whenever it is made. */
struct link {
    PGconn *conn; /* NULL: not connected */
    const struct statement *statements;
    size_t count;
};

struct reader {
    pthread_mutex_t mutex;
    struct link link;
};

struct postgres {
    char *url;
    uint8_t key[16]; /* fingerprint of the store key */
    bool keyed;      /* `key` is to be the database's */
    struct link writer;
    char sender[24]; /* names the writer's connection in notifications */
    pthread_mutex_t sender_mutex;
    bool bulk; /* a bulk load is under way */
    struct reader readers[READERS];
    _Atomic unsigned turn;
    _Atomic int64_t down_until_ms; /* by clock_steady_ms(): no use to connect before */

    struct store_events events; /* what the listener tells */
    PGconn *ear;
    pthread_t listener;
    bool listens;
    int wake_fd[2]; /* written to when the listener is to end; -1: none */
};

/* Arguments of a statement: what bind_bytes() is given must stay until it is sent. Points into
 * itself: not to be copied. */
struct arguments {
    int count;
    const char *value[ARGUMENTS_MAX];
    int length[ARGUMENTS_MAX], format[ARGUMENTS_MAX];
    char room[ARGUMENTS_MAX][8];
};

void bind_number(struct arguments *a, int64_t number);
void bind_bytes(struct arguments *a, const void *bytes, size_t size); /* NULL: null */

int64_t number_at(const PGresult *result, int row, int column);
/* The bytes of a field, in place; `ret_size` 0 for null. */
const uint8_t *bytes_at(const PGresult *result, int row, int column, size_t *ret_size);

/* -errno for a failed result: -ENOSPC full, -EDEADLK the transaction is worth another try,
 * -EROFS not the primary, -EIO others. */
int errno_of(const PGresult *result);

/* Connects if it is not connected, prepares its statements. -EIO; without trying if another one
 * has just failed. */
int link_open(struct postgres *pg, struct link *link);
void link_close(struct link *link);
/* Runs a statement and waits; `ret_result` is the caller's to clear, also for statements
 * without rows. On failure there is none. A dead connection is closed. */
int link_run(struct postgres *pg, struct link *link, const char *name,
             const struct arguments *a, PGresult **ret_result);

/* A new connection with the session's settings; NULL, and one line without the password. */
PGconn *postgres_connect(struct postgres *pg, char ret_error[static STORE_ERROR_SIZE]);

/* The store's functions. */
extern const struct statement write_statements[];
extern const size_t write_statement_count;
int postgres_commit(void *context, const struct change *const *changes, size_t count,
                    bool *ret_lost);
int postgres_bulk(void *context, enum store_bulk what);

/* Starts to listen, and a thread that goes on doing so. */
int postgres_listen(void *context, const struct store_events *events);
void postgres_deafen(void *context);

#endif
