/* The castle as text: docs/notation.md says the forms. */
#include "api/notation.h"

#include <string.h>

#include "api/codec_roquefort.h"

static const char files[] = "abcdefg";
static const char rows[] = "1234567";
static const char square_wanted[] = "a square, a1 to g7";
static const char seat_letters[] = "yrbg";
/* Blank, the seven cheeses, trapdoor, not known: by face, as the JSON has them. */
static const char face_letters[] = ".EGDRCHBX?";
static const char face_wanted[] = "a tile: . for blank, E G D R C H B for a cheese, X or ?";

static bool read_square(struct reading *in, uint8_t *ret_square)
{
    uint8_t file, row;

    if (!reading_letter(in, files, square_wanted, &file) ||
        !reading_letter(in, rows, "a row, 1 to 7", &row))
        return false;
    *ret_square = (uint8_t)(row * RQ_SIDE + file);
    return true;
}

static void put_square(struct out *out, unsigned square)
{
    put_text(out, "%s", rq_square_names[square]);
}

/* Moves: +a1  ?b2  a1-b1  b1^d1  W2  .  and at a table ?b2,b2=gouda,c2=blank  W2,out=edam */

static bool read_slot(struct reading *in, uint8_t *ret_slot)
{
    for (uint8_t slot = 0; slot < RQ_SLOTS; slot++)
        if (reading_takes_word(in, rq_slots[slot])) {
            *ret_slot = slot;
            return true;
        }
    return reading_fails(in, "a slot: Nb Nd Nf Sb Sd Sf W2 W4 W6 E2 E4 E6");
}

static bool read_way(struct reading *in, struct rq_move *move)
{
    if (!strchr(files, in->text[in->at]))
        return reading_fails(in, "+, ?, a square, a slot (N S W E) or .");
    if (!read_square(in, &move->from))
        return false;
    move->verb = RQ_STEP;
    if (!reading_takes(in, '-')) {
        move->verb = RQ_JUMP;
        if (!reading_takes(in, '^'))
            return reading_fails(in, "- for a step or ^ for a jump");
    }
    return read_square(in, &move->to);
}

static bool read_deed(struct reading *in, struct rq_move *move)
{
    move->verb = RQ_ENTER;
    if (reading_takes(in, '+'))
        return read_square(in, &move->to);
    move->verb = RQ_UNCOVER;
    if (reading_takes(in, '?'))
        return read_square(in, &move->to);
    move->verb = RQ_END_TURN;
    if (reading_takes(in, '.'))
        return true;
    move->verb = RQ_SHIFT;
    if (in->text[in->at] && strchr("NSWE", in->text[in->at]))
        return read_slot(in, &move->to);
    return in->text[in->at] ? read_way(in, move) : reading_fails(in, "a move");
}

static bool read_face(struct reading *in, uint8_t *ret_face)
{
    for (uint8_t face = 0; face < RQ_FACES; face++)
        if (reading_takes_word(in, rq_faces[face])) {
            *ret_face = face;
            return true;
        }
    return reading_fails(in, "blank, trapdoor or a cheese");
}

/* ",b2=gouda" and ",out=edam" as often as they come. */
static bool read_report(struct reading *in, struct rq_report *report)
{
    while (reading_takes(in, ',')) {
        uint8_t place = RQ_SPARE, square;
        size_t at = in->at;

        if (report->move.verb != RQ_SHIFT || !reading_takes_word(in, "out")) {
            if (!read_square(in, &square))
                return false;
            place = rq_place[square];
        }
        if (place == RQ_NO_SQUARE || report->face[place] != RQ_UNKNOWN) {
            in->at = at;
            return reading_fails(in, "a square over a tile, told once");
        }
        if (!reading_expects(in, '=') || !read_face(in, &report->face[place]))
            return false;
    }
    return true;
}

static bool read_move(const char *text, const void *state, struct event *ret_event,
                      struct misread *ret_misread)
{
    struct reading in = {.text = text, .misread = ret_misread};
    const struct rq_state *s = state;
    struct rq_report read;

