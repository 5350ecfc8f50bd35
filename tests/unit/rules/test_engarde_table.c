/* table.c, and what table custody changes in the other files: what lies open is judged, what
 * does not is claimed or shown by whoever holds it. */
#include "rules/engarde/engarde.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "rules/match.h"
#include "rules/rulesets.h"

enum { LEGAL_MAX = 160 };

static const struct ruleset *const rules = &eg_ruleset;

static struct effects effects;

static struct options at_table(uint8_t variant, int level)
{
    struct options options;

    ruleset_presets(rules, variant, &options);
    options.custody = CUSTODY_TABLE;
    options.value[EG_OPTION_FIRST] = 1;
    options.value[EG_OPTION_LEVEL] = (int16_t)level;
    return options;
}

static void put(struct eg_state *s, int place, const char *values, int count)
{
    for (int i = 0; i < count; i++, s->drawn++) {
        s->place[s->drawn] = (uint8_t)place;
        s->value[s->drawn] = values ? (uint8_t)(values[i] - '0') : 0;
    }
}

/* A position: where both stand, how many cards each holds, and what has been played. */
static struct eg_state place(struct options options, int left, int right, const char *played,
                             const int sizes[2])
{
    struct eg_state s;

    rules->begin(&s, &options);
    s.round = 1;
    s.turn = EG_LEFT;
    s.field[EG_LEFT] = (uint8_t)left;
    s.field[EG_RIGHT] = (uint8_t)right;
    for (size_t seat = 0; seat < EG_SEATS; seat++) {
        put(&s, EG_IN_LEFT_HAND + (int)seat, NULL, sizes[seat]);
        s.hand[seat][0] = (uint8_t)sizes[seat];
    }
    put(&s, EG_PLAYED, played, (int)strlen(played));
    return s;
}

#define SIZES(left, right) ((const int[2]){left, right})
#define FULL               SIZES(5, 5)

static struct event move_of(uint8_t seat, struct eg_move move)
{
    struct event event = {.kind = EVENT_MOVE, .seat = seat, .size = sizeof move};

    memcpy(event.data, &move, sizeof move);
    return event;
}

/* A hand as digits ("11235"); a 9 is a card of no value. */
static struct event show_of(uint8_t seat, const char *cards)
{
    struct event event = {.kind = EVENT_MOVE, .seat = seat, .size = sizeof(struct eg_show)};
    struct eg_show show = {.verb = EG_SHOW};

    for (; *cards; cards++, show.cards[0]++)
        if (*cards != '9')
            show.cards[*cards - '0']++;
    memcpy(event.data, &show, sizeof show);
    return event;
}

/* "EG-2 not_held", or "legal". */
static void assert_verdict(const struct eg_state *s, struct event event, const char *expected)
{
    const struct refusal *refusal = rules->name(match_judge(rules, s, &event));
    char text[40];

    (void)snprintf(text, sizeof text, "%s%s%s", refusal->ruling ? refusal->ruling : "",
                   refusal->ruling ? " " : "", refusal->code);
    assert_string_equal(text, expected);
}

static void verdict(const struct eg_state *s, uint8_t verb, int card, int count, int step,
                    const char *expected)
{
    struct eg_move move = {verb, (uint8_t)card, (uint8_t)count, (uint8_t)step};

    assert_verdict(s, move_of(s->turn, move), expected);
}

static void play_event(struct eg_state *s, struct event event)
{
    assert_verdict(s, event, "legal");
    match_play(rules, s, &event, &effects);
}

static void play(struct eg_state *s, uint8_t verb, int card, int count, int step)
{
    struct eg_move move = {verb, (uint8_t)card, (uint8_t)count, (uint8_t)step};

    play_event(s, move_of(s->turn, move));
}

static void assert_awaits(const struct eg_state *s, uint8_t what, uint8_t seats)
{
    assert_int_equal(rules->awaits(s).what, what);
    assert_int_equal(rules->awaits(s).seats, seats);
}

static void assert_ended(const struct eg_state *s, uint8_t ruling, uint8_t hit)
{
    assert_int_equal(s->ended, ruling);
    assert_int_equal(s->hit, hit);
    if (hit != NO_SEAT)
        assert_int_equal(s->hits[hit], 1);
}

static void assert_effects(const uint8_t *types, size_t count)
{
    assert_int_equal(effects.count, count);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(effects.list[i].type, types[i]);
}

static const uint8_t unknown[EG_VALUES];

