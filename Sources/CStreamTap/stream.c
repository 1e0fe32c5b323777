#include "stream.h"

#ifdef __linux__
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "clock.h"
#include "connection.h"
#include "frame_output.h"

/// After how many bytes, or how much time, a running exchange is reported again.
#define REPORT_BYTES (256u << 10)
#define REPORT_NANOSECONDS 100000000u
/// Transfers of libcurl have numbers below.
#define FIRST_TRANSFER (UINT64_C(1) << 62)

static uint64_t next_transfer = FIRST_TRANSFER;

wws_stream *wws_stream_create(bool is_secure) {
    wws_stream *stream = calloc(1, sizeof *stream);
    if (!stream) return NULL;
    stream->is_secure = is_secure;
    ww_http1_begin(&stream->scanner);
    return stream;
}

static void free_exchanges(wws_stream *stream) {
    while (stream->first) {
        wws_exchange *exchange = stream->first;
        stream->first = exchange->next;
        free(exchange);
    }
    stream->last = NULL;
}

void wws_stream_free(wws_stream *stream) {
    if (!stream) return;
    free_exchanges(stream);
    free(stream->spare);
    free(stream->head);
    free(stream->early);
    free(stream->frames.bytes);
    free(stream);
}

// MARK: exchanges

static wws_exchange *add_exchange(wws_stream *stream, uint64_t now) {
    wws_exchange *exchange = stream->spare;
    stream->spare = NULL;
    if (!exchange && !(exchange = malloc(sizeof *exchange))) return NULL;
    // The meters hold large hash states, which they set up themselves.
    memset(exchange, 0, offsetof(wws_exchange, out));
    ww_body_meter_begin(&exchange->out, wwt_output_skips_digests());
    ww_body_meter_begin(&exchange->in, wwt_output_skips_digests());
    exchange->out_reported = exchange->in_reported = true;
    exchange->began = exchange->last = now;
    if (stream->last) stream->last->next = exchange;
    else stream->first = exchange;
    return stream->last = exchange;
}

static void remove_exchange(wws_stream *stream, wws_exchange *exchange) {
    wws_exchange *before = NULL;
    for (wws_exchange *each = stream->first; each && each != exchange; each = each->next) before = each;
    if (before) before->next = exchange->next;
    else stream->first = exchange->next;
    if (stream->last == exchange) stream->last = before;
    if (stream->spare) free(exchange);
    else stream->spare = exchange;
}

/// The exchange whose response is next.
static wws_exchange *answered_next(const wws_stream *stream) {
    wws_exchange *exchange = stream->first;
    while (exchange && exchange->response_over) exchange = exchange->next;
    return exchange;
}

// MARK: frames

static bool choose(wws_stream *stream, const wws_exchange *exchange) {
    if (stream->frames.transfer != exchange->transfer) stream->frames.open_head = 0;
    stream->frames.transfer = exchange->transfer;
    return !stream->frames.lost;
}

static void report_meters(wws_stream *stream, wws_exchange *exchange) {
    if (!exchange->is_announced || !choose(stream, exchange)) return;
    if (!exchange->out_reported) {
        wwt_frames_add_body(&stream->frames, WWT_BODY_OUT, &exchange->out, exchange->out_first, exchange->out_last);
    }
    if (!exchange->in_reported) {
        wwt_frames_add_body(&stream->frames, WWT_BODY_IN, &exchange->in, exchange->in_first, exchange->in_last);
    }
    exchange->out_reported = exchange->in_reported = true;
}

static void report_lost(wws_stream *stream) {
    for (wws_exchange *each = stream->first; each; each = each->next) {
        struct {
            wwt_frame frame;
            wwt_lost_body body;
        } lost = {{sizeof lost, WWT_LOST, each->transfer, wwt_now()}, {1, WWT_LOST_BUFFER_FULL, 0}};
        if (each->is_announced) wwt_output_emit(&lost, sizeof lost, true);
    }
}

static void send_frames(wws_stream *stream, uint64_t now, bool last) {
    wwt_frames_send(&stream->frames, last);
    if (last) stream->frames.length = 0;
    if (stream->frames.lost) wws_stream_lose(stream);
    stream->reported_at = now;
    stream->unreported = 0;
    stream->ends_waiting = false;
}

