#include "daemon/store_sqlite.h"

#include "daemon/clock.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { EXPIRE_AT_ONCE = 4, INDEX_AT_LEAST = 16, TRIM_AT_ONCE = 1024 };

const char *const store_sqlite_writes[WRITES] = {
    [SQL_BEGIN] = "BEGIN IMMEDIATE",
    [SQL_COMMIT] = "COMMIT",
    [SQL_ROLLBACK] = "ROLLBACK",
    [SQL_FIND] = "SELECT number FROM game_of WHERE gid=?1",
    [SQL_CREATE] =
        ("INSERT INTO game(gid,created_ms,ruleset,status,open,due_ms,ended_ms,number)"
         " VALUES(?1,?2,?3,?4,?5,?6,?7,?8)"),
    [SQL_LIST] = "UPDATE game SET status=?2,open=?3,due_ms=?4,ended_ms=?5 WHERE number=?1",
    [SQL_LAST] = "SELECT row FROM place WHERE game=?1 ORDER BY first DESC LIMIT 1",
    [SQL_ROW] = "SELECT first+count FROM record WHERE row=?1",
    [SQL_RECORD] = ("INSERT INTO record(game,first,count,claims,sealed,row)"
                    " VALUES(?1,?2,?3,?4,?5,?6)"),
    [SQL_CREDENTIAL] = "INSERT INTO issued(id,game,row) VALUES(?1,?2,?3)",
    [SQL_EXPIRE] = ("DELETE FROM kept WHERE key IN"
                    " (SELECT key FROM kept WHERE expires_ms<?1 LIMIT ?2)"),
    [SQL_KEEP] = "INSERT OR REPLACE INTO kept VALUES(?1,?2,?3,?4)",
    [SQL_SNAP] = "INSERT OR REPLACE INTO snapshot VALUES(?1,?2,?3)",
    /* a run that was cut off has put some there already */
    [SQL_INDEX_RECORD] = "INSERT OR IGNORE INTO place VALUES(?1,?2,?3)",
    [SQL_INDEX_GAME] = "INSERT OR IGNORE INTO game_of VALUES(?1,?2)",
    [SQL_INDEX_CREDENTIAL] = "INSERT OR REPLACE INTO credential VALUES(?1,?2)",
    [SQL_MARK] =
        "UPDATE indexed SET record=max(record,?1),game=max(game,?2),issued=max(issued,?3)",
    /* what the index has is needed in it alone */
    [SQL_TRIM] = ("DELETE FROM issued WHERE row IN (SELECT row FROM issued"
                  " WHERE row<=(SELECT issued FROM indexed) ORDER BY row LIMIT ?1)"),
    [SQL_DROP_RECORDS] =
        "DELETE FROM record WHERE row IN (SELECT row FROM place WHERE game=?1)",
    [SQL_DROP_RECORD] = "DELETE FROM record WHERE row=?1",
    [SQL_DROP_PLACES] = "DELETE FROM place WHERE game=?1",
    [SQL_DROP_SNAPSHOT] = "DELETE FROM snapshot WHERE game=?1",
    [SQL_DROP_CREDENTIAL] = "DELETE FROM credential WHERE id=?1 AND game=?2",
    [SQL_DROP_ISSUED] = "DELETE FROM issued WHERE row=?1 AND game=?2",
    [SQL_DROP_NAME] = "DELETE FROM game_of WHERE gid=?1",
    [SQL_DROP_GAME] = "DELETE FROM game WHERE number=?1",
    [SQL_LAST_GIVEN] = "UPDATE given SET record=?1,game=?2,issued=?3",
    /* stays what it is, and its page is written all the same: a row would not be */
    [SQL_PROBE] = "PRAGMA application_id=0",
};

/* Steps a statement that gives at most one row; `ret_number` is its first column, or 0. */
static int step(struct sqlite *s, enum write_sql which, int64_t *ret_number)
{
    sqlite3_stmt *sql = s->sql[which];
    int code = sqlite3_step(sql);
    int error = store_sqlite_errno(code) ? store_sqlite_write_errno(s->db, code) : 0;

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

    store_sqlite_bind(sql, 1, game->gid, sizeof game->gid);
    sqlite3_bind_int64(sql, 2, game->created_ms);
    sqlite3_bind_int(sql, 3, game->ruleset);
    sqlite3_bind_int(sql, 4, game->status);
    sqlite3_bind_int(sql, 5, game->open);
    sqlite3_bind_int64(sql, 6, game->due_ms);
    sqlite3_bind_int64(sql, 7, game->ended_ms);
    sqlite3_bind_int64(sql, 8, ++s->given.row[BACKLOG_GAMES]);
    return step(s, SQL_CREATE, NULL);
}

