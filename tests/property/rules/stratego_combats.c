/* Stratego of which only combats are told, by chance: beside a model that knows armies and no
 * board, with other armies dealt to whoever may not see them, and with wild events.
 *
 * A failure prints the seed of the game and its events so far. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "rules/match.h"
#include "rules/rulesets.h"
#include "rules/stratego/stratego.h"
#include "tests/support/seeded.h"

enum { EVENTS_MAX = 4 * ST_PIECES, FLAG = 0, SPY = 1, SCOUT = 2, MINER = 3 };

/* Two armies, and what became of them. */
struct model {
    uint8_t variant;
    bool shown;
    uint8_t rank[ST_PIECES];
    bool left[ST_PIECES], seen[ST_PIECES];
    uint8_t pair[ST_PIECES][2];
    size_t combats;
};

static struct {
    uint64_t seed;
    struct event event[EVENTS_MAX];
    size_t events;
} game;

static struct {
    unsigned flag, dead, stuck, lost, bare, waited;
} met;

#define CHECK(condition) check(condition, #condition)

static void check(bool condition, const char *text)
{
    if (condition)
        return;
    print_error("seed %llu:", (unsigned long long)game.seed);
    for (size_t i = 0; i < game.events; i++)
        print_error(" %u/%u/%u", game.event[i].kind, game.event[i].seat, game.event[i].data[0]);
    fail_msg("%s", text);
}

static const uint8_t sets[ST_VARIANTS][ST_RANKS] = {
    {1, 1, 8, 6, 5, 4, 3, 2, 1, 1, 8},    {1, 1, 8, 5, 4, 4, 4, 3, 2, 1, 1, 6},
    {1, 1, 8, 5, 4, 4, 4, 3, 2, 1, 1, 6}, {1, 1, 2, 1, 0, 0, 0, 0, 0, 1, 1, 1},
    {1, 1, 2, 2, 0, 0, 0, 0, 0, 1, 1, 2}, {1, 1, 4, 2, 2, 2, 2, 1, 1, 1, 1, 2},
};

static bool house(const struct model *m)
{
    return m->variant == ST_MARSAL_A_SPION;
}

static bool moves(const struct model *m, uint8_t piece)
{
    return m->rank[piece] != FLAG && m->rank[piece] != (house(m) ? 10 : 11);
}

/* The order of the tables: the Czech scout outranks the miner, elsewhere the miner the scout.
 */
static int strength(const struct model *m, uint8_t rank)
{
    if (rank == SCOUT || rank == MINER)
        return (rank == SCOUT) == house(m) ? 3 : 2;
    return rank;
}

/* ST-7 to ST-10, SC-4. */
static uint8_t fought(const struct model *m, uint8_t attacker, uint8_t defender)
{
    uint8_t a = m->rank[attacker], d = m->rank[defender], marshal = house(m) ? 9 : 10;

    if (d == FLAG)
        return ST_DEFENDER_LOST;
    if (!moves(m, defender))
        return a == MINER ? ST_DEFENDER_LOST : ST_ATTACKER_LOST;
    if (a == d)
        return ST_BOTH_LOST;
    if (a == SPY && d == marshal)
        return ST_DEFENDER_LOST;
    if (house(m) && a == marshal && d == SPY)
        return ST_ATTACKER_LOST;
    return strength(m, a) > strength(m, d) ? ST_DEFENDER_LOST : ST_ATTACKER_LOST;
}

static struct event army(struct seeded *chance, struct model *m, uint8_t seat)
{
    struct st_setup setup = {.variant = m->variant};
    struct event event = {.kind = EVENT_SETUP, .seat = seat, .size = sizeof setup};
    size_t slot = 0;

    memset(setup.rank, ST_NONE, sizeof setup.rank);
    for (uint8_t rank = 0; rank < ST_RANKS; rank++)
        for (uint8_t n = 0; n < sets[m->variant][rank]; n++)
            setup.rank[slot++] = rank;
    for (uint32_t i = ST_SLOTS - 1; i > 0; i--) {
        uint32_t j = seeded_below(chance, i + 1);
        uint8_t kept = setup.rank[i];
        setup.rank[i] = setup.rank[j];
        setup.rank[j] = kept;
    }
    for (size_t i = 0; i < ST_SLOTS; i++) {
        m->rank[seat * ST_SLOTS + i] = setup.rank[i];
        m->left[seat * ST_SLOTS + i] = setup.rank[i] != ST_NONE;
    }
    memcpy(event.data, &setup, sizeof setup);
    return event;
}

