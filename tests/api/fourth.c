/* A fourth game beside the three, from the list of games to the verified transcript: whatever
 * api/ asks of a game is in its ruleset and its codec, and nowhere else.
 *
 * The game is tests/support/nim.h; the smallest codec there can be stands here. Its tables take
 * the place of rules/games.c and api/codecs.c, which are not linked then. docs/new-game.md
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "api/codec.h"
#include "api/notation.h"
#include "rules/rulesets.h"
#include "tests/support/client.h"
#include "tests/support/nim.h"

/* The codec. */

static bool read_move(const json_t *move, const char *pointer, const void *state,
                      struct event *ret_event, struct fault *ret_fault)
{
    int64_t take;
    struct field field = field_required("take", FIELD_INT, &take);

    (void)state;
    field.max = UINT8_MAX; /* what is well formed is for judge() to refuse */
    if (!json_fields(move, pointer, &field, 1, ret_fault))
        return false;
    ret_event->kind = EVENT_MOVE;
    ret_event->size = 1;
    ret_event->data[0] = (uint8_t)take;
    return true;
}

static void write_move(struct out *out, const char *key, const struct event *event)
{
    out_object(out, key);
    out_number(out, "take", event->data[0]);
    out_object_end(out);
}

static bool read_state(const json_t *state, const json_t *history, struct options *options,
                       void *ret_state, struct fault *ret_fault)
{
    int64_t heap;
    const char *turn;
    struct field fields[] = {
        field_required("heap", FIELD_INT, &heap),
        field_required("turn", FIELD_TEXT, &turn),
    };

    (void)history, (void)options;
    fields[0].min = 1;
    fields[0].max = UINT8_MAX;
    if (!json_fields(state, "/state", fields, 2, ret_fault))
        return false;
    if (strcmp(turn, nim_seats[0]) != 0 && strcmp(turn, nim_seats[1]) != 0)
        return fault_set(ret_fault, "/state/turn", "This must be first or second.");
    struct nim read = nim_at((uint8_t)heap);
    read.turn = strcmp(turn, nim_seats[1]) == 0;
    memcpy(ret_state, &read, sizeof read);
    return true;
}

static void write_board(struct out *out, const char *key, const void *view)
{
    const struct nim_view *v = view;

    out_object(out, key);
    out_number(out, "heap", v->heap);
    out_text(out, "turn", v->turn == NO_SEAT ? NULL : nim_seats[v->turn]);
    out_object_end(out);
}

static void write_state(struct out *out, const char *key, const void *state)
{
    struct nim_view view;

    nim_observe(state, NO_SEAT, &view);
    write_board(out, key, &view);
}

static uint8_t turn(const void *state)
{
    return ((const struct nim *)state)->turn;
}

static const char *status(const void *state)
{
    return nim_result(state).reason ? "over" : "playing";
}

static const char *effect_type(const struct effect *effect)
{
    (void)effect;
    return "taken";
}

static void write_effect(struct out *out, const struct effect *effect)
{
    out_number(out, "count", effect->data[0]);
}

static void openings(const void *state, const struct effect *effect, struct openings *ret)
{
    (void)state, (void)effect;
    ret->count = 0;
}

static size_t faces(const void *state, uint8_t context, uint8_t *ret_faces)
{
    (void)context;
    memcpy(ret_faces, ((const struct nim *)state)->order, NIM_DEALT);
    return NIM_DEALT;
}

static void component_name(const struct opening *opening, char text[static 24])
{
    (void)snprintf(text, 24, "tile/%u", opening->index);
}

static const char *face_name(const struct options *options, uint8_t face)
{
    static const char *const names[NIM_DEALT] = {"none", "one", "two"};

    (void)options;
    return face < NIM_DEALT ? names[face] : NULL;
}

static const struct codec nim_codec = {
    .rules = &nim_ruleset,
    .read_move = read_move,
    .write_move = write_move,
    .read_state = read_state,
    .write_state = write_state,
    .turn = turn,
    .status = status,
    .write_board = write_board,
    .effect_type = effect_type,
    .write_effect = write_effect,
    .write_effect_full = write_effect,
    .openings = openings,
    .faces = faces,
    .component = COMPONENT_TILE,
    .component_name = component_name,
    .face_name = face_name,
};

