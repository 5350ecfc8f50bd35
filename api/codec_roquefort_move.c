/* The castle's moves to and from JSON, with what players at a table tell of the tiles. */
#include "api/codec_roquefort.h"

#include <string.h>

const char *const rq_slots[RQ_SLOTS] = {
    "Nb", "Nd", "Nf", "Sb", "Sd", "Sf", "W2", "W4", "W6", "E2", "E4", "E6",
};

const char *const rq_square_names[RQ_SQUARES] = {
    "a1", "b1", "c1", "d1", "e1", "f1", "g1", "a2", "b2", "c2", "d2", "e2", "f2",
    "g2", "a3", "b3", "c3", "d3", "e3", "f3", "g3", "a4", "b4", "c4", "d4", "e4",
    "f4", "g4", "a5", "b5", "c5", "d5", "e5", "f5", "g5", "a6", "b6", "c6", "d6",
    "e6", "f6", "g6", "a7", "b7", "c7", "d7", "e7", "f7", "g7",
};

uint8_t rq_find(const char *const *words, size_t size, const char *word)
{
    for (size_t i = 0; word && i < size; i++)
        if (strcmp(words[i], word) == 0)
            return (uint8_t)i;
    return RQ_NO_SQUARE;
}

uint8_t rq_find_square(const char *word)
{
    return rq_find(rq_square_names, RQ_SQUARES, word);
}

enum {
    HAS_FROM = 1,
    HAS_TO = 2,
    HAS_TOWER = 4,
    HAS_SQUARE = 8,
    HAS_SLOT = 16,
    MAY_SHOW = 32, /* table custody */
    MAY_OUT = 64,
    FIELDS_MAX = 4,
};

static const struct form {
    const char *type;
    uint8_t members;
} forms[RQ_VERBS] = {
    [RQ_ENTER] = {"enter", HAS_TOWER},
    [RQ_UNCOVER] = {"uncover", HAS_SQUARE | MAY_SHOW},
    [RQ_STEP] = {"step", HAS_FROM | HAS_TO},
    [RQ_JUMP] = {"jump", HAS_FROM | HAS_TO},
    [RQ_SHIFT] = {"shift", HAS_SLOT | MAY_SHOW | MAY_OUT},
    [RQ_END_TURN] = {"end_turn", 0},
};

/* The members of a move as they stand in the text; NULL: not there. */
struct parts {
    const char *type, *from, *to, *out;
    json_t *shows;
};

static uint8_t find_verb(const char *type)
{
    uint8_t verb = 0;

    while (verb < RQ_VERBS && strcmp(forms[verb].type, type) != 0)
        verb++;
    return verb;
}

static struct field optional(const char *name, enum field_kind kind, void *value)
{
    struct field field = field_required(name, kind, value);

    field.required = false;
    return field;
}

static bool read_parts(const json_t *move, const char *pointer, uint8_t members,
                       struct parts *parts, struct fault *ret_fault)
{
    struct field fields[FIELDS_MAX] = {field_required("type", FIELD_TEXT, &parts->type)};
    size_t n = 1;

    if (members & HAS_FROM)
        fields[n++] = field_required("from", FIELD_TEXT, &parts->from);
    if (members & HAS_TO)
        fields[n++] = field_required("to", FIELD_TEXT, &parts->to);
    if (members & HAS_TOWER)
        fields[n++] = field_required("tower", FIELD_TEXT, &parts->to);
    if (members & HAS_SQUARE)
        fields[n++] = field_required("square", FIELD_TEXT, &parts->to);
    if (members & HAS_SLOT)
        fields[n++] = field_required("slot", FIELD_TEXT, &parts->to);
    if (members & MAY_SHOW)
        fields[n++] = optional("shows", FIELD_OBJECT, &parts->shows);
    if (members & MAY_OUT)
        fields[n++] = optional("out", FIELD_TEXT, &parts->out);
    return json_fields(move, pointer, fields, n, ret_fault);
}

static bool read_face(const char *word, const char *pointer, uint8_t *ret_face,
                      struct fault *ret_fault)
{
    *ret_face = rq_find(rq_faces, RQ_FACES, word);
    if (*ret_face < RQ_FACES)
        return true;
    return fault_set(ret_fault, pointer, "This must be blank, trapdoor or a cheese.");
}

