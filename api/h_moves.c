/* What players do: seeds, set-ups, moves, resignations, draws. */
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "api/action.h"
#include "api/cleanup.h"
#include "api/commit.h"
#include "api/deed.h"
#include "api/h_moves.h"
#include "api/route.h"
#include "api/text.h"
#include "api/written.h"
#include "rules/match.h"

enum problem h_seed(struct call *call)
{
    const struct seat *seat = fold_seat(call->fold, call->seat);
    uint8_t note[33] = {call->seat}, commitment[32];
    const struct field fields[] = {
        {.name = "seed", .kind = FIELD_HEX, .required = true, .value = note + 1, .max = 32}};
    struct action action;

    if (!seat->committed || seat->revealed)
        return call_refuse(call, PROBLEM_WRONG_STATUS, "This seat owes no seed.");
    enum problem problem = call_body(call, fields, 1);
    if (problem)
        return problem;
    commit_player_seed(call->fold->gid, 0, call->seat, note + 1, commitment);
    if (sodium_memcmp(commitment, seat->seed, 32) != 0) {
        fault_set(&call->fault, "/seed",
                  "This is not the seed that the seat has committed to.");
        return PROBLEM_INVALID_BODY;
    }
    problem = action_begin(&action, call, call->fold);
    if (problem)
        return problem;
    deed_seed(&action, note);
    return action_finish(&action, NULL, false);
}

static enum problem read_setup(struct call *call, struct event *ret_event)
{
    const struct codec *codec = call->fold->codec;
    json_t *pieces = NULL;
    const struct field fields[] = {
        {.name = "pieces", .kind = FIELD_OBJECT, .required = true, .value = &pieces}};
    struct options options = fold_options(call->fold);
    enum problem problem = call_body(call, fields, 1);

    if (problem)
        return problem;
    if (!codec->read_setup(pieces, "/pieces", &options, call->seat, ret_event, &call->fault))
        return PROBLEM_INVALID_BODY;
    ret_event->kind = EVENT_SETUP;
    ret_event->seat = call->seat;
    ruling_t ruling = match_judge(codec->rules, call->fold->state, ret_event);
    return ruling == ALLOWED ? PROBLEM_NONE : call_refusal(call, codec->rules, ruling);
}

enum problem h_setup(struct call *call)
{
    struct ports *ports = &call->api->ports;
    uint8_t note[33] = {call->seat};
    struct event event = {0};
    struct action action;
    autoout struct out more = {0};

    if (!(fold_to_act(call->fold) >> call->seat & 1))
        return call_refuse(call, PROBLEM_WRONG_STATUS, "This side has set up already.");
    if (call->fold->blinds)
        return blind_setup(call);
    enum problem problem = read_setup(call, &event);
    if (problem || (problem = action_begin(&action, call, call->fold)))
        return problem;
    ports->entropy(ports->context, note + 1, 32);
    deed_setup(&action, &event, note);
    out_hex(&more, "secret", note + 1, 32);
    sodium_memzero(note, sizeof note);
    return action_finish(&action, &more, true);
}

enum problem h_setup_get(struct call *call)
{
    const struct fold *fold = call->fold;
    struct event event;
    struct out out = {0};

    if (!fold->codec->write_setup)
        return call_refuse(call, PROBLEM_NOT_FOUND, "This game has no set-up.");
    bool done = fold->blinds ? fold->blinds->account[call->seat].slots != 0
                             : !sodium_is_zero(fold_secret(fold, call->seat), 32);
    if (!done)
        return call_refuse(call, PROBLEM_WRONG_STATUS, "This side has not set up yet.");
    out_object(&out, NULL);
    out_number(&out, "seq", fold->seq);
    if (fold->blinds) {
        blind_setup_write(&out, fold, call->seat);
    } else {
        fold->codec->setup_of(fold->state, call->seat, &event);
        fold->codec->write_setup(&out, "pieces", &event);
        out_hex(&out, "secret", fold_secret(fold, call->seat), 32);
    }
    out_object_end(&out);
    call->response->ticket = call->live->ticket;
    call_game_headers(call, fold->seq);
    return call_answer(call, 200, &out, true);
}

