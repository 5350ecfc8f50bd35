/* Stratego as text: docs/notation.md says the forms. Positions are the letters of StraDos, red
 * B to M and blue N to Y, square by square from a1. */
#include "api/notation.h"

#include <ctype.h>
#include <string.h>

#include "rules/stratego/stratego.h"

enum { SQUARES = ST_FILES * ST_FILES, RED = 'B', BLUE = 'N' };

static const char square_wanted[] = "a square, a1 to j10";

/* The rank of each letter from the side's first on; ST_NONE: no such letter. */
static const uint8_t letter_ranks[ST_FAMILIES][ST_RANKS] = {
    [ST_HOUSE] = {10, 1, 3, 2, 4, 5, 6, 7, 8, 9, 0, ST_NONE},
    [ST_CLASSIC] = {11, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0},
};

static char letter_of(uint8_t variant, uint8_t side, uint8_t rank)
{
    uint8_t i = 0;

    while (i < ST_RANKS && letter_ranks[st_family_of[variant]][i] != rank)
        i++;
    return i < ST_RANKS && rank < ST_RANKS ? (char)((side ? BLUE : RED) + i) : '?';
}

/* The side and rank of an upper-case letter; false for all that are no piece's. */
static bool piece_of(uint8_t variant, char letter, uint8_t *ret_side, uint8_t *ret_rank)
{
    *ret_side = letter >= BLUE;
    int i = letter - (*ret_side ? BLUE : RED);
    *ret_rank = i >= 0 && i < ST_RANKS ? letter_ranks[st_family_of[variant]][i] : ST_NONE;
    return *ret_rank != ST_NONE;
}

/* Squares by their place in the letters, and as cells. */
static uint8_t cell_of(size_t place)
{
    return (uint8_t)((place / ST_FILES + 1) * ST_WIDTH + place % ST_FILES);
}

static bool read_square(struct reading *in, uint8_t *ret_cell)
{
    uint8_t file, row;
    size_t at = in->at;

    if (!reading_letter(in, "abcdefghij", square_wanted, &file))
        return false;
    if (!reading_number(in, ST_FILES, "a row, 1 to 10", &row))
        return false;
    if (row == 0) {
        in->at = at + 1;
        return reading_fails(in, "a row, 1 to 10");
    }
    *ret_cell = (uint8_t)(row * ST_WIDTH + file);
    return true;
}

static void put_square(struct out *out, uint8_t cell)
{
    put_text(out, "%c%d", 'a' + cell % ST_WIDTH, cell / ST_WIDTH);
}

/* Moves: a4-a5, a4xa7 for an attack; the mark may be left out. */

static bool read_move(const char *text, const void *state, struct event *ret_event,
                      struct misread *ret_misread)
{
    struct reading in = {.text = text, .misread = ret_misread};
    const struct st_state *s = state;
    struct st_move m;

    if (!read_square(&in, &m.from))
        return false;
    bool named = s && s->combats; /* a piece alone */
    if (!named && !reading_takes(&in, '-'))
        (void)reading_takes(&in, 'x');
    m.to = ST_NOWHERE;
    if ((!named && !read_square(&in, &m.to)) || !reading_ends(&in))
        return false;
    ret_event->kind = EVENT_MOVE;
    ret_event->size = sizeof m;
    memcpy(ret_event->data, &m, sizeof m);
    if (s && s->blind) { /* a rank may be opened with it; none is as yet */
        ret_event->size = ST_BLIND_MOVE;
        ret_event->data[ST_OPENED] = ST_NONE;
    }
    return true;
}

static void write_move(struct out *out, const struct event *event)
{
    struct st_move m;

    memcpy(&m, event->data, sizeof m);
    put_square(out, m.from);
    if (m.to == ST_NOWHERE)
        return;
    put_text(out, "-");
    put_square(out, m.to);
}

/* Set-ups: 40 letters of the own rows, from a1 or a7 on. */

static bool read_setup(const char *text, const struct options *options, uint8_t seat,
                       struct event *ret_event, struct misread *ret_misread)
{
    struct reading in = {.text = text, .misread = ret_misread};
    struct st_setup setup = {.variant = options->variant};
    size_t first = seat ? SQUARES - ST_SLOTS : 0;
    uint8_t side, rank;

