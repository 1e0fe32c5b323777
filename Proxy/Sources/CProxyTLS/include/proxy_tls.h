// Certificates of the proxy, and the parts of OpenSSL that are macros.
#ifndef WIREWEIGHT_PROXY_TLS_H
#define WIREWEIGHT_PROXY_TLS_H

#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A new key on the curve P-256, which every client takes; NULL if OpenSSL has no memory or no randomness.
EVP_PKEY *wwp_new_key(void);

/// A certificate of an authority that signs itself, and servers below it alone.
///
/// `name` is the subject; it is valid from a day ago until `days` from now.
X509 *wwp_new_authority(EVP_PKEY *key, const char *name, int days);

/// A certificate for one server, signed by the authority.
///
/// `host` is a DNS name; if `address_count` is 4 or 16, the certificate is for this IP address instead.
X509 *wwp_new_leaf(
    EVP_PKEY *leaf_key, X509 *authority, EVP_PKEY *authority_key, const char *host, const uint8_t *address,
    size_t address_count, int days);

/// Seconds until the certificate ends; negative if it has.
int64_t wwp_seconds_left(const X509 *certificate);

/// A private key as PEM, in a file that only its owner can read; false, with `errno`, if it exists or cannot be written.
bool wwp_write_key(EVP_PKEY *key, const char *path);

/// TLS 1.2 or later, small buffers while idle, and writes whose buffer may be another one on the second try.
void wwp_set_defaults(SSL_CTX *context);

/// The name that the ClientHello gives (RFC 6066, section 3).
void wwp_set_server_name(SSL *session, const char *host);

/// A session goes on only with a server that has the same name; false if OpenSSL does not take it.
bool wwp_bind_sessions(SSL *session, const char *name, size_t count);

/// Reads that find nothing wait for more, instead of being the end.
void wwp_wait_when_empty(BIO *memory);

/// The reason of the newest error of this thread, as OpenSSL numbers it; 0 if there is none. Forgets all of them.
int wwp_take_reason(void);

/// The alert that the peer sent (RFC 8446, section 6), if the reason is one; -1 otherwise.
int wwp_alert_of_reason(int reason);

#endif
