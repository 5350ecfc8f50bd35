/* Per game: moves, set-ups, states and views to and from JSON. The only way into rules/GAME.
 *
 * Readers are strict: an unknown member, a wrong type or a value that cannot even be written
 * down is a fault; a value that is well formed but not possible in the rules (a square off the
 * board, a slot that does not exist) becomes a value that judge() refuses by its ruling.
 * Writers write members of nested objects in sorted order, so that events can be signed as they
 * are.
 */
#ifndef API_CODEC_H
#define API_CODEC_H

#include "api/json.h"
#include "api/out.h"
#include "rules/ruleset.h"

/* A face-down component (docs/protocol.md): where it lay at the start, and its face. */
enum component { COMPONENT_PIECE, COMPONENT_CARD, COMPONENT_TILE };

struct opening {
    uint8_t seats;     /* set of seats that may see it; bit 7: everybody, spectators too */
    uint8_t component; /* enum component */
    uint8_t context;   /* piece: side; card: round; tile: 0 */
    uint8_t index;     /* piece: slot 0..39; card: position; tile: id */
    uint8_t face;      /* rank, value or symbol byte */
};

enum { OPENINGS_MAX = 64, OPEN_TO_ALL = 0x80 };

struct openings {
    size_t count;
    struct opening list[OPENINGS_MAX];
};

/* What only a game asks whose board the referee does not see (Stratego, `told` "combats"). Its
 * moves name a piece, and an attacked seat answers with one; no event tells which. */
struct unseen {
    /* Is it one of these? */
    bool (*is)(const void *state);
    /* The pieces that have acted, in order: an array under `member`, which `ended` has. */
    const char *member;
    void (*write)(struct out *out, const void *state);
    /* What happens next by such an array: an EVENT_MOVE, or the EVENT_OPEN that answers it; the
     * seat is left alone. */
    bool (*read)(const json_t *acted, const void *state, struct event *ret_event);
};

/* What only players' custody asks of a game (docs/protocol.md). Slots are those of one seat. */
struct blind {
    /* A set-up of unknown faces on these slots, as an EVENT_SETUP. */
    void (*setup)(const struct options *options, uint8_t seat, uint64_t slots,
                  struct event *ret_event);
    /* The face byte of a name ("scout"), or FACE_UNKNOWN. */
    uint8_t (*face)(const struct options *options, const char *name);
    /* The slots of event->seat that must be opened with this EVENT_MOVE or EVENT_OPEN, as
     * things are in `state`; an EVENT_OPEN answers the challenge, or makes a claim where none
     * is open. */
    uint64_t (*needs)(const void *state, const struct event *event);
    /* Puts an opened face into the event. */
    void (*open)(struct event *event, uint8_t slot, uint8_t face);
    /* Which slot an EVENT_MOVE moves, and is it a move that only a scout can make? */
    uint8_t (*mover)(const void *state, const struct event *move, bool *ret_long);
    /* Is this challenge a claim (ST-13), to be answered by all pieces, or an attack? */
    bool (*claimed)(const void *state);
    /* The faces as they were, as an EVENT_REVEAL; FACE_UNKNOWN: never opened. */
    void (*reveal)(uint8_t seat, const uint8_t faces[static SLOTS_MAX],
                   struct event *ret_event);
    /* Everything in the account that an honest seat cannot have done; returns how many. */
    size_t (*audit)(const struct options *options, const struct account *account,
                    struct cheat ret_cheats[static CHEATS_MAX]);
};

struct codec {
    const struct ruleset *rules;
    const struct blind *blind;   /* NULL: no players' custody */
    const struct unseen *unseen; /* NULL: there are no such games */

    /* Options that are each in range and do not go together, or not with a clock; NULL: all do.
     */
    bool (*fit)(const struct options *options, bool clocked, struct fault *ret_fault);

