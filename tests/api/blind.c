/* Two games that differ only in what a viewer may not see say the same bytes to that viewer.
 *
 * A random game is played by the rules alone and given a twin (tests/support/twins.h): the
 * same public course, other faces where the viewer has seen none. Both are then played side by
 * side through the interface, and all that the viewers of that kind are sent is compared.
 * What must differ (ids, credentials, commitments, links, nonces, signatures) is masked letter
 * by letter, so that lengths count too; tokens are opened, their claims compared.
 *
 * GAMES=N plays N games a test instead of some, GAME=N that one alone; an argument picks tests
 * by name.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "api/codec.h"
#include "api/lots.h"
#include "api/options.h"
#include "rules/engarde/engarde.h"
#include "rules/match.h"
#include "rules/perft.h"
#include "rules/roquefort/roquefort.h"
#include "rules/rulesets.h"
#include "rules/stratego/stratego.h"
#include "tests/support/army.h"
#include "tests/support/client.h"
#include "tests/support/mask.h"
#include "tests/support/table.h"
#include "tests/support/twins.h"

enum {
    GAMES_USUALLY = 40,
    GAMES_A_CLIENT = 8, /* the store in memory grows slow */
    MOVES_AT_MOST = 50,
};

/* Who looks: a seat by its number, or one of those without. */
enum { SPECTATOR = SEATS_MAX, HOST, OPERATOR, LOOKERS };

struct space {
    _Alignas(max_align_t) uint8_t state[PERFT_STATE_MAX];
};

struct twin {
    struct table table;
    struct plan plan;
    size_t dealt;      /* events of the plan before this one have been dealt */
    struct space now;  /* as the plan has it */
    struct space told; /* the castle at a table: what its referee knows */
    struct army army[2];
};

struct twins {
    struct client *client;
    struct twin twin[2];
    struct options options; /* of the custody that is played */
    struct onlooker onlooker;
    unsigned lookers; /* set of those whose bytes are compared */
    uint32_t rarely;  /* each looks once in so many events */
    uint64_t number;
    struct seeded seeded;
};

static struct {
    uint64_t pairs, moves, swaps, answers, bytes;
} count;

/* Chance is an argument: what the plan of this twin says is drawn and dealt, whatever the
 * seeds are. So a whole deck can be chosen card by card. */
static struct twin *dealing;

void lots_init(struct lots *ret_lots, const uint8_t key[static 32])
{
    *ret_lots = (struct lots){0};
    memcpy(ret_lots->key, key, 32);
}

/* No game: the stamp of snapshots (api/snapshot.c) plays a little. */
static bool is_trial(const struct lots *lots)
{
    static const uint8_t key[32] = {1};

    return memcmp(lots->key, key, sizeof key) == 0;
}

static const struct event *next_chance(uint8_t kind)
{
    const struct plan *plan = &dealing->plan;

    while (dealing->dealt < plan->count && plan->events[dealing->dealt].kind != kind)
        dealing->dealt++;
    assert_true(dealing->dealt < plan->count);
    return &plan->events[dealing->dealt++];
}

uint32_t lots_below(struct lots *lots, uint32_t n)
{
    return is_trial(lots) ? 0 : next_chance(EVENT_LOT)->data[0] % n;
}

void lots_shuffle(struct lots *lots, uint8_t n, uint8_t *ret_order)
{
    bool trial = is_trial(lots);

    for (uint8_t i = 0; i < n && trial; i++)
        ret_order[i] = i;
    if (n && !trial) /* at a table others deal */
        memcpy(ret_order, next_chance(EVENT_DEAL)->data, n);
}

/* Signatures are masked, and making them is half of the work: they are left out. */
int crypto_sign_detached(unsigned char *sig, unsigned long long *siglen_p,
                         const unsigned char *m, unsigned long long mlen,
                         const unsigned char *sk)
{
    (void)m, (void)mlen, (void)sk;
    memset(sig, 0, crypto_sign_BYTES);
    if (siglen_p)
        *siglen_p = crypto_sign_BYTES;
    return 0;
}

/* Comparing */

static const char *name_of(const struct twins *twins, unsigned looker)
{
    static const char *const names[LOOKERS] = {
        [SPECTATOR] = "a spectator", [HOST] = "the host", [OPERATOR] = "the operator"};

    return looker < SEATS_MAX ? twins->twin[0].plan.rules->seats[looker] : names[looker];
}

