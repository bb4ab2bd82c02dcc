// GnuTLS, a dependency of libmicrohttpd, for Swift: hashes, random bytes, keys, signatures, certificates and sessions.
#ifndef TWEENCAST_CGNUTLS_SHIM_H
#define TWEENCAST_CGNUTLS_SHIM_H

#include <errno.h>
#include <gnutls/abstract.h>
#include <gnutls/crypto.h>
#include <gnutls/gnutls.h>
#include <gnutls/x509.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

enum {
    // The longest chain of certificates: the server's own and those up to a root, with room to spare.
    TWEENCAST_CHAIN_LIMIT = 16,
    // Longer than any digest of a public key.
    TWEENCAST_KEY_NAME = 64,
    // Characters of a SHA-256 in Base64, with the terminating zero.
    TWEENCAST_SHA256_BASE64 = 45,
};

// Writes the SHA-256 of bytes in Base64. Returns 0 or the library's error.
static inline int tweencast_sha256_base64(const void *bytes, size_t size, char text[TWEENCAST_SHA256_BASE64])
{
    unsigned char digest[32];
    int code = gnutls_hash_fast(GNUTLS_DIG_SHA256, bytes, size, digest);
    if (code < 0)
        return code;
    gnutls_datum_t source = { digest, sizeof digest }, written;
    if ((code = gnutls_base64_encode2(&source, &written)) < 0)
        return code;
    memcpy(text, written.data, written.size);
    text[written.size] = 0;
    gnutls_free(written.data);
    return 0;
}

// A certificate chain, the server's own first, and its key. It begins zeroed, from calloc; the chain is read before the key, each
// once. `chain` stays the first member: Swift passes a pointer to the whole as one to the chain.
struct tweencast_key_pair {
    gnutls_pcert_st chain[TWEENCAST_CHAIN_LIMIT];
    unsigned int count;
    gnutls_privkey_t key;
    // Validity of the server's own certificate, in Unix seconds.
    int64_t begins, expires;
};

static inline void tweencast_free_key_pair(struct tweencast_key_pair *pair)
{
    for (unsigned int i = 0; i < pair->count; i++)
        gnutls_pcert_deinit(&pair->chain[i]);
    if (pair->key)
        gnutls_privkey_deinit(pair->key);
    free(pair);
}

// Reads a chain in PEM. Returns 0 or the library's error.
static inline int tweencast_read_chain(struct tweencast_key_pair *pair, const void *bytes, unsigned int size)
{
    gnutls_datum_t data = { (unsigned char *)bytes, size };
    unsigned int count = TWEENCAST_CHAIN_LIMIT;
    int code = gnutls_pcert_list_import_x509_raw(
        pair->chain, &count, &data, GNUTLS_X509_FMT_PEM, GNUTLS_X509_CRT_LIST_SORT);
    if (code < 0)
        return code;
    pair->count = count;
    gnutls_x509_crt_t own;
    if (count == 0 || (code = gnutls_x509_crt_init(&own)) < 0)
        return count == 0 ? GNUTLS_E_NO_CERTIFICATE_FOUND : code;
    code = gnutls_x509_crt_import(own, &pair->chain[0].cert, GNUTLS_X509_FMT_DER);
    pair->begins = gnutls_x509_crt_get_activation_time(own);
    pair->expires = gnutls_x509_crt_get_expiration_time(own);
    gnutls_x509_crt_deinit(own);
    return code;
}

// Returns whether two public keys are equal.
static inline int tweencast_same_key(gnutls_pubkey_t first, gnutls_pubkey_t second)
{
    unsigned char names[2][TWEENCAST_KEY_NAME];
    size_t sizes[2] = { TWEENCAST_KEY_NAME, TWEENCAST_KEY_NAME };
    return gnutls_pubkey_get_key_id(first, GNUTLS_KEYID_USE_SHA256, names[0], &sizes[0]) == 0
        && gnutls_pubkey_get_key_id(second, GNUTLS_KEYID_USE_SHA256, names[1], &sizes[1]) == 0
        && sizes[0] == sizes[1] && memcmp(names[0], names[1], sizes[0]) == 0;
}

