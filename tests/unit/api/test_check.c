/* What check must find in a game's records, whichever byte of which it is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "api/base64.h"
#include "api/call.h"
#include "api/check.h"
#include "tests/support/client.h"

enum { ROWS_MAX = 100, MOVES = 30 };

/* The records of one game, each the test's own to spoil. */
struct log {
    struct client client;
    struct table table;
    struct listing listing;
    uint8_t gid[16];
    struct record rows[ROWS_MAX];
    size_t count;
};

static int keep(void *arg, const struct record *record)
{
    struct log *log = arg;
    struct record *row = &log->rows[log->count++];

    assert_true(log->count <= ROWS_MAX);
    *row = *record;
    row->claims = strndup(record->claims, record->claims_size);
    uint8_t *sealed = malloc(record->sealed_size);
    assert_non_null(sealed);
    row->sealed = memcpy(sealed, record->sealed, record->sealed_size);
    return 0;
}

static int take_listing(void *arg, const struct listing *game, int64_t number)
{
    (void)number;
    *(struct listing *)arg = *game;
    return 0;
}

static void play(struct log *log, const char *creation, const char *variant, uint64_t seed)
{
    struct seeded seeded = {seed};

    *log = (struct log){0};
    client_open(&log->client, NULL, seed);
    struct ports ports = memory_ports(log->client.memory);
    table_make(&log->client, creation, 0, &log->table);
    for (int seat = 0; variant && seat < 2; seat++)
        table_set_up(&log->client, &log->table, variant, seat, &seeded);
    for (int i = 0; i < MOVES; i++)
        table_move(&log->client, &log->table, &seeded);
    assert_true(base64_decode(log->table.id, strlen(log->table.id), log->gid, 16));
    assert_int_equal(ports.records(ports.context, log->gid, 0, keep, log), 0);
    assert_int_equal(ports.games(ports.context, &(struct list_query){.status = -1, .limit = 1},
                                 take_listing, &log->listing),
                     0);
}

static void done(struct log *log)
{
    for (size_t i = 0; i < log->count; i++) {
        free((void *)(uintptr_t)log->rows[i].claims);
        free((void *)(uintptr_t)log->rows[i].sealed);
    }
    client_close(&log->client);
}

static const struct snapshot_key *key_of(const struct log *log)
{
    return &log->client.api->games.key;
}

/* NULL, or what is wrong, and with which event. */
static const char *check(const struct log *log, uint32_t *ret_event)
{
    struct checked checked = {0};

    for (size_t i = 0; i < log->count; i++)
        check_record(&checked, key_of(log), log->gid, &log->rows[i]);
    *ret_event = checked.seq + 1;
    if (!checked.fault)
        checked.fault = check_listing(&checked, &log->listing);
    check_done(&checked);
    return checked.fault;
}

static void find(const struct log *log, const char *part, uint32_t from, uint32_t to)
{
    uint32_t event;
    const char *fault = check(log, &event);

    if (!fault || !strstr(fault, part) || event < from || event > to)
        fail_msg("event %u: %s; not in %u to %u: %s", event, fault ? fault : "nothing", from,
                 to, part);
}

static void good(const struct log *log)
{
    uint32_t event;

    assert_null(check(log, &event));
}

static const struct {
    const char *creation, *variant;
} games[] = {
    {"{\"ruleset\":\"engarde\"}", NULL},
    {"{\"ruleset\":\"roquefort\",\"players\":3}", NULL},
    {"{\"ruleset\":\"stratego\",\"variant\":\"barrage\"}", "barrage"},
};

/* Any bit of any byte of any record, claims or sealed. */
static void test_bytes(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
        struct log log;
        struct seeded seeded = {i};
        play(&log, games[i].creation, games[i].variant, i + 1);
        good(&log);
        for (size_t n = 0; n < 40 * log.count; n++) {
            struct record *row = &log.rows[n % log.count];
            bool claims = n / log.count % 2;
            size_t size = claims ? row->claims_size : row->sealed_size;
            uint8_t *bytes =
                claims ? (uint8_t *)(uintptr_t)row->claims : (uint8_t *)(uintptr_t)row->sealed;
            size_t at = seeded_below(&seeded, (uint32_t)size);
            uint8_t bit = (uint8_t)(1U << seeded_below(&seeded, 8));
            bytes[at] ^= bit;
            find(&log, "", row->first, row->first + row->count);
            bytes[at] ^= bit;
        }
        good(&log);
        done(&log);
    }
}

static void swap(struct record *one, struct record *other)
{
    struct record kept = *one;

    *one = *other;
    *other = kept;
}

static void test_places(void **state)
{
    struct log log;

    (void)state;
    play(&log, games[0].creation, NULL, 3);
    for (size_t i = 0; i + 1 < log.count; i++) {
        uint32_t first = log.rows[i].first, next = log.rows[i + 1].first;
        swap(&log.rows[i], &log.rows[i + 1]);
        find(&log, "is missing", first, first);
        /* ... also if the places of both are put right */
        log.rows[i].first = first;
        log.rows[i + 1].first = next;
        find(&log, i ? "does not fit what is sealed" : "", first, first);
        log.rows[i].first = next;
        log.rows[i + 1].first = first;
        swap(&log.rows[i], &log.rows[i + 1]);
        log.rows[i].first++;
        find(&log, "is missing", first, first);
        log.rows[i].first--;
        log.rows[i].count++;
        find(&log, "stands in a record that holds more or fewer", first,
             first + log.rows[i].count);
        log.rows[i].count--;
    }
    good(&log);
    for (size_t i = 0; i + 1 < log.count; i++) { /* one of them is gone */
        struct log less = log;
        memmove(&less.rows[i], &less.rows[i + 1], (less.count-- - i - 1) * sizeof *less.rows);
        find(&less, "is missing", log.rows[i].first, log.rows[i].first);
    }
    done(&log);
}

