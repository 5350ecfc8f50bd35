/* stratego in players' custody: set-ups, what a move must open, lists, views, impossible
 * states. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/rules/test_stratego_blind.h"

/* Set-ups */

static const uint8_t totals[ST_VARIANTS] = {40, 40, 40, 8, 10, 20};

static struct event setup_of(uint8_t seat, size_t from, size_t count)
{
    struct st_setup setup = {0};
    struct event event = {.kind = EVENT_SETUP, .seat = seat, .size = sizeof setup};

    memset(setup.rank, ST_NONE, sizeof setup.rank);
    memset(setup.rank + from, ST_HIDDEN, count);
    memcpy(event.data, &setup, sizeof setup);
    return event;
}

/* ST-1 SC-1: the number and nothing else. */
static void setups_by_number(void **state)
{
    (void)state;
    for (uint8_t variant = 0; variant < ST_VARIANTS; variant++) {
        struct options options = blind_options(variant);
        ruling_t wrong = variant ? ST_WRONG_COUNT_CLASSIC : ST_WRONG_COUNT;
        struct st_state s;

        st_ruleset.begin(&s, &options);
        for (size_t count = 0; count <= ST_SLOTS; count++) {
            struct event event = setup_of(BLUE, ST_SLOTS - count, count);

            assert_int_equal(match_judge(&st_ruleset, &s, &event),
                             count == totals[variant] ? ALLOWED : wrong);
        }
        for (unsigned byte = 0; byte < ST_HIDDEN; byte++) {
            struct event event = setup_of(RED, 0, totals[variant]);

            event.data[3] = (uint8_t)byte;
            assert_int_equal(match_judge(&st_ruleset, &s, &event), wrong);
            if (totals[variant] == ST_SLOTS)
                continue;
            event = setup_of(RED, 0, totals[variant]); /* besides the whole set */
            event.data[ST_SLOTS - 1] = (uint8_t)byte;
            assert_int_equal(match_judge(&st_ruleset, &s, &event), wrong);
        }
        struct event event = setup_of(RED, 0, totals[variant]);
        event.data[ST_SLOTS] = 1;
        assert_int_equal(match_judge(&st_ruleset, &s, &event),
                         variant ? ST_WRONG_SQUARE_CLASSIC : ST_WRONG_SQUARE);
    }
}

static void hidden_pieces_are_for_players_custody(void **state)
{
    struct options options = board_options(ST_BARRAGE);
    struct event event = setup_of(RED, 0, 8);
    struct st_state s;

    (void)state;
    st_ruleset.begin(&s, &options);
    assert_int_equal(match_judge(&st_ruleset, &s, &event), ST_WRONG_COUNT_CLASSIC);
}

static void setups_stand_hidden(void **state)
{
    struct options options = blind_options(ST_BARRAGE);
    struct effects effects;
    struct st_state s;

    (void)state;
    st_ruleset.begin(&s, &options);
    for (uint8_t seat = 0; seat < ST_SEATS; seat++) {
        struct event event = setup_of(seat, 30, 8);

        match_play(&st_ruleset, &s, &event, &effects);
        assert_int_equal(st_ruleset.check(&s), ALLOWED);
    }
    assert_int_equal(s.rank[30], ST_HIDDEN);
    assert_int_equal(s.rank[29], ST_NONE);
    assert_int_equal(piece_on(&s, "a4"), 30);
    assert_int_equal(piece_on(&s, "j7"), ST_SLOTS + 30);
    goes_on(&s, RED);
}

/* Moves */

