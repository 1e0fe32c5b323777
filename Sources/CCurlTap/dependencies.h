// The functions that libcurl itself calls in its HTTP/2 and TLS libraries and on sockets. The tap hooks libcurl's own
// slots for them, because only there it sees the bytes that HTTP/2 sends and how many bytes of a connection TLS takes.
#ifndef WWT_BELOW_H
#define WWT_BELOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "tap_frames.h"

// From nghttp2's interface (https://nghttp2.org/documentation/apiref.html). Types that are only passed on are `void`.
typedef ssize_t (*wwt_http2_send)(void *session, const uint8_t *bytes, size_t count, int flags, void *user);

/// The functions that libcurl calls and the tap hooks; NULL if this libcurl does not use that function.
typedef struct wwt_below {
    int (*nghttp2_session_client_new)(void **, const void *, void *);
    int (*nghttp2_session_client_new2)(void **, const void *, void *, const void *);
    int (*nghttp2_session_client_new3)(void **, const void *, void *, const void *, void *);
    void (*nghttp2_session_del)(void *);
    ssize_t (*nghttp2_session_mem_recv)(void *, const uint8_t *, size_t);
    ssize_t (*nghttp2_session_mem_recv2)(void *, const uint8_t *, size_t);
    ssize_t (*nghttp2_session_mem_send)(void *, const uint8_t **);
    ssize_t (*nghttp2_session_mem_send2)(void *, const uint8_t **);
    void (*nghttp2_session_callbacks_set_send_callback)(void *, wwt_http2_send);
    void (*nghttp2_session_callbacks_set_send_callback2)(void *, wwt_http2_send);
    int32_t (*nghttp2_submit_request)(void *, const void *, const void *, size_t, const void *, void *);
    int32_t (*nghttp2_submit_request2)(void *, const void *, const void *, size_t, const void *, void *);
    int (*nghttp2_session_upgrade)(void *, const uint8_t *, size_t, void *);
    int (*nghttp2_session_upgrade2)(void *, const uint8_t *, size_t, int, void *);
    int (*nghttp2_session_set_stream_user_data)(void *, int32_t, void *);
    // https://docs.openssl.org/3.0/man3/SSL_read/
    void *(*SSL_new)(void *);
    void (*SSL_free)(void *);
    int (*SSL_connect)(void *);
    int (*SSL_read)(void *, void *, int);
    int (*SSL_write)(void *, const void *, int);
    int (*SSL_shutdown)(void *);
    // https://www.gnutls.org/manual/gnutls.html#Core-TLS-API
    int (*gnutls_init)(void **, unsigned);
    void (*gnutls_deinit)(void *);
    int (*gnutls_handshake)(void *);
    ssize_t (*gnutls_record_recv)(void *, void *, size_t);
    ssize_t (*gnutls_record_send)(void *, const void *, size_t);
    int (*gnutls_bye)(void *, int);
    int (*connect)(int, const void *, unsigned);
    ssize_t (*send)(int, const void *, size_t, int);
    ssize_t (*recv)(int, void *, size_t, int);
} wwt_below;

/// Their names, in the order of `wwt_below`.
#define WWT_EACH_BELOW(X) \
    X(nghttp2_session_client_new) X(nghttp2_session_client_new2) X(nghttp2_session_client_new3) \
    X(nghttp2_session_del) X(nghttp2_session_mem_recv) X(nghttp2_session_mem_recv2) X(nghttp2_session_mem_send) \
    X(nghttp2_session_mem_send2) X(nghttp2_session_callbacks_set_send_callback) \
    X(nghttp2_session_callbacks_set_send_callback2) X(nghttp2_submit_request) X(nghttp2_submit_request2) \
    X(nghttp2_session_upgrade) X(nghttp2_session_upgrade2) X(nghttp2_session_set_stream_user_data) \
    X(SSL_new) X(SSL_free) X(SSL_connect) X(SSL_read) X(SSL_write) X(SSL_shutdown) \
    X(gnutls_init) X(gnutls_deinit) X(gnutls_handshake) X(gnutls_record_recv) X(gnutls_record_send) X(gnutls_bye) X(connect) X(send) X(recv)

/// How libcurl's TLS library describes a session; a function is NULL if the library does not have it.
typedef struct wwt_tls_words {
    const char *(*SSL_get_version)(const void *);
    const void *(*SSL_get_current_cipher)(const void *);
    const char *(*SSL_CIPHER_get_name)(const void *);
    void (*SSL_get0_alpn_selected)(const void *, const unsigned char **, unsigned *);
    int (*gnutls_protocol_get_version)(void *);
    const char *(*gnutls_protocol_get_name)(int);
    const char *(*gnutls_ciphersuite_get)(void *);
    int (*gnutls_alpn_get_selected_protocol)(void *, void *);
} wwt_tls_words;

#define WWT_EACH_TLS_WORD(X) \
    X(SSL_get_version) X(SSL_get_current_cipher) X(SSL_CIPHER_get_name) X(SSL_get0_alpn_selected) \
    X(gnutls_protocol_get_version) X(gnutls_protocol_get_name) X(gnutls_ciphersuite_get) \
    X(gnutls_alpn_get_selected_protocol)

