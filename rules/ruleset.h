/* What anyone above rules/ needs to know of a game: events in, verdicts and effects out.
 *
 * A state is plain data of `state_size` bytes that begins with a struct outcome: no pointers,
 * copied with memcpy, owned by whoever declared it. state = fold(play, begin, events); nothing
 * here allocates, reads a clock or draws lots. All tables are constant and live for ever.
 */
#ifndef RULES_RULESET_H
#define RULES_RULESET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    SEATS_MAX = 4,
    NO_SEAT = 0xff,      /* the spectator as a viewer; nobody as a winner */
    EVENT_DATA_MAX = 42, /* a set-up of Stratego; an event is 48 bytes then */
    EFFECTS_MAX = 40,
    EFFECT_DATA_MAX = 12,
    OPTIONS_MAX = 8,
    VARIANTS_MAX = 6,
    PLATE_SQUARES = 49,
    SLOTS_MAX = 40, /* face-down components that one seat may hold */
    FACE_UNKNOWN = 0xff,
};

/* Who holds the faces (docs/protocol.md): the referee, each player his own, or a real table. */
enum custody { CUSTODY_REFEREE, CUSTODY_PLAYERS, CUSTODY_TABLE, CUSTODIES };

/* 0: allowed. Else the row in `refusals` that says which ruling forbids it, and why. */
typedef uint16_t ruling_t;

/* The first refusals of every game's table, in this order (see rules/refusals.def). */
enum {
    ALLOWED,
    REFUSE_GAME_OVER,     /* nothing is awaited any more */
    REFUSE_NOT_YOUR_TURN, /* a move or set-up by a seat that is not to act */
    REFUSE_WRONG_TIME,    /* a kind of event that is not awaited now */
    REFUSALS_COMMON,
};

enum event_kind {
    EVENT_LOT,     /* data[0]: the seat that begins */
    EVENT_DEAL,    /* data: a permutation of 0..size-1; tries: shuffles so far, from 1. Table
                    * custody: size 0, the players have dealt */
    EVENT_SETUP,   /* data: see the game (stratego: a rank for each of 40 slots) */
    EVENT_MOVE,    /* data: the game's own struct of a move */
    EVENT_RESIGN,  /* `seat` gives up; any seat still in may, at any time in play */
    EVENT_TIMEOUT, /* `seat` has run out of time */
    EVENT_AGREE,   /* all seats have agreed to a draw */
    EVENT_OPEN, /* players' custody: `seat` opens to the referee; data: a face for each slot. In
                 * the referee's, where it must be told: what is attacked, see the game */
    EVENT_REVEAL, /* players' custody, when all is over: what `seat`'s faces were; data as above
                   */
    EVENT_RESULT, /* data: enum reason, winner: how the game ended whatever it had come to */
    EVENT_KINDS,
};

struct event {
    uint8_t kind; /* enum event_kind */
    uint8_t seat; /* who acts; NO_SEAT for chance and agreement */
    uint8_t size; /* bytes of `data` that count */
    uint16_t tries;
    uint8_t data[EVENT_DATA_MAX];
};

/* What an event did, in order, the action itself first. Types are the game's own. */
struct effect {
    uint8_t type;
    uint8_t seat;
    uint8_t data[EFFECT_DATA_MAX];
};

struct effects {
    size_t count;
    struct effect list[EFFECTS_MAX];
};

enum await { AWAIT_NOTHING, AWAIT_LOT, AWAIT_DEAL, AWAIT_SETUP, AWAIT_MOVE, AWAIT_OPEN };

struct awaiting {
    uint8_t what;  /* enum await; AWAIT_NOTHING: the game is over */
    uint8_t seats; /* set of seats (1 << seat) that are to act, or among whom the lot falls */
    uint8_t cards; /* AWAIT_DEAL: how many are shuffled */
    uint8_t zero;  /* four bytes are handed over in a register, three by way of memory */
};

enum reason {
    REASON_NONE,
    REASON_HITS,
    REASON_FLAG,
    REASON_DEAD,
    REASON_NO_MOVE,
    REASON_CHEESES,
    REASON_LAST_LEFT,
    REASON_ALL_OUT,
    REASON_THIRD_FALL,
    REASON_AGREED,
    REASON_RESIGNED,
    REASON_TIME,
    REASON_LIMIT,
    REASON_CHEAT,
    REASON_NO_AUDIT,
    REASON_VOID,
    REASONS,
};

/* How a game ended; reason REASON_NONE while it has not. The first member of every state. */
struct outcome {
    uint8_t reason; /* enum reason */
    uint8_t winner; /* NO_SEAT: drawn */
    uint8_t ruling; /* row in `rulings` that ended it; 0: none of the game's own */
};

/* What an audit can find of one seat, and the event in which it was done (docs/protocol.md). */
enum cheat_code {
    CHEAT_OPENING_MISMATCH,
    CHEAT_WRONG_COUNT,
    CHEAT_MOVED_IMMOBILE,
    CHEAT_FALSE_SCOUT,
    CHEAT_COMBAT_MISMATCH,
    CHEAT_NO_AUDIT,
    CHEAT_CODES,
};