// MARK: the beginning of an exchange

/// The value of a field in a request's headers, whole or not; its length is 0 if there is none.
static size_t field_value(const char *head, size_t count, const char *name, const char **value) {
    size_t length = strlen(name);
    const char *end = head + count;
    for (const char *line = memchr(head, '\n', count); line; line = memchr(line, '\n', (size_t)(end - line))) {
        line++;
        if ((size_t)(end - line) <= length || strncasecmp(line, name, length) != 0 || line[length] != ':') continue;
        const char *stop = memchr(line, '\n', (size_t)(end - line));
        if (!stop) return 0;
        line += length + 1;
        while (line < stop && (*line == ' ' || *line == '\t')) line++;
        while (stop > line && (stop[-1] == '\r' || stop[-1] == ' ' || stop[-1] == '\t')) stop--;
        *value = line;
        return (size_t)(stop - line);
    }
    return 0;
}

/// The URL of a request up to its path, which the request line has; or all of it, if the request line has it.
static size_t write_url(
    const wws_stream *stream, const wws_exchange *exchange, const wws_ends *ends, char *url, size_t room) {
    const char *head = (const char *)stream->head, *target = NULL, *host = NULL;
    size_t target_length = 0;
    const char *line_end = memchr(head, '\n', stream->head_count);
    const char *space = line_end ? memchr(head, ' ', (size_t)(line_end - head)) : NULL;
    if (space) {
        target = space + 1;
        const char *stop = memchr(target, ' ', (size_t)(line_end - target));
        target_length = (size_t)((stop ? stop : line_end) - target);
    }
    const char *scheme = stream->is_secure || exchange->is_connect ? "https" : "http";
    size_t host_length = exchange->is_connect ? 0 : field_value(head, stream->head_count, "Host", &host);
    int written;
    if (exchange->is_connect && target_length) {
        written = snprintf(url, room, "https://%.*s/", (int)target_length, target);
    } else if (target_length > 7 && (strncasecmp(target, "http://", 7) == 0 || strncasecmp(target, "https://", 8) == 0)) {
        written = snprintf(url, room, "%.*s", (int)target_length, target);
    } else if (host_length) {
        // Some clients leave out a port that is not the scheme's own.
        const char *last = memrchr(host, ':', host_length);
        bool has_port = last && !memchr(last, ']', host_length - (size_t)(last - host));
        unsigned port = ends->remote_port;
        bool names_port = has_port || !port || port == (stream->is_secure ? 443 : 80);
        const char *form = names_port ? "%s://%.*s/" : "%s://%.*s:%u/";
        written = snprintf(url, room, form, scheme, (int)host_length, host, port);
    } else {
        const char *form = strchr(ends->remote_address, ':') ? "%s://[%s]:%u/" : "%s://%s:%u/";
        written = snprintf(url, room, form, scheme, ends->remote_address, ends->remote_port);
    }
    if (written < 0) return 0;
    return (size_t)written < room ? (size_t)written : room - 1;
}

/// One number for each thread: a thread follows a redirect after it has read the response that demands it.
static uint64_t handle_of_thread(void) {
    static __thread char place;
    return (uint64_t)(uintptr_t)&place;
}

static int64_t microseconds(uint64_t from, uint64_t to) { return to > from ? (int64_t)((to - from) / 1000) : 0; }