/* ST-3 SC-2: a step opens nothing, whatever it is. */
static void steps_open_nothing(void **state)
{
    struct st_state s = blind(ST_MARSAL_A_SPION, RED);

    (void)state;
    hide(&s, RED, "e4", MINE);
    assert_int_equal(judged_as(&s, "e4", "e5", ST_NONE), ALLOWED);
    assert_int_equal(judged_as(&s, "e4", "f5", ST_NONE), ALLOWED);
    assert_int_equal(judged_as(&s, "e4", "e5", SCOUT), ST_NEEDLESS);
    assert_int_equal(judged_as(&s, "e4", "f5", ST_HIDDEN), ST_NEEDLESS);
    assert_int_equal(judged_as(&s, "e4", "f5", MINE), ST_IMMOBILE);
    struct event event = move_of(&s, "e4", "e5", FLAG);
    event.size = 2; /* what stands behind it does not count */
    assert_int_equal(match_judge(&st_ruleset, &s, &event), ALLOWED);
    struct effect effect = play_as(&s, "e4", "e5", ST_NONE);
    assert_int_equal(effect.type, ST_MOVED);
    assert_int_equal(s.rank[piece_on(&s, "e5")], ST_HIDDEN);
    goes_on(&s, BLUE);

    s = blind(ST_PLAIN, RED);
    hide(&s, RED, "e4", SCOUT);
    assert_int_equal(judged_as(&s, "e4", "e5", SCOUT), ST_NEEDLESS_CLASSIC);
    assert_int_equal(judged_as(&s, "e4", "f5", ST_NONE), ST_TOO_FAR_CLASSIC);
    assert_string_equal(st_ruleset.name(ST_NEEDLESS)->code, "needless_opening");
}

/* ST-4 ST-5 SC-2 */
static void attacks_and_runs_are_opened(void **state)
{
    struct st_state s = blind(ST_MARSAL_A_SPION, RED);

    (void)state;
    hide(&s, RED, "e4", SCOUT), hide(&s, BLUE, "e5", SPY), hide(&s, BLUE, "a4", SPY);
    assert_int_equal(judged_as(&s, "e4", "e5", ST_NONE), ST_UNOPENED);
    assert_int_equal(judged_as(&s, "e4", "e5", ST_HIDDEN), ST_UNOPENED);
    assert_int_equal(judged_as(&s, "e4", "e5", MINE + 1), ST_UNOPENED);
    assert_int_equal(judged_as(&s, "e4", "a4", ST_NONE), ST_UNOPENED_SCOUT);
    assert_int_equal(judged_as(&s, "e4", "h4", ST_NONE), ST_UNOPENED_SCOUT);
    for (uint8_t rank = 0; rank <= MINE; rank++) {
        bool still = rank == FLAG || rank == MINE;
        ruling_t far = still ? ST_IMMOBILE : rank == SCOUT ? ALLOWED : ST_TOO_FAR;

        assert_int_equal(judged_as(&s, "e4", "e5", rank), still ? ST_IMMOBILE : ALLOWED);
        assert_int_equal(judged_as(&s, "e4", "a4", rank), far);
        assert_int_equal(judged_as(&s, "e4", "h4", rank), far);
    }
    assert_int_equal(judged_as(&s, "e4", "e6", ST_NONE), ST_BLOCKED_SCOUT);
    assert_string_equal(st_ruleset.name(ST_UNOPENED)->code, "unopened");

    s = blind(ST_PLAIN, RED);
    hide(&s, RED, "e4", SCOUT), hide(&s, BLUE, "e5", SPY);
    assert_int_equal(judged_as(&s, "e4", "e5", ST_NONE), ST_UNOPENED_CLASSIC);
    assert_int_equal(judged_as(&s, "e4", "h4", ST_NONE), ST_UNOPENED_CLASSIC);
    assert_int_equal(judged_as(&s, "e4", "e5", C_BOMB), ST_IMMOBILE);
    assert_int_equal(judged_as(&s, "e4", "e5", C_BOMB + 1), ST_UNOPENED_CLASSIC);
    assert_int_equal(judged_as(&s, "e4", "h4", C_MAJOR), ST_TOO_FAR_CLASSIC);
    assert_int_equal(judged_as(&s, "e4", "h4", SCOUT), ALLOWED);
}

