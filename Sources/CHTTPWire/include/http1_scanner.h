// Splits the bytes of one connection of HTTP/1 into messages, and each message into header section, content and framing
// (RFC 9112), however the bytes are split. It allocates nothing, and keeps only a few counters of what passes.
#ifndef WW_HTTP1_SCANNER_H
#define WW_HTTP1_SCANNER_H

#include "chunk_scanner.h"

/// What bytes of a connection belong to.
enum ww_http1_kind {
    WW_HTTP1_HELD = 0, // held back: only the bytes after them show what they are
    WW_HTTP1_HEAD,     // start line, field lines and empty line
    WW_HTTP1_CONTENT,
    WW_HTTP1_FRAMING,  // of a chunked body, including trailers (RFC 9112, section 7.1)
    WW_HTTP1_UPGRADED, // of the protocol that follows a 101 (RFC 9110, section 7.8) or a CONNECT (section 9.3.6)
    WW_HTTP1_SURPLUS,  // after the end of a message, and part of no message
    WW_HTTP1_HTTP2,    // from the client's preface on, or after a 101 to h2c (RFC 9113, section 3)
    WW_HTTP1_FOREIGN,  // the connection carries no HTTP
};

#define WW_HTTP1_MOST_PENDING 4096           // requests without a response; what a client sends beyond them is SURPLUS
#define WW_HTTP1_MOST_RUNS 128               // the same for their runs, each of up to 64 requests of one kind
#define WW_HTTP1_MOST_LINE (64 * 1024)       // bytes of a line, including its end
#define WW_HTTP1_MOST_HEAD (1024 * 1024)     // bytes of a header section; what follows a longer one is SURPLUS
#define WW_HTTP1_MOST_METHOD 64
#define WW_HTTP1_MOST_HELD 24                // bytes of the client's preface of HTTP/2
#define WW_HTTP1_MOST_TOKEN 32               // bytes of Upgrade's value; a longer token is cut

/// Bytes of one kind.
typedef struct ww_http1_piece {
    uint8_t kind;
    uint8_t held;      // the number of bytes that were HELD before and belong to it, too; `held_bytes` of the side has them
    uint8_t begins;    // the first byte of a header section, or of HTTP/0.9's bare content, is among them
    uint8_t ends_head; // the last byte of a header section is among them
    uint8_t ends;      // the last byte of a message is among them, or the end of the connection ended the message
    uint8_t is_refused; // the response that ends here has kept the request's content from being sent
    uint8_t is_cut;    // the connection ended within a message
    uint16_t status;   // of a response's header section that ends here; 0 if the line has none
    uint32_t undone;   // the number of bytes reported as HEAD before that are of this kind: the line was not a request's
} ww_http1_piece;

/// One direction.
typedef struct ww_http1_side {
    uint64_t left; // of content whose length is known
    uint64_t length;
    uint64_t element; // of Content-Length: the value that is being read
    uint64_t tail;    // the last eight bytes of a request line
    ww_chunk_scanner chunks;
    uint32_t head_count; // bytes of the header section so far
    uint32_t line_count;
    uint16_t status;
    uint8_t state;
    uint8_t phase; // of a start line
    uint8_t held;
    uint8_t has_spoken;    // a message, or bytes in place of one, has come before
    uint8_t field;         // the field whose value is being read
    uint8_t has_field;     // a field line has come that a folded line can continue
    uint8_t before_tail;   // the byte before the last eight of a request line
    uint8_t after_cr;
    uint8_t word_count;    // of a method, a field's name, or a transfer coding
    uint8_t target_first;
    uint8_t length_flags;
    uint8_t coding_flags;
    uint8_t upgrade_count;
    uint8_t upgrade_done;
    uint8_t expects;       // the client may wait for a 100 before it sends the content
    uint8_t word[20];
    uint8_t held_bytes[WW_HTTP1_MOST_HELD];
    char upgrade[WW_HTTP1_MOST_TOKEN];
} ww_http1_side;

/// Both directions of a connection.
typedef struct ww_http1_connection {
    ww_http1_side request;
    ww_http1_side response;
    uint32_t pending; // requests that have begun and have no final response yet
    uint16_t oldest, run_count; // of `runs`
    uint8_t newest; // the kind of the newest pending request, which is in no run yet
    uint8_t has_request; // the whole header section of a request has come
    uint8_t has_offered; // the newest request names another protocol
    uint8_t switched; // the kind of what follows the messages: UPGRADED, HTTP2 or 0
    uint8_t is_foreign;
    uint8_t is_full;  // a request came when too many were pending
    uint8_t runs[WW_HTTP1_MOST_RUNS]; // of the other ones; their methods only as far as they decide how a response ends
    char upgrade[WW_HTTP1_MOST_TOKEN]; // the protocol after the switch, whose bytes are UPGRADED; empty for a tunnel
} ww_http1_connection;

void ww_http1_begin(ww_http1_connection *connection);

/// Takes bytes of one kind and returns their number; `piece` says what they are. Takes at least one byte if there is
/// any.
///
/// Pass a request's bytes before those of its response: a response without a request is SURPLUS.
size_t ww_http1_scan(
    ww_http1_connection *connection, bool is_response, const uint8_t *bytes, size_t count, ww_http1_piece *piece);

/// Call when that direction is closed. `piece` says what held bytes are, and whether a message ends here or is cut.
void ww_http1_end(ww_http1_connection *connection, bool is_response, ww_http1_piece *piece);

#endif
