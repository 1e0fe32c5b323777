// The TLS sessions of the program, and the connection that each belongs to: by its descriptor, or by the random of its
// ClientHello, which both ends know and which no other connection has (RFC 8446, section 4.1.2).

#include "connection_parts.h"

#ifdef __linux__
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "fork_lock.h"
#include "frame_output.h"
#include "sessions.h"

#define BUCKETS 1024
/// How often the connection of a session is looked for that has a random, or has ended its handshake. A server's has no
/// random before the whole ClientHello has come, in however many pieces.
#define MOST_TRIES 16

/// Bytes that could not be sent yet.
typedef struct postponed {
    size_t count;
    uint8_t bytes[];
} postponed;

typedef struct session {
    struct session *next;
    const void *key;
    wws_connection *connection; // NULL if it is not known
    uint64_t serial;
    uint64_t since; // the last ClientHello of the program before its first call
    int tries;
    int references; // beyond the first
    postponed *postponed;
} session;

static session *sessions[BUCKETS];
static wwt_fork_lock table = WWT_FORK_LOCK;

void wws_lock_sessions(void) { wwt_lock(&table); }

void wws_unlock_sessions(void) { wwt_unlock(&table); }

void wws_forget_sessions(void) {
    for (int i = 0; i < BUCKETS; i++) {
        while (sessions[i]) {
            session *next = sessions[i]->next;
            free(sessions[i]->postponed);
            free(sessions[i]);
            sessions[i] = next;
        }
    }
}

static session **bucket_of(const void *key) {
    return &sessions[((uintptr_t)key >> 4) * 0x9E3779B185EBCA87ULL >> 54];
}

static session *find_locked(const void *key) {
    session *found = *bucket_of(key);
    while (found && found->key != key) found = found->next;
    return found;
}

/// The entry of a session; a new one if it has none; NULL if there is no memory.
static session *add_locked(const void *key) {
    session *found = find_locked(key);
    if (!found && (found = calloc(1, sizeof *found))) {
        found->key = key;
        found->since = wws_last_hello();
        found->next = *bucket_of(key);
        *bucket_of(key) = found;
    }
    return found;
}

/// What is known of a session.
static session known(const void *key) {
    session copy = {0};
    wwt_lock(&table);
    session *found = add_locked(key);
    if (found) copy = *found;
    wwt_unlock(&table);
    return copy;
}

static void count_try(const void *key) {
    wwt_lock(&table);
    session *found = find_locked(key);
    if (found) found->tries++;
    wwt_unlock(&table);
}

static void remember(const void *key, wws_connection *connection, uint64_t serial) {
    wwt_lock(&table);
    session *found = find_locked(key);
    if (found) {
        found->connection = connection;
        found->serial = serial;
        found->tries = 0;
    }
    wwt_unlock(&table);
}

void wws_tls_begins(const wws_tls_library *library, const void *key) {
    if (!library->is_silent || !wws_is_on()) return;
    int before = errno;
    known(key); // from its first call on
    wws_begin_within();
    errno = before;
}

void wws_tls_ends(const wws_tls_library *library) {
    if (library->is_silent) wws_end_within();
}

static bool read_random(const wws_tls_library *library, const void *key, uint8_t *random) {
    static const uint8_t none[32];
    if (library->is_gnutls) {
        struct datum {
            const uint8_t *data;
            unsigned size;
        } client = {NULL, 0}, server = {NULL, 0};
        if (!library->gnutls_session_get_random) return false;
        library->gnutls_session_get_random((void *)(uintptr_t)key, &client, &server);
        if (!client.data || client.size != 32) return false;
        memcpy(random, client.data, 32);
    } else if (!library->SSL_get_client_random || library->SSL_get_client_random(key, random, 32) != 32) {
        return false;
    }
    return memcmp(random, none, 32) != 0;
}

/// The descriptor that a session uses; -1 if it has none that its library knows.
static int descriptor_of(const wws_tls_library *library, const void *key) {
    void *session = (void *)(uintptr_t)key;
    if (library->is_nss) return library->PR_FileDesc2NativeHandle ? (int)library->PR_FileDesc2NativeHandle(session) : -1;
    if (library->is_gnutls || !library->SSL_get_fd || !library->SSL_get_rbio) return -1;
    // OpenSSL calls it an error if there is no BIO to ask, as in QUIC, and a handshake would seem to have failed.
    return library->SSL_get_rbio(key) ? library->SSL_get_fd(key) : -1;
}

