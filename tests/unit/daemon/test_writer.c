/* The writer against a store that fails when it is told to: order, groups, failure, loss,
 * epoch. */
#include "daemon/writer.h"

#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "daemon/clock.h"

/* A store that holds the writer at the gate, so that a test decides what gathers. */
struct fake {
    pthread_mutex_t mutex;
    pthread_cond_t moved;
    int permits; /* commits that may go on */
    int inside;  /* commits that wait or are through */
    int error;
    uint32_t lost_from, lost_to; /* records that another daemon was faster with */
    uint32_t firsts[64];
    size_t count, groups, sizes[64];
};

static int fake_commit(void *context, const struct change *const *changes, size_t count,
                       bool *ret_lost)
{
    struct fake *f = context;

    pthread_mutex_lock(&f->mutex);
    f->inside++;
    pthread_cond_broadcast(&f->moved);
    while (f->permits == 0)
        pthread_cond_wait(&f->moved, &f->mutex);
    f->permits--;
    int error = f->error;
    for (size_t i = 0; i < count; i++) {
        uint32_t first = changes[i]->record->first;
        ret_lost[i] = !error && first >= f->lost_from && first < f->lost_to;
        if (!error && !ret_lost[i])
            f->firsts[f->count++ % 64] = first;
    }
    f->sizes[f->groups++ % 64] = count;
    pthread_mutex_unlock(&f->mutex);
    return error;
}

static void permit(struct fake *f, int permits, int error)
{
    pthread_mutex_lock(&f->mutex);
    f->permits += permits;
    f->error = error;
    pthread_cond_broadcast(&f->moved);
    pthread_mutex_unlock(&f->mutex);
}

static void await_inside(struct fake *f, int inside)
{
    pthread_mutex_lock(&f->mutex);
    while (f->inside < inside)
        pthread_cond_wait(&f->moved, &f->mutex);
    pthread_mutex_unlock(&f->mutex);
}

struct sleeper {
    struct waiter waiter; /* first */
    pthread_mutex_t mutex;
    pthread_cond_t woken_cond;
    bool woken;
};

static void wake(struct waiter *waiter)
{
    struct sleeper *s = (struct sleeper *)(void *)waiter;

    pthread_mutex_lock(&s->mutex);
    s->woken = true;
    pthread_cond_broadcast(&s->woken_cond);
    pthread_mutex_unlock(&s->mutex);
}

static void sleeper_init(struct sleeper *s, uint64_t ticket)
{
    memset(s, 0, sizeof *s);
    pthread_mutex_init(&s->mutex, NULL);
    pthread_cond_init(&s->woken_cond, NULL);
    s->waiter.ticket = ticket;
    s->waiter.wake = wake;
}

static int sleeper_wait(struct sleeper *s)
{
    pthread_mutex_lock(&s->mutex);
    while (!s->woken)
        pthread_cond_wait(&s->woken_cond, &s->mutex);
    pthread_mutex_unlock(&s->mutex);
    return s->waiter.error;
}

struct scene {
    struct fake fake;
    struct store store;
    struct writer *writer;
    int committed, failed, lost;
    uint64_t lost_ticket; /* the last */
    bool lost_settled;    /* one was told of only after it had settled */
};

static void on_committed(void *context, const uint8_t gid[static 16])
{
    struct scene *scene = context;

    assert_int_equal(gid[0], 7);
    scene->committed++;
}

static void on_failed(void *context, int error)
{
    struct scene *scene = context;

    assert_true(error < 0);
    scene->failed++;
}

static void on_lost(void *context, const uint8_t gid[static 16], uint64_t ticket)
{
    struct scene *scene = context;

    assert_int_equal(gid[0], 7);
    scene->lost++;
    scene->lost_ticket = ticket;
    scene->lost_settled = scene->lost_settled || writer_settled(scene->writer, ticket);
}

static void begin(struct scene *scene)
{
    memset(scene, 0, sizeof *scene);
    pthread_mutex_init(&scene->fake.mutex, NULL);
    pthread_cond_init(&scene->fake.moved, NULL);
    scene->store = (struct store){.context = &scene->fake, .commit = fake_commit};
    const struct writer_events events = {
        .context = scene, .committed = on_committed, .failed = on_failed, .lost = on_lost};
    scene->writer = writer_new(&scene->store, &events);
    assert_non_null(scene->writer);
}