    memset(&read, RQ_UNKNOWN, sizeof read);
    read.move = (struct rq_move){0};
    if (!read_deed(&in, &read.move))
        return false;
    bool tells = s && s->custody == CUSTODY_TABLE && text[in.at] == ',' &&
                 (read.move.verb == RQ_UNCOVER || read.move.verb == RQ_SHIFT);
    if ((tells && !read_report(&in, &read)) || !reading_ends(&in))
        return false;
    ret_event->kind = EVENT_MOVE;
    ret_event->size = tells ? sizeof read : sizeof read.move;
    memcpy(ret_event->data, &read, ret_event->size);
    return true;
}

static void put_report(struct out *out, const struct rq_report *report)
{
    if (report->move.verb == RQ_SHIFT && report->face[RQ_SPARE] < RQ_FACES)
        put_text(out, ",out=%s", rq_faces[report->face[RQ_SPARE]]);
    for (unsigned i = 0; i < RQ_SQUARES; i++)
        if (rq_place[i] != RQ_NO_SQUARE && report->face[rq_place[i]] < RQ_FACES) {
            put_text(out, ",");
            put_square(out, i);
            put_text(out, "=%s", rq_faces[report->face[rq_place[i]]]);
        }
}

static void write_move(struct out *out, const struct event *event)
{
    struct rq_report report;

    memcpy(&report, event->data, sizeof report);
    const struct rq_move *move = &report.move;
    if (move->verb == RQ_ENTER || move->verb == RQ_UNCOVER)
        put_text(out, "%c", move->verb == RQ_ENTER ? '+' : '?');
    if (move->verb == RQ_STEP || move->verb == RQ_JUMP) {
        put_square(out, move->from);
        put_text(out, "%c", move->verb == RQ_STEP ? '-' : '^');
    }
    if (move->verb == RQ_SHIFT)
        put_text(out, "%s", rq_slots[move->to]);
    else if (move->verb == RQ_END_TURN)
        put_text(out, ".");
    else
        put_square(out, move->to);
    if (event->size == sizeof report)
        put_report(out, &report);
}

/* Positions: ROOMS ORDER TURN TILES/SPARE UNCOVERED and one word a player:
 * A yr y4 ...33 letters.../. b1c3 y:a1b1/2/0/G r:g7/3/0/- */

/* "A", "B", or "=" and the room letter of all 49 squares, * for a tower. */
static bool read_rooms(struct reading *in, struct options *options)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrs";
    size_t row = RQ_ROOMS;

    if (reading_takes(in, '=')) {
        for (size_t i = 0; i < RQ_SQUARES; i++) {
            options->plate[i] = RQ_NO_SQUARE;
            if (rq_layouts[0][i] == RQ_NO_SQUARE
                    ? !reading_expects(in, '*')
                    : !reading_letter(in, letters, "a room's letter", &options->plate[i]))
                return false;
        }
        if (rq_check_plate(options->plate) != ALLOWED)
            return reading_fails(in, "rooms that hang together");
        options->plate_given = true;
        options->value[row] = RQ_LAYOUT_OWN;
        return true;
    }
    options->plate_given = false;
    options->value[row] = RQ_LAYOUT_A;
    if (reading_takes(in, 'A'))
        return true;
    options->value[row] = RQ_LAYOUT_B;
    return reading_takes(in, 'B') ||
           reading_fails(in, "A, B or = and the letters of 49 squares");
}

/* "yrb": a rotation of the first seats. */
static bool read_order(struct reading *in, uint8_t *ret_first, uint8_t *ret_players)
{
    uint8_t count = 0, seats[SEATS_MAX];

    while (in->text[in->at] && in->text[in->at] != ' ') {
        if (count == SEATS_MAX)
            return reading_fails(in, "at most four players");
        if (!reading_letter(in, seat_letters, "y, r, b or g", &seats[count]))
            return false;
        count++;
    }
    if (count < rq_ruleset.seats_min)
        return reading_fails(in, "two to four players");
    for (uint8_t i = 0; i < count; i++)
        if (seats[i] >= count || seats[i] != (seats[0] + i) % count)
            return reading_fails(in, "the players in turn order, from yrbg");
    *ret_first = seats[0];
    *ret_players = count;
    return true;
}

