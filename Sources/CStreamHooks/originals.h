// The functions of the C library that the hooks for them call.
#ifndef WIREWEIGHT_ORIGINALS_H
#define WIREWEIGHT_ORIGINALS_H

#include <errno.h>
#include <stdlib.h>

#include "hook_names.h"
#include "own_code.h"

/// The original of a function; found when it is first called, which may be before our constructor.
#define ORIGINAL(name) ({ \
    static __typeof__(&name) original; \
    __typeof__(&name) found = __atomic_load_n(&original, __ATOMIC_RELAXED); \
    if (__builtin_expect(!found, 0)) { \
        found = (__typeof__(&name))wireweight_original(#name); \
        __atomic_store_n(&original, found, __ATOMIC_RELAXED); \
    } \
    found; \
})

static inline void *wireweight_original(const char *name) {
    int before = errno;
    void *function = wireweight_next(name);
    if (!function) abort();
    errno = before;
    return function;
}

#endif
