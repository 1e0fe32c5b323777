// One request and its response, as the streams of a connection measure it, and its frames.
#ifndef WWS_EXCHANGE_H
#define WWS_EXCHANGE_H

#include "CHTTPWire.h"
#include "CStreamTap.h"
#include "frame_buffer.h"

typedef struct wws_stream wws_stream;

/// What a connection's frames need to know of it.
typedef struct wws_ends {
    uint32_t local_port, remote_port;
    char local_address[46], remote_address[46]; // INET6_ADDRSTRLEN
} wws_ends;

/// One request and its response.
typedef struct wws_exchange {
    struct wws_exchange *next;
    uint64_t transfer;
    uint32_t number;      // of its stream of HTTP/2
    uint64_t began;       // when its first byte passed
    uint64_t last;        // when its last byte passed
    bool is_announced;    // the frames that begin it are written
    bool is_connect;
    bool request_over, response_over;
    bool has_response;    // something of a response has come
    bool has_switched;    // another protocol follows
    bool is_held;         // it is over, but for the kernel, which has not sent all of the response
    bool out_reported, in_reported;
    int64_t heads;        // bytes of responses' status lines and headers
    uint64_t sent;        // of a server: bytes of the connection up to the end of the response
    uint64_t out_first, out_last, in_first, in_last;
    ww_body_meter out, in;
} wws_exchange;

/// The connection of a stream, as its frames describe it.
typedef struct wws_carrier {
    wws_connection *connection;
    const wws_ends *ends;
    bool is_first;          // nothing was sent over it before this exchange
    uint64_t began;         // when it was opened
    uint64_t connected, secured; // 0 if it was not
    uint64_t lookup;        // the number of the lookup of its peer's name; 0 for none
    uint64_t looked_up;     // how long it took, if that was asked before
} wws_carrier;

/// From now on transfers, and sessions of HTTP/2, have numbers above that one.
void wws_number_above(uint64_t number);
/// Sets up an exchange whose first byte passes now, in used memory or, for NULL, in new; NULL if there is none.
wws_exchange *wws_exchange_start(wws_exchange *used, uint64_t now);
/// Measures bytes of a body.
void wws_exchange_add_out(wws_exchange *exchange, const uint8_t *bytes, size_t count, uint64_t now);
void wws_exchange_add_in(wws_exchange *exchange, const uint8_t *bytes, size_t count, uint64_t now);

/// Makes the stream's next frames those of that exchange. False if frames were lost.
bool wws_exchange_choose(wws_stream *stream, const wws_exchange *exchange);
/// Adds the frames that begin it: the request's headers follow. `number`: its stream of HTTP/2, or NULL.
void wws_exchange_announce(
    wws_stream *stream, const wws_carrier *carrier, wws_exchange *exchange, const wwt_stream_body *number,
    const char *url, size_t url_length, uint64_t now);
/// Adds what has passed of its bodies since the last report.
void wws_exchange_report_meters(wws_stream *stream, wws_exchange *exchange);
/// Why it was cut off, if the connection has ended, by that errno or for no error.
const char *wws_exchange_why_cut(const wws_exchange *exchange, int error);
/// How an exchange ends.
typedef struct wws_ending {
    enum wwt_end_how how;
    int error;        // errno; 0 for none
    const char *why;
    uint64_t unsent;  // bytes at the end of the response that were written and that the kernel never sent
} wws_ending;

/// Adds the frame of its end.
void wws_exchange_add_end(
    wws_stream *stream, wws_connection *connection, const wws_exchange *exchange, const wws_ending *ending);
/// Sends word that the rest of it, or of a transfer that was announced, will not come.
void wws_transfer_report_lost(uint64_t transfer);
void wws_exchange_report_lost(const wws_exchange *exchange);
/// The URL of the server by its address, for a request that does not name another.
size_t wws_write_server_url(const wws_stream *stream, const wws_ends *ends, char *url, size_t room);

#endif
