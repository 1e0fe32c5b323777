// The frames of libcurl's HTTP/2 sessions.
#ifndef WWT_HTTP2_H
#define WWT_HTTP2_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dependencies.h"

/// A session that the tap has followed from its start; its number is 0 for none.
typedef struct wwt_http2_id {
    const void *session;
    uint64_t number;
} wwt_http2_id;

void wwt_http2_opened(const void *session);
void wwt_http2_closed(const void *session);
void wwt_http2_received(const void *session, const uint8_t *bytes, size_t count);
void wwt_http2_sent(const void *session, const uint8_t *bytes, size_t count);
/// The id of a session, for a transfer whose stream it carries.
wwt_http2_id wwt_http2_find(const void *session);
/// The socket that carries the session.
void wwt_http2_set_socket(wwt_http2_id id, int socket);
/// Sends a frame with the parts that have passed since the last one.
void wwt_http2_report(wwt_http2_id id);
void wwt_http2_report_socket(int socket);
/// Whether all parts that passed over that socket were sent; also false while another thread holds the lock.
bool wwt_http2_is_reported(int socket);
/// A send function that counts and then calls `next`; `next` itself when there are too many.
wwt_http2_send wwt_http2_counting(wwt_http2_send next);

/// A fork holds the lock while it happens.
void wwt_lock_http2(void);
void wwt_unlock_http2(void);

#endif
