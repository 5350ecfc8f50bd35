/* Records in the notation. */
#include <string.h>

#include "api/cleanup.h"
#include "api/json_read.h"
#include "api/sheet.h"
#include "rules/rulesets.h"

enum { LINE_WIDTH = 76 };

/* Options that are not the variant's own. */
static void put_options(struct out *out, const struct sheet *sheet)
{
    const struct ruleset *rules = sheet->codec->rules;
    struct options presets;
    const char *name;
    json_t *value;
    autoout struct out text = {0};

    ruleset_presets(rules, sheet->options.variant, &presets);
    options_write(&text, NULL, sheet->codec, &sheet->options);
    json_auto_t *object = text.failed ? NULL : json_read(text.text, text.size, NULL);
    json_object_foreach(object, name, value)
    {
        int row = ruleset_option(rules, name);
        bool own = row < 0 || sheet->options.value[row] == presets.value[row];
        if (own && !(row >= 0 && rules->options[row].kind == OPTION_PLATE &&
                     sheet->options.plate_given))
            continue;
        autofree char *json = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY);
        const char *shown = json_is_string(value) ? json_string_value(value) : json;
        put_text(out, "option %s ", name);
        if (shown)
            out_bytes(out, shown, strlen(shown));
        put_text(out, "\n");
    }
    out->failed = out->failed || !object;
}

static void put_header(struct out *out, const struct sheet *sheet)
{
    const struct ruleset *rules = sheet->codec->rules;

    put_text(out, "game %s %s\n", rules->id, rules->variants[sheet->options.variant].id);
    if (rules->seats_max > rules->seats_min)
        put_text(out, "players %d\n", sheet->options.players);
    put_options(out, sheet);
    for (uint8_t seat = 0; seat < rules->seats_max; seat++)
        if (*sheet->player[seat])
            put_text(out, "player %s %s\n", rules->seats[seat], sheet->player[seat]);
}

static void put_result(struct out *out, const struct sheet *sheet, uint8_t reason,
                       uint8_t winner)
{
    const char *seat = ruleset_whose(sheet->codec->rules, winner);

    put_text(out, "result %s %s\n", seat ? seat : "none", reason_word(reason));
}

/* What stands on a line of its own. */
static void put_entry(struct out *out, const struct sheet *sheet, const struct event *event)
{
    const char *name = ruleset_whose(sheet->codec->rules, event->seat);
    const char *seat = name ? name : "";

    if (event->kind == EVENT_SETUP) {
        put_text(out, "setup %s ", seat);
        sheet->notation->write_setup(out, event);
        put_text(out, "\n");
    }
    if (event->kind == EVENT_DEAL) {
        put_text(out, "deal ");
        sheet->notation->write_deal(out, event);
        put_text(out, "\n");
    }
    if (event->kind == EVENT_RESIGN || event->kind == EVENT_TIMEOUT)
        put_text(out, "%s %s\n", event->kind == EVENT_RESIGN ? "resigns" : "time", seat);
    if (event->kind == EVENT_RESULT)
        put_result(out, sheet, event->data[0], event->data[1]);
}

void sheet_write_notation(struct out *out, const struct sheet *sheet)
{
    size_t width = 0;

    put_header(out, sheet);
    if (sheet->start) {
        put_text(out, "position ");
        sheet->notation->write_state(out, sheet->start);
        put_text(out, "\n");
    }
    for (size_t i = 0; i < sheet->count; i++) {
        const struct event *event = &sheet->entries[i].event;
        bool move = event->kind == EVENT_MOVE;
        if (width && (!move || width > LINE_WIDTH)) {
            put_text(out, "\n");
            width = 0;
        }
        size_t before = out->size;
        if (!move) {
            put_entry(out, sheet, event);
            continue;
        }
        put_text(out, width ? " " : "");
        sheet->notation->write_move(out, event);
        width += out->size - before;
    }
    put_text(out, width ? "\n" : "");
    if (sheet->claims)
        put_result(out, sheet, sheet->claim.reason, sheet->claim.winner);
}
