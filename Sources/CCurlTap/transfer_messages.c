// What libcurl shows of a transfer: the headers and bodies of its requests and responses. Everything here runs on the
// thread that drives the transfer. Transfers share nothing but the output of frames.

#ifdef __linux__
#include <errno.h>
#include <string.h>

#include "clock.h"
#include "frame_output.h"
#include "performed.h"
#include "transfer_state.h"
#include "websocket.h"

/// After how many bytes, or how much time, the tap reports on a running transfer again.
#define REPORT_BYTES (256u << 10)
#define REPORT_NANOSECONDS 100000000u
/// How many bytes of kept bodies are sent at once.
#define MOST_CONTENTS (48u << 10)

/// 8.5 takes chunks apart before it shows them (readwrite_data in libcurl's lib/transfer.c), unless the program wants
/// them as they are; all other versions show the chunks.
static bool removes_chunks(const wwt_transfer *transfer) {
    uint32_t version = transfer->library->version_number;
    return version >= 0x080500u && version < 0x080600u && !transfer->handle->keeps_chunks;
}

/// Whether the body of a response may be hidden, or its chunks, so that only what the connection has carried says their size.
static bool may_hide(const wwt_transfer *transfer) { return transfer->library->version_number >= 0x080500u; }

/// From 8 on, while libcurl requests a tunnel from a proxy, it names no ports or those of the previous request. From
/// 8.21 on it names none for its own handles. So the connection is the one over which this request's `head` bytes have
/// gone.
static void find_ends(wwt_transfer *transfer, size_t head, bool tunnels) {
    wwt_source source = wwt_transfer_source(transfer);
    uint32_t named = wwt_named_port(&source);
    wwt_ends last;
    bool is_last = (named == 0 || tunnels) && wwt_socket_sent_last(&last);
    if (named != 0 && (!is_last || last.local_port == named)) {
        transfer->has_ends = false;
        return;
    }
    long connects = wwt_connects_of(&source);
    if (is_last) {
        transfer->ends = last;
        transfer->has_ends = true;
    } else if (!transfer->has_ends || transfer->ends_connects != connects) {
        transfer->has_ends = wwt_socket_find(head, &transfer->ends);
    }
    transfer->ends.instead_of = named;
    transfer->ends_connects = connects;
}

/// Looks for the empty line; consecutive calls may split it.
static void match_end(wwt_transfer *transfer, const char *bytes, size_t count) {
    const char *end = bytes + count;
    while (bytes < end && transfer->head_matched < 4) {
        if (transfer->head_matched == 0 && !(bytes = memchr(bytes, '\r', (size_t)(end - bytes)))) return;
        char expected = transfer->head_matched & 1 ? '\n' : '\r';
        transfer->head_matched = *bytes == expected ? transfer->head_matched + 1 : *bytes == '\r';
        bytes++;
    }
}

/// Whether a request line without its end names a version of HTTP/1.
static bool is_http1(const char *line, size_t length) {
    return length >= 9 && memcmp(line + length - 9, " HTTP/1.", 8) == 0;
}

/// Whether bytes start with a request line to a proxy (RFC 9112, section 3.2): in absolute or in authority form.
static bool asks_proxy(const char *bytes, size_t count) {
    const char *end = memchr(bytes, '\r', count);
    size_t length = end ? (size_t)(end - bytes) : 0;
    if (length < sizeof "CONNECT HTTP/1.1" || !is_http1(bytes, length)) return false;
    return memcmp(bytes, "CONNECT ", 8) == 0 || memmem(bytes, length, "://", 3);
}

/// Whether this is the line of the PROXY protocol, which libcurl before 7.87 shows as if it were a request's headers.
static bool is_proxy_line(const char *bytes, size_t count) {
    if (count < 6 || memcmp(bytes, "PROXY ", 6) != 0) return false;
    const char *end = memchr(bytes, '\r', count);
    return !end || !is_http1(bytes, (size_t)(end - bytes));
}

