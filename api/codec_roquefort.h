/* What the castle's JSON, in two files, and its notation share. */
#ifndef API_CODEC_ROQUEFORT_H
#define API_CODEC_ROQUEFORT_H

#include "api/codec.h"
#include "rules/roquefort/roquefort.h"

extern const char *const rq_square_names[RQ_SQUARES];
extern const char *const rq_slots[RQ_SLOTS];

/* The row of a word among `words`, or RQ_NO_SQUARE; `word` may be NULL. */
uint8_t rq_find(const char *const *words, size_t size, const char *word);
uint8_t rq_find_square(const char *word);

/* codec_roquefort_move.c: as in struct codec. */
bool rq_read_move(const json_t *move, const char *pointer, const void *state,
                  struct event *ret_event, struct fault *ret_fault);
void rq_fill_move(const void *state, const uint8_t faces[static 64], struct event *event);
void rq_write_move(struct out *out, const char *key, const struct event *event);

#endif
