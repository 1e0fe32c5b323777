// Reads what a server says in the clear as TLS begins, however it is split: its ServerHello (RFC 8446, section 4.1.3) and,
// before TLS 1.3, its certificate (RFC 5246, section 7.4.2).
#ifndef WWS_SERVER_HELLO_H
#define WWS_SERVER_HELLO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Bytes of a message that are kept to be read. A longer ServerHello is not read, nor a certificate that ends later.
#define WWS_MOST_ANSWER 16384

typedef struct wws_server_hello {
    bool is_over;   // nothing more of it is read
    bool has_hello; // the version and the cipher suite are known
    uint8_t resumption; // enum wwt_resumption
    uint16_t version;   // RFC 8446, section 4.2.1; RFC 5246, appendix A.1
    uint16_t cipher;    // RFC 8446, appendix B.4
    uint32_t chain_size; // bytes of the message with the server's certificates; 0 if it was not whole
    uint16_t certificate_size; // of the server's own certificate; 0 if there is none
    uint16_t record_left;
    uint32_t message_count; // bytes of the message so far, with its header
    bool has_retried;       // a HelloRetryRequest has come
    uint8_t record_count;   // of the bytes in `record`
    uint8_t record[5];      // the header of the record that is being read
    uint8_t protocol_size;  // of the one that the server chose in the clear (RFC 7301); 0 if it did not
    uint8_t bytes[UINT8_MAX + WWS_MOST_ANSWER]; // the protocol, and the message without record headers; later the certificate
} wws_server_hello;

/// Takes the server's next bytes.
/// The bytes of one that is over; the others are no longer needed.
static inline size_t wws_server_hello_size(const wws_server_hello *hello) {
    return offsetof(wws_server_hello, bytes) + hello->protocol_size + hello->certificate_size;
}

void wws_server_hello_add(wws_server_hello *hello, const uint8_t *bytes, size_t count);

#endif
