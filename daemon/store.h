/* A home for games: what the writer and the readers ask of a database.
 *
 * One thread at a time commits; all other functions may be called at once from any thread.
 * Functions return 0 or -errno (-ENOSPC: full) and keep no pointer into what they are given;
 * the readers are those of api/ports.h and see what is committed, nothing else.
 */
#ifndef DAEMON_STORE_H
#define DAEMON_STORE_H

#include "api/ports.h"

/* What a store tells that others write to as well, from a thread of its own. */
struct store_events {
    void *context;
    /* A record of another daemon is committed: its game ends at `seq` now, or later. */
    void (*changed)(void *context, const uint8_t gid[static 16], uint32_t seq);
    /* Changes of others may have been missed: nothing in memory is to be trusted. `up`: from
     * now on they are told again. */
    void (*missed)(void *context, bool up);
};

enum store_bulk { BULK_BEGIN, BULK_END, BULK_ABANDON };

struct store_room {
    int64_t bytes, log_bytes, free_bytes; /* the database, its log, what the disk has left */
    int64_t written_ms;                   /* when it was last written, by the clock of then */
};

struct store {
    void *context;

    /* Puts all changes on disk, in order, or none of them. A record that does not follow the
     * game's last one is refused (-EEXIST), as is one of a game that there is not (-ENOENT).
     * Where others write to the same store, a change that came too late is left out alone: the
     * function returns 0 and its `ret_lost` is true; else that is false. */
    int (*commit)(void *context, const struct change *const *changes, size_t count,
                  bool *ret_lost);

    int (*records)(void *context, const uint8_t gid[static 16], uint32_t after,
                   int (*row)(void *arg, const struct record *record), void *arg);
    int (*snapshot)(void *context, const uint8_t gid[static 16],
                    void (*take)(void *arg, const struct snapshot *snapshot), void *arg);
    /* All committed records, those of one game in order, with the number that games() gives for
     * their game; until `row` returns nonzero, which is then returned. */
    int (*scan)(void *context,
                int (*row)(void *arg, int64_t number, const struct record *record), void *arg);
    int (*games)(void *context, const struct list_query *query,
                 int (*row)(void *arg, const struct listing *game, int64_t number), void *arg);
    int (*credential_known)(void *context, uint64_t id, uint8_t ret_gid[static 16]);
    int (*kept)(void *context, const uint8_t key[static 32], int64_t now_ms,
                void (*take)(void *arg, const struct kept *kept), void *arg);

    /* For moving to another store: all credentials, and all kept answers, as above. */
    int (*credentials)(void *context,
                       int (*row)(void *arg, uint64_t id, const uint8_t gid[static 16]),
                       void *arg);
    int (*answers)(void *context, int (*row)(void *arg, const struct kept *kept), void *arg);

    /* Where others write too, else NULL: has `events` told from now on. */
    int (*listen)(void *context, const struct store_events *events);
    void (*deafen)(void *context); /* and now no more; none is being told */
    /* Makes all commits between begin and end one: on disk together or not at all. NULL:
     * cannot.
     */
    int (*bulk)(void *context, enum store_bulk what);

    /* How much of the disk it takes. NULL: the database has means of its own. */
    int (*room)(void *context, struct store_room *ret_room);
    /* Writes a consistent copy to a new file. NULL: the database has means of its own. */
    int (*backup)(void *context, const char *file);
    /* Looks for damage in the database itself; 0: none. */
    int (*check)(void *context);
    void (*close)(void *context);
};

enum { STORE_ERROR_SIZE = 256 };

enum store_use {
    STORE_SERVE, /* SQLite: alone, a second one is refused with -EBUSY */
    STORE_READ,  /* beside a daemon that may run; the store must exist */
};

/* games.db in a folder, which is made if it is missing and the use is STORE_SERVE. On failure
 * `ret_error` holds one line. */
int store_sqlite_open(const char *folder, enum store_use use, struct store *ret_store,
                      char ret_error[static STORE_ERROR_SIZE]);

/* Is this the address of a PostgreSQL database? */
bool store_is_postgres(const char *url);

/* A database that any number of daemons may use at once; its tables are made if they are
 * missing and the use is STORE_SERVE. `key` is the store key (NULL: any will do): only its
 * fingerprint is kept there, and where another one stands it is -EPERM. -EINVAL: no such
 * address; -EPROTO: another version. No error names the password. */
int store_postgres_open(const char *url, enum store_use use, const uint8_t *key,
                        struct store *ret_store, char ret_error[static STORE_ERROR_SIZE]);

#endif
