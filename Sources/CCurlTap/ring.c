// A ring of bytes between the program's threads and one reader. The lock is held for the copy only.

#include "CCurlTap.h"

#ifdef __linux__
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

bool wwt_are_contents(const uint8_t *frames) {
    wwt_frame first;
    memcpy(&first, frames, sizeof first);
    return first.kind == WWT_CONTENT_OUT || first.kind == WWT_CONTENT_IN || first.kind == WWT_TLS_BYTES;
}

struct wwt_ring {
    pthread_mutex_t lock;
    pthread_cond_t filled;
    size_t capacity, used, start;
    uint64_t lost;
    bool idle;       // the reader sleeps until something comes
    bool gathering;  // the reader sleeps until there is more to take at once
    bool woken;
    uint8_t bytes[];
};

wwt_ring *wwt_ring_create(size_t capacity) {
    wwt_ring *ring = malloc(sizeof *ring + capacity);
    if (!ring) return NULL;
    memset(ring, 0, sizeof *ring); // not its bytes: they take no memory until they are written
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&ring->filled, &attributes);
    pthread_condattr_destroy(&attributes);
    pthread_mutex_init(&ring->lock, NULL);
    ring->capacity = capacity;
    return ring;
}

void wwt_ring_destroy(wwt_ring *ring) {
    if (!ring) return;
    pthread_cond_destroy(&ring->filled);
    pthread_mutex_destroy(&ring->lock);
    free(ring);
}

static void copy_in(wwt_ring *ring, const uint8_t *bytes, size_t count) {
    size_t at = (ring->start + ring->used) % ring->capacity;
    size_t first = count < ring->capacity - at ? count : ring->capacity - at;
    memcpy(ring->bytes + at, bytes, first);
    memcpy(ring->bytes, bytes + first, count - first);
    ring->used += count;
}

static void copy_out(const wwt_ring *ring, size_t offset, uint8_t *bytes, size_t count) {
    size_t at = (ring->start + offset) % ring->capacity;
    size_t first = count < ring->capacity - at ? count : ring->capacity - at;
    memcpy(bytes, ring->bytes + at, first);
    memcpy(bytes + first, ring->bytes, count - first);
}

bool wwt_ring_emit(void *context, const uint8_t *frames, size_t count, bool last) {
    wwt_ring *ring = context;
    // Kept content of bodies leaves half of the room to the frames that meter.
    size_t most = wwt_are_contents(frames) ? ring->capacity / 2 : ring->capacity;
    pthread_mutex_lock(&ring->lock);
    bool fits = ring->used <= most && count <= most - ring->used;
    if (fits) copy_in(ring, frames, count);
    if (!fits && last) ring->lost++;
    bool wake = ring->idle || (ring->gathering && ring->used > ring->capacity / 4);
    if (wake) ring->idle = ring->gathering = false;
    pthread_mutex_unlock(&ring->lock);
    if (wake) pthread_cond_signal(&ring->filled);
    return fits;
}

static void wait_until(wwt_ring *ring, uint64_t nanoseconds, bool *flag) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    nanoseconds += (uint64_t)until.tv_nsec;
    until.tv_sec += (time_t)(nanoseconds / 1000000000);
    until.tv_nsec = (long)(nanoseconds % 1000000000);
    *flag = true;
    while (*flag && !ring->woken) {
        if (pthread_cond_timedwait(&ring->filled, &ring->lock, &until) != 0) break;
    }
    *flag = false;
}

size_t wwt_ring_read(wwt_ring *ring, uint8_t *bytes, size_t capacity, uint32_t wait_ms, uint32_t gather_ms) {
    pthread_mutex_lock(&ring->lock);
    if (ring->used == 0 && wait_ms && !ring->woken) wait_until(ring, wait_ms * 1000000ull, &ring->idle);
    if (ring->used && ring->used <= ring->capacity / 4 && wait_ms && !ring->woken) {
        // Gather more frames in one read, so that the program's threads seldom have to wake the reader.
        wait_until(ring, gather_ms * 1000000ull, &ring->gathering);
    }
    ring->woken = false;
    size_t taken = 0;
    while (ring->used - taken >= sizeof(wwt_frame)) {
        wwt_frame frame;
        copy_out(ring, taken, (uint8_t *)&frame, sizeof frame);
        if (taken + frame.size > capacity) break;
        taken += frame.size;
    }
    copy_out(ring, 0, bytes, taken);
    ring->used -= taken;
    // An empty ring is written from its first byte again, so that it uses no more memory than its fullest moment
    // needed.
    ring->start = ring->used ? (ring->start + taken) % ring->capacity : 0;
    pthread_mutex_unlock(&ring->lock);
    return taken;
}

void wwt_ring_wake(wwt_ring *ring) {
    pthread_mutex_lock(&ring->lock);
    ring->woken = true;
    pthread_mutex_unlock(&ring->lock);
    pthread_cond_signal(&ring->filled);
}

uint64_t wwt_ring_take_lost(wwt_ring *ring) {
    pthread_mutex_lock(&ring->lock);
    uint64_t lost = ring->lost;
    ring->lost = 0;
    pthread_mutex_unlock(&ring->lock);
    return lost;
}

#else

bool wwt_are_contents(const uint8_t *frames) { (void)frames; return false; }
wwt_ring *wwt_ring_create(size_t capacity) { (void)capacity; return NULL; }
void wwt_ring_destroy(wwt_ring *ring) { (void)ring; }
bool wwt_ring_emit(void *ring, const uint8_t *frames, size_t count, bool last) {
    (void)ring; (void)frames; (void)count; (void)last;
    return false;
}
size_t wwt_ring_read(wwt_ring *ring, uint8_t *bytes, size_t capacity, uint32_t wait_ms, uint32_t gather_ms) {
    (void)ring; (void)bytes; (void)capacity; (void)wait_ms; (void)gather_ms;
    return 0;
}
void wwt_ring_wake(wwt_ring *ring) { (void)ring; }
uint64_t wwt_ring_take_lost(wwt_ring *ring) { (void)ring; return 0; }

#endif
