/* The interface alone, in one process and one thread: no sockets, a store in memory.
 *
 *   bench_api moves|full|judge|create COUNT
 *
 * Runs COUNT requests of a kind, each through measured(), and prints the nanoseconds of each.
 * Under callgrind (`make profile`) the instructions of measured() alone are counted.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "api/api.h"
#include "api/commit.h"
#include "tests/support/memory.h"

enum { GAMES = 64, MARCHES = 4 };

static struct api *api;

/* Not inlined: it is what the profile counts. */
__attribute__((noinline)) static void measured(const struct request *request,
                                               struct response *ret_response)
{
    api_handle(api, request, ret_response);
}

static void fail(const struct response *response)
{
    fprintf(stderr, "bench_api: %u %.*s\n", response->status,
            response->body ? (int)response->size : 0, response->body ? response->body : "");
    exit(1);
}

static void ask(const char *path, const char *bearer, const char *prefer, const char *body,
                bool counted, struct response *ret_response)
{
    char authorization[64];
    struct request request = {.method = "POST",
                              .path = path,
                              .host = "127.0.0.1",
                              .content_type = "application/json",
                              .prefer = prefer,
                              .body = body,
                              .body_size = strlen(body)};

    snprintf(authorization, sizeof authorization, "Bearer %s", bearer ? bearer : "");
    if (bearer)
        request.authorization = authorization;
    if (counted)
        measured(&request, ret_response);
    else
        api_handle(api, &request, ret_response);
    if (ret_response->status >= 300)
        fail(ret_response);
}

/* The text of 47 or 22 letters behind `before`. */
static const char *find(const struct response *response, const char *before, size_t size,
                        char *ret_text)
{
    const char *at = strstr(response->body, before);

    if (!at)
        fail(response);
    at += strlen(before);
    memcpy(ret_text, at, size);
    ret_text[size] = '\0';
    return at + size;
}

struct table {
    char path[64], seat[2][48];
};

static void make(struct table *table, bool counted)
{
    static const char *const names[] = {"red", "blue"};
    struct response response;
    char id[24], path[96], invite[2][48];

    ask("/v1/games", NULL, NULL,
        "{\"ruleset\":\"stratego\",\"variant\":\"classic\",\"options\":{\"first\":\"red\"}}",
        counted, &response);
    find(&response, "\"id\":\"", 22, id);
    find(&response, "\"red\":{\"invite\":\"", 47, invite[0]);
    find(&response, "\"blue\":{\"invite\":\"", 47, invite[1]);
    response_done(&response);
    snprintf(table->path, sizeof table->path, "/v1/games/%s", id);
    for (int i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s/seats/%s", table->path, names[i]);
        ask(path, invite[i], NULL, "{}", counted, &response);
        find(&response, "\"credential\":\"", 47, table->seat[i]);
        response_done(&response);
    }
}

/* Scouts on a and b of the front rows, that can go to and fro; the rest as it comes. */
static void set_up(const struct table *table)
{
    static const char ranks[] = "2233333444455556666777889BBBBBBM21F22222";
    static const char *const by_digit[] = {"flag",     "spy",        "scout",   "miner",
                                           "sergeant", "lieutenant", "captain", "major",
                                           "colonel",  "general"};
    struct response response;
    char path[96], body[2048];

    snprintf(path, sizeof path, "%s/setup", table->path);
    for (int side = 0; side < 2; side++) {
        size_t at = (size_t)sprintf(body, "{\"pieces\":{");
        for (int i = 0; i < 40; i++) {
            char rank = ranks[i];
            int row = side == 0 ? 4 - i / 10 : 7 + i / 10;
            const char *name = rank == 'B'   ? "bomb"
                               : rank == 'M' ? "marshal"
                               : rank == 'F' ? "flag"
                                             : by_digit[rank - '0'];
            at += (size_t)sprintf(body + at, "%s\"%c%d\":\"%s\"", i ? "," : "", 'a' + i % 10,
                                  row, name);
        }
        sprintf(body + at, "}}");
        ask(path, table->seat[side], NULL, body, false, &response);
        response_done(&response);
    }
}

static void bench_moves(long count, const char *prefer)
{
    /* Marches that the two-square rule (SC-6) has nothing against. */
    static const char *const marches[2][MARCHES] = {
        {"{\"move\":{\"from\":\"a4\",\"to\":\"a5\"}}",
         "{\"move\":{\"from\":\"b4\",\"to\":\"b5\"}}",
         "{\"move\":{\"from\":\"a5\",\"to\":\"a4\"}}",
         "{\"move\":{\"from\":\"b5\",\"to\":\"b4\"}}"},
        {"{\"move\":{\"from\":\"a7\",\"to\":\"a6\"}}",
         "{\"move\":{\"from\":\"b7\",\"to\":\"b6\"}}",
         "{\"move\":{\"from\":\"a6\",\"to\":\"a7\"}}",
         "{\"move\":{\"from\":\"b6\",\"to\":\"b7\"}}"}};
    static struct table tables[GAMES];
    struct response response;
    char path[96];

    for (int i = 0; i < GAMES; i++) {
        make(&tables[i], false);
        set_up(&tables[i]);
    }
    for (long i = 0; i < count; i++) {
        const struct table *table = &tables[i % GAMES];
        long ply = i / GAMES;
        snprintf(path, sizeof path, "%s/moves", table->path);
        ask(path, table->seat[ply % 2], prefer, marches[ply % 2][ply / 2 % MARCHES], true,
            &response);
        response_done(&response);
    }
}

static void bench_judge(long count)
{
    static const char body[] =
        "{\"ruleset\":\"engarde\",\"state\":{\"fields\":{\"left\":1,\"right\":23},\"hits\":"
        "{\"left\":0,\"right\":0},\"hands\":{\"left\":[1,2,3,4,5],\"right\":[1,1,2,4,5]},"
        "\"deck\":"
        "[5,3,3,1,1,2,2,2,3,3,4,4,4,5,5],\"turn\":\"left\",\"exchange\":null,\"round\":1,"
        "\"starter\":\"left\"},\"move\":{\"type\":\"advance\",\"card\":3}}";
    struct response response;

    for (long i = 0; i < count; i++) {
        ask("/v1/adjudicate", NULL, "return=minimal", body, true, &response);
        response_done(&response);
    }
}

static void bench_create(long count)
{
    struct table table;

    for (long i = 0; i < count; i++)
        make(&table, true);
}

int main(int argc, char **argv)
{
    struct memory *memory = memory_new(1);
    struct ports ports = memory_ports(memory);
    struct api_config config = {.open_creation = true, .games_in_memory = 1 << 20};
    const uint8_t seed[32] = {1};
    struct timespec from, to;
    long count = argc == 3 ? atol(argv[2]) : 0;

    if (count < 1)
        return 2;
    token_key_from_seed(&config.signing, seed);
    api = api_new(&config, &ports);
    clock_gettime(CLOCK_MONOTONIC, &from);
    if (strcmp(argv[1], "moves") == 0)
        bench_moves(count, "return=minimal");
    else if (strcmp(argv[1], "full") == 0)
        bench_moves(count, NULL);
    else if (strcmp(argv[1], "judge") == 0)
        bench_judge(count);
    else
        bench_create(count);
    clock_gettime(CLOCK_MONOTONIC, &to);
    double ns = (double)(to.tv_sec - from.tv_sec) * 1e9 + (double)(to.tv_nsec - from.tv_nsec);
    printf("%s: %.0f ns a request\n", argv[1], ns / (double)count);
    api_free(api);
    memory_free(memory);
    return 0;
}
