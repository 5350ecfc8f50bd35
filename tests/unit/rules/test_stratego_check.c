/* stratego/setup.c, check.c and view.c: secret set-ups, impossible states, who sees what. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/rules/stratego_board.h"

/* Slots count from the side's own left back corner. */
static void slots_and_cells(void **state)
{
    (void)state;
    assert_int_equal(st_home(RED, 0), cell_of("a1"));
    assert_int_equal(st_home(RED, 39), cell_of("j4"));
    assert_int_equal(st_home(BLUE, 0), cell_of("j10"));
    assert_int_equal(st_home(BLUE, 1), cell_of("i10"));
    assert_int_equal(st_home(BLUE, 39), cell_of("a7"));
    for (uint8_t side = 0; side < ST_SEATS; side++) {
        int own = 0;

        for (uint8_t slot = 0; slot < ST_SLOTS; slot++)
            assert_int_equal(st_slot(side, st_home(side, slot)), slot);
        for (unsigned cell = 0; cell < 256; cell++)
            own += st_slot(side, (uint8_t)cell) != ST_NONE;
        assert_int_equal(own, ST_SLOTS);
    }
}

static void ranks_without_a_name(void **state)
{
    (void)state;
    assert_string_equal(st_rank_name(ST_PLAIN, C_BOMB), "bomb");
    assert_null(st_rank_name(ST_MARSAL_A_SPION, C_BOMB));
    for (unsigned rank = ST_RANKS; rank < 256; rank++)
        assert_null(st_rank_name(ST_PLAIN, (uint8_t)rank));
}

static struct event setup_of(uint8_t seat, const uint8_t *counts)
{
    struct st_setup setup = {0};
    struct event event = {.kind = EVENT_SETUP, .seat = seat, .size = sizeof setup};
    size_t n = 0;

    memset(setup.rank, ST_NONE, sizeof setup.rank);
    for (uint8_t rank = 0; rank < ST_RANKS; rank++)
        for (uint8_t i = 0; i < counts[rank]; i++)
            setup.rank[n++] = rank;
    memcpy(event.data, &setup, sizeof setup);
    return event;
}

static const uint8_t forty[ST_RANKS] = {1, 1, 8, 6, 5, 4, 3, 2, 1, 1, 8};
static const uint8_t eight[ST_RANKS] = {1, 1, 2, 1, 0, 0, 0, 0, 0, 1, 1, 1};

static struct st_state begun(uint8_t variant)
{
    struct options options = board_options(variant);
    struct st_state s;

    st_ruleset.begin(&s, &options);
    return s;
}

/* ST-1 SC-1: every slot with every byte in it, beside the one that belongs there. */
static void wrong_setups(void **state)
{
    struct st_state s = begun(ST_MARSAL_A_SPION), small = begun(ST_BARRAGE);
    struct event good = setup_of(RED, forty), event = good;

    (void)state;
    assert_int_equal(match_judge(&st_ruleset, &s, &good), ALLOWED);
    for (size_t slot = 0; slot < ST_SLOTS; slot++)
        for (unsigned byte = 0; byte < 256; byte++) {
            event = good;
            event.data[slot] = (uint8_t)byte;
            assert_int_equal(match_judge(&st_ruleset, &s, &event),
                             byte == good.data[slot] ? ALLOWED : ST_WRONG_COUNT);
        }
    event = good;
    event.data[0] = ST_NONE;
    event.data[ST_SLOTS] = 1; /* the square before the number */
    assert_int_equal(match_judge(&st_ruleset, &s, &event), ST_WRONG_SQUARE);
    event.seat = BLUE + 1;
    assert_int_equal(match_judge(&st_ruleset, &s, &event), REFUSE_NOT_YOUR_TURN);
    event = setup_of(BLUE, eight);
    assert_int_equal(match_judge(&st_ruleset, &small, &event), ALLOWED);
    assert_int_equal(match_judge(&st_ruleset, &small, &good), ST_WRONG_COUNT_CLASSIC);
    event.data[ST_SLOTS] = 1;
    assert_int_equal(match_judge(&st_ruleset, &small, &event), ST_WRONG_SQUARE_CLASSIC);
}

