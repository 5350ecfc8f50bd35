#include "daemon/store.h"

#include "daemon/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { READERS = 4, PATH_ROOM = 512, CACHE_SIZE = 65536, VERSION = 3, EXPIRE_AT_ONCE = 4 };

static const char schema[] =
    "CREATE TABLE game(number INTEGER PRIMARY KEY, gid BLOB NOT NULL UNIQUE,"
    " created_ms INTEGER NOT NULL, ruleset INTEGER NOT NULL, status INTEGER NOT NULL,"
    " open INTEGER NOT NULL, due_ms INTEGER NOT NULL, CHECK(length(gid) = 16)) STRICT;"
    "CREATE INDEX game_due ON game(due_ms) WHERE due_ms>0;"
    /* rows in the order in which they were written: each commit touches the last page alone */
    "CREATE TABLE record(row INTEGER PRIMARY KEY, game INTEGER NOT NULL, first INTEGER NOT "
    "NULL,"
    " count INTEGER NOT NULL, claims BLOB NOT NULL, sealed BLOB) STRICT;"
    "CREATE UNIQUE INDEX record_of_game ON record(game, first);"
    "CREATE TABLE credential(id INTEGER PRIMARY KEY, game INTEGER NOT NULL) STRICT;"
    "CREATE TABLE kept(key BLOB PRIMARY KEY, body BLOB NOT NULL, expires_ms INTEGER NOT NULL,"
    " sealed BLOB NOT NULL) STRICT, WITHOUT ROWID;"
    "CREATE INDEX kept_expires ON kept(expires_ms);"
    "CREATE TABLE snapshot(game INTEGER PRIMARY KEY, seq INTEGER NOT NULL, sealed BLOB NOT "
    "NULL)"
    " STRICT;"
    "PRAGMA user_version=3;";

enum write_sql {
    SQL_BEGIN,
    SQL_COMMIT,
    SQL_ROLLBACK,
    SQL_FIND,
    SQL_CREATE,
    SQL_LIST,
    SQL_LAST,
    SQL_RECORD,
    SQL_CREDENTIAL,
    SQL_EXPIRE,
    SQL_KEEP,
    SQL_SNAP,
    WRITES,
};

static const char *const write_sql[WRITES] = {
    [SQL_BEGIN] = "BEGIN IMMEDIATE",
    [SQL_COMMIT] = "COMMIT",
    [SQL_ROLLBACK] = "ROLLBACK",
    [SQL_FIND] = "SELECT number FROM game WHERE gid=?1",
    [SQL_CREATE] =
        "INSERT INTO game(gid,created_ms,ruleset,status,open,due_ms) VALUES(?1,?2,?3,?4,?5,?6)",
    [SQL_LIST] = "UPDATE game SET status=?2,open=?3,due_ms=?4 WHERE number=?1",
    [SQL_LAST] = "SELECT first+count FROM record WHERE game=?1 ORDER BY first DESC LIMIT 1",
    [SQL_RECORD] = "INSERT INTO record(game,first,count,claims,sealed) VALUES(?1,?2,?3,?4,?5)",
    [SQL_CREDENTIAL] = "INSERT OR REPLACE INTO credential VALUES(?1,?2)",
    [SQL_EXPIRE] = ("DELETE FROM kept WHERE key IN"
                    " (SELECT key FROM kept WHERE expires_ms<?1 LIMIT ?2)"),
    [SQL_KEEP] = "INSERT OR REPLACE INTO kept VALUES(?1,?2,?3,?4)",
    [SQL_SNAP] = "INSERT OR REPLACE INTO snapshot VALUES(?1,?2,?3)",
};

enum read_sql {
    SQL_GAME,
    SQL_RECORDS,
    SQL_GAMES,
    SQL_DUE,
    SQL_KNOWN,
    SQL_KEPT,
    SQL_SNAPSHOT,
    SQL_SCAN,
    SQL_CREDENTIALS,
    SQL_ANSWERS,
    READS,
};

