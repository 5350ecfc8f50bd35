/* One (game, seq) has one content for ever: no two tokens, receipts or events of one seq with
 * different claims, whatever befalls the server in between.
 *
 * Games of all rulesets and custodies are played over a slow disk that fails at times, with
 * other moves tried after a failure, answers asked for again by their Idempotency-Key,
 * restarts, a clock that jumps and a signing key that changes. Whatever a client would have
 * been sent, which is what rests on settled tickets alone, goes into a book by gid, seq and
 * seat, where it must be what stands there already. The strict memory of the castle takes
 * openings out of receipts; the rest of them must be equal, and no component is ever opened in
 * two ways.
 *
 * GAMES=N plays more games than usual, GAME=N that one alone.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "api/base64.h"
#include "api/codec.h"
#include "api/commit.h"
#include "api/hex.h"
#include "rules/match.h"
#include "rules/perft.h"
#include "rules/roquefort/roquefort.h"
#include "rules/rulesets.h"
#include "tests/support/army.h"
#include "tests/support/client.h"
#include "tests/support/slow.h"
#include "tests/support/table.h"
#include "tests/support/twins.h"

enum {
    GAMES_USUALLY = 14,
    CHANGES_AT_MOST = 60,
    SEQ_MAX = 1024,
    BODY_SIZE = 8192,
    RECALLED = 8,
    KEYS = 3,
    ANYBODY = SEATS_MAX, /* a viewer without a seat */
};

static const int64_t start_ms = INT64_C(1798761600000);

/* What has been told of one game. */
struct book {
    char *chain[SEQ_MAX];              /* claims of the token */
    char *receipt[SEQ_MAX][SEATS_MAX]; /* claims of the receipts, without openings if strict */
    char *event[SEQ_MAX];              /* the event as lists and streams have it */
    json_t *openings;                  /* by component */
};

/* What a player's program knows, and must take back if the change was lost. */
struct known {
    struct army army[2];
    _Alignas(max_align_t) uint8_t truth[PERFT_STATE_MAX];
    _Alignas(max_align_t) uint8_t told[PERFT_STATE_MAX];
    size_t at;    /* in the plan */
    bool claimed; /* since the last move: there is one claim a move */
};

/* A change as it was sent, and what came back. */
struct sent {
    char path[96], bearer[48], body[BODY_SIZE], key[48];
    char *text;
};

struct bench {
    uint64_t number;
    struct seeded seeded;
    struct client client;
    struct slow *slow;
    const struct codec *codec;
    struct options options;
    bool strict;
    struct table table; /* credentials that have been told */
    char invite[SEATS_MAX][48];
    struct plan plan; /* the castle at a table */
    struct known known, settled;
    struct book book;
    struct sent sent[RECALLED];
    size_t sent_count;
    uint8_t key_seed;
    uint8_t public_keys[KEYS][32];
    char gid[24];
};

static struct {
    unsigned games, changes, lost, replays, restarts, tokens, receipts, events;
} count;

static uint32_t below(struct bench *bench, uint32_t n)
{
    return seeded_below(&bench->seeded, n);
}

/* The book */

static void enter(struct bench *bench, char **line, const char *what, json_int_t seq,
                  const char *text)
{
    if (!*line)
        *line = strdup(text);
    if (strcmp(*line, text) == 0)
        return;
    fail_msg("GAME=%llu: two tokens of seq %lld, %s:\n%s\n%s",
             (unsigned long long)bench->number, (long long)seq, what, *line, text);
}

static void enter_opening(struct bench *bench, json_t *opening)
{
    const char *name = json_string_value(json_object_get(opening, "component"));
    json_t *before = json_object_get(bench->book.openings, name);

    if (before && !json_equal(before, opening))
        fail_msg("GAME=%llu: %s is opened in two ways", (unsigned long long)bench->number,
                 name);
    json_object_set(bench->book.openings, name, opening);
}

static void enter_openings(struct bench *bench, const json_t *openings)
{
    for (size_t i = 0; i < json_array_size(openings); i++)
        enter_opening(bench, json_array_get(openings, i));
}

static const char *word(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));

    return text ? text : "";
}

