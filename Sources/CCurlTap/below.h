// What libcurl calls below itself: its HTTP/2 and TLS libraries, through slots of its own. Only there the bytes can be
// seen that HTTP/2 sends, and how much of a connection TLS takes.
#ifndef WWT_BELOW_H
#define WWT_BELOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "tap_frames.h"

// Of nghttp2's interface (https://nghttp2.org/documentation/apiref.html); what is only handed on has no type here.
typedef ssize_t (*wwt_http2_send)(void *session, const uint8_t *bytes, size_t count, int flags, void *user);

/// The functions that libcurl calls and the tap stands in front of; NULL where this libcurl has none of that name.
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

/// Their names and places in `wwt_below`.
#define WWT_EACH_BELOW(X) \
    X(nghttp2_session_client_new) X(nghttp2_session_client_new2) X(nghttp2_session_client_new3) \
    X(nghttp2_session_del) X(nghttp2_session_mem_recv) X(nghttp2_session_mem_recv2) X(nghttp2_session_mem_send) \
    X(nghttp2_session_mem_send2) X(nghttp2_session_callbacks_set_send_callback) \
    X(nghttp2_session_callbacks_set_send_callback2) X(nghttp2_submit_request) X(nghttp2_submit_request2) \
    X(nghttp2_session_upgrade) X(nghttp2_session_upgrade2) X(nghttp2_session_set_stream_user_data) \
    X(SSL_new) X(SSL_free) X(SSL_connect) X(SSL_read) X(SSL_write) X(SSL_shutdown) \
    X(gnutls_init) X(gnutls_deinit) X(gnutls_handshake) X(gnutls_record_recv) X(gnutls_record_send) X(gnutls_bye) X(connect) X(send) X(recv)

/// How libcurl's TLS library describes a session; NULL where it has no such function.
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

/// The hook in front of the function of that name, for libcurl number `library`; NULL where there is none.
void *wwt_below_hook(int library, const char *name);
/// What that function is to the one who calls it now, where that is known better.
void wwt_below_set_next(int library, const char *name, void *function);
/// Tells that it is in place: only when all that are needed are, something is counted.
void wwt_below_hooked(int library, const char *name);
/// No hook is in place any more.
void wwt_below_unhooked(void);
bool wwt_below_follows_http2(int library);
bool wwt_below_follows_tls(int library);

// Sockets (sockets.c)

/// A socket, and the ends of its connection.
typedef struct wwt_ends {
    int socket;
    uint32_t local_port, remote_port;
    char local_address[46], remote_address[46]; // INET6_ADDRSTRLEN
    bool is_new;          // no request had gone over it
    void *tls;            // the session in which the head was sent; NULL for none
    bool is_gnutls;       // whose that is
    uint32_t instead_of;  // the local port that libcurl names in place of this one
} wwt_ends;

/// A socket was connected, or is about to be.
void wwt_socket_connected(int socket);
/// This thread has sent over a socket; in that session of TLS, where there is one.
void wwt_socket_sent(int socket);
void wwt_socket_sent_in_tls(const void *session, bool is_gnutls);
/// The connection that this thread has sent over last, since it was asked before; false where there is none.
bool wwt_socket_sent_last(wwt_ends *ends);
/// Finds the connection that this thread has just sent over, so many bytes in all or more, and that nobody has found yet;
/// false where there is none, or several. libcurl names no ports from 8 on while it asks a proxy for a tunnel.
bool wwt_socket_find(uint64_t sent, wwt_ends *ends);
/// The only connection that this thread has opened and no request has gone over; it may be another transfer's, whose request
/// still comes.
bool wwt_socket_unused(wwt_ends *ends);
/// A request goes over the connection from that port.
void wwt_socket_claim(uint32_t local_port);
/// Finds the socket of a connection that libcurl has opened, by its ends; -1 where it has been closed. False where none
/// from that port is known.
bool wwt_socket_of(uint32_t local_port, uint32_t remote_port, const char *remote_address, int *socket);
/// Begins to look at what goes over a socket.
void wwt_prelude_begin(int socket);
/// What a socket has carried before its first message, and before TLS.
wwt_prelude wwt_prelude_of(int socket);
/// Bytes have gone over a socket; looks only at the first of a connection. True where they begin TLS.
bool wwt_prelude_sent(int socket, const void *bytes, size_t count);
void wwt_prelude_received(int socket, size_t count);
/// Tells the kernel's count of a connection that is open, if nobody is at it.
void wwt_socket_tell(int socket);
/// Something has gone over a socket past all requests: tells the kernel's count, if the program is ending already.
void wwt_socket_said_farewell(int socket);

// HTTP/2 (http2.c)

/// A session that is followed from its begin; 0 for none.
typedef struct wwt_http2_id {
    const void *session;
    uint64_t number;
} wwt_http2_id;

void wwt_http2_opened(const void *session);
void wwt_http2_closed(const void *session);
void wwt_http2_received(const void *session, const uint8_t *bytes, size_t count);
void wwt_http2_sent(const void *session, const uint8_t *bytes, size_t count);
/// The session, for a transfer that is carried by that stream.
wwt_http2_id wwt_http2_find(const void *session);
/// The socket that carries the session.
void wwt_http2_set_socket(wwt_http2_id id, int socket);
/// Tells what has passed since the last time.
void wwt_http2_tell(wwt_http2_id id);
void wwt_http2_tell_socket(int socket);
/// Whether all that has passed over that socket is told; false as well where somebody is at it.
bool wwt_http2_is_told(int socket);
/// A send function that counts and then calls that one; the function itself when there are too many.
wwt_http2_send wwt_http2_counting(wwt_http2_send next);

// TLS (tls.c)

/// A TLS session as its library knows it, and the words for it.
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
/// -1 where it is not known.
int wwt_tls_socket(const void *session);
/// A session at work has called TLS again: what it sends goes through that other session, to a proxy.
void wwt_tls_carries(const void *carrier, const void *session);
/// The session through which messages go over that socket; NULL where there is none.
const void *wwt_tls_on(int socket);
/// The same, to be described.
bool wwt_tls_session_on(int socket, wwt_tls_session *session);
/// Whether that session is known of a socket: one to a proxy gives way to the one inside of it.
bool wwt_tls_is_settled(int socket);
/// From now on that socket carries the session.
void wwt_tls_set_socket(const void *session, int socket);
wwt_plaintext wwt_tls_read(int socket);
/// The same; false where somebody is at it.
bool wwt_tls_read_if_free(int socket, wwt_plaintext *plaintext);
/// The same; and the socket carries nothing any more.
wwt_plaintext wwt_tls_take(int socket);
void wwt_tls_describe(const wwt_tls_words *words, wwt_tls_session *session);

// WebSocket (websocket.c)

/// A request that asks for WebSocket has gone over that socket.
void wwt_websocket_await(int socket, bool is_secure);
/// Plaintext has passed through a session of TLS, or over a socket where `session` is NULL.
void wwt_websocket_sent(const void *session, int socket, const void *bytes, size_t count);
void wwt_websocket_received(const void *session, int socket, const void *bytes, size_t count);
void wwt_websocket_session_closed(const void *session);
/// What has passed over that socket since the 101; false where somebody is at it.
bool wwt_websocket_read_if_free(int socket, wwt_websocket *websocket);
/// The same; and the socket carries nothing any more.
wwt_websocket wwt_websocket_take(int socket);

void wwt_lock_websockets(void);
void wwt_unlock_websockets(void);
void wwt_lock_http2(void);
void wwt_unlock_http2(void);
void wwt_lock_tls(void);
void wwt_unlock_tls(void);

#endif
