/* The floor of HTTP: libmicrohttpd parses a body of 120 bytes and answers from memory.
 *
 *   mhd_floor PORT THREADS
 */
#include <stdlib.h>

#include "tests/bench/floor.h"

static enum MHD_Result on_request(void *unused, struct MHD_Connection *connection,
                                  const char *url, const char *method, const char *version,
                                  const char *data, size_t *size, void **context)
{
    struct floor_body *body = *context;
    struct floor_move move;

    (void)unused, (void)url, (void)method, (void)version;
    if (!body) {
        body = *context = malloc(sizeof *body);
        if (!body)
            return MHD_NO;
        body->size = 0;
        return MHD_YES;
    }
    if (*size) {
        floor_collect(body, data, size);
        return MHD_YES;
    }
    move = floor_read(body);
    return floor_answer(connection, &move);
}

static void on_done(void *unused, struct MHD_Connection *connection, void **context,
                    enum MHD_RequestTerminationCode why)
{
    (void)unused, (void)connection, (void)why;
    free(*context);
    *context = NULL;
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    return floor_serve((uint16_t)atoi(argv[1]), (unsigned)atoi(argv[2]), MHD_NO_FLAG,
                       on_request, on_done);
}
