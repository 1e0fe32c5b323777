#include "play.h"

#ifdef __linux__
#include <stdlib.h>
#include <string.h>

#include "CStreamPlay.h"
#include "clock.h"
#include "connection.h"
#include "frame_output.h"
#include "name_lookups.h"

struct csp_play {
    wws_connection connection;
    wws_stream *stream;
    bool is_secure, refuses, drops;
    uint64_t queued; // bytes that the kernel has taken and not sent
    uint8_t *frames;
    size_t count;
};

static __thread csp_play *playing;
static __thread uint64_t clock_now = 1000;

uint64_t csp_now(void) { return clock_now += 1000; }

bool csp_output_skips_digests(void) { return false; }

bool csp_output_emit(const void *frames, size_t count, bool last) {
    (void)last;
    // What reports losses has room of its own.
    if (playing->refuses && ((const wwt_frame *)frames)->kind != WWT_LOST) return false;
    if (playing->drops) return true;
    playing->frames = realloc(playing->frames, playing->count + count);
    memcpy(playing->frames + playing->count, frames, count);
    playing->count += count;
    return true;
}

static wwt_tcp tcp_of(const wws_connection *connection) {
    return (wwt_tcp){
        .known = WWT_TCP_OPEN, .sent = connection->sent - playing->queued, .received = connection->received};
}

uint64_t wws_connection_queued(const wws_connection *connection, wwt_tcp *tcp) {
    *tcp = playing->queued ? (wwt_tcp){0} : tcp_of(connection);
    return playing->queued;
}

void wws_connection_note_kept(wws_connection *connection) { connection->kept = playing->queued; }

static wwt_plaintext plaintext_of(const wws_connection *connection) {
    return (wwt_plaintext){
        .known = connection->has_session, .sent = connection->plain_sent - connection->kept,
        .received = connection->plain_received};
}

void wws_connection_carrier(wws_connection *connection, wws_carrier *carrier) {
    *carrier = (wws_carrier){.connection = connection, .ends = &connection->ends, .is_first = !connection->is_used};
}

void wws_connection_describe(wws_connection *connection, wwt_frames *frames, uint64_t now) {
    connection->is_used = true;
    const char *texts[] = {connection->ends.local_address, connection->ends.remote_address, "", "", ""};
    wwt_connection_body body = {
        .local_port = connection->ends.local_port, .remote_port = connection->ends.remote_port,
        .uses_tls = connection->has_session, .tcp = tcp_of(connection), .plaintext = plaintext_of(connection)};
    size_t size = sizeof body;
    for (int i = 0; i < 5; i++) size += sizeof(uint32_t) + strlen(texts[i]);
    if (!wwt_frames_begin(frames, WWT_CONNECTION, now, size)) return;
    wwt_frames_append(frames, &body, sizeof body);
    for (int i = 0; i < 5; i++) wwt_frames_append_text(frames, texts[i], strlen(texts[i]));
}

void wws_connection_count(wws_connection *connection, wwt_tcp *tcp, wwt_plaintext *plaintext) {
    *tcp = tcp_of(connection);
    *plaintext = plaintext_of(connection);
}

bool wws_lookup_use(uint64_t number, uint64_t *took) {
    (void)number;
    (void)took;
    return false;
}

csp_play *csp_begin(bool is_secure, bool is_server) {
    csp_play *play = calloc(1, sizeof *play);
    play->is_secure = is_secure;
    play->connection.has_session = is_secure;
    play->connection.is_server = is_server;
    uint32_t port = is_secure ? 443 : 80;
    play->connection.ends = is_server ? (wws_ends){port, 5000, "10.0.0.1", "127.0.0.1"}
                                      : (wws_ends){5000, port, "127.0.0.1", "10.0.0.1"};
    play->stream = wws_stream_create(is_secure, is_server);
    return play;
}

void csp_pass(csp_play *play, bool is_down, const uint8_t *bytes, size_t count) {
    playing = play;
    wws_connection *connection = &play->connection;
    // TLS takes a tenth more.
    bool is_received = is_down != connection->is_server;
    *(is_received ? &connection->received : &connection->sent) += count + (play->is_secure ? count / 10 + 20 : 0);
    *(is_received ? &connection->plain_received : &connection->plain_sent) += count;
    uint8_t *copy = malloc(count ? count : 1);
    memcpy(copy, bytes, count);
    wws_stream_add(play->stream, connection, is_down, copy, count, csp_now());
    free(copy);
}

void csp_queue(csp_play *play, uint64_t count) { play->queued = count; }

void csp_refuse(csp_play *play, bool refuses) { play->refuses = refuses; }

void csp_drop(csp_play *play, bool drops) { play->drops = drops; }

bool csp_is_lost(const csp_play *play) { return play->stream->is_lost; }

static void report(csp_play *play, enum wwt_frame_kind kind) {
    wwt_socket_body body = {
        .local_port = play->connection.ends.local_port, .remote_port = play->connection.ends.remote_port,
        .tcp = tcp_of(&play->connection), .plaintext = plaintext_of(&play->connection),
        .websocket = wws_stream_websocket(play->stream)};
    wwt_frames frames = {0};
    const char *local = play->connection.ends.local_address, *remote = play->connection.ends.remote_address;
    wwt_frames_begin(&frames, kind, csp_now(), sizeof body + 8 + strlen(local) + strlen(remote));
    wwt_frames_append(&frames, &body, sizeof body);
    wwt_frames_append_text(&frames, local, strlen(local));
    wwt_frames_append_text(&frames, remote, strlen(remote));
    wwt_frames_send(&frames, true);
    free(frames.bytes);
}

void wws_connection_report(wws_connection *connection) {
    (void)connection;
    report(playing, WWT_SOCKET_LEFT);
}

void csp_close(csp_play *play, bool has_peer_ended, int error) {
    playing = play;
    wws_stream_close(play->stream, &play->connection, has_peer_ended, error, csp_now());
    report(play, WWT_SOCKET_CLOSED);
}

void csp_abandon(csp_play *play) {
    playing = play;
    wws_stream_abandon(play->stream, &play->connection, csp_now());
    report(play, WWT_SOCKET_LEFT);
}

const uint8_t *csp_frames(const csp_play *play, size_t *count) {
    *count = play->count;
    return play->frames;
}

void csp_free(csp_play *play) {
    wws_stream_free(play->stream);
    free(play->frames);
    free(play);
}

#endif
