/* Records as lines of JSON, one object a line, by the same members as the interface. */
#include <stdlib.h>
#include <string.h>

#include "api/sheet.h"
#include "rules/rulesets.h"

struct row {
    struct sheet *sheet;
    size_t line;
    struct sheet_fault *fault;
    const json_t *object;
};

static const char *text_of(const struct row *row, const char *key)
{
    return json_string_value(json_object_get(row->object, key));
}

static bool wrong(const struct row *row, const struct fault *fault)
{
    return sheet_fails(row->fault, row->line, "%s: %s", fault->pointer, fault->detail);
}

static bool reads_game(const struct row *row, json_t *value)
{
    const char *ruleset = "", *variant = NULL, *key;
    json_t *options = NULL, *option;
    int64_t players = 0;
    const struct field fields[] = {
        field_required("ruleset", FIELD_TEXT, &ruleset),
        {.name = "variant", .kind = FIELD_TEXT, .value = &variant},
        {.name = "options", .kind = FIELD_OBJECT, .value = &options},
        {.name = "players", .kind = FIELD_INT, .value = &players, .min = 1, .max = SEATS_MAX},
    };
    struct fault fault = {0};

    (void)value;
    if (!json_fields(row->object, "", fields, sizeof fields / sizeof *fields, &fault))
        return wrong(row, &fault);
    if (!sheet_game(row->sheet, ruleset, variant, row->line, row->fault))
        return false;
    if (players && !sheet_players(row->sheet, players, row->line, row->fault))
        return false;
    json_object_foreach(options, key, option)
    {
        if (!sheet_option(row->sheet, key, json_incref(option), row->line, row->fault))
            return false;
    }
    return true;
}

static bool reads_player(const struct row *row, json_t *value)
{
    const char *name = text_of(row, "name");

    return sheet_player(row->sheet, json_string_value(value), name ? name : "", row->line,
                        row->fault);
}

static bool reads_setup(const struct row *row, json_t *value)
{
    const struct codec *codec = row->sheet->codec;
    const char *name = "";
    json_t *pieces = NULL;
    const struct field fields[] = {field_required("seat", FIELD_TEXT, &name),
                                   field_required("pieces", FIELD_OBJECT, &pieces)};
    struct event event = {0};
    struct fault fault = {0};

    if (!sheet_begin(row->sheet, row->line, row->fault))
        return false;
    if (!codec->read_setup)
        return sheet_fails(row->fault, row->line, "this game has no set-up");
    if (!json_fields(value, "/setup", fields, 2, &fault))
        return wrong(row, &fault);
    uint8_t seat = ruleset_seat(codec->rules, name);
    if (seat == NO_SEAT)
        return sheet_fails(row->fault, row->line, "there is no such seat");
    if (!codec->read_setup(pieces, "/setup/pieces", &row->sheet->options, seat, &event, &fault))
        return wrong(row, &fault);
    event.kind = EVENT_SETUP;
    event.seat = seat;
    return sheet_add(row->sheet, &event, row->line, row->fault);
}

static bool reads_state(const struct row *row, json_t *value)
{
    return sheet_state(row->sheet, value, json_object_get(row->object, "history"), row->line,
                       row->fault);
}

static bool needs_text(const struct row *row, const json_t *value)
{
    return json_is_string(value) || sheet_fails(row->fault, row->line, "this must be a string");
}

static bool reads_position(const struct row *row, json_t *value)
{
    return needs_text(row, value) &&
           sheet_position(row->sheet, json_string_value(value), row->line, row->fault);
}

static bool reads_deal(const struct row *row, json_t *value)
{
    return needs_text(row, value) &&
           sheet_deal(row->sheet, json_string_value(value), row->line, row->fault);
}

static bool reads_move(const struct row *row, json_t *value)
{
    struct event event = {0};
    struct fault fault = {0};

    if (!sheet_begin(row->sheet, row->line, row->fault))
        return false;
    if (!row->sheet->codec->read_move(value, "/move", NULL, &event, &fault))
        return wrong(row, &fault);
    event.kind = EVENT_MOVE;
    return sheet_add(row->sheet, &event, row->line, row->fault);
}

static bool reads_notation(const struct row *row, json_t *value)
{
    return needs_text(row, value) &&
           sheet_move(row->sheet, json_string_value(value), row->line, row->fault);
}

static bool reads_resigns(const struct row *row, json_t *value)
{
    return sheet_leaves(row->sheet, EVENT_RESIGN, json_string_value(value), row->line,
                        row->fault);
}

static bool reads_time(const struct row *row, json_t *value)
{
    return sheet_leaves(row->sheet, EVENT_TIMEOUT, json_string_value(value), row->line,
                        row->fault);
}

static bool reads_result(const struct row *row, json_t *value)
{
    const char *winner = NULL, *reason = "";
    const struct field fields[] = {
        {.name = "winner", .kind = FIELD_TEXT, .value = &winner, .nullable = true},
        field_required("reason", FIELD_TEXT, &reason),
    };
    struct fault fault = {0};

    if (!sheet_begin(row->sheet, row->line, row->fault))
        return false;
    return json_fields(value, "/result", fields, 2, &fault)
               ? sheet_result(row->sheet, winner, reason, row->line, row->fault)
               : wrong(row, &fault);
}