/// The hook for the function `name`, for libcurl number `library`; NULL if there is none.
void *wwt_below_hook(int library, const char *name);
/// Sets the function that the hook for `name` calls, if its caller's slot names a better one than the look-up found.
void wwt_below_set_next(int library, const char *name, void *function);
/// Records that this hook is in place. Counting starts only when all hooks that it needs are.
void wwt_below_hooked(int library, const char *name);
/// Records that no hook is in place any more.
void wwt_below_unhooked(void);
bool wwt_below_follows_http2(int library);
bool wwt_below_follows_tls(int library);

// Sockets (sockets.c)

/// A socket, and the ends of its connection.
typedef struct wwt_ends {
    int socket;
    uint32_t local_port, remote_port;
    char local_address[46], remote_address[46]; // INET6_ADDRSTRLEN
    bool is_new;          // no request had been sent over it
    void *tls;            // the session in which the request's headers were sent; NULL for none
    bool is_gnutls;       // whether `tls` is a session of GnuTLS
    uint32_t instead_of;  // the local port that libcurl names in place of this one
} wwt_ends;

/// Call when a socket was connected, or is about to be.
void wwt_socket_connected(int socket);
/// Call when this thread has sent over a socket; the second, if it sent within that TLS session.
void wwt_socket_sent(int socket);
void wwt_socket_sent_in_tls(const void *session, bool is_gnutls);
/// The connection over which this thread has sent last since the previous call; false if there is none.
bool wwt_socket_sent_last(wwt_ends *ends);
/// Finds the new connection over which this thread has sent at least `sent` bytes; false if there is none, or several.
/// Needed because from 8 on libcurl names no ports while it requests a tunnel from a proxy.
bool wwt_socket_find(uint64_t sent, wwt_ends *ends);
/// The only connection that this thread has opened and that no request has used yet; false if there is none, or
/// several. It may belong to another transfer whose request is still to come.
bool wwt_socket_unused(wwt_ends *ends);
/// Call when a request goes over the connection from that local port.
void wwt_socket_claim(uint32_t local_port);
/// Finds the socket of a connection that libcurl has opened, by its ends; -1 if it has been closed. False if no
/// connection from that port is known.
bool wwt_socket_of(uint32_t local_port, uint32_t remote_port, const char *remote_address, int *socket);
/// Starts to look at what goes over a socket.
void wwt_prelude_begin(int socket);
/// The bytes that a socket has carried before its first message and before TLS.
wwt_prelude wwt_prelude_of(int socket);
/// Call when bytes have gone over a socket; it looks only at the first ones of a connection. True if they start TLS.
bool wwt_prelude_sent(int socket, const void *bytes, size_t count);
void wwt_prelude_received(int socket, size_t count);
/// Sends the kernel's count of an open connection, unless another thread is using its counters.
void wwt_socket_tell(int socket);
/// Call when something has gone over a socket that belongs to no request, such as a farewell. Sends the kernel's count
/// if the program is already ending.
void wwt_socket_said_farewell(int socket);

// HTTP/2 (http2.c)

/// A session that the tap has followed from its start; its number is 0 for none.
typedef struct wwt_http2_id {
    const void *session;
    uint64_t number;
} wwt_http2_id;

void wwt_http2_opened(const void *session);
void wwt_http2_closed(const void *session);
void wwt_http2_received(const void *session, const uint8_t *bytes, size_t count);
void wwt_http2_sent(const void *session, const uint8_t *bytes, size_t count);
/// The id of a session, for a transfer whose stream it carries.
wwt_http2_id wwt_http2_find(const void *session);
/// The socket that carries the session.
void wwt_http2_set_socket(wwt_http2_id id, int socket);
/// Sends a frame with the parts that have passed since the last one.
void wwt_http2_tell(wwt_http2_id id);
void wwt_http2_tell_socket(int socket);
/// Whether all parts that passed over that socket were sent; also false while another thread holds the lock.
bool wwt_http2_is_told(int socket);
/// A send function that counts and then calls `next`; `next` itself when there are too many.
wwt_http2_send wwt_http2_counting(wwt_http2_send next);

// TLS (tls.c)

/// A TLS session as its library knows it, and its description.
typedef struct wwt_tls_session {
    void *session;
    bool is_gnutls;
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

// WebSocket (websocket.c)

/// Call when a request that asks for WebSocket has gone over that socket.
void wwt_websocket_await(int socket, bool is_secure);
/// Call when plaintext has passed through a TLS session, or over a socket if `session` is NULL.
void wwt_websocket_sent(const void *session, int socket, const void *bytes, size_t count);
void wwt_websocket_received(const void *session, int socket, const void *bytes, size_t count);
void wwt_websocket_session_closed(const void *session);
/// The frames that have passed over that socket since the 101; false if another thread holds the lock.
bool wwt_websocket_read_if_free(int socket, wwt_websocket *websocket);
/// The same, and forgets them: the socket carries nothing any more.
wwt_websocket wwt_websocket_take(int socket);

void wwt_lock_websockets(void);
void wwt_unlock_websockets(void);
void wwt_lock_http2(void);
void wwt_unlock_http2(void);
void wwt_lock_tls(void);
void wwt_unlock_tls(void);

#endif
