/* The castle to and from JSON: docs/rules/roquefort.md says the forms. */
#include "api/codec_roquefort.h"

#include <stdio.h>
#include <string.h>

static struct field count(const char *name, int64_t *value)
{
    struct field field = field_required(name, FIELD_INT, value);

    field.max = UINT8_MAX;
    return field;
}

/* The text of item `i` of a list. */
static bool read_item(const json_t *list, size_t i, const char *pointer, const char **ret_text,
                      struct fault *ret_fault)
{
    *ret_text = json_string_value(json_array_get(list, i));
    if (*ret_text)
        return true;
    return fault_set(ret_fault, pointer_item(pointer, i).text, "This must be a string.");
}

/* Plates */

static bool read_room(const json_t *squares, const char *pointer, uint8_t room,
                      uint8_t *ret_plate, struct fault *ret_fault)
{
    const char *name;

    if (!json_array_size(squares))
        return fault_set(ret_fault, pointer, "A room is a list of squares.");
    for (size_t i = 0; i < json_array_size(squares); i++) {
        if (!read_item(squares, i, pointer, &name, ret_fault))
            return false;
        uint8_t square = rq_find_square(name);
        if (square == RQ_NO_SQUARE || rq_layouts[0][square] == RQ_NO_SQUARE)
            return fault_set(ret_fault, pointer_item(pointer, i).text,
                             "This is not a square of the castle.");
        if (ret_plate[square] != RQ_NO_SQUARE)
            return fault_set(ret_fault, pointer_item(pointer, i).text,
                             "This square has a room already.");
        ret_plate[square] = room;
    }
    return true;
}

static bool read_rooms(const json_t *list, const char *pointer, uint8_t *ret_plate,
                       struct fault *ret_fault)
{
    memset(ret_plate, RQ_NO_SQUARE, PLATE_SQUARES);
    if (!json_is_array(list) || json_array_size(list) > RQ_ROOMS_MAX)
        return fault_set(ret_fault, pointer,
                         "This must be \"A\", \"B\" or a list of at most %d rooms.",
                         RQ_ROOMS_MAX);
    for (size_t i = 0; i < json_array_size(list); i++)
        if (!read_room(json_array_get(list, i), pointer_item(pointer, i).text, (uint8_t)i,
                       ret_plate, ret_fault))
            return false;
    if (rq_check_plate(ret_plate) != ALLOWED)
        return fault_set(ret_fault, pointer,
                         "The rooms must hang together and cover all 45 squares.");
    return true;
}

static bool read_plate(const json_t *plate, const char *pointer, size_t row,
                       struct options *options, struct fault *ret_fault)
{
    const char *letter = json_string_value(plate);
    uint8_t read[PLATE_SQUARES];

    if (letter && (strcmp(letter, "A") == 0 || strcmp(letter, "B") == 0)) {
        options->plate_given = false;
        options->value[row] = *letter == 'A' ? RQ_LAYOUT_A : RQ_LAYOUT_B;
        return true;
    }
    if (!read_rooms(plate, pointer, read, ret_fault))
        return false;
    memcpy(options->plate, read, sizeof read);
    options->plate_given = true;
    options->value[row] = RQ_LAYOUT_OWN;
    return true;
}

static void write_squares(struct out *out, const char *key, uint64_t squares)
{
    out_array(out, key);
    for (unsigned i = 0; i < RQ_SQUARES; i++)
        if (squares & rq_bit(i))
            out_text(out, NULL, rq_square_names[i]);
    out_array_end(out);
}

/* Is this the first square of its room? */
static bool is_first(const uint8_t *room, unsigned square)
{
    return !(rq_room_squares(room, (uint8_t)square) & (rq_bit(square) - 1));
}

static void write_rooms(struct out *out, const char *key, uint8_t layout, const uint8_t *room)
{
    if (layout != RQ_LAYOUT_OWN) {
        out_text(out, key, layout == RQ_LAYOUT_A ? "A" : "B");
        return;
    }
    out_array(out, key);
    for (unsigned i = 0; i < RQ_SQUARES; i++)
        if (room[i] != RQ_NO_SQUARE && is_first(room, i))
            write_squares(out, NULL, rq_room_squares(room, (uint8_t)i));
    out_array_end(out);
}

static void write_plate(struct out *out, const char *key, size_t row,
                        const struct options *options)
{
    uint8_t layout = options->plate_given ? RQ_LAYOUT_OWN : (uint8_t)options->value[row];

    write_rooms(out, key, layout, options->plate);
}

