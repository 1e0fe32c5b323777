// Hooks for the functions of liburing that set up io_uring: what the program sends and receives there passes
// around all functions that can be hooked.

#if defined(__linux__) && __has_include(<gnu/libc-version.h>)
#include <errno.h>

#include "CStreamTap.h"
#include "originals.h"

/// Calls liburing's function. A program that is not linked with it has none, and finds none by `dlsym`.
#define SET_UP(name, ...) ({ \
    int (*original)(unsigned, void *, __VA_ARGS__); \
    *(void **)&original = wireweight_next(#name); \
    wws_ring_made(); \
    original; \
})

EXPORTED int HOOK(io_uring_queue_init)(unsigned entries, void *ring, unsigned flags) {
    int (*original)(unsigned, void *, unsigned) = SET_UP(io_uring_queue_init, unsigned);
    return original ? original(entries, ring, flags) : -ENOSYS;
}

EXPORTED int HOOK(io_uring_queue_init_params)(unsigned entries, void *ring, void *parameters) {
    int (*original)(unsigned, void *, void *) = SET_UP(io_uring_queue_init_params, void *);
    return original ? original(entries, ring, parameters) : -ENOSYS;
}

#endif
