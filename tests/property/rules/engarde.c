/* Random games of all variants and options: whatever position chance reaches, the rules agree
 * with themselves, no card is lost, and a view does not depend on what its viewer may not know.
 */
#include "rules/engarde/engarde.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "rules/match.h"
#include "rules/rulesets.h"
#include "tests/support/seeded.h"

enum { GAMES = 1500, SPACE_MAX = 1024, LEGAL_MAX = 64, LOG_MAX = 20000 };

static const struct ruleset *const rules = &eg_ruleset;

/* One game: how it came about, where it is, and what was played. */
struct game {
    uint64_t seed;
    struct seeded chance;
    struct options options;
    struct eg_state state;
    struct event log[LOG_MAX];
    size_t length;
};

static uint64_t seed_now; /* for the failure's text */

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

/* The whole space of moves, each in its one form, and some beyond. */
static size_t all_moves(struct eg_move *out)
{
    size_t n = 0;

    for (uint8_t card = 0; card <= 6; card++) {
        out[n++] = (struct eg_move){EG_ADVANCE, card, 1, 0};
        out[n++] = (struct eg_move){EG_RETREAT, card, 1, 0};
        out[n++] = (struct eg_move){EG_PARRY, 0, card, 0};
        for (uint8_t count = 0; count <= 6; count++) {
            out[n++] = (struct eg_move){EG_ATTACK, card, count, 0};
            for (uint8_t step = 0; step <= 6; step++)
                out[n++] = (struct eg_move){EG_ADVANCE_ATTACK, card, count, step};
        }
    }
    return n;
}

static struct event as_event(struct eg_move move, uint8_t seat)
{
    struct event event = {.kind = EVENT_MOVE, .seat = seat, .size = sizeof move};

    memcpy(event.data, &move, sizeof move);
    return event;
}

static bool listed(const struct event *list, size_t count, const struct event *event)
{
    for (size_t i = 0; i < count; i++)
        if (memcmp(list[i].data, event->data, sizeof(struct eg_move)) == 0)
            return true;
    return false;
}

static void legal_is_what_judge_allows(const struct eg_state *s)
{
    struct eg_move moves[SPACE_MAX];
    struct event legal[LEGAL_MAX];
    size_t count = rules->legal(s, s->turn, legal, LEGAL_MAX);
    size_t n = all_moves(moves), allowed = 0;

    CHECK(count > 0 && count < LEGAL_MAX);
    CHECK(rules->legal(s, !s->turn, legal + count, LEGAL_MAX - count) == 0);
    for (size_t i = 0; i < n; i++) {
        struct event event = as_event(moves[i], s->turn);
        bool verdict = match_judge(rules, s, &event) == ALLOWED;
        CHECK(verdict == listed(legal, count, &event));
        allowed += verdict;
        event.seat = !s->turn;
        CHECK(match_judge(rules, s, &event) == REFUSE_NOT_YOUR_TURN);
    }
    CHECK(allowed == count);
    CHECK(rules->legal(s, s->turn, legal, 1) == 1);
}

/* Any bytes at all get a verdict, and what is allowed is listed. */
static void judge_is_total(const struct eg_state *s, struct seeded *chance)
{
    struct event legal[LEGAL_MAX];
    size_t count = rules->legal(s, s->turn, legal, LEGAL_MAX);

    for (int i = 0; i < 8; i++) {
        struct event event;
        uint64_t bits = seeded_next(chance);
        memset(&event, (int)(bits & 0xff), sizeof event);
        event.kind = (uint8_t)(bits >> 8 & 7);
        event.seat = (uint8_t)(bits >> 11 & 3);
        event.size = (uint8_t)(bits >> 13 & 31);
        memcpy(event.data, &bits, sizeof bits);
        CHECK(rules->judge(s, &event) < rules->refusal_count);
        if (event.kind == EVENT_MOVE && match_judge(rules, s, &event) == ALLOWED)
            CHECK(listed(legal, count, &event));
    }
}

