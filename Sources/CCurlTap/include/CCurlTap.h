// Watches libcurl from inside a process: who calls it, what it sends and receives, and when each transfer ends.
//
// The tap only looks. It changes options of a transfer while that transfer runs: verbose mode, the debug function and
// the function that closes sockets. The program's own functions get what they would have got without the tap, and
// afterwards the tap restores the program's options. What the tap sees leaves as frames (tap_frames.h) through one
// function.
#ifndef CCURLTAP_H
#define CCURLTAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared_ring.h"
#include "tap_frames.h"

/// Takes whole frames. The tap calls it on the program's own threads, so it must not block. It returns false if it
/// cannot take the frames now; the tap then keeps them for later. With `last` set there is no later. Kept content of
/// bodies comes in calls of its own.
typedef bool (*wwt_emit)(void *context, const uint8_t *frames, size_t count, bool last);

/// Whether these frames are kept content of bodies, or bytes of TLS. Such frames give way to all others, and dropping them
/// for lack of room is no loss.
bool wwt_are_contents(const uint8_t *frames);

typedef struct wwt_settings {
    wwt_emit emit;
    void *context;
    uint32_t keep_body;   // bytes of each body to send along; 0 for none
    bool in_children;     // the emit function works in the child of a fork, too
    bool skips_digests;   // bodies get no digests
} wwt_settings;

enum wwt_status {
    WWT_OK = 0,
    WWT_ALREADY_STARTED = 1,
    WWT_NO_LIBCURL = 2,      // no shared libcurl in this process
    WWT_UNKNOWN_LIBCURL = 3, // the tap does not support this version, and leaves it alone
    WWT_NO_CALLERS = 4,      // no object calls it through slots that the tap can hook
    WWT_UNSUPPORTED = 5,     // not Linux on x86-64 or arm64
};

/// Starts the tap: hooks every object that calls libcurl through a slot of the dynamic linker. For programs that start
/// it themselves.
enum wwt_status wwt_start(const wwt_settings *settings);

/// Hooks objects that were loaded since the last call. Cheap if there are none.
void wwt_refresh(void);

/// The same for a caller that may hold the dynamic linker's lock: it does nothing while another thread does this
/// already.
void wwt_refresh_if_free(void);

/// Stops the tap: it emits nothing once this returns. Hooks are removed at once or, while transfers that carry our
/// debug function still run, when the last of them ends.
void wwt_stop(void);

/// The number of transfers that run under the tap now.
uint32_t wwt_running(void);

/// The number of transfers since the start that the tap could not follow, because it does not know their handle's
/// history.
uint64_t wwt_untapped(void);

/// The number of slots through which other objects call libcurl and that are hooked now.
uint32_t wwt_hooked_slots(void);

/// The version that the first libcurl in this process reports, such as `libcurl/7.88.1 OpenSSL/3.0.19`; empty if there
/// is no libcurl.
const char *wwt_libcurl_version(void);

/// Writes a hello frame; returns its length in bytes, or 0 if it does not fit.
size_t wwt_hello(uint8_t *bytes, size_t capacity);

// A ring of frames between the program's threads and one reader.

typedef struct wwt_ring wwt_ring;

wwt_ring *wwt_ring_create(size_t capacity);
void wwt_ring_destroy(wwt_ring *ring);
/// An emit function; its context is the ring.
bool wwt_ring_emit(void *ring, const uint8_t *frames, size_t count, bool last);
/// Takes the waiting frames, up to `capacity` bytes, and only whole ones. Waits up to `wait_ms` for the first, and from
/// then on up to `gather_ms` for more to take at once.
size_t wwt_ring_read(wwt_ring *ring, uint8_t *bytes, size_t capacity, uint32_t wait_ms, uint32_t gather_ms);
/// Ends a wait at once, from any thread.
void wwt_ring_wake(wwt_ring *ring);
/// The number of transfers since the last call whose frames were dropped because the ring was full.
uint64_t wwt_ring_take_lost(wwt_ring *ring);

// The messages of preloaded programs, as their one reader takes them from its sockets.

typedef struct wwt_inbox wwt_inbox;

/// NULL if there is no memory. Everything that it needs is allocated here.
wwt_inbox *wwt_inbox_create(void);
void wwt_inbox_destroy(wwt_inbox *inbox);
/// Takes what waits in a socket, up to 64 messages at once, and does not wait for more. Returns their number, 0 if none
/// waits, or -1 if the connection is broken. A message without bytes is the connection's end.
int wwt_inbox_receive(wwt_inbox *inbox, int socket);
/// The descriptor that came with the first of them, or -1. The caller closes it.
int wwt_inbox_take_descriptor(wwt_inbox *inbox);
/// One of the messages that the last call has taken.
const uint8_t *wwt_inbox_message(const wwt_inbox *inbox, int index, size_t *count);

#endif
