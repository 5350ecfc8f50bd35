/* Players' custody by chance: games in which every opening is true, beside the same games in
 * the referee's custody, and wild ones in which anything is opened.
 *
 * A failure prints the seed of the game and its plies so far. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "rules/match.h"
#include "rules/rulesets.h"
#include "rules/stratego/stratego.h"
#include "tests/support/seeded.h"

enum { MOVES_MAX = 512, PLIES_MAX = 4000, EVENTS_MAX = 3 * PLIES_MAX, CELLS = 256 };

/* What the referee would see, and what it does see. */
struct table {
    struct options options;
    struct st_state shadow, blind;
    struct account account[ST_SEATS];
    unsigned fought; /* combats since the last claim that failed */
    bool spares;     /* flags are left alone, so that other ends come about */
};

static struct {
    uint64_t seed;
    struct event event[EVENTS_MAX];
    size_t events;
} game;

/* How often the games ended so, to be sure that all of it was met. */
static struct {
    unsigned flag, limit, dead, blocked, lost, bare, failed, waited, cheats;
} met;

#define CHECK(condition) check(condition, #condition)

static void check(bool condition, const char *text)
{
    if (condition)
        return;
    print_error("seed %llu:", (unsigned long long)game.seed);
    for (size_t i = 0; i < game.events; i++)
        print_error(" %u/%u/%u-%u", game.event[i].kind, game.event[i].seat,
                    game.event[i].data[0], game.event[i].data[1]);
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
    options.value[ST_OPTION_PLY_LIMIT] = seeded_below(chance, 8) ? 0 : 300;
    options.value[ST_OPTION_QUIET_LIMIT] = seeded_below(chance, 8) ? 0 : 40;
    return options;
}

/* The numbers of each set once more, by byte. */
static const uint8_t sets[ST_VARIANTS][ST_RANKS] = {
    {1, 1, 8, 6, 5, 4, 3, 2, 1, 1, 8},    {1, 1, 8, 5, 4, 4, 4, 3, 2, 1, 1, 6},
    {1, 1, 8, 5, 4, 4, 4, 3, 2, 1, 1, 6}, {1, 1, 2, 1, 0, 0, 0, 0, 0, 1, 1, 1},
    {1, 1, 2, 2, 0, 0, 0, 0, 0, 1, 1, 2}, {1, 1, 4, 2, 2, 2, 2, 1, 1, 1, 1, 2},
};

static void random_set(struct seeded *chance, uint8_t variant, uint8_t rank[static ST_SLOTS])
{
    size_t n = 0;

    memset(rank, ST_NONE, ST_SLOTS);
    for (uint8_t r = 0; r < ST_RANKS; r++)
        for (size_t i = 0; i < sets[variant][r]; i++)
            rank[n++] = r;
    seeded_shuffle(chance, rank, ST_SLOTS);
}

static void put_into(uint8_t rank[static ST_SLOTS], size_t slot, uint8_t wanted, size_t from)
{
    size_t i = from;

    while (rank[i] != wanted)
        i++;
    rank[i] = rank[slot];
    rank[slot] = wanted;
}

/* ST-13: the flag in a corner behind mines, so that a game without miners is dead. */
static void wall_in(uint8_t rank[static ST_SLOTS])
{
    put_into(rank, 0, ST_FLAG, 0);
    put_into(rank, 1, 10, 1);
    put_into(rank, ST_FILES, 10, 2);
}

static struct event setup_event(uint8_t variant, uint8_t seat, const uint8_t *rank)
{
    struct st_setup setup = {.variant = variant};
    struct event event = {.kind = EVENT_SETUP, .seat = seat, .size = sizeof setup};

    memcpy(setup.rank, rank, ST_SLOTS);
    memcpy(event.data, &setup, sizeof setup);
    return event;
}

static void play_on(struct st_state *s, const struct event *event, struct effects *effects)
{
    CHECK(match_judge(&st_ruleset, s, event) == ALLOWED);
    match_play(&st_ruleset, s, event, effects);
    CHECK(st_ruleset.check(s) == ALLOWED);
}

