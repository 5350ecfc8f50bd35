#include "daemon/commands.h"

#include "api/base64.h"
#include "api/commit.h"
#include "api/hex.h"
#include "api/limits.h"
#include "api/verify.h"
#include "daemon/keys.h"
#include "daemon/store_open.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_MAX = 64 * 1024 * 1024 }; /* bytes of a transcript to be verified */
enum { EXIT_GOOD, EXIT_FAILED, EXIT_USAGE };

static int complain(const char *text, int status)
{
    fprintf(stderr, "refereed: %s\n", text);
    return status;
}

int command_keygen(const struct config *config)
{
    char error[KEYS_ERROR_SIZE];

    if (keys_generate(config->operand, error))
        return complain(error, EXIT_FAILED);
    printf("%s: signing.key, store.key, operator.token\n", config->operand);
    return EXIT_GOOD;
}

int command_rotate(const struct config *config)
{
    char error[KEYS_ERROR_SIZE];

    if (keys_rotate(config->state, error))
        return complain(error, EXIT_FAILED);
    printf("a new signing key is in place; restart the daemon to use it\n");
    return EXIT_GOOD;
}

int command_backup(const struct config *config)
{
    char text[STORE_ERROR_SIZE];
    struct store store;

    if (store_is_postgres(config->store))
        return complain("a database is backed up by its own means: pg_dump", EXIT_USAGE);
    if (store_open(config, STORE_READ, &store, text))
        return complain(text, EXIT_FAILED);
    int error = store.backup(store.context, config->operand);
    store.close(store.context);
    if (error) {
        snprintf(text, sizeof text, "%.160s: %.80s", config->operand, strerror(-error));
        return complain(text, EXIT_FAILED);
    }
    printf("%s: written\n", config->operand);
    return EXIT_GOOD;
}

/* A chain as it is read. */
struct chain {
    uint8_t link[32]; /* to the last event */
    uint32_t seq;
    const char *fault;
};

struct survey {
    const struct store *store;
    int64_t last, games, events, faults;
};

/* An event must carry the link of the one before and the seq after its. */
static const char *check_event(struct chain *chain, const char *text, size_t size)
{
    json_t *claims = json_loadb(text, size, JSON_REJECT_DUPLICATES, NULL);
    const char *prev = json_string_value(json_object_get(claims, "prev"));
    json_int_t seq = json_integer_value(json_object_get(claims, "seq"));
    const char *fault = NULL;
    uint8_t link[32];

    if (!claims)
        fault = "an event is not JSON";
    else if (!prev || !hex_decode(prev, strlen(prev), link, 32) ||
             memcmp(link, chain->link, 32) != 0)
        fault = "an event does not follow from the one before";
    else if (seq != (json_int_t)chain->seq + 1)
        fault = "an event is missing";
    json_decref(claims);
    commit_link(text, size, chain->link);
    chain->seq++;
    return fault;
}

static int check_record(void *arg, const struct record *record)
{
    struct chain *chain = arg;
    const char *at = record->claims, *end = at ? at + record->claims_size : at;
    uint32_t count = 0;

    if (record->first != chain->seq + 1)
        chain->fault = "a record is missing";
    while (at && at < end && !chain->fault) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        size_t size = (size_t)((newline ? newline : end) - at);
        chain->fault = check_event(chain, at, size);
        at += size + 1;
        count++;
    }
    if (!chain->fault && count != record->count)
        chain->fault = "a record holds more or fewer events than it says";
    return chain->fault != NULL;
}

static int check_game(void *arg, const struct listing *game, int64_t number)
{
    struct survey *survey = arg;
    struct chain chain = {.seq = 0};
    char id[32];

    int error =
        survey->store->records(survey->store->context, game->gid, 0, check_record, &chain);
    if (error < 0)
        chain.fault = strerror(-error);
    if (chain.fault) {
        base64_encode(game->gid, sizeof game->gid, id);
        fprintf(stderr, "refereed: game %s, after event %" PRIu32 ": %s\n", id, chain.seq,
                chain.fault);
        survey->faults++;
    }
    survey->last = number;
    survey->games++;
    survey->events += chain.seq;
    return 0;
}

static int survey_all(struct survey *survey)
{
    int64_t before;

    do {
        struct list_query query = {.status = -1, .after = survey->last, .limit = 1000};
        before = survey->last;
        int error = survey->store->games(survey->store->context, &query, check_game, survey);
        if (error)
            return error;
    } while (survey->last != before);
    return 0;
}

int command_check(const struct config *config)
{
    char text[STORE_ERROR_SIZE];
    struct store store;

    if (store_open(config, STORE_READ, &store, text))
        return complain(text, EXIT_FAILED);
    struct survey survey = {.store = &store};
    int damaged = store.check(store.context), error = survey_all(&survey);
    store.close(store.context);
    if (damaged)
        complain("the database itself is damaged", EXIT_FAILED);
    if (error)
        complain(strerror(-error), EXIT_FAILED);
    printf("%" PRId64 " games, %" PRId64 " events, %" PRId64 " faults\n", survey.games,
           survey.events, survey.faults);
    return damaged || error || survey.faults > 0 ? EXIT_FAILED : EXIT_GOOD;
}

/* The whole of a file or of standard input ("-"), the caller's to free; NULL: it is too large
 * or cannot be read. */
static char *read_whole(const char *path, size_t *ret_size)
{
    FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
    char *text = malloc(FILE_MAX + 1);

    if (file && text) {
        *ret_size = fread(text, 1, FILE_MAX + 1, file);
        if (!ferror(file) && *ret_size <= FILE_MAX) {
            if (file != stdin)
                fclose(file);
            return text;
        }
    }
    if (file && file != stdin)
        fclose(file);
    free(text);
    return NULL;
}

/* One line a check, and by which key. */
static void print_checks(const json_t *answer, const char *pinned)
{
    const json_t *check;
    size_t i;

    json_array_foreach(json_object_get(answer, "checks"), i, check)
        printf("%-4s %-12s %s\n", json_is_true(json_object_get(check, "ok")) ? "ok" : "FAIL",
               json_string_value(json_object_get(check, "name")),
               json_string_value(json_object_get(check, "detail")));
    const char *key = json_string_value(json_object_get(answer, "key"));
    printf("signed by %s\n", key ? key : "nobody that is known here");
    if (!pinned)
        printf("no key was pinned: compare this one with the referee's /v1/keys, or give it "
               "with --key\n");
}

int command_verify(const struct config *config)
{
    struct out out = {0};
    size_t size = 0;
    char *text = read_whole(config->operand, &size);

    if (!text)
        return complain("the file cannot be read, or is too large", EXIT_USAGE);
    bool good = verify_text(text, size, config->key, &out);
    free(text);
    text = out_take(&out, &size);
    json_t *answer = text ? json_loadb(text, size, 0, NULL) : NULL;
    free(text);
    if (!answer)
        return complain("not enough memory", EXIT_FAILED);
    print_checks(answer, config->key);
    json_decref(answer);
    return good ? EXIT_GOOD : EXIT_FAILED;
}
