/* The database's tables, connections and readers. Writing: store_postgres_write.c; what other
 * daemons have written: store_postgres_listen.c. */
#include "daemon/store_postgres.h"

#include "daemon/clock.h"

#include <errno.h>
#include <poll.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { VERSION = 2, FIRST_VERSION = 1, MAKE_TRIES = 5 };

/* Each table is found by the id of a game, or by what a client sends: nothing joins two games,
 * no sequence, trigger or function is needed. `number` comes from a row that is locked until
 * the commit, so that a list never misses a game that was numbered earlier and committed later.
 */
static const char schema[] = /* as the first release made it */
    "CREATE TABLE refereed(version integer NOT NULL, key bytea NOT NULL);"
    "CREATE TABLE refereed_number(id integer PRIMARY KEY, last bigint NOT NULL);"
    "INSERT INTO refereed_number VALUES(1,0);"
    "CREATE TABLE refereed_game(gid bytea PRIMARY KEY, number bigint NOT NULL,"
    " created_ms bigint NOT NULL, ruleset smallint NOT NULL, status smallint NOT NULL,"
    " open boolean NOT NULL, due_ms bigint NOT NULL);"
    "CREATE INDEX refereed_game_number ON refereed_game(number);"
    "CREATE INDEX refereed_game_due ON refereed_game(due_ms) WHERE due_ms>0;"
    "CREATE TABLE refereed_record(game bytea NOT NULL, first bigint NOT NULL,"
    " count bigint NOT NULL, link bigint NOT NULL, claims bytea NOT NULL, sealed bytea,"
    " PRIMARY KEY(game, first));"
    "CREATE TABLE refereed_snapshot(game bytea PRIMARY KEY, seq bigint NOT NULL,"
    " sealed bytea NOT NULL);"
    "CREATE TABLE refereed_credential(id bigint PRIMARY KEY, game bytea NOT NULL);"
    "CREATE TABLE refereed_kept(key bytea PRIMARY KEY, body bytea NOT NULL,"
    " expires_ms bigint NOT NULL, sealed bytea NOT NULL);"
    "CREATE INDEX refereed_kept_expires ON refereed_kept(expires_ms);";

/* What makes tables of the version before this one; new ones go the same way. */
static const char *const upgrades[VERSION + 1] = {
    /* When a game ended: all events of a record bear one time, so any of the last one's does.
     */
    [2] =
        "ALTER TABLE refereed_game ADD COLUMN ended_ms bigint NOT NULL DEFAULT 0;"
        "UPDATE refereed_game SET ended_ms=coalesce((SELECT 1000*extract(epoch FROM"
        " substring(convert_from(claims,'UTF8') FROM '\"iat\":\"([-0-9T:]+Z)\"')::timestamptz)"
        "::bigint FROM refereed_record WHERE game=gid ORDER BY first DESC LIMIT 1),0)"
        " WHERE status IN (6,7);"
        "CREATE INDEX refereed_game_ended ON refereed_game(ended_ms,number) WHERE ended_ms>0;",
};

#define GAME_COLUMNS                                                                           \
    "number,gid,created_ms,ruleset::bigint,status::bigint,open::int::bigint,due_ms,ended_ms"
#define RECORD_COLUMNS "first,count,link,claims,sealed"

