/* Reads the settings, builds the daemon, waits for signals, stops it. */
#include "api/api.h"
#include "daemon/archive.h"
#include "daemon/clock.h"
#include "daemon/commands.h"
#include "daemon/config.h"
#include "daemon/entropy.h"
#include "daemon/http.h"
#include "daemon/keeper.h"
#include "daemon/keys.h"
#include "daemon/listen.h"
#include "daemon/log.h"
#include "daemon/notify.h"
#include "daemon/ports.h"
#include "daemon/sandbox.h"
#include "daemon/store_open.h"
#include "daemon/terms.h"
#include "daemon/tls.h"
#include "daemon/uptime.h"
#include "daemon/wipe.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <limits.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { EXIT_GOOD, EXIT_FAILED, EXIT_USAGE, ERROR_SIZE = 256, GRACE_MS = 10000 };

struct daemon {
    struct config config;
    struct log log;
    struct keys keys;
    struct store store;
    struct watchers *watchers;
    struct writer *writer;
    struct metrics metrics;
    struct ports_home home;
    struct api *api;
    struct http *http;
    struct terms *terms;
    struct keeper *keeper;
    struct uptime *uptime;
    int inherited, metrics_fd; /* sockets from systemd; that for the figures, or -1 */
    bool hears;                /* what other daemons write; the listener's */
    struct tls *tls;           /* of the start; NULL: plain HTTP */
    char error[ERROR_SIZE];    /* why the start failed */
};

static int complain(const char *text, int status)
{
    fprintf(stderr, "refereed: %s\n", text);
    return status;
}

static void on_failed(void *context, int error)
{
    struct daemon *d = context;

    log_line(&d->log, LEVEL_ERROR, "the store could not be written: %s", strerror(-error));
}

static void on_committed(void *context, const uint8_t gid[static 16])
{
    struct daemon *d = context;

    watchers_changed(d->watchers, gid);
}

/* Those who watch it are told that there is no such game. */
static void on_removed(void *context, const uint8_t gid[static 16])
{
    struct daemon *d = context;

    api_removed(d->api, gid);
    watchers_changed(d->watchers, gid);
}

/* Streams that waited for this change are woken: it is not to come any more. */
static void on_lost(void *context, const uint8_t gid[static 16], uint64_t ticket)
{
    struct daemon *d = context;

    api_lost(d->api, gid, ticket);
    watchers_changed(d->watchers, gid);
}

static void on_changed(void *context, const uint8_t gid[static 16], uint32_t seq)
{
    struct daemon *d = context;

    api_changed(d->api, gid, seq);
    watchers_changed(d->watchers, gid);
}

static void on_missed(void *context, bool up)
{
    struct daemon *d = context;

    if (up != d->hears)
        log_line(&d->log, up ? LEVEL_INFO : LEVEL_WARNING,
                 up ? "the database is heard again" : "the database is not heard any more");
    d->hears = up;
    writer_distrust(d->writer, -EAGAIN);
    watchers_changed_all(d->watchers);
}

static int open_store(struct daemon *d)
{
    const struct writer_events events = {.context = d,
                                         .committed = on_committed,
                                         .failed = on_failed,
                                         .lost = on_lost,
                                         .removed = on_removed};
    int error = store_open(&d->config, STORE_SERVE, &d->store, d->error);

    if (error)
        return error;
    d->watchers = watchers_new();
    d->writer = d->watchers ? writer_new(&d->store, &events) : NULL;
    d->home = (struct ports_home){&d->store, d->writer, NULL, &d->metrics};
    d->metrics.store = &d->store;
    d->metrics.store_kind = store_is_postgres(d->config.store) ? "postgresql" : "sqlite";
    d->metrics.writer = d->writer;
    return d->writer ? 0 : -ENOMEM;
}

static int open_uptime(struct daemon *d)
{
    int error;

    d->uptime = uptime_open(d->config.state, clock_now_ms(NULL) / 1000, &error);
    d->home.uptime = d->uptime;
    if (error)
        snprintf(d->error, sizeof d->error, "%.160s/downtimes: %.80s", d->config.state,
                 strerror(-error));
    else if (uptime_was_away_s(d->uptime) > 0)
        log_line(&d->log, LEVEL_INFO, "was away for %lld s: not charged to anybody",
                 (long long)uptime_was_away_s(d->uptime));
    return error;
}

static const char *const *origins_of(const struct config *c)
{
    return c->cors_origin.count > 0 ? c->cors_origin.item : NULL;
}

