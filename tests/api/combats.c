/* Stratego of which the referee is told combats only: whole games by chance in every variant,
 * verified; and twin games that differ in nothing but what a viewer may not see, which must say
 * the same bytes to him.
 *
 * GAMES=N plays more games than usual.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "api/codec.h"
#include "rules/match.h"
#include "rules/rulesets.h"
#include "rules/stratego/stratego.h"
#include "tests/support/client.h"
#include "tests/support/mask.h"
#include "tests/support/table.h"

enum { GAMES_USUALLY = 30, GAMES_A_CLIENT = 6, COMBATS_MAX = 80 };

/* The combats of a game by its pieces, and the armies that fought them. */
struct course {
    uint8_t variant;
    bool shown;
    struct event setup[ST_SEATS];
    uint8_t pair[COMBATS_MAX][2]; /* attacker and defender, as pieces */
    size_t count;
};

static struct {
    unsigned games, answers, swaps, ends[REASONS];
} met;

static const char *const outcomes[] = {
    [ST_ATTACKER_LOST] = "attacker_lost",
    [ST_DEFENDER_LOST] = "defender_lost",
    [ST_BOTH_LOST] = "both_lost",
};

static unsigned games_wanted(void)
{
    const char *text = getenv("GAMES");

    return text ? (unsigned)strtoul(text, NULL, 10) : GAMES_USUALLY;
}

static uint8_t home(uint8_t piece)
{
    return st_home(piece / ST_SLOTS, piece % ST_SLOTS);
}

static void square(uint8_t piece, char ret_name[static 8])
{
    (void)snprintf(ret_name, 8, "%c%d", 'a' + home(piece) % ST_WIDTH, home(piece) / ST_WIDTH);
}

static struct options options_of(const struct course *course)
{
    struct options options;

    ruleset_presets(&st_ruleset, course->variant, &options);
    options.value[ST_OPTION_FIRST] = 1;
    options.value[ST_OPTION_CAPTIVES] = course->shown;
    options.value[ST_OPTION_TOLD] = 1;
    return options;
}

static void begin(const struct course *course, struct st_state *ret_state)
{
    struct options options = options_of(course);
    struct effects effects;

    st_ruleset.begin(ret_state, &options);
    for (int seat = 0; seat < ST_SEATS; seat++)
        match_play(&st_ruleset, ret_state, &course->setup[seat], &effects);
}

/* One half of a combat; false if the rules refuse it. */
static bool name(struct st_state *s, uint8_t kind, uint8_t piece, struct effects *effects)
{
    struct event event = {
        .kind = kind, .seat = piece / ST_SLOTS, .size = 2, .data = {home(piece)}};

    if (match_judge(&st_ruleset, s, &event) != ALLOWED)
        return false;
    match_play(&st_ruleset, s, &event, effects);
    return true;
}

static bool fight(struct st_state *s, const uint8_t pair[static 2], struct st_action *ret)
{
    struct effects effects;

    if (!name(s, EVENT_MOVE, pair[0], &effects) || !name(s, EVENT_OPEN, pair[1], &effects))
        return false;
    memcpy(ret, effects.list[0].data, sizeof *ret);
    return true;
}

/* Any piece left of a side; `acts`: that moves. */
static uint8_t any_piece(struct seeded *seeded, const struct st_state *s, uint8_t seat,
                         bool acts)
{
    struct event moves[ST_SLOTS];
    size_t count = st_ruleset.legal(s, seat, moves, ST_SLOTS);

    if (acts)
        return count ? s->board[moves[seeded_below(seeded, (uint32_t)count)].data[0]] : ST_NONE;
    for (;;) {
        uint8_t piece = (uint8_t)(seat * ST_SLOTS + seeded_below(seeded, ST_SLOTS));
        if (s->place[piece] != ST_NOWHERE)
            return piece;
    }
}