static size_t seen_pieces(const struct st_state *s, uint8_t viewer, size_t *ret_ranks)
{
    struct st_view view;
    size_t pieces = 0;

    *ret_ranks = 0;
    st_ruleset.observe(s, viewer, &view);
    for (size_t cell = 0; cell < ST_CELLS; cell++) {
        pieces += view.side[cell] != NO_SEAT;
        *ret_ranks += view.rank[cell] != ST_NONE;
    }
    return pieces;
}

/* ST-1: in secret means the squares of a small set too, until both are in. */
static void setups_are_secret(void **state)
{
    struct st_state s = begun(ST_BARRAGE);
    struct event event = setup_of(BLUE, eight);
    struct effects effects;
    size_t ranks;

    (void)state;
    match_play(&st_ruleset, &s, &event, &effects);
    assert_int_equal(seen_pieces(&s, RED, &ranks), 0);
    assert_int_equal(seen_pieces(&s, NO_SEAT, &ranks), 0);
    assert_int_equal(seen_pieces(&s, BLUE, &ranks), 8);
    assert_int_equal(match_judge(&st_ruleset, &s, &event), REFUSE_NOT_YOUR_TURN);
    event = setup_of(RED, eight);
    match_play(&st_ruleset, &s, &event, &effects);
    assert_int_equal(s.turn, RED); /* SC-3 */
    assert_int_equal(seen_pieces(&s, RED, &ranks), 16);
    assert_int_equal(ranks, 8);
    assert_int_equal(seen_pieces(&s, NO_SEAT, &ranks), 16);
    assert_int_equal(ranks, 0);
    s.outcome.reason = REASON_AGREED;
    assert_int_equal(seen_pieces(&s, NO_SEAT, &ranks), 16);
    assert_int_equal(ranks, 16);
}

/* ST-2 SC-3: who is to act when both set-ups are in, by the option `first`. */
static void who_begins(void **state)
{
    static const uint8_t turns[] = {NO_SEAT, RED, BLUE};
    struct options options = board_options(ST_BARRAGE);
    struct effects effects;

    (void)state;
    for (int16_t first = 0; first < 3; first++) {
        struct st_state s;

        options.value[ST_OPTION_FIRST] = first;
        st_ruleset.begin(&s, &options);
        for (uint8_t seat = 0; seat < ST_SEATS; seat++) {
            struct event event = setup_of(seat, eight);

            assert_int_equal(st_ruleset.awaits(&s).what, AWAIT_SETUP);
            match_play(&st_ruleset, &s, &event, &effects);
        }
        assert_int_equal(s.turn, turns[first]);
        assert_int_equal(st_ruleset.awaits(&s).what, first ? AWAIT_MOVE : AWAIT_LOT);
    }
}

/* ST-11: what was seen stays seen, on the board and off it. */
static void captured_pieces_stay_face_down(void **state)
{
    struct st_state s = board(ST_MARSAL_A_SPION, RED);
    struct st_view view;

    (void)state;
    put(&s, RED, "e4", GUNNER), put(&s, RED, "a4", SCOUT), put(&s, RED, "h4", CADET);
    put(&s, BLUE, "e5", CADET), put(&s, BLUE, "a8", MINER), put(&s, BLUE, "h5", SPY);
    assert_int_equal(played(&s, "e4", "e5"), ALLOWED); /* the gunner falls */
    assert_int_equal(played(&s, "a8", "a7"), ALLOWED);
    assert_int_equal(played(&s, "h4", "h5"), ALLOWED); /* the spy falls */
    st_ruleset.observe(&s, RED, &view);
    assert_int_equal(view.rank[cell_of("e5")], CADET);
    assert_int_equal(view.rank[cell_of("a7")], ST_NONE);
    assert_int_equal(view.lost[BLUE], 1);
    assert_int_equal(view.known[BLUE][SPY], 1);
    assert_int_equal(view.known[RED][GUNNER], 1);
    assert_true(view.moved[cell_of("a7")] && view.moved[cell_of("h5")]);
    assert_false(view.moved[cell_of("e5")]);
    st_ruleset.observe(&s, BLUE, &view);
    assert_int_equal(view.rank[cell_of("h5")], ST_NONE);
    assert_int_equal(view.lost[RED], 1);
    assert_int_equal(view.known[RED][GUNNER], 0);
    st_ruleset.observe(&s, NO_SEAT, &view);
    assert_int_equal(view.rank[cell_of("e5")], ST_NONE);
    assert_int_equal(view.known[BLUE][SPY], 0);
}

