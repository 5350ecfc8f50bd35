/* How the fleet talks to the interface: over sockets to a daemon, or to api/ in this process.
 *
 * A struct wire belongs to one thread. A struct told is filled by wire_ask() and freed by
 * told_done(). A hose is one stream of events; it lives on its own connection.
 */
#ifndef TESTS_SYSTEM_FLEET_WIRE_H
#define TESTS_SYSTEM_FLEET_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ask {
    const char *method; /* NULL: GET, or POST with a body */
    const char *path;   /* with its query */
    const char *body;   /* NULL: none */
    const char *credential, *if_match, *key, *accept, *last_event_id;
    bool minimal;
};

struct told {
    unsigned status;
    char *body; /* NUL-terminated; never NULL after wire_ask() was true */
    size_t size;
    char etag[64];
};

struct wire;
struct hose;

/* `address`: HOST:PORT, or a file that holds it; NULL: in this process, by `seed`. */
struct wire *wire_new(const char *address, uint64_t seed);
void wire_free(struct wire *wire);

/* False: the connection broke before the whole answer was there. */
bool wire_ask(struct wire *wire, const struct ask *ask, struct told *ret_told);
void told_done(struct told *told);

/* Tries to get a connection again for as many seconds; the address file is read anew. */
bool wire_reconnect(struct wire *wire, int seconds);

/* In this process only, else they do nothing: an empty store; all games out of memory and read
 * back; the next append fails with -errno (0: works again). */
void wire_empty(struct wire *wire);
void wire_restart(struct wire *wire);
bool wire_fail(struct wire *wire, int error);

/* Opens a stream (ask->accept says which kind); NULL and *ret_status if it was refused. */
struct hose *hose_open(struct wire *wire, const struct ask *ask, unsigned *ret_status);
void hose_free(struct hose *hose);
/* All that came since, NUL-terminated, up to the end of the stream if `to_end`. False: the
 * stream broke. */
bool hose_read(struct hose *hose, bool to_end, const char **ret_text);

#endif
