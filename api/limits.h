/* Every bound that a client can hit. Each has a test one over it. */
#ifndef API_LIMITS_H
#define API_LIMITS_H

enum {
    BODY_MAX = 64 * 1024,             /* bytes of a request body; 413 */
    TRANSCRIPT_MAX = 8 * 1024 * 1024, /* bytes of a transcript to be verified; 413 */
    JSON_DEPTH_MAX = 16,              /* nesting of a body; 400 */
    NAME_MAX_BYTES = 40,              /* a player's name, UTF-8 */
    VERDICT_MAX_BYTES = 240,          /* what an arbiter notes, UTF-8 */
    IDEMPOTENCY_MIN = 16,             /* characters of an Idempotency-Key ... */
    IDEMPOTENCY_SECRET_MIN = 32,      /* ... where the stored answer holds a credential */
    IDEMPOTENCY_MAX = 64,
    IDEMPOTENCY_HOURS = 24,  /* how long an answer is kept */
    EVENTS_PER_ANSWER = 500, /* GET events: more are behind `next` */
    EVENTS_STREAMED = 64,    /* of a stream at once: what is kept for a reader who is slow */
    WAIT_MAX_S = 60,         /* a long poll */
    LIST_AFTER_MAX = 2000000000,   /* the cursor of a page */
    LIST_MAX = 100,                /* games in one page */
    MOVES_MAX = 2048,              /* legal moves listed */
    MOVES_JUDGED_MAX = 4096,       /* `moves` of one stateless request */
    MOVE_TEXT_MAX = 320,           /* bytes of a move in notation ... */
    POSITION_TEXT_MAX = 512,       /* ... and of a position */
    SHEET_MAX = 1024 * 1024,       /* bytes of a recorded game */
    SHEET_ENTRIES_MAX = 32768,     /* set-ups, deals and moves of one */
    CLOCK_MAX_S = 366 * 24 * 3600, /* of each time that a clock is set to */
    DEAL_TRIES_MAX = 1000,         /* CR-1 */
};

#endif