static void differ(const struct twins *twins, unsigned looker, const char *what,
                   const char *one, const char *other)
{
    size_t at = 0;

    while (one[at] && one[at] == other[at])
        at++;
    size_t from = at > 200 ? at - 200 : 0;
    fail_msg("GAME=%llu: %s tells %s which of two games it is:\n%.300s\n%.300s",
             (unsigned long long)twins->number, what, name_of(twins, looker), one + from,
             other + from);
}

static void same_text(const struct twins *twins, unsigned looker, const char *what, char *one,
                      char *other)
{
    mask_text(one, twins->twin[0].table.id);
    mask_text(other, twins->twin[1].table.id);
    if (strcmp(one, other) != 0)
        differ(twins, looker, what, one, other);
    count.answers++;
    count.bytes += strlen(one);
}

static void same_headers(const struct twins *twins, unsigned looker, const char *what,
                         const struct answer answers[static 2])
{
    char texts[2][2048];

    for (int i = 0; i < 2; i++) {
        const struct response *response = &answers[i].response;
        size_t used = (size_t)snprintf(texts[i], sizeof texts[i], "%d %u %s %lld %d;",
                                       response->kind, response->status,
                                       response->content_type ? response->content_type : "",
                                       (long long)response->wait_until_ms, answers[i].ended);
        for (size_t j = 0; j < response->header_count && used < sizeof texts[i]; j++)
            used += (size_t)snprintf(texts[i] + used, sizeof texts[i] - used, "%s: %s;",
                                     response->headers[j].name, response_value(response, j));
        mask_text(texts[i], twins->twin[i].table.id);
    }
    if (strcmp(texts[0], texts[1]) != 0)
        differ(twins, looker, what, texts[0], texts[1]);
}

/* Takes over two answers to one and the same. */
static void same(const struct twins *twins, unsigned looker, const char *what,
                 struct answer answers[static 2])
{
    same_headers(twins, looker, what, answers);
    same_text(twins, looker, what, answers[0].text, answers[1].text);
    answer_done(&answers[0]);
    answer_done(&answers[1]);
}

static const char *bearer(const struct twins *twins, int which, unsigned looker)
{
    const struct table *table = &twins->twin[which].table;

    if (looker < SEATS_MAX)
        return table->seat[looker];
    return looker == HOST       ? table->host
           : looker == OPERATOR ? twins->client->operator_text
                                : NULL;
}

/* Asks the same in both games. `path` is what follows the id. */
static void ask_both(struct twins *twins, unsigned looker, const struct ask *like,
                     struct answer ret_answers[static 2])
{
    char path[160];

    for (int i = 0; i < 2; i++) {
        struct ask ask = *like;
        dealing = &twins->twin[i];
        (void)snprintf(path, sizeof path, "/v1/games/%s%s", dealing->table.id, like->path);
        ask.path = path;
        ask.bearer = bearer(twins, i, looker);
        client_ask(twins->client, &ask, &ret_answers[i]);
    }
}

static void read_both(struct twins *twins, unsigned looker, const char *path,
                      const char *accept)
{
    struct ask ask = {.method = "GET", .path = path, .accept = accept};
    struct answer answers[2];
    char what[160];

    (void)snprintf(what, sizeof what, "GET %s (%s)", path, accept ? accept : "JSON");
    ask_both(twins, looker, &ask, answers);
    same(twins, looker, what, answers);
}

/* What is asked for without regard to the newest event; %u is its seq. */
static const struct reading {
    const char *path, *accept;
} readings[] = {
    {"/head", NULL},
    {"/setup", NULL},
    {"/moves", NULL},
    {"/moves", "text/plain"},
    {"/transcript", NULL},
    {"/events?after=%u&wait=5", NULL},
    {"", NULL},
    {"", "text/plain"},
    {"/events", NULL}, /* from here on: the whole log */
    {"/events?tokens=1", NULL},
    {"/events", "application/x-ndjson"},
    {"/events?tokens=1", "application/x-ndjson"},
    {"/events", "text/event-stream"},
    {"/events?tokens=1", "text/event-stream"},
    {"/events", "text/plain"},
};
enum { READINGS = sizeof readings / sizeof *readings, READINGS_SHORT = 8 };

static void read_one(struct twins *twins, unsigned looker, size_t which, unsigned seq)
{
    char path[64];

    /* the formats are those of the table above */
    const char *at = strchr(readings[which].path, '%');
    if (at)
        (void)snprintf(path, sizeof path, "%.*s%u%s", (int)(at - readings[which].path),
                       readings[which].path, seq, at + 2);
    else
        (void)snprintf(path, sizeof path, "%s", readings[which].path);
    read_both(twins, looker, path, readings[which].accept);
}

