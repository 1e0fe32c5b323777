#include "exchange.h"

#ifdef __linux__
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "connection.h"
#include "frame_output.h"
#include "http2_stream.h"
#include "name_lookups.h"
#include "url_text.h"

/// Transfers of libcurl have numbers below.
#define FIRST_TRANSFER (UINT64_C(1) << 62)

static uint64_t next_transfer = FIRST_TRANSFER;

void wws_number_above(uint64_t number) {
    uint64_t now = FIRST_TRANSFER;
    while (now < number
        && !__atomic_compare_exchange_n(&next_transfer, &now, number, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {}
    wws_http2_number_above(number);
}

wws_exchange *wws_exchange_start(wws_exchange *exchange, uint64_t now) {
    if (!exchange && !(exchange = malloc(sizeof *exchange))) return NULL;
    // The meters hold large hash states, which they set up themselves.
    memset(exchange, 0, offsetof(wws_exchange, out));
    ww_body_meter_begin(&exchange->out, wwt_output_skips_digests());
    ww_body_meter_begin(&exchange->in, wwt_output_skips_digests());
    exchange->out_reported = exchange->in_reported = true;
    exchange->began = exchange->last = now;
    return exchange;
}

void wws_exchange_add_out(wws_exchange *exchange, const uint8_t *bytes, size_t count, uint64_t now) {
    if (!count) return;
    if (!exchange->out_first) exchange->out_first = now;
    exchange->out_last = now;
    exchange->out_reported = false;
    ww_body_meter_add(&exchange->out, bytes, count);
}

void wws_exchange_add_in(wws_exchange *exchange, const uint8_t *bytes, size_t count, uint64_t now) {
    if (!count) return;
    if (!exchange->in_first) exchange->in_first = now;
    exchange->in_last = now;
    exchange->in_reported = false;
    ww_body_meter_add(&exchange->in, bytes, count);
}

// MARK: frames

bool wws_exchange_choose(wws_stream *stream, const wws_exchange *exchange) {
    if (stream->frames.transfer != exchange->transfer) stream->frames.open_head = 0;
    stream->frames.transfer = exchange->transfer;
    return !stream->frames.lost;
}

void wws_exchange_report_meters(wws_stream *stream, wws_exchange *exchange) {
    if (!exchange->is_announced || !wws_exchange_choose(stream, exchange)) return;
    if (!exchange->out_reported) {
        wwt_frames_add_body(&stream->frames, WWT_BODY_OUT, &exchange->out, exchange->out_first, exchange->out_last);
    }
    if (!exchange->in_reported) {
        wwt_frames_add_body(&stream->frames, WWT_BODY_IN, &exchange->in, exchange->in_first, exchange->in_last);
    }
    exchange->out_reported = exchange->in_reported = true;
}

void wws_transfer_report_lost(uint64_t transfer) {
    struct {
        wwt_frame frame;
        wwt_lost_body body;
    } lost = {{sizeof lost, WWT_LOST, transfer, wwt_now()}, {1, WWT_LOST_BUFFER_FULL, 0}};
    wwt_output_emit(&lost, sizeof lost, true);
}

void wws_exchange_report_lost(const wws_exchange *exchange) {
    if (exchange->is_announced) wws_transfer_report_lost(exchange->transfer);
}

size_t wws_write_server_url(const wws_stream *stream, const wws_ends *ends, char *url, size_t room) {
    const char *address = stream->is_server ? ends->local_address : ends->remote_address;
    size_t length = strlen(address);
    bool is_literal = memchr(address, ':', length);
    unsigned port = stream->is_server ? ends->local_port
        : stream->is_tunnelled && stream->is_secure ? 443 : ends->remote_port;
    wws_url_text text = {url, room, 0};
    wws_url_add(&text, stream->is_secure ? "https://[" : "http://[", (stream->is_secure ? 8 : 7) + is_literal);
    wws_url_add(&text, address, length);
    wws_url_add(&text, "]", is_literal);
    wws_url_add_port(&text, port);
    wws_url_add(&text, "/", 1);
    return text.count;
}

/// One number for each thread: a thread follows a redirect after it has read the response that demands it.
static uint64_t handle_of_thread(void) {
    static __thread char place;
    return (uint64_t)(uintptr_t)&place;
}

static int64_t microseconds(uint64_t from, uint64_t to) { return to > from ? (int64_t)((to - from) / 1000) : 0; }

void wws_exchange_announce(
    wws_stream *stream, const wws_carrier *carrier, wws_exchange *exchange, const wwt_stream_body *number,
    const char *url, size_t url_length, uint64_t now) {
    exchange->is_announced = true;
    exchange->transfer = __atomic_add_fetch(&next_transfer, 1, __ATOMIC_RELAXED);
    size_t peer_length = strlen(carrier->ends->remote_address);
    wwt_times times = {-1, -1, -1, -1, -1, -1};
    // TLS in a tunnel starts on a connection that is not new.
    bool starts_tls = stream->is_secure && carrier->secured && !carrier->is_first && !stream->has_announced;
    stream->has_announced = true;
    // Of what a server receives, the connection is its client's doing.
    bool is_opened = carrier->is_first && !stream->is_server;
    // Other work may come between the lookup and the connection, and is no part of the exchange. So it begins as if the
    // lookup had ended when the connection began.
    uint64_t opened = carrier->began, took = carrier->looked_up;
    if (is_opened && (took || wws_lookup_use(carrier->lookup, &took))) {
        opened -= took;
        times.name_lookup = microseconds(opened, carrier->began);
    }
    if (is_opened && carrier->connected) times.connect = microseconds(opened, carrier->connected);
    if (is_opened && carrier->secured) times.app_connect = microseconds(opened, carrier->secured);
    if (!wws_exchange_choose(stream, exchange)) return;
    wwt_begin_body begin = {handle_of_thread(), stream->is_server};
    uint64_t began = is_opened && opened < exchange->began ? opened : exchange->began;
    wwt_frames_add(&stream->frames, WWT_BEGIN_STREAM, began, &begin, sizeof begin);
    if (number) wwt_frames_add(&stream->frames, WWT_STREAM, exchange->began, number, sizeof *number);
    wwt_request_body body = {
        .times = times,
        .connects = carrier->is_first,
        .local_port = carrier->ends->local_port,
        .remote_port = carrier->ends->remote_port,
    };
    if (!wwt_frames_begin(&stream->frames, WWT_REQUEST, exchange->began, sizeof body + 8 + url_length + peer_length)) {
        return;
    }
    wwt_frames_append(&stream->frames, &body, sizeof body);
    wwt_frames_append_text(&stream->frames, url, url_length);
    wwt_frames_append_text(&stream->frames, carrier->ends->remote_address, peer_length);
    if (carrier->is_first || starts_tls) wws_connection_describe(carrier->connection, &stream->frames, now);
}

const char *wws_exchange_why_cut(const wws_exchange *exchange, int error) {
    if (error) return strerror(error);
    return exchange->has_response ? "the connection ended before the response was whole"
                                  : "the connection ended without a response";
}

void wws_exchange_add_end(
    wws_stream *stream, wws_connection *connection, const wws_exchange *exchange, const wws_ending *ending) {
    size_t why_length = strlen(ending->why);
    wwt_end_body body = {
        .times = {-1, -1, -1, -1, -1, -1},
        .how = ending->how,
        .result = ending->error,
        .header_size = exchange->heads,
        .os_errno = ending->error,
        .unsent = ending->unsent,
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
    wwt_frames_append_text(&stream->frames, ending->why, why_length);
    wwt_frames_append_text(&stream->frames, "", 0);
}

#endif
