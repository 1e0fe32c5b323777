// Starts and stops the tap, and keeps it going across forks.

#ifdef __linux__
#include <pthread.h>

#include "frame_output.h"
#include "handles.h"
#include "http2.h"
#include "libraries.h"
#include "linker_slots.h"
#include "program_hooks.h"
#include "socket_reports.h"
#include "sockets.h"
#include "tap.h"
#include "tls.h"
#include "watching.h"
#include "websocket.h"

/// Held by the thread that starts or stops the tap.
static pthread_mutex_t switching = PTHREAD_MUTEX_INITIALIZER;
/// The one that was started, too; NULL for none.
static const wwt_companion *running_companion;

// A fork holds all locks while it happens. Otherwise the child could inherit a lock held by a thread that it does not
// have.

static const wwt_fork_part *fork_part, *forking_part;

static void before_fork(void) {
    pthread_mutex_lock(&switching);
    wwt_lock_slots();
    wwt_lock_libraries();
    wwt_lock_closers();
    wwt_lock_http2();
    wwt_lock_tls();
    wwt_lock_websockets();
    wwt_lock_handles();
    forking_part = __atomic_load_n(&fork_part, __ATOMIC_ACQUIRE);
    if (forking_part) forking_part->before();
}

static void unlock(void) {
    wwt_unlock_handles();
    wwt_unlock_websockets();
    wwt_unlock_tls();
    wwt_unlock_http2();
    wwt_unlock_closers();
    wwt_unlock_libraries();
    wwt_unlock_slots();
    pthread_mutex_unlock(&switching);
}

static void after_fork_in_parent(void) {
    if (forking_part) forking_part->in_parent();
    unlock();
}

static void after_fork_in_child(void) {
    unlock();
    // The parent reports what ran there and what was not tapped.
    wwt_sockets_forked();
    wwt_untapped_forget();
    // In the child no thread reads the ring.
    bool goes_on = wwt_output_forked();
    if (!goes_on) wwt_watch_pause();
    if (forking_part) forking_part->in_child();
    if (!goes_on && running_companion) running_companion->pause();
}

static void register_fork_handlers(void) { pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child); }

void wwt_watch_forks(const wwt_fork_part *part) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, register_fork_handlers);
    if (part) __atomic_store_n(&fork_part, part, __ATOMIC_RELEASE);
}

void wwt_tap_enable(const wwt_settings *settings) {
    wwt_watch_forks(NULL);
    wwt_untapped_forget();
    wwt_output_open(settings);
    wwt_watch_start();
}

#if defined(__x86_64__) || defined(__aarch64__)
#define CAN_HOOK

static void disable(void) {
    wwt_watch_pause();
    wwt_output_open(NULL);
    wwt_watch_end();
}

/// What is wrong with the libcurls of this process.
static enum wwt_status examine_libcurls(void) {
    if (!wwt_sees_libcurl()) return WWT_NO_LIBCURL;
    bool is_any_known = false;
    for (int i = wwt_find_libraries() - 1; i >= 0; i--) is_any_known |= wwt_library_number(i)->is_known;
    return is_any_known ? WWT_OK : WWT_UNKNOWN_LIBCURL;
}

static enum wwt_status start(const wwt_settings *settings, const wwt_companion *companion) {
    if (wwt_tap_enabled()) return WWT_ALREADY_STARTED;
    enum wwt_status found = examine_libcurls();
    if (found != WWT_OK && !companion) return found;
    wwt_respect_interposers();
    wwt_tap_when_idle(wwt_unhook_slots);
    wwt_tap_enable(settings);
    running_companion = companion;
    if (companion) companion->start();
    wwt_hook_slots(companion ? companion->hook : NULL);
    if (companion || wwt_hooked_slots()) return WWT_OK;
    disable();
    return WWT_NO_CALLERS;
}

enum wwt_status wwt_start_with(const wwt_settings *settings, const wwt_companion *companion) {
    pthread_mutex_lock(&switching);
    enum wwt_status status = start(settings, companion);
    pthread_mutex_unlock(&switching);
    return status;
}

enum wwt_status wwt_start(const wwt_settings *settings) { return wwt_start_with(settings, NULL); }

void wwt_stop(void) {
    pthread_mutex_lock(&switching);
    if (wwt_tap_enabled()) {
        if (running_companion) running_companion->stop();
        running_companion = NULL;
        disable();
        wwt_unhook_slots();
    }
    pthread_mutex_unlock(&switching);
}

#endif
#endif

#ifndef CAN_HOOK

#include "CCurlTap.h"

enum wwt_status wwt_start(const wwt_settings *settings) {
    (void)settings;
    return WWT_UNSUPPORTED;
}
void wwt_stop(void) {}

#endif
