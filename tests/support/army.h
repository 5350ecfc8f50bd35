/* A side of Stratego in players' custody, as its owner's own program keeps it: faces, nonces
 * and where each piece stands. It follows the game by its public events alone, and opens what
 * it is asked to; a test may make it cheat.
 *
 * A struct army is plain data and belongs to whoever declared it.
 */
#ifndef TESTS_SUPPORT_ARMY_H
#define TESTS_SUPPORT_ARMY_H

#include "api/codec.h"
#include "tests/support/client.h"

struct army {
    struct client *client;
    const struct table *table;
    struct options options;
    uint8_t gid[16], seat;
    uint8_t secret[32];
    uint8_t face[SLOTS_MAX]; /* FACE_UNKNOWN: nothing stands there */
    uint8_t nonce[SLOTS_MAX][32];
    char at[SLOTS_MAX][4]; /* "a4"; "": lost */
};

/* A legal set-up by chance; nonces follow from the secret. Nothing is sent. */
void army_raise(struct army *army, struct client *client, const struct table *table,
                const char *variant, uint8_t seat, struct seeded *seeded);

/* Sends the commitments to its faces and nonces; fails unless the status is `status`. */
struct answer army_commit(const struct army *army, unsigned status);

/* The slot of its piece on a square, or -1; and the slot of a rank, the n-th of them. */
int army_on(const struct army *army, const char *square);
int army_find(const struct army *army, const char *rank, int nth);

/* Puts another face on the square where a slot was set up (before army_commit()). */
void army_swap(struct army *army, int slot, int other);

/* {"slot","face","nonce"} */
void army_opening(const struct army *army, int slot, char ret_text[static 160]);

/* Is this move true to the piece: not of a mine or flag, and long for a scout only? Does it
 * need an opening? */
bool army_may(const struct army *army, const json_t *move);
bool army_opens(const struct army *army, const struct army *enemy, const json_t *move);

/* Asks. `open` is a slot, or -1. */
struct answer army_move(const struct army *army, const char *from, const char *to, int open,
                        unsigned status);
struct answer army_defend(const struct army *army, int slot, unsigned status);
/* Opens all that is left. */
struct answer army_claim(const struct army *army, unsigned status);
struct answer army_audit(const struct army *army, const uint8_t secret[static 32],
                         unsigned status);
struct answer army_post(const struct army *army, const char *what, const char *body,
                        unsigned status);

/* Takes over what an answer's events tell: both sides' moves and losses. */
void army_follow(struct army armies[static 2], const struct answer *answer);

#endif
