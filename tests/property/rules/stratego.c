/* Stratego by chance: thousands of games in which judge, legal, play, check and views must
 * agree.
 *
 * A failure prints the seed of the game and its plies so far. */
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

enum { MOVES_MAX = 512, PLIES_MAX = 4000, CELLS = 256 };

static struct {
    uint64_t seed;
    size_t plies;
    struct st_move ply[PLIES_MAX];
    struct event event[PLIES_MAX + 3];
    size_t events;
} game;

#define CHECK(condition) check(condition, #condition)

static void check(bool condition, const char *text)
{
    if (condition)
        return;
    print_error("seed %llu, ply %zu:", (unsigned long long)game.seed, game.plies);
    for (size_t i = 0; i < game.plies; i++)
        print_error(" %u-%u", game.ply[i].from, game.ply[i].to);
    fail_msg("%s", text);
}

/* Every variant in its turn, with options by chance. */
static struct options chosen(struct seeded *chance)
{
    struct options options;
    uint8_t variant = (uint8_t)seeded_below(chance, ST_VARIANTS);

    ruleset_presets(&st_ruleset, variant, &options);
    options.value[ST_OPTION_FIRST] = (int16_t)seeded_below(chance, 3);
    if (variant == ST_MARSAL_A_SPION) {
        options.value[ST_OPTION_CAPTIVES] = (int16_t)seeded_below(chance, 2);
        return options;
    }
    options.value[ST_OPTION_TWO_SQUARE] = (int16_t)seeded_below(chance, 6);
    options.value[ST_OPTION_MORE_SQUARE] = (int16_t)seeded_below(chance, 2);
    options.value[ST_OPTION_PLY_LIMIT] = seeded_below(chance, 2) ? 300 : 0;
    options.value[ST_OPTION_QUIET_LIMIT] = seeded_below(chance, 2) ? 40 : 0;
    return options;
}

/* The numbers of each set once more, by byte. */
static const uint8_t sets[ST_VARIANTS][ST_RANKS] = {
    {1, 1, 8, 6, 5, 4, 3, 2, 1, 1, 8},    {1, 1, 8, 5, 4, 4, 4, 3, 2, 1, 1, 6},
    {1, 1, 8, 5, 4, 4, 4, 3, 2, 1, 1, 6}, {1, 1, 2, 1, 0, 0, 0, 0, 0, 1, 1, 1},
    {1, 1, 2, 2, 0, 0, 0, 0, 0, 1, 1, 2}, {1, 1, 4, 2, 2, 2, 2, 1, 1, 1, 1, 2},
};

static struct event random_setup(struct seeded *chance, uint8_t variant, uint8_t seat)
{
    struct st_setup setup = {.variant = variant};
    struct event event = {.kind = EVENT_SETUP, .seat = seat, .size = sizeof setup};
    size_t n = 0;

    memset(setup.rank, ST_NONE, sizeof setup.rank);
    for (uint8_t rank = 0; rank < ST_RANKS; rank++)
        for (size_t i = 0; i < sets[variant][rank]; i++)
            setup.rank[n++] = rank;
    seeded_shuffle(chance, setup.rank, ST_SLOTS);
    memcpy(event.data, &setup, sizeof setup);
    return event;
}

static void play(struct st_state *s, const struct event *event, struct effects *effects)
{
    CHECK(match_judge(&st_ruleset, s, event) == ALLOWED);
    match_play(&st_ruleset, s, event, effects);
    game.event[game.events++] = *event;
}

static void start(struct seeded *chance, const struct options *options, struct st_state *s)
{
    struct effects effects;
    uint8_t seat = (uint8_t)seeded_below(chance, 2);

    game.plies = game.events = 0;
    st_ruleset.begin(s, options);
    for (size_t i = 0; i < ST_SEATS; i++, seat = !seat) {
        struct event event = random_setup(chance, options->variant, seat);

        CHECK(st_ruleset.check(s) == ALLOWED);
        play(s, &event, &effects);
    }
    if (st_ruleset.awaits(s).what == AWAIT_LOT) {
        struct event lot = {.kind = EVENT_LOT, .seat = NO_SEAT, .size = 1};

        lot.data[0] = (uint8_t)seeded_below(chance, 2);
        play(s, &lot, &effects);
    }
}

