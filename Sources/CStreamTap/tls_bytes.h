// Numbers and parts of the messages of a TLS handshake (RFC 8446, section 3); reading beyond the end fails.
#ifndef WWS_TLS_BYTES_H
#define WWS_TLS_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { WWS_CHANGE_CIPHER_SPEC = 20, WWS_HANDSHAKE = 22 }; // types of records
enum { WWS_PROTOCOLS = 16 };                              // the extension of ALPN (RFC 7301)

/// Bytes that are still to be read.
typedef struct wws_rest {
    const uint8_t *bytes;
    size_t count;
} wws_rest;

static inline bool wws_skip(wws_rest *rest, size_t count) {
    if (rest->count < count) return false;
    rest->bytes += count;
    rest->count -= count;
    return true;
}

static inline bool wws_number(wws_rest *rest, int size, size_t *value) {
    if (rest->count < (size_t)size) return false;
    *value = 0;
    for (int i = 0; i < size; i++) *value = *value << 8 | rest->bytes[i];
    return wws_skip(rest, (size_t)size);
}

/// A part that begins with its own length.
static inline bool wws_part(wws_rest *from, int size, wws_rest *part) {
    size_t length;
    if (!wws_number(from, size, &length) || from->count < length) return false;
    *part = (wws_rest){from->bytes, length};
    return wws_skip(from, length);
}

/// How many bytes of a name are kept: up to the first zero, and 255 at most.
static inline uint8_t wws_text_size(wws_rest name) {
    size_t most = name.count < UINT8_MAX ? name.count : UINT8_MAX;
    return most ? (uint8_t)strnlen((const char *)name.bytes, most) : 0;
}

#endif
