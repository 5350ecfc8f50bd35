/* Two referees over one store: what the one has in memory may be behind what the other wrote,
 * and a change of its own may come too late. */
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

/* One referee's way to the store. While it holds, what is appended is on its way; then it is
 * lost, for that is what is tried here. */
struct side {
    struct client client;
    struct ports base;
    bool hold;
    uint64_t ticket, settled;
    uint8_t gid[16]; /* of the last change that was held */
    uint64_t before, link;
    bool cancel;  /* the next append finds that the epoch has risen */
    size_t reads; /* of records */
    int fail;     /* reads fail with this -errno */
};

static struct side one, other;
static struct table table;
static char path[96];

static int append(void *context, const struct change *change, uint64_t *ret_ticket)
{
    struct side *side = context;
    uint64_t ticket;

    if (side->cancel) {
        side->cancel = false;
        return -ECANCELED;
    }
    *ret_ticket = ++side->ticket;
    side->before = change->record->before;
    side->link = change->record->link;
    if (side->hold) {
        memcpy(side->gid, change->gid, 16);
        return 0;
    }
    side->settled = side->ticket;
    return side->base.append(side->base.context, change, &ticket);
}

static uint64_t epoch(void *context)
{
    struct side *side = context;

    return side->base.epoch(side->base.context);
}

static bool settled(void *context, uint64_t ticket)
{
    return ticket <= ((struct side *)context)->settled;
}

static int records(void *context, const uint8_t gid[static 16], uint32_t after,
                   int (*row)(void *arg, const struct record *record), void *arg)
{
    struct side *side = context;

    side->reads++;
    return side->fail ? side->fail
                      : side->base.records(side->base.context, gid, after, row, arg);
}

static int snapshot(void *context, const uint8_t gid[static 16],
                    void (*take)(void *arg, const struct snapshot *snapshot), void *arg)
{
    struct side *side = context;

    return side->fail ? side->fail : side->base.snapshot(side->base.context, gid, take, arg);
}

static int credential_known(void *context, uint64_t id, uint8_t ret_gid[static 16])
{
    struct side *side = context;

    return side->base.credential_known(side->base.context, id, ret_gid);
}

static int kept(void *context, const uint8_t key[static 32], int64_t now_ms,
                void (*take)(void *arg, const struct kept *kept), void *arg)
{
    struct side *side = context;

    return side->base.kept(side->base.context, key, now_ms, take, arg);
}

static int64_t now_ms(void *context)
{
    struct side *side = context;

    return side->base.now_ms(side->base.context);
}

static void entropy(void *context, void *ret_bytes, size_t size)
{
    struct side *side = context;

    side->base.entropy(side->base.context, ret_bytes, size);
}

static void open_side(struct side *side, const struct client *client, bool shared)
{
    struct ports ports = memory_ports(client->memory);

    *side = (struct side){.client = *client, .base = ports};
    ports.context = side;
    ports.append = append;
    ports.epoch = epoch;
    ports.settled = settled;
    ports.records = records;
    ports.snapshot = snapshot;
    ports.credential_known = credential_known;
    ports.kept = kept;
    ports.now_ms = now_ms;
    ports.entropy = entropy;
    ports.shared = shared;
    side->client.api = api_new(&client->config, &ports);
    assert_non_null(side->client.api);
}

static struct client first; /* owns the store */

/* A game of En garde that both have in memory. */
static int open_both(void **state)
{
    (void)state;
    client_open(&first, NULL, 5);
    open_side(&one, &first, true);
    open_side(&other, &first, true);
    table_make(&one.client, "{\"ruleset\":\"engarde\"}", 0, &table);
    (void)snprintf(path, sizeof path, "/v1/games/%s", table.id);
    for (int i = 0; i < 2; i++) {
        struct answer view =
            client_do(i ? &one.client : &other.client, "GET", path, NULL, NULL, 200);
        answer_done(&view);
    }
    return 0;
}