/* legal() lists every pair of bytes that judge() allows, once each, and no other. */
static void judge_agrees_with_legal(const struct st_state *s, const struct event *moves,
                                    size_t count)
{
    static bool listed[CELLS][CELLS];
    struct event event = {.kind = EVENT_MOVE, .seat = s->turn, .size = sizeof(struct st_move)};

    memset(listed, 0, sizeof listed);
    for (size_t i = 0; i < count; i++) {
        CHECK(!listed[moves[i].data[0]][moves[i].data[1]]);
        listed[moves[i].data[0]][moves[i].data[1]] = true;
    }
    for (size_t from = 0; from < CELLS; from++)
        for (size_t to = 0; to < CELLS; to++) {
            event.data[0] = (uint8_t)from;
            event.data[1] = (uint8_t)to;
            CHECK((match_judge(&st_ruleset, s, &event) == ALLOWED) == listed[from][to]);
        }
}

/* What left the board and what is on it is the whole set, and nobody stands twice. */
static void pieces_are_conserved(const struct st_state *s)
{
    for (uint8_t side = 0; side < ST_SEATS; side++) {
        uint8_t count[ST_RANKS] = {0};

        for (size_t i = 0; i < ST_SLOTS; i++) {
            size_t piece = (size_t)side * ST_SLOTS + i;

            if (s->rank[piece] == ST_NONE)
                continue;
            count[s->rank[piece]]++;
            CHECK(s->place[piece] == ST_NOWHERE || s->board[s->place[piece]] == piece);
        }
        CHECK(memcmp(count, sets[s->variant], sizeof count) == 0);
    }
}

/* ST-11: may `viewer` tell that piece's rank? By the test's own book of what was shown. */
static bool shown[ST_SEATS][ST_PIECES];

static void note_shown(const struct st_state *s, const struct effect *effect)
{
    struct st_action action;

    if (effect->type != ST_COMBAT)
        return;
    memcpy(&action, effect->data, sizeof action);
    shown[effect->seat][action.defender] = true;
    if (s->variant != ST_MARSAL_A_SPION || (s->shown && action.outcome != ST_DEFENDER_LOST))
        shown[!effect->seat][action.attacker] = true;
}

/* Deals the ranks that `viewer` cannot know anew among the pieces that have them. */
static void deal_unseen(struct seeded *chance, uint8_t viewer, struct st_state *s)
{
    uint8_t piece[ST_PIECES], rank[ST_PIECES];

    for (uint8_t side = 0; side < ST_SEATS; side++) {
        size_t n = 0;

        for (uint8_t i = 0; i < ST_SLOTS; i++) {
            uint8_t p = (uint8_t)(side * ST_SLOTS + i);

            if (side == viewer || s->rank[p] == ST_NONE ||
                (viewer < ST_SEATS && shown[viewer][p]))
                continue;
            piece[n] = p;
            rank[n++] = s->rank[p];
        }
        seeded_shuffle(chance, rank, n);
        for (size_t i = 0; i < n; i++)
            s->rank[piece[i]] = rank[i];
    }
}

static void views_are_blind(struct seeded *chance, const struct st_state *s)
{
    static const uint8_t viewers[] = {0, 1, NO_SEAT};

    for (size_t i = 0; i < 3; i++) {
        struct st_state other = *s;
        struct st_view view, other_view;

        st_ruleset.observe(s, viewers[i], &view);
        deal_unseen(chance, viewers[i], &other);
        st_ruleset.observe(&other, viewers[i], &other_view);
        CHECK(memcmp(&view, &other_view, sizeof view) == 0);
    }
}