/* EG-1 */
static void players_deal(void **unused)
{
    struct options options = at_table(EG_DO_STREHU, 0);
    struct event deal = {.kind = EVENT_DEAL, .seat = NO_SEAT, .tries = 1};
    struct eg_state s;

    (void)unused;
    rules->begin(&s, &options);
    assert_awaits(&s, AWAIT_DEAL, 0);
    assert_int_equal(rules->awaits(&s).cards, 0);
    deal.size = EG_CARDS;
    for (uint8_t i = 0; i < EG_CARDS; i++)
        deal.data[i] = i;
    assert_verdict(&s, deal, "EG-1 bad_deal");
    deal.size = 0;
    play_event(&s, deal);
    assert_effects((uint8_t[]){EG_ROUND_STARTED}, 1);
    assert_int_equal(effects.list[0].data[0], 1);
    assert_int_equal(effects.list[0].data[1], EG_LEFT);
    assert_int_equal(s.drawn, 10);
    for (size_t i = 0; i < EG_CARDS; i++)
        assert_int_equal(s.value[i], 0);
    for (size_t seat = 0; seat < EG_SEATS; seat++) {
        assert_int_equal(s.hand[seat][0], EG_HAND);
        assert_memory_equal(&s.hand[seat][1], unknown, EG_VALUES);
    }
    assert_verdict(&s, deal, "wrong_status");
    play(&s, EG_ADVANCE, 4, 1, 0);
    assert_effects((uint8_t[]){EG_MOVED, EG_DREW}, 2);
    assert_int_equal(effects.list[1].data[0], 1);
    assert_int_equal(s.hand[EG_LEFT][0], EG_HAND);
    assert_int_equal(s.field[EG_LEFT], 5);
    assert_int_equal(s.turn, EG_RIGHT);
}

/* EG-2, EG-4, EG-5: what has been played is gone. */
static void played_cards_are_gone(void **unused)
{
    struct eg_state s = place(at_table(EG_DO_STREHU, 0), 10, 13, "2222233", FULL);

    (void)unused;
    verdict(&s, EG_ADVANCE, 2, 1, 0, "EG-2 contradiction");
    verdict(&s, EG_RETREAT, 2, 1, 0, "EG-2 contradiction");
    verdict(&s, EG_RETREAT, 3, 1, 0, "legal");
    verdict(&s, EG_ATTACK, 3, 3, 0, "legal");
    verdict(&s, EG_ATTACK, 3, 4, 0, "EG-4 contradiction");
    verdict(&s, EG_ATTACK, 3, 6, 0, "EG-2 not_held");
    verdict(&s, EG_ATTACK, 3, 255, 0, "EG-2 not_held");
    verdict(&s, EG_ADVANCE, 0, 1, 0, "EG-2 not_held");
    verdict(&s, EG_ADVANCE, 6, 1, 0, "EG-2 not_held");
    verdict(&s, EG_ATTACK, 3, 0, 0, "EG-2 not_held");
    verdict(&s, EG_ADVANCE, 3, 1, 0, "EG-2 blocked");
    verdict(&s, EG_ATTACK, 4, 1, 0, "EG-4 out_of_reach");
    play(&s, EG_ATTACK, 3, 1, 0);
    verdict(&s, EG_PARRY, 0, 2, 0, "legal");
    verdict(&s, EG_PARRY, 0, 3, 0, "EG-5 contradiction");
    verdict(&s, EG_PARRY, 0, 6, 0, "EG-2 not_held");
    verdict(&s, EG_PARRY, 0, 0, 0, "EG-5 too_few");
    verdict(&s, EG_RETREAT, 4, 1, 0, "EG-5 must_parry");
    verdict(&s, EG_STUCK, 0, 0, 0, "EG-5 must_parry");
    s = place(at_table(EG_DO_STREHU, 0), 4, 13, "", FULL);
    verdict(&s, EG_RETREAT, 4, 1, 0, "EG-2 off_strip");
    verdict(&s, EG_PARRY, 0, 1, 0, "EG-5 nothing_to_parry");
}

/* A short hand plays no more than it has. */
static void short_hands_play_less(void **unused)
{
    struct eg_state s = place(at_table(EG_KNIZIA, EG_ADVANCED), 10, 13, "3333", SIZES(3, 5));

    (void)unused;
    verdict(&s, EG_ATTACK, 3, 1, 0, "legal");
    verdict(&s, EG_ATTACK, 3, 4, 0, "EG-2 not_held");
    verdict(&s, EG_ADVANCE_ATTACK, 2, 2, 1, "legal");
    verdict(&s, EG_ADVANCE_ATTACK, 2, 3, 1, "EG-2 not_held");
}

