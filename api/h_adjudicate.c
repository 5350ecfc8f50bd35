/* The stateless judge: a state and moves in, verdict, effects and the new state out. */
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/action.h"
#include "api/cleanup.h"
#include "api/events.h"
#include "api/json_read.h"
#include "api/limits.h"
#include "api/notation.h"
#include "api/options.h"
#include "api/proceed.h"
#include "api/route.h"
#include "api/sheet.h"
#include "api/text.h"
#include "api/written.h"
#include "rules/match.h"
#include "rules/rulesets.h"

struct question {
    struct choice choice;
    const char *seat_name, *position;
    json_t *state, *history, *moves, *setup, *record;
    struct written move;
    const struct codec *codec;
    struct options chosen;
    void *at;     /* the state, wiped and freed by the handler */
    uint8_t seat; /* who moves; NO_SEAT: whoever is to act */
};

static enum problem invalid(struct call *call, const char *pointer, const char *detail)
{
    fault_set(&call->fault, pointer, "%s", detail);
    return PROBLEM_INVALID_BODY;
}

/* What does not go together. */
static enum problem check_question(struct call *call, const struct question *question)
{
    bool move = question->move.move || question->move.notation;

    if (!!question->state + !!question->setup + !!question->position != 1)
        return invalid(call, "", "Give one of \"state\", \"position\" and \"setup\".");
    if (question->move.move && question->move.notation)
        return invalid(call, "/notation", "Give either \"move\" or \"notation\".");
    if (move && question->moves)
        return invalid(call, "/moves", "Give either one move or \"moves\".");
    if (question->position && question->history)
        return invalid(call, "/history", "A history needs a \"state\".");
    if (question->setup && (move || question->moves || question->history))
        return invalid(call, "/setup", "A set-up is judged alone.");
    return PROBLEM_NONE;
}

static enum problem read_question(struct call *call, struct question *question)
{
    struct field fields[] = {
        {.name = ""}, /* the move's two */
        {.name = ""},
        {.name = "ruleset", .kind = FIELD_TEXT, .value = &question->choice.ruleset},
        {.name = "record", .kind = FIELD_ANY, .value = &question->record}, /* of many lines */
        {.name = "variant", .kind = FIELD_TEXT, .value = &question->choice.variant},
        {.name = "options", .kind = FIELD_OBJECT, .value = &question->choice.options},
        {.name = "state", .kind = FIELD_OBJECT, .value = &question->state},
        {.name = "history", .kind = FIELD_ARRAY, .value = &question->history},
        {.name = "seat", .kind = FIELD_TEXT, .value = &question->seat_name},
        {.name = "position",
         .kind = FIELD_TEXT,
         .value = &question->position,
         .max = POSITION_TEXT_MAX},
        {.name = "moves",
         .kind = FIELD_ARRAY,
         .value = &question->moves,
         .max = MOVES_JUDGED_MAX},
        {.name = "setup", .kind = FIELD_OBJECT, .value = &question->setup},
    };

    written_fields(&question->move, fields);
    enum problem problem = call_body(call, fields, sizeof fields / sizeof *fields);
    if (problem)
        return problem;
    if (question->record && !json_is_string(question->record))
        return invalid(call, "/record", "This must be a string.");
    if (question->record)
        return json_object_size(call->body) == 1
                   ? PROBLEM_NONE
                   : invalid(call, "/record", "A record tells all by itself.");
    if (!question->choice.ruleset)
        return invalid(call, "/ruleset", "Give \"ruleset\", or a whole game as \"record\".");
    question->choice.stateless = true;
    if (!options_read(&question->choice, &question->codec, &question->chosen, &call->fault))
        return PROBLEM_INVALID_BODY;
    return check_question(call, question);
}

