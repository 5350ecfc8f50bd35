/* One transaction a group: everything is sent before the first result is read, so a group costs
 * one way to the database and back, however many changes it holds.
 *
 * A change counts if its record is in: each later statement of the change asks for that record
 * by game, seq and link. Rows are touched in the order of the games' ids, so that two daemons
 * do not wait for each other in a ring; where the order of keys makes one all the same the
 * database undoes one group and that is tried again. */
#include "daemon/store_postgres.h"

#include "api/base64.h"
#include "daemon/clock.h"
#include "daemon/entropy.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TRIES = 8, STATEMENTS_A_CHANGE = 16, EXPIRE_AT_ONCE = 4, NOTICE_MAX = 7900 };

#define OWN(first, game, link)                                                                 \
    "($" first "::bigint=0 OR EXISTS(SELECT 1 FROM refereed_record WHERE game=$" game          \
    "::bytea AND first=$" first "::bigint AND link=$" link "::bigint))"

const struct statement write_statements[] = {
    {"begin", "BEGIN"},
    {"commit", "COMMIT"},
    {"record", /* no row: it does not follow, or another daemon's stands there */
     "INSERT INTO refereed_record(game,first,count,link,claims,sealed)"
     " SELECT $1::bytea,$2::bigint,$3::bigint,$5::bigint,$6::bytea,$7::bytea"
     " WHERE $2::bigint=1 OR (SELECT first+count=$2::bigint AND link=$4::bigint"
     " FROM refereed_record WHERE game=$1::bytea AND first<$2::bigint"
     " ORDER BY first DESC LIMIT 1) ON CONFLICT DO NOTHING"},
    {"keep", /* no row: another request has an answer under that key */
     "INSERT INTO refereed_kept(key,body,expires_ms,sealed)"
     " SELECT $4::bytea,$5::bytea,$6::bigint,$7::bytea WHERE " OWN(
         "2", "1", "3") " ON CONFLICT(key) DO UPDATE SET "
                        "body=excluded.body,expires_ms=excluded.expires_ms,"
                        "sealed=excluded.sealed WHERE refereed_kept.expires_ms<=$8::bigint"},
    {"undo", /* the answer under that key is another one: then this never was */
     "DELETE FROM refereed_record WHERE game=$1::bytea AND first=$2::bigint"
     " AND link=$3::bigint AND NOT EXISTS(SELECT 1 FROM refereed_kept WHERE key=$4::bytea"
     " AND sealed=$5::bytea)"},
    {"credential", "INSERT INTO refereed_credential(id,game)"
                   " SELECT $4::bigint,$1::bytea WHERE " OWN(
                       "2", "1", "3") " ON CONFLICT(id) DO UPDATE SET game=excluded.game"},
    {"snap", "INSERT INTO refereed_snapshot(game,seq,sealed)"
             " SELECT $1::bytea,$4::bigint,$5::bytea WHERE " OWN(
                 "2", "1",
                 "3") " ON CONFLICT(game) DO UPDATE SET seq=excluded.seq,sealed=excluded.sealed"
                      " WHERE refereed_snapshot.seq<=excluded.seq"},
    {"list", "UPDATE refereed_game SET status=$4::bigint,open=$5::bigint<>0,due_ms=$6::bigint,"
             "ended_ms=$7::bigint"
             " WHERE gid=$1::bytea AND " OWN("2", "1", "3")},
    {"create",
     "WITH n AS (UPDATE refereed_number SET last=last+1 WHERE id=1 AND NOT EXISTS"
     "(SELECT 1 FROM refereed_game WHERE gid=$1::bytea) AND " OWN(
         "2", "1", "3") " RETURNING last) INSERT INTO refereed_game"
                        "(gid,number,created_ms,ruleset,status,open,due_ms,ended_ms) SELECT "
                        "$1::bytea,last,$8::bigint,"
                        "$9::bigint,$4::bigint,$5::bigint<>0,$6::bigint,$7::bigint FROM n ON "
                        "CONFLICT DO NOTHING"},
    {"expire", "DELETE FROM refereed_kept WHERE key IN (SELECT key FROM refereed_kept"
               " WHERE expires_ms<$1::bigint LIMIT $2::bigint FOR UPDATE SKIP LOCKED)"},
    /* the row of the list first: of two daemons who remove a game one waits here for the other
     */
    {"drop game", "DELETE FROM refereed_game WHERE gid=$1::bytea"},
    {"drop records", "DELETE FROM refereed_record WHERE game=$1::bytea"},
    {"drop snapshot", "DELETE FROM refereed_snapshot WHERE game=$1::bytea"},
    {"drop credential",
     "DELETE FROM refereed_credential WHERE id=$2::bigint AND game=$1::bytea"},
    {"probe", "UPDATE refereed SET version=version"},
    {"tell", "SELECT pg_notify('refereed',$1)"},
};
const size_t write_statement_count = sizeof write_statements / sizeof write_statements[0];

