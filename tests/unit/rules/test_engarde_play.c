/* play.c and round.c: every exchange to its end against a restatement, the order of what
 * happens, the two variants' fillings, the ends of a round and of the game. */
#include "rules/engarde/engarde.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "rules/match.h"
#include "rules/rulesets.h"

static const struct ruleset *const rules = &eg_ruleset;

static struct effects effects;

/* A position out of a few words: hands and deck as digits ("11235"). */
static struct eg_state place(struct options options, uint8_t left, uint8_t right,
                             const char *cards[3])
{
    struct eg_cards laid = {0};
    struct eg_state s;

    rules->begin(&s, &options);
    s.starter = EG_LEFT;
    s.round = 1;
    s.turn = EG_LEFT;
    s.field[EG_LEFT] = left;
    s.field[EG_RIGHT] = right;
    for (size_t seat = 0; seat < EG_SEATS; seat++)
        for (const char *c = cards[seat]; *c; c++)
            laid.hand[seat][*c - '0']++;
    for (const char *c = cards[2]; *c; c++)
        laid.deck[laid.deck_size++] = (uint8_t)(*c - '0');
    eg_lay(&s, &laid);
    assert_int_equal(s.misfit, EG_ALLOWED);
    return s;
}

#define CARDS(left, right, deck) ((const char *[3]){left, right, deck})

static struct options variant(uint8_t row)
{
    struct options options;

    ruleset_presets(rules, row, &options);
    return options;
}

static void play(struct eg_state *s, uint8_t verb, int card, int count, int step)
{
    struct eg_move move = {verb, (uint8_t)card, (uint8_t)count, (uint8_t)step};
    struct event event = {.kind = EVENT_MOVE, .seat = s->turn, .size = sizeof move};

    memcpy(event.data, &move, sizeof move);
    ruling_t refusal = match_judge(rules, s, &event);
    if (refusal)
        fail_msg("%s", rules->name(refusal)->text[0]);
    match_play(rules, s, &event, &effects);
}

static void assert_hand(const struct eg_state *s, uint8_t seat, const char *cards)
{
    uint8_t count[EG_VALUES + 1] = {0};

    for (const char *c = cards; *c; c++, count[0]++)
        count[*c - '0']++;
    assert_memory_equal(count, s->hand[seat], sizeof count);
}

static void assert_ended(const struct eg_state *s, uint8_t ruling, uint8_t hit)
{
    assert_int_equal(s->ended, ruling);
    assert_int_equal(s->hit, hit);
}

static void assert_effects(const uint8_t *types, size_t count)
{
    assert_int_equal(effects.count, count);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(effects.list[i].type, types[i]);
}

/* EG-5, EG-6, EG-7: an exchange of `total[seat]` cards that each plays in turn, by brute force:
 * who holds how many, who attacks with how many, who answers with how many. */
struct duel {
    int held[2], table[2];
    int answerer;
};

static void settle(struct eg_state s, struct duel duel);

static void answer(struct eg_state s, struct duel duel, int cards)
{
    int me = duel.answerer;

    play(&s, EG_PARRY, 0, cards, 0);
    duel.held[me] -= cards;
    duel.table[me] += cards;
    if (duel.table[me] == duel.table[!me]) {
        /* Levelled: whoever attacked last, which is not who levelled, fills up first. */
        assert_int_equal(s.ended, 0);
        assert_int_equal(s.exchange.card, 0);
        assert_int_equal(s.turn, s.defender_next ? me : !me);
        assert_int_equal(effects.list[1].type, EG_DREW);
        assert_int_equal(effects.list[1].seat, !me);
        assert_int_equal(effects.list[1].data[0], duel.table[!me]);
        assert_int_equal(effects.list[2].seat, me);
        assert_int_equal(effects.list[2].data[0], duel.table[me]);
        assert_int_equal(s.hand[0][0], EG_HAND);
        assert_int_equal(s.hand[1][0], EG_HAND);
        return;
    }
    duel.answerer = !me;
    settle(s, duel);
}

static void settle(struct eg_state s, struct duel duel)
{
    int me = duel.answerer, owed = duel.table[!me] - duel.table[me];

    if (duel.held[me] < owed) {
        assert_ended(&s, duel.table[me] ? EG_6 : EG_5, (uint8_t)me);
        assert_int_equal(s.hits[me], 1);
        assert_int_equal(s.turn, me);
        assert_int_equal(s.exchange.card, 3);
        assert_int_equal(s.hand[me][3], duel.held[me]);
        return;
    }
    assert_int_equal(s.ended, 0);
    assert_int_equal(s.turn, me);
    for (int cards = owed; cards <= duel.held[me]; cards++)
        answer(s, duel, cards);
}

