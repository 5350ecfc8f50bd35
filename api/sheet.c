#include "api/sheet.h"

#include <sodium.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/cleanup.h"
#include "api/proceed.h"
#include "rules/match.h"
#include "rules/rulesets.h"

bool sheet_fails(struct sheet_fault *fault, size_t line, const char *format, ...)
{
    va_list arguments;

    fault->line = line;
    va_start(arguments, format);
    (void)vsnprintf(fault->what, sizeof fault->what, format, arguments);
    va_end(arguments);
    for (char *at = fault->what; *at; at++) /* it may quote anything, and goes to terminals */
        if (*at < 0x20 || *at > 0x7e)
            *at = '?';
    return false;
}

static bool no_memory(struct sheet_fault *fault, size_t line)
{
    return sheet_fails(fault, line, "there is no memory left");
}

static bool misread_at(struct sheet_fault *fault, size_t line, const char *what,
                       const struct misread *misread)
{
    char where[160];

    misread_text(misread, where);
    return sheet_fails(fault, line, "\"%.40s\", %s", what, where);
}

/* Parts */

static bool not_yet(const struct sheet *sheet, size_t line, struct sheet_fault *fault)
{
    if (!sheet->codec)
        return sheet_fails(fault, line, "the game must be named first: game RULESET VARIANT");
    if (sheet->begun)
        return sheet_fails(fault, line, "this must stand before the game begins");
    return true;
}

bool sheet_game(struct sheet *sheet, const char *ruleset, const char *variant, size_t line,
                struct sheet_fault *fault)
{
    const struct ruleset *rules = ruleset_find(ruleset);

    if (sheet->codec)
        return sheet_fails(fault, line, "the game is named a second time");
    if (!rules)
        return sheet_fails(fault, line, "there is no such game");
    int row = variant ? ruleset_variant(rules, variant) : 0;
    if (row < 0)
        return sheet_fails(fault, line, "%s has no such variant", rules->id);
    ruleset_presets(rules, (uint8_t)row, &sheet->options);
    sheet->codec = codec_of(rules);
    sheet->notation = notation_of(rules);
    sheet->given = json_object();
    sheet->given_at = json_object();
    return (sheet->given && sheet->given_at) || no_memory(fault, line);
}

bool sheet_option(struct sheet *sheet, const char *name, json_t *value, size_t line,
                  struct sheet_fault *fault)
{
    if (!not_yet(sheet, line, fault)) {
        json_decref(value);
        return false;
    }
    if (json_object_get(sheet->given, name)) {
        json_decref(value);
        return sheet_fails(fault, line, "the option is given twice");
    }
    return (json_object_set_new(sheet->given, name, value) == 0 &&
            json_object_set_new(sheet->given_at, name, json_integer((json_int_t)line)) == 0) ||
           sheet_fails(fault, line, "this is no option");
}

bool sheet_players(struct sheet *sheet, int64_t players, size_t line, struct sheet_fault *fault)
{
    if (!not_yet(sheet, line, fault))
        return false;
    const struct ruleset *rules = sheet->codec->rules;
    if (players < rules->seats_min || players > rules->seats_max)
        return sheet_fails(fault, line, "%s is for %d to %d players", rules->id,
                           rules->seats_min, rules->seats_max);
    sheet->options.players = (uint8_t)players;
    return true;
}

static bool seat_of(const struct sheet *sheet, const char *name, size_t line, uint8_t *ret_seat,
                    struct sheet_fault *fault)
{
    *ret_seat = sheet->codec && name ? ruleset_seat(sheet->codec->rules, name) : NO_SEAT;
    return *ret_seat != NO_SEAT || sheet_fails(fault, line, "there is no such seat");
}

bool sheet_player(struct sheet *sheet, const char *seat, const char *name, size_t line,
                  struct sheet_fault *fault)
{
    uint8_t row;

