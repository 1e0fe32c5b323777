// What passes over connections: finds out which connection a call was for, and gives its bytes to the streams.
#include "connection_parts.h"

#ifdef __linux__
#include <errno.h>
#include <stdlib.h>
#include <sys/uio.h>
#include <unistd.h>

#include "clock.h"
#include "frame_output.h"

static bool is_text(uint8_t byte) { return (byte >= ' ' && byte < 0x7F) || byte == '\r' || byte == '\n'; }

/// Whether a connection that is to be metered may begin with these bytes: with a message, TLS, what a server of HTTP/2
/// sends first, or a request to a proxy (SOCKS, or the PROXY protocol).
static bool may_begin(const uint8_t *bytes, size_t count) {
    if (wws_begins_tls(bytes, count) || bytes[0] == 0 || bytes[0] == 4 || bytes[0] == 5) return true;
    return is_text(bytes[0]) && (count < 2 || is_text(bytes[1]));
}

/// Whether nothing is lost if these bytes are another socket's: they begin nothing, and nothing is known by the bytes of
/// this connection but their number.
static bool is_unimportant(const wws_connection *connection, const struct iovec *pieces, size_t number, ssize_t count) {
    if (count <= 0 || !number || !pieces[0].iov_len || connection->is_asking || connection->records) return false;
    bool is_foreign = connection->clear && connection->clear->is_foreign && !connection->inner;
    if (connection->kind != WWS_TLS && !is_foreign) return false;
    size_t first = pieces[0].iov_len < (size_t)count ? pieces[0].iov_len : (size_t)count;
    return !may_begin(pieces[0].iov_base, first);
}

/// The connection, locked, if its descriptor still is its socket. Between messages that is asked of the kernel, because
/// a program can close a descriptor in ways that are not seen.
static wws_connection *enter(int descriptor, wws_handle handle, const struct iovec *pieces, size_t number, ssize_t count) {
    wws_connection *connection = wws_lock_descriptor(descriptor, handle);
    if (!connection) return NULL;
    bool is_asked = wws_are_idle(connection) && !is_unimportant(connection, pieces, number, count);
    if (is_asked && !wws_is_same_socket(descriptor, connection)) {
        wws_leave(descriptor, connection, false);
        wws_unlock(connection);
        return NULL;
    }
    // After a reset the kernel does not name the peer any more.
    if (!connection->is_datagram) wws_read_ends(connection);
    if (connection->is_torn) wws_lose_streams(connection);
    return connection;
}

// TLS may begin after bytes that are no HTTP, such as a line of the PROXY protocol, and after another tunnel: the next
// proxy of a chain.
void wws_add_tunnelled(wws_connection *connection, bool is_response, const uint8_t *bytes, size_t count) {
    bool is_http = connection->inner && !connection->inner->is_foreign;
    if (!is_http && !is_response && wws_begins_tls(bytes, count)) {
        wws_begin_tls(connection);
        return wws_add_hello(connection, bytes, count);
    }
    if (!connection->inner && !(connection->inner = wws_stream_create(false, connection->is_server))) {
        connection->is_torn = true;
        return;
    }
    connection->inner->is_tunnelled = true;
    size_t deeper = wws_stream_add(connection->inner, connection, is_response, bytes, count, wwt_now());
    const uint8_t *rest = bytes + (count - deeper);
    if (!deeper) return;
    if (!is_response && wws_begins_tls(rest, deeper)) {
        wws_begin_tls(connection);
        wws_add_hello(connection, rest, deeper);
    } else {
        connection->is_foreign = true;
    }
}

static void add_clear(wws_connection *connection, bool is_response, const uint8_t *bytes, size_t count) {
    size_t before = is_response ? wwt_prelude_add_received(&connection->prelude, count)
                                : wwt_prelude_add_sent(&connection->prelude, bytes, count);
    bytes += before;
    count -= before;
    if (!count) return;
    if (connection->kind == WWS_TLS) {
        if (!is_response) wws_add_hello(connection, bytes, count);
        // What another TLS carries comes by its plaintext.
        else if (!connection->proxy) wws_add_answer(connection, bytes, count);
        return;
    }
    // What follows bytes that were not seen is not the beginning of anything.
    if (!connection->clear && connection->is_torn) return;
    if (!connection->clear && !(connection->clear = wws_stream_create(false, connection->is_server))) {
        connection->is_torn = true;
        return;
    }
    if (connection->prelude.counts.socks_sent) connection->clear->is_tunnelled = true;
    if (!is_response && connection->kind == WWS_UNDECIDED) {
        connection->kind = WWS_CLEAR;
        if (wws_begins_tls(bytes, count)) {
            wws_begin_tls(connection);
            wws_add_hello(connection, bytes, count);
            // Its messages are in the plaintext, unless the peer has spoken first.
            if (!connection->clear->early) {
                wws_stream_free(connection->clear);
                connection->clear = NULL;
            }
            return;
        }
    }
    size_t tunnelled = wws_stream_add(connection->clear, connection, is_response, bytes, count, wwt_now());
    if (tunnelled) wws_add_tunnelled(connection, is_response, bytes + (count - tunnelled), tunnelled);
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
        count -= piece;
        connection->ahead = count;
        if (piece) add_clear(connection, is_response, pieces[i].iov_base, piece);
    }
}

