/* Moves and positions as text, for people: docs/notation.md says the forms.
 *
 * Text in, events and states out, and back; no JSON. A reader that fails says at which
 * character it stopped and what it expected there. What is written of any legal move reads back
 * as the same event. Drawings are made from views alone, like the JSON of boards.
 */
#ifndef API_NOTATION_H
#define API_NOTATION_H

#include "api/out.h"
#include "rules/ruleset.h"

/* Where a reader stopped, from 0, and why: "expected a row, 1 to 10". */
struct misread {
    size_t at;
    char what[120];
};

struct notation {
    const struct ruleset *rules;

    /* The words of docs/notation.md for a move into `ret_event` (kind EVENT_MOVE, data and
     * size; seat is left alone), as struct codec's read_move. `state` is the state it is meant
     * for. */
    bool (*read_move)(const char *text, const void *state, struct event *ret_event,
                      struct misread *ret_misread);
    void (*write_move)(struct out *out, const struct event *event);

    /* A whole position on one line into a state from begin(); does not check(): the caller
     * does. `options` may be corrected, as by struct codec's read_state. */
    bool (*read_state)(const char *text, struct options *options, void *ret_state,
                       struct misread *ret_misread);
    /* The same line of a state of which all is known. */
    void (*write_state)(struct out *out, const void *state);
    /* The same line with `?` for what the viewer may not know. */
    void (*write_view)(struct out *out, const void *view);

    /* The letters of one side's set-up as an EVENT_SETUP; NULL where a game has none. */
    bool (*read_setup)(const char *text, const struct options *options, uint8_t seat,
                       struct event *ret_event, struct misread *ret_misread);
    void (*write_setup)(struct out *out, const struct event *event);

    /* The letters of a deal as an EVENT_DEAL, and back; NULL where nothing is dealt. The order
     * in which equal cards or tiles came is not told by them. */
    bool (*read_deal)(const char *text, struct event *ret_event, struct misread *ret_misread);
    void (*write_deal)(struct out *out, const struct event *event);

    /* What all seats know together, as a view: for the stateless judge, who was told all. */
    void (*see_all)(const void *state, void *ret_view);

    /* The board as lines of text, from a view alone. */
    void (*draw)(struct out *out, const void *view);
};

#define GAME(prefix) extern const struct notation prefix##_notation;
#include "rules/games.def"
#undef GAME

/* In the order of rulesets[]. */
extern const struct notation *const notations[];

/* The notation of a ruleset; never NULL for one of rulesets[]. */
const struct notation *notation_of(const struct ruleset *rules);

/* "character 3: expected a row, 1 to 10". */
void misread_text(const struct misread *misread, char ret_text[static 160]);

/* What the games' readers and writers share. */

/* A place in a text; the first failure is kept. */
struct reading {
    const char *text;
    size_t at;
    struct misread *misread;
};

/* Notes that `what` was expected where the reading stands; false. */
bool reading_fails(struct reading *reading, const char *what);
/* Takes `c` if it comes next. */
bool reading_takes(struct reading *reading, char c);
/* The same, but it must. */
bool reading_expects(struct reading *reading, char c);
/* Takes a word if it comes next. */
bool reading_takes_word(struct reading *reading, const char *word);
/* One character of `letters`, as its place there; `what` names them. */
bool reading_letter(struct reading *reading, const char *letters, const char *what,
                    uint8_t *ret_place);
/* A number of at most three digits and no leading zero, up to `max`. */
bool reading_number(struct reading *reading, unsigned max, const char *what,
                    uint8_t *ret_number);
/* Nothing may be left. */
bool reading_ends(struct reading *reading);

void put_text(struct out *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