/* Combats until the game ends, or the next one would end it if it must not. */
static void draw_up(struct seeded *seeded, bool ends, struct course *ret_course)
{
    struct course *course = ret_course;
    struct st_state s, next;
    struct st_action action;

    memset(course, 0, sizeof *course);
    course->variant = (uint8_t)seeded_below(seeded, ST_VARIANTS);
    course->shown = course->variant == ST_MARSAL_A_SPION && seeded_below(seeded, 2);
    for (uint8_t seat = 0; seat < ST_SEATS; seat++)
        course->setup[seat] = table_setup(course->variant, seat, seeded);
    begin(course, &s);
    while (s.outcome.reason == REASON_NONE) {
        uint8_t seat = (uint8_t)seeded_below(seeded, ST_SEATS);
        uint8_t *pair = course->pair[course->count];
        pair[0] = any_piece(seeded, &s, seat, true);
        if (pair[0] == ST_NONE) {
            seat = !seat;
            pair[0] = any_piece(seeded, &s, seat, true);
        }
        pair[1] = any_piece(seeded, &s, !seat, false);
        next = s;
        assert_true(fight(&next, pair, &action));
        if (!ends && next.outcome.reason != REASON_NONE)
            break;
        s = next;
        course->count++;
    }
}

/* Which pieces the viewer (NO_SEAT: a spectator) has seen or owns by the end of the course. */
static void seen_of(const struct course *course, uint8_t viewer, bool ret_seen[ST_PIECES])
{
    struct st_state s;
    struct st_action action;

    begin(course, &s);
    for (uint8_t piece = 0; piece < ST_PIECES; piece++)
        ret_seen[piece] = piece / ST_SLOTS == viewer;
    for (size_t i = 0; i < course->count; i++) {
        const uint8_t *pair = course->pair[i];
        assert_true(fight(&s, pair, &action));
        bool both = course->variant != ST_MARSAL_A_SPION ||
                    (course->shown && action.outcome != ST_DEFENDER_LOST);
        if (viewer == pair[0] / ST_SLOTS) /* ST-11 SC-4 */
            ret_seen[pair[1]] = true;
        if (viewer == pair[1] / ST_SLOTS && both)
            ret_seen[pair[0]] = true;
    }
}

/* Do all combats come out as they did, and does the game go on? */
static bool same_course(const struct course *one, const struct course *other)
{
    struct st_state a, b;
    struct st_action ours, theirs;

    begin(one, &a);
    begin(other, &b);
    for (size_t i = 0; i < one->count; i++)
        if (!fight(&a, one->pair[i], &ours) || !fight(&b, one->pair[i], &theirs) ||
            ours.outcome != theirs.outcome || b.outcome.reason != a.outcome.reason)
            return false;
    return true;
}

/* The same combats by other pieces, as far as the viewer cannot know. */
static unsigned deal_anew(struct seeded *seeded, const struct course *course, uint8_t viewer,
                          struct course *ret_twin)
{
    bool seen[ST_PIECES];
    unsigned swaps = 0;

    seen_of(course, viewer, seen);
    *ret_twin = *course;
    for (int i = 0; i < 300; i++) {
        uint8_t seat = (uint8_t)seeded_below(seeded, ST_SEATS);
        uint8_t a = (uint8_t)seeded_below(seeded, ST_SLOTS);
        uint8_t b = (uint8_t)seeded_below(seeded, ST_SLOTS);
        struct course tried = *ret_twin;
        uint8_t *rank = tried.setup[seat].data, kept = rank[a];
        if (seen[seat * ST_SLOTS + a] || seen[seat * ST_SLOTS + b] || rank[a] == ST_NONE ||
            rank[b] == ST_NONE || rank[a] == rank[b])
            continue;
        rank[a] = rank[b];
        rank[b] = kept;
        if (!same_course(course, &tried))
            continue;
        *ret_twin = tried;
        swaps++;
    }
    return swaps;
}