static bool read_tiles(struct reading *in, struct rq_state *s)
{
    for (unsigned i = 0; i < RQ_TILES; i++) {
        uint8_t *face = &s->face[i];
        if (i == RQ_SPARE && !reading_expects(in, '/'))
            return false;
        if (!reading_letter(in, face_letters, face_wanted, face))
            return false;
        if (*face == RQ_FACES)
            *face = RQ_UNKNOWN;
    }
    return true;
}

/* Squares one behind the other, "-" for none. */
static bool read_squares(struct reading *in, uint64_t *ret_squares)
{
    uint8_t square;

    *ret_squares = 0;
    if (reading_takes(in, '-'))
        return true;
    do {
        if (!read_square(in, &square))
            return false;
        if (*ret_squares & rq_bit(square)) {
            in->at -= 2;
            return reading_fails(in, "each square once");
        }
        *ret_squares |= rq_bit(square);
    } while (in->text[in->at] && strchr(files, in->text[in->at]));
    return true;
}

static bool read_cheeses(struct reading *in, uint8_t *ret_cheeses)
{
    uint8_t face;

    if (reading_takes(in, '-'))
        return true;
    do {
        if (!reading_letter(in, "EGDRCHB", "- or cheeses of E G D R C H B", &face))
            return false;
        if (*ret_cheeses >> face & 1) {
            in->at--;
            return reading_fails(in, "each cheese once");
        }
        *ret_cheeses = (uint8_t)(*ret_cheeses | 1 << face);
    } while (in->text[in->at] && in->text[in->at] != ' ' && in->text[in->at] != '!');
    return true;
}

static bool read_player(struct reading *in, struct rq_state *s, uint8_t seat)
{
    if (!reading_expects(in, ' ') || !reading_expects(in, seat_letters[seat]) ||
        !reading_expects(in, ':') || !read_squares(in, &s->mice[seat]) ||
        !reading_expects(in, '/') ||
        !reading_number(in, UINT8_MAX, "mice in reserve", &s->reserve[seat]) ||
        !reading_expects(in, '/') ||
        !reading_number(in, UINT8_MAX, "mice in the cellar", &s->cellar[seat]) ||
        !reading_expects(in, '/') || !read_cheeses(in, &s->cheeses[seat]))
        return false;
    if (reading_takes(in, '!'))
        s->out = (uint8_t)(s->out | 1 << seat);
    return true;
}

static bool read_uncovered(struct reading *in, struct rq_state *s)
{
    uint64_t named;

    if (!read_squares(in, &named))
        return false;
    for (uint8_t i = 0; i < RQ_SQUARES; i++)
        if (named & rq_bit(i)) {
            uint64_t room = rq_room_squares(s->room, i);
            if (!room)
                return reading_fails(in, "squares of rooms, no towers");
            s->open |= room;
        }
    return true;
}

static bool read_turn(struct reading *in, struct rq_state *s)
{
    if (!reading_letter(in, seat_letters, "y, r, b or g, whose turn it is", &s->turn))
        return false;
    if (s->turn >= s->players) {
        in->at--;
        return reading_fails(in, "somebody who plays");
    }
    if (!reading_number(in, UINT8_MAX, "the actions left", &s->actions_left))
        return false;
    s->shifted = reading_takes(in, 's');
    return true;
}

static bool read_state(const char *text, struct options *options, void *ret_state,
                       struct misread *ret_misread)
{
    struct reading in = {.text = text, .misread = ret_misread};
    struct rq_state *s = ret_state;
    uint8_t first = NO_SEAT;

    if (!read_rooms(&in, options) || !reading_expects(&in, ' ') ||
        !read_order(&in, &first, &options->players) || !reading_expects(&in, ' '))
        return false;
    rq_ruleset.begin(s, options);
    s->stage = RQ_PLAY;
    s->first = first;
    if (!read_turn(&in, s) || !reading_expects(&in, ' ') || !read_tiles(&in, s) ||
        !reading_expects(&in, ' ') || !read_uncovered(&in, s))
        return false;
    for (uint8_t seat = 0; seat < s->players; seat++)
        if (!read_player(&in, s, seat))
            return false;
    if (!reading_ends(&in))
        return false;
    rq_settle(s);
    return true;
}

