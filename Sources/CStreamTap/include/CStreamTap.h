// Watches the sockets and the TLS sessions of a program, whatever its HTTP library: finds the HTTP/1 messages in the
// plaintext of each connection that the program opens or accepts, and measures them.
//
// The caller hooks the functions of the C library and of the TLS libraries, calls the originals, and reports here what
// they did. Nothing here changes what the program sends, receives or sees. What is seen leaves as frames of the tap
// (tap_frames.h).
#ifndef CSTREAMTAP_H
#define CSTREAMTAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct addrinfo;
struct hostent;
struct iovec;
struct sockaddr;
struct wwt_tls_words;
typedef struct wws_connection wws_connection;

/// Descriptors from this number on are not watched.
#define WWS_MOST_DESCRIPTORS (1 << 16)

/// The connections by descriptor. A descriptor that is not ours costs one load and one branch.
extern wws_connection *wws_connections[WWS_MOST_DESCRIPTORS];

static inline wws_connection *wws_connection_of(int descriptor) {
    if ((unsigned)descriptor >= WWS_MOST_DESCRIPTORS) return NULL;
    return __atomic_load_n(&wws_connections[descriptor], __ATOMIC_ACQUIRE);
}

/// What a descriptor was before a call. Until the call returns, another thread may close the descriptor and open it again
/// as another connection, even in the same memory; the serial number distinguishes them.
typedef struct wws_handle {
    wws_connection *connection;
    uint64_t serial;
} wws_handle;

/// For a connection of ours.
uint64_t wws_serial_of(const wws_connection *connection);

static inline wws_handle wws_handle_of(int descriptor) {
    wws_connection *connection = wws_connection_of(descriptor);
    return (wws_handle){connection, connection ? wws_serial_of(connection) : 0};
}

/// Sees to forks, as `wws_start` does if that was not done yet.
void wws_watch_forks(void);
/// Starts to watch connections that the program opens or accepts from now on.
void wws_start(void);
/// Adds no more connections.
void wws_pause(void);
/// Ends that: reports the connections that are open, and forgets them and their sessions.
void wws_stop(void);
/// Whether it has been started.
bool wws_is_on(void);
/// Reports the connections that are still open, as the program ends.
void wws_report_left(void);

// Sockets. Each function keeps errno.

/// The moment, for `wws_connected`.
uint64_t wws_moment(void);
/// Call after a call of connect to an address of IPv4 or IPv6 that has succeeded, or goes on in the background.
void wws_connected(int descriptor, const struct sockaddr *peer, uint64_t began, bool is_done);
/// Call after a connection was accepted: its requests come in, and its responses go out.
void wws_accepted(int descriptor);
/// Leaves connections alone that are accepted at that local port, or no longer does so.
void wws_set_port_left(uint16_t port, bool is_left);
/// Call when the program learns that a connection is established.
void wws_established(int descriptor);
/// Call before bytes are sent over a connection, and after that with the call's result. Between both, another thread
/// may receive the response.
void wws_sending(wws_handle handle);
void wws_sent(int descriptor, wws_handle handle, const void *bytes, ssize_t count);
void wws_sent_vector(int descriptor, wws_handle handle, const struct iovec *pieces, size_t number, ssize_t count);
/// The same for bytes of a file from that place on.
void wws_sent_file(int descriptor, wws_handle handle, int file, off_t from, ssize_t count);
/// Call after bytes were received; a count of 0 is the end of what the peer sends.
void wws_received(int descriptor, wws_handle handle, const void *bytes, ssize_t count);
void wws_received_vector(
    int descriptor, wws_handle handle, const struct iovec *pieces, size_t number, ssize_t count);
/// Call when bytes have passed in a way that shows nothing of them.
void wws_bypassed(int descriptor, wws_handle handle);

// What comes from other processes, and goes to them

/// Call before a descriptor is sent to a process.
void wws_handed(int descriptor);
/// Call after a descriptor was received from a process.
void wws_taken(int descriptor);
/// Call as the program begins: it may have inherited connections.
void wws_inherited(void);

// io_uring, whose calls are not seen

/// Whether the program has set up io_uring. What it opens or accepts there is first seen when it is closed.
extern bool wws_has_ring;
/// Call after the program has set it up.
void wws_ring_made(void);
/// Call before a descriptor is closed that is no connection of ours, in a program that has set it up.
void wws_found(int descriptor);

// Descriptors

/// Call before a descriptor is closed.
void wws_closing(int descriptor);
/// Call before all descriptors of that range are closed.
void wws_closing_range(unsigned first, unsigned last);
/// Call after a descriptor was duplicated.
void wws_duplicated(int from, int to);

// Lookups of names: call after one has found addresses. A lookup that found none has nothing to belong to.

void wws_looked_up(uint64_t began, const struct addrinfo *found);
void wws_looked_up_host(uint64_t began, const struct hostent *found);

// TLS sessions

/// Takes the lock of what is known of sessions and, in the hooks, of their libraries. A fork holds it while it happens.
void wws_lock_sessions(void);
void wws_unlock_sessions(void);

/// What a TLS library can say about one of its sessions.
typedef struct wws_tls_library {
    const struct wwt_tls_words *words;
    bool is_gnutls;
    int (*SSL_get_fd)(const void *session);
    void *(*SSL_get_rbio)(const void *session);
    size_t (*SSL_get_client_random)(const void *session, unsigned char *bytes, size_t count);
    int (*SSL_is_server)(const void *session);
    int (*SSL_get_shutdown)(const void *session);
    void *(*gnutls_transport_get_ptr)(void *session);
    void (*gnutls_session_get_random)(void *session, void *client, void *server);
} wws_tls_library;

/// Call after plaintext was sent through a session.
void wws_tls_sent(const wws_tls_library *library, const void *session, const void *bytes, ssize_t count);
/// Call after plaintext was received; a count of 0 or less is none.
void wws_tls_received(const wws_tls_library *library, const void *session, const void *bytes, ssize_t count);
/// Call after a step of the handshake; `is_done` if that was the last.
void wws_tls_handshake(const wws_tls_library *library, const void *session, bool is_done);
/// Remembers the bytes that a session of GnuTLS could not send yet: the program may repeat the call without them.
void wws_tls_postponed(const void *session, const void *bytes, size_t count);
/// Sends the remembered bytes that a call without bytes has sent.
void wws_tls_sent_postponed(const wws_tls_library *library, const void *session, ssize_t count);
/// Call after the program has taken one more reference of a session, which it will free, too.
void wws_tls_kept(const void *session);
/// Call before a session, or one of its references, is freed.
void wws_tls_freed(const void *session);

#endif
