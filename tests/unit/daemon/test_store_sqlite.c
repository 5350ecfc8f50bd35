/* What SQLite alone does: what does not follow is refused with its whole group, a folder has
 * one daemon, and a disk that is full costs nothing but the change that did not fit. The rest
 * is the same for every store: test_store.c. */
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
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/support/folder.h"
#include "tests/support/records.h"

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

static struct store open_store(void)
{
    struct store store;

    assert_int_equal(store_sqlite_open(folder, STORE_SERVE, &store, error_text), 0);
    return store;
}

static struct listing listing_of(uint8_t game)
{
    return (struct listing){
        .gid = {game}, .created_ms = 1000 + game, .status = 1, .ruleset = 2, .open = true};
}

static int create(const struct store *store, uint8_t game)
{
    const struct listing listing = listing_of(game);
    const uint8_t gid[16] = {game};
    const uint64_t credentials[] = {100U + game, 0x8000000000000000U + game};
    const struct change change = {
        .gid = gid, .listing = &listing, .credentials = credentials, .credential_count = 2};
    const struct change *const list[] = {&change};
    bool lost[3];

    return store->commit(store->context, list, 1, lost);
}

static int add(const struct store *store, uint8_t game, uint32_t first, uint32_t count,
               const char *claims)
{
    const uint8_t gid[16] = {game};
    const struct record record = {
        .first = first,
        .count = count,
        .claims = claims,
        .claims_size = strlen(claims),
        .sealed = (const uint8_t *)"\0\1\2",
        .sealed_size = first % 2 ? 3 : 0,
    };
    const struct change change = {.gid = gid, .record = &record};
    const struct change *const list[] = {&change};
    bool lost[3];

    return store->commit(store->context, list, 1, lost);
}

static void refuses_what_does_not_follow(void **state)
{
    struct store store = open_store();
    struct seen seen;

    (void)state;
    create(&store, 1);
    assert_int_equal(add(&store, 1, 2, 1, "x"), -EEXIST);
    assert_int_equal(add(&store, 1, 1, 2, "a"), 0);
    assert_int_equal(add(&store, 1, 1, 2, "b"), -EEXIST);
    assert_int_equal(add(&store, 1, 2, 1, "b"), -EEXIST);
    assert_int_equal(add(&store, 1, 4, 1, "b"), -EEXIST);
    assert_int_equal(add(&store, 2, 1, 1, "b"), -ENOENT);
    assert_int_equal(add(&store, 1, 3, 1, "c"), 0);
    assert_int_equal(records_read(&store, 1, 0, &seen), 0);
    assert_int_equal(seen.count, 2);
    assert_string_equal(seen.claims[0], "a");
    store.close(store.context);
}

static void all_of_a_group_or_nothing(void **state)
{
    struct store store = open_store();
    struct seen seen;
    const uint8_t old[16] = {1}, fresh[16] = {3};
    const struct listing listing = listing_of(3);
    const struct record good = {.first = 1, .count = 1, .claims = "g", .claims_size = 1};
    const struct change changes[] = {
        {.gid = fresh, .listing = &listing, .record = &good},
        {.gid = old, .record = &good},
        {.gid = old, .record = &good}, /* twice */
    };
    const struct change *const list[] = {&changes[0], &changes[1], &changes[2]};
    bool lost[3];

    (void)state;
    create(&store, 1);
    assert_int_equal(store.commit(store.context, list, 3, lost), -EEXIST);
    assert_int_equal(records_read(&store, 3, 0, &seen), -ENOENT);
    assert_int_equal(records_read(&store, 1, 0, &seen), 0);
    assert_int_equal(seen.count, 0);
    assert_int_equal(store.commit(store.context, list, 2, lost), 0);
    assert_int_equal(records_read(&store, 3, 0, &seen), 0);
    assert_int_equal(seen.count, 1);
    store.close(store.context);
}

