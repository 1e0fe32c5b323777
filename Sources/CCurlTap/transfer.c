// One transfer under the tap. Everything here runs on the thread that drives the transfer. Transfers share nothing but
// the outlet.

#ifdef __linux__
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "CHTTPWire.h"
#include "transfer_info.h"
#include "foundation_timeout.h"
#include "handle_options.h"
#include "frame_output.h"
#include "transfer.h"

/// After how many bytes, or how much time, the tap reports on a running transfer again.
#define TELL_BYTES (256u << 10)
#define TELL_NANOSECONDS 100000000u
/// How many bytes of kept bodies are sent at once.
#define MOST_CONTENTS (48u << 10)

struct wwt_transfer {
    uint32_t generation;
    CURLcode result;
    bool has_result;
    bool head_complete;      // the request's headers ended with their empty line
    bool head_begun;
    bool foreign;            // not HTTP, until the next request
    bool asks;               // resolves names over HTTPS
    bool tunnels;            // the request is a CONNECT
    bool asks_websocket;     // by its field `Upgrade`
    bool url_is_foreign;     // the request's URL is not one of HTTP: it went to a proxy
    bool in_complete;        // the response's headers ended with their empty line
    bool becomes_http2;      // by a 101
    uint16_t status;         // of the newest response
    int64_t heads;           // bytes of responses' status lines and headers
    bool has_ends;           // `ends` are those of its connection, found without libcurl
    bool is_silent;          // its end is not reported
    bool was_in;             // the last piece that libcurl showed was a part of a response
    bool is_done;            // right after a piece of a response, libcurl has said that it is done
    bool out_told, in_told;  // the meters have not moved since the last report
    uint8_t head_matched;    // how many bytes of CR LF CR LF have just passed
    wwt_ends ends;
    long ends_connects;      // how many connections had been opened when they were found
    int64_t turned_at;       // when libcurl moved on to the request that it showed last
    wwt_library *library;
    wwt_handle *handle;
    wwt_frames frames;
    wwt_frames contents; // kept content of bodies, in frames of its own because it gives way to all others
    uint64_t told_at, untold_bytes;
    uint64_t out_first, out_last, in_first, in_last;
    uint32_t out_kept, in_kept;
    int64_t connects_told;
    wwt_http2_id http2; // the session that carries it
    ww_body_meter out, in;
};

static uint64_t next_id;
static uint32_t running;

uint32_t wwt_running(void) { return __atomic_load_n(&running, __ATOMIC_SEQ_CST); }

// MARK: frames

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

static void tell_meters(wwt_transfer *transfer) {
    if (!transfer->out_told) {
        meter_frame(transfer, WWT_BODY_OUT, &transfer->out, transfer->out_first, transfer->out_last);
    }
    if (!transfer->in_told) {
        meter_frame(transfer, WWT_BODY_IN, &transfer->in, transfer->in_first, transfer->in_last);
    }
    transfer->out_told = transfer->in_told = true;
    transfer->untold_bytes = 0;
}

static wwt_source source_of(const wwt_transfer *transfer) {
    return (wwt_source){transfer->library, transfer->handle->easy, transfer->has_ends ? &transfer->ends : NULL};
}