/// From here on the transfer is not HTTP, until a request shows otherwise.
static void leave_http(wwt_transfer *transfer, uint64_t now) {
    wwt_transfer_report_meters(transfer);
    wwt_frames_add(&transfer->frames, WWT_FOREIGN, now, NULL, 0);
    transfer->foreign = true;
    wwt_transfer_send(transfer, now, false);
}

/// Whether headers ask for WebSocket (RFC 6455, section 4.1). Sees only the piece that libcurl shows, which is mostly
/// all of them.
static bool asks_websocket(const char *bytes, size_t count) {
    for (const char *end = bytes + count; (bytes = memchr(bytes, '\n', (size_t)(end - bytes)));) {
        if ((size_t)(end - ++bytes) < sizeof "Upgrade:websocket" - 1 || !wwt_has_scheme(bytes, "Upgrade:")) continue;
        const char *value = bytes + sizeof "Upgrade:" - 1;
        while (end - value > 9 && (*value == ' ' || *value == '\t')) value++;
        if (end - value >= 9 && wwt_has_scheme(value, "websocket")) return true;
    }
    return false;
}

/// The response comes over the same connection, and cannot have come yet.
static void await_websocket(const wwt_transfer *transfer) {
    wwt_source source = wwt_transfer_source(transfer);
    const char *url = wwt_url_of(&source);
    wwt_websocket_await(
        wwt_socket_carrying(&source), wwt_has_scheme(url, "wss://") || wwt_has_scheme(url, "https://"));
}

/// Whether a request has to come with what its connection has carried before. It says the size of the response before
/// it, if that was not shown whole.
static enum wwt_count_need count_need(const wwt_transfer *transfer, bool removes, const char *bytes, size_t count) {
    // From 8.5 on libcurl does not show the body of a redirect or a challenge that it follows itself.
    if (transfer->head_begun && (transfer->in.bytes == 0 || removes)) return WWT_COUNT_ALWAYS;
    const char *end = may_hide(transfer) ? memchr(bytes, '\r', count) : NULL;
    // Several requests at once are no news in HTTP/2, and its frames are counted.
    return end && is_http1(bytes, (size_t)(end - bytes)) ? WWT_COUNT_IF_OVERTAKING : WWT_COUNT_NEVER;
}

static void head_out(wwt_transfer *transfer, const char *bytes, size_t count) {
    uint64_t now = wwt_now();
    if (!transfer->head_begun || transfer->head_complete) {
        if (is_proxy_line(bytes, count)) return;
        find_ends(transfer, count, count > 8 && memcmp(bytes, "CONNECT ", 8) == 0);
        wwt_source source = wwt_transfer_source(transfer);
        transfer->turned_at = wwt_turned_at(&source);
        const char *url = wwt_url_of(&source);
        // From 8.21 on libcurl does not report the URL of its own handles.
        if (!*url && transfer->handle->is_libcurls && transfer->handle->doh_url) url = transfer->handle->doh_url;
        bool url_is_foreign = !wwt_is_http(url);
        // libcurl shows commands of other protocols as if they were headers.
        if (url_is_foreign && !asks_proxy(bytes, count)) {
            if (!transfer->foreign && transfer->head_begun) leave_http(transfer, now);
            transfer->foreign = true;
            return;
        }
        transfer->foreign = transfer->in_complete = transfer->becomes_http2 = false;
        transfer->url_is_foreign = url_is_foreign;
        transfer->tunnels = count > 8 && memcmp(bytes, "CONNECT ", 8) == 0;
        transfer->asks_websocket = false;
        transfer->status = 0;
        wwt_transfer_report_meters(transfer);
        // This request ends the one before it. The HTTP/2 frames of that one must have been sent by then.
        if (transfer->head_begun) wwt_http2_report(transfer->http2);
        bool removes = removes_chunks(transfer);
        transfer->connects_reported = wwt_report_request(
            &source, &transfer->frames, now, url, count_need(transfer, removes, bytes, count),
            transfer->connects_reported);
        transfer->head_begun = true;
        transfer->head_complete = false;
        transfer->head_matched = 0;
        transfer->out_kept = transfer->in_kept = 0;
        ww_body_meter_begin(&transfer->out, wwt_output_skips_digests());
        ww_body_meter_begin(&transfer->in, wwt_output_skips_digests());
        if (removes) transfer->in.chunks.state = WW_CHUNK_REMOVED;
    }
    if (asks_websocket(bytes, count)) transfer->asks_websocket = true;
    match_end(transfer, bytes, count);
    transfer->head_complete = transfer->head_matched == 4;
    if (transfer->head_complete && transfer->asks_websocket) await_websocket(transfer);
    wwt_frames_add_head(&transfer->frames, WWT_HEAD_OUT, bytes, count);
    if (transfer->head_complete) wwt_transfer_send(transfer, now, false);
}

