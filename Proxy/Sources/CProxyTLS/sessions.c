#include "proxy_tls.h"

#include <openssl/err.h>

void wwp_set_defaults(SSL_CTX *context) {
    SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
    SSL_CTX_set_mode(
        context, SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
}

void wwp_set_server_name(SSL *session, const char *host) { SSL_set_tlsext_host_name(session, host); }

void wwp_wait_when_empty(BIO *memory) { BIO_set_mem_eof_return(memory, -1); }

int wwp_take_reason(void) {
    unsigned long error = ERR_peek_last_error();
    ERR_clear_error();
    return error ? ERR_GET_REASON(error) : 0;
}

int wwp_alert_of_reason(int reason) {
    return reason >= SSL_AD_REASON_OFFSET && reason < SSL_AD_REASON_OFFSET + 256 ? reason - SSL_AD_REASON_OFFSET : -1;
}
