// A ring of messages in memory that two processes share: threads of the program put them in, without locks and without
// system calls, and the reader takes them out. What is in it outlives the program.
#ifndef WWT_SHARED_RING_H
#define WWT_SHARED_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// How many bytes of records it has room for.
#define WWT_SHARED_RING_ROOM (1u << 20)

typedef struct wwt_shared_ring wwt_shared_ring;

// The program's side

/// Makes one, and the descriptor of its memory, which the reader is to get; NULL if the system does not give it.
wwt_shared_ring *wwt_shared_ring_create(int *descriptor);
void wwt_shared_ring_unmap(wwt_shared_ring *ring);

enum wwt_shared_put {
    WWT_SHARED_PUT = 0,
    WWT_SHARED_PUT_WAKE, // the same, and the reader sleeps: wake it
    WWT_SHARED_FULL,
    WWT_SHARED_CLOSED,   // the reader takes nothing more
};

/// Puts a message in, unless it would fill more than `most` bytes of the ring.
enum wwt_shared_put wwt_shared_ring_put(wwt_shared_ring *ring, const uint8_t *bytes, size_t count, size_t most);

// The reader's side; the program may have written anything

typedef struct wwt_shared_reader wwt_shared_reader;

/// Takes the descriptor, which is closed in any case; NULL if it is not the memory of a ring.
wwt_shared_reader *wwt_shared_reader_open(int descriptor);
void wwt_shared_reader_free(wwt_shared_reader *reader);
/// Says that the reader is about to sleep; false if there is something to take, and then it must not.
bool wwt_shared_reader_may_sleep(wwt_shared_reader *reader);
/// Takes the next message, which stays until the next call; NULL if there is none now, or if `is_malformed` says that the
/// ring makes no sense any more.
const uint8_t *wwt_shared_reader_take(wwt_shared_reader *reader, size_t *count, bool *is_malformed);
/// Takes no messages but those that are being put in now. The program is over, or has closed its socket.
void wwt_shared_reader_close(wwt_shared_reader *reader);

#endif
