// Exports libcurl's names before libcurl does. So programs find these functions, and each passes the call on to the
// libcurl that the caller was linked against.

#ifdef __linux__
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "CStreamTap.h"
#include "WireweightPreload.h"
#include "channel.h"
#include "clock.h"
#include "curl_calls.h"
#include "deep_binding.h"
#include "inner_tls.h"
#include "libraries.h"
#include "opened_tls.h"
#include "own_code.h"
#include "program_hooks.h"
#include "program_starts.h"
#include "socket_reports.h"
#include "tap.h"
#include "tls_functions.h"
#include "watching.h"

#define EXPORTED __attribute__((visibility("default")))
#define LIBRARY wwt_library_for(__builtin_return_address(0))

static void *(*real_dlsym)(void *, const char *);

// For functions that a program's own sanitizer calls during its set-up, before instrumented code can run.
#if defined(__has_attribute) && __has_attribute(disable_sanitizer_instrumentation)
#define UNWATCHED __attribute__((disable_sanitizer_instrumentation))
#else
#define UNWATCHED
#endif

UNWATCHED static bool find_real_dlsym(void) {
    // By version, because the name alone would find ours: since glibc 2.34, before it on x86-64, before it on arm64.
    static const char *const versions[] = {"GLIBC_2.34", "GLIBC_2.2.5", "GLIBC_2.17"};
    for (int i = 0; i < 3 && !real_dlsym; i++) *(void **)&real_dlsym = dlvsym(RTLD_NEXT, "dlsym", versions[i]);
    wwt_look_up = real_dlsym;
    wwt_is_preloads = wireweight_is_own;
    return real_dlsym;
}

UNWATCHED void *wireweight_next(const char *name) {
    return find_real_dlsym() ? real_dlsym(RTLD_NEXT, name) : NULL;
}

// The linker defines both: our first byte, and the first one after us.
extern const char __ehdr_start __attribute__((visibility("hidden"))), _end __attribute__((visibility("hidden")));

bool wireweight_is_own(const void *address) {
    return (const char *)address >= &__ehdr_start && (const char *)address < &_end;
}

bool wireweight_is_libcurl(const void *caller) {
    Dl_info info;
    if (wireweight_is_own(caller)) return true;
    if (!wwt_library_number(0) || !dladdr(caller, &info)) return false;
    const wwt_library *library = wwt_library_at((uintptr_t)info.dli_fbase);
    return library && library->is_known;
}

/// The function that the program would have called without us, for when these names belong to something that does not
/// look like a libcurl. If there is none, the program ends, as it would have for want of the symbol.
static void *next_function(const char *name) {
    void *function = find_real_dlsym() ? real_dlsym(RTLD_NEXT, name) : NULL;
    if (!function) abort();
    return function;
}

#define NEXT(name) ((__typeof__(&curl_##name))next_function("curl_" #name))

EXPORTED CURL *curl_easy_init(void) {
    wwt_find_libraries();
    wwt_refresh_if_free(); // the tap sees libcurl's own calls only through slots
    wwt_library *library = LIBRARY;
    return library ? wwt_easy_init(library) : NEXT(easy_init)();
}

EXPORTED void curl_easy_cleanup(CURL *easy) {
    wwt_library *library = LIBRARY;
    library ? wwt_easy_cleanup(library, easy) : NEXT(easy_cleanup)(easy);
}

EXPORTED void curl_easy_reset(CURL *easy) {
    wwt_library *library = LIBRARY;
    library ? wwt_easy_reset(library, easy) : NEXT(easy_reset)(easy);
}

EXPORTED CURL *curl_easy_duphandle(CURL *easy) {
    wwt_library *library = LIBRARY;
    return library ? wwt_easy_duphandle(library, easy) : NEXT(easy_duphandle)(easy);
}

// On x86-64 and arm64 the one variable argument is passed like a named one.
EXPORTED CURLcode curl_easy_setopt(CURL *easy, CURLoption option, void *argument) {
    wwt_library *library = LIBRARY;
    return library ? wwt_easy_setopt(library, easy, option, argument) : NEXT(easy_setopt)(easy, option, argument);
}

EXPORTED CURLcode curl_easy_perform(CURL *easy) {
    wwt_library *library = LIBRARY;
    return library ? wwt_easy_perform(library, easy) : NEXT(easy_perform)(easy);
}

EXPORTED CURLMcode curl_multi_add_handle(CURLM *multi, CURL *easy) {
    wwt_library *library = LIBRARY;
    return library ? wwt_multi_add_handle_from(library, multi, easy, __builtin_return_address(0))
                   : NEXT(multi_add_handle)(multi, easy);
}

EXPORTED CURLMcode curl_multi_remove_handle(CURLM *multi, CURL *easy) {
    wwt_library *library = LIBRARY;
    return library ? wwt_multi_remove_handle(library, multi, easy) : NEXT(multi_remove_handle)(multi, easy);
}