static void exchanges_to_the_end(void **unused)
{
    static const char *const mine[] = {"11224", "11234", "11334", "13334", "33334", "33333"};
    static const char *const his[] = {"12255", "23255", "33255", "33355", "33335", "33333"};

    (void)unused;
    for (int defender_next = 0; defender_next < 2; defender_next++)
        for (int a = 1; a <= 5; a++)
            for (int b = 0; a + b <= 5; b++)
                for (int k = 1; k <= a; k++) {
                    struct options options = variant(EG_DO_STREHU);
                    options.value[EG_OPTION_AFTER_PARRY] = (int16_t)defender_next;
                    struct eg_state s =
                        place(options, 10, 13, CARDS(mine[a], his[b], "4124455"));
                    play(&s, EG_ATTACK, 3, k, 0);
                    settle(s, (struct duel){{a - k, b}, {k, 0}, EG_RIGHT});
                }
}

/* EG-2, EG-3 */
static void steps_draw_one(void **unused)
{
    struct eg_state s = place(variant(EG_DO_STREHU), 1, 23, CARDS("12345", "11245", "533"));

    (void)unused;
    play(&s, EG_ADVANCE, 3, 1, 0);
    assert_int_equal(s.field[EG_LEFT], 4);
    assert_hand(&s, EG_LEFT, "12455");
    assert_int_equal(s.turn, EG_RIGHT);
    assert_effects((uint8_t[]){EG_MOVED, EG_DREW}, 2);
    assert_int_equal(effects.list[1].data[0], 1);
    assert_int_equal(effects.list[1].data[1], s.drawn - 1); /* where in the deck it lay */
    play(&s, EG_ADVANCE, 5, 1, 0);
    assert_int_equal(s.field[EG_RIGHT], 18);
    play(&s, EG_RETREAT, 2, 1, 0);
    assert_int_equal(s.field[EG_LEFT], 2);
    /* That was the last card: 2 - 1 against 23 - 18 fields travelled. */
    assert_ended(&s, EG_10, EG_LEFT);
    assert_effects((uint8_t[]){EG_MOVED, EG_DREW, EG_HIT}, 3);
    assert_int_equal(rules->awaits(&s).what, AWAIT_DEAL);
    assert_int_equal(rules->awaits(&s).cards, EG_CARDS);
}

/* EG-7, EG-9: filling up stops with the last card, and the first to fill may take it. */
static void filling_stops_with_the_deck(void **unused)
{
    struct eg_state s = place(variant(EG_DO_STREHU), 10, 13, CARDS("12335", "13344", "5"));

    (void)unused;
    play(&s, EG_ATTACK, 3, 2, 0);
    play(&s, EG_PARRY, 0, 2, 0);
    assert_hand(&s, EG_LEFT, "1255");
    assert_hand(&s, EG_RIGHT, "144");
    assert_effects((uint8_t[]){EG_PARRIED, EG_DREW, EG_HIT}, 3);
    /* No threes left on either side; left has travelled 9, right 10. */
    assert_ended(&s, EG_10, EG_LEFT);
    /* Both hands are told. */
    assert_memory_equal(&effects.list[2].data[EG_DATA_HANDS],
                        ((uint8_t[]){1, 1, 0, 0, 2, 1, 0, 0, 2, 0}), 10);
    assert_int_equal(effects.list[2].data[EG_DATA_HITS], 1);
}

/* EG-9, EG-10 over all fields and both counts of the decisive card. */
static void deck_decides_everywhere(void **unused)
{
    static const char *const hands[] = {"5555", "5554", "5544", "5444"};

    (void)unused;
    for (uint8_t left = 2; left < 22; left++)
        for (uint8_t right = (uint8_t)(left + 1); right <= 23; right++)
            for (int basic = 0; basic < 2; basic++)
                for (size_t i = 0; i < 4; i++) {
                    char mine[8] = "1", his[8] = "3222";
                    strcpy(mine + 1, hands[i]);
                    strcpy(his + 4, i == 3 ? "5" : "4");
                    struct options options = variant(basic ? EG_KNIZIA : EG_DO_STREHU);
                    options.value[EG_OPTION_LEVEL] = EG_BASIC;
                    struct eg_state s = place(options, left, right, CARDS(mine, his, "3"));
                    play(&s, EG_RETREAT, 1, 1, 0);
                    int d = s.field[1] - s.field[0], a = s.field[0] - 1, b = 23 - s.field[1];
                    int more = basic || d > 5 ? 0 : s.hand[0][d] - s.hand[1][d];
                    uint8_t hit = more > 0   ? EG_RIGHT
                                  : more < 0 ? EG_LEFT
                                  : a == b   ? NO_SEAT
                                             : (a < b ? EG_LEFT : EG_RIGHT);
                    assert_ended(&s, basic ? EK_7 : more ? EG_9 : EG_10, hit);
                    assert_int_equal(effects.list[2].type,
                                     hit == NO_SEAT ? EG_ROUND_VOID : EG_HIT);
                }
}

