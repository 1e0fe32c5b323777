#include "connection.h"

#ifdef __linux__
#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "clock.h"
#include "dependencies.h"
#include "forks.h"
#include "frame_output.h"
#include "kernel_counts.h"
#include "name_lookups.h"
#include "socket_ends.h"
#include "tls.h"

wws_connection *wws_connections[WWS_MOST_DESCRIPTORS];

static int highest; // one more than the highest descriptor that has had a connection
static bool is_on;
static pid_t owner; // a child of vfork shares this memory, and what it closes is its own
static wws_connection *spare;
static uint64_t serials;
static pthread_mutex_t pool = PTHREAD_MUTEX_INITIALIZER;

/// Connections whose TLS has begun and that no session is known of, by the random of their ClientHello.
typedef struct awaiting {
    struct awaiting *next;
    wws_connection *connection;
    uint64_t serial;
    enum wws_role role;
    uint8_t random[32];
} awaiting;

static awaiting *hellos;
static pthread_mutex_t hello_lock = PTHREAD_MUTEX_INITIALIZER;

/// Whether this thread holds a connection's lock. A signal's handler may run then, and must not wait for it.
static __thread bool is_inside;
/// What it had before: a thread that is cancelled must not take the lock with it.
static __thread int could_cancel;

void wws_start(void) {
    if (!owner) wws_watch_forks();
    owner = getpid();
    __atomic_store_n(&is_on, true, __ATOMIC_RELEASE);
}

bool wws_is_on(void) { return __atomic_load_n(&is_on, __ATOMIC_ACQUIRE); }

uint64_t wws_moment(void) { return wwt_now(); }

// MARK: locks

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

wws_connection *wws_lock_descriptor(int descriptor, wws_connection *connection) {
    if (!lock(connection)) return NULL;
    if (wws_connection_of(descriptor) == connection) return connection;
    wws_unlock(connection);
    return NULL;
}

wws_connection *wws_lock_serial(wws_connection *connection, uint64_t serial) {
    if (!lock(connection)) return NULL;
    if (connection->serial == serial) return connection;
    wws_unlock(connection);
    return NULL;
}

void wws_lock_connections(void) {
    pthread_mutex_lock(&pool);
    pthread_mutex_lock(&hello_lock);
}

