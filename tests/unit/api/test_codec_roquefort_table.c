/* The castle's codec where the players hold the faces: what moves carry, and who is told. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "api/codec.h"
#include "rules/match.h"
#include "rules/roquefort/roquefort.h"
#include "rules/rulesets.h"

enum { B1 = 1, B2 = 8, C2 = 9, B3 = 15, SB = 3 };

/* In play on layout A, all roofs on, yellow on a1 and to move, red on g7. */
static struct rq_state opened(uint8_t custody, uint8_t memory)
{
    struct event event = {.kind = EVENT_DEAL, .seat = NO_SEAT, .tries = 1000};
    struct options options;
    struct effects effects;
    struct rq_state s;

    ruleset_presets(&rq_ruleset, 0, &options);
    options.custody = custody;
    options.value[RQ_FIRST] = 1;
    options.value[RQ_MEMORY] = memory;
    rq_ruleset.begin(&s, &options);
    event.size = rq_ruleset.awaits(&s).cards;
    for (uint8_t i = 0; i < event.size; i++)
        event.data[i] = i; /* b1 b2 emmental, c2 gouda, … */
    event.tries = event.size ? 1000 : 1;
    match_play(&rq_ruleset, &s, &event, &effects);
    s.mice[0] = 1;
    s.mice[1] = rq_bit(48);
    s.reserve[0] = s.reserve[1] = RQ_MICE - 1;
    return s;
}

static bool read(const struct rq_state *s, const char *text, struct event *ret_event,
                 struct fault *ret_fault)
{
    json_t *move = json_loads(text, JSON_REJECT_DUPLICATES, NULL);

    assert_non_null(move);
    *ret_event = (struct event){.seat = s->turn};
    *ret_fault = (struct fault){0};
    bool good = rq_codec.read_move(move, "/move", s, ret_event, ret_fault);
    json_decref(move);
    return good;
}

static const char *code(const struct rq_state *s, const char *text)
{
    struct event event;
    struct fault fault;

    if (!read(s, text, &event, &fault))
        fail_msg("%s: %s %s", text, fault.pointer, fault.detail);
    return rq_ruleset.name(match_judge(&rq_ruleset, s, &event))->code;
}

static struct effects play(struct rq_state *s, const char *text)
{
    struct event event;
    struct effects effects;
    struct fault fault;

    assert_true(read(s, text, &event, &fault));
    assert_int_equal(match_judge(&rq_ruleset, s, &event), ALLOWED);
    match_play(&rq_ruleset, s, &event, &effects);
    return effects;
}

static char *written(const struct event *event)
{
    struct out out = {0};
    size_t size;

    rq_codec.write_move(&out, NULL, event);
    char *text = out_take(&out, &size);
    assert_non_null(text);
    return text;
}

static void there_and_back(void **state)
{
    static const struct {
        const char *text;
        uint8_t size;
    } rows[] = {
        {"{\"type\":\"enter\",\"tower\":\"g7\"}", sizeof(struct rq_move)},
        {"{\"type\":\"step\",\"from\":\"a2\",\"to\":\"b2\"}", sizeof(struct rq_move)},
        {"{\"type\":\"end_turn\"}", sizeof(struct rq_move)},
        {"{\"type\":\"uncover\",\"square\":\"b2\"}", sizeof(struct rq_move)},
        {"{\"type\":\"uncover\",\"square\":\"b2\",\"shows\":{}}", sizeof(struct rq_report)},
        {"{\"type\":\"uncover\",\"square\":\"b2\",\"shows\":{\"b2\":\"gouda\",\"c2\":\"blank\"}"
         "}",
         sizeof(struct rq_report)},
        {"{\"type\":\"shift\",\"slot\":\"W2\"}", sizeof(struct rq_move)},
        {"{\"type\":\"shift\",\"slot\":\"W2\",\"out\":\"edam\",\"shows\":{}}",
         sizeof(struct rq_report)},
        {"{\"type\":\"shift\",\"slot\":\"W2\",\"shows\":{\"d4\":\"trapdoor\"}}",
         sizeof(struct rq_report)},
    };
    struct rq_state s = opened(CUSTODY_TABLE, RQ_STRICT);

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct event event;
        struct fault fault;

        if (!read(&s, rows[i].text, &event, &fault))
            fail_msg("%s: %s %s", rows[i].text, fault.pointer, fault.detail);
        assert_int_equal(event.kind, EVENT_MOVE);
        assert_int_equal(event.size, rows[i].size);
        char *text = written(&event);
        assert_string_equal(text, rows[i].text);
        free(text);
    }
}

/* Each floor square and each face, told by an uncover and by a shift, and the one falling out.
 */
