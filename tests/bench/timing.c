/* Does the time of an answer tell a secret? Two classes of requests that differ in it alone, in
 * random order; Welch's t of how long api_handle() took. |t| below 4.5 says that they cannot be
 * told apart by so many measurements. Not a test of every build: it needs a quiet machine. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/support/client.h"

enum { ROUNDS = 40000 };

static struct client client;

static double seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* How long one request takes; `status` is what it must give. */
static double timed(const struct request *request, unsigned status)
{
    struct response response;

    response_init(&response);
    double began = seconds();
    api_handle(client.api, request, &response);
    double took = seconds() - began;
    if (response.status != status) {
        fprintf(stderr, "%s %s: %u\n", request->method, request->path, response.status);
        exit(1);
    }
    response_done(&response);
    return took;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Welch's t of the two classes, without their slowest tenth: there the machine speaks. */
static double welch(double *times[2], const size_t counts[2])
{
    double mean[2], variance[2], n[2];

    for (int c = 0; c < 2; c++) {
        size_t kept = counts[c] * 9 / 10;
        double sum = 0, squares = 0;
        qsort(times[c], counts[c], sizeof *times[c], by_size);
        for (size_t i = 0; i < kept; i++)
            sum += times[c][i];
        mean[c] = sum / (double)kept;
        for (size_t i = 0; i < kept; i++)
            squares += (times[c][i] - mean[c]) * (times[c][i] - mean[c]);
        variance[c] = squares / (double)(kept - 1);
        n[c] = (double)kept;
    }
    printf("%8.3f us %8.3f us  ", 1e6 * mean[0], 1e6 * mean[1]);
    return (mean[0] - mean[1]) / sqrt(variance[0] / n[0] + variance[1] / n[1]);
}

/* A line of what was found. */
static bool judged(const char *name, double *times[2], const size_t counts[2])
{
    printf("%-44s ", name);
    double t = welch(times, counts);
    bool apart = fabs(t) > 4.5;
    printf("t %7.2f%s\n", t, apart ? "  TOLD APART" : "");
    return apart;
}

/* Both requests over and over; their order is by chance. */
static bool told_apart(const char *name, const struct request requests[static 2],
                       unsigned status)
{
    static double room[2][ROUNDS];
    double *times[2] = {room[0], room[1]};
    size_t counts[2] = {0, 0};
    struct seeded seeded = {11};

    for (int i = 0; i < 1000; i++)
        (void)timed(&requests[i & 1], status);
    for (int i = 0; i < ROUNDS; i++) {
        size_t class = seeded_next(&seeded) & 1;
        times[class][counts[class]++] = timed(&requests[class], status);
    }
    return judged(name, times, counts);
}

/* Credentials that are wrong in their first or their last byte. */
static bool credentials(const struct table *table)
{
    char path[80], text[2][64];
    struct request requests[2];

    (void)snprintf(path, sizeof path, "/v1/games/%s/moves", table->id);
    for (int c = 0; c < 2; c++) {
        (void)snprintf(text[c], sizeof text[c], "Bearer %s", table->seat[0]);
        char *place = text[c] + 11 + (c ? 40 : 0);
        *place = *place == 'A' ? 'B' : 'A';
        requests[c] = (struct request){.method = "GET", .path = path, .authorization = text[c]};
    }
    return told_apart("a credential wrong at its start, at its end", requests, 401);
}

/* What red sees while blue's set-up is one or another. */
static bool views(const struct table tables[static 2])
{
    char path[2][80], text[2][64];
    struct request requests[2];

    for (int c = 0; c < 2; c++) {
        (void)snprintf(path[c], sizeof path[c], "/v1/games/%.23s", tables[c].id);
        (void)snprintf(text[c], sizeof text[c], "Bearer %.47s", tables[c].seat[0]);
        requests[c] =
            (struct request){.method = "GET", .path = path[c], .authorization = text[c]};
    }
    return told_apart("the view of red, blue's set-up differs", requests, 200);
}

/* Posts a classic set-up with `first` on the a-file of the front row and a miner on the j-file.
 */
static void set_up(const struct table *table, size_t seat, const char *first)
{
    static const struct {
        const char *name;
        int count;
    } ranks[] = {{"flag", 1},  {"bomb", 6},     {"spy", 1},        {"scout", 8},
                 {"miner", 5}, {"sergeant", 4}, {"lieutenant", 4}, {"captain", 4},
                 {"major", 3}, {"colonel", 2},  {"general", 1},    {"marshal", 1}};
    static char body[2048], path[80];
    size_t size =
        (size_t)snprintf(body, sizeof body, "{\"pieces\":{\"a%d\":\"%s\",\"j%d\":\"miner\"",
                         seat ? 7 : 4, first, seat ? 7 : 4);
    int slot = 0;

    for (size_t r = 0; r < sizeof ranks / sizeof *ranks; r++) {
        int left = ranks[r].count - (strcmp(ranks[r].name, first) == 0) -
                   (strcmp(ranks[r].name, "miner") == 0);
        for (; left > 0; left--, slot++) {
            if (slot == 30 || slot == 39)
                slot++;
            size += (size_t)snprintf(body + size, sizeof body - size, ",\"%c%d\":\"%s\"",
                                     'a' + slot % 10, seat ? 10 - slot / 10 : 1 + slot / 10,
                                     ranks[r].name);
        }
    }
    (void)snprintf(body + size, sizeof body - size, "}}");
    (void)snprintf(path, sizeof path, "/v1/games/%s/setup", table->id);
    struct answer answer = client_do(&client, "POST", path, table->seat[seat], body, 200);
    answer_done(&answer);
}

/* Red's general takes a piece of blue's, and which one that was is nobody's business before. */
static double combat(const char *victim)
{
    static const char *const before[] = {"a4\",\"to\":\"a5", "j7\",\"to\":\"j6",
                                         "a5\",\"to\":\"a6", "j6\",\"to\":\"j5"};
    static const char blow[] = "{\"move\":{\"from\":\"a6\",\"to\":\"a7\"}}";
    char path[80], body[80], bearer[64];
    struct table table;

    table_make(&client, "{\"ruleset\":\"stratego\",\"variant\":\"classic\"}", 0, &table);
    set_up(&table, 0, "general");
    set_up(&table, 1, victim);
    (void)snprintf(path, sizeof path, "/v1/games/%s/moves", table.id);
    for (size_t i = 0; i < 4; i++) {
        (void)snprintf(body, sizeof body, "{\"move\":{\"from\":\"%s\"}}", before[i]);
        struct answer answer = client_do(&client, "POST", path, table.seat[i & 1], body, 200);
        answer_done(&answer);
    }
    (void)snprintf(bearer, sizeof bearer, "Bearer %s", table.seat[0]);
    return timed(&(struct request){.method = "POST",
                                   .path = path,
                                   .authorization = bearer,
                                   .content_type = "application/json",
                                   .body = blow,
                                   .body_size = sizeof blow - 1},
                 200);
}

static bool combats(void)
{
    enum { GAMES = 2000 };
    static const char *const victims[] = {"scout", "colonel"};
    static double room[2][GAMES];
    double *times[2] = {room[0], room[1]};
    size_t counts[2] = {0, 0};
    struct seeded seeded = {13};

    for (int i = 0; i < GAMES; i++) {
        size_t class = seeded_next(&seeded) & 1;
        times[class][counts[class]++] = combat(victims[class]);
    }
    return judged("a combat: a scout is taken, a colonel", times, counts);
}

int main(void)
{
    struct seeded seeded = {5};
    struct table table, pair[2];
    int apart = 0;

    client_open(&client, NULL, 1);
    table_make(&client, "{\"ruleset\":\"engarde\"}", 3, &table);
    apart += credentials(&table);
    for (int i = 0; i < 2; i++) {
        table_make(&client, "{\"ruleset\":\"stratego\",\"variant\":\"classic\"}", 0, &pair[i]);
        struct seeded same = {9};
        table_set_up(&client, &pair[i], "classic", 0, &same);
        table_set_up(&client, &pair[i], "classic", 1, &seeded);
    }
    apart += views(pair);
    apart += combats();
    client_close(&client);
    return apart > 0;
}