EXPORTED CURLMsg *curl_multi_info_read(CURLM *multi, int *left) {
    wwt_library *library = LIBRARY;
    return library ? wwt_multi_info_read(library, multi, left) : NEXT(multi_info_read)(multi, left);
}

// A program that loads libcurl late looks up its functions by name.


/// The hook for a name that a program looks up. It is not the exported function of that name, which passes on to the
/// libcurl that its caller was linked against: a program that looks up names has chosen a libcurl itself.
static void *ours_for(void *handle, const char *name) {
    Dl_info info;
    void *real = real_dlsym(handle, name);
    if (!real || !dladdr(real, &info)) return NULL;
    wwt_find_libraries();
    const wwt_library *library = wwt_library_at((uintptr_t)info.dli_fbase);
    return library ? wwt_hook_for(library, name) : NULL;
}

static bool has_begun;

/// Without `strncmp`, which may be a sanitizer's own.
UNWATCHED static bool has_prefix(const char *name, const char *prefix) {
    for (; *prefix; prefix++, name++) {
        if (*name != *prefix) return false;
    }
    return true;
}

/// Whether a function that we export by that name would be a library's that a program may lack.
UNWATCHED static bool is_of_library(const char *name) {
    static const char *const prefixes[] = {"SSL_", "BIO_", "gnutls_", "PR_", "io_uring_", "curl_"};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        if (has_prefix(name, prefixes[i])) return true;
    }
    return false;
}

UNWATCHED EXPORTED void *dlsym(void *restrict handle, const char *restrict name) {
    if (!real_dlsym && !find_real_dlsym()) return NULL;
    // A program may look whether it has a library. That we export some of its names must not look like one.
    if (handle != RTLD_NEXT && is_of_library(name)) {
        void *function = real_dlsym(handle, name);
        bool is_own = function && wireweight_is_own(function);
        // It fails, and leaves the message that `dlerror` returns.
        if (is_own && !wireweight_has_next(__builtin_return_address(0), name)) return real_dlsym(RTLD_NEXT, name);
    }
    if (has_prefix(name, "curl_") && handle != RTLD_NEXT && handle != RTLD_DEFAULT) {
        void *function = ours_for(handle, name);
        if (function) return function;
    }
    // A library that was just loaded and looks up names may bypass our functions (RTLD_DEEPBIND: PHP's extensions do).
    if (has_begun) {
        int before = errno;
        wwt_refresh_if_free();
        errno = before;
        void *hook = wireweight_opened_hook(handle, name);
        if (hook) return hook;
    }
    // A jump, not a call, because the meaning of RTLD_NEXT depends on the caller.
    __attribute__((musttail)) return real_dlsym(handle, name);
}

UNWATCHED EXPORTED void *dlopen(const char *file, int mode) {
    static void *(*real)(const char *, int);
    if (!real && !(*(void **)&real = wireweight_next("dlopen"))) abort();
    if ((mode & RTLD_DEEPBIND) && has_begun && wws_is_on()) wireweight_bind_deep();
    // A jump, because where it looks for the file depends on the caller.
    __attribute__((musttail)) return real(file, mode);
}

static void forked(void) { channel_forked(); }

__attribute__((constructor)) static void begin(void) {
    has_begun = true;
    if (!find_real_dlsym() || !channel_open(getenv(WIREWEIGHT_SOCKET))) return;
    const char *keep = getenv(WIREWEIGHT_KEEP_BODY);
    wwt_settings settings = {
        .emit = channel_emit,
        .keep_body = keep ? (uint32_t)strtoul(keep, NULL, 10) : 0,
        .in_children = true,
        .skips_digests = getenv(WIREWEIGHT_NO_DIGESTS) != NULL,
    };
    // For tests: the other tap meters libcurl's connections, too, so that the two can be compared.
    const char *taps = getenv("WIREWEIGHT_TAPS");
    wwt_leaves_libcurl = taps && strcmp(taps, "stream") == 0;
    wireweight_closing = channel_closing;
    channel_announce();
    wireweight_watch_starts();
    pthread_atfork(NULL, NULL, forked);
    wwt_tap_enable(&settings);
    const char *streams = getenv(WIREWEIGHT_STREAMS);
    if (streams && strcmp(streams, "off") == 0) return;
    const char *keys = getenv("SSLKEYLOGFILE");
    wws_pass_records(getenv(WIREWEIGHT_TLS_KEYS) && keys && *keys);
    wws_start();
    wws_inherited();
    wireweight_hook_inner_tls();
}

static void report_untapped(void) {
    struct {
        wwt_frame frame;
        wwt_lost_body body;
    } loss = {{sizeof loss, WWT_LOST, 0, wwt_now()}, {wwt_untapped(), WWT_LOST_UNTAPPED, 0}};
    if (loss.body.count) channel_emit(NULL, (const uint8_t *)&loss, sizeof loss, true);
}

__attribute__((destructor)) static void end(void) {
    if (!wwt_tap_enabled()) return;
    report_untapped();
    wwt_report_left_sockets();
    wws_report_left();
    channel_finish();
}

#endif
