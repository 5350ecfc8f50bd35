/* `refereed migrate`: the games of a state folder move into a database, all of them or none. */
#include "daemon/commands.h"

#include "api/commit.h"
#include "api/record.h"
#include "daemon/store_open.h"

#include <errno.h>
#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { EXIT_GOOD, EXIT_FAILED, EXIT_USAGE };
enum { BATCH_MAX = 512, BATCH_BYTES = 4 * 1024 * 1024, PAGE = 256 };

/* A change on its way, with the bytes that it points to. */
struct parcel {
    struct parcel *next;
    struct change change;
    struct record record;
    struct listing listing;
    struct kept kept;
    struct snapshot snapshot;
    uint64_t credential;
    uint8_t gid[16];
    uint8_t bytes[];
};

struct move {
    struct store from, to;
    struct parcel *first, **last;
    size_t count, bytes;
    int64_t number; /* of the last game */
    uint64_t games, records, faults;
    uint64_t link; /* of the record before, in the game at hand */
    const uint8_t *gid;
    int error;
};

static int complain(const char *text, int status)
{
    fprintf(stderr, "refereed: %s\n", text);
    return status;
}

static void drop_batch(struct move *move)
{
    while (move->first) {
        struct parcel *next = move->first->next;
        free(move->first);
        move->first = next;
    }
    move->last = &move->first;
    move->count = move->bytes = 0;
}

/* Hands over what has gathered; a change that is lost means that others write there. */
static int flush(struct move *move)
{
    const struct change *changes[BATCH_MAX];
    bool lost[BATCH_MAX];
    size_t n = 0;

    for (const struct parcel *p = move->first; p; p = p->next)
        changes[n++] = &p->change;
    if (n > 0 && !move->error)
        move->error = move->to.commit(move->to.context, changes, n, lost);
    for (size_t i = 0; i < n && !move->error; i++)
        move->error = lost[i] ? -ESTALE : 0;
    drop_batch(move);
    return move->error;
}

/* An empty parcel in the batch, which is handed over before if it is full, with a copy of two
 * pieces of memory; NULL without memory. */
static struct parcel *pack(struct move *move, const uint8_t *gid, const void *one,
                           size_t one_size, const void *other, size_t other_size)
{
    struct parcel *p = calloc(1, sizeof *p + one_size + other_size);

    if (move->count == BATCH_MAX || move->bytes > BATCH_BYTES)
        flush(move);
    if (!p) {
        move->error = -ENOMEM;
        return NULL;
    }
    if (gid)
        p->change.gid = memcpy(p->gid, gid, sizeof p->gid);
    if (one_size > 0)
        memcpy(p->bytes, one, one_size);
    if (other_size > 0)
        memcpy(p->bytes + one_size, other, other_size);
    *move->last = p;
    move->last = &p->next;
    move->count++;
    move->bytes += one_size + other_size;
    return p;
}

/* The link that a name is made of goes over the exact bytes of the record's last event. */
static uint64_t name_of(const struct record *record)
{
    const char *line = memrchr(record->claims, '\n', record->claims_size);
    const char *at = line ? line + 1 : record->claims;
    uint8_t link[32];

    commit_link(at, (size_t)(record->claims + record->claims_size - at), link);
    return record_name(link, record->sealed, record->sealed_size);
}

static int move_record(void *arg, const struct record *record)
{
    struct move *move = arg;
    struct parcel *p = pack(move, move->gid, record->claims, record->claims_size,
                            record->sealed, record->sealed_size);

    if (!p)
        return 1;
    p->record = *record;
    p->record.claims = (const char *)p->bytes;
    p->record.sealed = p->bytes + record->claims_size;
    p->record.before = move->link;
    p->record.link = move->link = name_of(record);
    p->change.record = &p->record;
    move->records++;
    return move->error != 0;
}

static void move_snapshot(void *arg, const struct snapshot *snapshot)
{
    struct move *move = arg;
    struct parcel *p = pack(move, move->gid, snapshot->sealed, snapshot->sealed_size, NULL, 0);

    if (!p)
        return;
    p->snapshot = (struct snapshot){snapshot->seq, p->bytes, snapshot->sealed_size};
    p->change.snapshot = &p->snapshot;
}

static int move_game(void *arg, const struct listing *game, int64_t number)
{
    struct move *move = arg;
    struct parcel *p = pack(move, game->gid, NULL, 0, NULL, 0);

    if (!p)
        return 1;
    p->listing = *game;
    p->change.listing = &p->listing;
    move->gid = game->gid;
    move->number = number;
    move->link = 0;
    move->games++;
    int error = move->from.records(move->from.context, game->gid, 0, move_record, move);
    if (!move->error && error < 0)
        move->error = error;
    if (!move->error)
        error = move->from.snapshot(move->from.context, game->gid, move_snapshot, move);
    if (!move->error && error < 0 && error != -ENOENT)
        move->error = error;
    return move->error != 0;
}

