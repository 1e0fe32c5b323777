// Separates the frames of HTTP/2 (RFC 9113, section 4), however their bytes are split.
#ifndef WW_HTTP2_SCANNER_H
#define WW_HTTP2_SCANNER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// RFC 9113, section 6
enum ww_http2_type {
    WW_HTTP2_DATA = 0,
    WW_HTTP2_HEADERS = 1,
    WW_HTTP2_PRIORITY = 2,
    WW_HTTP2_RST_STREAM = 3,
    WW_HTTP2_SETTINGS = 4,
    WW_HTTP2_PUSH_PROMISE = 5,
    WW_HTTP2_PING = 6,
    WW_HTTP2_GOAWAY = 7,
    WW_HTTP2_WINDOW_UPDATE = 8,
    WW_HTTP2_CONTINUATION = 9,
    WW_HTTP2_PREFACE = 0xFF, // not a frame: what a client sends first (section 3.4)
};

#define WW_HTTP2_PREFACE_SIZE 24
#define WW_HTTP2_HEADER_SIZE 9
#define WW_HTTP2_END_STREAM 0x01 // of DATA and HEADERS
#define WW_HTTP2_ACK 0x01        // of SETTINGS
#define WW_HTTP2_END_HEADERS 0x04
#define WW_HTTP2_PADDED 0x08
#define WW_HTTP2_PRIORITIZED 0x20

typedef struct ww_http2_scanner {
    uint32_t stream;
    uint32_t left;     // bytes left of the frame's payload
    uint32_t lead;     // bytes of `left` before the content, without the length of the padding
    uint32_t padding;  // bytes of `left` after the content
    uint8_t header[WW_HTTP2_HEADER_SIZE];
    uint8_t header_count;
    uint8_t preface_left;
    uint8_t type;
    uint8_t flags;
    uint8_t awaits_padding; // the length of the padding is the next byte
} ww_http2_scanner;

/// Bytes that belong to one frame.
typedef struct ww_http2_piece {
    uint32_t stream;
    uint8_t type;
    uint8_t flags;
    uint8_t begins;    // the frame's header is among them
    uint8_t ends;      // the frame's last byte is among them
    uint32_t overhead; // the frame's header, padding, priority; the whole frame if its type has neither fields nor content
    uint64_t content;  // of the body, or of a compressed header section
    size_t payload;    // where the payload begins among the bytes, after the padding's length and the lead
} ww_http2_piece;

static inline void ww_http2_begin(ww_http2_scanner *scanner, bool is_client) {
    memset(scanner, 0, sizeof *scanner);
    scanner->preface_left = is_client ? WW_HTTP2_PREFACE_SIZE : 0;
}

static inline void ww_http2_read_header(ww_http2_scanner *scanner) {
    const uint8_t *header = scanner->header;
    scanner->left = (uint32_t)header[0] << 16 | (uint32_t)header[1] << 8 | header[2];
    scanner->type = header[3];
    scanner->flags = header[4];
    scanner->stream = (uint32_t)(header[5] & 0x7F) << 24 | (uint32_t)header[6] << 16 | (uint32_t)header[7] << 8 | header[8];
    scanner->lead = scanner->padding = 0;
    scanner->awaits_padding = 0;
    switch (scanner->type) {
    case WW_HTTP2_HEADERS:
        if (scanner->flags & WW_HTTP2_PRIORITIZED) scanner->lead = 5;
        break;
    case WW_HTTP2_PUSH_PROMISE: scanner->lead = 4; break;
    case WW_HTTP2_DATA: break;
    default: return;
    }
    scanner->awaits_padding = (scanner->flags & WW_HTTP2_PADDED) != 0;
}

static inline bool ww_http2_has_content(uint8_t type) {
    return type == WW_HTTP2_DATA || type == WW_HTTP2_HEADERS || type == WW_HTTP2_PUSH_PROMISE
        || type == WW_HTTP2_CONTINUATION;
}

static inline uint32_t ww_http2_least(uint32_t a, uint32_t b) { return a < b ? a : b; }

/// Takes bytes up to the end of a frame, and returns their number; `piece` says what they are. All bytes of a frame's
/// header are reported once the last of them has come; until then the piece is empty.
static inline size_t ww_http2_scan(ww_http2_scanner *scanner, const uint8_t *bytes, size_t count, ww_http2_piece *piece) {
    memset(piece, 0, sizeof *piece);
    if (scanner->preface_left) {
        size_t taken = count < scanner->preface_left ? count : scanner->preface_left;
        piece->type = WW_HTTP2_PREFACE;
        piece->begins = scanner->preface_left == WW_HTTP2_PREFACE_SIZE;
        scanner->preface_left -= (uint8_t)taken;
        piece->ends = scanner->preface_left == 0;
        piece->overhead = (uint32_t)taken;
        return taken;
    }
    size_t at = 0;
    if (scanner->header_count < WW_HTTP2_HEADER_SIZE) {
        while (at < count && scanner->header_count < WW_HTTP2_HEADER_SIZE) {
            scanner->header[scanner->header_count++] = bytes[at++];
        }
        if (scanner->header_count < WW_HTTP2_HEADER_SIZE) return at;
        ww_http2_read_header(scanner);
        piece->begins = 1;
        piece->overhead = WW_HTTP2_HEADER_SIZE;
    }
    piece->stream = scanner->stream;
    piece->type = scanner->type;
    piece->flags = scanner->flags;
    if (scanner->awaits_padding && scanner->left && at < count) {
        scanner->padding = bytes[at++];
        scanner->left--;
        scanner->awaits_padding = 0;
        piece->overhead++;
    }
    piece->payload = at;
    if (!scanner->awaits_padding || !scanner->left) {
        uint32_t here = count - at < scanner->left ? (uint32_t)(count - at) : scanner->left;
        uint32_t lead = ww_http2_least(here, scanner->lead);
        uint32_t behind = scanner->left - lead; // the bytes after the lead, including padding
        uint32_t content = behind > scanner->padding && ww_http2_has_content(scanner->type) ? behind - scanner->padding : 0;
        content = ww_http2_least(here - lead, content);
        scanner->lead -= lead;
        scanner->left -= here;
        piece->payload = at + lead;
        piece->content = content;
        piece->overhead += here - content;
        at += here;
    }
    if (scanner->left == 0) {
        piece->ends = 1;
        scanner->header_count = 0;
    }
    return at;
}

#endif