static void announce(wws_stream *stream, wws_connection *connection, wws_exchange *exchange, uint64_t now) {
    if (exchange->is_announced) return;
    wws_carrier carrier;
    wws_connection_carrier(connection, &carrier);
    exchange->is_announced = true;
    exchange->transfer = __atomic_add_fetch(&next_transfer, 1, __ATOMIC_RELAXED);
    exchange->is_connect = stream->head_count > 8 && memcmp(stream->head, "CONNECT ", 8) == 0;
    char url[WWT_MOST_TEXT];
    size_t url_length = stream->head_count ? write_url(stream, exchange, carrier.ends, url, sizeof url) : 0;
    size_t peer_length = strlen(carrier.ends->remote_address);
    wwt_times times = {-1, -1, -1, -1, -1, -1};
    // TLS in a tunnel starts on a connection that is not new.
    bool starts_tls = stream->is_secure && carrier.secured && !carrier.is_first && !stream->frames.transfer;
    if (carrier.is_first && carrier.connected) times.connect = microseconds(carrier.began, carrier.connected);
    if (carrier.is_first && carrier.secured) times.app_connect = microseconds(carrier.began, carrier.secured);
    if (!choose(stream, exchange)) return;
    wwt_begin_body begin = {handle_of_thread()};
    uint64_t began = carrier.is_first && carrier.began < exchange->began ? carrier.began : exchange->began;
    wwt_frames_add(&stream->frames, WWT_BEGIN_STREAM, began, &begin, sizeof begin);
    wwt_request_body body = {
        .times = times,
        .connects = carrier.is_first,
        .local_port = carrier.ends->local_port,
        .remote_port = carrier.ends->remote_port,
    };
    if (!wwt_frames_begin(&stream->frames, WWT_REQUEST, exchange->began, sizeof body + 8 + url_length + peer_length)) {
        return;
    }
    wwt_frames_append(&stream->frames, &body, sizeof body);
    wwt_frames_append_text(&stream->frames, url, url_length);
    wwt_frames_append_text(&stream->frames, carrier.ends->remote_address, peer_length);
    if (carrier.is_first || starts_tls) wws_connection_describe(connection, &stream->frames, now);
    wwt_frames_add_head(&stream->frames, WWT_HEAD_OUT, (const char *)stream->head, stream->head_count);
    stream->head_count = 0;
}

// MARK: the end of an exchange

static void end_frame(
    wws_stream *stream, wws_connection *connection, const wws_exchange *exchange, enum wwt_end_how how, int error,
    const char *why) {
    size_t why_length = strlen(why);
    wwt_end_body body = {
        .times = {-1, -1, -1, -1, -1, -1},
        .how = how,
        .result = error,
        .header_size = exchange->heads,
        .os_errno = error,
    };
    wws_carrier carrier;
    wws_connection_carrier(connection, &carrier);
    body.local_port = carrier.ends->local_port;
    body.remote_port = carrier.ends->remote_port;
    wws_connection_count(connection, &body.tcp, &body.plaintext);
    size_t peer_length = strlen(carrier.ends->remote_address);
    if (!wwt_frames_begin(&stream->frames, WWT_END, exchange->last, sizeof body + 16 + peer_length + why_length)) return;
    wwt_frames_append(&stream->frames, &body, sizeof body);
    wwt_frames_append_text(&stream->frames, "", 0);
    wwt_frames_append_text(&stream->frames, carrier.ends->remote_address, peer_length);
    wwt_frames_append_text(&stream->frames, why, why_length);
    wwt_frames_append_text(&stream->frames, "", 0);
}

static void finish(
    wws_stream *stream, wws_connection *connection, wws_exchange *exchange, enum wwt_end_how how, int error,
    const char *why, uint64_t now) {
    announce(stream, connection, exchange, now);
    report_meters(stream, exchange);
    if (choose(stream, exchange)) {
        if (exchange->has_switched) wwt_frames_add(&stream->frames, WWT_FOREIGN, exchange->last, NULL, 0);
        end_frame(stream, connection, exchange, how, error, why);
    }
    send_frames(stream, now, true);
    if (!stream->is_lost) remove_exchange(stream, exchange);
}

static void finish_if_over(wws_stream *stream, wws_connection *connection, wws_exchange *exchange, uint64_t now) {
    if (!exchange->request_over || !exchange->response_over) return;
    finish(stream, connection, exchange, WWT_END_DONE, 0, "", now);
}

void wws_stream_lose(wws_stream *stream) {
    if (stream->is_lost) return;
    stream->is_lost = true;
    report_lost(stream);
    free_exchanges(stream);
    stream->frames.length = 0;
}

// MARK: pieces

