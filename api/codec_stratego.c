/* Stratego to and from JSON: docs/rules/stratego.md says the forms. */
#include "api/codec.h"

#include <stdio.h>
#include <string.h>

#include "rules/stratego/stratego.h"

/* More plies than any game has; SC-8 counts them. */
static const int64_t plies_max = 1000000000;

/* Squares */

/* "a1" to "j10" become cells; what only looks like a square ("k4", "a11") becomes ST_NOWHERE,
 * which the rules refuse. False for anything else. */
static bool read_square(const char *text, uint8_t *ret_cell)
{
    size_t digits = strspn(text[0] ? text + 1 : text, "0123456789");
    int row = 0;

    if (text[0] < 'a' || text[0] > 'z' || digits < 1 || digits > 3 || text[1 + digits])
        return false;
    if (text[1] == '0' && digits > 1)
        return false;
    for (size_t i = 1; i <= digits; i++)
        row = row * 10 + (text[i] - '0');
    bool on = row >= 1 && row <= ST_FILES && text[0] - 'a' < ST_FILES;
    *ret_cell = on ? (uint8_t)(row * ST_WIDTH + text[0] - 'a') : ST_NOWHERE;
    return true;
}

struct square {
    char text[8];
};

static struct square square_of(uint8_t cell)
{
    struct square square = {{(char)('a' + cell % ST_WIDTH)}};
    unsigned row = cell / ST_WIDTH;
    size_t at = 1;

    if (row >= 10)
        square.text[at++] = (char)('0' + row / 10);
    square.text[at] = (char)('0' + row % 10);
    return square;
}

/* The square under `name` of the object at `pointer`. */
static bool take_square(const char *text, const char *pointer, const char *name,
                        uint8_t *ret_cell, struct fault *ret_fault)
{
    if (read_square(text, ret_cell))
        return true;
    return fault_set(ret_fault, pointer_below(pointer, name).text,
                     "This must be a square, a1 to j10.");
}

/* Words */

static uint8_t seat_of(const char *name)
{
    for (uint8_t seat = 0; seat < ST_SEATS; seat++)
        if (name && strcmp(st_ruleset.seats[seat], name) == 0)
            return seat;
    return NO_SEAT;
}

static uint8_t rank_of(uint8_t variant, const char *name)
{
    for (uint8_t rank = 0; rank < ST_RANKS; rank++) {
        const char *known = st_rank_name(variant, rank);

        if (name && known && strcmp(known, name) == 0)
            return rank;
    }
    return ST_NONE;
}

/* Moves */

/* In players' custody a rank may be opened with it; none is as yet. */
static void as_blind(struct event *event)
{
    event->size = ST_BLIND_MOVE;
    event->data[ST_OPENED] = ST_NONE;
}

/* Only combats are told: {"piece":"a4"}. */
static bool read_named(const json_t *move, const char *pointer, struct event *ret_event,
                       struct fault *ret_fault)
{
    const char *piece = "";
    const struct field field = field_required("piece", FIELD_TEXT, &piece);
    struct st_move m = {.to = ST_NOWHERE};

    if (json_object_get(move, "from"))
        return fault_set(ret_fault, pointer_below(pointer, "from").text,
                         "This referee is told combats only: name the piece that attacks.");
    if (!json_fields(move, pointer, &field, 1, ret_fault) ||
        !take_square(piece, pointer, "piece", &m.from, ret_fault))
        return false;
    ret_event->kind = EVENT_MOVE;
    ret_event->size = sizeof m;
    memcpy(ret_event->data, &m, sizeof m);
    return true;
}

static bool read_move(const json_t *move, const char *pointer, const void *state,
                      struct event *ret_event, struct fault *ret_fault)
{
    const char *from = "", *to = "";
    const struct field fields[] = {field_required("from", FIELD_TEXT, &from),
                                   field_required("to", FIELD_TEXT, &to)};
    const struct st_state *s = state;
    struct st_move m;

    if (s && s->combats)
        return read_named(move, pointer, ret_event, ret_fault);
    if (!json_fields(move, pointer, fields, 2, ret_fault) ||
        !take_square(from, pointer, "from", &m.from, ret_fault) ||
        !take_square(to, pointer, "to", &m.to, ret_fault))
        return false;
    ret_event->kind = EVENT_MOVE;
    ret_event->size = sizeof m;
    memcpy(ret_event->data, &m, sizeof m);
    if (s && s->blind)
        as_blind(ret_event);
    return true;
}

