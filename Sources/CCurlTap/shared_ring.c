// Records lie one after the other: a word with the size, then the message, up to the next multiple of 8. A thread reserves
// room for one by moving `reserved`, and its size is marked as busy until the message is whole. The reader clears what it
// has taken, so a word that is not written yet is 0. A record does not wrap around: what is left before the end of the
// memory is skipped.

#include "shared_ring.h"

#ifdef __linux__
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

struct wwt_shared_ring {
    _Alignas(64) uint64_t reserved; // bytes since the beginning; CLOSED: no more
    _Alignas(64) uint64_t taken;
    uint32_t sleeps; // the reader waits for its socket
    uint32_t hurry;  // it was woken because the ring fills
    _Alignas(4096) uint8_t bytes[WWT_SHARED_RING_ROOM];
};

#define CLOSED (UINT64_C(1) << 63)
/// In the word before a message, whose size is below.
#define BUSY (1u << 31)
#define SKIPPED (1u << 30)
enum { WORD = 8 };
/// How often a writer looks again before it takes the ring for full.
enum { TRIES = 100 };
/// How many milliseconds a closed ring waits for a message that is being put in.
enum { PATIENCE = 50 };

static uint64_t length_of(size_t count) { return WORD + ((count + WORD - 1) & ~(size_t)(WORD - 1)); }

static uint32_t *word_at(wwt_shared_ring *ring, uint64_t place) {
    return (uint32_t *)(void *)(ring->bytes + place % WWT_SHARED_RING_ROOM);
}

static uint64_t until_wrap(uint64_t place) { return WWT_SHARED_RING_ROOM - place % WWT_SHARED_RING_ROOM; }

// MARK: the program

