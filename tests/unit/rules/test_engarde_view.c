/* view.c: what each viewer sees, member by member; engarde.c: the tables. */
#include "rules/engarde/engarde.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "rules/match.h"
#include "rules/rulesets.h"

static struct eg_state dealt(void)
{
    struct event event = {.kind = EVENT_DEAL, .seat = NO_SEAT, .size = EG_CARDS, .tries = 1};
    struct effects effects;
    struct options options;
    struct eg_state s;

    ruleset_presets(&eg_ruleset, EG_DO_STREHU, &options);
    options.value[EG_OPTION_FIRST] = 1;
    eg_ruleset.begin(&s, &options);
    for (uint8_t i = 0; i < EG_CARDS; i++)
        event.data[i] = (uint8_t)(i * 2 % EG_CARDS);
    match_play(&eg_ruleset, &s, &event, &effects);
    return s;
}

static struct eg_view seen_by(const struct eg_state *s, uint8_t viewer)
{
    struct eg_view view;

    memset(&view, 0xee, sizeof view);
    eg_ruleset.observe(s, viewer, &view);
    return view;
}

static const uint8_t nothing[EG_VALUES + 1];

static void own_hand_only(void **unused)
{
    struct eg_state s = dealt();

    (void)unused;
    for (uint8_t viewer = 0; viewer < EG_SEATS; viewer++) {
        struct eg_view view = seen_by(&s, viewer);
        assert_true(view.seen[viewer] && !view.seen[!viewer]);
        assert_memory_equal(view.hand[viewer], s.hand[viewer], sizeof nothing);
        assert_memory_equal(view.hand[!viewer], nothing, sizeof nothing);
        assert_int_equal(view.size[!viewer], EG_HAND);
        assert_int_equal(view.deck, 15);
    }
    struct eg_view view = seen_by(&s, NO_SEAT);
    for (uint8_t seat = 0; seat < EG_SEATS; seat++) {
        assert_false(view.seen[seat]);
        assert_memory_equal(view.hand[seat], nothing, sizeof nothing);
        assert_int_equal(view.size[seat], EG_HAND);
    }
}

/* What lies on the table is everybody's. */
static void the_table_is_open(void **unused)
{
    struct eg_state s = dealt();

    (void)unused;
    s.field[EG_LEFT] = 7;
    s.field[EG_RIGHT] = 10;
    s.hits[EG_LEFT] = 2;
    s.hits[EG_RIGHT] = 4;
    s.round = 9;
    s.starter = EG_RIGHT;
    s.exchange = (struct eg_exchange){3, {2, 1}, EG_LEFT, 0};
    for (int viewer = 0; viewer < 3; viewer++) {
        struct eg_view view = seen_by(&s, viewer == 2 ? NO_SEAT : (uint8_t)viewer);
        assert_memory_equal(view.field, s.field, sizeof view.field);
        assert_memory_equal(view.hits, s.hits, sizeof view.hits);
        assert_memory_equal(&view.exchange, &s.exchange, sizeof view.exchange);
        assert_int_equal(view.round, 9);
        assert_int_equal(view.starter, EG_RIGHT);
    }
}

/* EG-9, EG-10, EK-7 lay both hands open, other ends of a round do not; the end of the game
 * does. */
static void open_when_the_rules_say(void **unused)
{
    (void)unused;
    for (uint8_t ruling = 0; ruling < EG_RULINGS; ruling++) {
        struct eg_state s = dealt();
        bool open = ruling == EG_9 || ruling == EG_10 || ruling == EK_7;
        s.ended = ruling;
        for (uint8_t seat = 0; seat < EG_SEATS; seat++) {
            assert_int_equal(seen_by(&s, NO_SEAT).seen[seat], open);
            assert_int_equal(seen_by(&s, !seat).seen[seat], open);
        }
        s.outcome.reason = REASON_RESIGNED;
        assert_true(seen_by(&s, NO_SEAT).seen[EG_LEFT]);
        assert_memory_equal(seen_by(&s, NO_SEAT).hand, s.hand, sizeof s.hand);
    }
}

static void played_cards_are_open(void **unused)
{
    struct eg_state s = dealt();
    struct effects effects;
    struct event list[64];

    (void)unused;
    assert_true(eg_ruleset.legal(&s, EG_LEFT, list, 64) > 0);
    struct eg_move move;
    memcpy(&move, list[0].data, sizeof move);
    match_play(&eg_ruleset, &s, &list[0], &effects);
    for (int viewer = 0; viewer < 3; viewer++) {
        struct eg_view view = seen_by(&s, viewer == 2 ? NO_SEAT : (uint8_t)viewer);
        for (uint8_t value = 1; value <= EG_VALUES; value++)
            assert_int_equal(view.played[value], value == move.card);
        assert_int_equal(view.deck, 14);
    }
}

/* Before the first deal there is nothing, and it may be looked at. */
static void nothing_before_the_deal(void **unused)
{
    struct options options;
    struct eg_state s;

    (void)unused;
    ruleset_presets(&eg_ruleset, EG_KNIZIA, &options);
    eg_ruleset.begin(&s, &options);
    struct eg_view view = seen_by(&s, EG_LEFT);
    assert_int_equal(view.deck, 0);
    assert_int_equal(view.size[EG_LEFT], 0);
    assert_int_equal(view.starter, NO_SEAT);
    assert_int_equal(eg_ruleset.legal(&s, EG_LEFT, NULL, 0), 0);
    assert_int_equal(s.level, EG_ADVANCED);
}

/* The tables are whole: texts in both languages, rulings behind refusals, options in range. */
static void tables_are_whole(void **unused)
{
    (void)unused;
    assert_true(eg_ruleset.state_size <= 200);
    for (size_t i = 1; i < eg_ruleset.ruling_count; i++) {
        const struct ruling *ruling = &eg_ruleset.rulings[i];
        assert_non_null(ruling->id);
        assert_true(ruling->text[0] && ruling->text[1] && ruling->variants);
    }
    for (uint16_t i = 0; i < eg_ruleset.refusal_count; i++) {
        const struct refusal *refusal = eg_ruleset.name(i);
        bool known = i < REFUSALS_COMMON && !refusal->ruling;
        for (size_t j = 1; !known && j < eg_ruleset.ruling_count; j++)
            known = strcmp(eg_ruleset.rulings[j].id, refusal->ruling) == 0;
        assert_true(known && refusal->code && refusal->text[0] && refusal->text[1]);
    }
    assert_non_null(eg_ruleset.name(UINT16_MAX));
    for (size_t i = 0; i < eg_ruleset.option_count; i++)
        for (size_t v = 0; v < eg_ruleset.variant_count; v++) {
            const struct option *option = &eg_ruleset.options[i];
            if (!(option->variants >> v & 1))
                continue;
            assert_in_range(option->preset[v], option->min, option->max);
            assert_true(!option->words || !option->words[option->max + 1]);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_is_open),       cmocka_unit_test(own_hand_only),
        cmocka_unit_test(open_when_the_rules_say), cmocka_unit_test(played_cards_are_open),
        cmocka_unit_test(nothing_before_the_deal), cmocka_unit_test(tables_are_whole),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