static int open_api(struct daemon *d)
{
    const struct config *c = &d->config;
    struct api_config config = {
        .old_public_keys = (const uint8_t(*)[32])d->keys.old,
        .old_key_count = d->keys.old_count,
        .open_creation = c->open_creation,
        .origins = origins_of(c),
        .hosts = c->host.count > 0 ? c->host.item : NULL,
        .games_in_memory = (size_t)c->max_games,
        .metrics_elsewhere = c->metrics_listen || d->metrics_fd >= 0,
    };
    struct ports ports = ports_make(&d->home);
    struct store_room room;
    int error = keys_load(c->state, &d->keys, d->error);

    config.old_key_count = d->keys.old_count;
    if (!error)
        error = open_uptime(d);
    if (!error)
        error = keys_operator(c->operator_token_file, config.operator_hash, d->error);
    if (error)
        return error;
    token_key_from_seed(&config.signing, d->keys.seed);
    memcpy(config.store_key, d->keys.store, sizeof config.store_key);
    if (d->store.room && !d->store.room(d->store.context, &room))
        config.written_ms = room.written_ms;
    d->metrics.api = d->api = api_new(&config, &ports);
    token_key_wipe(&config.signing);
    sodium_memzero(&config, sizeof config);
    sodium_memzero(d->keys.seed, sizeof d->keys.seed);
    sodium_memzero(d->keys.store, sizeof d->keys.store);
    return d->api ? 0 : -ENOMEM;
}

/* From now on memory follows what other daemons write; nothing is in it yet. */
static int listen_to_store(struct daemon *d)
{
    const struct store_events events = {d, on_changed, on_missed};

    d->hears = true;
    return d->store.listen ? d->store.listen(d->store.context, &events) : 0;
}

/* NULL where there is no certificate. */
static int read_tls(const struct config *c, struct tls **ret_tls, char *ret_error)
{
    *ret_tls = NULL;
    return c->tls_cert ? tls_read(c->tls_cert, c->tls_key, ret_tls, ret_error) : 0;
}

static int open_http(struct daemon *d)
{
    const struct config *c = &d->config;
    const struct http_parts parts = {d->api, d->writer, d->watchers, &d->log, &d->metrics};
    int error = read_tls(c, &d->tls, d->error);

    if (error)
        return error;
    const struct http_settings settings = {
        .threads = (unsigned)c->threads,
        .connections = (unsigned)c->max_connections,
        .header_s = c->header_timeout,
        .body_s = c->body_timeout,
        .send_s = c->send_timeout,
        .rate = c->rate,
        .burst = c->rate_burst,
        .seat_rate = c->seat_rate,
        .seat_burst = c->seat_burst,
        .create_rate = c->create_rate,
        .create_burst = c->create_burst,
        .trust_proxy = c->trust_proxy,
        .tls = d->tls,
    };
    d->metrics.http = d->http = http_new(&settings, &parts);
    return d->http ? 0 : -ENOMEM;
}

static int listen_on(struct daemon *d, int fd, const char *text)
{
    int error = http_listen(d->http, fd);

    if (error) {
        snprintf(d->error, sizeof d->error, "%.160s: %.80s", text, strerror(-error));
        return error;
    }
    dprintf(STDERR_FILENO, "refereed: listening on %s\n", text);
    return 0;
}

/* One that systemd hands over by the name "metrics", or one of our own. */
static int open_metrics(struct daemon *d)
{
    const char *address = d->config.metrics_listen;
    char text[LISTEN_TEXT_SIZE] = "inherited socket";
    int error = 0;

    if (d->metrics_fd < 0 && !address)
        return 0;
    if (d->metrics_fd < 0)
        error = listen_open(address, "http", &d->metrics_fd, text, d->error);
    if (!error)
        error = http_listen_metrics(d->http, d->metrics_fd);
    if (!error)
        dprintf(STDERR_FILENO, "refereed: metrics on %s\n", text);
    else if (!*d->error)
        snprintf(d->error, sizeof d->error, "%.160s: %.80s", text, strerror(-error));
    return error;
}

static int open_sockets(struct daemon *d)
{
    const char *scheme = d->tls ? "https" : "http";
    const struct config_list *list = &d->config.listen;
    int error = open_metrics(d), fd;
    char text[LISTEN_TEXT_SIZE];

    for (int i = 0; i < d->inherited && !error; i++)
        if (3 + i != d->metrics_fd)
            error = listen_on(d, 3 + i, "inherited socket");
    bool own = d->inherited == (d->metrics_fd >= 3 && d->metrics_fd < 3 + d->inherited);
    for (size_t i = 0; i < list->count && own && !error; i++) {
        error = listen_open(list->item[i], scheme, &fd, text, d->error);
        if (!error)
            error = listen_on(d, fd, text);
    }
    return error;
}

/* As many descriptors as connections may need, as far as the system allows. */
static void raise_files(void)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
        return;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
}

