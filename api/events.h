/* The event log as clients see it: the public claims, and to each the openings that he may see.
 */
#ifndef API_EVENTS_H
#define API_EVENTS_H

#include "api/game.h"
#include "api/ports.h"
#include "api/token.h"

/* For whom events are written, and how. */
struct events_view {
    const struct fold *fold; /* the game as it is now */
    uint8_t viewer;
    uint32_t after;              /* events up to this seq are left out */
    uint32_t limit;              /* no more than that many; 0: no limit */
    uint32_t written, last;      /* how many were, and the seq of the last */
    const struct token_key *key; /* not NULL: each with its token and the viewer's receipt */
    bool lines,
        sse; /* each as a line of NDJSON, or as an event of SSE; else members of an array */
};

/* Writes the events of a record whose opened notes are given. */
void events_write(struct out *out, struct events_view *view, const struct record *record,
                  const uint8_t *notes, size_t size);

/* The token over exact claims, by their own `typ`. */
void events_write_token(struct out *out, const char *key, const struct token_key *signing,
                        const char *claims, size_t size);

/* The viewer's receipt for event `index` of the record: of one length for a game kind. */
void events_write_receipt(struct out *out, const char *key, const struct token_key *signing,
                          const struct events_view *view, const struct record *record,
                          uint32_t index, const uint8_t *notes, size_t size);

#endif