/* By what the referee knows, whatever is opened now. */
static void known_ranks_are_judged_by(void **state)
{
    struct st_state s = blind(ST_MARSAL_A_SPION, RED);

    (void)state;
    put(&s, RED, "e4", MINE), put(&s, RED, "a4", GENERAL);
    hide(&s, BLUE, "e5", SPY), hide(&s, BLUE, "a5", SPY);
    assert_int_equal(judged_as(&s, "e4", "d4", ST_NONE), ST_IMMOBILE);
    assert_int_equal(judged_as(&s, "e4", "e5", MARSHAL), ST_IMMOBILE);
    assert_int_equal(judged_as(&s, "a4", "c4", SCOUT), ST_TOO_FAR);
    assert_int_equal(judged_as(&s, "a4", "a5", ST_NONE), ST_UNOPENED);
    play_as(&s, "a4", "a5", MINE); /* no opening makes a general a mine */
    assert_int_equal(s.rank[piece_on(&s, "a4")], GENERAL);
    open_all(&s, BLUE);
    goes_on(&s, BLUE);
}

/* ST-5: never labelled a scout. */
static void runs_are_moves_like_others(void **state)
{
    struct st_state s = blind(ST_MARSAL_A_SPION, RED), known = s;

    (void)state;
    hide(&s, RED, "e4", SCOUT);
    known = board(ST_MARSAL_A_SPION, RED);
    put(&known, RED, "e4", SCOUT), put(&known, BLUE, "j8", SPY);
    hide(&s, BLUE, "j8", SPY);
    struct event event = move_cells(&known, cell_of("e4"), cell_of("e7"));
    struct effect expected = play(&known, &event), effect = go(&s, "e4", "e7");
    assert_memory_equal(&effect, &expected, sizeof effect);
    assert_int_equal(s.rank[piece_on(&s, "e7")], SCOUT);
    assert_int_equal(s.seen[RED], 0);
    assert_int_equal(s.plies, 1);
    goes_on(&s, BLUE);
}

/* SC-6 comes before the opening, so that nothing need be opened for a move that is barred. */
static void barred_runs_open_nothing(void **state)
{
    struct options options = blind_options(ST_PLAIN);
    struct st_state s;

    (void)state;
    options.value[ST_OPTION_TWO_SQUARE] = 1;
    s = blind_with(&options, RED);
    hide(&s, RED, "a4", SCOUT), hide(&s, BLUE, "j8", SPY);
    go(&s, "a4", "a7");
    go(&s, "j8", "j7");
    assert_int_equal(judged_as(&s, "a7", "a4", ST_NONE), ST_TWO_SQUARE);
    assert_int_equal(judged_as(&s, "a7", "a4", SCOUT), ST_TWO_SQUARE);
}

/* SC-7: two own pieces are alike if they are known to be; unknown ones may be or not. The one
 * of e3 stands on e4, where it threatens e5, and goes to d3, from where the other one has gone
 * to e4. */
static void check_swapped(uint8_t one, uint8_t other, ruling_t expected)
{
    static const char *const way[][2] = {{"e3", "e4"}, {"e4", "f4"}, {"d3", "d4"},
                                         {"f4", "f3"}, {"f3", "e3"}, {"e3", "d3"}};
    struct options options = blind_options(ST_PLAIN);
    struct st_state s;

    options.value[ST_OPTION_MORE_SQUARE] = 1;
    s = blind_with(&options, RED);
    put(&s, RED, "e3", one), put(&s, RED, "d3", other);
    hide(&s, BLUE, "e5", SPY), hide(&s, BLUE, "a8", SPY);
    for (size_t i = 0; i < 6; i++) {
        go(&s, way[i][0], way[i][1]);
        go(&s, i % 2 ? "a9" : "a8", i % 2 ? "a8" : "a9");
    }
    s.chase[RED] = ST_PLIES; /* as if all of it had been one chase */
    assert_int_equal(judged_as(&s, "d4", "e4", ST_NONE), expected);
}

static void hidden_pieces_are_not_alike(void **state)
{
    (void)state;
    check_swapped(C_MAJOR, C_MAJOR, ST_MORE_SQUARE);
    check_swapped(C_MAJOR, C_COLONEL, ALLOWED);
    check_swapped(ST_HIDDEN, ST_HIDDEN, ALLOWED);
    check_swapped(C_MAJOR, ST_HIDDEN, ALLOWED);
}

/* Views in play */

