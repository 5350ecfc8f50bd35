/* What the two floors share: a request's body, its three fields and the answer of 200 bytes.
 *
 * The floors are the cheapest honest servers of this kind; `make bench` divides by them.
 */
#ifndef TESTS_BENCH_FLOOR_H
#define TESTS_BENCH_FLOOR_H

#include <microhttpd.h>
#include <stddef.h>
#include <stdint.h>

enum { FLOOR_BODY_MAX = 2048, FLOOR_WORD_MAX = 48 };

struct floor_body {
    size_t size;
    char text[FLOOR_BODY_MAX];
};

/* What is read of a body: {"game":…,"ply":…,"key":…}. */
struct floor_move {
    char game[FLOOR_WORD_MAX];
    char key[FLOOR_WORD_MAX];
    long long ply;
};

/* Takes in what has come of a body and sets *size to 0. */
void floor_collect(struct floor_body *body, const char *data, size_t *size);

/* Parses a body with jansson; members that are missing are empty. */
struct floor_move floor_read(const struct floor_body *body);

/* Queues the answer to `move`. */
enum MHD_Result floor_answer(struct MHD_Connection *connection, const struct floor_move *move);

/* Serves on 127.0.0.1:port with `threads` threads until SIGTERM or SIGINT; returns an exit
 * code. `flags` are added to epoll with internal threads. */
int floor_serve(uint16_t port, unsigned threads, unsigned flags,
                MHD_AccessHandlerCallback request, MHD_RequestCompletedCallback done);

#endif
