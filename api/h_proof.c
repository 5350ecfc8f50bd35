/* Proof: the transcript of a game that is over, and the verifier. */
#include <stdlib.h>
#include <string.h>

#include "api/action.h"
#include "api/cleanup.h"
#include "api/route.h"
#include "api/transcript.h"
#include "api/verify.h"

enum problem h_transcript(struct call *call)
{
    struct out out = {0};

    if (call->fold->status != STATUS_OVER && call->fold->status != STATUS_ABORTED)
        return call_refuse(
            call, PROBLEM_WRONG_STATUS,
            "The transcript opens everything: it is there when the game is over.");
    if (games_pending(&call->api->games, call->live))
        return call_wait(call, 1000);
    int error = transcript_write(&out, call->api, call->fold);
    enum problem problem = error ? problem_of_errno(error) : PROBLEM_NONE;
    if (!problem) {
        call_game_headers(call, call->fold->seq);
        problem = call_answer(call, 200, &out, false);
    }
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