enum problem h_moves(struct call *call)
{
    const struct fold *fold = call->fold;
    const struct codec *codec = fold->codec;
    autofree struct event *moves = calloc(MOVES_MAX, sizeof *moves);
    struct out out = {0};
    size_t count = 0;

    if (!moves)
        return PROBLEM_UNAVAILABLE;
    if (fold->status == STATUS_PLAYING && fold_to_act(fold) >> call->seat & 1)
        count = codec->rules->legal(fold->state, call->seat, moves, MOVES_MAX);
    out_object(&out, NULL);
    out_number(&out, "seq", fold->seq);
    out_array(&out, "moves");
    for (size_t i = 0; i < count; i++)
        codec->write_move(&out, NULL, &moves[i]);
    out_array_end(&out);
    out_object_end(&out);
    call->response->ticket = call->live->ticket;
    call_game_headers(call, fold->seq);
    return text_wanted(call) ? text_moves(call, &out, true)
                             : call_answer(call, 200, &out, true);
}

enum problem read_written(struct call *call, json_t **ret_open, struct event *ret_event)
{
    struct written written = {0};
    struct field fields[WRITTEN_FIELDS + 1] = {
        [WRITTEN_FIELDS] = {.name = "open", .kind = FIELD_OBJECT, .value = ret_open}};

    written_fields(&written, fields);
    enum problem problem = call_body(call, fields, WRITTEN_FIELDS + (ret_open != NULL));
    if (problem)
        return problem;
    if (!call->body)
        return call_refuse(call, PROBLEM_BAD_REQUEST, "A move is wanted, and no body came.");
    if (!written_read(call->fold->codec, &written, call->fold->state, ret_event, &call->fault))
        return PROBLEM_INVALID_BODY;
    ret_event->kind = EVENT_MOVE;
    ret_event->seat = call->seat;
    return PROBLEM_NONE;
}

enum problem h_move(struct call *call)
{
    const struct codec *codec = call->fold->codec;
    struct event event = {0};
    struct action action;

    if (call->fold->blinds)
        return blind_move(call);
    enum problem problem = read_written(call, NULL, &event);
    if (problem)
        return problem;
    ruling_t ruling = match_judge(codec->rules, call->fold->state, &event);
    if (ruling != ALLOWED)
        return call_refusal(call, codec->rules, ruling);
    problem = action_begin(&action, call, call->fold);
    if (problem)
        return problem;
    action_play(&action, &event);
    return action_finish(&action, NULL, false);
}

enum problem h_resign(struct call *call)
{
    const struct ruleset *rules = call->fold->codec->rules;
    struct event event = {.kind = EVENT_RESIGN, .seat = call->seat};
    struct action action;
    enum problem problem = call_body(call, NULL, 0);

    if (problem)
        return problem;
    ruling_t ruling = match_judge(rules, call->fold->state, &event);
    if (ruling != ALLOWED)
        return call_refusal(call, rules, ruling);
    problem = action_begin(&action, call, call->fold);
    if (problem)
        return problem;
    deed_resign(&action, call->seat);
    return action_finish(&action, NULL, false);
}

/* A draw is agreed when every seat still in has offered or accepted. */
enum problem h_draw(struct call *call)
{
    const char *word = NULL;
    const struct field fields[] = {
        {.name = "action", .kind = FIELD_TEXT, .required = true, .value = &word}};
    struct action action;
    enum problem problem = call_body(call, fields, 1);

    if (problem)
        return problem;
    enum draw what = DRAW_DECLINE;
    if (strcmp(word, "offer") == 0)
        what = DRAW_OFFER;
    else if (strcmp(word, "accept") == 0)
        what = DRAW_ACCEPT;
    else if (strcmp(word, "decline") != 0) {
        fault_set(&call->fault, "/action", "The action is offer, accept or decline.");
        return PROBLEM_INVALID_BODY;
    }
    const char *fault = fold_draw_fault(call->fold, call->seat, what);
    if (fault)
        return call_refuse(call, PROBLEM_WRONG_STATUS, "%s", fault);
    if ((problem = action_begin(&action, call, call->fold)))
        return problem;
    deed_draw(&action, call->seat, what);
    return action_finish(&action, NULL, false);
}
