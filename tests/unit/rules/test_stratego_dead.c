/* stratego/dead.c: the fixpoint of ST-13 against one that walks square by square. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "rules/stratego/internal.h"
#include "tests/support/seeded.h"
#include "tests/unit/rules/stratego_board.h"

enum { NOTHING = -1 };

struct plain {
    int side[10][10], rank[10][10]; /* rank NOTHING: an empty square */
};

static bool wall(const struct plain *p, int f, int r)
{
    return p->rank[f][r] == MINE || p->rank[f][r] == FLAG;
}

/* Where pieces of `side` (miners only, if so) come, one square at a time. */
static void reach(const struct plain *p, int side, bool miners, bool out[10][10])
{
    bool grown = true;

    for (int f = 0; f < 10; f++)
        for (int r = 0; r < 10; r++)
            out[f][r] = p->rank[f][r] != NOTHING && p->side[f][r] == side && !wall(p, f, r) &&
                        (!miners || p->rank[f][r] == MINER);
    while (grown) {
        grown = false;
        for (int i = 0; i < 100 * 9; i++) {
            int f = i % 10, r = i / 10 % 10, g = f + i / 100 % 3 - 1, q = r + i / 300 - 1;
            bool on = g >= 0 && g < 10 && q >= 0 && q < 10;

            if (on && out[f][r] && !out[g][q] && !wall(p, g, q))
                out[g][q] = grown = true;
        }
    }
}

static bool touches(bool reached[10][10], int f, int r)
{
    return (f > 0 && reached[f - 1][r]) || (f < 9 && reached[f + 1][r]) ||
           (r > 0 && reached[f][r - 1]) || (r < 9 && reached[f][r + 1]);
}

/* Takes away one mine that an enemy miner can come to stand beside. */
static bool remove_one_mine(struct plain *p)
{
    for (int side = 0; side < 2; side++) {
        bool reached[10][10];

        reach(p, side, true, reached);
        for (int f = 0; f < 10; f++)
            for (int r = 0; r < 10; r++)
                if (p->rank[f][r] == MINE && p->side[f][r] != side && touches(reached, f, r)) {
                    p->rank[f][r] = NOTHING;
                    return true;
                }
    }
    return false;
}

static bool dead_by_hand(struct plain *p)
{
    while (remove_one_mine(p))
        ;
    for (int side = 0; side < 2; side++) {
        bool reached[10][10];

        reach(p, side, false, reached);
        for (int f = 0; f < 10; f++)
            for (int r = 0; r < 10; r++)
                if (p->rank[f][r] == FLAG && p->side[f][r] != side && touches(reached, f, r))
                    return false;
    }
    return true;
}

/* A flag in or near a corner with mines close by, so that about half of the positions are dead.
 */
static void place_near(struct seeded *chance, struct plain *p, int side, int rank, int spread)
{
    int f, r;

    do {
        f = (int)seeded_below(chance, (uint32_t)spread);
        r = (int)seeded_below(chance, (uint32_t)spread);
        if (side)
            f = 9 - f, r = 9 - r;
    } while (p->rank[f][r] != NOTHING);
    p->rank[f][r] = rank;
    p->side[f][r] = side;
}

static void random_position(struct seeded *chance, struct plain *p)
{
    for (int i = 0; i < 100; i++)
        p->rank[i % 10][i / 10] = NOTHING;
    for (int side = 0; side < 2; side++) {
        uint32_t mines = 3 + seeded_below(chance, 4), movers = seeded_below(chance, 3);
        int flag = (int)seeded_below(chance, 2);

        if (side)
            flag = 9 - flag;
        p->rank[flag][side * 9] = FLAG;
        p->side[flag][side * 9] = side;
        while (mines--)
            place_near(chance, p, side, MINE, 3 + (int)seeded_below(chance, 2));
        while (movers--)
            place_near(chance, p, side, seeded_below(chance, 3) ? GUNNER : MINER,
                       seeded_below(chance, 2) ? 10 : 4);
    }
}

static struct st_state board_of(const struct plain *p)
{
    struct options options = board_options(ST_MARSAL_A_SPION);
    struct st_state s;

    st_ruleset.begin(&s, &options);
    for (int i = 0; i < 100; i++)
        if (p->rank[i % 10][i / 10] != NOTHING)
            st_put(&s, (uint8_t)p->side[i % 10][i / 10], cell_at(i % 10, i / 10),
                   (uint8_t)p->rank[i % 10][i / 10]);
    return s;
}

static void stand(struct plain *p, int side, int f, int r, int rank)
{
    p->side[f][r] = side;
    p->rank[f][r] = rank;
}

/* As only a posted position can have it: blue's flag behind red's own mines, which no red miner
 * takes away, while he does take others. It comes to an end. */
static void a_flag_behind_own_mines(void **state)
{
    struct plain p;

    (void)state;
    for (int i = 0; i < 100; i++)
        p.rank[i % 10][i / 10] = NOTHING;
    stand(&p, 0, 0, 0, FLAG);
    stand(&p, 0, 5, 5, MINER);
    stand(&p, 0, 8, 9, MINE);
    stand(&p, 0, 8, 8, MINE);
    stand(&p, 0, 9, 8, MINE);
    stand(&p, 1, 9, 9, FLAG);
    stand(&p, 1, 4, 5, MINE);
    struct st_state s = board_of(&p);
    assert_true(st_dead(&s));
    p.rank[9][8] = NOTHING;
    s = board_of(&p);
    assert_false(st_dead(&s));
}

static void fixpoint_agrees(void **state)
{
    struct seeded chance = {13};
    int dead = 0, rounds = 4000;

    (void)state;
    for (int n = 0; n < rounds; n++) {
        struct plain p;

        random_position(&chance, &p);
        struct st_state s = board_of(&p);
        bool expected = dead_by_hand(&p);
        dead += expected;
        if (st_dead(&s) != expected)
            fail_msg("position %d of seed 13", n);
    }
    /* The test can tell the two apart. */
    assert_in_range(dead, rounds / 20, rounds - rounds / 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_flag_behind_own_mines),
        cmocka_unit_test(fixpoint_agrees),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