static const char *const read_sql[READS] = {
    [SQL_GAME] = "SELECT number FROM game WHERE gid=?1",
    /* a record may begin before ?2 and end after it, so the one before is looked at too */
    [SQL_RECORDS] = "SELECT first,count,claims,sealed FROM record WHERE game=?1 AND first>="
                    "ifnull((SELECT max(first) FROM record WHERE game=?1 AND first<=?2),0)"
                    " AND first+count-1>?2 ORDER BY first",
    [SQL_GAMES] =
        ("SELECT number,gid,created_ms,ruleset,status,open,due_ms FROM game WHERE number>?1"
         " AND (?2<0 OR status=?2) AND (?3=0 OR open=1) ORDER BY number LIMIT ?4"),
    /* ?2 and ?3 as above */
    [SQL_DUE] =
        ("SELECT number,gid,created_ms,ruleset,status,open,due_ms FROM game WHERE due_ms>0"
         " AND due_ms<=?1 AND (?2<0 OR status=?2) AND (?3=0 OR open=1)"
         " ORDER BY due_ms LIMIT ?4"),
    [SQL_KNOWN] = "SELECT gid FROM credential JOIN game ON number=game WHERE id=?1",
    [SQL_KEPT] = "SELECT body,expires_ms,sealed FROM kept WHERE key=?1 AND expires_ms>?2",
    [SQL_SNAPSHOT] = "SELECT seq,sealed FROM snapshot JOIN game ON number=game WHERE gid=?1",
    /* in the order in which they were written: one way through the file */
    [SQL_SCAN] = "SELECT first,count,claims,sealed,game FROM record ORDER BY row",
    [SQL_CREDENTIALS] = "SELECT id,gid FROM credential JOIN game ON number=game",
    [SQL_ANSWERS] = "SELECT key,body,expires_ms,sealed FROM kept",
};

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

struct sqlite {
    char path[PATH_ROOM];
    int lock_fd; /* -1: not held */
    sqlite3 *db; /* the writer's */
    sqlite3_stmt *sql[WRITES];
    struct known known[CACHE_SIZE];
    struct reader readers[READERS];
    _Atomic unsigned turn;
};

static int to_errno(int code)
{
    switch (code & 0xff) {
    case SQLITE_OK:
    case SQLITE_ROW:
    case SQLITE_DONE:
        return 0;
    case SQLITE_FULL:
        return -ENOSPC;
    case SQLITE_NOMEM:
        return -ENOMEM;
    case SQLITE_CONSTRAINT:
        return -EEXIST;
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return -EBUSY;
    default:
        return -EIO;
    }
}

/* SQLite says "full" for ENOSPC alone; a quota or a limit of the file's size it tells as a
 * failed write, and the errno behind it is often lost by then. */
static int write_errno(sqlite3 *db, int code)
{
    if (sqlite3_extended_errcode(db) == SQLITE_IOERR_WRITE && sqlite3_system_errno(db) != EIO)
        return -ENOSPC;
    return to_errno(code);
}

static void bind_blob(sqlite3_stmt *sql, int at, const void *bytes, size_t size)
{
    sqlite3_bind_blob64(sql, at, bytes ? bytes : "", size, SQLITE_STATIC);
}

/* Steps a statement that gives at most one row; `ret_number` is its first column, or 0. */
static int step(struct sqlite *s, enum write_sql which, int64_t *ret_number)
{
    sqlite3_stmt *sql = s->sql[which];
    int code = sqlite3_step(sql);
    int error = to_errno(code) ? write_errno(s->db, code) : 0;

    if (ret_number)
        *ret_number = code == SQLITE_ROW ? sqlite3_column_int64(sql, 0) : 0;
    sqlite3_reset(sql);
    return error;
}

static struct known *place_of(struct sqlite *s, const uint8_t *gid)
{
    uint32_t hash; /* ids are random */

    memcpy(&hash, gid, sizeof hash);
    return &s->known[hash % CACHE_SIZE];
}

