// The kernel's counts of a connection.
#ifndef WWT_KERNEL_COUNTS_H
#define WWT_KERNEL_COUNTS_H

#include <stdbool.h>

#include "tap_frames.h"

/// The kernel's count; if the socket is about to be closed, including the bytes that the kernel still has to send.
wwt_tcp wwt_read_tcp(int socket, bool is_closing);

#endif