static void play_blind(struct table *t, const struct event *event, struct effects *effects)
{
    CHECK(game.events < EVENTS_MAX);
    game.event[game.events++] = *event;
    play_on(&t->blind, event, effects);
}

static struct options blind_options(const struct options *options)
{
    struct options blind = *options;

    blind.custody = CUSTODY_PLAYERS;
    return blind;
}

static void set_up(struct seeded *chance, struct table *t, uint8_t seat)
{
    struct account *account = &t->account[seat];
    uint8_t rank[ST_SLOTS];
    struct effects effects;

    random_set(chance, t->options.variant, rank);
    if (t->options.variant == ST_MARSAL_A_SPION && t->spares)
        wall_in(rank);
    struct event event = setup_event(t->options.variant, seat, rank);
    play_on(&t->shadow, &event, &effects);
    *account = (struct account){.seat = seat, .setup_seq = 1 + seat};
    memset(account->shown, FACE_UNKNOWN, sizeof account->shown);
    memcpy(account->face, rank, ST_SLOTS);
    for (size_t i = 0; i < ST_SLOTS; i++) {
        account->slots |= (uint64_t)(rank[i] != ST_NONE) << i;
        if (rank[i] != ST_NONE)
            rank[i] = ST_HIDDEN;
    }
    event = setup_event(t->options.variant, seat, rank);
    play_blind(t, &event, &effects);
}

static void start(struct seeded *chance, struct table *t)
{
    struct effects effects;

    memset(t, 0, sizeof *t);
    game.events = 0;
    t->options = chosen(chance);
    t->spares = seeded_below(chance, 4) > 0;
    struct options blind = blind_options(&t->options);
    st_ruleset.begin(&t->shadow, &t->options);
    st_ruleset.begin(&t->blind, &blind);
    for (uint8_t seat = 0; seat < ST_SEATS; seat++)
        set_up(chance, t, seat);
    if (st_ruleset.awaits(&t->shadow).what == AWAIT_LOT) {
        struct event lot = {.kind = EVENT_LOT, .seat = NO_SEAT, .size = 1};

        lot.data[0] = (uint8_t)seeded_below(chance, 2);
        play_on(&t->shadow, &lot, &effects);
        play_blind(t, &lot, &effects);
    }
}

static uint8_t truth(const struct table *t, uint8_t piece)
{
    return t->shadow.rank[piece];
}

static bool is_long(const struct event *move)
{
    int files = move->data[0] % ST_WIDTH - move->data[1] % ST_WIDTH;
    int rows = move->data[0] / ST_WIDTH - move->data[1] / ST_WIDTH;

    return abs(files) > 1 || abs(rows) > 1;
}

/* `move` as an honest player sends it. */
static struct event honest(const struct table *t, const struct event *move)
{
    struct event event = *move;
    bool attack = t->blind.board[move->data[1]] < ST_PIECES;

    event.size = 3;
    event.data[2] = ST_NONE;
    if (attack || is_long(move))
        event.data[2] = truth(t, t->blind.board[move->data[0]]);
    return event;
}

static struct event opening(uint8_t seat)
{
    struct event event = {.kind = EVENT_OPEN, .seat = seat, .size = ST_SLOTS};

    memset(event.data, ST_NONE, ST_SLOTS);
    return event;
}

static struct event all_opened(const struct table *t, uint8_t seat)
{
    struct event event = opening(seat);

    for (uint8_t i = 0; i < ST_SLOTS; i++)
        if (t->blind.place[seat * ST_SLOTS + i] != ST_NOWHERE)
            event.data[i] = truth(t, (uint8_t)(seat * ST_SLOTS + i));
    return event;
}

/* Keeping account of a side, as whoever audits it has to. */

static void note_shown(struct account *account, size_t slot, uint8_t rank)
{
    if (account->shown[slot] != FACE_UNKNOWN)
        return;
    account->shown[slot] = rank;
    account->shown_seq[slot] = (uint32_t)game.events;
}

