/* The floor of a durable move: as mhd_floor, but a row is on disk before the answer leaves.
 *
 *   mhd_durable PORT THREADS FILE
 *
 * A request is suspended and queued; one writer commits whatever has gathered in one
 * transaction of SQLite (WAL, synchronous=FULL) and resumes them all. FILE is made new each
 * time.
 */
#include <pthread.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/bench/floor.h"

struct waiting {
    struct waiting *next;
    struct MHD_Connection *connection;
    bool stored;
    struct floor_move move;
    struct floor_body body;
};

struct writer {
    pthread_mutex_t lock;
    pthread_cond_t more;
    struct waiting *first, **end;
    sqlite3 *db;
    sqlite3_stmt *insert, *begin, *commit;
};

/* One writer for the process: what a handler is given by libmicrohttpd stays free. */
static struct writer writer = {
    .lock = PTHREAD_MUTEX_INITIALIZER, .more = PTHREAD_COND_INITIALIZER, .end = &writer.first};

static void step(sqlite3_stmt *statement)
{
    if (sqlite3_step(statement) != SQLITE_DONE) {
        fprintf(stderr, "mhd_durable: %s\n", sqlite3_errmsg(writer.db));
        exit(1);
    }
    sqlite3_reset(statement);
}

static void store(const struct waiting *waiting)
{
    const struct floor_body *body = &waiting->body;
    int size = body->size < 120 ? (int)body->size : 120;

    sqlite3_bind_text(writer.insert, 1, waiting->move.game, -1, SQLITE_STATIC);
    sqlite3_bind_int64(writer.insert, 2, waiting->move.ply);
    sqlite3_bind_blob(writer.insert, 3, body->text, size, SQLITE_STATIC);
    step(writer.insert);
}

static struct waiting *gathered(void)
{
    struct waiting *list;

    pthread_mutex_lock(&writer.lock);
    while (!writer.first)
        pthread_cond_wait(&writer.more, &writer.lock);
    list = writer.first;
    writer.first = NULL;
    writer.end = &writer.first;
    pthread_mutex_unlock(&writer.lock);
    return list;
}

static void *write_groups(void *unused)
{
    (void)unused;
    for (;;) {
        struct waiting *list = gathered();

        step(writer.begin);
        for (const struct waiting *w = list; w; w = w->next)
            store(w);
        step(writer.commit);
        while (list) {
            struct waiting *done = list;

            list = list->next; /* once resumed, `done` may be freed at any time */
            MHD_resume_connection(done->connection);
        }
    }
    return NULL;
}

static void queue(struct waiting *waiting)
{
    MHD_suspend_connection(waiting->connection);
    pthread_mutex_lock(&writer.lock);
    *writer.end = waiting;
    writer.end = &waiting->next;
    pthread_cond_signal(&writer.more);
    pthread_mutex_unlock(&writer.lock);
}

static enum MHD_Result on_request(void *unused, struct MHD_Connection *connection,
                                  const char *url, const char *method, const char *version,
                                  const char *data, size_t *size, void **context)
{
    struct waiting *waiting = *context;

    (void)unused, (void)url, (void)method, (void)version;
    if (!waiting) {
        waiting = *context = malloc(sizeof *waiting);
        if (!waiting)
            return MHD_NO;
        waiting->next = NULL;
        waiting->connection = connection;
        waiting->stored = false;
        waiting->body.size = 0;
        return MHD_YES;
    }
    if (*size) {
        floor_collect(&waiting->body, data, size);
        return MHD_YES;
    }
    if (waiting->stored)
        return floor_answer(connection, &waiting->move);
    waiting->move = floor_read(&waiting->body);
    waiting->stored = true;
    queue(waiting);
    return MHD_YES;
}

static void on_done(void *unused, struct MHD_Connection *connection, void **context,
                    enum MHD_RequestTerminationCode why)
{
    (void)unused, (void)connection, (void)why;
    free(*context);
    *context = NULL;
}

static bool open_store(const char *path)
{
    static const char setup[] =
        "pragma journal_mode=wal; pragma synchronous=full; drop table if exists moves;"
        "create table moves(seq integer primary key, game text, ply integer, body blob)";

    return sqlite3_open(path, &writer.db) == SQLITE_OK &&
           sqlite3_exec(writer.db, setup, NULL, NULL, NULL) == SQLITE_OK &&
           sqlite3_prepare_v2(writer.db, "insert into moves(game,ply,body) values(?1,?2,?3)",
                              -1, &writer.insert, NULL) == SQLITE_OK &&
           sqlite3_prepare_v2(writer.db, "begin immediate", -1, &writer.begin, NULL) ==
               SQLITE_OK &&
           sqlite3_prepare_v2(writer.db, "commit", -1, &writer.commit, NULL) == SQLITE_OK;
}

int main(int argc, char **argv)
{
    pthread_t thread;

    if (argc != 4)
        return 2;
    if (!open_store(argv[3]) || pthread_create(&thread, NULL, write_groups, NULL)) {
        fprintf(stderr, "mhd_durable: cannot begin with %s\n", argv[3]);
        return 1;
    }
    return floor_serve((uint16_t)atoi(argv[1]), (unsigned)atoi(argv[2]),
                       MHD_ALLOW_SUSPEND_RESUME, on_request, on_done);
}