static int append(struct scene *scene, uint32_t first, uint64_t epoch, uint64_t *ret_ticket)
{
    uint8_t gid[16] = {7};
    char claims[] = "{}";
    const uint64_t credential = 1000 + first;
    const struct record record = {
        .first = first, .count = 1, .claims = claims, .claims_size = 2};
    const struct kept kept = {
        .key = {(uint8_t)first}, .sealed = (const uint8_t *)"s", .sealed_size = 1};
    const struct change change = {
        .epoch = epoch,
        .gid = gid,
        .record = &record,
        .credentials = &credential,
        .credential_count = 1,
        .kept = &kept,
        .news = {.ruleset = 1, .moves = 1, .made = first == 1, .ended = first == 3},
    };

    int error = writer_append(scene->writer, &change, ret_ticket);
    memset(gid, 0xff, sizeof gid); /* nothing may be pointed to any more */
    memset(claims, 0xff, sizeof claims);
    return error;
}

static void settled(struct scene *scene, uint64_t ticket)
{
    struct sleeper sleeper;

    sleeper_init(&sleeper, ticket);
    if (writer_wait(scene->writer, &sleeper.waiter))
        (void)sleeper_wait(&sleeper);
    assert_true(writer_settled(scene->writer, ticket));
}

static void gathers_what_comes_meanwhile(void **state)
{
    struct scene scene;
    struct sleeper sleeper;
    uint64_t ticket = 0;

    (void)state;
    begin(&scene);
    assert_int_equal(append(&scene, 1, 1, &ticket), 0);
    assert_int_equal(ticket, 1);
    await_inside(&scene.fake, 1);
    for (uint32_t i = 2; i <= 20; i++)
        assert_int_equal(append(&scene, i, 1, &ticket), 0);
    assert_int_equal(ticket, 20);
    assert_int_equal(writer_depth(scene.writer), 20);
    assert_false(writer_settled(scene.writer, 1));
    sleeper_init(&sleeper, 20);
    assert_true(writer_wait(scene.writer, &sleeper.waiter));
    permit(&scene.fake, 2, 0);
    assert_int_equal(sleeper_wait(&sleeper), 0);
    assert_true(writer_settled(scene.writer, 20));
    assert_false(writer_wait(scene.writer, &sleeper.waiter)); /* settled: does not wait */
    const struct writer_counts *counts = writer_counts(scene.writer);
    assert_int_equal(counter_read(&counts->moves[1]), 20);
    assert_int_equal(counter_read(&counts->made[1]), 1);
    assert_int_equal(counter_read(&counts->ended[1][REASON_HITS]), 1);
    assert_int_equal(counter_read(&counts->sizes.bucket[0]), 1);
    assert_int_equal(counter_read(&counts->sizes.bucket[5]), 1); /* 17 to 32 */
    assert_int_equal(counter_read(&counts->sizes.sum), 20);
    assert_int_equal(writer_depth(scene.writer), 0);
    writer_free(scene.writer);
    assert_int_equal(scene.fake.groups, 2);
    assert_int_equal(scene.fake.sizes[0], 1);
    assert_int_equal(scene.fake.sizes[1], 19);
    for (uint32_t i = 0; i < 20; i++)
        assert_int_equal(scene.fake.firsts[i], i + 1);
    assert_int_equal(scene.committed, 20);
}

/* 1 alone, then 2 and 3 in one group: the next is one that may be held back. */
static void commit_three(struct scene *scene)
{
    uint64_t ticket;

    assert_int_equal(append(scene, 1, 1, &ticket), 0);
    await_inside(&scene->fake, 1);
    assert_int_equal(append(scene, 2, 1, &ticket), 0);
    assert_int_equal(append(scene, 3, 1, &ticket), 0);
    permit(&scene->fake, 2, 0);
    settled(scene, ticket);
}

