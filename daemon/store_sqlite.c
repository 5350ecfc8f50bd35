#include "daemon/store_sqlite.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

enum { VERSION = 4, FIRST_VERSION = 3 };

/* As the first release made it; what has changed since is in `upgrades`, for new stores, too.
 */
static const char schema[] =
    "CREATE TABLE game(number INTEGER PRIMARY KEY, gid BLOB NOT NULL,"
    " created_ms INTEGER NOT NULL, ruleset INTEGER NOT NULL, status INTEGER NOT NULL,"
    " open INTEGER NOT NULL, due_ms INTEGER NOT NULL, CHECK(length(gid) = 16)) STRICT;"
    "CREATE INDEX game_due ON game(due_ms) WHERE due_ms>0;"
    /* rows in the order in which they were written: each commit touches the last page alone */
    "CREATE TABLE record(row INTEGER PRIMARY KEY, game INTEGER NOT NULL, first INTEGER NOT "
    "NULL,"
    " count INTEGER NOT NULL, claims BLOB NOT NULL, sealed BLOB) STRICT;"
    "CREATE TABLE issued(row INTEGER PRIMARY KEY, id INTEGER NOT NULL, game INTEGER NOT NULL)"
    " STRICT;"
    /* the indexes of these three, up to the rows in `indexed` (daemon/backlog.h) */
    "CREATE TABLE place(game INTEGER NOT NULL, first INTEGER NOT NULL, row INTEGER NOT NULL,"
    " PRIMARY KEY(game, first)) STRICT, WITHOUT ROWID;"
    "CREATE TABLE game_of(gid BLOB PRIMARY KEY, number INTEGER NOT NULL) STRICT, WITHOUT ROWID;"
    "CREATE TABLE credential(id INTEGER PRIMARY KEY, game INTEGER NOT NULL) STRICT;"
    "CREATE TABLE indexed(record INTEGER NOT NULL, game INTEGER NOT NULL,"
    " issued INTEGER NOT NULL) STRICT;"
    "INSERT INTO indexed VALUES(0,0,0);"
    "CREATE TABLE kept(key BLOB PRIMARY KEY, body BLOB NOT NULL, expires_ms INTEGER NOT NULL,"
    " sealed BLOB NOT NULL) STRICT, WITHOUT ROWID;"
    "CREATE INDEX kept_expires ON kept(expires_ms);"
    "CREATE TABLE snapshot(game INTEGER PRIMARY KEY, seq INTEGER NOT NULL, sealed BLOB NOT "
    "NULL)"
    " STRICT;";

/* What makes a store of the version before this one. A release never takes one of them back. */
static const char *const upgrades[VERSION + 1] = {
    /* When a game ended: all events of a record bear one time, so any of the last one's does.
     * Of numbers that were given to what is removed none is given again. */
    [4] =
        "ALTER TABLE game ADD COLUMN ended_ms INTEGER NOT NULL DEFAULT 0;"
        "CREATE TEMP TABLE late(game INTEGER PRIMARY KEY, row INTEGER);"
        "INSERT OR REPLACE INTO late SELECT game,row FROM record"
        " WHERE row>(SELECT record FROM indexed) ORDER BY row;"
        "UPDATE game SET ended_ms=ifnull((SELECT 1000*CAST(strftime('%s',CAST(substr(claims,"
        "instr(claims,CAST('\"iat\":\"' AS BLOB))+7,20) AS TEXT)) AS INTEGER) FROM record"
        " WHERE record.row=ifnull((SELECT late.row FROM late WHERE late.game=number),"
        "(SELECT place.row FROM place WHERE place.game=number ORDER BY first DESC LIMIT 1))),0)"
        " WHERE status IN (6,7);"
        "DROP TABLE late;"
        "CREATE INDEX game_ended ON game(ended_ms) WHERE ended_ms>0;"
        "CREATE TABLE given(record INTEGER NOT NULL, game INTEGER NOT NULL,"
        " issued INTEGER NOT NULL) STRICT;"
        "INSERT INTO given VALUES(0,0,0);",
};

int store_sqlite_errno(int code)
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

/* The errno of the last call that failed for the log or the file itself; 0: not known. That of
 * the connection is often another call's by then. */
