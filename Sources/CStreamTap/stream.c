#include "stream.h"

#ifdef __linux__
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "clock.h"
#include "connection.h"
#include "frame_output.h"
#include "url_text.h"

/// After how many bytes, or how much time, a running exchange is reported again.
#define REPORT_BYTES (256u << 10)
#define REPORT_NANOSECONDS 100000000u
/// After how much time the kernel's count of an open connection with WebSocket is sent again, while bytes pass.
#define COUNT_NANOSECONDS 1000000000u

wws_stream *wws_stream_create(bool is_secure, bool is_server) {
    wws_stream *stream = calloc(1, sizeof *stream);
    if (!stream) return NULL;
    stream->is_secure = is_secure;
    stream->is_server = is_server;
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
    wws_http2_free(stream->http2);
    free(stream->websocket);
    free(stream->spare);
    free(stream->head);
    free(stream->early);
    free(stream->frames.bytes);
    free(stream);
}

// MARK: memory

/// What a stream needs only while an exchange runs. A program may hold many idle connections, so an idle stream has none:
/// the last one that became idle left its memory here, for the next one that has an exchange.
typedef struct workspace {
    wws_exchange *exchange;
    uint8_t *head, *frames;
    size_t head_capacity, frames_capacity;
} workspace;

/// Memory that is larger is freed.
#define MOST_KEPT (64u << 10)

static workspace kept;
static bool is_kept_busy; // a thread that finds it busy does without

static bool lock_kept(void) { return !__atomic_exchange_n(&is_kept_busy, true, __ATOMIC_ACQUIRE); }

static void unlock_kept(void) { __atomic_store_n(&is_kept_busy, false, __ATOMIC_RELEASE); }

static void take_workspace(wws_stream *stream) {
    if (stream->spare || stream->head || stream->frames.bytes || !lock_kept()) return;
    stream->spare = kept.exchange;
    stream->head = kept.head;
    stream->head_capacity = kept.head_capacity;
    stream->frames.bytes = kept.frames;
    stream->frames.capacity = kept.frames_capacity;
    kept = (workspace){0};
    unlock_kept();
}

static void leave_workspace(wws_stream *stream) {
    if (stream->frames.length) return;
    workspace own = {
        stream->spare, stream->head, stream->frames.bytes, stream->head_capacity, stream->frames.capacity,
    };
    stream->spare = NULL;
    stream->head = stream->frames.bytes = NULL;
    stream->head_capacity = stream->frames.capacity = 0;
    if (own.head_capacity + own.frames_capacity <= MOST_KEPT && lock_kept()) {
        workspace former = kept;
        kept = own;
        own = former;
        unlock_kept();
    }
    free(own.exchange);
    free(own.head);
    free(own.frames);
}

// MARK: exchanges

static wws_exchange *add_exchange(wws_stream *stream, uint64_t now) {
    take_workspace(stream);
    wws_exchange *exchange = wws_exchange_start(stream->spare, now);
    stream->spare = NULL;
    if (!exchange) return NULL;
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
    if (!stream->first) leave_workspace(stream);
}

/// The exchange whose response is next.
static wws_exchange *answered_next(const wws_stream *stream) {
    wws_exchange *exchange = stream->first;
    while (exchange && exchange->response_over) exchange = exchange->next;
    return exchange;
}

// MARK: frames