/* EK-4: the step counts with the attack where both are of one value. */
static void both_parts_must_be_left(void **unused)
{
    struct eg_state s = place(at_table(EG_KNIZIA, EG_ADVANCED), 10, 14, "2244111", FULL);

    (void)unused;
    verdict(&s, EG_ADVANCE_ATTACK, 2, 2, 2, "legal");
    verdict(&s, EG_ADVANCE_ATTACK, 2, 3, 2, "EG-4 contradiction");
    verdict(&s, EG_ADVANCE_ATTACK, 3, 4, 1, "legal");
    verdict(&s, EG_ADVANCE_ATTACK, 3, 5, 1, "EG-2 not_held");
    verdict(&s, EG_ADVANCE_ATTACK, 1, 2, 3, "legal");
    verdict(&s, EG_ADVANCE_ATTACK, 1, 3, 3, "EG-4 contradiction");
    verdict(&s, EG_ADVANCE_ATTACK, 2, 2, 6, "EG-2 not_held");
    verdict(&s, EG_ADVANCE_ATTACK, 2, 2, 0, "EG-2 not_held");
    s = place(at_table(EG_KNIZIA, EG_ADVANCED), 10, 14, "11111", FULL);
    verdict(&s, EG_ADVANCE_ATTACK, 3, 1, 1, "EG-2 contradiction");
    s = place(at_table(EG_DO_STREHU, 0), 10, 14, "", FULL);
    verdict(&s, EG_ADVANCE_ATTACK, 2, 1, 2, "EG-2 not_in_variant");
    s = place(at_table(EG_KNIZIA, EG_STANDARD), 10, 14, "", FULL);
    verdict(&s, EG_ADVANCE_ATTACK, 2, 1, 2, "EK-4 not_in_variant");
}

/* EG-5: even where nobody can hold a card to parry with, it is the attacked who says so. */
static void whoever_cannot_parry_yields(void **unused)
{
    struct eg_state s = place(at_table(EG_DO_STREHU, 0), 10, 13, "333", FULL);

    (void)unused;
    verdict(&s, EG_YIELD, 0, 0, 0, "EG-5 nothing_to_parry");
    play(&s, EG_ATTACK, 3, 2, 0);
    assert_int_equal(s.ended, 0);
    assert_awaits(&s, AWAIT_MOVE, 1 << EG_RIGHT);
    verdict(&s, EG_YIELD, 1, 0, 0, "EG-2 not_held");
    verdict(&s, EG_YIELD, 0, 1, 0, "EG-2 not_held");
    verdict(&s, EG_YIELD, 0, 0, 1, "EG-2 not_held");
    play(&s, EG_YIELD, 0, 0, 0);
    assert_ended(&s, EG_5, EG_RIGHT);
    assert_effects((uint8_t[]){EG_HIT}, 1);
    assert_int_equal(effects.list[0].seat, EG_RIGHT);
    assert_memory_equal(&effects.list[0].data[EG_DATA_HANDS], unknown, EG_VALUES);
    assert_int_equal(s.exchange.card, 3);
    assert_awaits(&s, AWAIT_DEAL, 0);
}

/* EG-6 */
static void whoever_cannot_level_yields(void **unused)
{
    struct eg_state s = place(at_table(EG_DO_STREHU, 0), 10, 13, "", FULL);

    (void)unused;
    play(&s, EG_ATTACK, 3, 1, 0);
    play(&s, EG_PARRY, 0, 2, 0);
    assert_awaits(&s, AWAIT_MOVE, 1 << EG_LEFT);
    struct eg_state again = s;
    play(&s, EG_YIELD, 0, 0, 0);
    assert_ended(&s, EG_6, EG_LEFT);
    play(&again, EG_PARRY, 0, 2, 0);
    assert_int_equal(again.ended, 0);
    verdict(&again, EG_PARRY, 0, 1, 0, "EG-5 contradiction");
    play(&again, EG_YIELD, 0, 0, 0);
    assert_ended(&again, EG_6, EG_RIGHT);
}

