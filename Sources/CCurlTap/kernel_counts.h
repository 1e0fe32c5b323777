// The kernel's counts of a connection.
#ifndef WWT_KERNEL_COUNTS_H
#define WWT_KERNEL_COUNTS_H

#include <stdbool.h>

#include "tap_frames.h"

/// The kernel's count; if the socket is about to be closed, including the bytes that the kernel still has to send.
wwt_tcp wwt_read_tcp(int socket, bool is_closing);
/// The same in one system call, or two if something waits to be read, if the kernel counts the bytes that the program has
/// sent and received over the connection, and no others but those that wait: then all have left, and no FIN has come. False
/// otherwise.
bool wwt_read_tcp_at_rest(int socket, uint64_t sent, uint64_t received, wwt_tcp *tcp);
/// How many bytes were written and wait in the kernel; 0 also if it does not say. If the connection is at rest, reads its
/// count by the same calls; `tcp->known` is 0 otherwise.
uint64_t wwt_read_queued(int socket, uint64_t sent, uint64_t received, wwt_tcp *tcp);

#endif