static const struct statement read_statements[] = {
    {"game", "SELECT 1 FROM refereed_game WHERE gid=$1::bytea"},
    /* a record may begin before $2 and end after it, so the one before is looked at too */
    {"records",
     "SELECT " RECORD_COLUMNS " FROM refereed_record WHERE game=$1::bytea AND first>="
     "coalesce((SELECT max(first) FROM refereed_record WHERE game=$1::bytea"
     " AND first<=$2::bigint),0) AND first+count-1>$2::bigint ORDER BY first"},
    {"games", "SELECT " GAME_COLUMNS " FROM refereed_game WHERE number>$1::bigint"
              " AND ($2::bigint<0 OR status=$2::bigint) AND ($3::bigint=0 OR open)"
              " ORDER BY number LIMIT $4::bigint"},
    {"due", "SELECT " GAME_COLUMNS " FROM refereed_game WHERE due_ms>0 AND due_ms<=$1::bigint"
            " AND ($2::bigint<0 OR status=$2::bigint) AND ($3::bigint=0 OR open)"
            " ORDER BY due_ms LIMIT $4::bigint"},
    {"ended", "SELECT " GAME_COLUMNS " FROM refereed_game WHERE ended_ms>0"
              " AND ended_ms<=$1::bigint AND ($2::bigint<0 OR status=$2::bigint)"
              " AND ($3::bigint=0 OR open) AND (ended_ms,number)>($5::bigint,$6::bigint)"
              " ORDER BY ended_ms,number LIMIT $4::bigint"},
    {"known", "SELECT game FROM refereed_credential WHERE id=$1::bigint"},
    {"kept", "SELECT body,expires_ms,sealed FROM refereed_kept WHERE key=$1::bytea"
             " AND expires_ms>$2::bigint"},
    {"snapshot", "SELECT seq,sealed FROM refereed_snapshot WHERE game=$1::bytea"},
    {"scan", "SELECT " RECORD_COLUMNS ",number FROM refereed_record JOIN refereed_game"
             " ON gid=game ORDER BY game, first"},
    {"credentials", "SELECT id,game FROM refereed_credential"},
    {"answers", "SELECT key,body,expires_ms,sealed FROM refereed_kept"},
};

enum { READ_STATEMENTS = sizeof read_statements / sizeof read_statements[0] };

static int fault(char *ret_error, int error, const char *what, const char *why)
{
    snprintf(ret_error, STORE_ERROR_SIZE, "%.100s: %.150s", what, why);
    ret_error[strcspn(ret_error, "\n")] = '\0';
    return error;
}

/* ---- values ---- */

void bind_number(struct arguments *a, int64_t number)
{
    int i = a->count++;

    for (int byte = 0; byte < 8; byte++)
        a->room[i][byte] = (char)((uint64_t)number >> (56 - 8 * byte));
    a->value[i] = a->room[i];
    a->length[i] = 8;
    a->format[i] = 1;
}

void bind_bytes(struct arguments *a, const void *bytes, size_t size)
{
    int i = a->count++;

    a->value[i] = bytes;
    a->length[i] = (int)size;
    a->format[i] = 1;
}

int64_t number_at(const PGresult *result, int row, int column)
{
    const uint8_t *at = (const uint8_t *)PQgetvalue(result, row, column);
    uint64_t number = 0;

    for (int i = 0; i < 8 && PQgetlength(result, row, column) == 8; i++)
        number = number << 8 | at[i];
    return (int64_t)number;
}

const uint8_t *bytes_at(const PGresult *result, int row, int column, size_t *ret_size)
{
    *ret_size = (size_t)PQgetlength(result, row, column);
    return (const uint8_t *)PQgetvalue(result, row, column);
}

int errno_of(const PGresult *result)
{
    static const struct {
        const char *state; /* or how it begins */
        int error;
    } rows[] = {
        {"53100", -ENOSPC}, {"40001", -EDEADLK}, {"40P01", -EDEADLK},
        {"25006", -EROFS},  {"42P01", -ENOENT},  {"53", -ENOMEM},
    };
    const char *state = PQresultErrorField(result, PG_DIAG_SQLSTATE);

    for (size_t i = 0; state && i < sizeof rows / sizeof rows[0]; i++)
        if (strncmp(state, rows[i].state, strlen(rows[i].state)) == 0)
            return rows[i].error;
    return -EIO;
}

/* ---- connections ---- */

/* The first line of what libpq says, unless the password stands in it. */
static int connect_fault(const PGconn *conn, char *ret_error)
{
    const char *why = PQerrorMessage(conn), *password = PQpass(conn);
    char line[160];

    snprintf(line, sizeof line, "%.*s", (int)strcspn(why, "\n"), why);
    if (password && *password && strstr(why, password))
        snprintf(line, sizeof line, "the connection failed");
    return fault(ret_error, -EIO, "the database cannot be reached", line);
}

/* Answers count once they are on disk, whatever the database's default is, and nobody waits for
 * ever for a lock that another daemon died with. */
static const char session[] =
    "SELECT set_config('synchronous_commit','on',false)"
    " WHERE current_setting('synchronous_commit') IN ('off','local','remote_write');"
    "SET client_min_messages=warning; SET lock_timeout='5s'; SET statement_timeout='20s';"
    "SET idle_in_transaction_session_timeout='20s'; SET bytea_output=hex;"
    "SET default_transaction_isolation='read committed'";

