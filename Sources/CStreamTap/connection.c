#include "connection_parts.h"

#ifdef __linux__
#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "clock.h"
#include "fork_lock.h"
#include "frame_output.h"
#include "name_lookups.h"
#include "sessions.h"
#include "socket_ends.h"

wws_connection *wws_connections[WWS_MOST_DESCRIPTORS];

static int highest; // one more than the highest descriptor that has had a connection
#define HIGHEST __atomic_load_n(&highest, __ATOMIC_RELAXED)
static bool is_on;
static pid_t owner; // a child of vfork shares this memory, and what it closes is its own
static wws_connection *spare;
static uint64_t serials;
static wwt_fork_lock pool = WWT_FORK_LOCK;

/// Whether this thread holds a connection's lock. A signal's handler may run then, and must not wait for it.
static __thread bool is_inside;
/// What it had before: a thread that is cancelled must not take the lock with it.
static __thread int could_cancel;

/// A thread that was inside a hook at the last stop may still ask who the owner is while the tap starts again.
static void own(void) { __atomic_store_n(&owner, getpid(), __ATOMIC_RELAXED); }

void wws_start(void) {
    wws_watch_forks();
    own();
    __atomic_store_n(&is_on, true, __ATOMIC_RELEASE);
}

bool wws_is_owner(void) { return getpid() == __atomic_load_n(&owner, __ATOMIC_RELAXED); }

bool wws_is_on(void) { return __atomic_load_n(&is_on, __ATOMIC_ACQUIRE); }

uint64_t wws_moment(void) { return wwt_now(); }

// MARK: locks

bool wws_set_inside(bool is_now) {
    bool was_inside = is_inside;
    is_inside = is_now;
    return was_inside;
}

static wws_connection *lock(wws_connection *connection) {
    if (is_inside) {
        __atomic_store_n(&connection->is_torn, true, __ATOMIC_RELAXED);
        return NULL;
    }
    is_inside = true;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &could_cancel);
    pthread_mutex_lock(&connection->lock);
    return connection;
}

void wws_unlock(wws_connection *connection) {
    pthread_mutex_unlock(&connection->lock);
    int state = could_cancel;
    is_inside = false;
    pthread_setcancelstate(state, NULL);
}

uint64_t wws_serial_of(const wws_connection *connection) {
    return __atomic_load_n(&connection->serial, __ATOMIC_RELAXED);
}

wws_connection *wws_lock_descriptor(int descriptor, wws_handle handle) {
    wws_connection *connection = wws_lock_serial(handle.connection, handle.serial);
    if (!connection || wws_connection_of(descriptor) == connection) return connection;
    wws_unlock(connection);
    return NULL;
}

wws_connection *wws_lock_serial(wws_connection *connection, uint64_t serial) {
    // Another connection that has its memory by now is not touched.
    if (!serial || wws_serial_of(connection) != serial || !lock(connection)) return NULL;
    if (connection->serial == serial) return connection;
    wws_unlock(connection);
    return NULL;
}

void wws_lock_connections(void) {
    wwt_lock(&pool);
    wws_lock_hellos();
}

void wws_unlock_connections(void) {
    wws_unlock_hellos();
    wwt_unlock(&pool);
}

/// What a child has of its parent's connections. Other threads may have been changing them, so they are left alone.
static wws_connection *inherited;

static void inherit(wws_connection *connection) {
    // A connection may have several descriptors, and is in the list once.
    for (const wws_connection *each = connection->references > 1 ? inherited : NULL; each; each = each->next_free) {
        if (each == connection) return;
    }
    connection->next_free = inherited;
    inherited = connection;
}

static bool is_unused(const wws_connection *connection) {
    return connection->is_server && !connection->clear && !connection->sent && !connection->received;
}

void wws_share_connections(void) {
    for (int i = 0; i < HIGHEST; i++) {
        wws_connection *connection = wws_connection_of(i);
        if (connection && is_unused(connection)) connection->is_shared = true;
    }
}

