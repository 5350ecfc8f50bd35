/* Every bound that a client can hit. Each has a test one over it, which calls it by its name
 * (tests/lint/limits.sh). How many there may be of what is counted over all clients is a
 * setting: connections, streams, games in memory, requests of an address, games made by one. */
#ifndef API_LIMITS_H
#define API_LIMITS_H

enum {
    URI_MAX = 2048,                   /* bytes of an address, query included; 414 */
    QUERY_MAX = 8,                    /* parameters in it; 400 */
    FIELDS_SIZE_MAX = 4096,           /* bytes of all header fields; 431 */
    BODY_MAX = 64 * 1024,             /* bytes of a request body; 413 */
    TRANSCRIPT_MAX = 8 * 1024 * 1024, /* bytes of a transcript to be verified; 413 */
    DRAIN_MAX = 1024 * 1024, /* bytes beyond these in chunks: read away so that 413 is heard */
    BODIES_LARGE_MAX = 16,   /* bodies beyond BODY_MAX at once; closed */
    JSON_DEPTH_MAX = 16,     /* nesting of a body; 400 */
    NAME_MAX_BYTES = 40,     /* a player's name, UTF-8 */
    VERDICT_MAX_BYTES = 240, /* what an arbiter notes, UTF-8 */
    IDEMPOTENCY_MIN = 16,    /* characters of an Idempotency-Key ... */
    IDEMPOTENCY_SECRET_MIN = 32, /* ... where the stored answer holds a credential */
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
    TRANSCRIPT_KEYS_MAX = 32,      /* public keys in a transcript */
    TRANSCRIPT_EVENTS_MAX = 1000000,
    CLAIMS_MAX = 16 * 1024, /* bytes of an event in a transcript; the largest is `started` of
                             * Stratego with its eighty commitments, 6 KB */
    RATE_KEYS_MAX = 16384,  /* addresses, or credentials, whose rate is remembered */
};

#endif
