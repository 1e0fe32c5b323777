// Reads the kernel's count of a connection when libcurl closes it.

#ifdef __linux__
#include <arpa/inet.h>
#include <errno.h>
#include <linux/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "frame_output.h"
#include "tap.h"
#include "transfer.h"

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
static pthread_mutex_t closing = PTHREAD_MUTEX_INITIALIZER;

void wwt_lock_closers(void) { pthread_mutex_lock(&closing); }

void wwt_unlock_closers(void) { pthread_mutex_unlock(&closing); }

void *wwt_closer_for(wwt_closes closes) {
    uintptr_t key = (uintptr_t)closes.function * 31 + (uintptr_t)closes.client;
    closer **bucket = &closers[key * 0x9E3779B185EBCA87ULL >> 56];
    pthread_mutex_lock(&closing);
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
    pthread_mutex_unlock(&closing);
    return found;
}

enum { ESTABLISHED = 1, FIN_WAIT1 = 4, FIN_WAIT2 = 5, TIME_WAIT = 6, CLOSE = 7, CLOSE_WAIT = 8, LAST_ACK = 9, CLOSING = 11 };

/// Whether a FIN has come, as far as the state of a connection shows.
static bool has_fin(int state) {
    return state == CLOSE_WAIT || state == LAST_ACK || state == CLOSING || state == TIME_WAIT;
}

/// Reads the kernel's counts and the number of unread bytes as of one moment; false if the kernel does not report them.
///
/// It needs several system calls, and bytes may arrive between them. No other thread reads from the socket meanwhile.
static bool read_at_once(int socket, struct tcp_info *info, int *unread) {
    int before = -1;
    for (int tries = 0; tries < 8; tries++) {
        memset(info, 0, sizeof *info);
        socklen_t size = sizeof *info;
        if (getsockopt(socket, IPPROTO_TCP, TCP_INFO, info, &size) != 0) return false;
        if (size < offsetof(struct tcp_info, tcpi_bytes_retrans) + sizeof info->tcpi_bytes_retrans) return false;
        struct pollfd now = {.fd = socket, .events = POLLIN | POLLRDHUP};
        poll(&now, 1, 0);
        // The kernel reads the state first and then waits for its turn to read the counts. If a FIN comes in between,
        // the counts include it, but the state does not show it.
        int state = info->tcpi_state;
        bool hides_fin = (now.revents & POLLRDHUP) && (state == ESTABLISHED || state == FIN_WAIT1 || state == FIN_WAIT2);
        // The caller subtracts the unread bytes from the count, so both must be of one moment. If there are unread
        // bytes, their number must be the same in two passes.
        *unread = 0;
        if (now.revents & POLLIN) ioctl(socket, FIONREAD, unread);
        if (!hides_fin && (*unread == 0 || *unread == before)) break;
        before = *unread;
    }
    return true;
}

/// Whether a connection that was reset had received a FIN before: the socket's pending error is another one then.
///
/// Reading the error clears it, so call this only when about to close.
static bool had_fin_before_reset(int socket) {
    int error = 0;
    socklen_t size = sizeof error;
    return getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &size) == 0 && error == EPIPE;
}

wwt_tcp wwt_read_tcp(int socket, bool is_closing) {
    wwt_tcp result = {0};
    struct tcp_info info;
    int unread = 0;
    if (!read_at_once(socket, &info, &unread)) return result;
    // The kernel counts a received FIN as one byte.
    bool is_over = info.tcpi_state == CLOSE;
    bool fin = has_fin(info.tcpi_state) || (is_over && is_closing && had_fin_before_reset(socket));
    uint64_t taken = info.tcpi_bytes_received;
    if (fin && taken) taken--;
    if (unread > 0) taken = taken > (uint64_t)unread ? taken - (uint64_t)unread : 0;
    result.known = fin ? WWT_TCP_ENDED : is_over ? WWT_TCP_OVER : WWT_TCP_OPEN;
    result.round_trip = info.tcpi_rtt;
    result.sent = info.tcpi_bytes_sent - info.tcpi_bytes_retrans;
    result.received = taken;
    // On close the kernel still sends queued bytes, unless there are unread ones: then it resets the connection.
    if (is_closing && unread == 0 && info.tcpi_state == ESTABLISHED) result.sent += info.tcpi_notsent_bytes;
    result.retransmitted = info.tcpi_bytes_retrans;
    result.segments_sent = info.tcpi_segs_out;
    result.segments_received = info.tcpi_segs_in;
    return result;
}

