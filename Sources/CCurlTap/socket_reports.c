// Sends the kernel's counts of connections: when libcurl closes one, while messages pass over it after a 101, and of
// those that are still open when the program ends.

#ifdef __linux__
#include <arpa/inet.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "fork_lock.h"
#include "frame_output.h"
#include "http2.h"
#include "kernel_counts.h"
#include "proxy_handshake.h"
#include "socket_ends.h"
#include "socket_reports.h"
#include "sockets.h"
#include "tls.h"
#include "websocket.h"

/// These are never freed: libcurl keeps the close function of the transfer that opened a connection for as long as the
/// connection lives. A program has few pairs of function and client (Foundation: one for each session).
typedef struct closer {
    wwt_closes closes;
    struct closer *next;
} closer;

#define MOST_CLOSERS 4096
#define BUCKETS 256

static closer *closers[BUCKETS];
static int closer_count;
static wwt_fork_lock closing = WWT_FORK_LOCK;

void wwt_lock_closers(void) { wwt_lock(&closing); }

void wwt_unlock_closers(void) { wwt_unlock(&closing); }

void *wwt_closer_for(wwt_closes closes) {
    uintptr_t key = (uintptr_t)closes.function * 31 + (uintptr_t)closes.client;
    closer **bucket = &closers[key * 0x9E3779B185EBCA87ULL >> 56];
    wwt_lock(&closing);
    closer *found = *bucket;
    while (found && (found->closes.function != closes.function || found->closes.client != closes.client)) {
        found = found->next;
    }
    if (!found && closer_count < MOST_CLOSERS && (found = calloc(1, sizeof *found))) {
        found->closes = closes;
        found->next = *bucket;
        *bucket = found;
        closer_count++;
    }
    wwt_unlock(&closing);
    return found;
}

static void emit_count(enum wwt_frame_kind kind, const wwt_socket_body *body, const struct sockaddr_storage *local,
    const struct sockaddr_storage *remote, bool last) {
    uint8_t bytes[sizeof(wwt_frame) + sizeof *body + 2 * (sizeof(uint32_t) + INET6_ADDRSTRLEN)];
    size_t length = sizeof(wwt_frame);
    memcpy(bytes + length, body, sizeof *body);
    length += sizeof *body;
    wwt_append_address(bytes, &length, local);
    wwt_append_address(bytes, &length, remote);
    wwt_frame frame = {(uint32_t)length, kind, 0, wwt_now()};
    memcpy(bytes, &frame, sizeof frame);
    wwt_output_emit(bytes, length, last);
}

/// Sends the kernel's last count.
static void emit_closed(int socket) {
    struct sockaddr_storage local = {0}, remote = {0};
    socklen_t size = sizeof local;
    if (getsockname(socket, (struct sockaddr *)&local, &size) != 0) return;
    if (local.ss_family != AF_INET && local.ss_family != AF_INET6) return;
    size = sizeof remote;
    getpeername(socket, (struct sockaddr *)&remote, &size); // fails after a reset: then the local port has to do
    wwt_socket_forget(wwt_port_of(&local), socket);
    wwt_socket_body body = {
        .local_port = wwt_port_of(&local),
        .remote_port = wwt_port_of(&remote),
        .tcp = wwt_read_tcp(socket, true),
        .plaintext = wwt_tls_take(socket),
        .prelude = wwt_prelude_of(socket),
        .websocket = wwt_websocket_take(socket),
    };
    wwt_prelude_begin(socket); // another connection will get this number
    if (!body.tcp.known) return;
    wwt_http2_report_socket(socket);
    emit_count(WWT_SOCKET_CLOSED, &body, &local, &remote, true);
}

/// Never waits for a lock: the thread that ends the program may have been interrupted while it held one.
static void emit_left(int socket, bool last) {
    struct sockaddr_storage local = {0}, remote = {0};
    if (!wwt_read_ends(socket, &local, &remote)) return;
    // The socket may have been closed since, and its number may be anything by now.
    uint32_t port = wwt_port_of(&local);
    if (!wwt_socket_is_open(socket, port)) return;
    wwt_socket_body body = {.local_port = port, .remote_port = wwt_port_of(&remote)};
    if (!wwt_http2_is_reported(socket) || !wwt_tls_read_if_free(socket, &body.plaintext)) return;
    if (!wwt_websocket_read_if_free(socket, &body.websocket)) return;
    body.tcp = wwt_read_tcp(socket, false);
    body.prelude = wwt_prelude_of(socket);
    if (body.tcp.known) emit_count(WWT_SOCKET_LEFT, &body, &local, &remote, last);
}

static bool is_ending;

static void emit_at_end(int socket) { emit_left(socket, true); }

void wwt_report_left_sockets(void) {
    // Set it before the first socket is read, so that a thread that sends close_notify later sees it.
    __atomic_store_n(&is_ending, true, __ATOMIC_SEQ_CST);
    if (!wwt_output_enter(wwt_output_generation())) return;
    wwt_each_open_socket(emit_at_end);
    wwt_output_leave();
}

void wwt_socket_said_farewell(int socket) {
    if (socket < 0 || !__atomic_load_n(&is_ending, __ATOMIC_SEQ_CST)) return;
    if (!wwt_output_enter(wwt_output_generation())) return;
    emit_left(socket, true);
    wwt_output_leave();
}

void wwt_socket_report(int socket) {
    if (!wwt_output_enter(wwt_output_generation())) return;
    emit_left(socket, false);
    wwt_output_leave();
}

int wwt_close_socket(void *client, int socket) {
    const closer *own = client;
    int before = errno;
    if (wwt_output_enter(wwt_output_generation())) {
        emit_closed(socket);
        wwt_output_leave();
    }
    errno = before;
    return own->closes.function ? own->closes.function(own->closes.client, socket) : close(socket);
}

#endif
