// Hooks for the C library's functions that look up names: each calls the original, and reports
// how long that took and which addresses it found.

#if defined(__linux__) && __has_include(<gnu/libc-version.h>)
#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <netdb.h>
#include <stdbool.h>
#include <stdlib.h>

#include "CStreamTap.h"
#include "hook_names.h"
#include "own_code.h"

/// The original of a function. The names are looked up for each call: that takes little beside looking up a host.
#define ORIGINAL(name) ((__typeof__(&name))find_original(#name))

static void *find_original(const char *name) {
    int before = errno;
    void *function = wireweight_next(name);
    if (!function) abort();
    errno = before;
    return function;
}

/// Whether there is something to look up: addresses in digits are only read.
static bool is_name(const char *host, const void *caller) {
    uint8_t bytes[16];
    return host && wws_is_on() && !wireweight_is_libcurl(caller) && !inet_aton(host, (struct in_addr *)bytes)
        && inet_pton(AF_INET6, host, bytes) != 1;
}

EXPORTED int HOOK(getaddrinfo)(
    const char *restrict host, const char *restrict service, const struct addrinfo *restrict hints,
    struct addrinfo **restrict found) {
    bool counts = is_name(host, __builtin_return_address(0));
    uint64_t began = counts ? wws_moment() : 0;
    int result = ORIGINAL(getaddrinfo)(host, service, hints, found);
    if (counts && result == 0) wws_looked_up(began, *found);
    return result;
}

EXPORTED struct hostent *HOOK(gethostbyname)(const char *host) {
    bool counts = is_name(host, __builtin_return_address(0));
    uint64_t began = counts ? wws_moment() : 0;
    struct hostent *found = ORIGINAL(gethostbyname)(host);
    if (counts) wws_looked_up_host(began, found);
    return found;
}

EXPORTED struct hostent *HOOK(gethostbyname2)(const char *host, int family) {
    bool counts = is_name(host, __builtin_return_address(0));
    uint64_t began = counts ? wws_moment() : 0;
    struct hostent *found = ORIGINAL(gethostbyname2)(host, family);
    if (counts) wws_looked_up_host(began, found);
    return found;
}

EXPORTED int HOOK(gethostbyname_r)(
    const char *restrict host, struct hostent *restrict room, char *restrict texts, size_t size,
    struct hostent **restrict found, int *restrict error) {
    bool counts = is_name(host, __builtin_return_address(0));
    uint64_t began = counts ? wws_moment() : 0;
    int result = ORIGINAL(gethostbyname_r)(host, room, texts, size, found, error);
    if (counts && result == 0) wws_looked_up_host(began, *found);
    return result;
}

EXPORTED int HOOK(gethostbyname2_r)(
    const char *restrict host, int family, struct hostent *restrict room, char *restrict texts, size_t size,
    struct hostent **restrict found, int *restrict error) {
    bool counts = is_name(host, __builtin_return_address(0));
    uint64_t began = counts ? wws_moment() : 0;
    int result = ORIGINAL(gethostbyname2_r)(host, family, room, texts, size, found, error);
    if (counts && result == 0) wws_looked_up_host(began, *found);
    return result;
}

#endif
