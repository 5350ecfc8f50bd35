/* check.c and lay.c: one impossible position for each kind, beside possible neighbours. */
#include "rules/engarde/engarde.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "rules/rulesets.h"

enum { STREHU, NO_COUNTER, BASIC, STANDARD, ADVANCED };

struct position {
    uint8_t form; /* of the game: variant and options */
    uint8_t left, right, turn;
    const char *hands[2], *deck;
    struct eg_exchange exchange;
    uint8_t refusal;
};

static struct eg_state lay(const struct position *p)
{
    struct options options;
    struct eg_cards cards = {0};
    struct eg_state s;

    ruleset_presets(&eg_ruleset, p->form >= BASIC, &options);
    options.value[EG_OPTION_COUNTERATTACK] = p->form == NO_COUNTER;
    options.value[EG_OPTION_LEVEL] = p->form >= BASIC ? (int16_t)(p->form - BASIC) : 0;
    eg_ruleset.begin(&s, &options);
    s.round = 1;
    s.starter = EG_LEFT;
    s.turn = p->turn;
    s.field[EG_LEFT] = p->left;
    s.field[EG_RIGHT] = p->right;
    s.exchange = p->exchange;
    for (size_t seat = 0; seat < EG_SEATS; seat++)
        for (const char *c = p->hands[seat]; *c; c++)
            cards.hand[seat][*c - '0']++;
    for (const char *c = p->deck; *c; c++)
        cards.deck[cards.deck_size++] = (uint8_t)(*c - '0');
    eg_lay(&s, &cards);
    return s;
}

#define L EG_LEFT
#define R EG_RIGHT