static json_int_t seq_of(const json_t *object)
{
    json_int_t seq = json_integer_value(json_object_get(object, "seq"));

    assert_true(seq > 0 && seq < SEQ_MAX);
    return seq;
}

/* A receipt is one text; where the memory is strict, but for what it opens. */
static void enter_receipt(struct bench *bench, json_t *claims, const char *text)
{
    int seat = 0;
    json_int_t seq = seq_of(claims);

    while (strcmp(bench->codec->rules->seats[seat], word(claims, "seat")) != 0)
        seat++;
    enter_openings(bench, json_object_get(claims, "openings"));
    if (bench->strict) {
        json_object_del(claims, "openings");
        json_object_del(claims, "pad");
    }
    char *rest = bench->strict ? json_dumps(claims, JSON_COMPACT | JSON_SORT_KEYS) : NULL;
    enter(bench, &bench->book.receipt[seq][seat], "a receipt", seq, rest ? rest : text);
    free(rest);
    count.receipts++;
}

/* The claims of a token that a key of this server has signed. */
static char *open_token(const struct bench *bench, const char *token, const char *typ)
{
    char assertion[64];
    size_t size;

    (void)snprintf(assertion, sizeof assertion, "refereed/v1/%s", typ);
    for (int i = 0; i < KEYS; i++) {
        char *claims = token_verify_raw(bench->public_keys[i], token, assertion, &size);
        if (claims)
            return claims;
    }
    return NULL;
}

static void enter_token(struct bench *bench, const char *token)
{
    size_t size;
    char *text = token_peek(token, &size), *held;
    json_t *claims = text ? json_loads(text, 0, NULL) : NULL;

    assert_non_null(claims);
    if (below(bench, 16) == 0) { /* it takes long */
        held = open_token(bench, token, word(claims, "typ"));
        assert_non_null(held);
        assert_string_equal(held, text);
        free(held);
    }
    assert_string_equal(word(claims, "gid"), bench->gid);
    if (strcmp(word(claims, "typ"), "receipt") == 0) {
        enter_receipt(bench, claims, text);
    } else {
        json_int_t seq = seq_of(claims);
        enter(bench, &bench->book.chain[seq], "the chain", seq, text);
        count.tokens++;
    }
    json_decref(claims);
    free(text);
}

static void enter_tokens(struct bench *bench, const char *text)
{
    static char token[65536];

    for (const char *at = text; (at = strstr(at, "\"v4.public.")) != NULL;) {
        size_t size = strcspn(++at, "\"");
        assert_true(size < sizeof token);
        memcpy(token, at, size);
        token[size] = '\0';
        enter_token(bench, token);
        at += size;
    }
}

/* An event of a list or stream: what is in it besides the viewer's own is for all the same. */
static void enter_event(struct bench *bench, json_t *event)
{
    json_int_t seq = seq_of(event);

    enter_openings(bench, json_object_get(event, "openings"));
    json_object_del(event, "openings");
    json_object_del(event, "token");
    json_object_del(event, "receipt");
    char *text = json_dumps(event, JSON_COMPACT);
    enter(bench, &bench->book.event[seq], "an event", seq, text);
    free(text);
    count.events++;
}

static void enter_lines(struct bench *bench, const char *text)
{
    char *copy = strdup(text), *save = NULL;

    for (char *at = strtok_r(copy, "\n", &save); at; at = strtok_r(NULL, "\n", &save)) {
        if (strncmp(at, "id: ", 4) == 0)
            continue;
        json_t *event = json_loads(strncmp(at, "data: ", 6) ? at : at + 6, 0, NULL);
        assert_non_null(event);
        enter_event(bench, event);
        json_decref(event);
    }
    free(copy);
}

/* What a client is sent. */
static void told(struct bench *bench, const struct answer *answer)
{
    json_t *event;
    size_t i;

    enter_tokens(bench, answer->text);
    if (answer->response.kind == RESPONSE_STREAM)
        enter_lines(bench, answer->text);
    if (answer->response.kind != RESPONSE_WHOLE || strstr(answer->response.route, "transcript"))
        return;
    json_array_foreach(json_object_get(answer->json, "events"), i, event)
        enter_event(bench, event);
}