static int last_errno(sqlite3 *db)
{
    sqlite3_file *log = NULL;
    int error = 0;

    if (sqlite3_file_control(db, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log) == SQLITE_OK &&
        log && log->pMethods)
        (void)log->pMethods->xFileControl(log, SQLITE_FCNTL_LAST_ERRNO, &error);
    if (!error)
        (void)sqlite3_file_control(db, "main", SQLITE_FCNTL_LAST_ERRNO, &error);
    return error ? error : sqlite3_system_errno(db);
}

/* SQLite says "full" for ENOSPC alone; a quota or a limit of the file's size it tells as a
 * failed write. */
int store_sqlite_write_errno(sqlite3 *db, int code)
{
    if (sqlite3_extended_errcode(db) == SQLITE_IOERR_WRITE && last_errno(db) != EIO)
        return -ENOSPC;
    return store_sqlite_errno(code);
}

void store_sqlite_bind(sqlite3_stmt *sql, int at, const void *bytes, size_t size)
{
    sqlite3_bind_blob64(sql, at, bytes ? bytes : "", size, SQLITE_STATIC);
}

struct backlog_key store_sqlite_gid_key(const uint8_t gid[static 16])
{
    struct backlog_key key = {0};

    for (int i = 0; i < 8; i++) {
        key.high = key.high << 8 | gid[i];
        key.low = key.low << 8 | gid[8 + i];
    }
    return key;
}

void store_sqlite_key_gid(struct backlog_key key, uint8_t ret_gid[static 16])
{
    for (int i = 0; i < 8; i++) {
        ret_gid[i] = (uint8_t)(key.high >> (56 - 8 * i));
        ret_gid[8 + i] = (uint8_t)(key.low >> (56 - 8 * i));
    }
}

struct backlog_key store_sqlite_number_key(int64_t number)
{
    return (struct backlog_key){(uint64_t)number ^ UINT64_C(1) << 63, 0};
}

int64_t store_sqlite_key_number(struct backlog_key key)
{
    return (int64_t)(key.high ^ UINT64_C(1) << 63);
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
            return store_sqlite_errno(code);
    }
    return 0;
}