static int close_both(void **state)
{
    (void)state;
    api_free(one.client.api);
    api_free(other.client.api);
    client_close(&first);
    return 0;
}

/* What is on its way is lost: the store told the writer, the writer tells the api. */
static void lose(struct side *side, uint64_t ticket)
{
    api_lost(side->client.api, side->gid, ticket);
    side->settled = ticket;
}

static json_int_t seq_of(struct side *side)
{
    struct answer view = client_do(&side->client, "GET", path, NULL, NULL, 200);
    json_int_t seq = json_integer_value(json_object_get(view.json, "seq"));

    answer_done(&view);
    return seq;
}

static int to_act(struct side *side, char *ret_move)
{
    char moves[128];

    (void)snprintf(moves, sizeof moves, "%s/moves", path);
    for (int seat = 0; seat < 2; seat++) {
        struct answer list =
            client_do(&side->client, "GET", moves, table.seat[seat], NULL, 200);
        json_t *move = json_array_get(json_object_get(list.json, "moves"), 0);
        char *text = move ? json_dumps(move, JSON_COMPACT) : NULL;
        answer_done(&list);
        if (!text)
            continue;
        (void)snprintf(ret_move, 200, "{\"move\":%s}", text);
        free(text);
        return seat;
    }
    fail();
    return -1;
}

/* Asks for a change; `seq` -1: without If-Match. */
static struct answer post(struct side *side, const char *what, int seat, const char *body,
                          json_int_t seq, bool lost)
{
    char where[128], match[32];
    struct ask ask = {.method = "POST",
                      .path = where,
                      .bearer = table.seat[seat],
                      .body = body,
                      .if_match = seq >= 0 ? match : NULL,
                      .lost = lost};
    struct answer answer;

    (void)snprintf(where, sizeof where, "%s/%s", path, what);
    (void)snprintf(match, sizeof match, "\"%d\"", (int)seq);
    client_ask(&side->client, &ask, &answer);
    return answer;
}

static void expect(struct answer answer, unsigned status, const char *code)
{
    const char *said = answer_text(&answer, "/code");

    if (answer.response.status != status || (code && (!said || strcmp(said, code) != 0)))
        fail_msg("%u %s instead of %u %s", answer.response.status, answer.text, status,
                 code ? code : "");
    answer_done(&answer);
}

static void a_lost_move_is_stale(void **state)
{
    char move[200];
    int seat = to_act(&one, move);

    (void)state;
    one.hold = true;
    struct answer mine = post(&one, "moves", seat, move, -1, false);
    uint64_t ticket = mine.response.ticket;
    expect(mine, 200, NULL); /* but not to be sent before the ticket is settled */
    assert_true(ticket > one.settled);
    expect(post(&other, "moves", seat, move, -1, false), 200, NULL);
    lose(&one, ticket);
    one.hold = false;
    struct answer again = post(&one, "moves", seat, move, -1, true);
    assert_int_equal(json_integer_value(json_object_get(again.json, "seq")), seq_of(&other));
    assert_int_equal(again.response.ticket, 0);
    expect(again, 412, "stale");
    assert_int_equal(seq_of(&one), seq_of(&other));
}

static void what_hangs_on_no_turn_is_done_all_the_same(void **state)
{
    char move[200];
    int seat = to_act(&one, move);

    (void)state;
    one.hold = true;
    struct answer mine = post(&one, "draw", seat, "{\"action\":\"offer\"}", -1, false);
    uint64_t ticket = mine.response.ticket;
    expect(mine, 200, NULL);
    expect(post(&other, "moves", seat, move, -1, false), 200, NULL);
    lose(&one, ticket);
    one.hold = false;
    json_int_t seq = seq_of(&other);
    expect(post(&one, "draw", seat, "{\"action\":\"offer\"}", seq - 1, true), 412, "stale");
    expect(post(&one, "draw", seat, "{\"action\":\"offer\"}", -1, true), 200, NULL);
    assert_int_equal(seq_of(&one), seq + 1);
}