static void write_move(struct out *out, const char *key, const struct event *event)
{
    struct st_move m;

    memcpy(&m, event->data, sizeof m);
    out_object(out, key);
    out_text(out, m.to == ST_NOWHERE ? "piece" : "from", square_of(m.from).text);
    if (m.to != ST_NOWHERE)
        out_text(out, "to", square_of(m.to).text);
    out_object_end(out);
}

/* Set-ups */

static bool read_placed(const char *square, const json_t *rank_name, const char *pointer,
                        uint8_t seat, struct st_setup *setup, struct fault *ret_fault)
{
    uint8_t rank = rank_of(setup->variant, json_string_value(rank_name)), cell;

    if (!take_square(square, pointer, square, &cell, ret_fault))
        return false;
    if (rank == ST_NONE)
        return fault_set(ret_fault, pointer_below(pointer, square).text,
                         "This must be a rank of the variant.");
    uint8_t slot = st_slot(seat, cell);
    if (slot == ST_NONE)
        setup->astray = 1;
    else
        setup->rank[slot] = rank;
    return true;
}

/* jansson walks only what is not const, though it changes nothing. */
static json_t *walkable(const json_t *object)
{
    return (json_t *)(uintptr_t)object;
}

static bool read_setup(const json_t *pieces, const char *pointer, const struct options *options,
                       uint8_t seat, struct event *ret_event, struct fault *ret_fault)
{
    struct st_setup setup = {.variant = options->variant};
    const char *square;
    json_t *rank;

    if (!json_is_object(pieces))
        return fault_set(ret_fault, pointer, "This must be an object.");
    memset(setup.rank, ST_NONE, sizeof setup.rank);
    json_object_foreach(walkable(pieces), square, rank)
    {
        if (!read_placed(square, rank, pointer, seat, &setup, ret_fault))
            return false;
    }
    ret_event->kind = EVENT_SETUP;
    ret_event->seat = seat;
    ret_event->size = sizeof setup;
    memcpy(ret_event->data, &setup, sizeof setup);
    return true;
}

/* Rows in the order of their names as text: 1, 10, 2 .. 9. */
static const uint8_t sorted_rows[ST_FILES] = {1, 10, 2, 3, 4, 5, 6, 7, 8, 9};

static void write_setup(struct out *out, const char *key, const struct event *event)
{
    struct st_setup setup;

    memcpy(&setup, event->data, sizeof setup);
    out_object(out, key);
    for (uint8_t i = 0; i < ST_FILES * ST_FILES; i++) {
        uint8_t cell = (uint8_t)(sorted_rows[i % ST_FILES] * ST_WIDTH + i / ST_FILES);
        uint8_t slot = st_slot(event->seat, cell);

        if (slot != ST_NONE && setup.rank[slot] != ST_NONE)
            out_text(out, square_of(cell).text, st_rank_name(setup.variant, setup.rank[slot]));
    }
    out_object_end(out);
}

static void setup_of(const void *state, uint8_t seat, struct event *ret_event)
{
    const struct st_state *s = state;
    struct st_setup setup = {.variant = s->variant};

    memcpy(setup.rank, s->rank + seat * ST_SLOTS, ST_SLOTS);
    *ret_event = (struct event){.kind = EVENT_SETUP, .seat = seat, .size = sizeof setup};
    memcpy(ret_event->data, &setup, sizeof setup);
}

/* States */

static bool read_piece(const char *square, const json_t *piece, struct st_state *s,
                       struct fault *ret_fault)
{
    static const char pointer[] = "/state/pieces";
    uint8_t seat = seat_of(json_string_value(json_array_get(piece, 0)));
    uint8_t rank = rank_of(s->variant, json_string_value(json_array_get(piece, 1)));
    uint8_t cell;

    if (!take_square(square, pointer, square, &cell, ret_fault))
        return false;
    if (json_array_size(piece) != 2 || seat == NO_SEAT || rank == ST_NONE)
        return fault_set(ret_fault, pointer_below(pointer, square).text,
                         "This must be a side and a rank, like [\"red\",\"scout\"].");
    st_put(s, seat, cell, rank);
    return true;
}

