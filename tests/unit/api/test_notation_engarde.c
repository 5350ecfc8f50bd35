/* notation_engarde.c: every form of a move and of a position, where a reader stops, and
 * drawings that show no more than a view holds. */
#include "tests/support/notation.h"

#include "rules/engarde/engarde.h"

static const char line[] = "10/13 0/4 12335/33344 1245 l - 3r";

static const struct {
    const char *text, *json;
} moves[] = {
    {"+3", "{\"type\":\"advance\",\"card\":3}"},
    {"-1", "{\"type\":\"retreat\",\"card\":1}"},
    {"x3", "{\"type\":\"attack\",\"card\":3,\"count\":1}"},
    {"x3*2", "{\"type\":\"attack\",\"card\":3,\"count\":2}"},
    {"=2", "{\"type\":\"parry\",\"count\":2}"},
    {"+4x2*2", "{\"type\":\"advance_attack\",\"move\":4,\"card\":2,\"count\":2}"},
    {"+9", "{\"type\":\"advance\",\"card\":9}"}, /* the rules say that there is none */
};

static void moves_are_read(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++)
        expect_move(&eg_notation, NULL, moves[i].text, moves[i].json);
}

static const struct {
    const char *text;
    size_t at;
    const char *what;
} misread[] = {
    {"", 1, "+, -, x or ="},         {"3", 1, "+, -, x or ="},   {"+", 2, "a number"},
    {"+03", 2, "a number"},          {"+256", 2, "at most 255"}, {"+3 ", 3, "the end"},
    {"x3*", 4, "a number"},          {"+4x", 4, "a number"},     {"=x", 2, "a number"},
    {"yield", 1, "+, -, x or ="}, /* only at a real table */
    {"show:123", 1, "+, -, x or ="},
};

static void no_move_is_told_where(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof misread / sizeof *misread; i++)
        expect_misread(&eg_notation, NULL, misread[i].text, misread[i].at, misread[i].what);
}

static void a_table_has_three_more(void **state)
{
    struct options options = presets_of(&eg_notation, "do-strehu", CUSTODY_TABLE);
    struct eg_state s;

    (void)state;
    eg_ruleset.begin(&s, &options);
    expect_move(&eg_notation, &s, "yield", "{\"type\":\"yield\"}");
    expect_move(&eg_notation, &s, "stuck", "{\"type\":\"stuck\"}");
    expect_move(&eg_notation, &s, "show:51131", "{\"type\":\"show\",\"cards\":[1,1,1,3,5]}");
    expect_misread(&eg_notation, &s, "show:16", 7, "1 to 5");
    expect_misread(&eg_notation, &s, "show:11111111111111111111111111", 31, "at most 25");
    expect_misread(&eg_notation, &s, "draw", 1, "show:");
}

static void read(const char *text, struct eg_state *ret_state)
{
    struct options options = presets_of(&eg_notation, "do-strehu", CUSTODY_REFEREE);
    struct misread wrong;

    if (!eg_notation.read_state(text, &options, ret_state, &wrong))
        fail_msg("%s: %zu %s", text, wrong.at, wrong.what);
}

static void positions_are_read(void **state)
{
    struct eg_state s;

    (void)state;
    read(line, &s);
    assert_int_equal(eg_ruleset.check(&s), ALLOWED);
    assert_int_equal(s.field[EG_LEFT], 10);
    assert_int_equal(s.hits[EG_RIGHT], 4);
    assert_int_equal(s.hand[EG_LEFT][3], 2);
    assert_int_equal(s.value[s.drawn], 1);
    assert_int_equal(s.round, 3);
    assert_int_equal(s.starter, EG_RIGHT);
    read("10/13 0/4 125/33344 1245 r 3:2/0la 3r", &s);
    assert_int_equal(s.exchange.card, 3);
    assert_int_equal(s.exchange.played[EG_LEFT], 2);
    assert_true(s.exchange.advanced);
    read("10/13 0/4 12335/33334 333 l - 3r", &s); /* nine threes */
    assert_int_equal(eg_ruleset.check(&s), EG_IMPOSSIBLE_COUNT);
    read("10/13 0/4 125/33344 1245 r 0:2/0l 3r", &s); /* an attack with nothing is one */
    assert_int_not_equal(eg_ruleset.check(&s), ALLOWED);
}