/* What was sent, in order: the statement's number of rows decides if `decides`. */
struct sent {
    size_t change;
    bool decides;
};

struct group {
    PGconn *conn;
    const struct change *const *changes;
    size_t *order; /* of the changes by their games' ids */
    size_t count, sent_count;
    struct sent *sent;
    bool failed; /* something could not be sent */
};

struct place {
    const uint8_t *gid; /* NULL: of no game */
    size_t index;
};

static int compare(const void *a, const void *b)
{
    const struct place *one = a, *other = b;
    int order = 0;

    if (one->gid && other->gid)
        order = memcmp(one->gid, other->gid, 16);
    else
        order = (one->gid != NULL) - (other->gid != NULL);
    return order ? order : (one->index > other->index) - (one->index < other->index);
}

static bool sort(struct group *g)
{
    struct place *places = calloc(g->count, sizeof *places);
    size_t credentials = 0;

    for (size_t i = 0; i < g->count; i++)
        credentials += g->changes[i]->credential_count;
    g->order = calloc(g->count, sizeof *g->order);
    g->sent = calloc(g->count * STATEMENTS_A_CHANGE + credentials + 8, sizeof *g->sent);
    bool good = places && g->order && g->sent;
    for (size_t i = 0; i < g->count && good; i++)
        places[i] = (struct place){g->changes[i]->gid, i};
    if (good)
        qsort(places, g->count, sizeof *places, compare);
    for (size_t i = 0; i < g->count && good; i++)
        g->order[i] = places[i].index;
    free(places);
    return good;
}

static void send(struct group *g, const char *name, const struct arguments *a, size_t change,
                 bool decides)
{
    g->sent[g->sent_count++] = (struct sent){change, decides};
    g->failed = g->failed || !PQsendQueryPrepared(g->conn, name, a->count, a->value, a->length,
                                                  a->format, 1);
}

/* $1, $2, $3 of every statement of a change: its game, and its record's seq and link. */
static void bind_change(struct arguments *a, const struct change *change)
{
    a->count = 0;
    bind_bytes(a, change->gid, 16);
    bind_number(a, change->record ? change->record->first : 0);
    bind_number(a, change->record ? (int64_t)change->record->link : 0);
}

static void send_record(struct group *g, size_t index)
{
    const struct change *change = g->changes[index];
    const struct record *record = change->record;
    struct arguments a = {0};

    if (!record)
        return;
    bind_bytes(&a, change->gid, 16);
    bind_number(&a, record->first);
    bind_number(&a, record->count);
    bind_number(&a, (int64_t)record->before);
    bind_number(&a, (int64_t)record->link);
    bind_bytes(&a, record->claims, record->claims_size);
    bind_bytes(&a, record->sealed_size ? record->sealed : NULL, record->sealed_size);
    send(g, "record", &a, index, true);
}

static void send_kept(struct group *g, size_t index)
{
    const struct change *change = g->changes[index];
    const struct kept *kept = change->kept;
    struct arguments a;

    if (!kept)
        return;
    bind_change(&a, change);
    bind_bytes(&a, kept->key, sizeof kept->key);
    bind_bytes(&a, kept->body, sizeof kept->body);
    bind_number(&a, kept->expires_ms);
    bind_bytes(&a, kept->sealed, kept->sealed_size);
    bind_number(&a, clock_now_ms(NULL));
    send(g, "keep", &a, index, true);
    if (!change->record)
        return;
    bind_change(&a, change);
    bind_bytes(&a, kept->key, sizeof kept->key);
    bind_bytes(&a, kept->sealed, kept->sealed_size);
    send(g, "undo", &a, index, false);
}

static void send_credentials(struct group *g, size_t index)
{
    const struct change *change = g->changes[index];

    for (size_t i = 0; i < change->credential_count && !change->remove; i++) {
        struct arguments a;
        bind_change(&a, change);
        bind_number(&a, (int64_t)change->credentials[i]);
        send(g, "credential", &a, index, false);
    }
}