static bool read_pieces(json_t *pieces, struct st_state *s, struct fault *ret_fault)
{
    const char *square;
    json_t *piece;

    json_object_foreach(pieces, square, piece)
    {
        if (!read_piece(square, piece, s, ret_fault))
            return false;
    }
    return true;
}

static bool read_ply(const json_t *entry, size_t index, struct st_ply *ret_ply,
                     struct fault *ret_fault)
{
    const char *from = "", *to = "";
    const struct field fields[] = {
        field_required("from", FIELD_TEXT, &from),
        field_required("to", FIELD_TEXT, &to),
        {.name = "attack", .kind = FIELD_BOOL, .value = &ret_ply->attack},
    };
    char pointer[32];

    ret_ply->attack = false;
    (void)snprintf(pointer, sizeof pointer, "/history/%zu", index);
    return json_fields(entry, pointer, fields, 3, ret_fault) &&
           take_square(from, pointer, "from", &ret_ply->from, ret_fault) &&
           take_square(to, pointer, "to", &ret_ply->to, ret_fault);
}

/* Of a long history the last ST_PLIES count; all of it must be well formed. */
static bool read_history(const json_t *history, struct st_state *s, struct fault *ret_fault)
{
    struct st_ply plies[ST_PLIES];
    size_t size = json_array_size(history);
    size_t skip = size > ST_PLIES ? size - ST_PLIES : 0;

    if (!json_is_array(history))
        return fault_set(ret_fault, "/history", "This must be an array.");
    for (size_t i = 0; i < size; i++)
        if (!read_ply(json_array_get(history, i), i, &plies[i < skip ? 0 : i - skip],
                      ret_fault))
            return false;
    if (!s->flaw && (s->two_square || s->more_square))
        st_recall(s, plies, size - skip);
    return true;
}

static bool read_state(const json_t *state, const json_t *history, struct options *options,
                       void *ret_state, struct fault *ret_fault)
{
    struct st_state *s = ret_state;
    json_t *pieces = NULL;
    const char *turn = NULL;
    int64_t plies = 0, quiet = 0;
    const struct field fields[] = {
        field_required("pieces", FIELD_OBJECT, &pieces),
        field_required("turn", FIELD_TEXT, &turn),
        {.name = "plies", .kind = FIELD_INT, .value = &plies, .max = plies_max},
        {.name = "quiet", .kind = FIELD_INT, .value = &quiet, .max = plies_max},
    };

    if (!json_fields(state, "/state", fields, 4, ret_fault))
        return false;
    if (seat_of(turn) == NO_SEAT)
        return fault_set(ret_fault, "/state/turn", "This must be red or blue.");
    st_ruleset.begin(s, options);
    if (!read_pieces(pieces, s, ret_fault))
        return false;
    st_resume(s, seat_of(turn));
    s->plies = (uint32_t)plies;
    s->quiet = (uint32_t)quiet;
    if (history && !read_history(history, s, ret_fault))
        return false;
    st_settle(s);
    return true;
}

static void write_piece(struct out *out, uint8_t cell, uint8_t side, const char *rank)
{
    out_array(out, square_of(cell).text);
    out_text(out, NULL, st_ruleset.seats[side]);
    out_text(out, NULL, rank);
    out_array_end(out);
}

static void write_state(struct out *out, const char *key, const void *state)
{
    const struct st_state *s = state;

    out_object(out, key);
    out_object(out, "pieces");
    for (uint8_t cell = 0; cell < ST_CELLS; cell++) {
        uint8_t piece = s->board[cell];

        if (piece < ST_PIECES)
            write_piece(out, cell, piece >= ST_SLOTS, st_rank_name(s->variant, s->rank[piece]));
    }
    out_object_end(out);
    if (s->outcome.reason == REASON_NONE)
        out_text(out, "turn", st_ruleset.seats[s->turn]);
    if (s->ply_limit)
        out_number(out, "plies", s->plies);
    if (s->quiet_limit)
        out_number(out, "quiet", s->quiet);
    out_object_end(out);
}

static uint8_t turn_of(const void *state)
{
    return ((const struct st_state *)state)->turn;
}

static const char *status_of(const void *state)
{
    const struct st_state *s = state;

    return s->outcome.reason == REASON_NONE ? "playing" : "over";
}

/* Views */

