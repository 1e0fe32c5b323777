// The table of the easy handles of the program, and what the tap knows about each.

#ifdef __linux__
#include <stdlib.h>

#include "fork_lock.h"
#include "handles.h"
#include "watching.h"

#define BUCKETS 1024

static wwt_handle *buckets[BUCKETS];
static wwt_fork_lock table = WWT_FORK_LOCK;

static wwt_handle **bucket_of(const CURL *easy) {
    return &buckets[((uintptr_t)easy >> 4) * 0x9E3779B185EBCA87ULL >> 54];
}

static wwt_handle *find_locked(const CURL *easy) {
    wwt_handle *handle = *bucket_of(easy);
    while (handle && handle->easy != easy) handle = handle->next;
    return handle;
}

/// Counts forgotten handles, because the tap does not know which threads remember one of them.
static uint32_t forgotten = 1;

/// The handle that this thread looked up last; a cache, because libcurl shows a transfer in many pieces.
static __thread struct {
    const CURL *easy;
    wwt_handle *handle; // dangles unless `forgotten` is still the same
    uint32_t forgotten;
} latest;

wwt_handle *wwt_handle_of(const CURL *easy) {
    uint32_t now = __atomic_load_n(&forgotten, __ATOMIC_ACQUIRE);
    if (latest.easy == easy && latest.forgotten == now) return latest.handle;
    wwt_lock(&table);
    wwt_handle *handle = find_locked(easy);
    wwt_unlock(&table);
    if (handle) {
        latest.easy = easy;
        latest.handle = handle;
        latest.forgotten = now;
    }
    return handle;
}

bool wwt_history_is_known(const wwt_handle *handle) {
    return handle->watched == wwt_watch_period();
}

wwt_handle *wwt_remember_handle(CURL *easy, bool fresh) {
    wwt_handle *known = fresh ? NULL : wwt_handle_of(easy);
    if (known) return known;
    wwt_lock(&table);
    wwt_handle *handle = find_locked(easy);
    if (!handle && (handle = calloc(1, sizeof *handle))) {
        handle->easy = easy;
        handle->next = *bucket_of(easy);
        *bucket_of(easy) = handle;
    }
    if (handle && fresh) {
        // The record may be about an earlier handle at this address, whose end the tap did not see.
        free(handle->doh_url);
        *handle = (wwt_handle){.easy = easy, .next = handle->next, .active = handle->active};
        // In this order: if the tap is disabled in between, `now` is of a period that is over.
        uint32_t now = wwt_watch_period();
        handle->watched = wwt_tap_enabled() ? now : 0;
    }
    wwt_unlock(&table);
    return handle;
}

void wwt_forget_handle(CURL *easy) {
    wwt_handle *found = NULL;
    wwt_lock(&table);
    for (wwt_handle **link = bucket_of(easy); *link; link = &(*link)->next) {
        if ((*link)->easy != easy) continue;
        found = *link;
        *link = found->next;
        __atomic_add_fetch(&forgotten, 1, __ATOMIC_RELEASE);
        break;
    }
    wwt_unlock(&table);
    if (found) free(found->doh_url);
    free(found);
}

struct wwt_transfer *wwt_take_asked_by(const void *asking) {
    struct wwt_transfer *transfer = NULL;
    wwt_lock(&table);
    for (int i = 0; i < BUCKETS && !transfer; i++) {
        for (wwt_handle *each = buckets[i]; each && !transfer; each = each->next) {
            if (!each->is_libcurls || each->asked_by != asking || !each->active) continue;
            transfer = each->active;
            each->active = NULL;
        }
    }
    wwt_unlock(&table);
    return transfer;
}

void wwt_set_libcurls_own(wwt_handle *handle, const void *asking, uint32_t period) {
    // Other threads search the table for handles that libcurl made for them.
    wwt_lock(&table);
    handle->is_libcurls = true;
    handle->asked_by = asking;
    handle->watched = period;
    wwt_unlock(&table);
}

void wwt_lock_handles(void) { wwt_lock(&table); }

void wwt_unlock_handles(void) { wwt_unlock(&table); }

#endif
