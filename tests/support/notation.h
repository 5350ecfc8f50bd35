/* What the unit tests of the notations share: texts that are read to a move of JSON, and texts
 * that are not read, with the place and what was expected there. */
#ifndef TESTS_SUPPORT_NOTATION_H
#define TESTS_SUPPORT_NOTATION_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "api/codec.h"
#include "api/notation.h"
#include "rules/rulesets.h"

/* The options of a variant, in a custody. */
static inline struct options presets_of(const struct notation *notation, const char *variant,
                                        uint8_t custody)
{
    struct options options;
    int row = ruleset_variant(notation->rules, variant);

    assert_true(row >= 0);
    ruleset_presets(notation->rules, (uint8_t)row, &options);
    options.custody = custody;
    return options;
}

/* The JSON of the move that `text` tells. */
static inline void expect_move(const struct notation *notation, const void *state,
                               const char *text, const char *json)
{
    struct misread misread;
    struct event event = {0};
    struct out out = {0};

    if (!notation->read_move(text, state, &event, &misread))
        fail_msg("%s: %s", text, misread.what);
    codec_of(notation->rules)->write_move(&out, NULL, &event);
    char *got = out_take(&out, NULL);
    assert_string_equal(got, json);
    free(got);
}

/* `text` is no move: the reader stops at character `at` (from 1), where `what` was expected. */
static inline void expect_misread(const struct notation *notation, const void *state,
                                  const char *text, size_t at, const char *what)
{
    struct misread misread = {0};
    struct event event = {0};

    if (notation->read_move(text, state, &event, &misread))
        fail_msg("\"%s\" was read", text);
    if (misread.at + 1 != at || !strstr(misread.what, what))
        fail_msg("\"%s\": character %zu: %s", text, misread.at + 1, misread.what);
}

/* The same of a position; `options` are those of a variant. */
static inline void expect_no_position(const struct notation *notation, struct options options,
                                      const char *text, size_t at, const char *what)
{
    struct misread misread = {0};
    void *state = calloc(1, notation->rules->state_size);

    if (notation->read_state(text, &options, state, &misread))
        fail_msg("\"%s\" was read", text);
    if (misread.at + 1 != at || !strstr(misread.what, what))
        fail_msg("\"%s\": character %zu: %s", text, misread.at + 1, misread.what);
    free(state);
}

/* What `write` makes, the caller's to free. */
static inline char *written(void (*write)(struct out *out, const void *from), const void *from)
{
    struct out out = {0};

    write(&out, from);
    char *text = out_take(&out, NULL);
    assert_non_null(text);
    return text;
}

#endif
