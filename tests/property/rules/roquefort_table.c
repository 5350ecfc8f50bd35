/* Random games dealt by the referee and played along at a table where all players tell the
 * truth: the same moves, effects, views and ends, and the table's referee knows the faces that
 * were told and no other. Lies about them and gaps are refused, and random bytes do no harm. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "rules/match.h"
#include "rules/roquefort/roquefort.h"
#include "tests/support/seeded.h"

enum { GAMES = 600, PLIES = 240, EVENTS = PLIES + 2, LIES_EVERY = 4, NOISE = 12 };

struct game {
    uint64_t seed;
    struct seeded chance;
    struct options options; /* of the table */
    struct rq_state truth, table;
    uint64_t told; /* tiles that lay open to all at some time, counted here */
    struct event events[EVENTS];
    size_t count;
};

/* What was come across; each must have been. */
static struct {
    unsigned ended[REASONS];
    unsigned other, alike, untold, outside, noise, lit, fell, cheese;
} met;

#define CLAIM(game, what)                                                                      \
    do {                                                                                       \
        if (!(what))                                                                           \
            fail_msg("seed %llu, event %zu: " #what, (unsigned long long)(game)->seed,         \
                     (game)->count);                                                           \
    } while (0)

static bool refused_as(const struct game *game, const struct event *event, const char *code)
{
    ruling_t ruling = match_judge(&rq_ruleset, &game->table, event);

    return strcmp(rq_ruleset.name(ruling)->code, code) == 0;
}

static uint32_t below(struct game *game, uint32_t n)
{
    return seeded_below(&game->chance, n);
}

/* Rooms of any connected shape, some of them large, some without a floor tile. */
static void draw_plate(struct game *game)
{
    uint8_t *plate = game->options.plate;

    for (uint8_t i = 0; i < RQ_SQUARES; i++)
        plate[i] = rq_layouts[0][i] == RQ_NO_SQUARE ? RQ_NO_SQUARE
                                                    : (uint8_t)(i - 1 - (i > 6) - (i > 42));
    for (uint32_t joins = below(game, 90); joins; joins--) {
        uint8_t a = (uint8_t)below(game, RQ_SQUARES - 1);
        uint8_t b = (uint8_t)(a + (a % RQ_SIDE < RQ_SIDE - 1 ? 1 : 0));
        uint8_t from = plate[b];

        if (plate[a] == RQ_NO_SQUARE || from == RQ_NO_SQUARE)
            continue;
        for (unsigned i = 0; i < RQ_SQUARES; i++)
            if (plate[i] == from)
                plate[i] = plate[a];
    }
    game->options.plate_given = true;
}

static void draw_options(struct game *game)
{
    struct options *options = &game->options;

    *options = (struct options){.custody = CUSTODY_TABLE,
                                .variant = (uint8_t)below(game, 2),
                                .players = (uint8_t)(2 + below(game, 3))};
    options->value[RQ_CHEESES_TO_WIN] = (int16_t)(4 + below(game, 3));
    options->value[RQ_FIRST] = (int16_t)below(game, options->players + 1U);
    options->value[RQ_ROOMS] = (int16_t)below(game, 2);
    options->value[RQ_MEMORY] = (int16_t)below(game, 2);
    options->value[RQ_FIRST_SPARE] = (int16_t)(below(game, 2) ? below(game, RQ_FACES) : 0);
    if (below(game, 3) == 0)
        draw_plate(game);
}

/* The two states differ in custody and in what the table's referee has not been told. */
static void claim_twins(const struct game *game)
{
    struct rq_state table = game->table;
    struct rq_view view, other;

    CLAIM(game, rq_ruleset.check(&table) == ALLOWED);
    rq_ruleset.observe(&table, NO_SEAT, &view);
    rq_ruleset.observe(&game->truth, NO_SEAT, &other);
    for (unsigned i = 0; i < RQ_TILES; i++) {
        bool told = game->told >> i & 1;

        CLAIM(game, table.face[i] == (told ? game->truth.face[i] : RQ_UNKNOWN));
        table.face[i] = game->truth.face[i];
        if (view.over && !(game->told >> view.tile[i] & 1))
            other.face[i] = RQ_UNKNOWN;
    }
    table.custody = game->truth.custody;
    CLAIM(game, memcmp(&table, &game->truth, sizeof table) == 0);
    CLAIM(game, memcmp(&view, &other, sizeof view) == 0);
}