    /* Reads one move into `ret_event` (kind EVENT_MOVE, data and size; seat is left alone).
     * `state` is the state it is meant for. Faults are below `pointer`. */
    bool (*read_move)(const json_t *move, const char *pointer, const void *state,
                      struct event *ret_event, struct fault *ret_fault);
    /* Table custody: puts what the verifier knows (`faces` by component, FACE_UNKNOWN where
     * never seen) into a move that was read from a list of legal ones; NULL: nothing is. */
    void (*fill)(const void *state, const uint8_t faces[static 64], struct event *event);
    /* One legal move, ready to be posted back: an object under `key`. */
    void (*write_move)(struct out *out, const char *key, const struct event *event);

    /* {"a1":"flag",...} for `seat` as an EVENT_SETUP; NULL where a game has no set-up. */
    bool (*read_setup)(const json_t *pieces, const char *pointer, const struct options *options,
                       uint8_t seat, struct event *ret_event, struct fault *ret_fault);
    void (*write_setup)(struct out *out, const char *key, const struct event *event);
    /* The set-up that `seat` has made, as write_setup() takes it; NULL likewise. */
    void (*setup_of)(const void *state, uint8_t seat, struct event *ret_event);

    /* Option of kind OPTION_PLATE ("A", "B" or a list of lists of squares) into
     * options->value[row] and the plate, and back; NULL where a game has none. */
    bool (*read_plate)(const json_t *plate, const char *pointer, size_t row,
                       struct options *options, struct fault *ret_fault);
    void (*write_plate)(struct out *out, const char *key, size_t row,
                        const struct options *options);

    /* The stateless state; `history` may be NULL. Sets variant defaults from `options`, which
     * the reader may correct (roquefort: players, plate). Does not check(): the caller does. */
    bool (*read_state)(const json_t *state, const json_t *history, struct options *options,
                       void *ret_state, struct fault *ret_fault);
    void (*write_state)(struct out *out, const char *key, const void *state);

    /* Whose turn it is in a state read by read_state (the default of `seat`). */
    uint8_t (*turn)(const void *state);

    /* "status" of a stateless answer ("playing", "round_over", "over"), and the members that go
     * with it beside `status` (en garde: hit, ruling). `write_verdict` may be NULL. */
    const char *(*status)(const void *state);
    void (*write_verdict)(struct out *out, const void *state);

    /* The `board` of a view made by rules->observe(). */
    void (*write_board)(struct out *out, const char *key, const void *view);

    /* The event type of an effect ("moved"), and its public members, without seat and type. */
    const char *(*effect_type)(const struct effect *effect);
    void (*write_effect)(struct out *out, const struct effect *effect);
    /* The same as the stateless judge tells it to who knows all (combat: both ranks). */
    void (*write_effect_full)(struct out *out, const struct effect *effect);

    /* The openings that go with `effect`, `state` being the state after the whole event. */
    void (*openings)(const void *state, const struct effect *effect, struct openings *ret);

    /* All openings of one deal or set-up as things are in `state`, for commitments and for the
     * end: every card of the round dealt (context = round), every tile, every piece of a side
     * (context = side). Faces by index, FACE_UNKNOWN where there is none or, in the other
     * custodies, none is known. Returns how many; `faces` holds at least 64. */
    size_t (*faces)(const void *state, uint8_t context, uint8_t *ret_faces);
    uint8_t component; /* enum component of this game */

    /* The round that is dealt next or lies now (the `round` of its commitments); NULL:
     * always 1. */
    uint8_t (*round)(const void *state);

    /* May `opening` of an earlier event still be told, as things are in `state`? NULL: always.
     */
    bool (*told)(const void *state, const struct opening *opening);

    /* The component's name ("card/3/12", "blue/a7", "tile/17") and its face's ("gouda"; NULL: a
     * number, the face itself). `text` holds 24 bytes. */
    void (*component_name)(const struct opening *opening, char text[static 24]);
    const char *(*face_name)(const struct options *options, uint8_t face);
};

#define GAME(prefix) extern const struct codec prefix##_codec;
#include "rules/games.def"
#undef GAME

/* In the order of rulesets[]. */
extern const struct codec *const codecs[];

/* The codec of a ruleset; never NULL for one of rulesets[]. */
const struct codec *codec_of(const struct ruleset *rules);

#endif
