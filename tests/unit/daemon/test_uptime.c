#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemon/uptime.h"
#include "tests/support/folder.h"

static const int64_t t0 = INT64_C(1798761600);

static int set_up(void **state)
{
    *state = malloc(FOLDER_SIZE);
    return *state ? folder_make(*state) : -1;
}

static int tear_down(void **state)
{
    int done = folder_remove(*state);

    free(*state);
    return done;
}

static struct uptime *opened(const char *folder, int64_t now_s)
{
    int error = 1;
    struct uptime *uptime = uptime_open(folder, now_s, &error);

    assert_int_equal(error, 0);
    assert_non_null(uptime);
    return uptime;
}

/* As if the last sign of life had come then. */
static void last_sign(const char *folder, int64_t s)
{
    const struct timespec times[2] = {{.tv_sec = s}, {.tv_sec = s}};
    char path[256];

    snprintf(path, sizeof path, "%s/downtimes", folder);
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

static void test_first_start(void **state)
{
    struct uptime *uptime = opened(*state, t0);

    assert_int_equal(uptime_was_away_s(uptime), 0);
    assert_int_equal(uptime_away_s(uptime, t0 - 1000, t0), 0);
    assert_int_equal(uptime_mark(uptime, t0 + 1), 0);
    assert_int_equal(uptime_away_s(uptime, t0 - 1000, t0 + 1), 0);
    uptime_close(uptime);
}

/* Two restarts: both times away are known, also after a third. */
static void test_restarts(void **state)
{
    uptime_close(opened(*state, t0));
    last_sign(*state, t0 + 100);
    struct uptime *uptime = opened(*state, t0 + 160);
    assert_int_equal(uptime_was_away_s(uptime), 60);
    uptime_close(uptime);
    last_sign(*state, t0 + 200);
    uptime_close(opened(*state, t0 + 205));
    last_sign(*state, t0 + 300);
    uptime = opened(*state, t0 + 300);
    assert_int_equal(uptime_away_s(uptime, t0, t0 + 300), 65);
    assert_int_equal(uptime_away_s(uptime, t0 + 130, t0 + 202), 32);
    assert_int_equal(uptime_away_s(uptime, t0 + 160, t0 + 200), 0);
    assert_int_equal(uptime_away_s(uptime, t0 + 150, t0 + 140), 0);
    uptime_close(uptime);
}

/* A process that stood still: known to whoever asks first, and after the mark as well. */
static void test_standstill(void **state)
{
    struct uptime *uptime = opened(*state, t0);

    for (int i = 1; i <= 10; i++)
        assert_int_equal(uptime_mark(uptime, t0 + i), 0);
    assert_int_equal(uptime_away_s(uptime, t0, t0 + 10 + UPTIME_GAP_S), 0);
    assert_int_equal(uptime_away_s(uptime, t0, t0 + 110), 100);
    assert_int_equal(uptime_away_s(uptime, t0 + 50, t0 + 110), 60);
    assert_int_equal(uptime_mark(uptime, t0 + 110), 100);
    assert_int_equal(uptime_mark(uptime, t0 + 111), 0);
    assert_int_equal(uptime_away_s(uptime, t0, t0 + 111), 100);
    uptime_close(uptime);
    last_sign(*state, t0 + 111);
    uptime = opened(*state, t0 + 112);
    assert_int_equal(uptime_away_s(uptime, t0, t0 + 112), 101);
    uptime_close(uptime);
}

/* The time of day is set back: nothing is counted twice, and life goes on. */
static void test_set_back(void **state)
{
    struct uptime *uptime = opened(*state, t0);

    assert_int_equal(uptime_mark(uptime, t0 + 100), 100);
    assert_int_equal(uptime_mark(uptime, t0 + 40), 0);
    assert_int_equal(uptime_mark(uptime, t0 + 41), 0);
    assert_int_equal(uptime_mark(uptime, t0 + 90), 49);
    assert_int_equal(uptime_away_s(uptime, t0, t0 + 90), 90);
    assert_int_equal(uptime_mark(uptime, t0 + 200), 110);
    assert_int_equal(uptime_away_s(uptime, t0, t0 + 200), 200);
    uptime_close(uptime);
    last_sign(*state, t0 + 5000);
    uptime = opened(*state, t0 + 300); /* a sign of life from the future */
    assert_int_equal(uptime_was_away_s(uptime), 0);
    uptime_close(uptime);
}

/* Only so many are kept, the newest; a line that was cut short does no harm. */
static void test_many(void **state)
{
    struct uptime *uptime = opened(*state, t0);
    char path[256];

    for (int i = 1; i <= 300; i++)
        assert_int_equal(uptime_mark(uptime, t0 + 10 * i), 10);
    assert_int_equal(uptime_away_s(uptime, t0, t0 + 3000), 2560);
    uptime_close(uptime);
    snprintf(path, sizeof path, "%s/downtimes", (const char *)*state);
    FILE *file = fopen(path, "a");
    assert_non_null(file);
    fputs("1798769000 17987", file);
    fclose(file);
    last_sign(*state, t0 + 3001);
    uptime = opened(*state, t0 + 3001);
    assert_int_equal(uptime_away_s(uptime, t0, t0 + 3001), 2560);
    uptime_close(uptime);
}

static void test_nowhere(void **state)
{
    int error = 0;

    (void)state;
    assert_null(uptime_open("/nonexistent/folder", t0, &error));
    assert_true(error < 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_first_start, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_restarts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_standstill, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_set_back, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_many, set_up, tear_down),
        cmocka_unit_test(test_nowhere),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
