#include "api/api.h"

#include <errno.h>
#include <sodium.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "api/base64.h"
#include "api/call.h"
#include "api/commit.h"
#include "api/kept.h"
#include "api/route.h"
#include "rules/rulesets.h"

struct api *api_new(const struct api_config *config, const struct ports *ports)
{
    struct api *api = calloc(1, sizeof *api);

    if (!api)
        return NULL;
    api->config = *config;
    api->ports = *ports;
    api->started_ms = ports->now_ms(ports->context);
    api->latest_ms = config->written_ms;
    pthread_mutex_init(&api->probing, NULL);
    pthread_mutex_init(&api->creating, NULL);
    pthread_mutex_init(&api->verifying, NULL);
    origins_init(&api->origins);
    if (origins_set(&api->origins, config->origins) ||
        games_init(&api->games, &api->ports, api->config.store_key, config->games_in_memory) ||
        recent_init(&api->recent)) {
        api_free(api);
        return NULL;
    }
    return api;
}

void api_free(struct api *api)
{
    if (!api)
        return;
    games_done(&api->games);
    recent_done(&api->recent);
    origins_done(&api->origins);
    pthread_mutex_destroy(&api->creating);
    pthread_mutex_destroy(&api->verifying);
    pthread_mutex_destroy(&api->probing);
    sodium_memzero(api, sizeof *api);
    free(api);
}

int api_allow_origins(struct api *api, const char *const *origins)
{
    return origins_set(&api->origins, origins);
}

void response_done(struct response *response)
{
    if (response->body)
        sodium_memzero(response->body, response->size);
    free(response->body);
    response->body = NULL;
}

void response_init(struct response *response)
{
    memset(response, 0, offsetof(struct response, text));
    response->status = 200;
    response->route = "-";
}

void response_bare(struct response *response)
{
    response->header_count = response->text_size = 0;
}

bool response_header(struct response *response, const char *name, const char *format, ...)
{
    size_t room = sizeof response->text - response->text_size;
    char *text = response->text + response->text_size;
    va_list arguments;

    if (response->header_count == HEADERS_MAX)
        return false;
    if (strchr(format, '%')) {
        va_start(arguments, format);
        int size = vsnprintf(text, room, format, arguments);
        va_end(arguments);
        if (size < 0 || (size_t)size >= room)
            return false;
        response->headers[response->header_count++] =
            (struct header){name, NULL, response->text_size};
        response->text_size += (size_t)size + 1;
    } else {
        response->headers[response->header_count++] = (struct header){name, format, 0};
    }
    return true;
}

const char *response_value(const struct response *response, size_t i)
{
    const struct header *header = &response->headers[i];

    return header->constant ? header->constant : response->text + header->at;
}

/* "Bearer rfs_..." to the credential's hash. */
static enum problem read_credential(struct call *call)
{
    const char *text = call->request->authorization;
    uint8_t secret[32];

    if (!text)
        return PROBLEM_NONE;
    if (strncasecmp(text, "Bearer ", 7) != 0 || strncmp(text + 7, "rfs_", 4) != 0 ||
        !base64_decode(text + 11, strlen(text + 11), secret, sizeof secret))
        return call_refuse(call, PROBLEM_UNAUTHORIZED,
                           "A credential is sent as: Authorization: Bearer rfs_...");
    commit_credential(secret, call->credential);
    sodium_memzero(secret, sizeof secret);
    call->has_credential = true;
    return PROBLEM_NONE;
}

static bool equal(const uint8_t *a, const uint8_t *b)
{
    return sodium_memcmp(a, b, 32) == 0;
}

/* Known to this game? All are compared, whichever fits. */
static void find_role(struct call *call)
{
    const struct fold *fold = call->fold;

    call->role = ROLE_NONE;
    call->seat = NO_SEAT;
    if (!sodium_is_zero(call->api->config.operator_hash, 32) &&
        equal(call->credential, call->api->config.operator_hash))
        call->role = ROLE_OPERATOR;
    if (fold && equal(call->credential, fold->host))
        call->role = ROLE_HOST;
    for (uint8_t i = 0; fold && i < fold_seats(fold); i++) {
        if (!equal(call->credential, fold_seat(fold, i)->hash))
            continue;
        call->role = fold_seat(fold, i)->taken ? ROLE_SEAT : ROLE_INVITE;
        call->seat = i;
    }
}

