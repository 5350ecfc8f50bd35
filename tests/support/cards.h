/* The real cards of En garde on a real table, for tests: both hands, the deck and what has been
 * played. The referee never sees them; they follow the game by its public events alone.
 *
 * A struct cards is plain data and belongs to whoever declared it. Seats: 0 left, 1 right.
 */
#ifndef TESTS_SUPPORT_CARDS_H
#define TESTS_SUPPORT_CARDS_H

#include <jansson.h>
#include <stdbool.h>

#include "tests/support/seeded.h"

enum { CARDS_ALL = 25, CARDS_VALUES = 5 };

struct cards {
    uint8_t deck[CARDS_ALL], drawn;    /* the next one is deck[drawn] */
    uint8_t hand[2][CARDS_VALUES + 1]; /* by value; [0]: all of them */
    uint8_t played[CARDS_VALUES + 1];
    bool shown[2]; /* has this hand been shown to the referee in this round? As what? */
    uint8_t as[2][CARDS_VALUES + 1];
};

/* Are all cards that a listed move plays in the seat's hand? `exchange` is the card of the
 * attack that waits. No claim and no show is: they play none. */
bool cards_may(const struct cards *cards, int seat, const json_t *move, json_t *exchange);

/* Plays, draws and deals as an answer's events say. */
void cards_follow(struct cards *cards, json_t *events, struct seeded *seeded);

/* Cards by value as a sorted list, and what is left of the deck in the order of drawing. */
json_t *cards_list(const uint8_t counts[static CARDS_VALUES + 1]);
json_t *cards_deck(const struct cards *cards);

/* How many of a value nobody has played yet in this round. */
int cards_left(const struct cards *cards, int value);

#endif