/// Whether the child of a fork may be the one that uses a connection. One whose lock is held by another thread of the
/// parent is in use there.
static bool takes_over(wws_connection *connection) {
    if (!is_unused(connection) || pthread_mutex_trylock(&connection->lock) != 0) return false;
    pthread_mutex_unlock(&connection->lock);
    // The output of the parent's frames is not the child's.
    connection->generation = wwt_output_generation();
    return connection->is_shared = true;
}

void wws_forget_connections(void) {
    for (int i = 0; i < HIGHEST; i++) {
        wws_connection *connection = wws_connections[i];
        if (!connection || takes_over(connection)) continue;
        inherit(connection);
        wws_connections[i] = NULL;
    }
    // Another thread may have held the lock of an unused one.
    for (wws_connection *each = spare; each; each = each->next_free) pthread_mutex_init(&each->lock, NULL);
    wws_forget_hellos();
    is_inside = false;
    own();
}

// MARK: connections

/// Makes it unused. Its lock is held.
static void retire(wws_connection *connection) {
    if (connection->hello) wws_forget_hello(connection);
    wws_stream_free(connection->clear);
    wws_stream_free(connection->plain);
    wws_stream_free(connection->proxy);
    wws_stream_free(connection->inner);
    free(connection->hello);
    free(connection->answer);
    wws_free_records(connection);
    wws_free_dns(connection);
    connection->clear = connection->plain = connection->proxy = connection->inner = NULL;
    connection->hello = NULL;
    connection->answer = NULL;
    connection->session = connection->proxy_session = NULL;
    __atomic_store_n(&connection->serial, 0, __ATOMIC_RELAXED);
    wwt_lock(&pool);
    connection->next_free = spare;
    spare = connection;
    wwt_unlock(&pool);
}

/// The streams that there are, from the innermost one on; returns their number.
int wws_streams_of(const wws_connection *connection, wws_stream *streams[WWS_MOST_LAYERS]) {
    wws_stream *all[] = {connection->plain, connection->inner, connection->proxy, connection->clear};
    int count = 0;
    for (int i = 0; i < WWS_MOST_LAYERS; i++) {
        if (all[i]) streams[count++] = all[i];
    }
    return count;
}

bool wws_are_idle(const wws_connection *connection) {
    wws_stream *streams[WWS_MOST_LAYERS];
    int count = wws_streams_of(connection, streams);
    bool is_idle = true;
    for (int i = 0; i < count; i++) is_idle &= wws_stream_is_idle(streams[i]);
    return is_idle;
}

void wws_lose_streams(wws_connection *connection) {
    wws_stream *streams[WWS_MOST_LAYERS];
    int count = wws_streams_of(connection, streams);
    for (int i = 0; i < count; i++) {
        wws_stream_finish_sent(streams[i], connection, true, wwt_now());
        wws_stream_lose(streams[i]);
    }
}

static void end_streams(wws_connection *connection) {
    uint64_t now = wwt_now();
    wws_stream *streams[WWS_MOST_LAYERS];
    int count = wws_streams_of(connection, streams);
    for (int i = 0; i < count; i++) {
        wws_stream_close(streams[i], connection, connection->has_peer_ended, connection->error, now);
    }
}

/// Ends it. Its lock is held. `is_open`: its socket still exists, and is about to be closed.
static void end(wws_connection *connection, bool is_open) {
    if (wwt_output_enter(connection->generation)) {
        if (is_open && !connection->is_datagram) wws_read_ends(connection);
        // The message that runs is another process's, or went on in other calls.
        bool may_go_on = is_open && !wws_are_idle(connection);
        if (may_go_on && (connection->is_torn || connection->is_handed || wws_was_bypassed(connection))) wws_lose_streams(connection);
        wws_send_records(connection);
        end_streams(connection);
        wws_dns_over(connection);
        if (is_open && !connection->is_datagram) wws_report_connection(connection, true);
        wwt_output_leave();
    }
    retire(connection);
}

