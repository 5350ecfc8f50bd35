/* What every home for games must do, done with each of them: SQLite in a folder and, where
 * REFEREED_TEST_DATABASE names one that may be emptied, PostgreSQL (tests/system/store.sh). */
#include "daemon/store.h"

#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/support/folder.h"
#include "tests/support/records.h"

#include "daemon/clock.h"
#include "daemon/commands.h"

static const uint8_t key[32] = {1, 2, 3};
static const char *database; /* NULL: the home under test is SQLite */
static char folder[FOLDER_SIZE];
static char error_text[STORE_ERROR_SIZE];

/* Runs SQL by psql, for what no daemon does. */
static int sql(const char *text)
{
    char command[600];

    snprintf(command, sizeof command, "psql -X -q -d '%s' -c \"%s\" >/dev/null 2>&1", database,
             text);
    return system(command);
}

static int set_up(void **state)
{
    (void)state;
    if (database)
        return sql("DROP SCHEMA public CASCADE; CREATE SCHEMA public");
    return folder_make(folder);
}

static int tear_down(void **state)
{
    (void)state;
    return database ? 0 : folder_remove(folder);
}

static struct store open_store(void)
{
    struct store store;
    int error = database ? store_postgres_open(database, STORE_SERVE, key, &store, error_text)
                         : store_sqlite_open(folder, STORE_SERVE, &store, error_text);

    if (error)
        print_error("%s\n", error_text);
    assert_int_equal(error, 0);
    return store;
}

static struct listing listing_of(uint8_t game)
{
    return (struct listing){.gid = {game},
                            .created_ms = 1000 + game,
                            .status = 1,
                            .ruleset = 2,
                            .open = true,
                            .due_ms = game == 3 ? 700 : 0};
}

static int commit_one(const struct store *store, const struct change *change, bool *ret_lost)
{
    const struct change *const list[] = {change};

    return store->commit(store->context, list, 1, ret_lost);
}

static void create(const struct store *store, uint8_t game)
{
    const struct listing listing = listing_of(game);
    const uint64_t credentials[] = {100U + game, 0x8000000000000000U + game};
    const struct change change = {.gid = listing.gid,
                                  .listing = &listing,
                                  .credentials = credentials,
                                  .credential_count = 2};
    bool lost;

    assert_int_equal(commit_one(store, &change, &lost), 0);
    assert_false(lost);
}

/* Links are made up: an event links to 10 times its seq, in the top bit's company. */
static uint64_t link_to(uint32_t seq)
{
    return seq ? UINT64_C(0x8000000000000000) + 10 * seq : 0;
}

static struct record record_of(uint32_t first, uint32_t count, const char *claims)
{
    return (struct record){.first = first,
                           .count = count,
                           .before = link_to(first - 1),
                           .link = link_to(first + count - 1),
                           .claims = claims,
                           .claims_size = strlen(claims),
                           .sealed = (const uint8_t *)"\0\1\2",
                           .sealed_size = first % 2 ? 3 : 0};
}

static void add(const struct store *store, uint8_t game, uint32_t first, uint32_t count,
                const char *claims)
{
    const uint8_t gid[16] = {game};
    const struct record record = record_of(first, count, claims);
    const struct change change = {.gid = gid, .record = &record};
    bool lost;

    assert_int_equal(commit_one(store, &change, &lost), 0);
    assert_false(lost);
}

static void comes_back_after_reopening(void **state)
{
    struct store store = open_store();
    struct seen seen;

    (void)state;
    create(&store, 1);
    create(&store, 2);
    add(&store, 1, 1, 1, "one");
    add(&store, 2, 1, 2, "other");
    add(&store, 1, 2, 3, "two");
    add(&store, 1, 5, 1, "five");
    store.close(store.context);
    store = open_store();
    add(&store, 1, 6, 1, "six");
    assert_int_equal(records_read(&store, 1, 0, &seen), 0);
    assert_int_equal(seen.count, 4);
    assert_string_equal(seen.claims[1], "two");
    assert_int_equal(seen.sealed[0], 3);
    assert_int_equal(seen.sealed[1], 0);
    assert_int_equal(seen.first[3], 6);
    assert_int_equal(records_read(&store, 9, 0, &seen), -ENOENT);
    assert_int_equal(store.check(store.context), 0);
    store.close(store.context);
}

static void reads_from_the_middle(void **state)
{
    struct store store = open_store();
    struct seen seen;
    const uint8_t gid[16] = {1};

    (void)state;
    create(&store, 1);
    assert_int_equal(records_read(&store, 1, 0, &seen), 0); /* a game without a record is one */
    add(&store, 1, 1, 1, "a");
    add(&store, 1, 2, 3, "b");
    add(&store, 1, 5, 1, "c");
    assert_int_equal(records_read(&store, 1, 3, &seen), 0); /* 3 lies inside of 2..4 */
    assert_int_equal(seen.count, 2);
    assert_int_equal(seen.first[0], 2);
    assert_int_equal(records_read(&store, 1, 4, &seen), 0);
    assert_int_equal(seen.count, 1);
    assert_int_equal(records_read(&store, 1, 5, &seen), 0);
    assert_int_equal(seen.count, 0);
    memset(&seen, 0, sizeof seen);
    seen.stop_after = 2;
    assert_int_equal(store.records(store.context, gid, 0, records_see, &seen), 5);
    assert_int_equal(seen.count, 2);
    store.close(store.context);
}