/* What was sealed for one game opens for no other, whatever its claims are. */
static void test_other_game(void **state)
{
    struct log log, other;

    (void)state;
    play(&log, games[0].creation, NULL, 3);
    play(&other, games[0].creation, NULL, 4);
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(log.rows[i].first, other.rows[i].first);
        swap(&log.rows[i], &other.rows[i]);
        find(&log, "does not fit what is sealed", log.rows[i].first, log.rows[i].first);
        swap(&log.rows[i], &other.rows[i]);
    }
    good(&log);
    done(&log);
    done(&other);
}

/* Seals what a test writes under the right key: who has the key can lie in notes, but not play
 * what cannot be played. */
static void reseal(const struct log *log, struct record *row, const struct out *notes)
{
    static const uint8_t nonce[SEAL_NONCE_SIZE] = {3};
    struct out sealed = {0};
    uint8_t link[32];

    record_link(row, link);
    const struct seal seal = {log->gid, row->first, link};
    record_seal(key_of(log)->store_key, &seal, nonce, notes, &sealed);
    free((void *)(uintptr_t)row->sealed);
    row->sealed = (uint8_t *)sealed.text;
    row->sealed_size = sealed.size;
}

static void test_cannot_be(void **state)
{
    struct log log;
    struct out notes = {0};
    uint8_t packed[sizeof(struct event)];
    struct event event = {.kind = EVENT_MOVE, .size = 4, .data = {0, 9, 1, 0}};

    (void)state;
    play(&log, games[0].creation, NULL, 3);
    struct record *row = &log.rows[log.count / 2];
    note_write(&notes, NOTE_EVENT, packed, event_pack(&event, packed));
    reseal(&log, row, &notes);
    find(&log, "cannot have happened", row->first, row->first);
    out_done(&notes);
    done(&log);
}

/* Nor can he write other claims beside the notes than the chain allows. */
static void test_forged(void **state)
{
    static const struct {
        const char *member, *fault;
    } forged[] = {
        {"\"seq\":", "does not have the number of its place"},
        {"\"prev\":\"", "does not follow from the one before"},
        {"\"gid\":\"", "belongs to another game"},
    };
    struct log log;

    (void)state;
    play(&log, games[0].creation, NULL, 3);
    struct record *row = &log.rows[log.count - 1];
    for (size_t i = 0; i < sizeof forged / sizeof *forged; i++) {
        struct out notes = {0};
        uint8_t *opened;
        size_t size;
        assert_int_equal(record_open(key_of(&log)->store_key, log.gid, row, &opened, &size), 0);
        out_bytes(&notes, (const char *)opened, size);
        char *at = strstr((char *)(uintptr_t)row->claims, forged[i].member);
        assert_non_null(at);
        at += strlen(forged[i].member);
        const char right = *at;
        *at = right == '7' ? '8' : '7';
        reseal(&log, row, &notes);
        find(&log, forged[i].fault, row->first, row->first);
        *at = right;
        reseal(&log, row, &notes);
        good(&log);
        free(opened);
        out_done(&notes);
    }
    done(&log);
}

static void test_list(void **state)
{
    struct log log;
    uint32_t event;

    (void)state;
    play(&log, games[2].creation, games[2].variant, 3);
    const struct listing right = log.listing;
    log.listing.status ^= 1;
    assert_non_null(strstr(check(&log, &event), "another status"));
    log.listing = right;
    log.listing.due_ms += 1000;
    assert_non_null(strstr(check(&log, &event), "another term"));
    log.listing = right;
    log.listing.ruleset ^= 1;
    assert_non_null(strstr(check(&log, &event), "another game"));
    log.listing = right;
    log.listing.open = !right.open;
    assert_non_null(strstr(check(&log, &event), "another game"));
    log.listing = right;
    log.listing.created_ms++;
    assert_non_null(strstr(check(&log, &event), "another game"));
    log.listing = right;
    good(&log);
    done(&log);
}

/* An event after the end, by who has the key. */
static void test_after_end(void **state)
{
    struct log log;
    char path[96];

    (void)state;
    play(&log, games[0].creation, NULL, 5);
    struct ports ports = memory_ports(log.client.memory);
    (void)snprintf(path, sizeof path, "/v1/games/%s/resign", log.table.id);
    struct answer answer = client_do(&log.client, "POST", path, log.table.seat[0], "{}", 200);
    answer_done(&answer);
    assert_int_equal(
        ports.records(ports.context, log.gid,
                      log.rows[log.count - 1].first + log.rows[log.count - 1].count - 1, keep,
                      &log),
        0);
    assert_int_equal(ports.games(ports.context, &(struct list_query){.status = -1, .limit = 1},
                                 take_listing, &log.listing),
                     0);
    good(&log);
    const struct record last = log.rows[log.count - 1];
    assert_int_equal(keep(&log, &last), 0);
    log.rows[log.count - 1].first += last.count;
    find(&log, "comes after the end", last.first + last.count, last.first + last.count);
    done(&log);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bytes),      cmocka_unit_test(test_places),
        cmocka_unit_test(test_other_game), cmocka_unit_test(test_cannot_be),
        cmocka_unit_test(test_forged),     cmocka_unit_test(test_list),
        cmocka_unit_test(test_after_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
