// The frames that the tap sends, in the format of the ring and the socket: little-endian numbers, one frame after the
// other. Both ends run on one machine and come from one build; if they do not, a reader sees it by `WWT_PROTOCOL`.
#ifndef WWT_FRAMES_H
#define WWT_FRAMES_H

#include <stdint.h>

// The tap writes these structures, and the reader reads them, as they are in memory. A tap for x86-64 and one for arm64
// write the same bytes.
#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the frames of the tap are little-endian; this processor is not"
#endif

#define WWT_PROTOCOL 13

/// Appended to the socket's path: a file with one 64-bit number, which counts the exchanges that programs lost because
/// no command listened when they ended.
#define WWT_LOSSES ".losses"

/// The size limit of a frame in bytes.
#define WWT_FRAME_MAX (1u << 20)

/// The size limit of a message on the socket, which has one or more whole frames. The texts of a frame are cut so that
/// it fits.
#define WWT_MESSAGE_MAX (128u << 10)

enum wwt_frame_kind {
    WWT_HELLO = 1,        // wwt_hello_body, then the program's path, then libcurl's version
    WWT_BEGIN = 2,        // wwt_begin_body: a transfer was handed to libcurl
    WWT_REQUEST = 3,      // wwt_request_body, then URL, remote address: start line and headers follow
    WWT_HEAD_OUT = 4,     // bytes of a request's start line and headers
    WWT_HEAD_IN = 5,      // bytes of responses' status lines and headers, line by line
    WWT_BODY_OUT = 6,     // wwt_body: what has passed of the request's body so far
    WWT_BODY_IN = 7,      // wwt_body: what has passed of the response's body so far
    WWT_CONTENT_OUT = 8,  // bytes of a request's body, when they are kept
    WWT_CONTENT_IN = 9,   // bytes of a response's body, when they are kept
    WWT_END = 10,         // wwt_end_body, then URL, remote address, error text, method: the transfer is over
    WWT_SOCKET_CLOSED = 11, // wwt_socket_body, then local and remote address, then perhaps a wwt_handshake_body
    WWT_LOST = 12,        // wwt_lost_body
    WWT_CONNECTION = 13,  // wwt_connection_body, then local and remote address, TLS version, cipher suite, ALPN protocol
    WWT_STREAM = 14,      // wwt_stream_body: the transfer's request is, or is about to be, that stream of HTTP/2
    WWT_HTTP2 = 15,       // wwt_http2_body, then wwt_http2_part: frames that have passed since; of no transfer
    WWT_FOREIGN = 20,     // what follows in the transfer is another protocol: after a 101, in a tunnel, after a redirect
    WWT_SOCKET_LEFT = 16, // like WWT_SOCKET_CLOSED, of an open socket: as the program ends, or during WebSocket
    WWT_UNSEEN = 21,      // wwt_unseen_body, then as WWT_SOCKET_CLOSED
    WWT_BLOCK = 23,       // wwt_block_body, then bytes of a header block of HTTP/2
    WWT_BEGIN_STREAM = 22, // like WWT_BEGIN: a request that was seen below the program's HTTP library
    WWT_TLS_BEGIN = 25,   // wwt_tls_begin_body, then local and remote address: TLS that no known library of the program makes
    WWT_TLS_BYTES = 26,   // wwt_tls_bytes_body, then bytes of that TLS as they are on the wire
    WWT_TLS_OVER = 27,    // wwt_tls_over_body: no more of them will come
    WWT_LOOKUP = 28,      // wwt_lookup_body, then the name: the C library has looked it up
    WWT_DNS = 29,    // wwt_dns_body, then the first bytes of a message of DNS
    WWT_UNMETERED = 24,   // wwt_unmetered_body, then a program's path: the first frame of a connection without a hello
};

typedef struct wwt_frame {
    uint32_t size; // of the whole frame, this header included
    uint32_t kind;
    uint64_t transfer;
    uint64_t monotonic; // nanoseconds of CLOCK_MONOTONIC
} wwt_frame;

/// Texts follow a body; each is a 32-bit length and its bytes.