static unsigned seq_of(struct twins *twins)
{
    struct answer answers[2];
    const struct ask ask = {.method = "GET", .path = ""};

    ask_both(twins, OPERATOR, &ask, answers);
    json_int_t seq = json_integer_value(json_object_get(answers[0].json, "seq"));
    assert_int_equal(seq, json_integer_value(json_object_get(answers[1].json, "seq")));
    answer_done(&answers[0]);
    answer_done(&answers[1]);
    return (unsigned)seq;
}

/* What one viewer sees of the events after that seq, and one reading more by chance. */
static void look_at(struct twins *twins, unsigned looker, unsigned after, unsigned seq)
{
    static const char *const accepts[] = {NULL, "application/x-ndjson", "text/event-stream",
                                          "text/plain"};
    enum { ACCEPTS = sizeof accepts / sizeof *accepts };
    char path[64];

    read_both(twins, looker, "", NULL);
    (void)snprintf(path, sizeof path, "/events?after=%u%s", after,
                   seeded_below(&twins->seeded, 2) ? "&tokens=1" : "");
    read_both(twins, looker, path, accepts[seeded_below(&twins->seeded, ACCEPTS)]);
    if (seeded_below(&twins->seeded, 2) == 0)
        read_one(twins, looker, seeded_below(&twins->seeded, READINGS_SHORT), seq);
}

/* Each viewer looks often, not always: there are many games. */
static unsigned look(struct twins *twins, unsigned after)
{
    unsigned seq = seq_of(twins);

    for (unsigned looker = 0; looker < LOOKERS && !twins->onlooker.late; looker++)
        if (twins->lookers >> looker & 1 &&
            seeded_below(&twins->seeded, looker <= SPECTATOR ? twins->rarely : 8) == 0)
            look_at(twins, looker, after, seq);
    return seq;
}

/* All that does not grow, and of the whole log two forms of six. */
static void look_at_all(struct twins *twins)
{
    unsigned seq = seq_of(twins);

    for (unsigned looker = 0; looker < LOOKERS; looker++) {
        if (!(twins->lookers >> looker & 1))
            continue;
        for (size_t i = 0; i < READINGS_SHORT; i++)
            read_one(twins, looker, i, seq);
        for (int i = 0; i < 2; i++)
            read_one(twins, looker,
                     READINGS_SHORT + seeded_below(&twins->seeded, READINGS - READINGS_SHORT),
                     seq);
    }
}

/* Who is not compared has a receipt of the same length in both games. */
static void same_lengths(const struct twins *twins, unsigned seat,
                         const struct answer answers[static 2])
{
    const char *one = answer_text(&answers[0], "/receipt");
    const char *other = answer_text(&answers[1], "/receipt");

    if (!one || !other || strlen(one) == strlen(other))
        return;
    fail_msg("GAME=%llu: the receipts of %s have other lengths",
             (unsigned long long)twins->number, name_of(twins, seat));
}

/* Takes over the answers to a change. The one who made it sees them, and nobody else. */
static void changed(struct twins *twins, unsigned seat, const char *what,
                    struct answer answers[static 2])
{
    if (twins->lookers >> seat & 1 && !twins->onlooker.late) {
        same(twins, seat, what, answers);
        return;
    }
    same_lengths(twins, seat, answers);
    answer_done(&answers[0]);
    answer_done(&answers[1]);
}

/* What must be refused */

static struct event any_move(const struct twins *twins, struct seeded *seeded)
{
    const struct ruleset *rules = twins->twin[0].plan.rules;
    struct event event = {.kind = EVENT_MOVE};

    if (rules == &rq_ruleset) {
        struct rq_move move = {.verb = (uint8_t)seeded_below(seeded, RQ_VERBS)};
        move.from = (uint8_t)seeded_below(seeded, RQ_SQUARES);
        move.to = (uint8_t)seeded_below(seeded, move.verb == RQ_SHIFT ? RQ_SLOTS : RQ_SQUARES);
        memcpy(event.data, &move, event.size = sizeof move);
    } else if (rules == &st_ruleset) {
        struct st_move move = {0};
        while (!st_on_board(move.from))
            move.from = (uint8_t)seeded_below(seeded, ST_CELLS);
        uint32_t first = seeded_below(seeded, 4) ? move.from - 13U : 0; /* most often near */
        while (!st_on_board(move.to))
            move.to = (uint8_t)(first + seeded_below(seeded, first ? 27 : ST_CELLS));
        memcpy(event.data, &move, event.size = sizeof move);
    } else { /* a verb without its cards at a table, and cards that nobody has */
        for (int i = 1; i < 4; i++)
            event.data[i] = (uint8_t)(1 + seeded_below(seeded, 5));
        event.data[0] = (uint8_t)seeded_below(seeded, 5);
        event.size = 4;
        if (event.data[0] < 2)
            event.data[2] = 1;
    }
    return event;
}

