// Ends a transfer: restores the program's options, reads libcurl's last figures, and reports the end.

#ifdef __linux__
#include <errno.h>
#include <stdlib.h>

#include "clock.h"
#include "foundation_timeout.h"
#include "frame_output.h"
#include "handle_options.h"
#include "performed.h"
#include "transfer_state.h"
#include "watching.h"

/// For a request that was never sent, libcurl names no ports before its verdict, or those of the previous request. The
/// connection is then the one that this thread has opened and over which no request has gone.
static void find_unused_ends(wwt_transfer *transfer) {
    wwt_source source = wwt_transfer_source(transfer);
    if (transfer->head_begun && wwt_turned_at(&source) <= transfer->turned_at) return;
    uint32_t named = wwt_named_port(&source);
    transfer->has_ends = wwt_socket_unused(&transfer->ends);
    transfer->ends.instead_of = named;
}

void wwt_transfer_result(wwt_transfer *transfer, CURLcode result) {
    transfer->result = result;
    transfer->has_result = true;
}

bool wwt_transfer_has_result(const wwt_transfer *transfer) { return transfer->has_result; }

static void report_lost(const wwt_transfer *transfer, uint64_t now) {
    struct {
        wwt_frame frame;
        wwt_lost_body body;
    } lost = {{sizeof lost, WWT_LOST, transfer->frames.transfer, now}, {1, WWT_LOST_BUFFER_FULL, 0}};
    wwt_output_emit(&lost, sizeof lost, true);
}

static void conclude(wwt_transfer *transfer, enum wwt_end_how how, bool report) {
    if (report && wwt_output_enter(transfer->generation)) {
        wwt_transfer_report_meters(transfer);
        if (transfer->has_result) how = WWT_END_DONE;
        if (how == WWT_END_REMOVED) find_unused_ends(transfer);
        wwt_source source = wwt_transfer_source(transfer);
        uint64_t now = wwt_now();
        uint32_t patience = how == WWT_END_REMOVED ? wwt_foundation_timeout(transfer->handle->client) : 0;
        bool is_done = how == WWT_END_REMOVED && transfer->is_done;
        wwt_report_end(&source, &transfer->frames, now, how, transfer->result, patience, is_done);
        wwt_output_leave();
    }
    // libcurl uses its own handles only once, so their options need no restoring.
    if (!transfer->handle->is_libcurls) wwt_options_give_back(transfer->library, transfer->handle);
    transfer->handle = NULL;
    transfer->is_quiet = false; // libcurl may still send, over another connection
    transfer->is_silent = !report;
}

static uint32_t report_end(wwt_transfer *transfer) {
    if (!transfer->is_silent && wwt_output_enter(transfer->generation)) {
        uint64_t now = wwt_now();
        wwt_http2_report(transfer->http2);
        wwt_transfer_send(transfer, now, true);
        if (transfer->frames.lost) report_lost(transfer, now);
        wwt_output_leave();
    }
    return wwt_transfer_forget(transfer);
}

static uint32_t end_without_handle(wwt_transfer *transfer) {
    transfer->handle = NULL;
    if (wwt_output_enter(transfer->generation)) {
        wwt_transfer_report_meters(transfer);
        wwt_report_bare_end(&transfer->frames, wwt_now(), transfer->heads);
        wwt_output_leave();
    }
    return report_end(transfer);
}

uint32_t wwt_transfer_forget(wwt_transfer *transfer) {
    wwt_perform_forget(transfer);
    wwt_transfer_free(transfer);
    return wwt_running_ended();
}

wwt_transfer *wwt_transfer_detach(wwt_handle *handle, enum wwt_end_how how, bool report) {
    if (!handle || !handle->active) return NULL;
    int before = errno;
    wwt_transfer *transfer = handle->active;
    handle->active = NULL;
    conclude(transfer, how, report);
    errno = before;
    return transfer;
}

/// libcurl frees its own handles before the handles that they serve, and the tap may not see it.
static void end_asked_by(const wwt_transfer *asking) {
    for (wwt_transfer *own; (own = wwt_take_asked_by(asking));) wwt_idle_if(end_without_handle(own));
}

void wwt_transfer_finish(wwt_transfer *transfer) {
    if (!transfer) return;
    int before = errno;
    if (transfer->asks) end_asked_by(transfer);
    wwt_idle_if(report_end(transfer));
    errno = before;
}

void wwt_end_libcurls(CURL *easy) {
    wwt_transfer *transfer = wwt_transfer_detach(wwt_handle_of(easy), WWT_END_REMOVED, true);
    wwt_forget_handle(easy);
    wwt_transfer_finish(transfer);
}

void wwt_transfer_end(wwt_handle *handle, enum wwt_end_how how, bool report) {
    wwt_transfer_finish(wwt_transfer_detach(handle, how, report));
}

#endif
