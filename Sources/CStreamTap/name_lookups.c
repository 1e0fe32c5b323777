// The lookups of names that the program makes by the C library: reports each. A connection belongs to the newest one that
// found its address and that no other connection has: one thread may look up for another, as in Python's asyncio.

#include "name_lookups.h"

#ifdef __linux__
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "CStreamTap.h"
#include "clock.h"
#include "connection_parts.h"
#include "fork_lock.h"
#include "frame_buffer.h"
#include "frame_output.h"

/// Older lookups are forgotten, and so are further addresses.
#define LOOKUPS 64
#define MOST_ADDRESSES 16

/// An address of IPv4 as one of IPv6 (RFC 4291, section 2.5.5.2).
typedef struct in6_addr address;

typedef struct lookup {
    uint64_t number; // 0: none
    uint64_t took;
    const void *thread;
    bool is_used; // an exchange has its time
    int count;
    address addresses[MOST_ADDRESSES]; // that no connection was opened to
} lookup;

static lookup lookups[LOOKUPS];
static uint64_t last;
static wwt_fork_lock table = WWT_FORK_LOCK;

/// Whether this thread holds the lock. A signal's handler may run then, and must not wait for it.
static __thread bool is_inside;

void wws_lock_lookups(void) { wwt_lock(&table); }

void wws_unlock_lookups(void) { wwt_unlock(&table); }

static bool lock(void) {
    if (is_inside) return false;
    is_inside = true;
    wwt_lock(&table);
    return true;
}

static void unlock(void) {
    wwt_unlock(&table);
    is_inside = false;
}

static bool read_address(int family, const void *bytes, address *read) {
    *read = (address){.s6_addr = {[10] = 0xFF, [11] = 0xFF}};
    if (family == AF_INET) memcpy(read->s6_addr + 12, bytes, 4);
    else if (family == AF_INET6) memcpy(read->s6_addr, bytes, 16);
    else return false;
    return true;
}

bool wws_read_address(const struct sockaddr *from, address *read) {
    if (from->sa_family == AF_INET6) return read_address(AF_INET6, &((const struct sockaddr_in6 *)from)->sin6_addr, read);
    return read_address(from->sa_family, &((const struct sockaddr_in *)from)->sin_addr, read);
}

static void add(lookup *made, const address *found) {
    for (int i = 0; i < made->count; i++) {
        if (memcmp(&made->addresses[i], found, sizeof *found) == 0) return;
    }
    if (made->count < MOST_ADDRESSES) made->addresses[made->count++] = *found;
}

/// Makes it one that connections may belong to.
static void keep(lookup *made) {
    if (!made->count || !lock()) return;
    made->number = ++last;
    lookups[made->number % LOOKUPS] = *made;
    unlock();
}

static void report(const wws_asked *asked, const lookup *made, wwt_lookup_body body, uint64_t now) {
    int could_cancel;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &could_cancel);
    if (wws_is_owner() && wwt_output_enter(wwt_output_generation())) {
        body.began = asked->began;
        body.found = (uint32_t)made->count;
        int listed = made->count < WWT_MOST_ADDRESSES ? made->count : WWT_MOST_ADDRESSES;
        memcpy(body.addresses, made->addresses, (size_t)listed * sizeof *made->addresses);
        size_t length = wwt_text_length(asked->name);
        wwt_frames frames = {0};
        if (wwt_frames_begin(&frames, WWT_LOOKUP, now, sizeof body + sizeof(uint32_t) + length)) {
            wwt_frames_append(&frames, &body, sizeof body);
            wwt_frames_append_text(&frames, asked->name, length);
            wwt_frames_send(&frames, true);
        }
        free(frames.bytes);
        wwt_output_leave();
    }
    pthread_setcancelstate(could_cancel, NULL);
}

static void take(const wws_asked *asked, lookup *made, wwt_lookup_body body) {
    uint64_t now = wwt_now();
    made->took = now - asked->began;
    made->thread = &is_inside;
    report(asked, made, body, now);
    if (!asked->is_libcurls) keep(made);
}

void wws_looked_up(const wws_asked *asked, int result, const struct addrinfo *found) {
    int before = errno;
    lookup made = {0};
    address read;
    for (; found; found = found->ai_next) {
        if (found->ai_addr && wws_read_address(found->ai_addr, &read)) add(&made, &read);
    }
    take(asked, &made, (wwt_lookup_body){.source = WWT_LOOKUP_ADDRESSES, .code = result});
    errno = before;
}

void wws_looked_up_host(const wws_asked *asked, int result, const struct hostent *found) {
    int before = errno;
    lookup made = {0};
    address read;
    for (char **each = found ? found->h_addr_list : NULL; each && *each; each++) {
        if (read_address(found->h_addrtype, *each, &read)) add(&made, &read);
    }
    take(asked, &made, (wwt_lookup_body){.source = WWT_LOOKUP_HOST, .code = found ? 0 : result});
    errno = before;
}

uint64_t wws_lookup_take(const struct sockaddr *peer) {
    address wanted;
    if (!wws_read_address(peer, &wanted) || !lock()) return 0;
    lookup *best = NULL;
    address *place = NULL;
    for (int i = 0; i < LOOKUPS; i++) {
        lookup *each = &lookups[i];
        for (int a = 0; a < each->count; a++) {
            if (memcmp(&each->addresses[a], &wanted, sizeof wanted) != 0) continue;
            bool is_own = each->thread == &is_inside, is_best_own = best && best->thread == &is_inside;
            if (best && (is_own != is_best_own ? is_best_own : each->number < best->number)) continue;
            best = each;
            place = &each->addresses[a];
        }
    }
    uint64_t number = best ? best->number : 0;
    if (best) *place = best->addresses[--best->count];
    unlock();
    return number;
}

bool wws_lookup_use(uint64_t number, uint64_t *took) {
    if (!number || !lock()) return false;
    lookup *found = &lookups[number % LOOKUPS];
    bool is_new = found->number == number && !found->is_used;
    if (is_new) {
        *took = found->took;
        found->is_used = true;
        found->count = 0;
    }
    unlock();
    return is_new;
}

#endif
