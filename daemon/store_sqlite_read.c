#include "daemon/store_sqlite.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_AT_ONCE = 64 };

#define GAME_COLUMNS "number,gid,created_ms,ruleset,status,open,due_ms,ended_ms"

const char *const store_sqlite_reads[READS] = {
    [SQL_NUMBER] = "SELECT number FROM game_of WHERE gid=?1",
    [SQL_GID] = "SELECT gid FROM game WHERE number=?1",
    /* a record may begin before ?2 and end after it, so the one before is looked at too */
    [SQL_RECORDS] = "SELECT record.first,count,claims,sealed FROM place JOIN record"
                    " ON record.row=place.row WHERE place.game=?1 AND place.first>="
                    "ifnull((SELECT max(first) FROM place WHERE game=?1 AND first<=?2),0)"
                    " AND place.first<?3 AND record.first+count-1>?2 ORDER BY place.first",
    [SQL_RECORD_AT] = "SELECT first,count,claims,sealed FROM record WHERE row=?1",
    [SQL_GAMES] = ("SELECT " GAME_COLUMNS " FROM game WHERE number>?1"
                   " AND (?2<0 OR status=?2) AND (?3=0 OR open=1) ORDER BY number LIMIT ?4"),
    /* ?2 and ?3 as above */
    [SQL_DUE] = ("SELECT " GAME_COLUMNS " FROM game WHERE due_ms>0"
                 " AND due_ms<=?1 AND (?2<0 OR status=?2) AND (?3=0 OR open=1)"
                 " ORDER BY due_ms LIMIT ?4"),
    [SQL_ENDED] = ("SELECT " GAME_COLUMNS " FROM game WHERE ended_ms>0 AND ended_ms<=?1"
                   " AND (?2<0 OR status=?2) AND (?3=0 OR open=1)"
                   " AND (ended_ms,number)>(?5,?6) ORDER BY ended_ms,number LIMIT ?4"),
    [SQL_KNOWN] = "SELECT game FROM credential WHERE id=?1",
    [SQL_KEPT] = "SELECT body,expires_ms,sealed FROM kept WHERE key=?1 AND expires_ms>?2",
    [SQL_SNAPSHOT] = "SELECT seq,sealed FROM snapshot WHERE game=?1",
    /* in the order in which they were written: one way through the file */
    [SQL_SCAN] = "SELECT first,count,claims,sealed,game FROM record ORDER BY row",
    [SQL_CREDENTIALS] =
        ("SELECT id,gid FROM credential JOIN game ON number=game UNION ALL"
         " SELECT id,gid FROM issued JOIN game ON number=game"
         " WHERE row>(SELECT issued FROM indexed)"
         " AND NOT EXISTS(SELECT 1 FROM credential WHERE credential.id=issued.id)"),
    [SQL_ANSWERS] = "SELECT key,body,expires_ms,sealed FROM kept",
    [SQL_INDEXED] = "SELECT record,game,issued FROM indexed",
    [SQL_NEW_RECORDS] = "SELECT row,game,first FROM record WHERE row>?1 ORDER BY row",
    [SQL_NEW_GAMES] = "SELECT number,gid FROM game WHERE number>?1 ORDER BY number",
    [SQL_NEW_CREDENTIALS] = "SELECT row,id,game FROM issued WHERE row>?1 ORDER BY row",
};

struct reader *store_sqlite_reader(struct sqlite *s)
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

/* One kind of what is not indexed; `value` is a column. */
static int catch_up_kind(struct sqlite *s, struct reader *r, enum backlog_kind kind, int value)
{
    static const enum read_sql which[BACKLOG_KINDS] = {
        [BACKLOG_RECORDS] = SQL_NEW_RECORDS,
        [BACKLOG_GAMES] = SQL_NEW_GAMES,
        [BACKLOG_CREDENTIALS] = SQL_NEW_CREDENTIALS,
    };
    sqlite3_stmt *sql = r->sql[which[kind]];
    int error = 0, code = SQLITE_DONE;

    sqlite3_bind_int64(sql, 1, s->seen.row[kind]);
    while (!error && (code = sqlite3_step(sql)) == SQLITE_ROW) {
        struct backlog_key key = kind == BACKLOG_GAMES
                                     ? store_sqlite_gid_key(sqlite3_column_blob(sql, 1))
                                     : store_sqlite_number_key(sqlite3_column_int64(sql, 1));
        uint32_t order = kind == BACKLOG_RECORDS ? (uint32_t)sqlite3_column_int64(sql, 2) : 0;
        int64_t row = sqlite3_column_int64(sql, 0);
        error =
            backlog_add(s->backlog, kind, key, order, sqlite3_column_int64(sql, value), row);
        if (!error)
            s->seen.row[kind] = row;
    }
    sqlite3_reset(sql);
    return error ? error : store_sqlite_errno(code);
}