/// Writes the address into `text`, of at least `INET6_ADDRSTRLEN` bytes.
static const char *write_address(const struct sockaddr_storage *address, char *text) {
    text[0] = 0;
    if (address->ss_family == AF_INET) {
        inet_ntop(AF_INET, &((const struct sockaddr_in *)address)->sin_addr, text, INET6_ADDRSTRLEN);
    } else if (address->ss_family == AF_INET6) {
        inet_ntop(AF_INET6, &((const struct sockaddr_in6 *)address)->sin6_addr, text, INET6_ADDRSTRLEN);
    }
    return text;
}

static void append_address(uint8_t *bytes, size_t *length, const struct sockaddr_storage *address) {
    char text[INET6_ADDRSTRLEN];
    write_address(address, text);
    uint32_t count = (uint32_t)strlen(text);
    memcpy(bytes + *length, &count, sizeof count);
    memcpy(bytes + *length + sizeof count, text, count);
    *length += sizeof count + count;
}

static uint32_t port_of(const struct sockaddr_storage *address) {
    // The port is at the same place in both address families.
    return ntohs(((const struct sockaddr_in *)address)->sin_port);
}

/// False if it is not, or no longer, a connection over IPv4 or IPv6.
static bool read_ends(int socket, struct sockaddr_storage *local, struct sockaddr_storage *remote) {
    socklen_t local_size = sizeof *local, remote_size = sizeof *remote;
    return getsockname(socket, (struct sockaddr *)local, &local_size) == 0
        && getpeername(socket, (struct sockaddr *)remote, &remote_size) == 0
        && (local->ss_family == AF_INET || local->ss_family == AF_INET6);
}

uint32_t wwt_local_port(int socket) {
    struct sockaddr_storage local = {0};
    socklen_t size = sizeof local;
    return getsockname(socket, (struct sockaddr *)&local, &size) == 0 ? port_of(&local) : 0;
}

// While a request is sent, libcurl reports no socket, or the previous request's. So the tap keeps its own table.

#define PORTS (1 << 16)
#define PORTS_OF_A_BIT (PORTS / 64)
#define CLOSED (-1)

static int sockets[PORTS]; // by local port: the descriptor plus one
static uint64_t used;      // one bit for each 64th of them: whether it may have any

// The connections that a thread has opened last and over which no request has gone.
#define RECENT 32
static __thread struct {
    int socket;
    uint32_t local_port; // 0 for an empty entry
} recent[RECENT];
static __thread unsigned recent_count;

static void remember_recent(int socket, uint32_t local_port) {
    for (unsigned i = 0; i < RECENT; i++) {
        if (recent[i].socket == socket) recent[i].local_port = 0;
    }
    unsigned place = recent_count++ % RECENT;
    recent[place].socket = socket;
    recent[place].local_port = local_port;
}

void wwt_socket_connected(int socket) {
    struct sockaddr_storage local = {0};
    socklen_t size = sizeof local;
    if (getsockname(socket, (struct sockaddr *)&local, &size) != 0) return;
    if (local.ss_family != AF_INET && local.ss_family != AF_INET6) return;
    wwt_prelude_begin(socket);
    wwt_websocket_take(socket); // of another connection, whose end the tap did not see
    __atomic_store_n(&sockets[port_of(&local)], socket + 1, __ATOMIC_RELAXED);
    __atomic_or_fetch(&used, UINT64_C(1) << port_of(&local) / PORTS_OF_A_BIT, __ATOMIC_RELAXED);
    remember_recent(socket, port_of(&local));
}

void wwt_socket_claim(uint32_t local_port) {
    for (unsigned i = 0; i < RECENT; i++) {
        if (recent[i].local_port == local_port) recent[i].local_port = 0;
    }
}

static __thread struct {
    int socket; // the descriptor plus one
    void *tls;  // the TLS session; NULL for none
    bool is_gnutls;
} sent_last;

void wwt_socket_sent(int socket) {
    sent_last.socket = socket + 1;
    sent_last.tls = NULL;
}

