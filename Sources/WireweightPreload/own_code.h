// The functions that a program would have called without us, for names that we export.
#ifndef WIREWEIGHT_OWN_CODE_H
#define WIREWEIGHT_OWN_CODE_H

#include <stdbool.h>

/// The next function of that name after ours; NULL if there is none.
void *wireweight_next(const char *name);
/// Whether an address is in this library.
bool wireweight_is_own(const void *address);
/// Whether a libcurl calls whose connections are the other tap's.
bool wireweight_is_libcurl(const void *caller);

#endif