/* EK-2, EK-5, EK-6: a retreat that any hand allows leaves nothing to yield to. */
static void whoever_can_retreat_does_not_yield(void **unused)
{
    struct options options = at_table(EG_KNIZIA, EG_ADVANCED);
    struct eg_state s = place(options, 10, 16, "", FULL);

    (void)unused;
    play(&s, EG_ADVANCE_ATTACK, 2, 1, 4);
    /* Right is seven fields from its end: every card is a retreat. */
    verdict(&s, EG_YIELD, 0, 0, 0, "EK-6 contradiction");
    verdict(&s, EG_PARRY, 0, 2, 0, "EK-2 too_many");
    verdict(&s, EG_RETREAT, 5, 1, 0, "legal");

    /* Three fields: fours and fives are left, ten but for those played. */
    s = place(options, 14, 20, "44455", FULL);
    play(&s, EG_ADVANCE_ATTACK, 2, 1, 4);
    verdict(&s, EG_YIELD, 0, 0, 0, "EK-6 contradiction");
    s = place(options, 14, 20, "4445", FULL);
    play(&s, EG_ADVANCE_ATTACK, 2, 1, 4);
    play(&s, EG_YIELD, 0, 0, 0);
    assert_ended(&s, EK_6, EG_RIGHT);

    /* One three does not parry two. With it two fours and two fives make a hand. */
    s = place(options, 15, 22, "2222244555", FULL);
    play(&s, EG_ADVANCE_ATTACK, 3, 2, 4);
    verdict(&s, EG_YIELD, 0, 0, 0, "legal");
    s = place(options, 15, 22, "22222445555", FULL);
    play(&s, EG_ADVANCE_ATTACK, 3, 2, 4);
    verdict(&s, EG_YIELD, 0, 0, 0, "EK-6 contradiction");
    s = place(options, 15, 22, "2222244555", FULL);
    play(&s, EG_ADVANCE_ATTACK, 3, 1, 4);
    verdict(&s, EG_YIELD, 0, 0, 0, "EK-6 contradiction");

    /* Just as many are left as would parry: he cannot hold them and yield. */
    s = place(options, 15, 22, "2222233344555", FULL);
    play(&s, EG_ADVANCE_ATTACK, 3, 1, 4);
    verdict(&s, EG_YIELD, 0, 0, 0, "EK-6 contradiction");

    /* A direct attack is not answered by a retreat. */
    s = place(options, 10, 13, "", FULL);
    play(&s, EG_ATTACK, 3, 1, 0);
    verdict(&s, EG_RETREAT, 1, 1, 0, "EG-5 must_parry");
    play(&s, EG_YIELD, 0, 0, 0);
    assert_ended(&s, EK_6, EG_RIGHT);
}

/* EK-2: at the basic level an attack hits, and nobody is asked. */
static void basic_attack_hits(void **unused)
{
    struct eg_state s = place(at_table(EG_KNIZIA, EG_BASIC), 10, 13, "", FULL);

    (void)unused;
    verdict(&s, EG_ATTACK, 3, 2, 0, "EK-2 too_many");
    play(&s, EG_ATTACK, 3, 1, 0);
    assert_ended(&s, EK_6, EG_RIGHT);
    assert_effects((uint8_t[]){EG_ATTACKED, EG_DREW, EG_HIT}, 3);
}

/* EG-11, EK-6: nobody is hit by himself, and nobody stuck who must hold something to play. */
static void whoever_is_stuck_says_so(void **unused)
{
    struct eg_state s = place(at_table(EG_DO_STREHU, 0), 2, 9, "44455", FULL);

    (void)unused;
    s.turn = EG_RIGHT;
    play(&s, EG_ADVANCE, 5, 1, 0);
    assert_awaits(&s, AWAIT_MOVE, 1 << EG_LEFT);
    /* Distance 2, one field behind: threes, two fours and two fives are useless, nine. */
    play(&s, EG_STUCK, 0, 0, 0);
    assert_ended(&s, EG_11, EG_LEFT);
    assert_effects((uint8_t[]){EG_HIT}, 1);

    s = place(at_table(EG_DO_STREHU, 0), 2, 4, "33334444455", FULL);
    verdict(&s, EG_STUCK, 0, 0, 0, "EG-11 contradiction");
    s = place(at_table(EG_DO_STREHU, 0), 2, 4, "3333444455", FULL);
    verdict(&s, EG_STUCK, 0, 0, 0, "legal");
    verdict(&s, EG_STUCK, 1, 0, 0, "EG-2 not_held");
    /* A card of the distance attacks, one of the way behind retreats. */
    s = place(at_table(EG_DO_STREHU, 0), 2, 6, "5", FULL);
    verdict(&s, EG_STUCK, 0, 0, 0, "EG-11 contradiction");
    s = place(at_table(EG_DO_STREHU, 0), 5, 6, "5", FULL);
    verdict(&s, EG_STUCK, 0, 0, 0, "EG-11 contradiction");
    s = place(at_table(EG_KNIZIA, EG_STANDARD), 5, 6, "55", SIZES(3, 5));
    play(&s, EG_STUCK, 0, 0, 0);
    assert_ended(&s, EK_6, EG_LEFT);
    s = place(at_table(EG_KNIZIA, EG_STANDARD), 5, 6, "555", SIZES(3, 5));
    verdict(&s, EG_STUCK, 0, 0, 0, "EK-6 contradiction");
}

