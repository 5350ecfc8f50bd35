/* Requests to responses: the whole interface, without sockets, files or SQL.
 *
 * One struct api serves all threads; it is made once and freed after the last call. A request
 * and what it points to belong to the caller, for the length of the call. A response is filled
 * by api_handle() and freed by response_done().
 */
#ifndef API_API_H
#define API_API_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/limits.h"
#include "api/out.h"
#include "api/ports.h"
#include "api/token.h"

enum { HEADERS_MAX = 16, HEADER_TEXT_MAX = 480 };

struct pair {
    const char *name, *value;
};

/* Header members are NULL when the client sent none; all text is NUL-terminated. */
struct request {
    const char *method;           /* "GET" */
    const char *path;             /* as sent, without the query: never decoded by the daemon */
    struct pair query[QUERY_MAX]; /* decoded; value "" if there was none */
    size_t query_count;
    const char *host, *origin;
    const char *authorization, *content_type, *accept, *accept_language;
    const char *if_match, *if_none_match, *idempotency_key, *prefer, *last_event_id;
    const char *request_method; /* Access-Control-Request-Method */
    const char *body;           /* whole; NULL if there was none */
    size_t body_size;
    bool timed_out; /* asked again after response.wait: answer with what there is */
    bool lost;      /* asked again because its change was lost to another writer (-ESTALE) */
};

/* What a stream goes on from; plain data, kept by the daemon between calls of api_stream(). */
struct stream {
    uint8_t gid[16];
    uint32_t after;         /* seq of the last event sent */
    uint8_t credential[32]; /* hash; all zero: a spectator without one */
    bool sse;               /* else lines of NDJSON */
    bool tokens;
};

enum response_kind {
    RESPONSE_WHOLE,  /* send status, headers and body once `ticket` is settled */
    RESPONSE_WAIT,   /* long poll: ask again when the game changes, or at wait_until_ms with
                      * request.timed_out set */
    RESPONSE_STREAM, /* send headers, then what api_stream() gives, for as long as it lasts */
};

/* response_value() gives the value. */
struct header {
    const char *name, *constant; /* constant NULL: the value stands at `at` of response.text */
    size_t at;
};

struct response {
    uint8_t kind; /* enum response_kind */
    unsigned status;
    const char *content_type; /* constant */
    char *body;               /* the response's own; NULL: none */
    const char *fixed;        /* a constant body instead (`size` bytes) */
    size_t size;
    struct header headers[HEADERS_MAX];
    size_t header_count;
    uint64_t ticket; /* not to be sent before this one is on disk; 0: at once */
    uint8_t gid[16]; /* RESPONSE_WAIT and RESPONSE_STREAM: the game to watch */
    int64_t wait_until_ms;
    struct stream stream;
    const char *route; /* the route's template for logs; constant */
    /* For who counts. */
    uint8_t row;        /* of the route, from 1; 0: none */
    uint8_t problem;    /* enum problem; 0: none */
    const char *ruling; /* what a player's deed was refused by; NULL: it was not */
    bool probe;         /* of whether the store can be written: 503 if the ticket fails */
    size_t text_size;
    char text[HEADER_TEXT_MAX]; /* the values of headers that are not constant */
};

struct api_config {
    struct token_key signing;
    const uint8_t (
        *old_public_keys)[32]; /* kept keys, newest first; lives as long as the api */
    size_t old_key_count;
    uint8_t store_key[32];
    uint8_t operator_hash[32]; /* commit_credential() of the operator's; all zero: none */
    bool open_creation;
    const char *const *origins; /* as api_allow_origins() takes them */
    const char *const *hosts;   /* allowed Host names without port; NULL: any */
    size_t games_in_memory;
    bool metrics_elsewhere; /* GET /metrics is not for those who come to api_handle() */
    int64_t written_ms;     /* when the store was last written; 0: not known */
};

struct api;

/* NULL without memory. The config is copied, but for the keys and hosts it points to. */
struct api *api_new(const struct api_config *config, const struct ports *ports);
void api_free(struct api *api);

/* From now on pages of these origins may call, and no others: NULL at the end; NULL: none; "*":
 * all. The list is copied. 0, or -ENOMEM: nothing is changed. */
int api_allow_origins(struct api *api, const char *const *origins);

