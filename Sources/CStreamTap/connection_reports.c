// What the tap says of connections: who they connect, the kernel's count, and why messages were not seen.
#include "connection_parts.h"

#ifdef __linux__
#include <stdlib.h>
#include <sys/socket.h>

#include "CStreamTap.h"
#include "clock.h"
#include "dependencies.h"
#include "frame_output.h"
#include "kernel_counts.h"
#include "name_lookups.h"
#include "socket_ends.h"
#include "tls.h"

void wws_read_ends(wws_connection *connection) {
    if (connection->has_ends) return;
    struct sockaddr_storage local = {0}, remote = {0};
    if (!wwt_read_ends(connection->socket, &local, &remote)) return;
    connection->has_ends = true;
    connection->ends.local_port = wwt_port_of(&local);
    connection->ends.remote_port = wwt_port_of(&remote);
    wwt_write_address(&local, connection->ends.local_address);
    wwt_write_address(&remote, connection->ends.remote_address);
}

void wws_connection_carrier(wws_connection *connection, wws_carrier *carrier) {
    wws_read_ends(connection);
    *carrier = (wws_carrier){
        .connection = connection,
        .ends = &connection->ends,
        .is_first = !connection->is_used,
        .began = connection->began,
        .connected = connection->connected,
        .secured = connection->secured,
        .lookup = connection->lookup,
        .looked_up = connection->looked_up,
    };
}

static uint64_t all_sent(const wws_connection *connection) { return connection->sent_before + connection->sent; }

static uint64_t all_received(const wws_connection *connection) {
    return connection->received_before + connection->received;
}

/// This process's part of what the kernel has counted.
static wwt_tcp own_part(const wws_connection *connection, wwt_tcp tcp) {
    tcp.sent -= connection->sent_before < tcp.sent ? connection->sent_before : tcp.sent;
    tcp.received -= connection->received_before < tcp.received ? connection->received_before : tcp.received;
    // What the other process has sent and received by now is its own to report.
    if (connection->is_handed && tcp.sent > connection->sent) tcp.sent = connection->sent;
    if (connection->is_handed && tcp.received > connection->received) tcp.received = connection->received;
    return tcp;
}

/// The kernel's count. After both sides have closed the connection in good order, its state is that of one that was
/// reset, and only the bytes that calls have passed show that the last byte counted is the FIN.
static wwt_tcp read_tcp(const wws_connection *connection, bool is_closing) {
    wwt_tcp tcp;
    uint64_t sent = all_sent(connection), received = all_received(connection);
    bool is_at_rest = !is_closing && wwt_read_tcp_at_rest(connection->socket, sent, received, &tcp);
    if (!is_at_rest) tcp = wwt_read_tcp(connection->socket, is_closing);
    if (tcp.known == WWT_TCP_OVER && !connection->is_torn && tcp.received == received + 1) {
        tcp.known = WWT_TCP_GONE;
        tcp.received--;
    }
    return own_part(connection, tcp);
}

// Those that a call still passes are not known yet, and the end of what the peer sends may be counted as one. Of TLS, the
// plaintext counts, however its bytes pass.
bool wws_was_bypassed(const wws_connection *connection) {
    if (connection->is_shared || connection->kind == WWS_TLS) return false;
    wwt_tcp tcp = read_tcp(connection, false);
    return tcp.known && (tcp.sent > connection->sent || tcp.received > connection->received + 1);
}

/// What has passed before messages and TLS. Whether TLS follows is known better.
static wwt_prelude prelude_of(const wws_connection *connection) {
    wwt_prelude prelude = connection->prelude.counts;
    prelude.begins_tls = 0;
    return prelude;
}

static wwt_plaintext plaintext_of(const wws_connection *connection) {
    wwt_plaintext proxys = {.known = 1, .sent = connection->proxy_sent, .received = connection->proxy_received};
    if (!connection->has_session) return connection->proxy ? proxys : (wwt_plaintext){0};
    // Of a record that was cut, the kernel has sent the part before.
    uint64_t kept = connection->kept < connection->plain_sent ? connection->kept : connection->plain_sent;
    return (wwt_plaintext){
        .known = 1,
        .sent = connection->plain_sent - kept,
        .received = connection->plain_received,
        .proxy_known = connection->proxy != NULL,
        .proxy_sent = proxys.sent,
        .proxy_received = proxys.received,
    };
}

void wws_connection_count(wws_connection *connection, wwt_tcp *tcp, wwt_plaintext *plaintext) {
    if (connection->references == 0) return;
    *tcp = connection->counted ? *connection->counted : read_tcp(connection, false);
    *plaintext = plaintext_of(connection);
}