static void close_book(struct book *book)
{
    for (int seq = 0; seq < SEQ_MAX; seq++) {
        free(book->chain[seq]);
        free(book->event[seq]);
        for (int seat = 0; seat < SEATS_MAX; seat++)
            free(book->receipt[seq][seat]);
    }
    json_decref(book->openings);
}

/* What befalls the server */

static void use_key(struct bench *bench, uint8_t number)
{
    uint8_t seed[32];

    memset(seed, 0x30 + number, sizeof seed);
    token_key_from_seed(&bench->client.config.signing, seed);
    memcpy(bench->public_keys[number], bench->client.config.signing.public_key, 32);
    bench->client.config.old_public_keys = (const uint8_t(*)[32])bench->public_keys;
    bench->client.config.old_key_count = KEYS;
}

/* The api on the same store, with the slow disk between. */
static void restart(struct bench *bench)
{
    struct ports ports = slow_ports(bench->slow);

    api_free(bench->client.api);
    bench->client.api = api_new(&bench->client.config, &ports);
    assert_non_null(bench->client.api);
    count.restarts++;
}

static void disturb(struct bench *bench)
{
    int64_t jump = (int64_t)below(bench, 5000) - 2000;

    switch (below(bench, 24)) {
    case 0:
        use_key(bench, (uint8_t)below(bench, KEYS));
        restart(bench);
        break;
    case 1:
        restart(bench);
        break;
    case 2:
    case 3:
        memory_set_clock(bench->client.memory, start_ms + 1000 * jump);
        api_tick(bench->client.api);
        break;
    default:
        break;
    }
}

/* Reading */

static const char *bearer(const struct bench *bench, unsigned viewer)
{
    return viewer < bench->table.seats ? bench->table.seat[viewer] : NULL;
}

static void read_as(struct bench *bench, unsigned viewer, const char *part, const char *accept)
{
    char path[128];
    struct answer answer;

    (void)snprintf(path, sizeof path, "/v1/games/%s%s", bench->gid, part);
    const struct ask ask = {
        .method = "GET", .path = path, .bearer = bearer(bench, viewer), .accept = accept};
    client_ask(&bench->client, &ask, &answer);
    /* What rests on a change that is not on disk yet waits for it, and may never come. */
    if (slow_has(bench->slow, answer.response.ticket))
        told(bench, &answer);
    answer_done(&answer);
}

static void read_something(struct bench *bench)
{
    static const char *const parts[][2] = {
        {"/events?tokens=1", NULL},
        {"/events?tokens=1", "application/x-ndjson"},
        {"/events?tokens=1", "text/event-stream"},
        {"/events", NULL},
        {"/head", NULL},
        {"/transcript", NULL},
    };
    char part[64];
    uint32_t which = below(bench, sizeof parts / sizeof *parts), after = 0;

    while (after + 1 < SEQ_MAX && bench->book.event[after + 1])
        after++;
    after = below(bench, 3) == 0 || after < 4 ? 0 : after - 4;
    (void)snprintf(part, sizeof part, "%s", parts[which][0]);
    if (which < 3)
        (void)snprintf(part, sizeof part, "/events?tokens=1&after=%u", after);
    read_as(bench, below(bench, (uint32_t)bench->table.seats + 1), part, parts[which][1]);
}

static void read_all(struct bench *bench)
{
    for (unsigned viewer = 0; viewer <= bench->table.seats; viewer++) {
        read_as(bench, viewer, "/events?tokens=1", NULL);
        read_as(bench, viewer, "/events?tokens=1", "application/x-ndjson");
        read_as(bench, viewer, "/events?tokens=1", "text/event-stream");
        read_as(bench, viewer, "/head", NULL);
        read_as(bench, viewer, "/transcript", NULL);
    }
}

/* Changing */

static void fresh_key(struct bench *bench, struct sent *sent)
{
    (void)snprintf(sent->key, sizeof sent->key, "%016llx-%016llx-key",
                   (unsigned long long)seeded_next(&bench->seeded),
                   (unsigned long long)seeded_next(&bench->seeded));
}

static struct answer post(struct bench *bench, const struct sent *sent)
{
    const struct ask ask = {.method = "POST",
                            .path = sent->path,
                            .bearer = sent->bearer[0] ? sent->bearer : NULL,
                            .body = sent->body,
                            .idempotency_key = sent->key[0] ? sent->key : NULL};
    struct answer answer;