    if (!seat_of(sheet, seat, line, &row, fault))
        return false;
    size_t size = strnlen(name, NAME_MAX_BYTES + 1);
    if (size > NAME_MAX_BYTES)
        for (size = NAME_MAX_BYTES; size > 0 && (name[size] & 0xc0) == 0x80;)
            size--; /* not within a character */
    memcpy(sheet->player[row], name, size);
    sheet->player[row][size] = '\0';
    for (char *at = sheet->player[row]; *at; at++)
        if ((unsigned char)*at < 0x20 || *at == 0x7f) /* would end a line */
            *at = '?';
    return true;
}

/* The line of the option that a pointer names ("/options/first"), or `line`. */
static size_t option_line(const struct sheet *sheet, const char *pointer, size_t line)
{
    const char *name = strrchr(pointer, '/');
    const json_t *at = name ? json_object_get(sheet->given_at, name + 1) : NULL;

    return at ? (size_t)json_integer_value(at) : line;
}

bool sheet_begin(struct sheet *sheet, size_t line, struct sheet_fault *fault)
{
    const struct codec *codec = sheet->codec;
    struct fault wrong = {0};

    if (!codec)
        return not_yet(sheet, line, fault);
    if (sheet->begun)
        return true;
    struct choice choice = {.ruleset = codec->rules->id,
                            .variant = codec->rules->variants[sheet->options.variant].id,
                            .options = sheet->given,
                            .players = sheet->options.players,
                            .stateless = true};
    if (!options_read(&choice, &codec, &sheet->options, &wrong))
        return sheet_fails(fault, option_line(sheet, wrong.pointer, line), "%s", wrong.detail);
    sheet->begun = true;
    return true;
}

/* Who begins must be on record: the lot that was drawn is known by now. */
static bool starter_known(const struct sheet *sheet, size_t line, struct sheet_fault *fault)
{
    int first = ruleset_option(sheet->codec->rules, "first");

    return sheet->start || sheet->options.value[first] ||
           sheet_fails(fault, line, "who begins is not said: option first SEAT");
}

static bool check_start(struct sheet *sheet, size_t line, struct sheet_fault *fault)
{
    ruling_t ruling = sheet->codec->rules->check(sheet->start);

    return ruling == ALLOWED || sheet_fails(fault, line, "impossible position: %s",
                                            sheet->codec->rules->name(ruling)->text[0]);
}

/* Room for the position; it must be the first thing. */
static bool make_start(struct sheet *sheet, size_t line, struct sheet_fault *fault)
{
    if (!sheet_begin(sheet, line, fault))
        return false;
    if (sheet->count || sheet->start)
        return sheet_fails(fault, line, "a position can only be the beginning");
    sheet->start = calloc(1, sheet->codec->rules->state_size);
    return sheet->start || no_memory(fault, line);
}

bool sheet_position(struct sheet *sheet, const char *text, size_t line,
                    struct sheet_fault *fault)
{
    struct misread misread;

    if (!make_start(sheet, line, fault))
        return false;
    if (!sheet->notation->read_state(text, &sheet->options, sheet->start, &misread))
        return misread_at(fault, line, text, &misread);
    return check_start(sheet, line, fault);
}

bool sheet_state(struct sheet *sheet, const json_t *state, json_t *history, size_t line,
                 struct sheet_fault *fault)
{
    struct fault wrong = {0};

    if (!make_start(sheet, line, fault))
        return false;
    if (!sheet->codec->read_state(state, history, &sheet->options, sheet->start, &wrong))
        return sheet_fails(fault, line, "%s: %s", wrong.pointer, wrong.detail);
    sheet->history = json_incref(history);
    return check_start(sheet, line, fault);
}

bool sheet_add(struct sheet *sheet, const struct event *event, size_t line,
               struct sheet_fault *fault)
{
    if (!sheet_begin(sheet, line, fault) || !starter_known(sheet, line, fault))
        return false;
    if (sheet->count == SHEET_ENTRIES_MAX)
        return sheet_fails(fault, line, "there are more than %d moves", SHEET_ENTRIES_MAX);
    if (sheet->count == sheet->room) {
        size_t room = sheet->room ? sheet->room * 2 : 64;
        struct sheet_entry *more = realloc(sheet->entries, room * sizeof *more);
        if (!more)
            return no_memory(fault, line);
        sheet->entries = more;
        sheet->room = room;
    }
    sheet->entries[sheet->count++] = (struct sheet_entry){(uint32_t)line, *event};
    return true;
}