/* States. What is well formed but cannot be put down is the state's flaw, for check() to say.
 */

struct parts {
    json_t *rooms, *order, *tiles, *spare, *uncovered, *players;
    const char *turn;
    int64_t actions_left;
    bool shifted;
};

static void flaw(struct rq_state *s, enum rq_refusal refusal)
{
    if (!s->flaw)
        s->flaw = (uint8_t)refusal;
}

static bool read_parts(const json_t *state, struct parts *parts, struct fault *ret_fault)
{
    struct field fields[] = {
        field_required("rooms", FIELD_ANY, &parts->rooms),
        field_required("order", FIELD_ARRAY, &parts->order),
        field_required("turn", FIELD_TEXT, &parts->turn),
        count("actions_left", &parts->actions_left),
        field_required("shifted", FIELD_BOOL, &parts->shifted),
        field_required("tiles", FIELD_OBJECT, &parts->tiles),
        field_required("spare", FIELD_ANY, &parts->spare),
        field_required("uncovered", FIELD_ARRAY, &parts->uncovered),
        field_required("players", FIELD_OBJECT, &parts->players),
    };

    fields[0].required = false;
    return json_fields(state, "/state", fields, sizeof fields / sizeof *fields, ret_fault);
}

static bool read_seat(const char *name, const char *pointer, uint8_t *ret_seat,
                      struct fault *ret_fault)
{
    *ret_seat = rq_find(rq_seats, SEATS_MAX, name);
    if (*ret_seat < SEATS_MAX)
        return true;
    return fault_set(ret_fault, pointer, "This must be yellow, red, blue or green.");
}

/* How many play and who begins; *ret_players is 0 if that is no turn order at all (CR-1). */
static bool read_order(const json_t *order, uint8_t *ret_first, uint8_t *ret_players,
                       struct fault *ret_fault)
{
    size_t size = json_array_size(order);
    bool possible = size >= rq_ruleset.seats_min && size <= SEATS_MAX;
    const char *name;
    uint8_t seat;

    *ret_first = 0;
    for (size_t i = 0; i < size; i++) {
        if (!read_item(order, i, "/state/order", &name, ret_fault) ||
            !read_seat(name, pointer_item("/state/order", i).text, &seat, ret_fault))
            return false;
        if (i == 0)
            *ret_first = seat;
        possible = possible && seat < size && seat == (*ret_first + i) % size;
    }
    *ret_players = possible ? (uint8_t)size : 0;
    return true;
}

static bool read_face(const json_t *value, const char *pointer, uint8_t *ret_face,
                      struct fault *ret_fault)
{
    *ret_face = RQ_UNKNOWN;
    if (json_is_null(value))
        return true;
    *ret_face = rq_find(rq_faces, RQ_FACES, json_string_value(value));
    if (*ret_face < RQ_FACES)
        return true;
    return fault_set(ret_fault, pointer, "This must be blank, trapdoor, a cheese or null.");
}

static bool read_tiles(const struct parts *parts, struct rq_state *s, struct fault *ret_fault)
{
    json_t *value[RQ_FLOORS];
    struct field fields[RQ_FLOORS];

    for (unsigned i = 0; i < RQ_SQUARES; i++)
        if (rq_place[i] != RQ_NO_SQUARE)
            fields[rq_place[i]] =
                field_required(rq_square_names[i], FIELD_ANY, &value[rq_place[i]]);
    if (!json_fields(parts->tiles, "/state/tiles", fields, RQ_FLOORS, ret_fault))
        return false;
    for (unsigned i = 0; i < RQ_FLOORS; i++)
        if (!read_face(value[i], pointer_below("/state/tiles", fields[i].name).text,
                       &s->face[i], ret_fault))
            return false;
    return read_face(parts->spare, "/state/spare", &s->face[RQ_SPARE], ret_fault);
}

static bool read_uncovered(const json_t *list, struct rq_state *s, struct fault *ret_fault)
{
    const char *name;

    for (size_t i = 0; i < json_array_size(list); i++) {
        if (!read_item(list, i, "/state/uncovered", &name, ret_fault))
            return false;
        uint64_t squares = rq_room_squares(s->room, rq_find_square(name));
        if (!squares)
            flaw(s, RQ_BAD_ROOM);
        s->open |= squares;
    }
    return true;
}

