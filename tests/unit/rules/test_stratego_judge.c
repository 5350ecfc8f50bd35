/* stratego/judge.c and legal.c: every pair of squares of crowded boards, by a second judge. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/support/seeded.h"
#include "tests/unit/rules/stratego_board.h"

/* A board as the test sees it: -1 empty, -2 lake, else side * 20 + rank. */
struct grid {
    bool classic;
    int at[10][10]; /* file, row */
};

static int sign(int n)
{
    return (n > 0) - (n < 0);
}

static const char *run_code(const struct grid *g, const int from[2], int df, int dr, int n)
{
    for (int i = 1; i < n; i++) {
        int on = g->at[from[0] + i * df][from[1] + i * dr];

        if (on == -2)
            return "lake";
        if (on != -1)
            return "blocked";
    }
    return "legal";
}

/* The code, in the order in which the rulings name them. */
static const char *expected_code(const struct grid *g, int seat, const int from[2],
                                 const int to[2])
{
    int piece = g->at[from[0]][from[1]], target = g->at[to[0]][to[1]];
    int df = to[0] - from[0], dr = to[1] - from[1];

    if (piece < 0 || piece / 20 != seat)
        return "no_piece";
    if (piece % 20 == FLAG || piece % 20 == (g->classic ? C_BOMB : MINE))
        return "immobile";
    if (target >= 0 && target / 20 == seat)
        return "own_piece";
    if (target == -2)
        return "lake";
    if (abs(df) + abs(dr) == 1)
        return "legal";
    if (abs(df) == 1 && abs(dr) == 1 && target >= 0)
        return "diagonal_attack";
    if (abs(df) == 1 && abs(dr) == 1 && !g->classic)
        return "legal";
    if (piece % 20 == SCOUT && (df == 0 || dr == 0))
        return run_code(g, from, sign(df), sign(dr), abs(df + dr));
    return "too_far";
}

static const char *expected_ruling(const struct grid *g, const char *code, int piece)
{
    if (strcmp(code, "no_piece") == 0 || strcmp(code, "immobile") == 0)
        return "ST-3";
    if (strcmp(code, "lake") == 0)
        return "SC-1";
    if (g->classic)
        return "SC-2";
    if (strcmp(code, "diagonal_attack") == 0)
        return "ST-4";
    return piece % 20 == SCOUT ? "ST-5" : "ST-3";
}

static bool lake(int file, int row)
{
    return (row == 4 || row == 5) && (file == 2 || file == 3 || file == 6 || file == 7);
}

static void fill(struct seeded *chance, uint8_t variant, struct grid *g, struct st_state *s)
{
    struct options options = board_options(variant);
    uint32_t crowd = 2 + seeded_below(chance, 6);

    st_ruleset.begin(s, &options);
    g->classic = variant != ST_MARSAL_A_SPION;
    for (int file = 0; file < 10; file++)
        for (int row = 0; row < 10; row++) {
            uint32_t rank = seeded_below(chance, g->classic ? 12 : 11);
            uint32_t side = seeded_below(chance, 2);

            g->at[file][row] = g->classic && lake(file, row) ? -2 : -1;
            if (g->at[file][row] == -2 || seeded_below(chance, 10) >= crowd)
                continue;
            if (seeded_below(chance, 3) == 0)
                rank = SCOUT;
            st_put(s, (uint8_t)side, cell_at(file, row), (uint8_t)rank);
            if (s->flaw) /* a side's forty are on the board */
                s->flaw = 0;
            else
                g->at[file][row] = (int)(side * 20 + rank);
        }
    st_resume(s, (uint8_t)seeded_below(chance, 2));
}

static void check_pair(const struct grid *g, const struct st_state *s, const int from[2],
                       const int to[2])
{
    struct event event = move_cells(s, cell_at(from[0], from[1]), cell_at(to[0], to[1]));
    const struct refusal *refusal = st_ruleset.name(match_judge(&st_ruleset, s, &event));
    const char *code = expected_code(g, s->turn, from, to);

    assert_string_equal(refusal->code, code);
    if (strcmp(code, "legal") != 0)
        assert_string_equal(refusal->ruling, expected_ruling(g, code, g->at[from[0]][from[1]]));
}

