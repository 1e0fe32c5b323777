// The connections that the program opens or accepts: by descriptor, until the last descriptor is closed.
#ifndef WWS_CONNECTION_H
#define WWS_CONNECTION_H

#include <netinet/in.h>
#include <pthread.h>
#include <sys/stat.h>

#include "client_hello.h"
#include "proxy_handshake.h"
#include "server_hello.h"
#include "stream.h"

enum wws_kind {
    WWS_UNDECIDED = 0, // nothing was sent
    WWS_CLEAR,
    WWS_TLS, // from the first byte, or in a tunnel of `clear`
};

/// Its memory is used again and never freed, so a thread may lock a connection that another one has just ended. The
/// serial number distinguishes them.
struct wws_connection {
    pthread_mutex_t lock;
    struct wws_connection *next_free;
    uint64_t serial;
    int references; // of the table of descriptors
    int socket;     // one of its descriptors
    dev_t device;
    ino_t inode;
    uint32_t generation; // of the output of frames
    enum wws_kind kind;
    bool is_server;      // the program has accepted it
    bool is_datagram;    // no connection, but a socket of UDP that asks a resolver
    bool is_asking;      // a connection to the port of a resolver, whose messages of DNS are passed on
    bool may_be_either;  // another process has opened or accepted it, and nothing was sent yet
    bool is_shared;      // another process has it, too, and may be the one that uses it
    bool is_handed;      // this process has sent it to another one
    bool is_taken_over;  // another process has used it before this one got it
    wwt_prelude_reader prelude;
    bool has_ends;
    bool is_used;        // an exchange was reported
    bool is_described;
    bool has_peer_ended; // the program has read the end of what the peer sends
    bool is_torn;        // bytes have passed that were not seen
    bool has_session;    // a known TLS library makes its TLS
    bool is_foreign;     // in a tunnel inside of a tunnel, something has passed that is no TLS
    int error;           // errno of a call that failed for good
    int sending, sending_tls; // calls that have begun and not been reported
    uint64_t began, connected, secured;
    uint64_t heard; // the first bytes that were received
    bool is_elsewhere;   // the last datagram was not for a resolver
    uint64_t lookup; // the number of the lookup of the peer's name; 0 for none
    uint64_t looked_up; // how long it took, once that was asked
    uint64_t sent, received; // bytes of its own that calls have passed
    uint64_t kept;           // at the end: those of the sent ones that the kernel will never send
    uint64_t ahead;          // of the call that is being taken: bytes in later pieces
    const wwt_tcp *counted;  // the kernel's count, while nothing passes; NULL if it is to be read
    uint64_t sent_before, received_before; // that the kernel had counted when this process got it
    uint64_t plain_sent, plain_received; // of TLS
    uint64_t bare; // what the client may send over TLS that has no message in it; 0 before the handshake is over
    union {
        struct in6_addr resolver; // to which the connection or the last datagram went
        struct {
            uint64_t proxy_sent, proxy_received; // of the TLS to a proxy that has another TLS inside
        };
    };
    wws_ends ends;
    wws_stream *clear, *plain;
    wws_stream *proxy; // the plaintext of TLS to a proxy, if `plain` is that of another TLS, in a tunnel of it
    wws_stream *inner; // what is in a tunnel of the innermost of the other streams, and no TLS
    wws_client_hello *hello; // of the innermost TLS
    wws_server_hello *answer; // to it
    const void *session, *proxy_session; // of `plain`, and of `proxy`
    struct wws_tls_library const *library;
    struct wwt_tls_session const *described; // in place of a session and its library
    struct wws_dns_stream *dns; // messages of DNS that are not whole yet
    struct wws_records *records; // of TLS that the reader may decipher
};

/// Locks the connection of a descriptor, unless it has changed. NULL also if this thread holds a lock already, because
/// a signal interrupted it.
wws_connection *wws_lock_descriptor(int descriptor, wws_handle handle);
/// Locks a connection that had that serial number.
wws_connection *wws_lock_serial(wws_connection *connection, uint64_t serial);
void wws_unlock(wws_connection *connection);

/// What is known of a connection when it is first seen.
typedef struct wws_beginning {
    uint64_t began, connected, lookup;
    bool is_server, may_be_either, is_shared, is_datagram, is_asking;
    uint64_t sent, received; // before
    struct in6_addr resolver;
} wws_beginning;

/// Whether this process and thread may add connections now.
bool wws_may_add(int descriptor);
/// Whether a descriptor is a TCP socket; reads its status.
bool wws_is_internet_stream(int descriptor, struct stat *status);
/// A descriptor of the connection with that status, if there is one.
bool wws_has_descriptor(const struct stat *status, int *descriptor);
/// Makes the connection of a descriptor that has none.
void wws_add_connection(int descriptor, const struct stat *status, const wws_beginning *beginning);

/// Finds the connections of io_uring that are still open.
void wws_find_all(void);

/// Which end of a connection a TLS session is.
enum wws_role { WWS_CLIENT, WWS_SERVER, WWS_EITHER };

/// The connection whose TLS began with that random; NULL if there is none, or another session has it.
wws_connection *wws_find_random(const uint8_t *random, enum wws_role role, uint64_t *serial);

// For streams; the connection is locked.

void wws_connection_carrier(wws_connection *connection, wws_carrier *carrier);
/// Adds the frame that describes it.
void wws_connection_describe(wws_connection *connection, wwt_frames *frames, uint64_t now);
/// Sends the kernel's count while it is open.
void wws_connection_report(wws_connection *connection);
/// What it has carried.
void wws_connection_count(wws_connection *connection, wwt_tcp *tcp, wwt_plaintext *plaintext);
/// How many bytes were written and wait in the kernel; reads its count, too, if that takes nothing more.
uint64_t wws_connection_queued(const wws_connection *connection, wwt_tcp *tcp);
/// Notes how many of them the kernel will never send, because the connection ends.
void wws_connection_note_kept(wws_connection *connection);

/// A fork holds the locks while it happens.
void wws_lock_connections(void);
void wws_unlock_connections(void);
/// Call before a fork: a connection that was accepted and not used may be the child's to use.
void wws_share_connections(void);
/// Call in the child of a fork: the connections are the parent's, except those that were accepted and not used.
void wws_forget_connections(void);

#endif
