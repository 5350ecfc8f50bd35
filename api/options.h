/* Variant and options of a game, from JSON and to JSON, by the table of the ruleset. */
#ifndef API_OPTIONS_H
#define API_OPTIONS_H

#include "api/codec.h"

/* What a body says of a game to come. */
struct choice {
    const char *ruleset, *variant,
        *custody;    /* variant NULL: the first; custody NULL: referee */
    json_t *options; /* NULL: the variant's own */
    int64_t players; /* 0: as few as there can be */
    bool clocked;    /* a clock is to run */
    bool stateless;  /* no game: options of games at a table are not known */
};

/* Reads a choice. False and `fault` set, with a pointer from the body's root. */
bool options_read(const struct choice *choice, const struct codec **ret_codec,
                  struct options *ret_options, struct fault *ret_fault);

/* All options that variant and custody know, and `answer_s`, sorted by name, as an object under
 * `key`. */
void options_write(struct out *out, const char *key, const struct codec *codec,
                   const struct options *options);

/* The options of a ruleset as `GET /v1/rulesets/{id}` lists them. */
void options_describe(struct out *out, const char *key, const struct ruleset *rules,
                      int language);

#endif