/// Looks for the connection of a session; `is_settled`: its handshake is over.
static wws_connection *look_for(
    const wws_tls_library *library, const void *key, uint64_t since, bool is_settled, uint64_t *serial, bool *counts) {
    enum wws_role role = !library->SSL_is_server ? WWS_EITHER : library->SSL_is_server(key) ? WWS_SERVER : WWS_CLIENT;
    // GnuTLS does not say which end it is; the connection of its descriptor does, if it has one.
    if (library->gnutls_transport_get_ptr) {
        uintptr_t transport = (uintptr_t)library->gnutls_transport_get_ptr((void *)(uintptr_t)key);
        wws_connection *own = transport < WWS_MOST_DESCRIPTORS ? wws_connection_of((int)transport) : NULL;
        if (own) role = own->is_server ? WWS_SERVER : WWS_CLIENT;
    }
    uint8_t random[32];
    bool has_random = read_random(library, key, random);
    *counts = has_random || is_settled;
    wws_connection *found = has_random ? wws_find_random(random, role, serial)
        : library->is_silent ? wws_find_within(since, serial) : NULL;
    // What NSS says of its file is true from the beginning; the socket has carried a ClientHello.
    if (found || (!is_settled && !library->is_nss)) return found;
    // The other end of a connection within this process has the same random.
    int descriptor = descriptor_of(library, key);
    if (descriptor < 0) return NULL;
    wws_handle handle = wws_handle_of(descriptor);
    if (!handle.connection || !(found = wws_lock_descriptor(descriptor, handle))) return NULL;
    *serial = found->serial;
    if (found->kind != WWS_TLS || found->has_session) *serial = 0;
    if (role != WWS_EITHER && found->is_server != (role == WWS_SERVER)) *serial = 0;
    wws_unlock(found);
    return *serial ? found : NULL;
}

/// The connection of a session, locked; NULL if it has none that is known.
static wws_connection *connection_of(const wws_tls_library *library, const void *key, bool is_settled) {
    session entry = known(key);
    wws_connection *connection = entry.connection ? wws_lock_serial(entry.connection, entry.serial) : NULL;
    if (!connection) {
        // If it had one, that is over, and the session may be used for another one.
        if (entry.connection) remember(key, NULL, 0);
        else if (entry.tries >= MOST_TRIES) return NULL;
        bool counts;
        if (!(entry.connection = look_for(library, key, entry.since, is_settled, &entry.serial, &counts))) {
            if (counts) count_try(key);
            return NULL;
        }
        remember(key, entry.connection, entry.serial);
        // What the one inside of it sends next is not its own.
        wws_forget_within();
        connection = wws_lock_serial(entry.connection, entry.serial);
    }
    if (connection && !connection->has_session && key != connection->proxy_session) {
        connection->has_session = true;
        connection->session = key;
        connection->library = library;
    }
    return connection;
}

static wws_stream *plain_of(wws_connection *connection) {
    if (!connection->plain && (connection->plain = wws_stream_create(true, connection->is_server))) {
        connection->plain->is_tunnelled = connection->proxy
            || (connection->clear && (connection->clear->is_tunnelled || connection->clear->has_announced));
    }
    if (connection->is_torn && connection->plain) wws_stream_lose(connection->plain);
    return connection->plain;
}

/// Takes plaintext that a tunnel may be in. A second one, in TLS that is inside TLS, is not followed.
static void add_plain(wws_connection *connection, bool is_received, const uint8_t *bytes, size_t count) {
    if (!connection->secured) connection->secured = wwt_now();
    wws_stream *stream = plain_of(connection);
    if (!stream) return;
    *(is_received ? &connection->plain_received : &connection->plain_sent) += count;
    bool is_response = is_received != connection->is_server;
    size_t tunnelled = wws_stream_add(stream, connection, is_response, bytes, count, wwt_now());
    if (tunnelled && !connection->proxy) {
        wws_add_tunnelled(connection, is_response, bytes + (count - tunnelled), tunnelled);
    }
}

/// Takes plaintext of the TLS to a proxy once there is another TLS inside it.
static void add_to_proxy(wws_connection *connection, bool is_received, const uint8_t *bytes, size_t count) {
    *(is_received ? &connection->proxy_received : &connection->proxy_sent) += count;
    if (is_received == connection->is_server) wws_add_hello(connection, bytes, count);
    else wws_add_answer(connection, bytes, count);
}

static void add(
    const wws_tls_library *library, const void *key, bool is_received, const uint8_t *bytes, size_t count) {
    int before = errno;
    wws_connection *connection = connection_of(library, key, true);
    if (connection) {
        if (wwt_output_enter(connection->generation)) {
            if (connection->proxy && key == connection->proxy_session) add_to_proxy(connection, is_received, bytes, count);
            else add_plain(connection, is_received, bytes, count);
            wwt_output_leave();
        }
        wws_unlock(connection);
    }
    errno = before;
}

