/* judge() of each game by itself, at each stage of a game: it answers for every kind of event
 * and every seat, and says what match_judge(), which asks it last, says before it. */
#include "rules/rulesets.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "rules/match.h"
#include "rules/perft.h"
#include "rules/roquefort/roquefort.h"
#include "rules/stratego/stratego.h"

static uint8_t state[PERFT_STATE_MAX];
static unsigned met[EVENT_KINDS]; /* kinds that were awaited */

/* Is it judged outside of the games? */
static bool common(const struct ruleset *rules, uint8_t kind)
{
    return kind == EVENT_AGREE || kind == EVENT_RESULT ||
           ((kind == EVENT_RESIGN || kind == EVENT_TIMEOUT) && !rules->drops_out);
}

static void same_verdict(const struct ruleset *rules, const struct event *event)
{
    ruling_t own = rules->judge(state, event), whole = match_judge(rules, state, event);

    if ((own == ALLOWED) != (whole == ALLOWED))
        fail_msg("%s: kind %d, seat %d, %d: \"%s\" and \"%s\"", rules->id, event->kind,
                 event->seat, event->data[0], rules->name(own)->code, rules->name(whole)->code);
}

/* All kinds and seats and first bytes, `event` being one that has a chance. */
static void look(const struct ruleset *rules, struct event event)
{
    static const uint8_t seats[] = {0, 1, 2, 3, 4, NO_SEAT};
    struct awaiting awaiting = rules->awaits(state);
    uint8_t first = event.data[0];

    for (uint8_t kind = 0; kind < EVENT_KINDS; kind++)
        for (size_t i = 0; i < sizeof seats; i++)
            for (unsigned byte = 0; byte < 256 && !common(rules, kind); byte++) {
                event.kind = kind;
                event.seat = seats[i];
                event.data[0] = (uint8_t)(first + byte);
                same_verdict(rules, &event);
                if (awaiting.what == AWAIT_NOTHING && kind < EVENT_RESIGN)
                    assert_int_equal(rules->judge(state, &event), REFUSE_GAME_OVER);
            }
}

static void lots(const struct ruleset *rules)
{
    uint8_t among = rules->awaits(state).seats;

    for (unsigned byte = 0; byte < 256; byte++) {
        struct event event = {
            .kind = EVENT_LOT, .seat = NO_SEAT, .size = 1, .data = {(uint8_t)byte}};
        bool good = byte < SEATS_MAX && (among >> byte & 1);

        assert_int_equal(rules->judge(state, &event), good ? ALLOWED : REFUSE_WRONG_TIME);
    }
}

static void set_up(const struct options *options, uint8_t seat, struct event *ret_event)
{
    static const uint8_t forty[ST_RANKS] = {1, 1, 8, 6, 5, 4, 3, 2, 1, 1, 8};
    size_t slot = 0;

    memset(ret_event, 0, sizeof *ret_event);
    *ret_event =
        (struct event){.kind = EVENT_SETUP, .seat = seat, .size = sizeof(struct st_setup)};
    if (options->custody == CUSTODY_PLAYERS) {
        memset(ret_event->data, ST_HIDDEN, ST_SLOTS);
        return;
    }
    for (uint8_t rank = 0; rank < ST_RANKS; rank++)
        for (uint8_t i = 0; i < forty[rank]; i++)
            ret_event->data[slot++] = rank;
}

/* The event that is awaited. */
static struct event next(const struct ruleset *rules, const struct options *options)
{
    struct awaiting awaiting = rules->awaits(state);
    struct event event = {.kind = EVENT_LOT, .seat = NO_SEAT, .size = 1};

    if (awaiting.what == AWAIT_SETUP) {
        set_up(options, awaiting.seats & 1 ? 0 : 1, &event);
    } else if (awaiting.what == AWAIT_DEAL) {
        event.kind = EVENT_DEAL;
        event.size = options->custody == CUSTODY_TABLE ? 0 : awaiting.cards;
        event.tries = event.size ? RQ_DEAL_TRIES : 1; /* equals may touch */
        for (uint8_t i = 0; i < event.size; i++)
            event.data[i] = i;
    } else if (awaiting.what == AWAIT_MOVE) {
        uint8_t seat = awaiting.seats & 1 ? 0 : 1;

        assert_true(rules->legal(state, seat, &event, 1) == 1);
    }
    return event;
}

/* From the beginning to a move, and when all is over. */
static void stages(const struct ruleset *rules, const struct options *options)
{
    const struct event drawn = {.kind = EVENT_AGREE, .seat = NO_SEAT};
    struct effects effects;
    struct event event;
    bool moved = false;

    rules->begin(state, options);
    while (!moved) {
        if (rules->awaits(state).what == AWAIT_LOT)
            lots(rules);
        event = next(rules, options);
        look(rules, event);
        met[event.kind]++;
        moved = event.kind == EVENT_MOVE;
        assert_int_equal(match_judge(rules, state, &event), ALLOWED);
        match_play(rules, state, &event, &effects);
    }
    look(rules, event);
    match_play(rules, state, &drawn, &effects);
    look(rules, event);
    event.size = options->custody == CUSTODY_PLAYERS ? ST_SLOTS : event.size;
    look(rules, event);
}

/* A seat that has set up, and one that is none. */
static void set_up_twice(void **unused)
{
    struct options options;
    struct effects effects;
    struct event event;

    (void)unused;
    ruleset_presets(&st_ruleset, ST_MARSAL_A_SPION, &options);
    st_ruleset.begin(state, &options);
    set_up(&options, 1, &event);
    match_play(&st_ruleset, state, &event, &effects);
    for (unsigned seat = 0; seat < 256; seat++) {
        event.seat = (uint8_t)seat;
        assert_int_equal(st_ruleset.judge(state, &event),
                         seat ? REFUSE_NOT_YOUR_TURN : ALLOWED);
    }
}

static void each_stage(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < ruleset_count; i++)
        for (uint8_t custody = 0; custody < CUSTODIES; custody++) {
            struct options options;

            if (!(rulesets[i]->custodies >> custody & 1))
                continue;
            ruleset_presets(rulesets[i], 0, &options);
            options.custody = custody;
            options.value[ruleset_option(rulesets[i], "first")] = 0; /* the lot */
            stages(rulesets[i], &options);
        }
    assert_true(met[EVENT_LOT] && met[EVENT_DEAL] && met[EVENT_SETUP] && met[EVENT_MOVE]);
}

/* Any number has a name, which is one of the game's. */
static void each_number_has_a_name(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < ruleset_count; i++) {
        const struct ruleset *rules = rulesets[i];

        for (unsigned ruling = 0; ruling <= UINT16_MAX; ruling++) {
            const struct refusal *named = rules->name((ruling_t)ruling);
            size_t row = (size_t)(named - rules->refusals);

            assert_in_range(row, 0, rules->refusal_count - 1);
            if (ruling < rules->refusal_count)
                assert_int_equal(row, ruling);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_number_has_a_name),
                                       cmocka_unit_test(set_up_twice),
                                       cmocka_unit_test(each_stage)};

    return cmocka_run_group_tests_name("judges", tests, NULL, NULL);
}