static bool read_mice(const json_t *list, const char *pointer, struct rq_state *s, uint8_t seat,
                      struct fault *ret_fault)
{
    const char *name;

    for (size_t i = 0; i < json_array_size(list); i++) {
        if (!read_item(list, i, pointer, &name, ret_fault))
            return false;
        uint8_t square = rq_find_square(name);
        if (square == RQ_NO_SQUARE) {
            flaw(s, RQ_BAD_SQUARE);
            continue;
        }
        if (s->mice[seat] & rq_bit(square))
            flaw(s, RQ_BAD_SHARED);
        s->mice[seat] |= rq_bit(square);
    }
    return true;
}

static bool read_cheeses(const json_t *list, const char *pointer, struct rq_state *s,
                         uint8_t seat, struct fault *ret_fault)
{
    const char *name;

    for (size_t i = 0; i < json_array_size(list); i++) {
        if (!read_item(list, i, pointer, &name, ret_fault))
            return false;
        uint8_t kind = rq_find(rq_faces + 1, RQ_KINDS, name);
        if (kind >= RQ_KINDS)
            return fault_set(ret_fault, pointer_item(pointer, i).text,
                             "This must be a cheese.");
        if (s->cheeses[seat] >> kind & 1)
            flaw(s, RQ_BAD_TWICE);
        s->cheeses[seat] = (uint8_t)(s->cheeses[seat] | 1 << kind);
    }
    return true;
}

static bool read_player(const json_t *player, struct rq_state *s, uint8_t seat,
                        struct fault *ret_fault)
{
    struct pointer at = pointer_below("/state/players", rq_seats[seat]);
    json_t *mice = NULL, *cheeses = NULL;
    int64_t reserve = 0, cellar = 0;
    bool is_out = false;
    struct field fields[] = {field_required("mice", FIELD_ARRAY, &mice),
                             count("reserve", &reserve), count("cellar", &cellar),
                             field_required("cheeses", FIELD_ARRAY, &cheeses),
                             field_required("out", FIELD_BOOL, &is_out)};

    fields[4].required = false;
    if (!json_fields(player, at.text, fields, sizeof fields / sizeof *fields, ret_fault) ||
        !read_mice(mice, pointer_below(at.text, "mice").text, s, seat, ret_fault) ||
        !read_cheeses(cheeses, pointer_below(at.text, "cheeses").text, s, seat, ret_fault))
        return false;
    s->reserve[seat] = (uint8_t)reserve;
    s->cellar[seat] = (uint8_t)cellar;
    s->out = (uint8_t)(s->out | is_out << seat);
    return true;
}

static bool read_players(const json_t *players, struct rq_state *s, struct fault *ret_fault)
{
    json_t *player[SEATS_MAX] = {NULL};
    struct field fields[SEATS_MAX];

    for (uint8_t seat = 0; seat < s->players; seat++)
        fields[seat] = field_required(rq_seats[seat], FIELD_OBJECT, &player[seat]);
    if (!json_fields(players, "/state/players", fields, s->players, ret_fault))
        return false;
    for (uint8_t seat = 0; seat < s->players; seat++)
        if (!read_player(player[seat], s, seat, ret_fault))
            return false;
    return true;
}

static bool read_state(const json_t *state, const json_t *history, struct options *options,
                       void *ret_state, struct fault *ret_fault)
{
    struct parts parts = {0};
    struct rq_state s;
    uint8_t first, players, turn;

    if (history)
        return fault_set(ret_fault, "/history", "This game has no history.");
    if (!read_parts(state, &parts, ret_fault) ||
        !read_order(parts.order, &first, &players, ret_fault) ||
        !read_seat(parts.turn, "/state/turn", &turn, ret_fault))
        return false;
    if (parts.rooms && !read_plate(parts.rooms, "/state/rooms", RQ_ROOMS, options, ret_fault))
        return false;
    options->players = players ? players : rq_ruleset.seats_min;
    rq_ruleset.begin(&s, options);
    if (players && (!read_tiles(&parts, &s, ret_fault) ||
                    !read_uncovered(parts.uncovered, &s, ret_fault) ||
                    !read_players(parts.players, &s, ret_fault)))
        return false;
    if (!players)
        flaw(&s, RQ_BAD_ORDER);
    if (turn >= options->players)
        flaw(&s, RQ_BAD_TURN);
    s.stage = RQ_PLAY;
    s.first = first;
    s.turn = turn < options->players ? turn : 0;
    s.actions_left = (uint8_t)parts.actions_left;
    s.shifted = parts.shifted;
    rq_settle(&s);
    memcpy(ret_state, &s, sizeof s);
    return true;
}