static int catch_up(struct sqlite *s, struct reader *r)
{
    int error = catch_up_kind(s, r, BACKLOG_GAMES, 0);

    if (!error)
        error = catch_up_kind(s, r, BACKLOG_RECORDS, 0);
    return error ? error : catch_up_kind(s, r, BACKLOG_CREDENTIALS, 2);
}

int store_sqlite_catch_up(struct sqlite *s)
{
    struct reader *r = store_sqlite_reader(s);
    sqlite3_stmt *sql = r->sql[SQL_INDEXED];
    int code = sqlite3_step(sql);

    for (int kind = 0; kind < BACKLOG_KINDS && code == SQLITE_ROW; kind++)
        s->seen.row[kind] = sqlite3_column_int64(sql, kind);
    sqlite3_reset(sql);
    int error = code == SQLITE_ROW ? catch_up(s, r) : store_sqlite_errno(code);
    pthread_mutex_unlock(&r->mutex);
    if (!error)
        backlog_settle(s->backlog);
    return error;
}

/* What a daemon beside us has written since the last look is in no index yet. */
static int follow(struct sqlite *s, struct reader *r)
{
    if (s->db) /* we are the one who writes */
        return 0;
    pthread_mutex_lock(&s->catching);
    int error = catch_up(s, r);
    pthread_mutex_unlock(&s->catching);
    return error;
}

/* The number of a game, from what the index does not know yet or from the index. Looked up in
 * this order nothing is missed: what leaves the one is in the other by then. */
static int find_number(struct sqlite *s, struct reader *r, const uint8_t *gid,
                       int64_t *ret_number)
{
    sqlite3_stmt *sql = r->sql[SQL_NUMBER];
    struct backlog_entry entry;

    if (backlog_find(s->backlog, BACKLOG_GAMES, store_sqlite_gid_key(gid), &entry, 1) > 0) {
        *ret_number = entry.value;
        return 0;
    }
    store_sqlite_bind(sql, 1, gid, 16);
    int code = sqlite3_step(sql);
    *ret_number = code == SQLITE_ROW ? sqlite3_column_int64(sql, 0) : 0;
    sqlite3_reset(sql);
    return code == SQLITE_DONE ? -ENOENT : store_sqlite_errno(code);
}

/* The rows of a game that are not indexed, in order; in `few` if they fit, else the caller's to
 * free. NULL without memory. */
static struct backlog_entry *find_rows(struct sqlite *s, int64_t number,
                                       struct backlog_entry *few, size_t *ret_count)
{
    struct backlog_key key = store_sqlite_number_key(number);
    struct backlog_entry *rows = few;
    size_t room = ROWS_AT_ONCE;

    while ((*ret_count = backlog_find(s->backlog, BACKLOG_RECORDS, key, rows, room)) > room) {
        if (rows != few)
            free(rows);
        room = *ret_count + ROWS_AT_ONCE;
        rows = malloc(room * sizeof *rows);
        if (!rows)
            return NULL;
    }
    return rows;
}

struct reading {
    uint32_t after;
    int (*row)(void *arg, const struct record *record);
    void *arg;
};

static int give(struct reading *reading, sqlite3_stmt *sql)
{
    struct record record = record_of(sql);

    return record.first + record.count - 1 > reading->after
               ? reading->row(reading->arg, &record)
               : 0;
}

/* What is indexed, before the seq `end`. */
static int read_indexed(struct reader *r, int64_t number, int64_t end, struct reading *reading)
{
    sqlite3_stmt *sql = r->sql[SQL_RECORDS];
    int stop = 0, code = SQLITE_DONE;

    sqlite3_bind_int64(sql, 1, number);
    sqlite3_bind_int64(sql, 2, reading->after);
    sqlite3_bind_int64(sql, 3, end);
    while (stop == 0 && (code = sqlite3_step(sql)) == SQLITE_ROW)
        stop = give(reading, sql);
    sqlite3_reset(sql);
    return stop ? stop : store_sqlite_errno(code);
}