/* What lay open after the event before its end could cover it, and the spare. */
static void note_told(struct game *game, uint64_t open, const struct effects *effects)
{
    const struct rq_state *s = &game->truth;

    for (size_t i = 0; i < effects->count; i++) {
        if (effects->list[i].type == RQ_UNCOVERED)
            open |= rq_effect_squares(&effects->list[i]);
        met.fell += effects->list[i].type == RQ_FELL;
        met.cheese += effects->list[i].type == RQ_CHEESE_TAKEN;
    }
    game->told |= rq_bit(s->tile[RQ_SPARE]);
    for (unsigned i = 0; i < RQ_SQUARES; i++)
        if (open & rq_bit(i) && rq_place[i] != RQ_NO_SQUARE)
            game->told |= rq_bit(s->tile[rq_place[i]]);
    for (unsigned i = 0; i < RQ_SIDE; i++) {
        CLAIM(game, s->lit[i] == RQ_NO_SQUARE || game->told >> s->lit[i] & 1);
        met.lit += s->lit[i] != RQ_NO_SQUARE;
    }
}

/* Plays an event with the referee and, completed by the truth, at the table. */
static void play(struct game *game, const struct event *event)
{
    struct event told = *event;
    struct effects effects, twins;
    uint64_t open = game->truth.open;

    if (event->kind == EVENT_MOVE)
        rq_fill(&game->table, game->truth.face, &told);
    CLAIM(game, match_judge(&rq_ruleset, &game->table, &told) == ALLOWED);
    match_play(&rq_ruleset, &game->table, &told, &twins);
    CLAIM(game, match_judge(&rq_ruleset, &game->truth, event) == ALLOWED);
    match_play(&rq_ruleset, &game->truth, event, &effects);
    CLAIM(game, effects.count == twins.count);
    CLAIM(game, memcmp(effects.list, twins.list, effects.count * sizeof *effects.list) == 0);
    game->events[game->count++] = told;
    note_told(game, open, &effects);
    claim_twins(game);
}

/* The referee's spare is blank; at a table any tile may be left over. */
static void leave_over(struct rq_state *s, uint8_t face)
{
    unsigned tile = RQ_TILES - 1;

    while (s->face[tile] != face)
        tile--;
    s->face[tile] = s->face[RQ_SPARE];
    s->face[RQ_SPARE] = face;
}

static void deal(struct game *game)
{
    struct event event = {.kind = EVENT_DEAL, .seat = NO_SEAT, .size = RQ_TILES, .tries = 1000};
    struct event laid = {.kind = EVENT_DEAL, .seat = NO_SEAT, .tries = 1};
    struct effects effects;

    CLAIM(game, rq_ruleset.awaits(&game->table).what == AWAIT_DEAL);
    CLAIM(game, rq_ruleset.awaits(&game->table).cards == 0);
    CLAIM(game, match_judge(&rq_ruleset, &game->table, &event) != ALLOWED);
    CLAIM(game, match_judge(&rq_ruleset, &game->truth, &laid) != ALLOWED);
    seeded_permutation(&game->chance, event.data, RQ_TILES);
    match_play(&rq_ruleset, &game->truth, &event, &effects);
    leave_over(&game->truth, (uint8_t)game->options.value[RQ_FIRST_SPARE]);
    match_play(&rq_ruleset, &game->table, &laid, &effects);
    game->events[game->count++] = laid;
    game->told = rq_bit(RQ_SPARE);
    claim_twins(game);
}

static void open_game(struct game *game)
{
    struct event event = {.kind = EVENT_LOT, .seat = NO_SEAT, .size = 1};
    struct options options = game->options;

    rq_ruleset.begin(&game->table, &options);
    options.custody = CUSTODY_REFEREE;
    rq_ruleset.begin(&game->truth, &options);
    CLAIM(game, rq_ruleset.check(&game->table) == ALLOWED);
    game->told = rq_bit(RQ_SPARE);
    if (rq_ruleset.awaits(&game->table).what == AWAIT_LOT) {
        struct effects effects;

        event.data[0] = (uint8_t)below(game, game->options.players);
        match_play(&rq_ruleset, &game->table, &event, &effects);
        match_play(&rq_ruleset, &game->truth, &event, &effects);
        game->events[game->count++] = event;
    }
    deal(game);
}

/* Both list the same moves, and each of them, with the truth told, is allowed at the table. */
static size_t claim_legal(const struct game *game, struct event *ret_moves)
{
    static struct event others[RQ_LEGAL_MAX];
    uint8_t turn = game->table.turn;
    size_t count = rq_ruleset.legal(&game->table, turn, ret_moves, RQ_LEGAL_MAX);

    CLAIM(game, rq_ruleset.legal(&game->truth, turn, others, RQ_LEGAL_MAX) == count);
    CLAIM(game, count > 0 && memcmp(others, ret_moves, count * sizeof *others) == 0);
    for (size_t i = 0; i < count; i++) {
        struct event told = ret_moves[i];

        rq_fill(&game->table, game->truth.face, &told);
        CLAIM(game, match_judge(&rq_ruleset, &game->table, &told) == ALLOWED);
    }
    return count;
}

