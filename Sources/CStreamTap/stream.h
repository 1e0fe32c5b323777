// One layer of a connection: its own bytes, or the plaintext of its TLS. Finds the messages of HTTP/1 in it, measures
// them, and sends them as frames: one exchange is one transfer. It passes HTTP/2 on.
#ifndef WWS_STREAM_H
#define WWS_STREAM_H

#include "exchange.h"
#include "http2_stream.h"

typedef struct wws_websocket {
    ww_websocket_scanner up, down;
    uint64_t reported_at;
} wws_websocket;

struct wws_stream {
    ww_http1_connection scanner;
    wwt_frames frames;
    wws_exchange *first, *last, *spare;
    uint8_t *head; // of the request whose headers are being sent
    size_t head_count, head_capacity;
    uint64_t reported_at, unreported;
    wws_http2 *http2; // follows the rest of its bytes; NULL if they are not HTTP/2
    bool is_secure;    // the plaintext of TLS
    bool is_server;    // the program receives the requests
    bool is_tunnelled; // the connection's other end is a proxy's
    bool is_foreign;   // it carries no HTTP
    bool is_http2;
    bool has_announced; // the frames that begin an exchange were written
    bool is_lost;      // parts of it were not seen
    bool ends_waiting; // headers have come, or a request has ended, and was not sent yet
    bool is_holding;   // exchanges are over whose responses wait in the kernel
    size_t rest;       // of the bytes that are being taken: those after the piece
    struct wws_websocket *websocket; // what follows a 101 to WebSocket; NULL before that
    uint8_t *early;    // received while a request was being sent, and before that call returned
    size_t early_count;
};

wws_stream *wws_stream_create(bool is_secure, bool is_server);
void wws_stream_free(wws_stream *stream);
/// Takes bytes of one direction; returns how many at the end of `bytes` belong to a tunnel of a CONNECT.
size_t wws_stream_add(
    wws_stream *stream, wws_connection *connection, bool is_response, const uint8_t *bytes, size_t count, uint64_t now);
/// What has followed a 101 to WebSocket.
wwt_websocket wws_stream_websocket(const wws_stream *stream);
/// Whether no message is being sent or received.
bool wws_stream_is_idle(const wws_stream *stream);
/// Keeps bytes of a response until the call that sends its request returns; false if there are too many.
bool wws_stream_keep_early(wws_stream *stream, const uint8_t *bytes, size_t count);
/// Whether a request waits for its response, or a response that has no request yet may come.
bool wws_stream_is_asked(const wws_stream *stream);
/// Ends the response that lasts until the peer, if that is the server, has ended.
void wws_stream_peer_ended(wws_stream *stream, wws_connection *connection, uint64_t now);
/// Ends all exchanges, because the connection ends. `has_peer_ended`: the peer has ended it first; `error`: by that
/// errno, 0 for none.
void wws_stream_close(wws_stream *stream, wws_connection *connection, bool has_peer_ended, int error, uint64_t now);
/// Ends all exchanges, because the program ends.
void wws_stream_abandon(wws_stream *stream, wws_connection *connection, uint64_t now);
/// Ends the exchanges whose responses the kernel has sent by now. `all`: also the others, which it will still send.
void wws_stream_finish_sent(wws_stream *stream, wws_connection *connection, bool all, uint64_t now);
/// Whether an exchange of any stream may wait for that; changed atomically.
extern bool wws_is_any_holding;
/// Sends the waiting frames, if the output takes them now. `last`: those that it does not take are lost.
void wws_stream_send_frames(wws_stream *stream, uint64_t now, bool last);
/// Gives up the exchanges that run, because bytes have passed that were not seen.
void wws_stream_lose(wws_stream *stream);

#endif
