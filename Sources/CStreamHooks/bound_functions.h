// Which library a function is in.
#ifndef WIREWEIGHT_BOUND_FUNCTIONS_H
#define WIREWEIGHT_BOUND_FUNCTIONS_H

#include <stdbool.h>

/// Whether a function is in the C library or, if `is_tls`, in a TLS library, and not in an object that hooks it, too. It
/// can be called while the list of objects is read.
bool wireweight_is_in_library(const void *function, bool is_tls);

#endif
