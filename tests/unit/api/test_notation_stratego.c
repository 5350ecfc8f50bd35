/* notation_stratego.c: moves, the letters of StraDos for both families, and lines and drawings
 * that show no more than a view holds. */
#include "tests/support/notation.h"

#include <stdio.h>

#include "rules/stratego/stratego.h"

/* Letters known from elsewhere: both full set-ups of the classic game. */
static const char classic[] = "FEBMBEFEEFBGIBHIBEDBGJDDDHCGJGDHDLIFKDDHAA__AA__AAAA__AA__AA"
                              "STPQNSQPTSUPWPVRPXPURNQONNQSNVPTNQRRTYUP";

static void moves_are_read(void **state)
{
    static const char *const texts[] = {"a4-a10", "a4xa10", "a4a10"};

    (void)state;
    for (size_t i = 0; i < 3; i++)
        expect_move(&st_notation, NULL, texts[i], "{\"from\":\"a4\",\"to\":\"a10\"}");
}

static const struct {
    const char *text;
    size_t at;
    const char *what;
} misread[] = {
    {"", 1, "a square"},       {"k4-a5", 1, "a square, a1 to j10"},
    {"A4-A5", 1, "a square"},  {"a0-a1", 2, "a row"},
    {"a11-a1", 2, "a row"},    {"a4-", 4, "a square"},
    {"a4--a5", 4, "a square"}, {"a4-a5 ", 6, "the end"},
    {"a4-a5x", 6, "the end"},  {"a4-a05", 5, "a row"},
};

static void no_move_is_told_where(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof misread / sizeof *misread; i++)
        expect_misread(&st_notation, NULL, misread[i].text, misread[i].at, misread[i].what);
}

/* Players' custody: room for the rank that is opened with it. */
static void a_blind_move_opens_nothing_yet(void **state)
{
    struct options options = presets_of(&st_notation, "classic", CUSTODY_PLAYERS);
    struct misread wrong;
    struct event event = {0};
    struct st_state s;

    (void)state;
    st_ruleset.begin(&s, &options);
    assert_true(st_notation.read_move("a4-a5", &s, &event, &wrong));
    assert_int_equal(event.size, ST_BLIND_MOVE);
    assert_int_equal(event.data[ST_OPENED], ST_NONE);
}

static const char *on(const struct st_state *s, char file, int row)
{
    uint8_t piece = s->board[row * ST_WIDTH + file - 'a'];

    return piece < ST_PIECES ? st_rank_name(s->variant, s->rank[piece]) : "nothing";
}

static void read(const char *variant, const char *text, struct st_state *ret_state)
{
    struct options options = presets_of(&st_notation, variant, CUSTODY_REFEREE);
    struct misread wrong;

    if (!st_notation.read_state(text, &options, ret_state, &wrong))
        fail_msg("%zu %s", wrong.at, wrong.what);
}

static void letters_are_read(void **state)
{
    char text[120];
    struct st_state s;

    (void)state;
    (void)snprintf(text, sizeof text, "%s r 0", classic);
    read("classic", text, &s);
    assert_int_equal(st_ruleset.check(&s), ALLOWED);
    assert_string_equal(on(&s, 'a', 1), "sergeant");
    assert_string_equal(on(&s, 'd', 1), "flag");
    assert_string_equal(on(&s, 'h', 4), "scout"); /* d h d l i f k d */
    assert_string_equal(on(&s, 'd', 4), "marshal");
    assert_string_equal(on(&s, 'h', 10), "flag");
    assert_string_equal(on(&s, 'a', 7), "lieutenant");
    char *again = written(st_notation.write_state, &s);
    assert_string_equal(again, text);
    free(again);
}

/* By rank order in the other family: mine, spy, miner, scout, ... */
static void house_letters_go_by_rank(void **state)
{
    static const char *const names[] = {"mine",    "spy",      "miner", "scout",
                                        "gunner",  "corporal", "cadet", "captain",
                                        "general", "marshal",  "flag"};
    char text[120];
    struct st_state s;

    (void)state;
    memset(text, 'A', 100);
    for (size_t i = 0; i < 11; i++) {
        text[i < 10 ? i : 10] = (char)('B' + i);
        text[i < 10 ? 90 + i : 80] = (char)('N' + i);
    }
    memcpy(text + 100, " b 7", 5);
    read("marsal-a-spion", text, &s);
    assert_int_equal(st_ruleset.check(&s), ALLOWED);
    for (int i = 0; i < 10; i++) {
        assert_string_equal(on(&s, (char)('a' + i), 1), names[i]);
        assert_string_equal(on(&s, (char)('a' + i), 10), names[i]);
    }
    assert_string_equal(on(&s, 'a', 2), "flag");
    assert_int_equal(s.turn, 1);
    assert_int_equal(s.plies, 7);
}