static void fill(struct st_state *s, uint8_t rank, int count)
{
    for (int i = 0; i < count; i++)
        st_put(s, RED, cell_at(i % 10, 2 + i / 10), rank);
}

/* Each kind of impossibility by its own row. */
static void impossible_states(void **state)
{
    struct st_state s = board(ST_MARSAL_A_SPION, RED);
    struct options options = board_options(ST_PLAIN);

    (void)state;
    assert_int_equal(st_ruleset.check(&s), ALLOWED);
    fill(&s, MINE, 8);
    assert_int_equal(st_ruleset.check(&s), ALLOWED);
    put(&s, RED, "j8", MINE);
    assert_int_equal(st_ruleset.check(&s), ST_TOO_MANY);
    s = board(ST_MARSAL_A_SPION, RED);
    fill(&s, SCOUT, 40);
    assert_int_equal(st_ruleset.check(&s), ST_TOO_MANY);
    s = board(ST_BARRAGE, RED);
    put(&s, RED, "e4", C_MAJOR);
    assert_int_equal(st_ruleset.check(&s), ST_TOO_MANY_CLASSIC);
    s = board(ST_PLAIN, RED);
    put(&s, RED, "c5", C_MAJOR);
    assert_int_equal(st_ruleset.check(&s), ST_IN_LAKE);
    s = board(ST_MARSAL_A_SPION, RED);
    put(&s, RED, "c5", GUNNER);
    assert_int_equal(st_ruleset.check(&s), ALLOWED);
    st_put(&s, RED, ST_NOWHERE, GUNNER);
    assert_int_equal(st_ruleset.check(&s), ST_STRAY);
    s = board(ST_MARSAL_A_SPION, RED);
    put(&s, RED, "c1", FLAG);
    assert_int_equal(st_ruleset.check(&s), ST_FLAGS);
    st_ruleset.begin(&s, &options);
    st_resume(&s, RED);
    assert_int_equal(st_ruleset.check(&s), ST_FLAGS_CLASSIC);
    options.value[ST_OPTION_PLY_LIMIT] = 10;
    s = board_with(&options, RED);
    s.plies = 10;
    assert_int_equal(st_ruleset.check(&s), ALLOWED);
    s.plies = 11;
    assert_int_equal(st_ruleset.check(&s), ST_BEYOND);
    s.outcome = (struct outcome){REASON_LIMIT, NO_SEAT, ST_RULING_SC8};
    assert_int_equal(st_ruleset.check(&s), ALLOWED);
    options.value[ST_OPTION_PLY_LIMIT] = 0;
    options.value[ST_OPTION_QUIET_LIMIT] = 10;
    s = board_with(&options, RED);
    s.plies = 11;
    s.quiet = 10;
    assert_int_equal(st_ruleset.check(&s), ALLOWED);
    s.quiet = 11;
    assert_int_equal(st_ruleset.check(&s), ST_BEYOND);
}

/* ST-1 SC-1: two pieces on one square, and more pieces than a set has. */
static void pieces_without_a_square(void **state)
{
    struct st_state s = board(ST_MARSAL_A_SPION, RED), classic = board(ST_PLAIN, RED);

    (void)state;
    put(&s, BLUE, "b1", SCOUT);
    assert_int_equal(st_ruleset.check(&s), ST_FLAWED);
    s = board(ST_MARSAL_A_SPION, RED);
    fill(&s, SCOUT, 39);
    assert_int_equal(s.flaw, ALLOWED);
    put(&s, RED, "j9", SCOUT);
    assert_int_equal(s.flaw, ST_TOO_MANY);
    for (int i = 0; i < 39; i++)
        st_put(&classic, RED, cell_at(i % 10, i / 10 < 3 ? 1 + i / 10 : 6), SCOUT);
    assert_int_equal(classic.flaw, ALLOWED);
    put(&classic, RED, "j9", SCOUT);
    assert_int_equal(classic.flaw, ST_TOO_MANY_CLASSIC);
}