/// Takes a descriptor from its connection, and ends that if it was the last. The lock is held.
void wws_leave(int descriptor, wws_connection *connection, bool is_open) {
    __atomic_store_n(&wws_connections[descriptor], NULL, __ATOMIC_RELEASE);
    if (--connection->references > 0) {
        if (connection->socket != descriptor) return;
        for (int i = 0; i < HIGHEST; i++) {
            if (wws_connections[i] == connection) connection->socket = i;
        }
        return;
    }
    if (is_open) connection->references = 1;
    end(connection, is_open);
    connection->references = 0;
}

static wws_connection *make(int descriptor, const struct stat *status, const wws_beginning *beginning) {
    wwt_lock(&pool);
    wws_connection *made = spare;
    if (made) spare = made->next_free;
    uint64_t serial = ++serials;
    wwt_unlock(&pool);
    if (!made) {
        if (!(made = calloc(1, sizeof *made))) return NULL;
        pthread_mutex_init(&made->lock, NULL);
    }
    // A thread that knew its former self may hold the lock for a moment.
    pthread_mutex_lock(&made->lock);
    size_t own = offsetof(wws_connection, references);
    memset((char *)made + own, 0, sizeof *made - own);
    __atomic_store_n(&made->serial, serial, __ATOMIC_RELAXED);
    made->references = 1;
    made->socket = descriptor;
    made->device = status->st_dev;
    made->inode = status->st_ino;
    made->generation = wwt_output_generation();
    made->began = beginning->began;
    made->connected = beginning->connected;
    made->lookup = beginning->lookup;
    made->is_server = beginning->is_server;
    made->is_datagram = beginning->is_datagram;
    made->is_asking = beginning->is_asking;
    made->resolver = beginning->resolver;
    made->may_be_either = beginning->may_be_either;
    made->is_shared = beginning->is_shared;
    made->sent_before = beginning->sent;
    made->received_before = beginning->received;
    made->is_taken_over = made->is_torn = beginning->sent || beginning->received;
    wwt_prelude_start(&made->prelude);
    pthread_mutex_unlock(&made->lock);
    return made;
}

