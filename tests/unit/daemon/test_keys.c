/* Key files: made once, read again, refused when others can read them; rotation keeps the past.
 */
#include "daemon/keys.h"

#include "api/base64.h"
#include "api/commit.h"
#include "api/token.h"
#include "daemon/entropy.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/support/folder.h"

static char folder[FOLDER_SIZE], path[128], error_text[KEYS_ERROR_SIZE];

static int set_up(void **state)
{
    (void)state;
    unsetenv("CREDENTIALS_DIRECTORY");
    return folder_make(folder);
}

static int tear_down(void **state)
{
    (void)state;
    return folder_remove(folder);
}

static const char *file(const char *name)
{
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void put(const char *name, const char *text, mode_t mode)
{
    FILE *stream = fopen(file(name), "w");

    assert_non_null(stream);
    fputs(text, stream);
    fclose(stream);
    assert_int_equal(chmod(path, mode), 0);
}

static void are_made_once(void **state)
{
    struct keys first, again;
    struct stat info;

    (void)state;
    assert_int_equal(keys_load(folder, &first, error_text), 0);
    assert_int_equal(keys_load(folder, &again, error_text), 0);
    assert_memory_equal(first.seed, again.seed, 32);
    assert_memory_equal(first.store, again.store, 32);
    assert_memory_not_equal(first.seed, first.store, 32);
    assert_int_equal(stat(file("keys/signing.key"), &info), 0);
    assert_int_equal(info.st_mode & 0777, 0600);
    assert_int_equal(info.st_size, 65);
    assert_int_equal(stat(file("keys"), &info), 0);
    assert_int_equal(info.st_mode & 0777, 0700);
}

static void must_be_the_owners_alone(void **state)
{
    const mode_t modes[] = {0640, 0604, 0660, 0620};
    struct keys keys;

    (void)state;
    assert_int_equal(keys_load(folder, &keys, error_text), 0);
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        assert_int_equal(chmod(file("keys/store.key"), modes[i]), 0);
        assert_int_equal(keys_load(folder, &keys, error_text), -EPERM);
        assert_non_null(strstr(error_text, "store.key: others can read it"));
    }
}

static void must_be_hex(void **state)
{
    struct keys keys;

    (void)state;
    assert_int_equal(keys_load(folder, &keys, error_text), 0);
    put("keys/signing.key", "12ab\n", 0600);
    assert_int_equal(keys_load(folder, &keys, error_text), -EINVAL);
    assert_non_null(strstr(error_text, "64 hex digits"));
}

static void credentials_come_first(void **state)
{
    struct keys keys;
    char text[80];

    (void)state;
    memset(text, '5', 64);
    strcpy(text + 64, "\n");
    assert_int_equal(mkdir(file("cred"), 0700), 0);
    put("cred/signing.key", text, 0440); /* as the service manager leaves it */
    setenv("CREDENTIALS_DIRECTORY", file("cred"), 1);
    assert_int_equal(keys_load(folder, &keys, error_text), 0);
    unsetenv("CREDENTIALS_DIRECTORY");
    assert_int_equal(keys.seed[0], 0x55);
    assert_int_equal(keys.seed[31], 0x55);
    assert_int_equal(access(file("keys/signing.key"), F_OK), -1);
    assert_int_equal(access(file("keys/store.key"), F_OK), 0);
}

static void rotation_keeps_public_keys(void **state)
{
    struct keys before, between, after;
    struct token_key key;

    (void)state;
    assert_int_equal(keys_rotate(folder, error_text), -ENOENT);
    assert_int_equal(keys_load(folder, &before, error_text), 0);
    assert_int_equal(keys_rotate(folder, error_text), 0);
    assert_int_equal(keys_load(folder, &between, error_text), 0);
    usleep(5000); /* files are named by the millisecond */
    assert_int_equal(keys_rotate(folder, error_text), 0);
    assert_int_equal(keys_load(folder, &after, error_text), 0);
    assert_memory_not_equal(before.seed, after.seed, 32);
    assert_memory_equal(before.store, after.store, 32);
    assert_int_equal(after.old_count, 2);
    token_key_from_seed(&key, between.seed); /* newest first */
    assert_memory_equal(after.old[0], key.public_key, 32);
    token_key_from_seed(&key, before.seed);
    assert_memory_equal(after.old[1], key.public_key, 32);
}