/* A credential of another game is known, but not for this (403); one that never was, or no
 * longer is, is not (401). */
static enum problem unknown_credential(struct call *call)
{
    struct ports *ports = &call->api->ports;
    uint64_t id = commit_id(call->credential);
    uint8_t gid[16];

    int known = ports->credential_known(ports->context, id, gid);
    if (known < 0)
        return problem_of_errno(known);
    if (known && memcmp(gid, call->gid, 16) != 0)
        return PROBLEM_FORBIDDEN;
    return call_refuse(call, PROBLEM_UNAUTHORIZED,
                       "This credential is unknown, spent or revoked.");
}

/* Where no game is concerned any credential will do that is one. */
static enum problem known_anywhere(struct call *call)
{
    enum problem problem = unknown_credential(call);

    if (problem != PROBLEM_FORBIDDEN)
        return problem;
    return PROBLEM_NONE;
}

static enum problem check_role(struct call *call)
{
    uint8_t who = call->route->who;

    if (who == WHO_ANYONE && !call->has_credential)
        return PROBLEM_NONE;
    if (call->has_credential)
        find_role(call);
    if (call->has_credential && call->role == ROLE_NONE)
        return who == WHO_ANYONE ? known_anywhere(call) : unknown_credential(call);
    if (who == WHO_ANYONE)
        return PROBLEM_NONE;
    if (who == WHO_VIEWER)
        return call->fold->spectators || call->role == ROLE_SEAT || call->role == ROLE_HOST ||
                       call->role == ROLE_OPERATOR
                   ? PROBLEM_NONE
                   : PROBLEM_FORBIDDEN;
    if (!call->has_credential)
        return call_refuse(call, PROBLEM_UNAUTHORIZED,
                           "This needs: Authorization: Bearer rfs_...");
    if ((who == WHO_SEAT && call->role == ROLE_SEAT) ||
        (who == WHO_HOST && (call->role == ROLE_HOST || call->role == ROLE_OPERATOR)) ||
        (who == WHO_OPERATOR && call->role == ROLE_OPERATOR) ||
        (who == WHO_INVITE && call->role == ROLE_INVITE && call->seat == call->path_seat))
        return PROBLEM_NONE;
    return PROBLEM_FORBIDDEN;
}

static enum problem take_game(struct call *call)
{
    const char *id = call->params[0];

    if (!base64_decode(id, strlen(id), call->gid, sizeof call->gid))
        return call_refuse(call, PROBLEM_NOT_FOUND, "There is no game with that id.");
    int error = games_take(&call->api->games, call->gid, &call->live);
    if (error == -ENOENT)
        return call_refuse(call, PROBLEM_NOT_FOUND, "There is no game with that id.");
    if (error == -EILSEQ)
        return call_refuse(call, PROBLEM_INTERNAL, "The log of this game is damaged.");
    if (error)
        return problem_of_errno(error);
    call->fold = call->live->fold;
    call->path_seat = ruleset_seat(call->fold->codec->rules, call->params[1]);
    if (call->params[1][0] && call->path_seat >= fold_seats(call->fold))
        return call_refuse(call, PROBLEM_NOT_FOUND, "This game has no such seat.");
    return PROBLEM_NONE;
}

/* If-Match: "17" or "17.left"; the seq alone counts. */
static enum problem check_match(struct call *call)
{
    const char *text = call->request->if_match;
    char *end;

    if (!text || strcmp(text, "*") == 0)
        return PROBLEM_NONE;
    if (*text != '"' || text[1] < '0' || text[1] > '9')
        return call_refuse(call, PROBLEM_BAD_REQUEST,
                           "If-Match has the form \"17\" or \"17.left\", as ETag gives it.");
    errno = 0;
    unsigned long long seq = strtoull(text + 1, &end, 10);
    if (*end == '.')
        end += 1 + strspn(end + 1, "abcdefghijklmnopqrstuvwxyz");
    if (strcmp(end, "\"") != 0 || errno)
        return call_refuse(call, PROBLEM_BAD_REQUEST,
                           "If-Match has the form \"17\" or \"17.left\", as ETag gives it.");
    if (seq == call->fold->seq)
        return PROBLEM_NONE;
    return call_refuse(call, PROBLEM_STALE, "The game is at seq %u, not at %llu.",
                       call->fold->seq, seq);
}

static enum problem check_status(struct call *call)
{
    uint8_t status = call->fold->status;

