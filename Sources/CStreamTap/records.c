// Sends the bytes of TLS whose plaintext does not come, so that the reader of the frames can decipher them: where the
// program writes its keys into a file, and its TLS library is not one that the tap knows.
//
// A session of a known library is found during its handshake. So what passes is held back until a server's message shows
// that the handshake is over. A connection of a known library costs a copy of its handshake, and nothing after that.
#include "connection_parts.h"

#ifdef __linux__
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "frame_buffer.h"
#include "frame_output.h"
#include "name_lookups.h"

/// How much is held back at most; more is sent.
#define MOST_HELD (48u << 10)
/// A frame is one message on the socket, which takes no more than 64 KiB.
#define MOST_PIECE (32u << 10)
enum { DATA = 23, TLS_1_3 = 0x0304 };

typedef struct wws_records {
    uint32_t number; // 0 while everything is held back
    bool has_server; // the server has sent something
    bool has_client; // and the client after it
    bool is_lost;    // some were not sent
    uint64_t up, down; // bytes so far
    wwt_frames held;
} wws_records;

static bool is_passing;
static uint32_t last_number;

void wws_pass_records(bool passes) { is_passing = passes; }

bool wws_are_records_passed(void) { return is_passing; }

void wws_free_records(wws_connection *connection) {
    if (!connection->records) return;
    free(connection->records->held.bytes);
    free(connection->records);
    connection->records = NULL;
}

void wws_begin_records(wws_connection *connection) {
    wws_free_records(connection);
    // Of what a server receives, a known library could show messages that the reader has begun to show by then.
    if (!is_passing || connection->is_server || connection->proxy || connection->is_torn) return;
    connection->records = calloc(1, sizeof *connection->records);
}

/// Says that no more of them will come.
static void give_up(wws_connection *connection) {
    wws_records *records = connection->records;
    struct {
        wwt_frame frame;
        wwt_tls_over_body body;
    } over = {{sizeof over, WWT_TLS_OVER, 0, wwt_now()}, {records->number, connection->has_session}};
    if (!records->number) return wws_free_records(connection);
    wwt_output_emit(&over, sizeof over, true);
    if (connection->has_session) return wws_free_records(connection);
    free(records->held.bytes);
    records->held = (wwt_frames){0};
    records->is_lost = true;
}

static bool send_held(wws_records *records) {
    wwt_frames *held = &records->held;
    bool is_sent = !held->lost && (!held->length || wwt_output_emit(held->bytes, held->length, false));
    free(held->bytes);
    *held = (wwt_frames){0};
    return is_sent;
}

static void begin(wws_connection *connection) {
    wws_records *records = connection->records;
    if (!connection->looked_up) wws_lookup_use(connection->lookup, &connection->looked_up);
    wwt_tls_begin_body body = {
        .local_port = connection->ends.local_port,
        .remote_port = connection->ends.remote_port,
        .is_used = connection->is_used,
        .is_tunnelled = connection->clear && connection->clear->has_announced,
        .opened = connection->began,
        .connected = connection->connected,
        .lookup = connection->looked_up,
    };
    do body.number = __atomic_add_fetch(&last_number, 1, __ATOMIC_RELAXED);
    while (!body.number);
    memcpy(body.random, connection->hello->random, sizeof body.random);
    const char *texts[] = {connection->ends.local_address, connection->ends.remote_address};
    size_t size = sizeof body;
    for (int i = 0; i < 2; i++) size += sizeof(uint32_t) + strlen(texts[i]);
    wwt_frames frames = {0};
    if (wwt_frames_begin(&frames, WWT_TLS_BEGIN, wwt_now(), size)) {
        wwt_frames_append(&frames, &body, sizeof body);
        for (int i = 0; i < 2; i++) wwt_frames_append_text(&frames, texts[i], strlen(texts[i]));
        if (wwt_output_emit(frames.bytes, frames.length, false)) records->number = body.number;
    }
    free(frames.bytes);
    // The frames that are held back have no number yet.
    uint8_t *bytes = records->held.bytes;
    for (size_t done = 0; done < records->held.length;) {
        wwt_frame frame;
        memcpy(&frame, bytes + done, sizeof frame);
        memcpy(bytes + done + sizeof frame, &body.number, sizeof body.number);
        done += frame.size;
    }
}

/// Sends the first bytes; false if that failed.
static bool start(wws_connection *connection) {
    if (!connection->hello || !connection->hello->has_random || !connection->has_ends) return false;
    begin(connection);
    return connection->records->number && send_held(connection->records);
}

static void add_frame(wws_records *records, bool is_down, const uint8_t *bytes, size_t count) {
    uint64_t *offset = is_down ? &records->down : &records->up;
    wwt_tls_bytes_body body = {records->number, is_down, *offset};
    *offset += count;
    if (!wwt_frames_begin(&records->held, WWT_TLS_BYTES, wwt_now(), sizeof body + count)) return;
    wwt_frames_append(&records->held, &body, sizeof body);
    wwt_frames_append(&records->held, bytes, count);
}

/// Whether a known library would have its session by now. In TLS 1.3 what it receives after its Finished is for the
/// program; before, the server's Finished comes last.
static bool is_overdue(const wws_connection *connection, bool is_down, const uint8_t *bytes) {
    const wws_records *records = connection->records;
    const wws_server_hello *answer = connection->answer;
    if (records->held.length > MOST_HELD) return true;
    if (!is_down || !records->has_client || !answer || !answer->has_hello) return false;
    return answer->version >= TLS_1_3 || bytes[0] == DATA;
}

void wws_add_records(wws_connection *connection, bool is_down, const uint8_t *bytes, size_t count) {
    wws_records *records = connection->records;
    if (records->is_lost) return;
    if (connection->has_session || connection->is_torn || connection->proxy) return give_up(connection);
    bool is_late = !records->number && is_overdue(connection, is_down, bytes);
    records->has_server |= is_down;
    records->has_client |= !is_down && records->has_server;
    for (size_t piece; count; bytes += piece, count -= piece) {
        piece = count < MOST_PIECE ? count : MOST_PIECE;
        add_frame(records, is_down, bytes, piece);
        if (records->number && !send_held(records)) return give_up(connection);
    }
    if (is_late && !start(connection)) give_up(connection);
}

void wws_send_records(wws_connection *connection) {
    wws_records *records = connection->records;
    if (!records || records->is_lost) return;
    bool is_lost = connection->has_session || connection->is_torn || connection->proxy;
    // What ended before the handshake was over carried no message.
    if (is_lost || (!records->number && (!records->has_client || !start(connection)))) give_up(connection);
}

uint32_t wws_records_number(const wws_connection *connection, bool *are_whole) {
    const wws_records *records = connection->records;
    *are_whole = records && !records->is_lost;
    return records ? records->number : 0;
}

#endif
