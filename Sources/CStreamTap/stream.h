// One layer of a connection: its own bytes, or the plaintext of its TLS. Finds the messages of HTTP/1 in it, measures
// them, and sends them as frames: one exchange is one transfer.
#ifndef WWS_STREAM_H
#define WWS_STREAM_H

#include "CHTTPWire.h"
#include "CStreamTap.h"
#include "frame_buffer.h"

/// What a connection's frames need to know of it.
typedef struct wws_ends {
    uint32_t local_port, remote_port;
    char local_address[46], remote_address[46]; // INET6_ADDRSTRLEN
} wws_ends;

/// One request and its response.
typedef struct wws_exchange {
    struct wws_exchange *next;
    uint64_t transfer;
    uint64_t began;       // when its first byte was sent
    uint64_t last;        // when its last byte passed
    bool is_announced;    // the frames that begin it are written
    bool is_connect;
    bool request_over, response_over;
    bool has_response;    // something of a response has come
    bool has_switched;    // another protocol follows
    bool out_reported, in_reported;
    int64_t heads;        // bytes of responses' status lines and headers
    uint64_t out_first, out_last, in_first, in_last;
    ww_body_meter out, in;
} wws_exchange;

typedef struct wws_stream {
    ww_http1_connection scanner;
    wwt_frames frames;
    wws_exchange *first, *last, *spare;
    uint8_t *head; // of the request whose headers are being sent
    size_t head_count, head_capacity;
    uint64_t reported_at, unreported;
    bool is_secure;    // the plaintext of TLS
    bool is_foreign;   // it carries no HTTP
    bool is_http2;
    bool is_lost;      // parts of it were not seen
    bool ends_waiting; // a response's headers have come that were not sent yet
    uint8_t *early;    // received while a request was being sent, and before that call returned
    size_t early_count;
} wws_stream;

/// The connection of a stream, as its frames describe it.
typedef struct wws_carrier {
    wws_connection *connection;
    const wws_ends *ends;
    bool is_first;          // nothing was sent over it before this exchange
    uint64_t began;         // when it was opened
    uint64_t connected, secured; // 0 if it was not
} wws_carrier;

wws_stream *wws_stream_create(bool is_secure);
void wws_stream_free(wws_stream *stream);
/// Takes bytes of one direction; returns how many at the end of `bytes` belong to a tunnel of a CONNECT.
size_t wws_stream_add(
    wws_stream *stream, wws_connection *connection, bool is_response, const uint8_t *bytes, size_t count, uint64_t now);
/// Whether no message is being sent or received.
bool wws_stream_is_idle(const wws_stream *stream);
/// Whether a request waits for its response.
bool wws_stream_is_asked(const wws_stream *stream);
/// Ends the response that lasts until the peer has ended.
void wws_stream_peer_ended(wws_stream *stream, wws_connection *connection, uint64_t now);
/// Ends all exchanges, because the connection ends. `has_peer_ended`: the peer has ended it first; `error`: by that
/// errno, 0 for none.
void wws_stream_close(wws_stream *stream, wws_connection *connection, bool has_peer_ended, int error, uint64_t now);
/// Ends all exchanges, because the program ends.
void wws_stream_abandon(wws_stream *stream, wws_connection *connection, uint64_t now);
/// Gives up the exchanges that run, because bytes have passed that were not seen.
void wws_stream_lose(wws_stream *stream);

#endif
