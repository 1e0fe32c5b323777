// The bytes of a connection before its first message and before TLS: a SOCKS handshake, the line or the
// binary header of the PROXY protocol.
#ifndef WWT_PROXY_HANDSHAKE_H
#define WWT_PROXY_HANDSHAKE_H

#include <stdbool.h>
#include <stddef.h>

#include "tap_frames.h"

/// One connection, until its first message or its TLS begins.
typedef struct wwt_prelude_reader {
    uint8_t state;
    uint8_t at;    // the place in the PROXY protocol's binary header
    uint16_t left; // of the bytes after that header's fixed part
    wwt_prelude counts;
} wwt_prelude_reader;

void wwt_prelude_start(wwt_prelude_reader *reader);
/// Takes the bytes of one call; returns how many at their beginning come before messages and TLS.
size_t wwt_prelude_add_sent(wwt_prelude_reader *reader, const void *bytes, size_t count);
size_t wwt_prelude_add_received(wwt_prelude_reader *reader, size_t count);

// The same for libcurl's connections, by socket.

/// Starts to look at what goes over a socket.
void wwt_prelude_begin(int socket);
/// The bytes that a socket has carried before its first message and before TLS.
wwt_prelude wwt_prelude_of(int socket);
/// Call when bytes have gone over a socket; it looks only at the first ones of a connection. True if they start TLS.
bool wwt_prelude_sent(int socket, const void *bytes, size_t count);
void wwt_prelude_received(int socket, size_t count);

#endif