/* What is not; the last rows may be on their way to disk only, and are not there yet. */
static int read_backlog(struct reader *r, const struct backlog_entry *rows, size_t count,
                        struct reading *reading)
{
    sqlite3_stmt *sql = r->sql[SQL_RECORD_AT];
    int stop = 0, code = SQLITE_ROW;

    for (size_t i = 0; i < count && stop == 0 && code == SQLITE_ROW; i++) {
        if (i + 1 < count && rows[i + 1].order <= reading->after + 1)
            continue; /* ends before it */
        sqlite3_bind_int64(sql, 1, rows[i].value);
        code = sqlite3_step(sql);
        if (code == SQLITE_ROW)
            stop = give(reading, sql);
        sqlite3_reset(sql);
    }
    return stop ? stop : store_sqlite_errno(code);
}

static int read_gid(struct reader *r, int64_t number, uint8_t *ret_gid)
{
    sqlite3_stmt *sql = r->sql[SQL_GID];

    sqlite3_bind_int64(sql, 1, number);
    int code = sqlite3_step(sql);
    bool found = code == SQLITE_ROW && sqlite3_column_bytes(sql, 0) == 16;
    if (found)
        memcpy(ret_gid, sqlite3_column_blob(sql, 0), 16);
    sqlite3_reset(sql);
    return found ? 1 : store_sqlite_errno(code);
}

/* A game that was removed meanwhile may have been read in part: it is no game any more. */
static int stands(struct reader *r, int64_t number)
{
    uint8_t gid[16];
    int found = read_gid(r, number, gid);

    return found > 0 ? 0 : found < 0 ? found : -ENOENT;
}

static int read_game(struct sqlite *s, struct reader *r, const uint8_t *gid,
                     struct reading *reading)
{
    struct backlog_entry few[ROWS_AT_ONCE], *rows;
    size_t count;
    int64_t number;
    int error = follow(s, r);

    if (!error)
        error = find_number(s, r, gid, &number);
    if (error)
        return error;
    rows = find_rows(s, number, few, &count);
    if (!rows)
        return -ENOMEM;
    int64_t end = count ? rows[0].order : INT64_MAX;
    if (end > (int64_t)reading->after + 1)
        error = read_indexed(r, number, end, reading);
    if (!error)
        error = read_backlog(r, rows, count, reading);
    if (rows != few)
        free(rows);
    return error ? error : stands(r, number);
}

static int records(void *context, const uint8_t gid[static 16], uint32_t after,
                   int (*row)(void *arg, const struct record *record), void *arg)
{
    struct reading reading = {after, row, arg};
    struct reader *r = store_sqlite_reader(context);
    int error = read_game(context, r, gid, &reading);

    pthread_mutex_unlock(&r->mutex);
    return error;
}

static int games(void *context, const struct list_query *query,
                 int (*row)(void *arg, const struct listing *game, int64_t number), void *arg)
{
    struct reader *r = store_sqlite_reader(context);
    enum read_sql which = query->ended_ms ? SQL_ENDED : query->due_ms ? SQL_DUE : SQL_GAMES;
    sqlite3_stmt *sql = r->sql[which];
    int stop = 0, code = SQLITE_DONE;

    sqlite3_bind_int64(sql, 1,
                       query->ended_ms ? query->ended_ms
                       : query->due_ms ? query->due_ms
                                       : query->after);
    sqlite3_bind_int64(sql, 5, query->after_ms); /* in SQL_ENDED alone */
    sqlite3_bind_int64(sql, 6, query->after);
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
            .ended_ms = sqlite3_column_int64(sql, 7),
        };
        if (sqlite3_column_bytes(sql, 1) == sizeof game.gid)
            memcpy(game.gid, sqlite3_column_blob(sql, 1), sizeof game.gid);
        stop = row(arg, &game, sqlite3_column_int64(sql, 0));
    }
    reader_give(r, sql);
    return stop ? stop : store_sqlite_errno(code);
}

