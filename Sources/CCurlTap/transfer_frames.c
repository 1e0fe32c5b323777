// The frames about a transfer.

#ifdef __linux__
#include <string.h>

#include "transfer_state.h"

static void meter_frame(
    wwt_transfer *transfer, enum wwt_frame_kind kind, const ww_body_meter *meter, uint64_t first, uint64_t last) {
    wwt_body body = {
        .bytes = meter->bytes,
        .digest = ww_xxh3_digest(&meter->digest),
        .chunk_content = meter->chunks.content,
        .chunk_framing = meter->chunks.framing,
        .chunk_digest = ww_xxh3_digest(&meter->content_digest),
        .chunk_state = meter->chunks.state,
        .first = first,
        .last = last,
    };
    memcpy(body.tail, meter->tail, 4);
    memcpy(body.chunk_tail, meter->content_tail, 4);
    wwt_frames_add(&transfer->frames, kind, last, &body, sizeof body);
}

void wwt_transfer_tell_meters(wwt_transfer *transfer) {
    if (!transfer->out_told) {
        meter_frame(transfer, WWT_BODY_OUT, &transfer->out, transfer->out_first, transfer->out_last);
    }
    if (!transfer->in_told) {
        meter_frame(transfer, WWT_BODY_IN, &transfer->in, transfer->in_first, transfer->in_last);
    }
    transfer->out_told = transfer->in_told = true;
    transfer->untold_bytes = 0;
}

wwt_source wwt_transfer_source(const wwt_transfer *transfer) {
    return (wwt_source){transfer->library, transfer->handle->easy, transfer->has_ends ? &transfer->ends : NULL};
}

void wwt_transfer_send(wwt_transfer *transfer, uint64_t now, bool last) {
    transfer->told_at = now;
    wwt_frames_send(&transfer->frames, last);
}

#endif
