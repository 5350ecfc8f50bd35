/* A game as the referee holds it: what replaying its log gives, and nothing else.
 *
 * The log is a list of notes, sealed at rest. Playing and replaying go through the same
 * fold_note(), so a game in memory and a game read back cannot differ. A struct fold is flat
 * but for what it owns besides; fold_new() makes one on the heap, fold_copy() copies it whole.
 */
#ifndef API_GAME_H
#define API_GAME_H

#include <stdalign.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/codec.h"
#include "api/limits.h"

enum { DEAL_TRIES_MAX = 1000 }; /* of chance, until a deal fits: CR-1 */

enum status {
    STATUS_WAITING,
    STATUS_SEEDING,
    STATUS_SETUP,
    STATUS_PLAYING,
    STATUS_CHALLENGE,
    STATUS_AUDIT,
    STATUS_OVER,
    STATUS_ABORTED,
    STATUSES,
};

struct seat {
    uint8_t hash[32]; /* of the credential once taken, of the invite before */
    uint8_t seed[32]; /* the commitment, then the seed; zero: none given */
    bool taken, committed, revealed;
};

/* What players' custody adds to a game: what the sides have committed to, opened and done. */
struct blinds {
    uint64_t opened[2];             /* set of slots whose face and nonce the referee knows */
    uint8_t cell[2][SLOTS_MAX][32]; /* the commitment; once opened, the nonce */
    struct account account[2];
    uint32_t absent_seq[2]; /* the events that say of a side that it did not come */
    uint8_t audited;        /* set of sides whose secret is in */
    uint8_t absent;         /* set of sides that gave none in time */
    bool closed;            /* the audit is over */
    bool claimed;           /* the side to move has claimed since the last move */
};

/* Of the options only what is asked for after the beginning: the state holds the rest. */
struct kept_options {
    int32_t answer_s;
    uint8_t variant, players, custody;
};

/* How long seats may take for their moves: for each one, or a bank of time for all. */
struct clock_terms {
    int32_t per_move_s; /* 0: there is a bank */
    int32_t initial_s, increment_s;
};

/* What a clock adds to a game. Plain bytes: it is noted as it stands. */
struct clock {
    int64_t since_s; /* `running` have used their time since then; 0: nobody's runs */
    struct clock_terms terms;
    int32_t left_s[SEATS_MAX]; /* as it was at since_s */
    uint8_t running;           /* set of seats */
    uint8_t unused[3];         /* zero */
};

struct fold {
    uint8_t gid[16];
    uint8_t link[32]; /* to the newest event: what the next one carries as prev */
    uint8_t host[32];
    uint8_t referee_seed[32];
    int64_t created_ms;
    int64_t due_s; /* when those who are to act have lost, in seconds of Unix; 0: never */
    uint32_t seq;  /* of the newest event */
    struct kept_options options;
    uint16_t tries; /* shuffles that the castle took; 0: none yet */
    uint8_t status;
    bool spectators, started;
    uint8_t offers;   /* set of seats that have offered or accepted a draw */
    uint8_t declined; /* set of seats whose offer was declined since the last move */
    uint8_t out;      /* set of seats that are out of the game */
    uint8_t ruleset;
    uint8_t starter; /* NO_SEAT before the lot */
    const struct codec *codec;
    struct blinds *blinds; /* its own; NULL: not in players' custody */
    struct clock *clock;   /* its own; NULL: none */
    char *names; /* its own: the names of all seats, each with its NUL; NULL: nobody has one */
    /* The state of the rules, a struct seat for each player, and, where sides set up, the
     * secrets of both: see fold_seat() and fold_secret(). */
    alignas(uint64_t) uint8_t state[];
};

/* What a log is made of. Payloads are written and read in fold.c alone. */
enum note {
    NOTE_CREATED = 1,
    NOTE_SEAT,    /* a seat is taken: seat, credential hash, commitment or none, name */
    NOTE_SEED,    /* a seat's seed */
    NOTE_SECRET,  /* the secret of a side's nonces */
    NOTE_EVENT,   /* an event of the rules */
    NOTE_OFFERS,  /* who now agrees to a draw */
    NOTE_INVITE,  /* a seat has a new invite, and is free again */
    NOTE_STARTED, /* play has begun */
    NOTE_ABORTED,
    NOTE_OPENINGS, /* openings that go with one event of the record; changes nothing */
    NOTE_COMMITS,  /* a side's commitments, by slot */
    NOTE_OPENED,   /* a side opens a piece to the referee: seat, slot, face, nonce */
    NOTE_ABSENT,   /* the sides (a set) that did not come to the audit */
    NOTE_CLOSED,   /* the audit is over */
    NOTE_DUE,      /* by when those who are to act must have acted: seconds, little endian */
    NOTE_CLOCK,    /* how the clocks stand: a struct clock */
    NOTE_NAME,     /* a seat has another name, or none */
};

