/* Random games of the castle: in every position legal() and judge() agree over all moves there
 * are, nothing is lost or made, a replay gives the same bytes, and what lies under roofs
 * changes neither a view nor a refusal. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "rules/match.h"
#include "rules/roquefort/roquefort.h"
#include "tests/support/seeded.h"

enum { GAMES = 1000, PLIES = 240, EVENTS = PLIES + 2, STRIDE = 51, WHOLE = 16 };

struct game {
    uint64_t seed;
    struct seeded chance;
    struct options options;
    struct rq_state state;
    uint8_t dealt[RQ_TILES];
    struct event events[EVENTS];
    size_t count;
};

#define CLAIM(game, what)                                                                      \
    do {                                                                                       \
        if (!(what))                                                                           \
            fail_msg("seed %llu, event %zu: " #what, (unsigned long long)(game)->seed,         \
                     (game)->count);                                                           \
    } while (0)

/* Joins neighbours at random: rooms of any connected shape. */
static void draw_plate(struct game *game)
{
    uint8_t *plate = game->options.plate;

    for (uint8_t i = 0; i < RQ_SQUARES; i++)
        plate[i] = rq_layouts[0][i] == RQ_NO_SQUARE ? RQ_NO_SQUARE
                                                    : (uint8_t)(i - 1 - (i > 6) - (i > 42));
    for (uint32_t joins = seeded_below(&game->chance, 60); joins; joins--) {
        uint8_t a = (uint8_t)seeded_below(&game->chance, RQ_SQUARES - 1);
        uint8_t b = (uint8_t)(a + (a % RQ_SIDE < RQ_SIDE - 1 ? 1 : 0));
        uint8_t from = plate[b];

        if (plate[a] == RQ_NO_SQUARE || from == RQ_NO_SQUARE)
            continue;
        for (unsigned i = 0; i < RQ_SQUARES; i++)
            if (plate[i] == from)
                plate[i] = plate[a];
    }
    game->options.plate_given = true;
    assert_int_equal(rq_check_plate(plate), ALLOWED);
}

static void draw_options(struct game *game)
{
    struct options *options = &game->options;

    *options = (struct options){.variant = (uint8_t)seeded_below(&game->chance, 2),
                                .players = (uint8_t)(2 + seeded_below(&game->chance, 3))};
    options->value[RQ_CHEESES_TO_WIN] = (int16_t)(4 + seeded_below(&game->chance, 3));
    options->value[RQ_FIRST] = (int16_t)seeded_below(&game->chance, options->players + 1U);
    options->value[RQ_ROOMS] = (int16_t)seeded_below(&game->chance, 2);
    options->value[RQ_MEMORY] = (int16_t)seeded_below(&game->chance, 2);
    if (seeded_below(&game->chance, 4) == 0)
        draw_plate(game);
}

static void claim_conserved(const struct game *game, const struct rq_state *before)
{
    const struct rq_state *s = &game->state;

    CLAIM(game, rq_ruleset.check(s) == ALLOWED);
    if (s->stage == RQ_PLAY)
        CLAIM(game, memcmp(s->face, game->dealt, sizeof s->face) == 0);
    for (unsigned seat = 0; seat < s->players; seat++) {
        CLAIM(game, (s->cheeses[seat] & before->cheeses[seat]) == before->cheeses[seat]);
        CLAIM(game, s->cellar[seat] >= before->cellar[seat]);
    }
}

/* Plays, twice from two copies: the same bytes and the same effects. */
static void play(struct game *game, const struct event *event)
{
    struct rq_state before = game->state, twin = game->state;
    struct effects effects, twins;

    CLAIM(game, match_judge(&rq_ruleset, &game->state, event) == ALLOWED);
    CLAIM(game, memcmp(&before, &game->state, sizeof before) == 0);
    match_play(&rq_ruleset, &game->state, event, &effects);
    match_play(&rq_ruleset, &twin, event, &twins);
    CLAIM(game, memcmp(&twin, &game->state, sizeof twin) == 0);
    CLAIM(game, effects.count == twins.count);
    CLAIM(game, memcmp(effects.list, twins.list, effects.count * sizeof *effects.list) == 0);
    game->events[game->count++] = *event;
    if (event->kind == EVENT_DEAL)
        memcpy(game->dealt, game->state.face, sizeof game->dealt);
    claim_conserved(game, &before);
}

static struct event move_event(const struct rq_state *s, struct rq_move m)
{
    struct event event = {.kind = EVENT_MOVE, .seat = s->turn, .size = sizeof m};

    memcpy(event.data, &m, sizeof m);
    return event;
}

