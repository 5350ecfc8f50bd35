#include "rules/stratego/internal.h"

#include <string.h>

static void push(struct st_state *s, struct st_ply ply)
{
    s->ply[s->at] = (uint16_t)(ply.from | ply.to << 7 | ply.attack << 14);
    s->at = (uint8_t)((s->at + 1) % ST_PLIES);
    if (s->recorded < ST_PLIES)
        s->recorded++;
}

/* The ply `back` before the last one (0: the last), which must be recorded. */
static struct st_ply recall(const struct st_state *s, size_t back)
{
    uint16_t ply = s->ply[(s->at + (size_t)ST_PLIES - 1 - back) % ST_PLIES];

    return (struct st_ply){.from = ply & 0x7f, .to = ply >> 7 & 0x7f, .attack = ply >> 14};
}

static bool beside(uint8_t a, uint8_t b)
{
    for (size_t i = 0; i < 4; i++)
        if (st_step(a, st_steps[i]) == b)
            return true;
    return false;
}

static bool enemy_beside(const uint8_t *board, uint8_t cell, uint8_t seat)
{
    for (size_t i = 0; i < 4; i++)
        if (st_enemy(board[st_step(cell, st_steps[i])], seat))
            return true;
    return false;
}

static uint8_t more(uint8_t counter)
{
    return counter >= ST_PLIES ? counter : (uint8_t)(counter + 1);
}

/* SC-7: the counters after a ply of `seat` that stands on `board`. */
static void count(struct st_state *s, const uint8_t *board, uint8_t seat, struct st_ply ply)
{
    uint8_t *own = &s->chase[seat], *other = &s->chase[!seat];

    if (s->recorded && beside(ply.from, recall(s, 0).to)) /* (1) */
        *other = more(*other);
    else
        *other = 0;
    if (ply.attack) /* (2) */
        *own = *other = 0;
    *own = enemy_beside(board, ply.to, seat) ? more(*own) : 0; /* (3) */
}

void st_record(struct st_state *s, struct st_ply ply)
{
    count(s, s->board, s->turn, ply);
    push(s, ply);
}

/* A stretch of borders along one row or file: those between lo and hi. */
struct stretch {
    bool upright;
    uint8_t line, lo, hi;
};

static struct stretch stretch_of(uint8_t from, uint8_t to)
{
    bool upright = from % ST_WIDTH == to % ST_WIDTH;
    uint8_t lo = from < to ? from : to, hi = from < to ? to : from;
    uint8_t line = upright ? from % ST_WIDTH : from / ST_WIDTH;

    return (struct stretch){.upright = upright, .line = line, .lo = lo, .hi = hi};
}

/* What both cross; empty (lo >= hi) if there is nothing. */
static struct stretch common(struct stretch a, struct stretch b)
{
    if (a.upright != b.upright || a.line != b.line)
        a.hi = a.lo;
    if (b.lo > a.lo)
        a.lo = b.lo;
    if (b.hi < a.hi)
        a.hi = b.hi;
    return a;
}

/* SC-6: where the piece stands that has made the last `two_square` plies of its side, and what
 * it crossed in all of them; ST_NOWHERE: there is none. A side's plies are every other one; a
 * piece that begins where the ply before ended is the same piece. */
static uint8_t to_and_fro(const struct st_state *s, struct stretch *ret_all)
{
    size_t count = s->two_square;

    if (!count || 2 * count > s->recorded)
        return ST_NOWHERE;
    for (size_t i = 1; i < count; i++)
        if (recall(s, 2 * i + 1).to != recall(s, 2 * i - 1).from)
            return ST_NOWHERE;
    *ret_all = stretch_of(recall(s, 1).from, recall(s, 1).to);
    for (size_t i = 1; i < count; i++) {
        struct st_ply ply = recall(s, 2 * i + 1);

        *ret_all = common(*ret_all, stretch_of(ply.from, ply.to));
    }
    return recall(s, 1).to;
}

static bool crosses_again(const struct st_state *s, struct st_move m)
{
    struct stretch all;

    if (to_and_fro(s, &all) != m.from)
        return false;
    all = common(all, stretch_of(m.from, m.to));
    return all.lo < all.hi;
}

/* SC-7: equal squares. Own pieces of one rank are alike, if the referee knows it; enemy pieces
 * are told apart by the way they went, which everybody saw: whether they are alike is not for
 * the chaser to learn. */
static bool alike(const struct st_state *s, uint8_t a, uint8_t b)
{
    if (a == b)
        return true;
    if (a >= ST_PIECES || b >= ST_PIECES || st_side(a) != st_side(b))
        return false;
    return st_side(a) == s->turn && s->rank[a] == s->rank[b] && s->rank[a] != ST_HIDDEN;
}

/* Two boards, and on how many of the squares they differ. */
struct pair {
    uint8_t next[ST_CELLS], past[ST_CELLS];
    int differ;
};

static void set_past(const struct st_state *s, struct pair *pair, uint8_t cell, uint8_t content)
{
    pair->differ -= !alike(s, pair->past[cell], pair->next[cell]);
    pair->past[cell] = content;
    pair->differ += !alike(s, content, pair->next[cell]);
}

