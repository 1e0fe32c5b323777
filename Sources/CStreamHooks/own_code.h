// What the hooks need to know about where they are. The preloaded library answers one way (preload.c), a program that
// starts the tap itself another (in_process.c).
#ifndef WIREWEIGHT_OWN_CODE_H
#define WIREWEIGHT_OWN_CODE_H

#include <stdbool.h>

/// The function of that name that the program would have called without us; NULL if there is none.
void *wireweight_next(const char *name);
/// Whether an address is in the tap's own library.
bool wireweight_is_own(const void *address);
/// Is called before the program closes these descriptors, unless it is NULL.
extern void (*wireweight_closing)(unsigned first, unsigned last);
/// Whether a libcurl calls whose connections are the other tap's.
bool wireweight_is_libcurl(const void *caller);

#endif
