/* What the daemon was told: flags over environment over file. The settings: daemon/config.def.
 *
 * Strings belong to the command line, to the environment or to the struct, until config_done().
 */
#ifndef DAEMON_CONFIG_H
#define DAEMON_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CONFIG_LIST_MAX = 16, CONFIG_ERROR_SIZE = 256, CONFIG_ORIGIN_SIZE = 96 };

/* Items in order, NULL behind the last one. */
struct config_list {
    size_t count;
    const char *item[CONFIG_LIST_MAX + 1];
};

enum command {
    COMMAND_SERVE,
    COMMAND_KEYGEN,
    COMMAND_ROTATE,
    COMMAND_BACKUP,
    COMMAND_CHECK,
    COMMAND_VERIFY,
    COMMAND_JUDGE,
    COMMAND_MIGRATE,
    COMMAND_ARCHIVE,
    COMMAND_CHECK_CONFIG, /* its settings are left to config_review() */
    COMMAND_HELP,
    COMMAND_VERSION,
};

struct config {
    enum command command;
    const char *operand; /* keygen, archive: folder; backup, verify, judge: file */
    const char *key;     /* verify: k4.public or k4.pid that must be the signer's; NULL: any */
    const char *form;    /* judge: what to write the record in; NULL: nothing */
    const char *older_than; /* archive: as keep_ended */
    int64_t keep_ended_ms, older_than_ms;
    const char *file; /* of settings, as --config names it; NULL: the usual one */
    char *file_text;  /* the file's text, which settings point into */
#define TEXT(key, preset, argument, help)             const char *key;
#define LIST(key, preset, argument, help)             struct config_list key;
#define NUMBER(key, preset, min, max, argument, help) long key;
#define SWITCH(key, preset, help)                     bool key;
#define WORD(key, preset, words, help)                const char *key;
#include "daemon/config.def"
#undef TEXT
#undef LIST
#undef NUMBER
#undef SWITCH
#undef WORD
};

/* Reads everything; 0, or -EINVAL and one line that says what is wrong. */
int config_read(struct config *ret_config, int argc, char **argv,
                char ret_error[static CONFIG_ERROR_SIZE]);
void config_done(struct config *config);

/* Who wants to know all mistakes, not only the first, and each value with its origin:
 * "default", "FILE:LINE", "environment" or "flag". A value of NULL: none. */
struct config_review {
    void *context;
    void (*mistake)(void *context, const char *line);
    void (*value)(void *context, const char *key, const char *value, const char *origin);
};

/* Reads what config_read() would for `serve`; returns how many mistakes there are. */
int config_review(struct config *ret_config, int argc, char **argv,
                  const struct config_review *review);

/* The key of the first setting from `*at` on that differs, and `*at` behind it; NULL: none
 * does. */
const char *config_differs(const struct config *a, const struct config *b, size_t *at);

/* The text of --help, to stdout. */
void config_help(void);

#endif