uint64_t wws_connection_queued(const wws_connection *connection, wwt_tcp *tcp) {
    *tcp = (wwt_tcp){0};
    if (connection->references == 0) return 0;
    uint64_t queued = wwt_read_queued(connection->socket, all_sent(connection), all_received(connection), tcp);
    if (tcp->known) *tcp = own_part(connection, *tcp);
    return queued;
}

void wws_connection_note_kept(wws_connection *connection) {
    connection->kept = 0;
    if (connection->references == 0) return;
    wwt_tcp tcp = read_tcp(connection, false);
    // Of one that was not reset, the kernel still sends what waits, unless the program has left bytes unread.
    if (tcp.known != WWT_TCP_OVER && tcp.known != WWT_TCP_GONE) tcp = read_tcp(connection, true);
    if (tcp.known && tcp.sent < connection->sent) connection->kept = connection->sent - tcp.sent;
}

void wws_connection_describe(wws_connection *connection, wwt_frames *frames, uint64_t now) {
    connection->is_used = true;
    wwt_tls_session tls = {.session = (void *)(uintptr_t)connection->session, .version = "", .cipher = ""};
    if (connection->described) {
        tls = *connection->described;
    } else if (connection->session && connection->library) {
        tls.is_gnutls = connection->library->is_gnutls;
        tls.is_nss = connection->library->is_nss;
        wwt_tls_describe(connection->library->words, &tls);
    }
    const wws_ends *ends = &connection->ends;
    const char *texts[] = {ends->local_address, ends->remote_address, tls.version, tls.cipher, tls.protocol};
    wwt_connection_body body = {
        .local_port = ends->local_port,
        .remote_port = ends->remote_port,
        .uses_tls = connection->has_session,
        .prelude = prelude_of(connection),
    };
    wws_connection_count(connection, &body.tcp, &body.plaintext);
    size_t size = sizeof body;
    for (int i = 0; i < 5; i++) size += sizeof(uint32_t) + wwt_text_length(texts[i]);
    if (!wwt_frames_begin(frames, WWT_CONNECTION, now, size)) return;
    wwt_frames_append(frames, &body, sizeof body);
    for (int i = 0; i < 5; i++) wwt_frames_append_text(frames, texts[i], wwt_text_length(texts[i]));
}

/// Whether the client has sent more than what belongs to TLS alone, though no plaintext was seen.
static bool has_hidden_messages(const wws_connection *connection) {
    return connection->bare && (connection->is_server ? connection->received : connection->sent) > connection->bare;
}

/// Why the messages of a connection could not be seen; `WWT_SEEN` if they could, or if it carries no HTTP.
static enum wwt_unseen_why why_unseen(const wws_connection *connection, const wwt_tcp *tcp) {
    if (connection->is_taken_over) return WWT_UNSEEN_TAKEN_OVER;
    if (connection->is_torn) return WWT_UNSEEN_TORN;
    if (connection->kind == WWS_TLS) {
        if (!connection->has_session) return WWT_UNSEEN_TLS;
        if (!connection->plain && connection->is_used) return WWT_SEEN;
        if (!connection->plain) return has_hidden_messages(connection) ? WWT_UNSEEN_BYPASSED : WWT_UNSEEN_NOTHING;
        if (connection->plain->is_http2) return WWT_UNSEEN_HTTP2;
        return WWT_SEEN;
    }
    if (connection->clear && connection->clear->is_http2) return WWT_UNSEEN_HTTP2;
    if (connection->inner && connection->inner->is_http2) return WWT_UNSEEN_HTTP2;
    if (connection->clear && connection->clear->is_foreign) return WWT_SEEN;
    if (connection->is_server && tcp->received > connection->received) return WWT_UNSEEN_BYPASSED;
    return tcp->sent > connection->sent ? WWT_UNSEEN_BYPASSED : WWT_SEEN;
}

static wwt_websocket websocket_of(const wws_connection *connection) {
    wws_stream *streams[WWS_MOST_LAYERS];
    int count = wws_streams_of(connection, streams);
    wwt_websocket found = {0};
    for (int i = 0; i < count && !found.known; i++) found = wws_stream_websocket(streams[i]);
    return found;
}

/// The texts after the numbers of a handshake: the server's name, the protocols that were offered, the one that was
/// chosen, and the server's certificate.
typedef struct handshake_texts {
    struct {
        const void *bytes;
        size_t count;
    } all[4];
} handshake_texts;

static handshake_texts texts_of(const wws_client_hello *hello, const wws_server_hello *answer) {
    handshake_texts texts = {{
        {hello->bytes, hello->name_size},
        {hello->bytes + hello->name_size, hello->protocols_size},
        {"", 0},
        {"", 0},
    }};
    if (answer) {
        texts.all[2].bytes = answer->bytes;
        texts.all[2].count = answer->protocol_size;
        texts.all[3].bytes = answer->bytes + answer->protocol_size;
        texts.all[3].count = answer->certificate_size;
    }
    return texts;
}