static const struct position positions[] = {
    {STREHU, 1, 23, L, {"12345", "11245"}, "533", {0}, EG_ALLOWED},
    {STREHU, 1, 23, R, {"12345", "11245"}, "533112223344455", {0}, EG_ALLOWED},
    /* EG-1 */
    {STREHU, 1, 23, L, {"11111", "12345"}, "533", {0}, EG_IMPOSSIBLE_COUNT},
    {STREHU, 1, 23, L, {"12345", "12345"}, "5335555", {0}, EG_IMPOSSIBLE_COUNT},
    /* EG-2 */
    {STREHU, 0, 9, L, {"12345", "11245"}, "533", {0}, EG_IMPOSSIBLE_FIELD},
    {STREHU, 1, 24, L, {"12345", "11245"}, "533", {0}, EG_IMPOSSIBLE_FIELD},
    {STREHU, 255, 9, L, {"12345", "11245"}, "533", {0}, EG_IMPOSSIBLE_FIELD},
    {STREHU, 9, 9, L, {"12345", "11245"}, "533", {0}, EG_IMPOSSIBLE_ORDER},
    {STREHU, 14, 9, L, {"12345", "11245"}, "533", {0}, EG_IMPOSSIBLE_ORDER},
    /* EG-3, EG-9 */
    {STREHU, 4, 9, L, {"12345", "11245"}, "", {0}, EG_IMPOSSIBLE_DECK},
    {STREHU, 4, 9, L, {"1234", "11245"}, "5", {0}, EG_IMPOSSIBLE_HAND},
    {STREHU, 4, 9, L, {"12345", "112455"}, "5", {0}, EG_IMPOSSIBLE_HAND},
    /* EG-4, EG-5, EG-6 */
    {STREHU, 10, 13, R, {"125", "13344"}, "542", {3, {2, 0}, L, 0}, EG_ALLOWED},
    {STREHU, 10, 13, R, {"1255", "13344"}, "542", {3, {2, 0}, L, 0}, EG_IMPOSSIBLE_HAND},
    {STREHU, 10, 14, R, {"125", "13344"}, "542", {3, {2, 0}, L, 0}, EG_IMPOSSIBLE_DISTANCE},
    {STREHU, 10, 20, R, {"125", "13344"}, "542", {10, {2, 0}, L, 0}, EG_IMPOSSIBLE_DISTANCE},
    {STREHU, 10, 13, R, {"125", "13344"}, "542", {255, {2, 0}, L, 0}, EG_IMPOSSIBLE_DISTANCE},
    {STREHU, 10, 13, R, {"125", "13344"}, "542", {3, {2, 0}, R, 0}, EG_IMPOSSIBLE_EXCHANGE},
    {STREHU, 10, 13, L, {"12533", "134"}, "542", {3, {0, 2}, R, 0}, EG_ALLOWED},
    {STREHU, 10, 13, R, {"125", "133"}, "542", {3, {2, 2}, L, 0}, EG_IMPOSSIBLE_EXCHANGE},
    {STREHU, 10, 13, R, {"125", "13"}, "542", {3, {2, 3}, L, 0}, EG_IMPOSSIBLE_EXCHANGE},
    {STREHU, 10, 13, R, {"12555", "13344"}, "42", {3, {0, 0}, L, 0}, EG_IMPOSSIBLE_EXCHANGE},
    {STREHU, 10, 13, R, {"125", "13344"}, "5433", {3, {2, 0}, L, 0}, EG_IMPOSSIBLE_COUNT},
    {STREHU, 10, 13, R, {"1", "13344"}, "54", {3, {4, 0}, L, 0}, EG_IMPOSSIBLE_COUNT},
    {STREHU, 10, 13, R, {"125", "11344"}, "542", {3, {2, 0}, L, 0}, EG_IMPOSSIBLE_ANSWER},
    {STREHU, 10, 13, L, {"1233", "144"}, "542", {3, {1, 2}, R, 0}, EG_ALLOWED},
    {STREHU, 10, 13, L, {"1233", "144"}, "5423", {3, {1, 2}, R, 0}, EG_IMPOSSIBLE_COUNT},
    {STREHU, 10, 13, L, {"1244", "144"}, "542", {3, {1, 2}, R, 0}, EG_IMPOSSIBLE_ANSWER},
    {STREHU, 10, 13, R, {"125", "13344"}, "542", {3, {2, 0}, L, 1}, EG_IMPOSSIBLE_ADVANCED},
    {NO_COUNTER, 10, 13, R, {"125", "13344"}, "542", {3, {2, 0}, L, 0}, EG_ALLOWED},
    {NO_COUNTER, 10, 13, L, {"1233", "144"}, "542", {3, {1, 2}, R, 0}, EG_IMPOSSIBLE_EXCHANGE},
    /* EG-11 */
    {STREHU, 2, 4, L, {"33445", "11223"}, "1", {0}, EG_IMPOSSIBLE_STUCK},
    {STREHU, 2, 4, L, {"23445", "11235"}, "1", {0}, EG_ALLOWED},
    {STREHU, 2, 4, R, {"33445", "11223"}, "1", {0}, EG_ALLOWED},
    /* EK-2 */
    {BASIC, 10, 13, R, {"12455", "13344"}, "542", {3, {1, 0}, L, 0}, EG_EK_IMPOSSIBLE_BASIC},
    {STANDARD, 10, 13, R, {"12455", "13344"}, "542", {3, {1, 0}, L, 0}, EG_ALLOWED},
    {STANDARD,
     10,
     13,
     L,
     {"12334", "11444"},
     "5",
     {3, {1, 2}, R, 0},
     EG_EK_IMPOSSIBLE_EXCHANGE},
    /* EK-3 */
    {STANDARD, 10, 13, R, {"1245", "13344"}, "542", {3, {1, 0}, L, 0}, EG_EK_IMPOSSIBLE_HAND},
    {STANDARD, 10, 13, R, {"12455", "1334"}, "542", {3, {1, 0}, L, 0}, EG_EK_IMPOSSIBLE_HAND},
    {STANDARD, 10, 13, R, {"124555", "13344"}, "42", {3, {1, 0}, L, 0}, EG_EK_IMPOSSIBLE_HAND},
    {STANDARD, 10, 13, R, {"12455", "144"}, "52", {0}, EG_ALLOWED},
    {STANDARD, 10, 13, R, {"12455", "144"}, "5233", {0}, EG_EK_IMPOSSIBLE_HAND},
    {STANDARD, 10, 13, R, {"12455", "14"}, "52", {0}, EG_EK_IMPOSSIBLE_HAND},
    {STANDARD, 10, 13, L, {"12455", "144"}, "52", {0}, EG_EK_IMPOSSIBLE_HAND},
    {STANDARD, 10, 16, R, {"12455", "144"}, "52", {0}, EG_EK_IMPOSSIBLE_HAND},
    {BASIC, 10, 13, R, {"12455", "1144"}, "52", {0}, EG_EK_IMPOSSIBLE_HAND},
    {BASIC, 10, 13, R, {"124556", "11445"}, "52", {0}, EG_IMPOSSIBLE_CARD},
    /* EK-4, EK-5 */
    {ADVANCED, 10, 13, R, {"12455", "11445"}, "52", {3, {1, 0}, L, 1}, EG_ALLOWED},
    {ADVANCED, 10, 13, R, {"12455", "11445"}, "52", {3, {1, 0}, L, 0}, EG_EK_IMPOSSIBLE_ANSWER},
    {ADVANCED, 10, 13, R, {"12455", "11445"}, "5", {3, {5, 0}, L, 1}, EG_IMPOSSIBLE_ADVANCED},
    {ADVANCED, 1, 4, R, {"12455", "11445"}, "5", {3, {1, 0}, L, 1}, EG_IMPOSSIBLE_ADVANCED},
    {STANDARD, 10, 13, R, {"12455", "13445"}, "2", {3, {1, 0}, L, 1}, EG_IMPOSSIBLE_ADVANCED},
    /* Nothing was played but the attack, so no card has brought him forward; or a 5 was. */
    {ADVANCED,
     10,
     13,
     R,
     {"12455", "13445"},
     "11122223334455",
     {3, {1, 0}, L, 1},
     EG_IMPOSSIBLE_ADVANCED},
    {ADVANCED, 10, 13, R, {"12455", "13445"}, "1112222333445", {3, {1, 0}, L, 1}, EG_ALLOWED},
    /* EK-6 */
    {ADVANCED, 17, 20, R, {"12455", "44555"}, "2", {3, {2, 0}, L, 1}, EG_EK_IMPOSSIBLE_ANSWER},
    {STANDARD, 2, 4, L, {"33445", "11223"}, "1", {0}, EG_EK_IMPOSSIBLE_STUCK},
    /* EK-7 */
    {STANDARD, 10, 13, R, {"12455", "13344"}, "", {3, {1, 0}, L, 0}, EG_ALLOWED},
    {STANDARD, 10, 13, R, {"1245", "13344"}, "", {3, {2, 0}, L, 0}, EG_ALLOWED},
    /* He drew the last card, so he began with four: who lacked a card had parried with it. */
    {STANDARD, 10, 13, R, {"124", "13344"}, "", {3, {2, 0}, L, 0}, EG_EK_IMPOSSIBLE_HAND},
    {STANDARD, 10, 13, R, {"", "13344"}, "", {3, {2, 0}, L, 0}, EG_EK_IMPOSSIBLE_HAND},
    {STANDARD, 10, 13, R, {"12455", "13344"}, "", {0}, EG_EK_IMPOSSIBLE_DECK},
    {STANDARD, 10, 13, R, {"124455", "11334"}, "", {3, {1, 0}, L, 0}, EG_EK_IMPOSSIBLE_HAND},
    /* The same before an advance with attack: he lacked one card of a parry, which was of the
     * distance then: 3 and the step. Of the 4 two lie there, or of the 4 and the 5 one each. */
    {ADVANCED, 10, 13, R, {"124", "13344"}, "", {3, {1, 0}, L, 1}, EG_ALLOWED},
    {ADVANCED, 10, 13, R, {"555", "44445"}, "", {3, {1, 0}, L, 1}, EG_EK_IMPOSSIBLE_HAND},
};