static int create_game(struct sqlite *s, const struct listing *game)
{
    sqlite3_stmt *sql = s->sql[SQL_CREATE];

    bind_blob(sql, 1, game->gid, sizeof game->gid);
    sqlite3_bind_int64(sql, 2, game->created_ms);
    sqlite3_bind_int(sql, 3, game->ruleset);
    sqlite3_bind_int(sql, 4, game->status);
    sqlite3_bind_int(sql, 5, game->open);
    sqlite3_bind_int64(sql, 6, game->due_ms);
    return step(s, SQL_CREATE, NULL);
}

/* Finds a game, from memory if a late commit had to do with it. -ENOENT: there is none. */
static int find_game(struct sqlite *s, const uint8_t *gid, struct known **ret_known)
{
    struct known *known = place_of(s, gid);
    int64_t number, next;

    *ret_known = known;
    if (known->number && memcmp(known->gid, gid, sizeof known->gid) == 0)
        return 0;
    bind_blob(s->sql[SQL_FIND], 1, gid, 16);
    int error = step(s, SQL_FIND, &number);
    if (error || !number)
        return error ? error : -ENOENT;
    sqlite3_bind_int64(s->sql[SQL_LAST], 1, number);
    error = step(s, SQL_LAST, &next);
    if (error)
        return error;
    memcpy(known->gid, gid, sizeof known->gid);
    known->number = number;
    known->next = next ? next : 1;
    return 0;
}

static int write_listing(struct sqlite *s, const struct listing *game)
{
    struct known *known;
    int error = find_game(s, game->gid, &known);

    if (error == -ENOENT) {
        error = create_game(s, game);
        if (error)
            return error;
        memcpy(known->gid, game->gid, sizeof known->gid);
        known->number = sqlite3_last_insert_rowid(s->db);
        known->next = 1;
        return 0;
    }
    if (error)
        return error;
    sqlite3_bind_int64(s->sql[SQL_LIST], 1, known->number);
    sqlite3_bind_int(s->sql[SQL_LIST], 2, game->status);
    sqlite3_bind_int(s->sql[SQL_LIST], 3, game->open);
    sqlite3_bind_int64(s->sql[SQL_LIST], 4, game->due_ms);
    return step(s, SQL_LIST, NULL);
}

static int write_record(struct sqlite *s, const uint8_t *gid, const struct record *record)
{
    sqlite3_stmt *sql = s->sql[SQL_RECORD];
    struct known *known;
    int error = find_game(s, gid, &known);

    if (error)
        return error;
    if (record->first != known->next || record->count == 0)
        return -EEXIST;
    sqlite3_bind_int64(sql, 1, known->number);
    sqlite3_bind_int64(sql, 2, record->first);
    sqlite3_bind_int64(sql, 3, record->count);
    bind_blob(sql, 4, record->claims, record->claims_size);
    if (record->sealed_size > 0)
        bind_blob(sql, 5, record->sealed, record->sealed_size);
    else
        sqlite3_bind_null(sql, 5);
    error = step(s, SQL_RECORD, NULL);
    if (!error)
        known->next += record->count;
    return error;
}

static int write_kept(struct sqlite *s, const struct kept *kept)
{
    sqlite3_stmt *sql = s->sql[SQL_KEEP];

    /* a few of the old go whenever a new one comes */
    sqlite3_bind_int64(s->sql[SQL_EXPIRE], 1, clock_now_ms(NULL));
    sqlite3_bind_int(s->sql[SQL_EXPIRE], 2, EXPIRE_AT_ONCE);
    int error = step(s, SQL_EXPIRE, NULL);
    if (error)
        return error;
    bind_blob(sql, 1, kept->key, sizeof kept->key);
    bind_blob(sql, 2, kept->body, sizeof kept->body);
    sqlite3_bind_int64(sql, 3, kept->expires_ms);
    bind_blob(sql, 4, kept->sealed, kept->sealed_size);
    return step(s, SQL_KEEP, NULL);
}

