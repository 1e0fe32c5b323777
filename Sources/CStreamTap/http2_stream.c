#include "http2_stream.h"

#ifdef __linux__
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "connection.h"
#include "frame_output.h"
#include "http2_parts.h"

#define BUCKETS 64

/// One direction.
typedef struct side {
    ww_http2_scanner scanner;
    uint32_t block_stream;    // of the header block whose end has not come; 0 for none
    enum wwt_block_kind block_kind;
    bool block_ends_stream;
    bool is_lost;             // blocks cannot be decoded any more
    uint8_t payload[8];       // of RST_STREAM and GOAWAY the first bytes, of SETTINGS the setting that is being read
    size_t payload_count;
} side;

struct wws_http2 {
    uint64_t number, sequence;
    side up, down;
    uint32_t newest; // the client's newest stream; numbers only grow (RFC 9113, section 5.1.1)
    uint32_t open;
    bool has_left; // the server processes no stream after `last` (RFC 9113, section 6.8)
    uint32_t last, leaving_code;
    uint64_t *ended; // the transfers whose end has not been sent
    size_t ended_count, ended_capacity;
    wws_exchange *exchanges[BUCKETS];
    wws_exchange *spare;
    uint32_t part_count;
    wwt_http2_part parts[WWT_MOST_PARTS];
};

static uint64_t next_session = WWT_FIRST_STREAM_SESSION;

