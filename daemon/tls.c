#include "daemon/tls.h"

#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PEM_MAX = 65536 };

struct tls {
    _Atomic size_t references;
    gnutls_certificate_credentials_t credentials;
};

/* What is wrong with which file. */
static int amiss(char *ret_error, const char *file, const char *why)
{
    snprintf(ret_error, TLS_ERROR_SIZE, "%.150s: %.90s", file, why);
    return -EINVAL;
}

/* All of a file into `pem`, which has room for PEM_MAX + 1 bytes. */
static int read_pem(const char *file, gnutls_datum_t *pem, char *ret_error)
{
    int fd = open(file, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK), error = 0;
    ssize_t got = fd < 0 ? -1 : 1;

    pem->size = 0;
    while (got > 0 && pem->size <= PEM_MAX) {
        got = read(fd, pem->data + pem->size, PEM_MAX + 1 - pem->size);
        pem->size += got > 0 ? (unsigned)got : 0;
    }
    if (got < 0)
        error = amiss(ret_error, file, strerror(errno));
    else if (pem->size > PEM_MAX)
        error = amiss(ret_error, file, "is larger than 64 KiB");
    if (fd >= 0)
        close(fd);
    return error;
}

static int check_cert(const char *file, const gnutls_datum_t *pem, char *ret_error)
{
    gnutls_x509_crt_t *chain = NULL;
    unsigned count = 0;
    int error = gnutls_x509_crt_list_import2(&chain, &count, pem, GNUTLS_X509_FMT_PEM, 0);

    for (unsigned i = 0; i < count; i++)
        gnutls_x509_crt_deinit(chain[i]);
    gnutls_free(chain);
    return error < 0 || count == 0 ? amiss(ret_error, file, "holds no certificate in PEM") : 0;
}

static int check_key(const char *file, const gnutls_datum_t *pem, char *ret_error)
{
    gnutls_x509_privkey_t key;

    if (gnutls_x509_privkey_init(&key) < 0)
        return amiss(ret_error, file, strerror(ENOMEM));
    int error =
        gnutls_x509_privkey_import2(key, pem, GNUTLS_X509_FMT_PEM, NULL, GNUTLS_PKCS_PLAIN);
    gnutls_x509_privkey_deinit(key);
    return error < 0 ? amiss(ret_error, file, "holds no private key in PEM without a password")
                     : 0;
}

/* The pair of what was read, if each is as it should be. */
static int join(const char *cert_file, const gnutls_datum_t *cert, const char *key_file,
                const gnutls_datum_t *key, struct tls *tls, char *ret_error)
{
    int error = check_cert(cert_file, cert, ret_error);

    if (!error)
        error = check_key(key_file, key, ret_error);
    if (error)
        return error;
    error = gnutls_certificate_allocate_credentials(&tls->credentials);
    if (error >= 0)
        error = gnutls_certificate_set_x509_key_mem2(tls->credentials, cert, key,
                                                     GNUTLS_X509_FMT_PEM, NULL, 0);
    if (error == GNUTLS_E_CERTIFICATE_KEY_MISMATCH)
        return amiss(ret_error, key_file, "is not the key of the certificate");
    return error < 0 ? amiss(ret_error, cert_file, gnutls_strerror(error)) : 0;
}

int tls_read(const char *cert_file, const char *key_file, struct tls **ret_tls,
             char ret_error[static TLS_ERROR_SIZE])
{
    gnutls_datum_t cert = {malloc(PEM_MAX + 1), 0}, key = {malloc(PEM_MAX + 1), 0};
    struct tls *tls = calloc(1, sizeof *tls);
    int error = 0;

    if (!cert.data || !key.data || !tls)
        error = amiss(ret_error, cert_file, strerror(ENOMEM));
    if (!error)
        error = read_pem(cert_file, &cert, ret_error);
    if (!error)
        error = read_pem(key_file, &key, ret_error);
    if (!error)
        error = join(cert_file, &cert, key_file, &key, tls, ret_error);
    free(cert.data);
    if (key.data)
        sodium_memzero(key.data, PEM_MAX + 1);
    free(key.data);
    *ret_tls = tls_ref(tls);
    if (error) {
        tls_unref(tls);
        *ret_tls = NULL;
    }
    return error;
}

struct tls *tls_ref(struct tls *tls)
{
    if (tls)
        tls->references++;
    return tls;
}

void tls_unref(struct tls *tls)
{
    if (!tls || --tls->references > 0)
        return;
    if (tls->credentials)
        gnutls_certificate_free_credentials(tls->credentials);
    free(tls);
}

void tls_use(const struct tls *tls, gnutls_session_t session)
{
    gnutls_credentials_set(session, GNUTLS_CRD_CERTIFICATE, tls->credentials);
}

int tls_none(gnutls_session_t session, const gnutls_datum_t *names, int name_count,
             const gnutls_pk_algorithm_t *algorithms, int algorithm_count,
             gnutls_pcert_st **ret_certs, unsigned *ret_count, gnutls_privkey_t *ret_key)
{
    (void)session;
    (void)names;
    (void)name_count;
    (void)algorithms;
    (void)algorithm_count;
    *ret_certs = NULL;
    *ret_count = 0;
    *ret_key = NULL;
    return -1;
}
