// Starts and stops the tap, and keeps it going across forks.

#ifdef __linux__
#include <pthread.h>

#include "fork_lock.h"
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
static wwt_fork_lock switching = WWT_FORK_LOCK;
/// The one that was started, too; NULL for none.
static const wwt_companion *running_companion;

__thread char wwt_this_thread;

// A fork holds all locks while it happens.

static const wwt_fork_part *fork_part, *forking_part;
static unsigned forks; // of which handlers run: those of a fork may fork

static void before_fork(void) {
    wwt_lock(&switching);
    wwt_lock_slots();
    wwt_lock_libraries();
    wwt_lock_closers();
    wwt_lock_http2();
    wwt_lock_tls();
    wwt_lock_websockets();
    wwt_lock_handles();
    forking_part = __atomic_load_n(&fork_part, __ATOMIC_ACQUIRE);
    if (forking_part) forking_part->before();
    forks++;
    wwt_output_forking(true);
}

static void after_fork(void) {
    wwt_output_forking(--forks > 0);
    wwt_unlock_handles();
    wwt_unlock_websockets();
    wwt_unlock_tls();
    wwt_unlock_http2();
    wwt_unlock_closers();
    wwt_unlock_libraries();
    wwt_unlock_slots();
    wwt_unlock(&switching);
}

static void after_fork_in_parent(void) {
    if (forking_part) forking_part->in_parent();
    after_fork();
}

static void after_fork_in_child(void) {
    after_fork();
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
    wwt_lock(&switching);
    enum wwt_status status = start(settings, companion);
    wwt_unlock(&switching);
    return status;
}

enum wwt_status wwt_start(const wwt_settings *settings) { return wwt_start_with(settings, NULL); }

void wwt_stop(void) {
    wwt_lock(&switching);
    if (wwt_tap_enabled()) {
        if (running_companion) running_companion->stop();
        running_companion = NULL;
        disable();
        wwt_unhook_slots();
    }
    wwt_unlock(&switching);
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
