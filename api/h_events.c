/* The event log: as a list, by long poll, as a stream; and its newest link, signed. */
#include <errno.h>
#include <sodium.h>
#include <string.h>

#include "api/action.h"
#include "api/cleanup.h"
#include "api/events.h"
#include "api/route.h"
#include "api/text.h"
#include "api/view.h"

struct reading {
    struct events_view view;
    struct out *out;
    struct api *api;
    bool behind; /* there are events that the game in memory knows nothing of */
};

enum { WATCHED_NEWEST = 4 }; /* that near to the newest event a record is kept for the others */

static bool full(const struct reading *reading)
{
    return reading->view.limit && reading->view.written == reading->view.limit;
}

static void write_record(void *arg, const struct record *record, const uint8_t *notes,
                         size_t size)
{
    struct reading *reading = arg;

    events_write(reading->out, &reading->view, record, notes, size);
}

static int read_record(void *arg, const struct record *record)
{
    struct reading *reading = arg;
    const struct fold *fold = reading->view.fold;
    autofree uint8_t *notes = NULL;
    size_t size = 0;
    int error = record_open(reading->api->config.store_key, fold->gid, record, &notes, &size);

    if (error)
        return error;
    reading->behind = record->first + record->count - 1 > fold->seq;
    if (reading->behind) /* what may be told is judged by the game as it stands */
        return 1;
    if (record->first + record->count + WATCHED_NEWEST > fold->seq)
        recent_keep(&reading->api->recent, fold->gid, record, notes, size);
    write_record(reading, record, notes, size);
    sodium_memzero(notes, size);
    return full(reading) ? 1 : 0;
}

/* Writes the committed events after view->after; -errno of the store. When a game changes all
 * its watchers come for the same record: the first one reads it. */
static int read_events(struct api *api, struct reading *reading)
{
    struct events_view *view = &reading->view;

    reading->api = api;
    view->last = view->after;
    bool told =
        view->after < view->fold->seq &&
        recent_tell(&api->recent, view->fold->gid, view->after + 1, write_record, reading);
    if (told)
        view->after = view->last;
    /* nothing is newer, on disk or on its way there, unless others write, too */
    bool all = view->after >= view->fold->seq && (told || !api->ports.shared);
    if (all || full(reading))
        return 0;
    int error = api->ports.records(api->ports.context, view->fold->gid, view->after,
                                   read_record, reading);
    return error < 0 ? error : 0;
}

static bool over(const struct fold *fold)
{
    return fold->status == STATUS_OVER || fold->status == STATUS_ABORTED;
}

static enum problem start_stream(struct call *call, uint32_t after, bool sse, bool tokens)
{
    struct response *response = call->response;

    response->kind = RESPONSE_STREAM;
    response->content_type = sse ? "text/event-stream" : "application/x-ndjson";
    response->stream = (struct stream){.after = after, .sse = sse, .tokens = tokens};
    memcpy(response->stream.gid, call->gid, 16);
    memcpy(response->gid, call->gid, 16);
    if (call->has_credential)
        memcpy(response->stream.credential, call->credential, 32);
    call_game_headers(call, call->fold->seq);
    response_header(response, "X-Accel-Buffering", "no");
    return PROBLEM_NONE;
}

static enum problem no_more(struct call *call)
{
    call->response->status = 204;
    call_game_headers(call, call->fold->seq);
    return PROBLEM_NONE;
}

static enum problem answer_list(struct call *call, struct reading *reading, int64_t wait)
{
    struct response *response = call->response;
    struct out out = {0};

    reading->out = &out;
    out_object(&out, NULL);
    out_array(&out, "events");
    int error = read_events(call->api, reading);
    call->behind = reading->behind;
    if (error || call->behind) {
        out_done(&out);
        return problem_of_errno(error);
    }
    /* An end that is on its way to disk is worth waiting for. */
    bool last = over(call->fold) && reading->view.after >= call->fold->seq;
    if (!reading->view.written && wait && !call->request->timed_out && !last) {
        out_done(&out);
        return call_wait(call, wait * 1000);
    }
    out_array_end(&out);
    out_number(&out, "next", reading->view.last);
    out_object_end(&out);
    response->ticket = call->live->ticket; /* what may be told hangs on how the game stands */
    call_game_headers(call, reading->view.written == EVENTS_PER_ANSWER ? call->fold->seq
                                                                       : reading->view.last);
    bool padded = reading->view.viewer != NO_SEAT;
    return text_wanted(call) ? text_events(call, &out, padded)
                             : call_answer(call, 200, &out, padded);
}

enum problem h_events(struct call *call)
{
    const struct request *request = call->request;
    const char *accept = request->accept ? request->accept : "";
    bool sse = strstr(accept, "text/event-stream");
    bool lines = strstr(accept, "application/x-ndjson");
    const char *tokens = call_query(call, "tokens");
    int64_t after = 0, wait = 0;
    enum problem problem;