static int write_credentials(struct sqlite *s, const struct change *change)
{
    struct known *known;
    int error = change->credential_count > 0 ? find_game(s, change->gid, &known) : 0;

    for (size_t i = 0; i < change->credential_count && !error; i++) {
        sqlite3_bind_int64(s->sql[SQL_CREDENTIAL], 1, (int64_t)change->credentials[i]);
        sqlite3_bind_int64(s->sql[SQL_CREDENTIAL], 2, known->number);
        error = step(s, SQL_CREDENTIAL, NULL);
    }
    return error;
}

static int write_snapshot(struct sqlite *s, const uint8_t *gid, const struct snapshot *snapshot)
{
    sqlite3_stmt *sql = s->sql[SQL_SNAP];
    struct known *known;
    int error = find_game(s, gid, &known);

    if (error)
        return error;
    sqlite3_bind_int64(sql, 1, known->number);
    sqlite3_bind_int64(sql, 2, snapshot->seq);
    bind_blob(sql, 3, snapshot->sealed, snapshot->sealed_size);
    return step(s, SQL_SNAP, NULL);
}

static int write_change(struct sqlite *s, const struct change *change)
{
    int error = change->listing ? write_listing(s, change->listing) : 0;

    if (!error && change->record)
        error = write_record(s, change->gid, change->record);
    if (!error)
        error = write_credentials(s, change);
    if (!error && change->snapshot)
        error = write_snapshot(s, change->gid, change->snapshot);
    if (!error && change->kept)
        error = write_kept(s, change->kept);
    return error;
}

/* Nobody else writes here, so nothing comes too late. */
static int commit(void *context, const struct change *const *changes, size_t count,
                  bool *ret_lost)
{
    struct sqlite *s = context;
    int error = step(s, SQL_BEGIN, NULL);

    for (size_t i = 0; i < count && !error; i++) {
        error = write_change(s, changes[i]);
        ret_lost[i] = false;
    }
    if (!error)
        error = step(s, SQL_COMMIT, NULL);
    if (!error)
        return 0;
    if (!sqlite3_get_autocommit(s->db))
        step(s, SQL_ROLLBACK, NULL);
    memset(s->known, 0, sizeof s->known); /* it may know what was rolled back */
    return error;
}

static struct reader *reader_take(struct sqlite *s)
{
    unsigned first = s->turn++;

    for (unsigned i = 0; i < READERS; i++)
        if (pthread_mutex_trylock(&s->readers[(first + i) % READERS].mutex) == 0)
            return &s->readers[(first + i) % READERS];
    pthread_mutex_lock(&s->readers[first % READERS].mutex);
    return &s->readers[first % READERS];
}

static void reader_give(struct reader *r, sqlite3_stmt *sql)
{
    sqlite3_reset(sql);
    pthread_mutex_unlock(&r->mutex);
}

/* The first four columns of a row of the table. */
static struct record record_of(sqlite3_stmt *sql)
{
    return (struct record){
        .first = (uint32_t)sqlite3_column_int64(sql, 0),
        .count = (uint32_t)sqlite3_column_int64(sql, 1),
        .claims = sqlite3_column_blob(sql, 2),
        .claims_size = (size_t)sqlite3_column_bytes(sql, 2),
        .sealed = sqlite3_column_blob(sql, 3),
        .sealed_size = (size_t)sqlite3_column_bytes(sql, 3),
    };
}

static int read_records(struct reader *r, int64_t number, uint32_t after,
                        int (*row)(void *arg, const struct record *record), void *arg)
{
    sqlite3_stmt *sql = r->sql[SQL_RECORDS];
    int stop = 0, code = SQLITE_DONE;

    sqlite3_bind_int64(sql, 1, number);
    sqlite3_bind_int64(sql, 2, after);
    while (stop == 0 && (code = sqlite3_step(sql)) == SQLITE_ROW) {
        struct record record = record_of(sql);
        stop = row(arg, &record);
    }
    sqlite3_reset(sql);
    return stop ? stop : to_errno(code);
}