/* A move with every face that may be told with it, true; and how the tiles lie after it. */
struct whole {
    struct rq_move move;
    struct rq_state after;
    uint64_t places; /* that are told */
    struct rq_report report;
};

static struct whole whole_of(const struct game *game, const struct event *event)
{
    struct whole whole = {.after = game->truth};
    struct effects effects;
    uint64_t squares = game->truth.open;

    memcpy(&whole.move, event->data, sizeof whole.move);
    match_play(&rq_ruleset, &whole.after, event, &effects);
    if (whole.move.verb == RQ_UNCOVER)
        squares = rq_room_squares(game->truth.room, whole.move.to);
    else
        whole.places = rq_bit(RQ_SPARE);
    for (unsigned i = 0; i < RQ_SQUARES; i++)
        if (squares & rq_bit(i) && rq_place[i] != RQ_NO_SQUARE)
            whole.places |= rq_bit(rq_place[i]);
    memset(&whole.report, RQ_UNKNOWN, sizeof whole.report);
    whole.report.move = whole.move;
    for (unsigned i = 0; i < RQ_TILES; i++)
        if (whole.places >> i & 1)
            whole.report.face[i] = game->truth.face[whole.after.tile[i]];
    return whole;
}

static struct event event_of(const struct game *game, const struct rq_report *report)
{
    struct event event = {.kind = EVENT_MOVE, .seat = game->table.turn, .size = sizeof *report};

    memcpy(event.data, report, sizeof *report);
    return event;
}

/* How many tiles with that face are known, those of the report among them. */
static unsigned alike(const struct game *game, const struct whole *whole,
                      const struct rq_report *report, uint8_t face)
{
    unsigned n = 0;

    for (unsigned i = 0; i < RQ_TILES; i++) {
        uint8_t known = game->table.face[whole->after.tile[i]];

        n += (known == RQ_UNKNOWN ? report->face[i] : known) == face;
    }
    return n;
}

/* One face of the whole told otherwise, left out, or told where there is nothing to see. */
static void claim_place(struct game *game, const struct whole *whole, unsigned place)
{
    uint8_t known = game->table.face[whole->after.tile[place]];
    struct rq_report report = whole->report;

    for (uint8_t face = 0; face < RQ_FACES; face++) {
        report.face[place] = face;
        struct event event = event_of(game, &report);
        bool other = known != RQ_UNKNOWN && known != face;
        bool many = alike(game, whole, &report, face) > (face == RQ_BLANK ? 10 : 3);

        if (!(whole->places >> place & 1))
            CLAIM(game, refused_as(game, &event,
                                   whole->move.verb == RQ_SHIFT ? "covered" : "not_in_room"));
        else
            CLAIM(game, refused_as(game, &event, other || many ? "contradiction" : "legal"));
        met.outside += !(whole->places >> place & 1);
        met.other += other;
        met.alike += many;
    }
    if (!(whole->places >> place & 1))
        return;
    report.face[place] = RQ_UNKNOWN;
    struct event event = event_of(game, &report);
    bool needed = whole->move.verb == RQ_UNCOVER || known == RQ_UNKNOWN;
    CLAIM(game, refused_as(game, &event, needed ? "unknown_face" : "legal"));
    met.untold += needed;
}

static void claim_no_lies(struct game *game, const struct event *moves, size_t count)
{
    const struct event *move = &moves[below(game, (uint32_t)count)];

    for (int i = 0; i < 6 && move->data[0] != RQ_UNCOVER; i++)
        move = &moves[below(game, (uint32_t)count)];
    if (move->data[0] != RQ_UNCOVER && move->data[0] != RQ_SHIFT)
        return;
    struct whole whole = whole_of(game, move);
    struct event event = event_of(game, &whole.report);
    CLAIM(game, match_judge(&rq_ruleset, &game->table, &event) == ALLOWED);
    for (unsigned place = 0; place < RQ_TILES; place++)
        claim_place(game, &whole, place);
}