    if ((problem =
             call_number(call, "after", call_query(call, "after"), 0, UINT32_MAX, &after)) ||
        (problem = call_number(call, "wait", call_query(call, "wait"), 0, WAIT_MAX_S, &wait)) ||
        (sse && (problem = call_number(call, "Last-Event-ID", request->last_event_id, 0,
                                       UINT32_MAX, &after))))
        return problem;
    if (after > call->fold->seq)
        after = call->fold->seq;
    bool signing = tokens && strcmp(tokens, "1") == 0;
    if (sse && over(call->fold) && after == call->fold->seq)
        return no_more(call); /* or browsers would connect again for ever */
    if (sse || lines)
        return start_stream(call, (uint32_t)after, sse, signing);
    struct reading reading = {.view = {.fold = call->fold,
                                       .viewer = call_viewer(call),
                                       .after = (uint32_t)after,
                                       .limit = EVENTS_PER_ANSWER,
                                       .key = signing ? &call->api->config.signing : NULL}};
    return answer_list(call, &reading, wait);
}

/* May this credential still look? Its seat, or NO_SEAT for a spectator; -1: no. */
static int stream_viewer(const struct api *api, const struct fold *fold,
                         const struct stream *stream)
{
    if (sodium_is_zero(stream->credential, 32))
        return fold->spectators ? NO_SEAT : -1;
    for (uint8_t i = 0; i < fold_seats(fold); i++)
        if (sodium_memcmp(fold_seat(fold, i)->hash, stream->credential, 32) == 0)
            return fold_seat(fold, i)->taken ? i : NO_SEAT;
    if (sodium_memcmp(fold->host, stream->credential, 32) == 0 ||
        sodium_memcmp(api->config.operator_hash, stream->credential, 32) == 0)
        return NO_SEAT;
    return -1;
}

/* What is covered is not told any more (CR-3), but a roof that is on its way to disk may yet be
 * lost, and one that is being lifted may too: until then nothing is said either way. */
static bool undecided(const struct api *api, const struct live *live)
{
    return live->fold->codec->told && games_pending(&api->games, live);
}

/* Where others write to the same store it may be gone for a while: a stream waits for it. */
static bool may_come_back(const struct api *api, int error)
{
    return api->ports.shared && error != -ENOENT && error != -EILSEQ;
}

/* Adds what there is; -errno of the store, 1 if there is nothing to wait for any more. */
static int stream_events(struct api *api, const struct live *live, int viewer,
                         struct stream *stream, struct reading *reading)
{
    reading->view = (struct events_view){.fold = live->fold,
                                         .viewer = (uint8_t)viewer,
                                         .after = stream->after,
                                         .limit = EVENTS_STREAMED,
                                         .sse = stream->sse,
                                         .lines = !stream->sse,
                                         .key = stream->tokens ? &api->config.signing : NULL};
    size_t before = reading->out->size;
    int error = read_events(api, reading);

    if (error || reading->behind) {
        reading->out->size = before;
        return error;
    }
    stream->after = reading->view.last;
    return over(live->fold) && stream->after >= live->fold->seq;
}

/* `ret_again`: the game in memory was behind the store and was left out. */
static enum stream_state stream_once(struct api *api, struct stream *stream, struct out *out,
                                     bool *ret_again)
{
    struct reading reading = {.out = out};
    struct live *live;
    int error = games_take(&api->games, stream->gid, &live);

    *ret_again = false;
    if (error)
        return may_come_back(api, error) ? STREAM_GOES_ON : STREAM_ENDED;
    int viewer = stream_viewer(api, live->fold, stream);
    if (viewer >= 0 && undecided(api, live)) { /* the commit wakes it again */
        games_give(&api->games, live);
        return STREAM_GOES_ON;
    }
    int end = viewer < 0 ? 1 : stream_events(api, live, viewer, stream, &reading);
    *ret_again = reading.behind;
    if (reading.behind)
        games_drop(&api->games, live);
    else
        games_give(&api->games, live);
    if (out->failed || (end < 0 && !may_come_back(api, end)))
        return STREAM_ENDED;
    if (end > 0)
        return STREAM_ENDED;
    return full(&reading) ? STREAM_MORE : STREAM_GOES_ON;
}

enum stream_state api_stream(struct api *api, struct stream *stream, struct out *out)
{
    enum stream_state state = STREAM_GOES_ON;
    bool again = true;

    for (int i = 0; i < REREADS_MAX && again; i++)
        state = stream_once(api, stream, out, &again);
    return state;
}

struct newest {
    struct out *out;
    const struct token_key *key;
    uint32_t seq;
};

static int sign_newest(void *arg, const struct record *record)
{
    struct newest *newest = arg;
    const char *line = memrchr(record->claims, '\n', record->claims_size);

    line = line ? line + 1 : record->claims;
    newest->seq = record->first + record->count - 1;
    events_write_token(newest->out, "token", newest->key, line,
                       (size_t)(record->claims + record->claims_size - line));
    return 1;
}

/* The newest event that is on disk, signed; its link is what the next one will carry. */
enum problem h_head(struct call *call)
{
    struct ports *ports = &call->api->ports;
    struct out out = {0};
    struct newest newest = {&out, &call->api->config.signing, 0};

    out_object(&out, NULL);
    out_number(&out, "seq", call->fold->seq);
    out_hex(&out, "link", call->fold->link, 32);
    if (games_pending(&call->api->games, call->live)) {
        out_done(&out);
        return call_wait(call, 1000);
    }
    int error =
        ports->records(ports->context, call->gid, call->fold->seq - 1, sign_newest, &newest);
    if (error < 0 || newest.seq != call->fold->seq) {
        out_done(&out);
        return PROBLEM_UNAVAILABLE;
    }
    out_object_end(&out);
    call_game_headers(call, call->fold->seq);
    return call_answer(call, 200, &out, false);
}