bool sheet_setup(struct sheet *sheet, const char *seat, const char *letters, size_t line,
                 struct sheet_fault *fault)
{
    struct event event = {0};
    struct misread misread;
    uint8_t row;

    if (!seat_of(sheet, seat, line, &row, fault) || !sheet_begin(sheet, line, fault))
        return false;
    if (!sheet->notation->read_setup)
        return sheet_fails(fault, line, "this game has no set-up");
    if (!sheet->notation->read_setup(letters, &sheet->options, row, &event, &misread))
        return misread_at(fault, line, letters, &misread);
    return sheet_add(sheet, &event, line, fault);
}

bool sheet_deal(struct sheet *sheet, const char *letters, size_t line,
                struct sheet_fault *fault)
{
    struct misread misread;
    struct event event;

    if (!sheet_begin(sheet, line, fault))
        return false;
    if (!sheet->notation->read_deal)
        return sheet_fails(fault, line, "nothing is dealt in this game");
    if (!sheet->notation->read_deal(letters, &event, &misread))
        return misread_at(fault, line, letters, &misread);
    return sheet_add(sheet, &event, line, fault);
}

bool sheet_move(struct sheet *sheet, const char *text, size_t line, struct sheet_fault *fault)
{
    struct event event = {0};
    struct misread misread;

    if (!sheet_begin(sheet, line, fault))
        return false;
    if (!sheet->notation->read_move(text, NULL, &event, &misread))
        return misread_at(fault, line, text, &misread);
    return sheet_add(sheet, &event, line, fault);
}

bool sheet_leaves(struct sheet *sheet, enum event_kind kind, const char *seat, size_t line,
                  struct sheet_fault *fault)
{
    struct event event = {.kind = (uint8_t)kind};

    return seat_of(sheet, seat, line, &event.seat, fault) &&
           sheet_add(sheet, &event, line, fault);
}

/* Ends that no move makes. */
static const uint8_t beside_play[] = {REASON_AGREED, REASON_RESIGNED, REASON_TIME,
                                      REASON_VOID,   REASON_CHEAT,    REASON_NO_AUDIT};

bool sheet_result(struct sheet *sheet, const char *winner, const char *reason, size_t line,
                  struct sheet_fault *fault)
{
    struct event event = {.kind = EVENT_RESULT, .seat = NO_SEAT, .size = 2};
    uint8_t seat = NO_SEAT, row = REASON_NONE + 1;

    if (winner && strcmp(winner, "none") != 0 && !seat_of(sheet, winner, line, &seat, fault))
        return false;
    while (row < REASONS && (!reason || strcmp(reason_word(row), reason) != 0))
        row++;
    if (row == REASONS)
        return sheet_fails(fault, line, "this is no reason that a game ends for");
    event.data[0] = row;
    event.data[1] = seat;
    for (size_t i = 0; i < sizeof beside_play; i++)
        if (beside_play[i] == row)
            return sheet_add(sheet, &event, line, fault);
    sheet->claims = true;
    sheet->claim = (struct outcome){.reason = row, .winner = seat};
    return true;
}

void sheet_done(struct sheet *sheet)
{
    if (sheet->start)
        sodium_memzero(sheet->start, sheet->codec->rules->state_size);
    free(sheet->start);
    free(sheet->entries);
    json_decref(sheet->given);
    json_decref(sheet->given_at);
    json_decref(sheet->history);
    *sheet = (struct sheet){0};
}

/* Judging */