    client_ask(&bench->client, &ask, &answer);
    return answer;
}

/* The same request again: the same bytes, and with them the same tokens. */
static void replay(struct bench *bench, const struct sent *sent)
{
    struct answer answer = post(bench, sent);

    if (slow_has(bench->slow, answer.response.ticket)) {
        assert_string_equal(answer.text, sent->text);
        told(bench, &answer);
        count.replays++;
    }
    answer_done(&answer);
}

static void recall(struct bench *bench, const struct sent *sent, const struct answer *answer)
{
    struct sent *place = &bench->sent[bench->sent_count++ % RECALLED];

    if (!sent->key[0])
        return;
    free(place->text);
    *place = *sent;
    place->text = strdup(answer->text);
}

static void replay_something(struct bench *bench)
{
    const struct sent *sent = &bench->sent[below(bench, RECALLED)];

    if (sent->text)
        replay(bench, sent);
}

/* The store refuses it; nothing of it may be told. */
static bool refused(struct bench *bench, const struct sent *sent)
{
    int error = below(bench, 2) ? -EIO : -ENOSPC;

    slow_refuse(bench->slow, error);
    struct answer answer = post(bench, sent);
    slow_refuse(bench->slow, 0);
    assert_int_equal(answer.response.status, error == -EIO ? 503 : 507);
    assert_null(strstr(answer.text, "v4.public"));
    answer_done(&answer);
    return false;
}

/* Whatever is read of a game that waits for the disk waits too: nobody sees what could still
 * be lost, nor what is told only because of it (an end, a roof that has come off). */
static void reads_wait(struct bench *bench)
{
    static const char *const parts[] = {"", "/events", "/events?tokens=1", "/moves"};
    size_t which = below(bench, sizeof parts / sizeof *parts);
    char path[128];

    if (!bench->table.seat[0][0])
        return;
    (void)snprintf(path, sizeof path, "/v1/games/%s%s", bench->gid, parts[which]);
    struct answer answer =
        client_do(&bench->client, "GET", path, bench->table.seat[0], NULL, 200);
    if (slow_has(bench->slow, answer.response.ticket))
        fail_msg("GAME=%llu: GET %s does not wait for the disk",
                 (unsigned long long)bench->number, parts[which]);
    answer_done(&answer);
}

/* It waits for the disk; meanwhile others read, it is sent again, and it is lost. */
static bool lost(struct bench *bench, const struct sent *sent)
{
    struct answer answer = post(bench, sent);

    if (answer.response.status >= 300)
        fail_msg("GAME=%llu: %s: %s", (unsigned long long)bench->number, sent->body,
                 answer.text);
    assert_false(slow_has(bench->slow, answer.response.ticket));
    for (uint32_t i = below(bench, 4); i > 0 && bench->gid[0]; i--)
        read_something(bench);
    reads_wait(bench);
    if (sent->key[0]) { /* found while it waits: an answer that must wait as well */
        struct answer again = post(bench, sent);
        assert_string_equal(again.text, answer.text);
        assert_true(again.response.ticket == answer.response.ticket);
        answer_done(&again);
    }
    answer_done(&answer);
    slow_lose(bench->slow);
    if (below(bench, 3) == 0)
        restart(bench);
    return false;
}

/* One change, and what becomes of it; true if it is on disk, and then `ret_answer` is the
 * caller's. */
static bool change(struct bench *bench, struct sent *sent, struct answer *ret_answer)
{
    uint32_t fate = below(bench, 8);

    if (below(bench, 3))
        fresh_key(bench, sent);
    if (fate < 2) {
        bool kept = fate ? lost(bench, sent) : refused(bench, sent);
        bench->known = bench->settled;
        count.lost++;
        return kept;
    }
    *ret_answer = post(bench, sent);
    if (ret_answer->response.status >= 300)
        fail_msg("GAME=%llu: %s: %s", (unsigned long long)bench->number, sent->body,
                 ret_answer->text);
    for (uint32_t i = below(bench, 3); i > 0 && bench->gid[0]; i--)
        read_something(bench);
    slow_write(bench->slow);
    if (!bench->gid[0])
        memcpy(bench->gid, answer_text(ret_answer, "/id"), 23);
    told(bench, ret_answer);
    recall(bench, sent, ret_answer);
    bench->settled = bench->known;
    count.changes++;
    return true;
}