/* One wrong byte anywhere in what the pieces and the board say of each other. */
static void contradictions(void **state)
{
    struct st_state good = board(ST_PLAIN, RED), s;

    (void)state;
    for (size_t cell = 0; cell < ST_CELLS; cell++)
        for (unsigned byte = 0; byte < 256; byte++) {
            s = good;
            s.board[cell] = (uint8_t)byte;
            assert_int_equal(st_ruleset.check(&s),
                             byte == good.board[cell] ? ALLOWED : ST_FLAWED);
        }
    for (size_t piece = 0; piece < ST_PIECES; piece++)
        for (unsigned byte = 1; byte < 256; byte++) {
            s = good;
            s.place[piece] = (uint8_t)byte;
            assert_int_equal(st_ruleset.check(&s),
                             byte == good.place[piece] ? ALLOWED : ST_FLAWED);
        }
    s = good, s.variant = ST_VARIANTS;
    assert_int_equal(st_ruleset.check(&s), ST_FLAWED);
    s = good, s.rank[0] = ST_RANKS;
    assert_int_equal(st_ruleset.check(&s), ST_FLAWED);
    put(&good, RED, "e4", C_MAJOR);
    s = good;
    s.place[s.board[cell_of("e4")]] = cell_of("c5"); /* into a lake */
    s.board[cell_of("c5")] = s.board[cell_of("e4")];
    s.board[cell_of("e4")] = ST_EMPTY;
    assert_int_equal(st_ruleset.check(&s), ST_FLAWED);
    s = good;
    s.place[s.board[cell_of("e4")]] = ST_NOWHERE; /* whatever fell was opened */
    s.rank[s.board[cell_of("e4")]] = ST_HIDDEN;
    s.board[cell_of("e4")] = ST_EMPTY;
    s.blind = 1;
    assert_int_equal(st_ruleset.check(&s), ST_FLAWED);
    s.rank[ST_SLOTS - 1] = C_MAJOR, s.rank[2] = ST_NONE;
    s.blind = 0;
    assert_int_equal(st_ruleset.check(&good), ALLOWED);
}

/* A byte of the state, and what it may hold in it at most. */
struct range {
    size_t at;
    uint8_t most;
    bool nobody; /* NO_SEAT too */
};

/* Every value of every byte that has a range. */
static void ranges(void **state)
{
    static const struct range rows[] = {
        {offsetof(struct st_state, outcome.reason), REASONS - 1, false},
        {offsetof(struct st_state, outcome.ruling), ST_RULINGS - 1, false},
        {offsetof(struct st_state, turn), BLUE, true},
        {offsetof(struct st_state, recorded), ST_PLIES, false},
        {offsetof(struct st_state, at), ST_PLIES - 1, false},
        {offsetof(struct st_state, chase[RED]), ST_PLIES, false},
        {offsetof(struct st_state, chase[BLUE]), ST_PLIES, false},
    };
    struct st_state good = board(ST_PLAIN, RED), s;

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (unsigned byte = 0; byte < 256; byte++) {
            bool in = byte <= rows[i].most || (rows[i].nobody && byte == NO_SEAT);

            s = good;
            s.ready = 3;
            ((uint8_t *)&s)[rows[i].at] = (uint8_t)byte;
            assert_int_equal(st_ruleset.check(&s) == ST_FLAWED, !in);
        }
    for (unsigned variant = 0; variant < 256; variant++) { /* each has its family */
        s = good;
        s.variant = (uint8_t)variant;
        assert_int_equal(st_ruleset.check(&s) == ST_FLAWED,
                         variant >= ST_VARIANTS || variant == ST_MARSAL_A_SPION);
    }
    s = good, s.family = ST_HOUSE;
    assert_int_equal(st_ruleset.check(&s), ST_FLAWED);
    for (unsigned ready = 0; ready < 256; ready++) { /* nobody moves before both are in */
        s = good;
        s.ready = (uint8_t)ready;
        assert_int_equal(st_ruleset.check(&s), ready == 3 ? ALLOWED : ST_FLAWED);
        s.turn = NO_SEAT;
        assert_int_equal(st_ruleset.check(&s) == ST_FLAWED, ready > 3);
    }
}

