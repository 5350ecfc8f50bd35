/* notation_roquefort.c: every form of a move and of a position, where a reader stops, and
 * drawings in which covered tiles stay covered. */
#include "tests/support/notation.h"

#include "rules/roquefort/roquefort.h"

static const char line[] =
    "A yr y3s HR..GDB.XCH.EGXDERC.BX.D.R.C.HE.G/B c4 y:a1/3/0/EB r:-/3/1/-";

static const struct {
    const char *text, *json;
} moves[] = {
    {"+a1", "{\"type\":\"enter\",\"tower\":\"a1\"}"},
    {"?b2", "{\"type\":\"uncover\",\"square\":\"b2\"}"},
    {"a1-b1", "{\"type\":\"step\",\"from\":\"a1\",\"to\":\"b1\"}"},
    {"b1^d1", "{\"type\":\"jump\",\"from\":\"b1\",\"to\":\"d1\"}"},
    {"W2", "{\"type\":\"shift\",\"slot\":\"W2\"}"},
    {"Sf", "{\"type\":\"shift\",\"slot\":\"Sf\"}"},
    {".", "{\"type\":\"end_turn\"}"},
};

static void moves_are_read(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++)
        expect_move(&rq_notation, NULL, moves[i].text, moves[i].json);
}

static const struct {
    const char *text;
    size_t at;
    const char *what;
} misread[] = {
    {"", 1, "a move"},
    {"!", 1, "+, ?, a square"},
    {"+h1", 2, "a square"},
    {"+a8", 3, "a row"},
    {"a1", 3, "- for a step"},
    {"a1xb1", 3, "^ for a jump"},
    {"a1-b1-", 6, "the end"},
    {"Na", 1, "a slot"},
    {"W", 1, "a slot"},
    {"..", 2, "the end"},
    {"?b2,b2=gouda", 4, "the end"}, /* only at a real table */
};

static void no_move_is_told_where(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof misread / sizeof *misread; i++)
        expect_misread(&rq_notation, NULL, misread[i].text, misread[i].at, misread[i].what);
}

static void a_table_tells_tiles(void **state)
{
    struct options options = presets_of(&rq_notation, "chateau-roquefort", CUSTODY_TABLE);
    struct rq_state s;

    (void)state;
    rq_ruleset.begin(&s, &options);
    expect_move(&rq_notation, &s, "?b2,b2=gouda,c2=blank",
                "{\"type\":\"uncover\",\"square\":\"b2\","
                "\"shows\":{\"b2\":\"gouda\",\"c2\":\"blank\"}}");
    expect_move(
        &rq_notation, &s, "Nb,out=edam,b1=brie",
        "{\"type\":\"shift\",\"slot\":\"Nb\",\"out\":\"edam\",\"shows\":{\"b1\":\"brie\"}}");
    expect_misread(&rq_notation, &s, "?b2,out=edam", 5, "a square");
    expect_misread(&rq_notation, &s, "?b2,a1=edam", 5, "over a tile");
    expect_misread(&rq_notation, &s, "?b2,b2=edam,b2=brie", 13, "told once");
    expect_misread(&rq_notation, &s, "?b2,b2=feta", 8, "a cheese");
    expect_misread(&rq_notation, &s, "a1-b1,b1=edam", 6, "the end");
}

static void read(const char *text, struct options *options, struct rq_state *ret_state)
{
    struct misread wrong;

    if (!rq_notation.read_state(text, options, ret_state, &wrong))
        fail_msg("%s: %zu %s", text, wrong.at + 1, wrong.what);
}

static void positions_are_read(void **state)
{
    struct options options = presets_of(&rq_notation, "chateau-roquefort", CUSTODY_REFEREE);
    struct rq_state s;

    (void)state;
    read(line, &options, &s);
    assert_int_equal(rq_ruleset.check(&s), ALLOWED);
    assert_int_equal(s.actions_left, 3);
    assert_true(s.shifted);
    assert_true(s.mice[0] == rq_bit(0));
    assert_int_equal(s.cellar[1], 1);
    assert_int_equal(s.cheeses[0], 1 << 0 | 1 << 6); /* emmental and brie */
    assert_int_equal(s.face[s.tile[0]], 6);          /* H: cheddar */
    assert_int_equal(s.face[s.tile[RQ_SPARE]], 7);
    char *again = written(rq_notation.write_state, &s);
    assert_string_equal(again, line);
    free(again);
}

