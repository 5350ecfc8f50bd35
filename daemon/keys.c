#include "daemon/keys.h"

#include "api/base64.h"
#include "api/commit.h"
#include "api/hex.h"
#include "api/token.h"
#include "daemon/clock.h"
#include "daemon/entropy.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sodium.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_ROOM = 512, TEXT_ROOM = 128 };

static int fault(char *ret_error, int error, const char *path, const char *why)
{
    snprintf(ret_error, KEYS_ERROR_SIZE, "%.180s: %.70s", path, why);
    return error;
}

static int join(char *ret_path, const char *folder, const char *name)
{
    int n = snprintf(ret_path, PATH_ROOM, "%s/%s", folder, name);

    return n < 0 || n >= PATH_ROOM ? -ENAMETOOLONG : 0;
}

/* Reads a short text file without its last newline. `open_to_all`: readable by others is fine.
 */
static int read_text(const char *path, bool open_to_all, char ret_text[static TEXT_ROOM],
                     char *ret_error)
{
    struct stat info;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);

    if (fd < 0)
        return fault(ret_error, -errno, path, strerror(errno));
    ssize_t size =
        fstat(fd, &info) == 0 && S_ISREG(info.st_mode) ? read(fd, ret_text, TEXT_ROOM - 1) : -1;
    close(fd);
    if (size < 0)
        return fault(ret_error, -EINVAL, path, "cannot be read");
    if (!open_to_all && (info.st_mode & 077) != 0)
        return fault(ret_error, -EPERM, path, "others can read it; chmod 600 it");
    if (size > 0 && ret_text[size - 1] == '\n')
        size--;
    ret_text[size] = '\0';
    return 0;
}

/* What root makes in the folder of a daemon with a user of its own must be that user's. */
static bool give_to_owner_of_folder(int fd, const char *path)
{
    char folder[PATH_ROOM];
    const char *slash = strrchr(path, '/');
    struct stat info;

    if (geteuid() != 0 || !slash || slash == path)
        return true;
    snprintf(folder, sizeof folder, "%.*s", (int)(slash - path), path);
    return stat(folder, &info) == 0 && fchown(fd, info.st_uid, info.st_gid) == 0;
}

static int write_text(const char *path, const char *text, mode_t mode, char *ret_error)
{
    size_t size = strlen(text);
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);

    if (fd < 0)
        return fault(ret_error, -errno, path, strerror(errno));
    bool good = write(fd, text, size) == (ssize_t)size && give_to_owner_of_folder(fd, path) &&
                fsync(fd) == 0;
    good = close(fd) == 0 && good;
    if (good)
        return 0;
    unlink(path);
    return fault(ret_error, -EIO, path, "cannot be written");
}

static int sync_folder(const char *folder)
{
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    if (fd < 0)
        return -errno;
    int error = fsync(fd) < 0 ? -errno : 0;
    close(fd);
    return error;
}

static int write_key(const char *path, const uint8_t key[static 32], char *ret_error)
{
    char text[66];

    hex_encode(key, 32, text);
    memcpy(text + 64, "\n", 2);
    int error = write_text(path, text, 0600, ret_error);
    sodium_memzero(text, sizeof text);
    return error;
}

static int read_key(const char *path, bool open_to_all, uint8_t ret_key[static 32],
                    char *ret_error)
{
    char text[TEXT_ROOM];
    int error = read_text(path, open_to_all, text, ret_error);

    if (!error && !hex_decode(text, strlen(text), ret_key, 32))
        error = fault(ret_error, -EINVAL, path, "is not 64 hex digits");
    sodium_memzero(text, sizeof text);
    return error;
}