/* The first square of a room stands for all of it. */
static uint8_t canonical(const struct rq_state *s, uint8_t square)
{
    for (uint8_t i = 0; square < RQ_SQUARES && i < square; i++)
        if (s->room[i] == s->room[square] && s->room[i] != RQ_NO_SQUARE)
            return i;
    return square;
}

struct verdicts {
    ruling_t of[RQ_VERBS + 1][STRIDE][STRIDE];
};

static bool uses_from(unsigned verb)
{
    return verb == RQ_STEP || verb == RQ_JUMP;
}

/* All moves there are, and some that are not; without `whole`, of the moves that begin on a
 * square only those from where a mouse of the seat stands and from one square more. */
static void judge_all(const struct rq_state *s, bool whole, struct verdicts *ret)
{
    uint64_t from_here = whole ? UINT64_MAX : s->mice[s->turn] | rq_bit(s->actions_left);

    memset(ret, 0xff, sizeof *ret);
    for (uint8_t verb = 0; verb <= RQ_VERBS; verb++)
        for (uint8_t from = 0; from < (uses_from(verb) ? STRIDE : 1); from++)
            for (uint8_t to = 0; to < (verb == RQ_END_TURN ? 1 : STRIDE); to++) {
                if (uses_from(verb) && !(from_here >> from & 1))
                    continue;
                struct event event = move_event(s, (struct rq_move){verb, from, to});
                ret->of[verb][from][to] = match_judge(&rq_ruleset, s, &event);
            }
}

/* Every listed move is allowed and listed once; every allowed one is listed. */
static size_t claim_legal(const struct game *game, const struct verdicts *verdicts,
                          struct event *ret_moves)
{
    static bool listed[RQ_VERBS + 1][STRIDE][STRIDE];
    const struct rq_state *s = &game->state;
    size_t count = rq_ruleset.legal(s, s->turn, ret_moves, RQ_LEGAL_MAX);
    struct rq_move m;

    memset(listed, 0, sizeof listed);
    CLAIM(game, count < RQ_LEGAL_MAX);
    for (size_t i = 0; i < count; i++) {
        memcpy(&m, ret_moves[i].data, sizeof m);
        CLAIM(game, !listed[m.verb][m.from][m.to]);
        CLAIM(game, verdicts->of[m.verb][m.from][m.to] == ALLOWED);
        listed[m.verb][m.from][m.to] = true;
    }
    for (unsigned verb = 0; verb <= RQ_VERBS; verb++)
        for (unsigned from = 0; from < STRIDE; from++)
            for (uint8_t to = 0; to < STRIDE; to++)
                if (verdicts->of[verb][from][to] == ALLOWED)
                    CLAIM(game, listed[verb][from][verb == RQ_UNCOVER ? canonical(s, to) : to]);
    for (uint8_t seat = 0; seat < SEATS_MAX; seat++)
        CLAIM(game, seat == s->turn || !rq_ruleset.legal(s, seat, ret_moves + count, 1));
    return count;
}

/* Shuffles the faces that nobody may know. */
static struct rq_state redealt(struct game *game, const struct rq_view *view)
{
    struct rq_state other = game->state;
    uint8_t tiles[RQ_TILES], faces[RQ_TILES];
    size_t count = 0;

    for (unsigned i = 0; i < RQ_TILES; i++)
        if (view->face[i] == RQ_UNKNOWN) {
            tiles[count] = view->tile[i];
            faces[count++] = other.face[view->tile[i]];
        }
    seeded_shuffle(&game->chance, faces, count);
    for (size_t i = 0; i < count; i++)
        other.face[tiles[i]] = faces[i];
    return other;
}

static void claim_blind(struct game *game, bool whole, const struct verdicts *verdicts)
{
    static struct verdicts others;
    struct rq_view view, other_view;

    rq_ruleset.observe(&game->state, NO_SEAT, &view);
    struct rq_state other = redealt(game, &view);
    for (unsigned seat = 0; seat <= game->state.players; seat++) {
        uint8_t viewer = seat < game->state.players ? (uint8_t)seat : NO_SEAT;

        rq_ruleset.observe(&other, viewer, &other_view);
        CLAIM(game, memcmp(&view, &other_view, sizeof view) == 0);
    }
    judge_all(&other, whole, &others);
    CLAIM(game, memcmp(verdicts, &others, sizeof others) == 0);
}

/* CR-11: a turn begins with no empty room open, unless a seat has just given up. */
static void claim_roofs(const struct game *game)
{
    const struct rq_state *s = &game->state;
    uint64_t mice = s->mice[0] | s->mice[1] | s->mice[2] | s->mice[3];

    if (game->events[game->count - 1].kind != EVENT_MOVE)
        return;
    for (uint8_t i = 0; i < RQ_SQUARES && s->actions_left == RQ_ACTIONS; i++)
        CLAIM(game, !(s->open & rq_bit(i)) || rq_room_squares(s->room, i) & mice);
}