static void holds_a_group_while_somebody_works(void **state)
{
    struct scene scene;
    uint64_t ticket;

    (void)state;
    begin(&scene);
    writer_hold(scene.writer, 3600 * INT64_C(1000000)); /* the test would not end */
    writer_working(scene.writer, true);
    writer_working(scene.writer, true);
    commit_three(&scene);
    permit(&scene.fake, 2, 0);
    assert_int_equal(append(&scene, 4, 1, &ticket), 0);
    clock_pause(20); /* a writer that did not hold it would have written it by now */
    assert_int_equal(append(&scene, 5, 1, &ticket), 0);
    writer_working(scene.writer, false);
    clock_pause(20);
    assert_int_equal(append(&scene, 6, 1, &ticket), 0);
    assert_false(writer_settled(scene.writer, 4)); /* there is one more who works */
    writer_working(scene.writer, false);
    settled(&scene, 6);
    assert_int_equal(scene.fake.groups, 3);
    assert_int_equal(scene.fake.sizes[2], 3);
    writer_free(scene.writer);
}

static void who_is_alone_is_not_held(void **state)
{
    struct scene scene;
    uint64_t ticket;

    (void)state;
    begin(&scene);
    writer_hold(scene.writer, 3600 * INT64_C(1000000));
    writer_working(scene.writer, true);
    permit(&scene.fake, 64, 0);
    for (uint32_t i = 1; i <= 20; i++) {
        assert_int_equal(append(&scene, i, 1, &ticket), 0);
        settled(&scene, ticket);
    }
    assert_int_equal(scene.fake.groups, 20);
    writer_free(scene.writer);
}

static void a_group_is_not_held_for_ever(void **state)
{
    struct scene scene;
    uint64_t ticket;

    (void)state;
    begin(&scene);
    writer_hold(scene.writer, 1);
    writer_working(scene.writer, true);
    commit_three(&scene);
    permit(&scene.fake, 1, 0);
    assert_int_equal(append(&scene, 4, 1, &ticket), 0);
    settled(&scene, ticket); /* though somebody works */
    writer_free(scene.writer);
}

static void distrust_and_the_end_do_not_wait(void **state)
{
    struct scene scene;
    struct sleeper sleeper;
    uint64_t ticket;

    (void)state;
    begin(&scene);
    writer_hold(scene.writer, 3600 * INT64_C(1000000));
    writer_working(scene.writer, true);
    commit_three(&scene);
    assert_int_equal(append(&scene, 4, 1, &ticket), 0);
    sleeper_init(&sleeper, ticket);
    assert_true(writer_wait(scene.writer, &sleeper.waiter));
    writer_distrust(scene.writer, -EAGAIN);
    assert_int_equal(sleeper_wait(&sleeper), -EAGAIN);
    permit(&scene.fake, 1, 0);
    assert_int_equal(append(&scene, 5, 2, &ticket), 0);
    writer_free(scene.writer); /* what is held is written first */
    assert_int_equal(scene.fake.firsts[3], 5);
}

static void take_kept(void *arg, const struct kept *kept)
{
    *(uint8_t *)arg = kept->key[0];
}

static void tells_of_what_is_queued(void **state)
{
    struct scene scene;
    uint8_t key[32] = {2}, seen = 0, gid[16];
    uint64_t ticket;

    (void)state;
    begin(&scene);
    assert_int_equal(append(&scene, 1, 1, &ticket), 0);
    await_inside(&scene.fake, 1); /* 1 is in the group, 2 in the queue */
    assert_int_equal(append(&scene, 2, 1, &ticket), 0);
    assert_int_equal(writer_kept(scene.writer, key, take_kept, &seen), 0);
    assert_int_equal(seen, 2);
    key[0] = 1;
    assert_int_equal(writer_kept(scene.writer, key, take_kept, &seen), 0);
    assert_int_equal(seen, 1);
    key[0] = 9;
    assert_int_equal(writer_kept(scene.writer, key, take_kept, &seen), -ENOENT);
    assert_true(writer_credential(scene.writer, 1001, gid));
    assert_int_equal(gid[0], 7);
    assert_true(writer_credential(scene.writer, 1002, gid));
    assert_false(writer_credential(scene.writer, 1003, gid));
    permit(&scene.fake, 2, 0);
    writer_free(scene.writer);
}

