// What the tap tells, as it stands in the ring and on the socket: frames of little-endian numbers, one after the other.
// Both ends run on one machine and come from one build; `WWT_PROTOCOL` tells a reader when they do not.
#ifndef WWT_FRAMES_H
#define WWT_FRAMES_H

#include <stdint.h>

#define WWT_PROTOCOL 5

/// Behind the socket's path: a file of one 64-bit number, how many exchanges programs took with them because nobody
/// listened at their end.
#define WWT_LOSSES ".losses"

/// No frame is larger.
#define WWT_FRAME_MAX (1u << 20)

enum wwt_frame_kind {
    WWT_HELLO = 1,        // wwt_hello_body, then the program's path, then libcurl's version
    WWT_BEGIN = 2,        // wwt_begin_body: a transfer was handed to libcurl
    WWT_REQUEST = 3,      // wwt_request_body, then URL, remote address: a head is about to follow
    WWT_HEAD_OUT = 4,     // bytes of a request's head
    WWT_HEAD_IN = 5,      // bytes of responses' heads, line by line
    WWT_BODY_OUT = 6,     // wwt_body: the request's body so far
    WWT_BODY_IN = 7,      // wwt_body: the response's body so far
    WWT_CONTENT_OUT = 8,  // bytes of a request's body, when they are kept
    WWT_CONTENT_IN = 9,   // bytes of a response's body, when they are kept
    WWT_END = 10,         // wwt_end_body, then URL, remote address, error text, method: the transfer is over
    WWT_SOCKET_CLOSED = 11, // wwt_socket_body, then local and remote address
    WWT_LOST = 12,        // wwt_lost_body
    WWT_CONNECTION = 13,  // wwt_connection_body, then local and remote address, TLS version, cipher suite, ALPN protocol
    WWT_STREAM = 14,      // wwt_stream_body: the transfer's request is, or is about to be, that stream of HTTP/2
    WWT_HTTP2 = 15,       // wwt_http2_body, then wwt_http2_part: frames that passed since; of no transfer
    WWT_FOREIGN = 20,     // what follows in the transfer is another protocol: behind a 101, in a tunnel, by a redirect
    WWT_SOCKET_LEFT = 16, // like WWT_SOCKET_CLOSED, of one that is open: as the program ends, or while WebSocket goes over it
};

typedef struct wwt_frame {
    uint32_t size; // of the whole frame, this header included
    uint32_t kind;
    uint64_t transfer;
    uint64_t monotonic; // nanoseconds of CLOCK_MONOTONIC
} wwt_frame;

/// Texts behind a body: for each a 32-bit length and its bytes.

typedef struct wwt_hello_body {
    uint32_t protocol;
    int32_t pid;
    int32_t parent;
    uint32_t has_libcurl;
    int64_t wall_minus_monotonic; // nanoseconds
    uint64_t network_namespace;   // the number of the one that it is in; 0 where that is not known
} wwt_hello_body;

typedef struct wwt_begin_body {
    uint64_t handle; // tells transfers of one handle from those of another
} wwt_begin_body;

/// libcurl's clocks, in microseconds since the transfer began; -1 where it does not tell.
typedef struct wwt_times {
    int64_t queue;
    int64_t name_lookup;
    int64_t connect;
    int64_t app_connect;
    int64_t pre_transfer;
    int64_t start_transfer;
    int64_t total;
    int64_t redirect;
} wwt_times;

typedef struct wwt_body {
    uint64_t bytes;
    uint64_t digest;
    uint64_t chunk_content;
    uint64_t chunk_framing;
    uint64_t chunk_digest;
    uint8_t tail[4];
    uint8_t chunk_tail[4];
    uint32_t chunk_state;
    uint32_t reserved;
    uint64_t first; // monotonic
    uint64_t last;
} wwt_body;

enum wwt_tcp_known {
    WWT_TCP_UNKNOWN = 0, // the kernel did not tell
    WWT_TCP_OPEN = 1,
    WWT_TCP_OVER = 2, // the peer has reset it: nothing more will come
    WWT_TCP_ENDED = 3, // the peer has ended it, as one that has sent all does
};

typedef struct wwt_tcp {
    uint32_t known;
    uint32_t round_trip; // microseconds
    uint64_t sent;     // payload, retransmissions taken out
    uint64_t received; // payload that the program took: the FIN and what lies unread taken out
    uint64_t retransmitted;
    uint32_t segments_sent; // with and without payload
    uint32_t segments_received;
} wwt_tcp;