static void one_daemon_a_folder(void **state)
{
    struct store store = open_store(), second;
    char file[96];

    (void)state;
    create(&store, 1);
    add(&store, 1, 1, 1, "a");
    assert_int_equal(store_sqlite_open(folder, STORE_SERVE, &second, error_text), -EBUSY);
    assert_non_null(strstr(error_text, "another daemon"));
    assert_int_equal(store_sqlite_open(folder, STORE_READ, &second, error_text), 0);
    assert_int_equal(second.check(second.context), 0);
    snprintf(file, sizeof file, "%s/copy.db", folder);
    assert_int_equal(second.backup(second.context, file), 0);
    assert_int_equal(second.backup(second.context, file), -EEXIST);
    second.close(second.context);
    store.close(store.context);
    assert_int_equal(access(file, R_OK), 0);
}

static void refuses_a_later_version(void **state)
{
    struct store store = open_store();
    char command[160];

    (void)state;
    store.close(store.context);
    snprintf(command, sizeof command, "sqlite3 '%s/games.db' 'PRAGMA user_version=99'", folder);
    if (system(command) != 0)
        skip();
    assert_int_equal(store_sqlite_open(folder, STORE_SERVE, &store, error_text), -EPROTO);
    assert_non_null(strstr(error_text, "later version"));
}

static int change_file(const char *text)
{
    char command[400];

    snprintf(command, sizeof command, "sqlite3 '%s/games.db' '%s'", folder, text);
    return system(command);
}

/* All credentials are in their index and in it alone: what comes after them does not take the
 * places that they had, or it would be taken for indexed. */
static void goes_on_counting_where_rows_have_gone(void **state)
{
    struct store store = open_store();
    uint8_t gid[16];

    (void)state;
    create(&store, 1);
    store.close(store.context);
    if (change_file("INSERT INTO credential SELECT id,game FROM issued; DELETE FROM issued;"
                    "UPDATE indexed SET issued=2") != 0)
        skip();
    store = open_store();
    create(&store, 2);
    store.close(store.context);
    store = open_store();
    assert_int_equal(store.credential_known(store.context, 101, gid), 1);
    assert_int_equal(store.credential_known(store.context, 102, gid), 1);
    assert_int_equal(gid[0], 2);
    store.close(store.context);
}

static off_t size_of_log(void)
{
    char path[96];
    struct stat info;

    snprintf(path, sizeof path, "%s/games.db-wal", folder);
    assert_int_equal(stat(path, &info), 0);
    return info.st_size;
}

static void a_full_disk_is_told_and_survived(void **state)
{
    struct store store = open_store();
    struct rlimit before, limit;
    struct seen seen;
    uint32_t next = 1;
    int error = 0;

    (void)state;
    signal(SIGXFSZ, SIG_IGN);
    create(&store, 1);
    getrlimit(RLIMIT_FSIZE, &before);
    limit = before;
    limit.rlim_cur = (rlim_t)size_of_log() + 20000;
    setrlimit(RLIMIT_FSIZE, &limit);
    while (next < 60 && !error) {
        error = add(&store, 1, next, 1, "x");
        next += error ? 0 : 1;
    }
    assert_int_equal(error, -ENOSPC);
    assert_int_equal(records_read(&store, 1, 0, &seen), 0);
    assert_int_equal(seen.count, next - 1);
    setrlimit(RLIMIT_FSIZE, &before);
    assert_int_equal(add(&store, 1, next, 1, "y"), 0); /* service goes on */
    store.close(store.context);
    store = open_store();
    assert_int_equal(records_read(&store, 1, 0, &seen), 0);
    assert_int_equal(seen.count, next);
    assert_string_equal(seen.claims[next - 1], "y");
    store.close(store.context);
}

#define STORE_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        STORE_TEST(refuses_what_does_not_follow),
        STORE_TEST(all_of_a_group_or_nothing),
        STORE_TEST(one_daemon_a_folder),
        STORE_TEST(refuses_a_later_version),
        STORE_TEST(goes_on_counting_where_rows_have_gone),
        STORE_TEST(a_full_disk_is_told_and_survived),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