/* Making a game */

static void create(struct bench *bench, const char *creation)
{
    struct sent sent = {.path = "/v1/games"};
    struct answer made;
    const char *name;
    json_t *seat;

    (void)snprintf(sent.body, sizeof sent.body, "%s", creation);
    while (!change(bench, &sent, &made))
        memset(sent.key, 0, sizeof sent.key);
    json_object_foreach(json_object_get(made.json, "seats"), name, seat)
    {
        (void)snprintf(bench->invite[bench->table.seats++], 48, "%s", word(seat, "invite"));
    }
    (void)snprintf(bench->table.id, sizeof bench->table.id, "%s", bench->gid);
    (void)snprintf(bench->table.host, sizeof bench->table.host, "%s",
                   answer_text(&made, "/host"));
    answer_done(&made);
}

static void seed_of(const struct bench *bench, int seat, uint8_t ret_seed[static 32])
{
    memset(ret_seed, (int)(bench->number % 200) + seat, 32);
}

static void take_seat(struct bench *bench, int seat, bool seeds)
{
    uint8_t gid[16], seed[32], commitment[32];
    char hex[65];
    bool taken = false;

    assert_true(base64_decode(bench->gid, strlen(bench->gid), gid, sizeof gid));
    seed_of(bench, seat, seed);
    commit_player_seed(gid, 0, (uint8_t)seat, seed, commitment);
    hex_encode(commitment, sizeof commitment, hex);
    for (int trial = 0; !taken; trial++) {
        struct sent sent = {0};
        struct answer answer;
        (void)snprintf(sent.path, sizeof sent.path, "/v1/games/%s/seats/%s", bench->gid,
                       bench->codec->rules->seats[seat]);
        memcpy(sent.bearer, bench->invite[seat], sizeof sent.bearer);
        (void)snprintf(sent.body, sizeof sent.body,
                       seeds ? "{\"name\":\"Try %d\",\"seed_commit\":\"%s\"}"
                             : "{\"name\":\"Try %d\"}",
                       trial, hex);
        taken = change(bench, &sent, &answer);
        if (!taken)
            continue;
        (void)snprintf(bench->table.seat[seat], 48, "%s", answer_text(&answer, "/credential"));
        answer_done(&answer);
    }
}

/* What to do next */

static void body_of(struct sent *sent, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    int used = vsnprintf(sent->body, sizeof sent->body, format, arguments);
    va_end(arguments);
    assert_true(used > 0 && (size_t)used < sizeof sent->body);
}

static void to(const struct bench *bench, struct sent *sent, int seat, const char *what)
{
    (void)snprintf(sent->path, sizeof sent->path, "/v1/games/%s/%s", bench->gid, what);
    memcpy(sent->bearer, bench->table.seat[seat], sizeof sent->bearer);
}

static struct answer get(struct bench *bench, const char *part, int seat)
{
    char path[96];

    (void)snprintf(path, sizeof path, "/v1/games/%s%s", bench->gid, part);
    return client_do(&bench->client, "GET", path,
                     seat < 0 ? bench->client.operator_text : bench->table.seat[seat], NULL,
                     200);
}

static void commit_army(const struct army *army, struct sent *sent)
{
    size_t used = (size_t)snprintf(sent->body, sizeof sent->body, "{\"commitments\":[");

    for (int slot = 0; slot < SLOTS_MAX; slot++) {
        uint8_t hash[32];
        char text[72] = "null", hex[65];
        commit_piece(army->gid, army->seat, (uint8_t)slot, army->face[slot], army->nonce[slot],
                     hash);
        hex_encode(hash, sizeof hash, hex);
        if (army->face[slot] != FACE_UNKNOWN)
            (void)snprintf(text, sizeof text, "\"%s\"", hex);
        used += (size_t)snprintf(sent->body + used, sizeof sent->body - used, "%s%s",
                                 slot ? "," : "", text);
    }
    (void)snprintf(sent->body + used, sizeof sent->body - used, "]}");
}