/* The log is the daemon's; what matters comes as an error. */
static void be_silent(void *context, const char *text)
{
    (void)context;
    (void)text;
}

PGconn *postgres_connect(struct postgres *pg, char ret_error[static STORE_ERROR_SIZE])
{
    /* what stands before the address is a default, what stands behind it is not */
    static const char *const keys[] = {"connect_timeout",           "keepalives_idle",
                                       "keepalives_interval",       "keepalives_count",
                                       "tcp_user_timeout",          "target_session_attrs",
                                       "fallback_application_name", "dbname",
                                       "client_encoding",           NULL};
    const char *const values[] = {"5",          "5",        "2",     "3",    "10000",
                                  "read-write", "refereed", pg->url, "UTF8", NULL};
    PGconn *conn = PQconnectdbParams(keys, values, 1);

    if (conn)
        PQsetNoticeProcessor(conn, be_silent, NULL);
    if (conn && PQstatus(conn) == CONNECTION_OK) {
        PGresult *result = PQexec(conn, session);
        bool good = PQresultStatus(result) == PGRES_COMMAND_OK;
        PQclear(result);
        if (good)
            return conn;
    }
    connect_fault(conn, ret_error);
    PQfinish(conn);
    return NULL;
}

static bool prepare(PGconn *conn, const struct statement *statements, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        PGresult *result = PQprepare(conn, statements[i].name, statements[i].sql, 0, NULL);
        bool good = PQresultStatus(result) == PGRES_COMMAND_OK;
        PQclear(result);
        if (!good)
            return false;
    }
    return true;
}

/* A connection that the other side has closed is found out before something is entrusted to it,
 * for afterwards nobody would know whether that was done. */
static bool is_alive(PGconn *conn)
{
    struct pollfd fd = {.fd = PQsocket(conn), .events = POLLIN};

    while (PQstatus(conn) == CONNECTION_OK && poll(&fd, 1, 0) > 0)
        if (!PQconsumeInput(conn))
            return false;
    return PQstatus(conn) == CONNECTION_OK;
}

int link_open(struct postgres *pg, struct link *link)
{
    char error[STORE_ERROR_SIZE];

    if (link->conn && is_alive(link->conn))
        return 0;
    link_close(link);
    if (clock_steady_ms() < pg->down_until_ms)
        return -EIO;
    link->conn = postgres_connect(pg, error);
    if (link->conn && prepare(link->conn, link->statements, link->count))
        return 0;
    link_close(link);
    pg->down_until_ms = clock_steady_ms() + RETRY_MS;
    return -EIO;
}

void link_close(struct link *link)
{
    PQfinish(link->conn);
    link->conn = NULL;
}

int link_run(struct postgres *pg, struct link *link, const char *name,
             const struct arguments *a, PGresult **ret_result)
{
    int error = link_open(pg, link);

    if (error)
        return error;
    PGresult *result =
        PQexecPrepared(link->conn, name, a->count, a->value, a->length, a->format, 1);
    ExecStatusType status = PQresultStatus(result);
    if (status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK) {
        *ret_result = result;
        return 0;
    }
    error = errno_of(result);
    PQclear(result);
    if (PQstatus(link->conn) != CONNECTION_OK || error == -EROFS)
        link_close(link);
    return error;
}

/* ---- readers ---- */

static struct reader *reader_take(struct postgres *pg)
{
    unsigned first = pg->turn++;

    for (unsigned i = 0; i < READERS; i++)
        if (pthread_mutex_trylock(&pg->readers[(first + i) % READERS].mutex) == 0)
            return &pg->readers[(first + i) % READERS];
    pthread_mutex_lock(&pg->readers[first % READERS].mutex);
    return &pg->readers[first % READERS];
}

/* Runs a query; a connection that had died unseen is made anew, for reading twice does no harm.
 */
static int read_rows(struct postgres *pg, const char *name, const struct arguments *a,
                     PGresult **ret_result)
{
    struct reader *r = reader_take(pg);
    bool had = r->link.conn != NULL;
    int error = link_run(pg, &r->link, name, a, ret_result);

    if (error && had && !r->link.conn)
        error = link_run(pg, &r->link, name, a, ret_result);
    pthread_mutex_unlock(&r->mutex);
    return error;
}