static int records(void *context, const uint8_t gid[static 16], uint32_t after,
                   int (*row)(void *arg, const struct record *record), void *arg)
{
    struct reader *r = reader_take(context);
    sqlite3_stmt *sql = r->sql[SQL_GAME];

    bind_blob(sql, 1, gid, 16);
    int code = sqlite3_step(sql), error = -ENOENT;
    int64_t number = code == SQLITE_ROW ? sqlite3_column_int64(sql, 0) : 0;
    sqlite3_reset(sql);
    if (code == SQLITE_ROW)
        error = read_records(r, number, after, row, arg);
    else if (code != SQLITE_DONE)
        error = to_errno(code);
    reader_give(r, sql);
    return error;
}

static int games(void *context, const struct list_query *query,
                 int (*row)(void *arg, const struct listing *game, int64_t number), void *arg)
{
    struct reader *r = reader_take(context);
    sqlite3_stmt *sql = r->sql[query->due_ms ? SQL_DUE : SQL_GAMES];
    int stop = 0, code = SQLITE_DONE;

    sqlite3_bind_int64(sql, 1, query->due_ms ? query->due_ms : query->after);
    sqlite3_bind_int(sql, 2, query->status);
    sqlite3_bind_int(sql, 3, query->open_only);
    sqlite3_bind_int(sql, 4, query->limit);
    while (stop == 0 && (code = sqlite3_step(sql)) == SQLITE_ROW) {
        struct listing game = {
            .created_ms = sqlite3_column_int64(sql, 2),
            .ruleset = (uint8_t)sqlite3_column_int(sql, 3),
            .status = (uint8_t)sqlite3_column_int(sql, 4),
            .open = sqlite3_column_int(sql, 5) != 0,
            .due_ms = sqlite3_column_int64(sql, 6),
        };
        if (sqlite3_column_bytes(sql, 1) == sizeof game.gid)
            memcpy(game.gid, sqlite3_column_blob(sql, 1), sizeof game.gid);
        stop = row(arg, &game, sqlite3_column_int64(sql, 0));
    }
    reader_give(r, sql);
    return stop ? stop : to_errno(code);
}

static int credential_known(void *context, uint64_t id, uint8_t ret_gid[static 16])
{
    struct reader *r = reader_take(context);
    sqlite3_stmt *sql = r->sql[SQL_KNOWN];

    sqlite3_bind_int64(sql, 1, (int64_t)id);
    int code = sqlite3_step(sql);
    bool found = code == SQLITE_ROW && sqlite3_column_bytes(sql, 0) == 16;
    if (found)
        memcpy(ret_gid, sqlite3_column_blob(sql, 0), 16);
    reader_give(r, sql);
    return found ? 1 : to_errno(code);
}

static int kept(void *context, const uint8_t key[static 32], int64_t now_ms,
                void (*take)(void *arg, const struct kept *kept), void *arg)
{
    struct reader *r = reader_take(context);
    sqlite3_stmt *sql = r->sql[SQL_KEPT];
    struct kept found = {0}; /* on disk: no ticket */

    bind_blob(sql, 1, key, 32);
    sqlite3_bind_int64(sql, 2, now_ms);
    int code = sqlite3_step(sql);
    if (code == SQLITE_ROW && sqlite3_column_bytes(sql, 0) == sizeof found.body) {
        memcpy(found.key, key, sizeof found.key);
        memcpy(found.body, sqlite3_column_blob(sql, 0), sizeof found.body);
        found.expires_ms = sqlite3_column_int64(sql, 1);
        found.sealed = sqlite3_column_blob(sql, 2);
        found.sealed_size = (size_t)sqlite3_column_bytes(sql, 2);
        take(arg, &found);
    }
    reader_give(r, sql);
    return code == SQLITE_DONE ? -ENOENT : to_errno(code);
}