wwt_shared_ring *wwt_shared_ring_create(int *descriptor) {
    // A file that grows beyond the program's limit would end it.
    struct rlimit limit;
    if (getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur < sizeof(wwt_shared_ring)) return NULL;
    int made = memfd_create("wireweight", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (made < 0) return NULL;
    void *mapped = MAP_FAILED;
    // The reader relies on the size: memory that is gone would end it.
    if (ftruncate(made, sizeof(wwt_shared_ring)) == 0
        && fcntl(made, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0) {
        mapped = mmap(NULL, sizeof(wwt_shared_ring), PROT_READ | PROT_WRITE, MAP_SHARED, made, 0);
    }
    if (mapped == MAP_FAILED) {
        close(made);
        return NULL;
    }
    *descriptor = made;
    return mapped;
}

void wwt_shared_ring_unmap(wwt_shared_ring *ring) { munmap(ring, sizeof *ring); }

enum wwt_shared_put wwt_shared_ring_put(wwt_shared_ring *ring, const uint8_t *bytes, size_t count, size_t most) {
    uint64_t length = length_of(count), place = __atomic_load_n(&ring->reserved, __ATOMIC_SEQ_CST), skipped, used;
    for (int tries = 0;;) {
        if (place & CLOSED) return WWT_SHARED_CLOSED;
        skipped = until_wrap(place) < length ? until_wrap(place) : 0;
        used = place - __atomic_load_n(&ring->taken, __ATOMIC_ACQUIRE) + skipped + length;
        if (used > most || used > WWT_SHARED_RING_ROOM) {
            // The reader may be about to begin again at the beginning of the memory.
            if (tries++ == TRIES) return WWT_SHARED_FULL;
            place = __atomic_load_n(&ring->reserved, __ATOMIC_SEQ_CST);
        } else if (__atomic_compare_exchange_n(
                       &ring->reserved, &place, place + skipped + length, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
            break;
        }
    }
    if (skipped) __atomic_store_n(word_at(ring, place), (uint32_t)skipped | SKIPPED, __ATOMIC_RELEASE);
    uint32_t *word = word_at(ring, place + skipped);
    __atomic_store_n(word, (uint32_t)count | BUSY, __ATOMIC_RELEASE);
    memcpy((uint8_t *)word + WORD, bytes, count);
    // Before the question whether the reader sleeps, which looks for messages after it has said so.
    __atomic_exchange_n(word, (uint32_t)count, __ATOMIC_SEQ_CST);
    bool wakes = __atomic_load_n(&ring->sleeps, __ATOMIC_SEQ_CST) && __atomic_exchange_n(&ring->sleeps, 0, __ATOMIC_SEQ_CST);
    if (!wakes && used > WWT_SHARED_RING_ROOM / 2 && !__atomic_load_n(&ring->hurry, __ATOMIC_RELAXED)) {
        wakes = !__atomic_exchange_n(&ring->hurry, 1, __ATOMIC_RELAXED);
    }
    return wakes ? WWT_SHARED_PUT_WAKE : WWT_SHARED_PUT;
}

// MARK: the reader

struct wwt_shared_reader {
    wwt_shared_ring *ring;
    uint64_t taken; // its own, because the program may write over the other
    uint64_t end;   // where it ends, once it is closed
    bool is_closed;
    uint8_t message[WWT_SHARED_RING_ROOM];
};

wwt_shared_reader *wwt_shared_reader_open(int descriptor) {
    struct stat status;
    int seals = fcntl(descriptor, F_GET_SEALS);
    wwt_shared_reader *reader = NULL;
    void *mapped = MAP_FAILED;
    if (seals >= 0 && (seals & F_SEAL_SHRINK) && fstat(descriptor, &status) == 0
        && status.st_size == sizeof(wwt_shared_ring) && (reader = malloc(sizeof *reader))) {
        mapped = mmap(NULL, sizeof(wwt_shared_ring), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    }
    close(descriptor);
    if (mapped == MAP_FAILED) {
        free(reader);
        return NULL;
    }
    reader->ring = mapped;
    reader->taken = reader->end = 0;
    reader->is_closed = false;
    return reader;
}

void wwt_shared_reader_free(wwt_shared_reader *reader) {
    if (!reader) return;
    wwt_shared_ring_unmap(reader->ring);
    free(reader);
}

static uint64_t end_of(const wwt_shared_reader *reader) {
    return reader->is_closed ? reader->end : __atomic_load_n(&reader->ring->reserved, __ATOMIC_SEQ_CST) & ~CLOSED;
}

bool wwt_shared_reader_may_sleep(wwt_shared_reader *reader) {
    __atomic_store_n(&reader->ring->sleeps, 1, __ATOMIC_SEQ_CST);
    if (end_of(reader) == reader->taken) return true;
    __atomic_store_n(&reader->ring->sleeps, 0, __ATOMIC_SEQ_CST);
    return false;
}

/// Begins again at the beginning of the memory, so that no more of it is used than its fullest moment needed. A writer
/// that comes in between keeps it from that.
static void rewind_ring(wwt_shared_reader *reader) {
    uint64_t now = reader->taken, start = now + until_wrap(now);
    if (reader->is_closed || now % WWT_SHARED_RING_ROOM == 0) return;
    if (!__atomic_compare_exchange_n(&reader->ring->reserved, &now, start, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) return;
    reader->taken = start;
    __atomic_store_n(&reader->ring->taken, start, __ATOMIC_RELEASE);
}

static uint32_t word_of_next(const wwt_shared_reader *reader) {
    return __atomic_load_n(word_at(reader->ring, reader->taken), __ATOMIC_ACQUIRE);
}

/// The next word, once its message is whole; of a closed ring whatever it is after a while, because the thread that wrote
/// it may have ended.
static uint32_t await_word(const wwt_shared_reader *reader) {
    uint32_t word = word_of_next(reader);
    struct timespec pause = {0, 1000000};
    for (int i = 0; reader->is_closed && i < PATIENCE && (word == 0 || (word & BUSY)); i++) {
        nanosleep(&pause, NULL);
        word = word_of_next(reader);
    }
    return word;
}

/// Clears a record and gives its room back.
static void give_back(wwt_shared_reader *reader, uint64_t length) {
    memset(word_at(reader->ring, reader->taken), 0, length);
    reader->taken += length;
    __atomic_store_n(&reader->ring->taken, reader->taken, __ATOMIC_RELEASE);
}

const uint8_t *wwt_shared_reader_take(wwt_shared_reader *reader, size_t *count, bool *is_malformed) {
    __atomic_store_n(&reader->ring->hurry, 0, __ATOMIC_RELAXED);
    uint64_t end = end_of(reader);
    while (reader->taken != end) {
        uint64_t left = end - reader->taken, room = until_wrap(reader->taken);
        if (left > WWT_SHARED_RING_ROOM || end % WORD) break;
        uint32_t word = await_word(reader);
        bool is_skipped = word & (SKIPPED | BUSY);
        if (word == 0 || ((word & BUSY) && !reader->is_closed)) return NULL;
        uint64_t size = word & ~(SKIPPED | BUSY), length = word & SKIPPED ? size : length_of(size);
        if (length == 0 || length % WORD || length > left || length > room) break;
        if (!is_skipped) memcpy(reader->message, (uint8_t *)word_at(reader->ring, reader->taken) + WORD, size);
        give_back(reader, length);
        if (is_skipped) continue;
        *count = size;
        return reader->message;
    }
    *is_malformed = reader->taken != end;
    if (!*is_malformed) rewind_ring(reader);
    return NULL;
}

void wwt_shared_reader_close(wwt_shared_reader *reader) {
    reader->end = __atomic_fetch_or(&reader->ring->reserved, CLOSED, __ATOMIC_SEQ_CST) & ~CLOSED;
    reader->is_closed = true;
}

#else

wwt_shared_reader *wwt_shared_reader_open(int descriptor) { (void)descriptor; return NULL; }
void wwt_shared_reader_free(wwt_shared_reader *reader) { (void)reader; }
bool wwt_shared_reader_may_sleep(wwt_shared_reader *reader) { (void)reader; return true; }
const uint8_t *wwt_shared_reader_take(wwt_shared_reader *reader, size_t *count, bool *is_malformed) {
    (void)reader; (void)count; (void)is_malformed;
    return NULL;
}
void wwt_shared_reader_close(wwt_shared_reader *reader) { (void)reader; }

#endif