/* The round's last card, left to be drawn by `left` at distance 3 after a retreat of one. */
static struct eg_state last_card(struct options options, const char *played)
{
    struct eg_state s = place(options, 11, 13, played, FULL);

    assert_int_equal(s.drawn, EG_CARDS - 1);
    play(&s, EG_RETREAT, 1, 1, 0);
    return s;
}

static const uint8_t both = 1 << EG_LEFT | 1 << EG_RIGHT;

/* EG-9 */
static void deck_asks_for_hands(void **unused)
{
    struct eg_state s = last_card(at_table(EG_DO_STREHU, 0), "11222334455555");

    (void)unused;
    assert_effects((uint8_t[]){EG_MOVED, EG_DREW}, 2);
    assert_int_equal(s.ended, 0);
    assert_awaits(&s, AWAIT_MOVE, both);
    for (uint8_t verb = 0; verb < EG_SHOW; verb++)
        for (uint8_t seat = 0; seat < EG_SEATS; seat++) {
            struct eg_move move = {verb, 1, 1, 0};
            if (verb == EG_PARRY)
                move.card = 0;
            if (verb >= EG_YIELD)
                move = (struct eg_move){.verb = verb};
            assert_verdict(&s, move_of(seat, move), "EG-9 must_show");
        }
    /* 1 1 2 2 3 3 3 4 4 4 are left. */
    assert_verdict(&s, show_of(2, "11233"), "not_your_turn");
    assert_verdict(&s, show_of(EG_RIGHT, "1123"), "EG-9 wrong_hand");
    assert_verdict(&s, show_of(EG_RIGHT, "112333"), "EG-9 wrong_hand");
    assert_verdict(&s, show_of(EG_RIGHT, "11239"), "EG-9 wrong_hand");
    assert_verdict(&s, show_of(EG_RIGHT, "112339"), "EG-9 wrong_hand");
    assert_verdict(&s, show_of(EG_RIGHT, ""), "EG-9 wrong_hand");
    assert_verdict(&s, show_of(EG_RIGHT, "12223"), "EG-9 contradiction");
    assert_verdict(&s, show_of(EG_RIGHT, "12235"), "EG-9 contradiction");
    play_event(&s, show_of(EG_RIGHT, "11333"));
    assert_effects((uint8_t[]){EG_SHOWN}, 1);
    assert_int_equal(effects.list[0].seat, EG_RIGHT);
    assert_memory_equal(effects.list[0].data, ((uint8_t[]){2, 0, 3, 0, 0}), 5);
    assert_awaits(&s, AWAIT_MOVE, both);
    /* What the other has shown is not in this hand: only 2 2 4 4 4 can be. */
    assert_verdict(&s, show_of(EG_LEFT, "12244"), "EG-9 contradiction");
    assert_verdict(&s, show_of(EG_LEFT, "22344"), "EG-9 contradiction");
    play_event(&s, show_of(EG_LEFT, "22444"));
    assert_effects((uint8_t[]){EG_SHOWN, EG_HIT}, 2);
    assert_ended(&s, EG_9, EG_LEFT);
    assert_memory_equal(&effects.list[1].data[EG_DATA_HANDS],
                        ((uint8_t[]){0, 2, 0, 3, 0, 2, 0, 3, 0, 0}), 10);
    assert_awaits(&s, AWAIT_DEAL, 0);
    assert_verdict(&s, show_of(EG_LEFT, "22444"), "wrong_status");
}

/* A slip is mended as long as the second hand is not in; the newer one counts. */
static void a_slip_is_mended(void **unused)
{
    struct eg_state s = last_card(at_table(EG_DO_STREHU, 0), "11222334455555");

    (void)unused;
    play_event(&s, show_of(EG_LEFT, "11224"));
    assert_verdict(&s, show_of(EG_RIGHT, "33344"), "legal");
    assert_verdict(&s, show_of(EG_RIGHT, "23344"), "EG-9 contradiction");
    /* Its own first show does not count against the second. */
    play_event(&s, show_of(EG_LEFT, "11234"));
    assert_effects((uint8_t[]){EG_SHOWN}, 1);
    assert_memory_equal(s.hand[EG_LEFT], ((uint8_t[]){5, 2, 1, 1, 1, 0}), 6);
    assert_verdict(&s, show_of(EG_RIGHT, "33344"), "EG-9 contradiction");
    play_event(&s, show_of(EG_RIGHT, "23344"));
    assert_ended(&s, EG_9, EG_LEFT);
}