bool sheet_judge(const struct sheet *sheet, void *ret_state, struct sheet_verdict *ret_verdict)
{
    const struct ruleset *rules = sheet->codec->rules;
    struct sheet_verdict verdict = {.broken = sheet->count, .seat = NO_SEAT, .agrees = true};
    struct effects effects;

    if (sheet->start)
        memcpy(ret_state, sheet->start, rules->state_size);
    else
        rules->begin(ret_state, &sheet->options);
    for (size_t i = 0; i < sheet->count; i++) {
        struct event event = sheet->entries[i].event;
        if (event.kind == EVENT_MOVE)
            event.seat = sheet->codec->turn(ret_state);
        verdict.ruling = match_judge(rules, ret_state, &event);
        if (verdict.ruling != ALLOWED) {
            verdict.broken = i;
            verdict.seat = event.seat;
            break;
        }
        match_play(rules, ret_state, &event, &effects);
        verdict.played += event.kind == EVENT_MOVE;
    }
    struct outcome outcome = rules->result(ret_state);
    if (sheet->claims && verdict.ruling == ALLOWED)
        verdict.agrees =
            outcome.reason == sheet->claim.reason && outcome.winner == sheet->claim.winner;
    *ret_verdict = verdict;
    return verdict.ruling == ALLOWED;
}

/* Telling */

/* The entry that was refused, as it is written; a set-up or deal by its kind. */
static void name_entry(struct out *out, const struct sheet *sheet, const struct event *event)
{
    static const char *const kinds[EVENT_KINDS] = {
        [EVENT_DEAL] = "deal",    [EVENT_SETUP] = "setup",   [EVENT_RESIGN] = "resigns",
        [EVENT_TIMEOUT] = "time", [EVENT_RESULT] = "result",
    };

    if (event->kind == EVENT_MOVE)
        sheet->notation->write_move(out, event);
    else
        put_text(out, "%s", kinds[event->kind]);
}

static void tell_refusal(struct out *out, const struct sheet *sheet,
                         const struct sheet_verdict *verdict, int language)
{
    const struct sheet_entry *entry = &sheet->entries[verdict->broken];
    const struct refusal *refusal = sheet->codec->rules->name(verdict->ruling);
    autoout struct out name = {0};

    name_entry(&name, sheet, &entry->event);
    out_text(out, "ruling", refusal->ruling);
    out_text(out, "code", refusal->code);
    out_text(out, "detail", refusal->text[language]);
    out_text(out, "seat", ruleset_whose(sheet->codec->rules, verdict->seat));
    out_text_n(out, "broken", name.text ? name.text : "", name.size);
    out_number(out, "line", entry->line);
}

void sheet_tell(struct out *out, const struct sheet *sheet, const void *state,
                const struct sheet_verdict *verdict, int language)
{
    const struct ruleset *rules = sheet->codec->rules;

    out_text(out, "verdict", verdict->ruling == ALLOWED ? "legal" : "illegal");
    if (verdict->ruling != ALLOWED)
        tell_refusal(out, sheet, verdict, language);
    out_number(out, "played", (int64_t)verdict->played);
    out_text(out, "ruleset", rules->id);
    out_text(out, "variant", rules->variants[sheet->options.variant].id);
    if (rules->awaits(state).what != AWAIT_SETUP)
        sheet->codec->write_state(out, "state", state);
    out_text(out, "status", sheet->codec->status(state));
    to_act_write(out, rules, state);
    outcome_write(out, "result", rules, rules->result(state));
    if (sheet->claims) {
        outcome_write(out, "claimed", rules, sheet->claim);
        out_bool(out, "agrees", verdict->agrees);
    }
}

/* The command line */

static const char *const form_names[SHEET_FORMS] = {
    [SHEET_NOTATION] = "notation",
    [SHEET_JSON] = "json",
    [SHEET_GSN] = "gsn",
    [SHEET_XML] = "xml",
};

static enum sheet_form form_of(const char *name)
{
    enum sheet_form form = SHEET_NOTATION;

    while (form < SHEET_FORMS && strcmp(form_names[form], name) != 0)
        form++;
    return form;
}

