// Follows libcurl's HTTP/2 sessions and counts the bytes of their frames. It must see a session from its start: in the
// middle of one, frame boundaries cannot be found.

#ifdef __linux__
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "CHTTPWire.h"
#include "clock.h"
#include "fork_lock.h"
#include "frame_output.h"
#include "http2.h"
#include "http2_parts.h"

#define BUCKETS 256
/// How long parts may wait before they are sent.
#define REPORT_NANOSECONDS 100000000u

typedef struct followed {
    const void *session;
    uint64_t number;
    struct followed *next;
    uint32_t generation;
    int socket;
    bool is_broken; // parts were lost
    uint64_t reported_at;
    ww_http2_scanner up, down;
    uint32_t count;
    wwt_http2_part parts[WWT_MOST_PARTS];
} followed;

static followed *buckets[BUCKETS];
static uint64_t last_number;
static uint32_t living;
static wwt_fork_lock table = WWT_FORK_LOCK;

void wwt_lock_http2(void) { wwt_lock(&table); }

void wwt_unlock_http2(void) { wwt_unlock(&table); }

static followed **bucket_of(const void *session) {
    return &buckets[((uintptr_t)session >> 4) * 0x9E3779B185EBCA87ULL >> 56];
}

/// Safe without the lock afterwards, because the calling thread drives the session: no other thread removes it
/// meanwhile.
static followed *find(const void *session) {
    if (!__atomic_load_n(&living, __ATOMIC_RELAXED)) return NULL;
    wwt_lock(&table);
    followed *found = *bucket_of(session);
    while (found && found->session != session) found = found->next;
    wwt_unlock(&table);
    return found;
}

static followed *take_out_locked(const void *session) {
    for (followed **link = bucket_of(session); *link; link = &(*link)->next) {
        if ((*link)->session != session) continue;
        followed *found = *link;
        *link = found->next;
        __atomic_sub_fetch(&living, 1, __ATOMIC_RELAXED);
        return found;
    }
    return NULL;
}

/// Atomic, because the thread that ends the program reads it while another one counts.
static void set_count(followed *session, uint32_t count) { __atomic_store_n(&session->count, count, __ATOMIC_RELAXED); }

static void report(followed *session, bool last) {
    if (session->count == 0 || !wwt_output_enter(session->generation)) return;
    struct {
        wwt_frame frame;
        wwt_http2_body body;
        wwt_http2_part parts[WWT_MOST_PARTS];
    } message;
    size_t size = sizeof message.parts[0] * session->count;
    uint64_t now = wwt_now();
    message.frame = (wwt_frame){(uint32_t)(offsetof(__typeof__(message), parts) + size), WWT_HTTP2, 0, now};
    message.body = (wwt_http2_body){session->number, session->is_broken, session->count, 0};
    memcpy(message.parts, session->parts, size);
    bool is_taken = wwt_output_emit(&message, message.frame.size, last);
    if (!is_taken && last) session->is_broken = true;
    if (is_taken || last) set_count(session, 0);
    session->reported_at = now;
    wwt_output_leave();
}

static void add(followed *session, bool is_down, const ww_http2_piece *piece) {
    if (session->count && wwt_http2_part_grows(&session->parts[session->count - 1], is_down, piece)) return;
    if (session->count == WWT_MOST_PARTS) report(session, true);
    if (session->count == WWT_MOST_PARTS) return; // the tap has been stopped
    session->parts[session->count] = wwt_http2_part_of(is_down, piece);
    set_count(session, session->count + 1);
}

static void pass(const void *key, bool is_down, const uint8_t *bytes, size_t count) {
    followed *session = find(key);
    if (!session) return;
    ww_http2_scanner *scanner = is_down ? &session->down : &session->up;
    while (count) {
        ww_http2_piece piece;
        size_t taken = ww_http2_scan(scanner, bytes, count, &piece);
        if (piece.overhead || piece.content) add(session, is_down, &piece);
        bytes += taken;
        count -= taken;
    }
    if (wwt_now() - session->reported_at >= REPORT_NANOSECONDS) report(session, false);
}

void wwt_http2_received(const void *session, const uint8_t *bytes, size_t count) { pass(session, true, bytes, count); }

void wwt_http2_sent(const void *session, const uint8_t *bytes, size_t count) { pass(session, false, bytes, count); }

