/* stratego/history.c: SC-6 and SC-7 by small examples, against a judge that keeps every
 * position of the game, and from a history told afterwards. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/support/seeded.h"
#include "tests/unit/rules/stratego_board.h"

static struct st_state ruled(int16_t two_square, int16_t more_square)
{
    struct options options = board_options(ST_PLAIN);

    options.value[ST_OPTION_TWO_SQUARE] = two_square;
    options.value[ST_OPTION_MORE_SQUARE] = more_square;
    return board_with(&options, RED);
}

/* Plays red's moves "a4a5" with blue's scout on the tenth row going another way each time. */
static ruling_t red_plays(struct st_state *s, const char *const *moves, size_t count)
{
    static const char *const blue[] = {"a10", "b10", "c10", "d10", "e10", "f10", "g10", "h10"};

    for (size_t i = 0; i < count; i++) {
        char from[3] = {moves[i][0], moves[i][1]}, to[3] = {moves[i][2], moves[i][3]};
        ruling_t ruling = played(s, from, to);

        if (ruling || i == count - 1)
            return ruling;
        assert_int_equal(played(s, blue[i], blue[i + 1]), ALLOWED);
    }
    return ALLOWED;
}

#define RED_PLAYS(s, ...)                                                                      \
    red_plays(s, (const char *const[]){__VA_ARGS__},                                           \
              sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

static struct st_state with_walker(int16_t two_square, uint8_t rank)
{
    struct st_state s = ruled(two_square, 0);

    put(&s, BLUE, "a10", SCOUT);
    put(&s, RED, "a4", rank);
    put(&s, RED, "j4", C_MAJOR);
    return s;
}

/* SC-6 */
static void to_and_fro(void **state)
{
    struct st_state s = with_walker(3, C_MAJOR);

    (void)state;
    assert_int_equal(RED_PLAYS(&s, "a4a5", "a5a4", "a4a5", "a5a4"), ST_TWO_SQUARE);
    s = with_walker(5, C_MAJOR);
    assert_int_equal(RED_PLAYS(&s, "a4a5", "a5a4", "a4a5", "a5a4", "a4a5", "a5a4"),
                     ST_TWO_SQUARE);
    s = with_walker(0, C_MAJOR);
    assert_int_equal(RED_PLAYS(&s, "a4a5", "a5a4", "a4a5", "a5a4", "a4a5", "a5a4"), ALLOWED);
    s = with_walker(3, C_MAJOR); /* another piece ends the count */
    assert_int_equal(RED_PLAYS(&s, "a4a5", "a5a4", "a4a5", "j4j3", "a5a4", "a4a5"), ALLOWED);
    s = with_walker(3, C_MAJOR); /* and so does another border */
    assert_int_equal(RED_PLAYS(&s, "a4a5", "a5a4", "a4a5", "a5b5", "b5a5", "a5a4"), ALLOWED);
}

/* SC-6: two pieces over one border, which takes that the first one falls in between. */
static void another_piece_over_the_same_border(void **state)
{
    struct st_state s = ruled(1, 0);

    (void)state;
    put(&s, RED, "a4", C_MAJOR), put(&s, RED, "a2", SCOUT), put(&s, RED, "j4", C_MAJOR);
    put(&s, BLUE, "a6", C_COLONEL), put(&s, BLUE, "j7", C_MAJOR);
    assert_int_equal(played(&s, "a4", "a5"), ALLOWED);
    assert_int_equal(played(&s, "a6", "a5"), ALLOWED);
    assert_int_equal(played(&s, "a2", "a5"), ALLOWED);
    s = ruled(2, 0); /* both in a row, and the second one back */
    put(&s, RED, "a4", C_MARSHAL), put(&s, RED, "a2", SCOUT);
    put(&s, BLUE, "a6", SPY), put(&s, BLUE, "j7", C_MAJOR);
    assert_int_equal(played(&s, "a4", "a5"), ALLOWED);
    assert_int_equal(played(&s, "a6", "a5"), ALLOWED);
    assert_int_equal(played(&s, "a2", "a5"), ALLOWED);
    assert_int_equal(played(&s, "j7", "j6"), ALLOWED);
    assert_int_equal(judged(&s, "a5", "a4"), ALLOWED);
}

/* SC-6: a scout's run crosses several borders; the common ones count. */
static void scouts_runs(void **state)
{
    struct st_state s = with_walker(3, SCOUT);

    (void)state;
    assert_int_equal(RED_PLAYS(&s, "a4a6", "a6a4", "a4a8", "a8a6"), ALLOWED);
    s = with_walker(3, SCOUT);
    assert_int_equal(RED_PLAYS(&s, "a4a8", "a8a4", "a4a6", "a6a4"), ST_TWO_SQUARE);
    s = with_walker(3, SCOUT);
    assert_int_equal(RED_PLAYS(&s, "a4a8", "a8a6", "a6a7", "a7a6"), ST_TWO_SQUARE);
    s = with_walker(3, SCOUT); /* part of the way back: borders a5-a6 and a4-a5 only once */
    assert_int_equal(RED_PLAYS(&s, "a4a8", "a8a6", "a6a5", "a5a4"), ALLOWED);
}

/* A judge of its own: the whole board after every ply, as side * 16 + rank. */
enum { LOG_MAX = 700 };

struct book {
    int n;
    uint8_t position[LOG_MAX][ST_CELLS];
    uint8_t from[LOG_MAX], to[LOG_MAX], mover[LOG_MAX];
    int counter[2];
};

static void picture(const struct st_state *s, uint8_t out[ST_CELLS])
{
    for (size_t i = 0; i < ST_CELLS; i++) {
        uint8_t p = s->board[i];

        out[i] = p < ST_PIECES ? (uint8_t)(p / ST_SLOTS * 16 + s->rank[p]) : p;
    }
}

static bool next_to(uint8_t a, uint8_t b)
{
    int f = abs(a % ST_WIDTH - b % ST_WIDTH), r = abs(a / ST_WIDTH - b / ST_WIDTH);

    return f + r == 1;
}

static bool threatens(const uint8_t at[ST_CELLS], uint8_t cell, uint8_t seat)
{
    for (uint8_t i = 0; i < ST_CELLS; i++)
        if (at[i] < 32 && at[i] / 16 != seat && next_to(i, cell))
            return true;
    return false;
}

static bool barred_by_chase(const struct book *b, const struct st_state *s, uint8_t from,
                            uint8_t to)
{
    uint8_t after[ST_CELLS];
    int c = b->counter[s->turn];

    if (s->board[to] != ST_EMPTY || c == 0)
        return false;
    picture(s, after);
    after[to] = after[from];
    after[from] = ST_EMPTY;
    if (!threatens(after, to, s->turn))
        return false;
    if (b->n >= 2 && b->from[b->n - 2] == to && b->to[b->n - 2] == from)
        return false;
    for (int k = b->n - c; k < b->n; k++)
        if (k >= 0 && memcmp(b->position[k], after, sizeof after) == 0)
            return true;
    return false;
}

/* Every border by its two cells. */
static bool crosses(uint8_t from, uint8_t to, int a, int b)
{
    int lo = from < to ? from : to, hi = from < to ? to : from;
    int step = from % ST_WIDTH == to % ST_WIDTH ? ST_WIDTH : 1;

    for (int i = lo; i < hi; i += step)
        if (i == a && i + step == b)
            return true;
    return false;
}

static bool all_cross(const struct book *b, uint8_t piece, int cell, int other, int times)
{
    for (int i = 0; i < times; i++) {
        int k = b->n - 2 - 2 * i;

        if (k < 0 || b->mover[k] != piece || !crosses(b->from[k], b->to[k], cell, other))
            return false;
    }
    return true;
}

static bool barred_by_border(const struct book *b, const struct st_state *s, uint8_t from,
                             uint8_t to)
{
    if (!s->two_square)
        return false;
    for (int cell = 0; cell < ST_CELLS; cell++)
        for (int i = 0; i < 2; i++) {
            int other = cell + (i ? 1 : ST_WIDTH);

            if (crosses(from, to, cell, other) &&
                all_cross(b, s->board[from], cell, other, s->two_square))
                return true;
        }
    return false;
}

static void enter(struct book *b, const struct st_state *s, uint8_t seat, struct st_ply ply)
{
    int *own = &b->counter[seat], *other = &b->counter[!seat];

    picture(s, b->position[b->n]);
    *other = b->n > 0 && next_to(ply.from, b->to[b->n - 1]) ? *other + 1 : 0;
    if (ply.attack)
        *own = *other = 0;
    *own = threatens(b->position[b->n], ply.to, seat) ? *own + 1 : 0;
    b->from[b->n] = ply.from;
    b->to[b->n++] = ply.to;
}

/* The same state, told by its board and its history alone, judges every move alike. */
static void recalled_alike(const struct book *b, const struct st_state *s, const bool *attacks)
{
    static struct st_ply plies[LOG_MAX];
    struct st_state told = *s;

    for (int i = 0; i < b->n; i++)
        plies[i] = (struct st_ply){b->from[i], b->to[i], attacks[i]};
    memset(told.ply, 0, sizeof told.ply);
    told.recorded = told.at = told.chase[0] = told.chase[1] = 0;
    st_recall(&told, plies, (size_t)b->n);
    assert_int_equal(told.flaw, 0);
    assert_memory_equal(told.chase, s->chase, sizeof told.chase);
    assert_int_equal(told.recorded, s->recorded);
    for (size_t from = 0; from < ST_CELLS; from++)
        for (size_t to = 0; to < ST_CELLS; to++) {
            struct event event = move_cells(s, (uint8_t)from, (uint8_t)to);

            assert_int_equal(st_ruleset.judge(s, &event), st_ruleset.judge(&told, &event));
        }
}

static void compare_all(const struct book *b, const struct st_state *s, size_t barred[2])
{
    struct st_state free = *s;
    static struct event moves[400];

    for (size_t seat = 0; seat < ST_SEATS; seat++)
        assert_int_equal(s->chase[seat], b->counter[seat]);
    free.two_square = free.more_square = 0;
    size_t listed = st_ruleset.legal(s, s->turn, moves, 400), allowed = 0;
    size_t count = st_ruleset.legal(&free, s->turn, moves, 400);
    for (size_t i = 0; i < count; i++) {
        uint8_t from = moves[i].data[0], to = moves[i].data[1];
        ruling_t expected = barred_by_border(b, s, from, to)                    ? ST_TWO_SQUARE
                            : s->more_square && barred_by_chase(b, s, from, to) ? ST_MORE_SQUARE
                                                                                : ALLOWED;

        assert_int_equal(st_ruleset.judge(s, &moves[i]), expected);
        allowed += expected == ALLOWED;
        barred[0] += expected == ST_TWO_SQUARE;
        barred[1] += expected == ST_MORE_SQUARE;
    }
    assert_int_equal(listed, allowed);
}

/* A chaser and its quarry on a small stage, where chases happen. All pieces of a side differ in
 * rank, so that equal positions are equal by piece too. */
enum { STAGE = 3 };

static void stage(struct seeded *chance, struct st_state *s)
{
    static const uint8_t ranks[] = {C_MARSHAL, SCOUT};
    uint32_t pairs = 1 + seeded_below(chance, 2);

    *s = ruled((int16_t)(seeded_below(chance, 2) * 3), 1);
    for (uint32_t i = 0; i < 2 * pairs; i++) {
        uint8_t cell;

        do
            cell = cell_at((int)seeded_below(chance, STAGE),
                           (int)seeded_below(chance, STAGE) + 10 - STAGE);
        while (s->board[cell] != ST_EMPTY);
        st_put(s, i % 2, cell, ranks[i / 2]);
    }
    st_resume(s, RED);
}

/* Red threatens, blue moves what is threatened; nobody attacks or leaves the stage. */
static bool in_style(const struct st_state *s, const struct book *b, const struct event *move)
{
    uint8_t from = move->data[0], to = move->data[1], at[ST_CELLS];

    if (s->board[to] != ST_EMPTY || to / ST_WIDTH <= 10 - STAGE || to % ST_WIDTH >= STAGE)
        return false;
    if (s->turn == BLUE)
        return b->n > 0 && next_to(from, b->to[b->n - 1]);
    picture(s, at);
    return threatens(at, to, RED);
}

static const struct event *choose(struct seeded *chance, const struct st_state *s,
                                  const struct book *b)
{
    static struct event moves[400];
    uint32_t count = (uint32_t)st_ruleset.legal(s, s->turn, moves, 400);
    uint32_t pick = seeded_below(chance, count);

    for (int tries = 0; tries < 100 && !in_style(s, b, &moves[pick]); tries++)
        pick = seeded_below(chance, count);
    return &moves[pick];
}

static void chase_on(struct seeded *chance, size_t barred[2])
{
    static struct book b;
    static bool attacks[LOG_MAX];
    struct effects effects;
    struct st_state s;

    b.n = b.counter[0] = b.counter[1] = 0;
    stage(chance, &s);
    while (s.outcome.reason == REASON_NONE && b.n < ST_PLIES) {
        compare_all(&b, &s, barred);
        if (b.n % 16 == 9)
            recalled_alike(&b, &s, attacks);
        const struct event *move = choose(chance, &s, &b);
        struct st_ply ply = {.from = move->data[0], .to = move->data[1]};
        uint8_t seat = s.turn;
        ply.attack = attacks[b.n] = s.board[ply.to] != ST_EMPTY;
        b.mover[b.n] = s.board[ply.from];
        match_play(&st_ruleset, &s, move, &effects);
        enter(&b, &s, seat, ply);
    }
}

static void chases_agree(void **state)
{
    size_t barred[2] = {0};

    (void)state;
    for (uint64_t seed = 1; seed <= 150; seed++) {
        struct seeded chance = {seed};

        chase_on(&chance, barred);
    }
    print_message("barred by SC-6 %zu times, by SC-7 %zu times\n", barred[0], barred[1]);
    assert_true(barred[0] > 100);
    assert_true(barred[1] > 100);
}

/* What legal() lists judge() allows, and the other way round. */
static void lists_what_is_allowed(const struct st_state *s)
{
    static struct event moves[400];
    size_t listed = st_ruleset.legal(s, s->turn, moves, 400), allowed = 0;

    for (size_t from = 0; from < ST_CELLS; from++)
        for (size_t to = 0; to < ST_CELLS; to++) {
            struct event event = move_cells(s, (uint8_t)from, (uint8_t)to);

            allowed += st_ruleset.judge(s, &event) == ALLOWED;
        }
    assert_int_equal(listed, allowed);
    for (size_t i = 0; i < listed; i++)
        assert_int_equal(st_ruleset.judge(s, &moves[i]), ALLOWED);
}

/* SC-7: red runs after blue round a lake, longer than anybody counts. */
static void chase_round(const char *const *round)
{
    enum { ROUND = 14, PLIES = 50 * ROUND };
    static struct st_ply plies[PLIES];
    struct st_state s = ruled(0, 0);

    put(&s, RED, "f4", C_MAJOR), put(&s, BLUE, "h4", C_MAJOR);
    struct st_state told = s;
    for (int i = 0; i < PLIES; i++) {
        int at = i / 2 + 2 * (i % 2);
        const char *from = round[at % ROUND], *to = round[(at + 1) % ROUND];

        plies[i] = (struct st_ply){cell_of(from), cell_of(to), false};
        assert_int_equal(played(&s, from, to), ALLOWED);
        /* Red's first ply threatens; from then on each ply goes on with the chase. */
        assert_int_equal(s.chase[RED], i < ST_PLIES ? i + 1 : ST_PLIES);
        assert_int_equal(s.recorded, i < ST_PLIES ? i + 1 : ST_PLIES);
        assert_int_equal(st_ruleset.check(&s), ALLOWED);
        if (i % 2 == 0 || i < PLIES - 2 * ROUND)
            continue;
        struct st_state strict = s; /* a round ago it was the same */
        strict.more_square = 1;
        at = i / 2 + 1;
        assert_int_equal(judged(&strict, round[at % ROUND], round[(at + 1) % ROUND]),
                         ST_MORE_SQUARE);
        lists_what_is_allowed(&strict);
    }
    memcpy(told.board, s.board, sizeof s.board);
    memcpy(told.place, s.place, sizeof s.place);
    st_recall(&told, plies, PLIES);
    assert_int_equal(told.flaw, ALLOWED);
    assert_int_equal(told.recorded, ST_PLIES);
    assert_int_equal(told.chase[RED], ST_PLIES);
    s.more_square = told.more_square = 1;
    const char *red = round[PLIES / 2 % ROUND];
    for (size_t to = 0; to < ROUND; to++)
        assert_int_equal(judged(&told, red, round[to]), judged(&s, red, round[to]));
    assert_int_equal(judged(&s, red, round[(PLIES / 2 + 1) % ROUND]), ST_MORE_SQUARE);
}

static void a_chase_without_end(void **state)
{
    static const char *const by_j5[] = {"f4", "g4", "h4", "i4", "j4", "j5", "j6",
                                        "j7", "i7", "h7", "g7", "f7", "f6", "f5"};
    static const char *const by_i5[] = {"f4", "g4", "h4", "i4", "i5", "i6", "i7",
                                        "h7", "g7", "f7", "e7", "e6", "e5", "e4"};

    (void)state;
    chase_round(by_j5);
    chase_round(by_i5);
}

/* A history that cannot have led to the state. */
static void impossible_histories(void **state)
{
    static const struct st_ply none = {0};
    struct st_state s = ruled(3, 1), copy;
    uint8_t a4 = 0, a5 = 0, a6 = 0;

    (void)state;
    a4 = cell_of("a4"), a5 = cell_of("a5"), a6 = cell_of("a6");
    put(&s, BLUE, "a5", C_MAJOR), put(&s, RED, "j4", SCOUT);
    const struct st_ply good[] = {{a6, a5, false}}, attack[] = {{a6, a5, true}};
    const struct st_ply far[] = {{cell_of("a7"), a5, false}}, nobody[] = {{a5, a4, false}};
    const struct st_ply stays[] = {{cell_of("j4"), a5, true}};
    const struct st_ply rest[] = {{a5, a5, true}}, out[] = {{a6, ST_WIDTH + ST_FILES, true}};
    const struct st_ply empty[] = {{a6, cell_of("a7"), false}};
    const struct st_ply off[] = {{a6, a6 % ST_WIDTH, true}}, on[] = {{a4 % ST_WIDTH, a5, true}};
    const struct st_ply taken[] = {{a5, a6, true}}, askew[] = {{a4, cell_of("b6"), true}};
    const struct {
        const struct st_ply *ply;
        bool good;
    } rows[] = {{good, true},   {attack, true}, {far, false}, {nobody, false}, {stays, false},
                {&none, false}, {rest, false},  {out, false}, {empty, false},  {taken, false},
                {askew, false}, {off, false},   {on, false}};

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        copy = s;
        st_recall(&copy, rows[i].ply, 1);
        assert_int_equal(st_ruleset.check(&copy), rows[i].good ? ALLOWED : ST_HISTORY);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(to_and_fro),
        cmocka_unit_test(another_piece_over_the_same_border),
        cmocka_unit_test(scouts_runs),
        cmocka_unit_test(chases_agree),
        cmocka_unit_test(a_chase_without_end),
        cmocka_unit_test(impossible_histories),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
