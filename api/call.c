#include "api/call.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAD_TO = 512 };

void api_passed(struct api *api, int64_t now_ms)
{
    int64_t latest_ms = atomic_load_explicit(&api->latest_ms, memory_order_relaxed);

    while (now_ms > latest_ms &&
           !atomic_compare_exchange_weak_explicit(&api->latest_ms, &latest_ms, now_ms,
                                                  memory_order_relaxed, memory_order_relaxed))
        ;
}

enum problem call_refuse(struct call *call, enum problem problem, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    (void)vsnprintf(call->detail, sizeof call->detail, format, arguments);
    va_end(arguments);
    return problem;
}

enum problem call_refusal(struct call *call, const struct ruleset *rules, ruling_t ruling)
{
    const struct refusal *refusal = rules->name(ruling);

    call->ruling = refusal->ruling;
    call->reason = refusal->code;
    call_refuse(call, PROBLEM_NONE, "%s", refusal->text[call->language]);
    if (ruling == REFUSE_NOT_YOUR_TURN)
        return PROBLEM_NOT_YOUR_TURN;
    if (ruling == REFUSE_GAME_OVER)
        return PROBLEM_GAME_OVER;
    if (ruling == REFUSE_WRONG_TIME)
        return PROBLEM_WRONG_STATUS;
    return PROBLEM_ILLEGAL_MOVE;
}

static enum problem fault_problem(const struct call *call)
{
    if (call->fault.memory)
        return PROBLEM_UNAVAILABLE;
    return call->fault.syntax ? PROBLEM_BAD_REQUEST : PROBLEM_INVALID_BODY;
}

enum problem call_body(struct call *call, const struct field *fields, size_t count)
{
    const struct request *request = call->request;
    bool needed = false;

    for (size_t i = 0; i < count; i++)
        needed = needed || fields[i].required;
    if (!request->body_size && !needed)
        return PROBLEM_NONE;
    call->body = json_gate(request->body, request->body_size, &call->fault);
    if (!call->body || !json_fields(call->body, "", fields, count, &call->fault))
        return fault_problem(call);
    return PROBLEM_NONE;
}

int64_t call_now_ms(const struct call *call)
{
    const struct ports *ports = &call->api->ports;

    return ports->now_ms(ports->context);
}

uint8_t call_viewer(const struct call *call)
{
    return call->role == ROLE_SEAT ? call->seat : NO_SEAT;
}

/* `,"pad":"...."` before the last brace brings the answer to a multiple of 512 bytes. */
static void pad(struct out *out)
{
    static const char lead[] = ",\"pad\":\"";
    size_t with = out->size + sizeof lead - 1 + 1 + 1; /* quote, newline */
    size_t more = (PAD_TO - with % PAD_TO) % PAD_TO;
    char dots[PAD_TO];

    if (out->failed)
        return;
    out->size--; /* the brace */
    memset(dots, '.', more);
    out_bytes(out, lead, sizeof lead - 1);
    out_bytes(out, dots, more);
    out_bytes(out, "\"}", 2);
}

enum problem call_answer(struct call *call, unsigned status, struct out *out, bool padded)
{
    struct response *response = call->response;

    if (padded)
        pad(out);
    out_bytes(out, "\n", 1);
    response->body = out_take(out, &response->size);
    if (!response->body)
        return PROBLEM_UNAVAILABLE;
    response->status = status;
    response->content_type = "application/json";
    return PROBLEM_NONE;
}

enum problem call_wait(struct call *call, int64_t ms)
{
    const struct ports *ports = &call->api->ports;
    struct response *response = call->response;

    response->kind = RESPONSE_WAIT;
    memcpy(response->gid, call->gid, sizeof response->gid);
    response->wait_until_ms = ports->now_ms(ports->context) + ms;
    return PROBLEM_NONE;
}

void call_game_headers(struct call *call, uint32_t seq)
{
    uint8_t viewer = call_viewer(call);
    const struct fold *fold = call->fold;
    const char *name = viewer == NO_SEAT || !fold ? "s" : fold->codec->rules->seats[viewer];

    response_header(call->response, "ETag", "\"%u.%s\"", seq, name);
    response_header(call->response, "Cache-Control", "private, no-store");
}

const char *call_query(const struct call *call, const char *name)
{
    for (size_t i = 0; i < call->request->query_count; i++)
        if (strcmp(call->request->query[i].name, name) == 0)
            return call->request->query[i].value;
    return NULL;
}

enum problem call_number(struct call *call, const char *name, const char *text, int64_t min,
                         int64_t max, int64_t *value)
{
    int64_t number = 0;

    if (!text)
        return PROBLEM_NONE;
    for (const char *at = text; *at >= '0' && *at <= '9' && number <= max; at++)
        number = number * 10 + (*at - '0');
    if (!*text || text[strspn(text, "0123456789")] || number < min || number > max)
        return call_refuse(call, PROBLEM_BAD_REQUEST, "%s is a number from %lld to %lld.", name,
                           (long long)min, (long long)max);
    *value = number;
    return PROBLEM_NONE;
}
