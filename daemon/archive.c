#include "daemon/archive.h"

#include "api/api.h"
#include "api/base64.h"
#include "api/hex.h"
#include "daemon/clock.h"
#include "daemon/entropy.h"
#include "daemon/keys.h"
#include "daemon/store_open.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { EXIT_GOOD, EXIT_FAILED, EXIT_USAGE };
enum { NAME_ROOM = 64, STALE_S = 3600, PAGE = 64, PIECE = 16384 };

/* ".<chance>.part": a name that nobody else writes to. */
static void name_part(char ret_name[static NAME_ROOM])
{
    uint8_t bytes[8];
    char hex[2 * sizeof bytes + 1];

    entropy_fill(NULL, bytes, sizeof bytes);
    hex_encode(bytes, sizeof bytes, hex);
    snprintf(ret_name, NAME_ROOM, ".%s.part", hex);
}

static bool is_part(const char *name)
{
    size_t size = strlen(name);

    return name[0] == '.' && size > 6 && strcmp(name + size - 5, ".part") == 0;
}

/* Others may be writing there now: what is old belongs to nobody any more. */
static void sweep(int folder)
{
    int fd = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *list = fd >= 0 ? fdopendir(fd) : NULL;
    const struct dirent *item;
    struct stat info;

    if (!list && fd >= 0)
        close(fd);
    while (list && (item = readdir(list)))
        if (is_part(item->d_name) && fstatat(folder, item->d_name, &info, 0) == 0 &&
            info.st_mtime < clock_now_ms(NULL) / 1000 - STALE_S)
            unlinkat(folder, item->d_name, 0);
    if (list)
        closedir(list);
}

static int open_folder(const char *folder)
{
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    return fd < 0 ? -errno : fd;
}

int archive_open(const char *folder)
{
    if (mkdir(folder, 0700) < 0 && errno != EEXIST)
        return -errno;
    int fd = open_folder(folder);
    if (fd < 0)
        return fd;
    int error = faccessat(fd, ".", W_OK | X_OK, AT_EACCESS) < 0 ? -errno : 0;
    if (!error)
        sweep(fd);
    close(fd);
    return error;
}

/* 0: the file holds exactly this; -ENOENT: there is none. */
static int compare(int folder, const char *name, const struct out *text)
{
    char piece[PIECE];
    size_t at = 0;
    ssize_t n;
    int fd = openat(folder, name, O_RDONLY | O_CLOEXEC);

    if (fd < 0)
        return -errno;
    while ((n = read(fd, piece, sizeof piece)) > 0) {
        if ((size_t)n > text->size - at || memcmp(piece, text->text + at, (size_t)n) != 0)
            break;
        at += (size_t)n;
    }
    int error = n < 0 ? -errno : n > 0 || at != text->size ? -EEXIST : 0;
    close(fd);
    return error;
}

static int write_part(int folder, const char *name, const struct out *text)
{
    int fd = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    int error = fd < 0 ? -errno : 0;

    for (size_t at = 0; at < text->size && !error;) {
        ssize_t n = write(fd, text->text + at, text->size - at);
        if (n < 0 && errno != EINTR)
            error = -errno;
        at += n > 0 ? (size_t)n : 0;
    }
    if (!error && fsync(fd) < 0)
        error = -errno;
    if (fd >= 0 && close(fd) < 0 && !error)
        error = -errno;
    return error;
}

static int put(int folder, const char *name, const struct out *text)
{
    char part[NAME_ROOM];
    int error = compare(folder, name, text);

    if (error == -ENOENT) {
        name_part(part);
        error = write_part(folder, part, text);
        if (!error && renameat(folder, part, folder, name) < 0)
            error = -errno;
        if (error)
            unlinkat(folder, part, 0);
    }
    if (!error && fsync(folder) < 0) /* also of one whose writer died before he could */
        error = -errno;
    return error;
}

int archive_put(const char *folder, const uint8_t gid[static 16], const struct out *transcript)
{
    char id[24], name[NAME_ROOM];
    int fd = open_folder(folder);

    if (fd < 0)
        return fd;
    base64_encode(gid, 16, id);
    snprintf(name, sizeof name, "%s.json", id);
    int error = put(fd, name, transcript);
    close(fd);
    return error;
}