/* A small letter is a piece that the other side has seen. */
static void small_letters_are_seen(void **state)
{
    char text[120];
    struct st_state s;
    struct st_view view;

    (void)state;
    (void)snprintf(text, sizeof text, "%s r 0", classic);
    text[3 * 10 + 3] = 'l';
    read("classic", text, &s);
    st_ruleset.observe(&s, 1, &view);
    assert_int_equal(view.rank[4 * ST_WIDTH + 3], 10);
    assert_int_equal(view.rank[4 * ST_WIDTH + 4], ST_NONE);
    char *again = written(st_notation.write_state, &s);
    assert_string_equal(again, text);
    free(again);
}

static void no_position_is_told_where(void **state)
{
    struct options lakes = presets_of(&st_notation, "classic", CUSTODY_REFEREE);
    struct options house = presets_of(&st_notation, "marsal-a-spion", CUSTODY_REFEREE);
    char text[120];

    (void)state;
    (void)snprintf(text, sizeof text, "%s r 0", classic);
    expect_no_position(&st_notation, house, text, 4, "A, _ or a letter"); /* M is none */
    text[5] = '?';
    expect_no_position(&st_notation, lakes, text, 6, "hidden");
    text[5] = 'Z';
    expect_no_position(&st_notation, lakes, text, 6, "A, _ or a letter");
    text[5] = '_';
    expect_no_position(&st_notation, lakes, text, 6, "no lake here");
    text[5] = 'E';
    text[42] = 'A';
    expect_no_position(&st_notation, lakes, text, 43, "_ for a lake");
    text[42] = '_';
    text[101] = 'x';
    expect_no_position(&st_notation, lakes, text, 102, "r or b");
    text[101] = 'r';
    text[103] = 'x';
    expect_no_position(&st_notation, lakes, text, 104, "plies");
    text[60] = '\0';
    expect_no_position(&st_notation, lakes, text, 61, "100 squares");
}

static void setups_are_read(void **state)
{
    struct options options = presets_of(&st_notation, "classic", CUSTODY_REFEREE);
    struct event event = {0};
    struct misread wrong;
    struct st_setup setup;
    char text[48];

    (void)state;
    memcpy(text, classic + 60, 41);
    assert_true(st_notation.read_setup(text, &options, 1, &event, &wrong));
    memcpy(&setup, event.data, sizeof setup);
    assert_int_equal(setup.rank[2],
                     ST_FLAG); /* h10 is the third from blue's left corner, j10 */
    assert_false(st_notation.read_setup(text, &options, 0, &event, &wrong));
    assert_int_equal(wrong.at, 0);
    text[39] = '\0';
    assert_false(st_notation.read_setup(text, &options, 1, &event, &wrong));
    assert_int_equal(wrong.at, 39);
    assert_false(st_notation.read_setup("NNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNN", &options,
                                        1, &event, &wrong));
    assert_int_equal(wrong.at, 40);
}

/* Neither line nor drawing has a letter that the viewer's own view has not, in either family.
 */
static void drawings_keep_ranks(void **state)
{
    static const char *const variants[] = {"classic", "marsal-a-spion"};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct st_state s;
        struct st_view view;
        char text[120], expected[120];
        memset(text, 'A', 100);
        if (i == 0)
            memcpy(text + 40, "AA__AA__AAAA__AA__AA", 20);
        memcpy(text + 100, " r 3", 5);
        text[0] = i == 0 ? 'M' : 'L';
        text[35] = 'C';
        text[90] = i == 0 ? 'Y' : 'X';
        text[65] = 'O';
        read(variants[i], text, &s);
        st_ruleset.observe(&s, 0, &view);
        memcpy(expected, text, sizeof expected);
        expected[90] = expected[65] = '?';
        expected[103] = '?';
        char *line = written(st_notation.write_view, &view),
             *drawn = written(st_notation.draw, &view);
        assert_string_equal(line, expected);
        assert_non_null(strstr(drawn, " 10  b?"));
        assert_non_null(strstr(drawn, "  1  FL"));
        assert_null(strstr(drawn, " fl "));
        assert_null(strstr(drawn, " sp "));
        free(line), free(drawn);
        st_ruleset.observe(&s, NO_SEAT, &view);
        drawn = written(st_notation.draw, &view);
        assert_non_null(strstr(drawn, "  1  R?"));
        free(drawn);
        st_notation.see_all(&s, &view);
        drawn = written(st_notation.draw, &view);
        assert_non_null(strstr(drawn, " 10  fl"));
        assert_non_null(strstr(drawn, "  1  FL"));
        free(drawn);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moves_are_read),
        cmocka_unit_test(no_move_is_told_where),
        cmocka_unit_test(a_blind_move_opens_nothing_yet),
        cmocka_unit_test(letters_are_read),
        cmocka_unit_test(house_letters_go_by_rank),
        cmocka_unit_test(small_letters_are_seen),
        cmocka_unit_test(no_position_is_told_where),
        cmocka_unit_test(setups_are_read),
        cmocka_unit_test(drawings_keep_ranks),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