void wws_http2_number_above(uint64_t number) {
    uint64_t now = WWT_FIRST_STREAM_SESSION;
    while (now < number
        && !__atomic_compare_exchange_n(&next_session, &now, number, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {}
}

wws_http2 *wws_http2_create(void) {
    wws_http2 *session = calloc(1, sizeof *session);
    if (!session) return NULL;
    session->number = __atomic_add_fetch(&next_session, 1, __ATOMIC_RELAXED);
    ww_http2_begin(&session->up.scanner, true);
    ww_http2_begin(&session->down.scanner, false);
    return session;
}

static void free_list(wws_exchange *exchange) {
    while (exchange) {
        wws_exchange *next = exchange->next;
        free(exchange);
        exchange = next;
    }
}

static void free_exchanges(wws_http2 *session) {
    for (int i = 0; i < BUCKETS; i++) {
        free_list(session->exchanges[i]);
        session->exchanges[i] = NULL;
    }
    session->open = 0;
}

void wws_http2_free(wws_http2 *session) {
    if (!session) return;
    free_exchanges(session);
    free_list(session->spare);
    free(session->ended);
    free(session);
}

bool wws_http2_is_idle(const wws_http2 *session) { return session->open == 0; }

void wws_http2_sent(wws_http2 *session) { session->ended_count = 0; }

void wws_http2_lose(wws_http2 *session) {
    for (size_t i = 0; i < session->ended_count; i++) wws_transfer_report_lost(session->ended[i]);
    session->ended_count = 0;
    for (int i = 0; i < BUCKETS; i++) {
        for (wws_exchange *each = session->exchanges[i]; each; each = each->next) wws_exchange_report_lost(each);
    }
    free_exchanges(session);
}

// MARK: frames of the tap

static void add_parts(wws_stream *stream) {
    wws_http2 *session = stream->http2;
    if (!session->part_count) return;
    wwt_http2_body body = {session->number, 0, session->part_count, ++session->sequence};
    size_t size = session->part_count * sizeof session->parts[0];
    stream->frames.transfer = 0;
    session->part_count = 0;
    if (!wwt_frames_begin(&stream->frames, WWT_HTTP2, wwt_now(), sizeof body + size)) return;
    wwt_frames_append(&stream->frames, &body, sizeof body);
    wwt_frames_append(&stream->frames, session->parts, size);
}

static void add_part(wws_stream *stream, bool is_down, const ww_http2_piece *piece) {
    wws_http2 *session = stream->http2;
    if (session->part_count && wwt_http2_part_grows(&session->parts[session->part_count - 1], is_down, piece)) return;
    if (session->part_count == WWT_MOST_PARTS) add_parts(stream);
    session->parts[session->part_count++] = wwt_http2_part_of(is_down, piece);
}

static void add_block(
    wws_stream *stream, const wws_exchange *exchange, wwt_block_body body, const uint8_t *bytes, size_t count,
    uint64_t now) {
    body.session = stream->http2->number;
    body.sequence = ++stream->http2->sequence;
    stream->frames.transfer = exchange ? exchange->transfer : 0;
    if (!wwt_frames_begin(&stream->frames, WWT_BLOCK, now, sizeof body + count)) return;
    wwt_frames_append(&stream->frames, &body, sizeof body);
    if (count) wwt_frames_append(&stream->frames, bytes, count);
}

void wws_http2_report(wws_stream *stream) {
    add_parts(stream);
    for (int i = 0; i < BUCKETS; i++) {
        for (wws_exchange *each = stream->http2->exchanges[i]; each; each = each->next) {
            wws_exchange_report_meters(stream, each);
        }
    }
}

// MARK: exchanges

static wws_exchange **link_of(wws_http2 *session, uint32_t number) {
    wws_exchange **link = &session->exchanges[(number >> 1) % BUCKETS];
    while (*link && (*link)->number != number) link = &(*link)->next;
    return link;
}

static wws_exchange *begin(wws_stream *stream, wws_connection *connection, uint32_t number, uint64_t now) {
    wws_http2 *session = stream->http2;
    wws_exchange *exchange = NULL;
    if (session->open < WWS_MOST_STREAMS) {
        wws_exchange *spare = session->spare;
        if (spare) session->spare = spare->next;
        exchange = wws_exchange_start(spare, now);
    }
    if (!exchange) {
        connection->is_torn = true;
        wws_stream_lose(stream);
        return NULL;
    }
    exchange->number = number;
    *link_of(session, number) = exchange;
    session->open++;
    session->newest = number;
    wws_carrier carrier;
    wws_connection_carrier(connection, &carrier);
    char url[128];
    size_t url_length = wws_write_server_url(stream, carrier.ends, url, sizeof url);
    wwt_stream_body body = {session->number, number, 0};
    wws_exchange_announce(stream, &carrier, exchange, &body, url, url_length, now);
    return exchange;
}

void wws_http2_adopt(wws_stream *stream, wws_exchange *exchange, uint64_t now) {
    wws_http2 *session = stream->http2;
    wwt_stream_body body = {session->number, 1, 0};
    exchange->next = NULL;
    exchange->number = session->newest = 1;
    *link_of(session, 1) = exchange;
    session->open++;
    if (!wws_exchange_choose(stream, exchange)) return;
    wwt_frames_add(&stream->frames, WWT_STREAM, now, &body, sizeof body);
}

/// Remembers that the end of a transfer waits to be sent.
static void await_sending(wws_http2 *session, uint64_t transfer) {
    if (session->ended_count == session->ended_capacity) {
        size_t capacity = session->ended_capacity ? session->ended_capacity * 2 : 16;
        uint64_t *more = realloc(session->ended, capacity * sizeof *more);
        if (!more) return;
        session->ended = more;
        session->ended_capacity = capacity;
    }
    session->ended[session->ended_count++] = transfer;
}

static void finish(
    wws_stream *stream, wws_connection *connection, wws_exchange *exchange, enum wwt_end_how how, int error,
    const char *why) {
    wws_http2 *session = stream->http2;
    add_parts(stream);
    wws_exchange_report_meters(stream, exchange);
    await_sending(session, exchange->transfer);
    if (wws_exchange_choose(stream, exchange)) {
        wws_exchange_add_end(stream, connection, exchange, &(wws_ending){how, error, why, 0});
    }
    stream->ends_waiting = true;
    *link_of(session, exchange->number) = exchange->next;
    exchange->next = session->spare;
    session->spare = exchange;
    session->open--;
}

static void end_side(
    wws_stream *stream, wws_connection *connection, wws_exchange *exchange, bool is_down) {
    if (is_down) exchange->response_over = true;
    else exchange->request_over = true;
    if (exchange->request_over && exchange->response_over) {
        finish(stream, connection, exchange, WWT_END_DONE, 0, "");
    } else if (!is_down) {
        // The response may take its time.
        wws_exchange_report_meters(stream, exchange);
        stream->ends_waiting = true;
    }
}

// MARK: control frames

static uint32_t number_at(const uint8_t *bytes) {
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

/// The name of an error code (RFC 9113, section 7).
static const char *name_of(uint32_t code) {
    static const char *const names[] = {
        "NO_ERROR", "PROTOCOL_ERROR", "INTERNAL_ERROR", "FLOW_CONTROL_ERROR", "SETTINGS_TIMEOUT", "STREAM_CLOSED",
        "FRAME_SIZE_ERROR", "REFUSED_STREAM", "CANCEL", "COMPRESSION_ERROR", "CONNECT_ERROR", "ENHANCE_YOUR_CALM",
        "INADEQUATE_SECURITY", "HTTP_1_1_REQUIRED",
    };
    return code < sizeof names / sizeof names[0] ? names[code] : "unknown";
}

static void cut(
    wws_stream *stream, wws_connection *connection, wws_exchange *exchange, const char *what, uint32_t code) {
    char why[128];
    snprintf(why, sizeof why, "%s: %s (%u)", what, name_of(code), code);
    finish(stream, connection, exchange, WWT_END_CUT, 0, why);
}

static void take_reset(
    wws_stream *stream, wws_connection *connection, wws_exchange *exchange, bool is_down, uint32_t code) {
    if (!is_down && stream->is_server) {
        cut(stream, connection, exchange, "the client reset the stream", code);
    } else if (!is_down) {
        finish(stream, connection, exchange, WWT_END_REMOVED, 0, "");
    } else if (exchange->response_over && code == 0) {
        // The server does not need the rest of the request (RFC 9113, section 8.1).
        finish(stream, connection, exchange, WWT_END_DONE, 0, "");
    } else {
        cut(stream, connection, exchange, "the server reset the stream", code);
    }
}

static const char unprocessed[] = "the server left without processing it";

static void take_going_away(wws_stream *stream, wws_connection *connection, uint32_t last, uint32_t code) {
    stream->http2->has_left = true;
    stream->http2->last = last;
    stream->http2->leaving_code = code;
    for (int i = 0; i < BUCKETS; i++) {
        wws_exchange *next;
        for (wws_exchange *each = stream->http2->exchanges[i]; each; each = next) {
            next = each->next;
            if (each->number > last) cut(stream, connection, each, unprocessed, code);
        }
    }
}

/// Reads the payload of a frame that says something of streams or of header blocks.
static void take_control(
    wws_stream *stream, wws_connection *connection, wws_exchange *exchange, bool is_down, const ww_http2_piece *piece,
    const uint8_t *payload, size_t count, uint64_t now) {
    side *side = is_down ? &stream->http2->down : &stream->http2->up;
    if (piece->begins) side->payload_count = 0;
    for (size_t i = 0; i < count && side->payload_count < sizeof side->payload; i++) {
        side->payload[side->payload_count++] = payload[i];
        if (piece->type != WW_HTTP2_SETTINGS || side->payload_count < 6) continue;
        side->payload_count = 0;
        // SETTINGS_HEADER_TABLE_SIZE (RFC 9113, section 6.5.2)
        if (piece->flags & WW_HTTP2_ACK || side->payload[0] != 0 || side->payload[1] != 1) continue;
        wwt_block_body body = {
            .kind = WWT_BLOCK_TABLE_SIZE, .is_down = is_down, .table_size = number_at(side->payload + 2)};
        add_block(stream, NULL, body, NULL, 0, now);
    }
    if (!piece->ends) return;
    if (piece->type == WW_HTTP2_RST_STREAM && side->payload_count >= 4 && exchange) {
        take_reset(stream, connection, exchange, is_down, number_at(side->payload));
    } else if (piece->type == WW_HTTP2_GOAWAY && side->payload_count >= 8 && is_down) {
        take_going_away(stream, connection, number_at(side->payload) & 0x7FFFFFFF, number_at(side->payload + 4));
    }
}

// MARK: header blocks

/// After a block that is not whole, no other one can be decoded: they share a table (RFC 7541, section 2.2).
static void lose_blocks(wws_stream *stream, bool is_down, uint64_t now) {
    side *side = is_down ? &stream->http2->down : &stream->http2->up;
    side->block_stream = 0;
    if (side->is_lost) return;
    side->is_lost = true;
    add_block(stream, NULL, (wwt_block_body){.kind = WWT_BLOCK_LOST, .is_down = is_down}, NULL, 0, now);
}

static void take_block(
    wws_stream *stream, wws_connection *connection, wws_exchange *exchange, bool is_down, const ww_http2_piece *piece,
    const uint8_t *bytes, uint64_t now) {
    side *side = is_down ? &stream->http2->down : &stream->http2->up;
    bool begins = piece->begins && piece->type != WW_HTTP2_CONTINUATION;
    if (begins) {
        side->block_stream = piece->stream;
        side->block_kind = piece->type == WW_HTTP2_HEADERS ? WWT_BLOCK_HEADERS : WWT_BLOCK_PROMISE;
        side->block_ends_stream = piece->type == WW_HTTP2_HEADERS && piece->flags & WW_HTTP2_END_STREAM;
    }
    bool ends = piece->ends && piece->flags & WW_HTTP2_END_HEADERS;
    size_t left = piece->content;
    while (!side->is_lost && (begins || ends || left)) {
        size_t count = left < WWT_MOST_PIECE ? left : WWT_MOST_PIECE;
        left -= count;
        wwt_block_body body = {
            .stream = piece->stream, .kind = (uint8_t)side->block_kind, .is_down = is_down, .begins = begins,
            .ends = ends && !left,
        };
        add_block(stream, exchange, body, bytes, count, now);
        bytes += count;
        begins = false;
        if (!left) break;
    }
    if (!ends) return;
    side->block_stream = 0;
    if (is_down) stream->ends_waiting = true;
    if (is_down || !exchange || !stream->http2->has_left || exchange->number <= stream->http2->last) {
        if (side->block_ends_stream && exchange) end_side(stream, connection, exchange, is_down);
    } else {
        // GOAWAY may be read before the call returns that has sent the request.
        cut(stream, connection, exchange, unprocessed, stream->http2->leaving_code);
    }
}

// MARK: bytes

/// Whether a frame is of a stream of the client's that has not been opened.
static bool is_ahead(const wws_http2 *session, const ww_http2_piece *piece) {
    return piece->begins && piece->stream % 2 == 1 && piece->stream > session->newest;
}

static bool opens_stream(const wws_http2 *session, const ww_http2_piece *piece) {
    return piece->type == WW_HTTP2_HEADERS && is_ahead(session, piece);
}

static void take(
    wws_stream *stream, wws_connection *connection, bool is_down, const ww_http2_piece *piece, const uint8_t *bytes,
    size_t count, uint64_t now) {
    wws_http2 *session = stream->http2;
    side *side = is_down ? &session->down : &session->up;
    if (piece->type == WW_HTTP2_PREFACE) return add_part(stream, is_down, piece);
    wws_exchange *exchange = *link_of(session, piece->stream);
    if (!is_down && opens_stream(session, piece)) {
        exchange = begin(stream, connection, piece->stream, now);
        if (!exchange) return;
    }
    add_part(stream, is_down, piece);
    if (exchange) exchange->last = now;
    // Nothing comes between the frames of a header block (RFC 9113, section 4.3).
    bool is_in_order = piece->type == WW_HTTP2_CONTINUATION ? piece->stream == side->block_stream && piece->stream
                                                            : !piece->begins || !side->block_stream;
    if (!is_in_order) lose_blocks(stream, is_down, now);
    const uint8_t *payload = bytes + piece->payload;
    switch (piece->type) {
    case WW_HTTP2_DATA:
        if (!exchange) break;
        if (is_down) {
            exchange->has_response = true;
            wws_exchange_add_in(exchange, payload, piece->content, now);
        } else {
            wws_exchange_add_out(exchange, payload, piece->content, now);
        }
        stream->unreported += piece->content;
        if (piece->ends && piece->flags & WW_HTTP2_END_STREAM) end_side(stream, connection, exchange, is_down);
        break;
    case WW_HTTP2_HEADERS:
    case WW_HTTP2_CONTINUATION:
    case WW_HTTP2_PUSH_PROMISE:
        if (exchange && is_down) exchange->has_response = true;
        take_block(stream, connection, exchange, is_down, piece, payload, now);
        break;
    case WW_HTTP2_RST_STREAM:
    case WW_HTTP2_SETTINGS:
    case WW_HTTP2_GOAWAY:
        take_control(stream, connection, exchange, is_down, piece, payload, count - piece->payload, now);
        break;
    default: break;
    }
}

/// `waits`: a response may come before the call that has sent its request returns. Then its bytes wait.
static void scan(
    wws_stream *stream, wws_connection *connection, bool is_down, bool waits, const uint8_t *bytes, size_t count,
    uint64_t now) {
    static const uint8_t preface[] = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
    wws_http2 *session = stream->http2;
    ww_http2_scanner *scanner = is_down ? &session->down.scanner : &session->up.scanner;
    while (count && !stream->is_lost) {
        ww_http2_scanner before = *scanner;
        ww_http2_piece piece;
        size_t taken = ww_http2_scan(scanner, bytes, count, &piece);
        bool is_foreign = before.preface_left
            && memcmp(bytes, preface + WW_HTTP2_PREFACE_SIZE - before.preface_left, taken) != 0;
        bool is_early = is_down && waits && (piece.type == WW_HTTP2_HEADERS || piece.type == WW_HTTP2_RST_STREAM)
            && is_ahead(session, &piece);
        if (is_early) *scanner = before;
        if (is_foreign || (is_early && !wws_stream_keep_early(stream, bytes, count))) {
            connection->is_torn = true;
            wws_stream_lose(stream);
        }
        if (is_early) return;
        if (piece.overhead || piece.content) take(stream, connection, is_down, &piece, bytes, taken, now);
        bytes += taken;
        count -= taken;
    }
}

static void take_early(wws_stream *stream, wws_connection *connection, bool waits, uint64_t now) {
    uint8_t *early = stream->early;
    size_t count = stream->early_count;
    stream->early = NULL;
    stream->early_count = 0;
    scan(stream, connection, true, waits, early, count, now);
    free(early);
}

void wws_http2_add(
    wws_stream *stream, wws_connection *connection, bool is_down, const uint8_t *bytes, size_t count, uint64_t now) {
    if (is_down && stream->early) {
        if (wws_stream_keep_early(stream, bytes, count)) return;
        connection->is_torn = true;
        return wws_stream_lose(stream);
    }
    scan(stream, connection, is_down, true, bytes, count, now);
    if (!is_down && stream->early && !stream->is_lost) take_early(stream, connection, true, now);
}

// MARK: the end

/// Sends all that is left. An incomplete frame header remains if a connection is cut inside one.
static void end(wws_stream *stream, uint64_t now) {
    if (stream->is_lost) return;
    for (int is_down = 0; is_down < 2; is_down++) {
        ww_http2_piece rest = wwt_http2_rest(is_down ? &stream->http2->down.scanner : &stream->http2->up.scanner);
        if (rest.overhead) add_part(stream, is_down, &rest);
    }
    add_parts(stream);
    add_block(stream, NULL, (wwt_block_body){.kind = WWT_BLOCK_OVER}, NULL, 0, now);
    wws_stream_send_frames(stream, now, true);
}

void wws_http2_close(wws_stream *stream, wws_connection *connection, bool has_peer_ended, int error, uint64_t now) {
    if (stream->early) take_early(stream, connection, false, now);
    for (int i = 0; i < BUCKETS && !stream->is_lost; i++) {
        while (stream->http2->exchanges[i]) {
            wws_exchange *exchange = stream->http2->exchanges[i];
            exchange->last = now;
            if (has_peer_ended || error) {
                const char *why = wws_exchange_why_cut(exchange, error);
                finish(stream, connection, exchange, WWT_END_CUT, error, why);
            } else {
                finish(stream, connection, exchange, WWT_END_REMOVED, 0, "");
            }
        }
    }
    end(stream, now);
}

void wws_http2_abandon(wws_stream *stream, wws_connection *connection, uint64_t now) {
    if (stream->early) take_early(stream, connection, false, now);
    for (int i = 0; i < BUCKETS && !stream->is_lost; i++) {
        while (stream->http2->exchanges[i]) {
            finish(stream, connection, stream->http2->exchanges[i], WWT_END_STOPPED, 0, "");
        }
    }
    end(stream, now);
}

#endif
