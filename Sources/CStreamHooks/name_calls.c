// Hooks for the C library's functions that look up names: each calls the original, and reports
// how long that took and what it found.

#if defined(__linux__) && __has_include(<gnu/libc-version.h>)
#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <netdb.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

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

/// Begins a lookup; false if there is nothing to look up: addresses in digits are only read.
static bool asks(wws_asked *asked, const char *host, const void *caller) {
    if (!host || !wws_is_on()) return false;
    struct in_addr bytes;
    // No name has a colon: that is an address of IPv6, perhaps with its scope.
    if (!*host || strchr(host, ':') || inet_aton(host, &bytes)) return false;
    *asked = (wws_asked){.name = host, .began = wws_moment(), .is_libcurls = wireweight_is_libcurl(caller)};
    return true;
}

EXPORTED int HOOK(getaddrinfo)(
    const char *restrict host, const char *restrict service, const struct addrinfo *restrict hints,
    struct addrinfo **restrict found) {
    wws_asked asked;
    bool counts = asks(&asked, host, __builtin_return_address(0)) && !(hints && hints->ai_flags & AI_NUMERICHOST);
    int result = ORIGINAL(getaddrinfo)(host, service, hints, found);
    if (counts) wws_looked_up(&asked, result, result == 0 ? *found : NULL);
    return result;
}

EXPORTED struct hostent *HOOK(gethostbyname)(const char *host) {
    wws_asked asked;
    bool counts = asks(&asked, host, __builtin_return_address(0));
    struct hostent *found = ORIGINAL(gethostbyname)(host);
    if (counts) wws_looked_up_host(&asked, h_errno, found);
    return found;
}

EXPORTED struct hostent *HOOK(gethostbyname2)(const char *host, int family) {
    wws_asked asked;
    bool counts = asks(&asked, host, __builtin_return_address(0));
    struct hostent *found = ORIGINAL(gethostbyname2)(host, family);
    if (counts) wws_looked_up_host(&asked, h_errno, found);
    return found;
}

/// After a call with room of the caller's. If that was too small, the program asks again.
static int looked_up(const wws_asked *asked, bool counts, int result, struct hostent *const *found, const int *error) {
    if (counts && result != ERANGE) wws_looked_up_host(asked, *error, result == 0 ? *found : NULL);
    return result;
}

EXPORTED int HOOK(gethostbyname_r)(
    const char *restrict host, struct hostent *restrict room, char *restrict texts, size_t size,
    struct hostent **restrict found, int *restrict error) {
    wws_asked asked;
    bool counts = asks(&asked, host, __builtin_return_address(0));
    int result = ORIGINAL(gethostbyname_r)(host, room, texts, size, found, error);
    return looked_up(&asked, counts, result, found, error);
}

EXPORTED int HOOK(gethostbyname2_r)(
    const char *restrict host, int family, struct hostent *restrict room, char *restrict texts, size_t size,
    struct hostent **restrict found, int *restrict error) {
    wws_asked asked;
    bool counts = asks(&asked, host, __builtin_return_address(0));
    int result = ORIGINAL(gethostbyname2_r)(host, family, room, texts, size, found, error);
    return looked_up(&asked, counts, result, found, error);
}

#endif
