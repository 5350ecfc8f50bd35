/* Variant and options of a game, from JSON and to JSON, by the table of the ruleset. */
#ifndef API_OPTIONS_H
#define API_OPTIONS_H

#include "api/codec.h"

/* Reads `ruleset`, `variant` (NULL: the first), `options` (NULL: the variant's own) and
 * `players` (0: as few as there can be). False and `fault` set, with a pointer from the body's
 * root. */
bool options_read(const char *ruleset, const char *variant, json_t *options, int64_t players,
                  const struct codec **ret_codec, struct options *ret_options,
                  struct fault *ret_fault);

/* All options that the variant knows, sorted by name, as an object under `key`. */
void options_write(struct out *out, const char *key, const struct codec *codec,
                   const struct options *options);

/* The options of a ruleset as `GET /v1/rulesets/{id}` lists them. */
void options_describe(struct out *out, const char *key, const struct ruleset *rules,
                      int language);

#endif
