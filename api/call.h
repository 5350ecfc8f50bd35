/* One request on its way through api/: what the handlers share.
 *
 * A struct call lives on the stack of api_handle(); what it points to belongs to the request,
 * the api, or (body, game) to the call, which gives it back when the handler is done.
 */
#ifndef API_CALL_H
#define API_CALL_H

#include "api/api.h"
#include "api/game.h"
#include "api/games.h"
#include "api/json.h"
#include "api/origins.h"
#include "api/problem.h"
#include "api/recent.h"

enum role { ROLE_NONE, ROLE_SEAT, ROLE_INVITE, ROLE_HOST, ROLE_OPERATOR };

struct api {
    struct api_config config;
    struct ports ports;
    struct games games;
    struct recent recent;
    struct origins origins;
    int64_t started_ms;        /* when the referee came (back) */
    _Atomic int64_t latest_ms; /* the latest time at which anything was written */
    pthread_mutex_t probing;
    int64_t probed_ms; /* when the store was last tried, and the ticket of that */
    uint64_t probe;
    pthread_mutex_t verifying; /* one transcript at a time: it takes seconds and memory */
    pthread_mutex_t creating;  /* held while a game is made under an Idempotency-Key */
};

struct call {
    struct api *api;
    const struct request *request;
    struct response *response;
    const struct route *route;
    char params[2][40]; /* {id} and {seat} as they stand in the path */
    uint8_t gid[16];
    uint8_t path_seat; /* the seat of the path, or NO_SEAT */
    int language;
    bool minimal; /* Prefer: return=minimal */

    bool has_credential;
    uint8_t credential[32]; /* hash */
    uint8_t role;           /* enum role */
    uint8_t seat;           /* of ROLE_SEAT, else NO_SEAT */

    struct live *live; /* the game, locked; NULL where a route has none */
    struct fold *fold; /* the same game's state; read only */
    bool behind;       /* the store was seen to hold more events than the game in memory */
    json_t *body;      /* parsed by call_body() */

    bool has_kept; /* an Idempotency-Key was given and nothing is kept under it */
    uint8_t kept_key[32], kept_body[32];

    /* What a problem tells. */
    struct fault fault;
    const char *ruling, *reason;
    char detail[256];
};

/* Something is written at that time, or was seen: the clock does not stand before it. */
void api_passed(struct api *api, int64_t now_ms);

/* The body as an object read by fields; PROBLEM_BAD_REQUEST or PROBLEM_INVALID_BODY with the
 * fault set. */
enum problem call_body(struct call *call, const struct field *fields, size_t count);

/* Sets `detail` and returns `problem`. */
enum problem call_refuse(struct call *call, enum problem problem, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A refusal of the rules as a problem: ruling, code and words of the game's table. */
enum problem call_refusal(struct call *call, const struct ruleset *rules, ruling_t ruling);

/* What time it is. */
int64_t call_now_ms(const struct call *call);

/* Who looks: a seat, or NO_SEAT for everybody else. */
uint8_t call_viewer(const struct call *call);

/* Ends a JSON answer: takes over `out`. `padded`: to a multiple of 512 bytes by a member `pad`.
 * PROBLEM_UNAVAILABLE without memory. */
enum problem call_answer(struct call *call, unsigned status, struct out *out, bool padded);

/* Answers that the game is to be waited for, for that long at most. */
enum problem call_wait(struct call *call, int64_t ms);

/* ETag and the headers of every answer about a game at `seq`. */
void call_game_headers(struct call *call, uint32_t seq);

/* `text` (NULL: leaves *value) as a whole number of that range, else PROBLEM_BAD_REQUEST. */
enum problem call_number(struct call *call, const char *name, const char *text, int64_t min,
                         int64_t max, int64_t *value);

/* The value of a query parameter, or NULL. */
const char *call_query(const struct call *call, const char *name);

#endif