static bool keep_head(wws_stream *stream, const uint8_t *bytes, size_t count) {
    if (stream->head_count + count > stream->head_capacity) {
        size_t capacity = stream->head_capacity ? stream->head_capacity : 1024;
        while (capacity < stream->head_count + count) capacity *= 2;
        uint8_t *more = realloc(stream->head, capacity);
        if (!more) return false;
        stream->head = more;
        stream->head_capacity = capacity;
    }
    memcpy(stream->head + stream->head_count, bytes, count);
    stream->head_count += count;
    return true;
}

static void add_request_head(wws_stream *stream, const wws_exchange *exchange, const uint8_t *bytes, size_t count) {
    if (!count) return;
    if (exchange->is_announced) {
        if (choose(stream, exchange)) wwt_frames_add_head(&stream->frames, WWT_HEAD_OUT, (const char *)bytes, count);
    } else if (!keep_head(stream, bytes, count)) {
        wws_stream_lose(stream);
    }
}

static void take_request(
    wws_stream *stream, wws_connection *connection, const ww_http1_piece *piece, const uint8_t *held,
    const uint8_t *bytes, size_t count, uint64_t now) {
    if (piece->begins) {
        stream->head_count = 0;
        if (!add_exchange(stream, now)) return wws_stream_lose(stream);
    }
    wws_exchange *exchange = stream->last;
    if (!exchange) return;
    if (count) exchange->last = now;
    if (piece->kind == WW_HTTP1_HEAD) {
        add_request_head(stream, exchange, held, piece->held);
        add_request_head(stream, exchange, bytes, count);
        if (stream->is_lost) return;
        if (piece->ends_head) announce(stream, connection, exchange, now);
    } else if (count) {
        if (!exchange->out_first) exchange->out_first = now;
        exchange->out_last = now;
        exchange->out_reported = false;
        ww_body_meter_add(&exchange->out, bytes, count);
        stream->unreported += count;
    }
    if (!piece->ends && !piece->is_cut) return;
    exchange->request_over = true;
    if (exchange->response_over) return finish_if_over(stream, connection, exchange, now);
    // The response may take its time.
    report_meters(stream, exchange);
    send_frames(stream, now, false);
}

static void add_content_in(wws_exchange *exchange, const uint8_t *bytes, size_t count, uint64_t now) {
    if (!count) return;
    if (!exchange->in_first) exchange->in_first = now;
    exchange->in_last = now;
    exchange->in_reported = false;
    ww_body_meter_add(&exchange->in, bytes, count);
}

static void take_response(
    wws_stream *stream, wws_connection *connection, const ww_http1_piece *piece, const uint8_t *held,
    const uint8_t *bytes, size_t count, uint64_t now) {
    wws_exchange *exchange = answered_next(stream);
    if (!exchange) return;
    announce(stream, connection, exchange, now);
    exchange->has_response = true;
    if (count) exchange->last = now;
    if (piece->kind == WW_HTTP1_HEAD) {
        if (choose(stream, exchange)) {
            // Each response starts a frame of its own, so that it has its own time.
            if (piece->begins) stream->frames.open_head = 0;
            wwt_frames_add_head(&stream->frames, WWT_HEAD_IN, (const char *)held, piece->held);
            wwt_frames_add_head(&stream->frames, WWT_HEAD_IN, (const char *)bytes, count);
        }
        exchange->heads += (int64_t)(piece->held + count);
        if (piece->ends_head) stream->ends_waiting = true;
    } else {
        add_content_in(exchange, held, piece->held, now);
        add_content_in(exchange, bytes, count, now);
        stream->unreported += count;
    }
    if (piece->ends_head && piece->status == 101) {
        exchange->has_switched = true;
        exchange->request_over = true;
    }
    if (piece->ends) {
        exchange->response_over = true;
        finish_if_over(stream, connection, exchange, now);
    }
}

/// Takes back a request whose bytes turned out not to be one.
static void take_back(wws_stream *stream) {
    wws_exchange *newest = stream->last;
    if (!newest || newest->is_announced) return;
    stream->head_count = 0;
    remove_exchange(stream, newest);
}

/// Ends the message that was being sent in that direction, because message boundaries are not known any more.
static void break_off(wws_stream *stream, bool is_response) {
    wws_exchange *exchange = is_response ? answered_next(stream) : stream->last;
    if (exchange && !is_response) exchange->request_over = true;
}

