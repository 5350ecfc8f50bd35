#include "api/written.h"

#include "api/limits.h"
#include "api/notation.h"

void written_fields(struct written *written, struct field ret_fields[static WRITTEN_FIELDS])
{
    ret_fields[0] =
        (struct field){.name = "move", .kind = FIELD_OBJECT, .value = &written->move};
    ret_fields[1] = (struct field){.name = "notation",
                                   .kind = FIELD_TEXT,
                                   .value = &written->notation,
                                   .max = MOVE_TEXT_MAX};
}

static bool read_text(const struct codec *codec, const char *text, const char *pointer,
                      const void *state, struct event *ret_event, struct fault *ret_fault)
{
    struct misread misread;
    char what[160];

    if (notation_of(codec->rules)->read_move(text, state, ret_event, &misread))
        return true;
    misread_text(&misread, what);
    return fault_set(ret_fault, pointer, "%s", what);
}

bool written_read(const struct codec *codec, const struct written *written, const void *state,
                  struct event *ret_event, struct fault *ret_fault)
{
    if (!written->move == !written->notation)
        return fault_set(ret_fault, "", "Give either \"move\" or \"notation\".");
    if (written->move)
        return codec->read_move(written->move, "/move", state, ret_event, ret_fault);
    return read_text(codec, written->notation, "/notation", state, ret_event, ret_fault);
}

bool written_read_item(const struct codec *codec, const json_t *item, const char *pointer,
                       const void *state, struct event *ret_event, struct fault *ret_fault)
{
    const char *text = NULL;
    struct field field = field_required("notation", FIELD_TEXT, &text);

    field.max = MOVE_TEXT_MAX;
    if (!json_object_get(item, "notation"))
        return codec->read_move(item, pointer, state, ret_event, ret_fault);
    return json_fields(item, pointer, &field, 1, ret_fault) &&
           read_text(codec, text, pointer_below(pointer, "notation").text, state, ret_event,
                     ret_fault);
}
