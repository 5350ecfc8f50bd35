/* The certificate chain and the private key of HTTPS, as a pair that can be renewed.
 *
 * Counted: every connection holds the pair that it began with, so that a newer one can take its
 * place at any time. The last who lets go frees it, and the key is wiped (by GnuTLS).
 */
#ifndef DAEMON_TLS_H
#define DAEMON_TLS_H

#include <gnutls/abstract.h>
#include <gnutls/gnutls.h>

enum { TLS_ERROR_SIZE = 256 };

struct tls;

/* Reads two files in PEM, each of at most 64 KiB. 0, or -EINVAL and one line that says which
 * file cannot be read, holds nothing that can be used, or does not belong to the other. */
int tls_read(const char *cert_file, const char *key_file, struct tls **ret_tls,
             char ret_error[static TLS_ERROR_SIZE]);

/* Any thread; NULL is none. */
struct tls *tls_ref(struct tls *tls);
void tls_unref(struct tls *tls);

/* Before a session's handshake; the session must end before the reference does. */
void tls_use(const struct tls *tls, gnutls_session_t session);

/* For who insists on a pair of its own before any session: there is none. */
gnutls_certificate_retrieve_function2 tls_none;

#endif