/* A key by name: the service manager's credential, else the folder's file, else a new one. */
static int load_key(const char *folder, const char *name, uint8_t ret_key[static 32],
                    char *ret_error)
{
    const char *credentials = getenv("CREDENTIALS_DIRECTORY");
    char path[PATH_ROOM];

    if (credentials && join(path, credentials, name) == 0 && access(path, F_OK) == 0)
        return read_key(path, true, ret_key, ret_error);
    int error = join(path, folder, name);
    if (error)
        return fault(ret_error, error, folder, "the path is too long");
    error = read_key(path, false, ret_key, ret_error);
    if (error != -ENOENT)
        return error;
    entropy_fill(NULL, ret_key, 32);
    error = write_key(path, ret_key, ret_error);
    return error ? error : sync_folder(folder);
}

static int is_pub(const struct dirent *entry)
{
    size_t size = strlen(entry->d_name);

    return size > 4 && strcmp(entry->d_name + size - 4, ".pub") == 0;
}

/* Names are the times of rotation, so the newest comes last in their order. */
static int load_old(const char *folder, struct keys *keys, char *ret_error)
{
    struct dirent **list;
    char path[PATH_ROOM], text[TEXT_ROOM];
    int count = scandir(folder, &list, is_pub, alphasort), error = 0;

    if (count < 0)
        return errno == ENOENT ? 0 : fault(ret_error, -errno, folder, strerror(errno));
    for (int i = count - 1; i >= 0 && !error && keys->old_count < OLD_KEYS_MAX; i--) {
        error = join(path, folder, list[i]->d_name);
        if (!error)
            error = read_text(path, true, text, ret_error);
        if (!error && !token_paserk_read(text, keys->old[keys->old_count++]))
            error = fault(ret_error, -EINVAL, path, "is not a k4.public key");
    }
    for (int i = 0; i < count; i++)
        free(list[i]);
    free(list);
    return error;
}

static int make_folder(const char *folder, char *ret_error)
{
    if (mkdir(folder, 0700) < 0)
        return errno == EEXIST ? 0 : fault(ret_error, -errno, folder, strerror(errno));
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool good = fd >= 0 && give_to_owner_of_folder(fd, folder);
    if (fd >= 0)
        close(fd);
    return good ? 0 : fault(ret_error, -EIO, folder, "cannot be made");
}

int keys_load(const char *state, struct keys *ret_keys, char ret_error[static KEYS_ERROR_SIZE])
{
    char folder[PATH_ROOM], old[PATH_ROOM];

    ret_error[0] = '\0';
    ret_keys->old_count = 0;
    if (join(folder, state, "keys") || join(old, folder, "old"))
        return fault(ret_error, -ENAMETOOLONG, state, "the path is too long");
    int error = make_folder(folder, ret_error);
    if (!error)
        error = load_key(folder, "signing.key", ret_keys->seed, ret_error);
    if (!error)
        error = load_key(folder, "store.key", ret_keys->store, ret_error);
    if (!error)
        error = load_old(old, ret_keys, ret_error);
    if (error && !*ret_error)
        fault(ret_error, error, folder, strerror(-error));
    if (error)
        keys_wipe(ret_keys);
    return error;
}

bool keys_present(const char *state)
{
    static const char *const names[] = {"store.key", "signing.key"};
    const char *credentials = getenv("CREDENTIALS_DIRECTORY");
    char path[PATH_ROOM];
    size_t found = 0;

    for (size_t i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s/%s", credentials ? credentials : "", names[i]);
        bool there = credentials && access(path, F_OK) == 0;
        snprintf(path, sizeof path, "%s/keys/%s", state, names[i]);
        found += there || access(path, F_OK) == 0;
    }
    return found == 2;
}

void keys_wipe(struct keys *keys)
{
    sodium_memzero(keys, sizeof *keys);
}

static int write_operator(const char *path, char *ret_error)
{
    uint8_t secret[32];
    char text[4 + 43 + 2] = "rfs_";

    entropy_fill(NULL, secret, sizeof secret);
    base64_encode(secret, sizeof secret, text + 4);
    memcpy(text + 4 + 43, "\n", 2);
    int error = write_text(path, text, 0600, ret_error);
    sodium_memzero(secret, sizeof secret);
    sodium_memzero(text, sizeof text);
    return error;
}

