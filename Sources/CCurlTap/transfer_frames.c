// The frames about a transfer.

#ifdef __linux__
#include <string.h>

#include "transfer_state.h"

void wwt_transfer_report_meters(wwt_transfer *transfer) {
    if (!transfer->out_reported) {
        wwt_frames_add_body(&transfer->frames, WWT_BODY_OUT, &transfer->out, transfer->out_first, transfer->out_last);
    }
    if (!transfer->in_reported) {
        wwt_frames_add_body(&transfer->frames, WWT_BODY_IN, &transfer->in, transfer->in_first, transfer->in_last);
    }
    transfer->out_reported = transfer->in_reported = true;
    transfer->unreported_bytes = 0;
}

wwt_source wwt_transfer_source(const wwt_transfer *transfer) {
    return (wwt_source){transfer->library, transfer->handle->easy, transfer->has_ends ? &transfer->ends : NULL};
}

void wwt_transfer_send(wwt_transfer *transfer, uint64_t now, bool last) {
    transfer->reported_at = now;
    wwt_frames_send(&transfer->frames, last);
}

#endif