/* The newest entry of a key that the indexes do not know. */
static bool newest(struct sqlite *s, enum backlog_kind kind, struct backlog_key key,
                   struct backlog_entry *ret_entry)
{
    return backlog_find(s->backlog, kind, key, ret_entry, 1) > 0;
}

/* By this commit: the backlog forgets it when that is on disk. */
static bool is_removed(const struct sqlite *s, const uint8_t *gid)
{
    for (size_t i = 0; i < s->removal_count; i++)
        if (memcmp(s->removals[i].change->gid, gid, 16) == 0)
            return true;
    return false;
}

static int find_number(struct sqlite *s, const uint8_t *gid, int64_t *ret_number)
{
    struct backlog_entry entry;

    if (is_removed(s, gid))
        return -ENOENT;
    if (newest(s, BACKLOG_GAMES, store_sqlite_gid_key(gid), &entry)) {
        *ret_number = entry.value;
        return 0;
    }
    store_sqlite_bind(s->sql[SQL_FIND], 1, gid, 16);
    int error = step(s, SQL_FIND, ret_number);
    return error || *ret_number ? error : -ENOENT;
}

/* The seq that a game's next record must begin with. */
static int find_next(struct sqlite *s, int64_t number, int64_t *ret_next)
{
    struct backlog_entry entry;
    int64_t row = 0;
    int error = 0;

    if (newest(s, BACKLOG_RECORDS, store_sqlite_number_key(number), &entry)) {
        row = entry.value;
    } else {
        sqlite3_bind_int64(s->sql[SQL_LAST], 1, number);
        error = step(s, SQL_LAST, &row);
    }
    *ret_next = 1;
    if (error || !row)
        return error;
    sqlite3_bind_int64(s->sql[SQL_ROW], 1, row);
    return step(s, SQL_ROW, ret_next);
}

/* Finds a game, from memory if a late commit had to do with it. -ENOENT: there is none. */
static int find_game(struct sqlite *s, const uint8_t *gid, struct known **ret_known)
{
    struct known *known = place_of(s, gid);
    int64_t number, next;

    *ret_known = known;
    if (known->number && memcmp(known->gid, gid, sizeof known->gid) == 0)
        return 0;
    int error = find_number(s, gid, &number);
    if (!error)
        error = find_next(s, number, &next);
    if (error)
        return error;
    memcpy(known->gid, gid, sizeof known->gid);
    known->number = number;
    known->next = next;
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
        known->number = s->given.row[BACKLOG_GAMES];
        known->next = 1;
        return backlog_add(s->backlog, BACKLOG_GAMES, store_sqlite_gid_key(game->gid), 0,
                           known->number, known->number);
    }
    if (error)
        return error;
    sqlite3_bind_int64(s->sql[SQL_LIST], 1, known->number);
    sqlite3_bind_int(s->sql[SQL_LIST], 2, game->status);
    sqlite3_bind_int(s->sql[SQL_LIST], 3, game->open);
    sqlite3_bind_int64(s->sql[SQL_LIST], 4, game->due_ms);
    sqlite3_bind_int64(s->sql[SQL_LIST], 5, game->ended_ms);
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
    store_sqlite_bind(sql, 4, record->claims, record->claims_size);
    if (record->sealed_size > 0)
        store_sqlite_bind(sql, 5, record->sealed, record->sealed_size);
    else
        sqlite3_bind_null(sql, 5);
    int64_t row = ++s->given.row[BACKLOG_RECORDS];
    sqlite3_bind_int64(sql, 6, row);
    error = step(s, SQL_RECORD, NULL);
    if (error)
        return error;
    known->next += record->count;
    return backlog_add(s->backlog, BACKLOG_RECORDS, store_sqlite_number_key(known->number),
                       record->first, row, row);
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
    store_sqlite_bind(sql, 1, kept->key, sizeof kept->key);
    store_sqlite_bind(sql, 2, kept->body, sizeof kept->body);
    sqlite3_bind_int64(sql, 3, kept->expires_ms);
    store_sqlite_bind(sql, 4, kept->sealed, kept->sealed_size);
    return step(s, SQL_KEEP, NULL);
}