/* The other way round: what was shown, and every own piece, is in the view. */
static void views_tell_what_is_known(const struct st_state *s)
{
    for (uint8_t viewer = 0; viewer < ST_SEATS; viewer++) {
        struct st_view view;
        size_t lost = 0;

        st_ruleset.observe(s, viewer, &view);
        for (uint8_t p = 0; p < ST_PIECES; p++) {
            if (s->rank[p] == ST_NONE)
                continue;
            bool known = p / ST_SLOTS == viewer || shown[viewer][p];
            if (s->place[p] == ST_NOWHERE)
                lost++;
            else
                CHECK(view.rank[s->place[p]] == (known ? s->rank[p] : ST_NONE));
        }
        CHECK(lost == (size_t)view.lost[0] + view.lost[1]);
    }
}

static void replay_gives_the_same(const struct options *options, const struct st_state *s)
{
    struct st_state again;
    struct effects effects;

    st_ruleset.begin(&again, options);
    for (size_t i = 0; i < game.events; i++)
        match_play(&st_ruleset, &again, &game.event[i], &effects);
    CHECK(memcmp(&again, s, sizeof again) == 0);
}

static void end_is_open(const struct st_state *s)
{
    struct st_view view;

    st_ruleset.observe(s, NO_SEAT, &view);
    for (uint8_t p = 0; p < ST_PIECES; p++)
        if (s->place[p] != ST_NOWHERE)
            CHECK(view.rank[s->place[p]] == s->rank[p]);
}

/* Attacks, and moves to and fro, more often than chance alone would have them. */
static size_t choose(struct seeded *chance, const struct st_state *s, const struct event *moves,
                     size_t count)
{
    size_t pick = seeded_below(chance, (uint32_t)count);

    for (size_t tries = 0; tries < 4; tries++) {
        if (s->board[moves[pick].data[1]] < ST_PIECES)
            return pick;
        if (game.plies >= 2 && moves[pick].data[0] == game.ply[game.plies - 2].to)
            return pick;
        pick = seeded_below(chance, (uint32_t)count);
    }
    return pick;
}

static void play_game(uint64_t seed, bool thorough)
{
    static struct event moves[MOVES_MAX];
    struct seeded chance = {seed};
    struct options options = chosen(&chance);
    struct effects effects;
    struct st_state s;

    game.seed = seed;
    memset(shown, 0, sizeof shown);
    start(&chance, &options, &s);
    while (st_ruleset.awaits(&s).what == AWAIT_MOVE && game.plies < PLIES_MAX) {
        size_t count = st_ruleset.legal(&s, s.turn, moves, MOVES_MAX);

        CHECK(count > 0 || game.plies == 0);
        if (!count)
            return;
        if (thorough || game.plies % 256 == 5)
            judge_agrees_with_legal(&s, moves, count);
        CHECK(st_ruleset.legal(&s, !s.turn, moves + count, 1) == 0);
        CHECK(st_ruleset.check(&s) == ALLOWED);
        pieces_are_conserved(&s);
        views_are_blind(&chance, &s);
        views_tell_what_is_known(&s);
        const struct event *event = &moves[choose(&chance, &s, moves, count)];
        memcpy(&game.ply[game.plies++], event->data, sizeof game.ply[0]);
        play(&s, event, &effects);
        CHECK(effects.count == 1);
        note_shown(&s, &effects.list[0]);
    }
    CHECK(st_ruleset.check(&s) == ALLOWED);
    replay_gives_the_same(&options, &s);
    if (s.outcome.reason != REASON_NONE)
        end_is_open(&s);
}

static void thousands_of_games(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 2000; seed++)
        play_game(seed, false);
}

/* In every position the entire space of 65,536 pairs of bytes. */
static void every_pair_of_bytes(void **state)
{
    (void)state;
    for (uint64_t seed = 100001; seed <= 100003; seed++)
        play_game(seed, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(thousands_of_games),
        cmocka_unit_test(every_pair_of_bytes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
