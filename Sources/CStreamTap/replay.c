#include "CStreamTap.h"

#include "tap_frames.h"

#ifdef __linux__
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "connection.h"
#include "frame_output.h"
#include "tls.h"

struct wws_replay {
    wws_connection connection; // without a socket
    wwt_tls_session described;
    char version[32], cipher[64];
    wwt_settings output;
    uint64_t now;
    bool is_taken; // the frames were returned
    uint8_t *frames;
    size_t count, capacity;
};

/// The transfers and sessions of HTTP/2 that this process numbers must not be those of the program.
#define FIRST_NUMBER (UINT64_C(1) << 63)

static bool reserve(wws_replay *replay, size_t more) {
    if (replay->count + more <= replay->capacity) return true;
    size_t capacity = replay->capacity ? replay->capacity : 4096;
    while (capacity < replay->count + more) capacity *= 2;
    uint8_t *bytes = realloc(replay->frames, capacity);
    if (!bytes) return false;
    replay->frames = bytes;
    replay->capacity = capacity;
    return true;
}

/// Keeps frames. What they note as now was when the bytes passed.
static bool keep(void *context, const uint8_t *frames, size_t count, bool last) {
    (void)last;
    wws_replay *replay = context;
    if (!reserve(replay, count)) return false;
    uint8_t *kept = replay->frames + replay->count;
    memcpy(kept, frames, count);
    replay->count += count;
    for (size_t done = 0; done < count;) {
        wwt_frame frame;
        memcpy(&frame, kept + done, sizeof frame);
        if (frame.monotonic > replay->now) frame.monotonic = replay->now;
        memcpy(kept + done, &frame, sizeof frame);
        done += frame.size;
    }
    return true;
}

static void enter(wws_replay *replay, uint64_t now) {
    if (replay->is_taken) replay->count = 0;
    replay->is_taken = false;
    replay->now = now;
    wwt_output_divert(&replay->output);
}

static void leave(void) { wwt_output_divert(NULL); }

wws_replay *wws_replay_create(
    const wwt_tls_begin_body *begin, const char *local_address, const char *remote_address, wws_replay_tls tls) {
    wws_replay *replay = calloc(1, sizeof *replay);
    wws_stream *plain = wws_stream_create(true, false);
    if (!replay || !plain) {
        free(replay);
        wws_stream_free(plain);
        return NULL;
    }
    wws_number_above(FIRST_NUMBER);
    strncpy(replay->version, tls.version, sizeof replay->version - 1);
    strncpy(replay->cipher, tls.cipher, sizeof replay->cipher - 1);
    replay->described = (wwt_tls_session){.version = replay->version, .cipher = replay->cipher};
    replay->output = (wwt_settings){.emit = keep, .context = replay, .skips_digests = tls.skips_digests};
    wws_connection *connection = &replay->connection;
    connection->socket = -1;
    connection->kind = WWS_TLS;
    connection->has_ends = connection->has_session = true;
    connection->is_used = begin->is_used;
    connection->began = begin->opened;
    connection->connected = begin->connected;
    connection->secured = tls.secured;
    connection->looked_up = begin->lookup;
    connection->described = &replay->described;
    connection->ends.local_port = begin->local_port;
    connection->ends.remote_port = begin->remote_port;
    strncpy(connection->ends.local_address, local_address, sizeof connection->ends.local_address - 1);
    strncpy(connection->ends.remote_address, remote_address, sizeof connection->ends.remote_address - 1);
    connection->plain = plain;
    plain->is_tunnelled = begin->is_tunnelled;
    return replay;
}

void wws_replay_free(wws_replay *replay) {
    if (!replay) return;
    wws_stream_free(replay->connection.plain);
    free(replay->frames);
    free(replay);
}

void wws_replay_add(wws_replay *replay, bool is_down, const uint8_t *bytes, size_t count, uint64_t now) {
    wws_connection *connection = &replay->connection;
    *(is_down ? &connection->plain_received : &connection->plain_sent) += count;
    enter(replay, now);
    wws_stream *plain = connection->plain;
    static const char preface[] = "PRI * HTTP/2.0"; // RFC 9113, section 3.4
    bool begins_http2 = !is_down && count >= sizeof preface - 1 && !memcmp(preface, bytes, sizeof preface - 1);
    if (begins_http2 || plain->is_http2) strcpy(replay->described.protocol, "h2");
    // What is in a tunnel of it is not followed.
    if (wws_stream_add(plain, connection, is_down, bytes, count, now)) connection->is_foreign = true;
    leave();
}

