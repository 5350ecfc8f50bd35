/* judge.c and legal.c against a plain restatement of the rulings, over every pair of fields,
 * card, count, step and a great many hands, with and without an attack on the table. */
#include "rules/engarde/engarde.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "rules/rulesets.h"

static struct eg_state fresh(uint8_t variant, uint8_t level, bool counterattack)
{
    struct options options;
    struct eg_state s;

    ruleset_presets(&eg_ruleset, variant, &options);
    options.value[EG_OPTION_FIRST] = 1;
    options.value[EG_OPTION_LEVEL] = level;
    options.value[EG_OPTION_COUNTERATTACK] = !counterattack;
    eg_ruleset.begin(&s, &options);
    s.round = 1;
    s.turn = EG_LEFT;
    return s;
}

static const char *code_of(const struct eg_state *s, struct eg_move move)
{
    struct event event = {.kind = EVENT_MOVE, .seat = s->turn, .size = sizeof move};

    memcpy(event.data, &move, sizeof move);
    return eg_ruleset.name(eg_ruleset.judge(s, &event))->code;
}

/* The rulings once more, by simulation field by field instead of by sums. */

static const char *walk(const struct eg_state *s, int direction, int steps)
{
    int at = s->field[s->turn];

    for (int i = 0; i < steps; i++) {
        at += direction;
        if (at == s->field[!s->turn])
            return "blocked";
        if (at < 1 || at > 23)
            return "off_strip";
    }
    return "legal";
}

static int gap(const struct eg_state *s, int forward)
{
    int gap = s->field[!s->turn] - s->field[s->turn];

    return (gap < 0 ? -gap : gap) - forward;
}

static int holding(const struct eg_state *s, int value)
{
    return value >= 1 && value <= 5 ? s->hand[s->turn][value] : 0;
}

static const char *expect_parry(const struct eg_state *s, int count)
{
    int owed = s->exchange.played[!s->turn] - s->exchange.played[s->turn];

    if (!s->exchange.card)
        return "nothing_to_parry";
    if (count > holding(s, s->exchange.card))
        return "not_held";
    if (count < owed)
        return "too_few";
    return count > owed && !s->counterattack ? "too_many" : "legal";
}

static const char *expect_advance_attack(const struct eg_state *s, struct eg_move m)
{
    int needed = m.count + (m.step == m.card ? 1 : 0);

    if (!m.count || holding(s, m.card) < needed || !holding(s, m.step))
        return "not_held";
    if (s->exchange.card)
        return "must_parry";
    if (s->variant == EG_DO_STREHU || s->level != EG_ADVANCED)
        return "not_in_variant";
    if (strcmp(walk(s, s->turn == EG_LEFT ? 1 : -1, m.step), "legal") != 0)
        return "blocked";
    return gap(s, m.step) == m.card ? "legal" : "out_of_reach";
}

static const char *expected(const struct eg_state *s, struct eg_move m)
{
    int up = s->turn == EG_LEFT ? 1 : -1;

    if (m.verb == EG_PARRY)
        return expect_parry(s, m.count);
    if (m.verb == EG_ADVANCE_ATTACK)
        return expect_advance_attack(s, m);
    if (!m.count || holding(s, m.card) < m.count)
        return "not_held";
    if (s->exchange.card && !(m.verb == EG_RETREAT && s->exchange.advanced))
        return "must_parry";
    if (m.verb != EG_ATTACK)
        return walk(s, m.verb == EG_ADVANCE ? up : -up, m.card);
    if (gap(s, 0) != m.card)
        return "out_of_reach";
    bool basic = s->variant == EG_KNIZIA && s->level == EG_BASIC;
    return basic && m.count > 1 ? "too_many" : "legal";
}

static size_t judged; /* how many verdicts were compared */

static void compare(const struct eg_state *s, struct eg_move m)
{
    const char *got = code_of(s, m), *want = expected(s, m);

    judged++;
    if (strcmp(got, want) != 0)
        fail_msg("fields %d/%d turn %d hand %d%d%d%d%d exchange %d(%d:%d%s): verb %d card %d "
                 "count %d step %d is %s, not %s",
                 s->field[0], s->field[1], s->turn, s->hand[s->turn][1], s->hand[s->turn][2],
                 s->hand[s->turn][3], s->hand[s->turn][4], s->hand[s->turn][5],
                 s->exchange.card, s->exchange.played[0], s->exchange.played[1],
                 s->exchange.advanced ? " advanced" : "", m.verb, m.card, m.count, m.step, got,
                 want);
}