/* ---- the command ---- */

struct archiving {
    const char *folder;
    struct store store;
    struct api *api;
    struct listing page[PAGE]; /* read before its games are, so that no reader waits for it */
    size_t page_count;
    struct list_query query;
    uint64_t count, failed;
};

/* Ports to a store that is only read. */
static uint64_t epoch(void *context)
{
    (void)context;
    return 1;
}

static bool settled(void *context, uint64_t ticket)
{
    (void)context;
    (void)ticket;
    return true;
}

static struct api *open_api(const struct archiving *a, const struct keys *keys)
{
    struct api_config config = {.games_in_memory = 1};
    const struct ports ports = {.context = a->store.context,
                                .epoch = epoch,
                                .settled = settled,
                                .records = a->store.records,
                                .snapshot = a->store.snapshot,
                                .games = a->store.games,
                                .now_ms = clock_now_ms,
                                .entropy = entropy_fill};

    token_key_from_seed(&config.signing, keys->seed);
    memcpy(config.store_key, keys->store, sizeof config.store_key);
    struct api *api = api_new(&config, &ports);
    token_key_wipe(&config.signing);
    sodium_memzero(&config, sizeof config);
    return api;
}

static int take_listing(void *arg, const struct listing *game, int64_t number)
{
    struct archiving *a = arg;

    a->page[a->page_count++] = *game;
    a->query.after_ms = game->ended_ms;
    a->query.after = number;
    return 0;
}

static int archive_one(struct archiving *a, const struct listing *game)
{
    struct out out = {0};
    char id[24];
    int error = api_transcript(a->api, game->gid, &out);

    if (!error)
        error = archive_put(a->folder, game->gid, &out);
    out_done(&out);
    a->count += !error;
    if (!error || error == -ENOENT) /* gone since the list was read: somebody else has it */
        return 0;
    base64_encode(game->gid, 16, id);
    fprintf(stderr, "refereed: game %s: %s\n", id,
            error == -EEXIST   ? "another transcript stands there"
            : error == -EILSEQ ? "its record is broken; see refereed check"
                               : strerror(-error));
    a->failed++;
    return error == -EEXIST || error == -EILSEQ ? 0 : error;
}

static int archive_all(struct archiving *a, int64_t age_ms)
{
    int error;

    a->query = (struct list_query){
        .status = -1, .ended_ms = clock_now_ms(NULL) - age_ms, .limit = PAGE};
    do {
        const struct list_query query = a->query;
        a->page_count = 0;
        error = a->store.games(a->store.context, &query, take_listing, a);
        for (size_t i = 0; i < a->page_count && !error; i++)
            error = archive_one(a, &a->page[i]);
    } while (!error && a->page_count == PAGE);
    return error;
}

int command_archive(const struct config *config)
{
    struct archiving a = {.folder = config->operand};
    char text[STORE_ERROR_SIZE];
    struct keys keys;

    int error = archive_open(a.folder);
    if (error) {
        fprintf(stderr, "refereed: %s: %s\n", a.folder, strerror(-error));
        return EXIT_USAGE;
    }
    if (store_open(config, STORE_READ, &a.store, text)) {
        fprintf(stderr, "refereed: %s\n", text);
        return EXIT_FAILED;
    }
    bool present = keys_present(config->state);
    if (!present || keys_load(config->state, &keys, text)) {
        fprintf(stderr, "refereed: %s\n",
                present ? text : "there are no keys in that state folder");
        a.store.close(a.store.context);
        return EXIT_FAILED;
    }
    a.api = open_api(&a, &keys);
    keys_wipe(&keys);
    error = a.api ? archive_all(&a, config->older_than_ms) : -ENOMEM;
    if (a.api)
        api_free(a.api);
    a.store.close(a.store.context);
    if (error)
        fprintf(stderr, "refereed: not all were looked at: %s\n", strerror(-error));
    printf("%s: %" PRIu64 " transcripts, %" PRIu64 " could not be written\n", a.folder, a.count,
           a.failed);
    return error || a.failed ? EXIT_FAILED : EXIT_GOOD;
}
