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
    char server_name[256];  // empty if it has none (RFC 6066, section 3)
    uint8_t protocols[255]; // that it offers, each with its length before it (RFC 7301, section 3.1)
    size_t protocols_size;  // 0 if it offers none
    uint8_t record[5];      // the header of the record that is being read
    size_t record_count;    // of the bytes in it
    size_t record_left;
    size_t count;
    uint8_t bytes[WWS_MOST_HELLO]; // of the handshake message, without record headers
} wws_client_hello;

/// Whether the first bytes of a connection start TLS.
bool wws_begins_tls(const uint8_t *bytes, size_t count);
/// Takes the client's next bytes.
void wws_client_hello_add(wws_client_hello *hello, const uint8_t *bytes, size_t count);

#endif