static void play(struct st_state *s, const struct event *event, struct effects *effects)
{
    CHECK(match_judge(&st_ruleset, s, event) == ALLOWED);
    if (game.events < EVENTS_MAX)
        game.event[game.events++] = *event;
    match_play(&st_ruleset, s, event, effects);
    CHECK(st_ruleset.check(s) == ALLOWED);
}

static void start(struct seeded *chance, struct model *m, struct st_state *s)
{
    struct options options;
    struct effects effects;

    memset(m, 0, sizeof *m);
    m->variant = (uint8_t)seeded_below(chance, ST_VARIANTS);
    ruleset_presets(&st_ruleset, m->variant, &options);
    options.value[ST_OPTION_FIRST] = (int16_t)(1 + seeded_below(chance, 2));
    options.value[ST_OPTION_TOLD] = 1;
    m->shown = house(m) && seeded_below(chance, 2);
    options.value[ST_OPTION_CAPTIVES] = m->shown;
    game.events = 0;
    st_ruleset.begin(s, &options);
    for (uint8_t seat = 0; seat < ST_SEATS; seat++) {
        struct event event = army(chance, m, seat);
        play(s, &event, &effects);
    }
}

static uint8_t home(uint8_t piece)
{
    return st_home(piece / ST_SLOTS, piece % ST_SLOTS);
}

static bool able(const struct model *m, uint8_t seat)
{
    for (uint8_t i = 0; i < ST_SLOTS; i++)
        if (m->left[seat * ST_SLOTS + i] && moves(m, (uint8_t)(seat * ST_SLOTS + i)))
            return true;
    return false;
}

/* One of those that are left, of `seat`; `acts`: that moves. Flags are spared most of the time,
 * so that other ends come about. */
static uint8_t pick(struct seeded *chance, const struct model *m, uint8_t seat, bool acts,
                    bool spares)
{
    uint8_t at = (uint8_t)seeded_below(chance, ST_SLOTS), flag = ST_NONE;

    for (uint8_t i = 0; i < ST_SLOTS; i++) {
        uint8_t piece = (uint8_t)(seat * ST_SLOTS + (at + i) % ST_SLOTS);
        if (!m->left[piece] || (acts && !moves(m, piece)))
            continue;
        if (m->rank[piece] == FLAG && spares) {
            flag = piece;
            continue;
        }
        return piece;
    }
    return flag;
}

static void same_views(const struct model *m, const struct st_state *s, uint8_t attacker)
{
    struct st_view view;

    for (unsigned viewer = 0; viewer <= ST_SEATS; viewer++) {
        uint8_t seat = viewer < ST_SEATS ? (uint8_t)viewer : NO_SEAT;
        bool over = s->outcome.reason != REASON_NONE;
        uint8_t lost[ST_SEATS] = {0}, known[ST_SEATS][ST_RANKS] = {{0}};
        bool waits = attacker != ST_NONE;

        st_ruleset.observe(s, seat, &view);
        CHECK(view.combats && view.to == ST_NOWHERE && !view.claim);
        CHECK(view.turn == (waits ? attacker / ST_SLOTS : NO_SEAT));
        CHECK(view.from ==
              (waits && attacker / ST_SLOTS == seat ? home(attacker) : ST_NOWHERE));
        for (uint8_t piece = 0; piece < ST_PIECES; piece++) {
            uint8_t side = piece / ST_SLOTS, cell = home(piece);
            bool sees = over || seat == side || (seat != NO_SEAT && m->seen[piece]);
            bool shows = m->left[piece] && (over || seat == side);
            CHECK(view.side[cell] == (shows ? side : NO_SEAT));
            CHECK(view.rank[cell] == (shows ? m->rank[piece] : ST_NONE));
            CHECK(!view.moved[cell]);
            if (m->left[piece] || m->rank[piece] == ST_NONE)
                continue;
            lost[side]++;
            known[side][m->rank[piece]] = (uint8_t)(known[side][m->rank[piece]] + sees);
        }
        CHECK(memcmp(lost, view.lost, sizeof lost) == 0);
        CHECK(memcmp(known, view.known, sizeof known) == 0);
    }
}

