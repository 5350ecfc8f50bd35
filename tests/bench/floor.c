#include "tests/bench/floor.h"

#include <jansson.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void floor_collect(struct floor_body *body, const char *data, size_t *size)
{
    size_t room = sizeof body->text - body->size;
    size_t taken = *size < room ? *size : room;

    memcpy(body->text + body->size, data, taken);
    body->size += taken;
    *size = 0;
}

static void word(const json_t *object, const char *key, char ret_word[static FLOOR_WORD_MAX])
{
    const char *text = json_string_value(json_object_get(object, key));

    snprintf(ret_word, FLOOR_WORD_MAX, "%s", text ? text : "");
}

struct floor_move floor_read(const struct floor_body *body)
{
    struct floor_move move;
    json_t *json = json_loadb(body->text, body->size, 0, NULL);

    word(json, "game", move.game);
    word(json, "key", move.key);
    move.ply = json_integer_value(json_object_get(json, "ply"));
    json_decref(json);
    return move;
}

enum MHD_Result floor_answer(struct MHD_Connection *connection, const struct floor_move *move)
{
    char *text = malloc(512);
    struct MHD_Response *response;
    enum MHD_Result queued;
    int size;

    if (!text)
        return MHD_NO;
    size = snprintf(text, 512,
                    "{\"game\":\"%s\",\"ply\":%lld,\"turn\":1,\"state\":\"playing\",\"you\":"
                    "{\"hand\":[%d,%d,%d,%d,%d],\"at\":%d},\"other\":{\"cards\":5,\"at\":19},"
                    "\"deck\":9,\"legal\":[\"m1\",\"m2\",\"m3\",\"m4\",\"m5\",\"a3\"],"
                    "\"hash\":\"%.24s\"}\n",
                    move->game, move->ply + 1, 1, 2, 3, 4, 5, 4, move->key);
    response = MHD_create_response_from_buffer((size_t)size, text, MHD_RESPMEM_MUST_FREE);
    MHD_add_response_header(response, "Content-Type", "application/json");
    queued = MHD_queue_response(connection, MHD_HTTP_OK, response);
    MHD_destroy_response(response);
    return queued;
}

int floor_serve(uint16_t port, unsigned threads, unsigned flags,
                MHD_AccessHandlerCallback request, MHD_RequestCompletedCallback done)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons(port),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    struct MHD_Daemon *daemon;
    sigset_t stop;
    int signal;

    sigemptyset(&stop);
    sigaddset(&stop, SIGTERM);
    sigaddset(&stop, SIGINT);
    pthread_sigmask(SIG_BLOCK, &stop, NULL);
    daemon =
        MHD_start_daemon(flags | MHD_USE_EPOLL | MHD_USE_INTERNAL_POLLING_THREAD, port, NULL,
                         NULL, request, NULL, MHD_OPTION_SOCK_ADDR, (struct sockaddr *)&address,
                         MHD_OPTION_THREAD_POOL_SIZE, threads, MHD_OPTION_CONNECTION_LIMIT,
                         4096u, MHD_OPTION_NOTIFY_COMPLETED, done, NULL, MHD_OPTION_END);
    if (!daemon) {
        perror("floor: cannot listen");
        return 1;
    }
    sigwait(&stop, &signal);
    MHD_stop_daemon(daemon);
    return 0;
}