static void body_of(const struct codec *codec, const struct event *move, char *room,
                    size_t size)
{
    struct out out = {0};
    size_t used;

    out_object(&out, NULL);
    codec->write_move(&out, "move", move);
    out_object_end(&out);
    char *text = out_take(&out, &used);
    assert_true(text && used < size);
    memcpy(room, text, used + 1);
    free(text);
}

/* A move that the rules refuse to that seat, as it can be written; in players' custody with an
 * opening that is never right. False if chance has found one that is allowed. */
static bool bad_move(struct twins *twins, uint8_t seat, char *body, size_t size)
{
    static const char lie[] = ",\"open\":{\"slot\":7,\"face\":\"flag\",\"nonce\":\"%064d\"}}";
    const struct twin *twin = &twins->twin[0];
    const struct codec *codec = codec_of(twin->plan.rules);
    struct event move = any_move(twins, &twins->seeded);
    struct fault fault;

    body_of(codec, &move, body, size);
    if (twins->options.custody == CUSTODY_PLAYERS) {
        size_t used = strlen(body) - 1;
        (void)snprintf(body + used, size - used, lie, 0);
        return true;
    }
    json_t *read = json_loads(body, 0, NULL);
    bool known =
        codec->read_move(json_object_get(read, "move"), "", twin->now.state, &move, &fault);
    json_decref(read);
    move.seat = seat;
    return !known || match_judge(codec->rules, twin->now.state, &move) != ALLOWED;
}

/* One viewer tries something that he may not. */
static void refuse(struct twins *twins, uint8_t seat)
{
    static const char *const others[][2] = {
        {"/moves", "{\"move\":{\"type\":\"nonsense\"}}"},
        {"/moves", "{\"move\":7}"},
        {"/setup", "{\"pieces\":{}}"},
        {"/draw", "{\"action\":\"accept\"}"},
        {"/open", "{\"opens\":[]}"},
        {"/defend", "{\"open\":{\"slot\":0,\"face\":\"spy\",\"nonce\":\"00\"}}"},
        {"/audit", "{\"secret\":\"00\"}"},
        {"/abort", "{}"},
    };
    uint32_t which = seeded_below(&twins->seeded, 16);
    bool moves = which >= sizeof others / sizeof *others;
    struct answer answers[2];
    char body[512];

    if (moves && !bad_move(twins, seat, body, sizeof body))
        return;
    const struct ask ask = {.method = "POST",
                            .path = moves ? "/moves" : others[which][0],
                            .body = moves ? body : others[which][1]};
    ask_both(twins, seat, &ask, answers);
    for (int i = 0; i < 2; i++)
        if (answers[i].response.status < 400)
            fail_msg("GAME=%llu: allowed: %s", (unsigned long long)twins->number, ask.body);
    same(twins, seat, moves ? "a refused move" : ask.path, answers);
}

/* Playing */

static void try_something(struct twins *twins)
{
    const struct twin *twin = &twins->twin[0];
    uint8_t what = twin->plan.rules->awaits(twin->now.state).what;

    if (twins->onlooker.late || what == AWAIT_LOT || what == AWAIT_DEAL)
        return; /* the interface has drawn and dealt */
    for (uint8_t seat = 0; seat < SEATS_MAX; seat++)
        if (twins->lookers >> seat & 1 && seeded_below(&twins->seeded, twins->rarely) == 0)
            refuse(twins, seat);
}

static struct answer done(const struct twins *twins, struct answer answer)
{
    if (answer.response.status != 200)
        fail_msg("GAME=%llu: %s", (unsigned long long)twins->number, answer.text);
    return answer;
}

static void post_both(struct twins *twins, uint8_t seat, const char *path, char bodies[2][2048])
{
    const char *prefer = seeded_below(&twins->seeded, 16) ? NULL : "return=minimal";
    struct answer answers[2];
    char whole[96];

    for (int i = 0; i < 2; i++) {
        struct ask ask = {.method = "POST",
                          .path = whole,
                          .bearer = bearer(twins, i, seat),
                          .body = bodies[i],
                          .prefer = prefer};
        dealing = &twins->twin[i];
        (void)snprintf(whole, sizeof whole, "/v1/games/%s%s", dealing->table.id, path);
        client_ask(twins->client, &ask, &answers[i]);
        done(twins, answers[i]);
    }
    changed(twins, seat, path, answers);
}