/* Other squares for pieces that the viewer has not seen: they fight the same combats from
 * there, and which ones they were is told to nobody. */
static unsigned move_about(struct seeded *seeded, const struct course *course, uint8_t viewer,
                           struct course *twin)
{
    bool seen[ST_PIECES];
    unsigned swaps = 0;

    seen_of(course, viewer, seen);
    for (int i = 0; i < 100; i++) {
        uint8_t seat = (uint8_t)seeded_below(seeded, ST_SEATS);
        uint8_t a = (uint8_t)(seat * ST_SLOTS + seeded_below(seeded, ST_SLOTS));
        uint8_t b = (uint8_t)(seat * ST_SLOTS + seeded_below(seeded, ST_SLOTS));
        uint8_t *rank = twin->setup[seat].data, kept = rank[a % ST_SLOTS];
        if (seen[a] || seen[b] || a == b)
            continue;
        rank[a % ST_SLOTS] = rank[b % ST_SLOTS];
        rank[b % ST_SLOTS] = kept;
        for (size_t n = 0; n < twin->count; n++)
            for (int end = 0; end < 2; end++) {
                uint8_t *piece = &twin->pair[n][end];
                *piece = *piece == a ? b : *piece == b ? a : *piece;
            }
        swaps++;
    }
    return swaps;
}

/* By way of the interface */

static void open_table(struct client *client, const struct course *course,
                       struct table *ret_table)
{
    char body[256];

    (void)snprintf(body, sizeof body,
                   "{\"ruleset\":\"stratego\",\"variant\":\"%s\",\"options\":{\"told\":"
                   "\"combats\",\"first\":\"red\"%s}}",
                   st_ruleset.variants[course->variant].id,
                   course->shown ? ",\"captives\":\"shown\"" : "");
    table_make(client, body, 0, ret_table);
}

static struct answer ask(struct client *client, const struct table *table, uint8_t viewer,
                         const char *method, const char *part, const char *accept,
                         const char *body)
{
    struct answer answer;
    char path[96];
    const struct ask ask = {.method = method,
                            .path = path,
                            .bearer = viewer < ST_SEATS ? table->seat[viewer] : NULL,
                            .accept = accept,
                            .body = body};

    (void)snprintf(path, sizeof path, "/v1/games/%s%s", table->id, part);
    client_ask(client, &ask, &answer);
    return answer;
}

static struct answer post(struct client *client, const struct table *table, uint8_t seat,
                          const char *part, const char *body)
{
    struct answer answer = ask(client, table, seat, "POST", part, NULL, body);

    if (answer.response.status != 200)
        fail_msg("game %u: POST %s %s: %s", met.games, part, body, answer.text);
    return answer;
}

static struct answer set_up(struct client *client, const struct table *table,
                            const struct event *setup)
{
    struct out out = {0};
    size_t size;

    out_object(&out, NULL);
    st_codec.write_setup(&out, "pieces", setup);
    out_object_end(&out);
    char *text = out_take(&out, &size);
    assert_non_null(text);
    struct answer answer = post(client, table, setup->seat, "/setup", text);
    free(text);
    return answer;
}

static struct answer attack(struct client *client, const struct table *table, uint8_t piece)
{
    char body[64], at[8];

    square(piece, at);
    (void)snprintf(body, sizeof body, "{\"move\":{\"piece\":\"%s\"}}", at);
    return post(client, table, piece / ST_SLOTS, "/moves", body);
}

static struct answer defend(struct client *client, const struct table *table, uint8_t piece)
{
    char body[64], at[8];

    square(piece, at);
    (void)snprintf(body, sizeof body, "{\"piece\":\"%s\"}", at);
    return post(client, table, piece / ST_SLOTS, "/defend", body);
}

