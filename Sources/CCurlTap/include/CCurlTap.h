// Watches libcurl from inside a process: who calls it, what goes out, what comes in, when it ends.
//
// The tap only looks. It changes options of a transfer while that transfer runs (verbose mode, the debug function and
// the function that closes sockets), passes on to the program's own functions whatever they would have got, and puts the
// program's options back. What it sees leaves as frames (tap_frames.h) through one function.
#ifndef CCURLTAP_H
#define CCURLTAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tap_frames.h"

/// Takes whole frames. Called on the program's own threads: it must not block. False: not now, keep them for later;
/// with `last` set there is no later. What is kept of bodies comes apart from all else.
typedef bool (*wwt_emit)(void *context, const uint8_t *frames, size_t count, bool last);

/// Whether frames that are to be emitted are kept content of bodies: these give way to all others, and nothing is lost
/// where there is no room for them.
bool wwt_are_contents(const uint8_t *frames);

typedef struct wwt_settings {
    wwt_emit emit;
    void *context;
    uint32_t keep_body;   // bytes of each body to send along; 0 for none
    bool in_children;     // the emit function works in the child of a fork, too
} wwt_settings;

enum wwt_status {
    WWT_OK = 0,
    WWT_ALREADY_STARTED = 1,
    WWT_NO_LIBCURL = 2,      // no shared libcurl in this process
    WWT_UNKNOWN_LIBCURL = 3, // one that the tap does not know; left alone
    WWT_NO_CALLERS = 4,      // nobody calls it through slots that could be hooked
    WWT_UNSUPPORTED = 5,     // not Linux on x86-64 or arm64
};

/// Begins: hooks whoever calls libcurl through a slot of the dynamic linker's. For use inside a program that wants it.
enum wwt_status wwt_start(const wwt_settings *settings);

/// Hooks what has been loaded since. Cheap when nothing was.
void wwt_refresh(void);

/// The same, for whoever may hold the dynamic linker's lock: where another thread is at it, that one will do.
void wwt_refresh_if_free(void);

/// Ends: nothing is emitted once this returns. Hooks are taken out at once, or, while transfers that carry our debug
/// function still run, when the last of them ends.
void wwt_stop(void);

/// Transfers that run under the tap now.
uint32_t wwt_running(void);

/// Transfers that could not be tapped since the start, because their handle's history is not known.
uint64_t wwt_untapped(void);

/// Slots that are hooked now through which others call libcurl.
uint32_t wwt_hooked_slots(void);

/// The version that the first libcurl in this process tells of itself, such as `libcurl/7.88.1 OpenSSL/3.0.19`;
/// empty where there is none.
const char *wwt_libcurl_version(void);

/// Writes a hello frame; returns its length, or 0 when it does not fit.
size_t wwt_hello(uint8_t *bytes, size_t capacity);

// A ring of frames between the program's threads and one reader.

typedef struct wwt_ring wwt_ring;

wwt_ring *wwt_ring_create(size_t capacity);
void wwt_ring_destroy(wwt_ring *ring);
/// An emit function; its context is the ring.
bool wwt_ring_emit(void *ring, const uint8_t *frames, size_t count, bool last);
/// Takes what is there, up to `capacity` bytes, only whole frames. Waits up to `wait_ms` for the first, and from
/// then on up to `gather_ms` for more to take at once.
size_t wwt_ring_read(wwt_ring *ring, uint8_t *bytes, size_t capacity, uint32_t wait_ms, uint32_t gather_ms);
/// Ends a wait at once, from any thread.
void wwt_ring_wake(wwt_ring *ring);
/// How many transfers' frames were dropped because the ring was full, since the last call.
uint64_t wwt_ring_take_lost(wwt_ring *ring);

#endif
