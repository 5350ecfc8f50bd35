/* What players and referee do to a game, each as notes and events of the chain.
 *
 * The handlers do these to a live game, the verifier does them again from a transcript; both
 * get the same bytes. Nothing is judged here: the caller has.
 */
#ifndef API_DEED_H
#define API_DEED_H

#include "api/action.h"

/* `terms` NULL: no clock. */
void deed_create(struct action *action, const struct created *created,
                 const struct clock_terms *terms);
void deed_seat(struct action *action, const struct seat_note *note);
void deed_reissue(struct action *action, const struct seat_note *note, const char *by);
/* The operator's alone: the name is another, whoever sits there stays. */
void deed_rename(struct action *action, const struct name_note *note);
/* 33 bytes each: the seat, then its seed or secret. */
void deed_seed(struct action *action, const uint8_t note[static 33]);
void deed_setup(struct action *action, const struct event *event,
                const uint8_t note[static 33]);
/* Players' custody: a side's commitments, and the set-up of unknown faces that they make. */
void deed_commit(struct action *action, const struct event *event,
                 const struct commits_note *note);
/* A move, a defence or a claim, with the `count` openings that it needs. */
void deed_open(struct action *action, const struct event *event,
               const struct opened_note *opened, size_t count);
/* 33 bytes: the seat, then its secret. */
void deed_audit(struct action *action, const uint8_t note[static 33]);
/* The seats of the set `late`, who were to act and have not, lose by their term. */
void deed_timeout(struct action *action, uint8_t late);
/* The seats of the set `late`, whose clocks have run out in play, or in a challenge. */
void deed_flag(struct action *action, uint8_t late);
/* How a game ends in which the seats of the set `late` let their term pass before it began or
 * in a challenge: the one other seat wins, else nobody. */
struct outcome deed_late(uint8_t late, uint8_t in);
/* `s` seconds, in which nobody could reach the referee, are not charged to those whose time
 * runs; none: nothing. */
void deed_uncharged(struct action *action, int64_t s);
void deed_resign(struct action *action, uint8_t seat);
void deed_draw(struct action *action, uint8_t seat, enum draw what);
void deed_abort(struct action *action);
/* The arbiter's word: how the game ends, and why. `reason` is one of
 * override_reason(). */
void deed_override(struct action *action, uint8_t reason, uint8_t winner, const char *note);
/* Which reason an arbiter means by that word; REASON_NONE: none that fits a game with (or
 * without) a winner. */
uint8_t override_reason(const char *word, bool winner);

#endif