static struct record record_at(const PGresult *rows, int row)
{
    struct record record = {.first = (uint32_t)number_at(rows, row, 0),
                            .count = (uint32_t)number_at(rows, row, 1),
                            .link = (uint64_t)number_at(rows, row, 2)};

    record.claims = (const char *)bytes_at(rows, row, 3, &record.claims_size);
    record.sealed = bytes_at(rows, row, 4, &record.sealed_size);
    return record;
}

/* Is there a game without a record? */
static int exists(struct postgres *pg, const uint8_t *gid)
{
    struct arguments a = {0};
    PGresult *rows;

    bind_bytes(&a, gid, 16);
    int error = read_rows(pg, "game", &a, &rows);
    if (error)
        return error;
    bool found = PQntuples(rows) > 0;
    PQclear(rows);
    return found ? 0 : -ENOENT;
}

static int records(void *context, const uint8_t gid[static 16], uint32_t after,
                   int (*row)(void *arg, const struct record *record), void *arg)
{
    struct arguments a = {0};
    PGresult *rows;
    int stop = 0;

    bind_bytes(&a, gid, 16);
    bind_number(&a, after);
    int error = read_rows(context, "records", &a, &rows);
    if (error)
        return error;
    int count = PQntuples(rows);
    for (int i = 0; i < count && stop == 0; i++) {
        struct record record = record_at(rows, i);
        stop = row(arg, &record);
    }
    PQclear(rows);
    return count == 0 ? exists(context, gid) : stop;
}

static int games(void *context, const struct list_query *query,
                 int (*row)(void *arg, const struct listing *game, int64_t number), void *arg)
{
    struct arguments a = {0};
    PGresult *rows;
    int stop = 0;

    bind_number(&a, query->ended_ms ? query->ended_ms
                    : query->due_ms ? query->due_ms
                                    : query->after);
    bind_number(&a, query->status);
    bind_number(&a, query->open_only);
    bind_number(&a, query->limit);
    if (query->ended_ms) {
        bind_number(&a, query->after_ms);
        bind_number(&a, query->after);
    }
    int error = read_rows(context,
                          query->ended_ms ? "ended"
                          : query->due_ms ? "due"
                                          : "games",
                          &a, &rows);
    if (error)
        return error;
    for (int i = 0; i < PQntuples(rows) && stop == 0; i++) {
        struct listing game = {.created_ms = number_at(rows, i, 2),
                               .ruleset = (uint8_t)number_at(rows, i, 3),
                               .status = (uint8_t)number_at(rows, i, 4),
                               .open = number_at(rows, i, 5) != 0,
                               .due_ms = number_at(rows, i, 6),
                               .ended_ms = number_at(rows, i, 7)};
        size_t size;
        const uint8_t *gid = bytes_at(rows, i, 1, &size);
        if (size == sizeof game.gid)
            memcpy(game.gid, gid, size);
        stop = row(arg, &game, number_at(rows, i, 0));
    }
    PQclear(rows);
    return stop;
}

static int credential_known(void *context, uint64_t id, uint8_t ret_gid[static 16])
{
    struct arguments a = {0};
    PGresult *rows;
    size_t size = 0;

    bind_number(&a, (int64_t)id);
    int error = read_rows(context, "known", &a, &rows);
    if (error)
        return error;
    const uint8_t *gid = PQntuples(rows) ? bytes_at(rows, 0, 0, &size) : NULL;
    if (size == 16)
        memcpy(ret_gid, gid, 16);
    PQclear(rows);
    return size == 16;
}

static int kept(void *context, const uint8_t key[static 32], int64_t now_ms,
                void (*take)(void *arg, const struct kept *kept), void *arg)
{
    struct arguments a = {0};
    struct kept found = {0}; /* on disk: no ticket */
    PGresult *rows;
    size_t size = 0;

    bind_bytes(&a, key, 32);
    bind_number(&a, now_ms);
    int error = read_rows(context, "kept", &a, &rows);
    if (error)
        return error;
    const uint8_t *body = PQntuples(rows) ? bytes_at(rows, 0, 0, &size) : NULL;
    if (size == sizeof found.body) {
        memcpy(found.key, key, sizeof found.key);
        memcpy(found.body, body, sizeof found.body);
        found.expires_ms = number_at(rows, 0, 1);
        found.sealed = bytes_at(rows, 0, 2, &found.sealed_size);
        take(arg, &found);
    }
    PQclear(rows);
    return size == sizeof found.body ? 0 : -ENOENT;
}

