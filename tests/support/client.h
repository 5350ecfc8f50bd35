/* A client in the same process, for tests: asks the api by method and path, keeps what it said.
 *
 * A struct client owns its api and its store; an answer belongs to whoever asked and is freed
 * by answer_done(). Each exchange goes as a line of JSON into $B/exchanges/NAME.ndjson, where
 * tests/api/validate.sh holds it against docs/openapi.yaml.
 */
#ifndef TESTS_SUPPORT_CLIENT_H
#define TESTS_SUPPORT_CLIENT_H

#include <jansson.h>
#include <stdio.h>

#include "api/api.h"
#include "tests/support/memory.h"
#include "tests/support/seeded.h"

struct client {
    struct memory *memory;
    struct api *api;
    struct api_config config;
    char operator_text[48]; /* the operator's credential */
    FILE *log;              /* NULL: nothing is written down */
    unsigned changes;       /* so many were made */
};

/* Fails unless a game is the same in memory, read by its snapshot and read from the start of
 * its log. Each few changes client_ask() does so by itself. */
void client_compare(struct client *client, const char *id);

/* What is asked. `path` may have a query; members that are NULL are not sent. */
struct ask {
    const char *method, *path;
    const char *bearer; /* without "Bearer " */
    const char *body;
    size_t body_size;         /* 0: its length as text */
    const char *content_type; /* NULL: application/json if there is a body */
    const char *accept, *accept_language, *if_match, *if_none_match, *idempotency_key, *prefer;
    const char *last_event_id, *origin, *host, *authorization;
    bool timed_out, lost;
};

struct answer {
    struct response response;
    char *text; /* the body, or what a stream gave at once; NUL-terminated */
    size_t size;
    json_t *json; /* NULL if it is none */
    bool ended;   /* a stream that is at its end */
};

/* `log` is the name of the file of exchanges; NULL: none. The same seed gives the same bytes.
 */
void client_open(struct client *client, const char *log, uint64_t seed);
void client_close(struct client *client);
/* Stops the api and starts it again on the same store. */
void client_reload(struct client *client);

/* Asks, and checks by cmocka what holds of every answer. */
void client_ask(struct client *client, const struct ask *ask, struct answer *ret_answer);
void answer_done(struct answer *answer);

/* Asks with what is common; `body` may be NULL. Fails unless the status is `status`. */
struct answer client_do(struct client *client, const char *method, const char *path,
                        const char *bearer, const char *body, unsigned status);

const char *answer_header(const struct answer *answer, const char *name);
/* The text at a JSON pointer, or NULL. */
const char *answer_text(const struct answer *answer, const char *pointer);
json_t *json_at(json_t *value, const char *pointer);

/* Is all of `expected` in `actual`? Objects by their members, arrays one by one. */
bool json_within(const json_t *expected, const json_t *actual);

/* A game with all seats taken; seats are numbered as in the ruleset. */
struct table {
    char id[24], host[48], seat[4][48];
    size_t seats;
};

/* Makes a game and takes its seats; each seat that `seeds` names (1 << seat) commits to a seed
 * of 32 bytes of its number plus 1 and reveals it. `options` is text or NULL. */
void table_make(struct client *client, const char *creation, unsigned seeds,
                struct table *ret_table);

/* One legal move by chance of whoever is to act, by way of the interface; false if nobody is.
 */
bool table_move(struct client *client, const struct table *table, struct seeded *seeded);

/* Posts a shuffled set-up of stratego for `seat`. */
void table_set_up(struct client *client, const struct table *table, const char *variant,
                  int seat, struct seeded *seeded);

#endif
