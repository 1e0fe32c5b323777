#ifdef __linux__
#include <errno.h>

#include "clock.h"
#include "frame_output.h"
#include "hooked_dependencies.h"
#include "libraries.h"
#include "performed.h"
#include "transfer_state.h"

/// From 8.7 on libcurl shows the empty line after the headers before it passes it to the program, which may then take
/// its time. Until 8.6 the program has had it by then.
#define SHOWS_BEFORE_PASSING 0x080700

static __thread wwt_transfer *performed;
static __thread bool is_held;

wwt_transfer *wwt_perform_begin(wwt_transfer *transfer) {
    wwt_send_held(); // of a transfer whose callback performs another one
    wwt_transfer *outside = performed;
    performed = transfer;
    return outside;
}

void wwt_perform_end(wwt_transfer *outside) {
    performed = outside;
    is_held = false;
}

void wwt_perform_forget(const wwt_transfer *transfer) {
    if (performed != transfer) return;
    performed = NULL;
    is_held = false;
}

/// From 7.87 on libcurl itself sends what its TLS libraries have encrypted.
#define SENDS_FOR_TLS 0x075700
// https://curl.se/libcurl/c/curl_version_info.html
#define FEATURE_HTTP2 (1 << 16)
#define FEATURE_HTTP3 (1 << 25)

/// Whether a request cannot be shown before the tap's hook of `send` was called for it.
static bool shows_after_sending(const wwt_library *library) {
    int n = wwt_number_of(library);
    // HTTP/2 may keep a request for later, and HTTP/3 does not use `send`.
    if (library->features & FEATURE_HTTP3 || __atomic_load_n(&library->has_http2, __ATOMIC_RELAXED)) return false;
    if (library->features & FEATURE_HTTP2 && !wwt_dependency_follows_http2(n)) return false;
    return library->version_number >= SENDS_FOR_TLS && wwt_dependency_follows_sends(n);
}

bool wwt_may_begin_quietly(const wwt_library *library, const wwt_handle *handle) {
    // Its resolver over HTTPS takes verbose mode from the transfer.
    return !handle->verbose && !handle->asks_doh && shows_after_sending(library);
}

void wwt_performed_sends(void) {
    if (performed) wwt_transfer_speak(performed);
}

void wwt_performed_opens_http2(wwt_library *library) {
    __atomic_store_n(&library->has_http2, true, __ATOMIC_RELAXED);
    wwt_performed_sends();
}

/// Whether libcurl sends another request after a response with that status, perhaps after resolving another name.
static bool may_lead_on(uint16_t status) { return status / 100 == 3 || status == 401 || status == 407; }

bool wwt_hold_head(const wwt_transfer *transfer) {
    if (performed != transfer || transfer->library->version_number >= SHOWS_BEFORE_PASSING) return false;
    // The program's progress function is called before the end. Interim responses are not the last ones.
    if (transfer->handle->shows_progress || !transfer->in_complete || may_lead_on(transfer->status)) return false;
    if (!wwt_dependency_follows_waits(wwt_number_of(transfer->library))) return false;
    is_held = true;
    return true;
}

void wwt_send_held(void) {
    if (!is_held) return;
    is_held = false;
    int before = errno;
    if (wwt_output_enter(performed->generation)) {
        wwt_transfer_send(performed, wwt_now(), false);
        wwt_output_leave();
    }
    errno = before;
}

#endif