static bool read_position(struct call *call, struct question *question)
{
    const struct codec *codec = question->codec;
    struct misread misread;
    char what[160];

    if (!question->position)
        return codec->read_state(question->state, question->history, &question->chosen,
                                 question->at, &call->fault);
    if (notation_of(codec->rules)
            ->read_state(question->position, &question->chosen, question->at, &misread))
        return true;
    misread_text(&misread, what);
    return fault_set(&call->fault, "/position", "%s", what);
}

static enum problem read_state(struct call *call, struct question *question)
{
    const struct codec *codec = question->codec;

    if (!read_position(call, question))
        return PROBLEM_INVALID_BODY;
    ruling_t ruling = codec->rules->check(question->at);
    if (ruling != ALLOWED) {
        (void)call_refusal(call, codec->rules, ruling);
        return PROBLEM_IMPOSSIBLE_STATE;
    }
    question->seat = NO_SEAT;
    if (!question->seat_name)
        return PROBLEM_NONE;
    question->seat = ruleset_seat(codec->rules, question->seat_name);
    return question->seat >= question->chosen.players
               ? invalid(call, "/seat", "There is no such seat.")
               : PROBLEM_NONE;
}

static void write_where(struct out *out, const struct question *question)
{
    const struct codec *codec = question->codec;

    codec->write_state(out, "state", question->at);
    out_text(out, "status", codec->status(question->at));
    if (codec->write_verdict)
        codec->write_verdict(out, question->at);
    to_act_write(out, codec->rules, question->at);
    outcome_write(out, "result", codec->rules, codec->rules->result(question->at));
}

static void write_effects(struct out *out, const struct codec *codec,
                          const struct effects *effects)
{
    for (size_t i = 0; i < effects->count; i++) {
        const struct effect *effect = &effects->list[i];
        out_object(out, NULL);
        out_text(out, "type", codec->effect_type(effect));
        if (effect->seat != NO_SEAT)
            out_text(out, "seat", codec->rules->seats[effect->seat]);
        codec->write_effect_full(out, effect);
        out_object_end(out);
    }
}

static void write_refusal(struct out *out, const struct question *question, ruling_t ruling,
                          int language)
{
    const struct ruleset *rules = question->codec->rules;
    const struct refusal *refusal = rules->name(ruling);
    const char *id = refusal->ruling;
    struct outcome outcome = rules->result(question->at);

    if (ruling == REFUSE_NOT_YOUR_TURN)
        id = rules->turn_ruling;
    if (ruling == REFUSE_GAME_OVER && outcome.ruling)
        id = rules->rulings[outcome.ruling].id;
    out_text(out, "verdict", "illegal");
    if (strcmp(question->codec->status(question->at), "round_over") != 0)
        out_text(out, "ruling", id); /* else write_verdict() tells what ended the round */
    out_text(out, "code", refusal->code);
    out_text(out, "detail", refusal->text[language]);
}

/* Who plays the next move of a list: the seat that was named, or the one to act. */
static uint8_t mover(const struct question *question)
{
    return question->seat != NO_SEAT ? question->seat : question->codec->turn(question->at);
}

/* A round that has ended waits for a deal: no move fits, and that is "game over" here. */
static ruling_t judge(const struct question *question, struct event *event)
{
    const struct ruleset *rules = question->codec->rules;

    event->kind = EVENT_MOVE;
    event->seat = mover(question);
    if (rules->result(question->at).reason == REASON_NONE &&
        rules->awaits(question->at).what == AWAIT_DEAL)
        return REFUSE_GAME_OVER;
    return match_judge(rules, question->at, event);
}

/* Move `i` of those that were asked about; faults are where it stands. */
static bool read_move(struct call *call, const struct question *question, size_t i,
                      struct event *ret_event)
{
    const struct codec *codec = question->codec;

    if (!question->moves)
        return written_read(codec, &question->move, question->at, ret_event, &call->fault);
    return written_read_item(codec, json_array_get(question->moves, i),
                             pointer_item("/moves", i).text, question->at, ret_event,
                             &call->fault);
}

