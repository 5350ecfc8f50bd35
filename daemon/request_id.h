/* A name for each request: the client's own if it is a plain one, else one that is made.
 *
 * Made ones are a keyed hash of a counter: never the same twice, and they do not tell how many
 * requests came in between. A struct request_ids belongs to one thread.
 */
#ifndef DAEMON_REQUEST_ID_H
#define DAEMON_REQUEST_ID_H

#include <stdint.h>

enum { REQUEST_ID_MAX = 64, REQUEST_ID_SIZE = REQUEST_ID_MAX + 1 };

struct request_ids {
    uint8_t key[16];
    uint64_t count;
};

void request_ids_init(struct request_ids *ids);

/* `given`: the client's X-Request-Id or NULL. It is taken if it is 1 to 64 characters of
 * [A-Za-z0-9._-]; a credential ("rfs_") never is. Else 16 hexadecimal digits. */
void request_id(struct request_ids *ids, const char *given,
                char ret_id[static REQUEST_ID_SIZE]);

#endif
