/* What a request must look like before anybody reads it: one message, one meaning.
 *
 * Bytes that two parsers could understand in two ways (two lengths, a length and chunks, odd
 * names, control bytes) are refused and the connection is closed. `slug` is the code of a
 * problem.
 */
#ifndef DAEMON_FRAMING_H
#define DAEMON_FRAMING_H

#include "api/api.h"
#include "api/limits.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct framing {
    const char *slug, *detail; /* the first fault; NULL: none */
    unsigned lengths, codings, hosts;
    bool bad_coding;
    const char *next; /* where the next field must begin; NULL: that cannot be known */
    uint64_t length;  /* by Content-Length */
    size_t size;      /* of all header fields */
};

/* Notes a fault, unless there is one already. */
void framing_fault(struct framing *framing, const char *slug, const char *detail);

/* Looks at the request line. `uri` is as it was sent, with the query. */
void framing_line(struct framing *framing, const char *method, const char *uri,
                  const char *version);

/* Looks at one header field. */
void framing_field(struct framing *framing, const char *name, size_t name_size,
                   const char *value, size_t value_size);

/* The bytes of a header as they came lie in one piece, and a parser has only put NULs where
 * parts end: what lies between the parts was overlooked by it, and another one might have seen
 * a field there. framing_layout() begins after the version of a request line; framing_field()
 * follows, and framing_laid() looks at the end. */
void framing_layout(struct framing *framing, const char *method, const char *uri,
                    size_t uri_size, const char *version);
void framing_laid(struct framing *framing, const char *end);

/* Looks at the whole, when all fields are known. */
void framing_end(struct framing *framing, const char *method, const char *version,
                 size_t body_max);

/* Cuts `text` into decoded pairs, in place. False: too many, or cannot be decoded. */
bool framing_query(char *text, struct pair *ret_pairs, size_t *ret_count);

#endif
