/* Players' custody: commitments, openings, claims and the audit. The faces stay with the
 * players; what they open is held against what they have committed to, and refused without a
 * trace if it does not fit. */
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "api/action.h"
#include "api/deed.h"
#include "api/h_moves.h"
#include "api/hex.h"
#include "api/route.h"
#include "rules/match.h"

/* [hex or null] for each slot: null where nothing stands. */
static bool read_commitments(const json_t *list, struct commits_note *note, struct fault *fault)
{
    json_t *value;
    size_t slot;

    if (json_array_size(list) != SLOTS_MAX)
        return fault_set(fault, "/commitments",
                         "There are %d slots: a commitment each, null where nothing stands.",
                         SLOTS_MAX);
    json_array_foreach(list, slot, value)
    {
        const char *text = json_string_value(value);
        if (json_is_null(value))
            continue;
        struct pointer at = pointer_item("/commitments", slot);
        if (!text || !hex_decode(text, strlen(text), note->commitment[slot], 32))
            return fault_set(fault, at.text, "This must be 64 lower-case hex digits, or null.");
        note->slots |= UINT64_C(1) << slot;
    }
    return true;
}

enum problem blind_setup(struct call *call)
{
    const struct codec *codec = call->fold->codec;
    json_t *list = NULL;
    const struct field fields[] = {
        {.name = "commitments", .kind = FIELD_ARRAY, .required = true, .value = &list}};
    struct commits_note note;
    struct event event = {0};
    struct action action;
    enum problem problem = call_body(call, fields, 1);

    if (problem)
        return problem;
    memset(&note, 0, sizeof note);
    note.seat = call->seat;
    if (!read_commitments(list, &note, &call->fault))
        return PROBLEM_INVALID_BODY;
    struct options options = fold_options(call->fold);
    codec->blind->setup(&options, call->seat, note.slots, &event);
    ruling_t ruling = match_judge(codec->rules, call->fold->state, &event);
    if (ruling != ALLOWED)
        return call_refusal(call, codec->rules, ruling);
    if ((problem = action_begin(&action, call, call->fold)))
        return problem;
    deed_commit(&action, &event, &note);
    return action_finish(&action, NULL, false);
}

void blind_setup_write(struct out *out, const struct fold *fold, uint8_t seat)
{
    out_array(out, "commitments");
    for (uint8_t slot = 0; slot < SLOTS_MAX; slot++) {
        uint8_t hash[32];
        if (fold->blinds->account[seat].slots >> slot & 1) {
            slot_commitment(fold, seat, slot, hash);
            out_hex(out, NULL, hash, 32);
        } else {
            out_null(out, NULL);
        }
    }
    out_array_end(out);
}

/* One {"slot","face","nonce"}; what it says is not yet held against anything. */
static bool read_opening(const struct call *call, const json_t *object, const char *pointer,
                         struct opened_note *ret_opened, struct fault *fault)
{
    const struct codec *codec = call->fold->codec;
    const char *face = "";
    int64_t slot = 0;
    const struct field fields[] = {
        {.name = "slot",
         .kind = FIELD_INT,
         .required = true,
         .value = &slot,
         .max = SLOTS_MAX - 1},
        field_required("face", FIELD_TEXT, &face),
        {.name = "nonce",
         .kind = FIELD_HEX,
         .required = true,
         .value = ret_opened->nonce,
         .max = 32},
    };

    if (!json_fields(object, pointer, fields, 3, fault))
        return false;
    ret_opened->seat = call->seat;
    ret_opened->slot = (uint8_t)slot;
    struct options options = fold_options(call->fold);
    ret_opened->face = codec->blind->face(&options, face);
    if (ret_opened->face == FACE_UNKNOWN)
        return fault_set(fault, pointer_below(pointer, "face").text,
                         "This must be a rank of the variant.");
    return true;
}

struct given {
    size_t count;
    struct opened_note list[SLOTS_MAX];
};

static bool read_openings(const struct call *call, const json_t *list, struct given *given,
                          struct fault *fault)
{
    json_t *value;
    size_t i;

    json_array_foreach(list, i, value)
    {
        struct pointer at = pointer_item("/opens", i);
        if (!read_opening(call, value, at.text, &given->list[given->count++], fault))
            return false;
    }
    return true;
}

static enum problem bad(struct call *call, const struct opened_note *opened, const char *what)
{
    char name[24];
    struct opening piece = {.context = opened->seat, .index = opened->slot};

    call->fold->codec->component_name(&piece, name);
    return call_refuse(call, PROBLEM_BAD_OPENING, "%s: %s", name, what);
}

/* The openings must be those of the very pieces that are asked for, and true. */
static enum problem check_openings(struct call *call, const struct given *given,
                                   uint64_t needed)
{
    const struct opened_note *opened = given->list;
    uint64_t seen = 0;

    for (; opened < given->list + given->count; opened++) {
        uint64_t slot = UINT64_C(1) << opened->slot;
        if (!(needed & slot))
            return bad(call, opened, "the opening of this piece is not asked for.");
        if (seen & slot)
            return bad(call, opened, "this piece is opened twice.");
        if (!opening_fits(call->fold, opened))
            return bad(call, opened, "face and nonce do not fit the commitment.");
        seen |= slot;
    }
    if (seen == needed)
        return PROBLEM_NONE;
    for (uint8_t slot = 0; slot < SLOTS_MAX; slot++)
        if ((needed & ~seen) >> slot & 1) {
            struct opened_note missing = {.seat = call->seat, .slot = slot};
            return bad(call, &missing, "the opening of this piece is missing.");
        }
    return PROBLEM_NONE;
}