void wws_unlock_connections(void) {
    pthread_mutex_unlock(&hello_lock);
    pthread_mutex_unlock(&pool);
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
    for (int i = 0; i < highest; i++) {
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
    for (int i = 0; i < highest; i++) {
        wws_connection *connection = wws_connections[i];
        if (!connection || takes_over(connection)) continue;
        inherit(connection);
        wws_connections[i] = NULL;
    }
    // Another thread may have held the lock of an unused one.
    for (wws_connection *each = spare; each; each = each->next_free) pthread_mutex_init(&each->lock, NULL);
    while (hellos) {
        awaiting *next = hellos->next;
        free(hellos);
        hellos = next;
    }
    is_inside = false;
    owner = getpid();
}

// MARK: ClientHellos

static void await_session(wws_connection *connection) {
    awaiting *made = malloc(sizeof *made);
    if (!made) return;
    made->connection = connection;
    made->serial = connection->serial;
    made->role = connection->is_server ? WWS_SERVER : WWS_CLIENT;
    memcpy(made->random, connection->hello->random, sizeof made->random);
    pthread_mutex_lock(&hello_lock);
    made->next = hellos;
    hellos = made;
    pthread_mutex_unlock(&hello_lock);
}

static void forget_hello(const wws_connection *connection) {
    pthread_mutex_lock(&hello_lock);
    for (awaiting **link = &hellos; *link; link = &(*link)->next) {
        if ((*link)->connection != connection || (*link)->serial != connection->serial) continue;
        awaiting *gone = *link;
        *link = gone->next;
        free(gone);
        break;
    }
    pthread_mutex_unlock(&hello_lock);
}

wws_connection *wws_find_random(const uint8_t *random, enum wws_role role, uint64_t *serial) {
    wws_connection *found = NULL;
    pthread_mutex_lock(&hello_lock);
    for (awaiting **link = &hellos; *link; link = &(*link)->next) {
        // Both ends may be in this process.
        if (role != WWS_EITHER && (*link)->role != role) continue;
        if (memcmp((*link)->random, random, sizeof (*link)->random) != 0) continue;
        awaiting *taken = *link;
        found = taken->connection;
        *serial = taken->serial;
        *link = taken->next;
        free(taken);
        break;
    }
    pthread_mutex_unlock(&hello_lock);
    return found;
}

static void begin_tls(wws_connection *connection) {
    connection->kind = WWS_TLS;
    connection->hello = calloc(1, sizeof *connection->hello);
}

static void add_hello(wws_connection *connection, const uint8_t *bytes, size_t count) {
    wws_client_hello *hello = connection->hello;
    if (!hello || hello->is_over) return;
    bool had_random = hello->has_random;
    wws_client_hello_add(hello, bytes, count);
    if (hello->has_random && !had_random && !connection->has_session) await_session(connection);
    // What was read of it is kept, and its bytes are not.
    wws_client_hello *shorter = hello->is_over ? realloc(hello, offsetof(wws_client_hello, bytes)) : NULL;
    if (shorter) connection->hello = shorter;
}

// MARK: reports

static void read_ends(wws_connection *connection) {
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
    read_ends(connection);
    *carrier = (wws_carrier){
        .connection = connection,
        .ends = &connection->ends,
        .is_first = !connection->is_used,
        .began = connection->began,
        .connected = connection->connected,
        .secured = connection->secured,
        .lookup = connection->lookup,
    };
}

/// The kernel's count. After both sides have closed the connection in good order, its state is that of one that was
/// reset, and only the bytes that calls have passed show that the last byte counted is the FIN.
static wwt_tcp read_tcp(const wws_connection *connection, bool is_closing) {
    wwt_tcp tcp = wwt_read_tcp(connection->socket, is_closing);
    if (tcp.known == WWT_TCP_OVER && !connection->is_torn && tcp.received == connection->received + 1) {
        tcp.known = WWT_TCP_ENDED;
        tcp.received--;
    }
    return tcp;
}

/// What has passed before messages and TLS. Whether TLS follows is known better.
static wwt_prelude prelude_of(const wws_connection *connection) {
    wwt_prelude prelude = connection->prelude.counts;
    prelude.begins_tls = 0;
    return prelude;
}

static wwt_plaintext plaintext_of(const wws_connection *connection) {
    if (!connection->has_session) return (wwt_plaintext){0};
    return (wwt_plaintext){.known = 1, .sent = connection->plain_sent, .received = connection->plain_received};
}

void wws_connection_count(wws_connection *connection, wwt_tcp *tcp, wwt_plaintext *plaintext) {
    if (connection->references == 0) return;
    *tcp = read_tcp(connection, false);
    *plaintext = plaintext_of(connection);
}

void wws_connection_describe(wws_connection *connection, wwt_frames *frames, uint64_t now) {
    connection->is_used = true;
    wwt_tls_session tls = {.session = (void *)(uintptr_t)connection->session, .version = "", .cipher = ""};
    if (connection->session && connection->library) {
        tls.is_gnutls = connection->library->is_gnutls;
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

/// Why the messages of a connection could not be seen; `WWT_SEEN` if they could, or if it carries no HTTP.
static enum wwt_unseen_why why_unseen(const wws_connection *connection, const wwt_tcp *tcp) {
    if (connection->is_torn) return WWT_UNSEEN_TORN;
    if (connection->kind == WWS_TLS) {
        if (!connection->has_session) return WWT_UNSEEN_TLS;
        if (!connection->plain) return connection->is_used ? WWT_SEEN : WWT_UNSEEN_NOTHING;
        if (connection->plain->is_http2) return WWT_UNSEEN_HTTP2;
        return WWT_SEEN;
    }
    if (connection->clear && connection->clear->is_http2) return WWT_UNSEEN_HTTP2;
    if (connection->clear && connection->clear->is_foreign) return WWT_SEEN;
    if (connection->is_server && tcp->received > connection->received) return WWT_UNSEEN_BYPASSED;
    return tcp->sent > connection->sent ? WWT_UNSEEN_BYPASSED : WWT_SEEN;
}

/// Sends the kernel's last count.
static void report(wws_connection *connection, bool is_closing) {
    // Another process has it, and may use it: to ask for an error would take that away.
    if (connection->is_shared && !connection->sent && !connection->received) return;
    wwt_tcp tcp = read_tcp(connection, is_closing);
    if (!tcp.known || !connection->has_ends) return;
    enum wwt_unseen_why why = why_unseen(connection, &tcp);
    // What no call of this process has carried may have been another one's.
    bool is_own = !connection->is_shared || connection->sent || connection->received;
    bool is_news = !connection->is_used && why != WWT_SEEN && (tcp.sent || tcp.received) && is_own;
    if (!connection->is_used && !is_news) return;
    const wws_client_hello *hello = connection->hello;
    wwt_unseen_body body = {
        .socket = {
            .local_port = connection->ends.local_port,
            .remote_port = connection->ends.remote_port,
            .tcp = tcp,
            .plaintext = plaintext_of(connection),
            .websocket = wws_stream_websocket(connection->plain, connection->clear),
            .prelude = prelude_of(connection),
        },
        .why = why,
        .uses_tls = connection->kind == WWS_TLS,
        .is_open = !is_closing,
        .is_served = connection->is_server,
        .opened = connection->began,
    };
    const char *texts[] = {
        connection->ends.local_address, connection->ends.remote_address, hello ? hello->server_name : "",
        hello ? hello->protocol : "",
    };
    wwt_frames frames = {0};
    size_t texts_size = 0;
    int number = is_news ? 4 : 2;
    for (int i = 0; i < number; i++) texts_size += sizeof(uint32_t) + wwt_text_length(texts[i]);
    enum wwt_frame_kind kind = is_news ? WWT_UNSEEN : is_closing ? WWT_SOCKET_CLOSED : WWT_SOCKET_LEFT;
    size_t size = is_news ? sizeof body : sizeof body.socket;
    if (wwt_frames_begin(&frames, kind, wwt_now(), size + texts_size)) {
        wwt_frames_append(&frames, &body, size);
        for (int i = 0; i < number; i++) wwt_frames_append_text(&frames, texts[i], wwt_text_length(texts[i]));
        wwt_frames_send(&frames, true);
    }
    free(frames.bytes);
}

void wws_connection_report(wws_connection *connection) { report(connection, false); }

// MARK: connections

/// Makes it unused. Its lock is held.
static void retire(wws_connection *connection) {
    if (connection->hello) forget_hello(connection);
    wws_stream_free(connection->clear);
    wws_stream_free(connection->plain);
    free(connection->hello);
    connection->clear = connection->plain = NULL;
    connection->hello = NULL;
    connection->session = NULL;
    connection->serial = 0;
    pthread_mutex_lock(&pool);
    connection->next_free = spare;
    spare = connection;
    pthread_mutex_unlock(&pool);
}

static void end_streams(wws_connection *connection) {
    uint64_t now = wwt_now();
    bool has_peer_ended = connection->has_peer_ended;
    if (connection->plain) wws_stream_close(connection->plain, connection, has_peer_ended, connection->error, now);
    if (connection->clear) wws_stream_close(connection->clear, connection, has_peer_ended, connection->error, now);
}

/// Ends it. Its lock is held. `is_open`: its socket still exists, and is about to be closed.
static void end(wws_connection *connection, bool is_open) {
    if (wwt_output_enter(connection->generation)) {
        if (is_open) read_ends(connection);
        end_streams(connection);
        if (is_open) report(connection, true);
        wwt_output_leave();
    }
    retire(connection);
}

/// Takes a descriptor from its connection, and ends that if it was the last. The lock is held.
static void leave(int descriptor, wws_connection *connection, bool is_open) {
    __atomic_store_n(&wws_connections[descriptor], NULL, __ATOMIC_RELEASE);
    if (--connection->references > 0) {
        if (connection->socket != descriptor) return;
        for (int i = 0; i < highest; i++) {
            if (wws_connections[i] == connection) connection->socket = i;
        }
        return;
    }
    if (is_open) connection->references = 1;
    end(connection, is_open);
    connection->references = 0;
}

static wws_connection *make(int descriptor, const struct stat *status, uint64_t began) {
    pthread_mutex_lock(&pool);
    wws_connection *made = spare;
    if (made) spare = made->next_free;
    uint64_t serial = ++serials;
    pthread_mutex_unlock(&pool);
    if (!made) {
        if (!(made = calloc(1, sizeof *made))) return NULL;
        pthread_mutex_init(&made->lock, NULL);
    }
    // A thread that knew its former self may hold the lock for a moment.
    pthread_mutex_lock(&made->lock);
    size_t own = offsetof(wws_connection, serial);
    memset((char *)made + own, 0, sizeof *made - own);
    made->serial = serial;
    made->references = 1;
    made->socket = descriptor;
    made->device = status->st_dev;
    made->inode = status->st_ino;
    made->generation = wwt_output_generation();
    made->began = began;
    wwt_prelude_start(&made->prelude);
    pthread_mutex_unlock(&made->lock);
    return made;
}

static void put(int descriptor, wws_connection *connection) {
    int now = __atomic_load_n(&highest, __ATOMIC_RELAXED);
    while (now <= descriptor
        && !__atomic_compare_exchange_n(&highest, &now, descriptor + 1, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {}
    __atomic_store_n(&wws_connections[descriptor], connection, __ATOMIC_RELEASE);
}

static bool is_same_socket(int descriptor, const wws_connection *connection) {
    struct stat status;
    return fstat(descriptor, &status) == 0 && status.st_ino == connection->inode && status.st_dev == connection->device;
}

void wws_connected(int descriptor, const struct sockaddr *peer, uint64_t began, bool is_done) {
    if (!wws_is_on() || (unsigned)descriptor >= WWS_MOST_DESCRIPTORS || is_inside || getpid() != owner) return;
    int before = errno;
    int type = 0;
    socklen_t size = sizeof type;
    struct stat status;
    wws_connection *known = wws_connection_of(descriptor);
    if (getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &size) != 0 || type != SOCK_STREAM
        || fstat(descriptor, &status) != 0) {
        errno = before;
        return;
    }
    if (known && (known = wws_lock_descriptor(descriptor, known))) {
        bool is_same = known->inode == status.st_ino && known->device == status.st_dev;
        if (is_same && is_done && !known->connected) known->connected = wwt_now();
        if (!is_same) leave(descriptor, known, false); // its close was not seen
        wws_unlock(known);
        if (is_same) {
            errno = before;
            return;
        }
    }
    wws_connection *made = make(descriptor, &status, began);
    if (made) {
        if (is_done) made->connected = wwt_now();
        made->lookup = wws_lookup_take(peer);
        put(descriptor, made);
    }
    errno = before;
}

void wws_accepted(int descriptor) {
    if (!wws_is_on() || (unsigned)descriptor >= WWS_MOST_DESCRIPTORS || is_inside || getpid() != owner) return;
    int before = errno;
    int domain = 0, type = 0;
    socklen_t size = sizeof domain;
    struct stat status;
    wws_connection *known = wws_connection_of(descriptor);
    if (known && (known = wws_lock_descriptor(descriptor, known))) {
        leave(descriptor, known, false); // its close was not seen
        wws_unlock(known);
    }
    bool is_ours = getsockopt(descriptor, SOL_SOCKET, SO_DOMAIN, &domain, &size) == 0
        && (domain == AF_INET || domain == AF_INET6)
        && getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_STREAM
        && fstat(descriptor, &status) == 0;
    uint64_t now = is_ours ? wwt_now() : 0;
    wws_connection *made = is_ours ? make(descriptor, &status, now) : NULL;
    if (made) {
        made->is_server = true;
        made->connected = now;
        put(descriptor, made);
    }
    errno = before;
}

void wws_established(int descriptor) {
    wws_connection *connection = wws_connection_of(descriptor);
    if (!connection || __atomic_load_n(&connection->connected, __ATOMIC_RELAXED)) return;
    int before = errno;
    if ((connection = wws_lock_descriptor(descriptor, connection))) {
        if (!connection->connected) connection->connected = wwt_now();
        wws_unlock(connection);
    }
    errno = before;
}

void wws_closing(int descriptor) {
    wws_connection *connection = wws_connection_of(descriptor);
    if (!connection || getpid() != owner) return;
    int before = errno;
    if ((connection = wws_lock_descriptor(descriptor, connection))) {
        leave(descriptor, connection, is_same_socket(descriptor, connection));
        wws_unlock(connection);
    }
    errno = before;
}

void wws_closing_range(unsigned first, unsigned last) {
    unsigned end = (unsigned)__atomic_load_n(&highest, __ATOMIC_RELAXED);
    for (unsigned i = first; i < end && i <= last; i++) wws_closing((int)i);
}

void wws_duplicated(int from, int to) {
    wws_connection *connection = wws_connection_of(from);
    if (from == to || (unsigned)to >= WWS_MOST_DESCRIPTORS || !connection || getpid() != owner) return;
    int before = errno;
    if ((connection = wws_lock_descriptor(from, connection))) {
        connection->references++;
        put(to, connection);
        wws_unlock(connection);
    }
    errno = before;
}

// MARK: bytes

/// The connection, locked, if its descriptor still is its socket. Between messages that is asked of the kernel, because
/// a program can close a descriptor in ways that are not seen.
static wws_connection *enter(int descriptor, wws_connection *connection) {
    connection = wws_lock_descriptor(descriptor, connection);
    if (!connection) return NULL;
    bool is_idle = (!connection->clear || wws_stream_is_idle(connection->clear))
        && (!connection->plain || wws_stream_is_idle(connection->plain));
    if (is_idle && !is_same_socket(descriptor, connection)) {
        leave(descriptor, connection, false);
        wws_unlock(connection);
        return NULL;
    }
    // After a reset the kernel does not name the peer any more.
    read_ends(connection);
    if (connection->is_torn) {
        if (connection->clear) wws_stream_lose(connection->clear);
        if (connection->plain) wws_stream_lose(connection->plain);
    }
    return connection;
}

static void add_clear(wws_connection *connection, bool is_response, const uint8_t *bytes, size_t count) {
    size_t before = is_response ? wwt_prelude_add_received(&connection->prelude, count)
                                : wwt_prelude_add_sent(&connection->prelude, bytes, count);
    bytes += before;
    count -= before;
    if (!count) return;
    if (connection->kind == WWS_TLS) {
        if (!is_response) add_hello(connection, bytes, count);
        return;
    }
    if (!connection->clear && !(connection->clear = wws_stream_create(false, connection->is_server))) {
        connection->is_torn = true;
        return;
    }
    if (connection->prelude.counts.socks_sent) connection->clear->is_tunnelled = true;
    if (!is_response && connection->kind == WWS_UNDECIDED) {
        connection->kind = WWS_CLEAR;
        if (wws_begins_tls(bytes, count)) {
            begin_tls(connection);
            add_hello(connection, bytes, count);
            // Its messages are in the plaintext, unless the peer has spoken first.
            if (!connection->clear->early) {
                wws_stream_free(connection->clear);
                connection->clear = NULL;
            }
            return;
        }
    }
    size_t tunnelled = wws_stream_add(connection->clear, connection, is_response, bytes, count, wwt_now());
    if (is_response || !tunnelled) return;
    const uint8_t *inside = bytes + (count - tunnelled);
    if (wws_begins_tls(inside, tunnelled)) {
        begin_tls(connection);
        add_hello(connection, inside, tunnelled);
    }
}

static void add_early(wws_connection *connection, wws_stream *stream, int *sending) {
    if (!stream || !stream->early || __atomic_load_n(sending, __ATOMIC_ACQUIRE) > 0) return;
    uint8_t *early = stream->early;
    size_t count = stream->early_count;
    stream->early = NULL;
    stream->early_count = 0;
    add_clear(connection, true, early, count);
    free(early);
}

static void add_all(wws_connection *connection, bool is_response, const struct iovec *pieces, size_t number, size_t count) {
    for (size_t i = 0; i < number && count; i++) {
        size_t piece = pieces[i].iov_len < count ? pieces[i].iov_len : count;
        if (piece) add_clear(connection, is_response, pieces[i].iov_base, piece);
        count -= piece;
    }
}

void wws_sending(wws_connection *connection) { __atomic_add_fetch(&connection->sending, 1, __ATOMIC_ACQ_REL); }

static bool is_fatal(int error) {
    return error == ECONNRESET || error == EPIPE || error == ETIMEDOUT || error == ECONNABORTED || error == EHOSTUNREACH
        || error == ENETUNREACH;
}

void wws_sent_vector(
    int descriptor, wws_connection *connection, const struct iovec *pieces, size_t number, ssize_t count) {
    int before = errno;
    wws_connection *sender = connection;
    connection = enter(descriptor, connection);
    // If it could not be locked, its memory may be another connection's by now.
    if (!connection && wws_connection_of(descriptor) == sender) {
        __atomic_sub_fetch(&sender->sending, 1, __ATOMIC_ACQ_REL);
    }
    if (connection) {
        if (!connection->connected && count > 0) connection->connected = wwt_now();
        if (count < 0 && is_fatal(before)) connection->error = before;
        if (wwt_output_enter(connection->generation)) {
            if (count > 0) {
                connection->sent += (uint64_t)count;
                add_all(connection, connection->is_server, pieces, number, (size_t)count);
            }
            // Not before: a thread that receives the response would take it for one without a request.
            __atomic_sub_fetch(&connection->sending, 1, __ATOMIC_ACQ_REL);
            add_early(connection, connection->clear, &connection->sending);
            wwt_output_leave();
        }
        wws_unlock(connection);
    }
    errno = before;
}

void wws_sent(int descriptor, wws_connection *connection, const void *bytes, ssize_t count) {
    struct iovec piece = {(void *)(uintptr_t)bytes, count > 0 ? (size_t)count : 0};
    wws_sent_vector(descriptor, connection, &piece, 1, count);
}

void wws_sent_file(int descriptor, wws_connection *connection, int file, off_t from, ssize_t count) {
    int before = errno;
    uint8_t bytes[8192];
    bool is_first = true;
    // The kernel encrypts the file (kTLS), and so it is no part of the plaintext that is seen.
    if (connection->kind == WWS_TLS && count > 0) wws_bypassed(descriptor, connection);
    do {
        ssize_t wanted = count < (ssize_t)sizeof bytes ? count : (ssize_t)sizeof bytes;
        ssize_t got = count > 0 ? pread(file, bytes, (size_t)wanted, from) : count;
        if (count > 0 && got <= 0) {
            __atomic_sub_fetch(&connection->sending, is_first, __ATOMIC_ACQ_REL);
            wws_bypassed(descriptor, connection);
            break;
        }
        if (!is_first) wws_sending(connection);
        is_first = false;
        errno = before;
        wws_sent(descriptor, connection, bytes, got);
        from += got;
        count -= got;
    } while (count > 0);
    errno = before;
}

static void take_end(wws_connection *connection) {
    if (connection->has_peer_ended) return;
    connection->has_peer_ended = true;
    if (connection->kind != WWS_TLS && connection->clear) {
        wws_stream_peer_ended(connection->clear, connection, wwt_now());
    }
}

void wws_received_vector(
    int descriptor, wws_connection *connection, const struct iovec *pieces, size_t number, ssize_t count) {
    int before = errno;
    if (count < 0 && !is_fatal(before)) return;
    if ((connection = enter(descriptor, connection))) {
        if (!connection->connected && count > 0) connection->connected = wwt_now();
        if (count < 0) connection->error = before;
        if (wwt_output_enter(connection->generation)) {
            size_t room = 0;
            for (size_t i = 0; i < number; i++) room += pieces[i].iov_len;
            if (count > 0) {
                connection->received += (uint64_t)count;
                if (connection->kind == WWS_UNDECIDED && !connection->clear) {
                    connection->clear = wws_stream_create(false, connection->is_server);
                }
                wws_stream *stream = connection->kind == WWS_TLS ? NULL : connection->clear;
                // A server has received a request before it sends anything.
                bool waits = !connection->is_server && __atomic_load_n(&connection->sending, __ATOMIC_ACQUIRE) > 0
                    && stream && (stream->early || !wws_stream_is_asked(stream));
                size_t left = (size_t)count;
                for (size_t i = 0; waits && i < number && left; i++) {
                    size_t piece = pieces[i].iov_len < left ? pieces[i].iov_len : left;
                    if (!wws_stream_keep_early(stream, pieces[i].iov_base, piece)) connection->is_torn = true;
                    left -= piece;
                }
                if (!waits) {
                    if (stream) add_early(connection, stream, &connection->sending);
                    add_all(connection, !connection->is_server, pieces, number, (size_t)count);
                }
            } else if (count == 0 && room > 0) {
                take_end(connection);
            }
            wwt_output_leave();
        }
        wws_unlock(connection);
    }
    errno = before;
}

void wws_received(int descriptor, wws_connection *connection, const void *bytes, ssize_t count) {
    // The end of what the peer sends has no bytes.
    struct iovec piece = {(void *)(uintptr_t)bytes, count > 0 ? (size_t)count : 1};
    wws_received_vector(descriptor, connection, &piece, 1, count);
}

void wws_bypassed(int descriptor, wws_connection *connection) {
    if (getpid() != owner) return;
    int before = errno;
    if ((connection = wws_lock_descriptor(descriptor, connection))) {
        connection->is_torn = true;
        wws_unlock(connection);
    }
    errno = before;
}

// MARK: the program's end

static void report_open(wws_connection *connection) {
    uint64_t now = wwt_now();
    read_ends(connection);
    if (connection->plain) wws_stream_abandon(connection->plain, connection, now);
    if (connection->clear) wws_stream_abandon(connection->clear, connection, now);
    report(connection, false);
}

void wws_report_left(void) {
    if (!wws_is_on() || is_inside || getpid() != owner) return;
    for (int i = 0; i < highest; i++) {
        wws_connection *connection = wws_connection_of(i);
        // The thread that ends the program may have been interrupted while it held the lock.
        if (!connection || connection->socket != i || pthread_mutex_trylock(&connection->lock) != 0) continue;
        is_inside = true;
        pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &could_cancel);
        if (wws_connection_of(i) == connection && wwt_output_enter(connection->generation)) {
            // Of one whose close was not seen, the messages remain.
            if (is_same_socket(i, connection)) report_open(connection);
            else end_streams(connection);
            wwt_output_leave();
        }
        wws_unlock(connection);
    }
}

#endif
