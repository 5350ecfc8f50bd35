/* The indexes of the SQLite store that are filled late: whatever has been indexed, is being
 * indexed, was taken back or was cut off, the store gives what was committed and nothing else.
 */
#include "daemon/store.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <sqlite3.h>

#include "tests/support/folder.h"
#include "tests/support/seeded.h"

enum { GAMES = 300, GROUP = 40, ISSUED_MAX = 40 };

static char folder[FOLDER_SIZE];
static char error_text[STORE_ERROR_SIZE];

static int set_up(void **state)
{
    (void)state;
    return folder_make(folder);
}

static int tear_down(void **state)
{
    (void)state;
    return folder_remove(folder);
}

/* What must be in the store. */
struct model {
    struct seeded seeded;
    uint32_t next[GAMES]; /* 0: the game is not made yet */
    uint32_t records[GAMES];
    uint32_t issued[GAMES][ISSUED_MAX]; /* the seqs with which credentials were made */
    uint32_t issued_count[GAMES];
};

static void gid_of(uint32_t game, uint8_t ret_gid[static 16])
{
    struct seeded seeded = {game + 1000};

    for (int i = 0; i < 16; i++)
        ret_gid[i] = (uint8_t)seeded_next(&seeded);
}

static uint64_t credential_of(uint32_t game, uint32_t first)
{
    struct seeded seeded = {(uint64_t)game << 32 | first};

    return seeded_next(&seeded);
}

struct group {
    struct change changes[GROUP];
    const struct change *list[GROUP];
    struct record records[GROUP];
    struct listing listings[GROUP];
    uint64_t credentials[GROUP][ISSUED_MAX];
    uint8_t gids[GROUP][16];
    char claims[GROUP][32];
    bool lost[GROUP];
    size_t count;
};

static bool removes(const struct group *group, const uint8_t *gid)
{
    for (size_t i = 0; i < group->count; i++)
        if (group->changes[i].remove && memcmp(group->gids[i], gid, 16) == 0)
            return true;
    return false;
}

/* It goes with all its credentials, and may come again. */
static void put_removal(struct group *group, struct model *model, uint32_t game)
{
    size_t at = group->count++;

    gid_of(game, group->gids[at]);
    for (uint32_t i = 0; i < model->issued_count[game]; i++)
        group->credentials[at][i] = credential_of(game, model->issued[game][i]);
    group->changes[at] = (struct change){.gid = group->gids[at],
                                         .credentials = group->credentials[at],
                                         .credential_count = model->issued_count[game],
                                         .remove = true};
    group->list[at] = &group->changes[at];
    model->next[game] = model->records[game] = model->issued_count[game] = 0;
}

static void put(struct group *group, struct model *model, uint32_t game)
{
    size_t at = group->count++;
    struct change *change = &group->changes[at];
    bool fresh = model->next[game] == 0;
    uint32_t first = fresh ? 1 : model->next[game], count = 1 + seeded_below(&model->seeded, 3);

    gid_of(game, group->gids[at]);
    int size = snprintf(group->claims[at], sizeof group->claims[at], "%u/%u", game, first);
    group->records[at] = (struct record){.first = first,
                                         .count = count,
                                         .claims = group->claims[at],
                                         .claims_size = (size_t)size,
                                         .sealed = (const uint8_t *)"s",
                                         .sealed_size = 1};
    *change = (struct change){.gid = group->gids[at], .record = &group->records[at]};
    if (fresh ||
        (seeded_below(&model->seeded, 4) == 0 && model->issued_count[game] < ISSUED_MAX)) {
        group->credentials[at][0] = credential_of(game, first);
        change->credentials = group->credentials[at];
        change->credential_count = 1;
        model->issued[game][model->issued_count[game]++] = first;
    }
    if (fresh) {
        group->listings[at] = (struct listing){.created_ms = 1};
        memcpy(group->listings[at].gid, group->gids[at], 16);
        change->listing = &group->listings[at];
    }
    group->list[at] = change;
    model->next[game] = first + count;
    model->records[game]++;
}