/* Answers one request. Never fails: what goes wrong is in the response. */
void api_handle(struct api *api, const struct request *request, struct response *ret_response);

/* GET /metrics of the address that is for it alone: all figures, whoever asks. Anything else is
 * not there. */
void api_metrics(struct api *api, const struct request *request, struct response *ret_response);

/* The route of response.row; false from the last one on. */
bool api_route(size_t row, const char **ret_method, const char **ret_pattern);

/* How many games are in memory. */
size_t api_games(const struct api *api);

/* How many bytes of body this request may have, by its method and path. */
size_t api_body_max(const struct request *request);

/* Does it ask for another game, by its method and path? */
bool api_makes_game(const struct request *request);

/* Turns a response into the answer for a commit that failed (-errno): 507 or 503. */
void api_failed(struct api *api, const struct request *request, int error,
                struct response *response);

/* A problem of the daemon's own making, before there is a whole request: `code` from
 * api/problems.def ("too_large"); `detail` NULL: the title's. */
void api_problem(struct api *api, const struct request *request, const char *code,
                 const char *detail, struct response *ret_response);

/* The same for who comes too early (429): Retry-After says when, in whole seconds. */
void api_early(struct api *api, const struct request *request, int64_t wait_ms,
               struct response *ret_response);

enum stream_state { STREAM_GOES_ON, STREAM_MORE, STREAM_ENDED };

/* Appends the events since stream->after that are on disk and may be seen, and moves `after`
 * on; adds nothing if there are none. STREAM_MORE: as many as are told at once, call again;
 * STREAM_GOES_ON: all, call again when the game has changed. STREAM_ENDED: send what was
 * appended and close (the game is over, the credential was revoked, or the store failed; one
 * that is shared may come back, and is waited for). */
enum stream_state api_stream(struct api *api, struct stream *stream, struct out *out);

/* Another writer of a shared store has brought a game to `seq`; a change of this one, with that
 * ticket, is lost: told before the ticket settles. What memory holds of the game is left out
 * where it is wrong now. May wait for a request that is at work on the game. */
void api_changed(struct api *api, const uint8_t gid[static 16], uint32_t seq);
void api_lost(struct api *api, const uint8_t gid[static 16], uint64_t ticket);

/* Appends what GET .../transcript answers of a game that the store has, without a look at what
 * is in memory. -EBUSY: it is not over; -ENOENT: there is no such game; -EILSEQ: its log is
 * broken; others from the store. */
int api_transcript(struct api *api, const uint8_t gid[static 16], struct out *out);

/* How long games are kept once they are over, and where a pass through the older ones has come
 * to: zero but for the first three to begin with. */
struct keeping {
    int64_t age_ms;
    /* Puts a transcript away for good, before its game may go; 0 or -errno. NULL: nobody does.
     */
    int (*archive)(void *context, const uint8_t gid[static 16], const struct out *transcript);
    void *context;
    int64_t after_ms, after; /* the last game that was looked at */
    uint64_t ticket;         /* of the last removal */
    uint8_t gid[16];         /* of KEEP_REMOVED and KEEP_FAILED */
    int error;               /* of KEEP_FAILED */
};

enum keep {
    KEEP_NOTHING, /* no more games are that old: the next call begins a new pass */
    KEEP_BUSY,    /* the last removal is still on its way to disk */
    KEEP_REMOVED, /* one more is on its way out */
    KEEP_FAILED, /* this game stays, for now; without one (gid zero) the store did not answer */
};

/* Takes the next game out that is over for long enough: one step, so that others pass. One
 * thread at a time for each struct keeping. */
enum keep api_keep(struct api *api, struct keeping *keeping);

/* A game is not in the store any more: it leaves memory. */
void api_removed(struct api *api, const uint8_t gid[static 16]);

/* Ends the games in which somebody's term has run out; to be called about once a second. */
void api_tick(struct api *api);

/* Empty: status 200, no body, no headers. */
void response_init(struct response *response);
void response_done(struct response *response);

/* Adds a header; false if there is no room. A format without conversions is a constant, and is
 * not copied. */
bool response_header(struct response *response, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The value of header `i`, for as long as the response stays where it is. */
const char *response_value(const struct response *response, size_t i);

/* Takes back all headers. */
void response_bare(struct response *response);

#endif