static void failure_takes_the_queue_with_it(void **state)
{
    struct scene scene;
    struct sleeper first, third;
    uint64_t ticket;

    (void)state;
    begin(&scene);
    for (uint32_t i = 1; i <= 3; i++) {
        assert_int_equal(append(&scene, i, 1, &ticket), 0);
        if (i == 1)
            await_inside(&scene.fake, 1);
    }
    sleeper_init(&first, 1);
    sleeper_init(&third, 3);
    assert_true(writer_wait(scene.writer, &first.waiter));
    assert_true(writer_wait(scene.writer, &third.waiter));
    permit(&scene.fake, 1, -ENOSPC);
    assert_int_equal(sleeper_wait(&first), -ENOSPC);
    assert_int_equal(sleeper_wait(&third), -ENOSPC);
    assert_int_equal(writer_epoch(scene.writer), 2);
    assert_int_equal(append(&scene, 4, 1, &ticket), -ECANCELED); /* judged before the failure */
    assert_int_equal(append(&scene, 4, 2, &ticket), 0);
    assert_int_equal(ticket, 4);
    permit(&scene.fake, 1, 0);
    sleeper_init(&first, 4);
    if (writer_wait(scene.writer, &first.waiter))
        sleeper_wait(&first);
    assert_int_equal(first.waiter.error, 0);
    sleeper_init(&third, 2); /* asked late: still known to be lost */
    assert_false(writer_wait(scene.writer, &third.waiter));
    assert_int_equal(third.waiter.error, -ENOSPC);
    assert_int_equal(counter_read(&writer_counts(scene.writer)->failures), 1);
    assert_int_equal(counter_read(&writer_counts(scene.writer)->moves[1]),
                     1); /* what is on disk */
    writer_free(scene.writer);
    assert_int_equal(scene.fake.count, 1);
    assert_int_equal(scene.fake.firsts[0], 4);
    assert_int_equal(scene.committed, 1);
    assert_int_equal(scene.failed, 1);
}

/* Failures by turns with good commits, more of them than the ring holds. */
static void remembers_the_last_failures(void **state)
{
    struct scene scene;
    struct sleeper sleeper;
    uint64_t ticket;

    (void)state;
    begin(&scene);
    for (uint32_t i = 1; i <= 60; i++) {
        assert_int_equal(append(&scene, i, writer_epoch(scene.writer), &ticket), 0);
        sleeper_init(&sleeper, ticket);
        bool waits = writer_wait(scene.writer, &sleeper.waiter);
        permit(&scene.fake, 1, i % 2 ? -EIO : 0);
        if (waits)
            sleeper_wait(&sleeper);
        assert_int_equal(sleeper.waiter.error, i % 2 ? -EIO : 0);
    }
    for (uint64_t i = 1; i <= 60; i++) {
        sleeper_init(&sleeper, i);
        assert_false(writer_wait(scene.writer, &sleeper.waiter));
        assert_int_equal(sleeper.waiter.error, i % 2 ? -EIO : 0);
    }
    writer_free(scene.writer);
}

static void an_unknown_ticket_does_not_wait(void **state)
{
    struct scene scene;
    struct sleeper sleeper;

    (void)state;
    begin(&scene);
    sleeper_init(&sleeper, 1);
    assert_false(writer_wait(scene.writer, &sleeper.waiter));
    assert_int_equal(sleeper.waiter.error, -EINVAL);
    writer_free(scene.writer);
}

static int ended(struct scene *scene, uint64_t ticket)
{
    struct sleeper sleeper;

    sleeper_init(&sleeper, ticket);
    return writer_wait(scene->writer, &sleeper.waiter) ? sleeper_wait(&sleeper)
                                                       : sleeper.waiter.error;
}