/* What is over leaves the store in time, once it is archived. */
static int open_keeper(struct daemon *d)
{
    const struct config *c = &d->config;
    int error = c->archive ? archive_open(c->archive) : 0;

    if (error)
        snprintf(d->error, sizeof d->error, "%.160s: %.80s", c->archive, strerror(-error));
    else if (c->keep_ended_ms &&
             !(d->keeper = keeper_new(d->api, c->keep_ended_ms, c->archive, &d->log)))
        error = -ENOMEM;
    return error;
}

static const char *unix_path(const char *address)
{
    return address && strncmp(address, "unix:", 5) == 0 ? address + 5 : NULL;
}

static void told_of_sandbox(struct daemon *d, const char *what, int error)
{
    if (error)
        log_line(&d->log, LEVEL_WARNING, "%s are not kept from the daemon: %s", what,
                 strerror(-error));
}

/* Before there is any thread. */
static void give_up_files(struct daemon *d)
{
    const struct config *c = &d->config;
    const struct sandbox_path own[] = {
        {c->state, SANDBOX_WRITE},
        {c->archive, SANDBOX_WRITE},
        {c->tls_cert, SANDBOX_READ},
        {c->tls_key, SANDBOX_READ},
        {c->operator_token_file, SANDBOX_READ},
        {c->file, SANDBOX_READ},
        {unix_path(c->metrics_listen), SANDBOX_BIND},
    };
    struct sandbox_path paths[sizeof own / sizeof *own + 1 + CONFIG_LIST_MAX];
    size_t count = 0;
    char credential[PATH_MAX];
    const char *credentials = getenv("CREDENTIALS_DIRECTORY");

    for (; count < sizeof own / sizeof *own; count++)
        paths[count] = own[count];
    if (credentials) { /* a file in it stands for all */
        snprintf(credential, sizeof credential, "%s/signing.key", credentials);
        paths[count++] = (struct sandbox_path){credential, SANDBOX_READ};
    }
    for (size_t i = 0; i < c->listen.count; i++)
        paths[count++] = (struct sandbox_path){unix_path(c->listen.item[i]), SANDBOX_BIND};
    told_of_sandbox(d, "files", sandbox_files(paths, count, store_is_postgres(c->store)));
}

static int start(struct daemon *d)
{
    metrics_init(&d->metrics);
    d->inherited = listen_inherited(&d->metrics_fd);
    int error = open_store(d);

    if (!error)
        error = open_api(d);
    if (!error)
        error = listen_to_store(d);
    if (!error)
        error = open_http(d);
    if (!error)
        error = open_sockets(d);
    if (!error && !(d->terms = terms_new(d->api, d->uptime, &d->log)))
        error = -ENOMEM;
    if (!error)
        error = open_keeper(d);
    if (error && !*d->error)
        snprintf(d->error, sizeof d->error, "cannot start: %.100s", strerror(-error));
    return error;
}

/* Frees what there is; the store last, after everything that is queued is on disk. */
static void stop(struct daemon *d)
{
    keeper_free(d->keeper);
    terms_free(d->terms);
    if (d->http && !http_stop(d->http, GRACE_MS)) {
        log_line(&d->log, LEVEL_ERROR, "the disk does not answer; leaving all the same");
        _exit(EXIT_FAILED);
    }
    http_free(d->http);
    if (d->store.deafen)
        d->store.deafen(d->store.context);
    writer_free(d->writer);
    if (d->api)
        api_free(d->api);
    watchers_free(d->watchers);
    uptime_close(d->uptime);
    if (d->store.close)
        d->store.close(d->store.context);
    tls_unref(d->tls);
    metrics_done(&d->metrics);
    keys_wipe(&d->keys);
}

/* What a running daemon cannot change is said, so that nobody waits for it. */
static void tell_of_rest(struct daemon *d, const struct config *fresh)
{
    static const char taken_up[] = " log_level cors_origin tls_cert tls_key ";
    size_t at = 0;

    for (const char *key; (key = config_differs(&d->config, fresh, &at));) {
        char word[64];
        snprintf(word, sizeof word, " %s ", key);
        bool secure = d->tls && fresh->tls_cert;
        if (!strstr(taken_up, word) || (strncmp(key, "tls_", 4) == 0 && !secure))
            log_line(&d->log, LEVEL_WARNING, "%s: holds from the next start on", key);
    }
}

/* Takes up the level, origins and certificate of a configuration that may have changed: all of
 * them, or, where something is wrong, nothing. */
