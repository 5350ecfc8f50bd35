/* Deterministic simulation: worlds of games under one seed each, in one process.
 *
 * Rules and api are the real ones; the store, the clock, memory and the network between them
 * and the clients are simulated, and fail. See world.h. Seeds of past failures are in
 * tests/sim/seeds.txt and are played first.
 *
 * GAMES=N plays as many games as that instead of some, from seed SEED (1) on; ONE=SEED plays
 * that world alone.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "api/snapshot.h"
#include "tests/sim/scarce.h"
#include "tests/sim/world.h"

enum { GAMES_USUALLY = 700, WORLDS_TWICE = 12, WORLDS_PLANTED = 400 };

static struct tallies all;

/* Signing is most of the work and is tested elsewhere: a hash under the public key, which is
 * the second half of the secret one, is enough to tell a false token here. */
int crypto_sign_detached(unsigned char *sig, unsigned long long *siglen_p,
                         const unsigned char *m, unsigned long long mlen,
                         const unsigned char *sk)
{
    crypto_generichash(sig, crypto_sign_BYTES, m, mlen, sk + 32, 32);
    if (siglen_p)
        *siglen_p = crypto_sign_BYTES;
    return 0;
}

int crypto_sign_verify_detached(const unsigned char *sig, const unsigned char *m,
                                unsigned long long mlen, const unsigned char *pk)
{
    unsigned char right[crypto_sign_BYTES];

    crypto_generichash(right, sizeof right, m, mlen, pk, 32);
    return memcmp(sig, right, sizeof right) == 0 ? 0 : -1;
}

/* The same for every referee of this process, and a fifth of the work of a small world. */
void __real_snapshot_stamp(uint8_t ret_stamp[static SNAPSHOT_STAMP_SIZE]);
void __wrap_snapshot_stamp(uint8_t ret_stamp[static SNAPSHOT_STAMP_SIZE]);
void __wrap_snapshot_stamp(uint8_t ret_stamp[static SNAPSHOT_STAMP_SIZE])
{
    static uint8_t stamp[SNAPSHOT_STAMP_SIZE];
    static bool known;

    if (!known)
        __real_snapshot_stamp(stamp);
    known = true;
    memcpy(ret_stamp, stamp, sizeof stamp);
}

static uint64_t number(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);

    return text ? strtoull(text, NULL, 10) : otherwise;
}

static void add(const struct tallies *tallies)
{
    const uint64_t *one = (const uint64_t *)tallies;
    uint64_t *sum = (uint64_t *)&all;

    for (size_t i = 0; i < sizeof all / sizeof *sum; i++)
        sum[i] += one[i];
}

static void play(uint64_t seed, uint8_t ret_hash[static 32])
{
    static struct world world;

    if (!world_play(&world, seed, PLANT_NONE, ret_hash))
        fail_msg("seed %llu: %s\nagain: ONE=%llu build/tests/sim/sim; and a line in "
                 "tests/sim/seeds.txt",
                 (unsigned long long)seed, world.fault, (unsigned long long)seed);
    add(&world.tallies);
}

static void test_past(void **state)
{
    FILE *file = fopen("tests/sim/seeds.txt", "r");
    uint8_t hash[32];
    char line[128];

    (void)state;
    assert_non_null(file);
    while (fgets(line, sizeof line, file))
        if (line[0] >= '0' && line[0] <= '9')
            play(strtoull(line, NULL, 10), hash);
    fclose(file);
}

/* The same seed gives the same bytes, both ways. */
static void test_twice(void **state)
{
    uint8_t one[32], other[32];

    (void)state;
    for (uint64_t seed = 1; seed <= WORLDS_TWICE; seed++) {
        play(seed, one);
        play(seed, other);
        if (memcmp(one, other, 32) != 0)
            fail_msg("seed %llu does not give the same bytes twice", (unsigned long long)seed);
    }
}

static double seconds_since(const struct timespec *began)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)(now.tv_sec - began->tv_sec) + (double)(now.tv_nsec - began->tv_nsec) / 1e9;
}

static void report(double seconds)
{
    print_message("%llu games (%llu to their end, %llu records verified), %llu requests, "
                  "%llu changes, %llu retries;\n%llu faults, %llu crashes, %llu times out of "
                  "memory, %llu answers 503 or 507; %llu games held against their logs; "
                  "%llu MB;\n%.0f games and %.0f requests a second\n",
                  (unsigned long long)all.games, (unsigned long long)all.over,
                  (unsigned long long)all.verified, (unsigned long long)all.requests,
                  (unsigned long long)all.changes, (unsigned long long)all.retries,
                  (unsigned long long)all.faults, (unsigned long long)all.crashes,
                  (unsigned long long)all.scarce, (unsigned long long)all.failed,
                  (unsigned long long)all.compared, (unsigned long long)(all.bytes >> 20),
                  (double)all.games / seconds, (double)all.requests / seconds);
}

static void test_many(void **state)
{
    uint64_t games = number("GAMES", GAMES_USUALLY), seed = number("SEED", 1);
    struct timespec began;
    uint8_t hash[32];

    (void)state;
    all = (struct tallies){0};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &began);
    while (all.games < games)
        play(seed++, hash);
    report(seconds_since(&began));
    /* it is no test of faults if there were none */
    assert_true(all.crashes && all.failed && all.retries && all.scarce && all.compared);
}

/* Each fault that is planted in the store must be found. */
static void test_planted(void **state)
{
    static const char *const names[PLANTS] = {
        [PLANT_EARLY] = "answered before it is written",
        [PLANT_DROPPED] = "a change forgotten",
        [PLANT_SILENT] = "a failed commit not told",
        [PLANT_TWICE] = "a record written twice",
        [PLANT_TORN] = "a record without its answer",
    };
    static struct world world;
    uint8_t hash[32];

    (void)state;
    for (int plant = PLANT_NONE + 1; plant < PLANTS; plant++) {
        uint64_t seed = 1;
        while (seed <= WORLDS_PLANTED && world_play(&world, seed, (enum plant)plant, hash))
            seed++;
        if (seed > WORLDS_PLANTED)
            fail_msg("not found: %s", names[plant]);
        print_message("%s: found in world %llu: %.160s\n", names[plant],
                      (unsigned long long)seed, world.fault);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_past),
        cmocka_unit_test(test_planted),
        cmocka_unit_test(test_twice),
        cmocka_unit_test(test_many),
    };
    uint8_t hash[32];

    if (sodium_init() < 0)
        return 1;
    scarce_begin();
    if (getenv("ONE")) {
        static struct world world;
        bool good = world_play(&world, number("ONE", 1), PLANT_NONE, hash);
        print_message("%s\n", good ? "it holds" : world.fault);
        return !good;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
