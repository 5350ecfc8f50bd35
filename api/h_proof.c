/* Proof: the transcript of a game that is over, and the verifier. */
#include <errno.h>
#include <sodium.h>
#include <string.h>

#include "api/action.h"
#include "api/cleanup.h"
#include "api/events.h"
#include "api/proceed.h"
#include "api/replay.h"
#include "api/route.h"
#include "api/verify.h"
#include "api/view.h"

/* The record is read twice in one pass: tokens go out at once, openings are kept for later. */
struct telling {
    struct call *call;
    struct out *out, openings;
    struct fold *fold; /* the game as it grows */
    uint32_t seq;
};

static void tell_tokens(struct telling *telling, const struct record *record)
{
    const char *at = record->claims, *end = at + record->claims_size;

    while (at < end) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        size_t size = (size_t)((stop ? stop : end) - at);
        out_object(telling->out, NULL);
        out_number(telling->out, "seq", ++telling->seq);
        events_write_token(telling->out, "token", &telling->call->api->config.signing, at,
                           size);
        out_object_end(telling->out);
        at += size + 1;
    }
}

static bool is_deal(const struct note_view *note)
{
    return note->kind == NOTE_EVENT && note->size && note->payload[0] == EVENT_DEAL;
}

static int tell_record(void *arg, const struct record *record)
{
    struct telling *telling = arg;
    struct fold *fold = telling->fold;
    autofree uint8_t *notes = NULL;
    struct note_view note;
    struct effects effects;
    size_t size = 0, at = 0;
    int error =
        record_open(telling->call->api->config.store_key, fold->gid, record, &notes, &size);

    if (error)
        return error;
    while (note_next(notes, size, &at, &note)) {
        if (!fold_note(fold, &note, &effects))
            error = -EILSEQ;
        if (!error && is_deal(&note) && fold->codec->component == COMPONENT_CARD)
            openings_write(&telling->openings, fold);
    }
    tell_tokens(telling, record);
    sodium_memzero(notes, size);
    return error;
}

static enum problem tell(struct telling *telling)
{
    struct call *call = telling->call;
    struct ports *ports = &call->api->ports;
    struct out *out = telling->out;
    char id[24];

    gid_text(call->fold->gid, id);
    out_object(out, NULL);
    out_text(out, "format", "refereed-transcript/1");
    out_text(out, "id", id);
    out_array(out, "keys");
    out_text(out, NULL, call->api->config.signing.paserk);
    out_array_end(out);
    out_array(out, "events");
    int error = ports->records(ports->context, call->gid, 0, tell_record, telling);
    if (error)
        return problem_of_errno(error);
    out_array_end(out);
    secrets_write(out, call->fold);
    out_array(out, "openings");
    if (call->fold->started && call->fold->codec->component != COMPONENT_CARD)
        openings_write(out, call->fold);
    out_bytes(out, telling->openings.text, telling->openings.size);
    out_array_end(out);
    result_write(out, "result", call->fold);
    out_object_end(out);
    out->failed = out->failed || telling->openings.failed;
    return PROBLEM_NONE;
}

enum problem h_transcript(struct call *call)
{
    struct out out = {0};
    struct telling telling = {.call = call, .out = &out};

    if (call->fold->status != STATUS_OVER && call->fold->status != STATUS_ABORTED)
        return call_refuse(
            call, PROBLEM_WRONG_STATUS,
            "The transcript opens everything: it is there when the game is over.");
    if (games_pending(&call->api->games, call->live)) {
        return call_wait(call, 1000);
    }
    telling.fold = fold_new(call->fold->codec, fold_seats(call->fold), call->gid);
    enum problem problem = telling.fold ? tell(&telling) : PROBLEM_UNAVAILABLE;
    if (!problem) {
        call_game_headers(call, call->fold->seq);
        problem = call_answer(call, 200, &out, false);
    }
    fold_free(telling.fold);
    out_done(&telling.openings);
    out_done(&out);
    return problem;
}

/* A token is held against the referee's own keys, unless another is named. */
static void verify_own(const struct call *call, const char *token, const char *key,
                       struct out *out)
{
    const struct api_config *config = &call->api->config;
    size_t count = config->old_key_count + 1;
    autofree uint8_t(*keys)[32] = calloc(count, sizeof *keys);

    if (!keys) {
        out->failed = true;
        return;
    }
    memcpy(keys[0], config->signing.public_key, 32);
    for (size_t i = 1; i < count; i++)
        memcpy(keys[i], config->old_public_keys[i - 1], 32);
    verify_token(token, key, (const uint8_t(*)[32])keys, count, out);
}

enum problem h_verify(struct call *call)
{
    const char *token = NULL, *key = NULL;
    json_t *transcript = NULL;
    const struct field fields[] = {
        {.name = "token", .kind = FIELD_TEXT, .value = &token, .max = 64 * 1024},
        {.name = "transcript", .kind = FIELD_OBJECT, .value = &transcript},
        {.name = "key", .kind = FIELD_TEXT, .value = &key},
    };
    struct out out = {0};
    enum problem problem = call_body(call, fields, sizeof fields / sizeof *fields);

    if (problem)
        return problem;
    if (!token == !transcript) {
        fault_set(&call->fault, "", "Give either \"token\" or \"transcript\".");
        return PROBLEM_INVALID_BODY;
    }
    if (transcript && pthread_mutex_trylock(&call->api->verifying) != 0)
        return call_refuse(
            call, PROBLEM_UNAVAILABLE,
            "Another transcript is being verified; refereed verify does it too.");
    if (transcript) {
        verify_transcript(transcript, key, &out);
        pthread_mutex_unlock(&call->api->verifying);
    } else
        verify_own(call, token, key, &out);
    response_header(call->response, "Cache-Control", "private, no-store");
    return call_answer(call, 200, &out, false);
}