/// Whether a redirect has led to another protocol, in which the server sends first.
static bool has_left_http(const wwt_transfer *transfer) {
    wwt_source source = wwt_transfer_source(transfer);
    return transfer->in_complete && !transfer->url_is_foreign && !wwt_is_http(wwt_url_of(&source));
}

/// The response's headers are complete, except for the empty line, which libcurl may not show.
static void end_head_in(wwt_transfer *transfer, uint64_t now) {
    bool has_tunnel = transfer->tunnels && transfer->url_is_foreign && transfer->status / 100 == 2;
    bool has_switched = transfer->status == 101 && !transfer->becomes_http2;
    transfer->in_complete = transfer->status >= 200 || has_switched;
    if (has_tunnel || has_switched) return leave_http(transfer, now);
    // The body may take its time.
    if (!wwt_hold_head(transfer)) wwt_transfer_send(transfer, now, false);
}

static uint16_t status_in(const char *line, size_t count) {
    const char *space = memchr(line, ' ', count), *end = line + count;
    uint16_t status = 0;
    for (const char *at = space; at && ++at < end && at <= space + 3 && *at >= '0' && *at <= '9';) {
        status = (uint16_t)(status * 10 + (*at - '0'));
    }
    return status;
}

static void head_in(wwt_transfer *transfer, const char *bytes, size_t count) {
    if (!transfer->head_begun) return;
    // The empty line. If its CR came in an earlier read, libcurl 7 shows the right number of bytes, but wrong ones.
    if (count <= 2 && (bytes[0] == '\r' || bytes[0] == '\n')) bytes = count == 2 ? "\r\n" : "\n";
    if (count > 5 && memcmp(bytes, "HTTP/", 5) == 0) {
        // Each response starts a frame of its own, so that it has its own time.
        transfer->frames.open_head = 0;
        transfer->status = status_in(bytes, count);
        transfer->in_complete = false;
    } else if (transfer->in_complete && has_left_http(transfer)) {
        return leave_http(transfer, wwt_now());
    }
    if (transfer->status == 101 && count > 8 && wwt_has_scheme(bytes, "Upgrade:") && memmem(bytes, count, "h2c", 3)) {
        transfer->becomes_http2 = true;
    }
    wwt_frames_add_head(&transfer->frames, WWT_HEAD_IN, bytes, count);
    transfer->heads += (int64_t)count;
    if (count <= 2 && bytes[count - 1] == '\n') end_head_in(transfer, wwt_now());
}

/// Sends kept content of a body, after the frames that say which request it belongs to. False if there is no room: then
/// the content is dropped.
static bool send_contents(wwt_transfer *transfer) {
    wwt_frames *contents = &transfer->contents;
    wwt_frames_send(&transfer->frames, false);
    bool sent = transfer->frames.length == 0 && !transfer->frames.lost && !contents->lost
        && wwt_output_emit(contents->bytes, contents->length, false);
    contents->length = 0;
    contents->lost = false;
    return sent;
}