static int count_games(void *arg, const struct listing *game, int64_t number)
{
    int64_t *numbers = arg;

    assert_int_equal(game->gid[0], numbers[0] + 1);
    assert_int_equal(game->created_ms, 1000 + game->gid[0]);
    assert_int_equal(game->ruleset, 2);
    assert_int_equal(game->due_ms, game->gid[0] == 3 ? 700 : 0);
    assert_true(number > numbers[1]);
    numbers[0]++;
    numbers[1] = number;
    return 0;
}

static void count_from(const struct store *store, const struct list_query *query, int64_t from,
                       int64_t to)
{
    int64_t numbers[2] = {from, 0};

    assert_int_equal(store->games(store->context, query, count_games, numbers), 0);
    assert_int_equal(numbers[0], to);
}

static void lists_games(void **state)
{
    struct store store = open_store();
    int64_t numbers[2] = {0, 0};
    struct list_query query = {.status = -1, .limit = 3};
    struct listing hidden = listing_of(5);
    const struct change change = {.gid = hidden.gid, .listing = &hidden};
    bool lost;

    (void)state;
    for (uint8_t i = 1; i <= 5; i++)
        create(&store, i);
    assert_int_equal(store.games(store.context, &query, count_games, numbers), 0);
    assert_int_equal(numbers[0], 3);
    query.after = numbers[1];
    assert_int_equal(store.games(store.context, &query, count_games, numbers), 0);
    assert_int_equal(numbers[0], 5);
    hidden.open = false;
    hidden.status = 6;
    assert_int_equal(commit_one(&store, &change, &lost), 0);
    count_from(&store, &(struct list_query){.status = -1, .open_only = true, .limit = 10}, 0,
               4);
    count_from(&store, &(struct list_query){.status = 6, .limit = 10}, 4, 5);
    count_from(&store, &(struct list_query){.status = -1, .due_ms = 699, .limit = 9}, 2, 2);
    count_from(&store, &(struct list_query){.status = -1, .due_ms = 700, .limit = 9}, 2, 3);
    store.close(store.context);
}

static void take(void *arg, const struct kept *kept)
{
    memcpy(arg, kept->sealed, kept->sealed_size);
}

static int one_credential(void *arg, uint64_t id, const uint8_t gid[static 16])
{
    *(uint64_t *)arg += id;
    assert_int_equal(gid[0], 4);
    return 0;
}

static int one_answer(void *arg, const struct kept *kept)
{
    assert_int_equal(kept->key[0], 1);
    assert_int_equal(kept->body[0], 2);
    assert_memory_equal(kept->sealed, "answer", 6);
    *(int64_t *)arg += kept->expires_ms;
    return 0;
}

static void keeps_answers_and_credentials(void **state)
{
    struct store store = open_store();
    const int64_t future_ms = INT64_C(4000000000000);
    const struct kept kept = {.key = {1},
                              .body = {2},
                              .expires_ms = future_ms,
                              .sealed = (const uint8_t *)"answer",
                              .sealed_size = 6};
    const struct change change = {.kept = &kept};
    bool lost;
    char text[16] = "";
    uint8_t gid[16] = {0};
    uint64_t ids = 0;
    int64_t expires_ms = 0;

    (void)state;
    create(&store, 4);
    assert_int_equal(commit_one(&store, &change, &lost), 0);
    assert_false(lost);
    assert_int_equal(store.kept(store.context, kept.key, future_ms - 1, take, text), 0);
    assert_string_equal(text, "answer");
    assert_int_equal(store.kept(store.context, kept.key, future_ms, take, text), -ENOENT);
    assert_int_equal(store.kept(store.context, kept.body, 1, take, text), -ENOENT);
    assert_int_equal(store.credential_known(store.context, 104, gid), 1);
    assert_int_equal(gid[0], 4);
    assert_int_equal(store.credential_known(store.context, 0x8000000000000004U, gid), 1);
    assert_int_equal(store.credential_known(store.context, 105, gid), 0);
    assert_int_equal(store.credentials(store.context, one_credential, &ids), 0);
    assert_int_equal(ids, 0x8000000000000004U + 104);
    assert_int_equal(store.answers(store.context, one_answer, &expires_ms), 0);
    assert_int_equal(expires_ms, future_ms);
    store.close(store.context);
}

static void take_snapshot(void *arg, const struct snapshot *snapshot)
{
    snprintf(arg, 16, "%u %.*s", snapshot->seq, (int)snapshot->sealed_size,
             (const char *)snapshot->sealed);
}

