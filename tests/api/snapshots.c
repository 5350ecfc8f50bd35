/* Snapshots: a game that is read by one is the game that its log gives, whatever was done to
 * the snapshot.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "api/base64.h"
#include "api/call.h"
#include "tests/support/client.h"
#include "tests/support/twice.h"

enum { MOVES = 150 };

static const struct game {
    const char *creation, *variant; /* the variant of a game that is set up */
    unsigned seeds;
} games[] = {
    {"{\"ruleset\":\"engarde\",\"seats\":{\"right\":{\"name\":\"Ann\"}}}", NULL, 1},
    {"{\"ruleset\":\"engarde\",\"variant\":\"knizia\"}", NULL, 3},
    {"{\"ruleset\":\"roquefort\",\"players\":3}", NULL, 5},
    {"{\"ruleset\":\"roquefort\",\"players\":4,\"variant\":\"burg-appenzell\"}", NULL, 0},
    {"{\"ruleset\":\"stratego\"}", "marsal-a-spion", 3},
    {"{\"ruleset\":\"stratego\",\"variant\":\"classic\"}", "classic", 0},
};

struct bench {
    struct client client;
    struct ports ports;
    struct table table;
    struct seeded seeded;
    uint8_t gid[16];
};

static void open_bench(struct bench *bench, const struct game *game, uint64_t seed)
{
    bench->seeded = (struct seeded){seed};
    client_open(&bench->client, NULL, seed);
    bench->ports = memory_ports(bench->client.memory);
    table_make(&bench->client, game->creation, game->seeds, &bench->table);
    for (int seat = 0; game->variant && seat < 2; seat++)
        table_set_up(&bench->client, &bench->table, game->variant, seat, &bench->seeded);
    assert_true(base64_decode(bench->table.id, strlen(bench->table.id), bench->gid, 16));
}

static const struct snapshot_key *key_of(const struct bench *bench)
{
    return &bench->client.api->games.key;
}

/* After each move: in memory, by the snapshot, and from the start. */
static void test_every_move(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
        struct bench bench;
        open_bench(&bench, &games[i], i + 1);
        for (int move = 0; move < MOVES; move++) {
            client_compare(&bench.client, bench.table.id);
            if (!table_move(&bench.client, &bench.table, &bench.seeded))
                break;
        }
        client_compare(&bench.client, bench.table.id);
        client_close(&bench.client);
    }
}

/* A copy of a snapshot. */
struct copy {
    struct snapshot snapshot;
    uint8_t bytes[8192];
};

static void keep(void *arg, const struct snapshot *snapshot)
{
    struct copy *copy = arg;

    assert_true(snapshot->sealed_size <= sizeof copy->bytes);
    memcpy(copy->bytes, snapshot->sealed, snapshot->sealed_size);
    copy->snapshot = *snapshot;
    copy->snapshot.sealed = copy->bytes;
}

static void take(struct bench *bench, struct copy *ret_copy)
{
    assert_int_equal(bench->ports.snapshot(bench->ports.context, bench->gid, keep, ret_copy),
                     0);
}

static void play(struct bench *bench, int moves)
{
    while (moves-- > 0 && table_move(&bench->client, &bench->table, &bench->seeded))
        ;
}

/* Reads the game with this snapshot in the place of its own; how many records were read. */
static size_t read_with(struct bench *bench, const struct snapshot *snapshot,
                        const struct snapshot_key *key)
{
    struct twice with = {.ports = &bench->ports, .changed = true, .snapshot = *snapshot};
    struct twice without = {.ports = &bench->ports, .changed = true};
    struct fold *one, *other;

    assert_int_equal(twice_load(&without, key, bench->gid, &other), 0);
    assert_int_equal(twice_load(&with, key, bench->gid, &one), 0);
    assert_true(twice_same(one, other));
    fold_free(one);
    fold_free(other);
    return with.read;
}

static size_t records_of(struct bench *bench)
{
    return read_with(bench, &(struct snapshot){0}, key_of(bench));
}

/* Every byte counts; what is changed is left aside. */
static void test_tampered(void **state)
{
    struct bench bench;
    struct copy copy;

    (void)state;
    open_bench(&bench, &games[0], 3);
    play(&bench, 60);
    take(&bench, &copy);
    size_t all = records_of(&bench);
    assert_true(read_with(&bench, &copy.snapshot, key_of(&bench)) <= SNAPSHOT_EVERY + 1);
    for (size_t i = 0; i < copy.snapshot.sealed_size; i++) {
        copy.bytes[i] ^= 1;
        assert_int_equal(read_with(&bench, &copy.snapshot, key_of(&bench)), all);
        copy.bytes[i] ^= 1;
    }
    for (size_t size = 0; size < copy.snapshot.sealed_size; size++) {
        struct snapshot cut = {copy.snapshot.seq, copy.bytes, size};
        assert_int_equal(read_with(&bench, &cut, key_of(&bench)), all);
    }
    for (uint32_t seq = 0; seq < copy.snapshot.seq + 3; seq++) {
        struct snapshot moved = copy.snapshot;
        moved.seq = seq;
        if (seq != copy.snapshot.seq)
            assert_int_equal(read_with(&bench, &moved, key_of(&bench)), all);
    }
    client_close(&bench.client);
}

