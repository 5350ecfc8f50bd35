/* Shared by the files of the SQLite store only.
 *
 * A struct sqlite is one open store: a connection for the one thread that writes, some for
 * those who read, and what the indexes do not know yet (daemon/backlog.h).
 */
#ifndef DAEMON_STORE_SQLITE_H
#define DAEMON_STORE_SQLITE_H

#include "daemon/backlog.h"
#include "daemon/store.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdatomic.h>

enum { READERS = 4, PATH_ROOM = 512, CACHE_SIZE = 65536 };

enum write_sql {
    SQL_BEGIN,
    SQL_COMMIT,
    SQL_ROLLBACK,
    SQL_FIND,
    SQL_CREATE,
    SQL_LIST,
    SQL_LAST,
    SQL_ROW,
    SQL_RECORD,
    SQL_CREDENTIAL,
    SQL_EXPIRE,
    SQL_KEEP,
    SQL_SNAP,
    SQL_INDEX_RECORD,
    SQL_INDEX_GAME,
    SQL_INDEX_CREDENTIAL,
    SQL_MARK,
    SQL_TRIM,
    SQL_DROP_RECORDS,
    SQL_DROP_RECORD,
    SQL_DROP_PLACES,
    SQL_DROP_SNAPSHOT,
    SQL_DROP_CREDENTIAL,
    SQL_DROP_ISSUED,
    SQL_DROP_NAME,
    SQL_DROP_GAME,
    SQL_LAST_GIVEN,
    SQL_PROBE,
    WRITES,
};

enum read_sql {
    SQL_NUMBER,
    SQL_GID,
    SQL_RECORDS,
    SQL_RECORD_AT,
    SQL_GAMES,
    SQL_DUE,
    SQL_ENDED,
    SQL_KNOWN,
    SQL_KEPT,
    SQL_SNAPSHOT,
    SQL_SCAN,
    SQL_CREDENTIALS,
    SQL_ANSWERS,
    SQL_INDEXED,
    SQL_NEW_RECORDS,
    SQL_NEW_GAMES,
    SQL_NEW_CREDENTIALS,
    READS,
};

extern const char *const store_sqlite_writes[WRITES], *const store_sqlite_reads[READS];

struct reader {
    pthread_mutex_t mutex;
    sqlite3 *db;
    sqlite3_stmt *sql[READS];
};

/* What the last commits learnt of a game; number 0: an empty place. */
struct known {
    uint8_t gid[16];
    int64_t number;
    int64_t next; /* the seq that its next record must begin with */
};

/* Rows are counted up and none is given twice, though the last ones may have been removed: in
 * the order of enum backlog_kind. */
struct given {
    int64_t row[BACKLOG_KINDS];
};

struct removal {
    const struct change *change;
    int64_t number;
};

struct sqlite {
    char path[PATH_ROOM];
    int lock_fd; /* -1: not held */
    sqlite3 *db; /* the writer's */
    sqlite3_stmt *sql[WRITES];
    struct known known[CACHE_SIZE];
    struct reader readers[READERS];
    _Atomic unsigned turn;
    struct backlog *backlog;
    struct given given, settled; /* by this commit; by the last one that is on disk */
    struct given seen;           /* the last rows that went into the backlog by catching up */
    pthread_mutex_t catching;
    bool trims; /* the credentials that are indexed still stand in the order of writing, too */
    struct removal *removals; /* by the commit under way */
    size_t removal_count, removal_room;
};

/* As in struct store. */
int store_sqlite_commit(void *context, const struct change *const *changes, size_t count,
                        bool *ret_lost);

/* Sets the functions that read. */
void store_sqlite_readers(struct store *store);
/* Reads what the indexes do not know, at the start; 0 or -errno. Where another process writes
 * it is done again before each look, for what came since. */
int store_sqlite_catch_up(struct sqlite *s);
/* A connection for one reader; reader_give() unlocks it. */
struct reader *store_sqlite_reader(struct sqlite *s);

/* -errno of a result of SQLite; of a write that failed. */
int store_sqlite_errno(int code);
int store_sqlite_write_errno(sqlite3 *db, int code);

/* Bytes that stay where they are until the statement has been stepped. */
void store_sqlite_bind(sqlite3_stmt *sql, int at, const void *bytes, size_t size);

/* Ids and numbers as keys that sort as SQLite sorts them, and back. */
struct backlog_key store_sqlite_gid_key(const uint8_t gid[static 16]);
void store_sqlite_key_gid(struct backlog_key key, uint8_t ret_gid[static 16]);
struct backlog_key store_sqlite_number_key(int64_t number);
int64_t store_sqlite_key_number(struct backlog_key key);

#endif
