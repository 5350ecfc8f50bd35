/* The newest records of watched games: told for their own game and events, and nothing else. */
#include "api/recent.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct told {
    int times;
    uint32_t first, count;
    char claims[32], notes[32];
};

static void on_told(void *arg, const struct record *record, const uint8_t *notes, size_t size)
{
    struct told *told = arg;

    told->times++;
    told->first = record->first;
    told->count = record->count;
    assert_true(record->claims_size < sizeof told->claims && size < sizeof told->notes);
    memcpy(told->claims, record->claims, record->claims_size);
    told->claims[record->claims_size] = '\0';
    memcpy(told->notes, notes, size);
    told->notes[size] = '\0';
}

static void keep(struct recent *recent, const uint8_t *gid, uint32_t first, uint32_t count,
                 const char *claims, const char *notes)
{
    const struct record record = {
        .first = first, .count = count, .claims = claims, .claims_size = strlen(claims)};

    recent_keep(recent, gid, &record, (const uint8_t *)notes, strlen(notes));
}

static bool tells(struct recent *recent, const uint8_t *gid, uint32_t seq, struct told *told)
{
    *told = (struct told){0};
    bool found = recent_tell(recent, gid, seq, on_told, told);
    assert_int_equal(told->times, found ? 1 : 0);
    return found;
}

static void a_record_is_told_for_its_events(void **state)
{
    const uint8_t gid[16] = {1};
    struct recent recent;
    struct told told;

    (void)state;
    assert_int_equal(recent_init(&recent), 0);
    assert_false(tells(&recent, gid, 0, &told));
    keep(&recent, gid, 7, 2, "seven\neight", "hidden");
    assert_false(tells(&recent, gid, 6, &told));
    assert_false(tells(&recent, gid, 9, &told));
    assert_true(tells(&recent, gid, 7, &told));
    assert_true(tells(&recent, gid, 8, &told));
    assert_int_equal(told.first, 7);
    assert_int_equal(told.count, 2);
    assert_string_equal(told.claims, "seven\neight");
    assert_string_equal(told.notes, "hidden");
    keep(&recent, gid, 9, 1, "nine", "open");
    assert_false(tells(&recent, gid, 8, &told));
    assert_true(tells(&recent, gid, 9, &told));
    assert_string_equal(told.notes, "open");
    recent_done(&recent);
}

/* Two games in one place: the ids differ only where the place does not look. */
static void a_place_tells_of_one_game(void **state)
{
    const uint8_t one[16] = {1}, two[16] = {2};
    struct recent recent;
    struct told told;

    (void)state;
    assert_int_equal(recent_init(&recent), 0);
    keep(&recent, one, 3, 1, "one", "its own");
    assert_false(tells(&recent, two, 3, &told));
    keep(&recent, two, 3, 1, "two", "another's");
    assert_false(tells(&recent, one, 3, &told));
    assert_true(tells(&recent, two, 3, &told));
    assert_string_equal(told.claims, "two");
    recent_done(&recent);
}

static void large_ones_are_not_kept(void **state)
{
    const uint8_t gid[16] = {1};
    char *large = malloc(RECENT_SIZE_MAX + 1);
    struct recent recent;
    struct told told;

    (void)state;
    assert_non_null(large);
    memset(large, 'a', RECENT_SIZE_MAX);
    large[RECENT_SIZE_MAX] = '\0';
    assert_int_equal(recent_init(&recent), 0);
    keep(&recent, gid, 1, 1, large, "x");
    assert_false(tells(&recent, gid, 1, &told));
    keep(&recent, gid, 1, 1, "small", "x");
    assert_true(tells(&recent, gid, 1, &told));
    recent_done(&recent);
    free(large);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_record_is_told_for_its_events),
        cmocka_unit_test(a_place_tells_of_one_game),
        cmocka_unit_test(large_ones_are_not_kept),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