static void plan_setup(struct bench *bench, int seat, struct sent *sent)
{
    to(bench, sent, seat, "setup");
    if (bench->options.custody == CUSTODY_PLAYERS) {
        struct army *army = &bench->known.army[seat];
        army_raise(army, &bench->client, &bench->table,
                   st_codec.rules->variants[bench->options.variant].id, (uint8_t)seat,
                   &bench->seeded);
        commit_army(army, sent);
        return;
    }
    struct event event = table_setup(bench->options.variant, (uint8_t)seat, &bench->seeded);
    struct out out = {0};
    size_t size;
    out_object(&out, NULL);
    st_codec.write_setup(&out, "pieces", &event);
    out_object_end(&out);
    char *text = out_take(&out, &size);
    body_of(sent, "%s", text);
    free(text);
}

/* The plan's next move as the players at a table see it; false if there is none. */
static bool plan_reported(struct bench *bench, struct sent *sent)
{
    struct known *known = &bench->known;
    struct effects effects;
    struct out out = {0};
    uint8_t faces[64];
    size_t size;

    if (known->at == bench->plan.count)
        return false;
    struct event event = bench->plan.events[known->at++];
    rq_codec.faces(known->truth, 0, faces);
    match_play(rq_codec.rules, known->truth, &event, &effects);
    rq_codec.fill(known->told, faces, &event);
    if (match_judge(rq_codec.rules, known->told, &event) != ALLOWED)
        return false;
    match_play(rq_codec.rules, known->told, &event, &effects);
    out_object(&out, NULL);
    rq_codec.write_move(&out, "move", &event);
    out_object_end(&out);
    char *text = out_take(&out, &size);
    body_of(sent, "%s", text);
    free(text);
    to(bench, sent, event.seat, "moves");
    return true;
}

/* One of the listed moves; of those that are true where players keep the faces. */
static bool plan_move(struct bench *bench, int seat, struct sent *sent)
{
    struct army *army = &bench->known.army[seat & 1];
    bool blind = bench->options.custody == CUSTODY_PLAYERS;
    struct answer list = get(bench, "/moves", seat);
    json_t *moves = json_object_get(list.json, "moves"), *move, *chosen = NULL;
    char opening[160];
    uint32_t met = 0;
    size_t i;

    json_array_foreach(moves, i, move)
    {
        if ((!blind || army_may(army, move)) && below(bench, ++met) == 0)
            chosen = move;
    }
    if (chosen) {
        char *text = json_dumps(chosen, JSON_COMPACT);
        if (blind && army_opens(army, &bench->known.army[!seat], chosen)) {
            army_opening(army, army_on(army, word(chosen, "from")), opening);
            body_of(sent, "{\"move\":%s,\"open\":%s}", text, opening);
        } else {
            body_of(sent, "{\"move\":%s}", text);
        }
        free(text);
        to(bench, sent, seat, "moves");
        bench->known.claimed = false;
    }
    answer_done(&list);
    return chosen != NULL;
}

static void plan_opens(struct bench *bench, int seat, struct sent *sent)
{
    const struct army *army = &bench->known.army[seat];
    size_t used = (size_t)snprintf(sent->body, sizeof sent->body, "{\"opens\":[");
    const char *comma = "";

    for (int slot = 0; slot < SLOTS_MAX; slot++) {
        char opening[160];
        if (!army->at[slot][0])
            continue;
        army_opening(army, slot, opening);
        used += (size_t)snprintf(sent->body + used, sizeof sent->body - used, "%s%s", comma,
                                 opening);
        comma = ",";
    }
    assert_true(used + 3 < sizeof sent->body);
    (void)snprintf(sent->body + used, sizeof sent->body - used, "]}");
    to(bench, sent, seat, "open");
}

static void plan_claim(struct bench *bench, int seat, struct sent *sent)
{
    plan_opens(bench, seat, sent);
    bench->known.claimed = true;
}

static void plan_defence(struct bench *bench, int seat, const struct answer *view,
                         struct sent *sent)
{
    const struct army *army = &bench->known.army[seat];
    const char *square = answer_text(view, "/board/challenge/to");
    char opening[160];

    if (!square) {
        plan_opens(bench, seat, sent);
        return;
    }
    army_opening(army, army_on(army, square), opening);
    body_of(sent, "{\"open\":%s}", opening);
    to(bench, sent, seat, "defend");
}

