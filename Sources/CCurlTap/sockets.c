// The sockets that libcurl has opened: which descriptor has which local port, and over which connection a thread has
// sent last. While a request is sent, libcurl reports no socket, or the previous request's.

#ifdef __linux__
#include <arpa/inet.h>
#include <errno.h>
#include <string.h>

#include "kernel_counts.h"
#include "proxy_handshake.h"
#include "socket_ends.h"
#include "sockets.h"
#include "websocket.h"

#define PORTS (1 << 16)
#define PORTS_OF_A_BIT (PORTS / 64)
#define CLOSED (-1)

static int sockets[PORTS]; // by local port: the descriptor plus one
static uint64_t used;      // one bit for each 64th of them: whether it may have any

static uint32_t carrying[PORTS]; // by local port: the number of the last transfer whose end was not reported; 0 for none

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

/// A connection, by its descriptor. It belongs to one thread at a time, as libcurl's connections do. A descriptor that is
/// used again may belong to another thread: `is_known` is written last and read first, so that this thread sees what the
/// earlier one wrote.
typedef struct connection {
    uint64_t sent, received;
    bool is_known; // the ends are set
    uint32_t local_port, remote_port;
    char remote_address[INET6_ADDRSTRLEN];
} connection;

/// Descriptors from this number on are not remembered.
#define MOST_REMEMBERED 16384
static connection connections[MOST_REMEMBERED];

static connection *connection_of(int socket) {
    return (unsigned)socket < MOST_REMEMBERED ? &connections[socket] : NULL;
}

static bool is_known(const connection *of) { return __atomic_load_n(&of->is_known, __ATOMIC_ACQUIRE); }

static void set_known(connection *of, bool value) { __atomic_store_n(&of->is_known, value, __ATOMIC_RELEASE); }

static void begin_connection(int socket) {
    connection *begun = connection_of(socket);
    if (!begun) return;
    (void)is_known(begun);
    begun->sent = begun->received = 0;
    set_known(begun, false);
}

static void remember_ends(int socket, uint32_t local_port, uint32_t remote_port, const char *remote_address) {
    connection *of = connection_of(socket);
    if (!of) return;
    of->local_port = local_port;
    of->remote_port = remote_port;
    strncpy(of->remote_address, remote_address, sizeof of->remote_address - 1);
    set_known(of, true);
}

void wwt_socket_connected(int socket) {
    struct sockaddr_storage local = {0};
    socklen_t size = sizeof local;
    if (getsockname(socket, (struct sockaddr *)&local, &size) != 0) return;
    if (local.ss_family != AF_INET && local.ss_family != AF_INET6) return;
    begin_connection(socket);
    wwt_prelude_begin(socket);
    wwt_websocket_take(socket); // of another connection, whose end the tap did not see
    __atomic_store_n(&sockets[wwt_port_of(&local)], socket + 1, __ATOMIC_RELAXED);
    __atomic_store_n(&carrying[wwt_port_of(&local)], 0, __ATOMIC_RELAXED);
    __atomic_or_fetch(&used, UINT64_C(1) << wwt_port_of(&local) / PORTS_OF_A_BIT, __ATOMIC_RELAXED);
    remember_recent(socket, wwt_port_of(&local));
}

void wwt_socket_claim(uint32_t local_port) {
    for (unsigned i = 0; i < RECENT; i++) {
        if (recent[i].local_port == local_port) recent[i].local_port = 0;
    }
}

bool wwt_socket_overtake(uint32_t local_port, uint64_t transfer) {
    if (local_port == 0 || local_port >= PORTS) return false;
    uint32_t before = __atomic_exchange_n(&carrying[local_port], (uint32_t)transfer, __ATOMIC_RELAXED);
    return before != 0 && before != (uint32_t)transfer;
}

void wwt_socket_release(uint32_t local_port, uint64_t transfer) {
    uint32_t number = (uint32_t)transfer;
    if (local_port >= PORTS) return;
    __atomic_compare_exchange_n(&carrying[local_port], &number, 0, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

static __thread struct {
    int socket; // the descriptor plus one
    void *tls;  // the TLS session; NULL for none
    bool is_gnutls;
} sent_last;

void wwt_socket_sent(int socket, size_t count) {
    connection *of = connection_of(socket);
    if (of) of->sent += count;
    sent_last.socket = socket + 1;
    sent_last.tls = NULL;
}

void wwt_socket_received(int socket, size_t count) {
    connection *of = connection_of(socket);
    if (of) of->received += count;
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
    if (!wwt_read_ends(socket, &local, &remote)) return false;
    *ends = (wwt_ends){.socket = socket, .local_port = wwt_port_of(&local), .remote_port = wwt_port_of(&remote)};
    wwt_write_address(&local, ends->local_address);
    wwt_write_address(&remote, ends->remote_address);
    return true;
}

bool wwt_socket_sent_last(wwt_ends *ends) {
    int before = errno, socket = sent_last.socket - 1;
    sent_last.socket = 0;
    bool is_known = socket >= 0 && write_ends(socket, ends)
        && wwt_socket_is_open(socket, ends->local_port);
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

void wwt_socket_forget(uint32_t local_port, int socket) {
    begin_connection(socket); // another connection will get this number
    int known = socket + 1;
    __atomic_compare_exchange_n(
        &sockets[local_port], &known, CLOSED, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

static bool has_address(const struct sockaddr_storage *end, const char *address) {
    char text[INET6_ADDRSTRLEN];
    return strcmp(wwt_write_address(end, text), address) == 0;
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
    if (has_peer && (wwt_port_of(&remote) != remote_port || !has_address(&remote, remote_address))) return false;
    *socket = known - 1;
    if (has_peer) remember_ends(*socket, local_port, remote_port, remote_address);
    return true;
}

bool wwt_socket_remembered(uint32_t local_port, uint32_t remote_port, const char *remote_address, wwt_carried *carried) {
    int socket = local_port && local_port < PORTS ? __atomic_load_n(&sockets[local_port], __ATOMIC_RELAXED) - 1 : -1;
    const connection *found = connection_of(socket);
    if (!found || !is_known(found) || found->local_port != local_port || found->remote_port != remote_port
        || strcmp(found->remote_address, remote_address) != 0) return false;
    *carried = (wwt_carried){socket, sent_last.socket == socket + 1, found->sent, found->received};
    return true;
}

bool wwt_socket_is_open(int socket, uint32_t local_port) {
    return __atomic_load_n(&sockets[local_port], __ATOMIC_RELAXED) == socket + 1;
}

void wwt_each_open_socket(void (*call)(int socket)) {
    uint64_t parts = __atomic_load_n(&used, __ATOMIC_RELAXED);
    for (uint32_t port = 0; port < PORTS; port++) {
        if (!(parts >> port / PORTS_OF_A_BIT & 1)) {
            port += PORTS_OF_A_BIT - 1;
            continue;
        }
        int socket = __atomic_load_n(&sockets[port], __ATOMIC_RELAXED) - 1;
        if (socket >= 0) call(socket);
    }
}

void wwt_sockets_forked(void) { __atomic_store_n(&used, 0, __ATOMIC_RELAXED); }

#endif