typedef struct wwt_hello_body {
    uint32_t protocol;
    int32_t pid;
    int32_t parent;
    uint32_t has_libcurl;
    int64_t wall_minus_monotonic; // nanoseconds
    uint64_t network_namespace;   // the number of the namespace that the process is in; 0 if not known
} wwt_hello_body;

typedef struct wwt_begin_body {
    uint64_t handle; // distinguishes transfers of one handle from those of another
    uint64_t is_served; // the program receives the request and sends the response
} wwt_begin_body;

/// libcurl's clocks, in microseconds since the transfer began; -1 if it does not report one.
typedef struct wwt_times {
    int64_t queue;
    int64_t name_lookup;
    int64_t connect;
    int64_t app_connect;
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
    uint32_t has_digests; // if not, both digests are 0
    uint64_t first; // monotonic
    uint64_t last;
} wwt_body;

enum wwt_tcp_known {
    WWT_TCP_UNKNOWN = 0, // the kernel did not report
    WWT_TCP_OPEN = 1,
    WWT_TCP_OVER = 2, // the peer has reset it: nothing more will come
    WWT_TCP_ENDED = 3, // the peer has closed its side after sending everything (FIN)
    WWT_TCP_GONE = 4,  // both: what was not sent by now never will be
};

typedef struct wwt_tcp {
    uint32_t known;
    uint32_t round_trip; // microseconds
    uint64_t sent;     // payload without retransmissions
    uint64_t received; // payload that the program took: without the FIN and without unread bytes
    uint64_t retransmitted;
    uint32_t segments_sent; // with and without payload
    uint32_t segments_received;
} wwt_tcp;

/// The plaintext that passed through TLS. If that TLS goes through another, to a proxy, also the plaintext of the
/// other.
typedef struct wwt_plaintext {
    uint32_t known;
    uint32_t proxy_known;
    uint64_t sent;
    uint64_t received;
    uint64_t proxy_sent;
    uint64_t proxy_received;
} wwt_plaintext;

/// The bytes of a connection before its first message and before TLS.
typedef struct wwt_prelude {
    uint32_t socks_sent, socks_received; // the handshake with a SOCKS proxy
    uint32_t proxy_line;                 // the line of the PROXY protocol that was sent
    uint32_t begins_tls;                 // TLS follows, not a message
} wwt_prelude;

/// One direction of the bytes after a 101 that switches to WebSocket (RFC 6455, section 5.2).
typedef struct wwt_websocket_side {
    uint64_t overhead; // frame headers and masking keys
    uint64_t payload;
    uint64_t frames;
    uint64_t control_frames; // of them
    uint64_t messages;
} wwt_websocket_side;

typedef struct wwt_websocket {
    uint64_t known; // the 101 has come, and the tap saw what followed it
    wwt_websocket_side up, down;
} wwt_websocket;

typedef struct wwt_request_body {
    wwt_times times;
    int64_t connects;    // connections that the transfer has opened so far
    int64_t header_size; // bytes of all status lines and headers of responses so far, by libcurl's count
    uint32_t local_port;
    uint32_t remote_port;
    // What the connection had carried before; set if the previous response of this transfer showed no body.
    wwt_tcp tcp;
    wwt_plaintext plaintext;
} wwt_request_body;

enum wwt_end_how {
    WWT_END_DONE = 0,    // libcurl said so; `result` is its CURLcode
    WWT_END_REMOVED = 1, // the program took it back before it was done
    WWT_END_STOPPED = 2, // the tap stopped, or the process forked
    WWT_END_CUT = 3,     // the connection ended first; `result` is the errno, 0 for none
};

typedef struct wwt_end_body {
    wwt_times times;
    uint32_t how;
    int32_t result;
    int64_t header_size; // bytes of all status lines and headers of responses, by libcurl's count
    int64_t connects;
    uint32_t local_port;
    uint32_t remote_port;
    int32_t http_version; // CURL_HTTP_VERSION_…
    int32_t os_errno;
    wwt_tcp tcp;
    wwt_plaintext plaintext;
    // If it was removed: after how many milliseconds without progress the program would have done so; 0 if unknown.
    uint32_t patience;
    // If it was removed: libcurl was done with it by then, and named no error.
    uint32_t is_done;
    // How many bytes at the end of a response that the program has served the kernel did not send, and will not.
    uint64_t unsent;
} wwt_end_body;