/* The first listed move by which somebody gets a cheese or loses a mouse; `count`: none. */
static size_t eventful(const struct game *game, const struct event *moves, size_t count)
{
    struct effects effects;

    for (size_t i = 0; i < count; i++) {
        struct rq_state copy = game->state;

        match_play(&rq_ruleset, &copy, &moves[i], &effects);
        for (size_t k = 0; k < effects.count; k++)
            if (effects.list[k].type == RQ_CHEESE_TAKEN || effects.list[k].type == RQ_FELL)
                return i;
    }
    return count;
}

/* Moves that matter, steps and entries are likelier, so that games get somewhere; now and then
 * a seat gives up. */
static struct event choose(struct game *game, const struct event *moves, size_t count)
{
    struct event event = moves[seeded_below(&game->chance, (uint32_t)count)];
    size_t best = seeded_below(&game->chance, 2) ? eventful(game, moves, count) : count;

    for (int i = 0; i < 6 && event.data[0] != RQ_STEP && event.data[0] != RQ_ENTER; i++)
        event = moves[seeded_below(&game->chance, (uint32_t)count)];
    if (best < count)
        event = moves[best];
    if (seeded_below(&game->chance, 1000) == 0) {
        uint8_t seat = (uint8_t)seeded_below(&game->chance, game->state.players);
        struct event gone = {.kind =
                                 seeded_below(&game->chance, 2) ? EVENT_RESIGN : EVENT_TIMEOUT,
                             .seat = seat};

        if (match_judge(&rq_ruleset, &game->state, &gone) == ALLOWED)
            return gone;
    }
    return event;
}

static void open_game(struct game *game)
{
    struct event event = {.kind = EVENT_LOT, .seat = NO_SEAT, .size = 1};

    rq_ruleset.begin(&game->state, &game->options);
    CLAIM(game, rq_ruleset.check(&game->state) == ALLOWED);
    if (rq_ruleset.awaits(&game->state).what == AWAIT_LOT) {
        event.data[0] = (uint8_t)seeded_below(&game->chance, game->options.players);
        play(game, &event);
    }
    CLAIM(game, rq_ruleset.awaits(&game->state).cards == RQ_TILES);
    event = (struct event){.kind = EVENT_DEAL, .seat = NO_SEAT, .size = RQ_TILES};
    do {
        seeded_permutation(&game->chance, event.data, RQ_TILES);
        event.tries++;
    } while (match_judge(&rq_ruleset, &game->state, &event) != ALLOWED);
    play(game, &event);
}

static void claim_replay(const struct game *game)
{
    struct rq_state again;
    struct effects effects;

    rq_ruleset.begin(&again, &game->options);
    for (size_t i = 0; i < game->count; i++)
        match_play(&rq_ruleset, &again, &game->events[i], &effects);
    CLAIM(game, memcmp(&again, &game->state, sizeof again) == 0);
}

static void claim_all_open(const struct game *game)
{
    struct rq_view view;

    rq_ruleset.observe(&game->state, NO_SEAT, &view);
    for (unsigned i = 0; i < RQ_TILES; i++)
        CLAIM(game, view.face[i] != RQ_UNKNOWN);
}

static void play_game(struct game *game)
{
    static struct verdicts verdicts;
    struct event moves[RQ_LEGAL_MAX + 1];

    open_game(game);
    while (game->count < EVENTS && game->state.outcome.reason == REASON_NONE) {
        bool whole = game->count % WHOLE == 0;

        judge_all(&game->state, whole, &verdicts);
        size_t count = claim_legal(game, &verdicts, moves);
        CLAIM(game, count > 0);
        claim_blind(game, whole, &verdicts);
        claim_roofs(game);
        struct event event = choose(game, moves, count);
        play(game, &event);
    }
    if (game->state.outcome.reason != REASON_NONE)
        claim_all_open(game);
    claim_replay(game);
}

static void random_games(void **state)
{
    static struct game game;
    unsigned ended[REASONS] = {0};

    (void)state;
    for (uint64_t seed = 1; seed <= GAMES; seed++) {
        game = (struct game){.seed = seed, .chance = {seed}};
        draw_options(&game);
        play_game(&game);
        ended[game.state.outcome.reason]++;
    }
    print_message(
        "unfinished %u, cheeses %u, last left %u, third fall %u, resigned %u, time %u\n",
        ended[REASON_NONE], ended[REASON_CHEESES], ended[REASON_LAST_LEFT],
        ended[REASON_THIRD_FALL], ended[REASON_RESIGNED], ended[REASON_TIME]);
    assert_true(ended[REASON_CHEESES] && ended[REASON_RESIGNED] && ended[REASON_TIME]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_games)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