static void keeps_the_newest_snapshot(void **state)
{
    struct store store = open_store();
    const uint8_t gid[16] = {1}, other[16] = {2};
    char text[16] = "";
    bool lost;

    (void)state;
    create(&store, 1);
    create(&store, 2);
    add(&store, 1, 1, 1, "a");
    for (uint32_t seq = 2; seq <= 3; seq++) {
        const struct record record = record_of(seq, 1, "b");
        const struct snapshot snapshot = {
            .seq = seq, .sealed = (const uint8_t *)"xyz" + seq - 2, .sealed_size = 2};
        const struct change change = {.gid = gid, .record = &record, .snapshot = &snapshot};
        assert_int_equal(commit_one(&store, &change, &lost), 0);
        assert_false(lost);
    }
    assert_int_equal(store.snapshot(store.context, gid, take_snapshot, text), 0);
    assert_string_equal(text, "3 yz");
    if (database) { /* another daemon's may come late */
        const struct snapshot old = {.seq = 2, .sealed = gid, .sealed_size = 1};
        const struct change change = {.gid = gid, .snapshot = &old};
        assert_int_equal(commit_one(&store, &change, &lost), 0);
        assert_int_equal(store.snapshot(store.context, gid, take_snapshot, text), 0);
        assert_string_equal(text, "3 yz");
    }
    assert_int_equal(store.snapshot(store.context, other, take_snapshot, text), -ENOENT);
    store.close(store.context);
}

static int scan_row(void *arg, int64_t number, const struct record *record)
{
    struct seen *seen = arg;

    seen->number[seen->count] = number;
    return records_see(seen, record);
}

static void scans_each_game_in_order(void **state)
{
    struct store store = open_store();
    struct seen seen = {0};
    uint32_t next[3] = {1, 1, 1};

    (void)state;
    create(&store, 1);
    create(&store, 2);
    add(&store, 1, 1, 1, "a");
    add(&store, 2, 1, 2, "b");
    add(&store, 1, 2, 1, "c");
    add(&store, 2, 3, 1, "d");
    assert_int_equal(store.scan(store.context, scan_row, &seen), 0);
    assert_int_equal(seen.count, 4);
    for (size_t i = 0; i < seen.count; i++) {
        assert_in_range(seen.number[i], 1, 2);
        assert_int_equal(seen.first[i], next[seen.number[i]]);
        next[seen.number[i]] += seen.claims[i][0] == 'b' ? 2 : 1;
    }
    memset(&seen, 0, sizeof seen);
    seen.stop_after = 1;
    assert_int_equal(store.scan(store.context, scan_row, &seen), 5);
    seen = (struct seen){0};
    assert_int_equal(store.scan(store.context, scan_row, &seen), 0); /* it can go on */
    assert_int_equal(seen.count, 4);
    store.close(store.context);
}

/* More than a socket holds: what is sent must not wait for what is not read. */
static void takes_a_large_group(void **state)
{
    enum { MANY = 1024, LONG = 4000 };
    static struct record records[MANY];
    static struct change changes[MANY];
    static const struct change *list[MANY];
    static bool lost[MANY];
    static uint64_t credentials[MANY][4];
    static uint8_t gids[MANY][16];
    static struct listing listings[MANY];
    static char claims[LONG + 1];
    struct store store = open_store();
    struct seen seen;

    (void)state;
    memset(claims, 'x', LONG);
    for (size_t i = 0; i < MANY; i++) {
        gids[i][0] = (uint8_t)(7 * i);
        gids[i][1] = (uint8_t)(i >> 8);
        gids[i][2] = (uint8_t)i;
        records[i] = record_of(1, 1, claims);
        memcpy(listings[i].gid, gids[i], 16);
        for (uint64_t c = 0; c < 4; c++)
            credentials[i][c] = 4 * i + c;
        changes[i] = (struct change){.gid = gids[i],
                                     .record = &records[i],
                                     .listing = &listings[i],
                                     .credentials = credentials[i],
                                     .credential_count = 4};
        list[i] = &changes[i];
    }
    assert_int_equal(store.commit(store.context, list, MANY, lost), 0);
    for (size_t i = 0; i < MANY; i++)
        assert_false(lost[i]);
    assert_int_equal(store.credential_known(store.context, 4 * MANY - 1, gids[0]), 1);
    assert_int_equal(records_read(&store, 99, 0, &seen), -ENOENT);
    store.close(store.context);
}

static struct listing ended_at(uint8_t game, int64_t ended_ms)
{
    struct listing listing = listing_of(game);

    listing.status = 6;
    listing.due_ms = 0;
    listing.ended_ms = ended_ms;
    return listing;
}

static void end_game(const struct store *store, uint8_t game, int64_t ended_ms)
{
    const struct listing listing = ended_at(game, ended_ms);
    const struct change change = {.gid = listing.gid, .listing = &listing};
    bool lost;

    assert_int_equal(commit_one(store, &change, &lost), 0);
}

struct ended {
    uint8_t games[8];
    int64_t numbers[8];
    size_t count;
};

static int note_ended(void *arg, const struct listing *game, int64_t number)
{
    struct ended *ended = arg;

    ended->numbers[ended->count] = number;
    ended->games[ended->count++] = game->gid[0];
    assert_true(game->ended_ms > 0);
    return 0;
}

static struct ended list_ended(const struct store *store, int64_t by_ms, int64_t after_ms,
                               int64_t after)
{
    const struct list_query query = {
        .status = -1, .ended_ms = by_ms, .after_ms = after_ms, .after = after, .limit = 8};
    struct ended ended = {.count = 0};

    assert_int_equal(store->games(store->context, &query, note_ended, &ended), 0);
    return ended;
}