static void put(int descriptor, wws_connection *connection) {
    int now = HIGHEST;
    while (now <= descriptor
        && !__atomic_compare_exchange_n(&highest, &now, descriptor + 1, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {}
    __atomic_store_n(&wws_connections[descriptor], connection, __ATOMIC_RELEASE);
}

void wws_add_connection(int descriptor, const struct stat *status, const wws_beginning *beginning) {
    bool was_inside = is_inside;
    is_inside = true; // a signal's handler that connects or accepts must not wait for the locks that this takes
    wws_connection *made = make(descriptor, status, beginning);
    if (made) put(descriptor, made);
    is_inside = was_inside;
}

bool wws_may_add(int descriptor) {
    return wws_is_on() && (unsigned)descriptor < WWS_MOST_DESCRIPTORS && !is_inside && wws_is_owner();
}

bool wws_is_internet_stream(int descriptor, struct stat *status) {
    int domain = 0, type = 0;
    socklen_t size = sizeof domain;
    return getsockopt(descriptor, SOL_SOCKET, SO_DOMAIN, &domain, &size) == 0
        && (domain == AF_INET || domain == AF_INET6)
        && getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_STREAM
        && fstat(descriptor, status) == 0;
}

bool wws_has_descriptor(const struct stat *status, int *descriptor) {
    for (int i = 0; i < HIGHEST; i++) {
        const wws_connection *connection = wws_connection_of(i);
        if (!connection || connection->inode != status->st_ino || connection->device != status->st_dev) continue;
        *descriptor = i;
        return true;
    }
    return false;
}

bool wws_is_same_socket(int descriptor, const wws_connection *connection) {
    struct stat status;
    return fstat(descriptor, &status) == 0 && status.st_ino == connection->inode && status.st_dev == connection->device;
}

void wws_connected(int descriptor, const struct sockaddr *peer, uint64_t began, bool is_done) {
    if (!wws_may_add(descriptor)) return;
    int before = errno;
    int type = 0;
    socklen_t size = sizeof type;
    struct stat status;
    wws_handle handle = wws_handle_of(descriptor);
    // A socket of UDP may turn to another peer.
    bool is_known = handle.connection && handle.connection->is_datagram;
    if (getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &size) != 0
        || (type != SOCK_STREAM && (type != SOCK_DGRAM || !(is_known || wws_is_resolver(peer))))
        || fstat(descriptor, &status) != 0) {
        errno = before;
        return;
    }
    wws_connection *known = handle.connection ? wws_lock_descriptor(descriptor, handle) : NULL;
    if (known) {
        bool is_same = known->inode == status.st_ino && known->device == status.st_dev;
        if (is_same && known->is_datagram && wws_is_resolver(peer)) wws_set_resolver(known, peer);
        else if (is_same && known->is_datagram) wws_leave(descriptor, known, true);
        if (is_same && is_done && !known->connected) known->connected = wwt_now();
        if (!is_same) wws_leave(descriptor, known, false); // its close was not seen
        wws_unlock(known);
        if (is_same) {
            errno = before;
            return;
        }
    }
    is_inside = true; // as for `wws_add_connection`
    wws_beginning beginning = {.began = began, .connected = is_done ? wwt_now() : 0, .is_datagram = type == SOCK_DGRAM};
    bool is_resolver = wws_is_resolver(peer) && wws_read_address(peer, &beginning.resolver);
    beginning.is_asking = is_resolver && !beginning.is_datagram;
    if (!beginning.is_datagram) beginning.lookup = wws_lookup_take(peer);
    if (!beginning.is_datagram || is_resolver) wws_add_connection(descriptor, &status, &beginning);
    is_inside = false;
    errno = before;
}

/// A bit for each port whose connections are left alone.
static uint64_t left_ports[(1 << 16) / 64];
static bool is_any_left;

void wws_set_port_left(uint16_t port, bool is_left) {
    uint64_t bit = UINT64_C(1) << port % 64;
    if (is_left) __atomic_fetch_or(&left_ports[port / 64], bit, __ATOMIC_RELAXED);
    else __atomic_fetch_and(&left_ports[port / 64], ~bit, __ATOMIC_RELAXED);
    if (is_left) __atomic_store_n(&is_any_left, true, __ATOMIC_RELAXED);
}

static bool is_at_left_port(int descriptor) {
    if (!__atomic_load_n(&is_any_left, __ATOMIC_RELAXED)) return false;
    uint32_t port = wwt_local_port(descriptor);
    return __atomic_load_n(&left_ports[port / 64], __ATOMIC_RELAXED) >> port % 64 & 1;
}

void wws_accepted(int descriptor) {
    if (!wws_may_add(descriptor)) return;
    int before = errno;
    struct stat status;
    wws_handle handle = wws_handle_of(descriptor);
    wws_connection *known = handle.connection ? wws_lock_descriptor(descriptor, handle) : NULL;
    if (known) {
        wws_leave(descriptor, known, false); // its close was not seen
        wws_unlock(known);
    }
    if (wws_is_internet_stream(descriptor, &status) && !is_at_left_port(descriptor)) {
        uint64_t now = wwt_now();
        wws_beginning beginning = {.began = now, .connected = now, .is_server = true};
        wws_add_connection(descriptor, &status, &beginning);
    }
    errno = before;
}

void wws_established(int descriptor) {
    wws_handle handle = wws_handle_of(descriptor);
    wws_connection *connection = handle.connection;
    if (!connection || __atomic_load_n(&connection->connected, __ATOMIC_RELAXED)) return;
    int before = errno;
    if ((connection = wws_lock_descriptor(descriptor, handle))) {
        if (!connection->connected) connection->connected = wwt_now();
        wws_unlock(connection);
    }
    errno = before;
}

void wws_closing(int descriptor) {
    wws_handle handle = wws_handle_of(descriptor);
    if (!handle.connection || !wws_is_owner()) return;
    int before = errno;
    wws_connection *connection = wws_lock_descriptor(descriptor, handle);
    if (connection) {
        wws_leave(descriptor, connection, wws_is_same_socket(descriptor, connection));
        wws_unlock(connection);
    }
    errno = before;
}

void wws_closing_range(unsigned first, unsigned last) {
    unsigned end = (unsigned)HIGHEST;
    for (unsigned i = first; i < end && i <= last; i++) wws_closing((int)i);
}

void wws_duplicated(int from, int to) {
    wws_handle handle = wws_handle_of(from);
    if (from == to || (unsigned)to >= WWS_MOST_DESCRIPTORS || !handle.connection || !wws_is_owner()) return;
    int before = errno;
    wws_connection *connection = wws_lock_descriptor(from, handle);
    if (connection) {
        connection->references++;
        put(to, connection);
        wws_unlock(connection);
    }
    errno = before;
}

void wws_finish_sent(void) {
    __atomic_store_n(&wws_is_any_holding, false, __ATOMIC_RELAXED);
    for (int i = 0; i < HIGHEST; i++) {
        wws_connection *connection = wws_connection_of(i);
        if (!connection || connection->socket != i || is_inside || pthread_mutex_trylock(&connection->lock) != 0) continue;
        is_inside = true;
        pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &could_cancel);
        if (wws_connection_of(i) == connection && wwt_output_enter(connection->generation)) {
            wws_stream *streams[WWS_MOST_LAYERS];
            int count = wws_streams_of(connection, streams);
            for (int j = 0; j < count; j++) wws_stream_finish_sent(streams[j], connection, false, wwt_now());
            wwt_output_leave();
        }
        wws_unlock(connection);
    }
}