/* A plate of one's own is told by its rooms' letters. */
static void own_plates_are_read(void **state)
{
    static const char own[] = "=*ABCDE*FGHIJKLMNOPQRSTUVWXYZabcdefghijklmn*opqrs* yr y4 "
                              "?????????????????????????????????"
                              "/. - y:-/4/0/- r:-/4/0/-";
    struct options options = presets_of(&rq_notation, "chateau-roquefort", CUSTODY_REFEREE);
    struct rq_state s;

    (void)state;
    read(own, &options, &s);
    assert_true(options.plate_given);
    char *again = written(rq_notation.write_state, &s);
    assert_string_equal(again, own);
    free(again);
}

static const struct {
    const char *text;
    size_t at;
    const char *what;
} no_positions[] = {
    {"C yr", 1, "A, B or ="},
    {"A y ", 4, "two to four"},
    {"A yb y4", 5, "in turn order"},
    {"A yr b4", 6, "somebody who plays"},
    {"A yr y4 HR..GDB.XCH.EGXDERC.BX.D.R.C.HE.B", 42, "\"/\""},
    {"A yr y4 HR..GDB.XCH.EGXDERC.BX.D.R.C.HEZ", 40, "a tile"},
    {"A yr y3s HR..GDB.XCH.EGXDERC.BX.D.R.C.HE.G/B a1", 48, "no towers"},
    {"A yr y3s HR..GDB.XCH.EGXDERC.BX.D.R.C.HE.G/B c4 r", 49, "\"y\""},
    {"A yr y3s HR..GDB.XCH.EGXDERC.BX.D.R.C.HE.G/B c4 y:a1a1", 53, "each square once"},
    {"A yr y3s HR..GDB.XCH.EGXDERC.BX.D.R.C.HE.G/B c4 y:a1/3/0/EE", 59, "each cheese once"},
    {"A yr y3s HR..GDB.XCH.EGXDERC.BX.D.R.C.HE.G/B c4 y:a1/3/0/-", 59, "\" \""},
};

static void no_position_is_told_where(void **state)
{
    struct options options = presets_of(&rq_notation, "chateau-roquefort", CUSTODY_REFEREE);

    (void)state;
    for (size_t i = 0; i < sizeof no_positions / sizeof *no_positions; i++)
        expect_no_position(&rq_notation, options, no_positions[i].text, no_positions[i].at,
                           no_positions[i].what);
}

/* CR-1: 21 cheeses, 10 blanks with the spare, 3 trapdoors. */
static void deals_are_read(void **state)
{
    struct misread wrong;
    struct event event;

    (void)state;
    assert_true(rq_notation.read_deal("EEEGGGDDDRRRCCCHHHBBB.........XXX", &event, &wrong));
    assert_int_equal(event.data[0], 21);
    assert_int_equal(event.data[1], 0);
    assert_false(rq_notation.read_deal("EEEEGGDDDRRRCCCHHHBBB.........XXX", &event, &wrong));
    assert_int_equal(wrong.at, 3);
    assert_false(rq_notation.read_deal("EEEGGGDDDRRRCCCHHHBBB..........XX", &event, &wrong));
    assert_int_equal(wrong.at, 30);
}

static void drawings_keep_roofs(void **state)
{
    struct options options = presets_of(&rq_notation, "chateau-roquefort", CUSTODY_REFEREE);
    struct rq_state s;
    struct rq_view view;

    (void)state;
    read(line, &options, &s);
    rq_ruleset.observe(&s, NO_SEAT, &view);
    char *text = written(rq_notation.write_view, &view),
         *drawn = written(rq_notation.draw, &view);
    assert_string_equal(text, "A yr y3s ???????????????DE????X???????????"
                              "/B c4 y:a1/3/0/EB r:-/3/1/-");
    assert_non_null(strstr(drawn, " 1 (y)  #Q  #Q  #O  #R  #R ( )\n"));
    assert_non_null(strstr(drawn, "spare  brie\n"));
    free(text), free(drawn);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moves_are_read),      cmocka_unit_test(no_move_is_told_where),
        cmocka_unit_test(a_table_tells_tiles), cmocka_unit_test(positions_are_read),
        cmocka_unit_test(own_plates_are_read), cmocka_unit_test(no_position_is_told_where),
        cmocka_unit_test(deals_are_read),      cmocka_unit_test(drawings_keep_roofs),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