/* Of a move the rules first: one that they refuse anyway is not refused for its opening. */
static enum problem play(struct call *call, struct event *event, const struct given *given)
{
    const struct codec *codec = call->fold->codec;
    uint64_t needed = codec->blind->needs(call->fold->state, event);
    struct action action;
    enum problem problem;

    for (size_t i = 0; i < given->count; i++)
        codec->blind->open(event, given->list[i].slot, given->list[i].face);
    if (event->kind == EVENT_OPEN && (problem = check_openings(call, given, needed)))
        return problem;
    ruling_t ruling = match_judge(codec->rules, call->fold->state, event);
    if (ruling != ALLOWED)
        return call_refusal(call, codec->rules, ruling);
    if (event->kind == EVENT_MOVE && (problem = check_openings(call, given, needed)))
        return problem;
    if ((problem = action_begin(&action, call, call->fold)))
        return problem;
    deed_open(&action, event, given->list, given->count);
    return action_finish(&action, NULL, false);
}

enum problem blind_move(struct call *call)
{
    struct event event = {0};
    struct given given = {0};
    json_t *open = NULL;
    enum problem problem = read_written(call, &open, &event);

    if (problem)
        return problem;
    if (open && !read_opening(call, open, "/open", &given.list[given.count++], &call->fault))
        return PROBLEM_INVALID_BODY;
    return play(call, &event, &given);
}

/* Where the referee holds the faces it is enough to say which piece is attacked. */
static enum problem defend_named(struct call *call)
{
    const struct codec *codec = call->fold->codec;
    const char *piece = NULL;
    const struct field fields[] = {field_required("piece", FIELD_TEXT, &piece)};
    struct event event = {.seat = call->seat};
    struct action action;
    enum problem problem = call_body(call, fields, 1);

    if (problem)
        return problem;
    if (!codec->read_move(call->body, "", call->fold->state, &event, &call->fault))
        return PROBLEM_INVALID_BODY;
    event.kind = EVENT_OPEN;
    ruling_t ruling = match_judge(codec->rules, call->fold->state, &event);
    if (ruling != ALLOWED)
        return call_refusal(call, codec->rules, ruling);
    if ((problem = action_begin(&action, call, call->fold)))
        return problem;
    action_play(&action, &event);
    return action_finish(&action, NULL, false);
}

enum problem h_defend(struct call *call)
{
    const struct codec *codec = call->fold->codec;
    struct event event = {.kind = EVENT_OPEN, .seat = call->seat};
    struct given given = {.count = 1};
    json_t *open = NULL;
    const struct field fields[] = {
        {.name = "open", .kind = FIELD_OBJECT, .required = true, .value = &open}};

    if (!call->fold->blinds)
        return defend_named(call);
    enum problem problem = call_body(call, fields, 1);
    if (problem)
        return problem;
    if (codec->blind->claimed(call->fold->state))
        return call_refuse(call, PROBLEM_WRONG_STATUS,
                           "A claim is answered by all pieces left: POST .../open.");
    if (!read_opening(call, open, "/open", given.list, &call->fault))
        return PROBLEM_INVALID_BODY;
    return play(call, &event, &given);
}

enum problem h_open(struct call *call)
{
    const struct codec *codec = call->fold->codec;
    struct event event = {.kind = EVENT_OPEN, .seat = call->seat};
    struct given given = {0};
    json_t *list = NULL;
    const struct field fields[] = {{.name = "opens",
                                    .kind = FIELD_ARRAY,
                                    .required = true,
                                    .value = &list,
                                    .max = SLOTS_MAX}};

    if (!call->fold->blinds)
        return call_refuse(
            call, PROBLEM_WRONG_STATUS,
            "The referee holds the faces of this game: there is nothing to open.");
    enum problem problem = call_body(call, fields, 1);
    if (problem)
        return problem;
    if (call->fold->status == STATUS_PLAYING && call->fold->blinds->claimed)
        return call_refuse(call, PROBLEM_WRONG_STATUS,
                           "Your claim has failed: claim again after the next move.");
    if (call->fold->status == STATUS_CHALLENGE && !codec->blind->claimed(call->fold->state))
        return call_refuse(call, PROBLEM_WRONG_STATUS,
                           "An attack is answered by the attacked piece: POST .../defend.");
    if (!read_openings(call, list, &given, &call->fault))
        return PROBLEM_INVALID_BODY;
    return play(call, &event, &given);
}

/* A secret that opens none of the side's commitments is a mistake of typing, not a cheat. */
static bool opens_any(const struct fold *fold, uint8_t seat, const uint8_t *secret)
{
    struct opened_note opened;

    for (uint8_t slot = 0; slot < SLOTS_MAX; slot++)
        if (secret_opens(fold, secret, seat, slot, &opened))
            return true;
    return false;
}

enum problem h_audit(struct call *call)
{
    uint8_t note[33] = {call->seat};
    const struct field fields[] = {
        {.name = "secret", .kind = FIELD_HEX, .required = true, .value = note + 1, .max = 32}};
    struct action action;
    enum problem problem = call_body(call, fields, 1);

    if (problem)
        return problem;
    if (!(fold_to_act(call->fold) >> call->seat & 1))
        return call_refuse(call, PROBLEM_WRONG_STATUS,
                           "The secret of this side is in already.");
    if (!opens_any(call->fold, call->seat, note + 1))
        return call_refuse(call, PROBLEM_BAD_OPENING,
                           "This secret opens none of the side's commitments.");
    if ((problem = action_begin(&action, call, call->fold)))
        return problem;
    deed_audit(&action, note);
    sodium_memzero(note, sizeof note);
    return action_finish(&action, NULL, false);
}