static void each_place_and_face(void **state)
{
    struct rq_state s = opened(CUSTODY_TABLE, RQ_STRICT);

    (void)state;
    for (unsigned square = 0; square <= RQ_SQUARES; square++)
        for (uint8_t face = 0; face < RQ_FACES; face++)
            for (unsigned shift = 0; shift < 2; shift++) {
                const char name[3] = {(char)('a' + square % 7), (char)('1' + square / 7), 0};
                bool out = square == RQ_SQUARES;
                json_t *move = shift
                                   ? json_pack("{s:s, s:s}", "type", "shift", "slot", "Nb")
                                   : json_pack("{s:s, s:s}", "type", "uncover", "square", "b1");
                json_t *told = json_string(rq_faces[face]);
                struct event event = {0};
                struct fault fault = {0};
                struct rq_report report;

                json_object_set_new(move, out ? "out" : "shows",
                                    out ? told : json_pack("{s:o}", name, told));
                bool good = rq_codec.read_move(move, "", &s, &event, &fault);
                json_decref(move);
                if (out ? !shift : rq_place[square] == RQ_NO_SQUARE) {
                    assert_false(good);
                    continue;
                }
                assert_true(good);
                memcpy(&report, event.data, sizeof report);
                for (unsigned i = 0; i < RQ_TILES; i++) {
                    bool here = i == (out ? RQ_SPARE : rq_place[square]);
                    assert_int_equal(report.face[i], here ? face : RQ_UNKNOWN);
                }
            }
}

static void faults(void **state)
{
    static const char *const rows[][2] = {
        {"{\"type\":\"uncover\",\"square\":\"b2\",\"shows\":[]}", "/move/shows"},
        {"{\"type\":\"uncover\",\"square\":\"b2\",\"shows\":null}", "/move/shows"},
        {"{\"type\":\"uncover\",\"square\":\"b2\",\"shows\":{\"c1\":\"blank\"}}",
         "/move/shows/c1"},
        {"{\"type\":\"uncover\",\"square\":\"b2\",\"shows\":{\"a1\":\"blank\"}}",
         "/move/shows/a1"},
        {"{\"type\":\"uncover\",\"square\":\"b2\",\"shows\":{\"h8\":\"blank\"}}",
         "/move/shows/h8"},
        {"{\"type\":\"uncover\",\"square\":\"b2\",\"shows\":{\"b2\":\"stilton\"}}",
         "/move/shows/b2"},
        {"{\"type\":\"uncover\",\"square\":\"b2\",\"shows\":{\"b2\":null}}", "/move/shows/b2"},
        {"{\"type\":\"uncover\",\"square\":\"b2\",\"shows\":{\"b2\":2}}", "/move/shows/b2"},
        {"{\"type\":\"uncover\",\"square\":\"b2\",\"out\":\"blank\"}", "/move/out"},
        {"{\"type\":\"shift\",\"slot\":\"W2\",\"out\":\"stilton\"}", "/move/out"},
        {"{\"type\":\"shift\",\"slot\":\"W2\",\"out\":null}", "/move/out"},
        {"{\"type\":\"shift\",\"slot\":\"W2\",\"shows\":{\"a1\":\"blank\"}}", "/move/shows/a1"},
        {"{\"type\":\"step\",\"from\":\"a1\",\"to\":\"b1\",\"shows\":{}}", "/move/shows"},
        {"{\"type\":\"jump\",\"from\":\"a1\",\"to\":\"c1\",\"out\":\"edam\"}", "/move/out"},
        {"{\"type\":\"enter\",\"tower\":\"a1\",\"shows\":{}}", "/move/shows"},
        {"{\"type\":\"end_turn\",\"shows\":{}}", "/move/shows"},
    };
    struct rq_state s = opened(CUSTODY_TABLE, RQ_STRICT);

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct event event;
        struct fault fault;

        if (read(&s, rows[i][0], &event, &fault))
            fail_msg("%s was read", rows[i][0]);
        assert_string_equal(fault.pointer, rows[i][1]);
        assert_true(*fault.detail);
    }
}

/* In the referee's custody these members are as unknown as ever, and a move three bytes. */
static void referees_custody(void **state)
{
    struct rq_state s = opened(CUSTODY_REFEREE, RQ_STRICT);
    uint8_t faces[64] = {0};
    struct event event, bare;
    struct fault fault;

    (void)state;
    assert_false(read(&s,
                      "{\"type\":\"uncover\",\"square\":\"b2\",\"shows\":{\"b2\":\"edam\"}}",
                      &event, &fault));
    assert_string_equal(fault.pointer, "/move/shows");
    assert_false(
        read(&s, "{\"type\":\"shift\",\"slot\":\"W2\",\"out\":\"edam\"}", &event, &fault));
    assert_string_equal(fault.pointer, "/move/out");
    assert_true(read(&s, "{\"type\":\"uncover\",\"square\":\"b2\"}", &event, &fault));
    assert_int_equal(event.size, 3);
    bare = event;
    rq_codec.fill(&s, faces, &event);
    assert_memory_equal(&event, &bare, sizeof event);
}