    if (!call->route->statuses || call->route->statuses >> status & 1)
        return PROBLEM_NONE;
    if (status == STATUS_OVER || status == STATUS_ABORTED)
        return PROBLEM_GAME_OVER;
    return call_refuse(call, PROBLEM_WRONG_STATUS, "The status of the game is %s.",
                       status_word(status));
}

/* Another daemon's change came first, and this one hangs on the turn: whoever sent it must see
 * the board before he moves again. Everything else is simply done now, as if it had queued. */
static enum problem check_lost(struct call *call)
{
    if (!call->request->lost || !(call->route->flags & ROUTE_TURN))
        return PROBLEM_NONE;
    return call_refuse(call, PROBLEM_STALE,
                       "Something else was done first: the game is at seq %u.",
                       call->fold->seq);
}

static enum problem check_turn(struct call *call)
{
    if (!(call->route->flags & ROUTE_TURN) || fold_to_act(call->fold) >> call->seat & 1)
        return PROBLEM_NONE;
    call->ruling = call->fold->codec->rules->turn_ruling;
    return PROBLEM_NOT_YOUR_TURN;
}

/* Credential, replay, status, If-Match, turn: in this order, before any body is read. */
static enum problem check_change(struct call *call, bool *ret_answered)
{
    enum problem problem = kept_find(call, call->route->flags & ROUTE_SECRET, ret_answered);

    if (problem || *ret_answered || !call->fold)
        return problem;
    if ((problem = check_lost(call)) || (problem = check_status(call)) ||
        (problem = check_match(call)))
        return problem;
    return check_turn(call);
}

static enum problem change(struct call *call)
{
    bool answered = false;
    enum problem problem = check_change(call, &answered);

    return problem || answered ? problem : call->route->handle(call);
}

/* An invite is spent by the very answer that may have been lost on the way: with its key it
 * gives that answer again. */
static enum problem check_spent(struct call *call, enum problem problem, bool *ret_answered)
{
    if (problem != PROBLEM_UNAUTHORIZED || call->route->who != WHO_INVITE ||
        !call->has_credential)
        return problem;
    enum problem kept = kept_find(call, true, ret_answered);
    /* An answer that cannot be read just now is no reason to say that there is none. */
    bool lost = kept == PROBLEM_UNAVAILABLE || kept == PROBLEM_STORAGE_FULL;
    if (!*ret_answered && !lost && kept != PROBLEM_IDEMPOTENCY_CONFLICT)
        return call_refuse(call, problem, "This credential is unknown, spent or revoked.");
    call->detail[0] = '\0';
    return kept;
}

static enum problem answer(struct call *call)
{
    enum problem problem = read_credential(call);
    bool answered = false;

    if (!problem && call->route->who != WHO_ANYONE)
        problem = take_game(call);
    if (!problem)
        problem = check_spent(call, check_role(call), &answered);
    if (problem || answered)
        return problem;
    if (!(call->route->flags & ROUTE_CHANGE))
        return call->route->handle(call);
    /* A game's lock is held already; what makes a game has none, and the same key could come
     * twice at once. */
    bool keyed = !call->live && call->request->idempotency_key;
    if (keyed)
        pthread_mutex_lock(&call->api->creating);
    problem = change(call);
    if (keyed)
        pthread_mutex_unlock(&call->api->creating);
    return problem;
}

/* The seq is told to those who may see the game. */
static bool may_see(const struct call *call)
{
    return call->fold && (call->fold->spectators || call->role != ROLE_NONE);
}

static void tell_problem(struct call *call, enum problem problem)
{
    struct problem_extra extra = {.detail = call->detail[0] ? call->detail : NULL,
                                  .ruling = call->ruling,
                                  .reason = call->reason,
                                  .seq = -1};

    /* Of what may be lost nothing is told. */
    bool told =
        may_see(call) && problem != PROBLEM_UNAVAILABLE && problem != PROBLEM_STORAGE_FULL;
    if (told)
        extra.seq = call->fold->seq;
    call->response->ruling = call->fold ? call->ruling : NULL;
    if (call->fault.detail[0]) {
        extra.detail = call->fault.detail;
        extra.pointer = call->fault.syntax ? NULL : call->fault.pointer;
    }
    if (problem != PROBLEM_METHOD_NOT_ALLOWED) /* whose Allow stands there already */
        response_bare(call->response); /* else they are of an answer that was not kept */
    if (told)
        call_game_headers(call, call->fold->seq);
    problem_answer(problem, call->language, &extra, call->response);
    if (told && call->response->problem == problem)
        call->response->ticket = call->live->ticket; /* what `seq` rests on */
}

