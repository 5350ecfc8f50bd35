#include "daemon/config.h"

#include "daemon/log.h"
#include "daemon/store.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum kind { KIND_TEXT, KIND_LIST, KIND_NUMBER, KIND_SWITCH, KIND_WORD };

struct setting {
    const char *key, *preset;
    enum kind kind;
    size_t offset;
    long min, max;
    const char *argument, *help; /* KIND_WORD: argument holds the words */
};

static const struct setting settings[] = {
#define AT(key) offsetof(struct config, key)
#define TEXT(key, preset, argument, help)                                                      \
    {#key, preset, KIND_TEXT, AT(key), 0, 0, argument, help},
#define LIST(key, preset, argument, help)                                                      \
    {#key, preset, KIND_LIST, AT(key), 0, 0, argument, help},
#define NUMBER(key, preset, min, max, argument, help)                                          \
    {#key, #preset, KIND_NUMBER, AT(key), min, max, argument, help},
#define SWITCH(key, preset, help)      {#key, preset, KIND_SWITCH, AT(key), 0, 0, "on|off", help},
#define WORD(key, preset, words, help) {#key, preset, KIND_WORD, AT(key), 0, 0, words, help},
#include "daemon/config.def"
};

enum { SETTINGS = sizeof settings / sizeof settings[0], FILE_MAX = 65536 };

static const char default_file[] = "/etc/refereed/refereed.conf";

/* Where settings come from, weakest first; a list is begun anew by each source that names it.
 */
enum source { FROM_PRESET, FROM_FILE, FROM_ENVIRONMENT, FROM_FLAGS };

struct reader {
    struct config *config;
    enum source source;
    enum source set_by[SETTINGS];
    const char *file;
    int line;                             /* of the file, being read */
    int lines[SETTINGS][CONFIG_LIST_MAX]; /* of the file, where each item was set */
    const struct config_review *review;   /* NULL: the first mistake is the last */
    int mistakes;
    char *error;
};

static int fault(char *ret_error, const char *what, const char *why)
{
    snprintf(ret_error, CONFIG_ERROR_SIZE, "%.96s: %.150s", what, why);
    return -EINVAL;
}

/* What a mistake means: the end, or, where all are wanted, one more. */
static int wrong(struct reader *r)
{
    if (!r->review)
        return -EINVAL;
    r->mistakes++;
    r->review->mistake(r->review->context, r->error);
    return 0;
}

/* "FILE:LINE", "environment" or "flag". */
static void name_origin(const struct reader *r, enum source source, int line,
                        char ret_where[static CONFIG_ORIGIN_SIZE])
{
    static const char *const names[] = {
        [FROM_PRESET] = "default", [FROM_ENVIRONMENT] = "environment", [FROM_FLAGS] = "flag"};

    if (source == FROM_FILE)
        snprintf(ret_where, CONFIG_ORIGIN_SIZE, "%.80s:%d", r->file, line);
    else
        snprintf(ret_where, CONFIG_ORIGIN_SIZE, "%s", names[source]);
}

/* Puts before the mistake where it was made. */
static int fault_at(struct reader *r, enum source source, int line)
{
    char where[CONFIG_ORIGIN_SIZE], why[CONFIG_ERROR_SIZE];

    name_origin(r, source, line, where);
    snprintf(why, sizeof why, "%s", r->error);
    return fault(r->error, where, why);
}

/* Equal when '-' and '_' are taken for the same. */
static bool same_key(const char *key, const char *name, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (key[i] != (name[i] == '-' ? '_' : name[i]))
            return false;
    return key[size] == '\0';
}

static int find(const char *name, size_t size)
{
    for (int i = 0; i < SETTINGS; i++)
        if (strlen(settings[i].key) == size && same_key(settings[i].key, name, size))
            return i;
    return -1;
}

static bool one_of(const char *words, const char *word)
{
    size_t size = strlen(word);

    if (strchr(word, '|'))
        return false;
    for (const char *at = words; at; at = strchr(at, '|'), at = at ? at + 1 : NULL)
        if (size > 0 && strncmp(at, word, size) == 0 && (at[size] == '|' || at[size] == '\0'))
            return true;
    return false;
}

static int put_number(const struct setting *s, const char *value, long *ret_number, char *error)
{
    char *end, why[96];

    errno = 0;
    long number = strtol(value, &end, 10);
    if (errno == 0 && *end == '\0' && *value >= '0' && *value <= '9' && number >= s->min &&
        number <= s->max) {
        *ret_number = number;
        return 0;
    }
    snprintf(why, sizeof why, "must be a number from %ld to %ld", s->min, s->max);
    return fault(error, s->key, why);
}

static int put_list(struct reader *r, int row, const char *value)
{
    struct config_list *list =
        (struct config_list *)(void *)((char *)r->config + settings[row].offset);

    if (r->set_by[row] != r->source)
        list->count = 0;
    if (list->count == CONFIG_LIST_MAX)
        return fault(r->error, settings[row].key, "is given too often");
    r->lines[row][list->count] = r->line;
    list->item[list->count++] = value;
    list->item[list->count] = NULL;
    return 0;
}

static int put(struct reader *r, int row, const char *value)
{
    const struct setting *s = &settings[row];
    void *place = (char *)r->config + s->offset;
    char why[96];
    int error = 0;

    if (*value == '\0')
        return fault(r->error, s->key, "needs a value");
    if (s->kind == KIND_SWITCH || s->kind == KIND_WORD) {
        snprintf(why, sizeof why, "must be one of %s", s->argument);
        if (!one_of(s->argument, value))
            return fault(r->error, s->key, why);
    }
    if (s->kind == KIND_NUMBER)
        error = put_number(s, value, place, r->error);
    else if (s->kind == KIND_SWITCH)
        *(bool *)place = strcmp(value, "on") == 0;
    else if (s->kind == KIND_LIST)
        error = put_list(r, row, value);
    else
        *(const char **)place = value;
    if (error)
        return error;
    if (s->kind != KIND_LIST)
        r->lines[row][0] = r->line;
    r->set_by[row] = r->source;
    return 0;
}

static int read_presets(struct reader *r)
{
    r->source = FROM_PRESET;
    for (int i = 0; i < SETTINGS; i++) {
        int error = settings[i].preset ? put(r, i, settings[i].preset) : 0;
        if (error)
            return error;
    }
    return 0;
}

static char *trim(char *text)
{
    text += strspn(text, " \t\r");
    for (size_t n = strlen(text); n > 0 && strchr(" \t\r", text[n - 1]); n--)
        text[n - 1] = '\0';
    return text;
}

static int read_line(struct reader *r, char *line)
{
    char where[CONFIG_ORIGIN_SIZE];

    line = trim(line);
    if (*line == '\0' || *line == '#')
        return 0;
    name_origin(r, FROM_FILE, r->line, where);
    char *equals = strchr(line, '=');
    if (!equals)
        return fault(r->error, where, "is not `key = value`");
    *equals = '\0';
    char *key = trim(line);
    int row = find(key, strlen(key));
    if (row < 0)
        return fault(r->error, where, "no such key");
    return put(r, row, trim(equals + 1)) ? fault_at(r, FROM_FILE, r->line) : 0;
}

static int read_file(struct reader *r, const char *file, bool must_exist)
{
    FILE *stream = fopen(file, "re");
    char *text = stream ? calloc(1, FILE_MAX + 1) : NULL, *next;
    int error = 0;

    if (!stream)
        return must_exist || errno != ENOENT ? fault(r->error, file, strerror(errno)) : 0;
    size_t size = text ? fread(text, 1, FILE_MAX, stream) : 0;
    bool whole = text && feof(stream) && !ferror(stream) && strlen(text) == size;
    fclose(stream);
    r->config->file_text = text;
    if (!whole)
        return fault(r->error, file, "cannot be read as a text of at most 64 KiB");
    r->source = FROM_FILE;
    r->file = file;
    r->line = 1;
    for (char *line = text; line && !error; line = next, r->line++) {
        next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        error = read_line(r, line) ? wrong(r) : 0;
    }
    return error;
}

static int read_environment(struct reader *r)
{
    char name[64] = "REFEREED_";
    int error = 0;

    r->source = FROM_ENVIRONMENT;
    for (int i = 0; i < SETTINGS && !error; i++) {
        size_t n = strlen("REFEREED_");
        for (const char *c = settings[i].key; *c; c++)
            name[n++] = *c == '_' ? '_' : (char)(*c - 'a' + 'A');
        name[n] = '\0';
        const char *value = getenv(name);
        if (value && *value && put(r, i, value)) {
            fault_at(r, FROM_ENVIRONMENT, 0);
            error = wrong(r);
        }
    }
    return error;
}

/* A word that nobody knows is shown, but not where it may hold a password. */
static int unknown(char *ret_error, const char *word, const char *why)
{
    char shown[64];

    snprintf(shown, sizeof shown, "%.*s", (int)strcspn(word, "=:"), word);
    return fault(ret_error, shown, why);
}

/* The value of flag argv[*at]: behind '=', else the next word; a bare switch is on. */
static int read_flag(struct reader *r, int argc, char **argv, int *at)
{
    const char *name = argv[*at] + 2, *equals = strchr(name, '=');
    int row = find(name, equals ? (size_t)(equals - name) : strlen(name));

    if (row < 0)
        return unknown(r->error, argv[*at], "no such flag; see --help");
    if (equals)
        return put(r, row, equals + 1);
    bool more = *at + 1 < argc;
    if (settings[row].kind == KIND_SWITCH && (!more || !one_of("on|off", argv[*at + 1])))
        return put(r, row, "on");
    if (!more)
        return fault(r->error, argv[*at], "needs a value");
    return put(r, row, argv[++*at]);
}

static const struct {
    const char *name;
    enum command command;
    const char *operand; /* NULL: takes none */
} commands[] = {
    {"serve", COMMAND_SERVE, NULL},     {"keygen", COMMAND_KEYGEN, "a folder"},
    {"rotate", COMMAND_ROTATE, NULL},   {"backup", COMMAND_BACKUP, "a file"},
    {"check", COMMAND_CHECK, NULL},     {"verify", COMMAND_VERIFY, "a file"},
    {"judge", COMMAND_JUDGE, "a file"}, {"archive", COMMAND_ARCHIVE, "a folder"},
    {"migrate", COMMAND_MIGRATE, NULL}, {"check-config", COMMAND_CHECK_CONFIG, NULL},
    {"--help", COMMAND_HELP, NULL},     {"--version", COMMAND_VERSION, NULL},
};

enum { COMMANDS = sizeof commands / sizeof commands[0] };

static int find_command(const char *word)
{
    for (int i = 0; i < COMMANDS; i++)
        if (strcmp(commands[i].name, word) == 0)
            return i;
    return -1;
}

/* FLAG V or FLAG=V, which one command alone takes. False: it is something else. */
static bool read_own(const char *flag, const char **ret_value, int argc, char **argv, int *at)
{
    size_t size = strlen(flag);

    if (strncmp(argv[*at], flag, size) != 0)
        return false;
    if (argv[*at][size] == '=')
        *ret_value = argv[*at] + size + 1;
    else if (argv[*at][size] == '\0' && *at + 1 < argc)
        *ret_value = argv[++*at];
    return *ret_value != NULL;
}

static bool read_own_flags(struct config *c, int argc, char **argv, int *at)
{
    return (c->command == COMMAND_VERIFY && read_own("--key", &c->key, argc, argv, at)) ||
           (c->command == COMMAND_JUDGE && read_own("--write", &c->form, argc, argv, at)) ||
           (c->command == COMMAND_ARCHIVE &&
            read_own("--older-than", &c->older_than, argc, argv, at));
}

static int read_flags(struct reader *r, int argc, char **argv)
{
    int first = argc > 1 ? find_command(argv[1]) : 0, error = 0;
    const char *needs = NULL;

    r->source = FROM_FLAGS;
    if (first >= 0) {
        r->config->command = commands[first].command;
        needs = commands[first].operand;
    }
    for (int i = first >= 0 && argc > 1 ? 2 : 1; i < argc && !error; i++) {
        int command = find_command(argv[i]);
        if (command >= 0 && argv[i][0] == '-')
            r->config->command = commands[command].command;
        else if (strncmp(argv[i], "--config", 8) == 0)
            i += argv[i][8] == '\0'; /* read before, by config_file() */
        else if (read_own_flags(r->config, argc, argv, &i))
            continue;
        else if (strncmp(argv[i], "--", 2) == 0)
            error = read_flag(r, argc, argv, &i);
        else if (needs && !r->config->operand)
            r->config->operand = argv[i];
        else
            error = unknown(r->error, argv[i], "not understood; see --help");
        if (error)
            error = wrong(r);
    }
    if (!error && needs && !r->config->operand && r->config->command < COMMAND_HELP)
        return fault(r->error, argv[1],
                     needs[2] == 'f' && needs[3] == 'o' ? "needs the name of a folder"
                                                        : "needs the name of a file");
    return error;
}

/* The file named by --config, or NULL. */
static int config_file(int argc, char **argv, const char **ret_file, char *ret_error)
{
    for (int i = 1; i < argc; i++) {
        if (strncmp(argv[i], "--config=", 9) == 0)
            *ret_file = argv[i] + 9;
        else if (strcmp(argv[i], "--config") == 0 && i + 1 < argc)
            *ret_file = argv[++i];
        else if (strncmp(argv[i], "--config", 8) == 0)
            return fault(ret_error, argv[i],
                         argv[i][8] ? "no such flag; see --help" : "needs a value");
    }
    return 0;
}

/* A whole number and what of: days (d, or nothing), hours, minutes or seconds. */
static bool read_span(const char *text, int64_t *ret_ms)
{
    static const struct {
        char letter;
        int64_t ms;
    } units[] = {{'\0', 86400000}, {'d', 86400000}, {'h', 3600000}, {'m', 60000}, {'s', 1000}};
    enum { DAYS_MAX = 100000 };
    char *end;

    errno = 0;
    long number = strtol(text, &end, 10);
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        bool whole = *end == units[i].letter && (*end == '\0' || end[1] == '\0');
        if (!whole || errno || *text < '0' || *text > '9' ||
            number > DAYS_MAX * (86400000 / units[i].ms))
            continue;
        *ret_ms = number * units[i].ms;
        return true;
    }
    return false;
}

/* A mistake in what was set for `key`. */
static int amiss(struct reader *r, const char *key, const char *why)
{
    int row = find(key, strlen(key));

    fault(r->error, key, why);
    if (r->set_by[row] == FROM_FILE || r->set_by[row] == FROM_ENVIRONMENT)
        fault_at(r, r->set_by[row], r->lines[row][0]);
    return wrong(r);
}

/* What is not set, and depends on the surroundings. */
static void complete(struct reader *r)
{
    struct config *c = r->config;

    if (!c->state && (c->state = getenv("STATE_DIRECTORY")))
        r->set_by[find("state", 5)] = FROM_ENVIRONMENT;
    if (!c->state)
        c->state = "var";
    if (!c->log_format && log_is_journal(STDERR_FILENO)) {
        c->log_format = "journal";
        r->set_by[find("log_format", 10)] = FROM_ENVIRONMENT;
    }
    if (!c->log_format)
        c->log_format = "text";
}

static int check_keeping(struct reader *r)
{
    static const char form[] = "must be a number of days, or like 12h, 90m, 30s";
    struct config *c = r->config;

    if (!read_span(c->keep_ended, &c->keep_ended_ms))
        return amiss(r, "keep_ended", form);
    if (c->older_than && !read_span(c->older_than, &c->older_than_ms))
        return fault(r->error, "older_than", form);
    if (c->archive && !c->keep_ended_ms)
        return amiss(r, "archive", "needs keep_ended: nothing leaves the store");
    return 0;
}

/* What no single setting can tell. */
static int check_whole(struct reader *r)
{
    const struct config *c = r->config;
    bool postgres = store_is_postgres(c->store);
    int error = 0;

    if (c->tls_cert && !c->tls_key)
        error = amiss(r, "tls_cert", "needs tls_key, and the other way round");
    if (!error && c->tls_key && !c->tls_cert)
        error = amiss(r, "tls_key", "needs tls_cert, and the other way round");
    if (!error && strcmp(c->store, "sqlite:") != 0 && !postgres)
        error = amiss(r, "store", "only sqlite: and postgresql://... are known");
    if (!error)
        error = check_keeping(r);
    if (!error && c->command == COMMAND_MIGRATE && !postgres)
        error = fault(r->error, "migrate", "needs --store postgresql://..., where to move to");
    return error;
}

static int read_all(struct reader *r, int argc, char **argv)
{
    const char *file = NULL;

    memset(r->config, 0, sizeof *r->config);
    int error = config_file(argc, argv, &file, r->error) ? wrong(r) : 0;
    r->config->file = file;
    if (!error)
        error = read_presets(r);
    if (!error && read_file(r, file ? file : default_file, file != NULL))
        error = wrong(r);
    if (!error)
        error = read_environment(r);
    if (!error)
        error = read_flags(r, argc, argv);
    if (error)
        return error;
    complete(r);
    return check_whole(r);
}

int config_read(struct config *ret_config, int argc, char **argv,
                char ret_error[static CONFIG_ERROR_SIZE])
{
    struct reader r = {.config = ret_config, .error = ret_error};

    if (argc > 1 && strcmp(argv[1], "check-config") == 0) {
        *ret_config = (struct config){.command = COMMAND_CHECK_CONFIG};
        return 0;
    }
    return read_all(&r, argc, argv);
}

/* Tells the reviewer each value of one setting; NULL where there is none. */
static void tell(const struct reader *r, int row)
{
    const struct setting *s = &settings[row];
    const void *place = (const char *)r->config + s->offset;
    const struct config_list *list = place;
    char where[CONFIG_ORIGIN_SIZE], number[32];
    size_t count = s->kind == KIND_LIST && list->count > 0 ? list->count : 1;

    snprintf(number, sizeof number, "%ld", s->kind == KIND_NUMBER ? *(const long *)place : 0);
    for (size_t i = 0; i < count; i++) {
        const char *value = number;
        if (s->kind == KIND_SWITCH)
            value = *(const bool *)place ? "on" : "off";
        else if (s->kind == KIND_LIST)
            value = list->item[i];
        else if (s->kind != KIND_NUMBER)
            value = *(const char *const *)place;
        name_origin(r, r->set_by[row], r->lines[row][i], where);
        r->review->value(r->review->context, s->key, value, where);
    }
}

int config_review(struct config *ret_config, int argc, char **argv,
                  const struct config_review *review)
{
    char error[CONFIG_ERROR_SIZE] = "";
    struct reader r = {.config = ret_config, .error = error, .review = review};

    read_all(&r, argc, argv);
    for (int i = 0; i < SETTINGS && ret_config->command == COMMAND_CHECK_CONFIG; i++)
        tell(&r, i);
    return r.mistakes;
}

static bool same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool same_list(const struct config_list *a, const struct config_list *b)
{
    for (size_t i = 0; i < a->count && i < b->count; i++)
        if (!same_text(a->item[i], b->item[i]))
            return false;
    return a->count == b->count;
}

static bool same_setting(const struct setting *s, const struct config *a,
                         const struct config *b)
{
    const void *left = (const char *)a + s->offset, *right = (const char *)b + s->offset;

    if (s->kind == KIND_LIST)
        return same_list(left, right);
    if (s->kind == KIND_NUMBER)
        return *(const long *)left == *(const long *)right;
    if (s->kind == KIND_SWITCH)
        return *(const bool *)left == *(const bool *)right;
    return same_text(*(const char *const *)left, *(const char *const *)right);
}

const char *config_differs(const struct config *a, const struct config *b, size_t *at)
{
    while (*at < SETTINGS) {
        const struct setting *s = &settings[(*at)++];
        if (!same_setting(s, a, b))
            return s->key;
    }
    return NULL;
}

void config_done(struct config *config)
{
    free(config->file_text);
    config->file_text = NULL;
}

static void help_line(const struct setting *s)
{
    char flag[64];
    int n = snprintf(flag, sizeof flag, "--%s %s", s->key, s->argument);

    for (char *c = flag; *c && *c != ' '; c++)
        if (*c == '_')
            *c = '-';
    printf("  %-28s%s%s", flag, n > 27 ? "\n                              " : "", s->help);
    if (s->preset)
        printf(" (%s)", s->preset);
    printf("\n");
}

void config_help(void)
{
    printf(
        "usage: refereed [serve] [flags]   the daemon\n"
        "       refereed keygen DIR        makes signing.key, store.key and operator.token\n"
        "       refereed rotate [flags]    a new signing key; the old public key is kept\n"
        "       refereed backup FILE       a copy of the store, also of one in use\n"
        "       refereed check [flags]     reads the whole store and checks every chain\n"
        "       refereed check-config [flags]  which settings hold, where from, all mistakes\n"
        "       refereed migrate [flags]   moves the games of --state to the database --store\n"
        "       refereed archive DIR       writes the transcripts of games that are over; "
        "--older-than\n"
        "                                  DAYS: of those alone\n"
        "       refereed verify FILE|-     checks a transcript or a token; --key K pins the "
        "signer\n"
        "       refereed judge FILE|-      plays a recorded game: which ruling is broken "
        "where; "
        "--write\n"
        "                                  notation|json|gsn|xml writes it in that form\n"
        "       refereed --help, --version\n\n"
        "  %-28sread settings from FILE (%s)\n",
        "--config FILE", default_file);
    for (int i = 0; i < SETTINGS; i++)
        help_line(&settings[i]);
    printf("\nEach flag is also a key of the file (`rate = 50`) and a variable of the\n"
           "environment (REFEREED_RATE). Flags go over the environment, it over the file.\n");
}