static void refusals(void **state)
{
    static const struct {
        const char *move, *code;
    } rows[] = {
        {"{\"type\":\"uncover\",\"square\":\"b2\"}", "unknown_face"},
        {"{\"type\":\"uncover\",\"square\":\"b2\",\"shows\":{\"b2\":\"edam\"}}",
         "unknown_face"},
        {"{\"type\":\"uncover\",\"square\":\"b2\",\"shows\":{\"b2\":\"edam\",\"c2\":\"edam\"}}",
         "legal"},
        {"{\"type\":\"uncover\",\"square\":\"b2\",\"shows\":{\"b2\":\"edam\",\"c2\":\"edam\","
         "\"d2\":\"blank\"}}",
         "not_in_room"},
        {"{\"type\":\"shift\",\"slot\":\"Sb\"}", "unknown_face"},
        {"{\"type\":\"shift\",\"slot\":\"Sb\",\"out\":\"brie\"}", "legal"},
        {"{\"type\":\"shift\",\"slot\":\"Sb\",\"out\":\"brie\",\"shows\":{\"b2\":\"brie\"}}",
         "covered"},
    };
    struct rq_state s = opened(CUSTODY_TABLE, RQ_STRICT);

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_string_equal(code(&s, rows[i].move), rows[i].code);
}

/* A tile told once is known by its number wherever it goes, under roofs too. */
static void contradictions(void **state)
{
    struct rq_state s = opened(CUSTODY_TABLE, RQ_STRICT);

    (void)state;
    play(&s, "{\"type\":\"uncover\",\"square\":\"b1\",\"shows\":{\"b1\":\"edam\"}}");
    play(&s, "{\"type\":\"shift\",\"slot\":\"Sb\",\"out\":\"brie\"}");
    play(&s, "{\"type\":\"end_turn\"}");
    assert_true(s.open == 0);
    play(&s, "{\"type\":\"end_turn\"}");
    assert_string_equal(code(&s, "{\"type\":\"uncover\",\"square\":\"b2\",\"shows\":{"
                                 "\"b2\":\"gouda\",\"c2\":\"blank\"}}"),
                        "contradiction");
    assert_string_equal(
        code(&s, "{\"type\":\"uncover\",\"square\":\"b2\",\"shows\":{\"c2\":\"blank\"}}"),
        "unknown_face");
    assert_string_equal(code(&s, "{\"type\":\"uncover\",\"square\":\"b2\",\"shows\":{"
                                 "\"b2\":\"edam\",\"c2\":\"blank\"}}"),
                        "legal");
    assert_string_equal(
        code(&s, "{\"type\":\"uncover\",\"square\":\"b1\",\"shows\":{\"b1\":\"edam\"}}"),
        "contradiction"); /* the blank that was pushed in */
}

/* The verifier's way: a bare move from the list and the faces of the record make it whole. */
static void filling(void **state)
{
    struct rq_state s = opened(CUSTODY_TABLE, RQ_STRICT);
    struct rq_state dealt = opened(CUSTODY_REFEREE, RQ_STRICT);
    struct event moves[RQ_LEGAL_MAX];
    uint8_t faces[64];

    (void)state;
    memset(faces, FACE_UNKNOWN, sizeof faces);
    assert_int_equal(rq_codec.faces(&dealt, 0, faces), RQ_TILES);
    size_t count = rq_ruleset.legal(&s, 0, moves, RQ_LEGAL_MAX);
    for (size_t i = 0; i < count; i++) {
        struct event again;
        struct fault fault;

        rq_codec.fill(&s, faces, &moves[i]);
        assert_int_equal(match_judge(&rq_ruleset, &s, &moves[i]), ALLOWED);
        char *text = written(&moves[i]);
        assert_true(read(&s, text, &again, &fault));
        assert_int_equal(again.size, moves[i].size);
        assert_memory_equal(again.data, moves[i].data, again.size);
        free(text);
    }
}

static bool has(const struct openings *openings, uint8_t tile, uint8_t face)
{
    for (size_t i = 0; i < openings->count; i++)
        if (openings->list[i].index == tile && openings->list[i].face == face &&
            openings->list[i].seats == OPEN_TO_ALL &&
            openings->list[i].component == COMPONENT_TILE)
            return true;
    return false;
}

