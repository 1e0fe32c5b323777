// The libcurls of this process.
#ifndef WWT_LIBRARIES_H
#define WWT_LIBRARIES_H

#include "curl_abi.h"

/// How many libcurls may be in one process.
#define MOST_LIBRARIES 4

/// The libcurl that an object was linked against, by the object's own list of needed libraries. If the list names none,
/// the first one in the process. NULL if there is no libcurl, or only one that the tap does not know.
wwt_library *wwt_library_for(const void *address_in_object);
/// The libcurl that is loaded at that address.
wwt_library *wwt_library_at(uintptr_t base);
/// Looks for libcurls that were loaded since the last call; returns the number of known ones.
int wwt_find_libraries(void);
wwt_library *wwt_library_number(int index);
/// All of them. Only for the hooks, which exist for known libraries only.
extern wwt_library wwt_libraries[MOST_LIBRARIES];
int wwt_number_of(const wwt_library *library);
/// The number of times that objects have been loaded and unloaded. Call it under a lock that forks wait for.
unsigned long long wwt_count_objects(void);
/// Whether a libcurl is loaded, whether the tap knows it or not.
bool wwt_sees_libcurl(void);

/// How to find a function by name if `dlsym` itself is ours; NULL for `dlsym`.
extern void *(*wwt_look_up)(void *, const char *);

/// A fork holds the lock while it happens.
void wwt_lock_libraries(void);
void wwt_unlock_libraries(void);

#endif