static void report_result(struct out *out, const struct sheet *sheet, struct outcome outcome)
{
    const char *winner = ruleset_whose(sheet->codec->rules, outcome.winner);

    if (outcome.reason == REASON_NONE) {
        put_text(out, "the game is not over");
        return;
    }
    put_text(out, "%s wins: %s", winner ? winner : "nobody", reason_word(outcome.reason));
    if (outcome.ruling)
        put_text(out, " (%s)", sheet->codec->rules->rulings[outcome.ruling].id);
}

static void report_refusal(struct out *out, const struct sheet *sheet,
                           const struct sheet_verdict *verdict)
{
    const struct sheet_entry *entry = &sheet->entries[verdict->broken];
    const struct refusal *refusal = sheet->codec->rules->name(verdict->ruling);
    const char *seat = ruleset_whose(sheet->codec->rules, verdict->seat);

    put_text(out, "line %u: ", entry->line);
    if (entry->event.kind == EVENT_MOVE)
        put_text(out, "move %zu, ", verdict->played + 1);
    put_text(out, "%s%s", seat ? seat : "", seat ? " " : "");
    name_entry(out, sheet, &entry->event);
    put_text(out, ": %s%s%s: ", refusal->ruling ? refusal->ruling : "",
             refusal->ruling ? " " : "", refusal->code);
    put_text(out, "%s\n", refusal->text[0]);
}

static enum judged report(struct out *out, const struct sheet *sheet, const void *state,
                          const struct sheet_verdict *verdict)
{
    if (verdict->ruling != ALLOWED) {
        report_refusal(out, sheet, verdict);
        return JUDGED_BROKEN;
    }
    put_text(out, "%zu moves, all legal; ", verdict->played);
    report_result(out, sheet, sheet->codec->rules->result(state));
    if (!verdict->agrees) {
        put_text(out, ", but the record says ");
        report_result(out, sheet, sheet->claim);
    }
    put_text(out, "\n");
    return verdict->agrees ? JUDGED_GOOD : JUDGED_BROKEN;
}

static enum judged judge_sheet(const struct sheet *sheet, const char *form, struct out *out,
                               struct out *ret_written)
{
    struct sheet_fault fault = {0};
    struct sheet_verdict verdict;
    autofree void *state = calloc(1, sheet->codec->rules->state_size);

    if (!state) {
        put_text(out, "there is no memory left\n");
        return JUDGED_UNREADABLE;
    }
    sheet_judge(sheet, state, &verdict);
    enum judged judged = report(out, sheet, state, &verdict);
    if (!form || judged == JUDGED_BROKEN)
        return judged;
    if (sheet_write(ret_written, sheet, form_of(form), state, &fault))
        return judged;
    put_text(out, "%s\n", fault.what);
    return JUDGED_UNREADABLE;
}

static void put_fault(struct out *out, const struct sheet_fault *fault)
{
    put_text(out, "line %zu: ", fault->line);
    put_text(out, "%s\n", fault->what);
}

enum judged sheet_judge_text(const char *text, size_t size, const char *form,
                             struct out *report_out, struct out *ret_written)
{
    struct sheet sheet = {0};
    struct sheet_fault fault = {0};
    enum judged judged = JUDGED_UNREADABLE;

    if (form && form_of(form) == SHEET_FORMS)
        put_text(report_out, "the forms are notation, json, gsn and xml\n");
    else if (sheet_read(text, size, &sheet, &fault))
        judged = judge_sheet(&sheet, form, report_out, ret_written);
    else
        put_fault(report_out, &fault);
    sheet_done(&sheet);
    return judged;
}

bool sheet_write(struct out *out, const struct sheet *sheet, enum sheet_form form,
                 const void *state, struct sheet_fault *ret_fault)
{
    struct outcome outcome = sheet->codec->rules->result(state);

    if (form == SHEET_GSN || form == SHEET_XML)
        return sheet_write_archive(out, sheet, form, &outcome, ret_fault);
    if (form == SHEET_NOTATION && sheet->history)
        return sheet_fails(ret_fault, 0, "a history before the position is kept in json alone");
    if (form == SHEET_NOTATION)
        sheet_write_notation(out, sheet);
    else
        sheet_write_json(out, sheet);
    return true;
}
