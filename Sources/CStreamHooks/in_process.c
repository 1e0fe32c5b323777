// The tap below any HTTP library, in a program that starts it itself. Nothing is exported here that the linker could find
// before the C library's functions. So the hooks are put into the slots of all loaded objects, those of the program among
// them, as libcurl's tap does for libcurl.

#include "CStreamHooks.h"

#if defined(__linux__) && __has_include(<gnu/libc-version.h>) && (defined(__x86_64__) || defined(__aarch64__))
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "CStreamTap.h"
#include "bound_functions.h"
#include "hook_names.h"
#include "inner_tls.h"
#include "libraries.h"
#include "linker_slots.h"
#include "opened_tls.h"
#include "own_code.h"
#include "tap.h"
#include "tls_functions.h"

#ifndef WIREWEIGHT_PRELOADED

/// A function that is hooked wherever an object calls it.
typedef struct hooked_call {
    const char *name;
    void *hook;
    void *original; // the one that the program's objects find first; of a TLS library, it may be loaded later
    bool is_tls;
    bool is_in_libc;
} hooked_call;

// The hooks' types do not matter here: their addresses go into slots.
#define DECLARE(name) void HOOK(name)(void);
EACH_SOCKET_CALL(DECLARE)
EACH_HOOKED_FUNCTION(DECLARE)
DECLARE(io_uring_queue_init)
DECLARE(io_uring_queue_init_params)
#undef DECLARE

static void *find_name(void *handle, const char *name);

static hooked_call calls[] = {
#define SOCKET_CALL(name) {#name, (void *)HOOK(name), NULL, false, false},
#define TLS_CALL(name) {#name, (void *)HOOK(name), NULL, true, false},
    EACH_SOCKET_CALL(SOCKET_CALL)
    EACH_HOOKED_FUNCTION(TLS_CALL)
    TLS_CALL(io_uring_queue_init)
    TLS_CALL(io_uring_queue_init_params)
    {"dlsym", (void *)find_name, NULL, false, false},
};
#define CALLS (sizeof calls / sizeof *calls)

static void *(*real_dlsym)(void *, const char *);
static bool hooks_executable;

static int by_name(const void *left, const void *right) {
    return strcmp(((const hooked_call *)left)->name, ((const hooked_call *)right)->name);
}

/// Only after the table was prepared.
static const hooked_call *call_named(const char *name) {
    hooked_call key = {.name = name};
    return bsearch(&key, calls, CALLS, sizeof *calls, by_name);
}

/// Looks up all names now: when slots are changed the linker must not be asked, and a hook may run where that would wait.
static void prepare(void) {
    // Before its slot is hooked; and not by `&dlsym`, which the compiler may read from that slot again when it is used.
    *(void **)&real_dlsym = dlsym(RTLD_DEFAULT, "dlsym");
    wwt_look_up = real_dlsym;
    for (size_t i = 0; i < CALLS; i++) {
        calls[i].original = real_dlsym(RTLD_DEFAULT, calls[i].name);
        calls[i].is_in_libc = calls[i].original && !calls[i].is_tls && wireweight_is_in_library(calls[i].original, false);
        // An older C library lacks some of them.
        if (!calls[i].original && !calls[i].is_tls) calls[i].hook = NULL;
    }
    qsort(calls, CALLS, sizeof *calls, by_name);
    wws_watch_forks(); // now, because a start has a lock that a fork waits for
    hooks_executable = wireweight_hook_inner_tls();
}

static void prepare_once(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, prepare);
}

// MARK: what the hooks ask

void *wireweight_next(const char *name) {
    const hooked_call *found = call_named(name);
    return found && found->original ? found->original : real_dlsym(RTLD_DEFAULT, name);
}

// The hooks are not reached by the linker's names, so none of them calls another one.
bool wireweight_is_own(const void *address) {
    (void)address;
    return false;
}

// libcurl has no hooks of this tap in its slots.
bool wireweight_is_libcurl(const void *caller) {
    (void)caller;
    return false;
}

// MARK: slots

/// `bound`: what the slot has now; NULL if the linker will fill it at the first call.
static void *hook_for(const char *name, const void *bound) {
    const hooked_call *found = call_named(name);
    if (!found) return NULL;
    // What interposes for the whole process goes on to do so: the hook calls it.
    if (!bound || bound == found->original) return found->hook;
    // An object that bypasses an interposer goes on to bypass it.
    bool is_alike = found->is_tls || found->is_in_libc;
    return is_alike && wireweight_is_in_library(bound, found->is_tls) ? found->hook : NULL;
}

/// What was loaded by a program that now looks up its functions has its hooks before one of them is called.
static void *find_name(void *handle, const char *name) {
    int before = errno;
    wwt_refresh_if_free();
    errno = before;
    void *hook = wireweight_opened_hook(handle, name);
    if (hook) return hook;
    // A jump, not a call, because the meaning of RTLD_NEXT depends on the caller.
    __attribute__((musttail)) return real_dlsym(handle, name);
}

// MARK: start

bool wws_hook_executable(void) {
    prepare_once();
    return hooks_executable;
}

bool wws_leaves_executable(void) {
    prepare_once();
    return wireweight_left_inner_tls();
}

static void stop(void) {
    wws_stop();
    wireweight_unhook_bios();
}

enum wwt_status wws_start_in_process(const wwt_settings *settings) {
    static const wwt_companion companion = {hook_for, wws_start, stop, wws_pause};
    prepare_once();
    return wwt_start_with(settings, &companion);
}

void wws_leave_port(uint16_t port, bool is_left) { wws_set_port_left(port, is_left); }

uint32_t wws_hooked_slots(void) { return wwt_other_slots(); }

#endif
#else

bool wws_hook_executable(void) { return false; }

bool wws_leaves_executable(void) { return false; }

enum wwt_status wws_start_in_process(const wwt_settings *settings) {
    (void)settings;
    return WWT_UNSUPPORTED;
}

void wws_leave_port(uint16_t port, bool is_left) {
    (void)port;
    (void)is_left;
}

uint32_t wws_hooked_slots(void) { return 0; }

#endif