/* Two write the very same event in the same second: who takes a seat first. What is built on
 * the lost one does not follow from the other, for each was noted with a credential of its own.
 */
static void the_same_event_has_two_names(void **state)
{
    struct answer made =
        client_do(&one.client, "POST", "/v1/games", NULL, "{\"ruleset\":\"engarde\"}", 201);
    const char *invite = answer_text(&made, "/seats/left/invite");
    char where[64];

    (void)state;
    (void)snprintf(where, sizeof where, "/v1/games/%s/seats/left", answer_text(&made, "/id"));
    one.hold = true;
    expect(client_do(&one.client, "POST", where, invite, "{}", 201), 201, NULL);
    expect(client_do(&other.client, "POST", where, invite, "{}", 201), 201, NULL);
    assert_true(one.before != 0);
    assert_true(one.before == other.before); /* judged by the same record, read or written */
    assert_true(one.link != other.link);
    one.hold = false;
    answer_done(&made);
}

/* Where both have noted the same, too, there is nothing to tell apart: the record is the same.
 */
static void the_same_record_has_one_name(void **state)
{
    const char body[] = "{\"action\":\"offer\"}";

    (void)state;
    one.hold = true;
    expect(post(&one, "draw", 0, body, -1, false), 200, NULL);
    expect(post(&other, "draw", 0, body, -1, false), 200, NULL);
    assert_true(one.before == other.before);
    assert_true(one.link == other.link);
    uint64_t theirs = other.link;
    lose(&one, one.ticket);
    expect(post(&one, "draw", 1, "{\"action\":\"decline\"}", -1, false), 200, NULL);
    assert_true(one.before == theirs); /* read back */
}

/* The epoch rose while a request was at work: it is simply asked of the game as it is then. */
static void a_risen_epoch_is_not_told(void **state)
{
    char move[200];
    int seat = to_act(&one, move);
    json_int_t seq = seq_of(&one);

    (void)state;
    one.cancel = true;
    expect(post(&one, "moves", seat, move, seq, false), 200, NULL);
    assert_true(seq_of(&one) > seq);
}

/* Who knows of a newer seq, a passed turn or a new credential is not told that it is not so. */
static void what_the_other_has_answered_is_believed(void **state)
{
    char move[200], next[200];
    int seat = to_act(&one, move);
    size_t reads = other.reads;

    (void)state;
    (void)seq_of(&other);
    assert_int_equal(other.reads, reads); /* it is in memory */
    expect(post(&one, "moves", seat, move, -1, false), 200, NULL);
    json_int_t seq = seq_of(&one);
    assert_true(seq_of(&other) < seq); /* nobody has told it yet */
    int then = to_act(&one, next);
    expect(post(&other, "moves", then, next, seq, false), 200, NULL);
    seat = to_act(&other, move);
    expect(post(&one, "moves", seat, move, -1, false), 200,
           NULL); /* no longer the other's turn */
    expect(post(&other, "moves", then, next, seq, false), 412, "stale");
}

static void a_new_credential_is_known_to_both(void **state)
{
    char where[128];
    struct ask ask = {
        .method = "POST", .path = where, .bearer = first.operator_text, .body = "{}"};
    struct answer answer;

    (void)state;
    (void)snprintf(where, sizeof where, "%s/seats/left/invite", path);
    client_ask(&one.client, &ask, &answer);
    char *invite = strdup(answer_text(&answer, "/invite"));
    expect(answer, 201, NULL);
    (void)snprintf(where, sizeof where, "%s/seats/left", path);
    ask.bearer = invite;
    client_ask(&other.client, &ask, &answer);
    char *credential = strdup(answer_text(&answer, "/credential"));
    expect(answer, 201, NULL);
    (void)snprintf(where, sizeof where, "%s/moves", path);
    expect(client_do(&one.client, "GET", where, credential, NULL, 200), 200, NULL);
    expect(client_do(&one.client, "GET", where, invite, NULL, 401), 401, "unauthorized");
    free(credential);
    free(invite);
}