static void note_move(struct table *t, const struct event *move)
{
    struct account *account = &t->account[move->seat];
    size_t slot = t->blind.board[move->data[0]] % ST_SLOTS;

    if (!account->moved_seq[slot])
        account->moved_seq[slot] = (uint32_t)game.events;
    if (!account->long_seq[slot] && is_long(move))
        account->long_seq[slot] = (uint32_t)game.events;
    if (move->data[2] != ST_NONE)
        note_shown(account, slot, move->data[2]);
}

static void note_open(struct table *t, const struct event *event)
{
    for (size_t slot = 0; slot < ST_SLOTS; slot++)
        if (event->data[slot] != ST_NONE)
            note_shown(&t->account[event->seat], slot, event->data[slot]);
}

/* Views */

/* Of the other side exactly what the shadow's view shows, of the own one no more than is so. */
static void view_is_no_better(const struct table *t, uint8_t viewer)
{
    struct st_view view, shadow;

    st_ruleset.observe(&t->blind, viewer, &view);
    st_ruleset.observe(&t->shadow, viewer, &shadow);
    CHECK(memcmp(view.side, shadow.side, sizeof view.side) == 0);
    CHECK(memcmp(view.lost, shadow.lost, sizeof view.lost) == 0);
    CHECK(view.from == t->blind.from && view.to == t->blind.to);
    CHECK(view.claim == t->blind.claim);
    for (size_t cell = 0; cell < ST_CELLS; cell++) {
        bool own = view.side[cell] == viewer;

        CHECK(view.rank[cell] == shadow.rank[cell] || (own && view.rank[cell] == ST_NONE));
        if (t->blind.from == ST_NOWHERE)
            CHECK(view.moved[cell] == shadow.moved[cell]);
    }
    for (uint8_t side = 0; side < ST_SEATS; side++)
        CHECK(memcmp(view.known[side], shadow.known[side], ST_RANKS) == 0);
}

/* Whatever the referee has learnt of a piece that the viewer has not seen, the view is the
 * same. */
static void view_is_blind(struct seeded *chance, const struct table *t, uint8_t viewer)
{
    struct st_state other = t->blind;
    struct st_view view, other_view;

    for (uint8_t p = 0; p < ST_PIECES; p++) {
        uint8_t side = p / ST_SLOTS;
        bool seen = viewer < ST_SEATS && t->blind.seen[side] >> p % ST_SLOTS & 1;

        if (side == viewer || seen || other.rank[p] == ST_NONE)
            continue;
        other.rank[p] = seeded_below(chance, 3) ? (uint8_t)seeded_below(chance, 11) : ST_HIDDEN;
    }
    st_ruleset.observe(&t->blind, viewer, &view);
    st_ruleset.observe(&other, viewer, &other_view);
    CHECK(memcmp(&view, &other_view, sizeof view) == 0);
}

static void look(struct seeded *chance, const struct table *t)
{
    static const uint8_t viewers[] = {0, 1, NO_SEAT};

    for (size_t i = 0; i < 3; i++) {
        view_is_no_better(t, viewers[i]);
        view_is_blind(chance, t, viewers[i]);
    }
}

/* The list of moves */