/* By their ends, and those of one moment by their numbers; each but once. */
static void lists_what_has_ended(void **state)
{
    struct store store = open_store();

    (void)state;
    for (uint8_t game = 1; game <= 5; game++)
        create(&store, game);
    end_game(&store, 4, 5000);
    end_game(&store, 2, 7000);
    end_game(&store, 1, 7000);
    end_game(&store, 5, 9000);
    struct ended all = list_ended(&store, 8999, 0, 0);
    assert_int_equal(all.count, 3);
    assert_memory_equal(all.games, ((const uint8_t[]){4, 1, 2}), 3);
    struct ended rest = list_ended(&store, 8999, 7000, all.numbers[1]);
    assert_int_equal(rest.count, 1);
    assert_int_equal(rest.games[0], 2);
    assert_int_equal(list_ended(&store, 9000, 7000, all.numbers[2]).games[0], 5);
    assert_int_equal(list_ended(&store, 4999, 0, 0).count, 0);
    store.close(store.context);
}

static void remove_one(const struct store *store, uint8_t game)
{
    const uint8_t gid[16] = {game};
    const uint64_t credentials[] = {100U + game, 0x8000000000000000U + game};
    const struct change change = {
        .gid = gid, .credentials = credentials, .credential_count = 2, .remove = true};
    bool lost = true;

    assert_int_equal(commit_one(store, &change, &lost), 0);
    assert_false(lost);
}

static int any_credential(void *arg, uint64_t id, const uint8_t gid[static 16])
{
    assert_int_equal(id & 0xff, 100U + gid[0]);
    assert_int_equal(gid[0], 1);
    ++*(int *)arg;
    return 1;
}

static void is_gone(const struct store *store, uint8_t game)
{
    const uint8_t gid[16] = {game};
    struct seen seen;
    char text[16];
    uint8_t found[16];

    assert_int_equal(records_read(store, game, 0, &seen), -ENOENT);
    assert_int_equal(store->snapshot(store->context, gid, take_snapshot, text), -ENOENT);
    assert_int_equal(store->credential_known(store->context, 100U + game, found), 0);
    assert_int_equal(store->credential_known(store->context, 0x8000000000000000U + game, found),
                     0);
}

/* A game goes with all that hangs on it, and nothing of the others; its number is not given to
 * the next one, for lists are read on from there. */
static void removes_a_game_whole(void **state)
{
    struct store store = open_store();
    const uint8_t gid[16] = {2};
    const struct record last = record_of(2, 1, "end");
    const struct snapshot snapshot = {.seq = 2, .sealed = gid, .sealed_size = 1};
    const struct listing over = ended_at(2, 5000);
    const struct change end = {
        .gid = gid, .record = &last, .listing = &over, .snapshot = &snapshot};
    struct seen seen = {0};
    int credentials = 0;
    bool lost;

    (void)state;
    for (uint8_t game = 1; game <= 2; game++) {
        create(&store, game);
        add(&store, game, 1, 1, "begin");
    }
    assert_int_equal(commit_one(&store, &end, &lost), 0);
    int64_t number = list_ended(&store, 5000, 0, 0).numbers[0];
    for (int i = 0; i < 2; i++) { /* twice: gone is gone */
        remove_one(&store, 2);
        is_gone(&store, 2);
        store.close(store.context);
        store = open_store();
        is_gone(&store, 2);
    }
    assert_int_equal(list_ended(&store, 5000, 0, 0).count, 0);
    assert_int_equal(records_read(&store, 1, 0, &seen), 0);
    assert_int_equal(seen.count, 1);
    assert_int_equal(store.credentials(store.context, any_credential, &credentials), 1);
    memset(&seen, 0, sizeof seen);
    assert_int_equal(store.scan(store.context, scan_row, &seen), 0);
    assert_int_equal(seen.count, 1);
    create(&store, 3);
    end_game(&store, 3, 6000);
    assert_true(list_ended(&store, 6000, 0, 0).numbers[0] > number);
    add(&store, 3, 1, 1, "next");
    store.close(store.context);
    store = open_store();
    assert_int_equal(records_read(&store, 3, 0, &seen), 0);
    assert_int_equal(seen.count, 1);
    assert_string_equal(seen.claims[0], "next");
    store.close(store.context);
}

/* In one group with others: those that came before it and those that come after. */
static void removes_among_other_changes(void **state)
{
    struct store store = open_store();
    const struct listing fresh = listing_of(7);
    const uint8_t gone[16] = {1}, stays[16] = {2};
    const struct record first = record_of(1, 1, "first"), second = record_of(2, 1, "second");
    const struct change changes[] = {
        {.gid = stays, .record = &second},
        {.gid = gone, .remove = true},
        {.gid = fresh.gid, .listing = &fresh, .record = &first},
        {.gid = gone, .remove = true},
    };
    const struct change *const list[] = {&changes[0], &changes[1], &changes[2], &changes[3]};
    bool lost[4] = {true, true, true, true};
    struct seen seen;

    (void)state;
    for (uint8_t game = 1; game <= 2; game++) {
        create(&store, game);
        add(&store, game, 1, 1, "begin");
    }
    assert_int_equal(store.commit(store.context, list, 4, lost), 0);
    for (size_t i = 0; i < 4; i++)
        assert_false(lost[i]);
    assert_int_equal(records_read(&store, 1, 0, &seen), -ENOENT);
    assert_int_equal(records_read(&store, 2, 0, &seen), 0);
    assert_int_equal(seen.count, 2);
    assert_int_equal(records_read(&store, 7, 0, &seen), 0);
    assert_int_equal(seen.count, 1);
    store.close(store.context);
}