static void compare_all(const struct eg_state *s, bool steps)
{
    for (uint8_t card = 0; card <= 6; card++) {
        compare(s, (struct eg_move){EG_ADVANCE, card, 1, 0});
        compare(s, (struct eg_move){EG_RETREAT, card, 1, 0});
        compare(s, (struct eg_move){EG_PARRY, 0, card, 0});
        for (uint8_t count = 0; count <= 6; count++) {
            compare(s, (struct eg_move){EG_ATTACK, card, count, 0});
            for (uint8_t step = 0; steps && step <= 6; step++)
                compare(s, (struct eg_move){EG_ADVANCE_ATTACK, card, count, step});
        }
    }
}

/* Gives the seat on turn a hand: `n` cards of `a`, `m` of `b`, the rest of it none. */
static void give(struct eg_state *s, int a, int n, int b, int m)
{
    uint8_t *hand = s->hand[s->turn];

    memset(hand, 0, sizeof s->hand[0]);
    hand[a] = (uint8_t)n;
    hand[b] = (uint8_t)(hand[b] + m);
    hand[0] = (uint8_t)(n + m);
}

typedef void visit_fn(struct eg_state *s);

/* All fields, both seats, all hands of up to two values. */
static void everywhere(struct eg_state s, visit_fn *visit)
{
    for (uint8_t left = 1; left < 23; left++)
        for (uint8_t right = (uint8_t)(left + 1); right <= 23; right++)
            for (uint8_t turn = 0; turn < 2; turn++) {
                s.field[EG_LEFT] = left;
                s.field[EG_RIGHT] = right;
                s.turn = turn;
                visit(&s);
            }
}

/* EG-2, EG-4 */
static void visit_free(struct eg_state *s)
{
    bool advanced = s->variant == EG_KNIZIA && s->level == EG_ADVANCED;

    for (int a = 1; a <= 5; a++)
        for (int b = a + 1; b <= 5; b++)
            for (int n = 0; n <= 5; n += advanced ? 1 : 2) {
                give(s, a, n, b, 5 - n);
                compare_all(s, advanced && s->field[EG_RIGHT] - s->field[EG_LEFT] <= 11);
            }
}

static void judges_steps_and_attacks(void **unused)
{
    (void)unused;
    everywhere(fresh(EG_DO_STREHU, 0, true), visit_free);
    everywhere(fresh(EG_KNIZIA, EG_BASIC, false), visit_free);
    everywhere(fresh(EG_KNIZIA, EG_ADVANCED, false), visit_free);
    assert_true(judged > 1000000);
}

/* EG-2: a step is one card, though one holds several of it. */
static void a_step_is_one_card(void **unused)
{
    struct eg_state s = fresh(EG_DO_STREHU, 0, true);

    (void)unused;
    s.field[EG_LEFT] = 6;
    s.field[EG_RIGHT] = 18;
    give(&s, 2, 5, 3, 0);
    for (uint8_t verb = EG_ADVANCE; verb <= EG_RETREAT; verb++)
        for (uint8_t count = 0; count <= EG_HAND; count++) {
            struct eg_move move = {verb, 2, count, 0};
            struct event event = {.kind = EVENT_MOVE, .seat = EG_LEFT, .size = sizeof move};

            memcpy(event.data, &move, sizeof move);
            assert_int_equal(eg_ruleset.judge(&s, &event),
                             count == 1 ? EG_ALLOWED : EG_NO_SUCH_MOVE);
        }
}

/* EG-5, EG-6: every pair of totals on the table, every number of cards left to answer with. */
static void visit_exchange(struct eg_state *s)
{
    uint8_t distance = (uint8_t)(s->field[EG_RIGHT] - s->field[EG_LEFT]);

    for (uint8_t mine = 0; distance <= 5 && mine <= 2; mine++)
        for (uint8_t his = (uint8_t)(mine + 1); mine + his <= 5; his++)
            for (int held = 0; held + mine + his <= 5; held++) {
                s->exchange.card = distance;
                s->exchange.played[s->turn] = mine;
                s->exchange.played[!s->turn] = his;
                s->exchange.last_attacker = !s->turn;
                give(s, distance, held, distance % 5 + 1, 5 - mine - held);
                compare_all(s, true);
            }
}

static void judges_answers(void **unused)
{
    struct eg_state s = fresh(EG_KNIZIA, EG_ADVANCED, false);

    (void)unused;
    everywhere(fresh(EG_DO_STREHU, 0, true), visit_exchange);
    everywhere(fresh(EG_DO_STREHU, 0, false), visit_exchange);
    everywhere(s, visit_exchange);
    /* EK-5 */
    s.exchange.advanced = true;
    everywhere(s, visit_exchange);
}