static void cards_are_conserved(const struct eg_state *s)
{
    uint8_t count[EG_VALUES + 1] = {0}, held[EG_SEATS][EG_VALUES + 1] = {0};

    for (size_t i = 0; i < EG_CARDS; i++) {
        CHECK(s->value[i] >= 1 && s->value[i] <= EG_VALUES);
        CHECK((s->place[i] == EG_IN_DECK) == (i >= s->drawn));
        count[s->value[i]]++;
        if (s->place[i] != EG_IN_LEFT_HAND && s->place[i] != EG_IN_RIGHT_HAND)
            continue;
        held[s->place[i] - EG_IN_LEFT_HAND][s->value[i]]++;
        held[s->place[i] - EG_IN_LEFT_HAND][0]++;
    }
    for (size_t value = 1; value <= EG_VALUES; value++)
        CHECK(count[value] == EG_EACH);
    CHECK(memcmp(held, s->hand, sizeof held) == 0);
    CHECK(s->field[EG_LEFT] >= 1 && s->field[EG_LEFT] < s->field[EG_RIGHT] &&
          s->field[EG_RIGHT] <= EG_FIELDS);
}

/* Deals anew all that `viewer` cannot see; his view must not change by a byte. */
static void view_is_blind(const struct eg_state *s, uint8_t viewer, struct seeded *chance)
{
    struct eg_state other = *s;
    struct eg_view before, after;
    uint8_t hidden[EG_CARDS], position[EG_CARDS];
    size_t n = 0;

    memset(&before, 0xaa, sizeof before);
    memset(&after, 0x55, sizeof after);
    rules->observe(s, viewer, &before);
    for (size_t i = 0; i < EG_CARDS; i++) {
        bool held = s->place[i] == EG_IN_LEFT_HAND || s->place[i] == EG_IN_RIGHT_HAND;
        bool open = s->outcome.reason || s->ended == EG_9 || s->ended == EG_10 ||
                    s->ended == EK_7 || s->place[i] == EG_IN_LEFT_HAND + viewer;
        if (s->place[i] == EG_PLAYED || (held && open))
            continue;
        position[n] = (uint8_t)i;
        hidden[n++] = s->value[i];
    }
    seeded_shuffle(chance, hidden, n);
    for (size_t i = 0; i < n; i++)
        other.value[position[i]] = hidden[i];
    memset(other.hand, 0, sizeof other.hand);
    for (size_t i = 0; i < EG_CARDS; i++)
        if (s->place[i] == EG_IN_LEFT_HAND || s->place[i] == EG_IN_RIGHT_HAND) {
            other.hand[s->place[i] - EG_IN_LEFT_HAND][other.value[i]]++;
            other.hand[s->place[i] - EG_IN_LEFT_HAND][0]++;
        }
    rules->observe(&other, viewer, &after);
    CHECK(memcmp(&before, &after, sizeof before) == 0);
}

static void inspect(struct game *game)
{
    struct eg_state *s = &game->state;

    if (!s->round)
        return;
    cards_are_conserved(s);
    view_is_blind(s, EG_LEFT, &game->chance);
    view_is_blind(s, EG_RIGHT, &game->chance);
    view_is_blind(s, NO_SEAT, &game->chance);
    if (rules->awaits(s).what != AWAIT_MOVE)
        return;
    ruling_t wrong = rules->check(s);
    if (wrong)
        fail_msg("seed %llu: check says %s", (unsigned long long)seed_now,
                 rules->name(wrong)->text[0]);
    legal_is_what_judge_allows(s);
    judge_is_total(s, &game->chance);
}

static struct event next_event(struct game *game)
{
    struct awaiting awaiting = rules->awaits(&game->state);
    struct event list[LEGAL_MAX], event = {.kind = EVENT_LOT, .seat = NO_SEAT, .size = 1};

    if (awaiting.what == AWAIT_LOT) {
        event.data[0] = (uint8_t)seeded_below(&game->chance, EG_SEATS);
        return event;
    }
    if (awaiting.what == AWAIT_DEAL) {
        event.kind = EVENT_DEAL;
        event.size = awaiting.cards;
        event.tries = 1;
        seeded_permutation(&game->chance, event.data, awaiting.cards);
        return event;
    }
    size_t n = rules->legal(&game->state, game->state.turn, list, LEGAL_MAX);
    return list[seeded_below(&game->chance, (uint32_t)n)];
}