    memset(setup.rank, ST_NONE, sizeof setup.rank);
    for (; in.at < ST_SLOTS; in.at++) {
        if (text[in.at] == 'A')
            continue;
        if (!piece_of(options->variant, text[in.at], &side, &rank) || side != seat)
            return reading_fails(&in, seat ? "a letter of blue's pieces, or A; 40 in all"
                                           : "a letter of red's pieces, or A; 40 in all");
        setup.rank[st_slot(seat, cell_of(first + in.at))] = rank;
    }
    ret_event->kind = EVENT_SETUP;
    ret_event->seat = seat;
    ret_event->size = sizeof setup;
    memcpy(ret_event->data, &setup, sizeof setup);
    return reading_ends(&in);
}

static void write_setup(struct out *out, const struct event *event)
{
    size_t first = event->seat ? SQUARES - ST_SLOTS : 0;
    struct st_setup setup;

    memcpy(&setup, event->data, sizeof setup);
    for (size_t i = 0; i < ST_SLOTS; i++) {
        uint8_t rank = setup.rank[st_slot(event->seat, cell_of(first + i))];
        put_text(out, "%c",
                 rank == ST_NONE ? 'A' : letter_of(setup.variant, event->seat, rank));
    }
}

/* Positions: 100 letters, whose turn it is, plies so far. */

static bool read_letter(struct reading *in, struct st_state *s, uint8_t cell)
{
    char letter = in->text[in->at], upper = (char)toupper((unsigned char)letter);
    uint8_t side, rank;

    if (letter == '?')
        return reading_fails(in, "a piece: a position with hidden ones cannot be judged");
    if (letter == 'A' || letter == '_') {
        if ((letter == '_') != (s->board[cell] == ST_WALL))
            return reading_fails(in, letter == '_' ? "no lake here" : "_ for a lake");
    } else if (piece_of(s->variant, upper, &side, &rank)) {
        st_put(s, side, cell, rank);
        uint8_t piece = s->board[cell];
        if (letter != upper && piece < ST_PIECES)
            s->seen[side] |= UINT64_C(1) << piece % ST_SLOTS;
    } else {
        return reading_fails(in, "A, _ or a letter of a piece; 100 squares in all");
    }
    in->at++;
    return true;
}

static bool read_plies(struct reading *in, uint32_t *ret_plies)
{
    size_t digits = strspn(in->text + in->at, "0123456789");
    uint32_t plies = 0;

    if (digits < 1 || digits > 9)
        return reading_fails(in, "the number of plies so far");
    for (size_t i = 0; i < digits; i++)
        plies = plies * 10 + (uint32_t)(in->text[in->at++] - '0');
    *ret_plies = plies;
    return true;
}

static bool read_state(const char *text, struct options *options, void *ret_state,
                       struct misread *ret_misread)
{
    struct reading in = {.text = text, .misread = ret_misread};
    struct st_state *s = ret_state;
    uint8_t turn;

    st_ruleset.begin(s, options);
    for (size_t i = 0; i < SQUARES; i++)
        if (!read_letter(&in, s, cell_of(i)))
            return false;
    if (!reading_expects(&in, ' ') ||
        !reading_letter(&in, "rb", "r or b, whose turn it is", &turn) ||
        !reading_expects(&in, ' ') || !read_plies(&in, &s->plies) || !reading_ends(&in))
        return false;
    st_resume(s, turn);
    st_settle(s);
    return true;
}

static char turn_letter(uint8_t turn)
{
    return turn < ST_SEATS ? "rb"[turn] : '-';
}

static void write_state(struct out *out, const void *state)
{
    const struct st_state *s = state;

    for (size_t i = 0; i < SQUARES; i++) {
        uint8_t piece = s->board[cell_of(i)];
        char letter = piece == ST_WALL ? '_' : 'A';
        if (piece < ST_PIECES) {
            uint8_t side = piece >= ST_SLOTS;
            letter = letter_of(s->variant, side, s->rank[piece]);
            if (s->seen[side] >> piece % ST_SLOTS & 1)
                letter = (char)tolower((unsigned char)letter);
        }
        put_text(out, "%c", letter);
    }
    put_text(out, " %c %u", turn_letter(s->turn), s->plies);
}

