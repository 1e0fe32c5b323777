// For programs that ask a TLS server of their own.
#ifndef SERVER_CONTEXT_H
#define SERVER_CONTEXT_H

#include <openssl/ssl.h>

/// OpenSSL for a server, with a certificate that it signs itself.
static SSL_CTX *server_context(void) {
    SSL_CTX *made = SSL_CTX_new(TLS_server_method());
    EVP_PKEY *key = EVP_EC_gen("P-256");
    X509 *certificate = X509_new();
    ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1);
    X509_gmtime_adj(X509_getm_notBefore(certificate), -60);
    X509_gmtime_adj(X509_getm_notAfter(certificate), 3600);
    X509_set_pubkey(certificate, key);
    X509_sign(certificate, key, EVP_sha256());
    SSL_CTX_use_certificate(made, certificate);
    SSL_CTX_use_PrivateKey(made, key);
    return made;
}

#endif