static int snapshot(void *context, const uint8_t gid[static 16],
                    void (*take)(void *arg, const struct snapshot *snapshot), void *arg)
{
    struct arguments a = {0};
    struct snapshot found;
    PGresult *rows;

    bind_bytes(&a, gid, 16);
    int error = read_rows(context, "snapshot", &a, &rows);
    if (error)
        return error;
    bool any = PQntuples(rows) > 0;
    if (any) {
        found.seq = (uint32_t)number_at(rows, 0, 0);
        found.sealed = bytes_at(rows, 0, 1, &found.sealed_size);
        take(arg, &found);
    }
    PQclear(rows);
    return any ? 0 : -ENOENT;
}

/* All rows of a table, each told as it comes in, for they need not fit into memory. */
static int stream(struct postgres *pg, const char *name,
                  int (*tell)(void *state, const PGresult *row), void *state)
{
    struct reader *r = reader_take(pg);
    int error = link_open(pg, &r->link), stop = 0;
    PGresult *result;

    if (!error && (!PQsendQueryPrepared(r->link.conn, name, 0, NULL, NULL, NULL, 1) ||
                   !PQsetSingleRowMode(r->link.conn)))
        error = -EIO;
    while (r->link.conn && !error && (result = PQgetResult(r->link.conn))) {
        ExecStatusType status = PQresultStatus(result);
        if (status == PGRES_SINGLE_TUPLE && stop == 0)
            stop = tell(state, result);
        else if (status != PGRES_SINGLE_TUPLE && status != PGRES_TUPLES_OK)
            error = errno_of(result);
        PQclear(result);
        if (stop)
            break;
    }
    if (error || stop)
        link_close(&r->link); /* the rest is not read */
    pthread_mutex_unlock(&r->mutex);
    return stop ? stop : error;
}

struct telling {
    int (*record)(void *arg, int64_t number, const struct record *record);
    int (*credential)(void *arg, uint64_t id, const uint8_t gid[static 16]);
    int (*answer)(void *arg, const struct kept *kept);
    void *arg;
};

static int tell_record(void *state, const PGresult *row)
{
    const struct telling *telling = state;
    struct record record = record_at(row, 0);

    return telling->record(telling->arg, number_at(row, 0, 5), &record);
}

static int scan(void *context,
                int (*row)(void *arg, int64_t number, const struct record *record), void *arg)
{
    struct telling telling = {.record = row, .arg = arg};

    return stream(context, "scan", tell_record, &telling);
}

static int tell_credential(void *state, const PGresult *row)
{
    const struct telling *telling = state;
    size_t size;
    const uint8_t *gid = bytes_at(row, 0, 1, &size);

    return size == 16 ? telling->credential(telling->arg, (uint64_t)number_at(row, 0, 0), gid)
                      : 0;
}

static int credentials(void *context,
                       int (*row)(void *arg, uint64_t id, const uint8_t gid[static 16]),
                       void *arg)
{
    struct telling telling = {.credential = row, .arg = arg};

    return stream(context, "credentials", tell_credential, &telling);
}

static int tell_answer(void *state, const PGresult *row)
{
    const struct telling *telling = state;
    struct kept kept = {.expires_ms = number_at(row, 0, 2)};
    size_t key_size, body_size;
    const uint8_t *key = bytes_at(row, 0, 0, &key_size);
    const uint8_t *body = bytes_at(row, 0, 1, &body_size);

    if (key_size != sizeof kept.key || body_size != sizeof kept.body)
        return 0;
    memcpy(kept.key, key, key_size);
    memcpy(kept.body, body, body_size);
    kept.sealed = bytes_at(row, 0, 3, &kept.sealed_size);
    return telling->answer(telling->arg, &kept);
}

static int answers(void *context, int (*row)(void *arg, const struct kept *kept), void *arg)
{
    struct telling telling = {.answer = row, .arg = arg};

    return stream(context, "answers", tell_answer, &telling);
}