static void list_is_by_geometry(const struct table *t, const struct event *moves, size_t count)
{
    static bool listed[CELLS][CELLS];
    static struct event blind[MOVES_MAX];
    const struct st_state *s = &t->blind;
    size_t blind_count = st_ruleset.legal(s, s->turn, blind, MOVES_MAX);

    CHECK(blind_count < MOVES_MAX);
    CHECK(st_ruleset.legal(s, !s->turn, blind + blind_count, 1) == 0);
    memset(listed, 0, sizeof listed);
    for (size_t i = 0; i < blind_count; i++) {
        uint8_t rank = truth(t, s->board[blind[i].data[0]]);
        bool still = rank == ST_FLAG || rank == (t->shadow.family == ST_HOUSE ? 10 : 11);
        struct event sent = honest(t, &blind[i]);
        ruling_t ruling = match_judge(&st_ruleset, s, &sent);
        ruling_t known = match_judge(&st_ruleset, &t->shadow, &blind[i]);

        CHECK(blind[i].size == 3 && blind[i].data[2] == ST_NONE);
        CHECK(!listed[sent.data[0]][sent.data[1]]);
        listed[sent.data[0]][sent.data[1]] = true;
        if (ruling == ST_IMMOBILE)
            CHECK(still);
        else if (ruling == ST_TOO_FAR || ruling == ST_TOO_FAR_CLASSIC)
            CHECK(rank != ST_SCOUT && is_long(&sent));
        else if (sent.data[2] == ST_NONE && still) /* a step of what the referee cannot see */
            CHECK(ruling == ALLOWED && known == ST_IMMOBILE);
        else
            CHECK(ruling == ALLOWED && (known == ALLOWED || known == ST_MORE_SQUARE));
    }
    for (size_t i = 0; i < count; i++)
        CHECK(listed[moves[i].data[0]][moves[i].data[1]]);
}

/* Both games stand alike. */
static void stand_alike(const struct table *t)
{
    const struct st_state *a = &t->shadow, *b = &t->blind;

    CHECK(a->turn == b->turn && a->plies == b->plies && a->quiet == b->quiet);
    CHECK(memcmp(a->board, b->board, sizeof a->board) == 0);
    CHECK(memcmp(a->place, b->place, sizeof a->place) == 0);
    CHECK(memcmp(a->moved, b->moved, sizeof a->moved) == 0);
    CHECK(memcmp(a->seen, b->seen, sizeof a->seen) == 0);
    CHECK(memcmp(a->chase, b->chase, sizeof a->chase) == 0);
    CHECK(memcmp(a->ply, b->ply, sizeof a->ply) == 0);
    CHECK(a->recorded == b->recorded && a->at == b->at);
    for (uint8_t p = 0; p < ST_PIECES; p++)
        CHECK(b->rank[p] == a->rank[p] || b->rank[p] == ST_HIDDEN);
}

/* Anything at all as an event: judged, and on a copy played if it is allowed. */

static struct event any_event(struct seeded *chance, const struct st_state *s)
{
    static const uint8_t sizes[] = {0, 2, 3, ST_SLOTS, sizeof(struct st_setup), 255};
    struct event event = {.kind = (uint8_t)seeded_below(chance, EVENT_KINDS + 1),
                          .seat = (uint8_t)seeded_below(chance, 3),
                          .size = sizes[seeded_below(chance, 6)]};
    bool plausible = seeded_below(chance, 2);

    if (event.seat == 2)
        event.seat = (uint8_t)seeded_next(chance);
    for (size_t i = 0; i < EVENT_DATA_MAX; i++) {
        uint8_t byte = (uint8_t)seeded_next(chance);
        bool piece = event.seat < ST_SEATS && i < ST_SLOTS &&
                     s->place[event.seat * ST_SLOTS + i] != ST_NOWHERE;

        event.data[i] = !plausible ? byte : piece ? byte % 12 : ST_NONE;
    }
    return event;
}

static void play_any(struct seeded *chance, struct st_state *s, const struct event *event)
{
    struct effects effects;
    struct st_view view;

    (void)st_ruleset.judge(s, event);
    if (match_judge(&st_ruleset, s, event) != ALLOWED)
        return;
    if (event->kind == EVENT_RESULT && seeded_below(chance, 8))
        return;
    match_play(&st_ruleset, s, event, &effects);
    met.cheats += s->outcome.reason == REASON_CHEAT && event->kind != EVENT_RESULT;
    CHECK(st_ruleset.check(s) == ALLOWED);
    CHECK((st_ruleset.awaits(s).what == AWAIT_NOTHING) == (s->outcome.reason != REASON_NONE));
    for (uint8_t viewer = 0; viewer < 3; viewer++)
        st_ruleset.observe(s, viewer < 2 ? viewer : NO_SEAT, &view);
}