typedef struct wwt_socket_body {
    uint32_t local_port;
    uint32_t remote_port;
    wwt_tcp tcp;
    wwt_plaintext plaintext;
    wwt_prelude prelude;
    wwt_websocket websocket;
    // Only of connections that are watched below the program's HTTP library.
    uint32_t lacks_tls;  // all bytes were seen, and no TLS began
    uint32_t is_foreign; // in a proxy's tunnel, another protocol than HTTP has passed
    uint32_t hides_messages; // in the tunnel of a proxy, TLS has begun whose session no known TLS library had
    uint32_t tls_number;     // of the TLS whose bytes were sent (WWT_TLS_BEGIN); 0 for none
    uint32_t tls_is_whole;   // all of them were
    uint32_t reserved;
} wwt_socket_body;

enum wwt_resumption {
    WWT_RESUMPTION_UNKNOWN = 0,
    WWT_NEW_SESSION = 1,
    WWT_RESUMED = 2,
};

/// What both ends have said in the clear as TLS began. The server's name, the protocols that the client offered as ALPN
/// has them on the wire, the one that the server chose and its certificate follow, each as a text.
typedef struct wwt_handshake_body {
    uint16_t version, cipher; // by the ServerHello; 0 if there was none
    uint32_t resumption;
    uint32_t chain_size;      // bytes of the message with the server's certificates; 0 if they were not in the clear
    uint32_t reserved;
} wwt_handshake_body;

/// Why the messages of a connection were not seen.
enum wwt_unseen_why {
    WWT_SEEN = 0,
    WWT_UNSEEN_TLS = 1,      // no known TLS library had the session
    WWT_UNSEEN_NOTHING = 2,  // nothing was sent inside of TLS
    WWT_UNSEEN_HTTP2 = 3,
    WWT_UNSEEN_BYPASSED = 4, // bytes passed in calls that are not hooked
    WWT_UNSEEN_TORN = 5,     // bytes passed that could not be followed
    WWT_UNSEEN_TAKEN_OVER = 6, // another process had used it before
};

/// The last count of a connection of which no exchange was reported.
typedef struct wwt_unseen_body {
    wwt_socket_body socket;
    uint32_t why;
    uint32_t uses_tls;
    uint32_t is_open; // as the program ends
    uint32_t is_served; // the program has accepted it
    uint64_t opened;  // monotonic, as what follows; 0 if it did not happen, or is not known
    uint64_t connected;
    uint64_t heard;   // the first bytes from the peer
    uint64_t lookup;  // nanoseconds that the lookup of the peer's name took; 0 if there was none
} wwt_unseen_body;

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

/// Sessions of libcurl have numbers below. Those from this one on number their frames, so that a lost one is missed.
#define WWT_FIRST_STREAM_SESSION (UINT64_C(1) << 62)

typedef struct wwt_http2_body {
    uint64_t session;
    uint32_t is_broken; // parts are missing
    uint32_t count;
    uint64_t sequence; // the number of this frame among those of the session, WWT_BLOCK included; 0 if it has none
} wwt_http2_body;

enum wwt_block_kind {
    WWT_BLOCK_HEADERS = 0,
    WWT_BLOCK_PROMISE = 1,    // of PUSH_PROMISE
    WWT_BLOCK_TABLE_SIZE = 2, // no block: this side allows the other one a table of that size (RFC 9113, section 6.5.2)
    WWT_BLOCK_LOST = 3,       // no block: this side's blocks cannot be decoded from now on
    WWT_BLOCK_OVER = 4,       // no block: the session has ended
};