static void write_ranks(struct out *out, const char *key, const struct st_view *view,
                        uint8_t side)
{
    out_object(out, key);
    for (uint8_t rank = 0; rank < ST_RANKS; rank++)
        if (view->known[side][rank])
            out_number(out, st_rank_name(view->variant, rank), view->known[side][rank]);
    out_object_end(out);
}

static void write_losses(struct out *out, const char *key, const struct st_view *view,
                         uint8_t side)
{
    out_object(out, key);
    out_number(out, "count", view->lost[side]);
    write_ranks(out, "known", view, side);
    out_object_end(out);
}

static void write_lost(struct out *out, const struct st_view *view)
{
    out_object(out, "lost");
    if (view->viewer < ST_SEATS) {
        write_ranks(out, "own", view, view->viewer);
        write_losses(out, "enemy", view, !view->viewer);
    } else {
        for (uint8_t side = 0; side < ST_SEATS; side++)
            write_losses(out, st_ruleset.seats[side], view, side);
    }
    out_object_end(out);
}

static void write_view_pieces(struct out *out, const struct st_view *view)
{
    out_object(out, "pieces");
    for (uint8_t cell = 0; cell < ST_CELLS; cell++)
        if (view->side[cell] != NO_SEAT)
            write_piece(out, cell, view->side[cell],
                        st_rank_name(view->variant, view->rank[cell]));
    out_object_end(out);
    out_array(out, "moved");
    for (uint8_t cell = 0; cell < ST_CELLS; cell++)
        if (view->moved[cell])
            out_text(out, NULL, square_of(cell).text);
    out_array_end(out);
}

/* Players' custody: what the other side is to open. */
static void write_challenge(struct out *out, const struct st_view *view)
{
    if (!view->claim && view->from == ST_NOWHERE)
        return;
    out_object(out, "challenge");
    if (view->claim) {
        out_bool(out, "claim", true);
        out_text(out, "seat", st_ruleset.seats[view->turn]);
    } else {
        out_text(out, "from", square_of(view->from).text);
        out_text(out, "to", square_of(view->to).text);
    }
    out_object_end(out);
}

/* Only combats are told: which piece attacks its own seat alone may know. */
static void write_attack(struct out *out, const struct st_view *view)
{
    if (view->turn == NO_SEAT)
        return;
    out_object(out, "challenge");
    out_text(out, "seat", st_ruleset.seats[view->turn]);
    if (view->from != ST_NOWHERE)
        out_text(out, "piece", square_of(view->from).text);
    out_object_end(out);
}

static void write_board(struct out *out, const char *key, const void *seen)
{
    const struct st_view *view = seen;

    out_object(out, key);
    if (view->combats)
        out_text(out, "told", "combats");
    write_view_pieces(out, view);
    write_lost(out, view);
    out_text(out, "turn", view->turn < ST_SEATS ? st_ruleset.seats[view->turn] : NULL);
    if (view->combats)
        write_attack(out, view);
    else
        write_challenge(out, view);
    if (view->limits & 1)
        out_number(out, "plies", view->plies);
    if (view->limits & 2)
        out_number(out, "quiet", view->quiet);
    out_object_end(out);
}

/* Effects */

static struct st_action action_of(const struct effect *effect)
{
    struct st_action action;

    memcpy(&action, effect->data, sizeof action);
    return action;
}

static const char *const effect_types[] = {
    [ST_MOVED] = "moved",
    [ST_COMBAT] = "combat",
    [ST_CHALLENGE] = "challenge",
    [ST_CLAIMED] = "claimed",
};

static const char *effect_type(const struct effect *effect)
{
    return effect_types[effect->type];
}

static const char *const outcomes[] = {
    [ST_ATTACKER_LOST] = "attacker_lost",
    [ST_DEFENDER_LOST] = "defender_lost",
    [ST_BOTH_LOST] = "both_lost",
};

/* Never a rank, in no variant: spectators read this too. Who may see one gets an opening. */
static void write_effect(struct out *out, const struct effect *effect)
{
    struct st_action action = action_of(effect);

    if (effect->type == ST_CLAIMED) {
        out_bool(out, "holds", action.holds);
        return;
    }
    if (action.bare) {
        if (effect->type == ST_COMBAT)
            out_text(out, "outcome", outcomes[action.outcome]);
        return;
    }
    if (effect->type == ST_CHALLENGE && action.from == ST_NOWHERE) {
        out_bool(out, "claim", true);
        return;
    }
    out_text(out, "from", square_of(action.from).text);
    if (effect->type == ST_COMBAT)
        out_text(out, "outcome", outcomes[action.outcome]);
    out_text(out, "to", square_of(action.to).text);
}