static void judge_is_total(struct seeded *chance, const struct table *t)
{
    struct st_state copy = t->blind;

    for (size_t i = 0; i < 4; i++) {
        struct event event = any_event(chance, &copy);

        play_any(chance, &copy, &event);
    }
}

/* Plies */

static void defend(struct seeded *chance, struct table *t, const struct effect *expected)
{
    uint8_t defender = t->blind.board[t->blind.to], seat = defender / ST_SLOTS;
    struct event event = opening(seat);
    struct effects effects;

    CHECK(st_ruleset.awaits(&t->blind).what == AWAIT_OPEN);
    CHECK(st_ruleset.awaits(&t->blind).seats == 1 << seat);
    CHECK(st_ruleset.legal(&t->blind, 0, &event, 1) == 0);
    CHECK(st_ruleset.legal(&t->blind, 1, &event, 1) == 0);
    judge_is_total(chance, t);
    event.data[defender % ST_SLOTS] = truth(t, defender);
    play_blind(t, &event, &effects);
    note_open(t, &event);
    CHECK(effects.count == 1);
    CHECK(memcmp(&effects.list[0], expected, sizeof *expected) == 0);
    t->fought++;
}

static void play_ply(struct seeded *chance, struct table *t, const struct event *move)
{
    bool attack = t->shadow.board[move->data[1]] < ST_PIECES;
    struct event event = honest(t, move);
    struct effects effects, expected;
    struct table before = *t;

    note_move(t, &event);
    play_on(&t->shadow, move, &expected);
    play_blind(t, &event, &effects);
    CHECK(effects.count == 1 && expected.count == 1);
    if (!attack) {
        CHECK(memcmp(&effects.list[0], &expected.list[0], sizeof *effects.list) == 0);
        return;
    }
    CHECK(effects.list[0].type == ST_CHALLENGE && effects.list[0].seat == event.seat);
    CHECK(memcmp(effects.list[0].data, event.data, 2) == 0);
    before.blind = t->blind; /* the shadow as it was: nothing has moved as yet */
    look(chance, &before);
    defend(chance, t, &expected.list[0]);
}

/* Claims */

static bool has_movable(const struct table *t, uint8_t seat)
{
    for (uint8_t i = 0; i < ST_SLOTS; i++) {
        uint8_t piece = (uint8_t)(seat * ST_SLOTS + i), rank = truth(t, piece);

        if (t->shadow.place[piece] != ST_NOWHERE && rank != ST_FLAG &&
            rank != (t->shadow.family == ST_HOUSE ? 10 : 11))
            return true;
    }
    return false;
}

/* Does the other side have to open before the claim is settled? */
static bool claim_waits(const struct table *t, uint8_t seat)
{
    if (t->options.variant != ST_MARSAL_A_SPION)
        return !has_movable(t, seat);
    struct st_state own = t->shadow; /* goes on as if nothing had ended it */
    struct event move;
    own.outcome.reason = REASON_NONE;
    return t->fought > 0 && st_ruleset.legal(&own, seat, &move, 1) == 1;
}

/* A claim of the side to move, which must hold if `due`. */
static void claim(struct seeded *chance, struct table *t, bool due)
{
    uint8_t seat = t->blind.turn;
    struct event event = all_opened(t, seat);
    struct effects effects;
    struct st_action action;
    bool waits = claim_waits(t, seat);

    play_blind(t, &event, &effects);
    note_open(t, &event);
    CHECK((st_ruleset.awaits(&t->blind).what == AWAIT_OPEN) == waits);
    if (waits) {
        CHECK(effects.count == 1 && effects.list[0].type == ST_CHALLENGE);
        CHECK(effects.list[0].seat == seat && effects.list[0].data[0] == ST_NOWHERE);
        CHECK(st_ruleset.awaits(&t->blind).seats == 1 << !seat);
        if (!due)
            look(chance, t);
        judge_is_total(chance, t);
        event = all_opened(t, !seat);
        play_blind(t, &event, &effects);
        note_open(t, &event);
        met.waited++;
    }
    memcpy(&action, effects.list[0].data, sizeof action);
    CHECK(effects.count == 1 && effects.list[0].type == ST_CLAIMED);
    CHECK(effects.list[0].seat == seat && action.holds == due);
    CHECK((t->blind.outcome.reason != REASON_NONE) == due);
    stand_alike(t);
    if (due)
        return;
    CHECK(st_ruleset.awaits(&t->blind).seats == 1 << seat);
    met.failed++;
    t->fought = 0;
}