// Reads a key in PEM, without a password. Returns 0 or the library's error: GNUTLS_E_CERTIFICATE_KEY_MISMATCH if the key is
// another certificate's.
static inline int tweencast_read_key(struct tweencast_key_pair *pair, const void *bytes, unsigned int size)
{
    gnutls_datum_t data = { (unsigned char *)bytes, size };
    int code = gnutls_privkey_init(&pair->key);
    if (code < 0)
        return code;
    code = gnutls_privkey_import_x509_raw(pair->key, &data, GNUTLS_X509_FMT_PEM, NULL, 0);
    gnutls_pubkey_t own;
    if (code < 0 || (code = gnutls_pubkey_init(&own)) < 0)
        return code;
    code = gnutls_pubkey_import_privkey(own, pair->key, 0, 0);
    if (code >= 0 && !tweencast_same_key(own, pair->chain[0].pubkey))
        code = GNUTLS_E_CERTIFICATE_KEY_MISMATCH;
    gnutls_pubkey_deinit(own);
    return code < 0 ? code : 0;
}

// Returns whether to repeat a call: at once if a signal interrupted it, else when the socket is ready.
static inline int tweencast_must_wait(ssize_t code) { return code == GNUTLS_E_AGAIN || code == GNUTLS_E_INTERRUPTED; }

// The socket of a server's session. `left` is how many bytes the session may still read; a renewal sets it to `limit`.
struct tweencast_intake {
    int descriptor;
    size_t limit, left;
    // Set after bytes were read or written, by this session or others that share the flag.
    unsigned int *moved;
};

static inline void tweencast_note_moved(unsigned int *moved) { __atomic_store_n(moved, 1, __ATOMIC_RELAXED); }

// Returns whether bytes were read or written since the last call.
static inline int tweencast_has_moved(unsigned int *moved) { return __atomic_exchange_n(moved, 0, __ATOMIC_RELAXED) != 0; }

// The session's pull function. It limits memory: a handshake message may announce up to 16 MiB, and GnuTLS (3.7.9) keeps its
// pieces until it is complete, whatever gnutls_handshake_set_max_packet_length says.
static inline ssize_t tweencast_pull(gnutls_transport_ptr_t context, void *bytes, size_t size)
{
    struct tweencast_intake *intake = context;
    if (intake->left == 0) {
        errno = ECONNABORTED;
        return -1;
    }
    ssize_t count = recv(intake->descriptor, bytes, size < intake->left ? size : intake->left, 0);
    if (count > 0) {
        intake->left -= (size_t)count;
        tweencast_note_moved(intake->moved);
    }
    return count;
}

// The session's push function.
static inline ssize_t tweencast_push(gnutls_transport_ptr_t context, const giovec_t *pieces, int count)
{
    struct tweencast_intake *intake = context;
    struct msghdr message = { .msg_iov = (struct iovec *)pieces, .msg_iovlen = (size_t)count };
    ssize_t sent = sendmsg(intake->descriptor, &message, MSG_NOSIGNAL);
    if (sent > 0)
        tweencast_note_moved(intake->moved);
    return sent;
}

// Makes a session read and write through `intake`, which limits what it reads. `intake` must outlive the session.
static inline void tweencast_bound_intake(gnutls_session_t session, struct tweencast_intake *intake)
{
    gnutls_transport_set_ptr(session, intake);
    gnutls_transport_set_pull_function(session, tweencast_pull);
    gnutls_transport_set_vec_push_function(session, tweencast_push);
}

// Lets a session of tweencast_bound_intake read up to its limit again.
static inline void tweencast_renew_intake(gnutls_session_t session)
{
    struct tweencast_intake *intake = gnutls_transport_get_ptr(session);
    intake->left = intake->limit;
}

// Opens a client's session over a connected, blocking socket, to check the health of the server at its other end. It doesn't
// verify the certificate. The caller frees the session and the credentials; after a failure, NULL, there are none.
static inline gnutls_session_t tweencast_greet_server(int descriptor, gnutls_certificate_credentials_t *credentials)
{
    gnutls_session_t session = NULL;
    if (gnutls_certificate_allocate_credentials(credentials) < 0)
        return NULL;
    int code = gnutls_init(&session, GNUTLS_CLIENT | GNUTLS_NO_SIGNAL);
    if (code >= 0 && (code = gnutls_set_default_priority(session)) >= 0
        && (code = gnutls_credentials_set(session, GNUTLS_CRD_CERTIFICATE, *credentials)) >= 0) {
        gnutls_transport_set_int(session, descriptor);
        do
            code = gnutls_handshake(session);
        while (code < 0 && gnutls_error_is_fatal(code) == 0 && code != GNUTLS_E_AGAIN);
    }
    if (code >= 0)
        return session;
    if (session)
        gnutls_deinit(session);
    gnutls_certificate_free_credentials(*credentials);
    return NULL;
}

// Frees memory that GnuTLS allocated. gnutls_free is a variable, which Swift treats as shared state.
static inline void tweencast_gnutls_free(void *memory) { gnutls_free(memory); }

#endif