void wwt_http2_opened(const void *session) {
    uint32_t generation = wwt_output_generation();
    if (!wwt_output_enter(generation)) return;
    wwt_output_leave();
    followed *made = calloc(1, sizeof *made);
    if (!made) return;
    made->session = session;
    made->generation = generation;
    made->socket = -1;
    made->reported_at = wwt_now();
    ww_http2_begin(&made->up, true);
    ww_http2_begin(&made->down, false);
    wwt_lock(&table);
    followed *stale = take_out_locked(session); // its end went unseen
    made->number = ++last_number;
    made->next = *bucket_of(session);
    *bucket_of(session) = made;
    __atomic_add_fetch(&living, 1, __ATOMIC_RELAXED);
    wwt_unlock(&table);
    free(stale);
}

static void add_rest(followed *session, bool is_down) {
    ww_http2_piece rest = wwt_http2_rest(is_down ? &session->down : &session->up);
    if (rest.overhead) add(session, is_down, &rest);
}

void wwt_http2_closed(const void *session) {
    int before = errno;
    wwt_lock(&table);
    followed *found = take_out_locked(session);
    wwt_unlock(&table);
    if (found) {
        add_rest(found, true);
        add_rest(found, false);
        report(found, true);
        free(found);
    }
    errno = before;
}

wwt_http2_id wwt_http2_find(const void *session) {
    const followed *found = find(session);
    return found ? (wwt_http2_id){session, found->number} : (wwt_http2_id){NULL, 0};
}

void wwt_http2_set_socket(wwt_http2_id id, int socket) {
    followed *found = id.number ? find(id.session) : NULL;
    if (found && found->number == id.number) __atomic_store_n(&found->socket, socket, __ATOMIC_RELAXED);
}

void wwt_http2_report(wwt_http2_id id) {
    followed *found = id.number ? find(id.session) : NULL;
    if (found && found->number == id.number) report(found, true);
}

static followed *find_socket_locked(int socket) {
    for (int i = 0; i < BUCKETS; i++) {
        for (followed *each = buckets[i]; each; each = each->next) {
            if (__atomic_load_n(&each->socket, __ATOMIC_RELAXED) == socket) return each;
        }
    }
    return NULL;
}

void wwt_http2_report_socket(int socket) {
    if (!__atomic_load_n(&living, __ATOMIC_RELAXED)) return;
    wwt_lock(&table);
    followed *found = find_socket_locked(socket);
    wwt_unlock(&table);
    if (!found) return;
    report(found, true);
    found->socket = -1;
}

bool wwt_http2_is_reported(int socket) {
    if (!__atomic_load_n(&living, __ATOMIC_RELAXED)) return true;
    if (!wwt_try_lock(&table)) return false;
    const followed *found = find_socket_locked(socket);
    bool is_reported = !found || __atomic_load_n(&found->count, __ATOMIC_RELAXED) == 0;
    wwt_unlock(&table);
    return is_reported;
}

// MARK: sent bytes

// A session has no room for a function of ours beside libcurl's. libcurl has one or two, so each of them has its own.

#define MOST_SENDERS 4

static wwt_http2_send senders[MOST_SENDERS];

static ssize_t count_sent(
    wwt_http2_send next, void *session, const uint8_t *bytes, size_t count, int flags, void *user) {
    ssize_t taken = next(session, bytes, count, flags, user);
    int before = errno;
    if (taken > 0) wwt_http2_sent(session, bytes, (size_t)taken);
    errno = before;
    return taken;
}

#define SENDER(n) \
    static ssize_t sender_##n(void *session, const uint8_t *bytes, size_t count, int flags, void *user) { \
        return count_sent(senders[n], session, bytes, count, flags, user); \
    }

SENDER(0)
SENDER(1)
SENDER(2)
SENDER(3)

wwt_http2_send wwt_http2_counting(wwt_http2_send next) {
    static const wwt_http2_send counting[MOST_SENDERS] = {sender_0, sender_1, sender_2, sender_3};
    if (!next) return NULL;
    for (int i = 0; i < MOST_SENDERS; i++) {
        wwt_http2_send none = NULL;
        __atomic_compare_exchange_n(&senders[i], &none, next, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
        if (__atomic_load_n(&senders[i], __ATOMIC_ACQUIRE) == next) return counting[i];
    }
    return next;
}

#endif
