// A lock that a fork holds while it happens, so that the child does not inherit it from a thread that it does not have.
//
// The thread that holds it may take it again. Handlers of a fork (`pthread_atfork`) run while the fork holds all these
// locks, and may do anything: use connections, or fork themselves. And a signal's handler may fork while its thread is
// inside the tap. A recursive mutex would not do, because the child could not unlock it.
#ifndef WWT_FORK_LOCK_H
#define WWT_FORK_LOCK_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct wwt_fork_lock {
    pthread_mutex_t mutex;
    const char *owner; // `wwt_this_thread` of the thread that holds it
    unsigned depth;    // how often that one has taken it again
} wwt_fork_lock;

#define WWT_FORK_LOCK {PTHREAD_MUTEX_INITIALIZER, NULL, 0}

/// Its address is another one in each thread, and the same in a child of a fork.
extern __thread char wwt_this_thread;

static inline void wwt_lock(wwt_fork_lock *lock) {
    if (__atomic_load_n(&lock->owner, __ATOMIC_RELAXED) == &wwt_this_thread) {
        lock->depth++;
        return;
    }
    pthread_mutex_lock(&lock->mutex);
    __atomic_store_n(&lock->owner, &wwt_this_thread, __ATOMIC_RELAXED);
}

/// Takes it if no one holds it, nor this thread.
static inline bool wwt_try_lock(wwt_fork_lock *lock) {
    if (pthread_mutex_trylock(&lock->mutex) != 0) return false;
    __atomic_store_n(&lock->owner, &wwt_this_thread, __ATOMIC_RELAXED);
    return true;
}

static inline void wwt_unlock(wwt_fork_lock *lock) {
    if (lock->depth) {
        lock->depth--;
        return;
    }
    __atomic_store_n(&lock->owner, NULL, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&lock->mutex);
}

#endif
