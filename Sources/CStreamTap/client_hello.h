// Reads the ClientHello with which TLS begins (RFC 8446, section 4.1.2), however it is split.
#ifndef WWS_CLIENT_HELLO_H
#define WWS_CLIENT_HELLO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Bytes of a ClientHello; of a longer one only the random is read.
#define WWS_MOST_HELLO 8192

typedef struct wws_client_hello {
    uint8_t random[32];
    bool has_random;
    bool is_over;           // nothing more of it is read
    uint8_t name_size;      // of the server's name; 0 if it has none (RFC 6066, section 3)
    uint8_t protocols_size; // of those that it offers, each with its length before it (RFC 7301, section 3.1); 0 if none
    uint8_t record_count;   // of the bytes in `record`
    uint8_t record[5];      // the header of the record that is being read
    uint16_t record_left;
    uint16_t count;
    uint8_t bytes[WWS_MOST_HELLO]; // of the handshake message, without record headers; when it is over, name and protocols
} wws_client_hello;

/// Whether the first bytes of a connection start TLS.
bool wws_begins_tls(const uint8_t *bytes, size_t count);
/// Takes the client's next bytes.
/// The bytes of one that is over; the others are no longer needed.
static inline size_t wws_client_hello_size(const wws_client_hello *hello) {
    return offsetof(wws_client_hello, bytes) + hello->name_size + hello->protocols_size;
}

void wws_client_hello_add(wws_client_hello *hello, const uint8_t *bytes, size_t count);

#endif
