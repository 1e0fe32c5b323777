// What the files of connections have in common, and no one else needs.
#ifndef WWS_CONNECTION_PARTS_H
#define WWS_CONNECTION_PARTS_H

#include <errno.h>
#include <sys/uio.h>

#include "connection.h"

/// Whether the connections are this process's, and not those of a parent whose memory it shares.
bool wws_is_owner(void);
/// Says whether this thread holds a lock that a signal's handler on it must not wait for; returns what was said before.
bool wws_set_inside(bool is_now);

// For a connection whose lock is held.

enum { WWS_MOST_LAYERS = 4 };

/// The streams that there are, from the innermost one on; returns their number.
int wws_streams_of(const wws_connection *connection, wws_stream *streams[WWS_MOST_LAYERS]);
/// Takes what passes in a tunnel, which the connection's own bytes or the plaintext of its TLS have opened.
void wws_add_tunnelled(wws_connection *connection, bool is_response, const uint8_t *bytes, size_t count);
/// Whether no message is being sent or received.
bool wws_are_idle(const wws_connection *connection);
void wws_lose_streams(wws_connection *connection);
void wws_read_ends(wws_connection *connection);
bool wws_is_same_socket(int descriptor, const wws_connection *connection);
/// Whether bytes have passed in calls that are not hooked.
bool wws_was_bypassed(const wws_connection *connection);
/// Ends the exchanges of all connections whose responses the kernel has sent by now.
void wws_finish_sent(void);
/// Sends the kernel's last count.
void wws_report_connection(wws_connection *connection, bool is_closing);
/// Takes a descriptor from its connection, and ends that if it was the last.
void wws_leave(int descriptor, wws_connection *connection, bool is_open);

// Messages of DNS, which the program exchanges with resolvers

/// Whether an errno says that a datagram could not be delivered.
static inline bool wws_is_refusal(int error) {
    return error == ECONNREFUSED || error == EHOSTUNREACH || error == ENETUNREACH;
}
/// Notes to whom a socket sends.
void wws_set_resolver(wws_connection *connection, const struct sockaddr *address);
/// Sends what one was, or why there was none; the output is open.
void wws_report_datagram(
    wws_connection *connection, bool is_sent, const struct iovec *pieces, size_t number, ssize_t count, int error);
/// Takes bytes of a connection to a resolver; the output is open.
void wws_add_dns(wws_connection *connection, bool is_sent, const uint8_t *bytes, size_t count);
void wws_free_dns(wws_connection *connection);
/// Sends a message, `size` bytes of which the pieces have the first, or another frame about such a socket.
void wws_report_dns(
    const wws_connection *connection, enum wwt_dns_what what, size_t size, const struct iovec *pieces, size_t number);
/// The socket is closed, if it is one of these; the output is open.
void wws_dns_over(wws_connection *connection);

// Bytes of TLS whose plaintext does not come

/// Call as TLS begins.
void wws_begin_records(wws_connection *connection);
/// Takes what the client or the server has sent.
void wws_add_records(wws_connection *connection, bool is_down, const uint8_t *bytes, size_t count);
/// Sends what was held back, before the connection is reported.
void wws_send_records(wws_connection *connection);
/// The number of its TLS if bytes of it were sent, 0 otherwise; and whether all of them were.
uint32_t wws_records_number(const wws_connection *connection, bool *are_whole);
/// Whether such bytes are sent at all.
bool wws_are_records_passed(void);
void wws_free_records(wws_connection *connection);

// ClientHellos

void wws_begin_tls(wws_connection *connection);
/// Takes what the client sends.
void wws_add_hello(wws_connection *connection, const uint8_t *bytes, size_t count);
/// Takes what the server sends.
void wws_add_answer(wws_connection *connection, const uint8_t *bytes, size_t count);
void wws_forget_hello(const wws_connection *connection);
/// In the child of a fork.
void wws_forget_hellos(void);
void wws_lock_hellos(void);
void wws_unlock_hellos(void);

// Of a TLS library that cannot say which random a session has: what it sends or reads within a call, on the same thread, is
// the session's.

/// Call as such a call begins and ends.
void wws_begin_within(void);
void wws_end_within(void);
/// Forgets what has passed within the call so far.
void wws_forget_within(void);
/// The number of the last ClientHello of the program.
uint64_t wws_last_hello(void);
/// The connection whose ClientHello has passed within this thread's call; NULL if there is none, or if another one that has
/// passed since the session's first call could be its own.
wws_connection *wws_find_within(uint64_t since, uint64_t *serial);

#endif