int keys_generate(const char *folder, char ret_error[static KEYS_ERROR_SIZE])
{
    static const char *const names[] = {"signing.key", "store.key", "operator.token"};
    char path[PATH_ROOM];
    uint8_t key[32];
    int error = make_folder(folder, ret_error);

    for (int i = 0; i < 3 && !error; i++) {
        if (join(path, folder, names[i]))
            return fault(ret_error, -ENAMETOOLONG, folder, "the path is too long");
        entropy_fill(NULL, key, sizeof key);
        error = i < 2 ? write_key(path, key, ret_error) : write_operator(path, ret_error);
    }
    sodium_memzero(key, sizeof key);
    return error ? error : sync_folder(folder);
}

/* Writes the public half of `seed` into `old`, named by the time. */
static int retire(const char *old, const uint8_t seed[static 32], char *ret_error)
{
    struct token_key key;
    char name[32], path[PATH_ROOM], text[PASERK_SIZE + 2];

    token_key_from_seed(&key, seed);
    snprintf(text, sizeof text, "%s\n", key.paserk);
    token_key_wipe(&key);
    snprintf(name, sizeof name, "%013" PRId64 ".pub", clock_now_ms(NULL));
    if (join(path, old, name))
        return fault(ret_error, -ENAMETOOLONG, old, "the path is too long");
    return write_text(path, text, 0644, ret_error);
}

int keys_rotate(const char *state, char ret_error[static KEYS_ERROR_SIZE])
{
    char folder[PATH_ROOM], old[PATH_ROOM], path[PATH_ROOM], fresh[PATH_ROOM];
    uint8_t seed[32];

    if (join(folder, state, "keys") || join(old, folder, "old") ||
        join(path, folder, "signing.key") || join(fresh, folder, "signing.new"))
        return fault(ret_error, -ENAMETOOLONG, state, "the path is too long");
    int error = read_key(path, false, seed, ret_error);
    if (!error)
        error = make_folder(old, ret_error);
    if (!error)
        error = retire(old, seed, ret_error);
    if (!error) {
        unlink(fresh); /* left by a rotation that was cut short */
        entropy_fill(NULL, seed, sizeof seed);
        error = write_key(fresh, seed, ret_error);
    }
    sodium_memzero(seed, sizeof seed);
    if (!error && (sync_folder(old) || rename(fresh, path) || sync_folder(folder)))
        error = fault(ret_error, -EIO, path, "cannot be replaced");
    return error;
}

/* The service manager keeps what it hands over from others, whatever the mode says. */
static bool is_credential(const char *file)
{
    const char *credentials = getenv("CREDENTIALS_DIRECTORY");
    size_t size = credentials ? strlen(credentials) : 0;

    return size > 0 && strncmp(file, credentials, size) == 0 && file[size] == '/' &&
           !strchr(file + size + 1, '/');
}

int keys_operator(const char *file, uint8_t ret_hash[static 32],
                  char ret_error[static KEYS_ERROR_SIZE])
{
    const char *credentials = getenv("CREDENTIALS_DIRECTORY");
    char text[TEXT_ROOM], path[PATH_ROOM];
    uint8_t secret[32];

    if (!file) {
        if (!credentials || join(path, credentials, "operator.token") || access(path, F_OK) < 0)
            return 0;
        file = path;
    }
    int error = read_text(file, is_credential(file), text, ret_error);

    if (error)
        return error;
    if (strncmp(text, "rfs_", 4) == 0 && base64_decode(text + 4, strlen(text + 4), secret, 32))
        commit_credential(secret, ret_hash);
    else
        error = fault(ret_error, -EINVAL, file, "does not hold an rfs_ credential");
    sodium_memzero(text, sizeof text);
    sodium_memzero(secret, sizeof secret);
    return error;
}
