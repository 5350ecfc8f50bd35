#include "daemon/peers.h"

#include "daemon/clock.h"

#include <linux/tcp.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <sys/socket.h>

enum { IDLE_MS = 60000 };

void peers_init(struct peers *peers)
{
    pthread_mutex_init(&peers->mutex, NULL);
    peers->first = NULL;
    peers->count = 0;
}

struct peer *peer_new(struct peers *peers, int fd, uint64_t address)
{
    struct peer *peer = calloc(1, sizeof *peer);

    if (!peer)
        return NULL;
    peer->fd = fd;
    peer->address = address;
    peer->since_ms = clock_steady_ms();
    pthread_mutex_lock(&peers->mutex);
    peer->next = peers->first;
    if (peer->next)
        peer->next->prev = peer;
    peers->first = peer;
    peers->count++;
    pthread_mutex_unlock(&peers->mutex);
    return peer;
}

void peer_free(struct peers *peers, struct peer *peer)
{
    pthread_mutex_lock(&peers->mutex);
    peers->count--;
    if (peer->prev)
        peer->prev->next = peer->next;
    else
        peers->first = peer->next;
    if (peer->next)
        peer->next->prev = peer->prev;
    pthread_mutex_unlock(&peers->mutex);
    free(peer);
}

void peer_phase(struct peer *peer, enum phase phase)
{
    atomic_store_explicit(&peer->since_ms, clock_steady_ms(), memory_order_relaxed);
    atomic_store_explicit(&peer->phase, (uint8_t)phase, memory_order_release);
}

/* Bytes that have come in so far; 0 where the kernel does not count them (unix sockets). */
static uint64_t received(const struct peer *peer)
{
    struct tcp_info info = {0};
    socklen_t size = sizeof info;

    if (getsockopt(peer->fd, IPPROTO_TCP, TCP_INFO, &info, &size) < 0)
        return 0;
    return info.tcpi_bytes_received;
}

/* The header of a further request is not told by anybody before it is whole: count bytes. */
static void look_idle(struct peer *peer, int64_t now_ms)
{
    uint64_t bytes = received(peer);
    uint8_t idle = PHASE_IDLE;

    if (peer->received != 0 && bytes > peer->received &&
        atomic_compare_exchange_strong(&peer->phase, &idle, PHASE_HEADER))
        peer->since_ms = now_ms;
    peer->received = bytes;
}

static int64_t limit_of(const struct peers *peers, uint8_t phase)
{
    static const int64_t never = INT64_MAX;

    switch (phase) {
    case PHASE_FRESH:
    case PHASE_HEADER:
        return peers->header_ms;
    case PHASE_IDLE:
        return IDLE_MS;
    case PHASE_BODY:
        return peers->body_ms;
    case PHASE_SEND:
        return peers->send_ms;
    default:
        return never;
    }
}

void peers_reap(struct peers *peers, int64_t now_ms)
{
    pthread_mutex_lock(&peers->mutex);
    for (struct peer *peer = peers->first; peer; peer = peer->next) {
        int64_t age = now_ms - peer->since_ms;
        uint8_t phase = peer->phase;
        if (phase == PHASE_IDLE && age > 250)
            look_idle(peer, now_ms);
        else if (phase != PHASE_IDLE)
            peer->received = 0;
        if (age > limit_of(peers, phase) && phase == peer->phase)
            shutdown(peer->fd, SHUT_RDWR); /* its own thread sees that and closes it */
    }
    pthread_mutex_unlock(&peers->mutex);
}