/* A log does not grow for ever: a seat that has shown often enough is not asked again. */
static void shows_are_limited(void **unused)
{
    struct eg_state s = last_card(at_table(EG_DO_STREHU, 0), "11222334455555");
    struct event list[LEGAL_MAX];

    (void)unused;
    for (int i = 0; i < EG_SHOWS_MAX; i++) {
        assert_awaits(&s, AWAIT_MOVE, both);
        play_event(&s, show_of(EG_LEFT, i % 2 ? "11223" : "11224"));
    }
    assert_awaits(&s, AWAIT_MOVE, 1 << EG_RIGHT);
    assert_verdict(&s, show_of(EG_LEFT, "11223"), "not_your_turn");
    struct event again = show_of(EG_LEFT, "11223");
    assert_int_equal(rules->judge(&s, &again), REFUSE_NOT_YOUR_TURN);
    assert_int_equal(rules->legal(&s, EG_LEFT, list, LEGAL_MAX), 0);
    assert_int_equal(rules->legal(&s, EG_RIGHT, list, LEGAL_MAX), 1);
    play_event(&s, list[0]);
    assert_int_equal(s.ended, EG_9);
    for (uint8_t seat = 0; seat < EG_SEATS; seat++) /* the round is over */
        assert_int_equal(rules->legal(&s, seat, list, LEGAL_MAX), 0);
}

/* EG-10: cards do not decide, the way does; nobody hit is void, and hands are told. */
static void shown_hands_may_not_decide(void **unused)
{
    struct eg_state s = last_card(at_table(EG_DO_STREHU, 0), "11222333455555");

    (void)unused;
    play_event(&s, show_of(EG_LEFT, "11234"));
    play_event(&s, show_of(EG_RIGHT, "23444"));
    assert_ended(&s, EG_10, EG_LEFT);
    s = place(at_table(EG_DO_STREHU, 0), 11, 14, "11222333455555", FULL);
    play(&s, EG_RETREAT, 1, 1, 0);
    play_event(&s, show_of(EG_LEFT, "11244"));
    play_event(&s, show_of(EG_RIGHT, "23344"));
    assert_ended(&s, EG_10, NO_SEAT);
    assert_effects((uint8_t[]){EG_SHOWN, EG_ROUND_VOID}, 2);
    assert_memory_equal(&effects.list[1].data[EG_DATA_HANDS],
                        ((uint8_t[]){2, 1, 0, 2, 0, 0, 1, 2, 2, 0}), 10);
}

/* EG-7, EG-9: filling stops with the deck; the hands shown are as short as that. */
static void short_hands_are_shown_short(void **unused)
{
    struct eg_state s = place(at_table(EG_DO_STREHU, 0), 10, 13, "11111222224444", FULL);

    (void)unused;
    play(&s, EG_ATTACK, 3, 2, 0);
    play(&s, EG_PARRY, 0, 2, 0);
    assert_effects((uint8_t[]){EG_PARRIED, EG_DREW}, 2);
    assert_awaits(&s, AWAIT_MOVE, both);
    assert_verdict(&s, show_of(EG_LEFT, "34555"), "EG-9 wrong_hand");
    assert_verdict(&s, show_of(EG_RIGHT, "5555"), "EG-9 wrong_hand");
    play_event(&s, show_of(EG_LEFT, "4555"));
    play_event(&s, show_of(EG_RIGHT, "355"));
    assert_ended(&s, EG_9, EG_LEFT);
}

/* EK-7: the attack first, then the hands. */
static void last_attack_is_answered_first(void **unused)
{
    struct options options = at_table(EG_KNIZIA, EG_ADVANCED);
    struct eg_state s = place(options, 10, 13, "11122224455555", FULL);

    (void)unused;
    play(&s, EG_ATTACK, 3, 1, 0);
    assert_int_equal(s.drawn, EG_CARDS);
    assert_awaits(&s, AWAIT_MOVE, 1 << EG_RIGHT);
    assert_verdict(&s, show_of(EG_RIGHT, "11233"), "EK-7 nothing_to_show");
    struct eg_state yields = s;
    play(&yields, EG_YIELD, 0, 0, 0);
    assert_ended(&yields, EK_6, EG_RIGHT);
    play(&s, EG_PARRY, 0, 1, 0);
    assert_effects((uint8_t[]){EG_PARRIED}, 1);
    assert_awaits(&s, AWAIT_MOVE, both);
    verdict(&s, EG_RETREAT, 1, 1, 0, "EK-7 must_show");
    assert_verdict(&s, show_of(EG_RIGHT, "11233"), "EK-7 wrong_hand");
    assert_verdict(&s, show_of(EG_RIGHT, "1123"), "legal");
    assert_verdict(&s, show_of(EG_RIGHT, "1122"), "EK-7 contradiction");
    play_event(&s, show_of(EG_RIGHT, "1133"));
    play_event(&s, show_of(EG_LEFT, "23444"));
    assert_ended(&s, EK_7, EG_LEFT);
    assert_effects((uint8_t[]){EG_SHOWN, EG_HIT}, 2);

    /* EK-5: a retreat is an answer, too. */
    s = place(options, 10, 14, "1222244555555", FULL);
    play(&s, EG_ADVANCE_ATTACK, 3, 1, 1);
    play(&s, EG_RETREAT, 4, 1, 0);
    assert_awaits(&s, AWAIT_MOVE, both);
}