/* The database looks after its own pages; whether records follow is seen by scan(). */
static int check(void *context)
{
    (void)context;
    return 0;
}

/* ---- opening ---- */

/* What is kept of the store key: enough to tell two keys apart, nothing to find one by. */
static void fingerprint(const uint8_t *key, uint8_t ret_hash[static 16])
{
    static const char tag[] = "refereed/store/1";

    crypto_generichash(ret_hash, 16, (const uint8_t *)tag, sizeof tag - 1, key, 32);
}

static bool run(PGconn *conn, const char *sql)
{
    PGresult *result = PQexec(conn, sql);
    bool good = PQresultStatus(result) == PGRES_COMMAND_OK;

    PQclear(result);
    return good;
}

/* Ends a transaction; was it good, and has it counted? */
static bool end(PGconn *conn, bool good)
{
    PGresult *result = PQexec(conn, good ? "COMMIT" : "ROLLBACK");

    good = good && PQresultStatus(result) == PGRES_COMMAND_OK &&
           strcmp(PQcmdStatus(result), "COMMIT") == 0;
    PQclear(result);
    return good;
}

static bool upgrade_from(PGconn *conn, int64_t version)
{
    bool good = true;

    for (int64_t next = version + 1; next <= VERSION; next++)
        good = good && run(conn, upgrades[next]);
    return good;
}

/* Makes the tables in one transaction; fails if another daemon is at it just now. */
static bool make_tables(struct postgres *pg, PGconn *conn)
{
    struct arguments a = {0};
    bool good = run(conn, "BEGIN") && run(conn, schema) && upgrade_from(conn, FIRST_VERSION);

    bind_number(&a, VERSION);
    bind_bytes(&a, pg->key, sizeof pg->key);
    if (good) {
        PGresult *result =
            PQexecParams(conn, "INSERT INTO refereed VALUES($1::bigint,$2::bytea)", 2, NULL,
                         a.value, a.length, a.format, 1);
        good = PQresultStatus(result) == PGRES_COMMAND_OK;
        PQclear(result);
    }
    return end(conn, good);
}

/* In one transaction, too; of several daemons the first one does it, and the others find that
 * it is done. It takes as long as it takes. */
static bool upgrade_tables(PGconn *conn)
{
    char mark[64];
    bool good = run(conn, "BEGIN") && run(conn, "SET LOCAL statement_timeout=0") &&
                run(conn, "SET LOCAL lock_timeout=0") &&
                run(conn, "LOCK TABLE refereed IN EXCLUSIVE MODE");
    PGresult *row = PQexecParams(conn, "SELECT version::bigint FROM refereed", 0, NULL, NULL,
                                 NULL, NULL, 1);

    good = good && PQresultStatus(row) == PGRES_TUPLES_OK && PQntuples(row) == 1;
    good = good && upgrade_from(conn, number_at(row, 0, 0));
    PQclear(row);
    snprintf(mark, sizeof mark, "UPDATE refereed SET version=%d", VERSION);
    return end(conn, good && run(conn, mark));
}

static int check_tables(const struct postgres *pg, const PGresult *row, char *ret_error)
{
    size_t size;
    const uint8_t *key = bytes_at(row, 0, 1, &size);
    int64_t version = number_at(row, 0, 0);

    if (version > VERSION)
        return fault(ret_error, -EPROTO, "the database", "was written by a later version");
    if (version < FIRST_VERSION)
        return fault(ret_error, -EPROTO, "the database", "is of no version that there was");
    if (pg->keyed && (size != sizeof pg->key || memcmp(key, pg->key, size) != 0))
        return fault(ret_error, -EPERM, "the database",
                     "was made with another store key; all its daemons need the same keys");
    return 0;
}

