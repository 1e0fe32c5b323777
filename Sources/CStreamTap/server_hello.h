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
    char protocol[256];  // that the server chose in the clear (RFC 7301); empty if it did not
    size_t certificate_size; // of the server's own certificate, at the start of `bytes`; 0 if there is none
    bool has_retried;     // a HelloRetryRequest has come
    uint8_t record[5];    // the header of the record that is being read
    size_t record_count;  // of the bytes in it
    size_t record_left;
    size_t message_count; // bytes of the message so far, with its header
    uint8_t bytes[WWS_MOST_ANSWER]; // of the message, without record headers
} wws_server_hello;

/// Takes the server's next bytes.
void wws_server_hello_add(wws_server_hello *hello, const uint8_t *bytes, size_t count);

#endif