/* ---- where others write too ---- */

static void one_of_two_wins(void **state)
{
    struct store a = open_store(), b = open_store();
    const uint8_t gid[16] = {1}, good[16] = {2};
    struct record same = record_of(3, 1, "other"), next = record_of(4, 1, "next"),
                  fine = record_of(1, 1, "fine");
    const struct listing over = {.gid = {1}, .status = 6};
    const struct snapshot snapshot = {.seq = 3, .sealed = gid, .sealed_size = 1};
    const struct kept kept = {
        .key = {9}, .expires_ms = 4000000000000, .sealed = gid, .sealed_size = 1};
    const uint64_t credential = 777;
    const struct change changes[] = {
        {.gid = gid,
         .record = &same,
         .listing = &over,
         .credentials = &credential,
         .credential_count = 1,
         .kept = &kept,
         .snapshot = &snapshot},
        {.gid = gid, .record = &next}, /* follows from what is lost */
        {.gid = good, .record = &fine},
    };
    const struct change *const list[] = {&changes[0], &changes[1], &changes[2]};
    struct seen seen;
    char text[16];
    uint8_t found[16];
    bool lost[3] = {false, false, true};

    (void)state;
    create(&a, 1);
    create(&a, 2);
    add(&a, 1, 1, 2, "first");
    add(&a, 1, 3, 1, "third");
    same.link++; /* another event of the same seq */
    next.before = same.link;
    assert_int_equal(b.commit(b.context, list, 3, lost), 0);
    assert_true(lost[0]);
    assert_true(lost[1]);
    assert_false(lost[2]);
    assert_int_equal(records_read(&b, 1, 0, &seen), 0);
    assert_int_equal(seen.count, 2);
    assert_string_equal(seen.claims[1], "third");
    assert_int_equal(records_read(&a, 2, 0, &seen), 0);
    assert_int_equal(seen.count, 1);
    /* and nothing else of it is there */
    count_from(&b, &(struct list_query){.status = 6, .limit = 9}, 0, 0);
    assert_int_equal(b.snapshot(b.context, gid, take_snapshot, text), -ENOENT);
    assert_int_equal(b.kept(b.context, kept.key, 1, take, text), -ENOENT);
    assert_int_equal(b.credential_known(b.context, credential, found), 0);
    a.close(a.context);
    b.close(b.context);
}

static void only_what_follows_goes_in(void **state)
{
    struct store store = open_store();
    const uint8_t gid[16] = {1};
    struct record wrong[] = {record_of(2, 1, "gap"), record_of(1, 1, "again"),
                             record_of(3, 1, "inside"), record_of(5, 1, "link"),
                             record_of(5, 1, "link")};
    struct seen seen;
    bool lost;

    (void)state;
    create(&store, 1);
    const struct change early = {.gid = gid, .record = &wrong[0]};
    assert_int_equal(commit_one(&store, &early, &lost), 0);
    assert_true(lost);
    add(&store, 1, 1, 1, "one");
    add(&store, 1, 2, 3, "two");
    wrong[2].before = link_to(4); /* the right event, by a wrong seq */
    wrong[3].before++;            /* another event 4 */
    wrong[4].before--;
    for (size_t i = 0; i < 5; i++) {
        const struct change change = {.gid = gid, .record = &wrong[i]};
        assert_int_equal(commit_one(&store, &change, &lost), 0);
        assert_true(lost);
    }
    add(&store, 1, 5, 1, "five");
    assert_int_equal(records_read(&store, 1, 0, &seen), 0);
    assert_int_equal(seen.count, 3);
    store.close(store.context);
}

static struct kept answer_of(const uint8_t *sealed, int64_t expires_ms)
{
    return (struct kept){
        .key = {5}, .expires_ms = expires_ms, .sealed = sealed, .sealed_size = 1};
}

/* Two daemons make a game each under the same key: one game is left. */
static void one_answer_a_key(void **state)
{
    struct store a = open_store(), b = open_store();
    const struct listing listings[] = {listing_of(1), listing_of(2), listing_of(3)};
    const struct kept kept[] = {answer_of((const uint8_t *)"A", 1),
                                answer_of((const uint8_t *)"B", 4000000000000),
                                answer_of((const uint8_t *)"C", 4000000000000)};
    const struct record record = record_of(1, 1, "made");
    struct seen seen;
    char text[16] = "";

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        const uint64_t credential = 50 + i;
        const struct change change = {.gid = listings[i].gid,
                                      .record = &record,
                                      .listing = &listings[i],
                                      .credentials = &credential,
                                      .credential_count = 1,
                                      .kept = &kept[i]};
        struct store *store = i == 1 ? &b : &a;
        bool lost;
        assert_int_equal(commit_one(store, &change, &lost), 0);
        assert_int_equal(lost, i == 2); /* A's answer has expired by the time of B's */
    }
    assert_int_equal(a.kept(a.context, kept[2].key, 1, take, text), 0);
    assert_string_equal(text, "B");
    assert_int_equal(records_read(&a, 2, 0, &seen), 0);
    assert_int_equal(records_read(&a, 3, 0, &seen), -ENOENT);
    assert_int_equal(a.credential_known(a.context, 52, (uint8_t[16]){0}), 0);
    count_from(&b, &(struct list_query){.status = -1, .limit = 9}, 0, 2);
    a.close(a.context);
    b.close(b.context);
}