static void operator_file_holds_a_credential(void **state)
{
    uint8_t hash[32], secret[32], expected[32];
    char text[80];

    (void)state;
    assert_int_equal(keys_generate(file("made"), error_text), 0);
    assert_int_equal(keys_generate(file("made"), error_text), -EEXIST);
    FILE *stream = fopen(file("made/operator.token"), "r");
    assert_non_null(stream);
    assert_non_null(fgets(text, sizeof text, stream));
    fclose(stream);
    assert_int_equal(strlen(text), 48);
    assert_true(base64_decode(text + 4, 43, secret, 32));
    commit_credential(secret, expected);
    assert_int_equal(keys_operator(path, hash, error_text), 0);
    assert_memory_equal(hash, expected, 32);
    put("open", text, 0644);
    assert_int_equal(keys_operator(path, hash, error_text), -EPERM);
    put("bad", "rfs_short\n", 0600);
    assert_int_equal(keys_operator(path, hash, error_text), -EINVAL);
    assert_null(strstr(error_text, "rfs_short"));
}

static void operator_comes_from_the_service_manager(void **state)
{
    static const uint8_t none[32];
    uint8_t hash[32] = {0}, expected[32];
    char token[sizeof path];

    (void)state;
    assert_int_equal(keys_generate(file("given"), error_text), 0);
    assert_int_equal(keys_operator(file("given/operator.token"), expected, error_text), 0);
    assert_int_equal(chmod(path, 0440), 0);
    strcpy(token, path);
    assert_int_equal(keys_operator(token, hash, error_text), -EPERM);
    assert_int_equal(keys_operator(NULL, hash, error_text), 0);
    assert_memory_equal(hash, none, 32);
    setenv("CREDENTIALS_DIRECTORY", file("given"), 1);
    assert_int_equal(keys_operator(NULL, hash, error_text), 0);
    assert_memory_equal(hash, expected, 32);
    assert_int_equal(keys_operator(token, hash, error_text), 0);
    assert_int_equal(unlink(token), 0);
    memset(hash, 0, sizeof hash);
    assert_int_equal(keys_operator(NULL, hash, error_text), 0);
    unsetenv("CREDENTIALS_DIRECTORY");
    assert_memory_equal(hash, none, 32);
}

static void root_leaves_keys_to_the_owner_of_the_folder(void **state)
{
    static const char *const made[] = {"keys", "keys/signing.key", "keys/store.key",
                                       "keys/old"};
    struct keys keys;
    struct stat info;

    (void)state;
    if (geteuid() != 0)
        skip();
    assert_int_equal(chown(folder, 12345, 23456), 0);
    assert_int_equal(keys_load(folder, &keys, error_text), 0);
    assert_int_equal(keys_rotate(folder, error_text), 0);
    for (size_t i = 0; i < sizeof made / sizeof *made; i++) {
        assert_int_equal(stat(file(made[i]), &info), 0);
        assert_int_equal(info.st_uid, 12345);
        assert_int_equal(info.st_gid, 23456);
    }
}

#define KEY_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        KEY_TEST(are_made_once),
        KEY_TEST(must_be_the_owners_alone),
        KEY_TEST(must_be_hex),
        KEY_TEST(credentials_come_first),
        KEY_TEST(rotation_keeps_public_keys),
        KEY_TEST(operator_file_holds_a_credential),
        KEY_TEST(operator_comes_from_the_service_manager),
        KEY_TEST(root_leaves_keys_to_the_owner_of_the_folder),
    };

    umask(077);
    if (entropy_init())
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
