/* One accepted action: the events and notes that it adds to a game, all of them or none.
 *
 * An action works on a copy of the game. action_commit() hands its record to the store and, if
 * the store takes it, makes the copy the game; action_done() frees what is left, also after a
 * commit.
 */
#ifndef API_ACTION_H
#define API_ACTION_H

#include "api/call.h"

enum { ACTION_CREDENTIALS_MAX = 8 };

struct action {
    struct call *call;
    struct fold *fold; /* the working copy */
    struct out claims, notes;
    size_t line; /* where the event being written begins */
    uint32_t first, count;
    uint64_t before; /* struct record's */
    uint8_t status_before;
    int64_t due_before;
    uint8_t moved; /* set of seats that have made a move by it */
    uint8_t moves; /* that players made */
    int64_t now_s; /* seconds of Unix */
    char iat[24];  /* the same as text */
    bool broken;   /* a note that the game did not take: a bug, answered with 500 */
    bool starved;  /* broken for want of memory alone */
    uint64_t credentials[ACTION_CREDENTIALS_MAX];
    size_t credential_count;
};

/* Begins on a copy of `fold`, or takes over `fold` if `call->live` is NULL (a new game).
 * PROBLEM_UNAVAILABLE without memory. */
enum problem action_begin(struct action *action, struct call *call, struct fold *fold);
void action_done(struct action *action);

/* One event of the chain: the members that `type` has are written between the two calls. `typ`
 * as in docs/protocol.md; `seat` NO_SEAT: none. */
struct out *action_event(struct action *action, const char *typ, const char *type,
                         uint8_t seat);
void action_event_end(struct action *action);

/* Notes something and carries it out on the copy. */
void action_note(struct action *action, enum note kind, const void *payload, size_t size);

/* Notes an event of the rules that match_judge() allowed; the chain is told nothing of it. */
void action_note_event(struct action *action, const struct event *event);

/* Plays an event that match_judge() allowed, with an event of the chain for each of its
 * effects. */
void action_play(struct action *action, const struct event *event);

/* Does what needs no player: lots, deals, the start, the end. */
void action_proceed(struct action *action);

/* A new credential: its text, for the answer, and its hash, for the game. */
void action_credential(struct action *action, char ret_text[static 48],
                       uint8_t ret_hash[static 32]);

/* Hands it to the store, together with the answer in call->response if an Idempotency-Key was
 * given, and sets the response's ticket. */
enum problem action_commit(struct action *action);

/* The end of an action whose answer is made: the store, if there is no problem, and
 * action_done().
 */
enum problem action_settle(struct action *action, enum problem problem);

/* The end of an action by the usual answer: what follows by itself, then seq, status, events as
 * the caller may see them, tokens and view, then the store and action_done(). `more` (may be
 * NULL) are members before these, as written by out; `secret`: they hold what is told but once,
 * so the answer is never minimal. */
enum problem action_finish(struct action *action, const struct out *more, bool secret);

/* "2026-12-02T01:02:03Z" and back; false if it is no such text. */
void time_text(int64_t ms, char ret_text[static 24]);
bool time_read(const char *text, int64_t *ret_s);

#endif
