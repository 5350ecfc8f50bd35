/* Asks a daemon about many games: drive ADDRESS WHAT GAMES [CONNECTIONS]
 *
 * GAMES is a file as fill writes it. WHAT is look (a spectator looks at each game), views (the
 * first seat looks, and what it sees is printed, a line a game) or move (whoever is to act
 * makes the first legal move, in each game one). Fails if any answer is not 200.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/system/fleet_wire.h"

enum { LINE_MAX = 256, CONNECTIONS_MAX = 64, SEATS = 4 };

struct game {
    char id[24];
    char seat[SEATS][48];
    int seats;
    char *view;
};

struct drive {
    const char *address, *what;
    struct game *games;
    size_t count, from; /* every so many games, from this one */
    size_t step;
    size_t bad;
};

static void die(const char *what)
{
    fprintf(stderr, "drive: %s\n", what);
    exit(1);
}

static size_t read_games(const char *path, struct game **ret_games)
{
    FILE *file = fopen(path, "r");
    struct game *games = NULL;
    char line[LINE_MAX];
    size_t count = 0;

    while (file && fgets(line, sizeof line, file)) {
        if ((count & (count - 1)) == 0)
            games = realloc(games, (count ? 2 * count : 1) * sizeof *games);
        if (!games)
            die("no memory");
        struct game *game = &games[count++];
        *game = (struct game){0};
        game->seats = sscanf(line, "%23s %47s %47s %47s %47s", game->id, game->seat[0],
                             game->seat[1], game->seat[2], game->seat[3]) -
                      1;
    }
    if (!file)
        die("the file of games cannot be read");
    fclose(file);
    *ret_games = games;
    return count;
}

static bool get(struct wire *wire, const char *path, const char *credential,
                struct told *ret_told)
{
    const struct ask ask = {.path = path, .credential = credential};

    if (!wire_ask(wire, &ask, ret_told))
        die("the connection broke");
    return ret_told->status == 200;
}

/* The first object of the list of moves: a move has no string with a brace in it. */
static bool first_move(const char *text, char *body, size_t size)
{
    const char *at = strstr(text, "\"moves\":[{");
    const char *end = at ? strchr(at, ']') : NULL;
    int depth = 0;

    if (!at)
        return false;
    at += strlen("\"moves\":[");
    for (end = at; *end; end++) {
        depth += *end == '{';
        depth -= *end == '}';
        if (depth == 0)
            break;
    }
    return snprintf(body, size, "{\"move\":%.*s}", (int)(end + 1 - at), at) < (int)size;
}

static bool move(struct wire *wire, const struct game *game)
{
    char path[64], body[512];
    struct told told;

    (void)snprintf(path, sizeof path, "/v1/games/%s/moves", game->id);
    for (int seat = 0; seat < game->seats; seat++) {
        bool good = get(wire, path, game->seat[seat], &told);
        bool found = good && first_move(told.body, body, sizeof body);
        told_done(&told);
        if (!good)
            return false;
        if (!found)
            continue;
        const struct ask ask = {
            .path = path, .body = body, .credential = game->seat[seat], .minimal = true};
        if (!wire_ask(wire, &ask, &told))
            die("the connection broke");
        good = told.status == 200;
        told_done(&told);
        return good;
    }
    return true; /* nobody is to act */
}

static bool look(struct wire *wire, struct game *game, bool seated)
{
    struct told told;
    char path[64];

    (void)snprintf(path, sizeof path, "/v1/games/%s", game->id);
    bool good = get(wire, path, seated ? game->seat[0] : NULL, &told);
    if (seated)
        game->view = strdup(told.body);
    told_done(&told);
    return good;
}

static void *drive(void *context)
{
    struct drive *work = context;
    struct wire *wire = wire_new(work->address, 0);

    if (!wire || !wire_reconnect(wire, 5))
        die("nobody listens");
    for (size_t i = work->from; i < work->count; i += work->step) {
        struct game *game = &work->games[i];
        bool good = strcmp(work->what, "move") == 0
                        ? move(wire, game)
                        : look(wire, game, strcmp(work->what, "views") == 0);
        work->bad += !good;
    }
    wire_free(wire);
    return NULL;
}

int main(int argc, char **argv)
{
    static struct drive work[CONNECTIONS_MAX];
    pthread_t threads[CONNECTIONS_MAX];
    struct game *games;
    size_t bad = 0;

    if (argc < 4)
        die("ADDRESS look|views|move GAMES [CONNECTIONS]");
    size_t connections = argc > 4 ? strtoul(argv[4], NULL, 10) : 4;
    size_t count = read_games(argv[3], &games);
    for (size_t i = 0; i < connections && i < CONNECTIONS_MAX; i++) {
        work[i] = (struct drive){argv[1], argv[2], games, count, i, connections, 0};
        if (pthread_create(&threads[i], NULL, drive, &work[i]))
            die("no thread");
    }
    for (size_t i = 0; i < connections && i < CONNECTIONS_MAX; i++) {
        pthread_join(threads[i], NULL);
        bad += work[i].bad;
    }
    for (size_t i = 0; i < count; i++) {
        if (games[i].view)
            printf("%s\n", games[i].view);
        free(games[i].view);
    }
    free(games);
    if (bad)
        fprintf(stderr, "drive: %zu of %zu games gave no 200\n", bad, count);
    return bad != 0;
}