static int snapshot(void *context, const uint8_t gid[static 16],
                    void (*take)(void *arg, const struct snapshot *snapshot), void *arg)
{
    struct reader *r = reader_take(context);
    sqlite3_stmt *sql = r->sql[SQL_SNAPSHOT];

    bind_blob(sql, 1, gid, 16);
    int code = sqlite3_step(sql);
    if (code == SQLITE_ROW) {
        struct snapshot found = {.seq = (uint32_t)sqlite3_column_int64(sql, 0),
                                 .sealed = sqlite3_column_blob(sql, 1),
                                 .sealed_size = (size_t)sqlite3_column_bytes(sql, 1)};
        take(arg, &found);
    }
    reader_give(r, sql);
    return code == SQLITE_DONE ? -ENOENT : to_errno(code);
}

static int scan(void *context,
                int (*row)(void *arg, int64_t number, const struct record *record), void *arg)
{
    struct reader *r = reader_take(context);
    sqlite3_stmt *sql = r->sql[SQL_SCAN];
    int stop = 0, code = SQLITE_DONE;

    while (stop == 0 && (code = sqlite3_step(sql)) == SQLITE_ROW) {
        struct record record = record_of(sql);
        stop = row(arg, sqlite3_column_int64(sql, 4), &record);
    }
    reader_give(r, sql);
    return stop ? stop : to_errno(code);
}

static int credentials(void *context,
                       int (*row)(void *arg, uint64_t id, const uint8_t gid[static 16]),
                       void *arg)
{
    struct reader *r = reader_take(context);
    sqlite3_stmt *sql = r->sql[SQL_CREDENTIALS];
    int stop = 0, code = SQLITE_DONE;

    while (stop == 0 && (code = sqlite3_step(sql)) == SQLITE_ROW)
        if (sqlite3_column_bytes(sql, 1) == 16)
            stop =
                row(arg, (uint64_t)sqlite3_column_int64(sql, 0), sqlite3_column_blob(sql, 1));
    reader_give(r, sql);
    return stop ? stop : to_errno(code);
}

static int answers(void *context, int (*row)(void *arg, const struct kept *kept), void *arg)
{
    struct reader *r = reader_take(context);
    sqlite3_stmt *sql = r->sql[SQL_ANSWERS];
    int stop = 0, code = SQLITE_DONE;

    while (stop == 0 && (code = sqlite3_step(sql)) == SQLITE_ROW) {
        struct kept kept = {.expires_ms = sqlite3_column_int64(sql, 2),
                            .sealed = sqlite3_column_blob(sql, 3),
                            .sealed_size = (size_t)sqlite3_column_bytes(sql, 3)};
        if (sqlite3_column_bytes(sql, 0) != sizeof kept.key ||
            sqlite3_column_bytes(sql, 1) != sizeof kept.body)
            continue;
        memcpy(kept.key, sqlite3_column_blob(sql, 0), sizeof kept.key);
        memcpy(kept.body, sqlite3_column_blob(sql, 1), sizeof kept.body);
        stop = row(arg, &kept);
    }
    reader_give(r, sql);
    return stop ? stop : to_errno(code);
}

static int fault(char *ret_error, int error, const char *path, const char *why)
{
    snprintf(ret_error, STORE_ERROR_SIZE, "%.180s: %.70s", path, why);
    return error;
}

static int prepare(sqlite3 *db, const char *const *texts, int count, sqlite3_stmt **ret_sql)
{
    for (int i = 0; i < count; i++) {
        int code =
            sqlite3_prepare_v3(db, texts[i], -1, SQLITE_PREPARE_PERSISTENT, &ret_sql[i], NULL);
        if (code != SQLITE_OK)
            return to_errno(code);
    }
    return 0;
}

