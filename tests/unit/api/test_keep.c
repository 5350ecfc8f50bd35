/* How long what is over is kept: by a clock that the test sets, and not without its archive. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/base64.h"
#include "tests/support/client.h"

enum { AGE_MS = 1000000 };

static const int64_t start_ms = INT64_C(1798761600000);

struct scene {
    struct client client;
    struct table table[4]; /* resigned, aborted, resigned later, under way */
    char invite[48];       /* one that was given anew, and spent */
    struct keeping keeping;
    char *archived; /* the last text */
    int archive_error;
    char refused[24]; /* the game whose transcript cannot be put away */
    size_t puts;
};

static int put_away(void *context, const uint8_t gid[static 16], const struct out *transcript)
{
    struct scene *s = context;
    char id[24];

    s->puts++;
    base64_encode(gid, 16, id);
    if (strcmp(id, s->refused) == 0)
        return s->archive_error;
    free(s->archived);
    s->archived = strndup(transcript->text, transcript->size);
    return 0;
}

static void at(struct scene *s, int64_t after_ms)
{
    memory_set_clock(s->client.memory, start_ms + after_ms);
}

static struct answer ask_game(struct scene *s, int table, const char *what, unsigned status)
{
    char path[96];

    snprintf(path, sizeof path, "/v1/games/%s%s", s->table[table].id, what);
    return client_do(&s->client, "GET", path, NULL, NULL, status);
}

static void change_game(struct scene *s, int table, const char *what, const char *bearer,
                        unsigned status)
{
    struct answer answer;
    char path[96];

    snprintf(path, sizeof path, "/v1/games/%s/%s", s->table[table].id, what);
    answer = client_do(&s->client, "POST", path, bearer, NULL, status);
    const char *invite = answer_text(&answer, "/invite");
    if (invite)
        snprintf(s->invite, sizeof s->invite, "%s", invite);
    const char *credential = answer_text(&answer, "/credential");
    if (credential)
        snprintf(s->table[table].seat[0], sizeof s->table[table].seat[0], "%s", credential);
    answer_done(&answer);
}

static int set_up(void **state)
{
    struct scene *s = calloc(1, sizeof *s);
    struct seeded seeded = {3};

    assert_non_null(s);
    client_open(&s->client, NULL, 5);
    at(s, 0);
    for (int i = 0; i < 4; i++) {
        table_make(&s->client,
                   i == 1 ? "{\"ruleset\":\"stratego\"}" : "{\"ruleset\":\"engarde\"}", 0,
                   &s->table[i]);
        for (int move = 0; i != 1 && move < 5; move++)
            table_move(&s->client, &s->table[i], &seeded);
    }
    change_game(s, 0, "seats/left/invite", s->client.operator_text, 201);
    change_game(s, 0, "seats/left", s->invite, 201);
    at(s, 5999); /* whole seconds count */
    change_game(s, 0, "resign", s->table[0].seat[1], 200);
    change_game(s, 1, "abort", s->table[1].host, 200);
    at(s, 9000);
    change_game(s, 2, "resign", s->table[2].seat[0], 200);
    s->keeping = (struct keeping){.age_ms = AGE_MS, .archive = put_away, .context = s};
    *state = s;
    return 0;
}

static int tear_down(void **state)
{
    struct scene *s = *state;

    client_close(&s->client);
    free(s->archived);
    free(s);
    return 0;
}

static enum keep keep(struct scene *s)
{
    enum keep what = api_keep(s->client.api, &s->keeping);

    if (what == KEEP_REMOVED) /* as the writer tells */
        api_removed(s->client.api, s->keeping.gid);
    return what;
}

static void is_there(struct scene *s, int table, unsigned status)
{
    struct answer answer = ask_game(s, table, "", status);

    answer_done(&answer);
    answer = ask_game(s, table, "/events", status);
    answer_done(&answer);
}

static void unknown(struct scene *s, const char *credential, bool unknown)
{
    struct answer answer = client_do(&s->client, "POST", "/v1/games", credential,
                                     "{\"ruleset\":\"engarde\"}", unknown ? 401 : 201);

    answer_done(&answer);
}

