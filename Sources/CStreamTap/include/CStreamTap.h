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

#include "CCurlTap.h"

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
/// Whether the bytes of TLS whose plaintext does not come are sent from now on, to be deciphered by the reader of the frames.
void wws_pass_records(bool passes);
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

// Lookups of names

/// What the C library was asked.
typedef struct wws_asked {
    const char *name;
    uint64_t began;
    bool is_libcurls; // the exchanges of libcurl have its time already
} wws_asked;

/// Call after a lookup by getaddrinfo with its result; `found`: NULL if that was an error.
void wws_looked_up(const wws_asked *asked, int result, const struct addrinfo *found);
/// Call after one by gethostbyname and its like; `result` is the h_errno if nothing was found.
void wws_looked_up_host(const wws_asked *asked, int result, const struct hostent *found);

/// Whether a datagram to that address may be a question to a resolver (RFC 1035, section 4.2).
bool wws_is_resolver(const struct sockaddr *address);
/// Call after a datagram was sent to that address of IPv4 or IPv6; the handle is what the descriptor was before.
void wws_sent_to(
    int descriptor, wws_handle handle, const struct sockaddr *address, const struct iovec *pieces, size_t number,
    ssize_t count);

// TLS sessions

/// Takes the lock of what is known of sessions and, in the hooks, of their libraries. A fork holds it while it happens.
void wws_lock_sessions(void);
void wws_unlock_sessions(void);

/// What a TLS library can say about one of its sessions.
typedef struct wws_tls_library {
    const struct wwt_tls_words *words;
    bool is_gnutls, is_nss;
    bool is_silent; // OpenSSL that cannot say which random a session has
    int (*SSL_get_fd)(const void *session);
    void *(*SSL_get_rbio)(const void *session);
    size_t (*SSL_get_client_random)(const void *session, unsigned char *bytes, size_t count);
    int (*SSL_is_server)(const void *session);
    int (*SSL_get_shutdown)(const void *session);
    void *(*gnutls_transport_get_ptr)(void *session);
    void (*gnutls_session_get_random)(void *session, void *client, void *server);
    long (*PR_FileDesc2NativeHandle)(void *session);
} wws_tls_library;

/// Call before a function of the library sends, receives or shakes hands, and before what it has done is reported.
void wws_tls_begins(const wws_tls_library *library, const void *session);
void wws_tls_ends(const wws_tls_library *library);
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

// In the reader of the frames: the messages in plaintext that it has deciphered itself (WWT_TLS_BYTES). They become frames,
// as the program's tap would have sent them. A thread uses one at a time.

typedef struct wws_replay wws_replay;

/// What is known of the TLS; the texts are those of an OpenSSL.
typedef struct wws_replay_tls {
    const char *version, *cipher;
    uint64_t secured; // when its handshake was over; monotonic
    bool skips_digests;
} wws_replay_tls;

/// A connection of a program. NULL if there is no memory.
wws_replay *wws_replay_create(
    const struct wwt_tls_begin_body *begin, const char *local_address, const char *remote_address, wws_replay_tls tls);
void wws_replay_free(wws_replay *replay);
/// Takes plaintext that has passed at that moment.
void wws_replay_add(wws_replay *replay, bool is_down, const uint8_t *bytes, size_t count, uint64_t now);
/// The server has ended what it sends.
void wws_replay_end(wws_replay *replay, uint64_t now);
/// Gives it up: what follows was not seen.
void wws_replay_lose(wws_replay *replay, uint64_t now);
/// The connection is over, or the program: takes the frame that reported it as not seen, and makes the one that the
/// plaintext proves. False if it stays as it is.
bool wws_replay_close(wws_replay *replay, const uint8_t *frame, size_t size);
/// The frames since the last call; they stay until the next one of any function.
const uint8_t *wws_replay_frames(wws_replay *replay, size_t *count);

#endif