/* Players' custody: what waits for the other side, a byte at a time. */
static void what_can_wait(void **state)
{
    struct options options = board_options(ST_PLAIN);
    struct st_state blind, claims, attacks, s;

    (void)state;
    options.custody = CUSTODY_PLAYERS;
    blind = board_with(&options, RED);
    put(&blind, RED, "e4", C_MAJOR), put(&blind, RED, "e3", C_BOMB);
    put(&blind, BLUE, "e5", ST_HIDDEN), put(&blind, RED, "d4", ST_HIDDEN);
    attacks = claims = blind;
    attacks.from = cell_of("e4"), attacks.to = cell_of("e5");
    claims.claim = 1;
    assert_int_equal(st_ruleset.check(&blind), ALLOWED);
    assert_int_equal(st_ruleset.check(&attacks), ALLOWED);
    assert_int_equal(st_ruleset.check(&claims), ALLOWED);
    for (unsigned byte = 2; byte < 256; byte++) {
        s = blind, s.blind = (uint8_t)byte;
        assert_int_equal(st_ruleset.check(&s), ST_FLAWED);
        s = blind, s.claim = (uint8_t)byte;
        assert_int_equal(st_ruleset.check(&s), ST_FLAWED);
        s = blind, s.revealed = (uint8_t)byte;
        assert_int_equal(st_ruleset.check(&s), byte < 4 ? ALLOWED : ST_FLAWED);
        s = blind, s.combats = (uint8_t)byte;
        assert_int_equal(st_ruleset.check(&s), ST_FLAWED);
    }
    /* Without that custody there is nothing of it. */
    struct st_state plain = board(ST_PLAIN, RED);
    put(&plain, RED, "e4", C_MAJOR), put(&plain, BLUE, "e5", C_MAJOR);
    s = plain, s.revealed = 1 << RED;
    assert_int_equal(st_ruleset.check(&s), ST_FLAWED);
    s = plain, s.revealed = 1 << BLUE;
    assert_int_equal(st_ruleset.check(&s), ST_FLAWED);
    s = plain, s.fought = 1;
    assert_int_equal(st_ruleset.check(&s), ST_FLAWED);
    s = plain, s.claim = 1;
    assert_int_equal(st_ruleset.check(&s), ST_FLAWED);
    s = plain, s.from = cell_of("e4"), s.to = cell_of("e5");
    assert_int_equal(st_ruleset.check(&s), ST_FLAWED);
    /* A claim is of whoever is to move, and no attack waits beside it. */
    s = claims, s.turn = NO_SEAT;
    assert_int_equal(st_ruleset.check(&s), ST_FLAWED);
    s = claims, s.from = cell_of("e4");
    assert_int_equal(st_ruleset.check(&s), ST_FLAWED);
    s = claims, s.to = cell_of("e5");
    assert_int_equal(st_ruleset.check(&s), ST_FLAWED);
    /* An attack is by a known piece that can move, of the side to move, on an enemy. */
    s = attacks, s.turn = BLUE;
    assert_int_equal(st_ruleset.check(&s), ST_FLAWED);
    for (unsigned cell = 0; cell < 256; cell++) {
        s = attacks, s.from = (uint8_t)cell;
        assert_int_equal(st_ruleset.check(&s), cell == attacks.from ? ALLOWED : ST_FLAWED);
        s = attacks, s.to = (uint8_t)cell;
        bool enemy = cell == attacks.to || cell == cell_of("i10");
        assert_int_equal(st_ruleset.check(&s), enemy ? ALLOWED : ST_FLAWED);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slots_and_cells),   cmocka_unit_test(ranks_without_a_name),
        cmocka_unit_test(wrong_setups),      cmocka_unit_test(setups_are_secret),
        cmocka_unit_test(who_begins),        cmocka_unit_test(captured_pieces_stay_face_down),
        cmocka_unit_test(impossible_states), cmocka_unit_test(pieces_without_a_square),
        cmocka_unit_test(contradictions),    cmocka_unit_test(ranges),
        cmocka_unit_test(what_can_wait),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