static const struct {
    const char *text;
    size_t at;
    const char *what;
} no_positions[] = {
    {"", 1, "a field"},
    {"10-13", 3, "\"/\""},
    {"10/13 0/4 ?5/33344 1245 l - 3r", 11, "hidden"},
    {"10/13 0/4 12335/?5 1245 l - 3r", 17, "hidden"},
    {"10/13 0/4 12335/33344 ?4 l - 3r", 23, "hidden"},
    {"10/13 0/4 12335/33344 6 l - 3r", 23, "1 to 5"},
    {"10/13 0/4 12335/33344 1245 x - 3r", 28, "l or r"},
    {"10/13 0/4 12335/33344 1245 l ! 3r", 30, "- or the card"},
    {"10/13 0/4 12335/33344 1245 l - 256r", 32, "1 to 255"},
    {"10/13 0/4 12335/33344 1245 l - 3r ", 34, "the end"},
    {"10/13 0/4 12335/33344 11111111111111111111111111 l - 3r", 48, "at most 25"},
};

static void no_position_is_told_where(void **state)
{
    struct options options = presets_of(&eg_notation, "knizia", CUSTODY_REFEREE);

    (void)state;
    for (size_t i = 0; i < sizeof no_positions / sizeof *no_positions; i++)
        expect_no_position(&eg_notation, options, no_positions[i].text, no_positions[i].at,
                           no_positions[i].what);
}

static void deals_are_read(void **state)
{
    struct misread wrong;
    struct event event;

    (void)state;
    assert_true(eg_notation.read_deal("1111122222333334444455555", &event, &wrong));
    for (uint8_t i = 0; i < EG_CARDS; i++)
        assert_int_equal(event.data[i], i);
    assert_false(eg_notation.read_deal("111112222233333444445555", &event, &wrong));
    assert_int_equal(wrong.at, 24);
    assert_false(eg_notation.read_deal("1111112222333334444455555", &event, &wrong));
    assert_int_equal(wrong.at, 5);
    assert_false(eg_notation.read_deal("11111222223333344444555551", &event, &wrong));
}

/* A hand that is not the viewer's is a number in the line and in the drawing. */
static void drawings_keep_hands(void **state)
{
    struct eg_state s;
    struct eg_view view;

    (void)state;
    read(line, &s);
    eg_ruleset.observe(&s, EG_LEFT, &view);
    char *text = written(eg_notation.write_view, &view),
         *drawn = written(eg_notation.draw, &view);
    assert_string_equal(text, "10/13 0/4 12335/?5 ?4 ? - 3r");
    assert_non_null(strstr(drawn, "left   hits 0, hand 1 2 3 3 5\n"));
    assert_non_null(strstr(drawn, "right  hits 4, 5 cards\n"));
    assert_non_null(strstr(drawn, "  .  L  .  .  R  .  "));
    free(text), free(drawn);
    eg_notation.see_all(&s, &view);
    drawn = written(eg_notation.draw, &view);
    assert_non_null(strstr(drawn, "hand 1 2 3 3 5\n"));
    assert_non_null(strstr(drawn, "hand 3 3 3 4 4\n"));
    free(drawn);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moves_are_read),
        cmocka_unit_test(no_move_is_told_where),
        cmocka_unit_test(a_table_has_three_more),
        cmocka_unit_test(positions_are_read),
        cmocka_unit_test(no_position_is_told_where),
        cmocka_unit_test(deals_are_read),
        cmocka_unit_test(drawings_keep_hands),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