/* A connection that trusts nothing in the file and waits for nobody for long. */
static int connect_to(const char *path, int flags, sqlite3 **ret_db)
{
    int code = sqlite3_open_v2(path, ret_db, flags | SQLITE_OPEN_NOMUTEX, NULL);

    if (code != SQLITE_OK)
        return write_errno(*ret_db, code);
    sqlite3_db_config(*ret_db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(*ret_db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_db_config(*ret_db, SQLITE_DBCONFIG_DQS_DML, 0, NULL);
    sqlite3_extended_result_codes(*ret_db, 1);
    sqlite3_busy_timeout(*ret_db, 2000);
    code = sqlite3_exec(*ret_db, "PRAGMA temp_store=MEMORY; PRAGMA synchronous=FULL;", NULL,
                        NULL, NULL);
    return to_errno(code);
}

static int read_version(sqlite3 *db, int *ret_version)
{
    sqlite3_stmt *sql = NULL;
    int code = sqlite3_prepare_v2(db, "PRAGMA user_version", -1, &sql, NULL);

    if (code == SQLITE_OK)
        code = sqlite3_step(sql);
    if (code == SQLITE_ROW)
        *ret_version = sqlite3_column_int(sql, 0);
    sqlite3_finalize(sql);
    return to_errno(code);
}

/* Makes the tables of an empty file; refuses those of another version. */
static int migrate(struct sqlite *s, char *ret_error)
{
    int version = 0, error = read_version(s->db, &version);

    if (error)
        return fault(ret_error, error, s->path, sqlite3_errmsg(s->db));
    if (version > VERSION)
        return fault(ret_error, -EPROTO, s->path, "was written by a later version");
    if (version == VERSION)
        return 0;
    if (version)
        return fault(ret_error, -EPROTO, s->path,
                     "was written before the first release: its games cannot be read");
    if (sqlite3_exec(s->db, "BEGIN IMMEDIATE", NULL, NULL, NULL) == SQLITE_OK &&
        sqlite3_exec(s->db, schema, NULL, NULL, NULL) == SQLITE_OK &&
        sqlite3_exec(s->db, "COMMIT", NULL, NULL, NULL) == SQLITE_OK)
        return 0;
    return fault(ret_error, write_errno(s->db, sqlite3_errcode(s->db)), s->path,
                 sqlite3_errmsg(s->db));
}

static int open_writer(struct sqlite *s, char *ret_error)
{
    int error = connect_to(s->path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, &s->db);

    if (!error)
        error = to_errno(sqlite3_exec(s->db,
                                      "PRAGMA journal_mode=WAL; PRAGMA cache_size=-32000;"
                                      "PRAGMA journal_size_limit=67108864;",
                                      NULL, NULL, NULL));
    if (error)
        return fault(ret_error, error, s->path, sqlite3_errmsg(s->db));
    error = migrate(s, ret_error);
    if (error)
        return error;
    error = prepare(s->db, write_sql, WRITES, s->sql);
    return error ? fault(ret_error, error, s->path, sqlite3_errmsg(s->db)) : 0;
}

static int open_readers(struct sqlite *s, char *ret_error)
{
    for (int i = 0; i < READERS; i++) {
        struct reader *r = &s->readers[i];
        int error = connect_to(s->path, SQLITE_OPEN_READWRITE, &r->db);
        if (!error)
            error = prepare(r->db, read_sql, READS, r->sql);
        if (error)
            return fault(ret_error, error, s->path, sqlite3_errmsg(r->db));
    }
    return 0;
}

/* One daemon a folder: the lock falls with the process, however it ends. */
static int lock(struct sqlite *s, const char *folder, char *ret_error)
{
    char path[PATH_ROOM];

    if (mkdir(folder, 0700) < 0 && errno != EEXIST)
        return fault(ret_error, -errno, folder, strerror(errno));
    snprintf(path, sizeof path, "%.400s/lock", folder);
    s->lock_fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (s->lock_fd < 0)
        return fault(ret_error, -errno, path, strerror(errno));
    if (flock(s->lock_fd, LOCK_EX | LOCK_NB) < 0)
        return fault(ret_error, -EBUSY, folder, "another daemon uses this folder");
    return 0;
}

static void finish(sqlite3 *db, sqlite3_stmt **sql, int count)
{
    for (int i = 0; i < count; i++)
        sqlite3_finalize(sql[i]);
    sqlite3_close(db);
}

static void close_store(void *context)
{
    struct sqlite *s = context;

    for (int i = 0; i < READERS; i++) {
        finish(s->readers[i].db, s->readers[i].sql, READS);
        pthread_mutex_destroy(&s->readers[i].mutex);
    }
    finish(s->db, s->sql, WRITES);
    if (s->lock_fd >= 0)
        close(s->lock_fd);
    free(s);
}

static int backup(void *context, const char *file)
{
    struct sqlite *s = context;
    struct reader *r = reader_take(s);
    sqlite3 *copy = NULL;
    int fd = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    int error = fd < 0 ? -errno : connect_to(file, SQLITE_OPEN_READWRITE, &copy);

    sqlite3_backup *work = error ? NULL : sqlite3_backup_init(copy, "main", r->db, "main");
    if (work) {
        int code = sqlite3_backup_step(work, -1);
        sqlite3_backup_finish(work);
        error = code == SQLITE_DONE ? 0 : write_errno(copy, code);
    } else if (!error) {
        error = -EIO;
    }
    if (!error) /* one file, not a log beside it */
        error = to_errno(sqlite3_exec(copy, "PRAGMA journal_mode=DELETE", NULL, NULL, NULL));
    sqlite3_close(copy);
    if (fd >= 0 && !error && fsync(fd) < 0)
        error = -errno;
    if (fd >= 0)
        close(fd);
    if (fd >= 0 && error)
        unlink(file);
    pthread_mutex_unlock(&r->mutex);
    return error;
}

static int check(void *context)
{
    struct reader *r = reader_take(context);
    sqlite3_stmt *sql = NULL;
    int error = to_errno(sqlite3_prepare_v2(r->db, "PRAGMA integrity_check", -1, &sql, NULL));

    if (!error) {
        int code = sqlite3_step(sql);
        const unsigned char *text = code == SQLITE_ROW ? sqlite3_column_text(sql, 0) : NULL;
        error = text && strcmp((const char *)text, "ok") == 0 ? 0 : -EIO;
    }
    sqlite3_finalize(sql);
    pthread_mutex_unlock(&r->mutex);
    return error;
}

static int open_store(struct sqlite *s, const char *folder, enum store_use use, char *ret_error)
{
    int version = 0;
    int error = use == STORE_SERVE ? lock(s, folder, ret_error) : 0;

    if (!error && use == STORE_SERVE)
        error = open_writer(s, ret_error);
    if (!error && use == STORE_READ && access(s->path, R_OK) < 0)
        error = fault(ret_error, -errno, s->path, strerror(errno));
    if (!error)
        error = open_readers(s, ret_error);
    if (!error && use == STORE_READ && read_version(s->readers[0].db, &version) == 0 &&
        version != VERSION)
        error = fault(ret_error, -EPROTO, s->path, "was written by another version");
    return error;
}

int store_sqlite_open(const char *folder, enum store_use use, struct store *ret_store,
                      char ret_error[static STORE_ERROR_SIZE])
{
    struct sqlite *s = calloc(1, sizeof *s);
    int n = s ? snprintf(s->path, sizeof s->path, "%s/games.db", folder) : -1;

    if (n < 0 || n >= PATH_ROOM) {
        free(s);
        return fault(ret_error, -ENAMETOOLONG, folder, "the path is too long");
    }
    s->lock_fd = -1;
    for (int i = 0; i < READERS; i++)
        pthread_mutex_init(&s->readers[i].mutex, NULL);
    int error = open_store(s, folder, use, ret_error);
    if (error) {
        close_store(s);
        return error;
    }
    *ret_store = (struct store){
        .context = s,
        .commit = commit,
        .records = records,
        .snapshot = snapshot,
        .scan = scan,
        .games = games,
        .credential_known = credential_known,
        .kept = kept,
        .credentials = credentials,
        .answers = answers,
        .backup = backup,
        .check = check,
        .close = close_store,
    };
    return 0;
}
