// The libcurls of this process.
#ifndef WWT_LIBRARIES_H
#define WWT_LIBRARIES_H

#include "curl_abi.h"

/// How many libcurls may be in one process.
#define MOST_LIBRARIES 4

/// The libcurl that an object was linked against, by the object's own list of needed libraries. If the list names none,
/// the first one in the process. NULL if there is no libcurl, or only one that the tap does not know.
wwt_library *wwt_library_for(const void *address_in_object);
/// The same by where the object is loaded and its dynamic section (`ElfW(Dyn)`), among those found already. It does not
/// ask the linker.
wwt_library *wwt_library_needed(uintptr_t base, const void *dynamic);
/// Whether a file is called like a libcurl. It may be one that is not known yet.
bool wwt_is_called_libcurl(const char *path);
/// The libcurl that is loaded at that address.
wwt_library *wwt_library_at(uintptr_t base);
/// Looks for libcurls that were loaded since the last call; returns the number of known ones.
int wwt_find_libraries(void);
wwt_library *wwt_library_number(int index);
/// All of them. Only for `wwt_hooked_library`.
extern wwt_library wwt_libraries[MOST_LIBRARIES];

/// The library of a hook. Each hook starts with this.
///
/// The thread that hooks a library fills its members first and then writes the slots. On arm64 that order is not enough
/// for a thread that calls through a slot: its processor may have read the library before the slot, because a call
/// through a pointer orders no reads. So a hook needs a fence, until `wwt_show_libraries` has made it unnecessary.
/// A thread that still sees the old value of `is_seen` only makes one fence more. x86-64 keeps the order of reads.
static inline wwt_library *wwt_hooked_library(int number) {
    wwt_library *library = &wwt_libraries[number];
#if defined(__aarch64__)
    if (!__atomic_load_n(&library->is_seen, __ATOMIC_RELAXED)) __atomic_thread_fence(__ATOMIC_ACQUIRE);
#endif
    return library;
}

/// Makes all threads see the libraries that were found, so that hooks need no fence. Call it after slots were written.
void wwt_show_libraries(void);
int wwt_number_of(const wwt_library *library);
/// The number of times that objects have been loaded and unloaded. Call it under a lock that forks wait for.
unsigned long long wwt_count_objects(void);
/// Whether a libcurl is loaded, whether the tap knows it or not.
bool wwt_sees_libcurl(void);

/// Leaves all libcurls alone, if it is set before the tap starts.
extern bool wwt_leaves_libcurl;

/// How to find a function by name if `dlsym` itself is ours; NULL for `dlsym`.
extern void *(*wwt_look_up)(void *, const char *);
/// Whether an address is in the preloaded library, which exports names of libcurl's libraries for other callers; NULL
/// if there is none.
extern bool (*wwt_is_preloads)(const void *);
/// The hook for a function that any object except libcurl calls by that name, and the function that it calls now, or NULL
/// if the linker has not bound it yet. NULL if there is none, or if the object calls another hook.
extern void *(*wwt_other_hook)(const char *name, const void *bound);

/// A fork holds the lock while it happens.
void wwt_lock_libraries(void);
void wwt_unlock_libraries(void);

#endif
