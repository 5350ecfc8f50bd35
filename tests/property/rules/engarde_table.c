/* Random games in the referee's custody, played along at a table: the same players with the
 * same cards, of which the table's referee sees what lies open. He allows exactly what some
 * hand allows, never refuses the truth, and both games come to the same end.
 */
#include "rules/engarde/engarde.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "rules/match.h"
#include "rules/rulesets.h"
#include "tests/support/seeded.h"

enum { GAMES = 600, SPACE_MAX = 9000, LEGAL_MAX = 160, EACH = EG_EACH + 1 };

static const struct ruleset *const rules = &eg_ruleset;

/* The two games side by side, and what the last event did in each. */
struct game {
    struct seeded chance;
    struct options options;
    struct eg_state referee, table;
    struct effects told, seen;
};

static uint64_t seed_now;                 /* for the failure's text */
static size_t met[EG_REFUSALS];           /* how often each refusal was given */
static size_t ended[EG_RULINGS], amended; /* rounds by what ended them; slips mended */

#define CHECK(condition)                                                                       \
    do {                                                                                       \
        if (!(condition))                                                                      \
            fail_msg("seed %llu: %s", (unsigned long long)seed_now, #condition);               \
    } while (0)

static struct options any_options(struct seeded *chance)
{
    struct options options;
    uint8_t variant = (uint8_t)seeded_below(chance, 2);

    ruleset_presets(rules, variant, &options);
    for (size_t i = 0; i < rules->option_count; i++) {
        const struct option *o = &rules->options[i];
        if (o->variants >> variant & 1)
            options.value[i] =
                (int16_t)(o->min + (int)seeded_below(chance, (uint32_t)(o->max - o->min + 1)));
    }
    return options;
}

static ruling_t verdict(const struct eg_state *s, const struct event *event)
{
    ruling_t refusal = match_judge(rules, s, event);

    CHECK(refusal < rules->refusal_count);
    met[refusal]++;
    return refusal;
}

static struct event move_of(uint8_t seat, struct eg_move move)
{
    struct event event = {.kind = EVENT_MOVE, .seat = seat, .size = sizeof move};

    memcpy(event.data, &move, sizeof move);
    return event;
}

static struct event show_of(uint8_t seat, const uint8_t hand[EG_VALUES + 1])
{
    struct event event = {.kind = EVENT_MOVE, .seat = seat, .size = sizeof(struct eg_show)};
    struct eg_show show = {.verb = EG_SHOW};

    memcpy(show.cards, hand, sizeof show.cards);
    memcpy(event.data, &show, sizeof show);
    return event;
}

/* Hand number `code` of `size` cards; false: there is none of that number. */
static bool hand_of(int code, int size, uint8_t ret_hand[EG_VALUES + 1])
{
    int sum = 0;

    for (int value = 1; value <= EG_VALUES; value++, code /= EACH) {
        ret_hand[value] = (uint8_t)(code % EACH);
        sum += ret_hand[value];
    }
    ret_hand[0] = (uint8_t)size;
    return sum == size;
}

enum { HANDS = EACH * EACH * EACH * EACH * EACH };

static void left_of(const struct eg_state *s, int ret_left[EG_VALUES + 1])
{
    for (int value = 0; value <= EG_VALUES; value++)
        ret_left[value] = value ? EG_EACH : EG_CARDS;
    for (size_t i = 0; i < EG_CARDS; i++)
        if (s->place[i] == EG_PLAYED) {
            ret_left[s->value[i]]--;
            ret_left[0]--;
        }
}

static bool fits(const uint8_t hand[EG_VALUES + 1], const int left[EG_VALUES + 1])
{
    for (int value = 1; value <= EG_VALUES; value++)
        if (hand[value] > left[value])
            return false;
    return true;
}

/* The whole space of moves, each in its one form, and some beyond. */
static size_t all_moves(const struct eg_state *s, uint8_t seat, struct event *out)
{
    uint8_t hand[EG_VALUES + 1];
    size_t n = 0;

    for (uint8_t card = 0; card <= 6; card++) {
        out[n++] = move_of(seat, (struct eg_move){EG_ADVANCE, card, 1, 0});
        out[n++] = move_of(seat, (struct eg_move){EG_RETREAT, card, 1, 0});
        out[n++] = move_of(seat, (struct eg_move){EG_PARRY, 0, card, 0});
        out[n++] = move_of(seat, (struct eg_move){EG_YIELD, card, 0, 0});
        out[n++] = move_of(seat, (struct eg_move){EG_STUCK, 0, card, 0});
        for (uint8_t count = 0; count <= 6; count++) {
            out[n++] = move_of(seat, (struct eg_move){EG_ATTACK, card, count, 0});
            for (uint8_t step = 0; step <= 6; step++)
                out[n++] =
                    move_of(seat, (struct eg_move){EG_ADVANCE_ATTACK, card, count, step});
        }
    }
    for (int size = s->hand[seat][0] - 1; size <= s->hand[seat][0] + 1; size++)
        for (int code = 0; code < HANDS; code++)
            if (size >= 0 && hand_of(code, size, hand))
                out[n++] = show_of(seat, hand);
    CHECK(n <= SPACE_MAX);
    return n;
}

static bool listed(const struct event *list, size_t count, const struct event *event)
{
    for (size_t i = 0; i < count; i++)
        if (list[i].size == event->size && memcmp(list[i].data, event->data, event->size) == 0)
            return true;
    return false;
}

static void legal_is_what_judge_allows(const struct eg_state *s)
{
    static struct event space[SPACE_MAX], legal[LEGAL_MAX];
    uint8_t awaited = rules->awaits(s).seats;

    for (uint8_t seat = 0; seat < EG_SEATS; seat++) {
        size_t count = rules->legal(s, seat, legal, LEGAL_MAX), allowed = 0;
        size_t n = all_moves(s, seat, space);
        CHECK(count < LEGAL_MAX);
        CHECK(!count == !(awaited >> seat & 1));
        for (size_t i = 0; i < n; i++) {
            bool yes = verdict(s, &space[i]) == ALLOWED;
            CHECK(yes == (rules->judge(s, &space[i]) == ALLOWED));
            if (yes)
                CHECK(listed(legal, count, &space[i]));
            allowed += yes;
        }
        CHECK(allowed == count);
        CHECK(rules->legal(s, seat, legal, 1) == (count ? 1 : 0));
    }
}

/* Any bytes at all get a verdict, and what is allowed is listed. */
static void judge_is_total(const struct eg_state *s, struct seeded *chance)
{
    struct event legal[LEGAL_MAX];

    for (int i = 0; i < 16; i++) {
        struct event event;
        uint64_t bits = seeded_next(chance);
        memset(&event, (int)(bits & 0xff), sizeof event);
        event.kind = (uint8_t)(bits >> 8 & 7);
        event.seat = (uint8_t)(bits >> 11 & 3);
        event.size = bits >> 12 & 1 ? sizeof(struct eg_show) : (uint8_t)(bits >> 13 & 31);
        bits = seeded_next(chance);
        memcpy(event.data, &bits, sizeof bits);
        if (i % 2) /* small numbers, so that some are hands */
            for (size_t k = 0; k < sizeof bits; k++)
                event.data[k] &= 7;
        if (i % 4 == 1)
            event.data[0] = EG_SHOW;
        CHECK(rules->judge(s, &event) < rules->refusal_count);
        if (event.kind != EVENT_MOVE || match_judge(rules, s, &event) != ALLOWED)
            continue;
        size_t count = rules->legal(s, event.seat, legal, LEGAL_MAX);
        CHECK(listed(legal, count, &event));
    }
}

/* By brute force: the table allows a move if there is a hand with which the referee does, and
 * a claim if there is one with which he would have scored by himself. */
static void some_hand_allows_it(const struct eg_state *s)
{
    struct event legal[LEGAL_MAX], with[LEGAL_MAX], some[LEGAL_MAX];
    size_t count = rules->legal(s, s->turn, legal, LEGAL_MAX), found = 0;
    struct event claim =
        move_of(s->turn, (struct eg_move){.verb = s->exchange.card ? EG_YIELD : EG_STUCK});
    struct eg_state known = *s;
    bool claimed = false;
    int left[EG_VALUES + 1];

    left_of(s, left);
    known.table = false;
    for (int code = 0; code < HANDS; code++) {
        uint8_t *hand = known.hand[s->turn];
        if (!hand_of(code, s->hand[s->turn][0], hand) || !fits(hand, left))
            continue;
        size_t n = rules->legal(&known, s->turn, with, LEGAL_MAX);
        claimed = claimed || n == 0;
        for (size_t i = 0; i < n; i++)
            if (!listed(some, found, &with[i]))
                some[found++] = with[i];
    }
    for (size_t i = 0; i < found; i++)
        CHECK(listed(legal, count, &some[i]));
    CHECK(listed(legal, count, &claim) == claimed);
    CHECK(count == found + claimed);
}

/* And a hand is allowed if it and what it leaves to the other can be. */
static void some_deal_shows_it(const struct eg_state *s)
{
    static struct event legal[LEGAL_MAX];
    int left[EG_VALUES + 1];

    left_of(s, left);
    for (uint8_t seat = 0; seat < EG_SEATS; seat++) {
        size_t count = rules->legal(s, seat, legal, LEGAL_MAX), found = 0;
        for (int code = 0; code < HANDS; code++) {
            uint8_t hand[EG_VALUES + 1];
            if (!hand_of(code, s->hand[seat][0], hand) || !fits(hand, left))
                continue;
            bool can = true;
            for (int value = 1; s->shows[!seat] && value <= EG_VALUES; value++)
                can = can && hand[value] + s->hand[!seat][value] == left[value];
            found += can;
        }
        CHECK(count == (s->shows[seat] < EG_SHOWS_MAX ? found : 0));
    }
}

/* What lies open is alike in both; what does not is not in the table's state at all. */
static void table_knows_what_is_open(const struct eg_state *r, const struct eg_state *t)
{
    int played[2][EG_VALUES + 1] = {{0}};

    CHECK(memcmp(r->field, t->field, sizeof r->field) == 0);
    CHECK(r->drawn == t->drawn && r->round == t->round && r->starter == t->starter);
    CHECK(r->turn == t->turn);
    CHECK(memcmp(&r->exchange, &t->exchange, sizeof r->exchange) == 0);
    for (size_t i = 0; i < EG_CARDS && t->round; i++) {
        CHECK(t->place[i] == EG_PLAYED ? t->value[i] != 0 : t->value[i] == 0);
        CHECK((t->place[i] == EG_IN_DECK) == (i >= t->drawn));
        played[0][r->place[i] == EG_PLAYED ? r->value[i] : 0]++;
        played[1][t->place[i] == EG_PLAYED ? t->value[i] : 0]++;
    }
    CHECK(memcmp(played[0], played[1], sizeof played[0]) == 0);
    for (size_t seat = 0; seat < EG_SEATS; seat++) {
        CHECK(r->hand[seat][0] == t->hand[seat][0]);
        for (size_t value = 1; value <= EG_VALUES; value++)
            CHECK(t->shows[seat] || !t->hand[seat][value]);
    }
}

static void inspect(struct game *game, bool thoroughly)
{
    const struct eg_state *t = &game->table;

    table_knows_what_is_open(&game->referee, t);
    judge_is_total(t, &game->chance);
    if (rules->awaits(t).what != AWAIT_MOVE || !thoroughly)
        return;
    legal_is_what_judge_allows(t);
    if (rules->awaits(t).seats == 3)
        some_deal_shows_it(t);
    else
        some_hand_allows_it(t);
}

static void play_table(struct game *game, const struct event *event)
{
    CHECK(verdict(&game->table, event) == ALLOWED);
    match_play(rules, &game->table, event, &game->seen);
}

static bool is_basic(const struct eg_state *s)
{
    return s->variant == EG_KNIZIA && s->level == EG_BASIC;
}

/* Effects of the table from `first` on are those of the referee from `from` on. */
static void same_effects(const struct game *game, size_t from, size_t first)
{
    CHECK(game->told.count - from == game->seen.count - first);
    for (size_t i = from; i < game->told.count; i++) {
        struct effect told = game->told.list[i];
        bool ends = told.type == EG_HIT || told.type == EG_ROUND_VOID;
        if (ends && is_basic(&game->referee)) /* no hands are laid open there */
            memset(&told.data[EG_DATA_HANDS], 0, EG_SEATS * EG_VALUES);
        CHECK(memcmp(&told, &game->seen.list[first + i - from], sizeof told) == 0);
    }
}

/* A hand other than the true one, if there is one that may be shown. */
static bool slip(struct game *game, uint8_t seat, struct event *ret_event)
{
    struct event legal[LEGAL_MAX];
    struct event truth = show_of(seat, game->referee.hand[seat]);
    size_t count = rules->legal(&game->table, seat, legal, LEGAL_MAX);

    *ret_event = legal[seeded_below(&game->chance, (uint32_t)count)];
    return memcmp(ret_event->data, truth.data, truth.size) != 0;
}

/* The deck has ended the referee's round: both show, the first perhaps after a slip. */
static void show_both(struct game *game)
{
    uint8_t first = (uint8_t)seeded_below(&game->chance, 2), second = !first;
    struct event truth[EG_SEATS], wrong;

    for (uint8_t seat = 0; seat < EG_SEATS; seat++)
        truth[seat] = show_of(seat, game->referee.hand[seat]);
    CHECK(rules->awaits(&game->table).seats == 3);
    if (seeded_below(&game->chance, 2) && slip(game, first, &wrong)) {
        play_table(game, &wrong);
        CHECK(!game->table.ended);
        /* The slip shuts out the truth of the other: there is no way on but to mend it. */
        CHECK(verdict(&game->table, &truth[second]) != ALLOWED);
        legal_is_what_judge_allows(&game->table);
        amended++;
    }
    play_table(game, &truth[first]);
    CHECK(game->seen.count == 1 && !game->table.ended);
    inspect(game, seeded_below(&game->chance, 4) == 0);
    CHECK(!slip(game, second, &wrong));
    play_table(game, &truth[second]);
    CHECK(game->seen.list[0].type == EG_SHOWN);
    same_effects(game, game->told.count - 1, 1);
}

/* What the referee saw by himself the players say: the table's round ends by it alike. */
static void follow_the_end(struct game *game)
{
    const struct eg_state *r = &game->referee;
    bool by_deck = eg_opens_hands(r->ended);

    ended[r->ended]++;
    if (is_basic(r) && (by_deck || r->exchange.card)) {
        same_effects(game, 0, 0);
        return;
    }
    CHECK(!game->table.ended);
    CHECK(game->told.count - 1 == game->seen.count);
    if (by_deck) {
        show_both(game);
        return;
    }
    struct event claim =
        move_of(r->turn, (struct eg_move){.verb = r->exchange.card ? EG_YIELD : EG_STUCK});
    inspect(game, true);
    play_table(game, &claim);
    same_effects(game, game->told.count - 1, 0);
}

/* The true hand's moves are all allowed at the table. */
static struct event choose(struct game *game)
{
    struct event list[LEGAL_MAX];
    size_t count = rules->legal(&game->referee, game->referee.turn, list, LEGAL_MAX);

    for (size_t i = 0; i < count; i++)
        CHECK(verdict(&game->table, &list[i]) == ALLOWED);
    return list[seeded_below(&game->chance, (uint32_t)count)];
}

static void play_move(struct game *game)
{
    inspect(game, seeded_below(&game->chance, 16) == 0);
    struct event event = choose(game);
    match_play(rules, &game->referee, &event, &game->told);
    play_table(game, &event);
    if (game->referee.ended)
        follow_the_end(game);
    else
        same_effects(game, 0, 0);
}

static void play_chance(struct game *game, struct awaiting awaiting)
{
    struct event event = {.kind = EVENT_LOT, .seat = NO_SEAT, .size = 1};

    if (awaiting.what == AWAIT_LOT) {
        event.data[0] = (uint8_t)seeded_below(&game->chance, EG_SEATS);
        match_play(rules, &game->referee, &event, &game->told);
        play_table(game, &event);
        return;
    }
    CHECK(rules->awaits(&game->table).cards == 0);
    event.kind = EVENT_DEAL;
    event.size = EG_CARDS;
    event.tries = 1;
    seeded_permutation(&game->chance, event.data, EG_CARDS);
    match_play(rules, &game->referee, &event, &game->told);
    CHECK(verdict(&game->table, &event) != ALLOWED);
    event.size = 0;
    play_table(game, &event);
    same_effects(game, 0, 0);
}

static void play_along(struct game *game)
{
    struct options at_table = game->options;
    struct awaiting awaiting;

    at_table.custody = CUSTODY_TABLE;
    rules->begin(&game->referee, &game->options);
    rules->begin(&game->table, &at_table);
    while ((awaiting = rules->awaits(&game->referee)).what != AWAIT_NOTHING) {
        CHECK(rules->awaits(&game->table).what == awaiting.what);
        if (awaiting.what == AWAIT_MOVE)
            play_move(game);
        else
            play_chance(game, awaiting);
        CHECK(game->referee.ended == game->table.ended);
        CHECK(game->referee.hit == game->table.hit);
        CHECK(memcmp(game->referee.hits, game->table.hits, sizeof game->table.hits) == 0);
        table_knows_what_is_open(&game->referee, &game->table);
    }
    CHECK(memcmp(&game->referee.outcome, &game->table.outcome, sizeof(struct outcome)) == 0);
    CHECK(rules->awaits(&game->table).what == AWAIT_NOTHING);
}

static void table_follows_the_truth(void **unused)
{
    static struct game game;

    (void)unused;
    for (uint64_t seed = 1; seed <= GAMES; seed++) {
        memset(&game, 0, sizeof game);
        seed_now = game.chance.state = seed;
        game.options = any_options(&game.chance);
        play_along(&game);
    }
    /* Chance has been everywhere: each end of a round, each refusal that play can meet. */
    CHECK(ended[EG_5] && ended[EG_6] && ended[EG_9] && ended[EG_10] && ended[EG_11]);
    CHECK(ended[EK_6] && ended[EK_7] && amended);
    for (size_t i = REFUSALS_COMMON; i < EG_REFUSALS; i++)
        if (!met[i] && strcmp(rules->name((ruling_t)i)->code, "impossible_state") != 0)
            fail_msg("never refused: %s %s", rules->name((ruling_t)i)->ruling,
                     rules->name((ruling_t)i)->code);
    print_message("%d games, %zu slips mended\n", GAMES, amended);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(table_follows_the_truth)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