/* The notation: "2" is a move, "5 first" a position. */

static bool text_move(const char *text, const void *state, struct event *ret_event,
                      struct misread *ret_misread)
{
    struct reading reading = {.text = text, .misread = ret_misread};

    (void)state;
    ret_event->kind = EVENT_MOVE;
    ret_event->size = 1;
    return reading_number(&reading, UINT8_MAX, "how many are taken", &ret_event->data[0]) &&
           reading_ends(&reading);
}

static void put_move(struct out *out, const struct event *event)
{
    put_text(out, "%u", event->data[0]);
}

static bool text_state(const char *text, struct options *options, void *ret_state,
                       struct misread *ret_misread)
{
    struct reading reading = {.text = text, .misread = ret_misread};
    uint8_t heap;

    (void)options;
    if (!reading_number(&reading, UINT8_MAX, "how many there are", &heap) ||
        !reading_expects(&reading, ' '))
        return false;
    struct nim read = nim_at(heap);
    read.turn = reading_takes_word(&reading, nim_seats[1]);
    if (!read.turn && !reading_takes_word(&reading, nim_seats[0]))
        return reading_fails(&reading, "first or second");
    memcpy(ret_state, &read, sizeof read);
    return reading_ends(&reading);
}

static void put_view(struct out *out, const void *view)
{
    const struct nim_view *v = view;

    put_text(out, "%u %s", v->heap, v->turn == NO_SEAT ? "-" : nim_seats[v->turn]);
}

static void see_all(const void *state, void *ret_view)
{
    nim_observe(state, NO_SEAT, ret_view);
}

static void put_state(struct out *out, const void *state)
{
    struct nim_view view;

    see_all(state, &view);
    put_view(out, &view);
}

static void draw(struct out *out, const void *view)
{
    put_text(out, "%.*s\n", ((const struct nim_view *)view)->heap, "|||||||");
}

static const struct notation nim_notation = {
    .rules = &nim_ruleset,
    .read_move = text_move,
    .write_move = put_move,
    .read_state = text_state,
    .write_state = put_state,
    .write_view = put_view,
    .see_all = see_all,
    .draw = draw,
};

/* The tables. */

extern const struct ruleset eg_ruleset, rq_ruleset, st_ruleset;

const struct ruleset *const rulesets[] = {&eg_ruleset, &rq_ruleset, &st_ruleset, &nim_ruleset};
const size_t ruleset_count = sizeof rulesets / sizeof *rulesets;
const struct codec *const codecs[] = {&eg_codec, &rq_codec, &st_codec, &nim_codec};
const struct notation *const notations[] = {&eg_notation, &rq_notation, &st_notation,
                                            &nim_notation};

/* The tests. */

static void expect(struct answer answer, const char *part)
{
    json_auto_t *wanted = json_loads(part, 0, NULL);

    assert_non_null(wanted);
    if (!json_within(wanted, answer.json))
        print_error("%s\nis not in\n%s\n", part, answer.text);
    assert_true(json_within(wanted, answer.json));
    answer_done(&answer);
}

static const char *path(const struct table *table, const char *what)
{
    static char text[96];

    (void)snprintf(text, sizeof text, "/v1/games/%s%s", table->id, what);
    return text;
}

static void is_told_of(void **state)
{
    struct client *client = *state;

    expect(client_do(client, "GET", "/v1/rulesets", NULL, NULL, 200),
           "{\"rulesets\":[{\"id\":\"engarde\"},{\"id\":\"roquefort\"},{\"id\":\"stratego\"},"
           "{\"id\":\"nim\",\"seats\":[\"first\",\"second\"]}]}");
    expect(client_do(client, "GET", "/v1/rulesets/nim", NULL, NULL, 200),
           "{\"options\":[{\"name\":\"answer_s\"}],\"rulings\":[{\"id\":\"NM-1\"},{\"id\":\"NM-"
           "2\",\"text\":\"Each "
           "takes one to three.\",\"variants\":[\"three\"]},{\"id\":\"NM-3\"}]}");
}