/* Nobody is told which pieces they were but who may see them; the mover, once more, his own. */
static void check_combat(const struct answer *answer, const uint8_t pair[static 2],
                         const struct st_action *action)
{
    json_t *event = json_at(answer->json, "/events/0");
    const char *seat = st_ruleset.seats[pair[0] / ST_SLOTS];

    assert_string_equal(answer_text(answer, "/events/0/type"), "combat");
    assert_string_equal(answer_text(answer, "/events/0/seat"), seat);
    assert_string_equal(answer_text(answer, "/events/0/outcome"), outcomes[action->outcome]);
    assert_null(json_object_get(event, "from"));
    assert_null(json_object_get(event, "to"));
    assert_int_equal(json_array_size(json_object_get(event, "openings")), action->both);
}

static void check_ended(struct client *client, const struct table *table,
                        const struct course *course, const struct st_state *s)
{
    struct answer answer = ask(client, table, NO_SEAT, "GET", "/transcript", NULL, NULL);
    struct answer events = ask(client, table, NO_SEAT, "GET", "/events", NULL, NULL);
    json_t *list = json_object_get(events.json, "events");
    json_t *ended = json_array_get(list, json_array_size(list) - 1);
    json_t *combats = json_object_get(ended, "combats"), *body;
    char from[8], to[8];

    assert_int_equal(answer.response.status, 200);
    assert_int_equal(json_array_size(combats), course->count);
    for (size_t i = 0; i < course->count; i++) {
        json_t *combat = json_array_get(combats, i);
        square(course->pair[i][0], from);
        square(course->pair[i][1], to);
        assert_string_equal(json_string_value(json_array_get(combat, 0)), from);
        assert_string_equal(json_string_value(json_array_get(combat, 1)), to);
    }
    met.ends[s->outcome.reason]++;
    body = json_pack("{s:O}", "transcript", answer.json);
    char *text = json_dumps(body, JSON_COMPACT);
    struct answer verified = client_do(client, "POST", "/v1/verify", NULL, text, 200);
    if (!json_is_true(json_object_get(verified.json, "ok")))
        fail_msg("game %u: %s", met.games, verified.text);
    free(text);
    json_decref(body);
    answer_done(&verified);
    answer_done(&events);
    answer_done(&answer);
}

static void play_whole(struct client *client, struct seeded *seeded)
{
    struct course course;
    struct table table;
    struct st_state s;
    struct st_action action;
    struct answer answer;

    draw_up(seeded, true, &course);
    open_table(client, &course, &table);
    begin(&course, &s);
    for (int seat = 0; seat < ST_SEATS; seat++) {
        answer = set_up(client, &table, &course.setup[seat]);
        answer_done(&answer);
    }
    for (size_t i = 0; i < course.count; i++) {
        const uint8_t *pair = course.pair[i];
        bool fought = fight(&s, pair, &action);
        assert_true(fought);
        answer = attack(client, &table, pair[0]);
        assert_string_equal(answer_text(&answer, "/status"), "challenge");
        assert_null(json_at(answer.json, "/events/0/from"));
        answer_done(&answer);
        if (seeded_below(seeded, 20) == 0)
            client_reload(client);
        answer = defend(client, &table, pair[1]);
        check_combat(&answer, pair, &action);
        answer_done(&answer);
    }
    check_ended(client, &table, &course, &s);
}

static void whole_games(void **state)
{
    struct client client;
    unsigned games = games_wanted();

    (void)state;
    for (unsigned game = 0; game < games; game++) {
        struct seeded seeded = {game};
        met.games = game;
        if (game % GAMES_A_CLIENT == 0)
            client_open(&client, game ? NULL : "combats", game);
        play_whole(&client, &seeded);
        if (game % GAMES_A_CLIENT == GAMES_A_CLIENT - 1 || game + 1 == games)
            client_close(&client);
    }
    assert_true(met.ends[REASON_FLAG] > 0);
    assert_true(met.ends[REASON_NO_MOVE] > 0);
}

/* Twins */

struct twins {
    struct client *client;
    struct table table[2];
    uint8_t viewer;
};

