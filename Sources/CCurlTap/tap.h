// The heart: what happens when a program calls libcurl. Who caught the call (hooked slots in slots.c, exported names in
// the preloaded library) hands it on with the library that it was meant for.
#ifndef WWT_TAP_H
#define WWT_TAP_H

#include "CCurlTap.h"
#include "curl_abi.h"

/// So many libcurls may be in one process.
#define MOST_LIBRARIES 4

CURL *wwt_easy_init(wwt_library *library);
void wwt_easy_cleanup(wwt_library *library, CURL *easy);
void wwt_easy_reset(wwt_library *library, CURL *easy);
CURL *wwt_easy_duphandle(wwt_library *library, CURL *easy);
CURLcode wwt_easy_setopt(wwt_library *library, CURL *easy, CURLoption option, void *argument);
CURLcode wwt_easy_perform(wwt_library *library, CURL *easy);
CURLMcode wwt_multi_add_handle(wwt_library *library, CURLM *multi, CURL *easy);
/// The same, with who calls: libcurl adds handles of its own.
CURLMcode wwt_multi_add_handle_from(wwt_library *library, CURLM *multi, CURL *easy, const void *caller);
CURLMcode wwt_multi_remove_handle(wwt_library *library, CURLM *multi, CURL *easy);
// The same where libcurl calls itself. What is not of its own making has passed already where the program called.
CURLcode wwt_own_easy_setopt(wwt_library *library, CURL *easy, CURLoption option, void *argument);
CURLMcode wwt_own_multi_add_handle(wwt_library *library, CURLM *multi, CURL *easy);
CURLMcode wwt_own_multi_remove_handle(wwt_library *library, CURLM *multi, CURL *easy);
CURLMsg *wwt_multi_info_read(wwt_library *library, CURLM *multi, int *left);

/// Begins to emit; handles that exist already have a history that nobody saw.
void wwt_tap_enable(const wwt_settings *settings);
/// Ends it; transfers that run are told to be over, and go on untapped.
void wwt_tap_disable(void);
bool wwt_tap_enabled(void);
/// In the child of a fork: what ran in the parent is the parent's to tell.
void wwt_tap_forked(void);
/// Counts a transfer that carries our debug function; the function is called when the last one ends.
void wwt_tap_when_idle(void (*idle)(void));
void wwt_tap_untapped(void);

/// The library that an object was linked against, from the object's own list of needed libraries; the first one in
/// the process where it names none; NULL where there is no libcurl or only one that the tap does not know.
wwt_library *wwt_library_for(const void *address_in_object);
/// The library that this object is, by the address at which it is loaded.
wwt_library *wwt_library_at(uintptr_t base);
/// Looks for libcurls that were loaded since; the number of known ones.
int wwt_find_libraries(void);
wwt_library *wwt_library_number(int index);
/// All of them; for hooks, which are there only for known ones.
extern wwt_library wwt_libraries[MOST_LIBRARIES];
int wwt_number_of(const wwt_library *library);
/// How often objects have been loaded and unloaded; to be called under a lock that forks wait for.
unsigned long long wwt_count_objects(void);
/// Whether a libcurl is loaded, known to us or not.
bool wwt_sees_libcurl(void);

/// The hook of that name that hands on to that library; NULL where there is none.
void *wwt_hook_for(const wwt_library *library, const char *name);
/// The same for what that library calls by that name and is itself.
void *wwt_own_hook_for(const wwt_library *library, const char *name);
/// Where somebody already stands in front of libcurl, for the whole process, our hooks hand on to them.
void wwt_respect_interposers(void);

/// How to find a function by name, where `dlsym` itself is ours; NULL for `dlsym`.
extern void *(*wwt_look_up)(void *, const char *);

uint64_t wwt_now(void);

// Around a fork all locks are held, so that the child finds none that a thread had which is not there.

void wwt_lock_slots(void);
void wwt_unlock_slots(void);
void wwt_lock_libraries(void);
void wwt_unlock_libraries(void);
void wwt_lock_closers(void);
void wwt_unlock_closers(void);

#endif