/* EG-11: seen as the turn begins; a card of the distance is something to do. */
static void stuck_is_hit(void **unused)
{
    struct eg_state s = place(variant(EG_DO_STREHU), 2, 9, CARDS("33445", "51122", "31"));

    (void)unused;
    s.turn = EG_RIGHT;
    play(&s, EG_ADVANCE, 5, 1, 0);
    assert_ended(&s, EG_11, EG_LEFT);
    assert_int_equal(s.turn, EG_LEFT);
    s = place(variant(EG_DO_STREHU), 2, 9, CARDS("23445", "51122", "31"));
    s.turn = EG_RIGHT;
    play(&s, EG_ADVANCE, 5, 1, 0);
    assert_int_equal(s.ended, 0);
}

/* EG-8 */
static void last_hit_ends_the_game(void **unused)
{
    struct options options = variant(EG_DO_STREHU);

    (void)unused;
    for (int16_t limit = 1; limit <= 9; limit++) {
        options.value[EG_OPTION_HITS_TO_LOSE] = limit;
        struct eg_state s = place(options, 10, 13, CARDS("12335", "11244", "55"));
        s.hits[EG_RIGHT] = (uint8_t)(limit - 1);
        s.hits[EG_LEFT] = (uint8_t)(limit - 1);
        play(&s, EG_ATTACK, 3, 1, 0);
        assert_int_equal(s.outcome.reason, REASON_HITS);
        assert_int_equal(s.outcome.winner, EG_LEFT);
        assert_int_equal(s.outcome.ruling, EG_8);
        assert_int_equal(s.hits[EG_RIGHT], limit);
        assert_int_equal(rules->awaits(&s).what, AWAIT_NOTHING);
    }
}

static void deal(struct eg_state *s)
{
    struct event event = {.kind = EVENT_DEAL, .seat = NO_SEAT, .size = EG_CARDS, .tries = 1};

    for (uint8_t i = 0; i < EG_CARDS; i++)
        event.data[i] = (uint8_t)((i * 7 + 3) % EG_CARDS);
    assert_int_equal(match_judge(rules, s, &event), ALLOWED);
    match_play(rules, s, &event, &effects);
}

/* EG-1, EG-12 */
static void rounds_are_begun_in_turn(void **unused)
{
    struct options options = variant(EG_DO_STREHU);
    struct event lot = {.kind = EVENT_LOT, .seat = NO_SEAT, .size = 1, .data = {EG_RIGHT}};
    struct eg_state s;

    (void)unused;
    rules->begin(&s, &options);
    assert_int_equal(rules->awaits(&s).what, AWAIT_LOT);
    assert_int_equal(match_judge(rules, &s, &lot), ALLOWED);
    match_play(rules, &s, &lot, &effects);
    for (uint8_t round = 1; round < EG_ROUNDS_MAX; round++) {
        deal(&s);
        assert_int_equal(s.round, round);
        assert_int_equal(s.starter, round % 2 ? EG_RIGHT : EG_LEFT);
        assert_int_equal(s.turn, s.starter);
        assert_int_equal(effects.list[0].data[0], round);
        assert_int_equal(effects.list[0].data[1], s.starter);
        for (size_t i = 0; i < 10; i++) {
            assert_int_equal(s.place[i], i < 5 ? EG_IN_LEFT_HAND : EG_IN_RIGHT_HAND);
            assert_int_equal(s.value[i], (i * 7 + 3) % EG_CARDS / 5 + 1);
        }
        assert_int_equal(s.drawn, 10);
        assert_int_equal(s.ended, EG_NO_RULING);
        assert_int_equal(s.hit, NO_SEAT);
        s.ended = EG_10;
        s.hit = round % EG_SEATS;
    }
    options.value[EG_OPTION_FIRST] = 2;
    rules->begin(&s, &options);
    assert_int_equal(rules->awaits(&s).what, AWAIT_DEAL);
    deal(&s);
    assert_int_equal(s.turn, EG_RIGHT);
}

/* A game cannot go on for ever: the last round that can be numbered is the last. */
static void rounds_are_limited(void **unused)
{
    struct eg_state s = place(variant(EG_DO_STREHU), 4, 18, CARDS("15223", "51133", "4"));

    (void)unused;
    s.round = EG_ROUNDS_MAX;
    play(&s, EG_ADVANCE, 2, 1, 0);
    assert_ended(&s, EG_10, NO_SEAT);
    assert_int_equal(s.outcome.reason, REASON_LIMIT);
    assert_int_equal(s.outcome.winner, NO_SEAT);
}

