/* En garde's JSON in two files, one that reads and one that writes: what they share. */
#ifndef API_CODEC_ENGARDE_H
#define API_CODEC_ENGARDE_H

#include "api/codec.h"
#include "rules/engarde/engarde.h"

enum { EG_HAS_MOVE = 1, EG_HAS_CARD = 2, EG_HAS_COUNT = 4, EG_HAS_CARDS = 8 };

/* The word of a move, and the members that it has beside `type`. */
struct eg_form {
    const char *type;
    uint8_t members;
};

extern const struct eg_form eg_forms[EG_VERBS];

/* codec_engarde_read.c: as in struct codec. */
bool eg_read_move(const json_t *move, const char *pointer, const void *state,
                  struct event *ret_event, struct fault *ret_fault);
bool eg_read_state(const json_t *state, const json_t *history, struct options *options,
                   void *ret_state, struct fault *ret_fault);

#endif
