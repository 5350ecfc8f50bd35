/* A move in a body: an object of the game's JSON, or {"notation":"…"} in its place. */
#ifndef API_WRITTEN_H
#define API_WRITTEN_H

#include "api/codec.h"

/* The fields of a body that takes a move: exactly one of them must be there. */
struct written {
    json_t *move;
    const char *notation;
};

enum { WRITTEN_FIELDS = 2 };

/* The two declared fields, for json_fields(). */
void written_fields(struct written *written, struct field ret_fields[static WRITTEN_FIELDS]);

/* As struct codec's read_move, of a body's `written`; faults are at /move or /notation. */
bool written_read(const struct codec *codec, const struct written *written, const void *state,
                  struct event *ret_event, struct fault *ret_fault);

/* The same of one entry of a list, found at `pointer`: a move or {"notation":"…"}. */
bool written_read_item(const struct codec *codec, const json_t *item, const char *pointer,
                       const void *state, struct event *ret_event, struct fault *ret_fault);

#endif