static void a_notice_leaves_out_what_is_older(void **state)
{
    char move[200];
    uint8_t gid[16];
    int seat = to_act(&one, move);
    uint32_t seq = (uint32_t)seq_of(&other);

    (void)state;
    assert_true(base64_decode(table.id, strlen(table.id), gid, sizeof gid));
    size_t reads = other.reads;
    api_changed(other.client.api, gid, seq); /* known already */
    assert_int_equal(seq_of(&other), seq);
    assert_int_equal(other.reads, reads);
    expect(post(&one, "moves", seat, move, -1, false), 200, NULL);
    api_changed(other.client.api, gid, (uint32_t)seq_of(&one));
    assert_int_equal(seq_of(&other), seq_of(&one));
    assert_true(other.reads > reads);
}

/* What is on its way stays in memory whatever the notice says: either it is lost, and that is
 * told, or the notice was of something older. */
static void what_is_on_its_way_stays(void **state)
{
    char move[200];
    uint8_t gid[16];
    int seat = to_act(&one, move);

    (void)state;
    assert_true(base64_decode(table.id, strlen(table.id), gid, sizeof gid));
    one.hold = true;
    struct answer mine = post(&one, "moves", seat, move, -1, false);
    uint64_t ticket = mine.response.ticket;
    answer_done(&mine);
    json_int_t seq = seq_of(&one);
    api_changed(one.client.api, gid, (uint32_t)seq + 5);
    assert_int_equal(seq_of(&one), seq);
    struct answer view = client_do(&one.client, "GET", path, NULL, NULL, 200);
    assert_int_equal(view.response.ticket, ticket); /* and who looks waits for it */
    answer_done(&view);
    lose(&one, ticket);
    assert_int_equal(seq_of(&one), seq_of(&other));
}

/* Two lost one after the other: the second was built on the first, and its loss is no news of
 * what has been done since. */
static void an_old_loss_does_not_touch_what_is_new(void **state)
{
    char move[200];
    int seat = to_act(&one, move);

    (void)state;
    one.hold = true;
    expect(post(&one, "draw", seat, "{\"action\":\"offer\"}", -1, false), 200, NULL);
    expect(post(&one, "draw", !seat, "{\"action\":\"decline\"}", -1, false), 200, NULL);
    expect(post(&other, "moves", seat, move, -1, false), 200, NULL);
    lose(&one, one.ticket - 1);
    struct answer fresh = post(&one, "resign", seat, "{}", -1, false);
    uint64_t ticket = fresh.response.ticket;
    expect(fresh, 200, NULL);
    json_int_t seq = seq_of(&one);
    api_lost(one.client.api, one.gid, ticket - 1);
    assert_int_equal(seq_of(&one), seq);
    api_lost(one.client.api, one.gid, ticket);
    assert_int_equal(seq_of(&one), seq_of(&other));
}

static void a_stream_shows_what_the_other_wrote(void **state)
{
    char move[200], where[128];
    int seat = to_act(&one, move);
    struct ask ask = {.method = "GET", .path = where, .accept = "text/event-stream"};
    struct answer answer;
    struct out out = {0};
    char line[32];

    (void)state;
    (void)snprintf(where, sizeof where, "%s/events?after=0", path);
    client_ask(&other.client, &ask, &answer);
    struct stream stream = answer.response.stream;
    uint32_t seq = stream.after;
    answer_done(&answer);
    expect(post(&one, "moves", seat, move, -1, false), 200, NULL);
    other.fail = -EIO; /* the database is away: a stream waits for it */
    assert_int_equal(api_stream(other.client.api, &stream, &out), STREAM_GOES_ON);
    assert_int_equal(out.size, 0);
    other.fail = 0;
    assert_int_equal(api_stream(other.client.api, &stream, &out), STREAM_GOES_ON);
    (void)snprintf(line, sizeof line, "id: %u\n", seq + 1);
    assert_memory_equal(out.text, line, strlen(line));
    assert_int_equal(stream.after, seq_of(&one));
    assert_int_equal(seq_of(&other), seq_of(&one)); /* it was read again on the way */
    out_done(&out);
    other.fail = -EILSEQ;
    expect(post(&one, "resign", seat, "{}", -1, false), 200, NULL);
    assert_int_equal(api_stream(other.client.api, &stream, &out), STREAM_ENDED);
    out_done(&out);
}