/// Bytes of a header block (RFC 9113, section 4.3), compressed by HPACK: all blocks of a session come in order.
typedef struct wwt_block_body {
    uint64_t session;
    uint64_t sequence;
    uint32_t stream;
    uint32_t table_size;
    uint8_t kind;
    uint8_t is_down;
    uint8_t begins; // the block's first bytes are among them
    uint8_t ends;   // the block's last bytes are among them
    uint32_t reserved;
} wwt_block_body;

/// Bytes of one frame, or of several consecutive DATA frames of one stream. Parts add up.
typedef struct wwt_http2_part {
    uint32_t stream;
    uint8_t type; // RFC 9113, section 6; 0xFF for the preface
    uint8_t flags; // END_STREAM is set only in the part that has the last byte of its frame
    uint8_t is_down;
    uint8_t begins;    // the first bytes of a frame are among them
    uint32_t overhead; // frame headers, padding, priorities
    uint32_t reserved;
    uint64_t content; // bytes of the body, or of a compressed header section
} wwt_http2_part;

/// TLS of a connection that the program has opened, whose bytes the reader may decipher.
typedef struct wwt_tls_begin_body {
    uint32_t number; // of it in the process
    uint32_t local_port;
    uint32_t remote_port;
    uint16_t is_used;      // an exchange came before it: a CONNECT
    uint16_t is_tunnelled; // the connection's other end is a proxy's
    uint64_t opened, connected; // monotonic; 0 if not known
    uint64_t lookup;  // nanoseconds that the lookup of the peer's name took; 0 if there was none
    uint8_t random[32]; // of the ClientHello
} wwt_tls_begin_body;

typedef struct wwt_tls_bytes_body {
    uint32_t number;
    uint32_t is_down;
    uint64_t offset; // of the first byte among those of its direction
} wwt_tls_bytes_body;

typedef struct wwt_tls_over_body {
    uint32_t number;
    uint32_t is_known; // a known TLS library has the session after all: its plaintext is seen
} wwt_tls_over_body;

/// Why a started program is not metered.
enum wwt_unmetered_why {
    WWT_METERED = 0,               // takes the last report back: the program could not be started
    WWT_UNMETERED_STATIC = 1,
    WWT_UNMETERED_GO = 2,          // makes its system calls itself
    WWT_UNMETERED_SETUID = 3,
    WWT_UNMETERED_CAPABILITIES = 4,
    WWT_UNMETERED_PROCESSOR = 5,   // built for another one
    WWT_UNMETERED_LINKER = 6,      // not glibc's
    WWT_UNMETERED_ENVIRONMENT = 7, // does not name the tap
};

typedef struct wwt_unmetered_body {
    uint32_t protocol;
    uint32_t why;
} wwt_unmetered_body;

enum wwt_lookup_source {
    WWT_LOOKUP_ADDRESSES = 0, // getaddrinfo: the code is an EAI_…
    WWT_LOOKUP_HOST = 1,      // gethostbyname and its like: the code is an h_errno
};

#define WWT_MOST_ADDRESSES 8

/// What a lookup of the C library found.
typedef struct wwt_lookup_body {
    uint64_t began; // monotonic
    uint32_t source;
    int32_t code;   // 0: it found something
    uint32_t found; // different addresses
    uint32_t reserved;
    uint8_t addresses[WWT_MOST_ADDRESSES][16]; // the first of them; of IPv4 as in RFC 4291, section 2.5.5.2
} wwt_lookup_body;

enum wwt_dns_what {
    WWT_DNS_SENT = 0,
    WWT_DNS_RECEIVED = 1,
    WWT_DNS_FAILED = 2, // no message: `size` is the errno of a call
    WWT_DNS_OVER = 3,   // no message: the socket is closed
};

/// How many bytes of a message are sent along.
#define WWT_MOST_DNS (16u << 10)

/// A message between the program and the port for DNS of a resolver: a datagram, or a part of a connection.
typedef struct wwt_dns_body {
    uint64_t socket; // distinguishes the sockets of a process
    uint32_t what;
    uint32_t size;   // of the whole datagram; of a connection's message with the two bytes of its length
    uint8_t resolver[16]; // its address, as in wwt_lookup_body
} wwt_dns_body;

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