static void a_lost_change_ends_alone(void **state)
{
    struct scene scene;
    struct sleeper second, third;
    uint64_t ticket;

    (void)state;
    begin(&scene);
    scene.fake.lost_from = 2;
    scene.fake.lost_to = 3;
    for (uint32_t i = 1; i <= 3; i++) {
        assert_int_equal(append(&scene, i, 1, &ticket), 0);
        if (i == 1)
            await_inside(&scene.fake, 1); /* 2 and 3 are one group */
    }
    sleeper_init(&second, 2);
    sleeper_init(&third, 3);
    assert_true(writer_wait(scene.writer, &second.waiter));
    assert_true(writer_wait(scene.writer, &third.waiter));
    permit(&scene.fake, 2, 0);
    assert_int_equal(sleeper_wait(&second), -ESTALE);
    assert_int_equal(sleeper_wait(&third), 0);
    assert_int_equal(writer_epoch(scene.writer), 1); /* nobody else has to judge anew */
    assert_int_equal(ended(&scene, 2), -ESTALE);     /* asked late */
    assert_int_equal(ended(&scene, 1), 0);
    assert_int_equal(ended(&scene, 3), 0);
    assert_int_equal(append(&scene, 4, 1, &ticket), 0);
    permit(&scene.fake, 1, 0);
    assert_int_equal(ended(&scene, 4), 0);
    writer_free(scene.writer);
    assert_int_equal(scene.committed, 3);
    assert_int_equal(scene.failed, 0);
    assert_int_equal(scene.lost, 1);
    assert_int_equal(scene.lost_ticket, 2);
    assert_false(scene.lost_settled);
}

/* More losses than are remembered: what is forgotten may be asked again, but is never taken for
 * written. */
static void a_forgotten_loss_is_not_taken_for_written(void **state)
{
    enum { MANY = 6000 };
    struct scene scene;
    uint64_t ticket;

    (void)state;
    begin(&scene);
    scene.fake.lost_from = 1;
    scene.fake.lost_to = MANY;
    permit(&scene.fake, MANY, 0);
    for (uint32_t i = 1; i <= MANY; i++)
        assert_int_equal(append(&scene, i, 1, &ticket), 0);
    assert_int_equal(ended(&scene, MANY), 0);
    for (uint64_t i = 1; i < MANY; i += 7)
        assert_int_equal(ended(&scene, i), -ESTALE);
    writer_free(scene.writer);
    assert_int_equal(scene.lost, MANY - 1);
    assert_int_equal(scene.committed, 1);
}

static void distrust_gives_up_what_is_queued(void **state)
{
    struct scene scene;
    struct sleeper first, second;
    uint64_t ticket;

    (void)state;
    begin(&scene);
    assert_int_equal(append(&scene, 1, 1, &ticket), 0);
    await_inside(&scene.fake, 1);
    assert_int_equal(append(&scene, 2, 1, &ticket), 0);
    sleeper_init(&first, 1);
    sleeper_init(&second, 2);
    assert_true(writer_wait(scene.writer, &first.waiter));
    assert_true(writer_wait(scene.writer, &second.waiter));
    writer_distrust(scene.writer, -EAGAIN);
    assert_int_equal(writer_epoch(scene.writer), 1); /* not while a commit is under way */
    permit(&scene.fake, 1, 0);
    assert_int_equal(sleeper_wait(&first), 0);
    assert_int_equal(sleeper_wait(&second), -EAGAIN);
    assert_int_equal(writer_epoch(scene.writer), 2);
    assert_int_equal(append(&scene, 2, 1, &ticket), -ECANCELED);
    assert_int_equal(append(&scene, 2, 2, &ticket), 0);
    permit(&scene.fake, 1, 0);
    assert_int_equal(ended(&scene, 3), 0);
    assert_int_equal(ended(&scene, 2), -EAGAIN);
    writer_free(scene.writer);
    assert_int_equal(scene.fake.count, 2);
    assert_int_equal(scene.failed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gathers_what_comes_meanwhile),
        cmocka_unit_test(holds_a_group_while_somebody_works),
        cmocka_unit_test(who_is_alone_is_not_held),
        cmocka_unit_test(a_group_is_not_held_for_ever),
        cmocka_unit_test(distrust_and_the_end_do_not_wait),
        cmocka_unit_test(tells_of_what_is_queued),
        cmocka_unit_test(failure_takes_the_queue_with_it),
        cmocka_unit_test(remembers_the_last_failures),
        cmocka_unit_test(an_unknown_ticket_does_not_wait),
        cmocka_unit_test(a_lost_change_ends_alone),
        cmocka_unit_test(a_forgotten_loss_is_not_taken_for_written),
        cmocka_unit_test(distrust_gives_up_what_is_queued),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