/* Plays one or several moves; the answer's members go to `out`. */
static enum problem judge_moves(struct call *call, struct question *question, struct out *out)
{
    const struct codec *codec = question->codec;
    size_t count = question->moves ? json_array_size(question->moves) : 1;
    autoout struct out told = {0};
    ruling_t ruling = ALLOWED;
    size_t played = 0;

    for (; played < count; played++) {
        struct event event = {0};
        struct effects effects;
        if (!read_move(call, question, played, &event))
            return PROBLEM_INVALID_BODY;
        ruling = judge(question, &event);
        if (ruling != ALLOWED)
            break;
        match_play(codec->rules, question->at, &event, &effects);
        write_effects(&told, codec, &effects);
    }
    if (ruling == ALLOWED)
        out_text(out, "verdict", "legal");
    else
        write_refusal(out, question, ruling, call->language);
    if (question->moves)
        out_number(out, "played", (int64_t)played);
    if (ruling == ALLOWED || question->moves) {
        out_array(out, "effects");
        out_bytes(out, told.text, told.size);
        out_array_end(out);
        write_where(out, question);
    }
    out->failed = out->failed || told.failed;
    return PROBLEM_NONE;
}

static enum problem list_moves(struct question *question, struct out *out)
{
    const struct codec *codec = question->codec;
    autofree struct event *moves = calloc(MOVES_MAX, sizeof *moves);
    struct awaiting awaiting = codec->rules->awaits(question->at);
    uint8_t seat = mover(question);
    size_t count = 0;

    if (!moves)
        return PROBLEM_UNAVAILABLE;
    if (awaiting.what == AWAIT_MOVE && seat < SEATS_MAX && awaiting.seats >> seat & 1)
        count = codec->rules->legal(question->at, seat, moves, MOVES_MAX);
    out_array(out, "moves");
    for (size_t i = 0; i < count; i++)
        codec->write_move(out, NULL, &moves[i]);
    out_array_end(out);
    out_text(out, "status", codec->status(question->at));
    to_act_write(out, codec->rules, question->at);
    outcome_write(out, "result", codec->rules, codec->rules->result(question->at));
    return PROBLEM_NONE;
}

static enum problem judge_setup(struct call *call, struct question *question, struct out *out)
{
    const struct codec *codec = question->codec;
    const char *name = NULL;
    json_t *pieces = NULL;
    struct event event = {0};
    const struct field fields[] = {
        {.name = "seat", .kind = FIELD_TEXT, .required = true, .value = &name},
        {.name = "pieces", .kind = FIELD_OBJECT, .required = true, .value = &pieces},
    };

    if (!codec->read_setup)
        return invalid(call, "/setup", "This game has no set-up.");
    if (!json_fields(question->setup, "/setup", fields, 2, &call->fault))
        return PROBLEM_INVALID_BODY;
    uint8_t seat = ruleset_seat(codec->rules, name);
    if (seat == NO_SEAT)
        return invalid(call, "/setup/seat", "There is no such seat.");
    if (!codec->read_setup(pieces, "/setup/pieces", &question->chosen, seat, &event,
                           &call->fault))
        return PROBLEM_INVALID_BODY;
    event.kind = EVENT_SETUP;
    event.seat = seat;
    codec->rules->begin(question->at, &question->chosen);
    ruling_t ruling = match_judge(codec->rules, question->at, &event);
    if (ruling == ALLOWED)
        out_text(out, "verdict", "legal");
    else
        write_refusal(out, question, ruling, call->language);
    return PROBLEM_NONE;
}

/* The answer as far as it goes, in the one form of claims: members sorted. */
static void write_said(struct out *claims, const struct out *answer)
{
    autoout struct out whole = {0};

    out_bytes(&whole, answer->text, answer->size);
    out_bytes(&whole, "}", 1);
    json_t *value = whole.failed ? NULL : json_read(whole.text, whole.size, NULL);
    autofree char *sorted = json_dumps(value, JSON_SORT_KEYS | JSON_COMPACT);
    json_decref(value);
    if (sorted)
        out_raw(claims, "said", sorted, strlen(sorted));
    else
        claims->failed = true;
}