static uint8_t turn_of(const void *state)
{
    return ((const struct rq_state *)state)->turn;
}

static const char *status(const void *state)
{
    const struct rq_state *s = state;

    return s->outcome.reason == REASON_NONE ? "playing" : "over";
}

/* The castle, by a view alone. */

static void write_order(struct out *out, const struct rq_view *view)
{
    if (view->first == NO_SEAT) {
        out_null(out, "order");
        return;
    }
    out_array(out, "order");
    for (unsigned i = 0; i < view->players; i++)
        out_text(out, NULL, rq_seats[(view->first + i) % view->players]);
    out_array_end(out);
}

static const char *face_word(uint8_t face)
{
    return face < RQ_FACES ? rq_faces[face] : NULL;
}

static void write_tiles(struct out *out, const struct rq_view *view, bool ids)
{
    out_object(out, "tiles");
    for (unsigned i = 0; i < RQ_SQUARES; i++)
        if (rq_place[i] != RQ_NO_SQUARE)
            out_text(out, rq_square_names[i], face_word(view->face[rq_place[i]]));
    out_object_end(out);
    if (ids) {
        out_object(out, "ids");
        for (unsigned i = 0; i < RQ_SQUARES; i++)
            if (rq_place[i] != RQ_NO_SQUARE)
                out_number(out, rq_square_names[i], view->tile[rq_place[i]]);
        out_object_end(out);
    }
    out_text(out, "spare", face_word(view->face[RQ_SPARE]));
    if (ids)
        out_number(out, "spare_id", view->tile[RQ_SPARE]);
}

static void write_player(struct out *out, const struct rq_view *view, unsigned seat)
{
    out_object(out, rq_seats[seat]);
    write_squares(out, "mice", view->mice[seat]);
    out_number(out, "reserve", view->reserve[seat]);
    out_number(out, "cellar", view->cellar[seat]);
    out_array(out, "cheeses");
    for (unsigned kind = 0; kind < RQ_KINDS; kind++)
        if (view->cheeses[seat] >> kind & 1)
            out_text(out, NULL, rq_faces[kind + 1]);
    out_array_end(out);
    if (view->out >> seat & 1)
        out_bool(out, "out", true);
    out_object_end(out);
}

static void write_castle(struct out *out, const char *key, const struct rq_view *view, bool ids)
{
    out_object(out, key);
    write_rooms(out, "rooms", view->layout, view->room);
    write_order(out, view);
    out_text(out, "turn", view->turn < SEATS_MAX ? rq_seats[view->turn] : NULL);
    out_number(out, "actions_left", view->actions_left);
    out_bool(out, "shifted", view->shifted);
    write_tiles(out, view, ids);
    out_array(out, "uncovered");
    for (unsigned i = 0; i < RQ_SQUARES; i++)
        if (view->open & rq_bit(i) && is_first(view->room, i))
            out_text(out, NULL, rq_square_names[i]);
    out_array_end(out);
    out_object(out, "players");
    for (unsigned seat = 0; seat < view->players; seat++)
        write_player(out, view, seat);
    out_object_end(out);
    out_object_end(out);
}

static void write_board(struct out *out, const char *key, const void *view)
{
    write_castle(out, key, view, true);
}

static void write_state(struct out *out, const char *key, const void *state)
{
    const struct rq_state *s = state;
    struct rq_view all;

    rq_ruleset.observe(s, NO_SEAT, &all);
    for (unsigned i = 0; i < RQ_TILES; i++)
        all.face[i] = s->face[s->tile[i]];
    write_castle(out, key, &all, false);
}

/* Effects */

static const char *effect_type(const struct effect *effect)
{
    static const char *const types[RQ_EFFECTS] = {
        [RQ_MOVED] = "moved",
        [RQ_UNCOVERED] = "uncovered",
        [RQ_COVERED] = "covered",
        [RQ_SHIFTED] = "shifted",
        [RQ_FELL] = "fell",
        [RQ_OUT] = "out",
        [RQ_CHEESE_TAKEN] = "cheese_taken",
    };

    return types[effect->type];
}

