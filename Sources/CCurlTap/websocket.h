// WebSocket frames after a 101.
#ifndef WWT_WEBSOCKET_H
#define WWT_WEBSOCKET_H

#include <stdbool.h>
#include <stddef.h>

#include "tap_frames.h"

/// Call when a request that asks for WebSocket has gone over that socket.
void wwt_websocket_await(int socket, bool is_secure);
/// Call when plaintext has passed through a TLS session, or over a socket if `session` is NULL. Returns the socket of
/// which the kernel's count is due to be sent again; -1 for none.
int wwt_websocket_sent(const void *session, int socket, const void *bytes, size_t count);
int wwt_websocket_received(const void *session, int socket, const void *bytes, size_t count);
void wwt_websocket_session_closed(const void *session);
/// The frames that have passed over that socket since the 101; false if another thread holds the lock.
bool wwt_websocket_read_if_free(int socket, wwt_websocket *websocket);
/// The same, and forgets them: the socket carries nothing any more.
wwt_websocket wwt_websocket_take(int socket);

/// A fork holds the lock while it happens.
void wwt_lock_websockets(void);
void wwt_unlock_websockets(void);

#endif