/* Other armies for those who may not see them: whoever looks sees the same bytes. */
static void dealt_anew(struct seeded *chance, const struct model *m, const struct st_state *s)
{
    struct st_view view, again;

    for (unsigned viewer = 0; viewer <= ST_SEATS; viewer++) {
        uint8_t seat = viewer < ST_SEATS ? (uint8_t)viewer : NO_SEAT;
        struct st_state other = *s;
        for (unsigned n = 0; n < 200; n++) {
            uint8_t a = (uint8_t)seeded_below(chance, ST_PIECES);
            uint8_t b = (uint8_t)(a / ST_SLOTS * ST_SLOTS + seeded_below(chance, ST_SLOTS));
            bool seen = seat != NO_SEAT && (m->seen[a] || m->seen[b]);
            uint8_t kept = other.rank[a];
            if (a / ST_SLOTS == seat || seen || other.rank[a] == ST_NONE ||
                other.rank[b] == ST_NONE)
                continue;
            other.rank[a] = other.rank[b];
            other.rank[b] = kept;
        }
        st_ruleset.observe(s, seat, &view);
        st_ruleset.observe(&other, seat, &again);
        CHECK(memcmp(&view, &again, sizeof view) == 0);
    }
}

static void judged_as_the_model(const struct model *m, const struct st_state *s,
                                uint8_t attacker)
{
    bool waits = attacker != ST_NONE, over = s->outcome.reason != REASON_NONE;
    struct event listed[ST_SLOTS];

    for (uint8_t seat = 0; seat < ST_SEATS; seat++) {
        size_t count = 0;
        for (uint8_t piece = 0; piece < ST_PIECES; piece++) {
            bool own = piece / ST_SLOTS == seat && m->left[piece];
            struct event event = {.kind = EVENT_MOVE, .seat = seat, .data = {home(piece)}};
            bool attacks = !over && !waits && own && moves(m, piece);
            CHECK((match_judge(&st_ruleset, s, &event) == ALLOWED) == attacks);
            CHECK((st_ruleset.judge(s, &event) == ALLOWED) == attacks);
            event.kind = EVENT_OPEN;
            bool answers = !over && waits && own && seat != attacker / ST_SLOTS;
            CHECK((match_judge(&st_ruleset, s, &event) == ALLOWED) == answers);
            CHECK((st_ruleset.judge(s, &event) == ALLOWED) == answers);
            count += attacks;
        }
        CHECK(st_ruleset.legal(s, seat, listed, ST_SLOTS) == count);
    }
}

static void ended_as_the_model(const struct model *m, const struct st_state *s, uint8_t seat,
                               bool flag)
{
    struct outcome due = {.reason = REASON_NONE, .winner = NO_SEAT};
    bool none = !able(m, 0) && !able(m, 1), stuck = !able(m, !seat);

    if (flag)
        due = (struct outcome){REASON_FLAG, seat, house(m) ? ST_RULING_ST12 : ST_RULING_SC5};
    else if (none && house(m))
        due = (struct outcome){REASON_DEAD, NO_SEAT, ST_RULING_ST13};
    else if (stuck && house(m))
        due = (struct outcome){REASON_NO_MOVE, NO_SEAT, ST_RULING_ST14};
    else if (stuck)
        due = (struct outcome){REASON_NO_MOVE, none ? NO_SEAT : seat, ST_RULING_SC5};
    CHECK(memcmp(&due, &s->outcome, sizeof due) == 0);
    met.flag += flag;
    met.dead += due.reason == REASON_DEAD;
    met.stuck += due.ruling == ST_RULING_ST14;
    met.lost += due.reason == REASON_NO_MOVE && due.winner != NO_SEAT;
    met.bare += due.reason == REASON_NO_MOVE && due.ruling == ST_RULING_SC5 && none;
}

static void same_record(const struct model *m, const struct st_state *s, uint8_t attacker)
{
    uint8_t from, to;

    for (size_t i = 0; i < m->combats; i++) {
        CHECK(st_combat_at(s, i, &from, &to));
        CHECK(from == home(m->pair[i][0]) && to == home(m->pair[i][1]));
    }
    CHECK(st_combat_at(s, m->combats, &from, &to) == (attacker != ST_NONE));
    CHECK(attacker == ST_NONE || (from == home(attacker) && to == ST_NOWHERE));
    CHECK(!st_combat_at(s, m->combats + 1, &from, &to));
}

