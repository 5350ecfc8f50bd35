/* For who runs the referee: is it alive, can it work, and its figures. */
#include <stdatomic.h>

#include "api/route.h"

enum {
    PROBE_MS = 5000, /* between two tries whether the store can be written, at least */
    BACK_MS = 2000,  /* so far clocks may go back, as they are set right */
};

static enum problem say_ok(struct call *call)
{
    struct out out = {0};

    out_object(&out, NULL);
    out_text(&out, "status", "ok");
    out_object_end(&out);
    response_header(call->response, "Cache-Control", "no-cache");
    return call_answer(call, 200, &out, false);
}

enum problem h_health(struct call *call)
{
    return say_ok(call);
}

/* A change that changes nothing is written, as seldom as not to be a burden, however often it
 * is asked; the answer waits for the last one, and is 503 if that one failed. */
static int probe(struct api *api, int64_t now_ms, uint64_t *ret_ticket)
{
    struct ports *ports = &api->ports;
    int error = 0;

    pthread_mutex_lock(&api->probing);
    if (!api->probe || now_ms < api->probed_ms || now_ms - api->probed_ms >= PROBE_MS) {
        struct change change = {.epoch = ports->epoch(ports->context), .probe = true};
        error = ports->append(ports->context, &change, &api->probe);
        if (!error)
            api->probed_ms = now_ms;
    }
    *ret_ticket = api->probe;
    pthread_mutex_unlock(&api->probing);
    return error;
}

/* Ready is who can read and write the store and has a clock that is not lost. */
enum problem h_ready(struct call *call)
{
    const int64_t sane_ms = INT64_C(1700000000000);
    struct api *api = call->api;
    int64_t now_ms = api->ports.now_ms(api->ports.context);
    uint8_t gid[16];

    if (now_ms < sane_ms)
        return call_refuse(call, PROBLEM_UNAVAILABLE, "The clock stands in the past.");
    if (now_ms + BACK_MS < atomic_load_explicit(&api->latest_ms, memory_order_relaxed))
        return call_refuse(call, PROBLEM_UNAVAILABLE,
                           "The clock stands before what was written last.");
    api_passed(api, now_ms);
    if (api->ports.credential_known(api->ports.context, 0, gid) < 0)
        return call_refuse(call, PROBLEM_UNAVAILABLE, "The store cannot be read.");
    call->response->probe = true;
    if (probe(api, now_ms, &call->response->ticket))
        return call_refuse(call, PROBLEM_UNAVAILABLE, "The store cannot be written.");
    return say_ok(call);
}

enum problem metrics_answer(struct call *call)
{
    struct ports *ports = &call->api->ports;
    struct response *response = call->response;
    struct out out = {0};

    if (!ports->metrics)
        return PROBLEM_NOT_FOUND;
    ports->metrics(ports->context, call->role == ROLE_OPERATOR, &out);
    response->body = out_take(&out, &response->size);
    if (!response->body)
        return PROBLEM_UNAVAILABLE;
    response->content_type = "text/plain; version=0.0.4; charset=utf-8";
    response_header(response, "Cache-Control", "no-store");
    return PROBLEM_NONE;
}

/* What has happened is for all; who asks for what, and in vain, for the operator alone: another
 * player's refused moves are nobody's business. */
enum problem h_metrics(struct call *call)
{
    return call->api->config.metrics_elsewhere ? PROBLEM_NOT_FOUND : metrics_answer(call);
}