struct ear {
    pthread_mutex_t mutex;
    int heard, missed, up;
    uint8_t gid;
    uint32_t seq;
};

static void hear(void *context, const uint8_t gid[static 16], uint32_t seq)
{
    struct ear *ear = context;

    pthread_mutex_lock(&ear->mutex);
    ear->heard++;
    ear->gid = gid[0];
    ear->seq = seq;
    pthread_mutex_unlock(&ear->mutex);
}

static void miss(void *context, bool up)
{
    struct ear *ear = context;

    pthread_mutex_lock(&ear->mutex);
    ear->missed++;
    ear->up += up;
    pthread_mutex_unlock(&ear->mutex);
}

static void await(struct ear *ear, const int *value, int least)
{
    bool there = false;

    for (int i = 0; i < 1000 && !there; i++) {
        pthread_mutex_lock(&ear->mutex);
        there = *value >= least;
        pthread_mutex_unlock(&ear->mutex);
        if (!there)
            clock_pause(10);
    }
    assert_true(there);
}

static void others_are_heard(void **state)
{
    struct store a = open_store(), b = open_store();
    struct ear ear = {.mutex = PTHREAD_MUTEX_INITIALIZER};
    const struct store_events events = {&ear, hear, miss};

    (void)state;
    create(&a, 1);
    create(&a, 2);
    assert_int_equal(a.listen(a.context, &events), 0);
    add(&a, 1, 1, 1, "own"); /* one's own is known already */
    add(&b, 2, 1, 3, "other");
    await(&ear, &ear.heard, 1);
    assert_int_equal(ear.heard, 1);
    assert_int_equal(ear.gid, 2);
    assert_int_equal(ear.seq, 3);
    assert_int_equal(ear.missed, 0);
    a.close(a.context);
    b.close(b.context);
}

static void *remove_all(void *context)
{
    const struct store *store = context;

    for (uint8_t game = 0; game < 100; game++)
        remove_one(store, game);
    return NULL;
}

/* Both remove the same games at the same time, and each tells the other. */
static void two_may_remove(void **state)
{
    struct store a = open_store(), b = open_store();
    struct ear ear = {.mutex = PTHREAD_MUTEX_INITIALIZER};
    const struct store_events events = {&ear, hear, miss};
    pthread_t thread;

    (void)state;
    for (uint8_t game = 0; game < 100; game++) {
        create(&a, game);
        for (uint32_t seq = 1; seq < 4; seq++)
            add(&a, game, seq, 1, "x");
    }
    assert_int_equal(b.listen(b.context, &events), 0);
    assert_int_equal(pthread_create(&thread, NULL, remove_all, &a), 0);
    remove_all(&b);
    pthread_join(thread, NULL);
    for (uint8_t game = 0; game < 100; game++)
        is_gone(&a, game);
    await(&ear, &ear.heard, 100);
    assert_int_equal(ear.seq, UINT32_MAX); /* later than any event */
    a.close(a.context);
    b.close(b.context);
}

/* Tables as the first release made them, with games in them, are brought up by whoever comes
 * first; who only reads leaves them as they are. */
static void old_tables_are_upgraded(void **state)
{
    struct store store = open_store();
    pid_t children[4];

    (void)state;
    for (uint8_t game = 1; game <= 3; game++) {
        create(&store, game);
        add(&store, game, 1, 1, "{\"iat\":\"2026-12-01T00:00:00Z\"}");
        add(&store, game, 2, 1,
            game == 2 ? "{\"iat\":\"2026-12-02T01:02:03Z\"}"
                      : "{\"iat\":\"2026-12-03T00:00:00Z\"}");
        if (game != 1)
            end_game(&store, game, 1);
    }
    store.close(store.context);
    assert_int_equal(sql("ALTER TABLE refereed_game DROP COLUMN ended_ms;"
                         " UPDATE refereed SET version=1"),
                     0);
    assert_int_equal(store_postgres_open(database, STORE_READ, NULL, &store, error_text),
                     -EPROTO);
    assert_non_null(strstr(error_text, "earlier version"));
    for (int i = 0; i < 4; i++) {
        children[i] = fork();
        if (children[i] == 0)
            _exit(store_postgres_open(database, STORE_SERVE, key, &store, error_text) ? 1 : 0);
    }
    for (int i = 0; i < 4; i++) {
        int status = -1;
        assert_int_equal(waitpid(children[i], &status, 0), children[i]);
        assert_int_equal(status, 0);
    }
    store = open_store();
    struct ended ended = list_ended(&store, INT64_C(1796173323000), 0, 0);
    assert_int_equal(ended.count, 1);
    assert_int_equal(ended.games[0], 2);
    assert_int_equal(list_ended(&store, INT64_C(1796173322999), 0, 0).count, 0);
    assert_int_equal(list_ended(&store, INT64_MAX, 0, 0).count, 2);
    store.close(store.context);
}

/* Every connection is cut: the listener says that it has missed something and comes back,
 * readers and the writer go on as if nothing had been. */