static int move_credential(void *arg, uint64_t id, const uint8_t gid[static 16])
{
    struct move *move = arg;
    struct parcel *p = pack(move, gid, NULL, 0, NULL, 0);

    if (!p)
        return 1;
    p->credential = id;
    p->change.credentials = &p->credential;
    p->change.credential_count = 1;
    return move->error != 0;
}

static int move_answer(void *arg, const struct kept *kept)
{
    struct move *move = arg;
    struct parcel *p = pack(move, NULL, kept->sealed, kept->sealed_size, NULL, 0);

    if (!p)
        return 1;
    p->kept = *kept;
    p->kept.sealed = p->bytes;
    p->change.kept = &p->kept;
    return move->error != 0;
}

/* Calls `row` for all games of the source, a page at a time. */
static int each_game(struct move *move,
                     int (*row)(void *arg, const struct listing *game, int64_t number))
{
    int64_t before = -1;
    int error = 0;

    for (move->number = 0; move->number != before && !error;) {
        struct list_query query = {.status = -1, .after = move->number, .limit = PAGE};
        before = move->number;
        error = move->from.games(move->from.context, &query, row, move);
    }
    return move->error ? move->error : error;
}

static int move_all(struct move *move)
{
    int error = each_game(move, move_game);

    if (!error)
        error = move->from.credentials(move->from.context, move_credential, move);
    if (!error)
        error = move->from.answers(move->from.context, move_answer, move);
    if (!move->error)
        flush(move);
    drop_batch(move);
    return move->error ? move->error : error;
}

/* Everything of a game's records, in order, as one hash. */
static int digest_record(void *arg, const struct record *record)
{
    crypto_generichash_state *state = arg;
    const uint64_t sizes[] = {record->first, record->count, record->claims_size,
                              record->sealed_size};

    crypto_generichash_update(state, (const uint8_t *)sizes, sizeof sizes);
    crypto_generichash_update(state, (const uint8_t *)record->claims, record->claims_size);
    crypto_generichash_update(state, record->sealed, record->sealed_size);
    return 0;
}

static int digest(const struct store *store, const uint8_t *gid, uint8_t ret_hash[static 32])
{
    crypto_generichash_state state;

    crypto_generichash_init(&state, NULL, 0, 32);
    int error = store->records(store->context, gid, 0, digest_record, &state);
    crypto_generichash_final(&state, ret_hash, 32);
    return error;
}

static int compare_game(void *arg, const struct listing *game, int64_t number)
{
    struct move *move = arg;
    uint8_t from[32], to[32];

    move->number = number;
    move->error = digest(&move->from, game->gid, from);
    if (!move->error)
        move->error = digest(&move->to, game->gid, to);
    move->faults += !move->error && memcmp(from, to, sizeof from) != 0;
    return move->error != 0;
}

static int some_game(void *arg, const struct listing *game, int64_t number)
{
    (void)game;
    (void)number;
    *(bool *)arg = true;
    return 0;
}

static int check_target(struct move *move)
{
    struct list_query query = {.status = -1, .limit = 1};
    bool any = false;

    if (move->to.games(move->to.context, &query, some_game, &any))
        return complain("the database does not answer", EXIT_FAILED);
    if (any)
        return complain("the database holds games already; move into an empty one", EXIT_USAGE);
    return EXIT_GOOD;
}

static int run(struct move *move)
{
    int status = check_target(move);

    if (status)
        return status;
    int error = move->to.bulk(move->to.context, BULK_BEGIN);
    if (!error)
        error = move_all(move);
    int ended = move->to.bulk(move->to.context, error ? BULK_ABANDON : BULK_END);
    if (error || ended) {
        fprintf(stderr, "refereed: nothing was moved: %s\n", strerror(error ? -error : -ended));
        return EXIT_FAILED;
    }
    if (each_game(move, compare_game))
        return complain("the copy could not be compared with the store", EXIT_FAILED);
    if (move->faults > 0)
        return complain("the copy differs from the store: do not use it", EXIT_FAILED);
    printf("%" PRIu64 " games, %" PRIu64 " records moved and compared\n", move->games,
           move->records);
    return EXIT_GOOD;
}

int command_migrate(const struct config *config)
{
    struct move move = {.last = &move.first};
    char text[STORE_ERROR_SIZE], file[STORE_ERROR_SIZE];

    snprintf(file, sizeof file, "%.240s/games.db", config->state);
    if (access(file, R_OK) < 0) {
        fprintf(stderr, "refereed: %s: %s\n", file, strerror(errno));
        return EXIT_USAGE;
    }
    /* held until the end, so that no daemon serves it meanwhile */
    if (store_sqlite_open(config->state, STORE_SERVE, &move.from, text))
        return complain(text, EXIT_USAGE);
    int status = EXIT_FAILED;
    if (store_open(config, STORE_SERVE, &move.to, text))
        complain(text, EXIT_FAILED);
    else
        status = run(&move);
    if (move.to.close)
        move.to.close(move.to.context);
    move.from.close(move.from.context);
    return status;
}
