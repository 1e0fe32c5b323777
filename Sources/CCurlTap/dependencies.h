// The functions that libcurl itself calls in its HTTP/2 and TLS libraries and on sockets. The tap hooks libcurl's own
// slots for them, because only there it sees the bytes that HTTP/2 sends and how many bytes of a connection TLS takes.
#ifndef WWT_DEPENDENCIES_H
#define WWT_DEPENDENCIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "tap_frames.h"

// From nghttp2's interface (https://nghttp2.org/documentation/apiref.html). Types that are only passed on are `void`.
typedef ssize_t (*wwt_http2_send)(void *session, const uint8_t *bytes, size_t count, int flags, void *user);

/// The functions that libcurl calls and the tap hooks; NULL if this libcurl does not use that function.
typedef struct wwt_dependencies {
    int (*nghttp2_session_client_new)(void **, const void *, void *);
    int (*nghttp2_session_client_new2)(void **, const void *, void *, const void *);
    int (*nghttp2_session_client_new3)(void **, const void *, void *, const void *, void *);
    void (*nghttp2_session_del)(void *);
    ssize_t (*nghttp2_session_mem_recv)(void *, const uint8_t *, size_t);
    ssize_t (*nghttp2_session_mem_recv2)(void *, const uint8_t *, size_t);
    ssize_t (*nghttp2_session_mem_send)(void *, const uint8_t **);
    ssize_t (*nghttp2_session_mem_send2)(void *, const uint8_t **);
    void (*nghttp2_session_callbacks_set_send_callback)(void *, wwt_http2_send);
    void (*nghttp2_session_callbacks_set_send_callback2)(void *, wwt_http2_send);
    int32_t (*nghttp2_submit_request)(void *, const void *, const void *, size_t, const void *, void *);
    int32_t (*nghttp2_submit_request2)(void *, const void *, const void *, size_t, const void *, void *);
    int (*nghttp2_session_upgrade)(void *, const uint8_t *, size_t, void *);
    int (*nghttp2_session_upgrade2)(void *, const uint8_t *, size_t, int, void *);
    int (*nghttp2_session_set_stream_user_data)(void *, int32_t, void *);
    // https://docs.openssl.org/3.0/man3/SSL_read/
    void *(*SSL_new)(void *);
    void (*SSL_free)(void *);
    int (*SSL_connect)(void *);
    int (*SSL_read)(void *, void *, int);
    int (*SSL_write)(void *, const void *, int);
    int (*SSL_shutdown)(void *);
    void (*SSL_set_bio)(void *, void *, void *);
    // https://www.gnutls.org/manual/gnutls.html#Core-TLS-API
    int (*gnutls_init)(void **, unsigned);
    void (*gnutls_deinit)(void *);
    int (*gnutls_handshake)(void *);
    ssize_t (*gnutls_record_recv)(void *, void *, size_t);
    ssize_t (*gnutls_record_send)(void *, const void *, size_t);
    int (*gnutls_bye)(void *, int);
    int (*connect)(int, const void *, unsigned);
    ssize_t (*send)(int, const void *, size_t, int);
    ssize_t (*recv)(int, void *, size_t, int);
    int (*poll)(void *, unsigned long, int);
} wwt_dependencies;

/// Their names, in the order of `wwt_dependencies`.
#define WWT_EACH_DEPENDENCY(X) \
    X(nghttp2_session_client_new) X(nghttp2_session_client_new2) X(nghttp2_session_client_new3) \
    X(nghttp2_session_del) X(nghttp2_session_mem_recv) X(nghttp2_session_mem_recv2) X(nghttp2_session_mem_send) \
    X(nghttp2_session_mem_send2) X(nghttp2_session_callbacks_set_send_callback) \
    X(nghttp2_session_callbacks_set_send_callback2) X(nghttp2_submit_request) X(nghttp2_submit_request2) \
    X(nghttp2_session_upgrade) X(nghttp2_session_upgrade2) X(nghttp2_session_set_stream_user_data) \
    X(SSL_new) X(SSL_free) X(SSL_connect) X(SSL_read) X(SSL_write) X(SSL_shutdown) X(SSL_set_bio) \
    X(gnutls_init) X(gnutls_deinit) X(gnutls_handshake) X(gnutls_record_recv) X(gnutls_record_send) X(gnutls_bye) X(connect) X(send) X(recv) X(poll)

/// How libcurl's TLS library describes a session and what is beneath it; a function is NULL if the library does not have it.
typedef struct wwt_tls_words {
    const char *(*SSL_get_version)(const void *);
    const void *(*SSL_get_current_cipher)(const void *);
    const char *(*SSL_CIPHER_get_name)(const void *);
    void (*SSL_get0_alpn_selected)(const void *, const unsigned char **, unsigned *);
    // https://docs.openssl.org/3.0/man3/BIO_f_ssl/
    int (*BIO_method_type)(const void *);
    long (*BIO_ctrl)(void *, int, long, void *);
    uint64_t (*BIO_number_read)(void *);
    uint64_t (*BIO_number_written)(void *);
    int (*gnutls_protocol_get_version)(void *);
    const char *(*gnutls_protocol_get_name)(int);
    const char *(*gnutls_ciphersuite_get)(void *);
    // https://firefox-source-docs.mozilla.org/security/nss/legacy/reference/nss_ssl_functions: statuses are 0 for success.
    int (*SSL_GetChannelInfo)(void *, void *, unsigned);
    int (*SSL_GetCipherSuiteInfo)(uint16_t, void *, unsigned);
    int (*SSL_GetNextProto)(void *, int *, unsigned char *, unsigned *, unsigned);
    int (*gnutls_alpn_get_selected_protocol)(void *, void *);
} wwt_tls_words;

#define WWT_EACH_TLS_WORD(X) \
    X(SSL_get_version) X(SSL_get_current_cipher) X(SSL_CIPHER_get_name) X(SSL_get0_alpn_selected) \
    X(BIO_method_type) X(BIO_ctrl) X(BIO_number_read) X(BIO_number_written) \
    X(gnutls_protocol_get_version) X(gnutls_protocol_get_name) X(gnutls_ciphersuite_get) \
    X(gnutls_alpn_get_selected_protocol) X(SSL_GetChannelInfo) X(SSL_GetCipherSuiteInfo) X(SSL_GetNextProto)

#endif