static void is_judged_without_a_game(void **state)
{
    struct client *client = *state;
    const char *adjudicate = "/v1/adjudicate";

    expect(client_do(client, "POST", adjudicate, NULL,
                     "{\"ruleset\":\"nim\",\"state\":{\"heap\":2,\"turn\":\"second\"}}", 200),
           "{\"moves\":[{\"take\":1},{\"take\":2}],\"to_act\":[\"second\"]}");
    expect(client_do(client, "POST", adjudicate, NULL,
                     "{\"ruleset\":\"nim\",\"state\":{\"heap\":2,\"turn\":\"second\"},"
                     "\"moves\":[{\"take\":1},{\"take\":1}]}",
                     200),
           "{\"verdict\":\"legal\",\"status\":\"over\",\"effects\":[{\"type\":\"taken\","
           "\"seat\":\"second\",\"count\":1},{\"type\":\"taken\",\"seat\":\"first\"}],"
           "\"result\":{\"winner\":\"first\",\"reason\":\"hits\",\"ruling\":\"NM-3\"}}");
    expect(client_do(client, "POST", adjudicate, NULL,
                     "{\"ruleset\":\"nim\",\"state\":{\"heap\":2,\"turn\":\"first\"},"
                     "\"move\":{\"take\":3}}",
                     200),
           "{\"verdict\":\"illegal\",\"ruling\":\"NM-2\",\"code\":\"too_many\"}");
    expect(client_do(client, "POST", adjudicate, NULL,
                     "{\"ruleset\":\"nim\",\"state\":{\"heap\":9,\"turn\":\"first\"}}", 422),
           "{\"code\":\"impossible_state\",\"ruling\":\"NM-1\"}");
    expect(client_do(client, "POST", adjudicate, NULL,
                     "{\"ruleset\":\"nim\",\"state\":{\"heap\":9}}", 422),
           "{\"code\":\"invalid_body\"}");
}

static void is_read_and_written_as_text(void **state)
{
    struct client *client = *state;
    struct answer answer;

    expect(client_do(client, "POST", "/v1/adjudicate", NULL,
                     "{\"ruleset\":\"nim\",\"position\":\"5 second\","
                     "\"notation\":\"3\"}",
                     200),
           "{\"verdict\":\"legal\",\"state\":{\"heap\":2,\"turn\":\"first\"}}");
    expect(client_do(client, "POST", "/v1/adjudicate", NULL,
                     "{\"ruleset\":\"nim\",\"position\":\"5 third\"}", 422),
           "{\"pointer\":\"/position\"}");
    client_ask(client,
               &(struct ask){.method = "POST",
                             .path = "/v1/adjudicate",
                             .body = "{\"ruleset\":\"nim\",\"position\":\"5 second\"}",
                             .accept = "text/plain"},
               &answer);
    assert_non_null(strstr(answer.text, "|||||\n\nposition 5 second\n"));
    assert_non_null(strstr(answer.text, "1 2 3"));
    answer_done(&answer);
}

/* Its rows of the deal, hidden until now: all three, and the first settled the heap. */
static void assert_opened(const json_t *openings, json_int_t heap)
{
    unsigned seen = 0, first = 0;
    size_t index;
    json_t *one;

    assert_int_equal(json_array_size(openings), NIM_DEALT);
    json_array_foreach(openings, index, one)
    {
        const char *face = json_string_value(json_object_get(one, "face"));
        unsigned number = 0;
        while (strcmp(face_name(NULL, (uint8_t)number), face) != 0)
            number++;
        seen |= 1U << number;
        if (strcmp(json_string_value(json_object_get(one, "component")), "tile/0") == 0)
            first = number;
    }
    assert_int_equal(seen, 7);
    assert_int_equal(heap, 5 + first);
}

/* The whole record, held against the signatures and played again by the verifier. */
static void verify(struct client *client, const struct table *table, json_int_t heap)
{
    struct answer transcript =
        client_do(client, "GET", path(table, "/transcript"), NULL, NULL, 200);
    json_auto_t *body = json_pack("{s:O}", "transcript", transcript.json);
    char *text = json_dumps(body, JSON_COMPACT);

    assert_opened(json_at(transcript.json, "/openings"), heap);
    expect(client_do(client, "POST", "/v1/verify", NULL, text, 200), "{\"ok\":true}");
    answer_done(&transcript);
    free(text);
}

