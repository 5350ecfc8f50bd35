/* refereed check-config: what holds, where from, and all that is wrong with it. */
#include "daemon/commands.h"
#include "daemon/keys.h"
#include "daemon/listen.h"
#include "daemon/tls.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { EXIT_GOOD, EXIT_USAGE = 2 };

/* Mistakes that reading alone does not show. */
struct review {
    int more;
    bool unread; /* the certificate or its key */
};

static void on_mistake(void *context, const char *line)
{
    (void)context;
    fprintf(stderr, "refereed: %s\n", line);
}

/* How much of a text is a host, with its port if it is one, or a list of them. */
static size_t hosts(const char *text)
{
    size_t size = strcspn(text, ":/?");

    if (text[0] == '[')
        return strcspn(text, "/?");
    if (text[size] == ':') {
        size_t digits = strspn(text + size + 1, "0123456789,");
        size += strchr("/?", text[size + 1 + digits]) ? digits + 1 : 0;
    }
    return size;
}

/* Prints an address without what may be a password: all from the first ':' behind the user to
 * the last '@', and all options. Where it is unclear what is what, no more than its begin. */
static void print_address(const char *url)
{
    const char *scheme = strstr(url, "://");
    const char *rest = scheme ? scheme + 3 : url, *at = strrchr(rest, '@');
    size_t user = strcspn(rest, ":/?@");

    if (!scheme) {
        printf("%s", strcmp(url, "sqlite:") == 0 ? url : "…");
        return;
    }
    printf("%.*s", (int)(rest - url), url);
    if (at) {
        printf("%.*s%s", (int)user, rest, rest + user == at ? "@" : ":…@");
        rest = memchr(rest, '?', (size_t)(at - rest)) ? "…" : at + 1;
    }
    size_t host = hosts(rest), path = strcspn(rest + host, "?");
    bool clear = at || strchr("/?", rest[host]);
    printf("%.*s%s", (int)(clear ? host + path : host), rest,
           !clear || rest[host + path] ? "…" : "");
}

static int check_file(const char *file, char *ret_error, size_t size)
{
    char byte;
    int fd = open(file, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    int error = fd < 0 || read(fd, &byte, 1) < 0 ? -errno : 0;

    if (fd >= 0)
        close(fd);
    if (error)
        snprintf(ret_error, size, "%.160s: %.80s", file, strerror(-error));
    return error;
}

static void on_value(void *context, const char *key, const char *value, const char *origin)
{
    struct review *review = context;
    char why[LISTEN_ERROR_SIZE] = "";
    uint8_t hash[32];
    int error = 0;

    printf("%-19s = ", key);
    if (value && strcmp(key, "store") == 0)
        print_address(value);
    else
        printf("%s", value ? value : "(none)");
    if (value)
        printf("  (%s)", origin);
    printf("\n");
    if (value && strcmp(key, "listen") == 0)
        error = listen_check(value, why);
    if (value && (strcmp(key, "tls_cert") == 0 || strcmp(key, "tls_key") == 0)) {
        error = check_file(value, why, sizeof why);
        review->unread = review->unread || error;
    }
    if (value && strcmp(key, "operator_token_file") == 0)
        error = keys_operator(value, hash, why);
    if (error) {
        fflush(stdout);
        fprintf(stderr, "refereed: %s: %s: %s\n", origin, key, why);
        review->more++;
    }
}

/* Two files that can be read must also be a pair. */
static void check_pair(struct review *review, const struct config *config)
{
    char why[TLS_ERROR_SIZE];
    struct tls *tls = NULL;

    if (!config->tls_cert || !config->tls_key || review->unread)
        return;
    if (tls_read(config->tls_cert, config->tls_key, &tls, why)) {
        fflush(stdout);
        fprintf(stderr, "refereed: %s\n", why);
        review->more++;
    }
    tls_unref(tls);
}

int command_check_config(int argc, char **argv)
{
    struct review own = {0};
    const struct config_review review = {&own, on_mistake, on_value};
    struct config config;
    int mistakes = config_review(&config, argc, argv, &review);

    if (config.command == COMMAND_HELP)
        config_help();
    check_pair(&own, &config);
    mistakes += own.more;
    config_done(&config);
    return mistakes > 0 ? EXIT_USAGE : EXIT_GOOD;
}