static void ends_alike(const struct table *t)
{
    struct outcome shadow = t->shadow.outcome, blind = t->blind.outcome;
    bool both = shadow.reason == REASON_DEAD && blind.reason == REASON_NO_MOVE;

    CHECK(shadow.winner == blind.winner);
    if (!both) /* drawn by ST-13, and by ST-14 too */
        CHECK(memcmp(&shadow, &blind, sizeof shadow) == 0);
    met.flag += shadow.reason == REASON_FLAG;
    met.limit += shadow.reason == REASON_LIMIT;
    met.dead += shadow.reason == REASON_DEAD && !both;
    met.blocked += shadow.ruling == ST_RULING_ST14;
    met.lost += shadow.ruling == ST_RULING_SC5 && shadow.reason == REASON_NO_MOVE &&
                shadow.winner != NO_SEAT;
    met.bare += shadow.ruling == ST_RULING_SC5 && shadow.winner == NO_SEAT;
}

/* After the end */

static struct event reveal_of(const struct table *t, uint8_t seat)
{
    struct event event = {.kind = EVENT_REVEAL, .seat = seat, .size = ST_SLOTS};

    memcpy(event.data, t->shadow.rank + seat * ST_SLOTS, ST_SLOTS);
    return event;
}

static void faces_open(struct table *t, uint8_t first)
{
    struct st_view view, shadow;
    struct effects effects;
    size_t opened = 0;

    for (size_t i = 0; i < ST_SEATS; i++, first = !first) {
        struct event event = reveal_of(t, first);

        st_ruleset.observe(&t->blind, NO_SEAT, &view);
        for (size_t cell = 0; cell < ST_CELLS; cell++)
            opened += view.side[cell] == first && view.rank[cell] != ST_NONE;
        CHECK(opened == 0);
        play_blind(t, &event, &effects);
        CHECK(effects.count == 0);
    }
    st_ruleset.observe(&t->blind, NO_SEAT, &view);
    st_ruleset.observe(&t->shadow, NO_SEAT, &shadow);
    CHECK(memcmp(view.rank, shadow.rank, sizeof view.rank) == 0);
    CHECK(memcmp(view.known, shadow.known, sizeof view.known) == 0);
    CHECK(memcmp(t->blind.rank, t->shadow.rank, sizeof t->blind.rank) == 0);
}

static void honest_sides_are_clean(const struct table *t)
{
    struct cheat cheats[CHEATS_MAX];

    for (uint8_t seat = 0; seat < ST_SEATS; seat++)
        CHECK(st_audit(&t->options, &t->account[seat], cheats) == 0);
}

static void replay_gives_the_same(const struct table *t)
{
    struct options options = blind_options(&t->options);
    struct st_state again;
    struct effects effects;

    st_ruleset.begin(&again, &options);
    for (size_t i = 0; i < game.events; i++)
        match_play(&st_ruleset, &again, &game.event[i], &effects);
    CHECK(memcmp(&again, &t->blind, sizeof again) == 0);
}

/* Attacks more often than chance alone would have them, flags last if they are spared. */
static const struct event *choose(struct seeded *chance, const struct table *t,
                                  const struct event *moves, size_t count)
{
    const struct event *pick = &moves[seeded_below(chance, (uint32_t)count)];

    for (size_t tries = 0; tries < 6; tries++) {
        uint8_t target = t->shadow.board[pick->data[1]];
        bool flag = target < ST_PIECES && truth(t, target) == ST_FLAG;

        if (target < ST_PIECES && !(flag && t->spares))
            return pick;
        if (!flag && tries == 4)
            return pick;
        pick = &moves[seeded_below(chance, (uint32_t)count)];
    }
    return pick;
}