struct cheat {
    uint8_t seat, code; /* enum cheat_code */
    uint32_t seq;
};

/* What is on record of one seat in players' custody, by slot; seq 0: never. */
struct account {
    uint8_t seat;
    uint64_t slots;           /* set of the slots that it has committed to */
    uint8_t face[SLOTS_MAX];  /* by its secret; FACE_UNKNOWN: the secret does not open it */
    uint8_t shown[SLOTS_MAX]; /* as opened in play; FACE_UNKNOWN: never */
    uint32_t shown_seq[SLOTS_MAX];
    uint32_t moved_seq[SLOTS_MAX]; /* its first move */
    uint32_t long_seq[SLOTS_MAX];  /* its first move that only a scout can make */
    uint32_t setup_seq;
    uint32_t excess_seq; /* when more of a rank was opened than there are */
};

enum { CHEATS_MAX = 4 * SLOTS_MAX + 2 }; /* one a slot and code, and two of the whole seat */

/* One option's value each: integers and switches as they are, words by their position. */
struct options {
    uint8_t variant; /* row in `variants` */
    uint8_t players;
    uint8_t custody;              /* enum custody */
    bool plate_given;             /* roquefort: `plate` holds a custom plate */
    int32_t answer_s;             /* for who keeps the clock; the rules do not ask */
    int16_t value[OPTIONS_MAX];   /* by row in `options` */
    uint8_t plate[PLATE_SQUARES]; /* room of each square, a1 b1 .. g7; 0xff: a tower */
};

enum option_kind { OPTION_INT, OPTION_WORD, OPTION_SWITCH, OPTION_PLATE };

struct option {
    const char *name;
    uint8_t kind;             /* enum option_kind */
    uint8_t variants;         /* set of variants (1 << row) that know it */
    int16_t min, max;         /* OPTION_INT, both allowed; OPTION_WORD: 0 and the last word */
    const char *const *words; /* OPTION_WORD, NULL at the end */
    int16_t preset[VARIANTS_MAX];
    const char *text[2]; /* English, Czech */
    uint8_t custodies;   /* set of custodies (1 << enum custody) that know it; 0: all */
    bool apart; /* of games at a table: nothing is said of it while it is the preset, and
                 * who judges without a game does not know it */
};

struct variant {
    const char *id;
    const char *title[2]; /* English, Czech */
};

/* A ruling: one row for each id of docs/rules. Row 0 is empty (id NULL). */
struct ruling {
    const char *id; /* "EG-2" */
    const char *text[2];
    uint8_t variants; /* set of variants in which it holds */
};

/* A refusal: the ruling that it rests on, a stable code, and what was wrong in plain words. */
struct refusal {
    const char *ruling; /* "EG-2"; NULL: none of its own */
    const char *code;   /* "off_strip" */
    const char *text[2];
};

struct ruleset {
    const char *id;
    const char *title[2];
    const char *const *seats; /* names by seat number, which are also the protocol's bytes */
    uint8_t seats_min, seats_max;
    uint8_t custodies; /* set of the custodies (1 << enum custody) that it can be played in */
    const char *turn_ruling; /* the ruling behind not_your_turn */
    const struct variant *variants;
    size_t variant_count;
    const struct option *options;
    size_t option_count;
    const struct ruling *rulings;
    size_t ruling_count;
    const struct refusal *refusals;
    size_t refusal_count;
    size_t state_size, view_size;
    bool drops_out; /* resignation and time are the game's own to judge and play (CR-13) */

    /* Makes the state before the first event. `options` must be in range. */
    void (*begin)(void *ret_state, const struct options *options);

    /* What the state waits for. */
    struct awaiting (*awaits)(const void *state);

    /* The refusal of `event`, or ALLOWED. Total: defined for every value of `event` in every
     * state that check() passes or play() made. */
    ruling_t (*judge)(const void *state, const struct event *event);

    /* Plays `event`, which judge() must have allowed. */
    void (*play)(void *state, const struct event *event, struct effects *ret_effects);

    /* Lists the moves of `seat` that judge() allows, at most `max`; returns how many. */
    size_t (*legal)(const void *state, uint8_t seat, struct event *out, size_t max);

    /* What `seat` (or NO_SEAT) may know, built up from nothing. */
    void (*observe)(const void *state, uint8_t seat, void *ret_view);

    /* ALLOWED if the state can occur, else a refusal with code impossible_state. */
    ruling_t (*check)(const void *state);

    struct outcome (*result)(const void *state);

    /* The refusal of that number; never NULL. */
    const struct refusal *(*name)(ruling_t ruling);
};

/* Adds one effect and returns it, zeroed but for type and seat. */
struct effect *effects_add(struct effects *effects, uint8_t type, uint8_t seat);

#endif