/* {"b2":"gouda",...}: floor squares and no others. */
static bool read_shows(const json_t *shows, const char *pointer, struct rq_report *report,
                       struct fault *ret_fault)
{
    const char *word[RQ_FLOORS] = {NULL};
    struct field fields[RQ_FLOORS];

    for (unsigned i = 0; i < RQ_SQUARES; i++)
        if (rq_place[i] != RQ_NO_SQUARE)
            fields[rq_place[i]] = optional(rq_square_names[i], FIELD_TEXT, &word[rq_place[i]]);
    if (!json_fields(shows, pointer, fields, RQ_FLOORS, ret_fault))
        return false;
    for (unsigned i = 0; i < RQ_FLOORS; i++)
        if (word[i] && !read_face(word[i], pointer_below(pointer, fields[i].name).text,
                                  &report->face[i], ret_fault))
            return false;
    return true;
}

static bool read_report(const struct parts *parts, const char *pointer,
                        struct rq_report *report, struct fault *ret_fault)
{
    if (parts->shows &&
        !read_shows(parts->shows, pointer_below(pointer, "shows").text, report, ret_fault))
        return false;
    return !parts->out || read_face(parts->out, pointer_below(pointer, "out").text,
                                    &report->face[RQ_SPARE], ret_fault);
}

bool rq_read_move(const json_t *move, const char *pointer, const void *state,
                  struct event *ret_event, struct fault *ret_fault)
{
    const struct rq_state *s = state;
    struct parts parts = {.type = json_string_value(json_object_get(move, "type"))};
    uint8_t verb = parts.type ? find_verb(parts.type) : RQ_VERBS;
    uint8_t members = verb < RQ_VERBS ? forms[verb].members : 0;
    struct rq_report read;

    if (parts.type && verb == RQ_VERBS)
        return fault_set(ret_fault, pointer_below(pointer, "type").text,
                         "This must be enter, uncover, step, jump, shift or end_turn.");
    if (!s || s->custody != CUSTODY_TABLE)
        members &= (uint8_t) ~(MAY_SHOW | MAY_OUT);
    memset(&read, RQ_UNKNOWN, sizeof read);
    if (!read_parts(move, pointer, members, &parts, ret_fault) ||
        !read_report(&parts, pointer, &read, ret_fault))
        return false;
    read.move = (struct rq_move){.verb = verb};
    if (parts.from)
        read.move.from = rq_find_square(parts.from);
    if (parts.to)
        read.move.to = members & HAS_SLOT ? rq_find(rq_slots, RQ_SLOTS, parts.to)
                                          : rq_find_square(parts.to);
    ret_event->kind = EVENT_MOVE;
    ret_event->size = parts.shows || parts.out ? sizeof read : sizeof read.move;
    memcpy(ret_event->data, &read, ret_event->size);
    return true;
}

void rq_fill_move(const void *state, const uint8_t faces[static 64], struct event *event)
{
    rq_fill(state, faces, event);
}

static void write_report(struct out *out, const struct rq_report *report, bool may_out)
{
    if (may_out && report->face[RQ_SPARE] < RQ_FACES)
        out_text(out, "out", rq_faces[report->face[RQ_SPARE]]);
    out_object(out, "shows");
    for (unsigned i = 0; i < RQ_SQUARES; i++)
        if (rq_place[i] != RQ_NO_SQUARE && report->face[rq_place[i]] < RQ_FACES)
            out_text(out, rq_square_names[i], rq_faces[report->face[rq_place[i]]]);
    out_object_end(out);
}

void rq_write_move(struct out *out, const char *key, const struct event *event)
{
    struct rq_report report;

    memcpy(&report, event->data, sizeof report);
    const struct rq_move *move = &report.move;
    const struct form *form = &forms[move->verb];
    out_object(out, key);
    out_text(out, "type", form->type);
    if (form->members & HAS_FROM)
        out_text(out, "from", rq_square_names[move->from]);
    if (form->members & HAS_TO)
        out_text(out, "to", rq_square_names[move->to]);
    if (form->members & HAS_TOWER)
        out_text(out, "tower", rq_square_names[move->to]);
    if (form->members & HAS_SQUARE)
        out_text(out, "square", rq_square_names[move->to]);
    if (form->members & HAS_SLOT)
        out_text(out, "slot", rq_slots[move->to]);
    if (event->size == sizeof report)
        write_report(out, &report, form->members & MAY_OUT);
    out_object_end(out);
}