void wws_replay_end(wws_replay *replay, uint64_t now) {
    replay->connection.has_peer_ended = true;
    enter(replay, now);
    wws_stream_peer_ended(replay->connection.plain, &replay->connection, now);
    leave();
}

void wws_replay_lose(wws_replay *replay, uint64_t now) {
    enter(replay, now);
    wws_stream_lose(replay->connection.plain);
    leave();
}

bool wws_replay_close(wws_replay *replay, const uint8_t *bytes, size_t size) {
    wws_connection *connection = &replay->connection;
    wws_stream *plain = connection->plain;
    wwt_frame frame;
    wwt_unseen_body body = {0};
    if (size < sizeof frame) return false;
    memcpy(&frame, bytes, sizeof frame);
    bool is_unseen = frame.kind == WWT_UNSEEN;
    size_t fixed = sizeof frame + (is_unseen ? sizeof body : sizeof body.socket);
    if (size < fixed || size != frame.size) return false;
    memcpy(&body, bytes + sizeof frame, fixed - sizeof frame);
    uint32_t known = body.socket.tcp.known;
    bool is_open = is_unseen ? body.is_open : frame.kind == WWT_SOCKET_LEFT;
    bool has_peer_ended = connection->has_peer_ended || known == WWT_TCP_ENDED || known == WWT_TCP_GONE;
    bool was_lost = plain->is_lost;
    enter(replay, frame.monotonic);
    wwt_websocket websocket = wws_stream_websocket(plain);
    if (is_open) wws_stream_abandon(plain, connection, frame.monotonic);
    else wws_stream_close(plain, connection, has_peer_ended, known == WWT_TCP_OVER ? ECONNRESET : 0, frame.monotonic);
    leave();
    if (was_lost && !connection->is_used) return false;
    // Of the rest, the kernel's count alone is known.
    if (!was_lost) {
        body.socket.plaintext = (wwt_plaintext){
            .known = 1, .sent = connection->plain_sent, .received = connection->plain_received};
    }
    body.socket.hides_messages = 0;
    body.socket.websocket = websocket;
    body.socket.is_foreign |= connection->is_foreign;
    bool is_news = is_unseen && !connection->is_used;
    if (is_news) body.why = plain->is_http2 ? WWT_UNSEEN_HTTP2 : WWT_UNSEEN_NOTHING;
    else frame.kind = is_open ? WWT_SOCKET_LEFT : WWT_SOCKET_CLOSED;
    size_t kept = is_news ? sizeof body : sizeof body.socket;
    frame.size = (uint32_t)(sizeof frame + kept + (size - fixed));
    if (!reserve(replay, frame.size)) return false;
    uint8_t *end = replay->frames + replay->count;
    memcpy(end, &frame, sizeof frame);
    memcpy(end + sizeof frame, &body, kept);
    memcpy(end + sizeof frame + kept, bytes + fixed, size - fixed);
    replay->count += frame.size;
    return true;
}

const uint8_t *wws_replay_frames(wws_replay *replay, size_t *count) {
    *count = replay->is_taken ? 0 : replay->count;
    replay->is_taken = true;
    return replay->frames;
}

#else

wws_replay *wws_replay_create(
    const wwt_tls_begin_body *begin, const char *local_address, const char *remote_address, wws_replay_tls tls) {
    (void)begin; (void)local_address; (void)remote_address; (void)tls;
    return NULL;
}
void wws_replay_free(wws_replay *replay) { (void)replay; }
void wws_replay_add(wws_replay *replay, bool is_down, const uint8_t *bytes, size_t count, uint64_t now) {
    (void)replay; (void)is_down; (void)bytes; (void)count; (void)now;
}
void wws_replay_end(wws_replay *replay, uint64_t now) { (void)replay; (void)now; }
void wws_replay_lose(wws_replay *replay, uint64_t now) { (void)replay; (void)now; }
bool wws_replay_close(wws_replay *replay, const uint8_t *frame, size_t size) {
    (void)replay; (void)frame; (void)size;
    return false;
}
const uint8_t *wws_replay_frames(wws_replay *replay, size_t *count) {
    (void)replay;
    *count = 0;
    return NULL;
}

#endif
