// One transfer under the tap. Everything here runs on the thread that drives the transfer; nothing is shared between
// transfers but the way out.

#ifdef __linux__
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "CHTTPWire.h"
#include "frames.h"
#include "outlet.h"
#include "transfer.h"

/// How much may pass, and for how long, before a running transfer is told about again.
#define TELL_BYTES (256u << 10)
#define TELL_NANOSECONDS 100000000u

struct wwt_transfer {
    uint32_t generation;
    CURLcode result;
    bool has_result;
    bool head_complete;      // the request's head ended with its empty line
    bool head_begun;
    bool foreign;            // no HTTP
    bool is_silent;          // its end is not told
    bool out_told, in_told;  // the meters have not moved since they were last told
    uint8_t head_matched;    // how much of CR LF CR LF has just passed
    wwt_library *library;
    wwt_handle *handle;
    wwt_frames frames;
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
        .digest = ww_xxh64_digest(&meter->digest),
        .chunk_content = meter->chunks.content,
        .chunk_framing = meter->chunks.framing,
        .chunk_digest = ww_xxh64_digest(&meter->content_digest),
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

static void send_frames(wwt_transfer *transfer, uint64_t now, bool last) {
    transfer->told_at = now;
    wwt_frames_send(&transfer->frames, last);
}

// MARK: what libcurl tells

static wwt_times read_times(const wwt_transfer *transfer) {
    static const CURLINFO which[] = {
        CURLINFO_QUEUE_TIME_T, CURLINFO_NAMELOOKUP_TIME_T, CURLINFO_CONNECT_TIME_T, CURLINFO_APPCONNECT_TIME_T,
        CURLINFO_PRETRANSFER_TIME_T, CURLINFO_STARTTRANSFER_TIME_T, CURLINFO_TOTAL_TIME_T, CURLINFO_REDIRECT_TIME_T,
    };
    int64_t times[8];
    for (int i = 0; i < 8; i++) {
        times[i] = -1;
        transfer->library->easy_getinfo(transfer->handle->easy, which[i], &times[i]);
    }
    return (wwt_times){times[0], times[1], times[2], times[3], times[4], times[5], times[6], times[7]};
}

static long read_long(const wwt_transfer *transfer, CURLINFO which) {
    long value = 0;
    transfer->library->easy_getinfo(transfer->handle->easy, which, &value);
    return value;
}

static const char *read_text(const wwt_transfer *transfer, CURLINFO which) {
    const char *value = NULL;
    transfer->library->easy_getinfo(transfer->handle->easy, which, &value);
    return value ? value : "";
}

static int read_socket(const wwt_transfer *transfer) {
    int socket = -1;
    transfer->library->easy_getinfo(transfer->handle->easy, CURLINFO_ACTIVESOCKET, &socket);
    uint32_t local_port = (uint32_t)read_long(transfer, CURLINFO_LOCAL_PORT);
    // Until a request has ended, it may be that of the request before, on another connection: in 7.88 and 8.14 it is.
    if (socket >= 0 && wwt_local_port(socket) == local_port) return socket;
    int before = errno;
    socket = wwt_socket_of(local_port, (uint32_t)read_long(transfer, CURLINFO_PRIMARY_PORT));
    errno = before;
    return socket;
}

/// What its connection has carried; nothing where libcurl does not tell which one that is.
static void read_counts(const wwt_transfer *transfer, wwt_tcp *tcp, wwt_plaintext *plaintext) {
    int socket = read_socket(transfer);
    if (socket < 0) return;
    *tcp = wwt_read_tcp(socket, false);
    *plaintext = wwt_tls_read(socket);
}

static wwt_tls_session read_tls(const wwt_transfer *transfer) {
    wwt_tls_session tls = {.version = "", .cipher = ""};
    const struct curl_tlssessioninfo *info = NULL;
    transfer->library->easy_getinfo(transfer->handle->easy, CURLINFO_TLS_SSL_PTR, &info);
    if (!info || !info->internals) return tls;
    if (info->backend != CURLSSLBACKEND_OPENSSL && info->backend != CURLSSLBACKEND_GNUTLS) return tls;
    tls.session = info->internals;
    tls.is_gnutls = info->backend == CURLSSLBACKEND_GNUTLS;
    wwt_tls_describe(&transfer->library->words, &tls);
    return tls;
}

/// Tells of the connection that a request goes over, when it is new or TLS has begun on it.
static void connection_frame(wwt_transfer *transfer, uint64_t now, bool is_secure, const wwt_request_body *request) {
    bool is_new = request->connects > transfer->connects_told;
    bool counts_tls = is_secure && wwt_below_follows_tls(wwt_number_of(transfer->library));
    if (!is_new && !counts_tls) return;
    int socket = read_socket(transfer);
    if (!is_new && wwt_tls_read(socket).known) return;
    transfer->connects_told = request->connects;
    wwt_tls_session tls = read_tls(transfer);
    if (tls.session) wwt_tls_set_socket(tls.session, socket);
    const char *local = read_text(transfer, CURLINFO_LOCAL_IP), *peer = read_text(transfer, CURLINFO_PRIMARY_IP);
    const char *texts[] = {local, peer, tls.version, tls.cipher, tls.protocol};
    wwt_connection_body body = {
        .local_port = request->local_port,
        .remote_port = request->remote_port,
        .uses_tls = tls.session != NULL,
    };
    read_counts(transfer, &body.tcp, &body.plaintext);
    size_t size = sizeof body;
    for (int i = 0; i < 5; i++) size += sizeof(uint32_t) + wwt_text_length(texts[i]);
    if (!wwt_frames_begin(&transfer->frames, WWT_CONNECTION, now, size)) return;
    wwt_frames_append(&transfer->frames, &body, sizeof body);
    for (int i = 0; i < 5; i++) wwt_frames_append_text(&transfer->frames, texts[i], wwt_text_length(texts[i]));
}

static void request_frame(wwt_transfer *transfer, uint64_t now, const char *url) {
    const char *peer = read_text(transfer, CURLINFO_PRIMARY_IP);
    size_t url_length = wwt_text_length(url), peer_length = wwt_text_length(peer);
    wwt_request_body body = {
        .times = read_times(transfer),
        .connects = read_long(transfer, CURLINFO_NUM_CONNECTS),
        .header_size = read_long(transfer, CURLINFO_HEADER_SIZE),
        .local_port = (uint32_t)read_long(transfer, CURLINFO_LOCAL_PORT),
        .remote_port = (uint32_t)read_long(transfer, CURLINFO_PRIMARY_PORT),
    };
    // From 8.5 on libcurl does not show the body of a redirect or a challenge that it follows itself.
    if (transfer->head_begun && transfer->in.bytes == 0) read_counts(transfer, &body.tcp, &body.plaintext);
    if (!wwt_frames_begin(&transfer->frames, WWT_REQUEST, now, sizeof body + 8 + url_length + peer_length)) return;
    wwt_frames_append(&transfer->frames, &body, sizeof body);
    wwt_frames_append_text(&transfer->frames, url, url_length);
    wwt_frames_append_text(&transfer->frames, peer, peer_length);
    connection_frame(transfer, now, strncasecmp(url, "https://", 8) == 0, &body);
}

static void end_frame(wwt_transfer *transfer, enum wwt_end_how how, uint64_t now) {
    const char *url = read_text(transfer, CURLINFO_EFFECTIVE_URL);
    const char *peer = read_text(transfer, CURLINFO_PRIMARY_IP);
    const char *error = transfer->has_result && transfer->result != CURLE_OK
        ? transfer->library->easy_strerror(transfer->result) : "";
    size_t url_length = wwt_text_length(url), peer_length = wwt_text_length(peer), error_length = wwt_text_length(error);
    wwt_end_body body = {
        .times = read_times(transfer),
        .how = how,
        .result = transfer->result,
        .header_size = read_long(transfer, CURLINFO_HEADER_SIZE),
        .connects = read_long(transfer, CURLINFO_NUM_CONNECTS),
        .local_port = (uint32_t)read_long(transfer, CURLINFO_LOCAL_PORT),
        .remote_port = (uint32_t)read_long(transfer, CURLINFO_PRIMARY_PORT),
        .http_version = (int32_t)read_long(transfer, CURLINFO_HTTP_VERSION),
        .os_errno = (int32_t)read_long(transfer, CURLINFO_OS_ERRNO),
    };
    read_counts(transfer, &body.tcp, &body.plaintext);
    if (!wwt_frames_begin(&transfer->frames, WWT_END, now, sizeof body + 12 + url_length + peer_length + error_length)) return;
    wwt_frames_append(&transfer->frames, &body, sizeof body);
    wwt_frames_append_text(&transfer->frames, url, url_length);
    wwt_frames_append_text(&transfer->frames, peer, peer_length);
    wwt_frames_append_text(&transfer->frames, error, error_length);
}

static void head_out(wwt_transfer *transfer, const char *bytes, size_t count) {
    uint64_t now = wwt_now();
    if (!transfer->head_begun || transfer->head_complete) {
        const char *url = read_text(transfer, CURLINFO_EFFECTIVE_URL);
        // Other protocols show their commands as if they were heads.
        transfer->foreign = strncasecmp(url, "http://", 7) != 0 && strncasecmp(url, "https://", 8) != 0;
        if (transfer->foreign) return;
        tell_meters(transfer);
        // The request ends the one before it, whose frames of HTTP/2 must have been told by then.
        if (transfer->head_begun) wwt_http2_tell(transfer->http2);
        request_frame(transfer, now, url);
        transfer->head_begun = true;
        transfer->head_complete = false;
        transfer->head_matched = 0;
        transfer->out_kept = transfer->in_kept = 0;
        ww_body_meter_begin(&transfer->out);
        ww_body_meter_begin(&transfer->in);
    }
    for (size_t i = 0; i < count && transfer->head_matched < 4; i++) {
        char expected = transfer->head_matched & 1 ? '\n' : '\r';
        transfer->head_matched = bytes[i] == expected ? transfer->head_matched + 1 : bytes[i] == '\r';
    }
    transfer->head_complete = transfer->head_matched == 4;
    wwt_frames_add_head(&transfer->frames, WWT_HEAD_OUT, bytes, count);
    if (transfer->head_complete) send_frames(transfer, now, false);
}

static void head_in(wwt_transfer *transfer, const char *bytes, size_t count) {
    if (!transfer->head_begun) return;
    // The empty line. Where its CR came in an earlier read, libcurl 7 shows as many bytes as it has, but the wrong ones.
    if (count <= 2 && (bytes[0] == '\r' || bytes[0] == '\n')) bytes = count == 2 ? "\r\n" : "\n";
    // Each response's head has a frame of its own, and with it its own time.
    if (count > 5 && memcmp(bytes, "HTTP/", 5) == 0) transfer->frames.open_head = 0;
    wwt_frames_add_head(&transfer->frames, WWT_HEAD_IN, bytes, count);
    // Behind the empty line: what follows may take its time.
    if (count <= 2 && bytes[count - 1] == '\n') send_frames(transfer, wwt_now(), false);
}

static void keep_content(
    wwt_transfer *transfer, enum wwt_frame_kind kind, uint32_t *kept, uint64_t now, const char *bytes, size_t count) {
    size_t room = wwt_outlet_keep_body() - *kept;
    size_t left = count < room ? count : room;
    *kept += (uint32_t)left;
    while (left) {
        size_t piece = left < WWT_MOST_PIECE ? left : WWT_MOST_PIECE;
        wwt_frames_add(&transfer->frames, kind, now, bytes, piece);
        if (transfer->frames.length >= TELL_BYTES) send_frames(transfer, now, false);
        bytes += piece;
        left -= piece;
    }
}

static void body_bytes(wwt_transfer *transfer, bool out, const char *bytes, size_t count) {
    uint64_t now = wwt_now();
    ww_body_meter *meter = out ? &transfer->out : &transfer->in;
    uint64_t *first = out ? &transfer->out_first : &transfer->in_first;
    if (!transfer->head_begun) return; // not HTTP: a protocol that sends no head
    if (meter->bytes == 0) *first = now;
    *(out ? &transfer->out_last : &transfer->in_last) = now;
    *(out ? &transfer->out_told : &transfer->in_told) = false;
    ww_body_meter_add(meter, (const uint8_t *)bytes, count);
    uint32_t *kept = out ? &transfer->out_kept : &transfer->in_kept;
    if (*kept < wwt_outlet_keep_body()) {
        keep_content(transfer, out ? WWT_CONTENT_OUT : WWT_CONTENT_IN, kept, now, bytes, count);
    }
    transfer->untold_bytes += count;
    // The first bytes at once, in case no more come: who is killed then should not have lost them.
    bool is_first = meter->bytes == count;
    if (is_first || transfer->untold_bytes >= TELL_BYTES || now - transfer->told_at >= TELL_NANOSECONDS) {
        tell_meters(transfer);
        send_frames(transfer, now, false);
    }
}

static void see(wwt_transfer *transfer, int type, const char *bytes, size_t count) {
    if (count == 0 || transfer->foreign || !wwt_outlet_enter(transfer->generation)) return;
    int before = errno; // libcurl may be about to look at it
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

/// What libcurl does in verbose mode when the program has set no debug function.
static void log_as_libcurl(const wwt_handle *handle, int type, const char *bytes, size_t count) {
    static const char *const marks[] = {"* ", "< ", "> "};
    if (type < INFO_TEXT || type > INFO_HEADER_OUT) return;
    FILE *file = handle->log ? handle->log : stderr;
    fwrite(marks[type], 2, 1, file);
    fwrite(bytes, count, 1, file);
}

static int debug_function(CURL *easy, int type, char *bytes, size_t count, void *user) {
    // libcurl copies our function into handles of its own making, such as those of pushed streams, which may outlive
    // the transfer: it is asked for only once it is known to be this handle's.
    const wwt_handle *handle = wwt_handle_of(easy);
    if (!handle || !handle->active || handle->active != user) return 0;
    see(handle->active, type, bytes, count);
    if (!handle->verbose) return 0;
    if (handle->debug) return handle->debug(easy, type, bytes, count, handle->debug_data);
    log_as_libcurl(handle, type, bytes, count);
    return 0;
}

void wwt_stream_began(wwt_library *library, CURL *easy, const void *session, uint32_t stream) {
    wwt_http2_id http2 = wwt_http2_find(session);
    const wwt_handle *handle = wwt_handle_of(easy);
    if (!http2.number || !handle || !handle->active || handle->active->library != library) return;
    wwt_transfer *transfer = handle->active;
    if (!wwt_outlet_enter(transfer->generation)) return;
    // A redirect may lead to another session: what is left to tell of the one before belongs to this transfer.
    if (transfer->http2.number != http2.number) wwt_http2_tell(transfer->http2);
    transfer->http2 = http2;
    wwt_http2_set_socket(http2, read_socket(transfer));
    wwt_stream_body body = {.session = http2.number, .stream = stream};
    wwt_frames_add(&transfer->frames, WWT_STREAM, wwt_now(), &body, sizeof body);
    wwt_outlet_leave();
}

// MARK: begin and end

void wwt_transfer_take_options(wwt_transfer *transfer) {
    wwt_handle *handle = transfer->handle;
    CURLcode (*set)(CURL *, CURLoption, ...) = transfer->library->next.easy_setopt;
    set(handle->easy, CURLOPT_DEBUGFUNCTION, debug_function);
    set(handle->easy, CURLOPT_DEBUGDATA, transfer);
    set(handle->easy, CURLOPT_VERBOSE, 1L);
    wwt_transfer_place_log(transfer);
    wwt_transfer_take_closer(transfer);
}

void wwt_transfer_take_closer(wwt_transfer *transfer) {
    wwt_handle *handle = transfer->handle;
    // What the program had set before we looked is not ours to replace.
    if (!wwt_history_is_known(handle) && !handle->closes.function && !handle->closer_placed) return;
    void *closer = wwt_closer_for(handle->closes);
    if (!closer && !handle->closer_placed) return;
    CURLcode (*set)(CURL *, CURLoption, ...) = transfer->library->next.easy_setopt;
    handle->closer_placed = closer != NULL;
    set(handle->easy, CURLOPT_CLOSESOCKETFUNCTION, closer ? wwt_close_socket : handle->closes.function);
    set(handle->easy, CURLOPT_CLOSESOCKETDATA, closer ? closer : handle->closes.client);
}

static FILE *nowhere;

static ssize_t write_nowhere(void *cookie, const char *bytes, size_t count) {
    (void)cookie;
    (void)bytes;
    return (ssize_t)count;
}

static void open_nowhere(void) {
    // A file without a descriptor: descriptors are the program's.
    nowhere = fopencookie(NULL, "w", (cookie_io_functions_t){.write = write_nowhere});
}

bool wwt_can_hide_logs(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, open_nowhere);
    return nowhere != NULL;
}

void wwt_transfer_place_log(wwt_transfer *transfer) {
    wwt_handle *handle = transfer->handle;
    bool hide = handle->asks_doh && !handle->verbose && wwt_can_hide_logs();
    if (hide == handle->log_hidden) return;
    handle->log_hidden = hide;
    transfer->library->next.easy_setopt(handle->easy, CURLOPT_STDERR, hide ? nowhere : handle->log);
}

void wwt_give_options_back(wwt_library *library, wwt_handle *handle) {
    CURLcode (*set)(CURL *, CURLoption, ...) = library->next.easy_setopt;
    set(handle->easy, CURLOPT_VERBOSE, handle->verbose);
    set(handle->easy, CURLOPT_DEBUGFUNCTION, handle->debug);
    set(handle->easy, CURLOPT_DEBUGDATA, handle->debug_data);
    if (handle->log_hidden) set(handle->easy, CURLOPT_STDERR, handle->log);
    handle->log_hidden = false;
    if (!handle->closer_placed) return;
    handle->closer_placed = false;
    set(handle->easy, CURLOPT_CLOSESOCKETFUNCTION, handle->closes.function);
    set(handle->easy, CURLOPT_CLOSESOCKETDATA, handle->closes.client);
}

wwt_transfer *wwt_transfer_begin(wwt_library *library, wwt_handle *handle) {
    wwt_transfer *transfer = calloc(1, sizeof *transfer);
    if (!transfer) return NULL;
    transfer->frames.transfer = __atomic_add_fetch(&next_id, 1, __ATOMIC_RELAXED);
    transfer->generation = wwt_outlet_generation();
    transfer->library = library;
    transfer->handle = handle;
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
        end_frame(transfer, transfer->has_result ? WWT_END_DONE : how, wwt_now());
        wwt_outlet_leave();
    }
    wwt_give_options_back(transfer->library, transfer->handle);
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

uint32_t wwt_transfer_forget(wwt_transfer *transfer) {
    free(transfer->frames.bytes);
    free(transfer);
    return __atomic_sub_fetch(&running, 1, __ATOMIC_SEQ_CST);
}

#else

#include "CCurlTap.h"

uint32_t wwt_running(void) { return 0; }

#endif
