// Plays the bytes of a connection to the stream tap of a test, without sockets, and gathers the frames that it sends.
#ifndef CSTREAMPLAY_H
#define CSTREAMPLAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct csp_play csp_play;

/// A connection from 127.0.0.1:5000 to 10.0.0.1:443 or, without TLS, port 80. `is_server`: that the other end has opened.
csp_play *csp_begin(bool is_secure, bool is_server);
/// Passes bytes to the client (`is_down`) or to the server, in memory that ends with them.
void csp_pass(csp_play *play, bool is_down, const uint8_t *bytes, size_t count);
/// From now on the output takes no frames, or takes them again; or drops them as if it had sent them.
void csp_refuse(csp_play *play, bool refuses);
void csp_drop(csp_play *play, bool drops);
/// Whether the connection was given up.
bool csp_is_lost(const csp_play *play);
/// Closes the connection, after the peer has ended it or not, or after a call has failed with that errno; or ends the
/// program.
void csp_close(csp_play *play, bool has_peer_ended, int error);
void csp_abandon(csp_play *play);
/// All frames so far.
const uint8_t *csp_frames(const csp_play *play, size_t *count);
void csp_free(csp_play *play);

#endif