/* Signs what was asked (by its hash) and what was said. */
static void sign_ruling(struct call *call, struct out *out)
{
    struct ports *ports = &call->api->ports;
    autoout struct out claims = {0};
    uint8_t asked[32];
    char iat[24];

    if (out->failed)
        return;
    crypto_generichash(asked, sizeof asked, (const uint8_t *)call->request->body,
                       call->request->body_size, NULL, 0);
    time_text(ports->now_ms(ports->context), iat);
    out_object(&claims, NULL);
    out_hex(&claims, "asked", asked, sizeof asked);
    out_text(&claims, "iat", iat);
    write_said(&claims, out);
    out_text(&claims, "typ", "ruling");
    out_object_end(&claims);
    if (claims.failed)
        out->failed = true;
    else
        events_write_token(out, "token", &call->api->config.signing, claims.text, claims.size);
}

/* Signs unless less is wanted, and answers. `state` is drawn where text is wanted. */
static enum problem conclude(struct call *call, struct out *out, const struct codec *codec,
                             const void *state)
{
    response_header(call->response, "Cache-Control", "private, no-store");
    if (text_wanted(call)) {
        out_object_end(out);
        return text_verdict(call, out, codec, state);
    }
    if (call->minimal)
        response_header(call->response, "Preference-Applied", "return=minimal");
    else
        sign_ruling(call, out);
    out_object_end(out);
    return call_answer(call, 200, out, false);
}

static enum problem judge_sheet(struct call *call, const struct sheet *sheet, struct out *out)
{
    struct sheet_verdict verdict;
    autofree void *state = calloc(1, sheet->codec->rules->state_size);

    if (!state)
        return PROBLEM_UNAVAILABLE;
    bool begun = sheet_judge(sheet, state, &verdict) || verdict.played;
    out_object(out, NULL);
    sheet_tell(out, sheet, state, &verdict, call->language);
    return conclude(call, out, sheet->codec, begun ? state : NULL);
}

/* A whole recorded game, of any form. */
static enum problem judge_record(struct call *call, const json_t *record, struct out *out)
{
    struct sheet sheet = {0};
    struct sheet_fault fault = {0};
    bool read =
        sheet_read(json_string_value(record), json_string_length(record), &sheet, &fault);
    enum problem problem = read ? judge_sheet(call, &sheet, out) : PROBLEM_INVALID_BODY;

    if (!read)
        fault_set(&call->fault, "/record", "line %zu: %s", fault.line, fault.what);
    sheet_done(&sheet);
    return problem;
}

static enum problem consider(struct call *call, struct question *question, struct out *out)
{
    enum problem problem;

    out_object(out, NULL);
    if (question->setup)
        problem = judge_setup(call, question, out);
    else if ((problem = read_state(call, question)))
        return problem;
    else if (question->move.move || question->move.notation || question->moves)
        problem = judge_moves(call, question, out);
    else
        problem = list_moves(question, out);
    if (problem)
        return problem;
    return conclude(call, out, question->codec, question->setup ? NULL : question->at);
}

enum problem h_adjudicate(struct call *call)
{
    struct question question = {0};
    struct out out = {0};
    enum problem problem = read_question(call, &question);

    if (problem)
        return problem;
    if (question.record) {
        problem = judge_record(call, question.record, &out);
        out_done(&out);
        return problem;
    }
    question.at = calloc(1, question.codec->rules->state_size);
    problem = question.at ? consider(call, &question, &out) : PROBLEM_UNAVAILABLE;
    if (question.at)
        sodium_memzero(question.at, question.codec->rules->state_size);
    free(question.at);
    out_done(&out);
    return problem;
}
