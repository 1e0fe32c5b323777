// The lookups of names that the program makes by the C library. A connection belongs to the newest one that found its
// address and that no other connection has: one thread may look up for another, as in Python's asyncio.

#include "name_lookups.h"

#ifdef __linux__
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <string.h>

#include "CStreamTap.h"
#include "clock.h"
#include "fork_lock.h"

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

static bool read_socket_address(const struct sockaddr *from, address *read) {
    if (from->sa_family == AF_INET6) return read_address(AF_INET6, &((const struct sockaddr_in6 *)from)->sin6_addr, read);
    return read_address(from->sa_family, &((const struct sockaddr_in *)from)->sin_addr, read);
}

static void add(lookup *made, const address *found) {
    for (int i = 0; i < made->count; i++) {
        if (memcmp(&made->addresses[i], found, sizeof *found) == 0) return;
    }
    if (made->count < MOST_ADDRESSES) made->addresses[made->count++] = *found;
}

static void keep(lookup *made, uint64_t began) {
    int before = errno;
    made->took = wwt_now() - began;
    made->thread = &is_inside;
    if (made->count && lock()) {
        made->number = ++last;
        lookups[made->number % LOOKUPS] = *made;
        unlock();
    }
    errno = before;
}

void wws_looked_up(uint64_t began, const struct addrinfo *found) {
    lookup made = {0};
    address read;
    for (; found; found = found->ai_next) {
        if (found->ai_addr && read_socket_address(found->ai_addr, &read)) add(&made, &read);
    }
    keep(&made, began);
}

void wws_looked_up_host(uint64_t began, const struct hostent *found) {
    lookup made = {0};
    address read;
    for (char **each = found ? found->h_addr_list : NULL; each && *each; each++) {
        if (read_address(found->h_addrtype, *each, &read)) add(&made, &read);
    }
    keep(&made, began);
}

uint64_t wws_lookup_take(const struct sockaddr *peer) {
    address wanted;
    if (!read_socket_address(peer, &wanted) || !lock()) return 0;
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