static void comes_back_by_itself(void **state)
{
    struct store store = open_store(), other = open_store();
    struct ear ear = {.mutex = PTHREAD_MUTEX_INITIALIZER};
    const struct store_events events = {&ear, hear, miss};
    const uint8_t gid[16] = {1};
    const struct record record = record_of(2, 1, "two");
    const struct change change = {.gid = gid, .record = &record};
    struct seen seen;
    bool lost = true;

    (void)state;
    create(&store, 1);
    add(&store, 1, 1, 1, "one");
    assert_int_equal(store.listen(store.context, &events), 0);
    for (int i = 0; i < 8; i++) /* by each of the connections */
        assert_int_equal(records_read(&store, 1, 0, &seen), 0);
    assert_int_equal(sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                         " WHERE application_name='refereed'"),
                     0);
    for (int i = 0; i < 8; i++)
        assert_int_equal(records_read(&store, 1, 0, &seen), 0);
    assert_int_equal(seen.count, 1);
    await(&ear, &ear.up, 1);
    assert_true(ear.missed > ear.up); /* told once when it went, once when it came back */
    assert_int_equal(commit_one(&store, &change, &lost), 0); /* seen before it was sent */
    assert_false(lost);
    assert_int_equal(commit_one(&other, &change, &lost), 0);
    assert_true(lost);
    store.close(store.context);
    other.close(other.context);
}

static void a_load_is_all_or_nothing(void **state)
{
    struct store store = open_store(), other = open_store();
    struct seen seen;

    (void)state;
    assert_int_equal(store.bulk(store.context, BULK_BEGIN), 0);
    create(&store, 1);
    add(&store, 1, 1, 1, "a");
    assert_int_equal(records_read(&other, 1, 0, &seen), -ENOENT);
    assert_int_equal(store.bulk(store.context, BULK_ABANDON), 0);
    assert_int_equal(records_read(&other, 1, 0, &seen), -ENOENT);
    assert_int_equal(store.bulk(store.context, BULK_BEGIN), 0);
    create(&store, 1);
    add(&store, 1, 1, 1, "a");
    assert_int_equal(store.bulk(store.context, BULK_END), 0);
    assert_int_equal(records_read(&other, 1, 0, &seen), 0);
    assert_int_equal(seen.count, 1);
    store.close(store.context);
    other.close(other.context);
}

/* Games of none to four records, so that batches end at each place. */
static void a_folder_moves(void **state)
{
    enum { MANY = 250 };
    struct config config = {.state = folder, .store = database};
    struct store store;
    struct seen seen;

    (void)state;
    assert_int_equal(folder_make(folder), 0);
    assert_int_equal(store_sqlite_open(folder, STORE_SERVE, &store, error_text), 0);
    for (int i = 0; i < MANY; i++) {
        create(&store, (uint8_t)i);
        for (uint32_t seq = 1; seq <= (uint32_t)i * 7 % 5; seq++)
            add(&store, (uint8_t)i, seq, 1, "event");
    }
    store.close(store.context);
    assert_int_equal(command_migrate(&config), 0);
    assert_int_equal(command_migrate(&config), 2); /* not into what holds games */
    assert_int_equal(store_postgres_open(database, STORE_READ, NULL, &store, error_text), 0);
    for (int i = 0; i < MANY; i++) {
        assert_int_equal(records_read(&store, (uint8_t)i, 0, &seen), 0);
        assert_int_equal(seen.count, i * 7 % 5);
    }
    count_from(&store, &(struct list_query){.status = -1, .limit = 1000}, -1, MANY - 1);
    uint8_t gid[16];
    assert_int_equal(store.credential_known(store.context, 100 + MANY - 1, gid), 1);
    store.close(store.context);
    database = NULL;
    assert_int_equal(tear_down(state), 0);
    database = getenv("REFEREED_TEST_DATABASE");
}

struct rival {
    struct store store;
    uint32_t won;
    uint8_t number;
};

enum { RIVAL_GAMES = 40, RIVAL_SEQS = 25 };

/* Groups of one record for each of many games, against another daemon that does the same in the
 * opposite order. */
static void *compete(void *context)
{
    struct rival *rival = context;
    struct record records[RIVAL_GAMES];
    uint8_t gids[RIVAL_GAMES][16] = {{0}};
    struct change changes[RIVAL_GAMES];
    const struct change *list[RIVAL_GAMES];
    bool lost[RIVAL_GAMES];

    for (uint32_t seq = 1; seq <= RIVAL_SEQS; seq++) {
        for (uint8_t i = 0; i < RIVAL_GAMES; i++) {
            uint8_t game = rival->number ? (uint8_t)(RIVAL_GAMES - 1 - i) : i;
            gids[i][0] = game;
            records[i] = record_of(seq, 1, "x");
            changes[i] = (struct change){.gid = gids[i], .record = &records[i]};
            list[i] = &changes[i];
        }
        assert_int_equal(rival->store.commit(rival->store.context, list, RIVAL_GAMES, lost), 0);
        for (size_t i = 0; i < RIVAL_GAMES; i++)
            rival->won += !lost[i];
    }
    return NULL;
}

static void rivals_share_what_there_is(void **state)
{
    struct rival a = {.store = open_store()}, b = {.store = open_store(), .number = 1};
    pthread_t thread;

    (void)state;
    assert_int_equal(pthread_create(&thread, NULL, compete, &a), 0);
    compete(&b);
    pthread_join(thread, NULL);
    assert_int_equal(a.won + b.won, RIVAL_GAMES * RIVAL_SEQS);
    a.store.close(a.store.context);
    b.store.close(b.store.context);
}