void wws_stream_send_frames(wws_stream *stream, uint64_t now, bool last) {
    wwt_frames_send(&stream->frames, last);
    if (last) stream->frames.length = 0;
    if (stream->frames.lost) wws_stream_lose(stream);
    else if (stream->http2 && !stream->frames.length) wws_http2_sent(stream->http2);
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
    bool is_secure = stream->is_secure || exchange->is_connect;
    size_t host_length = exchange->is_connect ? 0 : field_value(head, stream->head_count, "Host", &host);
    wws_url_text text = {url, room - 1, 0};
    bool is_absolute = target_length > 7
        && (strncasecmp(target, "http://", 7) == 0 || strncasecmp(target, "https://", 8) == 0);
    if (is_absolute && !exchange->is_connect) {
        wws_url_add(&text, target, target_length);
        return text.count;
    }
    wws_url_add(&text, is_secure ? "https://" : "http://", is_secure ? 8 : 7);
    if (exchange->is_connect && target_length) {
        wws_url_add(&text, target, target_length);
    } else if (host_length) {
        // Some clients leave out a port that is not the scheme's own.
        const char *last = memrchr(host, ':', host_length);
        bool has_port = last && !memchr(last, ']', host_length - (size_t)(last - host));
        unsigned port = stream->is_tunnelled ? 0 : stream->is_server ? ends->local_port : ends->remote_port;
        bool names_port = has_port || !port || port == (stream->is_secure ? 443 : 80);
        wws_url_add(&text, host, host_length);
        if (!names_port) wws_url_add_port(&text, port);
    } else {
        return wws_write_server_url(stream, ends, url, room);
    }
    wws_url_add(&text, "/", 1);
    return text.count;
}

static void announce(wws_stream *stream, wws_connection *connection, wws_exchange *exchange, uint64_t now) {
    if (exchange->is_announced) return;
    wws_carrier carrier;
    wws_connection_carrier(connection, &carrier);
    exchange->is_connect = stream->head_count > 8 && memcmp(stream->head, "CONNECT ", 8) == 0;
    char url[WWT_MOST_TEXT];
    size_t url_length = stream->head_count ? write_url(stream, exchange, carrier.ends, url, sizeof url) : 0;
    wws_exchange_announce(stream, &carrier, exchange, NULL, url, url_length, now);
    wwt_frames_add_head(&stream->frames, WWT_HEAD_OUT, (const char *)stream->head, stream->head_count);
    stream->head_count = 0;
}

// MARK: the end of an exchange

static void finish(
    wws_stream *stream, wws_connection *connection, wws_exchange *exchange, const wws_ending *ending, uint64_t now) {
    bool has_line = stream->head_count && memchr(stream->head, '\n', stream->head_count);
    if (!exchange->is_announced && !has_line) {
        // Its first letters look like a method, and it ended before its line: it may be any protocol's.
        stream->is_foreign = !stream->has_announced;
        stream->head_count = 0;
        return remove_exchange(stream, exchange);
    }
    announce(stream, connection, exchange, now);
    wws_exchange_report_meters(stream, exchange);
    if (wws_exchange_choose(stream, exchange)) {
        if (exchange->has_switched) wwt_frames_add(&stream->frames, WWT_FOREIGN, exchange->last, NULL, 0);
        wws_exchange_add_end(stream, connection, exchange, ending);
    }
    wws_stream_send_frames(stream, now, true);
    if (!stream->is_lost) remove_exchange(stream, exchange);
}

static const wws_ending whole = {WWT_END_DONE, 0, "", 0};

bool wws_is_any_holding;

void wws_stream_finish_sent(wws_stream *stream, wws_connection *connection, bool all, uint64_t now) {
    if (!stream->is_holding || stream->is_lost) return;
    stream->is_holding = false;
    wwt_tcp tcp = {0};
    uint64_t queued = all ? 0 : wws_connection_queued(connection, &tcp);
    if (tcp.known) connection->counted = &tcp;
    wws_exchange *next;
    for (wws_exchange *each = stream->first; each && !stream->is_lost; each = next) {
        next = each->next;
        if (!each->is_held) continue;
        if (each->sent + queued <= connection->sent) finish(stream, connection, each, &whole, now);
        else stream->is_holding = true;
    }
    connection->counted = NULL;
    if (stream->is_holding) __atomic_store_n(&wws_is_any_holding, true, __ATOMIC_RELAXED);
}