static void plan_secret(struct bench *bench, int seat, const char *what, const char *member,
                        const uint8_t secret[static 32], struct sent *sent)
{
    char hex[65];

    hex_encode(secret, 32, hex);
    body_of(sent, "{\"%s\":\"%s\"}", member, hex);
    to(bench, sent, seat, what);
}

static void plan_word(struct bench *bench, int seat, const char *what, const char *body,
                      struct sent *sent)
{
    body_of(sent, "%s", body);
    to(bench, sent, seat, what);
}

/* Something of those who are to play: most often a move. */
static bool plan_play(struct bench *bench, int seat, const struct answer *view,
                      struct sent *sent)
{
    bool blind = bench->options.custody == CUSTODY_PLAYERS;
    bool offered = json_array_size(json_object_get(view->json, "draw_offered")) > 0;

    if (!offered && below(bench, 25) == 0)
        plan_word(bench, seat, "draw", "{\"action\":\"offer\"}", sent);
    else if (blind && !bench->known.claimed && below(bench, 20) == 0)
        plan_claim(bench, seat, sent);
    else if (bench->codec == &rq_codec && bench->options.custody == CUSTODY_TABLE)
        return plan_reported(bench, sent);
    else
        return plan_move(bench, seat, sent);
    return true;
}

static int seat_at(const struct bench *bench, const struct answer *view, const char *pointer)
{
    int seat = 0;

    while (strcmp(bench->codec->rules->seats[seat], answer_text(view, pointer)) != 0)
        seat++;
    return seat;
}

/* The next change of whoever is to act; false: let it end. */
static bool plan_next(struct bench *bench, const struct answer *view, struct sent *sent)
{
    const char *status = word(view->json, "status");
    size_t among = json_array_size(json_object_get(view->json, "to_act"));
    char pointer[24];
    uint8_t seed[32];

    if (!among)
        return false;
    (void)snprintf(pointer, sizeof pointer, "/to_act/%u", below(bench, (uint32_t)among));
    int seat = seat_at(bench, view, pointer);
    if (strcmp(status, "seeding") == 0) {
        seed_of(bench, seat, seed);
        plan_secret(bench, seat, "seeds", "seed", seed, sent);
    } else if (strcmp(status, "setup") == 0) {
        plan_setup(bench, seat, sent);
    } else if (strcmp(status, "challenge") == 0) {
        plan_defence(bench, seat, view, sent);
    } else if (strcmp(status, "audit") == 0) {
        plan_secret(bench, seat, "audit", "secret", bench->known.army[seat].secret, sent);
    } else {
        return plan_play(bench, seat, view, sent);
    }
    return true;
}

/* One change on the way, or the way to the end; false when it is over. */
static bool step(struct bench *bench, bool ending)
{
    struct answer view = get(bench, "", -1), answer;
    const char *status = word(view.json, "status");
    struct sent sent = {0};
    bool over = strcmp(status, "over") == 0 || strcmp(status, "aborted") == 0;
    bool playing = strcmp(status, "playing") == 0;

    if (!over && (!plan_next(bench, &view, &sent) || (ending && playing)))
        plan_word(bench, seat_at(bench, &view, "/to_act/0"), "resign", "{}", &sent);
    answer_done(&view);
    if (over || !change(bench, &sent, &answer))
        return !over;
    if (bench->options.custody == CUSTODY_PLAYERS)
        army_follow(bench->known.army, &answer);
    bench->settled = bench->known;
    answer_done(&answer);
    return true;
}

/* A game from its first token to its last. */
static void play(struct bench *bench)
{
    unsigned seeds = below(bench, 16);

    for (int seat = 0; seat < (int)bench->table.seats; seat++)
        take_seat(bench, seat, seeds >> seat & 1);
    for (int i = 0; step(bench, i > CHANGES_AT_MOST); i++) {
        assert_true(i < 4 * CHANGES_AT_MOST);
        read_something(bench);
        disturb(bench);
        if (below(bench, 4) == 0)
            replay_something(bench);
        if (i % 24 == 0)
            read_all(bench);
    }
    read_all(bench);
    use_key(bench, (uint8_t)below(bench, KEYS));
    restart(bench);
    read_all(bench);
}