/* EK-7: at the basic level hands do not count, so nobody is asked for them. */
static void basic_deck_scores_at_once(void **unused)
{
    struct eg_state s = last_card(at_table(EG_KNIZIA, EG_BASIC), "11222334455555");

    (void)unused;
    assert_ended(&s, EK_7, EG_LEFT);
    assert_effects((uint8_t[]){EG_MOVED, EG_DREW, EG_HIT}, 3);
    assert_memory_equal(&effects.list[2].data[EG_DATA_HANDS], unknown, EG_VALUES);
}

/* Nothing of a round lasts into the next. */
static void next_round_begins_anew(void **unused)
{
    struct eg_state s = last_card(at_table(EG_DO_STREHU, 0), "11222334455555");
    struct event deal = {.kind = EVENT_DEAL, .seat = NO_SEAT, .tries = 1};

    (void)unused;
    assert_verdict(&s, deal, "wrong_status");
    play_event(&s, show_of(EG_RIGHT, "11333"));
    play_event(&s, show_of(EG_LEFT, "22444"));
    play_event(&s, deal);
    assert_int_equal(s.round, 2);
    assert_int_equal(s.starter, EG_RIGHT);
    assert_int_equal(s.shows[EG_LEFT] + s.shows[EG_RIGHT], 0);
    for (size_t i = 0; i < EG_CARDS; i++)
        assert_int_equal(s.value[i], 0);
    verdict(&s, EG_ADVANCE, 5, 1, 0, "legal");
    assert_verdict(&s, show_of(EG_RIGHT, "11333"), "EG-9 nothing_to_show");
}

static struct eg_view seen_by(const struct eg_state *s, uint8_t viewer)
{
    struct eg_view view;

    memset(&view, 0xee, sizeof view);
    rules->observe(s, viewer, &view);
    return view;
}

static void views_know_what_was_shown(void **unused)
{
    struct eg_state s = last_card(at_table(EG_DO_STREHU, 0), "11222334455555");

    (void)unused;
    for (int viewer = 0; viewer < 3; viewer++) {
        uint8_t who = viewer == 2 ? NO_SEAT : (uint8_t)viewer;
        struct eg_view view = seen_by(&s, who);
        assert_false(view.seen[EG_LEFT] || view.seen[EG_RIGHT]);
        assert_int_equal(view.size[EG_LEFT], 5);
        assert_int_equal(view.deck, 0);
        assert_memory_equal(view.played, ((uint8_t[]){0, 3, 3, 2, 2, 5}), 6);
        struct eg_state after = s;
        play_event(&after, show_of(EG_RIGHT, "11333"));
        view = seen_by(&after, who);
        assert_true(!view.seen[EG_LEFT] && view.seen[EG_RIGHT]);
        assert_memory_equal(view.hand[EG_RIGHT], ((uint8_t[]){5, 2, 0, 3, 0, 0}), 6);
        play_event(&after, show_of(EG_LEFT, "22444"));
        view = seen_by(&after, who);
        assert_true(view.seen[EG_LEFT] && view.seen[EG_RIGHT]);
        /* Whatever ends the game, what nobody has shown stays unknown. */
        after = s;
        after.outcome.reason = REASON_RESIGNED;
        assert_false(seen_by(&after, who).seen[EG_LEFT]);
    }
}