static void finish_if_over(wws_stream *stream, wws_connection *connection, wws_exchange *exchange, uint64_t now) {
    if (!exchange->request_over || !exchange->response_over) return;
    if (!stream->is_server) return finish(stream, connection, exchange, &whole, now);
    // A reset keeps the kernel from sending what waits. So a response is over once it has been sent.
    stream->is_holding = exchange->is_held = true;
    wws_stream_finish_sent(stream, connection, false, now);
    if (!stream->is_holding || stream->is_lost) return;
    wws_exchange_report_meters(stream, exchange);
    wws_stream_send_frames(stream, now, false);
}

/// The connection ends. Of what waits in the kernel then, a reset keeps the last bytes.
static void finish_held(wws_stream *stream, wws_connection *connection, bool has_peer_ended, int error, uint64_t now) {
    if (!stream->is_holding) return;
    wws_exchange *next;
    for (wws_exchange *each = stream->first; each && !stream->is_lost; each = next) {
        next = each->next;
        if (!each->is_held) continue;
        uint64_t sent = connection->sent - connection->kept;
        wws_ending ending = whole;
        if (each->sent > sent) {
            ending = (wws_ending){
                .how = has_peer_ended || error ? WWT_END_CUT : WWT_END_REMOVED,
                .error = error,
                .why = has_peer_ended || error ? "the connection ended before the response was sent" : "",
                .unsent = each->sent - sent,
            };
        }
        finish(stream, connection, each, &ending, now);
    }
    stream->is_holding = false;
}

void wws_stream_lose(wws_stream *stream) {
    if (stream->is_lost) return;
    stream->is_lost = true;
    if (stream->http2) wws_http2_report(stream);
    // What has ended by now is whole.
    wwt_frames_send(&stream->frames, true);
    if (stream->http2 && !stream->frames.lost) wws_http2_sent(stream->http2);
    if (stream->http2) wws_http2_lose(stream->http2);
    for (wws_exchange *each = stream->first; each; each = each->next) wws_exchange_report_lost(each);
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
        if (!wws_exchange_choose(stream, exchange)) return;
        wwt_frames_add_head(&stream->frames, WWT_HEAD_OUT, (const char *)bytes, count);
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
        wws_exchange_add_out(exchange, bytes, count, now);
        stream->unreported += count;
    }
    if (!piece->ends && !piece->is_cut) return;
    exchange->request_over = true;
    if (exchange->response_over) return finish_if_over(stream, connection, exchange, now);
    // The response may take its time.
    wws_exchange_report_meters(stream, exchange);
    wws_stream_send_frames(stream, now, false);
}