/* Every custody of every ruleset, in turn. */
static const struct kind {
    const char *ruleset, *custody, *more;
    bool strict;
} kinds[] = {
    {"engarde", "referee", "", false},
    {"engarde", "table", "", false},
    {"roquefort", "referee", "\"players\":3,", true},
    {"roquefort", "referee", "\"memory\":\"open\"", false},
    {"roquefort", "table", "", true},
    {"stratego", "referee", "", false},
    {"stratego", "players", "", false},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static void begin(struct bench *bench, const struct kind *kind, char *creation, size_t size)
{
    const struct ruleset *rules = ruleset_find(kind->ruleset);
    uint8_t variant = (uint8_t)below(bench, (uint32_t)rules->variant_count);
    bool memory = strncmp(kind->more, "\"memory", 7) == 0;
    struct effects effects;

    bench->codec = codec_of(rules);
    bench->strict = kind->strict;
    ruleset_presets(rules, variant, &bench->options);
    bench->options.players = strncmp(kind->more, "\"players", 8) == 0 ? 3 : 2;
    bench->options.value[ruleset_option(rules, "first")] = 1;
    bench->options.answer_s = 5000;
    /* castle at a table: dealt here, and reported as it is played */
    if (rules == &rq_ruleset)
        plan_make(&bench->plan, rules, &bench->options, 2 * CHANGES_AT_MOST, &bench->seeded);
    rules->begin(bench->known.truth, &bench->options);
    for (int custody = 0; custody < CUSTODIES; custody++)
        if (strcmp(kind->custody, (const char *[]){"referee", "players", "table"}[custody]) ==
            0)
            bench->options.custody = (uint8_t)custody;
    rules->begin(bench->known.told, &bench->options);
    while (rules == &rq_ruleset && bench->plan.events[bench->known.at].kind != EVENT_MOVE) {
        const struct event *event = &bench->plan.events[bench->known.at++];
        struct event dealt = {.kind = EVENT_DEAL, .seat = NO_SEAT, .tries = 1};
        match_play(rules, bench->known.truth, event, &effects);
        if (bench->options.custody == CUSTODY_TABLE)
            match_play(rules, bench->known.told, event->kind == EVENT_DEAL ? &dealt : event,
                       &effects);
    }
    bench->settled = bench->known;
    (void)snprintf(creation, size,
                   "{\"ruleset\":\"%s\",\"variant\":\"%s\",\"custody\":\"%s\",%s"
                   "\"options\":{\"answer_s\":5000,%s%s\"first\":\"%s\"}}",
                   kind->ruleset, rules->variants[variant].id, kind->custody,
                   memory ? "" : kind->more, memory ? kind->more : "", memory ? "," : "",
                   rules->seats[0]);
}

static void play_game(uint64_t number)
{
    static struct bench bench;
    char creation[400];

    bench = (struct bench){.number = number, .seeded = {number}};
    bench.book.openings = json_object();
    client_open(&bench.client, NULL, number);
    memory_set_clock(bench.client.memory, start_ms);
    bench.slow = slow_new(bench.client.memory);
    for (uint8_t i = 0; i < KEYS; i++)
        use_key(&bench, i);
    restart(&bench);
    begin(&bench, &kinds[number % KINDS], creation, sizeof creation);
    create(&bench, creation);
    play(&bench);
    for (int i = 0; i < RECALLED; i++)
        free(bench.sent[i].text);
    close_book(&bench.book);
    client_close(&bench.client);
    slow_free(bench.slow);
    count.games++;
}

static void test_one_token(void **state)
{
    const char *more = getenv("GAMES"), *one = getenv("GAME");
    uint64_t first = one ? strtoull(one, NULL, 10) : 0;
    uint64_t games = more ? strtoull(more, NULL, 10) : GAMES_USUALLY;

    (void)state;
    for (uint64_t i = 0; i < (one ? 1 : games); i++)
        play_game(first + i);
    print_message("%u games, %u changes, %u lost, %u replayed, %u restarts; %u tokens, %u "
                  "receipts, %u events\n",
                  count.games, count.changes, count.lost, count.replays, count.restarts,
                  count.tokens, count.receipts, count.events);
    assert_true(one || more || (count.lost > 100 && count.replays > 100));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_token),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