/// From 8 on, while libcurl requests a tunnel from a proxy, it names no ports or those of the previous request. From
/// 8.21 on it names none for its own handles. So the connection is the one over which this request's `head` bytes have
/// gone.
static void find_ends(wwt_transfer *transfer, size_t head, bool tunnels) {
    wwt_source source = source_of(transfer);
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

/// For a request that was never sent, libcurl names no ports before its verdict, or those of the previous request. The
/// connection is then the one that this thread has opened and over which no request has gone.
static void find_unused_ends(wwt_transfer *transfer) {
    wwt_source source = source_of(transfer);
    if (transfer->head_begun && wwt_turned_at(&source) <= transfer->turned_at) return;
    uint32_t named = wwt_named_port(&source);
    transfer->has_ends = wwt_socket_unused(&transfer->ends);
    transfer->ends.instead_of = named;
}

static void send_frames(wwt_transfer *transfer, uint64_t now, bool last) {
    transfer->told_at = now;
    wwt_frames_send(&transfer->frames, last);
}

// MARK: what libcurl shows

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

/// Whether bytes start with a request line to a proxy (RFC 9112, section 3.2): in absolute or in authority form.
static bool asks_proxy(const char *bytes, size_t count) {
    const char *end = memchr(bytes, '\r', count);
    size_t length = end ? (size_t)(end - bytes) : 0;
    if (length < sizeof "CONNECT HTTP/1.1" || memcmp(end - 9, " HTTP/1.", 8) != 0) return false;
    return memcmp(bytes, "CONNECT ", 8) == 0 || memmem(bytes, length, "://", 3);
}

/// From here on the transfer is not HTTP, until a request shows otherwise.
static void leave_http(wwt_transfer *transfer, uint64_t now) {
    tell_meters(transfer);
    wwt_frames_add(&transfer->frames, WWT_FOREIGN, now, NULL, 0);
    transfer->foreign = true;
    send_frames(transfer, now, false);
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
    wwt_source source = source_of(transfer);
    const char *url = wwt_url_of(&source);
    wwt_websocket_await(
        wwt_socket_carrying(&source), wwt_has_scheme(url, "wss://") || wwt_has_scheme(url, "https://"));
}

static void head_out(wwt_transfer *transfer, const char *bytes, size_t count) {
    uint64_t now = wwt_now();
    if (!transfer->head_begun || transfer->head_complete) {
        find_ends(transfer, count, count > 8 && memcmp(bytes, "CONNECT ", 8) == 0);
        wwt_source source = source_of(transfer);
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
        tell_meters(transfer);
        // This request ends the one before it. The HTTP/2 frames of that one must have been sent by then.
        if (transfer->head_begun) wwt_http2_tell(transfer->http2);
        // From 8.5 on libcurl does not show the body of a redirect or a challenge that it follows itself.
        bool may_hide_body = transfer->head_begun && transfer->in.bytes == 0;
        transfer->connects_told =
            wwt_tell_request(&source, &transfer->frames, now, url, may_hide_body, transfer->connects_told);
        transfer->head_begun = true;
        transfer->head_complete = false;
        transfer->head_matched = 0;
        transfer->out_kept = transfer->in_kept = 0;
        ww_body_meter_begin(&transfer->out);
        ww_body_meter_begin(&transfer->in);
    }
    if (asks_websocket(bytes, count)) transfer->asks_websocket = true;
    match_end(transfer, bytes, count);
    transfer->head_complete = transfer->head_matched == 4;
    if (transfer->head_complete && transfer->asks_websocket) await_websocket(transfer);
    wwt_frames_add_head(&transfer->frames, WWT_HEAD_OUT, bytes, count);
    if (transfer->head_complete) send_frames(transfer, now, false);
}

/// Whether a redirect has led to another protocol, in which the server sends first.
static bool has_left_http(const wwt_transfer *transfer) {
    wwt_source source = source_of(transfer);
    return transfer->in_complete && !transfer->url_is_foreign && !wwt_is_http(wwt_url_of(&source));
}

/// The response's headers are complete, except for the empty line, which libcurl may not show.
static void end_head_in(wwt_transfer *transfer, uint64_t now) {
    bool has_tunnel = transfer->tunnels && transfer->url_is_foreign && transfer->status / 100 == 2;
    bool has_switched = transfer->status == 101 && !transfer->becomes_http2;
    transfer->in_complete = transfer->status >= 200 || has_switched;
    if (has_tunnel || has_switched) return leave_http(transfer, now);
    // Send now, because the body may take its time.
    send_frames(transfer, now, false);
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
        && wwt_outlet_emit(contents->bytes, contents->length, false);
    contents->length = 0;
    contents->lost = false;
    return sent;
}

static void keep_content(
    wwt_transfer *transfer, enum wwt_frame_kind kind, uint32_t *kept, uint64_t now, const char *bytes, size_t count) {
    size_t room = wwt_outlet_keep_body() - *kept;
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
            *kept = wwt_outlet_keep_body();
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
    *(out ? &transfer->out_told : &transfer->in_told) = false;
    ww_body_meter_add(meter, (const uint8_t *)bytes, count);
    uint32_t *kept = out ? &transfer->out_kept : &transfer->in_kept;
    if (*kept < wwt_outlet_keep_body()) {
        keep_content(transfer, out ? WWT_CONTENT_OUT : WWT_CONTENT_IN, kept, now, bytes, count);
    }
    transfer->untold_bytes += count;
    // Report the first bytes at once, in case no more come: a program that is killed then should not have lost them.
    bool is_first = meter->bytes == count;
    if (is_first || transfer->untold_bytes >= TELL_BYTES || now - transfer->told_at >= TELL_NANOSECONDS) {
        tell_meters(transfer);
        send_frames(transfer, now, false);
    }
}

static void see(wwt_transfer *transfer, int type, const char *bytes, size_t count) {
    if (count == 0 || (transfer->foreign && type != INFO_HEADER_OUT) || !wwt_outlet_enter(transfer->generation)) return;
    int before = errno; // libcurl may be about to read it
    switch (type) {
    case INFO_HEADER_OUT: head_out(transfer, bytes, count); break;
    case INFO_HEADER_IN: head_in(transfer, bytes, count); break;
    case INFO_DATA_OUT: body_bytes(transfer, true, bytes, count); break;
    case INFO_DATA_IN: body_bytes(transfer, false, bytes, count); break;
    default: break;
    }
    errno = before;
    wwt_outlet_leave();
}

/// Does what libcurl does in verbose mode if the program has set no debug function.
static void log_as_libcurl(const wwt_handle *handle, int type, const char *bytes, size_t count) {
    static const char *const marks[] = {"* ", "< ", "> "};
    if (type < INFO_TEXT || type > INFO_HEADER_OUT) return;
    FILE *file = handle->log ? handle->log : stderr;
    fwrite(marks[type], 2, 1, file);
    fwrite(bytes, count, 1, file);
}

/// Whether a text is one of those that libcurl writes to trace OpenSSL's handshakes (`ossl_trace`): a version of TLS, a
/// direction, a message and its number. libcurl does so only if a debug function is set.
static bool is_tls_trace(const char *bytes, size_t count) {
    static const char end[] = "):\n";
    if (count < 16 || memcmp(bytes + count - 3, end, 3) != 0) return false;
    return memmem(bytes, 16, " (OUT), ", 8) || memmem(bytes, 16, " (IN), ", 7);
}

/// Whether a text is the one that libcurl writes when it is done with a transfer and still has its handle.
static bool is_done_text(const char *bytes, size_t count) {
    return memmem(bytes, count, " left intact", 12) || memmem(bytes, count, "losing connection", 17);
}

/// Whether a text is one that libcurl writes about the connection of a transfer that ended well. libcurl also writes
/// the first one after a failure if the connection can be used again (HTTP/2), but then it has named the error before.
static bool is_rest_text(const char *bytes, size_t count) {
    return memmem(bytes, count, " left intact", 12) || memmem(bytes, count, "shutting down connection", 24);
}

/// Looks for the end of a transfer whose result the program may never request.
static void follow_end(wwt_transfer *transfer, int type, const char *bytes, size_t count) {
    if (type == INFO_TEXT) {
        transfer->is_done = transfer->was_in && is_rest_text(bytes, count);
        transfer->was_in = false;
    } else if (type != INFO_DATA_OUT) {
        transfer->was_in = type == INFO_HEADER_IN || type == INFO_DATA_IN;
        transfer->is_done = false;
    }
}

static int debug_function(CURL *easy, int type, char *bytes, size_t count, void *user) {
    // libcurl copies our function into handles of its own making, such as those of pushed streams. They may outlive the
    // transfer, so `user` is used only after the handle is known to be this transfer's.
    const wwt_handle *handle = wwt_handle_of(easy);
    if (!handle || !handle->active || handle->active != user) return 0;
    follow_end(handle->active, type, bytes, count);
    if (type != INFO_TEXT) see(handle->active, type, bytes, count);
    int code = 0;
    if (handle->verbose && handle->debug) {
        code = handle->debug(easy, type, bytes, count, handle->debug_data);
    } else if (handle->verbose && (type != INFO_TEXT || !is_tls_trace(bytes, count))) {
        log_as_libcurl(handle, type, bytes, count);
    }
    if (handle->is_libcurls && type == INFO_TEXT && is_done_text(bytes, count)) wwt_end_libcurls(easy);
    return code;
}

void wwt_stream_began(wwt_library *library, CURL *easy, const void *session, uint32_t stream) {
    wwt_http2_id http2 = wwt_http2_find(session);
    const wwt_handle *handle = wwt_handle_of(easy);
    if (!http2.number || !handle || !handle->active || handle->active->library != library) return;
    wwt_transfer *transfer = handle->active;
    if (!wwt_outlet_enter(transfer->generation)) return;
    // A redirect may lead to another session. The parts of the old session that were not sent yet belong to this
    // transfer.
    if (transfer->http2.number != http2.number) wwt_http2_tell(transfer->http2);
    transfer->http2 = http2;
    wwt_source source = source_of(transfer);
    wwt_http2_set_socket(http2, wwt_socket_carrying(&source));
    wwt_stream_body body = {.session = http2.number, .stream = stream};
    wwt_frames_add(&transfer->frames, WWT_STREAM, wwt_now(), &body, sizeof body);
    wwt_outlet_leave();
}

// MARK: begin and end

void wwt_transfer_take_options(wwt_transfer *transfer) {
    wwt_options_take(transfer->library, transfer->handle, debug_function, transfer);
}

bool wwt_is_our_debug(const wwt_handle *handle) { return handle->debug == debug_function; }

const void *wwt_transfer_take_over(wwt_handle *copy) {
    if (!wwt_is_our_debug(copy)) {
        if (wwt_is_hidden(copy->log)) copy->verbose = 0;
        return NULL;
    }
    // libcurl makes the copy for this transfer, which therefore runs.
    const wwt_transfer *asking = copy->debug_data;
    const wwt_handle *from = asking->handle;
    copy->verbose = from->verbose;
    copy->debug = from->debug;
    copy->debug_data = from->debug_data;
    free(copy->doh_url);
    copy->doh_url = from->doh_url ? strdup(from->doh_url) : NULL;
    return asking;
}

wwt_transfer *wwt_transfer_begin(wwt_library *library, wwt_handle *handle) {
    wwt_transfer *transfer = calloc(1, sizeof *transfer);
    if (!transfer) return NULL;
    transfer->frames.transfer = __atomic_add_fetch(&next_id, 1, __ATOMIC_RELAXED);
    transfer->contents.transfer = transfer->frames.transfer;
    transfer->generation = wwt_outlet_generation();
    transfer->library = library;
    transfer->handle = handle;
    transfer->asks = handle->asks_doh;
    transfer->out_told = transfer->in_told = true;
    __atomic_add_fetch(&running, 1, __ATOMIC_SEQ_CST);
    uint64_t now = wwt_now();
    wwt_begin_body body = {(uint64_t)(uintptr_t)handle->easy};
    wwt_frames_add(&transfer->frames, WWT_BEGIN, now, &body, sizeof body);
    transfer->told_at = now;
    wwt_transfer_take_options(transfer);
    return transfer;
}

void wwt_transfer_result(wwt_transfer *transfer, CURLcode result) {
    transfer->result = result;
    transfer->has_result = true;
}

bool wwt_transfer_asks(const wwt_transfer *transfer) { return transfer->asks; }

bool wwt_transfer_has_result(const wwt_transfer *transfer) { return transfer->has_result; }

static void report_lost(const wwt_transfer *transfer, uint64_t now) {
    struct {
        wwt_frame frame;
        wwt_lost_body body;
    } lost = {{sizeof lost, WWT_LOST, transfer->frames.transfer, now}, {1, WWT_LOST_BUFFER_FULL, 0}};
    wwt_outlet_emit(&lost, sizeof lost, true);
}

void wwt_transfer_conclude(wwt_transfer *transfer, enum wwt_end_how how, bool tell) {
    if (tell && wwt_outlet_enter(transfer->generation)) {
        tell_meters(transfer);
        if (transfer->has_result) how = WWT_END_DONE;
        if (how == WWT_END_REMOVED) find_unused_ends(transfer);
        wwt_source source = source_of(transfer);
        uint64_t now = wwt_now();
        uint32_t patience = how == WWT_END_REMOVED ? wwt_foundation_timeout(transfer->handle->client) : 0;
        bool is_done = how == WWT_END_REMOVED && transfer->is_done;
        wwt_tell_end(&source, &transfer->frames, now, how, transfer->result, patience, is_done);
        wwt_outlet_leave();
    }
    // libcurl uses its own handles only once, so their options need no restoring.
    if (!transfer->handle->is_libcurls) wwt_options_give_back(transfer->library, transfer->handle);
    transfer->handle = NULL;
    transfer->is_silent = !tell;
}

uint32_t wwt_transfer_end(wwt_transfer *transfer) {
    if (!transfer->is_silent && wwt_outlet_enter(transfer->generation)) {
        uint64_t now = wwt_now();
        wwt_http2_tell(transfer->http2);
        send_frames(transfer, now, true);
        if (transfer->frames.lost) report_lost(transfer, now);
        wwt_outlet_leave();
    }
    return wwt_transfer_forget(transfer);
}

uint32_t wwt_transfer_end_without_handle(wwt_transfer *transfer) {
    transfer->handle = NULL;
    if (wwt_outlet_enter(transfer->generation)) {
        tell_meters(transfer);
        wwt_tell_bare_end(&transfer->frames, wwt_now(), transfer->heads);
        wwt_outlet_leave();
    }
    return wwt_transfer_end(transfer);
}

uint32_t wwt_transfer_forget(wwt_transfer *transfer) {
    free(transfer->frames.bytes);
    free(transfer->contents.bytes);
    free(transfer);
    return __atomic_sub_fetch(&running, 1, __ATOMIC_SEQ_CST);
}

#else

#include "CCurlTap.h"

uint32_t wwt_running(void) { return 0; }

#endif
