/* What the daemon supplies: a store, a clock and entropy. api/ has none of its own.
 *
 * All functions may be called from several threads at once. Store functions return 0 or -errno
 * (-ENOSPC: full; -ECANCELED: a commit has failed since `epoch`; others: not available now) and
 * keep no pointer into what they are given.
 */
#ifndef API_PORTS_H
#define API_PORTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct out;

/* One accepted action of a game: its events are seqs first..first+count-1, their claims one a
 * line (newline between, none at the end); `sealed` is closed under the store key by api/.
 * `link` names the record (record_name() of api/games.h), `before` the one that it was judged
 * by: where several write, a record follows the game's last one if its `before` is that one's
 * `link`. records() need not give them. */
struct record {
    uint32_t first, count;
    uint64_t before, link;
    const char *claims;
    size_t claims_size;
    const uint8_t *sealed;
    size_t sealed_size;
};

/* How a game stood after event `seq`, closed under the store key: what need not be replayed. A
 * game has at most one, the newest; losing it loses nothing. */
struct snapshot {
    uint32_t seq;
    const uint8_t *sealed;
    size_t sealed_size;
};

/* A game as lists and recovery see it. */
struct listing {
    uint8_t gid[16];
    int64_t created_ms;
    uint8_t status;   /* enum status of api/game.h */
    uint8_t ruleset;  /* row in rulesets[] */
    bool open;        /* may be listed for everybody */
    int64_t due_ms;   /* when somebody's term ends; 0: nobody's runs */
    int64_t ended_ms; /* the time of its last event; 0: it is not over */
};

/* A stored answer: what an Idempotency-Key gives again. */
struct kept {
    uint8_t key[32];  /* hash of scope and key */
    uint8_t body[32]; /* hash of the request body */
    int64_t expires_ms;
    const uint8_t *sealed;
    size_t sealed_size;
    uint64_t ticket; /* of one found while still queued; 0: on disk. Not read by append() */
};

/* What a change brings, for who counts; it is not stored. */
struct news {
    uint8_t ruleset; /* row in rulesets[] */
    uint8_t moves;   /* that players made */
    uint8_t ended;   /* enum reason, if the game ends with it; NEWS_ABORTED */
    bool made;       /* the game begins with it */
};

enum { NEWS_ABORTED = 255 };

/* All of it is on disk together or not at all. */
struct change {
    uint64_t epoch; /* store_epoch() when the game was last known to be right */
    const uint8_t *gid;
    const struct record *record;   /* NULL: none */
    const struct listing *listing; /* NULL: unchanged; given at creation, and whenever status or
                                    * term have changed */
    const uint64_t *credentials; /* first 8 bytes, little endian, of each new credential hash */
    size_t credential_count;
    const struct kept *kept;         /* NULL: none */
    const struct snapshot *snapshot; /* NULL: none new */
    bool remove; /* the game goes with all that is kept of it, and these credentials, which
                  * must be all that were ever made for it; nothing else is in the change. It
                  * is no fault if it is gone already. */
    struct news news;
    bool probe; /* nothing but a try whether the store can be written */
};

struct list_query {
    int status; /* -1: any */
    bool open_only;
    int64_t after;  /* row of the last game of the page before; 0: from the start */
    int64_t due_ms; /* not 0: only games with a term that ends by then, earliest first */
    /* not 0: only games that had ended by then, earliest first; those of after_ms alone behind
     * row `after` */
    int64_t ended_ms, after_ms;
    int limit;
};

struct ports {
    void *context;

    /* Queues a change behind all earlier ones; `ret_ticket` (from 1, rising) is settled when it
     * is on disk, or lost to another writer. -ECANCELED if a commit failed since change->epoch:
     * reload the game, judge anew. */
    int (*append)(void *context, const struct change *change, uint64_t *ret_ticket);
    /* Rises whenever a commit has failed; everything queued by then is lost and refused. */
    uint64_t (*epoch)(void *context);
    /* Is everything up to this ticket on disk (or given up)? */
    bool (*settled)(void *context, uint64_t ticket);

    /* Calls `row` for the committed records of a game whose last seq is > after, in order,
     * until it returns nonzero, which is then returned. -ENOENT: there is no such game. */
    int (*records)(void *context, const uint8_t gid[static 16], uint32_t after,
                   int (*row)(void *arg, const struct record *record), void *arg);
    /* Calls `take` with the game's snapshot before it returns 0; -ENOENT: there is none. */
    int (*snapshot)(void *context, const uint8_t gid[static 16],
                    void (*take)(void *arg, const struct snapshot *snapshot), void *arg);
    /* Calls `row` for games in order of creation (or of their terms, or ends), `number` being
     * the cursor for `after`. */
    int (*games)(void *context, const struct list_query *query,
                 int (*row)(void *arg, const struct listing *game, int64_t number), void *arg);
    /* 1 and the game it was made for if that id is known, 0 if not, or -errno. */
    int (*credential_known)(void *context, uint64_t id, uint8_t ret_gid[static 16]);
    /* The kept answer of a key, queued ones included: `take` is called with it before the
     * function returns 0; -ENOENT if there is none that has not expired. */
    int (*kept)(void *context, const uint8_t key[static 32], int64_t now_ms,
                void (*take)(void *arg, const struct kept *kept), void *arg);

    /* Others write to the same store: what is in memory may be behind it. */
    bool shared;

    int64_t (*now_ms)(void *context); /* since the epoch of Unix, UTC */
    void (*entropy)(void *context, void *ret_bytes, size_t size);
    /* Of the seconds between these two, in how many could nobody reach the referee? NULL: that
     * is not known. */
    int64_t (*away_s)(void *context, int64_t from_s, int64_t to_s);

    /* Writes the figures in Prometheus' text format: all of them, or those that are for
     * everybody. NULL: there are none. */
    void (*metrics)(void *context, bool all, struct out *out);
};

#endif
