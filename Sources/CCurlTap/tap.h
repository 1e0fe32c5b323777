// The core of the tap: what happens when a program calls libcurl. The call is caught by hooked slots (linker_slots.c) or by
// exported names (the preloaded library). Both pass it on with the library that it was meant for.
#ifndef WWT_TAP_H
#define WWT_TAP_H

#include "CCurlTap.h"
#include "curl_abi.h"

/// How many libcurls may be in one process.
#define MOST_LIBRARIES 4

CURL *wwt_easy_init(wwt_library *library);
void wwt_easy_cleanup(wwt_library *library, CURL *easy);
void wwt_easy_reset(wwt_library *library, CURL *easy);
CURL *wwt_easy_duphandle(wwt_library *library, CURL *easy);
CURLcode wwt_easy_setopt(wwt_library *library, CURL *easy, CURLoption option, void *argument);
CURLcode wwt_easy_perform(wwt_library *library, CURL *easy);
CURLMcode wwt_multi_add_handle(wwt_library *library, CURLM *multi, CURL *easy);
/// The same, with the caller's address, because libcurl adds handles of its own.
CURLMcode wwt_multi_add_handle_from(wwt_library *library, CURLM *multi, CURL *easy, const void *caller);
CURLMcode wwt_multi_remove_handle(wwt_library *library, CURLM *multi, CURL *easy);
// The same for calls that libcurl makes to itself. For handles that libcurl did not make, the program's call has passed
// through the hooks already.
CURLcode wwt_own_easy_setopt(wwt_library *library, CURL *easy, CURLoption option, void *argument);
CURLMcode wwt_own_multi_add_handle(wwt_library *library, CURLM *multi, CURL *easy);
CURLMcode wwt_own_multi_remove_handle(wwt_library *library, CURLM *multi, CURL *easy);
CURLMsg *wwt_multi_info_read(wwt_library *library, CURLM *multi, int *left);

/// Starts to emit. The tap has not seen the history of handles that exist already.
void wwt_tap_enable(const wwt_settings *settings);
/// Stops it: transfers that run are reported as over, and go on untapped.
void wwt_tap_disable(void);
bool wwt_tap_enabled(void);
/// Call in the child of a fork: the parent reports the transfers that ran in it.
void wwt_tap_forked(void);
/// Counts a transfer that carries our debug function; the function is called when the last one ends.
void wwt_tap_when_idle(void (*idle)(void));
void wwt_tap_untapped(void);

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

/// The hook of that name that passes calls on to that library; NULL if there is none.
void *wwt_hook_for(const wwt_library *library, const char *name);
/// The same for a function of that library that it calls itself.
void *wwt_own_hook_for(const wwt_library *library, const char *name);
/// If another object already interposes libcurl for the whole process, our hooks pass calls on to it.
void wwt_respect_interposers(void);

/// How to find a function by name if `dlsym` itself is ours; NULL for `dlsym`.
extern void *(*wwt_look_up)(void *, const char *);

uint64_t wwt_now(void);

// A fork holds all locks while it happens. Otherwise the child could inherit a lock held by a thread that it does not
// have.

void wwt_lock_slots(void);
void wwt_unlock_slots(void);
void wwt_lock_libraries(void);
void wwt_unlock_libraries(void);
void wwt_lock_closers(void);
void wwt_unlock_closers(void);

#endif
