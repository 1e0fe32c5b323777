// Puts a handle's next transfer under the tap.

#ifdef __linux__
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "frame_output.h"
#include "handle_options.h"
#include "performed.h"
#include "transfer_state.h"
#include "watching.h"

/// How much room for frames is worth keeping, in bytes.
#define MOST_SPARE 8192

static uint64_t next_id;

/// A transfer that has ended, with the room of its frames, for the next one to begin: most programs make one request
/// after the other.
static wwt_transfer *spare;

static wwt_transfer *allocate(void) {
    wwt_transfer *transfer = __atomic_exchange_n(&spare, NULL, __ATOMIC_ACQUIRE);
    if (!transfer) return calloc(1, sizeof *transfer);
    wwt_frames frames = {.bytes = transfer->frames.bytes, .capacity = transfer->frames.capacity};
    memset(transfer, 0, offsetof(wwt_transfer, out)); // the meters begin with each request
    transfer->frames = frames;
    return transfer;
}

void wwt_transfer_free(wwt_transfer *transfer) {
    free(transfer->contents.bytes);
    if (transfer->frames.capacity <= MOST_SPARE) transfer = __atomic_exchange_n(&spare, transfer, __ATOMIC_ACQ_REL);
    if (!transfer) return;
    free(transfer->frames.bytes);
    free(transfer);
}

void wwt_transfer_take_options(wwt_transfer *transfer) {
    wwt_options_take(transfer->library, transfer->handle, wwt_debug_function, transfer);
    if (!transfer->is_quiet) wwt_options_speak(transfer->library, transfer->handle);
}

void wwt_transfer_speak(wwt_transfer *transfer) {
    if (!transfer->is_quiet) return;
    transfer->is_quiet = false;
    wwt_options_speak(transfer->library, transfer->handle);
}

bool wwt_is_our_debug(const wwt_handle *handle) { return handle->debug == wwt_debug_function; }

const void *wwt_transfer_take_over(wwt_handle *copy) {
    if (!wwt_is_our_debug(copy)) {
        if (wwt_is_hidden(copy->log)) copy->verbose = 0;
        return NULL;
    }
    // libcurl makes the copy for this transfer, which therefore runs.
    const wwt_transfer *asking = copy->debug_data;
    const wwt_handle *from = asking->handle;
    // libcurl has set it for the copy if it is set for the transfer, where it may be ours; newer versions only if they trace.
    copy->verbose = copy->verbose && from->verbose;
    copy->debug = from->debug;
    copy->debug_data = from->debug_data;
    free(copy->doh_url);
    copy->doh_url = from->doh_url ? strdup(from->doh_url) : NULL;
    return asking;
}

wwt_transfer *wwt_transfer_begin(wwt_library *library, wwt_handle *handle, bool is_performed) {
    wwt_transfer *transfer = allocate();
    if (!transfer) return NULL;
    transfer->frames.transfer = __atomic_add_fetch(&next_id, 1, __ATOMIC_RELAXED);
    transfer->contents.transfer = transfer->frames.transfer;
    transfer->generation = wwt_output_generation();
    transfer->library = library;
    transfer->handle = handle;
    transfer->asks = handle->asks_doh;
    transfer->is_quiet = is_performed && wwt_may_begin_quietly(library, handle);
    transfer->out_reported = transfer->in_reported = true;
    wwt_running_began();
    uint64_t now = wwt_now();
    wwt_begin_body body = {.handle = (uint64_t)(uintptr_t)handle->easy};
    wwt_frames_add(&transfer->frames, WWT_BEGIN, now, &body, sizeof body);
    transfer->reported_at = now;
    wwt_transfer_take_options(transfer);
    return transfer;
}

#endif