static void every_pair_of_squares(void **state)
{
    struct seeded chance = {7};
    struct grid g;
    struct st_state s;

    (void)state;
    for (int n = 0; n < 60; n++) {
        fill(&chance, n % 2 ? ST_PLAIN : ST_MARSAL_A_SPION, &g, &s);
        for (int i = 0; i < 10000; i++) {
            int from[2] = {i % 10, i / 10 % 10}, to[2] = {i / 100 % 10, i / 1000};

            check_pair(&g, &s, from, to);
        }
    }
}

/* ST-3 ST-5 SC-2: bytes that are no square, in both places. */
static void off_the_board(void **state)
{
    static const char *const rulings[ST_VARIANTS][2] = {
        {"ST-3", "ST-5"}, {"SC-2", "SC-2"}, {"SC-2", "SC-2"},
        {"SC-2", "SC-2"}, {"SC-2", "SC-2"}, {"SC-2", "SC-2"},
    };

    (void)state;
    for (uint8_t variant = 0; variant < ST_VARIANTS; variant++) {
        struct st_state s = board(variant, RED);

        put(&s, RED, "e4", SPY), put(&s, RED, "f4", SCOUT);
        for (unsigned byte = 0; byte < 256; byte++) {
            if (byte >= 11 && byte < 121 && byte % 11 != 10)
                continue;
            for (int scout = 0; scout < 2; scout++) {
                struct event event = move_cells(&s, cell_at(4 + scout, 3), (uint8_t)byte);
                const struct refusal *refusal =
                    st_ruleset.name(match_judge(&st_ruleset, &s, &event));

                assert_string_equal(refusal->code, "off_board");
                assert_string_equal(refusal->ruling, rulings[variant][scout]);
            }
            struct event event = move_cells(&s, (uint8_t)byte, cell_of("e5"));
            ruling_t ruling = match_judge(&st_ruleset, &s, &event);
            assert_string_equal(st_ruleset.name(ruling)->code, "off_board");
        }
    }
}

/* What is not awaited, whatever is in it. */
static void events_out_of_place(void **state)
{
    struct st_state s = board(ST_MARSAL_A_SPION, RED);
    struct event event = {.kind = EVENT_MOVE, .seat = BLUE, .size = 2};

    (void)state;
    put(&s, RED, "e4", SPY);
    assert_int_equal(st_ruleset.judge(&s, &event), REFUSE_NOT_YOUR_TURN);
    for (uint8_t kind = 0; kind < EVENT_KINDS; kind++) {
        event.kind = kind;
        event.seat = RED;
        if (kind != EVENT_MOVE)
            assert_int_equal(st_ruleset.judge(&s, &event), REFUSE_WRONG_TIME);
    }
    s.outcome.reason = REASON_FLAG;
    assert_int_equal(st_ruleset.judge(&s, &event), REFUSE_GAME_OVER);
}

/* Every refusal has a text in both languages and rests on a ruling of the table. */
static void refusals_rest_on_rulings(void **state)
{
    (void)state;
    for (ruling_t r = REFUSALS_COMMON; r < ST_REFUSALS; r++) {
        const struct refusal *refusal = st_ruleset.name(r);
        size_t i = 1;

        while (i < st_ruleset.ruling_count &&
               strcmp(st_ruleset.rulings[i].id, refusal->ruling) != 0)
            i++;
        assert_true(i < st_ruleset.ruling_count);
        assert_non_null(refusal->text[0]);
        assert_non_null(refusal->text[1]);
    }
    assert_non_null(st_ruleset.name(UINT16_MAX));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_pair_of_squares),
        cmocka_unit_test(off_the_board),
        cmocka_unit_test(events_out_of_place),
        cmocka_unit_test(refusals_rest_on_rulings),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