static void cors(struct api *api, const struct request *request, struct response *response)
{
    if (!request->origin || !origins_allow(&api->origins, request->origin))
        return;
    response_header(response, "Access-Control-Allow-Origin", "%s", request->origin);
    response_header(
        response, "Access-Control-Expose-Headers",
        "ETag, Location, Retry-After, Last-Event-ID, Preference-Applied, X-Request-Id");
}

static enum problem preflight(struct call *call)
{
    if (!call->response->header_count) /* no Allow: no such path */
        return PROBLEM_NOT_FOUND;
    call->response->status = 204;
    if (call->request->origin && call->request->request_method) {
        response_header(call->response, "Access-Control-Allow-Methods", "GET, HEAD, POST");
        response_header(call->response, "Access-Control-Allow-Headers",
                        "Authorization, Content-Type, If-Match, Idempotency-Key, Prefer, "
                        "Last-Event-ID, Accept-Language");
        response_header(call->response, "Access-Control-Max-Age", "600");
    }
    return PROBLEM_NONE;
}

/* Host without its port, against the configured names. */
static bool host_allowed(const struct call *call)
{
    const char *host = call->request->host;
    char name[128];

    if (!call->api->config.hosts)
        return true;
    if (!host)
        return false;
    size_t size = host[0] == '[' ? strcspn(host, "]") + 1 : strcspn(host, ":");
    if (size >= sizeof name)
        return false;
    memcpy(name, host, size);
    name[size] = '\0';
    return listed(call->api->config.hosts, name);
}

static bool is_json(const char *content_type)
{
    size_t size = content_type ? strcspn(content_type, "; ") : 0;

    return size == 16 && strncasecmp(content_type, "application/json", size) == 0;
}

/* What can be said of a request before anybody is looked up. */
static enum problem check_framing(struct call *call)
{
    const struct request *request = call->request;

    if (!host_allowed(call))
        return call_refuse(call, PROBLEM_BAD_REQUEST, "This host name is not served here.");
    if (request->body_size > BODY_MAX && request->body_size > api_body_max(request))
        return PROBLEM_TOO_LARGE;
    for (size_t i = 0; i < request->query_count; i++)
        if (strstr(request->query[i].value, "rfs_") || strstr(request->query[i].name, "rfs_"))
            return call_refuse(call, PROBLEM_BAD_REQUEST,
                               "A credential never goes into an address. Treat it as known to "
                               "others now, and send it as: Authorization: Bearer rfs_...");
    if (request->body_size && strcmp(request->method, "GET") != 0 &&
        !is_json(request->content_type))
        return PROBLEM_UNSUPPORTED_MEDIA_TYPE;
    return PROBLEM_NONE;
}

static enum problem run(struct call *call)
{
    enum problem problem = check_framing(call);

    if (problem)
        return problem;
    call->route = route_find(call);
    if (strcmp(call->request->method, "OPTIONS") == 0)
        return preflight(call);
    if (!call->route)
        return call->response->header_count ? PROBLEM_METHOD_NOT_ALLOWED : PROBLEM_NOT_FOUND;
    call->response->route = call->route->pattern;
    call->response->row = (uint8_t)(call->route - routes + 1);
    return answer(call);
}

/* One of the preferences is return=minimal (RFC 7240, section 2; case aside, quoted or not). */
static bool prefers_minimal(const char *prefer)
{
    for (const char *at = prefer; at && *at; at += strspn(at, ", \t")) {
        size_t size = strcspn(at, ",;");
        while (size && (at[size - 1] == ' ' || at[size - 1] == '\t'))
            size--;
        if ((size == 14 && strncasecmp(at, "return=minimal", 14) == 0) ||
            (size == 16 && strncasecmp(at, "return=\"minimal\"", 16) == 0))
            return true;
        at += strcspn(at, ",");
    }
    return false;
}

/* Headers that every answer has, whoever made it. */
static void common_headers(struct api *api, const struct request *request,
                           struct response *response)
{
    response_header(response, "Vary", "Authorization, Accept-Language, Origin");
    cors(api, request, response);
}