static void send_snapshot(struct group *g, size_t index)
{
    const struct snapshot *snapshot = g->changes[index]->snapshot;
    struct arguments a;

    if (!snapshot)
        return;
    bind_change(&a, g->changes[index]);
    bind_number(&a, snapshot->seq);
    bind_bytes(&a, snapshot->sealed, snapshot->sealed_size);
    send(g, "snap", &a, index, false);
}

/* A new game is numbered under the lock of one row; all that comes before everything else in
 * the group would hold that lock longer. */
static void send_listing(struct group *g, size_t index, bool create)
{
    const struct change *change = g->changes[index];
    const struct listing *game = change->listing;
    struct arguments a;

    if (!game || (change->record && (change->record->first == 1) != create))
        return;
    bind_change(&a, change);
    bind_number(&a, game->status);
    bind_number(&a, game->open);
    bind_number(&a, game->due_ms);
    bind_number(&a, game->ended_ms);
    if (create) {
        bind_number(&a, game->created_ms);
        bind_number(&a, game->ruleset);
    }
    send(g, create ? "create" : "list", &a, index, false);
}

static void send_removal(struct group *g, size_t index)
{
    const struct change *change = g->changes[index];
    struct arguments a = {0};

    if (!change->remove)
        return;
    bind_bytes(&a, change->gid, 16);
    send(g, "drop game", &a, index, false);
    send(g, "drop records", &a, index, false);
    send(g, "drop snapshot", &a, index, false);
    for (size_t i = 0; i < change->credential_count; i++) {
        struct arguments b = {0};
        bind_bytes(&b, change->gid, 16);
        bind_number(&b, (int64_t)change->credentials[i]);
        send(g, "drop credential", &b, index, false);
    }
}

static void send_expiry(struct group *g)
{
    struct arguments a = {0};
    int64_t kept = 0;

    for (size_t i = 0; i < g->count; i++)
        kept += g->changes[i]->kept != NULL;
    if (kept == 0)
        return;
    bind_number(&a, clock_now_ms(NULL));
    bind_number(&a, EXPIRE_AT_ONCE * kept);
    send(g, "expire", &a, 0, false);
}

static void send_probe(struct group *g)
{
    const struct arguments none = {0};
    bool wanted = false;

    for (size_t i = 0; i < g->count; i++)
        wanted = wanted || g->changes[i]->probe;
    if (wanted)
        send(g, "probe", &none, 0, false);
}

static void send_notice(struct group *g, const char *text)
{
    struct arguments a = {.count = 1, .value = {text}};

    send(g, "tell", &a, 0, false);
}

/* "SENDER GID:SEQ GID:SEQ ...", at most NOTICE_MAX bytes each; the last seq there can be: the
 * game is gone. */
static void send_notices(struct group *g, const char *sender)
{
    char text[NOTICE_MAX + 64], id[24];
    size_t head = (size_t)snprintf(text, sizeof text, "%s", sender), size = head;

    for (size_t i = 0; i < g->count; i++) {
        const struct change *change = g->changes[g->order[i]];
        if (!change->record && !change->remove)
            continue;
        if (size > NOTICE_MAX) {
            send_notice(g, text);
            size = head;
        }
        base64_encode(change->gid, 16, id);
        size += (size_t)snprintf(
            text + size, sizeof text - size, " %s:%u", id,
            change->remove ? UINT32_MAX : change->record->first + change->record->count - 1);
    }
    if (size > head)
        send_notice(g, text);
}

static void send_group(struct group *g, const struct postgres *pg)
{
    const struct arguments none = {0};

    if (!pg->bulk)
        send(g, "begin", &none, 0, false);
    for (size_t i = 0; i < g->count; i++) {
        send_record(g, g->order[i]);
        send_kept(g, g->order[i]);
        send_credentials(g, g->order[i]);
        send_snapshot(g, g->order[i]);
    }
    for (size_t i = 0; i < g->count; i++)
        send_listing(g, g->order[i], false);
    for (size_t i = 0; i < g->count; i++)
        send_removal(g, g->order[i]);
    send_expiry(g);
    send_probe(g);
    for (size_t i = 0; i < g->count; i++)
        send_listing(g, g->order[i], true);
    if (pg->bulk)
        return;
    send_notices(g, pg->sender);
    send(g, "commit", &none, 0, false);
}

