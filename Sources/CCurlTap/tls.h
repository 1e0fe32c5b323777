// The plaintext of libcurl's TLS sessions.
#ifndef WWT_TLS_H
#define WWT_TLS_H

#include <stdbool.h>
#include <stdint.h>

#include "dependencies.h"

/// A TLS session as its library knows it, and its description.
typedef struct wwt_tls_session {
    void *session;
    bool is_gnutls, is_nss;
    const char *version, *cipher;
    char protocol[32];
} wwt_tls_session;

void wwt_tls_opened(const void *session, bool is_gnutls);
void wwt_tls_closed(const void *session);
void wwt_tls_received(const void *session, int64_t count);
void wwt_tls_sent(const void *session, int64_t count);
/// -1 if the socket is not known.
int wwt_tls_socket(const void *session);
/// Call when the library of `session` calls TLS again: `session` then sends through `carrier`, a session to a proxy.
void wwt_tls_carries(const void *carrier, const void *session);
/// Call when libcurl gives a session the object that passes on its records. Finds the session that carries it if that is
/// OpenSSL's own object, whose use libcurl does not see.
void wwt_tls_goes_through(const void *session, void *bio, const wwt_tls_words *words);
/// The session through which messages go over that socket; NULL if there is none.
const void *wwt_tls_on(int socket);
/// The same, as a session that `wwt_tls_describe` can describe.
bool wwt_tls_session_on(int socket, wwt_tls_session *session);
/// Whether the socket's session is known and final: a session to a proxy is replaced by the one inside it.
bool wwt_tls_is_settled(int socket);
/// Records that the socket carries the session from now on.
void wwt_tls_set_socket(const void *session, int socket);
wwt_plaintext wwt_tls_read(int socket);
/// The same; false if another thread holds the lock.
bool wwt_tls_read_if_free(int socket, wwt_plaintext *plaintext);
/// The same, and forgets the session: the socket carries nothing any more.
wwt_plaintext wwt_tls_take(int socket);
void wwt_tls_describe(const wwt_tls_words *words, wwt_tls_session *session);

/// A fork holds the lock while it happens.
void wwt_lock_tls(void);
void wwt_unlock_tls(void);

#endif