/// Finds the connection of a session in its handshake, before bytes of its messages pass as those of an unknown one, or if
/// later nothing says which it is.
static void find_early(const wws_tls_library *library, const void *key) {
    if (!wws_are_records_passed() && !library->is_silent) return;
    int before = errno;
    wws_connection *connection = connection_of(library, key, false);
    if (connection) wws_unlock(connection);
    errno = before;
}

void wws_tls_sent(const wws_tls_library *library, const void *key, const void *bytes, ssize_t count) {
    if (!wws_is_on()) return;
    if (count > 0) add(library, key, false, bytes, (size_t)count);
    else find_early(library, key);
}

void wws_tls_received(const wws_tls_library *library, const void *key, const void *bytes, ssize_t count) {
    if (!wws_is_on()) return;
    if (count > 0) return add(library, key, true, bytes, (size_t)count);
    // Nothing has come. It may be the end of what the peer sends.
    find_early(library, key);
    int before = errno;
    wwt_lock(&table);
    session *found = find_locked(key);
    wws_connection *connection = found ? found->connection : NULL;
    uint64_t serial = found ? found->serial : 0;
    wwt_unlock(&table);
    if (connection && (connection = wws_lock_serial(connection, serial))) {
        bool has_ended = connection->has_peer_ended
            || (library->SSL_get_shutdown && library->SSL_get_shutdown(key) & 2)
            || ((library->is_gnutls || library->is_nss) && count == 0);
        if (has_ended && connection->plain && wwt_output_enter(connection->generation)) {
            connection->has_peer_ended = true;
            if (connection->inner) wws_stream_peer_ended(connection->inner, connection, wwt_now());
            wws_stream_peer_ended(connection->plain, connection, wwt_now());
            wwt_output_leave();
        }
        wws_unlock(connection);
    }
    errno = before;
}

/// How many bytes the client may send over a connection whose handshake is over, if it sends no message.
static uint64_t bare_bytes(const wws_connection *connection, bool uses_memory) {
    // A session that writes into memory sends its last message of the handshake afterwards.
    enum { ALERTS = 100, LAST_MESSAGE = 400 };
    uint64_t sent = connection->is_server ? connection->received : connection->sent;
    return sent + ALERTS + (uses_memory ? LAST_MESSAGE : 0);
}

void wws_tls_handshake(const wws_tls_library *library, const void *key, bool is_done) {
    if (!wws_is_on()) return;
    int before = errno;
    bool uses_memory = is_done && descriptor_of(library, key) < 0;
    wws_connection *connection = connection_of(library, key, is_done);
    if (connection) {
        if (is_done && !connection->secured) connection->secured = wwt_now();
        if (is_done && !connection->bare && key == connection->session) connection->bare = bare_bytes(connection, uses_memory);
        wws_unlock(connection);
    }
    errno = before;
}

void wws_tls_postponed(const void *key, const void *bytes, size_t count) {
    int before = errno;
    postponed *copy = malloc(sizeof *copy + count);
    if (copy) {
        copy->count = count;
        memcpy(copy->bytes, bytes, count);
    }
    wwt_lock(&table);
    session *found = find_locked(key);
    if (found && copy) {
        free(found->postponed);
        found->postponed = copy;
        copy = NULL;
    }
    wwt_unlock(&table);
    free(copy);
    errno = before;
}

void wws_tls_sent_postponed(const wws_tls_library *library, const void *key, ssize_t count) {
    int before = errno;
    wwt_lock(&table);
    session *found = find_locked(key);
    postponed *kept = found ? found->postponed : NULL;
    if (found) found->postponed = NULL;
    wwt_unlock(&table);
    if (kept && count > 0 && (size_t)count <= kept->count) wws_tls_sent(library, key, kept->bytes, count);
    free(kept);
    errno = before;
}

void wws_tls_kept(const void *key) {
    if (!wws_is_on()) return;
    int before = errno;
    wwt_lock(&table);
    session *found = add_locked(key);
    if (found) found->references++;
    wwt_unlock(&table);
    errno = before;
}

void wws_tls_freed(const void *key) {
    int before = errno;
    wwt_lock(&table);
    session *gone = NULL;
    for (session **link = bucket_of(key); *link; link = &(*link)->next) {
        if ((*link)->key != key) continue;
        if ((*link)->references-- > 0) break;
        gone = *link;
        *link = gone->next;
        break;
    }
    wwt_unlock(&table);
    if (gone) {
        wws_connection *connection = gone->connection ? wws_lock_serial(gone->connection, gone->serial) : NULL;
        if (connection) {
            if (connection->session == key) connection->session = NULL;
            wws_unlock(connection);
        }
        free(gone->postponed);
        free(gone);
    }
    errno = before;
}

#endif