/* Any bytes at all, and good moves with some spoiled: judged, and played if they may be. */
static void claim_total(struct game *game, const struct event *moves, size_t count)
{
    static const uint8_t sizes[] = {sizeof(struct rq_report), sizeof(struct rq_report),
                                    sizeof(struct rq_move), EVENT_DATA_MAX};

    for (int i = 0; i < NOISE; i++) {
        struct event event = moves[below(game, (uint32_t)count)];
        struct rq_state copy = game->table;
        struct effects effects;

        rq_fill(&copy, game->truth.face, &event);
        for (uint32_t spoil = below(game, 4); spoil; spoil--)
            event.data[below(game, event.size)] =
                (uint8_t)below(game, below(game, 2) ? 9 : 256);
        if (below(game, 3) == 0) {
            event.size = sizes[below(game, 4)];
            for (unsigned k = 0; k < EVENT_DATA_MAX; k++)
                event.data[k] = (uint8_t)below(game, below(game, 2) ? 9 : 256);
        }
        ruling_t ruling = match_judge(&rq_ruleset, &copy, &event);
        CLAIM(game, ruling < RQ_REFUSALS);
        CLAIM(game, memcmp(&copy, &game->table, sizeof copy) == 0);
        if (ruling != ALLOWED)
            continue;
        match_play(&rq_ruleset, &copy, &event, &effects);
        CLAIM(game, rq_ruleset.check(&copy) == ALLOWED);
        met.noise++;
    }
}

/* The first listed move by which somebody gets a cheese or loses a mouse; `count`: none. */
static size_t eventful(const struct game *game, const struct event *moves, size_t count)
{
    struct effects effects;

    for (size_t i = 0; i < count; i++) {
        struct rq_state copy = game->truth;

        match_play(&rq_ruleset, &copy, &moves[i], &effects);
        for (size_t k = 0; k < effects.count; k++)
            if (effects.list[k].type == RQ_CHEESE_TAKEN || effects.list[k].type == RQ_FELL)
                return i;
    }
    return count;
}

static struct event choose(struct game *game, const struct event *moves, size_t count)
{
    struct event event = moves[below(game, (uint32_t)count)];
    size_t best = below(game, 2) ? eventful(game, moves, count) : count;

    for (int i = 0; i < 4 && event.data[0] != RQ_STEP && event.data[0] != RQ_UNCOVER; i++)
        event = moves[below(game, (uint32_t)count)];
    if (best < count)
        event = moves[best];
    if (below(game, 800) == 0) {
        struct event gone = {.kind = below(game, 2) ? EVENT_RESIGN : EVENT_TIMEOUT,
                             .seat = (uint8_t)below(game, game->options.players)};

        if (match_judge(&rq_ruleset, &game->truth, &gone) == ALLOWED)
            return gone;
    }
    return event;
}

static void claim_replay(const struct game *game)
{
    struct rq_state again;
    struct effects effects;

    rq_ruleset.begin(&again, &game->options);
    for (size_t i = 0; i < game->count; i++)
        match_play(&rq_ruleset, &again, &game->events[i], &effects);
    CLAIM(game, memcmp(&again, &game->table, sizeof again) == 0);
}

static void play_game(struct game *game)
{
    struct event moves[RQ_LEGAL_MAX];

    open_game(game);
    while (game->count < EVENTS && game->truth.outcome.reason == REASON_NONE) {
        size_t count = claim_legal(game, moves);

        if (game->count % LIES_EVERY == 0)
            claim_no_lies(game, moves, count);
        claim_total(game, moves, count);
        struct event event = choose(game, moves, count);
        play(game, &event);
    }
    claim_replay(game);
}

static void games_at_a_table(void **state)
{
    static struct game game;

    (void)state;
    for (uint64_t seed = 1; seed <= GAMES; seed++) {
        game = (struct game){.seed = seed, .chance = {seed}};
        draw_options(&game);
        play_game(&game);
        met.ended[game.truth.outcome.reason]++;
    }
    print_message("unfinished %u, cheeses %u, last left %u, third fall %u, resigned %u, time "
                  "%u; refused: other faces %u, too many %u, untold %u, outside %u; noise "
                  "played %u, lit %u, fell %u, cheese %u\n",
                  met.ended[REASON_NONE], met.ended[REASON_CHEESES],
                  met.ended[REASON_LAST_LEFT], met.ended[REASON_THIRD_FALL],
                  met.ended[REASON_RESIGNED], met.ended[REASON_TIME], met.other, met.alike,
                  met.untold, met.outside, met.noise, met.lit, met.fell, met.cheese);
    assert_true(met.ended[REASON_CHEESES] && met.ended[REASON_LAST_LEFT]);
    assert_true(met.ended[REASON_THIRD_FALL] && met.other && met.alike && met.untold);
    assert_true(met.outside && met.noise && met.lit && met.fell && met.cheese);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(games_at_a_table)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
