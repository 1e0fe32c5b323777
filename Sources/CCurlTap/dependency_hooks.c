// Hooks for the functions that libcurl calls in its HTTP/2 and TLS libraries and on sockets. Each libcurl has hooks of
// its own, so that a call goes on to the library that it was meant for. http2.c and tls.c count the bytes.

#ifdef __linux__
#include <errno.h>
#include <string.h>
#include <sys/socket.h>

#include "dependency_hooks.h"
#include "hooked_dependencies.h"
#include "http2.h"
#include "libraries.h"
#include "performed.h"
#include "proxy_handshake.h"
#include "socket_reports.h"
#include "sockets.h"
#include "tls.h"
#include "transfer.h"
#include "websocket.h"

// MARK: HTTP/2

static int opened(int n, void **session, int code) {
    if (code == 0) wwt_performed_opens_http2(wwt_library_number(n));
    if (code == 0 && wwt_dependency_follows_http2(n)) wwt_http2_opened(*session);
    return code;
}

static ssize_t received(const void *session, const uint8_t *bytes, size_t count, ssize_t taken) {
    int before = errno;
    // Bytes that nghttp2 rejects have arrived all the same, so they count.
    wwt_http2_received(session, bytes, taken < 0 ? count : (size_t)taken);
    errno = before;
    return taken;
}

static ssize_t sent(const void *session, const uint8_t *const *bytes, ssize_t count) {
    int before = errno;
    if (count > 0) wwt_http2_sent(session, *bytes, (size_t)count);
    errno = before;
    return count;
}

static void carried(int n, void *easy, const void *session, int32_t stream) {
    int before = errno;
    if (easy && stream > 0) wwt_stream_began(wwt_library_number(n), easy, session, (uint32_t)stream);
    errno = before;
}

// MARK: WebSocket

static void report_if_due(int socket) {
    if (socket >= 0) wwt_socket_report(socket);
}

// MARK: TLS

/// The TLS session whose library is running on this thread.
static __thread const void *at_work;

/// Marks the session as running: until `leave_tls`, its library sends and receives its bytes through a socket or
/// through another TLS session.
static const void *enter_tls(const void *session) {
    const void *outside = at_work;
    if (outside && outside != session) wwt_tls_carries(session, outside);
    at_work = session;
    return outside;
}

static int leave_tls(const void *outside, int result) {
    at_work = outside;
    return result;
}

static ssize_t read_by_tls(const void *session, const void *bytes, ssize_t count) {
    int before = errno; // libcurl reads it next
    if (count > 0) {
        wwt_tls_received(session, count);
        report_if_due(wwt_websocket_received(session, -1, bytes, (size_t)count));
    }
    errno = before;
    return count;
}

static ssize_t written_by_tls(const void *session, bool is_gnutls, const void *bytes, ssize_t count) {
    int before = errno;
    if (count > 0) {
        wwt_tls_sent(session, count);
        wwt_socket_sent_in_tls(session, is_gnutls);
        report_if_due(wwt_websocket_sent(session, -1, bytes, (size_t)count));
    }
    errno = before;
    return count;
}

/// Before 7.87, libcurl lets OpenSSL itself send the records of a session to an origin through the session to a proxy.
static void *follow_tunnel(int n, void *session, void *bio) {
    int before = errno;
    if (wwt_dependency_follows_tls(n)) wwt_tls_goes_through(session, bio, &wwt_library_number(n)->words);
    errno = before;
    return bio;
}

static void closed_by_tls(const void *session) {
    wwt_websocket_session_closed(session);
    wwt_tls_closed(session);
}

static int ended_by_tls(const void *session, int code) {
    int before = errno;
    wwt_socket_said_farewell(wwt_tls_socket(session));
    errno = before;
    return code;
}

// MARK: sockets

static int connected(int socket, int code) {
    int before = errno;
    if (code == 0 || before == EINPROGRESS) wwt_socket_connected(socket);
    errno = before;
    return code;
}

static ssize_t sent_by_socket(int socket, const void *bytes, ssize_t count) {
    int before = errno;
    if (count > 0) {
        // Not all versions of libcurl name the TLS session to a proxy, so find it here.
        if (wwt_prelude_sent(socket, bytes, (size_t)count) && at_work) wwt_tls_set_socket(at_work, socket);
        wwt_socket_sent(socket, (size_t)count);
        report_if_due(wwt_websocket_sent(NULL, socket, bytes, (size_t)count));
    }
    errno = before;
    return count;
}

static ssize_t received_by_socket(int socket, const void *bytes, ssize_t count, int flags) {
    int before = errno;
    if (count > 0 && !(flags & MSG_PEEK)) {
        wwt_socket_received(socket, (size_t)count);
        wwt_prelude_received(socket, (size_t)count);
        report_if_due(wwt_websocket_received(NULL, socket, bytes, (size_t)count));
    }
    errno = before;
    return count;
}

