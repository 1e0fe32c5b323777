// HTTP/2 on one layer of a connection (RFC 9113): finds its streams, measures their bodies, and sends header blocks on as
// they are. Only the reader of the frames decompresses them.
#ifndef WWS_HTTP2_STREAM_H
#define WWS_HTTP2_STREAM_H

#include "exchange.h"

/// How many streams may be open at once; with more, the connection is given up.
#define WWS_MOST_STREAMS 1024

typedef struct wws_http2 wws_http2;

void wws_http2_number_above(uint64_t number);
wws_http2 *wws_http2_create(void);
void wws_http2_free(wws_http2 *session);
/// Takes over a request that was sent in HTTP/1.1, before its 101: its response is that of stream 1 (RFC 7540, section
/// 3.2).
void wws_http2_adopt(wws_stream *stream, wws_exchange *exchange, uint64_t now);
/// Takes bytes of one direction.
void wws_http2_add(
    wws_stream *stream, wws_connection *connection, bool is_down, const uint8_t *bytes, size_t count, uint64_t now);
/// Whether no stream is open.
bool wws_http2_is_idle(const wws_http2 *session);
/// Adds frames with what has passed since the last report.
void wws_http2_report(wws_stream *stream);
/// Ends all exchanges, because the connection or the program ends: as in stream.h.
void wws_http2_close(wws_stream *stream, wws_connection *connection, bool has_peer_ended, int error, uint64_t now);
void wws_http2_abandon(wws_stream *stream, wws_connection *connection, uint64_t now);
/// Call when the frames of all that has ended were sent.
void wws_http2_sent(wws_http2 *session);
/// Gives up all exchanges, and those whose end was not sent.
void wws_http2_lose(wws_http2 *session);

#endif
