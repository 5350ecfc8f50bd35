/* The table of games: whoever is asked for is there, whoever must not leave stays, and no more
 * are kept than are wanted.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "api/games.h"
#include "rules/rulesets.h"
#include "tests/support/seeded.h"

enum { GAMES = 5000 };

/* A store in which every id is a game that was just made; a game of an odd first byte was
 * called off. */
struct world {
    struct ports ports;
    struct games games;
    uint64_t epoch, settled;
    size_t loaded;
    uint8_t key[32];
    uint8_t gid[GAMES][16];
};

static bool is_over(const uint8_t *gid)
{
    return gid[15] & 1;
}

static int records(void *context, const uint8_t gid[static 16], uint32_t after,
                   int (*row)(void *arg, const struct record *record), void *arg)
{
    static const uint8_t nonce[SEAL_NONCE_SIZE];
    struct world *world = context;
    struct out notes = {0}, sealed = {0};
    struct created created;
    struct record record = {.first = 1, .count = 1, .claims = "{}", .claims_size = 2};
    uint8_t link[32];

    assert_int_equal(after, 0);
    world->loaded++;
    memset(&created, 0, sizeof created);
    created.created_ms = 1;
    ruleset_presets(rulesets[0], 0, &created.options);
    note_write(&notes, NOTE_CREATED, &created, sizeof created);
    if (is_over(gid))
        note_write(&notes, NOTE_ABORTED, "", 0);
    record_link(&record, link);
    const struct seal seal = {gid, 1, link};
    record_seal(world->key, &seal, nonce, &notes, &sealed);
    record.sealed = (const uint8_t *)sealed.text;
    record.sealed_size = sealed.size;
    int stop = row(arg, &record);
    out_done(&notes);
    out_done(&sealed);
    return stop;
}

static int snapshot(void *context, const uint8_t gid[static 16],
                    void (*take)(void *arg, const struct snapshot *snapshot), void *arg)
{
    (void)context;
    (void)gid;
    (void)take;
    (void)arg;
    return -ENOENT;
}

static uint64_t epoch(void *context)
{
    return ((struct world *)context)->epoch;
}

static bool settled(void *context, uint64_t ticket)
{
    return ticket <= ((struct world *)context)->settled;
}

static struct world *open_world(size_t max)
{
    struct world *world = calloc(1, sizeof *world);
    struct seeded seeded = {7};

    assert_non_null(world);
    world->ports = (struct ports){.context = world,
                                  .epoch = epoch,
                                  .settled = settled,
                                  .records = records,
                                  .snapshot = snapshot};
    for (size_t i = 0; i < GAMES; i++)
        for (int byte = 0; byte < 16; byte++)
            world->gid[i][byte] = (uint8_t)seeded_below(&seeded, 256);
    assert_int_equal(games_init(&world->games, &world->ports, world->key, max), 0);
    return world;
}

static void close_world(struct world *world)
{
    games_done(&world->games);
    free(world);
}

/* Takes a game; was it there already? */
static bool take(struct world *world, size_t game, uint64_t ticket)
{
    size_t before = world->loaded;
    struct live *live;

    assert_int_equal(games_take(&world->games, world->gid[game], &live), 0);
    assert_memory_equal(live->fold->gid, world->gid[game], 16);
    assert_int_equal(live->fold->status == STATUS_ABORTED, is_over(world->gid[game]));
    if (ticket)
        live->ticket = ticket;
    games_give(&world->games, live);
    return world->loaded == before;
}

static size_t kept(const struct world *world)
{
    size_t count = 0;

    for (size_t i = 0; i < world->games.shelf_count; i++)
        count += world->games.shelves[i].count;
    return count;
}

static void test_all_found(void **state)
{
    struct world *world = open_world(100 * GAMES);

    (void)state;
    for (size_t i = 0; i < GAMES; i++)
        assert_false(take(world, i, 0));
    for (size_t i = 0; i < GAMES; i++)
        assert_true(take(world, i, 0) || is_over(world->gid[i]));
    close_world(world);
}

/* Whatever order they are asked for in; what is not on disk yet stays whatever comes. */
static void test_few_are_kept(void **state)
{
    for (size_t max = 1; max < GAMES; max *= 4) {
        struct world *world = open_world(max);
        struct seeded seeded = {max};
        size_t limit = max + 2 * 64; /* a shelf may hold two, however few are wanted */

        (void)state;
        world->settled = 10;
        for (size_t i = 0; i < 4 * GAMES; i++)
            take(world, seeded_below(&seeded, GAMES), 1 + seeded_below(&seeded, 10));
        assert_true(kept(world) <= limit);
        for (size_t i = 0; i < 100; i++)
            take(world, i, 11); /* under way */
        for (size_t i = 100; i < GAMES; i++)
            take(world, i, 0);
        for (size_t i = 0; i < 100; i++)
            assert_true(take(world, i, 0));
        assert_true(kept(world) <= limit + 100);
        close_world(world);
    }
}

/* Games that are over go as others come, though there is room; those under way stay. */
static void test_over_leave_first(void **state)
{
    struct world *world = open_world(100 * GAMES);
    size_t over = 0, under_way = 0, all_under_way = 0;

    (void)state;
    for (size_t i = 0; i < GAMES; i++) {
        take(world, i, 0);
        all_under_way += !is_over(world->gid[i]);
    }
    for (int round = 1; round <= 4; round++)
        for (size_t i = 0; i < GAMES; i++) { /* others, all under way */
            world->gid[i][15] &= 0xfe;
            world->gid[i][14] ^= (uint8_t)round;
            world->gid[i][2] ^= (uint8_t)(round << 5 | 1);
            take(world, i, 0);
            all_under_way++;
        }
    for (size_t i = 0; i < world->games.shelf_count; i++)
        for (uint32_t place = 0; place < world->games.shelves[i].size; place++) {
            const struct fold *fold = world->games.shelves[i].places[place].fold;
            over += fold && fold->status == STATUS_ABORTED;
            under_way += fold && fold->status != STATUS_ABORTED;
        }
    assert_true(over < GAMES / 2 / 4);
    assert_int_equal(under_way, all_under_way);
    close_world(world);
}

/* One that is asked for again and again outlives those that were asked for once. */
static void test_used_stay(void **state)
{
    struct world *world = open_world(640);
    size_t again = 0;

    (void)state;
    for (size_t i = 100; i < GAMES; i++) {
        take(world, i, 0);
        again += take(world, i % 10, 0);
    }
    assert_true(again + 2 * 10 >= GAMES - 100); /* each was read once, or once more */
    close_world(world);
}

/* After a failed commit nothing is believed that was in memory. */
static void test_epoch(void **state)
{
    struct world *world = open_world(100 * GAMES);

    (void)state;
    take(world, 0, 0);
    world->epoch++;
    assert_false(take(world, 0, 0));
    assert_int_equal(kept(world), 1);
    close_world(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_found),
        cmocka_unit_test(test_few_are_kept),
        cmocka_unit_test(test_over_leave_first),
        cmocka_unit_test(test_used_stay),
        cmocka_unit_test(test_epoch),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
