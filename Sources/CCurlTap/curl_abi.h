// The part of libcurl's binary interface that the tap uses. libcurl promises to keep its names, numbers and layouts
// (https://curl.se/libcurl/abi.html), so the build needs no headers of a certain version.
#ifndef WWT_CURL_ABI_H
#define WWT_CURL_ABI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dependencies.h"

typedef void CURL;
typedef void CURLM;
typedef int CURLcode;
typedef int CURLMcode;
typedef int CURLoption;
typedef int CURLINFO;

#define CURLE_OK 0

// https://curl.se/libcurl/c/curl_easy_setopt.html
#define CURLOPT_STDERR 10037
#define CURLOPT_URL 10002
#define CURLOPT_NOPROGRESS 43
#define CURLOPT_DOH_URL 10279
#define CURLOPT_VERBOSE 41
#define CURLOPT_HTTP_TRANSFER_DECODING 157
#define CURLOPT_DEBUGFUNCTION 20094
#define CURLOPT_DEBUGDATA 10095
#define CURLOPT_XFERINFODATA 10057
#define CURLOPT_CLOSESOCKETFUNCTION 20208
#define CURLOPT_CLOSESOCKETDATA 10209

// https://curl.se/libcurl/c/curl_easy_getinfo.html
#define CURLINFO_EFFECTIVE_URL (0x100000 + 1)
#define CURLINFO_PRIMARY_IP (0x100000 + 32)
#define CURLINFO_HEADER_SIZE (0x200000 + 11)
#define CURLINFO_OS_ERRNO (0x200000 + 25)
#define CURLINFO_NUM_CONNECTS (0x200000 + 26)
#define CURLINFO_PRIMARY_PORT (0x200000 + 40)
#define CURLINFO_LOCAL_PORT (0x200000 + 42)
#define CURLINFO_HTTP_VERSION (0x200000 + 46)
#define CURLINFO_LOCAL_IP (0x100000 + 41)
#define CURLINFO_EFFECTIVE_METHOD (0x100000 + 58) // since 7.72
#define CURLINFO_TLS_SSL_PTR (0x400000 + 45)
#define CURLINFO_ACTIVESOCKET (0x500000 + 44)
#define CURLINFO_TOTAL_TIME_T (0x600000 + 50)
#define CURLINFO_NAMELOOKUP_TIME_T (0x600000 + 51)
#define CURLINFO_CONNECT_TIME_T (0x600000 + 52)
#define CURLINFO_REDIRECT_TIME_T (0x600000 + 55)
#define CURLINFO_APPCONNECT_TIME_T (0x600000 + 56)
#define CURLINFO_QUEUE_TIME_T (0x600000 + 65)

// https://curl.se/libcurl/c/CURLOPT_DEBUGFUNCTION.html
enum { INFO_TEXT = 0, INFO_HEADER_IN = 1, INFO_HEADER_OUT = 2, INFO_DATA_IN = 3, INFO_DATA_OUT = 4 };
typedef int (*curl_debug_function)(CURL *easy, int type, char *data, size_t size, void *user);
typedef int (*curl_closesocket_function)(void *client, int socket);

// https://curl.se/libcurl/c/curl_multi_info_read.html
#define CURLMSG_DONE 1
typedef struct CURLMsg {
    int msg;
    CURL *easy_handle;
    union {
        void *whatever;
        CURLcode result;
    } data;
} CURLMsg;

/// The functions that programs call and the tap hooks.
typedef struct wwt_functions {
    CURL *(*easy_init)(void);
    void (*easy_cleanup)(CURL *);
    void (*easy_reset)(CURL *);
    CURL *(*easy_duphandle)(CURL *);
    CURLcode (*easy_setopt)(CURL *, CURLoption, ...);
    CURLcode (*easy_perform)(CURL *);
    CURLMcode (*multi_add_handle)(CURLM *, CURL *);
    CURLMcode (*multi_remove_handle)(CURLM *, CURL *);
    CURLMsg *(*multi_info_read)(CURLM *, int *);
} wwt_functions;

/// Their names, in the order of `wwt_functions`.
#define WWT_EACH_FUNCTION(X) \
    X(easy_init) X(easy_cleanup) X(easy_reset) X(easy_duphandle) X(easy_setopt) X(easy_perform) \
    X(multi_add_handle) X(multi_remove_handle) X(multi_info_read)

// https://curl.se/libcurl/c/CURLINFO_TLS_SSL_PTR.html
#define CURLSSLBACKEND_OPENSSL 1
#define CURLSSLBACKEND_GNUTLS 2
struct curl_tlssessioninfo {
    int backend;
    void *internals;
};

/// One libcurl in this process. There may be several: `libcurl.so.4`, `libcurl-gnutls.so.4`.
typedef struct wwt_library {
    wwt_functions next; // what the hooks call: libcurl itself, or a hook that was there before ours
    CURLcode (*easy_getinfo)(CURL *, CURLINFO, ...);
    const char *(*easy_strerror)(CURLcode);
    wwt_dependencies dependencies; // what libcurl itself calls
    wwt_tls_words words;
    uintptr_t base;
    char soname[64];
    char version[256];
    uint32_t version_number;
    uint32_t features; // the bits of curl_version_info
    bool has_http2; // it has opened a session of HTTP/2
    bool is_known; // the tap supports this version; if not, calls are only passed on
    bool is_seen;  // all threads see the members above: see `wwt_hooked_library`
} wwt_library;

#endif