/* A connection that trusts nothing in the file and waits for nobody for long. */
static int connect_to(const char *path, int flags, sqlite3 **ret_db)
{
    int code = sqlite3_open_v2(path, ret_db, flags | SQLITE_OPEN_NOMUTEX, NULL);

    if (code != SQLITE_OK)
        return store_sqlite_write_errno(*ret_db, code);
    sqlite3_db_config(*ret_db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(*ret_db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_db_config(*ret_db, SQLITE_DBCONFIG_DQS_DML, 0, NULL);
    sqlite3_extended_result_codes(*ret_db, 1);
    sqlite3_busy_timeout(*ret_db, 2000);
    code = sqlite3_exec(*ret_db, "PRAGMA temp_store=MEMORY; PRAGMA synchronous=FULL;", NULL,
                        NULL, NULL);
    return store_sqlite_errno(code);
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
    return store_sqlite_errno(code);
}

static bool run(struct sqlite *s, const char *text)
{
    return sqlite3_exec(s->db, text, NULL, NULL, NULL) == SQLITE_OK;
}

/* From `version` (0: an empty file) to today's, all of it or nothing. */
static bool upgrade(struct sqlite *s, int version)
{
    char mark[48];
    bool good = run(s, "BEGIN IMMEDIATE") && (version || run(s, schema));

    for (int next = version ? version + 1 : FIRST_VERSION + 1; next <= VERSION; next++)
        good = good && run(s, upgrades[next]);
    snprintf(mark, sizeof mark, "PRAGMA user_version=%d", VERSION);
    return good && run(s, mark) && run(s, "COMMIT");
}

/* Makes the tables of an empty file, and those of an earlier version today's; refuses others.
 */
static int migrate(struct sqlite *s, char *ret_error)
{
    int version = 0, error = read_version(s->db, &version);

    if (error)
        return fault(ret_error, error, s->path, sqlite3_errmsg(s->db));
    if (version > VERSION)
        return fault(ret_error, -EPROTO, s->path, "was written by a later version");
    if (version == VERSION)
        return 0;
    if (version && version < FIRST_VERSION)
        return fault(ret_error, -EPROTO, s->path,
                     "was written before the first release: its games cannot be read");
    if (upgrade(s, version))
        return 0;
    return fault(ret_error, store_sqlite_write_errno(s->db, sqlite3_errcode(s->db)), s->path,
                 sqlite3_errmsg(s->db));
}

/* The numbers that were given last, whether what they stand for is still there or not. */
static int read_given(struct sqlite *s)
{
    static const char text[] =
        "SELECT max(given.record,indexed.record,ifnull((SELECT max(row) FROM record),0)),"
        "max(given.game,indexed.game,ifnull((SELECT max(number) FROM game),0)),"
        "max(given.issued,indexed.issued,ifnull((SELECT max(row) FROM issued),0))"
        " FROM given,indexed";
    sqlite3_stmt *sql = NULL;
    int code = sqlite3_prepare_v2(s->db, text, -1, &sql, NULL);

    if (code == SQLITE_OK)
        code = sqlite3_step(sql);
    for (int kind = 0; kind < BACKLOG_KINDS && code == SQLITE_ROW; kind++)
        s->given.row[kind] = sqlite3_column_int64(sql, kind);
    sqlite3_finalize(sql);
    s->settled = s->given;
    s->trims = true;
    return store_sqlite_errno(code);
}

static int open_writer(struct sqlite *s, char *ret_error)
{
    int error = connect_to(s->path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, &s->db);

    if (!error)
        error =
            store_sqlite_errno(sqlite3_exec(s->db,
                                            "PRAGMA journal_mode=WAL; PRAGMA cache_size=-32000;"
                                            "PRAGMA journal_size_limit=67108864;",
                                            NULL, NULL, NULL));
    if (error)
        return fault(ret_error, error, s->path, sqlite3_errmsg(s->db));
    error = migrate(s, ret_error);
    if (error)
        return error;
    error = prepare(s->db, store_sqlite_writes, WRITES, s->sql);
    if (!error)
        error = read_given(s);
    return error ? fault(ret_error, error, s->path, sqlite3_errmsg(s->db)) : 0;
}

static int open_readers(struct sqlite *s, char *ret_error)
{
    for (int i = 0; i < READERS; i++) {
        struct reader *r = &s->readers[i];
        int error = connect_to(s->path, SQLITE_OPEN_READWRITE, &r->db);
        if (!error)
            error = prepare(r->db, store_sqlite_reads, READS, r->sql);
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
    backlog_free(s->backlog);
    if (s->lock_fd >= 0)
        close(s->lock_fd);
    pthread_mutex_destroy(&s->catching);
    free(s->removals);
    free(s);
}

static int backup(void *context, const char *file)
{
    struct sqlite *s = context;
    struct reader *r = store_sqlite_reader(s);
    sqlite3 *copy = NULL;
    int fd = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    int error = fd < 0 ? -errno : connect_to(file, SQLITE_OPEN_READWRITE, &copy);

    sqlite3_backup *work = error ? NULL : sqlite3_backup_init(copy, "main", r->db, "main");
    if (work) {
        int code = sqlite3_backup_step(work, -1);
        sqlite3_backup_finish(work);
        error = code == SQLITE_DONE ? 0 : store_sqlite_write_errno(copy, code);
    } else if (!error) {
        error = -EIO;
    }
    if (!error) /* one file, not a log beside it */
        error = store_sqlite_errno(
            sqlite3_exec(copy, "PRAGMA journal_mode=DELETE", NULL, NULL, NULL));
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

static int64_t modified_ms(const struct stat *file)
{
    return (int64_t)file->st_mtim.tv_sec * 1000 + file->st_mtim.tv_nsec / 1000000;
}

static int room(void *context, struct store_room *ret_room)
{
    const struct sqlite *s = context;
    char log[PATH_ROOM + 8];
    struct stat file;
    struct statvfs disk;

    snprintf(log, sizeof log, "%s-wal", s->path);
    *ret_room = (struct store_room){0};
    if (stat(s->path, &file) < 0 || statvfs(s->path, &disk) < 0)
        return -errno;
    ret_room->bytes = file.st_size;
    ret_room->free_bytes = (int64_t)disk.f_bavail * (int64_t)disk.f_frsize;
    ret_room->written_ms = modified_ms(&file);
    if (stat(log, &file) < 0)
        return 0;
    ret_room->log_bytes = file.st_size;
    if (modified_ms(&file) > ret_room->written_ms)
        ret_room->written_ms = modified_ms(&file);
    return 0;
}

static int check(void *context)
{
    struct reader *r = store_sqlite_reader(context);
    sqlite3_stmt *sql = NULL;
    int error =
        store_sqlite_errno(sqlite3_prepare_v2(r->db, "PRAGMA quick_check", -1, &sql, NULL));

    if (!error) {
        int code = sqlite3_step(sql);
        const unsigned char *text = code == SQLITE_ROW ? sqlite3_column_text(sql, 0) : NULL;
        error = text && strcmp((const char *)text, "ok") == 0 ? 0 : -EIO;
    }
    sqlite3_finalize(sql);
    pthread_mutex_unlock(&r->mutex);
    return error;
}

/* Who only reads changes nothing, and cannot read what another version wrote. */
static int check_version(struct sqlite *s, char *ret_error)
{
    sqlite3 *db = NULL;
    int version = 0, error = connect_to(s->path, SQLITE_OPEN_READWRITE, &db);

    if (!error)
        error = read_version(db, &version);
    if (error)
        fault(ret_error, error, s->path, sqlite3_errmsg(db));
    else if (version > VERSION)
        error = fault(ret_error, -EPROTO, s->path, "was written by a later version");
    else if (version < VERSION)
        error = fault(ret_error, -EPROTO, s->path,
                      "is of an earlier version: the next start of the daemon upgrades it");
    sqlite3_close(db);
    return error;
}

static int open_store(struct sqlite *s, const char *folder, enum store_use use, char *ret_error)
{
    int error = use == STORE_SERVE ? lock(s, folder, ret_error) : 0;

    if (!error && use == STORE_SERVE)
        error = open_writer(s, ret_error);
    if (!error && use == STORE_READ && access(s->path, R_OK) < 0)
        error = fault(ret_error, -errno, s->path, strerror(errno));
    if (!error && !(s->backlog = backlog_new()))
        error = fault(ret_error, -ENOMEM, s->path, "not enough memory");
    if (!error && use == STORE_READ)
        error = check_version(s, ret_error);
    if (!error)
        error = open_readers(s, ret_error);
    /* who only reads, reads all of it: the system's pages are spared a copy and a call each */
    for (int i = 0; i < READERS && !error && use == STORE_READ; i++)
        error = store_sqlite_errno(
            sqlite3_exec(s->readers[i].db, "PRAGMA mmap_size=1099511627776", NULL, NULL, NULL));
    if (!error && (error = store_sqlite_catch_up(s)))
        error = fault(ret_error, error, s->path, "cannot be read");
    return error;
}

int store_sqlite_open(const char *folder, enum store_use use, struct store *ret_store,
                      char ret_error[static STORE_ERROR_SIZE])
{
    /* no figures of its memory, each of which would take a lock; refused once it is in use */
    (void)sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    struct sqlite *s = calloc(1, sizeof *s);
    int n = s ? snprintf(s->path, sizeof s->path, "%s/games.db", folder) : -1;

    if (n < 0 || n >= PATH_ROOM) {
        free(s);
        return fault(ret_error, -ENAMETOOLONG, folder, "the path is too long");
    }
    s->lock_fd = -1;
    pthread_mutex_init(&s->catching, NULL);
    for (int i = 0; i < READERS; i++)
        pthread_mutex_init(&s->readers[i].mutex, NULL);
    int error = open_store(s, folder, use, ret_error);
    if (error) {
        close_store(s);
        return error;
    }
    *ret_store = (struct store){
        .context = s,
        .commit = store_sqlite_commit,
        .backup = backup,
        .check = check,
        .room = room,
        .close = close_store,
    };
    store_sqlite_readers(ret_store);
    return 0;
}