/* Ordinary moves first, and every hand that can be, in order. */
static void moves_are_listed(void **unused)
{
    struct eg_state s = place(at_table(EG_DO_STREHU, 0), 1, 3, "", FULL);
    struct event list[LEGAL_MAX];
    size_t count = rules->legal(&s, EG_LEFT, list, LEGAL_MAX);

    (void)unused;
    assert_int_equal(count, 7); /* advance 1, attack with one to five twos, stuck */
    assert_int_equal(list[0].data[0], EG_ADVANCE);
    assert_int_equal(list[count - 1].data[0], EG_STUCK);
    play(&s, EG_ATTACK, 2, 2, 0);
    count = rules->legal(&s, EG_RIGHT, list, LEGAL_MAX);
    assert_int_equal(count, 3);
    assert_int_equal(list[0].data[0], EG_PARRY);
    assert_int_equal(list[2].data[0], EG_YIELD);
    assert_int_equal(rules->legal(&s, EG_LEFT, list, LEGAL_MAX), 0);

    s = last_card(at_table(EG_DO_STREHU, 0), "11222223333344");
    count = rules->legal(&s, EG_LEFT, list, LEGAL_MAX);
    /* 1 1 4 4 4 5 5 5 5 5 are left: x ones and y fours with x <= 2, y <= 3. */
    assert_int_equal(count, 12);
    struct eg_show first, last;
    memcpy(&first, list[0].data, sizeof first);
    memcpy(&last, list[count - 1].data, sizeof last);
    assert_memory_equal(first.cards, ((uint8_t[]){5, 2, 0, 0, 3, 0}), 6);
    assert_memory_equal(last.cards, ((uint8_t[]){5, 0, 0, 0, 0, 5}), 6);
    assert_int_equal(rules->legal(&s, EG_RIGHT, list, 5), 5);
    assert_int_equal(rules->legal(&s, NO_SEAT, list, LEGAL_MAX), 0);
}

static void assert_no_move(const struct eg_state *s, struct event event)
{
    assert_int_equal(match_judge(rules, s, &event), EG_NO_SUCH_MOVE);
}

/* Each has one form only; a hand is longer than the other moves. */
static void takes_one_form_only(void **unused)
{
    struct eg_state s = last_card(at_table(EG_DO_STREHU, 0), "11222334455555");

    (void)unused;
    for (int showing = 1; showing >= 0; showing--) {
        struct event event = show_of(EG_LEFT, "11333");
        for (event.size = 0; event.size < sizeof(struct eg_show); event.size++)
            assert_no_move(&s, event);
        event.size = sizeof(struct eg_show) + 1;
        assert_no_move(&s, event);
        assert_no_move(&s, move_of(EG_LEFT, (struct eg_move){.verb = EG_SHOW}));
        assert_no_move(&s, move_of(EG_LEFT, (struct eg_move){.verb = EG_VERBS}));
        event = show_of(EG_LEFT, "11333");
        event.data[0] = EG_VERBS;
        assert_no_move(&s, event);
        event.data[0] = EG_STUCK;
        assert_no_move(&s, event);
        s = place(at_table(EG_DO_STREHU, 0), 10, 13, "", FULL);
    }
}

/* In the referee's custody there are no such moves. */
static void only_at_a_table(void **unused)
{
    struct options options = at_table(EG_DO_STREHU, 0);
    struct event deal = {.kind = EVENT_DEAL, .seat = NO_SEAT, .size = EG_CARDS, .tries = 1};
    struct eg_state s;

    (void)unused;
    options.custody = CUSTODY_REFEREE;
    rules->begin(&s, &options);
    assert_int_equal(rules->awaits(&s).cards, EG_CARDS);
    for (uint8_t i = 0; i < EG_CARDS; i++)
        deal.data[i] = i;
    play_event(&s, deal);
    assert_no_move(&s, move_of(EG_LEFT, (struct eg_move){.verb = EG_YIELD}));
    assert_no_move(&s, move_of(EG_LEFT, (struct eg_move){.verb = EG_STUCK}));
    assert_no_move(&s, move_of(EG_LEFT, (struct eg_move){.verb = EG_SHOW}));
    assert_no_move(&s, show_of(EG_LEFT, "11111"));
    verdict(&s, EG_ADVANCE, 1, 1, 0, "legal");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(players_deal),
        cmocka_unit_test(played_cards_are_gone),
        cmocka_unit_test(short_hands_play_less),
        cmocka_unit_test(both_parts_must_be_left),
        cmocka_unit_test(whoever_cannot_parry_yields),
        cmocka_unit_test(whoever_cannot_level_yields),
        cmocka_unit_test(whoever_can_retreat_does_not_yield),
        cmocka_unit_test(basic_attack_hits),
        cmocka_unit_test(whoever_is_stuck_says_so),
        cmocka_unit_test(deck_asks_for_hands),
        cmocka_unit_test(a_slip_is_mended),
        cmocka_unit_test(shows_are_limited),
        cmocka_unit_test(shown_hands_may_not_decide),
        cmocka_unit_test(short_hands_are_shown_short),
        cmocka_unit_test(last_attack_is_answered_first),
        cmocka_unit_test(basic_deck_scores_at_once),
        cmocka_unit_test(next_round_begins_anew),
        cmocka_unit_test(views_know_what_was_shown),
        cmocka_unit_test(moves_are_listed),
        cmocka_unit_test(takes_one_form_only),
        cmocka_unit_test(only_at_a_table),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