static int open_tables(struct postgres *pg, PGconn *conn, enum store_use use, char *ret_error)
{
    for (int i = 0; i < MAKE_TRIES; i++) {
        PGresult *row = PQexecParams(conn, "SELECT version::bigint,key FROM refereed", 0, NULL,
                                     NULL, NULL, NULL, 1);
        bool there = PQresultStatus(row) == PGRES_TUPLES_OK && PQntuples(row) == 1;
        int error = there ? check_tables(pg, row, ret_error) : errno_of(row);
        bool old = there && !error && number_at(row, 0, 0) < VERSION;
        PQclear(row);
        if (old && (use == STORE_READ || !pg->keyed))
            return fault(ret_error, -EPROTO, "the database",
                         "is of an earlier version: the next start of a daemon upgrades it");
        if (old && !upgrade_tables(conn))
            return fault(ret_error, -EIO, "the tables cannot be upgraded",
                         PQerrorMessage(conn));
        if (there)
            return error;
        if (error != -ENOENT)
            return fault(ret_error, -EIO, "the database cannot be read", PQerrorMessage(conn));
        if (use == STORE_READ || !pg->keyed)
            return fault(ret_error, -ENOENT, "the database", "holds no games yet");
        if (make_tables(pg, conn))
            return 0;
        snprintf(ret_error, STORE_ERROR_SIZE, "%s", PQerrorMessage(conn));
        clock_pause(100 * (i + 1));
    }
    return fault(ret_error, -EIO, "the tables cannot be made", PQerrorMessage(conn));
}

static int open_database(struct postgres *pg, enum store_use use, char *ret_error)
{
    PGconn *conn = postgres_connect(pg, ret_error);

    if (!conn)
        return -EIO;
    int error = open_tables(pg, conn, use, ret_error);
    PQfinish(conn);
    if (!error)
        error = link_open(pg, use == STORE_SERVE ? &pg->writer : &pg->readers[0].link);
    if (error && !*ret_error)
        fault(ret_error, error, "the database", "does not answer");
    return error;
}

static void close_store(void *context)
{
    struct postgres *pg = context;

    postgres_deafen(pg);
    for (int i = 0; i < READERS; i++) {
        link_close(&pg->readers[i].link);
        pthread_mutex_destroy(&pg->readers[i].mutex);
    }
    link_close(&pg->writer);
    pthread_mutex_destroy(&pg->sender_mutex);
    sodium_memzero(pg->url, strlen(pg->url));
    free(pg->url);
    free(pg);
}

bool store_is_postgres(const char *url)
{
    return strncmp(url, "postgresql://", 13) == 0 || strncmp(url, "postgres://", 11) == 0;
}

/* What libpq says of a bad address may repeat it, so it is not shown. */
static int check_url(const char *url, char *ret_error)
{
    PQconninfoOption *options = PQconninfoParse(url, NULL);

    if (!options)
        return fault(ret_error, -EINVAL, "store",
                     "this is no address of a database: postgresql://USER@HOST/DATABASE");
    PQconninfoFree(options);
    return 0;
}

static struct postgres *postgres_new(const char *url, const uint8_t *key)
{
    struct postgres *pg = calloc(1, sizeof *pg);

    if (!pg || !(pg->url = strdup(url))) {
        free(pg);
        return NULL;
    }
    pg->keyed = key != NULL;
    if (key)
        fingerprint(key, pg->key);
    pg->wake_fd[0] = pg->wake_fd[1] = -1;
    pg->writer = (struct link){NULL, write_statements, write_statement_count};
    pthread_mutex_init(&pg->sender_mutex, NULL);
    for (int i = 0; i < READERS; i++) {
        pthread_mutex_init(&pg->readers[i].mutex, NULL);
        pg->readers[i].link = (struct link){NULL, read_statements, READ_STATEMENTS};
    }
    return pg;
}

int store_postgres_open(const char *url, enum store_use use, const uint8_t *key,
                        struct store *ret_store, char ret_error[static STORE_ERROR_SIZE])
{
    int error = check_url(url, ret_error);

    if (error)
        return error;
    struct postgres *pg = postgres_new(url, key);
    if (!pg)
        return fault(ret_error, -ENOMEM, "the database", strerror(ENOMEM));
    *ret_error = '\0';
    error = open_database(pg, use, ret_error);
    if (error) {
        close_store(pg);
        return error;
    }
    *ret_store = (struct store){
        .context = pg,
        .commit = postgres_commit,
        .records = records,
        .snapshot = snapshot,
        .scan = scan,
        .games = games,
        .credential_known = credential_known,
        .kept = kept,
        .credentials = credentials,
        .answers = answers,
        .listen = postgres_listen,
        .deafen = postgres_deafen,
        .bulk = postgres_bulk,
        .check = check,
        .close = close_store,
    };
    return 0;
}