static int credential_known(void *context, uint64_t id, uint8_t ret_gid[static 16])
{
    struct sqlite *s = context;
    struct reader *r = store_sqlite_reader(s);
    sqlite3_stmt *sql = r->sql[SQL_KNOWN];
    struct backlog_key key = store_sqlite_number_key((int64_t)id);
    struct backlog_entry entry = {.value = 0};
    int code = SQLITE_DONE, error = follow(s, r);

    if (error) {
        pthread_mutex_unlock(&r->mutex);
        return error;
    }
    if (backlog_find(s->backlog, BACKLOG_CREDENTIALS, key, &entry, 1) == 0) {
        sqlite3_bind_int64(sql, 1, (int64_t)id);
        code = sqlite3_step(sql);
        entry.value = code == SQLITE_ROW ? sqlite3_column_int64(sql, 0) : 0;
        sqlite3_reset(sql);
    }
    int known = entry.value ? read_gid(r, entry.value, ret_gid) : store_sqlite_errno(code);
    pthread_mutex_unlock(&r->mutex);
    return known;
}

static int kept(void *context, const uint8_t key[static 32], int64_t now_ms,
                void (*take)(void *arg, const struct kept *kept), void *arg)
{
    struct reader *r = store_sqlite_reader(context);
    sqlite3_stmt *sql = r->sql[SQL_KEPT];
    struct kept found = {0}; /* on disk: no ticket */

    store_sqlite_bind(sql, 1, key, 32);
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
    return code == SQLITE_DONE ? -ENOENT : store_sqlite_errno(code);
}

static int snapshot(void *context, const uint8_t gid[static 16],
                    void (*take)(void *arg, const struct snapshot *snapshot), void *arg)
{
    struct reader *r = store_sqlite_reader(context);
    sqlite3_stmt *sql = r->sql[SQL_SNAPSHOT];
    int64_t number;
    int error = follow(context, r), code = SQLITE_DONE;

    if (!error)
        error = find_number(context, r, gid, &number);
    if (!error) {
        sqlite3_bind_int64(sql, 1, number);
        code = sqlite3_step(sql);
        error = code == SQLITE_DONE ? -ENOENT : store_sqlite_errno(code);
    }
    if (code == SQLITE_ROW) {
        struct snapshot found = {.seq = (uint32_t)sqlite3_column_int64(sql, 0),
                                 .sealed = sqlite3_column_blob(sql, 1),
                                 .sealed_size = (size_t)sqlite3_column_bytes(sql, 1)};
        take(arg, &found);
    }
    reader_give(r, sql);
    return error;
}

static int scan(void *context,
                int (*row)(void *arg, int64_t number, const struct record *record), void *arg)
{
    struct reader *r = store_sqlite_reader(context);
    sqlite3_stmt *sql = r->sql[SQL_SCAN];
    int stop = 0, code = SQLITE_DONE;

    while (stop == 0 && (code = sqlite3_step(sql)) == SQLITE_ROW) {
        struct record record = record_of(sql);
        stop = row(arg, sqlite3_column_int64(sql, 4), &record);
    }
    reader_give(r, sql);
    return stop ? stop : store_sqlite_errno(code);
}

static int credentials(void *context,
                       int (*row)(void *arg, uint64_t id, const uint8_t gid[static 16]),
                       void *arg)
{
    struct reader *r = store_sqlite_reader(context);
    sqlite3_stmt *sql = r->sql[SQL_CREDENTIALS];
    int stop = 0, code = SQLITE_DONE;

    while (stop == 0 && (code = sqlite3_step(sql)) == SQLITE_ROW)
        if (sqlite3_column_bytes(sql, 1) == 16)
            stop =
                row(arg, (uint64_t)sqlite3_column_int64(sql, 0), sqlite3_column_blob(sql, 1));
    reader_give(r, sql);
    return stop ? stop : store_sqlite_errno(code);
}

static int answers(void *context, int (*row)(void *arg, const struct kept *kept), void *arg)
{
    struct reader *r = store_sqlite_reader(context);
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
    return stop ? stop : store_sqlite_errno(code);
}

void store_sqlite_readers(struct store *store)
{
    store->records = records;
    store->snapshot = snapshot;
    store->scan = scan;
    store->games = games;
    store->credential_known = credential_known;
    store->kept = kept;
    store->credentials = credentials;
    store->answers = answers;
}