/* The key of the store alone does not make a snapshot good: it must be of this game ... */
static void test_swapped(void **state)
{
    struct bench bench, other;
    struct copy copy;

    (void)state;
    open_bench(&bench, &games[4], 3);
    open_bench(&other, &games[4], 4);
    play(&bench, 60);
    play(&other, 60);
    take(&other, &copy);
    assert_int_equal(read_with(&bench, &copy.snapshot, key_of(&bench)), records_of(&bench));
    client_close(&bench.client);
    client_close(&other.client);
}

/* Seals what a test made of a game, under the right key and for its own place in the log. */
static void seal(const struct snapshot_key *key, const struct fold *fold, struct copy *ret_copy)
{
    struct out out = {0};

    snapshot_seal(key, fold, &out);
    assert_false(out.failed);
    keep(ret_copy, &(struct snapshot){fold->seq, (const uint8_t *)out.text, out.size});
    out_done(&out);
}

/* ... of this log, and not of a time that the log does not know. */
static void test_other_log(void **state)
{
    struct bench bench;
    struct copy copy;
    struct live *live;

    (void)state;
    open_bench(&bench, &games[2], 5);
    play(&bench, 60);
    assert_int_equal(games_take(&bench.client.api->games, bench.gid, &live), 0);
    struct fold *fold = fold_copy(live->fold);
    games_give(&bench.client.api->games, live);
    size_t all = records_of(&bench);
    seal(key_of(&bench), fold, &copy);
    assert_int_equal(read_with(&bench, &copy.snapshot, key_of(&bench)), 1);
    fold->link[31] ^= 1; /* a fork of the log that was written after a restored backup */
    seal(key_of(&bench), fold, &copy);
    assert_int_equal(read_with(&bench, &copy.snapshot, key_of(&bench)), all + 1);
    fold->link[31] ^= 1;
    fold->seq += 2; /* newer than the log */
    seal(key_of(&bench), fold, &copy);
    assert_int_equal(read_with(&bench, &copy.snapshot, key_of(&bench)), all);
    fold->seq = 2; /* not the end of a record: reading begins in its midst */
    seal(key_of(&bench), fold, &copy);
    assert_true(read_with(&bench, &copy.snapshot, key_of(&bench)) >= all);
    fold_free(fold);
    client_close(&bench.client);
}

/* An old snapshot costs time and nothing else. */
static void test_stale(void **state)
{
    struct bench bench;
    struct copy copy;

    (void)state;
    open_bench(&bench, &games[5], 6);
    play(&bench, 40);
    take(&bench, &copy);
    play(&bench, 100);
    size_t read = read_with(&bench, &copy.snapshot, key_of(&bench));
    assert_true(read > SNAPSHOT_EVERY + 1 && read < records_of(&bench));
    client_close(&bench.client);
}

/* A program that lays games out otherwise has another stamp, and starts from the log. */
static void test_other_layout(void **state)
{
    struct bench bench;
    struct copy copy;

    (void)state;
    open_bench(&bench, &games[0], 7);
    play(&bench, 60);
    take(&bench, &copy);
    struct snapshot_key key = *key_of(&bench);
    for (size_t i = 0; i < sizeof key.stamp; i++) {
        key.stamp[i] ^= 1;
        assert_false(snapshot_ours(&key, &copy.snapshot));
        assert_int_equal(read_with(&bench, &copy.snapshot, &key), records_of(&bench));
        /* nor is it enough to write the other stamp over it */
        copy.bytes[i] ^= 1;
        assert_true(snapshot_ours(&key, &copy.snapshot));
        assert_int_equal(read_with(&bench, &copy.snapshot, &key), records_of(&bench));
        copy.bytes[i] ^= 1;
        key.stamp[i] ^= 1;
    }
    client_close(&bench.client);
}

/* The same program has the same stamp, whatever lay in memory before. */
static void test_stamp(void **state)
{
    uint8_t stamp[SNAPSHOT_STAMP_SIZE], again[SNAPSHOT_STAMP_SIZE];

    (void)state;
    snapshot_stamp(stamp);
    for (int i = 0; i < 20; i++) {
        void *dirt = malloc(1000);
        assert_non_null(dirt);
        memset(dirt, i + 1, 1000);
        free(dirt);
        snapshot_stamp(again);
        assert_memory_equal(stamp, again, sizeof stamp);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_move), cmocka_unit_test(test_tampered),
        cmocka_unit_test(test_swapped),    cmocka_unit_test(test_other_log),
        cmocka_unit_test(test_stale),      cmocka_unit_test(test_other_layout),
        cmocka_unit_test(test_stamp),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