static void goes_when_it_is_old_enough(void **state)
{
    struct scene *s = *state;

    at(s, 5000 + AGE_MS - 1);
    assert_int_equal(keep(s), KEEP_NOTHING);
    is_there(s, 0, 200);
    at(s, 5000 + AGE_MS);
    assert_int_equal(keep(s), KEEP_REMOVED);
    assert_int_equal(keep(s), KEEP_REMOVED);
    assert_int_equal(keep(s), KEEP_NOTHING);
    is_there(s, 0, 404);
    is_there(s, 1, 404);
    is_there(s, 2, 200);
    at(s, 9000 + AGE_MS);
    assert_int_equal(keep(s), KEEP_REMOVED);
    is_there(s, 2, 404);
    at(s, INT64_C(1000) * AGE_MS);
    assert_int_equal(keep(s), KEEP_NOTHING); /* what is under way stays for ever */
    is_there(s, 3, 200);
}

static void its_credentials_go_with_it(void **state)
{
    struct scene *s = *state;

    unknown(s, s->table[0].seat[0], false);
    unknown(s, s->invite, false); /* spent, but known */
    at(s, 5000 + AGE_MS);
    while (keep(s) == KEEP_REMOVED)
        ;
    for (int table = 0; table < 2; table++) {
        unknown(s, s->table[table].host, true);
        for (size_t seat = 0; seat < s->table[table].seats; seat++)
            unknown(s, s->table[table].seat[seat], true);
    }
    unknown(s, s->invite, true);
    unknown(s, s->table[2].seat[0], false);
    unknown(s, s->table[3].host, false);
}

static void is_archived_before(void **state)
{
    struct scene *s = *state;
    struct answer answer = ask_game(s, 2, "/transcript", 200);
    char *told = strdup(answer.text);

    answer_done(&answer);
    at(s, 9000 + AGE_MS);
    while (keep(s) == KEEP_REMOVED)
        ;
    assert_int_equal(s->puts, 3);
    assert_string_equal(s->archived, told); /* byte for byte */
    free(told);
}

static void stays_while_it_cannot_be_archived(void **state)
{
    struct scene *s = *state;
    uint8_t gid[16];

    snprintf(s->refused, sizeof s->refused, "%s", s->table[0].id);
    s->archive_error = -ENOSPC;
    assert_true(base64_decode(s->refused, strlen(s->refused), gid, sizeof gid));
    at(s, 9000 + AGE_MS);
    for (int pass = 0; pass < 2; pass++) {
        size_t removed = 0, failed = 0;
        for (enum keep what; (what = keep(s)) != KEEP_NOTHING;) {
            removed += what == KEEP_REMOVED;
            failed += what == KEEP_FAILED;
            if (what == KEEP_FAILED)
                assert_memory_equal(s->keeping.gid, gid, 16);
        }
        assert_int_equal(s->keeping.error, -ENOSPC);
        assert_int_equal(failed, 1);
        assert_int_equal(removed, pass == 0 ? 2 : 0); /* the others do not wait for it */
        is_there(s, 0, 200);
    }
    s->refused[0] = '\0';
    assert_int_equal(keep(s), KEEP_REMOVED);
    is_there(s, 0, 404);
}

static void stays_when_the_commit_fails(void **state)
{
    struct scene *s = *state;

    at(s, 5000 + AGE_MS);
    memory_fail(s->client.memory, -EIO);
    assert_int_equal(keep(s), KEEP_FAILED);
    assert_int_equal(s->keeping.error, -EIO);
    memory_fail(s->client.memory, 0);
    is_there(s, 0, 200);
    while (keep(s) != KEEP_NOTHING)
        ;
    while (keep(s) != KEEP_NOTHING)
        ;
    is_there(s, 0, 404);
}

/* One at a time: the next one waits until the last one is gone. */
static void waits_for_the_last_one(void **state)
{
    struct scene *s = *state;

    at(s, 5000 + AGE_MS);
    s->keeping.archive = NULL; /* nor needs it one */
    s->keeping.ticket = UINT64_MAX;
    assert_int_equal(keep(s), KEEP_BUSY);
    is_there(s, 0, 200);
    s->keeping.ticket = 1;
    assert_int_equal(keep(s), KEEP_REMOVED);
    is_there(s, 0, 404);
}

#define KEEP_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        KEEP_TEST(goes_when_it_is_old_enough),  KEEP_TEST(its_credentials_go_with_it),
        KEEP_TEST(is_archived_before),          KEEP_TEST(stays_while_it_cannot_be_archived),
        KEEP_TEST(stays_when_the_commit_fails), KEEP_TEST(waits_for_the_last_one),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