/* The move as its mover sends it; at a table with what he sees by it. False if the table's
 * rules have another way. */
static bool write_body(struct twins *twins, int which, const struct event *move, char *room,
                       size_t size)
{
    struct twin *twin = &twins->twin[which];
    const struct codec *codec = codec_of(twin->plan.rules);
    struct event sent = *move;
    struct effects effects;
    uint8_t faces[64];

    if (twins->options.custody == CUSTODY_TABLE) {
        codec->faces(twin->now.state, 0, faces);
        codec->fill(twin->told.state, faces, &sent);
        if (match_judge(codec->rules, twin->told.state, &sent) != ALLOWED)
            return false;
        match_play(codec->rules, twin->told.state, &sent, &effects);
    }
    body_of(codec, &sent, room, size);
    return true;
}

static void square(uint8_t cell, char ret_name[static 8])
{
    (void)snprintf(ret_name, 8, "%c%d", 'a' + cell % ST_WIDTH, cell / ST_WIDTH);
}

/* Both sides of both games go on by the answers to one change. */
static void follow(struct twins *twins, struct answer answers[static 2])
{
    for (int i = 0; i < 2; i++)
        army_follow(twins->twin[i].army, &answers[i]);
}

static bool says(const struct answer *answer, const char *pointer, const char *word)
{
    const char *text = answer_text(answer, pointer);

    return text && strcmp(text, word) == 0;
}

/* The attacked side opens its piece. */
static void defend(struct twins *twins, uint8_t seat, const char *to)
{
    struct answer answers[2];

    for (int i = 0; i < 2; i++) {
        const struct army *army = &twins->twin[i].army[seat];
        answers[i] = army_defend(army, army_on(army, to), 200);
    }
    follow(twins, answers);
    changed(twins, seat, "POST /defend", answers);
}

/* A move by players who keep their faces: what must be opened is. */
static void move_blind(struct twins *twins, const struct event *event, unsigned *seq)
{
    struct answer answers[2];
    struct st_move move;
    char from[8], to[8];

    memcpy(&move, event->data, sizeof move);
    square(move.from, from);
    square(move.to, to);
    bool opens = st_long(move) || army_on(&twins->twin[0].army[!event->seat], to) >= 0;
    for (int i = 0; i < 2; i++) {
        const struct army *army = &twins->twin[i].army[event->seat];
        answers[i] = army_move(army, from, to, opens ? army_on(army, from) : -1, 200);
    }
    bool attack = says(&answers[0], "/status", "challenge");
    follow(twins, answers);
    changed(twins, event->seat, "POST /moves", answers);
    if (!attack)
        return;
    *seq = look(twins, *seq);
    try_something(twins);
    defend(twins, !event->seat, to);
}

/* The side to move says that the game has ended, and opens all that it has left. Whether that
 * is so may be told; if it tells the games apart by that, or ends them: false. */
static bool claim(struct twins *twins, uint8_t seat, unsigned *seq)
{
    struct answer answers[2];
    bool challenge = false, again = false;

    do {
        for (int i = 0; i < 2; i++)
            answers[i] = army_claim(&twins->twin[i].army[seat], 200);
        again = says(&answers[0], "/status", "challenge");
        if (again != says(&answers[1], "/status", "challenge") ||
            !json_equal(json_at(answers[0].json, "/events/0/holds"),
                        json_at(answers[1].json, "/events/0/holds")) ||
            says(&answers[0], "/status", "audit")) {
            answer_done(&answers[0]);
            answer_done(&answers[1]);
            return false;
        }
        changed(twins, seat, "POST /open", answers);
        *seq = look(twins, *seq);
        seat = !seat;
        challenge = again && !challenge;
    } while (challenge);
    return true;
}

static void set_up(struct twins *twins, uint8_t seat, const struct event *events[static 2])
{
    char bodies[2][2048];

    for (int i = 0; i < 2; i++) {
        struct out out = {0};
        size_t size;
        out_object(&out, NULL);
        st_codec.write_setup(&out, "pieces", events[i]);
        out_object_end(&out);
        char *text = out_take(&out, &size);
        assert_true(text && size < sizeof bodies[i]);
        memcpy(bodies[i], text, size + 1);
        free(text);
    }
    post_both(twins, seat, "/setup", bodies);
}