static void put_squares(struct out *out, uint64_t squares)
{
    for (unsigned i = 0; i < RQ_SQUARES; i++)
        if (squares & rq_bit(i))
            put_square(out, i);
    if (!squares)
        put_text(out, "-");
}

static void put_rooms(struct out *out, const struct rq_view *v)
{
    if (v->layout != RQ_LAYOUT_OWN) {
        put_text(out, v->layout == RQ_LAYOUT_A ? "A" : "B");
        return;
    }
    put_text(out, "=");
    for (unsigned i = 0; i < RQ_SQUARES; i++) {
        uint8_t room = v->room[i];
        put_text(out, "%c",
                 room == RQ_NO_SQUARE ? '*'
                 : room < 26          ? 'A' + room
                                      : 'a' + (room - 26));
    }
}

static char face_letter(uint8_t face)
{
    return face_letters[face < RQ_FACES ? face : RQ_FACES];
}

/* One square of each open room. */
static uint64_t open_rooms(const struct rq_view *v)
{
    uint64_t firsts = 0;

    for (uint8_t i = 0; i < RQ_SQUARES; i++)
        if (v->open & rq_bit(i) && !(rq_room_squares(v->room, i) & (rq_bit(i) - 1)))
            firsts |= rq_bit(i);
    return firsts;
}

static void put_player(struct out *out, const struct rq_view *v, uint8_t seat)
{
    put_text(out, " %c:", seat_letters[seat]);
    put_squares(out, v->mice[seat]);
    put_text(out, "/%d/%d/", v->reserve[seat], v->cellar[seat]);
    for (uint8_t kind = 0; kind < RQ_KINDS; kind++)
        if (v->cheeses[seat] >> kind & 1)
            put_text(out, "%c", face_letters[kind + 1]);
    if (!v->cheeses[seat])
        put_text(out, "-");
    if (v->out >> seat & 1)
        put_text(out, "!");
}

static void write_view(struct out *out, const void *view)
{
    const struct rq_view *v = view;

    put_rooms(out, v);
    put_text(out, " ");
    for (unsigned i = 0; v->first < SEATS_MAX && i < v->players; i++)
        put_text(out, "%c", seat_letters[(v->first + i) % v->players]);
    put_text(out, " %c%d%s ", v->turn < SEATS_MAX ? seat_letters[v->turn] : '-',
             v->actions_left, v->shifted ? "s" : "");
    for (unsigned i = 0; i < RQ_TILES; i++)
        put_text(out, "%s%c", i == RQ_SPARE ? "/" : "", face_letter(v->face[i]));
    put_text(out, " ");
    put_squares(out, open_rooms(v));
    for (uint8_t seat = 0; seat < v->players; seat++)
        put_player(out, v, seat);
}

static void write_state(struct out *out, const void *state)
{
    const struct rq_state *s = state;
    struct rq_view all;

    rq_ruleset.observe(s, NO_SEAT, &all);
    for (unsigned i = 0; i < RQ_TILES; i++)
        all.face[i] = s->face[s->tile[i]];
    write_view(out, &all);
}

/* Deals: the tiles by square, as in a position; the spare is always a blank (CR-1). How often
 * they were laid is not on record: a deal is taken as the last that may be. */

/* The next tile of a face in unshuffled order, from `tile` on; RQ_TILES: there is none left. */
static uint8_t next_tile(uint8_t face, uint8_t tile)
{
    while (tile < RQ_TILES && rq_tile_faces[tile] != face)
        tile++;
    return tile;
}