static void views_in_play(void **state)
{
    struct st_state s = blind(ST_MARSAL_A_SPION, RED);
    struct st_view view;

    (void)state;
    hide(&s, RED, "e4", CAPTAIN), put(&s, RED, "a4", SPY);
    hide(&s, BLUE, "e5", GUNNER), put(&s, BLUE, "a7", SPY), hide(&s, BLUE, "j7", CADET);
    truth[piece_on(&s, "a7")] = SPY;
    st_ruleset.observe(&s, RED, &view);
    assert_int_equal(view.rank[cell_of("e4")], ST_NONE);
    assert_int_equal(view.rank[cell_of("a4")], SPY);
    assert_int_equal(view.rank[cell_of("a7")], ST_NONE);
    assert_int_equal(view.from, ST_NOWHERE);
    go(&s, "e4", "e5");
    for (uint8_t viewer = 0; viewer < 3; viewer++) {
        st_ruleset.observe(&s, viewer < 2 ? viewer : NO_SEAT, &view);
        assert_int_equal(view.from, cell_of("e4"));
        assert_int_equal(view.to, cell_of("e5"));
        assert_false(view.claim);
        assert_int_equal(view.turn, RED);
        assert_true(view.moved[cell_of("e4")]);
        assert_int_equal(view.rank[cell_of("e4")], viewer == RED ? CAPTAIN : ST_NONE);
    }
    open_all(&s, BLUE);
    st_ruleset.observe(&s, RED, &view);
    assert_int_equal(view.from, ST_NOWHERE);
    assert_int_equal(view.lost[BLUE], 1);
    assert_int_equal(view.known[BLUE][GUNNER], 1);
    open_all(&s, BLUE);
    st_ruleset.observe(&s, NO_SEAT, &view);
    assert_true(view.claim);
    assert_int_equal(view.turn, BLUE);
    s.outcome.reason = REASON_TIME;
    st_ruleset.observe(&s, NO_SEAT, &view);
    assert_false(view.claim);
}

/* By the list a piece that the referee does not know is a scout. */
static void lists_by_geometry(void **state)
{
    struct st_state s = blind(ST_PLAIN, RED);
    struct event moves[64];

    (void)state;
    s.place[piece_on(&s, "b1")] = ST_NOWHERE, s.board[cell_of("b1")] = ST_EMPTY;
    hide(&s, RED, "a1", C_BOMB), hide(&s, BLUE, "a5", SPY);
    assert_int_equal(st_ruleset.legal(&s, RED, moves, 64), 4 + 9);
    assert_int_equal(moves[0].size, 3);
    assert_int_equal(moves[0].data[2], ST_NONE);
    s.rank[piece_on(&s, "a1")] = SPY;
    assert_int_equal(st_ruleset.legal(&s, RED, moves, 64), 2);
    s.rank[piece_on(&s, "a1")] = C_BOMB;
    assert_int_equal(st_ruleset.legal(&s, RED, moves, 64), 0);
}

/* States that cannot be */

static void impossible(const struct st_state *s)
{
    assert_int_equal(st_ruleset.check(s), ST_FLAWED);
}