static void keep_content(
    wwt_transfer *transfer, enum wwt_frame_kind kind, uint32_t *kept, uint64_t now, const char *bytes, size_t count) {
    size_t room = wwt_output_keep_body() - *kept;
    size_t left = count < room ? count : room;
    *kept += (uint32_t)left;
    while (left) {
        size_t piece = left < WWT_MOST_PIECE ? left : WWT_MOST_PIECE;
        wwt_frames_add(&transfer->contents, kind, now, bytes, piece);
        bytes += piece;
        left -= piece;
        if (left && transfer->contents.length < MOST_CONTENTS) continue;
        if (!send_contents(transfer)) {
            // Kept content has no holes: after a dropped part, nothing more of this body is kept.
            *kept = wwt_output_keep_body();
            return;
        }
    }
}

static void body_bytes(wwt_transfer *transfer, bool out, const char *bytes, size_t count) {
    uint64_t now = wwt_now();
    ww_body_meter *meter = out ? &transfer->out : &transfer->in;
    uint64_t *first = out ? &transfer->out_first : &transfer->in_first;
    if (!transfer->head_begun) return; // not HTTP: a protocol that sends no headers
    if (meter->bytes == 0) *first = now;
    *(out ? &transfer->out_last : &transfer->in_last) = now;
    *(out ? &transfer->out_reported : &transfer->in_reported) = false;
    ww_body_meter_add(meter, (const uint8_t *)bytes, count);
    uint32_t *kept = out ? &transfer->out_kept : &transfer->in_kept;
    if (*kept < wwt_output_keep_body()) {
        keep_content(transfer, out ? WWT_CONTENT_OUT : WWT_CONTENT_IN, kept, now, bytes, count);
    }
    transfer->unreported_bytes += count;
    // Report the first bytes at once, in case no more come: a program that is killed then should not have lost them.
    bool is_first = meter->bytes == count;
    if (is_first || transfer->unreported_bytes >= REPORT_BYTES || now - transfer->reported_at >= REPORT_NANOSECONDS) {
        wwt_transfer_report_meters(transfer);
        wwt_transfer_send(transfer, now, false);
    }
}

void wwt_transfer_see(wwt_transfer *transfer, int type, const char *bytes, size_t count) {
    if (count == 0 || (transfer->foreign && type != INFO_HEADER_OUT) || !wwt_output_enter(transfer->generation)) return;
    int before = errno; // libcurl may be about to read it
    switch (type) {
    case INFO_HEADER_OUT: head_out(transfer, bytes, count); break;
    case INFO_HEADER_IN: head_in(transfer, bytes, count); break;
    case INFO_DATA_OUT: body_bytes(transfer, true, bytes, count); break;
    case INFO_DATA_IN: body_bytes(transfer, false, bytes, count); break;
    default: break;
    }
    errno = before;
    wwt_output_leave();
}

void wwt_stream_began(wwt_library *library, CURL *easy, const void *session, uint32_t stream) {
    wwt_http2_id http2 = wwt_http2_find(session);
    const wwt_handle *handle = wwt_handle_of(easy);
    if (!http2.number || !handle || !handle->active || handle->active->library != library) return;
    wwt_transfer *transfer = handle->active;
    if (!wwt_output_enter(transfer->generation)) return;
    // A redirect may lead to another session. The parts of the old session that were not sent yet belong to this
    // transfer.
    if (transfer->http2.number != http2.number) wwt_http2_report(transfer->http2);
    transfer->http2 = http2;
    wwt_source source = wwt_transfer_source(transfer);
    wwt_http2_set_socket(http2, wwt_socket_carrying(&source));
    wwt_stream_body body = {.session = http2.number, .stream = stream};
    wwt_frames_add(&transfer->frames, WWT_STREAM, wwt_now(), &body, sizeof body);
    wwt_output_leave();
}

#endif
