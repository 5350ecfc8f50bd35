/* Watchers: no change between looking and sleeping is missed, nobody sleeps after the stop. */
#include "daemon/watch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static int slept, woken;

static void on_sleep(struct watch *watch)
{
    (void)watch;
    slept++;
}

static void on_wake(struct watch *watch)
{
    (void)watch;
    woken++;
}

static struct watch watch_of(uint8_t game)
{
    return (struct watch){.gid = {game}, .sleep = on_sleep, .wake = on_wake};
}

/* Two watches of two games, with nothing counted so far. */
static struct watchers *watch_two(struct watch *one, struct watch *two)
{
    struct watchers *w = watchers_new();

    slept = woken = 0;
    *one = watch_of(1);
    *two = watch_of(2);
    watch_add(w, one);
    watch_add(w, two);
    return w;
}

static void a_change_wakes_its_own(void **state)
{
    struct watch one, two;
    struct watchers *w = watch_two(&one, &two);

    (void)state;
    assert_true(watch_sleep(w, &one, 0));
    assert_true(watch_sleep(w, &two, 0));
    watchers_changed(w, one.gid);
    assert_int_equal(woken, 1);
    watchers_changed(w, one.gid); /* awake already */
    assert_int_equal(woken, 1);
    assert_int_equal(watch_take(w, &one), WATCH_CHANGED);
    assert_int_equal(watch_take(w, &two), 0);
    watch_remove(w, &one);
    watchers_changed(w, one.gid);
    watch_remove(w, &two);
    watchers_free(w);
    assert_int_equal(slept, 2);
    assert_int_equal(woken, 1);
}

static void any_game_may_have_changed(void **state)
{
    struct watch one, two;
    struct watchers *w = watch_two(&one, &two);

    (void)state;
    assert_true(watch_sleep(w, &one, 0));
    watchers_changed_all(w);
    assert_int_equal(woken, 1);
    assert_int_equal(watch_take(w, &one), WATCH_CHANGED);
    assert_false(watch_sleep(w, &two, 0)); /* was awake, and is told all the same */
    watch_remove(w, &one);
    watch_remove(w, &two);
    watchers_free(w);
}

static void a_change_before_sleep_is_not_missed(void **state)
{
    struct watchers *w = watchers_new();
    struct watch one = watch_of(1);

    (void)state;
    slept = 0;
    watch_add(w, &one);
    watchers_changed(w, one.gid);
    assert_false(watch_sleep(w, &one, 0));
    assert_int_equal(slept, 0);
    assert_int_equal(watch_take(w, &one), WATCH_CHANGED);
    assert_true(watch_sleep(w, &one, 0));
    watch_remove(w, &one);
    watchers_free(w);
}

static void time_comes_once(void **state)
{
    struct watchers *w = watchers_new();
    struct watch one = watch_of(1);

    (void)state;
    woken = 0;
    watch_add(w, &one);
    assert_true(watch_sleep(w, &one, 100));
    watchers_tick(w, 99);
    assert_int_equal(woken, 0);
    watchers_tick(w, 100);
    watchers_tick(w, 101);
    assert_int_equal(woken, 1);
    assert_int_equal(watch_take(w, &one), WATCH_DUE);
    watch_remove(w, &one);
    watchers_free(w);
}

static void the_stop_is_for_good(void **state)
{
    struct watchers *w = watchers_new();
    struct watch one = watch_of(1);

    (void)state;
    woken = 0;
    watch_add(w, &one);
    assert_true(watch_sleep(w, &one, 0));
    watchers_stop(w);
    assert_int_equal(woken, 1);
    assert_int_equal(watch_take(w, &one), WATCH_STOPPING);
    assert_false(watch_sleep(w, &one, 0));
    watch_remove(w, &one);
    watchers_free(w);
}

static void the_table_grows(void **state)
{
    enum { MANY = 3000 };
    struct watchers *w = watchers_new();
    struct watch *all = calloc(MANY, sizeof *all);

    (void)state;
    woken = 0;
    for (size_t i = 0; i < MANY; i++) {
        all[i] = watch_of(0);
        memcpy(all[i].gid, &i, sizeof i);
        watch_add(w, &all[i]);
        assert_true(watch_sleep(w, &all[i], 0));
    }
    for (size_t i = 0; i < MANY; i++)
        watchers_changed(w, all[i].gid);
    assert_int_equal(woken, MANY);
    for (size_t i = 0; i < MANY; i++)
        watch_remove(w, &all[i]);
    free(all);
    watchers_free(w);
}

/* Who leaves, from the middle, the front and the end, is not woken any more; the others are. */
static void many_of_one_game_leave_in_any_order(void **state)
{
    enum { MANY = 1000 };
    struct watchers *w = watchers_new();
    struct watch *all = calloc(MANY, sizeof *all);

    (void)state;
    for (size_t i = 0; i < MANY; i++) {
        all[i] = watch_of(1);
        watch_add(w, &all[i]);
        assert_true(watch_sleep(w, &all[i], 0));
    }
    for (size_t left = MANY, at = 0; left > 0; left--) {
        at = (at + 389) % MANY; /* coprime: each once */
        watch_remove(w, &all[at]);
        if (left % 100 != 1)
            continue;
        woken = 0;
        watchers_changed(w, all[at].gid);
        assert_int_equal(woken, left - 1);
        for (size_t i = 0; i < MANY; i++)
            if (watch_take(w, &all[i]) & WATCH_CHANGED)
                assert_true(watch_sleep(w, &all[i], 0));
    }
    free(all);
    watchers_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_change_wakes_its_own),
        cmocka_unit_test(any_game_may_have_changed),
        cmocka_unit_test(a_change_before_sleep_is_not_missed),
        cmocka_unit_test(time_comes_once),
        cmocka_unit_test(the_stop_is_for_good),
        cmocka_unit_test(the_table_grows),
        cmocka_unit_test(many_of_one_game_leave_in_any_order),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