/* EK-2: at the basic level an attack hits whatever the other holds. */
static void basic_attack_hits(void **unused)
{
    struct options options = variant(EG_KNIZIA);

    (void)unused;
    options.value[EG_OPTION_LEVEL] = EG_BASIC;
    struct eg_state s = place(options, 10, 13, CARDS("12335", "11334", "555"));
    play(&s, EG_ATTACK, 3, 1, 0);
    assert_ended(&s, EK_6, EG_RIGHT);
}

/* EK-3 */
static void attacker_fills_and_defender_plays_on(void **unused)
{
    struct eg_state s = place(variant(EG_KNIZIA), 10, 13, CARDS("12335", "13344", "552224"));

    (void)unused;
    play(&s, EG_ATTACK, 3, 2, 0);
    assert_effects((uint8_t[]){EG_ATTACKED, EG_DREW}, 2);
    assert_hand(&s, EG_LEFT, "12555");
    play(&s, EG_PARRY, 0, 2, 0);
    assert_effects((uint8_t[]){EG_PARRIED}, 1);
    assert_int_equal(s.turn, EG_RIGHT);
    assert_hand(&s, EG_RIGHT, "144");
    assert_int_equal(rules->check(&s), EG_ALLOWED);
    play(&s, EG_RETREAT, 4, 1, 0);
    assert_hand(&s, EG_RIGHT, "14222");
    assert_int_equal(s.turn, EG_LEFT);
}

/* EK-4, EK-5, EK-6: the examples of the publisher, and a retreat that is a whole turn. */
static void advance_attacks(void **unused)
{
    struct eg_state s = place(variant(EG_KNIZIA), 10, 16, CARDS("22411", "22511", "555444"));

    (void)unused;
    play(&s, EG_ADVANCE_ATTACK, 2, 2, 4);
    assert_effects((uint8_t[]){EG_MOVED, EG_ATTACKED, EG_DREW}, 3);
    assert_int_equal(s.field[EG_LEFT], 14);
    assert_true(s.exchange.advanced);
    assert_hand(&s, EG_LEFT, "11555");
    struct eg_state parried = s;
    play(&parried, EG_PARRY, 0, 2, 0);
    assert_int_equal(parried.turn, EG_RIGHT);
    play(&s, EG_RETREAT, 5, 1, 0);
    assert_int_equal(s.field[EG_RIGHT], 21);
    assert_int_equal(s.exchange.card, 0);
    assert_hand(&s, EG_RIGHT, "11224");
    assert_int_equal(s.turn, EG_LEFT);

    s = place(variant(EG_KNIZIA), 13, 20, CARDS("33411", "45555", "11222"));
    play(&s, EG_ADVANCE_ATTACK, 3, 2, 4);
    assert_ended(&s, EK_6, EG_RIGHT);
}

/* EK-7: an attack laid with the last card is still answered. */
static void last_attack_is_answered(void **unused)
{
    struct eg_state s = place(variant(EG_KNIZIA), 13, 16, CARDS("31224", "31155", "2"));

    (void)unused;
    s.turn = EG_RIGHT;
    play(&s, EG_ATTACK, 3, 1, 0);
    assert_int_equal(s.drawn, EG_CARDS);
    assert_int_equal(s.ended, 0);
    assert_int_equal(rules->check(&s), EG_ALLOWED);
    play(&s, EG_PARRY, 0, 1, 0);
    /* No threes left: left has travelled 12 fields, right 7. */
    assert_ended(&s, EK_7, EG_RIGHT);

    s = place(variant(EG_KNIZIA), 13, 16, CARDS("33124", "31155", "2"));
    s.turn = EG_RIGHT;
    play(&s, EG_ATTACK, 3, 1, 0);
    play(&s, EG_PARRY, 0, 1, 0);
    assert_ended(&s, EK_7, EG_RIGHT);
    assert_int_equal(s.hits[EG_RIGHT], 1);
    assert_effects((uint8_t[]){EG_PARRIED, EG_HIT}, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exchanges_to_the_end),
        cmocka_unit_test(steps_draw_one),
        cmocka_unit_test(filling_stops_with_the_deck),
        cmocka_unit_test(deck_decides_everywhere),
        cmocka_unit_test(stuck_is_hit),
        cmocka_unit_test(last_hit_ends_the_game),
        cmocka_unit_test(rounds_are_begun_in_turn),
        cmocka_unit_test(rounds_are_limited),
        cmocka_unit_test(basic_attack_hits),
        cmocka_unit_test(attacker_fills_and_defender_plays_on),
        cmocka_unit_test(advance_attacks),
        cmocka_unit_test(last_attack_is_answered),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