/// Without memory its frames are not counted.
static void begin_websocket(wws_stream *stream, uint64_t now) {
    if (!stream->websocket) stream->websocket = calloc(1, sizeof *stream->websocket);
    if (stream->websocket) stream->websocket->reported_at = now;
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
        if (wws_exchange_choose(stream, exchange)) {
            // Each response starts a frame of its own, so that it has its own time.
            if (piece->begins) stream->frames.open_head = 0;
            wwt_frames_add_head(&stream->frames, WWT_HEAD_IN, (const char *)held, piece->held);
            wwt_frames_add_head(&stream->frames, WWT_HEAD_IN, (const char *)bytes, count);
        }
        exchange->heads += (int64_t)(piece->held + count);
        if (piece->ends_head) stream->ends_waiting = true;
    } else {
        wws_exchange_add_in(exchange, held, piece->held, now);
        wws_exchange_add_in(exchange, bytes, count, now);
        stream->unreported += count;
    }
    if (piece->ends_head && piece->status == 101 && !strcasecmp(stream->scanner.upgrade, "h2c")) {
        // The response is still to come, in HTTP/2.
        return;
    }
    if (piece->ends_head && piece->status == 101) {
        exchange->has_switched = true;
        exchange->request_over = true;
        if (!strcasecmp(stream->scanner.upgrade, "websocket")) begin_websocket(stream, now);
    }
    if (piece->is_refused) exchange->request_over = true;
    if (piece->ends) {
        exchange->response_over = true;
        // Of TLS, what a call enciphers passes before its plaintext is taken.
        exchange->sent = connection->sent - (stream->is_secure ? 0 : connection->ahead + stream->rest);
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

/// Follows HTTP/2 from its first bytes on, of which some were held back in either direction. After an upgrade (RFC 7540,
/// section 3.2) its first response belongs to a request of HTTP/1.
static void begin_http2(
    wws_stream *stream, wws_connection *connection, bool is_response, const uint8_t *held, size_t count, uint64_t now) {
    // What came before it could be read is not seen, and so nothing after it can be.
    if (stream->is_http2) return;
    stream->is_http2 = true;
    wws_stream_finish_sent(stream, connection, true, now);
    // After an upgrade, the request that asked for it is all that there was.
    wws_exchange *asked = stream->scanner.upgrade[0] ? stream->first : NULL;
    bool is_upgrade = asked && asked == stream->last && asked->is_announced && asked->request_over;
    if (stream->scanner.has_request && !is_upgrade) return;
    if (!(stream->http2 = wws_http2_create())) return wws_stream_lose(stream);
    if (is_upgrade) {
        stream->first = stream->last = NULL;
        wws_http2_adopt(stream, asked, now);
    }
    stream->reported_at = now;
    wws_http2_add(stream, connection, is_response, held, count, now);
    ww_http1_side *other = is_response ? &stream->scanner.request : &stream->scanner.response;
    wws_http2_add(stream, connection, !is_response, other->held_bytes, other->held, now);
    other->held = 0;
}

// MARK: WebSocket

static void add_frames(
    wws_stream *stream, bool is_response, const uint8_t *held, size_t held_count, const uint8_t *bytes, size_t count) {
    if (!stream->websocket) return;
    ww_websocket_scanner *scanner = is_response ? &stream->websocket->down : &stream->websocket->up;
    ww_websocket_add(scanner, held, held_count);
    ww_websocket_add(scanner, bytes, count);
}

static wwt_websocket_side side_of(const ww_websocket_scanner *scanner) {
    return (wwt_websocket_side){
        scanner->overhead, scanner->payload, scanner->frames, scanner->control_frames, scanner->messages};
}

wwt_websocket wws_stream_websocket(const wws_stream *stream) {
    if (!stream->websocket || stream->is_lost) return (wwt_websocket){0};
    return (wwt_websocket){1, side_of(&stream->websocket->up), side_of(&stream->websocket->down)};
}

static void count_if_due(wws_stream *stream, wws_connection *connection, uint64_t now) {
    if (!stream->websocket || now - stream->websocket->reported_at < COUNT_NANOSECONDS) return;
    stream->websocket->reported_at = now;
    wws_connection_report(connection);
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
    case WW_HTTP1_UPGRADED: add_frames(stream, is_response, side->held_bytes, piece->held, bytes, count); break;
    case WW_HTTP1_HTTP2: begin_http2(stream, connection, is_response, side->held_bytes, piece->held, now); break;
    default: break;
    }
}

/// Sends what has not been sent for a while, and headers of a response whose body is still to come.
static void report_if_due(wws_stream *stream, uint64_t now) {
    if (stream->is_lost || (!stream->first && !stream->http2)) return;
    bool is_due = stream->unreported >= REPORT_BYTES || now - stream->reported_at >= REPORT_NANOSECONDS;
    if (!is_due && !stream->ends_waiting) return;
    if (is_due) {
        if (stream->http2) wws_http2_report(stream);
        for (wws_exchange *each = stream->first; each; each = each->next) wws_exchange_report_meters(stream, each);
    }
    wws_stream_send_frames(stream, now, false);
}