/* Takes over both answers. `tells`: the viewer gets them. */
static void same(const struct twins *twins, const char *what, struct answer answers[static 2],
                 bool tells)
{
    if (tells) {
        for (int i = 0; i < 2; i++)
            mask_text(answers[i].text, twins->table[i].id);
        if (strcmp(answers[0].text, answers[1].text) != 0)
            fail_msg("game %u, viewer %u, %s:\n%.1200s\n%.1200s", met.games, twins->viewer,
                     what, answers[0].text, answers[1].text);
        met.answers++;
    }
    const char *one = answer_text(&answers[0], "/receipt");
    const char *other = answer_text(&answers[1], "/receipt");
    if (one && other) /* of one length whatever is hidden */
        assert_int_equal(strlen(one), strlen(other));
    answer_done(&answers[0]);
    answer_done(&answers[1]);
}

static void look(const struct twins *twins)
{
    static const char *const readings[][2] = {
        {"", NULL},         {"/events", NULL},         {"/events?tokens=1", NULL},
        {"", "text/plain"}, {"/events", "text/plain"}, {"/events", "text/event-stream"},
        {"/moves", NULL},   {"/setup", NULL},
    };
    struct answer answers[2];

    for (size_t i = 0; i < sizeof readings / sizeof *readings; i++) {
        for (int which = 0; which < 2; which++)
            answers[which] = ask(twins->client, &twins->table[which], twins->viewer, "GET",
                                 readings[i][0], readings[i][1], NULL);
        assert_int_equal(answers[0].response.status, answers[1].response.status);
        same(twins, readings[i][0], answers, true);
    }
}

static void play_twins(struct client *client, struct seeded *seeded, uint8_t viewer)
{
    struct twins twins = {.client = client, .viewer = viewer};
    struct course course[2];
    struct answer answers[2];

    draw_up(seeded, false, &course[0]);
    met.swaps += deal_anew(seeded, &course[0], viewer, &course[1]);
    met.swaps += move_about(seeded, &course[0], viewer, &course[1]);
    for (int i = 0; i < 2; i++)
        open_table(client, &course[i], &twins.table[i]);
    for (uint8_t seat = 0; seat < ST_SEATS; seat++) {
        for (int i = 0; i < 2; i++)
            answers[i] = set_up(client, &twins.table[i], &course[i].setup[seat]);
        same(&twins, "a set-up", answers, seat == viewer);
    }
    for (size_t n = 0; n < course[0].count; n++) {
        const uint8_t *pair = course[0].pair[n];
        for (int i = 0; i < 2; i++)
            answers[i] = attack(client, &twins.table[i], course[i].pair[n][0]);
        same(&twins, "an attack", answers, pair[0] / ST_SLOTS == viewer);
        if (seeded_below(seeded, 4) == 0)
            look(&twins);
        for (int i = 0; i < 2; i++)
            answers[i] = defend(client, &twins.table[i], course[i].pair[n][1]);
        same(&twins, "a defence", answers, pair[1] / ST_SLOTS == viewer);
        if (seeded_below(seeded, 4) == 0 || n + 1 == course[0].count)
            look(&twins);
    }
}

static void twin_games(void **state)
{
    struct client client;
    unsigned games = games_wanted();

    (void)state;
    for (unsigned game = 0; game < games; game++) {
        static const uint8_t viewers[] = {0, 1, NO_SEAT};
        struct seeded seeded = {game + 1000000};
        met.games = game;
        if (game % GAMES_A_CLIENT == 0)
            client_open(&client, NULL, game);
        play_twins(&client, &seeded, viewers[game % 3]);
        if (game % GAMES_A_CLIENT == GAMES_A_CLIENT - 1 || game + 1 == games)
            client_close(&client);
    }
    print_message("%u swaps, %u answers compared\n", met.swaps, met.answers);
    assert_true(met.swaps > 10 * games);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_games),
        cmocka_unit_test(twin_games),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