static void reload(struct daemon *d, int argc, char **argv)
{
    struct config fresh;
    struct tls *tls = NULL;
    char error[CONFIG_ERROR_SIZE];
    int failed = config_read(&fresh, argc, argv, error);

    if (!failed)
        failed = read_tls(&fresh, &tls, error);
    if (!failed && api_allow_origins(d->api, origins_of(&fresh))) {
        snprintf(error, sizeof error, "%s", strerror(ENOMEM));
        failed = -ENOMEM;
    }
    if (failed) {
        log_line(&d->log, LEVEL_ERROR, "not reloaded: %s", error);
    } else {
        d->log.level = (uint8_t)log_level_find(fresh.log_level);
        if (d->tls && tls)
            http_renew(d->http, tls);
        tell_of_rest(d, &fresh);
        log_line(&d->log, LEVEL_INFO, "reloaded");
    }
    tls_unref(tls);
    config_done(&fresh);
}

static void ping(struct daemon *d)
{
    notify_send("WATCHDOG=1");
    counter_add(&d->metrics.pings, 1);
}

/* Waits for the signal that ends it; tells systemd in between that all is well. */
static void run(struct daemon *d, const sigset_t *signals, int argc, char **argv)
{
    int64_t watchdog_ms = notify_watchdog_ms();

    for (;;) {
        int64_t ms = watchdog_ms > 0 ? watchdog_ms : 3600000;
        const struct timespec wait = {ms / 1000, ms % 1000 * 1000000};
        int signal = sigtimedwait(signals, NULL, &wait);
        if (signal == SIGTERM || signal == SIGINT)
            return;
        if (signal == SIGHUP)
            reload(d, argc, argv);
        if (signal < 0 && errno == EAGAIN && watchdog_ms > 0)
            ping(d);
    }
}

static int serve(struct daemon *d, int argc, char **argv)
{
    sigset_t signals;

    d->log.fd = STDERR_FILENO;
    d->log.level = (uint8_t)log_level_find(d->config.log_level);
    d->log.format = (uint8_t)log_format_find(d->config.log_format);
    if (d->log.format == FORMAT_JOURNAL && log_is_journal(STDERR_FILENO))
        log_to_journal(&d->log, "/run/systemd/journal/socket");
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &signals, NULL); /* for all threads to come, too */
    raise_files();
    if (d->config.sandbox)
        give_up_files(d);
    int error = start(d);
    if (!error) {
        if (d->config.sandbox)
            told_of_sandbox(d, "calls of the kernel",
                            sandbox_enter(store_is_postgres(d->config.store)));
        notify_send("READY=1");
        run(d, &signals, argc, argv);
        notify_send("STOPPING=1");
    } else {
        complain(d->error, EXIT_FAILED);
    }
    stop(d);
    if (!error)
        return EXIT_GOOD;
    return error == -EBUSY || error == -EINVAL || error == -EPERM ? EXIT_USAGE : EXIT_FAILED;
}

static int dispatch(struct daemon *d, int argc, char **argv)
{
    switch (d->config.command) {
    case COMMAND_KEYGEN:
        return command_keygen(&d->config);
    case COMMAND_ROTATE:
        return command_rotate(&d->config);
    case COMMAND_BACKUP:
        return command_backup(&d->config);
    case COMMAND_CHECK:
        return command_check(&d->config);
    case COMMAND_ARCHIVE:
        return command_archive(&d->config);
    case COMMAND_MIGRATE:
        return command_migrate(&d->config);
    case COMMAND_CHECK_CONFIG:
        return command_check_config(argc, argv);
    case COMMAND_VERIFY:
        return command_verify(&d->config);
    case COMMAND_JUDGE:
        return command_judge(&d->config);
    case COMMAND_HELP:
        config_help();
        return EXIT_GOOD;
    case COMMAND_VERSION:
        printf("refereed %s\n", REFEREED_VERSION);
        return EXIT_GOOD;
    case COMMAND_SERVE:
        break;
    }
    return serve(d, argc, argv);
}

/* What a burst of requests has taken is kept for the next: giving it back and asking anew costs
 * two system calls each time. */
static void keep_memory(void)
{
    mallopt(M_TRIM_THRESHOLD, 64 * 1024 * 1024);
    mallopt(M_TOP_PAD, 1024 * 1024);
}

int main(int argc, char **argv)
{
    struct daemon d = {.log = {.fd = STDERR_FILENO}};
    uint32_t seed;

    sandbox_begin();
    keep_memory();
    int status = EXIT_USAGE;
    if (config_read(&d.config, argc, argv, d.error))
        complain(d.error, EXIT_USAGE);
    else if (entropy_init())
        status = complain("there is no entropy", EXIT_FAILED);
    else {
        entropy_fill(NULL, &seed, sizeof seed);
        json_set_alloc_funcs(malloc, wipe_and_free); /* bodies hold faces, seeds and nonces */
        json_object_seed(seed | 1);                  /* before threads; 0 would mean: choose */
        status = dispatch(&d, argc, argv);
    }
    config_done(&d.config);
    return status;
}