/// What passed through TLS in the clear. Where that TLS goes through another, to a proxy, that of the other, too.
typedef struct wwt_plaintext {
    uint32_t known;
    uint32_t proxy_known;
    uint64_t sent;
    uint64_t received;
    uint64_t proxy_sent;
    uint64_t proxy_received;
} wwt_plaintext;

/// What went over a connection before its first message, and before TLS.
typedef struct wwt_prelude {
    uint32_t socks_sent, socks_received; // the handshake with a SOCKS proxy
    uint32_t proxy_line;                 // the line of the PROXY protocol, sent
    uint32_t begins_tls;                 // TLS follows, and no message
} wwt_prelude;

/// One direction of what followed a 101 that switches to WebSocket (RFC 6455, section 5.2).
typedef struct wwt_websocket_side {
    uint64_t overhead; // frame headers and masking keys
    uint64_t payload;
    uint64_t frames;
    uint64_t control_frames; // of them
    uint64_t messages;
} wwt_websocket_side;

typedef struct wwt_websocket {
    uint64_t known; // the 101 has come, and what follows it was seen
    wwt_websocket_side up, down;
} wwt_websocket;

typedef struct wwt_request_body {
    wwt_times times;
    int64_t connects;    // connections that the transfer has opened so far
    int64_t header_size; // bytes of all response heads so far, by libcurl's count
    uint32_t local_port;
    uint32_t remote_port;
    // What its connection had carried before, where the response before it in this transfer has shown no body.
    wwt_tcp tcp;
    wwt_plaintext plaintext;
} wwt_request_body;

enum wwt_end_how {
    WWT_END_DONE = 0,    // libcurl said so; `result` is its CURLcode
    WWT_END_REMOVED = 1, // the program took it back before
    WWT_END_STOPPED = 2, // the tap stopped, or the process forked
};

typedef struct wwt_end_body {
    wwt_times times;
    uint32_t how;
    int32_t result;
    int64_t header_size; // bytes of all response heads, by libcurl's count
    int64_t connects;
    uint32_t local_port;
    uint32_t remote_port;
    int32_t http_version; // CURL_HTTP_VERSION_…
    int32_t os_errno;
    wwt_tcp tcp;
    wwt_plaintext plaintext;
    // Of one that was removed: after how many milliseconds without progress the program would have; 0 where unknown.
    uint32_t patience;
    // Of one that was removed: libcurl was done with it by then, and named no error.
    uint32_t is_done;
} wwt_end_body;

typedef struct wwt_socket_body {
    uint32_t local_port;
    uint32_t remote_port;
    wwt_tcp tcp;
    wwt_plaintext plaintext;
    wwt_prelude prelude;
    wwt_websocket websocket;
} wwt_socket_body;

typedef struct wwt_connection_body {
    uint32_t local_port;
    uint32_t remote_port;
    uint32_t uses_tls;
    uint32_t reserved;
    wwt_tcp tcp;
    wwt_plaintext plaintext;
    wwt_prelude prelude;
} wwt_connection_body;

typedef struct wwt_stream_body {
    uint64_t session;
    uint32_t stream;
    uint32_t reserved;
} wwt_stream_body;

typedef struct wwt_http2_body {
    uint64_t session;
    uint32_t is_broken; // parts are missing
    uint32_t count;
} wwt_http2_body;

/// Bytes of one frame, or of several that carry data of one stream. They add up.
typedef struct wwt_http2_part {
    uint32_t stream;
    uint8_t type; // RFC 9113, section 6; 0xFF for the preface
    uint8_t flags; // that of the stream's end only with the last byte of its frame
    uint8_t is_down;
    uint8_t begins;    // the begin of a frame is among them
    uint32_t overhead; // frame headers, padding, priorities
    uint32_t reserved;
    uint64_t content; // of the body, or of a compressed header section
} wwt_http2_part;

enum wwt_lost_why {
    WWT_LOST_BUFFER_FULL = 0,
    WWT_LOST_UNTAPPED = 1,
};

typedef struct wwt_lost_body {
    uint64_t count;
    uint32_t why;
    uint32_t reserved;
} wwt_lost_body;

#endif