static json_int_t heap_of(struct client *client, const struct table *table)
{
    struct answer answer = client_do(client, "GET", path(table, ""), NULL, NULL, 200);
    json_int_t heap = json_integer_value(json_at(answer.json, "/board/heap"));

    answer_done(&answer);
    return heap;
}

static void is_played_to_the_end(void **state)
{
    struct client *client = *state;
    struct table table;

    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct seeded seeded = {seed};
        table_make(client, "{\"ruleset\":\"nim\"}", seed % 4, &table);
        json_int_t heap = heap_of(client, &table);
        while (table_move(client, &table, &seeded)) {
            client_compare(client, table.id);
            if (seed % 2)
                client_reload(client);
        }
        expect(client_do(client, "GET", path(&table, ""), NULL, NULL, 200),
               "{\"status\":\"over\",\"board\":{\"heap\":0,\"turn\":null},"
               "\"result\":{\"reason\":\"hits\",\"ruling\":\"NM-3\"}}");
        verify(client, &table, heap);
    }
}

/* Its rulings forbid, in both languages, and nothing has changed. */
static void is_refereed(void **state)
{
    struct client *client = *state;
    struct table table;
    struct answer answer;

    table_make(client, "{\"ruleset\":\"nim\",\"variant\":\"three\"}", 0, &table);
    json_int_t heap = heap_of(client, &table);
    answer = client_do(client, "GET", path(&table, ""), NULL, NULL, 200);
    unsigned turn_ = strcmp(answer_text(&answer, "/board/turn"), nim_seats[0]) != 0;
    char before[512];
    (void)snprintf(before, sizeof before, "%s", answer.text);
    answer_done(&answer);
    expect(client_do(client, "POST", path(&table, "/moves"), table.seat[!turn_],
                     "{\"move\":{\"take\":1}}", 409),
           "{\"code\":\"not_your_turn\",\"ruling\":\"NM-2\"}");
    client_ask(client,
               &(struct ask){.method = "POST",
                             .path = path(&table, "/moves"),
                             .bearer = table.seat[turn_],
                             .body = "{\"move\":{\"take\":4}}",
                             .accept_language = "cs"},
               &answer);
    expect(answer, "{\"status\":422,\"code\":\"illegal_move\",\"ruling\":\"NM-2\","
                   "\"reason\":\"too_many\",\"detail\":\"Vezměte jednu až tři.\"}");
    answer = client_do(client, "GET", path(&table, ""), NULL, NULL, 200);
    assert_string_equal(answer.text, before);
    answer_done(&answer);
    expect(client_do(client, "POST", path(&table, "/moves"), table.seat[turn_],
                     "{\"move\":{\"take\":3}}", 200),
           "{\"events\":[{\"type\":\"taken\",\"count\":3}]}");
    expect(client_do(client, "POST", path(&table, "/resign"), table.seat[turn_], NULL, 200),
           turn_ ? "{\"view\":{\"result\":{\"reason\":\"resigned\",\"winner\":\"first\"}}}"
                 : "{\"view\":{\"result\":{\"reason\":\"resigned\",\"winner\":\"second\"}}}");
    verify(client, &table, heap);
    expect(client_do(client, "POST", "/v1/games", NULL,
                     "{\"ruleset\":\"nim\",\"custody\":\"table\"}", 422),
           "{\"code\":\"invalid_body\",\"pointer\":\"/custody\"}");
}

static int open_client(void **state)
{
    static struct client client;

    client_open(&client, NULL, 4);
    *state = &client;
    return 0;
}

static int close_client(void **state)
{
    client_close(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(is_told_of, open_client, close_client),
        cmocka_unit_test_setup_teardown(is_judged_without_a_game, open_client, close_client),
        cmocka_unit_test_setup_teardown(is_read_and_written_as_text, open_client, close_client),
        cmocka_unit_test_setup_teardown(is_played_to_the_end, open_client, close_client),
        cmocka_unit_test_setup_teardown(is_refereed, open_client, close_client),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