static void knows_the_impossible(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof positions / sizeof *positions; i++) {
        struct position p = positions[i];
        bool strange = strchr(p.hands[0], '6') != NULL;
        if (strange)
            p.hands[0] = "12455";
        struct eg_state s = lay(&p);
        if (strange)
            eg_lay(&s, &(struct eg_cards){.strange = true});
        ruling_t got = eg_ruleset.check(&s);
        if (got != p.refusal)
            fail_msg("position %zu: \"%s\", not \"%s\"", i, eg_ruleset.name(got)->text[0],
                     eg_ruleset.name(p.refusal)->text[0]);
        if (got)
            assert_string_equal(eg_ruleset.name(got)->code, "impossible_state");
    }
}

/* Each row that says impossible_state is met above, or here. */
static void each_reason_is_met(void **unused)
{
    struct eg_state s = lay(&positions[0]);
    bool met[EG_REFUSALS] = {[EG_IMPOSSIBLE_HITS] = true, [EG_IMPOSSIBLE_ROUND] = true};

    (void)unused;
    s.hits[EG_RIGHT] = 4;
    assert_int_equal(eg_ruleset.check(&s), EG_ALLOWED);
    s.hits[EG_RIGHT] = 5;
    assert_int_equal(eg_ruleset.check(&s), EG_IMPOSSIBLE_HITS);
    s.hits[EG_RIGHT] = 0;
    s.round = 0;
    assert_int_equal(eg_ruleset.check(&s), EG_IMPOSSIBLE_ROUND);
    for (size_t i = 0; i < sizeof positions / sizeof *positions; i++)
        met[positions[i].refusal] = true;
    for (uint16_t i = 0; i < EG_REFUSALS; i++)
        if (strcmp(eg_ruleset.name(i)->code, "impossible_state") == 0 && !met[i])
            fail_msg("no position is refused because: %s", eg_ruleset.name(i)->text[0]);
}

/* Laid cards are all there: hands, what was played, the deck in its order. */
static void lays_all_cards(void **unused)
{
    struct eg_state s = lay(&positions[0]);
    uint8_t count[EG_VALUES + 1] = {0};

    (void)unused;
    assert_int_equal(s.drawn, 22);
    assert_memory_equal(&s.value[22], ((uint8_t[]){5, 3, 3}), 3);
    for (size_t i = 0; i < EG_CARDS; i++) {
        count[s.value[i]]++;
        assert_int_equal(s.place[i], i < 5    ? EG_IN_LEFT_HAND
                                     : i < 10 ? EG_IN_RIGHT_HAND
                                     : i < 22 ? EG_PLAYED
                                              : EG_IN_DECK);
    }
    for (size_t value = 1; value <= EG_VALUES; value++)
        assert_int_equal(count[value], EG_EACH);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(knows_the_impossible),
        cmocka_unit_test(each_reason_is_met),
        cmocka_unit_test(lays_all_cards),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
