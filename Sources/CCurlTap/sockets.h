// The sockets that libcurl has opened.
#ifndef WWT_SOCKETS_H
#define WWT_SOCKETS_H

#include <stdbool.h>
#include <stdint.h>

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
/// Call when this thread has sent that number of bytes over a socket; the second, if it sent within that TLS session.
void wwt_socket_sent(int socket, size_t count);
void wwt_socket_sent_in_tls(const void *session, bool is_gnutls);
/// Call when this thread has received that number of bytes.
void wwt_socket_received(int socket, size_t count);
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
/// Call when a request of that transfer has gone over the connection from that local port. Returns whether another
/// transfer's has, whose end was not reported yet: libcurl gives its connection away before the program asks how it ended.
bool wwt_socket_overtake(uint32_t local_port, uint64_t transfer);
/// Call when the end of that transfer is reported.
void wwt_socket_release(uint32_t local_port, uint64_t transfer);
/// Finds the socket of a connection that libcurl has opened, by its ends; -1 if it has been closed. False if no
/// connection from that port is known.
bool wwt_socket_of(uint32_t local_port, uint32_t remote_port, const char *remote_address, int *socket);

/// A connection that libcurl has opened, and the bytes that libcurl has sent and received over it.
typedef struct wwt_carried {
    int socket;
    bool sent_last; // this thread has sent over no other since
    uint64_t sent, received;
} wwt_carried;

/// Finds what `wwt_socket_of` has found before, without asking the kernel. So the descriptor may be another file's by now
/// if it was closed and the tap did not see it. False if nothing is remembered.
bool wwt_socket_remembered(uint32_t local_port, uint32_t remote_port, const char *remote_address, wwt_carried *carried);

/// Whether this descriptor is still that of the connection from that local port.
bool wwt_socket_is_open(int socket, uint32_t local_port);
/// Call when a connection is about to be closed.
void wwt_socket_forget(uint32_t local_port, int socket);
/// Calls a function with each descriptor that may still be open.
void wwt_each_open_socket(void (*call)(int socket));
/// Call in the child of a fork: the parent reports the sockets that are open.
void wwt_sockets_forked(void);

#endif