size_t wws_stream_add(
    wws_stream *stream, wws_connection *connection, bool is_response, const uint8_t *bytes, size_t count, uint64_t now) {
    size_t tunnelled = 0;
    wws_stream_finish_sent(stream, connection, false, now);
    while (count && !stream->is_lost && !stream->http2) {
        ww_http1_piece piece;
        size_t taken = ww_http1_scan(&stream->scanner, is_response, bytes, count, &piece);
        stream->rest = count - taken;
        take(stream, connection, is_response, &piece, bytes, taken, now);
        if (stream->http2) break;
        if (piece.kind == WW_HTTP1_UPGRADED && !stream->scanner.upgrade[0]) tunnelled += taken;
        bytes += taken;
        count -= taken;
    }
    if (stream->http2 && !stream->is_lost) wws_http2_add(stream, connection, is_response, bytes, count, now);
    // The rest of the call may end the exchange, and then all goes in one message.
    if (!connection->ahead || stream->unreported >= REPORT_BYTES) report_if_due(stream, now);
    count_if_due(stream, connection, now);
    return tunnelled;
}

/// How many bytes of a response may wait until the call that sends the request returns.
#define MOST_EARLY (1u << 20)

bool wws_stream_keep_early(wws_stream *stream, const uint8_t *bytes, size_t count) {
    if (stream->early_count + count > MOST_EARLY) return false;
    uint8_t *more = realloc(stream->early, stream->early_count + count);
    if (!more) return false;
    memcpy(more + stream->early_count, bytes, count);
    stream->early = more;
    stream->early_count += count;
    return true;
}

bool wws_stream_is_idle(const wws_stream *stream) {
    const wws_exchange *running = stream->first;
    while (running && running->is_held) running = running->next;
    return !running && (!stream->http2 || wws_http2_is_idle(stream->http2));
}

bool wws_stream_is_asked(const wws_stream *stream) {
    return stream->http2 || stream->scanner.pending > 0;
}

static void end_side(wws_stream *stream, wws_connection *connection, bool is_response, uint64_t now) {
    ww_http1_piece piece;
    ww_http1_end(&stream->scanner, is_response, &piece);
    take(stream, connection, is_response, &piece, NULL, 0, now);
}

void wws_stream_peer_ended(wws_stream *stream, wws_connection *connection, uint64_t now) {
    // A client that has ended can still receive.
    if (!stream->is_lost && !stream->http2 && !stream->is_server) end_side(stream, connection, true, now);
}

void wws_stream_close(wws_stream *stream, wws_connection *connection, bool has_peer_ended, int error, uint64_t now) {
    if (stream->is_lost) return;
    if (stream->http2) return wws_http2_close(stream, connection, has_peer_ended, error, now);
    end_side(stream, connection, false, now);
    // A response that lasts until the end of the connection is whole only if the server has ended it.
    bool has_server_ended = stream->is_server ? !error : has_peer_ended;
    stream->rest = connection->ahead = 0;
    if (has_server_ended && !stream->is_lost) end_side(stream, connection, true, now);
    if (stream->is_server && stream->first) wws_connection_note_kept(connection);
    finish_held(stream, connection, has_peer_ended, error, now);
    while (stream->first && !stream->is_lost) {
        wws_exchange *exchange = stream->first;
        exchange->last = now;
        // The response that runs has been written up to the last byte.
        uint64_t unsent = exchange->has_response ? connection->kept : 0;
        wws_ending ending = {WWT_END_REMOVED, 0, "", unsent};
        if (has_peer_ended || error) {
            ending = (wws_ending){WWT_END_CUT, error, wws_exchange_why_cut(exchange, error), unsent};
            if (exchange->request_over && exchange->response_over) ending = whole;
        }
        finish(stream, connection, exchange, &ending, now);
    }
}

void wws_stream_abandon(wws_stream *stream, wws_connection *connection, uint64_t now) {
    if (stream->http2 && !stream->is_lost) wws_http2_abandon(stream, connection, now);
    wws_stream_finish_sent(stream, connection, true, now);
    while (stream->first && !stream->is_lost) {
        finish(stream, connection, stream->first, &(wws_ending){WWT_END_STOPPED, 0, "", 0}, now);
    }
    stream->is_lost = true;
}

#endif