static void impossible_states(void **state)
{
    struct st_state good = blind(ST_PLAIN, RED), s;

    (void)state;
    put(&good, RED, "e4", SCOUT), hide(&good, BLUE, "e5", SPY);
    assert_int_equal(st_ruleset.check(&good), ALLOWED);
    s = good, s.from = cell_of("e4"), s.to = cell_of("e5");
    assert_int_equal(st_ruleset.check(&s), ALLOWED);
    s.turn = BLUE, impossible(&s);
    s.turn = RED, s.claim = 1, impossible(&s);
    s.claim = 0, s.rank[s.board[s.from]] = ST_HIDDEN, impossible(&s);
    s.rank[s.board[s.from]] = C_BOMB, impossible(&s);
    s = good, s.from = cell_of("e4"), impossible(&s);
    s.to = cell_of("f4"), impossible(&s);
    s.to = cell_of("b1"), impossible(&s);
    s.to = 255, impossible(&s);
    s = good, s.to = cell_of("e5"), impossible(&s);
    s = good, s.claim = 1;
    assert_int_equal(st_ruleset.check(&s), ALLOWED);
    s.claim = 2, impossible(&s);
    s.claim = 1, s.turn = NO_SEAT, impossible(&s);
    s = good, s.revealed = 4, impossible(&s);
    s = good, s.blind = 2, impossible(&s);
    s = good, s.rank[30] = ST_HIDDEN, impossible(&s); /* fallen, and never opened */
    s = good, s.rank[piece_on(&s, "e5")] = 12, impossible(&s);
    s = good, put(&s, RED, "a1", FLAG);
    assert_int_equal(st_ruleset.check(&s), ALLOWED); /* the other one may be anything */
    put(&s, RED, "a2", FLAG);
    assert_int_equal(st_ruleset.check(&s), ST_FLAGS_CLASSIC);
    s = good, s.rank[piece_on(&s, "b1")] = C_MAJOR; /* all known, and no flag */
    assert_int_equal(st_ruleset.check(&s), ST_FLAGS_CLASSIC);
    s = good, put(&s, RED, "a1", SPY), put(&s, RED, "a2", SPY);
    assert_int_equal(st_ruleset.check(&s), ST_TOO_MANY_CLASSIC);

    good = board(ST_PLAIN, RED); /* the referee's custody has none of it */
    put(&good, RED, "e4", SCOUT), put(&good, BLUE, "e5", SPY);
    assert_int_equal(st_ruleset.check(&good), ALLOWED);
    s = good, s.from = cell_of("e4"), s.to = cell_of("e5"), impossible(&s);
    s = good, s.claim = 1, impossible(&s);
    s = good, s.fought = 1, impossible(&s);
    s = good, s.revealed = 1, impossible(&s);
    s = good, s.rank[piece_on(&s, "e5")] = ST_HIDDEN, impossible(&s);
}

/* In the referee's custody nobody opens anything. */
static void the_referee_is_shown_nothing(void **state)
{
    struct st_state s = board(ST_PLAIN, RED);
    struct event event = opening(RED);

    (void)state;
    put(&s, RED, "e4", SCOUT), put(&s, BLUE, "e5", SPY);
    assert_int_equal(match_judge(&st_ruleset, &s, &event), REFUSE_WRONG_TIME);
    event = move_of(&s, "e4", "e3", SPY); /* a byte behind the move is no opening */
    assert_int_equal(match_judge(&st_ruleset, &s, &event), ALLOWED);
    event = move_of(&s, "e4", "e5", MARSHAL);
    assert_int_equal(play(&s, &event).type, ST_COMBAT);
}

/* ST-3 ST-5: forty hidden pieces all over the board, none of them in another's way. */
static void a_crowd_of_runners(void **state)
{
    static struct event moves[1000];
    struct options options = blind_options(ST_MARSAL_A_SPION);
    size_t allowed = 0;
    struct st_state s;

    (void)state;
    st_ruleset.begin(&s, &options);
    for (int square = 0; square < 100; square++)
        if ((square + square / 10 * 2) % 5 % 3 == 0)
            st_put(&s, RED, cell_at(square % 10, square / 10), ST_HIDDEN);
    st_resume(&s, RED);
    for (size_t from = 0; from < ST_CELLS; from++)
        for (size_t to = 0; to < ST_CELLS; to++) {
            struct event event = move_cells(&s, (uint8_t)from, (uint8_t)to);
            ruling_t ruling = match_judge(&st_ruleset, &s, &event);

            allowed += ruling == ALLOWED || ruling == ST_UNOPENED_SCOUT;
        }
    assert_in_range(allowed, 200, 400);
    assert_int_equal(st_ruleset.legal(&s, RED, moves, 1000), allowed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(setups_by_number),
        cmocka_unit_test(hidden_pieces_are_for_players_custody),
        cmocka_unit_test(setups_stand_hidden),
        cmocka_unit_test(steps_open_nothing),
        cmocka_unit_test(attacks_and_runs_are_opened),
        cmocka_unit_test(known_ranks_are_judged_by),
        cmocka_unit_test(runs_are_moves_like_others),
        cmocka_unit_test(barred_runs_open_nothing),
        cmocka_unit_test(hidden_pieces_are_not_alike),
        cmocka_unit_test(views_in_play),
        cmocka_unit_test(lists_by_geometry),
        cmocka_unit_test(impossible_states),
        cmocka_unit_test(a_crowd_of_runners),
        cmocka_unit_test(the_referee_is_shown_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
