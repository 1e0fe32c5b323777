// Finds where HTTP/1.1 ends and WebSocket starts: the end of a 101 that switches to it (RFC 9110, section 15.2.2; RFC
// 6455, section 4.2.2), however the server's bytes are split. Other interim responses may come before it.
#ifndef WW_UPGRADE_SCANNER_H
#define WW_UPGRADE_SCANNER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum ww_upgrade_state {
    WW_UPGRADE_STATUS = 0, // in a status line
    WW_UPGRADE_FIELD = 1,  // in a field line, or in the empty line
    WW_UPGRADE_DONE = 2,   // the 101 has ended: WebSocket follows
    WW_UPGRADE_OTHER = 3,  // something else has come, and WebSocket will not follow
};

typedef struct ww_upgrade_scanner {
    uint8_t state;
    uint8_t at;      // the place in the line; it stops at 255
    uint16_t status;
    uint8_t name;    // how many bytes of `upgrade:` the line starts with
    uint8_t value;   // how many bytes of `websocket` have just passed after it
    bool is_websocket;
} ww_upgrade_scanner;

static inline uint8_t ww_lower(uint8_t byte) { return byte >= 'A' && byte <= 'Z' ? byte | 0x20 : byte; }

/// Takes one byte of a status line (RFC 9112, section 4); false if it cannot be one.
static inline bool ww_upgrade_status_byte(ww_upgrade_scanner *scanner, uint8_t byte) {
    static const char version[] = "HTTP/1.";
    uint8_t at = scanner->at;
    bool is_digit = byte >= '0' && byte <= '9';
    if (at < 7) return byte == (uint8_t)version[at];
    if (at == 7) return is_digit;
    if (at == 8) return byte == ' ';
    if (at == 12) return byte == ' ';
    if (at < 12) scanner->status = (uint16_t)(scanner->status * 10 + (byte - '0'));
    return at > 12 || is_digit;
}

static inline void ww_upgrade_field_byte(ww_upgrade_scanner *scanner, uint8_t byte) {
    static const char name[] = "upgrade:", value[] = "websocket";
    uint8_t lower = ww_lower(byte);
    if (scanner->name == scanner->at && scanner->at < 8) {
        scanner->name += lower == (uint8_t)name[scanner->at];
    } else if (scanner->name == 8) {
        bool goes_on = lower == (uint8_t)value[scanner->value];
        scanner->value = goes_on ? scanner->value + 1 : lower == (uint8_t)value[0];
        if (scanner->value < sizeof value - 1) return;
        scanner->is_websocket = true;
        scanner->value = 0;
    }
}

static inline void ww_upgrade_end_line(ww_upgrade_scanner *scanner) {
    bool is_empty = scanner->state == WW_UPGRADE_FIELD && scanner->at == 0;
    if (scanner->state == WW_UPGRADE_STATUS) {
        bool is_interim = scanner->at >= 12 && scanner->status / 100 == 1;
        scanner->state = is_interim ? WW_UPGRADE_FIELD : WW_UPGRADE_OTHER;
        scanner->is_websocket = false;
    } else if (is_empty && scanner->status == 101) {
        scanner->state = scanner->is_websocket ? WW_UPGRADE_DONE : WW_UPGRADE_OTHER;
    } else if (is_empty) {
        scanner->state = WW_UPGRADE_STATUS;
        scanner->status = 0;
    }
    scanner->at = scanner->name = scanner->value = 0;
}

/// Takes bytes up to the end of the 101, and returns their number: all of them unless that end is among them.
static inline size_t ww_upgrade_scan(ww_upgrade_scanner *scanner, const uint8_t *bytes, size_t count) {
    size_t taken = 0;
    while (taken < count && scanner->state < WW_UPGRADE_DONE) {
        uint8_t byte = bytes[taken++];
        if (byte == '\n') {
            ww_upgrade_end_line(scanner);
            continue;
        }
        // In a status line or headers, CR comes only before a line feed (RFC 9112, section 2.2).
        if (byte == '\r') continue;
        if (scanner->state == WW_UPGRADE_STATUS) {
            if (!ww_upgrade_status_byte(scanner, byte)) scanner->state = WW_UPGRADE_OTHER;
        } else {
            ww_upgrade_field_byte(scanner, byte);
        }
        if (scanner->at < UINT8_MAX) scanner->at++;
    }
    return scanner->state == WW_UPGRADE_OTHER ? count : taken;
}

#endif