/* What changed in one move, against the effects that tell of it. */
static void effects_tell(const struct eg_state *before, const struct eg_state *after,
                         const struct effects *effects)
{
    int drawn = 0, hits = 0, moved = 0, spent = 0, ends = 0;

    for (size_t i = 0; i < effects->count; i++) {
        const struct effect *e = &effects->list[i];
        drawn += e->type == EG_DREW ? e->data[0] : 0;
        hits += e->type == EG_HIT;
        ends += e->type == EG_HIT || e->type == EG_ROUND_VOID;
        moved += e->type == EG_MOVED;
        spent += e->type == EG_MOVED ? 1 : 0;
        spent += e->type == EG_ATTACKED || e->type == EG_PARRIED ? e->data[1] : 0;
        if (e->type == EG_MOVED)
            CHECK(e->data[0] == before->field[e->seat] && e->data[1] == after->field[e->seat]);
        CHECK(ends == 0 || i + 1 == effects->count);
    }
    CHECK(drawn == after->drawn - before->drawn);
    CHECK(hits == after->hits[0] + after->hits[1] - before->hits[0] - before->hits[1]);
    CHECK(ends == (after->ended != 0));
    CHECK(moved == (memcmp(before->field, after->field, sizeof after->field) != 0));
    CHECK(before->hand[0][0] + before->hand[1][0] + drawn - spent ==
          after->hand[0][0] + after->hand[1][0]);
}

static void play_out(struct game *game)
{
    struct effects effects;

    rules->begin(&game->state, &game->options);
    while (rules->awaits(&game->state).what != AWAIT_NOTHING) {
        struct eg_state before = game->state;
        struct event event = next_event(game);
        CHECK(game->length < LOG_MAX);
        CHECK(match_judge(rules, &game->state, &event) == ALLOWED);
        CHECK(memcmp(&before, &game->state, sizeof before) == 0);
        match_play(rules, &game->state, &event, &effects);
        game->log[game->length++] = event;
        if (event.kind == EVENT_MOVE)
            effects_tell(&before, &game->state, &effects);
        inspect(game);
    }
}

static void replay_is_the_state(const struct game *game)
{
    struct effects effects;
    struct eg_state state;

    memset(&state, 0xcc, sizeof state);
    rules->begin(&state, &game->options);
    for (size_t i = 0; i < game->length; i++)
        match_play(rules, &state, &game->log[i], &effects);
    CHECK(memcmp(&state, &game->state, sizeof state) == 0);
}

static void ends_by_hits(const struct eg_state *s)
{
    uint8_t loser = !s->outcome.winner;

    CHECK(s->outcome.reason == REASON_HITS || s->round == EG_ROUNDS_MAX);
    if (s->outcome.reason != REASON_HITS)
        return;
    CHECK(s->outcome.ruling == EG_8);
    CHECK(s->hits[loser] == s->hits_to_lose && s->hits[!loser] < s->hits_to_lose);
}

static void random_games(void **unused)
{
    static struct game game;
    size_t ended[EG_RULINGS] = {0}, plies = 0;

    (void)unused;
    for (uint64_t seed = 1; seed <= GAMES; seed++) {
        memset(&game, 0, sizeof game);
        seed_now = game.seed = seed;
        game.chance.state = seed;
        game.options = any_options(&game.chance);
        play_out(&game);
        replay_is_the_state(&game);
        ends_by_hits(&game.state);
        ended[game.state.ended]++;
        plies += game.length;
    }
    /* Chance has been everywhere. */
    CHECK(ended[EG_5] && ended[EG_6] && ended[EG_9] && ended[EG_10] && ended[EG_11]);
    CHECK(ended[EK_6] && ended[EK_7]);
    print_message("%d games, %zu events\n", GAMES, plies);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_games)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