/* Faces as the plan has them, nonces of its own. */
static void raise_army(struct twins *twins, int which, const struct event *event)
{
    struct twin *twin = &twins->twin[which];
    struct army *army = &twin->army[event->seat];
    const char *variant = st_ruleset.variants[twins->options.variant].id;

    army_raise(army, twins->client, &twin->table, variant, event->seat, &twins->seeded);
    army->options = twins->options;
    memset(army->at, 0, sizeof army->at);
    for (uint8_t slot = 0; slot < ST_SLOTS; slot++) {
        char name[8];
        army->face[slot] = event->data[slot] == ST_NONE ? FACE_UNKNOWN : event->data[slot];
        square(st_home(event->seat, slot), name);
        if (event->data[slot] != ST_NONE)
            memcpy(army->at[slot], name, 4);
    }
}

static void set_up_blind(struct twins *twins, uint8_t seat,
                         const struct event *events[static 2])
{
    struct answer answers[2];

    for (int i = 0; i < 2; i++) {
        dealing = &twins->twin[i];
        raise_army(twins, i, events[i]);
        answers[i] = army_commit(&twins->twin[i].army[seat], 200);
    }
    changed(twins, seat, "POST /setup", answers);
}

/* Somebody offers a draw, and others decline. */
static void draw(struct twins *twins)
{
    static const char *const bodies[] = {"{\"action\":\"offer\"}", "{\"action\":\"decline\"}"};
    const char *both[2];
    struct answer answers[2];

    for (uint8_t seat = 0; seat < 2; seat++) {
        const struct ask ask = {.method = "POST", .path = "/draw", .body = bodies[seat]};
        ask_both(twins, seat, &ask, answers);
        both[0] = answer_text(&answers[0], "/code");
        both[1] = answer_text(&answers[1], "/code");
        assert_int_equal(both[0] == NULL, both[1] == NULL);
        changed(twins, seat, "POST /draw", answers);
    }
}

static bool move_both(struct twins *twins, const struct event *event, unsigned *seq)
{
    char bodies[2][2048];

    if (twins->options.custody == CUSTODY_PLAYERS) {
        move_blind(twins, event, seq);
        return true;
    }
    for (int i = 0; i < 2; i++)
        if (!write_body(twins, i, event, bodies[i], sizeof bodies[i]))
            return false;
    post_both(twins, event->seat, "/moves", bodies);
    return true;
}

/* Chance has been asked for by the interface when its time came; here the rules catch up. */
static void catch_up(struct twins *twins, size_t at)
{
    struct effects effects;

    for (int i = 0; i < 2; i++) {
        struct twin *twin = &twins->twin[i];
        const struct event *event = &twin->plan.events[at];
        struct event dealt = {.kind = EVENT_DEAL, .seat = NO_SEAT, .tries = 1};
        match_play(twin->plan.rules, twin->now.state, event, &effects);
        if (twins->options.custody == CUSTODY_TABLE && event->kind != EVENT_MOVE)
            match_play(twin->plan.rules, twin->told.state,
                       event->kind == EVENT_DEAL ? &dealt : event, &effects);
    }
}

static bool play_event(struct twins *twins, size_t at, unsigned *seq)
{
    const struct event *events[2] = {&twins->twin[0].plan.events[at],
                                     &twins->twin[1].plan.events[at]};
    bool blind = twins->options.custody == CUSTODY_PLAYERS;

    if (events[0]->kind == EVENT_SETUP && blind)
        set_up_blind(twins, events[0]->seat, events);
    else if (events[0]->kind == EVENT_SETUP)
        set_up(twins, events[0]->seat, events);
    else if (events[0]->kind == EVENT_MOVE) {
        if (blind && seeded_below(&twins->seeded, 12) == 0 &&
            !claim(twins, events[0]->seat, seq))
            return false;
        if (!move_both(twins, events[0], seq))
            return false;
        count.moves++;
        if (seeded_below(&twins->seeded, 24) == 0)
            draw(twins);
    }
    return true;
}

/* One side gives up; one secret is in, then nothing is hidden any more. */
static void audit(struct twins *twins, unsigned *seq)
{
    uint8_t seat = (uint8_t)seeded_below(&twins->seeded, 2);
    const struct ask ask = {.method = "POST", .path = "/resign", .body = "{}"};
    struct answer answers[2];

    ask_both(twins, seat, &ask, answers);
    changed(twins, seat, "POST /resign", answers);
    *seq = look(twins, *seq);
    seat = twins->onlooker.seat < 2 ? twins->onlooker.seat : seat;
    for (int i = 0; i < 2; i++)
        answers[i] =
            army_audit(&twins->twin[i].army[seat], twins->twin[i].army[seat].secret, 200);
    assert_true(says(&answers[0], "/status", "audit"));
    changed(twins, seat, "POST /audit", answers);
    *seq = look(twins, *seq);
}