#define GID(game) "decode('" game "000000000000000000000000000000','hex')"

/* A stranger holds game 2, waits until somebody waits for it, and then wants game 1: of the two
 * the database undoes the one that looks first, and that is not the stranger. */
static pid_t start_stranger(void)
{
    static const char *const words[] = {
        "psql",
        "-X",
        "-q",
        "-v",
        "ON_ERROR_STOP=1",
        "-c",
        "SET deadlock_timeout='30s'",
        "-c",
        "BEGIN",
        "-c",
        "UPDATE refereed_game SET ruleset=2 WHERE gid=" GID("02"),
        "-c",
        "DO $$ BEGIN LOOP PERFORM pg_stat_clear_snapshot(); EXIT WHEN EXISTS(SELECT 1 FROM"
        " pg_stat_activity WHERE wait_event='transactionid'); PERFORM pg_sleep(0.005);"
        " END LOOP; END $$",
        "-c",
        "UPDATE refereed_game SET ruleset=2 WHERE gid=" GID("01"),
        "-c",
        "COMMIT",
        "-d"};
    enum { WORDS = sizeof words / sizeof words[0] };
    char *arguments[WORDS + 2] = {0};
    pid_t child = fork();

    if (child != 0)
        return child;
    for (size_t i = 0; i < WORDS; i++)
        arguments[i] = strdup(words[i]);
    arguments[WORDS] = strdup(database);
    execvp("psql", arguments);
    _exit(127);
}

static void a_ring_of_waits_is_tried_again(void **state)
{
    struct store store = open_store();
    const struct listing listings[] = {listing_of(1), listing_of(2)};
    const struct change changes[] = {{.gid = listings[0].gid, .listing = &listings[0]},
                                     {.gid = listings[1].gid, .listing = &listings[1]}};
    const struct change *const list[] = {&changes[0], &changes[1]};
    int status = -1;
    bool lost[2];

    (void)state;
    create(&store, 1);
    create(&store, 2);
    pid_t stranger = start_stranger();
    assert_true(stranger > 0);
    while (waitpid(stranger, &status, WNOHANG) == 0) {
        assert_int_equal(store.commit(store.context, list, 2, lost), 0);
        clock_pause(5);
    }
    assert_int_equal(status, 0);
    store.close(store.context);
}

static void refuses_another_key_or_version(void **state)
{
    const uint8_t other[32] = {9};
    struct store store = open_store();

    (void)state;
    store.close(store.context);
    assert_int_equal(store_postgres_open(database, STORE_SERVE, other, &store, error_text),
                     -EPERM);
    assert_non_null(strstr(error_text, "another store key"));
    assert_int_equal(store_postgres_open(database, STORE_READ, NULL, &store, error_text), 0);
    store.close(store.context);
    assert_int_equal(sql("UPDATE refereed SET version=99"), 0);
    assert_int_equal(store_postgres_open(database, STORE_SERVE, key, &store, error_text),
                     -EPROTO);
    assert_non_null(strstr(error_text, "later version"));
}

static void many_open_an_empty_database_at_once(void **state)
{
    pid_t children[6];
    struct store store;

    (void)state;
    for (int i = 0; i < 6; i++) {
        children[i] = fork();
        if (children[i] == 0)
            _exit(store_postgres_open(database, STORE_SERVE, key, &store, error_text) ? 1 : 0);
    }
    for (int i = 0; i < 6; i++) {
        int status = -1;
        assert_int_equal(waitpid(children[i], &status, 0), children[i]);
        assert_int_equal(status, 0);
    }
}

#define STORE_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
#define COMMON                                                                                 \
    STORE_TEST(comes_back_after_reopening), STORE_TEST(reads_from_the_middle),                 \
        STORE_TEST(lists_games), STORE_TEST(keeps_answers_and_credentials),                    \
        STORE_TEST(keeps_the_newest_snapshot), STORE_TEST(scans_each_game_in_order),           \
        STORE_TEST(takes_a_large_group), STORE_TEST(lists_what_has_ended),                     \
        STORE_TEST(removes_a_game_whole), STORE_TEST(removes_among_other_changes)

int main(void)
{
    const struct CMUnitTest common[] = {COMMON};
    const struct CMUnitTest shared[] = {
        COMMON,
        STORE_TEST(one_of_two_wins),
        STORE_TEST(only_what_follows_goes_in),
        STORE_TEST(one_answer_a_key),
        STORE_TEST(others_are_heard),
        STORE_TEST(comes_back_by_itself),
        STORE_TEST(a_load_is_all_or_nothing),
        STORE_TEST(a_folder_moves),
        STORE_TEST(rivals_share_what_there_is),
        STORE_TEST(a_ring_of_waits_is_tried_again),
        STORE_TEST(refuses_another_key_or_version),
        STORE_TEST(many_open_an_empty_database_at_once),
        STORE_TEST(two_may_remove),
        STORE_TEST(old_tables_are_upgraded),
    };

    database = getenv("REFEREED_TEST_DATABASE");
    return database ? cmocka_run_group_tests(shared, NULL, NULL)
                    : cmocka_run_group_tests(common, NULL, NULL);
}
