/* En garde: a duel on a strip of 23 fields. The rulings: docs/rules/engarde.md.
 *
 * A state is plain data: no pointers, copied with `=`, owned by whoever declared it. Both
 * variants are one engine; where they differ, the state carries the difference.
 */
#ifndef RULES_ENGARDE_ENGARDE_H
#define RULES_ENGARDE_ENGARDE_H

#include "rules/ruleset.h"

enum {
    EG_SEATS = 2,
    EG_FIELDS = 23,
    EG_VALUES = 5,
    EG_EACH = 5, /* cards of each value */
    EG_CARDS = EG_VALUES * EG_EACH,
    EG_HAND = 5,
    EG_ROUNDS_MAX = 255,
    EG_SHOWS_MAX = 9, /* table custody: how often a seat may show its hand in one round */
};

enum eg_seat { EG_LEFT, EG_RIGHT };
enum eg_variant { EG_DO_STREHU, EG_KNIZIA };
enum eg_level { EG_BASIC, EG_STANDARD, EG_ADVANCED };

/* Rows of the options. */
enum eg_option {
    EG_OPTION_HITS_TO_LOSE,
    EG_OPTION_FIRST,
    EG_OPTION_AFTER_PARRY,
    EG_OPTION_COUNTERATTACK,
    EG_OPTION_HAND,
    EG_OPTION_LEVEL,
    EG_OPTIONS,
};

enum eg_ruling {
    EG_NO_RULING,
#define RULING(name, ...) name,
#include "rules/engarde/rulings.def"
#undef RULING
    EG_RULINGS,
};

/* The common rows come first: EG_ALLOWED is ALLOWED. */
enum eg_refusal {
#define REFUSAL(name, ...) EG_##name,
#include "rules/engarde/refusals.def"
#undef REFUSAL
    EG_REFUSALS,
};

enum eg_verb {
    EG_ADVANCE,
    EG_RETREAT,
    EG_ATTACK,
    EG_PARRY,
    EG_ADVANCE_ATTACK,
    EG_YIELD, /* from here on: table custody alone */
    EG_STUCK,
    EG_SHOW, /* struct eg_show */
    EG_VERBS,
};

/* The data of an EVENT_MOVE but for EG_SHOW. Members that a verb does not use are 0; a step has
 * count 1. */
struct eg_move {
    uint8_t verb;  /* enum eg_verb */
    uint8_t card;  /* the value played (not for a parry: it is the attack's) */
    uint8_t count; /* cards of that value */
    uint8_t step;  /* EG_ADVANCE_ATTACK: the card moved with */
};

/* The data of an EVENT_MOVE with EG_SHOW: a whole hand. */
struct eg_show {
    uint8_t verb;
    uint8_t cards[EG_VALUES + 1]; /* by value; [0]: all of them, those of no value too */
};

enum eg_place { EG_IN_DECK, EG_IN_LEFT_HAND, EG_IN_RIGHT_HAND, EG_PLAYED };

/* An attack that waits for its answer. */
struct eg_exchange {
    uint8_t card;             /* 0: there is none */
    uint8_t played[EG_SEATS]; /* cards that each has on the table in this exchange */
    uint8_t last_attacker;
    uint8_t advanced; /* EK-4: the attacker advanced first */
};

struct eg_state {
    struct outcome outcome;
    uint8_t variant;       /* enum eg_variant */
    uint8_t level;         /* enum eg_level; of EG_KNIZIA only */
    uint8_t hits_to_lose;  /* hits received that lose the game */
    uint8_t defender_next; /* option after_parry */
    uint8_t counterattack; /* may a parry exceed the attack? */
    uint8_t round;         /* from 1; 0: none has been dealt */
    uint8_t starter;       /* of this round, or of the first; NO_SEAT: the lot is to fall */
    uint8_t turn;          /* the seat to answer */
    uint8_t field[EG_SEATS];
    uint8_t hits[EG_SEATS];
    uint8_t hand[EG_SEATS][EG_VALUES + 1]; /* by value; [0]: all of them */
    uint8_t value[EG_CARDS]; /* by position in shuffled order; 0: nobody has told it */
    uint8_t place[EG_CARDS]; /* enum eg_place, by position */
    uint8_t drawn;           /* the deck begins at this position */
    struct eg_exchange exchange;
    uint8_t ended;           /* row of the ruling that ended the round; 0: it goes on */
    uint8_t hit;             /* once it ended: who was hit; NO_SEAT: nobody */
    uint8_t misfit;          /* eg_lay(): the refusal of cards that cannot be; else ALLOWED */
    uint8_t table;           /* table custody: no face is known until it is played or shown */
    uint8_t shows[EG_SEATS]; /* how often each has shown its hand in this round */
};

/* What one viewer may know: never made from more than that. */
struct eg_view {
    uint8_t field[EG_SEATS];
    uint8_t hits[EG_SEATS];
    uint8_t size[EG_SEATS];                /* cards in each hand */
    uint8_t seen[EG_SEATS];                /* is this hand open to the viewer? */
    uint8_t hand[EG_SEATS][EG_VALUES + 1]; /* by value, of the open ones */
    uint8_t played[EG_VALUES + 1];         /* by value: out of play in this round */
    uint8_t deck;                          /* how many are left */
    struct eg_exchange exchange;
    uint8_t round;
    uint8_t starter;
};

/* What happened, and its data. */
enum eg_effect {
    EG_MOVED,      /* from, to */
    EG_ATTACKED,   /* card, count */
    EG_PARRIED,    /* card, count */
    EG_DREW,       /* count, first position */
    EG_HIT,        /* hits now, ruling, then both hands, by value, where they are laid open */
    EG_ROUND_VOID, /* 0, ruling, then both hands */
    EG_ROUND_STARTED, /* round, starter */
    EG_SHOWN,         /* the hand, by value */
    EG_EFFECTS,
};

/* Offsets in the data of EG_HIT and EG_ROUND_VOID. */
enum { EG_DATA_HITS, EG_DATA_RULING, EG_DATA_HANDS };

/* The cards of a position that did not come out of a deal. */
struct eg_cards {
    uint8_t hand[EG_SEATS][EG_VALUES + 1]; /* by value */
    uint8_t deck[EG_CARDS];                /* first drawn first */
    uint8_t deck_size;
    bool strange; /* there are cards of no value 1..5, or a deck of more than 25 */
};

extern const struct ruleset eg_ruleset;

/* Lays given cards into a state from begin(): hands first, then what was played, then the deck.
 * Cards that cannot be are remembered, and check() refuses the state. */
void eg_lay(struct eg_state *state, const struct eg_cards *cards);

/* Are both hands laid open when this ruling ends a round? */
bool eg_opens_hands(uint8_t ruling);

#endif