static void add_dns(wws_connection *connection, bool is_sent, const struct iovec *pieces, size_t number, size_t count) {
    // After bytes that were not seen, where a message begins is not known.
    if (connection->is_torn || connection->kind == WWS_TLS) connection->is_asking = false;
    for (size_t i = 0; i < number && count; i++) {
        size_t piece = pieces[i].iov_len < count ? pieces[i].iov_len : count;
        count -= piece;
        wws_add_dns(connection, is_sent, pieces[i].iov_base, piece);
    }
}

void wws_sending(wws_handle handle) {
    wws_connection *connection = handle.connection;
    if (wws_serial_of(connection) == handle.serial) __atomic_add_fetch(&connection->sending, 1, __ATOMIC_ACQ_REL);
}

/// The client of a connection that another process has opened or accepted is who sends first.
static void choose_role(wws_connection *connection, bool is_sent) {
    if (!connection->may_be_either) return;
    connection->may_be_either = false;
    connection->is_server = !is_sent;
}

/// The call is over, and the connection could not be locked. Its memory may be another connection's by now.
static void has_sent(wws_handle handle) {
    wws_connection *connection = handle.connection;
    if (wws_serial_of(connection) == handle.serial) __atomic_sub_fetch(&connection->sending, 1, __ATOMIC_ACQ_REL);
}

/// How often it is looked for responses that have waited in the kernel, while any connection is used.
#define LOOK_NANOSECONDS 100000000u

static void look_at_others(void) {
    static uint64_t looked_at;
    if (!__atomic_load_n(&wws_is_any_holding, __ATOMIC_RELAXED)) return;
    uint64_t now = wwt_now();
    if (now - __atomic_load_n(&looked_at, __ATOMIC_RELAXED) < LOOK_NANOSECONDS) return;
    __atomic_store_n(&looked_at, now, __ATOMIC_RELAXED);
    wws_finish_sent();
}

static bool is_fatal(int error) {
    return error == ECONNRESET || error == EPIPE || error == ETIMEDOUT || error == ECONNABORTED || error == EHOSTUNREACH
        || error == ENETUNREACH;
}

void wws_sent_vector(
    int descriptor, wws_handle handle, const struct iovec *pieces, size_t number, ssize_t count) {
    int before = errno;
    wws_connection *connection = enter(descriptor, handle, pieces, number, count);
    if (!connection) has_sent(handle);
    if (connection) {
        if (!connection->connected && count > 0) connection->connected = wwt_now();
        if (count < 0 && is_fatal(before)) connection->error = before;
        if (wwt_output_enter(connection->generation)) {
            if (connection->is_datagram) {
                wws_report_datagram(connection, true, pieces, number, count, before);
            } else if (count > 0) {
                choose_role(connection, true);
                connection->sent += (uint64_t)count;
                add_all(connection, connection->is_server, pieces, number, (size_t)count);
                if (connection->is_asking) add_dns(connection, true, pieces, number, (size_t)count);
            } else if (connection->is_asking && count < 0 && is_fatal(before)) {
                wws_report_dns(connection, WWT_DNS_FAILED, (size_t)before, NULL, 0);
            }
            // Not before: a thread that receives the response would take it for one without a request.
            __atomic_sub_fetch(&connection->sending, 1, __ATOMIC_ACQ_REL);
            add_early(connection, connection->clear, &connection->sending);
            wwt_output_leave();
        }
        wws_unlock(connection);
        look_at_others();
    }
    errno = before;
}

