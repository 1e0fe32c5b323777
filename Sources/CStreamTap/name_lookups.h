// The lookups of names that the program makes by the C library.
#ifndef WWS_NAME_LOOKUPS_H
#define WWS_NAME_LOOKUPS_H

#include <stdbool.h>
#include <stdint.h>

struct in6_addr;
struct sockaddr;

/// Reads an address, one of IPv4 as one of IPv6 (RFC 4291, section 2.5.5.2). False if it is neither.
bool wws_read_address(const struct sockaddr *from, struct in6_addr *read);

/// The number of the lookup that found the address to which a connection is opened now; 0 for none.
uint64_t wws_lookup_take(const struct sockaddr *peer);
/// How many nanoseconds it took. False if that is not known any more, or was asked before: another connection, to a
/// different address of that name, has carried an exchange first.
bool wws_lookup_use(uint64_t number, uint64_t *took);

/// A fork holds the lock while it happens.
void wws_lock_lookups(void);
void wws_unlock_lookups(void);

#endif
