/* Key files: the signing key, the store's key, old public keys, the operator's credential.
 *
 * A key file holds 64 hex digits and a newline and belongs to nobody but its owner. Struct keys
 * holds secrets in plain memory; keys_wipe() clears it. `ret_error` gets one line to be shown.
 */
#ifndef DAEMON_KEYS_H
#define DAEMON_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { OLD_KEYS_MAX = 64, KEYS_ERROR_SIZE = 256 };

struct keys {
    uint8_t seed[32];              /* of the signing key */
    uint8_t store[32];             /* seals hidden columns at rest */
    uint8_t old[OLD_KEYS_MAX][32]; /* public keys that are no longer used, newest first */
    size_t old_count;
};

/* Loads the keys of a state folder, from $CREDENTIALS_DIRECTORY where it holds them, else from
 * STATE/keys, where missing ones are made. 0 or -errno. */
int keys_load(const char *state, struct keys *ret_keys, char ret_error[static KEYS_ERROR_SIZE]);
void keys_wipe(struct keys *keys);

/* Are there keys already? Loading would make some where there are none. */
bool keys_present(const char *state);

/* Makes signing.key, store.key and operator.token in `folder`; -EEXIST if one is there. */
int keys_generate(const char *folder, char ret_error[static KEYS_ERROR_SIZE]);

/* Puts a new signing key into STATE/keys and the old one's public half into STATE/keys/old.
 * Root leaves them to whom the folder belongs. */
int keys_rotate(const char *state, char ret_error[static KEYS_ERROR_SIZE]);

/* Reads a file that holds one `rfs_` credential; the hash of it is what is kept. `file` is
 * NULL: operator.token of $CREDENTIALS_DIRECTORY, or none, and then the hash is left as it is.
 */
int keys_operator(const char *file, uint8_t ret_hash[static 32],
                  char ret_error[static KEYS_ERROR_SIZE]);

#endif
