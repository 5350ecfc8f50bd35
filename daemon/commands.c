#include "daemon/commands.h"

#include "api/cleanup.h"
#include "api/json_read.h"
#include "api/sheet.h"
#include "api/verify.h"
#include "daemon/keys.h"
#include "daemon/store_open.h"
#include "daemon/survey.h"

#include <inttypes.h>
#include <jansson.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FILE_MAX = 64 * 1024 * 1024 }; /* bytes of a transcript to be verified */
enum { EXIT_GOOD, EXIT_FAILED, EXIT_USAGE };

struct check {
    struct store store;
    struct survey_counts counts;
    int damaged;
};

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

/* The database itself, while its records are read. */
static void *check_database(void *context)
{
    struct check *check = context;

    check->damaged = check->store.check(check->store.context);
    return NULL;
}

static int report(const struct check *check, int error)
{
    const struct survey_counts *counts = &check->counts;

    if (check->damaged)
        complain("the database itself is damaged", EXIT_FAILED);
    if (error)
        complain(strerror(-error), EXIT_FAILED);
    printf("%" PRId64 " games, %" PRId64 " events, %" PRId64 " faults\n", counts->games,
           counts->events, counts->faults);
    return check->damaged || error || counts->faults > 0 ? EXIT_FAILED : EXIT_GOOD;
}

int command_check(const struct config *config)
{
    struct check check = {0};
    char text[STORE_ERROR_SIZE];
    pthread_t thread;
    struct keys keys;

    if (store_open(config, STORE_READ, &check.store, text))
        return complain(text, EXIT_FAILED);
    bool key = keys_present(config->state);
    if (!key || keys_load(config->state, &keys, text)) {
        check.store.close(check.store.context);
        return complain(key ? text : "there is no store.key: nothing can be played again",
                        EXIT_FAILED);
    }
    bool beside = pthread_create(&thread, NULL, check_database, &check) == 0;
    int error = survey_run(&check.store, keys.store, (unsigned)sysconf(_SC_NPROCESSORS_ONLN),
                           &check.counts);
    if (beside)
        pthread_join(thread, NULL);
    else
        check_database(&check);
    check.store.close(check.store.context);
    keys_wipe(&keys);
    return report(&check, error);
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
    autoout struct out out = {0};
    size_t size = 0;
    char *text = read_whole(config->operand, &size);

    if (!text)
        return complain("the file cannot be read, or is too large", EXIT_USAGE);
    bool good = verify_text(text, size, config->key, &out);
    free(text);
    json_t *answer = out.failed ? NULL : json_read(out.text, out.size, NULL);
    if (!answer)
        return complain("not enough memory", EXIT_FAILED);
    print_checks(answer, config->key);
    json_decref(answer);
    return good ? EXIT_GOOD : EXIT_FAILED;
}

static void print_out(const struct out *out, FILE *stream)
{
    if (out->size)
        fwrite(out->text, 1, out->size, stream);
}

int command_judge(const struct config *config)
{
    static const int status[] = {[JUDGED_GOOD] = EXIT_GOOD,
                                 [JUDGED_BROKEN] = EXIT_FAILED,
                                 [JUDGED_UNREADABLE] = EXIT_USAGE};
    autoout struct out report = {0}, written = {0};
    size_t size = 0;
    char *text = read_whole(config->operand, &size);

    if (!text)
        return complain("the file cannot be read, or is too large", EXIT_USAGE);
    enum judged judged = sheet_judge_text(text, size, config->form, &report, &written);
    free(text);
    if (report.failed || written.failed)
        return complain("not enough memory", EXIT_FAILED);
    print_out(&report, config->form || judged == JUDGED_UNREADABLE ? stderr : stdout);
    print_out(&written, stdout);
    return status[judged];
}