static enum problem run_once(struct call *call, struct api *api, const struct request *request,
                             struct response *ret_response)
{
    *call = (struct call){.api = api,
                          .request = request,
                          .response = ret_response,
                          .language = language_of(request->accept_language),
                          .minimal = prefers_minimal(request->prefer),
                          .seat = NO_SEAT,
                          .path_seat = NO_SEAT};
    response_init(ret_response);
    return run(call);
}

/* Where others write to the same store a refusal may rest on a game that has gone on without
 * us: a turn that has passed, a seq that we do not know yet, a credential that is news. Then
 * the request is asked once more, of the game as it is. Nothing was done by it so far. */
static bool must_reread(struct call *call, enum problem problem)
{
    bool failed = problem == PROBLEM_UNAVAILABLE || problem == PROBLEM_STORAGE_FULL ||
                  problem == PROBLEM_INTERNAL;

    if (!call->live || !call->api->ports.shared || (failed && !call->behind))
        return false;
    return call->behind || (problem && games_behind(&call->api->games, call->live));
}

void api_handle(struct api *api, const struct request *request, struct response *ret_response)
{
    struct call call;
    enum problem problem = run_once(&call, api, request, ret_response);

    for (int i = 0; i < REREADS_MAX && must_reread(&call, problem); i++) {
        games_drop(&api->games, call.live);
        json_decref(call.body);
        response_done(ret_response);
        problem = run_once(&call, api, request, ret_response);
    }
    if (problem)
        tell_problem(&call, problem);
    if (call.live)
        games_give(&api->games, call.live);
    json_decref(call.body);
    common_headers(api, request, ret_response);
}

void api_metrics(struct api *api, const struct request *request, struct response *ret_response)
{
    struct call call = {.api = api,
                        .request = request,
                        .response = ret_response,
                        .language = language_of(request->accept_language),
                        .role = ROLE_OPERATOR};
    enum problem problem = PROBLEM_NOT_FOUND;

    response_init(ret_response);
    call.route = route_find(&call);
    if (call.route && call.route->handle == h_metrics) {
        ret_response->route = call.route->pattern;
        ret_response->row = (uint8_t)(call.route - routes + 1);
        problem = metrics_answer(&call);
    }
    if (problem)
        tell_problem(&call, problem);
    common_headers(api, request, ret_response);
}

bool api_route(size_t row, const char **ret_method, const char **ret_pattern)
{
    if (row < 1 || row > route_count)
        return false;
    *ret_method = routes[row - 1].method;
    *ret_pattern = routes[row - 1].pattern;
    return true;
}

size_t api_games(const struct api *api)
{
    return atomic_load_explicit(&api->games.count, memory_order_relaxed);
}

void api_changed(struct api *api, const uint8_t gid[static 16], uint32_t seq)
{
    games_changed(&api->games, gid, seq);
}

void api_removed(struct api *api, const uint8_t gid[static 16])
{
    games_changed(&api->games, gid, UINT32_MAX);
}

void api_lost(struct api *api, const uint8_t gid[static 16], uint64_t ticket)
{
    games_lost(&api->games, gid, ticket);
}

static void answer_problem(struct api *api, const struct request *request, enum problem problem,
                           const struct problem_extra *extra, struct response *ret_response)
{
    problem_answer(problem, language_of(request->accept_language), extra, ret_response);
    common_headers(api, request, ret_response);
}

void api_failed(struct api *api, const struct request *request, int error,
                struct response *response)
{
    struct problem_extra extra = {.seq = -1};
    enum problem problem = problem_of_errno(error);

    if (response->probe)
        extra.detail = problem == PROBLEM_STORAGE_FULL
                           ? "The store cannot be written: the disk is full."
                           : "The store cannot be written.";
    response_bare(response);
    answer_problem(api, request, response->probe ? PROBLEM_UNAVAILABLE : problem, &extra,
                   response);
}

void api_problem(struct api *api, const struct request *request, const char *code,
                 const char *detail, struct response *ret_response)
{
    const struct problem_extra extra = {.detail = detail, .seq = -1};

    answer_problem(api, request, problem_find(code), &extra, ret_response);
}

void api_early(struct api *api, const struct request *request, int64_t wait_ms,
               struct response *ret_response)
{
    const struct problem_extra extra = {.seq = -1, .wait_s = (wait_ms + 999) / 1000};

    answer_problem(api, request, PROBLEM_RATE_LIMITED, &extra, ret_response);
}