/* Did a piece leave `cell`, which is empty, within the last `window` plies? If none did, no
 * position among them is one with a piece there. */
static bool stood_on(const struct st_state *s, uint8_t cell, int window)
{
    for (int back = 0; back < window; back++)
        if (recall(s, (size_t)back).from == cell)
            return true;
    return false;
}

/* SC-7: is the position after `m` one that the last `window` plies have made? */
static bool repeats(const struct st_state *s, struct st_move m, int window)
{
    struct pair pair;

    memcpy(pair.next, s->board, sizeof pair.next);
    memcpy(pair.past, s->board, sizeof pair.past);
    pair.next[m.to] = pair.next[m.from];
    pair.next[m.from] = ST_EMPTY;
    pair.differ = 2;
    for (int back = 0; back < window; back++) {
        if (pair.differ == 0)
            return true;
        struct st_ply ply = recall(s, (size_t)back);
        uint8_t piece = pair.past[ply.to];
        set_past(s, &pair, ply.to, ST_EMPTY);
        set_past(s, &pair, ply.from, piece);
    }
    return false;
}

/* SC-7: how many plies back the chase goes. A move makes the counter C one more, so that the
 * last C-1 plies are as many as the counter says now; the first threat is the earliest of them.
 * None after it was an attack, so that they can be taken back. */
static int chase_window(const struct st_state *s)
{
    uint8_t chase = s->chase[s->turn];

    return chase < s->recorded ? chase : s->recorded;
}

/* What tells most moves from a chase, and costs least, is asked first. Where a chase goes on
 * there are two plies at least: the threat, and what fled from it. */
static bool chases_again(const struct st_state *s, struct st_move m)
{
    int window = chase_window(s);

    if (s->board[m.to] != ST_EMPTY || !stood_on(s, m.to, window))
        return false;
    if (!enemy_beside(s->board, m.to, s->turn))
        return false;
    if (recall(s, 1).from == m.to && recall(s, 1).to == m.from)
        return false;
    return repeats(s, m, window);
}

struct st_suspects st_suspects(const struct st_state *s)
{
    struct stretch all;
    struct st_suspects suspects = {.from = to_and_fro(s, &all)};
    int window = s->more_square ? chase_window(s) : 0;

    for (int back = 0; back < window; back++) {
        uint8_t cell = recall(s, (size_t)back).from;

        suspects.to[cell / 64] |= UINT64_C(1) << cell % 64;
    }
    return suspects;
}

ruling_t st_barred(const struct st_state *s, struct st_move m)
{
    if (crosses_again(s, m))
        return ST_TWO_SQUARE;
    if (s->more_square && chases_again(s, m))
        return ST_MORE_SQUARE;
    return ALLOWED;
}

/* Takes `ply` of `seat` back on the board of `past`; false if it cannot have been. */
static bool take_back(struct st_state *past, uint8_t seat, struct st_ply ply)
{
    uint8_t piece = past->board[ply.to];

    if (past->board[ply.from] != ST_EMPTY || piece >= ST_PIECES)
        return false;
    past->board[ply.to] = ST_EMPTY;
    past->board[ply.from] = piece;
    return st_judge_geometry(past, seat, (struct st_move){ply.from, ply.to}, ST_NONE) ==
           ALLOWED;
}

/* SC-2: straight, and from one square to another. */
static bool sound(const struct st_ply *plies, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint8_t from = plies[i].from, to = plies[i].to;

        if (!st_on_board(from) || !st_on_board(to) || from == to)
            return false;
        if (from % ST_WIDTH != to % ST_WIDTH && from / ST_WIDTH != to / ST_WIDTH)
            return false;
    }
    return true;
}

/* Back to the last attack, which cannot be taken back and before which SC-7 does not look;
 * `ret_from` is the first ply that counts. */
static bool rewind_to_attack(struct st_state *past, const struct st_ply *plies, size_t count,
                             size_t *ret_from)
{
    uint8_t seat = !past->turn;
    size_t i = count;

    while (i > 0 && !plies[i - 1].attack) {
        if (!take_back(past, seat, plies[i - 1]))
            return false;
        seat = !seat;
        i--;
    }
    if (i > 0 && past->board[plies[i - 1].from] != ST_EMPTY)
        return false;
    *ret_from = i > 0 ? i - 1 : 0;
    return true;
}

void st_recall(struct st_state *s, const struct st_ply *plies, size_t count_all)
{
    size_t skip = count_all > ST_PLIES ? count_all - ST_PLIES : 0;
    size_t n = count_all - skip, from;
    struct st_state past = *s;

    plies += skip;
    if (!sound(plies, n) || !rewind_to_attack(&past, plies, n, &from)) {
        s->flaw = ST_HISTORY;
        return;
    }
    for (size_t i = 0; i < n; i++) {
        uint8_t seat = (n - i) % 2 ? !s->turn : s->turn;

        if (i >= from && !plies[i].attack) {
            past.board[plies[i].to] = past.board[plies[i].from];
            past.board[plies[i].from] = ST_EMPTY;
        }
        if (i >= from)
            count(s, past.board, seat, plies[i]);
        push(s, plies[i]);
    }
}
