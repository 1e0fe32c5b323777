// Separates frames of WebSocket from their payload (RFC 6455, section 5.2), however the bytes of a direction are split.
#ifndef WW_WEBSOCKET_SCANNER_H
#define WW_WEBSOCKET_SCANNER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// RFC 6455, section 5.2
#define WW_WEBSOCKET_FIN 0x80
#define WW_WEBSOCKET_OPCODE 0x0F
#define WW_WEBSOCKET_CONTROL 0x08 // of the opcode
#define WW_WEBSOCKET_MASK 0x80
#define WW_WEBSOCKET_MOST_CONTROL 125

/// All zero at first. `overhead`, `payload` and `unseparated` add up to the bytes that the scanner has taken.
typedef struct ww_websocket_scanner {
    uint64_t left;        // bytes left of the frame's payload; while the header is read: its length so far
    uint64_t overhead;    // headers and masking keys
    uint64_t payload;     // data of applications and of control frames, as sent: masked, perhaps compressed
    uint64_t unseparated; // all bytes from the first one that does not start a valid frame
    uint64_t frames;         // whose header is complete
    uint64_t control_frames; // of them: close, ping and pong (section 5.5)
    uint64_t messages;       // whose last frame is complete (section 5.4)
    uint8_t first;        // the first byte of the frame
    uint8_t length;       // the seven bits of the second byte
    uint8_t header_count; // bytes of the header so far
    uint8_t header_size;  // known from the second byte on
    bool is_malformed;
} ww_websocket_scanner;

static inline void ww_websocket_refuse(ww_websocket_scanner *scanner) {
    scanner->is_malformed = true;
    scanner->overhead -= scanner->header_count;
    scanner->unseparated += scanner->header_count;
}

static inline void ww_websocket_end_frame(ww_websocket_scanner *scanner) {
    bool is_control = (scanner->first & WW_WEBSOCKET_CONTROL) != 0;
    if (!is_control && (scanner->first & WW_WEBSOCKET_FIN)) scanner->messages++;
    scanner->header_count = 0;
}

static inline void ww_websocket_header_byte(ww_websocket_scanner *scanner, uint8_t byte) {
    scanner->header_count++;
    scanner->overhead++;
    if (scanner->header_count == 1) {
        uint8_t opcode = byte & WW_WEBSOCKET_OPCODE;
        bool is_control = (opcode & WW_WEBSOCKET_CONTROL) != 0;
        // The three bits after FIN may be set by an extension, such as RFC 7692's compression (section 6).
        bool is_reserved = is_control ? opcode > 0xA : opcode > 0x2;
        scanner->first = byte;
        scanner->header_size = 2;
        scanner->left = 0;
        // Control frames are never fragmented (section 5.5).
        if (is_reserved || (is_control && !(byte & WW_WEBSOCKET_FIN))) ww_websocket_refuse(scanner);
        return;
    }
    if (scanner->header_count == 2) {
        scanner->length = byte & 0x7F;
        if ((scanner->first & WW_WEBSOCKET_CONTROL) && scanner->length > WW_WEBSOCKET_MOST_CONTROL) {
            ww_websocket_refuse(scanner);
            return;
        }
        scanner->header_size += scanner->length == 127 ? 8 : scanner->length == 126 ? 2 : 0;
        scanner->header_size += byte & WW_WEBSOCKET_MASK ? 4 : 0;
        if (scanner->length < 126) scanner->left = scanner->length;
    } else if (scanner->length >= 126 && scanner->header_count <= (scanner->length == 127 ? 10 : 4)) {
        // The most significant bit of a 64-bit length must be 0.
        if (scanner->header_count == 3 && scanner->length == 127 && (byte & 0x80)) {
            ww_websocket_refuse(scanner);
            return;
        }
        scanner->left = scanner->left << 8 | byte;
    }
    if (scanner->header_count < scanner->header_size) return;
    scanner->frames++;
    if (scanner->first & WW_WEBSOCKET_CONTROL) scanner->control_frames++;
    if (scanner->left == 0) ww_websocket_end_frame(scanner);
}

/// Takes the next bytes.
static inline void ww_websocket_add(ww_websocket_scanner *scanner, const uint8_t *bytes, size_t count) {
    while (count) {
        if (scanner->is_malformed) {
            scanner->unseparated += count;
            return;
        }
        if (scanner->header_count < 2 || scanner->header_count < scanner->header_size) {
            ww_websocket_header_byte(scanner, *bytes++);
            count--;
            continue;
        }
        size_t run = count < scanner->left ? count : (size_t)scanner->left;
        scanner->payload += run;
        scanner->left -= run;
        bytes += run;
        count -= run;
        if (scanner->left == 0) ww_websocket_end_frame(scanner);
    }
}

#endif