struct created {
    uint8_t ruleset;
    bool spectators;
    int64_t created_ms;
    uint8_t host[32], referee_seed[32];
    uint8_t invites[SEATS_MAX][32];
    char names[SEATS_MAX][NAME_MAX_BYTES + 1];
    struct options options;
};

struct seat_note {
    uint8_t seat;
    bool committed, named;
    uint8_t hash[32], commitment[32];
    char name[NAME_MAX_BYTES + 1];
};

struct name_note {
    uint8_t seat;
    char name[NAME_MAX_BYTES + 1];
};

struct commits_note {
    uint8_t seat;
    uint64_t slots;
    uint8_t commitment[SLOTS_MAX][32];
};

struct opened_note {
    uint8_t seat, slot, face;
    uint8_t nonce[32];
};

struct openings_note {
    uint16_t event; /* of the record, from 0 */
    uint8_t count;
    struct opening list[OPENINGS_MAX];
};

/* Notes as bytes, one behind the other, each with its size. */
void note_write(struct out *notes, enum note kind, const void *payload, size_t size);

struct note_view {
    uint8_t kind;
    const uint8_t *payload;
    size_t size;
};

/* Steps through notes from `*at`; false at the end or where they are broken. */
bool note_next(const uint8_t *notes, size_t size, size_t *at, struct note_view *ret_note);

/* An event of the rules as bytes: only as many as it has. Room for sizeof(struct event). */
size_t event_pack(const struct event *event, uint8_t *out);
bool event_unpack(const uint8_t *bytes, size_t size, struct event *ret_event);

/* A game of that ruleset and number of seats with nothing in it, on the heap; NULL without
 * memory. */
struct fold *fold_new(const struct codec *codec, uint8_t players, const uint8_t gid[static 16]);
struct fold *fold_copy(const struct fold *fold);
/* Bytes of a fold without what it points to, and of its names. */
size_t fold_size(const struct codec *codec, uint8_t players);
size_t fold_names_size(const struct fold *fold);
/* Wiped first, for it holds what is hidden; NULL is nothing. */
void fold_free(struct fold *fold);

/* Carries out one note; `ret_effects` gets what an event did, else nothing. 0, -EILSEQ if the
 * note cannot be (a broken log), -ENOMEM: the game is good for nothing then. */
int fold_note(struct fold *fold, const struct note_view *note, struct effects *ret_effects);

/* One seat; its name, NULL if it has none; a side's secret of its nonces, zero until it has set
 * up (games of pieces only). */
const struct seat *fold_seat(const struct fold *fold, unsigned seat);
const char *fold_name(const struct fold *fold, unsigned seat);
const uint8_t *fold_secret(const struct fold *fold, unsigned side);

/* The options as codecs ask for them: variant, players, custody and answer_s alone. */
struct options fold_options(const struct fold *fold);

/* What a side has committed to in a slot. Players' custody only. */
void slot_commitment(const struct fold *fold, uint8_t seat, uint8_t slot,
                     uint8_t ret_hash[static 32]);

/* Does this opening fit what the side has committed to in its slot? Players' custody only. */
bool opening_fits(const struct fold *fold, const struct opened_note *opened);

/* The opening of a slot that follows from the side's secret; false if none does. */
bool secret_opens(const struct fold *fold, const uint8_t secret[static 32], uint8_t seat,
                  uint8_t slot, struct opened_note *ret_opened);

/* Is it too late for a seat to commit to a seed: it has, or one was shown, or play has begun?
 */
bool fold_seed_late(const struct fold *fold, uint8_t seat);

/* Why `seat` may not offer (OFFER), accept or decline a draw as things are; NULL: it may. */
enum draw { DRAW_OFFER, DRAW_ACCEPT, DRAW_DECLINE };
const char *fold_draw_fault(const struct fold *fold, uint8_t seat, enum draw what);

/* The seats of this game: how many, and the set of those that are still in. */
uint8_t fold_seats(const struct fold *fold);
uint8_t fold_in(const struct fold *fold);

/* The set of seats that are to act now: seeds, set-ups, moves, openings or audits; 0: nobody.
 */
uint8_t fold_to_act(const struct fold *fold);

const char *status_word(uint8_t status);
int status_find(const char *word); /* -1: no such status */
const char *custody_word(uint8_t custody);

#endif
