// How the scanner of connections reads header sections of HTTP/1. Not part of the module.
#ifndef WW_HTTP1_HEAD_H
#define WW_HTTP1_HEAD_H

#include "http1_scanner.h"

enum state {
    START = 0, // before the first byte of a message
    LINE,      // in the start line
    FIELD_START,
    FIELD_NAME,
    FIELD_VALUE,
    FIELD_REST, // the rest of a field line that does not affect the body
    LENGTH,
    CHUNKED,
    UNTIL_CLOSE,
    AWAITING, // after a CONNECT, before its response
    LOST,     // message boundaries are not known any more
    UPGRADED,
    HTTP2,
    FOREIGN,
};

// METHOD and TARGET are parts of a request line, the others of a status line.
enum phase { METHOD = 0, TARGET, VERSION, SPACES, DIGITS, REASON };

enum method { ANY_METHOD = 0, HEAD_METHOD, CONNECT_METHOD, SIMPLE_GET };

enum field { NO_FIELD = 0, CONTENT_LENGTH, TRANSFER_ENCODING, UPGRADE, EXPECT };

enum length_flag {
    HAS_LENGTH = 1,
    BAD_LENGTH = 2, // values that differ, or a value that is not a number
    HAS_DIGITS = 4,
    AFTER_DIGITS = 8,
    BAD_ELEMENT = 16,
};

enum coding_flag {
    HAS_CODING = 1,
    ENDS_CHUNKED = 2, // the last coding that has come is chunked
    AFTER_NAME = 4,
    OTHER_NAME = 8, // the name is longer than all that matter
    IN_PARAMETER = 16,
};

// Why the reading of a header section stopped.
enum result { GOES_ON, ENDS_HEAD, ENDS_SIMPLE, BREAKS };

static inline bool is_head(uint8_t state) { return state >= LINE && state <= FIELD_REST; }

// A run of pending requests of one kind: its method in the lowest bits, and in the others how many there are beyond one.
enum { METHOD_BITS = 2, MOST_IN_RUN = 1 << (8 - METHOD_BITS) };

static inline uint8_t *ww_http1_run(ww_http1_connection *connection, unsigned index) {
    return &connection->runs[(connection->oldest + index) % WW_HTTP1_MOST_RUNS];
}

// The method of the oldest request without a response.
static inline uint8_t ww_http1_oldest_method(ww_http1_connection *connection) {
    return connection->run_count ? *ww_http1_run(connection, 0) & ((1 << METHOD_BITS) - 1) : connection->newest;
}

/// Starts a header section, in that phase of its start line.
void ww_http1_begin_head(ww_http1_side *side, uint8_t phase);

/// Takes bytes of a header section, and returns their number; `result` says why it stopped.
size_t ww_http1_head_bytes(
    ww_http1_connection *connection, ww_http1_side *side, const uint8_t *bytes, size_t count, enum result *result);

#endif