// MARK: the hooks

#define NEXT(n, name) (wwt_hooked_library(n)->dependencies.name)
// The same, remembered for as long as the thread calls no other: GnuTLS jumps from some of its functions to others.
#define CALLED(n, name) (wwt_called_tls = (const void *)NEXT(n, name), NEXT(n, name))

__thread const void *wwt_called_tls;

#define HOOKS_OF(n) \
    static int nghttp2_session_client_new_##n(void **session, const void *callbacks, void *user) { \
        return opened(n, session, NEXT(n, nghttp2_session_client_new)(session, callbacks, user)); \
    } \
    static int nghttp2_session_client_new2_##n(void **session, const void *callbacks, void *user, const void *option) { \
        return opened(n, session, NEXT(n, nghttp2_session_client_new2)(session, callbacks, user, option)); \
    } \
    static int nghttp2_session_client_new3_##n( \
        void **session, const void *callbacks, void *user, const void *option, void *memory) { \
        return opened(n, session, NEXT(n, nghttp2_session_client_new3)(session, callbacks, user, option, memory)); \
    } \
    static void nghttp2_session_del_##n(void *session) { \
        wwt_http2_closed(session); \
        NEXT(n, nghttp2_session_del)(session); \
    } \
    static ssize_t nghttp2_session_mem_recv_##n(void *session, const uint8_t *bytes, size_t count) { \
        return received(session, bytes, count, NEXT(n, nghttp2_session_mem_recv)(session, bytes, count)); \
    } \
    static ssize_t nghttp2_session_mem_recv2_##n(void *session, const uint8_t *bytes, size_t count) { \
        return received(session, bytes, count, NEXT(n, nghttp2_session_mem_recv2)(session, bytes, count)); \
    } \
    static ssize_t nghttp2_session_mem_send_##n(void *session, const uint8_t **bytes) { \
        return sent(session, bytes, NEXT(n, nghttp2_session_mem_send)(session, bytes)); \
    } \
    static ssize_t nghttp2_session_mem_send2_##n(void *session, const uint8_t **bytes) { \
        return sent(session, bytes, NEXT(n, nghttp2_session_mem_send2)(session, bytes)); \
    } \
    static void nghttp2_session_callbacks_set_send_callback_##n(void *callbacks, wwt_http2_send send) { \
        NEXT(n, nghttp2_session_callbacks_set_send_callback)(callbacks, wwt_http2_counting(send)); \
    } \
    static void nghttp2_session_callbacks_set_send_callback2_##n(void *callbacks, wwt_http2_send send) { \
        NEXT(n, nghttp2_session_callbacks_set_send_callback2)(callbacks, wwt_http2_counting(send)); \
    } \
    static int32_t nghttp2_submit_request_##n( \
        void *session, const void *priority, const void *fields, size_t count, const void *body, void *easy) { \
        int32_t stream = NEXT(n, nghttp2_submit_request)(session, priority, fields, count, body, easy); \
        carried(n, easy, session, stream); \
        return stream; \
    } \
    static int32_t nghttp2_submit_request2_##n( \
        void *session, const void *priority, const void *fields, size_t count, const void *body, void *easy) { \
        int32_t stream = NEXT(n, nghttp2_submit_request2)(session, priority, fields, count, body, easy); \
        carried(n, easy, session, stream); \
        return stream; \
    } \
    /* nghttp2 sends the response to an upgraded HTTP/1.1 request on stream 1. libcurl may name its handle later. */ \
    static int nghttp2_session_upgrade_##n(void *session, const uint8_t *settings, size_t count, void *easy) { \
        int code = NEXT(n, nghttp2_session_upgrade)(session, settings, count, easy); \
        if (code == 0) carried(n, easy, session, 1); \
        return code; \
    } \
    static int nghttp2_session_upgrade2_##n( \
        void *session, const uint8_t *settings, size_t count, int is_head, void *easy) { \
        int code = NEXT(n, nghttp2_session_upgrade2)(session, settings, count, is_head, easy); \
        if (code == 0) carried(n, easy, session, 1); \
        return code; \
    } \
    static int nghttp2_session_set_stream_user_data_##n(void *session, int32_t stream, void *easy) { \
        int code = NEXT(n, nghttp2_session_set_stream_user_data)(session, stream, easy); \
        if (code == 0 && stream == 1) carried(n, easy, session, 1); \
        return code; \
    } \
    static void *SSL_new_##n(void *context) { \
        void *session = NEXT(n, SSL_new)(context); \
        if (session && wwt_dependency_follows_tls(n)) wwt_tls_opened(session, false); \
        return session; \
    } \
    static void SSL_free_##n(void *session) { \
        if (session) closed_by_tls(session); \
        NEXT(n, SSL_free)(session); \
    } \
    static int SSL_read_##n(void *session, void *bytes, int count) { \
        const void *outside = enter_tls(session); \
        int taken = leave_tls(outside, NEXT(n, SSL_read)(session, bytes, count)); \
        return (int)read_by_tls(session, bytes, taken); \
    } \
    static int SSL_write_##n(void *session, const void *bytes, int count) { \
        const void *outside = enter_tls(session); \
        int taken = leave_tls(outside, NEXT(n, SSL_write)(session, bytes, count)); \
        return (int)written_by_tls(session, false, bytes, taken); \
    } \
    static int SSL_connect_##n(void *session) { \
        const void *outside = enter_tls(session); \
        return leave_tls(outside, NEXT(n, SSL_connect)(session)); \
    } \
    static int SSL_shutdown_##n(void *session) { \
        const void *outside = enter_tls(session); \
        return ended_by_tls(session, leave_tls(outside, NEXT(n, SSL_shutdown)(session))); \
    } \
    static void SSL_set_bio_##n(void *session, void *in, void *out) { \
        NEXT(n, SSL_set_bio)(session, in, follow_tunnel(n, session, out)); \
    } \
    static int gnutls_init_##n(void **session, unsigned flags) { \
        int code = NEXT(n, gnutls_init)(session, flags); \
        if (code == 0 && wwt_dependency_follows_tls(n)) wwt_tls_opened(*session, true); \
        return code; \
    } \
    static void gnutls_deinit_##n(void *session) { \
        if (session) closed_by_tls(session); \
        CALLED(n, gnutls_deinit)(session); \
    } \
    static ssize_t gnutls_record_recv_##n(void *session, void *bytes, size_t count) { \
        const void *outside = enter_tls(session); \
        ssize_t taken = CALLED(n, gnutls_record_recv)(session, bytes, count); \
        at_work = outside; \
        return read_by_tls(session, bytes, taken); \
    } \
    static ssize_t gnutls_record_send_##n(void *session, const void *bytes, size_t count) { \
        const void *outside = enter_tls(session); \
        ssize_t taken = CALLED(n, gnutls_record_send)(session, bytes, count); \
        at_work = outside; \
        return written_by_tls(session, true, bytes, taken); \
    } \
    static int gnutls_handshake_##n(void *session) { \
        const void *outside = enter_tls(session); \
        return leave_tls(outside, CALLED(n, gnutls_handshake)(session)); \
    } \
    static int gnutls_bye_##n(void *session, int how) { \
        const void *outside = enter_tls(session); \
        return ended_by_tls(session, leave_tls(outside, CALLED(n, gnutls_bye)(session, how))); \
    } \
    static int connect_##n(int socket, const void *address, unsigned size) { \
        return connected(socket, NEXT(n, connect)(socket, address, size)); \
    } \
    static ssize_t send_##n(int socket, const void *bytes, size_t count, int flags) { \
        wwt_performed_sends(); \
        return sent_by_socket(socket, bytes, NEXT(n, send)(socket, bytes, count, flags)); \
    } \
    static ssize_t recv_##n(int socket, void *bytes, size_t count, int flags) { \
        return received_by_socket(socket, bytes, NEXT(n, recv)(socket, bytes, count, flags), flags); \
    } \
    static int poll_##n(void *entries, unsigned long count, int milliseconds) { \
        if (milliseconds != 0) wwt_send_held(); \
        return NEXT(n, poll)(entries, count, milliseconds); \
    }

HOOKS_OF(0)
HOOKS_OF(1)
HOOKS_OF(2)
HOOKS_OF(3)

#define HOOK_0(name) (void *)name##_0,
#define HOOK_1(name) (void *)name##_1,
#define HOOK_2(name) (void *)name##_2,
#define HOOK_3(name) (void *)name##_3,
static void *const hooks[MOST_LIBRARIES][WWT_PLACES] = {
    {WWT_EACH_DEPENDENCY(HOOK_0)},
    {WWT_EACH_DEPENDENCY(HOOK_1)},
    {WWT_EACH_DEPENDENCY(HOOK_2)},
    {WWT_EACH_DEPENDENCY(HOOK_3)},
};

void *wwt_dependency_hook(int library, const char *name) {
    int place = wwt_dependency_place(name);
    if (place < 0) return NULL;
    // If libcurl's library lacks the function, the hook would have no function to call.
    void *const *next = (void *const *)&wwt_library_number(library)->dependencies;
    return next[place] ? hooks[library][place] : NULL;
}

#endif