/* Of his own pieces the viewer is not told which the other side has seen. */
static void write_view(struct out *out, const void *view)
{
    const struct st_view *v = view;

    for (size_t i = 0; i < SQUARES; i++) {
        uint8_t cell = cell_of(i), side = v->side[cell];
        char letter = st_lake(v->variant, cell) ? '_' : 'A';
        if (side != NO_SEAT)
            letter = letter_of(v->variant, side, v->rank[cell]);
        if (side != NO_SEAT && side != v->viewer)
            letter = (char)tolower((unsigned char)letter);
        put_text(out, "%c", letter);
    }
    if (v->limits & 1)
        put_text(out, " %c %u", turn_letter(v->turn), v->plies);
    else
        put_text(out, " %c ?", turn_letter(v->turn));
}

/* Drawings */

static const char names[ST_FAMILIES][ST_RANKS][3] = {
    [ST_HOUSE] = {"FL", "SP", "SC", "MI", "GU", "CO", "CD", "CP", "GE", "MA", "MN"},
    [ST_CLASSIC] = {"FL", "SP", "SC", "MI", "SE", "LI", "CP", "MJ", "CO", "GE", "MA", "BO"},
};

static void see_all(const void *state, void *ret_view)
{
    struct st_view *view = ret_view, blue;

    st_ruleset.observe(state, 0, view);
    st_ruleset.observe(state, 1, &blue);
    view->viewer = NO_SEAT;
    for (uint8_t cell = 0; cell < ST_CELLS; cell++)
        if (view->side[cell] == 1)
            view->rank[cell] = blue.rank[cell];
    memcpy(view->known[1], blue.known[1], sizeof view->known[1]);
}

static void draw_square(struct out *out, const struct st_view *v, size_t place)
{
    uint8_t cell = cell_of(place), rank = v->rank[cell];
    bool blue = v->side[cell] == 1;

    if (v->side[cell] == NO_SEAT) {
        put_text(out, "%s", st_lake(v->variant, cell) ? " ~~" : "  .");
        return;
    }
    const char *name = rank < ST_RANKS ? names[st_family_of[v->variant]][rank] : "R?";
    if (blue && rank >= ST_RANKS)
        name = "b?";
    put_text(out, " %c%c", blue ? tolower((unsigned char)name[0]) : name[0],
             blue ? tolower((unsigned char)name[1]) : name[1]);
}

static void draw_losses(struct out *out, const struct st_view *v, uint8_t side)
{
    put_text(out, "%-5s lost %d", st_ruleset.seats[side], v->lost[side]);
    for (uint8_t rank = ST_RANKS; rank-- > 0;)
        if (v->known[side][rank])
            put_text(out, "  %s %d", st_rank_name(v->variant, rank), v->known[side][rank]);
    put_text(out, "\n");
}

/* Red is written in capitals, blue in small letters. */
static void draw_legend(struct out *out, uint8_t variant)
{
    put_text(out, "\nRED in capitals, blue in small letters; R? b? not known\n");
    for (uint8_t rank = ST_RANKS; rank-- > 0;)
        if (st_rank_name(variant, rank))
            put_text(out, "%s %s%s", names[st_family_of[variant]][rank],
                     st_rank_name(variant, rank),
                     rank == 0   ? "\n"
                     : rank == 6 ? "\n"
                                 : "  ");
}

static void draw(struct out *out, const void *view)
{
    const struct st_view *v = view;

    for (size_t row = ST_FILES; row-- > 0;) {
        put_text(out, "%3zu ", row + 1);
        for (size_t file = 0; file < ST_FILES; file++)
            draw_square(out, v, row * ST_FILES + file);
        put_text(out, "\n");
    }
    put_text(out, "      a  b  c  d  e  f  g  h  i  j\n\n");
    for (uint8_t side = 0; side < ST_SEATS; side++)
        draw_losses(out, v, side);
    if (v->limits & 1)
        put_text(out, "plies %u\n", v->plies);
    if (v->limits & 2)
        put_text(out, "quiet %u\n", v->quiet);
    draw_legend(out, v->variant);
}

const struct notation st_notation = {
    .rules = &st_ruleset,
    .read_move = read_move,
    .write_move = write_move,
    .read_state = read_state,
    .write_state = write_state,
    .write_view = write_view,
    .read_setup = read_setup,
    .write_setup = write_setup,
    .see_all = see_all,
    .draw = draw,
};