static void play(struct twins *twins)
{
    unsigned seq = look(twins, 0);
    bool whole = true;

    for (size_t at = 0; at < twins->twin[0].plan.count && whole; at++) {
        whole = play_event(twins, at, &seq);
        catch_up(twins, at);
        uint8_t kind = twins->twin[0].plan.events[at].kind;
        if (!whole || (kind != EVENT_MOVE && kind != EVENT_SETUP))
            continue;
        seq = look(twins, seq);
        try_something(twins);
    }
    if (seeded_below(&twins->seeded, 16) == 0)
        client_reload(twins->client);
    if (whole && twins->options.custody == CUSTODY_PLAYERS)
        audit(twins, &seq);
    if (whole)
        look_at_all(twins);
}

/* Games */

static struct options any_options(const struct ruleset *rules, uint8_t custody, bool late,
                                  struct seeded *seeded)
{
    uint8_t variant = (uint8_t)seeded_below(seeded, (uint32_t)rules->variant_count);
    struct options options;

    ruleset_presets(rules, variant, &options);
    uint32_t more = (uint32_t)(rules->seats_max - rules->seats_min + 1);
    options.players = (uint8_t)(rules->seats_min + seeded_below(seeded, more));
    for (size_t i = 0; i < rules->option_count; i++) {
        const struct option *option = &rules->options[i];
        int max = option->kind == OPTION_PLATE ? RQ_LAYOUT_B : option->max;
        if (option->variants >> variant & 1 && max <= 9 && !option->custodies)
            options.value[i] =
                (int16_t)(option->min +
                          (int)seeded_below(seeded, (uint32_t)(max - option->min) + 1));
    }
    if (rules == &rq_ruleset && options.value[RQ_FIRST] > options.players)
        options.value[RQ_FIRST] = 0;
    if (late)
        options.value[RQ_MEMORY] = RQ_STRICT;
    options.answer_s = 86400;
    options.custody = custody;
    return options;
}

static void create(struct twins *twins)
{
    const struct codec *codec = codec_of(twins->twin[0].plan.rules);
    unsigned seeds = seeded_below(&twins->seeded, 16);
    struct out out = {0};
    size_t size;

    out_object(&out, NULL);
    out_text(&out, "ruleset", codec->rules->id);
    out_text(&out, "variant", codec->rules->variants[twins->options.variant].id);
    out_text(&out, "custody",
             (const char *[]){"referee", "players", "table"}[twins->options.custody]);
    if (codec == &rq_codec)
        out_number(&out, "players", twins->options.players);
    options_write(&out, "options", codec, &twins->options);
    out_object_end(&out);
    char *creation = out_take(&out, &size);
    for (int i = 0; i < 2; i++) {
        struct twin *twin = dealing = &twins->twin[i];
        table_make(twins->client, creation, seeds, &twin->table);
        codec->rules->begin(twin->now.state, &twin->plan.options);
        codec->rules->begin(twin->told.state, &twins->options);
    }
    free(creation);
}

/* A game of one kind and its twin; false if chance has found no twin. */
static bool play_pair(struct client *client, const struct ruleset *rules, uint8_t custody,
                      bool late, uint64_t number)
{
    static struct twins twins;

    twins = (struct twins){.client = client, .number = number, .seeded = {number}};
    twins.options = any_options(rules, custody, late, &twins.seeded);
    struct options known = twins.options;
    known.custody = CUSTODY_REFEREE;
    plan_make(&twins.twin[0].plan, rules, &known,
              1 + seeded_below(&twins.seeded, MOVES_AT_MOST), &twins.seeded);
    /* A seat's twin is a spectator's too. In the castle all see the same. */
    uint8_t viewer = (uint8_t)(number % 3);
    twins.lookers = 1U << SPECTATOR | 1U << HOST | 1U << OPERATOR;
    twins.onlooker = (struct onlooker){viewer < 2 ? viewer : NO_SEAT, late};
    twins.rarely = rules == &rq_ruleset ? 4 : 2;
    if (rules == &rq_ruleset)
        twins.lookers |= (1U << twins.options.players) - 1;
    else if (viewer < 2)
        twins.lookers |= 1U << viewer;
    size_t swaps =
        plan_twin(&twins.twin[0].plan, twins.onlooker, &twins.seeded, &twins.twin[1].plan);
    if (!swaps)
        return false;
    create(&twins);
    play(&twins);
    count.pairs++;
    count.swaps += swaps;
    return true;
}