static void settle(struct model *m, const struct st_action *action, uint8_t attacker,
                   uint8_t defender)
{
    uint8_t outcome = fought(m, attacker, defender);
    bool both = !house(m) || (m->shown && outcome != ST_DEFENDER_LOST);

    CHECK(action->outcome == outcome && action->bare == 1 && action->both == both);
    CHECK(action->attacker == attacker && action->defender == defender);
    CHECK(action->rank[0] == m->rank[attacker] && action->rank[1] == m->rank[defender]);
    m->left[attacker] = m->left[attacker] && outcome == ST_DEFENDER_LOST;
    m->left[defender] = m->left[defender] && outcome == ST_ATTACKER_LOST;
    m->seen[defender] = true;
    m->seen[attacker] = m->seen[attacker] || both;
    m->pair[m->combats][0] = attacker;
    m->pair[m->combats++][1] = defender;
}

static void combat(struct seeded *chance, struct model *m, struct st_state *s, bool spares)
{
    uint8_t seat = (uint8_t)seeded_below(chance, 2);
    struct effects effects;
    struct st_action action;

    if (!able(m, seat))
        seat = !seat;
    uint8_t attacker = pick(chance, m, seat, true, spares);
    struct event event = {.kind = EVENT_MOVE, .seat = seat, .data = {home(attacker)}};
    event.size = 2;
    play(s, &event, &effects);
    CHECK(effects.count == 1 && effects.list[0].type == ST_CHALLENGE);
    judged_as_the_model(m, s, attacker);
    same_views(m, s, attacker);
    dealt_anew(chance, m, s);
    same_record(m, s, attacker);
    met.waited++;

    uint8_t defender = pick(chance, m, !seat, false, spares);
    event =
        (struct event){.kind = EVENT_OPEN, .seat = !seat, .size = 2, .data = {home(defender)}};
    play(s, &event, &effects);
    CHECK(effects.count == 1 && effects.list[0].type == ST_COMBAT &&
          effects.list[0].seat == seat);
    memcpy(&action, effects.list[0].data, sizeof action);
    settle(m, &action, attacker, defender);
    ended_as_the_model(m, s, seat, m->rank[defender] == FLAG);
    judged_as_the_model(m, s, ST_NONE);
    same_views(m, s, ST_NONE);
    same_record(m, s, ST_NONE);
    if (s->outcome.reason == REASON_NONE)
        dealt_anew(chance, m, s);
}

static void beside_the_model(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 400; seed++) {
        struct seeded chance = {seed};
        struct st_state s;
        struct model m;

        game.seed = seed;
        start(&chance, &m, &s);
        bool spares = seeded_below(&chance, 3) != 0;
        while (s.outcome.reason == REASON_NONE)
            combat(&chance, &m, &s, spares);
        CHECK(m.combats < ST_PIECES);
    }
    print_message("flag %u, ST-13 %u, ST-14 %u, SC-5 %u lost and %u drawn; %u waited\n",
                  met.flag, met.dead, met.stuck, met.lost, met.bare, met.waited);
    assert_true(met.flag && met.dead && met.stuck && met.lost && met.bare);
}

/* Any event at any time: judged without a trace, and played if it is allowed. */
static void wild_events(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 2000; seed++) {
        struct seeded chance = {seed};
        struct effects effects;
        struct st_state s, before;
        struct model m;

        game.seed = seed;
        start(&chance, &m, &s);
        for (size_t i = 0; i < 400; i++) {
            struct event event = {.kind = (uint8_t)seeded_below(&chance, EVENT_KINDS + 1),
                                  .seat = (uint8_t)seeded_below(&chance, 3),
                                  .size = (uint8_t)seeded_below(&chance, EVENT_DATA_MAX + 1)};
            if (event.kind == EVENT_RESULT || event.kind == EVENT_AGREE ||
                event.kind == EVENT_RESIGN || event.kind == EVENT_TIMEOUT)
                event.kind = seeded_below(&chance, 2) ? EVENT_MOVE : EVENT_OPEN;
            for (size_t byte = 0; byte < sizeof event.data; byte++)
                event.data[byte] = (uint8_t)seeded_below(&chance, byte ? 256 : ST_CELLS + 4);
            before = s;
            ruling_t ruling = match_judge(&st_ruleset, &s, &event);
            CHECK(memcmp(&s, &before, sizeof s) == 0);
            CHECK(ruling < ST_REFUSALS && st_ruleset.judge(&s, &event) < ST_REFUSALS);
            if (ruling == ALLOWED)
                play(&s, &event, &effects);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(beside_the_model),
        cmocka_unit_test(wild_events),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