static void write_effect_full(struct out *out, const struct effect *effect)
{
    struct st_action action = action_of(effect);

    if (effect->type == ST_COMBAT) {
        out_text(out, "attacker", st_rank_name(action.variant, action.rank[0]));
        out_text(out, "defender", st_rank_name(action.variant, action.rank[1]));
    }
    write_effect(out, effect);
}

/* Openings */

static void open_piece(struct openings *openings, uint8_t seat, uint8_t piece, uint8_t rank)
{
    openings->list[openings->count++] = (struct opening){
        .seats = (uint8_t)(1 << seat),
        .component = COMPONENT_PIECE,
        .context = piece >= ST_SLOTS,
        .index = piece % ST_SLOTS,
        .face = rank,
    };
}

/* ST-11: the attacked piece to the attacker; the attacker to the attacked only by SC-4, or
 * captured under `captives` "shown". */
static void openings_of(const void *state, const struct effect *effect, struct openings *ret)
{
    struct st_action action = action_of(effect);

    (void)state;
    ret->count = 0;
    if (effect->type != ST_COMBAT)
        return;
    open_piece(ret, effect->seat, action.defender, action.rank[1]);
    if (action.both)
        open_piece(ret, !effect->seat, action.attacker, action.rank[0]);
}

static size_t faces_of(const void *state, uint8_t side, uint8_t *ret_faces)
{
    const struct st_state *s = state;

    memcpy(ret_faces, s->rank + side * ST_SLOTS, ST_SLOTS);
    for (size_t slot = 0; slot < ST_SLOTS; slot++)
        if (ret_faces[slot] == ST_HIDDEN)
            ret_faces[slot] = FACE_UNKNOWN;
    return ST_SLOTS;
}

static void component_name(const struct opening *opening, char text[static 24])
{
    struct square home = square_of(st_home(opening->context, opening->index));

    (void)snprintf(text, 24, "%s/%s", st_ruleset.seats[opening->context], home.text);
}

static const char *face_name(const struct options *options, uint8_t face)
{
    return st_rank_name(options->variant, face);
}

/* Players' custody */

static void blind_setup(const struct options *options, uint8_t seat, uint64_t slots,
                        struct event *ret_event)
{
    struct st_setup setup = {.variant = options->variant};

    for (size_t slot = 0; slot < ST_SLOTS; slot++)
        setup.rank[slot] = slots >> slot & 1 ? ST_HIDDEN : ST_NONE;
    setup.astray = slots >> ST_SLOTS != 0;
    *ret_event = (struct event){.kind = EVENT_SETUP, .seat = seat, .size = sizeof setup};
    memcpy(ret_event->data, &setup, sizeof setup);
}

static uint8_t blind_face(const struct options *options, const char *name)
{
    return rank_of(options->variant, name);
}

static uint8_t blind_mover(const void *state, const struct event *move, bool *ret_long)
{
    const struct st_state *s = state;
    struct st_move m;

    memcpy(&m, move->data, sizeof m);
    *ret_long = st_long(m);
    uint8_t piece = st_on_board(m.from) ? s->board[m.from] : ST_EMPTY;
    return piece < ST_PIECES ? piece % ST_SLOTS : ST_NONE;
}

/* Nothing that is refused anyway need be opened, so the judge is asked. */
static bool move_needs(const void *state, const struct event *move)
{
    struct event bare = *move;

    as_blind(&bare);
    ruling_t ruling = st_ruleset.judge(state, &bare);
    return ruling == ST_UNOPENED || ruling == ST_UNOPENED_SCOUT ||
           ruling == ST_UNOPENED_CLASSIC;
}

static uint64_t blind_needs(const void *state, const struct event *event)
{
    bool far;

    if (event->kind == EVENT_OPEN)
        return st_asked(state, event->seat);
    if (event->kind != EVENT_MOVE || !move_needs(state, event))
        return 0;
    return UINT64_C(1) << blind_mover(state, event, &far);
}