/* The member that tells what a line is, and another that may stand with it; of a game there may
 * be more, which it looks after itself. */
static const struct kind {
    const char *name, *beside;
    size_t most;
    bool (*reads)(const struct row *row, json_t *value);
} kinds[] = {
    {"ruleset", "ruleset", 4, reads_game}, {"player", "name", 2, reads_player},
    {"setup", NULL, 1, reads_setup},       {"state", "history", 2, reads_state},
    {"position", NULL, 1, reads_position}, {"deal", NULL, 1, reads_deal},
    {"move", NULL, 1, reads_move},         {"notation", NULL, 1, reads_notation},
    {"resigns", NULL, 1, reads_resigns},   {"time", NULL, 1, reads_time},
    {"result", NULL, 1, reads_result},
};

static bool read_object(const struct row *row)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        json_t *value = json_object_get(row->object, kinds[i].name);
        if (!value)
            continue;
        size_t size = json_object_size(row->object);
        bool beside = kinds[i].beside && json_object_get(row->object, kinds[i].beside);
        if (size > kinds[i].most || (size > 1 && !beside))
            return sheet_fails(row->fault, row->line, "a line with %s holds something else",
                               kinds[i].name);
        return kinds[i].reads(row, value);
    }
    return sheet_fails(row->fault, row->line,
                       "this is none of ruleset, player, setup, state, position, deal, move, "
                       "notation, resigns, time and result");
}

bool sheet_read_json(char *text, struct sheet *sheet, struct sheet_fault *fault)
{
    struct row row = {.sheet = sheet, .fault = fault};

    for (char *line = sheet_line(&text, &row.line); line; line = sheet_line(&text, &row.line)) {
        struct fault bad = {0};
        if (!line[strspn(line, " \t")])
            continue;
        json_auto_t *object = json_gate(line, strlen(line), &bad);
        if (!json_is_object(object))
            return sheet_fails(fault, row.line, "%s",
                               object ? "this is no object" : bad.detail);
        row.object = object;
        if (!read_object(&row))
            return false;
    }
    return sheet_begin(sheet, row.line, fault);
}

/* Writing */

static void write_header(struct out *out, const struct sheet *sheet)
{
    const struct ruleset *rules = sheet->codec->rules;

    out_object(out, NULL);
    out_text(out, "ruleset", rules->id);
    out_text(out, "variant", rules->variants[sheet->options.variant].id);
    options_write(out, "options", sheet->codec, &sheet->options);
    if (rules->seats_max > rules->seats_min)
        out_number(out, "players", sheet->options.players);
    out_object_end(out);
    put_text(out, "\n");
    for (uint8_t seat = 0; seat < rules->seats_max; seat++) {
        if (!*sheet->player[seat])
            continue;
        out_object(out, NULL);
        out_text(out, "player", rules->seats[seat]);
        out_text(out, "name", sheet->player[seat]);
        out_object_end(out);
        put_text(out, "\n");
    }
}

static void write_result(struct out *out, const struct sheet *sheet, uint8_t reason,
                         uint8_t winner)
{
    out_object(out, "result");
    out_text(out, "winner", ruleset_whose(sheet->codec->rules, winner));
    out_text(out, "reason", reason_word(reason));
    out_object_end(out);
}

static void write_entry(struct out *out, const struct sheet *sheet, const struct event *event)
{
    const struct ruleset *rules = sheet->codec->rules;
    struct out letters = {0};

    if (event->kind == EVENT_MOVE)
        sheet->codec->write_move(out, "move", event);
    if (event->kind == EVENT_RESIGN || event->kind == EVENT_TIMEOUT)
        out_text(out, event->kind == EVENT_RESIGN ? "resigns" : "time",
                 rules->seats[event->seat]);
    if (event->kind == EVENT_RESULT)
        write_result(out, sheet, event->data[0], event->data[1]);
    if (event->kind == EVENT_SETUP) {
        out_object(out, "setup");
        out_text(out, "seat", rules->seats[event->seat]);
        sheet->codec->write_setup(out, "pieces", event);
        out_object_end(out);
    }
    if (event->kind == EVENT_DEAL) {
        sheet->notation->write_deal(&letters, event);
        out_text_n(out, "deal", letters.text ? letters.text : "", letters.size);
        out->failed = out->failed || letters.failed;
        out_done(&letters);
    }
}

static void write_start(struct out *out, const struct sheet *sheet)
{
    char *history = sheet->history ? json_dumps(sheet->history, JSON_COMPACT) : NULL;

    out_object(out, NULL);
    sheet->codec->write_state(out, "state", sheet->start);
    if (history)
        out_raw(out, "history", history, strlen(history));
    out->failed = out->failed || (sheet->history && !history);
    out_object_end(out);
    put_text(out, "\n");
    free(history);
}

void sheet_write_json(struct out *out, const struct sheet *sheet)
{
    write_header(out, sheet);
    if (sheet->start)
        write_start(out, sheet);
    for (size_t i = 0; i < sheet->count; i++) {
        out_object(out, NULL);
        write_entry(out, sheet, &sheet->entries[i].event);
        out_object_end(out);
        put_text(out, "\n");
    }
    if (!sheet->claims)
        return;
    out_object(out, NULL);
    write_result(out, sheet, sheet->claim.reason, sheet->claim.winner);
    out_object_end(out);
    put_text(out, "\n");
}