/* A list of events that goes beyond what memory knows is judged by the game as it is now. */
static void a_list_shows_what_the_other_wrote(void **state)
{
    char move[200], where[128];
    int seat = to_act(&one, move);

    (void)state;
    expect(post(&one, "moves", seat, move, -1, false), 200, NULL);
    (void)snprintf(where, sizeof where, "%s/events?after=0", path);
    struct answer list = client_do(&other.client, "GET", where, NULL, NULL, 200);
    assert_int_equal(json_integer_value(json_object_get(list.json, "next")), seq_of(&one));
    answer_done(&list);
    size_t reads = other.reads;
    assert_int_equal(seq_of(&other), seq_of(&one));
    assert_int_equal(other.reads, reads); /* it was read again for the list */
}

/* The answer that the other one kept under the key is given, and no second game is made. */
static void one_key_makes_one_game(void **state)
{
    struct ask ask = {.method = "POST",
                      .path = "/v1/games",
                      .body = "{\"ruleset\":\"engarde\"}",
                      .idempotency_key = "0123456789abcdef0123456789abcdef"};
    struct answer lost, won, again;

    (void)state;
    one.hold = true;
    client_ask(&one.client, &ask, &lost);
    assert_int_equal(lost.response.status, 201);
    client_ask(&other.client, &ask, &won);
    lose(&one, lost.response.ticket);
    one.hold = false;
    ask.lost = true;
    client_ask(&one.client, &ask, &again);
    assert_int_equal(again.response.status, 201);
    assert_string_equal(again.text, won.text);
    (void)snprintf(path, sizeof path, "/v1/games/%s", answer_text(&lost, "/id"));
    expect(client_do(&one.client, "GET", path, NULL, NULL, 404), 404, "not_found");
    answer_done(&lost);
    answer_done(&won);
    answer_done(&again);
}

/* Alone with its store a referee asks it nothing more than it has to. */
static void alone_nothing_is_read_twice(void **state)
{
    struct side alone;
    char move[200];

    (void)state;
    open_side(&alone, &first, false);
    int seat = to_act(&alone, move);
    size_t reads = alone.reads;
    expect(post(&alone, "moves", !seat, move, -1, false), 409, "not_your_turn");
    expect(post(&alone, "moves", seat, move, 999, false), 412, "stale");
    assert_int_equal(alone.reads, reads);
    api_free(alone.client.api);
}

#define BOTH(name) cmocka_unit_test_setup_teardown(name, open_both, close_both)

int main(void)
{
    const struct CMUnitTest tests[] = {
        BOTH(a_lost_move_is_stale),
        BOTH(what_hangs_on_no_turn_is_done_all_the_same),
        BOTH(the_same_event_has_two_names),
        BOTH(the_same_record_has_one_name),
        BOTH(a_risen_epoch_is_not_told),
        BOTH(what_the_other_has_answered_is_believed),
        BOTH(a_new_credential_is_known_to_both),
        BOTH(a_notice_leaves_out_what_is_older),
        BOTH(what_is_on_its_way_stays),
        BOTH(an_old_loss_does_not_touch_what_is_new),
        BOTH(a_stream_shows_what_the_other_wrote),
        BOTH(a_list_shows_what_the_other_wrote),
        BOTH(one_key_makes_one_game),
        BOTH(alone_nothing_is_read_twice),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