/* What an event tells, and what the record may hold: told faces and no other. */
static void openings_and_faces(void **state)
{
    struct rq_state s = opened(CUSTODY_TABLE, RQ_STRICT);
    struct openings openings;
    struct rq_view view;
    uint8_t faces[64];

    (void)state;
    assert_int_equal(rq_codec.faces(&s, 0, faces), RQ_TILES);
    for (unsigned i = 0; i < RQ_TILES; i++)
        assert_int_equal(faces[i], i == RQ_SPARE ? RQ_BLANK : FACE_UNKNOWN);
    struct effects effects = play(&s, "{\"type\":\"uncover\",\"square\":\"b2\",\"shows\":{"
                                      "\"b2\":\"edam\",\"c2\":\"gouda\"}}");
    rq_codec.openings(&s, &effects.list[0], &openings);
    assert_int_equal(openings.count, 2);
    assert_true(has(&openings, rq_place[B2], 3) && has(&openings, rq_place[C2], 2));
    effects = play(&s, "{\"type\":\"shift\",\"slot\":\"Sb\",\"out\":\"brie\","
                       "\"shows\":{\"b2\":\"cheddar\"}}");
    rq_codec.openings(&s, &effects.list[0], &openings);
    assert_int_equal(openings.count, 2);
    assert_true(has(&openings, rq_place[B1], 6) && has(&openings, 30, 7));
    (void)rq_codec.faces(&s, 0, faces);
    for (unsigned i = 0; i < RQ_TILES; i++)
        assert_int_equal(faces[i], i == rq_place[B1]   ? 6
                                   : i == rq_place[B2] ? 3
                                   : i == rq_place[C2] ? 2
                                   : i == 30           ? 7
                                   : i == RQ_SPARE     ? RQ_BLANK
                                                       : FACE_UNKNOWN);
    rq_ruleset.observe(&s, NO_SEAT, &view);
    assert_int_equal(view.face[rq_place[B2]], 6);
    assert_int_equal(view.face[rq_place[B3]], RQ_UNKNOWN); /* known, and under a roof */
    assert_int_equal(view.face[RQ_SPARE], 7);
}

/* CR-3, CR-11: a shift as the fourth action covers the room in which it lit a tile. Its own
 * openings are told to all, in either custody, and with a strict memory only until the next
 * event. */
static void lit_by_the_last_action(void **state)
{
    static const char *const moves[2][2] = {
        {"{\"type\":\"uncover\",\"square\":\"b2\"}", "{\"type\":\"shift\",\"slot\":\"Sb\"}"},
        {"{\"type\":\"uncover\",\"square\":\"b2\",\"shows\":{\"b2\":\"edam\","
         "\"c2\":\"gouda\"}}",
         "{\"type\":\"shift\",\"slot\":\"Sb\",\"out\":\"brie\","
         "\"shows\":{\"b2\":\"cheddar\"}}"},
    };

    (void)state;
    for (uint8_t custody = 0; custody < 2; custody++)
        for (uint8_t memory = RQ_STRICT; memory <= RQ_OPEN; memory++) {
            struct rq_state s = opened(custody ? CUSTODY_TABLE : CUSTODY_REFEREE, memory);
            struct openings openings, before;

            struct effects effects = play(&s, moves[custody][0]);
            rq_codec.openings(&s, &effects.list[0], &before);
            s.actions_left = 1;
            effects = play(&s, moves[custody][1]);
            assert_int_equal(effects.count, 2);
            assert_int_equal(effects.list[1].type, RQ_COVERED);
            assert_true(s.open == 0 && s.turn == 1);
            rq_codec.openings(&s, &effects.list[0], &openings);
            assert_int_equal(openings.count, 2);
            for (size_t i = 0; i < openings.count; i++)
                assert_true(rq_codec.told(&s, &openings.list[i]));
            /* What lay open before and was covered is not brought back by it. */
            for (size_t i = 0; i < before.count; i++)
                assert_int_equal(rq_codec.told(&s, &before.list[i]), memory == RQ_OPEN);
            play(&s, "{\"type\":\"end_turn\"}");
            for (size_t i = 0; i < openings.count; i++)
                assert_int_equal(rq_codec.told(&s, &openings.list[i]),
                                 memory == RQ_OPEN ||
                                     openings.list[i].index == s.tile[RQ_SPARE]);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(there_and_back),
        cmocka_unit_test(each_place_and_face),
        cmocka_unit_test(faults),
        cmocka_unit_test(referees_custody),
        cmocka_unit_test(refusals),
        cmocka_unit_test(contradictions),
        cmocka_unit_test(filling),
        cmocka_unit_test(openings_and_faces),
        cmocka_unit_test(lit_by_the_last_action),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