static int write_credentials(struct sqlite *s, const struct change *change)
{
    struct known *known;
    int error = change->credential_count > 0 ? find_game(s, change->gid, &known) : 0;

    for (size_t i = 0; i < change->credential_count && !error; i++) {
        sqlite3_bind_int64(s->sql[SQL_CREDENTIAL], 1, (int64_t)change->credentials[i]);
        sqlite3_bind_int64(s->sql[SQL_CREDENTIAL], 2, known->number);
        sqlite3_bind_int64(s->sql[SQL_CREDENTIAL], 3, ++s->given.row[BACKLOG_CREDENTIALS]);
        error = step(s, SQL_CREDENTIAL, NULL);
        if (!error)
            error = backlog_add(s->backlog, BACKLOG_CREDENTIALS,
                                store_sqlite_number_key((int64_t)change->credentials[i]), 0,
                                known->number, s->given.row[BACKLOG_CREDENTIALS]);
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
    store_sqlite_bind(sql, 3, snapshot->sealed, snapshot->sealed_size);
    return step(s, SQL_SNAP, NULL);
}

/* Deletes what a number stands for; `game` 0: the statement does not ask. */
static int drop(struct sqlite *s, enum write_sql which, int64_t number, int64_t game)
{
    sqlite3_bind_int64(s->sql[which], 1, number);
    if (game)
        sqlite3_bind_int64(s->sql[which], 2, game);
    return step(s, which, NULL);
}

/* Those records that the index has, and those that it does not have yet. */
static int drop_records(struct sqlite *s, int64_t number)
{
    struct backlog_key key = store_sqlite_number_key(number);
    size_t count = backlog_find(s->backlog, BACKLOG_RECORDS, key, NULL, 0);
    struct backlog_entry *rows = calloc(count + 1, sizeof *rows);
    int error = rows ? drop(s, SQL_DROP_RECORDS, number, 0) : -ENOMEM;

    if (!error)
        error = drop(s, SQL_DROP_PLACES, number, 0);
    if (!error)
        backlog_find(s->backlog, BACKLOG_RECORDS, key, rows, count);
    for (size_t i = 0; i < count && !error; i++)
        error = drop(s, SQL_DROP_RECORD, rows[i].value, 0);
    free(rows);
    return error;
}

static int drop_credentials(struct sqlite *s, const struct change *change, int64_t number)
{
    int error = 0;

    for (size_t i = 0; i < change->credential_count && !error; i++) {
        int64_t id = (int64_t)change->credentials[i];
        struct backlog_entry entry;
        error = drop(s, SQL_DROP_CREDENTIAL, id, number);
        if (!error && newest(s, BACKLOG_CREDENTIALS, store_sqlite_number_key(id), &entry))
            error = drop(s, SQL_DROP_ISSUED, entry.row, number);
    }
    return error;
}

/* The backlog forgets it when that is on disk. */
static int note_removal(struct sqlite *s, const struct change *change, int64_t number)
{
    if (s->removal_count == s->removal_room) {
        size_t room = s->removal_room ? 2 * s->removal_room : 16;
        struct removal *grown = realloc(s->removals, room * sizeof *grown);
        if (!grown)
            return -ENOMEM;
        s->removals = grown;
        s->removal_room = room;
    }
    s->removals[s->removal_count++] = (struct removal){change, number};
    return 0;
}

static int remove_game(struct sqlite *s, const struct change *change)
{
    struct known *known;
    int error = find_game(s, change->gid, &known);

    if (error)
        return error == -ENOENT ? 0 : error;
    int64_t number = known->number;
    *known = (struct known){0};
    error = note_removal(s, change, number);
    if (!error)
        error = drop_records(s, number);
    if (!error)
        error = drop_credentials(s, change, number);
    if (!error)
        error = drop(s, SQL_DROP_SNAPSHOT, number, 0);
    store_sqlite_bind(s->sql[SQL_DROP_NAME], 1, change->gid, 16);
    if (!error)
        error = step(s, SQL_DROP_NAME, NULL);
    return error ? error : drop(s, SQL_DROP_GAME, number, 0);
}

/* What the backlog knew of the games that are gone. */
static void forget_game(struct sqlite *s, const struct removal *removal)
{
    const struct change *change = removal->change;

    backlog_forget(s->backlog, BACKLOG_RECORDS, store_sqlite_number_key(removal->number));
    backlog_forget(s->backlog, BACKLOG_GAMES, store_sqlite_gid_key(change->gid));
    for (size_t i = 0; i < change->credential_count; i++)
        backlog_forget(s->backlog, BACKLOG_CREDENTIALS,
                       store_sqlite_number_key((int64_t)change->credentials[i]));
}

static int write_change(struct sqlite *s, const struct change *change)
{
    if (change->remove)
        return remove_game(s, change);
    int error = change->listing ? write_listing(s, change->listing) : 0;

    if (!error && change->record)
        error = write_record(s, change->gid, change->record);
    if (!error)
        error = write_credentials(s, change);
    if (!error && change->snapshot)
        error = write_snapshot(s, change->gid, change->snapshot);
    if (!error && change->kept)
        error = write_kept(s, change->kept);
    if (!error && change->probe)
        error = step(s, SQL_PROBE, NULL);
    return error;
}

static int index_one(struct sqlite *s, enum backlog_kind kind,
                     const struct backlog_entry *entry)
{
    static const enum write_sql which[BACKLOG_KINDS] = {
        [BACKLOG_RECORDS] = SQL_INDEX_RECORD,
        [BACKLOG_GAMES] = SQL_INDEX_GAME,
        [BACKLOG_CREDENTIALS] = SQL_INDEX_CREDENTIAL,
    };
    sqlite3_stmt *sql = s->sql[which[kind]];
    uint8_t gid[16];

    if (!entry->value)
        return 0;
    if (kind == BACKLOG_GAMES) {
        store_sqlite_key_gid(entry->key, gid);
        store_sqlite_bind(sql, 1, gid, sizeof gid);
        sqlite3_bind_int64(sql, 2, entry->value);
        return step(s, which[kind], NULL);
    }
    sqlite3_bind_int64(sql, 1, store_sqlite_key_number(entry->key));
    if (kind == BACKLOG_RECORDS)
        sqlite3_bind_int64(sql, 2, entry->order);
    sqlite3_bind_int64(sql, kind == BACKLOG_RECORDS ? 3 : 2, entry->value);
    return step(s, which[kind], NULL);
}

/* Indexes some of what waits for it: more than comes in, so that there is an end to it. */
static int index_some(struct sqlite *s, size_t count)
{
    int64_t rows[BACKLOG_KINDS];
    int error = 0;

    for (int kind = 0; kind < BACKLOG_KINDS; kind++) {
        size_t taken;
        const struct backlog_entry *const *entries = backlog_take(
            s->backlog, (enum backlog_kind)kind, INDEX_AT_LEAST + 4 * count, &taken);
        for (size_t i = 0; i < taken && !error; i++)
            error = index_one(s, (enum backlog_kind)kind, entries[i]);
    }
    if (error || !backlog_taken(s->backlog, rows))
        return error;
    for (int kind = 0; kind < BACKLOG_KINDS; kind++)
        sqlite3_bind_int64(s->sql[SQL_MARK], kind + 1, rows[kind]);
    s->trims = true;
    return step(s, SQL_MARK, NULL);
}

/* The credentials that the index has by now leave the table of those that it has not. */
static int trim_some(struct sqlite *s)
{
    if (!s->trims)
        return 0;
    sqlite3_bind_int(s->sql[SQL_TRIM], 1, TRIM_AT_ONCE);
    int error = step(s, SQL_TRIM, NULL);
    s->trims = error || sqlite3_changes(s->db) == TRIM_AT_ONCE;
    return error;
}

/* What was given last may be gone, and is not to be given again. */
static int mark_given(struct sqlite *s)
{
    if (s->removal_count == 0)
        return 0;
    for (int kind = 0; kind < BACKLOG_KINDS; kind++)
        sqlite3_bind_int64(s->sql[SQL_LAST_GIVEN], kind + 1, s->given.row[kind]);
    return step(s, SQL_LAST_GIVEN, NULL);
}

/* Indexes first: what is removed afterwards leaves the indexes, too. */
static int write_all(struct sqlite *s, const struct change *const *changes, size_t count)
{
    int error = index_some(s, count);

    if (!error)
        error = trim_some(s);
    for (size_t i = 0; i < count && !error; i++)
        error = write_change(s, changes[i]);
    return error ? error : mark_given(s);
}

/* Nobody else writes here, so nothing comes too late. */
int store_sqlite_commit(void *context, const struct change *const *changes, size_t count,
                        bool *ret_lost)
{
    struct sqlite *s = context;
    int error = step(s, SQL_BEGIN, NULL);

    s->removal_count = 0;
    memset(ret_lost, 0, count * sizeof *ret_lost);
    if (!error)
        error = write_all(s, changes, count);
    if (!error)
        error = step(s, SQL_COMMIT, NULL);
    if (!error) {
        backlog_settle(s->backlog);
        for (size_t i = 0; i < s->removal_count; i++)
            forget_game(s, &s->removals[i]);
        s->settled = s->given;
        return 0;
    }
    if (!sqlite3_get_autocommit(s->db))
        step(s, SQL_ROLLBACK, NULL);
    backlog_undo(s->backlog);
    s->given = s->settled;
    s->trims = true;
    memset(s->known, 0, sizeof s->known); /* it may know what was rolled back */
    return error;
}