void wws_sent(int descriptor, wws_handle handle, const void *bytes, ssize_t count) {
    struct iovec piece = {(void *)(uintptr_t)bytes, count > 0 ? (size_t)count : 0};
    wws_sent_vector(descriptor, handle, &piece, 1, count);
}

void wws_sent_file(int descriptor, wws_handle handle, int file, off_t from, ssize_t count) {
    int before = errno;
    uint8_t bytes[8192];
    bool is_first = true;
    // The kernel encrypts the file (kTLS), and so it is no part of the plaintext that is seen.
    if (handle.connection->kind == WWS_TLS && count > 0) wws_bypassed(descriptor, handle);
    do {
        ssize_t wanted = count < (ssize_t)sizeof bytes ? count : (ssize_t)sizeof bytes;
        ssize_t got = count > 0 ? pread(file, bytes, (size_t)wanted, from) : count;
        if (count > 0 && got <= 0) {
            if (is_first) has_sent(handle);
            wws_bypassed(descriptor, handle);
            break;
        }
        if (!is_first) wws_sending(handle);
        is_first = false;
        errno = before;
        wws_sent(descriptor, handle, bytes, got);
        from += got;
        count -= got;
    } while (count > 0);
    errno = before;
}

static void take_end(wws_connection *connection) {
    if (connection->has_peer_ended) return;
    connection->has_peer_ended = true;
    if (connection->kind == WWS_TLS) return;
    if (connection->inner) wws_stream_peer_ended(connection->inner, connection, wwt_now());
    if (connection->clear) wws_stream_peer_ended(connection->clear, connection, wwt_now());
}

void wws_received_vector(
    int descriptor, wws_handle handle, const struct iovec *pieces, size_t number, ssize_t count) {
    int before = errno;
    if (count < 0 && !is_fatal(before) && !wws_is_refusal(before)) return;
    wws_connection *connection = enter(descriptor, handle, pieces, number, count);
    if (connection) {
        if (!connection->connected && count > 0) connection->connected = wwt_now();
        if (count < 0 && is_fatal(before)) connection->error = before;
        if (wwt_output_enter(connection->generation)) {
            size_t room = 0;
            for (size_t i = 0; i < number; i++) room += pieces[i].iov_len;
            if (connection->is_datagram) {
                wws_report_datagram(connection, false, pieces, number, count, before);
            } else if (count > 0) {
                choose_role(connection, false);
                if (!connection->heard) connection->heard = wwt_now();
                connection->received += (uint64_t)count;
                if (connection->kind == WWS_UNDECIDED && !connection->clear && !connection->is_torn) {
                    connection->clear = wws_stream_create(false, connection->is_server);
                }
                wws_stream *stream = connection->kind == WWS_TLS ? NULL : connection->clear;
                // In a tunnel, its own requests are asked. A server has received a request before it sends anything.
                const wws_stream *asked = connection->inner ? connection->inner : stream;
                bool waits = !connection->is_server && __atomic_load_n(&connection->sending, __ATOMIC_ACQUIRE) > 0
                    && stream && (stream->early || !wws_stream_is_asked(asked));
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
                if (connection->is_asking) add_dns(connection, false, pieces, number, (size_t)count);
            } else if (count == 0 && room > 0) {
                take_end(connection);
            } else if (connection->is_asking && count < 0 && is_fatal(before)) {
                wws_report_dns(connection, WWT_DNS_FAILED, (size_t)before, NULL, 0);
            }
            wwt_output_leave();
        }
        wws_unlock(connection);
        look_at_others();
    }
    errno = before;
}

void wws_received(int descriptor, wws_handle handle, const void *bytes, ssize_t count) {
    // The end of what the peer sends has no bytes.
    struct iovec piece = {(void *)(uintptr_t)bytes, count > 0 ? (size_t)count : 1};
    wws_received_vector(descriptor, handle, &piece, 1, count);
}

void wws_bypassed(int descriptor, wws_handle handle) {
    if (!wws_is_owner()) return;
    int before = errno;
    wws_connection *connection = wws_lock_descriptor(descriptor, handle);
    if (connection) {
        connection->is_torn = true;
        wws_unlock(connection);
    }
    errno = before;
}

void wws_handed(int descriptor) {
    wws_handle handle = wws_handle_of(descriptor);
    if (!handle.connection || !wws_is_owner()) return;
    int before = errno;
    wws_connection *connection = wws_lock_descriptor(descriptor, handle);
    if (connection) {
        connection->is_shared = connection->is_handed = true;
        wws_unlock(connection);
    }
    errno = before;
}

#endif