/* 0, or what the first statement failed with. */
static int read_group(struct group *g, bool bulk, bool *ret_lost)
{
    int error = 0;

    for (size_t i = 0; i < g->sent_count; i++) {
        PGresult *result = PQgetResult(g->conn);
        ExecStatusType status = PQresultStatus(result);
        bool good = status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK;
        if (!good && !error)
            error = result ? errno_of(result) : -EIO;
        if (good && g->sent[i].decides && strcmp(PQcmdTuples(result), "0") == 0)
            ret_lost[g->sent[i].change] = true;
        if (good && !bulk && i + 1 == g->sent_count &&
            strcmp(PQcmdStatus(result), "COMMIT") != 0)
            error = -EIO;
        PQclear(result);
        if (result)
            PQclear(PQgetResult(g->conn)); /* NULL: that statement's end */
    }
    return error;
}

/* Reads up to the end of the pipeline; false: the connection is of no more use. */
static bool leave_pipeline(PGconn *conn)
{
    PGresult *result = PQgetResult(conn);
    bool good = PQresultStatus(result) == PGRES_PIPELINE_SYNC;

    PQclear(result);
    if (!good || !PQexitPipelineMode(conn))
        return false;
    if (PQtransactionStatus(conn) == PQTRANS_INERROR) {
        PQclear(PQexec(conn, "ROLLBACK"));
        return PQtransactionStatus(conn) == PQTRANS_IDLE;
    }
    return true;
}

/* The name by which the listener knows what this connection has written. Of a connection that
 * died nobody knows what it still did: that is told like a stranger's. */
static void name_sender(struct postgres *pg)
{
    uint8_t bytes[12];

    entropy_fill(NULL, bytes, sizeof bytes);
    pthread_mutex_lock(&pg->sender_mutex);
    base64_encode(bytes, sizeof bytes, pg->sender);
    pthread_mutex_unlock(&pg->sender_mutex);
}

static int write_once(struct postgres *pg, struct group *g, bool *ret_lost)
{
    const PGconn *had = pg->writer.conn;
    int error = link_open(pg, &pg->writer);

    if (error)
        return error;
    if (pg->writer.conn != had && pg->bulk)
        return -EIO; /* what was loaded so far went with the old one */
    if (pg->writer.conn != had || !*pg->sender)
        name_sender(pg);
    g->conn = pg->writer.conn;
    g->sent_count = 0;
    g->failed = !PQenterPipelineMode(g->conn);
    memset(ret_lost, 0, g->count * sizeof *ret_lost);
    if (!g->failed)
        send_group(g, pg);
    if (g->failed || !PQpipelineSync(g->conn)) {
        link_close(&pg->writer);
        return -EIO;
    }
    error = read_group(g, pg->bulk, ret_lost);
    if (!leave_pipeline(g->conn) || error == -EROFS) {
        link_close(&pg->writer);
        return error ? error : -EIO;
    }
    return error;
}

int postgres_commit(void *context, const struct change *const *changes, size_t count,
                    bool *ret_lost)
{
    struct postgres *pg = context;
    struct group g = {.changes = changes, .count = count};
    int error = sort(&g) ? -EDEADLK : -ENOMEM;

    for (int i = 0; i < TRIES && error == -EDEADLK; i++) {
        if (i > 0)
            clock_pause(5 * i);
        error = write_once(pg, &g, ret_lost);
        if (pg->bulk)
            break; /* the whole load is undone */
    }
    free(g.order);
    free(g.sent);
    return error == -EDEADLK || error == -ENOENT ? -EIO : error;
}

int postgres_bulk(void *context, enum store_bulk what)
{
    static const char *const commands[] = {"BEGIN", "COMMIT", "ROLLBACK"};
    struct postgres *pg = context;
    int error = what == BULK_BEGIN ? link_open(pg, &pg->writer) : 0;

    pg->bulk = what == BULK_BEGIN;
    if (error || !pg->writer.conn)
        return -EIO;
    PGresult *result = PQexec(pg->writer.conn, commands[what]);
    if (PQresultStatus(result) != PGRES_COMMAND_OK)
        error = errno_of(result);
    else if (strcmp(PQcmdStatus(result), commands[what]) != 0)
        error = -EIO; /* COMMIT of what had failed says ROLLBACK */
    PQclear(result);
    return error;
}