static bool read_deal(const char *text, struct event *ret_event, struct misread *ret_misread)
{
    struct reading in = {.text = text, .misread = ret_misread};
    uint8_t next[RQ_FACES] = {0}, face;

    *ret_event = (struct event){
        .kind = EVENT_DEAL, .seat = NO_SEAT, .size = RQ_TILES, .tries = RQ_DEAL_TRIES};
    ret_event->data[0] = next_tile(RQ_BLANK, 0); /* the spare */
    next[RQ_BLANK] = (uint8_t)(ret_event->data[0] + 1);
    for (size_t i = 1; i < RQ_TILES; i++) {
        if (!reading_letter(&in, ".EGDRCHBX", "a tile: . E G D R C H B or X; 33 in all", &face))
            return false;
        uint8_t tile = next_tile(face, next[face]);
        if (tile == RQ_TILES) {
            in.at--;
            return reading_fails(&in, "no more tiles of a kind than there are");
        }
        ret_event->data[i] = tile;
        next[face] = (uint8_t)(tile + 1);
    }
    return reading_ends(&in);
}

static void write_deal(struct out *out, const struct event *event)
{
    uint8_t face[RQ_TILES];

    rq_lay(event->data, face);
    for (size_t i = 0; i < RQ_SPARE; i++)
        put_text(out, "%c", face_letter(face[i]));
}

/* Drawings */

static void see_all(const void *state, void *ret_view)
{
    rq_ruleset.observe(state, NO_SEAT, ret_view);
}

static char mouse_on(const struct rq_view *v, unsigned square)
{
    for (uint8_t seat = 0; seat < v->players; seat++)
        if (v->mice[seat] & rq_bit(square))
            return seat_letters[seat];
    return ' ';
}

/* A mouse, and the tile under it; under a roof the room's letter; a tower in brackets. */
static void draw_square(struct out *out, const struct rq_view *v, unsigned square)
{
    uint8_t room = v->room[square];

    if (room == RQ_NO_SQUARE)
        put_text(out, " (%c)", mouse_on(v, square));
    else if (!(v->open & rq_bit(square)))
        put_text(out, "  #%c", room < 26 ? 'A' + room : 'a' + (room - 26));
    else if (rq_place[square] == RQ_NO_SQUARE)
        put_text(out, "  %c ", mouse_on(v, square));
    else
        put_text(out, "  %c%c", mouse_on(v, square), face_letter(v->face[rq_place[square]]));
}

static void draw_player(struct out *out, const struct rq_view *v, uint8_t seat)
{
    put_text(out, "%-6s reserve %d, cellar %d, cheeses", rq_seats[seat], v->reserve[seat],
             v->cellar[seat]);
    for (uint8_t kind = 0; kind < RQ_KINDS; kind++)
        if (v->cheeses[seat] >> kind & 1)
            put_text(out, " %s", rq_faces[kind + 1]);
    put_text(out, "%s%s\n", v->cheeses[seat] ? "" : " none", v->out >> seat & 1 ? ", out" : "");
}

static void draw(struct out *out, const void *view)
{
    const struct rq_view *v = view;
    uint8_t spare = v->face[RQ_SPARE];

    for (unsigned row = RQ_SIDE; row-- > 0;) {
        put_text(out, "%2u", row + 1);
        for (unsigned file = 0; file < RQ_SIDE; file++)
            draw_square(out, v, row * RQ_SIDE + file);
        put_text(out, "\n");
    }
    put_text(out, "     a   b   c   d   e   f   g\n\nspare  %s\n",
             spare < RQ_FACES ? rq_faces[spare] : "not known");
    for (uint8_t seat = 0; seat < v->players; seat++)
        draw_player(out, v, seat);
    if (v->turn < SEATS_MAX && !v->over)
        put_text(out, "%s has %d actions left%s\n", rq_seats[v->turn], v->actions_left,
                 v->shifted ? " and has shifted" : "");
    put_text(out,
             "\n# a roof, with its room's letter; mice y r b g; tiles . blank, X trapdoor,\n"
             "E emmental, G gouda, D edam, R roquefort, C camembert, H cheddar, B brie\n");
}

const struct notation rq_notation = {
    .rules = &rq_ruleset,
    .read_move = read_move,
    .write_move = write_move,
    .read_state = read_state,
    .write_state = write_state,
    .write_view = write_view,
    .read_deal = read_deal,
    .write_deal = write_deal,
    .see_all = see_all,
    .draw = draw,
};