/* May files grow? */
static void let_grow(bool grow)
{
    struct rlimit limit;

    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = grow ? limit.rlim_max : 1;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

/* Commits a group of chance. Some have a change that cannot be, some meet a full disk: all of
 * them is taken back, with what was to be indexed by the way. */
static void commit_some(const struct store *store, struct model *model)
{
    struct model before = *model;
    struct group group = {.count = 0};
    size_t size = 1 + seeded_below(&model->seeded, GROUP - 1);
    uint32_t lot = seeded_below(&model->seeded, 20);
    bool bad = lot == 0, full = lot == 1;

    while (group.count < size) {
        uint32_t game = seeded_below(&model->seeded, GAMES);
        uint8_t gid[16];
        gid_of(game, gid);
        bool leaves = model->next[game] && seeded_below(&model->seeded, 30) == 0;
        if (removes(&group, gid) || (bad && group.count + 1 == size && leaves))
            continue;
        (leaves ? put_removal : put)(&group, model, game);
    }
    if (bad)
        group.records[size - 1].first++;
    if (full)
        let_grow(false);
    int error = store->commit(store->context, group.list, size, group.lost);
    if (full)
        let_grow(true);
    assert_int_equal(error, bad ? -EEXIST : full ? -ENOSPC : 0);
    if (!error)
        return;
    before.seeded = model->seeded;
    *model = before;
}

struct walk {
    uint32_t game, next, records;
};

static int step(void *arg, const struct record *record)
{
    struct walk *walk = arg;
    char claims[32];

    snprintf(claims, sizeof claims, "%u/%u", walk->game, record->first);
    assert_int_equal(record->claims_size, strlen(claims));
    assert_memory_equal(record->claims, claims, strlen(claims));
    if (walk->records)
        assert_int_equal(record->first, walk->next);
    walk->next = record->first + record->count;
    walk->records++;
    return 0;
}

static void check_game(const struct store *store, const struct model *model, uint32_t game)
{
    struct walk all = {game, 0, 0}, rest = {game, 0, 0};
    uint8_t gid[16], owner[16];

    gid_of(game, gid);
    int error = store->records(store->context, gid, 0, step, &all);
    if (!model->next[game]) {
        assert_int_equal(error, -ENOENT);
        assert_int_equal(store->credential_known(store->context, credential_of(game, 1), owner),
                         0);
        return;
    }
    assert_int_equal(error, 0);
    assert_int_equal(all.records, model->records[game]);
    assert_int_equal(all.next, model->next[game]);
    uint32_t after = model->next[game] - 2; /* the last event lies behind it */
    assert_int_equal(store->records(store->context, gid, after, step, &rest), 0);
    assert_int_equal(rest.records, 1);
    assert_int_equal(rest.next, model->next[game]);
    assert_int_equal(store->credential_known(store->context, credential_of(game, 1), owner), 1);
    assert_memory_equal(owner, gid, 16);
    assert_int_equal(store->credential_known(store->context, credential_of(game, 0), owner), 0);
}

static void check_all(const struct store *store, const struct model *model)
{
    for (uint32_t game = 0; game < GAMES; game++)
        check_game(store, model, game);
}

static struct store open_store(enum store_use use)
{
    struct store store;

    assert_int_equal(store_sqlite_open(folder, use, &store, error_text), 0);
    return store;
}

/* Of games that are gone no table holds anything; of what is there nothing is in vain. */
static void nothing_is_left(void)
{
    static const char *const counts[] = {
        "SELECT count(*) FROM record WHERE game NOT IN (SELECT number FROM game)",
        "SELECT count(*) FROM place WHERE game NOT IN (SELECT number FROM game)",
        "SELECT count(*) FROM place WHERE row NOT IN (SELECT row FROM record)",
        "SELECT count(*) FROM game_of WHERE number NOT IN (SELECT number FROM game)",
        "SELECT count(*) FROM credential WHERE game NOT IN (SELECT number FROM game)",
        ("SELECT count(*) FROM issued WHERE row>(SELECT issued FROM indexed)"
         " AND game NOT IN (SELECT number FROM game)"),
    };
    char path[FOLDER_SIZE + 16];
    sqlite3 *db;

    snprintf(path, sizeof path, "%s/games.db", folder);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        sqlite3_stmt *sql;
        assert_int_equal(sqlite3_prepare_v2(db, counts[i], -1, &sql, NULL), SQLITE_OK);
        assert_int_equal(sqlite3_step(sql), SQLITE_ROW);
        if (sqlite3_column_int(sql, 0) != 0)
            fail_msg("%d: %s", sqlite3_column_int(sql, 0), counts[i]);
        sqlite3_finalize(sql);
    }
    sqlite3_close(db);
}

static void gives_what_was_committed(void **state)
{
    struct model model = {.seeded = {7}};
    struct store store = open_store(STORE_SERVE);

    (void)state;
    for (int round = 0; round < 24; round++) {
        for (int i = 0; i < 100; i++)
            commit_some(&store, &model);
        check_game(&store, &model, seeded_below(&model.seeded, GAMES));
        if (round % 10 == 9)
            check_all(&store, &model);
        if (round % 7 == 6) { /* indexes as far as they have come */
            store.close(store.context);
            store = open_store(STORE_SERVE);
            check_all(&store, &model);
        }
    }
    struct store beside = open_store(STORE_READ);
    check_all(&beside, &model);
    for (int i = 0; i < 100; i++)
        commit_some(&store, &model);
    check_all(&beside, &model); /* it follows */
    nothing_is_left();
    beside.close(beside.context);
    store.close(store.context);
}

/* Killed between commits, wherever its indexing stood: what the model says is told by the child
 * before it dies. */
static void comes_back_after_a_kill(void **state)
{
    struct model model = {.seeded = {11}};

    (void)state;
    for (int round = 0; round < 6; round++) {
        int tell[2], status;
        assert_int_equal(pipe(tell), 0);
        pid_t child = fork();
        if (child == 0) {
            struct store store = open_store(STORE_SERVE);
            for (uint32_t i = 100 + seeded_below(&model.seeded, 400); i > 0; i--)
                commit_some(&store, &model);
            if (write(tell[1], &model, sizeof model) == sizeof model)
                kill(getpid(), SIGKILL);
            _exit(1);
        }
        assert_int_equal(read(tell[0], &model, sizeof model), sizeof model);
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
        close(tell[0]);
        close(tell[1]);
        struct store store = open_store(STORE_READ);
        check_all(&store, &model);
        store.close(store.context);
        nothing_is_left();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(gives_what_was_committed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(comes_back_after_a_kill, set_up, tear_down),
    };

    signal(SIGXFSZ, SIG_IGN);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
