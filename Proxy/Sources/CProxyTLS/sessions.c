#include "proxy_tls.h"

#include <openssl/err.h>

void wwp_set_defaults(SSL_CTX *context) {
    SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
    SSL_CTX_set_mode(
        context, SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
}

void wwp_set_server_name(SSL *session, const char *host) { SSL_set_tlsext_host_name(session, host); }

bool wwp_bind_sessions(SSL *session, const char *name, size_t count) {
    // A context has 32 bytes at most, as many as the digest.
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned int size = 0;
    return EVP_Digest(name, count, digest, &size, EVP_sha256(), NULL) == 1 &&
           SSL_set_session_id_context(session, digest, size) == 1;
}

void wwp_wait_when_empty(BIO *memory) { BIO_set_mem_eof_return(memory, -1); }

int wwp_take_reason(void) {
    unsigned long error = ERR_peek_last_error();
    ERR_clear_error();
    return error ? ERR_GET_REASON(error) : 0;
}

int wwp_alert_of_reason(int reason) {
    return reason >= SSL_AD_REASON_OFFSET && reason < SSL_AD_REASON_OFFSET + 256 ? reason - SSL_AD_REASON_OFFSET : -1;
}
