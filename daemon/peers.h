/* Connections and how long they take: slow clients are cut off, whatever trickles in.
 *
 * A struct peer belongs to its connection, from peer_new() to peer_free(). Its phase is set by
 * the thread that serves it; peers_reap() looks from another one.
 */
#ifndef DAEMON_PEERS_H
#define DAEMON_PEERS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum phase {
    PHASE_FRESH,  /* nothing, or not a whole header, has come yet */
    PHASE_IDLE,   /* between requests */
    PHASE_HEADER, /* a further request has begun to come in */
    PHASE_BODY,
    PHASE_WORK, /* ours to act: no limit */
    PHASE_SEND,
};

struct tls;

struct peer {
    struct peer *prev, *next;
    int fd;
    struct tls *tls;       /* what it was greeted with; whoever set it lets go of it */
    _Atomic uint8_t phase; /* enum phase */
    _Atomic int64_t since_ms;
    uint64_t address;  /* a hash of where it comes from; 0: not known */
    uint64_t received; /* bytes by the last look, while idle */
};

struct peers {
    pthread_mutex_t mutex;
    struct peer *first;
    _Atomic size_t count;
    int64_t header_ms, body_ms, send_ms; /* limits */
};

void peers_init(struct peers *peers);

/* NULL without memory. */
struct peer *peer_new(struct peers *peers, int fd, uint64_t address);
void peer_free(struct peers *peers, struct peer *peer);

/* Enters a phase; the time starts anew. */
void peer_phase(struct peer *peer, enum phase phase);

/* Cuts off who has been in one phase for too long. */
void peers_reap(struct peers *peers, int64_t now_ms);

#endif
