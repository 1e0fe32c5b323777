// Separates content from framing in a chunked body (RFC 9112, section 7.1), however its bytes are split.
#ifndef WW_CHUNK_SCANNER_H
#define WW_CHUNK_SCANNER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum ww_chunk_state {
    WW_CHUNK_SIZE = 0,      // at the first digit of a chunk size
    WW_CHUNK_SIZE_MORE = 1, // after at least one digit
    WW_CHUNK_EXTENSION = 2, // after the size, up to the line feed
    WW_CHUNK_DATA = 3,
    WW_CHUNK_DATA_END = 4,  // the line end after the data
    WW_CHUNK_TRAILER = 5,   // at the first byte of a trailer line
    WW_CHUNK_TRAILER_LINE = 6,
    WW_CHUNK_DONE = 7,      // after the empty line that ends the body
    WW_CHUNK_BROKEN = 8,    // these bytes are not a chunked body
    WW_CHUNK_REMOVED = 9,   // set by who knows that the framing was removed before: these bytes are content
};

typedef struct ww_chunk_scanner {
    uint64_t remaining; // of the chunk's data; while the size is read: the size so far
    uint64_t content;
    uint64_t framing; // includes bytes after the end and bytes that break the rules
    uint8_t state;
    uint8_t after_cr; // in a trailer: the line so far is a lone CR
} ww_chunk_scanner;

static inline int ww_hex_value(uint8_t byte) {
    if (byte >= '0' && byte <= '9') return byte - '0';
    if ((byte | 0x20) >= 'a' && (byte | 0x20) <= 'f') return (byte | 0x20) - 'a' + 10;
    return -1;
}

/// Takes one byte of framing.
static inline void ww_chunk_framing_byte(ww_chunk_scanner *scanner, uint8_t byte) {
    scanner->framing++;
    switch (scanner->state) {
    case WW_CHUNK_SIZE:
    case WW_CHUNK_SIZE_MORE: {
        int digit = ww_hex_value(byte);
        if (digit >= 0) {
            // A size that does not fit into 64 bits is invalid; libcurl rejects it, too.
            if (scanner->remaining >> 60) {
                scanner->state = WW_CHUNK_BROKEN;
                return;
            }
            scanner->remaining = scanner->remaining << 4 | (uint64_t)digit;
            scanner->state = WW_CHUNK_SIZE_MORE;
            return;
        }
        if (scanner->state == WW_CHUNK_SIZE) {
            scanner->state = WW_CHUNK_BROKEN;
            return;
        }
        scanner->state = WW_CHUNK_EXTENSION;
    }
    // fall through: this byte may already be the line feed
    case WW_CHUNK_EXTENSION:
        if (byte != '\n') return;
        scanner->state = scanner->remaining ? WW_CHUNK_DATA : WW_CHUNK_TRAILER;
        scanner->after_cr = 0;
        return;
    case WW_CHUNK_DATA_END:
        if (byte == '\r') return;
        scanner->state = byte == '\n' ? WW_CHUNK_SIZE : WW_CHUNK_BROKEN;
        return;
    case WW_CHUNK_TRAILER:
        if (byte == '\n') {
            scanner->state = WW_CHUNK_DONE;
        } else if (byte == '\r' && !scanner->after_cr) {
            scanner->after_cr = 1;
        } else {
            scanner->state = WW_CHUNK_TRAILER_LINE;
        }
        return;
    case WW_CHUNK_TRAILER_LINE:
        if (byte == '\n') {
            scanner->state = WW_CHUNK_TRAILER;
            scanner->after_cr = 0;
        }
        return;
    default: return;
    }
}

/// Takes the longest run of bytes of one sort, and returns its length; `*is_content` is set to the sort.
static inline size_t ww_chunk_scan(ww_chunk_scanner *scanner, const uint8_t *bytes, size_t count, bool *is_content) {
    if (count == 0) return 0;
    if (scanner->state == WW_CHUNK_REMOVED) {
        scanner->content += count;
        *is_content = true;
        return count;
    }
    if (scanner->state == WW_CHUNK_DATA) {
        size_t run = count < scanner->remaining ? count : (size_t)scanner->remaining;
        scanner->content += run;
        scanner->remaining -= run;
        if (scanner->remaining == 0) scanner->state = WW_CHUNK_DATA_END;
        *is_content = true;
        return run;
    }
    *is_content = false;
    if (scanner->state >= WW_CHUNK_DONE) {
        scanner->framing += count;
        return count;
    }
    size_t run = 0;
    while (run < count && scanner->state != WW_CHUNK_DATA && scanner->state < WW_CHUNK_DONE) {
        ww_chunk_framing_byte(scanner, bytes[run]);
        run++;
    }
    return run;
}

#endif