// MARK: the program's end, or the tap's

static void report_open(wws_connection *connection) {
    wws_dns_over(connection);
    if (connection->is_datagram) return;
    uint64_t now = wwt_now();
    wws_read_ends(connection);
    wws_stream *streams[WWS_MOST_LAYERS];
    int count = wws_streams_of(connection, streams);
    for (int i = 0; i < count; i++) wws_stream_abandon(streams[i], connection, now);
    wws_send_records(connection);
    wws_report_connection(connection, false);
}

void wws_pause(void) { __atomic_store_n(&is_on, false, __ATOMIC_RELEASE); }

void wws_stop(void) {
    wws_pause();
    for (int i = 0; i < HIGHEST; i++) {
        wws_handle handle = wws_handle_of(i);
        wws_connection *connection = handle.connection ? wws_lock_descriptor(i, handle) : NULL;
        if (!connection) continue;
        __atomic_store_n(&wws_connections[i], NULL, __ATOMIC_RELEASE);
        if (--connection->references == 0) {
            if (wwt_output_enter(connection->generation)) {
                if (wws_is_same_socket(connection->socket, connection)) report_open(connection);
                else end_streams(connection);
                wwt_output_leave();
            }
            retire(connection);
        }
        wws_unlock(connection);
    }
    wws_lock_sessions();
    wws_forget_sessions();
    wws_unlock_sessions();
}

void wws_report_left(void) {
    if (!wws_is_on() || is_inside || !wws_is_owner()) return;
    if (wws_has_ring) wws_find_all();
    for (int i = 0; i < HIGHEST; i++) {
        wws_connection *connection = wws_connection_of(i);
        // The thread that ends the program may have been interrupted while it held the lock.
        if (!connection || connection->socket != i || pthread_mutex_trylock(&connection->lock) != 0) continue;
        is_inside = true;
        pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &could_cancel);
        if (wws_connection_of(i) == connection && wwt_output_enter(connection->generation)) {
            // Of one whose close was not seen, the messages remain.
            if (wws_is_same_socket(i, connection)) report_open(connection);
            else end_streams(connection);
            wwt_output_leave();
        }
        wws_unlock(connection);
    }
}

#endif