static void write_shift(struct out *out, const struct effect *effect, bool full)
{
    if (!full) {
        out_number(out, "in", effect->data[1]);
        out_number(out, "out", effect->data[2]);
    }
    out_text(out, "slot", rq_slots[effect->data[0]]);
    if (full)
        out_text(out, "spare", face_word(effect->data[4]));
}

static void write_any(struct out *out, const struct effect *effect, bool full)
{
    switch ((enum rq_effect)effect->type) {
    case RQ_MOVED:
        if (effect->data[0] != RQ_NO_SQUARE)
            out_text(out, "from", rq_square_names[effect->data[0]]);
        out_text(out, "to", rq_square_names[effect->data[1]]);
        break;
    case RQ_UNCOVERED:
    case RQ_COVERED:
    case RQ_OUT:
        write_squares(out, "squares", rq_effect_squares(effect));
        break;
    case RQ_SHIFTED:
        write_shift(out, effect, full);
        break;
    case RQ_FELL:
        out_text(out, "square", rq_square_names[effect->data[0]]);
        break;
    case RQ_CHEESE_TAKEN:
        out_text(out, "cheese", rq_faces[effect->data[0]]);
        break;
    case RQ_EFFECTS:
        break;
    }
}

static void write_effect(struct out *out, const struct effect *effect)
{
    write_any(out, effect, false);
}

static void write_effect_full(struct out *out, const struct effect *effect)
{
    write_any(out, effect, true);
}

/* Openings */

static void open_tile(const struct rq_state *s, uint8_t tile, struct openings *ret)
{
    if (s->face[tile] != RQ_UNKNOWN)
        ret->list[ret->count++] = (struct opening){.seats = OPEN_TO_ALL,
                                                   .component = COMPONENT_TILE,
                                                   .index = tile,
                                                   .face = s->face[tile]};
}

/* What comes into sight by a roof taken off or a line that moves. */
static void openings_of(const void *state, const struct effect *effect, struct openings *ret)
{
    const struct rq_state *s = state;

    ret->count = 0;
    if (effect->type == RQ_UNCOVERED)
        for (unsigned i = 0; i < RQ_SQUARES; i++)
            if (rq_effect_squares(effect) & rq_bit(i) && rq_place[i] != RQ_NO_SQUARE)
                open_tile(s, s->tile[rq_place[i]], ret);
    if (effect->type != RQ_SHIFTED)
        return;
    for (uint8_t i = 0; i < RQ_SIDE; i++)
        if (effect->data[3] >> i & 1)
            open_tile(s, s->tile[rq_place[rq_line(effect->data[0], i)]], ret);
    if (effect->data[3] >> RQ_SIDE & 1)
        open_tile(s, effect->data[2], ret);
}

static size_t faces_of(const void *state, uint8_t context, uint8_t *ret_faces)
{
    const struct rq_state *s = state;

    (void)context;
    memcpy(ret_faces, s->face, RQ_TILES);
    return RQ_TILES;
}

/* With a strict memory a face is told only while its tile lies open; what a shift has brought
 * into sight, until the next event, though it ended the turn and the roof is on again (CR-11).
 */
static bool told(const void *state, const struct opening *opening)
{
    const struct rq_state *s = state;
    struct rq_view view;

    if (opening->index >= RQ_TILES)
        return false;
    if (memchr(s->lit, opening->index, sizeof s->lit))
        return true;
    rq_ruleset.observe(s, NO_SEAT, &view);
    for (unsigned i = 0; i < RQ_TILES; i++)
        if (view.tile[i] == opening->index)
            return view.face[i] != RQ_UNKNOWN;
    return false;
}

static void component_name(const struct opening *opening, char text[static 24])
{
    (void)snprintf(text, 24, "tile/%d", opening->index);
}

static const char *face_name(const struct options *options, uint8_t face)
{
    (void)options;
    return face_word(face);
}

const struct codec rq_codec = {
    .rules = &rq_ruleset,
    .read_move = rq_read_move,
    .fill = rq_fill_move,
    .write_move = rq_write_move,
    .read_plate = read_plate,
    .write_plate = write_plate,
    .read_state = read_state,
    .write_state = write_state,
    .turn = turn_of,
    .status = status,
    .write_board = write_board,
    .effect_type = effect_type,
    .write_effect = write_effect,
    .write_effect_full = write_effect_full,
    .openings = openings_of,
    .faces = faces_of,
    .component = COMPONENT_TILE,
    .told = told,
    .component_name = component_name,
    .face_name = face_name,
};