static void play_games(const struct ruleset *rules, uint8_t custody, bool late)
{
    const char *more = getenv("GAMES"), *one = getenv("GAME");
    uint64_t games = more ? strtoull(more, NULL, 10) : GAMES_USUALLY;
    uint64_t number = one ? strtoull(one, NULL, 10) : 1;
    struct client client;

    memset(&count, 0, sizeof count);
    for (unsigned with = 0; count.pairs < (one ? 1 : games); number++, with++) {
        if (with % GAMES_A_CLIENT == 0)
            client_open(&client, NULL, number);
        (void)play_pair(&client, rules, custody, late, number);
        if (with % GAMES_A_CLIENT == GAMES_A_CLIENT - 1 || count.pairs == (one ? 1 : games))
            client_close(&client), with = (unsigned)-1;
    }
    print_message("%llu games and their twins, %llu faces swapped, %llu moves, %llu answers "
                  "compared, %llu bytes\n",
                  (unsigned long long)count.pairs, (unsigned long long)count.swaps,
                  (unsigned long long)count.moves, (unsigned long long)count.answers,
                  (unsigned long long)count.bytes);
}

static void test_engarde(void **state)
{
    (void)state;
    play_games(&eg_ruleset, CUSTODY_REFEREE, false);
}

static void test_roquefort(void **state)
{
    (void)state;
    play_games(&rq_ruleset, CUSTODY_REFEREE, false);
}

/* Whoever comes late under a strict memory: what was seen and is covered again is not told. */
static void test_roquefort_late(void **state)
{
    (void)state;
    play_games(&rq_ruleset, CUSTODY_REFEREE, true);
}

/* The same of what the players have reported. More there is not to hide at a table: in En
 * garde the referee knows only what lies open. */
static void test_roquefort_table(void **state)
{
    (void)state;
    play_games(&rq_ruleset, CUSTODY_TABLE, true);
}

static void test_stratego(void **state)
{
    (void)state;
    play_games(&st_ruleset, CUSTODY_REFEREE, false);
}

/* Moves, combats, claims and an audit that is not yet over. */
static void test_stratego_players(void **state)
{
    (void)state;
    play_games(&st_ruleset, CUSTODY_PLAYERS, false);
}

/* ST-1: until both are ready nobody sees even which squares the other has used. */
static void set_up_one(struct client *client, uint8_t custody, uint64_t number)
{
    static struct twins twins;
    uint8_t seat = (uint8_t)(number % 2);

    twins = (struct twins){.client = client, .number = number, .seeded = {number}};
    twins.options = any_options(&st_ruleset, custody, false, &twins.seeded);
    twins.options.value[ST_OPTION_FIRST] = 1;
    twins.lookers = 1U << !seat | 1U << SPECTATOR | 1U << HOST | 1U << OPERATOR;
    twins.rarely = 1;
    struct options known = twins.options;
    known.custody = CUSTODY_REFEREE;
    struct event events[2];
    for (int i = 0; i < 2; i++) {
        plan_make(&twins.twin[i].plan, &st_ruleset, &known, 0, &twins.seeded);
        events[i] = table_setup(known.variant, seat, &twins.seeded);
    }
    create(&twins);
    unsigned seq = look(&twins, 0);
    const struct event *both[2] = {&events[0], &events[1]};
    if (custody == CUSTODY_PLAYERS)
        set_up_blind(&twins, seat, both);
    else
        set_up(&twins, seat, both);
    (void)look(&twins, seq);
    try_something(&twins);
    look_at_all(&twins);
}

static void test_setups(void **state)
{
    const char *more = getenv("GAMES");
    uint64_t games = more ? strtoull(more, NULL, 10) / 10 : GAMES_USUALLY;
    struct client client;

    (void)state;
    memset(&count, 0, sizeof count);
    client_open(&client, NULL, 1);
    for (uint64_t number = 0; number < games; number++) {
        if (number % GAMES_A_CLIENT == 0) {
            client_close(&client);
            client_open(&client, NULL, number + 2);
        }
        set_up_one(&client, number & 2 ? CUSTODY_PLAYERS : CUSTODY_REFEREE, number);
    }
    client_close(&client);
    print_message("%llu games and their twins, %llu answers compared, %llu bytes\n",
                  (unsigned long long)games, (unsigned long long)count.answers,
                  (unsigned long long)count.bytes);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_engarde),          cmocka_unit_test(test_roquefort),
        cmocka_unit_test(test_roquefort_late),   cmocka_unit_test(test_roquefort_table),
        cmocka_unit_test(test_setups),           cmocka_unit_test(test_stratego),
        cmocka_unit_test(test_stratego_players),
    };

    if (argc > 1)
        cmocka_set_test_filter(argv[1]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