static bool has_handshake(const wws_connection *connection) { return connection->hello && connection->hello->has_random; }

static size_t handshake_size(const wws_connection *connection) {
    if (!has_handshake(connection)) return 0;
    handshake_texts texts = texts_of(connection->hello, connection->answer);
    size_t size = sizeof(wwt_handshake_body);
    for (int i = 0; i < 4; i++) size += sizeof(uint32_t) + texts.all[i].count;
    return size;
}

static void append_handshake(wwt_frames *frames, const wws_connection *connection) {
    if (!has_handshake(connection)) return;
    handshake_texts texts = texts_of(connection->hello, connection->answer);
    wwt_handshake_body body = {0};
    if (connection->answer && connection->answer->has_hello) {
        body.version = connection->answer->version;
        body.cipher = connection->answer->cipher;
        body.resumption = connection->answer->resumption;
        body.chain_size = connection->answer->chain_size;
    }
    wwt_frames_append(frames, &body, sizeof body);
    for (int i = 0; i < 4; i++) wwt_frames_append_text(frames, texts.all[i].bytes, texts.all[i].count);
}

/// Whether TLS that cannot be looked into has begun in the tunnel of a proxy, whose CONNECT was seen.
static bool hides_messages(const wws_connection *connection, enum wwt_unseen_why why) {
    // In the tunnels that a proxy makes for others, nothing is to be seen.
    bool is_in_tunnel = connection->clear && connection->clear->has_announced && !connection->is_server;
    return why == WWT_UNSEEN_TLS && (connection->proxy || is_in_tunnel);
}

static bool is_foreign(const wws_connection *connection) {
    return connection->is_foreign || (connection->inner && connection->inner->is_foreign);
}

void wws_report_connection(wws_connection *connection, bool is_closing) {
    // Another process has it, and may use it: to ask for an error would take that away.
    if (connection->is_shared && !connection->sent && !connection->received) return;
    wwt_tcp tcp = read_tcp(connection, is_closing);
    if (!tcp.known || !connection->has_ends) return;
    enum wwt_unseen_why why = why_unseen(connection, &tcp);
    // What no call of this process has carried may have been another one's.
    bool is_own = !connection->is_shared || connection->sent || connection->received;
    bool is_news = !connection->is_used && why != WWT_SEEN && (tcp.sent || tcp.received) && is_own;
    if (!connection->is_used && !is_news) return;
    bool tls_is_whole;
    uint32_t tls_number = wws_records_number(connection, &tls_is_whole);
    wwt_unseen_body body = {
        .socket = {
            .local_port = connection->ends.local_port,
            .remote_port = connection->ends.remote_port,
            .tcp = tcp,
            // What has passed inside of TLS is unknown then.
            .plaintext = why == WWT_UNSEEN_BYPASSED ? (wwt_plaintext){0} : plaintext_of(connection),
            .websocket = websocket_of(connection),
            .prelude = prelude_of(connection),
            .lacks_tls = connection->kind != WWS_TLS && !connection->is_torn,
            .is_foreign = is_foreign(connection),
            .hides_messages = hides_messages(connection, why),
            .tls_number = tls_number,
            .tls_is_whole = tls_is_whole,
        },
        .why = why,
        .uses_tls = connection->kind == WWS_TLS,
        .is_open = !is_closing,
        .is_served = connection->is_server,
        .opened = connection->began,
        .connected = connection->connected,
        .heard = connection->heard,
    };
    body.lookup = connection->looked_up;
    if (is_news && !body.lookup) wws_lookup_use(connection->lookup, &body.lookup);
    const char *texts[] = {connection->ends.local_address, connection->ends.remote_address};
    wwt_frames frames = {0};
    size_t texts_size = 0;
    for (int i = 0; i < 2; i++) texts_size += sizeof(uint32_t) + wwt_text_length(texts[i]);
    enum wwt_frame_kind kind = is_news ? WWT_UNSEEN : is_closing ? WWT_SOCKET_CLOSED : WWT_SOCKET_LEFT;
    size_t size = is_news ? sizeof body : sizeof body.socket;
    if (wwt_frames_begin(&frames, kind, wwt_now(), size + texts_size + handshake_size(connection))) {
        wwt_frames_append(&frames, &body, size);
        for (int i = 0; i < 2; i++) wwt_frames_append_text(&frames, texts[i], wwt_text_length(texts[i]));
        append_handshake(&frames, connection);
        wwt_frames_send(&frames, true);
    }
    free(frames.bytes);
}

void wws_connection_report(wws_connection *connection) { wws_report_connection(connection, false); }

#endif