/* Each move has one form; any other is no move. */
static void takes_one_form_only(void **unused)
{
    struct eg_state s = fresh(EG_KNIZIA, EG_ADVANCED, false);
    struct event event = {.kind = EVENT_MOVE, .seat = EG_LEFT, .size = sizeof(struct eg_move)};
    const struct eg_move odd[] = {
        {EG_ADVANCE, 1, 0, 0}, {EG_ADVANCE, 1, 2, 0}, {EG_RETREAT, 1, 1, 1},
        {EG_ATTACK, 1, 1, 1},  {EG_PARRY, 1, 1, 0},   {EG_VERBS, 1, 1, 0},
        {255, 255, 255, 255},
    };

    (void)unused;
    give(&s, 1, 5, 2, 0);
    s.field[EG_LEFT] = 10;
    s.field[EG_RIGHT] = 11;
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        memcpy(event.data, &odd[i], sizeof odd[i]);
        assert_int_equal(eg_ruleset.judge(&s, &event), EG_NO_SUCH_MOVE);
    }
    memcpy(event.data, &(struct eg_move){EG_RETREAT, 1, 1, 0}, sizeof(struct eg_move));
    assert_int_equal(eg_ruleset.judge(&s, &event), EG_ALLOWED);
    event.size--;
    assert_int_equal(eg_ruleset.judge(&s, &event), EG_NO_SUCH_MOVE);
}

/* EG-1 */
static void takes_whole_decks_only(void **unused)
{
    struct eg_state s = fresh(EG_DO_STREHU, 0, true);
    struct event event = {.kind = EVENT_DEAL, .seat = NO_SEAT, .size = EG_CARDS, .tries = 1};

    (void)unused;
    s.round = 0;
    for (uint8_t i = 0; i < EG_CARDS; i++)
        event.data[i] = (uint8_t)(EG_CARDS - 1 - i);
    assert_int_equal(eg_ruleset.judge(&s, &event), EG_ALLOWED);
    event.data[7] = event.data[8];
    assert_int_equal(eg_ruleset.judge(&s, &event), EG_BAD_DEAL);
    event.data[7] = EG_CARDS;
    assert_int_equal(eg_ruleset.judge(&s, &event), EG_BAD_DEAL);
    event.data[7] = EG_CARDS - 1 - 7;
    event.size = EG_CARDS - 1;
    assert_int_equal(eg_ruleset.judge(&s, &event), EG_BAD_DEAL);
    s.round = 1;
    event.size = EG_CARDS;
    assert_int_equal(eg_ruleset.judge(&s, &event), REFUSE_WRONG_TIME);
    s.outcome.reason = REASON_AGREED;
    assert_int_equal(eg_ruleset.judge(&s, &event), REFUSE_GAME_OVER);
}

/* The ruling that each refusal rests on, by variant. */
static void rests_on_the_right_ruling(void **unused)
{
    struct eg_state s = fresh(EG_DO_STREHU, 0, false);
    struct event event = {.kind = EVENT_MOVE, .size = sizeof(struct eg_move)};

    (void)unused;
    s.field[EG_LEFT] = 10;
    s.field[EG_RIGHT] = 13;
    s.exchange = (struct eg_exchange){.card = 3, .played = {0, 1}, .last_attacker = EG_RIGHT};
    give(&s, 3, 3, 1, 2);
    memcpy(event.data, &(struct eg_move){EG_PARRY, 0, 2, 0}, sizeof(struct eg_move));
    assert_string_equal(eg_ruleset.name(eg_ruleset.judge(&s, &event))->ruling, "EG-6");
    s.variant = EG_KNIZIA;
    s.level = EG_STANDARD;
    assert_string_equal(eg_ruleset.name(eg_ruleset.judge(&s, &event))->ruling, "EK-2");
    memcpy(event.data, &(struct eg_move){EG_RETREAT, 1, 1, 0}, sizeof(struct eg_move));
    assert_string_equal(eg_ruleset.name(eg_ruleset.judge(&s, &event))->ruling, "EG-5");
    s.exchange = (struct eg_exchange){0};
    memcpy(event.data, &(struct eg_move){EG_ADVANCE_ATTACK, 1, 1, 1}, sizeof(struct eg_move));
    assert_string_equal(eg_ruleset.name(eg_ruleset.judge(&s, &event))->ruling, "EK-4");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(judges_steps_and_attacks), cmocka_unit_test(a_step_is_one_card),
        cmocka_unit_test(judges_answers),           cmocka_unit_test(takes_one_form_only),
        cmocka_unit_test(takes_whole_decks_only),   cmocka_unit_test(rests_on_the_right_ruling),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