static void take(
    wws_stream *stream, wws_connection *connection, bool is_response, const ww_http1_piece *piece, const uint8_t *bytes,
    size_t count, uint64_t now) {
    if (piece->undone) take_back(stream);
    const ww_http1_side *side = is_response ? &stream->scanner.response : &stream->scanner.request;
    switch (piece->kind) {
    case WW_HTTP1_HEAD:
    case WW_HTTP1_CONTENT:
    case WW_HTTP1_FRAMING:
        if (is_response) take_response(stream, connection, piece, side->held_bytes, bytes, count, now);
        else take_request(stream, connection, piece, side->held_bytes, bytes, count, now);
        break;
    case WW_HTTP1_SURPLUS: break_off(stream, is_response); break;
    case WW_HTTP1_FOREIGN: stream->is_foreign = true; break;
    case WW_HTTP1_HTTP2: stream->is_http2 = true; break;
    default: break;
    }
}

/// Sends what has not been sent for a while, and headers of a response whose body is still to come.
static void report_if_due(wws_stream *stream, uint64_t now) {
    if (stream->is_lost || !stream->first) return;
    bool is_due = stream->unreported >= REPORT_BYTES || now - stream->reported_at >= REPORT_NANOSECONDS;
    if (!is_due && !stream->ends_waiting) return;
    if (is_due) {
        for (wws_exchange *each = stream->first; each; each = each->next) report_meters(stream, each);
    }
    send_frames(stream, now, false);
}

size_t wws_stream_add(
    wws_stream *stream, wws_connection *connection, bool is_response, const uint8_t *bytes, size_t count, uint64_t now) {
    size_t tunnelled = 0;
    while (count && !stream->is_lost) {
        ww_http1_piece piece;
        size_t taken = ww_http1_scan(&stream->scanner, is_response, bytes, count, &piece);
        take(stream, connection, is_response, &piece, bytes, taken, now);
        if (piece.kind == WW_HTTP1_UPGRADED && !stream->scanner.upgrade[0]) tunnelled += taken;
        bytes += taken;
        count -= taken;
    }
    report_if_due(stream, now);
    return tunnelled;
}

bool wws_stream_is_idle(const wws_stream *stream) { return !stream->first; }

bool wws_stream_is_asked(const wws_stream *stream) { return stream->scanner.pending > 0; }

static void end_side(wws_stream *stream, wws_connection *connection, bool is_response, uint64_t now) {
    ww_http1_piece piece;
    ww_http1_end(&stream->scanner, is_response, &piece);
    take(stream, connection, is_response, &piece, NULL, 0, now);
}

void wws_stream_peer_ended(wws_stream *stream, wws_connection *connection, uint64_t now) {
    if (!stream->is_lost) end_side(stream, connection, true, now);
}

void wws_stream_close(wws_stream *stream, wws_connection *connection, bool has_peer_ended, int error, uint64_t now) {
    if (stream->is_lost) return;
    end_side(stream, connection, false, now);
    // A response that lasts until the end of the connection is whole only if the peer has ended it.
    if (has_peer_ended && !stream->is_lost) end_side(stream, connection, true, now);
    while (stream->first && !stream->is_lost) {
        wws_exchange *exchange = stream->first;
        exchange->last = now;
        if (!has_peer_ended && !error) {
            finish(stream, connection, exchange, WWT_END_REMOVED, 0, "", now);
        } else if (exchange->request_over && exchange->response_over) {
            finish(stream, connection, exchange, WWT_END_DONE, 0, "", now);
        } else {
            const char *why = error ? strerror(error) : exchange->has_response
                ? "the connection ended before the response was whole"
                : "the connection ended without a response";
            finish(stream, connection, exchange, WWT_END_CUT, error, why, now);
        }
    }
}

void wws_stream_abandon(wws_stream *stream, wws_connection *connection, uint64_t now) {
    while (stream->first && !stream->is_lost) finish(stream, connection, stream->first, WWT_END_STOPPED, 0, "", now);
    stream->is_lost = true;
}

#endif
