// Connections that the program has neither opened nor accepted by calls that are seen: those that it gets from another
// process, and those of io_uring.

#ifdef __linux__
#include <errno.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "CStreamTap.h"
#include "clock.h"
#include "connection.h"
#include "kernel_counts.h"

bool wws_has_ring;

void wws_ring_made(void) { __atomic_store_n(&wws_has_ring, true, __ATOMIC_RELAXED); }

/// Whether it has a peer.
static bool is_connected(int descriptor) {
    struct sockaddr_storage peer;
    socklen_t size = sizeof peer;
    return getpeername(descriptor, (struct sockaddr *)&peer, &size) == 0;
}

void wws_taken(int descriptor) {
    if (!wws_may_add(descriptor) || wws_connection_of(descriptor)) return;
    int before = errno, other;
    struct stat status;
    if (wws_is_internet_stream(descriptor, &status) && is_connected(descriptor)) {
        if (wws_has_descriptor(&status, &other)) {
            wws_duplicated(other, descriptor);
        } else {
            uint64_t now = wwt_now();
            wwt_tcp tcp = wwt_read_tcp(descriptor, false);
            wws_beginning beginning = {
                .began = now, .connected = now, .is_server = true, .is_shared = true, .sent = tcp.sent,
                .received = tcp.received};
            beginning.may_be_either = !tcp.sent && !tcp.received;
            wws_add_connection(descriptor, &status, &beginning);
        }
    }
    errno = before;
}

/// A program may have many descriptors. The connections that it inherits, such as those of inetd, and what it listens to are
/// among the first ones.
#define FIRST 64

void wws_inherited(void) {
    for (int i = 0; i < FIRST; i++) wws_taken(i);
}

// MARK: io_uring

/// Whether the program listens to the local port of a connection.
static bool is_accepted(int descriptor) {
    struct sockaddr_in6 own = {0}, other; // the port is in the same place of both families
    socklen_t size = sizeof own;
    if (getsockname(descriptor, (struct sockaddr *)&own, &size) != 0) return false;
    for (int i = 0; i < FIRST; i++) {
        int listens = 0;
        size = sizeof listens;
        if (getsockopt(i, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) != 0 || !listens) continue;
        size = sizeof other;
        if (getsockname(i, (struct sockaddr *)&other, &size) != 0) continue;
        bool is_internet = other.sin6_family == AF_INET || other.sin6_family == AF_INET6;
        if (is_internet && other.sin6_port == own.sin6_port) return true;
    }
    return false;
}

void wws_found(int descriptor) {
    if (!wws_may_add(descriptor) || wws_connection_of(descriptor)) return;
    int before = errno;
    struct stat status;
    if (wws_is_internet_stream(descriptor, &status) && is_connected(descriptor)) {
        uint64_t now = wwt_now();
        wws_beginning beginning = {.began = now, .connected = now, .is_server = is_accepted(descriptor)};
        wws_add_connection(descriptor, &status, &beginning);
    }
    errno = before;
}

/// The descriptors that are looked at as the program ends.
#define MOST_FOUND 1024

void wws_find_all(void) {
    for (int i = 0; i < MOST_FOUND; i++) wws_found(i);
}

#endif
