#ifdef __linux__
#include <errno.h>

#include "clock.h"
#include "frame_output.h"
#include "held_head.h"
#include "hooked_dependencies.h"
#include "libraries.h"
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