void wwt_socket_sent_in_tls(const void *session, bool is_gnutls) {
    // TLS may have kept the bytes for later; then nothing has gone over a socket.
    if (sent_last.socket == 0) return;
    sent_last.tls = (void *)session;
    sent_last.is_gnutls = is_gnutls;
}

/// The ends of an open connection; false if the socket is none.
static bool write_ends(int socket, wwt_ends *ends) {
    struct sockaddr_storage local = {0}, remote = {0};
    if (!read_ends(socket, &local, &remote)) return false;
    *ends = (wwt_ends){.socket = socket, .local_port = port_of(&local), .remote_port = port_of(&remote)};
    write_address(&local, ends->local_address);
    write_address(&remote, ends->remote_address);
    return true;
}

bool wwt_socket_sent_last(wwt_ends *ends) {
    int before = errno, socket = sent_last.socket - 1;
    sent_last.socket = 0;
    bool is_known = socket >= 0 && write_ends(socket, ends)
        && __atomic_load_n(&sockets[ends->local_port], __ATOMIC_RELAXED) == socket + 1;
    errno = before;
    if (!is_known) return false;
    ends->tls = sent_last.tls;
    ends->is_gnutls = sent_last.is_gnutls;
    for (unsigned i = 0; i < RECENT; i++) {
        if (recent[i].local_port != ends->local_port || recent[i].socket != socket) continue;
        recent[i].local_port = 0;
        ends->is_new = true;
    }
    return true;
}

/// The index in `recent` of the only connection that has sent at least `sent` bytes; `RECENT` if there is none, or
/// several.
static unsigned find_recent(uint64_t sent) {
    unsigned found = RECENT;
    for (unsigned i = 0; i < RECENT; i++) {
        if (recent[i].local_port == 0) continue;
        // The socket may have been closed since, and its number may be anything by now.
        bool is_open = wwt_local_port(recent[i].socket) == recent[i].local_port;
        wwt_tcp tcp = is_open ? wwt_read_tcp(recent[i].socket, false) : (wwt_tcp){0};
        if (!tcp.known) recent[i].local_port = 0;
        if (!tcp.known || tcp.sent < sent) continue;
        if (found < RECENT) return RECENT;
        found = i;
    }
    return found;
}

bool wwt_socket_find(uint64_t sent, wwt_ends *ends) {
    int before = errno;
    unsigned found = find_recent(sent);
    bool is_found = found < RECENT && write_ends(recent[found].socket, ends);
    if (is_found) {
        ends->is_new = true;
        recent[found].local_port = 0;
    }
    errno = before;
    return is_found;
}

bool wwt_socket_unused(wwt_ends *ends) {
    int before = errno;
    unsigned found = find_recent(0);
    bool is_found = found < RECENT && write_ends(recent[found].socket, ends);
    errno = before;
    return is_found;
}