/* A move opens the piece that it moves. What is not opened in an EVENT_OPEN stays unknown. */
static void blind_open(struct event *event, uint8_t slot, uint8_t face)
{
    if (event->kind == EVENT_MOVE) {
        event->size = ST_BLIND_MOVE;
        event->data[ST_OPENED] = face;
        return;
    }
    if (event->size != ST_SLOTS)
        memset(event->data, ST_NONE, sizeof event->data);
    event->size = ST_SLOTS;
    if (slot < ST_SLOTS)
        event->data[slot] = face;
}

static bool blind_claimed(const void *state)
{
    return ((const struct st_state *)state)->claim;
}

static void blind_reveal(uint8_t seat, const uint8_t faces[static SLOTS_MAX],
                         struct event *ret_event)
{
    *ret_event = (struct event){.kind = EVENT_REVEAL, .seat = seat, .size = ST_SLOTS};
    memcpy(ret_event->data, faces, ST_SLOTS);
}

static const struct blind blind = {
    .setup = blind_setup,
    .face = blind_face,
    .needs = blind_needs,
    .open = blind_open,
    .mover = blind_mover,
    .claimed = blind_claimed,
    .reveal = blind_reveal,
    .audit = st_audit,
};

/* `faces` are those of event->seat by slot. */
static void fill(const void *state, const uint8_t faces[static 64], struct event *event)
{
    bool far;

    if (event->kind == EVENT_MOVE && move_needs(state, event))
        blind_open(event, 0, faces[blind_mover(state, event, &far)]);
}

/* Only combats are told */

static bool unseen_is(const void *state)
{
    return ((const struct st_state *)state)->combats;
}

/* Of each combat the attacking and the attacked piece: [["a4","g9"],...]. */
static void unseen_write(struct out *out, const void *state)
{
    uint8_t from, to;

    out_array(out, "combats");
    for (size_t n = 0; st_combat_at(state, n, &from, &to); n++) {
        out_array(out, NULL);
        out_text(out, NULL, square_of(from).text);
        if (to != ST_NOWHERE)
            out_text(out, NULL, square_of(to).text);
        out_array_end(out);
    }
    out_array_end(out);
}

static bool unseen_read(const json_t *acted, const void *state, struct event *ret_event)
{
    const struct st_state *s = state;
    const json_t *combat = json_array_get(acted, s->recorded);
    const char *piece = json_string_value(json_array_get(combat, s->from != ST_NOWHERE));
    struct st_move m = {.to = ST_NOWHERE};

    if (!piece || !read_square(piece, &m.from))
        return false;
    ret_event->kind = s->from == ST_NOWHERE ? EVENT_MOVE : EVENT_OPEN;
    ret_event->size = sizeof m;
    memcpy(ret_event->data, &m, sizeof m);
    return true;
}

static const struct unseen unseen = {
    .is = unseen_is,
    .member = "combats",
    .write = unseen_write,
    .read = unseen_read,
};

/* The referee that is told combats only sees no turns to time and no plies to count. */
static bool fit(const struct options *options, bool clocked, struct fault *ret_fault)
{
    static const uint8_t limits[] = {ST_OPTION_PLY_LIMIT, ST_OPTION_QUIET_LIMIT};

    if (!options->value[ST_OPTION_TOLD])
        return true;
    if (clocked)
        return fault_set(ret_fault, "/clock", "Where only combats are told no clock can run.");
    for (size_t i = 0; i < sizeof limits; i++)
        if (options->value[limits[i]])
            return fault_set(ret_fault,
                             pointer_below("/options", st_ruleset.options[limits[i]].name).text,
                             "Where only combats are told plies cannot be counted (SC-8).");
    return true;
}

const struct codec st_codec = {
    .rules = &st_ruleset,
    .blind = &blind,
    .unseen = &unseen,
    .fit = fit,
    .read_move = read_move,
    .fill = fill,
    .write_move = write_move,
    .read_setup = read_setup,
    .write_setup = write_setup,
    .setup_of = setup_of,
    .read_state = read_state,
    .write_state = write_state,
    .turn = turn_of,
    .status = status_of,
    .write_board = write_board,
    .effect_type = effect_type,
    .write_effect = write_effect,
    .write_effect_full = write_effect_full,
    .openings = openings_of,
    .faces = faces_of,
    .component = COMPONENT_PIECE,
    .component_name = component_name,
    .face_name = face_name,
};