static void play_game(uint64_t seed)
{
    static struct event moves[MOVES_MAX];
    struct seeded chance = {seed};
    static struct table t;

    game.seed = seed;
    start(&chance, &t);
    uint32_t claims = 1 + seeded_below(&chance, 200);
    for (size_t plies = 0; t.shadow.outcome.reason == REASON_NONE; plies++) {
        size_t count = st_ruleset.legal(&t.shadow, t.shadow.turn, moves, MOVES_MAX);

        if (!count || plies == PLIES_MAX) /* a set-up in which nothing can move at all */
            return;
        look(&chance, &t);
        judge_is_total(&chance, &t);
        list_is_by_geometry(&t, moves, count);
        if (seeded_below(&chance, claims) == 0 && claims > 20)
            claim(&chance, &t, false);
        play_ply(&chance, &t, choose(&chance, &t, moves, count));
        stand_alike(&t);
    }
    bool seen =
        t.shadow.outcome.reason == REASON_FLAG || t.shadow.outcome.reason == REASON_LIMIT;
    CHECK((t.blind.outcome.reason != REASON_NONE) == seen);
    if (!seen)
        claim(&chance, &t, true);
    ends_alike(&t);
    faces_open(&t, (uint8_t)seeded_below(&chance, 2));
    honest_sides_are_clean(&t);
    replay_gives_the_same(&t);
}

static void beside_the_shadow(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 600; seed++)
        play_game(seed);
    print_message("flag %u, SC-8 %u, ST-13 %u, ST-14 %u, SC-5 %u lost and %u drawn; "
                  "claims failed %u, waited %u\n",
                  met.flag, met.limit, met.dead, met.blocked, met.lost, met.bare, met.failed,
                  met.waited);
    assert_true(met.flag && met.limit && met.dead && met.blocked && met.lost && met.bare);
    assert_true(met.failed && met.waited);
}

/* Wild games: ranks as they come. */

static struct event wild_event(struct seeded *chance, const struct st_state *s)
{
    static struct event moves[MOVES_MAX];
    struct awaiting awaiting = st_ruleset.awaits(s);
    uint8_t lot = (uint8_t)seeded_below(chance, 32);
    uint8_t seat = awaiting.seats >> 1 & 1;

    if (lot == 0)
        return any_event(chance, s);
    if (awaiting.what == AWAIT_OPEN || lot == 1) {
        struct event event = opening(seat);

        for (size_t i = 0; i < ST_SLOTS; i++)
            if (st_asked(s, seat) >> i & 1)
                event.data[i] = (uint8_t)(s->rank[seat * ST_SLOTS + i] < ST_RANKS
                                              ? s->rank[seat * ST_SLOTS + i]
                                              : seeded_below(chance, 12));
        return event;
    }
    size_t count = st_ruleset.legal(s, seat, moves, MOVES_MAX);
    if (!count)
        return any_event(chance, s);
    struct event event = moves[seeded_below(chance, (uint32_t)count)];
    if (s->board[event.data[1]] < ST_PIECES || is_long(&event))
        event.data[2] = (uint8_t)(is_long(&event) ? 2 : seeded_below(chance, 12));
    return event;
}

static void wild_games(void **state)
{
    static struct table t;

    (void)state;
    for (uint64_t seed = 1; seed <= 3000; seed++) {
        struct seeded chance = {seed};

        game.seed = seed;
        start(&chance, &t);
        for (size_t i = 0; i < 400; i++) {
            struct event event = wild_event(&chance, &t.blind);

            play_any(&chance, &t.blind, &event);
        }
    }
    print_message("%u ended by an excess\n", met.cheats);
    assert_true(met.cheats > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(beside_the_shadow),
        cmocka_unit_test(wild_games),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