static void forget_socket(uint32_t local_port, int socket) {
    int known = socket + 1;
    __atomic_compare_exchange_n(
        &sockets[local_port], &known, CLOSED, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

static bool has_address(const struct sockaddr_storage *end, const char *address) {
    char text[INET6_ADDRSTRLEN];
    return strcmp(write_address(end, text), address) == 0;
}

bool wwt_socket_of(uint32_t local_port, uint32_t remote_port, const char *remote_address, int *socket) {
    int known = local_port < PORTS ? __atomic_load_n(&sockets[local_port], __ATOMIC_RELAXED) : 0;
    *socket = -1;
    if (known == CLOSED) return true;
    if (known == 0) return false;
    // The socket may have been closed since, and its number may be anything by now. One port may serve connections to
    // several addresses.
    struct sockaddr_storage remote = {0};
    socklen_t size = sizeof remote;
    if (wwt_local_port(known - 1) != local_port) return false;
    // Fails after a reset: then the local port has to do.
    bool has_peer = getpeername(known - 1, (struct sockaddr *)&remote, &size) == 0;
    if (has_peer && (port_of(&remote) != remote_port || !has_address(&remote, remote_address))) return false;
    *socket = known - 1;
    return true;
}

static void emit_count(enum wwt_frame_kind kind, const wwt_socket_body *body, const struct sockaddr_storage *local,
    const struct sockaddr_storage *remote, bool last) {
    uint8_t bytes[sizeof(wwt_frame) + sizeof *body + 2 * (sizeof(uint32_t) + INET6_ADDRSTRLEN)];
    size_t length = sizeof(wwt_frame);
    memcpy(bytes + length, body, sizeof *body);
    length += sizeof *body;
    append_address(bytes, &length, local);
    append_address(bytes, &length, remote);
    wwt_frame frame = {(uint32_t)length, kind, 0, wwt_now()};
    memcpy(bytes, &frame, sizeof frame);
    wwt_outlet_emit(bytes, length, last);
}

/// Sends the kernel's last count.
static void emit_closed(int socket) {
    struct sockaddr_storage local = {0}, remote = {0};
    socklen_t size = sizeof local;
    if (getsockname(socket, (struct sockaddr *)&local, &size) != 0) return;
    if (local.ss_family != AF_INET && local.ss_family != AF_INET6) return;
    size = sizeof remote;
    getpeername(socket, (struct sockaddr *)&remote, &size); // fails after a reset: then the local port has to do
    forget_socket(port_of(&local), socket);
    wwt_socket_body body = {
        port_of(&local), port_of(&remote), wwt_read_tcp(socket, true), wwt_tls_take(socket), wwt_prelude_of(socket),
        wwt_websocket_take(socket),
    };
    wwt_prelude_begin(socket); // another connection will get this number
    if (!body.tcp.known) return;
    wwt_http2_tell_socket(socket);
    emit_count(WWT_SOCKET_CLOSED, &body, &local, &remote, true);
}

/// Never waits for a lock: the thread that ends the program may have been interrupted while it held one.
static void emit_left(int socket, bool last) {
    struct sockaddr_storage local = {0}, remote = {0};
    if (!read_ends(socket, &local, &remote)) return;
    // The socket may have been closed since, and its number may be anything by now.
    uint32_t port = port_of(&local);
    if (__atomic_load_n(&sockets[port], __ATOMIC_RELAXED) != socket + 1) return;
    wwt_socket_body body = {.local_port = port, .remote_port = port_of(&remote)};
    if (!wwt_http2_is_told(socket) || !wwt_tls_read_if_free(socket, &body.plaintext)) return;
    if (!wwt_websocket_read_if_free(socket, &body.websocket)) return;
    body.tcp = wwt_read_tcp(socket, false);
    body.prelude = wwt_prelude_of(socket);
    if (body.tcp.known) emit_count(WWT_SOCKET_LEFT, &body, &local, &remote, last);
}

void wwt_sockets_forked(void) { __atomic_store_n(&used, 0, __ATOMIC_RELAXED); }

static bool is_ending;

void wwt_tell_left_sockets(void) {
    // Set it before the first socket is read, so that a thread that sends a farewell later sees it.
    __atomic_store_n(&is_ending, true, __ATOMIC_SEQ_CST);
    if (!wwt_outlet_enter(wwt_outlet_generation())) return;
    uint64_t parts = __atomic_load_n(&used, __ATOMIC_RELAXED);
    for (uint32_t port = 0; port < PORTS; port++) {
        if (!(parts >> port / PORTS_OF_A_BIT & 1)) {
            port += PORTS_OF_A_BIT - 1;
            continue;
        }
        int socket = __atomic_load_n(&sockets[port], __ATOMIC_RELAXED) - 1;
        if (socket >= 0) emit_left(socket, true);
    }
    wwt_outlet_leave();
}

void wwt_socket_said_farewell(int socket) {
    if (socket < 0 || !__atomic_load_n(&is_ending, __ATOMIC_SEQ_CST)) return;
    if (!wwt_outlet_enter(wwt_outlet_generation())) return;
    emit_left(socket, true);
    wwt_outlet_leave();
}

void wwt_socket_tell(int socket) {
    if (!wwt_outlet_enter(wwt_outlet_generation())) return;
    emit_left(socket, false);
    wwt_outlet_leave();
}

int wwt_close_socket(void *client, int socket) {
    const closer *own = client;
    int before = errno;
    if (wwt_outlet_enter(wwt_outlet_generation())) {
        emit_closed(socket);
        wwt_outlet_leave();
    }
    errno = before;
    return own->closes.function ? own->closes.function(own->closes.client, socket) : close(socket);
}

#endif
