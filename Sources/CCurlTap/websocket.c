// Counts frames and payload of WebSocket after a 101 that switches to it. It sees them where the plaintext passes: on a
// socket or in a TLS session. A connection is followed from the request that asks for WebSocket.

#ifdef __linux__
#include <errno.h>
#include <stdlib.h>

#include "CHTTPWire.h"
#include "clock.h"
#include "fork_lock.h"
#include "frame_output.h"
#include "tls.h"
#include "websocket.h"

#define BUCKETS 64
/// After how many nanoseconds the kernel's count of an open connection is sent again, while bytes pass.
#define REPORT_NANOSECONDS 1000000000u

typedef struct followed {
    const void *session; // of TLS; NULL in the clear
    int socket;
    bool is_gone; // the session has ended: another one may get its address
    uint32_t generation;
    uint64_t reported_at;
    ww_upgrade_scanner upgrade;
    ww_websocket_scanner up, down;
    struct followed *next;
} followed;

static followed *buckets[BUCKETS]; // by session, or by socket if there is none
static uint32_t living;
static wwt_fork_lock table = WWT_FORK_LOCK;

void wwt_lock_websockets(void) { wwt_lock(&table); }

void wwt_unlock_websockets(void) { wwt_unlock(&table); }

static followed **bucket_of(const void *session, int socket) {
    uint64_t key = session ? (uintptr_t)session >> 4 : (uint64_t)(unsigned)socket;
    return &buckets[key * 0x9E3779B185EBCA87ULL >> 58];
}

static bool is_any(void) { return __atomic_load_n(&living, __ATOMIC_RELAXED) != 0; }

static followed *find_locked(const void *session, int socket) {
    followed *found = *bucket_of(session, socket);
    while (found && (found->session != session || found->is_gone || (!session && found->socket != socket))) {
        found = found->next;
    }
    return found;
}

static followed *find_socket_locked(int socket) {
    for (int i = 0; i < BUCKETS; i++) {
        for (followed *each = buckets[i]; each; each = each->next) {
            if (each->socket == socket) return each;
        }
    }
    return NULL;
}

static void remove_locked(followed *old) {
    followed **link = bucket_of(old->session, old->socket);
    while (*link != old) link = &(*link)->next;
    *link = old->next;
    __atomic_sub_fetch(&living, 1, __ATOMIC_RELAXED);
    free(old);
}

void wwt_websocket_await(int socket, bool is_secure) {
    const void *session = wwt_tls_on(socket);
    // If the connection is encrypted and the tap does not see its TLS session, it sees no plaintext.
    if (socket < 0 || (is_secure && !session)) return;
    followed *made = calloc(1, sizeof *made);
    if (!made) return;
    made->session = session;
    made->socket = socket;
    made->generation = wwt_output_generation();
    made->reported_at = wwt_now();
    wwt_lock(&table);
    followed *stale = find_socket_locked(socket);
    if (stale) remove_locked(stale);
    made->next = *bucket_of(session, socket);
    *bucket_of(session, socket) = made;
    __atomic_add_fetch(&living, 1, __ATOMIC_RELAXED);
    wwt_unlock(&table);
}

/// Whether it is time to send another count of a connection.
static bool is_due_locked(followed *of) {
    uint64_t now = wwt_now();
    if (of->upgrade.state != WW_UPGRADE_DONE || now - of->reported_at < REPORT_NANOSECONDS) return false;
    of->reported_at = now;
    return true;
}

int wwt_websocket_sent(const void *session, int socket, const void *bytes, size_t count) {
    if (!is_any()) return -1;
    wwt_lock(&table);
    followed *found = find_locked(session, socket);
    // Bytes before the 101 are the rest of the request.
    bool is_frames = found && found->upgrade.state == WW_UPGRADE_DONE;
    if (is_frames) ww_websocket_add(&found->up, bytes, count);
    int due = is_frames && is_due_locked(found) ? found->socket : -1;
    wwt_unlock(&table);
    return due;
}

int wwt_websocket_received(const void *session, int socket, const void *bytes, size_t count) {
    if (!is_any()) return -1;
    int due = -1;
    wwt_lock(&table);
    followed *found = find_locked(session, socket);
    if (found) {
        size_t head = ww_upgrade_scan(&found->upgrade, bytes, count);
        ww_websocket_add(&found->down, (const uint8_t *)bytes + head, count - head);
        if (found->upgrade.state == WW_UPGRADE_OTHER) {
            remove_locked(found);
        } else if (is_due_locked(found)) {
            due = found->socket;
        }
    }
    wwt_unlock(&table);
    return due;
}

void wwt_websocket_session_closed(const void *session) {
    if (!is_any()) return;
    wwt_lock(&table);
    followed *found = find_locked(session, -1);
    if (found) found->is_gone = true;
    wwt_unlock(&table);
}

static wwt_websocket_side side_of(const ww_websocket_scanner *scanner) {
    return (wwt_websocket_side){
        scanner->overhead, scanner->payload, scanner->frames, scanner->control_frames, scanner->messages};
}

static wwt_websocket read_locked(int socket) {
    const followed *found = find_socket_locked(socket);
    bool is_known = found && found->upgrade.state == WW_UPGRADE_DONE && found->generation == wwt_output_generation();
    return is_known ? (wwt_websocket){1, side_of(&found->up), side_of(&found->down)} : (wwt_websocket){0};
}

bool wwt_websocket_read_if_free(int socket, wwt_websocket *websocket) {
    *websocket = (wwt_websocket){0};
    if (!is_any()) return true;
    if (!wwt_try_lock(&table)) return false;
    *websocket = read_locked(socket);
    wwt_unlock(&table);
    return true;
}

wwt_websocket wwt_websocket_take(int socket) {
    wwt_websocket result = {0};
    if (!is_any()) return result;
    wwt_lock(&table);
    result = read_locked(socket);
    followed *found = find_socket_locked(socket);
    if (found) remove_locked(found);
    wwt_unlock(&table);
    return result;
}

#endif
